import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usualBody } from '#kit/describe/endpoint.ts'
import { errorStatus } from '#kit/describe/errors.ts'
import { keyCalls } from '#kit/server/http/keys.ts'
import { root } from '#kit/server/settings.ts'
import { languages, wordsOf } from '#kit/server/words.ts'
import { makeKey } from '#features/open/apiKeys/endpoints.ts'
import { filledStep, firstSteps } from '#features/open/docs/firstSteps.ts'
import { sampleIds } from '#features/open/sandbox/samples.ts'
import { openSandbox } from '#features/open/sandbox/endpoints.ts'
import { implementations } from '../src/features.ts'
import { newBusiness, startWorld, type Business, type World } from './world.ts'

let world: World
let business: Business
let key: string
let customerId: string

beforeAll(async () => {
  world = await startWorld()
  business = await newBusiness(world)
  key = (await business.call(makeKey, { name: 'documentation' })).secret
  customerId = (
    await business.send('POST', '/api4/invoice/customers', { name: 'Shop', externalId: 'shop-88' })
  ).id
  await business.send('POST', '/api4/invoice/documents', {
    type: 8,
    customerId,
    clientKey: 'order-1001',
    lines: [{ description: 'x', unitPrice: '1' }],
  })
})
afterAll(() => world.close())

/** What integrators read besides the pages that are made from the contract. */
const files = [
  'clients/typescript/README.md',
  'clients/php/Pinkas.php',
  'docs/connectors/README.md',
  'docs/connectors/make.json',
  'docs/connectors/zapier.json',
]
const fileText = (file: string): string => readFileSync(join(root, file), 'utf8')
const topicTexts = languages.flatMap((language) =>
  Object.entries(wordsOf(language))
    .filter(([name]) => /^docs\.(topics|changes|jobs)\./.test(name))
    .map(([name, text]): [string, string] => [`${language} ${name}`, text]),
)
const texts: [string, string][] = [
  ...topicTexts,
  ...files.map((file): [string, string] => [file, fileText(file)]),
]

interface Named {
  where: string
  method: string
  url: string
}

