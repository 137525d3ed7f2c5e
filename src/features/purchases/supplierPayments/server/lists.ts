import { sql, type RawBuilder } from 'kysely'
import type { Day } from '#domain/day.ts'
import { fold } from '#domain/fold.ts'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { ListSource } from '#kit/server/data/lists.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { groupOf, standsFor } from '#features/registers/parties/server/index.ts'
import type { OpenBill, SupplierPaymentAnswer } from '../endpoints.ts'
import { supplierPayments } from '../supplierPayments.ts'

/** Of the file for the clearing centre that a payment went out in. */
const ofFile = (
  what: RawBuilder<unknown>,
) => sql`(select ${what} from masav_lines l join masav_runs r on r.company_id = l.company_id
    and r.id = l.run_id
  where l.company_id = t.company_id and l.supplier_payment_id = t.id limit 1)`

export const paymentList = (today: Day): ListSource => ({
  alsoCalled: { supplierName: 'supplierIdName' },
  resource: supplierPayments,
  noArchive: true,
  compute: {
    bills: sql`coalesce((select string_agg(nullif(e.supplier_number, ''), ', ' order by e.day)
      from expense_payments x join expenses e on e.company_id = x.company_id and e.id = x.expense_id
      where x.company_id = t.company_id and x.supplier_payment_id = t.id), '')`,
    fileNumber: ofFile(sql`r.number`),
    state: sql`case when t.cancelled_at is not null then 'cancelled' when t.day > ${today}::date then
        'onTheWay' else 'paid' end`,
  },
  extra: { fileId: ofFile(sql`r.id`) },
  refNames: {
    supplierId: sql`(select p.name from parties p where p.company_id = t.company_id
        and p.id = t.supplier_id)`,
  },
  search: (q) => {
    const escaped = q.replace(/[\\%_]/g, '\\$&')
    return sql`(t.number::text = ${q} or t.reference ilike ${`%${escaped}%`}
        or t.supplier_id in (select search_suppliers(${fold(q).replace(/[\\%_]/g, '\\$&')})))`
  },
})

/** The most urgent first; a supplier's credits stand among them to be taken off. */
export async function openBillsOf(ctx: Ctx, supplierId: string) {
  const { rows: suppliers } = await sql<{
    id: string
    name: string
    email: string | null
  }>`select id, name, email from parties where company_id = ${ctx.companyId} and role = 'supplier'
      and id = ${await standsFor(ctx, supplierId)}`.execute(ctx.tx)
  if (!suppliers[0]) throw fail('kit.notFound')
  const { rows } =
    await sql<OpenBill>`select id, day, due_day as "dueDay", supplier_number as number, details,
        owed_agorot as "totalAgorot", open_agorot as "openAgorot"
    from expenses where company_id = ${ctx.companyId} and supplier_id in ${groupOf(ctx, suppliers[0].id)}
      and open_agorot <> 0 order by coalesce(due_day, day), day, id limit 200`.execute(ctx.tx)
  const { withholdingFile } = await companyOf(ctx)
  return { supplier: suppliers[0], rows, withholds: !!withholdingFile }
}

/** Suppliers with something to pay by a day: what is due of it, and all that is open. */
export async function due(ctx: Ctx, until: string) {
  const { rows } = await sql<{
    supplierId: string
    name: string
    bills: number
    firstDue: string | null
    dueAgorot: number
    openAgorot: number
  }>`select p.id as "supplierId", p.name, count(*) filter (where coalesce(e.due_day, e.day) <= ${until})::int
      as bills, min(coalesce(e.due_day, e.day)) as "firstDue",
      coalesce(sum(e.open_agorot) filter (where coalesce(e.due_day, e.day) <= ${until}), 0)::bigint as
      "dueAgorot", sum(e.open_agorot)::bigint as "openAgorot"
    from expenses e join parties s on s.company_id = e.company_id and s.id = e.supplier_id
    join parties p on p.company_id = s.company_id and p.id = coalesce(s.merged_into, s.id)
    where e.company_id = ${ctx.companyId} and e.open_agorot <> 0 group by p.id, p.name
    having coalesce(sum(e.open_agorot) filter (where coalesce(e.due_day, e.day) <= ${until}), 0) > 0
    order by 4, p.name limit 200`.execute(ctx.tx)
  return { rows }
}

export async function paymentOf(ctx: Ctx, id: string): Promise<SupplierPaymentAnswer> {
  const { rows } = await sql<
    Omit<SupplierPaymentAnswer, 'bills'>
  >`select t.id, t.number, t.day, t.supplier_id as "supplierId", p.name as "supplierName",
      p.tax_id as "supplierTaxId",
      p.email as "supplierEmail", t.means, t.reference, t.gross_agorot as "grossAgorot",
      t.withheld_agorot as "withheldAgorot", t.net_agorot as "netAgorot",
      t.withheld_bp as "withheldBp", t.withholding_reason as reason, t.by_hand as "byHand",
      t.cancelled_at is not null as cancelled, t.cancelled_at is null and t.day > ${ctx.today} as "onTheWay",
      t.sent_at as "sentAt",
      (select u.full_name from users u where u.id = t.created_by) as "madeBy",
      ${ofFile(sql`jsonb_build_object('id', r.id, 'number', r.number, 'payDay', r.pay_day)`)} as file
    from supplier_payments t join parties p on p.company_id = t.company_id and p.id = t.supplier_id
    where t.company_id = ${ctx.companyId} and t.id = ${id}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  const { rows: bills } = await sql<
    SupplierPaymentAnswer['bills'][number]
  >`select e.id, e.supplier_number as number, e.day, e.details, e.owed_agorot as "totalAgorot",
      x.amount_agorot as "paidAgorot"
    from expense_payments x join expenses e on e.company_id = x.company_id and e.id = x.expense_id
    where x.company_id = ${ctx.companyId} and x.supplier_payment_id = ${id} order by e.day, e.id`.execute(
    ctx.tx,
  )
  return { ...rows[0], bills }
}
