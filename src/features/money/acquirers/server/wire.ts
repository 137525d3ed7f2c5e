import { sql } from 'kysely'
import { asCaller, newId, systemCaller, type App } from '#kit/server/context.ts'
import { isTestBusiness } from '#kit/server/outside/testBusiness.ts'
import { AcquirerAway } from './door.ts'
import type { Foreign } from './foreign.ts'

export type Body = Record<string, unknown>

export interface Sent {
  method?: 'GET' | 'POST' | 'DELETE'
  json?: unknown
  form?: Record<string, string>
  query?: Record<string, string>
  headers?: Record<string, string>
  /** Proofs from outside that go along under our own parameters, which win wherever a name is the same. */
  proof?: Foreign
  /** How the answer is written; JSON unless said. */
  reads?: 'json' | 'query'
}

/** What of an answer may be remembered: its code and its words, and nothing else of it. */
export interface Told {
  code: string
  words?: string
}

export interface Wire {
  /** Where its calls go. */
  home: string
  /** Sends a call; anything but an answer that can be read is a silence. Throws AcquirerAway. */
  ask: (call: string, path: string, sent: Sent, told: (body: Body) => Told) => Promise<Body>
}

/** Longer than an acquirer takes on a bad day, shorter than a job's lease. */
const patienceMs = 25_000
/** What never left us: no address, no door. */
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Digits that could be a card number are left out, the person who wrote them. */
export const withoutNumbers = (text: string): string => text.replace(/\d(?:[ -]?\d){11,18}/g, '…')

/** Some answer an error with a page in the letters of old Windows. */
const decoded = (bytes: ArrayBuffer, type: string): string =>
  new TextDecoder(/1255/.test(type) ? 'windows-1255' : 'utf-8').decode(bytes)

function read(text: string, reads: 'json' | 'query'): Body | undefined {
  try {
    if (reads === 'json') {
      const body = JSON.parse(text || '{}') as unknown
      return typeof body === 'object' && body !== null
        ? Array.isArray(body)
          ? { rows: body }
          : (body as Body)
        : undefined
    }
    const trimmed = text.trim()
    return trimmed.startsWith('<') || !trimmed.includes('=')
      ? undefined
      : Object.fromEntries(new URLSearchParams(trimmed))
  } catch {
    return undefined
  }
}

/** The parameters of a call: proofs from outside first, ours over them. Nothing from outside goes any other way. */
function parametersOf({ json, form, query, proof }: Sent): Pick<Sent, 'json' | 'form' | 'query'> {
  if (!proof) return { json, form, query }
  if (json !== undefined) return { json: proof.under(json as Record<string, unknown>), form, query }
  if (form) return { json, form: proof.under(form) as Record<string, string>, query }
  return { json, form, query: proof.under(query ?? {}) as Record<string, string> }
}

type Remember = (call: string, status: number, ms: number, told: Told) => Promise<void>

/** The wire to one gateway. Whatever is remembered of a call goes through `told`: bodies hold tokens. */
export function wireTo(home: string, remember: Remember, patience = patienceMs): Wire {
  return {
    home,
    async ask(call, path, sent, told) {
      const { method = 'POST', headers = {}, reads = 'json' } = sent
      const { json, form, query } = parametersOf(sent)
      const url = `${path.startsWith('https://') ? path : `${home}/${path.replace(/^\//, '')}`}${query ? `?${new URLSearchParams(query)}` : ''}`
      const type =
        json !== undefined ? 'application/json' : form ? 'application/x-www-form-urlencoded' : undefined
      const began = Date.now()
      // The list of calls is worth less than the answer: while the database is away the answer still goes on.
      const note = (status: number, said: Told) =>
        remember(call, status, Date.now() - began, {
          code: said.code.slice(0, 40),
          words: withoutNumbers(said.words ?? '').slice(0, 200),
        }).catch(() => undefined)
      let status = 0
      let text: string
      try {
        const answer = await fetch(url, {
          method,
          headers: { ...(type ? { 'content-type': type } : {}), accept: '*/*', ...headers },
          ...(json !== undefined
            ? { body: JSON.stringify(json) }
            : form
              ? { body: new URLSearchParams(form).toString() }
              : {}),
          redirect: 'error',
          signal: AbortSignal.timeout(patience),
        })
        status = answer.status
        text = decoded(await answer.arrayBuffer(), answer.headers.get('content-type') ?? '')
      } catch (e) {
        const cause = (e as { cause?: { code?: string } }).cause?.code ?? ''
        await note(0, { code: cause || (e as Error).name })
        throw new AcquirerAway(cause || (e as Error).name, !neverSent.has(cause))
      }
      const body = status >= 500 || status === 429 || status === 408 ? undefined : read(text, reads)
      if (!body) {
        await note(status, { code: `HTTP ${status}` })
        throw new AcquirerAway(`HTTP ${status}`)
      }
      await note(status, told(body))
      return body
    },
  }
}

/** How many calls of a terminal are kept. */
const kept = 50

/** Writes down what a terminal answered: it is seen on its page. */
export const rememberCall =
  (app: App, companyId: string, terminalId: string): Remember =>
  (call, status, ms, { code, words = '' }) =>
    asCaller(app, systemCaller(companyId), '', async (ctx) => {
      await sql`insert into terminal_calls (company_id, id, terminal_id, at, call, status, took_ms, code,
          words)
        values (${companyId}, ${newId()}, ${terminalId}, ${ctx.now}, ${call.split('/').at(-1)!.slice(0, 40)},
          ${status}, ${ms}, ${code}, ${words})`.execute(ctx.tx)
      await sql`delete from terminal_calls where company_id = ${companyId} and terminal_id = ${terminalId}
          and id in
        (select id from terminal_calls where company_id = ${companyId} and terminal_id = ${terminalId}
        order by at desc, id desc offset ${kept})`.execute(ctx.tx)
    })

/** The wire of a terminal: what was answered is seen on its page. */
export function terminalWire(app: App, companyId: string, terminalId: string, home: string): Wire {
  const wire = wireTo(home, rememberCall(app, companyId, terminalId))
  return {
    home,
    ask: async (...of) => {
      // No card is charged for what was only tried: of a test business the test acquirer answers, and nobody
      // else is asked.
      if (await isTestBusiness(app, companyId)) throw new AcquirerAway('test business', false)
      return wire.ask(...of)
    },
  }
}
