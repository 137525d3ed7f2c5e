import { describe, expect, test } from 'vitest'
import {
  adviceFor,
  change,
  emptyLine,
  figuresOf,
  inputOf,
  isWorthKeeping,
  newDocument,
  refusalsOf,
  sentLines,
  type BusinessFacts,
  type Edited,
  type EditedCustomer,
} from './model.ts'

const business: BusinessFacts = { kind: 'licensedDealer', rounding: 'none', defaultVatKind: 1, dueTerms: 'eom:30', language: 'he' }
const garage: EditedCustomer = {
  id: 'c1',
  name: 'מוסך',
  taxId: '512345674',
  isDealer: true,
  zeroRate: false,
  email: null,
  dueTerms: null,
  language: null,
  creditLimitAgorot: null,
  balanceAgorot: 0,
}

const written = (...lines: [string, string | null, string | null][]): Edited =>
  lines.reduce(
    (edited, [description, quantity, unitPrice]) =>
      change(edited, { do: 'line', key: edited.lines.at(-1)!.key, change: { description, quantity, unitPrice } }),
    newDocument(8, '2026-11-20'),
  )

describe('lines', () => {
  test('the last one is always empty', () => {
    const edited = written(['a', '1', '10'], ['b', null, '5'])
    expect(edited.lines.map((line) => line.description)).toEqual(['a', 'b', ''])
    expect(change(edited, { do: 'drop', key: edited.lines[2]!.key }).lines).toHaveLength(3)
  })
  test('of two empty lines at the end one goes', () => {
    const edited = written(['a', '1', '10'])
    const begun = change(edited, { do: 'line', key: edited.lines[1]!.key, change: { description: 'b' } })
    const undone = change(begun, { do: 'line', key: edited.lines[1]!.key, change: { description: '' } })
    expect(undone.lines.map((line) => line.key)).toEqual(edited.lines.map((line) => line.key))
  })
  test('a line goes and comes back to its place', () => {
    const edited = written(['a', '1', '10'], ['b', '1', '5'], ['c', '1', '1'])
    const gone = change(edited, { do: 'drop', key: edited.lines[1]!.key })
    expect(gone.lines.map((line) => line.description)).toEqual(['a', 'c', ''])
    expect(change(gone, { do: 'add', line: edited.lines[1]!, at: 1 }).lines.map((line) => line.description)).toEqual(['a', 'b', 'c', ''])
  })
  test('nothing moves below the empty line', () => {
    const edited = written(['a', '1', '10'], ['b', '1', '5'], ['c', '1', '1'])
    const order = (to: number, of = 0) =>
      change(edited, { do: 'move', key: edited.lines[of]!.key, to })
        .lines.map((line) => line.description)
        .join('')
    expect(order(1)).toBe('bac')
    expect(order(9)).toBe('bca')
    expect(order(0, 2)).toBe('cab')
    expect(order(0, 3)).toBe('abc')
  })
  test('a new line keeps the VAT kind of the one above', () => {
    const edited = change(newDocument(8, '2026-11-20'), { do: 'vatKind', kind: 2 })
    expect(change(edited, { do: 'line', key: edited.lines[0]!.key, change: { description: 'a' } }).lines[1]!.vatKind).toBe(2)
  })
})

describe('what is sent', () => {
  test('neither empty lines nor lines without words', () => {
    const edited = written(['a', null, '10'], ['', '3', '5'])
    expect(inputOf(edited).lines).toEqual([
      { itemId: null, sku: '', description: 'a', details: '', quantity: '1', unit: '', unitPrice: '10' },
    ])
    expect(sentLines(edited)).toHaveLength(1)
  })
  test('an untouched document is not kept', () => {
    expect(isWorthKeeping(newDocument(8, '2026-11-20'))).toBe(false)
    expect(isWorthKeeping({ ...newDocument(8, '2026-11-20'), customer: garage })).toBe(true)
    expect(isWorthKeeping(written(['', null, '5']))).toBe(true)
  })
  test('a rate only with a foreign currency', () => {
    expect(inputOf({ ...written(['a', '1', '1']), rate: '3.7' }).rate).toBeUndefined()
    expect(inputOf({ ...written(['a', '1', '1']), currency: 'USD', rate: '3.7' }).rate).toBe('3.7')
  })
})

describe('the figures', () => {
  test('of a licensed dealer', () => {
    const figures = figuresOf({ ...written(['a', '18', '42.5'], ['b', null, '8250']), discount: { basisPoints: 500 } }, business)!
    expect(figures.totals).toMatchObject({ subtotal: 901_500, discount: 45_075, net: 856_425, vat: 154_157, total: 1_010_582 })
    expect([...figures.amounts.values()]).toEqual([76_500, 825_000])
  })
  test('an exempt dealer charges no VAT, a zero-rate customer pays none', () => {
    const edited = written(['a', '1', '100'])
    expect(figuresOf(edited, { ...business, kind: 'exemptDealer' })!.totals).toMatchObject({ vat: 0, netExempt: 10_000, total: 10_000 })
    expect(figuresOf({ ...edited, customer: { ...garage, zeroRate: true } }, business)!.totals).toMatchObject({
      vat: 0,
      netZero: 10_000,
      total: 10_000,
    })
  })
  test('the rate follows the date', () => {
    expect(figuresOf({ ...written(['a', '1', '100']), date: '2024-12-31' }, business)!.totals.vat).toBe(1700)
  })
  test('in dollars, with shekels beside them once the rate is there', () => {
    const edited = { ...written(['a', '1', '100']), currency: 'USD' }
    expect(figuresOf(edited, business)!.ils).toBeUndefined()
    expect(figuresOf({ ...edited, rate: '3.65' }, business)!.ils!.total).toBe(43_070)
  })
  test('a sum beyond exactness is no figure', () => {
    expect(figuresOf(written(['a', '900000000', '900000000']), business)).toBeUndefined()
  })
})

describe('a word before issuing', () => {
  const threshold = () => 500_000
  const kinds = (edited: Edited) => adviceFor(edited, figuresOf(edited, business), threshold).map((one) => one.kind)
  test('about the allocation number', () => {
    expect(kinds({ ...written(['a', '1', '5000.01']), customer: garage })).toEqual(['allocation'])
    expect(kinds({ ...written(['a', '1', '5000']), customer: garage })).toEqual([])
    expect(kinds({ ...written(['a', '1', '6000']), customer: { ...garage, taxId: null } })).toEqual(['taxId'])
    expect(kinds({ ...written(['a', '1', '6000']), customer: { ...garage, taxId: null, isDealer: false } })).toEqual(['taxId'])
    expect(kinds({ ...written(['a', '1', '60']), customer: { ...garage, taxId: null, isDealer: false } })).toEqual([])
  })
  test('about the credit limit', () => {
    expect(kinds({ ...written(['a', '1', '100']), customer: { ...garage, creditLimitAgorot: 20_000, balanceAgorot: 10_000 } })).toEqual([
      'creditLimit',
    ])
  })
})

test('a refusal finds its line among those that were sent', () => {
  const sent = [emptyLine(), emptyLine()]
  expect(
    refusalsOf(
      [
        { path: 'lines.1.unitPrice', code: 'fields.decimal' },
        { path: 'date', code: 'x' },
      ],
      sent,
    ),
  ).toEqual({
    fields: { date: { code: 'x', params: undefined } },
    lines: { [sent[1]!.key]: { cell: 'unitPrice', code: 'fields.decimal', params: undefined } },
  })
})
