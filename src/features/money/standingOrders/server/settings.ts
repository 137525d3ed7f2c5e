import { sql } from 'kysely'
import { usualCampaign, isEnd, type CampaignStep } from '#domain/standingOrders/campaign.ts'
import { momentAt, type Day } from '#domain/day.ts'
import { fail } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import type { Progress } from '../endpoints.ts'

export interface OrderSettings {
  mostMissed: number
  /** On the clock in Jerusalem. */
  hour: number
  ratePerMinute: number
  stoppedAt: string | null
}

export async function settingsOf(ctx: Ctx): Promise<OrderSettings> {
  const { rows } =
    await sql<OrderSettings>`select most_missed as "mostMissed", hour, rate_per_minute as "ratePerMinute",
        stopped_at as "stoppedAt"
    from standing_settings where company_id = ${ctx.companyId}`.execute(ctx.tx)
  return rows[0] ?? { mostMissed: 2, hour: 6, ratePerMinute: 60, stoppedAt: null }
}

export const shownSettings = ({ stoppedAt: _, ...shown }: OrderSettings) => shown

export async function keepSettings(ctx: Ctx, given: Omit<OrderSettings, 'stoppedAt'>) {
  const before = await settingsOf(ctx)
  await sql`insert into standing_settings (company_id, most_missed, hour, rate_per_minute)
    values (${ctx.companyId}, ${given.mostMissed}, ${given.hour}, ${given.ratePerMinute})
    on conflict (company_id) do update set most_missed = excluded.most_missed, hour = excluded.hour,
      rate_per_minute = excluded.rate_per_minute,
      updated_at = now()`.execute(ctx.tx)
  // Charges that wait keep their day and follow the new hour.
  await sql`update standing_orders set next_at = next_at + make_interval(hours => ${given.hour - before.hour})
    where company_id = ${ctx.companyId} and next_at is not null and next_at > ${ctx.now}`.execute(ctx.tx)
  await ctx.audit('standingOrders.settings', 'standingOrders', null, shownSettings(before), given)
  return given
}

/** The moment a charge of a day is made. */
export const morningOf = (day: Day, { hour }: Pick<OrderSettings, 'hour'>): Date => momentAt(day, hour)

/** What the day has come to so far. */
export async function progressOf(ctx: Ctx): Promise<Progress> {
  const { rows } = await sql<Progress>`select
      (select count(*)::int from standing_orders o where o.company_id = ${ctx.companyId}
      and o.next_day <= ${ctx.today} and o.state in ('active', 'failing')) as left,
      count(*) filter (where p.state not in ('skipped', 'failed'))::int as made,
      count(*) filter (where p.state = 'failed')::int as failed,
      count(*) filter (where p.state = 'skipped')::int as skipped,
      coalesce(sum(p.total_agorot) filter (where p.state <> 'skipped'), 0)::bigint as "madeAgorot",
      (select count(*)::int from standing_orders o where o.company_id = ${ctx.companyId} and o.state = 'held')
      as held,
      (select s.stopped_at from standing_settings s where s.company_id = ${ctx.companyId}) as "stoppedAt",
      (select u.full_name from standing_settings s join users u on u.id = s.stopped_by
      where s.company_id = ${ctx.companyId} and s.stopped_at is not null) as "stoppedBy"
    from standing_periods p where p.company_id = ${ctx.companyId}
      and p.made_at >= ${momentAt(ctx.today, 0)}`.execute(ctx.tx)
  return rows[0]!
}

/** The stop button: nothing more is made until it is pressed again. */
export async function stopRun(ctx: Ctx, { stopped }: { stopped: boolean }): Promise<Progress> {
  const before = await settingsOf(ctx)
  if (stopped !== (before.stoppedAt !== null)) {
    await sql`insert into standing_settings (company_id, stopped_at, stopped_by)
      values (${ctx.companyId}, case when ${stopped} then ${ctx.now}::timestamptz end, case
        when ${stopped} then ${ctx.caller.userId}::uuid end)
      on conflict (company_id) do update set stopped_at = excluded.stopped_at,
        stopped_by = excluded.stopped_by, updated_at = now()`.execute(ctx.tx)
    await ctx.audit(stopped ? 'standingOrders.stopAll' : 'standingOrders.goOnAll', 'standingOrders', null)
  }
  return progressOf(ctx)
}

