import { randomUUID } from 'node:crypto'
import type { SimulatedDeal } from '../simulator/bank.ts'
import { asForm, isWrong, str, type Stand } from '../simulator/simulator.ts'
import { agorotOf, currencyNumber, inShekels, monthOf, yearOf } from '../speak.ts'

const sumOf = (fields: Record<string, unknown>): number =>
  ((fields.Items ?? []) as Record<string, unknown>[]).reduce(
    (sum, one) => sum + agorotOf(str(one, 'UnitPrice')) * Number(str(one, 'Quantity')),
    0,
  )

/** As it comes to the address of notices; the letters of the names are as they please. */
const wordsOf = (deal: SimulatedDeal) => ({
  SaleId: deal.uid,
  Custom1: deal.key,
  TransactionAmount: inShekels(deal.agorot),
  transactioncardnum: deal.last4,
  TransactionCardName: deal.brand,
  TransactionAuthNum: deal.approval,
  NumOfPayment: deal.instalments,
  TransactionToken: deal.token,
  CardDate: deal.expiry ? `${monthOf(deal.expiry)}${yearOf(deal.expiry)}` : '',
  TransactionStatus: deal.state === 'declined' ? Number(deal.code) : 0,
})

/** The answer to SaleDetails; the expiry is written as YYMM. */
const saleOf = (deal: SimulatedDeal) => ({
  Status: 0,
  SaleId: deal.uid,
  Custom1: deal.key,
  Amount: Number(inShekels(deal.agorot)),
  Currency: Number(currencyNumber(deal.currency)),
  CardNum: `************${deal.last4}`,
  CardName: deal.brand,
  AuthNum: deal.approval,
  NumOfPayment: deal.instalments,
  Token: deal.token || '00000000-0000-0000-0000-000000000000',
  CardDueDate: deal.expiry ? `${yearOf(deal.expiry)}${monthOf(deal.expiry)}` : '',
})

export const icreditStand: Stand = {
  name: 'icredit',
  settings: { groupToken: 'group-of-icredit' },
  secret: 'groupToken',
  answer: (bank, { path, fields, home }) => {
    if (isWrong(str(fields, 'GroupPrivateToken')))
      return { json: { Status: -1, DebugMessage: 'group not found' } }
    const key = str(fields, 'RequestReference') || str(fields, 'Custom1')
    switch (path) {
      case 'GetUrl': {
        const reference = randomUUID()
        const type = str(fields, 'SaleType')
        bank.open({
          gateway: 'icredit',
          reference,
          terminal: str(fields, 'GroupPrivateToken'),
          key: str(fields, 'Custom1'),
          agorot: sumOf(fields),
          currency: 'ILS',
          deed: type === '3' ? 'card' : type === '2' ? 'hold' : 'charge',
          keepsCard: str(fields, 'CreateToken') === 'true',
          mostInstalments: Number(str(fields, 'MaxPayments')) || 1,
          description: '',
          returnTo: str(fields, 'RedirectURL'),
          noticeTo: str(fields, 'IPNURL'),
        })
        return {
          json: {
            Status: 0,
            URL: `${home}/form/${reference}`,
            PrivateSaleToken: reference,
            PublicSaleToken: reference,
          },
        }
      }
      case 'SaleDetails': {
        const { deal } = bank.form('icredit', str(fields, 'SalePrivateToken')) ?? {}
        return { json: deal && deal.state !== 'declined' ? saleOf(bank.said(deal)) : { Status: 302 } }
      }
      case 'Verify': {
        const deal = bank.byUid('icredit', str(fields, 'SaleId'))
        const said = deal && bank.said(deal)
        const isSame =
          said &&
          said.state !== 'declined' &&
          said.agorot === agorotOf(str(fields, 'TotalAmount')) &&
          said.terminal === str(fields, 'GroupPrivateToken')
        return { json: { Status: isSame ? 'VERIFIED' : 'INVALID' } }
      }
      case 'SaleChargeToken': {
        const deal = bank.charge(
          {
            gateway: 'icredit',
            token: str(fields, 'CreditcardToken'),
            terminal: str(fields, 'GroupPrivateToken'),
            key,
            agorot: sumOf(fields),
            currency: 'ILS',
            instalments: Number(str(fields, 'NumOfPayments')) || 1,
            deed: 'charge',
          },
          { once: str(fields, 'PreventDuplicates') === 'true' },
        )
        if (deal.state === 'declined')
          return { json: { Status: Number(deal.code), ClientMessage: 'declined' } }
        const said = bank.said(deal)
        return {
          json: {
            Status: 0,
            SaleId: said.uid,
            TotalAmount: Number(inShekels(said.agorot)),
            AuthNum: said.approval,
            Custom1: said.key,
          },
        }
      }
      case 'ChargePendingSale': {
        const deal = bank.capture('icredit', str(fields, 'SaleId'), agorotOf(str(fields, 'TotalAmount')))
        return { json: deal ? { Status: 0, SaleId: deal.uid } : { Status: 300 } }
      }
      case 'ReleaseJ5':
        return { json: { Status: bank.release('icredit', str(fields, 'SaleId')) ? 0 : 300 } }
      case 'RefundSale': {
        const back = bank.giveBack(
          'icredit',
          str(fields, 'SaleId'),
          agorotOf(str(fields, 'TotalAmount')),
          key,
          { once: true },
        )
        return { json: back ? { Status: 0, RefundSaleId: back.uid } : { Status: 301 } }
      }
      default:
        return undefined
    }
  },
  // To the address of notices goes the token of the group too, which the payer's browser is not shown.
  notice: (bank, form, deal) => asForm({ ...wordsOf(bank.said(deal)), GroupPrivateToken: form.terminal }),
  back: (bank, _form, deal) =>
    deal ? Object.fromEntries(Object.entries(wordsOf(bank.said(deal))).map(([n, v]) => [n, String(v)])) : {},
}
