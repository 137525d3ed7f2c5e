import iconv from 'iconv-lite'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sheetOf, workbook } from '../../../../tests/workbook.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import {
  cancelDocument,
  createDocument,
  getDocument,
  openItems,
  settleDocument,
  unsettleDocument,
} from '#features/sales/documents/endpoints.ts'
import { runImport, uploadImport } from '#features/registers/imports/endpoints.ts'
import { cardDesk } from '#features/money/matching/endpoints.ts'
import { keepRate } from '#features/registers/rates/endpoints.ts'
import * as calls from './endpoints.ts'

let world: World
let shop: Business
let facts: calls.JournalFacts
let companyId: string
const base = '/api5/invoicecpa'
const id = (number: string) => facts.accounts.find((a) => a.number === number)!.id

beforeAll(async () => {
  world = await startWorld(() => new Date('2026-03-15T09:00:00Z'))
})
afterAll(() => world.close())
beforeEach(async () => {
  shop = await newBusiness(world)
  facts = await shop.call(calls.journalFacts, {})
  companyId = (await shop.get('/api/user/session')).companyId
})

const balances = async (): Promise<Record<string, number>> => {
  const { rows } = await sql<{
    number: string
    amount: number
  }>`select a.number, sum(p.amount_agorot)::bigint as amount from postings p
    join accounts a on a.company_id = p.company_id and a.id = p.account_id where p.company_id = ${companyId}
    group by 1 having sum(p.amount_agorot) <> 0`.execute(world.app.db.kysely)
  return Object.fromEntries(rows.map((row) => [row.number, row.amount]))
}
const supplier = async (name = 'ספק') =>
  (await shop.send('POST', '/api4/invoice/suppliers', { name })) as { id: string }
const customerItem = (partyId: string, more: object = {}) =>
  shop.send('POST', `${base}/openingCustomers`, {
    partyId,
    number: '1001',
    day: '2025-11-05',
    dueDay: '2025-12-05',
    amountAgorot: 11_800,
    ...more,
  })
const supplierItem = (partyId: string, more: object = {}) =>
  shop.send('POST', `${base}/openingSuppliers`, {
    partyId,
    number: 'א-77',
    day: '2025-12-01',
    dueDay: '2025-12-31',
    amountAgorot: 5_000,
    ...more,
  })
const lines = () => [
  { accountId: id('1010'), debitAgorot: 50_000 },
  { accountId: id('3000'), creditAgorot: 56_800 },
]
const keep = (more: object = {}) =>
  shop.call(calls.keepOpening, { date: '2026-01-01', lines: lines(), ...more })
/** What the card of a customer or a supplier shows as still open. */
const openOnCard = async (partyId: string) => {
  const card = await shop.call(cardDesk, { partyId })
  return { sum: card.openAgorot, rows: card.rows.map((row) => [row.reference, row.openAgorot]) }
}

