import { afterAll, beforeAll, expect, test } from 'vitest'
import { languages, wordsOf } from '#kit/server/words.ts'
import { filledStep } from '#features/open/docs/firstSteps.ts'
import { points } from '#features/open/docs/stripe.ts'
import { openSandbox } from '#features/open/sandbox/endpoints.ts'
import { newBusiness, startWorld, type World } from './world.ts'

/** What the page "Against Stripe, point by point" claims, by the very calls that it shows. */
let world: World
let key: string
const kept: Record<string, string> = {}
interface Told {
  status: number
  headers: Record<string, unknown>
  body: any
  bytes: Buffer
}
const told: Record<string, Told> = {}

const send = async (step: Parameters<typeof filledStep>[0] & { headers?: object }): Promise<Told> => {
  const { method, path, body } = filledStep(step, kept)
  const answer = await world.http.inject({
    method,
    url: path,
    headers: { authorization: `Bearer ${key}`, 'accept-language': 'en', ...step.headers },
    ...(body ? { payload: body } : {}),
  })
  const isJson = String(answer.headers['content-type']).includes('json')
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: isJson ? answer.json() : undefined,
    bytes: answer.rawPayload,
  }
}

beforeAll(async () => {
  world = await startWorld()
  key = (await (await newBusiness(world)).call(openSandbox, {})).secret
  for (const point of points) {
    const answer = (told[point.key] = await send(point))
    for (const [name, at] of Object.entries(point.keeps ?? {}))
      kept[name] = String(at.split('.').reduce((value: any, part) => value[part], answer.body as unknown))
  }
}, 120_000)
afterAll(() => world.close())

test('there are sixteen points, each equal or better, in every language, and each call answers as it is shown', () => {
  expect(points).toHaveLength(16)
  for (const { key: name, verdict } of points)
    for (const language of languages)
      for (const word of [`${name}.title`, `${name}.text`, verdict])
        expect([language, word, wordsOf(language)[`docs.stripe.${word}`]?.length ?? 0]).toEqual([
          language,
          word,
          expect.any(Number),
        ])
  expect(points.map(({ key: name }) => [name, told[name]!.status])).toEqual(
    points.map(({ key: name, status }) => [name, status]),
  )
})

test('what the points claim is what the answers show', async () => {
  // Authentication: an unknown key has another code than a missing one.
  const bare = await world.http.inject({ url: '/api4/invoice/customers' })
  const unknown = await world.http.inject({
    url: '/api4/invoice/customers',
    headers: { authorization: `Basic ${Buffer.from('pk_live_none:').toString('base64')}` },
  })
  expect([bare.json().code, unknown.json().code]).toEqual(['session.needed', 'apiKeys.unknown'])
  // Repeats.
  const again = await send(points.find(({ key: name }) => name === 'idempotency')!)
  expect([again.status, again.body.id]).toEqual([200, told.idempotency!.body.id])
  // Pages.
  expect([told.pages!.body.rows.length, typeof told.pages!.body.nextCursor]).toEqual([1, 'string'])
  // Errors: both fields, in words.
  expect(told.errors!.body.errors).toMatchObject([
    { path: 'name', detail: expect.stringMatching(/^[A-Z]/) },
    { path: 'email', detail: expect.stringMatching(/^[A-Z]/) },
  ])
  expect(told.errors!.headers['content-type']).toContain('application/problem+json')
  // Versions.
  expect(told.versions!.headers).toMatchObject({
    deprecation: expect.stringMatching(/^@\d+$/),
    sunset: expect.stringContaining('GMT'),
    link: expect.stringContaining('documents.byKey'),
  })
  // Expansion.
  const [row] = told.expand!.body.rows
  expect(Object.keys(row).toSorted()).toEqual(['date', 'expanded', 'externalId', 'id', 'metadata', 'number'])
  expect([row.expanded.lines.length, typeof row.expanded.customerId.name]).toEqual([1, 'string'])
  // Own values, and search by them at once.
  expect(told.metadata!.body).toMatchObject({ externalId: 'compare-1', metadata: { shop: 7 } })
  expect(told.search!.body.rows.map(({ id }: { id: string }) => id)).toEqual([told.metadata!.body.id])
  // Webhooks.
  expect(told.webhooks!.body.webhook.filter.sumAgorot).toBe(100_000)
  // Documentation.
  expect(told.docs!.body.errors.length).toBeGreaterThan(10)
  // Clients.
  expect(Object.keys(told.clients!.body.paths).length).toBeGreaterThan(20)
  // Limits.
  expect(told.limits!.headers.ratelimit).toMatch(/^"key";r=\d+;t=\d+$/)
  // Many at once: all or none, and the row.
  expect(told.bulk!.body.rows).toHaveLength(2)
  const bad = await send({
    ...points.find(({ key: name }) => name === 'bulk')!,
    body: { rows: [{ name: 'Third' }, { name: '' }] },
  })
  expect(bad.body.errors[0].path).toBe('rows.1.name')
  // Files, as bytes and as a form.
  expect(told.files!.bytes.subarray(0, 5).toString()).toBe('%PDF-')
  const form = await world.http.inject({
    method: 'POST',
    url: '/api4/invoice/files',
    headers: { 'x-access-token': key, 'content-type': 'multipart/form-data; boundary=b' },
    payload:
      '--b\r\ncontent-disposition: form-data; name="file"; filename="note.txt"\r\n\r\nhello\r\n--b--\r\n',
  })
  expect([form.statusCode, form.json().name, form.json().size]).toEqual([expect.any(Number), 'note.txt', 5])
  // Concurrency: a known answer is not sent again.
  expect(told.concurrency!.body.code).toBe('kit.changed')
  const path = `/api4/invoice/customers/${kept.customer}`
  const headers = { 'x-access-token': key }
  const { etag } = (await world.http.inject({ url: path, headers })).headers
  const known = await world.http.inject({ url: path, headers: { ...headers, 'if-none-match': String(etag) } })
  expect(known.statusCode).toBe(304)
})
