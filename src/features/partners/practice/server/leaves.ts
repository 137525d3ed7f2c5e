import { sql } from 'kysely'
import { asSystem } from '#kit/server/data/db.ts'
import { registerLeaves, type Leaving } from '#kit/server/rights/leaves.ts'
import { endOffice } from './clients.ts'

registerLeaves({
  kind: 'offices',
  tables: ['engagements', 'office_invites', 'offices'],
  list: async (ctx) => {
    // The engagement and the name are the office's.
    const { rows } = await asSystem(ctx.app.db, (tx) =>
      sql<Leaving>`select g.company_id as id, c.name, '' as to, null as "userId",
        null as "byKey", coalesce(g.consented_at, g.asked_at) as since, null as "lastAt",
        g.state = 'active' as "isOn", '/invoice/cpauser' as href
      from engagements g join companies c on c.id = g.company_id
      where g.client_id = ${ctx.companyId} and g.state in ('active', 'paused')`.execute(tx),
    )
    return rows
  },
  end: async (ctx, id) => {
    await endOffice(ctx, { officeId: id, reason: '' })
  },
})
