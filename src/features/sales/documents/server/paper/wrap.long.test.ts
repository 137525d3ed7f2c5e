import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { closePaper } from '#kit/server/paper/engine.ts'
import { longWords, stretched } from '../../../../../../tests/longWords.ts'
import { unreadableIn } from '../../../../../../tests/paperBoxes.ts'
import { paperOf } from './paperOf.ts'
import { documentPdf } from './render.ts'
import { creditInvoice, deliveryNote, invoiceReceipt, pictures, quote, receipt, stress } from './samples.ts'
import type { PaperLayout } from './source.ts'

/** Random long words, amounts and numbers of lines in random documents, languages and layouts. */

afterAll(closePaper)

const samples = { ...pictures, invoiceReceipt, creditInvoice, quote, receipt, deliveryNote, stress }
const word = fc.oneof(
  fc.constantFrom(...longWords.map(([, one]) => one)),
  ...['אבגדהשםץ', 'ABCWMi@', 'ضصثقعمل', 'ЖШЩя'].map((script) =>
    fc
      .array(fc.constantFrom(...script, ...'-_/.0123456789'), { minLength: 20, maxLength: 120 })
      .map((signs) => signs.join('')),
  ),
)

test('random long words in every kind of document', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(samples)),
      fc.constantFrom<PaperLayout>('classic', 'modern', 'compact', 'slip'),
      word,
      fc.constantFrom(1, 7, 37),
      async (name, layout, long, times) => {
        const source = stretched(samples[name as 'he'], long, times)
        const pdf = await documentPdf(paperOf({ ...source, variant: { ...source.variant, layout } }))
        expect(await unreadableIn(pdf)).toEqual([])
      },
    ),
    { numRuns: 200, endOnFailure: true },
  )
}, 600_000)
