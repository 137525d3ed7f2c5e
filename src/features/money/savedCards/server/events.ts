import { defineEvents } from '#kit/describe/event.ts'

defineEvents(
  'savedCard',
  { entity: 'savedCards', see: 'savedCards.get' },
  {
    added: { on: 'savedCards.add', keep: ['brand', 'last4', 'expiry'] },
    expiring: { on: 'savedCards.expiring', keep: ['days', 'expiry'] },
    removed: { on: 'savedCards.remove' },
  },
)
