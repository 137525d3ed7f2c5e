import { store } from '#kit/web/session/storage.ts'
import { call, isNetworkError } from '#kit/web/calls/call.ts'
import { markBooking, scanBooking, type BookingView } from '../endpoints.ts'

export interface Press {
  id: string
  state: 'came' | 'missed' | 'booked'
  at: string
  /** Whose it is, so that a refusal that comes later says of whom. */
  name: string
  /** Of a code that was read: the server sees whether it was the one of that moment. */
  code?: string
}

const key = 'deskQueue'

/** Presses that were made without a network; the last one of each booking counts. */
export const queued = (): Press[] => {
  try {
    const kept: unknown = JSON.parse(store.get(key) ?? '[]')
    return Array.isArray(kept) ? (kept as Press[]) : []
  } catch {
    return []
  }
}

const keep = (presses: readonly Press[]) => store.set(key, JSON.stringify(presses))

const send = ({ id, state, at, code }: Press, override: string) =>
  code ? call(scanBooking, { text: code, at, override }) : call(markBooking, { id, state, at, override })

/**
 * Marks at once, or keeps the press until there is a network again, and answers nothing then. What was kept
 * of that booking before is over.
 */
export async function markOrKeep(of: Omit<Press, 'at'>, override = ''): Promise<BookingView | undefined> {
  const press: Press = { ...of, at: new Date().toISOString() }
  const others = () => queued().filter(({ id }) => id !== press.id)
  // Where the browser knows that there is no network nobody at the desk waits for two more tries.
  if (!navigator.onLine && !override) {
    keep([...others(), press])
    return undefined
  }
  try {
    const made = await send(press, override)
    keep(others())
    return made
  } catch (e) {
    // With a reason the server decides whether the person may.
    if (!isNetworkError(e) || override) throw e
    keep([...others(), press])
    return undefined
  }
}

let sending: Promise<number> | undefined

/**
 * Sends what was kept, in its order; a press the server refuses is reported and not retried. One round at a time.
 */
export const sendQueue = (refused: (e: unknown, of: Press) => void): Promise<number> =>
  (sending ??= round(refused).finally(() => (sending = undefined)))

async function round(refused: (e: unknown, of: Press) => void): Promise<number> {
  let sent = 0
  for (const press of queued()) {
    try {
      await send(press, '')
      sent++
    } catch (e) {
      if (isNetworkError(e)) return sent
      refused(e, press)
    }
    // What was pressed meanwhile stays.
    keep(queued().filter(({ id, at }) => id !== press.id || at !== press.at))
  }
  return sent
}
