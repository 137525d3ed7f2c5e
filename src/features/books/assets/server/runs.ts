import { sql } from 'kysely'
import { wornUntil } from '#domain/assets/worn.ts'
import { postDepreciation } from '#domain/assets/postings.ts'
import { addDays, endOfMonth, yearOf, yearPeriod, type Day } from '#domain/day.ts'
import { formatPeriod } from '#domain/format.ts'
import { sum } from '#domain/money.ts'
import { fail } from '#kit/describe/errors.ts'
import { byOf, newId, type Ctx } from '#kit/server/context.ts'
import { post } from '#features/base/ledger/server/index.ts'
import {
  assetsOf,
  expenseAccount,
  refusePartSight,
  reverseEntry,
  termsOf,
  wornAccount,
  type StoredAsset,
} from './store.ts'

async function lastRun(ctx: Ctx): Promise<{ id: string; toDay: Day } | undefined> {
  const { rows } = await sql<{ id: string; toDay: Day }>`select id, to_day as "toDay" from depreciation_runs
    where company_id = ${ctx.companyId} and kind = 'period' and reversed_at is null order by to_day desc
    limit 1`.execute(ctx.tx)
  return rows[0]
}

/** The first day nobody has depreciated: after the last run, or when the first asset came into use. */
async function nextDay(ctx: Ctx, assets: readonly StoredAsset[]): Promise<Day | undefined> {
  const last = await lastRun(ctx)
  if (last) return addDays(last.toDay, 1)
  return assets
    .filter((asset) => !asset.archived)
    .map((asset) => (asset.openingDay ? addDays(asset.openingDay, 1) : asset.startDay))
    .toSorted()[0]
}

/** The entries an asset lacks until a day. For one whose expense was cancelled, all is reversed. */
const missing = (asset: StoredAsset, to: Day): number => {
  if (asset.archived) return -asset.posted
  // An opening that comes later than the day has nothing to add yet.
  const wornBy = (day: Day) =>
    wornUntil(termsOf(asset), day) -
    (asset.openingDay ? (day < asset.openingDay ? wornUntil(termsOf(asset), day) : asset.openingWorn) : 0)
  const lacks = wornBy(to) - asset.posted
  if (!asset.disposedDay || to >= asset.disposedDay) return lacks
  // A sale brings all of it up to its own day, so a run that ends before has only to make up for what was
  // reversed since.
  return Math.min(lacks + asset.postedBySale, wornBy(asset.disposedDay) - asset.posted)
}

async function workOut(ctx: Ctx, to: Day) {
  const assets = await assetsOf(ctx)
  const from = await nextDay(ctx, assets)
  if (!from) throw fail('assets.nothingToPost')
  if (to < from) throw fail('assets.alreadyPosted', { day: addDays(from, -1) })
  // An entry belongs to one tax year.
  if (yearOf(from) !== yearOf(to)) throw fail('assets.yearFirst', { year: yearOf(from) })
  const lines = assets
    .map((asset) => ({ asset, amount: missing(asset, to) }))
    .filter((line) => line.amount !== 0)
  return { from, lines }
}

export async function previewRun(ctx: Ctx, { to }: { to: Day }) {
  refusePartSight(ctx)
  const { from, lines } = await workOut(ctx, to)
  return {
    fromDay: from,
    totalAgorot: sum(lines.map((line) => line.amount)),
    rows: lines.map(({ asset, amount }) => ({
      id: asset.id,
      name: asset.name,
      kind: asset.kind,
      depreciationBp: asset.rateBp,
      amountAgorot: amount,
    })),
  }
}

/** One entry for the lines of a run, which remembers whose they are. */
export async function postLines(
  ctx: Ctx,
  run: { kind: 'period' | 'disposal' | 'takenBack'; from: Day; to: Day; entryDay: Day; details: string },
  lines: readonly { asset: StoredAsset; amount: number }[],
): Promise<{ id: string; entryId: string; totalAgorot: number }> {
  const accounts = new Map<string, string>()
  for (const { asset } of lines)
    if (!accounts.has(asset.kind)) accounts.set(asset.kind, await wornAccount(ctx, asset.kind))
  const totalAgorot = sum(lines.map((line) => line.amount))
  const entryId = await post(ctx, {
    day: run.entryDay,
    kind: 'depreciation',
    reference: formatPeriod({ from: run.from, to: run.to }).slice(0, 40),
    details: run.details,
    postings: postDepreciation(
      lines.map(({ asset, amount }) => ({ worn: accounts.get(asset.kind)!, amount })),
      await expenseAccount(ctx),
    ),
  })
  const id = newId()
  await sql`insert into depreciation_runs (company_id, id, kind, from_day, to_day, total_agorot, entry_id,
      created_by)
    values (${ctx.companyId}, ${id}, ${run.kind}, ${run.from}, ${run.to}, ${totalAgorot}, ${entryId},
      ${byOf(ctx)})`.execute(ctx.tx)
  const rows = lines.map(({ asset, amount }) => ({
    company_id: ctx.companyId,
    run_id: id,
    asset_id: asset.id,
    amount_agorot: amount,
  }))
  await sql`insert into depreciation_lines select *
    from jsonb_populate_recordset(null::depreciation_lines, ${JSON.stringify(rows)}::jsonb)`.execute(ctx.tx)
  return { id, entryId, totalAgorot }
}

