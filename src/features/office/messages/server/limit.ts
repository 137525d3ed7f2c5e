import { sql } from 'kysely'
import { isUnlimited } from '#kit/describe/session.ts'
import { asCaller, systemCaller } from '#kit/server/context.ts'
import { registerMailLimitReached } from '#kit/server/outside/mailLimit.ts'
import { registerBell, ring } from '#features/people/bell/server/index.ts'

const kind = 'messages.limit'
registerBell(kind)

// The owners learn that mail waits; the kit calls this once a day for a business.
registerMailLimitReached((app, companyId, { recipients }) =>
  asCaller(app, systemCaller(companyId), '', async (ctx) => {
    const { rows } = await sql<{ id: string; rules: number[] }>`select user_id as id, rules from memberships
      where company_id = ${companyId} and removed_at is null and blocked_at is null`.execute(ctx.tx)
    const owners = rows.filter(({ rules }) => isUnlimited(rules)).map(({ id }) => id)
    await ring(ctx, kind, { entity: 'messages', id: companyId }, { most: recipients }, owners)
  }),
)
