import { defineArea, trades } from '#kit/describe/area.ts'
import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

const rules = defineRules({
  'calendar.see': 300,
  'calendar.change': 301,
  'calendar.setUp': 302,
  // Own classes: a trainer's day, attendance and swaps.
  'calendar.own': 303,
  'calendar.desk': 304,
  // Lets somebody in against the rules, and says why.
  'calendar.override': 305,
  'calendar.pay': 306,
  'passes.see': 307,
  'passes.change': 308,
})

defineArea('calendar', {
  rules: Object.keys(rules),
  fits: ['studio', 'services'],
  begins: ['studio'],
  rows: ['classes'],
  href: '/invoice/calander',
  order: 16,
})

defineArea('classes', {
  rules: [],
  fits: trades,
  begins: ['studio'],
  rows: ['class_groups', 'pass_kinds'],
  href: '/invoice/calandergroups',
  order: 17,
})

defineErrors({
  // With what is in the way.
  'classes.conflict': 409,
  'classes.moved': 409,
  'classes.isCancelled': 409,
  'classes.seatsTaken': 409,
  'classes.noDays': 422,
  'classes.inUse': 409,
  'classes.backwards': 422,
  'outsideCalendars.badAddress': 422,
  'outsideCalendars.privateAddress': 422,
  'outsideCalendars.ours': 422,
  'outsideCalendars.most': 409,
  'outsideCalendars.isFile': 409,
  'outsideCalendars.notCalendar': 422,
  'outsideCalendars.tooMany': 422,
})
