import { sql, type RawBuilder } from 'kysely'
import { fold } from '#domain/fold.ts'
import { can } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { ServedResource } from '#kit/server/described/resources.ts'
import { holdings, packages } from '../holdings.ts'

/** What a feature tells of the things customers hold for a time. */
export interface HoldingSource {
  /** The person who has it not finds none of them in the list. */
  rule: string
  /** Selects company_id, id, created_at, updated_at, name and kind of what can be held. */
  packages: (ctx: Ctx) => RawBuilder<unknown>
  /** Selects who holds it, in this order: the columns of `heldColumns`. */
  held?: (ctx: Ctx) => RawBuilder<unknown>
}

/** What a source selects of each thing that is held. */
const heldColumns = {
  company_id: 'uuid',
  id: 'uuid',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  kind: 'text',
  package_id: 'uuid',
  package_name: 'text',
  customer_id: 'uuid',
  from_day: 'date',
  to_day: 'date',
  left_count: 'int',
  left_of: 'text',
  state: 'text',
  renewal: 'text',
  open: 'text',
}
const packageColumns = {
  company_id: 'uuid',
  id: 'uuid',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  name: 'text',
  kind: 'text',
}

const sources: HoldingSource[] = []

/** Called by features that sell what is held for a time. */
export const registerHoldings = (source: HoldingSource): void => void sources.push(source)

/** All that the caller may see, under the names of the columns; of none there is an empty table. */
function together(
  ctx: Ctx,
  columns: Record<string, string>,
  of: (source: HoldingSource) => RawBuilder<unknown> | undefined,
): RawBuilder<unknown> {
  const names = Object.keys(columns).map((name) => sql.ref(name))
  const parts = sources.filter(({ rule }) => can(ctx.caller, rule)).flatMap((source) => of(source) ?? [])
  const none = sql`select ${sql.join(Object.values(columns).map((type) => sql`null::${sql.raw(type)}`))}
    where false`
  return sql`(with x (${sql.join(names)}) as
      (${sql.join(parts.length ? parts.map((part) => sql`(${part})`) : [none], sql` union all `)}) select *
      from x)`
}

const pattern = (q: string) => `%${q.replace(/[\\%_]/g, '\\$&')}%`

export const servedPackages: ServedResource = {
  resource: packages,
  verbs: ['list', 'get'],
  noArchive: true,
  from: (ctx) => together(ctx, packageColumns, (source) => source.packages(ctx)),
  compute: { name: sql`t.name`, kind: sql`t.kind` },
}

export const servedHoldings: ServedResource = {
  resource: holdings,
  verbs: ['list', 'export'],
  noArchive: true,
  from: (ctx) => together(ctx, heldColumns, (source) => source.held?.(ctx)),
  compute: {
    customerId: sql`t.customer_id`,
    packageId: sql`t.package_id`,
    kind: sql`t.kind`,
    fromDay: sql`t.from_day`,
    toDay: sql`t.to_day`,
    left: sql`t.left_count`,
    leftOf: sql`t.left_of`,
    state: sql`t.state`,
    renewal: sql`t.renewal`,
  },
  refNames: {
    customerId: sql`(select p.name from parties p where p.company_id = t.company_id
        and p.id = t.customer_id)`,
    packageId: sql`t.package_name`,
  },
  extra: { open: sql`t.open` },
  search: (q) =>
    sql`(t.package_name ilike ${pattern(q)}
        or t.customer_id in (select search_customers(${fold(q).replace(/[\\%_]/g, '\\$&')})))`,
}
