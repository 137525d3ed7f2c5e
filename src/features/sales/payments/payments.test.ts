import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { asSystem } from '#kit/server/data/db.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import {
  createDocument,
  entriesOfDocument,
  getDocument,
  openItems,
  settleDocument,
} from '#features/sales/documents/endpoints.ts'
import * as calls from './endpoints.ts'

const now = new Date('2026-11-20T10:00:00Z')
let world: World
let shop: Business
beforeAll(async () => {
  world = await startWorld(() => now)
  shop = await newBusiness(world)
})
afterAll(() => world.close())

const cheque = (amountAgorot: number, number: string, dueDate = '2026-11-20') => ({
  means: 2,
  amountAgorot,
  number,
  dueDate,
  bank: '12',
  branch: '600',
  account: '123456',
})
const accountBalance = async (b: Business, number: string): Promise<number> =>
  (await b.get('/api5/invoicecpa/accounts?size=200')).rows.find(
    (a: { number: string }) => a.number === number,
  ).balanceAgorot
const balanceOf = async (b: Business, id: string): Promise<number> =>
  (await b.get(`/api4/invoice/customers/${id}`)).balanceAgorot
/** The law: what a customer owes is the sum of the customer's open items. */
async function owes(b: Business, customerId: string): Promise<number> {
  const { rows } = await b.call(openItems, { customerId })
  const open = rows.reduce((sum, r) => sum + r.openAgorot, 0)
  expect(await balanceOf(b, customerId)).toBe(open)
  return open
}
/** An invoice of 1,180 and a receipt with one cheque that closes it. */
async function paidByCheque(name: string, number: string, dueDate?: string) {
  const { id: customerId } = await shop.customer(name)
  const invoice = await shop.invoice(customerId, '1000')
  const receipt = await shop.call(createDocument, {
    type: 6,
    customerId,
    payments: [cheque(118_000, number, dueDate)],
    closes: [{ documentId: invoice.id, amountAgorot: 118_000 }],
  })
  return { customerId, invoice, receipt, payment: receipt.payments[0]!.id }
}

test('a deed with money is dated from the day of what it is done to until today, and done to what it fits', async () => {
  const { payment } = await paidByCheque('מחזיר', '70')
  const refuses = async (call: typeof calls.giveBackPayment | typeof calls.bouncePayment) => {
    for (const [date, code] of [
      ['2026-11-21', 'payments.dateInFuture'],
      ['2026-11-19', 'fields.dayOrder'],
    ] as const)
      await expect(shop.call(call, { id: payment, date })).rejects.toMatchObject({
        errors: [{ path: 'date', code }],
      })
  }
  await refuses(calls.giveBackPayment)
  // The bank sends nothing back that it has not got.
  await expect(shop.call(calls.bouncePayment, { id: payment })).rejects.toMatchObject({
    code: 'payments.cannotBounce',
  })
  const slip = await shop.call(calls.createDeposit, { payments: [payment], cashAgorot: 0 })
  await refuses(calls.bouncePayment)
  // What lies at the bank is in nobody's hand.
  await expect(shop.call(calls.giveBackPayment, { id: payment })).rejects.toMatchObject({
    code: 'payments.cannotGiveBack',
  })
  await shop.call(calls.undoDeposit, { id: slip.id })
  await shop.call(calls.giveBackPayment, { id: payment })
  await expect(shop.call(calls.giveBackPayment, { id: payment })).rejects.toMatchObject({
    code: 'payments.cannotGiveBack',
  })
  await expect(shop.call(calls.bouncePayment, { id: payment })).rejects.toMatchObject({
    code: 'payments.cannotBounce',
  })
})

