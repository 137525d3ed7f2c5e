import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ReportAnswer } from '#kit/describe/report.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import * as calls from './endpoints.ts'

let world: World
let shop: Business
let companyId: string
const accounts = new Map<string, string>()

beforeAll(async () => {
  world = await startWorld(() => new Date('2026-11-24T08:00:00Z'))
  shop = await newBusiness(world)
  companyId = (await shop.get<{ companyId: string }>('/api/user/session')).companyId
  const { rows } = await shop.get<{ rows: { id: string; number: string }[] }>(
    '/api5/invoicecpa/accounts?size=200',
  )
  for (const { id, number } of rows) accounts.set(number, id)
  // 2025: rent of 3,000 and income of 10,000 every month; 2026: rent of 3,300, income 12,000 until October.
  for (let month = 1; month <= 12; month++) await book(`2025-${two(month)}-05`, 10_000_00, 3_000_00)
  for (let month = 1; month <= 10; month++) await book(`2026-${two(month)}-05`, 12_000_00, 3_300_00)
})
afterAll(() => world.close())

const two = (n: number) => String(n).padStart(2, '0')
const id = (number: string) => accounts.get(number)!
const book = async (date: string, income: number, rent: number) => {
  await shop.send('POST', '/api5/invoicecpa/entries', {
    date,
    lines: [
      { accountNumber: '1010', debitAgorot: income },
      { accountNumber: '4000', creditAgorot: income },
    ],
  })
  await shop.send('POST', '/api5/invoicecpa/entries', {
    date,
    lines: [
      { accountNumber: '6010', debitAgorot: rent },
      { accountNumber: '1010', creditAgorot: rent },
    ],
  })
}
const year = (of = 2026) => shop.call(calls.budgetOfYear, { year: of })
const row = async (number: string, of = 2026) => (await year(of)).rows.find((one) => one.number === number)!
const cell = (number: string, month: number, agorot: number | null) => ({
  accountId: id(number),
  month,
  agorot,
})
const every = (agorot: number) => Array.from({ length: 12 }, () => agorot)
const member = (change: string) =>
  asSystem(world.app.db, (tx) =>
    sql`update memberships set ${sql.raw(change)} where company_id = ${companyId}`.execute(tx),
  )
const audited = async () => {
  const { rows } = await asSystem(world.app.db, (tx) =>
    sql<{
      action: string
      before: any
      after: any
    }>`select action, before, after from audit_log where company_id = ${companyId} and entity = 'budget'
      order by id desc limit 1`.execute(tx),
  )
  return rows[0]!
}
const report = (name: string, query: string) =>
  shop.get<ReportAnswer>(`/api4/invoice/reports/${name}?${query}`)
const wholeYear = 'from=2026-01-01&to=2026-12-31'

