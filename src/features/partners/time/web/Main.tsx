import {
  CalendarPlus,
  CircleStop,
  Clock,
  CloudOff,
  PencilLine,
  Play,
  Plus,
  Signature,
  Trash2,
} from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { clockText } from '#domain/hours/hours.ts'
import { dayInJerusalem, momentInJerusalem } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { DataTable, type Column } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLast } from '#kit/web/hooks/useLast.ts'
import { useWords, wordIfAny } from '#kit/web/words/words.tsx'
import {
  absenceKinds,
  agreePlace,
  askChange,
  clockNow,
  dropAbsence,
  keepAbsence,
  monthSheet,
  signSheet,
  withdrawRequest,
  type Clocking,
  type Sheet,
} from '../endpoints.ts'
import { MonthSteps } from '#kit/web/parts/MonthSteps.tsx'
import { Together } from '#kit/web/parts/Together.tsx'
import { newPressId, pressNow, send, useKept, type Refused } from './queue.ts'
import { Rates, timeOf } from './shared.tsx'
import './time.css'

const useThisMonth = () => useToday().slice(0, 7)
const refresh = () =>
  Promise.all([clockNow, monthSheet].map((one) => queryClient.invalidateQueries({ queryKey: keyOf(one) })))

/** The clock and one's own month. Brings the words of: errors */
export function Screen() {
  const t = useWords()
  // The clock asks for a project only where there are some: it is as high as its answer says.
  const { isLoading } = useCall(clockNow, {})
  return (
    <>
      <PageHeader title={t('screens.mainTime')} sub={t('time.sub')} />
      <Together waits={isLoading}>
        <ClockCard />
        <MyMonth />
      </Together>
    </>
  )
}

