import { sql } from 'kysely'
import { moveInCurrency } from '#domain/bank/inCurrency.ts'
import { postSupplierPayment } from '#domain/ledger/posting.ts'
import { reverse, type Posting } from '#domain/ledger/entry.ts'
import { sum } from '#domain/money.ts'
import { fail, failField, Failure, type Params } from '#kit/describe/errors.ts'
import { byOf, newId, type Ctx } from '#kit/server/context.ts'
import { authorize } from '#kit/server/rights/authority.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { accountIds, postAll, postingsOf, type Entry } from '#features/base/ledger/server/index.ts'
import { groupOf, standsFor } from '#features/registers/parties/server/index.ts'
import { withholdingOn } from '#features/registers/suppliers/server/index.ts'
import { meansAccount } from './accounts.ts'
import { refuseTooMuchCash } from './cash.ts'
import { load, type StoredExpense } from './load.ts'
import { lockOn } from './locks.ts'

/**
 * A bill and how much of it is paid, in the currency of the books; negative for a supplier's credit that is
 * taken off.
 */
export interface Bill {
  id: string
  /** All that is open of it when absent. */
  agorot?: number | undefined
}

export interface SupplierPayment {
  supplierId: string
  bills: readonly Bill[]
  date?: string | undefined
  /**
   * In place of the date: a day ahead on which money that is ordered today moves. Payment, entry and tax bear
   * it, as the law withholds on the day of payment (Income Tax Ordinance, section 164); the bills count as
   * paid at once, so that nobody pays them again.
   */
  movesOn?: string | undefined
  means: 'cash' | 'bank' | 'card' | 'cheque' | 'owner'
  reference?: string | undefined
  /** In place of what the certificate says; the change is kept in the log. */
  withheldAgorot?: number | undefined
  /**
   * The account of the books the money left, when it is not the ordinary one of the means: another bank
   * account.
   */
  paidFrom?: string | undefined
  /**
   * That account is held in another currency: how much of it left, and at what the books carried it. What the
   * bills come to more or less is a difference of exchange.
   */
  inCurrency?: { currency: string; agorot: number; carriedAgorot: number } | undefined
}

/** What a payment comes to: gross, the tax withheld and by what, net. */
export interface WorkedOut {
  day: string
  grossAgorot: number
  withheldAgorot: number
  netAgorot: number
  /** Of the whole; null when this business withholds no tax. */
  rateBp: number | null
  reason: string | null
  certificateId: string | null
  /** What the certificate would have said. */
  byRuleAgorot: number
}

/** What was paid to a supplier in a period, VAT included: a certificate holds up to a sum of it. */
const paidTo = (ctx: Ctx, supplierId: string) => async (from: string, to: string) => {
  const { rows } = await sql<{
    paid: number
  }>`select coalesce(sum(x.amount_agorot), 0)::bigint as paid from expense_payments x
    join expenses e on e.company_id = x.company_id and e.id = x.expense_id
    where x.company_id = ${ctx.companyId} and e.supplier_id in ${groupOf(ctx, supplierId)}
      and x.cancelled_at is null and x.day between ${from} and ${to}`.execute(ctx.tx)
  return rows[0]!.paid
}

/** The tax on a payment by the certificate of its day; only a business with a withholding file withholds. */
export async function workOutPayment(
  ctx: Ctx,
  {
    supplierId,
    grossAgorot,
    date,
    withheldAgorot,
  }: {
    supplierId: string
    grossAgorot: number
    date?: string | undefined
    withheldAgorot?: number | undefined
  },
): Promise<WorkedOut> {
  const day = date ?? ctx.today
  const none = {
    day,
    grossAgorot,
    withheldAgorot: 0,
    netAgorot: grossAgorot,
    rateBp: null,
    reason: null,
    certificateId: null,
    byRuleAgorot: 0,
  }
  const { withholdingFile } = await companyOf(ctx)
  if (!withholdingFile || grossAgorot <= 0) {
    if (withheldAgorot)
      throw failField('withheldAgorot', withholdingFile ? 'fields.range' : 'expenses.noWithholdingFile')
    return none
  }
  const by = await withholdingOn(ctx, supplierId, day, {
    amountAgorot: grossAgorot,
    paidSince: paidTo(ctx, supplierId),
  })
  const withheld = withheldAgorot ?? by.withheldAgorot
  if (withheld < 0 || withheld > grossAgorot) throw failField('withheldAgorot', 'fields.range')
  return {
    day,
    grossAgorot,
    withheldAgorot: withheld,
    netAgorot: grossAgorot - withheld,
    rateBp: by.rateBp,
    reason: by.reason,
    certificateId: by.certificateId,
    byRuleAgorot: by.withheldAgorot,
  }
}

