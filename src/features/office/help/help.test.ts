import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { menuGroups, type Screen } from '#kit/describe/screen.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { featurePlaces } from '#kit/server/features.ts'
import { root } from '#kit/server/settings.ts'
import type { MenuLink } from '#kit/web/shell/registry.ts'
import { plainOf, type Block } from './blocks.ts'
import * as calls from './endpoints.ts'
import { articleKeys, parseArticle, readArticle, written } from './server/articles.ts'
import { changesIn, isNewTo, isRetold, parseReleases, retoldIn, toldReleases } from './server/releases.ts'
import { videosFolder } from './server/videos.ts'
import { filmed, walkList } from './walks.ts'
import { search, searched } from './web/search.ts'

const given = await Promise.all(
  featurePlaces()
    .map(({ path }) => join(root, path, 'web/screens.ts'))
    .filter(existsSync)
    .map(
      async (file) => (await import(pathToFileURL(file).href)) as { screens: Screen[]; links?: MenuLink[] },
    ),
)
const screens = given.flatMap((one) => one.screens)
const links = given.flatMap(({ links = [] }) => links)
const known = new Set([...screens.map(({ name }) => name), ...links.map(({ name }) => name)])
const articles = articleKeys().map(
  (key) =>
    ({ key, ...Object.fromEntries(written.map((language) => [language, readArticle(key, language)])) }) as {
      key: string
      he: ReturnType<typeof parseArticle>
      en: ReturnType<typeof parseArticle>
    },
)

const hrefsOf = (blocks: readonly Block[]): string[] =>
  blocks
    .flatMap((block) => (block.kind === 'list' ? block.items.flat() : block.spans))
    .flatMap(({ href }) => href ?? [])

describe('videos', () => {
  const files = readdirSync(videosFolder).filter((file) => file.endsWith('.webm'))

  test('each walk was filmed in both languages, short and small, and no film is left of one that is gone', () => {
    expect(files.sort()).toEqual(
      walkList.flatMap(({ name }) => filmed.map((lang) => `${name}.${lang}.webm`)).sort(),
    )
    const sizes = files.map((file) => statSync(join(videosFolder, file)).size)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(300_000)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(6_000_000)
    expect(files.length).toBeLessThanOrEqual(20)
    // A film of the format it says: EBML, then a head that names webm.
    for (const file of files) {
      const head = readFileSync(join(videosFolder, file)).subarray(0, 64)
      expect(head.readUInt32BE(0), file).toBe(0x1a45dfa3)
      expect(head.toString('latin1'), file).toContain('webm')
    }
  })
})

describe('articles', () => {
  test('there are at least eighty, each in Hebrew and English with the same head and of the same shape', () => {
    expect(articles.length).toBeGreaterThanOrEqual(80)
    for (const { key, he, en } of articles) {
      expect([he.screens, he.wing, he.version], key).toEqual([en.screens, en.wing, en.version])
      expect(
        he.blocks.map(({ kind }) => kind),
        key,
      ).toEqual(en.blocks.map(({ kind }) => kind))
      expect(he.title, key).toMatch(/[א-ת]/)
      expect(`${en.title} ${plainOf(en.blocks)}`, key).not.toMatch(/[א-ת]/)
      // Short: read while one works.
      expect(plainOf(he.blocks).length, key).toBeLessThan(1400)
      expect(plainOf(he.blocks).length, key).toBeGreaterThan(90)
      expect((menuGroups as readonly string[]).includes(he.wing), key).toBe(true)
      expect(he.version, key).toMatch(/^\d+\.\d+\.\d+$/)
    }
  })

  test('each names screens that exist, and leads to paths that do', () => {
    for (const { key, he, en } of articles) {
      for (const name of he.screens) expect(known.has(name), `${key}: ${name}`).toBe(true)
      for (const href of [...hrefsOf(he.blocks), ...hrefsOf(en.blocks)])
        expect(
          screens.some(({ path }) => path.toLowerCase() === href.split('?')[0]!.toLowerCase()),
          `${key}: ${href}`,
        ).toBe(true)
    }
  })

  test('each screen that people work in has one', () => {
    const told = new Set(articles.flatMap(({ he }) => he.screens))
    const untold = screens
      .filter(({ open, name }) => open === 'login' && !told.has(name))
      .map(({ name }) => name)
    expect([...new Set(untold)]).toEqual([])
  })

  test('a text that could smuggle something in is refused', () => {
    for (const bad of ['<b>x</b>', '![x](/y.png)', '| a |\n|---|\n| b |'])
      expect(() => parseArticle('x', `---\nscreens: home\nwing: home\n---\n\n# t\n\n${bad}\n`), bad).toThrow()
  })
})

