import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { wornUntil } from '#domain/assets/worn.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { accounts } from '#features/base/ledger/accounts.ts'
import { cardOfAccount } from '#features/base/ledger/endpoints.ts'
import { refusedByDatabase } from '../../../../tests/nets.ts'
import * as calls from './endpoints.ts'

let world: World
let shop: Business
let kinds: {
  id: string
  name: string
  accountNumber: string
  isFixedAsset: boolean
  depreciationBp: number
}[]
beforeAll(async () => {
  world = await startWorld(() => new Date('2026-11-22T09:00:00Z'))
  shop = await newBusiness(world)
  kinds = (await shop.get('/api4/invoice/expensetypes?size=100')).rows
})
afterAll(() => world.close())

const base = '/api4/invoice/fixedassets'
const buy = (accountNumber: string, netAgorot: number, date: string, details: string) =>
  shop.send('POST', '/api4/invoice/expenses', {
    supplier: { name: 'ספק ציוד' },
    supplierNumber: details,
    date,
    means: 'bank',
    lines: [
      {
        typeId: kinds.find((k) => k.isFixedAsset && k.accountNumber === accountNumber)!.id,
        netAgorot,
        details,
      },
    ],
  })
const named = async (name: string) =>
  (await shop.get(`${base}?size=100`)).rows.find((row: { name: string }) => row.name === name)
const balanceOf = async (key: string): Promise<number> => {
  const { rows } = await sql<{
    amount: number
  }>`select coalesce(sum(p.amount_agorot), 0)::bigint as amount from postings p
    join accounts a on a.company_id = p.company_id and a.id = p.account_id
    join memberships m on m.company_id = p.company_id join users u on u.id = m.user_id
    where u.email = ${shop.email} and a.key = ${key}`.execute(world.app.db.kysely)
  return rows[0]!.amount
}
const books = async (from = '2026-01-01', to = '2026-12-31') =>
  shop.get(`/api4/invoice/reports/assetsInBooks?from=${from}&to=${to}`)
const form = async (from: string, to: string) =>
  shop.get(`/api4/invoice/reports/formYodAlef?from=${from}&to=${to}`)

