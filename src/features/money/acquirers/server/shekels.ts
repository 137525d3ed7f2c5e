import type { Agorot } from '#domain/money.ts'

/** Agorot as the shekels with two decimals that most acquirers take: '350.00'. */
export const toShekels = (agorot: Agorot): string => `${Math.trunc(agorot / 100)}.${String(agorot % 100).padStart(2, '0')}`

/** The same as a figure for JSON: 350.5 is written as such and read back exactly, since two decimals stand well inside what a number holds. */
export const shekelNumber = (agorot: Agorot): number => Number(toShekels(agorot))

/** Shekels as an acquirer writes them; NaN for what is no sum of whole agorot, so that it equals nothing that was asked. */
export function fromShekels(value: unknown): Agorot {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim().replaceAll(',', '') : ''
  const [, whole, decimals = ''] = /^(\d{1,12})(?:\.(\d{1,6}))?$/.exec(text) ?? []
  if (whole === undefined || !/^\d{0,2}0*$/.test(decimals)) return Number.NaN
  return Number(whole) * 100 + Number(decimals.slice(0, 2).padEnd(2, '0'))
}
