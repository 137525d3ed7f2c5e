import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { implementations } from '../src/features.ts'
import { bodyLimitOf, isReading, usualBody } from '#kit/describe/endpoint.ts'
import { cleanInput } from '#kit/server/http/clean.ts'
import { newBusiness, startWorld, type World } from './world.ts'

/*
 * Every call takes a body of a declared size: 64 kB where anybody may call, 256 kB elsewhere, more where it says so. What
 * is larger is refused before it is read.
 */

let world: World
let token: string

beforeAll(async () => {
  world = await startWorld()
  token = (await newBusiness(world)).token
})
afterAll(() => world.close())

interface Shape {
  type?: string
  maxLength?: number
  maxItems?: number
  items?: Shape
  properties?: Record<string, Shape>
  anyOf?: Shape[]
  oneOf?: Shape[]
  allOf?: Shape[]
  additionalProperties?: Shape | boolean
}

/** Bytes of JSON that a person or a program may well send: long texts as a rule are short, pictures and lists are full. */
function reachOf(shape: Shape): number {
  const { anyOf, oneOf, allOf } = shape
  if (anyOf ?? oneOf) return Math.max(...(anyOf ?? oneOf)!.map(reachOf))
  if (allOf) return allOf.reduce((sum, one) => sum + reachOf(one), 0)
  if (shape.type === 'string') {
    const most = shape.maxLength ?? 40
    return most > 20_000 ? most : Math.min(most, 40)
  }
  if (shape.type === 'array') return (shape.maxItems ?? 10) * (shape.items ? reachOf(shape.items) + 1 : 10)
  const more =
    typeof shape.additionalProperties === 'object' ? 10 * (40 + reachOf(shape.additionalProperties)) : 0
  if (shape.type === 'object')
    return Object.entries(shape.properties ?? {}).reduce(
      (sum, [name, one]) => sum + name.length + 4 + reachOf(one),
      2 + more,
    )
  return 10
}

const calls = implementations.map(({ endpoint }) => endpoint)
const withJson = calls.filter(({ method, upload, raw }) => method !== 'GET' && !upload && !raw)

test('a call whose input reaches beyond the usual size says how much it takes', () => {
  const beyond = withJson
    .map((endpoint) => {
      const reach = reachOf(z.toJSONSchema(endpoint.input, { io: 'input', unrepresentable: 'any' }) as Shape)
      return { name: endpoint.name, reach, limit: bodyLimitOf({ ...endpoint, maxBody: undefined }) }
    })
    .filter(({ reach, limit }) => reach > limit)
  const declared = withJson.filter(({ maxBody }) => maxBody !== undefined).map(({ name }) => name)
  expect(beyond.filter(({ name }) => !declared.includes(name))).toEqual([])
  // Records of a described list are many at once, whatever their fields.
  expect(
    declared.filter((name) => !name.endsWith('.createMany') && !beyond.some((one) => one.name === name)),
  ).toEqual([])
})

test('no call takes more than it should, and none less than it declares', () => {
  for (const endpoint of withJson)
    expect(bodyLimitOf(endpoint), endpoint.name).toBeLessThanOrEqual(
      endpoint.maxBody ??
        (endpoint.access === 'open' || endpoint.access === 'key' ? usualBody.open : usualBody.other),
    )
  expect(Math.max(...withJson.map(bodyLimitOf))).toBeLessThanOrEqual(4_000_000)
})

test('every call refuses what is larger with its limit, as a problem', { timeout: 300_000 }, async () => {
  const wrong: string[] = []
  for (const endpoint of withJson) {
    const limit = bodyLimitOf(endpoint)
    const answer = await world.http.inject({
      method: endpoint.method,
      url: endpoint.path.replace(/\{\w+\}/g, '01890000-0000-7000-8000-000000000000'),
      headers: { 'x-access-token': token, 'content-type': 'application/json' },
      // The length alone is enough for it.
      payload: Buffer.alloc(limit + 1, 0x20),
    })
    // Who may not call at all is refused before the body is read.
    if ([401, 403, 429].includes(answer.statusCode)) continue
    const { code, params } = answer.json<{ code: string; params: { maxBytes?: number } }>()
    if (
      answer.statusCode !== 413 ||
      code !== 'kit.tooLarge' ||
      params.maxBytes !== limit ||
      !String(answer.headers['content-type']).startsWith('application/problem+json')
    )
      wrong.push(`${endpoint.name} ${answer.statusCode} ${code}`)
  }
  expect(wrong).toEqual([])
})

