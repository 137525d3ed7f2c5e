import type { Day } from '../day.ts'
import type { VatShare } from '../vat/shares.ts'
import { vatShares } from '../law/vatShares.ts'
import { includedRate, sum, timesFraction, type Agorot, type BasisPoints } from '../money.ts'
import { vatRateOn } from '../vat/rates.ts'
import type { VatKind } from './codes.ts'
import { balance, credit, debit, entryOf, type Posting } from './entry.ts'
import { recognisedVat } from './posting.ts'

/*
 * A line of the journal as a bookkeeper types it: one account to be debited, one to be credited, a sum with
 * VAT in it and a VAT code. How it becomes postings, and which lines make an entry together. Run by the grid
 * while it is typed and by the server that posts it.
 */

export interface VatTerm {
  readonly from: Day
  readonly rateBp: BasisPoints | null
  readonly share: VatShare
}

export interface VatCode {
  readonly kind: VatKind
  /** What may be deducted until the first of its terms. */
  readonly share: VatShare
  /**
   * What changed by day: a custom rate or, without one, the law's, and the share; each holds until the next.
   */
  readonly terms?: readonly VatTerm[]
  /** The account it posts to; codes without VAT need none. */
  readonly account?: string | null
}

export interface Movement {
  readonly day: Day
  readonly debit: string | null
  readonly credit: string | null
  /** With VAT in it; a negative sum turns the line round. */
  readonly amount: Agorot
  readonly vatCode?: VatCode | null
  /** As printed on the document, when not calculated. */
  readonly vat?: Agorot | null
  /**
   * What the amount is in another currency, and which of its accounts it moves there; an account of shekels
   * is moved in shekels only.
   */
  readonly foreign?: {
    readonly currency: string
    readonly amount: Agorot
    readonly debit: boolean
    readonly credit: boolean
  } | null
}

/** The term of a code that holds on a day; undefined before the first. */
const termOn = (code: VatCode, day: Day): VatTerm | undefined =>
  code.terms?.filter(({ from }) => from <= day).toSorted((a, b) => (a.from < b.from ? 1 : -1))[0]

/** The rate of a VAT code on a day: its own, or the law's; nothing where no VAT is charged. */
export function rateOf(code: VatCode, day: Day): BasisPoints {
  if (code.kind === 'exempt' || code.kind === 'zero') return 0
  return termOn(code, day)?.rateBp ?? vatRateOn(day)
}

/** What of the VAT may be deducted on a day. */
export const shareOf = (code: VatCode, day: Day): VatShare => termOn(code, day)?.share ?? code.share

export interface SplitVat {
  /** The VAT in the amount. */
  readonly vat: Agorot
  /** What goes to the VAT account: all of it on sales, the share that may be deducted on purchases. */
  readonly recognised: Agorot
  /** What stays on the income or expense. */
  readonly rest: Agorot
}

/** The VAT inside an amount. Rounded once, half away from zero; what is not deducted stays on the expense. */
export function splitVat({
  amount,
  day,
  vatCode,
  vat,
}: Pick<Movement, 'amount' | 'day' | 'vatCode' | 'vat'>): SplitVat {
  if (!vatCode) return { vat: 0, recognised: 0, rest: amount }
  const inside = vat ?? includedRate(amount, rateOf(vatCode, day))
  const [numerator, denominator] = vatCode.kind === 'sale' ? [1, 1] : vatShares[shareOf(vatCode, day)]
  const isTaxed = vatCode.kind !== 'exempt' && vatCode.kind !== 'zero'
  const recognised = isTaxed ? recognisedVat(inside, numerator, denominator) : 0
  return { vat: inside, recognised, rest: amount - recognised }
}

/**
 * The postings of one line: its VAT is on the side of the income of a sale, or of the expense of a purchase.
 */
