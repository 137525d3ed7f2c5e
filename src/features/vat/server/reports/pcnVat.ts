import { figureNames } from '../../../../domain/vat/papers.ts'
import { choice, day, money } from '../../../../kit/fields/field.ts'
import type { ReportRow } from '../../../../kit/describe/report.ts'
import { defineReport } from '../../../../kit/server/reports.ts'
import { workOut } from '../worked.ts'
import { opensFigure } from './vat.ts'

/**
 * The detailed report's totals against the return. The file rounds every entry to a shekel and the return each figure, so they may part by
 * half a shekel an entry and no more.
 */
export const pcnVat = defineReport({
  name: 'pcnVat',
  feature: 'vat',
  group: 'tax',
  path: '/invoice/reportpcnvat',
  allow: 'vat.see',
  filters: { from: day({ need: true }), to: day({ need: true }) },
  columns: { line: choice(figureNames), exactAgorot: money(), returnAgorot: money(), detailedAgorot: money(), differenceAgorot: money() },
  totals: [],
  rows: async (ctx, { from, to }) => {
    const { header, exact, filed, entries } = await workOut(ctx, { from, to })
    const detailed = {
      taxableSales: header.taxableSales,
      untaxedSales: header.untaxedSales,
      outputVat: header.salesVat,
      inputVatEquipment: header.equipmentVat,
      inputVatOther: header.otherInputVat,
      toPay: header.total,
    }
    return figureNames.map((line): ReportRow => ({
      line,
      exactAgorot: exact[line],
      returnAgorot: filed[line],
      detailedAgorot: detailed[line] * 100,
      differenceAgorot: detailed[line] * 100 - filed[line],
      open: line === 'toPay' ? `/invoice/reportpcn?period=${to.slice(0, 7)}` : opensFigure(line, from, to),
      isRounding: Math.abs(detailed[line] * 100 - exact[line]) <= 50 * (2 * entries.length + 1),
    }))
  },
  must: { onlyRounding: (_totals, rows) => rows.every((r) => r.isRounding === true) },
})
