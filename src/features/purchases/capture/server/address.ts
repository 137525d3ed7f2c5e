import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { can } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'

const letters = 'abcdefghijklmnopqrstuvwxyz234567'
/** 120 bits: nobody comes upon another business's address. */
const newToken = () => [...randomBytes(24)].map((byte) => letters[byte & 31]).join('')

export async function getMailAddress(ctx: Ctx) {
  const { rows } = await sql<{
    token: string
    active: boolean
  }>`select token, active from mail_addresses where company_id = ${ctx.companyId}`.execute(ctx.tx)
  const { mailIn } = ctx.app.settings
  return {
    address: rows[0] ? `${rows[0].token}@${mailIn.domain}` : null,
    active: rows[0]?.active ?? false,
    receiving: mailIn.port !== undefined,
    mayChange: can(ctx.caller, 'expenses.settings'),
  }
}

export async function changeMailAddress(
  ctx: Ctx,
  { active, renew }: { active: boolean; renew?: boolean | undefined },
) {
  const token = newToken()
  await sql`insert into mail_addresses (company_id, token, active)
    values (${ctx.companyId}, ${token}, ${active})
    on conflict (company_id) do update set active = excluded.active, token = case
      when ${renew ?? false} then excluded.token else mail_addresses.token end`.execute(ctx.tx)
  // The address itself stays out of the log: the person who has it can put papers in.
  await ctx.audit('papers.mailAddress', 'companies', ctx.companyId, undefined, {
    active,
    renew: renew ?? false,
  })
  return getMailAddress(ctx)
}
