import { addDays, yearOf, type Day, type Period } from '#domain/day.ts'
import { advancesOf } from '#domain/filings/advances.ts'
import { dueOfPeriod } from '#domain/law/dues.ts'
import type { Keyed } from '#domain/filings/withheld.ts'
import { sum } from '#domain/money.ts'
import { formatPeriod } from '#domain/format.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { day, money, percent, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { advanceRateOn, vatPeriodsOf } from '#features/base/companies/server/index.ts'
import { opensPapers } from '../../papers.ts'
import { differencesOfAdvancesIn, refuseDifferent, turnoverIn, withheldIn } from '../bothWays.ts'

const whole = (list: readonly Keyed[]): number => sum(list.map((one) => one.amount))

/**
 * The periods of advances from the beginning of the tax year, because what one period leaves over serves the
 * next.
 */
function periodsUntil(from: Day, to: Day, periodOn: (day: Day) => Period): Period[] {
  const periods: Period[] = []
  for (let day = `${yearOf(from)}-01-01`; day <= to; day = addDays(periods.at(-1)!.to, 1))
    periods.push(periodOn(day))
  return periods
}

/**
 * Income tax advances: turnover times the rate of the assessing officer, less what customers withheld, by the
 * business's periods, as they were then. Turnover and tax are calculated twice, from the documents and from the
 * books.
 */
export const advances = defineReport({
  name: 'advances',
  feature: 'filings',
  group: 'tax',
  path: '/invoice/reportadvance',
  allow: 'filings.see',
  filters: { from: day({ need: true }), to: day({ need: true }) },
  columns: {
    period: text(),
    turnoverAgorot: money({ band: 'turnover' } as object),
    booksTurnoverAgorot: money({ band: 'turnover' } as object),
    rateBp: percent(),
    advanceAgorot: money(),
    withheldAgorot: { ...money({ band: 'withheld' } as object), opens: 'openWithheld' },
    booksWithheldAgorot: { ...money({ band: 'withheld' } as object), opens: 'openWithheld' },
    broughtAgorot: money(),
    toPayAgorot: money(),
    dueDay: day(),
  },
  totals: [
    'turnoverAgorot',
    'booksTurnoverAgorot',
    'advanceAgorot',
    'withheldAgorot',
    'booksWithheldAgorot',
    'toPayAgorot',
  ],
  rows: async (ctx, { from, to }) => {
    const periodOn = await vatPeriodsOf(ctx)
    const rateOn = await advanceRateOn(ctx)
    const rows: ReportRow[] = []
    for (let year = yearOf(from); year <= yearOf(to); year++) {
      const first = year === yearOf(from) ? from : `${year}-01-01`
      const last = year === yearOf(to) ? to : `${year}-12-31`
      const facts = []
      for (const period of periodsUntil(first, last, periodOn)) {
        const tax = await withheldIn(ctx, period)
        const sold = await turnoverIn(ctx, period)
        const found = await differencesOfAdvancesIn(ctx, period)
        facts.push({
          period,
          turnover: whole(sold.papers),
          booksTurnover: whole(sold.books),
          papers: whole(tax.papers),
          books: whole(tax.books),
          isTurnoverSame: !found.some(({ form }) => form === 'turnover'),
          isTaxSame: !found.some(({ form }) => form === 'withheldFromUs'),
        })
      }
      const worked = advancesOf(
        facts.map((one) => ({ turnover: one.turnover, withheld: one.papers, rateBp: rateOn(one.period.to) })),
      )
      facts.forEach(({ period, turnover, booksTurnover, papers, books, isTurnoverSame, isTaxSame }, i) => {
        if (period.to < first) return
        rows.push({
          period: formatPeriod(period),
          turnoverAgorot: turnover,
          booksTurnoverAgorot: booksTurnover,
          rateBp: worked[i]!.rateBp,
          advanceAgorot: worked[i]!.advance,
          withheldAgorot: papers,
          booksWithheldAgorot: books,
          broughtAgorot: worked[i]!.brought,
          toPayAgorot: worked[i]!.toPay,
          dueDay: dueOfPeriod('advances', period.to).day,
          isTurnoverSame,
          isTaxSame,
          open: opensPapers('turnover', period),
          openWithheld: opensPapers('withheldFromUs', period),
        })
      })
    }
    return rows
  },
  must: {
    turnoverBothWays: (_totals, rows) => rows.every((row) => row.isTurnoverSame === true),
    withheldBothWays: (_totals, rows) => rows.every((row) => row.isTaxSame === true),
    rateIsKnown: (_totals, rows) => rows.every((row) => Number(row.rateBp) > 0),
  },
  explained: {
    turnoverBothWays: '/invoice/reportfilingdifferences?form=advances',
    withheldBothWays: '/invoice/reportfilingdifferences?form=advances',
  },
  entered: { rateIsKnown: { path: '/invoice/InvoiceEditCompany?tab=tax', word: 'screens.businessDetails' } },
  beforeFile: refuseDifferent(['turnoverBothWays', 'withheldBothWays']),
})
