import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { languages, wordsOf } from '#kit/server/words.ts'
import { readWordGroups } from './wordGroups.ts'
import { literalKeys } from './words.ts'
import { withWords } from './wordsPlugin.ts'

const groups = readWordGroups()
const keysIn = (names: readonly string[]) =>
  new Set(['base', ...names].flatMap((name) => groups.groups.get(name) ?? []))
const imports = groups.parts.flatMap((from) => groups.ofImports(from).map((one) => ({ from, ...one })))

test('the words before the first screen are few in every language', () => {
  for (const language of languages) {
    const words = wordsOf(language)
    const said = JSON.stringify(
      Object.fromEntries(groups.groups.get('base')!.map((key) => [key, words[key]])),
    )
    expect(brotliCompressSync(said).length, language).toBeLessThan(15_000)
  }
})

test('the ways in, home and the frame wait for no other words', () => {
  for (const part of [
    'src/webFeatures.tsx',
    '/entrance/web/LogIn.tsx',
    '/entrance/web/SignUp.tsx',
    '/home/web/Home.tsx',
    '/shell/Shell.tsx',
  ])
    expect(
      imports.filter(({ path }) => path.endsWith(part)).flatMap((one) => one.groups),
      part,
    ).toEqual([])
})

test('every screen, tab and dialog brings the words that are spelled in what it stands on', () => {
  const spelled = new Map<string, string[]>()
  for (const [key, paths] of literalKeys())
    for (const path of paths) spelled.set(path, [...(spelled.get(path) ?? []), key])
  const lacking = imports.flatMap(({ from, path, groups: wanted }) => {
    const there = keysIn(wanted)
    // What it brings later brings its own.
    const asked = [...groups.closureOf(path)].flatMap((one) => spelled.get(one) ?? [])
    return [...new Set(asked)].filter((key) => !there.has(key)).map((key) => `${from} -> ${path}: ${key}`)
  })
  expect(imports.length).toBeGreaterThan(200)
  expect(lacking).toEqual([])
})

test('what the application itself and the lists of screens spell is there from the start', () => {
  const there = keysIn([])
  const first = new Set([...groups.closureOf('src/web.tsx'), ...groups.closureOf('src/webFeatures.tsx')])
  const lacking = [...literalKeys()].filter(
    ([key, paths]) => !there.has(key) && [...paths].some((path) => first.has(path) && path.includes('/web/')),
  )
  expect(lacking.map(([key]) => key)).toEqual([])
})

test('papers and letters of the server stay there', () => {
  const all = [...groups.groups.values()].flat()
  expect(
    all.filter((key) =>
      /^paper\.|\.resetMail\.|^einvoice\.paper\..|^ledger\.(template|accounts)\./.test(key),
    ),
  ).toEqual([])
})

test('every refusal and every deed of the log has its words in a group of its own', () => {
  const there = keysIn(['errors', 'audit'])
  expect(
    Object.keys(wordsOf('he')).filter((key) => /^(errors|companies\.audit)\./.test(key) && !there.has(key)),
  ).toEqual([])
})

test('what is described is found by the name it has in an answer', () => {
  const there = keysIn([])
  const names = new Set(
    Object.keys(wordsOf('he')).flatMap((key) =>
      /^\w+\.fields\./.test(key) && !there.has(key) ? [key.split('.')[0]!] : [],
    ),
  )
  expect(names.size).toBeGreaterThan(30)
  expect([...names].filter((name) => !groups.families.has(name))).toEqual([])
})

test('an import brings its words beside its code', () => {
  const text = "const load = () => import('./Vat.tsx')\n"
  const at = text.indexOf('import(')
  const of = (wanted: string[]) => ({
    ofImports: () => [
      {
        path: 'src/features/tax/vat/web/Vat.tsx',
        at,
        end: at + "import('./Vat.tsx')".length,
        groups: wanted,
      },
    ],
  })
  expect(withWords(text, 'src/features/tax/vat/web/screens.ts', of([]))).toBe(text)
  expect(withWords(text, 'src/features/tax/vat/web/screens.ts', of(['vat', 'ledger']))).toBe(
    'const load = () => __withWords(import(\'./Vat.tsx\'), ["vat","ledger"])\n\nimport { withWords as __withWords } from \'../../../../kit/web/words/wording.ts\'\n',
  )
})
