import type { operations } from './api.js'

/** The version of the contract that this client was made with. */
export const version = '0.4.0'

/** Every call by its name: `documents.create`, `customers.list`. */
export type CallName = keyof operations

type Parameters<N extends CallName, Where extends string> = operations[N] extends {
  parameters: { [W in Where]?: infer P }
}
  ? P
  : never
type Body<N extends CallName> = operations[N] extends {
  requestBody: { content: { 'application/json': infer B } }
}
  ? B
  : undefined
type Answered<N extends CallName> = operations[N] extends
  | { responses: { 200: { content: infer C } } }
  | { responses: { 201: { content: infer C } } }
  ? C extends { 'application/json': infer A }
    ? A
    : Uint8Array
  : never

/** What a call takes, by where it is sent. */
export interface Input<N extends CallName> {
  path?: Parameters<N, 'path'>
  query?: Parameters<N, 'query'> & Record<string, string | number | boolean | undefined>
  body?: Body<N>
  /** The bytes of a file, for calls that take one. */
  bytes?: Uint8Array
}
export type Answer<N extends CallName> = Answered<N>

export interface Options {
  /** `pk_live_…` or `pk_test_…`. */
  key: string
  /** `https://books.example`. */
  base: string
  /** The language of refusals: he, en, ar, ru or fr. */
  language?: string
  /** How often a call without an answer, or with an answer that asks for a wait, is sent again; 3 when absent. */
  retries?: number
  /** Milliseconds to wait for an answer; 30,000 when absent. */
  timeout?: number
  fetch?: typeof fetch
}

export interface CallOptions {
  /** The same key for the same action: it is done once. Made for each call where absent. */
  idempotencyKey?: string
  /** The ETag of the record as you know it. */
  ifMatch?: string
  signal?: AbortSignal
}

/** A refusal as the server said it. */
export class PinkasError extends Error {
  override name = 'PinkasError'
  constructor(
    readonly status: number,
    /** What to go by: it never changes. */
    readonly code: string,
    message: string,
    readonly errors: readonly { path: string; code: string; params?: Record<string, unknown> }[],
    /** Tell it when you ask about the call. */
    readonly requestId: string | undefined,
  ) {
    super(message)
  }
}

interface Route {
  method: string
  path: string
}

/** Calls the API: `await client.call('documents.create', { body })`. */
export class Pinkas {
  private readonly options: Required<Pick<Options, 'retries' | 'timeout' | 'language'>> & Options
  private routes: Promise<Record<string, Route>> | undefined

  constructor(options: Options) {
    this.options = { retries: 3, timeout: 30_000, language: 'en', ...options }
  }

  /**
   * Sends a call and answers what it answers. One idempotency key goes with all tries, so that what changes
   * something is done once however often it had to be sent. Throws PinkasError on a refusal.
   */
  async call<N extends CallName>(name: N, input: Input<N> = {}, more: CallOptions = {}): Promise<Answer<N>> {
    const { method, path } = await this.routeOf(name)
    const filled = path.replace(/\{(\w+)\}/g, (_, part: string) => {
      const value = (input.path as Record<string, unknown> | undefined)?.[part]
      if (value === undefined) throw new TypeError(`${name} needs ${part} in its path`)
      return encodeURIComponent(String(value))
    })
    const pairs = Object.entries(input.query ?? {}).filter(([, value]) => value !== undefined)
    const query = new URLSearchParams(
      pairs.map(([key, value]): [string, string] => [key, String(value)]),
    ).toString()
    const headers: Record<string, string> = {
      'x-access-token': this.options.key,
      'x-language': this.options.language,
      ...(method === 'GET' ? {} : { 'idempotency-key': more.idempotencyKey ?? crypto.randomUUID() }),
      ...(more.ifMatch ? { 'if-match': more.ifMatch } : {}),
      ...(input.bytes
        ? { 'content-type': 'application/octet-stream' }
        : input.body === undefined
          ? {}
          : { 'content-type': 'application/json' }),
    }
    const body = input.bytes ?? (input.body === undefined ? undefined : JSON.stringify(input.body))
    const answer = await this.send(
      `${this.options.base}${filled}${query ? `?${query}` : ''}`,
      { method, headers, body: body as BodyInit | undefined },
      more.signal,
    )
    const type = answer.headers.get('content-type') ?? ''
    return (
      type.includes('json') ? await answer.json() : new Uint8Array(await answer.arrayBuffer())
    ) as Answer<N>
  }

  /** Every row of a list, page after page; rows that come meanwhile shift nothing. */
  async *all<N extends CallName>(
    name: N,
    input: Input<N> = {},
  ): AsyncGenerator<Answer<N> extends { rows: (infer R)[] } ? R : never> {
    let after: string | undefined
    do {
      const page = (await this.call(name, {
        ...input,
        query: { limit: 200, ...input.query, ...(after ? { after } : {}) } as never,
      })) as unknown as {
        rows: never[]
        nextCursor?: string | null
      }
      yield* page.rows
      after = page.nextCursor ?? undefined
    } while (after)
  }

