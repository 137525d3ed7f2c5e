import { sql } from 'kysely'
import { systemAccounts } from '#domain/ledger/chart.ts'
import {
  carriedAt,
  inShekels,
  moveInCurrency,
  postInCurrency,
  withForeign,
  type Held,
  type Moved,
} from '#domain/bank/inCurrency.ts'
import { formatDay } from '#domain/format.ts'
import { balance, credit, debit, type Posting } from '#domain/ledger/entry.ts'
import type { Deed } from '#domain/matching/propose.ts'
import { divideRounded, toSafeNumber } from '#domain/money.ts'
import { fail, forbidden, failField } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import { issuePrepared, prepareDocument } from '#features/sales/documents/server/index.ts'
import { typeId } from '#features/sales/documents/types/index.ts'
import { paySupplier } from '#features/purchases/expenses/server/index.ts'
import { accountIds, post, type AccountIds } from '#features/base/ledger/server/index.ts'
import { bouncePayment } from '#features/sales/payments/server/index.ts'
import { ratesOn } from '#features/registers/rates/server/index.ts'
import { keepMatch } from './match.ts'
import {
  amountIn,
  billsIn,
  keyOf,
  loadAccount,
  lockAccounts,
  matchedAccount,
  openInCurrency,
  type Account,
} from './open.ts'

export interface Booking {
  id: string
  lineId: string
  deed: Deed
  accountId?: string | null | undefined
  bankAccountId?: string | null | undefined
  otherLineId?: string | null | undefined
  partyId?: string | null | undefined
  closes: readonly { id: string; amountAgorot: number }[]
  paymentId?: string | null | undefined
  details?: string | undefined
}

interface Line {
  id: string
  day: string
  amount: number
  text: string
  reference: string
  taken: boolean
}

async function lineOf(ctx: Ctx, account: Account, id: string): Promise<Line> {
  const { rows } =
    await sql<Line>`select l.id, l.day, l.amount_agorot as amount, left(trim(l.text || ' ' || l.details), 200)
        as text, l.reference,
      exists (select 1 from match_lines x where x.company_id = l.company_id and x.line_id = l.id) as taken
    from bank_lines l where l.company_id = ${ctx.companyId} and l.id = ${id}
      and l.bank_account_id = any(${account.bankAccountIds}::uuid[])`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  if (rows[0].taken) throw fail('matching.taken')
  return rows[0]
}

/** The posting an entry made on an account. */
async function postingOn(ctx: Ctx, entryId: string, accountId: string): Promise<string> {
  const { rows } = await sql<{ line: number }>`select line from postings
    where company_id = ${ctx.companyId} and entry_id = ${entryId} and account_id = ${accountId}`.execute(
    ctx.tx,
  )
  if (!rows[0]) throw fail('matching.oneAccount')
  return keyOf(entryId, rows[0].line)
}

/**
 * What the account holds of its currency, and at what the books carry that. Shekels that were posted without
 * a currency stand beside it.
 */
async function heldOn(ctx: Ctx, { accountId, currency }: Account): Promise<Held> {
  const { rows } = await sql<Held>`select coalesce(sum(p.foreign_amount), 0)::bigint as "foreign",
        coalesce(sum(p.amount_agorot), 0)::bigint as books
    from postings p where p.company_id = ${ctx.companyId} and p.account_id = ${accountId}
      and p.currency = ${currency}`.execute(ctx.tx)
  return rows[0]!
}

/** The rate of a day, for an account that is held in another currency. */
async function rateOn(ctx: Ctx, currency: string, day: string): Promise<string> {
  const rate = (await ratesOn(ctx, day, currency))[0]?.rate
  if (!rate) throw fail('matching.noRate', { currency, day: formatDay(day) })
  return rate
}

/**
 * A line as its account moves by it; `worth` is what the other side really came to, the rate of the day when
 * it is left open.
 */
