import type { Screen } from '#kit/describe/screen.ts'
import '../rules.ts'

export const screens: Screen[] = [
  {
    name: 'booksProof',
    path: '/invoice/booksproof',
    open: 'login',
    rule: 'ledger.see',
    feature: 'proof',
    menu: { group: 'books', icon: 'shield-check', order: 200, more: true },
    settings: [{ key: 'booksProof', group: 'security', order: 40, finds: ['proof.check'] }],
    load: () => import('./BooksProof.tsx'),
  },
]
