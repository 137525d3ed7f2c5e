import { sql, type RawBuilder } from 'kysely'
import { paperLabel } from '#features/sales/documents/server/index.ts'
import { fail, forbidden } from '#kit/describe/errors.ts'
import { can, isUnlimited, seesWhole } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import { momentCursor } from '#kit/server/data/cursors.ts'
import { isIssued } from '#kit/server/data/documentFacts.ts'
import { leadsSeen } from '#features/people/tasks/server/index.ts'
import { meansNames } from '#features/sales/payments/payments.ts'
import { stateOf } from '#features/sales/payments/server/index.ts'
import { timelineKinds, type TimelineEntry, type TimelineKind } from '../endpoints.ts'

const page = 40

interface Asked {
  customerId?: string | undefined
  leadId?: string | undefined
  kinds?: string | undefined
  cursor?: string | undefined
}

/** Which letters a person reads who does not see everything, by the rules of what they hold. */
const letterRules: Record<string, string> = {
  document: 'documents.see',
  letter: 'customers.see',
  writtenLetter: 'letters.see',
  paymentLink: 'paymentLinks.see',
  outside: 'outside.see',
}

/**
 * Everything that happened with a customer in one list, newest first. Each kind reads its next page from its own
 * index, however many rows the others have; the newest rows of all kinds are shown. A document sorts at noon of its
 * day.
 */
