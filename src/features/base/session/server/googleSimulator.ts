import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomUUID,
  sign,
  type KeyObject,
} from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Google } from './googleDoor.ts'

/*
 * A stand-in for Google's accounts, for development and tests, behind the same door: a page of this server
 * where one says who one is (web/GoogleStandIn.tsx), and a token signed as Google signs it. It believes
 * everybody, so the settings allow it on this machine alone.
 */

const kid = 'stand-in'
const known = new Map<string, KeyObject>()

/** One key for all processes over a folder; the first that needs it makes it. */
function keyIn(dataDir: string): KeyObject {
  const held = known.get(dataDir)
  if (held) return held
  const file = join(dataDir, 'google-stand-in.pem')
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const aside = `${file}.${randomUUID()}`
    writeFileSync(aside, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' })
    try {
      linkSync(aside, file)
    } catch (e) {
      // A second process was quicker: its file counts.
      if ((e as NodeJS.ErrnoException).code !== 'EEXIST') throw e
    } finally {
      rmSync(aside)
    }
  }
  const key = createPrivateKey(readFileSync(file))
  known.set(dataDir, key)
  return key
}

export const simulatedGoogle = (clientId: string, dataDir: string): Google => ({
  clientId,
  address: '/google-stand-in',
  keys: async () => [{ ...createPublicKey(keyIn(dataDir)).export({ format: 'jwk' }), kid }],
})

/**
 * An identity token as Google makes one: good for an hour, the subject always the same for one address.
 * `claims` differ in tests.
 */
export function simulatedToken(
  dataDir: string,
  of: { clientId: string; email: string; nonce?: string | undefined; now: Date },
  claims: Record<string, unknown> = {},
): string {
  const at = Math.floor(of.now.getTime() / 1000)
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const email = of.email.toLowerCase()
  const signed = `${part({ alg: 'RS256', kid, typ: 'JWT' })}.${part({
    iss: 'https://accounts.google.com',
    aud: of.clientId,
    sub: BigInt(`0x${createHash('sha256').update(email).digest('hex').slice(0, 17)}`).toString(),
    email,
    email_verified: true,
    name: email.split('@')[0],
    ...(of.nonce === undefined ? {} : { nonce: of.nonce }),
    iat: at,
    exp: at + 3600,
    ...claims,
  })}`
  return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), keyIn(dataDir)).toString('base64url')}`
}
