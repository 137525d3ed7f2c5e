import { CalendarDays, ScanLine, Search, UserPlus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { fold } from '#domain/fold.ts'
import { formatDay } from '#domain/format.ts'
import { call, CallFailure, failureText, useCall } from '#kit/web/call.ts'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { toast } from '#kit/web/parts/notices.ts'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { show } from '#kit/web/parts/shown.ts'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { Link } from 'react-aria-components/Link'
import { useNews } from '#kit/web/live.ts'
import { usePlace } from '#kit/web/place.ts'
import { useCan } from '#kit/web/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLanguage, useWords } from '#kit/web/words.tsx'
import { SellDialog } from '#features/calendar/passes/web/index.tsx'
import { classPath, clockOf, minutesOf, refreshClasses, weekdayName } from '#features/calendar/timetable/web/index.tsx'
import { deskDay, scanBooking } from '../endpoints.ts'
import { BookDialog } from './ClassPage.tsx'
import { OverrideDialog, People } from './People.tsx'
import { markOrKeep, queued, sendQueue } from './queue.ts'
import './bookings.css'

/** The desk: the classes of a day with everybody who is to come. Found by a few letters or the last digits of a phone; a code that is read checks in at once. */
export function Screen() {
  const t = useWords()
  const { lang } = useLanguage()
  const may = useCan()
  const { query, setQuery } = usePlace()
  const { data, error, refetch } = useCall(deskDay, query.day ? { day: query.day } : {})
  useNews(['classes', 'classBookings'], () => void refreshClasses())
  const [typed, setTyped] = useState('')
  const [waits, setWaits] = useState(() => queued().length)
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const send = () =>
      void sendQueue((e) => banner.error(failureText(t, e))).then((sent) => {
        setWaits(queued().length)
        if (sent) void refreshClasses()
      })
    send()
    addEventListener('online', send)
    const timer = setInterval(() => queued().length && send(), 15_000)
    return () => {
      removeEventListener('online', send)
      clearInterval(timer)
    }
  }, [t])
  const wanted = fold(typed)
  const digits = typed.replace(/\D/g, '')
  const fits = (name: string, phone: string | null) =>
    wanted === '' || fold(name).includes(wanted) || (digits.length >= 3 && (phone ?? '').replace(/\D/g, '').includes(digits))
  const scan = async (text: string, override = '') => {
    try {
      const one = await call(scanBooking, { text, override })
      await refreshClasses()
      toast(t('bookings.welcome', { name: one.customerName }))
      setTyped('')
    } catch (e) {
      if (e instanceof CallFailure && e.code === 'bookings.refused')
        show((close) => <OverrideDialog reasons={String(e.params.reasons).split(',')} run={(why) => scan(text, why)} onClose={close} />)
      else banner.error(failureText(t, e))
    }
    box.current?.focus()
  }
  const rows = (data?.rows ?? [])
    .map((one) => ({ ...one, people: one.people.filter(({ customerName, phone }) => fits(customerName, phone)) }))
    .filter(({ people }) => wanted === '' || people.length)
  const all = (data?.rows ?? []).flatMap(({ people }) => people)
  return (
    <>
      <PageHeader
        title={t('screens.lobby')}
        sub={
          data &&
          `${weekdayName(lang, data.day, 'long')} ${formatDay(data.day)} · ${t('bookings.dayCount', { came: all.filter(({ state }) => state === 'came').length, count: all.filter(({ state }) => state !== 'waiting').length })}`
        }
        actions={
          may('passes.change') && (
            <Button icon={UserPlus} onPress={() => show((close) => <SellDialog onClose={close} />)}>
              {t('passes.sell')}
            </Button>
          )
        }
      />
      <div className="bk-desk">
        <TextField
          label={t('bookings.find')}
          icon={Search}
          autoFocus
          inputRef={box}
          value={typed}
          onChange={setTyped}
          placeholder={t('bookings.findHint')}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            if (typed.startsWith('PB:')) void scan(typed)
            else {
              const found = rows.flatMap(({ people }) => people).filter(({ state }) => state === 'booked')
              if (found.length === 1)
                void markOrKeep({ id: found[0]!.id, state: 'came', at: new Date().toISOString() }).then(
                  () => (setTyped(''), refreshClasses()),
                  (e: unknown) => banner.error(failureText(t, e)),
                )
            }
          }}
          end={<ScanLine aria-hidden size={16} />}
        />
        <div>
          <Button size="s" kind="quiet" icon={CalendarDays} onPress={() => setQuery({ day: undefined })}>
            {t('timetable.today')}
          </Button>
        </div>
      </div>
      {waits > 0 && <Note tone="wait">{t('bookings.offline', { count: waits })}</Note>}
      {error && !data ? (
        <Failed error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton lines={8} />
      ) : rows.length === 0 ? (
        <EmptyState icon={CalendarDays} title={t(wanted ? 'bookings.noneFound' : 'bookings.noClasses')}>
          {t(wanted ? 'bookings.noneFoundText' : 'bookings.noClassesText')}
        </EmptyState>
      ) : (
        <div className="bk-stack">
          {rows.map(({ row, people }) => (
            <section key={row.id} className="bk-stack" aria-label={`${row.at} ${row.title || row.kindName}`}>
              <div className="bk-head">
                <h2>
                  <span className="num">
                    {row.at}–{clockOf(minutesOf(row.at) + row.minutes)}
                  </span>{' '}
                  <Link className="link aim" href={classPath(row.id)}>
                    <bdi>{row.title || row.kindName}</bdi>
                  </Link>{' '}
                  <span className="hint">
                    {[row.trainerName, row.placeName, t('bookings.seats', { taken: row.taken, seats: row.seats })]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </h2>
                <Button size="s" icon={UserPlus} onPress={() => show((close) => <BookDialog of={row} came onClose={close} />)}>
                  {t('bookings.walkIn')}
                </Button>
              </div>
              {people.length ? (
                <People
                  people={people}
                  onMark={async (one, state) => {
                    if (await markOrKeep({ id: one.id, state, at: new Date().toISOString() })) setWaits(queued().length)
                  }}
                />
              ) : (
                <p className="hint">{t('bookings.nobody')}</p>
              )}
            </section>
          ))}
        </div>
      )}
    </>
  )
}
