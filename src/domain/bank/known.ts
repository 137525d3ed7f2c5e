import type { StatementLine } from './statement.ts'

/** What tells one line from another of the same account. */
type Marks = Pick<StatementLine, 'day' | 'amount' | 'text' | 'reference' | 'balance'>

/**
 * `new`: it is not there yet. `known`: it is there. `suspect`: another line of that day and sum is there
 * which this file does not have; the bank, or another kind of its files, seems to have worded it otherwise.
 */
export type Novelty = 'new' | 'known' | 'suspect'

/** Case, quotes and spaces differ between the files of one bank. */
const alike = (text: string): string => text.toLowerCase().replace(/[\s"'`׳״.,\-/\\*]+/g, '')

/** Leading zeros are written by some files of a bank and left out by others. */
const bareReference = (reference: string): string => alike(reference).replace(/^0+/, '')

/** Day, amount, reference and text: two lines that share all of it are distinguished only by their number. */
export const markOf = (line: Marks): string =>
  [line.day, line.amount, bareReference(line.reference), alike(line.text)].join('|')

/**
 * Which lines of a file are new. Each line that is there answers for one of the file, so that two equal fees
 * of one day stay two, however files overlap: first those alike in everything, then those of the same
 * reference, then those after which the account stood at the same.
 */
export function noveltyOf(existing: readonly Marks[], incoming: readonly Marks[]): Novelty[] {
  const novelty: Novelty[] = incoming.map(() => 'new')
  const free = new Set(existing.map((line) => ({ line })))
  const claim = (keyOf: (line: Marks) => string | undefined, as: Novelty) => {
    const waiting = new Map<string, { line: Marks }[]>()
    for (const one of free) {
      const key = keyOf(one.line)
      if (key === undefined) continue
      const those = waiting.get(key)
      if (those) those.push(one)
      else waiting.set(key, [one])
    }
    for (const [i, line] of incoming.entries()) {
      if (novelty[i] !== 'new') continue
      const key = keyOf(line)
      const found = key === undefined ? undefined : waiting.get(key)?.shift()
      if (!found) continue
      free.delete(found)
      novelty[i] = as
    }
  }
  const daySum = ({ day, amount }: Marks) => `${day}|${amount}`
  claim(markOf, 'known')
  claim(
    (line) =>
      bareReference(line.reference).length >= 3
        ? `${daySum(line)}|${bareReference(line.reference)}`
        : undefined,
    'known',
  )
  claim((line) => (line.balance === null ? undefined : `${daySum(line)}|${line.balance}`), 'known')
  claim(daySum, 'suspect')
  return novelty
}

/**
 * The how-manieth of its mark each line is, from 1, given how many of each mark are there: part of its
 * fingerprint.
 */
export function occurrences(existing: readonly Marks[], incoming: readonly Marks[]): number[] {
  const seen = new Map<string, number>()
  for (const line of existing) seen.set(markOf(line), (seen.get(markOf(line)) ?? 0) + 1)
  return incoming.map((line) => {
    const n = (seen.get(markOf(line)) ?? 0) + 1
    seen.set(markOf(line), n)
    return n
  })
}
