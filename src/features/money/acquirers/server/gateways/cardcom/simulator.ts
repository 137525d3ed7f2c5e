import { randomUUID } from 'node:crypto'
import type { SimulatedDeal } from '../simulator/bank.ts'
import { asJson, isWrong, str, type Stand } from '../simulator/simulator.ts'
import { agorotOf, currencyNumber, currencyOf, dayMonthYear, inShekels, monthOf } from '../speak.ts'

const infoOf = (deal: SimulatedDeal) => ({
  ResponseCode: deal.state === 'declined' ? Number(deal.code) : 0,
  Description: deal.state === 'declined' ? 'refused' : 'OK',
  TranzactionId: Number(deal.uid),
  TerminalNumber: Number(deal.terminal),
  Amount: Number(inShekels(deal.agorot)),
  CoinId: Number(currencyNumber(deal.currency)),
  Last4CardDigitsString: deal.last4,
  Brand: deal.brand === 'visa' ? 'Visa' : 'MasterCard',
  ApprovalNumber: deal.approval,
  NumberOfPayments: deal.instalments,
  CardMonth: Number(monthOf(deal.expiry)),
  CardYear: Number(deal.expiry.slice(0, 4)),
})
const none = { ResponseCode: 5078, Description: 'not found', TranzactionId: 0 }

