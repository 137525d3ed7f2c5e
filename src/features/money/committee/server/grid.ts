import { sql } from 'kysely'
import { can } from '#kit/describe/session.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import type { Ctx } from '#kit/server/context.ts'
import { expenseTypeName } from '#features/purchases/expenses/server/index.ts'
import type { Grid, GridRow, Levy } from '../endpoints.ts'
import { flatsOf, houseOf, type House } from './house.ts'

interface DueRow {
  flatId: string
  month: string
  agorot: number
  paid: number
  isExempt: boolean
}

/** The balance of a house's fund on a day: the opening balance, income and expenses. */
export async function balanceOf(
  ctx: Ctx,
  house: Pick<House, 'id' | 'openingAgorot'>,
  until: string,
): Promise<number> {
  const { rows } = await sql<{ came: number; went: number }>`select
      (select coalesce(sum(y.agorot), 0) from committee_payments y
      join committee_flats f on f.company_id = y.company_id and f.id = y.flat_id
        where y.company_id = ${ctx.companyId} and f.building_id = ${house.id} and y.cancelled_at is null
          and y.day <= ${until})::bigint as came,
      (select coalesce(sum(e.ils_total_agorot), 0) from committee_expenses x
      join expenses e on e.company_id = x.company_id and e.id = x.expense_id
        where x.company_id = ${ctx.companyId} and x.building_id = ${house.id}
          and e.state not in ('cancelled', 'rejected', 'draft') and e.day <= ${until})::bigint as
          went`.execute(ctx.tx)
  return house.openingAgorot + rows[0]!.came - rows[0]!.went
}

/** What each flat owes of months up to one, with whom it is owed by. */
export async function debtsOf(
  ctx: Ctx,
  buildingId: string,
  until: string,
): Promise<{ flatId: string; flat: string; payerId: string | null; payer: string | null; agorot: number }[]> {
  const { rows } = await sql<{
    flatId: string
    flat: string
    payerId: string | null
    payer: string | null
    agorot: number
  }>`
    select f.id as "flatId", concat_ws('/', nullif(f.entrance, ''), f.number) as flat,
      d.payer_id as "payerId", p.name as payer, sum(d.agorot - d.paid_agorot)::bigint as agorot
    from committee_dues d join committee_flats f on f.company_id = d.company_id and f.id = d.flat_id left
    join parties p on p.company_id = d.company_id and p.id = d.payer_id
    where d.company_id = ${ctx.companyId} and f.building_id = ${buildingId} and d.paid_agorot < d.agorot
      and d.month <= ${until}
    group by f.id, f.entrance, f.number, d.payer_id, p.name order by f.entrance, lpad(f.number, 10, '0'),
      p.name`.execute(ctx.tx)
  return rows
}

export async function leviesOf(ctx: Ctx, buildingId: string): Promise<Levy[]> {
  const { rows } = await sql<Levy>`select l.id, l.name, l.purpose, l.rule, l.agorot, l.instalments,
        l.first_month as "firstMonth", l.decided_on as "decidedOn", l.votes_for as "votesFor",
        l.votes_against as "votesAgainst",
      coalesce((select sum(d.paid_agorot) from committee_dues d where d.company_id = l.company_id
      and d.levy_id = l.id), 0)::bigint as "paidAgorot",
      greatest(0, least(l.instalments,
      (extract(year from age(${ctx.today}::date, l.first_month)) * 12 +
      extract(month from age(${ctx.today}::date, l.first_month)))::int + case
      when l.first_month <= ${ctx.today} then 1 else 0 end)) as "instalmentsDue",
      (select count(distinct d.payer_id) from committee_dues d where d.company_id = l.company_id
      and d.levy_id = l.id and d.paid_agorot < d.agorot
        and not exists (select 1 from committee_levy_asks a where a.company_id = d.company_id
        and a.levy_id = d.levy_id and a.customer_id = d.payer_id))::int as "toAsk",
      (select count(distinct d.payer_id) from committee_dues d where d.company_id = l.company_id
      and d.levy_id = l.id and d.paid_agorot < d.agorot and d.month <= ${ctx.today})::int as owing
    from committee_levies l where l.company_id = ${ctx.companyId} and l.building_id = ${buildingId}
      and l.cancelled_at is null order by l.decided_on desc, l.id`.execute(ctx.tx)
  return rows
}

