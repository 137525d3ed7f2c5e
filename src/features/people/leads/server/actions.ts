import { sql } from 'kysely'
import { fail, forbidden, failField } from '#kit/describe/errors.ts'
import { documentTypes } from '#domain/documents/kinds.ts'
import { can } from '#kit/describe/session.ts'
import { parse } from '#kit/server/contract/failures.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isDraft } from '#kit/server/data/documentFacts.ts'
import { oneRow } from '#kit/server/data/lists.ts'
import { create } from '#kit/server/described/resources.ts'
import { createCustomer, twinsOf } from '#features/registers/parties/server/index.ts'
import { keepPrepared, prepareDocument } from '#features/sales/documents/server/index.ts'
import { createDocument } from '#features/sales/documents/endpoints.ts'
import { customerContacts } from '#features/registers/parties/people.ts'
import { rankFor } from '#features/people/tasks/server/index.ts'
import type { LeadCard, LeadStage, LeadTwin } from '../endpoints.ts'
import { oneCard } from './cards.ts'
import { leadOrder, seen, served } from './served.ts'
import { stageFor, stagesOf } from './stages.ts'

interface Stored {
  id: string
  name: string
  company: string
  phone: string | null
  email: string | null
  city: string
  version: number
  stage_id: string
  kind_id: string | null
  outcome: 'open' | 'won' | 'lost'
  owner_id: string | null
  customer_id: string | null
  sum_agorot: number | null
  notes: string
}

async function locked(ctx: Ctx, id: string, version: number): Promise<Stored> {
  await oneRow(ctx, served, id)
  const { rows } = await sql<Stored>`select * from leads where company_id = ${ctx.companyId} and id = ${id}
        and archived_at is null for update`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  if (rows[0].version !== version) throw fail('leads.moved', { card: JSON.stringify(await oneCard(ctx, id)) })
  return rows[0]
}

interface Move {
  id: string
  version: number
  stageId: string
  afterId: string | null
  beforeId: string | null
  reason?: string | undefined
}

export async function move(
  ctx: Ctx,
  { id, version, stageId, afterId, beforeId, reason }: Move,
): Promise<LeadCard> {
  const lead = await locked(ctx, id, version)
  const stage = await stageFor(ctx, stageId)
  if (stage.kindId !== null && stage.kindId !== lead.kind_id)
    throw fail('leads.wrongKind', { name: stage.name })
  if (stage.outcome === 'won' && lead.outcome !== 'won') throw fail('leads.winFirst')
  if (stage.outcome === 'lost' && lead.outcome !== 'lost' && !reason) throw failField('reason', 'fields.need')
  await put(ctx, lead, stage, { afterId, beforeId }, reason)
  await ctx.audit('leads.move', 'leads', id, { stageId: lead.stage_id }, { stageId })
  if (stage.outcome === 'lost' && lead.outcome !== 'lost')
    await ctx.audit('leads.lose', 'leads', id, undefined, { reason })
  return oneCard(ctx, id)
}

/** Puts a lead into a stage, with what the stage makes of it. */
async function put(
  ctx: Ctx,
  lead: Stored,
  stage: LeadStage,
  place: { afterId: string | null; beforeId: string | null },
  reason = '',
): Promise<void> {
  const rank = await rankFor(ctx, leadOrder, lead.id, { columnId: stage.id, ...place })
  const isOpen = stage.outcome === 'open'
  const closes = !isOpen && lead.outcome !== stage.outcome
  // The person who moves a new lead on has answered it.
  await sql`update leads set stage_id = ${stage.id}, rank = ${rank}, outcome = ${stage.outcome},
      closed_at = case when ${isOpen} then null when ${closes} then now() else closed_at end,
      lost_reason = case when ${stage.outcome !== 'lost'} then '' when ${reason !== ''} then ${reason}
      else lost_reason end,
      first_answer_at = case when ${stage.id !== lead.stage_id} then
      coalesce(first_answer_at, ${ctx.now.toISOString()}::timestamptz) else first_answer_at end,
      updated_at = now()
    where company_id = ${ctx.companyId} and id = ${lead.id}`.execute(ctx.tx)
  if (closes)
    await sql`delete from lead_marks where company_id = ${ctx.companyId} and lead_id = ${lead.id}`.execute(
      ctx.tx,
    )
}

