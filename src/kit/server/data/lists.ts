import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import { columnOf, type Field, type Fields } from '#kit/fields/field.ts'
import { schemaOf } from '#kit/fields/schema.ts'
import { Failure, failField, forbidden } from '#kit/describe/errors.ts'
import {
  defaultPageSize,
  filterOperators,
  pageSizes,
  type FilterOperator,
  type ListAnswer,
  type Resource,
} from '#kit/describe/resource.ts'
import { can } from '#kit/describe/session.ts'
import { isDay } from '#domain/day.ts'
import { fold } from '#domain/fold.ts'
import { phoneAsked } from '#domain/phone.ts'
import { momentOfSince, sinceMark } from './changes.ts'
import type { Ctx } from '../context.ts'
import { seenRef } from './sights.ts'
import { metadataName, type MarkedEntity } from '#kit/fields/marks.ts'
import { flagOfText, numberOfText, queryFlag, queryNumber } from '#kit/fields/query.ts'

/** SQL for fields that are no column of the table; `t` is the table's alias. */
export type Compute = Record<string, RawBuilder<unknown>>

const whole = queryNumber(z.int().min(1).max(1_000_000))

export const listQuery = z
  .object({
    page: whole.optional(),
    size: queryNumber(
      z.number().refine((n) => (pageSizes as readonly number[]).includes(n), { error: 'fields.choice' }),
    ).default(defaultPageSize),
    /** As many rows as are asked for; programs need no round size. */
    limit: queryNumber(
      z.int().min(1, { error: 'fields.range' }).max(200, { error: 'fields.range' }),
    ).optional(),
    cursor: z.string().max(500).optional(),
    /** The same as `cursor`. */
    after: z.string().max(500).optional(),
    /**
     * What changed at this moment or later, archived records too, the oldest change first: a moment, or `nextSince` of
     * an answer.
     */
    updatedSince: z
      .union([z.string().regex(/^since_[\w-]{20,60}$/), z.iso.datetime({ offset: true })], {
        error: 'fields.moment',
      })
      .optional(),
    /** Fields whose records are answered along with it, and parts of the record. */
    expand: z.string().max(300).optional(),
    /** Only these fields of each row. */
    fields: z.string().max(600).optional(),
    sort: z.string().max(60).optional(),
    q: z.string().max(100).optional(),
    archived: queryFlag.optional(),
    /** Only these records, for an export of what was chosen. */
    ids: z.string().max(12_000).optional(),
  })
  .catchall(z.union([z.string().max(500), z.array(z.string().max(500)).max(20)]))

export type ListQuery = z.output<typeof listQuery>

const expressionOf = (name: string, field: Field, compute: Compute): RawBuilder<unknown> =>
  compute[name] ?? sql.ref(`t.${columnOf(name, field)}`)

/** An order without holes: rows whose value is missing come first, so that a cursor can stand on them. */
const orderable = (name: string, field: Field, compute: Compute): RawBuilder<unknown> => {
  const value = expressionOf(name, field, compute)
  if (field.need && !compute[name]) return value
  if (field.kind === 'tags') return sql`array_to_string(${value}, ',')`
  if (field.kind === 'own') return sql`${value}::text`
  const empty = ['money', 'percent', 'number'].includes(field.kind)
    ? sql`-9007199254740991::bigint`
    : ['price', 'quantity'].includes(field.kind)
      ? sql`-1e14::numeric`
      : field.kind === 'day'
        ? sql`'0001-01-01'::date`
        : field.kind === 'moment'
          ? sql`'0001-01-01'::timestamptz`
          : field.kind === 'flag'
            ? sql`false`
            : sql`''`
  return sql`coalesce(${value}, ${empty})`
}

/** Casts a cursor's text back to what the column holds. */
const typed = (field: Field, value: unknown): RawBuilder<unknown> => {
  const type = {
    money: 'bigint',
    percent: 'bigint',
    number: 'bigint',
    price: 'numeric',
    quantity: 'numeric',
    day: 'date',
    moment: 'timestamptz',
    flag: 'boolean',
    ref: 'uuid',
  }[field.kind as string]
  return type ? sql`${value}::${sql.raw(type)}` : sql`${value}::text`
}

