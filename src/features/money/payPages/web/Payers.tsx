import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { payPurchases } from '../payPages.ts'
import './dress.tsx'
import { openPurchase } from './open.tsx'

/** Everybody who paid by a page or began to; what is set aside is taken or let go from here. */
export function Screen() {
  const t = useWords()
  return (
    <ListScreen
      resource={payPurchases}
      title={t('screens.payPagePayers')}
      archive={false}
      newHref={false}
      onOpen={(row) => openPurchase(row.id)}
      empty={{ title: t('payPurchases.empty.title'), text: t('payPurchases.empty.text') }}
    />
  )
}
