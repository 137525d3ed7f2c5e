import { describe, expect, test } from 'vitest'
import { sum } from '../money.ts'
import { settlementOf } from './vatSettlement.ts'

const accounts = { authority: '2110', rounding: '8900' }
const written = (balances: Record<string, number>, toPay: number) =>
  settlementOf(new Map(Object.entries(balances)), toPay, accounts).map((p) => [p.account, p.debit - p.credit])

describe('settling a period with the VAT authority', () => {
  test.each<[string, Record<string, number>, number, [string, number][]]>([
    [
      'to pay: the accounts are emptied, the agorot go to rounding',
      { '2100': -27_004, '1200': 17_760, '1210': 9_000 },
      200,
      [
        ['2100', 27_004],
        ['1200', -17_760],
        ['1210', -9_000],
        ['2110', -200],
        ['8900', -44],
      ],
    ],
    [
      'a refund is owed to us',
      { '2100': -1_000, '1200': 50_030 },
      -49_000,
      [
        ['2100', 1_000],
        ['1200', -50_030],
        ['2110', 49_000],
        ['8900', 30],
      ],
    ],
    [
      'nothing to pay still empties the accounts',
      { '2100': -18_000, '1200': 18_000 },
      0,
      [
        ['2100', 18_000],
        ['1200', -18_000],
      ],
    ],
    ['a period without VAT has no entry', {}, 0, []],
  ])('%s', (_, balances, toPay, expected) => {
    expect(Object.fromEntries(written(balances, toPay))).toEqual(Object.fromEntries(expected))
    expect(sum(expected.map(([, amount]) => amount))).toBe(0)
  })
})
