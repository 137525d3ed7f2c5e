import { sql } from 'kysely'
import type { Ctx } from '#kit/server/context.ts'
import { createWebhook } from './keep.ts'
import { apiVersion } from './version.ts'

/**
 * A demo business tells its shop and its warehouse what happens; the second has been gone for a while.
 * Nothing leaves: the names lead nowhere.
 */
export async function showWebhooks(ctx: Ctx): Promise<void> {
  const none = { sumAgorot: null, fields: {} }
  const shop = await createWebhook(ctx, {
    name: 'החנות באתר',
    url: 'https://shop.example/pinkas',
    events: ['document.*', 'charge.*'],
    filter: none,
    payload: 'thin',
  })
  const store = await createWebhook(ctx, {
    name: 'מערכת המחסן',
    url: 'https://store.example/hooks',
    events: ['item.*', 'document.issued'],
    filter: none,
    payload: 'full',
  })
  // What happened in the last days, as it would have arrived.
  await sql`insert into webhook_deliveries (company_id, endpoint_id, event_id)
    select v.company_id, e.id, v.id from webhook_endpoints e
    join lateral (select * from events v where v.company_id = e.company_id and v.name like any (e.patterns)
      order by v.id desc limit 12) v on true where e.company_id = ${ctx.companyId}
      on conflict do nothing`.execute(ctx.tx)
  await sql`update webhook_deliveries d
    set body = jsonb_build_object('type', v.name, 'apiVersion', ${apiVersion}::text, 'timestamp', v.at,
      'data',
      jsonb_build_object('id', v.entity_id,
      'number', v.payload->'number', 'version', v.version, 'link', ${ctx.app.publicUrl()} || '/api4/invoice/'
      || v.entity || '/' || v.entity_id))::text
    from events v where d.company_id = ${ctx.companyId} and v.company_id = d.company_id
      and v.id = d.event_id`.execute(ctx.tx)
  await sql`update webhook_deliveries set state = 'sent', tries = 1, tried = 1, status_code = 200, ms = 84,
      done_at = now()
    where company_id = ${ctx.companyId} and endpoint_id = ${shop.webhook.id}`.execute(ctx.tx)
  await sql`update webhook_deliveries set state = 'failed', tries = 10, tried = 10, status_code = 410,
      outcome = 'status', ms = 41, done_at = now()
    where company_id = ${ctx.companyId} and endpoint_id = ${store.webhook.id}`.execute(ctx.tx)
  await sql`insert into webhook_tries (company_id, endpoint_id, event_id, no, at, ms, status_code, outcome,
      answer)
    select company_id, endpoint_id, event_id, tried, now(), ms, status_code, outcome, case
      when outcome = '' then '{"ok":true}' else 'Gone' end
    from webhook_deliveries where company_id = ${ctx.companyId}`.execute(ctx.tx)
  await sql`update webhook_endpoints set last_sent_at = now(), last_status_code = 200
    where company_id = ${ctx.companyId} and id = ${shop.webhook.id}`.execute(ctx.tx)
  await sql`update webhook_endpoints set state = 'off', off_why = 'gone', off_at = now(),
      last_status_code = 410 where company_id = ${ctx.companyId} and id = ${store.webhook.id}`.execute(ctx.tx)
}
