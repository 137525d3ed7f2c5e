import { sql } from 'kysely'
import { generateSecret, generateURI, verifySync } from 'otplib'
import { fail, failAt } from '#kit/describe/errors.ts'
import type { App } from '#kit/server/context.ts'
import type { Tx } from '#kit/server/data/db.ts'
import { registerSealed } from '#kit/server/rights/reseal.ts'
import { encrypt, decrypt } from '#kit/server/rights/vault.ts'
import { takeCode } from './recovery.ts'

registerSealed('users', 'totp_secret')
registerSealed('users', 'totp_pending')

const stepSeconds = 30

/**
 * Which time step a code belongs to, allowing one step of a clock that is off; undefined when it is wrong or
 * was used before.
 */
export function acceptedStep(secret: string, code: string, lastStep: number, now: Date): number | undefined {
  const token = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const epoch = Math.floor(now.getTime() / 1000)
  const result = verifySync({ secret, token, epoch, epochTolerance: stepSeconds })
  if (!result.valid) return undefined
  const step = Math.floor(epoch / stepSeconds) + result.delta
  return step > lastStep ? step : undefined
}

export async function startSecret(
  app: App,
  tx: Tx,
  userId: string,
  email: string,
): Promise<{ secret: string; uri: string }> {
  const secret = generateSecret()
  await sql`update users set totp_pending = ${encrypt(app.secrets.vault, Buffer.from(secret))}
    where id = ${userId}`.execute(tx)
  return { secret, uri: generateURI({ issuer: 'Pinkas', label: email, secret }) }
}

/** Checks a code of the phone against the stored (or pending) secret, or a recovery code, and uses it up. */
export async function useCode(
  app: App,
  tx: Tx,
  userId: string,
  code: string,
  now: Date,
  which: 'totp_secret' | 'totp_pending' = 'totp_secret',
): Promise<void> {
  const { rows } = await sql<{
    sealed: Buffer | null
    step: number
  }>`select ${sql.ref(which)} as sealed, totp_step as step from users where id = ${userId} for
    update`.execute(tx)
  const sealed = rows[0]?.sealed
  if (!sealed) throw fail('session.noFactor')
  // A code from paper opens in place of the phone, once, and never proves a new phone.
  if (which === 'totp_secret' && (await takeCode(tx, userId, code, now))) return
  const step = acceptedStep(
    decrypt(app.secrets.vault, sealed).toString(),
    code,
    which === 'totp_secret' ? rows[0]!.step : 0,
    now,
  )
  if (step === undefined) throw failAt('code', 'session.wrongCode')
  await sql`update users set totp_step = ${step} where id = ${userId}`.execute(tx)
}
