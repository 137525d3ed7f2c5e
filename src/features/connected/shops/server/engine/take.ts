import { sql } from 'kysely'
import type { ShopOrder } from '#domain/shops/order.ts'
import { readGeneric, type Said } from '#domain/shops/kinds/generic.ts'
import { readShopify } from '#domain/shops/kinds/shopify.ts'
import { readWix } from '#domain/shops/kinds/wix.ts'
import { readWooCommerce } from '#domain/shops/kinds/woocommerce.ts'
import type { FieldMapping } from '#domain/shops/fields.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import type { ShopKind } from '../../shops.ts'
import { orderKnown, type OrderRow, type ShopRow } from './rows.ts'

/**
 * What a shop sent, as it is understood; throws NotUnderstood with the path of what is missing or cannot be
 * read.
 */
export function readOrder(kind: ShopKind, raw: unknown, mapping: FieldMapping, said: Said): ShopOrder {
  if (kind === 'shopify') return readShopify(raw, said)
  if (kind === 'wix') return readWix(raw, said)
  if (kind === 'woocommerce') return readWooCommerce(raw)
  return readGeneric(raw, mapping, said)
}

export const saidIn = (language: Ctx['caller']['language']): Said => ({
  shipping: say(language, 'shops.shipping'),
  tip: say(language, 'shops.tip'),
})

/**
 * Writes down what a shop says of an order, whatever it said before: the newer word holds, an older one that
 * comes late changes nothing, and what was paid is not unpaid by a notice that bears no time. Refunds are
 * facts and never lost, whichever notice brings them. Answers the order's row.
 */
export async function takeOrder(
  ctx: Ctx,
  shop: ShopRow,
  order: ShopOrder,
  raw: unknown,
): Promise<{ id: string; isNews: boolean }> {
  const facts = {
    number: order.number,
    version: order.version,
    is_paid: order.state === 'paid',
    paid_day: order.state === 'paid' ? (order.paidDay ?? ctx.today) : null,
    customer: order.customer.name,
    currency: order.currency,
    total_agorot: order.total,
    content: JSON.stringify(order),
    raw: JSON.stringify(raw),
  }
  await sql`insert into shop_orders (company_id, id, shop_id, external_id, state,
      ${sql.join(Object.keys(facts).map((name) => sql.ref(name)))})
    values (${ctx.companyId}, ${newId()}, ${shop.id}, ${order.externalId}, 'new',
      ${sql.join(Object.values(facts).map((value) => sql`${value}`))})
    on conflict (company_id, shop_id, external_id) do nothing`.execute(ctx.tx)
  const row = (await orderKnown(ctx, shop.id, order.externalId, true))!
  const takes = isNewer(row, order)
  if (takes)
    await sql`update shop_orders set ${sql.join(
      // The day it was first said to be paid on stays.
      Object.entries({ ...facts, paid_day: facts.is_paid ? (row.paid_day ?? facts.paid_day) : null }).map(
        ([name, value]) => sql`${sql.ref(name)} = ${value}`,
      ),
    )}, updated_at = ${ctx.now} where company_id = ${ctx.companyId} and id = ${row.id}`.execute(ctx.tx)
  const fresh = await takeRefunds(ctx, shop, row.id, order)
  return { id: row.id, isNews: takes || fresh > 0 }
}

function isNewer(row: OrderRow, order: ShopOrder): boolean {
  const known = Number(row.version)
  if (order.version && known) return order.version >= known
  return order.state === 'paid' || !row.is_paid
}

async function takeRefunds(ctx: Ctx, shop: ShopRow, orderId: string, order: ShopOrder): Promise<number> {
  let fresh = 0
  for (const { externalId, amount, day, reason } of order.refunds) {
    if (amount <= 0) continue
    const { rows } =
      await sql`insert into shop_refunds (company_id, id, shop_id, order_id, external_id, amount_agorot,
          refund_day, reason)
      values (${ctx.companyId}, ${newId()}, ${shop.id}, ${orderId}, ${externalId}, ${amount}, ${day},
        ${reason})
      on conflict (company_id, order_id, external_id) do nothing returning 1`.execute(ctx.tx)
    fresh += rows.length
  }
  return fresh
}
