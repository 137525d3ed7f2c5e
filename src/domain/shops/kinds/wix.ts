import { sum } from '../../money.ts'
import type { OrderLine, ShopOrder } from '../order.ts'
import { reading, versionOf, type Reading } from '../understand.ts'
import type { Said } from './generic.ts'

const paidStates = new Set(['PAID', 'PARTIALLY_REFUNDED', 'FULLY_REFUNDED'])

/**
 * An order of Wix eCommerce v1 ({ order, transactions } of our door: the order and its payments are two
 * calls). Throws NotUnderstood.
 */
export function readWix(raw: unknown, said: Said): ShopOrder {
  const of = reading(raw)
  const at = (path: string) => `order.${path}`
  const payments = of
    .list('transactions.payments')
    .filter((one) => one.text('regularPaymentDetails.status', 30) === 'APPROVED')
  const cards = of.list('transactions.payments').filter((one) => one.has('giftcardPaymentDetails'))
  const giftCard = sum(cards.map((one) => one.money('amount.amount')))
  const status = of.text(at('paymentStatus'), 40)
  const shipping =
    of.money(at('shippingInfo.cost.totalPriceAfterTax.amount')) ||
    of.money(at('priceSummary.shipping.amount'))
  const address = (name: string, most: number) =>
    of.text(at(`shippingInfo.logistics.shippingDestination.address.${name}`), most) ||
    of.text(at(`billingInfo.address.${name}`), most)
  const contact = (name: string, most: number) => of.text(at(`billingInfo.contactDetails.${name}`), most)
  return {
    externalId: of.needText(at('id'), 100),
    number: of.text(at('number'), 60) || of.needText(at('id'), 60),
    version: versionOf(of.value(at('updatedDate'))),
    state: paidStates.has(status) ? 'paid' : of.text(at('status'), 20) === 'CANCELED' ? 'cancelled' : 'open',
    isTest: false,
    paidDay: of.day(at('purchasedDate')) ?? of.day(at('createdDate')),
    currency: of.text(at('currency'), 10).toUpperCase(),
    total: of.needMoney(at('priceSummary.total.amount')),
    discount: 0,
    rounding: 0,
    vat: of.moneyIfAny(at('priceSummary.tax.amount')),
    giftCard,
    isTourist: false,
    language: of.text(at('buyerLanguage'), 5).slice(0, 2).toLowerCase(),
    customer: {
      name:
        contact('company', 200) ||
        [contact('firstName', 90), contact('lastName', 90)].filter(Boolean).join(' '),
      email: of.text(at('buyerInfo.email'), 254),
      phone: contact('phone', 25),
      taxId: contact('vatId.id', 12),
      street: address('addressLine', 120) || address('addressLine1', 120),
      city: address('city', 80),
      zip: address('postalCode', 10),
      country: address('country', 2).toUpperCase(),
    },
    lines: [
      ...of.list(at('lineItems')).map((line) => lineOf(line)),
      ...(shipping === 0
        ? []
        : [
            {
              name: of.text(at('shippingInfo.title'), 200) || said.shipping,
              sku: '',
              quantity: '1',
              total: shipping,
              discount: 0,
              vat: of.moneyIfAny(at('shippingInfo.cost.taxDetails.totalTax.amount')),
              kind: 'extra' as const,
            },
          ]),
      ...of.list(at('additionalFees')).map((fee) => ({
        name: fee.needText('name', 200),
        sku: '',
        quantity: '1',
        total: fee.has('priceAfterTax.amount')
          ? fee.needMoney('priceAfterTax.amount')
          : fee.needMoney('price.amount'),
        discount: 0,
        vat: fee.moneyIfAny('taxDetails.totalTax.amount'),
        kind: 'extra' as const,
      })),
    ],
    payments: payments.map((one) => ({
      means: null,
      amount: one.money('amount.amount'),
      reference: one.text('regularPaymentDetails.providerTransactionId', 100),
    })),
    refunds: of.list('transactions.refunds').flatMap((refund) => {
      const amount = sum(
        refund
          .list('transactions')
          .filter((one) => one.text('refundStatus', 20) === 'SUCCEEDED')
          .map((one) => Math.abs(one.needMoney('amount.amount'))),
      )
      return amount > 0
        ? [
            {
              externalId: refund.needText('id', 100),
              amount,
              day: refund.day('createdDate'),
              reason: refund.text('details.reason', 300),
            },
          ]
        : []
    }),
  }
}

/** The total of a line after all discounts, its own and its part of the order's. */
function lineOf(line: Reading): OrderLine {
  const quantity = line.quantity('quantity')
  return {
    name: line.text('productName.translated', 500) || line.needText('productName.original', 500),
    sku: line.text('physicalProperties.sku', 40),
    quantity,
    total: line.has('totalPriceAfterTax.amount')
      ? line.money('totalPriceAfterTax.amount')
      : Math.round(line.needMoney('price.amount') * Number(quantity)),
    discount: line.money('totalDiscount.amount'),
    vat: line.moneyIfAny('taxDetails.totalTax.amount'),
    kind: line.text('itemType.preset', 20) === 'GIFT_CARD' ? 'giftCard' : 'goods',
  }
}
