import { CalendarDays, ScanLine, Search, UserPlus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { fold } from '#domain/fold.ts'
import { formatDay } from '#domain/format.ts'
import { useNow } from '#kit/web/hooks/clock.ts'
import { dotted } from '#kit/web/words/dotted.ts'
import { failureText, useCall } from '#kit/web/calls/call.ts'
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
import { useNews } from '#kit/web/calls/live.ts'
import { usePlace } from '#kit/web/routes/place.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWedge } from '#kit/web/hooks/wedge.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { SellDialog } from '#features/calendar/passes/web/index.tsx'
import {
  classPath,
  clockOf,
  minutesOf,
  refreshClasses,
  weekdayName,
} from '#features/calendar/timetable/web/index.tsx'
import { deskDay, type BookingView } from '../endpoints.ts'
import { BookDialog } from './ClassPage.tsx'
import { mark, People, reasonsOf, refusalText } from './People.tsx'
import { markOrKeep, queued, sendQueue, type Press } from './queue.ts'
import './bookings.css'

/** The code of a booking at the end of what was typed or scanned, if there is one. */
const codeIn = (typed: string): string | undefined => {
  const code = /PB:[0-9a-f-]{36}:[0-9a-f]{12}$/i.exec(typed.trim())?.[0]
  return code && `PB:${code.slice(3).toLowerCase()}`
}

/**
 * The desk: the classes of a day with everybody who is to come. Found by a few letters or the last digits of
 * a phone; a code that is read checks in at once.
 */
export function Screen() {
  const t = useWords()
  const now = useNow()
  const { lang } = useLanguage()
  const may = useCan()
  const { query, setQuery } = usePlace()
  const { data, error, refetch } = useCall(deskDay, query.day ? { day: query.day } : {})
  useNews(['classes', 'classBookings'], () => void refreshClasses())
  const [typed, setTyped] = useState('')
  const [kept, setKept] = useState(queued)
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const told = (e: unknown, { name }: Press) => {
      const reasons = reasonsOf(e)
      banner.error(
        `${name}: ${reasons ? t('bookings.stands', { reasons: refusalText(t, reasons) }) : failureText(t, e)}`,
      )
    }
    const send = () =>
      void sendQueue(told).then((sent) => {
        setKept(queued())
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
  // What was pressed without a network is seen as it was pressed.
  const pressed = new Map(kept.map(({ id, state }) => [id, state]))
  const day = (data?.rows ?? []).map((one) => ({
    ...one,
    people: one.people.map((who) => ({ ...who, state: pressed.get(who.id) ?? who.state })),
  }))
  const all = day.flatMap(({ people }) => people)
  /** The person who is meant by what was typed, and of that person's classes the one that is now or next. */
  const meant = (people: readonly BookingView[]): BookingView | undefined => {
    const due = people.filter(({ state }) => state === 'booked')
    if (new Set(due.map(({ customerId }) => customerId)).size !== 1) return undefined
    const ends = new Map(
      (data?.rows ?? []).map(({ row }) => [row.id, Date.parse(row.startsAt) + row.minutes * 60_000]),
    )
    return due.find(({ classId }) => (ends.get(classId) ?? 0) > now.getTime()) ?? due.at(-1)
  }
  // A code on its way looks for nobody.
  const isCode = /^PB:/i.test(typed.trim())
  const wanted = isCode ? '' : fold(typed)
  const digits = isCode ? '' : typed.replace(/\D/g, '')
  const fits = ({ customerName: name, phone, customerKey }: BookingView) =>
    wanted === '' ||
    customerKey === typed.trim() ||
    fold(name).includes(wanted) ||
    (digits.length >= 3 && (phone ?? '').replace(/\D/g, '').includes(digits))
  const press = async (of: Omit<Press, 'at'>, override: string) => {
    const made = await markOrKeep(of, override)
    setKept(queued())
    return made
  }
  const enter = (of: Omit<Press, 'at' | 'state'>) => {
    // The next may be read while this one is on its way.
    setTyped('')
    const work = async (override: string) => {
      const name = (await press({ ...of, state: 'came' }, override))?.customerName ?? of.name
      if (name) toast(t('bookings.welcome', { name }))
    }
    void mark(t, of.id, 'came', work, of.name)
  }
  const enterOne = (one: BookingView) => enter({ id: one.id, name: one.customerName })
  const enterCode = (text: string): boolean => {
    const code = codeIn(text)
    if (!code) return false
    const id = code.split(':')[1] ?? ''
    enter({ id, code, name: all.find((one) => one.id === id)?.customerName ?? '' })
    return true
  }
  // Such a code is known by its shape, however slowly it comes and wherever the cursor is.
  useWedge(({ typed: read, readings }) => [...readings, read].some(enterCode), { apart: Infinity })
  // A scanned card sends its key. Only a scanner's burst counts as one: what is typed by hand is searched as names and
  // phones as well.
  const [either, setEither] = useState<BookingView[]>([])
  useWedge(({ readings }) => {
    const found = [...new Set(readings)].flatMap(
      (code) => meant(all.filter(({ customerKey }) => customerKey === code)) ?? [],
    )
    if (!found.length) return false
    setEither(found.length > 1 ? found : [])
    setTyped('')
    if (found.length === 1) enterOne(found[0]!)
    return true
  })
  const rows = day
    .map((one) => ({ ...one, people: one.people.filter(fits) }))
    .filter(({ people }) => wanted === '' || people.length)
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
            if (enterCode(typed)) return
            const one =
              meant(all.filter(({ customerKey }) => customerKey !== null && customerKey === typed.trim())) ??
              meant(rows.flatMap(({ people }) => people))
            if (one) enterOne(one)
          }}
          end={<ScanLine aria-hidden size={16} />}
        />
        <div>
          <Button size="s" kind="quiet" icon={CalendarDays} onPress={() => setQuery({ day: undefined })}>
            {t('timetable.today')}
          </Button>
        </div>
      </div>
      {either.length > 0 && (
        <Note tone="wait">
          <p>{t('bookings.which')}</p>
          {either.map((one) => (
            <Button key={one.id} onPress={() => (setEither([]), enterOne(one))}>
              {one.customerName}
            </Button>
          ))}
        </Note>
      )}
      {kept.length > 0 && <Note tone="wait">{t('bookings.offline', { count: kept.length })}</Note>}
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
                    {dotted([
                      row.trainerName,
                      row.placeName,
                      t('bookings.seats', { taken: row.taken, seats: row.seats }),
                    ])}
                  </span>
                </h2>
                <Button
                  size="s"
                  icon={UserPlus}
                  onPress={() => show((close) => <BookDialog of={row} came onClose={close} />)}
                >
                  {t('bookings.walkIn')}
                </Button>
              </div>
              {people.length ? (
                <People
                  people={people}
                  onMark={(one, state, override) =>
                    press({ id: one.id, state, name: one.customerName }, override)
                  }
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
