import { sql } from 'kysely'
import { assetKindNames } from '#domain/assets/kinds.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, money, percent, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/described/reports.ts'

/**
 * Form yod-alef (1342): for a tax year, or a part of it, what each asset cost, what came and went, its rate,
 * the depreciation of the period, what is worn and what is left. Worked out from the register, not from what
 * was posted.
 */
export const formYodAlef = defineReport({
  name: 'formYodAlef',
  feature: 'assets',
  group: 'tax',
  path: '/invoice/reportfixedassets',
  allow: 'assets.see',
  filters: { from: day({ need: true }), to: day({ need: true }) },
  columns: {
    kind: choice(assetKindNames, { words: 'fixedassets.kind' }),
    name: text(),
    startDay: day(),
    disposedDay: day(),
    openingCostAgorot: money({ band: 'cost' } as object),
    addedAgorot: money({ band: 'cost' } as object),
    disposedAgorot: money({ band: 'cost' } as object),
    closingCostAgorot: money({ band: 'cost' } as object),
    depreciationBp: percent(),
    // Why the rate is not the law's.
    rateReason: text(),
    openingWornAgorot: money({ band: 'worn' } as object),
    depreciationAgorot: money({ band: 'worn' } as object),
    disposedWornAgorot: money({ band: 'worn' } as object),
    closingWornAgorot: money({ band: 'worn' } as object),
    leftAgorot: money(),
  },
  groupBy: 'kind',
  totals: [
    'openingCostAgorot',
    'addedAgorot',
    'disposedAgorot',
    'closingCostAgorot',
    'openingWornAgorot',
    'depreciationAgorot',
    'disposedWornAgorot',
    'closingWornAgorot',
    'leftAgorot',
  ],
  rows: async (ctx, { from, to }) => {
    const worn = (until: ReturnType<typeof sql>) =>
      sql`asset_worn(cost_agorot, depreciation_bp, start_day, opening_day, opening_worn_agorot, disposed_day,
          ${until})`
    const { rows } = await sql<ReportRow>`
      with a as (select f.*, start_day < ${from}::date as old, disposed_day is not null
        and disposed_day <= ${to}::date as gone,
          ${worn(sql`${from}::date - 1`)} as worn_before, ${worn(sql`${to}::date`)} as worn_after
        from fixed_assets f where company_id = ${ctx.companyId} and archived_at is null
          and start_day <= ${to}::date
          and (disposed_day is null or disposed_day >= ${from}::date)),
      r as (select a.*, case when old then cost_agorot else 0 end as opening_cost, case
      when old then worn_before else 0 end as opening_worn_now from a)
      select kind, name, start_day as "startDay", case when gone then disposed_day end as "disposedDay",
        opening_cost as "openingCostAgorot",
        cost_agorot - opening_cost as "addedAgorot", case when gone then cost_agorot
        else 0 end as "disposedAgorot",
        case when gone then 0 else cost_agorot end as "closingCostAgorot",
        depreciation_bp as "depreciationBp", rate_reason as "rateReason",
        opening_worn_now as "openingWornAgorot",
        worn_after - opening_worn_now as "depreciationAgorot", case when gone then worn_after
        else 0 end as "disposedWornAgorot",
        case when gone then 0 else worn_after end as "closingWornAgorot", case when gone then 0
        else cost_agorot - worn_after end as "leftAgorot",
        '/invoice/fixedassets/' || id as open
      from r order by array_position(${[...assetKindNames]}::text[], kind), start_day, id`.execute(ctx.tx)
    return rows
  },
  must: {
    costAddsUp: (t) => t.closingCostAgorot === t.openingCostAgorot! + t.addedAgorot! - t.disposedAgorot!,
    wornAddsUp: (t) =>
      t.closingWornAgorot === t.openingWornAgorot! + t.depreciationAgorot! - t.disposedWornAgorot!,
    leftIsCostLessWorn: (t) => t.leftAgorot === t.closingCostAgorot! - t.closingWornAgorot!,
  },
})
