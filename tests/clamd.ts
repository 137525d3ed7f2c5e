import { createServer, type Socket } from 'node:net'

/** The harmless text that every scanner reports (EICAR), put together here so that no scanner reports this file. */
export const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('')

export interface Clamd {
  /** As VIRUS_SCANNER takes it. */
  address: string
  /** The files that were scanned, as they arrived. */
  scanned: Buffer[]
  close: () => Promise<void>
}

/**
 * A stand-in for clamd that speaks its protocol: `zPING` and `zINSTREAM`, pieces with their length before them, StreamMaxLength, and
 * its answers and errors in the same words. It reports EICAR wherever it is in a file.
 */
export async function startClamd({
  mostBytes = 25 * 1024 * 1024,
  at,
}: { mostBytes?: number; at?: string } = {}): Promise<Clamd> {
  const scanned: Buffer[] = []
  const serve = (socket: Socket) => {
    let held = Buffer.alloc(0)
    let file: Buffer[] | undefined
    let size = 0
    const say = (text: string) => socket.end(`${text}\0`)
    const take = (): void => {
      if (!file) {
        const end = held.indexOf(0)
        if (end < 0) return
        const command = held.subarray(0, end).toString()
        held = held.subarray(end + 1)
        if (command === 'zPING') return void say('PONG')
        if (command !== 'zINSTREAM') return void say('UNKNOWN COMMAND')
        file = []
      }
      while (held.length >= 4) {
        const length = held.readUInt32BE(0)
        if (length === 0) {
          const whole = Buffer.concat(file)
          scanned.push(whole)
          return void say(whole.includes(eicar) ? 'stream: Eicar-Test-Signature FOUND' : 'stream: OK')
        }
        size += length
        if (size > mostBytes) return void say('INSTREAM size limit exceeded. ERROR')
        if (held.length < 4 + length) {
          size -= length
          return
        }
        file.push(held.subarray(4, 4 + length))
        held = held.subarray(4 + length)
      }
    }
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      if (socket.writableEnded) return
      held = Buffer.concat([held, bytes as Buffer])
      take()
    })
  }
  const server = createServer(serve)
  await new Promise<void>((ready) =>
    at ? void server.listen(at, ready) : void server.listen(0, '127.0.0.1', ready),
  )
  const bound = server.address()
  return {
    address: typeof bound === 'object' && bound ? `tcp://127.0.0.1:${bound.port}` : `unix:${at}`,
    scanned,
    close: () => new Promise((done) => server.close(() => done())),
  }
}
