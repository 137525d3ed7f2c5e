import { sql, type RawBuilder } from 'kysely'
import { eventsOn, type EventKind } from '#kit/describe/event.ts'
import type { Tx } from './db.ts'

/** An event as `tell_events` takes it. */
interface Told {
  name: string
  entity: string
  entityId: string | null
  payload: Record<string, unknown>
}

const said = ({ keep }: EventKind, after: unknown): Record<string, unknown> => {
  const values = (after ?? {}) as Record<string, unknown>
  return Object.fromEntries(
    keep.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])),
  )
}

/** What a line of the log, or many lines of one kind, tell. */
export const toldBy = (action: string, of: readonly { id: string | null; after?: unknown }[]): Told[] =>
  eventsOn(action).flatMap((kind) =>
    of.map(({ id, after }) => ({
      name: kind.name,
      entity: kind.entity,
      entityId: id,
      payload: said(kind, after),
    })),
  )

/** Part of a statement that tells them. */
export const telling = (companyId: string, told: readonly Told[]): RawBuilder<unknown> =>
  sql`tell_events(${companyId}, ${JSON.stringify(told)}::jsonb)`

/** Events without a line in the log, or with one line for many, are published one by one. */
export async function tellEach(
  { tx, companyId }: { tx: Tx; companyId: string },
  action: string,
  of: readonly { id: string; after?: unknown }[],
): Promise<void> {
  const told = toldBy(action, of)
  if (told.length) await sql`select ${telling(companyId, told)}`.execute(tx)
}
