import { needed, type FieldMapping, type Mappable } from '../fields.ts'
import type { OrderLine, ShopOrder } from '../order.ts'
import { NotUnderstood, reading, saysYes, versionOf, type Reading } from '../understand.ts'

/** Words for lines that a shop gives no name. */
export interface Said {
  readonly shipping: string
  readonly tip: string
}

/** An order of a custom shop, read at the paths its owner set. Throws NotUnderstood. */
export function readGeneric(raw: unknown, mapping: FieldMapping, said: Said): ShopOrder {
  for (const name of needed) if (!mapping[name]) throw new NotUnderstood(name)
  const of = reading(raw)
  const at = (name: Mappable) => mapping[name] ?? ''
  const shipping = of.money(at('shipping'))
  const total = of.needMoney(at('total'))
  const lines = of.list(at('lines')).map((line) => readLine(line, at))
  const isCancelled =
    saysYes(of.value(at('cancelled'))) ||
    isWord(of.value(at('paid')), ['cancelled', 'canceled', 'void', 'voided'])
  // Who maps nothing sends orders once they are paid.
  const isPaid = !mapping.paid || saysYes(of.value(mapping.paid))
  return {
    externalId: of.needText(at('id'), 100),
    number: of.text(at('number'), 60) || of.needText(at('id'), 60),
    version: versionOf(of.value(at('version'))),
    state: isPaid && !isCancelled ? 'paid' : isCancelled ? 'cancelled' : 'open',
    isTest: saysYes(of.value(at('test'))),
    paidDay: of.day(at('day')),
    currency: currencyOf(of.text(at('currency'), 10)),
    total,
    discount: Math.abs(of.money(at('discount'))),
    rounding: of.money(at('rounding')),
    vat: of.moneyIfAny(at('vat')),
    giftCard: of.money(at('giftCard')),
    isTourist: saysYes(of.value(at('tourist'))),
    language: of.text(at('language'), 5).slice(0, 2).toLowerCase(),
    customer: {
      name: of.text(at('name'), 200),
      email: of.text(at('email'), 254),
      phone: of.text(at('phone'), 25),
      taxId: of.text(at('taxId'), 12),
      street: of.text(at('street'), 120),
      city: of.text(at('city'), 80),
      zip: of.text(at('zip'), 10),
      country: of.text(at('country'), 60).toUpperCase().slice(0, 2),
    },
    lines: [
      ...lines,
      ...(shipping === 0
        ? []
        : [
            {
              name: said.shipping,
              sku: '',
              quantity: '1',
              total: shipping,
              discount: 0,
              vat: of.moneyIfAny(at('shippingVat')),
              kind: 'extra' as const,
            },
          ]),
    ],
    payments: [],
    refunds: of.list(at('refunds')).map((refund) => ({
      externalId: refund.needText(at('refundId'), 100),
      amount: Math.abs(refund.needMoney(at('refundAmount'))),
      day: refund.day(at('refundDay')),
      reason: refund.text(at('refundReason'), 300),
    })),
  }
}

function readLine(line: Reading, at: (name: Mappable) => string): OrderLine {
  const quantity = line.quantity(at('lineQuantity'))
  const discount = Math.abs(line.money(at('lineDiscount')))
  const said = line.moneyIfAny(at('lineTotal'))
  if (said === null && !at('linePrice')) throw new NotUnderstood('lineTotal')
  const total = said ?? timesPrice(line.needMoney(at('linePrice')), quantity) - discount
  return {
    name: line.needText(at('lineName'), 500),
    sku: line.text(at('lineSku'), 40),
    quantity,
    total,
    discount,
    vat: line.moneyIfAny(at('lineVat')),
    kind: 'goods',
  }
}

/** Agorot for a quantity at a price of whole agorot. */
const timesPrice = (agorot: number, quantity: string): number => Math.round(agorot * Number(quantity))

const isWord = (value: unknown, words: string[]): boolean =>
  typeof value === 'string' && words.includes(value.trim().toLowerCase())

const signs: Record<string, string> = { '': 'ILS', '₪': 'ILS', NIS: 'ILS', $: 'USD', '€': 'EUR', '£': 'GBP' }
export const currencyOf = (text: string): string => signs[text.toUpperCase()] ?? text.toUpperCase()
