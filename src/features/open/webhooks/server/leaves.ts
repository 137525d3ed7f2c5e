import { sql } from 'kysely'
import { registerLeaves, type Leaving } from '#kit/server/rights/leaves.ts'
import { dropWebhook } from './keep.ts'

registerLeaves({
  kind: 'webhooks',
  tables: ['webhook_endpoints'],
  list: async (ctx) => {
    const { rows } = await sql<Leaving>`select e.id, e.name, e.url as to, e.created_by as "userId",
        k.name as "byKey", e.created_at as since, e.last_sent_at as "lastAt", e.state = 'on' as "isOn",
        '/invoice/webhooks' as href
      from webhook_endpoints e left join api_keys k on k.company_id = e.company_id and k.id = e.key_id
      where e.company_id = ${ctx.companyId} and e.archived_at is null
      order by e.created_at, e.id`.execute(ctx.tx)
    return rows
  },
  end: dropWebhook,
})
