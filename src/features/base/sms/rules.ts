import { defineErrors } from '#kit/describe/errors.ts'

defineErrors({ 'sms.notMobile': 422, 'sms.needKey': 422, 'sms.refused': 502 })
