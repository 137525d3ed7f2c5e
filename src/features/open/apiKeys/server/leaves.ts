import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { endApproval } from '#kit/server/rights/authority.ts'
import type { Ctx } from '#kit/server/context.ts'
import { registerLeaves, type Leaving } from '#kit/server/rights/leaves.ts'

/** Ends a key at once. */
export async function revoke(ctx: Ctx, id: string): Promise<void> {
  const { rows } = await sql<{
    name: string
  }>`update api_keys set revoked_at = coalesce(revoked_at, now()), updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id} returning name`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  await endApproval(ctx, 'apiKeys', id)
  await ctx.audit('apiKeys.revoke', 'apiKeys', id, { name: rows[0].name })
}

registerLeaves({
  kind: 'apiKeys',
  tables: ['api_keys'],
  list: async (ctx) => {
    const { rows } = await sql<Leaving>`select id, name, prefix || '…' as to, created_by as "userId",
        null as "byKey", created_at as since, used_at as "lastAt",
        expires_at is null or expires_at > now() as "isOn", '/invoice/apikeys' as href
      from api_keys where company_id = ${ctx.companyId} and revoked_at is null
      order by created_at, id`.execute(ctx.tx)
    return rows
  },
  end: revoke,
})
