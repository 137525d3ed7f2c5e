import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem } from '#kit/server/data/db.ts'
import {
  callAs,
  newBusiness,
  newTaxId,
  startWorld,
  type Business,
  type World,
} from '../../../../tests/world.ts'
import * as calls from './endpoints.ts'

let world: World
let shop: Business
let supplier: { id: string }
let types: Record<string, string>
let today = '2026-05-20'

/** The kinds of expense by the English name of their account's word. */
async function typesOf(business: Business): Promise<Record<string, string>> {
  await business.call(calls.expenseFacts, {})
  const me = await business.get('/api/user/session')
  const { rows } = await asSystem(world.app.db, (tx) =>
    sql<{
      key: string
      id: string
    }>`select key, id from expense_types where company_id = ${me.companyId}`.execute(tx),
  )
  return Object.fromEntries(rows.map((r) => [r.key, r.id]))
}
const newSupplier = (business: Business, name: string, more = {}) =>
  business.send<{ id: string }>('POST', '/api4/invoice/suppliers', { name, taxId: newTaxId(), ...more })

let number = 1000
const bill = (typeId: string, netAgorot: number, vatAgorot: number, more: Record<string, unknown> = {}) => ({
  supplierId: supplier.id,
  supplierNumber: String(number++),
  date: today,
  lines: [{ typeId, netAgorot, vatAgorot }],
  ...more,
})
const enter = (input: Record<string, unknown>) => shop.call(calls.createExpense, input as never)
const entries = async (id: string) =>
  (await shop.call(calls.entriesOfExpense, { id })).rows.map((r) => [r.number, r.debitAgorot, r.creditAgorot])
const lock = async (business: Business, kind: string, from: string, to: string) => {
  const me = await business.get('/api/user/session')
  await asSystem(world.app.db, (tx) =>
    sql`insert into locked_periods (company_id, id, kind, from_day, to_day)
      values (${me.companyId}, gen_random_uuid(), ${kind}, ${from}, ${to})`.execute(tx),
  )
}
const colleague = async (business: Business, rules: number[]): Promise<string> => {
  const mate = await newBusiness(world)
  const me = await business.get('/api/user/session')
  await asSystem(world.app.db, async (tx) => {
    await sql`insert into memberships (company_id, user_id, type_id, rules) select ${me.companyId}, id, 9,
        ${rules} from users where email = ${mate.email}`.execute(tx)
    await sql`update sessions set company_id = ${me.companyId}
      where user_id = (select id from users where email = ${mate.email})`.execute(tx)
  })
  return mate.token
}

beforeAll(async () => {
  world = await startWorld(() => new Date(`${today}T09:00:00Z`))
  shop = await newBusiness(world)
  supplier = await newSupplier(shop, 'דלק השרון בע״מ', { dueTerms: 'eom:30' })
  types = await typesOf(shop)
})
afterAll(() => world.close())

