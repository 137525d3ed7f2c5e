import { spawnSync } from 'node:child_process'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem } from '#kit/server/data/db.ts'
import { refusedByDatabase } from '../../../../tests/nets.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import * as calls from './endpoints.ts'

let world: World
let plumber: Business
beforeAll(async () => {
  world = await startWorld()
  plumber = await newBusiness(world)
})
afterAll(() => world.close())

const line = (description: string, quantity: string, unitPrice: string, more: object = {}) => ({
  description,
  quantity,
  unitPrice,
  ...more,
})
const cash = (amountAgorot: number) => ({ means: 1, amountAgorot })
const transfer = (amountAgorot: number) => ({ means: 3, amountAgorot })

/** What each account of a document got, debit positive. */
const booked = async (b: Business, id: string) => {
  const { rows } = await b.call(calls.entriesOfDocument, { id })
  return rows.map((r) => [r.number, r.debitAgorot - r.creditAgorot])
}
const balanceOf = async (b: Business, customerId: string): Promise<number> =>
  (await b.get(`/api4/invoice/customers/${customerId}`)).balanceAgorot
const one = (b: Business, id: string) => b.call(calls.getDocument, { id })

/** The law of every life: what a customer owes is the sum of the customer's open items. */
async function inAgreement(b: Business, customerId: string): Promise<number> {
  const { rows } = await b.call(calls.openItems, { customerId })
  const open = rows.reduce((sum, r) => sum + r.openAgorot, 0)
  expect(await balanceOf(b, customerId)).toBe(open)
  return open
}

