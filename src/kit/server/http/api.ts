import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { z } from 'zod'
import { dayInJerusalem } from '#domain/day.ts'
import { bodyLimitOf, type Endpoint } from '#kit/describe/endpoint.ts'
import { Failure, fail, forbidden, type FieldError } from '#kit/describe/errors.ts'
import { areaOf } from '#kit/describe/area.ts'
import { can, isOff } from '#kit/describe/session.ts'
import type { FileOnDisk, RawBody } from '#kit/fields/schema.ts'
import { changesAreSeenUntil } from '../data/changes.ts'
import { asCaller, type App, type Caller, type Ctx, type Language, type OpenCtx } from '../context.ts'
import { asSystem, literal, type Frame, type Tx } from '../data/db.ts'
import {
  settled,
  type FileAnswer,
  type Implementation,
  type OutsideCtx,
  type StreamAnswer,
} from '../contract/implement.ts'
import { checkKeyInput, countKeyCall, keyRefusal } from './keys.ts'
import { atItsDay, parse } from '../contract/failures.ts'
import { checkAnswer } from '../contract/checkAnswer.ts'
import { onceByClientKey } from './clientKeys.ts'
import { cleanInput } from './clean.ts'
import { timed } from './largeBodies.ts'
import { followMerged } from '../data/merged.ts'
import { marksInput, type MarkedEntity, type Marks } from '#kit/fields/marks.ts'
import { madeBy, type Made } from '../contract/made.ts'
import { dropMarks, keepMarks, markedAs, noRecord, withMarks } from '../data/marks.ts'
import { countCall, rateHeaders, tooManyCalls } from './rates.ts'
import { languageAsked, tokenOf } from './asked.ts'
import { throttle } from './throttle.ts'
import { refuseInfected } from '../outside/scan.ts'
import { Turns } from '../data/turns.ts'
import { boundaryOf, FormFile } from './formFile.ts'
import { layDown, type LaidDown } from './uploads.ts'
import { isKnown, tagOf } from '../data/versions.ts'
import { encrypt, decrypt } from '../rights/vault.ts'
import { say } from '../words.ts'

export type FindCaller = (app: App, token: string, address: string) => Promise<Caller | undefined>

/** Whether a business has a paid module now; answered by the feature that keeps them. */
export const modules = {
  isPaid: async (_app: App, _companyId: string, _module: string): Promise<boolean> => false,
}

/** Why nobody calls with a token; answered by the feature that keeps API keys. */
export const tokens = {
  refusalOf: async (_app: App, _token: string): Promise<string> => 'session.needed',
}

/** Who made a call, as far as it is known, for the lines of the log. */
const callers = new WeakMap<FastifyRequest, Caller>()

/** The ids of the person, the business and the API key of a call; empty before they are known. */
export function whoAsked(request: FastifyRequest): { user?: string; company?: string; key?: string } {
  const caller = callers.get(request)
  if (!caller) return {}
  const { userId: user, companyId: company, apiKey } = caller
  return { user, company, ...(apiKey ? { key: apiKey.id } : {}) }
}

/** Calls of the person who sees no figures: a refusal contains none either. */
const figureless = new WeakSet<FastifyRequest>()

/** The sentence of a refusal; what it lacks must not turn a refusal into a failure. */
function sentenceOf(
  language: Language,
  { code, params }: Pick<FieldError, 'code' | 'params'>,
  otherwise: string,
): string {
  try {
    return say(language, `errors.${code}`, params)
  } catch {
    return say(language, `errors.${otherwise}`)
  }
}

/** What the caller of a refused call lacks, by its name on the screens. */
function lackSaid(language: Language, { code, params: { rule, sight } }: Pick<Failure, 'code' | 'params'>) {
  if (code !== 'session.forbidden') return undefined
  return sight === undefined
    ? say(language, 'api.says.rule', { rule: say(language, `team.rules.${rule}`) })
    : say(language, `api.says.sight.${sight}`)
}

/**
 * A call with a separate limit (passwords, codes, email) is refused while the caller has calls left: that limit is sent
 * beside theirs, so that no header of a 429 says that the same call may be sent again before `Retry-After`.
 */
