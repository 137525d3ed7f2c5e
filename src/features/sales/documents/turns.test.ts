import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { addDays } from '#domain/day.ts'
import { closePaper } from '#kit/server/paper/engine.ts'
import { documentTypeById, documentTypeNames, documentTypes } from '#domain/documents/kinds.ts'
import { usedBy } from '#domain/documents/following.ts'
import { correctDocument } from '#features/sales/corrections/endpoints.ts'
import * as calls from './endpoints.ts'

/*
 * Papers in the turns of their life that come late: credited after the customer changed, asked for and then
 * invoiced, taken by two kinds of papers.
 */

let world: World
let plumber: Business
beforeAll(async () => {
  world = await startWorld()
  plumber = await newBusiness(world)
})
afterAll(async () => {
  await closePaper()
  await world.close()
  rmSync(folder, { recursive: true })
})

const folder = mkdtempSync(join(tmpdir(), 'turns-'))
/** The text of a paper, without the marks of direction. */
function textOf(pdf: Uint8Array): string {
  writeFileSync(join(folder, 'paper.pdf'), pdf)
  return execFileSync('pdftotext', ['-layout', join(folder, 'paper.pdf'), '-'])
    .toString()
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
}

const line = (description: string, quantity: string, unitPrice: string, more: object = {}) => ({
  description,
  quantity,
  unitPrice,
  ...more,
})
const transfer = (amountAgorot: number) => ({ means: 3, amountAgorot })
const one = (id: string) => plumber.call(calls.getDocument, { id })
const make = (given: object) =>
  plumber.call(calls.createDocument, given as Parameters<typeof plumber.call<typeof calls.createDocument>>[1])
const convert = (id: string, type: number, more: object = {}) =>
  plumber.call(calls.convertDocument, { id, type, ...more })
const next = async (id: string, type: number, more: object = {}) =>
  plumber.call(calls.issueDocument, { id: (await convert(id, type, more)).id })
const cancel = (id: string) => plumber.call(calls.cancelDocument, { id, reason: 'טעות' })
const setZero = (id: string, zeroRate: boolean) =>
  plumber.send('PATCH', `/api4/invoice/customers/${id}`, { zeroRate })

async function balanceAgrees(customerId: string): Promise<number> {
  const { rows } = await plumber.call(calls.openItems, { customerId })
  const open = rows.reduce((sum, r) => sum + r.openAgorot, 0)
  expect((await plumber.get(`/api4/invoice/customers/${customerId}`)).balanceAgorot).toBe(open)
  return open
}

describe('a credit is taxed as its invoice', () => {
  test.each([
    ['taxed, then at zero rate', false, 118_000, 18_000],
    ['at zero rate, then taxed', true, 100_000, 0],
  ])('cancelled after the customer changed: %s', async (name, zeroRate, totalAgorot, vatAgorot) => {
    const { id: customerId } = await plumber.customer(name, { zeroRate })
    const invoice = await plumber.invoice(customerId, '1000')
    await setZero(customerId, !zeroRate)
    const credit = await cancel(invoice.id)
    expect(credit).toMatchObject({ type: 10, totals: { totalAgorot, vatAgorot } })
    expect(await one(invoice.id)).toMatchObject({ status: 'cancelled', totals: { openAgorot: 0 } })
    expect(await balanceAgrees(customerId)).toBe(0)
  })

  test('by a part, and by a correction', async () => {
    const { id: customerId } = await plumber.customer('תיקון אחרי שינוי')
    const [first, second] = [
      await plumber.invoice(customerId, '1000'),
      await plumber.invoice(customerId, '1000'),
    ]
    await setZero(customerId, true)
    expect(
      (await plumber.call(calls.creditDocument, { id: first.id, reason: 'הנחה', agorot: 11_800 })).totals,
    ).toMatchObject({
      vatAgorot: 1_800,
    })
    const { documents } = await plumber.call(correctDocument, {
      id: second.id,
      reason: 'מחיר',
      lines: [{ line: 1, unitPrice: '900' }],
    })
    expect((await one(documents[0]!.id)).totals).toMatchObject({ totalAgorot: 11_800, vatAgorot: 1_800 })
  })

  test('also when a program keeps it as a draft first', async () => {
    const { id: customerId } = await plumber.customer('טיוטת זיכוי')
    const invoice = await plumber.invoice(customerId, '1000')
    await setZero(customerId, true)
    const content = { type: 10, customerId, sourceId: invoice.id, lines: [line('החזר', '1', '500')] }
    const draft = await make({ ...content, draft: true })
    await plumber.call(calls.changeDocument, { ...content, id: draft.id })
    expect((await plumber.call(calls.issueDocument, { id: draft.id })).totals).toMatchObject({
      totalAgorot: 59_000,
      vatAgorot: 9_000,
    })
  })
})

