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
import type { Gateway, Plug } from '../../gateway.ts'
import type { Body } from '../../wire.ts'
import { agorotOf, expiryOf, inShekels, lastFour, text } from '../speak.ts'

/*
 * iCredit of Rivhit: JSON, shekels. HTTP 200 says nothing and the letters of names in notices vary. A notice names a sale; the sale is then verified with the
 * sum we asked for. Notices want an answer within a second and a quarter, which the door of notices gives.
 */

const told = (body: Body) => ({
  code: text(body, 'Status'),
  words: text(body, 'DebugMessage') || text(body, 'ClientMessage'),
})
const keyCodes = new Set(['-1', '-2', '401'])

/** Fields by their names in small letters. */
const folded = (query: URLSearchParams): Record<string, string> =>
  Object.fromEntries([...query].map(([name, value]) => [name.toLowerCase(), value]))

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
      ask: async (reference, back) => {
        const [letter = 'P', sum = '', sale = ''] = reference.split('.')
        const said = folded(new URLSearchParams(back ?? ''))
        const saleId = said.saleid ?? ''
        const failed = said.transactionstatus ?? said.errorcode ?? ''
        if (!saleId) return { is: 'open' }
        const proof = await ask('Verify', {
          SaleId: saleId,
          TotalAmount: Number(inShekels(Number(sum))),
          SalePrivateToken: sale,
        })
        if (text(proof, 'Status') !== 'VERIFIED')
          return failed && failed !== '0' ? declined(failed) : { is: 'open' }
        const deal: Deal = {
          uid: saleId,
          // Verified with the sum that was asked for.
          agorot: Number(sum),
          currency: 'ILS',
          key: said.custom1,
          approval: said.transactionauthnum ?? said.authnum ?? '',
          brand: (said.transactioncardname ?? '').toLowerCase(),
          last4: lastFour(said.transactioncardnum ?? said.cardnum ?? ''),
          instalments: Number(said.numofpayment ?? 1) || 1,
        }
        const until = (said.carddate ?? said.cardduedate ?? '').replace(/\D/g, '')
        const [token, expiry] = [
          said.transactiontoken ?? said.token ?? '',
          expiryOf(until.slice(0, 2), until.slice(2)),
        ]
        const card: SavedCard | undefined =
          token && expiry
            ? { token, expiry, brand: deal.brand, last4: deal.last4, uid: saleId, approval: deal.approval }
            : undefined
        if (letter === 'C') return card ? { is: 'saved', card, key: deal.key } : { is: 'open' }
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
          key: text(body, 'Custom1') || order.key.text,
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
    readNotice: ({ text: raw, fields }) => {
      const query = raw.trimStart().startsWith('{') ? new URLSearchParams(fields) : new URLSearchParams(raw)
      return { key: folded(query).custom1, told: query.toString() }
    },
  }
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
  connect,
}
