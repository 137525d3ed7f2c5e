import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newBusiness, newTaxId, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { cancelExpense, createExpense, expenseFacts } from '#features/purchases/expenses/endpoints.ts'
import { createDocument, settleDocument } from '#features/sales/documents/endpoints.ts'
import * as calls from './endpoints.ts'

/** What changed since filing: each later document with its effect on every box, and the whole difference explained. */
let world: World
let today = '2026-06-10'
beforeAll(async () => {
  world = await startWorld(() => new Date(`${today}T09:00:00Z`))
})
afterAll(() => world.close())

interface Shop {
  me: Business
  customer: { id: string }
  supplier: { id: string }
  types: { id: string; vatShare: string; isFixedAsset: boolean }[]
}

async function open(kind: 'company' | 'licensedDealer' | 'nonProfit' = 'company'): Promise<Shop> {
  today = '2026-06-10'
  const me = await newBusiness(world, { kind })
  await me.send('PATCH', '/api4/invoice/company', { vatPeriodMonths: 1, backDating: true })
  const { types } = (await me.call(expenseFacts, {})) as unknown as Pick<Shop, 'types'>
  return {
    me,
    types,
    customer: await me.customer('כהן בע״מ', { taxId: newTaxId(), isDealer: true }),
    supplier: await me.send('POST', '/api4/invoice/suppliers', { name: 'דלק', taxId: newTaxId() }),
  }
}

let number = 900
const bill = ({ me, supplier, types }: Shop, date: string, more: object = {}) =>
  me.call(createExpense, {
    supplierId: supplier.id,
    supplierNumber: String(number++),
    date,
    lines: [
      {
        typeId: types.find(({ vatShare, isFixedAsset }) => vatShare === 'full' && !isFixedAsset)!.id,
        netAgorot: 100_000,
        vatAgorot: 18_000,
      },
    ],
    ...more,
  } as never)

const ofMay = { from: '2026-05-01', to: '2026-05-31' }
interface Answer {
  rows: Record<string, unknown>[]
  totals: Record<string, number>
  checks: { name: string; ok: boolean; apartAgorot?: number }[]
}
const run = (me: Business, name: string, more = '', { from, to } = ofMay) =>
  me.get<Answer>(`/api4/invoice/reports/${name}?from=${from}&to=${to}${more}`)
const explained = { name: 'explained', ok: true }

