import type { FastifyInstance } from 'fastify'

export interface Pace {
  windowMs: number
  /** What must arrive of a body in each window, unless it is complete. */
  leastBytes: number
}

/** One kilobyte a second: slower than any telephone line, faster than a body that is kept open on purpose. */
const usual: Pace = { windowMs: 10_000, leastBytes: 10_000 }

/** Ends the connection of a body that arrives slower than the pace, before anybody knows who sends it. */
export function keepPace(fastify: FastifyInstance, { windowMs, leastBytes }: Pace = usual): void {
  fastify.addHook('onRequest', async ({ raw }) => {
    const { 'content-length': length, 'transfer-encoding': coding } = raw.headers
    if (!coding && !(Number(length) > 0)) return
    let before = raw.socket.bytesRead
    const timer = setInterval(() => {
      if (raw.complete) return clearInterval(timer)
      const now = raw.socket.bytesRead
      if (now - before < leastBytes) raw.socket.destroy()
      before = now
    }, windowMs).unref()
    raw.once('close', () => clearInterval(timer))
  })
}
