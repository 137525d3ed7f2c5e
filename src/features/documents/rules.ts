import { defineErrors } from '../../kit/describe/errors.ts'
import { defineRules } from '../../kit/describe/session.ts'

defineRules({
  'documents.see': 30,
  'documents.draft': 31,
  'documents.issue': 32,
  'documents.cancel': 33,
  'documents.send': 34,
  'reports.sales': 60,
  'reports.debts': 61,
})

defineErrors({
  'documents.kindMayNotIssue': 422,
  'documents.typeNotMade': 422,
  'documents.typeNotAllowed': 403,
  'documents.notDraft': 409,
  'documents.stillDraft': 409,
  'documents.alreadyCancelled': 409,
  'documents.cannotCancel': 422,
  'documents.dateInFuture': 422,
  'documents.dateInLockedPeriod': 422,
  'documents.dateBeforeLastOfSeries': 422,
  'documents.noRate': 422,
  'documents.noCustomer': 422,
  'documents.zeroTotal': 422,
  'documents.frozen': 409,
  'documents.paymentsDiffer': 422,
  'documents.noPayments': 422,
  'documents.paymentsMixed': 422,
  'documents.takesTooMuch': 422,
  'documents.creditsTooMuch': 422,
  'documents.closesTooMuch': 422,
  'documents.notSettled': 409,
  'documents.handNumberTaken': 422,
  'documents.cannotConvert': 422,
  'documents.nothingLeft': 422,
  'payments.cashAboveLimit': 422,
  'documents.onlyToCustomer': 403,
  'documents.mailTooLarge': 422,
  'documents.badSignature': 422,
  'documents.noSignature': 409,
})