describe('what changed since filing', () => {
  test('is nothing where nothing changed, and only of periods that were filed', async () => {
    const shop = await open()
    await shop.me.invoice(shop.customer.id, '1000', { date: '2026-05-20' })
    expect((await run(shop.me, 'vatChanges')).rows).toEqual([])
    await shop.me.call(calls.fileReturn, { period: '2026-05', kind: 'detailed' })
    const { rows, checks } = await run(shop.me, 'vatChanges')
    expect(rows).toEqual([])
    expect(checks).toEqual([explained])
  })

  test('a late bill counts later, and is listed with its effect on each box and its record', async () => {
    const shop = await open()
    await shop.me.invoice(shop.customer.id, '1000', { date: '2026-05-20' })
    await bill(shop, '2026-05-10')
    await shop.me.call(calls.fileReturn, { period: '2026-05', kind: 'detailed' })
    const late = (await bill(shop, '2026-05-25')) as { id: string }
    const { rows, totals, checks } = await run(shop.me, 'vatChanges')
    expect(rows).toEqual([
      expect.objectContaining({
        period: '05/2026',
        day: '2026-05-25',
        name: 'דלק',
        kind: 'late',
        counted: '06/2026',
        inputVatOtherAgorot: 18_000,
        toPayAgorot: -18_000,
        records: expect.stringMatching(/^\+T \d{9}$/),
        detailedAmountAgorot: 100_000,
        detailedVatAgorot: 18_000,
        open: `/invoice/Expenses/all/${late.id}`,
      }),
    ])
    expect(totals).toMatchObject({ inputVatOtherAgorot: 18_000, outputVatAgorot: 0, toPayAgorot: -18_000 })
    expect(checks).toEqual([explained])
    // A bill that was cancelled since has no effect any more.
    await shop.me.call(cancelExpense, { id: late.id, reason: 'טעות' } as never)
    expect((await run(shop.me, 'vatChanges')).rows).toEqual([])
  })

  test('a number of a supplier that changes is a change of the record alone', async () => {
    const shop = await open()
    await bill(shop, '2026-05-10')
    await shop.me.call(calls.fileReturn, { period: '2026-05', kind: 'detailed' })
    await shop.me.send('PATCH', `/api4/invoice/suppliers/${shop.supplier.id}`, { taxId: newTaxId() })
    const { rows } = await run(shop.me, 'vatChanges')
    expect(rows).toEqual([
      expect.objectContaining({
        kind: 'changed',
        inputVatOtherAgorot: null,
        toPayAgorot: 0,
        records: expect.stringMatching(/^−T \d{9}, \+T \d{9}$/),
        detailedAmountAgorot: null,
      }),
    ])
  })

  test('after a period was opened again, what was added and what is gone explains the difference', async () => {
    const shop = await open()
    await shop.me.invoice(shop.customer.id, '1000', { date: '2026-05-20' })
    const gone = (await bill(shop, '2026-05-10')) as { id: string }
    const filing = await shop.me.call(calls.fileReturn, { period: '2026-05', kind: 'return' })
    await shop.me.call(calls.reopenFiling, { id: filing.id, reason: 'חשבונית ששכחנו' })
    await shop.me.invoice(shop.customer.id, '500', { date: '2026-05-22' })
    await shop.me.call(cancelExpense, { id: gone.id, date: '2026-05-31', reason: 'טעות' } as never)
    const { rows, totals, checks } = await run(shop.me, 'vatChanges')
    expect(rows.map(({ kind, toPayAgorot }) => [kind, toPayAgorot]).toSorted()).toEqual(
      [['added', 9_000], ...(totals.toPayAgorot === 27_000 ? [['removed', 18_000]] : [])].toSorted(),
    )
    expect(checks).toEqual([explained])
    // Filed again, there is nothing to tell.
    await shop.me.call(calls.fileReturn, { period: '2026-05', kind: 'return' })
    expect((await run(shop.me, 'vatChanges')).rows).toEqual([])
  })

  test('on cash basis a payment entered late is listed by its part', async () => {
    const shop = await open('licensedDealer')
    today = '2026-05-01'
    await shop.me.call(calls.changeVatBasis, { basis: 'cash', from: '2026-05-01' })
    today = '2026-06-10'
    const invoice = await shop.me.invoice(shop.customer.id, '1000', { date: '2026-05-20' })
    const receipt = await shop.me.call(createDocument, {
      type: 6,
      customerId: shop.customer.id,
      date: '2026-05-28',
      payments: [{ means: 3, amountAgorot: 59_000 }],
    } as never)
    await shop.me.call(calls.fileReturn, { period: '2026-05', kind: 'return' })
    await shop.me.call(settleDocument, {
      id: receipt.id,
      documentId: invoice.id,
      amountAgorot: 59_000,
    })
    // As of a program whose books came here: closed on the day of the receipt.
    await world.app.db.pool.query(
      `set session_replication_role = replica; update settlements set day = '2026-05-28'; set session_replication_role = origin`,
    )
    const { rows, checks } = await run(shop.me, 'vatChanges')
    expect(rows).toEqual([
      expect.objectContaining({
        kind: 'late',
        day: '2026-05-28',
        counted: '06/2026',
        taxableSalesAgorot: 50_000,
        outputVatAgorot: 9_000,
        toPayAgorot: 9_000,
        records: null,
      }),
    ])
    expect(checks).toEqual([explained])
    const june = await run(shop.me, 'vatPapers', '', { from: '2026-06-01', to: '2026-06-30' })
    expect(june.totals).toMatchObject({ taxableSalesAgorot: 50_000, outputVatAgorot: 9_000 })
  })

  test('a filing from before its documents were kept tells what was entered after it', async () => {
    const shop = await open()
    await shop.me.invoice(shop.customer.id, '1000', { date: '2026-05-20' })
    const filing = await shop.me.call(calls.fileReturn, { period: '2026-05', kind: 'return' })
    await world.app.db.pool.query('alter table vat_filing_papers disable trigger all')
    await world.app.db.pool.query('delete from vat_filing_papers where filing_id = $1', [filing.id])
    await shop.me.call(calls.reopenFiling, { id: filing.id, reason: 'חשבונית ששכחנו' })
    await shop.me.invoice(shop.customer.id, '500', { date: '2026-05-22' })
    const { rows, checks } = await run(shop.me, 'vatChanges')
    expect(rows.map(({ kind, toPayAgorot }) => [kind, toPayAgorot])).toEqual([['added', 9_000]])
    expect(checks).toEqual([explained])
  })
})
