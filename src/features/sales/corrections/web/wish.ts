import type { Day } from '#domain/day.ts'
import { parseDecimal4 } from '#domain/quantity.ts'
import type { DocumentAnswer } from '#features/sales/documents/endpoints.ts'

/** A line as somebody edits it; null while a field is empty. */
export interface EditedLine {
  line: number
  quantity: string | null
  unitPrice: string | null
  vatKind: number
}
type Payment = Omit<DocumentAnswer['payments'][number], 'id' | 'line' | 'state'>
export interface EditedPayment extends Omit<Payment, 'amountAgorot'> {
  key: string
  amountAgorot: number | null
}
/** The paper as it should have been, while it is being said. */
export interface Edited {
  date: Day
  party: { key: string; label: string } | null
  lines: EditedLine[]
  payments: EditedPayment[]
  cashException: string
}

/** The paper as it is. */
export const asItIs = (document: DocumentAnswer): Edited => ({
  date: document.date,
  party: document.customerId ? { key: document.customerId, label: document.customer?.name ?? '' } : null,
  lines: document.lines.map(({ line, quantity, unitPrice, vatKind }) => ({
    line,
    quantity,
    unitPrice,
    vatKind,
  })),
  payments: document.payments.map(({ id, line: _, state: __, ...one }) => ({ ...one, key: id })),
  cashException: '',
})

/** A means of payment that was forgotten. */
export const newPayment = (key: string, date: Day): EditedPayment => ({
  key,
  means: 3,
  amountAgorot: null,
  date,
  dueDate: date,
  instalments: null,
  cardBrand: '',
  cardLast4: '',
  bank: '',
  branch: '',
  account: '',
  number: '',
  reference: '',
})

/** Another means has other details; the sum and the day stay. */
export const byOtherMeans = (one: EditedPayment, means: number): EditedPayment => ({
  ...newPayment(one.key, one.date),
  means,
  amountAgorot: one.amountAgorot,
})

/** Details as somebody writes them; a day that is emptied is the paper's own. */
export const withDetails = (
  one: EditedPayment,
  { date, dueDate, ...more }: Partial<{ [K in keyof EditedPayment]: EditedPayment[K] | null }>,
  day: Day,
): EditedPayment => ({
  ...one,
  ...(more as Partial<EditedPayment>),
  ...(date === undefined ? {} : { date: date ?? day }),
  ...(dueDate === undefined ? {} : { dueDate: dueDate ?? day }),
})

const same = (a: string | null, b: string): boolean => a !== null && parseDecimal4(a) === parseDecimal4(b)

/**
 * What differs from the paper, as the server is asked; undefined while nothing does, or while something is
 * not filled in.
 */
export function wishOf(document: DocumentAnswer, edited: Edited) {
  const lines = edited.lines.flatMap((l, i) => {
    const was = document.lines[i]!
    const changed = {
      ...(same(l.quantity, was.quantity) ? {} : { quantity: l.quantity ?? '0' }),
      ...(same(l.unitPrice, was.unitPrice) ? {} : { unitPrice: l.unitPrice ?? '0' }),
      ...(l.vatKind === was.vatKind ? {} : { vatKind: l.vatKind as 1 | 2 | 3 | 4 }),
    }
    return Object.keys(changed).length > 0 ? [{ line: l.line, ...changed }] : []
  })
  if (edited.payments.some((one) => !one.amountAgorot)) return undefined
  const plain = (payments: readonly Partial<EditedPayment>[]) =>
    JSON.stringify(payments.map(({ key: _, ...one }) => one))
  const paysOtherwise = plain(edited.payments) !== plain(asItIs(document).payments)
  const wish = {
    ...(edited.date === document.date ? {} : { date: edited.date }),
    ...(edited.party && edited.party.key !== document.customerId ? { customerId: edited.party.key } : {}),
    ...(lines.length > 0 ? { lines } : {}),
    ...(paysOtherwise
      ? {
          payments: edited.payments.map(({ key: _, ...one }) => ({
            ...one,
            amountAgorot: one.amountAgorot!,
          })),
        }
      : {}),
  }
  if (Object.keys(wish).length === 0) return undefined
  return {
    id: document.id,
    ...wish,
    ...(edited.cashException.trim() ? { cashException: edited.cashException.trim() } : {}),
  }
}
