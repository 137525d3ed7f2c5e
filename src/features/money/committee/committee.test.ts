import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dayInJerusalem } from '#domain/day.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { documentTypes } from '#domain/documents/kinds.ts'
import { cancelDocument, createDocument } from '#features/sales/documents/endpoints.ts'
import { uploadFile } from '#features/base/files/endpoints.ts'
import { serveSchedule } from '#kit/server/work/schedules.ts'
import { listNotifications } from '#features/people/bell/endpoints.ts'
import * as calls from './endpoints.ts'
import { dueHouses } from './server/dues.ts'
import { dueReminders } from './server/remind.ts'
import { takeRequests, takeTurns } from './server/index.ts'
import { sweep as sweepOrders } from '#features/money/standingOrders/server/sweep.ts'

type Row = Record<string, any>
const base = '/api4/invoice'
let world: World
let house: Business
const usual = new Date('2031-06-15T09:00:00Z')
let clock = usual
beforeAll(async () => {
  world = await startWorld(() => clock)
})
afterAll(() => world.close())
beforeEach(async () => {
  clock = usual
  house = await newBusiness(world, { kind: 'nonProfit' } as never)
})

const building = async (more: Row = {}): Promise<string> =>
  (
    await house.send('POST', `${base}/committeebuildings`, {
      name: 'האלה 14',
      openedOn: '2031-01-01',
      openingAgorot: 0,
      reserveAgorot: 0,
      ...more,
    })
  ).id
const flat = async (buildingId: string, number: string, more: Row = {}): Promise<string> =>
  (await house.send('POST', `${base}/committeeflats`, { buildingId, number, ...more })).id
const tenant = async (flatId: string, name: string, fromDay: string, more: Row = {}): Promise<string> => {
  const customerId =
    more.customerId ?? (await house.customer(name, { email: `${Math.abs(hash(name))}@example.com` })).id
  await house.send('POST', `${base}/committeepeople`, {
    flatId,
    customerId,
    role: 'owner',
    pays: true,
    fromDay,
    ...more,
    ...(more.customerId ? { customerId } : {}),
  })
  return customerId
}
const hash = (text: string) => [...text].reduce((sum, sign) => Math.imul(sum, 31) + sign.charCodeAt(0), 7)
const gridOf = (id: string, more: Row = {}) => house.call(calls.grid, { id, ...more } as never)
const rate = (id: string, agorot: number, more: Row = {}) =>
  house.call(calls.setRate, { id, fromMonth: '2031-01', rule: 'equal', agorot, ...more } as never)
const pay = (id: string, payments: Row[], more: Row = {}) =>
  house.call(calls.takePayments, {
    id,
    payments: payments.map((one) => ({ means: 3, ...one })),
    ...more,
  } as never)
const publicPage = async (id: string, more: Row = {}) => {
  const { url } = await house.call(calls.setPage, { id, on: true, ...more } as never)
  const key = url!.split('/').at(-1)!
  const answer = await world.http.inject({ url: `/api2/invoice/vaadpage/${key}` })
  return { key, text: answer.body, page: JSON.parse(answer.body) as Row, status: answer.statusCode }
}

describe('who pays', () => {
  test('one for a flat on a day; whoever paid on the first of a month owes that month, whoever comes later', async () => {
    const id = await building()
    const one = await flat(id, '1')
    const old = await tenant(one, 'ישן', '2030-01-01', { toDay: '2031-03-10' })
    await expect(tenant(one, 'כפול', '2031-03-10')).rejects.toMatchObject({
      errors: [{ path: 'fromDay', code: 'committee.twoPayers' }],
    })
    const fresh = await tenant(one, 'חדש', '2031-03-11')
    await rate(id, 28_000)
    await house.call(calls.charge, { id, from: '2031-01', to: '2031-04' })
    // Made again nothing is made.
    expect(await house.call(calls.charge, { id, from: '2031-01', to: '2031-04' })).toMatchObject({ made: 0 })
    // The new payer's money covers only that payer's dues.
    await pay(id, [{ flatId: one, agorot: 28_000 }])
    const { rows } = (await world.app.db.pool.query(
      'select month, payer_id, paid_agorot from committee_dues where flat_id = $1 order by month',
      [one],
    )) as { rows: Row[] }
    expect(
      rows.map((row) => [
        row.payer_id === old ? 'old' : row.payer_id === fresh ? 'new' : row.payer_id,
        Number(row.paid_agorot),
      ]),
    ).toEqual([
      ['old', 0],
      ['old', 0],
      ['old', 0],
      ['new', 28_000],
    ])
  })

  test('owner pays, renter pays, nobody pays', async () => {
    const id = await building()
    const [one, two, three] = [await flat(id, '1'), await flat(id, '2'), await flat(id, '3')]
    await tenant(one, 'בעלים', '2030-01-01')
    await tenant(two, 'בעל הבית', '2030-01-01', { pays: false })
    await tenant(two, 'שוכרת', '2030-01-01', { role: 'renter' })
    await rate(id, 30_000)
    expect(await house.call(calls.charge, { id, from: '2031-01', to: '2031-01' })).toEqual({
      made: 3,
      withoutPayer: 1,
    })
    const { rows } = await gridOf(id)
    expect(rows.map((row: Row) => [row.payer, row.role, row.debtAgorot])).toEqual([
      ['בעלים', 'owner', 10_000],
      ['שוכרת', 'renter', 10_000],
      [null, null, 10_000],
    ])
    await expect(pay(id, [{ flatId: three, agorot: 100 }])).rejects.toMatchObject({
      errors: [{ path: 'payments.0.flatId', code: 'committee.nobodyPays' }],
    })
  })
})

