import { addMonths, type Day } from '../day.ts'
import { splitByLargestRemainder, sum, type Agorot } from '../money.ts'

/*
 * How a document is paid: several payment methods, each with an amount and a day. The amounts are in the document's
 * currency; the books post them in shekels at its rate.
 */

/**
 * The amounts of the payments in shekels: together exactly the document's shekels, so that the entry balances
 * whatever the rate. Signs may not be mixed: a refund is a separate document.
 */
export function paymentsInIls(amounts: readonly Agorot[], totalIls: Agorot): Agorot[] {
  if (amounts.some((amount) => amount > 0) && amounts.some((amount) => amount < 0))
    throw new RangeError('payments in both directions')
  const turned = amounts.map(Math.abs)
  const shares = splitByLargestRemainder(Math.abs(totalIls), turned)
  return totalIls < 0 ? shares.map((share) => -share) : shares
}

export interface Cheque {
  readonly number: string
  readonly dueDay: Day
  readonly amount: Agorot
}

/** The number of a cheque so many after another one; what is not digits has no number after it. */
export const numberAfter = (number: string, count: number): string =>
  count === 0
    ? number
    : /^\d{1,12}$/.test(number)
      ? String(BigInt(number) + BigInt(count)).padStart(number.length, '0')
      : ''

/**
 * A series of cheques given at once: consecutive numbers, one a month from the first day, equal amounts with the odd
 * agorot on the first. RangeError for fewer than 1 or more than 36 and for a number that is not digits.
 */
export function chequeSeries(first: { number: string; dueDay: Day }, total: Agorot, count: number): Cheque[] {
  if (!Number.isInteger(count) || count < 1 || count > 36) throw new RangeError(`${count} cheques`)
  if (!/^\d{1,12}$/.test(first.number)) throw new RangeError(`no number of a cheque: ${first.number}`)
  const each = Math.trunc(total / count)
  return Array.from({ length: count }, (_, i) => ({
    number: numberAfter(first.number, i),
    dueDay: addMonths(first.dueDay, i),
    amount: i === 0 ? total - each * (count - 1) : each,
  }))
}

/** What the payments come to. */
export const paid = (payments: readonly { readonly amount: Agorot }[]): Agorot =>
  sum(payments.map((payment) => payment.amount))

export interface OpenDebt {
  readonly id: string
  readonly open: Agorot
}

/**
 * Spreads a sum over debts in the order given, oldest first as people do: each takes what it needs while
 * there is money. What is left over stays on account.
 */
export function spread(
  amount: Agorot,
  debts: readonly OpenDebt[],
): { closes: { id: string; amount: Agorot }[]; onAccount: Agorot } {
  let left = amount
  const closes: { id: string; amount: Agorot }[] = []
  for (const debt of debts) {
    const part = Math.min(left, debt.open)
    if (part <= 0) continue
    closes.push({ id: debt.id, amount: part })
    left -= part
  }
  return { closes, onAccount: left }
}
