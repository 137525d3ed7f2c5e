import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { addDays, type Day, type Period } from '#domain/day.ts'
import { partOf, type Part } from '#domain/vat/part.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { BasisChange } from './basis.ts'
import { sumsOf, type DaySums } from './books.ts'
import { salesOf } from './papers.ts'

export type DayPart = Part<DaySums>

/**
 * Of each day of the period a mark that changes with its documents and its lines in the books; empty while
 * nothing was written to it since this is kept.
 */
export async function marksOfDays(ctx: Ctx, { from, to }: Period): Promise<Map<Day, string>> {
  const { rows } = await sql<{
    day: Day
    mark: string
  }>`/*=*/ select day, string_agg(change::text, ' ' order by slot) as mark from book_days
    where company_id = ${ctx.companyId} and day between ${from} and ${to} group by day`.execute(ctx.tx)
  const marks = new Map(rows.map(({ day, mark }) => [day, mark]))
  const all = new Map<Day, string>()
  for (let day = from; day <= to; day = addDays(day, 1)) all.set(day, marks.get(day) ?? '')
  return all
}

/** What the parts of a period follow from beside its days. */
export interface Under {
  mark: string
  dealer: string
  /** How the authority names it. */
  period: string
  basis: readonly BasisChange[]
}

/** By business and period; the one that was not asked for longest goes first. */
const kept = new Map<
  string,
  { under: string; days: Map<Day, { mark: string; part: DayPart }>; size: number }
>()
/** Papers and entries of all of them: some hundred megabytes. */
const mostKept = 100_000

/**
 * The days of a period of which nothing waits for payment and nothing came from another program, each worked
 * out separately: read are those from the first to the last that changed since they were last read.
 */
export async function partsByDay(
  ctx: Ctx,
  period: Period,
  marks: ReadonlyMap<Day, string>,
  under: Under,
): Promise<DayPart[]> {
  const name = `${ctx.companyId} ${period.from} ${period.to}`
  const before = kept.get(name)
  const days = new Map(before?.under === under.mark ? before.days : [])
  const changed = [...marks.keys()].filter((day) => days.get(day)?.mark !== marks.get(day))
  if (changed.length) {
    const read = { from: changed[0]!, to: changed.at(-1)! }
    const sales = byDay(await salesOf(ctx, read, new Map(), under.basis))
    const sums = byDay(await sumsOf(ctx, read, under.basis))
    for (let day = read.from; day <= read.to; day = addDays(day, 1)) {
      days.set(day, { mark: marks.get(day)!, part: partOf(sales.get(day) ?? [], sums.get(day) ?? [], under) })
      // A month of thousands of papers takes a while at first: others get their turn between its days.
      await turn()
    }
  }
  const parts = [...marks.keys()].map((day) => days.get(day)!.part)
  kept.delete(name)
  kept.set(name, {
    under: under.mark,
    days,
    size: parts.reduce((all, { sales, sums }) => all + sales.length + sums.length, 0),
  })
  let size = [...kept.values()].reduce((all, one) => all + one.size, 0)
  for (const [oldest, one] of kept) {
    if (size <= mostKept) break
    kept.delete(oldest)
    size -= one.size
  }
  return parts
}

function byDay<T extends { day: Day }>(rows: readonly T[]): Map<Day, T[]> {
  const days = new Map<Day, T[]>()
  for (const row of rows) {
    const of = days.get(row.day)
    if (of) of.push(row)
    else days.set(row.day, [row])
  }
  return days
}
