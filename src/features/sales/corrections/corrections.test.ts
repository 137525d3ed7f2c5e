import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dayInJerusalem, startOfMonth, vatPeriod } from '#domain/day.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { seeded } from '../../../../tests/lives/random.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import * as documents from '#features/sales/documents/endpoints.ts'
import { createDeposit } from '#features/sales/payments/endpoints.ts'
import { correctDocument, planCorrectionCall } from './endpoints.ts'

let world: World
let plumber: Business
const now = new Date('2026-05-11T09:00:00Z')
const today = dayInJerusalem(now)
beforeAll(async () => {
  world = await startWorld(() => now)
  plumber = await newBusiness(world)
})
afterAll(() => world.close())

const line = (unitPrice: string, more: object = {}) => ({
  description: 'עבודה',
  quantity: '1',
  unitPrice,
  ...more,
})
const transfer = (amountAgorot: number) => ({ means: 3, amountAgorot })
const one = (b: Business, id: string) => b.call(documents.getDocument, { id })
const balanceOf = async (b: Business, id: string): Promise<number> =>
  (await b.get(`/api4/invoice/customers/${id}`)).balanceAgorot
/** Every account that holds something, debit positive. */
const books = async (b: Business): Promise<[string, number][]> =>
  ((await b.get('/api5/invoicecpa/accounts?size=100')).rows as { number: string; balanceAgorot: number }[])
    .filter((a) => a.balanceAgorot)
    .map((a): [string, number] => [a.number, a.balanceAgorot])
    .toSorted(([x], [y]) => x.localeCompare(y))
const openOf = async (b: Business, customerId: string): Promise<number> =>
  (await b.call(documents.openItems, { customerId })).rows.reduce((all, r) => all + r.openAgorot, 0)

