import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { payPages } from '../payPages.ts'
import './dress.tsx'

/** All payment pages: how often they were opened, begun and paid, and what they brought. */
export function All() {
  const t = useWords()
  const may = useCan()
  return (
    <ListScreen
      resource={payPages}
      title={t('screens.payPages')}
      archive={false}
      newHref={may(payPages.allow.change) ? payPages.screens.form : false}
      fixed={{ 'kind.in': 'charge,hold' }}
      empty={{ title: t('payPages.empty.title'), text: t('payPages.empty.text') }}
    />
  )
}

/** Pages by which a standing order begins. */
export function Subscriptions() {
  const t = useWords()
  const may = useCan()
  return (
    <ListScreen
      resource={payPages}
      title={t('screens.retainerPages')}
      archive={false}
      newHref={may(payPages.allow.change) ? '/invoice/retainerpages/new' : false}
      fixed={{ kind: 'subscription' }}
      kind={{
        key: 'retainerPages',
        columns: ['title', 'views', 'started', 'paid', 'placesLeft', 'closesAt', 'state'],
      }}
      empty={{ title: t('payPages.emptySubscriptions.title'), text: t('payPages.emptySubscriptions.text') }}
    />
  )
}
