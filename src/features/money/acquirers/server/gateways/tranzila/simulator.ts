import { randomUUID } from 'node:crypto'
import type { Bank, SimulatedDeal } from '../simulator/bank.ts'
import { asForm, isWrong, str, type Stand } from '../simulator/simulator.ts'
import { agorotOf, currencyOf, inShekels } from '../speak.ts'

const wordsOf = (deal: SimulatedDeal) => ({
  transaction_id: Number(deal.uid),
  terminal_name: deal.terminal,
  order_id: deal.key,
  txn_type: deal.isCredit ? 'credit' : 'debit',
  tranmode: { saved: 'NK', held: 'V' }[deal.state as 'held'] ?? 'A',
  processor_response_code: deal.code,
  auth_number: deal.approval,
  amount: Number(inShekels(deal.agorot)),
  currency_code: deal.currency,
  card_type_name: deal.brand,
  last_4: deal.last4,
  expiry_month: Number(deal.expiry.slice(5)),
  expiry_year: Number(deal.expiry.slice(2, 4)),
  payments_number: deal.instalments,
  token: deal.token,
})

const deeds: Readonly<Record<string, 'card' | 'hold'>> = { K: 'card', NK: 'card', V: 'hold', VK: 'hold' }
/** The amount of each handshake. */
const handshakes = new WeakMap<Bank, Map<string, string>>()

export const tranzilaStand: Stand = {
  name: 'tranzila',
  settings: {
    terminalName: 'shop',
    tokenTerminal: 'shoptok',
    password: 'password-of-tranzila',
    appKey: 'app-of-tranzila',
    secret: 'secret-of-tranzila',
  },
  secret: 'password',
  isPayers: ({ path }) => path.endsWith('iframenew.php'),
  answer: (bank, { path, query, fields, headers, home }) => {
    if (path === 'v1/handshake/create') {
      if (isWrong(query.TranzilaPW ?? '')) return { text: 'error=wrong password' }
      const thtk = randomUUID().replaceAll('-', '')
      const known = handshakes.get(bank) ?? new Map<string, string>()
      handshakes.set(bank, known.set(thtk, query.sum ?? ''))
      return { text: `thtk=${thtk}` }
    }
    // Its hosted page is an address with everything in it.
    if (path.endsWith('iframenew.php')) {
      const reference = query.thtk ?? ''
      // The handshake fixes the amount; the payer can change everything else in the address.
      if (handshakes.get(bank)?.get(reference) !== query.sum)
        return { text: 'the handshake is for another amount' }
      if (!bank.form('tranzila', reference))
        bank.open({
          gateway: 'tranzila',
          reference,
          terminal: path.split('/')[0]!,
          key: query.order_id ?? '',
          agorot: agorotOf(query.sum),
          currency: currencyOf(query.currency ?? '1'),
          deed: deeds[query.tranmode ?? ''] ?? 'charge',
          keepsCard: ['AK', 'VK'].includes(query.tranmode ?? ''),
          mostInstalments: Number(query.maxpay) || 1,
          description: query.pdesc ?? '',
          returnTo: query.success_url_address ?? '',
          noticeTo: query.notify_url_address ?? '',
        })
      return { text: `redirect:${home}/form/${reference}` }
    }
    if (
      isWrong(headers['x-tranzila-api-app-key'] ?? '') ||
      !/^[0-9a-f]{64}$/.test(headers['x-tranzila-api-access-token'] ?? '')
    )
      return { json: { error_code: 401, message: 'unauthorized' } }
    switch (path) {
      case 'v1/transaction/search': {
        const [from, to] = [str(fields, 'transaction_start_date'), str(fields, 'transaction_end_date')]
        const rows = bank.deals.filter(
          (one) =>
            one.gateway === 'tranzila' &&
            one.terminal === str(fields, 'terminal_name') &&
            one.day >= from &&
            one.day <= to,
        )
        return {
          json: {
            error_code: 0,
            message: 'Success',
            transactions: rows.map((one) => wordsOf(bank.said(one))),
          },
        }
      }
      case 'v1/transaction/credit_card/create': {
        const [item] = (fields.items ?? []) as Record<string, unknown>[]
        const agorot = agorotOf(str(item ?? {}, 'unit_price'))
        const key = str(fields, 'order_id')
        if (str(fields, 'txn_type') === 'credit') {
          const back = bank.giveBack('tranzila', str(fields, 'reference_txn_id'), agorot, key)
          return {
            json: back
              ? { error_code: 0, message: 'Success', transaction_result: wordsOf(back) }
              : { error_code: 20000, message: 'cannot credit' },
          }
        }
        const deal = bank.charge({
          gateway: 'tranzila',
          token: str(fields, 'card_number'),
          terminal: str(fields, 'terminal_name'),
          key,
          agorot,
          currency: str(fields, 'txn_currency_code'),
          instalments: Number(str(fields, 'installments_number')) || 1,
          deed: 'charge',
        })
        return { json: { error_code: 0, message: 'Success', transaction_result: wordsOf(bank.said(deal)) } }
      }
      default:
        return undefined
    }
  },
  notice: (bank, _form, deal) => {
    const said = bank.said(deal)
    return asForm({
      Response: said.code,
      order_id: said.key,
      sum: inShekels(said.agorot),
      index: said.uid,
      ConfirmationCode: said.approval,
    })
  },
  back: (_bank, _form, deal) => ({ Response: deal?.code ?? '' }),
}
