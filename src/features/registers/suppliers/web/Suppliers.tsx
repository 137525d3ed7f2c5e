import { Combine, FileQuestion } from 'lucide-react'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { suppliers } from '../suppliers.ts'
import './dress.tsx'
import { openDoubles } from './merging.tsx'

/** The suppliers, by name; behind the three dots what concerns the whole register. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const more = [
    ...(may(suppliers.allow.change)
      ? [{ key: 'doubles', label: t('suppliers.doubles.do'), icon: Combine, onPress: openDoubles }]
      : []),
    { key: 'report1000', label: t('screens.report1000'), icon: FileQuestion, href: '/invoice/report1000' },
  ]
  return <ListScreen resource={suppliers} more={more} />
}
