import { afterAll, describe, expect, test } from 'vitest'
import { reportPdf } from '#kit/server/paper/report.ts'
import { trialBalance } from '#kit/server/paper/samples.ts'
import { closePaper } from '#kit/server/paper/engine.ts'
import { unreadableIn } from '../../../../../../tests/paperBoxes.ts'
import { longWords, stretched } from '../../../../../../tests/longWords.ts'
import { letterPdf, type LetterSource } from './letter.ts'
import { paperOf } from './paperOf.ts'
import { documentPdf } from './render.ts'
import {
  creditInvoice,
  deliveryNote,
  invoiceReceipt,
  madeAt,
  pictures,
  quote,
  receipt,
  statement,
  stress,
} from './samples.ts'
import { statementPdf } from './statement.ts'
import type { PaperLayout, PaperSource } from './source.ts'

/** No text lies over another and none leaves its page, whatever was typed. */

afterAll(closePaper)

const layouts: PaperLayout[] = ['classic', 'modern', 'compact', 'slip']
const kinds = Object.entries({
  he: pictures.he,
  en: pictures.en,
  invoiceReceipt,
  creditInvoice,
  quote,
  receipt,
  deliveryNote,
})
const letter: LetterSource = {
  language: 'he',
  day: '2026-11-20',
  madeAt,
  title: 'הודעה על שינוי מחיר',
  body: 'שלום רב,\nהחל מינואר יתעדכן המחיר.',
  business: pictures.he.business,
  customer: pictures.he.customer!,
  settings: pictures.he.settings,
  isDraft: false,
}

const faultsOf = async (source: PaperSource, layout: PaperLayout) =>
  unreadableIn(await documentPdf(paperOf({ ...source, variant: { ...source.variant, layout } })))

describe.each(layouts)('in the %s layout', (layout) => {
  test('ordinary documents', async () => {
    for (const [name, source] of Object.entries({ ...pictures, invoiceReceipt, creditInvoice, stress }))
      expect(await faultsOf(source, layout), name).toEqual([])
  })
  // Each sort of word in one kind of document of each layout; the kinds take turns.
  test.each(longWords)('long words: %s', async (name, word) => {
    const turn = longWords.findIndex(([one]) => one === name) + layouts.indexOf(layout) * 2
    const [kind, source] = kinds[turn % kinds.length]!
    expect(await faultsOf(stretched(source, word), layout), kind).toEqual([])
  })
})

describe('other papers', () => {
  test('as they are', async () => {
    expect(await unreadableIn(await statementPdf(statement))).toEqual([])
    expect(await unreadableIn(await letterPdf(letter))).toEqual([])
    expect(await unreadableIn(await reportPdf(trialBalance))).toEqual([])
  })
  test.each(longWords)('long words: %s', async (_, word) => {
    expect(await unreadableIn(await statementPdf(stretched(statement, word)))).toEqual([])
    expect(await unreadableIn(await letterPdf(stretched(letter, word)))).toEqual([])
    const { rows, business, subtitle } = trialBalance
    const report = {
      ...trialBalance,
      title: word,
      subtitle: [...subtitle, word],
      business: { name: word, lines: business.lines.map(() => word) },
      rows: rows.map((row) =>
        row.kind === 'group' ? { ...row, label: word } : { ...row, cells: row.cells.with(1, word) },
      ),
      checks: [word],
      faults: [word],
    }
    expect(await unreadableIn(await reportPdf(report))).toEqual([])
  })
})