describe('two pay for one flat', () => {
  test('each owes his part of the month, together all of it, and what is more than the whole is refused', async () => {
    const id = await building()
    const one = await flat(id, '1')
    const owner = await tenant(one, 'בעלים', '2030-01-01', { splitBp: 3333 })
    const renter = await tenant(one, 'שוכרת', '2031-01-01', {
      role: 'renter',
      splitBp: 6667,
      toDay: '2031-02-28',
    })
    await expect(tenant(one, 'שלישי', '2031-02-01', { splitBp: 1 })).rejects.toMatchObject({
      errors: [{ path: 'fromDay', code: 'committee.twoPayers' }],
    })
    await rate(id, 10_000)
    expect(await house.call(calls.charge, { id, from: '2031-01', to: '2031-03' })).toMatchObject({
      made: 3,
      withoutPayer: 1,
    })
    expect(await house.call(calls.charge, { id, from: '2031-01', to: '2031-03' })).toMatchObject({ made: 0 })
    await pay(id, [{ flatId: one, agorot: 6667, customerId: renter }])
    const { rows } = (await world.app.db.pool.query(
      'select month, payer_id, agorot, paid_agorot from committee_dues where flat_id = $1 order by month, part',
      [one],
    )) as { rows: Row[] }
    const name = (row: Row) => (row.payer_id === owner ? 'owner' : row.payer_id === renter ? 'renter' : null)
    expect(rows.map((row) => [row.month, name(row), Number(row.agorot), Number(row.paid_agorot)])).toEqual([
      ['2031-01-01', 'owner', 3333, 0],
      ['2031-01-01', 'renter', 6667, 6667],
      ['2031-02-01', 'owner', 3333, 0],
      ['2031-02-01', 'renter', 6667, 0],
      // Nobody is to be asked for what the renter paid.
      ['2031-03-01', 'owner', 3333, 0],
      ['2031-03-01', null, 6667, 0],
    ])
    expect(
      (await gridOf(id)).rows[0]!.cells.slice(0, 2).map((cell: Row) => [cell.agorot, cell.paidAgorot]),
    ).toEqual([
      [10_000, 6667],
      [10_000, 0],
    ])
  })
})

describe('a page of his own', () => {
  test('shows a tenant what is his and nothing of anybody else; an owner sees all of his flat while he owns it', async () => {
    const id = await building()
    const flats = [await flat(id, '1'), await flat(id, '2'), await flat(id, '3')]
    const names = ['אורן שגב', 'מאיה רוזן', 'יעל דגן', 'עידו ברק']
    const before = await tenant(flats[0]!, names[0]!, '2030-01-01', { toDay: '2031-02-10' })
    const owner = await tenant(flats[0]!, names[1]!, '2031-02-11', { pays: false })
    const renter = await tenant(flats[0]!, names[2]!, '2031-02-11', { role: 'renter' })
    await tenant(flats[1]!, names[3]!, '2030-01-01')
    await rate(id, 30_000)
    await house.call(calls.charge, { id, from: '2031-01', to: '2031-04' })
    await pay(id, [{ flatId: flats[0]!, agorot: 10_000 }])
    await pay(id, [{ flatId: flats[1]!, agorot: 10_000 }])
    const pageOf = async (customerId: string) => {
      const { url } = await house.call(calls.setTenantPage, { id, customerId })
      const answer = await world.http.inject({ url: `/api2/invoice/vaadtenant/${url!.split('/').at(-1)}` })
      return { text: answer.body, page: JSON.parse(answer.body) as Row, key: url!.split('/').at(-1)! }
    }
    const dues = (page: Row) => page.dues.map((one: Row) => [one.month, one.flat, one.paidAgorot, one.isMine])
    const first = await pageOf(before)
    expect([dues(first.page), first.page.openAgorot, first.page.paid]).toEqual([
      [
        ['2031-02-01', '1', 0, true],
        ['2031-01-01', '1', 0, true],
      ],
      20_000,
      [],
    ])
    const second = await pageOf(renter)
    expect([dues(second.page), second.page.openAgorot]).toEqual([
      [
        ['2031-04-01', '1', 0, true],
        ['2031-03-01', '1', 10_000, true],
      ],
      10_000,
    ])
    const third = await pageOf(owner)
    expect([dues(third.page), third.page.openAgorot, third.page.paid]).toEqual([
      [
        ['2031-04-01', '1', 0, false],
        ['2031-03-01', '1', 10_000, false],
      ],
      0,
      [],
    ])
    for (const [n, { text }] of [first, third, second].entries())
      expect(names.filter((name, i) => i !== n && text.includes(name))).toEqual([])
    // A new link ends the old one, and a stranger gets none.
    await house.call(calls.setTenantPage, { id, customerId: renter, renew: true })
    expect((await world.http.inject({ url: `/api2/invoice/vaadtenant/${second.key}` })).statusCode).toBe(404)
    const stranger = (await house.customer('זר')).id
    await expect(house.call(calls.setTenantPage, { id, customerId: stranger })).rejects.toMatchObject({
      errors: [{ path: 'customerId' }],
    })
    // Nothing is paid by card where no card can be charged.
    expect(
      (
        await world.http.inject({
          method: 'POST',
          url: `/api2/invoice/vaadtenant/${first.key}/pay`,
          payload: {},
        })
      ).json().code,
    ).toBe('committee.notOnline')
  })

  test('what is asked for on it and paid becomes his payment, once, with the receipt', async () => {
    const id = await building()
    const [one, two] = [await flat(id, '1'), await flat(id, '2')]
    const owner = await tenant(one, 'בעלים', '2030-01-01')
    await tenant(two, 'בעלים', '2030-01-01', { customerId: owner })
    await rate(id, 20_000)
    await house.call(calls.charge, { id, from: '2031-01', to: '2031-01' })
    const request = await house.call(createDocument, {
      type: documentTypes.paymentRequest.id,
      customerId: owner,
      lines: [{ description: 'ועד', quantity: '1', unitPrice: '200', vatKind: 4 }],
    } as never)
    const { companyId } = await house.get('/api/user/session')
    await world.app.db.pool.query(
      'insert into committee_requests (company_id, id, building_id, customer_id, document_id, agorot) values ($1, gen_random_uuid(), $2, $3, $4, 20000)',
      [companyId, id, owner, request.id],
    )
    expect(await takeRequests(world.app)).toBe(0)
    await house.call(createDocument, {
      type: 6,
      customerId: owner,
      payments: [{ means: 3, amountAgorot: 20_000, date: '2031-06-15' }],
      closes: [{ documentId: request.id, amountAgorot: 20_000 }],
    } as never)
    expect(await Promise.all([takeRequests(world.app), takeRequests(world.app)])).toEqual(
      expect.arrayContaining([1]),
    )
    expect(await takeRequests(world.app)).toBe(0)
    const { rows, figures } = await gridOf(id)
    expect(rows.map((row: Row) => row.cells[0]!.state)).toEqual(['paid', 'paid'])
    expect(figures).toMatchObject({ collectedAgorot: 20_000, debtAgorot: 0 })
  })
})

