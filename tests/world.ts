import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { expect, inject } from 'vitest'
import type { Endpoint, InputOf, OutputOf } from '#kit/describe/endpoint.ts'
import { openDatabase } from '#kit/server/db.ts'
import type { App } from '#kit/server/context.ts'
import { createHttp } from '#kit/server/http.ts'
import { startWorker, type Worker } from '#kit/server/jobs.ts'
import { newKeyPair, type KeyPair } from '#kit/server/seal/certificates.ts'
import { readSettings } from '#kit/server/settings.ts'
import { createApp } from '#kit/server/start.ts'
import { completeCheckDigit } from '#domain/taxId.ts'
import type { BusinessKind } from '#domain/documents/kinds.ts'
import {
  doors,
  findCaller,
  implementations,
  jobs,
  languageFile,
  letterhead,
  reports,
  systemJobs,
  wingOf,
} from '../src/features.ts'
import { signUp } from '#features/base/companies/endpoints.ts'
import { createDocument } from '#features/sales/documents/endpoints.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    databaseUrl: string
    dataDir: string
  }
}

/** What the server answered when it refused. */
export class Refused extends Error {
  readonly status: number
  readonly code: string
  readonly errors: { path: string; code: string }[]
  readonly contentType: string
  constructor(
    status: number,
    body: { code?: string; errors?: { path: string; code: string }[] },
    contentType: string,
  ) {
    super(`${status} ${body.code} ${JSON.stringify(body.errors ?? [])}`)
    this.status = status
    this.code = body.code ?? ''
    this.errors = body.errors ?? []
    this.contentType = contentType
  }
}

export interface World {
  app: App
  http: FastifyInstance
  worker: Worker
  close: () => Promise<void>
}

let own: { file: string | undefined; url: Promise<string> } | undefined
let before: string | undefined

/** The folder of this test file's own server: keys, letters and messages that were kept. */
export let dataDir = ''

/** The database of this test file, for a process of its own. */
export let databaseUrl = ''

/** Test files that follow each other in one process each have a database and a folder of their own. */
function ownUrl(): Promise<string> {
  const file = expect.getState().testPath
  if (!own || own.file !== file) {
    own = { file, url: ownDatabase(inject('databaseUrl')) }
    dataDir = join(inject('dataDir'), randomUUID())
  }
  return own.url
}

/**
 * A copy of the migrated database for this test file: what a worker runs is then the file's own work, at the file's own time, however many
 * files run at once.
 */
async function ownDatabase(url: string): Promise<string> {
  const name = `t_${randomUUID().replaceAll('-', '')}`
  const copied = new URL(url)
  const template = copied.pathname.slice(1)
  const server = new URL(url)
  server.pathname = '/postgres'
  const client = new pg.Client({ connectionString: server.href })
  await client.connect()
  try {
    // The file before has ended; together they would fill what they are kept in.
    if (before) await client.query(`drop database if exists ${before} with (force)`)
    before = name
    // By the files: through the log each of its two thousand would be written twice.
    await client.query(`create database ${name} template ${pg.escapeIdentifier(template)} strategy file_copy`)
  } finally {
    await client.end()
  }
  copied.pathname = `/${name}`
  return copied.href
}

let keys: Promise<KeyPair> | undefined
/** To look for the primes of every business anew took a fifth of the time of all tests. */
const sameKeys = () => (keys ??= newKeyPair())

/** The whole server in process, over the real database; the worker runs only when a test drains it. */
export async function startWorld(clock: () => Date = () => new Date()): Promise<World> {
  databaseUrl = await ownUrl()
  const db = openDatabase(databaseUrl, 10)
  const app: App = {
    ...createApp(
      {
        ...readSettings(),
        dataDir,
        secretsFile: `${dataDir}/secrets.json`,
        logLevel: process.env.TEST_LOG ?? 'silent',
        smtpUrl: undefined,
        development: true,
      },
      db,
      () => 'http://pinkas.test',
    ),
    now: clock,
    newKeyPair: sameKeys,
  }
  const worker = startWorker(app, jobs, systemJobs, { poll: false })
  const http = await createHttp(app, {
    implementations,
    doors,
    reports,
    findCaller,
    languageFile,
    letterhead,
    wingOf,
  })
  await http.ready()
  return {
    app,
    http,
    worker,
    close: async () => {
      await http.close()
      await worker.stop()
      await db.close()
    },
  }
}

export interface CallOptions {
  token?: string
  key?: string
  address?: string
}

