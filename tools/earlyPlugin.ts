import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'esbuild'
import type { Plugin } from 'vite'
import { root } from '#kit/server/settings.ts'

/**
 * Writes the script that must run before the first paint into the page itself: what it sends for leaves with
 * the page's first bytes, and not a way to the server and back later. The server's content policy lets it run
 * by its hash (`src/kit/server/http/pages.ts`). So it does the mark that the person who waits longer looks at meanwhile.
 */
export function early(): Plugin {
  return {
    name: 'early',
    async transformIndexHtml(html) {
      const { code } = await transform(readFileSync(join(root, 'src/kit/web/early.js'), 'utf8'), {
        minify: true,
        target: 'es2017',
      })
      const mark = readFileSync(join(root, 'src/kit/web/shell/mark.svg'), 'utf8')
      return html
        .replace('<script></script>', () => `<script>${code.trim()}</script>`)
        .replace('<div class="s-mark"></div>', () => `<div class="s-mark">${mark}</div>`)
    },
  }
}
