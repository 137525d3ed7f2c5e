import { setTimeout as wait } from 'node:timers/promises'
import { inBackground } from '#kit/server/work/background.ts'
import type { App } from '#kit/server/context.ts'

/**
 * Waits a moment for a request to an acquirer, and no longer: other tenants' jobs wait behind this one, and a sender
 * repeats a notice that is not answered soon. What takes longer goes on, and the end of the process waits for it; a
 * failure is on its row, and the sweep asks again.
 */
export async function soon(app: App, work: Promise<unknown>, ms = 2000): Promise<void> {
  const heard = inBackground(work).catch((e: unknown) =>
    app.log.warn({ err: (e as Error).message }, 'asking an acquirer came to nothing'),
  )
  const clock = new AbortController()
  await Promise.race([
    heard,
    wait(ms, undefined, { ref: false, signal: clock.signal }).catch(() => undefined),
  ])
  clock.abort()
}