describe('crediting all that is left', () => {
  const sums = (totals: calls.DocumentAnswer['totals']) => [
    totals.netTaxableAgorot,
    totals.netExemptAgorot,
    totals.vatAgorot,
    totals.roundingAgorot,
    totals.totalAgorot,
  ]
  /** What the credits took, put together. */
  const put = (credits: calls.DocumentAnswer[]) =>
    credits.map((c) => sums(c.totals)).reduce((sum, part) => sum.map((n, i) => n + part[i]!))

  test('after a sum, after a line, and after a delivery it comes to the agora, by class of VAT', async () => {
    const { id: customerId } = await plumber.customer('כל היתרה')
    const invoice = await make({
      type: 8,
      customerId,
      rounding: 'whole',
      lines: [
        line('בורג', '7', '3.33'),
        line('אגרה', '3', '11.11', { vatKind: 4 }),
        line('כולל', '2', '19.99', { vatKind: 2 }),
      ],
      discount: { basisPoints: 700 },
    })
    await next(invoice.id, 3)
    const credits = [
      await plumber.call(calls.creditDocument, { id: invoice.id, reason: 'א', agorot: 777 }),
      await plumber.call(calls.creditDocument, {
        id: invoice.id,
        reason: 'ב',
        lines: [{ line: 1, quantity: '2' }],
      }),
      await plumber.call(calls.creditDocument, {
        id: invoice.id,
        reason: 'ג',
        lines: [{ line: 2, agorot: 500 }],
      }),
      await plumber.call(calls.creditDocument, { id: invoice.id, reason: 'ד' }),
    ]
    expect(put(credits)).toEqual(sums(invoice.totals))
    expect(await one(invoice.id)).toMatchObject({
      status: 'closed',
      lines: [{ left: '0' }, { left: '0' }, { left: '0' }],
    })
    expect(await balanceAgrees(customerId)).toBe(0)
    await expect(plumber.call(calls.creditDocument, { id: invoice.id, reason: 'ה' })).rejects.toMatchObject({
      code: 'documents.nothingLeft',
    })
  })

  test.each([
    ['above what is left', '3.335', {}],
    ['below it', '3.334', {}],
    ['in another currency', '33.335', { currency: 'USD', rate: '3.3333' }],
    ['with a discount', '3.335', { discount: { basisPoints: 700 } }],
  ])('by conversion of its lines one by one, whose roundings come to a sum %s', async (_, price, more) => {
    const { id: customerId } = await plumber.customer('בהמרות')
    const lines = [line('בורג', '3', price), line('אגרה', '3', '11.115', { vatKind: 4 })]
    const invoice = await make({ type: 8, customerId, lines, ...more })
    const each = { lines: [1, 2].map((place) => ({ line: place, quantity: '1' })) }
    const credits = [
      await next(invoice.id, 10, each),
      await next(invoice.id, 10, each),
      await next(invoice.id, 10),
    ]
    expect(put(credits)).toEqual(sums(invoice.totals))
    expect(await one(invoice.id)).toMatchObject({ status: 'closed', totals: { openAgorot: 0 } })
    expect(await balanceAgrees(customerId)).toBe(0)
    const { rows } = await sql<{
      s: string
    }>`select sum(case when type = 10 then -1 else 1 end * ils_vat_agorot) as s from documents
      where customer_id = ${customerId} group by customer_id`.execute(world.app.db.kysely)
    expect(rows).toEqual([{ s: '0' }])
  })

  test('after a correction of a price', async () => {
    const { id: customerId } = await plumber.customer('אחרי תיקון')
    const invoice = await make({ type: 8, customerId, lines: [line('כיסא', '4', '100')] })
    const { documents } = await plumber.call(correctDocument, {
      id: invoice.id,
      reason: 'מחיר',
      lines: [{ line: 1, unitPrice: '80' }],
    })
    const rest = await plumber.call(calls.creditDocument, { id: invoice.id, reason: 'הכול' })
    expect(put([await one(documents[0]!.id), rest])).toEqual(sums(invoice.totals))
    expect(await balanceAgrees(customerId)).toBe(0)
  })

  test('a line that was credited is not credited again by a sum', async () => {
    const { id: customerId } = await plumber.customer('פעמיים')
    const invoice = await make({
      type: 8,
      customerId,
      lines: [line('עבודה', '1', '1000'), line('אגרה', '1', '1180', { vatKind: 4 })],
    })
    await plumber.call(calls.creditDocument, {
      id: invoice.id,
      reason: 'א',
      lines: [{ line: 1, quantity: '1' }],
    })
    await expect(
      plumber.call(calls.creditDocument, {
        id: invoice.id,
        reason: 'ב',
        lines: [{ line: 1, agorot: 118_000 }],
      }),
    ).rejects.toMatchObject({ errors: [{ code: 'documents.creditsTooMuch' }] })
    // What is left bears no VAT, and so a part of it bears none.
    const part = await plumber.call(calls.creditDocument, { id: invoice.id, reason: 'ג', agorot: 1_000 })
    expect(part.totals).toMatchObject({ netExemptAgorot: 1_000, vatAgorot: 0 })
  })

  test('in another currency, in shekels too', async () => {
    const { id: customerId } = await plumber.customer('דולר')
    const invoice = await make({
      type: 8,
      customerId,
      currency: 'USD',
      rate: '3.3333',
      lines: [line('Work', '3', '33.33')],
    })
    await plumber.call(calls.creditDocument, { id: invoice.id, reason: 'א', agorot: 1_111 })
    await plumber.call(calls.creditDocument, {
      id: invoice.id,
      reason: 'ב',
      lines: [{ line: 1, quantity: '1' }],
    })
    await plumber.call(calls.creditDocument, { id: invoice.id, reason: 'ג' })
    expect(await balanceAgrees(customerId)).toBe(0)
    const { id: companyId } = await plumber.get('/api4/invoice/company')
    const { rows } = await sql<{
      type: number
      vat: number
      total: number
    }>`select type, sum(ils_vat_agorot)::bigint as vat, sum(ils_total_agorot)::bigint as total
      from documents where company_id = ${companyId} and customer_id = ${customerId} group by type
      order by type`.execute(world.app.db.kysely)
    expect(rows[0]).toMatchObject({ vat: rows[1]!.vat, total: rows[1]!.total })
  })

  test('an invoice with a line that takes away is cancelled whole', async () => {
    const { id: customerId } = await plumber.customer('שורה מזכה')
    const invoice = await make({
      type: 8,
      customerId,
      lines: [line('מכונה', '1', '1000'), line('החזרת ישנה', '-1', '200')],
    })
    expect((await cancel(invoice.id)).totals.totalAgorot).toBe(invoice.totals.totalAgorot)
    expect(await balanceAgrees(customerId)).toBe(0)
  })
})