describe('open items of an opening', () => {
  test('balance with the accounts, grow old by their own day, and are neither income nor VAT', async () => {
    const buyer = await shop.customer('כהן')
    const seller = await supplier()
    await customerItem(buyer.id)
    await supplierItem(seller.id)
    await keep({ customersAgorot: 11_800, suppliersAgorot: 5_000 })
    expect(await shop.call(calls.openingBalances, {})).toMatchObject({
      customers: { items: 1, itemsAgorot: 11_800, controlAgorot: 11_800 },
      suppliers: { items: 1, itemsAgorot: 5_000, controlAgorot: 5_000 },
      posted: null,
    })
    await shop.call(calls.postOpening, {})
    expect(await balances()).toEqual({ 1010: 50_000, 1100: 11_800, 2000: -5_000, 3000: -56_800 })
    expect(await openOnCard(buyer.id)).toEqual({ sum: 11_800, rows: [['1001', 11_800]] })
    expect(await openOnCard(seller.id)).toEqual({ sum: 5_000, rows: [['א-77', -5_000]] })
    const ageing = (by: string) => shop.get(`/api4/invoice/reports/ageing?day=2026-03-15&by=${by}`)
    expect((await ageing('due')).totals).toMatchObject({
      d120Agorot: 11_800,
      moreAgorot: 0,
      openAgorot: 11_800,
    })
    expect((await ageing('paper')).totals).toMatchObject({
      d120Agorot: 0,
      moreAgorot: 11_800,
      openAgorot: 11_800,
    })
    const income = await sql<{
      n: number
    }>`select count(*)::int as n from documents where company_id = ${companyId}
      and (ils_net_agorot <> 0 or ils_vat_agorot <> 0 or vat_agorot <> 0)`.execute(world.app.db.kysely)
    expect(income.rows[0]!.n).toBe(0)
    expect((await shop.get('/api4/invoice/documents?size=50')).rows).toEqual([])
    expect((await shop.get('/api4/invoice/expenses/figures')).openAgorot).toBe(5_000)
  })

  test('a line stands on one side', async () => {
    await expect(
      keep({ lines: [{ accountId: id('1010'), debitAgorot: 50_000, creditAgorot: 1 }, ...lines().slice(1)] }),
    ).rejects.toMatchObject({ errors: [{ path: 'lines.0.creditAgorot', code: 'fields.range' }] })
  })

  test('are closed by a receipt, in part and whole, and paid to a supplier', async () => {
    const buyer = await shop.customer('כהן')
    const seller = await supplier()
    await customerItem(buyer.id)
    await supplierItem(seller.id)
    await keep()
    await shop.call(calls.postOpening, {})
    expect((await shop.call(calls.openingBalances, {})).posted!.items).toMatchObject([
      { role: 'customer', party: 'כהן', number: '1001', amountAgorot: 11_800, openAgorot: 11_800 },
      { role: 'supplier', party: 'ספק', number: 'א-77', amountAgorot: 5_000, openAgorot: 5_000 },
    ])
    const [item] = (await shop.call(openItems, { customerId: buyer.id })).rows
    expect(item).toMatchObject({
      number: 1001,
      date: '2025-11-05',
      dueDate: '2025-12-05',
      openAgorot: 11_800,
      isOpening: true,
    })
    const pay = (amountAgorot: number) =>
      shop.call(createDocument, {
        type: 6,
        customerId: buyer.id,
        date: '2026-02-01',
        payments: [{ means: 3, amountAgorot }],
        closes: [{ documentId: item!.id, amountAgorot }],
      })
    await pay(1_800)
    expect((await shop.call(getDocument, { id: item!.id })).totals.openAgorot).toBe(10_000)
    await pay(10_000)
    expect((await shop.call(openItems, { customerId: buyer.id })).rows).toEqual([])
    await expect(pay(1)).rejects.toMatchObject({
      errors: [{ path: 'closes', code: 'documents.closesTooMuch' }],
    })
    const { rows } = await shop.get(`/api4/invoice/expenses?size=50`)
    await shop.send('POST', `/api4/invoice/expenses/${rows[0].id}/pay`, { means: 'bank', date: '2026-02-01' })
    expect(await balances()).toEqual({ 1010: 50_000 + 11_800 - 5_000, 3000: -56_800 })
    await expect(shop.call(cancelDocument, { id: item!.id, reason: 'x' })).rejects.toMatchObject({
      code: 'documents.openingItem',
    })
    await expect(
      shop.send('POST', `/api4/invoice/expenses/${rows[0].id}/cancel`, { reason: 'x' }),
    ).rejects.toMatchObject({ status: 409 })
  })

  test('must come to what the books before say, and say what is missing', async () => {
    const buyer = await shop.customer('כהן')
    await customerItem(buyer.id)
    await keep({ customersAgorot: 12_000 })
    await expect(shop.call(calls.postOpening, { leaveDifference: true })).rejects.toMatchObject({
      code: 'journal.openingCustomersDiffer',
    })
    await customerItem(buyer.id, { number: '1002', amountAgorot: 200 })
    await expect(customerItem(buyer.id, { number: '1002' })).rejects.toMatchObject({
      errors: [{ path: 'number' }],
    })
    await keep({ customersAgorot: 12_000, suppliersAgorot: 1 })
    await expect(shop.call(calls.postOpening, { leaveDifference: true })).rejects.toMatchObject({
      code: 'journal.openingSuppliersDiffer',
    })
    await keep({ customersAgorot: 12_000 })
    await expect(shop.call(calls.postOpening, {})).rejects.toMatchObject({
      code: 'journal.openingDifference',
    })
    await shop.call(calls.postOpening, { leaveDifference: true })
    expect(await balances()).toMatchObject({ 1100: 12_000, 9000: -(50_000 - 56_800 + 12_000) })
  })

  test('in dollars and of two customers with one number; an advance stands to the customer’s credit', async () => {
    await shop.call(keepRate, { currency: 'USD', day: '2025-12-31', rate: '3.5' })
    const [one, two] = [await shop.customer('אחד'), await shop.customer('שניים')]
    const dollars = await customerItem(one.id, { amountAgorot: 10_000, currency: 'USD' })
    expect(dollars).toMatchObject({ ilsAgorot: 35_000 })
    await customerItem(two.id, { amountAgorot: -2_000 })
    await customerItem(two.id, { number: 'ADV/3', amountAgorot: 700 })
    await expect(customerItem(two.id, { number: '5', currency: 'GBP' })).rejects.toMatchObject({
      errors: [{ path: 'rate', code: 'journal.openingNoRate' }],
    })
    await keep({ lines: [] })
    await shop.call(calls.postOpening, { leaveDifference: true })
    expect(await balances()).toEqual({ 1100: 35_000 - 2_000 + 700, 9000: -33_700 })
    expect((await shop.call(openItems, { customerId: one.id })).rows).toMatchObject([
      { number: 1001, currency: 'USD', openInCurrencyAgorot: 10_000, openAgorot: 35_000 },
    ])
    expect(
      (await shop.call(openItems, { customerId: two.id })).rows
        .map((row) => [row.number, row.openAgorot])
        .toSorted(),
    ).toEqual([
      [1, 700],
      [1001, -2_000],
    ])
  })

  test('go with the opening when it is taken back, and wait to be mended; not when one was paid', async () => {
    const buyer = await shop.customer('כהן')
    const seller = await supplier()
    await customerItem(buyer.id)
    await supplierItem(seller.id)
    await keep({ customersAgorot: 11_800 })
    const { batchId } = await shop.call(calls.postOpening, {})
    expect((await shop.get(`${base}/openingCustomers?size=50`)).rows).toEqual([])
    const [item] = (await shop.call(openItems, { customerId: buyer.id })).rows
    const receipt = await shop.call(createDocument, {
      type: 6,
      customerId: buyer.id,
      date: '2026-02-01',
      payments: [{ means: 3, amountAgorot: 100 }],
      closes: [{ documentId: item!.id, amountAgorot: 100 }],
    })
    await expect(shop.call(calls.reverseBatch, { id: batchId })).rejects.toMatchObject({
      code: 'journal.openingItemsUsed',
    })
    await shop.call(cancelDocument, { id: receipt.id, reason: 'טעות' })
    await shop.call(calls.reverseBatch, { id: batchId })
    expect(await balances()).toEqual({})
    expect((await shop.call(openItems, { customerId: buyer.id })).rows).toEqual([])
    expect(await shop.call(calls.openingBalances, {})).toMatchObject({
      posted: null,
      lines: [{ debitAgorot: 50_000 }, { creditAgorot: 56_800 }],
      customers: { items: 1, controlAgorot: 11_800 },
      suppliers: { items: 1 },
    })
    await keep()
    await shop.call(calls.postOpening, {})
    expect((await balances())[1100]).toBe(11_800)
  })

  test('are not later than the opening, and not of another business', async () => {
    const buyer = await shop.customer('כהן')
    await customerItem(buyer.id, { day: '2026-01-02', dueDay: null })
    await keep()
    await expect(shop.call(calls.postOpening, { leaveDifference: true })).rejects.toMatchObject({
      code: 'journal.openingItemLate',
    })
    const neighbour = await newBusiness(world)
    const other = await neighbour.customer('לוי')
    const foreign = await customerItem(other.id).catch((e: unknown) => e)
    expect(foreign).toMatchObject({ errors: [{ path: 'partyId' }] })
  })

  test('come from a file, the faulty ones named', async () => {
    await shop.customer('כהן')
    await shop.customer('לוי')
    const csv = Buffer.from(
      'לקוח,מספר מסמך,תאריך המסמך,לתשלום עד,יתרה לתשלום\nכהן,501,01/12/2025,31/12/2025,"1,180.00"\nלוי,502,02/12/2025,,59\nאיננו,503,02/12/2025,,59\n',
    )
    const file = await shop.call(uploadImport, {
      resource: 'openingCustomers',
      name: 'a.csv',
      check: 'true',
      bytes: csv,
    })
    for (let i = 0; i < 20; i++) await world.worker.drain()
    expect((await shop.get(`/api4/invoice/imports/${file.id}`)).counts).toMatchObject({
      create: 2,
      faulty: 1,
    })
    await shop.call(runImport, { id: file.id, take: 'good' })
    for (let i = 0; i < 20; i++) await world.worker.drain()
    expect(await shop.call(calls.openingBalances, {})).toMatchObject({
      customers: { items: 2, itemsAgorot: 123_900 },
    })
  })
})

