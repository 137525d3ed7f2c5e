import ical, { type VEvent } from 'node-ical'
import { strictText } from '#kit/server/http/strictText.ts'
import { momentAt } from '#domain/day.ts'
import { fail } from '#kit/describe/errors.ts'

/**
 * What a calendar elsewhere says of when somebody is busy: no titles, people or places, which are not even
 * read.
 */
export interface Busy {
  /** From and to, as moments; in their order, none touches another. */
  spans: [from: string, to: string][]
  /** Events whose rule or day makes no sense. */
  skipped: number
}

const most = { events: 20_000, recurring: 1000, found: 40_000, spans: 5000 }
const home = 'Asia/Jerusalem'

/** Only lines that say when: everything else of somebody's calendar is thrown away unread. */
const wanted = new Set(
  'BEGIN END UID DTSTART DTEND DURATION RRULE RDATE EXDATE RECURRENCE-ID SEQUENCE STATUS TRANSP FREEBUSY X-MICROSOFT-CDO-BUSYSTATUS TZID TZOFFSETFROM TZOFFSETTO TZNAME X-WR-TIMEZONE X-LIC-LOCATION'.split(
    ' ',
  ),
)
const timed = new Set(['DTSTART', 'DTEND', 'EXDATE', 'RECURRENCE-ID', 'RDATE'])
/** Who counts in hours or less means no appointment; such a rule would make millions. */
const tooOften = /FREQ=(SECONDLY|MINUTELY|HOURLY)|BY(SECOND|MINUTE|HOUR)=/i
const extra = 'rdate '

/** A line at its first colon outside quotes: name, parameters, value. */
function parted(line: string): { name: string; params: string; value: string } | undefined {
  let quoted = false
  for (let i = 0; i < Math.min(line.length, 2000); i++) {
    if (line[i] === '"') quoted = !quoted
    else if (line[i] === ':' && !quoted) {
      const head = line.slice(0, i)
      const semicolon = head.indexOf(';')
      const name = (semicolon < 0 ? head : head.slice(0, semicolon)).toUpperCase()
      return { name, params: semicolon < 0 ? '' : head.slice(semicolon), value: line.slice(i + 1).trim() }
    }
  }
  return undefined
}

interface Lines {
  lines: string[]
  events: number
  recurring: number
  skipped: number
}

/**
 * The lines that matter. Hours without a zone are in the calendar's zone, or in Jerusalem; single days (RDATE)
 * become separate events, since the library supports rules only.
 */
function linesOf(text: string): Lines {
  const whole = text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)
  const zone = whole.map(parted).find((one) => one?.name === 'X-WR-TIMEZONE')?.value
  const floating = zone && /^[A-Za-z]+(\/[A-Za-z_+-]+){1,2}$/.test(zone) ? zone : home
  const out: Lines = { lines: [], events: 0, recurring: 0, skipped: 0 }
  const extras: string[] = []
  let event:
    | { lines: string[]; uid: string; dates: { params: string; value: string }[]; often: boolean }
    | undefined
  let depth = 0
  for (const line of whole) {
    const one = parted(line)
    if (!one || !wanted.has(one.name)) continue
    const { name, value } = one
    const isFloating = timed.has(name) && /T\d{6}($|,)/.test(value) && !/TZID=/i.test(one.params)
    const params = isFloating ? `${one.params};TZID=${floating}` : one.params
    const kept = `${name}${params}:${value}`
    if (name === 'BEGIN' && value.toUpperCase() === 'VEVENT' && !event) {
      out.events++
      if (out.events > most.events) throw fail('outsideCalendars.tooMany')
      event = { lines: ['BEGIN:VEVENT'], uid: '', dates: [], often: false }
      depth = 0
      continue
    }
    if (!event) {
      out.lines.push(kept)
      continue
    }
    if (name === 'BEGIN') depth++
    else if (name === 'END' && depth > 0) depth--
    else if (name === 'END') {
      if (event.often) out.skipped++
      else out.lines.push(...event.lines, 'END:VEVENT')
      for (const { params: of, value: at } of event.dates)
        extras.push(
          'BEGIN:VEVENT',
          `UID:${extra}${extras.length} ${event.uid}`,
          `DTSTART${of}:${at}`,
          'END:VEVENT',
        )
      event = undefined
      continue
    }
    // Of alarms and the like inside an event nothing is of use.
    if (depth > 0 || name === 'BEGIN' || name === 'END') continue
    if (name === 'UID') event.uid = value.slice(0, 300)
    if (name === 'RRULE') {
      out.recurring++
      if (out.recurring > most.recurring) throw fail('outsideCalendars.tooMany')
      event.often ||= tooOften.test(value)
    }
    if (name === 'RDATE') {
      for (const date of value.split(',').slice(0, 1000))
        event.dates.push({ params: params.replace(/;VALUE=PERIOD/i, ''), value: date.split('/')[0]! })
      if (extras.length > most.events) throw fail('outsideCalendars.tooMany')
      continue
    }
    event.lines.push(name === 'UID' ? `UID:${event.uid}` : kept)
  }
  const end = out.lines.findLastIndex((line) => line === 'END:VCALENDAR')
  out.lines.splice(end < 0 ? out.lines.length : end, 0, ...extras)
  return out
}

