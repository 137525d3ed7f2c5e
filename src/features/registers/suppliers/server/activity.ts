import { sql } from 'kysely'
import type { Ctx } from '#kit/server/context.ts'
import { momentCursor } from '#kit/server/data/cursors.ts'
import { oneRow } from '#kit/server/data/lists.ts'
import { groupOf } from '#features/registers/parties/server/index.ts'
import { served } from './served.ts'

const page = 40

/** Who changed what in a supplier and its certificates; with `bank` only changes of its bank account. */
export async function activity(
  ctx: Ctx,
  { id, cursor, bank }: { id: string; cursor?: string | undefined; bank?: 'true' | undefined },
) {
  await oneRow(ctx, served, id)
  const [at, last] = momentCursor(cursor)
  const { rows } = await sql<{
    id: string
    at: string
    who: string | null
    action: string
    entity: string
    before: unknown
    after: unknown
  }>`
    select a.id, a.at, u.full_name as who, a.action, a.entity, a.before, a.after from audit_log a left
    join users u on u.id = a.user_id
    where a.company_id = ${ctx.companyId} and (a.at, a.id) < (${at}::timestamptz, ${last}::uuid)
      and ${
        bank
          ? sql`a.entity_id in ${groupOf(ctx, id)} and a.action = 'suppliers.bank'`
          : sql`(a.entity_id in ${groupOf(ctx, id)}
              or a.entity_id in (select c.id from withholding_certificates c
              where c.company_id = ${ctx.companyId} and c.party_id in ${groupOf(ctx, id)}))`
      }
    order by a.at desc, a.id desc limit ${page + 1}`.execute(ctx.tx)
  const shown = rows.slice(0, page)
  const end = shown.at(-1)
  return { rows: shown, nextCursor: rows.length > page && end ? `${end.at}|${end.id}` : null }
}
