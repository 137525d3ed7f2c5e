import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fail } from '#kit/describe/errors.ts'
import type { FileOnDisk } from '#kit/fields/schema.ts'

/** It goes with the answer. */
export type LaidDown = FileOnDisk & { drop: () => Promise<void> }

/**
 * Lays a body on the disk as it comes, a piece at a time, readable by this process's user only. Refuses more
 * than `maxBytes`.
 */
export async function layDown(body: Readable, maxBytes: number, promised: number): Promise<LaidDown> {
  if (promised > maxBytes) throw fail('kit.tooLarge', { maxBytes })
  const folder = await mkdtemp(join(tmpdir(), 'pinkas-upload-'))
  const drop = () => rm(folder, { recursive: true, force: true })
  const path = join(folder, 'body')
  const hash = createHash('sha256')
  let size = 0
  const count = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      size += chunk.length
      // What is too large is thrown away to its end: an error here would break the connection off.
      if (size > maxBytes) return done(size > 2 * maxBytes ? fail('kit.tooLarge', { maxBytes }) : null)
      hash.update(chunk)
      done(null, chunk)
    },
  })
  try {
    await pipeline(body, count, createWriteStream(path, { mode: 0o600 }))
  } catch (e) {
    await drop()
    throw e
  }
  if (size > maxBytes) {
    await drop()
    throw fail('kit.tooLarge', { maxBytes })
  }
  return { path, size, sha256: hash.digest('hex'), drop }
}
