import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'supplierPayments.see': 37, 'supplierPayments.change': 38 })
defineErrors({ 'supplierPayments.noMail': 422 })
