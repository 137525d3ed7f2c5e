import { CalendarDays, ChevronLeft, ChevronRight, MessageSquare, Repeat } from 'lucide-react'
import { useState } from 'react'
import { addDays, isDay } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { useToday, useNow } from '#kit/web/hooks/clock.ts'
import { dotted } from '#kit/web/words/dotted.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { toast } from '#kit/web/parts/notices.ts'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { show } from '#kit/web/parts/shown.ts'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { useNews } from '#kit/web/calls/live.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { Together } from '#kit/web/parts/Together.tsx'
import { People } from '#features/calendar/bookings/web/index.tsx'
import type { ClassView } from '#features/calendar/timetable/endpoints.ts'
import { clockOf, minutesOf, refreshClasses, weekdayName } from '#features/calendar/timetable/web/index.tsx'
import {
  answerSwap,
  askSwap,
  listSwaps,
  trainerDay,
  trainerMark,
  trainerTell,
  trainerWeek,
  type SwapView,
} from '../endpoints.ts'
import '#features/calendar/timetable/web/timetable.css'

/**
 * One's own classes of a day: who is to come, marked by one tap; a word to everybody; a class that somebody
 * else is asked to take.
 */
export function Screen() {
  const t = useWords()
  const { lang } = useLanguage()
  const { query, setQuery } = usePlace()
  const today = useToday()
  const now = useNow()
  const day = query.day && isDay(query.day) ? query.day : today
  const { data, error, refetch } = useCall(trainerDay, { day })
  const swaps = useCall(listSwaps, {})
  useNews(['classes', 'classBookings'], () => void refreshClasses())
  return (
    <Together waits={swaps.isLoading}>
      <PageHeader
        title={t('screens.trainerDay')}
        sub={`${weekdayName(lang, day, 'long')} ${formatDay(day)}`}
      />
      <div className="tt-bar">
        <Button
          kind="quiet"
          icon={ChevronLeft}
          m
          label={t('timetable.before')}
          onPress={() => setQuery({ day: addDays(day, -1) })}
        />
        <Button
          kind="quiet"
          icon={ChevronRight}
          m
          label={t('timetable.after')}
          onPress={() => setQuery({ day: addDays(day, 1) })}
        />
        <Button size="s" onPress={() => setQuery({ day: undefined })}>
          {t('timetable.today')}
        </Button>
      </div>
      <Swaps />
      {error && !data ? (
        <Failed error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton lines={6} />
      ) : !data.trainer ? (
        <EmptyState icon={CalendarDays} title={t('trainers.nobody')}>
          {t('trainers.nobodyText')}
        </EmptyState>
      ) : data.rows.length === 0 ? (
        <EmptyState icon={CalendarDays} title={t('trainers.free')}>
          {t('trainers.freeText')}
        </EmptyState>
      ) : (
        <div className="bk-stack">
          {data.rows.map(({ row, people }) => (
            <section key={row.id} className="bk-stack" aria-label={`${row.at} ${row.title || row.kindName}`}>
              <div className="bk-head">
                <h2>
                  <span className="num">
                    {row.at}–{clockOf(minutesOf(row.at) + row.minutes)}
                  </span>{' '}
                  <bdi>{row.title || row.kindName}</bdi>{' '}
                  <span className="hint">
                    {dotted([row.placeName, t('bookings.seats', { taken: row.taken, seats: row.seats })])}
                  </span>
                </h2>
                <Button
                  size="s"
                  kind="quiet"
                  icon={MessageSquare}
                  onPress={() => show((close) => <TellDialog of={row} onClose={close} />)}
                >
                  {t('trainers.tell')}
                </Button>
                {new Date(row.startsAt) > now && (
                  <Button
                    size="s"
                    kind="quiet"
                    icon={Repeat}
                    onPress={() => show((close) => <SwapDialog of={row} onClose={close} />)}
                  >
                    {t('trainers.swap')}
                  </Button>
                )}
              </div>
              {people.length ? (
                <People
                  people={people}
                  marking="own"
                  onMark={(one, state, override) => call(trainerMark, { id: one.id, state, override })}
                />
              ) : (
                <p className="hint">{t('bookings.nobody')}</p>
              )}
            </section>
          ))}
        </div>
      )}
    </Together>
  )
}

