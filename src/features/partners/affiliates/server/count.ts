import { sql } from 'kysely'
import { addDays, type Day } from '#domain/day.ts'
import { commissionOf, earns, planOn, rateOf } from '#domain/commission/commission.ts'
import type { Ctx } from '#kit/server/context.ts'
import {
  incomeNet,
  asks,
  isCancelled,
  isClosed,
  isCredit,
  isIssued,
  isLive,
  isPaidInvoice,
  isType,
} from '#kit/server/data/documentFacts.ts'
import { plansOf } from './operator.ts'

interface Paper {
  clientId: string
  affiliateId: string
  beganOn: Day
  rank: number | null
  state: 'counted' | 'held' | 'refused'
  id: string
  day: Day
  /** What is left of it before VAT, after its credits; nothing of a cancelled one. */
  left: number
  lastNo: number | null
  base: number
  amount: number
  rateBp: number | null
  dueDay: Day | null
}

/**
 * What a business paid for the product: the papers of its plan at the operator's, each with what is left of
 * it and what was counted of it. Only those about which something is to be done: not counted yet, or no
 * longer what they were.
 */
const changedPapers = (ctx: Ctx) => sql<Paper>`select x.* from (
    select s.client_id as "clientId", s.affiliate_id as "affiliateId", s.signed_up_day as "beganOn", s.rank,
      s.state, d.id, d.day, d.issued_at,
      case when ${isCancelled('d')} or s.state = 'refused' then 0
      else greatest(0, ${incomeNet('d')} - coalesce((select sum(${incomeNet('c')}) from documents c
        where c.company_id = d.company_id and c.source_id = d.id and ${isCredit('c')}
          and ${isLive('c')}), 0)) end::bigint as left,
      m.no as "lastNo", coalesce(m.base, 0)::bigint as base, coalesce(m.amount, 0)::bigint as amount,
      m.rate_bp as "rateBp", m.due_day as "dueDay"
    from affiliate_signups s
      join (select distinct company_id, utm ->> 'utm_business' as business_key, order_id from pay_purchases
        where company_id = ${ctx.companyId} and utm ? 'utm_business' and order_id is not null) p
          on p.company_id = s.company_id and p.business_key = s.business_key
      join standing_periods t on t.company_id = p.company_id and t.order_id = p.order_id
      join documents d on d.company_id = t.company_id and d.id = t.document_id
      left join lateral (select max(no) as no, sum(base_agorot) as base, sum(amount_agorot) as amount,
        max(rate_bp) as rate_bp, max(due_day) as due_day
        from affiliate_commissions k where k.company_id = d.company_id and k.document_id = d.id) m on true
    where s.company_id = ${ctx.companyId} and ${isIssued('d')}
      -- Paid: a receipt in itself, or an invoice or request of which nothing is open. What was counted once is looked at again whatever became of it.
      and (m.no is not null or ${isPaidInvoice('d')}
      or (${isType('d', 'taxInvoice')} and d.open_agorot = 0 and ${isClosed('d')})
      or (${asks('d')} and d.asked_agorot = 0 and ${isClosed('d')}))
  ) x where (x."lastNo" is null and x.left > 0) or (x."lastNo" is not null and x.left <> x.base)
  order by x.issued_at, x.id`

/** Whether anything waits to be counted; asked before anybody else is looked at. */
export const waitsToBeCounted = async (ctx: Ctx): Promise<string[]> => {
  const { rows } = await changedPapers(ctx).execute(ctx.tx)
  return [...new Set(rows.map(({ clientId }) => clientId))]
}

/**
 * Counts what payments earned, and what credits and cancellations reversed, as of now: however often it runs, each
 * document is counted once. A business keeps the rank among its affiliate's that its first payment gave it; a
 * document keeps the share it was first counted by.
 */
export async function countCommissions(ctx: Ctx): Promise<number> {
  const plans = await plansOf(ctx)
  if (!plans.length) return 0
  // Of two who count at once the second waits here, and finds it counted.
  await sql`select 1 from affiliates where company_id = ${ctx.companyId} order by affiliate_id for no key
    update`.execute(ctx.tx)
  await letGo(ctx)
  const { rows } = await changedPapers(ctx).execute(ctx.tx)
  const ranks = new Map<string, number>()
  let count = 0
  for (const paper of rows) {
    if (paper.lastNo !== null) {
      const rateBp = paper.rateBp ?? 0
      await add(ctx, paper, {
        no: paper.lastNo + 1,
        base: paper.left - paper.base,
        rateBp,
        amount: commissionOf(paper.left, rateBp) - paper.amount,
        // The reversal of a payment that waits is settled with it; of one that was paid out, at once.
        dueDay: paper.dueDay && paper.dueDay > ctx.today ? paper.dueDay : ctx.today,
      })
      count++
      continue
    }
    const plan = planOn(plans, paper.day)
    const rank = paper.rank ?? ranks.get(paper.clientId) ?? (await nextRank(ctx, paper))
    ranks.set(paper.clientId, rank)
    const rateBp = plan && earns(plan, paper.beganOn, paper.day) ? rateOf(plan, rank) : 0
    await add(ctx, paper, {
      no: 0,
      base: paper.left,
      rateBp,
      amount: commissionOf(paper.left, rateBp),
      dueDay: addDays(paper.day, plan?.holdDays ?? 0),
    })
    count++
  }
  return count
}

async function nextRank(ctx: Ctx, { affiliateId, clientId }: Paper): Promise<number> {
  const { rows } = await sql<{
    rank: number
  }>`update affiliate_signups s set rank = 1 + coalesce((select max(o.rank) from affiliate_signups o
      where o.company_id = s.company_id and o.affiliate_id = ${affiliateId}), 0)
    where s.company_id = ${ctx.companyId} and s.client_id = ${clientId} returning s.rank`.execute(ctx.tx)
  return rows[0]!.rank
}

const add = (
  ctx: Ctx,
  { id, clientId, affiliateId, day }: Paper,
  row: { no: number; base: number; rateBp: number; amount: number; dueDay: Day },
) =>
  sql`insert into affiliate_commissions (company_id, document_id, no, client_id, affiliate_id, day,
      base_agorot, rate_bp, amount_agorot, due_day)
    values (${ctx.companyId}, ${id}, ${row.no}, ${clientId}, ${affiliateId},
      ${row.no === 0 ? day : ctx.today}, ${row.base}, ${row.rateBp}, ${row.amount}, ${row.dueDay})`.execute(
    ctx.tx,
  )

/** A payout whose invoice was cancelled pays nobody: what was in it waits again. */
async function letGo(ctx: Ctx): Promise<void> {
  const { rows } = await sql<{ id: string }>`update affiliate_payouts p set undone_at = now() from documents d
    where p.company_id = ${ctx.companyId} and d.company_id = p.company_id and d.id = p.document_id
      and ${isCancelled('d')} and p.undone_at is null
    returning p.id`.execute(ctx.tx)
  if (rows.length)
    await sql`update affiliate_commissions set payout_id = null where company_id = ${ctx.companyId}
        and payout_id = any(${rows.map(({ id }) => id)}::uuid[])`.execute(ctx.tx)
}
