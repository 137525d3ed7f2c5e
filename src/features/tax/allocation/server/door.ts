import type { App } from '#kit/server/context.ts'
import type { TaxAuthority } from './authority.ts'
import { realAuthority } from './realAuthority.ts'
import { simulator } from './simulator.ts'

/**
 * The authority this server is set to, or the simulator for a test business; undefined when it is set to
 * none.
 */
export function authorityOf({ settings }: Pick<App, 'settings'>, isTest: boolean): TaxAuthority | undefined {
  if (isTest) return simulator
  const { mode } = settings.taxAuthority
  if (mode === 'off') return undefined
  return mode === 'simulator' ? simulator : realAuthority(settings.taxAuthority)
}
