/*
 * International account numbers (ISO 13616): country, two check digits, the account as the country writes it. Here that is three digits
 * of the bank, three of the branch and thirteen of the account.
 */

/** Capitals without blanks; undefined when the check digits or the length are wrong. */
export function normaliseIban(text: string): string | undefined {
  const iban = text.replace(/[\s\u200e\u200f\u202a-\u202e\u2066-\u2069-]/g, '').toUpperCase()
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return undefined
  if (iban.startsWith('IL') && !/^IL\d{21}$/.test(iban)) return undefined
  return remainder(iban.slice(4) + iban.slice(0, 4)) === 1 ? iban : undefined
}

/** The number of an account in Israel. RangeError when a part is not of digits or too long. */
export function israeliIban(bank: number, branch: string, account: string): string {
  if (!/^\d{1,3}$/.test(String(bank)) || !/^\d{1,3}$/.test(branch) || !/^\d{1,13}$/.test(account))
    throw new RangeError(`no account: ${bank} ${branch} ${account}`)
  const rest = String(bank).padStart(3, '0') + branch.padStart(3, '0') + account.padStart(13, '0')
  const check = 98 - remainder(`${rest}IL00`)
  return `IL${String(check).padStart(2, '0')}${rest}`
}

export interface IsraeliAccount {
  bank: number
  branch: string
  account: string
}

/** Bank, branch and account of a right Israeli number; undefined for any other. */
export function accountOfIban(text: string): IsraeliAccount | undefined {
  const iban = normaliseIban(text)
  if (!iban?.startsWith('IL')) return undefined
  return {
    bank: Number(iban.slice(4, 7)),
    branch: iban.slice(7, 10),
    account: iban.slice(10).replace(/^0+(?=\d)/, ''),
  }
}

/** In fours, as people read them. */
export const groupIban = (iban: string): string => iban.replace(/(.{4})(?=.)/g, '$1 ')

/** Letters count from ten; the number is far too long for arithmetic, so it is divided as on paper. */
function remainder(text: string): number {
  let rest = 0
  for (const sign of text) {
    const value = Number.parseInt(sign, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest
}
