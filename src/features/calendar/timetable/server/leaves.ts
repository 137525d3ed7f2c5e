import { sql } from 'kysely'
import { registerLeaves, type Leaving } from '#kit/server/rights/leaves.ts'

registerLeaves({
  kind: 'classFeeds',
  tables: ['class_feeds'],
  // The address of a customer shows that customer's own bookings; it ends on the customer's page.
  list: async (ctx) => {
    const { rows } = await sql<Leaving>`select f.id, coalesce(t.name, p.name, '') as name, '' as to,
        f.created_by as "userId", null as "byKey", f.created_at as since, null as "lastAt", true as "isOn",
        '/invoice/calander' as href
      from class_feeds f left join class_trainers t on t.company_id = f.company_id and t.id = f.trainer_id
        left join class_places p on p.company_id = f.company_id and p.id = f.place_id
      where f.company_id = ${ctx.companyId} and f.customer_id is null
      order by f.created_at, f.id`.execute(ctx.tx)
    return rows
  },
  end: async (ctx, id) => {
    await sql`delete from class_feeds where company_id = ${ctx.companyId} and id = ${id}
      and customer_id is null`.execute(ctx.tx)
    await ctx.audit('classes.endFeed', 'classes', null)
  },
})
