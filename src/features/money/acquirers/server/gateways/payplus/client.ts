import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  KeysRefused,
  OrderRefused,
  type Acquirer,
  type Answer,
  type Deal,
  type GivenBack,
  type SavedCard,
} from '../../door.ts'
import { classOfCode } from '../../declines.ts'
import { name, textOf, type Reads } from '../../foreign.ts'
import type { Gateway, Plug } from '../../gateway.ts'
import type { Body } from '../../wire.ts'
import { wallets, type Wallet } from '../../../acquirers.ts'
import { agorotOf, expiryOf, inShekels, lastFour, part, rowsOf, text } from '../speak.ts'

/*
 * PayPlus, interface v1.0: JSON, shekels as numbers, `results.status` says how it went. Notices carry a hash
 * of their raw body.
 */

const told = (body: Body) => ({
  code: text(body, 'results', 'code') || text(body, 'results', 'status'),
  words: text(body, 'results', 'description'),
})
const isGood = (body: Body): boolean => text(body, 'results', 'status') === 'success'
/** What they call the means a page shows first. */
const means: Readonly<Record<Wallet, string>> = {
  bit: 'bit',
  googlePay: 'google-pay',
  applePay: 'apple-pay',
  payPal: 'paypal',
}
/** What their list answers where the keys are not known. */
const keyCodes = new Set(['401', '403', '1001'])

function connect({ settings, wire }: Plug): Acquirer {
  const { apiKey = '', secretKey = '', pageUid = '', terminalUid = '', cashierUid = '' } = settings
  const ask = async (path: string, json: Record<string, unknown>): Promise<Body> => {
    const body = await wire.ask(
      path,
      `/${path}`,
      { json, headers: { 'api-key': apiKey, 'secret-key': secretKey } },
      told,
    )
    if (!isGood(body) && keyCodes.has(told(body).code))
      throw new KeysRefused(told(body).code, told(body).words)
    return body
  }
  const dealOf = (deal: Body): Deal => ({
    uid: text(deal, 'transaction_uid') || text(deal, 'uid'),
    agorot: agorotOf(text(deal, 'amount')),
    currency: text(deal, 'currency') || text(deal, 'currency_code') || 'ILS',
    key: text(deal, 'more_info') || undefined,
    isOurs:
      text(deal, 'terminal_uid') === '' || terminalUid === '' || text(deal, 'terminal_uid') === terminalUid,
    approval: text(deal, 'approval_num') || text(deal, 'approval_number'),
    brand: text(deal, 'brand_name').toLowerCase(),
    last4: lastFour(text(deal, 'four_digits')),
    instalments: Number(text(deal, 'number_of_payments')) || 1,
  })
  const cardOf = (deal: Body): SavedCard | undefined => {
    const [token, expiry] = [
      text(deal, 'token_uid'),
      expiryOf(text(deal, 'expiry_month'), text(deal, 'expiry_year')),
    ]
    if (!token || !expiry) return undefined
    const { uid, approval, brand, last4 } = dealOf(deal)
    return { token, expiry, brand, last4, uid, approval }
  }
  /** What a transaction came to. Type: Charge, Approval (money set aside) or Check (only the card). */
  const answerOf = (deal: Body): Answer => {
    const code = text(deal, 'status_code')
    if (code === '') return { is: 'open' }
    if (code !== '000') return { is: 'declined', code, class: classOfCode(code) }
    const card = cardOf(deal)
    const type = text(deal, 'type').toLowerCase()
    if (type === 'check' || type === 'token')
      return card
        ? { is: 'saved', card, key: text(deal, 'more_info') || undefined, isOurs: dealOf(deal).isOurs }
        : { is: 'open' }
    return { is: type === 'approval' ? 'held' : 'paid', ...dealOf(deal), card }
  }
  const outcome = (body: Body): Answer => {
    const deal = part(body, 'data', 'transaction')
    if (deal && text(deal, 'status_code')) return answerOf(deal)
    return { is: 'declined', code: told(body).code || 'refused', class: 'technical' }
  }
  const gaveBack = (body: Body): GivenBack =>
    isGood(body)
      ? { is: 'done', uid: text(body, 'data', 'transaction', 'uid') }
      : { is: 'refused', code: text(body, 'data', 'transaction', 'status_code') || told(body).code }

  return {
    page: {
      wallets: wallets.filter((one) => settings[`has${one[0]!.toUpperCase()}${one.slice(1)}`] === '1'),
      open: async (order) => {
        const body = await ask('PaymentPages/generateLink', {
          payment_page_uid: pageUid,
          charge_method: { card: 0, charge: 1, hold: 2 }[order.deed],
          amount: order.deed === 'card' ? 1 : Number(inShekels(order.agorot)),
          currency_code: order.currency,
          more_info: order.key.text,
          customer: {
            customer_name: order.payer.name ?? '',
            email: order.payer.email ?? '',
            phone: order.payer.phone ?? '',
          },
          payments: order.mostInstalments,
          refURL_success: order.returnTo,
          refURL_failure: order.returnTo,
          refURL_cancel: order.returnTo,
          refURL_callback: order.noticeTo,
          expiry_datetime: '60',
          initial_invoice: false,
          create_token: order.keepsCard,
          sendEmailApproval: false,
          language_code: order.language,
          ...(order.wallet ? { charge_default: means[order.wallet], hide_other_charge_methods: true } : {}),
          items: [
            {
              name: order.description,
              quantity: 1,
              price: order.deed === 'card' ? 1 : Number(inShekels(order.agorot)),
            },
          ],
        })
        const url = text(body, 'data', 'payment_page_link')
        if (!isGood(body) || !url) throw new OrderRefused(told(body).code, told(body).words)
        return { reference: text(body, 'data', 'page_request_uid'), url }
      },
      ask: async (reference) => {
        const body = await ask('PaymentPages/ipn', { payment_request_uid: reference })
        const deal = part(body, 'data', 'transaction') ?? part(body, 'data')
        return deal ? answerOf(deal) : { is: 'open' }
      },
    },
    cards: {
      charge: async (card, order) =>
        outcome(
          await chargeToken(
            card,
            order.deed,
            order.agorot,
            order.currency,
            order.key.text,
            order.instalments,
          ),
        ),
      check: async (card, key) => {
        const answer = outcome(await chargeToken(card, 'check', 100, 'ILS', key.text, 1))
        return answer.is !== 'declined'
      },
    },
    holds: {
      capture: async ({ uid }, agorot, key) =>
        outcome(
          await ask('Transactions/ChargeByTransactionUID', {
            transaction_uid: uid,
            amount: Number(inShekels(agorot)),
            more_info: key.text,
          }),
        ),
    },
    byReference: async ({ key }) => {
      const body = await ask('Transactions/View', { more_info: key.text })
      const deal = part(body, 'data', 'transaction') ?? rowsOf(body, 'data', 'transactions')[0]
      return deal && text(deal, 'status_code') ? answerOf(deal) : { is: 'none' }
    },
    giveBack: {
      do: async ({ uid }, agorot, key) =>
        gaveBack(
          await ask('Transactions/RefundByTransactionUID', {
            transaction_uid: uid,
            amount: Number(inShekels(agorot)),
            more_info: key.text,
          }),
        ),
    },
    // The hash has no time in it, so a notice can be sent again by the person who saw it: it is a reason to ask and
    // nothing else.
    readNotice: ({ brought, raw }) => {
      const wanted = createHmac('sha256', secretKey).update(raw).digest()
      const given = Buffer.from(brought.says('header.hash') ?? '', 'base64')
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined
      const says = (one: string) => brought.says(`transaction.${one}`) ?? brought.says(one)
      return {
        reference: says('payment_page_request_uid') ?? says('payment_request_uid'),
        uid: says('uid'),
        key: says('more_info'),
      }
    },
  }

  function chargeToken(
    card: SavedCard,
    deed: 'charge' | 'hold' | 'check',
    agorot: number,
    currency: string,
    key: string,
    instalments: number,
  ): Promise<Body> {
    return ask(
      { charge: 'Transactions/Charge', hold: 'Transactions/Approval', check: 'Transactions/Check' }[deed],
      {
        terminal_uid: terminalUid,
        cashier_uid: cashierUid,
        amount: Number(inShekels(agorot)),
        currency_code: currency,
        credit_terms: instalments > 1 ? 8 : 1,
        payments: instalments,
        use_token: true,
        token: card.token,
        more_info: key,
      },
    )
  }
}