describe('posting', () => {
  test('on credit: the expense, the input VAT, the supplier; what is owed stays open', async () => {
    const e = await enter(bill(types.rent!, 100_000, 18_000))
    expect(await entries(e.id)).toEqual([
      ['6010', 100_000, 0],
      ['1200', 18_000, 0],
      ['2000', 0, 118_000],
    ])
    expect(e).toMatchObject({ state: 'approved', openAgorot: 118_000, dueDate: '2026-06-30', warnings: [] })
  })

  test('a car’s fuel: a third of the VAT is part of the expense', async () => {
    const e = await enter(bill(types.fuel!, 10_000, 1_800))
    expect(await entries(e.id)).toEqual([
      ['6060', 10_600, 0],
      ['1200', 1_200, 0],
      ['2000', 0, 11_800],
    ])
    expect(e.recognisedVatAgorot).toBe(1_200)
  })

  test('split over types, with a fixed asset, paid at once by bank', async () => {
    const e = await enter({
      ...bill(types.computers!, 500_000, 90_000, { means: 'bank' }),
      lines: [
        { typeId: types.computers!, details: 'מחשב נייד', netAgorot: 500_000, vatAgorot: 90_000 },
        { typeId: types.hospitality!, netAgorot: 10_000, vatAgorot: 1_800 },
      ],
    })
    expect(await entries(e.id)).toEqual([
      ['1520', 500_000, 0],
      ['1210', 90_000, 0],
      ['6120', 11_800, 0],
      ['2000', 0, 601_800],
      ['2000', 601_800, 0],
      ['1010', 0, 601_800],
    ])
    expect(e).toMatchObject({ openAgorot: 0, equipmentVatAgorot: 90_000 })
    const { rows } = await shop.get('/api4/invoice/fixedassets')
    expect(rows).toMatchObject([
      { name: 'מחשב נייד', costAgorot: 500_000, depreciationBp: 3300, accountIdName: expect.any(String) },
    ])
    // 33% a year, by days: one day so far.
    expect(rows[0].leftAgorot).toBe(500_000 - Math.round((500_000 * 0.33) / 365))
  })

  test('without a supplier the money goes straight out of the cash box', async () => {
    const e = await enter({
      lines: [{ typeId: types.parkingAndTolls!, netAgorot: 2_000 }],
      paper: 'receipt',
      means: 'cash',
      date: today,
    })
    expect(await entries(e.id)).toEqual([
      ['6070', 2_000, 0],
      ['1000', 0, 2_000],
    ])
    expect(e).toMatchObject({
      openAgorot: 0,
      payments: [{ means: 'cash', amountAgorot: 2_000, atOnce: true }],
    })
    const paid = await shop.get(`/api4/invoice/reports/expenditure?from=${today}&to=${today}&means=cash`)
    expect(paid.totals).toEqual({ paidAgorot: 2_000 })
  })

  test('a credit turns everything round', async () => {
    const e = await enter(bill(types.materials!, -20_000, -3_600))
    expect(await entries(e.id)).toEqual([
      ['5000', 0, 20_000],
      ['1200', 0, 3_600],
      ['2000', 23_600, 0],
    ])
    expect(e.openAgorot).toBe(-23_600)
  })

  test('in dollars: the books are in shekels, line by line', async () => {
    const e = await enter(
      bill(types.software!, 9_999, 0, { currency: 'USD', rate: '3.655', means: 'card', paper: 'byLaw' }),
    )
    expect(e).toMatchObject({ paperTotalAgorot: 9_999, totalAgorot: 36_546 })
    expect((await entries(e.id)).at(-1)).toEqual(['2020', 0, 36_546])
  })

  test('a receipt carries no input VAT, and the VAT may be given up', async () => {
    const receipt = await enter(bill(types.officeSupplies!, 10_000, 1_800, { paper: 'receipt' }))
    expect(receipt).toMatchObject({ recognisedVatAgorot: 0, warnings: [{ code: 'expenses.receiptVat' }] })
    const given = await enter(bill(types.officeSupplies!, 10_000, 1_800, { claimsVat: false }))
    expect(await entries(given.id)).toEqual([
      ['6000', 11_800, 0],
      ['2000', 0, 11_800],
    ])
  })

  test('an exempt dealer deducts no VAT', async () => {
    const exempt = await newBusiness(world, { kind: 'exemptDealer' })
    const his = await newSupplier(exempt, 'ספק')
    const e = await exempt.call(calls.createExpense, {
      supplierId: his.id,
      supplierNumber: '1',
      lines: [{ typeId: (await typesOf(exempt)).rent!, netAgorot: 10_000, vatAgorot: 1_800 }],
    })
    const { rows } = await exempt.call(calls.entriesOfExpense, { id: e.id })
    expect(rows.map((r) => [r.number, r.debitAgorot, r.creditAgorot])).toEqual([
      ['6010', 11_800, 0],
      ['2000', 0, 11_800],
    ])
  })
})

describe('what is refused and what is warned of', () => {
  test('the same supplier, number and sum, however the number is written; it says where the twin is', async () => {
    const first = await enter(bill(types.rent!, 50_000, 9_000, { supplierNumber: '0077-12' }))
    await expect(enter(bill(types.rent!, 50_000, 9_000, { supplierNumber: '7712' }))).rejects.toMatchObject({
      status: 409,
      code: 'expenses.duplicate',
      errors: [{ path: 'supplierNumber', params: { id: first.id } }],
    })
    // Another sum is another page of the same bill, or a mistake: it is said and let through.
    const other = await enter(bill(types.rent!, 50_100, 9_018, { supplierNumber: '7712' }))
    expect(other.warnings).toMatchObject([{ code: 'expenses.sameNumber', twinId: first.id }])
    await shop.call(calls.cancelExpense, { id: first.id, reason: 'הוקלד פעמיים' })
    expect((await enter(bill(types.rent!, 50_000, 9_000, { supplierNumber: '7712' }))).state).toBe('approved')
  })

  test('a draft cannot be changed into a duplicate of another bill, and is no duplicate of itself', async () => {
    const there = await enter(bill(types.rent!, 40_000, 7_200, { supplierNumber: '8801' }))
    const given = (supplierNumber: string) => ({
      ...bill(types.rent!, 40_000, 7_200, { supplierNumber }),
      draft: true,
    })
    const { id } = await enter(given('8802'))
    const change = (supplierNumber: string) =>
      shop.call(calls.changeExpense, { id, ...given(supplierNumber) } as never)
    await expect(change('8801')).rejects.toMatchObject({
      code: 'expenses.duplicate',
      errors: [{ path: 'supplierNumber', params: { id: there.id } }],
    })
    expect(await shop.call(calls.getExpense, { id })).toMatchObject({ supplierNumber: '8802' })
    await change('8802')
    expect(await change('8803')).toMatchObject({ id, supplierNumber: '8803', state: 'draft' })
  })

  test('VAT that is not the rate’s, by more than suppliers round; none at all is lawful', async () => {
    const check = (vatAgorot: number, more = {}) =>
      shop.call(calls.checkExpense, bill(types.rent!, 100_000, vatAgorot, more) as never)
    expect((await check(18_010)).warnings).toEqual([])
    expect((await check(18_011)).warnings).toMatchObject([
      { code: 'expenses.vatDiffers', params: { difference: '0.11', side: 'more' } },
    ])
    expect((await check(0)).warnings).toEqual([])
    // The rate of its day, not of today.
    expect((await check(17_000, { date: '2024-12-31' })).warnings.map((w) => w.code)).toEqual([
      'expenses.vatOld',
    ])
  })

  test('above the threshold without an allocation number the VAT is at risk', async () => {
    const big = bill(types.materials!, 1_000_100, 180_018)
    expect((await shop.call(calls.checkExpense, big as never)).warnings).toMatchObject([
      { code: 'expenses.vatAtRisk', path: 'allocationNumber' },
    ])
    expect(
      (await shop.call(calls.checkExpense, { ...big, allocationNumber: '123456789' } as never)).warnings,
    ).toEqual([])
    expect(
      (await shop.call(calls.checkExpense, bill(types.materials!, 1_000_000, 180_000) as never)).warnings,
    ).toEqual([])
  })

  test.each([
    [{ date: '2026-05-21' }, 'date', 'expenses.dateInFuture'],
    [{ supplierId: null }, 'supplierId', 'expenses.noSupplier'],
    [{ currency: 'USD' }, 'rate', 'expenses.noRate'],
    [{ allocationNumber: '12' }, 'allocationNumber', 'expenses.allocationDigits'],
    [{ date: '2025-10-10', vatDate: '2026-05-01' }, 'vatDate', 'expenses.vatTooOld'],
    [{ vatDate: '2026-04-30' }, 'vatDate', 'expenses.vatTooEarly'],
    [{ vatDate: '2026-07-01' }, 'vatDate', 'expenses.vatInFuture'],
    [{ means: 'cash' }, 'means', 'expenses.cashAboveLimit'],
    [
      { lines: [{ typeId: '0190aaaa-0000-7000-8000-000000000000', netAgorot: 1 }] },
      'lines.0.typeId',
      'fields.ref',
    ],
  ])('%o', async (more, path, code) => {
    await expect(enter({ ...bill(types.rent!, 600_001, 108_000), ...more })).rejects.toMatchObject({
      status: 422,
      errors: [{ path, code }],
    })
  })

  test('what would turn the sum into nothing or the VAT against its net', async () => {
    for (const [net, vat, path] of [
      [0, 0, 'lines.0.netAgorot'],
      [100, -18, 'lines.0.vatAgorot'],
      [100, 101, 'lines.0.vatAgorot'],
    ] as const)
      await expect(enter(bill(types.rent!, net, vat))).rejects.toMatchObject({ errors: [{ path }] })
  })
})

