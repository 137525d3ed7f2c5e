import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '../context.ts'

/** The SQL function that answers the id of a record the caller may see, and null otherwise; undefined where all may be seen. */
type Sight = (ctx: Pick<Ctx, 'caller'>) => string | undefined
const sights = new Map<string, Sight>()

/**
 * For records of which a caller may see a part although row-level security shows all: what refers to one of the others is answered
 * without the reference. `resource` is the name that fields of kind `ref` point to.
 */
export const registerSight = (resource: string, sight: Sight): void => void sights.set(resource, sight)

/** A reference as the caller may be told it; undefined where every caller of these rights may be told all. */
export function seenRef(
  ctx: Pick<Ctx, 'caller'>,
  resource: string | undefined,
  id: RawBuilder<unknown>,
): RawBuilder<unknown> | undefined {
  const named = resource === undefined ? undefined : sights.get(resource)?.(ctx)
  return named === undefined ? undefined : sql`${sql.raw(named)}(t.company_id, ${id})`
}
