import type { DeclineClass } from '../acquirers.ts'

/*
 * Codes of Shva's list for cards with a chip (Ashrait EMV), three digits, as most acquirers of this market pass them
 * on. There is none for 'not enough credit': 004 covers it too. A code that is not listed is soft, and is shown to a
 * person.
 */
const named: Readonly<Record<string, DeclineClass>> = {
  '001': 'fraud', // blocked
  '002': 'fraud', // stolen
  '003': 'soft', // call the company
  '004': 'soft', // refused, or no cover
  '005': 'fraud', // forged
  '006': 'details', // CVV or identity number
  '009': 'technical', // the line was cut
  '010': 'soft', // approved in part
  '015': 'expired',
  '017': 'hard', // this kind of credit is not for this card
  '026': 'details', // identity number
  '304': 'hard',
  '344': 'hard',
  '425': 'technical', // recorded twice
  '445': 'hard', // a debit card takes no instalments
  '447': 'details', // number
  '457': 'hard',
  '474': 'technical', // the first of a series needs a hold
  '475': 'technical',
  '476': 'technical',
  '477': 'technical',
  '478': 'technical',
  '479': 'technical',
}

/** Of the list before chips, which some still send: where a gateway says so, it goes first. */
export const oldList: Readonly<Record<string, DeclineClass>> = {
  '033': 'details', // number
  '036': 'expired',
  '039': 'details', // check digit
  '057': 'details', // identity number
}

/**
 * What a code of three digits tells to do; files missing in the terminal (051 to 193) are the business's own
 * matter.
 */
export function classOfCode(code: string, own: Readonly<Record<string, DeclineClass>> = {}): DeclineClass {
  const three = /^\d{1,3}$/.test(code) ? code.padStart(3, '0') : code
  const found = own[three] ?? named[three]
  if (found) return found
  const number = /^\d{3}$/.test(three) ? Number(three) : -1
  return number >= 51 && number <= 193 ? 'technical' : 'soft'
}