function sayNoneLeft(reply: FastifyReply, seconds: number): void {
  const told = reply.getHeader('ratelimit')
  if (typeof told === 'string' && told.includes('r=0;')) return
  reply.headers({
    ratelimit: [told, `"call";r=0;t=${seconds}`].filter(Boolean).join(', '),
    'ratelimit-remaining': 0,
    'ratelimit-reset': seconds,
  })
}

export function sendProblem(request: FastifyRequest, reply: FastifyReply, failure: Failure) {
  if (failure.retryAfter) reply.header('retry-after', failure.retryAfter)
  if (failure.status === 429 && failure.retryAfter) sayNoneLeft(reply, failure.retryAfter)
  if (failure.status === 401)
    reply.header(
      'www-authenticate',
      `Bearer realm="Pinkas"${tokenOf(request.headers) === undefined ? '' : ', error="invalid_token"'}`,
    )
  const { params, errors } = figureless.has(request)
    ? (withoutFigures({ params: failure.params, errors: failure.errors }) as Pick<
        Failure,
        'params' | 'errors'
      >)
    : failure
  const language = languageAsked(request.headers) ?? 'he'
  const said = sentenceOf(language, { code: failure.code, params }, 'kit.badInput')
  return reply
    .code(failure.status)
    .type('application/problem+json; charset=utf-8')
    .send({
      type: 'about:blank',
      title: said,
      status: failure.status,
      detail: [said, lackSaid(language, failure)].filter(Boolean).join(' '),
      // Without the query: it may hold a key.
      instance: request.url.split('?')[0],
      code: failure.code,
      requestId: request.id,
      params,
      ...(errors.length
        ? {
            errors: errors.map((one) => ({ ...one, detail: sentenceOf(language, one, 'fields.text') })),
          }
        : {}),
    })
}

/**
 * Puts every implementation on its path. One place does it all: who calls, may they, is the input valid, was
 * this asked before.
 */
export function serve(
  fastify: FastifyInstance,
  app: App,
  implementations: Implementation[],
  findCaller: FindCaller,
): void {
  const makes = madeBy(implementations.map(({ endpoint }) => endpoint))
  const route = (to: FastifyInstance, implementation: Implementation) => {
    const { endpoint } = implementation
    const { former, name } = endpoint
    routeAt(to, implementation, endpoint.path, endpoint.deprecated)
    if (former) routeAt(to, implementation, former.path, { ...former, instead: name })
  }
  const routeAt = (
    to: FastifyInstance,
    implementation: Implementation,
    path: string,
    ends: Endpoint['deprecated'],
  ) => {
    const { endpoint } = implementation
    const made = makes(endpoint)
    const turns = new Turns({ most: 2, mostInAll: endpoint.upload?.atOnce ?? 4, mostWaiting: 20 })
    to.route({
      bodyLimit: bodyLimitOf(endpoint),
      config: { wants: endpoint.upload ? 'application/octet-stream' : 'application/json' } as object,
      method: endpoint.method,
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      // A call that is refused whatever it says is refused before its body is read.
      onRequest: async (request, reply) => {
        if (endpoint.anyOrigin) openToAll(reply)
        // Refusals say so too.
        if (ends) sayDeprecated(reply, ends)
        await admit(app, implementation, findCaller, request, reply)
      },
      handler: async (request, reply) => {
        const { upload } = endpoint
        if (!upload || !(request.body instanceof Readable))
          return answer(app, implementation, made, request, reply)
        // A form is longer than the file in it: what it promises says nothing.
        const promised = request.body instanceof FormFile ? NaN : Number(request.headers['content-length'])
        const laid = (request.body = await layDown(request.body, upload.maxBytes, promised))
        if (upload.toFile && !upload.atOnce) return answer(app, implementation, made, request, reply)
        // It came at the sender's speed; only now, for as long as it is worked on, it is in memory.
        const work = async () => {
          if (!upload.toFile) request.body = await readFile(laid.path)
          return answer(app, implementation, made, request, reply)
        }
        return turns.take(request.ip, work, goneOf(reply)).finally(() => laid.drop())
      },
    })
  }
  // A browser asks before a page of another site sends JSON.
  for (const path of new Set(
    implementations.flatMap(({ endpoint }) => (endpoint.anyOrigin ? [endpoint.path] : [])),
  ))
    fastify.options(path.replace(/\{(\w+)\}/g, ':$1'), async (_request, reply) =>
      openToAll(reply)
        .header('access-control-allow-methods', 'GET, POST')
        .header('access-control-allow-headers', 'content-type')
        .header('access-control-max-age', '86400')
        .code(204)
        .send(),
    )
  for (const one of implementations) if (!isLaidDown(one.endpoint) && !one.endpoint.raw) route(fastify, one)
  // What others send in their own form is read by the function that knows it.
  void fastify.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    for (const one of implementations) if (one.endpoint.raw) route(scope, one)
  })
  // Their bodies are left in the stream, to be laid on the disk once it is known who calls.
  void fastify.register(async (scope) => {
    scope.addContentTypeParser('application/octet-stream', (_request, stream, done) => done(null, stream))
    scope.addContentTypeParser('multipart/form-data', (request, stream, done) => {
      const boundary = boundaryOf(request.headers['content-type'] ?? '')
      if (boundary === undefined) return done(fail('http.wrongType'))
      const query = request.query as Record<string, unknown>
      const form = new FormFile(boundary, (name) => (query.name ??= name))
      // A refused form is read to its end, so that its sender hears why.
      form.on('error', () => stream.resume())
      stream.on('error', (e: Error) => form.destroy(e))
      done(null, stream.pipe(form))
    })
    scope.addHook('onResponse', async ({ body }) => (body as Partial<LaidDown> | undefined)?.drop?.())
    for (const one of implementations) if (isLaidDown(one.endpoint)) route(scope, one)
  })
}

