import { randomUUID } from 'node:crypto'
import { mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from '../context.ts'
import { Turns } from '../data/turns.ts'

/** Large answers that are being written: one of a business, a few in all. Shared by all servers of a process. */
const turns = new Turns({
  most: 1,
  mostInAll: 3,
  mostWaiting: 200,
  mostWaitingForOne: 12,
  longestMs: 120_000,
})
const chunkBytes = 256 * 1024

/**
 * An answer that reads from one database connection, written to a file at full speed before anybody reads it: however
 * slowly the file is then downloaded, the connection is free. `key` has one turn at a time, such as a business. The
 * file has no name on disk while it is used, so nothing is left behind by a process that ends. What nobody waits for any
 * more is not written.
 */
export const spooled =
  (app: App, key: string, make: () => AsyncIterable<Uint8Array>) =>
  (gone: AbortSignal): AsyncGenerator<Uint8Array> =>
    spool(app, key, make, gone)

async function* spool(
  app: App,
  key: string,
  make: () => AsyncIterable<Uint8Array>,
  gone: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const folder = join(app.settings.dataDir, 'tmp')
  await mkdir(folder, { recursive: true })
  const path = join(folder, randomUUID())
  const file = await open(path, 'wx+', 0o600)
  try {
    await unlink(path)
    let size = 0
    const write = async () => {
      for await (const piece of make()) {
        gone.throwIfAborted()
        await file.write(piece, 0, piece.length, size)
        size += piece.length
      }
    }
    await turns.take(key, write, gone)
    for (let at = 0; at < size;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, at)
      if (bytesRead === 0) throw new Error('the spooled file is shorter than what was written')
      yield buffer.subarray(0, bytesRead)
      at += bytesRead
    }
  } finally {
    await file.close()
  }
}
