import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { z } from 'zod'
import { dayInJerusalem } from '../../domain/day.ts'
import { Failure, fail, type FieldError } from '../describe/errors.ts'
import { can } from '../describe/session.ts'
import { asCaller, type App, type Caller, type Language, type OpenCtx } from './context.ts'
import { asSystem, isAway, type Tx } from './db.ts'
import type { FileAnswer, Implementation } from './implement.ts'
import { throttle } from './throttle.ts'

export type FindCaller = (app: App, token: string) => Promise<Caller | undefined>

/** Codes that database functions raise, and the refusal each one means; features add theirs. */
export const databaseFailures: Record<string, (e: { message: string; detail?: string; constraint?: string }) => Failure> = {
  '23505': (e) => new Failure('kit.conflict', { what: e.constraint ?? '' }),
  '23503': () => new Failure('kit.badInput', {}, [{ path: '', code: 'fields.ref' }]),
  '23514': () => new Failure('kit.badInput', {}, [{ path: '', code: 'fields.range' }]),
  '22003': () => new Failure('kit.badInput', {}, [{ path: '', code: 'fields.range' }]),
  '22P02': () => new Failure('kit.badInput', {}, [{ path: '', code: 'fields.text' }]),
  '22021': () => new Failure('kit.badInput', {}, [{ path: '', code: 'fields.text' }]),
  '53100': () => new Failure('kit.unavailable', {}, [], 5),
  '55P03': () => fail('kit.keyRunning'),
}

export function failureOf(e: unknown): Failure {
  if (e instanceof Failure) return e
  const { code, statusCode } = e as { code?: string; statusCode?: number }
  if (code && databaseFailures[code]) return databaseFailures[code](e as { message: string })
  if (isAway(e)) return new Failure('kit.unavailable', {}, [], 1)
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || statusCode === 413) return fail('kit.tooLarge')
  if (statusCode && statusCode >= 400 && statusCode < 500) return fail('kit.badJson')
  return fail('kit.failed')
}

export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  failure: Failure,
  title: (code: string, failure: Failure) => string,
) {
  if (failure.retryAfter) reply.header('retry-after', failure.retryAfter)
  return reply
    .code(failure.status)
    .type('application/problem+json; charset=utf-8')
    .send({
      type: 'about:blank',
      title: title(`errors.${failure.code}`, failure),
      status: failure.status,
      detail: title(`errors.${failure.code}`, failure),
      // Without the query: it may hold a key.
      instance: request.url.split('?')[0],
      code: failure.code,
      params: failure.params,
      ...(failure.errors.length ? { errors: failure.errors } : {}),
    })
}

const languageOf = (request: FastifyRequest): Language => {
  const asked = String(request.headers['x-language'] ?? request.headers['accept-language'] ?? 'he').slice(0, 2)
  return (asked === 'iw' ? 'he' : (['he', 'en', 'ar', 'ru', 'fr'] as const).find((l) => l === asked)) ?? 'he'
}

/** Puts every implementation on its path. One place does it all: who calls, may he, is the input right, was this asked before. */
export function serve(fastify: FastifyInstance, app: App, implementations: Implementation[], findCaller: FindCaller): void {
  for (const implementation of implementations) {
    const { endpoint } = implementation
    fastify.route({
      method: endpoint.method,
      url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
      handler: async (request, reply) => answer(app, implementation, findCaller, request, reply),
    })
  }
}

async function answer(
  app: App,
  { endpoint, open, inside }: Implementation,
  findCaller: FindCaller,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const token = typeof request.headers['x-access-token'] === 'string' ? request.headers['x-access-token'] : undefined
  const address = request.ip
  if (endpoint.throttle) await throttle(app, `${endpoint.name}:${address}`, endpoint.throttle)
  const caller = inside ? await callerOf(app, findCaller, token, endpoint.access) : undefined
  const input = parse(endpoint.input, { ...(request.query as object), ...bodyOf(request.body), ...(request.params as object) })

  const key = request.headers['idempotency-key']
  const remembered = typeof key === 'string' && key !== '' && endpoint.method !== 'GET' && !endpoint.reads && !endpoint.file
  const scope = caller ? `${caller.companyId}:${caller.userId}` : 'open'
  if (remembered && key.length > 255) throw new Failure('kit.badInput', {}, [{ path: 'Idempotency-Key', code: 'fields.tooLong' }])
  const once = <T>(tx: Tx, run: () => Promise<T>): Promise<T> =>
    remembered ? rememberAnswer(tx, `${scope}:${endpoint.name}`, key, request, run) : run()

  let result: unknown
  if (inside) result = await asCaller(app, caller!, address, (ctx) => once(ctx.tx, () => inside(ctx, input as never)))
  else {
    result = await asSystem(app.db, (tx) => {
      const now = app.now()
      const ctx: OpenCtx = {
        app,
        tx,
        now,
        today: dayInJerusalem(now),
        address,
        agent: String(request.headers['user-agent'] ?? '').slice(0, 200),
        language: languageOf(request),
        token,
      }
      return once(tx, () => open!(ctx, input as never))
    })
    setImmediate(app.nudge)
  }
  if (endpoint.file) return sendFile(reply, result as FileAnswer)
  reply.header('cache-control', 'no-store')
  return reply.send(caller?.hideTotalPrices ? withoutFigures(result) : (result ?? null))
}

