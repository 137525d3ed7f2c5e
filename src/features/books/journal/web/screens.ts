import type { Screen } from '#kit/describe/screen.ts'
import { dressLater } from '#kit/web/screens/dress.ts'
import { announce } from '#kit/web/screens/resources.ts'
import { journalLines, movementKinds, openingCustomers, openingSuppliers } from '../journal.ts'
import '../rules.ts'

announce(movementKinds, journalLines, openingCustomers, openingSuppliers)
dressLater(movementKinds, () => import('./dress.tsx'))
dressLater(journalLines, () => import('./dress.tsx'))

const shared = { open: 'login', feature: 'journal' } as const

export const screens: Screen[] = [
  {
    ...shared,
    name: 'journalEntry',
    path: '/invoice/moveaccounting',
    rule: 'journal.enter',
    menu: { group: 'books', icon: 'notebook-pen', order: 20 },
    load: () => import('./MoveAccounting.tsx'),
  },
  {
    ...shared,
    name: 'journalBatches',
    path: '/invoice/manotlist',
    rule: 'journal.enter',
    menu: { group: 'books', icon: 'layers', order: 30 },
    load: () => import('./Batches.tsx'),
  },
  {
    ...shared,
    name: 'journalBatch',
    path: '/invoice/manotlist/$batchid',
    rule: 'journal.enter',
    load: () => import('./Batch.tsx'),
  },
  {
    ...shared,
    name: 'entries',
    path: '/invoice/entries',
    rule: 'reports.accounting',
    menu: { group: 'books', icon: 'scroll-text', order: 40 },
    load: () => import('./Entries.tsx'),
  },
  {
    ...shared,
    name: 'entry',
    path: '/invoice/entries/$entryid',
    rule: 'reports.accounting',
    load: () => import('./Entry.tsx'),
  },
  {
    ...shared,
    name: 'movementKinds',
    path: movementKinds.screens.list,
    rule: movementKinds.allow.see,
    menu: { group: 'books', icon: 'workflow', order: 270, more: true },
    load: () => import('./MovementKinds.tsx'),
  },
  {
    ...shared,
    name: 'openingBalances',
    path: '/invoice/openingbalances',
    rule: 'journal.enter',
    menu: { group: 'books', icon: 'flag', order: 280, more: true },
    load: () => import('./Opening.tsx'),
  },
]
