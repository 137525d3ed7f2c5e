import { HandCoins, TicketX } from 'lucide-react'
import { statusFacts, typeFacts } from '#domain/documents/facts.ts'
import type { Screen } from '#kit/describe/screen.ts'
import { mayDo, session } from '#kit/web/session/session.ts'
import { registerPageDeed } from '#features/sales/documents/pageDeeds.ts'
import '../rules.ts'

export const screens: Screen[] = [
  {
    name: 'reportBadDebts',
    path: '/invoice/reportbaddebts',
    open: 'login',
    rule: 'reports.sales',
    feature: 'badDebts',
    menu: { group: 'tax', icon: 'ticket-x', order: 65, more: true },
    load: () =>
      import('#kit/web/screens/ReportScreen.tsx').then(({ reportScreen }) => ({
        Screen: reportScreen('badDebts'),
      })),
  },
]

const mayWriteOff = () => mayDo(session(), 'documents.cancel') && !session()?.HideTotalPrices

registerPageDeed({
  key: 'badDebt',
  word: 'badDebts.menu',
  icon: TicketX,
  offered: ({ type, status, isOpening, isBadDebt, totals }) =>
    mayWriteOff() &&
    typeFacts(type).isInvoice &&
    statusFacts(status).isLive &&
    !isOpening &&
    !isBadDebt &&
    Number(totals.openAgorot ?? 0) > 0,
  open: (document) => void import('./open.tsx').then(({ openWriteOff }) => openWriteOff(document)),
})
registerPageDeed({
  key: 'badDebtPaid',
  word: 'badDebts.recoverMenu',
  icon: HandCoins,
  offered: ({ type, isBadDebt, source }) =>
    mayWriteOff() && typeFacts(type).isCredit && isBadDebt && source !== null,
  open: (document) => void import('./open.tsx').then(({ openRecovery }) => openRecovery(document)),
})
