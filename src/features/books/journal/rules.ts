import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'journal.enter': 73, 'journal.post': 74 })

defineErrors({
  'journal.closed': 409,
  'journal.notChecked': 409,
  'journal.faulty': 422,
  'journal.empty': 422,
  'journal.alreadyReversed': 409,
  'journal.notReversible': 422,
  'journal.openingPosted': 409,
  'journal.openingDifference': 422,
  'journal.openingCustomersDiffer': 422,
  'journal.openingSuppliersDiffer': 422,
  'journal.openingItemsUsed': 409,
  'journal.openingItemLate': 422,
  'journal.openingNoRate': 422,
  'journal.openingReceipts': 422,
  'journal.openingAllocation': 422,
  'journal.openingVatAccrual': 422,
  'journal.openingVatForeign': 422,
  'journal.openingVatTooMuch': 422,
  'journal.openingVatReported': 409,
  // At the cell.
  'journal.noAccount': 422,
  'journal.sameAccount': 422,
  'journal.noAmount': 422,
  'journal.vatTooMuch': 422,
  'journal.noVatAccount': 422,
  'journal.otherDay': 422,
  'journal.open': 422,
  'journal.unbalanced': 422,
  'journal.controlCustomers': 422,
  'journal.controlSuppliers': 422,
  'journal.periodClosed': 422,
  'journal.vatPeriodClosed': 422,
  'journal.accountGone': 422,
})