test(
  'every call that takes a body refuses another type at its header, with the type that it takes; only uploads take forms',
  { timeout: 300_000 },
  async () => {
    const wrong: string[] = []
    const form =
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF\r\n--x--\r\n'
    for (const endpoint of calls.filter(
      ({ method, raw }) => method !== 'GET' && method !== 'DELETE' && !raw,
    )) {
      const got = endpoint.upload ? 'application/x-www-form-urlencoded' : 'multipart/form-data'
      const answer = await world.http.inject({
        method: endpoint.method,
        url: endpoint.path.replace(/\{\w+\}/g, '01890000-0000-7000-8000-000000000000'),
        headers: { 'x-access-token': token, 'content-type': `${got}; boundary=x` },
        payload: form,
      })
      if ([401, 403, 429].includes(answer.statusCode)) continue
      const { code, errors } = answer.json<{ code: string; errors?: object[] }>()
      const wants = endpoint.upload ? 'application/octet-stream' : 'application/json'
      const said = JSON.stringify(errors ?? [])
      if (
        answer.statusCode !== 415 ||
        code !== 'http.wrongType' ||
        !said.includes('"path":"Content-Type"') ||
        !said.includes(`"wants":"${wants}","got":"${got}"`)
      )
        wrong.push(`${endpoint.name} ${answer.statusCode} ${code} ${said}`)
    }
    expect(wrong).toEqual([])
  },
)

/** A separate program: what one process writes to itself is read in turns. */
const sender = `
  const [base, token] = GIVEN
  const piece = new Uint8Array(65536).fill(32)
  const streamed = () => new ReadableStream({ start: (c) => { for (let n = 0; n < 80; n++) c.enqueue(piece); c.close() } })
  const said = []
  for (let n = 0; n < 24; n++) {
    const isStream = n % 2 === 1
    const answer = await fetch(base + '/api4/invoice/customers', {
      method: 'POST',
      headers: { 'x-access-token': n % 3 ? token : 'nobody', 'content-type': 'application/json' },
      body: isStream ? streamed() : ' '.repeat(5_000_000),
      ...(isStream ? { duplex: 'half' } : {}),
    }).catch((e) => e)
    const who = n % 3 ? 'known' : 'unknown'
    said.push(who + ' ' + (answer instanceof Error ? answer.message + ' ' + answer.cause : answer.status + ' ' + (await answer.json()).code))
  }
  console.log(JSON.stringify([...new Set(said)].toSorted()))
`

test(
  'a program that sends too much hears so, whole, before the connection ends',
  { timeout: 120_000 },
  async () => {
    const base = await world.http.listen({ port: 0, host: '127.0.0.1' })
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '-e',
      sender.replace('GIVEN', JSON.stringify([base, token])),
    ])
    expect(JSON.parse(stdout)).toEqual(['known 413 kit.tooLarge', 'unknown 401 session.needed'])
  },
)

test('large bodies of one business are read one after another, with rests; others are not held up', async () => {
  const other = (await newBusiness(world)).token
  const answered: number[] = []
  const send = async (as: string, payload: string) => {
    const { statusCode, headers } = await world.http.inject({
      method: 'POST',
      url: '/api4/invoice/documents/batch',
      headers: { 'x-access-token': as, 'content-type': 'application/json' },
      payload,
    })
    if (payload.length > 1000) answered.push(performance.now())
    return [statusCode, headers['retry-after'] !== undefined]
  }
  const large = JSON.stringify({ documents: [{ type: 8, note: 'x'.repeat(1_000_000) }] })
  const all = Promise.all(Array.from({ length: 12 }, () => send(token, large)))
  // Beside them: small ones of the same business, and a large one of another.
  const from = performance.now()
  expect(await send(token, '{"documents":[]}')).toEqual([422, false])
  expect(await send(other, large)).toEqual([422, false])
  // Both are answered while large ones of the business still wait.
  expect(answered.length).toBeLessThan(12)
  const told = await all
  // One is read and eight wait; more than that are refused for now.
  expect(told.filter(([status]) => status === 422)).toHaveLength(9)
  expect(told.filter(([status, hasRest]) => status === 503 && hasRest)).toHaveLength(3)
  expect(Math.max(...answered) - from).toBeGreaterThan(8 * 250)
}, 60_000)

test('an object of very many names is refused before it is copied', () => {
  const named = (length: number) => Object.fromEntries(Array.from({ length }, (_, n) => [`k${n}`, 1]))
  expect(() => cleanInput({ body: named(2001) })).toThrow()
  expect(cleanInput({ body: named(2000) })).toEqual({ body: named(2000) })
})

test('uploads are laid on the disk while they come, or are small', () => {
  for (const { name, upload, raw } of calls)
    if (raw) expect(raw.maxBytes, name).toBeLessThanOrEqual(2_097_152)
    else if (upload && !upload.toFile) expect(upload.maxBytes, name).toBeLessThanOrEqual(50 * 1024 * 1024)
  expect(calls.filter(({ upload }) => upload?.atOnce).map(({ name }) => name)).toContain('signing.verify')
  expect(calls.every((endpoint) => isReading(endpoint) || bodyLimitOf(endpoint) > 0)).toBe(true)
})
