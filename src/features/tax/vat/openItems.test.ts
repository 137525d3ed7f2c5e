import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parsePcn874 } from '#domain/vat/pcn874/parse.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { newBusiness, newTaxId, startWorld, type Business, type World } from '../../../../tests/world.ts'
import {
  cancelDocument,
  createDocument,
  creditDocument,
  openItems,
  settleDocument,
  unsettleDocument,
  getDocument,
} from '#features/sales/documents/endpoints.ts'
import { runImport, uploadImport } from '#features/registers/imports/endpoints.ts'
import * as journal from '#features/books/journal/endpoints.ts'
import { bouncePayment, createDeposit } from '#features/sales/payments/endpoints.ts'
import * as calls from './endpoints.ts'

/*
 * A business on cash basis that brings its unpaid invoices: their VAT was in no return, and goes into that of
 * the period they are paid in.
 */

let world: World
let today = '2026-05-10'
let me: Business
let companyId: string
let dealer: { id: string; taxId: string }
let person: { id: string }
let accounts: Record<string, string>

beforeAll(async () => {
  world = await startWorld(() => new Date(`${today}T09:00:00Z`))
})
afterAll(() => world.close())
beforeEach(async () => {
  today = '2026-05-10'
  me = await newBusiness(world)
  companyId = (await me.get('/api/user/session')).companyId
  const { accounts: all } = await me.call(journal.journalFacts, {})
  accounts = Object.fromEntries(all.map(({ number, id }) => [number, id]))
  const taxId = newTaxId()
  dealer = { id: (await me.customer('כהן בע״מ', { taxId, isDealer: true })).id, taxId }
  person = await me.customer('דנה לוי')
})

const cash = (from = '2026-05-01') => me.call(calls.changeVatBasis, { basis: 'cash', from })
const register = '/api5/invoicecpa/openingCustomers'
const item = (more: object = {}) =>
  me.send('POST', register, {
    partyId: dealer.id,
    number: '2087',
    day: '2026-03-05',
    amountAgorot: 118_000,
    vatAgorot: 18_000,
    ...more,
  }) as Promise<{ id: string; vatAgorot: number; allocationNumber: string | null }>
const opened = async (lines: { accountId: string; debitAgorot?: number; creditAgorot?: number }[] = []) => {
  await me.call(journal.keepOpening, { date: '2026-05-01', lines })
  return me.call(journal.postOpening, { leaveDifference: true })
}
const itemOf = async (customerId = dealer.id) =>
  (await me.call(openItems, { customerId })).rows.find((row) => row.isOpening)!.id
const pay = async (agorot: number, documentId: string, more: object = {}) =>
  me.call(createDocument, {
    type: 6,
    customerId: dealer.id,
    date: today,
    payments: [{ means: 3, amountAgorot: agorot }],
    closes: [{ documentId, amountAgorot: agorot }],
    ...more,
  } as never)
/** Taxed sales, exempt sales and output VAT of a period by its papers; by the books they are the same. */
const reported = async (period: string) => {
  const { figures, differences } = await me.call(calls.vatPeriodFacts, { period })
  expect(differences).toEqual([])
  for (const f of figures) expect(f.booksAgorot).toBe(f.exactAgorot)
  return figures.slice(0, 3).map((f) => f.exactAgorot)
}
const held = async (): Promise<Record<string, number>> => {
  const { rows } = await asSystem(world.app.db, (tx) =>
    sql<{
      number: string
      amount: number
    }>`select a.number, sum(p.amount_agorot)::bigint as amount from postings p
    join accounts a on a.company_id = p.company_id and a.id = p.account_id where p.company_id = ${companyId}
    group by 1 having sum(p.amount_agorot) <> 0`.execute(tx),
  )
  return Object.fromEntries(rows.map((row) => [row.number, row.amount]))
}
const refused = async (of: Promise<unknown>) => {
  const e = (await of.then(
    () => undefined,
    (x: unknown) => x,
  )) as { code: string; errors: { path: string; code: string }[] } | undefined
  return e && [e.code, ...e.errors.flatMap(({ path, code }) => [path, code])]
}

