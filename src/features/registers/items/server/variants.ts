import { sql } from 'kysely'
import { fold } from '#domain/fold.ts'
import { parseDecimal4, toText } from '#domain/quantity.ts'
import { Failure, fail, failField } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import type { Attribute, Variants } from '../endpoints.ts'

interface Parent {
  id: string
  name: string
  details: string | null
  price: string
  parent_id: string | null
  attributes: Attribute[] | null
}

interface Stored {
  id: string
  name: string
  sku: string | null
  barcode: string | null
  details: string | null
  price: string
  price_difference: string
  is_active: boolean
  attributes: Record<string, string> | null
  archived_at: string | null
}

const plain = (numeric: string): string => toText(parseDecimal4(numeric)!)

async function parentOf(ctx: Ctx, id: string, lock = false): Promise<Parent> {
  const { rows } = await sql<Parent>`select id, name, details, price, parent_id, attributes from items
    where company_id = ${ctx.companyId} and id = ${id} ${lock ? sql`for update` : sql``}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

async function childrenOf(ctx: Ctx, id: string): Promise<Stored[]> {
  const { rows } =
    await sql<Stored>`select id, name, sku, barcode, details, price, price_difference, is_active, attributes,
        archived_at from items
    where company_id = ${ctx.companyId} and parent_id = ${id} order by created_at, id`.execute(ctx.tx)
  return rows
}

export async function variantsOf(ctx: Ctx, id: string): Promise<Variants> {
  const parent = await parentOf(ctx, id)
  const rows = await childrenOf(ctx, id)
  return {
    attributes: parent.parent_id ? [] : (parent.attributes ?? []),
    rows: rows
      .filter((row) => !row.archived_at)
      .map((row) => ({
        id: row.id,
        name: row.name,
        values: row.attributes ?? {},
        sku: row.sku,
        barcode: row.barcode,
        price: plain(row.price),
        priceDifference: plain(row.price_difference),
        isActive: row.is_active,
      })),
  }
}

/** 'Shirt – M / blue', in the order of the attributes. */
const nameOf = (parent: string, attributes: readonly Attribute[], values: Record<string, string>): string =>
  `${parent} – ${attributes.map(({ name }) => values[name]).join(' / ')}`.slice(0, 200)

const foldedOf = (row: {
  name: string
  sku?: string | null
  barcode?: string | null
  details?: string | null
}): string => fold([row.name, row.sku, row.barcode, row.details].map((text) => text ?? '').join(' '))

/** After the parent got another name. */
export async function renameVariants(ctx: Ctx, id: string, name: string): Promise<void> {
  const { attributes } = await parentOf(ctx, id)
  for (const child of await childrenOf(ctx, id)) {
    const renamed = nameOf(name, attributes ?? [], child.attributes ?? {})
    await sql`update items set name = ${renamed}, folded = ${foldedOf({ ...child, name: renamed })},
        updated_at = now()
      where company_id = ${ctx.companyId} and id = ${child.id}`.execute(ctx.tx)
  }
}

interface Wanted {
  id: string
  attributes: Attribute[]
  variants: {
    id?: string | undefined
    values: Record<string, string>
    sku?: string | null | undefined
    barcode?: string | null | undefined
    priceDifference: string
    isActive: boolean
  }[]
}

/**
 * Brings the variants of an item to what is wished: each combination once, found again by its values, so that
 * its sales stay its own when it was put away for a while. A new one takes the parent's unit, VAT, kind of
 * income, account and category.
 */
export async function keepVariants(ctx: Ctx, { id, attributes, variants }: Wanted): Promise<Variants> {
  const parent = await parentOf(ctx, id, true)
  if (parent.parent_id) throw fail('items.isVariant')
  const names = attributes.map(({ name }) => name)
  if (new Set(names).size !== names.length)
    throw failField('attributes', 'fields.taken', { name: names.find((one, i) => names.indexOf(one) !== i)! })
  const there = await childrenOf(ctx, id)
  const keyOf = (values: Record<string, string>) => names.map((name) => values[name] ?? '').join('\u0000')
  const seen = new Set<string>()
  const kept = new Set<string>()
  const errors: { path: string; code: string; params?: Record<string, string> }[] = []

  for (const [i, one] of variants.entries()) {
    const known = attributes.every(({ name, values }) => values.includes(one.values[name] ?? ''))
    if (!known || names.length === 0 || Object.keys(one.values).length !== names.length)
      throw failField(`variants.${i}.values`, 'fields.choice')
    if (seen.has(keyOf(one.values)))
      throw fail('items.sameVariantTwice', { name: nameOf(parent.name, attributes, one.values) })
    seen.add(keyOf(one.values))
  }
  // Those that go first, so that the code of one may pass to another.
  const found = variants.map(
    (one) =>
      there.find((child) => child.id === one.id) ??
      there.find(
        (child) =>
          child.attributes &&
          Object.keys(child.attributes).length === names.length &&
          keyOf(child.attributes) === keyOf(one.values),
      ),
  )
  for (const child of found) if (child) kept.add(child.id)
  for (const child of there)
    if (!kept.has(child.id) && !child.archived_at)
      await sql`update items set archived_at = ${ctx.now.toISOString()}, updated_at = now()
        where company_id = ${ctx.companyId} and id = ${child.id}`.execute(ctx.tx)
  await sql`update items set attributes = ${attributes.length ? JSON.stringify(attributes) : null}::jsonb,
      updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)

  for (const [i, one] of variants.entries()) {
    const child = found[i]
    const row = {
      name: nameOf(parent.name, attributes, one.values),
      sku: one.sku || null,
      barcode: one.barcode || null,
      details: child ? child.details : parent.details,
    }
    for (const name of ['sku', 'barcode'] as const) {
      const { rows } = row[name]
        ? await sql<{
            name: string
          }>`select name from items where company_id = ${ctx.companyId} and archived_at is null
            and ${sql.ref(name)} = ${row[name]} and id is distinct from ${child?.id ?? null}::uuid
            limit 1`.execute(ctx.tx)
        : { rows: [] }
      if (rows[0])
        errors.push({ path: `variants.${i}.${name}`, code: 'fields.taken', params: { name: rows[0].name } })
    }
    if (errors.length) continue
    const price = sql`greatest((select p.price from items p where p.company_id = ${ctx.companyId}
        and p.id = ${id}) + ${one.priceDifference}::numeric, 0)`
    const values = JSON.stringify(one.values)
    if (child)
      await sql`update items set name = ${row.name}, sku = ${row.sku}, barcode = ${row.barcode},
          attributes = ${values}::jsonb, price = ${price},
        price_difference = ${one.priceDifference}, is_active = ${one.isActive}, folded = ${foldedOf(row)},
        archived_at = null, updated_at = now()
        where company_id = ${ctx.companyId} and id = ${child.id}`.execute(ctx.tx)
    else
      await sql`insert into items (company_id, id, parent_id, name, sku, barcode, details, attributes, price,
          price_difference, is_active, folded,
          unit, currency, vat_kind, cost, account_id, income_kind_id, category_id, is_stocked)
        select company_id, ${newId()}, id, ${row.name}, ${row.sku}, ${row.barcode}, ${row.details},
          ${values}::jsonb, ${price}, ${one.priceDifference}, ${one.isActive},
          ${foldedOf(row)}, unit, currency, vat_kind, cost, account_id, income_kind_id, category_id,
          is_stocked
        from items where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  }
  if (errors.length) throw new Failure('kit.badInput', {}, errors)
  const after = await variantsOf(ctx, id)
  const before = there.filter((one) => !one.archived_at).map(({ name, sku, price }) => ({ name, sku, price }))
  const now = after.rows.map(({ name, sku, price }) => ({ name, sku, price }))
  await ctx.audit(
    'items.keepVariants',
    'items',
    id,
    { attributes: parent.attributes, variants: before },
    { attributes, variants: now },
  )
  return after
}
