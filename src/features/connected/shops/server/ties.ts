import { sql } from 'kysely'
import { fail, failField } from '#kit/describe/errors.ts'
import { ordered } from '#kit/server/rights/authority.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { OutsideCtx } from '#kit/server/contract/implement.ts'
import type { OutsideApp } from '#kit/server/settings.ts'
import { hashToken, encrypt, newToken } from '#kit/server/rights/vault.ts'
import type { Shop } from '../endpoints.ts'
import { shopKind } from './engine/rows.ts'
import { Away, Refused } from './doors/call.ts'
import {
  isShopifyName,
  isShopifyReturn,
  listenToShopify,
  shopifyAddress,
  shopifyLogin,
  shopifyToken,
} from './doors/shopify.ts'
import { wixInstance, wixLogin } from './doors/wix.ts'
import { createShop, shopShown } from './keep.ts'

type Kind = 'shopify' | 'wix'

export function appOf(app: Ctx['app'], kind: Kind): OutsideApp {
  const found = app.settings[kind]
  if (!found) throw fail('shops.notOffered')
  return found
}

/**
 * The address where the person gives consent; the key in it is accepted once, within the hour, from the same person.
 */
export async function beginTie(
  ctx: Ctx,
  { kind, shop, token }: { kind: Kind; shop: string; token: string },
): Promise<{ url: string }> {
  const app = appOf(ctx.app, kind)
  const name = kind === 'shopify' ? (shop.includes('.') ? shop : `${shop}.myshopify.com`) : ''
  if (kind === 'shopify' && !isShopifyName(name)) throw failField('shop', 'shops.badAddress')
  const state = newToken()
  await sql`insert into shop_ties (company_id, id_hash, kind, outside_id, user_id, expires_at)
    values (${ctx.companyId}, ${hashToken(state)}, ${kind}, ${name}, ${ctx.caller.userId},
      ${new Date(ctx.now.getTime() + 3_600_000)})`.execute(ctx.tx)
  const back = `${ctx.app.publicUrl()}/connect${kind}`
  return {
    url: kind === 'shopify' ? shopifyLogin(app, name, state, back) : wixLogin(app, token, state, back),
  }
}

/**
 * The person came back. What the address says is believed by signature and key; the consent itself is asked
 * of the service, outside any transaction.
 */
export async function endTie(
  ctx: OutsideCtx,
  { kind, query }: { kind: Kind; query: Record<string, string> },
): Promise<{ shop: Shop }> {
  const app = appOf(ctx.app, kind)
  if (kind === 'shopify' && !isShopifyReturn(app.clientSecret, query)) throw fail('shops.tieEnded')
  const tie = await ctx.within(async (own) => {
    const { rows } = await sql<{
      outside_id: string
      user_id: string
      is_over: boolean
    }>`delete from shop_ties where company_id = ${own.companyId}
      and id_hash = ${hashToken(query.state ?? '')} and kind = ${kind} returning outside_id, user_id,
      expires_at < ${own.now} as is_over`.execute(own.tx)
    return rows[0]
  })
  if (
    !tie ||
    tie.is_over ||
    tie.user_id !== ctx.caller.userId ||
    (kind === 'shopify' && tie.outside_id !== query.shop)
  )
    throw fail('shops.tieEnded')
  let [outsideId, token]: [string, string | undefined] = [tie.outside_id, undefined]
  try {
    if (kind === 'shopify') {
      token = await shopifyToken(app, outsideId, query.code ?? '')
      await listenToShopify(app, outsideId, token, shopifyAddress(ctx.app))
    } else outsideId = await wixInstance(app, query.code ?? '')
  } catch (e) {
    if (e instanceof Away) throw fail('shops.away')
    if (e instanceof Refused) throw fail('shops.refused')
    throw e
  }
  const { rows } = await sql<{
    company_id: string
    id: string
  }>`select company_id, id from shops where kind = ${kind} and outside_id = ${outsideId}
      and archived_at is null`.execute(ctx.app.db.kysely)
  const [known] = rows
  if (known && known.company_id !== ctx.companyId) throw fail('shops.taken')
  return ctx.within(async (own) => {
    if (!known)
      return {
        shop: await createShop(own, {
          kind,
          name: kind === 'shopify' ? outsideId.replace('.myshopify.com', '') : 'Wix',
          outsideId,
          ...(token === undefined ? {} : { token }),
        }),
      }
    await sql`update shops set state = 'on', last_error = '',
        token_sealed = ${token === undefined ? null : encrypt(own.app.secrets.vault, Buffer.from(token))},
        updated_at = now()
      where company_id = ${own.companyId} and id = ${known.id}`.execute(own.tx)
    await ordered(own, shopKind, known.id)
    await own.audit('shops.renew', 'shops', known.id)
    return { shop: await shopShown(own, known.id) }
  })
}
