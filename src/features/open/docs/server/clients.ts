import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fail } from '#kit/describe/errors.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'
import { root } from '#kit/server/settings.ts'
import type { clientFiles } from '../endpoints.ts'

const files: Record<(typeof clientFiles)[number], { path: string; mime: string }> = {
  // Packed by the build (tools/packClient.mjs).
  'pinkas-client.tgz': { path: 'dist/server/pinkas-client.tgz', mime: 'application/gzip' },
  'Pinkas.php': { path: 'clients/php/Pinkas.php', mime: 'application/octet-stream' },
}

/** A client as it belongs to this version; kit.notFound where the server runs without a build. */
export async function clientFile(file: (typeof clientFiles)[number]): Promise<FileAnswer> {
  const { path, mime } = files[file]
  const bytes = await readFile(join(root, path)).catch((e: NodeJS.ErrnoException) => {
    throw e.code === 'ENOENT' ? fail('kit.notFound') : e
  })
  return { bytes, mime, name: file }
}
