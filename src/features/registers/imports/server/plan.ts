import { sql } from 'kysely'
import { parseDecimal4 } from '#domain/quantity.ts'
import { Failure, type Params } from '#kit/describe/errors.ts'
import type { Field, Fields } from '#kit/fields/field.ts'
import type { Ctx } from '#kit/server/context.ts'
import { failureOf } from '#kit/server/contract/failures.ts'
import { isAnyOf } from '#kit/server/described/bulk.ts'
import { rowsWhere } from '#kit/server/data/lists.ts'
import {
  isSame,
  servedInAll,
  settled,
  startOf,
  type ServedResource,
} from '#kit/server/described/resources.ts'
import type { ImportOptions, Outcome } from '../endpoints.ts'
import { identityOf, type Target } from './fields.ts'

export interface Fault {
  /** Counted from 0; null when it is the row's as a whole. */
  column: number | null
  field: string | null
  code: string
  params?: Params
}

export interface GivenRow {
  row: number
  given: Record<string, unknown>
  faults: Fault[]
}

export interface Planned {
  row: number
  outcome: Outcome
  given: Record<string, unknown>
  faults: Fault[]
  keys: string[]
  targetId: string | null
  /** The record as it is, when there is one. */
  before: Record<string, unknown> | undefined
  /** What would be saved. */
  values: Record<string, unknown>
  /** The fields that change. */
  changed: string[]
}

type Found = Record<string, unknown> & { id: string }

const filled = (value: unknown): value is string | number =>
  value !== null && value !== undefined && value !== ''

/** Values that are written in several ways are compared by what they say. */
const same = (field: Field | undefined, left: unknown, right: unknown): boolean =>
  field && ['price', 'quantity'].includes(field.kind) && filled(left) && filled(right)
    ? parseDecimal4(left) === parseDecimal4(right)
    : isSame(left ?? null, right ?? null)

/** A value as it is compared with the one that is kept. */
const plainValue = (field: Field | undefined, value: unknown): string => {
  if (!filled(value)) return ''
  const exact = field && ['price', 'quantity'].includes(field.kind) ? parseDecimal4(value) : undefined
  return exact === undefined ? String(value) : String(exact)
}

const keyText = (fields: Fields, names: readonly string[], values: Record<string, unknown>): string =>
  `${names.join('+')}=${names.map((name) => plainValue(fields[name], values[name] ?? fields[name]?.start)).join('\t')}`

/**
 * By which of its fields a row is known: the first field no two may share that it has, or what tells it
 * otherwise; undefined when it lacks that.
 */
export function keyNames(
  source: ServedResource,
  given: Record<string, unknown>,
  matchBy: string,
): readonly string[] | undefined {
  if (matchBy !== 'auto') return filled(given[matchBy]) ? [matchBy] : undefined
  const { unique, together } = identityOf(source)
  const fields = source.resource.fields as Fields
  const own = unique.find((name) => filled(given[name]))
  if (own !== undefined) return [own]
  return together.every((name) => !fields[name]!.need || filled(given[name] ?? fields[name]!.start)) &&
    together.length
    ? together
    : undefined
}

/**
 * Judges rows: new, a change of what is there, no change, to be skipped, or faulty and why. Saves nothing;
 * `beforeSave` may have written on the way, so the person who only asks takes that back.
 */