describe('what customers owed a business without VAT', () => {
  /** Opens another kind of business in the place of the shop. */
  const open = async (kind: 'exemptDealer' | 'nonProfit' | 'licensedDealer') => {
    shop = await newBusiness(world, { kind } as never)
    facts = await shop.call(calls.journalFacts, {})
    companyId = (await shop.get('/api/user/session')).companyId
  }
  const own = () => [
    { accountId: id('1010'), debitAgorot: 50_000 },
    { accountId: id('3000'), creditAgorot: 50_000 },
  ]
  const pay = (customerId: string, paid: number, closes: Record<string, unknown>[], more: object = {}) =>
    shop.call(createDocument, {
      type: 6,
      customerId,
      date: '2026-02-10',
      payments: [{ means: 3, amountAgorot: paid }],
      closes,
      ...more,
    } as never)
  const turnover = async () => {
    await shop.send('POST', '/api4/invoice/company/advancerates', { from: '2026-01-01', rateBp: 1000 })
    const advances = await shop.get('/api4/invoice/reports/advances?from=2026-01-01&to=2026-12-31')
    const income = await shop.get('/api4/invoice/reports/income?from=2026-01-01&to=2026-12-31')
    return {
      papers: advances.totals.turnoverAgorot,
      books: advances.totals.booksTurnoverAgorot,
      toPay: advances.totals.toPayAgorot,
      // Both ways come to the same, paper by paper.
      same: advances.checks
        .filter((check: { name: string }) => check.name === 'turnoverBothWays')
        .map((check: { ok: boolean }) => check.ok),
      income: income.totals.netAgorot,
    }
  }
  const itemOf = async (customerId: string) =>
    (await shop.call(openItems, { customerId })).rows.find((row) => row.isOpening)

  test('is income of an exempt dealer on the day it is paid, in his turnover and advances, and not before', async () => {
    await open('exemptDealer')
    const buyer = await shop.customer('כהן')
    await customerItem(buyer.id)
    await expect(customerItem(buyer.id, { number: '7', amountAgorot: -500 })).rejects.toMatchObject({
      errors: [{ path: 'amountAgorot', code: 'journal.openingReceipts' }],
    })
    expect((await shop.call(calls.openingBalances, {})).countsWhenPaid).toBe(true)
    // Books by cash balance without what is owed.
    await keep({ lines: own(), customersAgorot: 11_800 })
    await shop.call(calls.postOpening, {})
    expect(await balances()).toEqual({ 1010: 50_000, 1100: 11_800, 3000: -50_000, 9000: -11_800 })
    expect(await turnover()).toMatchObject({ papers: 0, books: 0, income: 0 })
    const item = await itemOf(buyer.id)
    const part = await pay(buyer.id, 1_800, [{ documentId: item!.id, amountAgorot: 1_800 }])
    expect(await balances()).toEqual({
      1010: 51_800,
      1100: 10_000,
      3000: -50_000,
      4000: -1_800,
      9000: -10_000,
    })
    expect(await openOnCard(buyer.id)).toMatchObject({ sum: 10_000 })
    // The rest, and a new job beside it: all of it is income of the day.
    await pay(buyer.id, 13_000, [{ documentId: item!.id, amountAgorot: 10_000 }])
    expect(await balances()).toEqual({ 1010: 64_800, 3000: -50_000, 4000: -14_800 })
    expect(await turnover()).toEqual({
      papers: 14_800,
      books: 14_800,
      toPay: 1_500,
      same: [true],
      income: 14_800,
    })
    expect((await shop.call(openItems, { customerId: buyer.id })).rows).toEqual([])
    expect((await shop.call(getDocument, { id: part.id })).status).toBe('closed')
    // A receipt that is cancelled takes its income back, and the debt is owed again.
    await shop.call(cancelDocument, { id: part.id, reason: 'טעות' })
    expect(await balances()).toEqual({
      1010: 63_000,
      1100: 1_800,
      3000: -50_000,
      4000: -13_000,
      9000: -1_800,
    })
    expect(await turnover()).toMatchObject({ papers: 13_000, books: 13_000, same: [true], income: 13_000 })
    expect((await itemOf(buyer.id))!.openAgorot).toBe(1_800)
    await expect(pay(buyer.id, 1_000, [{ documentId: item!.id, amountAgorot: 1_800 }])).rejects.toMatchObject(
      {
        errors: [{ path: 'closes', code: 'documents.closesAboveReceived' }],
      },
    )
  })

  test('of an exempt dealer in dollars is income of what came in shekels, without a difference of exchange', async () => {
    await open('exemptDealer')
    await shop.call(keepRate, { currency: 'USD', day: '2025-12-31', rate: '3.5' })
    await shop.call(keepRate, { currency: 'USD', day: '2026-02-10', rate: '3.7' })
    const buyer = await shop.customer('Smith')
    await customerItem(buyer.id, { amountAgorot: 10_000, currency: 'USD' })
    await keep({ lines: own() })
    await shop.call(calls.postOpening, {})
    const item = await itemOf(buyer.id)
    const receipt = await pay(buyer.id, 4_000, [{ documentId: item!.id, amountAgorot: 4_000 }], {
      currency: 'USD',
    })
    const after = await balances()
    expect(after).toMatchObject({ 1100: 21_000, 4000: -14_800, 9000: -21_000 })
    expect(after).not.toHaveProperty('8910')
    await shop.call(cancelDocument, { id: receipt.id, reason: 'טעות' })
    expect(await balances()).toEqual({ 1010: 50_000, 1100: 35_000, 3000: -50_000, 9000: -35_000 })
    expect(await openOnCard(buyer.id)).toMatchObject({ sum: 35_000 })
  })

  test('taken off a receipt stays counted once, and pays only what counts', async () => {
    await open('exemptDealer')
    const buyer = await shop.customer('כהן')
    await customerItem(buyer.id)
    await keep({ lines: own() })
    await shop.call(calls.postOpening, {})
    const item = await itemOf(buyer.id)
    const receipt = await pay(buyer.id, 11_800, [{ documentId: item!.id, amountAgorot: 11_800 }])
    const [settlement] = (await shop.call(getDocument, { id: receipt.id })).settlements
    await shop.call(unsettleDocument, { id: receipt.id, settlementId: settlement!.id })
    expect(
      (await shop.call(openItems, { customerId: buyer.id })).rows
        .map((row) => row.openAgorot)
        .toSorted((a, b) => a - b),
    ).toEqual([-11_800, 11_800])
    // The money is the customer's credit, and was income all the same.
    expect((await balances())[4000]).toBe(-11_800)
    await shop.call(settleDocument, { id: receipt.id, documentId: item!.id, amountAgorot: 11_800 })
    expect(await balances()).toEqual({ 1010: 61_800, 3000: -50_000, 4000: -11_800 })
    expect((await shop.call(openItems, { customerId: buyer.id })).rows).toEqual([])
  })

  test('is not paid by one receipt together with an invoice that was income when it was issued', async () => {
    // A business that charged VAT at first.
    await open('licensedDealer')
    const buyer = await shop.customer('כהן')
    const invoice = await shop.invoice(buyer.id, '100', { date: '2026-02-09' })
    await world.app.db.pool.query(`update companies set kind = 'exemptDealer' where id = $1`, [companyId])
    await customerItem(buyer.id)
    await keep({ lines: own() })
    await shop.call(calls.postOpening, {})
    const item = await itemOf(buyer.id)
    await expect(
      pay(buyer.id, 23_600, [
        { documentId: item!.id, amountAgorot: 11_800 },
        { documentId: invoice.id, amountAgorot: 11_800 },
      ]),
    ).rejects.toMatchObject({ errors: [{ path: 'closes', code: 'documents.incomeAndDebt' }] })
    // Nor later, by money that was counted as income when it came.
    const receipt = await pay(buyer.id, 11_800, [{ documentId: item!.id, amountAgorot: 11_800 }])
    const [settlement] = (await shop.call(getDocument, { id: receipt.id })).settlements
    await shop.call(unsettleDocument, { id: receipt.id, settlementId: settlement!.id })
    await expect(shop.call(settleDocument, { id: receipt.id, documentId: invoice.id })).rejects.toMatchObject(
      { errors: [{ path: 'documentId', code: 'documents.incomeAndDebt' }] },
    )
    await shop.call(settleDocument, { id: receipt.id, documentId: item!.id })
    expect((await shop.call(getDocument, { id: invoice.id })).totals.openAgorot).toBe(11_800)
  })

  test('was income of a non-profit before, and its payment is money alone', async () => {
    await open('nonProfit')
    const buyer = await shop.customer('כהן')
    await customerItem(buyer.id)
    await keep({
      lines: [
        { accountId: id('1010'), debitAgorot: 50_000 },
        { accountId: id('3000'), creditAgorot: 61_800 },
      ],
    })
    await shop.call(calls.postOpening, {})
    const item = await itemOf(buyer.id)
    await pay(buyer.id, 11_800, [{ documentId: item!.id, amountAgorot: 11_800 }])
    expect(await balances()).toEqual({ 1010: 61_800, 3000: -61_800 })
    expect(await turnover()).toMatchObject({ papers: 0, books: 0, income: 0 })
  })
})

