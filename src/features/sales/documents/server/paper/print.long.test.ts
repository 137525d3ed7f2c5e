import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closePaper } from '#kit/server/paper/engine.ts'
import { makeSelfSigned, type Signer } from '#kit/server/seal/certificates.ts'
import { sealPdf } from '#kit/server/seal/seal.ts'
import { accentOf, contrastOnWhite } from '#kit/server/paper/accent.ts'
import { paperOf } from './paperOf.ts'
import { documentPdf, documentSvg } from './render.ts'
import {
  creditInvoice,
  deliveryNote,
  englishInvoice,
  hebrewInvoice,
  invoiceReceipt,
  longInvoice,
  madeAt,
  pictures,
  receipt,
  statement,
  stress,
} from './samples.ts'
import { alignOnPoint, shapeOf } from './shape.ts'
import { statementPdf } from './statement.ts'
import type { PaperLayout, PaperSource } from './source.ts'
import { paperWords } from './words.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'print-'))
let signer: Signer
beforeAll(async () => {
  signer = await makeSelfSigned({
    organisation: 'אלומת הצפון',
    taxId: '777777715',
    days: 365,
    from: new Date('2026-11-01'),
  })
})
afterAll(async () => {
  await closePaper()
  rmSync(folder, { recursive: true })
})

function fileOf(pdf: Uint8Array): string {
  const file = path.join(folder, 'document.pdf')
  writeFileSync(file, pdf)
  return file
}

/** What a reader's program finds, page by page, without direction marks. */
function pagesOf(pdf: Uint8Array): string[] {
  const said = spawnSync('pdftotext', ['-layout', fileOf(pdf), '-'], { encoding: 'utf8' }).stdout
  return said
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .split('\f')
    .slice(0, -1)
}
/** The position of the lowest word of each page, in points from the top; the footer of the page is excluded. */
function bottomsOf(pdf: Uint8Array): number[] {
  const said = spawnSync('pdftotext', ['-bbox', fileOf(pdf), '-'], { encoding: 'utf8' }).stdout
  return said
    .split('<page ')
    .slice(1)
    .map((page) =>
      Math.max(...[...page.matchAll(/yMax="([\d.]+)"/g)].map((y) => Number(y[1])).filter((y) => y < 785)),
    )
}
const printed = async (source: PaperSource) => pagesOf(await documentPdf(paperOf(source)))
const withMark = (source: PaperSource, mark: PaperSource['variant']['mark']): PaperSource => ({
  ...source,
  variant: { ...source.variant, mark },
})

