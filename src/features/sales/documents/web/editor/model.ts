import { isDiscountAbove, type Discount, type DocumentTotals } from '#domain/documents/arithmetic.ts'
import { typeFacts } from '#domain/documents/facts.ts'
import type { LanguageCode } from '#domain/languages.ts'
import { billingAccountSubTypes, documentTypes, type BusinessKind } from '#domain/documents/kinds.ts'
import { dayInJerusalem, type Day } from '#domain/day.ts'
import type { TotalRounding } from '#domain/money.ts'
import { parseDecimal4 } from '#domain/quantity.ts'
import type { ExemptGround, ZeroGround } from '#domain/vat/grounds.ts'
import { needsAllocation, netOfInvoice } from '#domain/vat/allocation.ts'
import type { Company } from '#features/base/companies/endpoints.ts'
import type { Customer } from '#features/registers/parties/customers.ts'
import type { Supplier } from '#features/registers/suppliers/suppliers.ts'
import type { DeliverTo, DocumentAnswer, DocumentInput } from '../../endpoints.ts'
import type { DocumentPart } from '#kit/describe/documentType.ts'
import { debtOf, isIncomeItself, typeById } from '../../types/index.ts'
import {
  countsAsDealer,
  dueDayOf,
  millionths,
  rateFor,
  totalsInIls,
  totalsOfMoney,
  workOut,
} from '../../workOut.ts'
import {
  editedPayment,
  paidOf,
  paymentInput,
  sentPayments,
  type EditedClose,
  type EditedPayment,
} from './money.ts'

/*
 * What is being written, apart from how it looks: the reducer behind the fields, the input the server is
 * sent, and the figures under the lines. Nothing here knows React.
 */

export type VatKindId = 1 | 2 | 3 | 4

/** A line while it is written. Empty figures are null; the key stays when lines move. */
export interface EditedLine {
  key: string
  itemId: string | null
  sku: string
  description: string
  details: string
  quantity: string | null
  unit: string
  unitPrice: string | null
  /**
   * Typed by hand, so that it no longer follows customer and quantity; undefined while nobody knows (a draft
   * that came back).
   */
  hasOwnPrice?: boolean | undefined
  incomeKindId: string | null
  discountBp: number | null
  /** In place of a percentage. */
  discountAgorot: number | null
  /** Null: the kind of the settings. */
  vatKind: VatKindId | null
  /** The line of an earlier document that this one takes from; a null quantity: as much as this line says. */
  source?: { documentId: string; line: number; quantity: string | null } | null
}

/** What the editor needs to know of the customer. */
export interface EditedCustomer {
  id: string
  name: string
  taxId: string | null
  isDealer: boolean
  zeroRate: boolean
  /** What a customer abroad brings along. */
  isAbroad?: boolean
  currency?: string | null
  zeroGround?: ZeroGround | null
  exemptGround?: ExemptGround | null
  hidesIls?: boolean
  email: string | null
  dueTerms: string | null
  language: LanguageCode | null
  creditLimitAgorot: number | null
  balanceAgorot: number | null
  /** The discount of the customer's type; null without one. */
  typeDiscountBp?: number | null
  /** The tax the customer withholds from payments, while the certificate is valid. */
  withholdsBp?: number | null
  withholdsUntil?: Day | null
  /** The worker in charge of the customer. */
  agent?: { id: string; name: string } | null
  /** Why nothing new is issued to the customer; null when it is open. */
  blockedReason?: string | null
}