async function callerOf(
  app: App,
  findCaller: FindCaller,
  token: string | undefined,
  access: Implementation['endpoint']['access'],
): Promise<Caller> {
  const caller = token ? await findCaller(app, token) : undefined
  if (!caller) throw fail('session.needed')
  if (typeof access === 'object' && !can(caller, access.rule)) throw fail('session.forbidden')
  return caller
}

const bodyOf = (body: unknown): object => {
  if (body === undefined || body === null) return {}
  if (typeof body !== 'object' || Array.isArray(body)) throw fail('kit.badJson')
  return body
}

export function parse<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const errors: FieldError[] = parsed.error.issues.slice(0, 50).map((issue) => ({ path: issue.path.join('.'), ...codeOf(issue) }))
  throw new Failure('kit.badInput', {}, errors)
}

/** Our own schemas say their code; zod's own refusals are said in the same words. */
function codeOf(issue: z.core.$ZodIssue): { code: string; params?: Record<string, string | number> } {
  if (/^[a-z]\w*(\.\w+)+$/i.test(issue.message)) {
    const max = issue.code === 'too_big' ? { params: { max: Number(issue.maximum) } } : {}
    return { code: issue.message, ...max }
  }
  if (issue.code === 'invalid_type') return { code: issue.input === undefined ? 'fields.need' : 'fields.text' }
  if (issue.code === 'too_big')
    return { code: issue.origin === 'string' ? 'fields.tooLong' : 'fields.range', params: { max: Number(issue.maximum) } }
  if (issue.code === 'too_small') return { code: issue.origin === 'string' ? 'fields.need' : 'fields.range' }
  if (issue.code === 'unrecognized_keys') return { code: 'fields.unknown', params: { keys: issue.keys.join(', ').slice(0, 100) } }
  return { code: 'fields.text' }
}

/**
 * The first answer is kept in the transaction that made it: what was rolled back is not remembered, what was committed is.
 * A twin that comes while the first still runs waits for it a little, then is told so.
 */
async function rememberAnswer<T>(tx: Tx, scope: string, key: string, request: FastifyRequest, run: () => Promise<T>): Promise<T> {
  const hash = createHash('sha256')
    .update(`${request.method} ${request.url}\n${JSON.stringify(request.body ?? null)}`)
    .digest()
  await sql`set local lock_timeout = '3s'`.execute(tx)
  const { rows: fresh } =
    await sql`insert into idempotency_keys (scope, key, request_hash) values (${scope}, ${key}, ${hash}) on conflict do nothing returning 1`.execute(
      tx,
    )
  if (!fresh.length) {
    const { rows } = await sql<{
      request_hash: Buffer
      answer: T
    }>`select request_hash, answer from idempotency_keys where scope = ${scope} and key = ${key}`.execute(tx)
    if (!rows[0]) throw fail('kit.keyRunning')
    if (!rows[0].request_hash.equals(hash)) throw fail('kit.keyReused')
    return rows[0].answer
  }
  const result = await run()
  await sql`update idempotency_keys set status = 200, answer = ${JSON.stringify(result ?? null)} where scope = ${scope} and key = ${key}`.execute(
    tx,
  )
  return result
}

function sendFile(reply: FastifyReply, file: FileAnswer) {
  const ascii = file.name.replace(/[^\w.-]+/g, '_')
  return reply
    .type(file.mime)
    .header('cache-control', 'private, no-store')
    .header(
      'content-disposition',
      `${file.inline ? 'inline' : 'attachment'}; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(file.name)}`,
    )
    .send(Buffer.from(file.bytes))
}

/** HideTotalPrices takes the figures out of the answer, not only off the screen. */
export function withoutFigures(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutFigures)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, /(Agorot|[pP]rice|^cost|^figure)$/.test(key) ? null : withoutFigures(inner)]),
  )
}
