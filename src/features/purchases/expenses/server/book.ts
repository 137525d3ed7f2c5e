import { sql } from 'kysely'
import { kindOfAccount } from '#domain/assets/kinds.ts'
import type { Day } from '#domain/day.ts'
import { reverse, type Posting } from '#domain/ledger/entry.ts'
import { isSelfInvoice } from '#domain/vat/shares.ts'
import { postExpense, postSupplierPayment } from '#domain/ledger/posting.ts'
import { credit, debit, entryOf } from '#domain/ledger/entry.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { byOf, newId, type Ctx } from '#kit/server/context.ts'
import { authorize } from '#kit/server/rights/authority.ts'
import { vatPeriodsOf } from '#features/base/companies/server/index.ts'
import { accountIds, postAll, type Entry } from '#features/base/ledger/server/index.ts'
import { refuseTwin } from './checks.ts'
import { tellCancelled } from './followers.ts'
import { contentOf, load, loadLines, type StoredExpense, type StoredLine } from './load.ts'
import { lockOn } from './locks.ts'
import { meansAccount, ownAccount } from './accounts.ts'
import { enterCancelPayment, enterPayment } from './pay.ts'
import { prepare } from './prepare.ts'
import { typeName } from './types.ts'

type Means = 'cash' | 'bank' | 'card' | 'cheque' | 'owner'

/**
 * An entry of this expense, remembered as its own and still to be posted: the person who asks for it posts it last.
 */
async function entryOfExpense(ctx: Ctx, expenseId: string, entry: Omit<Entry, 'id'>): Promise<Entry> {
  const id = newId()
  await sql`insert into expense_entries (company_id, entry_id, expense_id)
    values (${ctx.companyId}, ${id}, ${expenseId})`.execute(ctx.tx)
  return { ...entry, id }
}

/**
 * Into the books: the expense is frozen, and paid when it was paid at once. Its period must be open. Answers
 * its entries, which the person who calls posts as the last of the transaction.
 */
export async function approve(ctx: Ctx, e: StoredExpense): Promise<Entry[]> {
  const lines = await loadLines(ctx, e.id)
  // The law is asked again with the day of today: a VAT period may have been reported since it was entered.
  // What comes with a document was worked out with it a moment ago, and its number is ours.
  if (!e.document_id) await refuseTwin(ctx, await prepare(ctx, contentOf(e, lines)), e.id)
  refuseIncomplete(ctx, e)
  if (lines.every((l) => l.net_agorot === 0 && l.vat_agorot === 0))
    throw failField('lines.0.netAgorot', 'expenses.zeroTotal')
  const day = (await lockOn(ctx, e.day, 'books')) ? e.vat_day : e.day
  if (await lockOn(ctx, day, 'books')) throw failField('date', 'ledger.periodClosed', { day })

  const accounts = await accountIds(ctx)
  const periodOn = await vatPeriodsOf(ctx)
  // VAT that is claimed in a later period than the expense's waits for it on a separate account.
  const owedVat = isSelfInvoice(e.paper) ? e.ils_vat_agorot : 0
  const hasVat = e.recognised_vat_agorot !== 0 || owedVat !== 0
  const later = hasVat && periodOn(day).from !== periodOn(e.vat_day).from
  // Within its own period the VAT is posted with the expense.
  const vatDay = later ? e.vat_day : day
  if (hasVat && (await lockOn(ctx, vatDay, 'vat'))) throw failField('vatDate', 'expenses.vatPeriodReported')
  const input =
    e.recognised_vat_agorot && !later
      ? [accounts.of('inputVat'), accounts.of('inputVatFixedAssets')]
      : ['', '']
  const waiting = later ? await ownAccount(ctx, 'inputVatLater') : ''
  const party = e.supplier_id ?? undefined
  const common = { reference: e.supplier_number, details: e.details, valueDay: e.day }
  const expenseEntry = await entryOfExpense(ctx, e.id, {
    ...common,
    day,
    kind: 'expense',
    postings: postExpense(
      lines.map((l) => ({
        account: l.account_id,
        net: l.ils_net_agorot,
        vat: l.ils_vat_agorot,
        recognisedVat: l.recognised_vat_agorot,
        isFixedAsset: l.is_fixed_asset,
      })),
      {
        // Without a supplier there is no card to pass through.
        suppliers: party ? accounts.of('suppliers') : await meansAccount(ctx, e.means as Means),
        supplier: party,
        inputVat: later ? waiting : input[0]!,
        inputVatFixedAssets: later ? waiting : input[1]!,
        owedVat: owedVat ? (later ? waiting : accounts.of('outputVat')) : undefined,
      },
    ),
  })
  const entries = [expenseEntry]
  if (later)
    entries.push(
      await entryOfExpense(ctx, e.id, {
        ...common,
        day: vatDay,
        kind: 'expense',
        postings: entryOf([
          debit(accounts.of('inputVat'), e.recognised_vat_agorot - e.equipment_vat_agorot),
          debit(accounts.of('inputVatFixedAssets'), e.equipment_vat_agorot),
          credit(accounts.of('outputVat'), owedVat),
          credit(waiting, e.recognised_vat_agorot - owedVat),
        ]),
      }),
    )

  await sql`update expenses set state = 'approved', books_day = ${day}, vat_day = ${vatDay},
      approved_by = ${byOf(ctx)}, approved_at = ${ctx.now.toISOString()}, reason = '',
    open_agorot = ${e.owed_agorot}, updated_at = now() where company_id = ${ctx.companyId}
    and id = ${e.id}`.execute(ctx.tx)
  await registerAssets(ctx, e, lines)
  // A bill that comes to nothing is paid by nothing.
  if (e.means !== 'onCredit' && e.owed_agorot !== 0) {
    const paid = {
      day: e.paid_day ?? day,
      means: e.means as Means,
      reference: '',
      amount: e.owed_agorot,
      atOnce: true,
    }
    entries.push(
      ...(await pay(ctx, { ...e, open_agorot: e.owed_agorot }, paid, party ? undefined : expenseEntry.id)),
    )
  }
  await ctx.audit(
    'expenses.approve',
    'expenses',
    e.id,
    { state: e.state },
    { state: 'approved', totalAgorot: e.ils_total_agorot },
  )
  return entries
}

