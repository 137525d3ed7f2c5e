import {
  keepPreviousData,
  useInfiniteQuery,
  useQueries,
  type FetchInfiniteQueryOptions,
} from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import type { Fields } from '#kit/fields/field.ts'
import type { ListAnswer } from '#kit/describe/resource.ts'
import { call, keyOf, queryClient, type CallFailure } from '../calls/call.ts'
import { usePlace } from '../routes/place.ts'
import { dressComing } from './dress.ts'
import {
  callsOf,
  refreshResource,
  resourceNamed,
  titleOf,
  type AnyResource,
  type AnyRow,
} from './resources.ts'
import { readFilter, type Query } from './filters.ts'

type SetQuery = (change: Record<string, string | undefined>, options?: { push?: boolean }) => void

/** What the parts of a list work on: its records, and what is asked of them. */
export interface ListPartProps {
  resource: AnyResource
  query: Query
  setQuery: SetQuery
}

/** Where a list keeps its query: in the address when it is the page, in memory when it is inside another. */
export function useListQuery(embedded: boolean): [Query, SetQuery] {
  const place = usePlace()
  const [own, setOwn] = useState<Query>({})
  const change = useCallback<SetQuery>(
    (next) =>
      setOwn((old) =>
        Object.fromEntries(
          Object.entries({ ...old, ...next }).filter((pair): pair is [string, string] => Boolean(pair[1])),
        ),
      ),
    [],
  )
  return embedded ? [own, change] : [place.query, place.setQuery]
}

export interface Rows {
  rows: AnyRow[]
  /** Nothing has come yet. */
  loading: boolean
  failure: CallFailure | null
  retry: () => void
  hasMore: boolean
  more: () => void
  loadingMore: boolean
  /** Rows of another question stand there until the answer comes. */
  stale: boolean
}

/** The rows of a list by cursor: shown from what is kept, refreshed behind. */
export function useRows(resource: AnyResource, asked: Query, size: number): Rows {
  const { list } = callsOf(resource)
  const input = useMemo(() => ({ ...asked, size }), [asked, size])
  const options: FetchInfiniteQueryOptions<
    ListAnswer<AnyRow>,
    CallFailure,
    ListAnswer<AnyRow>,
    unknown[],
    string
  > = {
    queryKey: [list.name, 'pages', input],
    queryFn: ({ pageParam, signal }) =>
      call(list, pageParam ? { ...input, cursor: pageParam } : input, { signal }),
    initialPageParam: '',
  }
  // The component is about to wait for the dress; the rows are fetched meanwhile.
  if (dressComing(resource) && !queryClient.getQueryState(options.queryKey))
    void queryClient.prefetchInfiniteQuery(options)
  const pages = useInfiniteQuery<
    ListAnswer<AnyRow>,
    CallFailure,
    { pages: ListAnswer<AnyRow>[] },
    unknown[],
    string
  >({
    ...options,
    initialPageParam: '',
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })
  const rows = useMemo(() => pages.data?.pages.flatMap((page) => page.rows) ?? [], [pages.data])
  return {
    rows,
    loading: pages.isPending,
    failure: pages.data ? null : pages.error,
    retry: () => void pages.refetch(),
    hasMore: pages.hasNextPage,
    more: () => void pages.fetchNextPage(),
    loadingMore: pages.isFetchingNextPage,
    stale: pages.isPlaceholderData,
  }
}

/** Names of the records that set `ref` filters point to: the address holds only their ids. */
export function useRefNames(fields: Fields, query: Query): ReadonlyMap<string, string> {
  const wanted = Object.entries(fields).flatMap(([name, field]) => {
    const id = field.kind === 'ref' ? readFilter(name, field, query) : undefined
    const target = typeof id === 'string' ? resourceNamed(field.to) : undefined
    return target ? [{ target, id: id as string }] : []
  })
  const answers = useQueries({
    queries: wanted.map(({ target, id }) => ({
      queryKey: keyOf(callsOf(target).get, { id }),
      queryFn: () => call(callsOf(target).get, { id }),
      staleTime: 60_000,
    })),
  })
  return new Map(
    wanted.map(({ target, id }, i) => [id, answers[i]?.data ? titleOf(target, answers[i].data) : '…']),
  )
}

/**
 * Takes records out of every kept page of a list at once; the answer that follows puts things right either
 * way.
 */
function takeOut(resource: AnyResource, ids: ReadonlySet<string>): void {
  const queryKey = [callsOf(resource).list.name, 'pages']
  // An answer that is under way is of before; one that was never there is still waited for.
  void queryClient.cancelQueries({ queryKey, predicate: (query) => query.state.data !== undefined })
  queryClient.setQueriesData<{ pages: ListAnswer<AnyRow>[]; pageParams: unknown[] }>({ queryKey }, (old) =>
    old?.pages
      ? {
          ...old,
          pages: old.pages.map((page) => ({ ...page, rows: page.rows.filter((row) => !ids.has(row.id)) })),
        }
      : old,
  )
}

/**
 * Puts records away, or brings them back, a few at a time. What is refused is thrown after the rest is done.
 */
export async function moveRecords(
  resource: AnyResource,
  ids: readonly string[],
  to: 'archive' | 'restore',
): Promise<void> {
  const deed = callsOf(resource)[to]
  takeOut(resource, new Set(ids))
  const left = [...ids]
  const failures: unknown[] = []
  const work = async () => {
    for (let id = left.shift(); id !== undefined; id = left.shift())
      await call(deed, { id }).catch((e: unknown) => failures.push(e))
  }
  await Promise.all([work(), work(), work(), work()])
  await refreshResource(resource)
  if (failures.length > 0) throw failures[0]
}
