import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { cardCharges } from '../paymentLinks.ts'
import './dress.tsx'

/** Every try to pay by card, and what became of it. */
export function Screen() {
  const t = useWords()
  return (
    <ListScreen resource={cardCharges} title={t('screens.historyPayments')} archive={false} newHref={false} />
  )
}
