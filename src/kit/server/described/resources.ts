import { sql } from 'kysely'
import { z } from 'zod'
import type { Day } from '#domain/day.ts'
import { fold } from '#domain/fold.ts'
import { listenToLaw } from '#domain/law/dated.ts'
import { failField, forbidden, Failure } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import { defineEndpoint, type Endpoint, type ForDrafts } from '#kit/describe/endpoint.ts'
import type { ListAnswer, Resource } from '#kit/describe/resource.ts'
import { columnOf, text, type Field, type Fields } from '#kit/fields/field.ts'
import { alongWith, recordInput } from '#kit/fields/along.ts'
import { inputOf, outputOf } from '#kit/fields/schema.ts'
import { newId, type Ctx, type Language } from '../context.ts'
import { exportTable } from './exports/exportTable.ts'
import type { ExportColumn, ExportFormat, ExportTable } from './exports/table.ts'
import { Later, listed, tie, type FileAnswer, type Implementation } from '../contract/implement.ts'
import {
  checkExtras,
  listQuery,
  listRows,
  oneRow,
  rowsWhere,
  withoutRight,
  type ListQuery,
  type ListSource,
} from '../data/lists.ts'
import { markAnswer, markFields, type Marks } from '#kit/fields/marks.ts'
import { keepMarks, withMarks } from '../data/marks.ts'
import { checkVersion, holdFor } from '../data/versions.ts'
import { languages } from '../words.ts'

type Verb = 'list' | 'get' | 'create' | 'createMany' | 'change' | 'archive' | 'restore' | 'export'

export interface ServedResource extends ListSource {
  /** Which calls exist; all when absent. */
  only?: ListSource['only']
  verbs?: Verb[]
  /** Which of its calls are open to API keys held to drafts; the others that change something are closed. */
  forDrafts?: Partial<Record<Verb, ForDrafts>>
  /** Its records hold links or keys that open something: reading them is closed to API keys held to drafts. */
  secret?: true
  /** Parts of the record that no row holds, by `expand`: the same values under the same names. */
  parts?: {
    names: readonly string[]
    recordOf: (ctx: Ctx, id: string) => Promise<Readonly<Record<string, unknown>>>
  }
  /** A last look at what is about to be saved; may fill in values or refuse. */
  beforeSave?: (
    ctx: Ctx,
    values: Record<string, unknown>,
    before: Record<string, unknown> | undefined,
  ) => Promise<Record<string, unknown>>
  /** What its looks at a record may refuse with, besides the common ones. */
  refuses?: readonly string[]
  /** A last look before a record is put away or brought back; may refuse. */
  beforeMove?: (ctx: Ctx, row: Record<string, unknown>, to: 'archive' | 'restore') => Promise<void>
  /**
   * Columns of an export that only the business knows: their heads are its own words, their values are put
   * into the rows.
   */
  moreColumns?: (ctx: Ctx) => Promise<{
    columns: ExportColumn[]
    valuesOf: (row: Record<string, unknown>) => Record<string, unknown>
  }>
  /** Codes as files say them: 'eom:30' in words. What is said so is understood when the file comes back. */
  inFiles?: Record<string, (value: unknown, language: Language, row: Record<string, unknown>) => string>
  /** Fields that stand first in every file: the screen says them within another cell. */
  leadsFiles?: readonly string[]
  /**
   * More that a file may bring, beyond the described fields: what only the business knows. `put` lays a value
   * among those to be saved.
   */
  moreInputs?: (ctx: Ctx) => Promise<MoreInput[]>
  /** Every row of a file is a new record: two that say the same are two. */
  rowsAreNew?: boolean
  /** Columns that tell a record brought in from a file from one that was typed in. */
  whenImported?: Record<string, string>
}

export interface MoreInput {
  key: string
  title: string
  field: Field
  put: (values: Record<string, unknown>, value: unknown) => Record<string, unknown>
}

const byId = z.object({ id: z.uuid() })

/** What serves a register whose rows hold words and ages: another for each language and day. */
export type InWords = (language: Language, today: Day) => ServedResource

/**
 * By name; the second is there when the rows hold words. Written at the start and never again, so that no
 * reader changes another's.
 */
const known = new Map<string, { source: ServedResource; inWords?: InWords }>()

