import { newId, type Ctx } from '#kit/server/context.ts'
import { sql } from 'kysely'
import { encrypt, newToken } from '#kit/server/rights/vault.ts'

/** Connects the test terminal of a demo business, with up to so many instalments of any sum. */
export async function connectTest(ctx: Ctx, most: number): Promise<void> {
  await sql`insert into terminals (company_id, id, gateway, state, settings_sealed, notice_key, instalments,
      proved_at, answered_at)
    values (${ctx.companyId}, ${newId()}, 'test', 'proved',
      ${encrypt(ctx.app.secrets.vault, Buffer.from(JSON.stringify({ secret: newToken() })))},
      ${newToken()}, ${JSON.stringify([{ fromAgorot: 0, most }])}, ${ctx.now}, ${ctx.now})
    on conflict (company_id) where gateway = 'test' do nothing`.execute(ctx.tx)
}
