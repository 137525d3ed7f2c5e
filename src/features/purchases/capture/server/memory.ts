import { sql } from 'kysely'
import { fold } from '#domain/fold.ts'
import type { PaperMemory, Proposal, ProposalField, Spot } from '#domain/papers/proposal.ts'
import { newId, type Ctx } from '#kit/server/context.ts'

/** What is known of the supplier named on a bill, by number or, without one, by a name in its text. */
export async function memoriesFor(
  ctx: Ctx,
  proposal: Proposal,
  text: string,
): Promise<(PaperMemory & { supplierId: string | null })[]> {
  const taxId = proposal.supplierTaxId?.value ?? null
  const head = fold(text.slice(0, 2000))
  const { rows } = await sql<{
    taxId: string | null
    name: string
    spots: PaperMemory['spots']
    supplierId: string | null
  }>`
    select tax_id as "taxId", name, spots, supplier_id as "supplierId" from paper_memories
    where company_id = ${ctx.companyId}
      and (tax_id = ${taxId}
      or (${taxId}::text is null and tax_id is null and length(folded) >= 4 and position(folded in ${head}) >
      0))
    order by (tax_id is not null) desc, length(folded) desc limit 3`.execute(ctx.tx)
  const known = rows.map((row) => ({ ...row, taxId: row.taxId ?? undefined }))
  const { rows: suppliers } = await sql<{
    id: string
    name: string
    taxId: string | null
  }>`select id, name, tax_id as "taxId" from parties
    where company_id = ${ctx.companyId} and role = 'supplier' and archived_at is null
      and (tax_id = ${taxId}
      or (${taxId}::text is null and length(name) >= 4
      and position(lower(name) in ${text.slice(0, 2000).toLowerCase()}) > 0))
    order by (tax_id is not distinct from ${taxId}) desc, length(name) desc limit 1`.execute(ctx.tx)
  const supplier = suppliers[0]
  if (supplier && !known.length)
    known.push({
      taxId: supplier.taxId ?? undefined,
      name: supplier.name,
      spots: {},
      supplierId: supplier.id,
    })
  return known.map((one) => ({ ...one, supplierId: supplier?.id ?? one.supplierId }))
}

/**
 * Stores the supplier's name and the positions of the values a person accepted: the next bill of the supplier is
 * read with them.
 */
export async function remember(
  ctx: Ctx,
  of: {
    proposal: Proposal
    supplierId: string | null
    supplierName: string | null
    supplierTaxId: string | null
    spots: Partial<Record<ProposalField, Spot>> | undefined
  },
): Promise<void> {
  if (!of.supplierName) return
  // The number on the bill identifies the next one.
  const taxId = of.proposal.supplierTaxId?.value ?? of.supplierTaxId
  const folded = fold(of.supplierName).slice(0, 200)
  const spots = JSON.stringify(of.spots ?? {})
  const change = sql`do update set name = excluded.name, folded = excluded.folded,
      supplier_id = excluded.supplier_id,
    spots = paper_memories.spots || excluded.spots, times = paper_memories.times + 1, updated_at = now()`
  await sql`insert into paper_memories (company_id, id, tax_id, name, folded, supplier_id, spots)
    values (${ctx.companyId}, ${newId()}, ${taxId}, ${of.supplierName}, ${folded}, ${of.supplierId},
      ${spots}::jsonb)
    on conflict ${
      taxId
        ? sql`(company_id, tax_id)
      where tax_id is not null`
        : sql`(company_id, folded) where tax_id is null`
    } ${change}`.execute(ctx.tx)
}
