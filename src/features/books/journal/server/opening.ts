import { sql } from 'kysely'
import type { z } from 'zod'
import { chargesVat, countsByCash } from '#domain/documents/kinds.ts'
import { isDay, type Day } from '#domain/day.ts'
import { systemAccounts } from '#domain/ledger/chart.ts'
import { credit, debit, type Posting } from '#domain/ledger/entry.ts'
import {
  inIls,
  openingDifference,
  postOpeningItem,
  postOpeningLines,
  withoutVatOf,
} from '#domain/ledger/opening.ts'
import { sum } from '#domain/money.ts'
import { mostVatIn } from '#domain/vat/openItems.ts'
import { formatDay, formatMoney } from '#domain/format.ts'
import { Failure, fail, failField } from '#kit/describe/errors.ts'
import { checkWithin } from '#kit/server/contract/bounds.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { checkRef } from '#kit/server/data/refs.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { dropOpeningItems, keepOpeningItems } from '#features/sales/documents/server/index.ts'
import {
  dropOpeningBills,
  keepOpeningBills,
  tieOpeningBills,
} from '#features/purchases/expenses/server/index.ts'
import { accountIds, post } from '#features/base/ledger/server/index.ts'
import { ratesOn } from '#features/registers/rates/server/index.ts'
import { basisChanges, waitsFrom } from '#features/tax/vat/server/index.ts'
import type { JournalLine, keepOpening as keepCall, openingBalances as getCall } from '../endpoints.ts'
import { newBatch } from './batches.ts'
import { heldBy, linesOf } from './judge.ts'
import { closeBatch, tieEntry } from './post.ts'

interface Standing {
  id: string
  number: number
  state: 'open' | 'posted'
  day: Day | null
  customersAgorot: number | null
  suppliersAgorot: number | null
}

const ofOpening = sql`b.id, b.number, b.state, b.opening_day as day,
    b.opening_customers_agorot as "customersAgorot", b.opening_suppliers_agorot as "suppliersAgorot"`
const isUndone = sql<boolean>`(exists (select 1 from journal_batches r where r.company_id = b.company_id
    and r.reverses_id = b.id)
  or not exists (select 1 from batch_entries x where x.company_id = b.company_id and x.batch_id = b.id
    and not exists (select 1 from entries r where r.company_id = x.company_id
    and r.reverses_id = x.entry_id)))`

/** The opening that is being entered, or the one that was posted and not undone. */
async function standing(ctx: Ctx): Promise<Standing | undefined> {
  const { rows } =
    await sql<Standing>`select ${ofOpening} from journal_batches b where b.company_id = ${ctx.companyId}
        and b.kind = 'opening'
    and (b.state = 'open' or b.state = 'posted' and not ${isUndone}) order by b.number desc limit 1 for
    update of b`.execute(ctx.tx)
  return rows[0]
}

/** What was posted last and reversed: the next attempt begins with it. */
async function undone(ctx: Ctx): Promise<Standing | undefined> {
  const { rows } =
    await sql<Standing>`select ${ofOpening} from journal_batches b where b.company_id = ${ctx.companyId}
        and b.kind = 'opening'
    and b.state = 'posted' and ${isUndone} order by b.number desc limit 1`.execute(ctx.tx)
  return rows[0]
}

interface Item {
  id: string
  role: 'customer' | 'supplier'
  party: string
  number: string
  day: Day
  dueDay: Day | null
  amount: number
  currency: string
  rate: string
  vat: number
}

/** Items that wait to be posted, in the order of their days. */
async function waiting(ctx: Ctx): Promise<Item[]> {
  const { rows } = await sql<Item>`select id, role, party_id as party, number, day, due_day as "dueDay",
        amount_agorot as amount, currency,
      trim_scale(rate)::text as rate, vat_agorot as vat
    from opening_items where company_id = ${ctx.companyId} and batch_id is null and archived_at is null
    order by day, id for update`.execute(ctx.tx)
  return rows
}

