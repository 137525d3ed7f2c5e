import { sql } from 'kysely'
import type { Day, Period } from '../../../domain/day.ts'
import type { SalePaper } from '../../../domain/vat/papers.ts'
import type { Ctx } from '../../../kit/server/context.ts'
import type { BasisChange } from './basis.ts'
import { sumsOf, type DaySums } from './books.ts'
import { salesOf } from './papers.ts'

/** Of a period the sales among its documents and its entries of sales and VAT, in the order of their days. */
export interface ReadDays {
  sales: readonly SalePaper[]
  sums: readonly DaySums[]
}

/** What they follow from beside documents and lines: the accounts that are summed, and a mark of all else. */
export interface Under {
  mark: string
  accounts: readonly string[]
  changes: readonly BasisChange[]
}

interface KeptDay {
  mark: string
  sales: SalePaper[]
  sums: DaySums[]
}

/** By business and period; the one that was not asked for longest goes first. */
const kept = new Map<string, { under: string; days: Map<Day, KeptDay>; size: number }>()
/** Papers and entries of all of them: some thirty megabytes. */
const mostKept = 100_000

/**
 * Reads a period of which nothing waits for payment and nothing came from another program, from the first to the last day that is not as it was when it
 * was last read; all others are as they were, because issued documents and posted lines only ever grow in number.
 */
export async function readDays(ctx: Ctx, period: Period, under: Under): Promise<ReadDays> {
  const name = `${ctx.companyId} ${period.from} ${period.to}`
  const marks = await marksOf(ctx, period, under.accounts)
  const before = kept.get(name)
  const days = new Map(before?.under === under.mark ? before.days : [])
  const changed = [...marks.keys()].filter((day) => days.get(day)?.mark !== marks.get(day)).toSorted()
  if (changed.length) {
    const part = { from: changed[0]!, to: changed.at(-1)! }
    for (const day of days.keys()) if (day >= part.from && day <= part.to) days.delete(day)
    const on = (day: Day): KeptDay => {
      let of = days.get(day)
      // A day that is not among the marks came between the two questions: it is read again the next time.
      if (!of) days.set(day, (of = { mark: marks.get(day) ?? '', sales: [], sums: [] }))
      return of
    }
    // Also those in between of which nothing is counted: they are known too.
    for (const day of marks.keys()) if (day >= part.from && day <= part.to) on(day)
    for (const sale of await salesOf(ctx, part, new Map(), under.changes)) on(sale.day).sales.push(sale)
    for (const sums of await sumsOf(ctx, part, under.changes)) on(sums.day).sums.push(sums)
  }
  const inOrder = [...days].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, day]) => day)
  const read = { sales: inOrder.flatMap(({ sales }) => sales), sums: inOrder.flatMap(({ sums }) => sums) }
  kept.delete(name)
  kept.set(name, { under: under.mark, days, size: read.sales.length + read.sums.length })
  let size = [...kept.values()].reduce((all, one) => all + one.size, 0)
  for (const [oldest, one] of kept) {
    if (size <= mostKept) break
    kept.delete(oldest)
    size -= one.size
  }
  return read
}

/** Of each day with anything in it: its documents by type and its lines by account, in number and in sum. */
async function marksOf(ctx: Ctx, { from, to }: Period, accounts: readonly string[]): Promise<Map<Day, string>> {
  const { rows } = await sql<{ day: Day; mark: string }>`
    with papers as (select d.day, d.type, count(*) as n, sum(d.ils_net_agorot) as net, sum(d.ils_vat_agorot) as vat, sum(d.ils_untaxed_agorot) as untaxed,
          count(d.allocation_number) as allocations from documents d
        where d.company_id = ${ctx.companyId} and d.status <> 'draft' and d.type in (8, 9, 10, 12) and d.day between ${from} and ${to} group by 1, 2),
      lines as (select p.day, p.account_id, count(*) as n, sum(p.amount_agorot) as amount from postings p
        where p.company_id = ${ctx.companyId} and p.account_id = any(${accounts}::uuid[]) and p.day between ${from} and ${to} group by 1, 2)
    select day, string_agg(told, ' ' order by told) as mark from (
        select day, concat_ws(':', type, n, net, vat, untaxed, allocations) as told from papers
        union all select day, concat_ws(':', account_id, n, amount) from lines) x
    group by day`.execute(ctx.tx)
  return new Map(rows.map(({ day, mark }) => [day, mark]))
}
