import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#kit/server/context.ts'
import type { AskedAbout } from '../endpoints.ts'
import { seen } from './load.ts'

/** The papers sent to be signed for one thing: what its own page shows of them. */
export async function about(
  ctx: Ctx,
  { about: id, purposes }: { about: string; purposes: string },
): Promise<{ rows: AskedAbout[] }> {
  const { rows } =
    await sql<AskedAbout>`select t.id, t.name, t.state, t.sent_at as "sentAt", t.ended_at as "endedAt",
      (t.state = 'done' and ${!ctx.caller.hideTotalPrices}) as "hasFile",
      coalesce((select string_agg(s.name, ', ' order by s.order_no, s.created_at) from sign_signers s
      where s.company_id = t.company_id and s.request_id = t.id
        and s.state <> 'delegated'), '') as signers
    from sign_requests t where t.company_id = ${ctx.companyId} and t.purpose_id = ${id}
      and t.purpose = any(${purposes.split(',')}::text[])
      and ${sql.join([sql`true`, ...seen(ctx)], sql` and `)} order by t.sent_at desc, t.id desc
      limit 10`.execute(ctx.tx)
  return { rows }
}

/**
 * The signing state of a record, for a column of its list: waiting while any of its documents waits, else their
 * outcome. Null where none was sent. `id` is the record's, of a row `t` of the business.
 */
export const signStateOf = (purpose: string, id: RawBuilder<unknown>): RawBuilder<string | null> =>
  sql`(select case when count(*) = 0 then null when bool_or(r.state in ('sent', 'inProgress', 'sealing')) then
      'waiting' when bool_or(r.state = 'done') then 'signed'
    when bool_or(r.state = 'declined') then 'declined' else 'ended' end
    from sign_requests r where r.company_id = t.company_id and r.purpose = ${purpose}
      and r.purpose_id = ${id})`

/** When it was signed by all, the last time. */
export const signedAtOf = (purpose: string, id: RawBuilder<unknown>): RawBuilder<string | null> =>
  sql`(select max(r.ended_at) from sign_requests r where r.company_id = t.company_id
      and r.purpose = ${purpose} and r.purpose_id = ${id} and r.state = 'done')`
