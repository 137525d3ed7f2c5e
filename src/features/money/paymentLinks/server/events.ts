import { defineEvents } from '#kit/describe/event.ts'

defineEvents(
  'paymentLink',
  { entity: 'paymentLinks', see: 'paymentLinks.get' },
  {
    created: { on: 'paymentLinks.create', keep: ['amountAgorot'] },
    sent: { on: 'paymentLinks.send' },
    cancelled: { on: 'paymentLinks.cancel' },
  },
)
