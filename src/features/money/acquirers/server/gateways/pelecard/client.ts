import {
  KeysRefused,
  OrderRefused,
  type Acquirer,
  type Answer,
  type Deal,
  type SavedCard,
} from '../../door.ts'
import { classOfCode } from '../../declines.ts'
import { name, nothingForeign, type Foreign, type Reads } from '../../foreign.ts'
import type { Gateway, Plug } from '../../gateway.ts'
import type { Body } from '../../wire.ts'
import {
  currencyOf,
  dayMonthYear,
  expiryOf,
  lastFour,
  monthOf,
  part,
  rowsOf,
  text,
  wholeOf,
  yearOf,
} from '../speak.ts'

/*
 * PeleCard: JSON, amounts in agorot. The payer's return names the deal, which is then read by its number and has to
 * carry our reference (ParamX); without a number, it is found by that reference. J2 looks like J4 and moves nothing.
 */

const told = (body: Body) => ({
  code: text(body, 'StatusCode') || text(body, 'Error', 'ErrCode'),
  words: text(body, 'ErrorMessage') || text(body, 'Error', 'ErrMsg'),
})
const keyCodes = new Set(['301', '302', '303', '305', '500', '501'])

function connect({ settings, wire }: Plug): Acquirer {
  const { terminal = '', user = '', password = '', shopNumber = '001' } = settings
  const us = { terminalNumber: terminal, user, password, shopNumber }
  const ask = async (path: string, json: Record<string, unknown>, proof?: Foreign): Promise<Body> => {
    const body = await wire.ask(path, `/${path}`, { json, ...(proof ? { proof } : {}) }, told)
    if (keyCodes.has(told(body).code)) throw new KeysRefused(told(body).code, told(body).words)
    return body
  }
  const declined = (code: string): Answer => ({ is: 'declined', code, class: classOfCode(code) })
  const dealOf = (deal: Body): Deal => ({
    uid: text(deal, 'TransactionPelecardId') || text(deal, 'PelecardTransactionId'),
    agorot: wholeOf(text(deal, 'DebitTotal') || text(deal, 'Total')),
    currency: currencyOf(text(deal, 'DebitCurrency') || '1'),
    key: text(deal, 'AdditionalDetailsParamX') || text(deal, 'ParamX') || undefined,
    isOurs: text(deal, 'TerminalNumber') === '' || text(deal, 'TerminalNumber') === terminal,
    approval: text(deal, 'DebitApproveNumber'),
    brand: brands[text(deal, 'CreditCardBrand')] ?? text(deal, 'CreditCardBrand').toLowerCase(),
    last4: lastFour(text(deal, 'CreditCardNumber')),
    instalments: Number(text(deal, 'TotalPayments')) || 1,
  })
  const cardOf = (deal: Body): SavedCard | undefined => {
    const until = text(deal, 'CreditCardExpDate')
    const [token, expiry] = [text(deal, 'Token'), expiryOf(until.slice(0, 2), until.slice(2))]
    const { brand, last4, uid, approval } = dealOf(deal)
    const threeDs = { eci: text(deal, 'Eci'), xid: text(deal, 'XID'), cavv: text(deal, 'Cavv') }
    // All three or none.
    const isProved = threeDs.eci !== '' && threeDs.xid !== '' && threeDs.cavv !== ''
    return token && expiry
      ? { token, expiry, brand, last4, uid, approval, ...(isProved ? { threeDs } : {}) }
      : undefined
  }
  /**
   * The deal that went through under our reference; undefined where none did. When a payer never came back and a
   * notice was lost nothing else is known: only those two carry the number of the deal.
   */
  const byParamX = async (paramX: string | undefined): Promise<string | undefined> => {
    if (!paramX) return undefined
    const body = await ask('services/CheckGoodParamX', { ...us, paramX, shvaSuccessOnly: 'true' })
    const deal = part(body, 'ResultData')
    if (text(body, 'StatusCode') !== '000' || !deal) return undefined
    return text(deal, 'PelecardTransactionId') || text(deal, 'TransactionPelecardId') || undefined
  }
  const debit = (
    service: string,
    token: string,
    card: SavedCard | undefined,
    more: Record<string, unknown>,
  ) =>
    ask(`services/${service}`, {
      ...us,
      creditCard: '',
      token,
      creditCardDateMmYy: card ? `${monthOf(card.expiry)}${yearOf(card.expiry)}` : '',
      cvv2: '',
      id: card?.ownerId ?? '',
      authorizationNumber: '',
      ...more,
    })

  return {
    page: {
      open: async (order) => {
        const body = await ask('PaymentGW/init', {
          terminal,
          user,
          password,
          ActionType: order.deed === 'card' ? 'J2' : 'J4',
          Total: String(order.deed === 'card' ? 100 : order.agorot),
          Currency: { ILS: '1', USD: '2', EUR: '978' }[order.currency] ?? '1',
          MinPayments: '1',
          MaxPayments: String(order.mostInstalments),
          GoodURL: order.returnTo,
          ErrorURL: order.returnTo,
          CancelURL: order.returnTo,
          ServerSideGoodFeedbackURL: order.noticeTo,
          ServerSideErrorFeedbackURL: order.noticeTo,
          ParamX: order.key.text,
          CreateToken: order.keepsCard ? 'True' : 'False',
          AccessibilityMode: 'True',
          Language: { he: 'HE', ar: 'AR', ru: 'RU', fr: 'FR' }[order.language as 'he'] ?? 'EN',
        })
        const url = text(body, 'URL')
        const code = text(body, 'Error', 'ErrCode')
        if (!url || (code !== '0' && code !== '')) throw new OrderRefused(code, text(body, 'Error', 'ErrMsg'))
        // Our own reference goes along: what the payer does not come back with is asked for by it.
        return {
          reference: `${order.deed === 'card' ? 'C' : 'P'}.${text(body, 'ConfirmationKey')}.${order.key.text}`,
          url,
        }
      },
      ask: async (reference, brought = nothingForeign) => {
        const us = { terminal, user, password }
        const isNamed = brought.has('PelecardTransactionId')
        const id = isNamed ? undefined : await byParamX(reference.split('.')[2])
        if (!isNamed && !id) return { is: 'open' }
        const body = await ask(
          'PaymentGW/GetTransaction',
          isNamed ? us : { ...us, TransactionId: id },
          isNamed ? brought : undefined,
        )
        const deal = part(body, 'ResultData')
        const code = text(deal, 'ShvaResult') || text(body, 'StatusCode')
        if (!deal || code === '') return { is: 'open' }
        // Why a deal of somebody else was refused says nothing about this one.
        if (code !== '000')
          return dealOf(deal).key === reference.split('.')[2] ? declined(code) : { is: 'open' }
        const card = cardOf(deal)
        if (reference.startsWith('C.'))
          return card
            ? { is: 'saved', card, key: dealOf(deal).key, isOurs: dealOf(deal).isOurs }
            : { is: 'open' }
        // A check moves nothing and looks the same: only what was really charged is a payment.
        if (text(deal, 'JParam') !== '' && text(deal, 'JParam') !== '4') return { is: 'open' }
        return { is: 'paid', ...dealOf(deal), card }
      },
    },
    cards: {
      charge: async (card, order) => {
        const body = await debit(
          order.instalments > 1 ? 'DebitPaymentsType' : 'DebitRegularType',
          card.token,
          card,
          {
            total: String(order.agorot),
            currency: { ILS: '1', USD: '2', EUR: '978' }[order.currency] ?? '1',
            ...(order.instalments > 1 ? { paymentsNumber: String(order.instalments) } : {}),
            paramX: order.key.text,
            // What 3-D Secure said of the payment the card was kept by, with each charge that follows it.
            ...(card.threeDs
              ? { Eci: card.threeDs.eci, XID: card.threeDs.xid, Cavv: card.threeDs.cavv }
              : {}),
          },
        )
        const code = text(body, 'StatusCode')
        const deal = part(body, 'ResultData')
        if (code !== '000' || !deal) return declined(code || 'refused')
        return { is: 'paid', ...dealOf({ DebitTotal: order.agorot, ...deal }) }
      },
      check: async (card, key) => {
        const body = await debit('AuthorizeCreditCard', card.token, card, {
          total: '100',
          currency: '1',
          paramX: key.text,
        })
        return text(body, 'StatusCode') === '000'
      },
    },
    void: async ({ uid }) => {
      const body = await ask('services/DeleteTran', { ...us, pelecardTransactionId: uid })
      return text(body, 'StatusCode') === '000'
        ? { is: 'done', uid }
        : { is: 'refused', code: text(body, 'StatusCode') }
    },
    day: async (day) => {
      const body = await ask('services/GetTransData', {
        ...us,
        startDate: dayMonthYear(day, '/'),
        endDate: dayMonthYear(day, '/'),
      })
      return rowsOf(body, 'ResultData')
        .filter((row) => ['', '000'].includes(text(row, 'ShvaResult')))
        .map(dealOf)
    },
    readNotice: ({ brought }) => ({ key: brought.says('ParamX') }),
  }
}

const brands: Readonly<Record<string, string>> = {
  '1': 'mastercard',
  '2': 'visa',
  '3': 'maestro',
  '5': 'isracard',
}

const reads: Reads = {
  returned: {
    key: 'ParamX',
    fields: {
      ParamX: { like: name },
      // Only zeros stand for a payer who went away.
      PelecardTransactionId: { like: /^(?!0+$)[\w-]{1,64}$/, proof: true, as: 'TransactionId' },
    },
  },
  notice: { ParamX: { like: name } },
}

export const pelecard: Gateway = {
  name: 'pelecard',
  instalments: true,
  currencies: ['ILS', 'USD', 'EUR'],
  also: ['bit', 'googlePay', 'applePay', 'threeDs'],
  settings: [
    { name: 'terminal', kind: 'text', like: /^\d{4,15}$/ },
    { name: 'user', kind: 'text' },
    { name: 'password', kind: 'secret' },
    { name: 'shopNumber', kind: 'text', optional: true, start: '001', like: /^\d{3}$/ },
  ],
  home: () => 'https://gateway20.pelecard.biz',
  reads,
  connect,
}
