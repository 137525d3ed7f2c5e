import { sql } from 'kysely'
import { failField } from '../../../kit/describe/errors.ts'
import type { Ctx } from '../../../kit/server/context.ts'
import { create, serveResource, type ServedResource } from '../../../kit/server/resources.ts'
import { items, type Item } from '../items.ts'
import '../rules.ts'

const served: ServedResource = {
  resource: items,
  refNames: { accountId: sql`(select a.name from accounts a where a.company_id = t.company_id and a.id = t.account_id)` },
  beforeSave: async (ctx, values) => {
    if (values.accountId) {
      const { rows } =
        await sql`select 1 from accounts where company_id = ${ctx.companyId} and id = ${values.accountId} and kind = 'income'`.execute(
          ctx.tx,
        )
      if (!rows.length) throw failField('accountId', 'fields.ref')
    }
    return values
  },
}

export const implementations = serveResource(served)

/** Makes an item on the way. */
export const createItem = (ctx: Ctx, values: Record<string, unknown>): Promise<Item> => create(ctx, served, values) as Promise<Item>
