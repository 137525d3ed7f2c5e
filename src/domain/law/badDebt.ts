import { addMonths, daysBetween, addDays, type Day, type Period } from '../day.ts'

/*
 * VAT Regulations, 24A(c): the credit invoice of a bad debt is issued after six months and within three years of the tax
 * invoice. Read in professional publications; checked on 2026-11-30.
 */
const firstMonths = 6
const lastMonths = 36

/**
 * The days on which the VAT of an unpaid invoice may be reclaimed, the first and the last. Days of proceedings over
 * the debt (from a claim to its final judgment, or to the final dividend of an insolvency) do not count towards the
 * end.
 */
export function badDebtWindow(invoiceDay: Day, paused?: Period): Period {
  const end = addDays(addMonths(invoiceDay, lastMonths), -1)
  const from = addMonths(invoiceDay, firstMonths)
  if (!paused || paused.to < invoiceDay || paused.from > end) return { from, to: end }
  const start = paused.from > invoiceDay ? paused.from : invoiceDay
  return { from, to: addDays(end, daysBetween(start, paused.to) + 1) }
}