export async function plan(
  ctx: Ctx,
  source: ServedResource,
  targets: Target[],
  rows: GivenRow[],
  options: ImportOptions,
): Promise<Planned[]> {
  const { resource } = source
  const fields = resource.fields as Fields
  const unique = (resource.unique ?? []) as string[]
  const there = await existing(ctx, source, rows, options.matchBy)
  const needed = targets.filter(({ field }) => field.need && field.start === undefined)
  const planned: Planned[] = []
  for (const { row, given, faults } of rows) {
    const key = keyNames(source, given, options.matchBy)
    const keys = [
      ...new Set([
        ...unique.flatMap((name) => (filled(given[name]) ? [keyText(fields, [name], given)] : [])),
        ...(key ? [keyText(fields, key, given)] : []),
      ]),
    ]
    const one: Planned = {
      row,
      outcome: 'faulty',
      given,
      faults: [...faults],
      keys,
      targetId: null,
      before: undefined,
      values: {},
      changed: [],
    }
    planned.push(one)
    // A record is looked for by each field no two may share, in their order, and is nobody else's: an earlier
    // one says another.
    const ways =
      options.matchBy === 'auto'
        ? [...unique.filter((name) => filled(given[name])).map((name) => [name]), ...(key ? [key] : [])]
        : key
          ? [key]
          : []
    const found = ways.map((names, at) =>
      (there.get(keyText(fields, names, given)) ?? []).filter((record) =>
        ways
          .slice(0, at)
          .every((earlier) => !earlier.every((name) => unique.includes(name) && filled(record[name]))),
      ),
    )
    const matches = found.find((records) => records.length) ?? []
    if (matches.length > 1)
      one.faults.push({
        column: null,
        field: key!.at(-1)!,
        code: 'imports.manyMatch',
        params: { count: matches.length },
      })
    const before = matches[0]
    if (before) {
      one.before = before
      one.targetId = before.id
    } else
      for (const { name } of needed)
        if (!filled(given[name]) && !faults.some((fault) => fault.field === name))
          one.faults.push({ column: null, field: name, code: 'fields.need' })
    // What no two records may share must not be another record's.
    for (const name of unique) {
      const others = filled(given[name])
        ? (there.get(keyText(fields, [name], given)) ?? []).filter(({ id }) => id !== before?.id)
        : []
      if (others.length && matches.length < 2)
        one.faults.push({
          column: null,
          field: name,
          code: 'fields.taken',
          params: { name: String(others[0]![resource.title] ?? '') },
        })
    }
    if (one.faults.length) continue
    if (before && options.existing === 'skip') {
      one.outcome = 'skip'
      continue
    }
    await judge(ctx, source, targets, one, fields)
  }
  return planned
}

async function judge(
  ctx: Ctx,
  source: ServedResource,
  targets: Target[],
  one: Planned,
  fields: Fields,
): Promise<void> {
  let values = settled(fields, one.before ? {} : startOf(fields))
  for (const target of targets) {
    if (!(target.name in one.given)) continue
    if (target.put)
      values = target.put(
        { ...(one.before ? { own: one.before.own } : {}), ...values },
        one.given[target.name],
      )
    else values[target.name] = one.given[target.name]
  }
  if (one.before) {
    const changed = Object.keys(values).filter((name) => !same(fields[name], one.before![name], values[name]))
    if (!changed.length) {
      one.outcome = 'same'
      return
    }
    values = Object.fromEntries(changed.map((name) => [name, values[name]]))
  }
  try {
    one.values = source.beforeSave ? await source.beforeSave(ctx, values, one.before) : values
  } catch (e) {
    // What the database itself refused ends the transaction's worth; the caller goes back to where it stood.
    if (!(e instanceof Failure)) throw e
    one.faults.push(...faultsOf(e))
    return
  }
  one.changed = one.before
    ? Object.keys(one.values).filter(
        (name) => fields[name] && !same(fields[name], one.before![name], one.values[name]),
      )
    : []
  one.outcome = one.before ? (one.changed.length ? 'change' : 'same') : 'create'
}

/** A refusal as faults of a row. */
export function faultsOf(e: unknown): Fault[] {
  const failure = failureOf(e)
  if (failure.errors.length)
    return failure.errors.map(({ path, code, params }) => ({
      column: null,
      field: path.split('.')[0] || null,
      code,
      ...(params ? { params } : {}),
    }))
  return [{ column: null, field: null, code: failure.code, params: failure.params }]
}