describe('a payment request that becomes an invoice', () => {
  const asks = async (id: string) => {
    const { status, totals } = await one(id)
    return [status, totals.askedAgorot]
  }
  test('asks no longer, by part where it is taken by part, and asks again when the invoice is cancelled', async () => {
    const { id: customerId } = await plumber.customer('דרישה לחשבונית')
    const request = await make({
      type: 5,
      customerId,
      lines: [line('שעות', '3', '100'), line('נסיעות', '1', '50')],
    })
    const first = await next(request.id, 8, { lines: [{ line: 1, quantity: '1' }] })
    expect(await asks(request.id)).toEqual(['partlyClosed', 41_300 - 11_800])
    const rest = await convert(request.id, 9)
    await plumber.call(calls.changeDocument, {
      id: rest.id,
      type: 9,
      customerId,
      sourceId: request.id,
      lines: rest.lines.map((l) => ({ ...line(l.description, l.quantity, l.unitPrice), source: l.source })),
      payments: [transfer(29_500)],
    })
    await plumber.call(calls.issueDocument, { id: rest.id })
    expect(await asks(request.id)).toEqual(['closed', 0])
    expect(
      (await plumber.call(calls.openItems, { customerId })).rows.map((r) => [r.type, r.openInCurrencyAgorot]),
    ).toEqual([[8, 11_800]])
    await cancel(first.id)
    expect(await asks(request.id)).toEqual(['partlyClosed', 11_800])
    await cancel(rest.id)
    expect(await asks(request.id)).toEqual(['issued', 41_300])
    expect(await balanceAgrees(customerId)).toBe(0)
  })

  test('asks no longer when its order is invoiced, by part or through a delivery note, and asks again when that is cancelled', async () => {
    const { id: customerId } = await plumber.customer('דרישה והזמנה')
    const order = await make({
      type: 2,
      customerId,
      lines: [line('דלת', '4', '100'), line('ידית', '1', '50')],
    })
    const request = await next(order.id, 5, { lines: [{ line: 1, quantity: '3' }] })
    expect(await asks(request.id)).toEqual(['issued', 35_400])
    const first = await next(order.id, 8, { lines: [{ line: 1, quantity: '1' }] })
    expect(await asks(request.id)).toEqual(['partlyClosed', 23_600])
    // What the request does not ask for leaves it alone.
    await next(order.id, 8, { lines: [{ line: 2, quantity: '1' }] })
    expect(await asks(request.id)).toEqual(['partlyClosed', 23_600])
    const note = await next(order.id, 3)
    const rest = await next(note.id, 8)
    expect(await asks(request.id)).toEqual(['closed', 0])
    const open = (await plumber.call(calls.openItems, { customerId })).rows
    expect(open.map((row) => row.type)).toEqual([8, 8, 8])
    await cancel(rest.id)
    expect(await asks(request.id)).toEqual(['partlyClosed', 23_600])
    await cancel(first.id)
    expect(await asks(request.id)).toEqual(['issued', 35_400])
    await balanceAgrees(customerId)
  })

  test('of two requests for an order the earlier one is answered first, and an invoice of the request itself answers it alone', async () => {
    const { id: customerId } = await plumber.customer('שתי דרישות')
    const order = await make({ type: 2, customerId, lines: [line('דלת', '4', '100')] })
    const [early, late] = [
      await next(order.id, 5, { lines: [{ line: 1, quantity: '2' }] }),
      await next(order.id, 5, { lines: [{ line: 1, quantity: '2' }] }),
    ]
    await next(order.id, 8, { lines: [{ line: 1, quantity: '3' }] })
    expect([await asks(early!.id), await asks(late!.id)]).toEqual([
      ['closed', 0],
      ['partlyClosed', 11_800],
    ])
    await next(order.id, 8)
    expect(await asks(late!.id)).toEqual(['closed', 0])

    const again = await make({ type: 2, customerId, lines: [line('חלון', '1', '100')] })
    const own = await next(again.id, 5)
    await next(own.id, 8)
    expect(await asks(own.id)).toEqual(['closed', 0])
  })

  test('what was paid of it already is not answered twice', async () => {
    const { id: customerId } = await plumber.customer('שולם חלק')
    const request = await make({ type: 5, customerId, lines: [line('ייעוץ', '1', '1000')] })
    await make({
      type: 6,
      customerId,
      payments: [transfer(50_000)],
      closes: [{ documentId: request.id, amountAgorot: 50_000 }],
    })
    const invoice = await next(request.id, 8)
    expect(await asks(request.id)).toEqual(['closed', 0])
    await cancel(invoice.id)
    expect(await asks(request.id)).toEqual(['partlyClosed', 68_000])
  })

  test('money that is gone again is asked for by the invoice, not twice', async () => {
    const { id: customerId } = await plumber.customer('קבלה שבוטלה')
    const request = await make({ type: 5, customerId, lines: [line('ייעוץ', '1', '1000')] })
    const receipt = await make({
      type: 6,
      customerId,
      payments: [transfer(118_000)],
      closes: [{ documentId: request.id, amountAgorot: 118_000 }],
    })
    const invoice = await next(request.id, 8)
    await cancel(receipt.id)
    expect(await asks(request.id)).toEqual(['closed', 0])
    expect(await balanceAgrees(customerId)).toBe(118_000)
    await cancel(invoice.id)
    expect(await asks(request.id)).toEqual(['issued', 118_000])
  })
})