describe('receipts', () => {
  test('a mix of means closes two invoices and leaves the rest on account, which is used later', async () => {
    const { id: customerId } = await plumber.customer('מיקס אמצעים')
    const first = await plumber.invoice(customerId, '1000')
    const second = await plumber.invoice(customerId, '500')
    const receipt = await plumber.call(calls.createDocument, {
      type: 6,
      customerId,
      payments: [
        transfer(100_000),
        {
          means: 2,
          amountAgorot: 80_000,
          bank: '12',
          branch: '600',
          account: '123456',
          number: '5001',
          dueDate: '2027-03-01',
        },
        { means: 7, amountAgorot: 20_000 },
      ],
      closes: [
        { documentId: first.id, amountAgorot: 118_000 },
        { documentId: second.id, amountAgorot: 30_000 },
      ],
    })
    expect(receipt).toMatchObject({
      status: 'partlyClosed',
      totals: { totalAgorot: 200_000, openAgorot: -52_000, vatAgorot: 0 },
    })
    expect(receipt.payments.map((p) => [p.means, p.amountAgorot, p.number])).toEqual([
      [3, 100_000, ''],
      [2, 80_000, '5001'],
      [7, 20_000, ''],
    ])
    expect(await booked(plumber, receipt.id)).toEqual([
      ['1010', 100_000],
      ['1020', 80_000],
      ['1300', 20_000],
      ['1100', -200_000],
    ])
    expect(await one(plumber, first.id)).toMatchObject({ status: 'closed', totals: { openAgorot: 0 } })
    expect(await one(plumber, second.id)).toMatchObject({
      status: 'partlyClosed',
      totals: { openAgorot: 29_000 },
    })
    await plumber.call(calls.settleDocument, { id: receipt.id, documentId: second.id, amountAgorot: 29_000 })
    expect(await one(plumber, second.id)).toMatchObject({ status: 'closed' })
    expect(await inAgreement(plumber, customerId)).toBe(-23_000)
    await expect(
      plumber.call(calls.settleDocument, { id: receipt.id, documentId: second.id, amountAgorot: 1 }),
    ).rejects.toMatchObject({
      errors: [{ path: 'closes', code: 'documents.closesTooMuch' }],
    })
  })

  test('more than is open is refused, and so is a receipt without money', async () => {
    const { id: customerId } = await plumber.customer('יותר מדי')
    const invoice = await plumber.invoice(customerId, '100')
    await expect(
      plumber.call(calls.createDocument, {
        type: 6,
        customerId,
        payments: [cash(20_000)],
        closes: [{ documentId: invoice.id, amountAgorot: 11_801 }],
      }),
    ).rejects.toMatchObject({ errors: [{ path: 'closes', code: 'documents.closesTooMuch' }] })
    await expect(plumber.call(calls.createDocument, { type: 6, customerId })).rejects.toMatchObject({
      errors: [{ path: 'payments', code: 'documents.noPayments' }],
    })
    expect(await inAgreement(plumber, customerId)).toBe(11_800)
  })

  test('a request is answered by money of its own customer, in its currency, and by no more than came', async () => {
    const maya = await newBusiness(world, { kind: 'exemptDealer' })
    const { id: customerId } = await maya.customer('משיבה')
    const { id: stranger } = await maya.customer('אחרת')
    const request = await maya.call(calls.createDocument, {
      type: 5,
      customerId,
      lines: [line('שיעור', '4', '160')],
    })
    const dollars = await maya.call(calls.createDocument, {
      type: 5,
      customerId,
      currency: 'USD',
      rate: '3.5',
      lines: [line('lesson', '1', '100')],
    })
    const answer = (amountAgorot: number, more: object = {}, of = request.id) =>
      maya.call(calls.createDocument, {
        type: 6,
        customerId,
        payments: [cash(40_000)],
        closes: [{ documentId: of, amountAgorot }],
        ...more,
      })
    for (const [attempt, refused] of [
      [() => answer(40_000, { customerId: stranger }), 'fields.ref'],
      [() => answer(5_000, {}, dollars.id), 'fields.ref'],
      [() => answer(5_000, { type: 1, payments: [], lines: [line('הצעה', '1', '100')] }), 'fields.ref'],
      [() => answer(40_001), 'documents.closesAboveReceived'],
    ] as const)
      await expect(attempt()).rejects.toMatchObject({ errors: [{ path: 'closes', code: refused }] })
    expect(await one(maya, request.id)).toMatchObject({ status: 'issued', totals: { askedAgorot: 64_000 } })
  })

  test('a customer written into a paper is held to what the register asks of him', async () => {
    const issue = (customer: object) =>
      plumber.call(calls.createDocument, {
        type: 8,
        customer: { name: 'נרשם בנייר', ...customer },
        lines: [line('x', '1', '10')],
      })
    for (const [customer, path, code] of [
      [{ taxId: '123456789' }, 'customer.taxId', 'fields.taxId'],
      [{ email: 'foo' }, 'customer.email', 'fields.email'],
      [{ phone: '1' }, 'customer.phone', 'fields.phone'],
    ] as const)
      await expect(issue(customer)).rejects.toMatchObject({ errors: [{ path, code }] })
    expect(await issue({ taxId: '51-4444447', email: '', phone: '' })).toMatchObject({
      customer: { taxId: '514444447' },
    })
  })

  test('a receipt that gives money back says why, on the screen and on its paper; one that turns another round names it', async () => {
    const { id: customerId } = await plumber.customer('מקבל חזרה')
    const given = { type: 6, customerId, payments: [cash(-5_000)] }
    const silent = { errors: [{ path: 'reason', code: 'documents.givesBackReason' }] }
    await expect(plumber.call(calls.createDocument, given)).rejects.toMatchObject(silent)
    await expect(plumber.call(calls.createDocument, { ...given, reason: '  ' })).rejects.toMatchObject(silent)
    // As a draft it may wait for its reason.
    const draft = await plumber.call(calls.createDocument, { ...given, draft: true })
    await expect(plumber.call(calls.issueDocument, { id: draft.id })).rejects.toMatchObject(silent)
    const issued = await plumber.call(calls.createDocument, { ...given, reason: 'שולם פעמיים' })
    expect(issued).toMatchObject({ reason: 'שולם פעמיים', totals: { totalAgorot: -5_000 } })
    const paper = spawnSync('pdftotext', ['-', '-'], {
      input: (await plumber.call(calls.pdfOfDocument, {
        id: issued.id,
        variant: 'original',
      })) as unknown as Uint8Array,
      encoding: 'utf8',
    }).stdout
    expect(paper).toContain('שולם פעמיים')
    const received = await plumber.call(calls.createDocument, {
      type: 6,
      customerId,
      payments: [cash(7_000)],
    })
    await plumber.call(calls.cancelDocument, { id: received.id, reason: 'טעות' })
  })

  test('cash above what the law allows for the deal is refused, also when it comes in parts', async () => {
    const { id: customerId } = await plumber.customer('מזומן')
    const invoice = await plumber.invoice(customerId, '10000')
    const pay = (amountAgorot: number) =>
      plumber.call(calls.createDocument, {
        type: 6,
        customerId,
        payments: [cash(amountAgorot)],
        closes: [{ documentId: invoice.id, amountAgorot }],
      })
    // A tenth of 11,800: above the ceiling of 6,000 the lower of the two counts.
    await expect(pay(118_001)).rejects.toMatchObject({
      errors: [{ path: 'payments', code: 'payments.cashAboveLimit' }],
    })
    await pay(100_000)
    await expect(pay(18_001)).rejects.toMatchObject({ errors: [{ code: 'payments.cashAboveLimit' }] })
    await pay(18_000)
  })

  test('reversing a receipt opens what it closed and turns its money round', async () => {
    const { id: customerId } = await plumber.customer('ביטול קבלה')
    const invoice = await plumber.invoice(customerId, '1000')
    const receipt = await plumber.call(calls.createDocument, {
      type: 6,
      customerId,
      payments: [transfer(118_000)],
      closes: [{ documentId: invoice.id, amountAgorot: 118_000 }],
    })
    const back = await plumber.call(calls.cancelDocument, { id: receipt.id, reason: 'לקוח אחר' })
    expect(back).toMatchObject({
      type: 6,
      number: receipt.number! + 1,
      status: 'closed',
      totals: { totalAgorot: -118_000, openAgorot: 0 },
    })
    expect(await booked(plumber, back.id)).toEqual([
      ['1010', -118_000],
      ['1100', 118_000],
    ])
    expect(await one(plumber, receipt.id)).toMatchObject({
      status: 'cancelled',
      totals: { openAgorot: 0 },
      cancelledBy: { id: back.id },
    })
    expect(await one(plumber, invoice.id)).toMatchObject({
      status: 'issued',
      totals: { openAgorot: 118_000 },
    })
    expect(await inAgreement(plumber, customerId)).toBe(118_000)
  })

  test('an invoice in dollars paid at another rate leaves its difference in the books', async () => {
    const { id: customerId } = await plumber.customer('Pacific', { zeroRate: true })
    const invoice = await plumber.call(calls.createDocument, {
      type: 8,
      customerId,
      currency: 'USD',
      rate: '3.5',
      lines: [line('Service', '1', '100')],
    })
    const receipt = await plumber.call(calls.createDocument, {
      type: 6,
      customerId,
      currency: 'USD',
      rate: '3.6',
      payments: [transfer(10_000)],
      closes: [{ documentId: invoice.id, amountAgorot: 10_000 }],
    })
    expect(receipt).toMatchObject({ status: 'closed', totals: { openAgorot: 0 } })
    expect((await booked(plumber, invoice.id)).slice(2)).toEqual([
      ['1100', 1_000],
      ['8910', -1_000],
    ])
    expect(await inAgreement(plumber, customerId)).toBe(0)
  })
})

