import { paymentMeans } from '../../documents/kinds.ts'
import { agorotOf, type OrderLine, type ShopOrder } from '../order.ts'
import { NotUnderstood, reading, versionOf, type Reading } from '../understand.ts'
import { currencyOf } from './generic.ts'

const paidStates = new Set(['processing', 'completed', 'refunded'])
const cancelledStates = new Set(['cancelled', 'failed', 'trash'])

/** Which of our means of payment a gateway of WooCommerce is; others are what the shop's rules say. */
const means: Record<string, number> = {
  cod: paymentMeans.cash,
  cheque: paymentMeans.cheque,
  bacs: paymentMeans.transfer,
  paypal: paymentMeans.payPal,
  'ppcp-gateway': paymentMeans.payPal,
  bit: paymentMeans.paymentApp,
}

/**
 * An order of WooCommerce, as its REST API and our plug-in send it: amounts of lines are without VAT, which is
 * beside them, and have more decimals than an agora; coupons are spread over the lines already. Throws
 * NotUnderstood.
 */
export function readWooCommerce(raw: unknown): ShopOrder {
  const of = reading(raw)
  const status = of.text('status', 30).replace(/^wc-/, '')
  // The shop sends a parcel that is paid at the door as 'processing' and dates its payment too: the money has
  // come when the order is completed.
  const waitsAtDoor = of.text('payment_method', 40) === 'cod' && status === 'processing'
  const isPaid =
    !waitsAtDoor && (paidStates.has(status) || (of.has('date_paid') && !cancelledStates.has(status)))
  const cards = of.list('gift_cards')
  const total = of.needMoney('total')
  const giftCard = cards.reduce((all, card) => all + card.money('amount'), 0)
  return {
    externalId: of.needText('id', 100),
    number: of.text('number', 60) || of.needText('id', 60),
    version: versionOf(of.value('date_modified_gmt')),
    state: isPaid ? 'paid' : cancelledStates.has(status) ? 'cancelled' : 'open',
    isTest: of.value('is_test') === true,
    paidDay: of.day('date_paid') ?? of.day('date_completed') ?? of.day('date_created'),
    currency: currencyOf(of.text('currency', 10)),
    // What a gift card paid has left the total of the order.
    total: total + giftCard,
    discount: 0,
    rounding: 0,
    vat: of.moneyIfAny('total_tax'),
    giftCard,
    isTourist: of.value('is_vat_exempt') === true && of.value('is_tourist') === true,
    language: of.text('language', 5).slice(0, 2).toLowerCase(),
    customer: {
      name:
        of.text('billing.company', 200) ||
        [of.text('billing.first_name', 90), of.text('billing.last_name', 90)].filter(Boolean).join(' '),
      email: of.text('billing.email', 254),
      phone: of.text('billing.phone', 25),
      taxId:
        of.text('tax_id', 12) ||
        metaOf(of, ['_billing_tax_id', '_billing_vat', 'billing_company_id', '_vat_number']),
      street: of.text('billing.address_1', 120),
      city: of.text('shipping.city', 80) || of.text('billing.city', 80),
      zip: of.text('billing.postcode', 10),
      country: (of.text('shipping.country', 2) || of.text('billing.country', 2)).toUpperCase(),
    },
    lines: [
      ...of.list('line_items').map((line) => lineOf(line, 'goods')),
      ...of
        .list('shipping_lines')
        .filter((line) => line.money('total') !== 0)
        .map((line) => lineOf(line, 'extra', 'method_title')),
      ...of.list('fee_lines').map((line) => lineOf(line, 'extra')),
    ],
    payments:
      total > 0
        ? [
            {
              means: means[of.text('payment_method', 40)] ?? null,
              amount: total,
              reference: of.text('transaction_id', 100),
            },
          ]
        : [],
    refunds: of.list('refunds').map((refund) => ({
      externalId: refund.needText('id', 100),
      amount: Math.abs(refund.needMoney(refund.has('amount') ? 'amount' : 'total')),
      day: refund.day('date_created'),
      reason: refund.text('reason', 300),
    })),
  }
}

function lineOf(line: Reading, kind: OrderLine['kind'], name = 'name'): OrderLine {
  const tax = line.has('total_tax') ? 'total_tax' : undefined
  const total = tax ? line.needMoney('total', tax) : line.needMoney('total')
  const before = line.has('subtotal')
    ? agorotOf(line.value('subtotal'), line.value('subtotal_tax') ?? '0')
    : total
  if (before === undefined) throw new NotUnderstood('line_items.subtotal')
  return {
    name: line.text(name, 500) || line.text('name', 500),
    sku: line.text('sku', 40),
    quantity: line.quantity('quantity'),
    total,
    discount: Math.max(0, before - total),
    vat: tax ? line.money(tax) : null,
    kind: line.value('is_gift_card') === true ? 'giftCard' : kind,
  }
}

function metaOf(of: Reading, keys: readonly string[]): string {
  const found = of.list('meta_data').find((one) => keys.includes(one.text('key', 60)))
  return found?.text('value', 12) ?? ''
}
