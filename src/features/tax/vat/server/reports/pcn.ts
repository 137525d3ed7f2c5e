import { inputTypes, isSaleType, saleTypes } from '#domain/vat/pcn874/layout.ts'
import { choice, day, money, number, text } from '#kit/fields/field.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { apartIn } from '../summary.ts'
import { openOf, workOut } from '../worked.ts'
import { opensFigure } from '../../period.ts'

/** The entries of the detailed report, as the file has them: whole shekels, a credit negative. */
export const pcn = defineReport({
  name: 'pcn',
  feature: 'vat',
  group: 'tax',
  path: '/invoice/reportpcn',
  allow: 'vat.see',
  filters: { from: day({ need: true }), to: day({ need: true }) },
  columns: {
    side: choice(['sales', 'inputs']),
    type: choice([...saleTypes, ...inputTypes]),
    day: day(),
    reference: text(),
    counterparty: text(),
    name: text(),
    papers: number(),
    allocation: text(),
    sumAgorot: money(),
    vatAgorot: money(),
  },
  totals: [],
  apart: { bothWays: apartIn },
  groupBy: 'side',
  rows: async (ctx, period) => {
    const { entries } = await workOut(ctx, period)
    return entries.map((e): ReportRow => {
      const sign = e.isCredit ? -100 : 100
      const zeros = (text: string) => (/^0*$/.test(text) ? null : text)
      return {
        side: isSaleType(e.type) ? 'sales' : 'inputs',
        type: e.type,
        day: e.day,
        reference: e.type === 'L' || e.type === 'K' ? null : e.reference.replace(/^0+(?=.)/, ''),
        counterparty: zeros(e.counterparty),
        name: e.name || null,
        papers: e.keys.length,
        allocation: zeros(e.allocation),
        sumAgorot: e.sum * sign || 0,
        vatAgorot: e.vat * sign || 0,
        open: e.keys.length === 1 ? openOf(e.keys[0]!) : opensFigure(null, period, e.type),
      }
    })
  },
})
