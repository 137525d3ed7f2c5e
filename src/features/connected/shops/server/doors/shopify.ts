import { createHmac } from 'node:crypto'
import { jwtVerify } from 'jose'
import type { App } from '#kit/server/context.ts'
import type { OutsideApp } from '#kit/server/settings.ts'
import { decrypt } from '#kit/server/rights/vault.ts'
import type { ShopRow } from '../engine/rows.ts'
import { isSame } from '../same.ts'
import { ask, Refused, type Fetch } from './call.ts'
import type { Probed, ShopDoor } from './shopDoor.ts'
import { simulatedShopify } from './shopifySimulator.ts'

/** The version of the Admin API that orders are read in; Shopify keeps one for a year. */
const version = '2026-10'
const scopes = 'read_orders'
/** Topics a shop tells; those about personal data every app of the store of apps must take. */
export const shopifyTopics = ['orders/paid', 'orders/updated', 'refunds/create', 'app/uninstalled'] as const

export const isShopifyName = (name: string): boolean => /^[a-z0-9][a-z0-9-]{0,60}\.myshopify\.com$/.test(name)

const fetcher = ({ mode }: OutsideApp): Fetch => (mode === 'simulator' ? simulatedShopify : fetch)

/** Notices: base64 HMAC-SHA256 of the raw body by the app's secret. */
export const isShopifySigned = (secret: string, body: Uint8Array, given: string): boolean =>
  isSame(createHmac('sha256', secret).update(body).digest('base64'), given)

/**
 * What the browser comes back with: hex HMAC-SHA256 of its other parameters in alphabetical order, by the
 * app's secret.
 */
export const isShopifyReturn = (secret: string, query: Readonly<Record<string, string>>): boolean =>
  isSame(returnSignature(secret, query), query.hmac ?? '')

function returnSignature(secret: string, query: Readonly<Record<string, string>>): string {
  const text = Object.keys(query)
    .filter((name) => name !== 'hmac' && name !== 'signature')
    .sort()
    .map((name) => `${name}=${query[name]}`)
    .join('&')
  return createHmac('sha256', secret).update(text).digest('hex')
}

const signedReturn = (secret: string, query: Record<string, string>): Record<string, string> => ({
  ...query,
  hmac: returnSignature(secret, query),
})

export const shopifyLogin = (
  { mode, clientId, clientSecret }: OutsideApp,
  shop: string,
  state: string,
  back: string,
): string =>
  mode === 'simulator'
    ? `${back}?${new URLSearchParams(signedReturn(clientSecret, { shop, state, code: 'simulated' }))}`
    : `https://${shop}/admin/oauth/authorize?${new URLSearchParams({ client_id: clientId, scope: scopes, redirect_uri: back, state })}`

/** The code becomes a token that lasts until the app is removed. */
export async function shopifyToken(app: OutsideApp, shop: string, code: string): Promise<string> {
  const { body } = await ask(fetcher(app), `https://${shop}/admin/oauth/access_token`, {
    method: 'POST',
    json: { client_id: app.clientId, client_secret: app.clientSecret, code },
  })
  const token = (body as { access_token?: unknown } | undefined)?.access_token
  if (typeof token !== 'string' || !token) throw new Refused(400, 'no token')
  return token
}

/** Asks the shop to tell; a topic that it tells already stays as it is. */
export async function listenToShopify(
  app: OutsideApp,
  shop: string,
  token: string,
  address: string,
): Promise<void> {
  for (const topic of shopifyTopics)
    await ask(fetcher(app), `https://${shop}/admin/api/${version}/webhooks.json`, {
      method: 'POST',
      headers: { 'x-shopify-access-token': token },
      json: { webhook: { topic, address, format: 'json' } },
    }).catch((e: unknown) => {
      if (!(e instanceof Refused) || e.status !== 422) throw e
    })
}

/**
 * The person inside Shopify: a token of a minute's life, signed by the app's secret, which names the shop
 * (OpenID-like, HS256).
 */
export async function shopifySession(app: OutsideApp, token: string, now: Date): Promise<string | undefined> {
  try {
    const { payload } = await jwtVerify(token, new TextEncoder().encode(app.clientSecret), {
      algorithms: ['HS256'],
      audience: app.clientId,
      currentDate: now,
      clockTolerance: 10,
    })
    const [dest, issuer] = [hostOf(payload.dest), hostOf(payload.iss)]
    return dest && dest === issuer && isShopifyName(dest) ? dest : undefined
  } catch {
    return undefined
  }
}

const hostOf = (url: unknown): string =>
  typeof url === 'string' && URL.canParse(url) ? new URL(url).hostname : ''

/** Where a shop tells. */
export const shopifyAddress = (app: App): string => `${app.publicUrl()}/api2/invoice/shopify`

export function shopifyDoor(app: App, shop: ShopRow): ShopDoor | undefined {
  const { shopify } = app.settings
  if (!shopify || !shop.token_sealed) return undefined
  const token = decrypt(app.secrets.vault, shop.token_sealed).toString()
  const headers = { 'x-shopify-access-token': token }
  const base = `https://${shop.outside_id}/admin/api/${version}`
  const whole = async (order: Record<string, unknown>): Promise<Record<string, unknown>> => {
    // Payments by gift card are among the transactions, which an order does not contain.
    const { body } = await ask(fetcher(shopify), `${base}/orders/${String(order.id)}/transactions.json`, {
      headers,
    })
    return { ...order, transactions: (body as { transactions?: unknown } | undefined)?.transactions ?? [] }
  }
  return {
    order: async (id) => {
      if (!/^\d{1,20}$/.test(id)) return undefined
      const { status, body } = await ask(fetcher(shopify), `${base}/orders/${id}.json?status=any`, {
        headers,
      })
      const order = (body as { order?: Record<string, unknown> } | undefined)?.order
      return status === 404 || !order ? undefined : whole(order)
    },
    since: async function* (day) {
      let next: string | undefined =
        `${base}/orders.json?${new URLSearchParams({ status: 'any', limit: '100', updated_at_min: `${day}T00:00:00+02:00` })}`
      for (let pages = 0; next && pages < 100; pages++) {
        const answer: Awaited<ReturnType<typeof ask>> = await ask(fetcher(shopify), next, { headers })
        for (const order of (answer.body as { orders?: Record<string, unknown>[] } | undefined)?.orders ?? [])
          yield await whole(order)
        const link: string | undefined = /<([^>]+)>;\s*rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
        next = link && link.startsWith(`https://${shop.outside_id}/`) ? link : undefined
      }
    },
    probe: async () => {
      await ask(fetcher(shopify), `${base}/orders.json?status=any&limit=1&fields=id`, { headers })
      const missing = async (): Promise<boolean> => {
        const { body } = await ask(fetcher(shopify), `${base}/webhooks.json?limit=250`, { headers })
        const told =
          (body as { webhooks?: { topic?: unknown; address?: unknown }[] } | undefined)?.webhooks ?? []
        return shopifyTopics.some(
          (topic) => !told.some((one) => one.topic === topic && one.address === shopifyAddress(app)),
        )
      }
      if (!(await missing())) return 'ok' satisfies Probed
      await listenToShopify(shopify, shop.outside_id, token, shopifyAddress(app))
      return (await missing()) ? 'bad' : 'mended'
    },
  }
}
