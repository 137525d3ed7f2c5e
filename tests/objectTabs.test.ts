import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allCards, cardPlaces, mostParts, mostTabs } from '#kit/describe/cards.ts'
import { featurePlaces } from '#kit/server/features.ts'
import { root } from '#kit/server/settings.ts'
import { wordsOf } from '#kit/server/words.ts'

/** The tabs of the pages of customers, suppliers, items, documents …: at most six and "More". */
const sources = featurePlaces().flatMap(({ path }) => {
  const web = join(root, path, 'web')
  if (!existsSync(web)) return []
  return readdirSync(web, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => ({ file: join(path, 'web', file), text: readFileSync(join(web, file), 'utf8') }))
})
const registered = sources.flatMap(({ text }) =>
  [...text.matchAll(/registerCardTab\('(\w+)', \{\s*key: '(\w+)'/g)].map(([, card, key]) => ({
    card: card!,
    key: key!,
  })),
)

test.each([...allCards()])('the page of %s has at most six tabs', (_, { tabs, more }) => {
  expect(tabs.length).toBeLessThanOrEqual(mostTabs)
  for (const { key, parts } of tabs) expect([key, parts.length <= mostParts]).toEqual([key, true])
  const all = [...tabs.flatMap(({ parts }) => parts), ...more]
  expect(all.filter((key, at) => all.indexOf(key) !== at)).toEqual([])
})

test('each tab that a feature registers has its place', () => {
  expect(registered.length).toBeGreaterThan(10)
  for (const { card, key } of registered) {
    const { tabs, more } = allCards().get(card) ?? { tabs: [], more: [] }
    expect([card, key, [...tabs.flatMap(({ parts }) => parts), ...more].includes(key)]).toEqual([
      card,
      key,
      true,
    ])
  }
})

test('a tab of several parts has its name in five languages', () => {
  for (const language of ['he', 'en', 'ar', 'ru', 'fr'] as const)
    for (const [card, { tabs }] of allCards())
      for (const { key, parts } of tabs)
        if (parts.length > 1)
          expect(wordsOf(language)[`${card}.tabs.${key}`], `${language} ${key}`).toBeTruthy()
})

test('an area that is not used takes no tab, and what nobody placed is behind More', () => {
  expect(
    cardPlaces('customers', ['details', 'documents', 'payments', 'contacts', 'addresses', 'invented']),
  ).toEqual({
    tabs: [
      { key: 'details', parts: ['details'] },
      { key: 'documents', parts: ['documents'] },
      { key: 'payments', parts: ['payments'] },
      { key: 'contacts', parts: ['contacts', 'addresses'] },
    ],
    more: ['invented'],
  })
})

test('rows of tabs come from the kit, which cuts them at six', () => {
  const own = sources.filter(({ text }) => /<\w+[^<>]*\srole="tab(list)?"/.test(text)).map(({ file }) => file)
  expect(own).toEqual([])
})
