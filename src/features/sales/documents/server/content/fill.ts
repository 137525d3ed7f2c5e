import { sql } from 'kysely'
import type { Day } from '#domain/day.ts'
import { vatKinds } from '#domain/documents/kinds.ts'
import { toText } from '#domain/quantity.ts'
import { failField } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { pricesFor } from '#features/registers/prices/server/index.ts'
import { checkProject } from '#features/registers/projects/server/index.ts'
import type { Content, Given } from './shapes.ts'

/**
 * Fills in what the lines leave open: a line that says a SKU alone is of the item that has it; an item
 * without a price gets the one that applies to this customer, this quantity and this day, with the item's way
 * of VAT; a line of a kind of income gets that kind's. What was said is never touched.
 */
export async function fillLines(
  ctx: Ctx,
  given: Given,
  { customerId, day, currency }: { customerId: string | null; day: Day; currency: string },
): Promise<Content> {
  await checkProject(ctx, given.projectId, Boolean(given.sourceId))
  const kinds = await vatOfKinds(ctx, given)
  const lines = await withItems(ctx, given.lines)
  const open = lines.filter((line) => line.unitPrice === undefined)
  const found = new Map(
    (await pricesFor(ctx, { customerId, day, currency, lines: open })).map(
      (price, i) => [open[i]!, price] as const,
    ),
  )
  return {
    ...given,
    lines: lines.map((line, i) => {
      const kind = line.incomeKindId ? kinds.get(line.incomeKindId) : undefined
      const ofKind = kind && line.vatKind === undefined ? { vatKind: vatKinds[kind] } : {}
      if (line.unitPrice !== undefined) return { ...line, ...ofKind, unitPrice: line.unitPrice }
      if (!line.itemId) throw failField(`lines.${i}.unitPrice`, 'fields.need')
      const price = found.get(line)
      if (!price) throw failField(`lines.${i}.unitPrice`, 'prices.noPrice', { currency })
      return { ...line, vatKind: line.vatKind ?? vatKinds[price.vatKind], unitPrice: toText(price.price) }
    }),
  }
}

/** Programs know goods by their SKU: by it stock moves, and the item's own account earns. */
async function withItems(ctx: Ctx, lines: Given['lines']): Promise<Given['lines']> {
  const skus = [...new Set(lines.flatMap(({ itemId, sku }) => (itemId || !sku ? [] : sku)))]
  if (!skus.length) return lines
  const { rows } = await sql<{ id: string; sku: string }>`select id, sku from items
    where company_id = ${ctx.companyId} and sku = any(${skus}) and archived_at is null`.execute(ctx.tx)
  const known = new Map(rows.map(({ id, sku }) => [sku, id]))
  return lines.map((line) =>
    line.itemId || !known.has(line.sku ?? '') ? line : { ...line, itemId: known.get(line.sku!) },
  )
}

async function vatOfKinds(ctx: Ctx, { lines }: Given): Promise<Map<string, keyof typeof vatKinds | null>> {
  const ids = [...new Set(lines.flatMap(({ incomeKindId }) => incomeKindId ?? []))]
  if (!ids.length) return new Map()
  const { rows } = await sql<{
    id: string
    vat_kind: keyof typeof vatKinds | null
  }>`select id, vat_kind from income_kinds
    where company_id = ${ctx.companyId} and id = any(${ids}::uuid[])`.execute(ctx.tx)
  const known = new Map(rows.map((row) => [row.id, row.vat_kind]))
  for (const [i, line] of lines.entries())
    if (line.incomeKindId && !known.has(line.incomeKindId))
      throw failField(`lines.${i}.incomeKindId`, 'fields.ref')
  return known
}
