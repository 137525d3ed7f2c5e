import { sql } from 'kysely'
import type { Ctx } from '#kit/server/context.ts'
import type { AskedAbout } from '../endpoints.ts'
import { seen } from './load.ts'

/** The papers sent to be signed for one thing: what its own page shows of them. */
export async function about(ctx: Ctx, { about: id, purposes }: { about: string; purposes: string }): Promise<{ rows: AskedAbout[] }> {
  const { rows } = await sql<AskedAbout>`select t.id, t.name, t.state, t.sent_at as "sentAt", t.ended_at as "endedAt",
      (t.state = 'done' and ${!ctx.caller.hideTotalPrices}) as "hasFile",
      coalesce((select string_agg(s.name, ', ' order by s.order_no, s.created_at) from sign_signers s where s.company_id = t.company_id and s.request_id = t.id
        and s.state <> 'delegated'), '') as signers
    from sign_requests t where t.company_id = ${ctx.companyId} and t.purpose_id = ${id} and t.purpose = any(${purposes.split(',')}::text[])
      and ${sql.join([sql`true`, ...seen(ctx)], sql` and `)} order by t.sent_at desc, t.id desc limit 10`.execute(ctx.tx)
  return { rows }
}
