import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { root } from '#kit/server/settings.ts'
import { kB, type Figure } from './figures.ts'

/** What the page says of the files of the first screens (tools/wordsPlugin.ts). */
interface Said {
  marks: Record<string, string>
  first: Record<'waysIn' | 'home', string[]>
}

/** Script and words as they go over the line: of the first pages, and the heaviest pieces that come later. */
export function measureWeight(): Figure[] {
  const built = join(root, 'dist/web')
  /** Packed by the build, or by the server as it goes. */
  const weigh = (path: string) => {
    const packed = join(built, `${path}.br`)
    return existsSync(packed) ? readFileSync(packed).length : gzipSync(readFileSync(join(built, path))).length
  }
  const html = readFileSync(join(built, 'index.html'), 'utf8')
  const { marks, first } = JSON.parse(/<script id="words"[^>]*>(.*?)<\/script>/.exec(html)![1]!) as Said
  const named = [...html.matchAll(/<(?:script|link)[^>]*?(?:src|href)="\/([^"]+\.js)"/g)].map((m) => m[1]!)
  const wordsOf = (language: string) => `assets/words/base.${language}-${marks.base}.json`
  const whole = (screen: keyof Said['first']) => {
    const files = new Set([...named, ...first[screen].filter((file) => file.endsWith('.js')), wordsOf('he')])
    return { files, bytes: [...files].reduce((sum, path) => sum + weigh(path), 0) }
  }
  const heaviest = (files: readonly string[]) =>
    files.map((file) => ({ file, bytes: weigh(`assets/${file}`) })).toSorted((a, b) => b.bytes - a.bytes)[0]!
  const [enter, home] = [whole('waysIn'), whole('home')]
  const language = ['he', 'en', 'ar', 'ru', 'fr']
    .map((one) => ({ one, bytes: weigh(wordsOf(one)) }))
    .toSorted((a, b) => b.bytes - a.bytes)[0]!
  const lazy = heaviest(
    readdirSync(join(built, 'assets')).filter(
      (file) => file.endsWith('.js') && !home.files.has(`assets/${file}`),
    ),
  )
  const group = heaviest(
    readdirSync(join(built, 'assets/words'))
      .filter((file) => file.endsWith('.json') && !file.startsWith('base.'))
      .map((file) => `words/${file}`),
  )
  const part = 'Script and words, as they go over the line'
  const atMost = (bytes: number, most: number) => ({ goal: `<= ${kB(most)}`, ok: bytes <= most })
  return [
    {
      part,
      name: 'log-in, the first page',
      value: `${kB(enter.bytes)} in ${enter.files.size} files`,
      ...atMost(enter.bytes, 150_000),
    },
    {
      part,
      name: 'home with its frame, on a first visit',
      value: `${kB(home.bytes)} in ${home.files.size} files`,
    },
    {
      part,
      name: `words before the first screen, ${language.one}`,
      value: kB(language.bytes),
      ...atMost(language.bytes, 15_000),
    },
    {
      part,
      name: 'heaviest script that comes later',
      value: `${kB(lazy.bytes)} (${lazy.file})`,
      ...atMost(lazy.bytes, 40_000),
    },
    {
      part,
      name: 'heaviest group of words that comes later',
      value: `${kB(group.bytes)} (${group.file})`,
      ...atMost(group.bytes, 15_000),
    },
  ]
}
