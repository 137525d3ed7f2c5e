import { CalendarPlus, ChevronLeft, ChevronRight, Copy, Plus, Printer, Rss } from 'lucide-react'
import { useState } from 'react'
import { isDay, type Day } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { call, CallFailure, failureText, useCall } from '#kit/web/calls/call.ts'
import { useToday, useNow } from '#kit/web/hooks/clock.ts'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Dialog, Question } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { toast } from '#kit/web/parts/notices.ts'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { show } from '#kit/web/parts/shown.ts'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { usePhone } from '#kit/web/parts/useMedia.ts'
import { Segmented } from '#kit/web/parts/Views.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { searchIn } from '#kit/web/screens/resources.ts'
import { useNews } from '#kit/web/calls/live.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useCopy } from '#kit/web/hooks/useCopy.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import {
  changeClass,
  checkClass,
  endFeed,
  listClasses,
  makeFeed,
  moveClass,
  type ClassView,
} from '../endpoints.ts'
import { classPlaces, classTrainers } from '../timetable.ts'
import { ClassDialog } from './ClassDialog.tsx'
import { BlockDialog } from './BlockDialog.tsx'
import { ClassList, Month } from './Lists.tsx'
import { Grid } from './Grid.tsx'
import { calendarViews, daysOf, hebrewDay, rangeText, stepped, wallOf, type CalendarView } from './days.ts'
import { classPath, conflictsIn, lineOf, refreshClasses } from './shared.ts'
import './timetable.css'

/**
 * The calendar of classes and appointments: a day, a week, a month or a list; made, moved and stretched by
 * hand or by keys.
 */
