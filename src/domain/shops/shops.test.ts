import { describe, expect, test } from 'vitest'
import { totalsOf } from '../documents/arithmetic.ts'
import { vatKindById } from '../documents/kinds.ts'
import { parseDecimal4 } from '../quantity.ts'
import { guessMapping, valueAt } from './fields.ts'
import { readShopify } from './kinds/shopify.ts'
import { readWooCommerce } from './kinds/woocommerce.ts'
import { agorotOf, exactOf, quantityOf, type OrderLine, type ShopOrder } from './order.ts'
import { isTaxApart, paperOf, type OrderPaper, type ShopRules, type Trouble } from './paper.ts'
import { dayOf, NotUnderstood, saysYes, versionOf } from './understand.ts'

describe('sums as shops send them', () => {
  test.each([
    [['117.00'], 11_700],
    [[117], 11_700],
    [[0.1, 0.2], 30],
    [['53.644068', '9.655932'], 6_330],
    [['14.529914529914', '2.470085470085'], 1_700],
    [['0.005'], 1],
    [['-0.005'], -1],
    [['1,234.5'], 123_450],
    [['-17'], -1_700],
    [['many'], undefined],
    [['1e3'], undefined],
    [[''], undefined],
    [[Number.NaN], undefined],
    [[1e20], undefined],
    [[null], undefined],
    [['1', 'x'], undefined],
  ])('%j is %s', (values, agorot) => expect(agorotOf(...values)).toBe(agorot))

  test.each([
    [2, '2'],
    ['0.5', '0.5'],
    ['1.2345', '1.2345'],
    ['1.23456', undefined],
    ['-1', '-1'],
    ['x', undefined],
  ])('a quantity %j is %s', (value, text) => expect(quantityOf(value)).toBe(text))

  test('is exact to eight places and rounded once below', () => {
    expect(exactOf('0.123456785')).toBe(12_345_679n)
    expect(exactOf('0.123456784')).toBe(12_345_678n)
  })
})

describe('days and changes', () => {
  test.each([
    ['2026-11-25', '2026-11-25'],
    ['2026-11-25T23:30:00Z', '2026-11-26'],
    ['2026-11-25T23:30:00+02:00', '2026-11-25'],
    ['2026-11-25 10:00:00', '2026-11-25'],
    [1_764_115_200, '2025-11-26'],
    [1_764_115_200_000, '2025-11-26'],
    ['25/11/2026', null],
    ['2026-02-30', null],
    [-1, null],
    [undefined, null],
  ])('%j is the day %s', (value, day) => expect(dayOf(value)).toBe(day))

  test.each([
    [7, 7],
    ['7', 7],
    ['2026-11-25T10:00:00', Date.parse('2026-11-25T10:00:00Z')],
    ['2026-11-25T10:00:00+02:00', Date.parse('2026-11-25T08:00:00Z')],
    ['soon', 0],
    [-1, 0],
    [{}, 0],
  ])('%j is the version %s', (value, version) => expect(versionOf(value)).toBe(version))

  test.each([
    [true, true],
    ['paid', true],
    ['Completed', true],
    ['2026-11-25T10:00', true],
    ['pending', false],
    [null, false],
    [0, false],
  ])('%j says yes: %s', (value, yes) => expect(saysYes(value)).toBe(yes))
})

test('a path leads to own properties only', () => {
  expect(valueAt({ a: [{ b: 1 }] }, 'a.0.b')).toBe(1)
  expect(valueAt({}, 'constructor.name')).toBeUndefined()
  expect(valueAt({ a: 'text' }, 'a.length')).toBeUndefined()
})

test('a sample is understood by the names shops use', () => {
  expect(
    guessMapping({ order_id: 1, grand_total: 5, line_items: [{ title: 'x', qty: 1 }], refunds: [] }),
  ).toEqual({
    id: 'order_id',
    total: 'grand_total',
    lines: 'line_items',
    refunds: 'refunds',
    lineName: 'title',
    lineQuantity: 'qty',
  })
})

