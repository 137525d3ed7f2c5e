import { sql } from 'kysely'
import { failAt } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { outsideUrl } from '#kit/server/outside/reach.ts'

export interface SignSettings {
  tsaUrl: string
  remindDays: number[]
  expireDays: number
}

export async function settingsOf(ctx: Ctx): Promise<SignSettings> {
  const { rows } = await sql<SignSettings>`select tsa_url as "tsaUrl", remind_days as "remindDays",
        expire_days as "expireDays" from sign_settings
    where company_id = ${ctx.companyId}`.execute(ctx.tx)
  return rows[0] ?? { tsaUrl: '', remindDays: [2, 5], expireDays: 30 }
}

export async function setSettings(ctx: Ctx, given: SignSettings): Promise<SignSettings> {
  const before = await settingsOf(ctx)
  let tsaUrl = ''
  if (given.tsaUrl) {
    // Most authorities are asked without encryption: their answer is signed.
    const found = outsideUrl(given.tsaUrl, { ...ctx.app.settings.webhooks, http: true })
    if ('why' in found) throw failAt('tsaUrl', 'signing.tsaAddress')
    tsaUrl = found.url
  }
  const remindDays = [...new Set(given.remindDays)].sort((a, b) => a - b)
  await sql`insert into sign_settings (company_id, tsa_url, remind_days, expire_days)
    values (${ctx.companyId}, ${tsaUrl}, ${remindDays}::int[], ${given.expireDays})
    on conflict (company_id) do update set tsa_url = excluded.tsa_url, remind_days = excluded.remind_days,
      expire_days = excluded.expire_days, updated_at = now()`.execute(ctx.tx)
  await ctx.audit('signing.settings', 'companies', ctx.companyId, before, {
    tsaUrl,
    remindDays,
    expireDays: given.expireDays,
  })
  return { tsaUrl, remindDays, expireDays: given.expireDays }
}
