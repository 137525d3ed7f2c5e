import { sql } from 'kysely'
import type { Tx } from '#kit/server/data/db.ts'
import { endAccess } from './changes.ts'

/**
 * Before the address of an account was proved, anybody could have opened it under that address. When its owner proves
 * it, everything set up until then ends: password, second factor, sessions, links and API keys. Answers whether
 * the address was unproved.
 */
export async function dropUnproved(tx: Tx, userId: string): Promise<boolean> {
  const { rows } = await sql`update users set password_hash = null, totp_secret = null, totp_pending = null,
      phone_verified_at = null
    where id = ${userId} and email_verified_at is null returning 1`.execute(tx)
  if (!rows.length) return false
  await sql`delete from recovery_codes where user_id = ${userId}`.execute(tx)
  await sql`delete from account_changes where user_id = ${userId}`.execute(tx)
  await endAccess(tx, userId, { alsoKeys: true })
  return true
}
