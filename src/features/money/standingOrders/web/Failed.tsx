import { useQuery } from '@tanstack/react-query'
import { CircleCheckBig, Link2, Pause, RefreshCw, Trash2 } from 'lucide-react'
import { useState, type KeyboardEvent } from 'react'
import { Link } from 'react-aria-components/Link'
import { formatDay } from '#domain/format.ts'
import { call, failureText, type CallFailure } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { Question } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed as Trouble } from '#kit/web/parts/Failed.tsx'
import { Figure, Figures, Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { callsOf } from '#kit/web/screens/resources.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { getOrder, giveUpTurn, pauseOrder, retryTurn } from '../endpoints.ts'
import { standingOrders, type OrderRow } from '../standingOrders.ts'
import './orders.css'
import { openAsk } from './open.tsx'
import { OrderStatePill, refreshOrders } from './words.tsx'

const reasonOf = ({ state, failure }: OrderRow): string => (state === 'held' ? 'held' : failure || 'soft')

const hasFailed = ({ state, failingSince }: OrderRow): boolean =>
  state !== 'needsCard' || failingSince !== null

const { list } = callsOf(standingOrders)

/** All of them: amounts and reasons cover the whole. */
async function allFailed(signal: AbortSignal): Promise<OrderRow[]> {
  const rows: unknown[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Awaited<ReturnType<typeof call<typeof list>>> = await call(
      list,
      { size: 200, 'state.in': 'failing,needsCard,held', ...(cursor ? { cursor } : {}) },
      { signal },
    )
    rows.push(...page.rows)
    cursor = page.nextCursor
  }
  // One that only waits for its card has failed in nothing yet.
  return (rows as OrderRow[]).filter(hasFailed)
}

/**
 * What failed, by its reason and by the money at stake, the most money first; each is dealt with by one key.
 */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const hides = useSession()?.HideTotalPrices ?? false
  const { data, error, refetch } = useQuery<OrderRow[], CallFailure>({
    queryKey: [list.name, 'failed'],
    queryFn: ({ signal }) => allFailed(signal),
    staleTime: 0,
  })
  const [reason, setReason] = useState('all')
  const [drops, setDrops] = useState<OrderRow>()
  if (error && !data) return <Trouble error={error} onRetry={refetch} />
  if (!data) return <Skeleton lines={6} />
  const rows = data.toSorted((a, b) => (b.failedAgorot ?? 0) - (a.failedAgorot ?? 0))
  const atStake = (list: readonly OrderRow[]) =>
    list.reduce((all, { failedAgorot }) => all + (failedAgorot ?? 0), 0)
  const reasons = [...new Set(rows.map(reasonOf))]
  const shown = reason === 'all' ? rows : rows.filter((row) => reasonOf(row) === reason)
  const run = (work: () => Promise<unknown>, said: string) =>
    void work()
      .then(() => banner.success(t(said)))
      .catch((e: unknown) => banner.error(failureText(t, e)))
      .finally(() => void refreshOrders())
  const failedOf = async (id: string) =>
    (await call(getOrder, { id })).periods.filter(({ state }) => state === 'failed')
  const retry = (row: OrderRow) =>
    run(async () => {
      for (const { start } of await failedOf(row.id)) await call(retryTurn, { id: row.id, start })
    }, 'standingOrders.said.retried')
  const ask = (row: OrderRow) => openAsk(row.id)
  const pause = (row: OrderRow) => run(() => call(pauseOrder, { id: row.id }), 'standingOrders.said.paused')
  const keys = (row: OrderRow) => (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const deed = { KeyR: retry, KeyL: ask, KeyP: pause, KeyD: setDrops }[event.code]
    const rule =
      event.code === 'KeyR' || event.code === 'KeyD' ? 'standingOrders.run' : 'standingOrders.change'
    if (
      !deed ||
      !may(rule) ||
      (row.state === 'held' && event.code !== 'KeyP') ||
      (row.state === 'needsCard' && event.code === 'KeyR')
    )
      return
    event.preventDefault()
    deed(row)
  }
  return (
    <div className="so-stack">
      <PageHeader
        title={t('screens.retainersFailed')}
        sub={t('standingOrders.board.sub')}
        crumbs={[{ label: t('screens.retainers'), href: standingOrders.screens.list }]}
      />
      {rows.length === 0 ? (
        <EmptyState icon={CircleCheckBig} title={t('standingOrders.emptyFailed.title')}>
          {t('standingOrders.emptyFailed.text')}
        </EmptyState>
      ) : (
        <>
          {!hides && (
            <Figures label={t('standingOrders.board.atStake')}>
              <Figure label={t('standingOrders.board.atStake')} amount={atStake(rows)} tone="late" />
              {reasons.slice(0, 3).map((one) => (
                <Figure
                  key={one}
                  label={t(`standingOrders.failure.${one}`)}
                  amount={atStake(rows.filter((row) => reasonOf(row) === one))}
                  note={t('standingOrders.board.count', {
                    count: rows.filter((row) => reasonOf(row) === one).length,
                  })}
                />
              ))}
            </Figures>
          )}
          <Views
            label={t('standingOrders.board.byReason')}
            chips
            value={reason}
            onChange={setReason}
            views={[
              { key: 'all', label: t('standingOrders.board.all'), count: rows.length },
              ...reasons.map((one) => ({
                key: one,
                label: t(`standingOrders.failure.${one}`),
                count: rows.filter((row) => reasonOf(row) === one).length,
              })),
            ]}
          />
          <p className="so-small touch:hidden">{t('standingOrders.board.keys')}</p>
          <ul className="so-board" aria-label={t('screens.retainersFailed')}>
            {shown.map((row) => (
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the controls inside it
              <li key={row.id} onKeyDown={keys(row)}>
                <div className="top">
                  <div>
                    <Link href={`/invoice/retainers/${row.id}`} className="aim">
                      <b>
                        <bdi>{row.customerIdName}</bdi> · <bdi>{row.title}</bdi>
                      </b>
                    </Link>{' '}
                    <OrderStatePill state={row.state!} />
                    <div className="so-small">
                      {row.state === 'held'
                        ? t(`errors.${row.heldWhy ?? 'standingOrders.missed'}`)
                        : t(`standingOrders.failure.${reasonOf(row)}`)}
                      {row.failingSince && (
                        <>
                          {' · '}
                          {t('standingOrders.board.since')} <Num>{formatDay(row.failingSince)}</Num>
                        </>
                      )}
                      {row.stepDay && (
                        <>
                          {' · '}
                          {t('standingOrders.board.nextStep')} <Num>{formatDay(row.stepDay)}</Num>
                        </>
                      )}
                    </div>
                  </div>
                  {!hides && row.state !== 'held' && (
                    <b>
                      <Money amount={row.failedAgorot ?? 0} />
                    </b>
                  )}
                </div>
                <div className="so-acts">
                  {row.state === 'failing' && may('standingOrders.run') && (
                    <Button size="s" icon={RefreshCw} onPress={() => retry(row)}>
                      {t('standingOrders.deeds.retry')}
                    </Button>
                  )}
                  {row.state !== 'held' && may('standingOrders.change') && (
                    <Button size="s" icon={Link2} onPress={() => ask(row)}>
                      {t('standingOrders.deeds.ask')}
                    </Button>
                  )}
                  {may('standingOrders.change') && (
                    <Button size="s" icon={Pause} onPress={() => pause(row)}>
                      {t('standingOrders.deeds.pause')}
                    </Button>
                  )}
                  {row.state !== 'held' && may('standingOrders.run') && (
                    <Button size="s" kind="quiet" icon={Trash2} onPress={() => setDrops(row)}>
                      {t('standingOrders.deeds.forgive')}
                    </Button>
                  )}
                  {row.state === 'held' && (
                    <Button size="s" kind="primary" href={`/invoice/retainers/${row.id}`}>
                      {t('standingOrders.deeds.decide')}
                    </Button>
                  )}
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
      <Question
        isOpen={drops !== undefined}
        onClose={() => setDrops(undefined)}
        title={t('standingOrders.forgive.title')}
        verb={t('standingOrders.deeds.forgive')}
        danger
        onConfirm={async () => {
          try {
            for (const { start } of await failedOf(drops!.id))
              await call(giveUpTurn, { id: drops!.id, start, how: 'forgive' })
            banner.success(t('standingOrders.said.forgiven'))
          } catch (e) {
            banner.error(failureText(t, e))
          }
          await refreshOrders()
        }}
      >
        {t('standingOrders.forgive.text')}
      </Question>
    </div>
  )
}
