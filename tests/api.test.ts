import SwaggerParser from '@apidevtools/swagger-parser'
import { Validator } from '@seriousme/openapi-schema-validator'
import { brotliCompressSync, constants } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allAreas } from '#kit/describe/area.ts'
import { isForKeys, type Endpoint } from '#kit/describe/endpoint.ts'
import { errorStatus } from '#kit/describe/errors.ts'
import { allEvents } from '#kit/describe/event.ts'
import { contract, documentText } from '#kit/server/openapi/contract.ts'
import { exampleFor } from '#kit/server/openapi/examples.ts'
import { errorsOf, type ApiDocument, type Operation, type Parameter } from '#kit/server/openapi/document.ts'
import { tables } from '#kit/server/openapi/meanings.ts'
import { madeBy } from '#kit/server/contract/made.ts'
import { namesApart, resolved, singular, type JsonSchema } from '#kit/server/openapi/schemas.ts'
import { implementations } from '../src/features.ts'
import { docsCall, docsErrors, docsMenu } from '#features/open/docs/endpoints.ts'
import { makeKey } from '#features/open/apiKeys/endpoints.ts'
import { exampleWith, smallWorld, type Ids } from './examples.ts'
import { callAs, newBusiness, raw, startWorld, type Business, type World } from './world.ts'

/** Everything there is, one after the other: on a machine that does other things too it takes its time. */
const patienceMs = 300_000

let world: World
let me: Business
/** With the calls of people and of pages with a key, so that these keep the same rules. */
const documents = {} as Record<'en' | 'he' | 'fr', ApiDocument>
/** What `/api/openapi.json` answers: what programs can call. */
let ofPrograms: ApiDocument

beforeAll(async () => {
  world = await startWorld()
  me = await newBusiness(world)
  for (const language of ['en', 'he', 'fr'] as const)
    documents[language] = JSON.parse(await documentText(language, 'all')) as ApiDocument
  ofPrograms = JSON.parse(await documentText('en')) as ApiDocument
}, patienceMs)
afterAll(() => world.close())

const operations = (document: ApiDocument): Operation[] =>
  Object.values(document.paths).flatMap((path) => Object.values(path))

/** Fields nobody described: an answer says what a field means once, at the first record that has it. */
function undescribed(document: ApiDocument): string[] {
  const { schemas, parameters } = document.components
  const found: { name: string; at: string }[] = []
  const described = new Set<string>()
  const walk = (schema: JsonSchema, at: string): void => {
    for (const [name, inner] of Object.entries(schema.properties ?? {})) {
      if (inner.description ?? resolved(inner, schemas).description) described.add(name)
      else found.push({ name, at: `${at}.${name}` })
      if (!inner.$ref) walk(inner, `${at}.${name}`)
    }
    for (const inner of [
      schema.items,
      ...(schema.anyOf ?? []),
      ...(schema.oneOf ?? []),
      ...(schema.allOf ?? []),
      ...(schema.prefixItems ?? []),
    ])
      if (inner && !inner.$ref) walk(inner, at)
    if (typeof schema.additionalProperties === 'object') walk(schema.additionalProperties, at)
  }
  for (const [name, schema] of Object.entries(schemas)) walk(schema, name)
  const all = [
    ...Object.values(parameters),
    ...operations(document).flatMap(({ parameters: own = [] }) => own),
  ].filter((one) => !('$ref' in one)) as Parameter[]
  // A name that says it all is its own description.
  const isPlain = (name: string) => /^[a-z][a-zA-Z\d]*$/.test(name)
  return [
    ...found.filter(({ name }) => !described.has(name) && !isPlain(name)).map(({ at }) => at),
    ...all
      .filter(({ description, name }) => !description && !isPlain(name))
      .map(({ name }) => `parameter ${name}`),
  ]
}

