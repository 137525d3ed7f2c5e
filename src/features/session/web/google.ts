/*
 * "Continue with Google" without a foreign script on the page: the browser goes to Google and comes back with an identity token behind
 * '#', which never reaches a server but the one it is posted to. The nonce ties the answer to this browser.
 */

const place = 'googleNonce'

/** Leaves for Google; it returns to this same log-in page. */
export function goToGoogle(clientId: string): void {
  const nonce = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
  sessionStorage.setItem(place, nonce)
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: location.origin + location.pathname,
    response_type: 'id_token',
    scope: 'openid email profile',
    nonce,
    prompt: 'select_account',
  })
  location.href = `https://accounts.google.com/o/oauth2/v2/auth?${query}`
}

/** The token Google sent back, once; undefined when there is none or it answers another browser's question. */
export function takeGoogleToken(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get('id_token')
  if (!token) return undefined
  history.replaceState(history.state, '', location.pathname + location.search)
  const asked = sessionStorage.getItem(place)
  sessionStorage.removeItem(place)
  return asked && nonceOf(token) === asked ? token : undefined
}

function nonceOf(token: string): unknown {
  try {
    const body = token.split('.')[1] ?? ''
    return (JSON.parse(atob(body.replaceAll('-', '+').replaceAll('_', '/'))) as { nonce?: unknown }).nonce
  } catch {
    return undefined
  }
}
