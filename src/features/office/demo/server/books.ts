import { sql } from 'kysely'
import {
  addDays,
  addMonths,
  endOfMonth,
  startOfMonth,
  vatPeriod,
  type Day,
  type Period,
} from '#domain/day.ts'
import { timesRate } from '#domain/money.ts'
import { vatRateOn } from '#domain/vat/rates.ts'
import { create, servedNamed } from '#kit/server/described/resources.ts'
import type { Ctx } from '#kit/server/context.ts'
import { showDollarAccount } from '#features/money/bank/server/index.ts'
import { keepOpening, postOpening } from '#features/books/journal/server/index.ts'
import { accountIds } from '#features/base/ledger/server/index.ts'
import { bookLine } from '#features/money/matching/server/index.ts'
import { keepExport } from '#features/tax/uniform/server/index.ts'
import { createExpense, typeByKey } from '#features/purchases/expenses/server/index.ts'
import { fileReturn, markReturnSent, payVat } from '#features/tax/vat/server/index.ts'

interface Owed {
  documentId: string
  customerId: string
  agorot: number
}

/**
 * The books before these: what lay in the bank and in the till, and what two customers owed and a supplier
 * was owed, paper by paper. Answers what the customers owe, the oldest first.
 */
export async function addOpening(
  ctx: Ctx,
  day: Day,
  customers: readonly { id: string; zeroRate?: boolean | null }[],
): Promise<Owed[]> {
  const { rows: suppliers } = await sql<{
    id: string
  }>`select id from parties where company_id = ${ctx.companyId} and role = 'supplier'
    order by created_at, name limit 1`.execute(ctx.tx)
  const domestic = customers.filter((one) => !one.zeroRate)
  const owe = [
    {
      resource: 'openingCustomers',
      partyId: domestic[0]!.id,
      number: '2087',
      amountAgorot: 354_000,
      ago: 40,
    },
    {
      resource: 'openingCustomers',
      partyId: domestic[2]!.id,
      number: '2091',
      amountAgorot: 118_000,
      ago: 22,
    },
    {
      resource: 'openingSuppliers',
      partyId: suppliers[0]!.id,
      number: 'א-5512',
      amountAgorot: 236_000,
      ago: 30,
    },
  ]
  for (const { resource, ago, ...item } of owe)
    await create(ctx, servedNamed(resource)!, {
      ...item,
      day: addDays(day, -ago),
      dueDay: addDays(day, 30 - ago),
      currency: 'ILS',
    })
  const accounts = await accountIds(ctx)
  const bankAgorot = 2_500_000
  const cashAgorot = 150_000
  const customersAgorot = 354_000 + 118_000
  const suppliersAgorot = 236_000
  const line = (accountId: string, agorot: number) => ({
    accountId,
    debitAgorot: Math.max(0, agorot),
    creditAgorot: Math.max(0, -agorot),
  })
  await keepOpening(ctx, {
    date: day,
    lines: [
      line(accounts.of('bank'), bankAgorot),
      line(accounts.of('cash'), cashAgorot),
      line(accounts.byNumber('3000')!, suppliersAgorot - customersAgorot - bankAgorot - cashAgorot),
    ],
    customersAgorot,
    suppliersAgorot,
  })
  await postOpening(ctx, { leaveDifference: false })
  const { rows } =
    await sql<Owed>`select document_id as "documentId", party_id as "customerId", amount_agorot as agorot
      from opening_items
    where company_id = ${ctx.companyId} and role = 'customer' order by day`.execute(ctx.tx)
  return rows
}

/** An account in dollars: what the owner paid in and the fee are booked, the rest waits for the person who looks. */
export async function addDollars(ctx: Ctx): Promise<void> {
  await sql`insert into company_rates (company_id, currency, day, rate, source)
    values (${ctx.companyId}, 'USD', ${addDays(ctx.today, -45)}, 3.62, 'typed')
    on conflict do nothing`.execute(ctx.tx)
  const { account, lines } = await showDollarAccount(ctx)
  const capital = (await accountIds(ctx)).byNumber('3000')!
  const given = { id: account.id, closes: [] }
  await bookLine(ctx, { ...given, lineId: lines[0]!.id, deed: 'account', accountId: capital })
  await bookLine(ctx, { ...given, lineId: lines[1]!.id, deed: 'fee' })
}

/** A moment of the morning of a day, on which somebody does what is due. */
const morningOf = (day: Day): Date => new Date(`${day}T07:30:00Z`)

/**
 * The periods of VAT that lie wholly in the year and ended before the last one are reported, settled, paid and sent, each
 * within two weeks of its end. After the last of them two bills of its days come in late.
 */
export async function filePeriods(ctx: Ctx, start: Day, months: 1 | 2): Promise<void> {
  const begun = vatPeriod(start, months)
  const last = vatPeriod(addDays(vatPeriod(ctx.today, months).from, -1), months)
  let period = begun.from < start ? vatPeriod(addDays(begun.to, 1), months) : begun
  let filed: Period | undefined
  for (; period.to < last.from; period = vatPeriod(addDays(period.to, 1), months)) {
    await filePeriod(ctx, period)
    filed = period
  }
  if (filed) await billsInLate(ctx, addDays(filed.to, -3))
}

async function filePeriod(ctx: Ctx, period: Period): Promise<void> {
  const sent = addDays(period.to, 13)
  const then = morningOf(sent)
  const filing = await fileReturn(
    { ...ctx, now: then },
    { period: period.from.slice(0, 7), kind: 'return', settle: true },
    then,
  )
  await markReturnSent(ctx, {
    id: filing.id,
    day: sent,
    confirmation: `${sent.slice(2, 4)}${sent.slice(5, 7)}0047`,
  })
  if (filing.toPayAgorot) await payVat(ctx, { day: sent, amountAgorot: filing.toPayAgorot })
}

/** Bills that reach the business after their period was reported: their VAT counts in the next one. */
async function billsInLate(ctx: Ctx, day: Day): Promise<void> {
  const bills = [
    { name: 'מוסך הבוקר', number: '20418', type: 'vehicleUpkeep', netAgorot: 118_000 },
    { name: 'דפוס הגליל', number: '7733', type: 'officeSupplies', netAgorot: 46_500 },
  ]
  for (const { name, number, type, netAgorot } of bills)
    await createExpense(ctx, {
      supplier: { name },
      supplierNumber: number,
      date: day,
      lines: [
        {
          typeId: await typeByKey(ctx, type),
          netAgorot,
          vatAgorot: timesRate(netAgorot, vatRateOn(day), 'halfAwayFromZero'),
        },
      ],
      means: 'onCredit',
    })
}

/** What was handed to the accountant of the month before last. */
export async function handOver(ctx: Ctx): Promise<void> {
  const from = startOfMonth(addMonths(ctx.today, -2))
  await keepExport(ctx, 'csv', { from, to: endOfMonth(from) })
}