describe('the OpenAPI document', () => {
  test('is taken by two validators', async () => {
    const { valid, errors } = await new Validator().validate(
      JSON.parse(JSON.stringify(documents.en)) as Record<string, unknown>,
    )
    expect([valid, errors ?? []]).toEqual([true, []])
    await SwaggerParser.validate(
      JSON.parse(JSON.stringify(documents.en)) as Parameters<typeof SwaggerParser.validate>[0],
    )
  })

  test.each(['en', 'he', 'fr'] as const)(
    'says of every call what it is and what it is for, and of every field what it means (%s)',
    (language) => {
      const document = documents[language]
      for (const { operationId, summary, description, tags } of operations(document))
        expect([operationId, summary.length > 3, description.length > 10, tags.length]).toEqual([
          operationId,
          true,
          true,
          1,
        ])
      expect(undescribed(document)).toEqual([])
      for (const { name, description } of document.tags)
        expect([name, description.length > 1]).toEqual([name, true])
    },
  )

  test('says every call in Hebrew too, and every line of its tables is of use', () => {
    const { calls, fields } = tables()
    const english = new Map(operations(documents.en).map((one) => [one.operationId, one.summary]))
    const inEnglish = operations(documents.he).filter(({ summary }) => !/[א-ת]/.test(summary))
    expect(inEnglish.map(({ operationId }) => operationId)).toEqual([])
    const names = new Set([...english.keys(), ...operations(documents.en).flatMap(({ tags }) => tags)])
    expect([...calls.keys()].filter((name) => !names.has(name))).toEqual([])
    const text = JSON.stringify(documents.en)
    // A name alone, or after a tag or a schema; it may contain dots.
    const isThere = (name: string): boolean =>
      text.includes(`"${name}"`) || (name.includes('.') && isThere(name.slice(name.indexOf('.') + 1)))
    expect([...fields.keys()].filter((name) => !isThere(name))).toEqual([])
  })

  test('names its schemas, and the refusals of each call', () => {
    const { schemas, 'x-errors': known } = documents.en.components
    for (const { operationId, requestBody, 'x-errors': codes = [] } of operations(documents.en)) {
      const body = requestBody?.content['application/json']?.schema
      if (body) expect([operationId, typeof body.$ref]).toEqual([operationId, 'string'])
      for (const code of codes)
        expect([operationId, code, known[code] !== undefined || code.startsWith('fields.')]).toEqual([
          operationId,
          code,
          true,
        ])
    }
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining([
        'Customer',
        'Expense',
        'CustomerAddress',
        'CustomerPage',
        'CustomerCreate',
        'Document',
        'DocumentCreate',
        'Problem',
      ]),
    )
    const remedies = documents.en.components['x-remedies']
    for (const { status, title, remedy = remedies[status]! } of Object.values(known))
      expect([status >= 400, title.length > 3, remedy.length > 10]).toEqual([true, true, true])
    expect(Object.keys(known).toSorted()).toEqual(Object.keys(errorStatus).toSorted())
  })

  test('keeps the rules of linters', () => {
    const document = documents.en
    const said = [
      ...operations(document).map(({ operationId }) => operationId),
      ...Object.values(document.webhooks).map(({ post }) => post.operationId),
    ]
    expect(said).toEqual([...new Set(said)])
    // Two paths that differ in nothing but the name of a part are one to a program.
    const shapes = Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/g, '{}'))
    expect(shapes.filter((shape, at) => shapes.indexOf(shape) < at)).toEqual([])
    const inPath = (one: Parameter | { $ref: string }): Parameter =>
      '$ref' in one ? document.components.parameters[one.$ref.split('/').at(-1)!]! : one
    for (const [path, methods] of Object.entries(document.paths))
      for (const { operationId, parameters = [], responses } of Object.values(methods)) {
        const parts = parameters.map(inPath).filter((one) => one.in === 'path')
        expect([operationId, parts.map(({ name }) => name).toSorted()]).toEqual([
          operationId,
          [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).toSorted(),
        ])
        expect([operationId, parts.every(({ required }) => required)]).toEqual([operationId, true])
        const keys = parameters.map(inPath).map(({ name, in: where }) => `${where} ${name}`)
        expect([operationId, keys]).toEqual([operationId, [...new Set(keys)]])
        expect([operationId, Object.keys(responses)]).toEqual([
          operationId,
          expect.arrayContaining([responses['200'] ? '200' : '201', '422', 'default']),
        ])
      }
    expect(document.info).toMatchObject({ license: { identifier: 'MIT' }, contact: { name: 'Pinkas' } })
    expect(Object.keys(document.webhooks).toSorted()).toEqual([...allEvents().keys()].toSorted())
    const text = JSON.stringify(document)
    const used = new Set([...text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, name]) => name!))
    const there = new Set(
      (['schemas', 'parameters', 'responses', 'headers', 'requestBodies'] as const).flatMap((kind) =>
        Object.keys(document.components[kind]).map((name) => `${kind}/${name}`),
      ),
    )
    expect([...used].filter((name) => !there.has(name))).toEqual([])
    expect([...there].filter((name) => !used.has(name))).toEqual([])
  })

  test('offers programs what a key can call, and is whole on request', async () => {
    const names = (document: ApiDocument) => operations(document).map(({ operationId }) => operationId)
    const wanted = contract()
      .endpoints.filter((one) => isForKeys(one) && one.access !== 'key')
      .map(({ name }) => name)
    expect(
      names(ofPrograms)
        .filter((name) => !name.startsWith('server.'))
        .toSorted(),
    ).toEqual(wanted.toSorted())
    const ask = (query: string) => world.http.inject({ url: `/api/openapi.json${query}` })
    expect(names((await ask('')).json())).toEqual(names(ofPrograms))
    expect(names((await ask('?calls=all')).json())).toEqual(names(documents.en))
    expect((await ask('?calls=some')).json().errors[0].path).toBe('calls')
  })

  test('an address that was moved answers where it was, and says where it is', async () => {
    const moved = implementations.map(({ endpoint }) => endpoint).filter(({ former }) => former)
    expect(moved.length).toBeGreaterThan(3)
    for (const { name, method, former } of moved) {
      const { path, since, until } = former!
      expect(Date.parse(until) - Date.parse(since)).toBeGreaterThanOrEqual(365 * 86_400_000)
      const answer = await world.http.inject({
        method,
        url: path.replace(/\{\w+\}/g, crypto.randomUUID()),
        headers: { 'x-access-token': me.token },
      })
      expect([name, answer.headers.sunset, answer.headers.link]).toEqual([
        name,
        expect.stringContaining('GMT'),
        expect.stringContaining(`call=${name}>`),
      ])
      expect(documents.en.paths[path]).toBeUndefined()
    }
  })

  test('two addresses that look alike are told apart by what their parts hold', () => {
    const document = documents.en
    const partOf = (path: string, name: string): JsonSchema => {
      const { parameters = [] } = Object.values(document.paths[path]!)[0]!
      const found = parameters
        .map((one) =>
          '$ref' in one ? document.components.parameters[one.$ref.split('/').at(-1)!]! : (one as Parameter),
        )
        .find((one) => one.in === 'path' && one.name === name)
      return resolved(found?.schema ?? {}, document.components.schemas)
    }
    /** Whether a part of an address may hold a word. */
    const holds = ({ format, pattern, enum: choices }: JsonSchema, word: string): boolean =>
      format === 'uuid'
        ? /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(word)
        : choices
          ? choices.includes(word)
          : pattern
            ? new RegExp(pattern).test(word)
            : true
    const paths = Object.keys(document.paths).map((path) => ({ path, parts: path.split('/') }))
    const nameIn = (part: string) => /^\{(\w+)\}$/.exec(part)?.[1]
    const alike: string[] = []
    let pairs = 0
    for (const [at, one] of paths.entries())
      for (const other of paths.slice(at + 1)) {
        if (one.parts.length !== other.parts.length) continue
        const differing = one.parts
          .map((part, n) => [part, other.parts[n]!] as const)
          .filter(([mine, yours]) => mine !== yours)
        if (!differing.every(([mine, yours]) => mine.includes('{') || yours.includes('{'))) continue
        // Where only one of them has fixed words the specification prefers it.
        const fixed = differing.map(([mine, yours]) => [!nameIn(mine), !nameIn(yours)])
        if (!fixed.some(([mine]) => mine) || !fixed.some(([, yours]) => yours)) continue
        pairs++
        const isDecided = differing.some(([mine, yours]) =>
          nameIn(mine)
            ? !holds(partOf(one.path, nameIn(mine)!), yours)
            : !holds(partOf(other.path, nameIn(yours)!), mine),
        )
        if (!isDecided) alike.push(`${one.path} ${other.path}`)
      }
    expect(pairs).toBeGreaterThan(20)
    expect(alike).toEqual([])
  })

  test('gives every generator names that stay apart, whatever it makes of case and dots', () => {
    const plain = (name: string) => name.replace(/\W/g, '').toLowerCase()
    const twins = (names: string[]) => names.map(plain).filter((name, at, all) => all.indexOf(name) < at)
    const { schemas, parameters, responses } = documents.en.components
    expect(twins(operations(documents.en).map(({ operationId }) => operationId))).toEqual([])
    expect(twins([...Object.keys(schemas), ...Object.keys(responses)])).toEqual([])
    expect(twins(Object.keys(parameters))).toEqual([])
  })

  test('gives no field the name of another one after its schema', () => {
    expect([...namesApart(documents.en.components.schemas).keys()]).toEqual([])
    expect([...namesApart(ofPrograms.components.schemas).keys()]).toEqual([])
  })

  test('is read by tags: a part is a complete document, with all it points at and nothing else', async () => {
    const ask = (query: string) => world.http.inject({ url: `/api/openapi.json?${query}` })
    const part = JSON.parse((await ask('tag=documents,customers')).body) as ApiDocument
    const { valid, errors } = await new Validator().validate(
      JSON.parse(JSON.stringify(part)) as Record<string, unknown>,
    )
    expect([valid, errors ?? []]).toEqual([true, []])
    expect(new Set(operations(part).flatMap(({ tags }) => tags))).toEqual(new Set(['documents', 'customers']))
    expect(JSON.stringify(part).length).toBeLessThan(300_000)
    const all = await Promise.all(
      documents.en.tags.map(async ({ name }) => (await ask(`tag=${name}`)).json<ApiDocument>()),
    )
    expect(
      all
        .flatMap(operations)
        .map(({ operationId }) => operationId)
        .toSorted(),
    ).toEqual(
      operations(documents.en)
        .map(({ operationId }) => operationId)
        .toSorted(),
    )
    const refused = await ask('tag=documents,nothing')
    expect([refused.statusCode, refused.json().errors[0].path]).toEqual([422, 'tag'])
  })

  test('a call that will end says since when, until when and what takes its place, with refusals too', async () => {
    const ending = implementations.map(({ endpoint }) => endpoint).filter(({ deprecated }) => deprecated)
    expect(ending.length).toBeGreaterThan(0)
    const names = new Set(implementations.map(({ endpoint }) => endpoint.name))
    for (const endpoint of ending) {
      const { since, until, instead } = endpoint.deprecated!
      expect(names.has(instead)).toBe(true)
      expect(Date.parse(until) - Date.parse(since)).toBeGreaterThanOrEqual(365 * 86_400_000)
      const shop = await newBusiness(world)
      for (const token of ['nobody', shop.token]) {
        const { headers } = await raw(world, endpoint, { key: 'x' }, { token })
        expect(headers).toMatchObject({
          deprecation: `@${Date.parse(since) / 1000}`,
          sunset: expect.stringContaining('GMT'),
          link: expect.stringContaining(`call=${instead}>; rel="successor-version"`),
        })
      }
      const operation = operations(documents.en).find(({ operationId }) => operationId === endpoint.name)!
      expect(operation.deprecated).toBe(true)
      expect(JSON.stringify(operation.responses)).toContain('#/components/headers/Sunset')
    }
  })

  test('says what each value is: whole agorot, and what lists hold', () => {
    const wrong: string[] = []
    const typesOf = ({ type, anyOf = [] }: JsonSchema): string[] => [
      ...(type === undefined ? [] : [type].flat()),
      ...anyOf.flatMap(typesOf),
    ]
    const walk = (schema: JsonSchema, at: string): void => {
      if (typesOf(schema).includes('array') && !schema.anyOf && !schema.items && !schema.prefixItems)
        wrong.push(`${at} holds something`)
      for (const [name, inner] of Object.entries(schema.properties ?? {})) {
        if (/(^a|A)gorot$|Bp$/.test(name) && typesOf(inner).includes('number'))
          wrong.push(`${at}.${name} is a number`)
        if (/^(created|updated|archived|issued)At$/.test(name) && typesOf(inner).includes('number'))
          wrong.push(`${at}.${name} is a number`)
        walk(inner, `${at}.${name}`)
      }
      for (const inner of [
        schema.items,
        ...(schema.anyOf ?? []),
        ...(schema.oneOf ?? []),
        ...(schema.allOf ?? []),
        ...(schema.prefixItems ?? []),
      ])
        if (inner) walk(inner, at)
    }
    for (const [name, schema] of Object.entries(documents.en.components.schemas)) walk(schema, name)
    expect(wrong).toEqual([])
  })

  test(
    'travels small and is kept',
    async () => {
      const answer = await world.http.inject({
        method: 'GET',
        url: '/api/openapi.json',
        headers: { 'accept-encoding': 'br' },
      })
      expect(answer.headers['content-encoding']).toBe('br')
      // It grows by some hundred and fifty bytes a call.
      expect(answer.rawPayload.length).toBeLessThan(226_000)
      const text = JSON.stringify(ofPrograms)
      // No schema is named for its place, and nothing is described twice.
      const { schemas } = ofPrograms.components
      expect(Object.keys(schemas).filter((name) => /\d$/.test(name))).toEqual([])
      expect(text.length).toBeLessThan(2_000_000)
      if (process.env.SHOW)
        console.log(
          'document',
          text.length,
          'best',
          brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length,
          'sent',
          answer.rawPayload.length,
        )
      expect(
        (await world.http.inject({ method: 'GET', url: '/api/openapi.json?language=he' })).body,
      ).toContain('הסכום')
    },
    patienceMs,
  )
})

