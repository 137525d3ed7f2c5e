import { sql } from 'kysely'
import type { ReportRow } from '#kit/describe/report.ts'
import { can } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import { choice, day, moment, number, percent, ref, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/described/reports.ts'

const shows = ['template', 'sender', 'paper', 'signer'] as const
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

interface Asked {
  from: string
  to: string
  template?: string | undefined
  state?: string | undefined
  counts?: string | undefined
}

const mineOf = (ctx: Ctx) =>
  can(ctx.caller, 'signing.all') ? sql`true` : sql`r.sent_by = ${ctx.caller.userId}`

/**
 * Each signer with the moments of sending, opening and signing. People who delegated, or were not needed because
 * another of their role signed, are left out.
 */
async function bySigner(
  ctx: Ctx,
  { from, to, template, state, counts: counted }: Asked,
): Promise<ReportRow[]> {
  const live = sql`(r.state in ('sent', 'inProgress') and s.state in ('waiting', 'open'))`
  const is = sql`case when s.state = 'signed' then 'signed' when s.state = 'declined' then 'declined'
    when ${live} then (case when r.reminded > 0 and s.state = 'open' then 'late' else 'waiting' end)
    else 'ended' end`
  // What is late waits, too.
  const only = state
    ? state === 'waiting'
      ? sql`${is} in ('waiting', 'late')`
      : sql`${is} = ${state}`
    : sql`true`
  const day = counted === 'ended' ? sql`coalesce(s.signed_at, r.ended_at)` : sql`r.sent_at`
  const { rows } =
    await sql<ReportRow>`select s.name, s.role_name as role, r.name as paper, s.sent_at as "sentAt",
        s.opened_at as "openedAt", s.signed_at as "signedAt",
      ${is} as state, round(extract(epoch from s.signed_at - s.sent_at) / 3600)::int as hours,
      '/invoice/signrequest/' || r.id as open
    from sign_requests r join sign_signers s on s.company_id = r.company_id and s.request_id = r.id
    where r.company_id = ${ctx.companyId} and ${mineOf(ctx)} and s.state <> 'delegated'
      and (s.state <> 'spared' or r.state in ('declined', 'expired', 'recalled'))
      and ${only} and (${day} at time zone 'Asia/Jerusalem')::date between ${from}::date and ${to}::date
      and (${template ?? null}::uuid is null or r.template_id = ${template ?? null}::uuid)
    order by r.sent_at desc, r.id desc, s.order_no, s.created_at, s.id`.execute(ctx.tx)
  return rows
}

/**
 * Documents sent to be signed in a period, by their outcome until now. Late is what was reminded of and is not
 * signed; each document is counted once, under its present state. By signer it has a line for each of them, with
 * their actions and times.
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
    role: { ...text(), whenFilled: true },
    paper: { ...text(), whenFilled: true },
    people: { ...text(), whenFilled: true },
    state: { ...choice(states), whenFilled: true },
    sentAt: { ...moment(), whenFilled: true },
    openedAt: { ...moment(), whenFilled: true },
    signedAt: { ...moment(), whenFilled: true },
    // What is counted occurs in lines of many documents.
    sent: { ...number(), whenFilled: true },
    opened: { ...number(), whenFilled: true },
    signed: { ...number(), main: true, whenFilled: true },
    declined: { ...number(), whenFilled: true },
    late: { ...number(), whenFilled: true },
    waiting: { ...number(), whenFilled: true },
    ended: { ...number(), whenFilled: true },
    signedBp: { ...percent(), whenFilled: true },
    hours: number(),
  },
  totals: ['sent', 'opened', 'signed', 'declined', 'late', 'waiting', 'ended'],
  rows: async (ctx, { from, to, show, template, state, counts: counted }) => {
    const by = (show as (typeof shows)[number] | undefined) ?? 'template'
    if (by === 'signer') return bySigner(ctx, { from, to, template, state, counts: counted })
    const mine = mineOf(ctx)
    const label =
      by === 'sender'
        ? sql`coalesce((select u.full_name from users u where u.id = r.sent_by), '')`
        : by === 'paper'
          ? sql`r.name`
          : sql`coalesce((select t.name from sign_templates t where t.company_id = r.company_id
              and t.id = r.template_id), r.name)`
    const key =
      by === 'sender' ? sql`r.sent_by` : by === 'paper' ? sql`r.id` : sql`coalesce(r.template_id, r.id)`
    const people =
      by === 'paper'
        ? sql`min((select string_agg(s.name, ', ' order by s.order_no, s.created_at) from sign_signers s
          where s.company_id = r.company_id and s.request_id = r.id and s.state <> 'delegated'))`
        : sql`null::text`
    const only = state ? stateIs[state as (typeof states)[number]] : sql`true`
    const day = counted === 'ended' ? sql`r.ended_at` : sql`r.sent_at`
    const { rows } =
      await sql<ReportRow>`select min(${label}) as name, ${people} as people, count(*)::int as sent,
          count(*) filter (where r.opened_at is not null)::int as opened,
        count(*) filter (where r.state in ('done', 'sealing'))::int as signed,
        count(*) filter (where r.state = 'declined')::int as declined,
        count(*) filter (where r.state in ('sent', 'inProgress') and r.reminded > 0)::int as late,
        count(*) filter (where r.state in ('sent', 'inProgress') and r.reminded = 0)::int as waiting,
        count(*) filter (where r.state in ('expired', 'recalled'))::int as ended,
        (10000 * count(*) filter (where r.state in ('done', 'sealing')) / count(*))::int as "signedBp",
        round(avg(extract(epoch
        from (select max(s.signed_at) from sign_signers s where s.company_id = r.company_id
          and s.request_id = r.id) - r.sent_at) / 3600)
          filter (where r.state in ('done', 'sealing')))::int as hours
      from sign_requests r where r.company_id = ${ctx.companyId} and ${mine} and ${only}
        and (${day} at time zone 'Asia/Jerusalem')::date between ${from}::date and ${to}::date
        and (${template ?? null}::uuid is null or r.template_id = ${template ?? null}::uuid)
      group by ${key} order by sent desc, name`.execute(ctx.tx)
    return rows
  },
  must: {
    parts: (totals) =>
      totals.sent ===
      (totals.signed ?? 0) +
        (totals.declined ?? 0) +
        (totals.late ?? 0) +
        (totals.waiting ?? 0) +
        (totals.ended ?? 0),
  },
})
