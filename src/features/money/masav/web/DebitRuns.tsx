import { useWords } from '#kit/web/words/words.tsx'
import { Runs } from './Runs.tsx'

export function Screen() {
  const t = useWords()
  return <Runs direction="debit" title={t('screens.masavCollections')} newPath="/invoice/masavdebits" />
}
