import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { takeStatement, uploadStatement } from '#features/money/bank/endpoints.ts'
import { cancelDocument, createDocument, getDocument } from '#features/sales/documents/endpoints.ts'
import { addEntry } from '#features/base/ledger/endpoints.ts'
import { keepRate } from '#features/registers/rates/endpoints.ts'
import { previewRevaluation } from '#features/books/revaluation/endpoints.ts'
import * as calls from './endpoints.ts'

let world: World
let shop: Business
let companyId: string
let usd: { id: string; accountId: string }
beforeAll(async () => {
  world = await startWorld(() => new Date('2026-03-31T10:00:00Z'))
})
afterAll(() => world.close())
beforeEach(async () => {
  shop = await newBusiness(world)
  companyId = (await shop.get('/api/user/session')).companyId
  for (const [day, rate] of [
    ['2026-03-01', '3.5'],
    ['2026-03-10', '3.7'],
    ['2026-03-20', '3.6'],
  ] as const)
    await shop.call(keepRate, { currency: 'USD', day, rate })
  usd = await shop.send('POST', '/api4/invoice/bankaccounts', { name: 'דולר', currency: 'USD' })
})

type Row = [day: string, text: string, sum: number]
const bring = async (id: string, ...rows: Row[]) => {
  const csv = [
    'date,description,reference,amount',
    ...rows.map(([day, text, sum], i) => `${day},${text},${i + 1},${sum}`),
  ].join('\n')
  const seen = await shop.call(uploadStatement, { id, name: 'x.csv', bytes: Buffer.from(csv) } as never)
  await shop.call(takeStatement, { id: seen.id })
}
const look = (id = usd.id) => shop.call(calls.bankDesk, { id })
const line = async (text: string, id = usd.id) => (await look(id)).lines.find((one) => one.text === text)!
const book = async (
  text: string,
  deed: 'fee' | 'interest' | 'account' | 'transfer' | 'receipt' | 'supplier',
  more: object = {},
) => shop.call(calls.bookLine, { id: usd.id, lineId: (await line(text)).id, deed, ...more })
/** A thousand dollars for work abroad, at 3.5. */
const invoiceInDollars = (customerId: string) =>
  shop.call(createDocument, {
    type: 8,
    customerId,
    date: '2026-03-02',
    currency: 'USD',
    lines: [{ description: 'work', unitPrice: '1000', vatKind: 4 as const }],
  })
/** Balances of the books by account, with what each holds of a currency. */
const books = async (): Promise<Record<string, number | [number, number]>> => {
  const { rows } = await sql<{
    number: string
    ils: number
    foreign: number | null
  }>`select a.number, sum(p.amount_agorot)::bigint as ils, sum(p.foreign_amount)::bigint as "foreign"
    from postings p join accounts a on a.company_id = p.company_id and a.id = p.account_id
    where p.company_id = ${companyId} group by 1
    having sum(p.amount_agorot) <> 0 or sum(p.foreign_amount) <> 0`.execute(world.app.db.kysely)
  return Object.fromEntries(
    rows.map((row) => [row.number, row.foreign === null ? row.ils : [row.ils, row.foreign]]),
  )
}
const reconciled = async () => {
  const report = await shop.get(
    `/api4/invoice/reports/bankReconciliation?bankAccount=${usd.id}&day=2026-03-31`,
  )
  expect(report.checks).toEqual([{ name: 'explained', ok: true }])
  return (report.rows as { part: string; amountAgorot: number }[]).map((row) => [row.part, row.amountAgorot])
}

