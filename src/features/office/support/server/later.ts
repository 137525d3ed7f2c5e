import { sql } from 'kysely'
import { fail, failField } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import type { Schedule } from '#kit/server/work/schedules.ts'
import { setState } from './tickets.ts'

/** Nothing is planned farther ahead: by then nobody remembers what was asked. */
const mostDays = 60

/** An answer that is written now and sent later. */
export async function plan(
  ctx: Ctx,
  ticketId: string,
  { userId, text, solved, at }: { userId: string; text: string; solved: boolean; at: string },
): Promise<void> {
  const ahead = Date.parse(at) - ctx.now.getTime()
  if (ahead <= 0 || ahead > mostDays * 86_400_000)
    throw failField('at', 'support.notAhead', { days: mostDays })
  await sql`insert into ticket_messages (company_id, id, ticket_id, author, user_id, text, created_at,
      planned, send_at, solves)
    values (${ctx.companyId}, ${newId()}, ${ticketId}, 'desk', ${userId}, ${text}, ${ctx.now.toISOString()},
      'waits', ${at}, ${solved})`.execute(ctx.tx)
}

interface Planned {
  id: string
  ticket_id: string
  planned: 'waits' | 'stopped' | 'dropped' | null
  send_at: string | null
  solves: boolean
  text: string
}

/** A planned answer for the person who changes it; the ticket is held before it, as by the person who writes in it. */
async function lockedPlanned(ctx: Ctx, id: string): Promise<Planned | undefined> {
  await sql`select 1 from tickets where company_id = ${ctx.companyId}
      and id = (select ticket_id from ticket_messages where company_id = ${ctx.companyId} and id = ${id}) for
      update`.execute(ctx.tx)
  const { rows } =
    await sql<Planned>`select id, ticket_id, planned, send_at, solves, text from ticket_messages
      where company_id = ${ctx.companyId} and id = ${id} for update`.execute(ctx.tx)
  return rows[0]
}

/**
 * Sends it now: it is added to the thread, emailed, and the ticket gets the state that was chosen with it.
 */
async function send(ctx: Ctx, { id, ticket_id: ticketId, solves }: Planned): Promise<void> {
  const now = ctx.now.toISOString()
  await sql`update ticket_messages set planned = null, created_at = ${now} where company_id = ${ctx.companyId}
      and id = ${id}`.execute(ctx.tx)
  await ctx.later('support.mail', { id })
  await setState(ctx, ticketId, solves ? 'solved' : 'waiting')
}

/** A person sends it now, or takes it back and has its words again. */
export async function decidePlanned(
  ctx: Ctx,
  id: string,
  ticketId: string,
  deed: 'send' | 'drop',
): Promise<{ text: string }> {
  const one = await lockedPlanned(ctx, id)
  if (!one || one.ticket_id !== ticketId || (one.planned !== 'waits' && one.planned !== 'stopped'))
    throw fail('kit.notFound')
  if (deed === 'send') await send(ctx, one)
  else
    await sql`update ticket_messages set planned = 'dropped' where company_id = ${ctx.companyId}
        and id = ${id}`.execute(ctx.tx)
  return { text: one.text }
}

/** Answers whose moment has come. */
export const dueAnswers: Schedule = {
  table: 'ticket_messages',
  key: 'id',
  alive: sql`t.planned = 'waits'`,
  at: sql`t.send_at`,
  serve: async (ctx, id) => {
    const one = await lockedPlanned(ctx, id)
    if (one?.planned !== 'waits' || Date.parse(one.send_at!) > ctx.now.getTime()) return false
    await send(ctx, one)
    return true
  },
}
