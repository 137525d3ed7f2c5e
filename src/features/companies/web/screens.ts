import type { Screen } from '../../../kit/describe/screen.ts'
import { listenToSession, session } from '../../../kit/web/session.ts'
import '../rules.ts'

const shared = { open: 'login', feature: 'companies' } as const
const business = () => import('./Business.tsx')

export const screens: Screen[] = [
  {
    ...shared,
    name: 'settings',
    path: '/invoice/Settings',
    menu: { group: 'settings', icon: 'settings', order: 10 },
    load: () => import('./Settings.tsx'),
  },
  {
    ...shared,
    name: 'businessDetails',
    path: '/invoice/InvoiceEditCompany',
    rule: 'companies.see',
    menu: { group: 'settings', icon: 'building-2', order: 30 },
    load: business,
  },
  // `type` is the part that is shown.
  { ...shared, name: 'businessDetails', path: '/invoice/editcompany/$key/$type', rule: 'companies.see', load: business },
  {
    ...shared,
    name: 'audit',
    path: '/invoice/audit',
    rule: 'companies.audit',
    menu: { group: 'settings', icon: 'history', order: 90, more: true },
    load: () => import('./Audit.tsx'),
  },
]

// The frame shows the business's own logo and number; their code comes when the page has nothing better to do.
let fitted: string | undefined
const fit = () => {
  const key = session()?.UserKey
  if (key === fitted) return
  fitted = key
  if (key) setTimeout(() => void import('./fit.ts').then(({ fitBusiness }) => fitBusiness()).catch(() => undefined), 300)
}
if (typeof window !== 'undefined') {
  listenToSession(fit)
  fit()
}
