import { sql } from 'kysely'
import { addDays, addMonths, momentAt, startOfMonth, type Day } from '#domain/day.ts'
import type { Params } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import { failureOf } from '#kit/server/contract/failures.ts'
import { ordered, registerOrders, underOrder } from '#kit/server/rights/authority.ts'
import type { Ctx } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import type { Schedule } from '#kit/server/work/schedules.ts'
import { registerBell, ring } from '#features/people/bell/server/index.ts'
import type { payoutOutcomes } from '../endpoints.ts'
import { countCommissions } from './count.ts'
import { beOperator, operatorOf } from './operator.ts'
import { leastToPay, payOne } from './pay.ts'

type Outcome = (typeof payoutOutcomes)[number]

/** What the monthly pay-out is called where it is kept who set it. */
const payDayKind = 'affiliatePayDays'

/** In the morning, when somebody is there to look at what was made. */
const hour = 6

/** For so long after a changed account it is flagged, and a person checks before it is paid. */
export const warnedDays = 30

registerBell('affiliates.paidOut', 'affiliates.manage')

/** The next day of that number after `after`. */
export function nextPayDay(day: number, after: Day): Day {
  const inMonth = (month: Day): Day => addDays(startOfMonth(month), day - 1)
  const here = inMonth(after)
  return here > after ? here : inMonth(addMonths(startOfMonth(after), 1))
}

export interface Monthly {
  day: number
  nextOn: Day
}

export async function monthlyOf(ctx: Ctx): Promise<Monthly | null> {
  const { rows } = await sql<Monthly>`select day, next_on as "nextOn" from affiliate_pay_days
      where company_id = ${ctx.companyId}`.execute(ctx.tx)
  return rows[0] ?? null
}

/** Sets the day of each month on which what is due is paid out automatically, or turns that off. */
export async function setPayDay(ctx: Ctx, { day }: { day: number | null }): Promise<{ nextOn: Day | null }> {
  beOperator(ctx)
  const before = await monthlyOf(ctx)
  const after = momentAt(ctx.today, hour) > ctx.now ? addDays(ctx.today, -1) : ctx.today
  const nextOn = day === null ? null : nextPayDay(day, after)
  if (day === null)
    await sql`delete from affiliate_pay_days where company_id = ${ctx.companyId}`.execute(ctx.tx)
  else
    await sql`insert into affiliate_pay_days (company_id, day, next_on, set_by)
      values (${ctx.companyId}, ${day}, ${nextOn}, ${ctx.caller.userId})
      on conflict (company_id) do update set day = excluded.day, next_on = excluded.next_on,
        set_by = excluded.set_by`.execute(ctx.tx)
  if (day !== null) await ordered(ctx, payDayKind, ctx.companyId)
  await ctx.audit('affiliates.payDay', 'affiliates', null, before ? { day: before.day } : undefined, { day })
  return { nextOn }
}

interface Due {
  id: string
  amountAgorot: number
  taxId: string | null
  hasAccount: boolean
  accountChanged: boolean
}

/** The next of those who are owed enough and had no turn on that day. */
async function nextDue(ctx: Ctx, on: Day): Promise<Due | undefined> {
  const { rows } = await sql<Due>`select a.affiliate_id as id, k.due as "amountAgorot", p.tax_id as "taxId",
        coalesce(p.bank_account, p.iban, '') <> '' as "hasAccount",
      coalesce(p.bank_changed_at > ${addDays(ctx.today, -warnedDays)}::date, false) as "accountChanged"
    from affiliates a join parties p on p.company_id = a.company_id and p.id = a.supplier_id
      cross join lateral (select coalesce(sum(c.amount_agorot), 0)::bigint as due from affiliate_commissions c
      join affiliate_signups s on s.company_id = c.company_id and s.client_id = c.client_id
        where c.company_id = a.company_id and c.affiliate_id = a.affiliate_id and c.payout_id is null
          and c.due_day <= ${ctx.today} and s.state <> 'held') k
    where a.company_id = ${ctx.companyId} and a.state = 'active' and k.due > 0
      and k.due >= ${await leastToPay(ctx)}
      and not exists (select 1 from affiliate_pay_turns t where t.company_id = a.company_id
      and t.affiliate_id = a.affiliate_id and t.on_day = ${on})
    order by a.affiliate_id limit 1`.execute(ctx.tx)
  return rows[0]
}

/** What requires a person's review before the payout. */
const hindranceOf = ({
  taxId,
  hasAccount,
  accountChanged,
}: Due): Exclude<Outcome, 'paid' | 'refused'> | undefined =>
  !taxId ? 'noTaxId' : !hasAccount ? 'noAccount' : accountChanged ? 'accountChanged' : undefined

interface Refusal {
  code: string
  params: Params
}

