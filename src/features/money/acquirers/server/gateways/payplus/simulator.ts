import { createHmac, randomUUID } from 'node:crypto'
import type { SimulatedDeal } from '../simulator/bank.ts'
import { isWrong, str, type Stand } from '../simulator/simulator.ts'
import { agorotOf, inShekels, monthOf, yearOf } from '../speak.ts'

/** The secret key to be typed in where a stand-in shall sign its notices. */
export const payplusSecret = 'secret-of-payplus'

const good = { status: 'success', code: 0, description: 'operation-success' }
const bad = (code: number, description: string) => ({
  json: { results: { status: 'error', code, description }, data: '' },
})

const wordsOf = (deal: SimulatedDeal, requestUid = '') => ({
  uid: deal.uid,
  transaction_uid: deal.uid,
  payment_page_request_uid: requestUid,
  type: { held: 'Approval', saved: 'Check' }[deal.state as 'held'] ?? 'Charge',
  status_code: deal.code,
  amount: Number(inShekels(deal.agorot)),
  currency: deal.currency,
  more_info: deal.key,
  terminal_uid: deal.terminal,
  number_of_payments: deal.instalments,
  four_digits: deal.last4,
  brand_name: deal.brand,
  approval_num: deal.approval,
  token_uid: deal.token,
  expiry_month: monthOf(deal.expiry),
  expiry_year: yearOf(deal.expiry),
})

export const payplusStand: Stand = {
  name: 'payplus',
  settings: { apiKey: 'key-of-payplus', secretKey: payplusSecret, pageUid: 'a1b2c3d4-e5f6' },
  secret: 'secretKey',
  answer: (bank, { path, fields, headers, home }) => {
    if (isWrong(headers['api-key'] ?? '', headers['secret-key'] ?? '')) return bad(401, 'not authorized')
    const order = (deed: 'charge' | 'hold' | 'check') =>
      bank.charge({
        gateway: 'payplus',
        token: str(fields, 'token'),
        terminal: str(fields, 'terminal_uid'),
        key: str(fields, 'more_info'),
        agorot: agorotOf(str(fields, 'amount')),
        currency: str(fields, 'currency_code'),
        instalments: Number(str(fields, 'payments')) || 1,
        deed,
      })
    const told = (deal: SimulatedDeal) =>
      deal.state === 'declined'
        ? {
            json: {
              results: { status: 'error', code: 1, description: 'declined' },
              data: { transaction: wordsOf(deal) },
            },
          }
        : { json: { results: good, data: { transaction: wordsOf(bank.said(deal)) } } }
    switch (path) {
      case 'PaymentPages/generateLink': {
        const reference = randomUUID()
        const method = str(fields, 'charge_method')
        bank.open({
          gateway: 'payplus',
          reference,
          terminal: '',
          key: str(fields, 'more_info'),
          agorot: agorotOf(str(fields, 'amount')),
          currency: str(fields, 'currency_code'),
          deed: method === '0' ? 'card' : method === '2' ? 'hold' : 'charge',
          keepsCard: str(fields, 'create_token') === 'true',
          mostInstalments: Number(str(fields, 'payments')) || 1,
          description: '',
          returnTo: str(fields, 'refURL_success'),
          noticeTo: str(fields, 'refURL_callback'),
        })
        return {
          json: {
            results: good,
            data: { page_request_uid: reference, payment_page_link: `${home}/form/${reference}` },
          },
        }
      }
      case 'PaymentPages/ipn': {
        const form = bank.form('payplus', str(fields, 'payment_request_uid'))
        if (!form?.deal) return bad(404, 'not-found')
        return { json: { results: good, data: wordsOf(bank.said(form.deal), form.reference) } }
      }
      case 'Transactions/Charge':
        return told(order('charge'))
      case 'Transactions/Approval':
        return told(order('hold'))
      case 'Transactions/Check':
        return told(order('check'))
      case 'Transactions/ChargeByTransactionUID': {
        const deal = bank.capture('payplus', str(fields, 'transaction_uid'), agorotOf(str(fields, 'amount')))
        return deal
          ? {
              json: {
                results: good,
                data: { transaction: { ...wordsOf(deal), more_info: str(fields, 'more_info') } },
              },
            }
          : bad(2, 'cannot-charge')
      }
      case 'Transactions/View': {
        const deal = bank.byKey('payplus', str(fields, 'more_info'))
        return deal
          ? { json: { results: good, data: { transaction: wordsOf(bank.said(deal)) } } }
          : bad(404, 'not-found')
      }
      case 'Transactions/RefundByTransactionUID': {
        const back = bank.giveBack(
          'payplus',
          str(fields, 'transaction_uid'),
          agorotOf(str(fields, 'amount')),
          str(fields, 'more_info'),
        )
        return back
          ? { json: { results: good, data: { transaction: wordsOf(back) } } }
          : bad(3, 'cannot-refund')
      }
      default:
        return undefined
    }
  },
  // Its secret is not known here; stand-ins sign with the one everybody types in while trying out.
  notice: (bank, form, deal) => {
    const body = JSON.stringify({
      transaction_type: 'Charge',
      transaction: wordsOf(bank.said(deal), form.reference),
    })
    return {
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'PayPlus',
        hash: createHmac('sha256', payplusSecret).update(body).digest('base64'),
      },
    }
  },
  back: (_bank, form, deal) => ({ page_request_uid: form.reference, status_code: deal?.code ?? '' }),
}
