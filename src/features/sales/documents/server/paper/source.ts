import type { Day } from '#domain/day.ts'
import type { LanguageCode } from '#domain/languages.ts'
import type { BusinessKind, DocumentTypeName, PaymentMeans } from '#domain/documents/kinds.ts'
import type { VatGround } from '#domain/vat/grounds.ts'
import type { Agorot, BasisPoints } from '#domain/money.ts'
import type { Decimal4 } from '#domain/quantity.ts'

/*
 * The input of the layout, in plain terms: no database rows, no clock. Amounts are hundredths of the document's
 * currency, quantities and prices ten-thousandths, rates hundredths of a per cent, days 'YYYY-MM-DD', moments Dates.
 */

export interface PaperSource {
  readonly document: SourceDocument
  readonly lines: readonly SourceLine[]
  /** Left out for documents without amounts: delivery notes without prices. */
  readonly totals?: SourceTotals
  readonly payments?: SourcePayments
  readonly business: SourceBusiness
  readonly customer?: SourceParty
  readonly settings: PaperSettings
  readonly variant: PaperVariant
  /** Words of the document's language by key; left out, those of text/paper.<language>.json. */
  readonly words?: PaperWords
}

export type PaperWords = Readonly<Record<string, string>>

export interface SourceDocument {
  readonly type: DocumentTypeName
  /**
   * A legal synonym printed instead of the type's own title: 'transactionAccount', 'billingAccount',
   * 'priceQuoteRequest', or a word of the business.
   */
  readonly titleKey?: string
  readonly title?: string
  /** The printed number; null while a draft. */
  readonly number: string | null
  readonly date: Day
  /**
   * The moment of issue (for a draft: of its last change). It goes into the file, so it must not be 'now':
   * the same document gives the same bytes.
   */
  readonly madeAt: Date
  readonly language: LanguageCode
  /** ISO 4217. */
  readonly currency: string
  readonly dueDate?: Day
  readonly paidOn?: Day
  readonly validUntil?: Day
  readonly wantedBy?: Day
  readonly terms?: string
  /** The customer's own order number. */
  readonly customerReference?: string
  /** Where the goods go, line by line. */
  readonly deliverTo?: readonly string[]
  /** Documents this one follows, already in words or numbers: 'תעודת משלוח 2084'. */
  readonly sources?: readonly string[]
  readonly donationNumber?: string
  /** The business's own words about section 46, in place of the usual sentence. */
  readonly section46?: string
  /** Further facts for the head of the page; at most six are printed in all. */
  readonly facts?: readonly { readonly label: string; readonly value: string }[]
  readonly notesAbove?: string
  readonly notesBelow?: readonly string[]
  readonly allocation?:
    | { readonly state: 'granted'; readonly number: string }
    | { readonly state: 'refused' | 'reverseCharge' | 'waiting' }
  /** What a credit invoice credits. */
  readonly credits?: {
    readonly type: DocumentTypeName
    readonly number: string
    readonly date: Day
    readonly allocationNumber?: string
    readonly reason?: string
    readonly left?: Agorot
  }
  /** Why it bears no VAT, by the places of the law. */
  readonly grounds?: readonly VatGround[]
  /** A receipt that gives money back, and why. */
  readonly givesBack?: { readonly reason: string }
  /** Number of the document that cancelled this one. */
  readonly cancelledBy?: string
  /**
   * Rate of one unit of the document's currency in shekels, up to six decimals, and the amounts in agorot of the
   * shekel.
   */
  readonly exchange?: {
    readonly rate: string
    /**
     * Who published it (the Bank of Israel, the business itself), or that a person wrote it; left out where
     * nobody noted it.
     */
    readonly source?: 'bank' | 'own' | 'typed'
    /** The day it was published for. */
    readonly date: Day | null
    readonly beforeVat: Agorot
    readonly vat: Agorot
    readonly total: Agorot
  }
}

export type PaperVatClass = 'standard' | 'zero' | 'exempt' | 'deposit'

export interface SourceLine {
  /** A heading has only a name. */
  readonly kind?: 'line' | 'heading'
  readonly name: string
  readonly text?: string
  readonly sku?: string
  readonly quantity: Decimal4
  readonly unit?: string
  readonly unitPrice: Decimal4
  readonly discount?: BasisPoints
  /** In place of a percentage. */
  readonly discountSum?: Agorot
  readonly vat: PaperVatClass
  /** After the line's discount, before the document's. */
  readonly total: Agorot
  /** Offered outside the total: prints the word 'option' in place of the total. */
  readonly optional?: boolean
  readonly ordered?: Decimal4
  readonly left?: Decimal4
}

