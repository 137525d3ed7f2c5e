import type { App } from '#kit/server/context.ts'
import { isSitePublic } from '#kit/server/outside/reach.ts'
import type { Gateway } from '../gateway.ts'

/**
 * Whether an acquirer can come back to us: its form leads the payer, and its notices come, to a public https
 * address alone. Stand-ins answer on this very machine.
 */
export const isReached = (app: App, gateway: Gateway): boolean =>
  gateway.isTest === true || app.settings.acquirersAt !== undefined || isSitePublic(app.publicUrl())
