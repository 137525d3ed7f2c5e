/**
 * The most signs that the lines of one paper may hold together: a thousand lines of two hundred signs, some
 * eighty full pages. A paper is set, sealed, kept and sent as a whole; beyond this that takes minutes and
 * gigabytes.
 */
export const mostPaperText = 200_000

interface LineText {
  sku?: string | null | undefined
  description: string
  details?: string | null | undefined
  unit?: string | null | undefined
}

/** How many signs the lines of a paper hold. */
export const paperTextOf = (lines: readonly LineText[]): number =>
  lines.reduce(
    (sum, { sku, description, details, unit }) =>
      sum + description.length + (sku?.length ?? 0) + (details?.length ?? 0) + (unit?.length ?? 0),
    0,
  )
