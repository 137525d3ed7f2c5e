import { randomUUID } from 'node:crypto'
import { cpSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { expect, inject } from 'vitest'
import type { Endpoint, InputOf, OutputOf } from '#kit/describe/endpoint.ts'
import { openDatabase } from '#kit/server/data/db.ts'
import { asCaller, systemCaller, type App } from '#kit/server/context.ts'
import {
  chargeNow,
  planCardCharge,
  type CardOutcome,
  type CardWish,
} from '#features/money/acquirers/server/index.ts'
import { createHttp } from '#kit/server/http/http.ts'
import { startWorker, type Worker } from '#kit/server/work/jobs.ts'
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
import { openDemo } from '#features/office/demo/endpoints.ts'
import { createDocument } from '#features/sales/documents/endpoints.ts'
import { demoDatabase } from './setup/demoDatabase.ts'

declare global {
  var failedJobs: (() => Promise<string[]>) | undefined
}
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
    // The sentence of each field is said by its code (tests/credentials.test.ts).
    const errors = (body.errors ?? []).map(
      ({ detail: _, ...rest }: { path: string; code: string; detail?: string }) => rest,
    )
    super(`${status} ${body.code} ${JSON.stringify(errors)}`)
    this.status = status
    this.code = body.code ?? ''
    this.errors = errors
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

/** The database of this test file, for a separate process. */
export let databaseUrl = ''

/** Test files that follow each other in one process each have a separate database and folder. */
function ownUrl(): Promise<string> {
  const file = expect.getState().testPath
  if (!own || own.file !== file) {
    own = { file, url: ownDatabase(inject('databaseUrl')) }
    dataDir = join(inject('dataDir'), randomUUID())
  }
  return own.url
}

/** A connection to the server of the test databases, to none of them. */
async function onServer<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const server = new URL(inject('databaseUrl'))
  server.pathname = '/postgres'
  const client = new pg.Client({ connectionString: server.href })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/**
 * A copy of the migrated database for this test file: what a worker runs is then the file's own work, at the
 * file's own time, however many files run at once.
 */
async function ownDatabase(url: string): Promise<string> {
  const name = `t_${randomUUID().replaceAll('-', '')}`
  const copied = new URL(url)
  const template = copied.pathname.slice(1)
  await onServer(async (client) => {
    // The file before has ended; together they would fill what they are kept in.
    if (before) await client.query(`drop database if exists ${before} with (force)`)
    before = name
    // By the files: through the log each of its two thousand would be written twice.
    await client.query(`create database ${name} template ${pg.escapeIdentifier(template)} strategy file_copy`)
  })
  copied.pathname = `/${name}`
  return copied.href
}

let keys: Promise<KeyPair> | undefined
/** To look for the primes of every business again took a fifth of the time of all tests. */
const sameKeys = () => (keys ??= newKeyPair())

/**
 * The whole server in process, over the real database; the worker runs only when a test drains it. `through`: how
 * the database is reached, where a pooler is in front of it.
 */
export async function startWorld(
  clock: () => Date = () => new Date(),
  through?: (url: string) => string,
): Promise<World> {
  databaseUrl = await ownUrl()
  const db = through
    ? openDatabase(through(databaseUrl), 10, { isPooled: true })
    : openDatabase(databaseUrl, 10)
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
  // Shows the cause behind a failed test (tests/setup/jobs.ts).
  globalThis.failedJobs = async () => {
    const { rows } = await db.pool.query<{ name: string; last_error: string }>(
      'select name, last_error from outbox where last_error is not null order by created_at desc limit 5',
    )
    return rows.map((row) => `${row.name}: ${row.last_error}`)
  }
  const worker = startWorker(app, jobs, systemJobs, { poll: false, connections: 1 })
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
      globalThis.failedJobs = undefined
      await http.close()
      await worker.stop()
      await db.close()
    },
  }
}

/** The end of the demo business's year in `startDemo`. */
const demoNow = new Date('2026-11-20T10:00:00Z')

/**
 * The server over a copy of a database in which the demo business lived its year, at the year's last moment,
 * and the owner's token. The year takes longer than most test files: the first file of a run that needs it
 * makes it, and the others copy it.
 */