describe('the plan', () => {
  test('shows what will happen and leaves no trace; then exactly that happens', async () => {
    const { id: customerId } = await plumber.customer('כהן')
    const invoice = await plumber.invoice(customerId, '1000')
    const before = await books(plumber)
    const wish = { id: invoice.id, lines: [{ line: 1, unitPrice: '800' }] }
    const plan = await plumber.call(planCorrectionCall, wish)
    expect(plan).toMatchObject({
      chain: 'partialCredit',
      refusals: [],
      steps: [{ kind: 'creditDifference', type: 10, date: today, totalAgorot: 23_600, vatAgorot: 3_600 }],
      effect: {
        vat: [{ ...vatPeriod(today, 2), amountAgorot: -3_600 }],
        customers: [{ id: customerId, name: 'כהן', beforeAgorot: 118_000, afterAgorot: 94_400 }],
      },
    })
    expect(plan.effect.accounts.map((a) => [a.number, a.amountAgorot])).toEqual([
      ['1100', -23_600],
      ['2100', 3_600],
      ['4000', 20_000],
    ])
    expect(await books(plumber)).toEqual(before)
    expect(await one(plumber, invoice.id)).toMatchObject({ status: 'issued', totals: { creditedAgorot: 0 } })

    const key = { key: 'once' }
    const done = await plumber.call(correctDocument, { ...wish, reason: 'מחיר', mark: plan.mark }, key)
    expect(await plumber.call(correctDocument, { ...wish, reason: 'מחיר', mark: plan.mark }, key)).toEqual(
      done,
    )
    const credit = await one(plumber, done.documents[0]!.id)
    expect(credit).toMatchObject({
      type: 10,
      reason: 'מחיר',
      source: { id: invoice.id },
      lines: [{ quantity: '1', unitPrice: '200' }],
    })
    expect(await balanceOf(plumber, customerId)).toBe(94_400)
    // No number was lost to the plan.
    const next = await plumber.call(documents.creditDocument, {
      id: (await plumber.invoice(customerId, '10')).id,
      reason: 'x',
    })
    expect(next.number).toBe(credit.number! + 1)
  })

  test('pieces too many are credited as pieces, and cannot be credited twice', async () => {
    const { id: customerId } = await plumber.customer('לוי')
    const { id } = await plumber.call(documents.createDocument, {
      type: 8,
      customerId,
      lines: [line('50', { quantity: '10' })],
    })
    const { documents: made } = await plumber.call(correctDocument, {
      id,
      lines: [{ line: 1, quantity: '7' }],
      reason: 'כמות',
    })
    expect((await one(plumber, made[0]!.id)).lines).toMatchObject([
      { quantity: '3', unitPrice: '50', source: { quantity: '3' } },
    ])
    expect((await one(plumber, id)).lines[0]!.left).toBe('7')
    const again = { id, lines: [{ line: 1, quantity: '7' }] }
    expect((await plumber.call(planCorrectionCall, again)).refusals).toMatchObject([
      { code: 'corrections.credited' },
    ])
    await expect(plumber.call(correctDocument, { ...again, reason: 'x' })).rejects.toMatchObject({
      code: 'corrections.credited',
    })
  })

  test('tells what comes back to the store and what goes out again, by item', async () => {
    const { id: customerId } = await plumber.customer('מחסן')
    const item = async (name: string) =>
      (await plumber.send('POST', '/api4/invoice/items', { name, price: '100', isStocked: true }))
        .id as string
    const [chair, table] = [await item('כיסא'), await item('שולחן')]
    const lines = [
      { itemId: chair, description: 'כיסא', quantity: '10', unitPrice: '100' },
      { itemId: table, description: 'שולחן', quantity: '2', unitPrice: '500' },
      line('30'),
    ]
    const goodsOf = async (type: number, wish: object) => {
      const { id } = await plumber.call(documents.createDocument, { type, customerId, lines })
      const { effect, refusals } = await plumber.call(planCorrectionCall, { id, ...wish })
      expect(refusals).toEqual([])
      return effect.goods.map(({ name, back, out, change }) => [name, back, out, change])
    }
    // Fewer pieces: they come back by the credit of the difference.
    expect(await goodsOf(8, { lines: [{ line: 1, quantity: '7' }] })).toEqual([['כיסא', '3', '0', '3']])
    // A lower price moves nothing.
    expect(await goodsOf(8, { lines: [{ line: 1, unitPrice: '80' }] })).toEqual([])
    // More pieces: everything comes back and goes out again.
    expect(await goodsOf(8, { lines: [{ line: 1, quantity: '12' }] })).toEqual([
      ['כיסא', '10', '12', '-2'],
      ['שולחן', '2', '2', '0'],
    ])
    // A delivery note is marked and written again.
    expect(await goodsOf(3, { lines: [{ line: 2, quantity: '5' }] })).toEqual([
      ['כיסא', '10', '10', '0'],
      ['שולחן', '2', '5', '-3'],
    ])
    // A quote moves nothing.
    expect(await goodsOf(1, { lines: [{ line: 2, quantity: '5' }] })).toEqual([])
  })

  test('a receipt that was paid another way is written again with the details of its cheques and its card', async () => {
    const { id: customerId } = await plumber.customer('שיקים')
    const invoice = await plumber.invoice(customerId, '1000')
    const { id } = await plumber.call(documents.createDocument, {
      type: 6,
      customerId,
      payments: [transfer(118_000)],
      closes: [{ documentId: invoice.id, amountAgorot: 118_000 }],
    })
    const cheque = {
      means: 2,
      amountAgorot: 100_000,
      bank: '12',
      branch: '600',
      account: '123456',
      number: '70041',
      dueDate: '2026-06-10',
    }
    const card = { means: 4, amountAgorot: 18_000, cardLast4: '4580', cardBrand: 'visa', instalments: 3 }
    await expect(
      plumber.call(planCorrectionCall, { id, payments: [cheque, { ...card, cardLast4: '45' }] }),
    ).rejects.toMatchObject({
      errors: [{ path: 'payments.1.cardLast4', code: 'fields.code' }],
    })
    const wish = { id, payments: [cheque, card] }
    const plan = await plumber.call(planCorrectionCall, wish)
    expect(plan).toMatchObject({ chain: 'reverseAndReissue', refusals: [], effect: { goods: [] } })
    const { documents: made } = await plumber.call(correctDocument, {
      ...wish,
      reason: 'שולם בשיק ובכרטיס',
      mark: plan.mark,
    })
    expect((await one(plumber, made.at(-1)!.id)).payments).toMatchObject([cheque, card])
    expect(await one(plumber, invoice.id)).toMatchObject({ status: 'closed', totals: { openAgorot: 0 } })
    expect(await balanceOf(plumber, customerId)).toBe(0)
  })

  test('what is refused on the way is said beforehand: money that does not come to the new sum', async () => {
    const { id: customerId } = await plumber.customer('משלם')
    const { id } = await plumber.call(documents.createDocument, {
      type: 9,
      customerId,
      lines: [line('100')],
      payments: [transfer(11_800)],
    })
    const dearer = { id, lines: [{ line: 1, unitPrice: '200' }] }
    const plan = await plumber.call(planCorrectionCall, dearer)
    expect(plan.refusals).toMatchObject([
      { code: 'documents.paymentsDiffer', path: 'payments', params: { totalAgorot: 23_600 } },
    ])
    await expect(plumber.call(correctDocument, { ...dearer, reason: 'x' })).rejects.toMatchObject({
      errors: [{ code: 'documents.paymentsDiffer' }],
    })
    expect((await one(plumber, id)).status).toBe('closed')
    expect(
      (await plumber.call(planCorrectionCall, { ...dearer, payments: [transfer(23_600)] })).refusals,
    ).toEqual([])
  })

  test('nothing is issued when it is no longer what was shown', async () => {
    const { id: customerId } = await plumber.customer('משתנה')
    const { id } = await plumber.invoice(customerId, '100')
    const plan = await plumber.call(planCorrectionCall, { id, lines: [{ line: 1, unitPrice: '90' }] })
    const other = { id, lines: [{ line: 1, unitPrice: '80' }], reason: 'x', mark: plan.mark }
    await expect(plumber.call(correctDocument, other)).rejects.toMatchObject({
      status: 409,
      code: 'corrections.changed',
    })
    expect((await one(plumber, id)).totals.creditedAgorot).toBe(0)
  })

  test('a reported period is left alone; a day inside it is refused, with its ends', async () => {
    const b = await newBusiness(world)
    const { id: customerId } = await b.customer('דיווח')
    const { id } = await b.invoice(customerId, '1000', { date: '2026-04-20' })
    const { companyId } = await asSystem(world.app.db, async (tx) => {
      const { rows } = await sql<{
        companyId: string
      }>`select company_id as "companyId" from documents where id = ${id}`.execute(tx)
      await sql`insert into locked_periods (company_id, id, kind, from_day, to_day)
        values (${rows[0]!.companyId}, ${id}, 'vat', '2026-03-01', '2026-04-30')`.execute(tx)
      return rows[0]!
    })
    expect(companyId).toBeTruthy()
    const asked = await b.call(planCorrectionCall, { id, date: '2026-04-29' })
    expect(asked.refusals).toEqual([
      {
        code: 'documents.dateInLockedPeriod',
        path: 'date',
        params: { day: '2026-04-29', from: '2026-03-01', to: '2026-04-30' },
      },
    ])
    const plan = await b.call(planCorrectionCall, { id, lines: [{ line: 1, unitPrice: '1500' }] })
    expect(plan).toMatchObject({
      refusals: [],
      chain: 'creditAndReissue',
      effect: { vat: [{ from: '2026-05-01', amountAgorot: 9_000 }] },
    })
    expect(plan.remarks).toContain('periodReported')
    expect(new Set(plan.steps.map((s) => s.date))).toEqual(new Set([today]))
  })
})

