import { createReadStream } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { Failure, fail } from '#kit/describe/errors.ts'
import type { FileOnDisk } from '#kit/fields/schema.ts'
import type { App } from '../context.ts'
import { logSecurity } from '../rights/securityLog.ts'

/** Silence of a scanner that is longer than this is no answer. */
const patienceMs = 60_000
/** clamd takes a stream in pieces, each with its length before it. */
const pieceBytes = 64 * 1024
/** `stream: OK` and the name of a signature are far shorter. */
const longestAnswer = 4096

export type Scanned = { clean: true } | { clean: false; signature: string }

/**
 * Asks a ClamAV daemon about a file (INSTREAM, in the form that ends with a zero byte, as the manual of clamd has it). `address` is
 * `tcp://host:port` or `unix:/path`. Throws when the daemon does not say that the file is clean or infected: it is away, the file is
 * over its limit (StreamMaxLength), or it reports an error.
 */
export async function askScanner(address: string, file: Readable): Promise<Scanned> {
  const url = new URL(address)
  const socket =
    url.protocol === 'unix:' ? connect(url.pathname) : connect(Number(url.port || 3310), url.hostname)
  socket.setTimeout(patienceMs, () => socket.destroy(new Error('the scanner is silent')))
  try {
    const answer = answerOf(socket)
    // It is awaited below; a rejection before that must not count as unhandled.
    answer.catch(() => undefined)
    await send(socket, file)
    const said = (await answer).replace(/\0$/, '').trim()
    if (said === 'stream: OK') return { clean: true }
    const found = /^stream: (.+) FOUND$/.exec(said)
    if (found) return { clean: false, signature: found[1]! }
    throw new Error(`the scanner says: ${said.slice(0, 200)}`)
  } finally {
    file.destroy()
    socket.destroy()
  }
}

function answerOf(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    socket.on('data', (bytes) => {
      said += bytes.toString('latin1')
      if (said.includes('\0') || said.length > longestAnswer) resolve(said.slice(0, longestAnswer))
    })
    socket.on('error', reject)
    socket.on('close', () => (said ? resolve(said) : reject(new Error('the scanner closed the connection'))))
  })
}

async function send(socket: Socket, file: Readable): Promise<void> {
  const write = (bytes: Buffer) =>
    new Promise<void>((done, failed) => socket.write(bytes, (e) => (e ? failed(e) : done())))
  const length = (n: number) => {
    const four = Buffer.alloc(4)
    four.writeUInt32BE(n)
    return four
  }
  try {
    await write(Buffer.from('zINSTREAM\0'))
    for await (const chunk of file as AsyncIterable<Buffer>)
      for (let at = 0; at < chunk.length; at += pieceBytes) {
        const piece = chunk.subarray(at, at + pieceBytes)
        await write(Buffer.concat([length(piece.length), piece]))
      }
    await write(length(0))
  } catch (e) {
    // A file over the limit is refused in the middle: the answer is there, and the rest is not wanted any more.
    if (!['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED'].includes((e as { code?: string }).code ?? ''))
      throw e
  }
}

/**
 * Has a file of a stranger scanned, where VIRUS_SCANNER names a scanner. Refuses an infected one with uploads.infected, and every one with
 * kit.unavailable while the scanner gives no answer: nothing is taken unscanned. `ids` are for the log.
 */
export async function refuseInfected(
  app: App,
  file: Uint8Array | FileOnDisk,
  ids: Record<string, string | undefined>,
): Promise<void> {
  const { virusScanner } = app.settings
  if (!virusScanner) return
  const stream = file instanceof Uint8Array ? Readable.from([Buffer.from(file)]) : createReadStream(file.path)
  const scanned = await askScanner(virusScanner, stream).catch((e: Error) => {
    app.log.error({ err: e.message }, 'a file could not be scanned')
    throw new Failure('kit.unavailable', {}, [], 30)
  })
  if (scanned.clean) return
  logSecurity(app, 'file.infected', { ...ids, signature: scanned.signature })
  throw fail('uploads.infected')
}
