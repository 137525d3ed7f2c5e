import { sql } from 'kysely'
import { addDays } from '#domain/day.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expenseFacts } from '#features/purchases/expenses/endpoints.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { limitOf } from '#domain/vat/turnover.ts'
import { checkPeriod } from '#features/books/periods/endpoints.ts'
import { homePage, keepTiles } from './endpoints.ts'
import { arrangedTiles, tileNames } from './tiles.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'

let world: World
let shop: Business
let companyId: string
beforeAll(async () => {
  world = await startWorld()
  shop = await newBusiness(world)
  companyId = (await shop.get<{ companyId: string }>('/api/user/session')).companyId
})
afterAll(() => world.close())

const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Jerusalem' }).format(world.app.now())
const member = (change: string) =>
  asSystem(world.app.db, (tx) =>
    sql`update memberships set ${sql.raw(change)} where company_id = ${companyId}`.execute(tx),
  )
const rentType = async () => {
  await shop.call(expenseFacts, {})
  const { rows } = await asSystem(world.app.db, (tx) =>
    sql<{
      id: string
    }>`select id from expense_types where company_id = ${companyId} and key = 'rent'`.execute(tx),
  )
  return rows[0]!.id
}
const home = () => shop.call(homePage, {})

describe('the order of the tiles', () => {
  test.each([
    ['nothing kept', null, tileNames.map((name) => ({ name, shown: true }))],
    [
      'some kept: the others follow, shown',
      [
        { name: 'yours', shown: true },
        { name: 'chart', shown: false },
      ],
      [
        { name: 'yours', shown: true },
        { name: 'chart', shown: false },
        ...tileNames
          .filter((name) => name !== 'yours' && name !== 'chart')
          .map((name) => ({ name, shown: true })),
      ],
    ],
    [
      'what is no tile any more, and what is named twice, falls out',
      [
        { name: 'weather', shown: true },
        { name: 'last', shown: false },
        { name: 'last', shown: true },
      ],
      [
        { name: 'last', shown: false },
        ...tileNames.filter((name) => name !== 'last').map((name) => ({ name, shown: true })),
      ],
    ],
  ])('%s', (_, kept, expected) => expect(arrangedTiles(kept)).toEqual(expected))

  test('each person keeps his own, and a wrong name is told', async () => {
    const order = [...tileNames].reverse().map((name) => ({ name, shown: name !== 'ages' }))
    expect((await shop.call(keepTiles, { tiles: order })).tiles).toEqual(order)
    expect((await home()).tiles).toEqual(order)
    expect((await (await newBusiness(world)).call(homePage, {})).tiles.map(({ name }) => name)).toEqual([
      ...tileNames,
    ])
    await expect(
      shop.call(keepTiles, { tiles: [{ name: 'weather' as never, shown: true }] }),
    ).rejects.toMatchObject({
      errors: [{ path: 'tiles.0.name', code: 'fields.choice' }],
    })
  })
})

test('money that is yours: the bank and the till less VAT, advances and what is owed, against sums made by hand', async () => {
  await shop.send('POST', '/api4/invoice/company/advancerates', { from: '2020-01-01', rateBp: 600 })
  const customer = await shop.customer('מאפייה')
  const supplier = await shop.send('POST', '/api4/invoice/suppliers', { name: 'ספק צנרת' })
  // 1,000 and VAT, paid by transfer; 500 and VAT not paid yet, so nothing of it is in the bank, while its VAT
  // is owed.
  await shop.send('POST', '/api4/invoice/documents', {
    type: 9,
    customerId: customer.id,
    date: today(),
    lines: [{ description: 'עבודה', quantity: '1', unitPrice: '1000' }],
    payments: [{ means: 3, amountAgorot: 118_000 }],
  })
  await shop.invoice(customer.id, '500')
  // A bill of 200 and 36 of VAT, not paid.
  const bill = await shop.send('POST', '/api4/invoice/expenses', {
    supplierId: supplier.id,
    supplierNumber: '77',
    date: today(),
    lines: [{ typeId: await rentType(), netAgorot: 20_000, vatAgorot: 3_600 }],
  })
  expect(bill.id).toBeTruthy()
  const { yours } = await home()
  const parts = Object.fromEntries(yours!.parts.map(({ part, sumAgorot }) => [part, sumAgorot]))
  expect(yours!.cashAgorot).toBe(118_000)
  expect(parts.vat).toBe(18_000 + 9_000 - 3_600)
  expect(parts.suppliers).toBe(23_600)
  // 6 percent of 1,500 before VAT.
  expect(parts.advances).toBe(9_000)
  expect(yours!.yoursAgorot).toBe(118_000 - (18_000 + 9_000 - 3_600) - 23_600 - 9_000)
  for (const { open } of yours!.parts) expect(open).toMatch(/^\/invoice\/[a-z0-9]+/)
})