type Read = VEvent & Record<string, unknown>

/**
 * Whether an event keeps its owner busy: what was cancelled and what is shown as free does not. Our own
 * classes, read back, are no other's.
 */
const isBusy = (event: Read): boolean =>
  String(event.status ?? '').toUpperCase() !== 'CANCELLED' &&
  String(event.transparency ?? '').toUpperCase() !== 'TRANSPARENT' &&
  String(event['MICROSOFT-CDO-BUSYSTATUS'] ?? '').toUpperCase() !== 'FREE' &&
  !String(event.uid ?? '').endsWith('@pinkas')

const day = (of: Date): string =>
  `${of.getFullYear()}-${String(of.getMonth() + 1).padStart(2, '0')}-${String(of.getDate()).padStart(2, '0')}`

/**
 * Reads an iCalendar file (RFC 5545) and says when its owner is busy between two moments. A whole day is a
 * day in Jerusalem. Runs in a thread.
 */
export function readBusy({ bytes, from, to }: { bytes: Uint8Array; from: string; to: string }): Busy {
  const text = strictText(bytes)
  if (!/^\s*BEGIN:VCALENDAR/i.test(text.slice(0, 1000))) throw fail('outsideCalendars.notCalendar')
  const { lines, skipped: left } = linesOf(text)
  // The library tells a console of what it does not know: that is of no use to anybody here.
  const { warn } = console
  console.warn = () => undefined
  try {
    return spansOf(lines, { from: new Date(from), to: new Date(to) }, left)
  } finally {
    console.warn = warn
  }
}

function spansOf(lines: string[], window: { from: Date; to: Date }, left: number): Busy {
  let read: Record<string, unknown>
  try {
    read = ical.parseICS(lines.join('\n'))
  } catch {
    throw fail('outsideCalendars.notCalendar')
  }
  const found: [number, number][] = []
  let skipped = left
  const add = (from: Date, until: Date) => {
    const [a, b] = [
      Math.max(from.getTime(), window.from.getTime()),
      Math.min(until.getTime(), window.to.getTime()),
    ]
    if (b > a) found.push([a, b])
    if (found.length > most.found) throw fail('outsideCalendars.tooMany')
  }
  const lengths = new Map<string, number>()
  for (const one of Object.values(read) as Read[]) {
    if (one?.type === ('VFREEBUSY' as string)) {
      for (const span of (one.freebusy as { type?: string; start?: Date; end?: Date }[] | undefined) ?? [])
        if (span.type !== 'FREE' && span.start instanceof Date && span.end instanceof Date)
          add(span.start, span.end)
      continue
    }
    if (one?.type !== 'VEVENT' || !(one.start instanceof Date)) continue
    const isExtra = String(one.uid ?? '').startsWith(extra)
    const own = String(one.uid ?? '').replace(/^rdate \d+ /, '')
    if (!isExtra && one.end instanceof Date) lengths.set(own, one.end.getTime() - one.start.getTime())
    if (!isExtra && !isBusy(one)) {
      lengths.set(own, 0)
      // An exception of what is free may yet be busy, and is asked for itself below.
      if (!one.recurrences) continue
    }
    // What lasts no time keeps nobody busy, however often it comes.
    const lasts = isExtra
      ? (lengths.get(own) ?? 0) > 0
      : one.datetype === 'date' || (one.end instanceof Date && one.end > one.start)
    if (!lasts && !one.recurrences) continue
    try {
      for (const instance of ical.expandRecurringEvent(one, { ...window, expandOngoing: true })) {
        if (!isBusy(instance.event as Read)) continue
        if (instance.isFullDay) add(momentAt(day(instance.start), 0), momentAt(day(instance.end), 0))
        else
          add(
            instance.start,
            isExtra ? new Date(instance.start.getTime() + (lengths.get(own) ?? 0)) : instance.end,
          )
      }
    } catch (e) {
      if ((e as { code?: string }).code === 'outsideCalendars.tooMany') throw e
      skipped++
    }
  }
  found.sort(([a], [b]) => a - b)
  const spans: [number, number][] = []
  for (const [from, to] of found) {
    const last = spans.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else spans.push([from, to])
  }
  if (spans.length > most.spans) throw fail('outsideCalendars.tooMany')
  return {
    spans: spans.map(([from, to]) => [new Date(from).toISOString(), new Date(to).toISOString()]),
    skipped,
  }
}
