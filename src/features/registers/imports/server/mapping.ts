import { createHash } from 'node:crypto'
import { fold } from '#domain/fold.ts'
import type { ReadRow } from './rows.ts'
import type { Target } from './fields.ts'
import { synonyms } from './synonyms.ts'

/** A head as it is compared: folded, without points, colons and stars of forms. */
export const plainHead = (text: string): string =>
  fold(text.replace(/[.:*#()[\]]/g, ' ').replace(/[/\\|,]/g, ' '))
    .replace(/\s+/g, ' ')
    .trim()

interface Known {
  field: string
  words: string
  /** The product's own words weigh more than what others say. */
  weight: number
}

function knownHeads(targets: Target[]): Known[] {
  return targets.flatMap(({ name, heads }) => [
    ...heads.map((head) => ({ field: name, words: plainHead(head), weight: 3 })),
    ...(synonyms[name] ?? []).map((word) => ({ field: name, words: plainHead(word), weight: 2 })),
  ])
}

/** How well a head names a field: the same words, or its words among others. */
function scoreOf(head: string, { words, weight }: Known): number {
  if (words === '' || head === '') return 0
  if (head === words) return 10 * weight
  const joined = (text: string) => text.replaceAll(' ', '')
  if (joined(head) === joined(words)) return 9 * weight
  if (words.length < 3) return 0
  if (` ${head} `.includes(` ${words} `)) return weight * (words.length / head.length) * 4
  return 0
}

/** As much of a cell as can be a head; a file made to harm has lines of half a megabyte. */
export const longestHead = 120

/** Which column is which field, by the words of the heads; every field once, the surest first. */
export const proposeMapping = (heads: string[], targets: Target[]): (string | null)[] =>
  mappingBy(heads, knownHeads(targets))

function mappingBy(heads: string[], known: Known[]): (string | null)[] {
  const found = heads
    .flatMap((cell, column) => {
      const head = plainHead(cell.slice(0, longestHead))
      return known
        .map((one) => ({ column, field: one.field, score: scoreOf(head, one) }))
        .filter(({ score }) => score >= 2)
    })
    .sort((a, b) => b.score - a.score || a.column - b.column)
  const mapping = heads.map((): string | null => null)
  const taken = new Set<string>()
  for (const { column, field } of found) {
    if (mapping[column] !== null || taken.has(field)) continue
    mapping[column] = field
    taken.add(field)
  }
  return mapping
}

/**
 * The row of the heads among the first rows: the one whose words name most fields; titles and days of other
 * programs' reports stand above it. 0 when no row names any and the first one holds figures: then there is
 * none.
 */
export function headRowOf(rows: ReadRow[], targets: Target[]): number {
  const known = knownHeads(targets)
  let best = { row: rows[0]?.row ?? 1, named: 0 }
  for (const { row, cells } of rows.slice(0, 15)) {
    const named = mappingBy(cells, known).filter((field) => field !== null).length
    if (named > best.named) best = { row, named }
  }
  if (best.named > 0) return best.row
  const first = rows[0]?.cells ?? []
  return first.some((cell) => /\d{5,}|@/.test(cell)) ? 0 : best.row
}

/** Tells files with the same heads. */
export const fingerprintOf = (heads: string[]): string =>
  createHash('sha256').update(heads.map(plainHead).join('\u0001')).digest('hex')
