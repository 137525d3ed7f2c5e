import { sql } from 'kysely'
import type { Day } from '#domain/day.ts'
import { seesWhole } from '#kit/describe/session.ts'
import { day, money, number, percent, ref, text } from '#kit/fields/field.ts'
import type { Ctx } from '#kit/server/context.ts'
import { defineReport } from '#kit/server/reports.ts'
import { say } from '#kit/server/words.ts'
import { sumsOfUnits, unitOf, type OfUnit } from '../kept.ts'
import { customersOf } from '../names.ts'
import { incomeOf, shareBp, sign, type Narrowed } from '../parts.ts'

/** What each customer bought in a period, in shekels, the largest first: what was invoiced, what was credited, his part of all. */
export const perCustomer = defineReport({
  name: 'perCustomer',
  feature: 'salesReports',
  group: 'sales',
  path: '/invoice/reportpercustomer',
  allow: 'reports.sales',
  respects: ['ownCustomers', 'documentTypes'],
  filters: {
    from: day({ need: true }),
    to: day({ need: true }),
    customer: ref('customers'),
    customerType: ref('customerTypes'),
    agent: ref('agents'),
  },
  key: ['customer'],
  columns: {
    customer: text(),
    count: number(),
    lastDay: day(),
    invoicedAgorot: money(),
    creditedAgorot: { ...money(), whenFilled: true },
    netAgorot: { ...money(), main: true },
    exemptAgorot: { ...money(), whenFilled: true },
    vatAgorot: money(),
    totalAgorot: money(),
    shareBp: percent(),
  },
  totals: ['count', 'invoicedAgorot', 'creditedAgorot', 'netAgorot', 'exemptAgorot', 'vatAgorot', 'totalAgorot'],
  rows: async (ctx, { from, to, ...asked }) => {
    const names = await customersOf(ctx)
    const rows = new Map<string, Turnover & OfUnit & { customer: string; known: string | null }>()
    for (const one of await turnoverOf(ctx, from, to, asked)) {
      const found = one.id === null ? undefined : names.get(one.id)
      const before = rows.get(found?.id ?? '')
      if (before) add(before, one)
      else
        rows.set(found?.id ?? '', {
          ...one,
          known: found?.id ?? null,
          customer: found?.name ?? say(ctx.caller.language, 'salesReports.noCustomer'),
        })
    }
    const all = [...rows.values()]
    const whole = all.reduce((sum, { invoicedAgorot, creditedAgorot }) => sum + invoicedAgorot + creditedAgorot, 0)
    return all
      .map(({ id: _, unit: _unit, known, creditedAgorot, exemptAgorot, ...row }) => {
        const netAgorot = row.invoicedAgorot + creditedAgorot
        return {
          ...row,
          creditedAgorot: creditedAgorot || null,
          netAgorot,
          exemptAgorot: exemptAgorot || null,
          shareBp: ctx.caller.hideTotalPrices ? null : shareBp(netAgorot, whole),
          open: known ? `/invoice/documents?customerId=${known}&day.gte=${from}&day.lte=${to}` : null,
        }
      })
      .toSorted((one, other) => other.netAgorot - one.netAgorot || (one.customer < other.customer ? -1 : 1))
  },
  must: {
    creditsTakeAway: (t) => t.invoicedAgorot! + t.creditedAgorot! === t.netAgorot,
    netAndVat: (t) => Math.abs(t.netAgorot! + t.vatAgorot! - t.totalAgorot!) <= 100 * (t.count ?? 0),
  },
})

interface Turnover {
  id: string | null
  count: number
  lastDay: Day
  invoicedAgorot: number
  /** With a minus. */
  creditedAgorot: number
  exemptAgorot: number
  vatAgorot: number
  totalAgorot: number
}

/** The papers of a period by the card they were written to; of all customers they are kept by months and days. */
async function turnoverOf(ctx: Ctx, from: Day, to: Day, asked: Narrowed): Promise<readonly Readonly<Turnover & OfUnit>[]> {
  const read = async (first: Day, last: Day) =>
    (
      await sql<
        Turnover & OfUnit
      >`select ${unitOf(ctx, sql`d.day`)} as unit, d.customer_id as id, count(*)::int as count, max(d.day) as "lastDay",
        coalesce(sum(d.ils_net_agorot) filter (where d.type <> 10), 0)::bigint as "invoicedAgorot", coalesce(-sum(d.ils_net_agorot) filter (where d.type = 10), 0)::bigint as "creditedAgorot",
        sum((${sign}) * d.ils_untaxed_agorot)::bigint as "exemptAgorot", sum((${sign}) * d.ils_vat_agorot)::bigint as "vatAgorot", sum((${sign}) * d.ils_total_agorot)::bigint as "totalAgorot"
      from documents d where ${incomeOf(ctx, first, last, asked)} group by 1, 2`.execute(ctx.tx)
    ).rows
  const isKept = seesWhole(ctx.caller) && Object.values(asked).every((one) => one === undefined)
  return isKept ? [...(await sumsOfUnits(ctx, 'turnover', { from, to }, '', read, add)).values()] : read(from, to)
}

function add(sum: Turnover, row: Turnover): void {
  sum.count += row.count
  sum.invoicedAgorot += row.invoicedAgorot
  sum.creditedAgorot += row.creditedAgorot
  sum.exemptAgorot += row.exemptAgorot
  sum.vatAgorot += row.vatAgorot
  sum.totalAgorot += row.totalAgorot
  if (row.lastDay > sum.lastDay) sum.lastDay = row.lastDay
}
