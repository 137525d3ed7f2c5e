import type { ReportAnswer, ReportRow } from '#kit/describe/report.ts'
import { isAmount } from '#kit/fields/field.ts'

/** A line of a report's table: a row of the answer, or a subtotal worked out from rows. */
export interface Line {
  key: string
  row: ReportRow
  /** A subtotal of this group, in the words of its column; undefined for rows. */
  sumOf?: string
  /** The first of its group: only there the group's name is written. */
  opensGroup: boolean
}

/** Months of a card are summed when it is long enough to want it. */
const MONTHS_FROM_ROWS = 12

/**
 * Rows with their subtotals. A described group is summed where it has more than one row. A card with a
 * running balance is summed by month, and its subtotal shows the balance the month closes with.
 */
export function linesOf({ shape, rows }: Pick<ReportAnswer, 'shape' | 'rows'>): Line[] {
  // A balance runs on; a quantity or a price is that of its own row.
  const running = Object.entries(shape.columns)
    .filter(
      ([name, column]) =>
        isAmount(column) && (column.kind === 'money' || column.main) && !shape.totals.includes(name),
    )
    .map(([name]) => name)
  const byMonth =
    shape.group === undefined &&
    shape.columns.day?.kind === 'day' &&
    shape.totals.length > 0 &&
    isLongCard(rows)
  const groupOf = (row: ReportRow): string | undefined =>
    shape.group !== undefined
      ? String(row[shape.group] ?? '')
      : byMonth && typeof row.day === 'string'
        ? row.day.slice(0, 7)
        : undefined
  const lines: Line[] = []
  let group: ReportRow[] = []
  let name: string | undefined
  const close = () => {
    if (
      name !== undefined &&
      (group.filter(({ sum }) => !sum).length > 1 || byMonth) &&
      shape.totals.length > 0
    ) {
      const sums: ReportRow = {}
      for (const total of shape.totals)
        sums[total] = group.reduce((sum, row) => sum + Number(row[total] ?? 0), 0)
      if (byMonth) for (const one of running) sums[one] = group.at(-1)?.[one] ?? null
      const called = group[0]?.groupName
      if (called !== undefined) sums.groupName = called
      lines.push({ key: `sum-${lines.length}`, row: sums, sumOf: name, opensGroup: false })
    }
    group = []
  }
  rows.forEach((row, i) => {
    // The opening balance of a group is its first line; other lines that are no records stand between groups.
    const isOpening = shape.group !== undefined && row.kind === 'opening' && groupOf(row) !== ''
    const next = row.sum && !isOpening ? undefined : groupOf(row)
    const opensGroup = next !== name
    if (opensGroup) {
      close()
      name = next
    }
    group.push(row)
    lines.push({ key: String(i), row, opensGroup })
  })
  close()
  return lines
}

function isLongCard(rows: readonly ReportRow[]): boolean {
  const months = new Set(rows.flatMap(({ day }) => (typeof day === 'string' ? [day.slice(0, 7)] : [])))
  return months.size > 1 && rows.length > MONTHS_FROM_ROWS
}

/** How many letters the longest of a column has, by its beginning. */
export const longest = (rows: readonly ReportRow[], name: string): number =>
  rows.slice(0, 200).reduce((most, row) => Math.max(most, String(row[name] ?? '').length), 0)
