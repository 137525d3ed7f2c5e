import { randomUUID } from 'node:crypto'
import type { Bank, SimulatedDeal, SimulatedForm } from '../simulator/bank.ts'
import { asJson, isWrong, str, type Call, type Said, type Stand } from '../simulator/simulator.ts'
import { agorotOf, inShekels } from '../speak.ts'

interface Known {
  intent: string
  status: string
  isHeld: boolean
}
const orders = new WeakMap<SimulatedForm, Known>()
const again = new WeakMap<Bank, Map<string, Said>>()

const amountOf = (agorot: number, currency: string) => ({ currency_code: currency, value: inShekels(agorot) })
const dealWords = (deal: SimulatedDeal) => ({
  id: deal.uid,
  status: deal.state === 'declined' ? 'DECLINED' : deal.state === 'held' ? 'CREATED' : 'COMPLETED',
  ...(deal.state === 'declined' ? { status_details: { reason: 'GENERIC_DECLINE' } } : {}),
  custom_id: deal.key,
  amount: amountOf(deal.agorot, deal.currency),
})
const orderWords = (bank: Bank, form: SimulatedForm, home: string) => {
  const known = orders.get(form)!
  const deal =
    form.deal && known.status !== 'PAYER_ACTION_REQUIRED' && known.status !== 'APPROVED'
      ? bank.said(form.deal)
      : undefined
  return {
    id: form.reference,
    intent: known.intent,
    status: known.status,
    purchase_units: [
      {
        reference_id: 'default',
        custom_id: deal?.key ?? form.key,
        amount: amountOf(form.agorot, form.currency),
        ...(deal
          ? {
              payments:
                known.intent === 'AUTHORIZE'
                  ? { authorizations: [dealWords(deal)] }
                  : { captures: [dealWords(deal)] },
            }
          : {}),
      },
    ],
    ...(deal?.token
      ? { payment_source: { paypal: { attributes: { vault: { id: deal.token, status: 'VAULTED' } } } } }
      : {}),
    links: [{ rel: 'payer-action', href: `${home}/form/${form.reference}`, method: 'GET' }],
  }
}
const missing: Said = {
  status: 404,
  json: { name: 'RESOURCE_NOT_FOUND', message: 'not found', details: [{ issue: 'RESOURCE_NOT_FOUND' }] },
}
const refused = (issue: string): Said => ({
  status: 422,
  json: { name: 'UNPROCESSABLE_ENTITY', message: issue, details: [{ issue }] },
})

