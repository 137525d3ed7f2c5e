import {
  AcquirerAway,
  KeysRefused,
  OrderRefused,
  type Acquirer,
  type Answer,
  type Deal,
  type SavedCard,
} from '../../door.ts'
import { classOfCode, oldList } from '../../declines.ts'
import { name, type Reads } from '../../foreign.ts'
import type { Gateway, Plug } from '../../gateway.ts'
import type { Body } from '../../wire.ts'
import type { Wallet } from '../../../acquirers.ts'
import { agorotOf, expiryOf, inShekels, lastFour, part, rowsOf, text } from '../speak.ts'

/*
 * Grow (once Meshulam), light server 1.0: form data in, JSON out, status 1 is success. A page of theirs is
 * one means of payment. The first payment of a page is final only when it was approved with its own fields;
 * those by a kept card are final at once and send no notice.
 */

const told = (body: Body) => ({
  code: text(body, 'err', 'id') || text(body, 'status'),
  words: text(body, 'err', 'message') || text(body, 'err'),
})
const keyCodes = new Set(['101', '102', '105', '106'])

/** What they call a deal by: a number and a token, both wanted when money goes back. */
const uidOf = (deal: Body): string =>
  [text(deal, 'transactionId'), text(deal, 'transactionToken')].filter(Boolean).join('.')
const idsOf = (uid: string): { transactionId: string; transactionToken: string } => {
  const [transactionId = '', transactionToken = ''] = uid.split('.')
  return { transactionId, transactionToken }
}

