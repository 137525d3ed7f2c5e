import { defineErrors } from '#kit/describe/errors.ts'

defineErrors({
  // Not 401: that means 'no session' and would send the caller out and the client round again.
  'session.wrongPassword': 422,
  'session.wrongCode': 422,
  'session.codeEnded': 422,
  'session.linkEnded': 422,
  'session.emailTaken': 422,
  'session.passwordCommon': 422,
  'session.passwordNames': 422,
  'session.termsNeeded': 422,
  'session.googleOff': 422,
  'session.googleRefused': 422,
  'session.googleUnknown': 422,
  'session.googleAway': 503,
  'session.noFactor': 409,
  'session.autoUnknown': 422,
  'session.autoUsed': 422,
  'session.autoEnded': 422,
  'session.autoOther': 409,
  'session.autoShut': 422,
})