test('what a standing order of a tenant brings pays his dues with its receipt, once, and is owed again when that is cancelled', async () => {
  const id = await building()
  const one = await flat(id, '1')
  const owner = await tenant(one, 'בעלים', '2030-01-01')
  await rate(id, 20_000)
  await house.call(calls.charge, { id, from: '2031-05', to: '2031-06' })
  expect((await house.call(calls.tenantOrders, { id })).payers).toEqual([
    { customerId: owner, name: 'בעלים', flats: '1', agorot: 20_000 },
  ])
  const stranger = (await house.customer('זר')).id
  const given = { id, agorot: 20_000, means: 'bill' as const, startDay: '2031-06-15' }
  await expect(house.call(calls.orderForTenant, { ...given, customerId: stranger })).rejects.toMatchObject({
    errors: [{ path: 'customerId' }],
  })
  const { orderId } = await house.call(calls.orderForTenant, { ...given, customerId: owner })
  await sweepOrders(world.app)
  const { rows } = await house.call(calls.tenantOrders, { id })
  expect(rows).toMatchObject([
    { id: orderId, customer: 'בעלים', state: 'active', nextDay: '2031-07-15', nextAgorot: 20_000 },
  ])
  // The request of the month, without VAT; nothing is paid before its money came.
  const [request] = (await house.get(`${base}/documents?type=5`)).rows as Row[]
  expect([request!.customerId, request!.totalAgorot]).toEqual([owner, 20_000])
  expect(await takeTurns(world.app)).toBe(0)
  const receipt = await house.call(createDocument, {
    type: 6,
    customerId: owner,
    payments: [{ means: 3, amountAgorot: 20_000, date: '2031-06-15' }],
    closes: [{ documentId: request!.id, amountAgorot: 20_000 }],
  } as never)
  expect((await Promise.all([takeTurns(world.app), takeTurns(world.app)])).toSorted()).toEqual([0, 1])
  expect(await takeTurns(world.app)).toBe(0)
  const paid = async () => (await gridOf(id)).rows[0]!.cells.slice(4, 6).map((cell: Row) => cell.paidAgorot)
  expect(await paid()).toEqual([20_000, 0])
  await house.call(cancelDocument, { id: receipt.id, reason: 'טעות' } as never)
  expect(await paid()).toEqual([0, 0])
  // By card the receipt comes with the money: an order that waits for its card is made all the same.
  const byCard = await house.call(calls.orderForTenant, {
    ...given,
    customerId: owner,
    means: 'card',
    startDay: '2031-07-01',
  })
  expect((await house.call(calls.tenantOrders, { id })).rows.map((row: Row) => row.id)).toContain(
    byCard.orderId,
  )
})

test('a transfer of the bank names its flat, and is entered once', async () => {
  const id = await building()
  const [one, two] = [await flat(id, '1'), await flat(id, '2')]
  await tenant(one, 'רונית אשל', '2030-01-01')
  await tenant(two, 'דוד כהן', '2030-01-01')
  await rate(id, 20_000)
  await house.call(calls.charge, { id, from: '2031-05', to: '2031-05' })
  const { companyId } = await house.get('/api/user/session')
  const account = await house.send('POST', `${base}/bankaccounts`, {
    name: 'עו״ש',
    bankCode: 12,
    branch: '702',
    number: '142',
  })
  const line = async (text: string, agorot: number) => {
    const { rows } = await world.app.db.pool.query(
      `with s as (insert into bank_statements (company_id, id, bank_account_id, name, size, kind, state) values ($1, gen_random_uuid(), $2, 'x', 1, 'table', 'taken') returning id)
       insert into bank_lines (company_id, id, bank_account_id, statement_id, day, amount_agorot, text, position, fingerprint) select $1, gen_random_uuid(), $2, s.id, '2031-06-01', $3, $4, 1, md5(random()::text) || md5(random()::text) from s returning id`,
      [companyId, account.id, agorot, text],
    )
    return (rows[0] as { id: string }).id
  }
  const [known, unknown] = [await line('העברה ועד בית דירה 2', 10_000), await line('זיכוי', 500)]
  await line('עמלה דירה 1', -100)
  const found = async () =>
    (await house.call(calls.transfers, { id })).rows.map(({ lineId, flatId, by }) => [lineId, flatId, by])
  expect((await found()).toSorted()).toEqual(
    [
      [known, two, 'number'],
      [unknown, null, null],
    ].toSorted(),
  )
  const payment = { flatId: two, agorot: 10_000, day: '2031-06-01', bankLineId: known }
  const both = await Promise.allSettled([pay(id, [payment]), pay(id, [payment])])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await found()).toEqual([[unknown, null, null]])
  await expect(pay(id, [payment])).rejects.toMatchObject({ status: 409, code: 'committee.lineTaken' })
  await expect(pay(id, [{ ...payment, bankLineId: two }])).rejects.toMatchObject({
    errors: [{ path: 'payments.0.bankLineId' }],
  })
  expect((await gridOf(id)).rows.map((row: Row) => row.cells[4]!.state)).toEqual(['open', 'paid'])
})

test('money pays the oldest first, what is left the next months, and a receipt that is cancelled brings the debt back', async () => {
  const id = await building()
  const [one, two] = [await flat(id, '1'), await flat(id, '2')]
  const owner = await tenant(one, 'משפחת אשל', '2030-01-01')
  await tenant(two, 'משפחת אשל', '2030-01-01', { customerId: owner })
  await rate(id, 56_000)
  await house.call(calls.charge, { id, from: '2031-01', to: '2031-02' })
  // Two flats of one payer are one receipt.
  const { receipts, aheadAgorot } = await pay(
    id,
    [
      { flatId: one, agorot: 70_000 },
      { flatId: two, agorot: 28_000 },
    ],
    { clientKey: 'a' },
  )
  expect([receipts.length, aheadAgorot]).toEqual([1, 14_000])
  expect(
    await pay(
      id,
      [
        { flatId: one, agorot: 70_000 },
        { flatId: two, agorot: 28_000 },
      ],
      { clientKey: 'a' },
    ),
  ).toEqual({ receipts, aheadAgorot })
  await house.call(calls.charge, { id, from: '2031-03', to: '2031-03' })
  const states = async () =>
    (await gridOf(id)).rows.map((row: Row) =>
      row.cells.slice(0, 3).map((cell: Row) => [cell.state, cell.paidAgorot]),
    )
  expect(await states()).toEqual([
    [
      ['paid', 28_000],
      ['paid', 28_000],
      ['part', 14_000],
    ],
    [
      ['paid', 28_000],
      ['open', 0],
      ['open', 0],
    ],
  ])
  expect((await gridOf(id)).figures).toMatchObject({
    collectedAgorot: 98_000,
    balanceAgorot: 98_000,
    debtAgorot: 70_000,
    owing: 2,
  })
  await house.call(cancelDocument, { id: receipts[0]!.documentId, reason: 'צ׳ק חזר' })
  expect(await states()).toEqual([
    [
      ['open', 0],
      ['open', 0],
      ['open', 0],
    ],
    [
      ['open', 0],
      ['open', 0],
      ['open', 0],
    ],
  ])
  expect((await gridOf(id)).figures).toMatchObject({ balanceAgorot: 0, debtAgorot: 168_000 })
})

