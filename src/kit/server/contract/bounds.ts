import { formatMoney, formatNumber, formatPercent } from '#domain/format.ts'
import { failField, type FieldError } from '#kit/describe/errors.ts'

/**
 * A bound as the field shows its value: the unit of a figure (agorot, basis points) is the end of its field's name.
 */
const shown = (path: string, bound: number): string => {
  // The ends of what a number holds are nobody's bound, and no figure either.
  if (!Number.isSafeInteger(bound) || Math.abs(bound) > 9_000_000_000_000) return String(bound)
  const [name] = path.split('.').slice(-1)
  if (name!.endsWith('Agorot')) return formatMoney(bound)
  return name!.endsWith('Bp') ? formatPercent(bound) : formatNumber(bound)
}

/** The refusal of a figure below its least (`fields.least`). */
export const belowLeast = (path: string, min: number): FieldError => ({
  path,
  code: 'fields.least',
  params: { min: shown(path, min) },
})

/** The refusal of a figure, or of so many things, above what may be (`fields.most`). */
export const aboveMost = (path: string, max: number): FieldError => ({
  path,
  code: 'fields.most',
  params: { max: shown(path, max) },
})

/** Refuses a figure outside its bounds and says which it broke; one that is not given breaks none. */
export function checkWithin(
  path: string,
  value: unknown,
  { min, max }: { min?: number; max?: number },
): void {
  if (value === null || value === undefined) return
  const figure = Number(value)
  const refused =
    min !== undefined && figure < min
      ? belowLeast(path, min)
      : max !== undefined && figure > max
        ? aboveMost(path, max)
        : undefined
  if (refused) throw failField(path, refused.code, refused.params)
}

/** A whole share: nothing to all of it. */
export const wholeShare = { min: 0, max: 10_000 }
