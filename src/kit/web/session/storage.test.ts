import { describe, expect, it } from 'vitest'
import { makeStore, storedChosen, storedPageSize, type Local } from './storage.ts'

const jar = () => {
  const kept = new Map<string, string>()
  const written: string[] = []
  return {
    written,
    read: () => [...kept].map(([name, value]) => `${name}=${value}`).join('; '),
    write: (cookie: string) => {
      written.push(cookie)
      const [pair = ''] = cookie.split('; ')
      const [name = '', value = ''] = pair.split('=')
      if (cookie.includes('max-age=0')) kept.delete(name)
      else kept.set(name, value)
    },
  }
}
const memory = (): Local => {
  const kept = new Map<string, string>()
  return {
    getItem: (k) => kept.get(k) ?? null,
    setItem: (k, v) => void kept.set(k, v),
    removeItem: (k) => void kept.delete(k),
  }
}
const shut: Local = {
  getItem: () => {
    throw new Error('shut')
  },
  setItem: () => {
    throw new Error('shut')
  },
  removeItem: () => {
    throw new Error('shut')
  },
}

describe('what the browser keeps', () => {
  it('stands in localStorage and writes no cookie', () => {
    const cookies = jar()
    const store = makeStore(memory(), cookies)
    store.set('user', '{"UserKey":"k"}')
    expect(store.get('user')).toBe('{"UserKey":"k"}')
    expect(cookies.written).toEqual([])
  })

  it('falls back to cookies: 300 days for the session, 30 for the rest', () => {
    const cookies = jar()
    const store = makeStore(shut, cookies)
    store.set('user', '{"a":"ש;ו"}')
    store.set('darkMode', 'true')
    expect(cookies.written[0]).toContain(`max-age=${300 * 86_400}`)
    expect(cookies.written[1]).toContain(`max-age=${30 * 86_400}`)
    expect(store.get('user')).toBe('{"a":"ש;ו"}')
    store.drop('user')
    expect(store.get('user')).toBeUndefined()
  })

  it('finds a session that only a cookie holds', () => {
    const cookies = jar()
    makeStore(undefined, cookies).set('user', 'x')
    expect(makeStore(memory(), cookies).get('user')).toBe('x')
  })

  it('names cookies __Host- over TLS, and replaces one of before without logging anybody out', () => {
    const cookies = jar()
    makeStore(shut, cookies).set('user', 'of before')
    const secure = makeStore(shut, cookies, true)
    expect(secure.get('user')).toBe('of before')
    expect(cookies.read()).toBe('__Host-user=of%20before')
    expect(secure.get('user')).toBe('of before')
    secure.set('user', 'next')
    expect(cookies.written.at(-1)).toMatch(/^__Host-user=next; path=\/; max-age=\d+; SameSite=Lax$/)
    secure.drop('user')
    expect(cookies.read()).toBe('')
  })

  it('keeps no dictionary in a cookie', () => {
    const cookies = jar()
    makeStore(undefined, cookies).set('words', 'x'.repeat(5000))
    expect(cookies.written).toEqual([])
  })

  it('offers 50 rows unless one of the known sizes is kept', () => {
    const store = makeStore(memory(), jar())
    expect(storedPageSize(store)).toBe(50)
    store.set('psize', '100')
    expect(storedPageSize(store)).toBe(100)
    store.set('psize', '37')
    expect(storedPageSize(store)).toBe(50)
  })

  it('reads a chosen user and survives rubbish', () => {
    const store = makeStore(memory(), jar())
    expect(storedChosen(store)).toBeUndefined()
    store.set('userchosen', '{"id":"7","type":4}')
    expect(storedChosen(store)).toEqual({ id: '7', type: 4 })
    store.set('userchosen', '{oops')
    expect(storedChosen(store)).toBeUndefined()
  })
})
