import { sql } from 'kysely'
import type { App } from '#kit/server/context.ts'
import { dueRows, serveDue } from '#kit/server/work/dueRows.ts'
import { ring } from '#features/people/bell/server/index.ts'
import { stale } from './served.ts'

const isToTell = sql`t.outcome = 'open' and t.archived_at is null and t.owner_id is not null
    and (t.stale_told_at is null or t.stale_told_at < t.stage_at) and ${stale}`

const staleLeads = dueRows({
  name: 'leads.stale',
  due: () => sql`select t.company_id, t.id::text as key, t.stage_at as at from leads t where ${isToTell}`,
  serve: async (ctx, id) => {
    const { rows } = await sql<{
      name: string
      owner_id: string | null
    }>`update leads t set stale_told_at = now(), version = version - 1
      where t.company_id = ${ctx.companyId} and t.id = ${id} and ${isToTell}
      returning t.name, t.owner_id`.execute(ctx.tx)
    const [one] = rows
    if (!one) return 0
    await ring(ctx, 'lead.stale', { entity: 'leads', id }, { title: one.name }, [one.owner_id])
    return 1
  },
})

/** Tells the person who has a lead that it waits longer than its stage allows; once for each stay in a stage. */
export const tellStale = (app: App, isOver?: () => boolean): Promise<number> =>
  serveDue(app, staleLeads, { isOver })
