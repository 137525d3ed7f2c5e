import type { Agorot } from '#domain/money.ts'
import type { DeclineClass, Wallet } from '../acquirers.ts'
import type { Foreign } from './foreign.ts'

/*
 * An acquirer as the product sees it. What one lacks is absent from its object, so nobody asks for it. Every
 * call may throw AcquirerAway, after which nobody knows what became of it. A notice is only a reason to ask.
 * Whatever an acquirer answers about a charge is compared with the charge in one place (charges/compare.ts)
 * before anything is believed.
 */

/**
 * No answer that can be read: the network, an outage, a page in place of data. What was asked may have
 * happened, unless it never left.
 */
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

/** The acquirer knows us and does not take what was asked. Nothing happened. */
export class OrderRefused extends KeysRefused {}

/**
 * Ours, for one try: in words, and as a number for those that take nothing else. Never used for another try.
 */
export interface TryKey {
  text: string
  number: number
}

/** A deal as the acquirer tells it; compared with the charge before anything is believed. */
export interface Deal<Card = SavedCard> {
  /** What the acquirer knows the deal by, for giving back and asking. */
  uid: string
  agorot: Agorot
  currency: string
  /** Our reference as the acquirer echoes it; undefined where it echoes none, which is no match. */
  key: string | undefined
  /** Where it echoes no reference of ours: the reference of the form it was asked about. */
  form?: string | undefined
  /** false: it names a terminal that is not ours. */
  isOurs?: boolean | undefined
  approval: string
  brand: string
  last4: string
  instalments: number
  /** The card it was paid by, where it was to be kept. */
  card?: Card | undefined
}

/** Reads the card of a deal at the acquirer. Called only after the deal was compared and is ours. */
export type CardReader = () => Promise<SavedCard | undefined>

/** A card as its acquirer keeps it for us; no number of it ever comes here. */
export interface SavedCard {
  token: string
  brand: string
  last4: string
  /** The month it ends with, 'YYYY-MM'. */
  expiry: string
  /** The acquirer forgets the token on that day, whatever the card says: 'YYYY-MM-DD'. */
  deletedOn?: string | undefined
  /**
   * Of the payment it was kept by, and its owner's identity number: some want to see them again with every
   * charge.
   */
  uid?: string | undefined
  approval?: string | undefined
  ownerId?: string | undefined
  /** When that payment was made, for those who want to see it with the charges that follow it: ISO, UTC. */
  at?: string | undefined
  /** What 3-D Secure said of that payment, where it was asked. */
  threeDs?: { eci: string; xid: string; cavv: string } | undefined
}

export type Answer<Card = SavedCard> =
  | ({ is: 'paid' } & Deal<Card>)
  /** The money is set aside; it is taken or let go later. */
  | ({ is: 'held'; until?: string | undefined } & Deal<Card>)
  /** What was set aside was let go. */
  | { is: 'released' }
  /** The card is kept, and nothing was to be paid. */
  | {
      is: 'saved'
      card?: Card | undefined
      key: string | undefined
      form?: string | undefined
      isOurs?: boolean | undefined
    }
  | { is: 'declined'; code: string; class: DeclineClass }
  /**
   * Agreed to and put off: it is charged once somebody commits it at the acquirer, or never. Neither paid nor
   * declined.
   */
  | { is: 'postponed'; code: string }
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
  /** card: nothing is to be paid, only the card is kept; agorot is 0 then. */
  deed: 'charge' | 'hold' | 'card'
  /** The card is kept for later payments too. */
  keepsCard: boolean
  agorot: Agorot
  currency: string
  description: string
  mostInstalments: number
  language: string
  payer: { name?: string | undefined; email?: string | undefined; phone?: string | undefined }
  /** The form shall stand open for this means alone. */
  wallet?: Wallet | undefined
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

