import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { addDays, addMonths, dayInJerusalem } from '#domain/day.ts'
import type { LoginDoor } from './authorityLink.ts'
import { fromShekels } from './shekels.ts'
import { allocationThresholdOn } from '#domain/vat/allocation.ts'
import { isTaxId } from '#domain/taxId.ts'
import {
  AuthorityAway,
  LoginRefused,
  TokenRefused,
  type AllocationRequest,
  type Answer,
  type TaxAuthority,
  type Tokens,
} from './authority.ts'

/*
 * A stand-in for the tax authority, for development and tests. It checks a request as the authority's
 * document says, and it fails on purpose:
 *
 * - before VAT ending in 460 shekels (10,460.00): not approved, code 460, until an objection was filed
 * - ending in 503 shekels (10,503.00): the authority is away
 * - a supplier's number whose digits sum to a multiple of ten is unknown; one more than that, it belongs to
 * another sum
 *
 * Numbers and tokens are worked out of what is asked and a key, so that several processes answer alike.
 */

type Fault = 'away' | 'token' | { refuse: string }

/**
 * For tests and for trying things: faults for the next calls, how long an answer takes, and what was called.
 */
export const simulated = {
  latencyMs: 250,
  /** Taken one by each call, first in first out. */
  faults: [] as Fault[],
  /** Nothing answers while it is set. */
  outage: false,
  /** Above which sum a number is needed, in agorot, where that is not what the law's table says. */
  minimum: undefined as number | undefined,
  calls: [] as { call: string; key?: string }[],
  now: () => new Date(),
}

const accessLives = 601
const refreshLives = 90 * 86_400
const key = 'pinkas simulator'
const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url')
const objected = new Set<string>()
const usedUp = new Set<string>()

const tokenOf = (kind: 'code' | 'access' | 'refresh', seconds: number): string => {
  const text = `${kind}.${Math.floor(simulated.now().getTime() / 1000) + seconds}.${randomBytes(9).toString('base64url')}`
  return `${text}.${sign(text)}`
}
const isGood = (kind: string, token: string): boolean => {
  const [is, until, mark, signature = ''] = token.split('.')
  const wanted = sign(`${is}.${until}.${mark}`)
  return (
    is === kind &&
    signature.length === wanted.length &&
    timingSafeEqual(Buffer.from(signature), Buffer.from(wanted)) &&
    Number(until) * 1000 > simulated.now().getTime()
  )
}
const tokens = (): Tokens => ({
  access: tokenOf('access', accessLives),
  refresh: tokenOf('refresh', refreshLives),
  accessLives,
  refreshLives,
})

/** 26 digits; the same for the same words. */
const numberFor = (...words: string[]): string => {
  const hash = createHash('sha256').update(words.join('\n')).digest()
  return Array.from(hash.subarray(0, 26), (byte, i) =>
    i === 0 || i === 17 ? 1 + (byte % 9) : byte % 10,
  ).join('')
}

async function answering(call: string, invoiceKey?: string): Promise<Fault | undefined> {
  simulated.calls.push({ call, ...(invoiceKey ? { key: invoiceKey } : {}) })
  if (simulated.latencyMs) await new Promise((done) => setTimeout(done, simulated.latencyMs))
  if (simulated.outage) throw new AuthorityAway('HTTP 503')
  const fault = simulated.faults.shift()
  if (fault === 'away') throw new AuthorityAway('HTTP 503')
  return fault
}

async function inside(access: string, call: string, invoiceKey?: string): Promise<Fault | undefined> {
  const fault = await answering(call, invoiceKey)
  if (fault === 'token' || !isGood('access', access)) throw new TokenRefused('HTTP 401')
  return fault
}

const refusal = (code: string, message: string): Answer => ({ state: 'refused', code, message })
const asTaxId = (number: number) => String(number).padStart(9, '0')