test('a levy is split whole, goes no further than the meeting, and stays once somebody paid', async () => {
  const id = await building()
  const flats = [
    await flat(id, '1', { area: '60' }),
    await flat(id, '2', { area: '90' }),
    await flat(id, '3', { area: '75', isExempt: true }),
  ]
  for (const [i, one] of flats.entries()) await tenant(one, `דייר ${i}`, '2030-01-01')
  const levy = {
    id,
    name: 'גג',
    rule: 'area' as const,
    agorot: 100_001,
    instalments: 3,
    firstMonth: '2031-05',
    decidedOn: '2031-04-01',
    votesFor: 5,
  }
  await expect(house.call(calls.makeLevy, { ...levy, votedAgorot: 100_000 })).rejects.toMatchObject({
    errors: [{ path: 'agorot', code: 'committee.aboveVote' }],
  })
  await expect(house.call(calls.makeLevy, { ...levy, votesAgainst: 5 })).rejects.toMatchObject({
    errors: [{ path: 'votesFor', code: 'committee.votesLost' }],
  })
  const { id: levyId } = await house.call(calls.makeLevy, levy)
  const { rows, levies } = await gridOf(id, { levyId })
  expect(rows.map((row: Row) => row.cells.map((cell: Row) => cell.agorot))).toEqual([
    [13_334, 13_333, 13_333],
    [20_001, 20_000, 20_000],
    [0, 0, 0],
  ])
  expect(levies).toMatchObject([{ instalmentsDue: 2, paidAgorot: 0 }])
  // Each payer is asked once, with a part and a personal page; the instalments whose month has come can be reminded of,
  // once a week.
  expect(levies).toMatchObject([{ toAsk: 2, owing: 2 }])
  expect(await house.call(calls.askLevy, { id: levyId })).toEqual({ sent: 2, withoutMail: 0 })
  await expect(house.call(calls.askLevy, { id: levyId })).rejects.toMatchObject({
    code: 'committee.allAsked',
  })
  expect((await gridOf(id, { levyId })).levies).toMatchObject([{ toAsk: 0, owing: 2 }])
  expect(await house.call(calls.remindTenants, { id, levyId })).toEqual({
    sent: 2,
    recently: 0,
    withoutMail: 0,
    copies: 0,
  })
  expect(await house.call(calls.remindTenants, { id, levyId })).toEqual({
    sent: 0,
    recently: 2,
    withoutMail: 0,
    copies: 0,
  })
  await expect(
    house.call(calls.remindTenants, { id: await building({ name: 'אחר' }), levyId }),
  ).rejects.toMatchObject({
    errors: [{ path: 'levyId' }],
  })
  const letters = (await house.get(`${base}/messages`)).rows as Row[]
  const ofFirst = letters.filter((one) => one.body.includes('דייר 0'))
  expect(ofFirst.map((one) => [one.kind, one.body.includes('/vaadtenant/')])).toEqual([
    ['reminder', true],
    ['letter', true],
  ])
  expect(ofFirst.map((one) => ['266.67', '400.00'].filter((sum) => one.body.includes(sum)))).toEqual([
    ['266.67'],
    ['400.00'],
  ])
  await pay(id, [{ flatId: flats[0]!, agorot: 100 }])
  await expect(house.call(calls.dropLevy, { id: levyId })).rejects.toMatchObject({
    status: 409,
    code: 'committee.levyPaid',
  })
})

test.each([
  ['area', 'committee.noArea'],
  ['share', 'committee.sharesNotWhole'],
  ['own', 'committee.noOwn'],
])('dues by %s are refused while the flats do not say it', async (rule, code) => {
  const id = await building()
  await flat(id, '1', { shareBp: 9000 })
  await expect(rate(id, 100, { rule })).rejects.toMatchObject({ errors: [{ path: 'rule', code }] })
})

test('dues by floor: each floor bears its part of a whole one, and a flat without a floor is asked for first', async () => {
  const id = await building()
  await flat(id, '1', { floor: 0 })
  await flat(id, '2', { floor: 1 })
  const bare = await flat(id, '3')
  const floors = [
    { floor: 0, weight: 50 },
    { floor: 1, weight: 100 },
    { floor: 2, weight: 150 },
  ]
  await expect(rate(id, 30_000, { rule: 'floor', floors })).rejects.toMatchObject({
    errors: [{ path: 'rule', code: 'committee.noFloor' }],
  })
  await house.send('PATCH', `${base}/committeeflats/${bare}`, { floor: 2 })
  await expect(rate(id, 30_000, { rule: 'floor', floors: [...floors, floors[0]!] })).rejects.toMatchObject({
    errors: [{ path: 'floors.3.floor' }],
  })
  await rate(id, 30_000, { rule: 'floor', floors })
  await house.call(calls.charge, { id, from: '2031-01', to: '2031-01' })
  const { rows, building: shown } = await gridOf(id)
  expect(rows.map((row: Row) => row.cells[0].agorot)).toEqual([5000, 10_000, 15_000])
  expect(shown.floors).toEqual(floors)
})

test('reminders go to who owes for past months, once a week', async () => {
  const id = await building()
  const one = await flat(id, '1')
  await tenant(one, 'חייבת', '2030-01-01')
  await rate(id, 28_000)
  await house.call(calls.charge, { id, from: '2031-06', to: '2031-06' })
  await expect(house.call(calls.remindTenants, { id })).rejects.toMatchObject({
    code: 'committee.nobodyOwes',
  })
  await house.call(calls.charge, { id, from: '2031-05', to: '2031-05' })
  expect(await house.call(calls.remindTenants, { id })).toEqual({
    sent: 1,
    recently: 0,
    withoutMail: 0,
    copies: 0,
  })
  expect(await house.call(calls.remindTenants, { id })).toEqual({
    sent: 0,
    recently: 1,
    withoutMail: 0,
    copies: 0,
  })
  const [message] = (await house.get(`${base}/messages`)).rows
  expect(message.subject).toContain('האלה 14')
})

