import type { Session } from '#kit/describe/session.ts'
import { queryClient } from '../calls/call.ts'
import { loginPath } from './guard.ts'
import { go, wanted } from '../routes/place.ts'
import { clearSession, lastType, session } from './session.ts'
import { clearFitting } from '../shell/registry.ts'
import type { FetchBrand } from '../words/wording.ts'
import type { Language } from '../words/words.tsx'

/** What the frame needs of the feature that knows about sessions; the kit itself knows no feature. */
export interface Account {
  brand: FetchBrand
  logOut: (key: string) => Promise<unknown>
  countAffiliateView: (aff: string) => Promise<unknown>
  /** Sends a Google token; answers the session, or the token that waits for a second factor. */
  logInWithGoogle: (token: string) => Promise<{ session: Session } | { factorToken: string } | undefined>
  /** Keeps the waiting token and answers the path where the second factor is asked for. */
  askFactor: (token: string) => string
  /** Rights and names as the server knows them now, with the language of the account. */
  refresh: () => Promise<Omit<Session, 'UserKey'> & { language: string }>
  keepLanguage: (lang: Language) => Promise<unknown>
}

let account: Account

export const setAccount = (of: Account): void => void (account = of)
export const accountNow = (): Account => account

/** Ends the session at the server and here, and goes to the log-in page of the person's type. */
export function logOut(): void {
  const key = session()?.UserKey
  if (!key) return
  // Asked before the page forgets the key; a server that does not answer does not keep anyone in.
  void account.logOut(key).catch(() => undefined)
  leave()
  wanted.href = undefined
}

/**
 * Removes the person from this browser: the session, cached answers, the logo. The next log-in comes back to this
 * page.
 */
export function leave(): void {
  wanted.href = location.pathname + location.search
  clearSession()
  queryClient.clear()
  clearFitting()
  go(loginPath(lastType()), { replace: true })
}
