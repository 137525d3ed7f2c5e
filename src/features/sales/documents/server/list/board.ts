import { sql } from 'kysely'
import type { Ctx } from '#kit/server/context.ts'
import { isUnfinished, isUntouched } from '#kit/server/data/documentFacts.ts'
import type { BoardColumn, BoardDocument } from '../../endpoints.ts'
import { paperLabel } from '../content/opening.ts'
import { onlyAllowed } from './list.ts'

/** So many cards of a column travel; its head counts all of them. */
const mostCards = 200
/** What is over stays on the board so long. */
const overDays = 30

/**
 * Quotes or orders as cards under their states. A card is where the document's state is: sending, supplying and
 * cancelling move it, so nothing of the board is stored.
 */
export async function documentBoard(
  ctx: Ctx,
  { type }: { type: number },
): Promise<{ rows: BoardDocument[]; columns: BoardColumn[] }> {
  const { rows } = await sql<BoardDocument & { all: number; sum: number; place: number }>`
    select * from (
      select d.*, count(*) over by_state::int as all, coalesce(sum("ilsTotalAgorot") over by_state, 0)::bigint
        as sum,
        row_number() over (partition by state order by day desc, id desc)::int as place
      from (
        select id, number, ${paperLabel('documents')} as label, day, valid_until as "validUntil",
          coalesce(customer->>'name', '') as customer, subject, currency,
          total_agorot as "totalAgorot", ils_total_agorot as "ilsTotalAgorot", viewed_at as "viewedAt",
          case when ${isUntouched()} and sent_at is not null then 'sent' else status end as state,
          (select u.full_name from users u where u.id = agent_id) as agent
        from documents where company_id = ${ctx.companyId} and type = ${type}${onlyAllowed(ctx, 'type')}
          and series not like '%#opening'
          and (${isUnfinished()} or updated_at > now() - ${overDays} * interval
          '1 day')
      ) d window by_state as (partition by state)
    ) d where place <= ${mostCards} order by state, place`.execute(ctx.tx)
  const heads = rows.filter(({ place }) => place === 1)
  return {
    rows: rows.map(({ all: _, sum: __, place: ___, ...card }) => card),
    columns: heads.map(({ state, all, sum }) => ({ state, count: all, sumAgorot: sum })),
  }
}