export interface Edited {
  type: number
  customer: EditedCustomer | null
  date: Day
  /** Null: the customer's terms, or the business's. */
  dueTerms: string | null
  /** A day of its own instead of terms. */
  dueDate: Day | null
  subject: string
  notes: string
  notesBelow: string
  notesInternal: string
  orderNumber: string
  project: { id: string; name: string } | null
  /** The worker who sold it. */
  agent: { id: string; name: string } | null
  currency: string
  rate: string | null
  /** Null: the customer's language. */
  language: LanguageCode | null
  lines: EditedLine[]
  discount: Discount | null
  rounding: TotalRounding | null
  /** Null: the customer's ground. */
  zeroGround: ZeroGround | null
  /** Undefined: the customer's ground; null: none. */
  exemptGround: ExemptGround | null | undefined
  /** Null: as the customer has it. */
  hidesIls: boolean | null
  sourceId: string | null
  payments: EditedPayment[]
  /** The exception of the cash law that lets more cash through, in words. */
  cashException: string
  /** Why a receipt below zero gives money back. */
  reason: string
  closes: EditedClose[]
  /**
   * The documents that the money is divided over by age as its amount is typed; empty: all that the customer owes. Null:
   * somebody divided it by hand, and it stays so.
   */
  closesFollow: readonly string[] | null
  /** Changes the label of a payment request. */
  subType: number
  /** Changes the label of a quote. */
  pro: boolean
  branch: string
  validUntil: Day | null
  /** Where the goods go; undefined while nobody chose, and the customer's own place may stand. */
  deliverTo: DeliverTo | null | undefined
  handNumber: number | null
}

/** The sub-type that makes a payment request a billing account. */
export const BILLING_ACCOUNT = billingAccountSubTypes[0] ?? 1

/** Whether a type of document has this part. */
export const hasPart = (type: number, part: DocumentPart): boolean =>
  typeById(type)?.parts.includes(part) ?? false

/** The customer whose place for deliveries is printed by default; nobody's on documents without goods. */
export const deliversTo = ({ type, customer }: Pick<Edited, 'type' | 'customer'>): string | undefined =>
  typeById(type)?.delivers ? customer?.id : undefined

/** Comes to what was paid, not to its lines. */
export function isMoneyOnly(edited: Pick<Edited, 'type' | 'lines'>, kind: BusinessKind): boolean {
  const type = typeById(edited.type)
  if (!type?.linesOptional) return false
  return !(
    type.parts.includes('lines') &&
    isIncomeItself(type, kind) &&
    edited.lines.some((line) => !isEmpty(line))
  )
}

let made = 0
const newKey = () => `l${++made}-${Math.random().toString(36).slice(2, 7)}`

export const emptyLine = (): EditedLine => ({
  key: newKey(),
  itemId: null,
  sku: '',
  description: '',
  details: '',
  quantity: null,
  unit: '',
  unitPrice: null,
  incomeKindId: null,
  discountBp: null,
  discountAgorot: null,
  vatKind: null,
})

/** A line's discount, by percent or by sum. */
export const discountOf = ({
  discountBp,
  discountAgorot,
}: Pick<EditedLine, 'discountBp' | 'discountAgorot'>): Discount | undefined =>
  discountBp ? { basisPoints: discountBp } : discountAgorot ? { agorot: discountAgorot } : undefined

/** Whether the discount of a line is above the line itself, so that the document has no totals. */
export const isLineBelowDiscount = (line: EditedLine): boolean => {
  const discount = discountOf(line)
  const [quantity, unitPrice] = [
    parseDecimal4(line.quantity ?? '1') ?? 0,
    parseDecimal4(line.unitPrice ?? '0') ?? 0,
  ]
  return discount !== undefined && isDiscountAbove({ quantity, unitPrice, discount })
}

/** Nothing was written in it; such lines are not sent. */
export const isEmpty = (line: EditedLine): boolean =>
  line.description.trim() === '' &&
  line.details.trim() === '' &&
  line.quantity === null &&
  line.unitPrice === null &&
  !line.itemId

export const newDocument = (type: number, today: Day = dayInJerusalem(new Date())): Edited => ({
  type,
  customer: null,
  date: today,
  dueTerms: null,
  dueDate: null,
  subject: '',
  notes: '',
  notesBelow: '',
  notesInternal: '',
  orderNumber: '',
  project: null,
  agent: null,
  currency: 'ILS',
  rate: null,
  language: null,
  lines: [emptyLine()],
  discount: null,
  rounding: null,
  zeroGround: null,
  exemptGround: undefined,
  hidesIls: null,
  sourceId: null,
  payments: [],
  cashException: '',
  reason: '',
  closes: [],
  closesFollow: [],
  subType: 0,
  pro: false,
  branch: '',
  validUntil: null,
  deliverTo: undefined,
  handNumber: null,
})

