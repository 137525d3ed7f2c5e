import type { Agorot } from '#domain/money.ts'
import type { Effect, Why } from '#kit/describe/effects.ts'

/** What an effect would do, as it is asked. */
export interface Asked {
  /** In hundredths of the currency. */
  agorot: Agorot
  /** Shekels where absent. */
  currency?: string | undefined
  documentType?: number | undefined
}

/** What an effect would do, as it is compared with limits. */
export interface Facts {
  /** In agorot of the shekel; null where no rate is known for its currency. */
  agorot: Agorot | null
  documentType?: number | undefined
}

/**
 * Effects of the system's own, which follow from what was allowed already. The list is closed: nothing else happens
 * without a person, a key or an order.
 */
export type OwnEffect =
  /** The credit note or receipt of money that was sent back. */
  | 'refundPaper'
  /** A customer pays what a document, an order or a request for a card asks. */
  | 'payerPays'

/** The limits of a person or a key at one moment. */
export interface Limits {
  readOnly?: boolean
  draftsOnly?: boolean
  sumLimitAgorot?: Agorot | null
  chargeLimitAgorot?: Agorot | null
  refundLimitAgorot?: Agorot | null
  /** Document types; empty for all. */
  docsAllow?: readonly number[]
}

export interface Beyond {
  why: Why
  limitAgorot: Agorot | null
}

/** An instruction that is being carried out, with the limits in force. */
export interface Order {
  kind: string
  id: string
  userId: string | null
  keyId: string | null
  limits: readonly Limits[]
  /** Why nothing at all may happen under it. */
  stopped?: Why | undefined
  /** The effect that was beyond its limits, once one was. */
  refused?: Beyond & Facts & { effect: Effect }
}