/** What a kept card is charged. */
export interface CardOrder {
  key: TryKey
  deed: 'charge' | 'hold'
  agorot: Agorot
  currency: string
  description: string
  instalments: number
  /** One of a standing order, which its owner agreed to once. */
  recurs: boolean
  payer: { name?: string | undefined; email?: string | undefined; phone?: string | undefined }
  noticeTo: string
}

/** What a charge whose call had no answer can be found by. */
export interface Lost {
  key: TryKey
  agorot: Agorot
  currency: string
  /** The day in Jerusalem on which it was asked for. */
  day: string
  token?: string | undefined
}

/** A deal in an acquirer's own list of a day. */
export interface Listed {
  uid: string
  key?: string | undefined
  /** Below zero: money that went back. */
  agorot: Agorot
  currency: string
  last4: string
  approval: string
}

/** Money of many deals that landed in the bank together. */
export interface BankDeposit {
  id: string
  day: string
  agorot: Agorot
}

/** A card whose owner got another one from the bank. */
export interface Replacement {
  oldToken: string
  card: SavedCard
}

export type GivenBack = { is: 'done'; uid: string } | { is: 'refused'; code: string }

/** What arrived at the address of notices. */
export interface Notice {
  /** Its declared fields, with those of its headers. */
  brought: Foreign
  /** All of it, to check a signature over. */
  raw: string
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
    /**
     * Means it can be opened for alone: those its documentation names a way for, and the business says that
     * it has.
     */
    wallets?: readonly Wallet[]
    open: (order: PageOrder) => Promise<{ reference: string; url: string }>
    /**
     * @param brought what the payer came back with or a notice said, as far as the gateway declares it: for
     * acquirers that want it back as a proof
     */
    ask: (reference: string, brought?: Foreign) => Promise<Answer<SavedCard | CardReader>>
    /** Nothing shall be paid by it any more; what was paid meanwhile stays paid. */
    close?: (reference: string) => Promise<void>
  }
  /** Cards the acquirer keeps. They come to be by its form (`deed: 'card'`, `keepsCard`). */
  cards?: {
    /** A card is saved along with a payment and never alone: no form is opened with `deed: 'card'`. */
    byPaymentOnly?: true
    charge: (card: SavedCard, order: CardOrder) => Promise<Answer>
    /** Whether the token can be charged, without moving money. */
    check?: (card: SavedCard, key: TryKey) => Promise<boolean>
    /** Nothing can be charged by the token any more. */
    forget?: (card: SavedCard) => Promise<void>
    /** Cards that banks replaced since that day. */
    replaced?: (since: string) => Promise<Replacement[]>
  }
  /** Money set aside. */
  holds?: {
    /** At most what is held. */
    capture: (made: Made, agorot: Agorot, key: TryKey) => Promise<Answer>
    release?: (made: Made, key: TryKey) => Promise<GivenBack>
  }
  /** Takes a whole charge back on its day, before it is settled; nobody sees it on a statement. */
  void?: (made: Made, key: TryKey) => Promise<GivenBack>
  /**
   * What became of a charge whose call had no answer; `none`: nothing is known under our reference, so
   * nothing happened.
   */
  byReference?: (lost: Lost) => Promise<Answer>
  /** All deals of a day. */
  day?: (day: string) => Promise<Listed[]>
  /** Money that came to the bank. */
  deposits?: (from: string, to: string) => Promise<BankDeposit[]>
  /**
   * A frame of the acquirer on a page of ours, for those without a payment page: its address and its message.
   */
  frame?: (reference: string, order: Omit<PageOrder, 'key'>) => { src: string; post: Record<string, string> }
  giveBack?: {
    do: (made: Made, agorot: Agorot, key: TryKey) => Promise<GivenBack>
    /** Only the whole of a charge. */
    wholeOnly?: true
    /** Under one key money goes back once, however often it is asked. */
    once?: true
  }
  /** What a notice is about; undefined when its signature is wrong, where there is one. */
  readNotice?: (notice: Notice) => About | undefined | Promise<About | undefined>
}
