import { sql } from 'kysely'
import type { z } from 'zod'
import { gainOf, postDisposal } from '#domain/assets/postings.ts'
import { wornUntil } from '#domain/assets/worn.ts'
import { addDays } from '#domain/day.ts'
import { systemAccounts } from '#domain/ledger/chart.ts'
import { credit, debit, entryOf } from '#domain/ledger/entry.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { accountIds, post } from '#features/base/ledger/server/index.ts'
import type { disposeAsset } from '../endpoints.ts'
import { postLines, undoRun } from './runs.ts'
import {
  assetOf,
  gainAccount,
  lossAccount,
  refusePartSight,
  reverseEntry,
  termsOf,
  wornAccount,
} from './store.ts'

/**
 * The opening balance of an asset older than these books: cost and what is worn, against opening balances.
 */
export async function open(ctx: Ctx, { id }: { id: string }) {
  refusePartSight(ctx)
  const asset = await assetOf(ctx, id, true)
  if (asset.expenseId || asset.archived) throw fail('assets.notOpening')
  if (asset.openingEntryId) throw fail('assets.opened')
  if (asset.disposedDay) throw fail('assets.disposed')
  const accounts = await accountIds(ctx)
  const entryId = await post(ctx, {
    day: asset.openingDay ?? asset.startDay,
    kind: 'opening',
    details: asset.name,
    postings: entryOf([
      debit(asset.accountId, asset.cost),
      credit(await wornAccount(ctx, asset.kind), asset.openingWorn),
      credit(accounts.of('openingBalances'), asset.cost - asset.openingWorn),
    ]),
  })
  await sql`update fixed_assets set opening_entry_id = ${entryId}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('fixedassets.open', 'fixedassets', id, undefined, {
    costAgorot: asset.cost,
    wornAgorot: asset.openingWorn,
  })
  return { entryId }
}

/** The account of a sale's proceeds: no card of a customer or supplier, whose balance is the open items. */
async function proceedsAccount(ctx: Ctx, accountId: string | null | undefined): Promise<string> {
  if (!accountId) throw failField('accountId', 'fields.need')
  const { rows } = await sql<{
    number: string
  }>`select number from accounts where company_id = ${ctx.companyId} and id = ${accountId}`.execute(ctx.tx)
  if (!rows[0]) throw failField('accountId', 'fields.ref')
  if (rows[0].number === systemAccounts.customers || rows[0].number === systemAccounts.suppliers)
    throw failField('accountId', 'ledger.controlAccount', { number: rows[0].number })
  return accountId
}

/** Sale or scrap: what the books lack until the day is depreciated, then the asset leaves them. */
export async function dispose(
  ctx: Ctx,
  { id, how, date, proceedsAgorot = 0, accountId }: z.output<typeof disposeAsset.input>,
) {
  refusePartSight(ctx)
  const asset = await assetOf(ctx, id, true)
  if (asset.disposedDay || asset.archived) throw fail('assets.disposed')
  if (date > ctx.today) throw failField('date', 'expenses.dateInFuture')
  if (date < asset.startDay) throw failField('date', 'assets.beforeUse')
  if (asset.openingDay && date <= asset.openingDay) throw failField('date', 'assets.beforeOpening')
  const proceeds = how === 'sold' ? proceedsAgorot : 0
  const proceedsOn = proceeds ? await proceedsAccount(ctx, accountId) : undefined
  const worn = wornUntil({ ...termsOf(asset), disposedDay: date }, date)
  const lacks = worn - asset.openingWorn - asset.posted
  const last = addDays(date, -1) < asset.startDay ? date : addDays(date, -1)
  const run = lacks
    ? await postLines(
        ctx,
        { kind: 'disposal', from: asset.startDay, to: last, entryDay: date, details: asset.name },
        [{ asset, amount: lacks }],
      )
    : undefined
  const of = { cost: asset.cost, worn, proceeds }
  const entryId = await post(ctx, {
    day: date,
    kind: 'assetDisposal',
    details: asset.name,
    postings: postDisposal(of, {
      cost: asset.accountId,
      worn: await wornAccount(ctx, asset.kind),
      proceeds: proceedsOn,
      gain: await gainAccount(ctx),
      loss: await lossAccount(ctx),
    }),
  })
  await sql`update fixed_assets set disposed_day = ${date}, disposal = ${how}, proceeds_agorot = ${proceeds},
      disposal_entry_id = ${entryId},
    disposal_run_id = ${run?.id ?? null}, updated_at = now() where company_id = ${ctx.companyId}
    and id = ${id}`.execute(ctx.tx)
  await ctx.audit('fixedassets.dispose', 'fixedassets', id, undefined, {
    how,
    date,
    proceedsAgorot: proceeds,
    gainAgorot: gainOf(of),
  })
  return { entryId, gainAgorot: gainOf(of) }
}

/** The sale did not happen: its entries are reversed and the asset is in use again. */
export async function undispose(ctx: Ctx, { id }: { id: string }) {
  refusePartSight(ctx)
  const asset = await assetOf(ctx, id, true)
  if (!asset.disposedDay || !asset.disposalEntryId) throw fail('assets.notDisposed')
  await reverseEntry(ctx, asset.disposalEntryId)
  if (asset.disposalRunId) {
    const { rows } = await sql<{ entryId: string }>`select entry_id as "entryId" from depreciation_runs
      where company_id = ${ctx.companyId} and id = ${asset.disposalRunId}`.execute(ctx.tx)
    await undoRun(ctx, asset.disposalRunId, rows[0]!.entryId)
  }
  await sql`update fixed_assets set disposed_day = null, disposal = null, proceeds_agorot = 0,
      disposal_entry_id = null, disposal_run_id = null, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('fixedassets.undispose', 'fixedassets', id, { date: asset.disposedDay }, undefined)
  return { done: true as const }
}
