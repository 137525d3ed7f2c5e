import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asSystem } from '#kit/server/data/db.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import { addTerminal, changeTerminal, testPay } from '#features/money/acquirers/endpoints.ts'
import { sweep as sweepCharges } from '#features/money/acquirers/server/sweep.ts'
import { takeStatement, uploadStatement } from '#features/money/bank/endpoints.ts'
import { beginLink, checkLink, createLink, refundCharge } from '#features/money/paymentLinks/endpoints.ts'
import { callAs, newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { createExpense } from '#features/purchases/expenses/endpoints.ts'
import * as calls from './endpoints.ts'
import { takeNight } from './server/night.ts'

let world: World
let shop: Business
let companyId: string
let customerId: string
let terminalId: string
let time = new Date('2026-05-03T08:00:00Z')
const day = '2026-05-03'

beforeAll(async () => {
  world = await startWorld(() => time)
  world.app.settings.testAcquirer = true
})
afterAll(() => world.close())
beforeEach(async () => {
  time = new Date('2026-05-03T08:00:00Z')
  shop = await newBusiness(world)
  companyId = (await shop.call(mySession, {})).companyId
  customerId = (await shop.customer('כהן')).id
  terminalId = (await shop.call(addTerminal, { gateway: 'test' })).id
})

const query = async <T>(text: ReturnType<typeof sql<T>>): Promise<T[]> =>
  (await asSystem(world.app.db, (tx) => text.execute(tx))).rows
async function pay(agorot: number): Promise<{ id: string; uid: string }> {
  const link = (await shop.call(createLink, {
    description: 'שירות',
    amountAgorot: agorot,
    customerId,
  } as never)) as { url: string }
  const key = link.url.split('/').at(-1)!
  const { url } = await callAs(world, beginLink, { key } as never)
  const { returnTo } = await callAs(world, testPay, {
    key: url.split('/').at(-1)!,
    number: '4242424242424242',
    month: 12,
    year: 2032,
    cvv: '123',
    instalments: 1,
  })
  const id = new URL(returnTo).searchParams.get('charge')!
  await callAs(world, checkLink, { key, charge: id })
  // The stand-in counts a deal by the clock of its own database.
  await query(sql`update test_charges set created_at = ${time} where company_id = ${companyId}`)
  const [row] = await query(
    sql<{ uid: string }>`select uid from charges where company_id = ${companyId} and id = ${id}`,
  )
  return { id, uid: row!.uid }
}
const take = () => shop.call(calls.takeDays, { terminalId, from: day, to: day })
const deals = async () =>
  (await shop.get('/api4/invoice/acquirerDeals?size=50&sort=toldAgorot')).rows as {
    id: string
    state: string
    uid: string
    toldAgorot: number | null
    ownAgorot: number | null
    differenceAgorot: number
  }[]
const states = async () => (await deals()).map(({ state }) => state).toSorted()
const clearing = async () =>
  (
    await query(
      sql<{
        sum: number
      }>`select coalesce(sum(p.amount_agorot), 0)::bigint as sum from postings p
        join accounts a on a.company_id = p.company_id and a.id = p.account_id
        where p.company_id = ${companyId} and a.number = '1030'`,
    )
  )[0]!.sum

test('an acquirer’s invoice is compared with what deposits booked, month by month, and is told where it was entered twice', async () => {
  const bank = (await shop.send('POST', '/api4/invoice/bankaccounts', { name: 'עו״ש' })) as { id: string }
  for (const [on, feeAgorot, feeVatAgorot] of [
    ['2026-04-10', 1_000, 180],
    ['2026-04-20', 500, 90],
  ] as const) {
    const { id } = await shop.call(calls.addDeposit, { terminalId, day: on, netAgorot: 50_000 })
    await shop.call(calls.bookDeposit, {
      id,
      bankAccountId: bank.id,
      feeAgorot,
      feeVatAgorot,
      invoiceNumber: '',
    })
  }
  const invoice = (more: object = {}) =>
    shop.call(calls.keepAcquirerInvoice, {
      terminalId,
      month: '2026-04',
      number: 'F-77',
      feeAgorot: 1_500,
      feeVatAgorot: 270,
      ...more,
    })
  for (const [more, path] of [
    [{ month: '2026-13' }, 'month'],
    [{ month: '2027-01' }, 'month'],
    [{ number: ' ' }, 'number'],
    [{ feeVatAgorot: 1_501 }, 'feeVatAgorot'],
    [{ terminalId: '01900000-0000-7000-8000-000000000000' }, 'terminalId'],
  ] as const)
    await expect(invoice(more)).rejects.toMatchObject({ errors: [{ path }] })
  const expenses = async () =>
    (
      await query(sql<{ n: number }>`select count(*)::int as n from expenses where company_id = ${companyId}`)
    )[0]!.n
  const before = await expenses()
  expect(await invoice()).toEqual({ bookedAgorot: 1_770, differenceAgorot: 0, twiceAgorot: 0 })
  // Written down again it is the same one.
  expect(await invoice({ feeAgorot: 2_000, feeVatAgorot: 360 })).toEqual({
    bookedAgorot: 1_770,
    differenceAgorot: 590,
    twiceAgorot: 0,
  })
  expect(await expenses()).toBe(before)
  const report = () => shop.get('/api4/invoice/reports/acquirerFees?from=2026-04-15&to=2026-04-30')
  expect(await report()).toMatchObject({
    // Without a name of its own a terminal is called by its acquirer.
    rows: [
      {
        terminal: 'מסוף בדיקה',
        month: '04/2026',
        bookedAgorot: 1_770,
        invoicedAgorot: 2_360,
        differenceAgorot: 590,
        twiceAgorot: 0,
      },
    ],
    totals: { differenceAgorot: 590 },
  })
  // Somebody enters the same invoice as any bill.
  const [type] = await query(
    sql<{ id: string }>`select id from expense_types where company_id = ${companyId} and key = 'bankFees'`,
  )
  await shop.call(createExpense, {
    supplier: { name: 'חברת סליקה' },
    supplierNumber: 'F-77',
    date: '2026-05-01',
    paper: 'taxInvoice',
    lines: [{ typeId: type!.id, netAgorot: 2_000, vatAgorot: 360 }],
    means: 'bank',
    paidDate: '2026-05-01',
  } as never)
  expect((await report()).rows[0].twiceAgorot).toBe(2_360)
  expect(await invoice({ feeAgorot: 0, feeVatAgorot: 0 })).toEqual({
    bookedAgorot: 1_770,
    differenceAgorot: -1_770,
    twiceAgorot: 0,
  })
})

describe('the list of a day', () => {
  test('fits: charges and what went back, asked for as often as one likes', async () => {
    const paid = await pay(20_000)
    await pay(5_000)
    await shop.call(refundCharge, { id: paid.id, amountAgorot: 3_000, reason: 'הנחה' })
    await sweepCharges(world.app)
    await world.worker.drain()
    await query(sql`update charge_refunds set updated_at = ${time} where company_id = ${companyId}`)
    expect(await take()).toMatchObject({ days: 1, deals: 3, differences: 0 })
    expect(await take()).toMatchObject({ deals: 3, differences: 0 })
    expect(await states()).toEqual(['matched', 'matched', 'matched'])
    expect((await deals()).map(({ toldAgorot, ownAgorot }) => [toldAgorot, ownAgorot])).toEqual([
      [-3_000, -3_000],
      [5_000, 5_000],
      [20_000, 20_000],
    ])
  })

  test('names each difference, until it fits or a person explains it', async () => {
    const [wrong, gone] = [await pay(20_000), await pay(5_000)]
    await query(
      sql`update test_charges set amount_agorot = 20001 where company_id = ${companyId}
          and reference = ${wrong.uid}`,
    )
    await query(
      sql`update test_charges set state = 'released' where company_id = ${companyId}
          and reference = ${gone.uid}`,
    )
    await query(sql`insert into test_charges (company_id, reference, merchant_key, amount_agorot,
        most_instalments, description, language, return_to, state, expires_at, created_at)
      values (${companyId}, 'STRANGE', 'x', 700, 1, '-', 'he', '/', 'paid', ${time}, ${time})`)
    expect(await take()).toMatchObject({ deals: 2, differences: 3 })
    expect(await states()).toEqual(['missing', 'sum', 'unknown'])
    expect((await shop.call(calls.settlementFacts, {})).differences).toBe(3)
    const unknown = (await deals()).find(({ state }) => state === 'unknown')!
    expect(unknown).toMatchObject({ uid: 'STRANGE', toldAgorot: 700, ownAgorot: null, differenceAgorot: 700 })
    await expect(shop.call(calls.explainDeal, { id: unknown.id, note: ' ' })).rejects.toMatchObject({
      code: 'kit.badInput',
    })
    await shop.call(calls.explainDeal, { id: unknown.id, note: 'נגבה במסוף בחנות' })
    await query(
      sql`update test_charges set amount_agorot = 20000 where company_id = ${companyId}
          and reference = ${wrong.uid}`,
    )
    await query(
      sql`update test_charges set state = 'paid' where company_id = ${companyId} and reference = ${gone.uid}`,
    )
    await take()
    expect(await states()).toEqual(['explained', 'matched', 'matched'])
    const fits = (await deals()).find(({ state }) => state === 'matched')!
    await expect(shop.call(calls.explainDeal, { id: fits.id, note: 'סתם' })).rejects.toMatchObject({
      code: 'settlements.notDifferent',
    })
  })

  test('says what went back without our asking, whole or in part and weeks later: it is booked as a denial, and fits', async () => {
    const [whole, part] = [await pay(20_000), await pay(5_000)]
    await take()
    time = new Date('2026-06-20T08:00:00Z')
    const csv = [
      'סכום,תאריך,מספר עסקה',
      `-200.00,20/06/2026,${whole.uid}`,
      `-12.00,20/06/2026,${part.uid}`,
      '-9.00,20/06/2026,ELSE',
    ].join('\n')
    const file = () => shop.call(calls.takeFile, { terminalId, bytes: Buffer.from(csv) } as never)
    expect(await file()).toMatchObject({ deals: 3, differences: 3 })
    const taken = (await deals()).filter(({ state }) => state === 'takenBack')
    expect(taken.map(({ toldAgorot, ownAgorot }) => [toldAgorot, ownAgorot])).toEqual([
      [-20_000, null],
      [-1_200, null],
    ])
    const before = await clearing()
    for (const { id } of taken) await shop.call(calls.denyDeal, { id, reason: 'לא הכיר את העסקה' })
    expect(before - (await clearing())).toBe(21_200)
    expect((await shop.call(calls.settlementFacts, {})).owedAgorot).toBe(20_000 + 5_000 - 21_200)
    await expect(shop.call(calls.denyDeal, { id: taken[0]!.id, reason: 'שוב' })).rejects.toMatchObject({
      code: 'settlements.notTakenBack',
    })
    await expect(
      (await newBusiness(world)).call(calls.denyDeal, { id: taken[0]!.id, reason: 'זר' }),
    ).rejects.toMatchObject({ status: 404 })
    // The same list again changes nothing, and what nobody knows stays unknown.
    expect(await file()).toMatchObject({ differences: 1 })
    expect(await states()).toEqual(['matched', 'matched', 'matched', 'matched', 'unknown'])
  })

  test('comes as a file too, by the heads of its columns, in whatever words and order', async () => {
    const { uid } = await pay(20_000)
    const csv = [
      'סכום,תאריך עסקה,מספר עסקה,כרטיס',
      `"200.00",03/05/2026,${uid},**** 4242`,
      '15.00,03/05/2026,ZZ1,1111',
      'סהכ,,,',
    ].join('\n')
    expect(await shop.call(calls.takeFile, { terminalId, bytes: Buffer.from(csv) } as never)).toEqual({
      days: 1,
      deals: 2,
      differences: 1,
      deposits: 0,
    })
    expect(await states()).toEqual(['matched', 'unknown'])
    for (const text of ['', 'a,b\n1,2', 'date,amount\nx,y'])
      await expect(
        shop.call(calls.takeFile, { terminalId, bytes: Buffer.from(text) } as never),
      ).rejects.toMatchObject({
        code: expect.stringMatching(/settlements.notRead|kit.badInput|kit.empty/),
      })
  })

  test('is asked for at night once, for days that are over', async () => {
    await pay(20_000)
    time = new Date('2026-05-04T02:00:00Z')
    expect(await takeNight(world.app)).toBeGreaterThanOrEqual(1)
    expect(await states()).toEqual(['matched'])
    const before = await query(
      sql<{ day: string }>`select day::text from acquirer_days where company_id = ${companyId} order by day`,
    )
    expect(before.at(-1)).toEqual({ day })
    await takeNight(world.app)
    expect(await query(sql`select 1 from acquirer_days where company_id = ${companyId}`)).toHaveLength(
      before.length,
    )
  })

  test.each([
    [{ from: '2026-05-04', to: '2026-05-03' }, 'fields.dayOrder'],
    [{ from: '2026-05-03', to: '2026-05-04' }, 'settlements.future'],
    [{ from: '2026-01-01', to: '2026-05-01' }, 'fields.range'],
  ])('is refused for %j', async (days, code) => {
    await expect(shop.call(calls.takeDays, { terminalId, ...days })).rejects.toMatchObject({
      errors: [{ code }],
    })
  })

  test('of another business is nobody’s', async () => {
    const other = await newBusiness(world)
    await expect(other.call(calls.takeDays, { terminalId, from: day, to: day })).rejects.toMatchObject({
      code: 'kit.notFound',
    })
  })
})

describe('money that came to the bank', () => {
  const bank = async (sum: string) => {
    const { id } = await shop.send('POST', '/api4/invoice/bankaccounts', { name: 'עו״ש' })
    const seen = await shop.call(uploadStatement, {
      id,
      name: 'x.csv',
      bytes: Buffer.from(`date,description,reference,amount\n2026-05-04,זיכוי סליקה,771,${sum}`),
    } as never)
    await shop.call(takeStatement, { id: seen.id })
    return id as string
  }
  const deposit = () => shop.call(calls.addDeposit, { terminalId, day, netAgorot: 24_410 })

  test('is booked with its fee and its VAT, comes off what the acquirer owes, and stands with the bank’s line', async () => {
    await pay(20_000)
    await pay(5_000)
    const bankAccountId = await bank('244.10')
    expect(await clearing()).toBe(25_000)
    expect((await shop.call(calls.settlementFacts, {})).owedAgorot).toBe(25_000)
    const { id } = await deposit()
    time = new Date('2026-05-05T08:00:00Z')
    const booked = await shop.call(calls.bookDeposit, {
      id,
      bankAccountId,
      feeAgorot: 500,
      feeVatAgorot: 90,
      invoiceNumber: '5511',
    })
    expect(booked).toMatchObject({ matched: true, matchNumber: 1 })
    expect(await clearing()).toBe(0)
    expect((await shop.call(calls.settlementFacts, {})).owedAgorot).toBe(0)
    const expense = await shop.get(`/api4/invoice/expenses/${booked.expenseId}`)
    // The VAT of a card's commission is deducted.
    expect(expense).toMatchObject({
      state: 'approved',
      paperNetAgorot: 500,
      paperVatAgorot: 90,
      recognisedVatAgorot: 90,
      openAgorot: 0,
      supplierNumber: '5511',
    })
    const report = await shop.get('/api4/invoice/reports/acquirersOwe')
    expect(report.checks).toEqual([{ name: 'adds', ok: true }])
    expect(report.rows).toMatchObject([{ chargedAgorot: 25_000, carriedAgorot: 25_000, owedAgorot: 0 }])
    await expect(
      shop.call(calls.bookDeposit, { id, bankAccountId, feeAgorot: 0, feeVatAgorot: 0 }),
    ).rejects.toMatchObject({
      code: 'settlements.booked',
    })
  })

  test('stands by the month it is paid out: instalments each in their own, what went back off the last', async () => {
    await query(
      sql`update terminals set instalments = '[{"fromAgorot":0,"most":12}]' where company_id = ${companyId}`,
    )
    const { id } = await pay(30_000)
    await query(sql`update charges set instalments = 3 where company_id = ${companyId} and id = ${id}`)
    await shop.call(refundCharge, { id, amountAgorot: 5_000, reason: 'הנחה' })
    await world.worker.drain()
    const report = await shop.get('/api4/invoice/reports/acquirersOwe?by=month')
    expect(report.checks).toEqual([{ name: 'adds', ok: true }])
    expect(
      report.rows.map((row: Record<string, unknown>) => [
        row.day,
        row.chargedAgorot,
        row.refundedAgorot,
        row.owedAgorot,
      ]),
    ).toEqual([
      ['2026-05-01', 10_000, 0, 10_000],
      ['2026-06-01', 10_000, 0, 10_000],
      ['2026-07-01', 10_000, 5_000, 5_000],
    ])
    expect((await shop.get('/api4/invoice/reports/acquirersOwe?by=month&from=2026-06-01')).rows).toHaveLength(
      2,
    )
  })

  test('takes a fee without VAT too, under the account that the terminal names', async () => {
    await pay(24_910)
    const bankAccountId = await bank('1.00')
    const account = async (key: string) =>
      (
        await query(
          sql<{
            id: string
          }>`select account_id as id from expense_types where company_id = ${companyId} and key = ${key}`,
        )
      )[0]!.id
    await shop.get('/api4/invoice/expensetypes')
    const [cash] = await query(
      sql<{ id: string }>`select id from accounts where company_id = ${companyId} and number = '1030'`,
    )
    await expect(shop.call(changeTerminal, { id: terminalId, feeAccountId: cash!.id })).rejects.toMatchObject(
      {
        errors: [{ path: 'feeAccountId', code: 'acquirers.noKind' }],
      },
    )
    const fees = await account('feesAndMemberships')
    await shop.call(changeTerminal, { id: terminalId, feeAccountId: fees })
    const { id } = await deposit()
    const { expenseId } = await shop.call(calls.bookDeposit, {
      id,
      bankAccountId,
      feeAgorot: 500,
      feeVatAgorot: 0,
    })
    const [line] = await query(sql<{
      accountId: string
      paper: string
    }>`select l.account_id as "accountId", e.paper from expense_lines l
      join expenses e on e.company_id = l.company_id and e.id = l.expense_id where l.company_id = ${companyId}
        and l.expense_id = ${expenseId}`)
    expect(line).toEqual({ accountId: fees, paper: 'receipt' })
    expect(await clearing()).toBe(0)
  })

  test('waits for a person where the bank has no such line; a wrong fee is refused at its field', async () => {
    await pay(24_410)
    const bankAccountId = await bank('1.00')
    const { id } = await deposit()
    for (const [feeAgorot, feeVatAgorot] of [
      [-1, 0],
      [100, 200],
    ])
      await expect(
        shop.call(calls.bookDeposit, {
          id,
          bankAccountId,
          feeAgorot: feeAgorot!,
          feeVatAgorot: feeVatAgorot!,
        }),
      ).rejects.toMatchObject({ code: 'kit.badInput' })
    expect(await shop.call(calls.bookDeposit, { id, bankAccountId, feeAgorot: 0, feeVatAgorot: 0 })).toEqual({
      matched: false,
      matchNumber: null,
      expenseId: null,
    })
    expect(await clearing()).toBe(0)
  })
})

test('an acquirer that has no list of a day is not asked for one', async () => {
  const { id } = await shop.call(addTerminal, {
    gateway: 'grow',
    settings: { userId: 'user-1', pageCode: 'page-1', apiKey: 'key' },
  } as never)
  await expect(shop.call(calls.takeDays, { terminalId: id, from: day, to: day })).rejects.toMatchObject({
    status: 422,
    code: 'settlements.noList',
  })
})
