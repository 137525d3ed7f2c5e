import { defineArea } from '#kit/describe/area.ts'
import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

const rules = defineRules({
  'leads.see': 205,
  'leads.team': 206,
  'leads.all': 207,
  'leads.change': 208,
  'leads.setUp': 209,
  'leads.handOver': 210,
  'leads.export': 211,
})

defineArea('leads', {
  rules: Object.keys(rules),
  fits: ['services', 'contractor', 'studio', 'office'],
  begins: ['contractor', 'studio', 'office'],
  rows: ['leads'],
  href: '/invoice/invoiceLeadsManager',
  order: 15,
})

defineErrors({
  // With the lead as it is now.
  'leads.moved': 409,
  // What makes a customer asks for more than a place in a column.
  'leads.winFirst': 409,
  'leads.isClosed': 409,
  'leads.stageInUse': 409,
  'leads.needsStages': 422,
  'leads.wrongKind': 422,
  'leads.nobodyThere': 409,
  'leads.decided': 409,
  'leads.badVerify': 403,
  'leads.badSignature': 401,
})
