import { randomUUID } from 'node:crypto'
import type { SimulatedDeal } from '../simulator/bank.ts'
import { asForm, isWrong, str, type Stand } from '../simulator/simulator.ts'
import { agorotOf, inShekels, monthOf, yearOf } from '../speak.ts'

const good = (data: unknown) => ({ json: { status: 1, err: '', data } })
const bad = (id: number, message: string) => ({ json: { status: 0, err: { id, message }, data: '' } })

const wordsOf = (deal: SimulatedDeal) => ({
  transactionId: deal.uid,
  transactionToken: `t${deal.uid}`,
  transactionUniqueIdentifier: deal.number,
  statusCode: deal.state === 'declined' ? '3' : deal.state === 'held' ? '11' : '2',
  errorCode: deal.state === 'declined' ? deal.code : '',
  sum: inShekels(deal.agorot),
  asmachta: deal.approval,
  cardSuffix: deal.last4,
  cardBrand: deal.brand,
  cardExp: `${monthOf(deal.expiry)}${yearOf(deal.expiry)}`,
  cardToken: deal.token,
  allPaymentsNum: deal.instalments,
  paymentDate: deal.day.split('-').toReversed().join('/'),
  cField1: deal.number ? '' : deal.key,
})

export const growStand: Stand = {
  name: 'grow',
  settings: { userId: 'user-1', pageCode: 'page-1', apiKey: 'key-of-grow' },
  secret: 'userId',
  answer: (bank, { path, fields, home }) => {
    if (isWrong(str(fields, 'userId'))) return bad(101, 'user not found')
    switch (path) {
      case 'createPaymentProcess': {
        const reference = String(bank.newUid())
        bank.open({
          gateway: 'grow',
          reference,
          terminal: str(fields, 'pageCode'),
          key: str(fields, 'cField1'),
          agorot: agorotOf(str(fields, 'sum')),
          currency: 'ILS',
          deed: 'charge',
          keepsCard: str(fields, 'saveCardToken') === '1',
          mostInstalments: Number(str(fields, 'maxPaymentNum')) || 1,
          description: str(fields, 'description'),
          returnTo: str(fields, 'successUrl'),
          noticeTo: str(fields, 'notifyUrl'),
        })
        return good({
          processId: reference,
          processToken: randomUUID().slice(0, 8),
          url: `${home}/form/${reference}`,
        })
      }
      case 'getPaymentProcessInfo': {
        const form = bank.form('grow', str(fields, 'processId'))
        if (!form) return bad(110, 'process not found')
        return good({
          processId: form.reference,
          transactions: form.deal ? [wordsOf(bank.said(form.deal))] : [],
        })
      }
      case 'approveTransaction': {
        const deal = bank.byUid('grow', str(fields, 'transactionId'))
        if (!deal) return bad(111, 'transaction not found')
        deal.isApproved = true
        return good('')
      }
      case 'createTransactionWithToken': {
        const number = str(fields, 'transactionUniqueIdentifier')
        if (!/^\d+$/.test(number) || Number(number) > 2_147_483_647)
          return bad(1009, 'identifier must be a number')
        if (bank.deals.some((one) => one.gateway === 'grow' && one.number === number))
          return bad(1010, 'identifier was used')
        const deal = bank.charge({
          gateway: 'grow',
          token: str(fields, 'cardToken'),
          terminal: str(fields, 'pageCode'),
          key: str(fields, 'transactionGroupIdentifier'),
          number,
          agorot: agorotOf(str(fields, 'sum')),
          currency: 'ILS',
          instalments: Number(str(fields, 'paymentNum')) || 1,
          deed: 'charge',
        })
        return deal.state === 'declined' ? bad(Number(deal.code), 'declined') : good(wordsOf(bank.said(deal)))
      }
      case 'getTokenTransactionsByExternalIdentifiers': {
        const number = str(fields, 'transactionUniqueIdentifier')
        const found = bank.deals.filter(
          (one) => one.gateway === 'grow' && one.number === number && one.token === str(fields, 'cardToken'),
        )
        return good({ transactions: found.map((one) => wordsOf(bank.said(one))) })
      }
      case 'refundTransaction': {
        const uid = str(fields, 'transactionId')
        const deal = bank.byUid('grow', uid)
        if (!deal || str(fields, 'transactionToken') !== `t${uid}`) return bad(111, 'transaction not found')
        const back = bank.giveBack(
          'grow',
          uid,
          agorotOf(str(fields, 'refundSum')),
          `${uid}-${deal.back.size}`,
        )
        return back ? good({ refundTransactionId: back.uid }) : bad(120, 'cannot refund')
      }
      default:
        return undefined
    }
  },
  // Sent up to five times until it is approved; here once for each form.
  notice: (bank, form, deal) =>
    asForm({
      webhookKey: 'no-secret',
      'data[processId]': form.reference,
      'data[processToken]': 'p',
      'data[customFields][cField1]': bank.said(deal).key,
      'data[sum]': inShekels(bank.said(deal).agorot),
    }),
  back: () => ({ response: 'success' }),
}
