import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { balance, reverse } from '../ledger/entry.ts'
import { carriedAt, inShekels, postInCurrency, type Held } from './inCurrency.ts'

describe('what an account in dollars moves by in shekels', () => {
  test.each([
    ['the first money comes at the rate', 100_000, '3.5', { foreign: 0, books: 0 }, 350_000],
    ['more of it too', 100_000, '3.7', { foreign: 100_000, books: 350_000 }, 370_000],
    ['half goes at the average', -100_000, '3.9', { foreign: 200_000, books: 720_000 }, -360_000],
    ['all of it takes the last agora along', -200_000, '3.9', { foreign: 200_000, books: 720_001 }, -720_001],
    [
      'more than is there goes at the rate',
      -150_000,
      '4',
      { foreign: 100_000, books: 350_000 },
      -350_000 - 200_000,
    ],
    ['an overdraft grows at the rate', -100_000, '4', { foreign: -50_000, books: -190_000 }, -400_000],
    ['and is paid back at its average', 50_000, '4', { foreign: -50_000, books: -190_000 }, 190_000],
    [
      'no average where the books stand on the other side',
      -10_000,
      '4',
      { foreign: 50_000, books: -1 },
      -40_000,
    ],
  ] satisfies [string, number, string, Held, number][])('%s', (_, foreign, rate, held, ils) => {
    expect(carriedAt(foreign, rate, held)).toBe(ils)
  })

  test('an account that is empty in its currency is empty in the books, whatever the rates were', () => {
    const move = fc.record({
      foreign: fc.integer({ min: 1, max: 50_000_000 }),
      rate: fc.integer({ min: 20_000, max: 60_000 }),
    })
    fc.assert(
      fc.property(fc.array(fc.tuple(move, fc.boolean()), { maxLength: 25 }), (moves) => {
        let held: Held = { foreign: 0, books: 0 }
        const go = (foreign: number, rate: string) => {
          held = { foreign: held.foreign + foreign, books: held.books + carriedAt(foreign, rate, held) }
        }
        for (const [{ foreign, rate }, isOut] of moves) {
          go(isOut ? -foreign : foreign, (rate / 10_000).toFixed(4))
          if (held.foreign === 0) expect(held.books).toBe(0)
          else expect(Math.abs(held.books)).toBeLessThanOrEqual(inShekels(Math.abs(held.foreign), '6') + 1)
        }
        go(-held.foreign, '4.4')
        expect(held).toEqual({ foreign: 0, books: 0 })
      }),
    )
  })
})

test('the difference stands on the exchange account, and a reversal takes the currency back', () => {
  // Bought at 3.5, paid out at 3.7: the supplier gets 370, the account loses 350.
  const lines = postInCurrency(
    { account: 'usd', currency: 'USD', foreign: -10_000, carried: -35_000, worth: -37_000 },
    'fees',
    'exchange',
  )
  expect(balance(lines)).toBe(0)
  expect(lines).toEqual([
    { account: 'usd', debit: 0, credit: 35_000, foreign: { currency: 'USD', amount: -10_000 } },
    { account: 'exchange', debit: 0, credit: 2_000 },
    { account: 'fees', debit: 37_000, credit: 0 },
  ])
  expect(reverse(lines)[0]).toEqual({
    account: 'usd',
    debit: 35_000,
    credit: 0,
    foreign: { currency: 'USD', amount: 10_000 },
  })
})