describe('the file of the program before', () => {
  const read = (bytes: Uint8Array) => shop.call(calls.readBalanceFile, { bytes } as never)

  test('a workbook is read sheet by sheet, by the numbers of its rows; figures come as they are shown', async () => {
    const rows = sheetOf([
      ['מאזן בוחן'],
      [],
      ['מספר', 'שם', 'חובה', 'זכות'],
      [1010, 'בנק &amp; קופה', 0.1 + 0.2],
      ['3000', 'הון', '', 0.1],
    ])
    expect(await read(workbook({ שער: [], מאזן: rows }))).toEqual({
      tables: [
        {
          sheet: 'מאזן',
          rows: [
            { row: 1, cells: ['מאזן בוחן'] },
            { row: 3, cells: ['מספר', 'שם', 'חובה', 'זכות'] },
            { row: 4, cells: ['1010', 'בנק & קופה', '0.3'] },
            { row: 5, cells: ['3000', 'הון', '', '0.1'] },
          ],
        },
      ],
    })
  })

  test('a text is read in its own code page, by whatever stands between its cells', async () => {
    expect(await read(iconv.encode('1010;"בנק ""הפועלים""";1,234.50;\r\n', 'windows-1255'))).toEqual({
      tables: [{ sheet: '', rows: [{ row: 1, cells: ['1010', 'בנק "הפועלים"', '1,234.50', ''] }] }],
    })
  })

  test.each([
    ['an old workbook', 'imports.oldExcel', () => Buffer.from('d0cf11e0a1b11ae1000000', 'hex')],
    ['a picture', 'imports.badType', () => Buffer.from('89504e470d0a1a0a', 'hex')],
    ['a workbook without a cell', 'imports.empty', () => workbook({ ריק: [] })],
    [
      'more rows than any chart has',
      'imports.tooManyRows',
      () => Buffer.from('1010,1\n'.repeat(calls.maxBalanceRows + 1)),
    ],
  ])('%s is refused with its reason', async (_, code, bytes) => {
    await expect(read(bytes())).rejects.toMatchObject({ code })
  })
})
