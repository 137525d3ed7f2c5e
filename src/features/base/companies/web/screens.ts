import { createElement, lazy, Suspense } from 'react'
import { Building2, Settings } from 'lucide-react'
import { inBusiness, type Screen } from '#kit/describe/screen.ts'
import { listenToSession, session } from '#kit/web/session/session.ts'
import { setCompanyDoor } from '#kit/web/shell/company.ts'
import { registerSearch } from '#kit/web/shell/registry.ts'
import { fetchPart } from '#kit/web/calls/fetchPart.ts'
import { afterFirstScreen } from '#kit/web/hooks/useWhenIdle.ts'
import '../rules.ts'

const shared = { open: 'login', feature: 'companies' } as const
const business = () => import('./Business.tsx')

export const screens: Screen[] = [
  {
    ...shared,
    name: 'settings',
    path: '/invoice/Settings',
    users: inBusiness,
    menu: { group: 'settings', icon: 'settings', order: 10 },
    load: () => import('./Settings.tsx'),
  },
  {
    ...shared,
    name: 'companies',
    path: '/invoice/InvoiceCompanies',
    users: inBusiness,
    menu: { group: 'settings', icon: 'building', order: 20 },
    settings: [{ key: 'companies', group: 'business', order: 30 }],
    load: () => import('./Companies.tsx'),
  },
  {
    ...shared,
    name: 'businessDetails',
    path: '/invoice/InvoiceEditCompany',
    rule: 'companies.see',
    menu: { group: 'settings', icon: 'building-2', order: 30 },
    settings: [
      {
        key: 'details',
        group: 'business',
        order: 10,
        finds: [
          'name',
          'kind',
          'taxId',
          'street',
          'city',
          'zip',
          'phone',
          'email',
          'website',
          'bankDetails',
          'iban',
          'swift',
        ].map((field) => `companies.fields.${field}`),
      },
      {
        key: 'tax',
        group: 'business',
        order: 20,
        query: 'tab=tax',
        finds: ['vatPeriodMonths', 'vatOffice', 'incomeTax', 'withholdingFile'].map(
          (field) => `companies.fields.${field}`,
        ),
      },
      {
        key: 'papers',
        group: 'business',
        order: 25,
        query: 'tab=papers',
        finds: ['companies.paperKind.', 'companyPapers.fields.'],
      },
      {
        key: 'signing',
        group: 'security',
        order: 10,
        query: 'tab=signing',
        finds: ['companies.signing.upload', 'companies.signing.make'],
      },
    ],
    load: business,
  },
  // `key` is the business, `type` the part that is shown.
  {
    ...shared,
    name: 'businessDetails',
    path: '/invoice/editcompany/$key/$type',
    rule: 'companies.see',
    load: business,
  },
  {
    ...shared,
    name: 'audit',
    path: '/invoice/audit',
    rule: 'companies.audit',
    menu: { group: 'settings', icon: 'history', order: 90, more: true },
    settings: [{ key: 'audit', group: 'trace', order: 10 }],
    load: () => import('./Audit.tsx'),
  },
]

const Switch = lazy(async () => {
  await afterFirstScreen()
  return fetchPart(() => import('./CompanySwitch.tsx'))
})

/** The name is there at once; the content arrives a moment later. */
function CompanyName() {
  const name = createElement('bdi', { className: 'cut s-company' }, session()?.Name)
  return createElement(Suspense, { fallback: name }, createElement(Switch))
}

setCompanyDoor({ Part: CompanyName, switchTo: async (id) => (await import('./switch.ts')).switchTo(id) })

registerSearch(
  'companies.switch.group',
  async (query, signal) => {
    const { findCompanies } = await import('./find.ts')
    return (await findCompanies(query, signal)).map((one) => ({ ...one, icon: Building2 }))
  },
  { order: 90 },
)
registerSearch(
  'screens.settings',
  async (query) => {
    const { findSettings } = await import('./find.ts')
    return findSettings(query).map((one) => ({ ...one, icon: Settings }))
  },
  { order: 70 },
)

// The frame shows the business's own logo and number; their code comes when the page has nothing better to
// do.
let fitted: string | undefined
const fit = () => {
  const key = session()?.UserKey
  if (key === fitted) return
  fitted = key
  if (key)
    void afterFirstScreen()
      .then(() => import('./fit.ts'))
      .then(({ fitBusiness }) => fitBusiness())
      .catch(() => undefined)
}
if (typeof window !== 'undefined') {
  listenToSession(fit)
  fit()
}
