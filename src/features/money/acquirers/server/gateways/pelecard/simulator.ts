import { randomUUID } from 'node:crypto'
import type { SimulatedDeal } from '../simulator/bank.ts'
import { asJson, isWrong, str, type Stand } from '../simulator/simulator.ts'
import { dayMonthYear, monthOf, yearOf } from '../speak.ts'

const currencyNo = (currency: string) => ({ ILS: '1', USD: '2' })[currency] ?? '978'
const currencyBy = (number: string) => ({ '1': 'ILS', '2': 'USD' })[number] ?? 'EUR'

const wordsOf = (deal: SimulatedDeal, proof?: { eci: string; xid: string; cavv: string }) => ({
  TransactionPelecardId: deal.uid,
  TerminalNumber: deal.terminal,
  ShvaResult: deal.code,
  JParam: deal.state === 'saved' ? '2' : '4',
  DebitTotal: String(deal.agorot),
  DebitCurrency: currencyNo(deal.currency),
  AdditionalDetailsParamX: deal.key,
  DebitApproveNumber: deal.approval,
  CreditCardBrand: deal.brand === 'visa' ? '2' : '1',
  CreditCardNumber: `************${deal.last4}`,
  CreditCardExpDate: `${monthOf(deal.expiry)}${yearOf(deal.expiry)}`,
  TotalPayments: String(deal.instalments),
  Token: deal.token,
  ...(proof ? { Eci: proof.eci, XID: proof.xid, Cavv: proof.cavv } : {}),
})
const told = (code: string, data?: unknown) => ({
  json: { StatusCode: code, ErrorMessage: code === '000' ? 'ok' : 'refused', ResultData: data ?? null },
})

export const pelecardStand: Stand = {
  name: 'pelecard',
  settings: { terminal: '0962210', user: 'user', password: 'password-of-pelecard' },
  secret: 'password',
  answer: (bank, { path, fields, home }) => {
    if (isWrong(str(fields, 'password')))
      return path === 'PaymentGW/init'
        ? { json: { URL: '', ConfirmationKey: '', Error: { ErrCode: 301, ErrMsg: 'wrong user' } } }
        : told('301')
    const order = (deed: 'charge' | 'check') =>
      bank.charge({
        gateway: 'pelecard',
        token: str(fields, 'token'),
        terminal: str(fields, 'terminalNumber'),
        key: str(fields, 'paramX'),
        agorot: Number(str(fields, 'total')),
        currency: currencyBy(str(fields, 'currency')),
        instalments: Number(str(fields, 'paymentsNumber')) || 1,
        deed,
      })
    switch (path) {
      case 'PaymentGW/init': {
        const reference = randomUUID().replaceAll('-', '')
        bank.open({
          gateway: 'pelecard',
          reference,
          terminal: str(fields, 'terminal'),
          key: str(fields, 'ParamX'),
          agorot: Number(str(fields, 'Total')),
          currency: currencyBy(str(fields, 'Currency')),
          deed:
            str(fields, 'ActionType') === 'J2'
              ? 'card'
              : str(fields, 'ActionType') === 'J5'
                ? 'hold'
                : 'charge',
          keepsCard: str(fields, 'CreateToken') === 'True',
          mostInstalments: Number(str(fields, 'MaxPayments')) || 1,
          description: '',
          returnTo: str(fields, 'GoodURL'),
          noticeTo: str(fields, 'ServerSideGoodFeedbackURL'),
        })
        return {
          json: {
            URL: `${home}/form/${reference}`,
            ConfirmationKey: reference,
            Error: { ErrCode: 0, ErrMsg: '' },
          },
        }
      }
      case 'PaymentGW/GetTransaction': {
        const deal = bank.byUid('pelecard', str(fields, 'TransactionId'))
        return deal ? told('000', wordsOf(bank.said(deal), bank.faults.threeDs)) : told('555')
      }
      case 'services/CheckGoodParamX': {
        const deal = bank.byKey('pelecard', str(fields, 'paramX'))
        if (!deal || (deal.state === 'declined' && str(fields, 'shvaSuccessOnly') === 'true'))
          return told('555')
        // Under other names than elsewhere, and without the token.
        const { TransactionPelecardId, Token: _token, ...words } = wordsOf(bank.said(deal))
        return told('000', { PelecardTransactionId: TransactionPelecardId, ...words })
      }
      case 'services/DebitRegularType':
      case 'services/DebitPaymentsType': {
        const deal = order('charge')
        return deal.state === 'declined' ? told(deal.code) : told('000', wordsOf(bank.said(deal)))
      }
      case 'services/AuthorizeCreditCard': {
        const { code } = order('check')
        return told(code === '447' ? code : '000', {})
      }
      case 'services/DeleteTran':
        return told(bank.takeBack('pelecard', str(fields, 'pelecardTransactionId')) ? '000' : '556')
      case 'services/GetTransData': {
        const from = str(fields, 'startDate')
        return told(
          '000',
          bank.deals
            .filter(
              (one) =>
                one.gateway === 'pelecard' && dayMonthYear(one.day, '/') === from && one.state === 'paid',
            )
            .map((one) => wordsOf(bank.said(one))),
        )
      }
      default:
        return undefined
    }
  },
  notice: (bank, form, deal) =>
    asJson({
      PelecardTransactionId: deal.uid,
      PelecardStatusCode: deal.code,
      ConfirmationKey: form.reference,
      ParamX: bank.said(deal).key,
    }),
  back: (_bank, form, deal) => ({
    PelecardTransactionId: deal?.uid ?? '',
    PelecardStatusCode: deal?.code ?? '',
    ConfirmationKey: form.reference,
    ParamX: form.key,
  }),
}