describe('the pages of the documentation', () => {
  test(
    'hold every call of the contract, and each of them opens in every language',
    async () => {
      const { groups } = await callAs(world, docsMenu, {})
      const listed = groups.flatMap(({ tags }) => tags.flatMap(({ calls }) => calls.map(({ name }) => name)))
      expect(listed.toSorted()).toEqual(
        contract()
          .endpoints.map(({ name }) => name)
          .toSorted(),
      )
      for (const name of listed) {
        const page = await callAs(world, docsCall, { name })
        expect([name, page.summary.length > 2, page.errors.length > 3]).toEqual([name, true, true])
        expect([name, page.takes.filter(({ meaning }) => !meaning).map(({ path }) => path)]).toEqual([
          name,
          [],
        ])
        // "One of" names something to choose from.
        expect([
          name,
          [...page.takes, ...page.gives]
            .filter(({ kind, of, choices }) => (kind === 'choice' || of === 'choice') && !choices)
            .map(({ path }) => path),
        ]).toEqual([name, []])
        expect([
          name,
          page.gives.filter(({ meaning, path }) => !meaning && !path.includes('*')).map(({ path }) => path),
        ]).toEqual([name, []])
      }
      // Numbers of lists are said in words beside them, in the language that is read; where the meaning names
      // them it is not said twice.
      const said = async (call: string, path: string, language = 'en') =>
        (
          await world.http.inject({
            method: 'GET',
            url: `/api/docs/calls/${call}`,
            headers: { 'x-language': language },
          })
        )
          .json()
          .takes.find((field: { path: string }) => field.path === path)?.names
      expect(await said('standingOrders.create', 'lines[].vatKind', 'he')).toEqual({
        1: 'לפני מע״מ',
        2: 'כולל מע״מ',
        3: expect.any(String),
        4: 'ללא מע״מ',
      })
      expect(await said('committee.pay', 'payments[].means')).toMatchObject({
        1: 'Cash',
        4: expect.any(String),
      })
      expect(await said('documents.create', 'lines[].vatKind')).toBeUndefined()
      const arabic = await world.http.inject({
        method: 'GET',
        url: '/api/docs/calls/customers.create',
        headers: { 'x-language': 'ar' },
      })
      expect(arabic.json().summary).toMatch(/[\u0600-\u06ff]/)
      await expect(callAs(world, docsCall, { name: 'no.such' })).rejects.toMatchObject({ status: 404 })
      expect((await callAs(world, docsErrors, {})).rows.length).toBeGreaterThan(100)
    },
    patienceMs,
  )
})

