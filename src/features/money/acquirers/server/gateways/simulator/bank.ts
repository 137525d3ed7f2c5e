import { randomInt, randomUUID } from 'node:crypto'
import { dayInJerusalem } from '#domain/day.ts'
import type { GatewayName } from '../../../acquirers.ts'
import { testCards, type TestDeed } from '../test/cards.ts'

/*
 * The common part of every simulator of an acquirer: forms, deals and saved cards in memory, and one set of faults.
 * Each simulator answers in its acquirer's format. What a card does depends on its number, as at the test acquirer;
 * a number of a real card is refused and not stored.
 */

export interface SimulatedForm {
  gateway: GatewayName
  reference: string
  terminal: string
  key: string
  agorot: number
  currency: string
  deed: 'charge' | 'hold' | 'card'
  keepsCard: boolean
  mostInstalments: number
  description: string
  returnTo: string
  noticeTo: string
  state: 'open' | 'declined' | 'done'
  deal?: SimulatedDeal
}

export interface SimulatedDeal {
  uid: string
  gateway: GatewayName
  terminal: string
  /** Ours, in words and where there is one as a number. */
  key: string
  number: string
  agorot: number
  currency: string
  state: 'paid' | 'held' | 'saved' | 'released' | 'taken back' | 'declined'
  code: string
  brand: string
  last4: string
  expiry: string
  approval: string
  instalments: number
  token: string
  day: string
  at: number
  isApproved: boolean
  /** What went back of it, by our key. */
  back: Map<string, number>
  isCredit: boolean
}

interface StandCard {
  deed: TestDeed
  brand: string
  last4: string
  expiry: string
}

/** The faults of a simulator. Every field applies until it is reset. */
export interface Faults {
  /** Nothing answers: HTTP 503. */
  isDown?: boolean
  slowMs?: number
  /**
   * The line breaks before a call is done, or after: then it was done and nobody hears of it. Only calls
   * whose path and body match.
   */
  drop?: { when: 'before' | 'after'; at: RegExp }
  /**
   * Called as a call has arrived and when it is done, before its answer leaves: what it waits for, everybody
   * waits for. `where`: name, path and body.
   */
  pause?: (where: string, when: 'before' | 'after') => Promise<void>
  /** No notice is sent. */
  isMute?: boolean
  /** Each notice comes twice. */
  isDoubled?: boolean
  /** The notice comes before the acquirer itself knows what it tells of. */
  isEarly?: boolean
  /** What it says of a deal is of another sum, currency, terminal or reference. */
  lies?: 'sum' | 'currency' | 'terminal' | 'reference'
  /** What is charged is put off until somebody commits it. */
  isPostponed?: boolean
  /** What 3-D Secure is said to have answered for a payment by a form. */
  threeDs?: { eci: string; xid: string; cavv: string }
  /** A card that is kept again keeps the token it had. */
  keepsToken?: boolean
}

/** A call that was made with the keys of a business. */
export interface KeyedCall {
  gateway: GatewayName
  method: string
  path: string
  query: Readonly<Record<string, string>>
  fields: Readonly<Record<string, unknown>>
}
/** How many of them are kept. */
export const mostCalls = 5000

export interface StandNotice {
  to: string
  body: string
  headers: Record<string, string>
}

export interface CardDeal {
  gateway: GatewayName
  token: string
  terminal: string
  key: string
  number?: string
  agorot: number
  currency: string
  instalments: number
  deed: 'charge' | 'hold' | 'check'
}

export class Bank {
  readonly forms = new Map<string, SimulatedForm>()
  readonly deals: SimulatedDeal[] = []
  readonly cards = new Map<string, StandCard>()
  /** The last calls made with keys of a business, in their order. */
  readonly calls: KeyedCall[] = []
  readonly replaced: { token: string; newToken: string; expiry: string }[] = []
  faults: Faults = {}
  readonly now: () => Date
  #uid = randomInt(10_000_000, 90_000_000)

