/*
 * The fixed vocabularies of the product: numeric ids on the outside (stored session, docsAllow, paths, public
 * API), English names inside the code. Source of the ids: the product's specification; those marked "ours"
 * are our own.
 */

/**
 * What is known of a document type wherever documents are counted, posted or shown. A fact that is left out does not
 * hold. `facts.ts` names the sets of types that follow from these, for TypeScript and for SQL.
 */
export interface DocumentTypeFacts {
  readonly id: number
  /** The tax authority's code in the uniform file (Instructions 1.31, appendix 1); quotes have none. */
  readonly uniformCode: number | undefined
  readonly side: 'sales' | 'purchases'
  /** Counts for tax or proves a payment, so its date may not lie in the future. */
  readonly isTaxDocument: boolean
  /** It charges VAT, or takes charged VAT back. Only businesses registered for VAT may issue it. */
  readonly vat?: 'charged' | 'credited'
  /** The money that comes with it: for what was sold, as a donation, or held for its owner. */
  readonly money?: 'payment' | 'donation' | 'deposit'
  /** What its total adds to the debt of the customer: 1 adds it, -1 subtracts it. */
  readonly debt?: 1 | -1
  /**
   * Its money is its income: always, or for a business that charges no VAT. It then changes no debt, and its total is
   * its net.
   */
  readonly incomeItself?: 'always' | 'withoutVat'
  /** Its total is asked for, and becomes a debt only by the invoice or the receipt that follows. */
  readonly asks?: true
  /** How its goods move: to the customer, back from the customer, or in from the supplier. */
  readonly goods?: 'out' | 'back' | 'in'
}

/** Document types by name, in the order of their ids. */
export const documentTypes = {
  priceQuote: { id: 1, uniformCode: undefined, side: 'sales', isTaxDocument: false },
  order: { id: 2, uniformCode: 100, side: 'sales', isTaxDocument: false },
  deliveryNote: { id: 3, uniformCode: 200, side: 'sales', isTaxDocument: false, goods: 'out' },
  returnNote: { id: 4, uniformCode: 210, side: 'sales', isTaxDocument: false, goods: 'back' },
  paymentRequest: { id: 5, uniformCode: 300, side: 'sales', isTaxDocument: false, asks: true },
  receipt: {
    id: 6,
    uniformCode: 400,
    side: 'sales',
    isTaxDocument: true,
    money: 'payment',
    debt: -1,
    incomeItself: 'withoutVat',
  },
  purchaseOrder: { id: 7, uniformCode: 500, side: 'purchases', isTaxDocument: false },
  taxInvoice: {
    id: 8,
    uniformCode: 305,
    side: 'sales',
    isTaxDocument: true,
    vat: 'charged',
    debt: 1,
    goods: 'out',
  },
  taxInvoiceReceipt: {
    id: 9,
    uniformCode: 320,
    side: 'sales',
    isTaxDocument: true,
    vat: 'charged',
    money: 'payment',
    goods: 'out',
  },
  creditInvoice: {
    id: 10,
    uniformCode: 330,
    side: 'sales',
    isTaxDocument: true,
    vat: 'credited',
    debt: -1,
    goods: 'back',
  },
  donationReceipt: {
    id: 11,
    uniformCode: 405,
    side: 'sales',
    isTaxDocument: true,
    money: 'donation',
    incomeItself: 'always',
  },
  // The buyer writes it in the supplier's stead: in the buyer's file it is a purchase tax invoice.
  selfBilledInvoice: {
    id: 12,
    uniformCode: 700,
    side: 'purchases',
    isTaxDocument: true,
    vat: 'charged',
    goods: 'in',
  },
  goodsReceived: { id: 13, uniformCode: 600, side: 'purchases', isTaxDocument: false, goods: 'in' },
  // 410 is a payout of the cash desk and 420 a deposit at the bank; money taken on deposit from a customer is
  // a receipt.
  depositReceipt: { id: 14, uniformCode: 400, side: 'sales', isTaxDocument: true, money: 'deposit' },
} as const satisfies Record<string, DocumentTypeFacts>

export type DocumentTypeName = keyof typeof documentTypes
export type DocumentTypeId = (typeof documentTypes)[DocumentTypeName]['id']

export const documentTypeNames = Object.keys(documentTypes) as readonly DocumentTypeName[]

/** The description of a type, with every fact that any type may have. */
export const described = (type: DocumentTypeName): DocumentTypeFacts => documentTypes[type]

export function documentTypeById(id: number): DocumentTypeName | undefined {
  return documentTypeNames.find((name) => documentTypes[name].id === id)
}

/** Sub-types that change the label of a payment request to 'billing account (payment request)'. */
export const billingAccountSubTypes: readonly number[] = [1, 4, 5, 6, 8]

/** What one paper may be called in place of the name of its type. */
export const paperLabels = ['billingAccount', 'priceQuoteRequest'] as const
export type PaperLabel = (typeof paperLabels)[number]

