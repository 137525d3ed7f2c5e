import { useWords } from '#kit/web/words/words.tsx'
import { Runs } from './Runs.tsx'

export function Screen() {
  const t = useWords()
  return <Runs direction="credit" title={t('screens.masavPayments')} newPath="/invoice/masavrun" />
}