describe('discounts in the next paper', () => {
  const joined = async (...given: object[]) => {
    const { id: customerId } = await plumber.customer(`הנחות ${String(Math.random())}`)
    const made = []
    for (const part of given) made.push(await make({ type: 3, customerId, ...part }))
    const draft = await convert(made[0]!.id, 8, { with: made.slice(1).map((d) => d.id) })
    return { draft, total: made.reduce((sum, d) => sum + d.totals.totalAgorot, 0) }
  }
  const hundred = [line('א', '1', '100')]

  test('one percent of all stays; differing percents go into the lines; sums are added up', async () => {
    const same = await joined(
      { lines: hundred, discount: { basisPoints: 1000 } },
      { lines: hundred, discount: { basisPoints: 1000 } },
    )
    expect(same.draft).toMatchObject({ discount: { basisPoints: 1000 }, totals: { totalAgorot: same.total } })
    const apart = await joined({ lines: hundred, discount: { basisPoints: 1000 } }, { lines: hundred })
    expect(apart.draft).toMatchObject({
      discount: null,
      lines: [{ discountBp: 1000 }, { discountBp: 0 }],
      totals: { totalAgorot: apart.total },
    })
    const both = await joined(
      { lines: hundred, discount: { agorot: 3_000 } },
      { lines: hundred, discount: { basisPoints: 2500 } },
    )
    expect(both.draft).toMatchObject({ discount: { agorot: 3_000 }, totals: { totalAgorot: both.total } })
  })

  test('a discount by sum of taxed and untaxed lines stays with its own lines, and so does its VAT', async () => {
    const free = { ...line('פטור', '1', '100'), vatKind: 4 as const }
    const mixed = await joined(
      { lines: [...hundred, free], discount: { agorot: 10_000 } },
      { lines: hundred },
    )
    expect(mixed.draft).toMatchObject({
      discount: null,
      lines: [{ discountAgorot: 5_000 }, { discountAgorot: 5_000 }, { discountAgorot: 0 }],
      totals: { netTaxableAgorot: 15_000, netExemptAgorot: 5_000, totalAgorot: mixed.total },
    })
  })

  test('a line discount by sum goes with its parts, and credits of them come out to the agora', async () => {
    const { id: customerId } = await plumber.customer('הנחת שורה')
    const order = await make({
      type: 2,
      customerId,
      lines: [{ ...line('ארון', '3', '100'), discount: { agorot: 1_000 } }, line('מדף', '1', '33')],
    })
    expect(order).toMatchObject({
      lines: [{ discountAgorot: 1_000, amountAgorot: 29_000 }, { amountAgorot: 3_300 }],
    })
    const first = await next(order.id, 8, { lines: [{ line: 1, quantity: '1' }] })
    const rest = await next(order.id, 8)
    expect([first, rest].map((d) => d.lines[0]!.discountAgorot)).toEqual([333, 667])
    expect(first.totals.subtotalAgorot + rest.totals.subtotalAgorot).toBe(order.totals.subtotalAgorot)

    const part = await plumber.call(calls.creditDocument, {
      id: rest.id,
      reason: 'החזרה',
      lines: [{ line: 1, quantity: '1' }],
    })
    // 6.67 less the half that stays, 3.34.
    expect(part).toMatchObject({ lines: [{ quantity: '1', discountAgorot: 333, amountAgorot: 9_667 }] })
    const last = await plumber.call(calls.creditDocument, { id: rest.id, reason: 'השאר' })
    expect(last.lines[0]).toMatchObject({ quantity: '1', discountAgorot: 334, amountAgorot: 9_666 })
    expect(part.totals.totalAgorot + last.totals.totalAgorot).toBe(rest.totals.totalAgorot)
    const turned = await make({
      type: 8,
      customerId,
      lines: [{ ...line('החזרה', '-1', '100'), discount: { agorot: 1_000 } }, line('חדש', '1', '500')],
    })
    expect(turned.totals.netTaxableAgorot).toBe(41_000)
  })

  test('a discount above its line is refused at the line', async () => {
    const { id: customerId } = await plumber.customer('הנחה גדולה')
    await expect(
      make({
        type: 8,
        customerId,
        lines: [line('א', '1', '100'), { ...line('ב', '1', '10'), discount: { agorot: 1_001 } }],
      }),
    ).rejects.toMatchObject({ errors: [{ path: 'lines.1.discount', code: 'documents.discountAboveLine' }] })
  })

  test('a discount above the sum of the lines is refused when it is issued', async () => {
    const { id: customerId } = await plumber.customer('הנחה על הכל')
    const given = { type: 8, customerId, lines: hundred }
    await expect(make({ ...given, discount: { agorot: 20_000 } })).rejects.toMatchObject({
      errors: [{ path: 'discount', code: 'documents.discountAboveSum' }],
    })
    expect((await make({ ...given, discount: { agorot: 9_999 } })).totals.netTaxableAgorot).toBe(1)
  })

  test('an invoice below zero is refused however it is issued, and so is a credit that charges', async () => {
    const { id: customerId } = await plumber.customer('פחות מאפס')
    const below = [line('מכונה', '1', '100'), line('החזרת ישנה', '-1', '200')]
    const refusedAt = (path: string, code: string) => ({ errors: [{ path, code }] })
    const negative = refusedAt('lines', 'documents.negativeInvoice')
    await expect(make({ type: 8, customerId, lines: below })).rejects.toMatchObject(negative)
    await expect(make({ type: 8, customerId, handNumber: 77, lines: below })).rejects.toMatchObject(negative)
    await expect(
      make({ type: 9, customerId, lines: below, payments: [transfer(-11_800)] }),
    ).rejects.toMatchObject(negative)
    const batch = {
      documents: [
        { type: 8, customerId, lines: hundred },
        { type: 8, customerId, lines: below },
      ],
    }
    await expect(plumber.call(calls.batchDocuments, batch as never)).rejects.toMatchObject(
      refusedAt('documents.1.lines', 'documents.negativeInvoice'),
    )
    // As a draft it may stand, and as a quotation: neither gives anything back.
    const { id } = await make({ type: 8, customerId, draft: true, lines: below })
    await expect(plumber.call(calls.issueDocument, { id })).rejects.toMatchObject(negative)
    const quote = await make({ type: 1, customerId, lines: below })
    await expect(next(quote.id, 8)).rejects.toMatchObject(negative)
    expect(
      (await make({ type: 8, customerId, lines: [...hundred, line('קיזוז', '-1', '100')] })).totals
        .totalAgorot,
    ).toBe(0)

    const invoice = await make({
      type: 8,
      customerId,
      lines: [line('מכונה', '1', '1000'), line('החזרת ישנה', '-1', '200')],
    })
    await expect(
      plumber.call(calls.creditDocument, {
        id: invoice.id,
        reason: 'ההחזרה',
        lines: [{ line: 2, quantity: '-1' }],
      }),
    ).rejects.toMatchObject(refusedAt('lines', 'documents.negativeCredit'))
    expect(await balanceAgrees(customerId)).toBe(94_400)
  })

  test('a discount by sum is shared by the parts, and the last has the rest', async () => {
    const { id: customerId } = await plumber.customer('חלקי הנחה')
    const order = await make({
      type: 2,
      customerId,
      lines: [line('ארון', '3', '100'), line('מדף', '1', '33')],
      discount: { agorot: 10_000 },
    })
    const parts = [
      await next(order.id, 8, { lines: [{ line: 1, quantity: '1' }] }),
      await next(order.id, 8, { lines: [{ line: 1, quantity: '1' }] }),
      await next(order.id, 8),
    ]
    expect(parts.map((p) => p.totals.subtotalAgorot)).toEqual([10_000, 10_000, 13_300])
    expect(parts.reduce((sum, p) => sum + (p.discount as { agorot: number }).agorot, 0)).toBe(10_000)
    expect(parts[0]!.discount).toEqual({ agorot: 3_003 })
  })
})

