import { sql, type RawBuilder } from 'kysely'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, money, number, percent, ref, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { seen } from './served.ts'

const shows = ['source', 'owner', 'kind', 'category', 'campaign', 'stage', 'lost'] as const

const groupOf: Record<(typeof shows)[number], RawBuilder<unknown>> = {
  source: sql`coalesce((select s.name from lead_sources s where s.company_id = t.company_id
      and s.id = t.source_id), '')`,
  owner: sql`coalesce((select u.full_name from users u where u.id = t.owner_id), '')`,
  kind: sql`coalesce((select k.name from lead_kinds k where k.company_id = t.company_id and k.id = t.kind_id),
      '')`,
  category: sql`coalesce(category_path(t.company_id, t.category_id), '')`,
  campaign: sql`t.campaign`,
  stage: sql`coalesce((select s.name from lead_sources s where s.company_id = t.company_id
      and s.id = t.source_id), '')`,
  lost: sql`t.lost_reason`,
}

/**
 * Leads that arrived in a period, by their outcome until now. Everything derives from the moves, which cannot be
 * changed: a lead belongs to the period of its first move and counts once, in the stage of its last one, whose
 * outcome is won or lost; by stages the report also counts how many passed each. The cost of a source is its monthly
 * cost, by the days of the period, whether it brought leads or not.
 */
export const leadsReport = defineReport({
  name: 'leads',
  feature: 'leads',
  group: 'people',
  path: '/invoice/reportleads',
  allow: 'leads.see',
  respects: ['ownCustomers', 'documentTypes'],
  filters: {
    from: day({ need: true }),
    to: day({ need: true }),
    show: choice(shows, { words: 'leads.reports.leads.show' }),
    source: ref('leadSources'),
    owner: ref('agents'),
  },
  columns: {
    name: text(),
    stage: text(),
    passed: { ...number(), whenFilled: true },
    leads: number(),
    open: number(),
    won: number(),
    lost: number(),
    conversionBp: percent(),
    wonAgorot: money(),
    costAgorot: money(),
    costPerWonAgorot: money(),
    answerMinutes: number(),
    stageHours: number(),
  },
  totals: ['leads', 'open', 'won', 'lost', 'wonAgorot', 'costAgorot'],
  rows: async (ctx, { from, to, show, source, owner }) => {
    const by = (show as (typeof shows)[number] | undefined) ?? 'source'
    const mine = sql.join([sql`t.company_id = ${ctx.companyId}`, ...seen(ctx)], sql` and `)
    const began = sql`first_moves as (select distinct on (m.lead_id) m.lead_id, m.at from lead_moves m
      where m.company_id = ${ctx.companyId} order by m.lead_id, m.at, m.id),
      last_moves as (select distinct on (m.lead_id) m.lead_id, m.stage_id from lead_moves m
      where m.company_id = ${ctx.companyId} order by m.lead_id, m.at desc, m.id desc),
      came as (select t.*, s.id as last_stage_id, s.outcome as ended, ${groupOf[by]} as label from leads t
      join first_moves f on f.lead_id = t.id join last_moves z on z.lead_id = t.id
        join lead_stages s on s.company_id = t.company_id and s.id = z.stage_id
        where ${mine} and (f.at at time zone 'Asia/Jerusalem')::date between ${from}::date and ${to}::date
          and (${source ?? null}::uuid is null or t.source_id = ${source ?? null}::uuid)
          and (${owner ?? null}::uuid is null or t.owner_id = ${owner ?? null}::uuid))`
    if (by === 'stage') {
      const { rows } = await sql<ReportRow>`with ${began},
        stays as (select m.lead_id, m.stage_id,
        extract(epoch from coalesce(lead(m.at) over (partition by m.lead_id order by m.at, m.id), now()) -
        m.at) / 3600 as hours
          from lead_moves m where m.company_id = ${ctx.companyId} and m.lead_id in (select id from came))
        select c.label as name, s.name as stage, count(distinct c.id)::int as passed,
          count(distinct c.id) filter (where c.last_stage_id = s.id)::int as leads,
          count(distinct c.id) filter (where c.ended = 'open' and c.last_stage_id = s.id)::int as open,
          count(distinct c.id) filter (where c.ended = 'won' and c.last_stage_id = s.id)::int as won,
          count(distinct c.id) filter (where c.ended = 'lost' and c.last_stage_id = s.id)::int as lost,
          (10000 * count(distinct c.id) filter (where c.ended = 'won') /
          greatest(count(distinct c.id), 1))::int as "conversionBp",
          null::bigint as "wonAgorot", null::bigint as "costAgorot", null::bigint as "costPerWonAgorot",
          null::int as "answerMinutes",
          round(avg(y.hours))::int as "stageHours"
        from came c join stays y on y.lead_id = c.id join lead_stages s on s.company_id = ${ctx.companyId}
          and s.id = y.stage_id
        group by c.label, s.id, s.name, s.position order by c.label, s.position, s.id`.execute(ctx.tx)
      return rows
    }
    const cost =
      by === 'source'
        ? sql`(select
            round(sum(s.cost_month_agorot::numeric *
            (least(${to}::date, (month + interval '1 month - 1 day')::date) -
            greatest(${from}::date, month::date) + 1)
            / extract(day from month + interval '1 month - 1 day')))::bigint from lead_sources s,
            generate_series(date_trunc('month', ${from}::date::timestamp), ${to}::date::timestamp,
            interval '1 month') month where s.company_id = ${ctx.companyId} and s.name = g.name
            and s.archived_at is null)`
        : sql`null::bigint`
    // What a source cost that brought nobody was paid nevertheless; of one person's leads nobody says whose
    // cost it is.
    const silent =
      by === 'source' && !owner && !ctx.caller.ownCustomersOnly
        ? sql`union all select distinct s.name, 0, 0, 0, 0, 0::bigint, null::int from lead_sources s
          where s.company_id = ${ctx.companyId} and s.archived_at is null
            and s.cost_month_agorot > 0
            and (${source ?? null}::uuid is null or s.id = ${source ?? null}::uuid)
            and s.name not in (select label from came)`
        : sql``
    const { rows } = await sql<ReportRow>`with ${began},
      g as (select label as name, count(*)::int as leads, count(*) filter (where ended = 'open')::int as open,
      count(*) filter (where ended = 'won')::int as won,
          count(*) filter (where ended = 'lost')::int as lost,
          coalesce(sum(sum_agorot) filter (where ended = 'won'), 0)::bigint as "wonAgorot",
          (percentile_disc(0.5) within group (order by extract(epoch from first_answer_at - created_at) / 60)
          filter (where first_answer_at is not null))::int as "answerMinutes"
        from came group by label ${silent}),
      h as (select g.*, ${cost} as "costAgorot" from g)
      select name, null::text as stage, null::int as passed, leads, open, won, lost,
        (10000 * won / greatest(leads, 1))::int as "conversionBp", "wonAgorot", "costAgorot",
        case when won > 0 then round("costAgorot"::numeric / won)::bigint end as "costPerWonAgorot",
        "answerMinutes", null::int as "stageHours"
      from h order by leads desc, name`.execute(ctx.tx)
    return rows
  },
  must: { parts: (totals) => totals.leads === (totals.open ?? 0) + (totals.won ?? 0) + (totals.lost ?? 0) },
})