/** What serves a described resource, for the person who works on every register alike (imports). */
export const servedNamed = (name: string): ServedResource | undefined => known.get(name)?.source
export const allServed = (): readonly ServedResource[] => [...known.values()].map(({ source }) => source)

/** What serves a resource in a caller's language. */
export const servedFor = (ctx: Ctx, name: string): ServedResource | undefined => {
  const one = known.get(name)
  return one?.inWords ? one.inWords(ctx.caller.language, ctx.today) : one?.source
}

/**
 * The same in every language it has words in, the caller's first: a file may name a record in any of them.
 */
export const servedInAll = (ctx: Ctx, name: string): ServedResource[] => {
  const one = known.get(name)
  if (!one?.inWords) return one ? [one.source] : []
  const { language } = ctx.caller
  return [language, ...languages.filter((other) => other !== language)].map((each) =>
    one.inWords!(each, ctx.today),
  )
}

/** The calls of a resource whose rows hold words and ages: made once for each language and day. */
export function serveInWords(inWords: InWords): Implementation[] {
  const made = new Map<string, Implementation[]>()
  // Results that depend on a figure of the law are calculated again when an operator enters another.
  listenToLaw(() => made.clear())
  const sets = (language: Language, today: Day) => {
    const key = `${language} ${today}`
    const there = made.get(key)
    if (there) return there
    // Those of yesterday are not asked for again.
    if (made.size >= 2 * languages.length) made.clear()
    const set = callsOf(inWords(language, today))
    made.set(key, set)
    return set
  }
  const source = inWords('he', '2026-01-01')
  known.set(source.resource.name, { source, inWords })
  return listed(
    callsOf(source).map((one, i) => ({
      ...one,
      inside: (ctx: Ctx, input: never) => sets(ctx.caller.language, ctx.today)[i]!.inside!(ctx, input),
    })),
  )
}

/** The calls of a described resource: list, one, make, change, put away, bring back, export. */
export function serveResource(source: ServedResource): Implementation[] {
  const calls = callsOf(source)
  known.set(source.resource.name, { source })
  return listed(calls)
}

