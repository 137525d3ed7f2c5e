import { sql, type RawBuilder } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { LeadCard } from '../endpoints.ts'
import { seen, stale } from './served.ts'

const most = 5000
/** What is closed stays on the board so long. */
const closedDays = 30

const columns = sql`t.id, t.name, t.company, t.stage_id as "stageId", t.rank, t.version,
    t.owner_id as "ownerId", u.full_name as "ownerName", t.source_id as "sourceId",
  s.name as "sourceName", t.kind_id as "kindId", t.phone, t.next_day as "nextDay", t.next_text as "nextText",
  t.sum_agorot as "sumAgorot", t.outcome, t.lost_reason as "lostReason",
  ${stale} as "isStale", t.created_at as "arrivedAt", t.first_answer_at as "firstAnswerAt",
  coalesce((select left(i.text, 200) from interactions i where i.company_id = t.company_id
  and i.lead_id = t.id
    and i.direction = 'in' and i.text <> coalesce(s.name, '') order by i.at limit 1), '') as message`

async function cardsWhere(ctx: Ctx, condition: RawBuilder<boolean>): Promise<LeadCard[]> {
  const where = sql.join(
    [sql<boolean>`t.company_id = ${ctx.companyId} and t.archived_at is null`, ...seen(ctx), condition],
    sql` and `,
  )
  const { rows } = await sql<LeadCard>`select ${columns} from leads t left join users u on u.id = t.owner_id
    left join lead_sources s on s.company_id = t.company_id and s.id = t.source_id where ${where}
    order by t.rank, t.id limit ${most}`.execute(ctx.tx)
  return rows
}

export async function oneCard(ctx: Ctx, id: string): Promise<LeadCard> {
  const [card] = await cardsWhere(ctx, sql`t.id = ${id}::uuid`)
  if (!card) throw fail('kit.notFound')
  return card
}

export async function board(ctx: Ctx, { ids }: { ids?: string | undefined }) {
  const wanted = ids?.split(',').filter((one) => /^[0-9a-f-]{36}$/.test(one))
  const rows = await cardsWhere(
    ctx,
    wanted
      ? sql`t.id = any (${wanted}::uuid[])`
      : sql`(t.outcome = 'open' or t.closed_at > now() - ${closedDays} * interval '1 day')`,
  )
  const own = sql.join(
    [sql<boolean>`t.company_id = ${ctx.companyId} and t.archived_at is null`, ...seen(ctx)],
    sql` and `,
  )
  const { rows: sums } = await sql<{
    open: number
    openAgorot: number
    answerMinutes: number | null
  }>`select count(*) filter (where t.outcome = 'open')::int as open,
      coalesce(sum(t.sum_agorot) filter (where t.outcome = 'open'), 0)::bigint as "openAgorot",
      (percentile_disc(0.5) within group (order by extract(epoch from t.first_answer_at - t.created_at) / 60)
      filter (where t.first_answer_at is not null
        and t.created_at > now() - interval '30 days'))::int as "answerMinutes" from leads t
        where ${own}`.execute(ctx.tx)
  return { rows, ...sums[0]! }
}
