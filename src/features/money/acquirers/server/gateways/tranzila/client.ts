import { createHmac, randomBytes } from 'node:crypto'
import { addDays, dayInJerusalem } from '#domain/day.ts'
import { KeysRefused, type Acquirer, type Answer, type Deal, type SavedCard } from '../../door.ts'
import { classOfCode, oldList } from '../../declines.ts'
import { name, type Reads } from '../../foreign.ts'
import type { Gateway, Plug } from '../../gateway.ts'
import type { Body } from '../../wire.ts'
import {
  agorotOf,
  currencyNumber,
  currencyOf,
  expiryOf,
  inShekels,
  lastFour,
  monthOf,
  part,
  rowsOf,
  text,
} from '../speak.ts'

/*
 * Tranzila: a hosted page under a handshake of its amount, and JSON calls signed by a key, a time and a nonce.
 * Tokens belong to a separate terminal. The outcome of a page is looked up in the list of the terminal by our
 * reference.
 */

/**
 * Three working clients sign so: key = secret + time + nonce, text = app key. They differ in the time:
 * seconds or milliseconds.
 */
export function accessToken(appKey: string, secret: string, time: string, nonce: string): string {
  return createHmac('sha256', `${secret}${time}${nonce}`).update(appKey).digest('hex')
}

const told = (body: Body) => ({ code: text(body, 'error_code'), words: text(body, 'message') })

