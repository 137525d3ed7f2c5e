import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDocument } from '#features/sales/documents/endpoints.ts'
import { uploadImport } from '#features/registers/imports/endpoints.ts'
import { uploadOutside } from '#features/people/outside/endpoints.ts'
import type { Endpoint } from '#kit/describe/endpoint.ts'
import { allImplementations } from '#kit/server/contract/implement.ts'
import { draws, likely, shapeOf } from './hostile/inputs.ts'
import { threadTime } from './hostile/mainThread.ts'
import { newBusiness, raw, startWorld, type Business, type World } from './world.ts'

/**
 * Every call is given what nobody means, among what may well be right: whatever comes, it answers or refuses
 * with words, soon. FUZZ= says how many rounds over all calls (more find more), SEED= with which draws.
 */
const rounds = Number(process.env.FUZZ ?? 4)
const firstSeed = Number(process.env.SEED ?? 1)

/**
 * They end the session or the business that the walk works with, or open another one with a year of papers.
 */
const ends = new Set([
  'demo.open',
  'demo.openDealer',
  'demo.openOffice',
  'session.logout',
  'session.end',
  'session.endAll',
  'companies.close',
  'session.changePassword',
])

let world: World
let me: Business
const ids: string[] = []

beforeAll(async () => {
  world = await startWorld()
  me = await newBusiness(world)
  const customer = await me.customer('כהן')
  const supplier = await me.send('POST', '/api4/invoice/suppliers', { name: 'ספק' })
  const item = await me.send('POST', '/api4/invoice/items', { name: 'שעה', price: '100' })
  const invoice = await me.invoice(customer.id, '100')
  const draft = await me.call(createDocument, {
    type: 8,
    customerId: customer.id,
    lines: [{ description: 'x', unitPrice: '1' }],
    draft: true,
  })
  const receipt = await me.call(createDocument, {
    type: 6,
    customerId: customer.id,
    payments: [{ means: 2, amountAgorot: 100, bank: '12', branch: '600', account: '123456', number: '1' }],
  })
  const kinds = (await me.get('/api4/invoice/expensetypes?size=100')).rows as { id: string }[]
  const expense = await me.send('POST', '/api4/invoice/expenses', {
    supplierId: supplier.id,
    means: 'bank',
    lines: [{ typeId: kinds[0]!.id, netAgorot: 100 }],
  })
  const account = (await me.get('/api5/invoicecpa/accounts?size=10')).rows[0].id as string
  const brought = await me.call(uploadImport, {
    resource: 'customers',
    name: 'a.csv',
    check: 'true',
    bytes: Buffer.from('name\nלוי'),
  })
  const outside = await me.call(uploadOutside, {
    name: 'x.pdf',
    bytes: readFileSync(new URL('./papers/samples/classic-2.pdf', import.meta.url)),
  })
  ids.push(
    customer.id,
    supplier.id,
    item.id,
    invoice.id,
    draft.id,
    receipt.id,
    receipt.payments[0]!.id,
    kinds[0]!.id,
    expense.id,
    account,
  )
  ids.push(brought.id, outside.id, '01900000-0000-7000-8000-000000000000')
}, 120_000)
afterAll(() => world.close())

test(
  'no call breaks, whatever it is given',
  async () => {
    const calls = allImplementations()
      .map(({ endpoint }) => endpoint)
      .filter(({ name }) => !ends.has(name))
      .map((endpoint) => ({ endpoint, shape: shapeOf(endpoint) }))
    const wrong: Record<string, { times: number; example: string }> = {}
    const seen: Record<number, number> = {}
    const complain = (what: string, example: () => string) => {
      const one = (wrong[what] ??= { times: 0, example: example() })
      one.times++
    }
    for (let round = 0; round < rounds; round++)
      for (const [at, { endpoint, shape }] of calls.entries()) {
        const d = draws((firstSeed + round) * 100_003 + at)
        const input = likely(
          { ...shape, ...(endpoint.upload ? withoutBytes(shape) : {}) },
          '',
          d,
          ids,
          0,
        ) as Record<string, unknown>
        const hostile = likely(
          shape,
          '',
          draws((firstSeed + round) * 100_003 + at),
          ids,
          [0.05, 0.15, 0.4][round % 3]!,
        )
        const given = {
          ...input,
          ...(typeof hostile === 'object' && hostile !== null && !Array.isArray(hostile) ? hostile : {}),
        }
        if (endpoint.upload)
          given.bytes = d.of([
            Buffer.alloc(0),
            Buffer.from('a,b\n1,2\n'),
            Buffer.from([0, 255, 254]),
            Buffer.from('%PDF-1.4'),
          ])
        const from = threadTime()
        const answer = await ask(endpoint, given)
        const ms = threadTime() - from
        seen[answer.statusCode] = (seen[answer.statusCode] ?? 0) + 1
        const example = () => `round ${round}: ${shown(given)} → ${answer.body.slice(-150)}`
        if (answer.statusCode >= 500) complain(`${endpoint.name} answers ${answer.statusCode}`, example)
        else if (
          answer.statusCode >= 400 &&
          !String(answer.headers['content-type']).startsWith('application/problem+json')
        )
          complain(`${endpoint.name} refuses without words`, example)
        if (ms > 1500) complain(`${endpoint.name} takes ${Math.round(ms)} ms of the processor`, example)
      }
    // Much of what is asked has to get past the door, or the walk would look at nothing but it.
    expect(seen[401] ?? 0).toBe(0)
    expect(seen[200] ?? 0).toBeGreaterThan(calls.length * rounds * 0.1)
    expect(
      Object.entries(wrong).map(([what, { times, example }]) => `${what} (${times}): ${example}`),
    ).toEqual([])
  },
  30_000 + rounds * 60_000,
)