function callsOf(source: ServedResource): Implementation[] {
  const { resource, verbs } = source
  checkExtras(source)
  const fields = resource.fields as Fields
  const base = `${resource.prefix ?? '/api4/invoice'}/${resource.name}`
  const also = alsoNamed(source)
  const row = outputOf(resource).extend(also.shape)
  // All calls about a record answer one shape: only the reads fill in what was expanded.
  const expandable = row.extend(alongWith)
  const { see, change } = resource.allow
  const page = z.object({
    rows: z.array(expandable),
    nextCursor: z.string().nullable(),
    nextSince: z.string().optional(),
    total: z.number().optional(),
    pages: z.number().optional(),
    page: z.number().optional(),
    size: z.number().optional(),
  })
  const marks = source.marks ? { marks: source.marks } : {}
  const isRead = (verb: Verb) => verb === 'list' || verb === 'get' || verb === 'export'
  const named = <I extends z.ZodType, O extends z.ZodType>(
    verb: Verb,
    endpoint: Omit<Endpoint<I, O>, 'name' | 'access'>,
  ) =>
    defineEndpoint<I, O>({
      ...endpoint,
      errors: [...(endpoint.errors ?? []), ...(isRead(verb) ? [] : (source.refuses ?? []))],
      ...(source.forDrafts?.[verb] ? { forDrafts: source.forDrafts[verb] } : {}),
      ...(source.secret && isRead(verb) ? { secret: true as const } : {}),
      ...(verb === 'createMany' ? {} : marks),
      name: `${resource.name}.${verb}`,
      access: { rule: isRead(verb) ? see : change },
    })

  const all: Record<Verb, Implementation> = {
    list: tie(
      named('list', {
        method: 'GET',
        path: base,
        input: listQuery,
        output: page,
        filters: [
          ...Object.keys(fields),
          ...Object.entries(source.alsoCalled ?? {}).flatMap(([name, of]) =>
            Object.hasOwn(fields, of) ? [name] : [],
          ),
        ],
        summary: `The list of ${resource.name}`,
      }),
      async (ctx, query) => {
        const told = only(row, query.fields)
        const answer = await expanded(ctx, source, query.expand, await listRows<never>(ctx, source, query))
        return { ...answer, rows: answer.rows.map((one) => told(also.named(one))) as never[] }
      },
    ),
    get: tie(
      named('get', {
        method: 'GET',
        path: `${base}/{id}`,
        input: recordInput,
        output: expandable,
        summary: `One of ${resource.name}`,
        errors: ['kit.notFound'],
      }),
      async (ctx, { id, expand }) => {
        const one = await oneRow<never>(ctx, source, id)
        return expand ? (await expanded(ctx, source, expand, { rows: [one] })).rows[0]! : one
      },
    ),
    create: tie(
      named('create', {
        method: 'POST',
        path: base,
        input: inputOf(fields, 'create'),
        output: expandable,
        summary: `Makes one of ${resource.name}`,
        errors: ['kit.conflict'],
      }),
      (ctx, values) => create(ctx, source, values) as never,
    ),
    createMany: tie(
      named('createMany', {
        method: 'POST',
        path: `${base}/many`,
        maxBody: 1_000_000,
        input: z.strictObject({
          rows: z
            .array(inputOf(fields, 'create').extend(markFields))
            .min(1, { error: 'fields.need' })
            .max(100, { error: 'fields.range' }),
        }),
        output: z.object({ rows: z.array(expandable.extend(markAnswer)) }),
        summary: `Makes up to 100 of ${resource.name} at once, all or none`,
        errors: ['kit.conflict'],
      }),
      (ctx, { rows }) => createMany(ctx, source, rows) as never,
    ),
    change: tie(
      named('change', {
        method: 'PATCH',
        path: `${base}/{id}`,
        input: inputOf(fields, 'change').extend({ id: z.uuid() }),
        output: expandable,
        matches: true,
        summary: `Changes one of ${resource.name}`,
        errors: ['kit.notFound', 'kit.conflict', 'kit.changed'],
      }),
      (ctx, { id, ...values }) => changeRow(ctx, source, id as string, values) as never,
    ),
    archive: tie(
      named('archive', {
        method: 'DELETE',
        path: `${base}/{id}`,
        input: byId,
        output: expandable,
        matches: true,
        summary: `Puts one of ${resource.name} away; it can be brought back`,
        errors: ['kit.notFound', 'kit.changed'],
      }),
      (ctx, { id }) => setArchived(ctx, source, id, true) as never,
    ),
    restore: tie(
      named('restore', {
        method: 'POST',
        path: `${base}/{id}/restore`,
        input: byId,
        output: expandable,
        summary: `Brings one of ${resource.name} back`,
        errors: ['kit.notFound', 'kit.conflict'],
      }),
      (ctx, { id }) => setArchived(ctx, source, id, false) as never,
    ),
    export: tie(
      named('export', {
        method: 'GET',
        path: `/api4/invoiceexport/${resource.name}`,
        input: listQuery.extend({
          format: z.enum(['csv', 'xlsx']).default('xlsx'),
          columns: z.string().max(1000).optional(),
        }),
        output: z.any(),
        file: true,
        summary: `${resource.name} as CSV or XLSX, with the list's filters`,
      }),
      (ctx, { format, columns, page: _page, cursor: _cursor, after: _after, limit: _limit, ...query }) =>
        exportList(ctx, source, query as never, format, columns?.split(',')),
    ),
  }
  return (verbs ?? (Object.keys(all) as Verb[]))
    .filter((verb) => verb !== 'createMany' || source.marks)
    .map((verb) => all[verb])
}

/** What the search of a resource reads of a record. */
export const folded = (resource: Resource<any>, values: Record<string, unknown>): string =>
  fold((resource.searchIn as string[]).map((name) => String(values[name] ?? '')).join(' '))

async function refuseTwins(
  ctx: Ctx,
  { resource }: ServedResource,
  values: Record<string, unknown>,
  id: string | null,
): Promise<void> {
  for (const name of (resource.unique ?? []) as string[]) {
    const value = values[name]
    if (value === null || value === undefined || value === '') continue
    const column = columnOf(name, (resource.fields as Fields)[name]!)
    const same = Object.entries((resource.where ?? {}) as Record<string, string>).map(
      ([c, v]) => sql`and ${sql.ref(c)} = ${v}`,
    )
    const { rows } = await sql<{
      title: string
    }>`select ${sql.ref(columnOf(resource.title as string, (resource.fields as Fields)[resource.title as string]!))} as title
      from ${sql.table(resource.table)} where company_id = ${ctx.companyId} and ${sql.ref(column)} = ${value}
        and archived_at is null
      and id is distinct from ${id}::uuid ${sql.join(same, sql` `)} limit 1`.execute(ctx.tx)
    if (rows[0])
      throw new Failure('kit.badInput', {}, [
        { path: name, code: 'fields.taken', params: { name: rows[0].title } },
      ])
  }
}

