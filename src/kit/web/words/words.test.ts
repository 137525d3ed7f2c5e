import { afterEach, expect, it, vi } from 'vitest'
import { makeWords, wordEvents, wordIfAny } from './words.tsx'

const before = wordEvents.unknown
afterEach(() => void (wordEvents.unknown = before))

it('a key nobody has a word for is told, and comes back as itself', () => {
  const told = (wordEvents.unknown = vi.fn())
  const t = makeWords('he', { 'kit.yes': 'כן' })
  expect([t('kit.yes'), t('kit.maybe')]).toEqual(['כן', 'kit.maybe'])
  expect(told.mock.calls).toEqual([['he', 'kit.maybe']])
})

it('a key that need not have a word is not told', () => {
  const told = (wordEvents.unknown = vi.fn())
  const t = makeWords('en', { 'a.hints.b': 'At {place}' })
  expect(wordIfAny(t, 'a.hints.b', { place: 'home' })).toBe('At \u2068home\u2069')
  expect(wordIfAny(t, 'a.hints.c')).toBeUndefined()
  expect(told).not.toHaveBeenCalled()
})

it('words that arrive later are found by the same look-up', () => {
  const dic: Record<string, string> = {}
  const t = makeWords('en', dic)
  expect(wordIfAny(t, 'vat.title')).toBeUndefined()
  dic['vat.title'] = 'VAT'
  expect(t('vat.title')).toBe('VAT')
})

it('a sentence agrees with its noun, and chooses by what a value is without the marks round it', () => {
  const t = makeWords('he', {
    'a.done': '{paper} {paperGender, select, f {הופקה} other {הופק}}',
    'a.side': '{side, select, more {גבוה} other {נמוך}}',
  })
  expect(t('a.done', { paper: { text: 'קבלה', gender: 'f' } })).toBe('\u2068קבלה\u2069 הופקה')
  expect(t('a.done', { paper: { text: 'חשבון', gender: 'm' } })).toBe('\u2068חשבון\u2069 הופק')
  expect(t('a.side', { side: 'more' })).toBe('גבוה')
})
