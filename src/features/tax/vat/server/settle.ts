import { sql } from 'kysely'
import type { Day, Period } from '#domain/day.ts'
import { formatPeriod } from '#domain/format.ts'
import { credit, debit, reverse } from '#domain/ledger/entry.ts'
import { systemAccounts } from '#domain/ledger/chart.ts'
import { settlementOf } from '#domain/ledger/vatSettlement.ts'
import type { ReturnFigures } from '#domain/vat/papers.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { byOf, type Ctx } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import { accountIds, post } from '#features/base/ledger/server/index.ts'
import { basisChanges, chargingCompany } from './basis.ts'
import { vatByAccount } from './books.ts'
import { paidIn } from './papers.ts'
import { workOut } from './worked.ts'

export interface Settlement {
  entryId: string
  day: Day
  toPayAgorot: number
}

/** The standing settlement of a filing. */
export async function settlementOfFiling(ctx: Ctx, filingId: string): Promise<Settlement | null> {
  const { rows } =
    await sql<Settlement>`select s.entry_id as "entryId", e.day, s.to_pay_agorot as "toPayAgorot"
      from vat_settlements s
    join entries e on e.company_id = s.company_id and e.id = s.entry_id
    where s.company_id = ${ctx.companyId} and s.filing_id = ${filingId} and s.reversal_id is null`.execute(
      ctx.tx,
    )
  return rows[0] ?? null
}

/** What is owed to the VAT authority by its account, of all periods; null where the chart has none. */
export async function owedToAuthority(ctx: Ctx): Promise<{ accountId: string; owedAgorot: number } | null> {
  const { rows } = await sql<{ accountId: string; owedAgorot: number }>`select a.id as "accountId",
      coalesce((select sum(m.credit_agorot - m.debit_agorot) from account_months m
      where m.company_id = a.company_id and m.account_id = a.id), 0)::bigint as "owedAgorot"
    from accounts a where a.company_id = ${ctx.companyId}
      and a.number = ${systemAccounts.vatSettlement}`.execute(ctx.tx)
  return rows[0] ?? null
}

/** The last day of the period, or today when its month was closed. */
async function dayFor(ctx: Ctx, wanted: Day): Promise<Day> {
  const { rows } =
    await sql`select 1 from locked_periods where company_id = ${ctx.companyId} and reopened_at is null
        and kind in ('month', 'year')
    and ${wanted}::date between from_day and to_day limit 1`.execute(ctx.tx)
  return rows.length ? ctx.today : wanted
}

/**
 * Moves the VAT of a filing to the account of the VAT authority: every account of VAT is emptied of what it
 * holds of the period, the authority is owed the sum that was reported, and what rounding to shekels left
 * goes to rounding.
 */
export async function settle(ctx: Ctx, filingId: string): Promise<Settlement> {
  await chargingCompany(ctx)
  const { rows } = await sql<{
    from: Day
    to: Day
    figures: ReturnFigures
    filed: ReturnFigures
    gone: boolean
  }>`select from_day as "from", to_day as "to", figures, filed_figures as filed,
      reopened_at is not null as gone from vat_filings
    where company_id = ${ctx.companyId} and id = ${filingId} for update`.execute(ctx.tx)
  const filing = rows[0]
  if (!filing) throw fail('kit.notFound')
  if (filing.gone) throw fail('vat.notFiled')
  if (await settlementOfFiling(ctx, filingId)) throw fail('vat.alreadySettled')
  const period: Period = { from: filing.from, to: filing.to }
  const changes = await basisChanges(ctx)
  const accounts = await accountIds(ctx)
  const { broughtDiffers } = await workOut(ctx, period)
  const left = broughtDiffers.find((d) => d.in === 'outputVat')
  const balances = await vatByAccount(
    ctx,
    period,
    await paidIn(ctx, period, changes),
    changes,
    accounts.of('outputVat'),
    left ? left.books - left.paper : 0,
  )
  const moved = settlementOf(balances, filing.filed.toPay, {
    authority: accounts.of('vatSettlement'),
    rounding: accounts.of('rounding'),
  })
  if (!moved.length) return { entryId: '', day: period.to, toPayAgorot: 0 }
  const day = await dayFor(ctx, period.to)
  const entryId = await post(ctx, {
    day,
    kind: 'vatSettlement',
    reference: period.to.slice(0, 7),
    details: say(ctx.caller.language, 'vat.settle.details', { period: formatPeriod(period) }),
    postings: moved,
  })
  await sql`insert into vat_settlements (company_id, filing_id, entry_id, to_pay_agorot, made_by)
    values (${ctx.companyId}, ${filingId}, ${entryId},
    ${filing.filed.toPay}, ${byOf(ctx)})`.execute(ctx.tx)
  await ctx.audit('vat.settle', 'vatFilings', filingId, undefined, { day, toPayAgorot: filing.filed.toPay })
  return { entryId, day, toPayAgorot: filing.filed.toPay }
}

/** Takes the settlement of a filing back with it: on its own day while that is open, else today. */
export async function unsettle(ctx: Ctx, filingId: string): Promise<void> {
  const settlement = await settlementOfFiling(ctx, filingId)
  if (!settlement) return
  const { rows } = await sql<{
    account: string
    amount: number
  }>`select account_id as account, amount_agorot as amount from postings
    where company_id = ${ctx.companyId} and entry_id = ${settlement.entryId} order by line`.execute(ctx.tx)
  const { rows: said } = await sql<{
    reference: string
    details: string
  }>`select reference, details from entries
    where company_id = ${ctx.companyId} and id = ${settlement.entryId}`.execute(ctx.tx)
  const reversalId = await post(ctx, {
    day: await dayFor(ctx, settlement.day),
    kind: 'reversal',
    ...said[0]!,
    reversesId: settlement.entryId,
    postings: reverse(rows.map((r) => debit(r.account, r.amount))),
  })
  await sql`update vat_settlements set reversal_id = ${reversalId} where company_id = ${ctx.companyId}
      and filing_id = ${filingId}`.execute(ctx.tx)
}

/**
 * Money that went to the authority or came from it: a journal entry like one by hand, and reversed like one.
 */
export async function pay(
  ctx: Ctx,
  { day, amountAgorot, accountId }: { day: Day; amountAgorot: number; accountId?: string | null | undefined },
): Promise<{ entryId: string }> {
  await chargingCompany(ctx)
  if (day > ctx.today) throw failField('day', 'vat.dayInFuture')
  const accounts = await accountIds(ctx)
  const money = accountId ?? accounts.of('bank')
  // Only where money lies: no card of a party, no result, none of the accounts of VAT.
  const { rows } = await sql<{ number: string; kind: string }>`select number, kind from accounts
    where company_id = ${ctx.companyId} and id = ${money} and archived_at is null`.execute(ctx.tx)
  const ours = [
    'customers',
    'suppliers',
    'inputVat',
    'inputVatFixedAssets',
    'outputVat',
    'vatSettlement',
  ] as const
  if (
    !rows[0] ||
    !['asset', 'liability', 'equity'].includes(rows[0].kind) ||
    ours.some((name) => systemAccounts[name] === rows[0]!.number)
  )
    throw failField('accountId', 'vat.settleAccount')
  const entryId = await post(ctx, {
    day,
    kind: 'manual',
    details: say(ctx.caller.language, amountAgorot > 0 ? 'vat.pay.details' : 'vat.pay.detailsRefund'),
    postings: [debit(accounts.of('vatSettlement'), amountAgorot), credit(money, amountAgorot)],
  })
  await ctx.audit('vat.pay', 'entries', entryId, undefined, { day, amountAgorot })
  return { entryId }
}