/** These end what the others need: a session, a right, the business. */
const last =
  /^(session\.|companies\.(discard|switch|change)|demo\.|sandbox\.|workers\.|accountants\.|permissions\.|modules\.|periods\.|journal\.postOpening|vat\.file|uniform\.run)/

/** Its body depends on the acquirer that is chosen: no example stands for all. */
const dependsOn = new Set(['terminals.add'])
/** Lists tell the ids that others need, and what makes comes before what changes, ends or deletes. */
const turnOf = (endpoint: Endpoint): number => {
  const { name, method, path } = endpoint
  if (last.test(name)) return 5
  if (/\.(archive|delete|drop|remove|cancel|revoke|stop|end|close|leave|discard|empty)\w*$/.test(name))
    return 4
  if (method === 'GET') return path.includes('{') ? 2 : 0
  return name.endsWith('.create') ? 1 : 3
}

/** Keeps the id of a record that a call made or listed, for the calls of its group and the fields that name it. */
function idsOf({ name, file }: Endpoint, body: unknown): Ids {
  const [tag = '', verb = ''] = name.split('.')
  if (file || body === null || typeof body !== 'object') return {}
  const { id, rows } = body as { id?: unknown; rows?: { id?: unknown }[] }
  const found = verb === 'list' && Array.isArray(rows) ? rows[0]?.id : verb === 'create' ? id : undefined
  if (typeof found !== 'string') return {}
  const one = singular(tag)
  return { [tag]: found, [`${one.charAt(0).toLowerCase()}${one.slice(1)}Id`]: found }
}

/** The part of the examples that succeeds as it is in so small a world; the others need what is not there. */
const leastDone = 0.5

/** An example without what the door takes for the call. */
const marksAside = ({ marks }: Endpoint, example: Record<string, unknown>): Record<string, unknown> => {
  const { externalId: _, metadata: __, ...rest } = example
  return marks ? rest : example
}

describe('the examples', () => {
  test('are what their calls take, whatever the ids', () => {
    const wrong = implementations
      .map(({ endpoint }) => endpoint)
      .filter(({ upload, raw, name }) => !upload && !raw && !dependsOn.has(name))
      .flatMap((endpoint) => {
        const read = endpoint.input.safeParse(marksAside(endpoint, exampleFor(endpoint)))
        return read.success
          ? []
          : read.error.issues.map((issue) => `${endpoint.name} ${issue.path.join('.')} ${issue.message}`)
      })
    expect(wrong).toEqual([])
  })

  let ids: Ids
  beforeAll(async () => {
    ids = await smallWorld(me)
  })

  test(
    'are really sent: none is misunderstood, and whatever is refused is refused as the document says',
    async () => {
      const calls = implementations
        .filter(({ inside, endpoint }) => inside && !endpoint.upload && !endpoint.raw)
        .map(({ endpoint }) => endpoint)
        .toSorted((a, b) => turnOf(a) - turnOf(b))
      const wrong: string[] = []
      let understood = 0
      let done = 0
      let made = 0
      const makes = madeBy(implementations.map((one) => one.endpoint))
      const switched = JSON.stringify(Object.fromEntries(allAreas().map(({ name }) => [name, true])))
      await sql`update companies set areas_switched = ${switched}::jsonb`.execute(world.app.db.kysely)
      const learn = (endpoint: Endpoint, answer: { headers: object; body: string }) => {
        if (!String((answer.headers as Record<string, unknown>)['content-type']).includes('json')) return
        for (const [name, id] of Object.entries(idsOf(endpoint, JSON.parse(answer.body)))) ids[name] ??= id
      }
      const codes = new Map<string, number>()
      for (const endpoint of calls) {
        const answer = await raw(world, endpoint as Endpoint<any, any>, exampleWith(endpoint, ids), {
          token: me.token,
        })
        // Some examples end the session they are sent by.
        if (answer.statusCode !== 401 && !/^"session";r=\d+;t=\d+/.test(String(answer.headers.ratelimit)))
          wrong.push(`${endpoint.name} ${answer.headers.ratelimit}`)
        if (answer.statusCode === 401) me.token = (await newBusiness(world)).token
        if (answer.statusCode < 300) {
          done++
          understood++
          learn(endpoint, answer)
          // What was made is there, at the address that the answer names.
          const at = makes(endpoint)?.at(answer.json())
          const see = async () =>
            (await world.http.inject({ url: at, headers: { 'x-access-token': me.token } })).statusCode
          if (answer.statusCode !== (at === undefined ? 200 : 201) || answer.headers.location !== at)
            wrong.push(`${endpoint.name} ${answer.statusCode} ${answer.headers.location}`)
          else if (at !== undefined && (await see()) !== 200)
            wrong.push(`${endpoint.name} ${at} is not there`)
          if (at !== undefined) made++
          continue
        }
        const { code, errors = [] } = answer.json<{
          code: string
          errors?: { path: string; code: string }[]
        }>()
        const reason = `${answer.statusCode} ${code} ${errors.map((one) => one.code).join()}`
        codes.set(reason, (codes.get(reason) ?? 0) + 1)
        if (process.env.SHOW) console.log(`example ${endpoint.name} ${reason}`)
        const isMisunderstood =
          !dependsOn.has(endpoint.name) &&
          code === 'kit.badInput' &&
          errors.some((one) =>
            /^fields\.(need|unknown|text|number|flag|day|month|moment|decimal|money)$/.test(one.code),
          )
        if (isMisunderstood || !errorsOf(endpoint).includes(code))
          wrong.push(
            `${endpoint.name} ${answer.statusCode} ${code} ${errors.map((one) => `${one.path}:${one.code}`).join(' ')}`,
          )
        else understood++
      }
      if (process.env.SHOW)
        console.log(
          `examples: ${calls.length} sent, ${understood} understood, ${done} done, ${made} made`,
          [...codes].toSorted(([, a], [, b]) => b - a),
        )
      expect(wrong).toEqual([])
      expect(made).toBeGreaterThan(40)
      expect(done / calls.length).toBeGreaterThan(leastDone)
    },
    patienceMs,
  )
})

