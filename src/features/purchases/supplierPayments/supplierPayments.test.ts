import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import {
  cancelExpensePayment,
  entriesOfExpense,
  getExpense,
  payExpense,
} from '#features/purchases/expenses/endpoints.ts'
import * as calls from './endpoints.ts'

let world: World
let shop: Business
let kind: string
beforeAll(async () => {
  world = await startWorld(() => new Date('2026-11-20T10:00:00Z'))
  shop = await newBusiness(world)
  await shop.send('PATCH', '/api4/invoice/company', { withholdingFile: '912345678' })
  kind = (await shop.get('/api4/invoice/expensetypes?size=10')).rows[0].id
})
afterAll(() => world.close())

const supplier = async (name: string, certificate?: Record<string, unknown>): Promise<string> => {
  const { id } = await shop.send('POST', '/api4/invoice/suppliers', { name, email: 'supplier@example.com' })
  if (certificate)
    await shop.send('POST', '/api4/invoice/withholdingCertificates', {
      supplierId: id,
      fromDay: '2026-01-01',
      toDay: '2026-12-31',
      ...certificate,
    })
  return id
}
const bill = async (
  supplierId: string,
  supplierNumber: string,
  netAgorot: number,
  vatAgorot = 0,
): Promise<string> =>
  (
    await shop.send('POST', '/api4/invoice/expenses', {
      supplierId,
      supplierNumber,
      date: '2026-11-01',
      means: 'onCredit',
      lines: [{ typeId: kind, netAgorot, vatAgorot }],
    })
  ).id
const owed = async (id: string): Promise<number> =>
  (await shop.get(`/api4/invoice/suppliers/${id}`)).balanceAgorot
const open = async (id: string): Promise<number> => (await shop.call(getExpense, { id })).openAgorot
const account = async (number: string): Promise<number> =>
  (await shop.get('/api5/invoicecpa/accounts?size=200')).rows.find(
    (a: { number: string }) => a.number === number,
  ).balanceAgorot

