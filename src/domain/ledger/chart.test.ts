import { describe, expect, test } from 'vitest'
import { businessKinds, type BusinessKind } from '../documents/kinds.ts'
import { chartFor, outsideTurnover, systemAccounts, type AccountKind } from './chart.ts'

const kinds = Object.keys(businessKinds) as BusinessKind[]
const vatAccounts = [
  systemAccounts.inputVat,
  systemAccounts.inputVatFixedAssets,
  systemAccounts.outputVat,
  systemAccounts.vatSettlement,
]

/** Where form 6111 puts each kind of account. */
const place: Record<AccountKind, (code: number) => boolean> = {
  asset: (code) => code >= 7000 && code < 9000,
  liability: (code) => code >= 9000 && code < 9900,
  equity: (code) => code >= 9900,
  income: (code) => code < 1300 || (code >= 5100 && code < 5300),
  expense: (code) => (code >= 1300 && code < 5100) || (code >= 5300 && code < 7000),
}

describe.each(kinds)('the chart of a %s', (kind) => {
  const chart = chartFor(kind)

  test('has each number and each name once, in order', () => {
    const numbers = chart.map((account) => account.number)
    expect(numbers).toEqual([...new Set(numbers)].toSorted())
    expect(new Set(chart.map((account) => account.key)).size).toBe(chart.length)
  })

  test('stands in the right part of form 6111', () => {
    for (const account of chart) {
      if (account.form6111 !== undefined)
        expect(place[account.kind](account.form6111), `${account.number} ${account.key}`).toBe(true)
    }
  })

  test('has every account that its postings need', () => {
    const chargesVat = kind !== 'exemptDealer' && kind !== 'nonProfit'
    const numbers = chart.map((account) => account.number)
    for (const number of Object.values(systemAccounts)) {
      const isVat = (vatAccounts as string[]).includes(number)
      expect(numbers.includes(number), number).toBe(!isVat || chargesVat)
    }
  })

  test('has somewhere to put equity, income and expense', () => {
    for (const needed of ['equity', 'income', 'expense'] as const)
      expect(chart.some((account) => account.kind === needed)).toBe(true)
  })
})

test('donations belong to non-profits, shares to companies', () => {
  const has = (kind: BusinessKind, key: string) => chartFor(kind).some((account) => account.key === key)
  expect(kinds.filter((kind) => has(kind, 'donations'))).toEqual(['nonProfit'])
  expect(kinds.filter((kind) => has(kind, 'shareCapital'))).toEqual(['company'])
})

test.each<[AccountKind, string, boolean]>([
  ['income', '1010', false],
  ['income', '4999', false],
  ['income', '5000', true],
  ['income', '5130', true],
  ['income', '', false],
  ['expense', '5030', false],
  ['asset', '7100', false],
])('%s with the code %s of form 6111 is outside the turnover: %s', (kind, code, result) => {
  expect(outsideTurnover(kind, code)).toBe(result)
})
