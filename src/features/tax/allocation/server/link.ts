import { sql } from 'kysely'
import type { Ctx } from '#kit/server/context.ts'
import type { Connection } from '../endpoints.ts'
import { authorityLink } from './authorityLink.ts'
import { authorityOf } from './door.ts'

/** The business at the tax authority's service of allocation numbers. */
export const {
  linkOf,
  authority,
  beginLogin,
  endLogin,
  accessToken,
  endConnection,
  withToken,
  withTokenOrFail,
  renewNow,
  needConnection,
  isAway,
  isBack,
  stateOf,
} = authorityLink({
  service: 'invoices',
  feature: 'allocation',
  path: '/israeltax',
  doorOf: authorityOf,
  onConnected: ['allocation.askWaiting', 'allocation.report'],
})

export async function connectionOf(ctx: Ctx): Promise<Connection> {
  const { rows } = await sql<{ waiting: number; left: number; used: number; toReport: number }>`select
    (select count(*)::int from documents where company_id = ${ctx.companyId}
    and allocation_state in ('waiting', 'away')) as waiting,
    count(*) filter (where used_at is null)::int as left, count(used_at)::int as used,
    count(*) filter (where used_at is not null and reported_at is null)::int as "toReport"
    from emergency_numbers where company_id = ${ctx.companyId}`.execute(ctx.tx)
  const { waiting, ...stock } = rows[0]!
  return { ...(await stateOf(ctx)), waiting, stock }
}
