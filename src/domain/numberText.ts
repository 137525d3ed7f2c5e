/**
 * What people type or paste as a number, made plain: invisible direction marks, spaces and currency signs go,
 * the digits of an Arabic keyboard become 0-9 and the typographic minus becomes '-'. Our own formatter adds
 * marks and no-break spaces, so a figure copied from a screen has to survive being pasted back.
 */
export function plainNumberText(text: string): string {
  return text
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .replace(/[\s₪$€£]/g, '')
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[\u2212\u2013]/g, '-')
}

/**
 * An unsigned number with optional thousands commas as digits and number of decimals: '1,234.5' is { digits:
 * 12345n, places: 1 }. Commas must stand at thousands. '12,50' is refused: a reader of Russian or French
 * means twelve and a half, and reading it as 1250 would be a hundredfold mistake.
 */
export function readUnsigned(text: string): { digits: bigint; places: number } | undefined {
  const found = /^(\d{1,3}(?:,\d{3})+|\d*)(?:\.(\d*))?$/.exec(text)
  if (!found) return undefined
  const whole = (found[1] ?? '').replaceAll(',', '')
  const decimals = found[2] ?? ''
  if (whole === '' && decimals === '') return undefined
  return { digits: BigInt(whole + decimals), places: decimals.length }
}

/** Thousands commas into a text of digits: '1234567' is '1,234,567'. */
export function withCommas(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',')
}
