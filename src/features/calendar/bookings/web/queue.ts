import { store } from '#kit/web/storage.ts'
import { call, isNetworkError } from '#kit/web/call.ts'
import { markBooking } from '../endpoints.ts'

interface Press {
  id: string
  state: 'came' | 'missed' | 'booked'
  at: string
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

/** Marks at once, or keeps the press until there is a network again; true when it was kept. */
export async function markOrKeep(press: Press, override = ''): Promise<boolean> {
  try {
    await call(markBooking, { ...press, override })
    return false
  } catch (e) {
    if (!isNetworkError(e)) throw e
    keep([...queued().filter(({ id }) => id !== press.id), press])
    return true
  }
}

/** Sends what was kept, in its order; a press the server refuses is told and not tried again. */
export async function sendQueue(refused: (e: unknown) => void): Promise<number> {
  let sent = 0
  for (const press of queued()) {
    try {
      await call(markBooking, { ...press, override: '' })
      sent++
    } catch (e) {
      if (isNetworkError(e)) return sent
      refused(e)
    }
    keep(queued().filter(({ id }) => id !== press.id))
  }
  return sent
}