describe('the search', () => {
  test.each([
    ['he', 'זיכוי', 'correct-document'],
    ['he', 'מספר הקצאה', 'allocation-numbers'],
    ['he', 'הקצאא', 'allocation-numbers'],
    ['he', 'מעמ', 'vat-return'],
    ['he', 'תזכורות', 'reminders'],
    ['he', 'שיק חוזר', 'money-received'],
    ['he', 'גיבוי', 'backup'],
    ['he', 'פחת', 'fixed-assets'],
    ['en', 'allocation', 'allocation-numbers'],
    ['en', 'alocation numbers', 'allocation-numbers'],
    ['en', 'recieved money', 'money-received'],
    ['en', 'depreciation', 'fixed-assets'],
    ['en', 'how do I cancel an invoice', 'document-page'],
  ] as const)('%s: %s finds %s among the first', (language, text, key) => {
    const found = search(
      articles.map((one) => searched(one[language])),
      text,
    ).map((one) => one.key)
    expect(found.slice(0, 6)).toContain(key)
  })
})

describe('what is new', () => {
  test('the CHANGELOG can be read whole, newest first', () => {
    const all = toldReleases()
    expect(all.length).toBeGreaterThan(3)
    expect(all.filter(({ day }, n) => day === null && n > 0)).toEqual([])
    for (const { version, groups } of all) {
      expect(groups.length, version).toBeGreaterThan(0)
      for (const { blocks } of groups) expect(blocks.length, version).toBeGreaterThan(0)
    }
  })

  test('each default that changed is told in every other language, out or not', () => {
    for (const language of ['he', 'ar', 'ru', 'fr'] as const) {
      const retold = new Map(retoldIn(language).map((one) => [one.version, one]))
      for (const one of toldReleases()) {
        const own = retold.get(one.version)
        expect(own ? changesIn(own, language).length : 0, `${language} ${one.version}`).toBe(
          changesIn(one).length,
        )
      }
    }
  })

  test('each release that is out is retold in every other language, group by group', () => {
    for (const language of ['he', 'ar', 'ru', 'fr'] as const) {
      const retold = new Map(retoldIn(language).map((one) => [one.version, one]))
      for (const { version, day, groups } of toldReleases().filter((one) => one.day !== null)) {
        const own = retold.get(version)
        expect(own, `${language} ${version}`).toBeDefined()
        expect(own!.day, `${language} ${version}`).toBe(day)
        expect(
          own!.groups.map(({ title }) => title !== null),
          `${language} ${version}`,
        ).toEqual(groups.map(({ title }) => title !== null))
        for (const [n, { blocks }] of own!.groups.entries())
          expect(blocks.length, `${language} ${version} ${n}`).toBeGreaterThan(0)
      }
      for (const version of retold.keys())
        expect(
          toldReleases().some((one) => one.version === version),
          `${language} ${version}`,
        ).toBe(true)
    }
  })

  test('is what came after the last look; before the first, what came out after one came', () => {
    // What nobody foresaw in the CHANGELOG is shown as it is, and stops no start.
    expect(
      parseReleases('## 1.0.0 · unreleased\n\n**A**\n- x\n\n- <b>y</b>\n\n| a |\n|---|\n| b |\n')[0]!
        .groups[0]!.blocks,
    ).toHaveLength(2)
    const [next, old] = parseReleases(
      '# News\n\n## 0.10.0 · unreleased\n\n**A**\n- x\n\n## 0.9.1 · 2026-11-20\n\n- y\n',
    )
    expect([
      isNewTo({ seen: '0.9.1', since: '2026-01-01' }, next!),
      isNewTo({ seen: '0.9.1', since: '2026-01-01' }, old!),
    ]).toEqual([true, false])
    expect(isNewTo({ seen: '0.10.0', since: '2026-01-01' }, next!)).toBe(false)
    expect([
      isNewTo({ seen: null, since: '2026-11-19' }, old!),
      isNewTo({ seen: null, since: '2026-11-20' }, old!),
    ]).toEqual([true, false])
    expect(isNewTo({ seen: null, since: '2026-01-01' }, next!)).toBe(false)
  })
})

test('a release of which only the changed defaults are translated is not taken for translated', () => {
  const told = (groups: string) => parseReleases(`## 9.0.0\n\n${groups}\n`)[0]!
  expect(isRetold(told('- **Modifié :** x'), 'fr')).toBe(false)
  expect(isRetold(told('**Menu**\n\n- x\n- **Modifié :** y'), 'fr')).toBe(true)
})

