import { UserPlus } from 'lucide-react'
import { Button } from '#kit/web/parts/Button.tsx'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { OfficesPanel } from '#features/partners/practice/web/index.tsx'
import { accountants } from '../accountants.ts'
import './dress.tsx'

/** The accountants of this business. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  return (
    <>
      <ListScreen
        resource={accountants as never}
        title={t('accountants.title')}
        newHref={false}
        actions={
          may('accountant.change') && (
            <Button kind="primary" icon={UserPlus} href="/invoice/editcpa">
              {t('accountants.new')}
            </Button>
          )
        }
      />
      <OfficesPanel />
    </>
  )
}
