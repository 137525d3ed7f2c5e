import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { seesEverything } from '#kit/describe/session.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { mailAfterCommit } from '#kit/server/outside/mail.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { membersWithoutFactor, provePassword } from '#features/base/session/server/index.ts'

/** Whether the business requires a second factor, and how many of its people have none yet. */
export async function factorRule(ctx: Ctx) {
  const { rows } = await sql<{ since: string | null }>`select factor_required_at as since from companies
    where id = ${ctx.companyId}`.execute(ctx.tx)
  const since = rows[0]!.since
  const people = await membersWithoutFactor(ctx.app, ctx.companyId)
  return { required: since !== null, since, without: people.length }
}

/**
 * Requires a second factor of everybody who works in the business, or no longer. Holds at once: people without one can only
 * open their own account until they set it up. Only an owner may, who has one, and by the password; people without one are
 * notified.
 */
export async function setFactorRule(
  ctx: Ctx,
  { required, password }: { required: boolean; password: string },
) {
  if (ctx.caller.typeId !== 4 || !seesEverything(ctx.caller)) throw fail('team.ownersOnly')
  const { hasFactor } = await provePassword(ctx, password)
  if (required && !hasFactor) throw fail('team.factorFirst')
  const { rows } = await sql`update companies set factor_required_at = ${required ? sql`now()` : null},
      updated_at = now()
    where id = ${ctx.companyId} and (factor_required_at is not null) <> ${required} returning 1`.execute(
    ctx.tx,
  )
  if (rows.length) {
    await ctx.audit('team.factorRule', 'companies', ctx.companyId, { required: !required }, { required })
    if (required)
      for (const { id } of await membersWithoutFactor(ctx.app, ctx.companyId))
        await ctx.later('team.factorMail', { userId: id })
  }
  return factorRule(ctx)
}

/** Notifies a person who still has no second factor of what the business requires. */
export const mailFactorRule: Job = async (ctx, { userId }) => {
  const company = await companyOf(ctx)
  const person = (await membersWithoutFactor(ctx.app, ctx.companyId)).find(({ id }) => id === userId)
  if (!person) return
  const { email, language } = person
  mailAfterCommit(ctx, {
    to: email,
    subject: say(language, 'team.factor.subject', { business: company.name }),
    text: say(language, 'team.factor.text', {
      business: company.name,
      link: `${siteOf(ctx.app)}/invoice/account`,
    }),
    fromName: company.name,
  })
}
