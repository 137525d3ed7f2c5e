import { sql } from 'kysely'
import { isForDrafts } from '#kit/describe/endpoint.ts'
import { registerOrders } from '#kit/server/rights/authority.ts'
import type { Ctx } from '#kit/server/context.ts'
import { contract } from '#kit/server/openapi/contract.ts'

/** What a key did in so many days before the upgrade counts as its use. */
const usedWithinDays = 400

/**
 * Keys held to drafts that used a call which is closed to them now, by the log: an action has the name of its call.
 * Keys that were revoked or have expired, or whose maker has left, no longer work and are left out.
 */
async function heldFrom(ctx: Ctx, ids: readonly string[]): Promise<string[]> {
  const closed = contract()
    .endpoints.filter((endpoint) => !isForDrafts(endpoint))
    .map(({ name }) => name)
  const { rows } = await sql<{ id: string }>`select k.id from api_keys k
    join memberships m on m.company_id = k.company_id and m.user_id = k.created_by
    where k.company_id = ${ctx.companyId} and k.id = any (${ids}::uuid[]) and k.drafts_only
      and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${ctx.now})
      and m.removed_at is null and m.blocked_at is null
      and exists (select 1 from audit_log l where l.company_id = k.company_id
        and l.user_id = k.created_by and l.at > ${ctx.now}::timestamptz -
        make_interval(days => ${usedWithinDays})
        and starts_with(l.address, k.prefix || '…') and l.action = any (${closed}::text[]))`.execute(ctx.tx)
  return rows.map(({ id }) => id)
}

/** Kind of the questions about keys. */
export const keyKind = 'apiKeys'

registerOrders(keyKind, {
  rule: 'apiKeys',
  entity: 'apiKeys',
  describe: async (ctx, ids) => {
    const { rows } = await sql<{ id: string; name: string }>`select id, name from api_keys
      where company_id = ${ctx.companyId} and id = any (${ids}::uuid[])`.execute(ctx.tx)
    return rows.map(({ id, name }) => ({ id, title: name, href: '/invoice/apikeys' }))
  },
  next: async (ctx, ids) =>
    (await heldFrom(ctx, ids)).map((id) => ({ id, does: [{ effect: 'issue' as const, agorot: 0 }] })),
  // The key may do again what the person who made it may.
  goOn: async (ctx, id) => {
    const { numAffectedRows } = await sql`update api_keys set drafts_only = false, updated_at = now()
      where company_id = ${ctx.companyId} and id = ${id} and revoked_at is null and drafts_only`.execute(
      ctx.tx,
    )
    if (numAffectedRows)
      await ctx.audit('apiKeys.change', 'apiKeys', id, { draftsOnly: true }, { draftsOnly: false })
  },
})