describe('the budget of a year', () => {
  test('stands beside the real figures of the year and of the one before', async () => {
    const answer = await year()
    expect(answer.monthsPast).toBe(10)
    expect((await year(2025)).monthsPast).toBe(12)
    expect((await year(2027)).monthsPast).toBe(0)
    const rent = answer.rows.find(({ number }) => number === '6010')!
    expect(rent).toMatchObject({ kind: 'expense', budget: every(0).map(() => null), before: every(3_000_00) })
    expect(rent.actual).toEqual([...Array.from({ length: 10 }, () => 3_300_00), 0, 0])
    expect(answer.rows.find(({ number }) => number === '4000')).toMatchObject({
      kind: 'income',
      before: every(10_000_00),
    })
    // Balances are not budgeted.
    expect(answer.rows.some(({ number }) => number === '1010')).toBe(false)
  })

  test('keeps what is typed to the agora, takes away what is emptied, and tells the log both', async () => {
    expect(
      await shop.call(calls.keepBudget, {
        year: 2026,
        cells: [cell('6010', 1, 3_500_50), cell('6010', 2, 0)],
      }),
    ).toEqual({
      changed: 2,
    })
    expect((await row('6010')).budget.slice(0, 3)).toEqual([3_500_50, 0, null])
    expect(await audited()).toEqual({
      action: 'budget.keep',
      before: { year: 2026, sums: { '6010': { 1: null, 2: null } } },
      after: { year: 2026, sums: { '6010': { 1: 3_500_50, 2: 0 } } },
    })
    // Existing values change nothing.
    expect(await shop.call(calls.keepBudget, { year: 2026, cells: [cell('6010', 1, 3_500_50)] })).toEqual({
      changed: 0,
    })
    expect(
      await shop.call(calls.keepBudget, {
        year: 2026,
        cells: [cell('6010', 1, null), cell('6010', 2, null)],
      }),
    ).toEqual({ changed: 2 })
    expect((await row('6010')).budget).toEqual(every(0).map(() => null))
    expect((await row('6010', 2027)).budget).toEqual(every(0).map(() => null))
  })

  test('is copied from last year, from the newest months, from the last budget; of some accounts, or where nothing is set', async () => {
    await shop.call(calls.copyBudget, { year: 2026, from: 'lastYear', percentBp: 500 })
    expect((await row('6010')).budget).toEqual(every(3_150_00))
    expect((await row('4000')).budget).toEqual(every(10_500_00))
    expect(await audited()).toMatchObject({
      action: 'budget.copy',
      after: { from: 'lastYear', percentBp: 500 },
    })
    // The newest October is this year's, the newest December last year's: this one has not been yet.
    await shop.call(calls.copyBudget, { year: 2027, from: 'newest', accountIds: [id('6010')] })
    expect((await row('6010', 2027)).budget).toEqual([
      ...Array.from({ length: 10 }, () => 3_300_00),
      3_000_00,
      3_000_00,
    ])
    expect((await row('4000', 2027)).budget[0]).toBeNull()
    await shop.call(calls.copyBudget, { year: 2027, from: 'lastBudget', percentBp: -1_000, onlyEmpty: true })
    expect((await row('4000', 2027)).budget).toEqual(every(9_450_00))
    expect((await row('6010', 2027)).budget[0]).toBe(3_300_00)
    await expect(shop.call(calls.copyBudget, { year: 2024, from: 'lastYear' })).rejects.toMatchObject({
      code: 'budget.nothingToCopy',
    })
  })

  test.each([
    [
      'an account of the balance sheet',
      () => ({ year: 2026, cells: [cell('1010', 1, 5)] }),
      'cells.0.accountId',
      'fields.ref',
    ],
    [
      'a thirteenth month',
      () => ({ year: 2026, cells: [cell('6010', 13, 5)] }),
      'cells.0.month',
      'fields.most',
    ],
    [
      'a sum beyond all sums',
      () => ({ year: 2026, cells: [cell('6010', 1, 10 ** 15)] }),
      'cells.0.agorot',
      'fields.most',
    ],
    [
      'half an agora',
      () => ({ year: 2026, cells: [cell('6010', 1, 0.5)] }),
      'cells.0.agorot',
      'fields.money',
    ],
    ['no cell', () => ({ year: 2026, cells: [] }), 'cells', 'fields.need'],
    ['a year long gone', () => ({ year: 1999, cells: [cell('6010', 1, 5)] }), 'year', 'fields.least'],
  ])('refuses %s at its field', async (_, input, path, code) => {
    await expect(shop.call(calls.keepBudget, input())).rejects.toMatchObject({
      status: 422,
      errors: [{ path, code }],
    })
  })

  test('refuses a percentage that would turn it round, and a strange account', async () => {
    await expect(
      shop.call(calls.copyBudget, { year: 2026, from: 'lastYear', percentBp: -10_001 }),
    ).rejects.toMatchObject({
      errors: [{ path: 'percentBp', code: 'budget.badPercent' }],
    })
    const stranger = await newBusiness(world)
    await expect(
      stranger.call(calls.keepBudget, { year: 2026, cells: [cell('6010', 1, 5)] }),
    ).rejects.toMatchObject({
      errors: [{ path: 'cells.0.accountId', code: 'fields.ref' }],
    })
    expect(
      (await stranger.call(calls.budgetOfYear, { year: 2026 })).rows.every(({ budget }) =>
        budget.every((one) => one === null),
      ),
    ).toBe(true)
  })
})

