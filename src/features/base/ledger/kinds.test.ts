import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '#kit/server/settings.ts'
import { entryKinds } from './entries.ts'

const folder = join(root, 'src/features')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })

/**
 * Kinds written out where something is posted: in a call of `post`, in a type of document that posts, in a
 * function of the database.
 */
function posted(): Set<string> {
  const found = new Set<string>()
  const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].flatMap((match) => match[1]!)
  for (const file of files.filter((name) => /\/server\/.*\.ts$/.test(name) && !name.endsWith('.test.ts')))
    for (const said of all(
      readFileSync(join(folder, file), 'utf8'),
      /\bpost\(ctx, \{[^}]*?\bkind: ([^\n]+)/g,
    ))
      for (const kind of all(said.split(/, (?:reference|details|postings)/)[0]!, /(?<!=== )'(\w+)'/g))
        found.add(kind)
  for (const file of files.filter((name) => /documents\/types\/\w+\.ts$/.test(name))) {
    const text = readFileSync(join(folder, file), 'utf8')
    if (/\bposts: /.test(text)) for (const kind of all(text, /\bname: '(\w+)'/g)) found.add(kind)
  }
  const migrations = join(root, 'db/migrations')
  for (const file of readdirSync(migrations))
    for (const kind of all(
      readFileSync(join(migrations, file), 'utf8'),
      /post_entry\([^;]*?'kind', '(\w+)'/g,
    ))
      found.add(kind)
  return found
}

test('every kind that is posted can be asked for', () => {
  const kinds = posted()
  // What the search must find at least, so that it cannot find nothing.
  expect([...kinds]).toEqual(
    expect.arrayContaining([
      'manual',
      'depreciation',
      'chequeGivenBack',
      'vatSettlement',
      'revaluationBack',
      'taxInvoice',
      'exchangeDifference',
    ]),
  )
  expect([...kinds].filter((kind) => !(entryKinds as readonly string[]).includes(kind))).toEqual([])
})

test('every kind that can be asked for has its word, and every word its kind', () => {
  const words = files
    .filter((name) => name.endsWith('text/he.json'))
    .flatMap((name) => Object.keys(JSON.parse(readFileSync(join(folder, name), 'utf8')) as object))
    .flatMap((key) => (key.startsWith('ledger.kinds.') ? [key.slice('ledger.kinds.'.length)] : []))
  expect(words.toSorted()).toEqual(entryKinds.toSorted())
})