function ClockCard() {
  const t = useWords()
  const { data: fresh } = useCall(clockNow, {}, { refetchInterval: 60_000 })
  const data = useLast(fresh)
  const waiting = useKept()
  const [project, setProject] = useState<string | null>(null)
  const [task, setTask] = useState('')
  const [refused, setRefused] = useState<Refused[]>([])
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const after = (found: Refused[]) => {
    if (found.length) setRefused((before) => [...before, ...found])
    void refresh()
  }
  const again = useEffectEvent(() => {
    if (waiting.length) send().then(after, () => undefined)
  })
  useEffect(() => {
    const go = () => again()
    go()
    addEventListener('online', go)
    const timer = setInterval(go, 15_000)
    return () => {
      removeEventListener('online', go)
      clearInterval(timer)
    }
  }, [])
  // What was pressed and not yet sent goes before what the server last said.
  const last = waiting.at(-1)
  const since = last ? (last.deed === 'in' ? last.at : null) : (data?.open?.startedAt ?? null)
  const press = async (deed: 'in' | 'out') => {
    const place = deed === 'in' && data?.asksPlace && data.agreedPlace ? await whereAmI() : {}
    try {
      after(
        await pressNow({
          id: newPressId(),
          deed,
          at: new Date().toISOString(),
          ...(deed === 'in' && project ? { projectId: project } : {}),
          task,
          ...place,
        }),
      )
      setTask('')
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  return (
    <Card label={t('time.clock')} className="ti-clock">
      <p className="ti-now" role="timer" aria-live="off" aria-label={t('time.running')}>
        <Num>{since ? clockRun(now - Date.parse(since)) : '0:00:00'}</Num>
      </p>
      <p className="hint" role="status">
        {since ? (
          <>
            {t('time.since')} <Num>{timeOf(since)}</Num>
          </>
        ) : (
          t('time.stopped')
        )}
        {data && data.todayMinutes > 0 && (
          <>
            {' · '}
            {t('time.today')} <Num>{clockText(data.todayMinutes)}</Num>
          </>
        )}
      </p>
      {!since && data && data.projects.length > 0 && (
        <ChoiceField
          label={t('time.project')}
          as="list"
          clearable
          optional
          value={project}
          onChange={setProject}
          choices={data.projects.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      <TextField label={t('time.task')} optional value={task} onChange={setTask} max={200} />
      <Button
        kind={since ? 'danger' : 'primary'}
        size="l"
        wide
        icon={since ? CircleStop : Play}
        onPress={() => void press(since ? 'out' : 'in')}
      >
        {t(since ? 'time.out' : 'time.in')}
      </Button>
      {waiting.length > 0 && (
        <Note tone="wait">
          <Icon of={CloudOff} size="s" /> {t('time.waiting', { count: waiting.length })}
        </Note>
      )}
      {data?.isForgotten && !last && <Note tone="late">{t('time.forgotten')}</Note>}
      {refused.map(({ press: one, code }) => (
        <Note key={one.id} tone="late">
          {t(one.deed === 'in' ? 'time.refusedIn' : 'time.refusedOut', { time: timeOf(one.at) })}{' '}
          {wordIfAny(t, `errors.${code}`) ?? code}
        </Note>
      ))}
      {data?.asksPlace && (
        <FlagField
          label={t('time.agreePlace')}
          hint={t('time.agreePlaceHint')}
          value={data.agreedPlace ?? false}
          onChange={(agrees) =>
            void call(agreePlace, { agrees }).then(refresh, (e: unknown) => banner.error(failureText(t, e)))
          }
        />
      )}
    </Card>
  )
}

const clockRun = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  return `${clockText(Math.floor(seconds / 60))}:${String(seconds % 60).padStart(2, '0')}`
}

/** The place, when the browser gives it within three seconds; a clock never waits longer for it. */
const whereAmI = (): Promise<{ latitude?: number; longitude?: number }> =>
  new Promise((done) => {
    if (!('geolocation' in navigator)) return done({})
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => done({ latitude: coords.latitude, longitude: coords.longitude }),
      () => done({}),
      { timeout: 3000, maximumAge: 60_000 },
    )
  })

function MyMonth() {
  const t = useWords()
  const { query, setQuery } = usePlace()
  const thisMonth = useThisMonth()
  const month = /^\d{4}-\d{2}$/.test(query.month ?? '') ? query.month! : thisMonth
  const { data: fresh, error, refetch } = useCall(monthSheet, { month })
  const data = useLast(fresh)
  const [dialog, setDialog] = useState<
    { kind: 'add' } | { kind: 'change' | 'remove'; of: Clocking } | { kind: 'away' }
  >()
  const tell = (e: unknown) => banner.error(failureText(t, e))
  if (error && !data) return <Failed error={error} onRetry={refetch} />
  if (!data) return <Skeleton lines={8} />
  const isLocked = data.approvedAt !== null
  return (
    <>
      <div className="ti-tools">
        <MonthSteps value={month} onChange={(next) => setQuery({ month: next })} />
        <span className="grow" />
        {data.approvedAt ? (
          <StatusPill tone="done">{t('time.bothSigned')}</StatusPill>
        ) : data.workerAt ? (
          <StatusPill tone="wait">{t('time.iSigned')}</StatusPill>
        ) : (
          month < thisMonth && (
            <Button icon={Signature} onPress={() => void call(signSheet, { month }).then(refresh, tell)}>
              {t('time.sign')}
            </Button>
          )
        )}
        {!isLocked && (
          <>
            <Button icon={CalendarPlus} onPress={() => setDialog({ kind: 'away' })}>
              {t('time.away')}
            </Button>
            <Button icon={Plus} onPress={() => setDialog({ kind: 'add' })}>
              {t('time.forgot')}
            </Button>
          </>
        )}
      </div>
      <SheetBody
        data={data}
        menuOf={(one) =>
          isLocked || !one.endedAt
            ? []
            : [
                {
                  key: 'change',
                  label: t('time.askChange'),
                  icon: PencilLine,
                  onPress: () => setDialog({ kind: 'change', of: one }),
                },
                {
                  key: 'remove',
                  label: t('time.askRemove'),
                  icon: Trash2,
                  onPress: () => setDialog({ kind: 'remove', of: one }),
                },
              ]
        }
        onDropAbsence={isLocked ? undefined : (id) => void call(dropAbsence, { id }).then(refresh, tell)}
        onWithdraw={(id) => void call(withdrawRequest, { id }).then(refresh, tell)}
      />
      {dialog?.kind === 'away' && <AwayDialog month={month} onClose={() => setDialog(undefined)} />}
      {dialog && dialog.kind !== 'away' && (
        <AskDialog
          kind={dialog.kind}
          of={'of' in dialog ? dialog.of : undefined}
          month={month}
          onClose={() => setDialog(undefined)}
        />
      )}
    </>
  )
}

type MenuOf = NonNullable<Parameters<typeof DataTable<Clocking>>[0]['menu']>

/** A month: what it comes to by law, each clocking, absences and requests. */
export function SheetBody({
  data,
  menuOf,
  onDropAbsence,
  onWithdraw,
}: {
  data: Sheet
  menuOf?: MenuOf
  onDropAbsence?: ((id: string) => void) | undefined
  onWithdraw?: (id: string) => void
}) {
  const t = useWords()
  const days = new Map(data.days.map((day) => [day.day, day]))
  const columns: Column<Clocking>[] = [
    {
      key: 'day',
      title: t('time.day'),
      strong: true,
      width: 'fit',
      phone: 'title',
      cell: ({ startedAt }) => <Num>{formatDay(dayInJerusalem(new Date(startedAt)))}</Num>,
    },
    {
      key: 'from',
      title: t('time.hours'),
      width: 'fit',
      phone: 'line',
      cell: ({ startedAt, endedAt }) => (
        <Num>
          {timeOf(startedAt)}–{endedAt ? timeOf(endedAt) : '…'}
        </Num>
      ),
    },
    {
      key: 'long',
      title: t('time.long'),
      align: 'amount',
      width: 'fit',
      phone: 'amount',
      cell: ({ startedAt, endedAt }) =>
        endedAt ? (
          <Num>
            {clockText(Math.floor(Date.parse(endedAt) / 60_000) - Math.floor(Date.parse(startedAt) / 60_000))}
          </Num>
        ) : (
          '–'
        ),
    },
    {
      key: 'what',
      title: t('time.what'),
      width: 'trim',
      cell: ({ project, customer, task }) => (
        <bdi className="cut">{[project, customer, task].filter(Boolean).join(' · ') || '–'}</bdi>
      ),
    },
    {
      key: 'rule',
      title: t('time.byLaw'),
      width: 'trim',
      cell: ({ startedAt }) => {
        const day = days.get(dayInJerusalem(new Date(startedAt)))
        if (!day) return '–'
        return (
          <span className={day.above ? 'cut late' : 'cut'}>
            {day.above
              ? t('time.minor.above', { hours: clockText(day.above) })
              : t(`time.rule.${day.rule}`, { hours: clockText(day.ordinary) })}
          </span>
        )
      },
    },
    {
      key: 'source',
      title: t('time.source'),
      width: 'fit',
      phone: 'state',
      cell: ({ source }) => (
        <StatusPill tone={source === 'correction' ? 'wait' : 'plain'}>
          {t(`time.sourceOf.${source}`)}
        </StatusPill>
      ),
    },
  ]
  return (
    <>
      <Rates minutes={data.minutes} byRate={data.byRate} wage={data.wageAgorot} />
      {data.minorAbove !== null && (
        <Note tone={data.minorAbove > 0 ? 'late' : 'info'}>
          {t('time.minor.law')}{' '}
          {data.minorAbove > 0 && t('time.minor.sum', { hours: clockText(data.minorAbove) })}
        </Note>
      )}
      <DataTable
        main
        label={t('time.sheet')}
        columns={columns}
        rows={data.clockings}
        rowKey={({ id }) => id}
        rowName={({ startedAt }) => formatDay(dayInJerusalem(new Date(startedAt)))}
        {...(menuOf ? { menu: menuOf, phoneMenu: true } : {})}
        empty={
          <EmptyState icon={Clock} title={t('time.none')}>
            {t('time.noneText')}
          </EmptyState>
        }
      />
      {data.absences.length > 0 && (
        <Card title={t('time.absences')}>
          <ul className="ti-list">
            {data.absences.map((one) => (
              <li key={one.id}>
                <span className="grow">
                  {t(`time.absence.${one.kind}`)} · <Num>{formatDay(one.from)}</Num>
                  {one.to !== one.from && (
                    <>
                      –<Num>{formatDay(one.to)}</Num>
                    </>
                  )}
                  {one.note && (
                    <>
                      {' · '}
                      <bdi>{one.note}</bdi>
                    </>
                  )}
                </span>
                {onDropAbsence && (
                  <Button
                    size="s"
                    kind="quiet"
                    icon={Trash2}
                    label={t('time.dropAbsence')}
                    onPress={() => onDropAbsence(one.id)}
                  />
                )}
              </li>
            ))}
          </ul>
        </Card>
      )}
      {data.requests.length > 0 && (
        <Card title={t('time.requests')}>
          <ul className="ti-list">
            {data.requests.map((one) => (
              <li key={one.id}>
                <span className="grow">
                  {t(`time.kind.${one.kind}`)} ·{' '}
                  {one.startedAt && one.endedAt && (
                    <>
                      <Num>{formatDay(dayInJerusalem(new Date(one.startedAt)))}</Num>{' '}
                      <Num>
                        {timeOf(one.startedAt)}–{timeOf(one.endedAt)}
                      </Num>
                      {' · '}
                    </>
                  )}
                  <bdi>{one.reason}</bdi>
                  {one.answer && (
                    <>
                      {' · '}
                      <bdi>{one.answer}</bdi>
                    </>
                  )}
                </span>
                <StatusPill
                  tone={one.state === 'approved' ? 'done' : one.state === 'asked' ? 'wait' : 'plain'}
                >
                  {t(`time.state.${one.state}`)}
                </StatusPill>
                {onWithdraw && one.state === 'asked' && (
                  <Button size="s" kind="quiet" onPress={() => onWithdraw(one.id)}>
                    {t('time.withdraw')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}

/** A wall clock's time of a day as a moment: of the hour that comes twice, the first. */
function momentOf(day: string, time: string): string | undefined {
  const match = /^([01]?\d|2[0-3]):?([0-5]\d)$/.exec(time.trim())
  if (!match || !day) return undefined
  for (const offset of [3, 2]) {
    const at = new Date(
      Date.parse(`${day}T00:00:00Z`) + ((Number(match[1]) - offset) * 60 + Number(match[2])) * 60_000,
    )
    const there = momentInJerusalem(at)
    if (there.day === day && there.time === `${match[1]!.padStart(2, '0')}:${match[2]}`)
      return at.toISOString()
  }
  return undefined
}

function AskDialog({
  kind,
  of,
  month,
  onClose,
}: {
  kind: 'add' | 'change' | 'remove'
  of: Clocking | undefined
  month: string
  onClose: () => void
}) {
  const t = useWords()
  const today = useToday()
  const thisMonth = useThisMonth()
  const known = of && momentInJerusalem(new Date(of.startedAt))
  const [day, setDay] = useState<string | null>(known?.day ?? (month === thisMonth ? today : `${month}-01`))
  const [from, setFrom] = useState(known?.time ?? '')
  const [to, setTo] = useState(of?.endedAt ? timeOf(of.endedAt) : '')
  const [reason, setReason] = useState('')
  const times = () => {
    const startedAt = momentOf(day ?? '', from)
    let endedAt = momentOf(day ?? '', to)
    // A shift over midnight ends on the day after.
    if (startedAt && endedAt && endedAt <= startedAt)
      endedAt = new Date(Date.parse(endedAt) + 86_400_000).toISOString()
    return { startedAt, endedAt }
  }
  return (
    <FormDialog
      title={t(`time.kind.${kind}`)}
      verb={t('time.askDo')}
      names={['startedAt', 'endedAt', 'reason', 'clockingId']}
      onClose={onClose}
      onSubmit={async () => {
        await call(askChange, {
          kind,
          reason,
          ...(of ? { clockingId: of.id } : {}),
          ...(kind === 'remove' ? {} : times()),
        })
        await refresh()
        onClose()
      }}
    >
      {(error) => (
        <>
          {kind !== 'remove' && (
            <>
              <DayField label={t('time.day')} value={day} onChange={setDay} />
              <TextField
                label={t('time.from')}
                value={from}
                onChange={setFrom}
                ltr
                inputMode="numeric"
                max={5}
                placeholder="08:00"
                {...error('startedAt', `${day} ${from}`)}
              />
              <TextField
                label={t('time.to')}
                value={to}
                onChange={setTo}
                ltr
                inputMode="numeric"
                max={5}
                placeholder="17:00"
                {...error('endedAt', `${day} ${to}`)}
              />
            </>
          )}
          <LongText
            label={t('time.reason')}
            value={reason}
            onChange={setReason}
            max={300}
            {...error('reason', reason)}
          />
        </>
      )}
    </FormDialog>
  )
}

function AwayDialog({ month, onClose }: { month: string; onClose: () => void }) {
  const t = useWords()
  const today = useToday()
  const thisMonth = useThisMonth()
  const start = month === thisMonth ? today : `${month}-01`
  const [kind, setKind] = useState<(typeof absenceKinds)[number]>('vacation')
  const [from, setFrom] = useState<string | null>(start)
  const [to, setTo] = useState<string | null>(start)
  const [note, setNote] = useState('')
  return (
    <FormDialog
      title={t('time.away')}
      verb={t('kit.forms.save')}
      names={['kind', 'from', 'to', 'note']}
      onClose={onClose}
      onSubmit={async () => {
        await call(keepAbsence, { kind, from: from ?? '', to: to ?? '', note })
        await refresh()
        onClose()
      }}
    >
      {(error) => (
        <>
          <ChoiceField
            label={t('time.kindOf')}
            value={kind}
            onChange={(next) => next && setKind(next)}
            choices={absenceKinds.map((value) => ({ value, label: t(`time.absence.${value}`) }))}
            {...error('kind', kind)}
          />
          <DayField label={t('time.fromDay')} value={from} onChange={setFrom} {...error('from', from)} />
          <DayField label={t('time.toDay')} value={to} onChange={setTo} {...error('to', to)} />
          <TextField
            label={t('time.note')}
            optional
            value={note}
            onChange={setNote}
            max={300}
            {...error('note', note)}
          />
        </>
      )}
    </FormDialog>
  )
}
