import { BellOff, BellRing, CalendarClock, History, Pause, Pencil, Play, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { formatDay, formatMoment } from '#domain/format.ts'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { Question, SideSheet } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { hubPath } from '#kit/web/screens/ReportScreen.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { changePlan, dropPlan, listPlans, logOfPlan, sendPlan, stopPlan, type Plan } from '../endpoints.ts'
import { PlanDialog } from './PlanDialog.tsx'
import { whenWords } from './words.ts'
import './plans.css'

const good = ['sent', 'kept', 'queued']
/** What became of a time: its letter's state, or why there was none. */
const toneOf = (outcome: string) =>
  good.includes(outcome) ? 'done' : outcome === 'nothing' || outcome === 'postponed' ? 'plain' : 'late'

/** Scheduled reports: when, to whom, and the outcome. */
export function Screen() {
  const t = useWords()
  const { lang } = useLanguage()
  const { data, error, refetch } = useCall(listPlans, {}, { staleTime: 0 })
  const [edits, setEdits] = useState<Plan>()
  const [looks, setLooks] = useState<Plan>()
  const [drops, setDrops] = useState<Plan>()
  const again = () => queryClient.invalidateQueries({ queryKey: keyOf(listPlans) })
  const deed = async (work: () => Promise<string>) => {
    try {
      const said = await work()
      await again()
      banner.success(said)
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  const put = ({ id, by: _, isMine: _mine, nextAt: _next, last: _last, ...plan }: Plan, isOn: boolean) =>
    deed(async () => {
      await call(changePlan, { ...plan, id, people: plan.people.map((one) => one.id), isOn })
      return t(isOn ? 'reportPlans.goesOn' : 'reportPlans.paused')
    })
  const stops = ({ people }: Plan) => people.find(({ isMe }) => isMe)
  return (
    <>
      <PageHeader
        title={t('screens.reportPlans')}
        crumbs={[{ label: t('kit.reports.toHub'), href: hubPath }]}
        sub={t('reportPlans.text')}
      />
      {error && !data ? (
        <Failed error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton lines={6} />
      ) : data.rows.length === 0 ? (
        <EmptyState
          icon={CalendarClock}
          title={t('reportPlans.empty')}
          actions={<Button href={hubPath}>{t('kit.reports.toHub')}</Button>}
        >
          {t('reportPlans.emptyText')}
        </EmptyState>
      ) : (
        <DataTable
          label={t('screens.reportPlans')}
          rows={data.rows}
          rowKey={(row) => row.id}
          rowName={(row) => row.title}
          onOpen={(row) => (row.isMine ? setEdits(row) : undefined)}
          isOff={(row) => !row.isOn}
          menu={(row) => {
            const own = stops(row)
            return [
              ...(row.isMine
                ? [
                    { key: 'edit', label: t('reportPlans.edit'), icon: Pencil, onPress: () => setEdits(row) },
                    {
                      key: 'send',
                      label: t('reportPlans.sendNow'),
                      icon: Send,
                      onPress: () =>
                        void deed(async () =>
                          t('reportPlans.sentNow', { count: (await call(sendPlan, { id: row.id })).queued }),
                        ),
                    },
                    { key: 'log', label: t('reportPlans.log'), icon: History, onPress: () => setLooks(row) },
                    row.isOn
                      ? {
                          key: 'pause',
                          label: t('reportPlans.pause'),
                          icon: Pause,
                          onPress: () => void put(row, false),
                        }
                      : {
                          key: 'goOn',
                          label: t('reportPlans.goOn'),
                          icon: Play,
                          onPress: () => void put(row, true),
                        },
                  ]
                : []),
              ...(own
                ? [
                    {
                      key: 'stop',
                      label: t(own.hasStopped ? 'reportPlans.again' : 'reportPlans.stop'),
                      icon: own.hasStopped ? BellRing : BellOff,
                      onPress: () =>
                        void deed(async () => {
                          await call(stopPlan, { id: row.id, stopped: !own.hasStopped })
                          return t(own.hasStopped ? 'reportPlans.comesAgain' : 'reportPlans.stopped')
                        }),
                    },
                  ]
                : []),
              ...(row.isMine
                ? [
                    {
                      key: 'drop',
                      label: t('reportPlans.drop'),
                      icon: Trash2,
                      tone: 'danger' as const,
                      onPress: () => setDrops(row),
                    },
                  ]
                : []),
            ]
          }}
          columns={[
            {
              key: 'title',
              title: t('reportPlans.fields.title'),
              strong: true,
              phone: 'title',
              cell: (row) => <bdi>{row.title}</bdi>,
            },
            {
              key: 'when',
              title: t('reportPlans.fields.when'),
              phone: 'line',
              cell: (row) => whenWords(t, row, lang),
            },
            {
              key: 'people',
              title: t('reportPlans.fields.people'),
              width: 'trim',
              cell: (row) => <bdi>{row.people.map(({ name }) => name).join(', ')}</bdi>,
            },
            {
              key: 'nextAt',
              title: t('reportPlans.fields.nextAt'),
              width: 'fit',
              cell: (row) => row.isOn && row.nextAt && <Num>{formatMoment(new Date(row.nextAt))}</Num>,
            },
            {
              key: 'last',
              title: t('reportPlans.fields.last'),
              width: 'fit',
              cell: (row) =>
                row.last && (
                  <StatusPill tone={toneOf(row.last.outcome)}>
                    {t(`reportPlans.outcome.${row.last.outcome}`)}
                  </StatusPill>
                ),
            },
            {
              key: 'state',
              title: t('reportPlans.fields.state'),
              width: 'fit',
              phone: 'state',
              cell: (row) =>
                stops(row)?.hasStopped && !row.isMine ? (
                  <StatusPill>{t('reportPlans.state.stopped')}</StatusPill>
                ) : (
                  <StatusPill tone={row.isOn ? 'done' : 'plain'}>
                    {t(`reportPlans.state.${row.isOn ? 'on' : 'off'}`)}
                  </StatusPill>
                ),
            },
          ]}
        />
      )}
      {edits && <PlanDialog key={edits.id} start={edits} onClose={() => setEdits(undefined)} />}
      {looks && <Log plan={looks} onClose={() => setLooks(undefined)} />}
      <Question
        isOpen={drops !== undefined}
        onClose={() => setDrops(undefined)}
        title={t('reportPlans.dropAsk')}
        verb={t('reportPlans.drop')}
        danger
        onConfirm={async () => {
          try {
            await call(dropPlan, { id: drops!.id })
            await again()
          } catch (e) {
            banner.error(failureText(t, e))
            throw e
          }
        }}
      >
        {t('reportPlans.dropText')}
      </Question>
    </>
  )
}

function Log({ plan, onClose }: { plan: Plan; onClose: () => void }) {
  const t = useWords()
  const { data, error, refetch } = useCall(logOfPlan, { id: plan.id }, { staleTime: 0 })
  return (
    <SideSheet isOpen onClose={onClose} title={t('reportPlans.log')}>
      {error && !data ? (
        <Failed error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton lines={4} />
      ) : data.rows.length === 0 ? (
        <p className="hint">{t('reportPlans.noLog')}</p>
      ) : (
        <ul className="k-rows">
          {data.rows.map((row) => (
            <li key={row.id} className="rp-log">
              <span>
                <Num>{formatMoment(new Date(row.at))}</Num>
                {row.recipient && (
                  <>
                    {' · '}
                    <bdi>{row.recipient}</bdi>
                  </>
                )}
                <span className="hint">
                  {' · '}
                  {row.dueDay ? (
                    <>
                      {t('reportPlans.ofDay')} <Num>{formatDay(row.dueDay)}</Num>
                    </>
                  ) : (
                    t('reportPlans.byHand')
                  )}
                </span>
              </span>
              <StatusPill tone={toneOf(row.outcome)}>{t(`reportPlans.outcome.${row.outcome}`)}</StatusPill>
            </li>
          ))}
        </ul>
      )}
    </SideSheet>
  )
}
