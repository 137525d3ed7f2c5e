import { sql } from 'kysely'
import { failField } from '../../../kit/describe/errors.ts'
import { serveResource } from '../../../kit/server/resources.ts'
import { items } from '../items.ts'
import '../rules.ts'

export const implementations = serveResource({
  resource: items,
  refNames: { accountId: sql`(select a.name from accounts a where a.company_id = t.company_id and a.id = t.account_id)` },
  beforeSave: async (ctx, values) => {
    if (values.accountId) {
      const { rows } = await sql`select 1 from accounts where company_id = ${ctx.companyId} and id = ${values.accountId} and kind = 'income'`.execute(ctx.tx)
      if (!rows.length) throw failField('accountId', 'fields.ref')
    }
    return values
  },
})
