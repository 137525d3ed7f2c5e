import type { FormCode, FormPart } from './codes.ts'

/*
 * The structure of form 6111: which side of the books a line counts, what each total consists of, which lines may be
 * negative and where a balance on the wrong side goes. By the specification of the form for 2023.
 */

/** A total and the lines it is made of; a negative number is taken off. */
interface Total {
  readonly code: number
  readonly of: readonly number[]
}

const between = (
  codes: readonly number[],
  from: number,
  to: number,
  less: readonly number[] = [],
): number[] =>
  codes.filter((code) => code > from && code < to).map((code) => (less.includes(code) ? -code : code))

/** Costs less what is worn of them. */
const wornCodes = [8110, 8120, 8130, 8140, 8150, 8160, 8180, 8190] as const
const stockCodes = [1450, 2095] as const

/** The totals of a year's codes, those of lower lines first, so that they can be worked out in order. */
export function totalsOf(listed: readonly FormCode[]): readonly Total[] {
  const codes = listed.map(({ code }) => code)
  const header = (code: number, to: number, less: readonly number[] = []): Total => ({
    code,
    of: between(codes, code, to, less),
  })
  return [
    header(1000, 1300),
    header(1300, 2000, [1450]),
    header(2000, 2500, [2068, 2095]),
    header(2500, 3000),
    header(3000, 3500, [3068]),
    header(3500, 5000, [3568]),
    header(5000, 5100),
    header(5100, 5200),
    header(5200, 5300),
    header(5300, 5600),
    header(5600, 5700),
    header(5700, 5800),
    header(5800, 6000),
    { code: 6666, of: [1000, -1300, -2000, -2500, -3000, -3500, -5000, 5100, 5200, -5300] },
    { code: 100, of: [6666] },
    { code: 104, of: [100] },
    {
      code: 370,
      of: [
        110, 120, -130, -135, 140, 150, 160, -170, -180, 181, 182, 183, -184, 190, -200, -300, 310, -320, 330,
        -350, 360,
      ],
    },
    { code: 400, of: [100, 370] },
    { code: 500, of: [400, -430, -480, 490] },
    header(7100, 7200),
    header(7200, 7300),
    header(7300, 7400, [7380]),
    header(7400, 7600),
    header(7600, 7700),
    header(7700, 7800),
    header(7800, 8000),
    { code: 7000, of: [7100, 7200, 7300, 7400, 7600, 7700, 7800] },
    header(8000, 8200, wornCodes),
    header(8200, 8300),
    header(8300, 8400),
    header(8400, 8500),
    header(8500, 8600),
    header(8600, 8700),
    header(8700, 8888),
    { code: 8888, of: [7000, 8000, 8200, 8300, 8400, 8500, 8600, 8700] },
    header(9100, 9200),
    header(9200, 9300),
    // Its lines begin before it.
    { code: 9400, of: [...between(codes, 9300, 9400), ...between(codes, 9400, 9500)] },
    header(9500, 9600),
    { code: 9000, of: [9100, 9200, 9400, 9500] },
    header(9600, 9700),
    header(9700, 9800, [9720]),
    header(9800, 9900),
    header(9900, 9999),
    { code: 9999, of: [9000, 9600, 9700, 9800, 9900] },
  ]
}

const negative = new Set([
  1e3, 1090, 1300, 1350, 1360, 1390, 2090, 2500, 2590, 3190, 3500, 3610, 3690, 5e3, 5040, 5090, 5300, 5330,
  6666, 5600, 5610, 5620, 5630, 5800, 5810, 100, 103, 104, 370, 135, 140, 150, 160, 170, 180, 300, 320, 330,
  350, 360, 383, 400, 500, 490, 520, 530, 540, 600, 7300, 8105, 8300, 8315, 9330, 9700, 9900, 9930, 9980,
])
export const mayBeNegative = (code: number): boolean => negative.has(code)

/** Whether a credit in the books is what the line counts as positive. */
export function countsCredit(code: number): boolean {
  if (code < 7000)
    return (
      (code >= 1000 && code < 1300) ||
      (code >= 5100 && code < 5300) ||
      (code >= 5800 && code < 6000) ||
      less.has(code)
    )
  if (code < 9000) return less.has(code)
  return code !== 9720
}
const less = new Set<number>([...stockCodes, 2068, 3068, 3568, 7380, ...wornCodes])

/**
 * Where a balance on the other side of its line belongs: a bank overdrawn, a customer in credit, a tax paid beyond
 * its due.
 */
const otherSide = new Map<number, number>([
  [7110, 9110],
  [7120, 9110],
  [7310, 9370],
  [7320, 9370],
  [7410, 9210],
  [7430, 9340],
  [7440, 9350],
  [7450, 9435],
  [7490, 9490],
  [9110, 7110],
  [9210, 7410],
  [9220, 7410],
  [9340, 7430],
  [9350, 7440],
  [9370, 7310],
  [9435, 7450],
  [9490, 7490],
  [5130, 5030],
  [5030, 5130],
])
export const sideOf = (code: number, isNegative: boolean): number =>
  isNegative && !mayBeNegative(code) ? (otherSide.get(code) ?? code) : code

export const partOf = (code: number): FormPart =>
  code < 1000 ? 'taxAdjustment' : code < 7000 ? 'profitAndLoss' : 'balanceSheet'
