import type { Agorot } from '#domain/money.ts'
import type { TaxAuthoritySettings } from '#kit/server/settings.ts'
import {
  LoginRefused,
  TokenRefused,
  type Answer,
  type TaxAuthority,
  type Told,
  type Tokens,
} from './authority.ts'
import { send, tokensFor, type Body } from './authorityHttp.ts'
import { fromShekels, toShekels } from './shekels.ts'

/**
 * Paths below the environment ('…/tsandbox/' or '…/production/'), from the authority's document v2.0 of
 * 7/2024 and its portal. The two do not agree on the path of decisions, and hosts move: TAX_AUTHORITY_PATHS
 * replaces any of them; one that begins with https:// is taken whole.
 */
const paths = {
  authorize: 'longtimetoken/oauth2/authorize',
  token: 'longtimetoken/oauth2/token',
  approval: 'Invoices/v2/Approval',
  details: 'invoice-information/v1/details',
  confirmationNumber: 'invoice-information/v1/confirmationNumber',
  decisionCancel: 'Invoice-decision/v1/Cancel',
  decisionContinue: 'Invoice-decision/v1/Continue',
  decisionObjection: 'Invoice-decision/v1/FurtherObjection',
  emergencyNumbers: 'emergency-invoices/v1/ConfirmationNumbers',
  emergencyApproval: 'emergency-invoices/v1/Approval',
  minimumAmount: 'general-information/v1/MinimumAmount',
}
const decisionPath: Record<Told, keyof typeof paths> = {
  cancel: 'decisionCancel',
  continue: 'decisionContinue',
  objection: 'decisionObjection',
}

/** Far outside of what a law could say: then it was read wrongly. */
const believable = { least: 100, most: 1_000_000 }

/**
 * The sum in shekels that an answer names, in agorot. The authority's document names the call and not its
 * answer: a bare number, or the one field that is called a minimum amount, also inside `message`. Anything
 * else is not believed.
 */
export function minimumIn(body: unknown): Agorot | undefined {
  if (typeof body === 'object' && body !== null) {
    const entries = Object.entries(body)
    const named = entries.filter(([name]) => /^(minimum_?amount|minimum_?payment_?amount)$/i.test(name))
    if (named.length > 1) return undefined
    const next = named[0]?.[1] ?? entries.find(([name]) => name === 'message')?.[1]
    return typeof next === 'object' || typeof next === 'number' || typeof next === 'string'
      ? minimumIn(next)
      : undefined
  }
  const shekels =
    typeof body === 'number'
      ? body
      : typeof body === 'string' && /^\d{1,9}(\.\d{1,2})?$/.test(body.trim())
        ? Number(body)
        : Number.NaN
  return shekels >= believable.least && shekels <= believable.most ? fromShekels(shekels) : undefined
}

