import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BusinessKind } from '#domain/documents/kinds.ts'
import * as documents from '#features/sales/documents/endpoints.ts'
import * as vat from '#features/tax/vat/endpoints.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import * as calls from './endpoints.ts'

/*
 * A debt that will not be paid: its VAT is deducted, its net is an expense and never less income, and what is paid later
 * is charged again. The books, the VAT return, the customer's card and the ageing agree on every day.
 */

let world: World
beforeAll(async () => {
  world = await startWorld(() => new Date('2026-11-15T09:00:00Z'))
})
afterAll(() => world.close())

async function business(kind: BusinessKind = 'licensedDealer') {
  const made = await newBusiness(world, { kind })
  await made.send('PATCH', '/api4/invoice/company', { vatPeriodMonths: 1, backDating: true })
  return { ...made, customerId: (await made.customer('כהן')).id }
}
type Made = Awaited<ReturnType<typeof business>>

const line = (unitPrice: string, vatKind: 1 | 2 | 3 | 4 = 1, more: object = {}) => ({
  description: 'עבודה',
  quantity: '1',
  unitPrice,
  vatKind,
  ...more,
})
const invoice = (made: Made, date: string, lines: object[] = [line('1000')], more: object = {}) =>
  made.call(documents.createDocument, {
    type: 8,
    customerId: made.customerId,
    date,
    lines,
    ...more,
  } as never)

const said = { ground: 'enforcement', steps: 'תיק הוצאה לפועל 12345', vatPaid: true } as const

const balances = async (made: Business, to = '2026-12-31') => {
  const { rows } = await made.get<{ rows: { number: string; balanceAgorot: number }[] }>(
    `/api4/invoice/reports/trialBalance?from=2024-01-01&to=${to}`,
  )
  return Object.fromEntries(
    rows.flatMap((r) => (r.number && r.balanceAgorot ? [[r.number, r.balanceAgorot]] : [])),
  )
}
interface Report {
  rows: Record<string, number | string>[]
  totals: Record<string, number>
  checks: { name: string; ok: boolean }[]
}
const report = (made: Business, name: string, query: string) =>
  made.get<Report>(`/api4/invoice/reports/${name}?${query}`)
/** The VAT on the sales of November; both ways agree on every line. */
const vatOfNovember = async (made: Made) => {
  const { rows, checks } = await report(made, 'vat', 'from=2026-11-01&to=2026-11-30')
  // The credit alone may be more than was sold; that its return is not filed is another rule.
  expect(checks.filter(({ name, ok }) => !ok && name !== 'notNegative')).toEqual([])
  for (const row of rows) expect(row.fromDocumentsAgorot).toBe(row.fromBooksAgorot)
  return Number(rows.find(({ line: name }) => name === 'outputVat')!.fromDocumentsAgorot)
}
const year = 'from=2026-01-01&to=2026-12-31'

