import { CalendarDays, CalendarX, Pencil, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { addDays } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { call, CallFailure, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { MoneyCell } from '#kit/web/fields/cells.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { show } from '#kit/web/parts/shown.ts'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { useTitle } from '#kit/web/routes/router.tsx'
import { searchIn } from '#kit/web/screens/resources.ts'
import { useNews } from '#kit/web/calls/live.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { customers } from '#features/registers/parties/customers.ts'
import { cancelClass, listClasses, type ClassView } from '#features/calendar/timetable/endpoints.ts'
import {
  ClassDialog,
  ClassList,
  classPath,
  clockOf,
  minutesOf,
  refreshClasses,
  weekdayName,
} from '#features/calendar/timetable/web/index.tsx'
import { bookingClash, classPeople, makeBooking } from '../endpoints.ts'
import { OverrideDialog, People, reasonsOf } from './People.tsx'
import './bookings.css'

/** One class with everybody in it; without one, those of today and of the days after. */
export function Screen() {
  const { query } = usePlace()
  return query.class ? <OneClass id={query.class} /> : <Next />
}

function Next() {
  const t = useWords()
  const today = useToday()
  const to = addDays(today, 13)
  const { data, error, refetch } = useCall(listClasses, { from: today, to })
  return (
    <>
      <PageHeader title={t('screens.classPage')} sub={t('bookings.next')} />
      {error ? (
        <Failed error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton lines={8} />
      ) : data.rows.length ? (
        <ClassList rows={data.rows} onOpen={(row) => go(classPath(row.id))} />
      ) : (
        <EmptyState
          icon={CalendarDays}
          title={t('timetable.empty')}
          actions={
            <Button kind="soft" href="/invoice/calander">
              {t('screens.calendar')}
            </Button>
          }
        >
          {t('timetable.emptyText')}
        </EmptyState>
      )}
    </>
  )
}

function OneClass({ id }: { id: string }) {
  const t = useWords()
  const { lang } = useLanguage()
  const may = useCan()
  const { data, error, refetch } = useCall(classPeople, { id })
  useNews(['classes', 'classBookings'], () => void refreshClasses())
  const row = data?.row
  const name = row ? row.title || row.kindName : ''
  useTitle(name)
  if (error) return <Failed error={error} onRetry={refetch} />
  if (!row) return <Skeleton lines={8} />
  const waiting = data.people.filter(({ state }) => state === 'waiting')
  const booked = data.people.filter(({ state }) => state !== 'waiting')
  const isOff = row.state === 'cancelled'
  return (
    <>
      <PageHeader
        crumbs={[{ label: t('screens.calendar'), href: `/invoice/calander?day=${row.day}` }]}
        title={<bdi>{name}</bdi>}
        status={
          isOff ? (
            <StatusPill>{t('timetable.state.cancelled')}</StatusPill>
          ) : (
            <StatusPill tone={row.taken >= row.seats ? 'wait' : 'done'}>
              {t('bookings.seats', { taken: row.taken, seats: row.seats })}
            </StatusPill>
          )
        }
        sub={`${weekdayName(lang, row.day, 'long')} ${formatDay(row.day)} · ${row.at}–${clockOf(minutesOf(row.at) + row.minutes)}`}
        actions={
          !isOff && (
            <>
              {may('calendar.change') && (
                <Button
                  icon={Pencil}
                  onPress={() => show((close) => <ClassDialog of={row} onClose={close} />)}
                >
                  {t('timetable.edit')}
                </Button>
              )}
              {may('calendar.desk') && (
                <Button
                  kind="primary"
                  icon={UserPlus}
                  onPress={() => show((close) => <BookDialog of={row} onClose={close} />)}
                >
                  {t('bookings.add')}
                </Button>
              )}
            </>
          )
        }
        more={
          may('calendar.change') && !isOff
            ? [
                {
                  key: 'cancel',
                  label: t('timetable.cancel'),
                  icon: CalendarX,
                  tone: 'danger',
                  onPress: () => show((close) => <CancelClassDialog of={row} onClose={close} />),
                },
              ]
            : []
        }
      />
      {row.conflict && <Note tone="wait">{t(`timetable.conflict.${row.conflict}`)}</Note>}
      <div className="bk-two">
        <div className="bk-stack">
          <h2>{t('bookings.booked', { count: booked.length })}</h2>
          {booked.length ? (
            <People people={booked} appointment={row.isAppointment} />
          ) : (
            <p className="hint">{t('bookings.nobody')}</p>
          )}
          {waiting.length > 0 && (
            <>
              <h2>{t('bookings.waits', { count: waiting.length })}</h2>
              <People people={waiting} />
            </>
          )}
          {data.gone.length > 0 && (
            <details>
              <summary>{t('bookings.gone', { count: data.gone.length })}</summary>
              <People people={data.gone} />
            </details>
          )}
        </div>
        <Card title={t('bookings.facts')}>
          <dl className="bk-facts">
            <dt>{t('timetable.fields.kind')}</dt>
            <dd>
              <bdi>{row.kindName}</bdi>
            </dd>
            {row.trainerName && (
              <>
                <dt>{t('timetable.fields.trainer')}</dt>
                <dd>
                  <bdi>{row.trainerName}</bdi>
                </dd>
              </>
            )}
            {row.placeName && (
              <>
                <dt>{t('timetable.fields.place')}</dt>
                <dd>
                  <bdi>{row.placeName}</bdi>
                </dd>
              </>
            )}
            {row.groupName && (
              <>
                <dt>{t('timetable.fields.group')}</dt>
                <dd>
                  <bdi>{row.groupName}</bdi>
                </dd>
              </>
            )}
            {row.priceAgorot !== null && (
              <>
                <dt>{t('timetable.fields.price')}</dt>
                <dd>
                  <MoneyCell value={row.priceAgorot} />
                </dd>
              </>
            )}
            <dt>{t('bookings.cameCount')}</dt>
            <dd>
              <Num>{`${row.came}/${row.taken}`}</Num>
            </dd>
            {row.notes && (
              <>
                <dt>{t('timetable.fields.notes')}</dt>
                <dd>{row.notes}</dd>
              </>
            )}
          </dl>
        </Card>
      </div>
    </>
  )
}

/** Books a customer: with a pass, at the price or for free; onto the waiting list where it is full. */
export function BookDialog({
  of,
  came = false,
  onClose,
}: {
  of: ClassView
  came?: boolean
  onClose: () => void
}) {
  const t = useWords()
  const [who, setWho] = useState<{ key: string; label: string } | null>(null)
  const [pays, setPays] = useState<'auto' | 'price' | 'free'>('auto')
  const [full, setFull] = useState(of.taken >= of.seats)
  const clash = useCall(
    bookingClash,
    { id: of.id, customerId: who?.key ?? '' },
    { enabled: who !== null, staleTime: 0 },
  )
  const send = (override: string) =>
    call(makeBooking, { classId: of.id, customerId: who?.key ?? '', pays, wait: full, came, override })
  return (
    <FormDialog
      title={t('bookings.addTo', { name: of.title || of.kindName })}
      verb={t(full ? 'bookings.toQueue' : 'bookings.add')}
      names={['customerId', 'pays']}
      onClose={onClose}
      onSubmit={async () => {
        try {
          await send('')
        } catch (e) {
          if (e instanceof CallFailure && e.code === 'bookings.full') setFull(true)
          const reasons = reasonsOf(e)
          if (reasons) {
            onClose()
            show((close) => <OverrideDialog reasons={reasons} run={send} onClose={close} />)
            return
          }
          throw e
        }
        await refreshClasses()
        onClose()
      }}
    >
      {(error) => (
        <>
          <RefField
            label={t('passes.fields.customerId')}
            value={who}
            onChange={setWho}
            search={searchIn(customers)}
            {...error('customerId', who?.key)}
          />
          {who &&
            clash.data?.rows.map((one) => (
              <Note key={one.classId} tone="wait">
                {t('timetable.hit.customer', { name: one.name, from: one.at, to: one.to })}
              </Note>
            ))}
          <ChoiceField
            label={t('bookings.howPaid')}
            value={pays}
            onChange={(next) => setPays(next ?? 'auto')}
            choices={(['auto', 'price', 'free'] as const).map((value) => ({
              value,
              label: t(`bookings.pay.${value}`),
            }))}
            {...error('pays', pays)}
          />
          {full && <Note tone="wait">{t('bookings.isFull')}</Note>}
        </>
      )}
    </FormDialog>
  )
}

function CancelClassDialog({ of, onClose }: { of: ClassView; onClose: () => void }) {
  const t = useWords()
  const [reason, setReason] = useState('')
  const [following, setFollowing] = useState(false)
  return (
    <FormDialog
      title={t('timetable.cancelAsk', { name: of.title || of.kindName })}
      verb={t('timetable.cancel')}
      danger
      names={['reason']}
      onClose={onClose}
      onSubmit={async () => {
        const { cancelled, told } = await call(cancelClass, {
          id: of.id,
          version: of.version,
          following,
          reason,
        })
        await refreshClasses()
        onClose()
        banner.success(t('timetable.cancelled', { count: cancelled, told }))
      }}
    >
      {(error) => (
        <>
          <p>{t('timetable.cancelText', { count: of.taken })}</p>
          <TextField
            label={t('timetable.reason')}
            optional
            value={reason}
            onChange={setReason}
            max={200}
            {...error('reason', reason)}
          />
          {of.seriesId && (
            <FlagField label={t('timetable.following')} value={following} onChange={setFollowing} />
          )}
        </>
      )}
    </FormDialog>
  )
}
