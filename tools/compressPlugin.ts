import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { Plugin } from 'vite'

const pack = promisify(brotliCompress)

/**
 * Files that are served as they are built lie beside themselves packed as small as can be; the server has no
 * time for that. `under`: of one folder alone.
 */
export function compress(under = ''): Plugin {
  let folder = ''
  return {
    name: 'compress',
    apply: 'build',
    configResolved: (config) => void (folder = resolve(config.root, config.build.outDir)),
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const files = (await readdir(folder, { recursive: true })).filter(
          (path) => path.startsWith(under) && /\.(js|css|json|svg|webmanifest)$/.test(path),
        )
        await Promise.all(
          files.map(async (path) => {
            const bytes = await readFile(join(folder, path))
            if (bytes.length < 1024) return
            const params = {
              [constants.BROTLI_PARAM_QUALITY]: 11,
              [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
            }
            await writeFile(join(folder, `${path}.br`), await pack(bytes, { params }))
          }),
        )
      },
    },
  }
}
