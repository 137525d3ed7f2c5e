import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useWords } from '#kit/web/words.tsx'
import { bankAccounts } from '../bankAccounts.ts'
import './dress.tsx'

/** The accounts at banks; a row opens the account with its statements. */
export function Screen() {
  const t = useWords()
  return <ListScreen resource={bankAccounts} title={t('screens.bankList')} />
}
