import { Failure, fail, type FieldError } from '#kit/describe/errors.ts'
import type { Language } from '#kit/server/context.ts'
import type { Door, Knock } from '#kit/server/http/doors.ts'
import { say } from '#kit/server/words.ts'
import { tradeOf } from '#features/open/apiKeys/server/index.ts'
import { isKey } from '#kit/server/http/asked.ts'
import { tradeCallNamed, tradeCalls, type TradeName } from '../calls.ts'
import { read } from '../read.ts'
import type { Desk, Handler } from './desk.ts'
import { handlers } from './handlers.ts'

/** A refusal of one field. */
interface Told {
  path: string
  code: string
  message: string
}

/** What every answer is wrapped in; programs read `Success` first, and the status says the same. */
interface Envelope {
  Success: boolean
  ErrorMessage: string
  ReturnValue: unknown
  /** Of a list: how many there are in all. */
  total?: number
  /** And how many pages of the size that was asked for. */
  totalpage?: number
  /** The stable word for what was refused, and where. */
  ErrorCode?: string
  Errors?: Told[]
  /** The record was made; what was requested beside it could not be done. */
  NotDone?: Told[]
  /** Names that mean nothing to this call. */
  Ignored?: string[]
}

/** How many pages there are, where a size of them can be asked for. */
function pagesOf(total: number, values: object): { totalpage?: number } {
  const { PageSize } = values as { PageSize?: number }
  return PageSize ? { totalpage: Math.ceil(total / PageSize) } : {}
}

/**
 * Where keys stand: a JSON object in the header, or names of the plug-in for shops in the body; our own
 * header is taken too.
 */
function keysOf({ headers, body }: Knock): { secret: string; userKey: string } {
  const plain = (value: unknown): string => (typeof value === 'string' ? value.trim().slice(0, 200) : '')
  const find = (of: unknown, ...names: string[]): string => {
    if (of === null || typeof of !== 'object') return ''
    const found = Object.entries(of).find(([name]) => names.includes(name.toLowerCase()))
    return plain(found?.[1])
  }
  const own = plain(headers['x-access-token'])
  if (own) return { secret: own, userKey: '' }
  const written = plain(headers.authorization).replace(/^bearer\s+/i, '')
  if (written.startsWith('{')) {
    try {
      const given: unknown = JSON.parse(String(headers.authorization))
      return { secret: find(given, 'secret', 'secretkey'), userKey: find(given, 'userkey') }
    } catch {
      throw fail('trade.keys')
    }
  }
  if (written) return { secret: written, userKey: '' }
  return { secret: find(body, 'secretkey', 'secret'), userKey: find(body, 'userkey') }
}

/** Names the keys go under in a body: they are no fields of a call. */
const keyNames = ['secretkey', 'secret', 'userkey']

const withoutKeys = (body: unknown): unknown =>
  body !== null && typeof body === 'object' && !Array.isArray(body)
    ? Object.fromEntries(Object.entries(body).filter(([name]) => !keyNames.includes(name.toLowerCase())))
    : body

export const answer: Door['answer'] = async (app, knock) => {
  const { secret, userKey } = keysOf(knock)
  const caller = isKey(secret) ? await knock.who(secret) : undefined
  if (!caller?.apiKey || (userKey !== '' && userKey !== caller.apiKey.id)) throw fail('trade.keys')
  const trade = await tradeOf(app, caller.companyId, caller.apiKey.id)
  const language = knock.language ?? caller.language
  try {
    return {
      status: 200,
      body: await handle(
        { app, caller, trade, language, ask: (...of) => knock.ask({ token: secret, language }, ...of) },
        knock,
      ),
    }
  } catch (e) {
    if (!(e instanceof Failure) || e.status >= 500 || e.retryAfter) throw e
    const refused = refusal(e, language)
    // Some programs read a body under 200 and nothing else.
    return trade.alwaysOk ? { ...refused, status: 200 } : refused
  }
}

async function handle(desk: Desk, { params, body }: Knock): Promise<Envelope> {
  const name = tradeCallNamed(params.name ?? '')
  if (params.name?.toLowerCase() === 'addcompany') throw fail('trade.companyByPerson')
  if (!name) throw fail('trade.noCall', { name: String(params.name).slice(0, 60) })
  const { values, errors, ignored } = read(tradeCalls[name].takes, withoutKeys(body))
  if (errors.length) throw new Failure('kit.badInput', {}, errors)
  const { value, total, notDone = [] } = await (handlers[name] as Handler<TradeName>)(desk, values as never)
  return {
    Success: true,
    ErrorMessage: '',
    ReturnValue: value,
    ...(total === undefined ? {} : { total, ...pagesOf(total, values) }),
    ...(ignored.length ? { Ignored: ignored } : {}),
    ...(notDone.length ? { NotDone: told(desk.language, notDone) } : {}),
  }
}

const told = (language: Language, errors: readonly FieldError[]): Told[] =>
  errors.map(({ path, code, params }) => ({ path, code, message: say(language, `errors.${code}`, params) }))

export const refusal = (failure: Failure, language: Language): { status: number; body: Envelope } => ({
  status: failure.status,
  body: {
    Success: false,
    ErrorMessage: failure.errors.length
      ? failure.errors
          .map(({ path, code, params }) => `${path}: ${say(language, `errors.${code}`, params)}`)
          .join(' ')
      : say(language, `errors.${failure.code}`, failure.params),
    ReturnValue: null,
    ErrorCode: failure.code,
    ...(failure.errors.length ? { Errors: told(language, failure.errors) } : {}),
  },
})

/** The oldest call of all: another shape, long replaced; the answer names what replaced it. */
export const old: Door['answer'] = () => Promise.reject(fail('trade.createDocument'))
