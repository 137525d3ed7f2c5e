import { FileText } from 'lucide-react'
import type { BusinessKind } from '#domain/documents/kinds.ts'
import type { Screen } from '#kit/describe/screen.ts'
import { queryClient } from '#kit/web/calls/call.ts'
import { registerBoard } from '#kit/web/screens/boards.ts'
import { registerCardTab } from '#kit/web/screens/cardTabs.ts'
import { registerPart } from '#kit/web/screens/places.ts'
import { announce } from '#kit/web/screens/resources.ts'
import { registerNew, registerSearch, type MenuLink } from '#kit/web/shell/registry.ts'
import { documents } from '../documents.ts'
import { getCompany, type Company } from '#features/base/companies/endpoints.ts'
import '#features/base/companies/rules.ts'
import '../rules.ts'
import { begins, editorPath, typeId } from '../types/index.ts'

const shared = { open: 'login', feature: 'documents' } as const
const editor = () => import('./editor/Editor.tsx')
const purchases = () => import('./editor/Purchases.tsx')
const list = () => import('./list/List.tsx')
const page = () => import('./page/Page.tsx')

/** The name of a setting of the business. */
const fieldWord = (field: string) => `companies.fields.${field}`

export const screens: Screen[] = [
  {
    ...shared,
    name: 'documents',
    path: '/invoice/documents',
    rule: 'documents.see',
    menu: { group: 'sales', icon: 'files', order: 10 },
    load: list,
  },
  {
    ...shared,
    name: 'newDocument',
    path: '/invoice/InvoiceDocument',
    rule: 'documents.draft',
    menu: { group: 'sales', icon: 'file-plus', order: 20 },
    load: editor,
  },
  {
    ...shared,
    name: 'invoiceDocument',
    path: '/invoice/InvoiceDocument/$documentkey',
    rule: 'documents.draft',
    load: editor,
  },
  {
    ...shared,
    name: 'purchases',
    path: '/invoice/InvoiceDocumentEx',
    rule: 'documents.draft',
    menu: { group: 'purchases', icon: 'shopping-cart', order: 60 },
    load: purchases,
  },
  {
    ...shared,
    name: 'purchases',
    path: '/invoice/InvoiceDocumentEx/$documentkey',
    rule: 'documents.draft',
    load: purchases,
  },
  {
    ...shared,
    name: 'paperBook',
    path: '/invoice/documentsmanualy',
    rule: 'documents.see',
    menu: { group: 'sales', icon: 'book-open', order: 150, more: true },
    load: () => import('./byHand/PaperBook.tsx'),
  },
  { ...shared, name: 'documents', path: '/invoice/documents/$type', rule: 'documents.see', load: list },
  {
    ...shared,
    name: 'documentView',
    path: '/invoice/preview/$documentkey',
    rule: 'documents.see',
    load: page,
  },
  {
    ...shared,
    name: 'documentView',
    path: '/invoice/previewex/$documentkey',
    rule: 'documents.see',
    load: page,
  },
  {
    ...shared,
    name: 'settingsDocuments',
    path: '/invoice/settingsdoc',
    rule: 'companies.see',
    menu: { group: 'settings', icon: 'file-cog', order: 40 },
    settings: [
      {
        key: 'design',
        group: 'documents',
        order: 10,
        finds: ['language', 'layout', 'accent', 'textAbove', 'textBelow', 'showCreditLine'].map(fieldWord),
      },
      {
        key: 'defaults',
        group: 'documents',
        order: 20,
        query: 'tab=defaults',
        finds: ['defaultVatKind', 'dueTerms', 'rounding', 'backDating'].map(fieldWord),
      },
      {
        key: 'signature',
        group: 'documents',
        order: 15,
        query: 'tab=signature',
        finds: ['documents.signature.'],
      },
      {
        key: 'mail',
        group: 'documents',
        order: 30,
        query: 'tab=mail',
        finds: ['mailSubject', 'mailText'].map(fieldWord),
      },
      {
        key: 'numbering',
        group: 'documents',
        order: 40,
        query: 'tab=numbering',
        finds: ['documents.types.'],
      },
    ],
    load: () => import('./settings/DocumentSettings.tsx'),
  },
  {
    name: 'documentPage',
    path: '/paymentdoc/$key',
    open: 'anyone',
    bare: true,
    feature: 'documents',
    load: () => import('./page/PayPage.tsx'),
  },
]

