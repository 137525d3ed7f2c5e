import { defineArea } from '#kit/describe/area.ts'
import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

const rules = defineRules({
  'signing.see': 290,
  'signing.send': 291,
  // Of everybody; without it one sees what one sent oneself.
  'signing.all': 292,
  'signing.recall': 293,
  'signing.templates': 294,
  'signing.settings': 295,
})

defineArea('signing', {
  rules: Object.keys(rules),
  fits: ['services', 'contractor', 'studio', 'office'],
  href: '/invoice/signtemplates',
  order: 25,
})

defineErrors({
  'signing.notPdf': 422,
  'signing.broken': 422,
  'signing.locked': 422,
  'signing.active': 422,
  'signing.tooLong': 422,
  'signing.xfa': 422,
  'signing.signedAlready': 422,
  'signing.cannotSeal': 422,
  'signing.isSent': 409,
  'signing.moved': 409,
  'signing.hasEnded': 409,
  'signing.noFields': 422,
  'signing.fieldOutside': 422,
  'signing.fieldSmall': 422,
  'signing.noRole': 422,
  'signing.roleEmpty': 422,
  'signing.roleUnknown': 422,
  'signing.needSignature': 422,
  'signing.needOptions': 422,
  'signing.doubleField': 422,
  'signing.noWay': 422,
  'signing.codeNeedsWay': 422,
  'signing.loginNeedsMail': 422,
  'signing.dayPast': 422,
  'signing.notYourTurn': 409,
  'signing.done': 409,
  'signing.needCode': 403,
  'signing.wrongCode': 422,
  'signing.codeEnded': 422,
  'signing.needLogin': 403,
  'signing.wrongLogin': 403,
  'signing.unprintable': 422,
  'signing.badPicture': 422,
  'signing.badFile': 422,
  'signing.notDigits': 422,
  'signing.notLetters': 422,
  'signing.closed': 409,
  'signing.full': 409,
  'signing.tsa': 422,
  'signing.tsaAddress': 422,
  'signing.tooMany': 422,
  'signing.notSealed': 409,
})