const emptyOf = (field: Field | undefined): unknown =>
  field?.kind === 'tags' ? [] : field?.kind === 'own' ? {} : (field?.start ?? null)

/** An emptied field goes back to what a new record starts with, where it starts with something. */
export const settled = (fields: Fields, given: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value === null ? emptyOf(fields[name]) : value]),
  )

/** A field left empty has the default of its column: null, empty text, or false. */
const kept = (value: unknown): unknown => (value === null ? sql`default` : value)

/** What a new record starts with. */
export const startOf = (fields: Fields): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, f]) =>
      !f.computed && f.start !== undefined ? [[name, f.start]] : [],
    ),
  )

/** Refuses a value for a field that needs a right the caller does not have; what a record starts with anyway is none. */
function refuseWithoutRight(
  ctx: Ctx,
  fields: Fields,
  given: Record<string, unknown>,
  start: Record<string, unknown> = {},
): void {
  const kept = withoutRight(ctx, fields).find(
    (name) => given[name] !== undefined && given[name] !== start[name],
  )
  if (kept !== undefined) throw forbidden({ rule: fields[kept]!.rule! })
}

/** The columns that are written, with their values: those of fields that were given. */
export const columnsIn = (
  fields: Fields,
  values: Record<string, unknown>,
): [column: string, value: unknown][] =>
  Object.entries(fields).flatMap(([name, field]): [string, unknown][] =>
    values[name] === undefined ? [] : [[columnOf(name, field), values[name]]],
  )

export async function create(
  ctx: Ctx,
  source: ServedResource,
  given: Record<string, unknown>,
  id = newId(),
): Promise<unknown> {
  const { resource, beforeSave } = source
  const fields = resource.fields as Fields
  refuseWithoutRight(ctx, fields, settled(fields, given), startOf(fields))
  let values: Record<string, unknown> = { ...startOf(fields), ...settled(fields, given) }
  if (beforeSave) values = await beforeSave(ctx, values, undefined)
  await refuseTwins(ctx, source, values, null)
  const columns: Record<string, unknown> = {
    company_id: ctx.companyId,
    id,
    ...(resource.where as object),
    ...(resource.searchIn ? { folded: folded(resource, values) } : {}),
  }
  for (const [column, value] of columnsIn(fields, values)) columns[column] = kept(value)
  await sql`insert into ${sql.table(resource.table)}
      (${sql.join(Object.keys(columns).map((c) => sql.ref(c)))})
      values (${sql.join(Object.values(columns))})`.execute(ctx.tx)
  await ctx.audit(`${resource.name}.create`, resource.name, id, undefined, values)
  return oneRow(ctx, source, id)
}

/** Several records in their order; a refusal of one is at its row, and none is created. */
async function createMany(
  ctx: Ctx,
  source: ServedResource,
  rows: (Record<string, unknown> & Marks)[],
): Promise<unknown> {
  const made: { id: string }[] = []
  for (const [i, { externalId, metadata, ...values }] of rows.entries()) {
    try {
      const one = (await create(ctx, source, values)) as { id: string }
      if (source.marks) await keepMarks(ctx, source.marks, one.id, { externalId, metadata })
      made.push(one)
    } catch (e) {
      if (!(e instanceof Failure)) throw e
      const errors = e.errors.length ? e.errors : [{ path: '', code: e.code, params: e.params }]
      throw new Failure(
        'kit.badInput',
        {},
        errors.map((one) => ({
          ...one,
          path: ['rows', String(i), ...(one.path ? [one.path] : [])].join('.'),
        })),
      )
    }
  }
  return source.marks ? withMarks(ctx, source.marks, { rows: made }) : { rows: made }
}

