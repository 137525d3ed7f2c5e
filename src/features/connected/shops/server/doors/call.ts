/** What a service elsewhere answered to a call. */
export interface Answered {
  status: number
  headers: Headers
  body: unknown
}

/** It did not answer, or not in time, or said that it cannot now: to be tried again. */
export class Away extends Error {}
/** It refused for good: the token is worth nothing, the shop is closed. */
export class Refused extends Error {
  readonly status: number
  constructor(status: number, words: string) {
    super(words)
    this.status = status
  }
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

const mostBytes = 8_000_000

/** One call, bounded in time and size; `fetch` is the real one or a stand-in's. */
export async function ask(
  fetcher: Fetch,
  url: string,
  init: { method?: string; headers?: Record<string, string>; json?: unknown } = {},
): Promise<Answered> {
  let response: Response
  let text: string
  try {
    response = await fetcher(url, {
      method: init.method ?? 'GET',
      headers: {
        accept: 'application/json',
        ...(init.json === undefined ? {} : { 'content-type': 'application/json' }),
        ...init.headers,
      },
      ...(init.json === undefined ? {} : { body: JSON.stringify(init.json) }),
      // A redirect would send the token to another server.
      redirect: 'manual',
      signal: AbortSignal.timeout(20_000),
    })
    text = await response.text()
  } catch (e) {
    throw new Away((e as Error).message)
  }
  if (text.length > mostBytes) throw new Away('too long an answer')
  const { status, headers } = response
  if (status === 429 || status >= 500) throw new Away(`HTTP ${status}`)
  if (status >= 300 && status !== 404) throw new Refused(status, `HTTP ${status}`)
  try {
    return { status, headers, body: text ? JSON.parse(text) : undefined }
  } catch {
    throw new Away('an answer that is no JSON')
  }
}
