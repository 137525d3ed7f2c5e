import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parsePcn874 } from '#domain/vat/pcn874/parse.ts'
import { asSystem } from '#kit/server/data/db.ts'
import {
  callAs,
  newBusiness,
  newTaxId,
  startWorld,
  type Business,
  type World,
} from '../../../../tests/world.ts'
import * as documents from '#features/sales/documents/endpoints.ts'
import { readElectronicInvoice } from '#features/purchases/capture/server/einvoice.ts'
import { checkElectronicInvoice, electronicInvoice } from '#features/sales/einvoice/endpoints.ts'
import { makeCredits, proposeCredits, saveMasavSettings } from '#features/money/masav/endpoints.ts'
import { changeBank } from '#features/registers/suppliers/endpoints.ts'
import { pcn874, vatPeriodFacts } from '#features/tax/vat/endpoints.ts'
import * as calls from './endpoints.ts'

let world: World
let shop: Business
let companyId: string
let supplier: { id: string; taxId: string }
const today = '2026-05-20'

beforeAll(async () => {
  world = await startWorld(() => new Date(`${today}T09:00:00Z`))
})
afterAll(() => world.close())
beforeEach(async () => {
  shop = await newBusiness(world)
  companyId = (await shop.get('/api/user/session')).companyId
  const taxId = newTaxId()
  const { id } = await shop.send<{ id: string }>('POST', '/api4/invoice/suppliers', {
    name: 'נגריית הגליל',
    taxId,
    dueTerms: 'net:30',
  })
  supplier = { id, taxId }
})

const line = (description: string, unitPrice: string, more: object = {}) => ({
  description,
  quantity: '1',
  unitPrice,
  ...more,
})
const issue = (more: Record<string, unknown> = {}, business = shop) =>
  business.call(documents.createDocument, {
    type: 12,
    customerId: supplier.id,
    date: today,
    subject: 'עבודות אפריל',
    lines: [line('עבודה', '1000'), line('אגרה', '50', { vatKind: 4 })],
    ...more,
  } as never)
const billOf = async (id: string) => (await shop.call(calls.billOfDocument, { id })).bill!
const expenseOf = async (id: string) => shop.call(calls.getExpense, { id: (await billOf(id)).id })
const entriesOf = async (id: string) =>
  (await shop.call(documents.entriesOfDocument, { id })).rows.map((r) => [
    r.number,
    r.debitAgorot,
    r.creditAgorot,
  ])
const inDatabase = async <T>(query: ReturnType<typeof sql<T>>): Promise<T[]> =>
  asSystem(world.app.db, async (tx) => (await query.execute(tx)).rows)
/** The supplier's balance, and the total of the open bills. */
const owed = async () => {
  const [row] = await inDatabase(sql<{ card: number; open: number }>`select
    (select coalesce(-sum(amount_agorot), 0)::bigint from postings where company_id = ${companyId}
    and party_id = ${supplier.id}) as card,
    (select coalesce(sum(open_agorot), 0)::bigint from expenses where company_id = ${companyId}
    and supplier_id = ${supplier.id}) as open`)
  return row
}
/** Input VAT of the period by both ways, and what they disagree about. */
const vat = async () => {
  const { figures, differences } = await shop.call(vatPeriodFacts, { period: '2026-05' })
  const { exactAgorot, booksAgorot } = figures.find((one) => one.name === 'inputVatOther')!
  return { papers: exactAgorot, books: booksAgorot, differences }
}

