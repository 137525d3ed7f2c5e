import {
  KeysRefused,
  OrderRefused,
  type Acquirer,
  type Answer,
  type Deal,
  type GivenBack,
  type SavedCard,
} from '../../door.ts'
import { classOfCode, oldList } from '../../declines.ts'
import { digits, name, nothingForeign, sum, textOf, type Foreign, type Reads } from '../../foreign.ts'
import type { Gateway, Plug } from '../../gateway.ts'
import type { Body } from '../../wire.ts'
import { agorotOf, expiryOf, inShekels, lastFour, monthOf, text, yearOf } from '../speak.ts'

/*
 * Hyp (once YaadPay): query strings both ways. A page is a string that they signed. Their documentation names
 * no call that tells what became of a page: what the payer comes back with carries their signature, is handed
 * back to them under the names they sign, and they say whether it is theirs (VERIFY). The deal is read of what
 * they confirmed so, and what came back is kept with the charge.
 */

const told = (body: Body) => ({
  code: text(body, 'CCode'),
  words: text(body, 'errMsg') || text(body, 'ErrMsg'),
})
/** 901: no right; 902: wrong keys; 400 and on: settings of the terminal. */
const keyCodes = new Set(['901', '902', '903'])
/** Good answers: 0 charged, 600 checked, 700 held. */
const good: Readonly<Record<string, 'paid' | 'saved' | 'held' | undefined>> = {
  '0': 'paid',
  '600': 'saved',
  '700': 'held',
}
/** Postponed by the settings of the terminal: charged once it is committed there within 72 hours. */
const postponed = '800'
/** The payer went away. */
const cancelled = '998'

/** Its own numbers of money. */
const coins = { ILS: '1', USD: '2', EUR: '3', GBP: '4' }
const currencyOf = (coin: string): string =>
  Object.entries(coins).find(([, number]) => number === coin)?.[0] ?? coin

function connect({ settings, wire, app }: Plug): Acquirer {
  const { masof = '', passP = '', key = '' } = settings
  const secrets = { PassP: passP, KEY: key }
  const us = { Masof: masof, ...secrets }
  const ask = async (call: string, query: Record<string, string>, proof?: Foreign): Promise<Body> => {
    const body = await wire.ask(
      call,
      '/',
      // A terminal without a page gets a specific error.
      {
        method: 'GET',
        query,
        ...(proof ? { proof } : {}),
        reads: 'query',
        headers: { referer: app.publicUrl(), origin: app.publicUrl() },
      },
      told,
    )
    if (keyCodes.has(text(body, 'CCode'))) throw new KeysRefused(text(body, 'CCode'), told(body).words)
    return body
  }
  const declined = (code: string): Answer => ({ is: 'declined', code, class: classOfCode(code, oldList) })
  const dealOf = (deal: Body): Deal => ({
    uid: text(deal, 'Id'),
    agorot: agorotOf(text(deal, 'Amount')),
    currency: currencyOf(text(deal, 'Coin') || coins.ILS),
    key: text(deal, 'Order') || undefined,
    isOurs: text(deal, 'Masof') === '' || text(deal, 'Masof') === masof,
    approval: text(deal, 'ACode'),
    brand: brands[text(deal, 'Brand')] ?? text(deal, 'Brand').toLowerCase(),
    last4: lastFour(text(deal, 'L4digit')),
    instalments: Number(text(deal, 'Payments')) || 1,
  })
  /** A token of nineteen digits, and until when: YYMM. */
  const tokenOf = async (deal: Body): Promise<SavedCard | undefined> => {
    const body = await ask('getToken', {
      action: 'getToken',
      ...us,
      TransId: text(deal, 'Id'),
      UTF8: 'True',
      UTF8out: 'True',
    })
    const [token, until] = [text(body, 'Token'), text(body, 'Tokef')]
    const expiry = expiryOf(until.slice(2), until.slice(0, 2))
    const { brand, last4, uid, approval } = dealOf(deal)
    return token && expiry
      ? {
          token,
          expiry,
          brand,
          last4: last4 || lastFour(token),
          uid,
          approval,
          ownerId: text(deal, 'UserId') || undefined,
        }
      : undefined
  }
  const gaveBack = (body: Body): GivenBack =>
    text(body, 'CCode') === '0'
      ? { is: 'done', uid: text(body, 'Id') || text(body, 'TransId') }
      : { is: 'refused', code: text(body, 'CCode') }

  return {
    page: {
      open: async (order) => {
        const body = await wire.ask(
          'APISign',
          '/',
          {
            method: 'GET',
            reads: 'query',
            headers: { referer: app.publicUrl(), origin: app.publicUrl() },
            query: {
              action: 'APISign',
              What: 'SIGN',
              ...us,
              Sign: 'True',
              Amount: inShekels(order.deed === 'card' ? 100 : order.agorot),
              Coin: coins[order.currency as keyof typeof coins] ?? coins.ILS,
              Info: order.description.slice(0, 100),
              Order: order.key.text,
              UTF8: 'True',
              UTF8out: 'True',
              MoreData: 'True',
              Tash: String(order.mostInstalments),
              ...(order.deed === 'card' ? { J5: 'J2' } : {}),
              PageLang: order.language === 'he' ? 'HEB' : 'ENG',
              ClientName: order.payer.name ?? '',
              email: order.payer.email ?? '',
              cell: order.payer.phone ?? '',
              // Some terminals take them only from their own settings; the page of the terminal says which to
              // write there.
              SuccessUrl: order.returnTo,
              ErrorUrl: order.returnTo,
              CancelUrl: order.returnTo,
              NotifyURL: order.noticeTo,
            },
          },
          (answer) => ({ code: text(answer, 'CCode') || (text(answer, 'signature') ? '0' : 'refused') }),
        )
        if (keyCodes.has(text(body, 'CCode'))) throw new KeysRefused(text(body, 'CCode'))
        if (!text(body, 'signature')) throw new OrderRefused(text(body, 'CCode') || 'sign')
        // The payer sees this address: should they repeat our keys, they stay here.
        const signed = new URLSearchParams(
          Object.entries(body).flatMap(([field, value]): [string, string][] =>
            Object.hasOwn(secrets, field) ? [] : [[field, String(value)]],
          ),
        )
        return {
          reference: `${order.deed === 'card' ? 'C' : order.keepsCard ? 'K' : 'P'}.${order.key.text}`,
          url: `${wire.home}/?action=pay&${signed}`,
        }
      },
      ask: async (reference, brought = nothingForeign) => {
        if (brought.isEmpty || brought.is('CCode', cancelled) || !brought.has('Sign')) return { is: 'open' }
        const proof = await ask('verify', { action: 'APISign', What: 'VERIFY', ...us }, brought)
        // Signing repeats what it was given, a code among it: that confirms nothing.
        const deal = brought.confirmed(text(proof, 'CCode') === '0' && !text(proof, 'signature'))
        if (!deal) return { is: 'open' }
        const code = text(deal, 'CCode')
        const is = good[code]
        if (code === postponed) return { is: 'postponed', code }
        if (!is) return declined(code)
        const card = () => tokenOf(deal)
        if (is === 'saved' || reference.startsWith('C.'))
          return { is: 'saved', card, key: dealOf(deal).key, isOurs: dealOf(deal).isOurs }
        return { is, ...dealOf(deal), card }
      },
    },
    cards: {
      charge: async (card, order) => {
        const body = await ask('soft', {
          action: 'soft',
          ...us,
          CC: card.token,
          Token: 'True',
          Tmonth: monthOf(card.expiry),
          Tyear: yearOf(card.expiry),
          Amount: inShekels(order.agorot),
          Coin: coins[order.currency as keyof typeof coins] ?? coins.ILS,
          Info: order.description.slice(0, 100),
          Order: order.key.text,
          Tash: String(order.instalments),
          UserId: card.ownerId ?? '000000000',
          ClientName: order.payer.name ?? '',
          UTF8: 'True',
          UTF8out: 'True',
          MoreData: 'True',
        })
        const code = text(body, 'CCode')
        if (code === postponed) return { is: 'postponed', code }
        if (code !== '0') return declined(code)
        return {
          is: 'paid',
          ...dealOf({ Coin: coins[order.currency as keyof typeof coins], ...body }),
        }
      },
    },
    // Until about 23:20 of its day.
    void: async ({ uid }) =>
      gaveBack(await ask('CancelTrans', { action: 'CancelTrans', ...us, TransId: uid })),
    giveBack: {
      do: async ({ uid }, agorot) =>
        gaveBack(
          await ask('zikoyAPI', {
            action: 'zikoyAPI',
            ...us,
            TransId: uid,
            Amount: inShekels(agorot),
            UTF8: 'True',
            UTF8out: 'True',
          }),
        ),
    },
    readNotice: ({ brought }) => ({ key: brought.says('Order') }),
  }
}

