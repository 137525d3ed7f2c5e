import { call } from '#kit/web/calls/call.ts'
import { fetchPart } from '#kit/web/calls/fetchPart.ts'
import { listenToSession, mayDo, session } from '#kit/web/session/session.ts'
import { onSession } from '#kit/web/shell/registry.ts'
import { setWaiting } from '#kit/web/shell/waiting.ts'
import { afterFirstScreen } from '#kit/web/hooks/useWhenIdle.ts'
import { countApprovals } from '../endpoints.ts'

const waitMs = 5000
let timer: ReturnType<typeof setTimeout> | undefined
let stop: (() => void) | undefined

/** Asks how much waits for the person who may decide, and tells the menu. */
export async function countWaiting(): Promise<void> {
  timer = undefined
  const now = session()
  if (!now || !mayDo(now, 'approvals.decide')) return setWaiting('approvals', 0)
  const { waiting } = await call(countApprovals, {}).catch(() => ({ waiting: undefined }))
  if (waiting !== undefined) setWaiting('approvals', waiting)
}

/** The first count waits for the first screen; from then on whatever happens may ask for an approval. */
export function watchWaiting(): void {
  onSession(() => {
    void afterFirstScreen().then(async () => {
      await countWaiting()
      const now = session()
      if (!now || !mayDo(now, 'approvals.decide')) return
      const { onNews } = await fetchPart(() => import('#kit/web/calls/live.ts'))
      stop ??= onNews(() => (timer ??= setTimeout(() => void countWaiting(), waitMs)))
    })
  })
  listenToSession(() => {
    if (session()) return
    stop?.()
    stop = undefined
    setWaiting('approvals', 0)
  })
}
