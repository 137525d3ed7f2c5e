import { dayInJerusalem } from '#domain/day.ts'
import { store, type Store } from './session/storage.ts'

/** What the address may say when the application starts (specification, section 9). */
export interface Start {
  lang?: string
  catid?: string
  cpaid?: string
  /** 1 Android, 2 iOS: the application inside a native shell. */
  platform?: string
  /**
   * The person, as JSON of name, business, email and phone: a page of the makers' or the native shell knows them
   * already.
   */
  contactdata?: string
  aff?: string
  googletoken?: string
  cpa?: string
}

const names = ['lang', 'catid', 'cpaid', 'platform', 'contactdata', 'aff', 'googletoken', 'cpa'] as const

/** Reads the start parameters of a query; names without regard to case, empty ones as if absent. */
export function readStart(search: string): Start {
  const given = new Map(
    [...new URLSearchParams(search)].map(([name, value]) => [name.toLowerCase(), value.trim()]),
  )
  return Object.fromEntries(
    names.flatMap((name) => (given.get(name) ? [[name, given.get(name)!.slice(0, 4000)]] : [])),
  )
}

interface Contact {
  name: string
  business: string
  email: string
  phone: string
}

/** What the address says of who is coming; what cannot be read, or is no text, is empty. */
export function contactOf({ contactdata }: Start): Contact {
  let said: Record<string, unknown> = {}
  try {
    const read: unknown = JSON.parse(contactdata ?? '{}')
    if (typeof read === 'object' && read !== null) said = read as Record<string, unknown>
  } catch {
    // Truncated, or written by hand: the person enters it.
  }
  const text = (name: keyof Contact) =>
    typeof said[name] === 'string' ? said[name].trim().slice(0, 120) : ''
  return { name: text('name'), business: text('business'), email: text('email'), phone: text('phone') }
}

const today = (): string => dayInJerusalem(new Date())
const firstTouchDays = 30

/** Who sent the person here first, within thirty days; who came by no link before came by this one. */
export function affiliateKept(of: Start = start, from: Store = store): string | undefined {
  const [code, day] = [from.get('affuid'), from.get('affday')]
  const isFresh = code && (!day || Date.parse(today()) - Date.parse(day) <= firstTouchDays * 86_400_000)
  return isFresh ? code : of.aff
}

/**
 * Whether this browser opened the link for the first time today: a link is counted once a day, and nothing is
 * kept but its code and the day.
 */
export function firstViewToday(aff: string, to: Store = store): boolean {
  const mark = `${today()} ${aff}`
  if (to.get('affseen') === mark) return false
  to.set('affseen', mark)
  return true
}

/** Keeps what outlives this visit: who sent the person here, and the native shell. */
export function keepStart(start: Start, to: Store = store): void {
  if (start.cpa) to.set('cpa', start.cpa)
  if (start.aff && !affiliateKept({}, to)) {
    to.set('affuid', start.aff)
    to.set('affday', today())
  }
  if (start.platform === '1' || start.platform === '2') to.set('platform', start.platform)
}

/** Read once, when the page opens: later addresses inside the application do not start it again. */
export const start: Start = readStart(typeof location === 'undefined' ? '' : location.search)

/**
 * A query without the Google token: it is as good as a password, and an address is kept in histories and
 * carried from page to page.
 */
export function withoutGoogleToken(search: string): string {
  const kept = [...new URLSearchParams(search)].filter(([name]) => name.toLowerCase() !== 'googletoken')
  return kept.length ? `?${new URLSearchParams(kept)}` : ''
}

/**
 * Waits so long before a Google token is sent (the native shell hands it over before its cookies are in
 * place).
 */
export const googleTokenWaitMs = 2000

/** Inside the native application, now or at an earlier start. */
export const inNativeShell = (of: Start = start, from: Store = store): boolean =>
  ['1', '2'].includes(of.platform ?? from.get('platform') ?? '')
