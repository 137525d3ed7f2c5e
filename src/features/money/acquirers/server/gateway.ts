import type { Acquirer } from './door.ts'
import type { GatewayName, Wallet } from '../acquirers.ts'
import type { App } from '#kit/server/context.ts'
import type { Wire } from './wire.ts'

/** One field of a terminal's settings. Secrets are taken and never given back. */
export interface SettingField {
  name: string
  kind: 'text' | 'digits' | 'secret' | 'choice'
  /** A terminal without it cannot be proved. */
  need?: true
  choices?: readonly string[]
  /** What stands there when nothing was said. */
  start?: string
  max?: number
}

export type Settings = Readonly<Record<string, string>>

/** What a terminal's client works with. */
export interface Plug {
  settings: Settings
  wire: Wire
  app: App
  companyId: string
}

/** A gateway whole: its form, what it can be besides what its object shows, where it answers, and its client. */
export interface Gateway {
  name: GatewayName
  form: readonly SettingField[]
  currencies: readonly string[]
  wallets: readonly Wallet[]
  instalments: readonly ('regular' | 'credit')[]
  threeDs: boolean
  /** Moves no money. */
  isTest?: true
  /** For donations only. */
  isForDonations?: true
  /** Where it answers, by its settings. */
  home: (settings: Settings) => string
  connect: (plug: Plug) => Acquirer
}
