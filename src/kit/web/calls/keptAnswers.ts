import type { Query, QueryClient } from '@tanstack/react-query'
import { clear, createStore, delMany, entries, get, set } from 'idb-keyval'
import { isNetworkError } from './caller.ts'

/*
 * What lists, records and the main page said last on this device, for a start without a network. An answer of
 * the server is never taken from here while the server answers, and nothing of it outlives the log-in.
 */

interface Kept {
  data: unknown
  /** Milliseconds since the epoch. */
  at: number
}

/** Longer answers, and more of them, are left to the network: what is kept is written on a phone. */
const mostLetters = 200_000
const mostAnswers = 150
const longestMs = 30 * 86_400_000

/** First pages of lists, single records, and what the main page needs. */
export const isWorthKeeping = ([name, more]: readonly unknown[]): boolean =>
  more === 'pages' || (typeof name === 'string' && (name.endsWith('.get') || name.startsWith('home.')))

/** Of a list that was read on, the first page alone; nothing of what is no plain data or too long. */
export function plainOf(data: unknown): unknown {
  const { pages, pageParams } = (data ?? {}) as { pages?: unknown[]; pageParams?: unknown[] }
  const first =
    Array.isArray(pages) && Array.isArray(pageParams)
      ? { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) }
      : data
  if (first instanceof Blob) return undefined
  const text = JSON.stringify(first)
  return text === undefined || text.length > mostLetters ? undefined : JSON.parse(text)
}

const store = createStore('pinkas-answers', 'answers')

/** A private window may have no store at all: then there is nothing to open without a network. */
const quietly = <T>(deed: Promise<T>): Promise<T | undefined> => deed.catch(() => undefined)

const idle = (work: () => void): void =>
  void ('requestIdleCallback' in globalThis
    ? requestIdleCallback(work, { timeout: 5000 })
    : setTimeout(work, 1000))

/**
 * Begins to keep answers, and to give them where the network does not.
 * @param whose a mark of the log-in, its business and its language; nothing while nobody is in
 * @returns forgets everything that is kept
 */
export function startKeeping(client: QueryClient, whose: () => string | undefined): () => Promise<void> {
  const waiting = new Map<string, Query>()
  let planned = false
  const keyOf = (query: Query) => {
    const mark = whose()
    return mark && isWorthKeeping(query.queryKey) ? `${mark}/${query.queryHash}` : undefined
  }

  const write = () => {
    planned = false
    for (const [key, { state }] of waiting) {
      // The person who left meanwhile leaves nothing.
      const data = key.startsWith(`${whose()}/`) && state.data !== undefined ? plainOf(state.data) : undefined
      if (data !== undefined) void quietly(set(key, { data, at: state.dataUpdatedAt } satisfies Kept, store))
    }
    waiting.clear()
  }
  const keep = (query: Query) => {
    const key = keyOf(query)
    if (!key) return
    waiting.set(key, query)
    if (!planned) idle(write)
    planned = true
  }
  const give = async (query: Query) => {
    const key = keyOf(query)
    if (!key || query.state.data !== undefined) return
    const kept = await quietly(get<Kept>(key, store))
    if (kept && query.state.data === undefined && keyOf(query) === key)
      client.setQueryData(query.queryKey, kept.data, { updatedAt: kept.at })
  }

  const cache = client.getQueryCache()
  cache.subscribe((event) => {
    if (event.type === 'added' && !navigator.onLine) void give(event.query)
    else if (event.type === 'updated' && event.action.type === 'success' && !event.action.manual)
      keep(event.query)
    else if (event.type === 'updated' && event.action.type === 'error' && isNetworkError(event.action.error))
      void give(event.query)
  })
  for (const query of cache.getAll()) {
    if (query.state.data !== undefined) keep(query)
    else if (!navigator.onLine || isNetworkError(query.state.error)) void give(query)
  }

  idle(() => {
    void quietly(
      entries<string, Kept>(store).then((all) => {
        const old = all
          .sort(([, one], [, other]) => other.at - one.at)
          .filter(([, { at }], i) => i >= mostAnswers || Date.now() - at > longestMs)
        return delMany(
          old.map(([key]) => key),
          store,
        )
      }),
    )
  })
  return async () => {
    waiting.clear()
    await quietly(clear(store))
  }
}