/** A draft as the server keeps it, as it is edited again. */
export function fromAnswer(
  answer: DocumentAnswer,
  customer: EditedCustomer | null,
  company: Pick<Company, 'rounding' | 'defaultVatKind' | 'dueTerms'>,
): Edited {
  const isOwnDay = answer.dueDate !== null && answer.dueTerms === null
  return withLastEmpty({
    type: answer.type,
    customer,
    date: answer.date,
    // Terms that are the customer's own follow the customer: another one has other terms.
    dueTerms: answer.dueTerms === (customer?.dueTerms ?? company.dueTerms) ? null : answer.dueTerms,
    dueDate: isOwnDay ? answer.dueDate : null,
    subject: answer.subject,
    notes: answer.notes,
    notesBelow: answer.notesBelow,
    notesInternal: answer.notesInternal,
    orderNumber: answer.orderNumber,
    project: answer.projectId ? { id: answer.projectId, name: answer.projectName ?? '' } : null,
    agent: answer.agentId ? { id: answer.agentId, name: answer.agentName ?? '' } : null,
    currency: answer.currency,
    rate: answer.currency === 'ILS' ? null : answer.rate,
    language: answer.language,
    lines: answer.lines.map((line) => ({
      key: newKey(),
      itemId: line.itemId,
      sku: line.sku,
      description: line.description,
      details: line.details,
      quantity: line.quantity,
      unit: line.unit,
      unitPrice: line.unitPrice,
      incomeKindId: line.incomeKindId,
      discountBp: line.discountBp || null,
      discountAgorot: line.discountAgorot || null,
      vatKind: line.vatKind === company.defaultVatKind ? null : (line.vatKind as VatKindId),
      source: line.source && {
        ...line.source,
        quantity: line.source.quantity === line.quantity ? null : line.source.quantity,
      },
    })),
    discount: answer.discount,
    rounding: answer.rounding === company.rounding ? null : answer.rounding,
    zeroGround: answer.zeroGround === (customer?.zeroGround ?? null) ? null : answer.zeroGround,
    exemptGround:
      answer.exemptGround === (customer?.exemptGround ?? null) ||
      answer.lines.every((line) => line.vatKind !== 4)
        ? undefined
        : answer.exemptGround,
    hidesIls: answer.hidesIls === (customer?.hidesIls ?? false) ? null : answer.hidesIls,
    sourceId: answer.source?.id ?? null,
    payments: answer.payments.map((one) => editedPayment(one, answer.date)),
    cashException: answer.cashException,
    reason: answer.reason,
    closes: answer.closes.map((close) => ({ ...close, takesAgorot: close.takesAgorot ?? null })),
    // A draft that has its money may have been divided by hand.
    closesFollow: answer.payments.length ? null : answer.closes.map((close) => close.documentId),
    subType: answer.subType,
    pro: answer.pro,
    branch: answer.branch,
    validUntil: answer.validUntil,
    deliverTo: answer.deliverTo,
    handNumber: answer.handNumber,
  })
}

/** A copy that an earlier version of the program kept may lack what was added since. */
export const completed = (edited: Edited): Edited => ({ ...newDocument(edited.type), ...edited })

