import { timingSafeEqual } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import files from '@fastify/static'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { sql } from 'kysely'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { usualBody } from '#kit/describe/endpoint.ts'
import { Failure, fail, failField } from '#kit/describe/errors.ts'
import type { Wing } from '#kit/describe/wings.ts'
import { framedBy, sitesOf } from './framed.ts'
import { failureOf } from '../contract/failures.ts'
import { sendProblem, serve, whoAsked, type FindCaller } from './api.ts'
import { drained } from './drain.ts'
import { frameSources } from './frameSources.ts'
import { newId, type App } from '../context.ts'
import { serveDoors, type Door } from './doors.ts'
import { countGivenUp, waitingJobs } from '../work/givenUp.ts'
import type { Implementation } from '../contract/implement.ts'
import { serveLive } from './live.ts'
import { migrationNames } from '../data/migrate.ts'
import type { Letterhead } from '../described/exports/reportPdf.ts'
import { keepPace } from './pace.ts'
import { lostLines } from '../log.ts'
import { documentText, packedDocument, partText, provideContract } from '../openapi/contract.ts'
import { asksForPage, faceAt, inlineHashes, isPublicPage, robots, securityText, withFace } from './pages.ts'
import { openOwnPage, ownPageAt, shortcutAt } from './ownPages.ts'
import type { Report } from '../described/reports.ts'
import { serveReports } from '../described/serveReports.ts'
import { readText } from './textOf.ts'
import { isSecurityRefusal, logSecurity } from '../rights/securityLog.ts'
import { root } from '../settings.ts'
import { languages, say } from '../words.ts'

export interface Parts {
  implementations: Implementation[]
  doors?: readonly Door[]
  wingOf: ReadonlyMap<string, Wing>
  reports: Report[]
  findCaller: FindCaller
  languageFile: (lang: string) => object
  letterhead: Letterhead
}

const version = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version

const permissions = [
  'accelerometer',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
]
  .map((one) => `${one}=()`)
  // Barcodes are read by the camera, on our own pages alone.
  .concat('camera=(self)')
  .join(', ')

/** A request arrives whole within this time, and a connection on which nothing moves for so long is ended. */
const wholeRequestMs = 10 * 60_000
const silentMs = 3 * 60_000

