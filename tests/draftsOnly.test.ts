import { connect } from 'node:net'
import { sql } from 'kysely'
import { z } from 'zod'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeKey } from '#features/open/apiKeys/endpoints.ts'
import { rulesForKeys } from '#features/open/apiKeys/rules.ts'
import { withholdingCodes } from '#domain/withholding/kinds.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import { chooseAreas } from '#features/base/modules/endpoints.ts'
import { companyTables } from '#features/office/demo/server/index.ts'
import { readingRests } from '#features/purchases/capture/server/reading.ts'
import { createDocument } from '#features/sales/documents/endpoints.ts'
import { isForDrafts, isForKeys, isReading, type Endpoint } from '#kit/describe/endpoint.ts'
import { contract, documentText } from '#kit/server/openapi/contract.ts'
import type { ApiDocument } from '#kit/server/openapi/document.ts'
import { implementations } from '../src/features.ts'
import { exampleWith, smallWorld, type Ids } from './examples.ts'
import { pdfOfPages } from './pdf.ts'
import { newBusiness, raw, startWorld, type Business, type World } from './world.ts'

/**
 * What an API key held to drafts may do. Every call that changes something is closed to it unless the call declares
 * the opposite, and what is declared has no effect outside the drafts.
 */

/**
 * Every call that is open to a key held to drafts although it changes something. To add one is a decision: it must not
 * issue, post, charge, pay, file, send, connect, let anybody in or delete what is not a draft.
 */
const open = [
  'classes.check',
  'customers.create',
  'documents.change',
  'documents.convert',
  'documents.create',
  'documents.delete',
  'documents.duplicate',
  'expenses.change',
  'expenses.create',
  'files.attach',
  'files.upload',
  'interactions.change',
  'interactions.create',
  'items.create',
  'leads.change',
  'leads.create',
  'leads.move',
  'letters.change',
  'letters.drop',
  'letters.make',
  'papers.add',
  'papers.file',
  'papers.read',
  'papers.split',
  'suppliers.create',
  'tasks.addItem',
  'tasks.change',
  'tasks.changeItem',
  'tasks.comment',
  'tasks.create',
  'tasks.finish',
  'tasks.move',
  'tasks.quick',
]

/** The tables in which these calls write. Every other table of the business stays as it was. */
const mayChange = new Set([
  // A draft waits for approval, and rings for the owner.
  'approvals',
  'authorities',
  'notifications',
  // What the calls make.
  'documents',
  'document_lines',
  'expenses',
  'expense_lines',
  'captured_papers',
  'captured_pages',
  'paper_memories',
  'files',
  'file_contents',
  'file_links',
  'tasks',
  'task_items',
  'task_comments',
  'leads',
  'lead_moves',
  'interactions',
  'parties',
  'items',
  // What tells of them, and that the key was used.
  'audit_log',
  'events',
  'outbox',
  'api_keys',
])

/** The tables in which a read may write. */
const mayRead = new Set([
  // What every business begins with is laid down when it is first asked for.
  'accounts',
  'balance_codes',
  'booking_pages',
  'card_kinds',
  'movement_kinds',
  'sort_codes',
  'vat_codes',
  'withholding_codes',
  // An export and a drawn paper are kept.
  'document_papers',
  'uniform_cards',
  'uniform_files',
  'uniform_runs',
  // The log, its seal, and that the key was used.
  'api_keys',
  'audit_log',
  'chain_heads',
  'chain_links',
  'chain_waiting',
])

/** Jobs that these calls leave behind: they read what was uploaded. */
const mayRun = new Set(['papers.read'])

let world: World
let owner: Business
let key: string
let company: string
let ids: Ids
const made: Record<string, string> = {}

const newKey = async (scope: object) =>
  (
    await owner.call(makeKey, {
      name: 'x',
      readOnly: false,
      draftsOnly: false,
      rules: [],
      docsAllow: [],
      sumLimitAgorot: null,
      expiresOn: null,
      ...scope,
    })
  ).secret