async function movedBy(ctx: Ctx, account: Account, line: Line, worth?: number): Promise<Moved> {
  const rate = await rateOn(ctx, account.currency, line.day)
  return {
    account: account.accountId,
    currency: account.currency,
    foreign: line.amount,
    carried: carriedAt(line.amount, rate, await heldOn(ctx, account)),
    worth: worth ?? inShekels(line.amount, rate),
  }
}

interface Made {
  entryId: string
  madeId?: string
  madeNumber?: number
}

/**
 * Books a line of the bank that has no posting, and matches the two in one transaction: a line is booked once
 * or not at all. Receipts and payments go by the same ways as those made by hand, so that what customers owe
 * stays the sum of their papers.
 */
export async function bookLine(
  ctx: Ctx,
  given: Booking,
  more: { reasons?: readonly string[]; automatic?: boolean } = {},
): Promise<{ id: string; number: number; madeId: string | null; madeNumber: number | null }> {
  const account = await matchedAccount(ctx, given.id)
  const other = given.deed === 'transfer' ? await otherAccount(ctx, account, given.bankAccountId) : undefined
  await lockAccounts(ctx, account.accountId, ...(other ? [other.accountId] : []))
  const line = await lineOf(ctx, account, given.lineId)
  if (line.day > ctx.today) throw fail('matching.dateInFuture')
  const accounts = await accountIds(ctx)

  // Both accounts of the bank stand on one account of the books: nothing moves there.
  if (other && other.accountId === account.accountId) {
    if (!given.otherLineId) throw failField('otherLineId', 'fields.need')
    const kept = await keepMatch(ctx, {
      kind: 'bank',
      accountId: account.accountId,
      lines: [line.id, given.otherLineId],
      postings: [],
      ...more,
    })
    await told(ctx, kept, given, line)
    return { ...kept, madeId: null, madeNumber: null }
  }
  const made = await deeds[given.deed](ctx, { given, line, account, other, accounts })
  const kept = await keepMatch(ctx, {
    kind: 'bank',
    accountId: account.accountId,
    lines: [line.id],
    postings: [await postingOn(ctx, made.entryId, account.accountId)],
    deed: given.deed,
    entryId: made.entryId,
    ...(made.madeId ? { madeId: made.madeId } : {}),
    ...more,
  })
  if (other && given.otherLineId)
    await keepMatch(ctx, {
      kind: 'bank',
      accountId: other.accountId,
      lines: [(await lineOf(ctx, other, given.otherLineId)).id],
      postings: [await postingOn(ctx, made.entryId, other.accountId)],
      deed: 'transfer',
      entryId: made.entryId,
      ...more,
    })
  await told(ctx, kept, given, line)
  return { ...kept, madeId: made.madeId ?? null, madeNumber: made.madeNumber ?? null }
}

const told = (ctx: Ctx, kept: { id: string; number: number }, given: Booking, line: Line) =>
  ctx.audit('matches.book', 'matches', kept.id, undefined, {
    number: kept.number,
    deed: given.deed,
    day: line.day,
    amountAgorot: line.amount,
  })

interface Work {
  given: Booking
  line: Line
  account: Account
  other: Account | undefined
  accounts: AccountIds
}

const deeds: Readonly<Record<Deed, (ctx: Ctx, work: Work) => Promise<Made>>> = {
  fee: (ctx, work) => against(ctx, work, 'bankFee', work.given.accountId ?? work.accounts.of('bankFees')),
  // Interest that is paid is posted with the fees of the bank, interest that is received is other income, unless
  // another account was chosen.
  interest: (ctx, work) =>
    against(
      ctx,
      work,
      'bankInterest',
      work.given.accountId ??
        (work.line.amount < 0 ? work.accounts.of('bankFees') : named(work.accounts, '4900')),
    ),
  account: (ctx, work) => {
    if (!work.given.accountId) throw failField('accountId', 'fields.need')
    return against(ctx, work, 'bankLine', work.given.accountId)
  },
  transfer: (ctx, work) =>
    work.other!.currency === work.account.currency
      ? against(ctx, work, 'bankTransfer', work.other!.accountId)
      : exchanged(ctx, work),
  receipt,
  supplier,
  bounce,
}

