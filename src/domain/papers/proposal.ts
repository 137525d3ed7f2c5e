import type { Agorot } from '../money.ts'
import type { Day } from '../day.ts'

/** A word and its position on a page: in the page's units, the origin at the upper left. */
export interface PaperWord {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
  /** 0 to 1: how sure the reader of letters was; text out of a PDF is 1. */
  readonly confidence: number
}

export interface PaperPage {
  readonly width: number
  readonly height: number
  readonly words: readonly PaperWord[]
}

/**
 * A spot on a page, in thousandths of the page's width and height, so that it holds for a picture of any
 * size. `page` counts from 0.
 */
export interface Spot {
  readonly page: number
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

/** Why a value was taken; a word key of the screen that shows it. */
export type Reason =
  | 'exact'
  | 'label'
  | 'labelAndArithmetic'
  | 'arithmetic'
  | 'position'
  | 'memory'
  | 'checkDigit'
  | 'computed'

export interface Guess<T> {
  readonly value: T
  /** 0 to 1. */
  readonly confidence: number
  readonly reason: Reason
  /** Empty when the value is not printed and was calculated. */
  readonly spots: readonly Spot[]
}

export const documentKinds = ['taxInvoice', 'invoiceReceipt', 'receipt', 'credit', 'request'] as const
/** `request` is a demand for payment (proforma), which gives no right to deduct input VAT. */
export type PaperKind = (typeof documentKinds)[number]

/** What a bill seems to say. Amounts are as printed, without a sign: the kind says that it is a credit. */
export interface Proposal {
  readonly supplierName?: Guess<string>
  /** Nine digits with a right check digit. */
  readonly supplierTaxId?: Guess<string>
  /** The number printed beside who the bill is addressed to. */
  readonly buyerTaxId?: Guess<string>
  readonly number?: Guess<string>
  readonly day?: Guess<Day>
  readonly dueDay?: Guess<Day>
  readonly net?: Guess<Agorot>
  readonly vat?: Guess<Agorot>
  readonly total?: Guess<Agorot>
  /** What was paid before this bill, and is in its total. */
  readonly prepaid?: Guess<Agorot>
  /** The business that reads is the one who issued it. */
  readonly ownDocument?: Guess<boolean>
  /** ISO 4217. */
  readonly currency?: Guess<string>
  readonly allocationNumber?: Guess<string>
  readonly documentKind?: Guess<PaperKind>
}

export const proposalFields = [
  'supplierName',
  'supplierTaxId',
  'buyerTaxId',
  'number',
  'day',
  'dueDay',
  'net',
  'vat',
  'total',
  'prepaid',
  'currency',
  'allocationNumber',
  'documentKind',
] as const satisfies readonly (keyof Proposal)[]
export type ProposalField = (typeof proposalFields)[number]

/**
 * What was learned from the bills of a supplier: the name as people write it, and the positions of values.
 */
export interface PaperMemory {
  readonly taxId?: string | undefined
  readonly name?: string | undefined
  readonly spots?: Readonly<Partial<Record<ProposalField, Spot>>> | undefined
}

export interface ReadOptions {
  readonly today: Day
  /**
   * The number of the business that reads: it is on most bills as the buyer's and is never the supplier's.
   */
  readonly ownTaxId?: string | undefined
  readonly ownName?: string | undefined
  readonly memories?: readonly PaperMemory[] | undefined
}