/** Bodies that are laid on the disk while they come: a slow sender takes no memory meanwhile. */
const isLaidDown = ({ upload }: Endpoint): boolean => upload !== undefined

const deviceOf = ({ headers }: FastifyRequest): string | undefined => {
  const given = headers['x-device']
  return typeof given === 'string' && /^[\w-]{22,64}$/.test(given) ? given : undefined
}

/** For pages of other sites: without credentials, so that no session of theirs or ours goes along. */
const openToAll = (reply: FastifyReply): FastifyReply =>
  reply.header('access-control-allow-origin', '*').header('cross-origin-resource-policy', 'cross-origin')

/** Who was found to call, while the body is read. */
const admitted = new WeakMap<FastifyRequest, Caller>()

/** Who calls, and whether they may, as far as that does not depend on what is sent. */
async function admit(
  app: App,
  { endpoint, inside }: Implementation,
  findCaller: FindCaller,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const address = request.ip
  if (!inside) await countedCall(app, address, reply)
  if (endpoint.throttle) await throttle(app, `${endpoint.name}:${address}`, endpoint.throttle)
  if (!inside) return
  const caller = await callerOf(app, findCaller, tokenOf(request.headers), endpoint, request, reply)
  if (caller.hideTotalPrices) figureless.add(request)
  admitted.set(request, caller)
}

