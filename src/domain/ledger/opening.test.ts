import { describe, expect, test } from 'vitest'
import { balance, credit, debit } from './entry.ts'
import {
  inIls,
  openingDifference,
  postOpeningItem,
  postOpeningLines,
  withoutVatOf,
  type OpeningItem,
} from './opening.ts'

const accounts = {
  customers: 'customers',
  suppliers: 'suppliers',
  outputVat: '2100',
  openingBalances: '9000',
}
const item = (role: OpeningItem['role'], amount: number, rate = '1'): OpeningItem => ({
  role,
  party: 'p',
  day: '2025-11-01',
  amount,
  rate,
})
const sides = (postings: ReturnType<typeof postOpeningItem>) =>
  Object.fromEntries(postings.map((p) => [p.account, p.debit - p.credit]))

describe('an item of an opening', () => {
  test.each([
    ['a customer owes', item('customer', 11_800), { customers: 11_800, 9000: -11_800 }],
    ['a customer paid in advance', item('customer', -5_000), { customers: -5_000, 9000: 5_000 }],
    ['a supplier is owed', item('supplier', 7_000), { suppliers: -7_000, 9000: 7_000 }],
    ['a supplier was paid in advance', item('supplier', -7_000), { suppliers: 7_000, 9000: -7_000 }],
    [
      'a customer owes with VAT that waits',
      { ...item('customer', 11_800), vat: 1_800 },
      { customers: 11_800, 2100: -1_800, 9000: -10_000 },
    ],
    ['in dollars', item('customer', 100_000, '3.6512'), { customers: 365_120, 9000: -365_120 }],
  ])('%s', (_, of, posted) => {
    const postings = postOpeningItem(of, accounts)
    expect(balance(postings)).toBe(0)
    expect(sides(postings)).toEqual(posted)
    expect(postings.find(({ account }) => account !== '9000')!.party).toBe('p')
  })

  test.each([
    [1, '0.5', 1],
    [-1, '0.5', -1],
    [333, '3.6789', 1225],
    [10_000_000_000, '4.0001', 40_001_000_000],
  ])('%s at %s', (amount, rate, ils) => expect(inIls({ amount, rate })).toBe(ils))
})

test('a trial balance with its customers and suppliers leaves nothing on opening balances', () => {
  const lines = [debit('bank', 50_000), debit('stock', 12_345), credit('capital', 60_000)]
  const items = [
    item('customer', 10_000),
    item('customer', -1_000),
    item('customer', 1_000, '3.5'),
    item('supplier', 14_845),
  ]
  expect(openingDifference(lines, items)).toBe(0)
  const posted = [
    ...postOpeningLines(lines, accounts),
    ...items.flatMap((one) => postOpeningItem(one, accounts)),
  ]
  expect(balance(posted.filter(({ account }) => account === '9000'))).toBe(0)
  expect(openingDifference([...lines, debit('bank', 7)], items)).toBe(7)
})

describe('VAT that items bring', () => {
  const items = [
    { ...item('customer', 11_800), vat: 1_800 },
    item('customer', 590),
    { ...item('customer', 118), vat: 18 },
  ]
  const posted = (typed: ReturnType<typeof debit>[], of = items) => {
    const lines = withoutVatOf(of, typed, '2100')
    const all = [...postOpeningLines(lines, accounts), ...of.flatMap((one) => postOpeningItem(one, accounts))]
    const on = (account: string) => balance(all.filter((p) => p.account === account))
    return { vat: on('2100'), left: on('9000'), difference: openingDifference(lines, of) }
  }
  test.each([
    [
      'is part of the balance of its account',
      [debit('bank', 1_000), credit('2100', 2_500), credit('capital', 11_008)],
      { vat: -2_500, left: 0, difference: 0 },
    ],
    [
      'also where input VAT made that a debit',
      [debit('2100', 400), credit('capital', 12_908)],
      { vat: 400, left: 0, difference: 0 },
    ],
    [
      'and where that is less',
      [credit('2100', 1_000), credit('capital', 11_508)],
      { vat: -1_000, left: 0, difference: 0 },
    ],
    [
      'is brought whole where the old books had none there',
      [credit('capital', 10_690)],
      { vat: -1_818, left: 0, difference: 0 },
    ],
    ['and where there is no trial balance', [], { vat: -1_818, left: -10_690, difference: 10_690 }],
  ])('%s', (_, typed, expected) => expect(posted(typed)).toEqual(expected))

  test('nothing is taken off where the items bring none', () => {
    const lines = [credit('2100', 700)]
    expect(withoutVatOf([item('customer', 700)], lines, '2100')).toEqual(lines)
  })
})
