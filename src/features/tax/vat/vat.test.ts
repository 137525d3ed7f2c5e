import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parsePcn874 } from '#domain/vat/pcn874/parse.ts'
import { asCaller, systemCaller } from '#kit/server/context.ts'
import { asSystem, type Tx } from '#kit/server/data/db.ts'
import { newBusiness, newTaxId, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { planCorrectionCall } from '#features/sales/corrections/endpoints.ts'
import {
  cancelExpense,
  createExpense,
  entriesOfExpense,
  expenseFacts,
} from '#features/purchases/expenses/endpoints.ts'
import { enterNumber } from '#features/tax/allocation/endpoints.ts'
import { creditDocument, settleDocument } from '#features/sales/documents/endpoints.ts'
import {
  checkBatch,
  createBatch,
  postBatch,
  reverseBatch,
  reverseEntry,
} from '#features/books/journal/endpoints.ts'
import { changeCompany } from '#features/base/companies/endpoints.ts'
import { addEntry } from '#features/base/ledger/endpoints.ts'
import { bouncePayment, createDeposit } from '#features/sales/payments/endpoints.ts'
import { mergeSuppliers } from '#features/registers/suppliers/endpoints.ts'
import { refusedByDatabase } from '../../../../tests/nets.ts'
import * as calls from './endpoints.ts'
import { marksOfDays } from './server/days.ts'
import { findingsOf, openOf, workOut as workOutVat } from './server/worked.ts'

let world: World
let today = '2026-05-10'
beforeAll(async () => {
  world = await startWorld(() => new Date(`${today}T09:00:00Z`))
})
afterAll(() => world.close())

interface Shop {
  me: Business
  companyId: string
  dealer: { id: string; taxId: string }
  person: { id: string }
  abroad: { id: string }
  supplier: { id: string; taxId: string }
  types: Record<string, string>
}

async function open(): Promise<Shop> {
  today = '2026-05-10'
  const me = await newBusiness(world)
  await me.call(expenseFacts, {})
  const { companyId } = await me.get('/api/user/session')
  const { rows } = await asSystem(world.app.db, (tx) =>
    sql<{
      key: string
      id: string
    }>`select key, id from expense_types where company_id = ${companyId}`.execute(tx),
  )
  const dealerTaxId = newTaxId()
  const supplierTaxId = newTaxId()
  return {
    me,
    companyId,
    types: Object.fromEntries(rows.map((r) => [r.key, r.id])),
    dealer: {
      id: (await me.customer('כהן בע״מ', { taxId: dealerTaxId, isDealer: true })).id,
      taxId: dealerTaxId,
    },
    person: await me.customer('דנה לוי'),
    abroad: await me.customer('Blue Ltd', { zeroRate: true, country: 'United Kingdom' }),
    supplier: {
      ...(await me.send<{ id: string }>('POST', '/api4/invoice/suppliers', {
        name: 'דלק השרון',
        taxId: supplierTaxId,
        email: 'delek@example.com',
      })),
      taxId: supplierTaxId,
    },
  }
}

let number = 500
const bill = (
  { me, supplier, types }: Shop,
  type: string,
  netAgorot: number,
  vatAgorot: number,
  more: Record<string, unknown> = {},
) =>
  me.call(createExpense, {
    supplierId: supplier.id,
    supplierNumber: String(number++),
    date: today,
    lines: [{ typeId: types[type]!, netAgorot, vatAgorot }],
    ...more,
  } as never)

/** A period of two months with one of everything. */
async function busy(): Promise<Shop> {
  const shop = await open()
  const { me } = shop
  await me.invoice(shop.dealer.id, '1000')
  await me.invoice(shop.person.id, '200')
  await me.invoice(shop.person.id, '100.20')
  await me.invoice(shop.abroad.id, '300', { currency: 'USD', rate: '3.7' })
  today = '2026-06-02'
  const big = await me.invoice(shop.dealer.id, '400', {
    lines: [
      { description: 'עבודה', quantity: '1', unitPrice: '400' },
      { description: 'אגרה', quantity: '1', unitPrice: '50', vatKind: 4 },
    ],
  })
  await me.call(creditDocument, {
    id: big.id,
    reason: 'הנחה',
    lines: [{ line: 1, quantity: '0.5' }],
  } as never)
  await bill(shop, 'rent', 100_000, 18_000)
  await bill(shop, 'fuel', 10_000, 1_800)
  await bill(shop, 'computers', 50_000, 9_000)
  await bill(shop, 'materials', -10_000, -1_800)
  await bill(shop, 'officeSupplies', 2_000, 360, { paper: 'pettyCash' })
  return shop
}

const facts = (me: Business, period = '2026-06') => me.call(calls.vatPeriodFacts, { period })
const code = async (of: Promise<unknown>): Promise<string> => {
  try {
    await of
    return 'done'
  } catch (e) {
    return (e as { code: string }).code
  }
}

describe('the return', () => {
  test('of an exempt dealer who becomes a licensed one begins with his first invoice, and what he issued before stays', async () => {
    today = '2026-05-10'
    const me = await newBusiness(world, { kind: 'exemptDealer' })
    const customer = await me.customer('דנה לוי')
    await me.send('POST', '/api4/invoice/documents', {
      type: 6,
      customerId: customer.id,
      lines: [{ description: 'שיעור', quantity: '1', unitPrice: '300' }],
      payments: [{ means: 1, amountAgorot: 30_000 }],
    })
    await expect(me.call(changeCompany, { kind: 'company' })).rejects.toMatchObject({
      errors: [{ code: 'companies.identityFixed' }],
    })
    expect(await me.call(changeCompany, { kind: 'licensedDealer' })).toMatchObject({ kind: 'licensedDealer' })
    await me.invoice(customer.id, '100')
    const { figures, differences } = await facts(me, '2026-05')
    expect(differences).toEqual([])
    expect(Object.fromEntries(figures.map((f) => [f.name, f.exactAgorot]))).toMatchObject({
      taxableSales: 10_000,
      untaxedSales: 0,
    })
    await expect(me.call(changeCompany, { kind: 'exemptDealer' })).rejects.toMatchObject({
      errors: [{ code: 'companies.identityFixed' }],
    })
  })

  test('money held in trust stands on the paper and is owed: no turnover, in papers as in the books', async () => {
    const shop = await open()
    const { me } = shop
    const before = Object.fromEntries(
      (await facts(me, '2026-05')).figures.map((f) => [f.name, f.exactAgorot]),
    )
    const made = await me.invoice(shop.dealer.id, '100', {
      lines: [
        { description: 'עבודה', quantity: '1', unitPrice: '100' },
        { description: 'אגרה', quantity: '1', unitPrice: '20', vatKind: 4 },
        { description: 'פיקדון', quantity: '1', unitPrice: '500', vatKind: 3 },
      ],
    })
    const { figures, differences } = await facts(me, '2026-05')
    expect(differences).toEqual([])
    const after = Object.fromEntries(
      figures.map((f) => [f.name, [f.exactAgorot! - before[f.name]!, f.booksAgorot]]),
    )
    expect(after).toMatchObject({ taxableSales: [10_000, 10_000], untaxedSales: [2_000, 2_000] })
    const posted = () =>
      asSystem(world.app.db, (tx) =>
        sql<{
          number: string
          sum: number
        }>`select a.number, sum(p.amount_agorot)::bigint as sum from postings p
          join accounts a on a.company_id = p.company_id and a.id = p.account_id
        where p.company_id = ${shop.companyId} and a.number in ('2310', '4000') group by 1
        order by 1`.execute(tx),
      )
    expect((await posted()).rows).toEqual([
      { number: '2310', sum: -50_000 },
      { number: '4000', sum: -12_000 },
    ])
    await me.call(creditDocument, {
      id: made.id,
      reason: 'ביטול',
      lines: [{ line: 3, quantity: '1' }],
    } as never)
    expect((await posted()).rows[0]).toEqual({ number: '2310', sum: 0 })
    expect((await facts(me, '2026-05')).differences).toEqual([])
  })

  test('every figure by both ways, and in whole shekels', async () => {
    const { me } = await busy()
    today = '2026-07-05'
    const { figures, differences, counts, period, basis, faults } = await facts(me)
    expect(period).toEqual({ from: '2026-05-01', to: '2026-06-30' })
    expect(basis).toBe('accrual')
    expect(differences).toEqual([])
    // All bills of one day: the authority asks, and does not refuse.
    expect(faults.map((f) => [f.code, f.isWarning])).toEqual([['217', true]])
    // 1000 + 200 + 100.20 + 400 − 200; 1110 abroad + 50.
    expect(
      Object.fromEntries(figures.map((f) => [f.name, [f.exactAgorot, f.booksAgorot, f.filedAgorot]])),
    ).toEqual({
      taxableSales: [150_020, 150_020, 150_000],
      untaxedSales: [116_000, 116_000, 116_000],
      outputVat: [27_004, 27_004, 27_000],
      inputVatEquipment: [9_000, 9_000, 9_000],
      // 180 + 12 (two thirds of a car’s) − 18 + 3.60
      inputVatOther: [17_760, 17_760, 17_800],
      toPay: [244, 244, 200],
    })
    expect(counts).toMatchObject({ sales: 6, inputs: 5 })
    const report = await me.get('/api4/invoice/reports/vat?from=2026-05-01&to=2026-06-30')
    expect(report.checks).toEqual([
      { name: 'bothWays', ok: true },
      { name: 'notNegative', ok: true },
    ])
    expect(report.rows.map((r: { shekels: number }) => r.shekels)).toEqual([
      150_000, 116_000, 27_000, 9_000, 17_800, 200,
    ])
    const papers = '/invoice/reportvatpapers?from=2026-05-01&to=2026-06-30'
    expect(report.rows.map((r: { open: string }) => r.open)).toEqual([
      `${papers}&line=taxableSales`,
      `${papers}&line=untaxedSales`,
      `${papers}&line=outputVat`,
      `${papers}&line=inputVatEquipment`,
      `${papers}&line=inputVatOther`,
      papers,
    ])
  })

  test('the file names every paper, and stands against the return', async () => {
    const shop = await busy()
    today = '2026-07-05'
    const bytes = (await shop.me.call(calls.pcn874, { period: '2026-05' })) as unknown as Uint8Array
    const read = parsePcn874(Buffer.from(bytes).toString('ascii'))
    expect(read.headers[0]!.record).toMatchObject({
      period: '2026-06',
      taxableSales: 1500,
      salesVat: 270,
      untaxedSales: 1160,
      equipmentVat: 90,
      otherInputVat: 178,
      total: 2,
    })
    expect(read.entries.map(({ record: e }) => [e.type, e.counterparty, e.sum, e.vat, e.isCredit])).toEqual([
      ['S', shop.dealer.taxId, 1000, 180, false],
      ['S', shop.dealer.taxId, 200, 36, true],
      ['S', shop.dealer.taxId, 400, 72, false],
      ['S', shop.dealer.taxId, 50, 0, false],
      ['L', '000000000', 300, 54, false],
      ['Y', '999999999', 1110, 0, false],
      ['T', shop.supplier.taxId, 1000, 180, false],
      // The sum is always all of it, the VAT the part that is allowed.
      ['T', shop.supplier.taxId, 100, 12, false],
      ['T', shop.supplier.taxId, 500, 90, false],
      ['T', shop.supplier.taxId, 100, 18, true],
      ['K', '000000000', 20, 4, false],
    ])
    const { rows, checks } = await shop.me.get('/api4/invoice/reports/pcnVat?from=2026-05-01&to=2026-06-30')
    expect(checks).toEqual([
      { name: 'bothWays', ok: true },
      { name: 'onlyRounding', ok: true },
    ])
    expect(rows.at(-1)).toMatchObject({
      line: 'toPay',
      returnAgorot: 200,
      detailedAgorot: 200,
      differenceAgorot: 0,
    })
    const entries = await shop.me.get('/api4/invoice/reports/pcn?from=2026-05-01&to=2026-06-30')
    expect(entries.rows).toHaveLength(11)
  })

  test('monthly reporters report a month', async () => {
    const { me } = await busy()
    await me.send('PATCH', '/api4/invoice/company', { vatPeriodMonths: 1 })
    today = '2026-07-05'
    const { period, figures } = await facts(me, '2026-06')
    expect(period).toEqual({ from: '2026-06-01', to: '2026-06-30' })
    expect(figures[0]!.exactAgorot).toBe(20_000)
  })

  test('who charges no VAT reports none', async () => {
    const me = await newBusiness(world, { kind: 'exemptDealer' })
    expect(await code(facts(me))).toBe('vat.noVat')
  })
})

describe('a difference', () => {
  test('VAT in the books without a paper is named and blocks', async () => {
    const { me } = await busy()
    const { rows } = await me.get('/api5/invoicecpa/accounts?size=200')
    const id = (of: string) => rows.find((r: { number: string }) => r.number === of).id
    await me.call(addEntry, {
      date: '2026-06-20',
      details: 'תיקון',
      lines: [
        { accountId: id('1200'), debitAgorot: 100, creditAgorot: 0 },
        { accountId: id('6000'), debitAgorot: 0, creditAgorot: 100 },
      ],
    } as never)
    today = '2026-07-05'
    expect((await facts(me)).differences).toMatchObject([
      { in: 'inputVat', paperAgorot: 0, booksAgorot: 100 },
    ])
    expect(await code(me.call(calls.fileReturn, { period: '2026-06' }))).toBe('vat.differ')
    // Nor is the file sent automatically, and the return leads to where the difference is listed.
    expect(await code(me.call(calls.pcn874, { period: '2026-06' }))).toBe('vat.differ')
    // A table of it may leave, to look for the difference, and says so before anything else.
    const table = async (name: string) =>
      (await me.get<Buffer>(`/api4/invoiceexport/reports/${name}.csv?from=2026-05-01&to=2026-06-30`))
        .toString()
        .slice(1)
        .split('\r\n')[0]
    const told = 'לא מתקיים: המסמכים והנהלת החשבונות מראים אותם סכומים. הפרש לא מוסבר: 1.00'
    for (const name of ['vat', 'pcn', 'pcnVat']) expect(await table(name)).toBe(told)
    const { checks, shape } = await me.get('/api4/invoice/reports/vat?from=2026-05-01&to=2026-06-30')
    expect([checks[0], shape.explained.bothWays]).toEqual([
      { name: 'bothWays', ok: false, apartAgorot: 100 },
      '/invoice/reportpcn',
    ])
    // Moving the sum to the settlement account is none.
    await me.call(addEntry, {
      date: '2026-06-30',
      lines: [
        { accountId: id('2100'), debitAgorot: 27_000, creditAgorot: 0 },
        { accountId: id('2110'), debitAgorot: 0, creditAgorot: 27_000 },
      ],
    } as never)
    expect((await facts(me)).differences).toHaveLength(1)
  })

  test('a figure of a paper or of an entry that was changed behind our back is found', async () => {
    const { me, companyId } = await busy()
    today = '2026-07-05'
    const changed = async (statement: ReturnType<typeof sql>) =>
      asSystem(world.app.db, async (tx) => {
        await sql`set local session_replication_role = replica`.execute(tx)
        await statement.execute(tx)
      })
    await changed(
      sql`update documents set ils_vat_agorot = ils_vat_agorot + 1 where company_id = ${companyId}
          and type = 8 and number = 1`,
    )
    const [first] = (await facts(me)).differences
    expect(first).toMatchObject({ in: 'outputVat', number: '1', paperAgorot: 18_001, booksAgorot: 18_000 })
    expect(first!.open).toMatch(/^\/invoice\/preview\//)
    await changed(
      sql`update documents set ils_vat_agorot = ils_vat_agorot - 1 where company_id = ${companyId}
          and type = 8 and number = 1`,
    )
    expect((await facts(me)).differences).toEqual([])
    await changed(sql`update postings set amount_agorot = amount_agorot - 7 where company_id = ${companyId}
        and account_id =
      (select id from accounts where company_id = ${companyId} and number = '1210')`)
    expect((await facts(me)).differences).toMatchObject([
      { in: 'equipmentVat', paperAgorot: 9_000, booksAgorot: 8_993 },
    ])
  })
})

test('what is kept of a period is what it comes to when all of it is read, after every kind of change', async () => {
  const shop = await busy()
  const { me, companyId } = shop
  const period = { from: '2026-05-01', to: '2026-06-30' }
  const told = (worked: {
    figures: unknown
    differences: unknown
    counts: unknown
    faults: unknown
    exports: unknown
  }) => worked
  const shown = async () => {
    const { figures, differences, counts, faults, exports } = await facts(me)
    return told({
      figures: figures.map((f) => [f.name, f.exactAgorot, f.booksAgorot, f.filedAgorot]),
      differences: differences.map((d) => [d.in, d.open, d.paperAgorot, d.booksAgorot]),
      counts,
      faults,
      exports: exports.map((e) => [e.id, e.exportEntry]),
    })
  }
  const afresh = async () => {
    const w = await asCaller(world.app, systemCaller(companyId), '', (ctx) => workOutVat(ctx, period))
    return told({
      figures: (Object.keys(w.exact) as (keyof typeof w.exact)[]).map((name) => [
        name,
        w.exact[name],
        w.booked[name],
        w.filed[name],
      ]),
      differences: w.differences.map((d) => [d.in, openOf(d.key), d.paper, d.books]),
      counts: {
        sales: w.sales.length,
        inputs: w.inputs.filter((i) => i.vat !== 0).length,
        entries: w.entries.length,
      },
      faults: findingsOf(w),
      exports: w.sales
        .filter((s) => s.kind === 'abroad' && s.untaxed !== 0)
        .map((s) => [s.key.slice('document:'.length), s.exportEntry]),
    })
  }
  let before = await shown()
  /** `moves`: whether it changes anything of what is shown. */
  const after = async <T>(what: string, deed: () => Promise<T>, moves = true): Promise<T> => {
    const made = await deed()
    const now = await shown()
    expect(now, what).toEqual(await afresh())
    if (moves) expect(now, what).not.toEqual(before)
    else expect(now, what).toEqual(before)
    before = now
    return made
  }
  expect(before).toEqual(await afresh())
  const { rows: accounts } = await me.get('/api5/invoicecpa/accounts?size=200')
  const account = (of: string): string => accounts.find((r: { number: string }) => r.number === of).id
  const { rows: codes } = await me.get('/api5/invoicecpa/vatCodes?size=50')
  const vatCode = (of: string): string => codes.find((r: { code: string }) => r.code === of).id

  const big = await after('an invoice', () => me.invoice(shop.dealer.id, '20000'))
  await after('an allocation number', () => me.call(enterNumber, { id: big.id, number: '123456789' }), false)
  await after('a credit', () =>
    me.call(creditDocument, { id: big.id, reason: 'הנחה', lines: [{ line: 1, quantity: '0.25' }] } as never),
  )
  const bought = await after('a bill', () => bill(shop, 'rent', 70_000, 12_600))
  await after('a bill taken back', () => me.call(cancelExpense, { id: bought.id, reason: 'טעות' }))
  const entry = await after('an entry by hand', () =>
    me.call(addEntry, {
      date: '2026-06-01',
      lines: [
        { accountId: account('1200'), debitAgorot: 700, creditAgorot: 0 },
        { accountId: account('6000'), debitAgorot: 0, creditAgorot: 700 },
      ],
    } as never),
  )
  await after('its reversal', () => me.call(reverseEntry, { id: entry.id, date: '2026-06-01' }))
  const batch = await after('a sale typed with a VAT code', async () => {
    const sale = {
      day: '2026-06-01',
      amountAgorot: 11_800,
      position: 0,
      debitAccountId: account('1010'),
      creditAccountId: account('4000'),
    }
    const { id } = await me.call(createBatch, { name: 'יוני', lines: [{ ...sale, vatCodeId: vatCode('1') }] })
    await me.call(checkBatch, { id })
    await me.call(postBatch, { id })
    return id
  })
  await after('a VAT code that is reported nowhere', () =>
    me.send('PATCH', `/api5/invoicecpa/vatCodes/${vatCode('1')}`, { returnLine: 'none' }),
  )
  await after('and where it was again', () =>
    me.send('PATCH', `/api5/invoicecpa/vatCodes/${vatCode('1')}`, { returnLine: 'taxedSales' }),
  )
  await after('the batch taken back', () => me.call(reverseBatch, { id: batch, date: '2026-06-02' }))
  const lines = [
    { accountId: account('1300'), debitAgorot: 300, creditAgorot: 0 },
    { accountId: account('6000'), debitAgorot: 0, creditAgorot: 300 },
  ]
  await after(
    'an entry that is none of VAT',
    () => me.call(addEntry, { date: '2026-05-15', lines } as never),
    false,
  )
  // Its account is said to be one of VAT: what it holds is input VAT without a paper.
  const posts = (number: string) =>
    me.send('PATCH', `/api5/invoicecpa/vatAccounts/${vatCode('4')}`, { accountId: account(number) })
  await after('the role of an account', () => posts('1300'))
  await after('a bill while it is', () => bill(shop, 'fuel', 10_000, 1_800, { date: '2026-05-20' }))
  await after('the role as it was', () => posts('1200'))
  const [one] = (await facts(me)).exports
  await after('an export declaration', () =>
    me.call(calls.setExportEntry, { id: one!.id, exportEntry: '26012345678' }),
  )
  await after('a look on another day', async () => void (today = '2026-06-03'), false)
})

test('what is ahead is what the running period comes to', async () => {
  const { me, dealer } = await open()
  expect(await me.call(calls.vatAhead, {})).toEqual({ amountAgorot: 0 })
  await me.invoice(dealer.id, '1000')
  expect(await me.call(calls.vatAhead, {})).toEqual({ amountAgorot: 18_000 })
  expect((await facts(me)).figures.find((f) => f.name === 'toPay')!.exactAgorot).toBe(18_000)
})

test('a look is of one moment: what is issued while it is worked out waits for the next one', async () => {
  const shop = await busy()
  const { me } = shop
  const before = (await facts(me)).counts.sales
  let looked: ReturnType<typeof facts> | undefined
  await asSystem(world.app.db, async (tx) => {
    // Asked in the middle of the look, and by nothing that issues.
    await sql`lock table export_entries in access exclusive mode`.execute(tx)
    looked = facts(me)
    const waits = () =>
      sql`select 1 from pg_locks where relation = 'export_entries'::regclass and not granted`.execute(tx)
    while (!(await waits()).rows.length) await new Promise((r) => setTimeout(r, 5))
    await me.invoice(shop.dealer.id, '300')
  })
  const during = await looked!
  expect([during.counts.sales, during.differences]).toEqual([before, []])
  const after = await facts(me)
  expect([after.counts.sales, after.differences]).toEqual([before + 1, []])
})

test('who writes to the same days at once waits for nobody, and each change shows', async () => {
  const { companyId } = await busy()
  const stamp = (tx: Tx, day: string) => sql`select stamp_book_day(${companyId}, ${day})`.execute(tx)
  const marks = async () => [
    ...(
      await asCaller(world.app, systemCaller(companyId), '', (ctx) =>
        marksOfDays(ctx, { from: '2026-05-01', to: '2026-05-03' }),
      )
    ).values(),
  ]
  const seen = [await marks()]
  await asSystem(world.app.db, async (one) => {
    await stamp(one, '2026-05-01')
    await asSystem(world.app.db, async (other) => {
      await stamp(other, '2026-05-02')
      await stamp(other, '2026-05-01')
      await stamp(one, '2026-05-02')
    })
    seen.push(await marks())
  })
  seen.push(await marks())
  const days = [0, 1, 2].map((day) => new Set(seen.map((marked) => marked[day])).size)
  expect(days).toEqual([3, 3, 1])
})

describe('filing', () => {
  test('keeps the figures and the file, locks the period, and is taken back with a reason', async () => {
    const shop = await busy()
    const { me } = shop
    expect(await code(me.call(calls.fileReturn, { period: '2026-06' }))).toBe('vat.periodNotOver')
    today = '2026-07-05'
    const filing = await me.call(calls.fileReturn, { period: '2026-06' })
    expect(filing).toMatchObject({
      from: '2026-05-01',
      to: '2026-06-30',
      kind: 'detailed',
      entryCount: 11,
      toPayAgorot: 200,
      hasFile: true,
      sentDay: null,
      madeBy: 'נועה ורדי',
    })
    expect(await code(me.call(calls.fileReturn, { period: '2026-05' }))).toBe('vat.alreadyFiled')
    const kept = Buffer.from((await me.call(calls.filingFile, { id: filing.id })) as unknown as Uint8Array)

    // Locked for papers with VAT: documents, bills and entries by hand; nothing else.
    await me.send('PATCH', '/api4/invoice/company', { backDating: true })
    await expect(me.invoice(shop.person.id, '10', { date: '2026-06-15' })).rejects.toMatchObject({
      code: 'ledger.periodClosed',
      errors: [{ path: 'date', code: 'ledger.periodClosed' }],
    })
    const { rows } = await me.get('/api5/invoicecpa/accounts?size=200')
    const id = (of: string) => rows.find((r: { number: string }) => r.number === of).id
    const byHand = (a: string, b: string) =>
      me.call(addEntry, {
        date: '2026-06-20',
        lines: [
          { accountId: id(a), debitAgorot: 100, creditAgorot: 0 },
          { accountId: id(b), debitAgorot: 0, creditAgorot: 100 },
        ],
      } as never)
    expect(await code(byHand('1200', '6000'))).toBe('vat.periodFiled')
    expect(await code(byHand('2100', '2110'))).toBe('done')
    expect(await code(byHand('6000', '1010'))).toBe('done')
    // A bill of the period that comes late is claimed in the next one.
    const late = await bill(shop, 'rent', 100_000, 18_000, { date: '2026-06-20' })
    expect(late.vatDate).toBe('2026-07-05')
    expect((await facts(me)).differences).toEqual([])

    await me.call(calls.markSent, { id: filing.id, day: '2026-07-05', confirmation: '4711' })
    const reopened = await me.call(calls.reopenFiling, { id: filing.id, reason: 'חשבונית ששכחנו' })
    expect(reopened).toMatchObject({
      reopenReason: 'חשבונית ששכחנו',
      reopenedBy: 'נועה ורדי',
      confirmation: '4711',
    })
    expect(await code(me.call(calls.reopenFiling, { id: filing.id, reason: 'שוב' }))).toBe('vat.notFiled')
    await me.invoice(shop.person.id, '10', { date: '2026-06-30' })
    const again = await me.call(calls.fileReturn, { period: '2026-06' })
    // 270.04 and 1.80.
    expect(again.outputVatAgorot).toBe(27_200)
    // The first filing is what it was.
    expect(
      Buffer.from((await me.call(calls.filingFile, { id: filing.id })) as unknown as Uint8Array).equals(kept),
    ).toBe(true)
    expect((await me.call(calls.listFilings, {})).rows.map((r) => [r.toPayAgorot, r.reopenReason])).toEqual([
      [again.toPayAgorot, ''],
      [200, 'חשבונית ששכחנו'],
    ])
    await expect(
      asSystem(world.app.db, (tx) =>
        sql`update vat_filings set filed_figures = '{}' where id = ${filing.id}`.execute(tx),
      ),
    ).rejects.toThrow(/never changed/)
  })

  test('a detailed report is filed by the totals of its file, and settled by them; the return alone rounds its own', async () => {
    const sold = async () => {
      const shop = await open()
      // Twice 18.45 of VAT, of which every entry keeps 18.
      for (const _ of [1, 2]) await shop.me.invoice(shop.dealer.id, '102.50')
      today = '2026-07-05'
      return shop
    }
    const shop = await sold()
    const before = await facts(shop.me)
    const of = (name: string) => before.figures.find((f) => f.name === name)!
    expect([of('toPay').exactAgorot, of('toPay').filedAgorot, of('toPay').returnAgorot]).toEqual([
      3_690, 3_600, 3_700,
    ])
    const filing = await shop.me.call(calls.fileReturn, { period: '2026-06', settle: true })
    const [header] = parsePcn874(
      Buffer.from(
        (await shop.me.call(calls.filingFile, { id: filing.id })) as unknown as Uint8Array,
      ).toString('ascii'),
    ).headers
    expect([header!.record.salesVat, header!.record.total]).toEqual([36, 36])
    expect([filing.outputVatAgorot, filing.toPayAgorot]).toEqual([3_600, 3_600])
    const after = await facts(shop.me)
    expect(after.settlement).toMatchObject({ toPayAgorot: 3_600 })
    expect(after.owed!.owedAgorot).toBe(3_600)
    // The agorot between go to rounding, and the account of VAT is empty.
    const { rows: accounts } = await shop.me.get('/api5/invoicecpa/accounts?size=200')
    const balance = (number: string) =>
      accounts.find((a: { number: string }) => a.number === number).balanceAgorot
    expect([balance('2100'), balance('8900')]).toEqual([0, -90])
    const { rows } = await shop.me.get('/api4/invoice/reports/pcnVat?from=2026-05-01&to=2026-06-30')
    expect(rows.map((r: { differenceAgorot: number }) => r.differenceAgorot)).toEqual([0, 0, 0, 0, 0, 0])
    const report = await shop.me.get('/api4/invoice/reports/vat?from=2026-05-01&to=2026-06-30')
    expect(report.rows.at(-1).shekels).toBe(3_600)

    const alone = await (await sold()).me.call(calls.fileReturn, { period: '2026-06', kind: 'return' })
    expect(alone.toPayAgorot).toBe(3_700)
  })

  test('an error of the file refuses it and leads to its paper; the return alone may still go', async () => {
    const shop = await open()
    const nameless = await shop.me.send<{ id: string }>('POST', '/api4/invoice/suppliers', {
      name: 'ספק בלי מספר',
    })
    const e = await bill(shop, 'rent', 100_000, 18_000, { supplierId: nameless.id })
    today = '2026-07-05'
    expect((await facts(shop.me)).faults).toMatchObject([
      { code: '201', isWarning: false, papers: [{ open: `/invoice/Expenses/all/${e.id}` }] },
    ])
    expect(await code(shop.me.call(calls.pcn874, { period: '2026-06' }))).toBe('vat.faulty')
    expect(await code(shop.me.call(calls.fileReturn, { period: '2026-06' }))).toBe('vat.faulty')
    expect((await shop.me.call(calls.fileReturn, { period: '2026-06', kind: 'return' })).hasFile).toBe(false)
  })

  test('papers of one number, day and sum are told apart by their series, and the file can go', async () => {
    const shop = await open()
    const { id: customerId } = shop.dealer
    const lines = [{ description: 'ייעוץ', quantity: '1', unitPrice: '500' }]
    const payments = [{ means: 1, amountAgorot: 59_000 }]
    // The first hour of a business, with two branches: every series begins at one.
    await shop.me.invoice(customerId, '500')
    await shop.me.send('POST', '/api4/invoice/documents', { type: 9, customerId, lines, payments })
    for (const branch of ['חיפה', 'Eilat']) await shop.me.invoice(customerId, '500', { branch })
    await shop.me.invoice(customerId, '500', { handNumber: 1 })
    today = '2026-07-05'
    expect((await facts(shop.me)).faults).toEqual([])
    const made = async () =>
      Buffer.from(
        (await shop.me.call(calls.pcn874, { period: '2026-05' })) as unknown as Uint8Array,
      ).toString('ascii')
    const file = await made()
    const { entries } = parsePcn874(file)
    expect(entries.map(({ record: { reference, sum } }) => [reference, sum])).toEqual(
      Array.from({ length: 5 }, () => ['000000001', 500]),
    )
    expect(new Set(entries.map(({ record: { group } }) => group)).size).toBe(5)
    expect(entries.map(({ record: { group } }) => group)).toContain('0000')
    expect(await made()).toBe(file)
  })

  test('credits above the sales are told and not filed', async () => {
    const shop = await open()
    const { id } = await shop.me.invoice(shop.dealer.id, '500')
    today = '2026-07-02'
    await shop.me.send('POST', `/api4/invoice/documents/${id}/cancel`, { reason: 'טעות' })
    today = '2026-09-02'
    const { negative, figures } = await facts(shop.me, '2026-08')
    expect(negative).toEqual(['taxableSales', 'outputVat'])
    expect(figures[2]!.exactAgorot).toBe(-9_000)
    expect(await code(shop.me.call(calls.fileReturn, { period: '2026-08' }))).toBe('vat.negative')
  })

  test('a paper may be dated back into the period that waits for its report, and no further', async () => {
    const shop = await busy()
    await shop.me.send('PATCH', '/api4/invoice/company', { backDating: true })
    const issue = (date: string) =>
      shop.me.invoice(shop.dealer.id, '10', { date }).then(
        () => 'done',
        (e: { errors: { code: string }[] }) => e.errors[0]?.code,
      )
    today = '2026-07-05'
    expect(await issue('2026-07-04')).toBe('done')
    expect(await issue('2026-06-29')).toBe('done')
    expect(await issue('2026-04-30')).toBe('documents.dateBeforeLastOfSeries')
    // The report was due on the fifteenth.
    today = '2026-07-16'
    expect(await issue('2026-06-29')).toBe('documents.dateBeforeLastOfSeries')
    expect(await issue('2026-07-01')).toBe('done')
    today = '2026-07-05'
    await shop.me.call(calls.fileReturn, { period: '2026-06' })
    expect(await issue('2026-06-29')).toBe('ledger.periodClosed')
  })

  test('what is issued while the period is filed is in the file or refused', async () => {
    const shop = await busy()
    await shop.me.send('PATCH', '/api4/invoice/company', { backDating: true })
    today = '2026-07-05'
    const issue = () => code(shop.me.invoice(shop.dealer.id, '10', { date: '2026-06-30' }))
    const [before, , after, filed] = await Promise.all([
      issue(),
      issue(),
      issue(),
      code(shop.me.call(calls.fileReturn, { period: '2026-06' })),
      issue(),
      issue(),
    ])
    expect(filed).toBe('done')
    expect([before, after].every((c) => ['done', 'ledger.periodClosed', 'vat.periodFiled'].includes(c))).toBe(
      true,
    )
    const { figures, filing, differences, counts } = await facts(shop.me)
    expect(differences).toEqual([])
    // Each entry of the file was rounded by half a shekel at most.
    expect(filing!.entryCount).toBe(counts.entries)
    expect(Math.abs(filing!.outputVatAgorot! - figures[2]!.exactAgorot!)).toBeLessThanOrEqual(
      50 * counts.entries,
    )
  })
})

/** What the accounts of VAT and that of the authority hold, debit positive. */
const held = async ({ companyId }: Shop) => {
  const { rows } = await asSystem(world.app.db, (tx) =>
    sql<{
      number: string
      amount: number
    }>`select a.number, sum(p.amount_agorot)::bigint as amount from postings p
      join accounts a on a.company_id = p.company_id and a.id = p.account_id
      where p.company_id = ${companyId} and a.number in ('1200', '1210', '2100', '2110', '8900') group by 1
      having sum(p.amount_agorot) <> 0`.execute(tx),
  )
  return Object.fromEntries(rows.map((r) => [r.number, r.amount]))
}

describe('settling with the authority', () => {
  test('filing moves the VAT of the period, both ways agree as before, and reopening takes it back', async () => {
    const shop = await busy()
    const { me } = shop
    today = '2026-07-05'
    const before = await held(shop)
    expect(before).toEqual({ '2100': -27_004, '1200': 17_760, '1210': 9_000 })
    const filing = await me.call(calls.fileReturn, { period: '2026-06', settle: true })
    // 244 exact, 200 reported.
    expect(await held(shop)).toEqual({ '2110': -200, '8900': -44 })
    const filed = await facts(me)
    expect(filed.differences).toEqual([])
    expect(filed.figures.map((f) => f.booksAgorot)).toEqual(filed.figures.map((f) => f.exactAgorot))
    expect(filed.settlement).toMatchObject({ day: '2026-06-30', toPayAgorot: 200 })
    expect(filed.owed).toMatchObject({ owedAgorot: 200 })
    expect(await code(me.call(calls.settleFiling, { id: filing.id }))).toBe('vat.alreadySettled')

    await me.call(calls.reopenFiling, { id: filing.id, reason: 'חשבונית ששכחנו' })
    expect(await held(shop)).toEqual(before)
    const open = await facts(me)
    expect([open.differences, open.settlement]).toEqual([[], null])
    expect(await code(me.call(calls.settleFiling, { id: filing.id }))).toBe('vat.notFiled')
    // Filed again it may be settled later, also when its month was closed meanwhile.
    await me.send('PATCH', '/api4/invoice/company', { backDating: true })
    await me.invoice(shop.person.id, '10', { date: '2026-06-30' })
    const again = await me.call(calls.fileReturn, { period: '2026-06' })
    expect((await facts(me)).settlement).toBeNull()
    await asSystem(world.app.db, (tx) =>
      sql`insert into locked_periods (company_id, id, kind, from_day, to_day)
        values (${shop.companyId}, gen_random_uuid(), 'month', '2026-06-01', '2026-06-30')`.execute(tx),
    )
    await me.call(calls.settleFiling, { id: again.id })
    const later = await facts(me)
    expect([later.settlement!.day, later.differences]).toEqual(['2026-07-05', []])
    expect((await held(shop))['2110']).toBe(-again.toPayAgorot!)
    // It is in the next period and is no VAT of it.
    const next = await facts(me, '2026-08')
    expect([next.differences, next.figures.map((f) => f.booksAgorot)]).toEqual([[], [0, 0, 0, 0, 0, 0]])
  })

  test('a period with nothing to pay still empties its accounts, and one without VAT makes no entry', async () => {
    const shop = await open()
    await shop.me.invoice(shop.dealer.id, '1000')
    await bill(shop, 'rent', 100_000, 18_000)
    today = '2026-07-05'
    const { id } = await shop.me.call(calls.fileReturn, { period: '2026-06' })
    await shop.me.call(calls.settleFiling, { id })
    expect(await held(shop)).toEqual({})
    expect((await facts(shop.me)).differences).toEqual([])
    await shop.me.call(calls.reopenFiling, { id, reason: 'בדיקה' })
    expect(await held(shop)).toEqual({ '2100': -18_000, '1200': 18_000 })
    const quiet = await open()
    today = '2026-07-05'
    const filing = await quiet.me.call(calls.fileReturn, { period: '2026-06', settle: true })
    expect([filing.toPayAgorot, (await facts(quiet.me)).settlement]).toEqual([0, null])
  })

  test('on cash basis only what was paid moves; the rest waits on its account', async () => {
    const shop = await open()
    const { me } = shop
    await me.call(calls.changeVatBasis, { basis: 'cash', from: '2026-05-01' })
    const invoice = await me.invoice(shop.dealer.id, '1000')
    await me.send('POST', '/api4/invoice/documents', {
      type: 6,
      customerId: shop.dealer.id,
      lines: [],
      payments: [{ means: 3, amountAgorot: 59_000 }],
      closes: [{ documentId: invoice.id, amountAgorot: 59_000 }],
    })
    today = '2026-07-05'
    await me.call(calls.fileReturn, { period: '2026-06', settle: true })
    expect(await held(shop)).toEqual({ '2100': -9_000, '2110': -9_000 })
    expect((await facts(me)).differences).toEqual([])
  })

  test('what is paid to the authority or comes from it is an entry that can be reversed', async () => {
    const shop = await busy()
    const { me } = shop
    today = '2026-07-05'
    await me.call(calls.fileReturn, { period: '2026-06', settle: true })
    await me.call(calls.payVat, { day: '2026-07-05', amountAgorot: 200 })
    expect(await held(shop)).toEqual({ '8900': -44 })
    expect((await facts(me)).owed).toMatchObject({ owedAgorot: 0 })
    await me.call(calls.payVat, { day: '2026-07-05', amountAgorot: -50 })
    expect((await facts(me)).owed).toMatchObject({ owedAgorot: 50 })
    expect(await code(me.call(calls.payVat, { day: '2026-07-06', amountAgorot: 200 }))).toBe('kit.badInput')
    expect(await code(me.call(calls.payVat, { day: '2026-07-05', amountAgorot: 0 }))).toBe('kit.badInput')
    const { rows } = await me.get('/api5/invoicecpa/accounts?size=200')
    const id = (of: string) => rows.find((r: { number: string }) => r.number === of).id
    for (const number of ['1100', '2000', '2100', '2110', '4000', '6000'])
      expect(
        await code(me.call(calls.payVat, { day: '2026-07-05', amountAgorot: 200, accountId: id(number) })),
      ).toBe('kit.badInput')
  })
})

describe('from two months to one and back', () => {
  test('what was reported stays one period with its own figures, and the rest of a period is what is left to report', async () => {
    const shop = await busy()
    const { me } = shop
    const every = (vatPeriodMonths: number) => me.send('PATCH', '/api4/invoice/company', { vatPeriodMonths })
    today = '2026-07-05'
    await me.call(calls.fileReturn, { period: '2026-06' })
    const told = await facts(me)
    await every(1)
    // Both months lead to the report that was made of them, and nothing is held against its figures that is
    // not in it.
    for (const month of ['2026-05', '2026-06']) {
      const now = await facts(me, month)
      expect([now.period, now.before, now.after]).toEqual([
        { from: '2026-05-01', to: '2026-06-30' },
        '2026-04',
        '2026-07',
      ])
      expect(now.figures).toEqual(told.figures)
      expect(now.counts).toEqual(told.counts)
    }
    today = '2026-07-10'
    await me.invoice(shop.dealer.id, '1000')
    today = '2026-08-05'
    expect(await me.call(calls.fileReturn, { period: '2026-07' })).toMatchObject({
      from: '2026-07-01',
      to: '2026-07-31',
    })
    await me.invoice(shop.dealer.id, '2000')
    await every(2)
    today = '2026-09-05'
    const rest = await facts(me, '2026-08')
    expect([rest.period, rest.filing, rest.before]).toEqual([
      { from: '2026-08-01', to: '2026-08-31' },
      null,
      '2026-07',
    ])
    expect(rest.figures[0]!.exactAgorot).toBe(200_000)
    expect((await me.call(calls.vatGate, { period: '2026-08' })).period).toEqual(rest.period)
    expect(await me.call(calls.fileReturn, { period: '2026-08' })).toMatchObject({
      from: '2026-08-01',
      to: '2026-08-31',
      toPayAgorot: 36_000,
    })
    expect((await facts(me, '2026-10')).period).toEqual({ from: '2026-09-01', to: '2026-10-31' })
  })
})

describe('how often is reported, from its day on', () => {
  test('what was not reported yet and the advances keep the periods they had', async () => {
    const { me, dealer } = await open()
    const company = '/api4/invoice/company'
    await me.send('POST', `${company}/advancerates`, { from: '2026-01-01', rateBp: 1000 })
    await me.invoice(dealer.id, '1000')
    today = '2026-07-20'
    await me.invoice(dealer.id, '2000')
    today = '2026-09-10'
    await me.invoice(dealer.id, '3000')
    expect(await me.get(`${company}/vatfrequencies`)).toEqual({
      rows: [{ from: '1900-01-01', months: 2 }],
      isDetailed: false,
      changeFrom: '2026-09-01',
    })
    await me.send('PATCH', company, { vatPeriodMonths: 1 })
    today = '2026-10-15'
    const advances = async () =>
      (await me.get('/api4/invoice/reports/advances?from=2026-05-01&to=2026-10-15')).rows.map(
        (r: Record<string, unknown>) => [r.open, r.turnoverAgorot, r.advanceAgorot, r.dueDay],
      )
    const row = (from: string, to: string, turnover: number, due: string) => [
      `/invoice/reportfilingpapers?form=turnover&from=${from}&to=${to}`,
      turnover,
      turnover / 10,
      due,
    ]
    const mayJune = row('2026-05-01', '2026-06-30', 100_000, '2026-07-15')
    const september = row('2026-09-01', '2026-09-30', 300_000, '2026-10-19')
    const october = row('2026-10-01', '2026-10-31', 0, '2026-11-16')
    expect(await advances()).toEqual([
      mayJune,
      row('2026-07-01', '2026-08-31', 200_000, '2026-09-24'),
      september,
      october,
    ])
    // Of the return: two months that were not reported stay two, and are named where they wait.
    const july = await facts(me, '2026-07')
    expect([july.period, july.before, july.after]).toEqual([
      { from: '2026-07-01', to: '2026-08-31' },
      '2026-06',
      '2026-09',
    ])
    expect(july.unfiledBefore).toEqual({ from: '2026-05-01', to: '2026-06-30' })
    expect((await facts(me, '2026-09')).period).toEqual({ from: '2026-09-01', to: '2026-09-30' })

    await me.call(calls.fileReturn, { period: '2026-05' })
    const refused = (vatPeriodFrom: string) =>
      me
        .send('PATCH', company, { vatPeriodMonths: 2, vatPeriodFrom })
        .catch((e: { errors: { path: string; code: string }[] }) => e.errors)
    expect(await refused('2026-09-15')).toMatchObject([
      { path: 'vatPeriodFrom', code: 'companies.notMonthStart' },
    ])
    expect(await refused('2026-06-01')).toMatchObject([
      { path: 'vatPeriodFrom', code: 'companies.vatReported', params: { day: '2026-07-01' } },
    ])
    expect(await refused('2026-11-01')).toMatchObject([
      { path: 'vatPeriodFrom', code: 'companies.vatFromFuture' },
    ])
    // A day that was wrong is set again, and the change back cuts the pair it falls into.
    await me.send('PATCH', company, { vatPeriodMonths: 1, vatPeriodFrom: '2026-07-01' })
    await me.send('PATCH', company, { vatPeriodMonths: 2, vatPeriodFrom: '2026-10-01' })
    expect(await advances()).toEqual([
      mayJune,
      row('2026-07-01', '2026-07-31', 200_000, '2026-08-17'),
      row('2026-08-01', '2026-08-31', 0, '2026-09-24'),
      september,
      october,
    ])
    expect((await me.get(`${company}/vatfrequencies`)).rows).toEqual([
      { from: '1900-01-01', months: 2 },
      { from: '2026-07-01', months: 1 },
      { from: '2026-10-01', months: 2 },
    ])
  })

  test('bills, corrections and what is due next ask the period of their own day', async () => {
    const shop = await open()
    const { me, dealer } = shop
    const company = '/api4/invoice/company'
    const { id } = await me.invoice(dealer.id, '1000')
    today = '2026-09-10'
    await me.send('PATCH', company, { vatPeriodMonths: 1 })
    const entriesOf = async (of: string) =>
      new Set((await me.call(entriesOfExpense, { id: of })).rows.map(({ entryId }) => entryId)).size
    // July and August were one period: VAT of July claimed in August waits nowhere. September is another, and
    // from then on each month is.
    expect(
      await entriesOf(
        (await bill(shop, 'rent', 100_000, 18_000, { date: '2026-07-05', vatDate: '2026-08-20' })).id,
      ),
    ).toBe(1)
    expect(
      await entriesOf(
        (await bill(shop, 'rent', 100_000, 18_000, { date: '2026-08-05', vatDate: '2026-07-01' })).id,
      ),
    ).toBe(1)
    expect(
      await entriesOf(
        (await bill(shop, 'rent', 100_000, 18_000, { date: '2026-08-05', vatDate: '2026-09-05' })).id,
      ),
    ).toBe(2)
    const early = bill(shop, 'rent', 100_000, 18_000, { date: '2026-09-05', vatDate: '2026-08-31' })
    expect(await early.catch((e: { errors: unknown }) => e.errors)).toMatchObject([
      { path: 'vatDate', code: 'expenses.vatTooEarly' },
    ])
    expect((await me.get('/api4/invoice/home')).vat).toMatchObject({
      from: '2026-09-01',
      to: '2026-09-30',
      dueDay: '2026-10-19',
    })
    today = '2026-10-02'
    await me.send('PATCH', company, { vatPeriodMonths: 2, vatPeriodFrom: '2026-10-01' })
    // The change back came in the middle of a pair: October is what is left of it.
    expect((await me.get('/api4/invoice/home')).vat).toMatchObject({ from: '2026-10-01', to: '2026-10-31' })
    const september = bill(shop, 'rent', 100_000, 18_000, { date: '2026-10-01', vatDate: '2026-09-30' })
    expect(await september.catch((e: { errors: unknown }) => e.errors)).toMatchObject([
      { path: 'vatDate', code: 'expenses.vatTooEarly' },
    ])
    const { effect } = await me.call(planCorrectionCall, { id, lines: [{ line: 1, unitPrice: '900' }] })
    expect(effect.vat).toEqual([{ from: '2026-10-01', to: '2026-10-31', amountAgorot: -1_800 }])
  })

  test('before anything was written it has always been so', async () => {
    const { me } = await open()
    await me.send('PATCH', '/api4/invoice/company', { vatPeriodMonths: 1 })
    expect((await me.get('/api4/invoice/company/vatfrequencies')).rows).toEqual([
      { from: '1900-01-01', months: 1 },
    ])
    expect((await facts(me, '2026-03')).period).toEqual({ from: '2026-03-01', to: '2026-03-31' })
  })
})

describe('exports', () => {
  test('the declaration of an export stands in the file, until the file was filed', async () => {
    const shop = await busy()
    const { me } = shop
    today = '2026-07-05'
    const [one] = (await facts(me)).exports
    expect(one).toMatchObject({ name: 'Blue Ltd', exportEntry: '', sumAgorot: 111_000 })
    const entryOf = async () => {
      const read = parsePcn874(
        Buffer.from((await me.call(calls.pcn874, { period: '2026-06' })) as unknown as Uint8Array).toString(
          'ascii',
        ),
      )
      return read.entries.find(({ record }) => record.type === 'Y')!.record.counterparty
    }
    expect(await entryOf()).toBe('999999999')
    expect(await code(me.call(calls.setExportEntry, { id: one!.id, exportEntry: '26-1' }))).toBe(
      'kit.badInput',
    )
    await me.call(calls.setExportEntry, { id: one!.id, exportEntry: '26012345678' })
    expect(await entryOf()).toBe('012345678')
    expect(await me.call(calls.exportOfDocument, { id: one!.id })).toMatchObject({
      isExport: true,
      exportEntry: '26012345678',
      isFiled: false,
    })
    await me.call(calls.setExportEntry, { id: one!.id, exportEntry: '' })
    expect(await entryOf()).toBe('999999999')
    const { id: home } = await me.invoice(shop.dealer.id, '10')
    expect(await code(me.call(calls.setExportEntry, { id: home, exportEntry: '1' }))).toBe('vat.noExport')
    const stranger = await open()
    today = '2026-07-05'
    expect(await code(stranger.me.call(calls.setExportEntry, { id: one!.id, exportEntry: '1' }))).toBe(
      'kit.notFound',
    )
    await me.call(calls.fileReturn, { period: '2026-06' })
    expect(await code(me.call(calls.setExportEntry, { id: one!.id, exportEntry: '7' }))).toBe(
      'vat.periodFiled',
    )
  })

  test('a customer under the Palestinian Authority is of a kind of his own, and must have a number', async () => {
    const shop = await open()
    const { me } = shop
    const taxId = newTaxId()
    await me.invoice((await me.customer('Ramallah Trade', { country: 'Palestine', taxId })).id, '1000')
    await me.invoice((await me.customer('Jenin Stone', { country: 'PS', zeroRate: true })).id, '500')
    today = '2026-07-05'
    const { faults, differences, exports } = await facts(me)
    expect([differences, exports]).toEqual([[], []])
    expect(faults).toMatchObject([{ code: '201', papers: [{ name: 'Jenin Stone' }] }])
    const entries = await me.get('/api4/invoice/reports/pcn?from=2026-05-01&to=2026-06-30')
    expect(entries.rows.map((r: any) => [r.type, r.counterparty, r.sumAgorot, r.vatAgorot])).toEqual([
      ['I', taxId, 100_000, 18_000],
      ['I', null, 50_000, 0],
    ])
  })
})

test('a non-profit names its bills in a report of type 6, without sales and without VAT', async () => {
  today = '2026-05-10'
  const me = await newBusiness(world, { kind: 'nonProfit' })
  const { types } = await me.call(expenseFacts, {})
  const taxId = newTaxId()
  const { id } = await me.send<{ id: string }>('POST', '/api4/invoice/suppliers', {
    name: 'דפוס הגליל',
    taxId,
  })
  for (const [supplierNumber, netAgorot] of [
    ['11', 100_000],
    ['12', 20_000],
  ] as const)
    await me.call(createExpense, {
      supplierId: id,
      supplierNumber,
      date: today,
      lines: [{ typeId: types[0]!.id, netAgorot, vatAgorot: (netAgorot * 18) / 100 }],
    } as never)
  today = '2026-07-05'
  const { figures, faults, differences, owed } = await facts(me)
  expect([figures.map((f) => f.exactAgorot), faults, differences, owed]).toEqual([
    [0, 0, 0, 0, 0, 0],
    [],
    [],
    null,
  ])
  const read = parsePcn874(
    Buffer.from((await me.call(calls.pcn874, { period: '2026-06' })) as unknown as Uint8Array).toString(
      'ascii',
    ),
  )
  expect(read.headers[0]!.record).toMatchObject({ reportType: '6', total: 0, salesCount: 0, inputCount: 1 })
  expect(read.entries.map(({ record: e }) => [e.type, e.counterparty, e.sum, e.vat])).toEqual([
    ['T', taxId, 1180, 0],
  ])
  expect(await code(me.call(calls.fileReturn, { period: '2026-06', settle: true }))).toBe('done')
  expect(await code(me.call(calls.payVat, { day: today, amountAgorot: 100 }))).toBe('vat.noVat')
})

describe('cash basis', () => {
  test('an invoice counts as it is paid, part by part, and what comes late counts later', async () => {
    const shop = await open()
    const { me } = shop
    expect(await me.call(calls.getVatBasis, {})).toEqual({
      basis: 'accrual',
      changeFrom: '2026-05-01',
      rows: [],
    })
    await me.call(calls.changeVatBasis, { basis: 'cash', from: '2026-05-01' })
    const invoice = await me.invoice(shop.dealer.id, '1000')
    const ahead = async () => (await me.call(calls.vatAhead, {})).amountAgorot
    expect(await ahead()).toBe(0)
    const pay = (agorot: number) =>
      me.send('POST', '/api4/invoice/documents', {
        type: 6,
        customerId: shop.dealer.id,
        lines: [],
        payments: [{ means: 3, amountAgorot: agorot }],
        closes: [{ documentId: invoice.id, amountAgorot: agorot }],
      })
    const sums = async (period: string) => {
      const { figures, differences } = await facts(me, period)
      expect(differences).toEqual([])
      return [figures[0]!.exactAgorot, figures[2]!.exactAgorot, figures[2]!.booksAgorot]
    }
    today = '2026-06-20'
    await pay(39_333)
    expect(await sums('2026-06')).toEqual([33_333, 6_000, 6_000])
    expect(await ahead()).toBe(6_000)
    today = '2026-07-10'
    await pay(18_000)
    expect(await sums('2026-06')).toEqual([33_333, 6_000, 6_000])
    expect(await sums('2026-08')).toEqual([15_254, 2_746, 2_746])
    today = '2026-09-05'
    await pay(118_000 - 39_333 - 18_000)
    // Three parts are the whole, to the agora.
    expect(await sums('2026-10')).toEqual([
      100_000 - 33_333 - 15_254,
      18_000 - 6_000 - 2_746,
      18_000 - 6_000 - 2_746,
    ])
    expect(await code(me.call(calls.fileReturn, { period: '2026-06' }))).toBe('done')
    expect(await code(me.call(calls.changeVatBasis, { basis: 'accrual', from: '2026-05-01' }))).toBe(
      'vat.basisFiled',
    )
    expect(await code(me.call(calls.changeVatBasis, { basis: 'accrual', from: '2026-08-01' }))).toBe(
      'kit.badInput',
    )
  })

  test('a credit counts by the basis of the invoice it takes back', async () => {
    const { me, dealer } = await open()
    await me.send('PATCH', '/api4/invoice/company', { vatPeriodMonths: 1 })
    const pay = (id: string, agorot: number) =>
      me.send('POST', '/api4/invoice/documents', {
        type: 6,
        customerId: dealer.id,
        lines: [],
        payments: [{ means: 3, amountAgorot: agorot }],
        closes: [{ documentId: id, amountAgorot: agorot }],
      })
    const sums = async (period: string) => {
      const { figures, differences } = await facts(me, period)
      expect(differences).toEqual([])
      expect(figures[2]!.booksAgorot).toBe(figures[2]!.exactAgorot)
      return [figures[0]!.exactAgorot, figures[2]!.exactAgorot]
    }
    // Reported as it was written, and paid: the money of the credit stays with us.
    const accrual = await me.invoice(dealer.id, '1000')
    await pay(accrual.id, 118_000)
    today = '2026-06-10'
    await me.call(calls.changeVatBasis, { basis: 'cash', from: '2026-06-01' })
    const credit = await me.call(creditDocument, {
      id: accrual.id,
      reason: 'הנחה',
      lines: [{ line: 1, quantity: '0.5' }],
    } as never)
    expect([await sums('2026-05'), await sums('2026-06')]).toEqual([
      [100_000, 18_000],
      [-50_000, -9_000],
    ])
    expect(await code(me.call(calls.fileReturn, { period: '2026-05' }))).toBe('done')
    // Paid with what the credit left: it stays where it was counted, and what it pays counts as paid.
    today = '2026-07-10'
    const cash = await me.invoice(dealer.id, '2000')
    await me.call(settleDocument, { id: credit.id, documentId: cash.id, amountAgorot: 59_000 })
    expect([await sums('2026-06'), await sums('2026-07')]).toEqual([
      [-50_000, -9_000],
      [50_000, 9_000],
    ])
    // Credited once the business reports by invoices again: what was not paid never counted, and what was is
    // reversed when it is refunded.
    today = '2026-08-10'
    await me.call(calls.changeVatBasis, { basis: 'accrual', from: '2026-08-01' })
    await me.call(creditDocument, {
      id: cash.id,
      reason: 'בוטל',
      lines: [{ line: 1, quantity: '1' }],
    } as never)
    expect([await sums('2026-07'), await sums('2026-08')]).toEqual([
      [50_000, 9_000],
      [0, 0],
    ])
  })

  test('what comes back late stays in one return, whatever is opened and reported again', async () => {
    const { me, dealer } = await open()
    await me.send('PATCH', '/api4/invoice/company', { vatPeriodMonths: 1 })
    await me.call(calls.changeVatBasis, { basis: 'cash', from: '2026-05-01' })
    const paid = (agorot: number) =>
      me.send('POST', '/api4/invoice/documents', {
        type: 9,
        customerId: dealer.id,
        lines: [{ description: 'עבודה', quantity: '1', unitPrice: String(agorot / 100) }],
        payments: [{ means: 3, amountAgorot: (agorot * 118) / 100 }],
      })
    const cheque = async (shekels: number, number: string) => {
      const { id } = await me.invoice(dealer.id, String(shekels))
      const amountAgorot = shekels * 118
      await me.send('POST', '/api4/invoice/documents', {
        type: 6,
        customerId: dealer.id,
        lines: [],
        payments: [
          { means: 2, amountAgorot, bank: '12', branch: '345', account: '123456', number, dueDate: today },
        ],
        closes: [{ documentId: id, amountAgorot }],
      })
      const { rows } = await me.get('/api4/invoice/payments?size=100')
      const payment = rows.find(
        (one: { means: string; sumAgorot: number }) =>
          one.means === 'cheque' && one.sumAgorot === amountAgorot,
      ).id
      await me.call(createDeposit, { payments: [payment] } as never)
      return payment
    }
    const sales = async (month: string) => {
      const { figures, differences } = await facts(me, month)
      expect(differences).toEqual([])
      expect(figures[2]!.booksAgorot).toBe(figures[2]!.exactAgorot)
      return figures[0]!.exactAgorot
    }
    today = '2026-07-10'
    await paid(900_000)
    const first = await cheque(1000, '71')
    const second = await cheque(2000, '72')
    today = '2026-08-05'
    const july = await me.call(calls.fileReturn, { period: '2026-07' })
    await paid(800_000)
    await me.call(bouncePayment, { id: first, date: '2026-07-20' } as never)
    expect([await sales('2026-07'), await sales('2026-08')]).toEqual([1_200_000, 700_000])
    today = '2026-09-05'
    await me.call(calls.fileReturn, { period: '2026-08' })
    await me.call(calls.reopenFiling, { id: july.id, reason: 'בדיקה' })
    expect([await sales('2026-07'), await sales('2026-08')]).toEqual([1_200_000, 700_000])
    // While July is open again what is of July counts there, although August is reported.
    await me.call(bouncePayment, { id: second, date: '2026-07-25' } as never)
    expect([await sales('2026-07'), await sales('2026-08'), await sales('2026-09')]).toEqual([
      1_000_000, 700_000, 0,
    ])
    await me.call(calls.fileReturn, { period: '2026-07' })
    expect([await sales('2026-07'), await sales('2026-08'), await sales('2026-09')]).toEqual([
      1_000_000, 700_000, 0,
    ])
  })
})

describe('the gate', () => {
  test('says why VAT is at risk and how much, and puts it off to the next period', async () => {
    const shop = await open()
    const { me } = shop
    const big = await bill(shop, 'materials', 2_000_000, 360_000)
    await bill(shop, 'rent', 100_000, 17_000)
    await bill(shop, 'fuel', 10_000, 1_800)
    today = '2026-07-05'
    const gate = await me.call(calls.vatGate, { period: '2026-06' })
    expect(gate).toMatchObject({
      checked: 3,
      claimedAgorot: 378_200,
      atRiskAgorot: 377_000,
      riskCount: 2,
      isFiled: false,
    })
    expect(gate.rows.map((r) => [r.reasons, r.recognisedAgorot, r.postponeTo])).toEqual([
      [['noAllocation'], 360_000, '2026-07-01'],
      [['arithmetic'], 17_000, '2026-07-01'],
    ])
    await me.call(calls.askSupplier, { id: big.id })
    await world.worker.drain()
    const { rows: letters } = await me.get('/api4/invoice/messages')
    expect(letters[0]).toMatchObject({ recipient: 'delek@example.com', state: 'kept' })
    expect(await me.call(calls.postponeBill, { id: big.id })).toEqual({ vatDay: '2026-07-01' })
    const june = await facts(me)
    expect([june.differences, june.figures[4]!.exactAgorot]).toEqual([[], 18_200])
    const august = await facts(me, '2026-08')
    expect([august.differences, august.figures[4]!.exactAgorot]).toEqual([[], 360_000])
    // Reversed, it leaves nothing in either.
    await me.call(cancelExpense, { id: big.id, reason: 'הוחזר' })
    expect((await facts(me)).differences).toEqual([])
    expect((await facts(me, '2026-08')).figures[4]!.exactAgorot).toBe(0)
    expect((await facts(me, '2026-08')).differences).toEqual([])
    expect(await code(me.call(calls.postponeBill, { id: big.id }))).toBe('expenses.notApproved')
  })

  test('a bill of a supplier who was entered twice is reported under the number he has, and its twin is seen', async () => {
    const shop = await open()
    const { me, types } = shop
    const twin: { id: string } = await me.send('POST', '/api4/invoice/suppliers', { name: 'דלק שרון' })
    const enter = (supplierId: string) =>
      me.call(createExpense, {
        supplierId,
        supplierNumber: '7001',
        date: today,
        lines: [{ typeId: types.rent!, netAgorot: 100_000, vatAgorot: 18_000 }],
      } as never)
    await enter(shop.supplier.id)
    await enter(twin.id)
    expect((await facts(me)).faults.map((f) => f.code)).toContain('201')
    await me.call(mergeSuppliers, { keepId: shop.supplier.id, ids: [twin.id], from: {} })
    today = '2026-07-05'
    // One bill twice: the rule against the same reference and sum now finds it, and so does the gate.
    expect((await facts(me)).faults.filter((f) => !f.isWarning).map((f) => f.code)).toEqual(['214'])
    const gate = await me.call(calls.vatGate, { period: '2026-06' })
    expect(gate.rows.map((row) => [row.supplierId, row.supplier, row.reasons])).toEqual([
      [shop.supplier.id, 'דלק השרון', ['duplicate']],
      [shop.supplier.id, 'דלק השרון', ['duplicate']],
    ])
  })
})

test('people who see a part get nothing of it, and the right to see is no right to file', async () => {
  const shop = await busy()
  const mate = async (rules: number[], docs: number[] = []) => {
    const other = await newBusiness(world)
    await asSystem(world.app.db, async (tx) => {
      await sql`insert into memberships (company_id, user_id, type_id, rules, docs_allow)
        select ${shop.companyId}, id, 9, ${rules}, ${docs} from users where email = ${other.email}`.execute(
        tx,
      )
      await sql`update sessions set company_id = ${shop.companyId}
        where user_id = (select id from users where email = ${other.email})`.execute(tx)
    })
    return { token: other.token }
  }
  const part = await mate([68, 69], [8])
  expect(await code(shop.me.call(calls.vatPeriodFacts, {}, part))).toBe('session.forbidden')
  expect(await code(shop.me.call(calls.vatGate, {}, part))).toBe('session.forbidden')
  expect(await code(shop.me.call(calls.listFilings, {}, part))).toBe('session.forbidden')
  const seer = await mate([68])
  today = '2026-07-05'
  expect(await code(shop.me.call(calls.vatPeriodFacts, {}, seer))).toBe('done')
  expect(await code(shop.me.call(calls.fileReturn, { period: '2026-06' }, seer))).toBe('session.forbidden')
  expect(await code(shop.me.call(calls.vatPeriodFacts, {}, await mate([40])))).toBe('session.forbidden')
})

test('a report is never changed nor deleted, by whatever statement', async () => {
  const { me, dealer } = await open()
  await me.invoice(dealer.id, '1000', { date: '2026-05-02' })
  today = '2026-07-02'
  const { id } = await me.call(calls.fileReturn, { period: '2026-05' })
  for (const statement of [
    sql`update vat_filings set kind = 'return' where id = ${id}`,
    sql`delete from vat_filings where id = ${id}`,
  ])
    expect(await refusedByDatabase(world, statement)).toBe('vat.filingFrozen')
})

test('a supplier without an address is asked nothing', async () => {
  const { me, types } = await open()
  const supplier = await me.send('POST', '/api4/invoice/suppliers', { name: 'בלי כתובת' })
  const [typeId] = Object.values(types)
  const bill = await me.call(createExpense, {
    supplierId: supplier.id,
    supplierNumber: '1',
    date: '2026-05-02',
    means: 'bank',
    lines: [{ typeId, netAgorot: 3_000_000 }],
  } as never)
  await expect(me.call(calls.askSupplier, { id: bill.id })).rejects.toMatchObject({
    status: 422,
    errors: [{ path: 'to', code: 'vat.noMail' }],
  })
  // Of this bill nothing is missing.
  await expect(me.call(calls.askSupplier, { id: bill.id, to: 'bills@example.com' })).rejects.toMatchObject({
    code: 'vat.notInPeriod',
  })
})
