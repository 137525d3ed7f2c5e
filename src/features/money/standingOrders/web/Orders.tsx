import { CirclePlay, OctagonX, Settings, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { addDays } from '#domain/day.ts'
import { failureText, useCall, useSend } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { go } from '#kit/web/routes/place.ts'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { packages } from '#features/registers/parties/holdings.ts'
import { runProgress, stopRun, type Progress } from '../endpoints.ts'
import { standingOrders } from '../standingOrders.ts'
import './dress.tsx'
import './orders.css'
import { refreshOrders } from './words.tsx'

/** So far ahead a charge counts as waiting. */
const waitingDays = 7

/** How far today's charges are, and the button that stops them all. */
function Today({ data }: { data: Progress | undefined }) {
  const t = useWords()
  const may = useCan()
  const hides = useSession()?.HideTotalPrices ?? false
  const stop = useSend(stopRun, {
    onError: (e: unknown) => banner.error(failureText(t, e)),
    onSuccess: () => void refreshOrders(),
  })
  if (!data) return null
  const { left, made, failed, held, madeAgorot, stoppedAt, stoppedBy } = data
  const press = (stopped: boolean) => (
    <Button
      size="s"
      kind={stopped ? 'danger' : 'primary'}
      icon={stopped ? OctagonX : CirclePlay}
      busy={stop.isPending}
      onPress={() => stop.mutate({ stopped })}
    >
      {t(stopped ? 'standingOrders.today.stop' : 'standingOrders.today.goOn')}
    </Button>
  )
  if (stoppedAt)
    return (
      <Note tone="late" action={may('standingOrders.run') && press(false)}>
        {t('standingOrders.today.stopped', { name: stoppedBy ?? '' })}
      </Note>
    )
  if (left === 0 && made === 0 && failed === 0 && held === 0) return null
  return (
    <section className="k-card so-today" aria-label={t('standingOrders.today.title')}>
      <div>
        <b>{t('standingOrders.today.title')}</b>{' '}
        <span role="status">
          {t('standingOrders.today.made', { count: made })}
          {!hides && made > 0 && (
            <>
              {' · '}
              <Money amount={madeAgorot} />
            </>
          )}
          {left > 0 && <> · {t('standingOrders.today.left', { count: left })}</>}
        </span>
        {left > 0 && (
          <progress
            value={made + failed}
            max={made + failed + left}
            aria-label={t('standingOrders.today.title')}
          />
        )}
      </div>
      <div className="so-acts">
        {failed + held > 0 && (
          <Button size="s" href="/invoice/retainersfailed">
            {t('standingOrders.today.failed')} <Num>{failed + held}</Num>
          </Button>
        )}
        {left > 0 && may('standingOrders.run') && press(true)}
      </div>
    </section>
  )
}

/** The total of the day is above the list, so the list waits for it: nothing moves once it is there. */
function WithToday({ children }: { children: ReactNode }) {
  const { data, error } = useCall(
    runProgress,
    {},
    { refetchInterval: (query) => ((query.state.data as Progress | undefined)?.left ? 3000 : 60_000) },
  )
  if (!data && !error) return <Skeleton lines={8} />
  return (
    <div className="so-stack">
      <Today data={data} />
      {children}
    </div>
  )
}

/** All standing orders: what runs, what comes next, what each has brought. */
export function All() {
  const t = useWords()
  const may = useCan()
  return (
    <WithToday>
      <ListScreen
        resource={standingOrders}
        title={t('screens.retainers')}
        archive={false}
        newHref={may(standingOrders.allow.change) ? standingOrders.screens.form : false}
        more={[
          ...(may('customers.see')
            ? [
                {
                  key: 'holders',
                  label: t('holdings.title'),
                  icon: Users,
                  onPress: () => go(packages.screens.list),
                },
              ]
            : []),
          {
            key: 'settings',
            label: t('screens.retainerSettings'),
            icon: Settings,
            onPress: () => go('/invoice/retainersettings'),
          },
        ]}
        empty={{ title: t('standingOrders.empty.title'), text: t('standingOrders.empty.text') }}
      />
    </WithToday>
  )
}

/** What is charged within a week. */
export function Waiting() {
  const t = useWords()
  const today = useToday()
  const until = addDays(today, waitingDays)
  return (
    <WithToday>
      <ListScreen
        resource={standingOrders}
        title={t('screens.retainersWaiting')}
        archive={false}
        newHref={false}
        fixed={{ 'nextDay.lte': until, 'nextDay.empty': 'false', 'state.in': 'trial,active,ending,failing' }}
        kind={{
          key: 'retainersWaiting',
          columns: ['nextDay', 'title', 'customerId', 'sumAgorot', 'means', 'state'],
          dress: { views: () => [] },
        }}
        empty={{ title: t('standingOrders.emptyWaiting.title'), text: t('standingOrders.emptyWaiting.text') }}
      />
    </WithToday>
  )
}

/** What is over, and why. */
export function Completed() {
  const t = useWords()
  return (
    <ListScreen
      resource={standingOrders}
      title={t('screens.retainersCompleted')}
      archive={false}
      newHref={false}
      fixed={{ 'state.in': 'ended,cancelled' }}
      kind={{
        key: 'retainersCompleted',
        columns: [
          'number',
          'title',
          'customerId',
          'startDay',
          'endedOn',
          'turns',
          'broughtAgorot',
          'endReason',
          'state',
        ],
        dress: { views: () => [] },
      }}
      empty={{
        title: t('standingOrders.emptyCompleted.title'),
        text: t('standingOrders.emptyCompleted.text'),
      }}
    />
  )
}
