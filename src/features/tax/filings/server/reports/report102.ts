import { endOfMonth } from '#domain/day.ts'
import { wholeShekels } from '#domain/filings/advances.ts'
import { dueOfPeriod } from '#domain/law/dues.ts'
import { differencesOfPaid } from '#domain/filings/withheld.ts'
import { withholdingCodes } from '#domain/withholding/kinds.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, money, number, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { opensPapers } from '../../papers.ts'
import { refuseDifferent } from '../bothWays.ts'
import { paidByBooks, paidByPapers, payeesIn } from '../payees.ts'

/**
 * The withholding part of form 102, month by month and kind by kind: how many were paid, how much, and the
 * tax withheld from them, from the payments and from the books.
 */
export const report102 = defineReport({
  name: 'form102',
  feature: 'filings',
  group: 'tax',
  path: '/invoice/report102',
  allow: 'filings.see',
  filters: { from: day({ need: true }), to: day({ need: true }) },
  columns: {
    month: text(),
    kind: choice(withholdingCodes, { words: 'filings.codes' }),
    payees: number(),
    grossAgorot: money(),
    withheldAgorot: money(),
    booksWithheldAgorot: money(),
    shekels: money(),
    dueDay: day(),
  },
  groupBy: 'month',
  totals: ['grossAgorot', 'withheldAgorot', 'booksWithheldAgorot'],
  rows: async (ctx, { from, to }) => {
    const papers = await paidByPapers(ctx, from, to)
    const books = await paidByBooks(ctx, from, to)
    const codes = new Map((await payeesIn(ctx, from, to)).map((payee) => [payee.supplierId, payee.code]))
    const months = [...new Set([...papers, ...books].map((one) => one.month))].toSorted()
    return months.flatMap((month): ReportRow[] =>
      withholdingCodes.flatMap((kind) => {
        const of = <T extends { month: string; supplierId: string }>(list: readonly T[]) =>
          list.filter((one) => one.month === month && codes.get(one.supplierId) === kind)
        const paid = of(papers)
        const booked = of(books)
        if (!paid.length && !booked.length) return []
        const withheld = paid.reduce((sum, one) => sum + one.withheld, 0)
        return [
          {
            month: `${month.slice(5)}/${month.slice(0, 4)}`,
            kind,
            payees: new Set(paid.filter((one) => one.gross !== 0).map((one) => one.supplierId)).size,
            grossAgorot: paid.reduce((sum, one) => sum + one.gross, 0),
            withheldAgorot: withheld,
            booksWithheldAgorot: booked.reduce((sum, one) => sum + one.withheld, 0),
            shekels: wholeShekels(withheld),
            // Supplier by supplier: two mistakes of one kind would agree in its sum.
            isSame: differencesOfPaid(paid, booked).length === 0,
            dueDay: dueOfPeriod('withholding', endOfMonth(`${month}-01`)).day,
            open: opensPapers('paid', { from: `${month}-01`, to: endOfMonth(`${month}-01`) }, { kind }),
          },
        ]
      }),
    )
  },
  must: { bothWays: (_totals, rows) => rows.every((row) => row.isSame === true) },
  explained: { bothWays: '/invoice/reportfilingdifferences?form=paid' },
  beforeFile: refuseDifferent(['bothWays']),
})
