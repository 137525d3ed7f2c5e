import { createHmac } from 'node:crypto'
import { importSPKI, jwtVerify } from 'jose'
import type { App } from '#kit/server/context.ts'
import type { OutsideApp } from '#kit/server/settings.ts'
import type { ShopRow } from '../engine/rows.ts'
import { isSame } from '../same.ts'
import { ask, Refused, type Fetch } from './call.ts'
import type { ShopDoor } from './shopDoor.ts'
import { simulatedWix } from './wixSimulator.ts'

const api = 'https://www.wixapis.com'
const fetcher = ({ mode }: OutsideApp): Fetch => (mode === 'simulator' ? simulatedWix : fetch)

export interface WixNotice {
  instanceId: string
  eventType: string
  /** The order it is about; empty where it is about none. */
  orderId: string
}

/**
 * A notice of Wix: the whole body is a token signed RS256 by the app's own key; inside, `data` is JSON as
 * text, and its `data` is JSON as text again.
 */
export async function readWixNotice(
  publicKey: string,
  body: string,
  now: Date,
): Promise<WixNotice | undefined> {
  try {
    const { payload } = await jwtVerify(body.trim(), await importSPKI(publicKey, 'RS256'), {
      algorithms: ['RS256'],
      currentDate: now,
      clockTolerance: 300,
    })
    const event = JSON.parse(String(payload.data)) as {
      instanceId?: unknown
      eventType?: unknown
      data?: unknown
    }
    const inside = typeof event.data === 'string' ? (JSON.parse(event.data) as Record<string, unknown>) : {}
    const order = inside.actionEvent ?? inside.createdEvent ?? inside.updatedEvent
    const orderId = inside.entityId ?? inside.orderId ?? (order as { orderId?: unknown } | undefined)?.orderId
    if (typeof event.instanceId !== 'string' || typeof event.eventType !== 'string') return undefined
    return {
      instanceId: event.instanceId,
      eventType: event.eventType,
      orderId: typeof orderId === 'string' ? orderId : '',
    }
  } catch {
    return undefined
  }
}

/**
 * `instance` of a frame inside Wix: '<base64url HMAC-SHA256>.<base64url JSON>', signed by the app's secret.
 * Only the site's owner may set.
 */
export function readWixInstance(
  secret: string,
  instance: string,
): { instanceId: string; isOwner: boolean; signedAt: Date } | undefined {
  const [signature = '', data = '', ...more] = instance.split('.')
  if (
    more.length ||
    !isSame(
      createHmac('sha256', secret).update(data).digest('base64url'),
      signature.replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_'),
    )
  )
    return undefined
  try {
    const { instanceId, permissions, signDate } = JSON.parse(
      Buffer.from(data, 'base64url').toString('utf8'),
    ) as Record<string, unknown>
    const signedAt = new Date(String(signDate))
    if (typeof instanceId !== 'string' || !instanceId || !Number.isFinite(signedAt.getTime()))
      return undefined
    return { instanceId, isOwner: permissions === 'OWNER', signedAt }
  } catch {
    return undefined
  }
}

export const wixLogin = (
  { mode, clientId }: OutsideApp,
  token: string,
  state: string,
  back: string,
): string =>
  mode === 'simulator'
    ? `${back}?${new URLSearchParams({ state, code: 'simulated', instanceId: 'simulated-site' })}`
    : `https://www.wix.com/installer/install?${new URLSearchParams({ ...(token ? { token } : {}), appId: clientId, redirectUrl: back, state })}`

/** Which site a code is of: asked of Wix, whatever the address in the browser says. */
export async function wixInstance(app: OutsideApp, code: string): Promise<string> {
  const { body } = await ask(fetcher(app), `${api}/oauth/access`, {
    method: 'POST',
    json: {
      grant_type: 'authorization_code',
      client_id: app.clientId,
      client_secret: app.clientSecret,
      code,
    },
  })
  const token = (body as { access_token?: unknown } | undefined)?.access_token
  if (typeof token !== 'string') throw new Refused(400, 'no token')
  const site = await ask(fetcher(app), `${api}/apps/v1/instance`, { headers: { authorization: token } })
  const id = (site.body as { instance?: { instanceId?: unknown } } | undefined)?.instance?.instanceId
  if (typeof id !== 'string' || !id) throw new Refused(400, 'no site')
  return id
}

export function wixDoor({ settings }: App, shop: ShopRow): ShopDoor | undefined {
  const { wix } = settings
  if (!wix || !shop.outside_id) return undefined
  let held: string | undefined
  // A token lives for four hours; a door is opened again for every shop that is asked.
  const token = async (): Promise<string> => {
    const made: string =
      held ??
      (await ask(fetcher(wix), `${api}/oauth2/token`, {
        method: 'POST',
        json: {
          grant_type: 'client_credentials',
          client_id: wix.clientId,
          client_secret: wix.clientSecret,
          instance_id: shop.outside_id,
        },
      }).then(({ body }) => String((body as { access_token?: unknown }).access_token)))
    held = made
    return made
  }
  const headers = async () => ({ authorization: await token() })
  const whole = async (order: Record<string, unknown>): Promise<Record<string, unknown>> => {
    const { body } = await ask(
      fetcher(wix),
      `${api}/ecom/v1/payments/orders/${encodeURIComponent(String(order.id))}`,
      {
        headers: await headers(),
      },
    )
    return {
      order,
      transactions: (body as { orderTransactions?: unknown } | undefined)?.orderTransactions ?? {},
    }
  }
  return {
    order: async (id) => {
      const { status, body } = await ask(fetcher(wix), `${api}/ecom/v1/orders/${encodeURIComponent(id)}`, {
        headers: await headers(),
      })
      const order = (body as { order?: Record<string, unknown> } | undefined)?.order
      return status === 404 || !order ? undefined : whole(order)
    },
    since: async function* (day) {
      let cursor: string | undefined
      for (let pages = 0; pages < 100; pages++) {
        const { body } = await ask(fetcher(wix), `${api}/ecom/v1/orders/search`, {
          method: 'POST',
          headers: await headers(),
          json: {
            search: cursor
              ? { cursorPaging: { cursor } }
              : { filter: { updatedDate: { $gte: `${day}T00:00:00Z` } }, cursorPaging: { limit: 100 } },
          },
        })
        const page = body as {
          orders?: Record<string, unknown>[]
          metadata?: { cursors?: { next?: string }; hasNext?: boolean }
        }
        for (const order of page.orders ?? []) yield await whole(order)
        cursor = page.metadata?.hasNext ? page.metadata.cursors?.next : undefined
        if (!cursor) return
      }
    },
    // What a site tells is set once for the whole app, and cannot be asked of one site.
    probe: async () => {
      await ask(fetcher(wix), `${api}/ecom/v1/orders/search`, {
        method: 'POST',
        headers: await headers(),
        json: { search: { cursorPaging: { limit: 1 } } },
      })
      return 'unasked'
    },
  }
}