function refuseIncomplete(ctx: Ctx, e: StoredExpense): void {
  if (e.day > ctx.today) throw failField('date', 'expenses.dateInFuture')
  if ((e.means === 'onCredit' || isSelfInvoice(e.paper)) && !e.supplier_id)
    throw failField('supplierId', 'expenses.noSupplier')
}

async function registerAssets(ctx: Ctx, e: StoredExpense, lines: readonly StoredLine[]): Promise<void> {
  for (const l of lines.filter((one) => one.is_fixed_asset && one.ils_net_agorot > 0)) {
    const { rows } = await sql<{
      name: string
      code6111: string
    }>`select ${typeName(ctx.caller.language)} as name, a.code6111 from expense_types t
      join accounts a on a.company_id = t.company_id and a.id = ${l.account_id}
      where t.company_id = ${ctx.companyId} and t.id = ${l.type_id}`.execute(ctx.tx)
    const { name, code6111 } = rows[0]!
    await sql`insert into fixed_assets (company_id, id, name, kind, expense_id, line, account_id, supplier_id,
        start_day, cost_agorot, depreciation_bp)
      values (${ctx.companyId}, ${newId()}, ${l.details || e.details || name},
        ${kindOfAccount(code6111, l.depreciation_bp)}, ${e.id}, ${l.line}, ${l.account_id},
        ${e.supplier_id}, ${e.day}, ${l.ils_net_agorot + l.ils_vat_agorot - l.recognised_vat_agorot},
        ${l.depreciation_bp})`.execute(ctx.tx)
  }
}

interface Paid {
  day: Day
  means: Means
  reference: string
  amount: number
  atOnce: boolean
}

/**
 * What was paid together with the expense. `inEntry`: it is part of the expense's entry, because there is no
 * supplier between.
 */
