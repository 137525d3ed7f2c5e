import { sql } from 'kysely'
import type { Day } from '#domain/day.ts'
import { paymentMeans } from '#domain/documents/kinds.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, currency, day, money, ref, text } from '#kit/fields/field.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isIssued } from '#kit/server/data/documentFacts.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { groupOf } from '#features/registers/parties/server/index.ts'
import { onlyAllowed } from '#features/sales/documents/server/index.ts'
import { meansNames } from '../../payments.ts'
import { meansName } from '../lists.ts'

/**
 * What customers paid in a period, by means. A paper that was reversed and its reversal take each other away.
 */
export const byMeans = defineReport({
  name: 'payments',
  feature: 'payments',
  group: 'sales',
  path: '/invoice/reportpayments',
  allow: 'payments.see',
  respects: ['ownCustomers', 'documentTypes'],
  filters: {
    from: day({ need: true }),
    to: day({ need: true }),
    means: choice(meansNames),
    customer: ref('customers'),
    currency: currency(),
  },
  columns: {
    means: choice(meansNames),
    day: day(),
    customer: text(),
    document: text(),
    reference: text(),
    dueDay: day(),
    sumAgorot: money(),
  },
  groupBy: 'means',
  totals: ['sumAgorot'],
  rows: async (ctx, filters, most) => {
    const { rows } =
      await sql<ReportRow>`select ${meansName('t.means')} as means, t.day, coalesce(d.customer->>'name', '')
          as customer, d.number::text as document,
        coalesce(nullif(t.number, ''), nullif(t.card_last4, ''), t.reference) as reference,
        t.due_day as "dueDay", t.ils_agorot as "sumAgorot", '/invoice/paymentview/' || t.id as open
      ${paid(ctx, filters)} order by t.means, t.day, t.id limit ${most}`.execute(ctx.tx)
    return rows
  },
  sums: async (ctx, filters) => {
    const { rows } = await sql<{ rows: number; sumAgorot: number }>`
      select count(*)::int as rows, coalesce(sum(t.ils_agorot), 0)::bigint as "sumAgorot"
        ${paid(ctx, filters)}`.execute(ctx.tx)
    return { rows: rows[0]!.rows, totals: { sumAgorot: rows[0]!.sumAgorot } }
  },
})

const paid = (
  ctx: Ctx,
  {
    from,
    to,
    means,
    customer,
    currency: inOne,
  }: {
    from: Day
    to: Day
    means: (typeof meansNames)[number] | undefined
    customer: string | undefined
    currency: string | undefined
  },
) => sql`from document_payments t join documents d on d.company_id = t.company_id and d.id = t.document_id
  where t.company_id = ${ctx.companyId} and ${isIssued('d')} and t.day between ${from}
    and ${to}${onlyAllowed(ctx, 'd.type')}
    and (${means ? paymentMeans[means] : null}::int is null
    or t.means = ${means ? paymentMeans[means] : null})
    ${customer ? sql`and d.customer_id in ${groupOf(ctx, customer)}` : sql``}
    and (${inOne ?? null}::text is null or d.currency = ${inOne ?? null})`
