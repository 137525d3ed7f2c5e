import { addMonths, type Day } from '#domain/day.ts'
import { chequeSeries, spread } from '#domain/documents/payments.ts'
import { paymentMeans, paymentMeansById, type PaymentMeans } from '#domain/documents/kinds.ts'
import { sum, timesRate } from '#domain/money.ts'
import type { DocumentAnswer, DocumentInput, OpenItem } from '../../endpoints.ts'

/*
 * How a document is paid and what the money closes, while it is written. Nothing here knows React. Sums are agorot of the document's
 * currency.
 */

export interface EditedPayment {
  key: string
  means: PaymentMeans
  /** Null while nothing is typed; such a row is not sent. */
  amountAgorot: number | null
  /** Null: the document's day. */
  date: Day | null
  /** A cheque's day, or the first instalment's; null: the day it was paid. */
  dueDate: Day | null
  instalments: number | null
  cardBrand: string
  cardLast4: string
  bank: string
  branch: string
  account: string
  number: string
  reference: string
}

/** A debt, or a request for money, that this money closes. */
export interface EditedClose {
  documentId: string
  /** In the debt's currency. */
  amountAgorot: number | null
  /** What it takes of this document, where the currencies differ. */
  takesAgorot: number | null
}

let made = 0
const newKey = () => `p${++made}-${Math.random().toString(36).slice(2, 7)}`

export const emptyPayment = (means: PaymentMeans, amountAgorot: number | null): EditedPayment => ({
  key: newKey(),
  means,
  amountAgorot,
  date: null,
  dueDate: null,
  instalments: null,
  cardBrand: '',
  cardLast4: '',
  bank: '',
  branch: '',
  account: '',
  number: '',
  reference: '',
})

/** The rows that are sent, with their keys: a refusal names them by place. */
export const sentPayments = (payments: readonly EditedPayment[]): EditedPayment[] =>
  payments.filter((one) => one.amountAgorot)

export const paidOf = (payments: readonly EditedPayment[]): number =>
  sum(payments.map((one) => one.amountAgorot ?? 0))

/** What is told of a means; whatever else a row holds from before is not sent. */
export const detailsOf: Readonly<Record<PaymentMeans, readonly (keyof EditedPayment)[]>> = {
  cash: [],
  cheque: ['bank', 'branch', 'account', 'number', 'dueDate'],
  transfer: ['date', 'bank', 'branch', 'account', 'reference'],
  card: ['cardBrand', 'cardLast4', 'instalments', 'number'],
  paymentApp: ['date', 'reference'],
  payPal: ['date', 'reference'],
  withheldTax: [],
  other: ['date', 'reference'],
}

type SentPayment = NonNullable<DocumentInput['payments']>[number]

/** A half-typed code waits until it is whole: a draft must not be refused for it. */
const digits = (text: string, most: number) => text.replace(/[^\d-]/g, '').slice(0, most)

export function paymentInput(one: EditedPayment): SentPayment {
  const tells = (field: keyof EditedPayment) => detailsOf[one.means].includes(field)
  return {
    means: paymentMeans[one.means],
    amountAgorot: one.amountAgorot ?? 0,
    ...(tells('date') && one.date ? { date: one.date } : {}),
    ...(tells('dueDate') && one.dueDate ? { dueDate: one.dueDate } : {}),
    ...(tells('instalments') && one.instalments && one.instalments >= 1 && one.instalments <= 36
      ? { instalments: one.instalments }
      : {}),
    ...(tells('cardBrand') && one.cardBrand ? { cardBrand: one.cardBrand } : {}),
    ...(tells('cardLast4') && /^\d{4}$/.test(one.cardLast4) ? { cardLast4: one.cardLast4 } : {}),
    ...(tells('bank') && one.bank ? { bank: digits(one.bank, 3) } : {}),
    ...(tells('branch') && one.branch ? { branch: digits(one.branch, 4) } : {}),
    ...(tells('account') && one.account ? { account: digits(one.account, 20) } : {}),
    ...(tells('number') && one.number ? { number: one.number } : {}),
    ...(tells('reference') && one.reference ? { reference: one.reference } : {}),
  }
}

export function editedPayment(one: DocumentAnswer['payments'][number], day: Day): EditedPayment {
  const date = one.date === day ? null : one.date
  return {
    key: newKey(),
    means: paymentMeansById(one.means) ?? 'other',
    amountAgorot: one.amountAgorot,
    date,
    dueDate: one.dueDate === one.date ? null : one.dueDate,
    instalments: one.instalments,
    cardBrand: one.cardBrand,
    cardLast4: one.cardLast4,
    bank: one.bank,
    branch: one.branch,
    account: one.account,
    number: one.number,
    reference: one.reference,
  }
}

/** A series of cheques in place of the one they begin with: numbers run on, one a month, together its sum. RangeError as `chequeSeries`. */
export function seriesOf(first: EditedPayment, day: Day, count: number): EditedPayment[] {
  const rows = chequeSeries(
    { number: first.number, dueDay: first.dueDate ?? day },
    first.amountAgorot ?? 0,
    count,
  )
  return rows.map((cheque, i) => ({
    ...first,
    key: i === 0 ? first.key : newKey(),
    number: cheque.number,
    dueDate: cheque.dueDay,
    amountAgorot: cheque.amount,
  }))
}

/** The next cheque after the last one: the same account, the number after it, a month later. */
export function nextCheque(last: EditedPayment, day: Day, amountAgorot: number | null): EditedPayment {
  const isNumber = /^\d{1,12}$/.test(last.number)
  return {
    ...last,
    key: newKey(),
    number: isNumber ? String(BigInt(last.number) + 1n).padStart(last.number.length, '0') : '',
    dueDate: addMonths(last.dueDate ?? day, 1),
    amountAgorot,
  }
}

/** The tax a customer withholds, of all he pays, VAT included: whole shekels fall where they fall, to the agora. */
export const withheldOf = (base: number, rateBp: number): number =>
  timesRate(base, rateBp, 'halfAwayFromZero')

/** What is owed or asked and may be closed by money. */
export const isClosable = (item: OpenItem): boolean => item.openInCurrencyAgorot > 0

/** What the chosen debts take of this paper's money. A request for money takes nothing: it is no debt. */
export function takenBy(
  closes: readonly EditedClose[],
  items: readonly OpenItem[],
  currency: string,
): number {
  return sum(
    closes.map((close) => {
      const item = items.find((one) => one.id === close.documentId)
      if (!item || item.asks) return 0
      return (item.currency === currency ? close.amountAgorot : close.takesAgorot) ?? 0
    }),
  )
}

/** What the chosen rows come to, requests and debts alike: the sum one expects to be paid. */
export function askedBy(
  closes: readonly EditedClose[],
  items: readonly OpenItem[],
  currency: string,
): number {
  return sum(
    closes.map((close) => {
      const item = items.find((one) => one.id === close.documentId)
      return (!item || item.currency === currency ? close.amountAgorot : close.takesAgorot) ?? 0
    }),
  )
}

/** The money over the debts in this currency, the oldest first; without money every one of them whole. */
export function oldestFirst(money: number, items: readonly OpenItem[], currency: string): EditedClose[] {
  const debts = items.filter((item) => isClosable(item) && !item.asks && item.currency === currency)
  const whole = sum(debts.map((item) => item.openInCurrencyAgorot))
  const { closes } = spread(
    money > 0 ? money : whole,
    debts.map((item) => ({ id: item.id, open: item.openInCurrencyAgorot })),
  )
  return closes.map(({ id, amount }) => ({ documentId: id, amountAgorot: amount, takesAgorot: null }))
}
