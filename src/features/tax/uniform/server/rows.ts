import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#kit/server/context.ts'

const page = 1000
let cursors = 0

/**
 * The rows of a query in pages, through a cursor of the transaction: no page is held longer than it is used.
 */
export async function* inPages<T>(ctx: Ctx, query: RawBuilder<T>): AsyncGenerator<T[]> {
  const name = sql.raw(`exported_${++cursors}`)
  await sql`declare ${name} no scroll cursor for ${query}`.execute(ctx.tx)
  for (;;) {
    const { rows } = await sql<T>`fetch ${sql.raw(String(page))} from ${name}`.execute(ctx.tx)
    if (rows.length) yield rows
    if (rows.length < page) break
  }
  await sql`close ${name}`.execute(ctx.tx)
}
