import { sql } from 'kysely'
import { assetKindNames, wornAccountOf, type AssetKind } from '#domain/assets/kinds.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { day, money, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/described/reports.ts'

/**
 * The register and the books side by side, by account: what assets cost, and what is worn of them as far as
 * depreciation was posted until the day. A difference is an entry by hand, or an opening that was not posted.
 */
export const assetsInBooks = defineReport({
  name: 'assetsInBooks',
  feature: 'assets',
  group: 'books',
  path: '/invoice/reportassetsbooks',
  allow: 'assets.see',
  filters: { from: day({ need: true }), to: day({ need: true }) },
  columns: {
    number: text(),
    account: { ...text(), names: true },
    registerAgorot: money(),
    booksAgorot: { ...money(), main: true },
    differenceAgorot: money(),
  },
  totals: ['registerAgorot', 'booksAgorot', 'differenceAgorot'],
  rows: async (ctx, { from, to }) => {
    const wornKeys = assetKindNames.map((kind: AssetKind) => ({ kind, key: wornAccountOf(kind).key }))
    const { rows } = await sql<ReportRow>`
      with keys as (select * from jsonb_to_recordset(${JSON.stringify(wornKeys)}::jsonb) as k
        (kind text, key text)),
      there as (select f.*, coalesce(opening_day, start_day) as since from fixed_assets f
      where company_id = ${ctx.companyId}
        and archived_at is null and (disposed_day is null or disposed_day > ${to}::date)),
      register as (
        select account_id, sum(cost_agorot) as amount from there where since <= ${to}::date group by 1
        union all
        select a.id, -sum(case when t.opening_day <= ${to}::date then t.opening_worn_agorot
          else 0 end + coalesce((select sum(l.amount_agorot) from depreciation_lines l
            join depreciation_runs r on r.company_id = l.company_id and r.id = l.run_id
            where l.company_id = t.company_id and l.asset_id = t.id and r.reversed_at is null
              and r.to_day <= ${to}::date), 0))
        from there t join keys k on k.kind = t.kind join accounts a on a.company_id = t.company_id
          and a.key = k.key group by 1),
      books as (
        select p.account_id, sum(p.amount_agorot) as amount from postings p
        join accounts a on a.company_id = p.company_id and a.id = p.account_id
        where p.company_id = ${ctx.companyId} and p.day <= ${to}::date
          and (a.key in (select key from keys) or a.id in (select account_id from fixed_assets
          where company_id = ${ctx.companyId})) group by 1),
      both_ways as (select account_id, amount as register, 0::numeric as books from register union all
      select account_id, 0, amount from books)
      select a.number, a.name as account, sum(b.register)::bigint as "registerAgorot",
        sum(b.books)::bigint as "booksAgorot",
        (sum(b.books) - sum(b.register))::bigint as "differenceAgorot", '/invoice/cardskarteset/' || a.id ||
        '?from=' || ${from} || '&to=' || ${to} as open
      from both_ways b join accounts a on a.company_id = ${ctx.companyId} and a.id = b.account_id
      group by a.id, a.number, a.name having sum(b.register) <> 0 or sum(b.books) <> 0
      order by a.number`.execute(ctx.tx)
    return rows
  },
  must: { bothWays: (_totals, rows) => rows.every((r) => r.differenceAgorot === 0) },
})
