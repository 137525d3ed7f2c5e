import type { Ctx } from '#kit/server/context.ts'
import type { Card } from '../cards/card.ts'
import type { Charge } from './charge.ts'

interface Issued {
  id: string
  number: number
  customerId: string | null
}

/**
 * What a charge is for, said by the feature that asks for the money. All of it runs in the transaction that
 * makes the charge paid, under the lock of its row, once.
 */
export interface Purpose {
  /** Its charges recur automatically: acquirers that want to know are informed. */
  recurs?: true
  /**
   * Locks what is paid by it. To be the first, before the lock of the charge: the person who takes both takes them
   * in this order.
   */
  lock: (ctx: Ctx, charge: Charge) => Promise<void>
  /** Whether the money is still wanted; it is refunded automatically when not. */
  isDue: (ctx: Ctx, charge: Charge) => Promise<boolean>
  /** The paper of the money. What it throws is written on the charge, and a person tries again. */
  issue: (ctx: Ctx, charge: Charge) => Promise<Issued>
  /** Once it is paid, with or without its paper. */
  paid: (ctx: Ctx, charge: Charge) => Promise<void>
  /**
   * By a kept card, once: it was declined, or never happened. `decline_code` and `decline_class` say why;
   * nothing moved, and nothing will by this charge.
   */
  failed?: (ctx: Ctx, charge: Charge) => Promise<void>
  /**
   * By a kept card: nobody knows yet what became of it (`unknown`), or a person has to look (`needsPerson`).
   * Nothing may be charged in its place.
   */
  inDoubt?: (ctx: Ctx, charge: Charge) => Promise<void>
  /** The money is set aside; `captureHold` takes it, `releaseHold` lets it go. */
  held?: (ctx: Ctx, charge: Charge) => Promise<void>
  /** What was set aside was let go. */
  released?: (ctx: Ctx, charge: Charge) => Promise<void>
  /**
   * Whose the card is to be that was given, where the charge names nobody yet; null: nobody's, and it is not
   * kept.
   */
  forWhom?: (ctx: Ctx, charge: Charge) => Promise<string | null>
  /** A card was kept, with the payment or alone. */
  kept?: (ctx: Ctx, charge: Charge, card: Card) => Promise<void>
}

const purposes = new Map<string, Purpose>()

export const registerPurpose = (name: string, purpose: Purpose): void => void purposes.set(name, purpose)

/** The names of everything that money is charged for. */
export const purposeNames = (): readonly string[] => [...purposes.keys()]

export function purposeOf(charge: Charge): Purpose {
  const found = purposes.get(charge.purpose)
  if (!found) throw new Error(`nobody asks for money for ${charge.purpose}`)
  return found
}
