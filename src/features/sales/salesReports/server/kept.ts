import { sql, type RawBuilder } from 'kysely'
import { addDays, addMonths, endOfMonth, startOfMonth, type Day, type Period } from '#domain/day.ts'
import type { Ctx } from '#kit/server/context.ts'

/*
 * A year of a large business has a million sold lines. What they come to is worked out once for each month
 * that is over and for each day of the last two, and kept in this process: what is read again are the days
 * that changed since, which `book_days` says.
 */

/** A row of what was worked out; `unit` is the first day of the month or the day it is of. */
export interface OfUnit {
  unit: Day
}

interface Unit {
  from: Day
  to: Day
}

/** From here on each day is stored separately. */
const recentOf = (today: Day): Day => addMonths(startOfMonth(today), -1)

/** The months and the days of a period; a month of which a part is asked for is none. */
function unitsOf(from: Day, to: Day, today: Day): { units: Unit[]; parts: Unit[] } {
  const recent = recentOf(today)
  const units: Unit[] = []
  const parts: Unit[] = []
  let day = from
  while (day <= to && day < recent) {
    const [first, last] = [startOfMonth(day), endOfMonth(day)]
    if (day === first && last <= to) units.push({ from: first, to: last })
    else parts.push({ from: day, to: last < to ? last : to })
    day = addDays(last, 1)
  }
  for (; day <= to && day <= today; day = addDays(day, 1)) units.push({ from: day, to: day })
  // Papers of days to come are few, and change as they like.
  if (day <= to) parts.push({ from: day, to })
  return { units, parts }
}

/** By business and question; the one that was not asked for longest goes first. */
const kept = new Map<
  string,
  { under: string; units: Map<Day, { mark: string; rows: readonly OfUnit[] }>; size: number }
>()
/** Rows of all of them: some tens of megabytes. */
const mostKept = 300_000

/** The unit a day `column` is of, for the person who groups by it. */
export const unitOf = (ctx: Ctx, column: RawBuilder<unknown>): RawBuilder<Day> =>
  sql`case when ${column} >= ${recentOf(ctx.today)}::date then ${column}
      else date_trunc('month', ${column})::date end`

/**
 * The rows of a period in the units they are kept by. `under` is a mark of what they follow from beside the
 * papers of their days; `read` works them out for a stretch of days. For those who see the business whole:
 * what others see is not kept.
 */
export async function rowsOfUnits<R extends OfUnit>(
  ctx: Ctx,
  question: string,
  period: Period,
  under: string,
  read: (from: Day, to: Day) => Promise<R[]>,
): Promise<R[]> {
  const { units, parts } = await unitsRead(ctx, question, period, under, read)
  return [...units.flatMap(({ rows }) => rows), ...parts]
}

/** A row of something by its id. */
interface OfOne extends OfUnit {
  id: string | null
}

/** Months and days summed by id, as they were last asked for. */
const summed = new Map<string, { mark: string; sums: ReadonlyMap<string | null, OfOne> }>()

/**
 * The same, summed by id: `add` adds a row to the sum of those before it. The totals of past months, and those of
 * the last requested period, are stored beside their rows, so that reading a year does not add up every day again.
 */
export async function sumsOfUnits<R extends OfOne>(
  ctx: Ctx,
  question: string,
  period: Period,
  under: string,
  read: (from: Day, to: Day) => Promise<R[]>,
  add: (sum: R, row: R) => void,
): Promise<ReadonlyMap<string | null, Readonly<R>>> {
  const { units, parts } = await unitsRead(ctx, question, period, under, read)
  const recent = recentOf(ctx.today)
  const months = units.filter(({ unit }) => unit < recent)
  const days = units.filter(({ unit }) => unit >= recent)
  const name = `${ctx.companyId} ${question}`
  const markOf = (some: typeof units) => `${under} ${some.map(({ unit, mark }) => `${unit} ${mark}`).join()}`
  const keptSums = (
    which: string,
    mark: string,
    make: () => Map<string | null, R>,
  ): ReadonlyMap<string | null, R> => {
    const known = summed.get(`${name} ${which}`)
    const sums = known?.mark === mark ? (known.sums as ReadonlyMap<string | null, R>) : make()
    summed.delete(`${name} ${which}`)
    summed.set(`${name} ${which}`, { mark, sums })
    return sums
  }
  const addAll = (sums: Map<string | null, R>, rows: readonly R[]) => {
    for (const row of rows) {
      const sum = sums.get(row.id)
      // What is kept stays as it is.
      if (sum) add(sum, row)
      else sums.set(row.id, { ...row })
    }
    return sums
  }
  const copy = (sums: ReadonlyMap<string | null, R>) =>
    new Map([...sums].map(([id, sum]) => [id, { ...sum }]))
  const all = keptSums('all', markOf(units), () => {
    const before = keptSums('months', markOf(months), () =>
      addAll(
        new Map(),
        months.flatMap(({ rows }) => rows),
      ),
    )
    return addAll(
      copy(before),
      days.flatMap(({ rows }) => rows),
    )
  })
  forgetSums()
  return parts.length > 0 ? addAll(copy(all), parts) : all
}