export const customerOf = (row: Customer & { agentIdName?: string | null }): EditedCustomer => ({
  id: row.id,
  name: row.name,
  taxId: row.taxId ?? null,
  isDealer: row.isDealer ?? false,
  zeroRate: row.zeroRate ?? false,
  isAbroad: row.isAbroad ?? false,
  currency: row.currency ?? null,
  zeroGround: row.zeroGround ?? null,
  exemptGround: row.exemptGround ?? null,
  hidesIls: row.hidesIls ?? false,
  email: row.email ?? null,
  dueTerms: row.dueTerms || row.typeDueTerms || null,
  language: row.language ?? null,
  creditLimitAgorot: row.creditLimitAgorot ?? null,
  balanceAgorot: row.balanceAgorot ?? null,
  typeDiscountBp: row.typeDiscountBp || null,
  withholdsBp: row.withholdsBp || null,
  withholdsUntil: row.withholdsUntil ?? null,
  blockedReason: row.blocked ? row.blockedReason : null,
  agent: row.agentId ? { id: row.agentId, name: row.agentIdName ?? '' } : null,
})

/**
 * A supplier on a document of the purchase side: without our prices or discounts; the supplier's terms decide the
 * due day.
 */
export const supplierOf = (row: Supplier): EditedCustomer => ({
  id: row.id,
  name: row.name,
  taxId: row.taxId ?? null,
  isDealer: row.dealerKind !== 'person' && row.dealerKind !== null,
  zeroRate: false,
  email: row.email ?? null,
  dueTerms: row.dueTerms || null,
  language: row.language ?? null,
  creditLimitAgorot: null,
  balanceAgorot: row.balanceAgorot ?? null,
})

/**
 * The currency of a customer takes the place of that of the one before, or of shekels. Prices that were written stay in
 * the currency they were written in.
 */
function currencyWith(
  { customer: before, currency, lines }: Edited,
  customer: EditedCustomer | null,
): Partial<Edited> {
  const wanted = customer?.currency ?? 'ILS'
  const isUntouched =
    currency === (before?.currency ?? 'ILS') && lines.every((line) => line.unitPrice === null)
  return isUntouched && wanted !== currency ? { currency: wanted, rate: null } : {}
}

/**
 * Another customer brings the discount of their type, their currency and the worker in charge of them along, unless
 * somebody has chosen others already.
 */
export function withCustomer(edited: Edited, customer: EditedCustomer | null): Partial<Edited> {
  const { customer: before, discount, deliverTo, agent: chosen } = edited
  const brought = {
    customer,
    ...currencyWith(edited, customer),
    // The grounds that were chosen for another customer.
    ...(before && before.id !== customer?.id
      ? { zeroGround: null, exemptGround: undefined, hidesIls: null }
      : {}),
    ...(chosen === null || chosen.id === before?.agent?.id ? { agent: customer?.agent ?? null } : {}),
    // A place belongs to one customer only.
    ...(deliverTo !== undefined && before && before.id !== customer?.id ? { deliverTo: undefined } : {}),
  }
  const isOfType =
    discount !== null && 'basisPoints' in discount && discount.basisPoints === before?.typeDiscountBp
  if (discount !== null && !isOfType) return brought
  return { ...brought, discount: customer?.typeDiscountBp ? { basisPoints: customer.typeDiscountBp } : null }
}

export type Change =
  | { do: 'put'; change: Partial<Omit<Edited, 'lines'>> }
  | { do: 'line'; key: string; change: Partial<Omit<EditedLine, 'key'>> }
  /** A line out; `add` puts it back where it was. */
  | { do: 'drop'; key: string }
  | { do: 'add'; line: EditedLine; at: number }
  | { do: 'move'; key: string; to: number }
  | { do: 'vatKind'; kind: VatKindId | null }
  | { do: 'payment'; key: string; change: Partial<Omit<EditedPayment, 'key'>> }
  | { do: 'pay'; add: readonly EditedPayment[]; /** In place of this row. */ for?: string }
  | { do: 'unpay'; key: string }
  | { do: 'all'; edited: Edited }