describe('issuing', () => {
  test('brings the bill: the same number, days and sums; the supplier is owed it without the VAT, which is ours to pay', async () => {
    const paper = await issue()
    expect(paper).toMatchObject({ number: 1, status: 'issued', dueDate: '2026-06-19' })
    const bill = await expenseOf(paper.id)
    expect(bill).toMatchObject({
      state: 'approved',
      source: 'document',
      supplierId: supplier.id,
      supplierNumber: '1',
      date: today,
      dueDate: '2026-06-19',
      netAgorot: 105_000,
      vatAgorot: 18_000,
      recognisedVatAgorot: 18_000,
      totalAgorot: paper.totals.totalAgorot,
      owedAgorot: 105_000,
      openAgorot: 105_000,
      document: { id: paper.id, type: 12, number: 1 },
    })
    expect(await entriesOf(paper.id)).toEqual([
      ['5000', 105_000, 0],
      ['1200', 18_000, 0],
      ['2000', 0, 105_000],
      ['2100', 0, 18_000],
    ])
    expect(await owed()).toEqual({ card: 105_000, open: 105_000 })
    // The document itself posts nothing.
    expect(
      await inDatabase(
        sql`select 1 from entries where company_id = ${companyId} and document_id = ${paper.id}`,
      ),
    ).toEqual([])
  })

  test('the kind of the supplier’s card decides the account, and each asset is registered by itself', async () => {
    const { types } = await shop.call(calls.expenseFacts, {})
    const kind = types.find((one) => one.isFixedAsset && one.accountNumber === '1520')!
    await inDatabase(
      sql`update parties set expense_type_id = ${kind.id} where company_id = ${companyId}
          and id = ${supplier.id}`,
    )
    const paper = await issue({ lines: [line('מחשב', '3000'), line('מסך', '900.10')], rounding: 'whole' })
    const bill = await expenseOf(paper.id)
    expect(paper.totals.roundingAgorot).not.toBe(0)
    expect(bill).toMatchObject({
      totalAgorot: paper.totals.totalAgorot,
      equipmentVatAgorot: paper.totals.vatAgorot,
    })
    expect(await entriesOf(paper.id)).toEqual(
      expect.arrayContaining([
        ['1210', paper.totals.vatAgorot, 0],
        ['2000', 0, paper.totals.totalAgorot - paper.totals.vatAgorot],
        ['2100', 0, paper.totals.vatAgorot],
      ]),
    )
    const { rows } = await shop.get('/api4/invoice/fixedassets')
    expect(
      rows.map((one: { name: string; costAgorot: number }) => [one.name, one.costAgorot]).toSorted(),
    ).toEqual([
      ['מחשב', 300_000],
      ['מסך', 90_010],
    ])
    expect((await vat()).differences).toEqual([])
  })

  test('in dollars the bill is the document’s own sums in shekels, to the agora', async () => {
    const paper = await issue({
      currency: 'USD',
      rate: '3.6571',
      lines: [line('a', '33.33'), line('b', '0.07', { vatKind: 2 }), line('c', '11.11', { vatKind: 4 })],
    })
    const bill = await expenseOf(paper.id)
    expect([bill.paperTotalAgorot, bill.totalAgorot, bill.openAgorot]).toEqual([
      paper.totals.totalAgorot,
      paper.totals.ilsTotalAgorot,
      paper.totals.ilsTotalAgorot! - bill.vatAgorot,
    ])
    expect((await vat()).differences).toEqual([])
  })

  test('our numbers are ours: another branch and the supplier’s own bill may carry the same, entering the same paper again is refused', async () => {
    const own = { supplierId: supplier.id, supplierNumber: '1', date: today }
    const { types } = await shop.call(calls.expenseFacts, {})
    const lines = [{ typeId: types[0]!.id, netAgorot: 105_000, vatAgorot: 18_000 }]
    await shop.call(calls.createExpense, { ...own, lines } as never)
    const first = await issue()
    const second = await issue({ branch: 'צפון' })
    expect([first.number, second.number]).toEqual([1, 1])
    // The supplier's bill with its VAT, ours without.
    expect(await owed()).toEqual({ card: 123_000 + 2 * 105_000, open: 123_000 + 2 * 105_000 })
    await expect(
      shop.call(calls.createExpense, { ...own, supplierNumber: '001', lines } as never),
    ).rejects.toMatchObject({
      code: 'expenses.duplicate',
    })
    const third = await issue()
    await expect(
      shop.call(calls.createExpense, { ...own, supplierNumber: String(third.number), lines } as never),
    ).rejects.toMatchObject({
      code: 'expenses.duplicate',
    })
  })

  test('a closed period refuses it whole: no number is used, nothing is owed', async () => {
    for (const kind of ['month', 'vat']) {
      await inDatabase(
        sql`insert into locked_periods (company_id, id, kind, from_day, to_day)
          values (${companyId}, gen_random_uuid(), ${kind}, '2026-04-01', '2026-05-31')`,
      )
      await expect(issue()).rejects.toMatchObject({ code: 'ledger.periodClosed' })
      await inDatabase(
        sql`update locked_periods set reopened_at = now() where company_id = ${companyId}
            and reopened_at is null`,
      )
    }
    expect(await owed()).toEqual({ card: 0, open: 0 })
    expect((await issue()).number).toBe(1)
  })

  test('a batch with one that is refused leaves no bill of the others', async () => {
    const one = { type: 12, customerId: supplier.id, date: today, lines: [line('עבודה', '100')] }
    await expect(
      shop.call(documents.batchDocuments, { documents: [one, { ...one, date: '2027-01-01' }] } as never),
    ).rejects.toMatchObject({
      code: 'kit.badInput',
    })
    expect(await owed()).toEqual({ card: 0, open: 0 })
  })

  test('the authority’s number reaches the bill whenever it comes', async () => {
    const paper = await issue()
    await inDatabase(
      sql`update documents set allocation_state = 'manual', allocation_number = '123456789'
        where company_id = ${companyId} and id = ${paper.id}`,
    )
    expect((await expenseOf(paper.id)).allocationNumber).toBe('123456789')
  })
})

