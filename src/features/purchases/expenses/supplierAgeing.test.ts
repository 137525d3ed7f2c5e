import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '#domain/day.ts'
import { newBusiness, newTaxId, startWorld, type Business, type World } from '../../../../tests/world.ts'
import {
  cancelPaymentOfSupplier,
  createSupplierPayment,
} from '#features/purchases/supplierPayments/endpoints.ts'
import { cancelExpense } from './endpoints.ts'

/*
 * What suppliers were owed on a past day follows from dated facts: paying, taking a payment back and cancelling a bill leave
 * the days before as they were, and every day is what the books say of it.
 */

let world: World
let today = '2026-01-01'
let me: Business
let kind: string
beforeAll(async () => {
  world = await startWorld(() => new Date(`${today}T09:00:00Z`))
  me = await newBusiness(world)
  kind = (await me.get('/api4/invoice/expensetypes?size=100')).rows.find(
    (row: { accountNumber: string }) => row.accountNumber === '6040',
  ).id
})
afterAll(() => world.close())

const supplier = async (name: string): Promise<string> =>
  (await me.send('POST', '/api4/invoice/suppliers', { name, taxId: newTaxId(), dueTerms: 'net:30' })).id
let number = 0
const bill = async (supplierId: string, netAgorot: number, more: object = {}): Promise<string> =>
  (
    await me.send('POST', '/api4/invoice/expenses', {
      supplierId,
      supplierNumber: String(++number),
      date: today,
      means: 'onCredit',
      lines: [{ typeId: kind, netAgorot, vatAgorot: 0 }],
      ...more,
    })
  ).id
const pay = async (supplierId: string, id: string, amountAgorot: number): Promise<string> =>
  (
    await me.call(createSupplierPayment, {
      supplierId,
      date: today,
      means: 'bank',
      bills: [{ id, amountAgorot }],
      withheldAgorot: 0,
    } as never)
  ).id
const on = (day: string) => me.get(`/api4/invoice/reports/supplierBalances?day=${day}`)
const owed = async (day: string) => {
  const { totals, checks } = await on(day)
  expect(checks.map((one: { name: string; ok: boolean }) => [one.name, one.ok]).toSorted(), day).toEqual([
    ['agesSum', true],
    ['asInBooks', true],
  ])
  expect(totals.cardAgorot, day).toBe(totals.openAgorot)
  return totals
}

test('each past day is what the books say of it, with payments, reversals and cancellations since', async () => {
  const paper = await supplier('נייר')
  const steel = await supplier('פלדה')
  const first = await bill(paper, 100_000)
  today = '2026-01-10'
  const second = await bill(steel, 70_000)
  today = '2026-02-01'
  const payment = await pay(paper, first, 60_000)
  today = '2026-02-20'
  await bill(paper, 5_000, { means: 'bank' })
  today = '2026-03-05'
  await me.call(cancelPaymentOfSupplier, { id: payment })
  today = '2026-03-10'
  await me.call(cancelExpense, { id: second, reason: 'טעות' })
  today = '2026-04-20'
  await pay(paper, first, 100_000)
  await bill(steel, 9_000)

  const days = ['2025-12-31', '2026-01-01', '2026-01-10', '2026-02-01', '2026-03-01', '2026-04-19', today]
  const open: number[] = []
  for (const day of days) open.push((await owed(day)).openAgorot)
  // Reversals stand on the day of what they reverse while its period is open, so the report does as the books do.
  expect(open[0]).toBe(0)
  expect(open[1]).toBe(100_000)
  expect(open.at(-2)).toBe(100_000)
  expect(open.at(-1)).toBe(9_000)
  for (let day = '2026-01-01'; day <= today; day = addDays(day, 3)) await owed(day)

  // By how late: due on the 31st of January.
  const ages = await owed('2026-04-10')
  expect([ages.notDueAgorot, ages.d30Agorot, ages.d60Agorot, ages.d90Agorot, ages.moreAgorot]).toEqual([
    0, 0, 0, 100_000, 0,
  ])
  expect((await owed('2026-01-15')).notDueAgorot).toBe((await owed('2026-01-15')).openAgorot)
})