async function pay(ctx: Ctx, e: StoredExpense, paid: Paid, inEntry?: string): Promise<Entry[]> {
  if (await lockOn(ctx, paid.day, 'books'))
    throw failField(paid.atOnce ? 'paidDate' : 'date', 'ledger.periodClosed', { day: paid.day })
  const accounts = await accountIds(ctx)
  const entry = inEntry
    ? undefined
    : await entryOfExpense(ctx, e.id, {
        day: paid.day,
        kind: 'supplierPayment',
        reference: paid.reference || e.supplier_number,
        details: e.details,
        postings: postSupplierPayment(paid.amount, 0, {
          suppliers: accounts.of('suppliers'),
          supplier: e.supplier_id!,
          paidFrom: await meansAccount(ctx, paid.means),
          withheldFromSuppliers: '',
        }),
      })
  await sql`insert into expense_payments (company_id, id, expense_id, day, means, reference, amount_agorot,
      at_once, entry_id, created_by)
    values (${ctx.companyId}, ${newId()}, ${e.id}, ${paid.day}, ${paid.means}, ${paid.reference},
      ${paid.amount}, ${paid.atOnce}, ${entry?.id ?? inEntry}, ${byOf(ctx)})`.execute(ctx.tx)
  await sql`update expenses set open_agorot = ${e.open_agorot - paid.amount}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${e.id}`.execute(ctx.tx)
  return entry ? [entry] : []
}

async function postingsOf(
  ctx: Ctx,
  entryId: string,
): Promise<{ day: Day; postings: Posting[]; hasVat: boolean }> {
  const { rows } = await sql<{
    day: Day
    account: string
    party: string | null
    amount: number
    number: string
  }>`select p.day, p.account_id as account, p.party_id as party, p.amount_agorot as amount, a.number
    from postings p join accounts a on a.company_id = p.company_id and a.id = p.account_id
    where p.company_id = ${ctx.companyId} and p.entry_id = ${entryId} order by p.line`.execute(ctx.tx)
  return {
    day: rows[0]!.day,
    postings: rows.map((r) => debit(r.account, r.amount, r.party ?? undefined)),
    hasVat: rows.some((r) => ['1200', '1210', '2100'].includes(r.number)),
  }
}

/**
 * The reversal has the day of what it reverses while that is open, so that both leave no trace in a return; else
 * today.
 */
async function storno(
  ctx: Ctx,
  e: StoredExpense,
  entryId: string,
): Promise<{ day: Day; hasVat: boolean; entry: Entry }> {
  const original = await postingsOf(ctx, entryId)
  const day = (await lockOn(ctx, original.day, original.hasVat ? 'vat' : 'books')) ? ctx.today : original.day
  if (await lockOn(ctx, day, original.hasVat ? 'vat' : 'books')) throw fail('ledger.periodClosed', { day })
  const entry = await entryOfExpense(ctx, e.id, {
    day,
    kind: 'reversal',
    reference: e.supplier_number,
    details: e.details,
    reversesId: entryId,
    postings: reverse(original.postings),
  })
  return { day, hasVat: original.hasVat, entry }
}

/**
 * Posted entries are never changed: cancelling reverses them, with what was paid at once. Then the bill may be
 * entered again. Answers the reversals, which the caller posts last.
 */
export async function cancel(ctx: Ctx, id: string, reason: string): Promise<Entry[]> {
  const e = await load(ctx, id, true)
  // The two stand and fall together, by the document.
  if (e.document_id && e.state === 'approved')
    throw fail('expenses.ofDocument', { number: e.supplier_number })
  return cancelStored(ctx, e, reason)
}

