import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { savedCards } from '../savedCards.ts'
import { AskButton } from './AskButton.tsx'
import './dress.tsx'
import { openCard } from './open.tsx'

/** All saved cards of the business. */
export function Screen() {
  const t = useWords()
  return (
    <ListScreen
      resource={savedCards}
      title={t('screens.saveCards')}
      archive={false}
      newHref={false}
      onOpen={(row) => openCard(row.id)}
      actions={<AskButton />}
    />
  )
}