describe('rights', () => {
  test('who only enters waits for approval, sees his own alone, and cannot approve', async () => {
    const token = await colleague(shop, [41])
    const input = bill(types.rent!, 10_000, 1_800)
    const e = await callAs(world, calls.createExpense, input as never, { token })
    expect(e.state).toBe('waiting')
    expect(await entries(e.id)).toEqual([])
    const others = await enter(bill(types.rent!, 10_000, 1_800))
    await expect(callAs(world, calls.getExpense, { id: others.id }, { token })).rejects.toMatchObject({
      status: 404,
    })
    await expect(callAs(world, calls.approveExpense, { id: e.id }, { token })).rejects.toMatchObject({
      status: 403,
    })
    const answer = await world.http.inject({
      method: 'GET',
      url: '/api4/invoice/expenses',
      headers: { 'x-access-token': token },
    })
    expect(answer.statusCode).toBe(403)
    expect((await callAs(world, calls.myExpenses, {}, { token })).rows.map((r) => r.id)).toEqual([e.id])

    // One's own are searched, paged, and their totals by kind are exported as a table.
    const food = await callAs(world, calls.createExpense, bill(types.fuel!, 7_000, 0) as never, { token })
    for (let i = 0; i < 60; i++)
      await callAs(world, calls.createExpense, bill(types.rent!, 100, 0) as never, { token })
    const first = await callAs(world, calls.myExpenses, {}, { token })
    expect(first.rows).toHaveLength(60)
    const rest = await callAs(world, calls.myExpenses, { cursor: first.nextCursor! }, { token })
    expect([rest.rows.map((r) => r.id), rest.nextCursor]).toEqual([[food.id, e.id], null])
    expect(rest.sums).toEqual(first.sums)
    const number = rest.rows[0]!.supplierNumber
    expect((await callAs(world, calls.myExpenses, { q: number }, { token })).rows.map((r) => r.id)).toContain(
      food.id,
    )
    expect((await callAs(world, calls.myExpenses, { q: 'אין כזה' }, { token })).rows).toEqual([])
    const typeId = types.rent!
    const ofType = (await callAs(world, calls.myExpenses, { typeId }, { token })).sums
    expect(ofType.reduce((sum, row) => sum + row.netAgorot, 0)).toBe(10_000 + 60 * 100)
    const csv = Buffer.from(
      (await callAs(world, calls.exportMyExpenses, { typeId, format: 'csv' }, { token })) as Uint8Array,
    ).toString()
    expect(csv).toContain(String(ofType[0]!.netAgorot / 100))

    const back = await shop.call(calls.rejectExpense, { id: e.id, reason: 'חסר צילום' })
    expect(back).toMatchObject({ state: 'rejected', reason: 'חסר צילום' })
    const again = await callAs(
      world,
      calls.changeExpense,
      { ...input, id: e.id, details: 'עם צילום' } as never,
      { token },
    )
    expect(again.state).toBe('waiting')
    expect((await shop.call(calls.approveExpense, { id: e.id })).state).toBe('approved')
    await expect(
      callAs(world, calls.changeExpense, { ...input, id: e.id } as never, { token }),
    ).rejects.toMatchObject({
      code: 'expenses.frozen',
    })
    await expect(callAs(world, calls.deleteExpense, { id: e.id }, { token })).rejects.toMatchObject({
      code: 'expenses.frozen',
    })
  })

  test('a business may ask approval of large sums alone', async () => {
    const token = await colleague(shop, [41])
    await shop.call(calls.changeExpenseSettings, { approvalAboveAgorot: 11_800 })
    expect(
      (await callAs(world, calls.createExpense, bill(types.rent!, 10_000, 1_800) as never, { token })).state,
    ).toBe('approved')
    expect(
      (await callAs(world, calls.createExpense, bill(types.rent!, 10_001, 1_800) as never, { token })).state,
    ).toBe('waiting')
    await shop.call(calls.changeExpenseSettings, { approvalAboveAgorot: 0 })
  })

  test('the database itself keeps what stands in the books', async () => {
    const e = await enter(bill(types.rent!, 10_000, 1_800))
    for (const change of [
      sql`update expenses set total_agorot = 1, net_agorot = 1, vat_agorot = 0 where id = ${e.id}`,
      sql`update expense_lines set net_agorot = 1 where expense_id = ${e.id}`,
      sql`delete from expenses where id = ${e.id}`,
    ])
      await expect(asSystem(world.app.db, (tx) => change.execute(tx))).rejects.toMatchObject({
        code: 'PK005',
      })
  })
})

