import { sql } from 'kysely'
import { registerOrigin } from '#features/money/standingOrders/server/index.ts'

// The person who subscribed at a page holds the plan of that page.
registerOrigin({
  of: () => sql`select g.id, g.title as name, false as told from pay_purchases p
    join pay_pages g on g.company_id = p.company_id and g.id = p.page_id
    where p.company_id = t.company_id and p.order_id = t.id`,
  packages: (ctx) =>
    sql`select company_id, id, created_at, updated_at, title, 'page' from pay_pages
      where company_id = ${ctx.companyId} and kind = 'subscription' and archived_at is null`,
})