test('no text is looked up among what every object has', async () => {
  const wrong: string[] = []
  for (const { endpoint } of allImplementations()) {
    if (ends.has(endpoint.name) || endpoint.upload) continue
    const shape = shapeOf(endpoint)
    const texts = Object.entries(shape.properties ?? {}).flatMap(([name, { type, enum: choices, format }]) =>
      type === 'string' && !choices && !format ? [name] : [],
    )
    if (texts.length === 0) continue
    for (const word of ['valueOf', 'constructor', '__proto__']) {
      const input = likely(shape, '', draws(1), ids, 0) as Record<string, unknown>
      const given = { ...input, ...Object.fromEntries(texts.map((name) => [name, word])) }
      const answer = await ask(endpoint, given)
      if (answer.statusCode >= 500)
        wrong.push(`${endpoint.name} ${word} → ${answer.statusCode} ${shown(given)}`)
    }
  }
  expect(wrong).toEqual([])
}, 300_000)

const withoutBytes = (shape: ReturnType<typeof shapeOf>) => ({
  required: (shape.required ?? []).filter((name) => name !== 'bytes'),
})

const shown = (given: Record<string, unknown>): string => {
  const short = (text: string, most: number) =>
    text.length > most ? `${text.slice(0, most)}…(${text.length})` : text
  const parts = Object.entries(given).map(
    ([name, value]) => `${name}: ${short(JSON.stringify(value) ?? '', 100)}`,
  )
  return short(parts.join(', '), 600)
}

/** The call as it is; what cannot stand in an address (half a sign) is asked without. */
async function ask(endpoint: Endpoint, given: Record<string, unknown>) {
  const input = { ...given }
  const inAddress = endpoint.method === 'GET' || endpoint.method === 'DELETE' || endpoint.upload !== undefined
  for (const [name, value] of Object.entries(input))
    if (inAddress || endpoint.path.includes(`{${name}}`)) {
      if (name === 'bytes') continue
      // As an address carries it.
      input[name] = (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
        .slice(0, 4000)
        .toWellFormed()
    }
  for (const [, name] of endpoint.path.matchAll(/\{(\w+)\}/g)) input[name!] ||= ids[0]
  return raw(world, endpoint, input, { token: me.token })
}

test('no list is sorted or filtered by what every object has', async () => {
  const lists = allImplementations().filter(
    ({ endpoint }) => /\.(list|export)$/.test(endpoint.name) && endpoint.method === 'GET',
  )
  expect(lists.length).toBeGreaterThan(40)
  for (const { endpoint } of lists)
    for (const name of ['toString', 'constructor', 'hasOwnProperty', '__proto__'])
      for (const query of [`sort=${name}`, `sort=-${name}`, `${name}=1`, `${name}.gte=1`]) {
        const url = `${endpoint.path.replace(/\{\w+\}/g, ids[0]!)}?${query}`
        const { statusCode } = await world.http.inject({
          method: 'GET',
          url,
          headers: { 'x-access-token': me.token },
        })
        // A list with an input of its own may not know the word at all.
        expect([url, statusCode < 500]).toEqual([url, true])
      }
  for (const query of ['sort=toString', 'toString.gte=1'])
    await expect(me.get(`/api4/invoice/customers?${query}`)).rejects.toMatchObject({ status: 422 })
}, 120_000)

test('what nobody can see is taken out of every text, wherever it stands', async () => {
  // Where the walk has not been: it may have created a custom field that every customer needs.
  const me = await newBusiness(world)
  const given = { name: 'לוי\u0000 \u202eובניו\ud800', notes: 'א\u0007\nב\tג' }
  const made = await me.send('POST', '/api4/invoice/customers', given)
  expect(made).toMatchObject({ name: 'לוי ובניו', notes: 'א\nב\tג' })
  const paper = await me.invoice(made.id, '1', { notes: 'תודה\u0000!\ud800', subject: 'a\u0001b' })
  expect(await me.get(`/api4/invoice/documents/${paper.id}`)).toMatchObject({ notes: 'תודה!', subject: 'ab' })
  expect(
    (await me.get(`/api4/invoice/customers?q=${encodeURIComponent('לוי\u0000 ובניו')}`)).rows,
  ).toHaveLength(1)
  await expect(me.get('/api4/invoice/customers/%00')).rejects.toMatchObject({ status: 422 })
})

test('cursors, days and depths beyond reason are refused at their field', async () => {
  const field = (path: string) => ({ status: 422, errors: [expect.objectContaining({ path })] })
  for (const cursor of [
    'x',
    '|',
    '2026-13-99T00:00:00Z|01900000-0000-7000-8000-000000000000',
    '9999999-01-01T00:00:00Z|x',
  ])
    await expect(
      me.get(`/api4/invoice/audit?cursor=${encodeURIComponent(cursor)}`),
      cursor,
    ).rejects.toMatchObject(field('cursor'))
  await expect(me.invoice(ids[0]!, '1', { date: '9999-12-31' })).rejects.toMatchObject(field('date'))
  await expect(me.get('/api5/invoicecpa/periods/check?kind=year&from=9999-12-31')).rejects.toMatchObject(
    field('from'),
  )
  const deep = await world.http.inject({
    method: 'POST',
    url: '/api4/invoice/customers',
    headers: { 'x-access-token': me.token, 'content-type': 'application/json' },
    payload: `{"name":"x","tags":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  })
  expect({ status: deep.statusCode, ...deep.json() }).toMatchObject({
    status: 422,
    errors: [{ path: 'tags', code: 'fields.tooDeep' }],
  })
})
