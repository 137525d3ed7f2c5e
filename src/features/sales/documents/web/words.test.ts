import { expect, test } from 'vitest'
import { documentTypeNames, documentTypes } from '#domain/documents/kinds.ts'
import { wordsOf } from '#kit/server/words.ts'
import { makeWords } from '#kit/web/words/words.tsx'
import { documentNoun, itemNoun } from './nouns.ts'
import { withoutMarks } from './words.ts'

test('marks of direction stay behind', () => expect(withoutMarks('\u2068a\u2069 \u2066b\u2069')).toBe('a b'))

test('what is said of a document agrees with its name', () => {
  const t = makeWords('he', wordsOf('he'))
  const said = (key: string, id: number, label?: 'billingAccount') =>
    withoutMarks(t(key, { name: documentNoun(t, id, 7, label) }))
  expect(said('documents.editor.issued', documentTypes.taxInvoice.id)).toBe('חשבונית מס 7 הופקה.')
  expect(said('documents.page.marked', documentTypes.priceQuote.id)).toBe('הצעת מחיר 7 סומנה כמבוטלת.')
  expect(said('documents.editor.issued', documentTypes.paymentRequest.id, 'billingAccount')).toMatch(
    / הופק\.$/,
  )
  const opening = { type: documentTypes.taxInvoice.id, number: 0, isOpening: true, openingNumber: '55' }
  expect(withoutMarks(t('documents.closes.tick', { name: itemNoun(t, opening) }))).toBe(
    'יתרת פתיחה 55: נסגרת בתשלום הזה',
  )
  for (const lang of ['he', 'ar', 'ru', 'fr', 'en'] as const) {
    const say = makeWords(lang, wordsOf(lang))
    for (const name of documentTypeNames)
      expect(
        say('documents.editor.issued', { name: documentNoun(say, documentTypes[name].id, 1) }),
      ).not.toMatch(/[{}]/)
  }
})