describe('the register', () => {
  test('an approved expense of a fixed asset is an asset of its kind', async () => {
    await buy('1520', 365_000, '2026-01-01', 'מחשב')
    await buy('1510', 2_000_000, '2026-04-01', 'משאית')
    expect(await named('מחשב')).toMatchObject({
      kind: 'computers',
      depreciationBp: 3300,
      costAgorot: 365_000,
      state: 'inUse',
    })
    expect((await named('משאית')).kind).toMatch(/ehicle$/)
  })

  test('by hand: the law’s rate unless a reason says otherwise', async () => {
    const asset = { name: 'ארון', kind: 'furniture', startDay: '2026-01-01', costAgorot: 100_000 }
    const made = await shop.send('POST', base, asset)
    expect(made).toMatchObject({ depreciationBp: 600, accountIdName: expect.anything() })
    await expect(shop.send('POST', base, { ...asset, depreciationBp: 700 })).rejects.toMatchObject({
      errors: [{ path: 'rateReason', code: 'assets.needReason' }],
    })
    await expect(shop.send('POST', base, { ...asset, kind: 'other' })).rejects.toMatchObject({
      errors: [{ path: 'depreciationBp' }],
    })
    await expect(shop.send('POST', base, { ...asset, openingWornAgorot: 5 })).rejects.toMatchObject({
      errors: [{ path: 'openingDay' }],
    })
    // What was worn before cannot have been worn before it was there, nor in the days to come.
    for (const openingDay of ['2025-12-31', '2199-12-31'])
      await expect(
        shop.send('POST', base, { ...asset, openingDay, openingWornAgorot: 5 }),
      ).rejects.toMatchObject({
        errors: [{ path: 'openingDay', code: 'assets.openingDay' }],
      })
    await expect(shop.send('POST', base, { ...asset, costAgorot: -1 })).rejects.toMatchObject({
      errors: [{ path: 'costAgorot' }],
    })
    await shop.send('DELETE', `${base}/${made.id}`)
    const own = await shop.send('POST', base, { ...asset, depreciationBp: 1200, rateReason: 'משמרת שנייה' })
    const row = (await form('2026-01-01', '2026-12-31')).rows.find(
      (one: { name: string }) => one.name === 'ארון',
    )
    expect(row).toMatchObject({ depreciationBp: 1200, rateReason: 'משמרת שנייה', depreciationAgorot: 12_000 })
    await shop.send('DELETE', `${base}/${own.id}`)
  })

  test('what is older than the books goes on from its opening, which is posted once', async () => {
    const { id } = await shop.send('POST', base, {
      name: 'מכונה ישנה',
      kind: 'equipment',
      startDay: '2020-01-01',
      costAgorot: 1_000_000,
      openingDay: '2025-12-31',
      openingWornAgorot: 610_000,
    })
    expect((await books()).checks).toContainEqual({ name: 'bothWays', ok: false })
    await shop.call(calls.openAsset, { id })
    await expect(shop.call(calls.openAsset, { id })).rejects.toMatchObject({ code: 'assets.opened' })
    await expect(shop.send('PATCH', `${base}/${id}`, { costAgorot: 5 })).rejects.toMatchObject({
      code: 'assets.posted',
    })
    expect((await books()).checks).toContainEqual({ name: 'bothWays', ok: true })
  })

  test('only an asset entered by hand that is still there has an opening', async () => {
    await expect(shop.call(calls.openAsset, { id: (await named('מחשב')).id })).rejects.toMatchObject({
      code: 'assets.notOpening',
    })
    const { id } = await shop.send('POST', base, {
      name: 'מדפסת ישנה',
      kind: 'computers',
      startDay: '2024-01-01',
      costAgorot: 80_000,
      openingDay: '2025-12-31',
      openingWornAgorot: 50_000,
    })
    await shop.send('DELETE', `${base}/${id}`)
    await expect(shop.call(calls.openAsset, { id })).rejects.toMatchObject({ code: 'assets.notOpening' })
    await expect(
      shop.call(calls.disposeAsset, { id, how: 'scrapped', date: '2026-05-01' }),
    ).rejects.toMatchObject({ code: 'assets.disposed' })
    expect(await balanceOf('openingBalances')).toBe(-(1_000_000 - 610_000))
  })

  test('what is sold before its opening is refused, on the opening day too', async () => {
    const made = { kind: 'furniture', startDay: '2024-01-01', costAgorot: 40_000 }
    const { id } = await shop.send('POST', base, {
      ...made,
      name: 'ספה',
      openingDay: '2025-12-31',
      openingWornAgorot: 5_000,
    })
    const scrap = (date: string) => shop.call(calls.disposeAsset, { id, how: 'scrapped', date })
    for (const date of ['2024-01-01', '2025-12-30', '2025-12-31'])
      await expect(scrap(date)).rejects.toMatchObject({
        errors: [{ path: 'date', code: 'assets.beforeOpening' }],
      })
    await expect(scrap('2023-12-31')).rejects.toMatchObject({
      errors: [{ path: 'date', code: 'assets.beforeUse' }],
    })
    await expect(scrap('2026-11-23')).rejects.toMatchObject({
      errors: [{ path: 'date', code: 'expenses.dateInFuture' }],
    })
    await scrap('2026-01-01')
    await expect(shop.call(calls.openAsset, { id })).rejects.toMatchObject({ code: 'assets.disposed' })
    await shop.call(calls.undisposeAsset, { id })
    await shop.send('DELETE', `${base}/${id}`)
  })

  test('the account of its cost is one of assets, and not the customers’', async () => {
    const asset = { name: 'שולחן', kind: 'furniture', startDay: '2026-01-01', costAgorot: 100_000 }
    const { rows } = await shop.get('/api5/invoicecpa/accounts?size=200')
    for (const [number, code] of [
      ['1100', 'ledger.controlAccount'],
      ['6010', 'assets.accountKind'],
    ])
      await expect(
        shop.send('POST', base, {
          ...asset,
          accountId: rows.find((a: { number: string }) => a.number === number).id,
        }),
      ).rejects.toMatchObject({ errors: [{ path: 'accountId', code }] })
  })

  test('the database counts as the domain does', async () => {
    for (const [cost, rate, start, openingDay, opening, sold, until] of [
      [365_000, 3300, '2023-05-17', null, 0, null, '2026-02-28'],
      [999_999, 1500, '2020-02-29', null, 0, '2024-03-01', '2026-12-31'],
      [123_456, 600, '2011-01-01', '2019-12-31', 61_728, null, '2024-12-31'],
      [123_456, 600, '2011-01-01', '2019-12-31', 61_728, null, '2018-06-30'],
      [500_000, 1000, '2026-11-22', null, 0, '2026-11-22', '2027-01-01'],
      [77, 3300, '2000-01-01', null, 0, null, '2026-01-01'],
      [365_000, 3300, '2022-01-01', '2025-12-31', 200_000, null, '2027-06-30'],
      [365_000, 3300, '2022-01-01', '2022-01-31', 300_000, null, '2022-01-15'],
    ] as const) {
      const { rows } = await sql<{
        worn: number
      }>`select asset_worn(${cost}::bigint, ${rate}::int, ${start}::date, ${openingDay}::date,
          ${opening}::bigint, ${sold}::date,
        ${until}::date) as worn`.execute(world.app.db.kysely)
      const terms = {
        cost,
        rateBp: rate,
        startDay: start,
        openingDay,
        openingWorn: opening,
        disposedDay: sold,
      }
      expect([start, rows[0]!.worn]).toEqual([start, wornUntil(terms, until)])
    }
  })
})