/** The application (as it lies in `built`) and its API on one Fastify; it knows no feature by name. */
export async function createHttp(
  app: App,
  parts: Parts,
  built = join(root, 'dist/web'),
): Promise<FastifyInstance> {
  const page = existsSync(join(built, 'index.html'))
    ? readFileSync(join(built, 'index.html'), 'utf8')
    : undefined
  const fastify = Fastify({
    loggerInstance: app.log as unknown as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: usualBody.open,
    trustProxy: app.settings.publicUrl ? 'loopback' : false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    forceCloseConnections: 'idle',
    // While the server stops it answers in its own words (below).
    return503OnClosing: false,
    requestTimeout: wholeRequestMs,
    connectionTimeout: silentMs,
    exposeHeadRoutes: false,
    clientErrorHandler: refuseUnread,
    // Told with every answer and written with every line of the log, so that a call can be spoken of.
    genReqId: () => newId(),
    // What the framework refuses before a call is found (an address that is none, a part of it beyond reason)
    // is refused in the same words.
    frameworkErrors: (error, request, reply) => void sendProblem(request, reply, failureOf(error)),
  })

  keepPace(fastify)
  let isClosing = false
  fastify.addHook('preClose', async () => void (isClosing = true))
  fastify.addHook('onRequest', async () => {
    if (isClosing) throw new Failure('kit.unavailable', {}, [], 2)
  })

  // Who asks for the head alone is answered like one who asks for the whole: Node has noted by now that
  // nothing but the head goes out. A second route for each of a thousand took a tenth of a start.
  fastify.server.prependListener('request', (request) => {
    if (request.method === 'HEAD') request.method = 'GET'
  })

  fastify.setErrorHandler(async (error, request, reply) => {
    const failure = withType(withLimit(failureOf(error), request), request)
    if (failure.status >= 500 && failure.code === 'kit.failed')
      request.log.error(
        {
          err: { message: (error as Error).message, stack: (error as Error).stack },
          route: request.routeOptions.url,
        },
        'failed',
      )
    if (isSecurityRefusal(failure))
      logSecurity(app, 'refused', {
        reqId: request.id,
        code: failure.code,
        method: request.method,
        route: request.routeOptions.url,
        ...whoAsked(request),
        address: request.ip,
      })
    if (!(await drained(request.raw))) reply.header('connection', 'close')
    return sendProblem(request, reply, failure)
  })

  await fastify.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // The page itself bears one script, which the build wrote into it.
        scriptSrc: ["'self'", ...(page ? inlineHashes(page) : [])],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        frameSrc: [() => frameSources(app)],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: [(request) => framedBy(request.url)],
        workerSrc: ["'self'"],
        manifestSrc: ["'self'"],
      },
    },
    strictTransportSecurity: app.settings.publicUrl?.startsWith('https:') ? { maxAge: 31_536_000 } : false,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
  })
  // Nothing here asks for the place or a payment of the browser's own, so nothing that slips in may.
  fastify.addHook(
    'onRequest',
    async (request, reply) =>
      void reply.headers({ 'permissions-policy': permissions, 'request-id': request.id }),
  )
  // Work beside the page may be WebAssembly of our own; a page itself may not compile any.
  fastify.addHook('onSend', async (request, reply) => {
    if (/^\/assets\/[\w.-]*worker-[\w-]+\.js$/.test(request.url))
      reply.header(
        'content-security-policy',
        "default-src 'none';script-src 'self' 'wasm-unsafe-eval';connect-src 'self'",
      )
  })
  readText(fastify, (request) => whoAsked(request).company ?? request.ip)
  await fastify.register(compress, {
    global: true,
    threshold: 1024,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { 1: 4 } },
  })

  watch(fastify, app)
  const implementations = [...parts.implementations, ...serveReports(parts.reports, parts.letterhead)]
  serve(fastify, app, implementations, parts.findCaller)
  serveDoors(fastify, app, parts.doors ?? [], parts.findCaller)
  serveLive(fastify, app, parts.findCaller)

  provideContract({ endpoints: implementations.map((i) => i.endpoint), version, wingOf: parts.wingOf })
  fastify.get<{ Querystring: { language?: string; tag?: string; calls?: string } }>(
    '/api/openapi.json',
    async (request, reply) => {
      const language = languages.find((one) => one === request.query.language) ?? 'en'
      const takesPacked = /\bbr\b/.test(String(request.headers['accept-encoding'] ?? ''))
      reply.header('cache-control', 'no-cache').header('vary', 'accept-encoding').type('application/json')
      const { calls } = request.query
      if (calls !== undefined && calls !== 'keys' && calls !== 'all')
        throw failField('calls', 'fields.choice')
      const scope = calls ?? 'keys'
      if (request.query.tag !== undefined) {
        const part = await partText(language, String(request.query.tag).split(','))
        if (part === undefined) throw failField('tag', 'fields.choice')
        return reply.send(part)
      }
      return takesPacked
        ? reply.header('content-encoding', 'br').send(await packedDocument(language, scope))
        : reply.send(await documentText(language, scope))
    },
  )
  fastify.get<{ Params: { file: string } }>('/static/lang/:file', async (request, reply) => {
    const lang = /^([a-z]{2})\.json$/.exec(request.params.file)?.[1]
    if (!lang || ![...languages, 'iw'].includes(lang as never)) throw fail('kit.notFound')
    return reply.header('cache-control', 'no-cache').send(parts.languageFile(lang))
  })

  await servePages(
    fastify,
    app,
    built,
    page,
    methodsOf(
      implementations.map((i) => i.endpoint),
      parts.doors ?? [],
    ),
  )
  return fastify
}

/** A body that is too large is refused with the bytes that the call takes. */
function withLimit(failure: Failure, request: FastifyRequest): Failure {
  const { bodyLimit } = request.routeOptions
  return failure.code !== 'kit.tooLarge' || 'maxBytes' in failure.params || bodyLimit === undefined
    ? failure
    : fail('kit.tooLarge', { maxBytes: bodyLimit })
}

