import { useSyncExternalStore } from 'react'
import { useEnteredLaw } from '#domain/law/dated.ts'
import { can, type Session } from '#kit/describe/session.ts'
import { store } from './storage.ts'

/*
 * Who is logged in. Kept under the key `user`; the UserKey is the token of every call. One truth for all
 * tabs: what one tab stores or clears, the others hear.
 */

let now: Session | undefined = read()
useEnteredLaw(now?.law ?? [])
let modules: ReadonlySet<string> | undefined
/**
 * The type of the last user: the log-in to offer. It outlives the session and the page, and says nothing of the
 * person.
 */
let lastTypeId = now?.TypeID ?? keptType()
const listeners = new Set<() => void>()

function read(): Session | undefined {
  try {
    const kept = JSON.parse(store.get('user') ?? 'null') as Partial<Session> | null
    if (!kept || typeof kept.UserKey !== 'string' || kept.UserKey === '') return undefined
    return {
      TypeID: 4,
      subTypeID: 0,
      Name: '',
      FullName: '',
      IsActiveButton: true,
      HideNavHeader: false,
      HideTotalPrices: false,
      ruleid: 0,
      dealerID: 0,
      ...kept,
      UserKey: kept.UserKey,
      rules: list(kept.rules),
      docsAllow: list(kept.docsAllow),
    }
  } catch {
    return undefined
  }
}

function keptType(): number | undefined {
  const kept = Number(store.get('userkind'))
  return Number.isInteger(kept) && kept > 0 ? kept : undefined
}

function keepType(type: number): void {
  lastTypeId = type
  store.set('userkind', String(type))
}

/** The lists were once kept as JSON inside JSON: both are read. */
function list(value: unknown): number[] {
  const given: unknown = typeof value === 'string' ? JSON.parse(value || '[]') : value
  return Array.isArray(given) ? given.map(Number).filter(Number.isFinite) : []
}

const tell = () => {
  for (const listener of listeners) listener()
}

/** The session now, outside React. */
export const session = (): Session | undefined => now

export function listenToSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Begins or refreshes a session, here and in the other tabs. */
export function setSession(next: Session): void {
  now = next
  useEnteredLaw(next.law ?? [])
  store.set('user', JSON.stringify(next))
  keepType(next.TypeID)
  tell()
}

/** Removes the person: the stored user, allowed documents, personal choices. */
export function clearSession(): void {
  if (now) keepType(now.TypeID)
  now = undefined
  modules = undefined
  store.drop('user')
  store.drop('userchosen')
  tell()
}

let elsewhere: Session | undefined
/** This very page is on its way to the other business. */
let leaves = false

/** The session another tab of this browser works with, while it is in another business than this page. */
export const useElsewhere = (): Session | undefined =>
  useSyncExternalStore(
    listenToSession,
    () => elsewhere,
    () => elsewhere,
  )

/** Forgets this page's business before it is loaded again for the one of the other tab. */
export function adoptElsewhere(): void {
  if (elsewhere) now = elsewhere
  elsewhere = undefined
}

/**
 * Stores a session for the next start of the page, and for the other tabs; this page stays what it is until
 * then.
 */
export function storeSession(next: Session): void {
  leaves = next.CompanyKey !== now?.CompanyKey
  store.set('user', JSON.stringify(next))
}

/** The person is back where this page is: it goes on as it was. */
export function clearElsewhere(): void {
  elsewhere = undefined
  tell()
}

/** The server told that the session is in another business: what is stored says in which. */
export function findElsewhere(): void {
  const next = read()
  if (leaves || !next || !now || next.CompanyKey === now.CompanyKey) return
  elsewhere = next
  tell()
}

/** The type of user who was logged in before, in this browser. */
export const lastType = (): number | undefined => lastTypeId

/** The session, or undefined for a guest. */
export const useSession = (): Session | undefined => useSyncExternalStore(listenToSession, session, session)

/**
 * `useCan()('documents.issue')`: whether the person may; false for a guest and for a rule nobody declared.
 */
export function useCan(): (rule: string | undefined) => boolean {
  const held = useSession()
  return (rule) => mayDo(held, rule)
}

/**
 * A rule that no loaded feature declares shuts rather than breaks the page; its own tests will say so louder.
 */
export function mayDo(held: Session | undefined, rule: string | undefined): boolean {
  try {
    return can(held, rule)
  } catch {
    return false
  }
}

/** The paid modules of the business, told by the feature that knows them. @public */
export function setModules(names: Iterable<string> | undefined): void {
  modules = names && new Set(names)
  tell()
}
export const paidModules = (): ReadonlySet<string> | undefined => modules
export const useModules = (): ReadonlySet<string> | undefined =>
  useSyncExternalStore(listenToSession, paidModules, paidModules)

if (typeof window !== 'undefined')
  window.addEventListener('storage', (event) => {
    if (event.key !== 'user' && event.key !== null) return
    const next = read()
    // The same person in another tab: rights may have changed, a page in use is left alone when not.
    if (JSON.stringify(next) === JSON.stringify(now)) return elsewhere && clearElsewhere()
    // In another business now: a page that has been opened for the one before must neither show nor write
    // what is the other's.
    if (next?.CompanyKey && now?.CompanyKey && next.CompanyKey !== now.CompanyKey) {
      elsewhere = next
      return tell()
    }
    elsewhere = undefined
    if (!next) lastTypeId = now?.TypeID ?? lastTypeId
    now = next
    tell()
  })