interface Campaign {
  id: string
  name: string
  isUsual: boolean
  steps: CampaignStep[]
  orders: number
}

export async function listCampaigns(ctx: Ctx): Promise<{ rows: Campaign[] }> {
  const { rows } = await sql<Campaign>`select c.id, c.name, c.is_usual as "isUsual", c.steps,
      (select count(*)::int from standing_orders o where o.company_id = c.company_id and o.campaign_id = c.id
      and o.state not in ('ended', 'cancelled')) as orders
    from standing_campaigns c where c.company_id = ${ctx.companyId} and c.archived_at is null
    order by c.is_usual desc, c.name, c.id`.execute(ctx.tx)
  return { rows }
}

/**
 * What is done when a charge of an order fails: its own campaign, the usual one of the business, or the one
 * that most find good.
 */
export async function campaignOf(
  ctx: Ctx,
  campaignId: string | null,
): Promise<{ name: string; steps: readonly CampaignStep[] }> {
  const { rows } =
    await sql<Campaign>`select id, name, steps from standing_campaigns where company_id = ${ctx.companyId}
        and archived_at is null
    and (id = ${campaignId} or is_usual) order by id = ${campaignId} desc nulls last limit 1`.execute(ctx.tx)
  return rows[0] ?? { name: say(ctx.caller.language, 'standingOrders.campaign.usual'), steps: usualCampaign }
}

export async function keepCampaign(
  ctx: Ctx,
  {
    id: known,
    name,
    isUsual,
    steps,
  }: { id?: string | undefined; name: string; isUsual: boolean; steps: CampaignStep[] },
): Promise<{ id: string }> {
  // Each kind of failure ends automatically.
  for (const kind of ['soft', 'hard'])
    if (!steps.some(({ on, deed }) => isEnd(deed) && (on === 'any' || on === kind)))
      throw fail('standingOrders.campaignNeedsEnd')
  const id = known ?? newId()
  if (isUsual)
    await sql`update standing_campaigns set is_usual = false, updated_at = now()
      where company_id = ${ctx.companyId} and is_usual and id <> ${id}`.execute(ctx.tx)
  const kept = known
    ? await sql`update standing_campaigns set name = ${name}, is_usual = ${isUsual},
        steps = ${JSON.stringify(steps)}::jsonb, updated_at = now()
        where company_id = ${ctx.companyId} and id = ${id} and archived_at is null returning id`.execute(
        ctx.tx,
      )
    : await sql`insert into standing_campaigns (company_id, id, name, is_usual, steps)
        values (${ctx.companyId}, ${id}, ${name}, ${isUsual}, ${JSON.stringify(steps)}::jsonb)
        returning id`.execute(ctx.tx)
  if (!kept.rows.length) throw fail('kit.notFound')
  await ctx.audit('standingOrders.campaign', 'standing_campaigns', id, undefined, {
    name,
    isUsual,
    steps: steps.length,
  })
  return { id }
}

export async function dropCampaign(ctx: Ctx, { id }: { id: string }): Promise<{ done: true }> {
  const { rows } = await sql<{
    name: string
  }>`update standing_campaigns set archived_at = now(), is_usual = false, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id} and archived_at is null returning name`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  await sql`update standing_orders set campaign_id = null, updated_at = now()
    where company_id = ${ctx.companyId} and campaign_id = ${id}`.execute(ctx.tx)
  await ctx.audit('standingOrders.dropCampaign', 'standing_campaigns', id, { name: rows[0].name })
  return { done: true }
}
