import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, test } from 'vitest'
import { earlyAnswer, freshMs } from '#kit/web/calls/earlyAnswers.ts'
import { root } from '#kit/server/settings.ts'

const script = readFileSync(join(root, 'src/kit/web/early.js'), 'utf8')

/**
 * Runs the page's own script as a browser with this store would, at an address; answers what it asked of our
 * calls, and what it left.
 */
function begin(pathname: string, kept: Record<string, string>) {
  const asked: { path: string; headers: Record<string, string> }[] = []
  const window: { early?: object } = {}
  runInNewContext(script, {
    window,
    location: { pathname, search: '', hostname: 'books.example' },
    localStorage: { getItem: (name: string) => kept[name] ?? null },
    navigator: { languages: ['he-IL'] },
    matchMedia: () => ({ matches: false }),
    URLSearchParams,
    fetch: (path: string, { headers = {} }: { headers?: Record<string, string> } = {}) => {
      asked.push({ path, headers })
      return Promise.resolve(new Response('{"of":"the beginning"}'))
    },
    document: {
      cookie: '',
      documentElement: { dataset: {} },
      head: { append: () => undefined },
      createElement: () => ({}),
      getElementById: () => ({ textContent: '{"marks":{"base":"1"}}' }),
    },
  })
  Object.assign(globalThis, { early: window.early })
  return asked.filter(({ path }) => path.startsWith('/api4/'))
}
const user = (more: object = {}) =>
  JSON.stringify({ UserKey: 'token', CompanyKey: 'mine', TypeID: 4, ...more })
const headers = {
  'content-type': 'application/json',
  'cache-control': 'no-cache',
  'x-language': 'he',
  'x-access-token': 'token',
  'x-company': 'mine',
}
const home = '/api4/invoice/homepage'

afterEach(() => {
  delete (globalThis as { early?: object }).early
})

describe('what the page’s own script asks ahead', () => {
  test('is what the main page shows, as whoever is in', () => {
    const asked = begin('/invoice/main', { user: user(), langXmlNumber: '139' })
    expect(asked.map(({ path }) => path)).toEqual(['/api4/invoice/company', home])
    for (const one of asked)
      expect(one.headers).toEqual({
        'cache-control': 'no-cache',
        'x-language': 'en',
        'x-access-token': 'token',
        'x-company': 'mine',
      })
  })

  test.each<[string, string, Record<string, string>]>([
    ['of strangers', '/invoice/main', {}],
    ['of what is no session', '/invoice/main', { user: '{"broken' }],
    ['of a session without its key', '/invoice/main', { user: user({ UserKey: '' }) }],
    ['of an affiliate, whose page is another', '/invoice/main', { user: user({ TypeID: 2 }) }],
    ['on another page', '/invoice/mainly', { user: user() }],
    ['at the log-in', '/login', { user: user() }],
  ])('is nothing %s', (_who, path, kept) => {
    expect(begin(path, kept)).toEqual([])
  })
})

describe('an early answer', () => {
  test('is handed out once, to the same question', async () => {
    begin('/invoice/main', { user: user() })
    const answer = await earlyAnswer(home, { method: 'GET', headers }, 900)
    expect(await answer!.json()).toEqual({ of: 'the beginning' })
    expect(earlyAnswer(home, { method: 'GET', headers }, 950)).toBeUndefined()
    expect(earlyAnswer('/api4/invoice/areas', { method: 'GET', headers }, 950)).toBeUndefined()
  })

  test.each<[string, RequestInit, number]>([
    ['of another person', { headers: { ...headers, 'x-access-token': 'other' } }, 900],
    ['of another business', { headers: { ...headers, 'x-company': 'other' } }, 900],
    ['in another language', { headers: { ...headers, 'x-language': 'fr' } }, 900],
    ['that comes much later', { headers }, freshMs + 1],
  ])('is none to a question %s, nor afterwards', (_which, init, now) => {
    begin('/invoice/main', { user: user() })
    expect(earlyAnswer(home, init, now)).toBeUndefined()
    expect(earlyAnswer(home, { headers }, 900)).toBeUndefined()
  })

  test('of no business is none to a question of one', () => {
    begin('/invoice/main', { user: user({ CompanyKey: undefined }) })
    expect(earlyAnswer(home, { headers }, 900)).toBeUndefined()
  })

  test('leaves what is written alone', () => {
    begin('/invoice/main', { user: user() })
    expect(earlyAnswer(home, { method: 'POST', headers }, 900)).toBeUndefined()
    expect(earlyAnswer(home, { headers }, 900)).toBeDefined()
  })
})
