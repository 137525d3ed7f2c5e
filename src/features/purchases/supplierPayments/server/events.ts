import { defineEvents } from '#kit/describe/event.ts'

defineEvents(
  'supplierPayment',
  { entity: 'supplierpayments', see: 'supplierpayments.get' },
  {
    created: { on: 'supplierpayments.create', keep: ['number', 'grossAgorot', 'withheldAgorot'] },
    cancelled: { on: 'supplierpayments.cancel' },
  },
)