function judge(request: AllocationRequest): Answer {
  const today = dayInJerusalem(simulated.now())
  const net = fromShekels(request.payment_amount)
  const vat = fromShekels(request.vat_amount)
  const threshold = simulated.minimum ?? allocationThresholdOn(request.invoice_date)
  if (!request.invoice_id || request.invoice_id.length > 50 || !request.invoice_reference_number)
    return refusal('400', 'שדה חובה חסר')
  if (!isTaxId(asTaxId(request.vat_number))) return refusal('431', 'מספר עוסק אינו תקין')
  if (!isTaxId(asTaxId(request.customer_vat_number))) return refusal('432', 'מספר עוסק של הלקוח אינו תקין')
  if (request.invoice_date < addMonths(today, -12)) return refusal('434', 'תאריך החשבונית ישן משנה')
  if (request.invoice_date > addMonths(today, 1)) return refusal('435', 'תאריך החשבונית מאוחר מחודש קדימה')
  if (net + vat !== fromShekels(request.payment_amount_including_vat))
    return refusal('422', 'הסכומים אינם מתאימים')
  if (fromShekels(request.amount_before_discount) - fromShekels(request.discount) !== net)
    return refusal('422', 'הסכומים אינם מתאימים')
  if (request.action === 3 ? vat !== 0 : vat <= 0) return refusal('422', 'סכום המע״מ אינו מתאים')
  if (threshold === undefined || net <= threshold) return refusal('406', 'הסכום אינו עולה על הסף')
  const shekels = Math.trunc(net / 100) % 1000
  if (shekels === 503) throw new AuthorityAway('HTTP 503')
  if (shekels === 460 && request.action !== 3 && !objected.has(request.invoice_id))
    return refusal('460', 'הבקשה לא אושרה')
  return {
    state: 'granted',
    number: numberFor(request.invoice_id, String(request.vat_number), String(request.action)),
  }
}

/** The log-in alone, for another service with the same one. */
export const simulatedLogin: LoginDoor = {
  kind: 'simulator',
  // It asks nobody to log in: the code comes back at once.
  loginAddress: (state, returnTo) =>
    `${returnTo}?${new URLSearchParams({ code: tokenOf('code', 300), state })}`,
  exchange: async (code) => {
    const fault = await answering('exchange')
    if (fault || !isGood('code', code) || usedUp.has(code)) throw new LoginRefused('invalid_grant')
    usedUp.add(code)
    return tokens()
  },
  renew: async (refresh) => {
    const fault = await answering('renew')
    if (fault || !isGood('refresh', refresh) || usedUp.has(refresh)) throw new TokenRefused('invalid_grant')
    usedUp.add(refresh)
    return tokens()
  },
}

export { isGood as isGoodToken }

export const simulator: TaxAuthority = {
  ...simulatedLogin,
  kind: 'simulator',
  ask: async (access, request) => {
    const fault = await inside(access, 'ask', request.invoice_id)
    return typeof fault === 'object' ? refusal(fault.refuse, '') : judge(request)
  },
  tell: async (access, invoiceKey, _dealer, choice) => {
    await inside(access, `tell ${choice}`, invoiceKey)
    if (choice === 'objection') objected.add(invoiceKey)
  },
  emergencyNumbers: async (access, dealer, count) => {
    await inside(access, 'emergencyNumbers')
    return Array.from({ length: count }, () => numberFor(dealer, randomBytes(9).toString('hex')))
  },
  reportEmergency: async (access, number) => void (await inside(access, 'reportEmergency', number)),
  verify: async (access, asked) => {
    await inside(access, 'verify', asked.number)
    const number = asked.number || numberFor(asked.supplierTaxId, asked.invoiceNumber)
    const digits =
      [...(asked.number || asked.invoiceNumber.replace(/\D/g, ''))].reduce(
        (sum, digit) => sum + Number(digit),
        0,
      ) % 10
    if (digits === 0) return undefined
    if (digits === 1 && asked.number) {
      const net = asked.net - Math.trunc(asked.net / 10)
      return { number, day: addDays(asked.day, -1), net, vat: asked.vat - Math.trunc(asked.vat / 10) }
    }
    return { number, day: asked.day, net: asked.net, vat: asked.vat }
  },
  minimumAmount: async (access) => {
    await inside(access, 'minimumAmount')
    return simulated.minimum ?? allocationThresholdOn(dayInJerusalem(simulated.now()))
  },
}