const itemsAgorot = (items: readonly Item[], role: Item['role']): number =>
  sum(items.filter((one) => one.role === role).map(inIls))

export async function openingBalances(ctx: Ctx): Promise<z.input<typeof getCall.output>> {
  const now = await standing(ctx)
  const shown = now ?? (await undone(ctx))
  const lines = shown ? await linesOf(ctx, shown.id) : []
  const items = await waiting(ctx)
  const side = (role: Item['role'], controlAgorot: number | null) => ({
    items: items.filter((one) => one.role === role).length,
    itemsAgorot: itemsAgorot(items, role),
    controlAgorot,
  })
  const date = shown?.day ?? lines[0]?.day ?? `${ctx.today.slice(0, 4)}-01-01`
  return {
    date,
    lines: lines.map((line) => ({
      accountId: (line.debitAccountId ?? line.creditAccountId)!,
      debitAgorot: line.debitAccountId ? line.amountAgorot : 0,
      creditAgorot: line.creditAccountId ? line.amountAgorot : 0,
      foreignAgorot: line.foreignAgorot,
    })),
    customers: side('customer', shown?.customersAgorot ?? null),
    suppliers: side('supplier', shown?.suppliersAgorot ?? null),
    countsWhenPaid: countsByCash((await companyOf(ctx)).kind),
    vatWhenPaid:
      chargesVat((await companyOf(ctx)).kind) &&
      (await basisChanges(ctx)).some(({ basis }) => basis === 'cash'),
    vatAgorot: sum(items.map(({ vat }) => vat)),
    posted:
      now?.state === 'posted'
        ? { batchId: now.id, number: now.number, day: date, items: await postedItems(ctx, now.id) }
        : null,
  }
}

type PostedItem = NonNullable<z.input<typeof getCall.output>['posted']>['items'][number]

/** The items of an opening in force, the newest document first: so many as one looks at. */
async function postedItems(ctx: Ctx, batchId: string): Promise<PostedItem[]> {
  const { rows } = await sql<PostedItem>`select i.id, i.role, p.name as party, i.number, i.day, i.currency,
        i.amount_agorot as "amountAgorot",
      case i.role when 'customer' then d.open_in_currency_agorot
        else round(x.total_agorot::numeric * x.open_agorot / nullif(x.ils_total_agorot, 0))::bigint end as
        "openAgorot",
      case i.role when 'customer' then '/invoice/preview/' || d.id else '/invoice/Expenses/all/' || x.id end
      as path
    from opening_items i join parties p on p.company_id = i.company_id and p.id = i.party_id
      left join documents d on d.company_id = i.company_id and d.id = i.document_id
      left join expenses x on x.company_id = i.company_id and x.id = i.expense_id
    where i.company_id = ${ctx.companyId} and i.batch_id = ${batchId} order by i.role, i.day desc, i.id
    limit 500`.execute(ctx.tx)
  return rows
}

/**
 * A last look at an item before it is kept: whose it is, what it is owed for, and at what rate it stood in
 * the books before.
 */
