import { Mail } from 'lucide-react'
import type { Screen } from '#kit/describe/screen.ts'
import { registerCardTab } from '#kit/web/screens/cardTabs.ts'
import { dressLater, dressMore } from '#kit/web/screens/dress.ts'
import { announce } from '#kit/web/screens/resources.ts'
import { mayDo, session } from '#kit/web/session/session.ts'
import { registerNew } from '#kit/web/shell/registry.ts'
import { go } from '#kit/web/routes/place.ts'
import { letters, letterTemplates } from '../letters.ts'
import '../rules.ts'

announce(letters, letterTemplates)
dressLater(letters, () => import('./dress.tsx'))

const shared = { open: 'login', feature: 'letters' } as const

export const screens: Screen[] = [
  {
    ...shared,
    name: 'letters',
    path: letters.screens.list,
    rule: letters.allow.see,
    menu: { group: 'sales', icon: 'mail-open', order: 160, more: true },
    load: () => import('./Letters.tsx'),
  },
  // 'new' begins one, together with `?to=` for whom; any other key is that of a draft.
  {
    ...shared,
    name: 'letter',
    path: '/invoice/InvoiceDocumentLetter/$documentkey',
    rule: letters.allow.change,
    load: () => import('./Editor.tsx'),
  },
  {
    ...shared,
    name: 'letterView',
    path: '/invoice/previewle/$documentkey',
    rule: letters.allow.see,
    load: () => import('./Preview.tsx'),
  },
  {
    name: 'letterPage',
    path: '/letterdoc/$key',
    open: 'anyone',
    bare: true,
    feature: 'letters',
    load: () => import('./PublicPage.tsx'),
  },
]

registerNew({
  key: 'letter',
  word: 'letters.new',
  icon: Mail,
  href: '/invoice/InvoiceDocumentLetter/new',
  rule: letters.allow.change,
  order: 130,
})

registerCardTab('customers', {
  key: 'letters',
  word: 'letters.title',
  rule: letters.allow.see,
  order: 70,
  load: () => import('./CustomerLetters.tsx'),
})

const mayWrite = () => mayDo(session(), letters.allow.change)
const write = (ids: readonly string[]) => go(`/invoice/InvoiceDocumentLetter/new?to=${ids.join(',')}`)

// To those who were chosen among the customers; an address holds so many of them.
dressMore('customers', {
  actions: (row, t) =>
    mayWrite() && !row.archivedAt
      ? [{ key: 'paperLetter', label: t('letters.write'), icon: Mail, onPress: () => write([row.id]) }]
      : [],
  bulk: (t) =>
    mayWrite()
      ? [
          {
            key: 'paperLetter',
            label: t('letters.write'),
            icon: Mail,
            run: (rows) => write(rows.slice(0, 50).map(({ id }) => id)),
          },
        ]
      : [],
})