interface Win {
  id: string
  version: number
  stageId?: string | undefined
  customerId: string | null
  sumAgorot: number | null
  lines: { description: string; quantity: string; unitPrice: string; itemId?: string | undefined }[]
}

/**
 * Won: the lead becomes a customer, with a contact where a company asked, and the offer becomes a quote. One
 * transaction: all of it, or nothing.
 */
export async function win(ctx: Ctx, { id, version, stageId, customerId, sumAgorot, lines }: Win) {
  const lead = await locked(ctx, id, version)
  if (lead.outcome === 'won') throw fail('leads.isClosed')
  const stages = await stagesOf(ctx)
  const stage = stageId
    ? await stageFor(ctx, stageId)
    : stages.find((one) => one.outcome === 'won' && (one.kindId === null || one.kindId === lead.kind_id))
  if (!stage) throw fail('leads.needsStages')
  if (stage.outcome !== 'won') throw failField('stageId', 'fields.choice')
  if (customerId) {
    const { rows } =
      await sql`select 1 from parties where company_id = ${ctx.companyId} and id = ${customerId}
          and role = 'customer' and archived_at is null`.execute(ctx.tx)
    if (!rows.length) throw failField('customerId', 'fields.ref')
  } else if (!can(ctx.caller, 'customers.change')) throw forbidden({ rule: 'customers.change' })
  if (lines.length && !can(ctx.caller, 'documents.draft')) throw forbidden({ rule: 'documents.draft' })
  const firm = lead.company.trim()
  const customer =
    customerId ??
    (
      await createCustomer(ctx, {
        name: firm || lead.name,
        ...(firm ? { contact: lead.name } : {}),
        email: lead.email,
        phone: lead.phone,
        city: lead.city || null,
        agentId: lead.owner_id,
        notes: lead.notes || null,
      })
    ).id
  let contactId: string | null = null
  if (firm || customerId) {
    const { rows } = await sql<{
      id: string
    }>`select id from customer_contacts where company_id = ${ctx.companyId} and party_id = ${customer}
        and archived_at is null
      and (name = ${lead.name} or (email is not null and email = ${lead.email}))`.execute(ctx.tx)
    contactId =
      rows[0]?.id ??
      (
        (await create(
          ctx,
          { resource: customerContacts },
          { partyId: customer, name: lead.name, email: lead.email, phone: lead.phone },
        )) as { id: string }
      ).id
  }
  let quoteId: string | null = null
  if (lines.length) {
    const { draft: _, ...content } = parse(createDocument.input, {
      type: 1,
      customerId: customer,
      lines,
      draft: true,
    })
    quoteId = await keepPrepared(ctx, await prepareDocument(ctx, content as never))
  }
  await put(ctx, lead, stage, { afterId: null, beforeId: null })
  await sql`update leads set customer_id = ${customer}, quote_id = coalesce(${quoteId}, quote_id),
      sum_agorot = coalesce(${sumAgorot}, sum_agorot) where company_id = ${ctx.companyId}
      and id = ${id}`.execute(ctx.tx)
  // What was said and what is to do goes along.
  for (const table of ['interactions', 'tasks'])
    await sql`update ${sql.table(table)} set customer_id = ${customer} where company_id = ${ctx.companyId}
        and lead_id = ${id} and customer_id is null`.execute(ctx.tx)
  await ctx.audit('leads.win', 'leads', id, undefined, { customerId: customer, quoteId })
  return { lead: await oneCard(ctx, id), customerId: customer, contactId, quoteId }
}

