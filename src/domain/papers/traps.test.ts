import { describe, expect, test } from 'vitest'
import { completeCheckDigit } from '../taxId.ts'
import { pageOf } from '../../../tests/papers/inLines.ts'
import type { ReadOptions } from './proposal.ts'
import { readPaper } from './read.ts'

/*
 * Traps: a value of one field, or of another document, that looks like the value of a field.
 */

const own = completeCheckDigit('51423765')
const supplier = completeCheckDigit('51600012')
const options: ReadOptions = { today: '2026-11-28', ownTaxId: own, ownName: 'זרם טוב בע"מ' }
const read = (lines: readonly string[], more: Partial<ReadOptions> = {}) =>
  readPaper([pageOf(lines, { columns: 4 })], { ...options, ...more })

const bill = ({
  name = 'מפעלי הדגמה בע"מ',
  number = '20463',
  day = '28/11/2026',
  line = 'שירות',
  note = '',
  address = "האורגים 3, אשדוד טל' 08-8512345",
  buyer = 'זרם טוב בע"מ',
} = {}) => [
  `# ${name}`,
  `ח.פ. ${supplier}`,
  address,
  `לכבוד: ${buyer}`,
  `ח.פ. ${own}`,
  `חשבונית מס מס' ${number} | | תאריך: ${day}`,
  'תיאור | כמות | מחיר | סה"כ',
  `${line} | 1 | 1,000.00 | 1,000.00`,
  'סה"כ לפני מע"מ | | | 1,000.00',
  'מע"מ 18% | | | 180.00',
  'סה"כ לתשלום | | | 1,180.00',
  ...(note ? [note] : []),
]

describe('the number', () => {
  const names = [
    'מחסני 2000 בע"מ',
    'סופר 24',
    'Studio 54 Ltd',
    'אלקטרו דנה 44738 בע"מ',
    'פיצה 365',
    '4 עונות',
  ]
  test.each(names.flatMap((name) => ['1', '2', '9', '12', '20457'].map((number) => [name, number])))(
    'of %s is %s, not a figure of the name',
    (name, number) => expect(read(bill({ name, number })).number?.value).toBe(number),
  )
  test.each(names)('is not a figure of the name %s without a label before it either', (name) =>
    expect(
      read([
        `# ${name}`,
        `ח.פ. ${supplier}`,
        'חשבונית מס / קבלה 7',
        'תאריך: 28/11/2026',
        'סה"כ לתשלום | 118.00',
      ]).number?.value,
    ).toBe('7'),
  )
  test.each(['1', '7', '20463'])(
    'is %s, not a figure of the address, the telephone or the buyer',
    (number) => {
      for (const address of [
        "רח' האלון 12, חיפה",
        'דרך השלום 7 תל אביב 6789101',
        'טל 03-5551234 פקס 1234',
        'ת.ד. 4410',
      ])
        expect([address, read(bill({ number, address })).number?.value]).toEqual([address, number])
      for (const buyer of ['סופר 24 בע"מ', 'קבוצת 613'])
        expect([buyer, read(bill({ number, buyer }), { ownName: buyer }).number?.value]).toEqual([
          buyer,
          number,
        ])
    },
  )
})

const ofAnother = [
  'זיכוי בגין חשבונית מספר 777777 מיום 01/01/2020',
  'חשבונית מספר 777777 מיום 01/01/2020',
  "הפרשי מחיר לחשבון מס' 777777 מתאריך 01/01/2020",
  "לפי הזמנה מס' 777777 מיום 01/01/2020",
  'תעודת משלוח 777777 מיום 01/01/2020',
  'בהמשך לקבלה 777777 תאריך 01/01/2020',
  'Refund for invoice no. 777777 dated 01/01/2020',
  'Invoice number 777777 date 01/01/2020',
  'Order 777777 of 01/01/2020',
]
describe('another document', () => {
  test.each(ofAnother.flatMap((text) => ['1', '20463', '777'].map((number) => [text, number] as const)))(
    'in a line or a note lends neither number nor day: %s (%s)',
    (text, number) => {
      for (const paper of [
        bill({ number, line: text }),
        bill({ number, note: `הערה: ${text}` }),
        bill({ number, note: text }),
      ]) {
        const { number: seen, day } = read(paper)
        expect([seen?.value, day?.value]).toEqual([number, '2026-11-28'])
      }
    },
  )
  test('the day of another document alone is doubted', () => {
    const lines = bill({ line: ofAnother[0] }).map((line) => line.replace(' | | תאריך: 28/11/2026', ''))
    expect(read(lines).day?.confidence ?? 0).toBeLessThan(0.6)
  })
  test('the number and the day of the title line stay those of the bill', () =>
    expect(
      read(['# ספק', `ח.פ. ${supplier}`, 'חשבונית מס 1004 מיום 10/10/2026', 'סה"כ לתשלום | 118.00']),
    ).toMatchObject({ number: { value: '1004' }, day: { value: '2026-10-10' } }))
})