function answer(bank: Bank, { method, path, fields, headers, home }: Call): Said | undefined {
  if (path === 'v1/oauth2/token') {
    const [id = '', secret = ''] = Buffer.from((headers.authorization ?? '').replace('Basic ', ''), 'base64')
      .toString()
      .split(':')
    return isWrong(id, secret)
      ? { status: 401, json: { error: 'invalid_client', error_description: 'Client Authentication failed' } }
      : { json: { access_token: `A21${randomUUID()}`, token_type: 'Bearer', expires_in: 32400 } }
  }
  if (path === 'v1/notifications/verify-webhook-signature')
    return {
      json: { verification_status: str(fields, 'transmission_sig') === 'good' ? 'SUCCESS' : 'FAILURE' },
    }
  if (path === 'v2/checkout/orders') {
    const unit = ((fields.purchase_units ?? []) as Record<string, unknown>[])[0] ?? {}
    const [agorot, currency, key] = [
      agorotOf(str(unit, 'amount', 'value')),
      str(unit, 'amount', 'currency_code'),
      str(unit, 'custom_id'),
    ]
    const vault = str(fields, 'payment_source', 'paypal', 'vault_id')
    if (vault) {
      const deal = bank.charge({
        gateway: 'paypal',
        token: vault,
        terminal: '',
        key,
        agorot,
        currency,
        instalments: 1,
        deed: 'charge',
      })
      if (deal.code === '447') return missing
      if (deal.state === 'declined') return refused('INSTRUMENT_DECLINED')
      return {
        json: {
          id: randomUUID(),
          status: 'COMPLETED',
          purchase_units: [
            { custom_id: bank.said(deal).key, payments: { captures: [dealWords(bank.said(deal))] } },
          ],
        },
      }
    }
    const reference = randomUUID().slice(0, 17).toUpperCase()
    const form = bank.open({
      gateway: 'paypal',
      reference,
      terminal: '',
      key,
      agorot,
      currency,
      deed: str(fields, 'intent') === 'AUTHORIZE' ? 'hold' : 'charge',
      keepsCard: str(fields, 'payment_source', 'paypal', 'attributes', 'vault', 'store_in_vault') !== '',
      mostInstalments: 1,
      description: str(unit, 'description'),
      returnTo: str(fields, 'payment_source', 'paypal', 'experience_context', 'return_url'),
      noticeTo: '',
    })
    orders.set(form, { intent: str(fields, 'intent'), status: 'PAYER_ACTION_REQUIRED', isHeld: false })
    return { json: orderWords(bank, form, home) }
  }
  const order = /^v2\/checkout\/orders\/([^/]+)(?:\/(capture|authorize))?$/.exec(path)
  if (order) {
    const form = bank.form('paypal', order[1]!)
    if (!form) return missing
    const known = orders.get(form)!
    // The payer said yes on the form: it waits for us to take it.
    if (form.deal && known.status === 'PAYER_ACTION_REQUIRED') known.status = 'APPROVED'
    if (method === 'GET') return { json: orderWords(bank, form, home) }
    if (known.status === 'COMPLETED') return refused('ORDER_ALREADY_CAPTURED')
    if (known.status !== 'APPROVED') return refused('ORDER_NOT_APPROVED')
    if (form.deal?.state === 'declined') return refused('INSTRUMENT_DECLINED')
    known.status = 'COMPLETED'
    return { json: orderWords(bank, form, home) }
  }
  const hold = /^v2\/payments\/authorizations\/([^/]+)\/(capture|void)$/.exec(path)
  if (hold) {
    const uid = hold[1]!
    if (hold[2] === 'void')
      return bank.release('paypal', uid) ? { json: {} } : refused('AUTHORIZATION_ALREADY_CAPTURED')
    const deal = bank.capture('paypal', uid, agorotOf(str(fields, 'amount', 'value')))
    return deal
      ? { json: { ...dealWords(deal), status: 'COMPLETED' } }
      : refused('MAX_CAPTURE_AMOUNT_EXCEEDED')
  }
  const refund = /^v2\/payments\/captures\/([^/]+)\/refund$/.exec(path)
  if (refund) {
    const back = bank.giveBack(
      'paypal',
      refund[1]!,
      agorotOf(str(fields, 'amount', 'value')),
      headers['paypal-request-id'] ?? '',
      {
        once: true,
      },
    )
    return back ? { json: { id: back.uid, status: 'COMPLETED' } } : refused('REFUND_AMOUNT_EXCEEDED')
  }
  if (path === 'v3/vault/setup-tokens') {
    const reference = randomUUID().slice(0, 17).toUpperCase()
    bank.open({
      gateway: 'paypal',
      reference,
      terminal: '',
      key: headers['paypal-request-id'] ?? '',
      agorot: 0,
      currency: 'ILS',
      deed: 'card',
      keepsCard: true,
      mostInstalments: 1,
      description: 'vault',
      returnTo: str(fields, 'payment_source', 'paypal', 'experience_context', 'return_url'),
      noticeTo: '',
    })
    return {
      json: {
        id: reference,
        status: 'PAYER_ACTION_REQUIRED',
        links: [{ rel: 'approve', href: `${home}/form/${reference}` }],
      },
    }
  }
  if (path === 'v3/vault/payment-tokens') {
    const form = bank.form('paypal', str(fields, 'payment_source', 'token', 'id'))
    return form?.deal?.token ? { json: { id: form.deal.token } } : refused('TOKEN_NOT_APPROVED')
  }
  const gone = /^v3\/vault\/payment-tokens\/([^/]+)$/.exec(path)
  if (gone && method === 'DELETE') return bank.cards.delete(gone[1]!) ? { json: {} } : missing
  return undefined
}

export const paypalStand: Stand = {
  name: 'paypal',
  settings: { clientId: 'client-12345', clientSecret: 'secret-of-paypal', webhookId: 'hook-1' },
  secret: 'clientSecret',
  // The same request id again is answered as it was.
  answer: (bank, call) => {
    const id = call.headers['paypal-request-id']
    const known = again.get(bank) ?? new Map<string, Said>()
    again.set(bank, known)
    const name = `${call.path} ${id}`
    const before = id && call.method === 'POST' ? known.get(name) : undefined
    const said = before ?? answer(bank, call)
    // What was refused may be asked for again.
    if (said && id && call.method === 'POST' && (said.status ?? 200) < 300) known.set(name, said)
    return said
  },
  notice: (bank, form, deal) => {
    const made = asJson({
      event_type: 'CHECKOUT.ORDER.APPROVED',
      resource_type: 'checkout-order',
      resource: { id: form.reference, custom_id: bank.said(deal).key },
    })
    return {
      ...made,
      headers: { ...made.headers, 'paypal-transmission-sig': 'good', 'paypal-transmission-id': randomUUID() },
    }
  },
  back: (_bank, form) => ({ token: form.reference }),
}
