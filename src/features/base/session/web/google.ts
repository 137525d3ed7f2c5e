import { wanted } from '#kit/web/place.ts'

/*
 * "Continue with Google" without a foreign script on the page: the browser goes to Google and comes back with an identity token behind
 * '#', which never reaches a server but the one it is posted to. The nonce ties the answer to this browser.
 */

const place = 'googleLogIn'

interface Asked {
  nonce: string
  /** What the address carried, and where the person wanted to go: Google returns to one address alone. */
  search: string
  wanted?: string | undefined
}

/** Leaves for Google; it returns to /login of this host, the address that is entered with Google. */
export function goToGoogle({ clientId, address }: { clientId: string; address: string }): void {
  const nonce = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
  sessionStorage.setItem(place, JSON.stringify({ nonce, search: location.search, wanted: wanted.href } satisfies Asked))
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

/** What Google sent back, once: a token, or the word that says why there is none. Undefined when nobody comes from Google. */
export function takeGoogleAnswer(): { token: string } | { refused: string } | undefined {
  const answer = new URLSearchParams(location.hash.slice(1))
  const token = answer.get('id_token')
  const error = answer.get('error')
  if (!token && !error) return undefined
  const asked = JSON.parse(sessionStorage.getItem(place) ?? 'null') as Asked | null
  sessionStorage.removeItem(place)
  // Out of the address at once: a token is as good as a password, and addresses are kept in histories.
  history.replaceState(history.state, '', location.pathname + (asked?.search ?? location.search))
  if (asked?.wanted) wanted.href = asked.wanted
  if (!token) return { refused: error === 'access_denied' ? 'session.google.cancelled' : 'errors.session.googleRefused' }
  return asked && nonceOf(token) === asked.nonce ? { token } : { refused: 'session.google.strange' }
}

function nonceOf(token: string): unknown {
  try {
    const body = token.split('.')[1] ?? ''
    return (JSON.parse(atob(body.replaceAll('-', '+').replaceAll('_', '/'))) as { nonce?: unknown }).nonce
  } catch {
    return undefined
  }
}
