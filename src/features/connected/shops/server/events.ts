import { defineEvents } from '#kit/describe/event.ts'

defineEvents(
  'shopOrder',
  { entity: 'shopOrders', see: 'shops.order' },
  {
    issued: { on: 'shops.issue', keep: ['number', 'documentId'] },
    refunded: { on: 'shops.refund', keep: ['number', 'creditId'] },
    trouble: { on: 'shops.trouble', keep: ['number', 'code'] },
  },
)
