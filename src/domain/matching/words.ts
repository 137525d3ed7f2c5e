/** The longest a rule's words may be. */
const most = 100

/**
 * What a line of a bank will say the next time too: its longest run of words without a number, because
 * numbers are of this one payment. Where it has nothing but numbers, all of it.
 */
export function recurringWords(text: string): string {
  const runs = text
    .split(/\s+/)
    .reduce<string[][]>(
      (all, word) => (/\d/.test(word) ? [...all, []] : [...all.slice(0, -1), [...all.at(-1)!, word]]),
      [[]],
    )
    .map((run) => run.join(' ').replace(/^[\s\p{P}]+|[\s,.;:\-–/·(]+$/gu, ''))
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '')
  return (longest.length < 2 ? text.trim() : longest).slice(0, most).trim()
}
