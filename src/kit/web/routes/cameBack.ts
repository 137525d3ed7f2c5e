import { useEffect, useState } from 'react'
import { CallFailure } from '../calls/call.ts'
import { go, readQuery, usePlace, wanted, writeQuery, type Query } from './place.ts'
import { session } from '../session/session.ts'

/*
 * A person who went elsewhere to authorize a connection (an authority, a shop, a drive) returns with the answer in
 * the address. It is valid once and as sensitive as what it opens: it is removed from the address at once, and where
 * the session has ended meanwhile it waits in this tab, and nowhere else, until the log-in.
 */

const place = 'cameBack'
/** No consent takes longer: what is older was refused by the server too. */
const lifeMs = 20 * 60_000

interface Kept {
  path: string
  query: Query
  until: number
}

function kept(): Kept | undefined {
  try {
    const found = JSON.parse(sessionStorage.getItem(place) ?? 'null') as Kept | null
    if (found && found.until > Date.now()) return found
    sessionStorage.removeItem(place)
  } catch {
    // A tab that keeps nothing: the way there is begun again.
  }
  return undefined
}

function keep(path: string, query: Query): void {
  try {
    sessionStorage.setItem(place, JSON.stringify({ path, query, until: Date.now() + lifeMs } satisfies Kept))
  } catch {
    // The same.
  }
}

function drop(): void {
  try {
    sessionStorage.removeItem(place)
  } catch {
    // The same.
  }
}

/** Called once at the start: a return that was interrupted by a reload continues after the log-in. */
export function wantCameBack(): void {
  const found = session() ? undefined : kept()
  if (found) wanted.href = found.path
}

/** Goes to a log-in; afterwards the person returns to the present page. */
export function enterBy(path: string): void {
  wanted.href = location.pathname + location.search + location.hash
  go(path)
}

/** What the other side said; empty where nobody comes from there. */
export interface CameBack {
  said: Query
  /**
   * It was given to the server, and taken or refused; a server that found no session has not looked at it,
   * and it is kept.
   */
  given: (failure?: unknown) => void
  /** It is of no use any more: the way there is begun again. */
  forget: () => void
}

const only = (query: Query, fits: (name: string) => boolean): Query =>
  Object.fromEntries(Object.entries(query).filter(([name]) => fits(name)))

/**
 * For the page the other side sends people back to, which opens whether they are still logged in or not. `names`:
 * the query names that come from there, where the page has others; else all of them.
 */
export function useCameBack(names?: readonly string[]): CameBack {
  const { path, query } = usePlace()
  const here = writeQuery(only(query, (name) => !names || names.includes(name)))
  const rest = writeQuery(only(query, (name) => names !== undefined && !names.includes(name)))
  const [said, setSaid] = useState<Query>(() => {
    if (here !== '') return readQuery(here)
    const found = kept()
    return found?.path.toLowerCase() === path.toLowerCase() ? found.query : {}
  })
  const [seen, setSeen] = useState(here)
  if (here !== seen) {
    setSeen(here)
    if (here !== '') setSaid(readQuery(here))
  }
  useEffect(() => {
    if (here !== '') go(path + rest, { replace: true })
  }, [here, path, rest])
  const text = writeQuery(said)
  useEffect(() => {
    if (!session()) wanted.href = path
    const answer = readQuery(text)
    if (text !== '' && (!session() || answer.state)) keep(path, answer)
  }, [path, text])
  const given = (failure?: unknown) => {
    if (!(failure instanceof CallFailure && failure.status === 401)) drop()
  }
  const forget = () => {
    drop()
    setSaid({})
  }
  return { said, given, forget }
}
