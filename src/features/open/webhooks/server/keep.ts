import { sql } from 'kysely'
import { allEvents } from '#kit/describe/event.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { encrypt } from '#kit/server/rights/vault.ts'
import { ownFields } from '#features/registers/parties/server/index.ts'
import type { Filter, Webhook, WebhookGiven } from '../endpoints.ts'
import { isChosen } from '../schedule.ts'
import { checkUrl } from './address.ts'
import { testEvent } from './body.ts'
import { unknownField } from './fields.ts'
import { newSecret } from './sign.ts'
import { apiVersion } from './version.ts'

export const mostWebhooks = 50

export async function webhooks(ctx: Ctx, id?: string): Promise<Webhook[]> {
  const { rows } = await sql<Webhook>`select e.id, e.name, e.url, e.events, e.filter, e.payload,
        e.api_version as "apiVersion",
      case when e.state = 'on' and e.failing_since is not null then 'failing' else e.state end as state,
      e.off_why as "offWhy", e.off_at as "offAt",
      e.failing_since as "failingSince", e.of_payments as "ofPayments", case
      when e.old_until > now() then e.old_until end as "oldSecretUntil", u.full_name as by, k.name as "byKey",
      e.created_at as "createdAt",
      (select count(*)::int from webhook_deliveries d where d.company_id = e.company_id
      and d.endpoint_id = e.id and d.state = 'waiting') as waiting,
      e.last_sent_at as "lastSentAt", e.last_status_code as "lastStatusCode"
    from webhook_endpoints e join users u on u.id = e.created_by left
    join api_keys k on k.company_id = e.company_id and k.id = e.key_id
    where e.company_id = ${ctx.companyId} and e.archived_at is null
      and (${id ?? null}::uuid is null or e.id = ${id ?? null}) order by e.created_at, e.id`.execute(ctx.tx)
  return rows
}

export async function webhookOf(ctx: Ctx, id: string): Promise<Webhook> {
  const [found] = await webhooks(ctx, id)
  if (!found) throw fail('kit.notFound')
  return found
}

/** Chosen names as LIKE asks; a test is for the person who pressed it and never chosen. */
const patternsOf = (events: readonly string[]): string[] => events.map((one) => one.replace(/\*$/, '%'))

function checkEvents(events: readonly string[]): void {
  const known = [...allEvents().keys()]
  for (const one of events)
    if (
      one === testEvent ||
      !/^(\*|[a-zA-Z]+\.(\*|[a-zA-Z]+))$/.test(one) ||
      !known.some((name) => isChosen(name, [one]))
    )
      throw failField('events', 'webhooks.unknownEvent', { name: one })
}

/** A person who sees no amounts would learn them from what arrives and what does not. */
function checkFilter(ctx: Ctx, filter: Filter): void {
  const asksForSum =
    filter.sumAgorot !== null ||
    Object.keys(filter.fields).some((name) => /(Agorot|[pP]rice|^cost|^figure)/.test(name))
  if (ctx.caller.hideTotalPrices && asksForSum) throw fail('webhooks.noSums')
}

/** A field that nothing of what is sent has would leave out every message, and nobody would know why. */
async function checkFields(ctx: Ctx, { fields }: Filter, events: readonly string[]): Promise<void> {
  const names = Object.keys(fields)
  const own = names.some((name) => name.startsWith('own.'))
    ? (await ownFields(ctx)).map(({ id }) => `own.${id}`)
    : []
  const unknown =
    unknownField(names, events) ?? names.find((name) => name.startsWith('own.') && !own.includes(name))
  if (unknown !== undefined) throw failField('filter.fields', 'webhooks.unknownField', { name: unknown })
}

/**
 * An address that is on hears of an event once: a second setting for it would send everything twice, under
 * the same id, and a receiver that knows ids would drop one of the two. Notices of payments are of another
 * form and named by programs; they are not counted.
 */
async function checkTwice(ctx: Ctx, url: string, events: readonly string[], id?: string): Promise<void> {
  // Two that add the same address at once come one after another, and the second sees the first.
  await sql`select 1 from companies where id = ${ctx.companyId} for no key update`.execute(ctx.tx)
  const { rows } = await sql<{
    name: string
    events: string[]
  }>`select name, events from webhook_endpoints where company_id = ${ctx.companyId}
    and url = ${url} and state = 'on' and archived_at is null and not of_payments and id is distinct
    from ${id ?? null}::uuid`.execute(ctx.tx)
  const names = [...allEvents().keys()]
  for (const other of rows) {
    const twice = names.find((name) => isChosen(name, events) && isChosen(name, other.events))
    if (twice)
      throw failField('url', 'webhooks.twice', { event: twice, name: other.name || new URL(url).hostname })
  }
}