async function answer(
  app: App,
  { endpoint, open, inside, isOutside, turn }: Implementation,
  made: Made | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const token = tokenOf(request.headers)
  const address = request.ip
  const caller = inside ? admitted.get(request) : undefined
  if (endpoint.upload && request.body)
    await refuseInfected(app, request.body as Uint8Array | FileOnDisk, whoAsked(request))
  const body = endpoint.raw
    ? { raw: rawOf(request) }
    : endpoint.upload
      ? { bytes: request.body }
      : bodyOf(request.body)
  const asked = timed(request, () =>
    cleanInput({ ...(request.query as object), ...body, ...(request.params as object) }),
  )
  if (caller?.apiKey && !endpoint.raw) refuseUnknownNames(endpoint, request.query as object)
  const { marks, rest } = endpoint.marks ? takeMarks(asked as object) : { marks: {}, rest: asked }
  const input = timed(request, () => parse(endpoint.input, rest))
  if (caller) checkKeyInput(caller, endpoint, input)
  const ifMatch = matchOf(request, endpoint)

  const key = request.headers['idempotency-key']
  const remembered =
    typeof key === 'string' &&
    key !== '' &&
    endpoint.method !== 'GET' &&
    !endpoint.reads &&
    !endpoint.file &&
    !endpoint.raw
  const scope = caller ? `${caller.companyId}:${caller.apiKey?.id ?? caller.userId}` : 'open'
  if (remembered && key.length > 255)
    throw new Failure('kit.badInput', {}, [{ path: 'Idempotency-Key', code: 'fields.tooLong' }])
  /** The status of an answer that was given before. */
  let first: number | undefined
  const statusOf = (answered: unknown): number => first ?? (made?.at(answered) === undefined ? 200 : 201)
  /** The program learns that its call did nothing new. */
  const isRepeated = (status: number) => {
    first = status
    reply.header('idempotent-replayed', 'true')
  }
  const memory =
    remembered && !isOutside
      ? rememberAnswer(app, `${scope}:${endpoint.name}`, key, request, statusOf)
      : undefined
  const once = <T>(tx: Tx, run: () => Promise<T>): Promise<T> =>
    memory ? memory.once(tx, run, isRepeated) : run()

  const from = caller?.apiKey ? `${caller.apiKey.prefix}… ${address}` : address
  const openCtx = (tx: Tx): OpenCtx => {
    const now = app.now()
    const agent = String(request.headers['user-agent'] ?? '').slice(0, 200)
    return {
      app,
      tx,
      now,
      today: dayInJerusalem(now),
      address,
      agent,
      language: languageAsked(request.headers) ?? 'he',
      token,
      device: deviceOf(request),
      gone: goneOf(reply),
    }
  }
  const outside = (run: () => Promise<unknown>) =>
    remembered
      ? onceOutside(app, `${scope}:${endpoint.name}`, key, requestHash(request), run, statusOf, isRepeated)
      : run()
  let result: unknown
  if (inside && isOutside)
    result = await outside(() =>
      (inside as unknown as (ctx: OutsideCtx, given: unknown) => Promise<unknown>)(
        {
          app,
          caller: caller!,
          companyId: caller!.companyId,
          within: (work) => asCaller(app, caller!, from, work),
        },
        input,
      ),
    )
  else if (inside) {
    // Before the transaction of the read: what it does not see began after this.
    const follows =
      endpoint.method === 'GET' && (request.query as { updatedSince?: unknown }).updatedSince !== undefined
    const seenUntil = follows ? await changesAreSeenUntil(app) : undefined
    const act = async (ctx: Ctx) => {
      const followed = endpoint.method === 'GET' ? input : await followMerged(ctx, input)
      return endpoint.marks
        ? marked(ctx, endpoint, endpoint.marks, marks, followed, inside)
        : inside(ctx, followed as never)
    }
    const run = () =>
      asCaller(
        app,
        caller!,
        from,
        (ctx) =>
          once(ctx.tx, () =>
            onceByClientKey(
              ctx,
              endpoint,
              asked as object,
              () => act(ctx),
              // The record was there before this call.
              () => isRepeated(200),
            ),
          ),
        // The figures of one answer belong together: none is from before a payment that another one counts. A
        // preview by POST may try its action and roll it back, and waits its turn for that.
        { frame: memory?.frame, ofOneMoment: endpoint.method === 'GET', ifMatch, seenUntil },
      )
    const thing = await turn?.(input as never, { app, companyId: caller!.companyId })
    result = await (thing === undefined ? run() : app.db.turns.take(thing, run, goneOf(reply))).catch(
      (e: unknown) => {
        throw atItsDay(e, input)
      },
    )
  }
  // The person who opens a page goes inside its business from here: one who held a connection meanwhile would wait
  // for a second one, and as many at once as there are connections would wait for each other. What only looks
  // holds none; what changes something is let in while enough of them are left.
  else if (isOutside)
    result = await outside(() => open!(openCtx(app.db.kysely as unknown as Tx), input as never))
  else if (endpoint.method === 'GET')
    result = await open!(openCtx(app.db.kysely as unknown as Tx), input as never)
  else {
    const run = () =>
      asSystem(app.db, (tx) => once(tx, () => open!(openCtx(tx), input as never)), memory?.frame)
    result = await app.db.entries.take('', run, goneOf(reply))
    setImmediate(app.nudge)
  }
  result = await settled(result)
  // A browser that sees another mark than before asks what its person may now, and its menu follows.
  if (caller) reply.header('x-rights', rightsMark(caller))
  if (endpoint.file) return sendFile(reply, result as FileAnswer | StreamAnswer)
  reply.header('cache-control', 'no-store')
  // Rows of which only some fields were asked for are not whole.
  const isPart = endpoint.filters && (input as { fields?: string }).fields
  if (app.settings.development && !isPart) checkAnswer(endpoint, result)
  const at = made?.at(result)
  if (at !== undefined) reply.code(statusOf(result)).header('location', at)
  const told = caller?.hideTotalPrices ? withoutFigures(result) : (result ?? null)
  const text = JSON.stringify(told)
  const tag = tagOf(told, text)
  if (tag) {
    reply.header('etag', tag)
    if (endpoint.method === 'GET' && isKnown(request.headers['if-none-match'], tag))
      return reply.code(304).send()
  }
  return reply.type('application/json; charset=utf-8').send(text)
}

