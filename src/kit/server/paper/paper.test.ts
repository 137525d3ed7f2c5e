import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { closePaper, PaperError, renderPdf, renderSvg } from './engine.ts'
import { makePrintable, printableProblems, textWidth } from './fonts.ts'
import { imageKind, imageSize } from './image.ts'
import { reportPaper, reportPdf, type ReportData } from './report.ts'
import { paperRoot } from '../root.ts'
import { trialBalance } from './samples.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'paper-'))
afterAll(async () => {
  await closePaper()
  rmSync(folder, { recursive: true })
})

/** The words of a PDF as a reader's program finds them, without direction marks. */
function wordsOf(pdf: Uint8Array): string {
  const file = path.join(folder, 'read.pdf')
  writeFileSync(file, pdf)
  return spawnSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' }).stdout.replace(
    /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    '',
  )
}

describe('characters the font cannot print', () => {
  test.each([
    ['שלום עולם, ₪ 12.50', []],
    ['Привет — №5', []],
    ['مرحبا؛ 10%', []],
    ['Œuvre « été »', []],
    ['a🙂b漢🙂', ['漢']],
    ['Παπαδόπουλος Nguyễn Đặng ქართული Հայերեն ሰላም ไทย', []],
    ['100 Ω ⌀ 12″ ≤ ≥ √ ∑ → ⇒ ⚡ ☎ ✓ ① ½ ㎡', []],
    ['x\u0000y', ['\u0000']],
    ['\u2066LTR\u2069\u200f', []],
  ])('%j has %j', (text, problems) => expect(printableProblems(text)).toEqual(problems))

  test.each([
    ['שלום', 'שלום'],
    ['תודה 🙂!', 'תודה 🙂!'],
    ['👩‍👩‍👧‍👦 משפחה', '👩‍👩‍👧‍👦 משפחה'],
    ['אושר ✓', 'אושר ✓'],
    ['18\u202f%', '18\u00a0%'],
    ['a\u0000b', 'ab'],
    ['漢字', '▯▯'],
    ['ﬃ Ⅻ', 'ﬃ Ⅻ'],
    ['½ ㎡', '½ m2'],
  ])('%j is printed as %j', (text, printed) => {
    expect(makePrintable(text)).toBe(printed)
    expect(printableProblems(printed)).toEqual([])
  })

  test('whatever there is in Unicode becomes printable', () => {
    for (let code = 0; code < 0x20000; code += 7) {
      if (code >= 0xd800 && code <= 0xdfff) continue
      const printed = makePrintable(`a${String.fromCodePoint(code)}b`)
      expect(printableProblems(printed), `U+${code.toString(16)}`).toEqual([])
    }
  })
})

test('widths grow with the text and the size; figures of a column are all as wide', () => {
  expect(textWidth('שלום', 9)).toBeGreaterThan(textWidth('שלו', 9))
  expect(textWidth('שלום', 18)).toBeCloseTo(2 * textWidth('שלום', 9), 5)
  expect(textWidth('1,111.11', 9, 'regular', true)).toBeCloseTo(textWidth('8,888.88', 9, 'regular', true), 5)
})