describe('an invoice with receipt', () => {
  test('is paid as it is written; its payments must come to its total', async () => {
    const { id: customerId } = await plumber.customer('מזדמן')
    const paper = { type: 9, customerId, lines: [line('תיקון', '1', '100')] }
    await expect(
      plumber.call(calls.createDocument, { ...paper, payments: [cash(11_700)] }),
    ).rejects.toMatchObject({
      errors: [{ path: 'payments', code: 'documents.paymentsDiffer' }],
    })
    const made = await plumber.call(calls.createDocument, { ...paper, payments: [cash(11_800)] })
    expect(made).toMatchObject({ status: 'closed', totals: { openAgorot: 0, vatAgorot: 1_800 } })
    expect(await booked(plumber, made.id)).toEqual([
      ['1100', 11_800],
      ['4000', -10_000],
      ['2100', -1_800],
      ['1000', 11_800],
      ['1100', -11_800],
    ])
    const credit = await plumber.call(calls.cancelDocument, { id: made.id, reason: 'הוחזר' })
    expect(credit).toMatchObject({ type: 10, status: 'closed', totals: { openAgorot: 0 } })
    expect(await inAgreement(plumber, customerId)).toBe(0)
    const trial = await plumber.get('/api4/invoice/reports/trialBalance?from=2020-01-01&to=2099-12-31')
    expect(trial.totals.debitAgorot).toBe(trial.totals.creditAgorot)
  })
})

describe('where no VAT is charged', () => {
  test('the receipt of an exempt dealer is the income and owes nothing', async () => {
    const maya = await newBusiness(world, { kind: 'exemptDealer' })
    const { id: customerId } = await maya.customer('משפחת ברק')
    const request = await maya.call(calls.createDocument, {
      type: 5,
      customerId,
      lines: [line('שיעור', '4', '160')],
    })
    expect(request).toMatchObject({
      status: 'issued',
      totals: { totalAgorot: 64_000, openAgorot: 0, askedAgorot: 64_000 },
    })
    const receipt = await maya.call(calls.createDocument, {
      type: 6,
      customerId,
      payments: [{ means: 5, amountAgorot: 40_000 }],
      closes: [{ documentId: request.id, amountAgorot: 40_000 }],
    })
    expect(receipt).toMatchObject({ status: 'closed', totals: { openAgorot: 0, netExemptAgorot: 40_000 } })
    expect(await booked(maya, receipt.id)).toEqual([
      ['1100', 40_000],
      ['4000', -40_000],
      ['1010', 40_000],
      ['1100', -40_000],
    ])
    expect(await one(maya, request.id)).toMatchObject({
      status: 'partlyClosed',
      totals: { askedAgorot: 24_000 },
    })
    await maya.call(calls.cancelDocument, { id: receipt.id, reason: 'טעות' })
    expect(await one(maya, request.id)).toMatchObject({ status: 'issued', totals: { askedAgorot: 64_000 } })
    expect(await booked(maya, (await one(maya, receipt.id)).cancelledBy!.id)).toEqual([
      ['1100', -40_000],
      ['4000', 40_000],
      ['1010', -40_000],
      ['1100', 40_000],
    ])
    expect(await balanceOf(maya, customerId)).toBe(0)
  })

  test('a donation is income of its own kind; a deposit is nobody’s income', async () => {
    const society = await newBusiness(world, { kind: 'nonProfit' })
    const { id: customerId } = await society.customer('תורם')
    const donation = await society.call(calls.createDocument, {
      type: 11,
      customerId,
      payments: [transfer(50_000)],
    })
    expect((await booked(society, donation.id)).slice(0, 2)).toEqual([
      ['1100', 50_000],
      ['4050', -50_000],
    ])
    const exempt = await newBusiness(world, { kind: 'exemptDealer' })
    const { id: stranger } = await exempt.customer('תורם')
    await expect(
      exempt.call(calls.createDocument, { type: 11, customerId: stranger, payments: [cash(1)] }),
    ).rejects.toMatchObject({
      code: 'documents.kindMayNotIssue',
    })
    const deposit = await society.call(calls.createDocument, {
      type: 14,
      customerId,
      payments: [cash(30_000)],
    })
    expect(await booked(society, deposit.id)).toEqual([
      ['1000', 30_000],
      ['2310', -30_000],
    ])
    await society.call(calls.cancelDocument, { id: deposit.id, reason: 'הוחזר' })
    expect(await balanceOf(society, customerId)).toBe(0)
  })
})

