import { sql } from 'kysely'
import { splitOver, type Flat, type SplitRule } from '#domain/committee/split.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'

/** A house is shown whole: not to people with customers of their own, nor to whom sums are hidden. */
export function seesHouses({ caller }: Ctx): void {
  if (caller.ownCustomersOnly || caller.hideTotalPrices) throw fail('session.forbidden')
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
  namesDecision: string
}

export async function houseOf(ctx: Ctx, id: string, hold = false): Promise<House> {
  seesHouses(ctx)
  const { rows } =
    await sql<House>`select id, name, address, treasurer, opening_agorot as "openingAgorot", reserve_agorot as "reserveAgorot", opened_on as "openedOn", page_key as "pageKey",
      case when names_decided_on is null then '' else names_decision end as "namesDecision"
    from committee_buildings where company_id = ${ctx.companyId} and id = ${id} and archived_at is null ${hold ? sql`for update` : sql``}`.execute(
      ctx.tx,
    )
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

export interface StoredFlat extends Flat {
  id: string
  entrance: string
  number: string
}

/** The flats of a house, by entrance and as people count. */
export async function flatsOf(ctx: Ctx, buildingId: string): Promise<StoredFlat[]> {
  const { rows } =
    await sql<StoredFlat>`select id, entrance, number, trim_scale(area)::text as area, share_bp as "shareBp", own_agorot as "ownAgorot", is_exempt as "isExempt"
    from committee_flats where company_id = ${ctx.companyId} and building_id = ${buildingId} and archived_at is null
    order by entrance, lpad(number, 10, '0'), id`.execute(ctx.tx)
  return rows
}

/** What each flat pays of a sum; refused where the house lacks what the rule asks for. */
export function splitOrRefuse(flats: readonly Flat[], rule: SplitRule, agorot: number | 'own', path = 'rule'): number[] {
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