describe('cancelling', () => {
  test('takes the bill back on its day; neither shows in the return, and the number stays used', async () => {
    const paper = await issue()
    expect(await vat()).toEqual({ papers: 18_000, books: 18_000, differences: [] })
    await shop.call(documents.cancelDocument, { id: paper.id, reason: 'סכום שגוי' })
    expect(await shop.call(documents.getDocument, { id: paper.id })).toMatchObject({
      status: 'cancelled',
      reason: 'סכום שגוי',
    })
    expect(await expenseOf(paper.id)).toMatchObject({
      state: 'cancelled',
      reason: 'סכום שגוי',
      openAgorot: 0,
    })
    expect(await entriesOf(paper.id)).toHaveLength(8)
    expect(await owed()).toEqual({ card: 0, open: 0 })
    expect(await vat()).toEqual({ papers: 0, books: 0, differences: [] })
    expect((await issue()).number).toBe(2)
  })

  test('the bill is not cancelled without its document, and a paid one not before its payment', async () => {
    const paper = await issue()
    const { id } = await billOf(paper.id)
    await expect(shop.call(calls.cancelExpense, { id, reason: 'כי' })).rejects.toMatchObject({
      code: 'expenses.ofDocument',
    })
    await expect(
      shop.call(calls.payExpense, { id, means: 'bank', amountAgorot: 105_001 }),
    ).rejects.toMatchObject({ code: 'kit.badInput' })
    const paid = await shop.call(calls.payExpense, { id, means: 'bank', amountAgorot: 5_000 })
    expect(await owed()).toEqual({ card: 100_000, open: 100_000 })
    await expect(shop.call(documents.cancelDocument, { id: paper.id, reason: 'כי' })).rejects.toMatchObject({
      code: 'expenses.hasPayments',
    })
    expect((await shop.call(documents.getDocument, { id: paper.id })).status).toBe('issued')
    await shop.call(calls.cancelExpensePayment, { id, paymentId: paid.payments[0]!.id })
    await shop.call(documents.cancelDocument, { id: paper.id, reason: 'כי' })
    expect(await owed()).toEqual({ card: 0, open: 0 })
  })

  test('whoever may issue and cancel needs no right to expenses', async () => {
    const mate = await newBusiness(world)
    await asSystem(world.app.db, async (tx) => {
      const { rows } = await sql<{
        rules: number[]
      }>`select array_agg(r) as rules from generate_series(1, 400) r where r not in (40, 41, 42, 43)`.execute(
        tx,
      )
      await sql`insert into memberships (company_id, user_id, type_id, rules)
        select ${companyId}, id, 9, ${rows[0]!.rules} from users where email = ${mate.email}`.execute(tx)
      await sql`update sessions set company_id = ${companyId}
        where user_id = (select id from users where email = ${mate.email})`.execute(tx)
    })
    const options = { token: mate.token }
    const input = { type: 12, customerId: supplier.id, date: today, lines: [line('עבודה', '1000')] }
    const paper = await callAs(world, documents.createDocument, input as never, options)
    expect(await owed()).toEqual({ card: 100_000, open: 100_000 })
    await expect(callAs(world, calls.billOfDocument, { id: paper.id }, options)).rejects.toMatchObject({
      status: 403,
    })
    const theirs = await issue()
    await callAs(world, documents.cancelDocument, { id: theirs.id, reason: 'כי' }, options)
    expect(await owed()).toEqual({ card: 100_000, open: 100_000 })
  })
})

