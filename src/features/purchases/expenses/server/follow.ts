import { sql } from 'kysely'
import { registerFollower } from '#features/registers/parties/server/index.ts'

/**
 * Posted bills stay under the supplier they were entered for; expected bills, and bills that are not posted yet,
 * follow a merged supplier. A bill that the other one has too stays where it is: the same bill is not stored twice.
 */
registerFollower('supplier', async (ctx, keepId, gone) => {
  const ids = [...gone]
  await sql`update recurring_expenses set supplier_id = ${keepId}, updated_at = now()
    where company_id = ${ctx.companyId} and supplier_id = any(${ids}::uuid[])`.execute(ctx.tx)
  const { rows } = await sql<{
    id: string
  }>`select id from expenses where company_id = ${ctx.companyId} and supplier_id = any(${ids}::uuid[])
    and state not in ('approved', 'cancelled') order by id`.execute(ctx.tx)
  for (const { id } of rows)
    await sql`update expenses t set supplier_id = ${keepId}, updated_at = now()
      where t.company_id = ${ctx.companyId} and t.id = ${id} and not exists (select 1
      from expenses o where o.company_id = t.company_id and o.supplier_id = ${keepId} and t.number_key <> ''
        and o.number_key = t.number_key
        and o.total_agorot = t.total_agorot and o.state not in ('rejected', 'cancelled')
        and t.state <> 'rejected')`.execute(ctx.tx)
})
