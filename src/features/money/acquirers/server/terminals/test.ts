import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { lockAway, newToken } from '#kit/server/vault.ts'
import { mayTest, testRow } from './terminals.ts'

/** How the business stands with the test acquirer. */
export async function testAccountOf(ctx: Ctx) {
  const row = await testRow(ctx)
  const may = await mayTest(ctx)
  return {
    mayTest: may,
    isOn: may && row?.state === 'proved',
    mostInstalments: Math.max(1, ...(row?.instalments ?? []).map(({ most }) => most)),
  }
}

export async function changeTestAccount(ctx: Ctx, given: { isOn?: boolean | undefined; mostInstalments?: number | undefined }) {
  if (given.isOn && !(await mayTest(ctx))) throw fail('paymentLinks.off')
  const before = await testAccountOf(ctx)
  const state = (given.isOn ?? before.isOn) ? 'proved' : 'off'
  const most = given.mostInstalments ?? before.mostInstalments
  const instalments = JSON.stringify(most > 1 ? [{ fromAgorot: 0, most }] : [])
  await sql`insert into terminals (company_id, id, gateway, state, settings_sealed, notice_key, instalments, proved_at)
    values (${ctx.companyId}, ${newId()}, 'test', ${state}, ${lockAway(ctx.app.secrets.vault, Buffer.from(JSON.stringify({ secret: newToken() })))},
      ${newToken()}, ${instalments}, ${ctx.now})
    on conflict (company_id) where gateway = 'test' do update set state = excluded.state, instalments = excluded.instalments, updated_at = now()`.execute(
    ctx.tx,
  )
  const after = await testAccountOf(ctx)
  await ctx.audit('paymentLinks.changeAcquirer', 'companies', ctx.companyId, before, after)
  return after
}
