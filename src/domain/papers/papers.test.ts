import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { timesRate } from '../money.ts'
import { completeCheckDigit } from '../taxId.ts'
import { vatRateOn } from '../vat/rates.ts'
import { readDay, readLongDay } from './days.ts'
import { readFigure } from './figures.ts'
import { isNearly, isReversed, skeleton, turned } from './letters.ts'
import type { ReadOptions } from './proposal.ts'
import { pageOf } from '../../../tests/papers/inLines.ts'
import { readPaper, textOfPages } from './read.ts'

const options: ReadOptions = { today: '2026-03-15' }

const read = (lines: readonly string[], more: Partial<ReadOptions> = {}) =>
  readPaper([pageOf(lines)], { ...options, ...more })
const money = (agorot: number) =>
  `${Math.floor(agorot / 100).toLocaleString('en-US')}.${String(agorot % 100).padStart(2, '0')}`

describe('a figure', () => {
  test.each([
    ['1,234.56', 123_456],
    ['1.234,56', 123_456],
    ['1234.5', 123_450],
    ['₪1,234.00', 123_400],
    ['1,234.00₪', 123_400],
    ['1,234,567.89', 123_456_789],
    ['1,234,56', 123_456],
    ["1'234.50", 123_450],
    ['l,234.5O', 123_450],
    ['N12,250.44', 1_225_044],
    ['RI2,082.57', 208_257],
    ['[41,800.14', 4_180_014],
    ['12', 1200],
    ['.50', 50],
    ['0.07', 7],
  ])('%s is %d agorot', (text, agorot) => expect(readFigure(text)).toMatchObject({ agorot, negative: false }))

  test.each(['(1,234.00-)', '-1,234.00', '1,234.00-', '(1,234.00)', '−1,234.00'])('%s is negative', (text) =>
    expect(readFigure(text)).toMatchObject({ agorot: 123_400, negative: true }),
  )
  test.each([
    '',
    'abc',
    '18%',
    '12/11/2025',
    '1,23,4',
    '1.2345',
    '12,3456',
    '1234567890123',
    '₪',
    'שלום',
    '5B1SlOZ',
  ])('%s is none', (text) => expect(readFigure(text)).toBeUndefined())
  test('what is printed is read back, in either style', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999_999_99 }), fc.boolean(), (agorot, european) => {
        const text = money(agorot)
        const printed = european ? text.replaceAll(',', '#').replace('.', ',').replaceAll('#', '.') : text
        expect(readFigure(printed)?.agorot).toBe(agorot)
      }),
    )
  })
})

describe('a day', () => {
  test.each([
    ['20/11/2025', '2025-11-20'],
    ['1.2.25', '2025-02-01'],
    ['2025-11-20', '2025-11-20'],
    ['2O/ll/2025', '2025-11-20'],
    ['11/20/2025', '2025-11-20'],
    [':20-11-2025.', '2025-11-20'],
  ])('%s is %s', (text, day) => expect(readDay(text)).toBe(day))
  test.each(['31/02/2025', '1,234.00', '12/13', '45/11/2025', 'תאריך', '03-1234567'])('%s is none', (text) =>
    expect(readDay(text)).toBeUndefined(),
  )
  test.each([
    ['20 בנובמבר 2025', '2025-11-20'],
    ['3 מרץ 2026 14:00', '2026-03-03'],
    ['November 20, 2025', '2025-11-20'],
    ['20 Nov 2025', '2025-11-20'],
    ['1st March 2024', '2024-03-01'],
  ])('%s is %s', (text, day) => expect(readLongDay(text.split(' '))?.day).toBe(day))
  test('a month alone is none', () => expect(readLongDay(['מרץ', 'אפריל', '2025'])).toBeUndefined())
})

describe('letters', () => {
  test('look-alikes are one, more than that is another word', () => {
    expect(skeleton('סה"כ')).toBe(skeleton('םח״ב'))
    expect(isNearly(skeleton('לתשלוט'), skeleton('לתשלום'))).toBe(true)
    expect(isNearly(skeleton('total'), skeleton('net'))).toBe(false)
    expect(isNearly(skeleton('vat'), skeleton('var'))).toBe(false)
  })
  test('Hebrew in the order of sight is known by its final letters, and turned with its numbers as they are', () => {
    expect(isReversed(['םולש', 'ןמז', 'בוט'])).toBe(true)
    expect(isReversed(['שלום', 'זמן', 'טוב'])).toBe(false)
    expect(turned('םולשתל')).toBe('לתשלום')
    expect(turned('18%מ"עמ')).toBe('מע"מ%18')
    expect(turned('1,234.00')).toBe('1,234.00')
  })
})

