import { createPublicKey, verify } from 'node:crypto'
import { Failure, fail } from '#kit/describe/errors.ts'
import type { Settings } from '#kit/server/settings.ts'
import type { Google, GoogleKey } from './googleDoor.ts'
import { simulatedGoogle } from './googleSimulator.ts'

const keysAddress = 'https://www.googleapis.com/oauth2/v3/certs'
let kept: { at: number; list: GoogleKey[] } | undefined

async function realKeys(): Promise<GoogleKey[]> {
  if (!kept || Date.now() - kept.at > 3_600_000) {
    const answer = await fetch(keysAddress, { redirect: 'error', signal: AbortSignal.timeout(10_000) })
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`)
    kept = { at: Date.now(), list: ((await answer.json()) as { keys: GoogleKey[] }).keys }
  }
  return kept.list
}

/** The one the settings name; undefined where log-in with Google is not set up. */
export function googleOf({ google, dataDir }: Settings): Google | undefined {
  if (!google) return undefined
  if (google.mode === 'simulator') return simulatedGoogle(google.clientId, dataDir)
  return {
    clientId: google.clientId,
    address: 'https://accounts.google.com/o/oauth2/v2/auth',
    keys: realKeys,
  }
}

/**
 * Checks a Google identity token (OpenID Connect: signature, issuer, audience, time, a mail address Google
 * has proved) and says who it is. Refuses with session.googleRefused; session.googleAway when Google's keys
 * cannot be had.
 */
export async function googleSubject(
  { clientId, keys }: Google,
  token: string,
  now: Date,
): Promise<{ subject: string; email: string }> {
  const list = await keys().catch(() => {
    throw new Failure('session.googleAway', {}, [], 30)
  })
  try {
    const [head = '', body = '', signature = ''] = token.split('.')
    const read = (part: string) =>
      JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
    const { kid, alg } = read(head)
    const key = list.find((one) => one.kid === kid)
    if (!key || alg !== 'RS256') throw new Error('unknown key')
    const signed = Buffer.from(`${head}.${body}`)
    if (
      !verify(
        'RSA-SHA256',
        signed,
        createPublicKey({ key, format: 'jwk' }),
        Buffer.from(signature, 'base64url'),
      )
    )
      throw new Error('bad signature')
    const claims = read(body)
    if (!['accounts.google.com', 'https://accounts.google.com'].includes(String(claims.iss)))
      throw new Error('bad issuer')
    if (claims.aud !== clientId || !(Number(claims.exp) * 1000 > now.getTime())) throw new Error('not for us')
    if (claims.email_verified !== true || !claims.sub || !claims.email) throw new Error('nobody')
    return { subject: String(claims.sub), email: String(claims.email).toLowerCase() }
  } catch {
    throw fail('session.googleRefused')
  }
}