/** The label its sub-type or its pro flag gives one paper; null: it is called by its type. */
export function labelOf({
  type,
  subType,
  pro,
}: {
  type: number
  subType: number
  pro: boolean
}): PaperLabel | null {
  if (type === documentTypes.paymentRequest.id && billingAccountSubTypes.includes(subType))
    return 'billingAccount'
  return type === documentTypes.priceQuote.id && pro ? 'priceQuoteRequest' : null
}

/** Kinds of business. */
export const businessKinds = {
  licensedDealer: 1,
  partnership: 2,
  company: 3,
  nonProfit: 4,
  exemptDealer: 5,
} as const
export type BusinessKind = keyof typeof businessKinds

export function businessKindById(id: number): BusinessKind | undefined {
  return nameOf(businessKinds, id)
}

/**
 * Whether income counts when it is paid: an exempt dealer's, whose turnover is what was received in the year. A
 * non-profit charges no VAT either, and reports like a company what it is owed.
 */
export const countsByCash = (kind: BusinessKind): boolean => kind === 'exemptDealer'

/** False for an exempt dealer and a non-profit: nothing they issue carries VAT. */
export function chargesVat(kind: BusinessKind): boolean {
  return kind !== 'exemptDealer' && kind !== 'nonProfit'
}

/**
 * Whether the law lets this kind of business issue this document. Only those registered to charge VAT issue
 * tax invoices, invoice receipts, credit invoices and self-billed invoices; an exempt dealer issues no
 * donation receipts either.
 */
export function mayIssue(kind: BusinessKind, type: DocumentTypeName): boolean {
  if (chargesVat(kind)) return true
  const { money, vat } = described(type)
  if (money === 'donation') return kind === 'nonProfit'
  return vat === undefined
}

/** What the editor offers to this kind of business, in the order of the ids. */
export function documentTypesFor(kind: BusinessKind): DocumentTypeName[] {
  return documentTypeNames.filter((type) => mayIssue(kind, type))
}

/** Whether the price of a line includes VAT. A trust deposit is money held for another, outside VAT. */
export const vatKinds = { beforeVat: 1, includingVat: 2, trustDeposit: 3, withoutVat: 4 } as const
export type VatKind = keyof typeof vatKinds

export function vatKindById(id: number): VatKind | undefined {
  return nameOf(vatKinds, id)
}

/** What is known of a state of documents. `facts.ts` names the sets of states that follow from it. */
export interface DocumentStatusFacts {
  /** The number programs know it by; 3 to 5 are ours. */
  readonly id: number
  /** Not issued yet; issued with something left to pay, supply or convert; with nothing left; offset or marked void. */
  readonly stage: 'draft' | 'open' | 'closed' | 'cancelled'
  /** Open, and nothing of it was paid, supplied or converted so far. */
  readonly isUntouched?: true
  /** The states that may follow it. */
  readonly becomes: readonly string[]
}

/**
 * The states of a document, in the order of its life: the only list of them. The answers of the API, the board, the
 * questions and the SQL of every feature derive from it; a test compares it with the check of `documents.status`.
 */
export const documentStates = {
  draft: { id: 2, stage: 'draft', becomes: ['issued'] },
  issued: {
    id: 1,
    stage: 'open',
    isUntouched: true,
    becomes: ['partlyClosed', 'closed', 'cancelled'],
  },
  // Back to open when a cheque bounces or a receipt is reversed.
  partlyClosed: { id: 5, stage: 'open', becomes: ['issued', 'closed', 'cancelled'] },
  closed: { id: 4, stage: 'closed', becomes: ['issued', 'partlyClosed', 'cancelled'] },
  cancelled: { id: 3, stage: 'cancelled', becomes: [] },
} as const satisfies Record<string, DocumentStatusFacts>
export type DocumentStatus = keyof typeof documentStates

/** The names of the states, in the order of a document's life. */
export const documentStatusNames = Object.keys(documentStates) as readonly DocumentStatus[]

/** The number of each state, in the order of the numbers. */
export const documentStatuses = Object.fromEntries(
  documentStatusNames
    .map((name) => [name, documentStates[name].id] as const)
    .toSorted(([, one], [, other]) => one - other),
) as { readonly [Name in DocumentStatus]: (typeof documentStates)[Name]['id'] }

export function documentStatusById(id: number): DocumentStatus | undefined {
  return nameOf(documentStatuses, id)
}

/**
 * Means of payment of a receipt line; the ids are ours. paymentApp is Bit and its like, withheldTax is tax
 * withheld at source.
 */
export const paymentMeans = {
  cash: 1,
  cheque: 2,
  transfer: 3,
  card: 4,
  paymentApp: 5,
  payPal: 6,
  withheldTax: 7,
  other: 8,
} as const
export type PaymentMeans = keyof typeof paymentMeans

export function paymentMeansById(id: number): PaymentMeans | undefined {
  return nameOf(paymentMeans, id)
}

function nameOf<Name extends string>(table: Readonly<Record<Name, number>>, id: number): Name | undefined {
  return (Object.keys(table) as Name[]).find((name) => table[name] === id)
}