/** The months of a year by the flats of a house; of a levy its own months. */
export async function gridOf(
  ctx: Ctx,
  {
    id,
    year = Number(ctx.today.slice(0, 4)),
    levyId,
  }: { id: string; year?: number | undefined; levyId?: string | undefined },
): Promise<Grid> {
  const house = await houseOf(ctx, id)
  const flats = await flatsOf(ctx, id)
  const levies = await leviesOf(ctx, id)
  const { rows: dues } =
    await sql<DueRow>`select d.flat_id as "flatId", d.month, d.agorot, d.paid_agorot as paid,
        d.is_exempt as "isExempt" from committee_dues d
      join committee_flats f on f.company_id = d.company_id and f.id = d.flat_id
    where d.company_id = ${ctx.companyId} and f.building_id = ${id}
      and ${
        levyId
          ? sql`d.levy_id =
          ${levyId}`
          : sql`d.kind in ('month', 'opening') and d.month between ${`${year}-01-01`}
              and ${`${year}-12-01`}`
      }`.execute(ctx.tx)
  const months = levyId
    ? [...new Set(dues.map((due) => due.month))].toSorted()
    : Array.from({ length: 12 }, (_, i) => `${year}-${String(i + 1).padStart(2, '0')}-01`)
  const debts = await debtsOf(ctx, id, ctx.today)
  const { rows: payers } = await sql<{
    flatId: string
    payerId: string
    payer: string
    role: string
    splitBp: number | null
  }>`select p.flat_id as "flatId", p.customer_id as "payerId", c.name as payer, p.role,
      p.split_bp as "splitBp" from committee_people p
      join committee_flats f on f.company_id = p.company_id and f.id = p.flat_id
      join parties c on c.company_id = p.company_id and c.id = p.customer_id
    where p.company_id = ${ctx.companyId} and f.building_id = ${id} and p.pays and p.archived_at is null
      and p.from_day <= ${ctx.today} and (p.to_day is null or p.to_day >= ${ctx.today})
      order by p.from_day, p.id`.execute(ctx.tx)
  const { rows: last } = await sql<{
    flatId: string
    means: number
    ahead: number
  }>`select y.flat_id as "flatId", (array_agg(y.means order by y.day desc, y.created_at desc))[1] as means,
      sum(y.ahead_agorot)::bigint as ahead
    from committee_payments y join committee_flats f on f.company_id = y.company_id and f.id = y.flat_id
    where y.company_id = ${ctx.companyId} and f.building_id = ${id} and y.cancelled_at is null
    group by 1`.execute(ctx.tx)
  const thisMonth = `${ctx.today.slice(0, 7)}-01`
  const rows = flats.map((flat): GridRow => {
    const own = payers.filter((one) => one.flatId === flat.id)
    const payer = own[0]
    const paid = last.find((one) => one.flatId === flat.id)
    return {
      flatId: flat.id,
      entrance: flat.entrance,
      number: flat.number,
      payerId: payer?.payerId ?? null,
      payer: own.length ? own.map((one) => one.payer).join(' + ') : null,
      payers: own.map(({ payerId, payer: name, splitBp }) => ({
        id: payerId,
        name,
        splitBp,
        debtAgorot: debts
          .filter((one) => one.flatId === flat.id && one.payerId === payerId)
          .reduce((sum, one) => sum + one.agorot, 0),
      })),
      role: payer?.role ?? null,
      means: paid?.means ?? null,
      cells: months.map((month) => {
        const of = dues.filter((due) => due.flatId === flat.id && due.month === month)
        const [agorot, paidAgorot] = [
          of.reduce((sum, due) => sum + due.agorot, 0),
          of.reduce((sum, due) => sum + due.paid, 0),
        ]
        const state = !of.length
          ? 'none'
          : agorot === 0
            ? 'exempt'
            : paidAgorot >= agorot
              ? 'paid'
              : month > thisMonth && paidAgorot === 0
                ? 'ahead'
                : paidAgorot > 0
                  ? 'part'
                  : 'open'
        return { month, state, agorot, paidAgorot }
      }),
      debtAgorot: debts.filter((one) => one.flatId === flat.id).reduce((sum, one) => sum + one.agorot, 0),
      aheadAgorot: paid?.ahead ?? 0,
    }
  })
  const spent = await spentOf(ctx, id, year)
  const { rows: came } = await sql<{
    agorot: number
  }>`select coalesce(sum(y.agorot), 0)::bigint as agorot from committee_payments y
    join committee_flats f on f.company_id = y.company_id and f.id = y.flat_id
    where y.company_id = ${ctx.companyId} and f.building_id = ${id} and y.cancelled_at is null
      and y.day between ${`${year}-01-01`} and ${`${year}-12-31`}`.execute(ctx.tx)
  const { rows: expected } = await sql<{
    agorot: number
  }>`select coalesce(sum(d.agorot), 0)::bigint as agorot from committee_dues d
    join committee_flats f on f.company_id = d.company_id and f.id = d.flat_id
    where d.company_id = ${ctx.companyId} and f.building_id = ${id} and d.month between ${`${year}-01-01`}
      and least(${`${year}-12-31`}::date, ${ctx.today}::date)`.execute(ctx.tx)
  const { rows: rate } = await sql<
    NonNullable<Grid['building']['rate']>
  >`select rule, agorot, from_month as "fromMonth" from committee_rates where company_id = ${ctx.companyId}
      and building_id = ${id}
    and from_month <= ${ctx.today} order by from_month desc limit 1`.execute(ctx.tx)
  return {
    building: {
      id,
      name: house.name,
      treasurer: house.treasurer,
      pageUrl:
        house.pageKey && can(ctx.caller, 'committee.see')
          ? `${siteOf(ctx.app)}/vaadpage/${house.pageKey}`
          : null,
      namesDecision: house.namesDecision,
      rate: rate[0] ?? null,
      reminders: house.reminders,
      floors: [
        ...new Map(
          flats.flatMap(({ floor, floorWeight: weight }) =>
            floor === null ? [] : [[floor, { floor, weight }] as const],
          ),
        ).values(),
      ].toSorted((a, b) => a.floor - b.floor),
    },
    year,
    firstYear: Number(house.openedOn.slice(0, 4)),
    months,
    rows,
    levies,
    spent: spent.map(({ files, ...one }) => ({ ...one, files: files.length })),
    figures: {
      collectedAgorot: came[0]!.agorot,
      expectedAgorot: expected[0]!.agorot,
      spentAgorot: spent.reduce((sum, one) => sum + one.agorot, 0),
      balanceAgorot: await balanceOf(ctx, house, ctx.today),
      reserveAgorot: house.reserveAgorot,
      debtAgorot: debts.reduce((sum, one) => sum + one.agorot, 0),
      owing: new Set(debts.map((one) => one.flatId)).size,
    },
  }
}

