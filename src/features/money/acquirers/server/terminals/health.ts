import { sql } from 'kysely'
import { asCaller, systemCaller, type App } from '#kit/server/context.ts'
import type { TerminalRow } from './terminals.ts'

/** How often a terminal that keeps answering is written about. */
const everyMs = 5 * 60_000

/** A terminal answered, or refused its keys: its page says so. */
export async function markAnswer(
  app: App,
  companyId: string,
  { id, state, answered_at: answeredAt }: TerminalRow,
  refusal?: string,
): Promise<void> {
  const now = app.now()
  if (
    !refusal &&
    state !== 'failing' &&
    answeredAt &&
    now.getTime() - new Date(answeredAt).getTime() < everyMs
  )
    return
  await asCaller(app, systemCaller(companyId), '', (ctx) =>
    refusal
      ? sql`update terminals set failed_at = ${now}, last_error = ${refusal.slice(0, 200)}, state = case
          when state = 'proved' then 'failing' else state end
          where company_id = ${companyId} and id = ${id}`.execute(ctx.tx)
      : sql`update terminals set answered_at = ${now}, state = case when state = 'failing' then 'proved'
          else state end
          where company_id = ${companyId} and id = ${id}`.execute(ctx.tx),
  )
}
