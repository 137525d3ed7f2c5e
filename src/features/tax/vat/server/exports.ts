import { sql } from 'kysely'
import { statusFacts, typeFacts } from '#domain/documents/facts.ts'
import { fail } from '#kit/describe/errors.ts'
import { byOf, type Ctx } from '#kit/server/context.ts'
import { loadDocument } from '#features/sales/documents/server/index.ts'
import { saleKindOf } from './papers.ts'

interface Exported {
  isExport: boolean
  number: string
  exportEntry: string
  isFiled: boolean
}

/** A document that this person may see, as an export: what it charged a customer abroad without VAT. */
async function exportOf(ctx: Ctx, id: string): Promise<Exported> {
  await loadDocument(ctx, id)
  const { rows } = await sql<{
    type: number
    status: string
    number: number | null
    country: string | null
    untaxed: number
    exportEntry: string | null
    isFiled: boolean
  }>`select d.type, d.status, d.number, d.customer->>'country' as country, d.ils_untaxed_agorot as untaxed,
      (select x.number from export_entries x where x.company_id = d.company_id and x.document_id = d.id) as
      "exportEntry",
      exists (select 1 from vat_filings f where f.company_id = d.company_id and f.reopened_at is null
      and f.kind = 'detailed'
        and d.day between f.from_day and f.to_day) as "isFiled"
    from documents d where d.company_id = ${ctx.companyId} and d.id = ${id}`.execute(ctx.tx)
  const row = rows[0]!
  return {
    isExport:
      typeFacts(row.type).isInvoiceOrCredit &&
      statusFacts(row.status).isIssued &&
      row.untaxed !== 0 &&
      saleKindOf(row.country) === 'abroad',
    number: String(row.number ?? ''),
    exportEntry: row.exportEntry ?? '',
    isFiled: row.isFiled,
  }
}

export const exportOfDocument = (ctx: Ctx, { id }: { id: string }): Promise<Exported> => exportOf(ctx, id)

/**
 * The declaration is often made after the invoice. It may change until the report that names it was filed.
 */
export async function setExportEntry(
  ctx: Ctx,
  { id, exportEntry }: { id: string; exportEntry: string },
): Promise<{ done: true }> {
  // Filing holds the business's row: what is written at the same moment is in its file or refused.
  await sql`select 1 from companies where id = ${ctx.companyId} for no key update`.execute(ctx.tx)
  const before = await exportOf(ctx, id)
  if (!before.isExport) throw fail('vat.noExport')
  if (before.isFiled) {
    const { rows } = await sql<{
      day: string
    }>`select day from documents where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
    throw fail('vat.periodFiled', { day: rows[0]!.day })
  }
  if (exportEntry)
    await sql`insert into export_entries (company_id, document_id, number, updated_by)
      values (${ctx.companyId}, ${id}, ${exportEntry}, ${byOf(ctx)})
      on conflict (company_id, document_id) do update
      set number = excluded.number, updated_by = excluded.updated_by, updated_at = now()`.execute(ctx.tx)
  else
    await sql`delete from export_entries where company_id = ${ctx.companyId} and document_id = ${id}`.execute(
      ctx.tx,
    )
  await ctx.audit('vat.exportEntry', 'documents', id, { exportEntry: before.exportEntry }, { exportEntry })
  return { done: true }
}