describe('a file', () => {
  const read = (text: string | Uint8Array) =>
    shop.call(calls.readBudgetFile, {
      year: 2026,
      bytes: typeof text === 'string' ? Buffer.from(text) : text,
    } as never)

  test('is read, told by line what was not, and changes nothing by itself', async () => {
    const before = await row('6020')
    const answer = await read(
      'מספר,שם,01/2026,02/2026\n6020,חשמל,400,450.50\n6030,טלפון,הרבה,100\n9876,אין כזה,1,1\n4000,הכנסות,5,5\n',
    )
    expect(answer).toEqual({
      cells: [
        { accountId: id('6020'), month: 1, agorot: 400_00 },
        { accountId: id('6020'), month: 2, agorot: 450_50 },
        { accountId: id('6030'), month: 2, agorot: 100_00 },
        { accountId: id('4000'), month: 1, agorot: 5_00 },
        { accountId: id('4000'), month: 2, agorot: 5_00 },
      ],
      accounts: 3,
      totalAgorot: { income: 10_00, expense: 950_50 },
      faults: [
        { row: 3, why: 'sum', text: 'הרבה', month: 1 },
        { row: 4, why: 'unknown', text: '9876 אין כזה' },
      ],
    })
    expect(await row('6020')).toEqual(before)
  })

  test.each(['xlsx', 'csv'])('a budget that goes out as %s comes back as it was', async (format) => {
    await shop.call(calls.keepBudget, {
      year: 2026,
      cells: [cell('6020', 3, 123_45), cell('6020', 4, -7_00)],
    })
    const file = await shop.get<Uint8Array>(`/api4/invoiceexport/budget/budget.${format}?year=2026`)
    const answer = await read(file)
    expect(answer.faults).toEqual([])
    const kept = (await year()).rows.flatMap(({ accountId, budget }) =>
      budget.flatMap((agorot, i) => (agorot === null ? [] : [{ accountId, month: i + 1, agorot }])),
    )
    const order = (cells: typeof kept) =>
      cells.map((one) => `${one.accountId} ${two(one.month)} ${one.agorot}`).sort()
    expect(order(answer.cells)).toEqual(order(kept))
    expect(await shop.call(calls.keepBudget, { year: 2026, cells: answer.cells })).toEqual({ changed: 0 })
  })

  test('that is no table, or names no account, is refused', async () => {
    await expect(read('%PDF-1.7 not a table')).rejects.toMatchObject({ code: 'imports.badType' })
    await expect(read('a,b\nc,d\n')).rejects.toMatchObject({ code: 'budget.nothingRead' })
  })
})

describe('beside the budget', () => {
  beforeAll(async () => {
    await shop.call(calls.keepBudget, {
      year: 2026,
      cells: (await year()).rows.flatMap(({ accountId }) =>
        every(0).map((_, i) => ({ accountId, month: i + 1, agorot: null })),
      ),
    })
    await shop.call(calls.keepBudget, {
      year: 2026,
      cells: every(0).flatMap((_, i) => [
        cell('4000', i + 1, 11_000_00),
        cell('6010', i + 1, 3_200_00),
        cell('6050', i + 1, 100_00),
      ]),
    })
  })

  test('the report of budget and actual, account by account, with the result of both', async () => {
    const { rows, checks } = await report('budgetActual', wholeYear)
    expect(
      rows.map((one) => [
        one.number ?? one.name,
        one.budgetAgorot,
        one.actualAgorot,
        one.differenceAgorot,
        one.usedBp,
      ]),
    ).toEqual([
      ['4000', 132_000_00, 120_000_00, -12_000_00, 9_091],
      ['סה״כ הכנסות', 132_000_00, 120_000_00, -12_000_00, 9_091],
      ['6010', 38_400_00, 33_000_00, -5_400_00, 8_594],
      ['6050', 1_200_00, 0, -1_200_00, 0],
      ['סה״כ הוצאות', 39_600_00, 33_000_00, -6_600_00, 8_333],
      ['רווח', 92_400_00, 87_000_00, -5_400_00, 9_416],
    ])
    expect(checks).toEqual([{ name: 'resultIsSum', ok: true }])
    // Until October more was spent on rent than meant, and nothing else went wrong: income was above.
    const { rows: over } = await report('budgetActual', 'from=2026-01-01&to=2026-10-31&over=true')
    expect(over.map(({ number }) => number)).toEqual(['6010'])
  })

  test('a month that is cut counts by its days', async () => {
    const { rows } = await report('budgetActual', 'from=2026-06-01&to=2026-06-15')
    expect(rows.find(({ number }) => number === '6010')).toMatchObject({
      budgetAgorot: 1_600_00,
      actualAgorot: 3_300_00,
    })
  })

  test('profit and loss, its results too, by the filter and by the view alike', async () => {
    for (const how of ['compare=budget', 'vs=budget']) {
      const { rows, shape, checks } = await report('profitLoss', `${wholeYear}&level=account&${how}`)
      expect(shape.columns.compareAgorot!.heading).toBe('התקציב')
      const of = (name: string) => rows.find((one) => one.code === name || one.kind === name)!
      expect(of('4000')).toMatchObject({
        amountAgorot: 120_000_00,
        compareAgorot: 132_000_00,
        changeAgorot: -12_000_00,
      })
      expect(of('6050')).toMatchObject({ amountAgorot: 0, compareAgorot: 1_200_00 })
      expect(of('netProfit')).toMatchObject({
        amountAgorot: 87_000_00,
        compareAgorot: 92_400_00,
        changeAgorot: -5_400_00,
      })
      expect(checks.every(({ ok }) => ok)).toBe(true)
    }
  })

  test('expenses by kind: kinds that share an account stand against its one budget, what was meant and did not come has a line', async () => {
    const types = await shop.get<{ rows: { id: string; name: string; accountNumber: string }[] }>(
      '/api4/invoice/expensetypes?size=200',
    )
    const advertising = types.rows.find(({ accountNumber }) => accountNumber === '6050')!
    const other = await shop.send<{ id: string }>('POST', '/api4/invoice/expensetypes', {
      name: 'שלטים',
      accountId: id('6050'),
      vatShare: 'none',
    })
    const supplier = await shop.send<{ id: string }>('POST', '/api4/invoice/suppliers', { name: 'דפוס' })
    let bills = 0
    const bill = (typeId: string, netAgorot: number) =>
      shop.send('POST', '/api4/invoice/expenses', {
        supplierId: supplier.id,
        supplierNumber: String(++bills),
        date: '2026-11-03',
        lines: [{ typeId, netAgorot, vatAgorot: 0 }],
      })
    await bill(advertising.id, 150_00)
    await bill(other.id, 30_00)
    const { rows, shape, totals } = await report(
      'expensesByTypeMonth',
      'from=2026-11-01&to=2026-11-30&vs=budget',
    )
    expect(shape.budgets).toBe(true)
    const said = rows.map((one) => [
      one.type,
      one.totalAgorot,
      one.vsBefore ?? null,
      one.vsChange ?? null,
      one.vsPercent ?? null,
    ])
    const [first, second] = said.filter(([type]) => type === advertising.name || type === 'שלטים')
    expect(first!.slice(1)).toEqual([first![0] === 'שלטים' ? 30_00 : 150_00, 100_00, 80_00, 8_000])
    expect(second!.slice(2)).toEqual([null, null, null])
    const rent = types.rows.find(({ accountNumber }) => accountNumber === '6010')!
    expect(said).toContainEqual([rent.name, 0, 3_200_00, -3_200_00, -10_000])
    expect(totals).toMatchObject({ totalAgorot: 180_00, vsBefore: 3_300_00, vsChange: 180_00 - 3_300_00 })
    // Against one supplier's part the whole budget would say nothing.
    const part = await report(
      'expensesByTypeMonth',
      `from=2026-11-01&to=2026-11-30&vs=budget&supplier=${supplier.id}`,
    )
    expect(part.shape.budgets).toBeUndefined()
    expect(part.shape.columns.vsBefore).toBeUndefined()
  })
})

