import { failField } from '#kit/describe/errors.ts'
import { outsideUrl, type Reach } from '#kit/server/outside/reach.ts'

/**
 * Refuses an address that could never be sent to. What its name leads to is looked at when something is sent,
 * each time.
 */
export function checkUrl(given: string, reach: Reach): string {
  const found = outsideUrl(given, reach)
  if ('why' in found) throw failField('url', `webhooks.${found.why}`)
  return found.url
}
