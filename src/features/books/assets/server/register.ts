import { sql } from 'kysely'
import { lawfulRate, type AssetKind } from '#domain/assets/kinds.ts'
import { gainOf } from '#domain/assets/postings.ts'
import { planOf, wornUntil } from '#domain/assets/worn.ts'
import { addDays, isDay, yearOf, type Day } from '#domain/day.ts'
import { systemAccounts } from '#domain/ledger/chart.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { checkWithin, wholeShare } from '#kit/server/contract/bounds.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { Implementation } from '#kit/server/contract/implement.ts'
import { serveResource, type ServedResource } from '#kit/server/described/resources.ts'
import { entryLinesOf } from '#features/base/ledger/server/index.ts'
import { fixedAssets } from '../assets.ts'
import { assetOf, costAccount, postedOf, refusePartSight, termsOf } from './store.ts'

const worn = (until: Day) =>
  sql`asset_worn(t.cost_agorot, t.depreciation_bp, t.start_day, t.opening_day, t.opening_worn_agorot,
      t.disposed_day, ${until}::date)`

const served = (today: Day): ServedResource => ({
  resource: fixedAssets,
  refuses: ['assets.posted'],
  compute: {
    wornAgorot: worn(today),
    // What was sold is no longer there.
    leftAgorot: sql`case when t.disposed_day <= ${today}::date then 0 else t.cost_agorot - ${worn(today)}
        end`,
    yearAgorot: sql`(${worn(today)} - ${worn(addDays(`${yearOf(today)}-01-01`, -1))})`,
    postedAgorot: sql`(t.opening_worn_agorot + ${postedOf()})`,
    state: sql`case when t.disposal is not null then t.disposal when ${worn(today)} >= t.cost_agorot then
        'worn' else 'inUse' end`,
  },
  refNames: {
    accountId: sql`(select a.name from accounts a where a.company_id = t.company_id and a.id = t.account_id)`,
    supplierId: sql`(select p.name from parties p where p.company_id = t.company_id
        and p.id = t.supplier_id)`,
    expenseId: sql`(select e.supplier_number from expenses e where e.company_id = t.company_id
        and e.id = t.expense_id)`,
  },
  beforeSave,
  beforeMove: async (ctx, row) => {
    const asset = await assetOf(ctx, String(row.id))
    if (asset.expenseId) throw fail('assets.fromExpense')
    if (asset.posted || asset.openingEntryId || asset.disposedDay) throw fail('assets.posted')
  },
})

/** What its depreciation in the books was worked out from. */
const grounds = [
  'kind',
  'accountId',
  'startDay',
  'costAgorot',
  'depreciationBp',
  'openingDay',
  'openingWornAgorot',
] as const

async function beforeSave(
  ctx: Ctx,
  given: Record<string, unknown>,
  before: Record<string, unknown> | undefined,
) {
  const values = { ...given }
  const changed = grounds.filter((name) => name in values && (!before || before[name] !== values[name]))
  if (before) {
    const asset = await assetOf(ctx, String(before.id))
    if (
      asset.expenseId &&
      changed.some((name) => ['accountId', 'costAgorot', 'openingDay', 'openingWornAgorot'].includes(name))
    )
      throw fail('assets.fromExpense')
    if (changed.length && (asset.posted || asset.openingEntryId || asset.disposedDay))
      throw fail('assets.posted')
  }
  const all = { ...before, ...values } as {
    kind: AssetKind
    accountId?: string | null
    startDay: Day
    costAgorot: number
    depreciationBp?: number | null
    rateReason?: string | null
    openingDay?: Day | null
    openingWornAgorot?: number | null
  }
  checkWithin('costAgorot', all.costAgorot, { min: 1 })
  if (isDay(all.startDay) && all.startDay > ctx.today) throw failField('startDay', 'expenses.dateInFuture')
  const lawful = lawfulRate(all.kind, all.startDay)
  if (all.depreciationBp == null) {
    if (lawful === undefined) throw failField('depreciationBp', 'fields.need')
    values.depreciationBp = lawful
  } else {
    checkWithin('depreciationBp', all.depreciationBp, wholeShare)
    if (
      changed.some((name) => name === 'depreciationBp' || name === 'kind') &&
      all.depreciationBp !== lawful &&
      !all.rateReason?.trim()
    )
      throw failField('rateReason', 'assets.needReason')
  }
  const openingWorn = all.openingWornAgorot ?? 0
  checkWithin('openingWornAgorot', openingWorn, { min: 0, max: all.costAgorot })
  if (!all.openingDay && openingWorn) throw failField('openingDay', 'fields.need')
  if (all.openingDay && (all.openingDay < all.startDay || all.openingDay > ctx.today))
    throw failField('openingDay', 'assets.openingDay')
  if (values.accountId) {
    const { rows } = await sql<{
      kind: string
      number: string
    }>`select kind, number from accounts where company_id = ${ctx.companyId}
        and id = ${values.accountId}`.execute(ctx.tx)
    if (!rows[0]) throw failField('accountId', 'fields.ref')
    if (rows[0].kind !== 'asset') throw failField('accountId', 'assets.accountKind')
    if (rows[0].number === systemAccounts.customers)
      throw failField('accountId', 'ledger.controlAccount', { number: rows[0].number })
  } else if (!before || 'accountId' in values) values.accountId = await costAccount(ctx, all.kind)
  return values
}