describe('what is left depends on who wants it', () => {
  test('the database and the domain have the same table', async () => {
    const { rows } = await sql<{
      source: number
      follower: number
      used: number[]
    }>`select s.id as source, f.id as follower, used_by(s.id, f.id) as used
      from unnest(${documentTypeNames.map((name) => documentTypes[name].id)}::int[]) s(id),
        unnest(${documentTypeNames.map((name) => documentTypes[name].id)}::int[]) f(id)`.execute(
      world.app.db.kysely,
    )
    for (const { source, follower, used } of rows) {
      const names = usedBy(documentTypeById(source)!, documentTypeById(follower)!)
      expect([source, follower, used.toSorted((a, b) => a - b)]).toEqual([
        source,
        follower,
        names.map((name) => documentTypes[name].id).toSorted((a, b) => a - b),
      ])
    }
  })

  test('an order that was asked for is still delivered; a quote that was asked for is still ordered', async () => {
    const { id: customerId } = await plumber.customer('מקדמה')
    const quote = await make({ type: 1, customerId, lines: [line('מטבח', '2', '100')] })
    await next(quote.id, 5)
    const order = await next(quote.id, 2)
    await next(order.id, 5)
    expect(await one(order.id)).toMatchObject({ status: 'issued', lines: [{ left: '2' }] })
    await next(order.id, 3)
    expect(await one(order.id)).toMatchObject({ status: 'closed', lines: [{ left: '0' }] })
    await expect(convert(order.id, 5)).rejects.toMatchObject({ code: 'documents.nothingLeft' })
  })

  test('charged goods can come back, and what came back is not charged', async () => {
    const { id: customerId } = await plumber.customer('החזרות')
    const charged = await make({ type: 3, customerId, lines: [line('דלת', '5', '100')] })
    await next(charged.id, 8)
    await next(charged.id, 4, { lines: [{ line: 1, quantity: '2' }] })
    await expect(convert(charged.id, 4, { lines: [{ line: 1, quantity: '4' }] })).rejects.toMatchObject({
      errors: [{ code: 'documents.takesTooMuch' }],
    })
    const back = await make({ type: 3, customerId, lines: [line('דלת', '5', '100')] })
    await next(back.id, 4, { lines: [{ line: 1, quantity: '2' }] })
    expect((await convert(back.id, 8)).lines).toMatchObject([{ quantity: '3' }])
    expect((await one(back.id)).lines[0]!.leftFor.find(({ type }) => type === 4)).toEqual({
      type: 4,
      quantity: '3',
    })
  })

  test('a cancelled invoice leaves the order to be supplied again', async () => {
    const { id: customerId } = await plumber.customer('הזמנה שבוטלה חשבוניתה')
    const order = await make({ type: 2, customerId, lines: [line('שולחן', '1', '100')] })
    const invoice = await next(order.id, 8)
    expect(await one(order.id)).toMatchObject({ status: 'closed' })
    await cancel(invoice.id)
    expect(await one(order.id)).toMatchObject({ status: 'issued', lines: [{ left: '1' }] })
  })
})

