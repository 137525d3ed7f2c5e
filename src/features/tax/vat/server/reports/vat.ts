import { sql } from 'kysely'
import type { Period } from '#domain/day.ts'
import { systemAccounts } from '#domain/ledger/chart.ts'
import type { Ctx } from '#kit/server/context.ts'
import { choice, day, money } from '#kit/fields/field.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { figureNames, type ReturnFigures } from '#domain/vat/papers.ts'
import { basisChanges, reportsVat } from '../basis.ts'
import { countsInDetail } from '../answer.ts'
import { filedFigures } from '../filings.ts'
import { opensFigure } from '../../period.ts'
import { apartIn, summaryFor } from '../summary.ts'

const accountOf: Partial<Record<keyof ReturnFigures, string>> = {
  outputVat: systemAccounts.outputVat,
  inputVatOther: systemAccounts.inputVat,
  inputVatEquipment: systemAccounts.inputVatFixedAssets,
}

/** The cards of VAT accounts, whose entries are the figures where everything counts as it is written. */
async function cardsOf(ctx: Ctx, { from, to }: Period): Promise<Map<string, string>> {
  if ((await basisChanges(ctx)).some(({ basis }) => basis === 'cash')) return new Map()
  const { rows } = await sql<{ number: string; id: string }>`select number, id from accounts
    where company_id = ${ctx.companyId} and number = any(${Object.values(accountOf)})`.execute(ctx.tx)
  return new Map(rows.map(({ number, id }) => [number, `/invoice/cardskarteset/${id}?from=${from}&to=${to}`]))
}

/**
 * The periodic VAT return. Each figure is worked out twice, from papers and from the lines of the books by
 * separate code; the last column is what the return carries, and for a filed period what it carried.
 */
export const vat = defineReport({
  name: 'vat',
  feature: 'vat',
  group: 'tax',
  path: '/invoice/reportvat',
  allow: 'reports.tax',
  isFor: reportsVat,
  filters: { from: day({ need: true }), to: day({ need: true }) },
  columns: {
    line: choice(figureNames),
    fromDocumentsAgorot: money(),
    fromBooksAgorot: { ...money(), opens: 'openBooks' },
    shekels: money(),
  },
  totals: [],
  rows: async (ctx, { from, to }) => {
    const worked = await summaryFor(ctx, { from, to })
    const filed =
      (await filedFigures(ctx, { from, to })) ??
      ((await countsInDetail(ctx, { from, to })) ? worked.filed : worked.asReturn)
    const cards = await cardsOf(ctx, { from, to })
    return figureNames.map((line): ReportRow => ({
      line,
      fromDocumentsAgorot: worked.exact[line],
      fromBooksAgorot: worked.booked[line],
      shekels: filed[line],
      open: opensFigure(line, { from, to }),
      openBooks: cards.get(accountOf[line] ?? '') ?? opensFigure(line, { from, to }),
      isPositive: worked.negative.length === 0,
    }))
  },
  apart: { bothWays: apartIn },
  must: {
    notNegative: (_totals, rows) => rows.every((r) => r.isPositive === true),
  },
  explained: { bothWays: '/invoice/reportpcn', notNegative: '/invoice/reportpcn' },
})