export async function checkItem(
  ctx: Ctx,
  role: Item['role'],
  given: Record<string, unknown>,
  before: Record<string, unknown> | undefined,
): Promise<Record<string, unknown>> {
  const values = { ...given }
  const all = { ...before, ...values } as {
    partyId: string
    number: string
    day: Day
    dueDay?: Day | null
    amountAgorot: number
    currency: string
    rate?: string | null
    vatAgorot?: number | null
    allocationNumber?: string | null
  }
  await checkRef(ctx, 'partyId', 'parties', values.partyId, sql`role = ${role}`)
  if (!all.amountAgorot) throw failField('amountAgorot', 'fields.need')
  // By cash it was income when it came, and is no debt of anybody since.
  if (role === 'customer' && all.amountAgorot < 0 && countsByCash((await companyOf(ctx)).kind))
    throw failField('amountAgorot', 'journal.openingReceipts')
  if (isDay(all.day) && all.day > ctx.today) throw failField('day', 'expenses.dateInFuture')
  if (all.dueDay && all.dueDay < all.day) throw failField('dueDay', 'fields.dayOrder')
  const { rows: twins } =
    await sql`select 1 from opening_items where company_id = ${ctx.companyId} and role = ${role}
        and party_id = ${all.partyId}
    and number = ${all.number} and archived_at is null and id is distinct
    from ${(before?.id as string | undefined) ?? null}::uuid`.execute(ctx.tx)
  if (twins.length) throw failField('number', 'fields.taken', { name: all.number })
  if (role === 'customer') await checkVat(ctx, all, values)
  if (all.currency === 'ILS') values.rate = '1'
  else if (!all.rate || (before && before.currency !== all.currency && !values.rate)) {
    const found = (await ratesOn(ctx, await openingDay(ctx), all.currency))[0]
    if (!found) throw failField('rate', 'journal.openingNoRate', { currency: all.currency })
    values.rate = found.rate
  } else if (Number(all.rate) <= 0) throw failField('rate', 'fields.range')
  return values
}

/** The day of the opening that is being entered, or where it begins when nothing was said. */
async function openingDay(ctx: Ctx): Promise<Day> {
  const { rows } = await sql<{
    day: Day | null
  }>`select opening_day as day from journal_batches b where company_id = ${ctx.companyId} and kind = 'opening'
      and state = 'open' order by number desc limit 1`.execute(ctx.tx)
  return rows[0]?.day ?? `${ctx.today.slice(0, 4)}-01-01`
}

/**
 * Whether VAT of an invoice of that day may fall due as it is paid: by its basis then, or by that of the
 * opening.
 */
async function vatMayWait(ctx: Ctx, opening: Day): Promise<(day: Day) => boolean> {
  const changes = chargesVat((await companyOf(ctx)).kind) ? await basisChanges(ctx) : []
  return (day) => waitsFrom(changes, day) || waitsFrom(changes, opening)
}

/** VAT that nobody reported yet is in an invoice in shekels, by the rate of its day at most. */
async function checkVat(
  ctx: Ctx,
  all: {
    number: string
    day: Day
    amountAgorot: number
    currency: string
    vatAgorot?: number | null
    allocationNumber?: string | null
  },
  values: Record<string, unknown>,
): Promise<void> {
  if (values.vatAgorot === null) values.vatAgorot = 0
  const allocation = all.allocationNumber?.replace(/[\s-]/g, '') || null
  if (allocation !== null && !/^\d{9,26}$/.test(allocation))
    throw failField('allocationNumber', 'journal.openingAllocation')
  if (values.allocationNumber !== undefined) values.allocationNumber = allocation
  const vat = all.vatAgorot ?? 0
  if (vat === 0) return
  checkWithin('vatAgorot', vat, { min: 0 })
  if (!(await vatMayWait(ctx, await openingDay(ctx)))(all.day))
    throw failField('vatAgorot', 'journal.openingVatAccrual', { number: all.number })
  if (all.currency !== 'ILS') throw failField('vatAgorot', 'journal.openingVatForeign')
  const most = mostVatIn(all.amountAgorot, all.day)
  if (vat > most)
    throw failField('vatAgorot', 'journal.openingVatTooMuch', {
      most: formatMoney(Math.max(0, most - 1)),
      day: formatDay(all.day),
    })
}

/**
 * Keeps what was entered. What customers and suppliers owe comes paper by paper beside it; here is only what
 * it should come to.
 */