export interface SourceTotals {
  /** Sum of the line totals. */
  readonly subtotal: Agorot
  /** Positive; printed as a deduction. `rate` when it was given as a rate. */
  readonly discount?: { readonly amount: Agorot; readonly rate?: BasisPoints }
  /** Left out for businesses without VAT. */
  readonly beforeVat?: Agorot
  readonly vatRate?: BasisPoints
  readonly vat?: Agorot
  readonly rounding?: Agorot
  readonly total: Agorot
  /** After discount, by class; the table is printed when there is more than one. */
  readonly classes?: readonly {
    readonly kind: PaperVatClass
    readonly base: Agorot
    readonly rate?: BasisPoints
    readonly vat?: Agorot
  }[]
}

export interface SourcePayment {
  readonly means: PaymentMeans
  readonly bank?: string
  readonly branch?: string
  readonly account?: string
  /** Cheque, approval or transfer number. */
  readonly number?: string
  readonly due?: Day
  readonly amount: Agorot
  readonly card?: { readonly brand: string; readonly lastDigits: string; readonly instalments?: number }
  /** Anything else to say of it: the name of the payment app. */
  readonly details?: string
}

export interface SourcePayments {
  readonly rows: readonly SourcePayment[]
  /** Sum of the rows. */
  readonly received: Agorot
  readonly withheld?: { readonly amount: Agorot; readonly rate?: BasisPoints }
  /** Positive: more than was due; negative: less. */
  readonly difference?: Agorot
  /** Received plus withheld. */
  readonly credited: Agorot
  /** Handed back in cash; slip only. Positive. */
  readonly change?: Agorot
  /** What is paid for: the documents a receipt closes. */
  readonly closes?: readonly {
    readonly document: string
    readonly date?: Day
    readonly total?: Agorot
    readonly paid: Agorot
  }[]
}

export interface SourceBusiness {
  readonly name: string
  /** Its papers are nobody's: they say so across the whole page. */
  readonly isTest?: boolean
  /** The name in the document's language, where the business keeps one. */
  readonly nameInLanguage?: string
  readonly kind: BusinessKind
  readonly taxId: string
  readonly address: readonly string[]
  readonly phone?: string
  readonly email?: string
  readonly website?: string
  /** PNG or JPEG. Anything else is left out, never an error. */
  readonly logo?: Uint8Array
  /** Signed by hand: PNG or JPEG, printed above the seal. Anything else is left out. */
  readonly signature?: Uint8Array
  readonly bank?: {
    readonly bank: string
    readonly branch: string
    readonly account: string
    readonly iban?: string
    readonly swift?: string
  }
  /** Where money is to be sent, in the business's own words and lines; printed where there is no `bank`. */
  readonly bankDetails?: string
  /** Of the account for money from abroad; printed below `bankDetails`. */
  readonly iban?: string
  readonly swift?: string
}

export interface SourceParty {
  readonly name: string
  readonly contact?: string
  readonly address?: readonly string[]
  readonly phone?: string
  readonly email?: string
  readonly taxId?: {
    readonly kind:
      | 'licensedDealer'
      | 'exemptDealer'
      | 'company'
      | 'partnership'
      | 'nonProfit'
      | 'idNumber'
      | 'companyNumber'
      | 'foreign'
    readonly number: string
  }
}

export type PaperLayout = 'classic' | 'modern' | 'compact' | 'slip'

export interface PaperSettings {
  readonly layout?: PaperLayout
  /** '#rrggbb'; anything else falls back to the house's green. */
  readonly accent?: string
  /** A separate column for the SKU instead of grey under the name. */
  readonly skuColumn?: boolean
  readonly density?: 'normal' | 'dense'
  readonly showPrices?: boolean
  readonly showBank?: boolean
  /** Short public link at which the document can be paid; printed and drawn as a QR code. */
  readonly payLink?: string
  readonly showQr?: boolean
  readonly signatureBox?: boolean
  /** Link at which a quote can be accepted. */
  readonly acceptLink?: string
  /**
   * A signature already given by hand: the signer's name and the moment; the drawing itself is put on the
   * file afterwards.
   */
  readonly signedBy?: { readonly name: string; readonly at: Date }
  /** 'Made with Pinkas' at the foot; on unless false. */
  readonly showPinkas?: boolean
  /** Under whose name the business uses the product; the product's own when absent. */
  readonly brandName?: string | undefined
  /** The till and who stood at it; slip only. */
  readonly till?: string
  /** A kind last line of a slip. */
  readonly slipGoodbye?: string
}

export interface PaperVariant {
  /**
   * 'original' is printed once in a document's life; 'plain' is for a picture on the screen and for kinds
   * that carry no mark.
   */
  readonly mark: 'original' | 'copy' | 'certifiedCopy' | 'draft' | 'cancelled' | 'plain'
  /** Overrides the settings: the 80 mm slip of a document that is otherwise classic. */
  readonly layout?: PaperLayout
  /** Given only when the file will really be sealed. The words come from the kind of certificate. */
  readonly seal?: {
    readonly kind: 'plain' | 'secure' | 'qualified'
    readonly by: string
    readonly at: Date
    readonly verifyLink?: string
  }
}
