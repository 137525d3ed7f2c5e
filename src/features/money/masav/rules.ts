import { defineArea } from '#kit/describe/area.ts'
import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'masav.see': 104, 'masav.make': 105 })

defineArea('masav', {
  rules: ['masav.see', 'masav.make'],
  fits: ['contractor', 'office', 'committee', 'nonProfit'],
  begins: [],
  rows: ['masav_runs'],
  href: '/invoice/masavrun',
  order: 50,
})

defineErrors({
  'masav.noSettings': 409,
  'masav.refused': 422,
  'masav.noBank': 422,
  'masav.foreign': 422,
  'masav.noMandate': 422,
  'masav.aboveCeiling': 422,
  'masav.nothingToPay': 422,
  'masav.alreadyReturned': 409,
  'masav.alreadyCollected': 409,
  'masav.notDueYet': 409,
  'masav.undone': 409,
  'masav.cameBack': 409,
  'masav.unreadable': 422,
  'masav.badBank': 422,
  'masav.badBranch': 422,
  'masav.badAccount': 422,
})