export function postingsOf(line: Movement): Posting[] {
  const { recognised, rest } = splitVat(line)
  const { vatCode, amount } = line
  const account = vatCode?.account
  if (recognised !== 0 && !account) throw new RangeError('a VAT code without its account')
  // One account alone carries the VAT whichever side it is on.
  const onCredit =
    recognised !== 0 && (line.debit === null || (vatCode?.kind === 'sale' && line.credit !== null))
  const onDebit = recognised !== 0 && !onCredit
  const moved = (side: 'debit' | 'credit', posting: Posting, part: Agorot): Posting => {
    const { foreign } = line
    if (!foreign?.[side] || amount === 0) return posting
    // Without the VAT it is the same share of the currency as of the shekels.
    const size = timesFraction(foreign.amount, Math.abs(part), Math.abs(amount), 'halfAwayFromZero')
    return { ...posting, foreign: { currency: foreign.currency, amount: side === 'debit' ? size : -size } }
  }
  const debited = (part: Agorot) => moved('debit', debit(line.debit!, part), part)
  const credited = (part: Agorot) => moved('credit', credit(line.credit!, part), part)
  return [
    ...(line.debit === null
      ? []
      : onDebit
        ? [debited(rest), debit(account!, recognised)]
        : [debited(amount)]),
    ...(line.credit === null
      ? []
      : onCredit
        ? [credited(rest), credit(account!, recognised)]
        : [credited(amount)]),
  ]
}

export type MovementFault =
  | 'noAccount'
  | 'sameAccount'
  | 'noAmount'
  | 'vatTooMuch'
  | 'noVatAccount'
  | 'noForeign'
  | 'otherDay'
  | 'open'

export interface EntryDraft {
  /** Places of its lines among all. */
  readonly lines: readonly number[]
  readonly day: Day
  /** Debit less credit of an entry that is not closed; 0 when it balances. */
  readonly difference: Agorot
  readonly postings: readonly Posting[]
}

/** What is wrong with a single line. */
export function faultOf(line: Movement): MovementFault | undefined {
  if (line.debit === null && line.credit === null) return 'noAccount'
  if (line.debit !== null && line.debit === line.credit) return 'sameAccount'
  if (line.amount === 0) return 'noAmount'
  if (
    line.vat !== null &&
    line.vat !== undefined &&
    (line.vat * line.amount < 0 || Math.abs(line.vat) >= Math.abs(line.amount))
  )
    return 'vatTooMuch'
  if (line.vatCode && !line.vatCode.account && splitVat(line).recognised !== 0) return 'noVatAccount'
  // A sum without its currency, a currency without its sum, or one that goes the other way.
  if (line.foreign && (!line.foreign.currency || Math.sign(line.foreign.amount) !== Math.sign(line.amount)))
    return 'noForeign'
  return undefined
}

/**
 * The entries that lines make, in their order. A line with two accounts is an entry; a line with one opens an entry
 * that goes on until debit equals credit. Faults by the place of the line: an entry whose lines have different days,
 * one that never closes.
 */
export function entriesOf(lines: readonly Movement[]): {
  entries: EntryDraft[]
  faults: Map<number, MovementFault>
} {
  const entries: EntryDraft[] = []
  const faults = new Map<number, MovementFault>()
  let places: number[] = []
  let postings: Posting[] = []
  const close = () => {
    const difference = balance(postings)
    entries.push({
      lines: places,
      day: lines[places[0]!]!.day,
      difference,
      postings: difference === 0 ? entryOf(postings) : postings,
    })
    places = []
    postings = []
  }
  lines.forEach((line, i) => {
    const fault = faultOf(line)
    if (fault) {
      faults.set(i, fault)
      return
    }
    const opening = places[0]
    if (opening !== undefined && lines[opening]!.day !== line.day) faults.set(i, 'otherDay')
    places.push(i)
    postings.push(...postingsOf(line))
    if (balance(postings) === 0) close()
  })
  if (places.length > 0) {
    faults.set(places.at(-1)!, 'open')
    close()
  }
  return { entries, faults }
}

/** Debit and credit of all lines that are sound, for the foot of the grid. */
export function sumsOf(lines: readonly Movement[]): { debit: Agorot; credit: Agorot; difference: Agorot } {
  const postings = lines.filter((line) => faultOf(line) === undefined).flatMap(postingsOf)
  return {
    debit: sum(postings.map((p) => p.debit)),
    credit: sum(postings.map((p) => p.credit)),
    difference: balance(postings),
  }
}
