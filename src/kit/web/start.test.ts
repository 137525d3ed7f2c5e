import { expect, it } from 'vitest'
import { addDays, dayInJerusalem } from '#domain/day.ts'
import {
  affiliateKept,
  contactOf,
  firstViewToday,
  inNativeShell,
  keepStart,
  readStart,
  withoutGoogleToken,
} from './start.ts'
import { makeStore } from './session/storage.ts'

const memory = () => {
  const kept = new Map<string, string>()
  return makeStore(
    {
      getItem: (k) => kept.get(k) ?? null,
      setItem: (k, v) => void kept.set(k, v),
      removeItem: (k) => void kept.delete(k),
    },
    { read: () => '', write: () => undefined },
  )
}

it('reads the parameters of the start', () => {
  expect(
    readStart('?lang=iw&catid=3&cpaid=4&platform=1&contactdata=%7B%7D&aff=a%201&googletoken=g&cpa=9&other=x'),
  ).toEqual({
    lang: 'iw',
    catid: '3',
    cpaid: '4',
    platform: '1',
    contactdata: '{}',
    aff: 'a 1',
    googletoken: 'g',
    cpa: '9',
  })
  expect(readStart('?AFF=b&cpa=')).toEqual({ aff: 'b' })
  expect(readStart('')).toEqual({})
})

it('reads who is coming, and survives rubbish', () => {
  const nobody = { name: '', business: '', email: '', phone: '' }
  const said = encodeURIComponent(
    JSON.stringify({ name: ' דנה לוי ', email: 'dana@example.com', phone: 5, more: 'x' }),
  )
  expect(contactOf(readStart(`?contactdata=${said}`))).toEqual({
    ...nobody,
    name: 'דנה לוי',
    email: 'dana@example.com',
  })
  for (const rubbish of ['{oops', 'null', '5', '"x"', '[]', ''])
    expect(contactOf({ contactdata: rubbish })).toEqual(nobody)
  expect(contactOf({})).toEqual(nobody)
})

it('keeps who sent the person and the native shell', () => {
  const store = memory()
  keepStart({ aff: 'a', cpa: 'c', platform: '2', catid: '1' }, store)
  expect([store.get('affuid'), store.get('cpa'), store.get('platform')]).toEqual(['a', 'c', '2'])
  expect(inNativeShell({}, store)).toBe(true)
  keepStart({ platform: '7' }, store)
  expect(store.get('platform')).toBe('2')
  expect(inNativeShell({}, memory())).toBe(false)
})

it('whoever sent the person first stays it for thirty days, and a link is counted once a day', () => {
  const store = memory()
  keepStart({ aff: 'first' }, store)
  keepStart({ aff: 'second' }, store)
  expect(affiliateKept({ aff: 'second' }, store)).toBe('first')
  store.set('affday', addDays(dayInJerusalem(new Date()), -31))
  expect(affiliateKept({}, store)).toBeUndefined()
  keepStart({ aff: 'second' }, store)
  expect(affiliateKept({}, store)).toBe('second')
  expect(affiliateKept({ aff: 'new' }, memory())).toBe('new')
  expect([firstViewToday('a', store), firstViewToday('a', store), firstViewToday('b', store)]).toEqual([
    true,
    false,
    true,
  ])
})

it('takes the Google token out of the address and leaves the rest', () => {
  expect(withoutGoogleToken('?lang=iw&GoogleToken=secret&aff=a%201')).toBe('?lang=iw&aff=a+1')
  expect(withoutGoogleToken('?googletoken=secret')).toBe('')
  expect(withoutGoogleToken('')).toBe('')
})
