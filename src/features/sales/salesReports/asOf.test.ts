import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '#domain/day.ts'
import * as documents from '#features/sales/documents/endpoints.ts'
import * as payments from '#features/sales/payments/endpoints.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'

/*
 * What was owed on a past day follows from dated facts: every report of it says what the books say of that day, and
 * nothing that happens later changes it.
 */

let now = new Date('2026-06-01T09:00:00Z')
let world: World
beforeAll(async () => {
  world = await startWorld(() => now)
})
afterAll(() => world.close())

const on = (day: string) => {
  now = new Date(`${day}T09:00:00Z`)
}

interface Answer {
  totals: { openAgorot: number }
  checks: { name: string; ok: boolean }[]
}

/** What each report says was open at the end of a day, with its checks. */
async function openOn(business: Business, day: string): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const name of ['ageing', 'owe', 'oweSummary']) {
    const { totals, checks } = await business.get<Answer>(`/api4/invoice/reports/${name}?day=${day}`)
    expect(checks.filter(({ ok }) => !ok)).toEqual([])
    expect(checks.map((check) => check.name)).toContain('asInBooks')
    found[name] = totals.openAgorot
  }
  return found
}

const same = (agorot: number) => ({ ageing: agorot, owe: agorot, oweSummary: agorot })

async function billed(): Promise<{
  business: Business
  customerId: string
  invoiceId: string
  paymentId: string
}> {
  on('2026-06-01')
  const business = await newBusiness(world)
  const { id: customerId } = await business.customer('כהן')
  const { id: invoiceId } = await business.invoice(customerId, '1000')
  on('2026-06-10')
  const receipt = await business.call(documents.createDocument, {
    type: 6,
    customerId,
    payments: [
      {
        means: 2,
        amountAgorot: 118_000,
        bank: '12',
        branch: '600',
        account: '123456',
        number: '7',
        dueDate: '2026-06-15',
      },
    ],
    closes: [{ documentId: invoiceId, amountAgorot: 118_000 }],
  })
  return { business, customerId, invoiceId, paymentId: receipt.payments[0]!.id }
}

describe('what is owed as of a past day', () => {
  test('a cheque that bounces later leaves the days before as they were, and so does undoing it', async () => {
    const { business, paymentId } = await billed()
    on('2026-06-20')
    await business.call(payments.createDeposit, { payments: [paymentId] })
    on('2026-08-01')
    expect(await openOn(business, '2026-07-01')).toEqual(same(0))
    await business.call(payments.bouncePayment, { id: paymentId, date: '2026-08-01' })
    expect(await openOn(business, '2026-07-01')).toEqual(same(0))
    expect(await openOn(business, '2026-08-01')).toEqual(same(118_000))
    on('2026-08-20')
    await business.call(payments.undoReturn, { id: paymentId })
    expect(await openOn(business, '2026-06-05')).toEqual(same(118_000))
    expect(await openOn(business, '2026-07-01')).toEqual(same(0))
    expect(await openOn(business, '2026-08-10')).toEqual(same(118_000))
    expect(await openOn(business, '2026-08-20')).toEqual(same(0))
  })

  test('a cheque that is given back', async () => {
    const { business, paymentId } = await billed()
    on('2026-08-01')
    await business.call(payments.giveBackPayment, { id: paymentId })
    for (const [day, agorot] of [
      ['2026-06-05', 118_000],
      ['2026-06-10', 0],
      ['2026-07-31', 0],
      ['2026-08-01', 118_000],
    ] as const)
      expect(await openOn(business, day)).toEqual(same(agorot))
  })

  test('a receipt that is dated before the invoice it closes stands to the credit until then', async () => {
    on('2026-06-28')
    const business = await newBusiness(world)
    const { id: customerId } = await business.customer('כהן')
    const { id: invoiceId } = await business.invoice(customerId, '1000')
    await business.call(documents.createDocument, {
      type: 6,
      customerId,
      date: '2026-06-25',
      payments: [{ means: 3, amountAgorot: 118_000 }],
      closes: [{ documentId: invoiceId, amountAgorot: 118_000 }],
    })
    on('2026-07-05')
    expect(await openOn(business, '2026-06-24')).toEqual(same(0))
    expect(await openOn(business, '2026-06-26')).toEqual(same(-118_000))
    expect(await openOn(business, '2026-06-28')).toEqual(same(0))
  })

  test('every day of a life in currencies, with money taken off and put back', async () => {
    const { business, customerId, invoiceId } = await billed()
    on('2026-07-01')
    const abroad = await business.call(documents.createDocument, {
      type: 8,
      customerId,
      currency: 'USD',
      rate: '3.5',
      lines: [{ description: 'ייעוץ', quantity: '1', unitPrice: '100', vatKind: 4 }],
    })
    on('2026-07-03')
    const paid = await business.call(documents.createDocument, {
      type: 6,
      customerId,
      date: '2026-06-29',
      currency: 'USD',
      rate: '3.6',
      payments: [{ means: 3, amountAgorot: 10_000 }],
      closes: [{ documentId: abroad.id, amountAgorot: 6_000 }],
    })
    on('2026-07-06')
    const { settlements } = await business.call(documents.getDocument, { id: paid.id })
    await business.call(documents.unsettleDocument, { id: paid.id, settlementId: settlements[0]!.id })
    await business.call(documents.settleDocument, { id: paid.id, documentId: abroad.id, amountAgorot: 9_000 })
    on('2026-07-09')
    const { id: other } = await business.invoice(customerId, '50')
    await business.call(documents.creditDocument, { id: other, reason: 'החזר', agorot: 1_000 })
    await business.call(documents.cancelDocument, { id: paid.id, reason: 'טעות' })
    expect(invoiceId).toBeTruthy()
    on('2026-07-12')
    for (let day = '2026-06-27'; day <= '2026-07-12'; day = addDays(day, 1)) await openOn(business, day)
  })
})