describe('cancelling and paying', () => {
  test('the reversal undoes the bill and what was paid at once', async () => {
    const e = await enter(bill(types.fuel!, 10_000, 1_800, { means: 'bank' }))
    const gone = await shop.call(calls.cancelExpense, { id: e.id, reason: 'טעות' })
    expect(gone).toMatchObject({ state: 'cancelled', openAgorot: 0 })
    const sums = new Map<string, number>()
    for (const [account, debit, credit] of (await entries(e.id)) as [string, number, number][])
      sums.set(account, (sums.get(account) ?? 0) + debit - credit)
    expect([...sums.values()].every((sum) => sum === 0)).toBe(true)
    expect((await entries(e.id)).length).toBe(10)
    await expect(shop.call(calls.cancelExpense, { id: e.id, reason: 'x' })).rejects.toMatchObject({
      code: 'expenses.alreadyCancelled',
    })
  })

  test('paid bill by bill; a payment stands in the way of cancelling until it is reversed', async () => {
    const e = await enter(bill(types.rent!, 10_000, 1_800))
    await expect(
      shop.call(calls.payExpense, { id: e.id, means: 'bank', amountAgorot: 11_801 }),
    ).rejects.toMatchObject({
      errors: [{ path: 'amountAgorot' }],
    })
    const part = await shop.call(calls.payExpense, { id: e.id, means: 'bank', amountAgorot: 5_000 })
    expect(part.openAgorot).toBe(6_800)
    const row = (await shop.get(`/api4/invoice/expenses?paid=partly`)).rows
    expect(row.map((r: { id: string }) => r.id)).toEqual([e.id])
    await expect(shop.call(calls.cancelExpense, { id: e.id, reason: 'x' })).rejects.toMatchObject({
      code: 'expenses.hasPayments',
    })
    const back = await shop.call(calls.cancelExpensePayment, { id: e.id, paymentId: part.payments[0]!.id })
    expect(back.openAgorot).toBe(11_800)
    expect((await shop.call(calls.cancelExpense, { id: e.id, reason: 'x' })).state).toBe('cancelled')
  })
})

