import { sql } from 'kysely'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, money, ref, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { say } from '#kit/server/words.ts'
import { groupOf } from '#features/registers/parties/server/index.ts'

const paidStates = ['paid', 'onTheWay', 'partly', 'open'] as const

/** Bills against what was paid for them. */
export const expensesPayments = defineReport({
  name: 'expensesPayments',
  feature: 'expenses',
  group: 'purchases',
  path: '/invoice/reportexpensespayments',
  allow: 'reports.expenses',
  respects: ['ownCustomers', 'documentTypes'],
  filters: {
    from: day({ need: true }),
    to: day({ need: true }),
    supplier: ref('suppliers'),
    paid: choice(paidStates),
  },
  columns: {
    supplier: text(),
    day: day(),
    number: text(),
    dueDay: day(),
    // What a phone's card shows: of a bill that is paid nothing is open.
    totalAgorot: { ...money(), main: true },
    paidAgorot: money(),
    openAgorot: money(),
    paidDay: day(),
    paid: choice(paidStates),
  },
  groupBy: 'supplier',
  totals: ['totalAgorot', 'paidAgorot', 'openAgorot'],
  rows: async (ctx, { from, to, supplier, paid }) => {
    const { rows } = await sql<ReportRow>`select *
        from (select coalesce(p.name, ${say(ctx.caller.language, 'expenses.list.noSupplier')}::text) as
          supplier, e.day, e.supplier_number as number, e.due_day as "dueDay", e.owed_agorot as "totalAgorot",
        e.owed_agorot - e.open_agorot as "paidAgorot", e.open_agorot as "openAgorot",
        (select max(x.day) from expense_payments x where x.company_id = e.company_id and x.expense_id = e.id
        and x.cancelled_at is null) as "paidDay",
        case when e.open_agorot = 0 and e.id in (select x.expense_id from expense_payments x
          where x.company_id = ${ctx.companyId} and x.day > ${ctx.today} and x.cancelled_at is null) then
            'onTheWay' when e.open_agorot = 0 then 'paid' when e.open_agorot = e.owed_agorot then 'open'
            else 'partly' end as paid, '/invoice/Expenses/all/' || e.id as open
      from expenses e left join parties p on p.company_id = e.company_id and p.id = e.supplier_id
      where e.company_id = ${ctx.companyId} and e.state = 'approved' and e.day between ${from}
        and ${to} ${supplier ? sql`and e.supplier_id in ${groupOf(ctx, supplier)}` : sql``}) x
      where ${paid ?? null}::text is null or paid = ${paid ?? null} order by supplier, day, number`.execute(
      ctx.tx,
    )
    return rows
  },
  must: { paidAndOpen: (t) => t.totalAgorot === t.paidAgorot! + t.openAgorot! },
})