describe('what is read on the paper', () => {
  test('everything the law asks of a tax invoice', async () => {
    const [page] = await printed(hebrewInvoice)
    for (const token of [
      'חשבונית',
      '100482',
      'מקור',
      'ממוחשב',
      'אלומת',
      'מורשה',
      '777777715',
      'הפקאן',
      '777777723',
      '20/11/2026',
      '482913076',
      'הקצאה',
      '12.3475',
      '38.40',
      '15,211.73',
      '2,738.11',
      '18%',
      '18,353.60',
      '320.00-',
      '318.68-',
      'CU-PE+12',
      'PO-2026/114-B',
      'pinkas.example/p/7K2M9',
    ])
      expect(page, token).toContain(token)
  })

  test('a copy says copy, and only the original says original', async () => {
    const [copy] = await printed(withMark(hebrewInvoice, 'copy'))
    expect(copy).toContain('העתק')
    expect(copy).not.toContain('מקור')
    const [certified] = await printed(creditInvoice)
    for (const word of ['העתק', 'נאמן', 'למקור', 'לזיכוי', '17,399.23']) expect(certified).toContain(word)
  })

  test('a draft has no number, no seal and the word across the page; a cancelled one names what cancelled it', async () => {
    const [draft] = await printed(withMark(hebrewInvoice, 'draft'))
    expect(draft).toContain('טיוטה')
    expect(draft).not.toContain('100482')
    expect(draft).not.toContain('אימות')
    const [cancelled] = await printed(
      withMark(
        { ...hebrewInvoice, document: { ...hebrewInvoice.document, cancelledBy: '400099' } },
        'cancelled',
      ),
    )
    for (const word of ['מבוטל', '400099']) expect(cancelled).toContain(word)
  })

  test('an exempt dealer prints no word of VAT', async () => {
    const [page] = await printed({
      ...receipt,
      business: { ...receipt.business, kind: 'exemptDealer' },
    })
    expect(page).toContain('פטור')
    expect(page).not.toContain('מע״מ')
  })

  test('a receipt shows what it closes, how it was paid and what was withheld', async () => {
    const [page] = await printed(receipt)
    for (const token of ['100391', '5000299', '338/0142', '914', '186.32', '3,726.32'])
      expect(page, token).toContain(token)
    const [both] = await printed(invoiceReceipt)
    for (const token of ['5000311', '4821', '26,904.00', '1,416.00', '28,320.00', '121.7391'])
      expect(both, token).toContain(token)
  })

  test('other languages keep the words of law in Hebrew beside their own', async () => {
    for (const [name, own] of [
      ['en', 'Tax'],
      ['ru', 'Налоговый'],
      ['fr', 'Facture'],
    ] as const) {
      const [page] = await printed(pictures[name])
      for (const word of [own, 'חשבונית', 'ממוחשב', 'עוסק']) expect(page, `${name} ${word}`).toContain(word)
    }
    const [english] = await printed(englishInvoice)
    for (const token of ['$15,018.75', '54,848.48', '3.6520', '488.75-', 'Original', 'מקור'])
      expect(english, token).toContain(token)
    const [refused] = await printed({
      ...englishInvoice,
      document: { ...englishInvoice.document, allocation: { state: 'refused' } },
    })
    for (const word of ['תשומות', 'Input VAT may not be deducted']) expect(refused).toContain(word)
  })

  test('a delivery note shows no prices unless asked', async () => {
    const [page] = await printed(deliveryNote)
    expect(page).toContain('הוזמן')
    for (const word of ['למשלוח אל', 'מחסן צפון', '3303405']) expect(page).toContain(word)
    expect(page).not.toContain('189.00')
    const [priced] = await printed({
      ...deliveryNote,
      settings: { ...deliveryNote.settings, showPrices: true },
    })
    expect(priced).toContain('189.00')

    // Nor its amounts in shekels, where it is in another currency.
    const { document, totals } = englishInvoice
    const abroad = (showPrices: boolean) =>
      printed({
        ...deliveryNote,
        document: { ...deliveryNote.document, currency: 'USD', exchange: document.exchange! },
        totals: totals!,
        settings: { ...deliveryNote.settings, showPrices },
      })
    expect((await abroad(false)).join()).not.toContain('54,848.48')
    expect((await abroad(true)).join()).toContain('54,848.48')
  })
})

describe('many lines', () => {
  test.each([1, 2, 17, 18, 24, 25, 26, 27, 40, 60])(
    '%i lines: all there, carried sums right, totals never alone',
    async (count) => {
      const source = longInvoice(count)
      const pages = await printed(source)
      const rows = pages.map(
        (page) => page.split('\n').filter((line) => /\d+\.\d\d.*(קומה|גג|קומת)/.test(line)).length,
      )
      expect(rows.reduce((sum, part) => sum + part, 0)).toBe(count)
      expect(rows.at(-1)).toBeGreaterThanOrEqual(Math.min(2, count))
      const paper = paperOf(source)
      let until = 0
      pages.forEach((page, at) => {
        if (at > 0) {
          expect(page).toContain('100517')
          if (count >= 18) expect(page).toContain('מעמוד')
          if (count >= 18) expect(page).toContain(paper.lines[until - 1]!.carried)
        }
        until += rows[at]!
        if (at < pages.length - 1 && count >= 18) {
          expect(page).toContain('להעברה')
          expect(page).toContain(paper.lines[until - 1]!.carried)
        } else if (at === pages.length - 1) expect(page).not.toContain('להעברה')
      })
      expect(pages.at(-1)).toContain('לתשלום')
    },
  )

  // Two tables, a signature, how to pay and a seal are more than half a page: not all of it may travel with
  // the last lines.
  test.each(['classic', 'modern', 'compact'] as const)(
    'in foreign currency no page is left half empty: %s',
    async (layout) => {
      for (const count of [6, 8, 10, 12, 14, 16, 19]) {
        const long = longInvoice(count)
        const { totals } = long
        const classes = [
          { kind: 'standard' as const, base: totals!.subtotal / 2, rate: 1800, vat: totals!.vat! },
          { kind: 'zero' as const, base: totals!.subtotal / 2, rate: 0, vat: 0 },
        ]
        const source: PaperSource = {
          ...long,
          document: { ...long.document, currency: 'USD', exchange: englishInvoice.document.exchange! },
          totals: { ...totals!, classes },
          settings: { ...long.settings, layout, signatureBox: true },
        }
        const bottoms = bottomsOf(await documentPdf(paperOf(source)))
        for (const bottom of bottoms.slice(0, -1)) expect(bottom, `${count} lines`).toBeGreaterThan(500)
      }
    },
  )

  // 'Счёт, выписанный покупателем' once left the business a word a line.
  test.each(['classic', 'compact'] as const)(
    'a long title leaves the business its lines: %s',
    async (layout) => {
      const source: PaperSource = {
        ...englishInvoice,
        document: { ...englishInvoice.document, type: 'selfBilledInvoice', language: 'ru' },
        settings: { ...englishInvoice.settings, layout },
      }
      const [page] = await printed(source)
      expect(page).toContain('8 HaMelacha St., Tel Aviv-Yafo 6721504, Israel')
      expect(page).toContain('Счёт, выписанный покупателем')
    },
  )

  test('three hundred lines', async () => {
    const pages = await printed(longInvoice(300))
    expect(pages.length).toBeGreaterThan(7)
    expect(pages.at(-1)).toContain(
      paperOf(longInvoice(300))
        .totals.at(-1)!
        .value.replace(/[^\d.,]/g, ''),
    )
  })
})