/** The names that the record has for values of the list, where the list does not say them anyway. */
function alsoNamed({ resource, alsoCalled = {} }: ServedResource) {
  const { shape } = outputOf(resource)
  const names = Object.entries(alsoCalled).filter(([name]) => !Object.hasOwn(shape, name))
  return {
    shape: Object.fromEntries(names.map(([name, of]) => [name, shape[of]!])) as Record<string, z.ZodType>,
    named: (one: Record<string, unknown>): Record<string, unknown> =>
      names.length ? { ...one, ...Object.fromEntries(names.map(([name, of]) => [name, one[of]])) } : one,
  }
}

/** A record with what was asked for along with it, as the list of its resource gives it with a row. */
export async function withExpanded<R extends { id: string }>(
  ctx: Ctx,
  name: string,
  expand: string | undefined,
  record: R,
): Promise<R & { expanded?: Record<string, unknown> }> {
  const source = servedFor(ctx, name)
  if (!expand || !source) return record
  const answer = await expanded(ctx, source, expand, { rows: [record as R & Record<string, unknown>] })
  return answer.rows[0]!
}

/** Keeps of each row what was asked for, with its id; everything when nothing was named. */
function only(
  row: z.ZodObject,
  fields: string | undefined,
): (one: Record<string, unknown>) => Record<string, unknown> {
  if (!fields) return (one) => one
  const names = new Set(fields.split(',').map((one) => one.trim()))
  const unknown = [...names].find((name) => !Object.hasOwn(row.shape, name))
  if (unknown !== undefined) throw failField('fields', 'fields.choice')
  const kept = new Set([...names, 'id', 'expanded'])
  return (one) => Object.fromEntries(Object.entries(one).filter(([name]) => kept.has(name)))
}

/** The records that ids point to, along with the rows that hold them; only those the caller may see. */
async function expanded<T extends { rows: Record<string, unknown>[] }>(
  ctx: Ctx,
  { resource, parts }: ServedResource,
  expand: string | undefined,
  answer: T,
): Promise<T> {
  if (!expand) return answer
  const fields = resource.fields as Fields
  const found = new Map<string, Map<string, unknown>>()
  const asked = new Set(expand.split(',').map((one) => one.trim()))
  const ofRecord = [...asked].filter((name) => parts?.names.includes(name))
  const records = new Map<string, Readonly<Record<string, unknown>>>()
  if (ofRecord.length)
    for (const { id } of answer.rows) records.set(String(id), await parts!.recordOf(ctx, String(id)))
  for (const name of asked) {
    if (ofRecord.includes(name)) continue
    const to = Object.hasOwn(fields, name) && fields[name]!.kind === 'ref' ? fields[name]!.to : undefined
    const source = to && servedFor(ctx, to)
    if (!source) throw new Failure('kit.badInput', {}, [{ path: 'expand', code: 'fields.choice' }])
    if (!can(ctx.caller, source.resource.allow.see)) throw forbidden({ rule: source.resource.allow.see })
    const ids = [...new Set(answer.rows.flatMap((row) => (typeof row[name] === 'string' ? [row[name]] : [])))]
    const rows = ids.length
      ? await rowsWhere<{ id: string }>(
          ctx,
          { ...source, noArchive: true },
          sql<boolean>`t.id = any(${ids}::uuid[])`,
        )
      : []
    found.set(name, new Map(rows.map((row) => [row.id, row])))
  }
  const rows = answer.rows.map((row) => ({
    ...row,
    expanded: Object.fromEntries([
      ...[...found].map(([name, known]) => [name, known.get(String(row[name])) ?? null]),
      ...ofRecord.map((name) => [name, records.get(String(row.id))![name] ?? null]),
    ]),
  }))
  return { ...answer, rows }
}