test('reminders go by themselves in the rhythm the committee set, once a turn, and the bell says how many', async () => {
  const id = await building()
  const [one, two] = [await flat(id, '1'), await flat(id, '2')]
  await tenant(one, 'עם מייל', '2031-01-01')
  await tenant(two, 'בלי מייל', '2031-01-01', { customerId: (await house.customer('בלי מייל')).id })
  await rate(id, 56_000)
  await house.call(calls.charge, { id, from: '2031-05', to: '2031-06' })
  const letters = async () =>
    Number(
      (
        await world.app.db.pool.query(
          'select count(*) as n from committee_reminders where building_id = $1',
          [id],
        )
      ).rows[0].n,
    )
  const night = async (at: string) => {
    clock = new Date(at)
    await world.app.db.pool.query('update committee_buildings set leased_until = null where id = $1', [id])
    return serveSchedule(world.app, dueReminders)
  }
  // It is a Sunday, past nine.
  expect((await gridOf(id)).building.reminders).toBeNull()
  await expect(
    house.call(calls.setReminders, { id, every: 'daily', firstDay: '2031-06-15' } as never),
  ).rejects.toMatchObject({
    errors: [{ path: 'every', code: 'fields.choice' }],
  })
  expect(await house.call(calls.setReminders, { id, every: 'fortnight', firstDay: '2031-06-15' })).toEqual({
    nextOn: '2031-06-29',
  })
  expect((await gridOf(id)).building.reminders).toEqual({
    every: 'fortnight',
    firstDay: '2031-06-15',
    nextOn: '2031-06-29',
  })
  await night('2031-06-29T05:30:00Z')
  expect(await letters()).toBe(0)
  await night('2031-06-29T06:30:00Z')
  expect(await letters()).toBe(1)
  const bell = await house.call(listNotifications, {})
  expect(bell.rows.find((row) => row.kind === 'committee.reminded')?.params).toMatchObject({
    sent: 1,
    withoutMail: 1,
  })
  // Twice is once, and the next turn is in its rhythm.
  await night('2031-06-29T07:30:00Z')
  expect(await letters()).toBe(1)
  expect((await gridOf(id)).building.reminders?.nextOn).toBe('2031-07-13')
  // The person who was away for three turns writes once.
  await night('2031-08-12T09:00:00Z')
  expect(await letters()).toBe(2)
  expect((await gridOf(id)).building.reminders?.nextOn).toBe('2031-08-24')
  // Nobody owes: nothing goes, and the turn passes.
  await pay(id, [
    { flatId: one, agorot: 56_000 },
    { flatId: two, agorot: 56_000 },
  ])
  await night('2031-08-24T09:00:00Z')
  expect(await letters()).toBe(2)
  expect((await gridOf(id)).building.reminders?.nextOn).toBe('2031-09-07')
  expect(await house.call(calls.setReminders, { id, every: 'never', firstDay: '2031-06-15' })).toEqual({
    nextOn: null,
  })
  expect((await gridOf(id)).building.reminders).toBeNull()
  await night('2031-12-24T09:00:00Z')
  expect(await letters()).toBe(2)
})

test('what a renter owes for long is told to the owner too, where the house wants it and of his flat alone', async () => {
  const id = await building({ ownerCopyDays: 60 })
  const [one, two] = [await flat(id, '1'), await flat(id, '2')]
  await tenant(one, 'בעלים', '2031-01-01', { pays: false })
  await tenant(one, 'שוכר', '2031-01-01', { role: 'renter' })
  await tenant(two, 'אחר', '2031-01-01')
  await rate(id, 20_000)
  await house.call(calls.charge, { id, from: '2031-05', to: '2031-05' })
  // Forty-five days late: the payers alone.
  expect(await house.call(calls.remindTenants, { id })).toMatchObject({ sent: 2, copies: 0 })
  clock = new Date('2031-07-20T09:00:00Z')
  expect(await house.call(calls.remindTenants, { id })).toMatchObject({ sent: 2, copies: 1 })
  expect(await house.call(calls.remindTenants, { id })).toMatchObject({ sent: 0, recently: 2, copies: 0 })
  const copies = (await house.get(`${base}/messages`)).rows.filter(
    (row: Row) => String(row.body).includes('שוכר') && String(row.body).includes('בעלים'),
  )
  expect(copies).toHaveLength(1)
  expect(copies[0].body).toContain('100.00')
  expect(copies[0].body).not.toContain('אחר')
  await house.send('PATCH', `${base}/committeebuildings/${id}`, { ownerCopyDays: null })
  clock = new Date('2031-07-30T09:00:00Z')
  expect(await house.call(calls.remindTenants, { id })).toMatchObject({ sent: 2, copies: 0 })
  await expect(
    house.send('PATCH', `${base}/committeebuildings/${id}`, { ownerCopyDays: 0 }),
  ).rejects.toMatchObject({
    errors: [{ path: 'ownerCopyDays', code: 'fields.range' }],
  })
})

test('what each flat would pay of a levy is seen before it is made, and is what it pays', async () => {
  const id = await building()
  const flats = [
    await flat(id, '1', { area: '50' }),
    await flat(id, '2', { area: '70' }),
    await flat(id, '3', { area: '30', isExempt: true }),
  ]
  const asked = { id, rule: 'area', agorot: 100_001, instalments: 3 }
  const { rows } = await house.call(calls.levyShares, asked as never)
  expect(
    rows.map(({ flatId, agorot, firstAgorot, isExempt }) => [flatId, agorot, firstAgorot, isExempt]),
  ).toEqual([
    [flats[0], 41_667, 13_889, false],
    [flats[1], 58_334, 19_445, false],
    [flats[2], 0, 0, true],
  ])
  expect((await gridOf(id)).levies).toEqual([])
  const levy = await house.call(calls.makeLevy, {
    ...asked,
    name: 'גג',
    firstMonth: '2031-06',
    decidedOn: '2031-06-01',
    votesFor: 5,
  } as never)
  const of = await gridOf(id, { levyId: (levy as Row).id })
  expect(of.levies).toMatchObject([{ rule: 'area' }])
  expect(of.rows.map((row) => row.cells.reduce((sum, cell) => sum + cell.agorot, 0))).toEqual([
    41_667, 58_334, 0,
  ])
  await expect(house.call(calls.levyShares, { ...asked, rule: 'share' } as never)).rejects.toMatchObject({
    errors: [{ path: 'rule', code: 'committee.sharesNotWhole' }],
  })
})

test('on the 25th the next month is made, once, and the month after it in its turn', async () => {
  const id = await building()
  await tenant(await flat(id, '1'), 'דיירת', '2030-01-01')
  await rate(id, 28_000)
  await rate(id, 30_000, { fromMonth: '2031-02' })
  const waiting = async () =>
    (
      await world.app.db.pool.query(
        `select payload->>'month' as month, run_after from outbox where name = 'committee.month' and done_at is null and payload->>'buildingId' = $1`,
        [id],
      )
    ).rows as Row[]
  expect((await waiting()).map((row) => [row.month, dayInJerusalem(new Date(row.run_after))])).toEqual([
    ['2031-07-01', '2031-06-25'],
  ])
  await world.app.db.pool.query(
    `update outbox set run_after = now() - interval '1 day' where name = 'committee.month'`,
  )
  await world.worker.drain()
  expect((await gridOf(id)).rows[0]!.cells[6]).toMatchObject({
    month: '2031-07-01',
    agorot: 30_000,
    state: 'ahead',
  })
  expect((await waiting()).map((row) => row.month)).toEqual(['2031-08-01'])
})