/** A draft of a quote for a lead: for its customer, or for who it says it is. One at a time. */
export async function quote(ctx: Ctx, { id }: { id: string }): Promise<{ quoteId: string }> {
  const card = await oneCard(ctx, id)
  const lead = await locked(ctx, id, card.version)
  if (lead.outcome === 'lost') throw fail('leads.isClosed')
  const { rows } = await sql<{ quoteId: string; customerId: string | null }>`select d.id as "quoteId",
      l.customer_id as "customerId"
    from leads l left join documents d on d.company_id = l.company_id and d.id = l.quote_id
      and ${isDraft('d')}
    where l.company_id = ${ctx.companyId} and l.id = ${id}`.execute(ctx.tx)
  const [known] = rows
  if (known?.quoteId) return { quoteId: known.quoteId }
  const firm = lead.company.trim()
  const { draft: _, ...content } = parse(createDocument.input, {
    type: documentTypes.priceQuote.id,
    ...(known?.customerId
      ? { customerId: known.customerId }
      : {
          customer: {
            name: firm || lead.name,
            ...(lead.email ? { email: lead.email } : {}),
            ...(lead.phone ? { phone: lead.phone } : {}),
          },
        }),
    lines: [],
    draft: true,
  })
  const quoteId = await keepPrepared(ctx, await prepareDocument(ctx, content as never))
  await sql`update leads set quote_id = ${quoteId}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('leads.quote', 'leads', id, undefined, { quoteId })
  return { quoteId }
}

/** What a lead wrote when it came, whole. */
export async function message(ctx: Ctx, { id }: { id: string }): Promise<{ message: string }> {
  await oneCard(ctx, id)
  const { rows } = await sql<{ message: string }>`select i.text as message from interactions i
    join leads t on t.company_id = i.company_id and t.id = i.lead_id
    left join lead_sources s on s.company_id = t.company_id and s.id = t.source_id
    where i.company_id = ${ctx.companyId} and i.lead_id = ${id} and i.direction = 'in'
      and i.text <> coalesce(s.name, '') order by i.at limit 1`.execute(ctx.tx)
  return { message: rows[0]?.message ?? '' }
}

/** Who has this phone or mail already: leads this caller sees, and customers. */
export async function twins(
  ctx: Ctx,
  {
    phone,
    email,
    except,
  }: { phone?: string | undefined; email?: string | undefined; except?: string | undefined },
): Promise<LeadTwin[]> {
  const digits = (phone ?? '').replace(/\D/g, '').replace(/^(00)?972/, '0')
  const mail = email?.trim().toLowerCase() ?? ''
  const by = digits.length >= 7
  if (!by && !mail) return []
  const { rows } = await sql<LeadTwin>`select 'lead' as kind, t.id, t.name, t.outcome as state,
      array_remove(array[case when ${by} and t.phone_key = ${digits} then 'phone' end, case
      when ${mail !== ''} and t.email = ${mail} then 'email' end], null) as by
    from leads t where
      ${sql.join([sql`t.company_id = ${ctx.companyId} and t.archived_at is null`, ...seen(ctx)], sql` and `)}
      and t.id is distinct from ${except ?? null}::uuid
      and ((${by} and t.phone_key = ${digits}) or (${mail !== ''} and t.email = ${mail}))
      order by t.outcome <> 'open', t.created_at desc limit 5`.execute(ctx.tx)
  const customers = can(ctx.caller, 'customers.see')
    ? await twinsOf(ctx, { phone: by ? digits : null, email: mail || null })
    : []
  return [
    ...rows,
    ...customers
      .filter(({ archived }) => !archived)
      .map(({ id, name, by: same }) => ({
        kind: 'customer' as const,
        id,
        name,
        state: '',
        by: same.filter((one): one is 'phone' | 'email' => one === 'phone' || one === 'email'),
      })),
  ]
}

export async function history(ctx: Ctx, { id }: { id: string }) {
  await oneRow(ctx, served, id)
  const [moves, handovers] = await Promise.all([
    sql<{
      at: string
      stage: string
      by: string | null
      hours: number | null
    }>`select m.at, s.name as stage, u.full_name as by,
        (extract(epoch from lead(m.at) over (order by m.at, m.id) - m.at) / 3600)::int as hours
        from lead_moves m join lead_stages s on s.company_id = m.company_id and s.id = m.stage_id
      left join users u on u.id = m.by_user where m.company_id = ${ctx.companyId} and m.lead_id = ${id}
      order by m.at, m.id limit 500`.execute(ctx.tx),
    sql<{
      at: string
      from: string | null
      to: string | null
      by: string | null
    }>`select h.at, f.full_name as from, o.full_name as to, u.full_name as by from lead_handovers h left
      join users f on f.id = h.from_user
      left join users o on o.id = h.to_user left join users u on u.id = h.by_user
      where h.company_id = ${ctx.companyId} and h.lead_id = ${id} order by h.at, h.id limit 200`.execute(
      ctx.tx,
    ),
  ])
  return { moves: moves.rows, handovers: handovers.rows }
}