export async function changeRow(
  ctx: Ctx,
  source: ServedResource,
  id: string,
  given: Record<string, unknown>,
): Promise<unknown> {
  const { resource, beforeSave } = source
  const fields = resource.fields as Fields
  await holdFor(ctx, resource.table, id)
  const before = await oneRow<Record<string, unknown>>(ctx, source, id)
  checkVersion(ctx, before)
  refuseWithoutRight(ctx, fields, given)
  let values = settled(fields, given)
  if (beforeSave) values = await beforeSave(ctx, values, before)
  await refuseTwins(ctx, source, values, id)
  const merged = { ...before, ...values }
  const sets = columnsIn(fields, values).map(([column, value]) => sql`${sql.ref(column)} = ${kept(value)}`)
  if (resource.searchIn) sets.push(sql`folded = ${folded(resource, merged)}`)
  sets.push(sql`updated_at = now()`)
  await sql`update ${sql.table(resource.table)} set ${sql.join(sets)} where company_id = ${ctx.companyId}
      and id = ${id}`.execute(ctx.tx)
  const changed = Object.keys(values).filter((name) => !isSame(before[name], values[name]))
  await ctx.audit(`${resource.name}.change`, resource.name, id, pick(before, changed), pick(values, changed))
  return oneRow(ctx, source, id)
}

/** Lists and objects are the same when they say the same. */
export const isSame = (left: unknown, right: unknown): boolean =>
  left === right ||
  (typeof left === 'object' && typeof right === 'object' && JSON.stringify(left) === JSON.stringify(right))

const pick = (values: Record<string, unknown>, names: string[]) =>
  Object.fromEntries(names.map((n) => [n, values[n] ?? null]))

async function setArchived(
  ctx: Ctx,
  source: ServedResource,
  id: string,
  archived: boolean,
): Promise<unknown> {
  const { resource } = source
  await holdFor(ctx, resource.table, id)
  const row = await oneRow<Record<string, unknown>>(ctx, source, id)
  checkVersion(ctx, row)
  await source.beforeMove?.(ctx, row, archived ? 'archive' : 'restore')
  if (!archived) await refuseTwins(ctx, source, row, id)
  await sql`update ${sql.table(resource.table)} set archived_at = ${archived ? ctx.now.toISOString() : null},
      updated_at = now() where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit(`${resource.name}.${archived ? 'archive' : 'restore'}`, resource.name, id)
  return oneRow(ctx, source, id)
}

const exportLimit = 100_000

async function exportList(
  ctx: Ctx,
  source: ServedResource,
  query: z.output<typeof listQuery>,
  format: ExportFormat,
  columns?: string[],
): Promise<Later<FileAnswer>> {
  const { resource } = source
  const rows: Record<string, unknown>[] = []
  let cursor: string | undefined
  do {
    const page: ListAnswer<Record<string, unknown>> = await listRows(ctx, source, {
      ...query,
      size: 200,
      ...(cursor ? { cursor } : {}),
    } as ListQuery)
    rows.push(...page.rows)
    cursor = page.nextCursor ?? undefined
  } while (cursor && rows.length < exportLimit)
  const fields = resource.fields as Fields
  const more = await source.moreColumns?.(ctx)
  const chosen = (columns ?? (resource.list.columns as string[])).filter(
    (name) => fields[name] && !(more && fields[name].kind === 'own'),
  )
  const shown = [...(source.leadsFiles ?? []).filter((name) => !chosen.includes(name)), ...chosen]
  const filled = more ? rows.map((row) => ({ ...row, ...more.valuesOf(row) })) : rows
  const table: ExportTable = {
    format,
    language: ctx.caller.language,
    name: resource.name,
    title: `screens.${resource.name}`,
    columns: [
      ...shown.map((name) => ({
        name,
        field: source.inFiles?.[name] ? text() : fields[name]!,
        title: `${resource.name}.fields.${name}`,
        words: `${resource.name}.${name}`,
      })),
      ...(more?.columns ?? []),
    ],
    rows: (ctx.caller.hideTotalPrices ? filled.map((r) => withoutMoney(r, fields)) : filled).map((row) =>
      inWords(row, source, ctx.caller.language),
    ),
  }
  return new Later(() => exportTable(table))
}

function inWords(
  row: Record<string, unknown>,
  { inFiles = {} }: ServedResource,
  language: Language,
): Record<string, unknown> {
  const said = Object.entries(inFiles).flatMap(([name, saying]) =>
    (row[name] ?? '') === '' ? [] : [[name, saying(row[name], language, row)]],
  )
  return { ...row, ...Object.fromEntries(said) }
}

const withoutMoney = (row: Record<string, unknown>, fields: Fields) =>
  Object.fromEntries(
    Object.entries(row).map(([k, v]) => [
      k,
      fields[k] && ['money', 'price'].includes(fields[k].kind) ? null : v,
    ]),
  )
