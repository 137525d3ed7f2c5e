import { paymentMeansById } from '#domain/documents/kinds.ts'
import { usePlace } from '#kit/web/routes/place.ts'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { NotFound } from '#kit/web/shell/Notices.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { payments } from '../payments.ts'
import { newDepositPath } from './actions.ts'
import './dress.tsx'

/** What customers paid: all of it, or by one means. */
export function Screen() {
  const t = useWords()
  const { params } = usePlace()
  const means = params.type === undefined ? undefined : paymentMeansById(Number(params.type))
  if (params.type !== undefined && !means) return <NotFound />
  return (
    <ListScreen
      key={means ?? 'all'}
      resource={payments}
      {...(means
        ? { title: t('payments.byMeans', { means: t(`payments.means.${means}`) }), fixed: { means } }
        : {})}
      newHref={newDepositPath}
      archive={false}
    />
  )
}