function named(accounts: AccountIds, number: string): string {
  const id = accounts.byNumber(number)
  if (!id) throw fail('ledger.noAccount', { number })
  return id
}

/** An entry of two lines: the bank's account against another. */
async function against(
  ctx: Ctx,
  { given, line, account, other, accounts }: Work,
  kind: string,
  accountId: string,
): Promise<Made> {
  const { rows } = await sql<{
    number: string
    archived: boolean
  }>`select number, archived_at is not null as archived from accounts
    where company_id = ${ctx.companyId} and id = ${accountId}`.execute(ctx.tx)
  if (!rows[0] || rows[0].archived) throw failField('accountId', 'fields.ref')
  if (accountId === account.accountId) throw failField('accountId', 'matching.sameAccount')
  // What customers and suppliers owe changes by their papers only.
  if ([systemAccounts.customers, systemAccounts.suppliers].includes(rows[0].number as never))
    throw failField('accountId', 'matching.controlAccount')
  const entryId = await post(ctx, {
    day: line.day,
    kind,
    reference: line.reference.slice(0, 40),
    details: given.details || line.text,
    postings: await postingsAgainst(ctx, { line, account, other, accounts }, accountId),
  })
  return { entryId }
}

async function postingsAgainst(
  ctx: Ctx,
  { line, account, other, accounts }: Omit<Work, 'given'>,
  accountId: string,
): Promise<Posting[]> {
  if (account.currency === 'ILS')
    return [debit(account.accountId, line.amount), credit(accountId, line.amount)]
  const moved = await movedBy(ctx, account, line)
  // Between two accounts in one currency it is carried over as it was carried here.
  return other
    ? [
        withForeign(debit(account.accountId, moved.carried), account.currency, line.amount),
        withForeign(credit(accountId, moved.carried), account.currency, -line.amount),
      ]
    : postInCurrency(moved, accountId, accounts.of('exchangeDifferences'))
}

/**
 * Money that was changed from one currency into another: both lines must have come, because only the bank
 * knows at what rate.
 */
async function exchanged(ctx: Ctx, { given, line, account, other, accounts }: Work): Promise<Made> {
  if (!given.otherLineId) throw failField('otherLineId', 'fields.need')
  const theirs = await lineOf(ctx, other!, given.otherLineId)
  if (Math.sign(theirs.amount) === Math.sign(line.amount))
    throw failField('otherLineId', 'matching.wrongSide')
  // Where shekels are one side, they are what the money was worth.
  const shekels =
    account.currency === 'ILS' ? line.amount : other!.currency === 'ILS' ? -theirs.amount : undefined
  const exchange = accounts.of('exchangeDifferences')
  const side = async (of: Account, one: Line, worth: number | undefined): Promise<Posting[]> =>
    of.currency === 'ILS'
      ? [debit(of.accountId, one.amount)]
      : moveInCurrency(await movedBy(ctx, of, one, worth), exchange)
  const here = await side(account, line, shekels)
  const there = await side(other!, theirs, -balance(here))
  const entryId = await post(ctx, {
    day: line.day,
    kind: 'bankTransfer',
    reference: line.reference.slice(0, 40),
    details: given.details || line.text,
    postings: [...here, ...there],
  })
  return { entryId }
}

async function otherAccount(ctx: Ctx, account: Account, id: string | null | undefined): Promise<Account> {
  if (!id) throw failField('bankAccountId', 'fields.need')
  if (id === account.id) throw failField('bankAccountId', 'matching.sameAccount')
  const other = await loadAccount(ctx, id).catch(() => undefined)
  if (!other) throw failField('bankAccountId', 'fields.ref')
  if (other.currency !== other.held)
    throw failField('bankAccountId', 'matching.foreignCurrency', { currency: other.currency })
  return other
}

