/**
 * Where the parts of an order stand in what a shop of one's own sends: paths such as 'customer.email' or
 * 'billing.0.city'.
 */
export const mappable = [
  'id',
  'number',
  'version',
  'paid',
  'cancelled',
  'test',
  'day',
  'currency',
  'total',
  'discount',
  'rounding',
  'vat',
  'giftCard',
  'tourist',
  'language',
  'name',
  'email',
  'phone',
  'taxId',
  'street',
  'city',
  'zip',
  'country',
  'shipping',
  'shippingVat',
  'lines',
  'lineName',
  'lineSku',
  'lineQuantity',
  'linePrice',
  'lineTotal',
  'lineDiscount',
  'lineVat',
  'refunds',
  'refundId',
  'refundAmount',
  'refundDay',
  'refundReason',
] as const
export type Mappable = (typeof mappable)[number]
export type FieldMapping = Partial<Record<Mappable, string>>

/** Without which there is no order. */
export const needed: readonly Mappable[] = ['id', 'total', 'lines', 'lineName']

/** Names that shops use, the likeliest first: what a pasted sample is looked through for. */
const usual: Record<Mappable, readonly string[]> = {
  id: ['id', 'order_id', 'orderId', 'uuid', 'order.id'],
  number: ['number', 'order_number', 'orderNumber', 'name', 'reference', 'order.number'],
  version: ['version', 'updated_at', 'updatedAt', 'modified', 'date_modified', 'revision'],
  paid: [
    'paid',
    'is_paid',
    'isPaid',
    'payment_status',
    'paymentStatus',
    'financial_status',
    'status',
    'state',
  ],
  cancelled: ['cancelled', 'canceled', 'is_cancelled', 'cancelled_at'],
  test: ['test', 'is_test', 'isTest', 'sandbox'],
  day: ['paid_at', 'paidAt', 'date_paid', 'payment_date', 'created_at', 'createdAt', 'date'],
  currency: ['currency', 'currency_code', 'currencyCode'],
  total: ['total', 'total_price', 'totalPrice', 'grand_total', 'grandTotal', 'amount', 'total.amount'],
  discount: ['discount', 'discount_total', 'discountTotal', 'total_discounts'],
  rounding: ['rounding', 'round', 'rounding_amount'],
  vat: ['vat', 'total_tax', 'totalTax', 'tax', 'tax_total'],
  giftCard: ['gift_card', 'giftCard', 'gift_card_amount', 'giftCardAmount'],
  tourist: ['tourist', 'is_tourist', 'tax_free'],
  language: ['language', 'locale', 'lang'],
  name: [
    'customer.name',
    'customer.full_name',
    'customer.fullName',
    'billing.name',
    'billing_address.name',
    'buyer.name',
    'customer_name',
  ],
  email: ['customer.email', 'email', 'billing.email', 'buyer.email', 'customer_email'],
  phone: ['customer.phone', 'phone', 'billing.phone', 'billing_address.phone', 'buyer.phone'],
  taxId: ['customer.tax_id', 'customer.taxId', 'customer.vat_id', 'billing.tax_id', 'company_id', 'tax_id'],
  street: [
    'customer.address',
    'shipping.address',
    'shipping_address.address1',
    'billing.address_1',
    'address.street',
    'customer.street',
  ],
  city: ['customer.city', 'shipping.city', 'shipping_address.city', 'billing.city', 'address.city'],
  zip: ['customer.zip', 'shipping.zip', 'shipping_address.zip', 'billing.postcode', 'address.zip'],
  country: [
    'customer.country',
    'shipping.country',
    'shipping_address.country_code',
    'billing.country',
    'address.country',
  ],
  shipping: [
    'shipping_total',
    'shippingTotal',
    'shipping_price',
    'shipping.price',
    'shipping.amount',
    'delivery',
    'shipping',
  ],
  shippingVat: ['shipping_tax', 'shippingTax'],
  lines: ['items', 'line_items', 'lineItems', 'lines', 'products', 'order.items'],
  lineName: ['name', 'title', 'description', 'product', 'product_name'],
  lineSku: ['sku', 'code', 'product_code', 'barcode'],
  lineQuantity: ['quantity', 'qty', 'count', 'amount'],
  linePrice: ['price', 'unit_price', 'unitPrice'],
  lineTotal: ['total', 'line_total', 'lineTotal', 'sum'],
  lineDiscount: ['discount', 'total_discount'],
  lineVat: ['vat', 'tax', 'total_tax'],
  refunds: ['refunds', 'returns', 'credits'],
  refundId: ['id', 'refund_id', 'refundId'],
  refundAmount: ['amount', 'total', 'sum'],
  refundDay: ['date', 'created_at', 'createdAt'],
  refundReason: ['reason', 'note'],
}

const ofLine = (name: Mappable) => name.startsWith('line') && name !== 'lines'
const ofRefund = (name: Mappable) => name.startsWith('refund') && name !== 'refunds'

/** The value at a path of its own properties; undefined where there is none. */
export function valueAt(of: unknown, path: string): unknown {
  let here: unknown = of
  for (const part of path.split('.')) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, part)) return undefined
    here = (here as Record<string, unknown>)[part]
  }
  return here
}

/** Where the parts of a sample stand, as far as their names tell. */
export function guessMapping(sample: unknown): FieldMapping {
  const found: FieldMapping = {}
  const look = (name: Mappable, of: unknown, fits: (value: unknown) => boolean) => {
    const path = usual[name].find((one) => fits(valueAt(of, one)))
    if (path !== undefined) found[name] = path
  }
  const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)
  for (const name of mappable)
    if (!ofLine(name) && !ofRefund(name))
      look(name, sample, name === 'lines' || name === 'refunds' ? Array.isArray : isPlain)
  const first = (name: 'lines' | 'refunds') =>
    found[name] === undefined ? undefined : (valueAt(sample, found[name]) as unknown[])[0]
  for (const name of mappable) {
    if (ofLine(name)) look(name, first('lines'), isPlain)
    if (ofRefund(name)) look(name, first('refunds'), isPlain)
  }
  return found
}
