import { sql } from 'kysely'
import { failField } from '#kit/describe/errors.ts'
import { checkWithin } from '#kit/server/contract/bounds.ts'
import type { Ctx } from '#kit/server/context.ts'
import { checkRef } from '#kit/server/data/refs.ts'
import { create, serveResource, type ServedResource } from '#kit/server/described/resources.ts'
import { registerFollower } from '#features/registers/parties/server/index.ts'
import { projects, type Project } from '../projects.ts'
import '../rules.ts'
import './events.ts'
import { projectsReport } from './reports/projects.ts'
import { sumOf } from './sources.ts'

export { registerProjectSource } from './sources.ts'

// A project of a merged customer is the project of the one who stays.
registerFollower('customer', async (ctx, keepId, gone) => {
  await sql`update projects set customer_id = ${keepId}, updated_at = now()
    where company_id = ${ctx.companyId} and customer_id = any(${[...gone]}::uuid[])`.execute(ctx.tx)
})

const served: ServedResource = {
  resource: projects,
  // Read again each time: the sources are registered after this is loaded.
  get compute() {
    return {
      incomeAgorot: sumOf('income'),
      expenseAgorot: sumOf('expense'),
      profitAgorot: sql`(${sumOf('income')} - ${sumOf('expense')})::bigint`,
    }
  },
  // The person who sees a part of the papers would take a part for the whole.
  keptFrom: ({ caller }) =>
    caller.ownCustomersOnly || caller.docsAllow.length
      ? ['incomeAgorot', 'expenseAgorot', 'profitAgorot']
      : [],
  refNames: {
    customerId: sql`(select p.name from parties p where p.company_id = t.company_id
        and p.id = t.customer_id)`,
    managerId: sql`(select u.full_name from users u where u.id = t.manager_id)`,
  },
  beforeSave: async (ctx, values, before) => {
    await checkRef(ctx, 'customerId', 'parties', values.customerId, sql`role = 'customer'`)
    // A person who left stays assigned, and cannot be assigned again.
    if (values.managerId && values.managerId !== before?.managerId) {
      const { rows } = await sql`select 1 from memberships where company_id = ${ctx.companyId}
            and user_id = ${values.managerId}
        and removed_at is null`.execute(ctx.tx)
      if (!rows.length) throw failField('managerId', 'fields.ref')
    }
    const now = { ...before, ...values }
    if (now.fromDay && now.toDay && String(now.fromDay) > String(now.toDay))
      throw failField('toDay', 'fields.dayOrder')
    for (const name of ['budgetIncomeAgorot', 'budgetExpenseAgorot']) checkWithin(name, now[name], { min: 0 })
    return values
  },
}

/** Makes a project on the way. */
export const createProject = (ctx: Ctx, values: Record<string, unknown>) =>
  create(ctx, served, values) as Promise<Project>

export const implementations = serveResource(served)
export const reports = [projectsReport]

/** Refuses a project this business has not, and one that is closed unless the paper only mends another. */
export async function checkProject(ctx: Ctx, id: string | null | undefined, mends: boolean): Promise<void> {
  if (!id) return
  const { rows } = await sql<{
    name: string
    state: string
  }>`select name, state from projects where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  if (!rows[0]) throw failField('projectId', 'fields.ref')
  if (rows[0].state === 'closed' && !mends)
    throw failField('projectId', 'projects.closed', { name: rows[0].name })
}