/** A body of a type that the call does not take is refused at its header, with the type that it takes. */
function withType(failure: Failure, { routeOptions, headers }: FastifyRequest): Failure {
  const { wants } = routeOptions.config as { wants?: string }
  if (failure.code !== 'http.wrongType' || wants === undefined) return failure
  const got = (headers['content-type'] ?? '').split(';')[0]!.slice(0, 100)
  const params = { wants, got }
  return new Failure(failure.code, params, [{ path: 'Content-Type', code: failure.code, params }])
}

/** A request that cannot be read as HTTP is refused in the form of every other refusal, and its connection ends. */
function refuseUnread(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const isLong = error.code === 'HPE_HEADER_OVERFLOW'
  const isSlow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const status = isLong ? 431 : isSlow ? 408 : 400
  const code = isLong ? 'kit.tooLarge' : 'kit.badInput'
  const detail = say('en', `errors.${code}`)
  const body = JSON.stringify({
    type: 'about:blank',
    title: detail,
    status,
    detail,
    code,
    requestId: newId(),
    errors: [],
  })
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/problem+json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}

/** Figures of the server are for programs on this machine, or for those that hold METRICS_TOKEN. */
function mayMeasure(app: App, { headers, socket }: FastifyRequest): boolean {
  const { metricsToken } = app.settings
  if (metricsToken) {
    const given = Buffer.from(String(headers.authorization ?? '').replace(/^Bearer /, ''))
    const wanted = Buffer.from(metricsToken)
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  }
  // What a proxy on this machine forwards comes from another one.
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
  return !isForwarded && /^(127\.|::1$|::ffff:127\.)/.test(socket.remoteAddress ?? '')
}

/** Health, readiness, metrics, and a line in the log for every call; keys in addresses are left out of it. */
function watch(fastify: FastifyInstance, app: App): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  const lost = new Gauge({
    name: 'log_lines_lost',
    help: 'Lines of the log that could not be written',
    registers: [],
    collect() {
      this.set(lostLines())
    },
  })
  registry.registerMetric(lost)
  registry.registerMetric(
    new Gauge({
      name: 'work_given_up',
      help: 'Work of the last thirty days that was given up after all tries, by kind',
      labelNames: ['kind'],
      registers: [],
      async collect() {
        for (const [kind, n] of Object.entries(await countGivenUp(app))) this.set({ kind }, n)
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'jobs_oldest_seconds',
      help: 'Since when the oldest job is due',
      registers: [],
      async collect() {
        this.set((await waitingJobs(app)).seconds)
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'jobs_waiting',
      help: 'Jobs that are due and not done',
      registers: [],
      async collect() {
        this.set((await waitingJobs(app)).jobs)
      },
    }),
  )
  fastify.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'page'
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    if (route.startsWith('/api'))
      request.log.info(
        {
          method: request.method,
          route,
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime),
          ...whoAsked(request),
        },
        'call',
      )
  })
  fastify.get('/healthz', async () => ({ status: 'alive' }))
  fastify.get('/readyz', async () => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from migrations`.execute(
      app.db.kysely,
    )
    if (rows[0]!.n < migrationNames().length) throw new Failure('kit.unavailable', {}, [], 1)
    return { status: 'ready', version }
  })
  fastify.get('/metrics', async (request, reply) => {
    if (!mayMeasure(app, request)) throw fail('kit.notFound')
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

/** Which methods the calls at a path take, for the answer to one that they do not take. */
function methodsOf(
  endpoints: readonly { method: string; path: string }[],
  doors: readonly Door[],
): (path: string) => string[] {
  const known = [...endpoints, ...doors].map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${path.replace(/\{\w+\}|:\w+/g, '[^/]+').replace(/[.]/g, '\\.')}/?$`),
  }))
  return (path) =>
    [...new Set(known.flatMap(({ method, pattern }) => (pattern.test(path) ? [method] : [])))].toSorted()
}

