import { sql } from 'kysely'
import { fail, failField } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { databaseFailures } from '#kit/server/contract/failures.ts'
import { implement } from '#kit/server/contract/implement.ts'
import { oneRow } from '#kit/server/data/lists.ts'
import { checkRef } from '#kit/server/data/refs.ts'
import { create, serveResource, type ServedResource } from '#kit/server/described/resources.ts'
import { registerAttachable } from '#features/base/files/server/index.ts'
import { categories, type Category } from '../categories.ts'
import * as calls from '../endpoints.ts'
import { incomeKinds } from '../incomeKinds.ts'
import { items } from '../items.ts'
import '../rules.ts'
import './events.ts'
import { categoryTree } from './categoryTree.ts'
import { served } from './items.ts'
import { changePrices, previewPrices, priceChanges, undoPriceChange } from './priceChange.ts'
import { itemMovements } from './reports/itemMovements.ts'
import { keepVariants, variantsOf } from './variants.ts'

export { categoryTree, inCategory } from './categoryTree.ts'
export { createItem } from './items.ts'

databaseFailures.PK020 = () => failField('parentId', 'items.categoryBelowItself')
registerAttachable('items', {
  withoutSums: true,
  table: 'items',
  see: items.allow.see,
  change: items.allow.change,
})

const servedCategories = categoryTree(categories, 'items', {
  field: 'itemCount',
  of: (branch) =>
    sql`(select count(*) from items i where i.company_id = t.company_id and i.archived_at is null
        and i.category_id in ${branch})::int`,
})

const servedIncomeKinds: ServedResource = {
  resource: incomeKinds,
  compute: {
    itemCount: sql`(select count(*) from items i where i.company_id = t.company_id and i.archived_at is null
        and i.income_kind_id = t.id)::int`,
  },
  refNames: {
    accountId: sql`(select a.name from accounts a where a.company_id = t.company_id and a.id = t.account_id)`,
  },
  beforeSave: async (ctx, values) => {
    await checkRef(ctx, 'accountId', 'accounts', values.accountId, sql`kind = 'income'`)
    return values
  },
}

/** Makes a category on the way. */
export const createCategory = (ctx: Ctx, values: Record<string, unknown>) =>
  create(ctx, servedCategories, values) as Promise<Category>

export const implementations = [
  implement(calls.unitsInUse, async (ctx) => {
    const { rows } = await sql<{
      unit: string
    }>`select unit from items where company_id = ${ctx.companyId} and archived_at is null and unit <> ''
      group by unit order by count(*) desc, unit limit 50`.execute(ctx.tx)
    return { rows: rows.map(({ unit }) => unit) }
  }),
  ...serveResource(served),
  ...serveResource(servedCategories),
  ...serveResource(servedIncomeKinds),
  implement(calls.getVariants, (ctx, { id }) => variantsOf(ctx, id)),
  implement(calls.keepVariants, keepVariants),
  implement(calls.setPicture, async (ctx, { id, fileId }) => {
    await oneRow(ctx, served, id)
    const { rows } =
      await sql`select 1 from file_links l join files f on f.company_id = l.company_id and f.id = l.file_id
      where l.company_id = ${ctx.companyId} and l.entity = 'items' and l.entity_id = ${id}
        and l.file_id = ${fileId} and f.mime like 'image/%'`.execute(ctx.tx)
    if (!rows.length) throw fail('kit.notFound')
    await sql`update items set picture_id = ${fileId}, updated_at = now() where company_id = ${ctx.companyId}
        and id = ${id}`.execute(ctx.tx)
    await ctx.audit('items.setPicture', 'items', id, undefined, { fileId })
    return { done: true as const }
  }),
  implement(calls.previewPrices, previewPrices),
  implement(calls.changePrices, changePrices),
  implement(calls.priceChanges, priceChanges),
  implement(calls.undoPriceChange, (ctx, { id }) => undoPriceChange(ctx, id)),
]

export const reports = [itemMovements]
