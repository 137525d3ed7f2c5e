import { UserRoundPlus } from 'lucide-react'
import type { Screen } from '#kit/describe/screen.ts'
import { registerBoard } from '#kit/web/screens/boards.ts'
import { dressLater } from '#kit/web/screens/dress.ts'
import { announce } from '#kit/web/screens/resources.ts'
import { registerNew, registerSearch } from '#kit/web/shell/registry.ts'
import { registerCategoryTree } from '#features/registers/items/categoryTrees.ts'
import { leadCategories } from '../categories.ts'
import { leadKinds, leads, leadSources, leadStages } from '../leads.ts'
import '../rules.ts'

announce(leads, leadStages, leadKinds, leadSources, leadCategories)
registerCategoryTree({ resource: leadCategories, word: 'leads.title' })
for (const resource of [leads, leadStages, leadKinds, leadSources, leadCategories])
  dressLater(resource, () => import('./dress.tsx'))
registerBoard({
  key: 'leads',
  word: 'screens.leads',
  rule: leads.allow.see,
  order: 10,
  load: () => import('./WorkBoard.tsx'),
})
registerNew({
  key: 'lead',
  word: 'leads.new',
  icon: UserRoundPlus,
  href: '/invoice/invoiceLeadsManager?new=1',
  rule: leads.allow.change,
  order: 65,
})

registerSearch(
  'leads.title',
  async (query, signal) => {
    const { findRecords } = await import('#kit/web/screens/findRecords.ts')
    const found = await findRecords(leads, query, signal, { hints: ['phone', 'email', 'company'] })
    return found.map((one) => ({ ...one, icon: UserRoundPlus }))
  },
  { rule: 'leads.see', order: 30 },
)

const shared = { open: 'login', feature: 'leads' } as const

export const screens: Screen[] = [
  {
    ...shared,
    name: 'leads',
    path: leads.screens.list,
    rule: leads.allow.see,
    menu: { group: 'people', icon: 'user-round-plus', order: 30 },
    load: () => import('./Leads.tsx'),
  },
  {
    ...shared,
    name: 'leadStages',
    path: leadStages.screens.list,
    rule: 'leads.setUp',
    menu: { group: 'people', icon: 'circle-dot', order: 90, more: true },
    settings: [{ key: 'leadStages', group: 'lists', order: 60, finds: ['leadStages.fields.'] }],
    load: () => import('./Stages.tsx'),
  },
  {
    ...shared,
    name: 'leadKinds',
    path: leadKinds.screens.list,
    rule: 'leads.setUp',
    menu: { group: 'people', icon: 'shapes', order: 91, more: true },
    settings: [{ key: 'leadKinds', group: 'lists', order: 61, finds: ['leadKinds.fields.'] }],
    load: () => import('./Kinds.tsx'),
  },
  {
    ...shared,
    name: 'leadCategories',
    path: leadCategories.screens.list,
    rule: leadCategories.allow.see,
    menu: { group: 'people', icon: 'folder-tree', order: 91, more: true },
    settings: [{ key: 'leadCategories', group: 'lists', order: 62, finds: ['leadCategories.fields.'] }],
    load: () => import('./Categories.tsx').then(({ List }) => ({ Screen: List })),
  },
  {
    ...shared,
    name: 'leadCategory',
    path: '/invoice/leadcategories/$categoryid',
    rule: leadCategories.allow.see,
    load: () => import('./Categories.tsx').then(({ Card }) => ({ Screen: Card })),
  },
  {
    ...shared,
    name: 'leadSources',
    path: leadSources.screens.list,
    rule: 'leads.setUp',
    menu: { group: 'people', icon: 'radio-tower', order: 92, more: true },
    settings: [{ key: 'leadSources', group: 'connections', order: 60, finds: ['leadSources.fields.'] }],
    load: () => import('./Sources.tsx'),
  },
  {
    ...shared,
    name: 'leadTransfer',
    path: '/invoice/leadtransfer',
    rule: 'leads.handOver',
    menu: { group: 'people', icon: 'arrow-left-right', order: 93, more: true },
    load: () => import('./Transfer.tsx'),
  },
  {
    ...shared,
    name: 'leadsReport',
    path: '/invoice/reportleads',
    rule: leads.allow.see,
    menu: { group: 'reports', icon: 'chart-column', order: 230, more: true },
    load: () =>
      import('#kit/web/screens/ReportScreen.tsx').then(({ reportScreen }) => ({
        Screen: reportScreen('leads'),
      })),
  },
  {
    name: 'leadForm',
    path: '/leadform/$key',
    open: 'anyone',
    bare: true,
    feature: 'leads',
    load: () => import('./PublicForm.tsx'),
  },
]
