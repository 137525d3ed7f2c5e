import { sql } from 'kysely'
import type { z } from 'zod'
import { credit, debit } from '#domain/ledger/entry.ts'
import { sum } from '#domain/money.ts'
import { fail, forbidden, failField, Failure } from '#kit/describe/errors.ts'
import { seesWhole } from '#kit/describe/session.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { accountIds, post } from '#features/base/ledger/server/index.ts'
import type { createDeposit as call, DepositAnswer } from '../endpoints.ts'
import { dayOfDeed, inHand, postStorno, setState, stateOf } from './money.ts'

/** Accounts that have fixed names in postings and are no bank. */
const noBanks = ['cash', 'chequesInHand', 'cardClearing']

/**
 * The accounts of the books that money in hand may be brought to: liquid ones, the ordinary bank account
 * first.
 */
export async function bankAccounts(ctx: Ctx) {
  const { rows } = await sql<{
    id: string
    number: string
    name: string
  }>`select id, number, name from accounts where company_id = ${ctx.companyId} and archived_at is null
      and kind = 'asset' and sort_code = '110'
    and coalesce(key, '') <> all(${noBanks}) order by key = 'bank' desc nulls last, number`.execute(ctx.tx)
  return rows
}

const cashBalance = async (ctx: Ctx, accountId: string): Promise<number> => {
  const { rows } = await sql<{
    balance: number
  }>`select coalesce(sum(debit_agorot - credit_agorot), 0)::bigint as balance
    from account_months where company_id = ${ctx.companyId} and account_id = ${accountId}`.execute(ctx.tx)
  return rows[0]!.balance
}

const chequeColumns = sql`t.id, coalesce(d.customer->>'name', '') as "customerName", t.due_day as "dueDay",
    t.bank, t.branch, t.account, t.number as "chequeNumber",
  t.ils_agorot as "sumAgorot", d.id as "documentId", d.number as "documentNumber"`

/** Cheques by their day, the oldest first; as many as a person can choose from. */
export async function moneyInHand(ctx: Ctx) {
  if (!seesWhole(ctx.caller)) throw forbidden({ sight: 'whole' })
  const { rows: cheques } = await sql<
    Omit<DepositAnswer['cheques'][number], 'state'>
  >`select ${chequeColumns} from document_payments t join documents d on d.company_id = t.company_id
      and d.id = t.document_id
    where t.company_id = ${ctx.companyId} and ${inHand} order by t.due_day, t.id limit 1000`.execute(ctx.tx)
  const cashAgorot = Math.max(0, await cashBalance(ctx, (await accountIds(ctx)).of('cash')))
  return { cheques, cashAgorot, accounts: await bankAccounts(ctx) }
}

