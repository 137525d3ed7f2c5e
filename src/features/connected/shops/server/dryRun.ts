import type { ShopOrder } from '#domain/shops/order.ts'
import type { Trouble } from '#domain/shops/paper.ts'
import { Failure, fail, forbidden } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import { underOrder } from '#kit/server/rights/authority.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import { makeKey } from '#features/open/apiKeys/server/index.ts'
import { refusalOf } from './engine/refusal.ts'
import { shopKind, shopOf } from './engine/rows.ts'
import { tryPaper } from './engine/work.ts'

/** A paid order of one shekel of a buyer nobody knows: what any shop may send. */
const sampleOrder = (ctx: Ctx): ShopOrder => ({
  externalId: `dry-run-${newId()}`,
  number: '1',
  version: 0,
  state: 'paid',
  isTest: false,
  paidDay: ctx.today,
  currency: 'ILS',
  total: 100,
  discount: 0,
  rounding: 0,
  vat: null,
  giftCard: 0,
  isTourist: false,
  language: '',
  customer: {
    name: 'Pinkas',
    email: 'dry-run@example.com',
    phone: '',
    taxId: '',
    street: '',
    city: '',
    zip: '',
    country: 'IL',
  },
  lines: [{ name: 'Pinkas', sku: '', quantity: '1', total: 100, discount: 0, vat: null, kind: 'goods' }],
  payments: [{ means: 4, amount: 100, reference: '' }],
  refunds: [],
})

/**
 * Goes through an order as its notice would, within the limits of who calls and of who connected the shop, and leaves
 * nothing behind.
 * @throws {Failure} shops.wouldNotIssue with the reason in the language of the caller, or the refusal itself
 */
export async function dryRun(ctx: Ctx, { id }: { id: string }) {
  if (ctx.caller.ownCustomersOnly) throw forbidden({ sight: 'customers' })
  const shop = await shopOf(ctx, id)
  if (shop.state !== 'on') throw fail('shops.isOff')
  const tried = await underOrder(ctx, shopKind, shop.id, (bound) =>
    tryPaper(bound, shop.settings, sampleOrder(ctx), (e): Trouble => {
      throw refusalOf(e)
    }),
  )
  // The person who connected the shop can no longer do this: its orders wait for an approval.
  if (!('done' in tried)) throw wouldNotIssue(ctx, 'errors.approvals.needed')
  if ('code' in tried.done) throw wouldNotIssue(ctx, `shops.trouble.${tried.done.code}`, tried.done.params)
  const { type, totalAgorot, currency } = tried.done
  return { type, totalAgorot, currency }
}

function wouldNotIssue(ctx: Ctx, word: string, params: Record<string, string | number> = {}): Failure {
  const filled = {
    difference: '',
    place: '',
    why: '',
    shop: '',
    ours: '',
    left: '',
    line: '',
    currency: '',
    ...params,
  }
  return fail('shops.wouldNotIssue', { why: say(ctx.caller.language, word, filled) })
}

/** The only right that a shop needs: buyers are added by the right of who connected it. */
const issuing = 32

/** A key that issues the documents of this shop, named after it; its secret is shown once. */
export async function makeShopKey(ctx: Ctx, { id }: { id: string }) {
  if (!can(ctx.caller, 'apiKeys')) throw forbidden({ rule: 'apiKeys' })
  const shop = await shopOf(ctx, id)
  if (shop.kind !== 'woocommerce' && shop.kind !== 'generic') throw fail('shops.otherKind')
  const { key, secret } = await makeKey(ctx, {
    name: shop.name,
    readOnly: false,
    draftsOnly: false,
    rules: [issuing],
    docsAllow: [],
    sumLimitAgorot: null,
    expiresOn: null,
  })
  return { name: key.name, secret }
}