interface Spent {
  expenseId: string
  day: string
  supplier: string
  type: string
  said: string
  levy: string | null
  agorot: number
  files: { id: string; name: string }[]
}

/** What a house spent in a year, with its papers, the newest first. */
export async function spentOf(ctx: Ctx, buildingId: string, year: number): Promise<Spent[]> {
  const { rows } =
    await sql<Spent>`select e.id as "expenseId", e.day, coalesce(p.name, '') as supplier, x.said,
        l.name as levy, e.ils_total_agorot as agorot,
      ${expenseTypeName(ctx.caller.language)} as type,
      (select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'name', k.name) order by k.created_at), '[]')
      from file_links i join files k on k.company_id = i.company_id and k.id = i.file_id
        where i.company_id = e.company_id and i.entity = 'expenses' and i.entity_id = e.id) as files
    from committee_expenses x join expenses e on e.company_id = x.company_id and e.id = x.expense_id left
    join parties p on p.company_id = e.company_id and p.id = e.supplier_id
      left join expense_types t on t.company_id = e.company_id and t.id = e.type_id left
      join committee_levies l on l.company_id = x.company_id and l.id = x.levy_id
    where x.company_id = ${ctx.companyId} and x.building_id = ${buildingId}
      and e.state not in ('cancelled', 'rejected', 'draft') and e.day between ${`${year}-01-01`}
      and ${`${year}-12-31`}
    order by e.day desc, e.id`.execute(ctx.tx)
  return rows
}
