import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import type { OutsideCtx } from '#kit/server/contract/implement.ts'
import { bodyFor, type HappenedEvent } from './body.ts'

/** A notice as it is sent. */
interface Notice {
  type: string
  apiVersion: string
  timestamp: string
  data: Record<string, unknown>
}

/** An event as a notice to the caller would say it; what the caller may not see is not there. */
export async function eventOf(
  { app, caller, companyId, within }: OutsideCtx,
  { eventId, payload }: { eventId: string; payload: 'thin' | 'full' },
) {
  const { rows } = await within((ctx) =>
    sql<HappenedEvent>`select id, name, entity_id as "entityId", version, payload, at from events
      where company_id = ${companyId} and id = ${eventId}`.execute(ctx.tx),
  )
  if (!rows[0]) throw fail('kit.notFound')
  const told = await bodyFor(app, caller, { payload, filter: { sumAgorot: null, fields: {} } }, rows[0])
  if (!('body' in told)) throw fail('kit.notFound')
  return { id: eventId, ...(JSON.parse(told.body) as Notice) }
}
