import { sql, type RawBuilder } from 'kysely'
import { costAccountOf, wornAccountOf, type AssetAccount, type AssetKind } from '#domain/assets/kinds.ts'
import type { AssetTerms } from '#domain/assets/worn.ts'
import type { Day } from '#domain/day.ts'
import { debit, reverse, type Posting } from '#domain/ledger/entry.ts'
import { fail, forbidden } from '#kit/describe/errors.ts'
import { seesWhole } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { ensureAccount, post } from '#features/base/ledger/server/index.ts'

export interface StoredAsset {
  id: string
  name: string
  kind: AssetKind
  accountId: string
  expenseId: string | null
  supplierId: string | null
  startDay: Day
  cost: number
  rateBp: number
  rateReason: string
  openingDay: Day | null
  openingWorn: number
  openingEntryId: string | null
  disposedDay: Day | null
  disposal: 'sold' | 'scrapped' | null
  proceeds: number
  disposalEntryId: string | null
  disposalRunId: string | null
  archived: boolean
  /** In the books beyond the opening. */
  posted: number
  /** Of that, what its sale brought. */
  postedBySale: number
}

/** The posted amounts of an asset, by its runs that were not reversed. `t` is the asset. */
export const postedOf = (
  t = 't',
): RawBuilder<number> => sql<number>`coalesce((select sum(l.amount_agorot) from depreciation_lines l
  join depreciation_runs r on r.company_id = l.company_id and r.id = l.run_id
  where l.company_id = ${sql.ref(`${t}.company_id`)} and l.asset_id = ${sql.ref(`${t}.id`)}
    and r.reversed_at is null), 0)::bigint`

/** Assets of the business; those put away only while the books still show something worn of them. */
export async function assetsOf(
  ctx: Ctx,
  { id, lock = false }: { id?: string; lock?: boolean } = {},
): Promise<StoredAsset[]> {
  const { rows } = await sql<StoredAsset>`select t.id, t.name, t.kind, t.account_id as "accountId",
        t.expense_id as "expenseId", t.supplier_id as "supplierId",
      t.start_day as "startDay", t.cost_agorot as cost, t.depreciation_bp as "rateBp",
      t.rate_reason as "rateReason", t.opening_day as "openingDay",
      t.opening_worn_agorot as "openingWorn", t.opening_entry_id as "openingEntryId",
      t.disposed_day as "disposedDay", t.disposal, t.proceeds_agorot as proceeds,
      t.disposal_entry_id as "disposalEntryId", t.disposal_run_id as "disposalRunId",
      t.archived_at is not null as archived, ${postedOf()} as posted,
      coalesce((select l.amount_agorot from depreciation_lines l where l.company_id = t.company_id
      and l.run_id = t.disposal_run_id and l.asset_id = t.id), 0)::bigint
        as "postedBySale"
    from fixed_assets t where t.company_id = ${ctx.companyId} ${id ? sql`and t.id = ${id}` : sql``}
    order by t.start_day, t.id ${lock ? sql`for update of t` : sql``}`.execute(ctx.tx)
  return rows
}

export async function assetOf(ctx: Ctx, id: string, lock = false): Promise<StoredAsset> {
  const [asset] = await assetsOf(ctx, { id, lock })
  if (!asset) throw fail('kit.notFound')
  return asset
}

export const termsOf = (a: StoredAsset): AssetTerms => ({
  cost: a.cost,
  rateBp: a.rateBp,
  startDay: a.startDay,
  openingDay: a.openingDay,
  openingWorn: a.openingWorn,
  disposedDay: a.disposedDay,
})

/** Assets are of the whole business. */
export function refusePartSight(ctx: Ctx): void {
  if (!seesWhole(ctx.caller)) throw forbidden({ sight: 'whole' })
}

async function madeAccount(
  ctx: Ctx,
  of: AssetAccount,
  kind: 'asset' | 'income' | 'expense',
  sortCode: string,
): Promise<string> {
  const { language } = await companyOf(ctx)
  // Those the chart begins with have their words there.
  const isKnown = [
    'equipment',
    'vehicles',
    'computers',
    'furniture',
    'accumulatedDepreciation',
    'depreciation',
  ].includes(of.key)
  const name = isKnown
    ? say(language, `ledger.accounts.${of.key}`)
    : say(language, `assets.accounts.${of.key}`)
  return ensureAccount(ctx, { ...of, kind, sortCode, name })
}

export const costAccount = (ctx: Ctx, kind: AssetKind): Promise<string> =>
  madeAccount(ctx, costAccountOf(kind), 'asset', '200')
export const wornAccount = (ctx: Ctx, kind: AssetKind): Promise<string> =>
  madeAccount(ctx, wornAccountOf(kind), 'asset', '210')
export const expenseAccount = (ctx: Ctx): Promise<string> =>
  madeAccount(ctx, { number: '6180', key: 'depreciation', code6111: '3580' }, 'expense', '850')
export const gainAccount = (ctx: Ctx): Promise<string> =>
  madeAccount(ctx, { number: '4910', key: 'capitalGain', code6111: '5210' }, 'income', '710')
export const lossAccount = (ctx: Ctx): Promise<string> =>
  madeAccount(ctx, { number: '6910', key: 'capitalLoss', code6111: '5310' }, 'expense', '850')

/** The mirror of an entry, on its own day. */
export async function reverseEntry(ctx: Ctx, entryId: string): Promise<string> {
  const { rows } = await sql<{
    day: Day
    reference: string
    account: string
    amount: number
  }>`select p.day, e.reference, p.account_id as account,
      p.amount_agorot as amount from postings p join entries e on e.company_id = p.company_id
      and e.id = p.entry_id
    where p.company_id = ${ctx.companyId} and p.entry_id = ${entryId} order by p.line`.execute(ctx.tx)
  const postings: Posting[] = rows.map((row) => debit(row.account, row.amount))
  return post(ctx, {
    day: rows[0]!.day,
    kind: 'reversal',
    reference: rows[0]!.reference,
    reversesId: entryId,
    postings: reverse(postings),
  })
}