/** The flag that a filter says; refused at its name otherwise. */
function flagAt(name: string, text: string): boolean {
  const said = flagOfText(text)
  if (said === undefined) throw failField(name, 'fields.flag')
  return said
}

function filterOf(
  name: string,
  field: Field,
  operator: FilterOperator,
  given: string,
  compute: Compute,
): RawBuilder<boolean> {
  const value = expressionOf(name, field, compute)
  if (field.kind === 'tags') return tagFilter(name, value, operator, given)
  if (operator === 'empty')
    return flagAt(`${name}.empty`, given) ? sql`(${value} is null)` : sql`(${value} is not null)`
  if (operator === 'contains') return sql`${value}::text ilike ${`%${given.replace(/[\\%_]/g, '\\$&')}%`}`
  const read = (text: string): unknown => {
    const isNumber =
      ['money', 'percent', 'number'].includes(field.kind) ||
      ((field.kind === 'language' || field.ids) && /^\d+$/.test(text))
    if (field.kind === 'flag') return flagAt(name, text)
    const raw = isNumber ? numberOfText(text) : text
    if (raw === undefined) throw failField(name, 'fields.number')
    const parsed = schemaOf(field).safeParse(raw)
    if (!parsed.success) throw failField(name, parsed.error.issues[0]?.message ?? 'fields.text')
    return parsed.data
  }
  // People filter moments by days; a day is that of Jerusalem.
  if (field.kind === 'moment' && isDay(given) && operator !== 'in') {
    const day = sql`(${value} at time zone 'Asia/Jerusalem')::date`
    return {
      eq: sql<boolean>`${day} = ${given}::date`,
      ne: sql<boolean>`${day} is distinct from ${given}::date`,
      gte: sql<boolean>`${day} >= ${given}::date`,
      lte: sql<boolean>`${day} <= ${given}::date`,
    }[operator]
  }
  if (operator === 'in')
    return sql`${value}::text in (${sql.join(
      given
        .split(',')
        .slice(0, 100)
        .map((v) => String(read(v))),
    )})`
  const against = typed(field, read(given))
  return {
    eq: sql<boolean>`${value} = ${against}`,
    ne: sql<boolean>`${value} is distinct from ${against}`,
    gte: sql<boolean>`${value} >= ${against}`,
    lte: sql<boolean>`${value} <= ${against}`,
  }[operator]
}

/** Fields this caller gets no value of, by the list's own rule or the field's. */
const keptOf = (ctx: Ctx, { resource, keptFrom }: Pick<ListSource, 'resource' | 'keptFrom'>): string[] => [
  ...(keptFrom?.(ctx) ?? []),
  ...withoutRight(ctx, resource.fields as Fields),
]

/** Fields that need a right the caller does not have. */
export const withoutRight = ({ caller }: Pick<Ctx, 'caller'>, fields: Fields): string[] =>
  Object.entries(fields).flatMap(([name, { rule }]) => (rule && !can(caller, rule) ? [name] : []))

/**
 * The field that is described under a name somebody sent; what every object has ('constructor') is no field.
 */
const fieldNamed = (fields: Fields, name: string): Field | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined

const isFigure = (field: Field) => field.kind === 'money' || field.kind === 'price'

/**
 * The person who may not see figures would find them out by filters and order; only whether there is anything at all
 * may be asked.
 */
function refuseHidden(ctx: Ctx, { resource, keptFrom }: ListSource, query: ListQuery): void {
  const fields = resource.fields as Fields
  const kept = keptOf(ctx, { resource, keptFrom })
  const asked = [(query.sort ?? '').replace(/^-/, ''), ...Object.keys(query).map((key) => key.split('.')[0]!)]
  const hidden = asked.find((name) => kept.includes(name))
  if (hidden !== undefined) {
    const { rule } = fields[hidden]!
    throw forbidden(rule && !can(ctx.caller, rule) ? { rule } : { sight: 'figures' })
  }
  // The order, and the cursor, would say what the rows leave out.
  const first = fieldNamed(fields, asked[0]!)
  if (first?.kind === 'ref' && seenRef(ctx, first.to, sql`null::uuid`)) throw forbidden({ sight: 'whole' })
  if (!ctx.caller.hideTotalPrices) return
  const sorted = fieldNamed(fields, asked[0]!)
  if (sorted && isFigure(sorted)) throw forbidden({ sight: 'figures' })
  for (const [key, given] of Object.entries(query)) {
    const [name = '', operator = 'eq'] = key.split('.')
    const field = fieldNamed(fields, name)
    if (
      field &&
      isFigure(field) &&
      operator !== 'empty' &&
      [given].flat().some((one) => !['-1', '0', '1'].includes(String(one)))
    )
      throw forbidden({ sight: 'figures' })
  }
}