export function Screen() {
  const t = useWords()
  const { lang } = useLanguage()
  const may = useCan()
  const phone = usePhone()
  const { query, setQuery } = usePlace()
  const today = useToday()
  const now = useNow()
  const view = calendarViews.find((one) => one === query.view) ?? (phone ? 'day' : 'week')
  const at: Day = query.day && isDay(query.day) ? query.day : today
  const { from, to, days } = daysOf(view, at)
  const filter = {
    ...(query.trainer ? { trainerId: query.trainer } : {}),
    ...(query.place ? { placeId: query.place } : {}),
  }
  const { data, error, refetch } = useCall(
    listClasses,
    { from, to, ...filter },
    { placeholderData: (old) => old },
  )
  useNews(['classes', 'classBookings'], () => void refreshClasses())
  const [asks, setAsks] = useState<{ text: string; run: () => Promise<unknown> }>()
  const mayChange = may('calendar.change')
  const rows = data?.rows ?? []
  const move = async (
    row: ClassView,
    next: { day: Day; at: string; minutes: number },
    anyway = false,
  ): Promise<void> => {
    try {
      await call(moveClass, { id: row.id, version: row.version, ...next, anyway })
      await refreshClasses()
      toast(t('timetable.moved', { day: formatDay(next.day), at: next.at }), () => void undo(row))
    } catch (e) {
      if (e instanceof CallFailure && e.code === 'classes.conflict' && !anyway) {
        const hits = conflictsIn(e)
        setAsks({
          text: hits
            .map((hit) =>
              t(`timetable.hit.${hit.what}`, {
                name: hit.name,
                from: clockIn(hit.from),
                to: clockIn(hit.to),
              }),
            )
            .join(' '),
          run: () => move(row, next, true),
        })
      } else {
        banner.error(failureText(t, e))
        void refreshClasses()
      }
    }
  }
  const undo = async (row: ClassView) => {
    const fresh = (await refetch()).data?.rows.find(({ id }) => id === row.id)
    if (fresh) await move(fresh, { day: row.day, at: row.at, minutes: row.minutes }, true)
  }
  const make = (day: Day, time = '09:00', minutes?: number) =>
    show((close) => (
      <ClassDialog
        start={{
          day,
          at: time,
          ...(minutes ? { minutes } : {}),
          trainerId: query.trainer,
          placeId: query.place,
        }}
        onClose={close}
      />
    ))
  const open = (row: ClassView) => go(classPath(row.id))
  const taken = rows.reduce((sum, row) => sum + row.taken, 0)
  const seats = rows.reduce((sum, row) => sum + row.seats, 0)
  const conflict =
    mayChange && view !== 'month'
      ? rows.find((row) => row.conflict && row.state === 'planned' && row.startsAt > now.toISOString())
      : undefined
  return (
    <>
      <PageHeader
        title={t('screens.calendar')}
        sub={rows.length ? t('timetable.sum', { classes: rows.length, taken, seats }) : undefined}
        actions={
          mayChange && (
            <Button kind="primary" icon={Plus} onPress={() => make(at < today ? today : at)}>
              {t('timetable.new')}
            </Button>
          )
        }
        more={[
          { key: 'print', label: t('timetable.print'), icon: Printer, onPress: () => window.print() },
          {
            key: 'feed',
            label: t('timetable.feed.title'),
            icon: Rss,
            onPress: () => show((close) => <FeedDialog {...filter} onClose={close} />),
          },
          ...(mayChange
            ? [
                {
                  key: 'block',
                  label: t('timetable.block.new'),
                  icon: CalendarPlus,
                  onPress: () => show((close) => <BlockDialog day={at} onClose={close} />),
                },
              ]
            : []),
        ]}
      />
      <div className="tt-bar">
        <Button
          kind="quiet"
          icon={ChevronLeft}
          m
          label={t('timetable.before')}
          onPress={() => setQuery({ day: stepped(view, at, -1) })}
        />
        <Button
          kind="quiet"
          icon={ChevronRight}
          m
          label={t('timetable.after')}
          onPress={() => setQuery({ day: stepped(view, at, 1) })}
        />
        <Button size="s" onPress={() => setQuery({ day: undefined })}>
          {t('timetable.today')}
        </Button>
        <span className="tt-range">
          <span className={view === 'month' ? undefined : 'num'}>
            {rangeText(view, lang, { from, to }, at)}
          </span>
          <small>
            {view === 'day' ? hebrewDay(lang, at) : `${hebrewDay(lang, from)} – ${hebrewDay(lang, to)}`}
          </small>
        </span>
        <span className="grow" />
        <Segmented
          label={t('timetable.view.label')}
          value={view}
          onChange={(next: CalendarView) => setQuery({ view: next })}
          options={calendarViews.map((key) => ({ key, label: t(`timetable.view.${key}`) }))}
        />
      </div>
      <div className="tt-filter">
        <Pick resource="trainer" value={query.trainer} onChange={(trainer) => setQuery({ trainer })} />
        <Pick resource="place" value={query.place} onChange={(place) => setQuery({ place })} />
      </div>
      {error ? (
        <Failed error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton lines={10} />
      ) : view === 'month' ? (
        <Month
          of={at}
          days={days}
          rows={rows}
          onOpen={open}
          onDay={(day) => setQuery({ view: 'day', day })}
        />
      ) : view === 'list' ? (
        rows.length ? (
          <ClassList rows={rows} onOpen={open} />
        ) : (
          <EmptyState icon={CalendarPlus} title={t('timetable.empty')}>
            {t('timetable.emptyText')}
          </EmptyState>
        )
      ) : (
        <Grid
          days={days}
          rows={rows}
          blocks={data.blocks}
          onOpen={open}
          lines={(row) => lineOf(t, row)}
          {...(mayChange
            ? {
                onMove: (row, next) => void move(row, next),
                onMake: (day, time, minutes) => make(day, time, minutes || undefined),
              }
            : {})}
        />
      )}
      {query.new === '1' && mayChange && (
        <ClassDialog
          start={{ day: at < today ? today : at, at: '09:00' }}
          onClose={() => setQuery({ new: undefined })}
        />
      )}
      {conflict && <ConflictNote row={conflict} onDone={() => void refreshClasses()} />}
      <Question
        isOpen={asks !== undefined}
        onClose={() => {
          setAsks(undefined)
          void refreshClasses()
        }}
        title={t('timetable.collides')}
        verb={t('timetable.anyway')}
        safe={t('kit.actions.back')}
        onConfirm={() => {
          const { run } = asks!
          setAsks(undefined)
          void run()
        }}
      >
        {asks?.text}
      </Question>
    </>
  )
}

