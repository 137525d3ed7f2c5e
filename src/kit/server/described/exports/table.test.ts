import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { day, moment, money, text } from '#kit/fields/field.ts'
import { exportTable } from './exportTable.ts'
import { cellText, harmless, unharmed, writeTable, type ExportColumn, type ExportFormat } from './table.ts'

const column = (name: string, field: ExportColumn['field']): ExportColumn => ({
  name,
  field,
  title: 'kit.yes',
  words: 'kit',
})
const columns = [column('who', text()), column('day', day()), column('at', moment())]
const rows = [
  { who: '=1+1', day: '2026-01-31', at: '2026-01-31T22:30:00.000Z' },
  { who: 'b', day: null, at: null },
]
const file = async (format: ExportFormat) =>
  (await exportTable({ format, language: 'he', name: 'x', title: 'kit.yes', columns, rows }))
    .bytes as Uint8Array

test('a moment stands in files by the clock of Jerusalem, where half past ten in the evening in London is tomorrow', async () => {
  expect(
    Buffer.from(await file('csv'))
      .toString()
      .split('\r\n')
      .slice(1, 3),
  ).toEqual(["'=1+1,2026-01-31,2026-02-01 00:30", 'b,,'])
  const sheet = strFromU8(unzipSync(await file('xlsx'))['xl/worksheets/sheet1.xml']!)
  // 46053 is the last of January as sheets count days.
  expect(
    [...sheet.matchAll(/<v>([\d.]+)<\/v>/g)]
      .map(([, value]) => Number(value))
      .filter((value) => value > 40_000),
  ).toEqual([46_053, expect.closeTo(46_054 + 30 / 1440, 5)])
  expect(cellText('he', columns[2]!, rows[0]!)).toBe('01/02/2026 00:30')
})

test('a total that is the sum of what stands above it is a formula with its figure; one that counts otherwise is a figure', async () => {
  const sums = [column('who', text()), ...['netAgorot', 'balanceAgorot'].map((name) => column(name, money()))]
  const { bytes } = await exportTable({
    format: 'xlsx',
    language: 'en',
    name: 'x',
    title: 'kit.yes',
    columns: sums,
    rows: [
      { who: 'a', netAgorot: 1001, balanceAgorot: 500 },
      { who: 'b', netAgorot: -1, balanceAgorot: 700 },
    ],
    totals: { netAgorot: 1000, balanceAgorot: 700 },
    notes: ['first'],
  })
  const sheet = strFromU8(unzipSync(bytes as Uint8Array)['xl/worksheets/sheet1.xml']!)
  // A note and the heads stand above the rows.
  expect(/<c r="B5"[^>]*>(.*?)<\/c>/.exec(sheet)![1]).toBe('<f>SUM(B3:B4)</f><v>10</v>')
  expect(/<c r="C5"[^>]*>(.*?)<\/c>/.exec(sheet)![1]).toBe('<v>7</v>')
})

test('a spreadsheet sums its groups, and its total counts each line once; a table of commas has the lines alone', async () => {
  const grouped = {
    language: 'en' as const,
    name: 'x',
    title: 'kit.yes',
    columns: [column('who', text()), column('netAgorot', money())],
    rows: [
      { who: 'a', netAgorot: 1001 },
      { who: 'a', netAgorot: -1 },
      { who: 'b', netAgorot: 5 },
    ],
    totals: { netAgorot: 1005 },
    groupBy: 'who',
  }
  const { bytes } = await exportTable({ ...grouped, format: 'xlsx' })
  const sheet = strFromU8(unzipSync(bytes as Uint8Array)['xl/worksheets/sheet1.xml']!)
  const cell = (name: string) => new RegExp(`<c r="${name}"[^>]*>(.*?)</c>`).exec(sheet)?.[1]
  expect(cell('B4')).toBe('<f>SUBTOTAL(9,B2:B3)</f><v>10</v>')
  expect(cell('B5')).toBe('<v>0.05</v>')
  expect(cell('B6')).toBe('<f>SUBTOTAL(9,B2:B5)</f><v>10.05</v>')
  const csv = await exportTable({ ...grouped, format: 'csv' })
  expect(
    Buffer.from(csv.bytes as Uint8Array)
      .toString()
      .trim()
      .split('\r\n'),
  ).toHaveLength(5)
})

test('a long table is written apart, and is the same table', async () => {
  const many = Array.from({ length: 1200 }, (_, i) => ({
    who: `a${i}`,
    day: '2026-01-31',
    at: new Date('2026-01-31T22:30:00Z'),
  }))
  const table = {
    format: 'csv' as const,
    language: 'he' as const,
    name: 'x',
    title: 'kit.yes',
    columns,
    rows: many,
  }
  expect(Buffer.from((await exportTable(table)).bytes as Uint8Array)).toEqual(
    Buffer.from((await writeTable(table)).bytes as Uint8Array),
  )
})

test('what a spreadsheet could run gets an apostrophe, in full width too, and loses it on its way in', () => {
  for (const text of ['=1+1', '+1', '-1', '@x', '\tx', '\rx', '\nx', '＝1+1', '＋1', '－1', '＠x']) {
    expect(harmless(text)).toBe(`'${text}`)
    expect(unharmed(harmless(text))).toBe(text)
  }
  for (const text of ['a=1', "'tis", '', '1', 'א'])
    expect([harmless(text), unharmed(text)]).toEqual([text, text])
})
