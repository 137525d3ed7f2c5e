import { useParams, useRouterState } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'

/*
 * Where one is. Screens use this instead of the router itself, so that a query is always plain texts: a
 * number in an address (a document's key, a phone) never turns into a figure and loses its zeros.
 */

export type Query = Record<string, string>

/** '?a=1&b=x' -> { a: '1', b: 'x' }. */
export const readQuery = (search: string): Query => Object.fromEntries(new URLSearchParams(search))

/** { a: '1' } -> '?a=1'; undefined and empty values are left out. */
export function writeQuery(query: Record<string, unknown>): string {
  const kept = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  const text = new URLSearchParams(kept.map(([name, value]) => [name, String(value)])).toString()
  return text && `?${text}`
}

type Go = (href: string, options?: { replace?: boolean }) => void

let goNow: Go = () => undefined

/** Tells `go` the way; the router does, once. */
export const setGo = (next: Go): void => void (goNow = next)

/**
 * Goes to a path of the application, with its query: `go('/invoice/documents/8?view=late')`. Also outside
 * React.
 */
export const go: Go = (href, options) => goNow(href, options)

/** The address a person wanted to open before the log-in, which follows it. */
export const wanted: { href: string | undefined } = { href: undefined }

export interface Place {
  /** The path in the address. */
  path: string
  /** The `$parts` of the screen's path. */
  params: Record<string, string>
  query: Query
  /**
   * Changes some words of the query and keeps the rest; undefined takes one out. Replaces the address unless
   * `push`.
   */
  setQuery: (change: Record<string, string | undefined>, options?: { push?: boolean }) => void
  go: Go
}

interface RouterState {
  location: { pathname: string; searchStr: string }
  matches: readonly { pathname: string; search: object; staticData: { screen?: unknown } }[]
}

/**
 * The place of what is shown. The address changes before its screen is there: until then the screen before it
 * keeps its own place, or it would ask for and draw once more, without its filters, what is about to go.
 */
function shownPlace({ location, matches }: RouterState): { path: string; search: string } {
  const shown = matches.at(-1)
  return shown?.staticData.screen && shown.pathname !== location.pathname
    ? { path: shown.pathname, search: writeQuery(shown.search as Query) }
    : { path: location.pathname, search: location.searchStr }
}

/** The place of the current screen. */
export function usePlace(): Place {
  const params = useParams({ strict: false }) as Record<string, string>
  const path = useRouterState({ select: (state) => shownPlace(state).path })
  const searchText = useRouterState({ select: (state) => shownPlace(state).search })
  const query = useMemo(() => readQuery(searchText), [searchText])
  const setQuery = useCallback<Place['setQuery']>((change, options) => {
    const next = { ...readQuery(location.search), ...change }
    go(location.pathname + writeQuery(next), { replace: !options?.push })
  }, [])
  return { path, params, query, setQuery, go }
}
