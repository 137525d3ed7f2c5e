import type { DocumentTypeName } from '../../domain/documents/kinds.ts'
import type { InvoiceAccounts, InvoiceAmounts } from '../../domain/ledger/posting.ts'
import type { Posting } from '../../domain/ledger/entry.ts'

/** What a document type is, as data; editor, numbering, menus, rights, paper, ledger and uniform file read it. */
export interface DocumentType {
  name: DocumentTypeName
  /** The running numbers it takes part in. */
  series: string
  /** Parts of the editor. */
  parts: readonly ('customer' | 'dates' | 'lines' | 'discount' | 'notes' | 'original' | 'reason')[]
  /** What it adds to what the customer owes: 1, -1 or nothing. */
  debt: 1 | -1 | 0
  mayNeedAllocation: boolean
  follows: readonly DocumentTypeName[]
  /** The type that cancels it. */
  cancelledBy?: DocumentTypeName
  /** Its entry in the books, in agorot of the shekel; nothing for papers that move no money. */
  posts?: (amounts: InvoiceAmounts, accounts: InvoiceAccounts) => Posting[]
}

export const defineDocumentType = (type: DocumentType): DocumentType => type
