import type { Resource } from '#kit/describe/resource.ts'

type Row = Readonly<Record<string, unknown>>

/** A total of some rows of a list. */
export interface RowSum {
  name: string
  /** The rows are of several kinds, and only those that may be added to any other were. */
  isOfSome: boolean
  byCurrency: [currency: string, agorot: number][]
}

/**
 * The totals of what is shown or chosen: amounts of different currencies never meet, an amount in the currency of the
 * books has that one, and of records of several kinds only those are added that may be.
 */
export function rowSums(resource: Resource<any>, rows: readonly Row[]): RowSum[] {
  const { totals = [], sums } = resource.list as {
    totals?: string[]
    sums?: { of: string[]; by: string; adds: string }
  }
  return totals.flatMap((name) => {
    const counted = sums?.of.includes(name) ? rows.filter((row) => row[sums.adds] !== 'never') : rows
    const isOfSome = counted !== rows && new Set(counted.map((row) => row[sums!.by])).size > 1
    const added = isOfSome ? counted.filter((row) => row[sums!.adds] === 'always') : counted
    const byCurrency = new Map<string, number>()
    for (const row of added) {
      const value = row[name]
      // People who may not see amounts get none.
      if (typeof value !== 'number') continue
      const { inShekels } = (resource.fields as Record<string, { inShekels?: boolean }>)[name]!
      const currency = typeof row.currency === 'string' && !inShekels ? row.currency : 'ILS'
      byCurrency.set(currency, (byCurrency.get(currency) ?? 0) + value)
    }
    if (byCurrency.size === 0) return []
    return [{ name, isOfSome, byCurrency: [...byCurrency] }]
  })
}