/** They make what no call reads by its id: their lists show it. */
const withoutAddress = new Set([
  'files.upload',
  'companies.add',
  'permissions.create',
  'fileShares.create',
  'boards.create',
  'expensesBackup.make',
  'customerPages.make',
  'cardRequests.make',
  'matches.create',
  'classBlocks.create',
  'outsideCalendars.add',
  'trainerPay.make',
  'uniform.make',
  'budget.copy',
  'reportShares.create',
  'reportPlans.create',
  'apiKeys.make',
  'webhooks.create',
  'shops.create',
  'shops.begin',
  'drive.begin',
  'drive.add',
  'bankFeeds.create',
  'requests.make',
  'practice.invite',
  'time.invite',
])

describe('the conventions', () => {
  test('every read refuses a name in its query that it does not know', { timeout: patienceMs }, async () => {
    const wrong: string[] = []
    const reads = implementations.filter(({ inside, endpoint }) => inside && endpoint.method === 'GET')
    expect(reads.length).toBeGreaterThan(300)
    for (const [at, { endpoint }] of reads.entries()) {
      if (at % 100 === 0) await sql`delete from throttles where key like 'key:%'`.execute(world.app.db.kysely)
      const url = `${endpoint.path.replace(/\{\w+\}/g, crypto.randomUUID())}?expnad=lines`
      const answer = await ask('GET', url)
      if ([401, 403].includes(answer.statusCode)) continue
      const said = answer.json<{ errors?: { path: string; code: string }[] }>().errors ?? []
      if (!said.some(({ path, code }) => path === 'expnad' && code === 'fields.unknown'))
        wrong.push(`${endpoint.name} ${answer.statusCode} ${JSON.stringify(said)}`)
    }
    await sql`delete from throttles where key like 'key:%'`.execute(world.app.db.kysely)
    expect(wrong).toEqual([])
  })

  test('a call that makes a record which can be read says 201, in the document too', async () => {
    const endpoints = implementations.map(({ endpoint }) => endpoint)
    const makes = madeBy(endpoints)
    const isMaker = ({ name, method, reads, file, access }: Endpoint) =>
      method === 'POST' &&
      !reads &&
      !file &&
      access !== 'open' &&
      access !== 'key' &&
      /\.(create|add|make|new|upload|copy|duplicate|convert|invite|begin|sell|bring)$/.test(name)
    const others = endpoints.filter((one) => isMaker(one) && !makes(one)).map(({ name }) => name)
    expect(others.toSorted()).toEqual([...withoutAddress].toSorted())
    const said = new Map(operations(documents.en).map((one) => [one.operationId, one]))
    for (const endpoint of endpoints) {
      const { responses } = said.get(endpoint.name)!
      expect([endpoint.name, '201' in responses]).toEqual([endpoint.name, makes(endpoint) !== undefined])
    }
    expect((await callAs(world, docsCall, { name: 'customers.create' })).description).toContain('201')
  })

  test('a repeat answers as the first call did; a key of the program that is known makes nothing', async () => {
    const headers = { 'x-access-token': me.token, 'idempotency-key': 'made-once' }
    const send = () =>
      world.http.inject({
        method: 'POST',
        url: '/api4/invoice/customers',
        headers,
        payload: { name: 'Once' },
      })
    const [one, again] = [await send(), await send()]
    expect([one.statusCode, again.statusCode, again.headers['idempotent-replayed']]).toEqual([
      201,
      201,
      'true',
    ])
    expect(again.headers.location).toBe(`/api4/invoice/customers/${one.json().id}`)
    const keyed = () =>
      world.http.inject({
        method: 'POST',
        url: '/api4/invoice/documents',
        headers: { 'x-access-token': me.token },
        payload: {
          type: 8,
          customerId: one.json().id,
          clientKey: 'made-once',
          lines: [{ description: 'x', unitPrice: '1' }],
        },
      })
    const [first, second] = [await keyed(), await keyed()]
    expect([first.statusCode, second.statusCode]).toEqual([201, 200])
    expect(second.headers.location).toBe(`/api4/invoice/documents/${first.json().id}`)
  })

  test('whoever changes one thing leaves the others as they are: no change fills in what was not said', () => {
    const filling = implementations.flatMap(({ endpoint: { name, method, path, input } }) => {
      if (method !== 'PATCH') return []
      const parts = [...path.matchAll(/\{(\w+)\}/g)].map(([, part]) => part!)
      const filled = [crypto.randomUUID(), '1'].flatMap((id) => {
        const said = input.safeParse(Object.fromEntries(parts.map((part) => [part, id])))
        return said.success ? Object.keys(said.data as object).filter((key) => !parts.includes(key)) : []
      })
      return filled.length ? [`${name}: ${[...new Set(filled)].join(', ')}`] : []
    })
    expect(filling).toEqual([])
  })

  let secret: string
  const ask = (
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    url: string,
    payload?: object,
    headers: Record<string, string> = {},
  ) =>
    world.http.inject({
      method,
      url,
      headers: { 'x-access-token': secret, ...headers },
      ...(payload ? { payload } : {}),
    })
  let shop: Business
  beforeAll(async () => {
    shop = await newBusiness(world)
    secret = (
      await shop.call(makeKey, {
        name: 'x',
        readOnly: false,
        draftsOnly: false,
        rules: [],
        docsAllow: [],
        sumLimitAgorot: null,
        expiresOn: null,
      })
    ).secret
  })
  const customers = '/api4/invoice/customers'

  test('each answer names its call, and tells what is left of the minute', async () => {
    const [one, other] = [await ask('GET', customers), await ask('GET', '/api4/invoice/nothing')]
    expect(one.headers['request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(other.json().requestId).toBe(other.headers['request-id'])
    expect(one.headers['request-id']).not.toBe(other.headers['request-id'])
    expect(one.headers['ratelimit-policy']).toMatch(/^"key";q=\d+;w=60$/)
    expect(one.headers.ratelimit).toMatch(/^"key";r=\d+;t=\d+$/)
  })

  test('lists go on by `after` in pages of any size, and hold each row once while rows are added', async () => {
    for (let n = 0; n < 7; n++) await ask('POST', customers, { name: `דף ${n}` })
    const seen: string[] = []
    let after: string | null = null
    do {
      const page: { rows: { id: string }[]; nextCursor: string | null } = (
        await ask(
          'GET',
          `${customers}?q=${encodeURIComponent('דף')}&limit=3${after ? `&after=${after}` : ''}`,
        )
      ).json()
      seen.push(...page.rows.map(({ id }) => id))
      after = page.nextCursor
      if (seen.length === 3) await ask('POST', customers, { name: 'דף 00' })
    } while (after)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.length).toBeGreaterThanOrEqual(7)
    expect((await ask('GET', `${customers}?limit=201`)).statusCode).toBe(422)
  })

  test('`updatedSince` tells what changed, archived records too, the oldest change first', async () => {
    const [a, b, c] = await Promise.all(
      ['א', 'ב', 'ג'].map(async (name) => (await ask('POST', customers, { name: `סנכרון ${name}` })).json()),
    )
    const since = new Date(Date.now()).toISOString()
    await new Promise((go) => setTimeout(go, 15))
    await ask('PATCH', `${customers}/${c.id}`, { city: 'חיפה' })
    await new Promise((go) => setTimeout(go, 5))
    await ask('DELETE', `${customers}/${a.id}`)
    const { rows } = (await ask('GET', `${customers}?updatedSince=${encodeURIComponent(since)}`)).json()
    expect(rows.map(({ id }: { id: string }) => id)).toEqual([c.id, a.id])
    expect(rows[1].archivedAt).not.toBeNull()
    expect(rows.map(({ id }: { id: string }) => id)).not.toContain(b.id)
    expect((await ask('GET', `${customers}?updatedSince=yesterday`)).json()).toMatchObject({
      code: 'kit.badInput',
      errors: [{ path: 'updatedSince' }],
    })
    // Page by page, the same.
    const first = (await ask('GET', `${customers}?updatedSince=${encodeURIComponent(since)}&limit=1`)).json()
    const second = (
      await ask(
        'GET',
        `${customers}?updatedSince=${encodeURIComponent(since)}&limit=1&after=${first.nextCursor}`,
      )
    ).json()
    expect([...first.rows, ...second.rows].map(({ id }: { id: string }) => id)).toEqual([c.id, a.id])
  })

  test('a document that was paid has changed since', async () => {
    const buyer = (await ask('POST', customers, { name: 'משלם' })).json()
    const invoice = await shop.invoice(buyer.id, '100')
    const since = new Date().toISOString()
    await new Promise((go) => setTimeout(go, 15))
    const paid = await ask('POST', '/api4/invoice/payments', {
      customerId: buyer.id,
      payments: [{ means: 1, amountAgorot: 11_800 }],
      apply: [{ documentId: invoice.id, amountAgorot: 11_800 }],
    })
    expect(paid.statusCode).toBe(201)
    const { rows } = (
      await ask('GET', `/api4/invoice/documents?updatedSince=${encodeURIComponent(since)}`)
    ).json()
    expect(rows.map(({ id }: { id: string }) => id)).toContain(invoice.id)
  })

  test.each([
    ['customers', { name: 'חיצוני' }],
    ['suppliers', { name: 'חיצוני' }],
    ['items', { name: 'חיצוני' }],
  ])('%s are found by an id of the program’s own, which belongs to one of them', async (entity, body) => {
    const base = `/api4/invoice/${entity}`
    const made = (
      await ask('POST', base, { ...body, externalId: `x-${entity}`, metadata: { shop: 7, ok: true } })
    ).json()
    expect(made).toMatchObject({ externalId: `x-${entity}`, metadata: { shop: 7, ok: true } })
    expect(
      (await ask('GET', `${base}?externalId=x-${entity}`)).json().rows.map((row: { id: string }) => row.id),
    ).toEqual([made.id])
    expect((await ask('GET', `${base}?externalId=nobody`)).json().rows).toEqual([])
    const twin = await ask('POST', base, { ...body, name: 'אחר', externalId: `x-${entity}` })
    expect([twin.statusCode, twin.json().errors[0]]).toMatchObject([
      422,
      { path: 'externalId', code: 'fields.taken' },
    ])
    const changed = (await ask('PATCH', `${base}/${made.id}`, { metadata: { shop: 8 } })).json()
    expect(changed).toMatchObject({ externalId: `x-${entity}`, metadata: { shop: 8 } })
    expect((await ask('GET', `/api4/invoice/references/${entity}/x-${entity}`)).json()).toMatchObject({
      id: made.id,
      see: `${entity}.get`,
      metadata: { shop: 8 },
    })
    expect((await ask('GET', `/api4/invoice/references/${entity}/nobody`)).statusCode).toBe(404)
  })

  test('a document says its state by the program’s own id, and takes values after it was issued', async () => {
    const buyer = (await ask('POST', customers, { name: 'קונה' })).json()
    const made = (
      await ask('POST', '/api4/invoice/documents', {
        type: 8,
        customerId: buyer.id,
        externalId: 'order-9',
        lines: [{ description: 'x', unitPrice: '1' }],
      })
    ).json()
    expect((await ask('GET', '/api4/invoice/references/documents/order-9')).json()).toMatchObject({
      id: made.id,
      state: 'issued',
    })
    const kept = await ask('PUT', `/api4/invoice/references/documents/${made.id}`, {
      metadata: { picked: true },
    })
    expect(kept.json()).toMatchObject({ externalId: 'order-9', metadata: { picked: true } })
    expect((await ask('GET', '/api4/invoice/documents?externalId=order-9')).json().rows).toMatchObject([
      { id: made.id, metadata: { picked: true } },
    ])
    for (const metadata of [
      { 'bad name!': 1 },
      { long: 'x'.repeat(501) },
      Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`n${n}`, n])),
    ])
      expect(
        (await ask('PUT', `/api4/invoice/references/documents/${made.id}`, { metadata })).statusCode,
      ).toBe(422)
  })

  test('nobody reaches the marks of another business', async () => {
    const stranger = await newBusiness(world)
    const made = (await ask('POST', customers, { name: 'שלי', externalId: 'mine' })).json()
    await expect(stranger.get('/api4/invoice/references/customers/mine')).rejects.toMatchObject({
      status: 404,
    })
    await expect(
      stranger.send('PUT', `/api4/invoice/references/customers/${made.id}`, { externalId: 'theirs' }),
    ).rejects.toMatchObject({
      status: 404,
    })
    expect((await stranger.get('/api4/invoice/customers?externalId=mine')).rows).toEqual([])
    // The same id is free there.
    expect(
      (await stranger.send('POST', '/api4/invoice/customers', { name: 'שלהם', externalId: 'mine' }))
        .externalId,
    ).toBe('mine')
  })

  test('languages and VAT kinds are taken by their numbers too, which are listed, and lists go by when a record was made', async () => {
    const known = (await ask('GET', '/api4/invoice/references')).json()
    const idOf = (list: string, code: string) =>
      known[list].find((one: { code: string }) => one.code === code).id
    const french = idOf('languages', 'fr')
    expect([
      french,
      idOf('vatKinds', 'withoutVat'),
      idOf('means', 'cash'),
      idOf('documentTypes', 'taxInvoice'),
    ]).toEqual([282, 4, 1, 8])
    const buyer = (await ask('POST', customers, { name: 'Numéro', language: french })).json()
    const draft = {
      type: 8,
      customerId: buyer.id,
      language: idOf('languages', 'ru'),
      draft: true,
      lines: [{ description: 'x', unitPrice: '1' }],
    }
    const paper = (await ask('POST', '/api4/invoice/documents', draft)).json()
    const item = (
      await ask('POST', '/api4/invoice/items', { name: 'Numéro', vatKind: idOf('vatKinds', 'withoutVat') })
    ).json()
    expect([buyer.language, paper.language, item.vatKind]).toEqual(['fr', 'ru', 'withoutVat'])
    const { rows } = (await ask('GET', `${customers}?language=${french}&sort=-createdAt&limit=1`)).json()
    expect(rows.map(({ id }: { id: string }) => id)).toEqual([buyer.id])
    for (const language of [7, '282', 'de'])
      expect((await ask('POST', customers, { name: 'x', language })).json().errors[0]).toMatchObject({
        path: 'language',
        code: 'fields.choice',
      })
  })

  test('a change meant for another version is refused, and of two at once one is', async () => {
    const made = (await ask('POST', customers, { name: 'גרסאות' })).json()
    const etag = String((await ask('GET', `${customers}/${made.id}`)).headers.etag)
    expect(etag).toMatch(/^"\w+"$/)
    await new Promise((go) => setTimeout(go, 5))
    const both = await Promise.all(
      ['חיפה', 'יפו'].map((city) => ask('PATCH', `${customers}/${made.id}`, { city }, { 'if-match': etag })),
    )
    expect(both.map((one) => one.statusCode).toSorted()).toEqual([200, 412])
    expect(
      (await ask('PATCH', `${customers}/${made.id}`, { city: 'לוד' }, { 'if-match': etag })).json().code,
    ).toBe('kit.changed')
    expect((await ask('DELETE', `${customers}/${made.id}`, undefined, { 'if-match': etag })).statusCode).toBe(
      412,
    )
    const now = String((await ask('GET', `${customers}/${made.id}`)).headers.etag)
    expect(
      (await ask('PATCH', `${customers}/${made.id}`, { city: 'לוד' }, { 'if-match': `W/${now}` })).statusCode,
    ).toBe(200)
    // A call that cannot tell versions apart says so.
    expect(
      (await ask('POST', `${customers}/bulk`, { ids: [made.id] }, { 'if-match': now })).json().code,
    ).toBe('kit.cannotMatch')
  })

  test('an answer that the program has is not sent again', async () => {
    const made = (await ask('POST', customers, { name: 'מוכר', metadata: { n: 1 } })).json()
    const path = `${customers}/${made.id}`
    const tag = String((await ask('GET', path)).headers.etag)
    const known = (etag: string, url = path) => ask('GET', url, undefined, { 'if-none-match': etag })
    const same = await known(tag)
    expect([same.statusCode, same.body, same.headers.etag]).toEqual([304, '', tag])
    expect((await known(`"x", W/${tag}`)).statusCode).toBe(304)
    expect((await known('"x"')).statusCode).toBe(200)
    // What lies beside the record is part of the answer.
    expect((await known(tag, `${path}?expand=typeId`)).statusCode).toBe(200)
    await ask('PATCH', path, { metadata: { n: 2 } })
    const changed = await known(tag)
    expect([changed.statusCode, changed.json().metadata]).toEqual([200, { n: 2 }])
  })

  test('metadata is added name by name: null removes one, and null in its place removes all', async () => {
    const made = (
      await ask('POST', customers, { name: 'ערכים', metadata: { a: 1, b: 'x', none: null } })
    ).json()
    expect(made.metadata).toEqual({ a: 1, b: 'x' })
    const path = `${customers}/${made.id}`
    const change = async (metadata: object | null) => (await ask('PATCH', path, { metadata })).json().metadata
    expect(await change({ b: null, c: true })).toEqual({ a: 1, c: true })
    expect(await change({})).toEqual({ a: 1, c: true })
    const many = Object.fromEntries(Array.from({ length: 49 }, (_, n) => [`n${n}`, n]))
    expect((await ask('PATCH', path, { metadata: many })).json().errors[0]).toMatchObject({
      path: 'metadata',
      code: 'fields.tooMany',
    })
    expect(await change(null)).toEqual({})
  })

  test('lists go by metadata', async () => {
    const shops = [1, 2, 2].map((shop, n) => ({
      name: `לפי ערך ${n}`,
      metadata: { shopOf: shop, on: n > 1 },
    }))
    const made = []
    for (const one of shops) made.push((await ask('POST', customers, one)).json().id)
    const found = async (query: string) =>
      (await ask('GET', `${customers}?${query}`))
        .json()
        .rows.map(({ id }: { id: string }) => id)
        .toSorted()
    expect(await found('metadata.shopOf=2')).toEqual(made.slice(1).toSorted())
    expect(await found('metadata.shopOf=2&metadata.on=true')).toEqual([made[2]])
    expect(await found(`metadata.shopOf=2&q=${encodeURIComponent('לפי ערך 1')}`)).toEqual([made[1]])
    expect(await found('metadata.shopOf=3')).toEqual([])
    expect((await ask('GET', `${customers}?metadata.bad%20name=1`)).statusCode).toBe(422)
  })

  test('a row and its record say the same under the same names, lines and payments too', async () => {
    const buyer = (await ask('POST', customers, { name: 'אותו דבר', email: 'same@example.com' })).json()
    const made = await shop.invoice(buyer.id, '100')
    const base = '/api4/invoice/documents'
    const record = (await ask('GET', `${base}/${made.id}`)).json()
    const { rows } = (
      await ask('GET', `${base}?customerId=${buyer.id}&expand=lines,payments,customerId`)
    ).json()
    const { expanded, ...row } = rows[0]
    const shared = Object.keys(row).filter((name) => name in record)
    expect(shared).toEqual(
      expect.arrayContaining(['date', 'dueDate', 'customer', 'totals', 'issuedAt', 'createdAt', 'updatedAt']),
    )
    // In one line here, as the record has it in parts.
    const apart = ['deliverTo']
    for (const name of shared.filter((one) => !apart.includes(one)))
      expect([name, row[name]]).toEqual([name, record[name]])
    expect(expanded).toMatchObject({
      lines: record.lines,
      payments: record.payments,
      customerId: { name: 'אותו דבר' },
    })
    expect((await ask('GET', `${base}?expand=nothing`)).json().errors[0]).toMatchObject({
      path: 'expand',
      code: 'fields.choice',
    })
    // Filters and orders take the names of the record.
    const by = async (query: string) =>
      (await ask('GET', `${base}?customerId=${buyer.id}&${query}`)).json().rows.length
    expect([
      await by(`date=${record.date}`),
      await by(`date.lte=2020-01-01`),
      await by('sort=-date'),
      await by('dueDate.empty=false&sort=dueDate'),
    ]).toEqual([1, 0, 1, record.dueDate ? 1 : 0])
  })

  test('a list answers only the fields that are asked for', async () => {
    const { rows } = (await ask('GET', `${customers}?fields=name,city&limit=2`)).json()
    expect(Object.keys(rows[0]).toSorted()).toEqual(['city', 'externalId', 'id', 'metadata', 'name'])
    expect((await ask('GET', `${customers}?fields=name,secret`)).json().errors[0]).toMatchObject({
      path: 'fields',
      code: 'fields.choice',
    })
  })

  test('the document of the API names what each list filters by', () => {
    const { parameters = [] } = documents.en.paths['/api4/invoice/documents']!.get!
    const names = parameters.map((one) =>
      '$ref' in one ? documents.en.components.parameters[one.$ref.split('/').at(-1)!]!.name : one.name,
    )
    expect(names).toEqual(
      expect.arrayContaining(['date', 'status', 'customerId', 'unpaidAgorot', 'externalId', 'fields']),
    )
    expect(names).toEqual([...new Set(names)])
  })

  test('records an id points to come along when they are asked for', async () => {
    const kind = (await ask('POST', '/api4/invoice/customerTypes', { name: 'סיטונאי' })).json()
    const made = (await ask('POST', customers, { name: 'מורחב', typeId: kind.id })).json()
    expect((await ask('GET', `${customers}/${made.id}?expand=typeId`)).json().expanded.typeId).toMatchObject({
      id: kind.id,
      name: 'סיטונאי',
    })
    const { rows } = (
      await ask('GET', `${customers}?q=${encodeURIComponent('מורחב')}&expand=typeId,agentId`)
    ).json()
    expect(rows[0].expanded).toMatchObject({ typeId: { name: 'סיטונאי' }, agentId: null })
    expect((await ask('GET', `${customers}?expand=name`)).json()).toMatchObject({
      errors: [{ path: 'expand', code: 'fields.choice' }],
    })
  })

  test('many are made at once or none, and the refusal says the row', async () => {
    const good = await ask('POST', `${customers}/many`, {
      rows: [{ name: 'רבים 1', externalId: 'm1' }, { name: 'רבים 2' }],
    })
    expect(good.json().rows).toMatchObject([
      { name: 'רבים 1', externalId: 'm1' },
      { name: 'רבים 2', externalId: null },
    ])
    const before = (await ask('GET', `${customers}?q=${encodeURIComponent('שבור')}`)).json().rows.length
    const bad = await ask('POST', `${customers}/many`, {
      rows: [{ name: 'שבור 1' }, { name: 'שבור 2', taxId: '123456789' }],
    })
    expect([bad.statusCode, bad.json().errors[0].path]).toEqual([422, 'rows.1.taxId'])
    const twin = await ask('POST', `${customers}/many`, {
      rows: [{ name: 'שבור 3' }, { name: 'שבור 4', externalId: 'm1' }],
    })
    expect(twin.json().errors[0]).toMatchObject({ path: 'rows.1.externalId', code: 'fields.taken' })
    expect((await ask('GET', `${customers}?q=${encodeURIComponent('שבור')}`)).json().rows.length).toBe(before)
    expect(
      (await ask('POST', `${customers}/many`, { rows: Array.from({ length: 101 }, () => ({ name: 'x' })) }))
        .statusCode,
    ).toBe(422)
  })

  test('one key’s calls take nothing of another’s', async () => {
    const other = (
      await shop.call(makeKey, {
        name: 'y',
        readOnly: true,
        draftsOnly: false,
        rules: [],
        docsAllow: [],
        sumLimitAgorot: null,
        expiresOn: null,
      })
    ).secret
    await sql`update throttles set count = 1000 where key like 'key:%'`.execute(world.app.db.kysely)
    expect((await ask('GET', customers)).statusCode).toBe(429)
    expect((await ask('GET', customers, undefined, { 'x-access-token': other })).statusCode).toBe(200)
    await sql`delete from throttles where key like 'key:%'`.execute(world.app.db.kysely)
  })
})