function forgetSums(): void {
  let size = [...summed.values()].reduce((sum, one) => sum + one.sums.size, 0)
  for (const [oldest, one] of summed) {
    if (size <= mostKept) break
    summed.delete(oldest)
    size -= one.sums.size
  }
}

interface ReadUnit<R> {
  unit: Day
  mark: string
  rows: readonly R[]
}

/** The units of a period, read where they changed, and the rows of what is none. */
async function unitsRead<R extends OfUnit>(
  ctx: Ctx,
  question: string,
  { from, to }: Period,
  under: string,
  read: (from: Day, to: Day) => Promise<R[]>,
): Promise<{ units: ReadUnit<R>[]; parts: R[] }> {
  const { units, parts } = unitsOf(from, to, ctx.today)
  const marks = units.length ? await marksOf(ctx, units[0]!.from, units.at(-1)!.to) : new Map<Day, string>()
  const name = `${ctx.companyId} ${question}`
  const before = kept.get(name)
  const known = new Map(before?.under === under ? before.units : [])
  const changed = units.filter((unit) => known.get(unit.from)?.mark !== (marks.get(unit.from) ?? ''))
  for (const stretch of stretchesOf(changed)) {
    const rows = new Map<Day, R[]>()
    for (const row of await read(stretch[0]!.from, stretch.at(-1)!.to)) {
      const of = rows.get(row.unit)
      if (of) of.push(row)
      else rows.set(row.unit, [row])
    }
    for (const unit of stretch)
      known.set(unit.from, { mark: marks.get(unit.from) ?? '', rows: rows.get(unit.from) ?? [] })
  }
  const besides: R[] = []
  for (const part of parts) besides.push(...(await read(part.from, part.to)))
  keep(name, under, known)
  return {
    units: units.map(({ from: unit }) => ({
      unit,
      ...(known.get(unit) as { mark: string; rows: readonly R[] }),
    })),
    parts: besides,
  }
}

/** Units that follow each other are read at once. */
function stretchesOf(units: readonly Unit[]): Unit[][] {
  const stretches: Unit[][] = []
  for (const unit of units) {
    const last = stretches.at(-1)
    if (last && addDays(last.at(-1)!.to, 1) === unit.from) last.push(unit)
    else stretches.push([unit])
  }
  return stretches
}

/** Of each unit a mark that changes with the papers of its days. */
async function marksOf(ctx: Ctx, from: Day, to: Day): Promise<Map<Day, string>> {
  const { rows } = await sql<{
    unit: Day
    mark: string
  }>`/*=*/ select ${unitOf(ctx, sql`b.day`)} as unit, count(*) || ' ' || max(b.change) || ' ' || sum(b.change)
      as mark
    from book_days b where b.company_id = ${ctx.companyId} and b.day between ${from} and ${to}
    group by 1`.execute(ctx.tx)
  return new Map(rows.map(({ unit, mark }) => [unit, mark]))
}

function keep(name: string, under: string, units: Map<Day, { mark: string; rows: readonly OfUnit[] }>): void {
  kept.delete(name)
  kept.set(name, { under, units, size: [...units.values()].reduce((sum, { rows }) => sum + rows.length, 0) })
  let size = [...kept.values()].reduce((sum, one) => sum + one.size, 0)
  for (const [oldest, one] of kept) {
    if (size <= mostKept) break
    kept.delete(oldest)
    size -= one.size
  }
}