describe('corrections', () => {
  test('another price of a paid invoice: credited whole, written again, the money follows', async () => {
    const { id: customerId } = await plumber.customer('שילם כבר')
    const invoice = await plumber.invoice(customerId, '1000', { dueDate: '2026-06-30' })
    const receipt = await plumber.call(documents.createDocument, {
      type: 6,
      customerId,
      payments: [transfer(118_000)],
      closes: [{ documentId: invoice.id, amountAgorot: 118_000 }],
    })
    const { documents: made } = await plumber.call(correctDocument, {
      id: invoice.id,
      lines: [{ line: 1, unitPrice: '1200' }],
      reason: 'x',
    })
    expect(made.map((d) => d.type)).toEqual([10, 8])
    const right = await one(plumber, made[1]!.id)
    expect(right).toMatchObject({
      status: 'partlyClosed',
      dueDate: '2026-06-30',
      totals: { totalAgorot: 141_600, openAgorot: 23_600 },
    })
    expect(right.settlements).toMatchObject([{ documentId: receipt.id, amountAgorot: 118_000 }])
    expect(await one(plumber, invoice.id)).toMatchObject({
      status: 'cancelled',
      cancelledBy: { id: made[0]!.id },
    })
    expect([await balanceOf(plumber, customerId), await openOf(plumber, customerId)]).toEqual([
      23_600, 23_600,
    ])
  })

  test('another customer of a paid invoice: the money stays with the one who paid', async () => {
    const [wrong, right] = [await plumber.customer('הלא נכון'), await plumber.customer('הנכון')]
    const invoice = await plumber.invoice(wrong.id, '1000')
    await plumber.call(documents.createDocument, {
      type: 6,
      customerId: wrong.id,
      payments: [transfer(118_000)],
      closes: [{ documentId: invoice.id, amountAgorot: 118_000 }],
    })
    const plan = await plumber.call(planCorrectionCall, { id: invoice.id, customerId: right.id })
    expect(plan.remarks).toContain('moneyStays')
    expect(plan.effect.vat).toEqual([])
    await plumber.call(correctDocument, {
      id: invoice.id,
      customerId: right.id,
      reason: 'x',
      mark: plan.mark,
    })
    expect([await balanceOf(plumber, wrong.id), await balanceOf(plumber, right.id)]).toEqual([
      -118_000, 118_000,
    ])
    expect(await openOf(plumber, wrong.id)).toBe(-118_000)
  })

  test('another customer brings his own terms, language and agent; what was chosen for the paper stays', async () => {
    const wrong = await plumber.customer('תנאים אחרים', { dueTerms: 'net:60', language: 'en' })
    const right = await plumber.customer('תנאים משלו', { dueTerms: 'net:15', language: 'ru' })
    const corrected = async (more: Record<string, unknown>) => {
      const { id } = await plumber.invoice(wrong.id, '100', more)
      const { documents: made } = await plumber.call(correctDocument, {
        id,
        customerId: right.id,
        reason: 'x',
      })
      const { dueTerms, dueDate, language } = await one(plumber, made.find(({ type }) => type === 8)!.id)
      return { dueTerms, dueDate, language }
    }
    expect(await corrected({})).toEqual({ dueTerms: 'net:15', dueDate: '2026-05-26', language: 'ru' })
    expect(await corrected({ dueTerms: 'eom:30', language: 'fr' })).toEqual({
      dueTerms: 'eom:30',
      dueDate: '2026-06-30',
      language: 'fr',
    })
    expect(await corrected({ dueDate: '2026-05-20' })).toMatchObject({
      dueDate: '2026-05-20',
      language: 'ru',
    })
  })

  test('the means of payment of a receipt, which closes the same debts again', async () => {
    const { id: customerId } = await plumber.customer('אמצעי')
    const [invoice, small] = [
      await plumber.invoice(customerId, '1000'),
      await plumber.invoice(customerId, '1'),
    ]
    const { id } = await plumber.call(documents.createDocument, {
      type: 6,
      customerId,
      payments: [{ means: 1, amountAgorot: 50_000 }],
      // To the last agora.
      closes: [
        { documentId: invoice.id, amountAgorot: 49_999 },
        { documentId: small.id, amountAgorot: 1 },
      ],
    })
    const plan = await plumber.call(planCorrectionCall, { id, payments: [transfer(50_000)] })
    expect(plan.effect.accounts.map((a) => [a.number, a.amountAgorot])).toEqual([
      ['1000', -50_000],
      ['1010', 50_000],
    ])
    const { documents: made } = await plumber.call(correctDocument, {
      id,
      payments: [transfer(50_000)],
      reason: 'x',
      mark: plan.mark,
    })
    expect(made.map((d) => d.type)).toEqual([6, 6])
    const { settlements } = await one(plumber, made[1]!.id)
    expect(settlements.map(({ documentId, amountAgorot }) => [documentId, amountAgorot])).toEqual(
      expect.arrayContaining([
        [invoice.id, 49_999],
        [small.id, 1],
      ]),
    )
    expect(settlements).toHaveLength(2)
    expect((await one(plumber, invoice.id)).totals.openAgorot).toBe(68_001)
    expect((await one(plumber, small.id)).totals.openAgorot).toBe(117)
  })

  test('cash that was given back is not counted against the limit of the deal again', async () => {
    const { id: customerId } = await plumber.customer('מזומן')
    const invoice = await plumber.invoice(customerId, '10000')
    const { id } = await plumber.call(documents.createDocument, {
      type: 6,
      customerId,
      payments: [{ means: 1, amountAgorot: 100_000 }],
      closes: [{ documentId: invoice.id, amountAgorot: 100_000 }],
    })
    const cash = (amountAgorot: number) => ({ id, payments: [{ means: 1, amountAgorot }] })
    expect((await plumber.call(planCorrectionCall, cash(90_000))).refusals).toEqual([])
    expect((await plumber.call(planCorrectionCall, cash(130_000))).refusals).toMatchObject([
      { code: 'payments.cashAboveLimit' },
    ])
  })

  test('an invoice with receipt paid another way takes three papers', async () => {
    const { id: customerId } = await plumber.customer('שלושה')
    const { id } = await plumber.call(documents.createDocument, {
      type: 9,
      customerId,
      lines: [line('100')],
      payments: [transfer(11_800)],
    })
    const cheque = {
      means: 2,
      amountAgorot: 11_800,
      bank: '12',
      branch: '600',
      account: '123456',
      number: '77',
    }
    const { documents: made } = await plumber.call(correctDocument, { id, payments: [cheque], reason: 'x' })
    expect(made.map((d) => d.type)).toEqual([10, 6, 9])
    expect([await balanceOf(plumber, customerId), await openOf(plumber, customerId)]).toEqual([0, 0])
  })

  test('a rate that has changed since does not change the supply; another day does', async () => {
    const b = await newBusiness(world)
    const { id: customerId } = await b.customer('שיעור')
    const { id } = await b.invoice(customerId, '1000', { date: '2024-12-20' })
    const kept = await b.call(planCorrectionCall, { id, lines: [{ line: 1, unitPrice: '1100' }] })
    expect(kept.steps.map((s) => s.vatAgorot)).toEqual([17_000, 18_700])
    const moved = await b.call(planCorrectionCall, { id, date: '2025-01-05' })
    expect(moved.steps.map((s) => [s.date, s.vatAgorot])).toEqual([
      [today, 17_000],
      ['2025-01-05', 18_000],
    ])
  })

  test('a quote is marked and written again', async () => {
    const { id: customerId } = await plumber.customer('הצעה')
    const { id } = await plumber.call(documents.createDocument, {
      type: 1,
      customerId,
      lines: [line('100'), line('50')],
    })
    const { documents: made } = await plumber.call(correctDocument, {
      id,
      lines: [{ line: 2, quantity: '0' }],
      reason: 'x',
    })
    expect(made.map((d) => d.type)).toEqual([1])
    expect((await one(plumber, made[0]!.id)).lines.map((l) => l.unitPrice)).toEqual(['100'])
    expect((await one(plumber, id)).status).toBe('cancelled')
  })

  test('an exempt dealer’s receipt, which is the income', async () => {
    const b = await newBusiness(world, { kind: 'exemptDealer' })
    const { id: customerId } = await b.customer('פטור')
    const { id } = await b.call(documents.createDocument, {
      type: 6,
      customerId,
      payments: [transfer(10_000)],
    })
    const { documents: made } = await b.call(correctDocument, {
      id,
      payments: [transfer(12_000)],
      reason: 'x',
    })
    expect(made.map((d) => d.type)).toEqual([6, 6])
    expect(await books(b)).toEqual([
      ['1010', 12_000],
      ['4000', -12_000],
    ])
  })

  test('a worker without the right to issue gets nothing issued', async () => {
    const { id: customerId } = await plumber.customer('זכויות')
    const { id } = await plumber.invoice(customerId, '100')
    const other = await newBusiness(world)
    await expect(other.call(planCorrectionCall, { id, date: today })).rejects.toMatchObject({ status: 404 })
    await expect(
      other.call(correctDocument, { id, reason: 'x', lines: [{ line: 1, unitPrice: '1' }] }),
    ).rejects.toMatchObject({
      status: 404,
    })
  })
})

