import { sql } from 'kysely'
import { registerLeaves, type Leaving } from '#kit/server/rights/leaves.ts'

registerLeaves({
  kind: 'taskFeeds',
  tables: ['task_feeds'],
  list: async (ctx) => {
    const { rows } = await sql<Leaving>`select user_id as id, '' as name, '' as to, user_id as "userId",
        null as "byKey", created_at as since, null as "lastAt", true as "isOn", '/invoice/kanban' as href
      from task_feeds where company_id = ${ctx.companyId} order by created_at`.execute(ctx.tx)
    return rows
  },
  end: async (ctx, id) => {
    await sql`delete from task_feeds where company_id = ${ctx.companyId} and user_id = ${id}`.execute(ctx.tx)
    await ctx.audit('tasks.feedEnd', 'tasks', null)
  },
})