  constructor(now: () => Date = () => new Date()) {
    this.now = now
  }

  record(call: KeyedCall): void {
    this.calls.push(call)
    if (this.calls.length > mostCalls) this.calls.shift()
  }

  newUid(): string {
    return String((this.#uid += randomInt(1, 90)))
  }

  open(form: Omit<SimulatedForm, 'state'>): SimulatedForm {
    const made: SimulatedForm = { ...form, state: 'open' }
    this.forms.set(`${form.gateway}/${form.reference}`, made)
    return made
  }

  form(gateway: GatewayName, reference: string): SimulatedForm | undefined {
    return this.forms.get(`${gateway}/${reference}`)
  }

  #add(
    deal: Pick<SimulatedDeal, 'gateway' | 'terminal' | 'key' | 'agorot' | 'currency' | 'state'> &
      Partial<SimulatedDeal>,
  ): SimulatedDeal {
    const now = this.now()
    const made: SimulatedDeal = {
      uid: this.newUid(),
      number: '',
      code: deal.state === 'declined' ? '004' : '000',
      brand: 'visa',
      last4: '',
      expiry: '',
      approval: String(randomInt(100_000, 999_999)),
      instalments: 1,
      token: '',
      day: dayInJerusalem(now),
      at: now.getTime(),
      isApproved: false,
      back: new Map(),
      isCredit: false,
      ...deal,
    }
    this.deals.push(made)
    return made
  }

  /** Somebody typed a card into a form. Answers undefined when that is no test card. */
  pay(form: SimulatedForm, number: string, expiry: string, instalments = 1): SimulatedDeal | undefined {
    const card = testCards.get(number)
    if (!card) return undefined
    if (form.state === 'done') return form.deal
    const isKept = form.deed === 'card' || form.keepsCard
    const isRefused = form.deed !== 'card' && (card.deed === 'decline' || card.deed === 'noFunds')
    const token =
      isKept && !isRefused
        ? (this.#tokenOf(form.gateway, number) ??
          `${randomUUID().replaceAll('-', '').slice(0, 15)}${number.slice(-4)}`)
        : ''
    const deal = this.#add({
      gateway: form.gateway,
      terminal: form.terminal,
      key: form.key,
      agorot: form.agorot,
      currency: form.currency,
      state: isRefused ? 'declined' : ({ charge: 'paid', hold: 'held', card: 'saved' } as const)[form.deed],
      code: isRefused ? (card.deed === 'noFunds' ? '004' : '001') : '000',
      brand: card.brand,
      last4: number.slice(-4),
      expiry,
      instalments: Math.min(instalments, form.mostInstalments),
      token,
    })
    if (token) this.cards.set(token, { deed: card.deed, brand: card.brand, last4: number.slice(-4), expiry })
    form.deal = deal
    form.state = isRefused ? 'declined' : 'done'
    return deal
  }

  /** What a card was kept by before, where that goes on. */
  #tokenOf(gateway: GatewayName, number: string): string | undefined {
    if (!this.faults.keepsToken) return undefined
    const known = this.deals.findLast(
      (one) => one.gateway === gateway && one.last4 === number.slice(-4) && this.cards.has(one.token),
    )
    return known?.token
  }

  /**
   * A kept card is charged, checked, or money of it set aside. `once`: the same key again answers the first
   * deal.
   */
  charge({ token, deed, ...order }: CardDeal, { once = false } = {}): SimulatedDeal {
    const known = once
      ? this.deals.find((one) => one.gateway === order.gateway && one.key === order.key)
      : undefined
    if (known) return known
    const card = this.cards.get(token)
    const code = !card ? '447' : card.deed === 'noFunds' ? '004' : card.deed === 'decline' ? '001' : '000'
    const deal = {
      ...order,
      token,
      brand: card?.brand ?? '',
      last4: card?.last4 ?? '',
      expiry: card?.expiry ?? '',
      code,
      state:
        code === '000'
          ? ({ charge: 'paid', hold: 'held', check: 'saved' } as const)[deed]
          : ('declined' as const),
    }
    if (deed !== 'check') return this.#add(deal)
    const before = this.deals.length
    const made = this.#add(deal)
    this.deals.splice(before)
    return made
  }

  byUid(gateway: GatewayName, uid: string): SimulatedDeal | undefined {
    return this.deals.find((one) => one.gateway === gateway && one.uid === uid)
  }

  byKey(gateway: GatewayName, key: string): SimulatedDeal | undefined {
    const found = this.deals.filter(
      (one) => one.gateway === gateway && (one.key === key || (one.number !== '' && one.number === key)),
    )
    return found.find(({ state }) => state !== 'declined') ?? found.at(-1)
  }

  ofDay(gateway: GatewayName, day: string): SimulatedDeal[] {
    return this.deals.filter(
      (one) => one.gateway === gateway && one.day === day && (one.state === 'paid' || one.isCredit),
    )
  }

  /** Money goes back; undefined when it may not. */
  giveBack(
    gateway: GatewayName,
    uid: string,
    agorot: number,
    key: string,
    { once = false } = {},
  ): SimulatedDeal | undefined {
    const deal = this.byUid(gateway, uid)
    if (!deal || deal.state !== 'paid') return undefined
    if (this.cardOf(deal)?.deed === 'noRefund' || deal.last4 === '5126') return undefined
    const gone = [...deal.back.values()].reduce((sum, one) => sum + one, 0)
    if (once && deal.back.has(key)) return this.deals.find((one) => one.isCredit && one.key === key)
    if (!(agorot > 0) || gone + agorot > deal.agorot) return undefined
    deal.back.set(key, agorot)
    return this.#add({
      gateway,
      terminal: deal.terminal,
      key,
      agorot,
      currency: deal.currency,
      state: 'paid',
      isCredit: true,
      last4: deal.last4,
    })
  }

  cardOf({ token }: SimulatedDeal): StandCard | undefined {
    return this.cards.get(token)
  }

  takeBack(gateway: GatewayName, uid: string): boolean {
    const deal = this.byUid(gateway, uid)
    if (!deal || deal.state !== 'paid' || deal.back.size > 0 || deal.day !== dayInJerusalem(this.now()))
      return false
    deal.state = 'taken back'
    return true
  }

  capture(gateway: GatewayName, uid: string, agorot: number): SimulatedDeal | undefined {
    const deal = this.byUid(gateway, uid)
    if (!deal || deal.state !== 'held' || agorot > deal.agorot) return undefined
    deal.state = 'paid'
    deal.agorot = agorot
    return deal
  }

  release(gateway: GatewayName, uid: string): boolean {
    const deal = this.byUid(gateway, uid)
    if (!deal || (deal.state !== 'held' && deal.state !== 'released')) return false
    deal.state = 'released'
    return true
  }

  /** A bank gave a card's owner another one. */
  replace(token: string, newToken: string, expiry: string): void {
    const card = this.cards.get(token)
    if (!card) return
    this.cards.delete(token)
    this.cards.set(newToken, { ...card, expiry })
    this.replaced.push({ token, newToken, expiry })
  }

  /** What it says of a deal: what is so, unless it lies. */
  said(deal: SimulatedDeal): SimulatedDeal {
    switch (this.faults.lies) {
      case 'sum':
        return { ...deal, agorot: deal.agorot + 1 }
      case 'currency':
        return { ...deal, currency: deal.currency === 'USD' ? 'EUR' : 'USD' }
      case 'terminal':
        return { ...deal, terminal: '9999999' }
      case 'reference':
        return { ...deal, key: 'f00d-1', number: '7' }
      case undefined:
        return deal
    }
  }
}
