import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem } from '#kit/server/data/db.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { addEntry } from '#features/base/ledger/endpoints.ts'
import { homePage } from '#features/office/home/endpoints.ts'
import * as calls from './endpoints.ts'

let world: World
let now = '2026-11-22T09:00:00Z'
beforeAll(async () => {
  world = await startWorld(() => new Date(now))
})
afterAll(() => world.close())

const at = (day: string) => {
  now = `${day}T09:00:00Z`
}
/** Writes income or an expense into the books of a day. */
const book = (of: Business, date: string, account: '4000' | '6040', agorot: number) =>
  of.call(addEntry, {
    date,
    details: 'x',
    lines: [
      {
        accountNumber: account,
        debitAgorot: account === '4000' ? 0 : agorot,
        creditAgorot: account === '4000' ? agorot : 0,
      },
      {
        accountNumber: '1010',
        debitAgorot: account === '4000' ? agorot : 0,
        creditAgorot: account === '4000' ? 0 : agorot,
      },
    ],
  })
const show = (of: Business, year = 2026) => of.call(calls.smallBusiness, { year })
const take = (of: Business, year: number) =>
  of.call(calls.electSmall, { year, takes: true, meetsConditions: true })

test('both methods by the figures of the books, month by month', async () => {
  at('2026-11-22')
  const maya = await newBusiness(world, { kind: 'exemptDealer' })
  await book(maya, '2026-03-10', '4000', 4_000_000)
  await book(maya, '2026-05-10', '4000', 6_000_000)
  await book(maya, '2026-05-11', '6040', 2_000_000)
  const one = await show(maya)
  expect(one).toMatchObject({
    isIndividual: true,
    takes: false,
    mayTakeFrom: 2026,
    declareUntil: '2026-12-31',
    dueDay: '2027-03-31',
    isByRule: true,
    isOver: false,
    figures: {
      turnoverAgorot: 10_000_000,
      rateBp: 3000,
      deductionAgorot: 3_000_000,
      incomeAgorot: 7_000_000,
    },
    ceilingAgorot: 12_283_300,
    ceilingState: 'near',
    expensesAgorot: 2_000_000,
    actualIncomeAgorot: 8_000_000,
    better: 'small',
    differenceAgorot: 1_000_000,
    filed: null,
    changedSince: false,
    differences: 0,
  })
  expect(one.months.filter(({ agorot }) => agorot)).toEqual([
    { month: '2026-03', agorot: 4_000_000 },
    { month: '2026-05', agorot: 6_000_000 },
  ])
  expect(
    await maya.call(calls.smallBusiness, { year: 2026, otherDeductionsAgorot: 1_500_000 }),
  ).toMatchObject({
    expensesAgorot: 2_000_000,
    actualAgorot: 3_500_000,
    better: 'actual',
    differenceAgorot: 500_000,
  })
})

describe('the election', () => {
  test('needs an individual and all conditions, and holds from its year on', async () => {
    at('2026-11-22')
    const company = await newBusiness(world, { kind: 'company' })
    expect((await show(company)).isIndividual).toBe(false)
    await expect(take(company, 2026)).rejects.toMatchObject({ code: 'filings.notIndividual' })
    const maya = await newBusiness(world)
    await expect(maya.call(calls.electSmall, { year: 2026, takes: true })).rejects.toMatchObject({
      errors: [{ path: 'meetsConditions', code: 'filings.smallConditions' }],
    })
    await take(maya, 2025)
    expect([
      (await show(maya, 2024)).takes,
      (await show(maya, 2025)).takes,
      (await show(maya)).takes,
    ]).toEqual([false, true, true])
  })

  test('who left waits two years more', async () => {
    at('2026-11-22')
    const maya = await newBusiness(world)
    await take(maya, 2025)
    await maya.call(calls.electSmall, { year: 2026, takes: false })
    expect(await show(maya, 2027)).toMatchObject({ takes: false, mayTakeFrom: 2029 })
    await expect(take(maya, 2028)).rejects.toMatchObject({ code: 'filings.smallBarred' })
    // To stay in it is no return to it.
    await take(maya, 2026)
    expect((await show(maya)).elections).toEqual([{ fromYear: 2025, takes: true }])
  })
})

test('payments of the year are entries of the statement, within their year and before it is filed', async () => {
  at('2026-11-22')
  const maya = await newBusiness(world, { kind: 'exemptDealer' })
  await book(maya, '2026-03-10', '4000', 4_000_000)
  const add = (kind: 'war' | 'reserve', amountAgorot: number, more = {}) =>
    maya.call(calls.addSmallPayment, { date: '2026-06-01', kind, amountAgorot, ...more })
  const war = await add('war', 1_000_000)
  await add('reserve', 500_000, { withheldAgorot: 70_000, note: 'יוני' })
  expect(await maya.call(calls.getSmallPayment, { id: war.id })).toEqual(war)
  expect(await show(maya)).toMatchObject({
    figures: {
      compensationAgorot: 1_000_000,
      wholeAgorot: 5_000_000,
      deductionAgorot: 1_500_000,
      otherPaymentsAgorot: 500_000,
      incomeAgorot: 4_000_000,
      withheldAgorot: 70_000,
    },
    payments: [{ kind: 'war' }, { kind: 'reserve', note: 'יוני' }],
  })
  expect((await show(maya, 2025)).payments).toEqual([])
  await expect(add('reserve', 1, { withheldAgorot: 2 })).rejects.toMatchObject({
    errors: [{ path: 'withheldAgorot', code: 'fields.range' }],
  })
  await expect(add('reserve', 1, { date: '2026-11-23' })).rejects.toMatchObject({
    errors: [{ path: 'date' }],
  })
  await maya.call(calls.dropSmallPayment, { id: war.id })
  await expect(maya.call(calls.dropSmallPayment, { id: war.id })).rejects.toMatchObject({
    code: 'kit.notFound',
  })
  const other = await newBusiness(world)
  const { id } = (await show(maya)).payments[0]!
  await expect(other.call(calls.getSmallPayment, { id })).rejects.toMatchObject({ code: 'kit.notFound' })
})

