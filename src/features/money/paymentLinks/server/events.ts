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

// What a customer says on the customer's own page.
defineEvents(
  'quote',
  { entity: 'documents', see: 'documents.get' },
  {
    accepted: { on: 'quotes.accepted' },
    declined: { on: 'quotes.declined' },
    commented: { on: 'quotes.comment', keep: ['comment'] },
  },
)