describe('becoming the next paper', () => {
  test('documents are not joined where a part of a line is worth less than its share of the discount', async () => {
    const { id: customerId } = await plumber.customer('אגורות')
    // Ten at 1.4 agorot are 14, all of which the discount takes; one of the last two is worth 1 and has 2 of it.
    const order = await plumber.call(calls.createDocument, {
      type: 2,
      customerId,
      lines: [line('בורג', '10', '0.014'), line('עבודה', '1', '100')],
      discount: { agorot: 10_013 },
    })
    const exempt = await plumber.call(calls.createDocument, {
      type: 2,
      customerId,
      lines: [line('אגרה', '1', '50', { vatKind: 4 })],
    })
    const part = (quantity: string) => ({ id: order.id, type: 3, lines: [{ line: 1, quantity }] })
    const first = await plumber.call(calls.convertDocument, part('8'))
    await plumber.call(calls.issueDocument, { id: first.id })
    await expect(
      plumber.call(calls.convertDocument, { ...part('1'), with: [exempt.id] }),
    ).rejects.toMatchObject({ status: 422, code: 'documents.discountsApart' })
    // Each one separately becomes the next document.
    for (const next of [part('1'), { id: exempt.id, type: 3 }])
      expect((await plumber.call(calls.convertDocument, next)).status).toBe('draft')
  })

  test('quote, order, two partial deliveries, one invoice of both', async () => {
    const { id: customerId } = await plumber.customer('שרשרת')
    const quote = await plumber.call(calls.createDocument, {
      type: 1,
      customerId,
      validUntil: '2027-01-01',
      lines: [line('צינור', '10', '50'), line('עבודה', '3', '200')],
      discount: { basisPoints: 1000 },
    })
    const next = async (id: string, type: number, more: object = {}) =>
      plumber.call(calls.issueDocument, {
        id: (await plumber.call(calls.convertDocument, { id, type, ...more })).id,
      })
    const order = await next(quote.id, 2)
    expect(await one(plumber, quote.id)).toMatchObject({ status: 'closed' })
    const first = await next(order.id, 3, { lines: [{ line: 1, quantity: '4' }] })
    expect(await one(plumber, order.id)).toMatchObject({
      status: 'partlyClosed',
      lines: [{ left: '6' }, { left: '3' }],
    })
    await expect(
      plumber.call(calls.convertDocument, { id: order.id, type: 3, lines: [{ line: 1, quantity: '7' }] }),
    ).rejects.toMatchObject({
      errors: [{ code: 'documents.takesTooMuch' }],
    })
    // Two drafts of the same rest: only one of them can be issued.
    const [rest, twin] = [
      await plumber.call(calls.convertDocument, { id: order.id, type: 3 }),
      await plumber.call(calls.convertDocument, { id: order.id, type: 3 }),
    ]
    const second = await plumber.call(calls.issueDocument, { id: rest.id })
    await expect(plumber.call(calls.issueDocument, { id: twin.id })).rejects.toMatchObject({
      errors: [{ path: 'lines', code: 'documents.takesTooMuch' }],
    })
    expect(await one(plumber, order.id)).toMatchObject({ status: 'closed' })
    const invoice = await plumber.call(calls.issueDocument, {
      id: (await plumber.call(calls.convertDocument, { id: first.id, type: 8, with: [second.id] })).id,
    })
    expect(invoice.lines.map((l) => [l.description, l.quantity])).toEqual([
      ['צינור', '4'],
      ['צינור', '6'],
      ['עבודה', '3'],
    ])
    expect(invoice.totals.netTaxableAgorot).toBe(99_000)
    expect(await inAgreement(plumber, customerId)).toBe(invoice.totals.totalAgorot)
    await expect(plumber.call(calls.cancelDocument, { id: order.id, reason: 'x' })).rejects.toMatchObject({
      code: 'documents.cannotCancel',
    })
  })

  test('only an invoice that was issued and not cancelled is credited', async () => {
    const { id: customerId } = await plumber.customer('זיכוי')
    const lines = [{ description: 'צינור', quantity: '1', unitPrice: '100' }]
    const make = (type: number, more: object = {}) =>
      plumber.call(calls.createDocument, { type, customerId, lines, ...more } as never)
    const credit = (id: string) => plumber.call(calls.creditDocument, { id, reason: 'החזר' })
    // What charges nothing, and a receipt.
    for (const type of [1, 2, 3, 5])
      await expect(make(type).then(({ id }) => credit(id))).rejects.toMatchObject({
        code: 'documents.cannotCancel',
      })
    const receipt = await make(6, { lines: [], payments: [{ means: 1, amountAgorot: 10_000 }] })
    await expect(credit(receipt.id)).rejects.toMatchObject({ code: 'documents.cannotCancel' })
    const draft = await make(8, { draft: true })
    await expect(credit(draft.id)).rejects.toMatchObject({ code: 'documents.stillDraft' })
    const invoice = await make(8)
    await plumber.call(calls.cancelDocument, { id: invoice.id, reason: 'טעות' })
    await expect(credit(invoice.id)).rejects.toMatchObject({ code: 'documents.alreadyCancelled' })
    expect((await one(plumber, receipt.id)).totals.totalAgorot).toBe(10_000)
  })

  test('a cancelled delivery gives its goods back to the order', async () => {
    const { id: customerId } = await plumber.customer('חזרה')
    const order = await plumber.call(calls.createDocument, {
      type: 2,
      customerId,
      lines: [line('מדף', '2', '80')],
    })
    const { id } = await plumber.call(calls.convertDocument, { id: order.id, type: 3 })
    await plumber.call(calls.issueDocument, { id })
    expect(await one(plumber, order.id)).toMatchObject({ status: 'closed' })
    expect(await plumber.call(calls.cancelDocument, { id, reason: 'לא נמסר' })).toMatchObject({
      id,
      status: 'cancelled',
      reason: 'לא נמסר',
    })
    expect(await one(plumber, order.id)).toMatchObject({ status: 'issued', lines: [{ left: '2' }] })
  })

  test('an open invoice becomes a receipt of what is open', async () => {
    const { id: customerId } = await plumber.customer('קבלה מחשבונית')
    const invoice = await plumber.invoice(customerId, '100')
    const draft = await plumber.call(calls.convertDocument, { id: invoice.id, type: 6 })
    expect(draft).toMatchObject({ type: 6, status: 'draft', customerId })
    await plumber.call(calls.changeDocument, {
      id: draft.id,
      type: 6,
      customerId,
      payments: [transfer(11_800)],
      closes: [{ documentId: invoice.id, amountAgorot: 11_800 }],
    })
    await plumber.call(calls.issueDocument, { id: draft.id })
    expect(await one(plumber, invoice.id)).toMatchObject({ status: 'closed' })
  })
})

