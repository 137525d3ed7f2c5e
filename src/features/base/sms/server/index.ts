import { sql } from 'kysely'
import { israeliMobile } from '#domain/phone.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { implement } from '#kit/server/contract/implement.ts'
import { encrypt } from '#kit/server/rights/vault.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { smsDoor } from './door.ts'

export { deliverSms, smsDoor } from './door.ts'

async function accountOf(ctx: Ctx): Promise<calls.SmsAccount> {
  const { rows } = await sql<{ username: string; sender: string }>`select username, sender from sms_accounts
    where company_id = ${ctx.companyId}`.execute(ctx.tx)
  return { isSet: !!rows[0], username: rows[0]?.username ?? '', sender: rows[0]?.sender ?? '' }
}

export const implementations = [
  implement(calls.getSms, accountOf),
  implement(calls.setSms, async (ctx, { username, sender, key }) => {
    const before = await accountOf(ctx)
    if (!key && !before.isSet) throw failField('key', 'sms.needKey')
    if (key) {
      const sealed = encrypt(ctx.app.secrets.vault, Buffer.from(key))
      await sql`insert into sms_accounts (company_id, provider, username, sender, key_sealed)
        values (${ctx.companyId}, '019', ${username}, ${sender}, ${sealed}) on conflict (company_id)
        do update set username = excluded.username, sender = excluded.sender,
        key_sealed = excluded.key_sealed, updated_at = now()`.execute(ctx.tx)
    } else
      await sql`update sms_accounts set username = ${username}, sender = ${sender}, updated_at = now()
        where company_id = ${ctx.companyId}`.execute(ctx.tx)
    await ctx.audit('sms.set', 'companies', ctx.companyId, before, { username, sender, newKey: !!key })
    return accountOf(ctx)
  }),
  implement(calls.dropSms, async (ctx) => {
    const before = await accountOf(ctx)
    await sql`delete from sms_accounts where company_id = ${ctx.companyId}`.execute(ctx.tx)
    if (before.isSet) await ctx.audit('sms.drop', 'companies', ctx.companyId, before)
    return accountOf(ctx)
  }),
  implement(calls.testSms, async (ctx, { to }) => {
    const mobile = israeliMobile(to)
    if (!mobile) throw failField('to', 'sms.notMobile')
    const { name } = await companyOf(ctx)
    try {
      return {
        state: await (
          await smsDoor(ctx)
        ).send(mobile, say(ctx.caller.language, 'sms.testText', { business: name })),
      }
    } catch (e) {
      throw fail('sms.refused', { why: (e as Error).message.slice(0, 300) })
    }
  }),
]