describe('paying suppliers', () => {
  test('two bills in one payment: tax withheld by the certificate, the bills fall by the gross, and a reversal opens all again', async () => {
    const id = await supplier('חומרים', { rateBp: 500 })
    const [first, second] = [await bill(id, '1', 100_000), await bill(id, '2', 50_000)]
    const bank = await account('1010')
    const made = await shop.call(calls.createSupplierPayment, {
      supplierId: id,
      means: 'bank',
      bills: [
        { id: first, amountAgorot: 100_000 },
        { id: second, amountAgorot: 20_000 },
      ],
    })
    expect(made).toMatchObject({
      grossAgorot: 120_000,
      withheldAgorot: 6_000,
      netAgorot: 114_000,
      withheldBp: 500,
      reason: 'certificate',
      byHand: false,
    })
    expect([await open(first), await open(second), await owed(id)]).toEqual([0, 30_000, 30_000])
    expect([bank - (await account('1010')), -(await account('2200'))]).toEqual([114_000, 6_000])
    const { rows } = await shop.call(entriesOfExpense, { id: second })
    expect(
      rows.filter((r) => r.kind === 'supplierPayment').map((r) => [r.number, r.debitAgorot - r.creditAgorot]),
    ).toEqual([
      ['2000', 120_000],
      ['1010', -114_000],
      ['2200', -6_000],
    ])
    await expect(
      shop.send('POST', `/api4/invoice/expenses/${second}/cancel`, { reason: 'x' }),
    ).rejects.toMatchObject({
      code: 'expenses.hasPayments',
    })
    expect(await shop.call(calls.cancelPaymentOfSupplier, { id: made.id })).toMatchObject({ cancelled: true })
    expect([await open(first), await open(second), await owed(id)]).toEqual([100_000, 50_000, 150_000])
    expect([bank - (await account('1010')), await account('2200')]).toEqual([0, 0])
    await expect(shop.call(calls.cancelPaymentOfSupplier, { id: made.id })).rejects.toMatchObject({
      code: 'expenses.paymentCancelled',
    })
    // Nothing is left of it: the bill may go.
    await shop.send('POST', `/api4/invoice/expenses/${second}/cancel`, { reason: 'x' })
    expect(await owed(id)).toBe(100_000)
  })

  test('a certificate holds up to its sum, counting what was paid before', async () => {
    const id = await supplier('תקרה', { rateBp: 0, ceilingAgorot: 100_000 })
    await shop.call(calls.createSupplierPayment, {
      supplierId: id,
      means: 'bank',
      bills: [{ id: await bill(id, '1', 80_000), amountAgorot: 80_000 }],
    })
    // Nothing is withheld from 20,000; 20% from the rest, for the certificate says that the books are approved.
    expect(
      await shop.call(calls.workOutSupplierPayment, { supplierId: id, grossAgorot: 30_000 }),
    ).toMatchObject({
      withheldAgorot: 2_000,
      netAgorot: 28_000,
    })
  })

  test('what is withheld may be set by hand and is marked; more than the payment, or nothing to pay, is refused', async () => {
    const id = await supplier('ידני')
    const one = await bill(id, '1', 10_000)
    const pay = (more: object, amountAgorot = 10_000) =>
      shop.call(calls.createSupplierPayment, {
        supplierId: id,
        means: 'bank',
        bills: [{ id: one, amountAgorot }],
        ...more,
      })
    await expect(pay({ withheldAgorot: 10_001 })).rejects.toMatchObject({
      errors: [{ path: 'withheldAgorot', code: 'fields.range' }],
    })
    await expect(pay({}, 10_001)).rejects.toMatchObject({
      errors: [{ path: 'bills.0.amountAgorot', code: 'fields.range' }],
    })
    await expect(pay({ date: '2026-11-21' })).rejects.toMatchObject({
      errors: [{ path: 'date', code: 'expenses.dateInFuture' }],
    })
    expect(await pay({ withheldAgorot: 0 })).toMatchObject({
      netAgorot: 10_000,
      byHand: true,
      withheldBp: 3_000,
      reason: 'booksUnknown',
    })
    const other = await supplier('אחר')
    await expect(
      shop.call(calls.createSupplierPayment, {
        supplierId: other,
        means: 'bank',
        bills: [{ id: await bill(id, '2', 5), amountAgorot: 5 }],
      }),
    ).rejects.toMatchObject({ status: 404 })
  })

  test('a supplier’s credit is taken off; the same bill cannot be named twice', async () => {
    const id = await supplier('זיכוי', { rateBp: 1_000 })
    const [debt, credit] = [await bill(id, '1', 10_000), await bill(id, '2', -4_000)]
    const made = await shop.call(calls.createSupplierPayment, {
      supplierId: id,
      means: 'bank',
      bills: [
        { id: debt, amountAgorot: 10_000 },
        { id: credit, amountAgorot: -4_000 },
      ],
    })
    expect(made).toMatchObject({ grossAgorot: 6_000, withheldAgorot: 600, netAgorot: 5_400 })
    expect(await owed(id)).toBe(0)
    const again = await bill(id, '3', 100)
    await expect(
      shop.call(calls.createSupplierPayment, {
        supplierId: id,
        means: 'bank',
        bills: [
          { id: again, amountAgorot: 50 },
          { id: again, amountAgorot: 60 },
        ],
      }),
    ).rejects.toMatchObject({ errors: [{ code: 'fields.taken' }] })
  })

  test('paying from the bill is the same payment, and reversing it there reverses it whole', async () => {
    const id = await supplier('אותה דרך', { rateBp: 300 })
    const one = await bill(id, '1', 10_000)
    const paid = await shop.call(payExpense, { id: one, means: 'bank' })
    expect(paid.openAgorot).toBe(0)
    const [payment] = (await shop.get(`/api4/invoice/supplierpayments?supplierId=${id}`)).rows
    expect(payment).toMatchObject({ grossAgorot: 10_000, withheldAgorot: 300, bills: '1', state: 'paid' })
    await shop.call(cancelExpensePayment, { id: one, paymentId: paid.payments[0]!.id })
    expect((await shop.get(`/api4/invoice/supplierpayments?supplierId=${id}`)).rows[0].state).toBe(
      'cancelled',
    )
    expect(await owed(id)).toBe(10_000)
  })

  test('the letter goes out once with its file, and the report agrees with the payments', async () => {
    const id = await supplier('דואר', { rateBp: 0 })
    const made = await shop.call(calls.createSupplierPayment, {
      supplierId: id,
      means: 'bank',
      reference: '77',
      bills: [{ id: await bill(id, '9', 700), amountAgorot: 700 }],
    })
    expect(
      Buffer.from(await shop.get(`/api4/invoice/supplierpayments/${made.id}/pdf`))
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
    await shop.call(calls.sendSupplierPayment, { id: made.id })
    await world.worker.drain()
    const [message] = (await shop.get('/api4/invoice/messages')).rows
    expect(message).toMatchObject({ recipient: 'supplier@example.com', state: 'kept' })
    const report = await shop.get(
      `/api4/invoice/reports/providerPayment?from=2026-01-01&to=2026-12-31&supplier=${id}`,
    )
    expect(report).toMatchObject({ totals: { grossAgorot: 700, netAgorot: 700 }, checks: [{ ok: true }] })
    await shop.call(calls.createSupplierPayment, {
      supplierId: id,
      means: 'bank',
      bills: [{ id: await bill(id, '11', 400), amountAgorot: 400 }],
    })
    // People who see the first rows also sees how many there are and their total.
    expect(
      await shop.get(
        `/api4/invoice/reports/providerPayment?from=2026-01-01&to=2026-12-31&supplier=${id}&first=1`,
      ),
    ).toMatchObject({
      rows: [{ grossAgorot: 700 }],
      cut: 1,
      of: 2,
      totals: { grossAgorot: 1_100, withheldAgorot: 0, netAgorot: 1_100 },
    })
    const next = await bill(id, '10', 300)
    expect(
      (await shop.call(calls.dueBills, { until: '2026-12-31' })).rows.find((r) => r.supplierId === id),
    ).toMatchObject({
      dueAgorot: 300,
    })
    expect((await shop.call(calls.openBills, { supplierId: id })).rows.map((r) => r.id)).toEqual([next])
  })
})

describe('sums that are hidden', () => {
  test('a bill that is named without a sum is paid whole, for whoever may see no sums', async () => {
    const id = await supplier('נסתר', { rateBp: 1000 })
    const [first, second] = [await bill(id, '1', 10_000), await bill(id, '2', 5_000)]
    const made = await shop.call(calls.createSupplierPayment, {
      supplierId: id,
      means: 'bank',
      bills: [{ id: second }],
    })
    expect([made.grossAgorot, made.withheldAgorot, made.netAgorot, made.file]).toEqual([
      5_000,
      500,
      4_500,
      null,
    ])
    expect([await open(first), await open(second)]).toEqual([10_000, 0])
  })
})

describe('what is refused', () => {
  test('a payment of nothing, and its letter to a supplier without an address', async () => {
    const { id: supplierId } = await shop.send('POST', '/api4/invoice/suppliers', { name: 'בלי כתובת' })
    const pay = (bills: object[]) =>
      shop.call(calls.createSupplierPayment, { supplierId, means: 'bank', bills } as never)
    const [owed, credit] = [await bill(supplierId, 'N1', 10_000), await bill(supplierId, 'N2', -10_000)]
    const both = [
      { id: owed, amountAgorot: 10_000 },
      { id: credit, amountAgorot: -10_000 },
    ]
    await expect(pay(both)).rejects.toMatchObject({ status: 422, code: 'expenses.nothingToPay' })
    const { id } = await pay(both.slice(0, 1))
    await expect(shop.call(calls.sendSupplierPayment, { id })).rejects.toMatchObject({
      status: 422,
      errors: [{ path: 'to', code: 'supplierPayments.noMail' }],
    })
    await shop.call(calls.sendSupplierPayment, { id, to: 'supplier@example.com' })
  })
})
