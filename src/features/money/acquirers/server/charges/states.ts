import type { DeclineClass } from '../../acquirers.ts'
import type { Answer, Silence } from '../door.ts'

/*
 * The life of a charge, as a table: begun → declined → … → paid | lapsed, or needsPerson when what is heard cannot be. Only `paid` issues paper. What
 * lapsed is paid all the same when the payer was quicker. Giving back is kept on its own rows.
 */
export const storedStates = ['begun', 'declined', 'needsPerson', 'paid', 'lapsed'] as const
export type State = (typeof storedStates)[number]

/** The acquirer told of something else than was asked. */
export interface Mismatch {
  is: 'mismatch'
}

export interface Situation {
  state: State
  declineCode: string
  /** The form's time is over. */
  isLapsed: boolean
  /** It has been past for longer than is worth asking. */
  isHopeless: boolean
}

export interface Step {
  to: State
  decline?: { code: string; class: DeclineClass }
}

/** What an answer makes of a charge; undefined when it changes nothing. */
export function stepOf({ state, declineCode, isLapsed, isHopeless }: Situation, answer: Answer | Silence | Mismatch): Step | undefined {
  const move = (to: State): Step | undefined => (to === state ? undefined : { to })
  if (state === 'paid') return undefined
  switch (answer.is) {
    case 'paid':
      return { to: 'paid' }
    case 'mismatch':
      return move('needsPerson')
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

const minute = 60_000
const day = 24 * 60 * minute
/** When a silent acquirer is asked again: after 1, 5 and 30 minutes, 2 hours, then daily, for so long. */
const pauses = [minute, 5 * minute, 30 * minute, 120 * minute]
export const pauseAfter = (asks: number): number => pauses[asks] ?? day
export const hopelessAfter = 7 * day

/** When the acquirer is to be asked next, in milliseconds of the clock; never when nothing more can come. */
export function nextAsk(now: number, lapsesAt: number, state: State, asks: number): number | null {
  const lapse = lapsesAt + 2 * minute
  if (state === 'begun' || state === 'declined') return lapse > now ? lapse : now + pauseAfter(asks)
  // Somebody may have pressed in the last moment: once at its end, and once an hour after.
  if (state === 'lapsed' && asks < 2) return lapse > now ? lapse : now + 60 * minute
  return null
}
