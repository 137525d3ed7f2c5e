import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { entriesOf, faultOf, postingsOf, splitVat, sumsOf, type Movement, type VatCode } from './movement.ts'

const sale: VatCode = { kind: 'sale', share: 'full', account: '2100' }
const input: VatCode = { kind: 'input', share: 'full', account: '1200' }
const car: VatCode = { kind: 'input', share: 'twoThirds', account: '1200' }
const quarter: VatCode = { kind: 'input', share: 'quarter', account: '1200' }
const exempt: VatCode = { kind: 'exempt', share: 'none' }

const line = (of: Partial<Movement> = {}): Movement => ({
  day: '2026-03-01',
  debit: '6060',
  credit: '1010',
  amount: 11_800,
  ...of,
})
const written = (of: Movement) =>
  postingsOf(of).map(({ account, debit, credit }) => `${debit > 0 ? 'D' : 'C'} ${account} ${debit + credit}`)

describe('VAT in a typed sum', () => {
  test.each<[string, Partial<Movement>, string[]]>([
    ['a purchase', { vatCode: input }, ['D 6060 10000', 'D 1200 1800', 'C 1010 11800']],
    ['two thirds of a car', { vatCode: car }, ['D 6060 10600', 'D 1200 1200', 'C 1010 11800']],
    ['a quarter of a car', { vatCode: quarter }, ['D 6060 11350', 'D 1200 450', 'C 1010 11800']],
    [
      'a sale',
      { vatCode: sale, debit: '1010', credit: '4000' },
      ['D 1010 11800', 'C 4000 10000', 'C 2100 1800'],
    ],
    ['no VAT', { vatCode: exempt }, ['D 6060 11800', 'C 1010 11800']],
    [
      'a sum turned round',
      { vatCode: input, amount: -11_800 },
      ['C 6060 10000', 'C 1200 1800', 'D 1010 11800'],
    ],
    [
      'the VAT as on the paper',
      { vatCode: input, vat: 1799 },
      ['D 6060 10001', 'D 1200 1799', 'C 1010 11800'],
    ],
    [
      'the rate of 2024',
      { vatCode: input, day: '2024-12-31', amount: 11_700 },
      ['D 6060 10000', 'D 1200 1700', 'C 1010 11700'],
    ],
    [
      'a rate of its own before its day',
      { vatCode: { ...input, terms: [{ from: '2026-03-02', rateBp: 1000, share: 'full' }] } },
      ['D 6060 10000', 'D 1200 1800', 'C 1010 11800'],
    ],
    [
      'a rate of its own from its day',
      { vatCode: { ...input, terms: [{ from: '2026-03-01', rateBp: 1000, share: 'full' }] }, amount: 11_000 },
      ['D 6060 10000', 'D 1200 1000', 'C 1010 11000'],
    ],
    [
      'one account, credited',
      { vatCode: input, debit: null, credit: '6060' },
      ['C 6060 10000', 'C 1200 1800'],
    ],
  ])('%s', (_, of, postings) => expect(written(line(of))).toEqual(postings))

  test('rounds once, half away from zero', () => {
    expect(splitVat({ ...line({ amount: 3, vatCode: car }) }).recognised).toBe(0)
    expect(splitVat(line({ amount: 10, vatCode: input }))).toEqual({ vat: 2, recognised: 2, rest: 8 })
  })
})

describe('lines and entries', () => {
  test('a line with two accounts stands alone, lines with one go together until they balance', () => {
    const { entries, faults } = entriesOf([
      line(),
      line({ credit: null, amount: 700 }),
      line({ debit: null, credit: '1000', amount: 200 }),
      line({ debit: null, credit: '1010', amount: 500 }),
      line({ amount: 5 }),
    ])
    expect(entries.map((entry) => entry.lines)).toEqual([[0], [1, 2, 3], [4]])
    expect(faults.size).toBe(0)
  })

  test('what never closes is said at its last line, another day at the line that has it', () => {
    const open = entriesOf([
      line({ credit: null, amount: 700 }),
      line({ debit: null, credit: '1000', amount: 200 }),
    ])
    expect([...open.faults]).toEqual([[1, 'open']])
    expect(open.entries[0]!.difference).toBe(500)
    const days = entriesOf([
      line({ credit: null, amount: 5 }),
      line({ debit: null, amount: 5, day: '2026-03-02' }),
    ])
    expect([...days.faults]).toEqual([[1, 'otherDay']])
  })

  test.each<[Partial<Movement>, string | undefined]>([
    [{}, undefined],
    [{ debit: null, credit: null }, 'noAccount'],
    [{ credit: '6060' }, 'sameAccount'],
    [{ amount: 0 }, 'noAmount'],
    [{ vatCode: input, vat: 11_800 }, 'vatTooMuch'],
    [{ vatCode: input, vat: -5 }, 'vatTooMuch'],
    [{ vatCode: { ...input, account: null } }, 'noVatAccount'],
    [{ vatCode: { ...input, account: null, share: 'none' } }, undefined],
  ])('%j is %s', (of, fault) => expect(faultOf(line(of))).toBe(fault))
})

test('whatever is typed, a line with two accounts balances and keeps its sum', () => {
  const code = fc.constantFrom(sale, input, car, quarter, exempt, null)
  fc.assert(
    fc.property(
      fc.array(fc.record({ amount: fc.integer({ min: -1e9, max: 1e9 }), vatCode: code }), { maxLength: 20 }),
      (given) => {
        const lines = given.map((one) => line(one))
        const { entries, faults } = entriesOf(lines)
        expect(entries.every((entry) => entry.difference === 0 || faults.has(entry.lines.at(-1)!))).toBe(true)
        const { debit, credit, difference } = sumsOf(lines)
        expect(difference).toBe(0)
        expect(debit).toBe(credit)
      },
    ),
  )
})
