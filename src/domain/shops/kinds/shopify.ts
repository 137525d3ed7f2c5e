import { paymentMeans } from '../../documents/kinds.ts'
import { sum } from '../../money.ts'
import type { OrderLine, ShopOrder } from '../order.ts'
import { reading, versionOf, type Reading } from '../understand.ts'
import type { Said } from './generic.ts'

/** Which of our means of payment a gateway of Shopify is. */
const means: Record<string, number> = {
  paypal: paymentMeans.payPal,
  cash: paymentMeans.cash,
  'bank deposit': paymentMeans.transfer,
  bit: paymentMeans.paymentApp,
}

const paidStates = new Set(['paid', 'partially_refunded', 'refunded'])

/**
 * An order of Shopify (Admin REST, also the body of orders/paid). Prices carry VAT where `taxes_included`
 * says so, else it is added here; discounts are spread over the lines already (`discount_allocations`).
 * Throws NotUnderstood.
 */
export function readShopify(raw: unknown, said: Said): ShopOrder {
  const of = reading(raw)
  const withVat = of.value('taxes_included') === true
  const isPaid = paidStates.has(of.text('financial_status', 30))
  const transactions = of
    .list('transactions')
    .filter(
      (one) => one.text('status', 20) === 'success' && ['sale', 'capture'].includes(one.text('kind', 20)),
    )
  const cards = transactions.filter((one) => one.text('gateway', 40) === 'gift_card')
  const total = of.needMoney('total_price')
  const giftCard = sum(cards.map((one) => one.money('amount')))
  const tips = of.money('total_tip_received')
  const payments = transactions
    .filter((one) => one.text('gateway', 40) !== 'gift_card')
    .map((one) => ({
      means: means[one.text('gateway', 40).toLowerCase()] ?? null,
      amount: one.money('amount'),
      reference: one.text('authorization', 100),
    }))
  return {
    externalId: of.needText('id', 100),
    number: of.text('name', 60) || of.needText('id', 60),
    version: versionOf(of.value('updated_at')),
    state: isPaid ? 'paid' : of.has('cancelled_at') ? 'cancelled' : 'open',
    isTest: of.value('test') === true,
    paidDay: of.day('processed_at') ?? of.day('created_at'),
    currency: of.text('currency', 10).toUpperCase(),
    total,
    discount: 0,
    rounding: of.has('total_cash_rounding_payment_adjustment_set')
      ? of.money('total_cash_rounding_payment_adjustment_set.shop_money.amount')
      : 0,
    vat: of.moneyIfAny('total_tax'),
    giftCard,
    isTourist: of
      .text('tags', 400)
      .split(',')
      .some((tag) => /^(tourist|תייר)$/i.test(tag.trim())),
    language: of.text('customer_locale', 5).slice(0, 2).toLowerCase(),
    customer: {
      name:
        of.text('billing_address.company', 200) ||
        of.text('billing_address.name', 200) ||
        [of.text('customer.first_name', 90), of.text('customer.last_name', 90)].filter(Boolean).join(' '),
      email: of.text('email', 254) || of.text('customer.email', 254),
      phone: of.text('billing_address.phone', 25) || of.text('phone', 25),
      taxId: attributeOf(of, /^(tax.?id|vat.?id|company.?id|ח\.?פ|עוסק)/i),
      street: of.text('billing_address.address1', 120),
      city: of.text('shipping_address.city', 80) || of.text('billing_address.city', 80),
      zip: of.text('billing_address.zip', 10),
      country: (
        of.text('shipping_address.country_code', 2) || of.text('billing_address.country_code', 2)
      ).toUpperCase(),
    },
    lines: [
      ...of.list('line_items').map((line) => lineOf(line, withVat, 'goods')),
      ...of
        .list('shipping_lines')
        .filter((line) => line.money('price') !== 0)
        .map((line) => lineOf(line, withVat, 'extra')),
      ...(tips > 0
        ? [
            {
              name: said.tip,
              sku: '',
              quantity: '1',
              total: tips,
              discount: 0,
              vat: 0,
              kind: 'extra' as const,
            },
          ]
        : []),
    ],
    payments,
    refunds: of.list('refunds').flatMap(refundOf),
  }
}

/**
 * What went back of money; a refund without a transaction only took lines off an order that was not paid for
 * them.
 */
export function refundOf(refund: Reading): ShopOrder['refunds'] {
  const back = refund
    .list('transactions')
    .filter((one) => one.text('kind', 20) === 'refund' && one.text('status', 20) === 'success')
  const amount = sum(back.map((one) => Math.abs(one.needMoney('amount'))))
  if (amount <= 0) return []
  return [
    {
      externalId: refund.needText('id', 100),
      amount,
      day: refund.day('processed_at') ?? refund.day('created_at'),
      reason: refund.text('note', 300),
    },
  ]
}

function lineOf(line: Reading, withVat: boolean, kind: OrderLine['kind']): OrderLine {
  const quantity = kind === 'goods' ? line.quantity('quantity') : '1'
  const vat = sum(line.list('tax_lines').map((one) => one.money('price')))
  const off = sum(line.list('discount_allocations').map((one) => one.money('amount')))
  const price = Math.round(line.needMoney('price') * Number(quantity))
  return {
    name: line.text('name', 500) || line.needText('title', 500),
    sku: line.text('sku', 40),
    quantity,
    total: price - off + (withVat ? 0 : vat),
    // With prices without VAT the price before the discount is not known with it: the line then has its total.
    discount: withVat ? off : 0,
    vat,
    kind: line.value('gift_card') === true ? 'giftCard' : kind,
  }
}

function attributeOf(of: Reading, name: RegExp): string {
  const found = of.list('note_attributes').find((one) => name.test(one.text('name', 60)))
  return found?.text('value', 12).replace(/\D/g, '') ?? ''
}
