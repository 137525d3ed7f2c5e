import { sql } from 'kysely'
import { handOrderOver } from '#kit/server/rights/authority.ts'
import { registerLeaves, type Leaving } from '#kit/server/rights/leaves.ts'
import { say } from '#kit/server/words.ts'
import { shopKind } from './engine/rows.ts'
import { dropShop } from './keep.ts'

registerLeaves({
  kind: 'shops',
  tables: ['shops'],
  list: async (ctx) => {
    const { rows } = await sql<Leaving>`select id, name,
        coalesce(nullif(outside_id, ''), 'shops.kinds.' || kind) as to,
        created_by as "userId", null as "byKey", created_at as since, heard_at as "lastAt",
        state = 'on' as "isOn", '/invoice/shops' as href
      from shops where company_id = ${ctx.companyId} and archived_at is null
      order by created_at, id`.execute(ctx.tx)
    // One without an address is identified by its kind.
    const { language } = ctx.caller
    return rows.map((row) => ({
      ...row,
      to: row.to.startsWith('shops.kinds.') ? say(language, row.to) : row.to,
    }))
  },
  end: dropShop,
  // Orders go on coming in when the person who connected the shop leaves.
  handOver: async (ctx, id, to) => {
    await sql`update shops set created_by = ${to}, updated_at = now()
      where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
    await handOrderOver(ctx, shopKind, id, to)
    await ctx.audit('shops.handOver', 'shops', id, undefined, { to })
  },
})