export async function startDemo(): Promise<{ world: World; token: string }> {
  const name = demoDatabase(inject('dataDir'))
  const folder = join(inject('dataDir'), name)
  const token = await onServer(async (client) => {
    // The other process of the run waits for the first one, and then copies.
    await client.query(`select pg_advisory_lock(hashtext('demo of the tests'))`)
    const { rows } = await client.query<{ token: string | null }>(
      `select shobj_description(oid, 'pg_database') as token from pg_database where datname = $1`,
      [name],
    )
    if (rows[0]?.token) return rows[0].token
    const world = await startWorld(() => demoNow)
    const { UserKey: made } = await callAs(world, openDemo, { language: 'he' })
    await world.close()
    await client.query(`alter database ${before} rename to ${name}`)
    renameSync(dataDir, folder)
    before = undefined
    await client.query(`comment on database ${name} is ${pg.escapeLiteral(made)}`)
    return made
  })
  const template = new URL(inject('databaseUrl'))
  template.pathname = `/${name}`
  const url = await ownDatabase(template.href)
  own = { file: expect.getState().testPath, url: Promise.resolve(url) }
  dataDir = join(inject('dataDir'), randomUUID())
  cpSync(folder, dataDir, { recursive: true })
  const world = await startWorld(() => demoNow)
  // A process caches totals of a business while this number is the same, and all copies are of one business.
  await world.app.db.pool.query(`select setval('book_changes', $1)`, [
    1_000_000_000 + Math.floor(Math.random() * 1e12),
  ])
  return { world, token }
}

export interface CallOptions {
  token?: string
  key?: string
  address?: string
  /** The browser's own random name (`x-device`). */
  device?: string
}

/** Calls an endpoint through the real handler: routing, rights, parsing, transaction, answer. */
export async function callAs<E extends Endpoint<any, any>>(
  world: World,
  endpoint: E,
  input: InputOf<E>,
  options: CallOptions = {},
): Promise<OutputOf<E>> {
  const answer = await raw(world, endpoint, input as Record<string, unknown>, options)
  if (answer.statusCode >= 300)
    throw new Refused(answer.statusCode, safeJson(answer.body), String(answer.headers['content-type']))
  return (endpoint.file ? answer.rawPayload : JSON.parse(answer.body)) as OutputOf<E>
}

export async function raw(
  world: World,
  endpoint: Endpoint<any, any>,
  input: Record<string, unknown>,
  { token, key, address, device }: CallOptions = {},
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
      ...(device ? { 'x-device': device } : {}),
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

/** Verifies the address of an account, as if the code from the email had been entered. */
export async function verifyAddress(world: World, email: string): Promise<void> {
  await world.app.db.pool.query(
    `with verified as (update users set email_verified_at = now() where email = $1 returning id)
      delete from verifications where user_id = (select id from verified)`,
    [email],
  )
  // Its email would come first in every mailbox that a test looks into.
  await world.app.db.pool.query(`delete from outbox where name = 'session.verifyMail' and done_at is null`)
}

/** Signs a new business up, with its owner's address verified unless `isVerified` is false, and gives the means to work in it. */
export async function newBusiness(
  world: World,
  {
    name = 'זרם טוב',
    kind = 'licensedDealer' as BusinessKind,
    language = 'he' as const,
    isVerified = true,
  } = {},
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
  if (isVerified) await verifyAddress(world, email)
  const request = async <T>(method: string, path: string, body?: unknown, key?: string): Promise<T> => {
    const answer = await world.http.inject({
      method: method as 'GET',
      url: path,
      headers: { 'x-access-token': token, ...(key ? { 'idempotency-key': key } : {}) },
      ...(body === undefined ? {} : { payload: body as object }),
    })
    if (answer.statusCode >= 300)
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

/** The system carrying out what a customer asked for, for tests of what lies under every order. */
export const payersCaller = (companyId: string) => ({
  ...systemCaller(companyId),
  own: 'payerPays' as const,
})

/** Charges a kept card as a feature does: planned in a transaction, then asked of the acquirer. */
export async function chargeCard(app: App, companyId: string, wish: CardWish): Promise<CardOutcome> {
  const id = await asCaller(app, payersCaller(companyId), '', (ctx) => planCardCharge(ctx, wish))
  return chargeNow(app, companyId, id)
}

/**
 * Puts another person into a business, with exactly these rights, and answers the means to work in it as that person.
 */
export async function newMate(
  world: World,
  companyId: string,
  rights: {
    rules?: number[]
    docsAllow?: number[]
    hideTotalPrices?: boolean
    ownCustomersOnly?: boolean
    typeId?: number
  } = {},
): Promise<Business & { userId: string }> {
  const mate = await newBusiness(world)
  const { rows } = await world.app.db.pool.query<{ id: string }>('select id from users where email = $1', [
    mate.email,
  ])
  const userId = rows[0]!.id
  await world.app.db.pool.query(
    `insert into memberships (company_id, user_id, type_id, rules, docs_allow, hide_total_prices, own_customers_only)
      values ($1, $2, $3, $4::int[], $5::smallint[], $6, $7)`,
    [
      companyId,
      userId,
      rights.typeId ?? 9,
      rights.rules ?? [],
      rights.docsAllow ?? [],
      rights.hideTotalPrices ?? false,
      rights.ownCustomersOnly ?? false,
    ],
  )
  await world.app.db.pool.query('update sessions set company_id = $1 where user_id = $2', [companyId, userId])
  return { ...mate, userId }
}
