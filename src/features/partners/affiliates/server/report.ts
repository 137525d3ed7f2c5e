import { sql } from 'kysely'
import type { ReportRow } from '#kit/describe/report.ts'
import { day, money, number, text } from '#kit/fields/field.ts'
import { asCaller, systemCaller, type Ctx } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { operatorOf } from './operator.ts'

/**
 * Month by month and link by link: who opened it, who signed up, who paid for the first time, and what that earned
 * or lost. The operator sees everybody's, an affiliate only one's own.
 */
export const affiliateReport = defineReport({
  name: 'affiliate',
  feature: 'affiliates',
  group: 'own',
  path: '/invoice/reportaffiliate',
  allow: 'affiliates.see',
  filters: { from: day(), to: day() },
  columns: {
    month: text(),
    affiliate: { ...text(), whenFilled: true },
    link: text(),
    views: number(),
    signUps: number(),
    paying: number(),
    baseAgorot: money(),
    commissionAgorot: { ...money(), main: true },
  },
  totals: ['views', 'signUps', 'paying', 'baseAgorot', 'commissionAgorot'],
  groupBy: 'month',
  rows: async (ctx, { from, to }) => {
    const operatorId = operatorOf(ctx.app)
    if (!operatorId) return []
    const isOperator = ctx.companyId === operatorId
    const rows = isOperator
      ? await monthsOf(ctx, null, from, to)
      : await asCaller(ctx.app, systemCaller(operatorId), '', (theirs) =>
          monthsOf(theirs, ctx.companyId, from, to),
        )
    if (!isOperator) return rows.map(({ affiliateId: _, ...row }) => ({ ...row, affiliate: null }))
    const names = await asSystem(ctx.app.db, async (tx) => {
      const { rows: found } = await sql<{
        id: string
        name: string
      }>`select c.id, c.name from companies c join affiliates a on a.affiliate_id = c.id
        where a.company_id = ${operatorId}`.execute(tx)
      return new Map(found.map(({ id, name }) => [id, name]))
    })
    return rows.map(({ affiliateId, ...row }) => ({
      ...row,
      affiliate: names.get(String(affiliateId)) ?? '',
    }))
  },
})

async function monthsOf(
  ctx: Ctx,
  only: string | null,
  from: string | undefined,
  to: string | undefined,
): Promise<ReportRow[]> {
  const within = (of: ReturnType<typeof sql>) =>
    sql`(${from ?? null}::date is null or ${of} >= ${from ?? null})
        and (${to ?? null}::date is null or ${of} <= ${to ?? null})`
  const { rows } = await sql<ReportRow>`with told as (
      select v.link_id, v.day, v.count as views, 0 as sign_ups, 0 as paying, 0::bigint as base,
        0::bigint as amount from affiliate_views v
        where v.company_id = ${ctx.companyId} and ${within(sql`v.day`)}
      union all select s.link_id, s.signed_up_day, 0, 1, 0, 0, 0 from affiliate_signups s
      where s.company_id = ${ctx.companyId} and ${within(sql`s.signed_up_day`)}
      union all select s.link_id, f.day, 0, 0, 1, 0, 0 from affiliate_signups s
      join lateral (select min(k.day) as day from affiliate_commissions k
          where k.company_id = s.company_id and k.client_id = s.client_id and k.no = 0) f on f.day is not null
        where s.company_id = ${ctx.companyId} and ${within(sql`f.day`)}
      union all select s.link_id, k.day, 0, 0, 0, k.base_agorot, k.amount_agorot from affiliate_commissions k
          join affiliate_signups s on s.company_id = k.company_id and s.client_id = k.client_id
        where k.company_id = ${ctx.companyId} and ${within(sql`k.day`)})
    select to_char(t.day, 'YYYY-MM') as month, l.affiliate_id as "affiliateId", l.name as link,
      sum(t.views)::int as views, sum(t.sign_ups)::int as "signUps", sum(t.paying)::int as paying,
      sum(t.base)::bigint as "baseAgorot", sum(t.amount)::bigint as "commissionAgorot"
    from told t join affiliate_links l on l.company_id = ${ctx.companyId} and l.id = t.link_id
    where ${only}::uuid is null or l.affiliate_id = ${only}
    group by 1, l.affiliate_id, l.company_id, l.id, l.name order by 1 desc, l.affiliate_id, l.name,
      l.id`.execute(ctx.tx)
  return rows
}
