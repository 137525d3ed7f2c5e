import { defineArea, trades } from '#kit/describe/area.ts'
import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'ledger.see': 70, 'ledger.change': 71, 'reports.accounting': 72 })

defineArea('books', {
  rules: [],
  fits: trades,
  begins: [],
  rows: ['journal_batches', 'locked_periods'],
  href: '/invoice/cardskarteset',
  order: 35,
})

defineErrors({
  'ledger.periodClosed': 422,
  'ledger.notBalanced': 422,
  'ledger.noAccount': 422,
  'ledger.controlAccount': 422,
  'ledger.otherCurrency': 422,
  'ledger.systemAccount': 422,
  'ledger.hasBalance': 422,
  'ledger.kindPosted': 422,
  'ledger.outOfRange': 422,
  'ledger.rangeTurned': 422,
  'ledger.belowItself': 422,
  'ledger.codeInUse': 422,
  'ledger.unknownCode': 422,
  'ledger.termTwice': 409,
  'ledger.csvEmpty': 422,
  'ledger.csvRow': 422,
})