/**
 * 'in' has one of the words, 'eq' has the word; both are answered by an index. 'contains' finds part of a
 * word.
 */
function tagFilter(
  name: string,
  value: RawBuilder<unknown>,
  operator: FilterOperator,
  given: string,
): RawBuilder<boolean> {
  switch (operator) {
    case 'empty':
      return flagAt(`${name}.empty`, given)
        ? sql`(cardinality(${value}) = 0)`
        : sql`(cardinality(${value}) > 0)`
    case 'in':
      return sql`${value} && ${given.split(',').slice(0, 100)}::text[]`
    case 'contains':
      return sql`array_to_string(${value}, ' ') ilike ${`%${given.replace(/[\\%_]/g, '\\$&')}%`}`
    case 'ne':
      return sql`not (${value} @> ${[given]}::text[])`
    default:
      return sql`${value} @> ${[given]}::text[]`
  }
}

/** Records whose `metadata` has this value: an address says every value as text, so 2 and '2' are both found. */
function isMarked(entity: MarkedEntity, key: string, given: unknown): RawBuilder<boolean> {
  const name = key.slice('metadata.'.length)
  if (!metadataName.test(name)) throw failField(key.slice(0, 60), 'fields.code')
  const text = String(given)
  const [flag, number] = [/^(true|false)$/.test(text), numberOfText(text)]
  const values = [text, ...(flag ? [text === 'true'] : []), ...(number === undefined ? [] : [number])]
  return sql<boolean>`t.id in (select m.record_id from record_marks m where m.company_id = t.company_id
    and m.entity = ${entity}
    and m.metadata @> any (${values.map((value) => JSON.stringify({ [name]: value }))}::jsonb[]))`
}

function filtersOf(
  fields: Fields,
  query: ListQuery,
  compute: Compute,
  { filters: own = {}, marks }: Pick<ListSource, 'filters' | 'marks'>,
): RawBuilder<boolean>[] {
  const known = new Set([
    'page',
    'size',
    'limit',
    'cursor',
    'after',
    'updatedSince',
    'expand',
    'fields',
    'sort',
    'q',
    'archived',
    'lang',
    'ids',
  ])
  return Object.entries(query).flatMap(([key, given]) => {
    if (known.has(key) || given === undefined) return []
    if (marks && key.startsWith('metadata.')) return [given].flat().map((one) => isMarked(marks, key, one))
    const [name = '', operator = 'eq'] = key.split('.')
    const field = fieldNamed(fields, name) ?? (Object.hasOwn(moments, name) ? momentField : undefined)
    if (!field || !filterOperators.includes(operator as FilterOperator))
      throw failField(key, 'fields.unknown', { keys: key.slice(0, 60) })
    return [given].flat().map((one) => {
      const asked = operator === 'eq' && own[name] ? schemaOf(field).safeParse(one) : undefined
      if (asked && !asked.success) throw failField(name, asked.error.issues[0]?.message ?? 'fields.text')
      return asked
        ? own[name]!(String(one))
        : filterOf(
            name,
            field,
            operator as FilterOperator,
            String(one),
            fieldNamed(fields, name) ? compute : moments,
          )
    })
  })
}

/** Names of what `ref` fields point to, beside their ids, without a join that would change the plan. */
export type RefNames = Record<string, RawBuilder<unknown>>