/** The built application: files with a hash in their name are kept for ever, the page itself never. */
async function servePages(
  fastify: FastifyInstance,
  app: App,
  built: string,
  page: string | undefined,
  methodsAt: (path: string) => string[],
): Promise<void> {
  if (page) {
    const kept = (reply: FastifyReply, howLong: string) => void reply.header('cache-control', howLong)
    // One route for the thousand files with a hash in their names: a route for each took a third of a second
    // of every start.
    await fastify.register(files, {
      root: join(built, 'assets'),
      prefix: '/assets/',
      decorateReply: false,
      index: false,
      preCompressed: true,
      setHeaders: (reply) => kept(reply, 'public, max-age=31536000, immutable'),
    })
    await fastify.register(files, {
      root: built,
      wildcard: false,
      index: false,
      // The build leaves packed files beside its files; nobody asks for them by their own names.
      preCompressed: true,
      globIgnore: ['**/*.br', 'assets/**'],
      setHeaders: (reply) => kept(reply, 'no-cache'),
    })
  } else if (!app.settings.development) app.log.warn('the application is not built; only its API is served')
  // Pictures and style sheets of white labels, laid there by the person who runs the server; the table `brands`
  // names them.
  const brands = join(app.settings.dataDir, 'brands')
  mkdirSync(brands, { recursive: true })
  await fastify.register(files, { root: brands, prefix: '/brands/', decorateReply: false, index: false })
  const plain = (reply: FastifyReply) =>
    reply.header('cache-control', 'public, max-age=86400').type('text/plain; charset=utf-8')
  fastify.get('/robots.txt', async (_request, reply) => plain(reply).send(robots))
  fastify.get('/.well-known/security.txt', async (_request, reply) => {
    const { securityContact } = app.settings
    if (!securityContact) throw fail('kit.notFound')
    return plain(reply).send(securityText(securityContact, app.publicUrl(), app.now()))
  })
  const ownFiles = new Map<string, string | undefined>()
  const htmlOf = (file: string): string | undefined => {
    if (!ownFiles.has(file))
      ownFiles.set(file, existsSync(join(built, file)) ? readFileSync(join(built, file), 'utf8') : undefined)
    return ownFiles.get(file)
  }
  fastify.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0]!
    if (page && asksForPage(request.method, path, request.headers.accept)) {
      const shortcut = await shortcutAt(app, request.url)
      if (shortcut) return reply.header('cache-control', 'no-cache').redirect(shortcut)
      const face = await faceAt(app, path)
      if (isPublicPage(path)) reply.header('x-robots-tag', 'noindex, nofollow')
      const own = ownPageAt(request.url)
      const ownHtml = own && htmlOf(own.file)
      const shown =
        ownHtml &&
        (await openOwnPage(
          app,
          own,
          ownHtml,
          request.url,
          face,
          request.headers['sec-fetch-dest'] === 'iframe',
        ))
      if (shown) {
        if (shown.framedBy.length) frameBy(reply, shown.framedBy)
        return reply.header('cache-control', 'no-store').type('text/html; charset=utf-8').send(shown.html)
      }
      const sites = await sitesOf(app, path)
      if (sites.length) frameBy(reply, sites)
      return reply
        .header('cache-control', 'no-cache')
        .type('text/html; charset=utf-8')
        .send(face ? withFace(page, face, app.publicUrl()) : page)
    }
    if (!/^\/api\d*(\/|$)/.test(path)) return sendProblem(request, reply, fail('kit.notFound'))
    const allowed = methodsAt(path)
    if (allowed.length === 0) return sendProblem(request, reply, fail('kit.noCall'))
    return sendProblem(request, reply.header('allow', allowed.join(', ')), fail('http.noMethod'))
  })
}

/** Lets the sites that were named frame an answer, and no other. */
function frameBy(reply: FastifyReply, sites: readonly string[]): void {
  const policy = String(reply.getHeader('content-security-policy') ?? '')
  reply.header(
    'content-security-policy',
    policy.replace(/frame-ancestors [^;]*/, `frame-ancestors ${sites.join(' ')}`),
  )
  reply.removeHeader('x-frame-options')
}
