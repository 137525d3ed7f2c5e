import type { Agorot } from '#domain/money.ts'
import type { DeclineClass } from '../acquirers.ts'

/*
 * An acquirer as the product sees it. What one lacks is absent from its object, so nobody asks for it. Every call may throw AcquirerAway, after which
 * nobody knows what became of it. A notice is only a reason to ask.
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
  | ({ is: 'paid' } & Deal)
  | { is: 'declined'; code: string; class: DeclineClass }
  /** The form still waits for its payer. */
  | { is: 'open' }
  /** Nothing can be paid by it any more. */
  | { is: 'closed' }
  /** The acquirer knows of nothing under our reference. */
  | { is: 'none' }

/** Nothing was heard. */
export interface Silence {
  is: 'silence'
  /** false: it never left us, so nothing can have happened. */
  wasSent: boolean
}

export interface PageOrder {
  key: TryKey
  agorot: Agorot
  currency: string
  description: string
  mostInstalments: number
  language: string
  payer: { name?: string | undefined; email?: string | undefined; phone?: string | undefined }
  lapsesAt: Date
  /** Where the payer is sent afterwards, whatever became of it. */
  returnTo: string
  /** Where the acquirer tells that something happened; at least once, at any time, in any order, or never. */
  noticeTo: string
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

export interface Acquirer {
  /** A form hosted by the acquirer, so that no card number reaches us. */
  page?: {
    open: (order: PageOrder) => Promise<{ reference: string; url: string }>
    ask: (reference: string) => Promise<Answer>
    /** Nothing shall be paid by it any more; what was paid meanwhile stays paid. */
    close?: (reference: string) => Promise<void>
  }
  giveBack?: {
    do: (made: Made, agorot: Agorot, key: TryKey) => Promise<GivenBack>
    /** Under one key money goes back once, however often it is asked. */
    once?: true
  }
  /** What a notice is about; undefined when its signature is wrong, where there is one. */
  readNotice?: (notice: Notice) => About | undefined
}
