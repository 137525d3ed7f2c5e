import { useQuery } from '@tanstack/react-query'
import { Repeat, Settings2 } from 'lucide-react'
import { Link } from 'react-aria-components/Link'
import { call, useCall } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Together } from '#kit/web/parts/Together.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { callsOf } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { NotFound } from '#kit/web/shell/Notices.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { expenseFigures } from '../endpoints.ts'
import { expenses, expenseTypes } from '../expenses.ts'
import './dress.tsx'
import './expenses.css'

/** All expenses, or those of one kind by its id. Above them the bills that should have come and did not. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const { params } = usePlace()
  const typeId = params.type === 'all' ? undefined : params.type
  const calls = callsOf(expenseTypes)
  const type = useQuery({
    queryKey: [calls.get.name, { id: typeId ?? '' }],
    queryFn: ({ signal }) => call(calls.get, { id: typeId! }, { signal }),
    enabled: typeId !== undefined,
    retry: false,
  })
  // Counts of the tabs too; the list re-renders when they come.
  const figures = useCall(expenseFigures, {})
  const missing = figures.data?.missing ?? []
  if (typeId && type.error) return <NotFound />
  return (
    <Together waits={!typeId && figures.isLoading}>
      {!typeId && missing.length > 0 && (
        <div className="ex-above">
          <Note
            tone="wait"
            icon={Repeat}
            action={
              <Link className="link aim" href="/invoice/recurringexpenses?waits=true">
                {t('expenses.missing.show')}
              </Link>
            }
          >
            {t('expenses.missing.text', {
              count: missing.length,
              names: missing
                .slice(0, 3)
                .map((one) => one.name)
                .join(' · '),
            })}
          </Note>
        </div>
      )}
      <ListScreen
        key={typeId ?? 'all'}
        resource={expenses}
        {...(typeId ? { title: String(type.data?.name ?? t('expenses.title')), fixed: { typeId } } : {})}
        newHref={may('expenses.enter') ? `${expenses.screens.form}${typeId ? `?type=${typeId}` : ''}` : false}
        archive={false}
        more={[
          {
            key: 'types',
            label: t('screens.expenseTypes'),
            icon: Settings2,
            onPress: () => go(expenseTypes.screens.list),
          },
        ]}
      />
    </Together>
  )
}
