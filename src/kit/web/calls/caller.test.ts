import { describe, expect, it, vi } from 'vitest'
import type { Endpoint } from '#kit/describe/endpoint.ts'
import { CallFailure, fileName, isNetworkError, makeCaller, parts, type Ground } from './caller.ts'

const endpoint = (more: Partial<Endpoint> = {}): Endpoint<any, any> => ({
  name: 't.do',
  method: 'POST',
  path: '/api/t/{id}',
  access: 'login',
  input: {} as never,
  output: {} as never,
  summary: '',
  ...more,
})

const json = (status: number, body: unknown = {}, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers })

function setUp(answers: (Response | 'down')[]) {
  const sent: { url: string; init: RequestInit }[] = []
  const waits: number[] = []
  let keys = 0
  const ground: Ground = {
    fetch: vi.fn(async (url, init) => {
      sent.push({ url: String(url), init: init! })
      const next = answers.shift()
      if (!next || next === 'down') throw new TypeError('Failed to fetch')
      return next
    }),
    wait: async (ms) => void waits.push(ms),
    newKey: () => `key-${++keys}`,
    base: () => '',
    token: () => 'token',
    language: () => 'he',
    device: () => 'device',
    onSessionEnded: vi.fn(),
    onNetworkError: vi.fn(),
  }
  return { ground, sent, waits, ...makeCaller(ground) }
}
const header = (init: RequestInit, name: string) => (init.headers as Record<string, string>)[name]

describe('a call', () => {
  it('carries the token, the language and no-cache', async () => {
    const { call, sent } = setUp([json(200, { a: 1 })])
    expect(await call(endpoint(), { id: 'x/y', sum: 5 })).toEqual({ a: 1 })
    expect(sent[0]!.url).toBe('/api/t/x%2Fy')
    expect(sent[0]!.init.body).toBe('{"sum":5}')
    expect(header(sent[0]!.init, 'x-access-token')).toBe('token')
    expect(header(sent[0]!.init, 'content-type')).toBe('application/json')
    expect(header(sent[0]!.init, 'cache-control')).toBe('no-cache')
    expect(header(sent[0]!.init, 'x-language')).toBe('he')
  })

  it.each([['down' as const], [json(500)], [json(404)]])(
    'is repeated twice, one second apart, with the same key',
    async (failed) => {
      const { call, sent, waits } = setUp([
        failed,
        failed === 'down' ? 'down' : failed.clone(),
        json(200, { ok: true }),
      ])
      expect(await call(endpoint(), { id: '1' })).toEqual({ ok: true })
      expect(waits).toEqual([1000, 1000])
      expect(new Set(sent.map(({ init }) => header(init, 'idempotency-key')))).toEqual(new Set(['key-1']))
    },
  )

  it('has a key of its own for each deed and none for reading', async () => {
    const { call, sent } = setUp([json(200), json(200), json(200)])
    await call(endpoint(), { id: '1' })
    await call(endpoint(), { id: '1' })
    await call(endpoint({ method: 'GET' }), { id: '1' })
    expect(sent.map(({ init }) => header(init, 'idempotency-key'))).toEqual(['key-1', 'key-2', undefined])
  })

  it.each([400, 403, 409, 422, 429, 503])('is not repeated on %i', async (status) => {
    const { call, sent } = setUp([json(status, { code: 'x.y' })])
    await expect(call(endpoint(), { id: '1' })).rejects.toMatchObject({ code: 'x.y', status })
    expect(sent).toHaveLength(1)
  })

  it('waits for the next minute of a limit when that is near, with the same key, and says so when it is not', async () => {
    const over = (seconds: number) =>
      json(429, { code: 'kit.tooManyCalls', params: { seconds } }, { 'retry-after': String(seconds) })
    const { call, sent, waits } = setUp([over(3), json(200, { ok: true }), over(40)])
    expect(await call(endpoint(), { id: '1' })).toEqual({ ok: true })
    expect([waits, new Set(sent.map(({ init }) => header(init, 'idempotency-key'))).size]).toEqual([
      [3000],
      1,
    ])
    await expect(call(endpoint(), { id: '1' })).rejects.toMatchObject({
      code: 'kit.tooManyCalls',
      retryAfterSeconds: 40,
    })
  })

  it('tells the screen of a network error after the last try, unless it is quiet', async () => {
    const { call, ground, sent } = setUp([])
    const failure = await call(endpoint(), { id: '1' }).catch((e: unknown) => e)
    expect(isNetworkError(failure)).toBe(true)
    expect((failure as CallFailure).message).toBe('Network Error')
    expect(sent).toHaveLength(3)
    expect(ground.onNetworkError).toHaveBeenCalledTimes(1)
    await call(endpoint(), { id: '1' }, { quiet: true }).catch(() => undefined)
    expect(ground.onNetworkError).toHaveBeenCalledTimes(1)
  })

  it('ends the session once, after the last 401', async () => {
    const { call, ground, sent } = setUp([json(401), json(401), json(401, { code: 'session.needed' })])
    await expect(call(endpoint(), { id: '1' })).rejects.toMatchObject({ status: 401 })
    expect(sent).toHaveLength(3)
    expect(ground.onSessionEnded).toHaveBeenCalledTimes(1)
    expect(ground.onSessionEnded).toHaveBeenCalledWith('token')
  })

  it('hands on the fields that were refused', async () => {
    const errors = [{ path: 'business.taxId', code: 'fields.taxId' }]
    const { call } = setUp([json(422, { code: 'kit.badInput', title: 'x', params: { a: 1 }, errors })])
    await expect(call(endpoint(), { id: '1' })).rejects.toMatchObject({
      code: 'kit.badInput',
      errors,
      params: { a: 1 },
      title: 'x',
    })
  })

  it('says by its status what is no problem of ours', async () => {
    const { call } = setUp([new Response('<html>', { status: 413 })])
    await expect(call(endpoint(), { id: '1' })).rejects.toMatchObject({ code: 'kit.tooLarge' })
  })

  it('stops trying when it is called off', async () => {
    const stop = new AbortController()
    const { ground, sent } = setUp([])
    ground.wait = async () => stop.abort()
    const { call } = makeCaller(ground)
    await expect(call(endpoint(), { id: '1' }, { signal: stop.signal })).rejects.toMatchObject({
      name: 'AbortError',
    })
    expect(sent).toHaveLength(1)
    expect(ground.onNetworkError).not.toHaveBeenCalled()
  })
})

it('puts a reading input into the query', () => {
  expect(
    parts(
      { method: 'GET', path: '/l/{list}' },
      { list: 'a b', q: 'ש', page: 2, tags: ['x', 'y'], none: undefined, nil: null },
    ),
  ).toEqual({
    path: '/l/a%20b',
    query: 'q=%D7%A9&page=2&tags=x&tags=y',
    body: undefined,
  })
})

it('reads the name of a file', () => {
  expect(fileName(`attachment; filename="_.pdf"; filename*=UTF-8''%D7%97%D7%A9.pdf`)).toBe('חש.pdf')
  expect(fileName('attachment; filename="a.pdf"')).toBe('a.pdf')
  expect(fileName(null)).toBe('file')
})
