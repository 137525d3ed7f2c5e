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
import { name, nothingForeign, type Foreign, type Reads } from '../../foreign.ts'
import type { Gateway, Plug } from '../../gateway.ts'
import type { Body } from '../../wire.ts'
import { agorotOf, currencyOf, expiryOf, inShekels, lastFour, rowsOf, text } from '../speak.ts'

/*
 * iCredit of Rivhit: JSON, shekels. HTTP 200 says nothing and the case of names in notices varies. What became
 * of a form is queried by the private token it was opened with (SaleDetails), and the sale that it names is
 * verified as one of our group, with its sum (Verify). Notices want an answer within a second and a quarter,
 * which the door of notices gives.
 */

const told = (body: Body) => ({
  code: text(body, 'Status'),
  words: text(body, 'DebugMessage') || text(body, 'ClientMessage'),
})
const keyCodes = new Set(['-1', '-2', '401'])

/** A card that was not kept has a token of zeros. */
const noToken = /^[0-]*$/

/** Kinds of sale: now, held until it is charged, only the card. */
const saleTypes = { charge: 1, hold: 2, card: 3 } as const

function connect({ settings, wire }: Plug): Acquirer {
  const { groupToken = '' } = settings
  const ask = async (call: string, json: Record<string, unknown>): Promise<Body> => {
    const body = await wire.ask(call, `/${call}`, { json: { GroupPrivateToken: groupToken, ...json } }, told)
    if (keyCodes.has(text(body, 'Status'))) throw new KeysRefused(text(body, 'Status'), told(body).words)
    return body
  }
  const declined = (code: string): Answer => ({ is: 'declined', code, class: classOfCode(code) })
  /**
   * Only the notice says why a card was refused. The code is shown with the charge; nothing is paid or closed
   * by it.
   */
  const failedOf = (brought: Foreign): Answer => {
    const code = brought.says('transactionstatus') ?? '0'
    return code === '0' ? { is: 'open' } : declined(code)
  }
  /** The month a card ends with comes as MMYY, or as YYMM under another name. */
  const cardOf = (sale: Body, { brand, last4, uid, approval }: Deal): SavedCard | undefined => {
    const [until, due] = [text(sale, 'TransactionCardDueDateMMYY'), text(sale, 'CardDueDate')]
    const expiry = until
      ? expiryOf(until.slice(0, 2), until.slice(2))
      : expiryOf(due.slice(2), due.slice(0, 2))
    const token = [text(sale, 'TransactionToken'), text(sale, 'Token')].find((one) => !noToken.test(one))
    return token && expiry ? { token, expiry, brand, last4, uid, approval } : undefined
  }
  const itemsOf = (description: string, agorot: number) => [
    { Id: 0, UnitPrice: Number(inShekels(agorot)), Quantity: 1, Description: description.slice(0, 200) },
  ]

  return {
    page: {
      open: async (order) => {
        const [first = '', ...rest] = (order.payer.name ?? '').split(' ')
        const agorot = order.deed === 'card' ? 100 : order.agorot
        const body = await ask('GetUrl', {
          Items: itemsOf(order.description, agorot),
          SaleType: saleTypes[order.deed],
          RedirectURL: order.returnTo,
          FailRedirectURL: order.returnTo,
          IPNURL: order.noticeTo,
          Custom1: order.key.text,
          MaxPayments: order.mostInstalments,
          CreateToken: order.keepsCard,
          HideItemList: true,
          EmailAddress: order.payer.email ?? '',
          CustomerFirstName: first,
          CustomerLastName: rest.join(' '),
          PhoneNumber: order.payer.phone ?? '',
          DocumentLanguage: order.language === 'he' ? 'he' : 'en',
        })
        const url = text(body, 'URL')
        if (text(body, 'Status') !== '0' || !url)
          throw new OrderRefused(text(body, 'Status'), told(body).words)
        const letter = { charge: 'P', hold: 'H', card: 'C' }[order.deed]
        return { reference: `${letter}.${agorot}.${text(body, 'PrivateSaleToken')}`, url }
      },
      ask: async (reference, brought = nothingForeign) => {
        const [letter = 'P', , saleToken = ''] = reference.split('.')
        const body = await ask('SaleDetails', { SalePrivateToken: saleToken })
        const sale = rowsOf(body, 'data')[0] ?? rowsOf(body, 'Data')[0] ?? body
        const saleId = text(sale, 'SaleId')
        const agorot = agorotOf(text(sale, 'TransactionAmount') || text(sale, 'Amount'))
        if (text(body, 'Status') !== '0' || !saleId || Number.isNaN(agorot)) return failedOf(brought)
        const proof = await ask('Verify', { SaleId: saleId, TotalAmount: Number(inShekels(agorot)) })
        if (text(proof, 'Status') !== 'VERIFIED') return failedOf(brought)
        const deal: Deal = {
          uid: saleId,
          agorot,
          currency: currencyOf(text(sale, 'Currency') || '1'),
          key: text(sale, 'Custom1') || undefined,
          // Found by the token that this form alone has.
          form: reference,
          approval: text(sale, 'TransactionAuthNum') || text(sale, 'AuthNum'),
          brand: (text(sale, 'CardLable') || text(sale, 'CardName')).toLowerCase(),
          last4: lastFour(text(sale, 'TransactionCardNum') || text(sale, 'CardNum')),
          instalments: Number(text(sale, 'TransactionNumOfPayment') || text(sale, 'NumOfPayment')) || 1,
        }
        const card = cardOf(sale, deal)
        if (letter === 'C')
          return card ? { is: 'saved', card, key: deal.key, form: reference } : { is: 'open' }
        return { is: letter === 'H' ? 'held' : 'paid', ...deal, card }
      },
    },
    cards: {
      charge: async (card, order) => {
        const body = await ask('SaleChargeToken', {
          CreditcardToken: card.token,
          Items: itemsOf(order.description, order.agorot),
          NumOfPayments: order.instalments,
          Custom1: order.key.text,
          // One reference is charged once.
          RequestReference: order.key.text,
          PreventDuplicates: true,
          CustomerLastName: order.payer.name ?? '',
          EmailAddress: order.payer.email ?? '',
        })
        const code = text(body, 'Status')
        if (code !== '0') return declined(code)
        return {
          is: 'paid',
          uid: text(body, 'SaleId'),
          agorot: agorotOf(text(body, 'TotalAmount') || inShekels(order.agorot)),
          currency: 'ILS',
          key: text(body, 'Custom1') || undefined,
          approval: text(body, 'AuthNum'),
          brand: card.brand,
          last4: card.last4,
          instalments: order.instalments,
        }
      },
    },
    holds: {
      capture: async ({ uid, approval }, agorot, key) => {
        const body = await ask('ChargePendingSale', {
          SaleId: uid,
          TotalAmount: Number(inShekels(agorot)),
          RequestReference: key.text,
        })
        if (text(body, 'Status') !== '0') return declined(text(body, 'Status'))
        return {
          is: 'paid',
          uid: text(body, 'SaleId') || uid,
          agorot,
          currency: 'ILS',
          key: undefined,
          approval,
          brand: '',
          last4: '',
          instalments: 1,
        }
      },
      release: async ({ uid }): Promise<GivenBack> => {
        const body = await ask('ReleaseJ5', { SaleId: uid })
        return text(body, 'Status') === '0'
          ? { is: 'done', uid }
          : { is: 'refused', code: text(body, 'Status') }
      },
    },
    giveBack: {
      do: async ({ uid }, agorot, key) => {
        const body = await ask('RefundSale', {
          SaleId: uid,
          TotalAmount: Number(inShekels(agorot)),
          RequestReference: key.text,
          PreventDuplicates: true,
        })
        return text(body, 'Status') === '0'
          ? { is: 'done', uid: text(body, 'RefundSaleId') || uid }
          : { is: 'refused', code: text(body, 'Status') }
      },
    },
    readNotice: ({ brought }) => ({ key: brought.says('custom1') }),
  }
}

const reads: Reads = {
  returned: {
    key: 'custom1',
    fields: { custom1: { like: name }, transactionstatus: { like: /^\d{1,4}$/ } },
  },
  notice: { custom1: { like: name } },
  anyCase: true,
}

export const icredit: Gateway = {
  name: 'icredit',
  instalments: true,
  currencies: ['ILS'],
  also: ['bit', 'threeDs'],
  settings: [
    { name: 'groupToken', kind: 'secret' },
    { name: 'isTest', kind: 'flag', optional: true },
  ],
  home: ({ isTest }) =>
    `https://${isTest === '1' ? 'testicredit' : 'icredit'}.rivhit.co.il/API/PaymentPageRequest.svc`,
  reads,
  connect,
}