/** Names that a call takes; undefined where it reads any (the filters of a list). */
function namesOf(schema: z.ZodType): Set<string> | undefined {
  if (schema instanceof z.ZodPipe) return namesOf(schema.in as z.ZodType)
  if (schema instanceof z.ZodIntersection) {
    const sides = [namesOf(schema.def.left as z.ZodType), namesOf(schema.def.right as z.ZodType)]
    return sides.every((one) => one !== undefined) ? new Set(sides.flatMap((one) => [...one!])) : undefined
  }
  if (!(schema instanceof z.ZodObject)) return undefined
  const { catchall } = schema.def
  return catchall === undefined || catchall instanceof z.ZodNever
    ? new Set(Object.keys(schema.shape))
    : undefined
}
const takenNames = new WeakMap<Endpoint, Set<string> | undefined>()

/**
 * Refuses a program the names of a query that the call does not know, as lists do: a misspelt `expand` would be passed
 * over in silence. A page of ours may be older than the server for a while, so that this applies to keys only.
 */
function refuseUnknownNames(endpoint: Endpoint, query: object): void {
  if (!takenNames.has(endpoint)) takenNames.set(endpoint, namesOf(endpoint.input))
  const taken = takenNames.get(endpoint)
  const unknown = Object.keys(query).filter(
    (name) =>
      taken && !taken.has(name) && !(endpoint.marks && (name === 'externalId' || name === 'metadata')),
  )
  if (unknown.length)
    throw new Failure(
      'kit.badInput',
      {},
      unknown
        .slice(0, 50)
        .map((path) => ({ path, code: 'fields.unknown', params: { keys: path.slice(0, 60) } })),
    )
}

/** Tells when the person who asked went away: an answer that ends before it was written. */
function goneOf({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort()
  })
  return gone.signal
}

/** The marks of programs beside the fields of the call itself, which does not know them. */
function takeMarks(asked: object): { marks: Marks; rest: object } {
  const { externalId, metadata, ...rest } = asked as Record<string, unknown>
  const given = {
    ...(externalId === undefined ? {} : { externalId }),
    ...(metadata === undefined ? {} : { metadata }),
  }
  return { marks: parse(marksInput, given), rest }
}

/**
 * Runs a call whose record carries marks: a list is asked by them, what is sent is kept with the record, what
 * is answered tells them to programs.
 */