/** Cheques and cash go to the bank: they leave the drawer and stand on the bank's account. */
export async function createDeposit(
  ctx: Ctx,
  given: z.output<typeof call.input>,
): Promise<{ id: string; number: number }> {
  if (!seesWhole(ctx.caller)) throw forbidden({ sight: 'whole' })
  // Whether so much is there would be told by trying.
  if (given.cashAgorot && ctx.caller.hideTotalPrices) throw failField('cashAgorot', 'payments.sumsHidden')
  const accounts = await accountIds(ctx)
  const banks = await bankAccounts(ctx)
  const bank = given.accountId ? banks.find((one) => one.id === given.accountId) : banks[0]
  if (!bank) throw failField('accountId', 'payments.noBankAccount')
  const { rows: cheques } = await sql<{
    id: string
    due_day: string
    day: string
    ils: number
    account: string
    number: string
  }>`select t.id, t.due_day, d.day, t.ils_agorot as ils, t.account_id as account, t.number
    from document_payments t join documents d on d.company_id = t.company_id and d.id = t.document_id
    where t.company_id = ${ctx.companyId} and t.id = any(${given.payments}::uuid[]) and ${inHand}
    order by t.id for update of t`.execute(ctx.tx)
  if (cheques.length !== new Set(given.payments).size) throw fail('payments.notInHand')
  if (!cheques.length && !given.cashAgorot) throw failField('payments', 'fields.need')
  const day = dayOfDeed(
    ctx,
    given.date,
    cheques.reduce((last, one) => (one.day > last ? one.day : last), ''),
  )
  // Before its day the bank takes no cheque as money; it stays in the drawer, or in the bank's safe.
  const early = cheques.find((one) => one.due_day > day)
  if (early)
    throw new Failure('kit.badInput', {}, [
      { path: 'payments', code: 'payments.notDueYet', params: { number: early.number } },
    ])
  if (given.cashAgorot && given.cashAgorot > (await cashBalance(ctx, accounts.of('cash'))))
    throw failField('cashAgorot', 'payments.notSoMuchCash')

  const { rows } = await sql<{
    number: number
  }>`select next_number(${ctx.companyId}, 'bankDeposit', ${day}) as number`.execute(ctx.tx)
  const { number } = rows[0]!
  const chequesAgorot = sum(cheques.map((one) => one.ils))
  const id = newId()
  const entryId = await post(ctx, {
    day,
    kind: 'deposit',
    reference: String(number),
    details: given.reference ?? '',
    postings: [
      debit(bank.id, chequesAgorot + given.cashAgorot),
      ...cheques.map((one) => credit(one.account, one.ils)),
      credit(accounts.of('cash'), given.cashAgorot),
    ],
  })
  await sql`insert into deposits (company_id, id, number, day, account_id, cheques_agorot, cash_agorot,
      reference, notes, entry_id, created_by)
    values (${ctx.companyId}, ${id}, ${number}, ${day}, ${bank.id}, ${chequesAgorot}, ${given.cashAgorot},
      ${given.reference ?? ''}, ${given.notes ?? ''}, ${entryId}, ${ctx.caller.userId})`.execute(ctx.tx)
  for (const one of cheques) {
    await sql`insert into deposit_payments (company_id, deposit_id, payment_id)
      values (${ctx.companyId}, ${id}, ${one.id})`.execute(ctx.tx)
    await setState(ctx, one.id, 'deposited', id)
  }
  await ctx.audit('deposits.create', 'deposits', id, undefined, {
    number,
    day,
    cheques: cheques.length,
    totalAgorot: chequesAgorot + given.cashAgorot,
  })
  return { id, number }
}

export async function loadDeposit(ctx: Ctx, id: string): Promise<DepositAnswer> {
  const { rows } = await sql<
    Omit<DepositAnswer, 'cheques'>
  >`select t.id, t.number, t.day, t.account_id as "accountId", a.name as "accountName", t.reference, t.notes,
      t.cheques_agorot as "chequesAgorot", t.cash_agorot as "cashAgorot", t.cheques_agorot + t.cash_agorot as
      "totalAgorot", t.cancelled_at is not null as undone,
      (select u.full_name from users u where u.id = t.created_by) as "madeBy", t.created_at as "madeAt"
    from deposits t join accounts a on a.company_id = t.company_id and a.id = t.account_id
    where t.company_id = ${ctx.companyId} and t.id = ${id}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  const { rows: cheques } = await sql<
    DepositAnswer['cheques'][number]
  >`select ${chequeColumns}, ${stateOf} as state from deposit_payments x
    join document_payments t on t.company_id = x.company_id and t.id = x.payment_id
    join documents d on d.company_id = t.company_id and d.id = t.document_id
    where x.company_id = ${ctx.companyId} and x.deposit_id = ${id} order by t.due_day, t.id`.execute(ctx.tx)
  return { ...rows[0], cheques }
}

/**
 * A deposit that was entered by mistake: its storno, and the cheques are in hand again. What came back from
 * the bank proves that it was there.
 */
export async function undoDeposit(ctx: Ctx, id: string): Promise<DepositAnswer> {
  const { rows } = await sql<{
    number: number
    entry_id: string
    undone: boolean
  }>`select number, entry_id, cancelled_at is not null as undone from deposits
    where company_id = ${ctx.companyId} and id = ${id} for update`.execute(ctx.tx)
  const [deposit] = rows
  if (!deposit) throw fail('kit.notFound')
  if (deposit.undone) throw fail('payments.alreadyUndone')
  const { rows: cheques } = await sql<{
    id: string
    state: string
  }>`select t.id, t.state from deposit_payments x
    join document_payments t on t.company_id = x.company_id and t.id = x.payment_id
    where x.company_id = ${ctx.companyId} and x.deposit_id = ${id} order by t.id for update of t`.execute(
    ctx.tx,
  )
  if (cheques.some((one) => one.state !== 'deposited')) throw fail('payments.cameBack')
  const entryId = await postStorno(ctx, deposit.entry_id)
  for (const one of cheques) await setState(ctx, one.id, 'received', null)
  await sql`update deposits set cancelled_at = now(), cancel_entry_id = ${entryId}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('deposits.undo', 'deposits', id, { number: deposit.number }, undefined)
  return loadDeposit(ctx, id)
}