/*
 * The law of corrections: a business that was wrong and put it right has the books of one that was right from
 * the start, but for the days.
 */
test(
  'afterwards the books are those where the paper had been right from the start',
  { timeout: 240_000 },
  async () => {
    const random = seeded(20_260_511)
    const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!
    const price = () => ((1 + Math.floor(random() * 99_999)) / pick([1, 10, 100])).toString()
    const [corrected, right] = [await newBusiness(world), await newBusiness(world)]
    const chains: string[] = []
    // A credit closes a part of an invoice in another currency, and the shekels of a part are rounded: the agora is an
    // exchange difference beside the customers.
    const folded = (rows: [string, number][]) => [
      ...rows.filter(([number]) => number !== '1100' && number !== '8910'),
      [
        '1100',
        rows.reduce(
          (all, [number, amount]) => (number === '1100' || number === '8910' ? all + amount : all),
          0,
        ),
      ],
    ]
    for (let round = 0; round < 24; round++) {
      const lines = Array.from({ length: pick([1, 2, 3]) }, () => ({
        description: 'שורה',
        quantity: String(pick([1, 2, 3, 2.5, 7])),
        unitPrice: price(),
        vatKind: pick([1, 1, 2, 4] as const),
        ...(random() < 0.2 ? { discount: { basisPoints: pick([500, 1_250]) } } : {}),
      }))
      const shared = {
        type: pick([8, 8, 9]),
        lines,
        ...(random() < 0.2 ? { currency: 'USD', rate: '3.6517' } : {}),
        ...(random() < 0.25 ? { discount: { basisPoints: pick([300, 1_000]) } } : {}),
        rounding: pick(['none', 'none', 'whole'] as const),
      }
      const changes = pick(['less', 'less', 'more', 'vat', 'customer'] as const)
      const at = Math.floor(random() * lines.length)
      const changed =
        changes === 'customer'
          ? {}
          : changes === 'vat'
            ? { vatKind: pick(([1, 2, 4] as const).filter((kind) => kind !== lines[at]!.vatKind)) }
            : { unitPrice: (Number(lines[at]!.unitPrice) * (changes === 'less' ? 0.73 : 1.31)).toFixed(4) }
      const rightLines = lines.map((l, i) => (i === at ? { ...l, ...changed } : l))
      const totalOf = async (b: Business, customerId: string, some: typeof lines): Promise<number> =>
        (await b.call(documents.createDocument, { ...shared, type: 8, customerId, lines: some, draft: true }))
          .totals.totalAgorot
      const customersOf = async (b: Business) =>
        [(await b.customer(`א${round}`)).id, (await b.customer(`ב${round}`)).id] as const
      const [a, b] = [await customersOf(corrected), await customersOf(right)]
      const sums = [
        await totalOf(corrected, a[0], lines),
        await totalOf(right, b[0], rightLines as typeof lines),
      ]
      // A credit leaves the money where it is; what was paid above the correct amount is the customer's credit.
      const paying = (total: number) => (shared.type === 9 ? { payments: [transfer(total)] } : {})
      const { id } = await corrected.call(documents.createDocument, {
        ...shared,
        customerId: a[0],
        ...paying(sums[0]!),
      })
      // What closes a debt of another currency by parts rounds each part: an agora of exchange difference
      // hangs on the order.
      const isPaid = shared.type === 8 && random() < 0.5 && changes !== 'customer' && !('currency' in shared)
      const pay = (business: Business, customerId: string, documentId: string, open: number) =>
        business.call(documents.createDocument, {
          type: 6,
          customerId,
          payments: [transfer(sums[0]!)],
          closes: [{ documentId, amountAgorot: Math.min(sums[0]!, open) }],
        })
      if (isPaid) await pay(corrected, a[0], id, sums[0]!)
      const wish = {
        id,
        ...(changes === 'customer' ? { customerId: a[1] } : { lines: [{ line: at + 1, ...changed }] }),
        ...(shared.type === 9 && changes !== 'customer' ? paying(sums[1]!) : {}),
      }
      const plan = await corrected.call(planCorrectionCall, wish)
      expect(plan.refusals, `round ${round}`).toEqual([])
      await corrected.call(correctDocument, { ...wish, reason: 'x', mark: plan.mark })
      chains.push(plan.chain)

      const made = await right.call(documents.createDocument, {
        ...shared,
        lines: rightLines as typeof lines,
        customerId: changes === 'customer' ? b[1] : b[0],
        ...paying(sums[1]!),
      })
      if (isPaid) await pay(right, b[0], made.id, sums[1]!)
      expect(folded(await books(corrected)), `round ${round}: ${changes} ${JSON.stringify(shared)}`).toEqual(
        folded(await books(right)),
      )
      const apart = 'currency' in shared ? 1 : 0
      for (const i of [0, 1] as const) {
        expect(
          Math.abs((await balanceOf(corrected, a[i])) - (await balanceOf(right, b[i]))),
        ).toBeLessThanOrEqual(apart)
        expect(Math.abs((await openOf(corrected, a[i])) - (await openOf(right, b[i])))).toBeLessThanOrEqual(
          apart,
        )
      }
    }
    expect(new Set(chains)).toEqual(new Set(['partialCredit', 'creditAndReissue']))
    const period = { from: startOfMonth(today), to: today }
    const [was, is] = await Promise.all(
      [right, corrected].map((b) => b.get(`/api4/invoice/reports/vat?from=${period.from}&to=${period.to}`)),
    )
    // Of a paper in another currency the shekels are shared over its lines again: what is taxed and what is
    // not may part an agora apart.
    const told = (rows: { line: string; fromDocumentsAgorot: number }[]) => {
      const of = (line: string) => rows.find((r) => r.line === line)!.fromDocumentsAgorot
      return [of('taxableSales') + of('untaxedSales'), of('outputVat'), of('toPay')]
    }
    expect(told(is.rows)).toEqual(told(was.rows))
  },
)

