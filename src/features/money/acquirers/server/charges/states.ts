import type { DeclineClass } from '../../acquirers.ts'
import type { Answer } from '../door.ts'

/*
 * The life of a charge, as a table:
 *
 *   begun → (page) declined → … → paid | held | saved | lapsed
 *   begun → asked → paid | held | declined | unknown → … | needsPerson
 *   held → asked (capture) → paid, or held again; held → released | lapsed
 *
 * Only `paid` issues paper. Giving back is kept on its own rows.
 */
export const storedStates = ['begun', 'asked', 'unknown', 'needsPerson', 'held', 'paid', 'saved', 'declined', 'released', 'lapsed'] as const
export type State = (typeof storedStates)[number]

/** Nothing was heard, or what was heard is not about what was asked. */
export interface Silence {
  is: 'silence'
  /** It never left us: nothing can have happened. */
  wasSent: boolean
}

export interface Situation {
  state: State
  means: 'page' | 'card'
  kind: 'pay' | 'hold' | 'save'
  /** The form's time is over. */
  isLapsed: boolean
  /** So long ago that a call which is still on its way cannot be it. */
  isSettled: boolean
  /** It has been unknown for longer than is worth asking. */
  isHopeless: boolean
  wasHeld: boolean
  /** Somebody asked that the hold be let go. */
  isReleasing: boolean
}

export interface Decline {
  code: string
  class: DeclineClass
}
export interface Step {
  to: State
  decline?: Decline
}

/** States from which nothing more is expected. */
const ended: ReadonlySet<State> = new Set(['paid', 'saved', 'released'])

const neverArrived: Decline = { code: 'neverArrived', class: 'technical' }

/** What an answer makes of a charge; undefined when it changes nothing. */
export function stepOf(at: Situation, answer: Answer | Silence): Step | undefined {
  const { state, means } = at
  if (ended.has(state)) return undefined
  const isAsked = state === 'asked' || state === 'unknown' || state === 'needsPerson'
  const move = (to: State, decline?: Decline): Step | undefined =>
    to === state && !decline ? undefined : { to, ...(decline ? { decline } : {}) }
  switch (answer.is) {
    case 'paid':
      return move('paid')
    case 'held':
      return move('held')
    case 'saved':
      return at.kind === 'save' ? move('saved') : undefined
    case 'declined': {
      if (state === 'held' || state === 'lapsed') return undefined
      const decline = { code: answer.code, class: answer.class }
      // A capture that was refused leaves the hold as it was.
      if (isAsked && at.wasHeld) return { to: 'held', decline }
      return { to: 'declined', decline }
    }
    case 'open':
      return state === 'asked' && means === 'card' ? move('unknown') : undefined
    case 'closed':
      if (at.wasHeld) return move(at.isReleasing ? 'released' : 'lapsed')
      if (means === 'page') return move('lapsed')
      return isAsked && at.isSettled ? move('declined', neverArrived) : undefined
    case 'none':
      if (means === 'page') return at.isLapsed ? move('lapsed') : undefined
      if (!isAsked) return undefined
      if (!at.isSettled) return state === 'asked' ? move('unknown') : undefined
      return at.wasHeld ? move('held', neverArrived) : move('declined', neverArrived)
    case 'silence':
      if (means === 'page' && !isAsked) return at.isHopeless ? move('needsPerson') : undefined
      if (!isAsked) return undefined
      if (!answer.wasSent && state === 'asked')
        return at.wasHeld ? move('held', { code: 'away', class: 'technical' }) : move('declined', { code: 'away', class: 'technical' })
      if (at.isHopeless) return move('needsPerson')
      return state === 'asked' ? move('unknown') : undefined
  }
}

const minute = 60_000
const day = 24 * 60 * minute
/** When an unknown charge is asked about again: after 1, 5 and 30 minutes, 2 hours, then daily. */
const pauses = [minute, 5 * minute, 30 * minute, 120 * minute]
export const pauseAfter = (asks: number): number => pauses[asks] ?? day
/** For so long. */
export const hopelessAfter = 7 * day
/** A call that is on its way is dropped long before. */
export const settledAfter = 10 * minute
