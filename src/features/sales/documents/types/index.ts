import {
  chargesVat,
  documentTypeNames,
  documentTypes,
  mayIssue,
  type BusinessKind,
  type DocumentTypeName,
} from '#domain/documents/kinds.ts'
import type { DocumentType } from '#kit/describe/documentType.ts'
import { canDocument, isOff, type Rights } from '#kit/describe/session.ts'
import { creditInvoice } from './creditInvoice.ts'
import { deliveryNote } from './deliveryNote.ts'
import { depositReceipt } from './depositReceipt.ts'
import { donationReceipt } from './donationReceipt.ts'
import { goodsReceived } from './goodsReceived.ts'
import { order } from './order.ts'
import { paymentRequest } from './paymentRequest.ts'
import { priceQuote } from './priceQuote.ts'
import { purchaseOrder } from './purchaseOrder.ts'
import { receipt } from './receipt.ts'
import { returnNote } from './returnNote.ts'
import { selfBilledInvoice } from './selfBilledInvoice.ts'
import { taxInvoice } from './taxInvoice.ts'
import { taxInvoiceReceipt } from './taxInvoiceReceipt.ts'

/** Every type by its name: the compiler names the one that is missing. */
const described = {
  priceQuote,
  order,
  deliveryNote,
  returnNote,
  paymentRequest,
  receipt,
  purchaseOrder,
  taxInvoice,
  taxInvoiceReceipt,
  creditInvoice,
  donationReceipt,
  selfBilledInvoice,
  goodsReceived,
  depositReceipt,
} satisfies Record<DocumentTypeName, DocumentType>

/** In the order of their ids. */
const all: readonly DocumentType[] = documentTypeNames.map((name) => described[name])

/** The types the product can make, by name. */
export const types: ReadonlyMap<DocumentTypeName, DocumentType> = new Map(all.map((t) => [t.name, t]))

export const typeId = (name: DocumentTypeName): number => documentTypes[name].id

/** By the numeric id clients know; undefined for one the product does not make. */
export const typeById = (id: number): DocumentType | undefined => all.find((t) => typeId(t.name) === id)

export const isPurchase = (type: DocumentType): boolean => documentTypes[type.name].side === 'purchases'

/** What the day is that its `validUntil` says, as a word. */
export const untilWord = (
  type: DocumentType | undefined,
): 'documents.fields.promisedDay' | 'documents.fields.validUntil' =>
  type?.promises ? 'documents.fields.promisedDay' : 'documents.fields.validUntil'

/** Whether its money has a due day: a debt, a bill, and the request for money as well. */
export const hasDueDay = (type: DocumentType): boolean => type.debt === 1 || !!type.isBill || !!type.asks

/** Types a person may begin from nothing; a credit always begins from its invoice. */
export const startable = (): DocumentType[] => all.filter((t) => !t.parts.includes('original'))

/** In the order people use them; the rest follow by id. */
const commonest: readonly DocumentTypeName[] = [
  'taxInvoice',
  'taxInvoiceReceipt',
  'receipt',
  'priceQuote',
  'order',
  'deliveryNote',
  'paymentRequest',
]

/**
 * Whether a person creates documents of this type: the person's rights allow it, and the business uses its area.
 */
export const mayBegin = (session: Rights | undefined, type: DocumentType): boolean =>
  !!session && canDocument(session, typeId(type.name)) && !isOff(session, type.area)

/** What this kind of business begins on one side of its trade, the commonest first. */
export function begins(kind: BusinessKind, side: 'sales' | 'purchases'): DocumentType[] {
  const rank = (t: DocumentType) =>
    commonest.includes(t.name) ? commonest.indexOf(t.name) : commonest.length
  return startable()
    .filter((t) => documentTypes[t.name].side === side && mayIssue(kind, t.name))
    .toSorted((a, b) => rank(a) - rank(b))
}

/** The editor of a type: purchases have a separate screen. A draft by its id, or a new one. */
export const editorPath = (type: number, id?: string): string => {
  const found = typeById(type)
  const screen = found && isPurchase(found) ? '/invoice/InvoiceDocumentEx' : '/invoice/InvoiceDocument'
  return id ? `${screen}/${id}` : `${screen}?type=${type}`
}

/** The page of an issued document. */
export const pagePath = (type: number, id: string): string => {
  const found = typeById(type)
  return `/invoice/${found && isPurchase(found) ? 'previewex' : 'preview'}/${id}`
}

/** What a document of this type may become, for this kind of business. */
export const successors = (type: DocumentTypeName, kind: BusinessKind): DocumentType[] =>
  all.filter((t) => t.follows.includes(type) && mayIssue(kind, t.name))

/** What a type's total adds to what the customer owes; a receipt that is the income itself adds nothing. */
export const debtOf = (type: DocumentType, kind: BusinessKind): 1 | -1 | 0 =>
  isIncomeItself(type, kind) ? 0 : type.debt

/**
 * Whether the money of this paper is at once its income: a donation, or a receipt of a business that charges
 * no VAT.
 */
export const isIncomeItself = (type: DocumentType, kind: BusinessKind): boolean =>
  type.incomeItself === 'always' || (type.incomeItself === 'withoutVat' && !chargesVat(kind))
