import { sql } from 'kysely'
import type { Day } from '#domain/day.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, money, ref, text } from '#kit/fields/field.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isLive } from '#kit/server/data/documentFacts.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { groupOf } from '#features/registers/parties/server/index.ts'
import { onlyAllowed } from '#features/sales/documents/server/index.ts'
import { stateOf } from '../money.ts'

const states = ['received', 'deposited', 'bounced', 'returned'] as const

/** Customers' cheques by their day: what is in hand, what was deposited, what came back. */
export const checks = defineReport({
  name: 'checks',
  feature: 'payments',
  group: 'people',
  path: '/invoice/reportchecks',
  allow: 'payments.see',
  respects: ['ownCustomers', 'documentTypes'],
  // Without a period: what is in hand falls due in the future.
  filters: { dueFrom: day(), dueTo: day(), state: choice(states), customer: ref('customers') },
  columns: {
    month: text(),
    dueDay: day(),
    customer: text(),
    number: text(),
    bank: text(),
    branch: text(),
    account: text(),
    receivedDay: day(),
    state: choice(states),
    sumAgorot: money(),
  },
  groupBy: 'month',
  totals: ['sumAgorot'],
  rows: async (ctx, filters, most) => {
    const { rows } =
      await sql<ReportRow>`select to_char(due_day, 'MM/YYYY') as month, due_day as "dueDay", customer, number,
          bank, branch, account, day as "receivedDay", state,
        ils_agorot as "sumAgorot", '/invoice/paymentview/' || id as open from (${cheques(ctx, filters)}) x
        order by due_day, id limit ${most}`.execute(ctx.tx)
    return rows
  },
  sums: async (ctx, filters) => {
    const { rows } = await sql<{ rows: number; sumAgorot: number }>`
      select count(*)::int as rows, coalesce(sum(ils_agorot), 0)::bigint as "sumAgorot"
      from (${cheques(ctx, filters)}) x`.execute(ctx.tx)
    return { rows: rows[0]!.rows, totals: { sumAgorot: rows[0]!.sumAgorot } }
  },
})

const cheques = (
  ctx: Ctx,
  {
    dueFrom,
    dueTo,
    state,
    customer,
  }: {
    dueFrom: Day | undefined
    dueTo: Day | undefined
    state: (typeof states)[number] | undefined
    customer: string | undefined
  },
) => sql`select *
  from (select t.id, t.due_day, t.day, t.number, t.bank, t.branch, t.account, t.ils_agorot,
    coalesce(d.customer->>'name', '') as customer, ${stateOf} as state
    from document_payments t join documents d on d.company_id = t.company_id and d.id = t.document_id
    where t.company_id = ${ctx.companyId} and t.means = 2 and t.amount_agorot > 0
      and ${isLive('d')}${onlyAllowed(ctx, 'd.type')}
      and (${dueFrom ?? null}::date is null or t.due_day >= ${dueFrom ?? null})
      and (${dueTo ?? null}::date is null or t.due_day <= ${dueTo ?? null})
      ${customer ? sql`and d.customer_id in ${groupOf(ctx, customer)}` : sql``}) c
  where ${state ?? null}::text is null or state = ${state ?? null}`