describe('periods', () => {
  test('a bill whose VAT period was reported is claimed in the next one; its expense stays in its month', async () => {
    const b = await newBusiness(world)
    const [t, s] = [await typesOf(b), await newSupplier(b, 'ספק')]
    await lock(b, 'vat', '2026-03-01', '2026-04-30')
    const late = {
      supplierId: s.id,
      supplierNumber: '1',
      date: '2026-04-10',
      lines: [{ typeId: t.rent!, netAgorot: 10_000, vatAgorot: 1_800 }],
    }
    const e = await b.call(calls.createExpense, late)
    expect(e).toMatchObject({ vatDate: today, booksDate: '2026-04-10' })
    const { rows } = await b.call(calls.entriesOfExpense, { id: e.id })
    expect(rows.map((r) => [r.day, r.number, r.debitAgorot, r.creditAgorot])).toEqual([
      ['2026-04-10', '6010', 10_000, 0],
      ['2026-04-10', '1205', 1_800, 0],
      ['2026-04-10', '2000', 0, 11_800],
      [today, '1200', 1_800, 0],
      [today, '1205', 0, 1_800],
    ])
    await expect(
      b.call(calls.createExpense, { ...late, supplierNumber: '2', vatDate: '2026-04-20' }),
    ).rejects.toMatchObject({
      errors: [{ path: 'vatDate', code: 'expenses.vatPeriodReported' }],
    })
    const vat = async (from: string, to: string) => {
      const report = await b.get(`/api4/invoice/reports/vat?from=${from}&to=${to}`)
      expect(report.checks.every((c: { ok: boolean }) => c.ok)).toBe(true)
      return report.rows.find((r: { line: string }) => r.line === 'inputVatOther').fromDocumentsAgorot
    }
    expect(await vat('2026-03-01', '2026-04-30')).toBe(0)
    expect(await vat('2026-05-01', '2026-06-30')).toBe(1_800)
  })

  test('a closed month refuses at the field, and takes a late bill in the period of its VAT', async () => {
    const b = await newBusiness(world)
    const [t, s] = [await typesOf(b), await newSupplier(b, 'ספק')]
    const input = {
      supplierId: s.id,
      supplierNumber: '1',
      date: '2026-04-10',
      lines: [{ typeId: t.municipalTax!, netAgorot: 10_000 }],
    }
    const e = await b.call(calls.createExpense, input)
    await lock(b, 'month', '2026-04-01', '2026-04-30')
    await expect(b.call(calls.createExpense, { ...input, supplierNumber: '2' })).rejects.toMatchObject({
      errors: [{ path: 'date', code: 'ledger.periodClosed' }],
    })
    const withVat = await b.call(calls.createExpense, {
      ...input,
      supplierNumber: '3',
      lines: [{ typeId: t.rent!, netAgorot: 10_000, vatAgorot: 1_800 }],
    })
    expect(withVat).toMatchObject({ date: '2026-04-10', booksDate: today, vatDate: today })
    // What was in the closed month is reversed today.
    await b.call(calls.cancelExpense, { id: e.id, reason: 'טעות' })
    const { rows } = await b.call(calls.entriesOfExpense, { id: e.id })
    expect(new Set(rows.filter((r) => r.kind === 'reversal').map((r) => r.day))).toEqual(new Set([today]))
  })
})

