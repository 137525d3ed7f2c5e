import { sql } from 'kysely'
import { registerLeaves, type Leaving } from '#kit/server/rights/leaves.ts'

registerLeaves({
  kind: 'reportPlans',
  tables: ['report_plans', 'report_plan_people'],
  list: async (ctx) => {
    const { rows } = await sql<Leaving>`select p.id, p.title as name,
        coalesce((select string_agg(coalesce(u.full_name, a.name), ', ' order by r.id)
          from report_plan_people r left join users u on u.id = r.user_id
            left join accountants a on a.company_id = r.company_id and a.id = r.accountant_id
          where r.company_id = p.company_id and r.plan_id = p.id and r.is_on), '') as to,
        p.created_by as "userId", null as "byKey", p.created_at as since,
        (select max(g.at) from report_plan_log g where g.company_id = p.company_id and g.plan_id = p.id)
          as "lastAt", p.is_on as "isOn", '/invoice/reportplans' as href
      from report_plans p where p.company_id = ${ctx.companyId} and p.archived_at is null
      order by p.created_at, p.id`.execute(ctx.tx)
    return rows
  },
  end: async (ctx, id) => {
    const { rows } = await sql<{ title: string }>`update report_plans set archived_at = now(), is_on = false,
        plan = plan + 1, next_at = null where company_id = ${ctx.companyId} and id = ${id}
        and archived_at is null returning title`.execute(ctx.tx)
    if (rows[0]) await ctx.audit('reportPlans.drop', 'report_plans', id, undefined, { title: rows[0].title })
  },
})
