import { sql } from 'kysely'
import { addDays } from '#domain/day.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { seesWhole } from '#kit/describe/session.ts'
import { day, flag, money, number, phone, ref, text } from '#kit/fields/field.ts'
import type { Ctx } from '#kit/server/context.ts'
import { defineReport } from '#kit/server/reports.ts'
import { partySums } from '#features/base/ledger/server/index.ts'
import { dayOf, openItems, sumsOnly } from '../openItems.ts'

/** What each customer owes, how old it is, when he last paid and when anybody last wrote to him: the list one telephones by, the latest debts first. */
export const oweSummary = defineReport({
  name: 'oweSummary',
  feature: 'salesReports',
  group: 'people',
  path: '/invoice/reportowesummary',
  allow: 'reports.debts',
  respects: ['ownCustomers', 'documentTypes'],
  filters: { day: day(), late: flag(), customer: ref('customers'), customerType: ref('customerTypes'), agent: ref('agents') },
  columns: {
    customer: text(),
    phone: phone(),
    daysLate: { ...number(), whenFilled: true },
    contactDay: day(),
    paidDay: day(),
    notDueAgorot: money(),
    d30Agorot: { ...money(), band: 'late', whenFilled: true },
    d60Agorot: { ...money(), band: 'late', whenFilled: true },
    d90Agorot: { ...money(), band: 'late', whenFilled: true },
    moreAgorot: { ...money(), band: 'late', whenFilled: true },
    unappliedAgorot: { ...money(), whenFilled: true },
    openAgorot: { ...money(), main: true },
  },
  totals: ['notDueAgorot', 'd30Agorot', 'd60Agorot', 'd90Agorot', 'moreAgorot', 'unappliedAgorot', 'openAgorot'],
  rows: async (ctx, { day: asked, late, ...more }) => {
    const on = dayOf(ctx, asked)
    const old = (from: number, to?: number) =>
      sql`nullif(sum(o.open) filter (where o.open > 0 and o.due_day < ${addDays(on, -from)}${to === undefined ? sql`` : sql` and o.due_day >= ${addDays(on, -to)}`}), 0)::bigint`
    const { rows } = await sql<ReportRow>`
      with w as (select coalesce(i.merged_into, i.id) as id, max(m.created_at) as at from messages m join documents d on d.company_id = m.company_id and d.id = m.document_id and d.open_agorot <> 0
          join parties i on i.company_id = d.company_id and i.id = d.customer_id where m.company_id = ${ctx.companyId} group by 1),
      g as (
        select coalesce(i.merged_into, i.id) as id, coalesce(sum(o.open) filter (where o.open > 0 and (o.due_day >= ${on} or o.due_day is null)), 0)::bigint as "notDueAgorot",
          ${old(0, 30)} as "d30Agorot", ${old(30, 60)} as "d60Agorot", ${old(60, 90)} as "d90Agorot", ${old(90)} as "moreAgorot",
          sum(o.open) filter (where o.open < 0)::bigint as "unappliedAgorot", sum(o.open)::bigint as "openAgorot", min(o.due_day) filter (where o.open > 0) as oldest
        from (${openItems(ctx, on, more, sumsOnly)}) o join parties i on i.company_id = ${ctx.companyId} and i.id = o.customer_id group by 1
      )
      select p.name as customer, coalesce(nullif(p.mobile, ''), p.phone) as phone, case when g.oldest < ${on} then ${on}::date - g.oldest end as "daysLate",
        (select d.day from documents d where d.company_id = ${ctx.companyId} and d.customer_id = p.id and d.type in (6, 9) and d.status not in ('draft', 'cancelled') and d.day <= ${on} order by d.day desc limit 1) as "paidDay",
        (greatest(w.at, (select max(m.created_at) from messages m where m.company_id = ${ctx.companyId} and m.party_id = p.id)) at time zone 'Asia/Jerusalem')::date as "contactDay",
        g."notDueAgorot", g."d30Agorot", g."d60Agorot", g."d90Agorot", g."moreAgorot", g."unappliedAgorot", g."openAgorot", '/invoice/reportowe?customer=' || p.id${asked ? sql` || '&day=' || ${on}::text` : sql``} as open
      from g join parties p on p.company_id = ${ctx.companyId} and p.id = g.id left join w on w.id = g.id
      where ${late === true ? sql`g.oldest < ${on}` : late === false ? sql`(g.oldest is null or g.oldest >= ${on})` : sql`true`}
      order by g.oldest nulls last, g."openAgorot" desc, p.name`.execute(ctx.tx)
    totals.set(
      ctx,
      rows.reduce((sum, { openAgorot }) => sum + Number(openAgorot), 0),
    )
    return rows
  },
  must: {
    agesSum: (t) => t.notDueAgorot! + t.d30Agorot! + t.d60Agorot! + t.d90Agorot! + t.moreAgorot! + t.unappliedAgorot! === t.openAgorot,
  },
  apart: {
    asInBooks: async (ctx, { day: asked, ...narrow }) =>
      isWhole(ctx, narrow) ? totals.get(ctx)! - (await inBooks(ctx, dayOf(ctx, asked))) : 0,
  },
})

/** What the rows of an answer came to, for the check that follows them. */
const totals = new WeakMap<Ctx, number>()

/** A part of the debts is compared with nothing. */
const isWhole = ({ caller }: Ctx, narrow: Record<string, unknown>): boolean =>
  seesWhole(caller) && Object.values(narrow).every((one) => one === undefined)

/** What the cards of customers stand at in the books. */
async function inBooks(ctx: Ctx, on: string): Promise<number> {
  const sums = await partySums(ctx, undefined, on)
  const { rows } = await sql<{
    id: string
  }>`/*=*/ select id from parties where company_id = ${ctx.companyId} and role = 'customer'`.execute(ctx.tx)
  return rows.reduce((sum, { id }) => sum + (sums.get(id)?.debit ?? 0) - (sums.get(id)?.credit ?? 0), 0)
}
