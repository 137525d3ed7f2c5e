import { sql } from 'kysely'
import { fold } from '#domain/fold.ts'
import { failField } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { checkRef } from '#kit/server/data/refs.ts'
import { say } from '#kit/server/words.ts'
import type { ServedResource } from '#kit/server/described/resources.ts'
import { leadsSeen, makeTask } from '#features/people/tasks/server/index.ts'
import { interactions, type Channel } from '../contacts.ts'

/** What people look for: what was said, what came of it, with whom. */
async function searchText(ctx: Ctx, values: Record<string, unknown>): Promise<string> {
  const { rows } = await sql<{
    name: string
  }>`select name from parties where company_id = ${ctx.companyId}
      and id = ${(values.customerId as string | null) ?? null}::uuid
    union all select name from leads where company_id = ${ctx.companyId}
      and id = ${(values.leadId as string | null) ?? null}::uuid`.execute(ctx.tx)
  return fold(
    [values.text, values.outcome, values.nextText, values.sender, ...rows.map(({ name }) => name)]
      .map((one) => String(one ?? ''))
      .join(' '),
  ).slice(0, 8000)
}

export const served: ServedResource = {
  resource: interactions,
  forDrafts: { create: true, change: true },
  refNames: {
    customerId: sql`(select p.name from parties p where p.company_id = t.company_id
        and p.id = t.customer_id)`,
    leadId: sql`(select l.name from leads l where l.company_id = t.company_id and l.id = t.lead_id)`,
    byId: sql`(select u.full_name from users u where u.id = t.by_user)`,
  },
  search: (q) => {
    const part = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`
    return sql`(t.folded like ${part(fold(q))} or t.text ilike ${part(q)})`
  },
  // A person who sees only their own leads reads only conversations with those.
  only: (ctx) =>
    ctx.caller.ownCustomersOnly || can(ctx.caller, 'leads.all')
      ? []
      : [
          sql<boolean>`(t.lead_id is null or t.by_user = ${ctx.caller.userId}
              or exists (select 1 from leads l where l.company_id = t.company_id and l.id = t.lead_id
            and (l.owner_id = ${ctx.caller.userId}
            or l.created_by =
            ${ctx.caller.userId}${
              can(ctx.caller, 'leads.team')
                ? sql`
                or l.owner_id = any (team_mates(${ctx.companyId}))`
                : sql``
            })))`,
        ],
  beforeSave: async (ctx, values, before) => {
    const now = { ...before, ...values }
    if (!now.customerId && !now.leadId && !before) throw failField('customerId', 'fields.need')
    await checkRef(ctx, 'customerId', 'parties', values.customerId, sql`role = 'customer'`)
    if (values.leadId !== before?.leadId)
      await checkRef(ctx, 'leadId', 'leads', values.leadId, leadsSeen(ctx))
    if (!now.text && !now.outcome) throw failField('text', 'fields.need')
    return values
  },
}

/**
 * What follows from a contact that was written down: its search, the first answer to a lead, a task for the
 * next step.
 */
export async function settle(
  ctx: Ctx,
  row: Record<string, unknown>,
  before?: Record<string, unknown>,
): Promise<void> {
  const id = String(row.id)
  await sql`update interactions set folded = ${await searchText(ctx, row)} where company_id = ${ctx.companyId}
      and id = ${id}`.execute(ctx.tx)
  if (row.leadId && row.direction === 'out' && row.channel !== 'note')
    await sql`update leads set first_answer_at = ${ctx.now.toISOString()}, version = version - 1
      where company_id = ${ctx.companyId} and id = ${String(row.leadId)}
      and first_answer_at is null`.execute(ctx.tx)
  if (row.nextDay && row.nextDay !== before?.nextDay)
    await makeTask(ctx, {
      title: String(
        row.nextText ||
          say(ctx.caller.language, 'interactions.nextTask', {
            name: String(row.customerIdName ?? row.leadIdName ?? ''),
          }),
      ).slice(0, 300),
      dueDay: row.nextDay,
      customerId: row.customerId ?? null,
      leadId: row.leadId ?? null,
      ownerId: ctx.caller.userId,
    })
}

export interface Heard {
  customerId?: string | null
  leadId?: string | null
  channel: Channel
  direction: 'in' | 'out'
  text: string
  sender?: string
  messageId?: string | null
  at?: Date
}

/**
 * Writes a contact down on the way: what came by a form, a letter that was forwarded. The same letter twice
 * is one.
 */
export async function hear(ctx: Ctx, heard: Heard): Promise<string | undefined> {
  const id = newId()
  const folded = await searchText(ctx, { ...heard })
  const { rows } = await sql<{
    id: string
  }>`insert into interactions (company_id, id, customer_id, lead_id, channel, direction, at, text, sender,
      message_id, folded)
    values (${ctx.companyId}, ${id}, ${heard.customerId ?? null}, ${heard.leadId ?? null}, ${heard.channel},
      ${heard.direction}, ${(heard.at ?? ctx.now).toISOString()},
      ${heard.text.slice(0, 20_000)}, ${(heard.sender ?? '').slice(0, 300)}, ${heard.messageId ?? null},
      ${folded})
    on conflict (company_id, message_id) where message_id is not null do nothing returning id`.execute(ctx.tx)
  if (!rows[0]) return undefined
  await ctx.audit('interactions.create', 'interactions', id, undefined, { channel: heard.channel })
  return id
}
