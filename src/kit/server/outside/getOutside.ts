import { request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { lookupOf, outsideUrl, PrivateAddress, refuseFigures, type Reach } from './reach.ts'

/** Why an address that somebody typed gave nothing. */
export type GetProblem =
  | 'badAddress'
  | 'private'
  | 'name'
  | 'tls'
  | 'connection'
  | 'timeout'
  | 'redirect'
  | 'gone'
  | 'refused'
  | 'status'
  | 'tooLarge'

export class NotGot extends Error {
  constructor(readonly problem: GetProblem) {
    super(problem)
  }
}

const mostRedirects = 3

/**
 * Reads an address that a person typed: in the public network only, at a checked address, also after each redirect,
 * with a limit of bytes and time. Throws `NotGot` with the reason.
 */
export async function getOutside(
  reach: Reach,
  given: string,
  { mostBytes, milliseconds, accept }: { mostBytes: number; milliseconds: number; accept: string },
): Promise<Uint8Array> {
  const ends = performance.now() + milliseconds
  let url = given
  for (let n = 0; n <= mostRedirects; n++) {
    const found = outsideUrl(url, reach)
    if ('why' in found) throw new NotGot(found.why === 'privateAddress' ? 'private' : 'badAddress')
    const answer = await getOnce(reach, new URL(found.url), {
      mostBytes,
      milliseconds: Math.max(1, ends - performance.now()),
      accept,
    })
    if (answer instanceof Uint8Array) return answer
    if (!URL.canParse(answer.to, found.url)) throw new NotGot('redirect')
    url = new URL(answer.to, found.url).href
  }
  throw new NotGot('redirect')
}

function getOnce(
  reach: Reach,
  url: URL,
  { mostBytes, milliseconds, accept }: { mostBytes: number; milliseconds: number; accept: string },
): Promise<Uint8Array | { to: string }> {
  return new Promise((resolve, reject) => {
    try {
      refuseFigures(url, reach)
    } catch {
      return reject(new NotGot('private'))
    }
    const make = url.protocol === 'http:' ? plainRequest : secureRequest
    const headers = { accept, 'accept-encoding': 'identity', 'user-agent': 'Pinkas' }
    const request = make(
      url,
      { method: 'GET', headers, lookup: lookupOf(reach), agent: false },
      (response) => {
        const status = response.statusCode ?? 0
        const done = (answer: Uint8Array | { to: string } | NotGot) => {
          clearTimeout(timer)
          if (answer instanceof NotGot) reject(answer)
          else resolve(answer)
          response.destroy()
        }
        if ([301, 302, 303, 307, 308].includes(status)) return done({ to: response.headers.location ?? '' })
        if (status === 404 || status === 410) return done(new NotGot('gone'))
        if (status === 401 || status === 403) return done(new NotGot('refused'))
        if (status !== 200) return done(new NotGot('status'))
        const parts: Buffer[] = []
        let bytes = 0
        response.on('data', (part: Buffer) => {
          bytes += part.length
          if (bytes > mostBytes) return done(new NotGot('tooLarge'))
          parts.push(part)
        })
        response.on('end', () => done(Buffer.concat(parts)))
        response.on('error', failed)
        response.on('aborted', () => failed(new Error('aborted')))
      },
    )
    // Over all of it: looking up, connecting, waiting, reading.
    const timer = setTimeout(() => request.destroy(new NotGot('timeout')), milliseconds)
    const failed = (e: unknown) => {
      clearTimeout(timer)
      reject(e instanceof NotGot ? e : new NotGot(problemOf(e)))
    }
    request.on('error', failed)
    request.end()
  })
}

function problemOf(e: unknown): GetProblem {
  if (e instanceof PrivateAddress) return 'private'
  const code = String((e as NodeJS.ErrnoException).code ?? '')
  if (/^(ENOTFOUND|ENODATA|ESERVFAIL|EAI_|ETIMEOUT|EREFUSED)/.test(code)) return 'name'
  if (/CERT|TLS|SSL|SELF_SIGNED|ALTNAME|UNABLE_TO/.test(code)) return 'tls'
  return 'connection'
}