const rules: ShopRules = {
  paper: 'taxInvoiceReceipt',
  businessPaper: 'taxInvoice',
  zeroEilat: true,
  zeroAbroad: true,
  zeroTourist: true,
  untaxedLines: 'look',
  means: 4,
}
const nobody = { name: 'x', email: '', phone: '', taxId: '', street: '', city: '', zip: '', country: 'IL' }
const line = (total: number, more: Partial<OrderLine> = {}): OrderLine => ({
  name: 'x',
  sku: '',
  quantity: '1',
  total,
  discount: 0,
  vat: null,
  kind: 'goods',
  ...more,
})
const order = (lines: OrderLine[], more: Partial<ShopOrder> = {}): ShopOrder => ({
  externalId: '1',
  number: '1',
  version: 0,
  state: 'paid',
  isTest: false,
  paidDay: null,
  currency: 'ILS',
  total: lines.reduce((all, one) => all + one.total, 0) - (more.discount ?? 0) + (more.rounding ?? 0),
  discount: 0,
  rounding: 0,
  vat: null,
  giftCard: 0,
  isTourist: false,
  language: '',
  customer: nobody,
  lines,
  payments: [],
  refunds: [],
  ...more,
})
/** What the document of a paper comes to, by the arithmetic of documents. */
const totalOf = (paper: OrderPaper) =>
  totalsOf({
    lines: paper.lines.map((one) => ({
      quantity: parseDecimal4(one.quantity)!,
      unitPrice: parseDecimal4(one.unitPrice)!,
      vatKind: vatKindById(one.vatKind)!,
      ...(one.discount ? { discount: one.discount } : {}),
    })),
    vatRate: 1800,
    vatTreatment: paper.zeroRate ? 'zero' : 'standard',
  }).total
const codeOf = (made: OrderPaper | Trouble) => ('code' in made ? made.code : 'paper')

