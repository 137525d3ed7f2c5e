import type { Endpoint, InputOf, OutputOf } from '#kit/describe/endpoint.ts'
import type { FieldError, Params } from '#kit/describe/errors.ts'

/*
 * One way to the server. An endpoint is a plain object, so its path and method are read from it, and its
 * types by inference; its schemas are the server's business and are never run here.
 */

/**
 * A refusal of the server with words: `errors.<code>`, filled with `params`; `errors` point at fields of the
 * input.
 */
export class CallFailure extends Error {
  readonly code: string
  readonly status: number
  readonly params: Params
  readonly errors: readonly FieldError[]
  /** The server's own sentence in the language of the call; shown when the words do not know the code. */
  readonly title: string
  readonly retryAfterSeconds: number | undefined

  constructor(of: {
    code: string
    status: number
    params?: Params
    errors?: readonly FieldError[]
    title?: string
    retryAfterSeconds?: number | undefined
  }) {
    super(of.title || of.code)
    this.name = 'CallFailure'
    this.code = of.code
    this.status = of.status
    this.params = of.params ?? {}
    this.errors = of.errors ?? []
    this.title = of.title ?? ''
    this.retryAfterSeconds = of.retryAfterSeconds
  }
}

/** The code of a failure without any answer: 'Network Error'. */
export const networkErrorCode = 'kit.network'
export const isNetworkError = (e: unknown): boolean => e instanceof CallFailure && e.code === networkErrorCode

export interface CallOptions {
  signal?: AbortSignal | undefined
  /** No network notice: work behind the screen that the person did not ask for. */
  quiet?: boolean
  /** The same key on purpose: an action that outlives the page (a kept draft being issued again). */
  idempotencyKey?: string
  /** Not for the business of this page but for the person: switching from one business to another. */
  anyCompany?: boolean
}

/** What the calls stand on; the browser's by default, given by hand in tests. */
export interface Ground {
  fetch: typeof fetch
  wait: (ms: number) => Promise<void>
  newKey: () => string
  base: () => string
  token: () => string | undefined
  language: () => string
  /** A random name of this browser, by which the server knows it again when an account is opened in it. */
  device: () => string
  /**
   * The business this page was opened for; the server refuses the call when the session is in another one by
   * now.
   */
  company?: () => string | undefined
  onOtherCompany?: () => void
  /** The server no longer knows the session whose token was sent. */
  onSessionEnded: (token: string) => void
  onNetworkError: () => void
  /** A refusal is about to be told: its words are to be there. */
  beforeRefusal?: (failure: CallFailure) => Promise<void>
  /** A mark of the rights the server answered by; another one than before means that they have changed. */
  onRights?: (mark: string) => void
}

export const retries = 2
export const retryDelayMs = 1000
/** Longer nobody looks at a screen that says nothing. */
const longestWaitSeconds = 5

const repeated = new Set([500, 401, 404])

type Any = Endpoint<any, any>