beforeAll(async () => {
  world = await startWorld()
  owner = await newBusiness(world)
  company = (await owner.call(mySession, {})).CompanyKey!
  await owner.call(chooseAreas, { areas: { pest: true, time: true, affiliates: true } })
  key = await newKey({ draftsOnly: true })
  ids = await smallWorld(owner)
  made.customer = ids.customers!
  made.supplier = ids.suppliers!
  made.invoice = ids.documents!
  made.kind = ids.expensetypes!
  made.quote = (await owner.invoice(made.customer, '100', { type: 1 })).id
  made.stage = (await owner.get('/api4/invoice/leads/stages')).rows[1].id
  const board = (await owner.get('/api4/invoice/boards')).rows[0]
  made.column = board.columns[1].id
  await owner.call(createDocument, {
    type: 6,
    customerId: made.customer,
    payments: [{ means: 2, amountAgorot: 100, bank: '12', branch: '600', account: '123456', number: '1' }],
  })
  await world.worker.drain()
}, 60_000)
afterAll(() => world.close())

/** A minute of a key holds fewer calls than a walk. */
const rest = () => sql`delete from throttles where key like 'key:%'`.execute(world.app.db.kysely)

const inside = implementations.filter((one) => one.inside).map(({ endpoint }) => endpoint)
const withIds = (endpoint: Endpoint): Record<string, unknown> =>
  Object.fromEntries([...endpoint.path.matchAll(/\{(\w+)\}/g)].map((part) => [part[1]!, made.invoice!]))

async function asked(endpoint: Endpoint, token: string, input = withIds(endpoint)) {
  await rest()
  const answer = await raw(world, endpoint, input, { token })
  return {
    name: endpoint.name,
    status: answer.statusCode,
    code: answer.statusCode < 300 ? '' : answer.json<{ code: string }>().code,
  }
}

/** The rows of each table of the business: two states are equal where nothing was written. */
async function state(): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const table of companyTables.filter((name) => name !== 'sessions')) {
    const { rows } = await sql<{
      is: string
    }>`select count(*) || ' ' || coalesce(md5(string_agg(t::text, '' order by t::text)), '') as is
      from ${sql.table(table)} t where company_id = ${company}`.execute(world.app.db.kysely)
    found[table] = rows[0]!.is
  }
  const { rows } = await sql<{
    is: string
  }>`select md5(string_agg(t::text, '' order by t::text)) as is from documents t
    where company_id = ${company} and status <> 'draft'`.execute(world.app.db.kysely)
  return { ...found, 'issued documents': rows[0]!.is }
}
const changed = (before: Record<string, string>, after: Record<string, string>): string[] =>
  Object.keys(after).filter((name) => after[name] !== before[name])

test('what is open is on the list', () => {
  const declared = implementations
    .filter(({ endpoint }) => endpoint.forDrafts)
    .map(({ endpoint }) => endpoint)
  expect(declared.map(({ name }) => name).toSorted()).toEqual(open)
  // Declared on a call that changes something and that a key may make at all; the closed fields are fields of it.
  for (const endpoint of declared) {
    expect([endpoint.name, isReading(endpoint), isForDrafts(endpoint)]).toEqual([endpoint.name, false, true])
    const fields = Object.keys((endpoint.input as z.ZodObject).shape)
    const closed = typeof endpoint.forDrafts === 'object' ? endpoint.forDrafts.except : []
    expect([endpoint.name, closed.filter((name) => !fields.includes(name))]).toEqual([endpoint.name, []])
  }
})

