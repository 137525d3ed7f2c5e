/** A shop that can be asked: what it says of an order now is what counts, whatever a notice said. */
export interface ShopDoor {
  /** The order as it is now; undefined where the shop knows none. */
  order: (externalId: string) => Promise<Record<string, unknown> | undefined>
  /** Orders that changed since the day. */
  since: (day: string) => AsyncIterable<Record<string, unknown>>
}