async function marked(
  ctx: Ctx,
  { method, output, name }: Endpoint,
  entity: MarkedEntity,
  marks: Marks,
  input: unknown,
  inside: NonNullable<Implementation['inside']>,
): Promise<unknown> {
  const isList = output instanceof z.ZodObject && 'rows' in output.shape
  if (method === 'GET' && isList && marks.externalId)
    return withMarks(
      ctx,
      entity,
      await inside(ctx, {
        ...(input as object),
        ids: (await markedAs(ctx, entity, marks.externalId)) ?? noRecord,
      } as never),
    )
  const answer = await inside(ctx, input as never)
  const id = (answer as { id?: unknown } | undefined)?.id
  if (name.endsWith('.delete')) await dropMarks(ctx, entity, String((input as { id?: unknown }).id))
  else if (method !== 'GET' && typeof id === 'string') await keepMarks(ctx, entity, id, marks)
  const isTold = ctx.caller.apiKey || marks.externalId !== undefined || marks.metadata !== undefined
  return isTold ? withMarks(ctx, entity, answer) : answer
}

/**
 * Whose version a change is meant for; where a call cannot tell versions apart, saying one is refused rather
 * than passed over.
 */
function matchOf(request: FastifyRequest, { matches, method }: Endpoint): string | undefined {
  const asked = request.headers['if-match']
  if (typeof asked !== 'string' || asked === '' || asked === '*' || method === 'GET') return undefined
  if (!matches) throw fail('kit.cannotMatch')
  return asked
}

/** Announced: since when, until when, and what takes its place (RFC 9745, RFC 8594). */
function sayDeprecated(
  reply: FastifyReply,
  { since, until, instead }: NonNullable<Endpoint['deprecated']>,
): void {
  reply.headers({
    deprecation: `@${Math.floor(Date.parse(since) / 1000)}`,
    sunset: new Date(`${until}T23:59:59Z`).toUTCString(),
    link: `</api/doc?call=${instead}>; rel="successor-version", </api/doc?page=changes>; rel="deprecation"`,
  })
}

const rightsMark = ({
  rules,
  docsAllow,
  areasOff,
  typeId,
  subTypeId,
  hideTotalPrices,
  ownCustomersOnly,
  screens,
  mustSetFactor,
}: Caller): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        rules,
        docsAllow,
        areasOff,
        typeId,
        subTypeId,
        hideTotalPrices,
        ownCustomersOnly,
        screens,
        // Absent, it leaves the mark what it was.
        ...(mustSetFactor ? [mustSetFactor] : []),
      ]),
    )
    .digest('base64url')
    .slice(0, 12)

/** Counts a call of the person who has no key, and refuses it beyond the limit before anything of it is done. */
async function countedCall(app: App, who: string, reply: FastifyReply): Promise<void> {
  const room = await countCall(app, who)
  reply.headers(rateHeaders(who.startsWith('session:') ? 'session' : 'address', room))
  if (room.over) throw tooManyCalls(room)
}

/** Why a caller may not make a call, whatever is sent: the limits of an API key, an area that is off, a right. */
export function refusalOf(caller: Caller, endpoint: Endpoint): Failure | undefined {
  const ofKey = keyRefusal(caller, endpoint)
  if (ofKey) return fail(ofKey)
  if (caller.mustSetFactor && !endpoint.ownAccount) return fail('session.factorNeeded')
  const { access } = endpoint
  const area = endpoint.area ?? (typeof access === 'object' ? areaOf(access.rule) : undefined)
  if (area && isOff(caller, area)) return fail('kit.areaOff', { area })
  if (typeof access === 'object' && !can(caller, access.rule)) return forbidden({ rule: access.rule })
  return undefined
}

