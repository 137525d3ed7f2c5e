import { defineArea } from '#kit/describe/area.ts'
import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({
  'time.clock': 261,
  'time.team': 262,
  'time.approve': 263,
  'time.charge': 264,
  'time.settings': 265,
  'time.pay': 310,
})

// Who has nobody to clock needs none of it.
defineArea('time', {
  rules: ['time.clock', 'time.team', 'time.approve', 'time.charge', 'time.settings', 'time.pay'],
  fits: [],
  begins: [],
  rows: ['clockings'],
  isAsked: true,
  href: '/time/main',
  order: 96,
})

defineErrors({
  'time.signed': 409,
  'time.overlap': 409,
  'time.notOpen': 409,
  'time.isOpen': 409,
  'time.ahead': 422,
  'time.tooOld': 422,
  'time.tooLong': 422,
  'time.endFirst': 422,
  'time.bornAfter': 422,
  'time.decided': 409,
  'time.asked': 409,
  'time.nothing': 422,
  'time.stillOpen': 409,
  'time.monthRuns': 409,
  'time.notSigned': 409,
})