describe('depreciation', () => {
  test('is posted once for a period, by kind, and never across a tax year', async () => {
    expect(await shop.call(calls.listRuns, {})).toMatchObject({
      rows: [],
      nextDay: '2026-01-01',
      lastDay: '2026-12-31',
    })
    await expect(shop.call(calls.previewDepreciation, { to: '2027-01-31' })).rejects.toMatchObject({
      code: 'assets.yearFirst',
    })
    const preview = await shop.call(calls.previewDepreciation, { to: '2026-06-30' })
    const run = await shop.call(calls.postDepreciationRun, { to: '2026-06-30' })
    expect(run.totalAgorot).toBe(preview.totalAgorot)
    await expect(shop.call(calls.postDepreciationRun, { to: '2026-06-30' })).rejects.toMatchObject({
      code: 'assets.alreadyPosted',
    })
    await expect(shop.call(calls.postDepreciationRun, { to: '2026-03-31' })).rejects.toMatchObject({
      code: 'assets.alreadyPosted',
    })
    expect(await balanceOf('wornComputers')).toBe(-Math.round((120_450 * 181) / 365))
    expect(await balanceOf('depreciation')).toBe(run.totalAgorot)
    expect((await books()).checks).toContainEqual({ name: 'bothWays', ok: true })
    // On a day before the run neither the books nor the register know it.
    const before = await books('2026-01-01', '2026-06-29')
    expect(before.checks).toContainEqual({ name: 'bothWays', ok: true })
    const after = await books('2026-01-01', '2026-06-30')
    expect(after.totals.booksAgorot - before.totals.booksAgorot).toBe(-run.totalAgorot)
  })

  test('two at the same moment post it once', async () => {
    const both = await Promise.allSettled(
      [1, 2].map(() => shop.call(calls.postDepreciationRun, { to: '2026-07-31' })),
    )
    expect(both.map((one) => one.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  test('the last may be reversed, and posted again', async () => {
    const { rows } = await shop.call(calls.listRuns, {})
    await expect(shop.call(calls.reverseDepreciationRun, { id: rows[1]!.id })).rejects.toMatchObject({
      code: 'assets.notLast',
    })
    const before = await balanceOf('depreciation')
    await shop.call(calls.reverseDepreciationRun, { id: rows[0]!.id })
    await expect(shop.call(calls.reverseDepreciationRun, { id: rows[0]!.id })).rejects.toMatchObject({
      code: 'assets.reversed',
    })
    expect(await balanceOf('depreciation')).toBe(before - rows[0]!.totalAgorot)
    await shop.call(calls.postDepreciationRun, { to: '2026-07-31' })
    expect(await balanceOf('depreciation')).toBe(before)
  })

  test('what was entered late comes with the next, and what was cancelled goes back', async () => {
    const chair = await buy('1530', 60_000, '2026-01-01', 'כיסאות')
    await shop.call(calls.postDepreciationRun, { to: '2026-08-31' })
    expect(await balanceOf('wornFurniture')).toBe(-Math.round((3600 * 243) / 365))
    await shop.send('POST', `/api4/invoice/expenses/${chair.id}/cancel`, { reason: 'טעות' })
    // In the same step, on the day it was posted: the register and the books agree before any run and on any day.
    expect(await balanceOf('wornFurniture')).toBe(0)
    for (const to of ['2026-08-30', '2026-08-31', '2026-12-31'])
      expect((await books('2026-01-01', to)).checks).toContainEqual({ name: 'bothWays', ok: true })
    const [taken] = (await shop.call(calls.listRuns, {})).rows.filter((row) => row.kind === 'takenBack')
    expect(taken).toMatchObject({ toDay: '2026-08-31', asset: 'כיסאות' })
    await shop.call(calls.postDepreciationRun, { to: '2026-09-30' })
    expect(await balanceOf('wornFurniture')).toBe(0)
  })
})

describe('what is sold or scrapped', () => {
  test('is depreciated until the day, and leaves the books with gain or loss; and comes back', async () => {
    const { id } = await named('מחשב')
    const bank = (await shop.get('/api5/invoicecpa/accounts?size=100')).rows.find(
      (a: { number: string }) => a.number === '1010',
    )
    const customers = (await shop.get('/api5/invoicecpa/accounts?size=100')).rows.find(
      (a: { number: string }) => a.number === '1100',
    )
    const sale = { id, how: 'sold' as const, date: '2026-11-01', proceedsAgorot: 300_000 }
    await expect(shop.call(calls.disposeAsset, sale)).rejects.toMatchObject({
      errors: [{ path: 'accountId', code: 'fields.need' }],
    })
    await expect(shop.call(calls.disposeAsset, { ...sale, accountId: customers.id })).rejects.toMatchObject({
      errors: [{ path: 'accountId', code: 'ledger.controlAccount' }],
    })
    await expect(shop.call(calls.disposeAsset, { ...sale, date: '2025-12-31' })).rejects.toMatchObject({
      errors: [{ path: 'date' }],
    })
    const worn = Math.round((120_450 * 304) / 365)
    const { gainAgorot } = await shop.call(calls.disposeAsset, { ...sale, accountId: bank.id })
    expect(gainAgorot).toBe(300_000 - (365_000 - worn))
    expect([
      await balanceOf('computers'),
      await balanceOf('wornComputers'),
      await balanceOf('capitalGain'),
    ]).toEqual([0, 0, -gainAgorot])
    await expect(shop.call(calls.disposeAsset, { ...sale, accountId: bank.id })).rejects.toMatchObject({
      code: 'assets.disposed',
    })
    expect(await shop.call(calls.assetPage, { id })).toMatchObject({
      disposal: 'sold',
      gainAgorot,
      wornAgorot: worn,
    })
    const report = await form('2026-01-01', '2026-12-31')
    expect(report.rows.find((row: { name: string }) => row.name === 'מחשב')).toMatchObject({
      addedAgorot: 365_000,
      disposedAgorot: 365_000,
      depreciationAgorot: worn,
      closingWornAgorot: 0,
      leftAgorot: 0,
    })
    expect(report.checks.every((check: { ok: boolean }) => check.ok)).toBe(true)
    expect(
      (await form('2027-01-01', '2027-12-31')).rows.map((row: { name: string }) => row.name),
    ).not.toContain('מחשב')

    await shop.call(calls.undisposeAsset, { id })
    expect([await balanceOf('computers'), await balanceOf('capitalGain')]).toEqual([365_000, 0])
    await expect(shop.call(calls.undisposeAsset, { id })).rejects.toMatchObject({
      code: 'assets.notDisposed',
    })
    expect((await books()).checks).toContainEqual({ name: 'bothWays', ok: true })
  })

  test('a sale before what was posted already takes the rest back', async () => {
    const { id } = await named('מכונה ישנה')
    const posted = (await shop.call(calls.assetPage, { id })).postedAgorot
    await shop.call(calls.disposeAsset, { id, how: 'scrapped', date: '2026-04-01' })
    expect(await balanceOf('wornEquipment')).toBe(0)
    expect(await balanceOf('capitalLoss')).toBe(1_000_000 - 610_000 - Math.round((100_000 * 90) / 365))
    expect(posted).toBeGreaterThan(610_000 + Math.round((100_000 * 90) / 365))
    expect((await books()).checks).toContainEqual({ name: 'bothWays', ok: true })
  })

  test('a run that ends before a sale takes nothing of what the sale brought back, and a reversed one brings its own again', async () => {
    const { id } = await shop.send('POST', base, {
      name: 'מחרטה',
      kind: 'equipment',
      startDay: '2026-03-15',
      costAgorot: 1_200_000,
    })
    const wornBy = (days: number) => Math.round((120_000 * days) / 365)
    const posted = async () => (await shop.call(calls.assetPage, { id })).postedAgorot
    const month = async (to: string) =>
      (await shop.call(calls.previewDepreciation, { to })).rows.find((row) => row.id === id)?.amountAgorot
    const runs = async () =>
      (await shop.call(calls.listRuns, {})).rows.filter((run) => run.kind === 'period' && !run.reversed)
    const [last] = await runs()
    await shop.call(calls.disposeAsset, { id, how: 'scrapped', date: '2026-11-20' })
    expect(await posted()).toBe(wornBy(250))
    expect(await month('2026-11-10')).toBeUndefined()
    expect(await month('2026-11-30')).toBeUndefined()
    await shop.call(calls.undisposeAsset, { id })

    await shop.call(calls.postDepreciationRun, { to: '2026-11-10' })
    expect(await posted()).toBe(wornBy(241))
    await shop.call(calls.disposeAsset, { id, how: 'scrapped', date: '2026-11-20' })
    const [late] = await runs()
    expect(late!.id).not.toBe(last!.id)
    await shop.call(calls.reverseDepreciationRun, { id: late!.id })
    expect(await month('2026-11-10')).toBe(wornBy(241))
    expect(await month('2026-11-30')).toBe(wornBy(241))
    await shop.call(calls.undisposeAsset, { id })
    await shop.send('DELETE', `${base}/${id}`)
  })

  test('the whole year adds up: the form’s depreciation is what the books show', async () => {
    await shop.call(calls.postDepreciationRun, { to: '2026-12-31' })
    const { totals } = await form('2026-01-01', '2026-12-31')
    expect(await balanceOf('depreciation')).toBe(totals.depreciationAgorot)
    const depreciation = (await shop.get(`/api5/invoicecpa/${accounts.name}?size=100`)).rows.find(
      (a: { number: string }) => a.number === '6180',
    )
    const card = await shop.call(cardOfAccount, { id: depreciation.id, from: '2026-01-01', to: '2026-12-31' })
    expect(card.checks.every((check) => check.ok)).toBe(true)
  })
})

test('a run of nothing is refused, and what a bill says of an asset changes by the bill alone', async () => {
  const other = await newBusiness(world)
  await expect(other.call(calls.postDepreciationRun, { to: '2026-01-31' })).rejects.toMatchObject({
    code: 'assets.nothingToPost',
  })
  // One whose use begins after the day has nothing worn yet.
  await other.send('POST', base, {
    name: 'מסך',
    kind: 'computers',
    startDay: '2026-05-01',
    costAgorot: 100_000,
  })
  await expect(other.call(calls.postDepreciationRun, { to: '2026-04-30' })).rejects.toMatchObject({
    status: 409,
  })
  expect((await other.call(calls.listRuns, {})).rows).toEqual([])

  await buy('1530', 90_000, '2026-11-01', 'שולחן ישיבות')
  const { id, costAgorot } = await named('שולחן ישיבות')
  for (const change of [{ costAgorot: 1 }, { openingDay: '2026-11-10' }])
    await expect(shop.send('PATCH', `${base}/${id}`, change)).rejects.toMatchObject({
      code: 'assets.fromExpense',
    })
  await expect(shop.send('DELETE', `${base}/${id}`)).rejects.toMatchObject({ code: 'assets.fromExpense' })
  expect((await named('שולחן ישיבות')).costAgorot).toBe(costAgorot)
})

test('a closed month refuses its depreciation, and nothing of it stays', async () => {
  const other = await newBusiness(world)
  await other.send('POST', base, {
    name: 'מסך',
    kind: 'computers',
    startDay: '2026-01-01',
    costAgorot: 100_000,
  })
  const me = await other.get('/api/user/session')
  await sql`insert into locked_periods (company_id, id, kind, from_day, to_day)
    values (${me.companyId}, gen_random_uuid(), 'month', '2026-01-01', '2026-01-31')`.execute(
    world.app.db.kysely,
  )
  await expect(other.call(calls.postDepreciationRun, { to: '2026-01-31' })).rejects.toMatchObject({
    code: 'ledger.periodClosed',
  })
  expect((await other.call(calls.listRuns, {})).rows).toEqual([])
  expect((await other.call(calls.postDepreciationRun, { to: '2026-02-28' })).totalAgorot).toBe(
    Math.round((33_000 * 59) / 365),
  )
})

describe('what is refused', () => {
  test('a run over nothing, and one of days that hold nothing', async () => {
    const other = await newBusiness(world)
    const nothing = { status: 409, code: 'assets.nothingToPost' }
    for (const call of [calls.previewDepreciation, calls.postDepreciationRun])
      await expect(other.call(call, { to: '2026-06-30' })).rejects.toMatchObject(nothing)
    await other.send('POST', base, {
      name: 'קרקע',
      kind: 'furniture',
      startDay: '2026-08-01',
      costAgorot: 100_000,
    })
    await expect(other.call(calls.postDepreciationRun, { to: '2026-08-31' })).resolves.toBeTruthy()
  })

  test('what an expense says of its asset is changed by the expense, and neither is put away', async () => {
    await buy('1520', 90_000, '2026-10-01', 'מסך')
    const { id } = await named('מסך')
    for (const deed of [
      () => shop.send('PATCH', `${base}/${id}`, { costAgorot: 1_000 }),
      () => shop.send('DELETE', `${base}/${id}`),
    ])
      await expect(deed()).rejects.toMatchObject({ status: 409, code: 'assets.fromExpense' })
    await shop.send('PATCH', `${base}/${id}`, { name: 'מסך גדול' })
  })

  test('posted depreciation is never changed, by whatever statement', async () => {
    const other = await newBusiness(world)
    await other.send('POST', base, {
      name: 'ארון',
      kind: 'furniture',
      startDay: '2026-01-01',
      costAgorot: 100_000,
    })
    const { id } = await other.call(calls.postDepreciationRun, { to: '2026-06-30' })
    expect(await refusedByDatabase(world, sql`delete from depreciation_runs where id = ${id}`)).toBe(
      'assets.frozen',
    )
  })
})
