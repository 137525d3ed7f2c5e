/*
 * International account numbers (ISO 13616): country, two check digits, the account as the country writes it.
 * Here that is three digits of the bank, three of the branch and thirteen of the account.
 */

/** How long the number of an account is in each country (the registry of SWIFT, ISO 13616). */
const lengths: Readonly<Record<string, number>> = Object.fromEntries(
  `AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24
   FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32
   LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24
   RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30`
    .trim()
    .split(/\s+/)
    .map((one) => [one.slice(0, 2), Number(one.slice(2))]),
)

/**
 * Capitals without blanks; undefined when the check digits or the length are wrong. A country that joined the registry
 * later is held to the check digits alone.
 */
export function normaliseIban(text: string): string | undefined {
  const iban = text.replace(/[\s\u200e\u200f\u202a-\u202e\u2066-\u2069-]/g, '').toUpperCase()
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return undefined
  if (iban.startsWith('IL') && !/^IL\d{21}$/.test(iban)) return undefined
  const length = lengths[iban.slice(0, 2)]
  if (length !== undefined && iban.length !== length) return undefined
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
