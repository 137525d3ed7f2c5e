import { strFromU8, unzipSync } from 'fflate'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ReportAnswer } from '#kit/describe/report.ts'
import { viewParams } from '#kit/describe/reportView.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { allReports } from '#kit/server/described/serveReports.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'

let world: World
let shop: Business
beforeAll(async () => {
  world = await startWorld()
  shop = await newBusiness(world)
  const [bakery, studio] = [await shop.customer('מאפייה'), await shop.customer('סטודיו')]
  const sell = (customerId: string, date: string, unitPrice: string) =>
    shop.send('POST', '/api4/invoice/documents', {
      type: 8,
      customerId,
      date,
      lines: [{ description: 'עבודה', quantity: '1', unitPrice }],
    })
  await sell(bakery.id, '2025-03-10', '700')
  await sell(bakery.id, '2026-02-10', '1000')
  await sell(studio.id, '2026-03-10', '400')
  await sell(studio.id, '2026-03-11', '200')
})
afterAll(() => world.close())

const year = 'from=2026-01-01&to=2026-12-31'
const run = (query: string) => shop.get<ReportAnswer>(`/api4/invoice/reports/incomeByAgent?${year}&${query}`)
const income = (query: string) => shop.get<ReportAnswer>(`/api4/invoice/reports/income?${year}&${query}`)

test('no report has a filter that a view is said by', () => {
  for (const { name, filters } of allReports())
    expect([name, Object.keys(filters).filter((one) => viewParams.includes(one as never))]).toEqual([
      name,
      [],
    ])
})

test('rows sorted, found and with chosen columns, over the API as on the screen', async () => {
  const sorted = await income('order=-netAgorot&cols=month,netAgorot')
  expect(Object.keys(sorted.shape.columns)).toEqual(['month', 'netAgorot'])
  expect(sorted.rows.map((row) => [row.month, row.netAgorot])).toEqual([
    ['02/2026', 100_000],
    ['03/2026', 60_000],
  ])
  const found = await income('find=03/2026')
  expect(found.totals.netAgorot).toBe(60_000)
  expect(found.checks).toEqual([])
})

test('beside the same of last year, with the change of each and of the whole', async () => {
  const beside = await run('vs=previousYear')
  const [row] = beside.rows
  expect([row!.totalAgorot, row!.vsBefore, row!.vsChange]).toEqual([188_800, 82_600, 106_200])
  expect(beside.totals).toMatchObject({ vsBefore: 82_600, vsChange: 106_200 })
  expect(beside.shape.columns.vsBefore!.heading).toContain('2025')
  // A report that names no rows stays as it is.
  expect((await income('vs=previousYear')).shape.columns).not.toHaveProperty('vsBefore')
})

test('a file holds what the screen shows', async () => {
  const file = await world.http.inject({
    method: 'GET',
    url: `/api4/invoiceexport/reports/income.csv?${year}&order=-netAgorot&cols=month,netAgorot&find=2026`,
    headers: { 'x-access-token': shop.token, 'x-language': 'en' },
  })
  const lines = file.body.trim().split('\r\n')
  expect(lines.slice(1)).toEqual(['02/2026,1000.00', '03/2026,600.00', ',1600.00'])
  const book = await world.http.inject({
    method: 'GET',
    url: `/api4/invoiceexport/reports/incomeByAgent.xlsx?${year}&vs=previousPeriod`,
    headers: { 'x-access-token': shop.token },
  })
  expect(book.statusCode).toBe(200)
  const parts = unzipSync(new Uint8Array(book.rawPayload))
  const said = Object.entries(parts).map(([name, bytes]) => (name.endsWith('.xml') ? strFromU8(bytes) : ''))
  // The period before, over its own column.
  expect(said.join('')).toContain('2025')
  expect(said.join('')).toContain('שינוי')
})

test('whose sums are hidden is given no comparison of noughts', async () => {
  const hide = (hidden: boolean) =>
    asSystem(world.app.db, (tx) =>
      sql`update memberships set hide_total_prices = ${hidden}
        where user_id = (select id from users where email = ${shop.email})`.execute(tx),
    )
  await hide(true)
  const beside = await run('vs=previousYear')
  await hide(false)
  expect(beside.rows.map((row) => row.totalAgorot)).toEqual([null])
  expect(beside.shape.columns).not.toHaveProperty('vsBefore')
  expect(beside.rows[0]).not.toHaveProperty('vsChange')
})
