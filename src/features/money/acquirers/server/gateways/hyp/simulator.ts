import { createHmac } from 'node:crypto'
import type { SimulatedDeal, SimulatedForm } from '../simulator/bank.ts'
import { isWrong, type Stand } from '../simulator/simulator.ts'
import { agorotOf, inShekels, monthOf, yearOf } from '../speak.ts'

const secret = 'hyp'
const coins = { '1': 'ILS', '2': 'USD', '3': 'EUR', '4': 'GBP' } as Record<string, string>
const coinOf = (currency: string) => Object.entries(coins).find(([, name]) => name === currency)?.[0] ?? '1'
const signOf = (fields: Record<string, string>): string =>
  createHmac('sha256', secret)
    .update(
      Object.entries(fields)
        .filter(([name]) => name !== 'Sign')
        .map(([n, v]) => `${n}=${v}`)
        .join('&'),
    )
    .digest('hex')

/** What comes back, in their order; the last of it is their sign. */
const backOf = (
  form: SimulatedForm,
  deal: SimulatedDeal | undefined,
  isPostponed = false,
): Record<string, string> => {
  const fields: Record<string, string> = {
    Id: deal?.uid ?? '',
    CCode: deal
      ? deal.state === 'declined'
        ? String(Number(deal.code))
        : deal.state === 'saved'
          ? '600'
          : deal.state === 'held'
            ? '700'
            : isPostponed
              ? '800'
              : '0'
      : '998',
    Amount: inShekels(deal?.agorot ?? form.agorot),
    ACode: deal?.approval ?? '',
    Order: deal?.key ?? form.key,
    Masof: deal?.terminal ?? form.terminal,
    Payments: String(deal?.instalments ?? 1),
    UserId: '000000018',
    Brand: deal?.brand === 'visa' ? '2' : '99',
    L4digit: deal?.last4 ?? '',
    Coin: coinOf(deal?.currency ?? form.currency),
  }
  return { ...fields, Sign: signOf(fields) }
}
const line = (fields: Record<string, string>): { text: string } => ({
  text: new URLSearchParams(fields).toString(),
})

export const hypStand: Stand = {
  name: 'hyp',
  settings: { masof: '0010020610', passP: 'pass-of-hyp', key: 'key-of-hyp' },
  secret: 'key',
  isPayers: ({ query }) => query.action === 'pay',
  answer: (bank, { query, home }) => {
    const action = query.action ?? ''
    if (action === 'pay') return { text: `redirect:${home}/form/${query.Order ?? ''}` }
    if (isWrong(query.PassP ?? '', query.KEY ?? '')) return line({ CCode: '902', errMsg: 'wrong keys' })
    switch (action) {
      case 'APISign': {
        if (query.What === 'VERIFY') {
          const names = [
            'Id',
            'CCode',
            'Amount',
            'ACode',
            'Order',
            'Masof',
            'Payments',
            'UserId',
            'Brand',
            'L4digit',
            'Coin',
          ]
          const fields = Object.fromEntries(names.map((name) => [name, query[name] ?? '']))
          return line({ CCode: signOf(fields) === query.Sign ? '0' : '902000' })
        }
        const order = query.Order ?? ''
        bank.open({
          gateway: 'hyp',
          reference: order,
          terminal: query.Masof ?? '',
          key: order,
          agorot: agorotOf(query.Amount),
          currency: coins[query.Coin ?? '1'] ?? 'ILS',
          deed: query.J5 === 'J2' ? 'card' : query.J5 === 'True' ? 'hold' : 'charge',
          // Any deal of a terminal that may keep cards can be made a token of.
          keepsCard: true,
          mostInstalments: Number(query.Tash) || 1,
          description: query.Info ?? '',
          returnTo: query.SuccessUrl ?? '',
          noticeTo: query.NotifyURL ?? '',
        })
        const { action: _action, What: _what, KEY: _key, PassP: _pass, ...rest } = query
        return line({ ...rest, signature: signOf(rest) })
      }
      case 'getToken': {
        const deal = bank.byUid('hyp', query.TransId ?? '')
        if (!deal?.token) return line({ CCode: '33' })
        return line({
          Id: deal.uid,
          Token: deal.token,
          Tokef: `${yearOf(deal.expiry)}${monthOf(deal.expiry)}`,
          CCode: '0',
        })
      }
      case 'soft': {
        const deal = bank.charge({
          gateway: 'hyp',
          token: query.CC ?? '',
          terminal: query.Masof ?? '',
          key: query.Order ?? '',
          agorot: agorotOf(query.Amount),
          currency: coins[query.Coin ?? '1'] ?? 'ILS',
          instalments: Number(query.Tash) || 1,
          deed: 'charge',
        })
        if (deal.state === 'declined') return line({ Id: deal.uid, CCode: String(Number(deal.code)) })
        const said = bank.said(deal)
        return line({
          Id: said.uid,
          CCode: bank.faults.isPostponed ? '800' : '0',
          Amount: inShekels(said.agorot),
          ACode: said.approval,
          Order: said.key,
          Masof: said.terminal,
          L4digit: said.last4,
          Coin: coinOf(said.currency),
        })
      }
      case 'CancelTrans':
        return line(
          bank.takeBack('hyp', query.TransId ?? '')
            ? { CCode: '0', TransId: query.TransId ?? '' }
            : { CCode: '920' },
        )
      case 'zikoyAPI': {
        const uid = query.TransId ?? ''
        const back = bank.giveBack(
          'hyp',
          uid,
          agorotOf(query.Amount),
          `${uid}-${bank.byUid('hyp', uid)?.back.size ?? 0}`,
        )
        return line(back ? { CCode: '0', Id: back.uid } : { CCode: '921' })
      }
      default:
        return undefined
    }
  },
  back: (bank, form, deal) => backOf(form, deal && bank.said(deal), bank.faults.isPostponed),
  notice: (bank, form, deal) => ({
    body: new URLSearchParams(backOf(form, bank.said(deal), bank.faults.isPostponed)).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  }),
}