/** Makes the two ways to call, over a given ground. */
export function makeCaller(ground: Ground) {
  async function send(
    endpoint: Any,
    input: Record<string, unknown>,
    { signal, quiet, idempotencyKey, anyCompany }: CallOptions,
  ): Promise<Response> {
    const { path, query, body } = parts(endpoint, input)
    const url = ground.base() + path + (query ? `?${query}` : '')
    const token = ground.token()
    const headers: Record<string, string> = {
      'content-type': endpoint.upload ? 'application/octet-stream' : 'application/json',
      'cache-control': 'no-cache',
      'x-language': ground.language(),
    }
    if (token) headers['x-access-token'] = token
    if (endpoint.method !== 'GET') headers['x-device'] = ground.device()
    const company = token && !anyCompany ? ground.company?.() : undefined
    if (company) headers['x-company'] = company
    // One key for all repeats: the server answers a repeat with its first answer, so a retry never issues a
    // second document.
    if (endpoint.method !== 'GET') headers['idempotency-key'] = idempotencyKey ?? ground.newKey()

    for (let attempt = 0; ; attempt++) {
      let response: Response | undefined
      try {
        response = await ground.fetch(url, {
          method: endpoint.method,
          headers,
          ...(body === undefined ? {} : { body: body as BodyInit }),
          ...(signal ? { signal } : {}),
          credentials: 'same-origin',
        })
      } catch (e) {
        if (signal?.aborted) throw e
      }
      const mark = response?.headers.get('x-rights')
      if (mark) ground.onRights?.(mark)
      if (response?.ok) return response
      const failure = response && (await failureOf(response))
      // A limit that is over in a moment is waited for; nothing was done, and the key of the action is the same.
      const waits =
        failure?.code === 'kit.tooManyCalls' && (failure.retryAfterSeconds ?? Infinity) <= longestWaitSeconds
      if (attempt < retries && (!response || repeated.has(response.status) || waits)) {
        await ground.wait(waits ? failure.retryAfterSeconds! * 1000 : retryDelayMs)
        signal?.throwIfAborted()
        continue
      }
      if (!failure) {
        if (!quiet) ground.onNetworkError()
        throw new CallFailure({ code: networkErrorCode, status: 0, title: 'Network Error' })
      }
      if (failure.status === 401 && token) ground.onSessionEnded(token)
      if (failure.code === 'kit.otherCompany') ground.onOtherCompany?.()
      await ground.beforeRefusal?.(failure)
      throw failure
    }
  }

  return {
    /** Calls an endpoint with its typed input and answers its typed output. Throws CallFailure. */
    async call<E extends Any>(
      endpoint: E,
      input: InputOf<E>,
      options: CallOptions = {},
    ): Promise<OutputOf<E>> {
      const response = await send(endpoint, input as Record<string, unknown>, options)
      const text = await response.text()
      try {
        return (text === '' ? null : JSON.parse(text)) as OutputOf<E>
      } catch {
        // A proxy's page instead of an answer.
        throw new CallFailure({ code: 'kit.failed', status: response.status })
      }
    },
    /** Fetches the bytes of a file endpoint, with the name the server gives them. */
    async callBytes<E extends Any>(
      endpoint: E,
      input: InputOf<E>,
      options: CallOptions = {},
    ): Promise<{ blob: Blob; name: string }> {
      const response = await send(endpoint, input as Record<string, unknown>, options)
      return { blob: await response.blob(), name: fileName(response.headers.get('content-disposition')) }
    },
  }
}

/** Puts an input in its places: parts of the path, then the query of a GET or the body of the rest. */
export function parts(
  { method, path, upload }: Pick<Endpoint, 'method' | 'path' | 'upload'>,
  input: Record<string, unknown>,
): { path: string; query: string; body: string | Blob | Uint8Array | undefined } {
  const left = { ...input }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = left[name]
    delete left[name]
    return encodeURIComponent(String(value ?? ''))
  })
  const bytes = upload ? (left.bytes as Blob | Uint8Array) : undefined
  if (upload) delete left.bytes
  else if (method !== 'GET') return { path: filled, query: '', body: JSON.stringify(left) }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(left))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null)
        query.append(name, typeof one === 'object' ? JSON.stringify(one) : String(one))
  return { path: filled, query: query.toString(), body: bytes }
}

async function failureOf(response: Response): Promise<CallFailure> {
  const retryAfterSeconds = Number(response.headers.get('retry-after')) || undefined
  try {
    const problem = (await response.json()) as {
      code?: unknown
      params?: Params
      errors?: FieldError[]
      title?: unknown
    }
    if (typeof problem.code === 'string')
      return new CallFailure({
        code: problem.code,
        status: response.status,
        params: problem.params ?? {},
        errors: Array.isArray(problem.errors) ? problem.errors : [],
        title: typeof problem.title === 'string' ? problem.title : '',
        retryAfterSeconds,
      })
  } catch {
    // Not a problem of ours (a proxy, a crash): the status says what it is.
  }
  const codes: Record<number, string> = {
    401: 'session.needed',
    403: 'session.forbidden',
    404: 'kit.notFound',
    413: 'kit.tooLarge',
    429: 'kit.tooMany',
    503: 'kit.unavailable',
  }
  return new CallFailure({
    code: codes[response.status] ?? 'kit.failed',
    status: response.status,
    retryAfterSeconds,
  })
}

/** The name in content-disposition, the one in full Unicode first. */
export function fileName(disposition: string | null): string {
  const full = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  try {
    if (full) return decodeURIComponent(full)
  } catch {
    // Broken escapes: the plain name will do.
  }
  return /filename="?([^";]+)"?/i.exec(disposition ?? '')?.[1] ?? 'file'
}