async function billsOf(
  ctx: Ctx,
  { supplierId, bills }: SupplierPayment,
): Promise<{ e: StoredExpense; agorot: number }[]> {
  const found: { e: StoredExpense; agorot: number }[] = []
  const { rows: group } = await sql<{ id: string }>`${groupOf(ctx, supplierId)}`.execute(ctx.tx)
  // In the order of ids, so that two payments never wait for each other crosswise.
  for (const { id, agorot: part } of bills.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const at = (code: string, params: Params = {}) =>
      new Failure('kit.badInput', {}, [
        { path: `bills.${bills.findIndex((one) => one.id === id)}.amountAgorot`, code, params },
      ])
    const same = found.find((one) => one.e.id === id)
    if (same) throw at('fields.taken', { name: same.e.supplier_number })
    const e = await load(ctx, id, true)
    if (!group.some((one) => one.id === e.supplier_id)) throw fail('kit.notFound')
    if (e.state !== 'approved') throw fail('expenses.notApproved')
    if (!e.open_agorot) throw fail('expenses.nothingOpen')
    const agorot = part ?? e.open_agorot
    if (
      !agorot ||
      Math.sign(agorot) !== Math.sign(e.open_agorot) ||
      Math.abs(agorot) > Math.abs(e.open_agorot)
    )
      throw at('fields.range')
    found.push({ e, agorot })
  }
  return found
}

/** The money of a payment as it left an account of another currency. */
function leftInCurrency(
  postings: Posting[],
  paidFrom: string,
  left: SupplierPayment['inCurrency'],
  exchange: string,
): Posting[] {
  if (!left) return postings
  return postings.flatMap((posting) =>
    posting.account === paidFrom
      ? moveInCurrency(
          {
            account: paidFrom,
            currency: left.currency,
            foreign: -left.agorot,
            carried: -left.carriedAgorot,
            worth: posting.debit - posting.credit,
          },
          exchange,
        )
      : [posting],
  )
}

/** The payment, in the books when this returns. */
export async function paySupplier(ctx: Ctx, asked: SupplierPayment): Promise<{ id: string; number: number }> {
  const { entry, ...made } = await enterPayment(ctx, asked)
  await postAll(ctx, [entry])
  return made
}

/**
 * Pays a supplier for one bill or several: the only way money goes out for a bill after it is in the books.
 * The bills fall by the whole sum; the tax withheld is owed to the tax authority, the rest leaves the account
 * of the means. Answers the entry, which the person who calls posts as the last of the transaction.
 */