export interface ListSource {
  resource: Resource<any>
  compute?: Compute
  refNames?: RefNames
  /** SQL for the resource's `extra`: exactly the declared names. */
  extra?: Record<string, RawBuilder<unknown>>
  /**
   * Fields whose plain filter means more than being equal: a category stands for all that is below it. The
   * value has passed the field's schema.
   */
  filters?: Record<string, (value: string) => RawBuilder<boolean>>
  /** More conditions, e.g. what this caller may see. */
  only?: (ctx: Ctx) => RawBuilder<boolean>[]
  /**
   * How the record calls a value of the list, where it is by another name (`customerName` of `customerIdName`): rows carry
   * both, and filters and orders take both.
   */
  alsoCalled?: Readonly<Record<string, string>>
  /** Programs add ids and metadata to its records. */
  marks?: MarkedEntity
  /** Own way to search (documents search by number, sum and customer). */
  search?: (q: string, ctx: Ctx) => RawBuilder<boolean>
  /** Fields hidden from this caller, who cannot filter or order by them either. */
  keptFrom?: (ctx: Ctx) => readonly string[]
  /** Tables without an archive. */
  noArchive?: boolean
  /**
   * Rows that lie in no one table, as a select in brackets with all columns a list needs; it is only read.
   */
  from?: (ctx: Ctx) => RawBuilder<unknown>
}

const rowsOf = (ctx: Ctx, { resource, from }: ListSource): RawBuilder<unknown> =>
  sql`${from?.(ctx) ?? sql.table(resource.table)} t`

/** A name that is declared and has no SQL, or has SQL and is not declared, is an error of the program. */
export function checkExtras({ resource, extra = {} }: Pick<ListSource, 'resource' | 'extra'>): void {
  const declared = Object.keys(resource.extra ?? {})
  const missing = declared.filter((name) => !Object.hasOwn(extra, name))
  const unknown = Object.keys(extra).filter((name) => !declared.includes(name))
  if (missing.length) throw new Error(`${resource.name}: no SQL for extra ${missing.join(', ')}`)
  if (unknown.length) throw new Error(`${resource.name}: extra ${unknown.join(', ')} is not declared`)
}

const selection = (
  ctx: Ctx,
  { resource, compute = {}, refNames = {}, extra = {}, keptFrom, noArchive }: ListSource,
) => {
  const fields = resource.fields as Fields
  const kept = keptOf(ctx, { resource, keptFrom })
  const columns = Object.entries(fields).flatMap(([name, field]) => {
    const value = kept.includes(name) ? sql`null` : expressionOf(name, field, compute)
    if (field.kind !== 'ref') return [sql`${value} as ${sql.id(name)}`]
    const seen = seenRef(ctx, field.to, value)
    const its = refNames[name] ?? sql`null::text`
    return [
      sql`${seen ?? value} as ${sql.id(name)}`,
      sql`${seen ? sql`case when ${seen} is not null then ${its} end` : its} as ${sql.id(`${name}Name`)}`,
    ]
  })
  for (const [name, expression] of Object.entries(extra)) columns.push(sql`${expression} as ${sql.id(name)}`)
  return sql`t.id, ${sql.join(columns)}, ${noArchive ? sql`null::text` : sql`t.archived_at`} as "archivedAt",
      t.created_at as "createdAt", t.updated_at as "updatedAt"`
}

const baseConditions = (ctx: Ctx, { resource, only }: ListSource): RawBuilder<boolean>[] => [
  sql<boolean>`t.company_id = ${ctx.companyId}`,
  ...Object.entries((resource.where ?? {}) as Record<string, string>).map(
    ([column, value]) => sql<boolean>`${sql.ref(`t.${column}`)} = ${value}`,
  ),
  ...(only?.(ctx) ?? []),
]

/** Every record that a condition over `t` fits, as the caller sees them; the living ones only. */
export async function rowsWhere<T>(
  ctx: Ctx,
  source: ListSource,
  condition: RawBuilder<boolean>,
): Promise<(T & { id: string })[]> {
  const conditions = [
    ...baseConditions(ctx, source),
    ...(source.noArchive ? [] : [sql<boolean>`t.archived_at is null`]),
    condition,
  ]
  const { rows } = await sql<T & { id: string }>`select ${selection(ctx, source)} from ${rowsOf(ctx, source)}
    where ${sql.join(conditions, sql` and `)}`.execute(ctx.tx)
  return rows
}

