import type { App } from '#kit/server/context.ts'
import type { Ability, GatewayName, SettingField } from '../acquirers.ts'
import type { Acquirer } from './door.ts'
import type { Reads } from './foreign.ts'
import type { Wire } from './wire.ts'

export type Settings = Readonly<Record<string, string>>

/** What a terminal's client works with. */
export interface Plug {
  settings: Settings
  wire: Wire
  app: App
  companyId: string
}

/** A gateway whole: what it can be besides what its object shows, where it answers, and its client. */
export interface Gateway {
  name: GatewayName
  /**
   * A sum may be paid in parts without interest. A credit plan, with the interest of the payer's bank, is
   * asked of none.
   */
  instalments: boolean
  /** What it wants to know of us, in the order it is asked for. */
  settings: readonly SettingField[]
  /** What else it can do that its object does not show: wallets, 3-D Secure. */
  also?: readonly Ability[]
  /** Everything it can be paid in. */
  currencies: readonly string[]
  /** What it reads of what comes from outside; nothing else reaches its code. */
  reads: Reads
  /** Moves no money. */
  isTest?: true
  /** Where it answers, by its settings. */
  home: (settings: Settings) => string
  connect: (plug: Plug) => Acquirer
}

/** What a gateway can do, read off its client. */
export function abilitiesOf(gateway: Gateway, acquirer: Acquirer): Ability[] {
  const { page, cards, holds, giveBack, frame } = acquirer
  const has: [Ability, boolean][] = [
    ['page', !!page],
    ['fields', !!frame],
    ['token', !!cards],
    ['keepsAlone', !!cards && !cards.byPaymentOnly],
    ['hold', !!holds],
    ['capture', !!holds],
    ['void', !!acquirer.void],
    ['refundPart', !!giveBack && !giveBack.wholeOnly],
    ['instalments', gateway.instalments],
    ['list', !!acquirer.day],
    ['deposits', !!acquirer.deposits],
    ['replacedCards', !!cards?.replaced],
    ['asksByOurReference', !!acquirer.byReference],
  ]
  return [...has.filter(([, can]) => can).map(([name]) => name), ...(gateway.also ?? [])]
}
