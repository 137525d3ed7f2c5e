import { defineErrors } from '#kit/describe/errors.ts'

defineErrors({
  'trade.keys': 401,
  'trade.currency': 422,
  'trade.customer': 422,
  'trade.orderSum': 422,
  'trade.noCall': 404,
  'trade.createDocument': 410,
  'trade.companyByPerson': 403,
})
