import type { TradeName } from '../calls.ts'
import type { Handler } from './desk.ts'
import { cancelDocument, createDocument, getDocument, listDocuments, share, wcOrder } from './documents.ts'
import { createPayment, paymentStatus, refundPayment } from './payments.ts'
import * as registers from './registers.ts'
import { currencies, languages, vatTypes } from './numbers.ts'

/** One for each call; thin, because everything is done by the contract's own calls. */
export const handlers: { [N in TradeName]: Handler<N> } = {
  login: async ({ caller }) => ({
    value: {
      CompanyID: caller.companyId,
      UserKey: caller.apiKey!.id,
      FullName: caller.fullName,
      ReadOnly: caller.apiKey!.readOnly,
      DraftsOnly: caller.apiKey!.draftsOnly,
    },
  }),
  ...registers.handlers,
  currencies,
  language: languages,
  vatTypes,
  createDocument,
  getDocument,
  invoices: (desk, takes) => listDocuments(desk, takes, false),
  getOpenInvoices: (desk, takes) => listDocuments(desk, takes, true),
  cancelDocument,
  share,
  createPayment,
  paymentStatus,
  refundPayment,
  wcOrder,
  sms: async ({ ask }, { Phone, Text, CustomerID }) => ({
    value: await ask('POST', '/api4/invoice/customers/sms', {
      to: Phone,
      text: Text,
      ...(CustomerID ? { customerId: CustomerID } : {}),
    }),
  }),
  addcardtoken: async (
    { ask },
    { CustomerID, Token, ExpMonth, ExpYear, Last4, CardBrand, TerminalID, Consent },
  ) => {
    const card = await ask<{ id: string; last4: string; expiry: string }>(
      'POST',
      '/api4/invoice/savedCards',
      {
        customerId: CustomerID,
        token: Token,
        expiry: `${ExpYear}-${String(ExpMonth).padStart(2, '0')}`,
        last4: Last4,
        consent: Consent,
        ...(CardBrand ? { brand: CardBrand } : {}),
        ...(TerminalID ? { terminalId: TerminalID } : {}),
      },
    )
    return { value: { id: card.id, Last4: card.last4, Expires: card.expiry } }
  },
}
