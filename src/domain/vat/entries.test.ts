import { describe, expect, test } from 'vitest'
import { completeCheckDigit } from '../taxId.ts'
import { entriesOf, nonProfitEntriesOf } from './entries.ts'
import type { InputPaper, SalePaper } from './papers.ts'

const period = { from: '2026-05-01', to: '2026-06-30' }
const known = completeCheckDigit('51200000')
const dealer = completeCheckDigit('51100000')
const nobody = '000000000'
let n = 0
const sale = (more: Partial<SalePaper>): SalePaper => ({
  key: `document:${++n}`,
  number: '1044',
  group: '0000',
  day: '2026-06-15',
  taxId: known,
  name: 'כהן',
  kind: 'home',
  exportEntry: '',
  beside: 0,
  gross: null,
  taxable: 100_00,
  untaxed: 0,
  vat: 18_00,
  rateBp: 1800,
  isForeign: false,
  allocation: '',
  ...more,
})
const input = (more: Partial<InputPaper>): InputPaper => ({
  key: `expense:${++n}`,
  paper: 'taxInvoice',
  number: '88214',
  day: '2026-06-01',
  taxId: known,
  name: 'ספק',
  net: 100_00,
  vat: 18_00,
  equipmentVat: 0,
  gross: 118_00,
  allocation: '',
  ...more,
})
const brief = (sales: SalePaper[], inputs: InputPaper[] = []) =>
  entriesOf(sales, inputs, period, dealer).map((e) => [
    e.type,
    e.counterparty,
    e.reference,
    e.sum,
    e.vat,
    e.isCredit ? '-' : '+',
  ])