export async function keepOpening(
  ctx: Ctx,
  { date, lines, customersAgorot, suppliersAgorot }: z.output<typeof keepCall.input>,
): Promise<{ done: true }> {
  const now = await standing(ctx)
  if (now?.state === 'posted') throw fail('journal.openingPosted')
  const { rows: accounts } = await sql<{
    id: string
    number: string
    held: string | null
  }>`select a.id, a.number, nullif(${heldBy}, 'ILS') as held from accounts a
    where a.company_id = ${ctx.companyId} and a.archived_at is null`.execute(ctx.tx)
  const heldOf = new Map(accounts.map(({ id, held }) => [id, held]))
  const numberOf = new Map(accounts.map(({ id, number }) => [id, number]))
  const seen = new Set<string>()
  lines.forEach(({ accountId, debitAgorot, creditAgorot, foreignAgorot }, i) => {
    const number = numberOf.get(accountId)
    const refused = (code: string, field = 'accountId') =>
      new Failure('kit.badInput', {}, [
        { path: `lines.${i}.${field}`, code, params: { number: number ?? '' } },
      ])
    if (number === undefined || number === systemAccounts.openingBalances || seen.has(accountId))
      throw refused('fields.ref')
    if (number === systemAccounts.customers) throw refused('journal.controlCustomers')
    if (number === systemAccounts.suppliers) throw refused('journal.controlSuppliers')
    if (debitAgorot > 0 && creditAgorot > 0) throw refused('fields.range', 'creditAgorot')
    if (foreignAgorot && !heldOf.get(accountId)) throw refused('fields.range', 'foreignAgorot')
    seen.add(accountId)
  })
  const { id } =
    now ?? (await newBatch(ctx, { kind: 'opening', name: say(ctx.caller.language, 'ledger.kinds.opening') }))
  await sql`update journal_batches set opening_customers_agorot = ${customersAgorot},
      opening_suppliers_agorot = ${suppliersAgorot}, opening_day = ${date},
    updated_at = now() where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await sql`delete from journal_lines where company_id = ${ctx.companyId} and batch_id = ${id}`.execute(
    ctx.tx,
  )
  const rows = lines
    .filter((line) => line.debitAgorot + line.creditAgorot > 0)
    .map((line, position) => ({
      company_id: ctx.companyId,
      id: newId(),
      batch_id: id,
      position,
      day: date,
      debit_account_id: line.debitAgorot > 0 ? line.accountId : null,
      credit_account_id: line.creditAgorot > 0 ? line.accountId : null,
      amount_agorot: line.debitAgorot + line.creditAgorot,
      currency: line.foreignAgorot ? heldOf.get(line.accountId) : null,
      foreign_agorot: line.foreignAgorot ?? null,
    }))
  await sql`insert into journal_lines (company_id, id, batch_id, position, day, debit_account_id,
      credit_account_id, amount_agorot, currency, foreign_agorot)
    select company_id, id, batch_id, position, day, debit_account_id, credit_account_id, amount_agorot,
      currency, foreign_agorot
    from jsonb_populate_recordset(null::journal_lines, ${JSON.stringify(rows)}::jsonb)`.execute(ctx.tx)
  return { done: true }
}

const inCurrency = (posting: Posting, { currency, foreignAgorot }: JournalLine, side: 1 | -1): Posting =>
  currency && foreignAgorot ? { ...posting, foreign: { currency, amount: side * foreignAgorot } } : posting

const linePostings = (lines: readonly JournalLine[]) =>
  lines.flatMap((line) => [
    ...(line.debitAccountId ? [inCurrency(debit(line.debitAccountId, line.amountAgorot), line, 1)] : []),
    ...(line.creditAccountId ? [inCurrency(credit(line.creditAccountId, line.amountAgorot), line, -1)] : []),
  ])

/**
 * Posts the opening: one entry of the accounts, and one of each item, which is open from then on like any
 * other debt. What does not balance stays on the account of opening balances, if that was said.
 */
export async function postOpening(
  ctx: Ctx,
  { leaveDifference }: { leaveDifference: boolean },
): Promise<{ batchId: string; number: number }> {
  const now = await standing(ctx)
  if (now?.state === 'posted') throw fail('journal.openingPosted')
  const lines = now ? await linesOf(ctx, now.id) : []
  const items = await waiting(ctx)
  if (!now || lines.length + items.length === 0) throw fail('journal.empty')
  const day = now.day ?? lines[0]!.day
  await refuseItems(ctx, items, now, day)
  const system = await accountIds(ctx)
  // Who charges no VAT has no such account, and no item with VAT.
  const outputVat = system.byNumber(systemAccounts.outputVat) ?? ''
  const postings = withoutVatOf(items, linePostings(lines), outputVat)
  const incomeWhenPaid = countsByCash((await companyOf(ctx)).kind)
  const counted = items.map((item) => ({
    ...item,
    incomeWhenPaid: incomeWhenPaid && item.role === 'customer',
  }))
  if (openingDifference(postings, counted) !== 0 && !leaveDifference) throw fail('journal.openingDifference')
  const accounts = {
    customers: system.of('customers'),
    suppliers: system.of('suppliers'),
    outputVat,
    openingBalances: system.of('openingBalances'),
  }
  const details = say(ctx.caller.language, 'ledger.kinds.opening')
  if (lines.length) {
    const entryId = await post(ctx, {
      day,
      kind: 'opening',
      details,
      postings: postOpeningLines(postings, accounts),
    })
    await tieEntry(ctx, now.id, entryId)
    await sql`update journal_lines set entry_id = ${entryId} where company_id = ${ctx.companyId}
        and batch_id = ${now.id}`.execute(ctx.tx)
  }
  await postItems(ctx, { items: counted, batchId: now.id, day, details, accounts })
  await closeBatch(ctx, now.id)
  await ctx.audit('journal.opening', 'journal_batches', now.id, undefined, {
    number: now.number,
    day,
    items: items.length,
  })
  return { batchId: now.id, number: now.number }
}

/**
 * Papers from after the opening would be owed before they were written, and a control balance that is not
 * their sum lacks one or has one twice.
 */
async function refuseItems(
  ctx: Ctx,
  items: readonly Item[],
  { customersAgorot, suppliersAgorot }: Standing,
  day: Day,
): Promise<void> {
  const late = items.find((item) => item.day > day)
  if (late) throw fail('journal.openingItemLate', { number: late.number, day: formatDay(day) })
  // The day of the opening and the basis may have changed since the item was kept.
  const mayWait = await vatMayWait(ctx, day)
  const early = items.find((item) => item.vat !== 0 && !mayWait(item.day))
  if (early) throw fail('journal.openingVatAccrual', { number: early.number })
  if (
    items.some(({ role, amount }) => role === 'customer' && amount < 0) &&
    countsByCash((await companyOf(ctx)).kind)
  )
    throw fail('journal.openingReceipts')
  for (const [role, said, code] of [
    ['customer', customersAgorot, 'journal.openingCustomersDiffer'],
    ['supplier', suppliersAgorot, 'journal.openingSuppliersDiffer'],
  ] as const) {
    const there = itemsAgorot(items, role)
    if (said !== null && said !== there)
      throw fail(code, {
        said: formatMoney(said),
        there: formatMoney(there),
        missing: formatMoney(said - there),
      })
  }
}

interface Posted {
  items: readonly (Item & { incomeWhenPaid: boolean })[]
  batchId: string
  day: Day
  details: string
  accounts: Parameters<typeof postOpeningItem>[1]
}

async function postItems(ctx: Ctx, { items, batchId, day, details, accounts }: Posted): Promise<void> {
  const ofRole = (role: Item['role']) => items.filter((item) => item.role === role)
  const [customers, suppliers] = [ofRole('customer'), ofRole('supplier')]
  const amounts = (item: Item) => ({ ...item, agorot: item.amount, ilsAgorot: inIls(item) })
  const documents = await keepOpeningItems(
    ctx,
    customers.map((item) => ({ ...amounts(item), customerId: item.party })),
  )
  const bills = await keepOpeningBills(
    ctx,
    suppliers.map((item) => ({ ...amounts(item), supplierId: item.party, booksDay: day })),
    { accountId: accounts.openingBalances, name: details },
  )
  const kept = [
    ...customers.map((item, i) => ({ item, documentId: documents[i]!, expenseId: null })),
    ...suppliers.map((item, i) => ({ item, documentId: null, expenseId: bills[i]! })),
  ]
  const ties: {
    id: string
    entryId: string
    documentId: string | null
    expenseId: string | null
    incomeWhenPaid: boolean
  }[] = []
  for (const { item, documentId, expenseId } of kept) {
    const entryId = await post(ctx, {
      day,
      valueDay: item.day,
      kind: 'opening',
      reference: item.number,
      details,
      ...(documentId ? { documentId } : {}),
      postings: postOpeningItem(item, accounts),
    })
    ties.push({ id: item.id, entryId, documentId, expenseId, incomeWhenPaid: item.incomeWhenPaid })
  }
  await tieOpeningBills(
    ctx,
    ties.flatMap(({ expenseId, entryId }) => (expenseId ? [{ expenseId, entryId }] : [])),
  )
  const rows = sql`jsonb_to_recordset(${JSON.stringify(ties)}::jsonb) as t
      (id uuid, "entryId" uuid, "documentId" uuid, "expenseId" uuid, "incomeWhenPaid" boolean)`
  await sql`insert into batch_entries (company_id, entry_id, batch_id) select ${ctx.companyId}, t."entryId",
      ${batchId} from ${rows}`.execute(ctx.tx)
  await sql`update opening_items i set batch_id = ${batchId}, document_id = t."documentId",
      expense_id = t."expenseId", income_when_paid = t."incomeWhenPaid", updated_at = now()
    from ${rows} where i.company_id = ${ctx.companyId} and i.id = t.id`.execute(ctx.tx)
}

/**
 * VAT of an item that was in a valid return, if only because its payment was reversed in the next, needs the item to
 * stay.
 */
async function refuseReported(ctx: Ctx, batchId: string): Promise<void> {
  const { rows } = await sql<{ number: string }>`select i.number from opening_items i
    where i.company_id = ${ctx.companyId} and i.batch_id = ${batchId} and i.vat_agorot > 0
      and exists (select 1 from settlements s
      join locked_periods l on l.company_id = s.company_id and l.kind = 'vat' and l.reopened_at is null
        and s.day <= l.to_day
      where s.company_id = i.company_id and i.document_id in (s.to_id, s.from_id)) limit 1`.execute(ctx.tx)
  if (rows[0]) throw fail('journal.openingVatReported', { number: rows[0].number })
}

/**
 * Takes the items of an opening back with it; refused when one was paid meanwhile. They wait again, to be
 * mended and posted again.
 */
export async function takeBackItems(ctx: Ctx, batchId: string): Promise<void> {
  const { rows } = await sql<{
    documentId: string | null
    expenseId: string | null
  }>`select document_id as "documentId", expense_id as "expenseId"
    from opening_items where company_id = ${ctx.companyId} and batch_id = ${batchId} for update`.execute(
    ctx.tx,
  )
  const documents = rows.flatMap((row) => row.documentId ?? [])
  const bills = rows.flatMap((row) => row.expenseId ?? [])
  if (!(await dropOpeningItems(ctx, documents)) || !(await dropOpeningBills(ctx, bills)))
    throw fail('journal.openingItemsUsed')
  await refuseReported(ctx, batchId)
  await sql`update opening_items set batch_id = null, document_id = null, expense_id = null,
      updated_at = now()
    where company_id = ${ctx.companyId} and batch_id = ${batchId}`.execute(ctx.tx)
}