/** The one way the document changes. The last line is always an empty one. */
export function change(edited: Edited, what: Change): Edited {
  switch (what.do) {
    case 'all':
      return withLastEmpty(what.edited)
    case 'put':
      return { ...edited, ...what.change }
    case 'line':
      return withLastEmpty({
        ...edited,
        lines: edited.lines.map((line) => (line.key === what.key ? { ...line, ...what.change } : line)),
      })
    case 'drop':
      return withLastEmpty({ ...edited, lines: edited.lines.filter((line) => line.key !== what.key) })
    case 'add':
      return withLastEmpty({ ...edited, lines: edited.lines.toSpliced(what.at, 0, what.line) })
    case 'move': {
      const from = edited.lines.findIndex((line) => line.key === what.key)
      // Nothing goes below the empty line, and the empty line itself stays.
      const last = edited.lines.length - 2
      const to = Math.max(0, Math.min(last, what.to))
      if (from < 0 || from > last || from === to) return edited
      const [line] = edited.lines.slice(from, from + 1)
      return { ...edited, lines: edited.lines.toSpliced(from, 1).toSpliced(to, 0, line!) }
    }
    case 'payment':
      return {
        ...edited,
        payments: edited.payments.map((one) => (one.key === what.key ? { ...one, ...what.change } : one)),
      }
    case 'pay': {
      const at = edited.payments.findIndex((one) => one.key === what.for)
      return {
        ...edited,
        payments: at < 0 ? [...edited.payments, ...what.add] : edited.payments.toSpliced(at, 1, ...what.add),
      }
    }
    case 'unpay':
      return { ...edited, payments: edited.payments.filter((one) => one.key !== what.key) }
    case 'vatKind':
      return { ...edited, lines: edited.lines.map((line) => ({ ...line, vatKind: what.kind })) }
  }
}

function withLastEmpty(edited: Edited): Edited {
  const last = edited.lines.at(-1)
  const before = edited.lines.at(-2)
  // One empty line is enough: the upper of two stays, the cursor may be in it.
  if (last && before && isEmpty(last) && isEmpty(before))
    return withLastEmpty({ ...edited, lines: edited.lines.slice(0, -1) })
  return last && isEmpty(last)
    ? edited
    : { ...edited, lines: [...edited.lines, { ...emptyLine(), vatKind: last?.vatKind ?? null }] }
}

/** Something a person would miss: an untouched document is not kept. */
export const isWorthKeeping = (edited: Edited): boolean =>
  edited.customer !== null ||
  edited.payments.length > 0 ||
  [edited.subject, edited.notes, edited.notesBelow, edited.notesInternal, edited.orderNumber].some(
    (text) => text.trim() !== '',
  ) ||
  edited.lines.some((line) => !isEmpty(line))

/** The lines that are sent, with their keys: a refusal names them by place. */
export const sentLines = (edited: Edited): EditedLine[] =>
  hasPart(edited.type, 'lines') ? edited.lines.filter((line) => line.description.trim() !== '') : []

/** Lines with figures and no words: nothing can be issued with them. */
export const namelessLines = (edited: Edited): EditedLine[] =>
  hasPart(edited.type, 'lines')
    ? edited.lines.filter((line) => !isEmpty(line) && line.description.trim() === '')
    : []

/**
 * What the server is sent: what a type has no part for stays here, so that changing the type and back loses
 * nothing.
 */
