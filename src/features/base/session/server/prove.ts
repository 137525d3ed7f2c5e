import { sql } from 'kysely'
import { failAt } from '#kit/describe/errors.ts'
import type { OpenCtx } from '#kit/server/context.ts'
import { useCode } from './factor.ts'
import { countGuess } from './guesses.ts'
import { passwordFits } from './passwords.ts'

/** Tries in ten minutes at an account's password and at its second factor: from one source, and from all unknown ones. */
export const logInTries = { each: 20, all: 200 }
export const factorTries = { each: 10, all: 50 }

/**
 * Proves an account by its password, and by the code of its second factor where it has one; answers the
 * person's id. Counts together with the tries of the log-in. Refuses with session.wrongPassword or
 * session.wrongCode.
 */
export async function proveAccount(
  ctx: OpenCtx,
  { email, password, code }: { email: string; password: string; code?: string | undefined },
): Promise<string> {
  const { rows } = await sql<{
    id: string
    password_hash: string | null
    totp_secret: Buffer | null
  }>`select id, password_hash, totp_secret from users where email = ${email} and blocked_at is null`.execute(
    ctx.tx,
  )
  const user = rows[0]
  await countGuess(ctx, 'login', email, { userId: user?.id, ...logInTries })
  if (!(await passwordFits(user?.password_hash, password))) throw failAt('password', 'session.wrongPassword')
  if (user!.totp_secret) {
    if (!code) throw failAt('code', 'session.wrongCode')
    await countGuess(ctx, 'factor', user!.id, { userId: user!.id, ...factorTries })
    await useCode(ctx.app, ctx.tx, user!.id, code, ctx.now)
  }
  return user!.id
}