async function callerOf(
  app: App,
  findCaller: FindCaller,
  token: string | undefined,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  const found = token ? await findCaller(app, token, request.ip) : undefined
  // A program may hold itself to less than its key may.
  const caller =
    found?.apiKey && request.headers['x-drafts-only'] === '1'
      ? { ...found, apiKey: { ...found.apiKey, draftsOnly: true } }
      : found
  if (caller) callers.set(request, caller)
  if (!caller?.apiKey) await countedCall(app, caller ? `session:${caller.sessionId}` : request.ip, reply)
  if (!caller) throw fail(token === undefined ? 'session.needed' : await tokens.refusalOf(app, token))
  // A page that was opened for another business of the same person must not write into this one.
  const meant = request.headers['x-company']
  if (typeof meant === 'string' && meant !== '' && meant !== caller.companyId) throw fail('kit.otherCompany')
  if (caller.apiKey) {
    const room = await countKeyCall(app, caller.companyId, caller.apiKey.id)
    reply.headers(rateHeaders('key', room))
    if (room.over) throw new Failure('kit.tooMany', {}, [], room.reset)
  }
  const refused = refusalOf(caller, endpoint)
  // The page learns by the mark that the business requires something new.
  if (refused?.code === 'session.factorNeeded') reply.header('x-rights', rightsMark(caller))
  if (refused) throw refused
  const { access } = endpoint
  if (
    typeof access === 'object' &&
    access.module &&
    !(await modules.isPaid(app, caller.companyId, access.module))
  )
    throw fail('kit.moduleNeeded', { module: access.module })
  if (endpoint.verified && !caller.emailVerified) throw fail('session.verifyFirst')
  return caller
}

const rawOf = ({ body, headers }: FastifyRequest): RawBody => ({
  bytes: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
})

const bodyOf = (body: unknown): object => {
  if (body === undefined) return {}
  // JSON that says `null` is no object of fields, and no missing body either.
  if (body === null || typeof body !== 'object' || Buffer.isBuffer(body) || Array.isArray(body))
    throw fail('kit.badJson')
  return body
}

/** A body on the disk is the same when its content is, wherever it lies. */
const sameBody = (body: unknown): unknown => (body as FileOnDisk | undefined)?.sha256 ?? body

const requestHash = (request: FastifyRequest): Buffer =>
  createHash('sha256')
    .update(`${request.method} ${request.url}\n`)
    .update(Buffer.isBuffer(request.body) ? request.body : JSON.stringify(sameBody(request.body) ?? null))
    .digest()

const sealedAnswer = (app: App, result: unknown): string =>
  JSON.stringify({
    sealed: encrypt(app.secrets.vault, Buffer.from(JSON.stringify(result ?? null))).toString('base64'),
  })

/**
 * The first answer is kept in the transaction that made it: what was rolled back is not remembered, what was
 * committed is. A twin that comes while the first still runs waits for it a little, then learns so. Kept
 * sealed: an answer may hold the key of a session. Asking and keeping ride along with the opening and the end
 * of the transaction.
 */
function rememberAnswer(
  app: App,
  scope: string,
  key: string,
  request: FastifyRequest,
  statusOf: (answered: unknown) => number,
) {
  const hash = requestHash(request)
  let isFirst = false
  let keeps: string | undefined
  const frame: Frame = {
    // The person who is first may wait longer for what others hold: they are nobody's twin.
    before: `set local lock_timeout = '3s'; insert into idempotency_keys (scope, key, request_hash)
      values (${literal(scope)}, ${literal(key)}, '\\x${hash.toString('hex')}') on conflict do nothing returning set_config('lock_timeout', '20s', true)`,
    opened: (rows) => void (isFirst = rows.length > 0),
    after: () => keeps,
  }
  const once = async <T>(tx: Tx, run: () => Promise<T>, isRepeated: (status: number) => void): Promise<T> => {
    keeps = undefined
    if (!isFirst) {
      const known = await firstAnswer<T>(app, tx, scope, key, hash)
      if (known === running) throw fail('kit.keyRunning')
      isRepeated(known.status)
      return known.answer
    }
    const result = await settled(await run())
    keeps = `update idempotency_keys set status = ${statusOf(result)}, answer = ${literal(sealedAnswer(app, result))} where scope = ${literal(scope)} and key = ${literal(key)}`
    return result
  }
  return { frame, once }
}

/** A call outside that has not ended by then died with its process: the person who repeats it may run it. */
const outsideSeconds = 300
/** As long as a twin waits for a transaction (`lock_timeout` above). */
const twinWaits = { times: 12, ms: 250 }

