import { BookUser, CreditCard, Link2 } from 'lucide-react'
import { statusFacts, typeFacts } from '#domain/documents/facts.ts'
import type { Screen } from '#kit/describe/screen.ts'
import { dressLater, dressMore } from '#kit/web/screens/dress.ts'
import { registerPart } from '#kit/web/screens/places.ts'
import { announce } from '#kit/web/screens/resources.ts'
import { mayDo, session } from '#kit/web/session/session.ts'
import '#features/base/companies/rules.ts'
import { registerPageDeed } from '#features/sales/documents/pageDeeds.ts'
import { cardCharges, paymentLinks } from '../paymentLinks.ts'
import '../rules.ts'

const shared = { open: 'login', feature: 'paymentLinks' } as const
const guest = { open: 'anyone', bare: true, feature: 'paymentLinks' } as const

export const screens: Screen[] = [
  {
    ...shared,
    name: 'paymentKeys',
    path: paymentLinks.screens.list,
    rule: 'paymentLinks.see',
    menu: { group: 'money', icon: 'link', order: 15 },
    load: () => import('./Links.tsx'),
  },
  {
    ...shared,
    name: 'historyPayments',
    path: cardCharges.screens.list,
    rule: 'paymentLinks.see',
    menu: { group: 'money', icon: 'credit-card', order: 60 },
    load: () => import('./Charges.tsx'),
  },
  {
    name: 'cardDeclines',
    path: '/invoice/reportcarddeclines',
    open: 'login',
    rule: 'paymentLinks.see',
    feature: 'paymentLinks',
    menu: { group: 'reports', icon: 'credit-card', order: 163, more: true },
    load: () =>
      import('#kit/web/screens/ReportScreen.tsx').then(({ reportScreen }) => ({
        Screen: reportScreen('cardDeclines'),
      })),
  },
  {
    ...shared,
    name: 'cardCharge',
    path: '/invoice/historypayments/$id',
    rule: 'paymentLinks.see',
    load: () => import('./Charge.tsx'),
  },
  {
    ...shared,
    name: 'settingsReceipt',
    path: '/invoice/settingsreciept',
    rule: 'companies.see',
    menu: { group: 'settings', icon: 'receipt', order: 45 },
    settings: [
      {
        key: 'receipts',
        group: 'documents',
        order: 35,
        finds: [
          'receiptMeans',
          'defaultCardBrand',
          'transferAccountId',
          'section46Text',
          'thanksText',
          'phonePayment',
        ].map((field) => `companies.fields.${field}`),
      },
    ],
    load: () => import('./ReceiptSettings.tsx'),
  },
  { ...guest, name: 'payLink', path: '/payment/$key', load: () => import('./PayLink.tsx') },
  { ...guest, name: 'testCard', path: '/testcard/$key', load: () => import('./TestCard.tsx') },
  { ...guest, name: 'customerHistory', path: '/historydoc/$userkey', load: () => import('./History.tsx') },
]

announce(paymentLinks, cardCharges)
for (const resource of [paymentLinks, cardCharges]) dressLater(resource, () => import('./dress.tsx'))

// How a document is signed and paid from its page: the person who is to sign does so first.
registerPart('document:priceQuote', () => import('./QuotePart.tsx'))
registerPart('documentPage', () => import('./SignPart.tsx'))
registerPart('documentPage', () => import('./PayPart.tsx'))

const may = (rule: string) => mayDo(session(), rule)
const seesSums = () => !session()?.HideTotalPrices

/** A link asks for what is open in shekels, or for what a request for payment asks. */
const takesLink = (of: {
  status: string
  currency: string
  type: number
  openAgorot: number | null
}): boolean =>
  may('paymentLinks.change') &&
  seesSums() &&
  statusFacts(of.status).isLive &&
  of.currency === 'ILS' &&
  (Number(of.openAgorot ?? 0) > 0 || (typeFacts(Number(of.type)).asks && !statusFacts(of.status).isClosed))
const openLink = (id: string) =>
  void import('./open.tsx').then(({ openDocumentLink }) => openDocumentLink(id))

registerPageDeed({
  key: 'paymentLink',
  word: 'paymentLinks.one',
  icon: CreditCard,
  offered: ({ status, currency, type, totals, isOpening }) =>
    !isOpening && takesLink({ status, currency, type, openAgorot: totals.openAgorot }),
  open: ({ id }) => openLink(id),
})
dressMore('documents', {
  actions: (row, t) =>
    takesLink(row as never)
      ? [{ key: 'paymentLink', label: t('paymentLinks.one'), icon: Link2, onPress: () => openLink(row.id) }]
      : [],
})
dressMore('customers', {
  actions: (row, t) =>
    may('documents.send') && seesSums() && !row.archivedAt
      ? [
          {
            key: 'page',
            label: t('customerPages.action'),
            icon: BookUser,
            onPress: () =>
              void import('./open.tsx').then(({ openCustomerPage }) =>
                openCustomerPage(row.id, String(row.name)),
              ),
          },
        ]
      : [],
})