describe('the paper of a receipt', () => {
  test('lists what it still closes, not what was taken back', async () => {
    const { id: customerId } = await plumber.customer('רישום בקבלה')
    const [first, second] = [
      await plumber.invoice(customerId, '100'),
      await plumber.invoice(customerId, '200'),
    ]
    const receipt = await make({
      type: 6,
      customerId,
      payments: [transfer(11_800)],
      closes: [{ documentId: first.id, amountAgorot: 11_800 }],
    })
    const [settlement] = (await one(receipt.id)).settlements
    await plumber.call(calls.unsettleDocument, { id: receipt.id, settlementId: settlement!.id })
    await plumber.call(calls.settleDocument, { id: receipt.id, documentId: second.id, amountAgorot: 11_800 })
    const text = textOf(await plumber.call(calls.pdfOfDocument, { id: receipt.id, variant: 'copy' }))
    expect(text).toContain('236.00')
    expect(text.match(/118\.00/g)).toHaveLength(3)
  })
})

describe('a rate of exchange', () => {
  const rate = (day: string, value: string) =>
    plumber.send('PUT', '/api4/invoice/rates', { currency: 'GBP', day, rate: value })
  const invoiceIn = async (more: object) => {
    const { id: customerId } = await plumber.customer(`מטבע ${String(Math.random())}`)
    return make({
      type: 8,
      customerId,
      currency: 'GBP',
      language: 'en',
      lines: [line('Work', '1', '100')],
      ...more,
    })
  }
  const paper = async (id: string) => textOf(await plumber.call(calls.pdfOfDocument, { id, variant: 'copy' }))

  test('has a source and a day of its own, on paper and in what is made from it', async () => {
    const { date: today } = await invoiceIn({ rate: '4.7', draft: true })
    await rate(addDays(today, -2), '4.654321')
    const [published, typed] = [await invoiceIn({}), await invoiceIn({ rate: '4.7' })]
    const [quote, agreed] = [await invoiceIn({ type: 1 }), await invoiceIn({ type: 1, rate: '4.6' })]
    const draft = await invoiceIn({ draft: true })
    const [year, month, day] = addDays(today, -2).split('-')
    expect(await paper(published.id)).toMatch(
      new RegExp(`1 GBP = 4\\.654321 ILS.*own table.*${day}.${month}.${year}`, 's'),
    )
    expect(await paper(typed.id)).toMatch(/1 GBP = 4\.7000 ILS, as set/)

    await rate(today, '4.9')
    // A credit goes by the rate of its invoice, with the day of that rate.
    expect(await paper((await cancel(published.id)).id)).toMatch(
      new RegExp(`4\\.654321 ILS.*own table.*${day}.${month}.${year}`, 's'),
    )
    expect((await convert(quote.id, 8)).rate).toBe('4.9')
    expect((await convert(agreed.id, 8)).rate).toBe('4.6')
    expect((await plumber.call(calls.duplicateDocument, { id: agreed.id })).rate).toBe('4.9')
    // A draft goes by the rate that holds when it is issued.
    expect(draft.rate).toBe('4.654321')
    expect((await plumber.call(calls.issueDocument, { id: draft.id })).rate).toBe('4.9')
  })
})

describe('a duplicate', () => {
  test('takes nothing, is good until nothing, gives no reason and goes by the rate of its own day', async () => {
    const { id: customerId } = await plumber.customer('עותק')
    const quote = await make({
      type: 1,
      customerId,
      validUntil: '2026-12-31',
      lines: [line('כבל', '2', '10')],
    })
    const invoice = await next(quote.id, 8)
    const draft = await plumber.call(calls.duplicateDocument, { id: invoice.id })
    expect(draft.lines[0]!.source).toBeNull()
    await plumber.call(calls.issueDocument, { id: draft.id })
    const again = await make({
      type: 1,
      customerId,
      validUntil: '2026-12-31',
      lines: [line('כבל', '2', '10')],
    })
    await cancel(again.id)
    expect(await plumber.call(calls.duplicateDocument, { id: again.id })).toMatchObject({
      validUntil: null,
      reason: '',
    })
  })
})