describe('the paper of an order', () => {
  test('comes to what was paid, whatever the lines, quantities and discounts (2,000 orders)', () => {
    let state = 11
    const roll = (sides: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return Math.floor((state / 2 ** 32) * sides)
    }
    for (let i = 0; i < 2000; i++) {
      const lines = Array.from({ length: 1 + roll(6) }, () =>
        line(1 + roll(90_000), {
          quantity: ['1', '3', '7', '0.5', '1.333', '12'][roll(6)]!,
          discount: roll(3) ? 0 : roll(5_000),
        }),
      )
      const extra = roll(2) ? [line(roll(4_000), { kind: 'extra' })] : []
      const sum = [...lines, ...extra].reduce((all, one) => all + one.total, 0)
      const discount = roll(2) ? roll(sum) : 0
      const made = paperOf(order([...lines, ...extra], { discount }), rules, 'licensedDealer') as OrderPaper
      if (sum - discount <= 0) continue
      expect(codeOf(made), JSON.stringify({ lines, discount })).toBe('paper')
      expect(totalOf(made)).toBe(sum - discount)
      expect(made.payments.reduce((all, one) => all + one.amountAgorot, 0)).toBe(sum - discount)
    }
  })

  test.each([
    ['paper', order([line(11_700)])],
    ['sum', order([line(11_700)], { total: 12_000 })],
    ['paper', order([line(11_700)], { total: 11_701 })],
    ['sum', order([line(11_700)], { total: 11_702 })],
    ['nothingPaid', order([line(0)])],
    ['line', order([line(-5), line(100)])],
    ['line', order([line(100, { quantity: '0' })])],
    ['line', order([line(100, { name: ' ' })])],
    ['payments', order([line(100)], { payments: [{ means: null, amount: 90, reference: '' }] })],
    ['payments', order([line(100)], { giftCard: 200 })],
    ['untaxed', order([line(100)], { vat: 0 })],
    ['paper', order([line(100)], { vat: 0, customer: { ...nobody, city: 'אילת' } })],
    ['paper', order([line(100)], { vat: 0, customer: { ...nobody, country: 'US' } })],
    ['paper', order([line(100)], { vat: 0, isTourist: true })],
    ['untaxed', order([line(100, { vat: 15 }), line(50, { vat: 0 })], { vat: 15 })],
    ['paper', order([line(100, { kind: 'giftCard', vat: 0 })], { vat: 0 })],
  ])('is %s', (code, given) => expect(codeOf(paperOf(given, rules, 'licensedDealer'))).toBe(code))

  test.each([
    ['licensedDealer', '', 9, false],
    ['licensedDealer', '514000005', 8, true],
    ['licensedDealer', 'nonsense', 9, false],
    ['exemptDealer', '514000005', 6, false],
  ] as const)('of %s to %s is of type %s', (kind, taxId, type, needsReceipt) =>
    expect(paperOf(order([line(100)], { customer: { ...nobody, taxId } }), rules, kind)).toMatchObject({
      type,
      needsReceipt,
    }),
  )

  test('a gift card that is sold is money held, one that pays is money', () => {
    const made = paperOf(
      order([line(5_000, { kind: 'giftCard' }), line(1_000)], { giftCard: 2_000 }),
      rules,
      'licensedDealer',
    ) as OrderPaper
    expect(made.lines.map((one) => one.vatKind)).toEqual([3, 2])
    expect(made.payments).toEqual([
      { means: 8, amountAgorot: 2_000, reference: '', isHeld: true },
      { means: 4, amountAgorot: 4_000, reference: '' },
    ])
  })

  test('a fee below zero takes off the goods as a discount does', () => {
    const made = paperOf(
      order([line(1_000), line(-100, { kind: 'extra' })]),
      rules,
      'licensedDealer',
    ) as OrderPaper
    expect(totalOf(made)).toBe(900)
  })

  test('VAT may differ by an agora a line', () => {
    expect(isTaxApart(order([line(118)], { vat: 20 }), 18)).toBe(false)
    expect(isTaxApart(order([line(118)], { vat: 21 }), 18)).toBe(true)
    expect(isTaxApart(order([line(118)]), 18)).toBe(false)
  })
})

describe('an order of Shopify', () => {
  const raw = {
    id: 1,
    financial_status: 'paid',
    taxes_included: false,
    total_price: '118.00',
    total_tax: '18.00',
    currency: 'ILS',
    line_items: [{ title: 'Mug', quantity: 2, price: '50.00', tax_lines: [{ price: '18.00' }] }],
  }
  test('without VAT in its prices is taken with it', () => {
    expect(readShopify(raw, { shipping: 's', tip: 't' }).lines[0]).toMatchObject({
      total: 11_800,
      vat: 1_800,
    })
  })
  test('whose total cannot be read says so by its path', () => {
    expect(() => readShopify({ ...raw, total_price: 'x' }, { shipping: 's', tip: 't' })).toThrow(
      NotUnderstood,
    )
    expect(() => readShopify({ ...raw, line_items: 'x' }, { shipping: 's', tip: 't' })).toThrow('line_items')
  })
})

describe('an order of WooCommerce', () => {
  // The shop dates the payment of an order that is paid at the door, though nobody has paid.
  test.each([
    ['processing', 'cod', 'open'],
    ['completed', 'cod', 'paid'],
    ['processing', 'bacs', 'paid'],
    ['on-hold', 'bacs', 'paid'],
    ['cancelled', 'bacs', 'cancelled'],
  ])('%s by %s is %s', (status, payment_method, state) => {
    const raw = {
      id: 7,
      status,
      payment_method,
      total: '118.00',
      currency: 'ILS',
      date_paid: '2026-11-25T09:12:03',
      line_items: [],
    }
    expect(readWooCommerce(raw).state).toBe(state)
  })
})