export function realAuthority(settings: TaxAuthoritySettings): TaxAuthority {
  const environment = settings.mode === 'production' ? 'production' : 'tsandbox'
  const address = (name: keyof typeof paths, host = settings.apiUrl): string => {
    const path = settings.paths[name] ?? paths[name]
    return path.startsWith('https://') ? path : `${host}/${environment}/${path}`
  }

  const call = async (
    access: string,
    name: keyof typeof paths,
    body?: unknown,
  ): Promise<{ status: number; body: Body }> => {
    const headers = { authorization: `Bearer ${access}`, accept: 'application/json' }
    const answer = await send(
      address(name),
      body === undefined
        ? { method: 'GET', headers }
        : {
            method: 'POST',
            headers: { ...headers, 'content-type': 'application/json' },
            body: JSON.stringify(body),
          },
    )
    if (answer.status === 401 || answer.status === 403) throw new TokenRefused(`HTTP ${answer.status}`)
    return answer
  }

  const tokens = (form: Record<string, string>, refused: new (why: string) => Error): Promise<Tokens> =>
    tokensFor(address('token', settings.loginUrl), settings, form, refused)

  /** The message is in one of several places. */
  const messageOf = (body: Body): string => {
    const { message } = body
    const inner =
      message && typeof message === 'object'
        ? (message as { errors?: { message?: string }[] }).errors
        : undefined
    return (
      typeof message === 'string' ? message : (inner?.map((one) => one.message ?? '').join('; ') ?? '')
    ).slice(0, 500)
  }
  const codeOf = (status: number, body: Body): string => {
    const inner = (body.message as { errors?: { code?: unknown }[] } | undefined)?.errors?.[0]?.code
    return String(inner ?? body.code ?? body.status ?? status).slice(0, 40)
  }

  return {
    kind: 'real',
    loginAddress: (state, returnTo) =>
      `${address('authorize', settings.loginUrl)}?${new URLSearchParams({
        response_type: 'code',
        client_id: settings.clientId,
        scope: 'scope',
        redirect_uri: returnTo,
        state,
      })}`,
    exchange: (code, returnTo) =>
      tokens(
        { grant_type: 'authorization_code', code, redirect_uri: returnTo, scope: 'scope' },
        LoginRefused,
      ),
    renew: (refresh) =>
      tokens({ grant_type: 'refresh_token', refresh_token: refresh, scope: 'scope' }, TokenRefused),
    ask: async (access, request): Promise<Answer> => {
      const { status, body } = await call(access, 'approval', request)
      const number = String(body.confirmation_number ?? '')
      if (status < 300 && /^\d{9,26}$/.test(number) && !/^0+$/.test(number))
        return { state: 'granted', number }
      return {
        state: 'refused',
        code: status < 300 && codeOf(status, body) === '200' ? '460' : codeOf(status, body),
        message: messageOf(body),
      }
    },
    tell: async (access, invoiceKey, dealer, choice) => {
      const { status, body } = await call(access, decisionPath[choice], {
        invoice_id: invoiceKey,
        vat_number: Number(dealer),
      })
      // 462: it was reported before.
      if (status >= 300 && codeOf(status, body) !== '462')
        throw new Error(`the decision was not taken: ${codeOf(status, body)} ${messageOf(body)}`)
    },
    emergencyNumbers: async (access, dealer, count) => {
      const { body } = await call(access, 'emergencyNumbers', { vat_number: Number(dealer), quantity: count })
      const list = (body.confirmation_numbers ?? body.confirmationNumbers ?? []) as unknown[]
      return list.map(String).filter((number) => /^\d{9,26}$/.test(number))
    },
    reportEmergency: async (access, number, request) => {
      const { status, body } = await call(access, 'emergencyApproval', {
        ...request,
        confirmation_number: number,
      })
      if (status >= 300)
        throw new Error(`the emergency number was not taken: ${codeOf(status, body)} ${messageOf(body)}`)
    },
    verify: async (access, question) => {
      const who = {
        vat_number: Number(question.supplierTaxId),
        customer_vat_number: Number(question.customerTaxId),
      }
      const { status, body } = question.number
        ? await call(access, 'details', { ...who, confirmation_number: question.number })
        : await call(access, 'confirmationNumber', {
            ...who,
            invoice_reference_number: question.invoiceNumber,
            invoice_date: question.day,
            payment_amount: toShekels(question.net),
            vat_amount: toShekels(question.vat),
          })
      if (status >= 300) return undefined
      const found = (typeof body.message === 'object' && body.message ? body.message : body) as Body
      const number = String(found.confirmation_number ?? question.number)
      if (!/^\d{9,26}$/.test(number)) return undefined
      return {
        number,
        day: String(found.invoice_date ?? question.day).slice(0, 10),
        net: found.payment_amount === undefined ? question.net : fromShekels(Number(found.payment_amount)),
        vat: found.vat_amount === undefined ? question.vat : fromShekels(Number(found.vat_amount)),
      }
    },
    minimumAmount: async (access) => {
      const { status, body } = await call(access, 'minimumAmount')
      return status < 300 ? minimumIn(body) : undefined
    },
  }
}
