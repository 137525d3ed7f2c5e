import type { Discount, DocumentTotals } from '../../../../domain/documents/arithmetic.ts'
import { convertToIls } from '../../../../domain/documents/arithmetic.ts'
import type { LanguageCode } from '../../../../domain/documents/kinds.ts'
import { dayInJerusalem, type Day } from '../../../../domain/day.ts'
import type { TotalRounding } from '../../../../domain/money.ts'
import { parseDecimal4 } from '../../../../domain/quantity.ts'
import { needsAllocation } from '../../../../domain/vat/allocation.ts'
import type { Company } from '../../../companies/endpoints.ts'
import type { Customer } from '../../../parties/customers.ts'
import type { DocumentAnswer, DocumentInput } from '../../endpoints.ts'
import { typeById } from '../../types/index.ts'
import { countsAsDealer, dueDayOf, millionths, rateFor, workOut } from '../../workOut.ts'

/*
 * What is being written, apart from how it looks: the reducer behind the fields, the input the server is sent, and the figures under the
 * lines. Nothing here knows React.
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
  discountBp: number | null
  /** Null: the kind of the settings. */
  vatKind: VatKindId | null
}

/** What the editor needs to know of the customer. */
export interface EditedCustomer {
  id: string
  name: string
  taxId: string | null
  isDealer: boolean
  zeroRate: boolean
  email: string | null
  dueTerms: string | null
  language: LanguageCode | null
  creditLimitAgorot: number | null
  balanceAgorot: number | null
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
  currency: string
  rate: string | null
  /** Null: the customer's language. */
  language: LanguageCode | null
  lines: EditedLine[]
  discount: Discount | null
  rounding: TotalRounding | null
  sourceId: string | null
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
  discountBp: null,
  vatKind: null,
})

/** Nothing was written in it; such lines are not sent. */
export const isEmpty = (line: EditedLine): boolean =>
  line.description.trim() === '' && line.details.trim() === '' && line.quantity === null && line.unitPrice === null && !line.itemId

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
  currency: 'ILS',
  rate: null,
  language: null,
  lines: [emptyLine()],
  discount: null,
  rounding: null,
  sourceId: null,
})

/** A draft as the server keeps it, as it is edited again. */
export function fromAnswer(
  answer: DocumentAnswer,
  customer: Customer | null,
  company: Pick<Company, 'rounding' | 'defaultVatKind'>,
): Edited {
  const isOwnDay = answer.dueDate !== null && answer.dueDate !== dueDayOf(answer.date, answer.dueTerms)
  return withLastEmpty({
    type: answer.type,
    customer: customer && customerOf(customer),
    date: answer.date,
    dueTerms: answer.dueTerms,
    dueDate: isOwnDay ? answer.dueDate : null,
    subject: answer.subject,
    notes: answer.notes,
    notesBelow: answer.notesBelow,
    notesInternal: answer.notesInternal,
    orderNumber: answer.orderNumber,
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
      discountBp: line.discountBp || null,
      vatKind: line.vatKind === company.defaultVatKind ? null : (line.vatKind as VatKindId),
    })),
    discount: answer.discount,
    rounding: answer.rounding === company.rounding ? null : answer.rounding,
    sourceId: answer.source?.id ?? null,
  })
}

export const customerOf = (row: Customer): EditedCustomer => ({
  id: row.id,
  name: row.name,
  taxId: row.taxId ?? null,
  isDealer: row.isDealer ?? false,
  zeroRate: row.zeroRate ?? false,
  email: row.email ?? null,
  dueTerms: row.dueTerms || null,
  language: row.language ?? null,
  creditLimitAgorot: row.creditLimitAgorot ?? null,
  balanceAgorot: row.balanceAgorot ?? null,
})

export type Change =
  | { do: 'put'; change: Partial<Omit<Edited, 'lines'>> }
  | { do: 'line'; key: string; change: Partial<Omit<EditedLine, 'key'>> }
  /** A line out; `add` puts it back where it was. */
  | { do: 'drop'; key: string }
  | { do: 'add'; line: EditedLine; at: number }
  | { do: 'move'; key: string; to: number }
  | { do: 'vatKind'; kind: VatKindId | null }
  | { do: 'all'; edited: Edited }

/** The one way the document changes. The last line is always an empty one. */
export function change(edited: Edited, what: Change): Edited {
  switch (what.do) {
    case 'all':
      return withLastEmpty(what.edited)
    case 'put':
      return { ...edited, ...what.change }
    case 'line':
      return withLastEmpty({ ...edited, lines: edited.lines.map((line) => (line.key === what.key ? { ...line, ...what.change } : line)) })
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
    case 'vatKind':
      return { ...edited, lines: edited.lines.map((line) => ({ ...line, vatKind: what.kind })) }
  }
}

function withLastEmpty(edited: Edited): Edited {
  const last = edited.lines.at(-1)
  const before = edited.lines.at(-2)
  // One empty line is enough: the upper of two stays, the cursor may be in it.
  if (last && before && isEmpty(last) && isEmpty(before)) return withLastEmpty({ ...edited, lines: edited.lines.slice(0, -1) })
  return last && isEmpty(last) ? edited : { ...edited, lines: [...edited.lines, { ...emptyLine(), vatKind: last?.vatKind ?? null }] }
}

