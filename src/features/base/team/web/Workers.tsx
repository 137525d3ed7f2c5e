import { UserPlus } from 'lucide-react'
import { Button } from '#kit/web/parts/Button.tsx'
import { useKeys } from '#kit/web/parts/useKeys.ts'
import { go } from '#kit/web/place.ts'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useCan } from '#kit/web/session.ts'
import { useWords } from '#kit/web/words.tsx'
import { workers } from '../workers.ts'
import './dress.tsx'

/** The people of the business: what each may, where each stands. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const mayInvite = may('workers.change')
  useKeys(mayInvite ? { n: () => go('/invoice/editworker') } : {})
  return (
    <ListScreen
      resource={workers as never}
      title={t('workers.title')}
      newHref={false}
      archive={false}
      actions={
        mayInvite && (
          <Button kind="primary" icon={UserPlus} keys="N" onPress={() => go('/invoice/editworker')}>
            {t('workers.new')}
          </Button>
        )
      }
    />
  )
}
