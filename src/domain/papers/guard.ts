import { addMonths, type Day } from '../day.ts'
import { numberKey } from '../vat/bills.ts'
import type { Agorot } from '../money.ts'

/*
 * Questions about a bill before it is paid. None of it is a mistake for certain, so nothing is refused: a bill with
 * an open question waits for approval, and payments take approved bills only.
 */
export const questionNames = [
  'askOtherBuyer',
  'askOwnDocument',
  'askBankChanged',
  'askPrepaid',
  'askOldDay',
  'askSameNumber',
  'askSameSum',
  'askUnlike',
] as const
export type QuestionName = (typeof questionNames)[number]

export interface Question {
  readonly name: QuestionName
  readonly agorot?: Agorot
  readonly day?: Day
  readonly number?: string
}

export interface GuardedBill {
  readonly day: Day
  readonly number: string
  /** Without a sign. */
  readonly total: Agorot
  readonly isCredit: boolean
  readonly supplierTaxId: string | null
  readonly buyerTaxId: string | null
  readonly isOwn: boolean
  readonly prepaid: Agorot
  /** As `accountsIn` finds them. */
  readonly accounts: readonly string[]
}

export interface KnownOfSupplier {
  readonly today: Day
  readonly ownTaxId: string | null
  /** The account that payments go to: bank, branch and number. */
  readonly account: { bank: number; branch: string; number: string } | null
  /** Other bills of this supplier that count, newest first. */
  readonly earlier: readonly { day: Day; number: string; total: Agorot }[]
}

const oldMonths = 6
/** So many bills say what is usual, and so many times the largest of them is not. */
const usualBills = 3
const unlikeTimes = 4

export function questionsOf(bill: GuardedBill, known: KnownOfSupplier): Question[] {
  const out: Question[] = []
  const { ownTaxId } = known
  if (bill.isOwn || (ownTaxId && bill.supplierTaxId === ownTaxId)) out.push({ name: 'askOwnDocument' })
  else if (ownTaxId && bill.buyerTaxId && bill.buyerTaxId !== ownTaxId)
    out.push({ name: 'askOtherBuyer', number: bill.buyerTaxId })
  if (bill.accounts.length && known.account && !bill.accounts.some((one) => isAccount(one, known.account!)))
    out.push({ name: 'askBankChanged', number: bill.accounts[0]! })
  if (bill.prepaid > 0) out.push({ name: 'askPrepaid', agorot: bill.prepaid })
  if (bill.day < addMonths(known.today, -oldMonths)) out.push({ name: 'askOldDay', day: bill.day })
  if (bill.isCredit) return out
  const key = numberKey(bill.number)
  const twin = known.earlier.find((one) => key !== '' && isSameNumber(key, numberKey(one.number)))
  if (twin) out.push({ name: 'askSameNumber', number: twin.number, day: twin.day, agorot: twin.total })
  else {
    const same = known.earlier.find(
      (one) =>
        one.total === bill.total && (one.day === bill.day || key === '' || numberKey(one.number) === ''),
    )
    if (same) out.push({ name: 'askSameSum', day: same.day, agorot: same.total })
  }
  const largest = Math.max(0, ...known.earlier.map((one) => one.total))
  if (known.earlier.length >= usualBills && bill.total > largest * unlikeTimes)
    out.push({ name: 'askUnlike', agorot: largest })
  return out
}

/** 'INV-2026-17' and '2026-17': one of them was read with its series, the other without. */
function isSameNumber(a: string, b: string): boolean {
  if (a === b) return true
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  const rest = long.slice(0, long.length - short.length)
  return short.length >= 3 && long.endsWith(short) && /^\p{L}+$/u.test(rest)
}

const plainNumber = (text: string) => text.replace(/\D/g, '').replace(/^0+/, '')

/** The branch is left out: banks merge them, and the number stays. */
function isAccount(printed: string, account: { bank: number; number: string }): boolean {
  const [bank, , number = ''] = printed.split('-')
  return Number(bank) === account.bank && plainNumber(number) === plainNumber(account.number)
}

/**
 * Accounts that a bill asks to be paid to, as bank-branch-number: an IBAN of Israel, or the three beside their words.
 */
export function accountsIn(text: string): string[] {
  const out = new Set<string>()
  for (const [found] of text.matchAll(/\bIL\d{2}[ -]?(?:\d[ -]?){18}\d\b/gi)) {
    const digits = found.replace(/\D/g, '').slice(2)
    out.add(`${Number(digits.slice(0, 3))}-${digits.slice(3, 6)}-${plainNumber(digits.slice(6))}`)
  }
  const parts =
    /(?:בנק|bank|بنك|банк|banque)[^\d\n]{0,30}(\d{1,2})[^\d\n]{0,20}(?:סניף|branch|فرع|филиал|отделение|agence)[^\d\n]{0,20}(\d{1,3})[^\d\n]{0,30}(?:חשבון|חש'|ח-ן|account|acc\.?|حساب|сч[её]т|compte)[^\d\n]{0,20}(\d[\d/ -]{2,18}\d)/giu
  for (const [, bank, branch, number] of text.matchAll(parts))
    out.add(`${Number(bank)}-${branch}-${plainNumber(number!)}`)
  return [...out]
}
