import type { App } from '#kit/server/context.ts'
import type { ShopRow } from '../engine/rows.ts'

/** A shop that can be asked: what it says of an order now is what counts, whatever a notice said. */
export interface ShopDoor {
  /** The order as it is now; undefined where the shop knows none. */
  order: (externalId: string) => Promise<Record<string, unknown> | undefined>
  /** Orders that changed since the day. */
  since: (day: string) => AsyncIterable<Record<string, unknown>>
}

const doors = new Map<string, (app: App, shop: ShopRow) => ShopDoor | undefined>()

export const registerDoor = (kind: string, open: (app: App, shop: ShopRow) => ShopDoor | undefined): void => void doors.set(kind, open)

/** Undefined for a shop that only tells and cannot be asked. */
export const doorOf = (app: App, shop: ShopRow): ShopDoor | undefined => doors.get(shop.kind)?.(app, shop)
