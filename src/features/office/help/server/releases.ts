import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { dayInJerusalem, type Day } from '#domain/day.ts'
import { can } from '#kit/describe/session.ts'
import type { Ctx, Language } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { readsAnew, root } from '#kit/server/settings.ts'
import type { Block, Span } from '../blocks.ts'
import type { Release } from '../endpoints.ts'
import { blocksOf, tokensOf } from './markdown.ts'

interface Told {
  version: string
  /** Null while it is not out. */
  day: Day | null
  groups: { title: string | null; blocks: Block[] }[]
}

/** `## 0.4.0 · 2026-11-24`, then groups: a line in bold and the list under it. */
export function parseReleases(markdown: string): Told[] {
  const releases: Told[] = []
  for (const block of blocksOf(tokensOf(markdown), 'asWritten')) {
    if (block.kind === 'head') {
      const [, version, day] =
        /^(\d+\.\d+\.\d+)(?: · (\d{4}-\d\d-\d\d))?/.exec(block.spans.map(({ text }) => text).join('')) ?? []
      if (version) releases.push({ version, day: day ?? null, groups: [] })
      continue
    }
    const at = releases.at(-1)
    if (!at) continue
    if (block.kind === 'text' && block.spans.length === 1 && block.spans[0]!.strong)
      at.groups.push({ title: block.spans[0]!.text, blocks: [] })
    else if (at.groups.length) at.groups.at(-1)!.blocks.push(block)
    else at.groups.push({ title: null, blocks: [block] })
  }
  return releases
}

/** What the line of a changed default begins with, in bold. */
const changed: Record<Language, string> = {
  en: 'Changed:',
  he: 'השתנה:',
  ar: 'تغيّر:',
  ru: 'Изменено:',
  fr: 'Modifié :',
}

const isChange = (language: Language, [first]: readonly Span[]): boolean =>
  first?.strong === true && first.text === changed[language]

/** The lines of a release that say how a default or a rule is another from now on: they begin with **Changed:**. */
export const changesIn = ({ groups }: Pick<Told, 'groups'>, language: Language = 'en'): Span[][] =>
  groups.flatMap(({ blocks }) =>
    blocks.flatMap((block) =>
      block.kind === 'list' ? block.items.filter((item) => isChange(language, item)) : [],
    ),
  )

/**
 * Whether a release is translated into a language beyond its changed defaults. These are announced at once, and so
 * they are written in each language with the change; the rest is translated when the release is out.
 */
export const isRetold = ({ groups }: Told, language: Language): boolean =>
  groups.some(({ title, blocks }) =>
    blocks.some(
      (block) =>
        title !== null || block.kind !== 'list' || !block.items.every((item) => isChange(language, item)),
    ),
  )

const read = (path: string): Told[] => (existsSync(path) ? parseReleases(readFileSync(path, 'utf8')) : [])

/** The CHANGELOG, which is the source of all others. */
export const toldReleases = (): Told[] => read(join(root, 'CHANGELOG.md'))
/** The same told shorter in another language. */
export const retoldIn = (language: Language): Told[] =>
  read(join(root, `src/features/office/help/releases/${language}.md`))

type Shown = Told & { translated: boolean; changes: Span[][]; changesLanguage: Language }
const kept = new Map<Language, Shown[]>()

function releasesIn(language: Language): Shown[] {
  let all = kept.get(language)
  if (!all || readsAnew) {
    const retold = new Map(retoldIn(language).map((one) => [one.version, one]))
    all = toldReleases().map((one) => {
      const own = language === 'en' ? one : retold.get(one.version)
      const translated = own !== undefined && isRetold(own, language)
      const changes = own ? changesIn(own, language) : []
      // All of them in one language.
      const isWhole = changes.length === changesIn(one).length
      return {
        ...one,
        groups: translated ? own.groups : one.groups,
        translated,
        changes: isWhole ? changes : changesIn(one),
        changesLanguage: isWhole ? language : 'en',
      }
    })
    kept.set(language, all)
  }
  return all
}

const order = (version: string): number =>
  version.split('.').reduce((sum, part) => sum * 1000 + Number(part), 0)

/**
 * What a person has not seen: what came after the last release they saw; before the first look, what came out after
 * they signed up.
 */
export const isNewTo = (
  { seen, since }: { seen: string | null; since: Day },
  { version, day }: Pick<Told, 'version' | 'day'>,
): boolean => (seen ? order(version) > order(seen) : day !== null && day > since)

const whatISaw = async (ctx: Ctx): Promise<{ seen: string | null; told: string | null; since: Day }> => {
  const { rows } = await sql<{
    seen: string | null
    told: string | null
    since: string
  }>`select release_seen as seen, release_told as told, created_at as since from users
    where id = ${ctx.caller.userId}`.execute(ctx.tx)
  return rows[0]
    ? { seen: rows[0].seen, told: rows[0].told, since: dayInJerusalem(new Date(rows[0].since)) }
    : { seen: null, told: null, since: ctx.today }
}

export async function listReleases(ctx: Ctx, { lang }: { lang: Language }): Promise<{ releases: Release[] }> {
  const mine = await whatISaw(ctx)
  return { releases: releasesIn(lang).map((one) => ({ ...one, isNew: isNewTo(mine, one) })) }
}

export async function countNews(
  ctx: Ctx,
): Promise<{ count: number; changed: { count: number; version: string } | null }> {
  const mine = await whatISaw(ctx)
  const fresh = releasesIn('en').filter((one) => isNewTo(mine, one))
  // Announced to who runs the business, once: what was announced is not said again, seen or not.
  const untold = can(ctx.caller, 'companies.change')
    ? fresh.filter((one) => one.changes.length && (!mine.told || order(one.version) > order(mine.told)))
    : []
  const count = untold.reduce((sum, one) => sum + one.changes.length, 0)
  return { count: fresh.length, changed: untold[0] ? { count, version: untold[0].version } : null }
}

/** Changed defaults up to a release were announced; never back. */
export async function markTold(ctx: Ctx, { version }: { version: string }): Promise<{ done: true }> {
  const { told } = await whatISaw(ctx)
  const isKnown = releasesIn('en').some((one) => one.version === version)
  if (isKnown && (!told || order(told) < order(version)))
    await asSystem(ctx.app.db, (tx) =>
      sql`update users set release_told = ${version} where id = ${ctx.caller.userId}`.execute(tx),
    )
  return { done: true }
}

/** Never back: opening an older copy of the page does not undo what was seen. */
export async function markSeen(ctx: Ctx, { version }: { version: string }): Promise<{ done: true }> {
  const known = releasesIn('en').find((one) => one.version === version)
  if (known) {
    const { seen } = await whatISaw(ctx)
    if (!seen || order(seen) < order(version))
      await asSystem(ctx.app.db, (tx) =>
        sql`update users set release_seen = ${version} where id = ${ctx.caller.userId}`.execute(tx),
      )
  }
  return { done: true }
}