/** Pays one, or says why not; a refusal delays nobody else's money. */
async function turnOf(ctx: Ctx, due: Due): Promise<{ outcome: Outcome; refusal: Refusal | null }> {
  const hindrance = hindranceOf(due)
  if (hindrance) return { outcome: hindrance, refusal: null }
  await sql`savepoint payout`.execute(ctx.tx)
  try {
    const paid = await underOrder(ctx, payDayKind, ctx.companyId, (bound) => payOne(bound, due.id))
    return 'done' in paid
      ? { outcome: 'paid', refusal: null }
      : { outcome: 'refused', refusal: { code: 'approvals.needed', params: {} } }
  } catch (e) {
    const failure = failureOf(e)
    if (failure.status >= 500) throw e
    await sql`rollback to savepoint payout`.execute(ctx.tx)
    const { code, params = {} } = failure.errors[0] ?? failure
    return { outcome: 'refused', refusal: { code, params } }
  }
}

/**
 * On its day every affiliate is processed, each in a separate transaction; when all are done it is reported, and the
 * next month waits.
 */
export const duePayDays: Schedule = {
  table: 'affiliate_pay_days',
  key: 'company_id',
  alive: sql`true`,
  at: sql`(t.next_on + make_interval(hours => ${hour})) at time zone 'Asia/Jerusalem'`,
  serve: async (ctx) => {
    const { rows } = await sql<Monthly>`select day, next_on as "nextOn" from affiliate_pay_days
        where company_id = ${ctx.companyId} for update`.execute(ctx.tx)
    const [set] = rows
    if (!set || momentAt(set.nextOn, hour) > ctx.now) return false
    // An operator that sells nothing any more pays nobody automatically.
    if (ctx.companyId === operatorOf(ctx.app)) {
      await countCommissions(ctx)
      const due = await nextDue(ctx, set.nextOn)
      if (due) {
        const { outcome, refusal } = await turnOf(ctx, due)
        await sql`insert into affiliate_pay_turns (company_id, on_day, affiliate_id, outcome, refusal,
            amount_agorot)
          values (${ctx.companyId}, ${set.nextOn}, ${due.id}, ${outcome},
            ${refusal && JSON.stringify(refusal)}, ${due.amountAgorot})`.execute(ctx.tx)
        return true
      }
      await tell(ctx, set.nextOn)
    }
    await sql`update affiliate_pay_days set next_on = ${nextPayDay(set.day, ctx.today)}
      where company_id = ${ctx.companyId}`.execute(ctx.tx)
    return true
  },
}

async function tell(ctx: Ctx, on: Day): Promise<void> {
  const { rows } = await sql<{
    paid: number
    left: number
  }>`select count(*) filter (where outcome = 'paid')::int as paid,
      count(*) filter (where outcome <> 'paid')::int as left
    from affiliate_pay_turns where company_id = ${ctx.companyId} and on_day = ${on}`.execute(ctx.tx)
  const { paid, left } = rows[0]!
  if (!paid && !left) return
  const { rows: people } = await sql<{
    id: string
    rules: number[]
    docsAllow: number[]
  }>`select user_id as id, rules, docs_allow as "docsAllow" from memberships
    where company_id = ${ctx.companyId} and removed_at is null and blocked_at is null`.execute(ctx.tx)
  await ring(
    ctx,
    'affiliates.paidOut',
    { entity: 'affiliates', id: ctx.companyId },
    { paid, left },
    people.filter((one) => can(one, 'affiliates.manage')).map(({ id }) => id),
  )
}

/** Who was left out on the last day, and why; the person who was paid since is no more among them. */
export async function leftOutOf(ctx: Ctx): Promise<
  {
    affiliateId: string
    day: Day
    outcome: Exclude<Outcome, 'paid'>
    refusal: Refusal | null
    amountAgorot: number
  }[]
> {
  const { rows } = await sql<{
    affiliateId: string
    day: Day
    outcome: Exclude<Outcome, 'paid'>
    refusal: Refusal | null
    amountAgorot: number
  }>`
    select t.affiliate_id as "affiliateId", t.on_day as day, t.outcome, t.refusal,
      t.amount_agorot as "amountAgorot" from affiliate_pay_turns t
    where t.company_id = ${ctx.companyId} and t.outcome <> 'paid'
      and t.on_day = (select max(on_day) from affiliate_pay_turns where company_id = ${ctx.companyId})
      and not exists (select 1 from affiliate_payouts y where y.company_id = t.company_id
      and y.affiliate_id = t.affiliate_id and y.made_at > t.at and y.undone_at is null)
    order by t.affiliate_id`.execute(ctx.tx)
  return rows
}

registerOrders(payDayKind, {
  rule: 'affiliates.manage',
  describe: (ctx, ids) =>
    Promise.resolve(
      ids.map((id) => ({
        id,
        title: say(ctx.caller.language, 'affiliates.monthly.title'),
        href: '/invoice/affiliates',
      })),
    ),
  // Those who were left out are paid by hand or on the next day.
  next: (_ctx, ids) => Promise.resolve(ids.map((id) => ({ id, does: [{ effect: 'pay', agorot: 0 }] }))),
  goOn: async () => {},
})
