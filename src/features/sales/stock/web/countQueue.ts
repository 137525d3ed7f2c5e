import { get, update } from 'idb-keyval'
import { useCallback, useEffect, useState } from 'react'
import { call, isNetworkError } from '#kit/web/calls/call.ts'
import { countEntries, type Count } from '../counts.ts'

export interface Press {
  clientId: string
  itemId: string
  placeId: string
  batchId: string
  quantity: string
  round: 1 | 2
  serial?: string
  countedAt: string
}

const queueOf = (id: string) => `stock-count ${id}`
const sheetOf = (id: string) => `stock-count-sheet ${id}`
const most = 200

/** The sheet as it was last seen, for when there is no network. */
export const keptSheet = (id: string): Promise<Count | undefined> => get<Count>(sheetOf(id))
export const keepSheet = (id: string, sheet: Count): Promise<void> => update(sheetOf(id), () => sheet)

/** What comes of sending, as it comes. */
interface Outcome {
  waiting: (presses: readonly Press[]) => void
  isOnline: (isOnline: boolean) => void
  refused: (why: unknown) => void
  told: () => void
}

/** Sends what waits, a batch at a time. */
async function sendQueue(id: string, tell: Outcome): Promise<void> {
  for (;;) {
    const kept = (await get<Press[]>(queueOf(id))) ?? []
    tell.waiting(kept)
    if (!kept.length) return
    const batch = kept.slice(0, most)
    try {
      await call(countEntries, { id, entries: batch })
    } catch (e) {
      // Without a network it waits; what is refused is said and waits as well.
      if (isNetworkError(e)) tell.isOnline(false)
      else tell.refused(e)
      return
    }
    tell.isOnline(true)
    tell.refused(undefined)
    const gone = new Set(batch.map(({ clientId }) => clientId))
    await update<Press[]>(queueOf(id), (now = []) => now.filter(({ clientId }) => !gone.has(clientId)))
    tell.waiting((await get<Press[]>(queueOf(id))) ?? [])
    tell.told()
    if (kept.length <= most) return
  }
}

/**
 * What was counted on this phone and not told yet. It is kept here first and sent after, under the names it
 * was given, so that a press is neither lost nor counted twice, whenever the network comes and goes.
 */
export function useQueue(
  id: string,
  onTold: () => void,
): { waiting: readonly Press[]; isOnline: boolean; refused: unknown; press: (one: Press) => Promise<void> } {
  const [waiting, setWaiting] = useState<readonly Press[]>([])
  const [isOnline, setOnline] = useState(navigator.onLine)
  const [refused, setRefused] = useState<unknown>()
  const send = useCallback(
    () => sendQueue(id, { waiting: setWaiting, isOnline: setOnline, refused: setRefused, told: onTold }),
    [id, onTold],
  )
  useEffect(() => {
    void send()
    const again = () => void send()
    const off = () => setOnline(false)
    addEventListener('online', again)
    addEventListener('offline', off)
    const timer = setInterval(again, 15_000)
    return () => {
      removeEventListener('online', again)
      removeEventListener('offline', off)
      clearInterval(timer)
    }
  }, [send])
  const press = useCallback(
    async (one: Press) => {
      await update<Press[]>(queueOf(id), (kept = []) => [...kept, one])
      setWaiting((before) => [...before, one])
      await send()
    },
    [id, send],
  )
  return { waiting, isOnline, refused, press }
}
