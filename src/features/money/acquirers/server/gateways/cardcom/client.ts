import type { Acquirer, Answer, Deal, GivenBack, SavedCard } from '../../door.ts'
import { KeysRefused, OrderRefused } from '../../door.ts'
import { classOfCode } from '../../declines.ts'
import { name, type Reads } from '../../foreign.ts'
import type { Gateway, Plug } from '../../gateway.ts'
import type { Body } from '../../wire.ts'
import {
  agorotOf,
  currencyNumber,
  currencyOf,
  dayMonthYear,
  expiryOf,
  inShekels,
  lastFour,
  monthOf,
  part,
  rowsOf,
  text,
  wholeOf,
  yearOf,
} from '../speak.ts'

/*
 * Cardcom, interface v11: JSON both ways, shekels as numbers, ResponseCode 0 is success. They write
 * `Tranzaction`. One ExternalUniqTranId is charged once.
 */

/** Their codes of a log-in that is refused; everything else of the kind is about what was asked. */
const keyCodes = new Set(['5', '6', '10', '11'])

const told = (body: Body) => ({ code: text(body, 'ResponseCode'), words: text(body, 'Description') })

/** '2031-04-30' of '20310430'. */
const dayOf = (digits: string): string | undefined =>
  /^\d{8}/.test(digits) ? `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6, 8)}` : undefined