export function inputOf(edited: Edited): DocumentInput {
  const has = (part: DocumentPart) => hasPart(edited.type, part)
  const isForeign = edited.currency !== 'ILS'
  return {
    type: edited.type,
    customerId: edited.customer?.id ?? null,
    date: edited.date,
    ...(edited.dueDate ? { dueDate: edited.dueDate } : {}),
    ...(edited.dueTerms ? { dueTerms: edited.dueTerms } : {}),
    currency: edited.currency,
    ...(isForeign && edited.rate ? { rate: edited.rate } : {}),
    ...(edited.language ? { language: edited.language } : {}),
    subject: edited.subject,
    notes: edited.notes,
    notesBelow: edited.notesBelow,
    notesInternal: edited.notesInternal,
    orderNumber: edited.orderNumber,
    projectId: edited.project?.id ?? null,
    agentId: edited.agent?.id ?? null,
    lines: sentLines(edited).map((line) => ({
      itemId: line.itemId,
      sku: line.sku,
      description: line.description.trim(),
      details: line.details,
      quantity: line.quantity ?? '1',
      unit: line.unit,
      unitPrice: line.unitPrice ?? '0',
      ...(line.incomeKindId ? { incomeKindId: line.incomeKindId } : {}),
      ...(discountOf(line) ? { discount: discountOf(line) } : {}),
      ...(line.vatKind ? { vatKind: line.vatKind } : {}),
      ...(line.source
        ? {
            source: {
              documentId: line.source.documentId,
              line: line.source.line,
              ...(line.source.quantity === null ? {} : { quantity: line.source.quantity }),
            },
          }
        : {}),
    })),
    discount: has('discount') ? edited.discount : null,
    ...(edited.rounding ? { rounding: edited.rounding } : {}),
    ...(edited.zeroGround && edited.customer?.zeroRate ? { zeroGround: edited.zeroGround } : {}),
    ...(edited.exemptGround === undefined ? {} : { exemptGround: edited.exemptGround }),
    ...(isForeign && edited.hidesIls !== null ? { hidesIls: edited.hidesIls } : {}),
    sourceId: edited.sourceId,
    ...(has('payments') ? { payments: sentPayments(edited.payments).map(paymentInput) } : {}),
    ...(has('payments') && edited.reason.trim() ? { reason: edited.reason.trim() } : {}),
    ...(has('payments') && edited.cashException.trim() ? { cashException: edited.cashException.trim() } : {}),
    ...(has('closes') ? { closes: edited.closes.flatMap(closeInput) } : {}),
    ...(typeFacts(edited.type).asks && edited.subType ? { subType: edited.subType } : {}),
    ...(edited.type === documentTypes.priceQuote.id && edited.pro ? { pro: true } : {}),
    ...(edited.branch.trim() ? { branch: edited.branch.trim() } : {}),
    ...(has('deliverTo') && edited.deliverTo !== undefined ? { deliverTo: edited.deliverTo } : {}),
    ...(has('validUntil') ? { validUntil: edited.validUntil } : {}),
    ...(edited.handNumber ? { handNumber: edited.handNumber } : {}),
  }
}

const closeInput = ({ documentId, amountAgorot, takesAgorot }: EditedClose) =>
  amountAgorot && amountAgorot > 0
    ? [{ documentId, amountAgorot, ...(takesAgorot ? { takesAgorot } : {}) }]
    : []

export type BusinessFacts = Pick<Company, 'kind' | 'rounding' | 'defaultVatKind' | 'dueTerms' | 'language'>

export interface Figures {
  totals: DocumentTotals
  /** In shekels; the same where the document is in shekels, undefined while the rate is missing. */
  ils: DocumentTotals | undefined
  vatRateBp: number
  /** By the key of the line. */
  amounts: ReadonlyMap<string, number>
}

/**
 * The totals, exactly as the server calculates them; undefined when they are beyond what can be summed or a discount
 * exceeds its amount.
 */
export function figuresOf(edited: Edited, company: BusinessFacts): Figures | undefined {
  const vatRateBp = rateFor(company.kind, edited.date)
  const type = typeById(edited.type)
  const lines = hasPart(edited.type, 'lines') ? edited.lines.filter((line) => !isEmpty(line)) : []
  try {
    const worked = workOut(
      {
        lines: lines.map((line) => ({
          quantity: line.quantity ?? '1',
          unitPrice: line.unitPrice ?? '0',
          vatKind: line.vatKind ?? undefined,
          discount: discountOf(line),
        })),
        discount: hasPart(edited.type, 'discount') ? edited.discount : null,
        rounding: edited.rounding ?? undefined,
      },
      {
        kind: company.kind,
        zeroRate: edited.customer?.zeroRate ?? false,
        vatRateBp,
        defaultVatKind: company.defaultVatKind,
        rounding: company.rounding,
      },
    )
    const totals =
      type && isMoneyOnly(edited, company.kind)
        ? totalsOfMoney(worked, paidOf(edited.payments), isIncomeItself(type, company.kind))
        : worked
    const rate = edited.currency === 'ILS' ? undefined : readRate(edited.rate)
    return {
      totals,
      ils: edited.currency === 'ILS' ? totals : rate ? totalsInIls(totals, rate) : undefined,
      vatRateBp,
      amounts: new Map(lines.map((line, i) => [line.key, totals.lines[i]?.amount ?? 0])),
    }
  } catch (e) {
    if (e instanceof RangeError) return undefined
    throw e
  }
}

