import { defineEvents } from '#kit/describe/event.ts'

defineEvents(
  'payment',
  { entity: 'payments', see: 'payments.get' },
  {
    bounced: { on: 'payments.bounce', keep: ['amountAgorot'] },
    givenBack: { on: 'payments.giveBack', keep: ['amountAgorot'] },
    returnUndone: { on: 'payments.undoReturn' },
  },
)
