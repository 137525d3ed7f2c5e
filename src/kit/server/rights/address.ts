import { createHmac } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { Ctx } from '../context.ts'

/** Where a request comes from, without a network's freedom to change its last bits: an IPv6 /64, or the address. */
export const sourceOf = (address: string): string =>
  isIPv6(address) && !address.startsWith('::ffff:') ? prefix64(address) : address

function prefix64(address: string): string {
  const [head = '', tail = ''] = address.toLowerCase().split('::')
  const first = head.split(':').filter(Boolean)
  const last = tail.split(':').filter(Boolean)
  const groups = address.includes('::')
    ? [...first, ...Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0'), ...last]
    : first
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}

/** A keyed digest of the source of a reservation in a business; the address itself is not kept. */
export const markOfAddress = (ctx: Pick<Ctx, 'app' | 'companyId' | 'address'>): Buffer =>
  createHmac('sha256', ctx.app.secrets.mac)
    .update(`reserved from ${ctx.companyId} ${sourceOf(ctx.address)}`)
    .digest()
