import type { App } from '#kit/server/context.ts'
import type { ShopRow } from '../engine/rows.ts'
import { shopifyDoor } from './shopify.ts'
import { wixDoor } from './wix.ts'

/** A shop that can be asked: what it says of an order now is what counts, whatever a notice said. */
export interface ShopDoor {
  /** The order as it is now; undefined where the shop knows none. */
  order: (externalId: string) => Promise<Record<string, unknown> | undefined>
  /** Orders that changed since the day. */
  since: (day: string) => AsyncIterable<Record<string, unknown>>
}

/** Undefined for a shop that only tells and cannot be asked. */
export function doorOf(app: App, shop: ShopRow): ShopDoor | undefined {
  if (shop.kind === 'shopify') return shopifyDoor(app, shop)
  if (shop.kind === 'wix') return wixDoor(app, shop)
  return undefined
}