/** When a record was created and changed: no ordinary fields, and what a copy is synchronized by. */
const momentField: Field = { kind: 'moment', need: true }
const moments: Readonly<Record<string, RawBuilder<unknown>>> = {
  createdAt: sql`t.created_at`,
  updatedAt: sql`t.updated_at`,
}

/** A query with the names of the list for those of the record. */
function byListNames<Q extends ListQuery>({ alsoCalled }: ListSource, query: Q): Q {
  if (!alsoCalled) return query
  const named = (name: string) => (Object.hasOwn(alsoCalled, name) ? alsoCalled[name]! : name)
  const renamed = Object.entries(query).map(([key, value]) => {
    const [name = '', ...operator] = key.split('.')
    return [[named(name), ...operator].join('.'), value]
  })
  const sort = query.sort?.replace(/^(-?)(.*)$/, (_, down: string, name: string) => down + named(name))
  return { ...Object.fromEntries(renamed), ...(sort === undefined ? {} : { sort }) } as Q
}

/** What `folded` columns are compared with for a typed text: it itself, and a phone as it is dialled. */
export const asSearched = (typed: string): string[] => {
  const phone = phoneAsked(typed)
  return [...new Set([fold(typed).replace(/[\\%_]/g, '\\$&'), ...(phone ? [phone] : [])])]
}

