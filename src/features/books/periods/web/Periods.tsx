import { CalendarCheck, CircleCheck, CircleX, Lock, LockOpen, TriangleAlert } from 'lucide-react'
import { useContext, useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { formatMoment, formatPeriod } from '#domain/format.ts'
import { failureText, useCall, useSend } from '#kit/web/calls/call.ts'
import { TextCell } from '#kit/web/fields/cells.tsx'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { LongText } from '#kit/web/fields/TextField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { ReasonDialog } from '#kit/web/parts/ReasonDialog.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { DataTable, type Column } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import type { MenuEntry } from '#kit/web/parts/Menu.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { PlainCells } from '#kit/web/parts/plainCells.ts'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLast } from '#kit/web/hooks/useLast.ts'
import { useLanguage, useWords, type Language } from '#kit/web/words/words.tsx'
import { Together } from '#kit/web/parts/Together.tsx'
import {
  checkPeriod,
  closePeriod,
  listPeriods,
  reopenPeriod,
  type PeriodCheck,
  type PeriodLock,
  type PeriodRow,
} from '../endpoints.ts'
import './periods.css'

type Row = PeriodRow & { kind: 'month' | 'year' }
const tones: Record<PeriodRow['state'], StatusTone> = {
  open: 'info',
  closed: 'done',
  closedByYear: 'done',
  running: 'plain',
  ahead: 'draft',
}
const monthOf = (day: string, lang: Language, more: Intl.DateTimeFormatOptions = {}) =>
  new Intl.DateTimeFormat(lang === 'ar' ? 'ar-IL-u-nu-latn' : lang, {
    month: 'long',
    timeZone: 'UTC',
    ...more,
  }).format(new Date(`${day}T12:00:00Z`))
const icons = { ok: CircleCheck, look: TriangleAlert, stop: CircleX } as const
const stale = [listPeriods, checkPeriod]

/** Closing of months and years: what is open, what is closed, and a list to go through before closing. */
export function Screen() {
  const t = useWords()
  const { lang } = useLanguage()
  const may = useCan()
  const { query, setQuery } = usePlace()
  const asked = /^\d{4}$/.test(query.year ?? '') ? { year: Number(query.year) } : {}
  const { data, error, isLoading, refetch } = useCall(listPeriods, asked)
  const known = useLast(data)
  const [closing, setClosing] = useState<Row>()
  const [opening, setOpening] = useState<Row>()
  const change = may('periods.change')
  const nameOf = (row: Row) =>
    row.kind === 'year'
      ? t('periods.year', { year: row.from.slice(0, 4) })
      : monthOf(row.from, lang, { year: 'numeric' })
  const rows: Row[] = data
    ? [
        ...data.months.map((m) => ({ ...m, kind: 'month' as const })),
        { ...data.yearRow, kind: 'year' as const },
      ]
    : []

  const act = (row: Row) =>
    row.state === 'open' ? setClosing(row) : row.lockId ? setOpening(row) : undefined
  const menu = (row: Row): MenuEntry[] =>
    !change
      ? []
      : row.state === 'open'
        ? [{ key: 'close', label: t('periods.close'), icon: Lock, onPress: () => act(row) }]
        : row.lockId
          ? [{ key: 'reopen', label: t('periods.reopen'), icon: LockOpen, onPress: () => act(row) }]
          : []

  const columns: Column<Row>[] = [
    {
      key: 'name',
      title: t('periods.period'),
      strong: true,
      width: 'fit',
      phone: 'title',
      cell: (row) => <PeriodName row={row} whole={nameOf(row)} />,
    },
    {
      key: 'state',
      title: t('periods.stateOf'),
      width: 'fit',
      phone: 'line',
      cell: (row) => <StatusPill tone={tones[row.state]}>{t(`periods.state.${row.state}`)}</StatusPill>,
    },
    ...(rows.some((row) => row.kind === 'month' && row.vatFiled)
      ? [
          {
            key: 'vat',
            title: t('periods.vat'),
            width: 'fit',
            phone: 'line' as const,
            cell: (row: Row) =>
              row.kind === 'year' || !row.vatFiled ? null : <TextCell value={t('periods.vatFiled')} />,
          },
        ]
      : []),
    {
      key: 'entries',
      title: t('periods.entries'),
      width: 'fit',
      align: 'amount',
      cell: (row) => <Num>{row.entries}</Num>,
    },
    {
      key: 'by',
      title: t('periods.closedBy'),
      width: 'trim',
      cell: (row) =>
        row.closedAt ? (
          <>
            <Num>{formatMoment(new Date(row.closedAt))}</Num> {row.closedBy}
          </>
        ) : null,
    },
    ...(change
      ? [
          {
            key: 'act',
            title: t('periods.act'),
            width: 'fit',
            phone: 'amount' as const,
            cell: (row: Row) => (
              <span className="pe-act">
                {row.state === 'open' ? (
                  <Button size="s" kind="soft" icon={Lock} onPress={() => act(row)}>
                    {t('periods.close')}
                  </Button>
                ) : row.lockId ? (
                  <Button size="s" kind="quiet" icon={LockOpen} onPress={() => act(row)}>
                    {t('periods.reopen')}
                  </Button>
                ) : null}
              </span>
            ),
          },
        ]
      : []),
  ]
  return (
    <div className="pe-page">
      <Together waits={!known && !error}>
        <PageHeader title={t('screens.periods')} sub={t('periods.text')} />
        {known && (
          <ChoiceField
            label={t('periods.yearLabel')}
            as={known.years.length > 5 ? 'list' : 'buttons'}
            value={String(asked.year ?? known.year)}
            onChange={(year) => year && setQuery({ year })}
            choices={known.years.map((year) => ({ value: String(year), label: String(year) }))}
          />
        )}
        <DataTable
          label={t('screens.periods')}
          main
          rows={rows}
          rowKey={(row) => `${row.kind}${row.from}`}
          rowName={nameOf}
          loading={isLoading}
          skeletons={13}
          columns={columns}
          menu={menu}
          {...(change ? { onEnter: act } : {})}
          empty={
            error ? (
              <Failed error={error} onRetry={refetch} />
            ) : (
              <EmptyState icon={CalendarCheck} title={t('periods.empty')} />
            )
          }
        />
        {data && data.history.length > 0 && <HistoryCard history={data.history} />}
        {closing && <Close row={closing} name={nameOf(closing)} onClose={() => setClosing(undefined)} />}
        {opening && <Reopen row={opening} name={nameOf(opening)} onClose={() => setOpening(undefined)} />}
      </Together>
    </div>
  )
}

/** Every closing and opening, the newest first. */
function HistoryCard({ history }: { history: PeriodLock[] }) {
  const t = useWords()
  return (
    <Card title={t('periods.history')}>
      <ul className="pe-list">
        {history.map((lock) => (
          <li key={lock.id}>
            <Icon of={lock.reopenedAt ? LockOpen : Lock} />
            <div>
              <b>
                {t(`periods.kind.${lock.kind}`)} <Num>{formatPeriod(lock)}</Num>
              </b>
              <p>
                {t('periods.closedOn', {
                  at: formatMoment(new Date(lock.closedAt)),
                  name: lock.closedBy ?? '',
                })}
                {lock.note && ` · ${lock.note}`}
              </p>
              {lock.reopenedAt && (
                <p>
                  {t('periods.reopenedOn', {
                    at: formatMoment(new Date(lock.reopenedAt)),
                    name: lock.reopenedBy ?? '',
                    reason: lock.reason,
                  })}
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function CheckList({ checks }: { checks: readonly PeriodCheck[] }) {
  const t = useWords()
  return (
    <ul className="pe-list">
      {checks.map((check) => (
        <li key={check.name}>
          <span className="pe-mark" data-state={check.state}>
            <Icon of={icons[check.state]} label={t(`periods.checkState.${check.state}`)} />
          </span>
          <div>
            <b>
              {t(`periods.check.${check.name}.${check.state === 'ok' ? 'ok' : 'not'}`, {
                count: check.count,
              })}
            </b>
          </div>
          {check.state !== 'ok' && check.open && <Link href={check.open}>{t('periods.look')}</Link>}
        </li>
      ))}
    </ul>
  )
}

function Close({ row, name, onClose }: { row: Row; name: string; onClose: () => void }) {
  const t = useWords()
  const { data, error } = useCall(checkPeriod, { kind: row.kind, from: row.from }, { staleTime: 0 })
  const [despite, setDespite] = useState(false)
  const [note, setNote] = useState('')
  const send = useSend(closePeriod, {
    refresh: stale,
    onSuccess: () => {
      onClose()
      banner.success(t('periods.closedNow', { period: name }))
    },
  })
  const stops = data?.checks.some((c) => c.state === 'stop') ?? false
  const looks = data?.checks.some((c) => c.state === 'look') ?? false
  return (
    <FormDialog
      title={t('periods.closeTitle', { period: name })}
      verb={t('periods.close')}
      icon={Lock}
      isDisabled={!data || stops || (looks && !despite)}
      names={[]}
      onClose={onClose}
      onSubmit={() => send.mutateAsync({ kind: row.kind, from: row.from, despite, note })}
    >
      {() => (
        <>
          {error && <Note tone="late">{failureText(t, error)}</Note>}
          <p>{t(`periods.closeText.${row.kind}`)}</p>
          {data ? <CheckList checks={data.checks} /> : !error && <Skeleton lines={6} />}
          {stops && <Note tone="late">{t('periods.stops')}</Note>}
          {!stops && looks && (
            <>
              <FlagField label={t('periods.despite')} value={despite} onChange={setDespite} />
              <LongText optional label={t('periods.note')} value={note} onChange={setNote} max={300} />
            </>
          )}
        </>
      )}
    </FormDialog>
  )
}

function Reopen({ row, name, onClose }: { row: Row; name: string; onClose: () => void }) {
  const t = useWords()
  const send = useSend(reopenPeriod, {
    refresh: stale,
    onSuccess: () => {
      onClose()
      banner.success(t('periods.reopenedNow', { period: name }))
    },
  })
  return (
    <ReasonDialog
      title={t('periods.reopenTitle', { period: name })}
      verb={t('periods.reopen')}
      danger
      label={t('periods.reason')}
      onClose={onClose}
      onReason={(reason) => send.mutateAsync({ id: row.lockId!, reason })}
    >
      <p>{t('periods.reopenText')}</p>
    </ReasonDialog>
  )
}

/** On a phone the year is above the list, and a long month has its button beside it. */
function PeriodName({ row, whole }: { row: Row; whole: string }) {
  const { lang } = useLanguage()
  return useContext(PlainCells) && row.kind === 'month' ? monthOf(row.from, lang) : whole
}
