import type { FastifyInstance } from 'fastify'
import { Failure } from '#kit/describe/errors.ts'
import { usualBody, type Method } from '#kit/describe/endpoint.ts'
import { failureOf } from '../contract/failures.ts'
import type { FindCaller } from './api.ts'
import type { App, Caller, Language } from '../context.ts'
import { drained } from './drain.ts'
import { languageAsked } from './asked.ts'

/** The caller, and the language of refusals. */
export interface Asking {
  token: string
  language: Language
  /** Held to drafts, whatever the key may do. */
  draftsOnly?: true
}

/** What a program of another world sent. */
export interface Knock {
  params: Record<string, string>
  body: unknown
  headers: Record<string, string | string[] | undefined>
  /** Who has this token or key; undefined when nobody has. */
  who: (token: string) => Promise<Caller | undefined>
  /**
   * Makes a call of the contract as the owner of the token: with the same rights, limits, log and memory of repeats
   * (`key`) as a direct call. Throws its refusal.
   */
  ask: <T>(
    of: Asking,
    method: Method,
    path: string,
    input?: Record<string, unknown>,
    key?: string,
  ) => Promise<T>
  /** The language that was asked for, where one was. */
  language: Language | undefined
}

/** A door of another shape over the same calls: it reads what comes, asks, and words the answer. */
export interface Door {
  method: Method
  /** As the router takes it: `/api/v1/:name`. */
  path: string
  /** Bytes of its body, where that is more than usual. */
  maxBody?: number
  answer: (app: App, knock: Knock) => Promise<{ status: number; body: unknown }>
  /** What went wrong before there was a knock (no JSON, too large) or inside it, in the door's own shape. */
  refusal: (failure: Failure, language: Language) => { status: number; body: unknown }
}

/** What is reported of the limit of a caller. */
const rateNames = [
  'ratelimit',
  'ratelimit-policy',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
]

/** Puts doors on their paths. They ask by the server itself, so that no rule can be gone round. */
export function serveDoors(
  fastify: FastifyInstance,
  app: App,
  doors: readonly Door[],
  findCaller: FindCaller,
): void {
  for (const door of doors)
    void fastify.register(async (scope) => {
      scope.setErrorHandler(async (error, request, reply) => {
        const failure = failureOf(error)
        if (failure.status >= 500)
          request.log.error(
            { err: { message: (error as Error).message, stack: (error as Error).stack } },
            'failed',
          )
        if (failure.retryAfter) void reply.header('retry-after', failure.retryAfter)
        if (!(await drained(request.raw))) void reply.header('connection', 'close')
        const { status, body } = door.refusal(failure, languageAsked(request.headers) ?? 'he')
        return reply.code(status).send(body)
      })
      scope.route<{ Params: Record<string, string> }>({
        method: door.method,
        url: door.path,
        bodyLimit: door.maxBody ?? usualBody.other,
        handler: async (request, reply) => {
          const ask: Knock['ask'] = async (
            { token, language, draftsOnly },
            method,
            path,
            input = {},
            key,
          ) => {
            const isQuery = method === 'GET' || method === 'DELETE'
            const pairs = Object.entries(input).filter(([, value]) => value !== undefined)
            const query = new URLSearchParams(
              pairs.map(([name, value]): [string, string] => [name, String(value)]),
            ).toString()
            const answer = await fastify.inject({
              method,
              url: isQuery && query ? `${path}?${query}` : path,
              remoteAddress: request.ip,
              headers: {
                'x-access-token': token,
                'x-language': language,
                ...(draftsOnly ? { 'x-drafts-only': '1' } : {}),
                ...(key === undefined ? {} : { 'idempotency-key': key }),
              },
              ...(isQuery ? {} : { payload: Object.fromEntries(pairs) }),
            })
            for (const name of rateNames)
              if (answer.headers[name] !== undefined) void reply.header(name, answer.headers[name])
            if (answer.statusCode < 300) return answer.json()
            const told = answer.json<{
              code: string
              params?: Failure['params']
              errors?: Failure['errors']
            }>()
            const after = Number(answer.headers['retry-after'] ?? 0)
            throw new Failure(told.code, told.params ?? {}, told.errors ?? [], after || undefined)
          }
          const { status, body } = await door.answer(app, {
            params: request.params,
            body: request.body,
            headers: request.headers,
            language: languageAsked(request.headers),
            who: (token) => findCaller(app, token, request.ip),
            ask,
          })
          return reply.header('cache-control', 'no-store').code(status).send(body)
        },
      })
    })
}
