import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'workers.see': 83, 'workers.change': 84 })

defineErrors({
  'team.lastOwner': 409,
  'team.beyondYours': 403,
  'team.limitBeyondYours': 422,
  'team.yourself': 409,
  // Asked again with `everything: true`.
  'team.clearPermissions': 422,
  'team.alreadyHere': 422,
  'team.linkEnded': 422,
  'team.otherPerson': 409,
  'team.notInvited': 409,
  'team.setInUse': 409,
  'team.setKnown': 422,
  'team.bySet': 409,
  'team.ownersOnly': 403,
  'team.factorFirst': 409,
})
