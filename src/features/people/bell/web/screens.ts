import { createElement } from 'react'
import { call, queryClient } from '#kit/web/calls/call.ts'
import type { Screen } from '#kit/describe/screen.ts'
import { fetchPart } from '#kit/web/calls/fetchPart.ts'
import { show } from '#kit/web/parts/shown.ts'
import { listenToSession, session } from '#kit/web/session/session.ts'
import { setBell } from '#kit/web/shell/bell.ts'
import { onSession } from '#kit/web/shell/registry.ts'
import { afterFirstScreen } from '#kit/web/hooks/useWhenIdle.ts'
import { countNotifications, listNotifications } from '../endpoints.ts'
import '../rules.ts'

const fetchSheet = () => fetchPart(() => import('./BellSheet.tsx'))
setBell({
  open: () =>
    void fetchSheet().then(({ BellSheet }) => show((close) => createElement(BellSheet, { onClose: close }))),
})

const waitMs = 2500
let timer: ReturnType<typeof setTimeout> | undefined
let stop: (() => void) | undefined

async function count(): Promise<void> {
  timer = undefined
  if (!session()) return
  const { unread } = await call(countNotifications, {}).catch(() => ({ unread: undefined }))
  if (unread !== undefined) setBell({ unread })
  void queryClient.invalidateQueries({ queryKey: [listNotifications.name] })
}

// The first count waits for the first screen; from then on whatever happens may ring.
onSession(() => {
  void afterFirstScreen().then(async () => {
    await count()
    const { onNews } = await fetchPart(() => import('#kit/web/calls/live.ts'))
    stop ??= onNews(() => (timer ??= setTimeout(() => void count(), waitMs)))
  })
})
listenToSession(() => {
  if (session()) return
  stop?.()
  stop = undefined
  setBell({ unread: 0 })
})

export const screens: Screen[] = []
