import { choice, day, money, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { owedByMonth, owedRows } from '../owed.ts'

/** What acquirers owe, by the day it was charged or by the month in which it is paid out. */
export const acquirersOwe = defineReport({
  name: 'acquirersOwe',
  feature: 'settlements',
  group: 'money',
  path: '/invoice/reportacquirersowe',
  allow: 'settlements.see',
  filters: { from: day(), to: day(), by: choice(['day', 'month'], { start: 'day' }) },
  key: ['terminal', 'day'],
  columns: {
    terminal: text(),
    day: day(),
    chargedAgorot: money(),
    refundedAgorot: money(),
    carriedAgorot: money(),
    owedAgorot: { ...money(), main: true },
  },
  groupBy: 'terminal',
  totals: ['chargedAgorot', 'refundedAgorot', 'carriedAgorot', 'owedAgorot'],
  must: { adds: (t) => t.owedAgorot === t.chargedAgorot! - t.refundedAgorot! - t.carriedAgorot! },
  rows: async (ctx, { from, to, by = 'day' }) =>
    (await (by === 'month' ? owedByMonth(ctx) : owedRows(ctx)))
      .filter((row) => (!from || row.day >= from) && (!to || row.day <= to))
      .map((row) => ({
        terminal: row.terminal,
        day: row.day,
        chargedAgorot: row.charged,
        refundedAgorot: row.refunded,
        carriedAgorot: row.carried,
        owedAgorot: row.owed,
      })),
})
