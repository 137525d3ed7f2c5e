import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays, addMonths } from '#domain/day.ts'
import type { ReportAnswer } from '#kit/describe/report.ts'
import { saveMandate } from '#features/money/masav/endpoints.ts'
import { createDocument } from '#features/sales/documents/endpoints.ts'
import { changeVatBasis, fileReturn } from '#features/tax/vat/endpoints.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import * as calls from './endpoints.ts'

let world: World
let now = new Date('2026-11-24T08:00:00Z')
/** Papers are entered on their own days: the clock goes along. */
const on = (day: string) => void (now = new Date(`${day}T08:00:00Z`))
const today = '2026-11-24'

beforeAll(async () => void (world = await startWorld(() => now)))
afterAll(() => world.close())

type Asked = Parameters<typeof calls.cashForecast.input.parse>[0] & object
const forecast = (shop: Business, asked: Asked = {}) => shop.call(calls.cashForecast, asked as never)
const entry = (shop: Business, date: string, debit: string, credit: string, agorot: number) =>
  shop.send('POST', '/api5/invoicecpa/entries', {
    date,
    lines: [
      { accountNumber: debit, debitAgorot: agorot },
      { accountNumber: credit, creditAgorot: agorot },
    ],
  })
const told = ({ movements }: calls.Forecast) =>
  movements.map(({ day, agorot, kind, who }) => [day, agorot, kind, who])
const of = (answer: calls.Forecast, ...kinds: string[]) =>
  told(answer).filter(([, , kind]) => kinds.includes(String(kind)))

/** Opens a business on 1 January with money in the bank. */
async function opened(agorot = 50_000_00): Promise<Business> {
  on('2026-01-01')
  const shop = await newBusiness(world)
  await entry(shop, '2026-01-01', '1010', '3000', agorot)
  return shop
}
/** An invoice of a day, with its due day, and its receipt so many days after that. */
async function sold(
  shop: Business,
  customerId: string,
  day: string,
  shekels: number,
  dueDay: string,
  paidAfter?: number,
  payment = {},
) {
  on(day)
  const invoice = await shop.invoice(customerId, String(shekels), { date: day, dueDate: dueDay })
  if (paidAfter === undefined) return invoice
  const paid = addDays(dueDay, paidAfter)
  on(paid)
  const amountAgorot = Math.round(shekels * 118)
  await shop.call(createDocument, {
    type: 6,
    customerId,
    date: paid,
    lines: [],
    payments: [{ means: 3, amountAgorot, ...payment }],
    closes: [{ documentId: invoice.id, amountAgorot }],
  } as never)
  return invoice
}