function connect({ settings, wire, app }: Plug): Acquirer {
  const {
    terminalName = '',
    tokenTerminal = '',
    password = '',
    appKey = '',
    secret = '',
    time = 'seconds',
  } = settings
  const ask = async (path: string, json: Record<string, unknown>): Promise<Body> => {
    const now = app.now().getTime()
    const at = time === 'milliseconds' ? String(now) : String(Math.floor(now / 1000))
    const nonce = randomBytes(32).toString('hex')
    const body = await wire.ask(
      path,
      `/${path}`,
      {
        json,
        headers: {
          'x-tranzila-api-app-key': appKey,
          'x-tranzila-api-request-time': at,
          'x-tranzila-api-nonce': nonce,
          'x-tranzila-api-access-token': accessToken(appKey, secret, at, nonce),
        },
      },
      told,
    )
    // May also mean that the key is not activated for the terminal of tokens.
    if (['401', '403'].includes(text(body, 'error_code')))
      throw new KeysRefused(text(body, 'error_code'), text(body, 'message'))
    return body
  }
  const declined = (code: string): Answer => ({ is: 'declined', code, class: classOfCode(code, oldList) })
  const dealOf = (deal: Body): Deal => ({
    uid: text(deal, 'transaction_id') || text(deal, 'index'),
    agorot: agorotOf(text(deal, 'amount') || text(deal, 'sum')),
    currency: currencyOf(text(deal, 'currency_code') || text(deal, 'currency') || 'ILS'),
    key: text(deal, 'order_id') || undefined,
    isOurs: [terminalName, tokenTerminal, ''].includes(text(deal, 'terminal_name')),
    approval: text(deal, 'auth_number'),
    brand: text(deal, 'card_type_name').toLowerCase(),
    last4: lastFour(text(deal, 'last_4') || text(deal, 'card_mask')),
    instalments: Number(text(deal, 'payments_number')) || 1,
  })
  const cardOf = (deal: Body): SavedCard | undefined => {
    const [token, expiry] = [
      text(deal, 'token'),
      expiryOf(text(deal, 'expiry_month'), text(deal, 'expiry_year')),
    ]
    const { brand, last4, uid, approval } = dealOf(deal)
    return token && expiry
      ? { token, expiry, brand, last4: last4 || lastFour(token), uid, approval }
      : undefined
  }
  const answerOf = (deal: Body): Answer => {
    const code = text(deal, 'processor_response_code')
    if (code !== '000') return declined(code || 'refused')
    const card = cardOf(deal)
    // The payer can change the mode in the address of their page, so a charge is distinguished from a hold or a kept
    // card by the mode of the deal.
    const mode = text(deal, 'tranmode')
    if (mode === 'K' || mode === 'NK')
      return card
        ? { is: 'saved', card, key: text(deal, 'order_id') || undefined, isOurs: dealOf(deal).isOurs }
        : { is: 'open' }
    if (mode === 'V' || mode === 'VK') return { is: 'held', ...dealOf(deal), card }
    return { is: 'paid', ...dealOf(deal), card }
  }
  /** All of a terminal's deals of some days. */
  const list = async (terminal: string, from: string, to: string): Promise<Body[]> =>
    rowsOf(
      await ask('v1/transaction/search', {
        terminal_name: terminal,
        transaction_start_date: from,
        transaction_end_date: to,
      }),
      'transactions',
    )
  const findIn = (rows: Body[], key: string): Body | undefined => {
    const ours = rows.filter((row) => text(row, 'order_id') === key)
    return ours.find((row) => text(row, 'processor_response_code') === '000') ?? ours.at(-1)
  }
  /** A charge or a credit of a token. */
  const make = async (type: 'debit' | 'credit', what: Record<string, unknown>): Promise<Answer> => {
    const body = await ask('v1/transaction/credit_card/create', {
      terminal_name: tokenTerminal || terminalName,
      txn_type: type,
      ...what,
    })
    const deal = part(body, 'transaction_result')
    if (deal) return answerOf({ order_id: what.order_id as string, ...deal })
    return { is: 'declined', code: text(body, 'error_code') || 'refused', class: 'technical' }
  }

  return {
    page: {
      open: async (order) => {
        const sum = inShekels(order.deed === 'card' ? 100 : order.agorot)
        const hand = await wire.ask(
          'handshake',
          'v1/handshake/create',
          { method: 'GET', query: { supplier: terminalName, sum, TranzilaPW: password }, reads: 'query' },
          (body) => ({ code: body.thtk ? '0' : text(body, 'error') || 'refused' }),
        )
        const thtk = text(hand, 'thtk')
        if (!thtk) throw new KeysRefused(text(hand, 'error') || 'handshake')
        const tranmode = order.deed === 'card' ? 'NK' : order.keepsCard ? 'AK' : 'A'
        const query = new URLSearchParams({
          sum,
          currency: currencyNumber(order.currency),
          cred_type: order.mostInstalments > 1 ? '8' : '1',
          ...(order.mostInstalments > 1 ? { maxpay: String(order.mostInstalments) } : {}),
          tranmode,
          thtk,
          new_process: '1',
          order_id: order.key.text,
          pdesc: order.description.slice(0, 118),
          contact: order.payer.name ?? '',
          email: order.payer.email ?? '',
          notify_url_address: order.noticeTo,
          success_url_address: order.returnTo,
          fail_url_address: order.returnTo,
          ...(order.deed === 'charge' &&
          order.currency === 'ILS' &&
          order.agorot <= 500_000 &&
          order.mostInstalments === 1
            ? { bit_pay: '1' }
            : {}),
          lang: { he: 'il', ru: 'ru', ar: 'ar', fr: 'fr' }[order.language as 'he'] ?? 'us',
        })
        // The day it was opened determines the list it is in.
        const day = dayInJerusalem(app.now())
        return {
          reference: `${day}/${order.key.text}`,
          url: `${pagesAt(app)}/${terminalName}/iframenew.php?${query}`,
        }
      },
      ask: async (reference) => {
        const [from = '', key = ''] = reference.split('/')
        const found = findIn(await list(terminalName, from, addDays(from, 2)), key)
        return found ? answerOf(found) : { is: 'open' }
      },
    },
    cards: {
      charge: (card, order) =>
        make('debit', {
          order_id: order.key.text,
          txn_currency_code: order.currency,
          card_number: card.token,
          expire_month: Number(monthOf(card.expiry)),
          expire_year: Number(card.expiry.slice(0, 4)),
          payment_plan: order.instalments > 1 ? 8 : 1,
          ...(order.instalments > 1 ? { installments_number: order.instalments } : {}),
          items: [
            {
              name: order.description.slice(0, 118),
              type: 'I',
              unit_price: Number(inShekels(order.agorot)),
              units_number: 1,
              currency_code: order.currency,
            },
          ],
        }),
    },
    byReference: async ({ key, day }) => {
      const found = findIn(await list(tokenTerminal || terminalName, day, addDays(day, 1)), key.text)
      return found ? answerOf(found) : { is: 'none' }
    },
    giveBack: {
      do: async ({ uid, approval, currency }, agorot, key) => {
        const answer = await make('credit', {
          order_id: key.text,
          txn_currency_code: currency,
          reference_txn_id: Number(uid),
          authorization_number: approval,
          items: [
            {
              name: 'refund',
              type: 'I',
              unit_price: Number(inShekels(agorot)),
              units_number: 1,
              currency_code: currency,
            },
          ],
        })
        return answer.is === 'paid'
          ? { is: 'done', uid: answer.uid }
          : { is: 'refused', code: answer.is === 'declined' ? answer.code : answer.is }
      },
    },
    // Kept cards are charged at the terminal of tokens, forms at the other.
    day: async (day) =>
      (
        await Promise.all(
          [...new Set([terminalName, tokenTerminal || terminalName])].map((terminal) =>
            list(terminal, day, day),
          ),
        )
      )
        .flat()
        .filter((row) => text(row, 'processor_response_code') === '000')
        .map((row) => {
          const deal = dealOf(row)
          return { ...deal, agorot: text(row, 'txn_type') === 'credit' ? -deal.agorot : deal.agorot }
        }),
    readNotice: ({ brought }) => ({ key: brought.says('order_id') }),
  }
}

/** Where its hosted pages stand; stand-ins hold them beside the calls. */
const pagesAt = (app: Plug['app']): string =>
  app.settings.acquirersAt ? `${app.settings.acquirersAt}/tranzila` : 'https://direct.tranzila.com'

const reads: Reads = {
  // The outcome of a page is looked up in the list of the terminal by our reference.
  returned: 'nothing',
  notice: { order_id: { like: name } },
}

export const tranzila: Gateway = {
  name: 'tranzila',
  instalments: true,
  currencies: ['ILS', 'USD', 'EUR', 'GBP'],
  also: ['bit', 'googlePay', 'applePay', 'threeDs'],
  settings: [
    { name: 'terminalName', kind: 'text', like: /^[a-zA-Z0-9]{2,30}$/ },
    { name: 'tokenTerminal', kind: 'text', optional: true, like: /^[a-zA-Z0-9]{2,30}$/ },
    { name: 'password', kind: 'secret' },
    { name: 'appKey', kind: 'secret' },
    { name: 'secret', kind: 'secret' },
    { name: 'time', kind: 'choice', choices: ['seconds', 'milliseconds'], start: 'seconds' },
  ],
  home: () => 'https://api.tranzila.com',
  reads,
  connect,
}