/** The living records that the rows could match, by each identifying field. */
async function existing(
  ctx: Ctx,
  source: ServedResource,
  rows: GivenRow[],
  matchBy: string,
): Promise<Map<string, Found[]>> {
  const fields = source.resource.fields as Fields
  const ways = new Map<string, readonly string[]>()
  for (const { given } of rows) {
    const key = keyNames(source, given, matchBy)
    if (key) ways.set(key.join('+'), key)
    for (const name of (source.resource.unique ?? []) as string[])
      if (filled(given[name])) ways.set(name, [name])
  }
  const found = new Map<string, Found[]>()
  if (!ways.size) return found
  const conditionsIn = (spoken: ServedResource) =>
    [...ways.values()].map((names) => {
      // What every row has narrows the search; the rest is compared afterwards.
      const parts = names.flatMap((name) => {
        if (!['text', 'ref', 'taxId', 'choice'].includes(fields[name]!.kind)) return []
        const values = rows.map(({ given }) => given[name] ?? fields[name]!.start)
        const known = [...new Set(values.filter(filled).map(String))]
        return known.length && (names.length === 1 || values.every(filled))
          ? [isAnyOf(spoken, name, known)]
          : []
      })
      return parts.length ? sql`(${sql.join(parts, sql` and `)})` : sql`true`
    })
  // Records that have a word for a name are meant by it in any language.
  const all = servedInAll(ctx, source.resource.name)
  const variants = all.length > 1 && all[0]!.resource === source.resource ? all : [source]
  for (const spoken of variants)
    for (const record of await rowsWhere<Found>(
      ctx,
      spoken,
      sql`(${sql.join(conditionsIn(spoken), sql` or `)})`,
    ))
      for (const names of ways.values()) {
        const text = keyText(fields, names, record)
        const before = found.get(text) ?? []
        // In another language it may be known by the same text.
        if (!before.some(({ id }) => id === record.id)) found.set(text, [...before, record])
      }
  return found
}

/** Finds what rows refer to by name or number; asked once per text. */
export class References {
  readonly #known = new Map<string, string | { code: string; params: Params }>()

  async resolve(ctx: Ctx, asked: { target: Target; text: string }[]): Promise<void> {
    const open = asked.filter(({ target, text }) => !this.#known.has(`${target.name}=${text}`))
    for (const name of new Set(open.map(({ target }) => target.name))) {
      const { field } = open.find(({ target }) => target.name === name)!.target
      const texts = [...new Set(open.filter(({ target }) => target.name === name).map(({ text }) => text))]
      const found = new Map<string, Set<string>>()
      for (const pointed of servedInAll(ctx, field.to ?? '')) {
        const wanted = texts.filter((text) => !found.has(text))
        if (!wanted.length) break
        const now = new Map<string, Set<string>>()
        const described = pointed.resource.fields as Fields
        const { title, hint, unique } = pointed.resource as {
          title: string
          hint?: string
          unique?: string[]
        }
        const by = [...new Set([title, ...(hint ? [hint] : []), ...(unique ?? [])])].filter(
          (one) => described[one],
        )
        const either = sql.join(
          [
            ...by.map((one) => isAnyOf(pointed, one, wanted)),
            sql<boolean>`t.id::text = any(${wanted}::text[])`,
          ],
          sql` or `,
        )
        for (const record of await rowsWhere<Found>(ctx, pointed, sql`(${either})`))
          for (const one of ['id', ...by]) {
            const text = String(record[one] ?? '')
            if (wanted.includes(text)) now.set(text, (now.get(text) ?? new Set()).add(record.id))
          }
        for (const [text, ids] of now) found.set(text, ids)
      }
      for (const text of texts) {
        const ids = [...(found.get(text) ?? [])]
        this.#known.set(
          `${name}=${text}`,
          ids.length === 1
            ? ids[0]!
            : {
                code: ids.length ? 'imports.refMany' : 'imports.refMissing',
                params: { text: text.slice(0, 60) },
              },
        )
      }
    }
  }

  of(target: Target, text: string): string | { code: string; params: Params } {
    return this.#known.get(`${target.name}=${text}`) ?? { code: 'imports.refMissing', params: { text } }
  }
}
