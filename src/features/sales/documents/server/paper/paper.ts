import type { LanguageCode } from '#domain/languages.ts'
import type { Accent } from '#kit/server/paper/accent.ts'
import type { PaperLayout } from './source.ts'

/*
 * A document as it will be read: every word and figure already text, nothing left to decide but its position. Texts
 * carry their own isolates (domain/bidi); `code` texts are read left to right in any language.
 */

export interface DocumentPaper {
  readonly layout: PaperLayout
  readonly language: LanguageCode
  readonly direction: 'rtl' | 'ltr'
  readonly dense: boolean
  readonly accent: Accent
  /** Title and author of the file itself. */
  readonly fileTitle: string
  readonly author: string
  /** Year, month, day, hour, minute, second by the clock of Jerusalem: the date inside the file. */
  readonly madeAt: readonly number[]
  readonly title: string
  readonly titleHebrew: string | null
  readonly numberLabel: string
  readonly number: string | null
  readonly mark: {
    readonly kind: 'original' | 'copy' | 'certifiedCopy' | 'draft' | 'cancelled'
    readonly text: string
    readonly hebrew: string | null
  } | null
  readonly computerised: { readonly text: string; readonly hebrew: string | null } | null
  /** The diagonal word behind a draft. */
  readonly watermark: string | null
  readonly business: {
    readonly name: string
    readonly lines: readonly string[]
    readonly contact: readonly string[]
  }
  readonly logo: Uint8Array | null
  readonly handSignature: { readonly picture: Uint8Array; readonly label: string } | null
  readonly fromLabel: string
  readonly customer: {
    readonly label: string
    readonly name: string
    readonly lines: readonly string[]
  } | null
  /** Where the goods go, under the customer. */
  readonly deliverTo: { readonly label: string; readonly lines: readonly string[] } | null
  readonly facts: readonly PaperFact[]
  readonly allocation: { readonly label: string; readonly number: string } | null
  /** Sum and due date at a glance (modern), only where something is to be paid. */
  readonly hero: { readonly sum: string; readonly words: string } | null
  /** The washed panel of a credit. */
  readonly notice: string | null
  readonly opening: string | null
  readonly columns: readonly PaperColumn[]
  readonly lines: readonly PaperLine[]
  readonly carry: { readonly forward: string; readonly brought: string }
  readonly totals: readonly PaperSum[]
  readonly vatTable: PaperTable | null
  readonly currencyTable: PaperTable | null
  /** The lines of a receipt. */
  readonly sold: PaperTable | null
  /** The documents that a receipt pays. */
  readonly paid: PaperTable | null
  readonly payments: PaperPayments | null
  readonly settled: readonly PaperSum[]
  readonly notesHeading: string
  readonly notes: readonly { readonly text: string; readonly strong: boolean }[]
  /**
   * `link` is one too long for the panel: it is under it on a separate line, and opens when it is clicked.
   */
  readonly pay: {
    readonly heading: string
    readonly rows: readonly PaperFact[]
    readonly link: (PaperFact & { readonly url: string }) | null
    readonly qr: readonly string[] | null
  } | null
  readonly signature: {
    readonly heading: string
    readonly sentence: string
    readonly lines: readonly { readonly label: string; readonly value: string | null }[]
  } | null
  readonly seal: { readonly heading: string; readonly lines: readonly string[] } | null
  readonly footer: { readonly pieces: readonly string[]; readonly page: string }
  /** The slip's one-line payments, change included. */
  readonly slipPayments: readonly PaperFact[]
  /** What only the 80 mm slip says. */
  readonly slip: {
    readonly facts: readonly PaperFact[]
    readonly qr: readonly string[] | null
    readonly closing: readonly string[]
  }
}

export interface PaperFact {
  readonly label: string
  readonly value: string
}

export type ColumnKey =
  | 'n'
  | 'sku'
  | 'description'
  | 'quantity'
  | 'unit'
  | 'ordered'
  | 'left'
  | 'price'
  | 'discount'
  | 'vat'
  | 'total'

export interface PaperColumn {
  readonly key: ColumnKey
  readonly label: string
}

export interface PaperLine {
  readonly heading?: true
  /** Running number of the line. */
  readonly n?: string
  readonly name: string
  readonly text?: string
  readonly sku?: string
  readonly quantity?: string
  readonly unit?: string
  readonly ordered?: string
  readonly left?: string
  readonly price?: string
  readonly discount?: string
  readonly vat?: string
  readonly total?: string
  /** The total is a word, not a sum. */
  readonly option?: true
  /** Sum of the lines up to and including this one. */
  readonly carried: string
}

export interface PaperSum {
  readonly label: string
  readonly value: string
  readonly rank: 'plain' | 'strong' | 'grand'
}

export interface PaperTable {
  readonly heading: string
  readonly columns: readonly { readonly label: string; readonly kind: 'text' | 'number' }[]
  readonly rows: readonly { readonly cells: readonly string[]; readonly strong?: true }[]
}

export interface PaperPayments {
  readonly heading: string
  /** Means, bank, branch, account, number, due, sum. */
  readonly columns: readonly string[]
  readonly rows: readonly {
    readonly means: string
    /** Printed above bank, branch and account: what a card or an app says instead. */
    readonly details: string | null
    readonly bank: string
    readonly branch: string
    readonly account: string
    readonly number: string
    readonly due: string
    readonly sum: string
  }[]
}