/** The same of an expense at hand, locked, by the person who may take it back without seeing expenses. */
export async function cancelStored(ctx: Ctx, e: StoredExpense, reason: string): Promise<Entry[]> {
  const { id } = e
  if (e.state === 'cancelled') throw fail('expenses.alreadyCancelled')
  if (e.state !== 'approved') throw fail('expenses.notApproved')
  const { rows: payments } = await sql<{
    id: string
    entryId: string
    atOnce: boolean
    amount: number
  }>`select id, entry_id as "entryId", at_once as "atOnce", amount_agorot as amount
    from expense_payments where company_id = ${ctx.companyId} and expense_id = ${id}
      and cancelled_at is null`.execute(ctx.tx)
  const atOnce = payments.filter((p) => p.atOnce)
  const paidAtOnce = atOnce.reduce((all, p) => all + p.amount, 0)
  // A separate payment is real money: it is reversed first, or it would be left on the supplier's account.
  if (atOnce.length !== payments.length || e.open_agorot + paidAtOnce !== e.owed_agorot)
    throw fail('expenses.hasPayments')
  const { rows: entries } = await sql<{
    id: string
  }>`select n.id from expense_entries x join entries n on n.company_id = x.company_id and n.id = x.entry_id
    where x.company_id = ${ctx.companyId} and x.expense_id = ${id} and n.reverses_id is null
    and not exists (select 1 from entries r where r.company_id = n.company_id and r.reverses_id = n.id)
    order by n.id`.execute(ctx.tx)
  // What was owed before the books began here came with the opening balances: it is paid, never reversed separately.
  if (e.source === 'opening' || (!entries.length && e.open_agorot !== 0)) throw fail('expenses.openingItem')
  let vatDay = e.vat_day
  const reversals: Entry[] = []
  for (const entry of entries) {
    const reversed = await storno(ctx, e, entry.id)
    reversals.push(reversed.entry)
    if (reversed.hasVat) vatDay = reversed.day
  }
  await sql`update expense_payments set cancelled_at = now() where company_id = ${ctx.companyId}
      and expense_id = ${id} and cancelled_at is null`.execute(ctx.tx)
  await sql`update fixed_assets set archived_at = now(), updated_at = now()
    where company_id = ${ctx.companyId} and expense_id = ${id} and archived_at is null`.execute(ctx.tx)
  await tellCancelled(ctx, id)
  await sql`update expenses set state = 'cancelled', open_agorot = 0, reason = ${reason},
      cancelled_vat_day = ${vatDay}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('expenses.cancel', 'expenses', id, { state: 'approved' }, { state: 'cancelled', reason })
  return reversals
}

/**
 * Pays an open expense, whole or in part: a payment to its supplier for this one bill. Answers its entry, to
 * be posted last.
 */
export async function enterPayOpen(
  ctx: Ctx,
  id: string,
  given: {
    date?: string | undefined
    means: Means
    reference?: string | undefined
    amountAgorot?: number | undefined
  },
): Promise<Entry> {
  const e = await load(ctx, id, true)
  if (e.state !== 'approved') throw fail('expenses.notApproved')
  if (!e.open_agorot || !e.supplier_id) throw fail('expenses.nothingOpen')
  const agorot = given.amountAgorot ?? e.open_agorot
  if (!agorot || Math.sign(agorot) !== Math.sign(e.open_agorot) || Math.abs(agorot) > Math.abs(e.open_agorot))
    throw failField('amountAgorot', 'fields.range')
  return (await enterPayment(ctx, { ...given, supplierId: e.supplier_id, bills: [{ id, agorot }] })).entry
}

/** The same, posted. */
export const payOpen = async (...given: Parameters<typeof enterPayOpen>): Promise<void> =>
  postAll(given[0], [await enterPayOpen(...given)])

/**
 * Reverses one payment; its sum is open again, and with it that of every other bill it paid. Answers the
 * reversal, to be posted last.
 */
export async function cancelPayment(ctx: Ctx, id: string, paymentId: string): Promise<Entry> {
  const e = await load(ctx, id, true)
  const { rows } = await sql<{
    entryId: string
    amount: number
    cancelled: boolean
    whole: string | null
  }>`select entry_id as "entryId", amount_agorot as amount, cancelled_at is not null as cancelled,
      supplier_payment_id as whole
    from expense_payments where company_id = ${ctx.companyId} and expense_id = ${id}
      and id = ${paymentId}`.execute(ctx.tx)
  const payment = rows[0]
  if (!payment) throw fail('kit.notFound')
  // Without a supplier the payment is the expense itself.
  if (!e.supplier_id) throw fail('expenses.hasPayments')
  if (payment.cancelled || e.state !== 'approved') throw fail('expenses.paymentCancelled')
  if (payment.whole) return enterCancelPayment(ctx, payment.whole)
  await authorize(ctx, 'pay', { agorot: payment.amount })
  const { entry } = await storno(ctx, e, payment.entryId)
  await sql`update expense_payments set cancelled_at = now() where company_id = ${ctx.companyId}
      and id = ${paymentId}`.execute(ctx.tx)
  await sql`update expenses set open_agorot = open_agorot + ${payment.amount}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('expenses.cancelPayment', 'expenses', id, { amountAgorot: payment.amount }, undefined)
  return entry
}
