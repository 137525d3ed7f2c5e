import type { Screen } from '#kit/describe/screen.ts'
import { dressLater } from '#kit/web/screens/dress.ts'
import { announce } from '#kit/web/screens/resources.ts'
import { bankAccounts, bankLines } from '../bankAccounts.ts'
import '../rules.ts'

announce(bankAccounts, bankLines)
for (const resource of [bankAccounts, bankLines]) dressLater(resource, () => import('./dress.tsx'))

const shared = { open: 'login', feature: 'bank', rule: 'bank.see' } as const

export const screens: Screen[] = [
  {
    ...shared,
    name: 'bankList',
    path: bankAccounts.screens.list,
    menu: { group: 'books', icon: 'landmark', order: 40 },
    load: () => import('./BankList.tsx'),
  },
  {
    ...shared,
    name: 'bankAccount',
    path: '/invoice/banklist/$bankid',
    load: () => import('./BankAccount.tsx'),
  },
]
