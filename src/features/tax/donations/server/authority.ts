import type { LoginDoor } from '#features/tax/allocation/server/index.ts'
import type { Agorot } from '#domain/money.ts'

/** A donation as it is reported. */
export interface Donation {
  /** The receipt's id: asked twice under it there is one number. */
  key: string
  institution: string
  /** Empty for a giver without a name, who gets no credit. */
  donorId: string
  donorName: string
  agorot: Agorot
  day: string
  receiptNumber: number
}

/** A reported donation is cancelled. */
export interface Cancellation {
  key: string
  institution: string
  /** The number the donation was given. */
  cancels: string
  agorot: Agorot
  day: string
  receiptNumber: number
}

export type Answer =
  | { state: 'granted'; number: string }
  | { state: 'refused'; code: string; message: string }

/** Donations Israel as the product sees it. Every call may throw AuthorityAway and TokenRefused. */
export interface DonationsAuthority extends LoginDoor {
  report: (access: string, donation: Donation) => Promise<Answer>
  cancel: (access: string, cancellation: Cancellation) => Promise<Answer>
}
