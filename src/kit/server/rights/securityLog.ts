import { createHmac } from 'node:crypto'
import { sourceOf } from './address.ts'
import type { App } from '../context.ts'

/**
 * A mark of where a request came from: lines of one source can be told together, and the address itself is not kept. Another
 * key in SECRETS_FILE makes other marks.
 */
const markOf = (app: App, address: string): string =>
  createHmac('sha256', app.secrets.mac)
    .update(`log of ${sourceOf(address)}`)
    .digest('base64url')
    .slice(0, 16)

/**
 * Writes a security event: what happened (`security`), to whom (ids), and a mark of the source. Names, email addresses, tokens
 * and codes have no place in it. `docs/security-rules.md` lists the events.
 */
export function logSecurity(
  app: App,
  event: string,
  { address, ...fields }: Record<string, string | number | undefined> & { address?: string },
): void {
  app.log.info(
    { security: event, ...fields, ...(address ? { source: markOf(app, address) } : {}) },
    'security',
  )
}

const watched = new Set<string>()

/** Refusals of one's identity, which are no refusals of a right by their status, are security events as well. */
export const logRefusalsOf = (...codes: string[]): void => codes.forEach((code) => void watched.add(code))

/** Whether a refusal is a security event: no session, no right, too many tries, or a wrong proof of identity. */
export const isSecurityRefusal = ({ status, code }: { status: number; code: string }): boolean =>
  status === 401 || status === 403 || status === 429 || watched.has(code)
