import type { App } from '#kit/server/context.ts'
import type { TaxAuthority } from './authority.ts'
import { realAuthority } from './realAuthority.ts'
import { simulator } from './simulator.ts'

/** The authority this server is set to; undefined when it is set to none. */
export function authorityOf({ settings }: Pick<App, 'settings'>): TaxAuthority | undefined {
  const { mode } = settings.taxAuthority
  if (mode === 'off') return undefined
  return mode === 'simulator' ? simulator : realAuthority(settings.taxAuthority)
}