const report = async () => {
  const { headers, entries } = parsePcn874(
    Buffer.from((await shop.call(pcn874, { period: '2026-05' })) as Uint8Array).toString('ascii'),
  )
  return {
    header: headers[0]!.record,
    entries: entries.map(({ record: e }) => [e.type, e.counterparty, e.sum, e.vat]),
  }
}
const figures = async () => {
  const facts = await shop.call(vatPeriodFacts, { period: '2026-05' })
  expect(facts.differences).toEqual([])
  expect(facts.faults.filter((one) => !one.isWarning)).toEqual([])
  return Object.fromEntries(facts.figures.map((one) => [one.name, [one.exactAgorot, one.booksAgorot]]))
}

test('the return agrees by both ways, and the detailed report names the invoice as owed and as deducted', async () => {
  await issue()
  // What carries no VAT is no turnover of ours.
  expect(await figures()).toMatchObject({
    taxableSales: [100_000, 100_000],
    outputVat: [18_000, 18_000],
    inputVatOther: [18_000, 18_000],
    toPay: [0, 0],
  })
  const { header, entries } = await report()
  expect(header).toMatchObject({
    taxableSales: 1000,
    salesVat: 180,
    otherInputVat: 180,
    equipmentVat: 0,
    total: 0,
    salesCount: 1,
    inputCount: 1,
  })
  expect(entries).toEqual([
    ['M', supplier.taxId, 1000, 180],
    ['C', supplier.taxId, 1000, 180],
  ])
})

test('a self-invoice entered as an expense: all of its VAT is owed, the recognised part deducted, and of a seller abroad it stands under our own number', async () => {
  const { types } = await shop.call(calls.expenseFacts, {})
  const fuel = types.find((one) => one.vatShare === 'twoThirds')!
  const abroad = await shop.send<{ id: string }>('POST', '/api4/invoice/suppliers', {
    name: 'Nordlicht GmbH',
    country: 'Germany',
  })
  const enter = (more: object) =>
    shop.call(calls.createExpense, {
      supplierId: abroad.id,
      supplierNumber: 'R-77',
      paper: 'selfInvoice',
      date: today,
      lines: [{ typeId: fuel.id, netAgorot: 90_000, vatAgorot: 16_200 }],
      ...more,
    } as never)
  const expense = await enter({})
  expect(expense).toMatchObject({
    recognisedVatAgorot: 10_800,
    totalAgorot: 106_200,
    owedAgorot: 90_000,
    openAgorot: 90_000,
  })
  expect(await figures()).toMatchObject({
    taxableSales: [90_000, 90_000],
    outputVat: [16_200, 16_200],
    inputVatOther: [10_800, 10_800],
  })
  const { taxId } = await shop.get('/api4/invoice/company')
  expect((await report()).entries).toEqual([
    ['M', taxId, 900, 162],
    ['C', taxId, 900, 108],
  ])
  // Fully paid it is paid, and undone it leaves nothing anywhere.
  const paid = await shop.call(calls.payExpense, { id: expense.id, means: 'bank' })
  expect(paid.openAgorot).toBe(0)
  await shop.call(calls.cancelExpensePayment, { id: expense.id, paymentId: paid.payments[0]!.id })
  await shop.call(calls.cancelExpense, { id: expense.id, reason: 'טעות' })
  expect(await figures()).toMatchObject({ taxableSales: [0, 0], outputVat: [0, 0], inputVatOther: [0, 0] })
  // Of an earlier month, claimed now: both sides wait for the period of the claim.
  const later = await enter({ date: '2026-03-10', vatDate: today, supplierNumber: 'R-78' })
  expect(await figures()).toMatchObject({
    taxableSales: [90_000, 90_000],
    outputVat: [16_200, 16_200],
    inputVatOther: [10_800, 10_800],
  })
  const march = await shop.call(vatPeriodFacts, { period: '2026-03' })
  expect([march.differences, march.figures.map((one) => one.exactAgorot)]).toEqual([[], [0, 0, 0, 0, 0, 0]])
  expect(later.openAgorot).toBe(90_000)
  // It has a seller, and the person who reports no VAT has none.
  await expect(enter({ supplierId: undefined, means: 'cash', supplierNumber: 'R-79' })).rejects.toMatchObject(
    { code: 'kit.badInput' },
  )
  const small = await newBusiness(world, { kind: 'exemptDealer' })
  const { types: theirs } = await small.call(calls.expenseFacts, {})
  await expect(
    small.call(calls.createExpense, {
      paper: 'selfInvoice',
      means: 'cash',
      lines: [{ typeId: theirs[0]!.id, netAgorot: 1_000, vatAgorot: 180 }],
    } as never),
  ).rejects.toMatchObject({ code: 'kit.badInput' })
})

