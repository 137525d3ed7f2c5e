import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { zipSync, strToU8 } from 'fflate'
import { sql } from 'kysely'
import { momentAt } from '#domain/day.ts'
import { fold } from '#domain/fold.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { forgetBrands } from '#kit/server/outside/brands.ts'
import type { App, Ctx, Language } from '#kit/server/context.ts'
import { asSystem, type Tx } from '#kit/server/data/db.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'
import { root } from '#kit/server/settings.ts'
import { languages, wordFolders, wordsOf } from '#kit/server/words.ts'
import { verifiedEmail } from '#features/base/session/server/index.ts'
import type { WordRow } from '../endpoints.ts'
import { checkText } from './check.ts'

const pageSize = 50
const groupOf = (key: string): string => key.slice(0, key.indexOf('.'))

/**
 * Translators of the installation are named by its operator, each by the verified address of their account. In
 * development without such a list everybody is one.
 */
export async function mayTranslate(ctx: Ctx): Promise<boolean> {
  if (ctx.caller.apiKey) return false
  const { translators, development } = ctx.app.settings
  if (development && translators.length === 0) return true
  const email = await asSystem(ctx.app.db, (tx) => verifiedEmail(tx, ctx.caller.userId))
  return email !== undefined && translators.includes(email)
}

async function needTranslator(ctx: Ctx): Promise<void> {
  if (!(await mayTranslate(ctx))) throw fail('translations.notTranslator')
}

const inAll = <T>(app: App, work: (tx: Tx) => Promise<T>): Promise<T> => asSystem(app.db, work)

const brandsOf = (app: App) =>
  inAll(
    app,
    async (tx) =>
      (
        await sql<{
          domain: string
          name: string
        }>`select domain, name from brands where is_dealer order by name, domain`.execute(tx)
      ).rows,
  )

async function needBrand(app: App, domain: string): Promise<void> {
  if (domain && !(await brandsOf(app)).some((one) => one.domain === domain))
    throw failField('domain', 'translations.unknownBrand')
}

export async function me(ctx: Ctx) {
  if (!(await mayTranslate(ctx))) return { may: false, groups: [], brands: [], proposals: 0 }
  const proposals = await inAll(
    ctx.app,
    async (tx) =>
      (
        await sql<{
          n: number
        }>`select count(*)::int as n from translation_proposals where domain = ''`.execute(tx)
      ).rows[0]!.n,
  )
  return {
    may: true,
    groups: [...new Set(Object.keys(wordsOf('he')).map(groupOf))].toSorted(),
    brands: await brandsOf(ctx.app),
    proposals,
  }
}

interface Proposal {
  language: Language
  key: string
  text: string
  was: string
  source: string
  by: string
  at: string
}
const proposalsOf = (app: App, domain: string): Promise<Proposal[]> =>
  inAll(
    app,
    async (tx) =>
      (
        await sql<Proposal>`select p.language, p.key, p.text, p.was, p.source, u.full_name as by, p.at
          from translation_proposals p join users u on u.id = p.by_user
        where p.domain = ${domain}`.execute(tx)
      ).rows,
  )

/** Of the product it is stale when what it replaces, or the source it was made from, is another by now. */
const isStale = ({ language, key, was, source }: Proposal): boolean =>
  (wordsOf(language)[key] ?? '') !== was || (wordsOf('he')[key] ?? '') !== source

/** Writes down which texts are others than before; nothing while the words are those of the last time. */
async function noteTexts(app: App): Promise<void> {
  const mark = createHash('sha256')
    .update(JSON.stringify(languages.map((one) => wordsOf(one))))
    .digest('hex')
  await inAll(app, async (tx) => {
    const { rows } = await sql<{ mark: string }>`select mark from translation_mark`.execute(tx)
    if (rows[0]?.mark === mark) return
    for (const language of languages)
      await sql`insert into translation_texts (language, key, text, changed_at)
        select ${language}, e.key, e.value, ${rows[0] ? app.now() : new Date(0)}
        from jsonb_each_text(${JSON.stringify(wordsOf(language))}::jsonb) e
        on conflict (language, key) do update set text = excluded.text, changed_at = ${app.now()}
        where translation_texts.text <> excluded.text`.execute(tx)
    await sql`insert into translation_mark (mark) values (${mark}) on conflict (one) do update
      set mark = excluded.mark`.execute(tx)
  })
}

