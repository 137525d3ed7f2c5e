import { sql } from 'kysely'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, money, ref, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/reports.ts'
import { onlyAllowed } from '#features/sales/documents/server/index.ts'
import { stateOf } from '../money.ts'

/** Customers' cheques by their day: what is in hand, what was deposited, what came back. */
export const checks = defineReport({
  name: 'checks',
  feature: 'payments',
  group: 'people',
  path: '/invoice/reportchecks',
  allow: 'payments.see',
  respects: ['ownCustomers', 'documentTypes'],
  // No period of its own: what is in hand falls due in the future.
  filters: { dueFrom: day(), dueTo: day(), state: choice(['received', 'deposited', 'bounced', 'returned']), customer: ref('customers') },
  columns: {
    month: text(),
    dueDay: day(),
    customer: text(),
    number: text(),
    bank: text(),
    branch: text(),
    account: text(),
    receivedDay: day(),
    state: choice(['received', 'deposited', 'bounced', 'returned']),
    sumAgorot: money(),
  },
  groupBy: 'month',
  totals: ['sumAgorot'],
  rows: async (ctx, { dueFrom, dueTo, state, customer }) => {
    const { rows } =
      await sql<ReportRow>`select * from (select to_char(t.due_day, 'MM/YYYY') as month, t.due_day as "dueDay", coalesce(d.customer->>'name', '') as customer, t.number, t.bank, t.branch, t.account,
        t.day as "receivedDay", ${stateOf} as state, t.ils_agorot as "sumAgorot", '/invoice/paymentview/' || t.id as open, t.id
      from document_payments t join documents d on d.company_id = t.company_id and d.id = t.document_id
      where t.company_id = ${ctx.companyId} and t.means = 2 and t.amount_agorot > 0 and d.status not in ('draft', 'cancelled')${onlyAllowed(ctx, 'd.type')}
        and (${dueFrom ?? null}::date is null or t.due_day >= ${dueFrom ?? null}) and (${dueTo ?? null}::date is null or t.due_day <= ${dueTo ?? null})
        and (${customer ?? null}::uuid is null or d.customer_id = ${customer ?? null})) x
      where ${state ?? null}::text is null or state = ${state ?? null} order by "dueDay", id limit 20000`.execute(ctx.tx)
    return rows.map(({ id: _, ...row }) => row)
  },
})
