import { sql } from 'kysely'
import type { Ctx } from '#kit/server/context.ts'
import { momentCursor } from '#kit/server/data/cursors.ts'
import { oneRow } from '#kit/server/data/lists.ts'
import { served } from './served.ts'

const page = 40

interface Line {
  id: string
  at: string
  who: string | null
  action: string
  entity: string
  before: unknown
  after: unknown
  message: {
    subject: string
    recipient: string
    state: string
    channel: string
    openedAt: string | null
  } | null
}

/**
 * Who changed what in a customer, its contacts and places, and what was sent to it; the history of merged records is
 * included.
 */
export async function activity(ctx: Ctx, { id, cursor }: { id: string; cursor?: string | undefined }) {
  await oneRow(ctx, served, id)
  const [at, last] = momentCursor(cursor)
  const types = ctx.caller.docsAllow.length
    ? sql`and (d.id is null or d.type = any(${ctx.caller.docsAllow}::int[]))`
    : sql``
  const { rows } = await sql<Line>`
    with his as (select g.id from parties g where g.company_id = ${ctx.companyId}
      and (g.id = ${id} or g.merged_into = ${id})),
    things as (
      select id from his
      union all select c.id from customer_contacts c where c.company_id = ${ctx.companyId}
        and c.party_id in (select id from his)
      union all select a.id from customer_addresses a where a.company_id = ${ctx.companyId}
        and a.party_id in (select id from his)
    )
    select * from (
      select a.id, a.at, u.full_name as who, a.action, a.entity, a.before, a.after, null::jsonb as message
      from audit_log a left join users u on u.id = a.user_id
      where a.company_id = ${ctx.companyId} and a.entity_id in (select id from things)
      union all
      select m.id, m.created_at, u.full_name, 'messages.sent', 'messages', null, null,
        jsonb_build_object('subject', ${ctx.caller.hideTotalPrices ? sql`''::text` : sql`m.subject`},
        'recipient', m.recipient, 'state', m.state, 'channel', m.channel, 'openedAt', m.opened_at)
      from messages m left join users u on u.id = m.created_by left
      join documents d on d.company_id = m.company_id and d.id = m.document_id
      where m.company_id = ${ctx.companyId}
        and (m.party_id in (select id from his) or d.customer_id in (select id from his)) ${types}
    ) lines where (at, id) < (${at}::timestamptz, ${last}::uuid) order by at desc, id desc
    limit ${page + 1}`.execute(ctx.tx)
  const shown = rows.slice(0, page)
  const end = shown.at(-1)
  return { rows: shown, nextCursor: rows.length > page && end ? `${end.at}|${end.id}` : null }
}