interface Asked {
  domain: string
  group?: string | undefined
  search?: string | undefined
  only: 'all' | 'missing' | 'proposed' | 'stale'
  sinceDay?: string | undefined
  page: number
}

export async function list(ctx: Ctx, { domain, group, search, only, sinceDay, page }: Asked) {
  await needTranslator(ctx)
  await needBrand(ctx.app, domain)
  await noteTexts(ctx.app)
  const proposals = new Map<string, Proposal[]>()
  for (const one of await proposalsOf(ctx.app, domain))
    proposals.set(one.key, [...(proposals.get(one.key) ?? []), one])
  const changed = await changedSince(ctx.app, sinceDay)
  const wanted = fold(search?.trim() ?? '')
  const keys = Object.keys(wordsOf('he'))
    .toSorted()
    .filter((key) => {
      if (group && groupOf(key) !== group) return false
      if (changed && !changed.has(key)) return false
      if (only === 'missing' && languages.every((one) => wordsOf(one)[key])) return false
      if (only === 'proposed' && !proposals.has(key)) return false
      if (only === 'stale' && !proposals.get(key)?.some(isStale)) return false
      return (
        !wanted ||
        fold(key).includes(wanted) ||
        languages.some((one) => fold(wordsOf(one)[key] ?? '').includes(wanted))
      )
    })
  const shown = keys.slice((page - 1) * pageSize, page * pageSize)
  const moments = await changesOf(ctx.app, shown)
  return {
    rows: shown.map((key) => rowOf(key, proposals.get(key) ?? [], moments.get(key) ?? null)),
    total: keys.length,
    size: pageSize,
  }
}

async function changedSince(app: App, day: string | undefined): Promise<Set<string> | undefined> {
  if (!day) return undefined
  const rows = await inAll(
    app,
    async (tx) =>
      (
        await sql<{
          key: string
        }>`select distinct key from translation_texts where changed_at >= ${momentAt(day, 0)}`.execute(tx)
      ).rows,
  )
  return new Set(rows.map(({ key }) => key))
}

async function changesOf(app: App, keys: readonly string[]): Promise<Map<string, string>> {
  const rows = await inAll(
    app,
    async (tx) =>
      (
        await sql<{
          key: string
          at: string
        }>`select key, max(changed_at) as at from translation_texts where key = any(${[...keys]}::text[])
            and changed_at > '1971-01-01' group by key`.execute(tx)
      ).rows,
  )
  return new Map(rows.map(({ key, at }) => [key, at]))
}

const rowOf = (key: string, proposals: readonly Proposal[], changedAt: string | null): WordRow => ({
  key,
  group: groupOf(key),
  texts: Object.fromEntries(
    languages.flatMap((one) => (wordsOf(one)[key] === undefined ? [] : [[one, wordsOf(one)[key]!]])),
  ),
  proposals: Object.fromEntries(
    proposals.map((one) => [
      one.language,
      { text: one.text, was: one.was, isStale: isStale(one), by: one.by, at: one.at },
    ]),
  ),
  changedAt,
})

async function oneRow(app: App, domain: string, key: string): Promise<WordRow> {
  const proposals = (await proposalsOf(app, domain)).filter((one) => one.key === key)
  return rowOf(key, proposals, (await changesOf(app, [key])).get(key) ?? null)
}