test('no job is needed: the row says what is due; what cannot be split is told and keeps no later month waiting', async () => {
  const id = await building()
  const one = await flat(id, '1', { area: '80' })
  await tenant(one, 'דיירת', '2030-01-01')
  await rate(id, 28_000, { rule: 'area' })
  // As after a restore, or eight tries in vain.
  await world.app.db.pool.query(`delete from outbox where name = 'committee.month'`)
  const months = async () =>
    (
      (await world.app.db.pool.query(
        'select month::text from committee_dues where flat_id = $1 order by month',
        [one],
      )) as { rows: Row[] }
    ).rows.map((row) => row.month)
  const sweep = async (day: string) => {
    clock = new Date(`${day}T06:00:00Z`)
    await serveSchedule(world.app, dueHouses)
  }
  const told = async () =>
    (await house.call(listNotifications, {})).rows.map((row: Row) => [
      row.kind,
      row.params.why,
      row.params.month,
      row.params.last,
    ])
  await sweep('2031-06-24')
  expect(await months()).toEqual([])
  await sweep('2031-06-25')
  await sweep('2031-06-26')
  expect(await months()).toEqual(['2031-07-01'])
  const bare = await flat(id, '2')
  await world.app.db.pool.query(`delete from outbox where name = 'committee.month'`)
  await sweep('2031-07-25')
  expect(await months()).toEqual(['2031-07-01'])
  expect(await told()).toEqual([['committee.refused', 'noArea', '08/2031', '']])
  await house.send('PATCH', `${base}/committeeflats/${bare}`, { area: '80' })
  // Two that were missed are made up for; a longer time is a person's.
  await sweep('2031-09-25')
  expect(await months()).toEqual(['2031-07-01', '2031-09-01', '2031-10-01'])
  await house.send('DELETE', `${base}/committeebuildings/${id}`)
  await sweep('2032-01-26')
  expect((await months()).at(-1)).toBe('2031-10-01')
  await house.send('POST', `${base}/committeebuildings/${id}/restore`)
  await sweep('2032-01-27')
  expect((await months()).at(-1)).toBe('2032-02-01')
  expect((await told())[0]).toEqual(['committee.refused', 'missed', '11/2031', '01/2032'])
})

