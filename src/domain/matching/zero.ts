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
  readonly reason: 'reversal' | 'sameReference' | 'sameSum' | 'sumOfSeveral'
  readonly certain: boolean
}

const bare = (reference: string): string => reference.trim().replace(/^0+/, '')

/**
 * Lines of one card that together come to zero: an entry with what takes it back, all lines of one reference, one line with one of the same sum on
 * the other side, one with several. Certain are the first two; an equal sum is, when nothing else on the card has it.
 */
export function proposeZero(lines: readonly CardLine[]): ZeroProposal[] {
  const proposals: ZeroProposal[] = []
  const used = new Set<string>()
  const take = (chosen: readonly CardLine[], reason: ZeroProposal['reason'], certain: boolean) => {
    for (const line of chosen) used.add(line.key)
    proposals.push({ keys: chosen.map((line) => line.key), reason, certain })
  }
  const free = () => lines.filter((line) => !used.has(line.key))
  for (const line of lines) {
    const original =
      line.reversesId && !used.has(line.key) && free().find((one) => one.entryId === line.reversesId && one.amount === -line.amount)
    if (original) take([original, line], 'reversal', true)
  }
  const byReference = new Map<string, CardLine[]>()
  for (const line of free())
    if (bare(line.reference)) byReference.set(bare(line.reference), [...(byReference.get(bare(line.reference)) ?? []), line])
  for (const [reference, those] of byReference)
    if (those.length > 1 && those.reduce((total, line) => total + line.amount, 0) === 0) take(those, 'sameReference', reference.length >= 3)
  const sizes = new Map<number, number>()
  for (const line of free()) sizes.set(Math.abs(line.amount), (sizes.get(Math.abs(line.amount)) ?? 0) + 1)
  for (const line of free().filter((one) => one.amount > 0)) {
    const against = free()
      .filter((one) => one.amount === -line.amount)
      .toSorted((a, b) => Math.abs(daysBetween(a.day, line.day)) - Math.abs(daysBetween(b.day, line.day)))[0]
    if (against) take([line, against], 'sameSum', sizes.get(line.amount) === 2)
  }
  for (const line of free().toSorted((a, b) => Math.abs(b.amount) - Math.abs(a.amount))) {
    if (used.has(line.key)) continue
    const others = free()
      .filter((one) => Math.sign(one.amount) === -Math.sign(line.amount) && Math.abs(one.amount) < Math.abs(line.amount))
      .toSorted((a, b) => Math.abs(daysBetween(a.day, line.day)) - Math.abs(daysBetween(b.day, line.day)))
      .slice(0, 12)
    const ways = waysTo(-line.amount, others, 4)
    if (ways.length === 1) take([line, ...ways[0]!], 'sumOfSeveral', false)
  }
  return proposals
}
