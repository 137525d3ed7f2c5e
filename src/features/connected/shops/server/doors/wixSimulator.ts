/**
 * A stand-in of Wix: a site, its orders and their payments, as its documentation answers. For development and
 * tests.
 */
export const standingSite = {
  id: 'simulated-site',
  orders: new Map<string, Record<string, unknown>>(),
  transactions: new Map<string, Record<string, unknown>>(),
  mood: 'well' as 'well' | 'down',
}

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

export function simulatedWix(url: string, init: RequestInit): Promise<Response> {
  if (standingSite.mood === 'down') return Promise.resolve(json(503, { message: 'upstream' }))
  const { pathname } = new URL(url)
  const given = typeof init.body === 'string' ? (JSON.parse(init.body) as Record<string, unknown>) : {}
  if (/^\/oauth\/access$/.test(pathname))
    return Promise.resolve(
      given.code === 'simulated'
        ? json(200, { access_token: 'site', refresh_token: 'r' })
        : json(400, { message: 'bad code' }),
    )
  if (/^\/oauth2\/token$/.test(pathname))
    return Promise.resolve(
      given.instance_id === standingSite.id
        ? json(200, { access_token: 'site', expires_in: 14_400 })
        : json(400, { error: 'invalid_grant' }),
    )
  if (new Headers(init.headers).get('authorization') !== 'site')
    return Promise.resolve(json(401, { message: 'unauthenticated' }))
  if (/^\/apps\/v1\/instance$/.test(pathname))
    return Promise.resolve(json(200, { instance: { instanceId: standingSite.id } }))
  if (/^\/ecom\/v1\/orders\/search$/.test(pathname))
    return Promise.resolve(
      json(200, { orders: [...standingSite.orders.values()], metadata: { hasNext: false } }),
    )
  const paid = /^\/ecom\/v1\/payments\/orders\/([^/]+)$/.exec(pathname)
  if (paid)
    return Promise.resolve(
      json(200, {
        orderTransactions: standingSite.transactions.get(paid[1]!) ?? { payments: [], refunds: [] },
      }),
    )
  const one = /^\/ecom\/v1\/orders\/([^/]+)$/.exec(pathname)
  const order = one && standingSite.orders.get(one[1]!)
  return Promise.resolve(order ? json(200, { order }) : json(404, { message: 'not found' }))
}
