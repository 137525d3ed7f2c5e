import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callAs, startWorld, type World } from '../../../../tests/world.ts'
import { openDemo } from '#features/office/demo/endpoints.ts'

let world: World
let token: string
beforeAll(async () => {
  world = await startWorld(() => new Date('2026-11-20T10:00:00Z'))
  token = (await callAs(world, openDemo, { language: 'he' })).UserKey
}, 180_000)
afterAll(() => world.close())

const get = async (url: string) => (await world.http.inject({ method: 'GET', url, headers: { 'x-access-token': token } })).json()
const run = (name: string, query = '') => get(`/api4/invoice/reports/${name}?from=2025-12-01&to=2026-11-20${query}`)

describe('over the demo', () => {
  test.each([
    'perCustomer',
    'profitSales',
    'ordersByState',
    'openOrdersByProduct',
    'openOrdersByCustomer',
    'owe',
    'oweSummary',
    'itemsCatalogue',
    'itemsSales',
    'productMovements',
  ])('%s is full and its checks hold', async (name) => {
    const r = await run(name)
    console.log(name, JSON.stringify(r).slice(0, 3000))
    expect(r.rows.length).toBeGreaterThan(0)
    expect(r.checks.filter((c: { ok: boolean }) => !c.ok)).toEqual([])
  })
  test.each(['customer', 'agent', 'line'])('profit by %s', async (by) => {
    const r = await run('profitSales', `&by=${by}`)
    console.log(JSON.stringify(r.rows.slice(0, 3)), JSON.stringify(r.totals), JSON.stringify(r.checks))
    expect(r.rows.length).toBeGreaterThan(0)
  })
})