export const cardcomStand: Stand = {
  name: 'cardcom',
  settings: { terminalNumber: '1000', apiName: 'name-of-cardcom', apiPassword: 'password-of-cardcom' },
  secret: 'apiName',
  answer: (bank, { path, fields, home }) => {
    if (isWrong(str(fields, 'ApiName')))
      return { json: { ResponseCode: 5, Description: 'Wrong terminal or api name' } }
    const terminal = str(fields, 'TerminalNumber')
    switch (path) {
      case 'LowProfile/Create': {
        const operation = str(fields, 'Operation')
        const reference = randomUUID()
        bank.open({
          gateway: 'cardcom',
          reference,
          terminal,
          key: str(fields, 'ReturnValue'),
          agorot: agorotOf(str(fields, 'Amount')),
          currency: currencyOf(str(fields, 'ISOCoinId')),
          deed: operation === 'CreateTokenOnly' ? 'card' : 'charge',
          keepsCard: operation !== 'ChargeOnly',
          mostInstalments: Number(str(fields, 'AdvancedDefinition', 'MaxNumOfPayments')) || 1,
          description: str(fields, 'ProductName'),
          returnTo: str(fields, 'SuccessRedirectUrl'),
          noticeTo: str(fields, 'WebHookUrl'),
        })
        return {
          json: {
            ResponseCode: 0,
            Description: 'OK',
            LowProfileId: reference,
            Url: `${home}/form/${reference}`,
            UrlToBit: `${home}/form/${reference}?means=bit`,
            UrlToPayPal: `${home}/form/${reference}?means=paypal`,
          },
        }
      }
      case 'LowProfile/GetLpResult': {
        const form = bank.form('cardcom', str(fields, 'LowProfileId'))
        if (!form) return { json: { ResponseCode: 5103, Description: 'LowProfileId not found' } }
        const deal = form.deal && bank.said(form.deal)
        if (!deal)
          return {
            json: {
              ResponseCode: 5036,
              Description: 'not done yet',
              TerminalNumber: Number(form.terminal),
              ReturnValue: form.key,
            },
          }
        return {
          json: {
            ResponseCode: deal.state === 'declined' ? Number(deal.code) : 0,
            Description: 'OK',
            TerminalNumber: Number(deal.terminal),
            LowProfileId: form.reference,
            TranzactionId: form.deed === 'card' ? 0 : Number(deal.uid),
            ReturnValue: deal.key,
            Operation:
              form.deed === 'card'
                ? 'CreateTokenOnly'
                : form.keepsCard
                  ? 'ChargeAndCreateToken'
                  : 'ChargeOnly',
            TranzactionInfo: form.deed === 'card' ? null : infoOf(deal),
            TokenInfo: deal.token
              ? {
                  Token: deal.token,
                  TokenExDate: `${deal.expiry.replace('-', '')}28`,
                  CardMonth: Number(monthOf(deal.expiry)),
                  CardYear: Number(deal.expiry.slice(0, 4)),
                  TokenApprovalNumber: deal.approval,
                  CardOwnerIdentityNumber: '000000018',
                }
              : null,
          },
        }
      }
      case 'Transactions/Transaction': {
        const key = str(fields, 'ExternalUniqTranId')
        const isCheck = str(fields, 'Advanced', 'JValidateType') === '2'
        const known = bank.byKey('cardcom', key)
        if (known && str(fields, 'ExternalUniqUniqTranIdResponse') !== 'true')
          return { json: { ResponseCode: 608, Description: 'double' } }
        const deal = bank.charge(
          {
            gateway: 'cardcom',
            token: str(fields, 'Token'),
            terminal,
            key,
            agorot: agorotOf(str(fields, 'Amount')),
            currency: currencyOf(str(fields, 'ISOCoinId')),
            instalments: Number(str(fields, 'NumOfPayments')) || 1,
            deed: isCheck ? 'check' : 'charge',
          },
          { once: !isCheck },
        )
        if (isCheck) return { json: { ResponseCode: deal.code === '447' ? 447 : 700, Description: '' } }
        return { json: infoOf(bank.said(deal)) }
      }
      case 'Transactions/GetTransactionByExternalUniqTran': {
        const deal = bank.byKey('cardcom', str(fields, 'ExternalUniqTran'))
        return { json: deal ? infoOf(bank.said(deal)) : none }
      }
      case 'Transactions/RefundByTransactionId': {
        const uid = str(fields, 'TransactionId')
        if (str(fields, 'CancelOnly') === 'true')
          return {
            json: bank.takeBack('cardcom', uid)
              ? { ResponseCode: 0, NewTranzactionId: Number(bank.newUid()) }
              : { ResponseCode: 5067, Description: 'too late' },
          }
        const back = bank.giveBack(
          'cardcom',
          uid,
          agorotOf(str(fields, 'PartialSum')),
          str(fields, 'ExternalDealId'),
        )
        return {
          json: back
            ? { ResponseCode: 0, NewTranzactionId: Number(back.uid) }
            : { ResponseCode: 5066, Description: 'refused' },
        }
      }
      case 'Transactions/ListTransactions': {
        const from = str(fields, 'FromDate')
        const rows = bank.deals.filter(
          (one) => one.gateway === 'cardcom' && dayMonthYear(one.day) === from && one.state === 'paid',
        )
        return {
          json: {
            ResponseCode: 0,
            Tranzactions: rows.map((one) => ({
              ...infoOf(one),
              Amount: Number(inShekels(one.isCredit ? -one.agorot : one.agorot)),
              ReturnValue: one.key,
            })),
          },
        }
      }
      case 'RecuringPayments/GetMuhlafimByDate':
        return {
          json: {
            ResponseCode: 0,
            Muhlafim: bank.replaced.map(({ token, newToken, expiry }) => ({
              OldCreditNumber: token,
              NewCreditNumber: newToken,
              NewCardExpirationDate: `${monthOf(expiry)}${expiry.slice(2, 4)}`,
              ReportCode: '1',
            })),
          },
        }
      case 'Financial/BankDeposites':
        return { json: { ResponseCode: 0, Deposites: [] } }
      default:
        return undefined
    }
  },
  notice: (_bank, form, deal) =>
    asJson({
      ResponseCode: deal.state === 'declined' ? Number(deal.code) : 0,
      LowProfileId: form.reference,
      ReturnValue: form.key,
      TerminalNumber: Number(form.terminal),
    }),
  back: (_bank, form) => ({ lowprofilecode: form.reference }),
}
