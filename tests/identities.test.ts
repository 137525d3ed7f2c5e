import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chargesVat, type BusinessKind } from '#domain/documents/kinds.ts'
import { systemAccounts } from '#domain/ledger/chart.ts'
import { homePage } from '#features/office/home/endpoints.ts'
import { runQuestion } from '#features/reports/questions/endpoints.ts'
import { bouncePayment } from '#features/sales/payments/endpoints.ts'
import { createExpense, expenseFacts } from '#features/purchases/expenses/endpoints.ts'
import { createSupplierPayment } from '#features/purchases/supplierPayments/endpoints.ts'
import { form6111, form856 } from '#features/tax/filings/endpoints.ts'
import * as documents from '#features/sales/documents/endpoints.ts'
import { newBusiness, newTaxId, startWorld, type Business, type World } from './world.ts'

/*
 * What must be the same figure in every report that shows it, for every kind of business: a table of identities, walked
 * over a business that took deposits, used them, sold at several kinds of VAT and took things back.
 */

let world: World
beforeAll(async () => {
  world = await startWorld(() => new Date('2026-11-15T09:00:00Z'))
})
afterAll(() => world.close())

const line = (unitPrice: string, vatKind: 1 | 2 | 3 | 4, quantity = '1') => ({
  description: 'עבודה',
  quantity,
  unitPrice,
  vatKind,
})

/** Deposits inside documents with other lines, alone, used in part, used whole, and reversed. */
async function lived(kind: BusinessKind): Promise<Business> {
  const made = await newBusiness(world, { kind })
  await made.send('PATCH', '/api4/invoice/company', {
    backDating: true,
    withholdingFile: '912345678',
    ...(chargesVat(kind) ? { vatPeriodMonths: 1 } : {}),
  })
  const customers = [(await made.customer('כהן')).id, (await made.customer('לוי')).id]
  const { id: itemId } = await made.send<{ id: string }>('POST', '/api4/invoice/items', {
    name: 'שעה',
    price: '100',
  })
  const issue = (type: number, day: string, more: object) =>
    made.call(documents.createDocument, {
      type,
      customerId: customers[type % 2]!,
      date: `2026-${day}`,
      ...more,
    } as never)
  const cancel = (id: string) => made.call(documents.cancelDocument, { id, reason: 'טעות' })
  const paid = (agorot: number) => ({ payments: [{ means: 3, amountAgorot: agorot }] })
  const item = (unitPrice: string, vatKind: 1 | 3 | 4) => ({ ...line(unitPrice, vatKind), itemId })
  await issue(14, '10-01', paid(70_000))
  if (chargesVat(kind)) {
    await issue(8, '10-02', { lines: [item('1000', 1), line('500', 3)] })
    await issue(8, '10-03', { lines: [item('300', 4), line('300', 3, '-1')] })
    await issue(8, '10-04', { lines: [line('1000', 1), line('1180', 3, '-1')] })
    await issue(9, '10-05', { lines: [line('200', 1), item('700', 3)], ...paid(93_600) })
    const { id } = await issue(8, '10-06', { lines: [line('59', 2), item('41', 3), line('7', 4)] })
    await cancel(id)
    const half = await issue(8, '10-07', {
      lines: [line('400', 1), line('100', 3)],
      discount: { basisPoints: 1000 },
    })
    await made.call(documents.creditDocument, {
      id: half.id,
      reason: 'החזר',
      agorot: 20_000,
      date: '2026-11-01',
    })
  } else if (kind === 'exemptDealer') {
    await issue(6, '10-02', { lines: [item('1000', 4), line('500', 3)], ...paid(150_000) })
    await issue(6, '10-03', { lines: [item('300', 4), line('300', 3, '-1')] })
    await issue(6, '10-04', { lines: [line('900', 4), line('200', 3, '-1')], ...paid(70_000) })
    const { id } = await issue(6, '10-05', { lines: [item('80', 4), line('20', 3)], ...paid(10_000) })
    await cancel(id)
    await issue(6, '11-02', paid(12_345))
  } else {
    await issue(11, '10-02', paid(50_000))
    const { payments } = await issue(11, '10-09', paid(30_000))
    await made.call(bouncePayment, { id: payments[0]!.id, date: '2026-11-04' })
    await issue(6, '10-03', { lines: [item('300', 4), line('100', 3)], ...paid(40_000) })
    const { id } = await issue(6, '10-04', { lines: [item('80', 4), line('20', 3)], ...paid(10_000) })
    await cancel(id)
  }
  await issue(6, '11-03', {
    payments: [
      { means: 3, amountAgorot: 900 },
      { means: 7, amountAgorot: 100 },
    ],
  })
  await buy(made, chargesVat(kind))
  return made
}

