import { vatShares } from '../law/vatShares.ts'

/** How much of its VAT an expense deducts; the parts themselves are law. */
export type VatShare = keyof typeof vatShares
export const vatShareNames = Object.keys(vatShares) as [VatShare, ...VatShare[]]

/**
 * What the paper is. Only papers the law names carry input VAT (VAT law, section 38): a tax invoice, an
 * import entry, a Palestinian supplier's invoice, another document by law (bank, toll road), petty cash, the
 * buyer's own self-invoice; a receipt alone carries none.
 */
export const papers = {
  taxInvoice: { carriesVat: true, mayNeedAllocation: true },
  receipt: { carriesVat: false, mayNeedAllocation: false },
  import: { carriesVat: true, mayNeedAllocation: false },
  palestinian: { carriesVat: true, mayNeedAllocation: false },
  byLaw: { carriesVat: true, mayNeedAllocation: false },
  pettyCash: { carriesVat: true, mayNeedAllocation: false },
  selfInvoice: { carriesVat: true, mayNeedAllocation: false },
} as const satisfies Record<string, { carriesVat: boolean; mayNeedAllocation: boolean }>
export type ExpensePaper = keyof typeof papers
export const paperNames = Object.keys(papers) as [ExpensePaper, ...ExpensePaper[]]

/**
 * The buyer owes its VAT to the authority in the seller's stead (VAT regulations, 6a to 6e): the seller is
 * owed the sum without it.
 */
export const isSelfInvoice = (paper: ExpensePaper): boolean => paper === 'selfInvoice'