const closedOn = async (ctx: Ctx, day: string): Promise<boolean> =>
  (
    await sql`select 1 from locked_periods where company_id = ${ctx.companyId} and reopened_at is null
        and kind in ('month', 'year') and ${day}::date between from_day and to_day limit 1`.execute(ctx.tx)
  ).rows.length > 0

/**
 * Money of a customer becomes a receipt. Its date is the day of the bank; where a later receipt is issued already,
 * or the books of that day are closed, the first day that is possible.
 */
async function receipt(ctx: Ctx, { given, line, account, accounts }: Work): Promise<Made> {
  if (line.amount <= 0) throw fail('matching.wrongSide')
  if (!can(ctx.caller, 'documents.issue')) throw forbidden({ rule: 'documents.issue' })
  if (!given.partyId) throw failField('partyId', 'fields.need')
  if (given.closes.reduce((sum, one) => sum + one.amountAgorot, 0) > line.amount)
    throw failField('closes', 'matching.notTheSum')
  const { rows } = await sql<{
    last: string | null
  }>`select max(last_day) as last from number_series where company_id = ${ctx.companyId}
      and series = 'receipt'`.execute(ctx.tx)
  const last = rows[0]?.last ?? line.day
  const day = last > line.day ? last : line.day
  const prepared = await prepareDocument(ctx, {
    type: typeId('receipt'),
    customerId: given.partyId,
    ...(account.currency === 'ILS'
      ? {}
      : { currency: account.currency, rate: await rateOn(ctx, account.currency, line.day) }),
    date: (await closedOn(ctx, day)) ? ctx.today : day,
    ...(given.details ? { notes: given.details } : {}),
    lines: [],
    payments: [
      { means: 3, amountAgorot: line.amount, date: line.day, reference: line.reference.slice(0, 100) },
    ],
    closes: given.closes.map((one) => ({ documentId: one.id, amountAgorot: one.amountAgorot })),
  })
  // The money lies on this account of the bank, which need not be the ordinary one.
  const { id, number } = await issuePrepared(ctx, prepared, undefined, {
    accounts: { ...accounts, of: (name) => (name === 'bank' ? account.accountId : accounts.of(name)) },
  })
  const { rows: entries } = await sql<{
    id: string
  }>`select e.id from entries e join postings p on p.company_id = e.company_id and p.entry_id = e.id
    where e.company_id = ${ctx.companyId} and e.document_id = ${id} and p.account_id = ${account.accountId}
      and ${amountIn(account.currency)} = ${line.amount}`.execute(ctx.tx)
  if (!entries[0]) throw fail('matching.oneAccount')
  return { entryId: entries[0].id, madeId: id, madeNumber: number }
}

/** Money to a supplier pays the supplier's bills; what they exceed the line by is the tax that was withheld. */
async function supplier(ctx: Ctx, { given, line, account }: Work): Promise<Made> {
  if (line.amount >= 0) throw fail('matching.wrongSide')
  if (!can(ctx.caller, 'supplierPayments.change')) throw forbidden({ rule: 'supplierPayments.change' })
  if (!given.partyId) throw failField('partyId', 'fields.need')
  if (!given.closes.length) throw failField('closes', 'fields.need')
  if (account.currency !== 'ILS') return supplierInCurrency(ctx, given, line, account)
  const paid = -line.amount
  const gross = given.closes.reduce((sum, one) => sum + one.amountAgorot, 0)
  const { rows: company } = await sql<{
    withholds: boolean
  }>`select withholding_file <> '' as withholds from companies where id = ${ctx.companyId}`.execute(ctx.tx)
  if (gross < paid || (gross > paid && !company[0]!.withholds))
    throw failField('closes', 'matching.notTheSum')
  const { id, number } = await paySupplier(ctx, {
    supplierId: given.partyId,
    bills: given.closes.map((one) => ({ id: one.id, agorot: one.amountAgorot })),
    date: line.day,
    means: 'bank',
    reference: line.reference.slice(0, 40),
    paidFrom: account.accountId,
    ...(company[0]!.withholds ? { withheldAgorot: gross - paid } : {}),
  })
  const { rows } = await sql<{
    entry: string
  }>`select entry_id as entry from supplier_payments where company_id = ${ctx.companyId}
      and id = ${id}`.execute(ctx.tx)
  return { entryId: rows[0]!.entry, madeId: id, madeNumber: number }
}