test('the statement of a year is filed after it, kept as it was, and what changed since is said', async () => {
  at('2026-11-22')
  const maya = await newBusiness(world)
  await book(maya, '2026-03-10', '4000', 4_000_000)
  const file = () => maya.call(calls.fileSmallStatement, { year: 2026, reference: '7781' })
  await expect(file()).rejects.toMatchObject({ code: 'filings.smallNotTaken' })
  await take(maya, 2026)
  await expect(file()).rejects.toMatchObject({ code: 'filings.smallYearOpen' })
  at('2027-03-02')
  // In the month in which it is due it is a task of the home page, until it is filed.
  expect((await maya.call(homePage, {})).statement).toEqual({
    duty: 'smallStatement',
    year: 2026,
    dueDay: '2027-03-31',
  })
  const filed = await file()
  expect(filed).toMatchObject({ year: 2026, filedDay: '2027-03-02', reference: '7781', filedBy: 'נועה ורדי' })
  expect((await maya.call(homePage, {})).statement).toBeNull()
  await expect(file()).rejects.toMatchObject({ code: 'filings.smallFiled' })
  await expect(maya.call(calls.electSmall, { year: 2026, takes: false })).rejects.toMatchObject({
    code: 'filings.smallFiled',
  })
  await expect(
    maya.call(calls.addSmallPayment, { date: '2026-06-01', kind: 'birth', amountAgorot: 1 }),
  ).rejects.toMatchObject({ code: 'filings.smallFiled' })
  expect((await show(maya)).changedSince).toBe(false)
  await book(maya, '2026-12-30', '4000', 1000)
  expect(await show(maya)).toMatchObject({
    changedSince: true,
    filed: { figures: { turnoverAgorot: 4_000_000 } },
    figures: { turnoverAgorot: 4_001_000 },
  })
  await maya.call(calls.reopenSmallStatement, { id: filed.id })
  await expect(maya.call(calls.getSmallStatement, { id: filed.id })).rejects.toMatchObject({
    code: 'kit.notFound',
  })
  expect((await file()).figures.turnoverAgorot).toBe(4_001_000)
})

test('a year above the ceiling is not filed as one of a small business', async () => {
  at('2026-11-22')
  const maya = await newBusiness(world)
  await take(maya, 2026)
  await book(maya, '2026-03-10', '4000', 12_283_301)
  at('2027-02-01')
  expect((await show(maya)).ceilingState).toBe('passed')
  await expect(maya.call(calls.fileSmallStatement, { year: 2026 })).rejects.toMatchObject({
    code: 'filings.smallPassed',
  })
})

test('home shows the ceiling of a licensed dealer who is a small business', async () => {
  at('2026-11-22')
  const maya = await newBusiness(world)
  expect((await maya.call(homePage, {})).ceiling).toBeNull()
  await take(maya, 2026)
  await book(maya, '2026-03-10', '4000', 1000)
  expect((await maya.call(homePage, {})).ceiling).toEqual({ turnoverAgorot: 1000, limitAgorot: 12_283_300 })
  await book(maya, '2026-03-10', '4000', 12_283_300)
  expect((await maya.call(homePage, {})).turnover).toContainEqual(
    expect.objectContaining({ duty: 'smallCeiling', state: 'passed', open: '/invoice/smallbusiness' }),
  )
})

test('while documents and books part nothing is filed', async () => {
  at('2026-11-22')
  const maya = await newBusiness(world)
  await take(maya, 2026)
  const { id } = await maya.call(addEntry, {
    date: '2026-03-10',
    details: 'x',
    lines: [
      { accountNumber: '4000', debitAgorot: 0, creditAgorot: 1000 },
      { accountNumber: '1010', debitAgorot: 1000, creditAgorot: 0 },
    ],
  })
  await asSystem(world.app.db, (tx) =>
    sql`update account_months set credit_agorot = credit_agorot + 1 where month = '2026-03-01'
      and account_id = (select account_id from postings
      where entry_id = ${id} and amount_agorot < 0)`.execute(tx),
  )
  at('2027-02-01')
  expect((await show(maya)).differences).toBe(1)
  await expect(maya.call(calls.fileSmallStatement, { year: 2026 })).rejects.toMatchObject({
    code: 'filings.differ',
  })
})
