import type { App } from '#kit/server/context.ts'
import type { ShopRow } from '../engine/rows.ts'
import type { ShopDoor } from './shopDoor.ts'
import { shopifyDoor } from './shopify.ts'
import { wixDoor } from './wix.ts'

/** Undefined for a shop that only tells and cannot be asked. */
export function doorOf(app: App, shop: ShopRow): ShopDoor | undefined {
  if (shop.kind === 'shopify') return shopifyDoor(app, shop)
  if (shop.kind === 'wix') return wixDoor(app, shop)
  return undefined
}