const readRate = (rate: string | null): number | undefined => {
  if (!rate || !/^\d{1,9}(\.\d{1,6})?$/.test(rate)) return undefined
  return millionths(rate) || undefined
}

export const termsInUse = (edited: Edited, company: Pick<Company, 'dueTerms'>): string =>
  edited.dueTerms ?? edited.customer?.dueTerms ?? company.dueTerms

export const dueDayInUse = (edited: Edited, company: Pick<Company, 'dueTerms'>): Day =>
  edited.dueDate ?? dueDayOf(edited.date, termsInUse(edited, company))

export const languageInUse = (edited: Edited, company: Pick<Company, 'language'>): LanguageCode =>
  edited.language ?? edited.customer?.language ?? company.language

/** The ground of zero rate that the document will name; null while nobody chose one. */
export const zeroGroundInUse = (edited: Pick<Edited, 'zeroGround' | 'customer'>): ZeroGround | null =>
  edited.zeroGround ?? edited.customer?.zeroGround ?? null

/** The ground of exemption that the document will name where something on it is exempt. */
export const exemptGroundInUse = (edited: Pick<Edited, 'exemptGround' | 'customer'>): ExemptGround | null =>
  edited.exemptGround === undefined ? (edited.customer?.exemptGround ?? null) : edited.exemptGround

export type GroundName = 'zeroGround' | 'exemptGround'

/**
 * The grounds that were chosen for the document and are not the customer's: offered to be kept with the customer, so
 * that the next document has them. `isFirst`: the customer has none yet.
 */
export function groundsToKeep(
  edited: Pick<Edited, 'zeroGround' | 'exemptGround' | 'customer'>,
): Partial<Record<GroundName, { ground: ZeroGround | ExemptGround; isFirst: boolean }>> {
  const { customer, zeroGround, exemptGround } = edited
  if (!customer) return {}
  const mine = { zeroGround: customer.zeroGround ?? null, exemptGround: customer.exemptGround ?? null }
  return {
    ...(customer.zeroRate && zeroGround && zeroGround !== mine.zeroGround
      ? { zeroGround: { ground: zeroGround, isFirst: mine.zeroGround === null } }
      : {}),
    ...(exemptGround && exemptGround !== mine.exemptGround
      ? { exemptGround: { ground: exemptGround, isFirst: mine.exemptGround === null } }
      : {}),
  }
}

/** What was taken over from the card of a customer abroad, and is still in use. */
export function takenFromAbroad(edited: Edited): {
  language?: LanguageCode
  currency?: string
  zeroGround?: ZeroGround
} {
  const { customer, language, currency, zeroGround } = edited
  if (!customer?.isAbroad) return {}
  return {
    ...(language === null && customer.language ? { language: customer.language } : {}),
    ...(customer.currency && customer.currency === currency ? { currency } : {}),
    ...(customer.zeroRate && zeroGround === null && customer.zeroGround
      ? { zeroGround: customer.zeroGround }
      : {}),
  }
}

/** A word beside the totals before issuing. */
export type Advice =
  | ({ kind: 'abroad' } & ReturnType<typeof takenFromAbroad>)
  | { kind: 'allocation'; threshold: number }
  | { kind: 'creditLimit'; limit: number; after: number }
  /** Nothing new is issued to this customer. */
  | { kind: 'blocked'; reason: string }
  /** A dealer without a number: no allocation number will be requested, and the dealer cannot deduct. */
  | { kind: 'taxId' }
  | { kind: 'zeroRate' }
  | { kind: 'negative' }