describe('what comes in', () => {
  let shop: Business
  let early: { id: string }
  let slow: { id: string }
  let fresh: { id: string }
  beforeAll(async () => {
    shop = await opened()
    early = await shop.customer('מקדים')
    slow = await shop.customer('מאחר')
    fresh = await shop.customer('חדש')
    // The one pays on the day, the other after 9, 12 and 30 days; in the middle of all six stand 0 and 9:
    // nobody between, so 0.
    for (const [i, day] of ['2026-03-01', '2026-04-01', '2026-05-01'].entries()) {
      await sold(shop, early.id, day, 100, addDays(day, 30), 0)
      await sold(shop, slow.id, day, 100, addDays(day, 30), [9, 12, 30][i])
    }
    // Open: one that should have come in October, and of each one that is due in December.
    await sold(shop, slow.id, '2026-09-10', 10, '2026-10-10')
    await sold(shop, early.id, '2026-11-10', 1_000, '2026-12-10')
    await sold(shop, slow.id, '2026-11-10', 2_000, '2026-12-10')
    await sold(shop, fresh.id, '2026-11-10', 3_000, '2026-12-10')
    // A cheque for January, and money on account that waits.
    on('2026-11-20')
    await shop.call(createDocument, {
      type: 6,
      customerId: fresh.id,
      date: '2026-11-20',
      lines: [],
      payments: [
        {
          means: 2,
          amountAgorot: 540_00,
          bank: '12',
          branch: '600',
          account: '123',
          number: '77',
          dueDate: '2027-01-05',
        },
      ],
      closes: [],
    } as never)
    on(today)
  }, 60_000)

  test('opens with what the books say lies in bank and till today', async () => {
    const { accounts, points } = await forecast(shop)
    // The opening, and six receipts of 118.00 by transfer.
    expect(points[0]).toMatchObject({ day: today, agorot: 50_000_00 + 6 * 118_00 })
    expect(accounts.reduce((all, { agorot }) => all + agorot, 0)).toBe(points[0]!.agorot)
    expect(points).toHaveLength(91)
  })

  test('each debt on the day its customer usually pays; money on account makes it smaller; what is late is looked for in a week', async () => {
    const answer = await forecast(shop)
    expect(of(answer, 'debt', 'cheque')).toEqual([
      ['2026-12-01', 11_80, 'debt', 'מאחר'],
      ['2026-12-10', 3_540_00 - 540_00, 'debt', 'חדש'],
      ['2026-12-10', 1_180_00, 'debt', 'מקדים'],
      ['2026-12-22', 2_360_00, 'debt', 'מאחר'],
      ['2027-01-05', 540_00, 'cheque', 'חדש'],
    ])
    const late = (who: string) =>
      answer.movements.find((one) => one.who === who && one.day > '2026-12-05')!.late
    expect(late('מאחר')).toEqual({ days: 12, by: 'customer' })
    expect(late('חדש')).toEqual({ days: 0, by: 'business' })
    expect(answer.debtors.map(({ name, agorot }) => [name, agorot])).toEqual([
      ['חדש', 3_000_00],
      ['מאחר', 2_371_80],
      ['מקדים', 1_180_00],
    ])
    expect(answer.movements.find(({ kind }) => kind === 'cheque')!.open).toMatch(/^\/invoice\/preview\//)
  })

  test('the two biggest pay thirty days late, and the line without it stands beside', async () => {
    const calm = await forecast(shop)
    const answer = await forecast(shop, { biggest: 2, laterDays: 30 })
    expect(of(answer, 'debt')).toEqual([
      ['2026-12-10', 1_180_00, 'debt', 'מקדים'],
      ['2026-12-31', 11_80, 'debt', 'מאחר'],
      ['2027-01-09', 3_000_00, 'debt', 'חדש'],
      ['2027-01-21', 2_360_00, 'debt', 'מאחר'],
    ])
    expect(answer.calm).toEqual(calm.points.map(({ agorot }) => agorot))
    expect(calm.calm).toBeNull()
  })

  test('the line is the sum of what it is made of', async () => {
    const { points, movements } = await forecast(shop, { biggest: 1, laterDays: 15 })
    for (const { day, agorot } of points)
      expect(agorot).toBe(
        points[0]!.agorot +
          movements.filter((one) => one.day <= day).reduce((all, one) => all + one.agorot, 0),
      )
  })

  test('in brief, the line without what it is made of', async () => {
    const [answer, brief] = [await forecast(shop), await forecast(shop, { brief: true })]
    expect(brief).toEqual({ ...answer, movements: [], series: [] })
  })

  test('is a report, too, to be had as a file: movement by movement with its running balance', async () => {
    const answer = await forecast(shop, { biggest: 2, laterDays: 30 })
    const { rows, checks } = await shop.get<ReportAnswer>(
      '/api4/invoice/reports/cashMovements?biggest=2&laterDays=30',
    )
    expect(checks).toEqual([{ name: 'endIsSum', ok: true }])
    expect(
      rows
        .filter(({ sum }) => !sum)
        .map((row) => [row.day, Number(row.inAgorot) - Number(row.outAgorot), row.move, row.who]),
    ).toEqual(told(answer))
    expect(rows.at(-1)).toMatchObject({ sum: true, balanceAgorot: answer.points.at(-1)!.agorot })
    const csv = Buffer.from(
      await shop.get<Uint8Array>('/api4/invoiceexport/reports/cashMovements.csv'),
    ).toString()
    expect(csv).toContain('540.00')
  })

  test('who lets us debit his account pays on the due day, whatever he did before', async () => {
    const other = await opened()
    const customer = await other.customer('מורשה')
    for (const day of ['2026-03-01', '2026-05-01', '2026-07-01'])
      await sold(other, customer.id, day, 100, addDays(day, 30), 20)
    await sold(other, customer.id, '2026-11-10', 1_000, '2026-12-10')
    on(today)
    expect(of(await forecast(other), 'debt')).toEqual([['2026-12-30', 1_180_00, 'debt', 'מורשה']])
    await other.call(saveMandate, { customerId: customer.id, reference: '77', since: '2026-11-01' })
    expect(of(await forecast(other), 'debt')).toEqual([['2026-12-10', 1_180_00, 'debt', 'מורשה']])
  })

  test('a debt of half a year ago is told and not counted', async () => {
    const old = await opened()
    const debtor = await old.customer('נעלם')
    await sold(old, debtor.id, '2026-03-01', 100, '2026-04-01')
    on(today)
    const answer = await forecast(old)
    expect(answer.doubtfulAgorot).toBe(118_00)
    expect(of(answer, 'debt')).toEqual([])
  })
})

describe('sales to come', () => {
  test('a usual month is the middle one of the last six whole ones; without them the line and its VAT are lower', async () => {
    const shop = await opened()
    const customer = await shop.customer('קבוע')
    // May to October: 1,000 … 6,000 before VAT, each paid 30 days after its day, which is the due day.
    for (let i = 0; i < 6; i++) {
      const day = addMonths('2026-05-15', i)
      await sold(shop, customer.id, day, 1_000 * (i + 1), addDays(day, 30), 0)
    }
    on(today)
    const answer = await forecast(shop)
    expect(answer.usualSalesAgorot).toBe(3_000_00 * 1.18)
    const third = (3_000_00 * 1.18) / 3
    // Sold until the end of December it comes within ninety days; of November six days of the last stretch.
    expect(of(answer, 'newIncome')).toEqual(
      [
        ['2026-11-30', Math.round((third * 6) / 10)],
        ['2026-12-10', third],
        ['2026-12-20', third],
        ['2026-12-31', third],
        ['2027-01-10', third],
        ['2027-01-20', third],
      ].map(([day, agorot]) => [addDays(String(day), 30), agorot, 'newIncome', '']),
    )
    const vat = answer.movements.find(({ kind, day }) => kind === 'vat' && day === '2027-01-18')!
    expect(vat.parts!.map(({ what }) => what)).toEqual(['soFar', 'newIncome', 'bills'])
    const stressed = await forecast(shop, { noNewIncome: true })
    expect(of(stressed, 'newIncome')).toEqual([])
    // A business that reports elsewhere paid there, as the VAT screen takes it.
    expect(of(stressed, 'vat')).toEqual([])
    // Reported here and not paid, due on 16 November: it goes tomorrow, of all periods.
    for (const period of ['2026-06', '2026-08', '2026-10'])
      await shop.call(fileReturn, { period, kind: 'return', settle: true })
    expect(
      of(await forecast(shop, { noNewIncome: true }), 'vat').map(([day, agorot]) => [day, agorot]),
    ).toEqual([['2026-11-25', -Math.round((1_000 + 2_000 + 3_000 + 4_000 + 5_000 + 6_000) * 18)]])
  }, 60_000)
})

describe('businesses of other kinds', () => {
  test('an exempt dealer has no VAT ahead; what he asked for is expected as a debt is', async () => {
    on('2026-11-01')
    const shop = await newBusiness(world, { kind: 'exemptDealer' })
    const customer = await shop.customer('לקוחה')
    await shop.call(createDocument, {
      type: 5,
      customerId: customer.id,
      date: '2026-11-01',
      dueDate: '2026-12-15',
      lines: [{ description: 'שיעור', quantity: '1', unitPrice: '250' }],
    } as never)
    on(today)
    const answer = await forecast(shop)
    expect(told(answer)).toEqual([['2026-12-15', 250_00, 'asked', 'לקוחה']])
  })

  test('by the cash basis an unpaid invoice’s VAT is not ahead', async () => {
    const shop = await opened()
    const customer = await shop.customer('לקוח')
    await shop.call(changeVatBasis, { basis: 'cash', from: '2026-01-01' })
    await sold(shop, customer.id, '2026-09-10', 1_000, '2026-10-10', 0)
    await sold(shop, customer.id, '2026-10-10', 5_000, '2026-12-10')
    on(today)
    await shop.call(fileReturn, { period: '2026-10', kind: 'return' })
    expect(
      of(await forecast(shop, { noNewIncome: true }), 'vat').map(([day, agorot]) => [day, agorot]),
    ).toEqual([['2026-11-25', -180_00]])
  })
})

describe('what goes out', () => {
  let shop: Business
  let supplier: { id: string }
  let landlord: { id: string }
  let typeId: string
  let rentId: string
  const bill = async (
    supplierId: string,
    kind: string,
    day: string,
    netAgorot: number,
    more: object = {},
  ) => {
    on(day)
    return shop.send<{ id: string }>('POST', '/api4/invoice/expenses', {
      supplierId,
      supplierNumber: `${supplierId.slice(-4)}-${day}`,
      date: day,
      lines: [{ typeId: kind, netAgorot, vatAgorot: 0 }],
      ...more,
    })
  }
  beforeAll(async () => {
    shop = await opened()
    supplier = await shop.send('POST', '/api4/invoice/suppliers', { name: 'ספק חומרים' })
    landlord = await shop.send('POST', '/api4/invoice/suppliers', { name: 'בעל הבית' })
    const { rows } = await shop.get<{ rows: { id: string; accountNumber: string }[] }>(
      '/api4/invoice/expensetypes?size=200',
    )
    typeId = rows.find(({ accountNumber }) => accountNumber === '5000')!.id
    rentId = rows.find(({ accountNumber }) => accountNumber === '6010')!.id
    // Rent on the first of each month, paid at once; a bill that is due in December; one that is overdue.
    for (let month = 6; month <= 11; month++)
      await bill(landlord.id, rentId, `2026-${String(month).padStart(2, '0')}-01`, 4_000_00, {
        means: 'bank',
      })
    await bill(supplier.id, typeId, '2026-11-05', 700_00, { dueDate: '2026-12-20' })
    await bill(supplier.id, typeId, '2026-10-05', 90_00, { dueDate: '2026-11-05' })
    on(today)
  }, 60_000)

  test('bills on the day they are due, overdue ones tomorrow, and the rent that comes back', async () => {
    const answer = await forecast(shop)
    expect(of(answer, 'bill', 'recurring')).toEqual([
      ['2026-11-25', -90_00, 'bill', 'ספק חומרים'],
      ['2026-12-01', -4_000_00, 'recurring', 'בעל הבית'],
      ['2026-12-20', -700_00, 'bill', 'ספק חומרים'],
      ['2027-01-01', -4_000_00, 'recurring', 'בעל הבית'],
      ['2027-02-01', -4_000_00, 'recurring', 'בעל הבית'],
    ])
    expect(answer.series).toMatchObject([
      {
        who: 'בעל הבית',
        rhythm: 'monthly',
        agorot: 4_000_00,
        bills: 6,
        nextDay: '2026-12-01',
        isLeftOut: false,
      },
    ])
  })

  test('a series is left out and taken in again', async () => {
    const { key } = (await forecast(shop)).series[0]!
    await shop.call(calls.leaveOutSeries, { key, isLeftOut: true })
    const without = await forecast(shop)
    expect(of(without, 'recurring')).toEqual([])
    expect(without.series[0]).toMatchObject({ key, isLeftOut: true })
    await shop.call(calls.leaveOutSeries, { key, isLeftOut: false })
    expect(of(await forecast(shop), 'recurring')).toHaveLength(3)
  })

  test('what is awaited by contract is told once, and recognised no more', async () => {
    await shop.send('POST', '/api4/invoice/recurringexpenses', {
      name: 'שכר דירה',
      supplierId: landlord.id,
      typeId: rentId,
      totalAgorot: 4_200_00,
      means: 'bank',
      cycle: 'monthly',
      firstDay: '2026-12-01',
    })
    const answer = await forecast(shop)
    expect(answer.series).toEqual([])
    expect(of(answer, 'expected', 'recurring')).toEqual([
      ['2026-12-01', -4_200_00, 'expected', 'בעל הבית'],
      ['2027-01-01', -4_200_00, 'expected', 'בעל הבית'],
      ['2027-02-01', -4_200_00, 'expected', 'בעל הבית'],
    ])
  })

  test('tax withheld from suppliers and wages stand on their days', async () => {
    on('2026-10-31')
    await entry(shop, '2026-10-31', '6130', '2200', 300_00)
    on(today)
    await entry(shop, '2026-11-20', '6130', '2200', 200_00)
    await entry(shop, '2026-11-20', '6130', '2400', 9_000_00)
    await entry(shop, '2026-11-20', '6140', '2410', 1_500_00)
    const answer = await forecast(shop)
    expect(
      of(answer, 'withheld', 'wages', 'payroll').map(([day, agorot, kind]) => [day, agorot, kind]),
    ).toEqual([
      ['2026-11-25', -300_00, 'withheld'],
      ['2026-12-09', -9_000_00, 'wages'],
      ['2026-12-15', -1_500_00, 'payroll'],
      ['2026-12-16', -200_00, 'withheld'],
    ])
  })

  test('what the books carry for a day ahead is known, and not in the balance of today', async () => {
    const before = (await forecast(shop)).points[0]!.agorot
    await entry(shop, '2026-11-28', '1010', '2500', 800_00)
    const answer = await forecast(shop)
    expect(answer.points[0]!.agorot).toBe(before)
    expect(of(answer, 'booked').map(([day, agorot]) => [day, agorot])).toEqual([['2026-11-28', 800_00]])
    expect(answer.movements.find(({ kind }) => kind === 'booked')!.open).toMatch(/^\/invoice\/entries\//)
  })

  test('the first day below nothing and below a floor', async () => {
    const answer = await forecast(shop, { floorAgorot: 10_000_00_00 })
    expect(answer.belowFloor).toBe(today)
    expect(answer.belowZero).toBeNull()
    const { id } = await shop.call(calls.addSum, {
      name: 'מכונה',
      agorot: -90_000_00,
      cycle: 'once',
      firstDay: '2027-01-20',
    })
    const poor = await forecast(shop)
    expect(poor).toMatchObject({ belowZero: '2027-01-20', belowFloor: null })
    expect(poor.lowest.agorot).toBeLessThan(0)
    await shop.call(calls.dropSum, { id })
  })
})

test('entries of later days count on their day, not today', async () => {
  const shop = await opened()
  on(today)
  await entry(shop, '2026-11-25', '1010', '3000', 100_00)
  await entry(shop, '2026-12-15', '1010', '3000', 2_000_00)
  await entry(shop, '2027-01-15', '3000', '1010', 30_000_00)
  const { accounts, points } = await forecast(shop)
  expect(accounts.reduce((all, { agorot }) => all + agorot, 0)).toBe(50_000_00)
  const at = (day: string) => points.find((one) => one.day === day)!.agorot
  expect([today, '2026-11-25', '2026-12-15', '2027-01-15'].map(at)).toEqual([
    50_000_00, 50_100_00, 52_100_00, 22_100_00,
  ])
})

describe('typed sums', () => {
  const wages = {
    name: 'שכר',
    agorot: -18_000_00,
    cycle: 'monthly' as const,
    firstDay: '2026-08-09',
    lastDay: null,
  }
  test('are listed with their next day, changed and taken out again', async () => {
    const shop = await opened()
    on(today)
    const { id } = await shop.call(calls.addSum, wages)
    expect((await shop.call(calls.listSums, {})).rows).toEqual([{ id, ...wages, nextDay: '2026-12-09' }])
    expect(of(await forecast(shop), 'typed')).toEqual(
      ['2026-12-09', '2027-01-09', '2027-02-09'].map((day) => [day, -18_000_00, 'typed', 'שכר']),
    )
    await shop.call(calls.changeSum, { id, ...wages, lastDay: '2026-12-31' })
    expect(of(await forecast(shop), 'typed')).toHaveLength(1)
    await shop.call(calls.changeSum, {
      id,
      ...wages,
      cycle: 'once',
      firstDay: '2026-08-09',
      lastDay: '2027-01-01',
    })
    expect((await shop.call(calls.listSums, {})).rows).toMatchObject([{ lastDay: null, nextDay: null }])
    await shop.call(calls.dropSum, { id })
    expect((await shop.call(calls.listSums, {})).rows).toEqual([])
    await expect(shop.call(calls.dropSum, { id })).rejects.toMatchObject({ code: 'kit.notFound' })
  })

  test.each([
    ['no name', { name: ' ' }, 'name', 'fields.need'],
    ['no sum', { agorot: 0 }, 'agorot', 'forecast.noSum'],
    ['no such day', { firstDay: '2026-02-30' }, 'firstDay', 'fields.day'],
    ['an end before the beginning', { lastDay: '2026-08-08' }, 'lastDay', 'fields.dayOrder'],
    ['no such rhythm', { cycle: 'hourly' }, 'cycle', 'fields.choice'],
  ])('refuse %s at its field', async (_, wrong, path, code) => {
    const shop = await opened()
    on(today)
    await expect(shop.call(calls.addSum, { ...wages, ...wrong } as never)).rejects.toMatchObject({
      status: 422,
      errors: [{ path, code }],
    })
  })

  test('are two hundred at most', async () => {
    const shop = await opened()
    on(today)
    for (let n = 1; n <= 200; n++) await shop.call(calls.addSum, { ...wages, name: `שכר ${n}` })
    await expect(shop.call(calls.addSum, wages)).rejects.toMatchObject({ code: 'kit.tooMuch' })
    expect((await shop.call(calls.listSums, {})).rows).toHaveLength(200)
  })

  test('of another business are not there', async () => {
    const [shop, stranger] = [await opened(), await opened()]
    on(today)
    const { id } = await shop.call(calls.addSum, wages)
    await expect(stranger.call(calls.changeSum, { id, ...wages })).rejects.toMatchObject({
      code: 'kit.notFound',
    })
    expect(of(await forecast(stranger), 'typed')).toEqual([])
  })

  test.each([
    [{ biggest: 51 }, 'biggest'],
    [{ laterDays: 91 }, 'laterDays'],
    [{ floorAgorot: 'x' }, 'floorAgorot'],
    [{ noNewIncome: 'maybe' }, 'noNewIncome'],
  ])('a stress of %j is refused at its field', async (asked, path) => {
    const shop = await opened()
    on(today)
    await expect(forecast(shop, asked as Asked)).rejects.toMatchObject({ status: 422, errors: [{ path }] })
  })
})
