import { sql } from 'kysely'
import type { Day } from '#domain/day.ts'
import type { Ctx } from '#kit/server/context.ts'
import { postLines } from './runs.ts'
import { assetsOf } from './store.ts'

interface Posted {
  day: Day
  from: Day
  to: Day
  isClosed: boolean
  assetId: string
  amount: number
}

/**
 * The bill of an asset was cancelled: nothing was bought, so what was depreciated of it is reversed in the same
 * transaction, in each period on the day it was posted; of a closed period today, because its books are not changed.
 */
export async function takeDepreciationBack(ctx: Ctx, expenseId: string): Promise<void> {
  const { rows } = await sql<Posted>`select e.day, min(r.from_day) as from, max(r.to_day) as to,
      l.asset_id as "assetId", sum(l.amount_agorot)::bigint as amount,
      exists (select 1 from locked_periods p where p.company_id = e.company_id and p.reopened_at is null
        and p.kind in ('month', 'year') and e.day between p.from_day and p.to_day) as "isClosed"
    from fixed_assets t
      join depreciation_lines l on l.company_id = t.company_id and l.asset_id = t.id
      join depreciation_runs r on r.company_id = l.company_id and r.id = l.run_id and r.reversed_at is null
      join entries e on e.company_id = r.company_id and e.id = r.entry_id
    where t.company_id = ${ctx.companyId} and t.expense_id = ${expenseId}
    group by e.company_id, e.day, l.asset_id having sum(l.amount_agorot) <> 0
    order by e.day, l.asset_id`.execute(ctx.tx)
  if (!rows.length) return
  const assets = new Map((await assetsOf(ctx)).map((asset) => [asset.id, asset]))
  for (const day of new Set(rows.map((row) => row.day))) {
    const ofDay = rows.filter((row) => row.day === day)
    const { from, to, isClosed } = ofDay[0]!
    const made = await postLines(
      ctx,
      { kind: 'takenBack', from, to, entryDay: isClosed ? ctx.today : day, details: '' },
      ofDay.map(({ assetId, amount }) => ({ asset: assets.get(assetId)!, amount: -amount })),
    )
    await ctx.audit('depreciation.takeBack', 'depreciation', made.id, undefined, {
      expenseId,
      totalAgorot: made.totalAgorot,
      ...(isClosed ? { ofClosedDay: day } : {}),
    })
  }
}