describe('a debt that will not be paid', () => {
  test('is an expense, gives its VAT back, and leaves the income as it was', async () => {
    const made = await business()
    const { id } = await invoice(made, '2026-03-10')
    const plan = await made.call(calls.planWriteOff, { id })
    expect(plan).toMatchObject({
      openAgorot: 118_000,
      totalAgorot: 118_000,
      expenseAgorot: 100_000,
      vatAgorot: 18_000,
      vatBackAgorot: 18_000,
      vatPeriod: { from: '2026-11-01', to: '2026-11-30' },
      window: { from: '2026-09-10', to: '2029-03-09' },
      isByReceipts: false,
    })
    // Looking changes nothing.
    expect((await made.call(documents.getDocument, { id })).totals.openAgorot).toBe(118_000)
    const credit = await made.call(calls.writeOffDebt, { id, ...said })
    expect(await balances(made)).toEqual({ '4000': -100_000, '6190': 100_000 })
    expect((await made.call(documents.getDocument, { id })).totals.openAgorot).toBe(0)
    const paper = await made.call(documents.getDocument, { id: credit.id })
    expect(paper).toMatchObject({ isBadDebt: true, type: 10, source: { id } })
    expect(paper.lines[0]).toMatchObject({ itemId: null, netAgorot: 100_000 })

    expect(await vatOfNovember(made)).toBe(-18_000)
    const income = await report(made, 'income', year)
    expect(income.totals.netAgorot).toBe(100_000)
    expect((await report(made, 'perCustomer', year)).totals.netAgorot).toBe(100_000)
    const ageing = await report(made, 'ageing', 'day=2026-11-15')
    expect(ageing.rows).toEqual([])
    expect((await report(made, 'ageing', 'day=2026-11-14')).totals.openAgorot).toBe(118_000)
    const written = await report(made, 'badDebts', year)
    expect(written.checks.every(({ ok }) => ok)).toBe(true)
    expect(written.totals).toEqual({ expenseAgorot: 100_000, vatAgorot: 18_000, totalAgorot: 118_000 })
  })

  test('brings no goods back', async () => {
    const made = await business()
    const item = await made.send<{ id: string }>('POST', '/api4/invoice/items', {
      name: 'מנורה',
      price: '100',
      isStocked: true,
    })
    const { id } = await invoice(made, '2026-03-10', [line('100', 1, { itemId: item.id })])
    await made.call(calls.writeOffDebt, { id, ...said })
    const { rows } = await report(made, 'itemMovements', `item=${item.id}&${year}`)
    expect(rows.filter((row) => row.type === 'creditInvoice')).toEqual([])
  })

  test.each([
    ['2026-05-16', 'badDebts.tooEarly', '2026-11-16'],
    ['2023-11-15', 'badDebts.tooLate', '2026-11-14'],
  ])('of %s: %s', async (day, code, params) => {
    const made = await business()
    const { id } = await invoice(made, day)
    await expect(made.call(calls.planWriteOff, { id })).rejects.toMatchObject({
      errors: [{ path: 'date', code, params: { day: params } }],
    })
  })

  test('days of proceedings do not count towards the three years', async () => {
    const made = await business()
    const { id } = await invoice(made, '2023-11-15')
    const paused = { pausedFrom: '2025-01-01', pausedTo: '2025-01-31' }
    await made.call(calls.writeOffDebt, { id, ...said, ...paused })
    expect((await balances(made))['6190']).toBe(100_000)
  })

  test('a part of a mixed invoice of the old rate, then the rest to the agora', async () => {
    const made = await business()
    const { id } = await invoice(made, '2024-12-20', [line('333.33'), line('150', 4), line('66.66')])
    await made.call(calls.writeOffDebt, { id, agorot: 20_001, ...said })
    await made.call(calls.writeOffDebt, { id, ...said })
    const left = await balances(made)
    expect(left['1100']).toBeUndefined()
    expect(left['2100']).toBeUndefined()
    expect(left['6190']).toBe(-left['4000']!)
    await vatOfNovember(made)
  })

  test('what was paid before stays paid, and a receipt paid back opens nothing twice', async () => {
    const made = await business()
    const { id } = await invoice(made, '2026-03-10')
    await made.call(documents.createDocument, {
      type: 6,
      customerId: made.customerId,
      date: '2026-04-01',
      payments: [{ means: 3, amountAgorot: 59_000 }],
      closes: [{ documentId: id, amountAgorot: 59_000 }],
    })
    await expect(made.call(calls.planWriteOff, { id, agorot: 59_001 })).rejects.toMatchObject({
      errors: [{ path: 'agorot', code: 'badDebts.aboveOpen' }],
    })
    await made.call(calls.writeOffDebt, { id, ...said })
    expect(await balances(made)).toEqual({ '1010': 59_000, '2100': -9_000, '4000': -100_000, '6190': 50_000 })
  })

  test('asks whether the VAT was paid, and refuses what was not reported yet', async () => {
    const made = await business()
    await invoice(made, '2026-01-10')
    const { id } = await invoice(made, '2026-03-10')
    await expect(made.call(calls.writeOffDebt, { id, ...said, vatPaid: false })).rejects.toMatchObject({
      errors: [{ path: 'vatPaid', code: 'badDebts.vatPaidNeeded' }],
    })
    await made.call(vat.fileReturn, { kind: 'return', period: '2026-01' } as never)
    await expect(made.call(calls.writeOffDebt, { id, ...said })).rejects.toMatchObject({
      code: 'badDebts.notReported',
    })
  })

  test('paid after all: charged again in proportion, and the books are as if it had been paid', async () => {
    const made = await business()
    const { id } = await invoice(made, '2026-03-10', [line('1000'), line('100', 4)])
    const credit = await made.call(calls.writeOffDebt, { id, ...said })
    await expect(made.call(calls.recoverDebt, { id: credit.id, agorot: 128_001 })).rejects.toMatchObject({
      errors: [{ path: 'agorot', code: 'badDebts.aboveWrittenOff' }],
    })
    const part = await made.call(calls.recoverDebt, { id: credit.id, agorot: 64_000 })
    expect(await balances(made)).toMatchObject({ '1100': 64_000, '2100': -9_000, '6190': 55_000 })
    await made.call(documents.createDocument, {
      type: 6,
      customerId: made.customerId,
      date: '2026-11-15',
      payments: [{ means: 3, amountAgorot: 64_000 }],
      closes: [{ documentId: part.id, amountAgorot: 64_000 }],
    })
    expect(await made.call(calls.standingOfDebt, { id: credit.id })).toMatchObject({
      invoice: { id },
      writtenOffAgorot: 128_000,
      recoveredAgorot: 64_000,
      leftAgorot: 64_000,
    })
    const rest = await made.call(calls.recoverDebt, { id: credit.id })
    await expect(made.call(calls.recoverDebt, { id: credit.id })).rejects.toMatchObject({
      code: 'badDebts.allRecovered',
    })
    // The last of them was a mistake: its cancellation takes the expense back, and no income.
    await made.call(documents.cancelDocument, { id: rest.id, reason: 'טעות' })
    expect(await balances(made)).toEqual({
      '1010': 64_000,
      '2100': -9_000,
      '4000': -110_000,
      '6190': 55_000,
    })
    expect((await report(made, 'income', year)).totals.netAgorot).toBe(110_000)
    expect(await vatOfNovember(made)).toBe(-9_000)
    const written = await report(made, 'badDebts', year)
    expect(written.checks.every(({ ok }) => ok)).toBe(true)
    expect(written.totals.expenseAgorot).toBe(55_000)
    expect((await report(made, 'owe', 'day=2026-11-15')).rows).toEqual([])
  })

  test('where VAT is reported by what is received, none was paid and none is given back', async () => {
    const made = await business()
    await made.call(vat.changeVatBasis, { basis: 'cash', from: '2026-01-01' })
    const { id } = await invoice(made, '2026-03-10')
    expect(await made.call(calls.planWriteOff, { id })).toMatchObject({
      vatAgorot: 18_000,
      vatBackAgorot: 0,
      isByReceipts: true,
    })
    const credit = await made.call(calls.writeOffDebt, { id, ground: 'notFound', steps: 'לא נמצא' })
    expect(await vatOfNovember(made)).toBe(0)
    const part = await made.call(calls.recoverDebt, { id: credit.id, agorot: 59_000 })
    expect(await vatOfNovember(made)).toBe(0)
    await made.call(documents.createDocument, {
      type: 6,
      customerId: made.customerId,
      date: '2026-11-15',
      payments: [{ means: 3, amountAgorot: 59_000 }],
      closes: [{ documentId: part.id, amountAgorot: 59_000 }],
    })
    expect(await vatOfNovember(made)).toBe(9_000)
  })

  test('only an open invoice of one’s own', async () => {
    const made = await business()
    const request = await made.call(documents.createDocument, {
      type: 5,
      customerId: made.customerId,
      date: '2026-03-10',
      lines: [line('10')],
    })
    await expect(made.call(calls.planWriteOff, { id: request.id })).rejects.toMatchObject({
      code: 'badDebts.notInvoice',
    })
    const { id } = await invoice(made, '2026-03-10', [line('1000'), line('100', 3)])
    await expect(made.call(calls.planWriteOff, { id })).rejects.toMatchObject({ code: 'badDebts.held' })
    await expect(made.call(calls.recoverDebt, { id })).rejects.toMatchObject({
      code: 'badDebts.notWrittenOff',
    })
    const stranger = await business()
    await expect(stranger.call(calls.planWriteOff, { id })).rejects.toMatchObject({ code: 'kit.notFound' })
  })
})
