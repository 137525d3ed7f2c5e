import type { Agorot } from '#domain/money.ts'

/** No answer: the network, an outage. What was asked may be asked again and answers the same. */
export class AcquirerAway extends Error {}

/** The business at the acquirer: who it is there, and what notices are signed with. */
export interface Account {
  companyId: string
  secret: string
}

export interface Order {
  /** Ours: asked twice under the same key there is one charge. */
  key: string
  agorot: Agorot
  description: string
  mostInstalments: number
  language: string
  lapsesAt: Date
  /** Where the payer is sent afterwards, whatever became of it. */
  returnTo: string
  /** Where the acquirer tells that something happened; at least once, at any time, in any order, or never. */
  noticeTo: string
}

export type ChargeStatus =
  | { state: 'open' }
  | { state: 'declined'; code: string }
  /** Nothing can be paid by it any more. */
  | { state: 'closed' }
  | { state: 'paid'; agorot: Agorot; brand: string; last4: string; instalments: number; approval: string }

export type GivenBack = { state: 'done'; reference: string } | { state: 'refused'; code: string }

/**
 * An acquirer as the product sees it: it hosts the card form, so that no card number ever reaches us. A notice is only a reason to ask:
 * what happened is what `status` says. Every call may throw AcquirerAway.
 */
export interface Acquirer {
  readonly name: 'test'
  /** Moves no money. */
  readonly isTest: boolean
  open: (account: Account, order: Order) => Promise<{ reference: string; url: string }>
  status: (account: Account, reference: string) => Promise<ChargeStatus>
  /** Nothing shall be paid by it any more; what was paid meanwhile stays paid. */
  close: (account: Account, reference: string) => Promise<void>
  /** Under one key money goes back once. */
  giveBack: (account: Account, reference: string, agorot: Agorot, key: string) => Promise<GivenBack>
  /** The charge a signed notice is about; undefined when the signature is not right. */
  readNotice: (account: Account, fields: Record<string, unknown>) => string | undefined
}
