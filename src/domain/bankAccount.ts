/*
 * Banks of Israel and the check digits of their accounts. The rules are gathered from open code, not from the
 * banks, so a failed check is a warning to the person typing and never a refusal.
 */

/** Bank codes as on cheques and in Masav files, with the word keys of their names. */
export const banks = {
  4: 'yahav',
  9: 'postal',
  10: 'leumi',
  11: 'discount',
  12: 'hapoalim',
  13: 'igud',
  14: 'otsarHahayal',
  17: 'mercantile',
  18: 'oneZero',
  20: 'mizrahiTefahot',
  22: 'citibank',
  23: 'hsbc',
  26: 'ubank',
  31: 'firstInternational',
  39: 'sbi',
  46: 'massad',
  50: 'masav',
  52: 'pagi',
  54: 'jerusalem',
  59: 'abs',
  99: 'bankOfIsrael',
} as const satisfies Record<number, string>

export type BankCode = keyof typeof banks
export type BankName = (typeof banks)[BankCode]

export function isBankCode(code: number): code is BankCode {
  return Object.hasOwn(banks, code)
}

/** 'unknown' where no rule is public. */
export type AccountCheck = 'ok' | 'suspicious' | 'unknown'

interface Account {
  /** Three digits. */
  readonly branch: string
  /** Nine digits with left zeros. */
  readonly number: string
}

/** Checks an account number (dashes and spaces allowed) against the rule of its bank. */
export function checkBankAccount(bank: number, branch: string | number, account: string): AccountCheck {
  const rule = rules[bank]
  if (!rule) return 'unknown'
  const branchDigits = String(branch).replace(/\s/g, '')
  const accountDigits = account.replace(/[\s\-/]/g, '')
  if (!/^\d{1,3}$/.test(branchDigits) || !/^\d{1,9}$/.test(accountDigits) || /^0+$/.test(accountDigits))
    return 'suspicious'
  const passes = rule({ branch: branchDigits.padStart(3, '0'), number: accountDigits.padStart(9, '0') })
  return passes ? 'ok' : 'suspicious'
}

const NINE_TO_ONE = [9, 8, 7, 6, 5, 4, 3, 2, 1]
const SIX_TO_ONE = [6, 5, 4, 3, 2, 1]

/** Branch and the last six digits, weights 9 to 1, modulo 11. */
const branchAndSix =
  (...remainders: number[]) =>
  ({ branch, number }: Account) =>
    remainders.includes(weighted(branch + number.slice(-6), NINE_TO_ONE) % 11)

/** All nine digits of the account, weights 9 to 1, modulo 11; the branch takes no part. */
const nineDigits =
  (...remainders: number[]) =>
  ({ number }: Account) =>
    remainders.includes(weighted(number, NINE_TO_ONE) % 11)

/** The last six digits alone, weights 6 to 1, modulo 11. */
const sixDigits =
  (...remainders: number[]) =>
  ({ number }: Account) =>
    remainders.includes(weighted(number.slice(-6), SIX_TO_ONE) % 11)

const leumi = ({ branch, number }: Account) => {
  const eight = number.slice(-8)
  const total = weighted(branch + eight.slice(0, 6), [10, 9, 8, 7, 6, 5, 4, 3, 2]) + Number(eight.slice(6))
  return [90, 72, 70, 60, 20].includes(total % 100)
}

/** Branches above 400 came from Tefahot and are counted without the four hundred. */
const mizrahi = ({ branch, number }: Account) =>
  branchAndSix(
    0,
    2,
    4,
  )({ branch: Number(branch) > 400 ? String(Number(branch) - 400).padStart(3, '0') : branch, number })

const citibank = ({ number }: Account) =>
  11 - (weighted(number.slice(0, 8), [3, 2, 7, 6, 5, 4, 3, 2]) % 11) === Number(number.slice(-1))

/** Some branches of these two banks follow the rule of their group, so any of the three is accepted. */
const otsarOrMassad = (account: Account) =>
  branchAndSix(0)(account) || nineDigits(0)(account) || sixDigits(0)(account)

const rules: Readonly<Record<number, ((account: Account) => boolean) | undefined>> = {
  4: branchAndSix(0, 2),
  9: ({ number }) => weighted(number, NINE_TO_ONE) % 10 === 0,
  10: leumi,
  11: nineDigits(0, 2, 4),
  12: branchAndSix(0, 2, 4, 6),
  13: leumi,
  14: otsarOrMassad,
  17: nineDigits(0, 2, 4),
  20: mizrahi,
  22: citibank,
  31: (account) => nineDigits(0, 6)(account) || sixDigits(0, 6)(account),
  34: leumi,
  46: otsarOrMassad,
  52: (account) => nineDigits(0, 6)(account) || sixDigits(0, 6)(account),
}

function weighted(digits: string, weights: readonly number[]): number {
  return [...digits].reduce((total, digit, index) => total + Number(digit) * (weights[index] ?? 0), 0)
}
