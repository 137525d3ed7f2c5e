import { ChartNoAxesColumn, TriangleAlert } from 'lucide-react'
import { failureText, useCall } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { useTitle } from '#kit/web/routes/router.tsx'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { callsOf } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { holdings, packages } from '../holdings.ts'
import './holdingsDress.tsx'

/** The part of the address that names one package. */
const every = 'all'

/** Who holds a pass or a plan: of one package, or of all of them. */
export function Screen() {
  const t = useWords()
  const id = (usePlace().params.packageid ?? every).toLowerCase()
  const one = id !== every
  const { data, error } = useCall(callsOf(packages).get, { id }, { enabled: one })
  const name = data && String(data.name)
  useTitle(name)
  const may = useCan()
  if (one && error && !data)
    return (
      <EmptyState
        whole
        icon={TriangleAlert}
        title={failureText(t, error)}
        actions={<Button href={packages.screens.list}>{t('holdings.title')}</Button>}
      />
    )
  if (one && !data) return <Skeleton lines={8} />
  return (
    <ListScreen
      key={id}
      resource={holdings}
      title={name ?? t('holdings.title')}
      {...(one ? { fixed: { packageId: id } } : {})}
      archive={false}
      newHref={false}
      more={[
        ...(one ? [{ key: 'all', label: t('holdings.all'), onPress: () => go(packages.screens.list) }] : []),
        ...(may('reports.standingOrders')
          ? [
              {
                key: 'report',
                label: t('holdings.report'),
                icon: ChartNoAxesColumn,
                onPress: () => go('/invoice/reportsubscription'),
              },
            ]
          : []),
      ]}
    />
  )
}
