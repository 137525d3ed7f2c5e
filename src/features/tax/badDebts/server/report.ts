import { sql } from 'kysely'
import { documentTypeById, documentTypeNames } from '#domain/documents/kinds.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, money, number, ref, text } from '#kit/fields/field.ts'
import { isIssued, sign } from '#kit/server/data/documentFacts.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { systemAccounts } from '#domain/ledger/chart.ts'
import { groupOf } from '#features/registers/parties/server/index.ts'
import { onlyAllowed } from '#features/sales/documents/server/index.ts'
import { grounds } from '../rules.ts'

/**
 * Debts that were written off in a period and what was paid of them later, document by document, in shekels. What the
 * documents say is compared with the account of bad debts.
 */
export const badDebts = defineReport({
  name: 'badDebts',
  feature: 'badDebts',
  group: 'tax',
  path: '/invoice/reportbaddebts',
  allow: 'reports.sales',
  respects: ['ownCustomers', 'documentTypes'],
  filters: { from: day({ need: true }), to: day({ need: true }), customer: ref('customers') },
  columns: {
    date: day(),
    type: choice(documentTypeNames, { words: 'documents.types' }),
    number: number(),
    customer: text(),
    invoice: number(),
    ground: choice(grounds, { words: 'badDebts.grounds' }),
    expenseAgorot: money(),
    vatAgorot: money(),
    totalAgorot: money(),
  },
  totals: ['expenseAgorot', 'vatAgorot', 'totalAgorot'],
  rows: async (ctx, { from, to, customer }) => {
    const { rows } = await sql<ReportRow & { typeId: number; inBooks: number }>`
      select d.day as date, d.type as "typeId", d.number, d.customer->>'name' as customer,
        i.number as invoice, b.ground,
        (-(${sign('d')}) * d.ils_net_agorot)::bigint as "expenseAgorot",
        (-(${sign('d')}) * d.ils_vat_agorot)::bigint as "vatAgorot",
        (-(${sign('d')}) * d.ils_total_agorot)::bigint as "totalAgorot",
        coalesce((select sum(p.amount_agorot) from entries e
          join postings p on p.company_id = e.company_id and p.entry_id = e.id
          join accounts a on a.company_id = p.company_id and a.id = p.account_id
            and a.number = ${systemAccounts.badDebts}
          where e.company_id = d.company_id and e.document_id = d.id), 0)::bigint as "inBooks",
        '/invoice/preview/' || d.id as open
      from documents d
        left join bad_debts b on b.company_id = d.company_id and b.document_id = d.id
        left join documents i on i.company_id = d.company_id and i.id = coalesce(b.invoice_id, d.source_id)
      where d.company_id = ${ctx.companyId} and d.is_bad_debt and ${isIssued('d')}
        and d.day between ${from} and ${to}${onlyAllowed(ctx, 'd.type')}
        ${customer ? sql`and d.customer_id in ${groupOf(ctx, customer)}` : sql``}
      order by d.day, d.type, d.number`.execute(ctx.tx)
    return rows.map(({ typeId, ...row }) => ({ ...row, type: documentTypeById(typeId)! }))
  },
  must: { inBooks: (_totals, rows) => rows.every((row) => row.inBooks === row.expenseAgorot) },
})
