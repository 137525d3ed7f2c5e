import type { Agorot } from '#domain/money.ts'
import type { DeclineClass } from '../acquirers.ts'

/*
 * An acquirer as the product sees it. What one lacks is absent from its object, so nobody asks for it: abilities are read off the object
 * (`abilities.ts`). Every call may throw AcquirerAway, after which nobody knows what became of it. A notice is only a reason to ask.
 */

/** No answer that can be read: the network, an outage, a page in place of data. What was asked may have happened, unless it never left. */
export class AcquirerAway extends Error {
  readonly wasSent: boolean
  constructor(why: string, wasSent = true) {
    super(why)
    this.wasSent = wasSent
  }
}

/** The acquirer does not know us: keys or numbers are wrong. Nothing happened. */
export class KeysRefused extends Error {
  readonly code: string
  constructor(code: string, words = '') {
    super(words)
    this.code = code
  }
}

/** Ours, for one try: in words, and as a number for those that take nothing else. Never used for another try. */
export interface TryKey {
  text: string
  number: number
}

/** A card as an acquirer keeps it for us. */
export interface CardToken {
  token: string
  /** 'YYYY-MM', the last month it is good in. */
  expiry: string
  last4: string
  brand: string
  holder?: string
  /** The day on which the acquirer forgets the token. */
  deletedOn?: string
}

/** A deal as the acquirer tells it; held against what was asked before anything is believed. */
export interface Deal {
  /** What the acquirer knows the deal by, for giving back and asking. */
  uid: string
  agorot: Agorot
  currency: string
  /** Our reference as the acquirer echoes it; undefined where it echoes none. */
  key?: string | undefined
  /** false: it names a terminal that is not ours. */
  isOurs?: boolean | undefined
  approval: string
  brand: string
  last4: string
  instalments: number
}

export type Answer =
  | ({ is: 'paid'; card?: CardToken | undefined } & Deal)
  | ({ is: 'held'; card?: CardToken | undefined } & Deal)
  /** No money: the card is kept. */
  | { is: 'saved'; card: CardToken; uid: string; approval: string; key?: string | undefined; isOurs?: boolean | undefined }
  | { is: 'declined'; code: string; class: DeclineClass }
  /** The form still waits for its payer. */
  | { is: 'open' }
  /** Nothing can be paid by it any more: a form that is past, a hold that was let go. */
  | { is: 'closed' }
  /** The acquirer knows of nothing under our reference. */
  | { is: 'none' }

export interface PageOrder {
  key: TryKey
  kind: 'pay' | 'hold' | 'save'
  agorot: Agorot
  currency: string
  description: string
  mostInstalments: number
  language: string
  payer: { name?: string | undefined; email?: string | undefined; phone?: string | undefined }
  /** Keep the card besides. */
  keepsCard: boolean
  lapsesAt: Date
  /** Where the payer is sent afterwards, whatever became of it. */
  returnTo: string
  /** Where the acquirer tells that something happened; at least once, at any time, in any order, or never. */
  noticeTo: string
}

export interface CardOrder {
  key: TryKey
  card: { token: string; expiry: string; firstUid: string; firstApproval: string }
  agorot: Agorot
  currency: string
  description: string
  instalments: number
  payer: { name?: string | undefined; email?: string | undefined; phone?: string | undefined }
}

/** A charge as what is done to it needs it: what it is known by there, and how much it was. */
export interface Made {
  uid: string
  approval: string
  reference: string
  agorot: Agorot
  currency: string
  /** The day in Jerusalem on which it was made. */
  day: string
}

export type GivenBack = { is: 'done'; uid: string } | { is: 'refused'; code: string }

/** What arrived at the address of notices. */
export interface Notice {
  text: string
  fields: Readonly<Record<string, string>>
  headers: Readonly<Record<string, string>>
}

/** What a notice is about, by whatever it names; nothing is believed of it beyond that. */
export interface About {
  key?: string | undefined
  reference?: string | undefined
  uid?: string | undefined
}

/** One deal of a day's list. */
export interface Listed extends Deal {
  at: string
}

export interface Acquirer {
  /** Proves keys and numbers by the cheapest call that moves nothing; KeysRefused when they are wrong. */
  prove: () => Promise<void>
  /** A form hosted by the acquirer, so that no card number reaches us. */
  page?: {
    open: (order: PageOrder) => Promise<{ reference: string; url: string }>
    ask: (reference: string, key: TryKey) => Promise<Answer>
    /** Nothing shall be paid by it any more; what was paid meanwhile stays paid. */
    close?: (reference: string) => Promise<void>
    holds?: true
    /** Keeps the card, with a payment or alone. */
    saves?: true
  }
  card?: {
    charge: (order: CardOrder) => Promise<Answer>
    hold?: (order: CardOrder) => Promise<Answer>
    /** Is it good, without money. */
    check?: (card: CardOrder['card'], key: TryKey) => Promise<Answer>
    forget?: (token: string) => Promise<void>
  }
  hold?: {
    /** For at most what is held. */
    capture: (made: Made, agorot: Agorot, key: TryKey) => Promise<Answer>
    release: (made: Made, key: TryKey) => Promise<GivenBack>
  }
  /** Takes a charge of today back whole, as if it never was. */
  void?: (made: Made, key: TryKey) => Promise<GivenBack>
  giveBack?: {
    part: boolean
    do: (made: Made, agorot: Agorot, key: TryKey) => Promise<GivenBack>
    /** Under one key money goes back once, however often it is asked. */
    once?: true
    /** What became of it, by our reference. */
    ask?: (made: Made, key: TryKey) => Promise<GivenBack | { is: 'none' }>
  }
  /** What became of a charge, by our own reference. */
  byKey?: (key: TryKey, at: Date) => Promise<Answer>
  /** The same by the acquirer's, for deals made before. */
  byUid?: (uid: string) => Promise<Answer>
  day?: (day: string) => Promise<Listed[]>
  /** What a notice is about; undefined when its signature is wrong, where there is one. */
  readNotice?: (notice: Notice) => About | undefined
}