test('it is paid in a bank run like any other bill', async () => {
  const paper = await issue()
  await shop.call(saveMasavSettings, { institution: '12345678', sender: '54321', code: 'B' })
  await shop.call(changeBank, {
    id: supplier.id,
    bankCode: 12,
    bankBranch: '600',
    bankAccount: '123456',
    bankAccountName: null,
    iban: null,
  })
  const { rows } = await shop.call(proposeCredits, { until: '2026-12-31' })
  const { id } = await billOf(paper.id)
  expect(rows).toMatchObject([
    { supplierId: supplier.id, grossAgorot: 105_000, bills: [{ id, openAgorot: 105_000 }] },
  ])
  await shop.call(makeCredits, {
    // A Sunday.
    payDay: '2026-05-24',
    suppliers: [{ supplierId: supplier.id, bills: [{ id, amountAgorot: 105_000 }] }],
  })
  expect(await billOf(paper.id)).toMatchObject({ state: 'approved', openAgorot: 0 })
  expect(await owed()).toEqual({ card: 0, open: 0 })
})

test('its electronic form is 389: the supplier sells, we buy', async () => {
  const paper = await issue()
  expect((await shop.call(checkElectronicInvoice, { id: paper.id })).faults).toEqual([])
  for (const format of ['ubl', 'cii'] as const) {
    const bytes = Buffer.from((await shop.call(electronicInvoice, { id: paper.id, format })) as Uint8Array)
    expect(bytes.toString()).toMatch(/TypeCode>389</)
    const text = bytes.toString()
    // The seller comes before the buyer in both syntaxes.
    expect(text.indexOf('נגריית הגליל')).toBeGreaterThan(0)
    expect(text.indexOf(`IL${supplier.taxId}`)).toBeGreaterThan(0)
    const read = readElectronicInvoice(bytes)!
    expect(read.proposal).toMatchObject({
      number: { value: '1' },
      vat: { value: 18_000 },
      total: { value: 123_000 },
    })
    expect(JSON.stringify(read.proposal)).toContain(supplier.taxId)
  }
  // The standard wants the seller's number.
  const { id } = await shop.send<{ id: string }>('POST', '/api4/invoice/suppliers', { name: 'ללא מספר' })
  const bare = await issue({ customerId: id })
  expect((await shop.call(checkElectronicInvoice, { id: bare.id })).faults.map((one) => one.place)).toContain(
    'supplier',
  )
})
