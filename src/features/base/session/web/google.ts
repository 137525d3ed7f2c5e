import type { OutputOf } from '#kit/describe/endpoint.ts'
import { call } from '#kit/web/calls/call.ts'
import { wanted } from '#kit/web/routes/place.ts'
import { logInGoogle } from '../endpoints.ts'

/*
 * "Continue with Google" without a foreign script on the page: the browser goes to Google and comes back with
 * an identity token behind '#', which never reaches a server but the one it is posted to. The nonce ties the
 * answer to this browser.
 */

const place = 'googleLogIn'

interface Asked {
  nonce: string
  /** What the address carried, and where the person wanted to go: Google returns to one address alone. */
  search: string
  wanted?: string | undefined
  /** During a sign-up: the fields entered so far, without a password. */
  signUp?: Record<string, unknown> | undefined
}

/**
 * Leaves for Google; it returns to /login of this host, the address that is entered with Google, with what
 * this address carries, or with `search` where the way in carries more. `signUp`: what was written on the way
 * to a new account.
 */
export function goToGoogle(
  { clientId, address }: { clientId: string; address: string },
  { search = location.search, signUp }: { search?: string; signUp?: Record<string, unknown> } = {},
): void {
  const nonce = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
  sessionStorage.setItem(
    place,
    JSON.stringify({ nonce, search, wanted: wanted.href, signUp } satisfies Asked),
  )
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: `${location.origin}/login`,
    response_type: 'id_token',
    scope: 'openid email profile',
    nonce,
    prompt: 'select_account',
  })
  location.href = `${address}?${query}`
}

/** What was asked of Google. */
const askedNow = () => JSON.parse(sessionStorage.getItem(place) ?? 'null') as Asked | null

type GoogleAnswer = ({ token: string } | { refused: string }) & Pick<Asked, 'signUp'>

/**
 * What Google sent back: a token, or the word that says why there is none. Undefined when nobody comes from
 * Google. It changes nothing, so a page may read it while rendering.
 */
export function readGoogleAnswer(): GoogleAnswer | undefined {
  const answer = new URLSearchParams(location.hash.slice(1))
  const token = answer.get('id_token')
  const error = answer.get('error')
  if (!token && !error) return undefined
  const asked = askedNow()
  const signUp = asked?.signUp
  if (!token)
    return {
      refused: error === 'access_denied' ? 'session.google.cancelled' : 'errors.session.googleRefused',
      signUp,
    }
  return asked && claimsOf(token).nonce === asked.nonce
    ? { token, signUp }
    : { refused: 'session.google.strange' }
}

/** The same, once. */
export function takeGoogleAnswer(): GoogleAnswer | undefined {
  const answer = readGoogleAnswer()
  if (!answer) return undefined
  const asked = askedNow()
  sessionStorage.removeItem(place)
  // Out of the address at once: a token is as good as a password, and addresses are kept in histories.
  history.replaceState(history.state, '', location.pathname + (asked?.search ?? location.search))
  if (asked?.wanted) wanted.href = asked.wanted
  return answer
}

/** A sign-up with Google: its token, or the code of why there is none; and the fields entered so far. */
export type GoogleSignUp = ({ token: string; email: string; name: string } | { refused: string }) &
  Pick<Asked, 'signUp'>

/** Between the page Google returns to and the sign-up; in memory only, a token is as good as a password. */
let signingUp: GoogleSignUp | undefined

/** Keeps a token that nobody here is known by, or a refusal, for the sign-up page. */
export function keepGoogleSignUp(
  of: { token: string } | { refused: string },
  signUp?: Record<string, unknown>,
): void {
  if ('refused' in of) signingUp = { ...of, signUp }
  else {
    const { email, name } = claimsOf(of.token)
    signingUp = { token: of.token, email: textOf(email), name: textOf(name), signUp }
  }
}

export function takeGoogleSignUp(): GoogleSignUp | undefined {
  const kept = signingUp
  signingUp = undefined
  return kept
}

/** What a log-in with Google answered, once it is in or asks for the second factor. */
export type GoogleIn = Exclude<OutputOf<typeof logInGoogle>, { joinNeeded: true }>

/**
 * What waits for a press after Google: an account that may be connected with it, or one that was entered after what was
 * set up in it before had ended. In memory only, like the token.
 */
export type GoogleLater = { token: string; email: string } | { entered: GoogleIn }
let waiting: GoogleLater | undefined

export const keepGoogleStep = (step: GoogleLater): void => void (waiting = step)

export function takeGoogleStep(): GoogleLater | undefined {
  const kept = waiting
  waiting = undefined
  return kept
}

/** Logs in by a token of Google: the answer to enter with, or the step that comes first. */
export async function enterWithGoogle(token: string): Promise<{ entered: GoogleIn } | { step: GoogleLater }> {
  const answer = await call(logInGoogle, { token })
  if ('joinNeeded' in answer) return { step: { token, email: answer.email } }
  return answer.cleared ? { step: { entered: answer } } : { entered: answer }
}

const textOf = (claim: unknown) => (typeof claim === 'string' ? claim.trim().slice(0, 120) : '')

/** What a token says; the server alone looks whether it is true. */
function claimsOf(token: string): { nonce?: unknown; email?: unknown; name?: unknown } {
  try {
    const body = token.split('.')[1] ?? ''
    const bytes = Uint8Array.from(atob(body.replaceAll('-', '+').replaceAll('_', '/')), (sign) =>
      sign.charCodeAt(0),
    )
    return JSON.parse(new TextDecoder().decode(bytes)) as object
  } catch {
    return {}
  }
}