describe('rights', () => {
  test('whoever sees no sums, a part of the business or has no rule gets nothing of it, in the reports neither', async () => {
    const refused = { code: 'session.forbidden' }
    for (const sight of [
      'hide_total_prices = true',
      'own_customers_only = true',
      "docs_allow = '{8}'",
      "rules = '{65}'",
    ]) {
      await member(sight)
      await expect(year()).rejects.toMatchObject(refused)
      await expect(
        shop.call(calls.keepBudget, { year: 2026, cells: [cell('6010', 1, 5)] }),
      ).rejects.toMatchObject(refused)
      await expect(shop.call(calls.cashForecast, {})).rejects.toMatchObject(refused)
      await expect(shop.call(calls.listSums, {})).rejects.toMatchObject(refused)
      await expect(report('budgetActual', wholeYear)).rejects.toMatchObject(refused)
      await expect(report('cashMovements', '')).rejects.toMatchObject(refused)
      await member("hide_total_prices = false, own_customers_only = false, docs_allow = '{}', rules = '{}'")
    }
    // Reports of a part, and without amounts, have no budget either.
    for (const sight of ['hide_total_prices = true', 'own_customers_only = true', "docs_allow = '{8}'"]) {
      await member(sight)
      const { shape } = await report('expensesByTypeMonth', `${wholeYear}&vs=budget`)
      expect([shape.budgets, shape.columns.vsBefore]).toEqual([undefined, undefined])
      await member("hide_total_prices = false, own_customers_only = false, docs_allow = '{}'")
    }
    // Sees books, not the budget: profit and loss has no budget.
    await member("rules = '{72,60,61,62}'")
    const { rows } = await report('profitLoss', `${wholeYear}&compare=budget`)
    expect(rows.some((one) => 'compareAgorot' in one)).toBe(false)
    // Sees the budget and may not change it.
    await member("rules = '{120}'")
    expect((await year()).year).toBe(2026)
    await expect(
      shop.call(calls.keepBudget, { year: 2026, cells: [cell('6010', 1, 5)] }),
    ).rejects.toMatchObject(refused)
    await expect(shop.call(calls.cashForecast, {})).rejects.toMatchObject(refused)
    await member("rules = '{}'")
  })
})