describe('a key held to drafts, of an owner with all rights', () => {
  test('makes what is on the list, and nothing else changes', async () => {
    // The documents of the setup have their copies made now and not in between.
    await sql`update outbox set run_after = now() where done_at is null`.execute(world.app.db.kysely)
    await world.worker.drain()
    const before = await state()
    const { rows: last } = await sql<{
      id: string
    }>`select id from outbox order by id desc limit 1`.execute(world.app.db.kysely)

    const called = new Set<string>()
    const call = async (name: string, input: Record<string, unknown>) => {
      called.add(name)
      await rest()
      const endpoint = inside.find((one) => one.name === name)!
      const answer = await raw(world, endpoint, input, { token: key })
      expect([name, answer.statusCode, answer.body]).toEqual([
        name,
        expect.toSatisfy((status) => status === 200 || status === 201),
        expect.anything(),
      ])
      return answer.json<any>()
    }
    const line = { description: 'עבודה', unitPrice: '50' }
    const customer = await call('customers.create', { name: 'לוי', email: 'levi@example.com' })
    await call('suppliers.create', { name: 'ספק חדש' })
    await call('items.create', { name: 'ייעוץ', price: '300' })
    const draft = await call('documents.create', {
      type: 8,
      customerId: customer.id,
      lines: [line],
      draft: true,
    })
    await call('documents.change', { id: draft.id, type: 8, customerId: made.customer, lines: [line] })
    const second = await call('documents.duplicate', { id: made.invoice })
    await call('documents.delete', { id: second.id })
    expect((await call('documents.convert', { id: made.quote, type: 8 })).status).toBe('draft')
    const bill = { supplierId: made.supplier, lines: [{ typeId: made.kind, netAgorot: 5_000 }] }
    const expense = await call('expenses.create', { ...bill, supplierNumber: '1', means: 'bank' })
    expect(expense.state).toBe('waiting')
    expect(
      (await call('expenses.change', { ...bill, id: expense.id, supplierNumber: '2', means: 'bank' })).state,
    ).toBe('waiting')
    const pdf = pdfOfPages(['Tax invoice 1001', 'Tax invoice 1002'])
    const paper = await call('papers.add', { name: 'a.pdf', bytes: pdf })
    await call('papers.read', { id: paper.id })
    await world.worker.drain()
    await readingRests()
    const [, part] = (await call('papers.split', { id: paper.id, begins: [2] })).ids
    await call('papers.file', { id: part ?? paper.id, expense: { ...bill, supplierNumber: '3' } })
    const file = await call('files.upload', { name: 'b.pdf', bytes: pdf })
    await call('files.attach', { id: file.id, entity: 'documents', entityId: draft.id })
    const task = await call('tasks.create', { title: 'משימה', customerId: made.customer })
    await call('tasks.change', { id: task.id, title: 'משימה אחרת' })
    await call('tasks.quick', { text: 'להתקשר מחר' })
    await call('tasks.comment', { id: task.id, text: 'הערה' })
    const { itemId } = await call('tasks.addItem', { id: task.id, text: 'סעיף' })
    await call('tasks.changeItem', { id: task.id, itemId, done: true })
    const { task: seen } = await owner.get(`/api4/invoice/tasks/${task.id}/whole`)
    await call('tasks.move', { id: task.id, version: seen.version, columnId: made.column })
    await call('tasks.finish', { id: task.id })
    const lead = await call('leads.create', { name: 'פונה', phone: '052-1234567', email: 'lead@example.com' })
    const withCity = await call('leads.change', { id: lead.id, city: 'עכו' })
    await call('leads.move', { id: lead.id, version: withCity.version, stageId: made.stage })
    const note = await call('interactions.create', { customerId: made.customer, text: 'שיחה' })
    await call('interactions.change', { id: note.id, text: 'שיחה אחרת' })
    const letter = await call('letters.make', { title: 'x', body: 'x', customerIds: [made.customer] })
    await call('letters.change', { id: letter.id, title: 'y', body: 'y', customerIds: [made.customer] })
    await call('letters.drop', { id: letter.id })
    await call('classes.check', { day: '2030-01-01', at: '09:00', minutes: 60 })
    expect([...called].toSorted()).toEqual(open)

    const { rows: ran } = await sql<{ name: string }>`select distinct name from outbox
      where id > ${last[0]!.id} and company_id = ${company}`.execute(world.app.db.kysely)
    expect(ran.map(({ name }) => name).filter((name) => !mayRun.has(name))).toEqual([])
    await world.worker.drain()
    await readingRests()
    expect(changed(before, await state()).filter((name) => !mayChange.has(name))).toEqual([])
  }, 120_000)

  test('is refused by every call that changes something and is not on the list, before its input is looked at', async () => {
    const wrong: unknown[] = []
    for (const endpoint of inside.filter((one) => !isReading(one))) {
      const answer = await asked(endpoint, key)
      const code = !isForKeys(endpoint)
        ? 'kit.notForKeys'
        : open.includes(endpoint.name)
          ? undefined
          : 'kit.keyDraftsOnly'
      if (
        code ? answer.status !== 403 || answer.code !== code : answer.status === 403 || answer.status >= 500
      )
        wrong.push(answer)
    }
    expect(wrong).toEqual([])
  }, 120_000)

  test('reads everything but what holds a secret and what is about a person, and changes nothing by it', async () => {
    const never = new Set(rulesForKeys().map(({ name }) => name))
    const wrong: unknown[] = []
    const before = await state()
    for (const endpoint of inside.filter(isReading)) {
      const { access, secret } = endpoint
      const answer = await asked(endpoint, key, exampleWith(endpoint, ids))
      const code = !isForKeys(endpoint)
        ? 'kit.notForKeys'
        : secret
          ? 'kit.keyDraftsOnly'
          : typeof access === 'object' && !never.has(access.rule)
            ? 'session.forbidden'
            : undefined
      if (code ? answer.code !== code : answer.status >= 500 || answer.code === 'kit.keyDraftsOnly')
        wrong.push(answer)
    }
    expect(wrong).toEqual([])
    expect(changed(before, await state()).filter((name) => !mayRead.has(name))).toEqual([])
  }, 120_000)

  test('sets no terms of credit, tax or payment where it adds a record', async () => {
    for (const endpoint of inside) {
      const closed = typeof endpoint.forDrafts === 'object' ? endpoint.forDrafts.except : []
      for (const field of closed) {
        await rest()
        const value = [
          1,
          '1',
          true,
          made.kind,
          '2030-01-01',
          'eom:30',
          'eilat',
          'dwellingLet',
          ...withholdingCodes,
        ].find((one) => (endpoint.input as z.ZodType).safeParse({ name: 'x', [field]: one }).success)
        expect([endpoint.name, field, value === undefined]).toEqual([endpoint.name, field, false])
        const answer = await raw(world, endpoint, { name: 'x', [field]: value }, { token: key })
        expect([endpoint.name, answer.statusCode, answer.json().errors]).toEqual([
          endpoint.name,
          403,
          [expect.objectContaining({ path: field, code: 'kit.keyDraftsOnly' })],
        ])
      }
    }
  })

  test('issues no document of its own, and learns no link by which somebody signs', async () => {
    await rest()
    const create = inside.find(({ name }) => name === 'documents.create')!
    const issued = await raw(
      world,
      create,
      { type: 8, customerId: made.customer, lines: [{ description: 'x', unitPrice: '1' }] },
      { token: key },
    )
    expect([issued.statusCode, issued.json().code]).toEqual([403, 'kit.keyDraftsOnly'])
    const whole = inside.find(({ name }) => name === 'signRequests.document')!
    await raw(
      world,
      whole,
      { documentId: made.quote, signer: { name: 'כהן', channel: 'person' } },
      { token: owner.token },
    )
    const sign = async (token: string) =>
      (
        await raw(
          world,
          inside.find(({ name }) => name === 'documents.get')!,
          { id: made.quote },
          { token },
        )
      ).json<{ urls: { sign: string } }>().urls.sign
    expect(await sign(owner.token)).toMatch(/^http/)
    expect(await sign(key)).toBe('')
  })
})