describe('hand-over', () => {
  const give = (id: string, more: Row = {}) =>
    house.call(calls.handOver, { id, to: 'אבי', confirmed: true, ...more } as never) as Promise<
      { pageUrl: string } & Row
    >
  const keyIn = (url: string) => url.split('/').at(-1)!
  /** Somebody of the business who works for the committee alone. */
  const treasurer = async (): Promise<{ userId: string; token: string }> => {
    const mate = await newBusiness(world)
    const { companyId } = await house.get('/api/user/session')
    const { rows } = await world.app.db.pool.query('select id from users where email = $1', [mate.email])
    const userId = rows[0].id as string
    await world.app.db.pool.query(
      `insert into memberships (company_id, user_id, type_id, rules) values ($1, $2, 9, '{281,282,283}')`,
      [companyId, userId],
    )
    await world.app.db.pool.query('update sessions set company_id = $1 where user_id = $2', [
      companyId,
      userId,
    ])
    return { userId, token: mate.token }
  }

  test('one confirmed step: the old link of the tenants opens nothing, and the next treasurer stands there', async () => {
    const id = await building({ treasurer: 'רונית', openingAgorot: 5000 })
    const { key } = await publicPage(id)
    await expect(give(id, { confirmed: false })).rejects.toMatchObject({ errors: [{ path: 'confirmed' }] })
    expect(await give(id)).toMatchObject({ balanceAgorot: 5000, debtsAgorot: 0 })
    expect((await world.http.inject({ url: `/api2/invoice/vaadpage/${key}` })).statusCode).toBe(404)
    expect((await gridOf(id)).building.treasurer).toBe('אבי')
  })

  test('the package holds till, residents, debts, levies and papers as they stood that day, and is seen by who has its link', async () => {
    const id = await building({ treasurer: 'רונית', openingAgorot: 5000, reserveAgorot: 1000 })
    const [one, two] = [await flat(id, '1'), await flat(id, '2')]
    await tenant(one, 'דנה לוי', '2031-01-01')
    const renter = await tenant(two, 'יוסי כהן', '2031-01-01', { role: 'renter' })
    await rate(id, 56_000)
    await house.call(calls.charge, { id, from: '2031-05', to: '2031-06' })
    await pay(id, [{ flatId: one, agorot: 56_000 }])
    const [type] = (await house.get(`${base}/expensetypes?size=10`)).rows as { id: string }[]
    const file = (await house.call(uploadFile, {
      name: 'bill.pdf',
      bytes: Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF'),
    } as never)) as { id: string }
    await house.call(calls.addExpense, {
      id,
      supplier: 'ניקיון בע״מ',
      typeId: type!.id,
      agorot: 11_000,
      day: '2031-06-01',
      means: 'bank',
      said: 'ניקיון: "חדר" <מדרגות>',
      fileIds: [file.id],
    })
    const { pageUrl } = await give(id, { email: 'avi@example.com', things: 'מפתחות' })
    const url = `/api2/invoice/vaadhandover/${keyIn(pageUrl)}`
    // What happens later changes nothing of it.
    await pay(id, [{ flatId: two, agorot: 56_000 }])
    await house.send('PATCH', `${base}/customers/${renter}`, { phone: '0521234567' })
    const page = JSON.parse((await world.http.inject({ url })).body) as Row
    expect(page).toMatchObject({
      fromName: 'רונית',
      toName: 'אבי',
      day: '2031-06-15',
      things: 'מפתחות',
      balanceAgorot: 5000 + 56_000 - 11_000,
      reserveAgorot: 1000,
      debtsAgorot: 56_000,
      debts: [{ flat: '2', name: 'יוסי כהן', agorot: 56_000 }],
      residents: [
        { flat: '1', name: 'דנה לוי', role: 'owner', pays: true },
        { flat: '2', name: 'יוסי כהן', role: 'renter', pays: true },
      ],
      papers: 1,
      takenAt: null,
    })
    // No contact details are on the page.
    expect(JSON.stringify({ ...page, business: '' })).not.toContain('example.com')
    const zip = await world.http.inject({ url: `${url}/file` })
    expect(zip.statusCode).toBe(200)
    const files = unzipSync(new Uint8Array(zip.rawPayload))
    expect(Object.keys(files).toSorted()).toEqual([
      'debts.xlsx',
      'papers/2031-06-01 ניקיון חדר מדרגות.pdf',
      'residents.xlsx',
      'till.xlsx',
    ])
    const sheet = (name: string) =>
      JSON.stringify(Object.values(unzipSync(files[name]!)).map((part) => strFromU8(part)))
    expect(sheet('residents.xlsx')).toContain('0521234567')
    // The till line by line ends with what was handed over.
    expect(sheet('till.xlsx')).toContain('<v>500</v>')
    // The letter goes to the person who takes it.
    const { rows: letters } = await world.app.db.pool.query(
      "select recipient, body from messages where recipient = 'avi@example.com'",
    )
    expect(letters).toHaveLength(1)
    expect(letters[0].body).toContain(pageUrl)
  })

  test('who gave what to whom and when stands on the screen; it is taken once, and a closed or renewed link opens nothing', async () => {
    const id = await building({ treasurer: 'רונית' })
    const { pageUrl } = await give(id)
    const url = `/api2/invoice/vaadhandover/${keyIn(pageUrl)}`
    const [first] = (await house.call(calls.listHandOvers, { id })).rows
    expect(first).toMatchObject({
      fromName: 'רונית',
      toName: 'אבי',
      day: '2031-06-15',
      pageUrl,
      closesOn: '2031-08-14',
      takenAt: null,
    })
    expect(first!.byName).toBeTruthy()
    const take = () =>
      world.http.inject({
        method: 'POST',
        url: `${url}/take`,
        payload: {},
        headers: { 'idempotency-key': crypto.randomUUID() },
      })
    const taken = JSON.parse((await take()).body) as Row
    clock = new Date('2031-06-20T09:00:00Z')
    expect(JSON.parse((await take()).body)).toEqual(taken)
    expect((await house.call(calls.listHandOvers, { id })).rows[0]!.takenAt).toBe(taken.takenAt)
    const { url: fresh } = await house.call(calls.setHandOverPage, { id: first!.id, on: true })
    expect((await world.http.inject({ url })).statusCode).toBe(404)
    const again = `/api2/invoice/vaadhandover/${keyIn(fresh!)}`
    expect((await world.http.inject({ url: again })).statusCode).toBe(200)
    // Sixty days and no more.
    clock = new Date('2031-08-20T09:00:00Z')
    expect((await world.http.inject({ url: again })).statusCode).toBe(404)
    expect((await house.call(calls.listHandOvers, { id })).rows[0]).toMatchObject({
      pageUrl: null,
      closesOn: null,
    })
    clock = new Date('2031-08-19T09:00:00Z')
    expect((await world.http.inject({ url: again })).statusCode).toBe(200)
    await house.call(calls.setHandOverPage, { id: first!.id, on: false })
    expect((await world.http.inject({ url: again })).statusCode).toBe(404)
    // The package itself stays for who sees the house, and is nobody else's.
    const other = await newBusiness(world, { kind: 'nonProfit' } as never)
    await expect(other.get(`/api4/invoiceexport/committeehandovers/${first!.id}`)).rejects.toMatchObject({
      code: 'kit.notFound',
    })
    await expect(other.call(calls.listHandOvers, { id })).rejects.toMatchObject({ code: 'kit.notFound' })
  })

  test('access moves with it: the next committee is invited with what it needs, and the one before ends', async () => {
    const id = await building({ treasurer: 'רונית' })
    await expect(give(id, { joins: 'committee' })).rejects.toMatchObject({
      errors: [{ path: 'email', code: 'fields.need' }],
    })
    const gone = await treasurer()
    await give(id, { email: 'avi@example.org', joins: 'committee', ends: [gone.userId] })
    const people = (await house.get(`${base}/workers?size=50`)).rows as Row[]
    expect(people.find((one) => one.email === 'avi@example.org')).toMatchObject({
      state: 'invited',
      name: 'אבי',
    })
    expect(people.some((one) => one.id === gone.userId)).toBe(false)
    // The person who may decide of the house but not of the team moves no access.
    const { token } = await treasurer()
    await expect(
      house.call(
        calls.handOver,
        { id, to: 'גיל', email: 'gil@example.org', joins: 'committee', confirmed: true } as never,
        { token },
      ),
    ).rejects.toMatchObject({ code: 'session.forbidden' })
    expect((await gridOf(id)).building.treasurer).toBe('אבי')
    await house.call(calls.handOver, { id, to: 'גיל', confirmed: true } as never, { token })
    expect((await gridOf(id)).building.treasurer).toBe('גיל')
  })
})

test('the page of a house gives the papers of its own expenses and of nothing else', async () => {
  const [id, other] = [await building(), await building({ name: 'הגפן 2' })]
  const [type] = (await house.get(`${base}/expensetypes?size=10`)).rows as { id: string }[]
  const file = async (name: string) =>
    (await house.call(uploadFile, {
      name,
      bytes: Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF'),
    } as never)) as { id: string }
  const [ours, theirs] = [await file('a.pdf'), await file('b.pdf')]
  const spend = (of: string, said: string, fileId: string) =>
    house.call(calls.addExpense, {
      id: of,
      supplier: 'ניקיון בע״מ',
      typeId: type!.id,
      agorot: 30_000,
      day: '2031-05-05',
      means: 'bank',
      said,
      fileIds: [fileId],
    })
  await spend(id, 'ניקיון', ours.id)
  await spend(other, 'גינון', theirs.id)
  const { page, key, text } = await publicPage(id)
  expect(page.spent).toMatchObject([{ said: 'ניקיון', agorot: 30_000, files: [{ id: ours.id }] }])
  expect(page.balanceAgorot).toBe(-30_000)
  expect(text).not.toContain('גינון')
  expect(
    (await world.http.inject({ url: `/api2/invoice/vaadpage/${key}/papers/${ours.id}` })).statusCode,
  ).toBe(200)
  expect(
    (await world.http.inject({ url: `/api2/invoice/vaadpage/${key}/papers/${theirs.id}` })).statusCode,
  ).toBe(404)
  expect(
    (await house.get(`${base}/reports/committeeYear?building=${id}&from=2031-01-01&to=2031-12-31`)).checks,
  ).toEqual([{ name: 'closingIsTheRest', ok: true }])
})

test('who sees no sums, or customers of his own alone, sees no house', async () => {
  const id = await building()
  const { companyId } = await house.get('/api/user/session')
  await world.app.db.pool.query('update memberships set hide_total_prices = true where company_id = $1', [
    companyId,
  ])
  await expect(gridOf(id)).rejects.toMatchObject({ status: 403 })
})