export function adviceFor(
  edited: Edited,
  figures: Figures | undefined,
  thresholdOf: (day: Day) => number | undefined,
  kind: BusinessKind = 'licensedDealer',
): Advice[] {
  const { customer } = edited
  const ils = figures?.ils
  const said: Advice[] = []
  const type = typeById(edited.type)
  if (customer?.blockedReason && type && type.debt !== -1)
    said.push({ kind: 'blocked', reason: customer.blockedReason })
  const taken = takenFromAbroad(edited)
  if (Object.keys(taken).length) said.push({ kind: 'abroad', ...taken })
  if (!ils || !customer || !type) return said
  const owes = debtOf(type, kind) === 1
  if (!type.mayNeedAllocation) {
    if (customer.zeroRate && ils.netZero !== 0) said.push({ kind: 'zeroRate' })
    return said
  }
  const threshold = thresholdOf(edited.date)
  const asks = {
    documentAllows: type.mayNeedAllocation,
    day: edited.date,
    net: netOfInvoice(ils),
    vat: ils.vat,
  }
  if (
    threshold !== undefined &&
    needsAllocation({ ...asks, customerIsDealer: countsAsDealer(customer) }, thresholdOf)
  ) {
    if (customer.taxId) said.push({ kind: 'allocation', threshold })
    else said.push({ kind: 'taxId' })
  } else if (
    !customer.taxId &&
    (customer.isDealer || needsAllocation({ ...asks, customerIsDealer: true }, thresholdOf))
  )
    said.push({ kind: 'taxId' })
  if (customer.zeroRate && ils.netZero !== 0) said.push({ kind: 'zeroRate' })
  const after = (customer.balanceAgorot ?? 0) + ils.total
  if (
    owes &&
    customer.creditLimitAgorot !== null &&
    customer.creditLimitAgorot > 0 &&
    after > customer.creditLimitAgorot
  )
    said.push({ kind: 'creditLimit', limit: customer.creditLimitAgorot, after })
  if (ils.total < 0) said.push({ kind: 'negative' })
  return said
}

/** Errors of the server by where they are shown: a field's name, or a line's key with the cell's name. */
export interface Refusals {
  fields: Record<string, { code: string; params?: Record<string, string | number> | undefined }>
  lines: Record<string, { cell: string; code: string; params?: Record<string, string | number> | undefined }>
  /** Of each payment by its key, its cells by name. */
  payments: Record<
    string,
    Record<string, { code: string; params?: Record<string, string | number> | undefined }>
  >
}

/** 'lines.2.unitPrice' belongs to the third of the lines that were sent. */
export function refusalsOf(
  errors: readonly { path: string; code: string; params?: Record<string, string | number> }[],
  sent: readonly EditedLine[],
  paid: readonly EditedPayment[] = [],
): Refusals {
  const refusals: Refusals = { fields: {}, lines: {}, payments: {} }
  for (const { path, code, params } of errors) {
    const [, row, part = 'amountAgorot'] = /^payments\.(\d+)(?:\.(\w+))?/.exec(path) ?? []
    const payment = row === undefined ? undefined : paid[Number(row)]
    if (payment) {
      const cells = (refusals.payments[payment.key] ??= {})
      cells[part] ??= { code, params }
      continue
    }
    const [, place, cell = ''] = /^lines\.(\d+)(?:\.(\w+))?/.exec(path) ?? []
    const line = place === undefined ? undefined : sent[Number(place)]
    if (line) refusals.lines[line.key] ??= { cell, code, params }
    else refusals.fields[path.split('.')[0] ?? path] ??= { code, params }
  }
  return refusals
}

/** A figure for a line: '2.5' as its ten-thousandths; an unreadable one counts as nothing. */
export const decimalOf = (text: string | null, otherwise: number): number =>
  text === null ? otherwise : (parseDecimal4(text) ?? otherwise)
