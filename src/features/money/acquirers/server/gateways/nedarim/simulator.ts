import type { SimulatedDeal } from '../simulator/bank.ts'
import { asJson, isWrong, type Stand } from '../simulator/simulator.ts'
import { agorotOf, inShekels, monthOf, yearOf } from '../speak.ts'

const wordsOf = (deal: SimulatedDeal) => ({
  TransactionId: deal.uid,
  MosadNumber: deal.terminal,
  TransactionType: deal.state === 'saved' ? 'CreateToken' : 'Ragil',
  Status: deal.state === 'declined' ? 'Error' : 'OK',
  ErrorCode: deal.state === 'declined' ? deal.code : '',
  Amount: inShekels(deal.agorot),
  Currency: deal.currency === 'ILS' ? '1' : '2',
  Param1: deal.key,
  Confirmation: deal.approval,
  LastNum: deal.last4,
  Tokef: deal.expiry ? `${monthOf(deal.expiry)}/${yearOf(deal.expiry)}` : '',
  Token: deal.token,
  Tashloumim: String(deal.instalments),
})

export const nedarimStand: Stand = {
  name: 'nedarim',
  settings: { mosad: '7000297', apiValid: 'valid-of-nedarim', apiPassword: 'password-of-nedarim' },
  secret: 'apiPassword',
  isPayers: ({ path }) => path.startsWith('iframe'),
  answer: (bank, { path, query, home }) => {
    if (path === 'iframe' || path === 'iframe/') return { text: frame(home) }
    // The message to the frame opens a form, as it does there.
    if (path === 'iframe/open') {
      const reference = query.Param1 ?? ''
      bank.open({
        gateway: 'nedarim',
        reference,
        terminal: query.Mosad ?? '',
        key: reference,
        agorot: agorotOf(query.Amount),
        currency: query.Currency === '2' ? 'USD' : 'ILS',
        deed: query.PaymentType === 'CreateToken' ? 'card' : 'charge',
        keepsCard: query.Param2 === 'keep',
        mostInstalments: 1,
        description: query.Comment ?? '',
        returnTo: `${home}/iframe/done`,
        noticeTo: query.CallBack ?? '',
      })
      return { text: `redirect:${home}/form/${reference}` }
    }
    if (path === 'iframe/done')
      return {
        text: `<!doctype html><script>parent.postMessage({ Name: 'TransactionResponse', Value: { Status: 'OK' } }, '*')</script>`,
      }
    if (path === 'Files/Manage/Reports/Manage3.aspx') {
      if (isWrong(query.ApiPassword ?? '')) return { json: { Result: 'Error', Message: 'wrong password' } }
      return {
        json: bank.deals
          .filter(
            (one) =>
              one.gateway === 'nedarim' &&
              one.terminal === query.MosadId &&
              Number(one.uid) > Number(query.LastId),
          )
          .slice(0, Number(query.MaxId))
          .map((one) => wordsOf({ ...bank.said(one) })),
      }
    }
    if (path === 'V6/Files/WebServices/DebitKeva.aspx') {
      if (isWrong(query.ApiValid ?? ''))
        return { json: { Status: 'Error', ErrorCode: '401', Message: 'wrong ApiValid' } }
      const key = query.Param1 ?? ''
      // Equal orders are dropped without a word.
      if (bank.deals.some((one) => one.gateway === 'nedarim' && one.key === key))
        return { json: { Status: 'OK', KevaId: '' } }
      const deal = bank.charge({
        gateway: 'nedarim',
        token: query.CardNumber ?? '',
        terminal: query.MosadId ?? '',
        key,
        agorot: agorotOf(query.Amount),
        currency: 'ILS',
        instalments: 1,
        deed: 'charge',
      })
      if (deal.state === 'declined')
        return { json: { Status: 'Error', ErrorCode: deal.code, Message: 'declined' } }
      const said = bank.said(deal)
      return {
        json: {
          Status: 'OK',
          KevaId: said.uid,
          TransactionId: said.uid,
          Confirmation: said.approval,
          LastNum: said.last4,
          NextDate: '',
        },
      }
    }
    return undefined
  },
  notice: (bank, _form, deal) => asJson(wordsOf(bank.said(deal))),
}

/** The frame: it waits for its message, and shows its form. */
const frame = (
  home: string,
): string => `<!doctype html><meta charset="utf-8"><title>Nedarim Plus</title><script>
addEventListener('message', ({ data }) => {
  if (data?.Name === 'FinishTransaction2' || data?.Name === 'FinishTransaction') location.href = '${home}/iframe/open?' + new URLSearchParams(data.Value)
})
parent.postMessage({ Name: 'Ready' }, '*')
</script>`
