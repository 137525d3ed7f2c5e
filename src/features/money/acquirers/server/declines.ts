import type { DeclineClass } from '../acquirers.ts'

/*
 * Shva's list of the EMV protocol, three digits, which most gateways of this market hand through. There is no code for a card without cover: 004
 * says it too. What is not here is soft, and a person is told.
 */
const emv: Readonly<Record<string, DeclineClass>> = {
  '001': 'hard',
  '002': 'fraud',
  '003': 'hard',
  '004': 'soft',
  '005': 'fraud',
  '006': 'details',
  '007': 'technical',
  '008': 'technical',
  '009': 'soft',
  '010': 'soft',
  '011': 'technical',
  '012': 'technical',
  '014': 'hard',
  '015': 'expired',
  '017': 'technical',
  '026': 'details',
  '304': 'technical',
  '344': 'technical',
  '425': 'technical',
  '445': 'technical',
  '447': 'details',
  '457': 'technical',
}

/** The class of a decline by Shva's code, three digits or fewer. */
export function shvaClass(code: string, own: Readonly<Record<string, DeclineClass>> = {}): DeclineClass {
  const digits = /^\d{1,3}$/.test(code) ? code.padStart(3, '0') : code
  const known = own[digits] ?? own[code] ?? emv[digits]
  if (known) return known
  // 051 to 193: files and vectors that the terminal lacks, never the card.
  return /^\d{3}$/.test(digits) && Number(digits) >= 51 && Number(digits) <= 193 ? 'technical' : 'soft'
}
