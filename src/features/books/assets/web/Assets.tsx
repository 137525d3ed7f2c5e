import { TrendingDown } from 'lucide-react'
import { Button } from '#kit/web/parts/Button.tsx'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { fixedAssets } from '../assets.ts'
import './dress.tsx'

/** What was bought to last: what it cost, what it loses a year, what is left. */
export function Screen() {
  const t = useWords()
  return (
    <ListScreen
      resource={fixedAssets}
      actions={
        <Button kind="quiet" icon={TrendingDown} href="/invoice/depreciation">
          {t('screens.depreciation')}
        </Button>
      }
    />
  )
}
