import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Settings } from '../settings.ts'

export type Reach = Settings['webhooks']

const resolver = new Resolver({ timeout: 3000, tries: 2 })

/**
 * Asked without the threads that getaddrinfo takes: a name whose servers are silent must not hold up the
 * others.
 */
const ask = async (host: string): Promise<string[]> => {
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const found = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  if (!found.length) throw (answers[0] as PromiseRejectedResult).reason
  return found
}

/** How names become addresses, and what their owners wrote beside them; a test puts its own in. */
export const names = {
  resolve: ask,
  texts: async (host: string): Promise<string[]> =>
    (await resolver.resolveTxt(host)).map((parts) => parts.join('')),
}

const global6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an address lies in the public net. What only looks so (an IPv4 address in the dress of IPv6,
 * tunnels) is judged by what is inside or refused.
 */
export function isPublic(address: string, { local }: Reach): boolean {
  if (!ipaddr.isValid(address)) return false
  const ip = ipaddr.process(address)
  if (local && ip.range() === 'loopback') return true
  return ip.range() === 'unicast' && (ip.kind() === 'ipv4' || (ip as ipaddr.IPv6).match(global6))
}

const bare = (host: string): string => host.replace(/^\[|\]$/g, '')

/**
 * Why an address of the outside could never be asked, or its tidied form. What its name leads to is looked at
 * when something is sent, each time.
 */
export function outsideUrl(
  given: string,
  reach: Reach,
): { url: string } | { why: 'badAddress' | 'privateAddress' } {
  if (!URL.canParse(given)) return { why: 'badAddress' }
  const url = new URL(given)
  const host = bare(url.hostname)
  const isLocal =
    reach.local &&
    (host === 'localhost' ||
      (isIP(host) > 0 && isPublic(host, reach) && !isPublic(host, { ...reach, local: false })))
  const isPlain = url.protocol === 'http:' && (reach.http || isLocal)
  if ((url.protocol !== 'https:' && !isPlain) || url.username || url.password || (url.port && !isLocal))
    return { why: 'badAddress' }
  if (isIP(host) ? !isPublic(host, reach) : !isLocal && !host.includes('.')) return { why: 'privateAddress' }
  url.hash = ''
  return { url: url.href }
}

/**
 * Whether a site can be come to from anywhere, by https. What its name leads to is not asked: it may lead
 * elsewhere from inside than from outside.
 */
export function isSitePublic(site: string): boolean {
  const { protocol, hostname } = new URL(site)
  const host = bare(hostname)
  const isNamed = host.includes('.') && !/\.(local|localhost|internal|lan)$/.test(host)
  return protocol === 'https:' && (isIP(host) ? isPublic(host, { http: false, local: false }) : isNamed)
}

export class PrivateAddress extends Error {}

/** Refuses an address written out in figures; a name is looked at by `lookupOf`. */
export function refuseFigures(url: URL, reach: Reach): void {
  const host = bare(url.hostname)
  if (isIP(host) && !isPublic(host, reach)) throw new PrivateAddress()
}

/**
 * What a connection asks for the addresses of a name: all of them are looked at, and the connection goes to
 * one that was looked at. Nothing is asked a second time, so a name that changes its mind in between gains
 * nothing.
 */
export const lookupOf =
  (reach: Reach): LookupFunction =>
  (host, options, done) => {
    const found = host === 'localhost' && reach.local ? Promise.resolve(['127.0.0.1']) : names.resolve(host)
    found.then(
      (all) => {
        if (!all.length || all.some((one) => !isPublic(one, reach)))
          return done(new PrivateAddress() as NodeJS.ErrnoException, '')
        if (options.all)
          return done(
            null,
            all.map((address) => ({ address, family: isIP(address) })),
          )
        return done(null, all[0]!, isIP(all[0]!))
      },
      (e: NodeJS.ErrnoException) => done(e, ''),
    )
  }
