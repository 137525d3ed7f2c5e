import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { isUnlimited } from '#kit/describe/session.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import type { Tx } from '#kit/server/data/db.ts'
import type { Ticket, TicketRow, TicketState } from '../endpoints.ts'
import { filesIn } from './files.ts'

export interface StoredTicket {
  company_id: string
  id: string
  number: number
  kind: string
  severity: string
  state: TicketState
  subject: string
  asker_id: string
  asker_token: string
  desk_token: string
  state_at: string
}

/**
 * Tickets without an answer for so many days are marked: a ticket must not be forgotten because newer ones are above
 * it.
 */
export const isLate = sql<boolean>`(t.state in ('new', 'open') and t.state_at < now() - interval '2 days'
    and not exists (select 1 from ticket_messages m
  where m.company_id = t.company_id and m.ticket_id = t.id and m.planned = 'waits'))`

/** Days without a word of the asker, after which a warning goes out and a ticket ends. */
export const daysToWarning = 11
export const daysToEnd = 14

const letters = 'abcdefghijklmnopqrstuvwxyz234567'
/** 130 bits: nobody comes upon the address of another's ticket. */
const newToken = (): string => [...randomBytes(26)].map((byte) => letters[byte & 31]).join('')

/** The owner of a business sees the tickets of the business, anybody else only their own. */
const mine = (ctx: Ctx) =>
  isUnlimited(ctx.caller.rules) && !ctx.caller.apiKey
    ? sql`t.company_id = ${ctx.companyId}`
    : sql`t.company_id = ${ctx.companyId} and t.asker_id = ${ctx.caller.userId}`

const columns = sql<TicketRow>`t.id, t.number, t.kind, t.severity, t.state, t.subject,
    t.created_at as "createdAt", t.updated_at as "updatedAt", false as "isLate"`

export async function listMine(
  ctx: Ctx,
  { kind }: { kind?: string | undefined },
): Promise<{ rows: TicketRow[] }> {
  const { rows } = await sql<TicketRow>`select ${columns} from tickets t
      where ${mine(ctx)} ${kind ? sql`and t.kind = ${kind}` : sql``}
    order by t.updated_at desc, t.id desc limit 300`.execute(ctx.tx)
  return { rows }
}

/** What was said; the desk sees besides what has to be looked at, and what is to be sent later. */
export async function messagesOf(
  tx: Tx,
  companyId: string,
  id: string,
  atDesk: boolean,
): Promise<Ticket['messages']> {
  const { rows } = await sql<
    Ticket['messages'][number]
  >`select m.id, m.author, coalesce(u.full_name, m.sender) as name, m.text, m.created_at as at, m.held,
      m.message_ref is not null as "byMail", case when m.planned is not null then m.send_at end as "sendAt",
      m.planned is not distinct from 'stopped' as "isStopped"
    from ticket_messages m left join users u on u.id = m.user_id where m.company_id = ${companyId}
      and m.ticket_id = ${id}
      ${atDesk ? sql`and m.planned is distinct from 'dropped'` : sql`and not m.held and m.planned is null`}
    order by m.planned is not null, m.created_at, m.id limit 500`.execute(tx)
  return rows
}

