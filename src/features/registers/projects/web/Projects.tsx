import { ChartColumn } from 'lucide-react'
import { Button } from '#kit/web/parts/Button.tsx'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { projects } from '../projects.ts'
import './dress.tsx'

/** Jobs with a budget. */
export function Screen() {
  const t = useWords()
  return (
    <ListScreen
      resource={projects}
      actions={
        <Button kind="quiet" icon={ChartColumn} href="/invoice/reportprojects">
          {t('projects.report')}
        </Button>
      }
    />
  )
}