/**
 * Bills in the currency of the account: they fall by what they stand at in the books, and the rates of the
 * two days leave a difference of exchange.
 */
async function supplierInCurrency(ctx: Ctx, given: Booking, line: Line, account: Account): Promise<Made> {
  if (given.closes.reduce((all, one) => all + one.amountAgorot, 0) !== -line.amount)
    throw failField('closes', 'matching.notTheSum')
  const { rows } = await sql<{
    id: string
    open: number
    ils: number
  }>`select x.id, ${openInCurrency(account.currency)} as open, x.open_agorot as ils from expenses x
    where x.company_id = ${ctx.companyId} and x.id = any(${given.closes.map((one) => one.id)}::uuid[])
      and ${billsIn(account.currency)} and x.open_agorot > 0`.execute(ctx.tx)
  const bills = given.closes.map(({ id, amountAgorot }) => {
    const bill = rows.find((row) => row.id === id)
    if (!bill || amountAgorot > bill.open) throw failField('closes', 'matching.notTheSum')
    const agorot =
      amountAgorot === bill.open
        ? bill.ils
        : toSafeNumber(divideRounded(BigInt(bill.ils) * BigInt(amountAgorot), BigInt(bill.open)))
    return { id, agorot }
  })
  const { carried } = await movedBy(ctx, account, line)
  const { id, number } = await paySupplier(ctx, {
    supplierId: given.partyId!,
    bills,
    date: line.day,
    means: 'bank',
    reference: line.reference.slice(0, 40),
    paidFrom: account.accountId,
    inCurrency: { currency: account.currency, agorot: -line.amount, carriedAgorot: -carried },
  })
  const { rows: paid } = await sql<{
    entry: string
  }>`select entry_id as entry from supplier_payments where company_id = ${ctx.companyId}
      and id = ${id}`.execute(ctx.tx)
  return { entryId: paid[0]!.entry, madeId: id, madeNumber: number }
}

/** More than the cheque itself is the bank's fee for it. */
const mostFee = 20_000

/** A cheque the bank sent back: the customer owes again. */
async function bounce(ctx: Ctx, { given, line }: Work): Promise<Made> {
  if (line.amount >= 0) throw fail('matching.wrongSide')
  if (!can(ctx.caller, 'payments.change')) throw forbidden({ rule: 'payments.change' })
  if (!given.paymentId) throw failField('paymentId', 'fields.need')
  const { rows } = await sql<{
    ils: number
  }>`select ils_agorot as ils from document_payments where company_id = ${ctx.companyId}
      and id = ${given.paymentId}`.execute(ctx.tx)
  const fee = -line.amount - (rows[0]?.ils ?? 0)
  if (!rows[0] || fee < 0 || fee > mostFee) throw failField('paymentId', 'matching.noReturn')
  await bouncePayment(ctx, { id: given.paymentId, date: line.day, reason: line.text, feeAgorot: fee })
  const { rows: returns } = await sql<{ entry: string }>`select entry_id as entry from payment_returns
    where company_id = ${ctx.companyId} and payment_id = ${given.paymentId} and undone_at is null`.execute(
    ctx.tx,
  )
  return { entryId: returns[0]!.entry, madeId: given.paymentId }
}
