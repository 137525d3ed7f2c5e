import { sql } from 'kysely'
import type { z } from 'zod'
import { parseDecimal4, toText } from '#domain/quantity.ts'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { documentTypes } from '#domain/documents/kinds.ts'
import { keepPrepared, prepareDocument } from '#features/sales/documents/server/index.ts'
import { documentInput } from '#features/sales/documents/endpoints.ts'
import type * as calls from '../endpoints.ts'
import { checkItems } from './commands.ts'
import { awaited, decimal } from './figures.ts'

type Proposed = z.output<typeof calls.proposedOrders.output>['rows'][number]

/**
 * What is free and on order together has fallen to its minimum or below: so much that it is over it again, in
 * whole order quantities.
 */
export async function proposed(ctx: Ctx): Promise<{ rows: Proposed[] }> {
  const { rows } = await sql<Proposed & { step: string | null; most: string }>`
    with o as (${awaited(ctx, 'order')}), b as (${awaited(ctx, 'purchaseOrder')})
    select x.id as "itemId", x.name, x.sku, x.unit, x.supplier, ${decimal(sql`x.free`)} as free,
      ${decimal(sql`x.ordered`)} as "onOrder", ${decimal(sql`x.minimum`)} as minimum,
      ${decimal(sql`x.step`)} as step, '' as quantity
    from (select i.id, i.name, i.sku, i.unit, p.name as supplier,
      coalesce(s.quantity, 0) - coalesce(o.quantity, 0) as free, coalesce(b.quantity, 0) as ordered,
      i.minimum_quantity as minimum, i.order_quantity as step
      from items i left join stock_items s on s.company_id = i.company_id and s.item_id = i.id left
      join o on o.item_id = i.id left join b on b.item_id = i.id
        left join parties p on p.company_id = i.company_id and p.id = i.supplier_id
      where i.company_id = ${ctx.companyId} and i.is_stocked and i.archived_at is null and i.is_active
        and i.minimum_quantity is not null) x
    where x.free + x.ordered < x.minimum order by x.supplier nulls last, x.name limit 500`.execute(ctx.tx)
  return {
    rows: rows.map(({ step, most: _, ...row }) => {
      const missing = parseDecimal4(row.minimum)! - parseDecimal4(row.free)! - parseDecimal4(row.onOrder)!
      const each = step ? parseDecimal4(step)! : 0
      return { ...row, quantity: toText(each > 0 ? Math.ceil(missing / each) * each : missing) }
    }),
  }
}

/** A draft of a purchase order for each supplier; what has no supplier stays with the buyer. */
export async function order(ctx: Ctx, { lines }: z.output<typeof calls.orderStock.input>) {
  await checkItems(
    ctx,
    lines.map((line, i) => ({ id: line.itemId, path: `lines.${i}.itemId` })),
  )
  const { rows } = await sql<{
    id: string
    name: string
    sku: string | null
    unit: string | null
    cost: string | null
    supplierId: string | null
    supplier: string | null
  }>`
    select i.id, i.name, i.sku, i.unit, case when i.currency = 'ILS' then i.cost::text end as cost,
      p.id as "supplierId", p.name as supplier from items i
      left join parties p on p.company_id = i.company_id and p.id = i.supplier_id and p.archived_at is null
    where i.company_id = ${ctx.companyId}
      and i.id = any(${lines.map((line) => line.itemId)}::uuid[])`.execute(ctx.tx)
  const items = new Map(rows.map((row) => [row.id, row]))
  const bySupplier = new Map<string, typeof lines>()
  let without = 0
  for (const line of lines) {
    const supplierId = items.get(line.itemId)!.supplierId
    if (supplierId) bySupplier.set(supplierId, [...(bySupplier.get(supplierId) ?? []), line])
    else without++
  }
  if (!bySupplier.size) throw fail('stock.nothingToOrder')
  const drafts = []
  for (const [supplierId, own] of bySupplier) {
    const content = documentInput.parse({
      type: documentTypes.purchaseOrder.id,
      customerId: supplierId,
      lines: own.map((line) => {
        const item = items.get(line.itemId)!
        return {
          itemId: line.itemId,
          description: item.name,
          quantity: line.quantity,
          unitPrice: item.cost ?? '0',
          ...(item.unit ? { unit: item.unit } : {}),
        }
      }),
    })
    const id = await keepPrepared(ctx, await prepareDocument(ctx, content))
    drafts.push({ id, supplier: items.get(own[0]!.itemId)!.supplier!, lines: own.length })
  }
  await ctx.audit('stock.order', 'companies', ctx.companyId, undefined, { drafts: drafts.length })
  return { drafts, without }
}
