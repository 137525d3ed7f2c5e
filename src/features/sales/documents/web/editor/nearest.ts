import { fold } from '#domain/fold.ts'

/**
 * Names that begin with what was typed come first, then names with a word that does; the rest keep their
 * order.
 */
export function nearest<T>(rows: readonly T[], query: string, nameOf: (row: T) => string): T[] {
  const typed = fold(query)
  if (typed === '') return [...rows]
  const rank = (row: T) => {
    const name = fold(nameOf(row))
    return name.startsWith(typed) ? 0 : name.includes(` ${typed}`) ? 1 : 2
  }
  return rows
    .map((row, i) => ({ row, i, rank: rank(row) }))
    .sort((left, right) => left.rank - right.rank || left.i - right.i)
    .map(({ row }) => row)
}
