import { defineErrors } from '#kit/describe/errors.ts'

defineErrors({
  'trade.keys': 401,
  'trade.currency': 422,
  'trade.customer': 422,
  'trade.orderSum': 422,
  'trade.payCredit': 422,
  'trade.fileAddress': 422,
  'trade.fileNotGot': 422,
  'trade.fileInTest': 422,
  'trade.ofDraft': 422,
  'trade.onlyCharge': 422,
  'trade.alwaysPaper': 422,
  'trade.payerChooses': 422,
  'trade.noCall': 404,
  'trade.createDocument': 410,
  'trade.companyByPerson': 403,
})
