import { sql } from 'kysely'
import { limitOf, turnoverLines, type TurnoverDuty, type TurnoverLine } from '#domain/vat/turnover.ts'
import { monthOf, yearOf, type Day } from '#domain/day.ts'
import type { Ctx } from '#kit/server/context.ts'
import { companyOf, smallIn, vatPeriodsOf } from '#features/base/companies/server/index.ts'

export interface TurnoverNotice extends TurnoverLine {
  year: number
  turnover: number
  /** Where it is put right. */
  open: string
}

/** Income of the business: that of finance and of selling assets is no turnover. */
const isTurnoverAccount = sql`a.kind = 'income' and not a.outside_turnover`

const turnoverUntil = (ctx: Ctx, day: Day) => sql`(select
    coalesce(sum(m.credit_agorot - m.debit_agorot), 0)::bigint from account_months m
    join accounts a on a.company_id = m.company_id and a.id = m.account_id
    where m.company_id = ${ctx.companyId} and m.month between ${`${yearOf(day)}-01-01`} and ${day}
      and ${isTurnoverAccount})`

/** The turnover of a year by the books, month by month. */
export async function turnoverByMonth(ctx: Ctx, year: number): Promise<number[]> {
  const { rows } = await sql<{ month: number; agorot: number }>`select extract(month from m.month)::int as
      month,
      sum(m.credit_agorot - m.debit_agorot)::bigint as agorot
    from account_months m join accounts a on a.company_id = m.company_id and a.id = m.account_id
    where m.company_id = ${ctx.companyId} and m.month between ${`${year}-01-01`} and ${`${year}-12-31`}
      and ${isTurnoverAccount} group by 1`.execute(ctx.tx)
  return Array.from({ length: 12 }, (_, i) => rows.find(({ month }) => month === i + 1)?.agorot ?? 0)
}

/**
 * How much of its ceiling this year has used, of an exempt dealer and of a licensed one who is a small business: for
 * both it is the same amount. Undefined of any other business.
 */
export async function ceilingOf(
  ctx: Ctx,
  { kind }: Pick<Awaited<ReturnType<typeof companyOf>>, 'kind'>,
): Promise<{ turnoverAgorot: number; limitAgorot: number } | undefined> {
  const year = yearOf(ctx.today)
  const limit = limitOf('exemptCeiling', year)
  if (limit === undefined || (kind !== 'exemptDealer' && !(await smallIn(ctx))(year))) return undefined
  const { rows } = await sql<{ turnover: number }>`select ${turnoverUntil(ctx, ctx.today)} as
      turnover`.execute(ctx.tx)
  return { turnoverAgorot: rows[0]!.turnover, limitAgorot: limit }
}

/**
 * What the law asks by the turnover of a day's year until the month of that day, by the monthly totals of the
 * books: income of the business without VAT, of an exempt dealer what it was paid.
 */
export async function turnoverNotices(ctx: Ctx, day: Day): Promise<TurnoverNotice[]> {
  const year = yearOf(day)
  const company = await companyOf(ctx)
  const period = (await vatPeriodsOf(ctx))(day)
  const { rows } = await sql<{ turnover: number; isDetailed: boolean }>`select
      ${turnoverUntil(ctx, day)} as turnover,
      exists (select 1 from vat_filings where company_id = ${ctx.companyId} and kind = 'detailed'
      and reopened_at is null
        and to_day between ${`${year}-01-01`} and ${`${year}-12-31`}) as "isDetailed"`.execute(ctx.tx)
  const { turnover, isDetailed } = rows[0]!
  const vatMonths = monthOf(period.from) === monthOf(period.to) ? 1 : 2
  const places: Record<TurnoverDuty, string> = {
    exemptCeiling: `/invoice/editcompany/${ctx.companyId}/tax`,
    smallCeiling: '/invoice/smallbusiness',
    monthlyVat: `/invoice/editcompany/${ctx.companyId}/tax`,
    detailedVat: '/invoice/reportpcn',
  }
  const isSmall = (await smallIn(ctx))(year)
  return turnoverLines({ kind: company.kind, isSmall, year, turnover, vatMonths, isDetailed }).map(
    (line) => ({
      ...line,
      year,
      turnover,
      open: places[line.duty],
    }),
  )
}