describe('what it learns', () => {
  test('the next bill of a supplier is split as the last one', async () => {
    const s = await newSupplier(shop, 'מכולת הרימון')
    expect(await shop.call(calls.supplierDefaults, { supplierId: s.id })).toMatchObject({
      lines: [],
      means: 'onCredit',
    })
    await enter({
      ...bill(types.refreshments!, 30_000, 0, { supplierId: s.id, means: 'card' }),
      lines: [
        { typeId: types.refreshments!, netAgorot: 7_500, vatAgorot: 1_350 },
        { typeId: types.cleaningAndUpkeep!, netAgorot: 2_500, vatAgorot: 450 },
      ],
    })
    expect(await shop.call(calls.supplierDefaults, { supplierId: s.id })).toMatchObject({
      lines: [
        { typeId: types.refreshments!, shareBp: 7_500 },
        { typeId: types.cleaningAndUpkeep!, shareBp: 2_500 },
      ],
      means: 'card',
      lastTotalAgorot: 11_800,
    })
  })

  test('a bill that comes back is missed until it comes', async () => {
    const s = await newSupplier(shop, 'המשכיר')
    const r = await shop.send('POST', '/api4/invoice/recurringexpenses', {
      name: 'שכר דירה',
      supplierId: s.id,
      typeId: types.rent!,
      totalAgorot: 354_000,
      cycle: 'monthly',
      firstDay: '2026-01-31',
    })
    const next = async () =>
      (await shop.get(`/api4/invoice/recurringexpenses/${r.id}`)) as { nextDay: string; waits: boolean }
    expect(await next()).toMatchObject({ nextDay: '2026-01-31', waits: true })
    for (const date of ['2026-02-01', '2026-02-27', '2026-03-31', '2026-04-30'])
      await enter(bill(types.rent!, 300_000, 54_000, { supplierId: s.id, date }))
    expect(await next()).toMatchObject({ nextDay: '2026-05-31' })
    expect((await shop.call(calls.expenseFigures, {})).missing).toEqual([])
    const last = await enter(bill(types.rent!, 300_000, 54_000, { supplierId: s.id }))
    expect(await next()).toMatchObject({ nextDay: '2026-06-30', waits: false })
    await shop.call(calls.cancelExpense, { id: last.id, reason: 'טעות' })
    expect(await next()).toMatchObject({ nextDay: '2026-05-31' })
  })

  test('a month whose bill never came is over when the next one’s comes', async () => {
    const s = await newSupplier(shop, 'חברת החשמל')
    const r = await shop.send('POST', '/api4/invoice/recurringexpenses', {
      name: 'חשמל',
      supplierId: s.id,
      typeId: types.rent!,
      totalAgorot: 11_800,
      cycle: 'monthly',
      firstDay: '2026-01-10',
    })
    const next = async () => (await shop.get(`/api4/invoice/recurringexpenses/${r.id}`)).nextDay
    const come = (date: string) => enter(bill(types.rent!, 10_000, 1_800, { supplierId: s.id, date }))
    await come('2026-01-12')
    expect(await next()).toBe('2026-02-10')
    await come('2026-03-11')
    expect(await next()).toBe('2026-04-10')
    // Some days early is still its month.
    await come('2026-04-08')
    expect(await next()).toBe('2026-05-10')
  })

  describe('a bill that does not come', () => {
    const begin = async (more: Record<string, unknown> = {}) => {
      const s = await newSupplier(shop, `ספק חוזר ${number++}`)
      const { id } = (await shop.send('POST', '/api4/invoice/recurringexpenses', {
        name: `חוזרת ${number++}`,
        supplierId: s.id,
        typeId: types.rent!,
        totalAgorot: 11_800,
        cycle: 'monthly',
        firstDay: '2026-01-10',
        ...more,
      })) as { id: string }
      return {
        id,
        next: async () =>
          (await shop.get(`/api4/invoice/recurringexpenses/${id}`)) as {
            nextDay: string | null
            waits: boolean
          },
        come: (date: string, also = {}) =>
          enter(bill(types.rent!, 10_000, 1_800, { supplierId: s.id, date, ...also })),
        isMissed: async () =>
          (await shop.call(calls.expenseFigures, {})).missing.some((one) => one.id === id),
        awaited: async () =>
          (await shop.call(calls.supplierDefaults, { supplierId: s.id })).recurring?.nextDay ?? null,
      }
    }

    test('is not missed once somebody says why, is seen among the past ones, and may still come', async () => {
      const r = await begin()
      await r.come('2026-01-12')
      expect(await r.isMissed()).toBe(true)
      const skip = (day: string, reason = 'חודש חופשי') =>
        shop.call(calls.skipRecurring, { id: r.id, day, reason })
      await expect(skip('2026-02-10', ' ')).rejects.toMatchObject({
        errors: [{ path: 'reason', code: 'fields.need' }],
      })
      expect(await skip('2026-02-10')).toEqual({ nextDay: '2026-03-10' })
      // A press too many skips nothing more, and what is not awaited is not skipped.
      await expect(skip('2026-02-10')).rejects.toMatchObject({
        errors: [{ path: 'day', code: 'expenses.notAwaited' }],
      })
      await expect(skip('2026-05-10')).rejects.toMatchObject({
        errors: [{ path: 'day', code: 'expenses.notAwaited' }],
      })
      expect(await r.next()).toMatchObject({ nextDay: '2026-03-10' })
      expect(await r.awaited()).toBe('2026-03-10')
      expect((await shop.call(calls.pastOfRecurring, { id: r.id })).rows).toMatchObject([
        {
          day: '2026-02-10',
          expenseId: null,
          reason: 'חודש חופשי',
          takenBack: false,
          who: expect.any(String),
        },
        { day: '2026-01-10', expenseId: expect.any(String), totalAgorot: 11_800, reason: null },
      ])
      // The bill of the month it was said not to come counts for that month, and the next one is awaited as
      // before.
      await r.come('2026-02-20')
      expect(await r.next()).toMatchObject({ nextDay: '2026-03-10' })

      await skip('2026-03-10')
      expect(await shop.call(calls.unskipRecurring, { id: r.id, day: '2026-03-10' })).toEqual({
        nextDay: '2026-03-10',
      })
      await expect(shop.call(calls.unskipRecurring, { id: r.id, day: '2026-03-10' })).rejects.toMatchObject({
        status: 404,
      })
      expect((await shop.call(calls.pastOfRecurring, { id: r.id })).rows[0]).toMatchObject({
        day: '2026-03-10',
        takenBack: true,
      })
      // It is this business's own.
      const other = await newBusiness(world)
      await expect(
        other.call(calls.skipRecurring, { id: r.id, day: '2026-03-10', reason: 'x' }),
      ).rejects.toMatchObject({ status: 404 })
      await expect(other.call(calls.pastOfRecurring, { id: r.id })).rejects.toMatchObject({ status: 404 })
    })

    test('is awaited no longer after its last day', async () => {
      const r = await begin({ lastDay: '2026-02-28' })
      await r.come('2026-01-12')
      expect(await r.next()).toMatchObject({ nextDay: '2026-02-10', waits: true })
      await r.come('2026-02-12')
      expect(await r.next()).toMatchObject({ nextDay: null, waits: false })
      expect(await r.isMissed()).toBe(false)
      expect(await r.awaited()).toBeNull()
      // Of nobody's bidding a later bill of this supplier is none of them; a person may say it is.
      await r.come('2026-03-12')
      expect((await shop.call(calls.pastOfRecurring, { id: r.id })).rows).toHaveLength(2)
      await r.come('2026-04-12', { recurringId: r.id })
      expect((await shop.call(calls.pastOfRecurring, { id: r.id })).rows[0]).toMatchObject({
        day: '2026-04-12',
      })
      await expect(
        shop.send('PATCH', `/api4/invoice/recurringexpenses/${r.id}`, { lastDay: '2026-01-09' }),
      ).rejects.toMatchObject({
        errors: [{ path: 'lastDay', code: 'expenses.endsBeforeItBegins' }],
      })
      await shop.send('PATCH', `/api4/invoice/recurringexpenses/${r.id}`, { lastDay: null })
      expect(await r.next()).toMatchObject({ nextDay: '2026-05-10' })
    })
  })
})

