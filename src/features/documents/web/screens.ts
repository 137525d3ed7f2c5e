import { FileText } from 'lucide-react'
import type { Screen } from '../../../kit/describe/screen.ts'
import { registerCardTab } from '../../../kit/web/screens/cardTabs.ts'
import { announce } from '../../../kit/web/screens/resources.ts'
import { registerNew, registerSearch, type MenuLink } from '../../../kit/web/shell/registry.ts'
import { documents } from '../documents.ts'
import '../../companies/rules.ts'
import '../rules.ts'

const shared = { open: 'login', feature: 'documents' } as const
const editor = () => import('./editor/Editor.tsx')
const list = () => import('./list/List.tsx')

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
  { ...shared, name: 'invoiceDocument', path: '/invoice/InvoiceDocument/$documentkey', rule: 'documents.draft', load: editor },
  { ...shared, name: 'documents', path: '/invoice/documents/$type', rule: 'documents.see', load: list },
  { ...shared, name: 'documentView', path: '/invoice/preview/$documentkey', rule: 'documents.see', load: () => import('./page/Page.tsx') },
  {
    ...shared,
    name: 'settingsDocuments',
    path: '/invoice/settingsdoc',
    rule: 'companies.see',
    menu: { group: 'settings', icon: 'file-cog', order: 40 },
    load: () => import('./settings/DocumentSettings.tsx'),
  },
  { name: 'documentPage', path: '/paymentdoc/$key', open: 'anyone', bare: true, feature: 'documents', load: () => import('./PayPage.tsx') },
]

/** Lines of the menu that are views of the list: drafts, and every type that is made here. */
export const links: MenuLink[] = [
  {
    name: 'drafts',
    href: '/invoice/documents?view=drafts&status.in=draft',
    rule: 'documents.see',
    menu: { group: 'sales', icon: 'file-pen', order: 30 },
  },
  {
    name: 'taxInvoices',
    href: '/invoice/documents/8',
    rule: 'documents.see',
    menu: { group: 'sales', icon: 'file-text', order: 80, more: true },
  },
  {
    name: 'creditInvoices',
    href: '/invoice/documents/10',
    rule: 'documents.see',
    menu: { group: 'sales', icon: 'undo-2', order: 100, more: true },
  },
]

announce(documents)
registerNew({
  key: 'taxInvoice',
  word: 'documents.newType.taxInvoice',
  icon: FileText,
  href: '/invoice/InvoiceDocument?type=8',
  rule: 'documents.draft',
  documentType: 8,
  order: 10,
  keys: 'N',
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
  'documents.see',
)