let made: { today: Day; set: Implementation[] } | undefined

/** Ages change with the day: made once for each. */
export const registerImplementations: Implementation[] = serveResource(served('2026-01-01')).map(
  (one, i) => ({
    ...one,
    inside: (ctx: Ctx, input: never) => {
      if (made?.today !== ctx.today) made = { today: ctx.today, set: serveResource(served(ctx.today)) }
      return made.set[i]!.inside!(ctx, input)
    },
  }),
)

export async function pageOf(ctx: Ctx, { id }: { id: string }) {
  refusePartSight(ctx)
  const asset = await assetOf(ctx, id)
  const terms = termsOf(asset)
  const { rows: names } = await sql<{
    accountName: string
    supplierName: string | null
    expenseNumber: string | null
  }>`select
      (select a.number || ' ' || a.name from accounts a where a.company_id = t.company_id
      and a.id = t.account_id) as "accountName",
      (select p.name from parties p where p.company_id = t.company_id and p.id = t.supplier_id) as
      "supplierName",
      (select e.supplier_number from expenses e where e.company_id = t.company_id and e.id = t.expense_id) as
      "expenseNumber"
    from fixed_assets t where t.company_id = ${ctx.companyId} and t.id = ${id}`.execute(ctx.tx)
  const { rows: posted } = await sql<{
    year: number
    amount: number
  }>`select extract(year from r.to_day)::int as year, sum(l.amount_agorot)::bigint as amount
    from depreciation_lines l join depreciation_runs r on r.company_id = l.company_id and r.id = l.run_id
    where l.company_id = ${ctx.companyId} and l.asset_id = ${id} and r.reversed_at is null
    group by 1`.execute(ctx.tx)
  // Of a run only what is in an entry of this asset alone; a run of all assets counts by its share in the plan.
  const own = sql`select
      unnest(array[t.opening_entry_id, t.disposal_entry_id, (select r.entry_id from depreciation_runs r
      where r.company_id = t.company_id and r.id = t.disposal_run_id)]) from fixed_assets t
      where t.company_id = ${ctx.companyId} and t.id = ${id}`
  const inUseUntil = asset.disposedDay && asset.disposedDay <= ctx.today ? asset.disposedDay : ctx.today
  return {
    name: asset.name,
    kind: asset.kind,
    accountId: asset.accountId,
    ...names[0]!,
    startDay: asset.startDay,
    costAgorot: asset.cost,
    depreciationBp: asset.rateBp,
    lawfulBp: lawfulRate(asset.kind, asset.startDay) ?? null,
    rateReason: asset.rateReason,
    openingDay: asset.openingDay,
    openingWornAgorot: asset.openingWorn,
    openingPosted: asset.openingEntryId !== null,
    expenseId: asset.expenseId,
    disposal: asset.disposal,
    disposedDay: asset.disposedDay,
    proceedsAgorot: asset.proceeds,
    gainAgorot: asset.disposedDay
      ? gainOf({ cost: asset.cost, worn: wornUntil(terms, asset.disposedDay), proceeds: asset.proceeds })
      : null,
    archived: asset.archived,
    wornAgorot: wornUntil(terms, inUseUntil),
    postedAgorot: asset.openingWorn + asset.posted,
    years: planOf(terms).map(({ year, depreciation, worn: gone, left }) => ({
      year,
      depreciationAgorot: depreciation,
      wornAgorot: gone,
      leftAgorot: left,
      postedAgorot: posted.find((one) => one.year === year)?.amount ?? 0,
    })),
    entries: await entryLinesOf(ctx, own),
  }
}
