import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentTypes } from '#domain/documents/kinds.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { callAs, startDemo, type World } from '../../../../tests/world.ts'
import { discardDemo, openDemo } from './endpoints.ts'

let world: World
let token: string
beforeAll(async () => {
  ;({ world, token } = await startDemo())
}, 180_000)
afterAll(() => world.close())

const get = async (url: string) =>
  (await world.http.inject({ method: 'GET', url, headers: { 'x-access-token': token } })).json()

describe('the year of the demo', () => {
  test('hangs together: documents, expenses and books say the same of every VAT period', async () => {
    for (const [from, to] of [
      ['2026-01-01', '2026-02-28'],
      ['2026-03-01', '2026-04-30'],
      ['2026-05-01', '2026-06-30'],
      ['2026-07-01', '2026-08-31'],
      ['2026-09-01', '2026-10-31'],
    ]) {
      const report = await get(`/api4/invoice/reports/vat?from=${from}&to=${to}`)
      expect(report.checks, from).toEqual([
        { name: 'bothWays', ok: true },
        { name: 'notNegative', ok: true },
      ])
      const input = report.rows.find((r: { line: string }) => r.line === 'inputVatOther').fromBooksAgorot
      expect(input, from).toBeGreaterThan(0)
    }
    const trial = await get('/api4/invoice/reports/trialBalance?from=2025-12-01&to=2026-11-20')
    expect(trial.checks.every((c: { ok: boolean }) => c.ok)).toBe(true)
  })

  test('what is owed to suppliers is what their cards say', async () => {
    const { totals, checks } = await get('/api4/invoice/reports/supplierBalances')
    expect(totals.openAgorot).toBe(totals.cardAgorot)
    expect(totals.openAgorot).toBeGreaterThan(0)
    expect(checks.every((c: { ok: boolean }) => c.ok)).toBe(true)
  })

  test('what was paid online without an invoice has a tax invoice/receipt, and leaves no credit', async () => {
    const papers = await asSystem(world.app.db, async (tx) => {
      const { rows } = await sql<{ type: number; credit: number }>`select d.type,
          least(0, d.open_agorot)::int as credit
        from charges c join companies b on b.id = c.company_id
        join documents d on d.company_id = c.company_id and d.id = c.paper_id
        where c.state = 'paid' and b.kind = 'licensedDealer'`.execute(tx)
      return rows
    })
    expect(papers.filter(({ credit }) => credit !== 0)).toEqual([])
    expect(papers.filter(({ type }) => type === documentTypes.taxInvoiceReceipt.id).length).toBeGreaterThan(2)
  })

  test('something waits for its owner: an approval, a draft, a bill that did not come', async () => {
    const figures = await get('/api4/invoice/expenses/figures')
    expect(figures).toMatchObject({
      waiting: 1,
      drafts: 1,
      missing: [{ name: 'טלפון ואינטרנט', day: '2026-11-12' }],
    })
    expect((await get('/api4/invoice/fixedassets')).rows).toHaveLength(2)
  })

  test('its customers stand sorted, with people and places', async () => {
    const { rows } = await get('/api4/invoice/customers')
    expect(rows.every((one: { typeId: string; statusId: string }) => one.typeId && one.statusId)).toBe(true)
    expect(rows.filter((one: { tags: string[] }) => one.tags.length > 0).length).toBeGreaterThan(3)
    const firm = rows.find((one: { isDealer: boolean }) => one.isDealer)
    expect((await get(`/api4/invoice/customerContacts?partyId=${firm.id}`)).rows.length).toBeGreaterThan(1)
    expect((await get(`/api4/invoice/customerAddresses?partyId=${firm.id}`)).rows.length).toBeGreaterThan(0)
  })

  test('its sales stand with those who sold: the owner, a seller, nobody', async () => {
    const { rows } = await get('/api4/invoice/reports/incomeByAgent?from=2025-12-01&to=2026-11-20')
    const agents = new Set(rows.map((one: { agent: string }) => one.agent))
    expect(agents).toEqual(new Set(['נועה ורדי', 'יואב שגיא', 'ללא סוכן']))
    const { rows: sellers } = await get('/api4/invoice/agents')
    const yoav = sellers.find((one: { name: string }) => one.name === 'יואב שגיא')
    expect((await get(`/api4/invoice/documents?agentId=${yoav.id}&type=8`)).rows.length).toBeGreaterThan(5)
  })

  test('goes away whole', async () => {
    expect(await callAs(world, discardDemo, {}, { token })).toEqual({ done: true })
  })
})

test('there is no demo on a server that serves businesses', async () => {
  world.app.settings.development = false
  try {
    await expect(callAs(world, openDemo, { language: 'he' })).rejects.toMatchObject({
      status: 404,
      code: 'demo.off',
    })
  } finally {
    world.app.settings.development = true
  }
})
