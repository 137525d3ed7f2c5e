import { isClosedByFollowers, usedBy } from './following.ts'
import {
  described,
  documentStates,
  documentStatusNames,
  documentTypeById,
  documentTypeNames,
  documentTypes,
  type DocumentStatus,
  type DocumentStatusFacts,
  type DocumentTypeFacts,
  type DocumentTypeName,
} from './kinds.ts'

/*
 * The questions that are asked of a document's type and state, by name. Each follows from the descriptions in
 * `kinds.ts`, so that a new type or state is answered for everywhere at once. TypeScript asks `typeFacts(type)` and
 * `statusFacts(status)`; SQL uses the fragments of `kit/server/data/documentFacts.ts`, which have the same names. A wall
 * rejects lists of type numbers and literals of states elsewhere.
 */

type Rule = (facts: DocumentTypeFacts, type: DocumentTypeName) => boolean

const typeRules = {
  // example: facts
  /** A tax invoice, without its receipt or with it. */
  isInvoice: ({ vat, side }) => vat === 'charged' && side === 'sales',
  /** A credit invoice. Its amounts are positive, and subtract. */
  isCredit: ({ vat }) => vat === 'credited',
  /** What the sales side of a VAT return counts: tax invoices and credit invoices. */
  isInvoiceOrCredit: ({ vat, side }) => vat !== undefined && side === 'sales',
  // example end
  /** Charges or credits VAT, in sales or in purchases. Its total is never below zero. */
  isVatDocument: ({ vat }) => vat !== undefined,
  /** An invoice or a credit that brings no money: on the cash basis it counts when it is settled. */
  isOnAccount: ({ vat, side, money }) => vat !== undefined && side === 'sales' && money === undefined,
  /** A tax invoice that comes with its receipt: it is paid as it is written. */
  isPaidInvoice: ({ vat, side, money }) => vat === 'charged' && side === 'sales' && money === 'payment',
  /** The bill that a buyer writes in the supplier's stead. */
  isSelfBilled: ({ vat, side }) => vat === 'charged' && side === 'purchases',
  /** Proves money that was paid to the business: a receipt, an invoice with its receipt, a donation receipt. */
  isReceipt: ({ money }) => money === 'payment' || money === 'donation',
  /** Proves money, and charges nothing: a receipt, a donation receipt, a deposit receipt. */
  isPlainReceipt: ({ money, vat }) => money !== undefined && vat === undefined,
  /** Its total is to be paid by the customer: an invoice without its receipt, a request for payment. */
  isToBePaid: ({ debt, asks }) => debt === 1 || asks === true,
  /** Proves money that a customer paid for what was sold. */
  isPayment: ({ money }) => money === 'payment',
  isDonation: ({ money }) => money === 'donation',
  /** May be its own income, with no invoice: a receipt where no VAT is charged, a donation receipt. */
  mayBeIncome: ({ incomeItself }) => incomeItself !== undefined,
  /** Asks for money that nobody owes yet; what is left of it is in `asked_agorot`. */
  asks: ({ asks }) => asks === true,
  /** Credits, receipts and deposits: among open items they stand in the customer's favour. */
  isInCustomersFavour: ({ vat, money }) =>
    vat === 'credited' || (vat === undefined && (money === 'payment' || money === 'deposit')),
  /** Moves goods of stock, in any direction. */
  movesGoods: ({ goods }) => goods !== undefined,
  suppliesGoods: ({ goods }) => goods === 'out',
  /** Goods come back from a customer. */
  returnsGoods: ({ goods }) => goods === 'back',
  /** Goods come in from a supplier. */
  receivesGoods: ({ goods }) => goods === 'in',
  /** Goods change hands for the first time: to a customer, or in from a supplier. */
  tradesGoods: ({ goods }) => goods === 'out' || goods === 'in',
  /** Goods come in, from a supplier or back from a customer. */
  takesGoodsIn: ({ goods }) => goods === 'in' || goods === 'back',
  /** Moves no money; it stays open until later documents took all its lines. */
  waitsForFollowers: ({ vat, asks }, type) =>
    vat === undefined && asks === undefined && isClosedByFollowers(type),
  /** A customer can sign it as an agreement: a quote, an order, a delivery note. */
  isAgreement: ({ vat, asks, side }, type) =>
    side === 'sales' && vat === undefined && asks === undefined && isClosedByFollowers(type),
  isTaxDocument: ({ isTaxDocument }) => isTaxDocument,
} satisfies Record<string, Rule>