/** Something a person would miss: an untouched document is not kept. */
export const isWorthKeeping = (edited: Edited): boolean =>
  edited.customer !== null ||
  [edited.subject, edited.notes, edited.notesBelow, edited.notesInternal, edited.orderNumber].some((text) => text.trim() !== '') ||
  edited.lines.some((line) => !isEmpty(line))

/** The lines that are sent, with their keys: a refusal names them by place. */
export const sentLines = (edited: Edited): EditedLine[] => edited.lines.filter((line) => line.description.trim() !== '')

/** Lines with figures and no words: nothing can be issued with them. */
export const namelessLines = (edited: Edited): EditedLine[] =>
  edited.lines.filter((line) => !isEmpty(line) && line.description.trim() === '')

/** What the server is sent. */
export function inputOf(edited: Edited): DocumentInput {
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
    lines: sentLines(edited).map((line) => ({
      itemId: line.itemId,
      sku: line.sku,
      description: line.description.trim(),
      details: line.details,
      quantity: line.quantity ?? '1',
      unit: line.unit,
      unitPrice: line.unitPrice ?? '0',
      ...(line.discountBp ? { discount: { basisPoints: line.discountBp } } : {}),
      ...(line.vatKind ? { vatKind: line.vatKind } : {}),
    })),
    discount: edited.discount,
    ...(edited.rounding ? { rounding: edited.rounding } : {}),
    sourceId: edited.sourceId,
  }
}

export type BusinessFacts = Pick<Company, 'kind' | 'rounding' | 'defaultVatKind' | 'dueTerms' | 'language'>

export interface Figures {
  totals: DocumentTotals
  /** In shekels; the same where the document is in shekels, undefined while the rate is missing. */
  ils: DocumentTotals | undefined
  vatRateBp: number
  /** By the key of the line. */
  amounts: ReadonlyMap<string, number>
}

/** The sums, exactly as the server works them out; undefined when they are beyond what can be summed or a discount exceeds its sum. */
export function figuresOf(edited: Edited, company: BusinessFacts): Figures | undefined {
  const vatRateBp = rateFor(company.kind, edited.date)
  const lines = edited.lines.filter((line) => !isEmpty(line))
  try {
    const totals = workOut(
      {
        lines: lines.map((line) => ({
          quantity: line.quantity ?? '1',
          unitPrice: line.unitPrice ?? '0',
          vatKind: line.vatKind ?? undefined,
          discount: line.discountBp ? { basisPoints: line.discountBp } : undefined,
        })),
        discount: edited.discount,
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
    const rate = edited.currency === 'ILS' ? undefined : readRate(edited.rate)
    return {
      totals,
      ils: edited.currency === 'ILS' ? totals : rate ? convertToIls(totals, rate) : undefined,
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

/** A word beside the totals before issuing. */
export type Advice =
  | { kind: 'allocation'; threshold: number }
  | { kind: 'creditLimit'; limit: number; after: number }
  /** A dealer without a number: no allocation number will be asked for, and he cannot deduct. */
  | { kind: 'taxId' }
  | { kind: 'zeroRate' }
  | { kind: 'negative' }

export function adviceFor(edited: Edited, figures: Figures | undefined, thresholdOf: (day: Day) => number | undefined): Advice[] {
  const { customer } = edited
  const ils = figures?.ils
  const said: Advice[] = []
  if (!ils || !customer) return said
  const threshold = thresholdOf(edited.date)
  const asks = { documentAllows: typeById(edited.type)?.mayNeedAllocation ?? false, day: edited.date, net: ils.netTaxable, vat: ils.vat }
  if (threshold !== undefined && needsAllocation({ ...asks, customerIsDealer: countsAsDealer(customer) })) {
    if (customer.taxId) said.push({ kind: 'allocation', threshold })
    else said.push({ kind: 'taxId' })
  } else if (!customer.taxId && (customer.isDealer || needsAllocation({ ...asks, customerIsDealer: true }))) said.push({ kind: 'taxId' })
  if (customer.zeroRate && ils.netZero !== 0) said.push({ kind: 'zeroRate' })
  const after = (customer.balanceAgorot ?? 0) + ils.total
  if (customer.creditLimitAgorot !== null && customer.creditLimitAgorot > 0 && after > customer.creditLimitAgorot)
    said.push({ kind: 'creditLimit', limit: customer.creditLimitAgorot, after })
  if (ils.total < 0) said.push({ kind: 'negative' })
  return said
}

/** Errors of the server by where they are shown: a field's name, or a line's key with the cell's name. */
export interface Refusals {
  fields: Record<string, { code: string; params?: Record<string, string | number> | undefined }>
  lines: Record<string, { cell: string; code: string; params?: Record<string, string | number> | undefined }>
}

/** 'lines.2.unitPrice' belongs to the third of the lines that were sent. */
export function refusalsOf(
  errors: readonly { path: string; code: string; params?: Record<string, string | number> }[],
  sent: readonly EditedLine[],
): Refusals {
  const refusals: Refusals = { fields: {}, lines: {} }
  for (const { path, code, params } of errors) {
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