describe('VAT not reported yet', () => {
  test('is reported as the item is paid, month by month, the remainder with the last payment', async () => {
    await me.send('PATCH', '/api4/invoice/company', { vatPeriodMonths: 1 })
    await cash()
    await item()
    await opened()
    expect(await held()).toEqual({ 1100: 118_000, 2100: -18_000, 9000: -100_000 })
    expect(await reported('2026-05')).toEqual([0, 0, 0])
    const id = await itemOf()
    await pay(39_333, id)
    today = '2026-06-10'
    await pay(18_000, id)
    today = '2026-07-10'
    await pay(118_000 - 39_333 - 18_000, id)
    expect([await reported('2026-05'), await reported('2026-06'), await reported('2026-07')]).toEqual([
      [33_333, 0, 6_000],
      [15_254, 0, 2_746],
      [100_000 - 33_333 - 15_254, 0, 18_000 - 6_000 - 2_746],
    ])
  })

  test('every two months, filed and settled: the account is empty once all is paid', async () => {
    await cash()
    await item()
    await opened()
    const id = await itemOf()
    await pay(59_000, id)
    today = '2026-07-05'
    expect(await reported('2026-06')).toEqual([50_000, 0, 9_000])
    await me.call(calls.fileReturn, { period: '2026-06', settle: true })
    expect(await held()).toMatchObject({ 2100: -9_000, 2110: -9_000 })
    await pay(59_000, id)
    expect([await reported('2026-06'), await reported('2026-08')]).toEqual([
      [50_000, 0, 9_000],
      [50_000, 0, 9_000],
    ])
    today = '2026-09-05'
    await me.call(calls.fileReturn, { period: '2026-08', settle: true })
    expect(await held()).not.toHaveProperty('2100')
  })

  test('stands in the detailed report by the number of the invoice, its customer and its allocation number', async () => {
    await cash()
    await item({
      number: 'INV-7/2087',
      amountAgorot: 1_180_000 * 2,
      vatAgorot: 360_000,
      allocationNumber: '123 456 789',
    })
    await item({ partyId: person.id, number: '12', amountAgorot: 11_800, vatAgorot: 1_800 })
    await item({ number: '2090', amountAgorot: 118_000, vatAgorot: 9_000 })
    await opened()
    await pay(1_180_000, await itemOf())
    await pay(
      118_000,
      (await me.call(openItems, { customerId: dealer.id })).rows.find((row) => row.openingNumber === '2090')!
        .id,
    )
    await pay(11_800, await itemOf(person.id), { customerId: person.id })
    today = '2026-07-05'
    expect(await reported('2026-06')).toEqual([1_000_000 + 50_000 + 10_000, 59_000, 180_000 + 9_000 + 1_800])
    const file = await me.call(calls.pcn874, { period: '2026-06' } as never)
    const { entries } = parsePcn874(
      Buffer.isBuffer(file) ? file.toString('latin1') : String((file as { text: string }).text ?? file),
    )
    expect(
      entries.map(({ record: e }) => [
        e.type,
        e.counterparty,
        e.reference,
        e.sum,
        e.vat,
        e.allocation,
        e.day,
      ]),
    ).toEqual([
      ['S', dealer.taxId, '000002090', 500, 90, '000000000', '2026-05-10'],
      ['S', dealer.taxId, '000002090', 590, 0, '000000000', '2026-05-10'],
      ['S', dealer.taxId, '000072087', 10_000, 1_800, '123456789', '2026-05-10'],
      ['L', '000000000', '000000001', 100, 18, '000000000', '2026-05-10'],
    ])
    const rows = (await me.get('/api4/invoice/reports/pcn?from=2026-05-01&to=2026-06-30')).rows as {
      number?: string
      reference?: string
    }[]
    expect(JSON.stringify(rows)).toContain('72087')
  })

  test('goes back with a cancelled receipt, a cheque that bounced and a settlement that was taken back', async () => {
    await me.send('PATCH', '/api4/invoice/company', { vatPeriodMonths: 1 })
    await cash()
    await item()
    await opened()
    const id = await itemOf()
    const receipt = await pay(118_000, id)
    today = '2026-06-10'
    await me.call(calls.fileReturn, { period: '2026-05' })
    await me.call(cancelDocument, { id: receipt.id, reason: 'טעות' })
    expect([await reported('2026-05'), await reported('2026-06')]).toEqual([
      [100_000, 0, 18_000],
      [-100_000, 0, -18_000],
    ])
    await pay(59_000, id, {
      payments: [
        {
          means: 2,
          amountAgorot: 59_000,
          bank: '12',
          branch: '345',
          account: '123456',
          number: '71',
          dueDate: today,
        },
      ],
    })
    const { rows } = await me.get('/api4/invoice/payments?size=100')
    const cheque = rows.find((one: { means: string }) => one.means === 'cheque').id
    await me.call(createDeposit, { payments: [cheque] } as never)
    expect(await reported('2026-06')).toEqual([-50_000, 0, -9_000])
    today = '2026-07-10'
    await me.call(bouncePayment, { id: cheque } as never)
    expect([await reported('2026-06'), await reported('2026-07')]).toEqual([
      [-50_000, 0, -9_000],
      [-50_000, 0, -9_000],
    ])
    const again = await pay(118_000, id)
    const [settlement] = (await me.call(getDocument, { id: again.id })).settlements
    expect(await reported('2026-07')).toEqual([50_000, 0, 9_000])
    await me.call(unsettleDocument, { id: again.id, settlementId: settlement!.id })
    expect(await reported('2026-07')).toEqual([-50_000, 0, -9_000])
    await me.call(settleDocument, { id: again.id, documentId: id, amountAgorot: 118_000 })
    expect(await reported('2026-07')).toEqual([50_000, 0, 9_000])
  })

  test('a credit that closes it is what it was paid by', async () => {
    await cash()
    await item()
    await opened()
    const id = await itemOf()
    const invoice = await me.invoice(dealer.id, '500')
    await pay(59_000, invoice.id)
    const credit = await me.call(creditDocument, { id: invoice.id, reason: 'הנחה' } as never)
    expect(await reported('2026-06')).toEqual([50_000, 0, 9_000])
    // The refund of one pays the other.
    await me.call(settleDocument, { id: credit.id, documentId: id, amountAgorot: 59_000 })
    expect(await reported('2026-06')).toEqual([50_000, 0, 9_000])
    await pay(59_000, id)
    expect(await reported('2026-06')).toEqual([100_000, 0, 18_000])
  })

  test('waits for its payment also when the basis changed since, and when it was changed back before anything was reported', async () => {
    await me.send('PATCH', '/api4/invoice/company', { vatPeriodMonths: 1 })
    await cash()
    await item()
    await opened()
    const id = await itemOf()
    await pay(59_000, id)
    today = '2026-06-10'
    await me.call(calls.fileReturn, { period: '2026-05' })
    await me.call(calls.changeVatBasis, { basis: 'accrual', from: '2026-06-01' })
    await me.invoice(dealer.id, '1000')
    await pay(59_000, id)
    expect([await reported('2026-05'), await reported('2026-06')]).toEqual([
      [50_000, 0, 9_000],
      [150_000, 0, 27_000],
    ])
    const other = await newBusiness(world)
    me = other
    companyId = (await me.get('/api/user/session')).companyId
    today = '2026-05-10'
    dealer = { id: (await me.customer('לוי')).id, taxId: '' }
    await cash()
    await item()
    await opened()
    await me.call(calls.changeVatBasis, { basis: 'accrual', from: '2026-05-01' })
    expect(await reported('2026-06')).toEqual([0, 0, 0])
    await pay(59_000, await itemOf())
    expect(await reported('2026-06')).toEqual([50_000, 0, 9_000])
  })

  test('both ways are told apart: a changed item and a changed line are each found', async () => {
    await cash()
    await item()
    await opened()
    await pay(118_000, await itemOf())
    expect(await reported('2026-06')).toEqual([100_000, 0, 18_000])
    const changed = (statement: ReturnType<typeof sql>) =>
      asSystem(world.app.db, async (tx) => {
        await sql`set local session_replication_role = replica`.execute(tx)
        await statement.execute(tx)
      })
    const differences = async () =>
      (await me.call(calls.vatPeriodFacts, { period: '2026-06' })).differences.map((d) => [
        d.in,
        d.number,
        d.paperAgorot,
        d.booksAgorot,
      ])
    await changed(sql`update opening_items set vat_agorot = vat_agorot - 1 where company_id = ${companyId}`)
    expect(await differences()).toEqual([
      ['net', '2087', 100_001, 100_000],
      ['outputVat', '2087', 17_999, 18_000],
    ])
    await changed(sql`update opening_items set vat_agorot = vat_agorot + 1 where company_id = ${companyId}`)
    await changed(
      sql`update postings set amount_agorot = amount_agorot - 7 where company_id = ${companyId}
          and account_id = ${accounts['2100']!}`,
    )
    expect(await differences()).toEqual([['outputVat', '2087', 18_000, 18_007]])
  })
})

