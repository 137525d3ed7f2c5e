import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assertBalanced, balance, credit, debit, entryOf, reverse } from './entry.ts'

test('a negative amount changes sides', () => {
  expect(debit('1100', 500, 'cohen')).toEqual({ account: '1100', party: 'cohen', debit: 500, credit: 0 })
  expect(debit('1100', -500)).toEqual({ account: '1100', debit: 0, credit: 500 })
  expect(credit('4000', 500)).toEqual({ account: '4000', debit: 0, credit: 500 })
  expect(credit('4000', -500)).toEqual({ account: '4000', debit: 500, credit: 0 })
  expect(() => debit('1100', 0.5)).toThrow(RangeError)
})

test('lines of one account and party join, zeros go, order stays', () => {
  expect(
    entryOf([
      debit('1100', 118, 'cohen'),
      credit('4000', 60),
      credit('8900', 0),
      credit('4010', 40),
      credit('2100', 18),
      credit('4000', 20),
      debit('4010', 20),
      debit('6000', 7),
      debit('6000', -7),
    ]),
  ).toEqual([
    { account: '1100', party: 'cohen', debit: 118, credit: 0 },
    { account: '4000', debit: 0, credit: 80 },
    { account: '4010', debit: 0, credit: 20 },
    { account: '2100', debit: 0, credit: 18 },
  ])
})

test('two parties on one account stay apart', () => {
  expect(entryOf([debit('1100', 5, 'cohen'), credit('1100', 5, 'levi')])).toHaveLength(2)
})

test('what does not balance is refused', () => {
  expect(() => entryOf([debit('1000', 100), credit('4000', 99)])).toThrow(RangeError)
  expect(() => assertBalanced([debit('1000', 1)])).toThrow(RangeError)
  expect(() => assertBalanced([credit('1000', 1)])).toThrow(RangeError)
  expect(() => assertBalanced([])).not.toThrow()
})

test('a reversal undoes the entry, account by account', () => {
  const posting = fc.record({
    account: fc.constantFrom('1000', '1100', '4000'),
    amount: fc.integer({ min: -1e9, max: 1e9 }),
  })
  fc.assert(
    fc.property(fc.array(posting, { maxLength: 8 }), (lines) => {
      const postings = lines.map(({ account, amount }) => debit(account, amount))
      const entry = entryOf([...postings, credit('balancing', balance(postings))])
      expect(entryOf([...entry, ...reverse(entry)])).toEqual([])
      expect(
        entry.every((each) => each.debit >= 0 && each.credit >= 0 && each.debit * each.credit === 0),
      ).toBe(true)
    }),
  )
})
