/* oxlint-disable jsx-a11y/no-static-element-interactions -- an empty hour accepts a drag; whatever that does is in
   the header as a button, too */
import { useMemo, useRef, useState, type CSSProperties } from 'react'
import { addDays, type Day } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { useNow } from '#kit/web/hooks/clock.ts'
import { dotted } from '#kit/web/words/dotted.ts'
import { usePhone } from '#kit/web/parts/useMedia.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import type { ClassBlock, ClassView } from '../endpoints.ts'
import { clockOf, columnsOf, hebrewDay, minutesOf, wallOf, weekdayName } from './days.ts'
import './timetable.css'

/** Pixels of a minute; under a finger a class of three quarters of an hour is as tall as a finger. */
const scales = { desk: 0.75, phone: 1.1 }
const snap = 15

export interface GridProps {
  days: readonly Day[]
  rows: readonly ClassView[]
  blocks?: readonly ClassBlock[]
  onOpen: (row: ClassView) => void
  /** By hand or keys: to another time, another day, another length. Without it nothing moves. */
  onMove?: (row: ClassView, to: { day: Day; at: string; minutes: number }) => void
  /** From a minute to a minute of an empty place. */
  onMake?: (day: Day, at: string, minutes: number) => void
  /** Under the name: how many of how many, who, where. */
  lines?: (row: ClassView) => string
}

interface Held {
  row: ClassView
  part: 'all' | 'end'
  x: number
  y: number
  day: number
  from: number
  minutes: number
  moved: boolean
}

/**
 * Days side by side with their hours. A class is taken by hand to another hour or day and drawn longer at its
 * lower edge; with the keyboard Alt and the arrows do the same, with Shift they make it longer or shorter.
 * Nothing is kept before the person who shows the grid has kept it.
 */