describe('reports', () => {
  test('agree with each other and with the trial balance', async () => {
    const b = await newBusiness(world)
    const [t, s] = [await typesOf(b), await newSupplier(b, 'ספק')]
    const make = (date: string, typeId: string, net: number, vat: number, more = {}) =>
      b.call(calls.createExpense, {
        supplierId: s.id,
        supplierNumber: String(number++),
        date,
        lines: [{ typeId, netAgorot: net, vatAgorot: vat }],
        ...more,
      })
    await make('2026-01-15', t.fuel!, 10_000, 1_800)
    await make('2026-02-15', t.rent!, 200_000, 36_000, { means: 'bank' })
    await make('2026-02-20', t.rent!, 200_000, 36_000)
    const period = 'from=2026-01-01&to=2026-05-20'
    const report = (name: string, more = '') => b.get(`/api4/invoice/reports/${name}?${period}${more}`)
    const grid = await report('expensesByTypeMonth')
    expect(grid.totals).toMatchObject({ m1Agorot: 10_600, m2Agorot: 400_000, totalAgorot: 410_600 })
    const beside = await b.get(
      '/api4/invoice/reports/expensesByTypeMonth?from=2026-02-01&to=2026-02-28&vs=previousPeriod',
    )
    expect(beside.rows.map((r: Record<string, number>) => [r.totalAgorot, r.vsBefore, r.vsChange])).toEqual([
      [400_000, 0, 400_000],
      [0, 10_600, -10_600],
    ])
    expect(beside.rows.every((r: { type: string }) => r.type !== '')).toBe(true)
    expect((await report('expenseList')).totals).toMatchObject({
      netAgorot: 410_000,
      recognisedVatAgorot: 73_200,
      costAgorot: 410_600,
      incomeTaxAgorot: 404_770,
    })
    expect((await report('expensesPayments')).totals).toEqual({
      totalAgorot: 483_800,
      paidAgorot: 236_000,
      openAgorot: 247_800,
    })
    const balances = await b.get('/api4/invoice/reports/supplierBalances')
    expect(balances.totals).toMatchObject({ openAgorot: 247_800, cardAgorot: 247_800 })
    const trial = await report('trialBalance')
    const of = (account: string) =>
      trial.rows.find((r: { number: string }) => r.number === account).balanceAgorot
    expect([of('6060'), of('6010'), of('1200'), of('2000')]).toEqual([10_600, 400_000, 73_200, -247_800])
    // A bill of nobody is called so: a row without a name would be an empty card on a phone.
    await b.call(calls.createExpense, {
      date: '2026-03-01',
      means: 'cash',
      lines: [{ typeId: t.fuel!, netAgorot: 100, vatAgorot: 18 }],
    })
    const names = (await report('expensesPayments')).rows.map((r: { supplier: string }) => r.supplier)
    expect(names.toSorted()).toEqual(['ללא ספק', 'ספק', 'ספק', 'ספק'])
    for (const name of ['expensesByTypeMonth', 'expenseList', 'expensesPayments', 'expenditure'])
      expect(
        (await report(name)).checks.every((c: { ok: boolean }) => c.ok),
        name,
      ).toBe(true)
    await expect(
      b.get('/api4/invoice/reports/expensesByTypeMonth?from=2025-01-01&to=2026-05-20'),
    ).rejects.toMatchObject({ status: 422 })
  })

  test('the names of kinds are in the reader’s language', async () => {
    const english = await newBusiness(world, { language: 'en' as 'he' })
    const { types: named } = await english.call(calls.expenseFacts, {})
    expect(named.map((n) => n.name)).toContain('Fuel')
    const { rows } = await english.get('/api4/invoice/expensetypes?size=100')
    const rent = rows.find((r: { name: string }) => r.name === 'Rent')
    await english.send('PATCH', `/api4/invoice/expensetypes/${rent.id}`, { name: 'Studio' })
    expect((await english.call(calls.expenseFacts, {})).types.map((n) => n.name)).toContain('Studio')
  })
})

test('a project is told what was bought for it, with the VAT that is not deducted; a reversed bill counts no more', async () => {
  const project = await shop.send<{ id: string }>('POST', '/api4/invoice/projects', { name: 'שיפוץ מטבח' })
  const cost = async (): Promise<number> =>
    (await shop.get(`/api4/invoice/projects/${project.id}`)).expenseAgorot
  const { id } = await enter(
    bill(types.fuel ?? Object.values(types)[0]!, 0, 0, {
      lines: [
        {
          typeId: types.fuel ?? Object.values(types)[0]!,
          netAgorot: 30_000,
          vatAgorot: 5_400,
          vatShare: 'twoThirds',
          projectId: project.id,
        },
        { typeId: Object.values(types)[0]!, netAgorot: 10_000, vatAgorot: 1_800 },
      ],
    }),
  )
  expect(await cost()).toBe(31_800)
  // It is found by the project that any of its lines names.
  expect((await shop.get(`/api4/invoice/expenses?projectId=${project.id}`)).rows).toMatchObject([
    { id, projectId: project.id, projectIdName: 'שיפוץ מטבח' },
  ])
  await shop.call(calls.cancelExpense, { id, reason: 'טעות' })
  expect(await cost()).toBe(0)
})

