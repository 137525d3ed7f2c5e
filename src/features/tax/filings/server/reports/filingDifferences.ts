import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, money, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { differencesOfAdvancesOver, differencesOfPaidIn } from '../bothWays.ts'

/**
 * Where papers and books part in the figures of forms 856, 857 and 102 and of the advances: line by line,
 * each leading to what is to be mended.
 */
export const filingDifferences = defineReport({
  name: 'filingDifferences',
  feature: 'filings',
  group: 'tax',
  path: '/invoice/reportfilingdifferences',
  allow: 'filings.see',
  filters: { from: day({ need: true }), to: day({ need: true }), form: choice(['paid', 'advances']) },
  columns: {
    form: choice(['paid', 'turnover', 'withheldFromUs']),
    day: day(),
    name: text(),
    number: text(),
    in: choice(['gross', 'withheld', 'turnover', 'lines', 'sums']),
    paperAgorot: money(),
    booksAgorot: money(),
    differenceAgorot: money({ main: true } as object),
  },
  groupBy: 'form',
  totals: [],
  rows: async (ctx, { from, to, form }) => {
    const found = [
      ...(form === 'advances' ? [] : await differencesOfPaidIn(ctx, from, to)),
      ...(form === 'paid' ? [] : await differencesOfAdvancesOver(ctx, from, to)),
    ]
    return found.map((one): ReportRow => ({ ...one, differenceAgorot: one.booksAgorot - one.paperAgorot }))
  },
})