/** A bill that is paid in two parts, tax withheld from each. */
async function buy(made: Business, chargesVatItself: boolean): Promise<void> {
  const { id: supplierId } = await made.send<{ id: string }>('POST', '/api4/invoice/suppliers', {
    name: 'ספק',
    taxId: newTaxId(),
  })
  const { types } = await made.call(expenseFacts, {})
  const { id } = await made.call(createExpense, {
    supplierId,
    supplierNumber: '77',
    date: '2026-10-08',
    means: 'onCredit',
    lines: [
      {
        typeId: types.find(({ isFixedAsset }) => !isFixedAsset)!.id,
        netAgorot: 100_000,
        vatAgorot: chargesVatItself ? 18_000 : 0,
      },
    ],
  } as never)
  for (const [date, amountAgorot, withheldAgorot] of [
    ['2026-10-20', 40_000, 3_000],
    ['2026-11-05', 60_000, 5_000],
  ] as const)
    await made.call(createSupplierPayment, {
      supplierId,
      date,
      means: 'bank',
      bills: [{ id, amountAgorot }],
      withheldAgorot,
    })
}

type Figure = (made: Business, period: { from: string; to: string }) => Promise<number>

const total =
  (report: string, column: string, more = ''): Figure =>
  async (made, { from, to }) => {
    const { totals } = await made.get<{ totals: Record<string, number> }>(
      `/api4/invoice/reports/${report}?from=${from}&to=${to}${more}`,
    )
    return totals[column] ?? 0
  }

/** The income of a period, before VAT, by every report that says it. */
const income: Record<string, Figure> = {
  income: total('income', 'netAgorot'),
  perCustomer: total('perCustomer', 'netAgorot'),
  itemsSales: total('itemsSales', 'netAgorot'),
  incomeByAgent: total('incomeByAgent', 'netAgorot'),
  profitByCustomer: total('profitSales', 'netAgorot', '&by=customer'),
  profitByItem: total('profitSales', 'netAgorot', '&by=item'),
  profitLoss: async (made, { from, to }) => {
    const { rows } = await made.get<{ rows: { section: string; sum?: string; amountAgorot: number }[] }>(
      `/api4/invoice/reports/profitLoss?from=${from}&to=${to}&level=account`,
    )
    return rows
      .filter((row) => !row.sum && row.section === 'revenue')
      .reduce((sum, row) => sum + row.amountAgorot, 0)
  },
  advances: async (made, { from, to }) => {
    const { rows } = await made.get<{ rows: { turnoverAgorot: number }[] }>(
      `/api4/invoice/reports/advances?from=${from}&to=${to}`,
    )
    return rows.reduce((sum, row) => sum + row.turnoverAgorot, 0)
  },
}

/** The same by what is not a report: questions, and the home page of the running month. */
const question: Figure = async (made, { from, to }) =>
  (
    await made.call(runQuestion, {
      question: {
        fact: 'income',
        rows: [],
        column: null,
        measures: [{ name: 'net', as: 'value' }],
        filters: [{ kind: 'period', period: { from, to } }],
        sort: 'own',
        top: null,
      },
    } as never)
  ).totals.total[0]!

const kinds: readonly BusinessKind[] = [
  'licensedDealer',
  'company',
  'partnership',
  'exemptDealer',
  'nonProfit',
]
const periods = [
  { from: '2026-10-01', to: '2026-10-31' },
  { from: '2026-11-01', to: '2026-11-30' },
  { from: '2026-01-01', to: '2026-12-31' },
]

