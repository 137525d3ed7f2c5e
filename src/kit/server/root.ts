import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The folder of the whole checkout. The bundled server runs from dist/, tests and tsx from src/: both find it
 * by walking up until the paper's own worker is below them.
 */
export const checkoutRoot = findRoot()

/** Where the typesetter's worker and the kit's own templates lie: src/kit/server/paper. */
export const paperRoot = path.join(checkoutRoot, 'src/kit/server/paper')

function findRoot(): string {
  for (const start of [path.dirname(fileURLToPath(import.meta.url)), process.cwd()]) {
    for (let folder = start; ; folder = path.dirname(folder)) {
      if (existsSync(path.join(folder, 'src/kit/server/paper/worker.mjs'))) return folder
      if (folder === path.dirname(folder)) break
    }
  }
  throw new Error(
    'src/kit/server/paper is not above this program nor above the working directory; start Pinkas from its checkout',
  )
}