describe('sums', () => {
  const plain = (rows: readonly string[], head: readonly string[] = []) =>
    read([`# ספק הדגמה`, `ח.פ. ${supplier}`, ...head, "חשבונית מס מס' 20463", 'תאריך: 28/11/2026', ...rows])

  test.each([
    ['1,000.00', '100000'],
    ['1,451.25', '145125'],
  ])('a printed VAT of zero is zero (%s)', (sum, agorot) => {
    for (const rows of [
      [`סה"כ לפני מע"מ | | | ${sum}`, 'מע"מ 18% | | | 0.00', `סה"כ לתשלום | | | ${sum}`],
      [`סה"כ ללא מע"מ | | | ${sum}`, 'מע"מ 0% | | | 0.00', `סה"כ | | | ${sum}`],
      [`Subtotal | | | ${sum}`, 'VAT | | | 0.00', `Total due | | | ${sum}`],
      ['מע"מ | | | 0', `סה"כ לתשלום | | | ₪${sum}`],
    ]) {
      const { net, vat, total } = plain(rows)
      expect([rows[0], net?.value, vat?.value, total?.value]).toEqual([rows[0], +agorot, 0, +agorot])
      expect(vat!.reason).not.toBe('computed')
    }
  })

  test('VAT that is nowhere printed is not found, and not invented', () => {
    const { net, vat, total } = read([
      '# ספק',
      "דרישת תשלום מס' 20463",
      'תאריך: 28/11/2026',
      'סה"כ לתשלום | 1,000.00',
    ])
    expect([total?.value, net, vat]).toEqual([100_000, undefined, undefined])
    const foreign = read(['# Cloud Inc', 'Invoice 20463', 'Date: 28/11/2026', 'Total due | $1,000.00'])
    expect([foreign.total?.value, foreign.currency?.value, foreign.vat]).toEqual([100_000, 'USD', undefined])
  })

  test('the VAT is the amount beside its label, also an agora away from the rate', () => {
    for (const printed of ['179.99', '180.01'])
      expect(
        plain(['סה"כ לפני מע"מ | | | 1,000.00', `מע"מ 18% | | | ${printed}`, 'סה"כ לתשלום | | | 1,180.00'])
          .vat?.value,
      ).toBe(Number(printed.replace('.', '')))
  })

  test('sums that do not agree with each other and with the rate of the day are doubted', () => {
    for (const rows of [
      ['סה"כ לפני מע"מ | | | 12,146.62', 'מע"מ 18% | | | 2,186.39', 'סה"כ לתשלום | | | 1.00'],
      ['סה"כ לפני מע"מ | | | 1,000.00', 'מע"מ | | | 90.00', 'סה"כ לתשלום | | | 1,300.00'],
      ['סה"כ לתשלום | | | 1.00'],
      // 17 % in November 2026.
      ['סה"כ לפני מע"מ | | | 1,000.00', 'מע"מ | | | 170.00', 'סה"כ לתשלום | | | 1,170.00'],
    ]) {
      const { total, net, vat } = plain(rows)
      const agree =
        net &&
        vat &&
        total &&
        net.value + vat.value === total.value &&
        Math.abs(vat.value - net.value * 0.18) < 2
      if (!agree)
        expect([rows, Math.max(total?.confidence ?? 0, vat?.confidence ?? 0) < 0.85]).toEqual([rows, true])
    }
  })

  test('where labels and the total are misread, net and the VAT under it are found, and doubted', () => {
    const { net, vat, total } = plain([
      'סה"כ 197 מע"מ | | | N12,250.44',
      '18% n"yn | | | 2,205.08',
      'סה"כ לתשלום | | | 1 ₪',
    ])
    expect([net?.value, vat?.value, total?.value]).toEqual([1_225_044, 220_508, 1_445_552])
    expect(total!.confidence).toBeLessThan(0.85)
  })

  test('what was paid ahead is kept beside the total', () => {
    for (const [label, rest] of [
      ['שולם מראש', 'יתרה לתשלום'],
      ['מקדמה ששולמה', 'יתרה לתשלום'],
      ['Prepaid amount', 'Amount due'],
      ['Less deposit paid', 'Balance due'],
    ]) {
      const { total, prepaid } = plain([
        'סה"כ לפני מע"מ | | | 1,000.00',
        'מע"מ 18% | | | 180.00',
        'סה"כ כולל מע"מ | | | 1,180.00',
        `${label} | | | 400.00`,
        `${rest} | | | 780.00`,
      ])
      expect([label, total?.value, prepaid?.value]).toEqual([label, 118_000, 40_000])
    }
  })
})

describe('the buyer and the business itself', () => {
  test('the number beside the buyer is never the supplier’s', () => {
    const other = completeCheckDigit('51566778')
    for (const lines of [
      [
        '# אינסטלציה כהן',
        'חשבונית מס 12',
        `לכבוד: אחר בע"מ ח.פ. ${other}`,
        'תאריך: 28/11/2026',
        'סה"כ לתשלום | 118.00',
      ],
      ['# אינסטלציה כהן', 'חשבונית מס 12', 'לכבוד', 'אחר בע"מ', `ח.פ. ${other}`, 'סה"כ לתשלום | 118.00'],
    ]) {
      const { supplierTaxId, buyerTaxId } = read(lines)
      expect([supplierTaxId, buyerTaxId?.value]).toEqual([undefined, other])
    }
  })
  test('a telephone of nine digits is no number of a dealer', () => {
    const phone = completeCheckDigit('04555014')
    expect(
      read(['# ספק', 'חשבונית מס 12', `טל' ${phone}`, 'סה"כ לתשלום | 118.00']).supplierTaxId,
    ).toBeUndefined()
  })
  test('a title is no name of a supplier', () => {
    expect(
      read(['# חשבונית מס', `ח.פ. ${own}`, 'מספר 12', 'סה"כ לתשלום | 118.00']).supplierName?.value,
    ).not.toMatch(/חשבונית/)
  })
})
