import { sql, type RawBuilder } from 'kysely'
import { addDays } from '#domain/day.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { day, money, text } from '#kit/fields/field.ts'
import type { Ctx } from '#kit/server/context.ts'
import { defineReport } from '#kit/server/reports.ts'
import { onlyAllowed } from '../list.ts'

/**
 * Open debts of customers by how late they are, today or on a day that has passed, from the open items: what is open now, and what has been
 * closed since that day put back. Money and credits that wait for a debt stand by themselves.
 */
export const ageing = defineReport({
  name: 'ageing',
  feature: 'documents',
  group: 'people',
  path: '/invoice/reportgiol',
  allow: 'reports.debts',
  respects: ['ownCustomers', 'documentTypes'],
  filters: { day: day() },
  columns: {
    customer: text(),
    notDueAgorot: money(),
    d30Agorot: money(),
    d60Agorot: money(),
    d90Agorot: money(),
    moreAgorot: money(),
    unappliedAgorot: money(),
    openAgorot: money(),
  },
  totals: ['notDueAgorot', 'd30Agorot', 'd60Agorot', 'd90Agorot', 'moreAgorot', 'unappliedAgorot', 'openAgorot'],
  rows: async (ctx, { day: asked }) => {
    const today = asked && asked < ctx.today ? asked : ctx.today
    const late = (from: number, to?: number) =>
      sql`d.open > 0 and d.due_day < ${addDays(today, -from)}${to === undefined ? sql`` : sql` and d.due_day >= ${addDays(today, -to)}`}`
    const { rows } = await sql<ReportRow>`
      with d as (${openOn(ctx, today)})
      select p.name as customer, coalesce(sum(d.open) filter (where d.open > 0 and (d.due_day >= ${today} or d.due_day is null)), 0)::bigint as "notDueAgorot",
        coalesce(sum(d.open) filter (where ${late(0, 30)}), 0)::bigint as "d30Agorot",
        coalesce(sum(d.open) filter (where ${late(30, 60)}), 0)::bigint as "d60Agorot",
        coalesce(sum(d.open) filter (where ${late(60, 90)}), 0)::bigint as "d90Agorot",
        coalesce(sum(d.open) filter (where ${late(90)}), 0)::bigint as "moreAgorot",
        coalesce(sum(d.open) filter (where d.open < 0), 0)::bigint as "unappliedAgorot", sum(d.open)::bigint as "openAgorot",
        '/invoice/reportcustomercard?party=' || p.id as open
      from d join parties i on i.company_id = ${ctx.companyId} and i.id = d.customer_id
        join parties p on p.company_id = i.company_id and p.id = coalesce(i.merged_into, i.id)
      where d.open <> 0 group by p.id, p.name order by sum(d.open) desc, p.name`.execute(ctx.tx)
    return rows
  },
  must: {
    agesSum: (t) => t.notDueAgorot! + t.d30Agorot! + t.d60Agorot! + t.d90Agorot! + t.moreAgorot! + t.unappliedAgorot! === t.openAgorot,
  },
})

/** The open items as they stood at the end of a day: its customer, due day and what was open. */
const openOn = (ctx: Ctx, day: string): RawBuilder<unknown> =>
  day >= ctx.today
    ? sql`select customer_id, due_day, open_agorot as open from documents where company_id = ${ctx.companyId} and open_agorot <> 0${onlyAllowed(ctx, 'type')}`
    : sql`select d.customer_id, d.due_day, (d.open_agorot
          + coalesce((select sum(s.to_ils_agorot) from settlements s where s.company_id = d.company_id and s.to_id = d.id and s.day > ${day}), 0)
          - coalesce((select sum(s.from_ils_agorot) from settlements s where s.company_id = d.company_id and s.from_id = d.id and s.day > ${day}), 0))::bigint as open
        from documents d where d.company_id = ${ctx.companyId} and d.status <> 'draft' and d.day <= ${day}${onlyAllowed(ctx, 'd.type')}`
