import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { strictText } from '#kit/server/http/strictText.ts'
import { Failure, fail } from '#kit/describe/errors.ts'
import type { RawBody } from '#kit/fields/schema.ts'
import { asCaller, systemCaller, type OpenCtx } from '#kit/server/context.ts'
import { decrypt } from '#kit/server/rights/vault.ts'
import { orderOf, type ShopRow } from './engine/rows.ts'
import { workOrder } from './engine/work.ts'
import { hear, note } from './orders.ts'
import { isSame } from './same.ts'

/** An order of a custom shop. The shop gets the outcome at once, so that the developer sees it there. */
export async function noticeOfShop(ctx: OpenCtx, { key, raw }: { key: string; raw: RawBody }) {
  const { rows } = await sql<ShopRow>`select * from shops where notice_key = ${key} and archived_at is null
        and kind = 'generic'`.execute(ctx.tx)
  const [shop] = rows
  if (!shop) throw fail('kit.notFound')
  const inside = <T>(work: Parameters<typeof asCaller<T>>[3]) =>
    asCaller(ctx.app, { ...systemCaller(shop.company_id), language: ctx.language }, ctx.address, work)
  const refuse = async (code: string, outcome: string): Promise<never> => {
    await inside((own) => note(own, shop.id, { topic: 'order', outcome }))
    throw fail(code)
  }
  if (shop.state !== 'on') return refuse('shops.isOff', 'off')
  if (shop.secret_sealed) {
    const secret = decrypt(ctx.app.secrets.vault, shop.secret_sealed)
    const expected = createHmac('sha256', secret).update(raw.bytes).digest('hex')
    const given = (raw.headers['x-pinkas-signature'] ?? '').replace(/^sha256=/, '').toLowerCase()
    if (!isSame(expected, given)) return refuse('shops.badSignature', 'badSignature')
  }
  const body = jsonOf(raw.bytes)
  if (body === undefined) return refuse('kit.badJson', 'badJson')
  try {
    const { orderId } = await inside((own) => hear(own, shop, body, { topic: 'order' }))
    // The order is safe; what comes of it is done now, and by the sweep when this process dies over it.
    const { state } = await inside(async (own) => {
      await workOrder(own, orderId)
      return orderOf(own, orderId)
    })
    return { done: true as const, state }
  } catch (e) {
    if (e instanceof Failure && e.code === 'shops.badOrder')
      await inside((own) =>
        note(own, shop.id, { topic: 'order', externalId: String(e.params.path ?? ''), outcome: 'badOrder' }),
      )
    throw e
  }
}

/** A JSON object, or undefined. */
export function jsonOf(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const read: unknown = JSON.parse(strictText(bytes).replaceAll(/\\u0000/gi, ''))
    return typeof read === 'object' && read !== null && !Array.isArray(read)
      ? (read as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