registerPart('firstSteps', () => import('./page/DigitalStep.tsx'))

registerBoard({
  key: 'quotes',
  word: 'documents.typesPlural.priceQuote',
  rule: 'documents.see',
  order: 20,
  load: () => import('./list/DocumentBoard.tsx').then(({ Quotes }) => ({ Board: Quotes })),
})
registerBoard({
  key: 'orders',
  word: 'documents.typesPlural.order',
  rule: 'documents.see',
  order: 30,
  load: () => import('./list/DocumentBoard.tsx').then(({ Orders }) => ({ Board: Orders })),
})

/** Lines of the menu that are views of the list: drafts, and every type that is made here. */
export const links: MenuLink[] = [
  {
    name: 'drafts',
    href: '/invoice/documents?view=drafts&status.in=draft',
    rule: 'documents.see',
    menu: { group: 'sales', icon: 'file-pen', order: 30 },
  },
  ...(
    [
      ['quotes', 1, 'file-pen', 40],
      ['orders', 2, 'clipboard-list', 50],
      ['deliveryNotes', 3, 'truck', 60],
      ['returnNotes', 4, 'undo-2', 65],
      ['paymentRequests', 5, 'hand-coins', 70],
      ['receipts', 6, 'receipt', 75],
      ['taxInvoices', 8, 'file-text', 80],
      ['invoiceReceipts', 9, 'receipt-text', 90],
      ['creditInvoices', 10, 'undo-2', 100],
      ['donationReceipts', 11, 'heart-handshake', 110],
      ['depositReceipts', 14, 'landmark', 120],
    ] as const
  ).map(([name, type, icon, order]): MenuLink => ({
    name,
    href: `/invoice/documents/${type}`,
    rule: 'documents.see',
    ...(name === 'donationReceipts' ? { area: 'donations' } : {}),
    menu: { group: 'sales', icon, order, more: true },
  })),
  {
    name: 'purchaseDocuments',
    href: '/invoice/documents?type.in=7,12,13',
    rule: 'documents.see',
    menu: { group: 'purchases', icon: 'files', order: 65, more: true },
  },
]

announce(documents)
// What this kind of business begins, the commonest first; told again when its kind changes.
let offered: (() => void)[] = []
let offeredTo: BusinessKind | undefined
queryClient.getQueryCache().subscribe(({ type, query }) => {
  const kind =
    type === 'updated' && query.queryKey[0] === getCompany.name
      ? (query.state.data as Company | undefined)?.kind
      : undefined
  if (!kind || kind === offeredTo) return
  offeredTo = kind
  for (const takeBack of offered) takeBack()
  offered = (['sales', 'purchases'] as const).flatMap((side, at) =>
    begins(kind, side).map((one, i) =>
      registerNew({
        key: one.name,
        word: `documents.newType.${one.name}`,
        icon: FileText,
        href: editorPath(typeId(one.name)),
        rule: 'documents.draft',
        documentType: typeId(one.name),
        // Behind what other features begin, but for the commonest.
        order: at === 0 && i < 4 ? 10 + i : 60 + at * 20 + i,
        ...(at === 0 && i === 0 ? { keys: 'N' } : {}),
      }),
    ),
  )
})

registerCardTab('projects', {
  key: 'documents',
  word: 'documents.title',
  rule: 'documents.see',
  order: 10,
  load: () => import('./list/ProjectDocuments.tsx'),
})

registerCardTab('customers', {
  key: 'documents',
  word: 'documents.title',
  rule: 'documents.see',
  order: 10,
  load: () => import('./list/CustomerDocuments.tsx'),
})

// By number, by sum, or by part of the customer's name.
registerSearch(
  'documents.title',
  (query, signal) => import('./list/find.ts').then(({ findDocuments }) => findDocuments(query, signal)),
  { rule: 'documents.see', order: 50 },
)
