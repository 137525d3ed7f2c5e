import { sql } from 'kysely'
import { fold } from '#domain/fold.ts'
import { parseDecimal4, toText } from '#domain/quantity.ts'
import { failField } from '#kit/describe/errors.ts'
import { checkWithin } from '#kit/server/contract/bounds.ts'
import type { Ctx } from '#kit/server/context.ts'
import { checkRef } from '#kit/server/data/refs.ts'
import { create, type ServedResource } from '#kit/server/described/resources.ts'
import { items, type Item } from '../items.ts'
import { inCategory } from './categoryTree.ts'
import { renameVariants } from './variants.ts'

/** The picture that stands for an item: the chosen one while it is attached, or the first. */
const picture = sql`(select l.file_id from file_links l join files f on f.company_id = l.company_id
    and f.id = l.file_id
  where l.company_id = t.company_id and l.entity = 'items' and l.entity_id = t.id and f.mime like 'image/%'
  order by (l.file_id = t.picture_id) is true desc, l.created_at, l.file_id limit 1)`

export const served: ServedResource = {
  marks: 'items',
  resource: items,
  // Which accounts an item is booked to is decided by a person.
  forDrafts: { create: { except: ['incomeKindId', 'accountId'] } },
  refNames: {
    accountId: sql`(select a.name from accounts a where a.company_id = t.company_id and a.id = t.account_id)`,
    categoryId: sql`category_path(t.company_id, t.category_id)`,
    incomeKindId: sql`(select k.name from income_kinds k where k.company_id = t.company_id
        and k.id = t.income_kind_id)`,
    supplierId: sql`(select p.name from parties p where p.company_id = t.company_id
        and p.id = t.supplier_id)`,
    parentId: sql`(select p.name from items p where p.company_id = t.company_id and p.id = t.parent_id)`,
  },
  extra: { pictureId: picture },
  compute: {
    onHand: sql`(select trim_scale(s.quantity)::text from stock_items s where s.company_id = t.company_id
        and s.item_id = t.id and t.is_stocked)`,
  },
  // A category stands for all that is below it.
  filters: { categoryId: inCategory },
  // What a scanner reads is one item, not every item with those digits somewhere.
  search: (q) =>
    sql`t.id in (select find_items(${q}, ${q.replace(/\s/g, '')}, ${fold(q).replace(/[\\%_]/g, '\\$&')}))`,
  beforeSave: async (ctx, values, before) => {
    await checkRef(ctx, 'accountId', 'accounts', values.accountId, sql`kind = 'income'`)
    await checkRef(ctx, 'categoryId', 'categories', values.categoryId, sql`kind = 'items'`)
    await checkRef(ctx, 'incomeKindId', 'income_kinds', values.incomeKindId)
    await checkRef(ctx, 'supplierId', 'parties', values.supplierId, sql`role = 'supplier'`)
    if (
      values.orderQuantity !== undefined &&
      values.orderQuantity !== null &&
      !(Number(values.orderQuantity) > 0)
    )
      throw failField('orderQuantity', 'fields.range')
    for (const name of ['minimumQuantity', 'orderQuantity', 'weight', 'price', 'cost'])
      checkWithin(name, values[name], { min: 0 })
    if (!before) return values
    const { parentId } = before as unknown as Item
    if (!parentId) {
      if (values.name !== undefined && values.name !== before.name)
        await renameVariants(ctx, String(before.id), String(values.name))
      return values
    }
    // A variant follows its parent: what it shares with it is changed there, and its price is stored as a difference.
    const { currency: _, vatKind: __, ...own } = values
    if (own.price === undefined) return own
    const { rows } = await sql<{
      price: string
    }>`select price from items where company_id = ${ctx.companyId} and id = ${parentId}`.execute(ctx.tx)
    return {
      ...own,
      priceDifference: toText(parseDecimal4(String(own.price))! - parseDecimal4(rows[0]!.price)!),
    }
  },
}

/** Makes an item on the way. */
export const createItem = (ctx: Ctx, values: Record<string, unknown>): Promise<Item> =>
  create(ctx, served, values) as Promise<Item>