const clockIn = (moment: string): string => {
  const { minute } = wallOf(new Date(moment))
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}

function Pick({
  resource,
  value,
  onChange,
}: {
  resource: 'trainer' | 'place'
  value: string | undefined
  onChange: (id: string | undefined) => void
}) {
  const t = useWords()
  const [label, setLabel] = useState('')
  return (
    <RefField
      label={t(`timetable.filter.${resource}`)}
      hideLabel
      placeholder={t(`timetable.filter.${resource}`)}
      value={value ? { key: value, label: label || '…' } : null}
      clearable
      onChange={(option) => {
        setLabel(option?.label ?? '')
        onChange(option?.key)
      }}
      search={searchIn(resource === 'trainer' ? classTrainers : classPlaces)}
    />
  )
}

/** What is wrong first, and two ways out of it. */
function ConflictNote({ row, onDone }: { row: ClassView; onDone: () => void }) {
  const t = useWords()
  const asked = {
    day: row.day,
    at: row.at,
    minutes: row.minutes,
    trainerId: row.trainerId,
    placeId: row.placeId,
    seats: row.seats,
    except: row.id,
    kindId: row.kindId,
  }
  const { data } = useCall(checkClass, asked)
  const [hit] = data?.rows ?? []
  if (!hit) return null
  const place = hit.what === 'place' ? data!.otherPlaces[0] : undefined
  const to = async (change: { placeId?: string; at?: string }) => {
    try {
      await call(changeClass, { id: row.id, version: row.version, ...change } as never)
      onDone()
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  return (
    <div className="tt-notes">
      <Note>
        {t('timetable.note', { day: formatDay(row.day), at: row.at, name: row.title || row.kindName })}{' '}
        {t(`timetable.hit.${hit.what}`, { name: hit.name, from: clockIn(hit.from), to: clockIn(hit.to) })}{' '}
        {place && (
          <button type="button" className="link" onClick={() => void to({ placeId: place.id })}>
            {t('timetable.toPlace', { name: place.name })}
          </button>
        )}
        {place && hit.freeAt && ' · '}
        {hit.freeAt && (
          <button type="button" className="link" onClick={() => void to({ at: hit.freeAt! })}>
            {t('timetable.toTime', { at: hit.freeAt })}
          </button>
        )}
      </Note>
    </div>
  )
}

function FeedDialog({
  trainerId = null,
  placeId = null,
  onClose,
}: {
  trainerId?: string | null
  placeId?: string | null
  onClose: () => void
}) {
  const t = useWords()
  const copy = useCopy()
  const [url, setUrl] = useState<string>()
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('timetable.feed.title')}
      actions={
        <>
          <Button
            kind="quiet"
            onPress={() =>
              void call(endFeed, { trainerId, placeId }).then(
                () => {
                  banner.success(t('timetable.feed.ended'))
                  onClose()
                },
                (e: unknown) => banner.error(failureText(t, e)),
              )
            }
          >
            {t('timetable.feed.end')}
          </Button>
          {url ? (
            <Button kind="primary" icon={Copy} onPress={() => copy(url)}>
              {t('timetable.copy')}
            </Button>
          ) : (
            <Button
              kind="primary"
              onPress={() =>
                void call(makeFeed, { trainerId, placeId }).then(
                  (made) => setUrl(made.url),
                  (e: unknown) => banner.error(failureText(t, e)),
                )
              }
            >
              {t('timetable.feed.make')}
            </Button>
          )}
        </>
      }
    >
      <div className="tt-stack">
        <p>{t('timetable.feed.text')}</p>
        {url && (
          <TextField label={t('timetable.feed.url')} value={url} onChange={() => undefined} readOnly ltr />
        )}
      </div>
    </Dialog>
  )
}
