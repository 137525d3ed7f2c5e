import { Monitor, TrendingDown, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { dayInJerusalem, endOfMonth, yearPeriod } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { MoneyCell, PercentCell } from '#kit/web/fields/cells.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { Question } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Together } from '#kit/web/parts/Together.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { PeriodWords } from '#kit/web/screens/PeriodChoice.tsx'
import { refreshResource } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { fixedAssets } from '../assets.ts'
import {
  assetPage,
  listRuns,
  postDepreciationRun,
  previewDepreciation,
  reverseDepreciationRun,
} from '../endpoints.ts'
import './assets.css'

type Runs = OutputOf<typeof listRuns>

const refresh = async () => {
  // The preview of a run that is posted now is not loaded again: it would be refused beside the action that did it. The
  // next run loads it again.
  await queryClient.invalidateQueries({ queryKey: keyOf(previewDepreciation), refetchType: 'none' })
  await Promise.all([
    ...[listRuns, assetPage].map((endpoint) => queryClient.invalidateQueries({ queryKey: keyOf(endpoint) })),
    refreshResource(fixedAssets),
  ])
}

/** Depreciation into the books, a month or a year at a time; what was posted last can be reversed. */
export function Screen() {
  const t = useWords()
  const { data, error, refetch } = useCall(listRuns, {})
  const next = useCall(
    previewDepreciation,
    { to: data?.nextDay ? proposedEnd(data.nextDay) : '' },
    { enabled: !!data?.nextDay },
  )
  return (
    <div className="as-stack">
      <PageHeader
        title={t('screens.depreciation')}
        sub={t('assets.run.sub')}
        crumbs={[{ label: t('fixedassets.title'), href: fixedAssets.screens.list }]}
        actions={
          <Button kind="quiet" href="/invoice/reportfixedassets">
            {t('screens.reportFixedAssets')}
          </Button>
        }
      />
      {error && !data ? (
        <Failed error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton lines={8} />
      ) : data.assets === 0 && data.rows.length === 0 ? (
        <EmptyState
          icon={Monitor}
          title={t('fixedassets.empty.title')}
          actions={<Button href={fixedAssets.screens.list}>{t('fixedassets.title')}</Button>}
        >
          {t('fixedassets.empty.text')}
        </EmptyState>
      ) : (
        <Together waits={next.isLoading}>
          {/* Stays where it is when the next period takes the place of the posted one: the cursor waits here. */}
          <div>{data.nextDay && <Next key={data.nextDay} nextDay={data.nextDay} />}</div>
          <Posted rows={data.rows} />
        </Together>
      )}
    </div>
  )
}

/** Until when the run that comes next goes: its month, or as much of it as there has been. */
function proposedEnd(nextDay: string): string {
  const today = dayInJerusalem(new Date())
  return endOfMonth(nextDay) <= today ? endOfMonth(nextDay) : nextDay <= today ? today : nextDay
}

function Next({ nextDay }: { nextDay: string }) {
  const t = useWords()
  const may = useCan()('assets.change')
  const [to, setTo] = useState<string | null>(() => proposedEnd(nextDay))
  const [busy, setBusy] = useState(false)
  const { data, error } = useCall(previewDepreciation, { to: to ?? '' }, { enabled: to !== null })
  const post = async () => {
    if (!to || busy) return
    setBusy(true)
    try {
      await call(postDepreciationRun, { to })
      banner.success(t('assets.run.done'))
      await refresh()
    } catch (e) {
      banner.error(failureText(t, e))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Card title={t('assets.run.next')} hint={<PeriodWords period={{ from: nextDay, to: to ?? nextDay }} />}>
      <div className="as-stack">
        <div className="as-next">
          <DayField label={t('assets.run.until')} value={to} onChange={setTo} />
          <Button
            size="s"
            kind={to === endOfMonth(nextDay) ? 'soft' : 'plain'}
            onPress={() => setTo(endOfMonth(nextDay))}
          >
            {t('assets.run.month')}
          </Button>
          <Button
            size="s"
            kind={to === yearPeriod(nextDay).to ? 'soft' : 'plain'}
            onPress={() => setTo(yearPeriod(nextDay).to)}
          >
            {t('assets.run.year')}
          </Button>
        </div>
        {error ? (
          <Note tone="wait">{failureText(t, error)}</Note>
        ) : !data ? (
          <Skeleton lines={3} />
        ) : data.rows.length === 0 ? (
          <Note>{t('assets.run.nothing')}</Note>
        ) : (
          <>
            <DataTable
              label={t('assets.run.next')}
              rows={data.rows}
              rowKey={(row) => row.id}
              rowName={(row) => row.name}
              rowHref={(row) => `/invoice/fixedassets/${row.id}`}
              columns={[
                {
                  key: 'name',
                  title: t('fixedassets.fields.name'),
                  strong: true,
                  width: 'trim',
                  phone: 'title',
                  cell: (row) => <bdi>{row.name}</bdi>,
                },
                {
                  key: 'kind',
                  title: t('fixedassets.fields.kind'),
                  width: 'fit',
                  cell: (row) => t(`fixedassets.kind.${row.kind}`),
                },
                {
                  key: 'rate',
                  title: t('fixedassets.fields.depreciationBp'),
                  align: 'amount',
                  phone: 'line',
                  cell: (row) => <PercentCell value={row.depreciationBp} />,
                },
                {
                  key: 'amount',
                  title: t('assets.columns.depreciation'),
                  align: 'amount',
                  phone: 'amount',
                  cell: (row) => <MoneyCell value={row.amountAgorot} />,
                  foot: <MoneyCell value={data.totalAgorot} zero="show" />,
                },
              ]}
            />
            {may && (
              <div>
                <Button kind="primary" icon={TrendingDown} busy={busy} onPress={() => void post()}>
                  {t('assets.run.post')}
                </Button>
              </div>
            )}
          </>
        )}
      </div>
    </Card>
  )
}

function Posted({ rows }: { rows: Runs['rows'] }) {
  const t = useWords()
  const may = useCan()('assets.change')
  const [reversing, setReversing] = useState<Runs['rows'][number]>()
  if (rows.length === 0) return null
  const reverse = async (id: string) => {
    try {
      await call(reverseDepreciationRun, { id })
      await refresh()
      banner.success(t('assets.run.reversedDone'))
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  return (
    <Card title={t('assets.run.posted')} flush>
      <DataTable
        label={t('assets.run.posted')}
        main
        rows={rows}
        rowKey={(row) => row.id}
        rowName={(row) => formatDay(row.toDay)}
        isOff={(row) => row.reversed}
        {...(may
          ? {
              menu: (row: Runs['rows'][number]) =>
                row.isLast
                  ? [
                      {
                        key: 'reverse',
                        label: t('assets.run.reverse'),
                        icon: Undo2,
                        tone: 'danger' as const,
                        onPress: () => setReversing(row),
                      },
                    ]
                  : [],
            }
          : {})}
        columns={[
          {
            key: 'period',
            title: t('assets.run.period'),
            strong: true,
            width: 'fit',
            phone: 'title',
            cell: (row) => <PeriodWords period={{ from: row.fromDay, to: row.toDay }} />,
          },
          {
            key: 'what',
            title: t('assets.run.what'),
            width: 'trim',
            phone: 'line',
            cell: (row) =>
              row.kind === 'period'
                ? t('assets.run.all')
                : t(row.kind === 'disposal' ? 'assets.run.ofSale' : 'assets.run.takenBack', {
                    name: row.asset ?? '',
                  }),
          },
          {
            key: 'by',
            title: t('assets.run.by'),
            width: 'fit',
            cell: (row) => row.by && <bdi>{row.by}</bdi>,
          },
          {
            key: 'total',
            title: t('assets.columns.depreciation'),
            align: 'amount',
            phone: 'amount',
            cell: (row) => <MoneyCell value={row.totalAgorot} />,
          },
          {
            key: 'state',
            title: t('fixedassets.fields.state'),
            width: 'fit',
            phone: 'state',
            cell: (row) => (row.reversed ? <StatusPill>{t('assets.run.reversed')}</StatusPill> : null),
          },
        ]}
      />
      <Question
        isOpen={reversing !== undefined}
        onClose={() => setReversing(undefined)}
        title={t('assets.run.reverseTitle')}
        verb={t('assets.run.reverse')}
        danger
        onConfirm={() => reverse(reversing!.id)}
      >
        {t('assets.run.reverseText')}
      </Question>
    </Card>
  )
}
