import { describe, expect, test } from 'vitest'
import { completeCheckDigit } from '../taxId.ts'
import { entriesOf } from './entries.ts'
import type { InputPaper, SalePaper } from './papers.ts'

const period = { from: '2026-05-01', to: '2026-06-30' }
const known = completeCheckDigit('51200000')
let n = 0
const sale = (more: Partial<SalePaper>): SalePaper => ({
  key: `document:${++n}`,
  number: '1044',
  day: '2026-06-15',
  taxId: known,
  name: 'כהן',
  isAbroad: false,
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
  entriesOf(sales, inputs, period).map((e) => [e.type, e.counterparty, e.reference, e.sum, e.vat, e.isCredit ? '-' : '+'])
const nobody = '000000000'

describe('an entry of the detailed report', () => {
  test.each<[string, SalePaper[], unknown[]]>([
    ['a known customer', [sale({})], [['S', known, '000001044', 100, 18, '+']]],
    ['a credit', [sale({ taxable: -100_00, vat: -18_00 })], [['S', known, '000001044', 100, 18, '-']]],
    ['zero rate in Eilat', [sale({ taxable: 0, vat: 0, untaxed: 50_00 })], [['S', known, '000001044', 50, 0, '+']]],
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
      [sale({ taxId: null, isAbroad: true, taxable: 0, vat: 0, untaxed: 700_00 })],
      [['Y', '999999999', '000001044', 700, 0, '+']],
    ],
    ['a long number by its last nine digits', [sale({ number: '12345678901' })], [['S', known, '345678901', 100, 18, '+']]],
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
    ['the allowed part of a car’s VAT, all of its sum', input({ vat: 12_00 }), ['T', known, '000088214', 100, 12, '+']],
    ['a supplier’s credit', input({ net: -100_00, vat: -18_00 }), ['T', known, '000088214', 100, 18, '-']],
    [
      'an import: its declaration stands for the supplier',
      input({ paper: 'import', number: '260012345678', taxId: null }),
      ['R', '012345678', nobody, 100, 18, '+'],
    ],
    ['another document by law', input({ paper: 'byLaw', number: '' }), ['H', known, nobody, 100, 18, '+']],
    ['a Palestinian supplier', input({ paper: 'palestinian' }), ['P', known, '000088214', 100, 18, '+']],
    ['petty cash', input({ paper: 'pettyCash', taxId: null }), ['K', nobody, '000000001', 100, 18, '+']],
    ['a supplier without a number is told so', input({ taxId: null }), ['T', nobody, '000088214', 100, 18, '+']],
  ])('%s', (_, paper, expected) => expect(brief([], [paper])).toEqual([expected]))

  test('petty cash stands together, on a day of the period', () => {
    const [k] = entriesOf([], [input({ paper: 'pettyCash', day: '2026-02-01' }), input({ paper: 'pettyCash', day: '2026-05-20' })], period)
    expect(k).toMatchObject({ type: 'K', reference: '000000002', day: '2026-05-20', sum: 200, vat: 36 })
    expect(entriesOf([], [input({ paper: 'pettyCash', day: '2026-02-01' })], period)[0]!.day).toBe('2026-06-30')
  })

  test('what claims nothing is left out; the allocation number goes by its last nine digits', () => {
    expect(brief([], [input({ vat: 0 })])).toEqual([])
    expect(entriesOf([sale({ allocation: '20260601123456789012345678' })], [], period)[0]!.allocation).toBe('012345678')
  })

  test('leads to its papers', () => {
    const unnamed = [sale({ taxId: null }), sale({ taxId: null })]
    expect(entriesOf(unnamed, [], period)[0]!.keys).toEqual(unnamed.map((s) => s.key))
  })
})