describe('the opening', () => {
  test('takes the VAT of the items off the balance of its account, and off nothing where the old books had none there', async () => {
    await cash()
    await item()
    await me.call(journal.keepOpening, {
      date: '2026-05-01',
      lines: [
        { accountId: accounts['1010']!, debitAgorot: 50_000 },
        { accountId: accounts['2100']!, creditAgorot: 25_000 },
        { accountId: accounts['3000']!, creditAgorot: 143_000 },
      ],
    })
    expect(await me.call(journal.openingBalances, {})).toMatchObject({ vatWhenPaid: true, vatAgorot: 18_000 })
    const { batchId } = await me.call(journal.postOpening, {})
    expect(await held()).toEqual({ 1010: 50_000, 1100: 118_000, 2100: -25_000, 3000: -143_000 })
    await me.call(journal.reverseBatch, { id: batchId })
    expect(await held()).toEqual({})
    await me.call(journal.keepOpening, {
      date: '2026-05-01',
      lines: [
        { accountId: accounts['1010']!, debitAgorot: 50_000 },
        { accountId: accounts['3000']!, creditAgorot: 150_000 },
      ],
    })
    await me.call(journal.postOpening, {})
    expect(await held()).toEqual({ 1010: 50_000, 1100: 118_000, 2100: -18_000, 3000: -150_000 })
  })

  test('is taken back while nothing of the VAT was reported, and not after', async () => {
    await me.send('PATCH', '/api4/invoice/company', { vatPeriodMonths: 1 })
    await cash()
    const { id: kept } = await item()
    const first = await opened()
    const receipt = await pay(59_000, await itemOf())
    await me.call(cancelDocument, { id: receipt.id, reason: 'טעות' })
    await me.call(journal.reverseBatch, { id: first.batchId })
    expect([await reported('2026-05'), await held()]).toEqual([[0, 0, 0], {}])
    await me.send('PATCH', `${register}/${kept}`, { vatAgorot: 9_000 })
    const second = await opened()
    expect(await held()).toEqual({ 1100: 118_000, 2100: -9_000, 9000: -109_000 })
    const id = await itemOf()
    const paid = await pay(118_000, id)
    expect(await refused(me.call(journal.reverseBatch, { id: second.batchId }))).toEqual([
      'journal.openingItemsUsed',
    ])
    today = '2026-06-10'
    await me.call(calls.fileReturn, { period: '2026-05' })
    await me.call(cancelDocument, { id: paid.id, reason: 'טעות' })
    expect(await refused(me.call(journal.reverseBatch, { id: second.batchId }))).toEqual([
      'journal.openingVatReported',
    ])
    expect([await reported('2026-05'), await reported('2026-06')]).toEqual([
      [50_000, 59_000, 9_000],
      [-50_000, -59_000, -9_000],
    ])
  })

  test('refuses VAT at its field: by accrual, too much, below zero, of a credit, in dollars, of a supplier', async () => {
    const at = (code: string) => ['kit.badInput', 'vatAgorot', code]
    expect(await refused(item())).toEqual(at('journal.openingVatAccrual'))
    expect((await me.call(journal.openingBalances, {})).vatWhenPaid).toBe(false)
    await item({ number: '1', vatAgorot: 0 })
    expect(await item({ number: '2', vatAgorot: null })).toMatchObject({ vatAgorot: 0 })
    await cash()
    expect((await me.call(journal.openingBalances, {})).vatWhenPaid).toBe(true)
    expect(await refused(item({ vatAgorot: 18_002 }))).toEqual(at('journal.openingVatTooMuch'))
    expect(await refused(item({ vatAgorot: 17_500, day: '2024-12-31' }))).toEqual(
      at('journal.openingVatTooMuch'),
    )
    expect(await refused(item({ vatAgorot: -1 }))).toEqual(at('fields.least'))
    expect(await refused(item({ amountAgorot: -118_000 }))).toEqual(at('journal.openingVatTooMuch'))
    expect(await refused(item({ currency: 'USD', rate: '3.5' }))).toEqual(at('journal.openingVatForeign'))
    expect(await refused(item({ allocationNumber: '12345' }))).toEqual([
      'kit.badInput',
      'allocationNumber',
      'journal.openingAllocation',
    ])
    const { id } = await item({ vatAgorot: 18_001, allocationNumber: '123456789' })
    // The sum and the currency of a kept item are held against its VAT too.
    expect(await refused(me.send('PATCH', `${register}/${id}`, { amountAgorot: 100_000 }))).toEqual(
      at('journal.openingVatTooMuch'),
    )
    expect(await refused(me.send('PATCH', `${register}/${id}`, { currency: 'USD', rate: '3.5' }))).toEqual(
      at('journal.openingVatForeign'),
    )
    const supplier = (await me.send('POST', '/api4/invoice/suppliers', { name: 'ספק' })) as { id: string }
    expect(
      await refused(
        me.send('POST', '/api5/invoicecpa/openingSuppliers', {
          partyId: supplier.id,
          number: '1',
          day: '2026-03-05',
          amountAgorot: 1_180,
          vatAgorot: 180,
        }),
      ),
    ).toBeDefined()
    // What was allowed when it was kept is asked again when it is posted.
    await me.call(calls.changeVatBasis, { basis: 'accrual', from: '2026-05-01' })
    await me.call(journal.keepOpening, { date: '2026-05-01', lines: [] })
    expect(await refused(me.call(journal.postOpening, { leaveDifference: true }))).toEqual([
      'journal.openingVatAccrual',
    ])
  })

  test('comes from a file with its VAT', async () => {
    await cash()
    const csv = Buffer.from(
      'לקוח,מספר מסמך,תאריך המסמך,יתרה לתשלום,מע״מ שטרם דווח,מספר הקצאה\nכהן בע״מ,501,01/03/2026,"1,180.00",180,\nכהן בע״מ,502,02/03/2026,"11,800.00","1,800.00",123456789\nכהן בע״מ,503,02/03/2026,59,59,\n',
    )
    const file = await me.call(uploadImport, {
      resource: 'openingCustomers',
      name: 'a.csv',
      check: 'true',
      bytes: csv,
    })
    for (let i = 0; i < 20; i++) await world.worker.drain()
    expect((await me.get(`/api4/invoice/imports/${file.id}`)).counts).toMatchObject({ create: 2, faulty: 1 })
    await me.call(runImport, { id: file.id, take: 'good' })
    for (let i = 0; i < 20; i++) await world.worker.drain()
    expect(await me.call(journal.openingBalances, {})).toMatchObject({
      customers: { items: 2 },
      vatAgorot: 198_000,
    })
    const { rows } = await me.get(`${register}?size=50`)
    expect(
      rows.map((row: { vatAgorot: number; allocationNumber: string | null }) => [
        row.vatAgorot,
        row.allocationNumber,
      ]),
    ).toEqual([
      [18_000, null],
      [180_000, '123456789'],
    ])
  })
})
