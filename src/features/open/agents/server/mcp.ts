import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type CallToolResult,
  type JSONRPCMessage,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js'
import { areaOf } from '#kit/describe/area.ts'
import type { Endpoint } from '#kit/describe/endpoint.ts'
import { Failure, fail } from '#kit/describe/errors.ts'
import { can, isOff } from '#kit/describe/session.ts'
import type { Caller, Language } from '#kit/server/context.ts'
import type { Door, Knock } from '#kit/server/doors.ts'
import { contract } from '#kit/server/openapi/contract.ts'
import { descriptionOf, summaryOf, tagOf, withMeanings } from '#kit/server/openapi/document.ts'
import { exampleFor } from '#kit/server/openapi/examples.ts'
import { inputSchema } from '#kit/server/openapi/schemas.ts'
import { say } from '#kit/server/words.ts'
import { isKey } from '#features/open/apiKeys/server/index.ts'
import { mainTools } from '../tools.ts'

/*
 * The Model Context Protocol over the same contract. An agent reads what its key may read and prepares what a person then issues, approves or pays: it is held to
 * drafts whatever the key may do, and takes nothing away.
 */

interface Agent {
  caller: Caller
  token: string
  language: Language
  knock: Knock
}

const isReading = ({ method, reads }: Endpoint): boolean => method === 'GET' || reads === true

/** What an agent may find: JSON in and out, within the rights of its key, and nothing that deletes. */
function mayFind({ caller }: Agent, endpoint: Endpoint): boolean {
  const { access, file, upload, raw, method, path } = endpoint
  if (file || upload || raw || method === 'DELETE' || access === 'open' || access === 'key') return false
  if (path.toLowerCase().startsWith('/api/user/')) return false
  if (caller.apiKey?.readOnly && !isReading(endpoint)) return false
  const area = endpoint.area ?? (typeof access === 'object' ? areaOf(access.rule) : undefined)
  if (area && isOff(caller, area)) return false
  return typeof access !== 'object' || can(caller, access.rule)
}

const found = (agent: Agent): Endpoint[] =>
  contract().endpoints.filter((endpoint) => mayFind(agent, endpoint))
const toolName = (call: string): string => call.replace('.', '_')

/** Drafts are all an agent makes: it is not asked whether. */
const forced: Record<string, Record<string, unknown>> = { 'documents.create': { draft: true } }

const schemaOf = (endpoint: Endpoint, language: Language): Tool['inputSchema'] => {
  const { properties = {}, required } = withMeanings(inputSchema(endpoint), tagOf(endpoint.name), language)
  const own = Object.entries(properties).filter(([name]) => !(name in (forced[endpoint.name] ?? {})))
  return {
    type: 'object',
    properties: Object.fromEntries(own) as Record<string, object>,
    ...(required ? { required } : {}),
  }
}

const generic: Tool[] = [
  {
    name: 'search_calls',
    description: 'Finds calls of the API by words: customers, VAT period, bank matching …',
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string', description: 'A few words' } },
      required: ['query'],
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'describe_call',
    description: 'What a call takes, with an example',
    inputSchema: {
      type: 'object',
      properties: { name: { type: 'string', description: 'As search_calls says it: vat.period' } },
      required: ['name'],
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'call',
    description:
      'Sends a call found by search_calls. What would issue, approve, pay or delete is refused: a person does that.',
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'vat.period' },
        input: { type: 'object', description: 'As describe_call says' },
      },
      required: ['name'],
    },
  },
]

function toolsOf(agent: Agent): Tool[] {
  const may = new Map(found(agent).map((endpoint) => [endpoint.name, endpoint]))
  const own = mainTools.flatMap((name): Tool[] => {
    const endpoint = may.get(name)
    if (!endpoint) return []
    const about = `${summaryOf(endpoint, 'en')}. ${descriptionOf(endpoint, 'en')}`
    return [
      {
        name: toolName(name),
        description: name in forced ? `${about} Here it is always a draft, which a person issues.` : about,
        inputSchema: schemaOf(endpoint, 'en'),
        annotations: { readOnlyHint: isReading(endpoint), destructiveHint: false },
      },
    ]
  })
  return [...own, ...generic]
}

const mostShown = 60_000
const told = (value: unknown, isError = false): CallToolResult => {
  const text = JSON.stringify(value, null, 1)
  return {
    content: [
      {
        type: 'text',
        text: text.length > mostShown ? `${text.slice(0, mostShown)}\n… cut: ask for less` : text,
      },
    ],
    ...(isError ? { isError } : {}),
  }
}

