import { sql } from 'kysely'
import type { ReportRow } from '#kit/describe/report.ts'
import { can } from '#kit/describe/session.ts'
import { choice, day, number, percent, ref, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/reports.ts'

const shows = ['template', 'sender', 'paper'] as const
const states = ['waiting', 'late', 'signed', 'declined', 'ended'] as const
/** The day a paper is counted by. */
const counts = ['sent', 'ended'] as const

const stateIs: Record<(typeof states)[number], ReturnType<typeof sql>> = {
  waiting: sql`r.state in ('sent', 'inProgress')`,
  late: sql`r.state in ('sent', 'inProgress') and r.reminded > 0`,
  signed: sql`r.state in ('done', 'sealing')`,
  declined: sql`r.state = 'declined'`,
  ended: sql`r.state in ('expired', 'recalled')`,
}

/**
 * Papers sent to be signed in a period, by what became of them until now. Late is what was reminded of and is not signed; each paper is counted once, under what
 * it is now.
 */
export const signReport = defineReport({
  name: 'signatures',
  feature: 'signing',
  group: 'sales',
  path: '/invoice/reportsign',
  allow: 'signing.see',
  respects: ['ownCustomers'],
  filters: {
    from: day({ need: true }),
    to: day({ need: true }),
    show: choice(shows, { words: 'signing.reports.signatures.show' }),
    template: ref('signTemplates'),
    state: choice(states, { words: 'signing.reports.signatures.state' }),
    counts: choice(counts, { words: 'signing.reports.signatures.counts' }),
  },
  columns: {
    name: text(),
    people: text(),
    sent: number(),
    opened: number(),
    signed: { ...number(), main: true },
    declined: number(),
    late: number(),
    waiting: number(),
    ended: number(),
    signedBp: percent(),
    hours: number(),
  },
  totals: ['sent', 'opened', 'signed', 'declined', 'late', 'waiting', 'ended'],
  rows: async (ctx, { from, to, show, template, state, counts: counted }) => {
    const by = (show as (typeof shows)[number] | undefined) ?? 'template'
    const mine = can(ctx.caller, 'signing.all') ? sql`true` : sql`r.sent_by = ${ctx.caller.userId}`
    const label =
      by === 'sender'
        ? sql`coalesce((select u.full_name from users u where u.id = r.sent_by), '')`
        : by === 'paper'
          ? sql`r.name`
          : sql`coalesce((select t.name from sign_templates t where t.company_id = r.company_id and t.id = r.template_id), r.name)`
    const key = by === 'sender' ? sql`r.sent_by` : by === 'paper' ? sql`r.id` : sql`coalesce(r.template_id, r.id)`
    const people =
      by === 'paper'
        ? sql`min((select string_agg(s.name, ', ' order by s.order_no, s.created_at) from sign_signers s where s.company_id = r.company_id and s.request_id = r.id and s.state <> 'delegated'))`
        : sql`null::text`
    const only = state ? stateIs[state as (typeof states)[number]] : sql`true`
    const day = counted === 'ended' ? sql`r.ended_at` : sql`r.sent_at`
    const { rows } =
      await sql<ReportRow>`select min(${label}) as name, ${people} as people, count(*)::int as sent, count(*) filter (where r.opened_at is not null)::int as opened,
        count(*) filter (where r.state in ('done', 'sealing'))::int as signed, count(*) filter (where r.state = 'declined')::int as declined,
        count(*) filter (where r.state in ('sent', 'inProgress') and r.reminded > 0)::int as late,
        count(*) filter (where r.state in ('sent', 'inProgress') and r.reminded = 0)::int as waiting,
        count(*) filter (where r.state in ('expired', 'recalled'))::int as ended,
        (10000 * count(*) filter (where r.state in ('done', 'sealing')) / count(*))::int as "signedBp",
        round(avg(extract(epoch from (select max(s.signed_at) from sign_signers s where s.company_id = r.company_id and s.request_id = r.id) - r.sent_at) / 3600)
          filter (where r.state in ('done', 'sealing')))::int as hours
      from sign_requests r where r.company_id = ${ctx.companyId} and ${mine} and ${only} and (${day} at time zone 'Asia/Jerusalem')::date between ${from}::date and ${to}::date
        and (${template ?? null}::uuid is null or r.template_id = ${template ?? null}::uuid)
      group by ${key} order by sent desc, name`.execute(ctx.tx)
    return rows
  },
  must: {
    parts: (totals) =>
      totals.sent === (totals.signed ?? 0) + (totals.declined ?? 0) + (totals.late ?? 0) + (totals.waiting ?? 0) + (totals.ended ?? 0),
  },
})
