/**
 * Whether a shop tells us of its orders: it does, it did not and does from now on, it cannot be made to, or
 * nobody can ask it that.
 */
export type Probed = 'ok' | 'mended' | 'bad' | 'unasked'

/** A shop that can be asked: what it says of an order now is what counts, whatever a notice said. */
export interface ShopDoor {
  /** The order as it is now; undefined where the shop knows none. */
  order: (externalId: string) => Promise<Record<string, unknown> | undefined>
  /** Orders that changed since the day. */
  since: (day: string) => AsyncIterable<Record<string, unknown>>
  /**
   * Asks for as little as there is, by the right that orders are read by, and sees to it that the shop tells.
   * Throws as the others do.
   */
  probe: () => Promise<Probed>
}
