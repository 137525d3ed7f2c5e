import { defineEvents } from '#kit/describe/event.ts'

defineEvents(
  'payPurchase',
  { entity: 'payPurchases', see: 'payPurchases.get' },
  {
    paid: { on: 'payPurchases.pay', keep: ['pageId', 'amountAgorot'] },
    held: { on: 'payPurchases.hold', keep: ['pageId', 'amountAgorot'] },
    released: { on: 'payPurchases.release' },
    subscribed: { on: 'payPurchases.subscribe', keep: ['pageId', 'orderId'] },
  },
)
