import { daysBetween, type Day } from '../day.ts'
import type { Agorot } from '../money.ts'
import { waysTo } from './sums.ts'

/** A line of a card of the books that is not matched; a debit is positive. */
export interface CardLine {
  readonly key: string
  readonly entryId: string
  readonly day: Day
  readonly amount: Agorot
  readonly reference: string
  readonly reversesId: string | null
}

export interface ZeroProposal {
  readonly keys: readonly string[]
  readonly reason: 'reversal' | 'sameReference' | 'sameSum' | 'sumOfSeveral' | 'partOfReference'
  readonly certain: boolean
  /** The line that is taken in part, and how much of it with its own sign; the rest of it stays open. */
  readonly partly?: { readonly key: string; readonly amount: Agorot }
}

/**
 * What makes lines come to zero where they do not: the last of them that is larger than what is too much
 * gives only a part of itself. Undefined where they come to zero, or where all stand on one side, or no
 * single line can give way.
 */
export function partToZero(
  lines: readonly Pick<CardLine, 'key' | 'amount'>[],
): { key: string; amount: Agorot } | undefined {
  const tooMuch = lines.reduce((total, line) => total + line.amount, 0)
  if (tooMuch === 0) return undefined
  const giving = lines.findLast(
    (line) => Math.sign(line.amount) === Math.sign(tooMuch) && Math.abs(line.amount) > Math.abs(tooMuch),
  )
  return giving && { key: giving.key, amount: giving.amount - tooMuch }
}

const bare = (reference: string): string => reference.trim().replace(/^0+/, '')

/**
 * Lines of one card that together come to zero: an entry with what takes it back, all lines of one reference,
 * one line with one of the same sum on the other side, one with several; of what is left, lines of one
 * reference that meet in part. Certain are the first two; an equal sum is, when nothing else on the card has
 * it.
 */
export function proposeZero(lines: readonly CardLine[]): ZeroProposal[] {
  const proposals: ZeroProposal[] = []
  const used = new Set<string>()
  const take = (chosen: readonly CardLine[], reason: ZeroProposal['reason'], certain: boolean) => {
    for (const line of chosen) used.add(line.key)
    proposals.push({ keys: chosen.map((line) => line.key), reason, certain })
  }
  // Days are counted once: a card has thousands of lines, and each looks for those next to it.
  const dayOf = new Map(lines.map((line) => [line.key, daysBetween(lines[0]!.day, line.day)]))
  const nearTo = ({ key }: CardLine) => {
    const own = dayOf.get(key)!
    return (a: CardLine, b: CardLine) => Math.abs(dayOf.get(a.key)! - own) - Math.abs(dayOf.get(b.key)! - own)
  }
  const byDay = lines.toSorted((a, b) => dayOf.get(a.key)! - dayOf.get(b.key)!)
  const placeOf = new Map(byDay.map((line, i) => [line.key, i]))
  /** The twelve next to a line in days that are free and fit, the nearest first. */
  const nearest = (line: CardLine, fits: (one: CardLine) => boolean): CardLine[] => {
    const found: CardLine[] = []
    const near = nearTo(line)
    let [before, after] = [placeOf.get(line.key)! - 1, placeOf.get(line.key)! + 1]
    while (found.length < 12 && (before >= 0 || after < byDay.length)) {
      const [left, right] = [byDay[before], byDay[after]]
      const isLeft = left !== undefined && (right === undefined || near(left, right) <= 0)
      const one = isLeft ? left : right!
      if (isLeft) before--
      else after++
      if (!used.has(one.key) && fits(one)) found.push(one)
    }
    return found
  }
  const free = () => lines.filter((line) => !used.has(line.key))
  for (const line of lines) {
    const original =
      line.reversesId &&
      !used.has(line.key) &&
      free().find((one) => one.entryId === line.reversesId && one.amount === -line.amount)
    if (original) take([original, line], 'reversal', true)
  }
  const byReference = new Map<string, CardLine[]>()
  for (const line of free())
    if (bare(line.reference))
      byReference.set(bare(line.reference), [...(byReference.get(bare(line.reference)) ?? []), line])
  for (const [reference, those] of byReference)
    if (those.length > 1 && those.reduce((total, line) => total + line.amount, 0) === 0)
      take(those, 'sameReference', reference.length >= 3)
  const sizes = new Map<number, number>()
  for (const line of free()) sizes.set(Math.abs(line.amount), (sizes.get(Math.abs(line.amount)) ?? 0) + 1)
  for (const line of free().filter((one) => one.amount > 0)) {
    const against = free()
      .filter((one) => one.amount === -line.amount)
      .toSorted(nearTo(line))[0]
    if (against) take([line, against], 'sameSum', sizes.get(line.amount) === 2)
  }
  for (const line of free().toSorted((a, b) => Math.abs(b.amount) - Math.abs(a.amount))) {
    if (used.has(line.key)) continue
    const others = nearest(
      line,
      (one) =>
        Math.sign(one.amount) === -Math.sign(line.amount) && Math.abs(one.amount) < Math.abs(line.amount),
    )
    const ways = waysTo(-line.amount, others, 4)
    if (ways.length === 1) take([line, ...ways[0]!], 'sumOfSeveral', false)
  }
  for (const those of byReference.values()) {
    const left = those
      .filter((line) => !used.has(line.key))
      .toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
    // The oldest are closed first, so that the newest stays open with the rest.
    const partly = partToZero(left)
    if (!partly) continue
    for (const line of left) used.add(line.key)
    proposals.push({ keys: left.map((line) => line.key), reason: 'partOfReference', certain: false, partly })
  }
  return proposals
}
