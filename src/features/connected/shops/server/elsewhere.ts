import { sql } from 'kysely'
import { strictText } from '#kit/server/http/strictText.ts'
import { Failure, fail } from '#kit/describe/errors.ts'
import type { RawBody } from '#kit/fields/schema.ts'
import { asCaller, systemCaller, type App, type Ctx, type OpenCtx } from '#kit/server/context.ts'
import { Away, Refused } from './doors/call.ts'
import { doorOf } from './doors/door.ts'
import { isShopifyName, isShopifySigned } from './doors/shopify.ts'
import { readWixNotice } from './doors/wix.ts'
import { shopOf, type ShopRow } from './engine/rows.ts'
import { workOrder } from './engine/work.ts'
import { jsonOf } from './notices.ts'
import { hear, note } from './orders.ts'

const shopKnown = async (
  app: App,
  kind: 'shopify' | 'wix',
  outsideId: string,
): Promise<ShopRow | undefined> =>
  (
    await sql<ShopRow>`select * from shops where kind = ${kind} and outside_id = ${outsideId}
        and archived_at is null`.execute(app.db.kysely)
  ).rows[0]

/**
 * A notice of Shopify: believed by the signature of its raw body, heard once by its number, and no more than
 * a reason to ask for the order. The person who cannot sign learns nothing but 401.
 */
export async function shopifyNotice(ctx: OpenCtx, { raw }: { raw: RawBody }) {
  const { shopify } = ctx.app.settings
  if (!shopify) throw fail('kit.notFound')
  if (!isShopifySigned(shopify.clientSecret, raw.bytes, raw.headers['x-shopify-hmac-sha256'] ?? ''))
    throw fail('shops.badSignature')
  const name = (raw.headers['x-shopify-shop-domain'] ?? '').toLowerCase()
  const shop = isShopifyName(name) ? await shopKnown(ctx.app, 'shopify', name) : undefined
  // A shop that is disconnected gets a success answer, or it would repeat its notice for two days.
  if (!shop) return { done: true as const }
  const topic = (raw.headers['x-shopify-topic'] ?? '').slice(0, 60)
  const body = jsonOf(raw.bytes) ?? {}
  const orderId = String((topic.startsWith('refunds/') ? body.order_id : body.id) ?? '')
  await told(ctx.app, shop, {
    topic,
    noticeId: raw.headers['x-shopify-webhook-id'] ?? '',
    orderId: topic.startsWith('orders/') || topic.startsWith('refunds/') ? orderId : '',
    body,
  })
  return { done: true as const }
}

export async function wixNotice(ctx: OpenCtx, { raw }: { raw: RawBody }) {
  const { wix } = ctx.app.settings
  if (!wix?.publicKey) throw fail('kit.notFound')
  const notice = await readWixNotice(wix.publicKey, strictText(raw.bytes), ctx.now)
  if (!notice) throw fail('shops.badSignature')
  const shop = await shopKnown(ctx.app, 'wix', notice.instanceId)
  if (!shop) return { done: true as const }
  const topic = /AppRemoved|app_instance_removed/i.test(notice.eventType)
    ? 'app/uninstalled'
    : notice.eventType
  await told(ctx.app, shop, { topic, noticeId: '', orderId: notice.orderId, body: {} })
  return { done: true as const }
}

interface Told {
  topic: string
  noticeId: string
  orderId: string
  body: Record<string, unknown>
}

async function told(app: App, shop: ShopRow, { topic, noticeId, orderId, body }: Told): Promise<void> {
  const inside = <T>(work: (ctx: Ctx) => Promise<T>) => asCaller(app, systemCaller(shop.company_id), '', work)
  if (topic === 'app/uninstalled')
    return inside(async (ctx) => {
      await note(ctx, shop.id, { topic, noticeId, outcome: 'gone' })
      await sql`update shops set state = 'gone', token_sealed = null, updated_at = now()
        where company_id = ${ctx.companyId} and id = ${shop.id}`.execute(ctx.tx)
      await ctx.audit('shops.gone', 'shops', shop.id, undefined, { name: shop.name })
    })
  if (topic === 'customers/redact' || topic === 'shop/redact')
    return inside((ctx) => redact(ctx, shop, topic, noticeId, body))
  if (topic === 'customers/data_request')
    return inside(async (ctx) => void (await note(ctx, shop.id, { topic, noticeId, outcome: 'asked' })))
  if (!orderId || shop.state !== 'on') return
  // The job is written with the line that says it was heard: whatever dies after that, it is done.
  await inside(async (ctx) => {
    if (await note(ctx, shop.id, { topic, noticeId, externalId: orderId, outcome: 'taken' }))
      await ctx.later('shops.ask', { shopId: shop.id, externalId: orderId })
  })
}

/**
 * Asks the shop for an order and does what is due for it. Away is tried again by the worker, and by the
 * night.
 */
export async function askOrder(
  app: App,
  companyId: string,
  shopId: string,
  externalId: string,
): Promise<void> {
  const inside = <T>(work: (ctx: Ctx) => Promise<T>) => asCaller(app, systemCaller(companyId), '', work)
  const shop = await inside((ctx) => shopOf(ctx, shopId))
  const door = doorOf(app, shop)
  if (!door || shop.state !== 'on') return
  try {
    const raw = await door.order(externalId)
    if (!raw) return
    const { orderId } = await inside((ctx) => hear(ctx, shop, raw, { topic: 'asked' }))
    await inside((ctx) => workOrder(ctx, orderId))
  } catch (e) {
    if (e instanceof Away || e instanceof Refused)
      await inside((ctx) =>
        sql`update shops set last_error = ${e.message.slice(0, 200)} where company_id = ${ctx.companyId}
            and id = ${shopId}`.execute(ctx.tx),
      )
    if (e instanceof Failure && e.code === 'shops.badOrder')
      return void (await inside((ctx) =>
        note(ctx, shopId, { topic: 'asked', externalId, outcome: 'badOrder' }),
      ))
    if (!(e instanceof Refused)) throw e
  }
}

/**
 * Personal data of a buyer is blotted out of what came from the shop; documents are kept, as the law wants
 * for seven years.
 */
async function redact(
  ctx: Ctx,
  shop: ShopRow,
  topic: string,
  noticeId: string,
  body: Record<string, unknown>,
): Promise<void> {
  const ids =
    topic === 'shop/redact'
      ? null
      : Array.isArray(body.orders_to_redact)
        ? body.orders_to_redact.map(String).slice(0, 1000)
        : []
  await sql`update shop_orders set raw = '{}', customer = '',
      content = jsonb_set(content, '{customer}', ${JSON.stringify({
        name: '',
        email: '',
        phone: '',
        taxId: '',
        street: '',
        city: '',
        zip: '',
        country: '',
      })}::jsonb) where company_id = ${ctx.companyId} and shop_id = ${shop.id}
  and (${ids === null} or external_id = any(${ids ?? []}::text[]))`.execute(ctx.tx)
  await note(ctx, shop.id, { topic, noticeId, outcome: 'redacted' })
  await ctx.audit('shops.redact', 'shops', shop.id, undefined, { topic })
}