describe('to a person', () => {
  let world: World
  let shop: Business
  beforeAll(async () => {
    world = await startWorld()
    shop = await newBusiness(world)
  })
  afterAll(() => world.close())

  test('each video leads to a screen and a guide that exist, and each of its captions has words in five languages that can be read in time', async () => {
    for (const { name, path, article } of walkList) {
      expect(
        screens.some((one) => one.path.toLowerCase() === path.toLowerCase()),
        `${name}: ${path}`,
      ).toBe(true)
      expect(articleKeys(), name).toContain(article)
    }
    for (const shown of filmed) {
      const { videos } = await shop.call(calls.helpVideos, { shown })
      expect(videos.map(({ name }) => name)).toEqual(walkList.map(({ name }) => name))
      for (const { name, seconds } of videos) {
        expect(seconds, `${name} ${shown}`).toBeGreaterThanOrEqual(20)
        expect(seconds, `${name} ${shown}`).toBeLessThanOrEqual(60)
        let texts = new Set<string>()
        for (const lang of ['he', 'en', 'ar', 'ru', 'fr'] as const) {
          const { cues } = await shop.call(calls.helpCaptions, { name, shown, lang })
          expect(cues.length).toBeGreaterThanOrEqual(4)
          for (const [n, { from, to, text }] of cues.entries()) {
            expect(text, `${name} ${n + 1} ${lang}`).not.toContain('help.walk')
            expect(from, `${name} ${n + 1}`).toBeGreaterThanOrEqual(cues[n - 1]?.to ?? 0)
            expect(to - from, `${name} ${n + 1}`).toBeGreaterThan(1.5)
            expect(to).toBeLessThanOrEqual(seconds + 1)
          }
          texts = texts.add(cues.map(({ text }) => text).join())
        }
        expect(texts.size).toBe(5)
      }
    }
  })

  test('articles come in his language, or in English, which is said', async () => {
    expect((await shop.call(calls.helpArticles, { lang: 'he' })).language).toBe('he')
    const russian = await shop.call(calls.helpArticles, { lang: 'ru' })
    expect([russian.language, russian.articles.length]).toEqual(['en', articles.length])
  })

  test('what he saw is not new any more, and never becomes so again', async () => {
    await asSystem(world.app.db, (tx) =>
      sql`update users set release_seen = '0.1.0' where email = ${shop.email}`.execute(tx),
    )
    const { count } = await shop.call(calls.helpNews, {})
    const all = toldReleases()
    expect(count).toBe(all.length - 1)
    const { releases } = await shop.call(calls.helpReleases, { lang: 'he' })
    expect(releases.filter(({ isNew }) => isNew).length).toBe(count)
    await shop.call(calls.helpSeen, { version: all[0]!.version })
    await shop.call(calls.helpSeen, { version: '0.1.0' })
    await shop.call(calls.helpSeen, { version: '99.0.0' })
    expect((await shop.call(calls.helpNews, {})).count).toBe(0)
    await expect(shop.call(calls.helpSeen, { version: 'latest' })).rejects.toMatchObject({ status: 422 })
  })

  test('defaults that changed are announced once, whether or not the page was opened', async () => {
    await asSystem(world.app.db, (tx) =>
      sql`update users set release_seen = '0.1.0', release_told = null
        where email = ${shop.email}`.execute(tx),
    )
    const lines = toldReleases().flatMap((one) => changesIn(one))
    expect(lines.length).toBeGreaterThan(0)
    const { changed } = await shop.call(calls.helpNews, {})
    expect(changed?.count).toBe(lines.length)
    const { releases } = await shop.call(calls.helpReleases, { lang: 'he' })
    expect(releases.flatMap(({ changes }) => changes)).toHaveLength(lines.length)
    for (const lang of ['he', 'en', 'ar', 'ru', 'fr'] as const) {
      const told = await shop.call(calls.helpReleases, { lang })
      for (const one of told.releases.filter(({ changes }) => changes.length))
        expect(one.changesLanguage, one.version).toBe(lang)
    }
    await shop.call(calls.helpTold, { version: changed!.version })
    const after = await shop.call(calls.helpNews, {})
    expect(after.changed).toBeNull()
    // The page of news itself is still new.
    expect(after.count).toBeGreaterThan(0)
    await shop.call(calls.helpTold, { version: '0.1.0' })
    expect((await shop.call(calls.helpNews, {})).changed).toBeNull()
  })
})
