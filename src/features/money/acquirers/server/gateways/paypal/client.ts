import {
  AcquirerAway,
  KeysRefused,
  OrderRefused,
  type Acquirer,
  type Answer,
  type Deal,
  type SavedCard,
} from '../../door.ts'
import { name, textOf, type Foreign, type Reads } from '../../foreign.ts'
import type { Gateway, Plug } from '../../gateway.ts'
import type { Body } from '../../wire.ts'
import { agorotOf, inShekels, rowsOf, text } from '../speak.ts'

/*
 * PayPal: Orders v2, payments v2, vault v3. An order that its payer approved is captured when it is asked
 * about, under one PayPal-Request-Id, so that it is captured once. Notices are verified by PayPal itself, and
 * then asked about like any other.
 */

const told = (body: Body) => ({
  code: text(body, 'name') || text(body, 'error') || text(body, 'status'),
  words: text(body, 'message') || text(body, 'error_description'),
})
const keyErrors = new Set(['invalid_client', 'AUTHENTICATION_FAILURE', 'NOT_AUTHORIZED'])
/** Those of money that has no hundredths. */
const whole = new Set(['JPY', 'HUF', 'TWD'])
const soft = new Set(['INSTRUMENT_DECLINED', 'TRANSACTION_REFUSED'])

