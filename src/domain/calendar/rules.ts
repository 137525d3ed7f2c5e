import { momentAt, momentInJerusalem, type Day } from '../day.ts'

/** What a kind of class says about coming late to one's senses. */
export interface CancelRule {
  /** Cancelled so many hours before, nothing is owed. */
  cancelHours: number
  lateFeeAgorot: number
  noShowFeeAgorot: number
}

export interface Cancelling {
  isLate: boolean
  feeAgorot: number
  /** The visit goes back to the pass. */
  returnsVisit: boolean
  /** Until when it costs nothing. */
  freeUntil: Date
}

/** What cancelling now costs: shown before it is done, and done as it was shown. The clock is the server's. */
export function cancelling(rule: CancelRule, startsAt: Date, now: Date): Cancelling {
  const freeUntil = new Date(startsAt.getTime() - rule.cancelHours * 3_600_000)
  const isLate = now > freeUntil
  return { isLate, feeAgorot: isLate ? rule.lateFeeAgorot : 0, returnsVisit: !isLate, freeUntil }
}

/** Nobody is woken for a free seat: between these hours an offer is suspended. */
const night = { from: 22, to: 7 }
export const offerMinutes = 60

/**
 * Until when a seat that came free is kept for the first who waits; `null` in the last hour, when it is
 * anybody's who comes first. An hour, of which those of the night do not count, and never beyond one hour
 * before the beginning.
 */
export function offeredUntil(startsAt: Date, now: Date): Date | null {
  const last = startsAt.getTime() - 3_600_000
  if (now.getTime() >= last) return null
  const wall = momentInJerusalem(now)
  const hour = Number(wall.time.slice(0, 2))
  const begins =
    hour >= night.from
      ? momentAt(next(wall.day), night.to)
      : hour < night.to
        ? momentAt(wall.day, night.to)
        : now
  const ends = begins.getTime() + offerMinutes * 60_000
  const endsAt = momentInJerusalem(new Date(ends))
  const isNight = Number(endsAt.time.slice(0, 2)) >= night.from && endsAt.time > `${night.from}:00`
  // What is left at ten in the evening is had in the morning.
  const left = isNight ? ends - momentAt(endsAt.day, night.from).getTime() : 0
  const until = isNight ? momentAt(next(endsAt.day), night.to).getTime() + left : ends
  return new Date(Math.min(until, last))
}

function next(day: Day): Day {
  const date = new Date(`${day}T12:00:00Z`)
  date.setUTCDate(date.getUTCDate() + 1)
  return date.toISOString().slice(0, 10)
}

/**
 * A form of health is good for a year (Sports Law (Regulation), 1988, as amended: a declaration once a year).
 */
export const healthDays = 365

/** A stretch of time in which somebody or something is taken. */
export interface Taken {
  from: Date
  to: Date
}

export const overlaps = (one: Taken, other: Taken): boolean => one.from < other.to && other.from < one.to

/**
 * What a trainer gets for a class that was held: by the class, by each who came, or by the hour; whole
 * agorot, half up.
 */
export function payOf(
  { by, agorot }: { by: 'class' | 'head' | 'hour'; agorot: number },
  { minutes, came }: { minutes: number; came: number },
): number {
  if (by === 'class') return agorot
  if (by === 'head') return agorot * came
  return Math.floor((agorot * minutes * 2 + 60) / 120)
}