export function Grid({ days, rows, blocks = [], onOpen, onMove, onMake, lines }: GridProps) {
  const t = useWords()
  const { lang, dir } = useLanguage()
  const phone = usePhone()
  const scale = phone ? scales.phone : scales.desk
  const now = wallOf(useNow())
  const [first, last] = useMemo(() => {
    const from = Math.min(7 * 60, ...rows.map((row) => minutesOf(row.at)))
    const to = Math.max(21 * 60, ...rows.map((row) => Math.min(1440, minutesOf(row.at) + row.minutes)))
    return [Math.floor(from / 60) * 60, Math.ceil(to / 60) * 60]
  }, [rows])
  const [held, setHeld] = useState<Held>()
  const [drawn, setDrawn] = useState<{ day: number; from: number; to: number }>()
  const body = useRef<HTMLDivElement>(null)
  const dayWidth = () => (body.current ? body.current.getBoundingClientRect().width / days.length : 1)
  const minuteAt = (y: number) =>
    first + Math.round((y - body.current!.getBoundingClientRect().top) / scale / snap) * snap

  const press = (row: ClassView, part: Held['part']) => (event: React.PointerEvent<HTMLElement>) => {
    if (!onMove || row.state === 'cancelled' || event.button !== 0) return
    // A finger that only wants to roll the page is left alone until it has rested on the class.
    event.stopPropagation()
    event.currentTarget.setPointerCapture(event.pointerId)
    setHeld({
      row,
      part,
      x: event.clientX,
      y: event.clientY,
      day: days.indexOf(row.day),
      from: minutesOf(row.at),
      minutes: row.minutes,
      moved: false,
    })
  }
  const move = (event: React.PointerEvent) => {
    if (!held) return
    const down = Math.round((event.clientY - held.y) / scale / snap) * snap
    const across = Math.round(((event.clientX - held.x) / dayWidth()) * (dir === 'rtl' ? -1 : 1))
    const moved = held.moved || Math.abs(event.clientY - held.y) > 5 || Math.abs(event.clientX - held.x) > 5
    const at = minutesOf(held.row.at)
    if (held.part === 'end') setHeld({ ...held, moved, minutes: Math.max(snap, held.row.minutes + down) })
    else
      setHeld({
        ...held,
        moved,
        from: Math.max(0, Math.min(1440 - snap, at + down)),
        day: Math.max(0, Math.min(days.length - 1, days.indexOf(held.row.day) + across)),
      })
  }
  const drop = () => {
    if (!held) return
    setHeld(undefined)
    const to = { day: days[held.day]!, at: clockOf(held.from), minutes: held.minutes }
    if (!held.moved) onOpen(held.row)
    else if (to.day !== held.row.day || to.at !== held.row.at || to.minutes !== held.row.minutes)
      onMove!(held.row, to)
  }
  const keys = (row: ClassView) => (event: React.KeyboardEvent) => {
    if (!event.altKey || !onMove || row.state === 'cancelled') return
    const side = dir === 'rtl' ? -1 : 1
    const by = { ArrowUp: [0, -snap], ArrowDown: [0, snap], ArrowRight: [side, 0], ArrowLeft: [-side, 0] }[
      event.key
    ]
    if (!by) return
    event.preventDefault()
    const [across, down] = by as [number, number]
    if (event.shiftKey) onMove(row, { day: row.day, at: row.at, minutes: Math.max(snap, row.minutes + down) })
    else
      onMove(row, {
        day: addDays(row.day, across),
        at: clockOf(minutesOf(row.at) + down),
        minutes: row.minutes,
      })
  }
  const hours = Array.from({ length: (last - first) / 60 + 1 }, (_, i) => first + i * 60)
  return (
    <div className="tt-scroll" role="group" aria-label={t('timetable.gridLabel')}>
      <div
        className="tt-grid"
        style={
          {
            '--days': days.length,
            '--tall': `${(last - first) * scale}px`,
            '--hour': `${60 * scale}px`,
          } as CSSProperties
        }
      >
        <div className="tt-corner" />
        {days.map((day) => (
          <div key={day} className="tt-head" data-today={day === now.day || undefined}>
            <b>
              {weekdayName(lang, day)}{' '}
              <span className="num">{days.length > 1 ? Number(day.slice(8)) : formatDay(day)}</span>
            </b>
            <small>{hebrewDay(lang, day)}</small>
          </div>
        ))}
        <div className="tt-hours" aria-hidden>
          {hours.map((minute) => (
            <span key={minute} className="num" style={{ insetBlockStart: (minute - first) * scale }}>
              {clockOf(minute === 1440 ? 0 : minute)}
            </span>
          ))}
        </div>
        <div
          ref={body}
          className="tt-body"
          onPointerMove={move}
          onPointerUp={drop}
          onPointerCancel={() => setHeld(undefined)}
        >
          {days.map((day, n) => (
            <Column
              key={day}
              {...{ day, first, last, scale, lines, keys, onOpen, press, held }}
              n={n}
              movable={Boolean(onMove)}
              rows={rows.filter((row) => row.day === day)}
              blocks={blocks}
              now={day === now.day ? now.minute : undefined}
              drawn={drawn?.day === n ? drawn : undefined}
              draw={
                onMake && {
                  begin: (y) => setDrawn({ day: n, from: minuteAt(y), to: minuteAt(y) }),
                  go: (y) => setDrawn((old) => old && { ...old, to: minuteAt(y) }),
                  end: () => {
                    if (!drawn) return
                    setDrawn(undefined)
                    const [from, to] = [Math.min(drawn.from, drawn.to), Math.max(drawn.from, drawn.to)]
                    onMake(day, clockOf(from), Math.max(to - from, 0))
                  },
                }
              }
            />
          ))}
        </div>
      </div>
    </div>
  )
}

/** What of an absence lies in a day, in minutes of it. */
function partOf(block: ClassBlock, day: Day): { from: number; to: number } | undefined {
  const [from, to] = [wallOf(new Date(block.startsAt)), wallOf(new Date(block.endsAt))]
  if (from.day > day || to.day < day || (to.day === day && to.minute === 0)) return undefined
  return { from: from.day < day ? 0 : from.minute, to: to.day > day ? 1440 : to.minute }
}

interface ColumnProps {
  day: Day
  n: number
  first: number
  last: number
  scale: number
  rows: readonly ClassView[]
  blocks: readonly ClassBlock[]
  now: number | undefined
  movable: boolean
  held: Held | undefined
  drawn: { from: number; to: number } | undefined
  draw: { begin: (y: number) => void; go: (y: number) => void; end: () => void } | undefined
  lines: GridProps['lines']
  keys: (row: ClassView) => (event: React.KeyboardEvent) => void
  press: (row: ClassView, part: Held['part']) => (event: React.PointerEvent<HTMLElement>) => void
  onOpen: (row: ClassView) => void
}

