import { AuthorityAway, type Tokens } from './authority.ts'

/** Longer than the authority takes on a bad day, shorter than a job's lease. */
const patienceMs = 20_000
/** A person logs in again about every three months; the answer does not say when. */
const refreshLives = 90 * 86_400

export type Body = Record<string, unknown>

/** Sends to an authority; anything but an answer in JSON is a silence. Throws AuthorityAway. */
export async function send(url: string, init: RequestInit): Promise<{ status: number; body: Body }> {
  let answer: Response
  let text: string
  try {
    answer = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(patienceMs) })
    text = await answer.text()
  } catch (e) {
    throw new AuthorityAway((e as Error).message)
  }
  if (answer.status >= 500 || answer.status === 429 || answer.status === 408)
    throw new AuthorityAway(`HTTP ${answer.status}`)
  try {
    return { status: answer.status, body: JSON.parse(text || '{}') as Body }
  } catch {
    // A page in place of an answer: a proxy or a maintenance notice is in front of it.
    throw new AuthorityAway(`HTTP ${answer.status} without JSON`)
  }
}

/** A code or a refresh token becomes tokens (OAuth 2.0); throws `refused` when it does not. */
export async function tokensFor(
  url: string,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  form: Record<string, string>,
  refused: new (why: string) => Error,
): Promise<Tokens> {
  const { status, body } = await send(url, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: new URLSearchParams(form).toString(),
  })
  if (status !== 200 || typeof body.access_token !== 'string' || typeof body.refresh_token !== 'string')
    throw new refused(String(body.error ?? `HTTP ${status}`))
  return {
    access: body.access_token,
    refresh: body.refresh_token,
    accessLives: Number(body.expires_in) || 600,
    refreshLives: Number(body.refresh_token_expires_in ?? body.refresh_expires_in) || refreshLives,
  }
}
