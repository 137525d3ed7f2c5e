import { createHash, randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '#kit/server/data/db.ts'
import { mayBeRecoveryCode, plainRecoveryCode, recoveryCodeLength } from '../recoveryCodes.ts'

/** How many are given at once; each opens one log-in. */
const howMany = 10
/** Without what is taken for something else on paper: 0 and O, 1, I and L. */
const signs = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'

const hashOf = (userId: string, code: string): Buffer =>
  createHash('sha256')
    .update(`recovery:${userId}:${plainRecoveryCode(code)}`)
    .digest()

/** Ten new codes, shown this once; those from before open nothing any more. */
export async function giveCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: howMany }, () =>
    Array.from({ length: recoveryCodeLength }, () => signs[randomInt(signs.length)])
      .join('')
      .replace(/(.{4})(?=.)/g, '$1-'),
  )
  await dropCodes(tx, userId)
  for (const code of codes)
    await sql`insert into recovery_codes (user_id, code_hash)
      values (${userId}, ${hashOf(userId, code)})`.execute(tx)
  return codes
}

export const dropCodes = async (tx: Tx, userId: string): Promise<void> =>
  void (await sql`delete from recovery_codes where user_id = ${userId}`.execute(tx))

/** Whether it is an unused code of the person; then it is used from now on. */
export async function takeCode(tx: Tx, userId: string, code: string, now: Date): Promise<boolean> {
  if (!mayBeRecoveryCode(code)) return false
  const { rows } = await sql`update recovery_codes set used_at = ${now.toISOString()}
    where user_id = ${userId} and code_hash = ${hashOf(userId, code)} and used_at is null
    returning 1`.execute(tx)
  return rows.length > 0
}

export async function codesLeft(tx: Tx, userId: string): Promise<number> {
  const { rows } = await sql<{ left: number }>`select count(*)::int as left from recovery_codes
    where user_id = ${userId} and used_at is null`.execute(tx)
  return rows[0]!.left
}