/**
 * The depreciation of all assets until a day. What an earlier period lacked (an asset entered late) comes
 * with it.
 */
export async function postRun(ctx: Ctx, { to }: { to: Day }) {
  refusePartSight(ctx)
  // One at a time: the second sees what the first has posted.
  await sql`select 1 from companies where id = ${ctx.companyId} for no key update`.execute(ctx.tx)
  const { from, lines } = await workOut(ctx, to)
  if (!lines.length) throw fail('assets.nothingToPost')
  const made = await postLines(ctx, { kind: 'period', from, to, entryDay: to, details: '' }, lines)
  await ctx.audit('depreciation.post', 'depreciation', made.id, undefined, {
    from,
    to,
    totalAgorot: made.totalAgorot,
  })
  return made
}

export async function reverseRun(ctx: Ctx, { id }: { id: string }) {
  refusePartSight(ctx)
  const { rows } = await sql<{
    kind: string
    entryId: string
    toDay: Day
    reversed: boolean
  }>`select kind, entry_id as "entryId", to_day as "toDay",
    reversed_at is not null as reversed from depreciation_runs where company_id = ${ctx.companyId}
    and id = ${id} for update`.execute(ctx.tx)
  const [run] = rows
  if (!run) throw fail('kit.notFound')
  if (run.reversed) throw fail('assets.reversed')
  // That of a sale is reversed with the sale; of the others the later builds on the earlier.
  if (run.kind !== 'period' || (await lastRun(ctx))?.id !== id) throw fail('assets.notLast')
  await undoRun(ctx, id, run.entryId)
  await ctx.audit('depreciation.reverse', 'depreciation', id, { to: run.toDay }, undefined)
  return { done: true as const }
}

export async function undoRun(ctx: Ctx, id: string, entryId: string): Promise<void> {
  const reversal = await reverseEntry(ctx, entryId)
  await sql`update depreciation_runs set reversed_at = ${ctx.now.toISOString()},
      reverse_entry_id = ${reversal} where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
}

export async function runsOf(ctx: Ctx) {
  refusePartSight(ctx)
  const { rows } = await sql<{
    id: string
    kind: 'period' | 'disposal' | 'takenBack'
    fromDay: Day
    toDay: Day
    totalAgorot: number
    entryId: string
    reversed: boolean
    by: string | null
    createdAt: string
    asset: string | null
  }>`select r.id, r.kind, r.from_day as "fromDay", r.to_day as "toDay", r.total_agorot as "totalAgorot",
      r.entry_id as "entryId", r.reversed_at is not null as reversed,
      u.full_name as by, r.created_at as "createdAt", case when r.kind <> 'period' then (select min(f.name)
      from depreciation_lines l
        join fixed_assets f on f.company_id = l.company_id and f.id = l.asset_id
        where l.company_id = r.company_id and l.run_id = r.id) end as asset
    from depreciation_runs r left join users u on u.id = r.created_by where r.company_id = ${ctx.companyId}
    order by r.to_day desc, r.id desc limit 500`.execute(ctx.tx)
  const assets = await assetsOf(ctx)
  const next = await nextDay(ctx, assets)
  const last = await lastRun(ctx)
  return {
    rows: rows.map((row) => ({ ...row, isLast: row.id === last?.id })),
    assets: assets.filter((asset) => !asset.archived).length,
    nextDay: next ?? null,
    lastDay: next ? yearPeriod(next).to : null,
  }
}

/** Every whole month until a day, for who fills a made-up past. */
export async function postMonths(ctx: Ctx, until: Day): Promise<void> {
  for (;;) {
    const next = await nextDay(ctx, await assetsOf(ctx))
    if (!next || endOfMonth(next) > until || !(await workOut(ctx, endOfMonth(next))).lines.length) return
    await postRun(ctx, { to: endOfMonth(next) })
  }
}
