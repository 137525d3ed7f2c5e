import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../../../../tests/world.ts'

let world: World
beforeAll(async () => {
  const before = process.env.PUBLIC_URL
  process.env.PUBLIC_URL = 'https://books.example.com'
  world = await startWorld()
  if (before === undefined) delete process.env.PUBLIC_URL
  else process.env.PUBLIC_URL = before
})
afterAll(() => world.close())

test.each([
  '/healthz',
  '/api/user/means',
  '/api/user/session',
  '/no/such/page',
  '/robots.txt',
  '/api/openapi.json',
])('%s is answered under the rules of the browser', async (url) => {
  const { headers } = await world.http.inject({ url })
  expect(headers).toMatchObject({
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  })
  const policy = String(headers['content-security-policy'])
  for (const rule of ["default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
    expect(policy).toContain(rule)
  expect(policy).not.toMatch(/unsafe-|\*/)
  expect(headers['set-cookie']).toBeUndefined()
  expect(headers['access-control-allow-origin']).toBeUndefined()
  if (String(headers['content-type']).startsWith('text/'))
    expect(headers['content-type']).toMatch(/charset=utf-8/i)
})

test('other methods than a call has are refused', async () => {
  for (const method of ['TRACE', 'PUT', 'DELETE', 'PATCH'] as const) {
    const { statusCode, body } = await world.http.inject({ method: method as 'PUT', url: '/api/user/means' })
    expect([404, 405, 501], `${method} ${body}`).toContain(statusCode)
  }
})
