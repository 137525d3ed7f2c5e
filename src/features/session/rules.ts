import { defineErrors } from '../../kit/describe/errors.ts'

defineErrors({
  'session.wrongPassword': 401,
  'session.wrongCode': 422,
  'session.linkEnded': 422,
  'session.emailTaken': 422,
  'session.termsNeeded': 422,
  'session.googleOff': 422,
  'session.smsOff': 422,
  'session.noFactor': 409,
})