/** One page of a list: filters, search, order, and a cursor that stays right while rows are added. */
export async function listRows<T>(
  ctx: Ctx,
  source: ListSource,
  asked: ListQuery & { page?: number | undefined },
): Promise<ListAnswer<T>> {
  const query = byListNames(source, asked)
  const { resource, compute = {} } = source
  const fields = resource.fields as Fields
  const byChange = query.updatedSince !== undefined && !query.sort
  const [sortName, direction] = query.sort
    ? [query.sort.replace(/^-/, ''), query.sort.startsWith('-') ? 'desc' : 'asc']
    : byChange
      ? ['updatedAt', 'asc']
      : resource.list.sort
  const isMoment = Object.hasOwn(moments, sortName) && (byChange || !fieldNamed(fields, sortName))
  const moment = isMoment ? moments[sortName] : undefined
  const sortField = moment ? momentField : fieldNamed(fields, sortName)
  if (!sortField) throw failField('sort', 'fields.choice')
  refuseHidden(ctx, source, query)
  const order = moment ?? orderable(sortName, sortField, compute)

  const conditions = [...baseConditions(ctx, source), ...filtersOf(fields, query, compute, source)]
  if (query.updatedSince)
    conditions.push(sql`t.updated_at >= ${momentOfSince(query.updatedSince)}::timestamptz`)
  // The person who keeps a copy must hear of what was put away.
  const both = query.updatedSince !== undefined && query.archived === undefined
  if (!source.noArchive && !both)
    conditions.push(query.archived === 'true' ? sql`t.archived_at is not null` : sql`t.archived_at is null`)
  const q = query.q?.trim()
  if (q) {
    if (source.search) conditions.push(source.search(q, ctx))
    // The pattern is a parameter, so that the planner sees it.
    else if (resource.search)
      conditions.push(
        sql`(${sql.join(
          asSearched(q).map((one) => sql`t.id in (select ${sql.raw(resource.search!)}(${one}))`),
          sql` or `,
        )})`,
      )
    // Lists of a few dozen (accounts, kinds) are searched by what names their records.
    else {
      const pattern = `%${q.replace(/[\\%_]/g, '\\$&')}%`
      const named = [resource.title, resource.hint].flatMap((name) =>
        name ? [sql`${expressionOf(name, fields[name]!, compute)}::text ilike ${pattern}`] : [],
      )
      conditions.push(sql`(${sql.join(named, sql` or `)})`)
    }
  }
  if (query.ids) conditions.push(sql`t.id = any(${idsOf(query.ids)}::uuid[])`)
  const where = sql.join(conditions, sql` and `)
  const up = direction === 'asc'
  const from = sql`from ${rowsOf(ctx, source)}`
  const page = async (limit: number, extra: RawBuilder<boolean>[], offset: number, turned = false) => {
    const way = sql.raw(up === turned ? 'desc' : 'asc')
    const fits = extra.length ? sql`${where} and ${sql.join(extra, sql` and `)}` : where
    const inOrder = sql`order by ${order} ${way}, t.id ${way}`
    // What is only skipped is not worked out: names and computed fields are asked for the rows of the page
    // alone.
    const found = offset
      ? sql`${where} and t.id in (select t.id ${from} where ${fits} ${inOrder}
        limit ${limit} offset ${offset})`
      : fits
    const { rows } = await sql<
      T & { id: string; orderedBy: unknown }
    >`select ${selection(ctx, source)}, ${order}::text as "orderedBy" ${from}
      where ${found} ${inOrder} ${offset ? sql`` : sql`limit ${limit}`}`.execute(ctx.tx)
    return turned ? rows.toReversed() : rows
  }

  const after: RawBuilder<boolean>[] = []
  const begins = query.after ?? query.cursor
  // The pages of one reading belong together: where the next one begins was settled before the first of them.
  let nextSince = query.updatedSince && ctx.seenUntil ? sinceMark(ctx.seenUntil) : undefined
  if (begins) {
    const [value, id, settled] = readCursor(begins, query.after === undefined ? 'cursor' : 'after')
    if (query.updatedSince) nextSince = settled
    after.push(
      sql<boolean>`(${order}, t.id) ${sql.raw(up ? '>' : '<')} (${typed(sortField, value)}, ${id}::uuid)`,
    )
  }
  const size = query.limit ?? query.size
  let counted: { total: number; pages: number; page: number; size: number } | undefined
  let current = query.page ?? 1
  if (query.page) {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n ${from} where ${where}`.execute(
      ctx.tx,
    )
    const pages = Math.max(1, Math.ceil(rows[0]!.n / size))
    // The specification: a page beyond the last is page 1; the answer says which it is.
    if (current > pages) current = 1
    counted = { total: rows[0]!.n, pages, page: current, size }
  }
  const skipped = (current - 1) * size
  // What is skipped is read all the same: a page beyond the middle is reached from the end.
  const end = Math.min(skipped + size + 1, counted?.total ?? 0)
  const rows =
    counted && !after.length && skipped > counted.total - end
      ? await page(end - skipped, after, counted.total - end, true)
      : await page(size + 1, after, skipped)
  const shown = rows.slice(0, size)
  const last = shown.at(-1)
  return {
    rows: shown.map(({ orderedBy: _, ...row }) => row as T),
    nextCursor:
      rows.length > size && last
        ? Buffer.from(JSON.stringify([last.orderedBy, last.id, ...(nextSince ? [nextSince] : [])])).toString(
            'base64url',
          )
        : null,
    ...(nextSince ? { nextSince } : {}),
    ...counted,
  }
}

function idsOf(text: string): string[] {
  const ids = z.array(z.uuid()).max(300).safeParse(text.split(','))
  if (!ids.success) throw failField('ids', 'fields.ref')
  return ids.data
}

function readCursor(cursor: string, name: 'cursor' | 'after'): [string, string, string?] {
  try {
    const [value, id, nextSince] = z
      .tuple([z.string().nullable(), z.uuid(), z.string().max(80).optional()])
      .parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
    return nextSince === undefined ? [value ?? '', id] : [value ?? '', id, nextSince]
  } catch {
    throw failField(name, 'fields.text')
  }
}

/** One record by its id, or the same 'not found' whether it does not exist or belongs to another business. */
export async function oneRow<T>(ctx: Ctx, source: ListSource, id: string): Promise<T> {
  const { rows } = await sql<T>`select ${selection(ctx, source)} from ${rowsOf(ctx, source)}
    where ${sql.join(
      [
        ...baseConditions(ctx, source),
        sql<boolean>`t.id =
        ${id}::uuid`,
      ],
      sql` and `,
    )}`.execute(ctx.tx)
  if (!rows[0]) throw new Failure('kit.notFound')
  return rows[0]
}

/** Whether the caller sees this record of the list: asked for what hangs on it. */
export const seesRow =
  (source: ListSource) =>
  (ctx: Ctx, id: string): Promise<boolean> =>
    oneRow(ctx, source, id).then(
      () => true,
      () => false,
    )