/** Classes that are asked to change hands, with what one may answer. */
export function Swaps() {
  const t = useWords()
  const arranges = useCan()('calendar.change')
  const { data } = useCall(listSwaps, {})
  const open = (data?.rows ?? []).filter(({ state }) => state === 'asked' || state === 'accepted')
  if (!open.length) return null
  const answer = (one: SwapView, what: 'accept' | 'refuse' | 'withdraw' | 'approve') =>
    void call(answerSwap, { id: one.id, answer: what })
      .then(() => refreshClasses())
      .catch((e: unknown) => banner.error(failureText(t, e)))
  return (
    <section className="bk-stack bk-asked" aria-label={t('trainers.swaps')}>
      <h2>{t('trainers.swaps')}</h2>
      <ul className="bk-people">
        {open.map((one) => (
          <li key={one.id}>
            <span className="who">
              <b>
                <bdi>{one.className}</bdi>
              </b>
              {/* Each on a separate line, cut: a name in characters of another font does not move the page when that
                  font arrives. */}
              <small className="num">
                {formatDay(one.day)} {one.at}
              </small>
              <small className="cut">{t('trainers.swapLine', { from: one.fromName, to: one.toName })}</small>
              {one.note && (
                <small>
                  <bdi>{one.note}</bdi>
                </small>
              )}
            </span>
            <StatusPill tone={one.state === 'accepted' ? 'info' : 'wait'}>
              {t(`trainers.swapState.${one.state}`)}
            </StatusPill>
            <span className="deeds">
              {one.isForMe && one.state === 'asked' && (
                <Button size="s" onPress={() => answer(one, 'accept')}>
                  {t('trainers.accept')}
                </Button>
              )}
              {one.isForMe && (
                <Button size="s" kind="quiet" onPress={() => answer(one, 'refuse')}>
                  {t('trainers.refuse')}
                </Button>
              )}
              {one.isMine && (
                <Button size="s" kind="quiet" onPress={() => answer(one, 'withdraw')}>
                  {t('trainers.withdraw')}
                </Button>
              )}
              {/* A person who gives classes and arranges them: accepting one approves it as well. */}
              {arranges && (one.state === 'accepted' || (!one.isForMe && !one.isMine)) && (
                <Button size="s" kind="soft" onPress={() => answer(one, 'approve')}>
                  {t('trainers.approve')}
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function TellDialog({ of, onClose }: { of: ClassView; onClose: () => void }) {
  const t = useWords()
  const [text, setText] = useState('')
  return (
    <FormDialog
      title={t('trainers.tellTo', { name: of.title || of.kindName, count: of.taken })}
      verb={t('trainers.send')}
      names={['text']}
      onClose={onClose}
      onSubmit={async () => {
        const { told } = await call(trainerTell, { classId: of.id, text })
        onClose()
        toast(t('trainers.told', { count: told }))
      }}
    >
      {(error) => (
        <LongText
          label={t('trainers.text')}
          value={text}
          onChange={setText}
          max={500}
          rows={4}
          {...error('text', text)}
        />
      )}
    </FormDialog>
  )
}

export function SwapDialog({ of, onClose }: { of: ClassView; onClose: () => void }) {
  const t = useWords()
  const { data } = useCall(trainerWeek, { from: of.day, to: of.day })
  const [to, setTo] = useState<string | null>(null)
  const [note, setNote] = useState('')
  return (
    <FormDialog
      title={t('trainers.swapOf', { name: of.title || of.kindName })}
      verb={t('trainers.ask')}
      names={['toTrainer', 'note']}
      onClose={onClose}
      onSubmit={async () => {
        await call(askSwap, { classId: of.id, toTrainer: to ?? '', note })
        await refreshClasses()
        onClose()
        toast(t('trainers.asked'))
      }}
    >
      {(error) => (
        <>
          <ChoiceField
            label={t('trainers.whom')}
            as="list"
            value={to}
            onChange={setTo}
            choices={(data?.trainers ?? [])
              .filter(({ id }) => id !== of.trainerId)
              .map(({ id, name }) => ({ value: id, label: name }))}
            {...error('toTrainer', to)}
          />
          <TextField
            label={t('trainers.note')}
            optional
            value={note}
            onChange={setNote}
            max={200}
            {...error('note', note)}
          />
        </>
      )}
    </FormDialog>
  )
}
