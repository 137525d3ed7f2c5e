import type { App } from '#kit/server/context.ts'
import type { GatewayName } from '../acquirers.ts'
import type { Acquirer } from './door.ts'
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
  instalments: readonly ('regular' | 'credit')[]
  /** Moves no money. */
  isTest?: true
  /** Where it answers, by its settings. */
  home: (settings: Settings) => string
  connect: (plug: Plug) => Acquirer
}
