/*
 * The part of an expense's VAT that may be deducted, as numerator and denominator. VAT Regulations, 18(b): where use is
 * not wholly for the business and its part cannot be told, two thirds where it is mainly for the business, a quarter
 * where it is mainly private. None: VAT Law and Regulations, 14, 15a and 16 (a private car's purchase, hospitality).
 * Read in professional publications; checked on 2026-11-30. A change by law becomes another share: what was entered
 * keeps the share of its day.
 */
export const vatShares = {
  full: [1, 1],
  twoThirds: [2, 3],
  quarter: [1, 4],
  none: [0, 1],
} as const satisfies Record<string, readonly [numerator: number, denominator: number]>
