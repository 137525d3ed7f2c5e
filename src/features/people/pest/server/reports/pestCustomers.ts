import { sql } from 'kysely'
import { can } from '#kit/describe/session.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { day, flag, money, ref, text } from '#kit/fields/field.ts'
import { isIssued } from '#kit/server/data/documentFacts.ts'
import { defineReport } from '#kit/server/described/reports.ts'

/**
 * All customers with the places where they are treated. What a customer owes is shown once, however many places the
 * customer has.
 */
export const pestCustomers = defineReport({
  name: 'pestCustomers',
  feature: 'pest',
  group: 'people',
  path: '/invoice/InvoiceCustomersMadbir?part=customers',
  allow: 'pest.see',
  respects: ['ownCustomers'],
  filters: { customer: ref('customers'), status: ref('customerStatuses'), withSite: flag(), dueUntil: day() },
  columns: {
    customer: { ...text(), main: true },
    status: { ...text(), whenFilled: true },
    balanceAgorot: { ...money(), whenFilled: true },
    lastDocument: { ...day(), whenFilled: true },
    site: text(),
    address: { ...text(), whenFilled: true },
    lastDay: day(),
    lastPest: { ...text(), whenFilled: true },
    lastSubstance: { ...text(), whenFilled: true },
    licence: { ...text(), whenFilled: true },
    nextDay: day(),
  },
  totals: ['balanceAgorot'],
  rows: async (ctx, { customer, status, withSite, dueUntil }, most) => {
    // What the customer list hides from a person is hidden here too.
    const may = can(ctx.caller, 'customers.see')
    const newest = sql`select x.pest, x.substance, x.worker || ' · ' || x.licence_number as licence
      from pest_treatments x
      where x.company_id = s.company_id and x.site_id = s.id and x.archived_at is null
      order by x.day desc, x.number desc limit 1`
    const { rows } = await sql<ReportRow>`
      select p.name as customer, s.name as site, nullif(s.address, '') as address, s.last_day as "lastDay",
        t.pest as "lastPest", t.substance as "lastSubstance", t.licence, s.next_day as "nextDay",
        ${
          may
            ? sql`(select x.name from customer_statuses x where x.company_id = p.company_id
                and x.id = p.status_id) as status,
        (select max(d.day) from parties g join documents d on d.company_id = g.company_id
        and d.customer_id = g.id
          where g.company_id = p.company_id and (g.id = p.id or g.merged_into = p.id) and ${isIssued('d')})
            as "lastDocument",`
            : sql`null as status, null as "lastDocument",`
        }
        ${
          may && !ctx.caller.hideTotalPrices
            ? sql`case when row_number() over (partition by p.id order by s.next_day, s.name, s.id) = 1 then
                (select coalesce(sum(m.debit_agorot - m.credit_agorot), 0)::bigint
          from parties g join party_months m on m.company_id = g.company_id and m.party_id = g.id
          where g.company_id = p.company_id and (g.id = p.id or g.merged_into = p.id)) end`
            : sql`null`
        } as "balanceAgorot",
        ${may ? sql`'/invoice/invoiceCustomer/' || p.id || '/pest'` : sql`null`} as open
      from parties p left join pest_sites s on s.company_id = p.company_id and s.customer_id = p.id
        and s.archived_at is null left join lateral (${newest}) t on true
      where p.company_id = ${ctx.companyId} and p.role = 'customer' and p.archived_at is null
        and p.merged_into is null ${customer ? sql`and p.id = ${customer}` : sql``}
        ${status && may ? sql`and p.status_id = ${status}` : sql``}
        ${withSite === undefined ? sql`` : withSite ? sql`and s.id is not null` : sql`and s.id is null`}
        ${dueUntil ? sql`and s.next_day <= ${dueUntil}` : sql``}
      order by p.name, p.id, s.next_day, s.name, s.id ${most === null ? sql`` : sql`limit ${most}`}`.execute(
      ctx.tx,
    )
    return rows
  },
})