/** Every call that a text names by its method and address. */
const named: Named[] = texts.flatMap(([where, text]) => [
  ...[...text.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (?:https?:\/\/[^/\s]+)?(\/api[^\s`'",;)]*)/g)].map(
    ([, method, url]) => ({ where, method: method!, url: url! }),
  ),
  ...[...text.matchAll(/"method": "(\w+)",\s*"url": "(?:\{\{server\}\}|https:\/\/[^/"]+)([^"]+)"/gi)].map(
    ([, method, url]) => ({ where, method: method!.toUpperCase(), url: url! }),
  ),
  ...[...text.matchAll(/->(get|post|put|patch|delete)\('(\/api[^']+)'/g)].map(([, method, url]) => ({
    where,
    method: method!.toUpperCase(),
    url: url!,
  })),
])

/** The calls of the contract, and the one address beside it. */
const isServed = ({ method, url }: Named): boolean => {
  const path = url
    .split('?')[0]!
    .replace(/\{\{[^}]*\}\}/g, 'x')
    .replace(/[.:]$/, '')
  if (`${method} ${path}` === 'POST /api/mcp') return true
  return implementations.some(
    ({ endpoint }) =>
      endpoint.method === method &&
      new RegExp(`^${endpoint.path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )
}

const ask = async (method: string, url: string, payload?: object) => {
  const answer = await world.http.inject({
    method: method as 'GET',
    url,
    headers: { authorization: `Bearer ${key}` },
    ...(payload ? { payload } : {}),
  })
  return { status: answer.statusCode, body: answer.json() }
}

describe('what integrators read', () => {
  test('names calls that are there', () => {
    expect(named.length).toBeGreaterThan(40)
    const gone = named.filter((one) => !isServed(one))
    expect(gone).toEqual([])
  })

  test('shows reads that answer', async () => {
    const reads = new Set(
      named
        .filter(({ method }) => method === 'GET')
        .map(({ url }) => url.replace('{{externalId}}', 'shop-88').replace(/[.:]$/, ''))
        .filter((url) => !/[{}…]/.test(url)),
    )
    const refused: string[] = []
    for (const url of reads) {
      const { status, body } = await ask('GET', url)
      if (status !== 200) refused.push(`${url} ${status} ${body.code}`)
    }
    expect(refused).toEqual([])
  })

  test('shows queries that lists take', async () => {
    const queries = new Set(
      topicTexts.flatMap(([, text]) =>
        [...text.matchAll(/`((?:[\w.]+=[^`\s]*)(?:&[\w.]+=[^`\s]*)*)`/g)].map(([, query]) => query!),
      ),
    )
    expect(queries.size).toBeGreaterThan(6)
    const refused: string[] = []
    for (const query of queries) {
      const url = query.replaceAll('…', customerId)
      const answers = await Promise.all(
        ['customers', 'documents'].map((list) => ask('GET', `/api4/invoice/${list}?${url}`)),
      )
      if (!answers.some(({ status }) => status === 200)) refused.push(`${query} ${answers[0]!.body.code}`)
    }
    expect(refused).toEqual([])
  })

  test('names codes that refusals have', () => {
    const spaces = new Set(Object.keys(errorStatus).map((code) => code.split('.')[0]!))
    const calls = new Set(implementations.map(({ endpoint }) => endpoint.name))
    const unknown = topicTexts.flatMap(([where, text]) =>
      [...text.matchAll(/`([a-z]\w*\.[a-z]\w*)`/g)]
        .map(([, code]) => code!)
        .filter(
          (code) =>
            (spaces.has(code.split('.')[0]!) || code.startsWith('fields.')) &&
            errorStatus[code] === undefined &&
            !calls.has(code) &&
            !wordsOf('en')[`errors.${code}`],
        )
        .map((code) => `${where}: ${code}`),
    )
    expect(unknown).toEqual([])
  })

  test('says how much a body may hold, and how many calls a key has, as it is', () => {
    for (const language of languages)
      for (const figure of [usualBody.other / 1024, ...Object.values(keyCalls)])
        expect(wordsOf(language)['docs.topics.limits.text']).toContain(String(figure))
  })
})

describe('the way from a key to a sealed PDF', () => {
  test('works as the page says, from a test business that was just opened', async () => {
    const owner = await newBusiness(world)
    const { secret } = await owner.call(openSandbox, {})
    const kept: Record<string, string> = {}
    const call = (method: string, url: string, payload?: object, token = secret) =>
      world.http.inject({
        method: method as 'GET',
        url,
        headers: { 'x-access-token': token },
        ...(payload ? { payload } : {}),
      })
    const names = new Set(implementations.map(({ endpoint }) => endpoint.name))
    for (const step of firstSteps) {
      expect(names.has(step.call)).toBe(true)
      for (const language of languages) expect(wordsOf(language)[`docs.first.${step.key}`]).toBeTruthy()
      const { method, path, body } = filledStep(step, kept)
      expect(`${path} ${JSON.stringify(body)}`).not.toContain('<')
      const answer = await call(method, path, body)
      expect([step.key, answer.statusCode]).toEqual([step.key, step.key === 'issue' ? 201 : 200])
      for (const [name, at] of Object.entries(step.keeps ?? {}))
        kept[name] = String(at.split('.').reduce((value: any, part) => value[part], answer.json() as unknown))
      if (step.key === 'paper') {
        expect(answer.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
        expect(answer.rawPayload.includes('/ByteRange')).toBe(true)
      }
      if (step.key === 'told')
        expect(answer.json().rows).toMatchObject([{ name: 'document.issued', state: 'waiting' }])
    }
    // Emptied, the business has the same ids again.
    await call('POST', '/api4/invoice/sandbox/empty', {})
    for (const [entity, ids] of Object.entries(sampleIds))
      for (const id of ids)
        expect([id, (await call('GET', `/api4/invoice/references/${entity}/${id}`)).statusCode]).toEqual([
          id,
          200,
        ])
  })
})

describe('the code of the clients’ pages', () => {
  test('the first call of the typed client makes a document, and makes it once', async () => {
    const [, body] = /pinkas\.call\('documents\.create', \{\s*body: (\{[\s\S]*?\n {2}\}),\n\}\)/.exec(
      fileText('clients/typescript/README.md'),
    )!
    // The text is an object of JavaScript in our own file.
    const sent = new Function(`return (${body})`)() as object
    const [first, again] = [
      await ask('POST', '/api4/invoice/documents', sent),
      await ask('POST', '/api4/invoice/documents', sent),
    ]
    expect([first.status, first.body.status, again.body.id]).toEqual([201, 'closed', first.body.id])
  })

  test('the scenario for Make makes a document', async () => {
    const { flow } = JSON.parse(fileText('docs/connectors/make.json')) as {
      flow: { mapper: { data?: string; url?: string } }[]
    }
    const { data, url } = flow.find(({ mapper }) => mapper.data)!.mapper
    const filled = data!
      .replace('{{1.orderId}}', 'make-1')
      .replace('{{1.name}}', 'Dana')
      .replace('{{1.title}}', 'Chair')
      .replace('{{1.price}}', '100')
      .replace('{{1.agorot}}', '11800')
    const { status, body } = await ask('POST', new URL(url!).pathname, JSON.parse(filled) as object)
    expect([status, body.number]).toEqual([201, expect.any(Number)])
  })

  test('the app for Zapier connects, subscribes and unsubscribes', async () => {
    const { authentication, triggers } = JSON.parse(fileText('docs/connectors/zapier.json')) as {
      authentication: { test: { url: string }; connectionLabel: string }
      triggers: { documentIssued: Record<'subscribe' | 'unsubscribe', { url: string; body?: object }> }
    }
    const path = (url: string) => url.replace('{{server}}', '')
    const connected = await ask('GET', path(authentication.test.url))
    expect([connected.status, typeof connected.body.name]).toEqual([200, 'string'])
    const { subscribe, unsubscribe } = triggers.documentIssued
    const made = await ask('POST', path(subscribe.url), {
      ...subscribe.body,
      url: 'https://hooks.zapier.com/hooks/1',
    })
    expect(made.status).toBe(200)
    const ended = await ask(
      'DELETE',
      path(unsubscribe.url).replace('{{bundle.subscribeData.webhook.id}}', made.body.webhook.id),
    )
    expect(ended.status).toBe(200)
  })
})