test(
  'forty flats, three years, changing tenants: grid, debts and the page are what an independent sum says, and nobody is named',
  { timeout: 120_000 },
  async () => {
    let state = 11
    const random = (below: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
      return (state >>> 8) % below
    }
    const id = await building({ openedOn: '2028-07-01', openingAgorot: 100_000 })
    const names: string[] = []
    const flats: {
      id: string
      exempt: boolean
      people: { from: string; to: string | null; name: string }[]
      paid: { day: string; sum: number; name: string }[]
    }[] = []
    const months = Array.from(
      { length: 36 },
      (_, i) => `${2028 + Math.floor((i + 6) / 12)}-${String(((i + 6) % 12) + 1).padStart(2, '0')}`,
    )
    for (let n = 1; n <= 40; n++) {
      const one = {
        id: await flat(id, String(n), { entrance: n <= 20 ? 'א' : 'ב', isExempt: n % 13 === 0 }),
        exempt: n % 13 === 0,
        people: [] as (typeof flats)[number]['people'],
        paid: [] as (typeof flats)[number]['paid'],
      }
      const leaves = random(3) ? `${months[6 + random(24)]!}-14` : null
      const first = `דייר ראשון מספר ${n}`
      await tenant(one.id, first, '2028-01-01', leaves ? { toDay: leaves } : {})
      one.people.push({ from: '2028-01-01', to: leaves, name: first })
      names.push(first)
      if (leaves) {
        const second = `דייר שני מספר ${n}`
        await tenant(one.id, second, `${leaves.slice(0, 8)}15`, { role: 'renter' })
        one.people.push({ from: `${leaves.slice(0, 8)}15`, to: null, name: second })
        names.push(second)
      }
      flats.push(one)
    }
    await rate(id, 38 * 25_000 - 1, { fromMonth: '2028-07' })
    await rate(id, 38 * 31_000 + 2, { fromMonth: '2030-01' })
    await house.call(calls.charge, { id, from: '2028-07', to: '2031-06' })
    const payer = (of: (typeof flats)[number], day: string) =>
      of.people.find((one) => one.from <= day && (one.to === null || one.to >= day))!.name
    for (const month of months.filter((_, i) => i % 3 === 2)) {
      const day = `${month}-10`
      const payments = flats
        .filter((one) => !one.exempt && random(4) > 0)
        .map((one) => ({ one, sum: (1 + random(4)) * 25_000 }))
      for (const { one, sum } of payments) one.paid.push({ day, sum, name: payer(one, day) })
      await pay(
        id,
        payments.map(({ one, sum }) => ({ flatId: one.id, agorot: sum, day })),
      )
    }
    // Calculated independently: what each flat was charged a month, who of it, and what that person's money covers.
    const paying = flats.filter((one) => !one.exempt)
    const dueOf = (one: (typeof flats)[number], month: string) => {
      if (one.exempt) return 0
      const whole = month < '2030-01' ? 38 * 25_000 - 1 : 38 * 31_000 + 2
      const place = paying.indexOf(one)
      return Math.floor(whole / paying.length) + (place < whole % paying.length ? 1 : 0)
    }
    let debt = 0
    const { rows } = await gridOf(id, { year: 2031 })
    for (const [i, one] of flats.entries()) {
      const left = new Map<string, number>()
      for (const { name, sum } of one.paid) left.set(name, (left.get(name) ?? 0) + sum)
      let open = 0
      for (const month of months) {
        const name = payer(one, `${month}-01`)
        const takes = Math.min(left.get(name) ?? 0, dueOf(one, month))
        left.set(name, (left.get(name) ?? 0) - takes)
        open += dueOf(one, month) - takes
        if (month === '2031-05')
          expect(rows[i]!.cells[4], `flat ${i + 1}`).toMatchObject({
            agorot: dueOf(one, month),
            paidAgorot: takes,
          })
      }
      expect(rows[i]!.debtAgorot, `flat ${i + 1}`).toBe(open)
      debt += open
    }
    const collected = flats.flatMap((one) => one.paid).reduce((sum, { sum: part }) => sum + part, 0)
    const { page, text } = await publicPage(id)
    expect(page).toMatchObject({ balanceAgorot: 100_000 + collected, debts: { agorot: debt, names: null } })
    expect(names.filter((name) => text.includes(name))).toEqual([])
    const named = await publicPage(id, { namesDecision: 'אסיפה מיום 1.6.2031' })
    expect(named.page.debts.names.reduce((sum: number, row: Row) => sum + row.agorot, 0)).toBe(debt)
  },
)

describe('what is refused', () => {
  test('months without a rate or too many, a house without flats, a payer of before the house', async () => {
    const id = await building()
    const made = (from: string, to: string) => house.call(calls.charge, { id, from, to })
    await expect(rate(id, 30_000)).rejects.toMatchObject({
      status: 422,
      errors: [{ path: 'rule', code: 'committee.noFlats' }],
    })
    const one = await flat(id, '1')
    await expect(made('2031-01', '2031-01')).rejects.toMatchObject({
      status: 422,
      errors: [{ path: 'from', code: 'committee.noRate' }],
    })
    await rate(id, 30_000)
    for (const [from, to] of [
      ['2031-01', '2034-01'],
      ['2031-02', '2031-01'],
    ] as const)
      await expect(made(from, to)).rejects.toMatchObject({
        status: 422,
        errors: [{ path: 'to', code: 'committee.monthsTooMany' }],
      })
    expect((await made('2031-01', '2033-12')).made).toBe(36)
    await expect(tenant(one, 'קודם', '2030-01-01', { toDay: '2030-12-31' })).rejects.toMatchObject({
      status: 422,
      errors: [{ path: 'toDay', code: 'committee.beforeBuilding' }],
    })
    await tenant(one, 'ראשון', '2030-01-01', { toDay: '2031-01-01' })
  })

  test('a payment that was cancelled is not cancelled again', async () => {
    const id = await building()
    const one = await flat(id, '1')
    await tenant(one, 'כהן', '2031-01-01')
    await rate(id, 30_000)
    await house.call(calls.charge, { id, from: '2031-01', to: '2031-01' })
    await pay(id, [{ flatId: one, agorot: 30_000 }])
    const { rows } = (await world.app.db.pool.query('select id from committee_payments where flat_id = $1', [
      one,
    ])) as { rows: Row[] }
    const cancel = () => house.call(calls.cancelTaken, { id: rows[0]!.id, reason: 'טעות' } as never)
    await cancel()
    await expect(cancel()).rejects.toMatchObject({ status: 409, code: 'committee.alreadyCancelled' })
  })
})