const supplier = completeCheckDigit('51600012')
const own = completeCheckDigit('51423765')
const invoice = (net: number, vat: number, day = '10/10/2025') => [
  'מפעלי הדגמה בע"מ',
  `ח.פ. ${supplier}`,
  "חשבונית מס מס' 10234",
  `תאריך: ${day}`,
  `לכבוד: זרם טוב בע"מ ח.פ. ${own}`,
  'שירות | 3 | 1.00',
  `סה"כ לפני מע"מ | ${money(net)}`,
  `מע"מ 18% | ${money(vat)}`,
  `סה"כ לתשלום | ${money(net + vat)}`,
]

describe('a paper', () => {
  test('says who, what, when and how much', () => {
    const proposal = read(invoice(1_000_000, 180_000), { ownTaxId: own, ownName: 'זרם טוב בע"מ' })
    expect(proposal).toMatchObject({
      supplierName: { value: 'מפעלי הדגמה בע"מ' },
      supplierTaxId: { value: supplier },
      number: { value: '10234' },
      day: { value: '2025-10-10' },
      net: { value: 1_000_000 },
      vat: { value: 180_000 },
      total: { value: 1_180_000, reason: 'labelAndArithmetic', spots: [{ page: 0 }] },
      documentKind: { value: 'taxInvoice' },
      currency: { value: 'ILS' },
    })
    expect(proposal.total!.confidence).toBeGreaterThan(0.9)
  })

  test('any sums that add up at the rate of their day are found', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 500, max: 50_000_000 }),
        fc.constantFrom('10/10/2025', '10/10/2024'),
        (net, day) => {
          const vat = timesRate(net, vatRateOn(readDay(day)!), 'halfAwayFromZero')
          const { net: n, vat: v, total } = read(invoice(net, vat, day))
          expect([n?.value, v?.value, total?.value]).toEqual([net, vat, net + vat])
        },
      ),
      { numRuns: 200 },
    )
  })

  test('the right sums are found where the total was misread, because net and VAT agree', () => {
    const lines = invoice(1_000_000, 180_000)
    lines[8] = 'סה"כ לתשלום | 11,300.00'
    expect(read(lines)).toMatchObject({
      total: { value: 1_180_000 },
      net: { value: 1_000_000 },
      vat: { value: 180_000 },
    })
  })

  test('a missing point is mended when arithmetic asks for it', () => {
    const lines = invoice(123_456, 22_222)
    lines[8] = 'סה"כ לתשלום | 145678'
    expect(readPaper([pageOf(lines, { confidence: 0.8 })], options).total?.value).toBe(145_678)
  })

  test('Hebrew that came reversed is read all the same', () => {
    const page = pageOf(invoice(1_000_000, 180_000))
    const reversed = { ...page, words: page.words.map((word) => ({ ...word, text: turned(word.text) })) }
    expect(readPaper([reversed], options)).toMatchObject({
      total: { value: 1_180_000 },
      number: { value: '10234' },
      supplierTaxId: { value: supplier },
    })
    expect(textOfPages([reversed])).toContain('סה"כ לתשלום')
  })

  test('drawn letter by letter it is put together again', () => {
    const page = pageOf(invoice(1_000_000, 180_000))
    const letters = page.words.flatMap((word) => {
      const isHebrew = /[א-ת]/.test(word.text)
      return [...word.text].map((text, i) => ({
        ...word,
        text,
        w: 6,
        x: isHebrew ? word.x + word.w - 6 * (i + 1) : word.x + 6 * i,
      }))
    })
    expect(readPaper([{ ...page, words: letters }], options)).toMatchObject({
      total: { value: 1_180_000 },
      day: { value: '2025-10-10' },
    })
  })

  test('its own number is never the supplier’s, a wrong check digit is nobody’s', () => {
    expect(
      read([`ח.פ. ${own}`, 'חשבונית מס 7', 'סה"כ 10.00'], { ownTaxId: own }).supplierTaxId,
    ).toBeUndefined()
    expect(read(['ח.פ. 516000120', 'חשבונית מס 7']).supplierTaxId).toBeUndefined()
  })

  test('a receipt of an exempt dealer has no VAT', () => {
    expect(
      read(['סטודיו תמר', `עוסק פטור ${supplier}`, "קבלה מס' 55", 'סה"כ שולם: 500.00 ש"ח']),
    ).toMatchObject({
      documentKind: { value: 'receipt' },
      total: { value: 50_000 },
      net: { value: 50_000 },
      vat: { value: 0 },
    })
  })

  test('cash, change and an earlier balance are not the total', () => {
    const proposal = read([
      'חשבונית מס קבלה 12',
      'תאריך 10/10/2025',
      'יתרה קודמת | 900.00',
      'סה"כ לתשלום | 118.00',
      'מע"מ | 18.00',
      'מזומן | 200.00',
      'עודף | 82.00',
    ])
    expect(proposal).toMatchObject({
      total: { value: 11_800 },
      vat: { value: 1800 },
      documentKind: { value: 'invoiceReceipt' },
    })
  })

  test('a credit names itself, and not the invoice it credits', () => {
    const proposal = read([
      'ספק בע"מ',
      'חשבונית זיכוי מספר 77',
      'תאריך: 10/10/2025',
      'בגין חשבונית מס 8812 מיום 01/09/2025',
      'סה"כ לזיכוי | 118.00-',
    ])
    expect(proposal).toMatchObject({
      documentKind: { value: 'credit' },
      number: { value: '77' },
      total: { value: 11_800 },
      day: { value: '2025-10-10' },
    })
  })

  test('English, with an allocation number and terms', () => {
    const proposal = read([
      'Harbor Ltd',
      `VAT No. ${supplier}`,
      'TAX INVOICE',
      'Invoice No.: INV-2025-17',
      'Date: 10/10/2025',
      'Allocation number: 738717536',
      'Net 30',
      'Subtotal | 100.00',
      'VAT 18% | 18.00',
      'Total due | ILS 118.00',
    ])
    expect(proposal).toMatchObject({
      number: { value: 'INV-2025-17' },
      allocationNumber: { value: '738717536' },
      supplierTaxId: { value: supplier },
      dueDay: { value: '2025-11-09', reason: 'computed' },
      total: { value: 11_800 },
    })
  })

  test('what is remembered of a supplier comes before what stands highest', () => {
    const memories = [{ taxId: supplier, name: 'השם הנכון' }]
    expect(read(invoice(1_000_000, 180_000), { memories }).supplierName).toMatchObject({
      value: 'השם הנכון',
      reason: 'memory',
    })
  })

  test('a remembered place decides between equal sums', () => {
    const lines = ['ספק', 'א | 700.00', 'ב | 300.00', 'ג | 400.00']
    const plain = read(lines)
    expect(plain.total?.value).toBe(70_000)
    const memories = [
      {
        name: 'ספק בע"מ מפעלים',
        taxId: supplier,
        spots: { total: { page: 0, x: 384, y: 104, w: 60, h: 14 } },
      },
    ]
    expect(read([`ח.פ. ${supplier}`, ...lines.slice(1)], { memories }).total?.value).toBe(30_000)
  })

  test('nothing is nothing', () => {
    expect(readPaper([], options)).toEqual({
      currency: { value: 'ILS', confidence: 0.7, reason: 'position', spots: [] },
    })
    expect(read(['שלום רב']).total).toBeUndefined()
  })

  test('no words, however strange, bring it down', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            text: fc.string({ unit: 'binary', maxLength: 12 }),
            x: fc.integer({ min: 0, max: 600 }),
            y: fc.integer({ min: 0, max: 800 }),
            w: fc.integer({ min: 0, max: 90 }),
            h: fc.integer({ min: 0, max: 30 }),
            confidence: fc.double({ min: 0, max: 1, noNaN: true }),
          }),
          { maxLength: 40 },
        ),
        (words) => {
          for (const guess of Object.values(readPaper([{ width: 600, height: 800, words }], options))) {
            expect(guess.confidence).toBeGreaterThanOrEqual(0)
            expect(guess.confidence).toBeLessThanOrEqual(1)
          }
        },
      ),
    )
  })
})
