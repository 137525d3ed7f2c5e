import { sql } from 'kysely'
import { asSystem } from '#kit/server/db.ts'
import type { App } from '#kit/server/context.ts'
import { ring } from '#features/people/bell/server/index.ts'
import { stale } from './served.ts'

/** Tells whoever has a lead that it waits longer than its stage allows; once for each stay in a stage. */
export async function tellStale(app: App): Promise<number> {
  return asSystem(app.db, async (tx) => {
    const { rows } = await sql<{
      company_id: string
      id: string
      name: string
      owner_id: string | null
    }>`update leads set stale_told_at = now(), version = version - 1
      where (company_id, id) in (select t.company_id, t.id from leads t
      where t.outcome = 'open' and t.archived_at is null and t.owner_id is not null
        and (t.stale_told_at is null or t.stale_told_at < t.stage_at) and ${stale} limit 200 for
        update of t skip locked) returning company_id, id, name, owner_id`.execute(tx)
    for (const one of rows)
      await ring(
        { tx, companyId: one.company_id },
        'lead.stale',
        { entity: 'leads', id: one.id },
        { title: one.name },
        [one.owner_id],
      )
    return rows.length
  })
}