export async function timeline(
  ctx: Ctx,
  { customerId, leadId, kinds, cursor }: Asked,
): Promise<{ rows: TimelineEntry[]; nextCursor: string | null }> {
  if (!customerId && !leadId) throw fail('kit.notFound')
  if (customerId && !can(ctx.caller, 'customers.see')) throw forbidden({ rule: 'customers.see' })
  const [at, last] = momentCursor(cursor)
  const { rows: found } = await (
    customerId
      ? sql<{
          id: string
        }>`select id from parties where company_id = ${ctx.companyId} and role = 'customer'
            and (id = ${customerId} or merged_into = ${customerId})`
      : sql<{
          id: string
        }>`select id from leads where company_id = ${ctx.companyId} and id = ${leadId!} and ${leadsSeen(ctx)}`
  ).execute(ctx.tx)
  if (!found.length) throw fail('kit.notFound')
  const wanted = new Set<TimelineKind>((kinds?.split(',') ?? [...timelineKinds]) as TimelineKind[])
  const { caller } = ctx
  const his = customerId ? found.map(({ id }) => id) : []
  const before = (moment: RawBuilder<unknown>, id: RawBuilder<unknown>) =>
    sql`(${moment}, ${id}) < (${at}::timestamptz, ${last}::uuid)`
  const parts: RawBuilder<unknown>[] = []
  const add = (question: RawBuilder<unknown>) => void parts.push(sql`(${question})`)
  const owned = (column: string, alias: string) =>
    customerId ? sql`${sql.ref(`${alias}.${column}`)} = h.id` : sql`${sql.ref(`${alias}.lead_id`)} = h.id`
  const each = sql`unnest(${customerId ? his : [leadId!]}::uuid[]) h (id)`

  if (wanted.has('contact'))
    add(sql`select i.* from ${each} cross
      join lateral (select i.id, i.at, 'contact' as kind, i.channel as what, left(i.text, 300) as title,
        i.outcome as text, null::bigint as number,
        '' as state, i.direction, null::text as currency, null::bigint as "totalAgorot", i.next_day as day,
        coalesce(u.full_name, nullif(i.sender, '')) as by
      from interactions i left join users u on u.id = i.by_user where i.company_id = ${ctx.companyId}
        and ${owned('customer_id', 'i')} and ${before(sql`i.at`, sql`i.id`)}
      order by i.at desc, i.id desc limit ${page + 1}) i`)
  if (wanted.has('task') && can(caller, 'tasks.see')) {
    const whose = caller.ownCustomersOnly || !can(caller, 'tasks.all')
    const mine = whose
      ? sql`and (t.owner_id = ${caller.userId} or t.created_by = ${caller.userId}
          or ${caller.userId}::uuid = any
          (t.watchers)${
            can(caller, 'tasks.team') && !caller.ownCustomersOnly
              ? sql`
              or t.owner_id = any (team_mates(${ctx.companyId}))`
              : sql``
          })`
      : sql``
    add(sql`select i.* from ${each} cross
      join lateral (select t.id, t.created_at as at, 'task' as kind, coalesce(t.made_kind, '') as what,
        t.title, '' as text, null::bigint as number,
        case when t.done_at is not null then 'done' else 'open' end as state, '' as direction,
        null::text as currency, null::bigint as "totalAgorot", t.due_day as day, u.full_name as by
      from tasks t left join users u on u.id = t.owner_id where t.company_id = ${ctx.companyId}
        and ${owned('customer_id', 't')} and t.archived_at is null ${mine}
        and ${before(sql`t.created_at`, sql`t.id`)} order by t.created_at desc, t.id desc limit ${page + 1})
        i`)
  }
  const types = caller.docsAllow.length ? sql` and d.type = any (${caller.docsAllow}::int[])` : sql``
  if (wanted.has('paper') && customerId && can(caller, 'documents.see')) {
    const noon = sql`((d.day + time '12:00') at time zone 'Asia/Jerusalem')`
    add(sql`select i.* from ${each} cross
      join lateral (select d.id, ${noon} as at, 'paper' as kind, coalesce(${paperLabel('d')}, d.type::text) as
        what, '' as title, '' as text, d.number, d.status as state, '' as direction,
        d.currency, d.total_agorot as "totalAgorot", d.day, null::text as by
      from documents d where d.company_id = ${ctx.companyId} and d.customer_id = h.id
        and ${isIssued('d')}${types}
        and d.day <= (${at}::timestamptz at time zone 'Asia/Jerusalem')::date and ${before(noon, sql`d.id`)}
        order by d.day desc, d.id desc limit ${page + 1}) i`)
  }
  if (wanted.has('money') && customerId && can(caller, 'payments.see')) {
    const noon = sql`((d.day + time '12:00') at time zone 'Asia/Jerusalem')`
    const means = sql`(${[...meansNames]}::text[])[t.means]`
    // What was paid, by the days of its papers, which have an index.
    add(sql`select i.* from ${each} cross
      join lateral (select t.id, ${noon} as at, 'money' as kind, ${means} as what, '' as title,
        t.reference as text, d.number, ${stateOf} as state,
        case when t.amount_agorot < 0 then 'out' else 'in' end as direction, d.currency,
        t.amount_agorot as "totalAgorot", t.day, null::text as by
      from documents d join document_payments t on t.company_id = d.company_id and t.document_id = d.id
      where d.company_id = ${ctx.companyId} and d.customer_id = h.id and ${isIssued('d')}${types}
        and d.day <= (${at}::timestamptz at time zone 'Asia/Jerusalem')::date and ${before(noon, sql`t.id`)}
        order by d.day desc, t.id desc limit ${page + 1}) i`)
    // What a card did not pay: what it paid has its paper.
    if (can(caller, 'paymentLinks.see'))
      add(sql`select i.* from ${each} cross
        join lateral (select c.id, c.created_at as at, 'money' as kind, 'charge' as what, '' as title,
          c.description as text, null::bigint as number, c.state,
          'in' as direction, c.currency, c.amount_agorot as "totalAgorot", null::date as day, null::text as by
        from charges c where c.company_id = ${ctx.companyId} and c.customer_id = h.id
          and c.state in ('declined', 'unknown', 'needsPerson')
          and ${before(sql`c.created_at`, sql`c.id`)} order by c.created_at desc, c.id desc limit ${page + 1})
          i`)
  }
  if (wanted.has('letter') && customerId) {
    const all = isUnlimited(caller.rules) && seesWhole(caller)
    const readable = Object.entries(letterRules).flatMap(([kind, rule]) => (can(caller, rule) ? [kind] : []))
    const kindsOf = all ? sql`` : sql` and m.kind = any (${readable}::text[])`
    const types = caller.docsAllow.length
      ? sql` and (d.id is null or d.type = any (${caller.docsAllow}::int[]))`
      : sql``
    const columns = sql`m.id, m.created_at as at, 'letter' as kind, m.kind as what,
        ${caller.hideTotalPrices ? sql`''::text` : sql`m.subject`} as title, m.recipient as text, d.number,
        case when m.opened_at is not null then 'opened' else m.state end as state, 'out' as direction,
      null::text as currency, null::bigint as "totalAgorot", null::date as day, u.full_name as by`
    const rest = sql`left join users u on u.id = m.created_by where m.company_id = ${ctx.companyId}`
    const when = before(sql`m.created_at`, sql`m.id`)
    add(sql`select ${columns} from messages m left join documents d on d.company_id = m.company_id
        and d.id = m.document_id ${rest} and m.party_id = any (${his}::uuid[]) and ${when}${kindsOf}${types}
      order by m.created_at desc, m.id desc limit ${page + 1}`)
    add(sql`select ${columns} from documents d join messages m on m.company_id = d.company_id
        and m.document_id = d.id ${rest} and d.company_id = ${ctx.companyId}
        and d.customer_id = any (${his}::uuid[])
      and m.party_id is null and ${when}${kindsOf}${types} order by m.created_at desc, m.id desc
      limit ${page + 1}`)
  }
  if (parts.length === 0) return { rows: [], nextCursor: null }
  const { rows } = await sql<TimelineEntry>`select * from (${sql.join(parts, sql` union all `)}) lines
      order by at desc, id desc limit ${page + 1}`.execute(ctx.tx)
  const shown = rows.slice(0, page)
  const end = shown.at(-1)
  return { rows: shown, nextCursor: rows.length > page && end ? `${end.at}|${end.id}` : null }
}