/** Calls an endpoint through the real handler: routing, rights, parsing, transaction, answer. */
export async function callAs<E extends Endpoint<any, any>>(
  world: World,
  endpoint: E,
  input: InputOf<E>,
  options: CallOptions = {},
): Promise<OutputOf<E>> {
  const answer = await raw(world, endpoint, input as Record<string, unknown>, options)
  if (answer.statusCode !== 200)
    throw new Refused(answer.statusCode, safeJson(answer.body), String(answer.headers['content-type']))
  return (endpoint.file ? answer.rawPayload : JSON.parse(answer.body)) as OutputOf<E>
}

export async function raw(
  world: World,
  endpoint: Endpoint<any, any>,
  input: Record<string, unknown>,
  { token, key, address }: CallOptions = {},
) {
  const rest = { ...input }
  const url = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name])
    delete rest[name]
    return encodeURIComponent(value)
  })
  const hasBody = endpoint.method !== 'GET' && endpoint.method !== 'DELETE'
  const bytes = rest.bytes
  if (endpoint.upload) delete rest.bytes
  const query =
    hasBody && !endpoint.upload
      ? ''
      : new URLSearchParams(
          Object.entries(rest)
            .filter(([, v]) => v !== undefined)
            .map(([k, v]): [string, string] => [k, String(v)]),
        ).toString()
  return world.http.inject({
    method: endpoint.method,
    url: query ? `${url}?${query}` : url,
    headers: {
      ...(token ? { 'x-access-token': token } : {}),
      ...(key ? { 'idempotency-key': key } : {}),
      ...(endpoint.upload ? { 'content-type': 'application/octet-stream' } : {}),
    },
    ...(endpoint.upload
      ? { payload: Buffer.from((bytes ?? '') as Uint8Array) }
      : hasBody
        ? { payload: rest }
        : {}),
    // Each test its own address, so that throttles do not add up over the run.
    remoteAddress:
      address ??
      `10.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}`,
  })
}

const safeJson = (text: string) => {
  try {
    return JSON.parse(text) as { code?: string }
  } catch {
    return { code: text.slice(0, 100) }
  }
}

let count = 0
/** A number with a right check digit that no other test uses. */
export const newTaxId = (): string =>
  completeCheckDigit(String(30_000_000 + ((Date.now() + count++ * 7919) % 9_999_999)))

export interface Business {
  token: string
  email: string
  password: string
  call: <E extends Endpoint<any, any>>(
    endpoint: E,
    input: InputOf<E>,
    options?: CallOptions,
  ) => Promise<OutputOf<E>>
  /** A plain request, for what has no endpoint object (described resources, reports). */
  get: <T = any>(path: string) => Promise<T>
  send: <T = any>(
    method: 'POST' | 'PATCH' | 'DELETE' | 'PUT',
    path: string,
    body?: unknown,
    key?: string,
  ) => Promise<T>
  /** Issues a tax invoice of one line; the sum is before VAT, in shekels. */
  invoice: (
    customerId: string,
    shekels: string,
    more?: Record<string, unknown>,
  ) => Promise<OutputOf<typeof createDocument>>
  customer: (name: string, more?: Record<string, unknown>) => Promise<{ id: string; name: string }>
}

/** Signs a new business up and gives the means to work in it. */
export async function newBusiness(
  world: World,
  { name = 'זרם טוב', kind = 'licensedDealer' as BusinessKind, language = 'he' as const } = {},
): Promise<Business> {
  const email = `owner${Date.now()}${count++}@example.com`
  const password = 'a long enough password'
  const { UserKey: token } = await callAs(world, signUp, {
    email,
    password,
    fullName: 'נועה ורדי',
    business: { name, kind, taxId: newTaxId() },
    language,
  })
  const request = async <T>(method: string, path: string, body?: unknown, key?: string): Promise<T> => {
    const answer = await world.http.inject({
      method: method as 'GET',
      url: path,
      headers: { 'x-access-token': token, ...(key ? { 'idempotency-key': key } : {}) },
      ...(body === undefined ? {} : { payload: body as object }),
    })
    if (answer.statusCode !== 200)
      throw new Refused(answer.statusCode, safeJson(answer.body), String(answer.headers['content-type']))
    return (
      String(answer.headers['content-type']).includes('json') ? JSON.parse(answer.body) : answer.rawPayload
    ) as T
  }
  const business: Business = {
    token,
    email,
    password,
    call: (endpoint, input, options) => callAs(world, endpoint, input, { token, ...options }),
    get: (path) => request('GET', path),
    send: (method, path, body, key) => request(method, path, body, key),
    invoice: (customerId, shekels, more = {}) =>
      business.call(createDocument, {
        type: 8,
        customerId,
        lines: [{ description: 'עבודה', quantity: '1', unitPrice: shekels }],
        ...more,
      }),
    customer: (customerName, more = {}) =>
      business.send('POST', '/api4/invoice/customers', { name: customerName, ...more }),
  }
  return business
}
