/**
 * What entries come of; 'opening' is also the line that carries what was before. The words are
 * `ledger.kinds.<kind>`.
 */
export const entryKinds = [
  'opening',
  'taxInvoice',
  'creditInvoice',
  'receipt',
  'taxInvoiceReceipt',
  'donationReceipt',
  'depositReceipt',
  'selfBilledInvoice',
  'exchangeDifference',
  'deposit',
  'bounced',
  'chequeGivenBack',
  'expense',
  'supplierPayment',
  'bankFee',
  'bankInterest',
  'bankTransfer',
  'bankLine',
  'depreciation',
  'assetDisposal',
  'revaluation',
  'revaluationBack',
  'vatPostponed',
  'vatSettlement',
  'stock',
  'uniform',
  'manual',
  'reversal',
  'merge',
] as const

/**
 * Kinds that were typed by hand and may be undone by their reversal alone: everything else is undone where it
 * came from.
 */
export const reversibleKinds: readonly string[] = ['manual', 'opening']
