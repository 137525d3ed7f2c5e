import { countryCode } from './countries.ts'

/*
 * Codes of banks by which money comes from abroad (ISO 9362): four for the bank, two of its country, two signs
 * of its place and, for a branch, three more.
 */

/** Capitals without blanks; undefined when it can be no code of a bank. */
export function normaliseSwift(text: string): string | undefined {
  const code = text.replace(/[\s\u200e\u200f\u202a-\u202e\u2066-\u2069-]/g, '').toUpperCase()
  if (!/^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(code)) return undefined
  const country = code.slice(4, 6)
  // Kosovo has codes of banks and no letters in ISO 3166-1.
  return country === 'XK' || countryCode(country) === country ? code : undefined
}
