import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type CallToolResult,
  type JSONRPCMessage,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js'
import { closedFields, isReading, type Endpoint } from '#kit/describe/endpoint.ts'
import { Failure, fail } from '#kit/describe/errors.ts'
import { refusalOf } from '#kit/server/http/api.ts'
import type { Caller, Language } from '#kit/server/context.ts'
import type { Door, Knock } from '#kit/server/http/doors.ts'
import { contract } from '#kit/server/openapi/contract.ts'
import { aboutOf, descriptionOf, summaryOf, tagOf, withMeanings } from '#kit/server/openapi/document.ts'
import { exampleFor } from '#kit/server/openapi/examples.ts'
import { inputSchema } from '#kit/server/openapi/schemas.ts'
import { say } from '#kit/server/words.ts'
import { tokens } from '#kit/server/http/api.ts'
import { isKey, tokenOf } from '#kit/server/http/asked.ts'
import { mainTools } from '../tools.ts'
import { searchCalls } from './search.ts'

/*
 * The Model Context Protocol over the same contract. An agent reads what its key may read and prepares what a
 * person then issues, approves or pays: it is held to drafts whatever the key may do.
 */

interface Agent {
  caller: Caller
  token: string
  language: Language
  knock: Knock
}

/** An agent is held to drafts whatever its key may do. */
const heldToDrafts = (caller: Caller): Caller =>
  caller.apiKey ? { ...caller, apiKey: { ...caller.apiKey, draftsOnly: true } } : caller

/** What an agent finds: the calls that are open to it, as far as JSON goes in and comes out. */
const mayFind = ({ caller }: Agent, endpoint: Endpoint): boolean =>
  !endpoint.file &&
  !endpoint.upload &&
  !endpoint.raw &&
  endpoint.access !== 'open' &&
  endpoint.access !== 'key' &&
  refusalOf(heldToDrafts(caller), endpoint) === undefined

const found = (agent: Agent): Endpoint[] =>
  contract().endpoints.filter((endpoint) => mayFind(agent, endpoint))
const toolName = (call: string): string => call.replace('.', '_')

/** Drafts are all an agent makes: it is not asked whether. */
const forced: Record<string, Record<string, unknown>> = { 'documents.create': { draft: true } }

const schemaOf = (endpoint: Endpoint, language: Language): Tool['inputSchema'] => {
  const { properties = {}, required } = withMeanings(inputSchema(endpoint), tagOf(endpoint.name), language)
  const hidden = new Set([...Object.keys(forced[endpoint.name] ?? {}), ...closedFields(endpoint)])
  const own = Object.entries(properties).filter(([name]) => !hidden.has(name))
  return {
    type: 'object',
    properties: Object.fromEntries(own) as Record<string, object>,
    ...(required ? { required } : {}),
  }
}

const generic: Tool[] = [
  {
    name: 'search_calls',
    description:
      'Finds calls of the API by words, in Hebrew, English, Arabic, Russian or French: make an invoice, VAT period, bank matching …',
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
      'Sends a call found by search_calls. It reads or prepares; a person issues, approves, pays and sends.',
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
    const about = [`${summaryOf(endpoint, 'en')}.`, aboutOf(endpoint, 'en')].filter(Boolean).join(' ')
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
        `No call of this key is named ${String(call).slice(0, 80)}. Look for it by search_calls; what is not found there is done by a person.`,
      )
    return endpoint
  }
  switch (name) {
    case 'search_calls': {
      const hits = searchCalls(all, String(given.query ?? ''))
      return told(
        hits.slice(0, 25).map((endpoint) => ({
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

/** Gives the server one message, and waits for what it sends. */
const answerOf = (server: Server, message: JSONRPCMessage): Promise<JSONRPCMessage> =>
  new Promise((resolve, reject) => {
    const transport: Transport = {
      start: async () => {},
      send: async (answer) => resolve(answer),
      close: async () => transport.onclose?.(),
    }
    server.connect(transport).then(() => transport.onmessage?.(message), reject)
  })

/**
 * Each message stands for itself: what is remembered between two is nothing, so any process may answer the
 * next.
 */
export const answer: Door['answer'] = async (app, knock) => {
  const token = tokenOf(knock.headers)
  const caller = token !== undefined && isKey(token) ? await knock.who(token) : undefined
  if (!caller?.apiKey || token === undefined)
    throw fail(token === undefined ? 'session.needed' : await tokens.refusalOf(app, token))
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
  try {
    return { status: 200, body: await answerOf(server, message as JSONRPCMessage) }
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
