import { sql } from 'kysely'
import { addDays } from '#domain/day.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { day, money, ref, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { say } from '#kit/server/words.ts'
import { expenseTypeName } from '#features/purchases/expenses/server/index.ts'
import { balanceOf } from '../grid.ts'
import { houseOf } from '../house.ts'

/**
 * The report to the yearly meeting: what there was, what came by what, what was spent on what, and what is
 * left.
 */
export const committeeYear = defineReport({
  name: 'committeeYear',
  feature: 'committee',
  group: 'people',
  path: '/invoice/vaadpaymonth?part=report',
  allow: 'committee.see',
  filters: {
    building: ref('committeebuildings', { need: true }),
    from: day({ need: true }),
    to: day({ need: true }),
  },
  columns: {
    part: text(),
    what: text(),
    cameAgorot: { ...money(), whenFilled: true },
    wentAgorot: { ...money(), whenFilled: true },
    balanceAgorot: { ...money(), main: true },
  },
  groupBy: 'part',
  totals: ['cameAgorot', 'wentAgorot'],
  rows: async (ctx, { building, from, to }) => {
    const house = await houseOf(ctx, building)
    const words = (key: string) => say(ctx.caller.language, `committee.year.${key}`)
    const { rows: came } = await sql<{
      kind: string
      name: string | null
      agorot: number
    }>`select d.kind, l.name, sum(x.agorot)::bigint as agorot from committee_paid x
        join committee_payments y on y.company_id = x.company_id and y.id = x.payment_id
          and y.cancelled_at is null and y.day between ${from} and ${to}
        join committee_dues d on d.company_id = x.company_id and d.id = x.due_id
        join committee_flats f on f.company_id = d.company_id and f.id = d.flat_id
        left join committee_levies l on l.company_id = d.company_id and l.id = d.levy_id
      where x.company_id = ${ctx.companyId} and f.building_id = ${building} group by 1, 2
      order by 1 desc, 2`.execute(ctx.tx)
    const { rows: ahead } = await sql<{
      agorot: number
    }>`select coalesce(sum(y.ahead_agorot), 0)::bigint as agorot from committee_payments y
      join committee_flats f on f.company_id = y.company_id and f.id = y.flat_id
      where y.company_id = ${ctx.companyId} and f.building_id = ${building} and y.cancelled_at is null
        and y.day between ${from} and ${to}`.execute(ctx.tx)
    const { rows: went } = await sql<{
      type: string
      agorot: number
    }>`select ${expenseTypeName(ctx.caller.language)} as type, sum(e.ils_total_agorot)::bigint as agorot
      from committee_expenses x
        join expenses e on e.company_id = x.company_id and e.id = x.expense_id
          and e.state not in ('cancelled', 'rejected', 'draft') and e.day between ${from} and ${to}
        left join expense_types t on t.company_id = e.company_id and t.id = e.type_id
        where x.company_id = ${ctx.companyId} and x.building_id = ${building} group by 1
        order by 2 desc`.execute(ctx.tx)
    const opening = await balanceOf(ctx, house, addDays(from, -1))
    const closing = await balanceOf(ctx, house, to)
    const line = (
      part: string,
      what: string,
      more: Partial<Record<'cameAgorot' | 'wentAgorot' | 'balanceAgorot', number>>,
    ): ReportRow => ({
      part: words(part),
      what,
      cameAgorot: null,
      wentAgorot: null,
      balanceAgorot: null,
      ...more,
    })
    return [
      line('till', words('opening'), { balanceAgorot: opening }),
      ...came.map((one) =>
        line(
          'came',
          one.kind === 'levy' ? (one.name ?? '') : words(one.kind === 'opening' ? 'openingDebts' : 'month'),
          {
            cameAgorot: one.agorot,
          },
        ),
      ),
      ...(ahead[0]!.agorot ? [line('came', words('ahead'), { cameAgorot: ahead[0]!.agorot })] : []),
      ...went.map((one) => line('went', one.type, { wentAgorot: one.agorot })),
      line('end', words('closing'), { balanceAgorot: closing }),
    ]
  },
  must: {
    closingIsTheRest: (totals, rows) => {
      const balances = rows.flatMap((row) =>
        typeof row.balanceAgorot === 'number' ? [row.balanceAgorot] : [],
      )
      return (
        balances.length < 2 ||
        balances.at(-1) === balances[0]! + (totals.cameAgorot ?? 0) - (totals.wentAgorot ?? 0)
      )
    },
  },
})