describe('crediting a part', () => {
  test('by line and quantity, to the last agora, and never above', async () => {
    const { id: customerId } = await plumber.customer('זיכויים')
    const invoice = await plumber.call(calls.createDocument, {
      type: 8,
      customerId,
      lines: [line('בורג', '3', '3.33'), line('אום', '3', '0.07', { vatKind: 4 })],
      discount: { agorot: 50 },
    })
    const parts = []
    for (let i = 0; i < 3; i++)
      parts.push(
        await plumber.call(calls.creditDocument, {
          id: invoice.id,
          reason: 'החזרה',
          lines: [
            { line: 1, quantity: '1' },
            { line: 2, quantity: '1' },
          ],
        }),
      )
    expect(parts.reduce((sum, p) => sum + p.totals.totalAgorot, 0)).toBe(invoice.totals.totalAgorot)
    expect(await one(plumber, invoice.id)).toMatchObject({
      status: 'closed',
      totals: { openAgorot: 0, creditedAgorot: invoice.totals.totalAgorot },
    })
    expect(await inAgreement(plumber, customerId)).toBe(0)
    await expect(
      plumber.call(calls.creditDocument, { id: invoice.id, reason: 'עוד', agorot: 1 }),
    ).rejects.toMatchObject({
      errors: [{ code: 'documents.creditsTooMuch' }],
    })
  })

  test('takes of what was at zero rate no more than the invoice has', async () => {
    const { id: customerId } = await plumber.customer('Pacific', { zeroRate: true })
    const invoice = await plumber.call(calls.createDocument, {
      type: 8,
      customerId,
      lines: [line('עבודה', '1', '100'), line('אגרה', '1', '50', { vatKind: 4 })],
    })
    await expect(
      plumber.call(calls.createDocument, {
        type: 10,
        customerId,
        sourceId: invoice.id,
        reason: 'תיקון',
        lines: [line('הנחה', '1', '120')] as never,
      }),
    ).rejects.toMatchObject({ errors: [{ path: 'lines', code: 'documents.creditsTooMuchOf.zero' }] })
  })

  test('with lines of its own takes of each class of VAT no more than the invoice has', async () => {
    const { id: customerId } = await plumber.customer('שני סוגים')
    const invoice = await plumber.call(calls.createDocument, {
      type: 8,
      customerId,
      lines: [line('עבודה', '1', '100'), line('אגרה', '1', '50', { vatKind: 4 })],
    })
    const credit = (lines: object[]) =>
      plumber.call(calls.createDocument, {
        type: 10,
        customerId,
        sourceId: invoice.id,
        reason: 'תיקון',
        lines: lines as never,
      })
    // The sum is there each time, but not free of VAT.
    for (const lines of [
      [line('הנחה', '1', '118', { vatKind: 4 })],
      [line('הנחה', '1', '30'), line('עוד', '1', '51', { vatKind: 4 })],
    ])
      await expect(credit(lines)).rejects.toMatchObject({
        errors: [{ path: 'lines', code: 'documents.creditsTooMuchOf.exempt' }],
      })
    await expect(credit([line('הנחה', '1', '120')])).rejects.toMatchObject({
      errors: [{ path: 'lines', code: 'documents.creditsTooMuchOf.standard' }],
    })
    await expect(credit([line('הנחה', '1', '200')])).rejects.toMatchObject({
      errors: [{ code: 'documents.creditsTooMuch' }],
    })
    expect(
      (await credit([line('הנחה', '1', '60'), line('אגרה', '1', '50', { vatKind: 4 })])).totals.totalAgorot,
    ).toBe(12_080)
    await expect(credit([line('הנחה', '1', '1', { vatKind: 4 })])).rejects.toMatchObject({
      errors: [{ code: 'documents.creditsTooMuchOf.exempt' }],
    })
    // Nothing of what was refused left a trace.
    expect(await one(plumber, invoice.id)).toMatchObject({
      totals: { creditedAgorot: 12_080, openAgorot: 4_720 },
    })
    expect(await inAgreement(plumber, customerId)).toBe(4_720)
    // What another program credited is kept as it was, for a reason that stays in the log; the total holds
    // all the same.
    const brought = (agorot: string) => ({
      type: 10,
      customerId,
      sourceId: invoice.id,
      reason: 'תיקון',
      classException: 'כך זוכה בתוכנה הקודמת',
      lines: [line('אגרה', '1', agorot, { vatKind: 4 })],
    })
    await expect(plumber.call(calls.createDocument, brought('47.21'))).rejects.toMatchObject({
      errors: [{ code: 'documents.creditsTooMuch' }],
    })
    const { id } = await plumber.call(calls.createDocument, brought('47.20'))
    expect(await inAgreement(plumber, customerId)).toBe(0)
    const { rows } = await plumber.get(`/api4/invoice/audit?entity=documents&entityId=${id}`)
    expect(JSON.stringify(rows)).toContain('כך זוכה בתוכנה הקודמת')
  })

  test('all of an invoice that was rounded to whole shekels', async () => {
    const { id: customerId } = await plumber.customer('מעוגל')
    const invoice = await plumber.call(calls.createDocument, {
      type: 8,
      customerId,
      rounding: 'whole',
      lines: [line('עבודה', '1', '10.3')],
    })
    expect(invoice.totals).toMatchObject({ totalAgorot: 1_200, roundingAgorot: -15 })
    const credit = await plumber.call(calls.creditDocument, { id: invoice.id, reason: 'החזרה' })
    expect(credit.totals).toMatchObject({ totalAgorot: 1_200, vatAgorot: 185 })
    expect(await inAgreement(plumber, customerId)).toBe(0)
  })

  test('by a sum, split over what carries VAT and what does not; a paid invoice leaves it to the customer’s credit', async () => {
    const { id: customerId } = await plumber.customer('סכום')
    const invoice = await plumber.call(calls.createDocument, {
      type: 8,
      customerId,
      lines: [line('עבודה', '1', '1000'), line('אגרה', '1', '1180', { vatKind: 4 })],
    })
    await plumber.call(calls.createDocument, {
      type: 6,
      customerId,
      payments: [transfer(236_000)],
      closes: [{ documentId: invoice.id, amountAgorot: 236_000 }],
    })
    const credit = await plumber.call(calls.creditDocument, {
      id: invoice.id,
      reason: 'הנחה',
      agorot: 23600,
    })
    expect(credit.totals).toMatchObject({
      totalAgorot: 23600,
      netTaxableAgorot: 10_000,
      vatAgorot: 1_800,
      netExemptAgorot: 11_800,
      openAgorot: -23600,
    })
    expect(await inAgreement(plumber, customerId)).toBe(-23_600)
  })

  test('a credit of last year’s invoice takes last year’s rate', async () => {
    const then = await startWorld(() => new Date('2024-12-20T10:00:00Z'))
    const owner = await newBusiness(then)
    const { id: customerId } = await owner.customer('ישן')
    const invoice = await owner.invoice(customerId, '100')
    expect(invoice.vatRateBp).toBe(1700)
    await then.close()
    const now = await owner.customer('חדש').catch(() => undefined)
    expect(now).toBeUndefined()
    const answer = await world.http.inject({
      method: 'POST',
      url: `/api4/invoice/documents/${invoice.id}/credit`,
      headers: { 'x-access-token': owner.token },
      payload: { reason: 'הנחה', lines: [{ line: 1, agorot: 1_170 }] },
    })
    expect(answer.json()).toMatchObject({ vatRateBp: 1700, totals: { vatAgorot: 170, totalAgorot: 1_170 } })
  })
})