describe('a bank account in dollars', () => {
  test('stands on an account of its own, and shares it with no other currency', async () => {
    const accounts = (await shop.get('/api5/invoicecpa/accounts?size=200')).rows as {
      id: string
      number: string
    }[]
    expect(accounts.find((one) => one.id === usd.accountId)!.number).toBe('1015')
    const eur = await shop.send('POST', '/api4/invoice/bankaccounts', { name: 'אירו', currency: 'EUR' })
    expect(eur.accountId).not.toBe(usd.accountId)
    await expect(
      shop.send('POST', '/api4/invoice/bankaccounts', {
        name: 'שקל',
        currency: 'ILS',
        accountId: usd.accountId,
      }),
    ).rejects.toMatchObject({ errors: [{ path: 'accountId', code: 'bank.mixedCurrency' }] })
  })

  test('a transfer of a customer lands there in dollars, and is matched by dollars whatever the rates', async () => {
    const buyer = await shop.customer('ACME')
    await shop.call(createDocument, {
      type: 6,
      customerId: buyer.id,
      date: '2026-03-02',
      currency: 'USD',
      payments: [{ means: 3, amountAgorot: 100_000 }],
    })
    await bring(usd.id, ['2026-03-10', 'ACME', 1000])
    const desk = await look()
    expect(desk).toMatchObject({
      account: { currency: 'USD' },
      ledgerAgorot: 100_000,
      carriedAgorot: 350_000,
      postings: [{ amountAgorot: 100_000 }],
    })
    expect(desk.proposals).toMatchObject([{ confidence: 'certain', amountAgorot: 100_000 }])
    expect(await shop.call(calls.acceptCertain, { id: usd.id })).toMatchObject({
      matched: 1,
      booked: 0,
      left: 0,
    })
    expect(await reconciled()).toEqual([
      ['bank', 100_000],
      ['books', 100_000],
    ])
    expect(await books()).toEqual({ 1015: [350_000, 100_000], 1100: -350_000 })
  })

  test('what is booked carries the currency and the rate of its day; the difference of two days goes to exchange, and nothing is left to revalue', async () => {
    const buyer = await shop.customer('ACME')
    await bring(
      usd.id,
      ['2026-03-02', 'ACME', 1000],
      ['2026-03-10', 'עמלה', -10],
      ['2026-03-20', 'AWS', -990],
    )
    await book('ACME', 'receipt', { partyId: buyer.id })
    expect(await books()).toEqual({ 1015: [350_000, 100_000], 1100: -350_000 })
    await book('עמלה', 'fee')
    // Ten dollars bought at 3.5 were worth 37 shekels when they went.
    expect(await books()).toMatchObject({ 1015: [346_500, 99_000], 6200: 3_700, 8910: -200 })
    const rent = (
      (await shop.get('/api5/invoicecpa/accounts?size=200')).rows as { id: string; number: string }[]
    ).find((one) => one.number === '6010')!
    await book('AWS', 'account', { accountId: rent.id })
    expect(await books()).toEqual({
      1100: -350_000,
      6200: 3_700,
      6010: 356_400,
      8910: -200 - (356_400 - 346_500),
    })
    const { rows, bankAccounts } = await shop.call(previewRevaluation, { day: '2026-03-31', banks: [] })
    expect(bankAccounts.find((one) => one.currency === 'USD')).toMatchObject({
      foreignAgorot: 0,
      booksAgorot: 0,
    })
    expect(rows.filter((row) => row.what === 'bank')).toEqual([])
    expect(await reconciled()).toEqual([
      ['bank', 0],
      ['books', 0],
    ])
  })

  test('the revaluation takes what the statement says, and its difference is what the books lack', async () => {
    const buyer = await shop.customer('ACME')
    await bring(usd.id, ['2026-03-02', 'ACME', 1000])
    await book('ACME', 'receipt', { partyId: buyer.id })
    const first = await shop.call(previewRevaluation, { day: '2026-03-31', banks: [] })
    const [bank] = first.bankAccounts.filter((one) => one.currency === 'USD')
    expect(bank).toMatchObject({ foreignAgorot: 100_000, booksAgorot: 350_000 })
    const { rows } = await shop.call(previewRevaluation, {
      day: '2026-03-31',
      banks: [{ accountId: bank!.id, currency: 'USD', foreignAgorot: bank!.foreignAgorot! }],
    })
    expect(rows.find((row) => row.what === 'bank')).toMatchObject({
      rate: '3.6',
      valueAgorot: 360_000,
      differenceAgorot: 10_000,
    })
  })

  test('an invoice in dollars is closed by its money, a bill in dollars is paid from it', async () => {
    const buyer = await shop.customer('ACME')
    const invoice = await invoiceInDollars(buyer.id)
    const seller = await shop.send('POST', '/api4/invoice/suppliers', { name: 'AWS' })
    const kinds = (await shop.get('/api4/invoice/expensetypes?size=100')).rows as {
      id: string
      accountNumber: string
    }[]
    const bill = await shop.send('POST', '/api4/invoice/expenses', {
      supplierId: seller.id,
      supplierNumber: '88',
      paper: 'import',
      date: '2026-03-02',
      currency: 'USD',
      rate: '3.5',
      lines: [
        { typeId: kinds.find((one) => one.accountNumber === '6000')!.id, netAgorot: 40_000, vatAgorot: 0 },
      ],
    })
    await bring(usd.id, ['2026-03-10', 'ACME', 1000], ['2026-03-20', 'AWS', -400])
    expect(
      (await shop.call(calls.bookingFacts, { id: usd.id, partyId: seller.id, role: 'supplier' })).rows,
    ).toMatchObject([{ openAgorot: 40_000 }])
    await book('ACME', 'receipt', { partyId: buyer.id, closes: [{ id: invoice.id, amountAgorot: 100_000 }] })
    expect((await shop.call(getDocument, { id: invoice.id })).totals.openAgorot).toBe(0)
    // The invoice stood at 3.5, its money came at 3.7.
    expect(await books()).toMatchObject({ 1015: [370_000, 100_000], 8910: -20_000 })
    await expect(
      book('AWS', 'supplier', { partyId: seller.id, closes: [{ id: bill.id, amountAgorot: 30_000 }] }),
    ).rejects.toMatchObject({
      errors: [{ path: 'closes' }],
    })
    const paid = await book('AWS', 'supplier', {
      partyId: seller.id,
      closes: [{ id: bill.id, amountAgorot: 40_000 }],
    })
    // 400 dollars carried at 3.7 close a bill of 1,400 shekels.
    expect(await books()).toMatchObject({ 1015: [222_000, 60_000], 8910: -20_000 + 8_000 })
    expect((await books())[2000]).toBeUndefined()
    await shop.send('POST', `/api4/invoice/supplierpayments/${paid.madeId}/cancel`, {})
    expect(await books()).toMatchObject({ 1015: [370_000, 100_000], 2000: -140_000, 8910: -20_000 })
  })

  test('a receipt in dollars that is cancelled leaves the books as they were: same rate, same account, no difference of exchange', async () => {
    const buyer = await shop.customer('ACME')
    const invoice = await invoiceInDollars(buyer.id)
    const before = await books()
    const receipt = await shop.call(createDocument, {
      type: 6,
      customerId: buyer.id,
      date: '2026-03-10',
      currency: 'USD',
      payments: [{ means: 3, amountAgorot: 60_000 }],
      closes: [{ documentId: invoice.id, amountAgorot: 60_000 }],
    })
    expect(await books()).toEqual({ ...before, 1015: [222_000, 60_000], 1100: 140_000, 8910: -12_000 })
    const back = await shop.call(cancelDocument, { id: receipt.id, reason: 'טעות' })
    // The rate of the day of the cancellation is another one.
    expect(back).toMatchObject({ rate: '3.7', currency: 'USD' })
    expect(await books()).toEqual(before)
    expect((await shop.call(getDocument, { id: invoice.id })).totals).toMatchObject({
      openAgorot: 350_000,
      openInCurrencyAgorot: 100_000,
    })
    expect((await shop.call(getDocument, { id: receipt.id })).status).toBe('cancelled')
    expect(await look()).toMatchObject({ ledgerAgorot: 0, carriedAgorot: 0 })
    const { bankAccounts } = await shop.call(previewRevaluation, { day: '2026-03-31', banks: [] })
    expect(bankAccounts.find((one) => one.currency === 'USD')).toMatchObject({
      foreignAgorot: 0,
      booksAgorot: 0,
    })
  })

  test('a receipt that is cancelled gives back from the account its money lay on, whichever is usual by then', async () => {
    const buyer = await shop.customer('ACME')
    await bring(usd.id, ['2026-03-10', 'ACME', 1000])
    const { madeId } = await book('ACME', 'receipt', { partyId: buyer.id })
    const cheque = await shop.call(createDocument, {
      type: 6,
      customerId: buyer.id,
      payments: [{ means: 3, amountAgorot: 5_000 }],
    })
    const before = await books()
    // A second account in dollars, and another one for transfers in shekels.
    const accounts = (await shop.get('/api5/invoicecpa/accounts?size=200')).rows as {
      id: string
      number: string
    }[]
    const named = (number: string) => accounts.find((one) => one.number === number)!.id
    await shop.send('POST', '/api4/invoice/bankaccounts', {
      name: 'דולר ב',
      currency: 'USD',
      accountId: named('1330'),
    })
    await shop.send('PATCH', '/api4/invoice/company', { transferAccountId: named('1000') })
    await shop.call(cancelDocument, { id: madeId!, reason: 'טעות' })
    await shop.call(cancelDocument, { id: cheque.id, reason: 'טעות' })
    expect(before).toEqual({ 1010: 5_000, 1015: [370_000, 100_000], 1100: -375_000 })
    expect(await books()).toEqual({})
  })

  test('dollars are changed into shekels at the rate the bank gave, and back by taking the match back', async () => {
    const ils = await shop.send('POST', '/api4/invoice/bankaccounts', { name: 'עו״ש' })
    const buyer = await shop.customer('ACME')
    await bring(usd.id, ['2026-03-02', 'ACME', 1000], ['2026-03-10', 'המרה', -500])
    await bring(ils.id, ['2026-03-10', 'המרה', 1845])
    await book('ACME', 'receipt', { partyId: buyer.id })
    await expect(book('המרה', 'transfer', { bankAccountId: ils.id })).rejects.toMatchObject({
      errors: [{ path: 'otherLineId' }],
    })
    const other = await line('המרה', ils.id)
    const { id } = await book('המרה', 'transfer', { bankAccountId: ils.id, otherLineId: other.id })
    expect(await books()).toEqual({ 1015: [175_000, 50_000], 1010: 184_500, 1100: -350_000, 8910: -9_500 })
    expect([(await look()).lines, (await look(ils.id)).lines]).toEqual([[], []])
    expect(await shop.call(calls.undoMatch, { id })).toMatchObject({ reversed: true })
    expect(await books()).toEqual({ 1015: [350_000, 100_000], 1100: -350_000 })
    expect([(await look()).lines.length, (await look(ils.id)).lines.length]).toEqual([1, 1])
  })

  test('without a rate nothing is booked, and shekels that were typed in are no dollars', async () => {
    await bring(usd.id, ['2026-02-01', 'עמלה', -10])
    await expect(book('עמלה', 'fee')).rejects.toMatchObject({ code: 'matching.noRate' })
    await shop.call(addEntry, {
      date: '2026-02-01',
      lines: [
        { accountNumber: '1015', debitAgorot: 1_000 },
        { accountNumber: '1010', creditAgorot: 1_000 },
      ],
    })
    expect(await look()).toMatchObject({ postings: [], ledgerAgorot: 0, carriedAgorot: 1_000 })
    expect(await books()).toEqual({ 1010: -1_000, 1015: 1_000 })
  })
})
