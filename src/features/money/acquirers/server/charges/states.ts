import type { DeclineClass } from '../../acquirers.ts'
import type { Answer, Silence } from '../door.ts'

/*
 * The life of a charge, as a table: begun → declined → … → paid | held | saved | lapsed, or needsPerson when
 * what is heard cannot be, or was put off at the
 * acquirer. One by a kept card is begun → paid | held | declined, or unknown as long as nobody answers. Only
 * `paid` issues paper. What lapsed or was declined
 * is paid all the same when the acquirer says so. Giving back is kept on its own rows.
 */
export const storedStates = [
  'begun',
  'declined',
  'unknown',
  'needsPerson',
  'paid',
  'held',
  'released',
  'saved',
  'lapsed',
] as const
export type State = (typeof storedStates)[number]

/** The acquirer told of something else than was asked. */
export interface Mismatch {
  is: 'mismatch'
}

export interface Situation {
  state: State
  /** By a kept card; else by a form. */
  isByCard: boolean
  declineCode: string
  /** The form's time is over. */
  isLapsed: boolean
  /** A card was asked for so long ago that what the acquirer knows nothing of did not happen. */
  isSettled: boolean
  /** It has been past for longer than is worth asking. */
  isHopeless: boolean
  /** When banks let go of what is held: its day is past, or so long past that none holds it any more. */
  hold: 'stands' | 'isOver' | 'isGone'
}

export interface Step {
  to: State
  decline?: { code: string; class: DeclineClass }
}

/** Nothing more comes of these by being asked about. */
const isFinal = (state: State): boolean => state === 'paid' || state === 'saved' || state === 'released'

/** What an answer makes of a charge; undefined when it changes nothing. */
export function stepOf(now: Situation, answer: Answer | Silence | Mismatch): Step | undefined {
  const { state, declineCode, isLapsed, isHopeless } = now
  const move = (to: State): Step | undefined => (to === state ? undefined : { to })
  if (isFinal(state)) return undefined
  if (answer.is === 'paid') return { to: 'paid' }
  if (answer.is === 'released') return state === 'held' ? { to: 'released' } : undefined
  if (state === 'held') return holdStepOf(now, answer)
  if (answer.is === 'held') return { to: 'held' }
  if (answer.is === 'saved') return { to: 'saved' }
  // A postponed charge is charged once a person commits it there: nothing is charged in its place, and nobody is
  // informed of a decline.
  if (answer.is === 'mismatch' || answer.is === 'postponed') return move('needsPerson')
  if (now.isByCard) return cardStepOf(now, answer)
  switch (answer.is) {
    case 'closed':
      return move('lapsed')
    case 'declined':
      // Where a form is past, nobody tries another card by it.
      if (isLapsed) return move('lapsed')
      if (state === 'lapsed' || (state === 'declined' && declineCode === answer.code)) return undefined
      return { to: 'declined', decline: { code: answer.code, class: answer.class } }
    case 'open':
    case 'none':
      return isLapsed ? move('lapsed') : undefined
    case 'silence':
      return isHopeless && state !== 'lapsed' ? move('needsPerson') : undefined
  }
}

/**
 * What is held and never taken lapses: once its day is past, an acquirer that knows it no more has let go;
 * after that no answer is waited for for ever.
 */
function holdStepOf({ hold }: Situation, { is }: Answer | Silence | Mismatch): Step | undefined {
  if (hold === 'stands') return undefined
  const isUnknown =
    is === 'none' || is === 'closed' || is === 'declined' || is === 'open' || is === 'postponed'
  return hold === 'isGone' || isUnknown ? { to: 'released' } : undefined
}

type Unpaid = Extract<Answer | Silence, { is: 'declined' | 'open' | 'closed' | 'none' | 'silence' }>

function cardStepOf({ state, isSettled, isHopeless }: Situation, answer: Unpaid): Step | undefined {
  // A card is charged once for a charge: what came to nothing stays so, unless it turns out to be paid.
  if (state === 'declined' || state === 'lapsed') return undefined
  const nothing = (code: string): Step => ({ to: 'declined', decline: { code, class: 'technical' } })
  if (answer.is === 'declined') return { to: 'declined', decline: { code: answer.code, class: answer.class } }
  if (answer.is === 'none' && isSettled) return nothing('notReached')
  if (answer.is === 'silence' && !answer.wasSent && state === 'begun') return nothing('away')
  if (isHopeless) return state === 'needsPerson' ? undefined : { to: 'needsPerson' }
  return state === 'begun' ? { to: 'unknown' } : undefined
}

const minute = 60_000
const day = 24 * 60 * minute
/** When a silent acquirer is asked again: after 1, 5 and 30 minutes, 2 hours, then daily, for so long. */
const pauses = [minute, 5 * minute, 30 * minute, 120 * minute]
export const pauseAfter = (asks: number): number => pauses[asks] ?? day
export const hopelessAfter = 7 * day
/**
 * How long a bank holds money where the acquirer names no day, and how long after that day an acquirer is
 * still asked whether it does.
 */
export const usualHold = 7 * day
const longestHold = 23 * day

/** The state of a hold. */
export function holdOf(now: number, heldUntil: string | null): Situation['hold'] {
  const over = heldUntil === null ? Infinity : new Date(heldUntil).getTime()
  return now < over ? 'stands' : now < over + longestHold ? 'isOver' : 'isGone'
}

/** When an acquirer is asked whether it still holds: on the day it lets go, then once a day. */
export const holdAsk = (now: number, heldUntil: string | null): Date | null =>
  heldUntil === null ? null : new Date(Math.max(new Date(heldUntil).getTime(), now + day))
/** Longer than an acquirer works on a charge: what it knows nothing of by then never reached it. */
export const settledAfter = 15 * minute

/** When the acquirer is to be asked next, in milliseconds of the clock; never when nothing more can come. */
export function nextAsk(now: number, lapsesAt: number, state: State, asks: number): number | null {
  const lapse = lapsesAt + 2 * minute
  if (state === 'unknown') return now + pauseAfter(asks)
  if (state === 'begun' || state === 'declined') return lapse > now ? lapse : now + pauseAfter(asks)
  // Somebody may have pressed in the last moment: once at its end, and once an hour after.
  if (state === 'lapsed' && asks < 2) return lapse > now ? lapse : now + 60 * minute
  return null
}
