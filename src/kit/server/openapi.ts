import { z } from 'zod'
import type { Endpoint } from '#kit/describe/endpoint.ts'
import { errorStatus } from '#kit/describe/errors.ts'
import { wings, wingTitles, type Wing } from '#kit/describe/wings.ts'

const json = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Record<string, unknown>
  return made
}

/** What is answered beside the calls of the contract: for whoever runs the server, and the words. */
const plain: { path: string; name: string; summary: string; type: string; also?: object }[] = [
  { path: '/healthz', name: 'server.alive', summary: 'The process is alive', type: 'application/json' },
  { path: '/readyz', name: 'server.ready', summary: 'The database answers and is up to date', type: 'application/json' },
  { path: '/metrics', name: 'server.metrics', summary: 'Figures of the process for Prometheus', type: 'text/plain' },
  { path: '/api/openapi.json', name: 'server.describe', summary: 'This document', type: 'application/json' },
  {
    path: '/static/lang/{lang}.json',
    name: 'server.words',
    summary: 'All words of a language, with Settings.Direction and Validations',
    type: 'application/json',
    also: { parameters: [{ name: 'lang', in: 'path', required: true, schema: { type: 'string', pattern: '^[a-z]{2}$' } }] },
  },
]

/** OpenAPI 3.1 of every call, made from the contract, grouped as the house is. */
export function openapi(endpoints: Endpoint[], version: string, wingOf: ReadonlyMap<string, Wing>): object {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of endpoints) {
    const method = endpoint.method.toLowerCase()
    const schema = json(endpoint.input, 'input') as { properties?: Record<string, object>; required?: string[] }
    const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((m) => m[1]!)
    const rest = Object.entries(schema.properties ?? {}).filter(
      ([name]) => !inPath.includes(name) && !(endpoint.upload && name === 'bytes') && !(endpoint.raw && name === 'raw'),
    )
    const asQuery = endpoint.method === 'GET' || endpoint.method === 'DELETE' || !!endpoint.upload
    const statuses = [
      ...new Set([
        422,
        429,
        503,
        ...(endpoint.access === 'open' ? [] : [401, 403]),
        ...(endpoint.errors ?? []).map((e) => errorStatus[e] ?? 422),
      ]),
    ]
    ;(paths[endpoint.path] ??= {})[method] = {
      operationId: endpoint.name,
      summary: endpoint.summary,
      tags: [tagOf(endpoint.name)],
      security: endpoint.access === 'open' || endpoint.access === 'key' ? [] : [{ token: [] }],
      parameters: [
        ...inPath.map((name) => ({ name, in: 'path', required: true, schema: schema.properties?.[name] ?? { type: 'string' } })),
        ...(asQuery ? rest.map(([name, s]) => ({ name, in: 'query', required: schema.required?.includes(name) ?? false, schema: s })) : []),
        ...(endpoint.method !== 'GET' && !endpoint.reads
          ? [{ name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string', maxLength: 255 } }]
          : []),
      ],
      ...(endpoint.upload
        ? {
            requestBody: {
              required: true,
              content: {
                'application/octet-stream': { schema: { type: 'string', format: 'binary', maxLength: endpoint.upload.maxBytes } },
              },
            },
          }
        : {}),
      ...(endpoint.raw
        ? { requestBody: { required: true, content: { '*/*': { schema: { type: 'string', maxLength: endpoint.raw.maxBytes } } } } }
        : {}),
      ...(!asQuery && rest.length
        ? {
            requestBody: {
              required: true,
              content: {
                'application/json': {
                  schema: {
                    ...schema,
                    properties: Object.fromEntries(rest),
                    required: (schema.required ?? []).filter((r) => !inPath.includes(r)),
                  },
                },
              },
            },
          }
        : {}),
      responses: {
        200: endpoint.file
          ? { description: 'The file', content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } }
          : { description: 'The answer', content: { 'application/json': { schema: json(endpoint.output, 'output') } } },
        ...Object.fromEntries(
          statuses.map((status) => [
            status,
            { description: 'Refused', content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } },
          ]),
        ),
      },
    }
  }
  for (const { path, name, summary, type, also } of plain)
    paths[path] = {
      get: {
        operationId: name,
        summary,
        tags: ['server'],
        security: [],
        ...also,
        responses: { 200: { description: 'The answer', content: { [type]: { schema: {} } } } },
      },
    }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pinkas',
      version,
      description: 'One API for the application and for integrators. Money is whole agorot, days are YYYY-MM-DD, errors are problem+json.',
    },
    servers: [{ url: '/' }],
    'x-tagGroups': tagGroups(endpoints, wingOf),
    paths,
    components: {
      securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'x-access-token' } },
      schemas: {
        Problem: {
          type: 'object',
          required: ['type', 'title', 'status', 'code'],
          properties: {
            type: { type: 'string' },
            title: { type: 'string' },
            status: { type: 'integer' },
            detail: { type: 'string' },
            instance: { type: 'string' },
            code: { type: 'string', description: 'The word key without "errors."' },
            params: { type: 'object' },
            errors: {
              type: 'array',
              items: { type: 'object', properties: { path: { type: 'string' }, code: { type: 'string' }, params: { type: 'object' } } },
            },
          },
        },
      },
    },
  }
}

const tagOf = (call: string): string => call.split('.')[0]!

/** The tags of each wing under its title. What is of the kit (reports) stands with the books. */
function tagGroups(endpoints: Endpoint[], wingOf: ReadonlyMap<string, Wing>): { name: string; tags: string[] }[] {
  const wingOfTag = new Map<string, Wing>()
  for (const { name } of endpoints) {
    const wing = wingOf.get(name)
    if (wing && !wingOfTag.has(tagOf(name))) wingOfTag.set(tagOf(name), wing)
  }
  const tags = [...new Set(endpoints.map(({ name }) => tagOf(name)))].toSorted()
  return wings
    .map((wing) => ({ name: wingTitles[wing], tags: tags.filter((tag) => (wingOfTag.get(tag) ?? 'reports') === wing) }))
    .filter((group) => group.tags.length > 0)
    .concat({ name: 'The server', tags: ['server'] })
}
