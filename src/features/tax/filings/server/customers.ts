import { sql } from 'kysely'
import { fail, failField } from '#kit/describe/errors.ts'
import { byOf, type Ctx } from '#kit/server/context.ts'
import { groupOf, standsFor } from '#features/registers/parties/server/index.ts'
import type { WithholdingCustomer } from '../endpoints.ts'
import { daysOf } from './form856.ts'
import { refusePartSight } from './sight.ts'
import { booksWithTax, certificatesGot, otherWithheldFromUs, receiptsWithTax } from './withheldFromUs.ts'

/** Who withheld how much from us in a year, what each certificate says, and what the books show. */
export async function customersOf(ctx: Ctx, { year }: { year: number }) {
  refusePartSight(ctx)
  const { from, to } = daysOf(year)
  const { rows } = await sql<Omit<WithholdingCustomer, 'state'>>`
    with papers as (select customer_id, count(*)::int as receipts, sum(received) as received,
      sum(withheld) as withheld from (${receiptsWithTax(ctx, from, to)}) r group by 1),
    books as (${booksWithTax(ctx, from, to)}),
    got as (select customer_id, withheld_agorot, got_day from (${certificatesGot(ctx)}) c
    where year = ${year}),
    who as (select customer_id from papers union select customer_id from books where withheld <> 0 union
    select customer_id from got)
    select p.id as "customerId", p.name, p.tax_id as "taxId", p.withholds_file as "withholdsFile",
      coalesce(x.receipts, 0) as receipts, coalesce(x.received, 0)::bigint as "receivedAgorot",
      coalesce(x.withheld, 0)::bigint as "withheldAgorot", case
      when x.received > 0 then round(10000.0 * x.withheld / x.received)::int else 0 end as "rateBp",
      coalesce(b.withheld, 0)::bigint as "booksWithheldAgorot", g.withheld_agorot as "certificateAgorot",
      g.got_day as "gotDay"
    from who w join parties p on p.company_id = ${ctx.companyId} and p.id = w.customer_id
      left join papers x on x.customer_id = w.customer_id left join books b on b.customer_id = w.customer_id
      left join got g on g.customer_id = w.customer_id
    order by p.name, p.id`.execute(ctx.tx)
  return {
    year,
    rows: rows.map((row) => ({
      ...row,
      state:
        row.certificateAgorot === null
          ? ('missing' as const)
          : row.certificateAgorot === row.withheldAgorot
            ? ('got' as const)
            : ('differs' as const),
    })),
    others: await otherWithheldFromUs(ctx, from, to),
  }
}

export async function keep(
  ctx: Ctx,
  {
    customerId: id,
    year,
    withheldAgorot,
    gotDate,
  }: { customerId: string; year: number; withheldAgorot: number; gotDate: string },
) {
  refusePartSight(ctx)
  const customerId = await standsFor(ctx, id)
  const { rows } = await sql`select 1 from parties where company_id = ${ctx.companyId} and role = 'customer'
        and id = ${customerId}`.execute(ctx.tx)
  if (!rows.length) throw fail('kit.notFound')
  if (gotDate > ctx.today) throw failField('gotDate', 'expenses.dateInFuture')
  // What is said now is of all who became this customer: their own certificates would count twice.
  await sql`delete from withheld_certificates where company_id = ${ctx.companyId}
      and customer_id in ${groupOf(ctx, customerId)} and customer_id <> ${customerId}
    and year = ${year}`.execute(ctx.tx)
  await sql`insert into withheld_certificates (company_id, customer_id, year, withheld_agorot, got_day,
      created_by)
    values (${ctx.companyId}, ${customerId}, ${year}, ${withheldAgorot}, ${gotDate}, ${byOf(ctx)})
    on conflict (company_id, customer_id, year) do update set withheld_agorot = excluded.withheld_agorot,
      got_day = excluded.got_day, updated_at = now()`.execute(ctx.tx)
  await ctx.audit('filings.keepCertificate', 'parties', customerId, undefined, {
    year,
    withheldAgorot,
    gotDate,
  })
  return { done: true as const }
}

export async function drop(ctx: Ctx, { customerId, year }: { customerId: string; year: number }) {
  refusePartSight(ctx)
  const { rows } = await sql`delete from withheld_certificates where company_id = ${ctx.companyId}
        and customer_id in ${groupOf(ctx, customerId)} and year = ${year}
    returning 1`.execute(ctx.tx)
  if (!rows.length) throw fail('kit.notFound')
  await ctx.audit('filings.dropCertificate', 'parties', customerId, { year }, undefined)
  return { done: true as const }
}