  /**
   * What changed in a list since a mark, page after page. Keep `nextSince` of the last page once its rows are stored, and
   * begin with it next time: nothing is missed, and some rows come twice.
   */
  async *changes<N extends CallName>(
    name: N,
    since = '1970-01-01T00:00:00Z',
    input: Input<N> = {},
  ): AsyncGenerator<{ rows: Answer<N> extends { rows: infer R } ? R : never; nextSince: string }> {
    let after: string | undefined
    do {
      const page = (await this.call(name, {
        ...input,
        query: { limit: 200, ...input.query, updatedSince: since, ...(after ? { after } : {}) } as never,
      })) as unknown as { rows: never; nextCursor?: string | null; nextSince: string }
      yield { rows: page.rows, nextSince: page.nextSince }
      after = page.nextCursor ?? undefined
    } while (after)
  }

  /** Where each call lives, from the server itself. */
  private async routeOf(name: string): Promise<Route> {
    this.routes ??= this.readRoutes().catch((e: unknown) => {
      this.routes = undefined
      throw e
    })
    const route = (await this.routes)[name]
    if (!route) throw new TypeError(`there is no call named ${name}`)
    return route
  }

  private async readRoutes(): Promise<Record<string, Route>> {
    const answer = await this.send(`${this.options.base}/api/docs/menu`, { method: 'GET', headers: {} })
    const { groups } = (await answer.json()) as {
      groups: { tags: { calls: ({ name: string } & Route)[] }[] }[]
    }
    const routes: Record<string, Route> = {}
    for (const { tags } of groups)
      for (const { calls } of tags)
        for (const { name, method, path } of calls) routes[name] = { method, path }
    return routes
  }

  private async send(url: string, init: RequestInit, signal?: AbortSignal): Promise<Response> {
    const ask = this.options.fetch ?? fetch
    for (let attempt = 0; ; attempt++) {
      let answer: Response | undefined
      try {
        const timeout = AbortSignal.timeout(this.options.timeout)
        answer = await ask(url, { ...init, signal: signal ? AbortSignal.any([signal, timeout]) : timeout })
        if (answer.ok) return answer
      } catch (e) {
        if (signal?.aborted || attempt >= this.options.retries) throw e
      }
      if (answer) {
        const again =
          answer.status === 429 ||
          answer.status === 503 ||
          answer.status === 502 ||
          answer.status === 504 ||
          answer.status === 500
        // The first of two twins still runs: its answer is this one's too.
        const refused = await refusalOf(answer)
        if ((!again && refused.code !== 'kit.keyRunning') || attempt >= this.options.retries) throw refused
      }
      const told = Number(answer?.headers.get('retry-after') ?? 0) * 1000
      await new Promise((go) => setTimeout(go, told || 250 * 2 ** attempt + Math.random() * 100))
    }
  }
}

async function refusalOf(answer: Response): Promise<PinkasError> {
  const said = (await answer.json().catch(() => ({}))) as {
    code?: string
    title?: string
    errors?: PinkasError['errors']
  }
  return new PinkasError(
    answer.status,
    said.code ?? `http.${answer.status}`,
    said.title ?? `HTTP ${answer.status}`,
    said.errors ?? [],
    answer.headers.get('request-id') ?? undefined,
  )
}

/** A notice that was checked. */
export interface Notice {
  id: string
  type: string
  timestamp: string
  data: Record<string, unknown>
}

const toleranceSeconds = 300

/** The bytes of a signature; undefined where it is no base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))
  } catch {
    return undefined
  }
}

/**
 * Checks a webhook (Standard Webhooks) and answers what it says; throws where the signature is none of this
 * secret, or is older than five minutes. `body` is the text as it came, before any parsing. The same `id` may
 * come twice: take each once.
 */
export async function verifyWebhook(
  secret: string,
  headers: Headers | Record<string, string | string[] | undefined>,
  body: string,
  now = Date.now(),
): Promise<Notice> {
  const header = (name: string): string => {
    if (headers instanceof Headers) return headers.get(name) ?? ''
    const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
    return Array.isArray(found) ? (found[0] ?? '') : (found ?? '')
  }
  const [id, timestamp, signatures] = [
    header('webhook-id'),
    header('webhook-timestamp'),
    header('webhook-signature'),
  ]
  const at = Number(timestamp)
  if (!id || !Number.isFinite(at) || Math.abs(now / 1000 - at) > toleranceSeconds)
    throw new Error('webhook: no id, or the time is off')
  const bytes = Uint8Array.from(atob(secret.replace(/^whsec_/, '')), (c) => c.charCodeAt(0))
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ])
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  for (const one of signatures.split(' ')) {
    const [version, value = ''] = one.split(',', 2)
    if (version !== 'v1') continue
    const mark = bytesOf(value)
    // While secrets change there are several signatures; one that cannot be read is not the last word.
    if (mark && (await crypto.subtle.verify('HMAC', key, mark, signed)))
      return { id, ...(JSON.parse(body) as Omit<Notice, 'id'>) }
  }
  throw new Error('webhook: the signature does not fit')
}
