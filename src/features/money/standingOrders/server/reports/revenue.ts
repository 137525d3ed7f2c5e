import { sql } from 'kysely'
import { addMonths, endOfMonth, startOfMonth, type Day } from '#domain/day.ts'
import {
  movements,
  overProducts,
  revenueByMonth,
  revenueByProduct,
  type Movement,
} from '#domain/standingOrders/recurring.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, money, number, text } from '#kit/fields/field.ts'
import type { Ctx } from '#kit/server/context.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { say } from '#kit/server/words.ts'
import { earningsOf, type NamedEarning } from '../earnings.ts'

const ways = ['month', 'customer', 'product', 'order'] as const
const screen = '/invoice/reportrevenueretainer'

interface Sums {
  startAgorot: number
  newAgorot: number
  backAgorot: number
  upAgorot: number
  downAgorot: number
  lostAgorot: number
  endAgorot: number
  chargedAgorot: number
}
const none = (): Sums => ({
  startAgorot: 0,
  newAgorot: 0,
  backAgorot: 0,
  upAgorot: 0,
  downAgorot: 0,
  lostAgorot: 0,
  endAgorot: 0,
  chargedAgorot: 0,
})
const columnOf = {
  new: 'newAgorot',
  back: 'backAgorot',
  up: 'upAgorot',
  down: 'downAgorot',
  lost: 'lostAgorot',
} as const satisfies Record<Movement, keyof Sums>

/**
 * What standing orders are worth in a month, before VAT: what came, grew, shrank and went, and what is to
 * come; by month, by customer, by product, order by order.
 */
export const revenueRetainer = defineReport({
  name: 'revenueRetainer',
  feature: 'standingOrders',
  group: 'money',
  path: screen,
  allow: 'reports.standingOrders',
  respects: ['ownCustomers', 'documentTypes'],
  filters: { from: day({ need: true }), to: day({ need: true }), by: choice(ways, { start: 'month' }) },
  columns: {
    what: text(),
    startAgorot: money(),
    newAgorot: money(),
    backAgorot: { ...money(), whenFilled: true },
    upAgorot: money(),
    downAgorot: money(),
    lostAgorot: money(),
    endAgorot: { ...money(), main: true },
    orders: number(),
    chargedAgorot: money(),
  },
  totals: ['newAgorot', 'backAgorot', 'upAgorot', 'downAgorot', 'lostAgorot', 'chargedAgorot'],
  rows: async (ctx, { from, to, by = 'month' }) => {
    // A year ahead is as far as anybody can tell.
    const last = endOfMonth(to < addMonths(ctx.today, 12) ? to : addMonths(ctx.today, 12))
    const first = startOfMonth(from)
    const earnings = await earningsOf(ctx, last)
    const months = revenueByMonth(earnings, first, last, ctx.today)
    if (by === 'month')
      return months.map(({ month, start, end, changes }) => {
        const sums = { ...none(), startAgorot: start, endAgorot: end }
        for (const { kind, agorot } of changes) sums[columnOf[kind]] += agorot
        const monthEnd = endOfMonth(month)
        for (const one of earnings)
          if (one.day >= month && one.day <= monthEnd) sums.chargedAgorot += one.netAgorot
        const until = ctx.today >= month && ctx.today < monthEnd ? ctx.today : monthEnd
        const label = `${month.slice(5, 7)}/${month.slice(0, 4)}`
        return {
          what:
            month > ctx.today ? say(ctx.caller.language, 'standingOrders.forecast', { month: label }) : label,
          ...sums,
          orders: new Set(
            earnings.filter((one) => one.from <= until && until <= one.to).map(({ orderId }) => orderId),
          ).size,
          open: `${screen}?from=${month}&to=${monthEnd}&by=order`,
        }
      })
    if (by === 'product') return productRows(ctx, earnings, first, last)
    const rows = new Map<string, { what: string; open: string; of: Set<string>; sums: Sums }>()
    const rowOf = (orderId: string) => {
      const one = earnings.find((each) => each.orderId === orderId)!
      const key = by === 'customer' ? one.customerId : orderId
      const found = rows.get(key) ?? {
        what: by === 'customer' ? one.customer : `${one.customer} · ${one.title}`,
        open:
          by === 'customer'
            ? `/invoice/retainers?customerId=${one.customerId}`
            : `/invoice/retainers/${orderId}`,
        of: new Set<string>(),
        sums: none(),
      }
      rows.set(key, found)
      found.of.add(orderId)
      return found.sums
    }
    const edge = (day: string) => (day > ctx.today && startOfMonth(day) <= ctx.today ? ctx.today : day)
    const [begin, end] = [edge(endOfMonth(addMonths(first, -1))), edge(last)]
    for (const one of earnings) {
      if (one.from <= begin && begin <= one.to) rowOf(one.orderId).startAgorot += one.monthlyAgorot
      if (one.from <= end && end <= one.to) rowOf(one.orderId).endAgorot += one.monthlyAgorot
      if (one.day >= first && one.day <= last) rowOf(one.orderId).chargedAgorot += one.netAgorot
    }
    for (const { changes } of months)
      for (const { orderId, kind, agorot } of changes) rowOf(orderId)[columnOf[kind]] += agorot
    return [...rows.values()]
      .map(({ what, open, of, sums }) => ({ what, ...sums, orders: of.size, open }))
      .toSorted((a, b) => b.endAgorot - a.endAgorot || (a.what < b.what ? -1 : 1))
  },
  must: {
    addsUp: (_totals, rows) =>
      rows.every((row) => {
        const at = (name: keyof Sums) => Number(row[name] ?? 0)
        return (
          at('startAgorot') +
            at('newAgorot') +
            at('backAgorot') +
            at('upAgorot') +
            at('downAgorot') +
            at('lostAgorot') ===
          at('endAgorot')
        )
      }),
  },
})

