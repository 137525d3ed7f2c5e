import { sql } from 'kysely'
import type { Day } from '#domain/day.ts'
import { seesWhole } from '#kit/describe/session.ts'
import { currency, day, money, number, percent, ref, text } from '#kit/fields/field.ts'
import type { Ctx } from '#kit/server/context.ts'
import {
  incomeNet,
  incomeTotal,
  incomeUntaxed,
  isCredit,
  isNotCredit,
} from '#kit/server/data/documentFacts.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { say } from '#kit/server/words.ts'
import { sumsOfUnits, unitOf, type OfUnit } from '../kept.ts'
import { customersOf } from '../names.ts'
import { incomeOf, shareBp, sign, type Narrowed } from '../parts.ts'

/**
 * What each customer bought in a period, in shekels, the largest first: what was invoiced, what was credited, the
 * share of the total.
 */
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
    currency: currency(),
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
  totals: [
    'count',
    'invoicedAgorot',
    'creditedAgorot',
    'netAgorot',
    'exemptAgorot',
    'vatAgorot',
    'totalAgorot',
  ],
  rows: async (ctx, { from, to, ...asked }, most) => {
    const all = await byCustomer(ctx, from, to, asked)
    const whole = all.reduce((sum, one) => sum + netOf(one), 0)
    const shown = all.toSorted((one, other) => netOf(other) - netOf(one)).slice(0, most ?? all.length)
    const inOne = asked.currency ? `&currency=${asked.currency}` : ''
    const names = await customersOf(
      ctx,
      most === null ? undefined : shown.flatMap(({ known }) => known ?? []),
    )
    return shown
      .map(({ known, ...one }) => {
        const netAgorot = netOf(one)
        return {
          customer: names.get(known ?? '')?.name ?? say(ctx.caller.language, 'salesReports.noCustomer'),
          count: one.count,
          lastDay: one.lastDay,
          invoicedAgorot: one.invoicedAgorot,
          creditedAgorot: one.creditedAgorot || null,
          netAgorot,
          exemptAgorot: one.exemptAgorot || null,
          vatAgorot: one.vatAgorot,
          totalAgorot: one.totalAgorot,
          shareBp: ctx.caller.hideTotalPrices ? null : shareBp(netAgorot, whole),
          open: known ? `/invoice/documents?customerId=${known}&day.gte=${from}&day.lte=${to}${inOne}` : null,
        }
      })
      .toSorted((one, other) => other.netAgorot - one.netAgorot || (one.customer < other.customer ? -1 : 1))
  },
  sums: async (ctx, { from, to, ...asked }) => {
    const all = await byCustomer(ctx, from, to, asked)
    const total = (of: (one: Turnover) => number) => all.reduce((sum, one) => sum + of(one), 0)
    return {
      rows: all.length,
      totals: {
        count: total(({ count }) => count),
        invoicedAgorot: total(({ invoicedAgorot }) => invoicedAgorot),
        creditedAgorot: total(({ creditedAgorot }) => creditedAgorot),
        netAgorot: total(netOf),
        exemptAgorot: total(({ exemptAgorot }) => exemptAgorot),
        vatAgorot: total(({ vatAgorot }) => vatAgorot),
        totalAgorot: total(({ totalAgorot }) => totalAgorot),
      },
    }
  },
  must: {
    creditsTakeAway: (t) => t.netAgorot === t.invoicedAgorot! + t.creditedAgorot!,
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

const netOf = ({ invoicedAgorot, creditedAgorot }: Turnover): number => invoicedAgorot + creditedAgorot

/** The turnover of each customer; a merged one counts for the remaining one, and `known` is its id. */
async function byCustomer(
  ctx: Ctx,
  from: Day,
  to: Day,
  asked: Narrowed,
): Promise<(Turnover & { known: string | null })[]> {
  const { rows: merged } = await sql<{
    card: string
    id: string
  }>`select id as card, merged_into as id from parties
    where company_id = ${ctx.companyId} and role = 'customer' and merged_into is not null`.execute(ctx.tx)
  const known = new Map(merged.map(({ card, id }) => [card, id]))
  const rows = new Map<string | null, Turnover & { known: string | null }>()
  for (const one of await turnoverOf(ctx, from, to, asked)) {
    const id = one.id === null ? null : (known.get(one.id) ?? one.id)
    const before = rows.get(id)
    if (before) add(before, one)
    else rows.set(id, { ...one, known: id })
  }
  return [...rows.values()]
}

/**
 * The papers of a period by the card they were written to; of all customers they are kept by months and days.
 */
async function turnoverOf(
  ctx: Ctx,
  from: Day,
  to: Day,
  asked: Narrowed,
): Promise<readonly Readonly<Turnover & OfUnit>[]> {
  const read = async (first: Day, last: Day) =>
    (
      await sql<
        Turnover & OfUnit
      >`select ${unitOf(ctx, sql`d.day`)} as unit, d.customer_id as id, count(*)::int as count,
          max(d.day) as "lastDay",
        coalesce(sum(${incomeNet('d')}) filter (where ${isNotCredit('d')}), 0)::bigint as "invoicedAgorot",
        coalesce(-sum(${incomeNet('d')}) filter (where ${isCredit('d')}), 0)::bigint as "creditedAgorot",
        sum((${sign}) * ${incomeUntaxed('d')})::bigint as "exemptAgorot",
        sum((${sign}) * d.ils_vat_agorot)::bigint as "vatAgorot", sum((${sign}) * ${incomeTotal('d')})::bigint
        as "totalAgorot"
      from documents d where ${incomeOf(ctx, first, last, asked)} group by 1, 2`.execute(ctx.tx)
    ).rows
  const isKept = seesWhole(ctx.caller) && Object.values(asked).every((one) => one === undefined)
  return isKept
    ? [...(await sumsOfUnits(ctx, 'turnover', { from, to }, '', read, add)).values()]
    : read(from, to)
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