test('a correction that the paper, the wish or the calendar does not allow is refused by name', async () => {
  const b = await newBusiness(world)
  const { id: customerId } = await b.customer('כהן')
  const cheaper = [{ line: 1, unitPrice: '90' }]
  const dearer = [{ line: 1, unitPrice: '110' }]
  const refused = async (wish: object, status: number, code: string, more: object = { code }) =>
    expect(b.call(correctDocument, { reason: 'x', ...wish } as never), code).rejects.toMatchObject({
      status,
      ...more,
    })
  const other = await b.invoice(customerId, '100', { date: '2026-04-20' })
  const invoice = await b.invoice(customerId, '100')
  await refused({ id: invoice.id }, 422, 'corrections.nothingChanged')
  await refused({ id: invoice.id, lines: [{ line: 1, quantity: '0' }] }, 422, 'corrections.nothingLeft')
  const credit = await b.call(documents.creditDocument, { id: invoice.id, reason: 'x' })
  await refused({ id: credit.id, lines: cheaper }, 422, 'corrections.ofCredit')

  const quote = await b.call(documents.createDocument, { type: 1, customerId, lines: [line('100')] })
  const { id: draft } = await b.call(documents.convertDocument, { id: quote.id, type: 8 })
  await b.call(documents.issueDocument, { id: draft })
  await refused({ id: quote.id, lines: cheaper }, 409, 'corrections.used')

  const receipt = await b.call(documents.createDocument, {
    type: 6,
    customerId,
    payments: [transfer(1_000)],
  })
  await b.call(documents.cancelDocument, { id: receipt.id, reason: 'x' })
  await refused({ id: receipt.id, payments: [transfer(900)] }, 409, 'corrections.cancelled')

  const cheque = {
    means: 2,
    amountAgorot: 11_800,
    bank: '12',
    branch: '600',
    account: '123456',
    number: '5001',
    dueDate: today,
  }
  const paid = await b.call(documents.createDocument, {
    type: 9,
    customerId,
    lines: [line('100')],
    payments: [cheque],
  })
  const { rows } = await b.get('/api4/invoice/payments?size=10')
  const ofPaid = (rows as { id: string; documentId: string }[]).find((one) => one.documentId === paid.id)!
  await b.call(createDeposit, { payments: [ofPaid.id] })
  await refused({ id: paid.id, lines: dearer }, 409, 'corrections.banked')
  // Of less money the paper stays, and its cheque with it.
  await b.call(correctDocument, { id: paid.id, lines: cheaper, reason: 'x' })

  await asSystem(world.app.db, (tx) =>
    sql`insert into locked_periods (company_id, id, kind, from_day, to_day)
      select company_id, id, 'vat', '2026-03-01', '2026-04-30' from documents
      where id = ${other.id}`.execute(tx),
  )
  await refused({ id: other.id, date: '2026-04-30', lines: cheaper }, 422, 'documents.dateInLockedPeriod', {
    errors: [{ path: 'date', code: 'documents.dateInLockedPeriod' }],
  })
  await asSystem(world.app.db, (tx) =>
    sql`insert into locked_periods (company_id, id, kind, from_day, to_day)
      select company_id, ${credit.id}, 'month', '2026-05-01', '2026-05-31' from documents
      where id = ${other.id}`.execute(tx),
  )
  await refused({ id: other.id, lines: dearer }, 422, 'corrections.todayLocked')
})
