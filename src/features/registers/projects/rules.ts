import { defineArea } from '#kit/describe/area.ts'
import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'projects.see': 24, 'projects.change': 25 })

defineArea('projects', {
  rules: ['projects.see', 'projects.change'],
  fits: ['services', 'contractor', 'office'],
  begins: ['contractor', 'office'],
  rows: ['projects'],
  href: '/invoice/projectItems',
  order: 10,
})

defineErrors({ 'projects.closed': 422 })
