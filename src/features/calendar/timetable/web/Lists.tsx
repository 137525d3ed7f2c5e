import type { CSSProperties } from 'react'
import type { Day } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import type { ClassView } from '../endpoints.ts'
import { clockOf, hebrewDay, minutesOf, weekdayName } from './days.ts'
import { lineOf } from './shared.ts'
import './timetable.css'

/** A month in whole weeks; a day opens as a day. */
export function Month({
  of,
  days,
  rows,
  onOpen,
  onDay,
}: {
  of: Day
  days: readonly Day[]
  rows: readonly ClassView[]
  onOpen: (row: ClassView) => void
  onDay: (day: Day) => void
}) {
  const t = useWords()
  const { lang } = useLanguage()
  const today = useToday()
  const most = 4
  return (
    <div className="tt-month">
      {days.slice(0, 7).map((day) => (
        <div key={day} className="name">
          {weekdayName(lang, day)}
        </div>
      ))}
      {days.map((day) => {
        const those = rows.filter((row) => row.day === day)
        return (
          <div
            key={day}
            className="tt-cell"
            data-other={day.slice(0, 7) !== of.slice(0, 7) || undefined}
            data-today={day === today || undefined}
          >
            <header>
              <button
                type="button"
                className="link aim"
                onClick={() => onDay(day)}
                aria-label={`${weekdayName(lang, day, 'long')} ${formatDay(day)}, ${t('timetable.classes', { count: those.length })}`}
              >
                <b className="num">{Number(day.slice(8))}</b>
              </button>
              <small>{hebrewDay(lang, day)}</small>
            </header>
            {those.slice(0, most).map((row) => (
              <button
                key={row.id}
                type="button"
                className="tt-mini"
                style={{ '--color': row.color } as CSSProperties}
                onClick={() => onOpen(row)}
                aria-label={`${row.at} ${row.title || row.kindName}`}
              >
                <span className="num">{row.at}</span>
                <span className="cut" dir="auto" title={row.who ?? (row.title || row.kindName)}>
                  {row.who ?? (row.title || row.kindName)}
                </span>
              </button>
            ))}
            {those.length > most && (
              <button type="button" className="link" onClick={() => onDay(day)}>
                {t('timetable.more', { count: those.length - most })}
              </button>
            )}
          </div>
        )
      })}
    </div>
  )
}

/** Classes under their days. */
export function ClassList({
  rows,
  onOpen,
}: {
  rows: readonly ClassView[]
  onOpen: (row: ClassView) => void
}) {
  const t = useWords()
  const { lang } = useLanguage()
  const days = [...new Set(rows.map(({ day }) => day))]
  return (
    <div className="tt-list">
      {days.map((day) => (
        <section key={day}>
          <h2>
            {weekdayName(lang, day, 'long')} <span className="num">{formatDay(day)}</span>
            <small>{hebrewDay(lang, day)}</small>
          </h2>
          {rows
            .filter((row) => row.day === day)
            .map((row) => (
              <button
                key={row.id}
                type="button"
                className="tt-line"
                style={{ '--color': row.color } as CSSProperties}
                onClick={() => onOpen(row)}
              >
                <span className="num">
                  {row.at}–{clockOf(minutesOf(row.at) + row.minutes)}
                </span>
                <span>
                  <b dir="auto">{row.who ?? (row.title || row.kindName)}</b>
                  <small>{lineOf(t, row)}</small>
                </span>
                {row.state === 'cancelled' ? (
                  <StatusPill>{t('timetable.state.cancelled')}</StatusPill>
                ) : row.conflict ? (
                  <StatusPill tone="wait">{t(`timetable.conflict.${row.conflict}`)}</StatusPill>
                ) : (
                  <span />
                )}
              </button>
            ))}
        </section>
      ))}
    </div>
  )
}
