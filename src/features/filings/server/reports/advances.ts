import { sql, type RawBuilder } from 'kysely'
import { addDays, addMonths, startOfMonth, vatPeriod, yearOf, type Day, type Period } from '../../../../domain/day.ts'
import { advancesOf } from '../../../../domain/filings/advances.ts'
import { differencesOfSums, type Keyed } from '../../../../domain/filings/withheld.ts'
import { sum } from '../../../../domain/money.ts'
import { formatPeriod } from '../../../../domain/format.ts'
import { systemAccounts } from '../../../../domain/ledger/chart.ts'
import type { ReportRow } from '../../../../kit/describe/report.ts'
import { day, money, percent, text } from '../../../../kit/fields/field.ts'
import type { Ctx } from '../../../../kit/server/context.ts'
import { defineReport } from '../../../../kit/server/reports.ts'
import { companyOf } from '../../../companies/server/index.ts'
import { countsAsIncome } from '../../../documents/server/index.ts'
import { booksWithTax, receiptsWithTax } from '../withheldFromUs.ts'

/** Turnover from the papers: what they charged before VAT; credits take away. */
async function turnoverOfPapers(ctx: Ctx, { from, to }: Period): Promise<Keyed[]> {
  const { rows } = await sql<Keyed>`select id as key, case when type = 10 then -ils_net_agorot else ils_net_agorot end as amount
    from documents where company_id = ${ctx.companyId} and status <> 'draft' and ${countsAsIncome('')} and day between ${from} and ${to}`.execute(
    ctx.tx,
  )
  return rows
}

/** The same from the books, by the paper or the entry a line comes of: income accounts, without differences of exchange and without what came of selling assets. */
async function turnoverOfBooks(ctx: Ctx, { from, to }: Period): Promise<Keyed[]> {
  const { rows } =
    await sql<Keyed>`select coalesce(e.document_id, e.reverses_id, e.id) as key, -sum(p.amount_agorot)::bigint as amount from postings p
    join accounts a on a.company_id = p.company_id and a.id = p.account_id join entries e on e.company_id = p.company_id and e.id = p.entry_id
    where p.company_id = ${ctx.companyId} and p.day between ${from} and ${to} and a.kind = 'income'
      and a.number <> ${systemAccounts.exchangeDifferences} and a.key is distinct from 'capitalGain'
    group by 1`.execute(ctx.tx)
  return rows
}

/** The tax each customer withheld, from his receipts and from the books. */
async function withheldIn(ctx: Ctx, { from, to }: Period): Promise<{ papers: Keyed[]; books: Keyed[] }> {
  const of = async (rows: RawBuilder<unknown>) =>
    (
      await sql<Keyed>`select coalesce(customer_id::text, '') as key, coalesce(sum(withheld), 0)::bigint as amount from (${rows}) x group by 1`.execute(
        ctx.tx,
      )
    ).rows
  return { papers: await of(receiptsWithTax(ctx, from, to)), books: await of(booksWithTax(ctx, from, to)) }
}

const whole = (list: readonly Keyed[]): number => sum(list.map((one) => one.amount))

/** The periods of advances from the beginning of the tax year, because what one period leaves over serves the next. */
function periodsUntil(from: Day, to: Day, months: 1 | 2): Period[] {
  const periods: Period[] = []
  for (let day = `${yearOf(from)}-01-01`; day <= to; day = addDays(periods.at(-1)!.to, 1)) periods.push(vatPeriod(day, months))
  return periods
}

/**
 * Income tax advances: turnover times the rate of the assessing officer, less what customers withheld, by the business's own periods. Turnover and
 * tax are told twice, from the papers and from the books.
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
    withheldAgorot: money({ band: 'withheld' } as object),
    booksWithheldAgorot: money({ band: 'withheld' } as object),
    broughtAgorot: money(),
    toPayAgorot: money(),
    dueDay: day(),
  },
  totals: ['turnoverAgorot', 'booksTurnoverAgorot', 'advanceAgorot', 'withheldAgorot', 'booksWithheldAgorot', 'toPayAgorot'],
  rows: async (ctx, { from, to }) => {
    const company = await companyOf(ctx)
    const rateBp = company.incomeTaxAdvanceBp ?? 0
    const rows: ReportRow[] = []
    for (let year = yearOf(from); year <= yearOf(to); year++) {
      const first = year === yearOf(from) ? from : `${year}-01-01`
      const last = year === yearOf(to) ? to : `${year}-12-31`
      const facts = []
      for (const period of periodsUntil(first, last, company.vatPeriodMonths === 1 ? 1 : 2)) {
        const tax = await withheldIn(ctx, period)
        const [sold, booked] = [await turnoverOfPapers(ctx, period), await turnoverOfBooks(ctx, period)]
        facts.push({
          period,
          turnover: whole(sold),
          booksTurnover: whole(booked),
          papers: whole(tax.papers),
          books: whole(tax.books),
          isTurnoverSame: differencesOfSums(sold, booked).length === 0,
          isTaxSame: differencesOfSums(tax.papers, tax.books).length === 0,
        })
      }
      const worked = advancesOf(
        facts.map((one) => ({ turnover: one.turnover, withheld: one.papers })),
        rateBp,
      )
      facts.forEach(({ period, turnover, booksTurnover, papers, books, isTurnoverSame, isTaxSame }, i) => {
        if (period.to < first) return
        rows.push({
          period: formatPeriod(period),
          turnoverAgorot: turnover,
          booksTurnoverAgorot: booksTurnover,
          rateBp,
          advanceAgorot: worked[i]!.advance,
          withheldAgorot: papers,
          booksWithheldAgorot: books,
          broughtAgorot: worked[i]!.brought,
          toPayAgorot: worked[i]!.toPay,
          dueDay: addDays(addMonths(startOfMonth(period.to), 1), 14),
          isTurnoverSame,
          isTaxSame,
          open: `/invoice/reportincome?from=${period.from}&to=${period.to}`,
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
})
