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
