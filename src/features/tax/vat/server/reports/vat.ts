import { choice, day, money } from '#kit/fields/field.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { defineReport } from '#kit/server/reports.ts'
import { figureNames, type ReturnFigures } from '#domain/vat/papers.ts'
import { countsInDetail } from '../answer.ts'
import { filedFigures } from '../filings.ts'
import { apartIn, summaryFor } from '../summary.ts'

/** The papers behind a figure. */
export const opensFigure = (name: keyof ReturnFigures, from: string, to: string): string => {
  if (name === 'toPay') return `/invoice/reportpcnvat?from=${from}&to=${to}`
  if (name === 'inputVatEquipment' || name === 'inputVatOther')
    return `/invoice/Expenses?state=approved&vatDay.gte=${from}&vatDay.lte=${to}`
  return `/invoice/documents?type.in=8,9,10&day.gte=${from}&day.lte=${to}`
}

/**
 * The periodic VAT return. Each figure is worked out twice, from papers and from the lines of the books by
 * code of its own; the last column is what the return carries, and for a filed period what it carried.
 */
export const vat = defineReport({
  name: 'vat',
  feature: 'vat',
  group: 'tax',
  path: '/invoice/reportvat',
  allow: 'reports.tax',
  filters: { from: day({ need: true }), to: day({ need: true }) },
  columns: {
    line: choice(figureNames),
    fromDocumentsAgorot: money(),
    fromBooksAgorot: money(),
    shekels: money(),
  },
  totals: [],
  rows: async (ctx, { from, to }) => {
    const worked = await summaryFor(ctx, { from, to })
    const filed =
      (await filedFigures(ctx, { from, to })) ??
      ((await countsInDetail(ctx, { from, to })) ? worked.filed : worked.asReturn)
    return figureNames.map((line): ReportRow => ({
      line,
      fromDocumentsAgorot: worked.exact[line],
      fromBooksAgorot: worked.booked[line],
      shekels: filed[line],
      open: opensFigure(line, from, to),
      isPositive: worked.negative.length === 0,
    }))
  },
  apart: { bothWays: apartIn },
  must: {
    notNegative: (_totals, rows) => rows.every((r) => r.isPositive === true),
  },
  explained: { bothWays: '/invoice/reportpcn', notNegative: '/invoice/reportpcn' },
})
