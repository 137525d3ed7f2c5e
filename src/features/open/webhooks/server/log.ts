import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { isUnlimited, seesWhole } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { Delivery } from '../endpoints.ts'
import { testEvent } from './body.ts'
import { webhookOf } from './keep.ts'

const pageSize = 50

const columns = sql`d.event_id as "eventId", v.name, v.at, v.entity, v.entity_id as "entityId",
    v.payload->'number' as number, d.state, d.tries,
  case when d.state = 'waiting' then d.next_at end as "nextAt", d.status_code as "statusCode", d.outcome,
  d.ms`

/**
 * Messages about a document are listed only to callers who may see the document. The type of a deleted document is unknown,
 * so its messages are left out.
 */
const ofSeen = ({ caller }: Ctx) =>
  caller.docsAllow.length
    ? sql` and (v.entity <> 'documents' or seen_document(v.company_id, v.entity_id) is not null)`
    : sql``

export async function deliveries(
  ctx: Ctx,
  { id, state, before }: { id: string; state?: string | undefined; before?: string | undefined },
) {
  await webhookOf(ctx, id)
  const { rows } = await sql<Delivery>`select ${columns} from webhook_deliveries d
      join events v on v.company_id = d.company_id and v.id = d.event_id
    where d.company_id = ${ctx.companyId} and d.endpoint_id = ${id}
      and (${state ?? null}::text is null or d.state = ${state ?? null})
      and (${before ?? null}::uuid is null or d.event_id < ${before ?? null})${ofSeen(ctx)}
      order by d.event_id desc
      limit ${pageSize}`.execute(ctx.tx)
  return { rows, before: rows.length === pageSize ? rows.at(-1)!.eventId : null }
}

export async function deliveryOf(ctx: Ctx, { id, eventId }: { id: string; eventId: string }) {
  await webhookOf(ctx, id)
  const { rows } = await sql<
    Delivery & { body: string | null }
  >`select ${columns}, d.body from webhook_deliveries d
    join events v on v.company_id = d.company_id and v.id = d.event_id
    where d.company_id = ${ctx.companyId} and d.endpoint_id = ${id}
      and d.event_id = ${eventId}${ofSeen(ctx)}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  const { rows: log } = await sql<{
    no: number
    at: string
    ms: number
    statusCode: number | null
    outcome: string
    answer: string
  }>`
    select no, at, ms, status_code as "statusCode", outcome, answer from webhook_tries
    where company_id = ${ctx.companyId} and endpoint_id = ${id} and event_id = ${eventId} order by no desc
    limit 50`.execute(ctx.tx)
  // A whole thing was seen with the eyes of the person who set the address up, and its answer may say it again.
  if (
    isWhole(rows[0].body) &&
    !(
      isUnlimited(ctx.caller.rules) &&
      seesWhole(ctx.caller) &&
      !ctx.caller.hideTotalPrices &&
      !ctx.caller.apiKey
    )
  )
    return { ...rows[0], body: null, log: log.map((one) => ({ ...one, answer: '' })) }
  return { ...rows[0], log }
}

/** The first id that an event of this moment could have: ids begin with the time. */
const idFrom = (moment: Date): string => {
  const hex = moment.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

export interface Again {
  id: string
  eventId?: string | undefined
  since?: string | undefined
  failedOnly: boolean
}

/**
 * Sends a notice again: the schedule begins again, and the id stays, so that a receiver who has it
 * already knows it.
 */
export async function resend(
  ctx: Ctx,
  { id, eventId, since, failedOnly }: Again,
): Promise<{ count: number }> {
  const webhook = await webhookOf(ctx, id)
  if (webhook.state === 'off') throw fail('webhooks.isOff')
  const which = eventId ? sql`v.id = ${eventId}` : since ? sql`v.id >= ${idFrom(new Date(since))}` : sql`true`
  // Without a time: what is written down as sent to this address. With one: also what happened while it was
  // off or chose otherwise.
  const { rows } = await sql<{ n: number }>`with again as (
      insert into webhook_deliveries (company_id, endpoint_id, event_id, entity_id)
      select v.company_id, e.id, v.id, v.entity_id from events v
      join webhook_endpoints e on e.company_id = v.company_id
        and e.id = ${id}
        left join webhook_deliveries d on d.company_id = v.company_id and d.endpoint_id = e.id
          and d.event_id = v.id
      where v.company_id = ${ctx.companyId} and ${which}
        and (d.event_id is not null or ${since !== undefined} and v.name like any (e.patterns))
        and (${eventId === undefined} = false or v.name <> ${testEvent})
        and (not e.of_payments
        or exists (select 1 from charges c join webhook_payments p on p.company_id = c.company_id
        and p.link_id = c.link_id
          where c.company_id = v.company_id and c.id = v.entity_id and p.endpoint_id = e.id))
        and (not ${failedOnly} or d.event_id is null or d.state = 'failed' or d.state = 'waiting'
        and d.tries > 0)
      on conflict (company_id, endpoint_id, event_id) do update set state = 'waiting', tries = 0,
        next_at = now(), done_at = null
      returning 1)
    select count(*)::int as n from again`.execute(ctx.tx)
  if (eventId && !rows[0]!.n) throw fail('kit.notFound')
  if (!since)
    await sql`update webhook_endpoints set rest_until = null where company_id = ${ctx.companyId}
        and id = ${id}`.execute(ctx.tx)
  await ctx.audit('webhooks.resend', 'webhooks', id, undefined, { url: webhook.url, count: rows[0]!.n })
  return { count: rows[0]!.n }
}

/** An event for this address alone. */
export async function sendTest(ctx: Ctx, id: string): Promise<{ eventId: string }> {
  const webhook = await webhookOf(ctx, id)
  if (webhook.state === 'off') throw fail('webhooks.isOff')
  const { rows } = await sql<{ id: string }>`select tell_test(${ctx.companyId}, ${id}) as id`.execute(ctx.tx)
  return { eventId: rows[0]!.id }
}

/** A notice of a payment is a form, and says nothing but what its program asked for. */
const isWhole = (body: string | null): boolean =>
  body?.startsWith('{') === true && 'object' in (JSON.parse(body!) as { data: object }).data
