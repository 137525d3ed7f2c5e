import { addMonths, type Day } from '#domain/day.ts'
import { missingDetails, paymentDetails, type PaymentDetail } from '#domain/documents/paymentDetails.ts'
import { chequeSeries, numberAfter, spread } from '#domain/documents/payments.ts'
import { paymentMeans, paymentMeansById, type PaymentMeans } from '#domain/documents/kinds.ts'
import { sum, timesRate } from '#domain/money.ts'
import type { DocumentAnswer, DocumentInput, OpenItem } from '../../endpoints.ts'

/*
 * How a document is paid and what the money closes, while it is written. Nothing here knows React. Amounts are
 * agorot of the document's currency.
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

/** What a payment lacks before its document is issued, by cell. */
export function unfinishedCells(one: EditedPayment): Record<string, { code: string }> {
  const cells: Record<string, { code: string }> = {}
  if (!one.amountAgorot) cells.amountAgorot = { code: 'fields.need' }
  if (one.means === 'card' && one.cardLast4 !== '' && !/^\d{4}$/.test(one.cardLast4))
    cells.cardLast4 = { code: 'fields.code' }
  if ((one.amountAgorot ?? 0) >= 0)
    for (const detail of missingDetails(one.means, one)) cells[detail] = { code: 'documents.paymentDetail' }
  return cells
}

type SentPayment = NonNullable<DocumentInput['payments']>[number]

/** A half-typed code waits until it is whole: a draft must not be refused for it. */
const digits = (text: string, most: number) => text.replace(/[^\d-]/g, '').slice(0, most)

export function paymentInput(one: EditedPayment): SentPayment {
  const tells = (detail: PaymentDetail) => paymentDetails[one.means][detail] !== undefined
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

/**
 * A series of cheques in place of the one they begin with: numbers run on, one a month, together its sum.
 * RangeError as `chequeSeries`.
 */
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
  return {
    ...last,
    key: newKey(),
    number: numberAfter(last.number, 1),
    dueDate: addMonths(last.dueDate ?? day, 1),
    amountAgorot,
  }
}

/**
 * The tax a customer withholds, of the whole payment, VAT included: whole shekels fall where they fall, to the
 * agora.
 */
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
  return divided(money > 0 ? money : sum(debts.map((item) => item.openInCurrencyAgorot)), debts)
}

const divided = (money: number, items: readonly OpenItem[]): EditedClose[] =>
  spread(
    money,
    items.map((item) => ({ id: item.id, open: item.openInCurrencyAgorot })),
  ).closes.map(({ id, amount }) => ({ documentId: id, amountAgorot: amount, takesAgorot: null }))

/** The items that money divides itself over while nobody divided it by hand; undefined where it does not. */
function followedItems(
  { closesFollow: chosen, currency }: Followed,
  items: readonly OpenItem[],
): readonly OpenItem[] | undefined {
  if (!chosen) return undefined
  const open = items.filter(isClosable)
  if (!chosen.length) return open.filter((item) => !item.asks && item.currency === currency)
  const own = open.filter((item) => chosen.includes(item.id))
  // What another currency takes, and what is no longer open, is for a person to say.
  return own.length === chosen.length && own.every((item) => item.currency === currency) ? own : undefined
}

interface Followed {
  closesFollow: readonly string[] | null
  closes: readonly EditedClose[]
  payments: readonly EditedPayment[]
  currency: string
}

/**
 * What the money pays while its amount is typed: the documents that were chosen, or all debts, the oldest first, until
 * somebody divides it by hand. Undefined where nothing changes.
 */
export function followedCloses(edited: Followed, items: readonly OpenItem[]): EditedClose[] | undefined {
  const own = followedItems(edited, items)
  const money = paidOf(edited.payments)
  if (!own || money < 0) return undefined
  // Before an amount is typed, the amount is proposed from the documents that were chosen.
  if (money === 0 && edited.closesFollow!.length) return undefined
  const wanted = divided(money, own)
  const isSame =
    wanted.length === edited.closes.length &&
    wanted.every((one, i) => {
      const now = edited.closes[i]!
      return now.documentId === one.documentId && now.amountAgorot === one.amountAgorot
    })
  return isSame ? undefined : wanted
}

/**
 * What is open of the documents that were chosen, while the money divides itself over them: a further payment is
 * proposed to be the rest of it.
 */
export const followedOpen = (edited: Followed, items: readonly OpenItem[]): number | undefined =>
  edited.closesFollow?.length
    ? followedItems(edited, items)?.reduce((total, item) => total + item.openInCurrencyAgorot, 0)
    : undefined

/** The same documents for no more than was received, the first of them first. */
export function fitted(
  closes: readonly EditedClose[],
  items: readonly OpenItem[],
  received: number,
  currency: string,
): EditedClose[] {
  let left = received
  return closes.flatMap((close) => {
    const item = items.find((one) => one.id === close.documentId)
    // A request takes nothing; what another currency takes is for a person to say.
    if (!item || item.asks || item.currency !== currency) {
      if (item && !item.asks) left -= close.takesAgorot ?? 0
      return [close]
    }
    const amountAgorot = Math.min(close.amountAgorot ?? 0, Math.max(0, left))
    left -= amountAgorot
    return amountAgorot > 0 ? [{ ...close, amountAgorot }] : []
  })
}