function Column({
  day,
  n,
  first,
  last,
  scale,
  rows,
  blocks,
  now,
  movable,
  held,
  drawn,
  draw,
  lines,
  keys,
  press,
  onOpen,
}: ColumnProps) {
  const t = useWords()
  const placed = columnsOf(
    rows.map((row) => ({
      id: row.id,
      from: minutesOf(row.at),
      to: minutesOf(row.at) + Math.max(row.minutes, scale > 1 ? 42 : 30),
    })),
  )
  return (
    <div
      className="tt-day"
      onPointerDown={(event) =>
        draw &&
        event.target === event.currentTarget &&
        event.pointerType === 'mouse' &&
        event.button === 0 &&
        draw.begin(event.clientY)
      }
      onPointerMove={(event) => drawn && draw?.go(event.clientY)}
      onPointerUp={() => drawn && draw?.end()}
    >
      {blocks.map((block) => {
        const part = partOf(block, day)
        if (!part || part.to <= first || part.from >= last) return null
        const from = Math.max(part.from, first)
        return (
          <div
            key={block.id}
            className="tt-block"
            title={dotted([
              block.trainerName ?? block.placeName,
              block.isOutside ? t('timetable.outside.busy') : block.why,
            ])}
            style={{
              insetBlockStart: (from - first) * scale,
              blockSize: (Math.min(part.to, last) - from) * scale,
            }}
          >
            <span>
              {block.trainerName ?? block.placeName}
              {block.isOutside && ` · ${t('timetable.outside.busy')}`}
            </span>
          </div>
        )
      })}
      {rows.map((row) => {
        const isHeld = held?.row.id === row.id && held.moved
        if (isHeld && held.day !== n) return null
        return (
          <Event
            key={row.id}
            {...{ row, first, scale, lines, movable }}
            place={placed.get(row.id)!}
            from={isHeld ? held.from : minutesOf(row.at)}
            minutes={isHeld ? held.minutes : row.minutes}
            isHeld={isHeld}
            press={press}
            onKeyDown={keys(row)}
            onOpen={onOpen}
          />
        )
      })}
      {held?.moved && held.day === n && held.row.day !== day && (
        <Event
          row={held.row}
          first={first}
          scale={scale}
          lines={lines}
          movable={false}
          place={{ at: 0, of: 1 }}
          from={held.from}
          minutes={held.minutes}
          isHeld
          press={press}
          onOpen={onOpen}
        />
      )}
      {drawn && (
        <div
          className="tt-drawn"
          style={{
            insetBlockStart: (Math.min(drawn.from, drawn.to) - first) * scale,
            blockSize: Math.max(Math.abs(drawn.to - drawn.from), 15) * scale,
          }}
        >
          <span className="num">{clockOf(Math.min(drawn.from, drawn.to))}</span>
        </div>
      )}
      {now !== undefined && now >= first && (
        <div className="tt-now" style={{ insetBlockStart: (now - first) * scale }} aria-hidden />
      )}
    </div>
  )
}

function Event({
  row,
  first,
  scale,
  place,
  from,
  minutes,
  isHeld,
  movable,
  lines,
  press,
  onKeyDown,
  onOpen,
}: {
  row: ClassView
  first: number
  scale: number
  place: { at: number; of: number }
  from: number
  minutes: number
  isHeld: boolean
  movable: boolean
  lines: GridProps['lines']
  press: ColumnProps['press']
  onKeyDown?: (event: React.KeyboardEvent) => void
  onOpen: (row: ClassView) => void
}) {
  const t = useWords()
  const said = lines?.(row) ?? ''
  const name = row.who ?? (row.title || row.kindName)
  const style = {
    '--color': row.color,
    insetBlockStart: (from - first) * scale,
    blockSize: Math.max(minutes * scale - 2, scale > 1 ? 44 : 20),
    insetInlineStart: `calc(${(100 * place.at) / place.of}% + 2px)`,
    inlineSize: `calc(${100 / place.of}% - 4px)`,
  } as CSSProperties
  return (
    <div
      className="tt-event"
      data-held={isHeld || undefined}
      data-conflict={row.conflict !== null || undefined}
      data-off={row.state === 'cancelled' || undefined}
      style={style}
    >
      <button
        type="button"
        className="tt-open"
        aria-label={`${clockOf(from)} ${name} ${said}${row.conflict ? `, ${t(`timetable.conflict.${row.conflict}`)}` : ''}`}
        onPointerDown={press(row, 'all')}
        onKeyDown={(event) => {
          if (event.key === 'Enter' || event.key === ' ') {
            event.preventDefault()
            onOpen(row)
          } else onKeyDown?.(event)
        }}
        onClick={(event) => {
          // A hand has opened it when it let go; this is a reader’s press, or a grid in which nothing moves.
          if (event.detail === 0 || !movable || row.state === 'cancelled') onOpen(row)
        }}
      >
        <b className="cut" dir="auto" title={name}>
          {name}
        </b>
        {minutes >= 40 && (
          <span className="cut" title={said}>
            {said}
          </span>
        )}
      </button>
      {movable && row.state !== 'cancelled' && (
        <span className="tt-edge" onPointerDown={press(row, 'end')} aria-hidden />
      )}
    </div>
  )
}