test('what waits: cheques of the week, refused numbers, messages that did not arrive', async () => {
  const customer = await shop.customer('חנות')
  const paid = (dueDate: string, number: string) =>
    shop.send('POST', '/api4/invoice/documents', {
      type: 6,
      customerId: customer.id,
      date: today(),
      payments: [
        { means: 2, amountAgorot: 50_000, bank: '12', branch: '600', account: '123456', number, dueDate },
      ],
    })
  expect((await home()).cheques).toBeNull()
  await paid(today(), '101')
  await paid('2099-01-01', '102')
  expect((await home()).cheques).toEqual({ count: 1, sumAgorot: 50_000, firstDay: today() })
  const before = await home()
  expect([before.refusedNumbers, before.failedMessages, before.tasks]).toEqual([0, 0, { due: 0, late: 0 }])
  // Of tasks one's own that are open and not ahead.
  const task = (title: string, dueDay: string) => shop.send('POST', '/api4/invoice/tasks', { title, dueDay })
  await task('היום', today())
  const old = await task('אתמול', addDays(today(), -1))
  await task('מחר', addDays(today(), 1))
  expect((await home()).tasks).toEqual({ due: 2, late: 1 })
  await shop.send('POST', `/api4/invoice/tasks/${old.id}/finish`, {})
  expect((await home()).tasks).toEqual({ due: 1, late: 0 })
})

test('an exempt dealer hears of the ceiling from four fifths of it on, by what he was paid, and a dealer of no ceiling', async () => {
  const year = Number(today().slice(0, 4))
  const limit = limitOf('exemptCeiling', year)!
  const maya = await newBusiness(world, { kind: 'exemptDealer' })
  const { id: customerId } = await maya.customer('משפחת ברק')
  const paid = (amountAgorot: number) =>
    maya.send('POST', '/api4/invoice/documents', {
      type: 6,
      customerId,
      date: today(),
      payments: [{ means: 3, amountAgorot }],
    })
  const told = async () => (await maya.call(homePage, {})).turnover
  // How much of it is used is seen from the first day.
  const ceiling = async (of = maya) => (await of.call(homePage, {})).ceiling
  expect(await ceiling()).toEqual({ turnoverAgorot: 0, limitAgorot: limit })
  await paid(limit / 2)
  expect(await told()).toEqual([])
  expect(await ceiling()).toEqual({ turnoverAgorot: limit / 2, limitAgorot: limit })
  expect(await ceiling(shop)).toBeNull()
  await paid(limit / 2)
  const open = expect.stringMatching(/^\/invoice\/editcompany\/.+\/tax$/)
  expect(await told()).toEqual([
    { duty: 'exemptCeiling', state: 'near', year, turnoverAgorot: limit, limitAgorot: limit, open },
  ])
  await paid(100)
  expect(await told()).toMatchObject([{ state: 'passed', turnoverAgorot: limit + 100 }])
  const { checks } = await maya.call(checkPeriod, { kind: 'month', from: `${today().slice(0, 7)}-01` })
  expect(checks.find(({ name }) => name === 'turnover')).toMatchObject({ state: 'look', count: 1, open })
  expect((await home()).turnover).toEqual([])
})

test('each part by its right: no sums for whom they are hidden, nothing of documents without the right to them', async () => {
  await member('hide_total_prices = true')
  const hidden = await home()
  expect(hidden.yours).toBeNull()
  expect(hidden.vatAheadAgorot).toBeNull()
  expect(hidden.cheques?.sumAgorot ?? null).toBeNull()
  await member("hide_total_prices = false, rules = '{9999}'")
  const nothing = await home()
  expect({ ...nothing, tiles: [] }).toEqual({
    tiles: [],
    documents: null,
    expenses: null,
    vatAheadAgorot: null,
    vat: null,
    gate: null,
    yours: null,
    signing: null,
    cheques: null,
    turnover: [],
    uninvoiced: null,
    statement: null,
    kind: 'licensedDealer',
    ceiling: null,
    refusedNumbers: 0,
    failedMessages: 0,
    unavailable: [],
    tasks: null,
  })
  await member("rules = '{}', own_customers_only = true")
  const part = await home()
  expect([part.yours, part.cheques, part.vatAheadAgorot, part.gate]).toEqual([null, null, null, null])
  await member('own_customers_only = false')
})
