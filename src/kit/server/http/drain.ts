import type { IncomingMessage } from 'node:http'

/*
 * A program writes its whole body before it reads the answer. A refusal that comes earlier and ends the connection is
 * lost: the program sees a broken connection in place of the reason, and tries again.
 */

/** What is read and thrown away of a refused body at most, and for how long. */
const mostBytes = 16_777_216
const mostMs = 10_000

/**
 * Reads what is left of the body of a refused call and throws it away.
 * @returns whether nothing is left; otherwise the connection is to be ended with the answer
 */
export function drained(request: IncomingMessage): Promise<boolean> {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers
  if (coding === undefined && !(Number(length) > 0)) return Promise.resolve(true)
  if (request.complete || request.readableEnded) return Promise.resolve(true)
  if (request.destroyed || Number(length) > mostBytes) return Promise.resolve(false)
  return new Promise((resolve) => {
    let size = 0
    const count = (piece: Buffer) => {
      if ((size += piece.length) > mostBytes) end(false)
    }
    const ended = () => end(true)
    const broken = () => end(false)
    const timer = setTimeout(broken, mostMs)
    function end(isAll: boolean): void {
      clearTimeout(timer)
      request.off('data', count).off('end', ended).off('close', broken).off('error', broken)
      resolve(isAll)
    }
    request.on('data', count).once('end', ended).once('close', broken).once('error', broken)
    request.resume()
  })
}
