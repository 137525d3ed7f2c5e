import { figureNames } from '#domain/vat/papers.ts'
import { choice, day, money } from '#kit/fields/field.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { filedFigures } from '../filings.ts'
import { apartIn } from '../summary.ts'
import { workOut } from '../worked.ts'
import { opensFigure } from '../../period.ts'
import { reportsVat } from '../basis.ts'

/**
 * The detailed report's totals against the return: the same to the shekel where the report is filed, because
 * the authority takes the return from it. The file rounds every entry to a shekel, so it may part from the
 * exact totals by half a shekel an entry and no more; the return alone rounds each figure.
 */
export const pcnVat = defineReport({
  name: 'pcnVat',
  feature: 'vat',
  group: 'tax',
  path: '/invoice/reportpcnvat',
  allow: 'vat.see',
  isFor: reportsVat,
  filters: { from: day({ need: true }), to: day({ need: true }) },
  columns: {
    line: choice(figureNames),
    exactAgorot: money(),
    returnAgorot: money(),
    detailedAgorot: money(),
    differenceAgorot: money(),
  },
  totals: [],
  rows: async (ctx, { from, to }) => {
    const { asDetailed, exact, filed: now, entries } = await workOut(ctx, { from, to })
    const filed = (await filedFigures(ctx, { from, to })) ?? now
    return figureNames.map((line): ReportRow => ({
      line,
      exactAgorot: exact[line],
      returnAgorot: filed[line],
      detailedAgorot: asDetailed[line],
      differenceAgorot: asDetailed[line] - filed[line],
      open: opensFigure(line, { from, to }),
      isRounding: Math.abs(asDetailed[line] - exact[line]) <= 50 * (2 * entries.length + 1),
    }))
  },
  apart: { bothWays: apartIn },
  explained: { bothWays: '/invoice/reportpcn' },
  must: { onlyRounding: (_totals, rows) => rows.every((r) => r.isRounding === true) },
})