describe('every layout and language', () => {
  const layouts: PaperLayout[] = ['classic', 'modern', 'compact', 'slip']
  test.each(
    Object.entries(pictures).flatMap(([name, source]) =>
      layouts.map((layout) => [name, layout, source] as const),
    ),
  )('%s as %s', async (_name, layout, source) => {
    const pdf = await documentPdf(paperOf({ ...source, variant: { ...source.variant, layout } }))
    expect(Buffer.from(pdf.subarray(0, 5)).toString()).toBe('%PDF-')
  })

  test('the same paper is the same file, byte for byte', async () => {
    const paper = paperOf(hebrewInvoice)
    const first = await documentPdf(paper)
    await closePaper()
    expect(Buffer.from(await documentPdf(paperOf(hebrewInvoice))).equals(Buffer.from(first))).toBe(true)
  })

  test('PDF/A-3a is to be had as well', async () => {
    const pdf = Buffer.from(await documentPdf(paperOf(hebrewInvoice), { standard: 'a-3a' })).toString(
      'latin1',
    )
    expect(pdf).toMatch(/pdfaid:part[>="]+3/)
  })

  test('pictures for the preview, one for each page', async () => {
    expect(await documentSvg(paperOf(hebrewInvoice))).toHaveLength(1)
    expect(await documentSvg(paperOf(longInvoice(60)))).toHaveLength(3)
    expect(await documentSvg(paperOf(longInvoice(60)), { page: 2 })).toHaveLength(1)
  })

  test('a damaged logo and an emoji never stop a document', async () => {
    const broken = Uint8Array.from(hebrewInvoice.business.logo!)
    broken.fill(7, 60)
    const odd: PaperSource = {
      ...stress,
      business: { ...stress.business, logo: broken },
      customer: { name: '🙂🙂 漢字 \u0000', address: ['\u202e\ud83d'] },
    }
    await expect(documentPdf(paperOf(odd))).resolves.toBeInstanceOf(Uint8Array)
    await expect(
      documentPdf(
        paperOf({ ...odd, business: { ...odd.business, logo: new TextEncoder().encode('<svg/>') } }),
      ),
    ).resolves.toBeInstanceOf(Uint8Array)
  })
})

describe('a statement', () => {
  test('says the balance, the entries and the age of the debt', async () => {
    const [page] = pagesOf(await statementPdf(statement))
    for (const token of [
      '28,527.68',
      '4,120.00',
      '100430',
      '14,396.00',
      '18,353.60',
      '3,273.68',
      'C-1042',
      'מעל',
    ])
      expect(page, token).toContain(token)
  })

  test.each(['he', 'en', 'ar', 'ru', 'fr'] as const)('is set in %s, long too', async (language) => {
    const entries = Array.from({ length: 90 }, (_, at) => statement.entries[at % statement.entries.length]!)
    await expect(statementPdf({ ...statement, language, entries, balance: -500 })).resolves.toBeInstanceOf(
      Uint8Array,
    )
  })
})

describe('sealed', () => {
  test('an invoice is valid, sound, and shows a changed byte', async () => {
    const sealed = sealPdf(await documentPdf(paperOf(hebrewInvoice)), signer, {
      name: 'אלומת הצפון',
      reason: 'חשבונית מס 100482',
      at: madeAt,
    })
    const file = fileOf(sealed)
    expect(spawnSync('pdfsig', ['-nocert', file], { encoding: 'utf8' }).stdout).toContain(
      'Signature is Valid',
    )
    expect(spawnSync('qpdf', ['--check', file], { encoding: 'utf8' }).stdout).toContain(
      'No syntax or stream encoding errors',
    )
    sealed[sealed.length >> 2]! ^= 1
    expect(spawnSync('pdfsig', ['-nocert', fileOf(sealed)], { encoding: 'utf8' }).stdout).not.toContain(
      'Signature is Valid',
    )
  })
})

describe('where things stand', () => {
  test('points of a column under each other, brackets apart', () => {
    expect(alignOnPoint(['12.3475', '86.5', '24', undefined])).toEqual(['', '000', '.0000', ''])
    expect(alignOnPoint(['1', '(1-)', '2.5'])).toEqual(['.0-)', '.0', '-)'])
    expect(alignOnPoint(['5', '7'])).toEqual(['', ''])
  })

  test('columns fill the page exactly, and the description is never under 45 mm', () => {
    for (const [name, source] of Object.entries(pictures)) {
      for (const layout of ['classic', 'modern', 'compact'] as const) {
        const shape = shapeOf(paperOf({ ...source, variant: { ...source.variant, layout } }))
        if (shape.columns.length === 0 || source.lines.length === 0 || name === 'receipt') continue
        const page = ((210 - 2 * (layout === 'compact' ? 14 : 18)) * 72) / 25.4
        expect(shape.columns.reduce((sum, column) => sum + column.width, 0)).toBeCloseTo(page, 3)
        if (name !== 'stress')
          expect(shape.columns.find((column) => column.key === 'description')!.width).toBeGreaterThanOrEqual(
            45 * 2.834,
          )
      }
    }
  })

  test('columns appear only when a line needs them', () => {
    const keys = (source: PaperSource) => paperOf(source).columns.map((column) => column.key)
    expect(keys(hebrewInvoice)).toEqual([
      'n',
      'description',
      'quantity',
      'unit',
      'price',
      'discount',
      'vat',
      'total',
    ])
    expect(keys(invoiceReceipt)).toEqual(['n', 'description', 'quantity', 'price', 'total'])
    expect(keys(deliveryNote)).toEqual(['n', 'sku', 'description', 'quantity', 'unit', 'ordered', 'left'])
    expect(keys(receipt)).toEqual(['n', 'description', 'quantity', 'price', 'total'])
  })
})

test('an address too long for the panel stands under it and opens; a short one stays in it', () => {
  const payOf = (payLink: string) =>
    paperOf({ ...hebrewInvoice, settings: { ...hebrewInvoice.settings, payLink } }).pay!
  const long = `https://books.example.com/paymentdoc/${'k'.repeat(43)}`
  const pay = payOf(long)
  expect(pay.link).toMatchObject({ url: long })
  expect(pay.link!.value).toContain(long.slice('https://'.length))
  expect(pay.qr).not.toBeNull()
  expect(pay.rows.at(-1)!.value).toContain('books.example.com')
  expect(pay.rows.some(({ value }) => value.includes('paymentdoc'))).toBe(false)
  expect(payOf('pinkas.example/p/7K2M9')).toMatchObject({ link: null })
})

test('an accent is darkened until it can be read, and nonsense becomes the house colour', () => {
  for (const colour of ['#ffd500', '#ff9ad5', '#12695f', '#ffffff', '#000000']) {
    const { shape, text } = accentOf(colour)
    expect(shape).toBe(colour)
    const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16)) as [
      number,
      number,
      number,
    ]
    expect(contrastOnWhite(red, green, blue)).toBeGreaterThanOrEqual(5.5)
  }
  expect(accentOf('red; drop').shape).toBe('#12695f')
  expect(accentOf(undefined).text).toBe('#12695f')
})

test('the five languages have the same words', () => {
  const keys = Object.keys(paperWords('he'))
  for (const language of ['en', 'ar', 'ru', 'fr'] as const)
    expect(Object.keys(paperWords(language))).toEqual(keys)
  const holes = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([hole]) => hole).sort()
  for (const key of keys) {
    for (const language of ['en', 'ar', 'ru', 'fr'] as const)
      expect(holes(paperWords(language)[key]!), `${language} ${key}`).toEqual(holes(paperWords('he')[key]!))
  }
})
