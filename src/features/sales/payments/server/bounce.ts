import { sql } from 'kysely'
import { statusFacts } from '#domain/documents/facts.ts'
import { credit, debit, type Posting } from '#domain/ledger/entry.ts'
import { paymentMeansById } from '#domain/documents/kinds.ts'
import { fail, forbidden } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { loseMoney, regainMoney, type AskedAgain } from '#features/sales/documents/server/index.ts'
import { typeById } from '#features/sales/documents/types/index.ts'
import { accountIds, post, type AccountIds } from '#features/base/ledger/server/index.ts'
import { dayOfDeed, loadPayment, postStorno, setState, type StoredPayment } from './money.ts'

type Deed = 'deposit' | 'bounce' | 'giveBack' | 'undo'

/** What may be done with a payment in its present state. */
export function deedsOf(
  p: Pick<StoredPayment, 'means' | 'state' | 'amount_agorot' | 'document_status'>,
): Record<Deed, boolean> {
  const means = paymentMeansById(p.means)
  const isLiving = p.amount_agorot > 0 && !statusFacts(p.document_status).isCancelled
  const inHand = isLiving && means === 'cheque' && p.state === 'received'
  // What came by wire is there at once; cash and tax withheld cannot come back.
  const isDebit =
    isLiving && p.state === 'received' && means !== 'cheque' && means !== 'cash' && means !== 'withheldTax'
  return {
    deposit: inHand,
    giveBack: inHand,
    bounce: isDebit || (isLiving && p.state === 'deposited'),
    undo: isLiving && (p.state === 'bounced' || p.state === 'returned'),
  }
}

/**
 * Who owes the money again: the customer; for money held on deposit nobody, and a donation that did not come
 * is no debt.
 */
function owedBy(
  p: StoredPayment,
  accounts: AccountIds,
): { posting: (agorot: number) => Posting; isDebt: boolean } {
  const name = typeById(p.document_type)!.name
  if (name === 'depositReceipt')
    return { posting: (agorot) => debit(accounts.of('trustDeposits'), agorot), isDebt: false }
  if (name === 'donationReceipt') {
    const income = accounts.byNumber('4050') ?? accounts.byNumber('4000')
    if (!income) throw fail('ledger.noAccount', { number: '4050' })
    return { posting: (agorot) => debit(income, agorot), isDebt: false }
  }
  return {
    posting: (agorot) => debit(accounts.of('customers'), agorot, p.customer_id ?? undefined),
    isDebt: true,
  }
}

/** The account the money lies on now, and the day it came there. */
async function whereItLies(ctx: Ctx, p: StoredPayment): Promise<{ account: string; since: string }> {
  const { rows } = await sql<{
    account: string
    day: string
  }>`select account_id as account, day from deposits where company_id = ${ctx.companyId}
      and id = ${p.deposit_id}`.execute(ctx.tx)
  if (p.deposit_id && !rows[0]) throw forbidden({ sight: 'whole' })
  return rows[0] ? { account: rows[0].account, since: rows[0].day } : { account: p.account_id!, since: p.day }
}

interface Return {
  id: string
  date?: string | undefined
  reason?: string | undefined
  feeAgorot?: number | undefined
}

/** The money did not stay: the debt is open again, and its account has so much less. */
async function takeBack(
  ctx: Ctx,
  p: StoredPayment,
  kind: 'bounced' | 'given',
  { date, reason = '', feeAgorot = 0 }: Return,
): Promise<void> {
  const accounts = await accountIds(ctx)
  const { account, since } = await whereItLies(ctx, p)
  const day = dayOfDeed(ctx, date, since)
  const { posting, isDebt } = owedBy(p, accounts)
  const asked = isDebt
    ? await loseMoney(ctx, p.document_id, { agorot: p.amount_agorot, ilsAgorot: p.ils_agorot }, day)
    : []
  const entryId = await post(ctx, {
    day,
    kind: kind === 'bounced' ? 'bounced' : 'chequeGivenBack',
    reference: String(p.document_number),
    details: reason,
    documentId: p.document_id,
    // The bank takes its fee from the account it gave the money to.
    postings: [
      posting(p.ils_agorot),
      debit(feeAgorot ? accounts.of('bankFees') : '', feeAgorot),
      credit(account, p.ils_agorot + feeAgorot),
    ],
  })
  await sql`insert into payment_returns (company_id, id, payment_id, kind, day, reason, fee_agorot, entry_id,
      asked, created_by)
    values (${ctx.companyId}, ${newId()}, ${p.id}, ${kind}, ${day}, ${reason}, ${feeAgorot}, ${entryId},
      ${JSON.stringify(asked)}, ${ctx.caller.userId})`.execute(ctx.tx)
  await setState(ctx, p.id, kind === 'bounced' ? 'bounced' : 'returned', p.deposit_id)
}

/** The bank sent a cheque back, or a debit was returned. */
export async function bounce(ctx: Ctx, given: Return): Promise<void> {
  const p = await loadPayment(ctx, given.id)
  if (!deedsOf(p).bounce) throw fail('payments.cannotBounce')
  // A part of it was denied and is owed again already.
  const { rows: denied } =
    await sql`select 1 from charge_disputes where company_id = ${ctx.companyId} and payment_id = ${p.id}
    and entry_id is not null and state <> 'won'`.execute(ctx.tx)
  if (denied.length) throw fail('payments.cannotBounce')
  await takeBack(ctx, p, 'bounced', given)
  await ctx.audit('payments.bounce', 'payments', p.id, undefined, { ...given, amountAgorot: p.ils_agorot })
}

/** A cheque that still lay in the drawer went back to who gave it. */
export async function giveBack(ctx: Ctx, given: Omit<Return, 'feeAgorot'>): Promise<void> {
  const p = await loadPayment(ctx, given.id)
  if (!deedsOf(p).giveBack) throw fail('payments.cannotGiveBack')
  await takeBack(ctx, p, 'given', given)
  await ctx.audit('payments.giveBack', 'payments', p.id, undefined, { ...given, amountAgorot: p.ils_agorot })
}

/**
 * It did not come back after all: the storno, and the money is where it was. What it had closed stays open
 * until it is applied again.
 */
export async function undoReturn(ctx: Ctx, id: string): Promise<void> {
  const p = await loadPayment(ctx, id)
  const { rows } = await sql<{
    id: string
    entry_id: string
    asked: AskedAgain[]
  }>`select id, entry_id, asked from payment_returns
    where company_id = ${ctx.companyId} and payment_id = ${id} and undone_at is null for update`.execute(
    ctx.tx,
  )
  const [last] = rows
  if (!last || !deedsOf(p).undo) throw fail('payments.cannotUndo')
  if (owedBy(p, await accountIds(ctx)).isDebt)
    await regainMoney(ctx, p.document_id, { agorot: p.amount_agorot, ilsAgorot: p.ils_agorot }, last.asked)
  // The days between had the debt, and keep it.
  const entryId = await postStorno(ctx, last.entry_id, ctx.today)
  await sql`update payment_returns set undone_at = now(), undo_entry_id = ${entryId}
    where company_id = ${ctx.companyId} and id = ${last.id}`.execute(ctx.tx)
  await setState(ctx, id, p.deposit_id ? 'deposited' : 'received', p.deposit_id)
  await ctx.audit('payments.undoReturn', 'payments', id)
}
