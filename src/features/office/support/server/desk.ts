import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { asCaller, systemCaller, type Ctx } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { isOperator } from '#features/base/session/server/index.ts'
import type { DeskRow, TicketState } from '../endpoints.ts'
import { filesIn } from './files.ts'
import { decidePlanned, plan } from './later.ts'
import { isLate, messagesOf, say, setState, type StoredTicket } from './tickets.ts'

/** Operators of the installation answer what users ask. */
export const isDesk = isOperator

export async function refuseOthers(ctx: Ctx): Promise<void> {
  if (!(await isDesk(ctx))) throw fail('support.notDesk')
}

const words = sql<DeskRow>`t.id, t.number, t.kind, t.severity, t.state, t.subject,
    t.created_at as "createdAt", t.updated_at as "updatedAt", ${isLate} as "isLate",
  c.name as business, u.full_name as asker,
  (select count(*)::int from ticket_messages m where m.company_id = t.company_id and m.ticket_id = t.id
  and m.held) as held,
  (select min(m.send_at) from ticket_messages m where m.company_id = t.company_id and m.ticket_id = t.id
  and m.planned = 'waits') as "sendAt"`

const views = {
  mine: sql`t.state in ('new', 'open')`,
  waiting: sql`t.state = 'waiting'`,
  ended: sql`t.state in ('solved', 'closed')`,
}

export async function deskList(ctx: Ctx, { view }: { view: keyof typeof views }) {
  await refuseOthers(ctx)
  return asSystem(ctx.app.db, async (tx) => {
    const { rows } = await sql<DeskRow>`select ${words} from tickets t join companies c on c.id = t.company_id
        join users u on u.id = t.asker_id
      where ${views[view]}
      order by ${
        view === 'ended'
          ? sql`t.updated_at
          desc`
          : sql`array_position(array['blocking', 'high', 'normal', 'low'], t.severity), t.updated_at`
      }
      limit 300`.execute(tx)
    const { rows: counts } = await sql<{
      mine: number
      waiting: number
    }>`select count(*) filter (where state in ('new', 'open'))::int as mine,
      count(*) filter (where state = 'waiting')::int as waiting from tickets`.execute(tx)
    return { rows, counts: counts[0]! }
  })
}

/** The ticket of a number, from whichever business. */
async function byNumber(ctx: Ctx, number: number): Promise<StoredTicket> {
  await refuseOthers(ctx)
  const { rows } = await asSystem(ctx.app.db, (tx) =>
    sql<StoredTicket>`select * from tickets where number = ${number}`.execute(tx),
  )
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

/**
 * Work on a ticket inside its own business, as the person who answers; nothing else of that business is
 * looked at.
 */
export async function atDesk<T>(
  ctx: Ctx,
  number: number,
  work: (inside: Ctx, ticket: StoredTicket) => Promise<T>,
): Promise<T> {
  const ticket = await byNumber(ctx, number)
  const caller = {
    ...systemCaller(ticket.company_id, ctx.caller.userId),
    fullName: ctx.caller.fullName,
    language: ctx.caller.language,
  }
  return asCaller(ctx.app, caller, ctx.address, (inside) => work(inside, ticket))
}

export async function deskOne(ctx: Ctx, { number }: { number: number }) {
  const stored = await byNumber(ctx, number)
  return asSystem(ctx.app.db, async (tx) => {
    const { rows } = await sql<
      DeskRow & {
        email: string
        language: string
        hasPicture: boolean
        page: string
        version: string
        browser: string
        article: string
      }
    >`
      select ${words}, u.email, u.language, t.page, t.version, t.browser, t.article,
        exists (select 1 from ticket_pictures p where p.company_id = t.company_id and p.ticket_id = t.id) as
        "hasPicture"
      from tickets t join companies c on c.id = t.company_id join users u on u.id = t.asker_id
      where t.number = ${number}`.execute(tx)
    return {
      ...rows[0]!,
      files: await filesIn(tx, stored.company_id, stored.id),
      messages: await messagesOf(tx, stored.company_id, stored.id, true),
    }
  })
}

export const answer = (
  ctx: Ctx,
  { number, text, solved, at }: { number: number; text: string; solved: boolean; at?: string | undefined },
) =>
  atDesk(ctx, number, async (inside, ticket) => {
    if (at) {
      await plan(inside, ticket.id, { userId: ctx.caller.userId, text, solved, at })
      return { done: true as const }
    }
    await say(inside, ticket.id, { author: 'desk', userId: ctx.caller.userId, text })
    await setState(inside, ticket.id, solved ? 'solved' : 'waiting')
    return { done: true as const }
  })

export const planned = (
  ctx: Ctx,
  { number, messageId, deed }: { number: number; messageId: string; deed: 'send' | 'drop' },
) => atDesk(ctx, number, (inside, ticket) => decidePlanned(inside, messageId, ticket.id, deed))

export const change = (
  ctx: Ctx,
  {
    number,
    state,
    severity,
  }: { number: number; state?: Exclude<TicketState, 'new'> | undefined; severity?: string | undefined },
) =>
  atDesk(ctx, number, async (inside, ticket) => {
    if (severity)
      await sql`update tickets set severity = ${severity}, updated_at = now()
        where company_id = ${inside.companyId} and id = ${ticket.id}`.execute(inside.tx)
    if (state && state !== ticket.state) await setState(inside, ticket.id, state)
    await inside.audit(
      'support.change',
      'tickets',
      ticket.id,
      { state: ticket.state, severity: ticket.severity },
      { number, state, severity },
    )
    return { done: true as const }
  })

export const take = (ctx: Ctx, { number, messageId }: { number: number; messageId: string }) =>
  atDesk(ctx, number, async (inside, ticket) => {
    const { rows } = await sql`update ticket_messages set held = false where company_id = ${inside.companyId}
          and ticket_id = ${ticket.id} and id = ${messageId} and held
      returning id`.execute(inside.tx)
    if (!rows.length) throw fail('kit.notFound')
    if (ticket.state !== 'new') await setState(inside, ticket.id, 'open')
    return { done: true as const }
  })