test('a credit and a receipt of a paper book have its numbers and close what they name', async () => {
  const own = await newBusiness(world)
  const { id: customerId } = await own.customer('פנקס זיכויים')
  const invoice = await own.invoice(customerId, '1000', { date: '2026-01-10' })
  const given = { id: invoice.id, reason: 'הנחה', date: '2026-01-12', agorot: 23_600, handNumber: 88 }
  const credit = await own.call(calls.creditDocument, given)
  expect(credit).toMatchObject({
    type: 10,
    number: 88,
    byHand: true,
    date: '2026-01-12',
    totals: { vatAgorot: 3_600, totalAgorot: 23_600 },
  })
  await expect(own.call(calls.creditDocument, given)).rejects.toMatchObject({
    errors: [{ path: 'handNumber', code: 'documents.handNumberTaken' }],
  })
  await expect(
    own.call(calls.creditDocument, { ...given, handNumber: 89, agorot: 94_401 }),
  ).rejects.toMatchObject({
    errors: [{ code: 'documents.creditsTooMuch' }],
  })
  const receipt = await own.call(calls.createDocument, {
    type: 6,
    customerId,
    date: '2026-01-15',
    handNumber: 31,
    payments: [
      {
        means: 2,
        amountAgorot: 50_000,
        number: '7001',
        bank: '12',
        branch: '600',
        account: '123456',
        dueDate: '2026-02-15',
      },
    ],
    closes: [{ documentId: invoice.id, amountAgorot: 50_000 }],
  })
  expect(receipt).toMatchObject({
    number: 31,
    byHand: true,
    payments: [{ number: '7001', bank: '12', dueDate: '2026-02-15' }],
  })
  const { rows } = await own.call(calls.openItems, { customerId })
  expect(rows.map((row) => [row.id, row.openInCurrencyAgorot])).toEqual([[invoice.id, 44_400]])
  expect((await own.get(`/api4/invoice/customers/${customerId}`)).balanceAgorot).toBe(44_400)
})