const named = ['payment_page_request_uid', 'payment_request_uid', 'uid', 'more_info']
const reads: Reads = {
  // The form is queried by its own number, which we know.
  returned: 'nothing',
  notice: Object.fromEntries(
    named.flatMap((one) => [
      [one, { like: name }],
      [`transaction.${one}`, { like: name }],
    ]),
  ),
  headers: { hash: { like: textOf(100) } },
}

export const payplus: Gateway = {
  name: 'payplus',
  instalments: true,
  currencies: ['ILS', 'USD', 'EUR', 'GBP'],
  also: ['bit', 'googlePay', 'applePay', 'payPal', 'threeDs'],
  settings: [
    { name: 'apiKey', kind: 'secret' },
    { name: 'secretKey', kind: 'secret' },
    { name: 'pageUid', kind: 'text', like: /^[\w-]{10,60}$/ },
    { name: 'terminalUid', kind: 'text', optional: true, like: /^[\w-]{10,60}$/ },
    { name: 'cashierUid', kind: 'text', optional: true, like: /^[\w-]{10,60}$/ },
    { name: 'hasBit', kind: 'flag', optional: true },
    { name: 'hasGooglePay', kind: 'flag', optional: true },
    { name: 'hasApplePay', kind: 'flag', optional: true },
    { name: 'hasPayPal', kind: 'flag', optional: true },
    { name: 'isTest', kind: 'flag', optional: true },
  ],
  home: ({ isTest }) => `https://${isTest === '1' ? 'restapidev' : 'restapi'}.payplus.co.il/api/v1.0`,
  reads,
  connect,
}
