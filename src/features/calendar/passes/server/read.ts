import { sql, type RawBuilder } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isLive } from '#kit/server/data/documentFacts.ts'
import type { PassRenewal, PassView } from '../endpoints.ts'

/** Days a pass was or will be frozen, added to its end. */
export const frozenDays = sql`coalesce((select sum(f.to_day - f.from_day + 1) from pass_freezes f
  where f.company_id = p.company_id and f.pass_id = p.id), 0)::int`
/** What is left is never kept: it is what came in less what went out. */
export const visitsLeft = sql`(select coalesce(sum(m.visits), 0) from pass_moves m
  where m.company_id = p.company_id and m.pass_id = p.id)::int`
export const lastDay = sql`(p.to_day + ${frozenDays})`
/** Within a fortnight it is over. */
export const endsSoon = (day: string) => sql`${lastDay} < ${day}::date + 14`
export const isFrozen = (day: string) =>
  sql`exists (select 1 from pass_freezes f where f.company_id = p.company_id and f.pass_id = p.id
      and ${day}::date between f.from_day and f.to_day)`
export const isPaidFor = sql`(not p.paid_first
    or exists (select 1 from documents d where d.company_id = p.company_id and d.id = p.document_id
    and ${isLive('d')}
  and greatest(d.open_agorot, d.asked_agorot) <= 0))`
/**
 * Whether it may be used for a class on a day: it runs, is not frozen then, there are visits, and it is paid
 * where it must be.
 */
export const usable = (day: string) =>
  sql`(p.ended_at is null and ${isPaidFor} and ${day}::date between p.from_day and ${lastDay}
      and not ${isFrozen(day)} and (p.visits is null or ${visitsLeft} > 0))`

export async function passesWhere(ctx: Ctx, condition: RawBuilder<unknown>, most = 500): Promise<PassView[]> {
  const { rows } = await sql<PassView>`select p.id, p.kind_id as "kindId", k.name as "kindName",
        p.customer_id as "customerId", c.name as "customerName", p.visits,
      case when p.visits is not null then ${visitsLeft} end as left,
      ${ctx.caller.hideTotalPrices ? sql`null::bigint` : sql`p.price_agorot`} as "priceAgorot",
      p.from_day as "fromDay",
      ${lastDay}::date as "toDay", case when p.ended_at is not null or ${lastDay} < ${ctx.today}::date
      or (p.visits is not null and ${visitsLeft} <= 0) then 'ended' when not ${isPaidFor} then 'unpaid'
      when p.from_day > ${ctx.today}::date then 'ahead'
        when ${isFrozen(ctx.today)} then 'frozen' else 'active' end as state, ${frozenDays} as "frozenDays",
        k.freeze_days as "freezeDays",
      coalesce((select jsonb_agg(jsonb_build_object('id', w.id, 'name', w.name) order by w.name)
      from pass_people x join parties w on w.company_id = x.company_id and w.id = x.customer_id
        where x.company_id = p.company_id and x.pass_id = p.id and x.customer_id <> p.customer_id), '[]') as
          people,
      p.order_id as "orderId", seen_document(p.company_id, p.document_id) as "documentId",
      (select d.type from documents d where d.company_id = p.company_id and d.id = p.document_id
      and sees_type(d.type)) as
      "documentType"
    from passes p join pass_kinds k on k.company_id = p.company_id and k.id = p.kind_id
    join parties c on c.company_id = p.company_id and c.id = p.customer_id
    where p.company_id = ${ctx.companyId} and ${condition} order by p.ended_at is not null, ${lastDay},
      p.created_at, p.id limit ${most}`.execute(ctx.tx)
  return rows
}

/** The order `o` waits for its first card, and its charge is due: its pass is not paid, as of one that failed. */
export const waitsForCard = (ctx: Ctx): RawBuilder<boolean> =>
  sql<boolean>`(o.state = 'active' and o.means = 'card' and o.card_id is null and o.next_day <= ${ctx.today})`

/** Orders that bring passes, by a condition over `r`; those that are over are not told. */
export async function renewalsWhere(
  ctx: Ctx,
  condition: RawBuilder<unknown>,
  most = 500,
): Promise<PassRenewal[]> {
  const { rows } =
    await sql<PassRenewal>`select r.order_id as "orderId", r.kind_id as "kindId", k.name as "kindName",
        r.customer_id as "customerId", c.name as "customerName",
      coalesce((select jsonb_agg(jsonb_build_object('id', w.id, 'name', w.name) order by w.name)
      from parties w where w.company_id = r.company_id and w.id = any (r.people)), '[]') as people,
      case when ${waitsForCard(ctx)} then 'failing' else o.state end as state,
      case when o.state in ('active', 'failing') then o.next_day end as "nextDay",
      ${ctx.caller.hideTotalPrices ? sql`null::bigint` : sql`o.next_total_agorot`} as "sumAgorot"
    from pass_renewals r join standing_orders o on o.company_id = r.company_id and o.id = r.order_id
    join pass_kinds k on k.company_id = r.company_id and k.id = r.kind_id
    join parties c on c.company_id = r.company_id and c.id = r.customer_id
    where r.company_id = ${ctx.companyId} and o.state not in ('ended', 'cancelled') and ${condition}
    order by c.name, r.created_at, r.order_id limit ${most}`.execute(ctx.tx)
  return rows
}

/** Passes a customer may use, as owner or as one of its people. */
export const mayUse = (customerId: string) =>
  sql`exists (select 1 from pass_people x where x.company_id = p.company_id and x.pass_id = p.id
      and x.customer_id = ${customerId})`

export async function onePass(ctx: Ctx, id: string): Promise<PassView> {
  const [found] = await passesWhere(ctx, sql`p.id = ${id}`, 1)
  if (!found) throw fail('kit.notFound')
  return found
}

/**
 * The pass that pays a class of a kind on a day: of those that may, the one that ends first; with the one
 * that was chosen, that one or none. It is held to the end of the transaction: of two who want its last visit
 * the second looks again when the first is done.
 */
export async function passFor(
  ctx: Ctx,
  customerId: string,
  kindId: string,
  day: string,
  chosen?: string,
): Promise<{ id: string; name: string } | undefined> {
  const ask = async () =>
    (
      await sql<{
        id: string
        name: string
      }>`select p.id, k.name from passes p join pass_kinds k on k.company_id = p.company_id
          and k.id = p.kind_id
        where p.company_id = ${ctx.companyId} and ${mayUse(customerId)} and ${usable(day)}
          and (k.kinds = '{}' or ${kindId}::uuid = any (k.kinds))
          ${chosen ? sql`and p.id = ${chosen}` : sql``}
        order by ${lastDay}, p.visits is null, p.created_at, p.id limit 1`.execute(ctx.tx)
    ).rows[0]
  let found = await ask()
  while (found) {
    await sql`select 1 from passes where company_id = ${ctx.companyId} and id = ${found.id} for
      update`.execute(ctx.tx)
    const again = await ask()
    if (again?.id === found.id) return again
    found = again
  }
  return undefined
}