describe('deposits', () => {
  test('cheques and cash move from the drawer to the bank, and an undone slip puts them back', async () => {
    const b = await newBusiness(world)
    const { id: customerId } = await b.customer('מפקיד')
    const receipt = await b.call(createDocument, {
      type: 6,
      customerId,
      payments: [cheque(50_000, '1'), cheque(30_000, '2'), { means: 1, amountAgorot: 20_000 }],
    })
    const [first, second] = receipt.payments
    const hand = await b.call(calls.moneyInHand, {})
    expect([hand.cheques.map((c) => c.sumAgorot), hand.cashAgorot]).toEqual([[50_000, 30_000], 20_000])
    await expect(b.call(calls.createDeposit, { payments: [], cashAgorot: 20_001 })).rejects.toMatchObject({
      errors: [{ path: 'cashAgorot', code: 'payments.notSoMuchCash' }],
    })
    const slip = await b.call(calls.createDeposit, { payments: [first!.id, second!.id], cashAgorot: 15_000 })
    expect(slip.number).toBe(1)
    expect([
      await accountBalance(b, '1010'),
      await accountBalance(b, '1020'),
      await accountBalance(b, '1000'),
    ]).toEqual([95_000, 0, 5_000])
    // The same cheque is not deposited twice.
    await expect(b.call(calls.createDeposit, { payments: [first!.id] })).rejects.toMatchObject({
      code: 'payments.notInHand',
    })
    expect(await b.call(calls.getDeposit, { id: slip.id })).toMatchObject({
      totalAgorot: 95_000,
      undone: false,
    })
    expect(
      Buffer.from(await b.get(`/api4/invoice/deposits/${slip.id}/pdf`))
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
    await expect(
      b.send('POST', `/api4/invoice/documents/${receipt.id}/cancel`, { reason: 'x' }),
    ).rejects.toMatchObject({
      code: 'documents.cannotCancel',
    })
    expect(await b.call(calls.undoDeposit, { id: slip.id })).toMatchObject({
      undone: true,
      cheques: [{}, {}],
    })
    expect([await accountBalance(b, '1010'), await accountBalance(b, '1020')]).toEqual([0, 80_000])
    await expect(b.call(calls.undoDeposit, { id: slip.id })).rejects.toMatchObject({
      code: 'payments.alreadyUndone',
    })
    expect((await b.call(calls.createDeposit, { payments: [second!.id] })).number).toBe(2)
  })

  test('a post-dated cheque waits for its day', async () => {
    const { payment } = await paidByCheque('דחוי', '77', '2026-12-20')
    await expect(shop.call(calls.createDeposit, { payments: [payment] })).rejects.toMatchObject({
      errors: [{ path: 'payments', code: 'payments.notDueYet' }],
    })
  })
})

describe('what came back', () => {
  test('a bounced cheque opens the debt again; the fee of the bank is an expense; taking it back gives the money back', async () => {
    const { customerId, invoice, receipt, payment } = await paidByCheque('חוזר', '100')
    expect(await owes(shop, customerId)).toBe(0)
    await expect(shop.call(calls.bouncePayment, { id: payment })).rejects.toMatchObject({
      code: 'payments.cannotBounce',
    })
    // One of two that came back is enough: the bank had them.
    const other = await paidByCheque('אחר', '100')
    const slip = await shop.call(calls.createDeposit, { payments: [payment, other.payment] })
    const fees = await accountBalance(shop, '6200')
    const back = await shop.call(calls.bouncePayment, { id: payment, reason: 'אין כיסוי', feeAgorot: 2_500 })
    expect(back).toMatchObject({ state: 'bounced', may: { undo: true, bounce: false, deposit: false } })
    expect(await owes(shop, customerId)).toBe(118_000)
    expect(await shop.call(getDocument, { id: invoice.id })).toMatchObject({
      status: 'issued',
      totals: { openAgorot: 118_000 },
    })
    expect((await accountBalance(shop, '6200')) - fees).toBe(2_500)
    const { rows } = await shop.call(entriesOfDocument, { id: receipt.id })
    expect(
      rows.filter((r) => r.kind === 'bounced').map((r) => [r.number, r.debitAgorot - r.creditAgorot]),
    ).toEqual([
      ['1100', 118_000],
      ['6200', 2_500],
      ['1010', -120_500],
    ])
    await expect(shop.call(calls.undoDeposit, { id: slip.id })).rejects.toMatchObject({
      code: 'payments.cameBack',
    })
    expect(await shop.call(calls.undoReturn, { id: payment })).toMatchObject({
      state: 'deposited',
      returns: [{ undone: true }],
    })
    // The money is the customer's credit and is not applied automatically.
    expect(await owes(shop, customerId)).toBe(0)
    expect(await shop.call(getDocument, { id: receipt.id })).toMatchObject({
      totals: { openAgorot: -118_000 },
    })
    await expect(shop.call(calls.undoReturn, { id: payment })).rejects.toMatchObject({
      code: 'payments.cannotUndo',
    })
  })

  test('a cheque in hand is given back, a returned debit leaves the bank, cash does not come back', async () => {
    const { customerId, payment } = await paidByCheque('מוחזר', '200')
    const drawer = await accountBalance(shop, '1020')
    expect(await shop.call(calls.giveBackPayment, { id: payment, reason: 'הוחלף' })).toMatchObject({
      state: 'returned',
    })
    expect(drawer - (await accountBalance(shop, '1020'))).toBe(118_000)
    expect(await owes(shop, customerId)).toBe(118_000)
    const { id: other } = await shop.customer('הוראת קבע')
    const receipt = await shop.call(createDocument, {
      type: 6,
      customerId: other,
      payments: [
        { means: 3, amountAgorot: 700 },
        { means: 1, amountAgorot: 300 },
      ],
    })
    await shop.call(calls.bouncePayment, { id: receipt.payments[0]!.id })
    expect(await owes(shop, other)).toBe(-300)
    await expect(shop.call(calls.bouncePayment, { id: receipt.payments[1]!.id })).rejects.toMatchObject({
      code: 'payments.cannotBounce',
    })
  })

  test('an invoice with receipt is open itself when its cheque bounces, and a new receipt closes it', async () => {
    const { id: customerId } = await shop.customer('חשבונית קבלה')
    const both = await shop.call(createDocument, {
      type: 9,
      customerId,
      lines: [{ description: 'x', unitPrice: '100' }],
      payments: [cheque(11_800, '300')],
    })
    await shop.call(calls.createDeposit, { payments: [both.payments[0]!.id] })
    await shop.call(calls.bouncePayment, { id: both.payments[0]!.id })
    expect(await owes(shop, customerId)).toBe(11_800)
    await shop.call(createDocument, {
      type: 6,
      customerId,
      payments: [{ means: 3, amountAgorot: 11_800 }],
      closes: [{ documentId: both.id, amountAgorot: 11_800 }],
    })
    expect(await owes(shop, customerId)).toBe(0)
    expect(await shop.call(getDocument, { id: both.id })).toMatchObject({ status: 'closed' })
    // The debt was paid another way; the first cheque is not there again.
    await expect(shop.call(calls.undoReturn, { id: both.payments[0]!.id })).rejects.toMatchObject({
      code: 'documents.notSettled',
    })
  })

  test('an exempt dealer’s receipt, a donation and a deposit held for a customer keep their cards right', async () => {
    const exempt = await newBusiness(world, { kind: 'exemptDealer' })
    const { id: customerId } = await exempt.customer('לקוח')
    const receipt = await exempt.call(createDocument, {
      type: 6,
      customerId,
      payments: [{ means: 5, amountAgorot: 5_000 }],
    })
    await exempt.call(calls.bouncePayment, { id: receipt.payments[0]!.id })
    expect(await owes(exempt, customerId)).toBe(5_000)
    const held = await exempt.call(createDocument, {
      type: 14,
      customerId,
      payments: [{ means: 3, amountAgorot: 900 }],
    })
    await exempt.call(calls.bouncePayment, { id: held.payments[0]!.id })
    expect(await owes(exempt, customerId)).toBe(5_000)
    expect(await accountBalance(exempt, '2310')).toBe(0)
    const charity = await newBusiness(world, { kind: 'nonProfit' })
    const { id: giver } = await charity.customer('תורם')
    const gift = await charity.call(createDocument, {
      type: 11,
      customerId: giver,
      payments: [{ means: 3, amountAgorot: 900 }],
    })
    await charity.call(calls.bouncePayment, { id: gift.payments[0]!.id })
    expect(await owes(charity, giver)).toBe(0)
    expect(await accountBalance(charity, '4050')).toBe(0)
  })

  test('where the receipt is the income, what is paid again after it came back is no second income', async () => {
    const exempt = await newBusiness(world, { kind: 'exemptDealer' })
    const { id: customerId } = await exempt.customer('לקוח')
    const receipt = await exempt.call(createDocument, {
      type: 6,
      customerId,
      payments: [{ means: 3, amountAgorot: 5_000 }],
    })
    await exempt.call(calls.bouncePayment, { id: receipt.payments[0]!.id })
    const again = (amountAgorot: number, closed = amountAgorot) =>
      exempt.call(calls.createPayment, {
        customerId,
        payments: [{ means: 1, amountAgorot }],
        apply: [{ documentId: receipt.id, amountAgorot: closed }],
      })
    // New income needs a separate receipt.
    await expect(again(6_000, 5_000)).rejects.toMatchObject({
      errors: [{ path: 'payments', code: 'documents.paymentsDiffer' }],
    })
    const second = await again(3_000)
    expect(second).toMatchObject({ status: 'closed', totals: { netExemptAgorot: 0, totalAgorot: 3_000 } })
    expect(
      (await exempt.call(entriesOfDocument, { id: second.id })).rows.map((r) => [
        r.number,
        r.debitAgorot,
        r.creditAgorot,
      ]),
    ).toEqual([
      ['1000', 3_000, 0],
      ['1100', 0, 3_000],
    ])
    expect([await owes(exempt, customerId), await accountBalance(exempt, '4000')]).toEqual([2_000, -5_000])
    await exempt.send('POST', `/api4/invoice/documents/${second.id}/cancel`, { reason: 'טעות' })
    expect([await owes(exempt, customerId), await accountBalance(exempt, '4000')]).toEqual([5_000, -5_000])
  })

  test('a payment request asks again for what bounced', async () => {
    const { id: customerId } = await shop.customer('דרישה')
    const request = await shop.call(createDocument, {
      type: 5,
      customerId,
      lines: [{ description: 'x', unitPrice: '100' }],
    })
    const receipt = await shop.call(createDocument, {
      type: 6,
      customerId,
      payments: [{ means: 3, amountAgorot: 11_800 }],
      closes: [{ documentId: request.id, amountAgorot: 11_800 }],
    })
    expect(await shop.call(getDocument, { id: request.id })).toMatchObject({ totals: { askedAgorot: 0 } })
    await shop.call(calls.bouncePayment, { id: receipt.payments[0]!.id })
    expect(await shop.call(getDocument, { id: request.id })).toMatchObject({
      status: 'issued',
      totals: { askedAgorot: 11_800 },
    })
    await shop.call(calls.undoReturn, { id: receipt.payments[0]!.id })
    expect(await shop.call(getDocument, { id: request.id })).toMatchObject({
      status: 'closed',
      totals: { askedAgorot: 0 },
    })
    expect(await owes(shop, customerId)).toBe(-11_800)
  })
})

describe('taking money in', () => {
  test('issues the receipt, pays what it is told to and leaves the rest on account; asked twice it is there once', async () => {
    const { id: customerId } = await shop.customer('משלמת')
    const invoice = await shop.invoice(customerId, '100')
    const input = {
      customerId,
      date: '2026-11-20',
      payments: [
        { means: 4, amountAgorot: 10_000, cardBrand: 'visa', cardLast4: '4821' },
        { means: 3, amountAgorot: 5_000 },
      ],
      apply: [{ documentId: invoice.id, amountAgorot: 11_800 }],
      notes: 'תודה',
    }
    const key = `pay-${customerId}`
    const made = await shop.call(calls.createPayment, input, { key })
    expect(made).toMatchObject({
      type: 6,
      status: 'partlyClosed',
      date: '2026-11-20',
      notes: 'תודה',
      totals: { totalAgorot: 15_000 },
    })
    expect(made.payments.map((one) => [one.means, one.amountAgorot])).toEqual([
      [4, 10_000],
      [3, 5_000],
    ])
    expect(made.urls.page).toContain('/paymentdoc/')
    expect((await shop.call(calls.createPayment, input, { key })).number).toBe(made.number)
    expect(await shop.call(getDocument, { id: invoice.id })).toMatchObject({
      status: 'closed',
      totals: { openAgorot: 0 },
    })
    expect(await owes(shop, customerId)).toBe(-3_200)
    expect((await shop.call(calls.getPayment, { id: made.payments[0]!.id })).document.id).toBe(made.id)
  })

  test('in another currency it takes its rate, and pays a debt in shekels by what of it that takes', async () => {
    const { id: customerId } = await shop.customer('Dollar')
    const invoice = await shop.invoice(customerId, '100')
    const made = await shop.call(calls.createPayment, {
      customerId,
      currency: 'USD',
      rate: '4',
      payments: [{ means: 3, amountAgorot: 2_950 }],
      apply: [{ documentId: invoice.id, amountAgorot: 11_800, takesAgorot: 2_950 }],
    })
    expect(made).toMatchObject({ status: 'closed', currency: 'USD', totals: { ilsTotalAgorot: 11_800 } })
    expect(await owes(shop, customerId)).toBe(0)
  })

  test('is refused where its receipt would be, and says so of its own fields', async () => {
    const { id: customerId } = await shop.customer('אחר')
    const invoice = await shop.invoice(customerId, '100')
    const ask = (more: object, business = shop) =>
      business
        .call(calls.createPayment, { customerId, payments: [{ means: 3, amountAgorot: 20_000 }], ...more })
        .then(
          () => 'made',
          (e: { code: string; errors: { path: string; code: string }[] }) =>
            e.errors.map((one) => [one.path, one.code]),
        )
    expect(await ask({ apply: [{ documentId: invoice.id, amountAgorot: 11_801 }] })).toEqual([
      ['apply', 'documents.closesTooMuch'],
    ])
    expect(await ask({ date: '2026-11-21' })).toEqual([['date', 'documents.dateInFuture']])
    expect(await ask({ payments: [] })).toEqual([['payments', 'fields.need']])
    expect(await ask({ payments: [{ means: 1, amountAgorot: 1_000_000 }] })).toEqual([
      ['payments', 'payments.cashAboveLimit'],
    ])
    const stranger = await newBusiness(world)
    expect(await ask({}, stranger)).toEqual([['customerId', 'fields.ref']])
    const { id: theirs } = await stranger.customer('שלהם')
    expect(
      await ask({ customerId: theirs, apply: [{ documentId: invoice.id, amountAgorot: 1 }] }, stranger),
    ).toEqual([['apply', 'fields.ref']])
    expect(await owes(shop, customerId)).toBe(11_800)
  })
})

describe('refunds', () => {
  test('money on account goes back by a receipt with the sum turned, and no more of it than there is', async () => {
    const { id: customerId } = await shop.customer('מקדמה')
    const receipt = await shop.call(createDocument, {
      type: 6,
      customerId,
      payments: [{ means: 3, amountAgorot: 10_000 }],
    })
    const bank = await accountBalance(shop, '1010')
    const back = await shop.call(calls.refundMoney, { documentId: receipt.id, amountAgorot: 4_000, means: 3 })
    expect(bank - (await accountBalance(shop, '1010'))).toBe(4_000)
    expect(await shop.call(getDocument, { id: back.id })).toMatchObject({
      status: 'closed',
      type: 6,
      totals: { totalAgorot: -4_000 },
    })
    expect(await owes(shop, customerId)).toBe(-6_000)
    await expect(
      shop.call(calls.refundMoney, { documentId: receipt.id, amountAgorot: 6_001, means: 3 }),
    ).rejects.toMatchObject({
      errors: [{ code: 'documents.closesTooMuch' }],
    })
    const invoice = await shop.invoice(customerId, '1')
    await expect(
      shop.call(calls.refundMoney, { documentId: invoice.id, amountAgorot: 1, means: 3 }),
    ).rejects.toMatchObject({
      code: 'payments.nothingToRefund',
    })
  })
})

describe('lists', () => {
  test('show issued papers only, filter by means and state, and find a cheque by its number', async () => {
    const b = await newBusiness(world)
    const { id: customerId } = await b.customer('רשימה')
    await b.call(createDocument, { type: 6, customerId, payments: [cheque(1_000, '9001')], draft: true })
    const receipt = await b.call(createDocument, {
      type: 6,
      customerId,
      payments: [cheque(2_000, '9002'), { means: 3, amountAgorot: 500 }],
    })
    const sums = async (query: string) =>
      (await b.get(`/api4/invoice/payments?${query}`)).rows
        .map((r: { sumAgorot: number }) => r.sumAgorot)
        .toSorted()
    expect(await sums('')).toEqual([2_000, 500])
    expect(await sums('means=cheque')).toEqual([2_000])
    expect(await sums('q=9002')).toEqual([2_000])
    expect(await sums('state=received&sumAgorot.gte=600')).toEqual([2_000])
    await b.send('POST', `/api4/invoice/documents/${receipt.id}/cancel`, { reason: 'x' })
    expect(await sums('state=cancelled')).toEqual([2_000, 500])
    expect(await b.call(calls.moneyInHand, {})).toMatchObject({ cheques: [] })
    expect((await b.get('/api4/invoice/reports/checks')).rows).toEqual([])
    const report = await b.get('/api4/invoice/reports/payments?from=2026-01-01&to=2026-12-31')
    expect(report.totals.sumAgorot).toBe(0)
  })

  test('of both reports the first rows come with what all come to, and a customer’s are those of whoever became him', async () => {
    const b = await newBusiness(world)
    const { id: keep } = await b.customer('נשאר')
    const { id: gone } = await b.customer('נבלע')
    const { id: other } = await b.customer('אחר')
    for (const [i, customerId] of [keep, gone, other].entries())
      await b.call(createDocument, {
        type: 6,
        customerId,
        payments: [cheque(1_000, `${i + 1}`), cheque(2_000, `${i + 11}`)],
      })
    await b.send('POST', '/api4/invoice/customers/merge', { keepId: keep, ids: [gone] })
    for (const asked of ['payments?from=2026-01-01&to=2026-12-31', 'checks?state=received']) {
      const his = await b.get(`/api4/invoice/reports/${asked}&customer=${keep}`)
      expect(his.rows.map((row: { sumAgorot: number }) => row.sumAgorot).toSorted()).toEqual([
        1_000, 1_000, 2_000, 2_000,
      ])
      const first = await b.get(`/api4/invoice/reports/${asked}&customer=${keep}&first=3`)
      expect(first).toMatchObject({ rows: his.rows.slice(0, 3), cut: 3, of: 4, totals: { sumAgorot: 6_000 } })
    }
  })
})

describe('a person from whom sums are hidden', () => {
  test('brings cheques to the bank and lets money close debts by choosing them; no cash, whose sum would be told by trying', async () => {
    const b = await newBusiness(world)
    const { id: customerId } = await b.customer('נסתר')
    const debts = [
      await b.invoice(customerId, '100'),
      await b.invoice(customerId, '100'),
      await b.invoice(customerId, '100'),
    ]
    const receipt = await b.call(createDocument, {
      type: 6,
      customerId,
      payments: [cheque(15_000, '1'), { means: 1, amountAgorot: 1_000 }],
    })
    const me = await b.get('/api/user/session')
    const hide = (hides: boolean) =>
      asSystem(world.app.db, (tx) =>
        sql`update memberships set hide_total_prices = ${hides} where company_id = ${me.companyId}`.execute(
          tx,
        ),
      )
    await hide(true)
    const hand = await b.call(calls.moneyInHand, {})
    expect([hand.cashAgorot, hand.cheques.map((c) => c.sumAgorot)]).toEqual([null, [null]])
    for (const cashAgorot of [1, 1_000, 1_001])
      await expect(
        b.call(calls.createDeposit, { payments: [hand.cheques[0]!.id], cashAgorot }),
      ).rejects.toMatchObject({
        errors: [{ path: 'cashAgorot', code: 'payments.sumsHidden' }],
      })
    await b.call(calls.createDeposit, { payments: [hand.cheques[0]!.id] })
    // 160 of money for debts of 118 each: one is closed, one in part, and then there is none.
    for (const { id } of debts.slice(0, 2)) await b.call(settleDocument, { id: receipt.id, documentId: id })
    await expect(b.call(settleDocument, { id: receipt.id, documentId: debts[2]!.id })).rejects.toMatchObject({
      code: 'documents.nothingToClose',
    })
    await hide(false)
    const open = await Promise.all(
      debts.map(async ({ id }) => (await b.call(getDocument, { id })).totals.openAgorot),
    )
    expect(open).toEqual([0, 7_600, 11_800])
    expect(await owes(b, customerId)).toBe(19_400)
    expect(await accountBalance(b, '1010')).toBe(15_000)
  })
})

test('only a cheque that lies in the drawer goes back to who gave it', async () => {
  const b = await newBusiness(world)
  const { id: customerId } = await b.customer('העברה')
  await b.call(createDocument, { type: 6, customerId, payments: [{ means: 3, amountAgorot: 1_000 }] })
  const [{ id }] = (await b.get('/api4/invoice/payments?size=10')).rows
  await expect(b.call(calls.giveBackPayment, { id, reason: 'x' })).rejects.toMatchObject({
    status: 409,
    code: 'payments.cannotGiveBack',
  })
})