test('a credit of a paper book says how much of its sum is VAT', async () => {
  const own = await newBusiness(world)
  const { id: customerId } = await own.customer('פנקס מעורב')
  // 1,180.00 that bears VAT and 500.00 that does not.
  const invoice = await own.invoice(customerId, '1000', {
    date: '2026-01-10',
    lines: [line('עבודה', '1', '1000'), { ...line('אגרה', '1', '500'), vatKind: 4 }],
  })
  const given = { id: invoice.id, reason: 'הנחה', date: '2026-01-12' }
  const credit = (more: object) => own.call(calls.creditDocument, { ...given, ...more } as never)
  const sums = { netTaxableAgorot: 0, netExemptAgorot: 0, vatAgorot: 0, totalAgorot: 0 }
  expect((await credit({ agorot: 10_000, vatAgorot: 0, handNumber: 1 })).totals).toMatchObject({
    ...sums,
    netExemptAgorot: 10_000,
    totalAgorot: 10_000,
  })
  expect((await credit({ agorot: 11_800, vatAgorot: 1_800, handNumber: 2 })).totals).toMatchObject({
    ...sums,
    netTaxableAgorot: 10_000,
    vatAgorot: 1_800,
    totalAgorot: 11_800,
  })
  // The original document was rounded elsewhere: its agora of VAT is kept.
  expect((await credit({ agorot: 11_800, vatAgorot: 1_799, handNumber: 3 })).totals).toMatchObject({
    ...sums,
    netTaxableAgorot: 10_001,
    vatAgorot: 1_799,
    totalAgorot: 11_800,
  })
  expect((await credit({ agorot: 16_800, vatAgorot: 1_800, handNumber: 4 })).totals).toMatchObject({
    ...sums,
    netTaxableAgorot: 10_000,
    netExemptAgorot: 5_000,
    vatAgorot: 1_800,
    totalAgorot: 16_800,
  })
  const refusedFor = async (agorot: number, vatAgorot: number, code: string) =>
    expect(credit({ agorot, vatAgorot, handNumber: 9 })).rejects.toMatchObject({
      errors: [{ path: 'vatAgorot', code }],
    })
  await refusedFor(11_800, 1_802, 'documents.creditVatTooMuch')
  await refusedFor(35_006 + 11_800, 1_800, 'documents.creditsTooMuchOf.exempt')
  await refusedFor(100_000, 15_254, 'documents.creditsTooMuchOf.standard')
  // What is left, with its own VAT, is the rest to the agora; with another one it is not.
  await refusedFor(117_600, 10_000, 'documents.creditsTooMuchOf.exempt')
  expect((await credit({ agorot: 117_600, vatAgorot: 12_601, handNumber: 5 })).totals).toMatchObject({
    netExemptAgorot: 35_000,
    vatAgorot: 12_601,
    totalAgorot: 117_600,
  })
  expect((await own.get(`/api4/invoice/customers/${customerId}`)).balanceAgorot).toBe(0)
})

test('a credit is not dated before its invoice', async () => {
  const own = await newBusiness(world)
  const { id: customerId } = await own.customer('תאריך זיכוי')
  const invoice = await own.invoice(customerId, '100', { date: '2026-03-10' })
  await expect(
    own.call(calls.creditDocument, { id: invoice.id, reason: 'טעות', date: '2026-03-09' }),
  ).rejects.toMatchObject({
    errors: [{ path: 'date', code: 'documents.creditBeforeInvoice', params: { day: '2026-03-10' } }],
  })
})