function connect({ settings, wire }: Plug): Acquirer {
  const { userId = '', apiKey = '' } = settings
  // A page of theirs is one means: whatever is asked of a payment names the page it was made by.
  const pages: Partial<Record<Wallet, string>> = {
    bit: settings.bitPage,
    googlePay: settings.googlePayPage,
    applePay: settings.applePayPage,
  }
  const pageCode = settings.pageCode ?? ''
  const pageOf = (wallet: string | undefined): string => pages[wallet as Wallet] || pageCode
  const us = { userId, ...(apiKey ? { apiKey } : {}) }
  const ask = async (call: string, form: Record<string, string>): Promise<Body> => {
    const body = await wire.ask(call, `/${call}`, { form: { ...form, ...us } }, told)
    if (text(body, 'status') !== '1' && keyCodes.has(told(body).code))
      throw new KeysRefused(told(body).code, told(body).words)
    return body
  }
  const isGood = (body: Body): boolean => text(body, 'status') === '1'
  const dealOf = (deal: Body): Deal => ({
    uid: uidOf(deal),
    agorot: agorotOf(text(deal, 'sum')),
    currency: 'ILS',
    key: text(deal, 'transactionUniqueIdentifier') || text(deal, 'cField1') || undefined,
    approval: text(deal, 'asmachta'),
    brand: text(deal, 'cardBrand').toLowerCase(),
    last4: lastFour(text(deal, 'cardSuffix')),
    instalments: Number(text(deal, 'allPaymentsNum') || text(deal, 'paymentsNum')) || 1,
  })
  const cardOf = (deal: Body): SavedCard | undefined => {
    const exp = text(deal, 'cardExp').replace('/', '')
    const [token, expiry] = [text(deal, 'cardToken'), expiryOf(exp.slice(0, 2), exp.slice(2))]
    const { brand, last4, uid, approval } = dealOf(deal)
    return token && expiry ? { token, expiry, brand, last4, uid, approval } : undefined
  }
  const answerOf = (deal: Body): Answer => {
    const status = text(deal, 'statusCode')
    if (status === '2') return { is: 'paid', ...dealOf(deal), card: cardOf(deal) }
    if (status === '11') return { is: 'held', ...dealOf(deal) }
    const code = text(deal, 'errorCode')
    return code ? { is: 'declined', code, class: classOfCode(code, oldList) } : { is: 'open' }
  }

  return {
    page: {
      wallets: (['bit', 'googlePay', 'applePay'] as const).filter((one) => pages[one]),
      open: async (order) => {
        const body = await ask('createPaymentProcess', {
          pageCode: pageOf(order.wallet),
          sum: inShekels(order.agorot),
          description: order.description.slice(0, 100),
          successUrl: order.returnTo,
          cancelUrl: order.returnTo,
          notifyUrl: order.noticeTo,
          // They require a first and a last name and a phone; what is not known the payer fills in.
          ...(order.payer.name?.trim().includes(' ') ? { 'pageField[fullName]': order.payer.name } : {}),
          ...(/^05\d{8}$/.test(order.payer.phone ?? '') ? { 'pageField[phone]': order.payer.phone! } : {}),
          ...(order.payer.email ? { 'pageField[email]': order.payer.email } : {}),
          ...(order.mostInstalments > 1
            ? { maxPaymentNum: String(order.mostInstalments) }
            : { paymentNum: '1' }),
          ...(order.keepsCard ? { saveCardToken: '1' } : {}),
          cField1: order.key.text,
        })
        const url = text(body, 'data', 'url')
        if (!isGood(body) || !url) throw new OrderRefused(told(body).code, told(body).words)
        const ids = [text(body, 'data', 'processId'), text(body, 'data', 'processToken'), order.wallet]
        return { reference: ids.filter(Boolean).join('.'), url }
      },
      ask: async (reference) => {
        const [processId = '', processToken = '', wallet] = reference.split('.')
        const made = { pageCode: pageOf(wallet), processId, processToken }
        const body = await ask('getPaymentProcessInfo', made)
        const deals = rowsOf(body, 'data', 'transactions')
        const deal = deals.find((one) => ['2', '11'].includes(text(one, 'statusCode'))) ?? deals.at(-1)
        if (!deal) return { is: 'open' }
        const key =
          text(deal, 'cField1') ||
          text(body, 'data', 'cField1') ||
          text(body, 'data', 'customFields', 'cField1')
        const answer = answerOf({ ...deal, cField1: key })
        // Not final, and told up to five times, until its own fields were sent back. Asked again when this is
        // not answered.
        if (answer.is === 'paid') {
          const own = Object.entries(deal).flatMap(([name, value]) =>
            typeof value === 'string' || typeof value === 'number' ? [[name, String(value)] as const] : [],
          )
          await ask('approveTransaction', { ...Object.fromEntries(own), ...made })
        }
        if (!('uid' in answer)) return answer
        // Which custom fields come back with a process is not documented; its own number does.
        const form = text(body, 'data', 'processId') === processId ? reference : undefined
        return { ...answer, form, uid: wallet ? `${answer.uid}.${wallet}` : answer.uid }
      },
    },
    cards: {
      // A page of theirs takes money: one for the card alone is documented by its name only.
      byPaymentOnly: true,
      charge: async (card, order) => {
        const body = await ask('createTransactionWithToken', {
          pageCode,
          cardToken: card.token,
          sum: inShekels(order.agorot),
          description: order.description.slice(0, 100),
          paymentType: order.instalments > 1 ? '2' : '1',
          paymentNum: String(order.instalments),
          // Used up by a try that failed too: one for each try.
          transactionUniqueIdentifier: String(order.key.number),
          transactionGroupIdentifier: order.key.text,
          'pageField[fullName]': order.payer.name ?? '',
          'pageField[email]': order.payer.email ?? '',
        })
        const deal = part(body, 'data')
        if (isGood(body) && deal) {
          const answer = answerOf({ statusCode: '2', ...deal })
          return answer
        }
        const { code } = told(body)
        // Their 1010: the number was used already; what it came to is asked.
        return code === '1010'
          ? find(card.token, order.key.number)
          : { is: 'declined', code, class: classOfCode(code, oldList) }
      },
    },
    byReference: async ({ key, token }) => {
      if (!token) throw new AcquirerAway('no token to ask by')
      return find(token, key.number)
    },
    giveBack: {
      do: async ({ uid }, agorot) => {
        const body = await ask('refundTransaction', {
          pageCode: pageOf(uid.split('.')[2]),
          ...idsOf(uid),
          refundSum: inShekels(agorot),
          stopDirectDebit: '0',
        })
        return isGood(body)
          ? { is: 'done', uid: text(body, 'data', 'refundTransactionId') || idsOf(uid).transactionId }
          : { is: 'refused', code: told(body).code }
      },
    },
    readNotice: ({ brought }) => {
      const processId = brought.says('processId') ?? brought.says('data[processId]')
      const processToken = brought.says('processToken') ?? brought.says('data[processToken]')
      const key = brought.says('cField1') ?? brought.says('data[customFields][cField1]')
      return { key, reference: processId && processToken ? `${processId}.${processToken}` : undefined }
    },
  }

  async function find(cardToken: string, number: number): Promise<Answer> {
    const body = await ask('getTokenTransactionsByExternalIdentifiers', {
      cardToken,
      transactionUniqueIdentifier: String(number),
    })
    const deal = rowsOf(body, 'data', 'transactions')[0]
    return deal ? answerOf({ transactionUniqueIdentifier: String(number), ...deal }) : { is: 'none' }
  }
}

const reads: Reads = {
  // The process is queried by its number and token, which we know.
  returned: 'nothing',
  notice: {
    processId: { like: name },
    processToken: { like: name },
    cField1: { like: name },
    'data[processId]': { like: name },
    'data[processToken]': { like: name },
    'data[customFields][cField1]': { like: name },
  },
}

export const grow: Gateway = {
  name: 'grow',
  instalments: true,
  currencies: ['ILS'],
  also: ['bit', 'googlePay', 'applePay', 'threeDs'],
  settings: [
    { name: 'userId', kind: 'text', like: /^[\w-]{3,60}$/ },
    { name: 'pageCode', kind: 'text', like: /^[\w-]{3,60}$/ },
    { name: 'bitPage', kind: 'text', optional: true, like: /^[\w-]{3,60}$/ },
    { name: 'googlePayPage', kind: 'text', optional: true, like: /^[\w-]{3,60}$/ },
    { name: 'applePayPage', kind: 'text', optional: true, like: /^[\w-]{3,60}$/ },
    { name: 'apiKey', kind: 'secret', optional: true },
    { name: 'isTest', kind: 'flag', optional: true },
  ],
  home: ({ isTest }) =>
    `https://${isTest === '1' ? 'sandbox' : 'secure'}.meshulam.co.il/api/light/server/1.0`,
  reads,
  connect,
}