const brands: Readonly<Record<string, string>> = {
  '1': 'isracard',
  '2': 'visa',
  '3': 'diners',
  '4': 'amex',
  '6': 'leumicard',
  '99': 'mastercard',
}

/**
 * The names that come back under their signature, as their documentation and working clients show them. What is
 * dropped here would be missing under the signature too, so only what is read is held to a narrow shape.
 */
const proofs: Reads['notice'] = {
  Id: { like: digits },
  CCode: { like: /^\d{1,4}$/ },
  Amount: { like: sum },
  Order: { like: name },
  Sign: { like: /^[0-9a-zA-Z+/=_-]{1,200}$/ },
  ...shortly(
    20,
    'ACode',
    'Bank',
    'Brand',
    'Coin',
    'Issuer',
    'L4digit',
    'Payments',
    'Tmonth',
    'Tyear',
    'UserId',
  ),
  ...shortly(20, 'BinCard', 'SpType', 'TransType', 'tashType', 'TashFirstPayment'),
  ...shortly(20, 'firstPayment', 'nFirstPayment', 'noKPayments'),
  ...shortly(100, 'CardName', 'ClientLName', 'ClientName', 'Hesh', 'UID', 'firstname', 'lastname'),
  ...shortly(200, 'cell', 'city', 'email', 'phone', 'street', 'zip'),
  ...shortly(300, 'Fild1', 'Fild2', 'Fild3', 'Info', 'errMsg', 'info'),
}
function shortly(most: number, ...fields: string[]): Reads['notice'] {
  return Object.fromEntries(fields.map((field) => [field, { like: textOf(most) }]))
}

const reads: Reads = {
  returned: {
    key: 'Order',
    fields: Object.fromEntries(
      Object.entries(proofs).map(([field, { like }]) => [field, { like, proof: true }]),
    ),
  },
  notice: { Order: { like: name } },
}

export const hyp: Gateway = {
  name: 'hyp',
  instalments: true,
  currencies: ['ILS', 'USD', 'EUR', 'GBP'],
  also: ['bit', 'googlePay', 'applePay', 'threeDs'],
  settings: [
    { name: 'masof', kind: 'text', like: /^\d{4,12}$/ },
    { name: 'passP', kind: 'secret' },
    { name: 'key', kind: 'secret' },
  ],
  home: () => 'https://pay.hyp.co.il/p',
  reads,
  connect,
}