test('papers written by hand keep their own numbers beside the running ones', async () => {
  const { id: customerId } = await plumber.customer('פנקס ידני')
  const byHand = {
    type: 8,
    customerId,
    date: '2026-01-05',
    handNumber: 712,
    lines: [line('עבודה', '1', '100')],
  }
  const made = await plumber.call(calls.createDocument, byHand)
  expect(made).toMatchObject({ number: 712, byHand: true, status: 'issued' })
  await expect(plumber.call(calls.createDocument, byHand)).rejects.toMatchObject({
    errors: [{ path: 'handNumber', code: 'documents.handNumberTaken' }],
  })
  const before = (await plumber.invoice(customerId, '1')).number!
  expect((await plumber.invoice(customerId, '1')).number).toBe(before + 1)
  const branch = await plumber.invoice(customerId, '1', { branch: 'חיפה' })
  expect(branch.number).toBe(1)
})

test('quotes stand on the board by their state, and orders apart from them; where sums are hidden none travels', async () => {
  const firm = await newBusiness(world)
  const { id: customerId } = await firm.customer('לוח הצעות')
  const quote = (more: object = {}) =>
    firm.call(calls.createDocument, { type: 1, customerId, lines: [line('הצעה', '1', '100')], ...more })
  const draft = await quote({ draft: true })
  const open = await quote()
  const ordered = await quote()
  const dropped = await quote()
  const order = await firm.call(calls.convertDocument, { id: ordered.id, type: 2 })
  await firm.call(calls.issueDocument, { id: order.id })
  await firm.call(calls.cancelDocument, { id: dropped.id, reason: 'הלקוח ויתר' })
  const board = async (type: 1 | 2) => {
    const { rows, columns } = await firm.call(calls.documentBoard, { type })
    return { states: Object.fromEntries(rows.map(({ id, state }) => [id, state])), columns, rows }
  }
  const { states, columns, rows } = await board(1)
  expect(states).toEqual({
    [draft.id]: 'draft',
    [open.id]: 'issued',
    [ordered.id]: 'closed',
    [dropped.id]: 'cancelled',
  })
  expect(columns.find(({ state }) => state === 'issued')).toEqual({
    state: 'issued',
    count: 1,
    sumAgorot: 11_800,
  })
  expect(rows.find(({ id }) => id === open.id)).toMatchObject({ customer: 'לוח הצעות', totalAgorot: 11_800 })
  expect((await board(2)).states).toEqual({ [order.id]: 'issued' })
  await expect(firm.get('/api4/invoice/documents/board?type=8')).rejects.toMatchObject({
    errors: [{ path: 'type', code: 'fields.choice' }],
  })

  const { companyId } = await firm.get('/api/user/session')
  await asSystem(world.app.db, (tx) =>
    sql`update memberships set hide_total_prices = true where company_id = ${companyId}`.execute(tx),
  )
  const hidden = await firm.get('/api4/invoice/documents/board?type=1')
  expect(hidden.rows.map((one: { totalAgorot: unknown }) => one.totalAgorot)).toEqual([
    null,
    null,
    null,
    null,
  ])
  expect(hidden.columns.every((one: { sumAgorot: unknown }) => one.sumAgorot === null)).toBe(true)
})

describe('what is refused', () => {
  test('money that comes and goes in one receipt', async () => {
    const { id: customerId } = await plumber.customer('מעורב')
    const receipt = (...payments: object[]) =>
      plumber.call(calls.createDocument, { type: 6, customerId, payments } as never)
    await expect(receipt(transfer(10_000), cash(-4_000))).rejects.toMatchObject({
      status: 422,
      errors: [{ path: 'payments', code: 'documents.paymentsMixed' }],
    })
    await receipt(transfer(10_000), cash(4_000))
  })

  test('an issued paper is never changed, by whatever statement', async () => {
    const { id: customerId } = await plumber.customer('קפוא')
    const { id } = await plumber.invoice(customerId, '100')
    expect(await refusedByDatabase(world, sql`update documents set total_agorot = 1 where id = ${id}`)).toBe(
      'documents.frozen',
    )
    expect(await refusedByDatabase(world, sql`update documents set viewed_at = now() where id = ${id}`)).toBe(
      'nothing',
    )
  })
})

test('a twin of a call that still runs is told so', async () => {
  const { id: customerId } = await plumber.customer('תאומים')
  const { id } = await plumber.call(calls.createDocument, {
    type: 8,
    customerId,
    lines: [line('x', '1', '1')],
    draft: true,
  })
  const issue = () => plumber.call(calls.issueDocument, { id }, { key: 'twins' })
  let first: Promise<unknown> | undefined
  await asSystem(world.app.db, async (tx) => {
    // The first waits for the document; the second, for the first.
    await sql`select 1 from documents where id = ${id} for update`.execute(tx)
    first = issue()
    await expect
      .poll(async () => {
        const { rows } = await world.app.db.pool.query(
          `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock'
            and datname = current_database()`,
        )
        return rows[0].n as number
      })
      .toBeGreaterThan(0)
    await expect(issue()).rejects.toMatchObject({ status: 409, code: 'kit.keyRunning' })
  })
  await first
})