function connect({ settings, wire }: Plug): Acquirer {
  const { terminalNumber = '', apiName = '', apiPassword = '', takesRecurring, hasBit, hasPayPal } = settings
  const us = { TerminalNumber: Number(terminalNumber), ApiName: apiName }
  const secret = { ApiName: apiName, ApiPassword: apiPassword }
  const ask = async (path: string, json: Record<string, unknown>): Promise<Body> => {
    const body = await wire.ask(path, `/${path}`, { json }, told)
    if (keyCodes.has(text(body, 'ResponseCode')))
      throw new KeysRefused(text(body, 'ResponseCode'), text(body, 'Description'))
    return body
  }

  const cardOf = (info: Body | undefined, deal: Body | undefined): SavedCard | undefined => {
    const token = text(info, 'Token')
    const expiry = expiryOf(
      text(info, 'CardMonth') || text(deal, 'CardMonth'),
      text(info, 'CardYear') || text(deal, 'CardYear'),
    )
    if (!token || !expiry) return undefined
    return {
      token,
      expiry,
      brand: text(deal, 'Brand').toLowerCase(),
      last4: lastFour(text(deal, 'Last4CardDigitsString')) || lastFour(token),
      deletedOn: dayOf(text(info, 'TokenExDate')),
      uid: text(deal, 'TranzactionId') || undefined,
      approval: text(info, 'TokenApprovalNumber') || text(deal, 'ApprovalNumber') || undefined,
      ownerId: text(info, 'CardOwnerIdentityNumber') || undefined,
    }
  }
  const dealOf = (info: Body, key: string | undefined): Deal => ({
    uid: text(info, 'TranzactionId'),
    key,
    agorot: agorotOf(text(info, 'Amount')),
    currency: currencyOf(text(info, 'CoinId') || '1'),
    isOurs: text(info, 'TerminalNumber') === '' || text(info, 'TerminalNumber') === terminalNumber,
    approval: text(info, 'ApprovalNumber'),
    brand: text(info, 'Brand').toLowerCase(),
    last4: lastFour(text(info, 'Last4CardDigitsString')),
    instalments: Number(text(info, 'NumberOfPayments')) || 1,
  })
  const declined = (code: string): Answer => ({ is: 'declined', code, class: classOfCode(code) })

  return {
    page: {
      wallets: [
        ...(hasBit === '1' ? (['bit'] as const) : []),
        ...(hasPayPal === '1' ? (['payPal'] as const) : []),
      ],
      open: async (order) => {
        const body = await ask('LowProfile/Create', {
          ...us,
          Operation:
            order.deed === 'card'
              ? 'CreateTokenOnly'
              : order.keepsCard
                ? 'ChargeAndCreateToken'
                : 'ChargeOnly',
          ReturnValue: order.key.text,
          Amount: order.deed === 'card' ? 1 : Number(inShekels(order.agorot)),
          ISOCoinId: Number(currencyNumber(order.currency)),
          ProductName: order.description.slice(0, 50),
          Language: order.language === 'he' ? 'he' : 'en',
          SuccessRedirectUrl: order.returnTo,
          FailedRedirectUrl: order.returnTo,
          WebHookUrl: order.noticeTo,
          AdvancedDefinition: { MinNumOfPayments: 1, MaxNumOfPayments: order.mostInstalments },
          UIDefinition: {
            CardOwnerNameValue: order.payer.name ?? '',
            CardOwnerEmailValue: order.payer.email ?? '',
            CardOwnerPhoneValue: order.payer.phone ?? '',
          },
        })
        // Its page has a separate address for either.
        const own =
          order.wallet === 'bit'
            ? text(body, 'UrlToBit')
            : order.wallet === 'payPal'
              ? text(body, 'UrlToPayPal')
              : ''
        const url = own || text(body, 'Url')
        if (text(body, 'ResponseCode') !== '0' || !url)
          throw new OrderRefused(text(body, 'ResponseCode'), text(body, 'Description'))
        return { reference: text(body, 'LowProfileId'), url }
      },
      ask: async (reference) => {
        const body = await ask('LowProfile/GetLpResult', { ...us, LowProfileId: reference })
        const info = part(body, 'TranzactionInfo')
        const key = text(body, 'ReturnValue') || undefined
        const isOurs = text(body, 'TerminalNumber') === '' || text(body, 'TerminalNumber') === terminalNumber
        const code = text(info, 'ResponseCode') || text(body, 'ResponseCode')
        const token = part(body, 'TokenInfo')
        if (text(body, 'Operation') === 'CreateTokenOnly' && token && code === '0') {
          const card = cardOf(token, info)
          return card ? { is: 'saved', card, key, isOurs } : { is: 'open' }
        }
        if (info && text(info, 'TranzactionId') && text(info, 'ResponseCode') === '0') {
          const deal = dealOf(info, key)
          return {
            is: 'paid',
            ...deal,
            isOurs: isOurs && deal.isOurs !== false,
            card: token && cardOf(token, info),
          }
        }
        return info && code !== '0' ? declined(code) : { is: 'open' }
      },
    },
    cards: {
      charge: async (card, order) => {
        const body = await ask('Transactions/Transaction', {
          ...us,
          Token: card.token,
          CardExpirationMMYY: `${monthOf(card.expiry)}${yearOf(card.expiry)}`,
          Amount: Number(inShekels(order.agorot)),
          ISOCoinId: Number(currencyNumber(order.currency)),
          NumOfPayments: order.instalments,
          ExternalUniqTranId: order.key.text,
          // A second call under the same key answers what the first one did, in place of 608.
          ExternalUniqUniqTranIdResponse: true,
          ...(card.ownerId ? { CardOwnerIdentityNumber: card.ownerId } : {}),
          // Only of a terminal that was opened for it: any other refuses what says so.
          ...(order.recurs && takesRecurring === '1' ? { Advanced: { IsAutoRecurringPayment: true } } : {}),
          CardOwnerInformation: { FullName: order.payer.name ?? '', CardOwnerEmail: order.payer.email ?? '' },
        })
        const code = text(body, 'ResponseCode')
        if (code === '608') return findByKey(order.key.text)
        return code === '0' ? { is: 'paid', ...dealOf(body, undefined) } : declined(code)
      },
      // A hold of one shekel is checked and not made: J2.
      check: async (card, key) => {
        const body = await ask('Transactions/Transaction', {
          ...us,
          Token: card.token,
          CardExpirationMMYY: `${monthOf(card.expiry)}${yearOf(card.expiry)}`,
          Amount: 1,
          ISOCoinId: 1,
          ExternalUniqTranId: key.text,
          Advanced: { JValidateType: 2 },
        })
        // 700 and 701 are the good answers of a check.
        return ['0', '700', '701'].includes(text(body, 'ResponseCode'))
      },
      replaced: async (since) => {
        const body = await ask('RecuringPayments/GetMuhlafimByDate', {
          ...us,
          ...secret,
          FromDate: dayMonthYear(since),
        })
        return rowsOf(body, 'Muhlafim').flatMap((row) => {
          const [token, expiry] = [text(row, 'NewCreditNumber'), text(row, 'NewCardExpirationDate')]
          const card = expiryOf(expiry.slice(0, 2), expiry.slice(2))
          return token && card
            ? [
                {
                  oldToken: text(row, 'OldCreditNumber'),
                  card: { token, expiry: card, brand: '', last4: lastFour(token) },
                },
              ]
            : []
        })
      },
    },
    byReference: ({ key }) => findByKey(key.text),
    void: async ({ uid }, key) =>
      giveBack({ TransactionId: wholeOf(uid), CancelOnly: true, ExternalDealId: key.text }),
    giveBack: {
      do: async ({ uid }, agorot, key) =>
        giveBack({
          TransactionId: wholeOf(uid),
          PartialSum: Number(inShekels(agorot)),
          AllowMultipleRefunds: true,
          ExternalDealId: key.text,
        }),
    },
    day: async (day) => {
      const body = await ask('Transactions/ListTransactions', {
        ...secret,
        FromDate: dayMonthYear(day),
        ToDate: dayMonthYear(day),
        TranStatus: 'Success',
        Page: 1,
        Page_size: 1000,
        LimitForTerminal: us.TerminalNumber,
      })
      return rowsOf(body, 'Tranzactions').map((row) => ({
        ...dealOf(row, text(row, 'ExternalUniqTranId') || text(row, 'ReturnValue') || undefined),
      }))
    },
    deposits: async (from, to) => {
      const body = await ask('Financial/BankDeposites', {
        ...secret,
        FromDate: dayMonthYear(from),
        ToDate: dayMonthYear(to),
      })
      return rowsOf(body, 'Deposites').map((row) => ({
        id: text(row, 'Id'),
        day: text(row, 'DepositeAt').slice(0, 10),
        agorot: agorotOf(text(row, 'Amount')),
      }))
    },
    readNotice: ({ brought }) => ({
      reference: brought.says('LowProfileId'),
      key: brought.says('ReturnValue'),
    }),
  }

  async function findByKey(key: string): Promise<Answer> {
    const body = await ask('Transactions/GetTransactionByExternalUniqTran', { ...us, ExternalUniqTran: key })
    const code = text(body, 'ResponseCode')
    if (!text(body, 'TranzactionId') || text(body, 'TranzactionId') === '0') return { is: 'none' }
    // Their answer repeats no reference: it is the deal that was charged under the one it was asked by.
    return code === '0' ? { is: 'paid', ...dealOf(body, key) } : declined(code)
  }
  async function giveBack(what: Record<string, unknown>): Promise<GivenBack> {
    const body = await ask('Transactions/RefundByTransactionId', { ...secret, ...what })
    const code = text(body, 'ResponseCode')
    return code === '0' ? { is: 'done', uid: text(body, 'NewTranzactionId') } : { is: 'refused', code }
  }
}

const reads: Reads = {
  // The form is queried by its own number, which we know.
  returned: 'nothing',
  notice: { LowProfileId: { like: name }, ReturnValue: { like: name } },
}

export const cardcom: Gateway = {
  name: 'cardcom',
  instalments: true,
  currencies: ['ILS', 'USD', 'EUR', 'GBP'],
  also: ['bit', 'googlePay', 'applePay', 'payPal', 'threeDs'],
  settings: [
    { name: 'terminalNumber', kind: 'text', like: /^\d{1,10}$/ },
    { name: 'apiName', kind: 'secret' },
    { name: 'apiPassword', kind: 'secret', optional: true },
    { name: 'takesRecurring', kind: 'flag', optional: true },
    { name: 'hasBit', kind: 'flag', optional: true },
    { name: 'hasPayPal', kind: 'flag', optional: true },
  ],
  home: () => 'https://secure.cardcom.solutions/api/v11',
  reads,
  connect,
}
