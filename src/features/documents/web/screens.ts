import { FileText } from 'lucide-react'
import type { Screen } from '../../../kit/describe/screen.ts'
import { announce } from '../../../kit/web/screens/resources.ts'
import { registerNew, type MenuLink } from '../../../kit/web/shell/registry.ts'
import { documents } from '../documents.ts'
import '../rules.ts'

const feature = 'documents'
const editor = () => import('./editor/Editor.tsx')

export const screens: Screen[] = [
  { name: 'invoiceDocument', path: '/invoice/InvoiceDocument', open: 'login', rule: 'documents.draft', feature, menu: { group: 'sales', icon: 'file-plus', order: 20, more: true }, load: editor },
  { name: 'invoiceDocument', path: '/invoice/InvoiceDocument/$documentkey', open: 'login', rule: 'documents.draft', feature, load: editor },
]

export const links: MenuLink[] = []

announce(documents)
registerNew({ key: 'taxInvoice', word: 'documents.newType.taxInvoice', icon: FileText, href: '/invoice/InvoiceDocument?type=8', rule: 'documents.draft', documentType: 8, order: 10, keys: 'N' })
