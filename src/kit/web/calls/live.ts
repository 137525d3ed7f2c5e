import { useEffect, useRef } from 'react'
import { queryClient } from './call.ts'
import { listenToSession, session } from '../session/session.ts'

/** What happened, as the server tells it: the thing itself is asked for by its call. */
export interface News {
  name: string
  entity?: string
  entityId?: string | null
  by?: string | null
}

type Hear = (news: News) => void

const path = '/api4/invoice/live'
const hearers = new Set<Hear>()
const longestWaitMs = 30_000

/*
 * One connection for all tabs of a browser: the tab with the lock listens and passes events on. Without locks (a
 * page without TLS) each tab has a separate connection.
 */
const channel = typeof BroadcastChannel === 'function' ? new BroadcastChannel('pinkas-live') : undefined
let running: AbortController | undefined

const pass = (news: News, of: string | undefined) => {
  if (of !== session()?.CompanyKey) return
  if (news.name === 'live.reset') void queryClient.invalidateQueries()
  for (const hear of hearers) hear(news)
}

if (channel)
  channel.addEventListener('message', ({ data }: MessageEvent<{ news: News; of: string | undefined }>) =>
    pass(data.news, data.of),
  )

/** Reads one line until it breaks; answers the id of the last thing heard. */
async function listen(signal: AbortSignal, after: string | undefined): Promise<string | undefined> {
  const held = session()
  if (!held) return after
  const answer = await fetch(after ? `${path}?after=${after}` : path, {
    headers: { 'x-access-token': held.UserKey },
    signal,
    cache: 'no-store',
  })
  if (!answer.ok || !answer.body) throw new Error(String(answer.status))
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return after
    rest += value
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      const lines = rest.slice(0, end).split('\n')
      rest = rest.slice(end + 2)
      after = lines.find((line) => line.startsWith('id: '))?.slice(4) ?? after
      const data = lines.find((line) => line.startsWith('data: '))?.slice(6)
      if (!data) continue
      const news = JSON.parse(data) as News
      channel?.postMessage({ news, of: held.CompanyKey })
      pass(news, held.CompanyKey)
    }
  }
}

async function lead(signal: AbortSignal): Promise<void> {
  let after: string | undefined
  for (let tries = 0; !signal.aborted && session(); tries++) {
    const began = Date.now()
    after = await listen(signal, after).catch(() => after)
    // A line that stood for a while was a good one.
    if (Date.now() - began > 10_000) tries = 0
    if (!signal.aborted)
      await new Promise((next) =>
        setTimeout(
          next,
          Math.min(longestWaitMs, 1000 * 2 ** Math.min(tries, 5)) * (0.75 + Math.random() / 2),
        ),
      )
  }
}

function begin(): void {
  if (running || hearers.size === 0 || !session()) return
  const stop = new AbortController()
  running = stop
  const work = () => lead(stop.signal)
  const turn = navigator.locks
    ? navigator.locks.request('pinkas-live', { signal: stop.signal }, work)
    : work()
  void Promise.resolve(turn)
    .catch(() => undefined)
    .finally(() => {
      if (running === stop) running = undefined
    })
}
function end(): void {
  running?.abort()
  running = undefined
}

let heldKey = session()?.UserKey
listenToSession(() => {
  const key = session()?.UserKey
  if (key === heldKey) return
  heldKey = key
  end()
  begin()
})

/** Hears what happens in the business while it is wanted; answers how to stop. */
export function onNews(hear: Hear): () => void {
  hearers.add(hear)
  begin()
  return () => {
    hearers.delete(hear)
    if (hearers.size === 0) end()
  }
}

/**
 * Runs when things of these kinds were changed, a little later and with all of them at once:
 * `useNews(['tasks'], (ids) => …)`.
 */
export function useNews(
  entities: readonly string[],
  run: (ids: readonly string[], isAll: boolean) => void,
): void {
  const latest = useRef(run)
  useEffect(() => void (latest.current = run))
  const wanted = entities.join()
  useEffect(() => {
    const ids = new Set<string>()
    let isAll = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = onNews(({ name, entity, entityId }) => {
      if (name !== 'live.reset' && (entity === undefined || !wanted.split(',').includes(entity))) return
      if (entityId) ids.add(entityId)
      else isAll = true
      timer ??= setTimeout(() => {
        timer = undefined
        latest.current([...ids], isAll)
        ids.clear()
        isAll = false
      }, 60)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [wanted])
}