test('pictures are told by their bytes', () => {
  expect(imageKind(new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBeNull()
  expect(imageSize(new Uint8Array([0xff, 0xd8, 0xff, 0xe0]))).toBeNull()
  const jpeg = new Uint8Array([
    0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc0, 0, 11, 8, 0, 20, 0, 50, 1, 1, 0x11, 0,
  ])
  expect(imageSize(jpeg)).toEqual({ width: 50, height: 20 })
})

describe('a report', () => {
  test('is the same file for the same data, PDF/A and tagged', async () => {
    const [first, second] = [await reportPdf(trialBalance), await reportPdf(trialBalance)]
    expect(Buffer.from(first).equals(Buffer.from(second))).toBe(true)
    const text = Buffer.from(first).toString('latin1')
    expect(text).toContain('/Marked true')
    expect(text).toContain('pdfaid:part')
    expect(text).toContain('/Lang (he)')
  })

  test('of thousands of rows leaves the tags out and stays PDF/A: they would be twenty times its text', async () => {
    const rows = Array.from({ length: 1001 }, (_, at) => ({ kind: 'row' as const, cells: ['חנות', at] }))
    const columns = [
      { label: 'שם', kind: 'text' as const },
      { label: 'סכום', kind: 'money' as const },
    ]
    const text = Buffer.from(await reportPdf({ ...trialBalance, columns, rows })).toString('latin1')
    expect(text).not.toContain('/StructElem')
    expect(text).toContain('pdfaid:part')
    expect(text.length).toBeLessThan(300_000)
    const tagged = Buffer.from(await reportPdf({ ...trialBalance, columns, rows: rows.slice(1) })).toString(
      'latin1',
    )
    expect(tagged.length).toBeGreaterThan(text.length * 3)
  })

  test('says its title, groups, sums and checks', async () => {
    const words = wordsOf(await reportPdf(trialBalance))
    for (const word of ['מאזן', 'בוחן', 'ספקים', '3,492,883.55', '225,092.08', 'התאמה'])
      expect(words).toContain(word)
    const faulty = wordsOf(await reportPdf({ ...trialBalance, faults: ['לא מתקיים: הספרים מאוזנים'] }))
    for (const word of ['מתקיים', 'מאוזנים']) expect(faulty).toContain(word)
  })

  test('turns the page at seven columns, takes A3 above twelve', () => {
    const wide = (count: number): ReportData => ({
      ...trialBalance,
      columns: Array.from({ length: count }, (_, at) =>
        at === 0 ? { label: 'שם', kind: 'text' as const } : { label: `ט${at}`, kind: 'money' as const },
      ),
      rows: [{ kind: 'row', cells: ['א', ...Array.from({ length: count - 1 }, () => 123_456_789)] }],
    })
    expect(reportPaper(wide(6)).page.width).toBe(210)
    expect(reportPaper(wide(7)).page.width).toBe(297)
    expect(reportPaper(wide(13)).page.width).toBe(420)
    for (const count of [2, 6, 9, 12, 16]) {
      const paper = reportPaper(wide(count))
      const used = paper.columns.reduce((sum, column) => sum + column.width, 0)
      expect(used).toBeCloseTo(((paper.page.width - 36) * 72) / 25.4, 1)
    }
  })

  test('leaves zeros out, and shows a negative sum in brackets', () => {
    const paper = reportPaper({
      ...trialBalance,
      rows: [{ kind: 'row', cells: ['1', 'א', 0, -123_400, 0, 0, 0, 0] }],
    })
    expect(paper.rows[0]).toMatchObject({ cells: ['1', 'א', '', '(1,234.00-)', '', '', '', ''] })
  })
})

describe('the typesetter', () => {
  test('draws pages as pictures of their own', async () => {
    const data = reportPaper(trialBalance)
    const pages = await renderSvg({ template: path.join(paperRoot, 'report.typ'), data })
    expect(pages).toHaveLength(2)
    for (const page of pages) expect(page).toMatch(/^<svg .*<\/svg>$/s)
    expect(await renderSvg({ template: path.join(paperRoot, 'report.typ'), data, page: 2 })).toEqual([
      pages[1],
    ])
    expect(await renderSvg({ template: path.join(paperRoot, 'report.typ'), data, page: 3 })).toEqual([])
  })

  test('prints data literally: no markup, no code, no files', async () => {
    const nasty = '#read("/etc/passwd") *b* $x$ @ref <b> \\ // # = - `x`'
    const pdf = await reportPdf({
      ...trialBalance,
      rows: [{ kind: 'row', cells: ['1', nasty, 0, 0, 0, 0, 0, 0] }],
    })
    expect(wordsOf(pdf).replace(/\s+/g, '')).toContain('#read')
  })

  test('says what is wrong, and goes on working', async () => {
    await expect(renderPdf({ template: path.join(paperRoot, 'report.typ'), data: {} })).rejects.toThrow(
      PaperError,
    )
    await expect(
      renderPdf({
        template: path.join(paperRoot, 'report.typ'),
        data: {},
        images: { logo: new Uint8Array(50) },
      }),
    ).rejects.toThrow('PNG or JPEG')
    expect((await reportPdf(trialBalance)).length).toBeGreaterThan(1000)
  })

  test('starts again after it was closed', async () => {
    await closePaper()
    expect((await reportPdf(trialBalance)).length).toBeGreaterThan(1000)
  })
})