/**
 * The same for what has no transaction to be remembered in: the key is taken first, alone, and
 * the answer laid beside it in the end. What was refused gives the key back. Where the process dies, or what
 * comes after a commit fails, a repeat runs again: that is why such a command bears it.
 */
async function onceOutside(
  app: App,
  scope: string,
  key: string,
  hash: Buffer,
  run: () => Promise<unknown>,
  statusOf: (answered: unknown) => number,
  isRepeated: (status: number) => void,
): Promise<unknown> {
  const db = app.db.kysely
  for (let waited = 0; ; waited++) {
    const { rows: taken } = await sql`insert into idempotency_keys as k (scope, key, request_hash)
        values (${scope}, ${key}, ${hash})
      on conflict (scope, key) do update set created_at = now()
        where k.answer is null and k.request_hash = excluded.request_hash
          and k.created_at < now() - make_interval(secs => ${outsideSeconds}) returning 1`.execute(db)
    if (taken.length) break
    const known = await firstAnswer<unknown>(app, db as unknown as Tx, scope, key, hash)
    if (known !== running) {
      isRepeated(known.status)
      return known.answer
    }
    if (waited === twinWaits.times) throw fail('kit.keyRunning')
    await wait(twinWaits.ms)
  }
  let result: unknown
  try {
    result = await settled(await run())
  } catch (e) {
    await sql`delete from idempotency_keys where scope = ${scope} and key = ${key} and answer is null`
      .execute(db)
      .catch(() => undefined)
    throw e
  }
  // It is done: the person who asked hears so, whether it can be written down or not.
  await sql`update idempotency_keys set status = ${statusOf(result)},
      answer = ${sealedAnswer(app, result)}::jsonb
    where scope = ${scope} and key = ${key}`
    .execute(db)
    .catch((e: unknown) => app.log.warn({ err: (e as Error).message }, 'an answer could not be kept'))
  return result
}

/** Of a call whose first is not over. */
const running = Symbol('running')

async function firstAnswer<T>(
  app: App,
  tx: Tx,
  scope: string,
  key: string,
  hash: Buffer,
): Promise<{ answer: T; status: number } | typeof running> {
  const { rows } = await sql<{
    request_hash: Buffer
    answer: { sealed: string } | null
    status: number | null
  }>`select request_hash, answer, status from idempotency_keys
    where scope = ${scope} and key = ${key}`.execute(tx)
  // Gone: the first was refused a moment ago.
  if (!rows[0]) return running
  if (!rows[0].request_hash.equals(hash)) throw fail('kit.keyReused')
  const { answer, status } = rows[0]
  return answer
    ? {
        answer: JSON.parse(decrypt(app.secrets.vault, Buffer.from(answer.sealed, 'base64')).toString()) as T,
        status: status ?? 200,
      }
    : running
}

function sendFile(reply: FastifyReply, file: FileAnswer | StreamAnswer) {
  const ascii = file.name.replace(/[^\w.-]+/g, '_')
  return reply
    .type(file.mime)
    .header('cache-control', 'private, no-store')
    .header(
      'content-disposition',
      `${file.inline ? 'inline' : 'attachment'}; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(file.name)}`,
    )
    .send('pieces' in file ? streamOf(reply, file) : Buffer.from(file.bytes))
}

const streamOf = (reply: FastifyReply, { pieces }: StreamAnswer): Readable =>
  Readable.from(typeof pieces === 'function' ? pieces(goneOf(reply)) : pieces, { objectMode: false })

/**
 * What describes a column or a filter under the name of a figure is no figure: it goes with the figure, or a
 * screen would stumble over it.
 */
const isDescription = (value: unknown): boolean =>
  value !== null && typeof value === 'object' && typeof (value as { kind?: unknown }).kind === 'string'

/** HideTotalPrices takes the figures out of the answer, not only off the screen. */
export function withoutFigures(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutFigures)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
      if (!/(^agorot|Agorot|[pP]rice|^cost|^figure|^suggested)$/.test(key))
        return [[key, withoutFigures(inner)]]
      return isDescription(inner) ? [] : [[key, null]]
    }),
  )
}