/** What each product brings: its item, or what is written on lines without one. */
async function productRows(
  ctx: Ctx,
  earnings: readonly NamedEarning[],
  first: Day,
  last: Day,
): Promise<ReportRow[]> {
  const found = revenueByProduct(earnings, first, last, ctx.today)
  const charged = new Map<string, number>()
  for (const one of earnings)
    if (one.day >= first && one.day <= last)
      for (const [product, agorot] of overProducts(one.netAgorot, one.shares)) {
        charged.set(product, (charged.get(product) ?? 0) + agorot)
        if (!found.has(product))
          found.set(product, {
            start: 0,
            end: 0,
            changes: { new: 0, back: 0, up: 0, down: 0, lost: 0 },
            orders: new Set(),
          })
        found.get(product)!.orders.add(one.orderId)
      }
  const { rows: items } = await sql<{ id: string; name: string }>`select id, name from items
    where company_id = ${ctx.companyId} and id::text = any(${[...found.keys()]}::text[])`.execute(ctx.tx)
  const nameOf = new Map(items.map(({ id, name }) => [id, name]))
  return [...found]
    .map(([product, { start, end, changes, orders }]): ReportRow => {
      const sums = { ...none(), startAgorot: start, endAgorot: end, chargedAgorot: charged.get(product) ?? 0 }
      for (const kind of movements) sums[columnOf[kind]] += changes[kind]
      const item = nameOf.get(product)
      return {
        what: item ?? withoutGaps(product),
        ...sums,
        orders: orders.size,
        ...(item === undefined ? {} : { open: `/invoice/items/${product}` }),
      }
    })
    .toSorted(
      (a, b) => Number(b.endAgorot) - Number(a.endAgorot) || (String(a.what) < String(b.what) ? -1 : 1),
    )
}

/** What is filled in from charge to charge has no name: one dot line for each run of it. */
const withoutGaps = (text: string): string =>
  text
    .replace(/\{[^{}]*\}/g, '…')
    .replace(/…([\s–-]*…)+/g, '…')
    .replace(/[\s,]*…$/, ' …')
    .trim()
