import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { root } from '#kit/server/settings.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'

const folder = join(root, 'clients', 'woocommerce', 'pinkas-for-woocommerce')

/** The plug-in as WordPress takes it: one folder in a zip. */
export function plugin(): FileAnswer {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  const entries = files.map((one) => {
    const path = join(one.parentPath, one.name)
    return [
      `pinkas-for-woocommerce/${path.slice(folder.length + 1)}`,
      new Uint8Array(readFileSync(path)),
    ] as const
  })
  return {
    bytes: zipSync(Object.fromEntries(entries)),
    mime: 'application/zip',
    name: 'pinkas-for-woocommerce.zip',
  }
}
