import { createPublicKey, verify } from 'node:crypto'
import { fail } from '../../../kit/describe/errors.ts'

interface Jwk {
  kid: string
  kty: string
  n: string
  e: string
}

const keysAddress = 'https://www.googleapis.com/oauth2/v3/certs'
let keys: { at: number; list: Jwk[] } | undefined

async function googleKeys(): Promise<Jwk[]> {
  if (!keys || Date.now() - keys.at > 3_600_000) {
    const answer = await fetch(keysAddress, { redirect: 'error', signal: AbortSignal.timeout(10_000) })
    keys = { at: Date.now(), list: ((await answer.json()) as { keys: Jwk[] }).keys }
  }
  return keys.list
}

/** Checks a Google identity token (OpenID Connect: signature, issuer, audience, time) and says who it is. */
export async function googleSubject(
  clientId: string,
  token: string,
  now = Date.now(),
  keyList: () => Promise<Jwk[]> = googleKeys,
): Promise<{ subject: string; email: string }> {
  const [head, body, signature] = token.split('.')
  if (!head || !body || !signature) throw fail('session.wrongPassword')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
  try {
    const { kid, alg } = read(head)
    const key = (await keyList()).find((k) => k.kid === kid)
    if (!key || alg !== 'RS256') throw new Error('unknown key')
    if (
      !verify(
        'RSA-SHA256',
        Buffer.from(`${head}.${body}`),
        createPublicKey({ key: key as never, format: 'jwk' }),
        Buffer.from(signature, 'base64url'),
      )
    )
      throw new Error('bad signature')
    const claims = read(body)
    if (!['accounts.google.com', 'https://accounts.google.com'].includes(String(claims.iss))) throw new Error('bad issuer')
    if (claims.aud !== clientId || Number(claims.exp) * 1000 < now || claims.email_verified !== true) throw new Error('not for us')
    return { subject: String(claims.sub), email: String(claims.email).toLowerCase() }
  } catch {
    throw fail('session.wrongPassword')
  }
}
