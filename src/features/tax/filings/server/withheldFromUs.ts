import { sql } from 'kysely'
import type { Day } from '#domain/day.ts'
import { systemAccounts } from '#domain/ledger/chart.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isIssued } from '#kit/server/data/documentFacts.ts'
import type { OtherEntry } from './payees.ts'

/**
 * Who stands for the customer of a document: the person who was entered twice and made one gives one certificate.
 */
const standing = sql`coalesce(m.merged_into, d.customer_id)`
const whoStands = sql`left join parties m on m.company_id = d.company_id and m.id = d.customer_id`

/** The certificates of customers, of all who became one together. */
export const certificatesGot = (ctx: Ctx) => sql`
  select coalesce(m.merged_into, c.customer_id) as customer_id, c.year, sum(c.withheld_agorot)::bigint as
    withheld_agorot, max(c.got_day) as got_day
  from withheld_certificates c join parties m on m.company_id = c.company_id and m.id = c.customer_id
  where c.company_id = ${ctx.companyId} group by 1, 2`

/**
 * Tax withheld from us in a period, from the receipts: a cancelled receipt is offset by another with negated
 * amounts.
 */
export const receiptsWithTax = (ctx: Ctx, from: Day, to: Day) => sql`
  select d.id, d.number, d.type, d.day, ${standing} as customer_id, sum(y.ils_agorot) as received,
    sum(y.ils_agorot) filter (where y.means = 7) as withheld
  from documents d join document_payments y on y.company_id = d.company_id
    and y.document_id = d.id ${whoStands}
  where d.company_id = ${ctx.companyId} and ${isIssued('d')} and d.day between ${from} and ${to}
    and exists (select 1 from document_payments w where w.company_id = d.company_id and w.document_id = d.id
    and w.means = 7)
  group by d.id, d.number, d.type, d.day, 5`

/**
 * The same from the books: what the entries of each customer's papers put on the account of tax withheld from
 * us.
 */
export const booksWithTax = (ctx: Ctx, from: Day, to: Day) => sql`
  select ${standing} as customer_id, sum(p.amount_agorot) as withheld from postings p
  join accounts a on a.company_id = p.company_id and a.id = p.account_id
    join entries n on n.company_id = p.company_id and n.id = p.entry_id
    join documents d on d.company_id = n.company_id and d.id = n.document_id ${whoStands}
  where p.company_id = ${ctx.companyId} and p.day between ${from} and ${to}
    and a.number = ${systemAccounts.withheldByCustomers} group by 1`

/** Entries on that account without a customer's document. */
export async function otherWithheldFromUs(ctx: Ctx, from: Day, to: Day): Promise<OtherEntry[]> {
  const { rows } = await sql<OtherEntry>`
    select n.id as "entryId", n.day, n.kind, n.reference, n.details, sum(p.amount_agorot)::bigint as
      "amountAgorot"
    from postings p join accounts a on a.company_id = p.company_id and a.id = p.account_id
    join entries n on n.company_id = p.company_id and n.id = p.entry_id
    where p.company_id = ${ctx.companyId} and p.day between ${from} and ${to}
      and a.number = ${systemAccounts.withheldByCustomers} and n.document_id is null
    group by n.id, n.day, n.kind, n.reference, n.details having sum(p.amount_agorot) <> 0 order by n.day, n.id
    limit 500`.execute(ctx.tx)
  return rows
}
