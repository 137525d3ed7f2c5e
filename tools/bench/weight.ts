import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { root } from '#kit/server/settings.ts'
import { kB, type Figure } from './figures.ts'

/** What a first visit loads as script, and the heaviest piece that comes later. */
export function measureWeight(): Figure[] {
  const built = join(root, 'dist/web')
  const weigh = (path: string) => gzipSync(readFileSync(join(built, path))).length
  const html = readFileSync(join(built, 'index.html'), 'utf8')
  const first = new Set([...html.matchAll(/<(?:script|link)[^>]*?(?:src|href)="\/([^"]+\.js)"/g)].map((m) => m[1]!))
  const total = [...first].reduce((sum, path) => sum + weigh(path), 0)
  const lazy = readdirSync(join(built, 'assets'))
    .filter((file) => file.endsWith('.js') && !first.has(`assets/${file}`))
    .map((file) => ({ file, bytes: weigh(`assets/${file}`) }))
    .sort((a, b) => b.bytes - a.bytes)
  const part = 'Script, gzip'
  const [heaviest] = lazy
  return [
    { part, name: 'first page', value: `${kB(total)} in ${first.size} files`, goal: '<= 150 kB', ok: total <= 150_000 },
    ...(heaviest
      ? [
          {
            part,
            name: 'heaviest lazy file',
            value: `${kB(heaviest.bytes)} (${heaviest.file})`,
            goal: '<= 40 kB',
            ok: heaviest.bytes <= 40_000,
          },
        ]
      : []),
  ]
}
