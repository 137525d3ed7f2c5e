import type { AddressInfo } from 'node:net'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isForDrafts } from '#kit/describe/endpoint.ts'
import { contract } from '#kit/server/openapi/contract.ts'
import { makeKey } from '../apiKeys/endpoints.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'

let world: World
let owner: Business
let url: URL

beforeAll(async () => {
  world = await startWorld()
  owner = await newBusiness(world)
  await world.http.listen({ port: 0, host: '127.0.0.1' })
  url = new URL(`http://127.0.0.1:${(world.http.server.address() as AddressInfo).port}/api/mcp`)
})
afterAll(() => world.close())

const newKey = async (more: object = {}) =>
  (
    await owner.call(makeKey, {
      name: 'agent',
      readOnly: false,
      draftsOnly: false,
      rules: [],
      docsAllow: [],
      sumLimitAgorot: null,
      expiresOn: null,
      ...more,
    })
  ).secret

/** An agent as the protocol's own client makes it. */
async function agent(key: string, language = 'en') {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(url, {
      requestInit: { headers: { 'x-access-token': key, 'x-language': language } },
    }),
  )
  const use = async (name: string, input: Record<string, unknown> = {}) => {
    const { content, isError } = (await client.callTool({ name, arguments: input })) as {
      content: { text: string }[]
      isError?: boolean
    }
    return { said: JSON.parse(content[0]!.text) as any, isError: isError ?? false }
  }
  return { client, use, tools: (await client.listTools()).tools.map(({ name }) => name) }
}

const called = (name: string) => contract().endpoints.find((one) => one.name === name)!

describe('an agent', () => {
  test('finds its tools, reads, and prepares drafts a person issues, though its key may issue', async () => {
    const key = await newKey()
    const { use, tools, client } = await agent(key)
    expect(tools).toEqual(
      expect.arrayContaining(['customers_list', 'documents_create', 'reports_run', 'search_calls', 'call']),
    )
    const customer = (await use('customers_create', { name: 'דנה' })).said
    expect((await use('customers_list', { q: 'דנה' })).said.rows).toMatchObject([{ id: customer.id }])
    const { said: draft } = await use('documents_create', {
      type: 8,
      customerId: customer.id,
      lines: [{ description: 'x', unitPrice: '100' }],
    })
    expect(draft).toMatchObject({ status: 'draft', number: null })
    // Neither one by one nor many at once, neither by the agent's own door nor by the call itself.
    const batch = {
      documents: [
        {
          type: 8,
          clientKey: 'b1',
          customerId: customer.id,
          lines: [{ description: 'x', unitPrice: '1' }],
        },
      ],
    }
    for (const [name, input] of [
      ['documents.issue', { id: draft.id }],
      ['documents.batch', batch],
    ] as const)
      await expect(use('call', { name, input })).rejects.toThrow(/No call of this key/)
    const answer = await world.http.inject({
      method: 'POST',
      url: `/api4/invoice/documents/${draft.id}/issue`,
      headers: { 'x-access-token': key, 'x-drafts-only': '1' },
      payload: {},
    })
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'kit.keyDraftsOnly'])
    expect((await owner.get(`/api4/invoice/documents/${draft.id}`)).status).toBe('draft')
    await client.close()
  })

  test('looks for what has no tool of its own, and is told what it takes', async () => {
    const { use } = await agent(await newKey())
    const { said: hits } = await use('search_calls', { query: 'VAT period' })
    expect(hits.map((one: { name: string }) => one.name)).toContain('vat.period')
    // What is asked for in so many words comes first; /invoice/ in a path is no invoice.
    const first = async (query: string, language = 'en') =>
      (
        (await (await agent(await newKey(), language)).use('search_calls', { query })).said as {
          name: string
        }[]
      )
        .slice(0, 8)
        .map(({ name }) => name)
    expect(await first('create document')).toContain('documents.create')
    expect(await first('לקוחות', 'he')).toContain('customers.list')
    expect((await use('describe_call', { name: 'vat.period' })).said.takes.properties).toHaveProperty(
      'period',
    )
    expect((await use('call', { name: 'vat.basis' })).said).toHaveProperty('basis')
    const wrong = await use('customers_create', { name: '' })
    expect([wrong.isError, wrong.said.fields[0].path]).toEqual([true, 'name'])
  })

  test.each(['make an invoice', 'צור חשבונית', 'إنشاء فاتورة', 'создать счёт', 'créer une facture'])(
    'finds how to draft a document among the first three: %s',
    async (query) => {
      const { use } = await agent(await newKey())
      const { said } = await use('search_calls', { query })
      expect(said.slice(0, 3).map((one: { name: string }) => one.name)).toContain('documents.create')
    },
  )

  test.each([
    ['list of customers', 'customers.list'],
    ['רשימת לקוחות', 'customers.list'],
    ['قائمة الزبائن', 'customers.list'],
    ['список клиентов', 'customers.list'],
    ['liste des clients', 'customers.list'],
    ['new expense', 'expenses.create'],
    ['הוצאה חדשה', 'expenses.create'],
    ['новый расход', 'expenses.create'],
    ['nouvelle dépense', 'expenses.create'],
  ])('finds by words of every language: %s', async (query, name) => {
    const { use } = await agent(await newKey())
    const { said } = await use('search_calls', { query })
    expect(said.slice(0, 5).map((one: { name: string }) => one.name)).toContain(name)
  })

  test('finds no more than its key may, and nothing that deletes or is a person’s own', async () => {
    const reader = await agent(await newKey({ readOnly: true }))
    expect(reader.tools).toContain('customers_list')
    expect(reader.tools).not.toContain('customers_create')
    const narrow = await agent(await newKey({ rules: [20] }))
    expect(narrow.tools).toContain('items_list')
    expect(narrow.tools).not.toContain('customers_list')
    const whole = await agent(await newKey())
    expect(
      (await whole.use('search_calls', { query: 'send file close pay' })).said.filter(
        (one: { name: string; changes: boolean }) => one.changes && !isForDrafts(called(one.name)),
      ),
    ).toEqual([])
    for (const name of [
      'customers.archive',
      'customers.change',
      'suppliers.changeBank',
      'standingOrders.create',
      'vat.file',
      'webhooks.create',
      'documents.send',
      'payPages.thanksKey',
      'practice.open',
      'session.changePassword',
      'apiKeys.make',
      'workers.invite',
      'documents.pdf',
      'documents.page',
      'leads.form',
    ])
      await expect(whole.use('call', { name, input: {} })).rejects.toThrow(/No call of this key/)
  })

  test('without a key, with a session or with nonsense is refused', async () => {
    const ask = (headers: Record<string, string>, payload: unknown) =>
      world.http.inject({ method: 'POST', url: '/api/mcp', headers, payload: payload as object })
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    expect((await ask({}, list)).statusCode).toBe(401)
    expect((await ask({ 'x-access-token': owner.token }, list)).statusCode).toBe(401)
    const key = await newKey()
    expect((await ask({ authorization: `Bearer ${key}` }, list)).statusCode).toBe(200)
    expect((await ask({ 'x-access-token': key }, [list])).statusCode).toBe(400)
    expect(
      (await ask({ 'x-access-token': key }, { jsonrpc: '2.0', method: 'notifications/initialized' }))
        .statusCode,
    ).toBe(202)
    expect(
      (await ask({ 'x-access-token': key }, { jsonrpc: '2.0', id: 2, method: 'no/such' })).json().error.code,
    ).toBe(-32601)
    expect((await world.http.inject({ method: 'GET', url: '/api/mcp' })).statusCode).toBe(405)
  })
})
