import { sql } from 'kysely'
import { dueOfYear } from '#domain/law/dues.ts'
import { leftOfMonth } from '#domain/filings/withheld.ts'
import { systemAccounts } from '#domain/ledger/chart.ts'
import { addMonths, startOfMonth, yearOf, type Day } from '#domain/day.ts'
import { sum } from '#domain/money.ts'
import type { Ctx } from '#kit/server/context.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { daysOf } from './form856.ts'
import { paidByBooks, paidByPapers } from './payees.ts'

/**
 * What was withheld from suppliers in a month, of how many, and how much of it did not go to the authority
 * yet; null where nothing was. `to`: its last day.
 */
export async function withheldIn(
  ctx: Ctx,
  to: Day,
): Promise<{ payees: number; withheldAgorot: number; leftAgorot: number } | null> {
  const withheld = (await paidByBooks(ctx, startOfMonth(to), to)).filter((one) => one.withheld !== 0)
  const withheldAgorot = sum(withheld.map((one) => one.withheld))
  if (withheldAgorot <= 0) return null
  const { rows } = await sql<{ owed: number; since: number }>`select
      coalesce(-sum(p.amount_agorot) filter (where p.day <= ${to}), 0)::bigint as owed,
      coalesce(sum(p.amount_agorot) filter
      (where p.day > ${to} and coalesce(o.kind, n.kind) <> 'supplierPayment'), 0)::bigint as since
    from postings p join accounts a on a.company_id = p.company_id and a.id = p.account_id
    join entries n on n.company_id = p.company_id and n.id = p.entry_id
      left join entries o on o.company_id = n.company_id and o.id = n.reverses_id
    where p.company_id = ${ctx.companyId} and a.number = ${systemAccounts.withheldFromSuppliers}`.execute(
    ctx.tx,
  )
  const { owed, since } = rows[0]!
  return {
    payees: new Set(withheld.map((one) => one.supplierId)).size,
    withheldAgorot,
    leftAgorot: leftOfMonth(withheldAgorot, owed, since),
  }
}

/**
 * How many suppliers form 856 of the year before names, in the last month that is closed before the form is
 * due; 0 in every other month, and of a business without a withholding file that withheld nothing. `to`: the
 * last day of the month.
 */
export async function namedIn856(ctx: Ctx, to: Day): Promise<{ year: number; payees: number }> {
  const year = yearOf(to) - 1
  if (startOfMonth(to) !== addMonths(startOfMonth(dueOfYear('form856', year).day), -1))
    return { year, payees: 0 }
  const { from, to: end } = daysOf(year)
  const paid = await paidByPapers(ctx, from, end)
  const { withholdingFile } = await companyOf(ctx)
  if (!withholdingFile && paid.every((one) => one.withheld === 0)) return { year, payees: 0 }
  return { year, payees: new Set(paid.filter((one) => one.gross !== 0).map((one) => one.supplierId)).size }
}
