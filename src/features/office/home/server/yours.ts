import { sql } from 'kysely'
import { addMonths, endOfMonth, startOfMonth, type Day } from '#domain/day.ts'
import { chargesVat, type BusinessKind } from '#domain/documents/kinds.ts'
import { systemAccounts } from '#domain/ledger/chart.ts'
import { sum, timesRate } from '#domain/money.ts'
import type { Ctx } from '#kit/server/context.ts'
import { advanceRateOn, reportingDaysOf, vatPeriodsOf } from '#features/base/companies/server/index.ts'
import { vatHeld } from '#features/tax/vat/server/index.ts'
import type { YoursPart } from '../endpoints.ts'

interface Account {
  id: string
  number: string
  /** Its balance at the end of this month: what it has less what it owes, in agorot. */
  agorot: number
  isMoney: boolean
}

/**
 * Money that belongs to the owner: the balance of bank and cash by the books, less what is only held for others. VAT
 * as it will be reported and what of it is not paid yet; advances of income tax on the turnover of the periods that
 * are not paid yet, less what customers withheld; tax withheld from suppliers; wages and their institutions;
 * suppliers and cheques given; customers' money ahead and deposits. Refunds of the authorities count only once they
 * arrive.
 */
export async function yours(ctx: Ctx, kind: BusinessKind) {
  const { rows: accounts } = await sql<Account>`
    select a.id, a.number, coalesce(sum(m.debit_agorot - m.credit_agorot), 0)::bigint as agorot,
      (a.number in (${systemAccounts.cash}, ${systemAccounts.bank}, '1015')
      or exists (select 1 from bank_accounts b where b.company_id = a.company_id and b.account_id = a.id
        and b.archived_at is null)) as "isMoney"
    from accounts a left join account_months m on m.company_id = a.company_id and m.account_id = a.id
      and m.month <= ${ctx.today}
    where a.company_id = ${ctx.companyId} and a.kind in ('asset', 'liability')
    group by a.id, a.number, a.company_id`.execute(ctx.tx)
  const money = accounts.filter((one) => one.isMoney)
  const owed = (...numbers: string[]) =>
    Math.max(0, -sum(accounts.filter((one) => numbers.includes(one.number)).map((one) => one.agorot)))
  const card = (number: string) => {
    const account = accounts.find((one) => one.number === number)
    return account
      ? `/invoice/cardskarteset/${account.id}?from=${startOfMonth(addMonths(ctx.today, -11))}&to=${endOfMonth(ctx.today)}`
      : '/invoice/maazanbohan'
  }
  const parts: { part: YoursPart; sumAgorot: number; open: string }[] = [
    {
      part: 'vat',
      sumAgorot: chargesVat(kind) ? await vatHeld(ctx) : 0,
      open: '/invoice/reportvat',
    },
    {
      part: 'advances',
      sumAgorot: await advancesAhead(ctx),
      open: `/invoice/reportadvance?from=${ctx.today.slice(0, 4)}-01-01&to=${endOfMonth(ctx.today)}`,
    },
    {
      part: 'withheld',
      sumAgorot: owed(systemAccounts.withheldFromSuppliers),
      open: card(systemAccounts.withheldFromSuppliers),
    },
    { part: 'wages', sumAgorot: owed('2400', '2410'), open: card('2410') },
    {
      part: 'suppliers',
      sumAgorot: owed(systemAccounts.suppliers, '2010'),
      open: '/invoice/reportsupplierbalances',
    },
    {
      part: 'deposits',
      sumAgorot: owed(systemAccounts.trustDeposits, '2300'),
      open: card(systemAccounts.trustDeposits),
    },
  ]
  const cashAgorot = sum(money.map((one) => one.agorot))
  const shown = parts.filter((one) => one.sumAgorot > 0)
  return {
    cashAgorot,
    parts: shown,
    yoursAgorot: cashAgorot - sum(shown.map((one) => one.sumAgorot)),
    open: card(systemAccounts.bank),
  }
}

/**
 * Advances on what was sold in the periods whose day of payment has not come, by the rate of each, less what
 * customers withheld in them.
 */
async function advancesAhead(ctx: Ctx): Promise<number> {
  const rateOn = await advanceRateOn(ctx)
  const periodOn = await vatPeriodsOf(ctx)
  const running = periodOn(ctx.today)
  const last = periodOn(dayBefore(running.from))
  // Until its day the last period is not paid yet.
  const unpaid = ctx.today <= (await reportingDaysOf(ctx)).advances(last.to) ? [last, running] : [running]
  const { rows } = await sql<{ month: Day; isTurnover: boolean; agorot: number }>`
    select m.month, a.kind = 'income' as "isTurnover", sum(m.credit_agorot - m.debit_agorot)::bigint as agorot
    from account_months m join accounts a on a.company_id = m.company_id and a.id = m.account_id
    where m.company_id = ${ctx.companyId} and m.month between ${unpaid[0]!.from} and ${running.to}
      and (a.kind = 'income' and not a.outside_turnover or a.number = ${systemAccounts.withheldByCustomers})
      group by 1, 2`.execute(ctx.tx)
  return sum(
    unpaid.map(({ from, to }) => {
      const inside = rows.filter(({ month }) => month >= from && month <= to)
      const turnover = sum(inside.filter((one) => one.isTurnover).map((one) => one.agorot))
      const withheld = -sum(inside.filter((one) => !one.isTurnover).map((one) => one.agorot))
      return Math.max(0, timesRate(Math.max(0, turnover), rateOn(to), 'halfAwayFromZero') - withheld)
    }),
  )
}

const dayBefore = (day: Day): Day => endOfMonth(addMonths(startOfMonth(day), -1))
