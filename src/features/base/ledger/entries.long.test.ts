import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '#kit/server/data/db.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { addEntry } from './endpoints.ts'

let world: World
let shop: Business
beforeAll(async () => {
  world = await startWorld()
  shop = await newBusiness(world)
})
afterAll(() => world.close())

const ask = (of: Business, name: string, query: string) => of.get(`/api4/invoice/reports/${name}?${query}`)
const file = async (of: Business, name: string, query: string): Promise<string[]> => {
  const answer = await world.http.inject({
    method: 'GET',
    url: `/api4/invoiceexport/reports/${name}.csv?${query}`,
    headers: { 'x-access-token': of.token },
  })
  expect(answer.statusCode).toBe(200)
  return answer.payload.trim().split(/\r?\n/)
}

test('a card and a ledger of more lines than a screen shows say so, and their files hold all of them', async () => {
  const { companyId } = await shop.get('/api/user/session')
  const { rows: accounts } = await shop.get('/api5/invoicecpa/accounts?size=200')
  const id = (number: string) => accounts.find((a: { number: string }) => a.number === number).id
  // As after years of a till: 21,000 lines on one account, laid into the tables at once.
  await asSystem(world.app.db, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`with one as (insert into entries (company_id, id, day, value_day, kind)
      select ${companyId}, gen_random_uuid(), '2026-02-01', '2026-02-01', 'manual'
        from generate_series(1, 21000) returning company_id, id)
      insert into postings (company_id, entry_id, line, account_id, day, amount_agorot)
        select one.company_id, one.id, n, case when n = 1 then ${id('1010')}::uuid
          else ${id('1000')}::uuid end, '2026-02-01', case when n = 1 then 7 else -7 end
        from one, generate_series(1, 2) n`.execute(tx)
  })
  const period = 'from=2026-02-01&to=2026-02-28'
  for (const [name, query] of [
    ['accountCard', `${period}&account=${id('1010')}`],
    ['generalLedger', `${period}&account=${id('1010')}`],
  ] as const) {
    const shown = await ask(shop, name, query)
    expect([name, shown.cut, shown.rows.length, shown.checks, shown.totals]).toEqual([
      name,
      20_000,
      20_000,
      [],
      {},
    ])
    const lines = await file(shop, name, query)
    // A head, the opening, every line, and the total.
    expect([name, lines.filter((line) => line.includes('0.07')).length]).toEqual([name, 21_000])
    expect(lines.join('\n')).toContain('1470.00')
  }
  expect(
    (await ask(shop, 'accountCard', `from=2026-01-01&to=2026-01-31&account=${id('1010')}`)).cut,
  ).toBeUndefined()
})

test('a row of codes opens the accounts of that code, and only these', async () => {
  const me = await newBusiness(world)
  const enter = (debit: string, credit: string, agorot: number) =>
    me.call(addEntry, {
      date: '2026-01-10',
      lines: [
        { accountNumber: debit, debitAgorot: agorot },
        { accountNumber: credit, creditAgorot: agorot },
      ],
    })
  await enter('1010', '4000', 50_000)
  await enter('6010', '1010', 7_000)
  await enter('6200', '1010', 900)
  const period = 'from=2026-01-01&to=2026-01-31'
  const opened = async (open: string, name: string) => ask(me, name, open.split('?')[1]!)
  for (const level of ['top', 'code'])
    for (const row of (await ask(me, 'trialBalance', `${period}&level=${level}`)).rows) {
      const below = await opened(row.open, 'trialBalance')
      expect(below.rows.length).toBeGreaterThan(0)
      expect(below.checks.every(({ ok }: { ok: boolean }) => ok)).toBe(true)
      expect([row.sortCode, below.totals.balanceAgorot]).toEqual([row.sortCode, row.balanceAgorot])
    }
  for (const row of (await ask(me, 'profitLoss', period)).rows.filter((one: { sum?: boolean }) => !one.sum)) {
    const below = await opened(row.open, 'profitLoss')
    expect([
      row.code,
      below.rows.reduce((sum: number, one: { amountAgorot: number }) => sum + one.amountAgorot, 0),
    ]).toEqual([row.code, row.amountAgorot])
    // A share is one of all the revenue, not of what is looked at.
    expect(
      below.rows.every((one: { shareBp: number }) => Math.abs(one.shareBp) <= Math.abs(row.shareBp)),
    ).toBe(true)
  }
})