/** A question that is asked of document types. */
export type TypeFact = keyof typeof typeRules
/** The answers for one type. */
export type TypeAnswers = Readonly<Record<TypeFact, boolean>>

const typeFactNames = Object.keys(typeRules) as readonly TypeFact[]

const answersOf = (of: DocumentTypeName): TypeAnswers =>
  Object.fromEntries(
    typeFactNames.map((fact) => [fact, (typeRules[fact] as Rule)(described(of), of)]),
  ) as TypeAnswers

const typeAnswers = new Map(documentTypeNames.map((name) => [name, answersOf(name)]))
const noType = Object.fromEntries(typeFactNames.map((fact) => [fact, false])) as TypeAnswers

/** The facts of a type, by its number or its name. Of a number that no type has, nothing holds. */
export function typeFacts(type: number | DocumentTypeName | null | undefined): TypeAnswers {
  const name = typeof type === 'number' ? documentTypeById(type) : type
  return (name && typeAnswers.get(name)) ?? noType
}

/** The numbers of the types for which a fact holds, in ascending order. */
export const typesThat = (fact: TypeFact): readonly number[] =>
  idsOf(documentTypeNames.filter((name) => typeFacts(name)[fact]))

const idsOf = (names: readonly DocumentTypeName[]): readonly number[] =>
  names.map((name) => documentTypes[name].id).toSorted((one, other) => one - other)

/**
 * The numbers of the types that take from an order's lines: what was supplied or charged; of an order to a supplier,
 * what was received or billed.
 */
export const takers = {
  order: idsOf(usedBy('order', 'deliveryNote')),
  purchaseOrder: idsOf(usedBy('purchaseOrder', 'goodsReceived')),
} as const

const statusRules = {
  isDraft: ({ stage }) => stage === 'draft',
  /** It has a number and never changes again; also when it was cancelled later. */
  isIssued: ({ stage }) => stage !== 'draft',
  /** Issued and not cancelled. */
  isLive: ({ stage }) => stage === 'open' || stage === 'closed',
  /** Something of it is left to pay, supply or convert. */
  isOpen: ({ stage }) => stage === 'open',
  /** Open, and nothing of it was paid, supplied or converted so far. */
  isUntouched: ({ isUntouched }) => isUntouched === true,
  /** Something of it was paid, supplied or converted, and something is left. */
  isPartlyClosed: ({ stage, isUntouched }) => stage === 'open' && isUntouched !== true,
  /** A draft, or open: something is still to be done with it. */
  isUnfinished: ({ stage }) => stage === 'draft' || stage === 'open',
  isClosed: ({ stage }) => stage === 'closed',
  isCancelled: ({ stage }) => stage === 'cancelled',
} satisfies Record<string, (facts: DocumentStatusFacts) => boolean>

/** A question that is asked of states of documents. */
export type StatusFact = keyof typeof statusRules
/** The answers for one state. */
export type StatusAnswers = Readonly<Record<StatusFact, boolean>>

const statusFactNames = Object.keys(statusRules) as readonly StatusFact[]

const statusAnswers = new Map<string, StatusAnswers>(
  documentStatusNames.map((name) => [
    name,
    Object.fromEntries(
      statusFactNames.map((fact) => [fact, statusRules[fact](documentStates[name])]),
    ) as StatusAnswers,
  ]),
)
const noStatus = Object.fromEntries(statusFactNames.map((fact) => [fact, false])) as StatusAnswers

/** The facts of a state, by its name. Of what is no state of documents, nothing holds. */
export const statusFacts = (status: unknown): StatusAnswers => statusAnswers.get(String(status)) ?? noStatus

/** The states for which a fact holds, in the order of a document's life. */
export const statusesThat = (fact: StatusFact): readonly DocumentStatus[] =>
  documentStatusNames.filter((name) => statusFacts(name)[fact])
