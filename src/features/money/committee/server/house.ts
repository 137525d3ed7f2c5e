import { sql } from 'kysely'
import type { ReminderRhythm } from '#domain/committee/reminding.ts'
import { splitOver, type Flat, type SplitRule } from '#domain/committee/split.ts'
import { fail, forbidden, failField } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'

/** What the payment pages of a house's tenants are called where it is kept who ordered what they ask for. */
export const tenantKind = 'committeePages'
/** What the reminders of a house are called where it is kept who ordered them. */
export const reminderKind = 'committeeReminders'

/** What waits of a house, for both kinds. */
export async function describeHouses(ctx: Ctx, ids: readonly string[]) {
  const { rows } = await sql<{ id: string; title: string }>`select id, name as title from committee_buildings
    where company_id = ${ctx.companyId} and id = any (${ids}::uuid[])`.execute(ctx.tx)
  return rows.map(({ id, title }) => ({ id, title, href: `/invoice/vaadpaymonth?house=${id}` }))
}

/**
 * A house is shown as a whole: not to people who see only their own customers, nor to people from whom amounts are
 * hidden.
 */
export function seesHouses({ caller }: Ctx): void {
  if (caller.hideTotalPrices) throw forbidden({ sight: 'figures' })
  if (caller.ownCustomersOnly) throw forbidden({ sight: 'customers' })
}

/**
 * Members who may collect; they are notified of what cannot be done automatically. The bell leaves out members
 * who are blocked or removed.
 */
export async function collectors(ctx: Ctx): Promise<string[]> {
  const { rows } = await sql<{
    id: string
    rules: number[]
    docsAllow: number[]
  }>`select user_id as id, rules, docs_allow as "docsAllow" from memberships
    where company_id = ${ctx.companyId} and not own_customers_only and not hide_total_prices`.execute(ctx.tx)
  return rows.filter((one) => can(one, 'committee.change')).map(({ id }) => id)
}

export interface House {
  id: string
  name: string
  address: string
  treasurer: string
  openingAgorot: number
  reserveAgorot: number
  openedOn: string
  pageKey: string | null
  ownerCopyDays: number | null
  namesDecision: string
  reminders: { every: ReminderRhythm; firstDay: string; nextOn: string } | null
}

export async function houseOf(ctx: Ctx, id: string, hold = false): Promise<House> {
  seesHouses(ctx)
  const { rows } = await sql<House>`select id, name, address, treasurer, opening_agorot as "openingAgorot",
        reserve_agorot as "reserveAgorot", opened_on as "openedOn", page_key as "pageKey",
        owner_copy_days as "ownerCopyDays",
      case when names_decided_on is null then '' else names_decision end as "namesDecision",
      case when remind_on is not null then jsonb_build_object('every', remind_every, 'firstDay', remind_from,
      'nextOn', remind_on) end as reminders
    from committee_buildings where company_id = ${ctx.companyId} and id = ${id}
      and archived_at is null ${hold ? sql`for update` : sql``}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

export interface StoredFlat extends Flat {
  id: string
  entrance: string
  number: string
  floor: number | null
}

/** The flats of a house, by entrance and as people count. */
export async function flatsOf(ctx: Ctx, buildingId: string): Promise<StoredFlat[]> {
  const { rows } =
    await sql<StoredFlat>`select f.id, f.entrance, f.number, f.floor, trim_scale(f.area)::text as area,
        f.share_bp as "shareBp", f.own_agorot as "ownAgorot", f.is_exempt as "isExempt",
        w.weight as "floorWeight"
    from committee_flats f left join committee_floors w on w.company_id = f.company_id
      and w.building_id = f.building_id and w.floor = f.floor
    where f.company_id = ${ctx.companyId} and f.building_id = ${buildingId} and f.archived_at is null
    order by f.entrance, lpad(f.number, 10, '0'), f.id`.execute(ctx.tx)
  return rows
}

/** What each flat pays of a sum; refused where the house lacks what the rule asks for. */
export function splitOrRefuse(
  flats: readonly Flat[],
  rule: SplitRule,
  agorot: number | 'own',
  path = 'rule',
): number[] {
  const parts = splitOver(flats, rule, agorot)
  if (typeof parts === 'string') throw failField(path, `committee.${parts}`)
  return parts
}

/** Months from the first to the last, 'YYYY-MM-01'. */
export function monthsBetween(from: string, to: string): string[] {
  const months: string[] = []
  for (let [year, month] = from.split('-').map(Number) as [number, number]; ;) {
    const one = `${year}-${String(month).padStart(2, '0')}`
    if (one > to.slice(0, 7)) return months
    months.push(`${one}-01`)
    ;[year, month] = month === 12 ? [year + 1, 1] : [year, month + 1]
  }
}
