import { described, type DocumentTypeFacts, type DocumentTypeName } from '#domain/documents/kinds.ts'
import type { Posting } from '#domain/ledger/entry.ts'
import type { PaidAmounts } from '#domain/ledger/posting.ts'

/** A part of the editor, and of the paper. */
export type DocumentPart =
  | 'customer'
  | 'supplier'
  | 'dates'
  | 'validUntil'
  | 'deliverTo'
  | 'lines'
  | 'discount'
  | 'payments'
  | 'closes'
  | 'notes'
  | 'original'
  | 'reason'

/** The accounts a paper may post to, resolved to ids. */
export interface PaperAccounts {
  customers: string
  /** The customer of the paper. */
  party: string
  outputVat: string
  rounding: string
  trustDeposits: string
}

export interface PaperEntry {
  /** What the entry is called on a card; the type's own name when absent. */
  kind?: 'receipt'
  postings: Posting[]
}

/**
 * What a document type is, as data; editor, numbering, menus, rights, paper, ledger and uniform file read it.
 */
export interface DocumentType extends Pick<DocumentTypeFacts, 'asks' | 'incomeItself'> {
  name: DocumentTypeName
  /** The running numbers it takes part in. */
  series: string
  /** Parts of the editor; `linesOptional` where it may do without lines. */
  parts: readonly DocumentPart[]
  linesOptional?: boolean
  /** Goods go with it: the customer's place for deliveries is printed by default. */
  delivers?: boolean
  /** Its goods are promised for a day: that is what its `validUntil` says. */
  promises?: boolean
  /** 0 where `debt` of its facts is left out. */
  debt: 1 | -1 | 0
  /**
   * It is a supplier's bill: the expense that comes with it is posted and owed, until the document's due day.
   */
  isBill?: boolean
  mayNeedAllocation: boolean
  /** The area it belongs to: while that is off none is begun; what was issued stays, and can be cancelled. */
  area?: string
  /** The types it may be made from. */
  follows: readonly DocumentTypeName[]
  /**
   * The type that cancels it by offsetting it; a type without one and without an entry is simply marked as
   * cancelled.
   */
  cancelledBy?: DocumentTypeName
  /** A document of its type with negated amounts cancels it. */
  cancelledByItself?: boolean
  /**
   * Its entries in the books, in agorot of the shekel, and whether its money is at once its income; nothing
   * for papers that move no money.
   */
  posts?: (amounts: PaidAmounts, accounts: PaperAccounts, isIncome: boolean) => PaperEntry[]
}

/** Completes the description of a type by the facts of its name in `domain/documents/kinds.ts`. */
export function defineDocumentType(type: Omit<DocumentType, 'debt' | 'asks' | 'incomeItself'>): DocumentType {
  const { debt = 0, asks, incomeItself } = described(type.name)
  return { ...type, debt, ...(asks && { asks }), ...(incomeItself && { incomeItself }) }
}
