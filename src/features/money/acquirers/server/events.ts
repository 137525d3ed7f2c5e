import { defineEvents } from '#kit/describe/event.ts'

// What an acquirer says has no line in the log; each line of the charge's own history tells it.
defineEvents(
  'charge',
  { entity: 'cardCharges', see: 'cardCharges.get' },
  {
    paid: { on: 'cardCharges.paid', keep: ['agorot'] },
    declined: { on: 'cardCharges.declined', keep: ['code'] },
    lapsed: { on: 'cardCharges.lapsed' },
    disputed: { on: 'cardCharges.disputed', keep: ['agorot'] },
    givenBack: { on: 'cardCharges.givenBack', keep: ['agorot'] },
    refundRefused: { on: 'cardCharges.refundRefused', keep: ['agorot', 'code'] },
    paperFailed: { on: 'cardCharges.paperFailed', keep: ['code'] },
  },
)