function connect({ settings, wire }: Plug): Acquirer {
  const { clientId = '', clientSecret = '', webhookId = '' } = settings
  let pass: { token: string; until: number } | undefined
  const passOf = async (): Promise<string> => {
    if (pass && pass.until > Date.now()) return pass.token
    const body = await wire.ask(
      'token',
      'v1/oauth2/token',
      {
        form: { grant_type: 'client_credentials' },
        headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
      },
      (answer) => ({ code: text(answer, 'error') || 'ok', words: text(answer, 'error_description') }),
    )
    const token = text(body, 'access_token')
    if (!token)
      throw new KeysRefused(text(body, 'error') || 'invalid_client', text(body, 'error_description'))
    pass = { token, until: Date.now() + Math.max(0, Number(text(body, 'expires_in')) - 60) * 1000 }
    return token
  }
  const ask = async (
    call: string,
    path: string,
    json?: unknown,
    key?: string,
    method: 'GET' | 'POST' | 'DELETE' = 'POST',
    proof?: Foreign,
  ): Promise<Body> => {
    const token = await passOf()
    const body = await wire.ask(
      call,
      path,
      {
        method,
        ...(json === undefined ? {} : { json }),
        ...(proof ? { proof } : {}),
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
          prefer: 'return=representation',
          ...(key ? { 'paypal-request-id': key } : {}),
        },
      },
      told,
    )
    if (keyErrors.has(told(body).code)) throw new KeysRefused(told(body).code, told(body).words)
    return body
  }
  const money = (agorot: number, currency: string) => ({
    currency_code: currency,
    value: whole.has(currency) ? String(Math.trunc(agorot / 100)) : inShekels(agorot),
  })
  const issueOf = (body: Body): string => text(rowsOf(body, 'details')[0], 'issue') || text(body, 'name')

  const dealOf = (deal: Body, key: string): Deal => ({
    uid: text(deal, 'id'),
    agorot: agorotOf(text(deal, 'amount', 'value')),
    currency: text(deal, 'amount', 'currency_code'),
    key: text(deal, 'custom_id') || key || undefined,
    approval: text(deal, 'id').slice(0, 20),
    brand: 'paypal',
    last4: '',
    instalments: 1,
  })
  const cardOf = (order: Body): SavedCard | undefined => {
    const token = text(order, 'payment_source', 'paypal', 'attributes', 'vault', 'id')
    // A payer's account does not expire; the agreement does, and then a charge says so.
    return token ? { token, expiry: '2099-12', brand: 'paypal', last4: '' } : undefined
  }
  const answerOf = (order: Body): Answer => {
    const unit = rowsOf(order, 'purchase_units')[0]
    const key = text(unit, 'custom_id')
    const capture = rowsOf(unit, 'payments', 'captures')[0]
    const hold = rowsOf(unit, 'payments', 'authorizations')[0]
    const deal = capture ?? hold
    if (!deal) return text(order, 'status') === 'VOIDED' ? { is: 'closed' } : { is: 'open' }
    const status = text(deal, 'status')
    if (['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'CAPTURED', 'CREATED'].includes(status))
      return capture
        ? { is: 'paid', ...dealOf(capture, key), card: cardOf(order) }
        : { is: 'held', ...dealOf(deal, key), until: text(deal, 'expiration_time') || undefined }
    if (['DECLINED', 'FAILED', 'DENIED'].includes(status))
      return { is: 'declined', code: text(deal, 'status_details', 'reason') || status, class: 'soft' }
    return { is: 'open' }
  }
  const unitOf = (key: string, description: string, agorot: number, currency: string) => ({
    reference_id: 'default',
    custom_id: key,
    invoice_id: key,
    description: description.slice(0, 127),
    amount: money(agorot, currency),
  })

  return {
    page: {
      wallets: ['payPal'],
      open: async (order) => {
        if (order.deed === 'card') {
          const body = await ask(
            'setupToken',
            'v3/vault/setup-tokens',
            {
              payment_source: {
                paypal: {
                  usage_type: 'MERCHANT',
                  experience_context: { return_url: order.returnTo, cancel_url: order.returnTo },
                },
              },
            },
            order.key.text,
          )
          const url = text(
            rowsOf(body, 'links').find((one) => text(one, 'rel') === 'approve'),
            'href',
          )
          if (!url) throw new OrderRefused(issueOf(body), told(body).words)
          return { reference: `vault.${text(body, 'id')}`, url }
        }
        const body = await ask(
          'order',
          'v2/checkout/orders',
          {
            intent: order.deed === 'hold' ? 'AUTHORIZE' : 'CAPTURE',
            purchase_units: [unitOf(order.key.text, order.description, order.agorot, order.currency)],
            payment_source: {
              paypal: {
                experience_context: {
                  return_url: order.returnTo,
                  cancel_url: order.returnTo,
                  user_action: 'PAY_NOW',
                  shipping_preference: 'NO_SHIPPING',
                },
                ...(order.keepsCard
                  ? { attributes: { vault: { store_in_vault: 'ON_SUCCESS', usage_type: 'MERCHANT' } } }
                  : {}),
              },
            },
          },
          order.key.text,
        )
        const url = text(
          rowsOf(body, 'links').find((one) => ['payer-action', 'approve'].includes(text(one, 'rel'))),
          'href',
        )
        if (!url) throw new OrderRefused(issueOf(body), told(body).words)
        return { reference: text(body, 'id'), url }
      },
      ask: async (reference) => {
        if (reference.startsWith('vault.')) {
          const body = await ask(
            'vault',
            'v3/vault/payment-tokens',
            {
              payment_source: { token: { id: reference.slice(6), type: 'SETUP_TOKEN' } },
            },
            reference,
          )
          const token = text(body, 'id')
          return token && !text(body, 'name')
            ? {
                is: 'saved',
                card: { token, expiry: '2099-12', brand: 'paypal', last4: '' },
                // The token was made of the form that this call names; nothing else is said of it.
                key: undefined,
                form: reference,
              }
            : { is: 'open' }
        }
        const order = await ask(
          'get',
          `v2/checkout/orders/${encodeURIComponent(reference)}`,
          undefined,
          undefined,
          'GET',
        )
        if (text(order, 'name') === 'RESOURCE_NOT_FOUND') return { is: 'closed' }
        if (text(order, 'status') !== 'APPROVED') return answerOf(order)
        const deed = text(order, 'intent') === 'AUTHORIZE' ? 'authorize' : 'capture'
        const done = await ask(
          deed,
          `v2/checkout/orders/${encodeURIComponent(reference)}/${deed}`,
          {},
          `${reference}-${deed}`,
        )
        const issue = issueOf(done)
        if (issue === 'ORDER_ALREADY_CAPTURED') throw new AcquirerAway('asked again')
        return soft.has(issue) ? { is: 'declined', code: issue, class: 'soft' } : answerOf(done)
      },
    },
    cards: {
      charge: async (card, order) => {
        const body = await ask(
          'order',
          'v2/checkout/orders',
          {
            intent: 'CAPTURE',
            purchase_units: [unitOf(order.key.text, order.description, order.agorot, order.currency)],
            payment_source: { paypal: { vault_id: card.token } },
          },
          order.key.text,
        )
        if (text(body, 'name'))
          return {
            is: 'declined',
            code: issueOf(body),
            class: issueOf(body) === 'RESOURCE_NOT_FOUND' ? 'hard' : 'soft',
          }
        return answerOf(body)
      },
      forget: async (card) =>
        void (await ask(
          'forget',
          `v3/vault/payment-tokens/${encodeURIComponent(card.token)}`,
          undefined,
          undefined,
          'DELETE',
        )),
    },
    holds: {
      capture: async ({ uid, currency }, agorot, key) => {
        const body = await ask(
          'captureHold',
          `v2/payments/authorizations/${encodeURIComponent(uid)}/capture`,
          {
            amount: money(agorot, currency),
            final_capture: true,
          },
          key.text,
        )
        if (text(body, 'status') !== 'COMPLETED')
          return { is: 'declined', code: issueOf(body), class: 'soft' }
        return { is: 'paid', ...dealOf(body, '') }
      },
      release: async ({ uid }, key) => {
        const body = await ask(
          'void',
          `v2/payments/authorizations/${encodeURIComponent(uid)}/void`,
          {},
          key.text,
        )
        return text(body, 'name') ? { is: 'refused', code: issueOf(body) } : { is: 'done', uid }
      },
    },
    giveBack: {
      once: true,
      do: async ({ uid, currency }, agorot, key) => {
        const body = await ask(
          'refund',
          `v2/payments/captures/${encodeURIComponent(uid)}/refund`,
          { amount: money(agorot, currency) },
          key.text,
        )
        return ['COMPLETED', 'PENDING'].includes(text(body, 'status'))
          ? { is: 'done', uid: text(body, 'id') }
          : { is: 'refused', code: issueOf(body) }
      },
    },
    readNotice: async ({ brought }) => {
      const path = 'v1/notifications/verify-webhook-signature'
      const answer = await ask('verify', path, { webhook_id: webhookId }, undefined, 'POST', brought)
      if (text(answer, 'verification_status') !== 'SUCCESS') return undefined
      return {
        reference: brought.is('resource_type', 'checkout-order')
          ? brought.says('resource.id')
          : brought.says('resource.supplementary_data.related_ids.order_id'),
        key: brought.says('resource.custom_id'),
        uid: brought.says('resource.id'),
      }
    },
  }
}

const reads: Reads = {
  // The order is queried by its own number, which we know.
  returned: 'nothing',
  notice: {
    resource_type: { like: name },
    'resource.id': { like: name },
    'resource.custom_id': { like: name },
    'resource.supplementary_data.related_ids.order_id': { like: name },
  },
  headers: {
    'paypal-auth-algo': { like: textOf(100), proof: true, as: 'auth_algo' },
    'paypal-cert-url': { like: textOf(500), proof: true, as: 'cert_url' },
    'paypal-transmission-id': { like: textOf(100), proof: true, as: 'transmission_id' },
    'paypal-transmission-sig': { like: textOf(1000), proof: true, as: 'transmission_sig' },
    'paypal-transmission-time': { like: textOf(100), proof: true, as: 'transmission_time' },
  },
  whole: 'webhook_event',
}

export const paypal: Gateway = {
  name: 'paypal',
  instalments: false,
  currencies: ['ILS', 'USD', 'EUR', 'GBP'],
  also: ['payPal', 'threeDs'],
  settings: [
    { name: 'clientId', kind: 'text', like: /^[\w-]{10,120}$/ },
    { name: 'clientSecret', kind: 'secret' },
    { name: 'webhookId', kind: 'text', optional: true, like: /^[\w-]{5,60}$/ },
    { name: 'isTest', kind: 'flag', optional: true },
  ],
  home: ({ isTest }) => `https://api-m.${isTest === '1' ? 'sandbox.' : ''}paypal.com`,
  reads,
  connect,
}
