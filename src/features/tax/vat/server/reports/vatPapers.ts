import { inputTypes, saleTypes } from '#domain/vat/pcn874/layout.ts'
import { figureNames, figuresOf, type InputPaper, type SalePaper } from '#domain/vat/papers.ts'
import { choice, day, money, text } from '#kit/fields/field.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { openOf, workOut } from '../worked.ts'

/**
 * The documents that a VAT return is made of, each with what it adds to every figure; by a figure or by a kind of
 * record those alone. Totals are the figures of the return: a document that is reported as it is paid counts with what
 * was paid, a bill where its VAT is claimed, and an entry by hand beside them.
 */
export const vatPapers = defineReport({
  name: 'vatPapers',
  feature: 'vat',
  group: 'tax',
  path: '/invoice/reportvatpapers',
  allow: 'vat.see',
  filters: {
    from: day({ need: true }),
    to: day({ need: true }),
    line: choice(figureNames),
    record: choice([...saleTypes, ...inputTypes], { words: 'vat.reports.pcn.type' }),
  },
  columns: {
    day: day(),
    number: text(),
    name: text(),
    taxableSalesAgorot: { ...money(), whenFilled: true },
    untaxedSalesAgorot: { ...money(), whenFilled: true },
    outputVatAgorot: { ...money(), whenFilled: true },
    inputVatEquipmentAgorot: { ...money(), whenFilled: true },
    inputVatOtherAgorot: { ...money(), whenFilled: true },
    toPayAgorot: money({ main: true } as object),
  },
  totals: figureNames.map((name) => `${name}Agorot`),
  rows: async (ctx, { from, to, line, record }) => {
    const { sales, inputs, entries } = await workOut(ctx, { from, to })
    const inRecord =
      record && new Set(entries.filter(({ type }) => type === record).flatMap(({ keys }) => keys))
    const rowOf = (paper: SalePaper | InputPaper, figures: ReturnType<typeof figuresOf>): ReportRow[] => {
      if (inRecord && !inRecord.has(paper.key)) return []
      if (line ? figures[line] === 0 : figureNames.every((name) => figures[name] === 0)) return []
      const { toPay, ...others } = figures
      return [
        {
          day: paper.day,
          number: paper.number,
          name: paper.name,
          ...Object.fromEntries(
            Object.entries(others).map(([name, amount]) => [`${name}Agorot`, amount || null]),
          ),
          toPayAgorot: toPay,
          open: openOf(paper.key),
        },
      ]
    }
    return [
      ...sales.flatMap((paper) => rowOf(paper, figuresOf([paper], []))),
      ...inputs.flatMap((paper) => rowOf(paper, figuresOf([], [paper]))),
    ]
  },
})
