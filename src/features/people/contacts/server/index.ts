import { sql } from 'kysely'
import { registerSweep } from '#kit/server/work/housekeeping.ts'
import { implement, type Implementation } from '#kit/server/contract/implement.ts'
import { oneRow } from '#kit/server/data/lists.ts'
import { serveResource } from '#kit/server/described/resources.ts'
import { registerFollower } from '#features/registers/parties/server/index.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import './events.ts'
import { changeSettings, settingsOf } from './mail.ts'
import { served, settle } from './served.ts'
import { timeline } from './timeline.ts'

export { hear } from './served.ts'
export { newMailToken, whoHas, writerOf } from './mail.ts'
export { showContacts } from './demo.ts'

// What was said with a merged customer was said with the one who stays.
registerFollower('customer', async (ctx, keepId, gone) => {
  await sql`update interactions set customer_id = ${keepId}, updated_at = now()
    where company_id = ${ctx.companyId} and customer_id = any(${[...gone]}::uuid[])`.execute(ctx.tx)
})

// Put away and not deleted: it is found as before.
registerSweep((db) =>
  sql`update interactions i set archived_at = now() from contact_settings s where s.company_id = i.company_id
      and s.archive_months is not null and i.archived_at is null
    and i.at < now() - make_interval(months => s.archive_months)
    and (i.next_day is null or i.next_day < current_date)`.execute(db),
)

const described = serveResource(served).map((one): Implementation => {
  const { name } = one.endpoint
  if (name !== 'interactions.create' && name !== 'interactions.change') return one
  return {
    ...one,
    inside: async (ctx, input: { id?: string }) => {
      const before = input.id ? await oneRow<Record<string, unknown>>(ctx, served, input.id) : undefined
      const row = (await one.inside!(ctx, input as never)) as Record<string, unknown>
      await settle(ctx, row, before)
      return row
    },
  }
})

export const implementations: Implementation[] = [
  // Fixed words of the path stand before `{id}`.
  implement(calls.contactSettings, settingsOf),
  implement(calls.changeContactSettings, changeSettings),
  ...described,
  implement(calls.timeline, timeline),
]
