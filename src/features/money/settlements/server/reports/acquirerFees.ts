import { day, money, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { feeRows } from '../fees.ts'

/**
 * Fees that deposits booked beside those the acquirer billed, month by month; and what of its invoices was
 * entered as an expense besides.
 */
export const acquirerFees = defineReport({
  name: 'acquirerFees',
  feature: 'settlements',
  group: 'money',
  path: '/invoice/reportacquirerfees',
  allow: 'settlements.see',
  filters: { from: day(), to: day() },
  key: ['terminal', 'month'],
  columns: {
    terminal: text(),
    month: text(),
    bookedAgorot: money(),
    invoicedAgorot: money(),
    differenceAgorot: { ...money(), main: true },
    twiceAgorot: { ...money(), whenFilled: true },
  },
  groupBy: 'terminal',
  totals: ['bookedAgorot', 'invoicedAgorot', 'differenceAgorot', 'twiceAgorot'],
  must: { adds: (t) => t.differenceAgorot === t.invoicedAgorot! - t.bookedAgorot! },
  rows: async (ctx, { from, to }) =>
    (await feeRows(ctx))
      .filter((row) => (!from || row.month >= from.slice(0, 8) + '01') && (!to || row.month <= to))
      .map((row) => ({
        terminal: row.terminal,
        month: `${row.month.slice(5, 7)}/${row.month.slice(0, 4)}`,
        bookedAgorot: row.booked,
        invoicedAgorot: row.invoiced,
        differenceAgorot: row.invoiced - row.booked,
        twiceAgorot: row.twice,
      })),
})
