import { sql } from 'kysely'
import { registerLeaves, type Leaving } from '#kit/server/rights/leaves.ts'
import { removeAccountant } from './accountants.ts'

registerLeaves({
  kind: 'accountants',
  tables: ['accountants', 'invitations'],
  // An accountant works for the business, no matter who sent the invitation.
  list: async (ctx) => {
    const { rows } = await sql<Leaving>`select a.id, a.name, a.email as to, null as "userId", null as "byKey",
        a.created_at as since,
        (select max(k.created_at) from accountant_packages k where k.company_id = a.company_id
          and k.accountant_id = a.id) as "lastAt",
        i.used_by is null or exists (select 1 from memberships m where m.company_id = a.company_id
          and m.user_id = i.used_by and m.blocked_at is null and m.removed_at is null) as "isOn",
        '/invoice/cpauser' as href
      from accountants a join invitations i on i.company_id = a.company_id and i.id = a.invitation_id
      where a.company_id = ${ctx.companyId} and a.archived_at is null
      order by a.created_at, a.id`.execute(ctx.tx)
    return rows
  },
  end: async (ctx, id) => {
    await removeAccountant(ctx, { id })
  },
})
