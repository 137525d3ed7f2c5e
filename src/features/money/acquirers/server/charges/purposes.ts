import type { Ctx } from '#kit/server/context.ts'
import type { Charge } from './charge.ts'

interface Issued {
  id: string
  number: number
  customerId: string | null
}

/**
 * What a charge is for, said by the feature that asks for the money. All of it runs in the transaction that makes the charge paid, under the lock of its
 * row, once.
 */
export interface Purpose {
  /** Locks what is paid by it. To be the first, before the lock of the charge: whoever takes both takes them in this order. */
  lock: (ctx: Ctx, charge: Charge) => Promise<void>
  /** Whether the money is still wanted; it goes back by itself when not. */
  isDue: (ctx: Ctx, charge: Charge) => Promise<boolean>
  /** The paper of the money. What it throws is written on the charge, and a person tries again. */
  issue: (ctx: Ctx, charge: Charge) => Promise<Issued>
  /** Once it is paid, with or without its paper. */
  paid: (ctx: Ctx, charge: Charge) => Promise<void>
}

const purposes = new Map<string, Purpose>()

export const registerPurpose = (name: string, purpose: Purpose): void => void purposes.set(name, purpose)

export function purposeOf(charge: Charge): Purpose {
  const found = purposes.get(charge.purpose)
  if (!found) throw new Error(`nobody asks for money for ${charge.purpose}`)
  return found
}
