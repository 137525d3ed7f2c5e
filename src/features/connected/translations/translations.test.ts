import { unzipSync, strFromU8 } from 'fflate'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getTranslateDe } from '#features/base/session/endpoints.ts'
import { makeKey } from '#features/open/apiKeys/endpoints.ts'
import { callAs, newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import * as calls from './endpoints.ts'
import { lettersOf, mostLetters } from './server/check.ts'

let world: World
let translator: Business
let other: Business
beforeAll(async () => {
  world = await startWorld()
  world.app.settings.development = false
  translator = await newBusiness(world)
  other = await newBusiness(world)
  world.app.settings.translators = [translator.email.toLowerCase()]
})
afterAll(() => world.close())

const key = 'translations.count'
const propose = (text: string, more: Record<string, unknown> = {}) =>
  translator.call(calls.propose, { domain: '', key, language: 'en', text, ...more } as never)

describe('who may', () => {
  test('is whom the operator named, and no key and no other owner', async () => {
    expect(await other.call(calls.translator, {})).toMatchObject({ may: false, groups: [] })
    for (const call of [
      () => other.call(calls.listWords, {}),
      () => other.call(calls.propose, { key, language: 'en', text: 'x' }),
      () => other.call(calls.exportWords, {}),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'translations.notTranslator' })
    const { secret } = await translator.call(makeKey, {
      name: 'k',
      readOnly: false,
      draftsOnly: false,
      rules: [],
      docsAllow: [],
      sumLimitAgorot: null,
      expiresOn: null,
    })
    await expect(callAs(world, calls.listWords, {}, { token: secret })).rejects.toMatchObject({
      code: 'kit.notForKeys',
    })
    expect((await translator.call(calls.translator, {})).groups).toContain('translations')
  })
})

describe('the table', () => {
  test('shows every word in five languages, by group, by text, and page by page', async () => {
    const all = await translator.call(calls.listWords, {})
    expect(all.rows).toHaveLength(50)
    expect(all.total).toBeGreaterThan(5000)
    const one = await translator.call(calls.listWords, { group: 'translations', search: 'התיישנו' })
    expect(one.rows.map((row) => row.key)).toEqual(['translations.onlys.stale'])
    expect(Object.keys(one.rows[0]!.texts).toSorted()).toEqual(['ar', 'en', 'fr', 'he', 'ru'])
    expect((await translator.call(calls.listWords, { only: 'missing' })).total).toBe(0)
    expect((await translator.call(calls.listWords, { sinceDay: '2026-01-01' })).total).toBe(0)
    await sql`update translation_texts set text = 'old', changed_at = now()
      where key = ${key} and language = 'en'`.execute(world.app.db.kysely)
    expect(
      (await translator.call(calls.listWords, { sinceDay: '2026-01-01' })).rows.map((row) => row.key),
    ).toEqual([key])
  })
})

describe('a proposal', () => {
  test('stands beside the text, is exported in its file, and is taken back', async () => {
    const text = '{count, plural, one {# wording} other {# wordings}}'
    expect((await propose(text)).proposals.en).toMatchObject({
      text,
      isStale: false,
      was: expect.stringContaining('word'),
    })
    const files = unzipSync(
      new Uint8Array((await translator.call(calls.exportWords, {})) as unknown as Buffer),
    )
    const path = 'src/features/connected/translations/text/en.json'
    expect(Object.keys(files)).toEqual([path])
    const words = JSON.parse(strFromU8(files[path]!)) as Record<string, string>
    expect(words[key]).toBe(text)
    expect(Object.keys(words)).toEqual(Object.keys(words).toSorted())
    expect(words['translations.key']).toBe('Key')
    expect((await translator.call(calls.withdraw, { key, language: 'en' })).proposals).toEqual({})
    expect(
      Object.keys(
        unzipSync(new Uint8Array((await translator.call(calls.exportWords, {})) as unknown as Buffer)),
      ),
    ).toEqual([])
  })

  test('is stale once its source changed, and then leaves in no file', async () => {
    await propose('{count, plural, one {# wording} other {# wordings}}')
    await sql`update translation_proposals set source = 'what stood there then' where key = ${key}`.execute(
      world.app.db.kysely,
    )
    expect((await translator.call(calls.listWords, { only: 'stale' })).rows).toMatchObject([
      { key, proposals: { en: { isStale: true } } },
    ])
    expect(
      Object.keys(
        unzipSync(new Uint8Array((await translator.call(calls.exportWords, {})) as unknown as Buffer)),
      ),
    ).toEqual([])
    await translator.call(calls.withdraw, { key, language: 'en' })
  })

  test.each([
    ['holes', '{number, plural, one {# word} other {# words}}'],
    ['holes', 'Words'],
    ['badMessage', '{count, plural, one {# word}'],
    ['badMessage', '{count, plural, one {# word} two {# words} other {# words}}'],
    ['badMessage', '{count, plural, one {# word} other {# words}}!'],
    ['tooLong', `{count, plural, one {#} other {#}}${' word'.repeat(60)}`],
  ])('that would break the page is refused: %s', async (code, text) => {
    await expect(propose(text)).rejects.toMatchObject({
      errors: [{ path: 'text', code: `translations.${code}` }],
    })
  })

  test('of a word that is none, or in a language that is none, is refused', async () => {
    for (const key of ['no.such', 'valueOf', 'constructor', '__proto__'])
      await expect(propose('x', { key })).rejects.toMatchObject({ code: 'translations.unknownKey' })
    await expect(propose('x', { language: 'de' })).rejects.toMatchObject({ status: 422 })
    await expect(propose('x', { domain: 'nobody.example' })).rejects.toMatchObject({
      errors: [{ code: 'translations.unknownBrand' }],
    })
  })
})

test('the length is that of the narrowest place', () => {
  expect(mostLetters('screensFor.x', [])).toBe(70)
  expect(mostLetters('shops.x', ['abcd', 'abcdefgh'])).toBe(32)
  expect(lettersOf('{name} ab')).toBe(6)
})

describe('a white label', () => {
  test('says its own words at once, on its own domain, and the product keeps its own', async () => {
    await sql`insert into brands (domain, name, is_dealer) values ('books.example', 'Books', true)`.execute(
      world.app.db.kysely,
    )
    await propose('Storefronts', { domain: 'books.example', key: 'screens.shops' })
    const at = (domain: string, lang = 'en') => callAs(world, getTranslateDe, { lang, domain, groups: '' })
    expect((await at('books.example')).words).toEqual({ 'screens.shops': 'Storefronts' })
    expect((await at('books.example', 'he')).words).toEqual({})
    expect((await at('pinkas.test')).words).toEqual({})
    expect(
      Object.keys(
        unzipSync(new Uint8Array((await translator.call(calls.exportWords, {})) as unknown as Buffer)),
      ),
    ).toEqual([])
    const own = unzipSync(
      new Uint8Array(
        (await translator.call(calls.exportWords, { domain: 'books.example' })) as unknown as Buffer,
      ),
    )
    expect(Object.keys(own)).toEqual(['brands/books.example/en.json'])
  })
})
