import { MessageCircleQuestion } from 'lucide-react'
import { formatDay, formatMoney } from '#domain/format.ts'
import type { Screen } from '#kit/describe/screen.ts'
import { askAbout, provideAskAbout } from '#kit/web/routes/askAbout.ts'
import { fetchPart } from '#kit/web/calls/fetchPart.ts'
import { dressMore } from '#kit/web/screens/dress.ts'
import { mayDo, session } from '#kit/web/session/session.ts'
import '../rules.ts'

/** Requests about a line: by the accountant of the business, by the business of its accountant. */
provideAskAbout((t, about) =>
  mayDo(session(), 'requests.make')
    ? [
        {
          key: 'ask',
          label: t(
            [5, 6].includes(session()?.TypeID ?? 0) ? 'requests.askBusiness' : 'requests.askAccountant',
          ),
          icon: MessageCircleQuestion,
          onPress: () =>
            void fetchPart(() => import('./openMake.tsx')).then(({ openMake }) => openMake(about)),
        },
      ]
    : [],
)

const said = (...parts: unknown[]): string => parts.filter(Boolean).join(' · ')
const sum = (agorot: unknown): string => (typeof agorot === 'number' ? formatMoney(agorot) : '')

dressMore('banklines', {
  actions: (row, t) =>
    askAbout(t, {
      path: `/invoice/banklist/${String(row.bankAccountId)}?line=${row.id}`,
      what: said(formatDay(String(row.day)), row.text, sum(row.amountAgorot)),
      day: String(row.day),
      sumAgorot: row.amountAgorot as number | undefined,
    }),
})
dressMore('expenses', {
  actions: (row, t) =>
    askAbout(t, {
      path: `/invoice/Expenses/all/${row.id}`,
      what: said(
        row.supplierIdName,
        row.supplierNumber,
        row.day ? formatDay(String(row.day)) : '',
        sum(row.totalAgorot),
      ),
      day: row.day as string | undefined,
      sumAgorot: row.totalAgorot as number | undefined,
    }),
})

export const screens: Screen[] = [
  {
    name: 'cpaOnline',
    path: '/invoice/cpaonline',
    open: 'login',
    rule: 'requests.see',
    feature: 'requests',
    menu: { group: 'team', icon: 'messages-square', order: 65 },
    load: () => import('./Requests.tsx'),
  },
  {
    name: 'requestsPage',
    path: '/clientrequests/$key',
    open: 'anyone',
    bare: true,
    feature: 'requests',
    load: () => import('./PublicPage.tsx'),
  },
]