test('a bill is approved, turned down and paid once, and only as far as it is open', async () => {
  const type = Object.values(types)[0]!
  const { id } = await enter(bill(type, 10_000, 1_800))
  for (const again of [
    () => shop.call(calls.approveExpense, { id }),
    () => shop.call(calls.rejectExpense, { id, reason: 'טעות' }),
  ])
    await expect(again()).rejects.toMatchObject({ code: 'expenses.notWaiting' })
  const pay = (amountAgorot?: number) =>
    shop.call(calls.payExpense, {
      id,
      means: 'bank',
      ...(amountAgorot === undefined ? {} : { amountAgorot }),
    })
  for (const wrong of [11_801, -1])
    await expect(pay(wrong)).rejects.toMatchObject({
      errors: [{ path: 'amountAgorot', code: 'fields.range' }],
    })
  await pay(800)
  await pay()
  expect((await shop.call(calls.getExpense, { id })).openAgorot).toBe(0)
  await expect(pay()).rejects.toMatchObject({ code: 'expenses.nothingOpen' })

  // The same of a payment of several.
  const open = await enter(bill(type, 20_000, 0))
  const kept = await enter(bill(type, 30_000, 0, { draft: true }))
  const payAll = (...bills: { id: string; agorot?: number }[]) =>
    shop.send('POST', '/api4/invoice/supplierpayments', {
      supplierId: supplier.id,
      means: 'bank',
      bills: bills.map(({ id: one, agorot }) => ({
        id: one,
        ...(agorot === undefined ? {} : { amountAgorot: agorot }),
      })),
    })
  await expect(payAll({ id })).rejects.toMatchObject({ code: 'expenses.nothingOpen' })
  await expect(payAll({ id: open.id }, { id: open.id })).rejects.toMatchObject({ status: 422 })
  await expect(payAll({ id: open.id, agorot: 20_001 })).rejects.toMatchObject({ status: 422 })
  if (kept.state !== 'approved')
    await expect(payAll({ id: kept.id })).rejects.toMatchObject({ code: 'expenses.notApproved' })
  const theirs = await newSupplier(shop, 'ספק אחר')
  const other = await enter({ ...bill(type, 5_000, 0), supplierId: theirs.id })
  await expect(payAll({ id: open.id }, { id: other.id })).rejects.toMatchObject({ status: 404 })
  expect((await shop.call(calls.getExpense, { id: open.id })).openAgorot).toBe(20_000)
})

test('a line’s project is one of this business, and a refusal names the line', async () => {
  const type = Object.values(types)[0]!
  const other = await newBusiness(world)
  const theirs = await other.send<{ id: string }>('POST', '/api4/invoice/projects', { name: 'שלהם' })
  const ours = await shop.send<{ id: string }>('POST', '/api4/invoice/projects', { name: 'שלנו' })
  const lines = (projectId: string) => ({
    lines: [
      { typeId: type, netAgorot: 1_000, vatAgorot: 180, projectId: ours.id },
      { typeId: type, netAgorot: 2_000, vatAgorot: 360, projectId },
    ],
  })
  for (const projectId of [theirs.id, '019b0000-0000-7000-8000-000000000000'])
    await expect(enter(bill(type, 0, 0, lines(projectId)))).rejects.toMatchObject({
      status: 422,
      errors: [{ path: 'lines.1.projectId', code: 'fields.ref' }],
    })
  expect((await enter(bill(type, 0, 0, lines(ours.id)))).id).toEqual(expect.any(String))
})

test('whoever enters a bill waits for another of the business only when all but its entries is written', async () => {
  await enter(bill(Object.values(types)[0]!, 1_000, 180, { means: 'bank' }))
  const { companyId } = await shop.get('/api/user/session')
  let letGo = () => {}
  const held = new Promise<void>((resolve) => (letGo = resolve))
  let isHeld = () => {}
  const holds = new Promise<void>((resolve) => (isHeld = resolve))
  // Another transaction that is about to commit: it holds the totals of the month.
  const other = asSystem(world.app.db, async (tx) => {
    await sql`select 1 from account_months where company_id = ${companyId} for update`.execute(tx)
    isHeld()
    await held
  })
  await holds
  const made = enter(bill(Object.values(types)[0]!, 2_000, 360, { means: 'bank' }))
  const waiting = async () => {
    const { rows } = await sql<{
      query: string
      logged: boolean
    }>`select a.query, exists (select 1 from pg_locks l
        where l.pid = a.pid and l.relation = 'audit_log'::regclass and l.mode = 'RowExclusiveLock') as logged
      from pg_stat_activity a where a.datname = current_database() and a.wait_event_type = 'Lock'`.execute(
      world.app.db.kysely,
    )
    return rows
  }
  try {
    await expect
      .poll(waiting, { timeout: 10_000 })
      .toMatchObject([{ query: expect.stringContaining('post_entries'), logged: true }])
  } finally {
    letGo()
    await other
  }
  const { id } = await made
  // The expense and what was paid at once.
  expect((await entries(id)).length).toBe(5)
})
