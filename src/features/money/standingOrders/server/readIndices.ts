import { isDay } from '#domain/day.ts'
import { fail } from '#kit/describe/errors.ts'
import { cellsOf } from '#features/registers/rates/server/readers.ts'

export interface ReadIndex {
  month: string
  value: string
  coefficient: string
}

const mostIndices = 2000
const heads = {
  coefficient: /^(מקדם.*|coefficient|linking coefficient|link)$/i,
  value: /^(ערך|מדד|value|index|currbase.*|מדד כללי)$/i,
}

/** The month a cell names: 2026-09, 09/2026, 9.2026, 2026-09-01, 01/09/2026. */
function monthOf(cell: string): string | undefined {
  const found =
    /^(\d{4})[-/.](\d{1,2})(?:[-/.]\d{1,2}.*)?$/.exec(cell) ??
    /^(?:\d{1,2}[-/.])?(\d{1,2})[-/.](\d{4})$/
      .exec(cell)
      ?.map((part, i, all) => (i === 1 ? all[2]! : i === 2 ? all[1]! : part))
  if (!found) return undefined
  const day = `${found[1]}-${found[2]!.padStart(2, '0')}-01`
  return isDay(day) ? day : undefined
}

const isValue = (cell: string): boolean => /^\d{2,5}(\.\d{1,4})?$/.test(cell)

/** Year and month in separate adjacent cells, as the bureau writes them. */
function ofTwoCells(row: readonly string[]): { month: string; at: number } | undefined {
  for (let i = 0; i + 1 < Math.min(row.length, 12); i++)
    for (const [year, month] of [
      [row[i]!, row[i + 1]!],
      [row[i + 1]!, row[i]!],
    ] as const)
      if (/^(19|20)\d\d$/.test(year) && /^\d{1,2}$/.test(month)) {
        const day = `${year}-${month.padStart(2, '0')}-01`
        if (isDay(day)) return { month: day, at: i + 1 }
      }
  return undefined
}

/**
 * The indices of a file: in each row a month and a value, and where there is such a column the coefficient
 * that links a new base to the old.
 */
export async function readIndices(bytes: Uint8Array): Promise<{ rows: ReadIndex[]; skipped: number }> {
  const rows = await cellsOf(Buffer.from(bytes))
  const head = rows.slice(0, 30).find((row) => row.some((cell) => heads.value.test(cell)))
  const valueAt = head?.findIndex((cell) => heads.value.test(cell)) ?? -1
  const coefficientAt = head?.findIndex((cell) => heads.coefficient.test(cell)) ?? -1
  const found = new Map<string, ReadIndex>()
  let skipped = 0
  for (const row of rows) {
    const at = row.slice(0, 12).findIndex((cell) => monthOf(cell) !== undefined)
    const dated = at >= 0 ? { month: monthOf(row[at]!)!, at } : ofTwoCells(row)
    if (!dated) continue
    const value = valueAt >= 0 ? row[valueAt] : row.slice(dated.at + 1).find(isValue)
    const coefficient =
      coefficientAt >= 0 && /^\d{1,4}(\.\d{1,7})?$/.test(row[coefficientAt] ?? '') ? row[coefficientAt]! : '1'
    if (value && isValue(value) && Number(value) > 0 && found.size < mostIndices)
      found.set(dated.month, { month: dated.month, value, coefficient })
    else skipped++
  }
  if (!found.size) throw fail('standingOrders.indexNotFound')
  return { rows: [...found.values()], skipped }
}
