import { sql } from 'kysely'
import { addDays } from '#domain/day.ts'
import { credit, debit } from '#domain/ledger/entry.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import { accountIds, post } from '#features/base/ledger/server/index.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { createExpense, typeByKey, typeOfAccount } from '#features/purchases/expenses/server/index.ts'
import { keepMatch } from '#features/money/matching/server/index.ts'

export async function addDeposit(
  ctx: Ctx,
  given: { terminalId: string; day: string; netAgorot: number },
): Promise<{ id: string }> {
  const { rows } = await sql`select 1 from terminals where company_id = ${ctx.companyId}
        and id = ${given.terminalId}`.execute(ctx.tx)
  if (!rows.length) throw failField('terminalId', 'fields.ref')
  if (given.day > ctx.today) throw failField('day', 'settlements.future')
  const id = newId()
  await sql`insert into acquirer_deposits (company_id, id, terminal_id, external_id, day, net_agorot)
    values (${ctx.companyId}, ${id}, ${given.terminalId}, ${id}, ${given.day}, ${given.netAgorot})`.execute(
    ctx.tx,
  )
  await ctx.audit('settlements.addDeposit', 'acquirerDeposits', id, undefined, {
    day: given.day,
    amountAgorot: given.netAgorot,
  })
  return { id }
}

interface Given {
  id: string
  bankAccountId: string
  feeAgorot: number
  feeVatAgorot: number
  invoiceNumber: string
}

/**
 * The money and the fee come off what the acquirer owes together: the bank takes the whole, and pays the fee
 * as any expense is paid, so that the VAT of the fee is the VAT of a bill. Both stand against the bank's one
 * line, where there is one of that sum about that day and no other.
 */
export async function bookDeposit(ctx: Ctx, given: Given) {
  const { rows } = await sql<{
    state: string
    day: string
    net: number
    gateway: string
    feeAccountId: string | null
  }>`select d.state, d.day::text, d.net_agorot as net, t.gateway, t.fee_account_id as "feeAccountId"
    from acquirer_deposits d join terminals t on t.company_id = d.company_id and t.id = d.terminal_id
    where d.company_id = ${ctx.companyId} and d.id = ${given.id} for update of d`.execute(ctx.tx)
  const [deposit] = rows
  if (!deposit) throw fail('kit.notFound')
  if (deposit.state !== 'found') throw fail('settlements.booked')
  const { rows: banks } = await sql<{
    account: string
    held: string
  }>`select account_id as account, currency as held from bank_accounts
    where company_id = ${ctx.companyId} and id = ${given.bankAccountId} and archived_at is null`.execute(
    ctx.tx,
  )
  const [bank] = banks
  if (!bank || bank.held !== 'ILS') throw failField('bankAccountId', 'fields.ref')
  if (given.feeVatAgorot > given.feeAgorot) throw failField('feeVatAgorot', 'fields.range')
  const fee = given.feeAgorot + given.feeVatAgorot
  const gross = deposit.net + fee
  const accounts = await accountIds(ctx)
  const acquirer = say((await companyOf(ctx)).language, `cardCharges.acquirer.${deposit.gateway}`)
  const expense = fee
    ? await createExpense(ctx, {
        supplier: { name: acquirer },
        ...(given.invoiceNumber ? { supplierNumber: given.invoiceNumber } : {}),
        date: deposit.day,
        paper: given.feeVatAgorot ? 'taxInvoice' : 'receipt',
        details: acquirer,
        lines: [
          {
            typeId: await kindOfFee(ctx, deposit.feeAccountId),
            netAgorot: given.feeAgorot,
            vatAgorot: given.feeVatAgorot,
          },
        ],
        means: 'bank',
        paidDate: deposit.day,
      })
    : undefined
  const entryId = await post(ctx, {
    day: deposit.day,
    kind: 'deposit',
    details: acquirer,
    postings: [debit(bank.account, gross), credit(accounts.of('cardClearing'), gross)],
  })
  const match = await matched(ctx, bank.account, given.bankAccountId, {
    ...deposit,
    entryId,
    expenseId: expense?.id,
    fee,
  })
  await sql`update acquirer_deposits set state = 'booked', fee_agorot = ${given.feeAgorot},
      fee_vat_agorot = ${given.feeVatAgorot}, bank_account_id = ${given.bankAccountId},
      entry_id = ${entryId}, expense_id = ${expense?.id ?? null}, match_id = ${match?.id ?? null},
      booked_by = ${ctx.caller.userId}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${given.id}`.execute(ctx.tx)
  await ctx.audit('settlements.book', 'acquirerDeposits', given.id, undefined, {
    amountAgorot: deposit.net,
    feeAgorot: fee,
  })
  return { matched: match !== undefined, matchNumber: match?.number ?? null, expenseId: expense?.id ?? null }
}

/**
 * The kind of expense of the account that the terminal names; without one, commissions of cards, whose VAT is
 * deducted.
 */
const kindOfFee = async (ctx: Ctx, accountId: string | null): Promise<string> =>
  (accountId ? await typeOfAccount(ctx, accountId) : undefined) ?? typeByKey(ctx, 'cardCommissions')

/** How far a bank's day lies from the acquirer's. */
const [before, after] = [1, 5]

async function matched(
  ctx: Ctx,
  accountId: string,
  bankAccountId: string,
  of: { day: string; net: number; entryId: string; expenseId: string | undefined; fee: number },
): Promise<{ id: string; number: number } | undefined> {
  const { rows: lines } = await sql<{
    id: string
  }>`select l.id from bank_lines l where l.company_id = ${ctx.companyId}
      and l.bank_account_id = ${bankAccountId}
    and l.amount_agorot = ${of.net} and l.day between ${addDays(of.day, -before)}
    and ${addDays(of.day, after)}
    and not exists (select 1 from match_lines x where x.company_id = l.company_id and x.line_id = l.id)
    limit 2`.execute(ctx.tx)
  // Of two that could be it, a person says which.
  if (lines.length !== 1) return undefined
  const { rows: postings } = await sql<{
    key: string
    amount: number
  }>`select p.entry_id || ':' || p.line as key, p.amount_agorot as amount from postings p
    where p.company_id = ${ctx.companyId} and p.account_id = ${accountId} and (p.entry_id = ${of.entryId}
      or p.entry_id in (select e.entry_id from expense_entries e where e.company_id = p.company_id
      and e.expense_id = ${of.expenseId ?? null}))`.execute(ctx.tx)
  if (postings.reduce((sum, { amount }) => sum + amount, 0) !== of.net) return undefined
  return keepMatch(ctx, {
    kind: 'bank',
    accountId,
    lines: [lines[0]!.id],
    postings: postings.map(({ key }) => key),
    automatic: true,
  })
}