export async function enterPayment(
  ctx: Ctx,
  asked: SupplierPayment,
): Promise<{ id: string; number: number; netAgorot: number; entry: Entry }> {
  const given = { ...asked, supplierId: await standsFor(ctx, asked.supplierId) }
  const day = given.movesOn ?? given.date ?? ctx.today
  if (!given.movesOn && day > ctx.today) throw failField('date', 'expenses.dateInFuture')
  if (await lockOn(ctx, day, 'books'))
    throw failField(given.movesOn ? 'payDay' : 'date', 'ledger.periodClosed', { day })
  const bills = await billsOf(ctx, given)
  const grossAgorot = sum(bills.map((one) => one.agorot))
  if (!grossAgorot) throw fail('expenses.nothingToPay')
  await authorize(ctx, 'pay', { agorot: grossAgorot })
  for (const { e, agorot } of bills)
    await refuseTooMuchCash(ctx, { id: e.id, total: e.ils_total_agorot }, given.means, day, agorot)
  const { supplierId, withheldAgorot } = given
  const worked = await workOutPayment(ctx, { supplierId, grossAgorot, date: day, withheldAgorot })

  const accounts = await accountIds(ctx)
  const id = newId()
  const paidFrom = given.paidFrom ?? (await meansAccount(ctx, given.means))
  // After all that may be asked before: the next payment waits for this row.
  const { rows } = await sql<{
    number: number
  }>`select next_number(${ctx.companyId}, 'supplierPayment', ${day}) as number`.execute(ctx.tx)
  const { number } = rows[0]!
  const entryId = newId()
  const entry: Entry = {
    id: entryId,
    day,
    kind: 'supplierPayment',
    reference: given.reference || String(number),
    details: bills
      .map((one) => one.e.supplier_number)
      .filter(Boolean)
      .join(', ')
      .slice(0, 200),
    postings: leftInCurrency(
      postSupplierPayment(worked.netAgorot, worked.withheldAgorot, {
        suppliers: accounts.of('suppliers'),
        supplier: given.supplierId,
        paidFrom,
        withheldFromSuppliers: worked.withheldAgorot ? accounts.of('withheldFromSuppliers') : '',
      }),
      paidFrom,
      given.inCurrency,
      accounts.of('exchangeDifferences'),
    ),
  }
  const isByHand = worked.withheldAgorot !== worked.byRuleAgorot
  await sql`insert into supplier_payments (company_id, id, number, supplier_id, day, means, reference,
      gross_agorot, withheld_agorot, net_agorot, withheld_bp, withholding_reason, certificate_id, by_hand,
      entry_id, created_by)
    values (${ctx.companyId}, ${id}, ${number}, ${given.supplierId}, ${day}, ${given.means},
      ${given.reference ?? ''}, ${grossAgorot}, ${worked.withheldAgorot}, ${worked.netAgorot},
      ${worked.rateBp}, ${worked.reason}, ${worked.certificateId}, ${isByHand}, ${entryId},
      ${byOf(ctx)})`.execute(ctx.tx)
  for (const { e, agorot } of bills) {
    await sql`insert into expense_payments (company_id, id, expense_id, day, means, reference, amount_agorot,
        at_once, entry_id, supplier_payment_id, created_by)
      values (${ctx.companyId}, ${newId()}, ${e.id}, ${day}, ${given.means}, ${given.reference ?? ''},
        ${agorot}, false, ${entryId}, ${id}, ${byOf(ctx)})`.execute(ctx.tx)
    await sql`update expenses set open_agorot = open_agorot - ${agorot}, updated_at = now()
      where company_id = ${ctx.companyId} and id = ${e.id}`.execute(ctx.tx)
    await ctx.audit('expenses.pay', 'expenses', e.id, undefined, {
      amountAgorot: agorot,
      date: day,
      means: given.means,
      number,
    })
  }
  await ctx.audit('supplierpayments.create', 'supplierpayments', id, undefined, {
    number,
    grossAgorot,
    withheldAgorot: worked.withheldAgorot,
    ...(isByHand ? { byRuleAgorot: worked.byRuleAgorot } : {}),
  })
  return { id, number, netAgorot: worked.netAgorot, entry }
}

/** The reversal, in the books when this returns. */
export const cancelSupplierPayment = async (ctx: Ctx, id: string): Promise<void> =>
  postAll(ctx, [await enterCancelPayment(ctx, id)])

/**
 * Reverses a payment whole: every bill of it is open again, and the tax is owed to nobody. Answers the
 * reversal, to be posted last.
 */
export async function enterCancelPayment(ctx: Ctx, id: string): Promise<Entry> {
  const { rows } = await sql<{
    number: number
    day: string
    entry_id: string
    gross: number
    cancelled: boolean
  }>`select number, day, entry_id, gross_agorot as gross, cancelled_at is not null as cancelled
    from supplier_payments where company_id = ${ctx.companyId} and id = ${id} for update`.execute(ctx.tx)
  const [payment] = rows
  if (!payment) throw fail('kit.notFound')
  if (payment.cancelled) throw fail('expenses.paymentCancelled')
  await authorize(ctx, 'pay', { agorot: payment.gross })
  // On the day of what it reverses while that is open, so that both leave no trace in a return; else today.
  const day = (await lockOn(ctx, payment.day, 'books')) ? ctx.today : payment.day
  const entryId = newId()
  const entry: Entry = {
    id: entryId,
    day,
    kind: 'reversal',
    reference: String(payment.number),
    reversesId: payment.entry_id,
    postings: reverse(await postingsOf(ctx, payment.entry_id)),
  }
  const { rows: parts } = await sql<{
    id: string
    expense_id: string
    agorot: number
  }>`select id, expense_id, amount_agorot as agorot from expense_payments
    where company_id = ${ctx.companyId} and supplier_payment_id = ${id} and cancelled_at is null
    order by expense_id`.execute(ctx.tx)
  for (const part of parts) {
    await sql`update expense_payments set cancelled_at = now() where company_id = ${ctx.companyId}
        and id = ${part.id}`.execute(ctx.tx)
    await sql`update expenses set open_agorot = open_agorot + ${part.agorot}, updated_at = now()
      where company_id = ${ctx.companyId} and id = ${part.expense_id}`.execute(ctx.tx)
    await ctx.audit(
      'expenses.cancelPayment',
      'expenses',
      part.expense_id,
      { amountAgorot: part.agorot },
      undefined,
    )
  }
  await sql`update supplier_payments set cancelled_at = now(), cancel_entry_id = ${entryId},
      updated_at = now() where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('supplierpayments.cancel', 'supplierpayments', id, { number: payment.number }, undefined)
  return entry
}
