import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'requests.see': 230, 'requests.make': 231 })

defineErrors({ 'requests.ended': 409, 'requests.nothingOpen': 409 })
