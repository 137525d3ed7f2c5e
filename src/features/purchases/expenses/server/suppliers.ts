import { sql } from 'kysely'
import { fold } from '#domain/fold.ts'
import { isTaxId } from '#domain/taxId.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { standsFor } from '#features/registers/parties/server/index.ts'
import { createSupplier } from '#features/registers/suppliers/server/index.ts'

export interface Supplier {
  id: string
  name: string
  taxId: string | null
  dueTerms: string | null
}

const columns = sql`id, name, tax_id as "taxId", due_terms as "dueTerms"`

/**
 * The supplier by id, or by the name on the paper; one of that name or number is not made twice, nor one that
 * was merged made again.
 */
export async function supplierOf(
  ctx: Ctx,
  given: {
    supplierId?: string | null | undefined
    supplier?: { name: string; taxId?: string | undefined } | undefined
  },
): Promise<Supplier | null> {
  if (given.supplierId) {
    const { rows } = await sql<Supplier>`select ${columns} from parties where company_id = ${ctx.companyId}
          and role = 'supplier' and id = ${await standsFor(ctx, given.supplierId)}`.execute(ctx.tx)
    if (!rows[0]) throw failField('supplierId', 'fields.ref')
    return rows[0]
  }
  if (!given.supplier) return null
  const { name } = given.supplier
  const taxId = given.supplier.taxId ? given.supplier.taxId.replace(/\D/g, '').padStart(9, '0') : null
  if (taxId && !isTaxId(taxId)) throw failField('supplier.taxId', 'fields.taxId')
  const { rows } = await sql<Supplier>`select s.id, s.name, s.tax_id as "taxId", s.due_terms as "dueTerms"
    from parties p join parties s on s.company_id = p.company_id and s.id = coalesce(p.merged_into, p.id)
    where p.company_id = ${ctx.companyId} and p.role = 'supplier' and s.archived_at is null
      and (${taxId ? sql`p.tax_id = ${taxId} or` : sql``} lower(p.name) = lower(${name}))
    order by p.merged_into is not null, (p.tax_id is not distinct from ${taxId}) desc, p.created_at
    limit 1`.execute(ctx.tx)
  if (rows[0]) return rows[0]
  const made = await createSupplier(ctx, { name, taxId })
  return { id: made.id, name: made.name, taxId: made.taxId, dueTerms: made.dueTerms }
}

/** Suppliers by part of the name or number, those used last first. */
export async function supplierNames(ctx: Ctx, q: string | undefined) {
  const pattern = q?.trim() ? fold(q.trim()).replace(/[\\%_]/g, '\\$&') : undefined
  const { rows } = await sql<{
    id: string
    name: string
    taxId: string | null
  }>`select p.id, p.name, p.tax_id as "taxId" from parties p
    where p.company_id = ${ctx.companyId} and p.role = 'supplier' and p.archived_at is null
    ${pattern ? sql`and p.id in (select search_suppliers(${pattern}))` : sql``}
    order by (select max(e.created_at) from expenses e where e.company_id = p.company_id
      and e.supplier_id = p.id) desc nulls last, p.name limit 12`.execute(ctx.tx)
  return { rows }
}

export async function checkSupplier(ctx: Ctx, id: string): Promise<void> {
  const { rows } = await sql`select 1 from parties where company_id = ${ctx.companyId} and role = 'supplier'
        and id = ${id}`.execute(ctx.tx)
  if (!rows.length) throw fail('kit.notFound')
}
