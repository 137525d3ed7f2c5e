import { Agent as PlainAgent, request as plainRequest, type IncomingMessage } from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import type { Settings } from '#kit/server/settings.ts'
import { lookupOf, PrivateAddress, refuseFigures } from '#kit/server/outside/reach.ts'

/** What became of one try. */
export interface Answer {
  /** Absent where there was no answer. */
  status?: number
  /** Empty when the answer was good; otherwise the word of what went wrong. */
  outcome: string
  retryAfter?: string
  ms: number
  /** The beginning of what was answered. */
  answer: string
}

/** Limits of one try. */
export const limits = { milliseconds: 15_000, readBytes: 64 * 1024 }
export const lanes = 4
const shownSigns = 1000

export type Line = {
  send: (url: string, headers: Record<string, string>, body: string) => Promise<Answer>
  close: () => void
}

/** Connections to one receiver, kept open between tries; each goes to an address that was looked at. */
export function openLine(reach: Settings['webhooks']): Line {
  const options = { keepAlive: true, maxSockets: lanes, lookup: lookupOf(reach) }
  const [plain, secure] = [new PlainAgent(options), new SecureAgent(options)]
  return {
    close: () => {
      plain.destroy()
      secure.destroy()
    },
    send: async (url, headers, body) => {
      const started = performance.now()
      const took = () => Math.round(performance.now() - started)
      try {
        const to = new URL(url)
        refuseFigures(to, reach)
        const isPlain = to.protocol === 'http:'
        const { status, retryAfter, answer } = await post(to, headers, body, isPlain ? plain : secure)
        const isGood = status >= 200 && status < 300
        const outcome = isGood ? '' : status >= 300 && status < 400 ? 'redirect' : 'status'
        return { status, outcome, ...(retryAfter === undefined ? {} : { retryAfter }), ms: took(), answer }
      } catch (e) {
        return { outcome: wordOf(e), ms: took(), answer: '' }
      }
    },
  }
}

class Late extends Error {}

function post(to: URL, headers: Record<string, string>, body: string, agent: PlainAgent | SecureAgent) {
  return new Promise<{ status: number; retryAfter: string | undefined; answer: string }>(
    (resolve, reject) => {
      const make = to.protocol === 'http:' ? plainRequest : secureRequest
      const request = make(
        to,
        {
          method: 'POST',
          agent,
          headers: {
            'content-type': 'application/json',
            ...headers,
            'content-length': Buffer.byteLength(body),
          },
        },
        (response) => {
          const { statusCode: status = 0 } = response
          read(response).then((answer) => {
            clearTimeout(timer)
            resolve({ status, retryAfter: response.headers['retry-after'], answer })
          }, failed)
        },
      )
      // Over all of it: looking up, connecting, waiting, reading.
      const timer = setTimeout(() => request.destroy(new Late()), limits.milliseconds)
      const failed = (e: unknown) => {
        clearTimeout(timer)
        reject(e)
      }
      request.on('error', failed)
      request.end(body)
    },
  )
}

/** Reads so much of the answer and no more; the rest is not waited for. */
function read(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let [bytes, text] = [0, Buffer.alloc(0)]
    const end = () =>
      resolve(text.toString('utf8').replaceAll(String.fromCharCode(0), '').slice(0, shownSigns))
    response.on('data', (part: Buffer) => {
      bytes += part.length
      if (text.length < shownSigns * 4) text = Buffer.concat([text, part.subarray(0, shownSigns * 4)])
      if (bytes <= limits.readBytes) return
      end()
      response.destroy()
    })
    response.on('end', end)
    response.on('error', reject)
  })
}

/** A word for what went wrong before there was an answer: `webhooks.outcomes.<word>`. */
function wordOf(e: unknown): string {
  if (e instanceof PrivateAddress) return 'private'
  if (e instanceof Late) return 'timeout'
  const code = String((e as NodeJS.ErrnoException).code ?? '')
  if (/^(ENOTFOUND|ENODATA|ESERVFAIL|EAI_|ETIMEOUT|EREFUSED)/.test(code)) return 'name'
  if (/CERT|TLS|SSL|SELF_SIGNED|ALTNAME|UNABLE_TO/.test(code)) return 'tls'
  return 'connection'
}