export async function oneMine(ctx: Ctx, id: string): Promise<Ticket> {
  const { rows } = await sql<
    Omit<Ticket, 'messages' | 'files'>
  >`select ${columns}, t.page, t.version, t.browser, t.article,
      exists (select 1 from ticket_pictures p where p.company_id = t.company_id and p.ticket_id = t.id) as
      "hasPicture"
    from tickets t where ${mine(ctx)} and t.id = ${id}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return {
    ...rows[0],
    files: await filesIn(ctx.tx, ctx.companyId, id),
    messages: await messagesOf(ctx.tx, ctx.companyId, id, false),
  }
}

interface Asked {
  kind: string
  severity: string
  subject: string
  text: string
  page: string
  browser: string
  article: string
}

export async function ask(ctx: Ctx, given: Asked, version: string): Promise<{ id: string; number: number }> {
  const id = newId()
  const { rows } = await sql<{
    number: number
  }>`insert into tickets (company_id, id, number, kind, severity, subject, page, version, browser, article,
      asker_id, asker_token, desk_token, state_at, created_at)
    values (${ctx.companyId}, ${id}, next_ticket(), ${given.kind}, ${given.severity}, ${given.subject},
      ${given.page}, ${version}, ${given.browser}, ${given.article},
      ${ctx.caller.userId}, ${newToken()}, ${newToken()}, ${ctx.now.toISOString()}, ${ctx.now.toISOString()})
      returning number`.execute(ctx.tx)
  const { number } = rows[0]!
  await say(ctx, id, { author: 'asker', userId: ctx.caller.userId, text: given.text })
  await ctx.audit('support.ask', 'tickets', id, undefined, {
    number,
    kind: given.kind,
    subject: given.subject,
  })
  return { id, number }
}

interface Said {
  author: 'asker' | 'desk' | 'system'
  userId?: string | null
  sender?: string
  text: string
  messageRef?: string | null
  held?: boolean
}

/**
 * A word more in the thread; it is mailed to the other side. The same letter twice is one. Answers whether it
 * was new.
 */
export async function say(
  ctx: Ctx,
  ticketId: string,
  { author, userId = null, sender = '', text, messageRef = null, held = false }: Said,
): Promise<boolean> {
  const id = newId()
  const { rows } =
    await sql`insert into ticket_messages (company_id, id, ticket_id, author, user_id, sender, text,
        message_ref, held, created_at)
    values (${ctx.companyId}, ${id}, ${ticketId}, ${author}, ${userId}, ${sender}, ${text}, ${messageRef},
      ${held}, ${ctx.now.toISOString()})
    on conflict do nothing returning id`.execute(ctx.tx)
  if (!rows.length) return false
  await sql`update tickets set updated_at = ${ctx.now.toISOString()} where company_id = ${ctx.companyId}
      and id = ${ticketId}`.execute(ctx.tx)
  await ctx.later('support.mail', { id })
  return true
}

/** What was written for later may answer what is no longer asked: a person looks at it again. */
const stopPlanned = (ctx: Ctx, id: string) =>
  sql`update ticket_messages set planned = 'stopped' where company_id = ${ctx.companyId} and ticket_id = ${id}
      and planned = 'waits'`.execute(ctx.tx)

/**
 * Changes the state, with its automatic consequences: a ticket that waits for its asker gets a warning and is
 * closed.
 */
export async function setState(ctx: Ctx, id: string, state: TicketState): Promise<void> {
  const { rows } = await sql<{
    state_at: string
  }>`update tickets set state = ${state}, state_at = ${ctx.now.toISOString()}, warned_at = null,
      updated_at = ${ctx.now.toISOString()}
    where company_id = ${ctx.companyId} and id = ${id} returning state_at`.execute(ctx.tx)
  if (state === 'closed') await stopPlanned(ctx, id)
  const days = state === 'waiting' ? daysToWarning : state === 'solved' ? daysToEnd : undefined
  if (days !== undefined)
    await ctx.later(
      'support.lapse',
      { id, since: rows[0]!.state_at },
      new Date(ctx.now.getTime() + days * 86_400_000),
    )
}

/** A word of the asker: whatever the ticket was, it is the desk's turn now. */
export async function answerByAsker(ctx: Ctx, id: string, said: Omit<Said, 'author'>): Promise<void> {
  const { rows } =
    await sql<StoredTicket>`select * from tickets where company_id = ${ctx.companyId} and id = ${id} for
      update`.execute(ctx.tx)
  if (!(await say(ctx, id, { ...said, author: 'asker' }))) return
  await stopPlanned(ctx, id)
  if (rows[0]!.state !== 'new' && rows[0]!.state !== 'open') await setState(ctx, id, 'open')
}

export async function close(ctx: Ctx, id: string): Promise<Ticket> {
  const ticket = await oneMine(ctx, id)
  if (ticket.state === 'closed') throw fail('support.isClosed')
  await setState(ctx, id, 'closed')
  await ctx.audit(
    'support.close',
    'tickets',
    id,
    { state: ticket.state },
    { state: 'closed', number: ticket.number },
  )
  return oneMine(ctx, id)
}