describe.each(kinds)('%s', (kind) => {
  let made: Business
  beforeAll(async () => {
    made = await lived(kind)
  })

  test.each(periods)('one income in every report, $from to $to', async (period) => {
    const found: Record<string, number> = {}
    for (const [name, figure] of Object.entries(income)) found[name] = await figure(made, period)
    expect(found).toEqual(Object.fromEntries(Object.keys(income).map((name) => [name, found.income])))
    expect(await question(made, period)).toBe(found.income)
    if (period.to.endsWith('12-31')) expect(found.income).toBeGreaterThan(0)
  })

  test('home shows it', async () => {
    const { months } = (await made.call(homePage, {})).documents!
    for (const { from, to } of periods.slice(0, 2))
      expect(months.find(({ month }) => month === from.slice(0, 7) || month === from)!.incomeAgorot).toBe(
        await income.income!(made, { from, to }),
      )
  })

  test('deposits are owed, to the agora', async () => {
    const { rows } = await made.get<{ rows: { number: string; balanceAgorot: number }[] }>(
      '/api4/invoice/reports/trialBalance?from=2026-01-01&to=2026-12-31',
    )
    const [{ held }] = (
      await world.app.db.pool.query<{ held: number }>(
        `select coalesce(sum(case when type = 10 then -ils_held_agorot else ils_held_agorot end), 0)::bigint as held
          from documents where company_id = $1 and status <> 'draft'`,
        [(await made.get<{ companyId: string }>('/api/user/session')).companyId],
      )
    ).rows as [{ held: number }]
    expect(-(rows.find((row) => row.number === '2310')?.balanceAgorot ?? 0)).toBe(70_000 + held)
  })
  test.each(periods)('two computations of every tax figure agree, $from to $to', async (period) => {
    const report = (name: string, more = '') =>
      made.get<{ rows: Record<string, number>[]; totals: Record<string, number> }>(
        `/api4/invoice/reports/${name}?from=${period.from}&to=${period.to}${more}`,
      )
    const cards = new Map(
      (await report('trialBalance')).rows.map((row) => [
        String(row.number),
        (row.debitAgorot ?? 0) - (row.creditAgorot ?? 0),
      ]),
    )
    const moved = (number: string) => cards.get(number) ?? 0

    if (kind !== 'exemptDealer') {
      const { rows } = await report('vat')
      const column = (name: string) => Object.fromEntries(rows.map((row) => [String(row.line), row[name]]))
      expect(column('fromBooksAgorot')).toEqual(column('fromDocumentsAgorot'))
      const detailed = (await report('pcnVat')).rows
      expect(Object.fromEntries(detailed.map((row) => [String(row.line), row.exactAgorot]))).toEqual(
        column('fromDocumentsAgorot'),
      )
      const returned = column('fromBooksAgorot')
      if (chargesVat(kind))
        expect([returned.outputVat, returned.inputVatOther]).toEqual([
          -moved(systemAccounts.outputVat),
          moved(systemAccounts.inputVat),
        ])
    }

    const advances = (await report('advances')).rows
    const sumOf = (name: string) => advances.reduce((sum, row) => sum + (row[name] ?? 0), 0)
    expect([sumOf('booksTurnoverAgorot'), sumOf('turnoverAgorot')]).toEqual([
      await income.income!(made, period),
      (await report('filingPapers', '&form=turnover')).totals.turnoverAgorot ?? 0,
    ])
    expect([
      sumOf('withheldAgorot'),
      sumOf('booksWithheldAgorot'),
      (await report('withheldReceipts')).totals.withheldAgorot ?? 0,
    ]).toEqual(Array.from({ length: 3 }, () => moved(systemAccounts.withheldByCustomers)))

    const paid = (await report('form102')).totals
    const payments = (await report('filingPapers', '&form=paid')).totals
    const owed = -moved(systemAccounts.withheldFromSuppliers)
    expect([paid.withheldAgorot, paid.booksWithheldAgorot, payments.withheldAgorot]).toEqual([
      owed,
      owed,
      owed,
    ])
    expect(paid.grossAgorot).toBe(payments.paidAgorot)
    if (period.to.endsWith('12-31')) {
      expect(owed).toBe(8_000)
      const { totals, differences } = await made.call(form856, { year: 2026 })
      expect([totals.grossAgorot, totals.withheldAgorot, totals.booksWithheldAgorot, differences]).toEqual([
        paid.grossAgorot,
        owed,
        owed,
        [],
      ])
      const { identities, differences: apart } = await made.call(form6111, { year: 2026 })
      expect(identities.filter(({ ok }) => !ok)).toEqual([])
      expect(apart).toEqual([])
    }
    expect((await report('filingDifferences')).rows).toEqual([])
  })
})