describe('an entry of the detailed report', () => {
  test.each<[string, SalePaper[], unknown[]]>([
    ['a known customer', [sale({})], [['S', known, '000001044', 100, 18, '+']]],
    ['a credit', [sale({ taxable: -100_00, vat: -18_00 })], [['S', known, '000001044', 100, 18, '-']]],
    ['VAT alone is given back', [sale({ taxable: 0, vat: -18_00 })], [['S', known, '000001044', 0, 18, '-']]],
    [
      'zero rate in Eilat',
      [sale({ taxable: 0, vat: 0, untaxed: 50_00 })],
      [['S', known, '000001044', 50, 0, '+']],
    ],
    [
      'both on one paper are two',
      [sale({ untaxed: 50_00 })],
      [
        ['S', known, '000001044', 100, 18, '+'],
        ['S', known, '000001044', 50, 0, '+'],
      ],
    ],
    [
      'customers without a number stand together',
      [sale({ taxId: null }), sale({ taxId: null, taxable: 50_40, vat: 9_07 })],
      [['L', nobody, '000000002', 150, 27, '+']],
    ],
    [
      'export',
      [sale({ taxId: null, kind: 'abroad', taxable: 0, vat: 0, untaxed: 700_00 })],
      [['Y', '999999999', '000001044', 700, 0, '+']],
    ],
    [
      'export of goods by its declaration, also by a customer with a number',
      [sale({ kind: 'abroad', exportEntry: '26123456789012', taxable: 100_00, untaxed: 700_00 })],
      [
        ['S', known, '000001044', 100, 18, '+'],
        ['Y', '456789012', '000001044', 700, 0, '+'],
      ],
    ],
    [
      'a customer under the Palestinian Authority, taxed or not',
      [sale({ kind: 'palestinian', untaxed: 50_00 })],
      [
        ['I', known, '000001044', 100, 18, '+'],
        ['I', known, '000001044', 50, 0, '+'],
      ],
    ],
    [
      'of whom the number must be known',
      [sale({ kind: 'palestinian', taxId: null })],
      [['I', nobody, '000001044', 100, 18, '+']],
    ],
    [
      'a self-invoice under its seller',
      [sale({ kind: 'selfInvoice' })],
      [['M', known, '000001044', 100, 18, '+']],
    ],
    [
      'or under ourselves, where he has no number',
      [sale({ kind: 'selfInvoice', taxId: null })],
      [['M', dealer, '000001044', 100, 18, '+']],
    ],
    [
      'a long number by its last nine digits',
      [sale({ number: '12345678901' })],
      [['S', known, '345678901', 100, 18, '+']],
    ],
    ['a few agorot are nothing', [sale({ taxable: 30, vat: 5 })], []],
    [
      'what was taken back stands apart: it may have another rate',
      [sale({ taxId: null }), sale({ taxId: null, taxable: -100_00, vat: -17_00 })],
      [
        ['L', nobody, '000000001', 100, 18, '+'],
        ['L', nobody, '000000001', 100, 17, '-'],
      ],
    ],
  ])('%s', (_, sales, expected) => expect(brief(sales)).toEqual(expected))

  test.each<[string, InputPaper, unknown[]]>([
    ['a tax invoice', input({}), ['T', known, '000088214', 100, 18, '+']],
    [
      'the allowed part of a car’s VAT, all of its sum',
      input({ vat: 12_00 }),
      ['T', known, '000088214', 100, 12, '+'],
    ],
    ['a supplier’s credit', input({ net: -100_00, vat: -18_00 }), ['T', known, '000088214', 100, 18, '-']],
    [
      'an import: its declaration stands for the supplier',
      input({ paper: 'import', number: '260012345678', taxId: null }),
      ['R', '012345678', nobody, 100, 18, '+'],
    ],
    ['another document by law', input({ paper: 'byLaw', number: '' }), ['H', known, nobody, 100, 18, '+']],
    ['a Palestinian supplier', input({ paper: 'palestinian' }), ['P', known, '000088214', 100, 18, '+']],
    [
      'the other side of a self-invoice',
      input({ paper: 'selfInvoice', vat: 12_00 }),
      ['C', known, '000088214', 100, 12, '+'],
    ],
    [
      'and of one whose seller has no number',
      input({ paper: 'selfInvoice', taxId: null }),
      ['C', dealer, '000088214', 100, 18, '+'],
    ],
    ['petty cash', input({ paper: 'pettyCash', taxId: null }), ['K', nobody, '000000001', 100, 18, '+']],
    [
      'a supplier without a number is told so',
      input({ taxId: null }),
      ['T', nobody, '000088214', 100, 18, '+'],
    ],
  ])('%s', (_, paper, expected) => expect(brief([], [paper])).toEqual([expected]))

  test('petty cash stands together, on a day of the period', () => {
    const [k] = entriesOf(
      [],
      [input({ paper: 'pettyCash', day: '2026-02-01' }), input({ paper: 'pettyCash', day: '2026-05-20' })],
      period,
      dealer,
    )
    expect(k).toMatchObject({ type: 'K', reference: '000000002', day: '2026-05-20', sum: 200, vat: 36 })
    expect(entriesOf([], [input({ paper: 'pettyCash', day: '2026-02-01' })], period, dealer)[0]!.day).toBe(
      '2026-06-30',
    )
  })

  test('what claims nothing is left out; the allocation number goes by its last nine digits', () => {
    expect(brief([], [input({ vat: 0 })])).toEqual([])
    expect(
      entriesOf([sale({ allocation: '20260601123456789012345678' })], [], period, dealer)[0]!.allocation,
    ).toBe('012345678')
  })

  test('leads to its papers', () => {
    const unnamed = [sale({ taxId: null }), sale({ taxId: null })]
    expect(entriesOf(unnamed, [], period, dealer)[0]!.keys).toEqual(unnamed.map((s) => s.key))
  })
})

test('a non-profit names its bills by their whole sum, from 300 shekels on, and nothing else', () => {
  const bills = [
    input({ gross: 300_00, net: 254_24, vat: 0 }),
    input({ gross: 299_99 }),
    input({ paper: 'receipt', gross: 900_00 }),
    input({ paper: 'import', number: '260012345678', taxId: null, gross: 1000_00 }),
    input({ paper: 'pettyCash', taxId: null, gross: null, net: 400_00 }),
    input({ gross: -500_00, net: -500_00 }),
  ]
  expect(
    nonProfitEntriesOf(bills, period, dealer).map((e) => [
      e.type,
      e.counterparty,
      e.sum,
      e.vat,
      e.isCredit ? '-' : '+',
    ]),
  ).toEqual([
    ['T', known, 300, 0, '+'],
    ['T', known, 500, 0, '-'],
    ['K', nobody, 400, 0, '+'],
    ['R', '012345678', 1000, 0, '+'],
  ])
})
