import { sql } from 'kysely'
import { registerLeaves } from '#kit/server/rights/leaves.ts'
import { dropTarget, targets } from './targets.ts'

registerLeaves({
  kind: 'drive',
  tables: ['drive_targets'],
  list: async (ctx) => {
    const { rows } = await sql<{ id: string; userId: string; since: string }>`select id,
        created_by as "userId", created_at as since from drive_targets
      where company_id = ${ctx.companyId} and archived_at is null`.execute(ctx.tx)
    const known = new Map(rows.map((row) => [row.id, row]))
    return (await targets(ctx)).map(({ id, name, place, state, lastDoneAt }) => ({
      id,
      name,
      to: place,
      userId: known.get(id)?.userId ?? null,
      byKey: null,
      since: known.get(id)!.since,
      lastAt: lastDoneAt,
      isOn: state === 'on' || state === 'full',
      href: '/invoice/drive',
    }))
  },
  end: dropTarget,
})
