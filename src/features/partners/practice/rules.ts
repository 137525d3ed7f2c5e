import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

/** To work in the office: what one may with a client is what the client agreed to. */
defineRules({ 'practice.use': 260 })

defineErrors({
  'practice.haveOne': 409,
  'practice.managerOnly': 403,
  'practice.linkEnded': 422,
  'practice.ownOffice': 422,
  'practice.notOwner': 403,
  'practice.monthAhead': 422,
  'practice.lineStops': 409,
  'practice.notSigned': 409,
  'practice.nothingMissing': 409,
  'practice.noMail': 422,
  'practice.noVat': 409,
  'practice.nothingToFile': 409,
  'practice.notClosed': 409,
})
