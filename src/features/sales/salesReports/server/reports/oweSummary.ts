import { sql } from 'kysely'
import { addDays } from '#domain/day.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { currency, day, flag, money, number, phone, ref, text } from '#kit/fields/field.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isLive, isPayment } from '#kit/server/data/documentFacts.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { isWholeOfDebts, receivablesOn } from '#features/sales/documents/server/index.ts'
import { dayOf, openItems, sumsOnly } from '../openItems.ts'

const summed = [
  'notDueAgorot',
  'd30Agorot',
  'd60Agorot',
  'd90Agorot',
  'moreAgorot',
  'unappliedAgorot',
  'openAgorot',
] as const

/**
 * What each customer owes, how old it is, the last payment and the last message or call: the list for collection
 * calls, the latest debts first.
 */
export const oweSummary = defineReport({
  name: 'oweSummary',
  feature: 'salesReports',
  group: 'people',
  path: '/invoice/reportowesummary',
  allow: 'reports.debts',
  respects: ['ownCustomers', 'documentTypes'],
  filters: {
    day: day(),
    late: flag(),
    customer: ref('customers'),
    customerType: ref('customerTypes'),
    agent: ref('agents'),
    currency: currency(),
  },
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
  totals: [...summed],
  rows: async (ctx, { day: asked, late, ...more }, most) => {
    const on = dayOf(ctx, asked)
    const old = (from: number, to?: number) =>
      sql`nullif(sum(o.open) filter
          (where o.open > 0
          and o.due_day <
          ${addDays(on, -from)}${to === undefined ? sql`` : sql` and o.due_day >= ${addDays(on, -to)}`}),
          0)::bigint`
    // Details per customer are read only for the rows that are shown.
    const { rows } = await sql<ReportRow>`
      with o as (
        select o.customer_id,
          coalesce(sum(o.open) filter (where o.open > 0 and (o.due_day >= ${on} or o.due_day is null)),
          0)::bigint as "notDueAgorot",
          ${old(0, 30)} as "d30Agorot", ${old(30, 60)} as "d60Agorot", ${old(60, 90)} as "d90Agorot",
          ${old(90)} as "moreAgorot",
          sum(o.open) filter (where o.open < 0)::bigint as "unappliedAgorot",
          sum(o.open)::bigint as "openAgorot", min(o.due_day) filter (where o.open > 0) as oldest
        from (${openItems(ctx, on, more, sumsOnly)}) o where o.customer_id is not null group by 1
      ),
      -- Those who were merged are summed up once more, and they are few.
      m as (select o.*, i.merged_into from o join parties i on i.company_id = ${ctx.companyId}
      and i.id = o.customer_id),
      twice as (select distinct merged_into as id from m where merged_into is not null),
      g as (
        select customer_id as id, ${sql.join(summed.map((name) => sql.ref(name)))}, oldest from m
        where merged_into is null and customer_id not in (select id from twice)
        union all select coalesce(merged_into, customer_id),
          ${sql.join(summed.map((name) => sql`sum(${sql.ref(name)})::bigint`))}, min(oldest)
          from m where merged_into is not null or customer_id in (select id from twice) group by 1
      ),
      s as (
        select g.*, p.name, coalesce(nullif(p.mobile, ''), p.phone) as phone, ${sql.join(
          summed.map((name) => sql`sum(g.${sql.ref(name)}) over ()::bigint as ${sql.ref(`all${name}`)}`),
        )}, count(*) over ()::int as "allRows"
        from g join parties p on p.company_id = ${ctx.companyId} and p.id = g.id
        where ${
          late === true
            ? sql`g.oldest <
            ${on}`
            : late === false
              ? sql`(g.oldest is null or g.oldest >= ${on})`
              : sql`true`
        }
        order by g.oldest nulls last, g."openAgorot" desc, p.name limit ${most}
      ),
      w as (select coalesce(i.merged_into, i.id) as id, max(m.created_at) as at from messages m
      join documents d on d.company_id = m.company_id and d.id = m.document_id and d.open_agorot <> 0
          join parties i on i.company_id = d.company_id and i.id = d.customer_id
          where m.company_id = ${ctx.companyId} group by 1)
      select s.name as customer, s.phone, case when s.oldest < ${on} then ${on}::date - s.oldest end as
        "daysLate",
        (select d.day from documents d where d.company_id = ${ctx.companyId} and d.customer_id = s.id
        and ${isPayment('d')} and ${isLive('d')} and d.day <= ${on} order by d.day desc
        limit 1) as "paidDay",
        (greatest(w.at, (select max(m.created_at) from messages m where m.company_id = ${ctx.companyId}
        and m.party_id = s.id),
          (select max(i.at) from interactions i where i.company_id = ${ctx.companyId} and i.customer_id = s.id
          and i.channel <> 'note' and i.archived_at is null)) at time zone 'Asia/Jerusalem')::date as
          "contactDay",
        ${sql.join(summed.flatMap((name) => [sql`s.${sql.ref(name)}`, sql`s.${sql.ref(`all${name}`)}`]))},
        s."allRows",
        '/invoice/reportowe?customer=' ||
        s.id${
          asked
            ? sql` || '&day=' ||
            ${on}::text`
            : sql``
        }${more.currency ? sql` || '&currency=' || ${more.currency}::text` : sql``} as
            open
      from s left join w on w.id = s.id order by s.oldest nulls last, s."openAgorot" desc, s.name`.execute(
      ctx.tx,
    )
    const first = rows[0]
    totals.set(ctx, {
      rows: Number(first?.allRows ?? 0),
      totals: Object.fromEntries(summed.map((name) => [name, Number(first?.[`all${name}`] ?? 0)])),
    })
    return rows.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => !name.startsWith('all'))),
    )
  },
  sums: (ctx) => Promise.resolve(totals.get(ctx)!),
  must: {
    agesSum: (t) =>
      t.openAgorot ===
      t.notDueAgorot! + t.d30Agorot! + t.d60Agorot! + t.d90Agorot! + t.moreAgorot! + t.unappliedAgorot!,
  },
  apart: {
    asInBooks: async (ctx, { day: asked, ...narrow }) =>
      isWholeOfDebts(ctx, narrow)
        ? totals.get(ctx)!.totals.openAgorot! - (await receivablesOn(ctx, dayOf(ctx, asked)))
        : 0,
  },
})

/** What all the rows of an answer came to, for the totals and the check that follow them. */
const totals = new WeakMap<Ctx, { rows: number; totals: Record<string, number> }>()
