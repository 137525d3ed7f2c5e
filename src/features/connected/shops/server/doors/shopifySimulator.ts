/**
 * A stand-in of Shopify's Admin API: shops, their orders and what they were asked to tell, as its
 * documentation answers. For development and tests.
 */
interface Standing {
  orders: Map<string, Record<string, unknown>>
  topics: Map<string, string>
  /** Whether it answers: 'down' throws, 'slow down' says 429, 'gone' refuses the token. */
  mood: 'well' | 'down' | 'busy' | 'gone'
}

const shops = new Map<string, Standing>()

export function standingShop(name: string): Standing {
  const known = shops.get(name) ?? { orders: new Map(), topics: new Map(), mood: 'well' }
  shops.set(name, known)
  return known
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })

const pageSize = 2

export function simulatedShopify(url: string, init: RequestInit): Promise<Response> {
  const { hostname, pathname, searchParams } = new URL(url)
  const shop = standingShop(hostname)
  if (shop.mood === 'down') return Promise.reject(new Error('connection refused'))
  return Promise.resolve(answer(shop, hostname, pathname, searchParams, init))
}

function answer(
  shop: Standing,
  host: string,
  path: string,
  query: URLSearchParams,
  init: RequestInit,
): Response {
  if (shop.mood === 'busy')
    return json(429, { errors: 'Exceeded 2 calls per second' }, { 'retry-after': '2.0' })
  const given = typeof init.body === 'string' ? (JSON.parse(init.body) as Record<string, unknown>) : {}
  if (/^\/admin\/oauth\/access_token$/.test(path))
    return given.code === 'simulated'
      ? json(200, { access_token: `shpat_${host}`, scope: 'read_orders' })
      : json(400, { error: 'invalid_request' })
  if (shop.mood === 'gone' || new Headers(init.headers).get('x-shopify-access-token') !== `shpat_${host}`)
    return json(401, { errors: '[API] Invalid API key or access token' })
  if (path.endsWith('webhooks.json') && !init.body)
    return json(200, {
      webhooks: [...shop.topics].map(([topic, address], i) => ({ id: i + 1, topic, address })),
    })
  if (path.endsWith('webhooks.json')) {
    const { topic, address } = given.webhook as { topic: string; address: string }
    if (shop.topics.get(topic) === address)
      return json(422, { errors: { address: ['for this topic has already been taken'] } })
    shop.topics.set(topic, address)
    return json(201, { webhook: { id: shop.topics.size, topic, address } })
  }
  const transactions = /\/orders\/(\d+)\/transactions\.json$/.exec(path)
  if (transactions) return json(200, { transactions: shop.orders.get(transactions[1]!)?.transactions ?? [] })
  const one = /\/orders\/(\d+)\.json$/.exec(path)
  if (one) {
    const order = shop.orders.get(one[1]!)
    return order
      ? json(200, { order: { ...order, transactions: undefined } })
      : json(404, { errors: 'Not Found' })
  }
  if (path.endsWith('orders.json')) {
    const all = [...shop.orders.values()]
    const from = Number(query.get('page_info') ?? 0)
    const next =
      from + pageSize < all.length
        ? { link: `<https://${host}${path}?limit=${pageSize}&page_info=${from + pageSize}>; rel="next"` }
        : undefined
    return json(
      200,
      { orders: all.slice(from, from + pageSize).map((order) => ({ ...order, transactions: undefined })) },
      next,
    )
  }
  return json(404, { errors: 'Not Found' })
}
