import { sql } from 'kysely'
import type { Ctx } from '#kit/server/context.ts'
import { isCancelled } from '#kit/server/data/documentFacts.ts'

export interface Figures {
  views: number
  signUps: number
  paying: number
  earnedAgorot: number
  waitingAgorot: number
  heldAgorot: number
  dueAgorot: number
  paidAgorot: number
}

/** What became of a payout's invoice: `p` is the payout, `d` its paper, `e` the bill that came with it. */
export const payoutState = sql<
  'waiting' | 'paid' | 'undone'
>`case when p.undone_at is not null or ${isCancelled('d')} then 'undone' when e.open_agorot = 0 then 'paid'
    else 'waiting' end`

/**
 * The figures of one affiliate, or of all of the operator's, by id. Earned is all that was not reversed, held
 * included.
 */
export async function figuresOf(ctx: Ctx, only?: string): Promise<Map<string, Figures>> {
  const { rows } = await sql<Figures & { id: string }>`select a.affiliate_id as id,
      coalesce((select sum(v.count) from affiliate_links l
      join affiliate_views v on v.company_id = l.company_id and v.link_id = l.id
        where l.company_id = a.company_id and l.affiliate_id = a.affiliate_id), 0)::int as views,
      (select count(*) from affiliate_signups s where s.company_id = a.company_id
      and s.affiliate_id = a.affiliate_id)::int as "signUps",
      (select count(rank) from affiliate_signups s where s.company_id = a.company_id
      and s.affiliate_id = a.affiliate_id and s.state <> 'refused')::int as paying,
      coalesce(k.earned, 0)::bigint as "earnedAgorot", coalesce(k.waiting, 0)::bigint as "waitingAgorot",
      coalesce(k.held, 0)::bigint as "heldAgorot",
      coalesce(k.due, 0)::bigint as "dueAgorot", coalesce(k.paid, 0)::bigint as "paidAgorot"
    from affiliates a left join lateral (
      select sum(c.amount_agorot) as earned,
        sum(c.amount_agorot) filter (where c.payout_id is null and s.state <> 'held'
        and c.due_day > ${ctx.today}) as waiting,
        sum(c.amount_agorot) filter (where c.payout_id is null and s.state = 'held') as held,
        sum(c.amount_agorot) filter (where c.payout_id is null and s.state <> 'held'
        and c.due_day <= ${ctx.today}) as due,
        sum(c.amount_agorot) filter (where c.payout_id is not null) as paid
      from affiliate_commissions c join affiliate_signups s on s.company_id = c.company_id
        and s.client_id = c.client_id
      where c.company_id = a.company_id and c.affiliate_id = a.affiliate_id) k on true
    where a.company_id = ${ctx.companyId}
      and (${only ?? null}::uuid is null or a.affiliate_id = ${only ?? null})`.execute(ctx.tx)
  return new Map(rows.map(({ id, ...figures }) => [id, figures]))
}