export async function propose(
  ctx: Ctx,
  { domain, key, language, text }: { domain: string; key: string; language: Language; text: string },
): Promise<WordRow> {
  await needTranslator(ctx)
  await needBrand(ctx.app, domain)
  const source = wordsOf('he')[key]
  if (source === undefined) throw fail('translations.unknownKey')
  checkText(
    key,
    language,
    text,
    source,
    languages.map((one) => wordsOf(one)[key] ?? ''),
  )
  const was = wordsOf(language)[key] ?? ''
  await inAll(ctx.app, async (tx) => {
    // What is said already needs no proposal.
    if (text === was)
      await sql`delete from translation_proposals where domain = ${domain} and language = ${language}
          and key = ${key}`.execute(tx)
    else
      await sql`insert into translation_proposals (domain, language, key, text, was, source, by_user, at)
        values (${domain}, ${language}, ${key}, ${text}, ${was}, ${source}, ${ctx.caller.userId}, ${ctx.now})
        on conflict (domain, language, key) do update set text = excluded.text, was = excluded.was,
          source = excluded.source, by_user = excluded.by_user, at = excluded.at`.execute(tx)
  })
  // What a brand says holds at once.
  forgetBrands(ctx.app)
  return oneRow(ctx.app, domain, key)
}

export async function withdraw(
  ctx: Ctx,
  { domain, key, language }: { domain: string; key: string; language: Language },
): Promise<WordRow> {
  await needTranslator(ctx)
  if (wordsOf('he')[key] === undefined) throw fail('translations.unknownKey')
  await inAll(ctx.app, (tx) =>
    sql`delete from translation_proposals where domain = ${domain} and language = ${language}
        and key = ${key}`.execute(tx),
  )
  // What a brand says holds at once.
  forgetBrands(ctx.app)
  return oneRow(ctx.app, domain, key)
}

/** Every file that changes, whole, under its path in the product; keys stand as the house sorts them. */
export async function exportWords(ctx: Ctx, { domain }: { domain: string }): Promise<FileAnswer> {
  await needTranslator(ctx)
  await needBrand(ctx.app, domain)
  const proposals = await proposalsOf(ctx.app, domain)
  const files = domain ? ownFiles(domain, proposals) : productFiles(proposals.filter((one) => !isStale(one)))
  return {
    bytes: zipSync(files),
    mime: 'application/zip',
    name: domain ? `words-${domain}.zip` : 'words.zip',
  }
}

const json = (words: Record<string, string>): Uint8Array =>
  strToU8(
    `${JSON.stringify(Object.fromEntries(Object.entries(words).toSorted(([a], [b]) => (a < b ? -1 : 1))), null, 2)}\n`,
  )

const ownFiles = (domain: string, proposals: readonly Proposal[]): Record<string, Uint8Array> =>
  Object.fromEntries(
    languages.flatMap((language) => {
      const own = proposals.filter((one) => one.language === language)
      return own.length
        ? [
            [
              `brands/${domain}/${language}.json`,
              json(Object.fromEntries(own.map(({ key, text }) => [key, text]))),
            ],
          ]
        : []
    }),
  )

function productFiles(proposals: readonly Proposal[]): Record<string, Uint8Array> {
  const files: Record<string, Uint8Array> = {}
  for (const folder of wordFolders())
    for (const name of readdirSync(folder)) {
      const language = /^(?:\w+\.)?(he|en|ar|ru|fr)\.json$/.exec(name)?.[1]
      const path = join(folder, name)
      if (!language || !existsSync(path)) continue
      const words = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>
      const source = JSON.parse(
        readFileSync(join(folder, name.replace(/(he|en|ar|ru|fr)\.json$/, 'he.json')), 'utf8'),
      ) as Record<string, string>
      const own = proposals.filter((one) => one.language === language && Object.hasOwn(source, one.key))
      if (own.length)
        files[relative(root, path)] = json({
          ...words,
          ...Object.fromEntries(own.map(({ key, text }) => [key, text])),
        })
    }
  return files
}
