import type { Ctx } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { verifiedEmail } from './verify.ts'

/**
 * Operators of the installation are named in SUPPORT_OPERATORS by the verified address of their account: the rights of
 * a business end at its walls. In development everybody is one ('*').
 */
export async function isOperator(ctx: Ctx): Promise<boolean> {
  const { operators } = ctx.app.settings.support
  // A program with a key acts for a person inside one business, and never beyond it.
  if (ctx.caller.apiKey) return false
  if (operators.includes('*')) return true
  if (!operators.length) return false
  const email = await asSystem(ctx.app.db, (tx) => verifiedEmail(tx, ctx.caller.userId))
  return email !== undefined && operators.includes(email)
}