test('calls for people take no API key, whatever it may', async () => {
  const [whole, reading, drafts] = [await newKey({}), await newKey({ readOnly: true }), key]
  const people = inside.filter((endpoint) => !isForKeys(endpoint))
  expect(people.length).toBeGreaterThan(70)
  // What is below /api/user is the account of a person.
  expect(
    inside.filter((one) => /^\/api\/user\//i.test(one.path) && isForKeys(one)).map(({ name }) => name),
  ).toEqual([])
  const wrong: unknown[] = []
  for (const endpoint of people)
    for (const token of [whole, reading, drafts]) {
      const answer = await asked(endpoint, token)
      if (answer.status !== 403 || answer.code !== 'kit.notForKeys') wrong.push(answer)
    }
  expect(wrong).toEqual([])
  // An invitation lets somebody in: that is never for keys, by its own declaration or by its rule.
  const rules = new Set(rulesForKeys().map(({ name }) => name))
  const invites = inside.filter(({ name }) => /invit/i.test(name))
  expect(invites.length).toBeGreaterThan(5)
  expect(
    invites
      .filter(
        (endpoint) =>
          isForKeys(endpoint) && !(typeof endpoint.access === 'object' && !rules.has(endpoint.access.rule)),
      )
      .map(({ name }) => name),
  ).toEqual([])
}, 120_000)

/**
 * Fields of reads that look like a secret or a way in and are none, with the reason. A read that answers a real one
 * declares `secret`.
 */
const harmless: Record<string, readonly string[]> = {
  'names a row within an answer': [
    'affiliates.mine key',
    'bankmatching.desk key',
    'bankmatching.matches key',
    'billing.get key',
    'forecast.cash key',
    'help.articles key',
    'law.table key',
    'matches.get key',
    'matches.list key',
    'payPages.get key',
    'questions.run key',
    'system1000.read key',
    'uniform.import key',
  ],
  'the number by which another program knows a record': [
    'bookings.day customerKey',
    'bookings.get customerKey',
    'bookings.ofClass customerKey',
    'customers.get customKey',
    'customers.list customKey',
    'suppliers.get customKey',
    'suppliers.list customKey',
    'trainerArea.day customerKey',
  ],
  'the name a person gave to a key': ['team.leaves byKey'],
  'a page for everybody': [
    'affiliates.list signUpUrl',
    'affiliates.mine link',
    'affiliates.mine url',
    'billing.get url',
    'bookingPage.settings snippet',
    'bookingPage.settings url',
    'payPages.get frameUrl',
    'payPages.get shortUrl',
    'payPages.get url',
  ],
  'a page that shows what the caller reads, or takes money for the business': [
    'committee.grid pageUrl',
    'documents.byKey page',
    'documents.byKey pay',
    'documents.get page',
    'documents.get pay',
    'letters.text url',
    'outsideDocuments.whole url',
    'paymentLinks.byReference url',
    'paymentLinks.get url',
  ],
  'empty for keys held to drafts': ['documents.byKey sign', 'documents.get sign'],
  'an address that the business typed in': [
    'payPages.get thanksUrl',
    'paymentLinks.byReference errorUrl',
    'paymentLinks.byReference successUrl',
    'paymentLinks.get errorUrl',
    'paymentLinks.get successUrl',
    'paymentLinks.list errorUrl',
    'paymentLinks.list successUrl',
    'signing.settings tsaUrl',
  ],
  'the path of a screen': ['support.get page'],
}

test('a read that answers a key or a link declares it, or says why it is none', () => {
  const looks =
    /secret|token|passw|signing|wayin|snippet|(^|[a-z])(url|link|key)$|Url$|Link$|Key$|^(page|pay|sign)$/
  const found: string[] = []
  for (const endpoint of inside.filter((one) => isReading(one) && isForKeys(one) && !one.secret)) {
    const schema = z.toJSONSchema(endpoint.output, { io: 'output', unrepresentable: 'any' })
    const walk = (at: any, depth = 0): void => {
      if (at === null || typeof at !== 'object' || depth > 12) return
      for (const [name, inner] of Object.entries<any>(at.properties ?? {})) {
        const types = JSON.stringify(inner)
        if (looks.test(name) && /"string"/.test(types) && !/"properties"/.test(types))
          found.push(`${endpoint.name} ${name}`)
        walk(inner, depth + 1)
      }
      for (const inner of [
        at.items,
        at.additionalProperties,
        ...(at.anyOf ?? []),
        ...(at.oneOf ?? []),
        ...(at.allOf ?? []),
      ])
        walk(inner, depth + 1)
    }
    walk(schema)
  }
  expect([...new Set(found)].toSorted()).toEqual(Object.values(harmless).flat().toSorted())
})

test('the document says of each call whether it is open to keys held to drafts', async () => {
  const { paths } = JSON.parse(await documentText('en', 'all')) as ApiDocument
  const said = new Map(
    Object.values(paths).flatMap((path) => Object.values(path).map((one) => [one.operationId, one] as const)),
  )
  for (const endpoint of contract().endpoints) {
    const one = said.get(endpoint.name)!
    const isOpen = endpoint.access === 'open' || endpoint.access === 'key'
    expect([endpoint.name, one['x-drafts-only']]).toEqual([
      endpoint.name,
      !isOpen && isForDrafts(endpoint) ? true : undefined,
    ])
    if (endpoint.forDrafts) expect(one.description).toContain('Open to keys held to drafts')
    if (endpoint.secret) expect(one.description).toContain('Closed to keys held to drafts')
  }
})

describe('a call that is refused whatever it says', () => {
  /** Sends the beginning of a body of 50 MB and waits for the answer; undefined where none comes while more is awaited. */
  const begin = async (path: string, headers: Record<string, string>, type = 'application/json') => {
    await world.http.listen({ port: 0, host: '127.0.0.1' }).catch(() => undefined)
    const { port } = world.http.server.address() as { port: number }
    return new Promise<string | undefined>((done) => {
      const socket = connect(port, '127.0.0.1')
      const given = Object.entries({ ...headers, 'content-type': type }).map(
        ([name, value]) => `${name}: ${value}`,
      )
      socket.write(
        [`POST ${path} HTTP/1.1`, 'host: x', ...given, 'content-length: 50000000', '', '{"title":"'].join(
          '\r\n',
        ),
      )
      socket.on('data', (bytes) => done(String(bytes)))
      setTimeout(() => done(undefined), 2000).unref()
      socket.on('error', () => done(undefined))
      socket.once('data', () => socket.destroy())
    })
  }
  const status = (answer: string | undefined) => /^HTTP\/1\.1 (\d+)/.exec(answer ?? '')?.[1]

  test('is refused before its body is read, and its connection ends', async () => {
    for (const path of ['/api4/invoice/standingorders', '/api4/invoice/webhooks', '/api4/invoice/paypages']) {
      const answer = await begin(path, { 'x-access-token': key })
      expect([path, status(answer)]).toEqual([path, '403'])
      expect(answer).toContain('kit.keyDraftsOnly')
      expect(answer!.toLowerCase()).toContain('connection: close')
    }
    // A file is one too, and so is a call without any right to it.
    const file = '/api4/invoice/import/customers?name=x.xlsx'
    expect(status(await begin(file, { 'x-access-token': key }, 'application/octet-stream'))).toBe('403')
    expect(status(await begin('/api4/invoice/customers', {}))).toBe('401')
  })

  test('one that may be done goes on to its body, and its size is its refusal', async () => {
    expect(status(await begin('/api4/invoice/customers', { 'x-access-token': key }))).toBe('413')
  })
})