export async function countWebhooks(ctx: Ctx): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from webhook_endpoints where company_id = ${ctx.companyId}
      and archived_at is null`.execute(ctx.tx)
  return rows[0]!.n
}

export async function createWebhook(
  ctx: Ctx,
  given: WebhookGiven,
): Promise<{ webhook: Webhook; secret: string }> {
  const url = checkUrl(given.url, ctx.app.settings.webhooks)
  checkEvents(given.events)
  checkFilter(ctx, given.filter)
  await checkFields(ctx, given.filter, given.events)
  await checkTwice(ctx, url, given.events)
  if ((await countWebhooks(ctx)) >= mostWebhooks) throw fail('webhooks.tooMany', { most: mostWebhooks })
  const [id, secret] = [newId(), newSecret()]
  await sql`insert into webhook_endpoints (company_id, id, name, url, events, patterns, filter, payload,
      api_version, secret_sealed, created_by, key_id)
    values (${ctx.companyId}, ${id}, ${given.name}, ${url}, ${given.events}::text[],
      ${patternsOf(given.events)}::text[], ${JSON.stringify(given.filter)}::jsonb,
      ${given.payload}, ${apiVersion}, ${encrypt(ctx.app.secrets.vault, Buffer.from(secret))},
      ${ctx.caller.userId}, ${ctx.caller.apiKey?.id ?? null})`.execute(ctx.tx)
  await ctx.audit('webhooks.create', 'webhooks', id, undefined, { url, events: given.events })
  return { webhook: await webhookOf(ctx, id), secret }
}

/** It sees with the eyes of the person who changed it last: nobody can send to an own address what only another may see. */
export async function changeWebhook(
  ctx: Ctx,
  { id, on, ...given }: Partial<WebhookGiven> & { id: string; on?: boolean | undefined },
): Promise<Webhook> {
  const before = await webhookOf(ctx, id)
  // Notices of a payment go to the address it named; here such an address is only turned off and on, renamed or
  // dropped.
  if (before.ofPayments && (given.url ?? given.events ?? given.filter ?? given.payload) !== undefined)
    throw fail('webhooks.ofPayments')
  const now = {
    ...before,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  } as Webhook
  const url = given.url === undefined ? before.url : checkUrl(given.url, ctx.app.settings.webhooks)
  checkEvents(now.events)
  checkFilter(ctx, now.filter)
  const isOn = on ?? before.state !== 'off'
  // What it heard of before a field was known to be none is left as it is by the person who only names it or turns
  // it off.
  if (given.filter ?? given.events) await checkFields(ctx, now.filter, now.events)
  if (isOn && !before.ofPayments && (given.url ?? given.events ?? on) !== undefined)
    await checkTwice(ctx, url, now.events, id)
  await sql`update webhook_endpoints set name = ${now.name}, url = ${url}, events = ${now.events}::text[],
      patterns = ${patternsOf(now.events)}::text[],
      filter = ${JSON.stringify(now.filter)}::jsonb, payload = ${now.payload},
      created_by = ${ctx.caller.userId}, key_id = case when of_payments then key_id
      else ${ctx.caller.apiKey?.id ?? null} end, updated_at = now(),
      state = ${isOn ? 'on' : 'off'}, off_why = case when ${isOn} then null else coalesce(off_why, 'person')
      end,
      off_at = case when ${isOn} then null else coalesce(off_at, now()) end,
      failing_since = case when ${isOn && before.state === 'off'} then null else failing_since end,
      warned_at = case when ${isOn && before.state === 'off'} then null else warned_at end, rest_until = null
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit(
    on === undefined ? 'webhooks.change' : on ? 'webhooks.on' : 'webhooks.off',
    'webhooks',
    id,
    { url: before.url, events: before.events },
    { url, events: now.events },
  )
  return webhookOf(ctx, id)
}

export async function dropWebhook(ctx: Ctx, id: string): Promise<void> {
  const { url } = await webhookOf(ctx, id)
  await sql`update webhook_endpoints set archived_at = now(), updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await sql`update webhook_deliveries set state = 'skipped', outcome = 'dropped', done_at = now()
    where company_id = ${ctx.companyId} and endpoint_id = ${id} and state = 'waiting'`.execute(ctx.tx)
  await ctx.audit('webhooks.drop', 'webhooks', id, { url })
}

export async function rotateSecret(
  ctx: Ctx,
  { id, overlapHours }: { id: string; overlapHours: number },
): Promise<{ webhook: Webhook; secret: string }> {
  const { url } = await webhookOf(ctx, id)
  const secret = newSecret()
  await sql`update webhook_endpoints set old_secret_sealed = case when ${overlapHours} > 0 then secret_sealed
      end,
      old_until = case when ${overlapHours} > 0 then now() + make_interval(hours => ${overlapHours}) end,
      secret_sealed = ${encrypt(ctx.app.secrets.vault, Buffer.from(secret))}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('webhooks.rotate', 'webhooks', id, undefined, { url, overlapHours })
  return { webhook: await webhookOf(ctx, id), secret }
}
