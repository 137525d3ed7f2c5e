import { CalendarOff, CalendarSync, ChevronLeft, ChevronRight, X } from 'lucide-react'
import { isDay } from '#domain/day.ts'
import { formatMoment } from '#domain/format.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { show } from '#kit/web/parts/shown.ts'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { usePhone } from '#kit/web/parts/useMedia.ts'
import { Segmented } from '#kit/web/parts/Views.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { useNews } from '#kit/web/calls/live.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import {
  BlockDialog,
  ClassList,
  classPath,
  daysOf,
  Grid,
  lineOf,
  OutsideDialog,
  rangeText,
  refreshClasses,
  stepped,
} from '#features/calendar/timetable/web/index.tsx'
import type { ClassView } from '#features/calendar/timetable/endpoints.ts'
import { listSwaps, trainerBlock, trainerUnblock, trainerWeek } from '../endpoints.ts'
import { SwapDialog, Swaps } from './Day.tsx'
import '#features/calendar/timetable/web/timetable.css'

const views = ['day', 'week', 'list'] as const

/** One's own week, with when one is away. */
export const Own = () => <Week name="trainerWeek" />
/** Everybody's classes; a class of one's own can be asked of another here. */
export const All = () => <Week name="trainersAll" all />

function Week({ name, all = false }: { name: string; all?: boolean }) {
  const t = useWords()
  const { lang } = useLanguage()
  const phone = usePhone()
  const sees = useCan()('calendar.see')
  const { query, setQuery } = usePlace()
  const today = useToday()
  const view = views.find((one) => one === query.view) ?? (phone ? 'list' : 'week')
  const at = query.day && isDay(query.day) ? query.day : today
  const { from, to, days } = daysOf(view, at)
  const { data, error, refetch } = useCall(
    trainerWeek,
    { from, to, ...(all ? { all: 'true' as const } : {}) },
    { placeholderData: (old) => old },
  )
  // What is above the week arrives with it: nothing moves down for it.
  const { data: swaps, error: noSwaps } = useCall(listSwaps, {})
  useNews(['classes', 'classBookings'], () => void refreshClasses())
  const open = (row: ClassView) =>
    row.trainerId === data?.trainer?.id
      ? all
        ? show((close) => <SwapDialog of={row} onClose={close} />)
        : go(`/classtreiner/mainclass?day=${row.day}`)
      : sees && go(classPath(row.id))
  const mine = (data?.blocks ?? []).filter(
    (block) => block.trainerId !== null && block.trainerId === data?.trainer?.id && !block.isOutside,
  )
  // Until it is known whether the person teaches, a placeholder holds the space: the bar under it does not move down.
  const mayBeMine = !all && (!data || data.trainer !== null)
  return (
    <>
      <PageHeader
        title={t(`screens.${name}`)}
        actions={
          mayBeMine && (
            <Button
              icon={CalendarOff}
              isDisabled={!data}
              onPress={() =>
                show((close) => <BlockDialog day={at} own={(of) => call(trainerBlock, of)} onClose={close} />)
              }
            >
              {t('trainers.away')}
            </Button>
          )
        }
        more={
          mayBeMine
            ? [
                {
                  key: 'outside',
                  label: t('timetable.outside.title'),
                  icon: CalendarSync,
                  onPress: () => show((close) => <OutsideDialog onClose={close} />),
                },
              ]
            : []
        }
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
        <span className="tt-range num">{rangeText(view, lang, { from, to }, at)}</span>
        <span className="grow" />
        <Segmented
          label={t('timetable.view.label')}
          value={view}
          onChange={(next: (typeof views)[number]) => setQuery({ view: next })}
          options={views.map((key) => ({ key, label: t(`timetable.view.${key}`) }))}
        />
      </div>
      {data && <Swaps />}
      {error && !data ? (
        <Failed error={error} onRetry={refetch} />
      ) : !data || !(swaps ?? noSwaps) ? (
        <Skeleton key={data ? 'below' : 'whole'} lines={8} />
      ) : view === 'list' ? (
        data.rows.length ? (
          <ClassList rows={data.rows} onOpen={open} />
        ) : (
          <p className="hint">{t('trainers.free')}</p>
        )
      ) : (
        <Grid
          days={days}
          rows={data.rows}
          blocks={data.blocks}
          onOpen={open}
          lines={(row) => lineOf(t, row)}
        />
      )}
      {!all && mine.length > 0 && (
        <ul className="tt-notes">
          {mine.map((block) => (
            <li key={block.id} className="tt-days">
              <span>
                {t('trainers.awayLine', {
                  from: formatMoment(new Date(block.startsAt)),
                  to: formatMoment(new Date(block.endsAt)),
                })}{' '}
                {block.why}
              </span>
              <Button
                size="s"
                kind="quiet"
                icon={X}
                onPress={() =>
                  void call(trainerUnblock, { id: block.id })
                    .then(() => refreshClasses())
                    .catch((e: unknown) => banner.error(failureText(t, e)))
                }
              >
                {t('kit.actions.remove')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