async function send(
  { knock, token, language }: Agent,
  endpoint: Endpoint,
  input: Record<string, unknown>,
): Promise<CallToolResult> {
  const rest: Record<string, unknown> = { ...input, ...forced[endpoint.name] }
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value ?? ''))
  })
  try {
    return told(await knock.ask({ token, language, draftsOnly: true }, endpoint.method, path, rest))
  } catch (e) {
    if (!(e instanceof Failure)) throw e
    const { code, errors, params } = e
    return told(
      {
        refused: code,
        why: say(language, `errors.${code}`, params),
        ...(errors.length ? { fields: errors } : {}),
      },
      true,
    )
  }
}

async function callTool(agent: Agent, name: string, given: Record<string, unknown>): Promise<CallToolResult> {
  const all = found(agent)
  const named = (call: unknown): Endpoint => {
    const endpoint = all.find((one) => one.name === call)
    if (!endpoint)
      throw new McpError(
        ErrorCode.InvalidParams,
        `No call of this key is named ${String(call).slice(0, 80)}. Look for it by search_calls.`,
      )
    return endpoint
  }
  switch (name) {
    case 'search_calls': {
      const words = String(given.query ?? '')
        .toLowerCase()
        .split(/\W+/)
        .filter((word) => word.length > 1)
      const hits = all
        .map((endpoint) => {
          const text = `${endpoint.name} ${summaryOf(endpoint, 'en')} ${endpoint.path}`.toLowerCase()
          return { endpoint, score: words.filter((word) => text.includes(word)).length }
        })
        .filter(({ score }) => score > 0)
        .toSorted((a, b) => b.score - a.score)
      return told(
        hits
          .slice(0, 25)
          .map(({ endpoint }) => ({
            name: endpoint.name,
            summary: summaryOf(endpoint, 'en'),
            changes: !isReading(endpoint),
          })),
      )
    }
    case 'describe_call': {
      const endpoint = named(given.name)
      return told({
        name: endpoint.name,
        summary: summaryOf(endpoint, 'en'),
        about: descriptionOf(endpoint, 'en'),
        takes: schemaOf(endpoint, 'en'),
        example: exampleFor(endpoint),
      })
    }
    case 'call':
      return send(agent, named(given.name), (given.input ?? {}) as Record<string, unknown>)
    default: {
      const call = mainTools.find((one) => toolName(one) === name)
      if (!call) throw new McpError(ErrorCode.InvalidParams, `There is no tool named ${name.slice(0, 80)}`)
      return send(agent, named(call), given)
    }
  }
}

function serverFor(agent: Agent): Server {
  const server = new Server(
    { name: 'pinkas', version: contract().version },
    {
      capabilities: { tools: {} },
      instructions:
        'Books of an Israeli business. Sums are whole agorot (118000 is ₪1,180.00), days YYYY-MM-DD. You read and prepare: documents are drafts and expenses wait, until a person issues or approves them.',
    },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: toolsOf(agent) }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    callTool(agent, params.name, params.arguments ?? {}),
  )
  return server
}

const keyOf = ({ headers }: Knock): string => {
  const own = headers['x-access-token']
  const written = headers.authorization
  return typeof own === 'string'
    ? own
    : typeof written === 'string'
      ? written.replace(/^bearer\s+/i, '').trim()
      : ''
}

/** Each message stands for itself: what is remembered between two is nothing, so any process may answer the next. */
export const answer: Door['answer'] = async (_app, knock) => {
  const token = keyOf(knock)
  const caller = isKey(token) ? await knock.who(token) : undefined
  if (!caller?.apiKey) throw fail('session.needed')
  const message = knock.body as { jsonrpc?: unknown; id?: string | number; method?: unknown } | null
  if (
    message === null ||
    typeof message !== 'object' ||
    Array.isArray(message) ||
    message.jsonrpc !== '2.0' ||
    typeof message.method !== 'string'
  )
    throw fail('kit.badJson')
  // A notice wants no answer, and nothing here follows from one.
  if (message.id === undefined) return { status: 202, body: null }
  const server = serverFor({ caller, token, language: knock.language ?? caller.language, knock })
  const [ours, its] = InMemoryTransport.createLinkedPair()
  await server.connect(its)
  try {
    const said = new Promise<JSONRPCMessage>((resolve) => (ours.onmessage = resolve))
    await ours.start()
    await ours.send(message as JSONRPCMessage)
    return { status: 200, body: await said }
  } finally {
    await server.close()
  }
}

export const refusal: Door['refusal'] = (failure, language) => ({
  status: failure.status,
  body: {
    jsonrpc: '2.0',
    id: null,
    error: {
      code: -32_000,
      message: say(language, `errors.${failure.code}`, failure.params),
      data: { code: failure.code },
    },
  },
})
