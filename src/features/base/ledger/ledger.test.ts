import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays, dayInJerusalem, yearOf } from '#domain/day.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { accountBalance, addEntry, cardLines, codes6111Of, import6111, tie6111 } from './endpoints.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

type Account = { id: string; number: string; name: string; kind: string }
const accountsOf = async (of: Business) =>
  new Map(
    ((await of.get('/api5/invoicecpa/accounts?size=200')).rows as Account[]).map((one) => [one.number, one]),
  )
const enter = (of: Business, date: string, debit: string, credit: string, agorot: number) =>
  of.call(addEntry, {
    date,
    lines: [
      { accountNumber: debit, debitAgorot: agorot },
      { accountNumber: credit, creditAgorot: agorot },
    ],
  })

type Rows = {
  rows: Record<string, any>[]
  totals: Record<string, number>
  checks: { name: string; ok: boolean }[]
}
const report = (of: Business, name: string, query: string): Promise<Rows> =>
  of.get(`/api4/invoice/reports/${name}?${query}`)

describe('three years of a shop', () => {
  let shop: Business
  // Capital, sales, rent, an equipment and its depreciation, drawings: by year and day.
  const deeds: [string, string, string, number][] = [
    ['2024-02-10', '1010', '3000', 500_000],
    ['2024-03-05', '1010', '4000', 120_050],
    ['2024-06-30', '6010', '1010', 30_000],
    ['2024-12-31', '1500', '1010', 90_000],
    ['2025-01-01', '1010', '4000', 77_777],
    ['2025-07-15', '6010', '2400', 41_003],
    ['2025-12-31', '6180', '1590', 9000],
    ['2026-01-31', '1010', '4010', 200_001],
    ['2026-02-14', '3010', '1010', 15_000],
    ['2026-05-20', '6200', '1010', 777],
  ]
  beforeAll(async () => {
    shop = await newBusiness(world)
    for (const deed of deeds) await enter(shop, ...deed)
  })

  test('assets are liabilities and equity on every day, and nothing is booked at the end of a year', async () => {
    const days = [
      '2024-02-09',
      '2024-02-10',
      '2024-12-30',
      '2024-12-31',
      '2025-01-01',
      '2025-07-15',
      '2025-12-31',
      '2026-01-01',
      '2026-02-13',
      '2026-06-01',
    ]
    for (const to of days) {
      const sheet = await report(shop, 'balanceSheet', `from=2024-01-01&to=${to}&level=account`)
      // Before anything was booked there is no line at all.
      const figure = (kind: string) => sheet.rows.find((row) => row.kind === kind)?.amountAgorot ?? 0
      // Calculated a second time, from the actions themselves.
      const own = deeds.filter(([day]) => day <= to)
      const assets = own.reduce(
        (sum, [, debit, credit, agorot]) =>
          sum + (debit < '2000' ? agorot : 0) - (credit < '2000' ? agorot : 0),
        0,
      )
      expect([to, figure('total_asset'), figure('total_all')]).toEqual([to, assets, assets])
      expect(sheet.checks).toEqual([{ name: 'sidesAreEqual', ok: true }])
    }
  })

  test('profits of former years stand in one line, this year begins with nothing', async () => {
    const line = async (to: string, open: string) =>
      (await report(shop, 'balanceSheet', `from=2026-01-01&to=${to}`)).rows.find((row) =>
        String(row.open ?? '').includes(open),
      )
    expect(await line('2026-05-31', 'reportprofityears')).toMatchObject({
      amountAgorot: 120_050 - 30_000 + 77_777 - 41_003 - 9000,
    })
    expect(await line('2026-05-31', 'reportprofitloss')).toMatchObject({ amountAgorot: 200_001 - 777 })
    expect((await report(shop, 'profitLoss', 'from=2026-01-01&to=2026-01-30')).rows).toEqual([])
  })

  test('profit and loss adds up by code and by account, beside the year before', async () => {
    for (const level of ['code', 'account']) {
      const rows = await report(
        shop,
        'profitLoss',
        `from=2025-01-01&to=2025-12-31&compare=previousYear&level=${level}`,
      )
      expect(rows.rows.find((row) => row.kind === 'netProfit')).toMatchObject({
        amountAgorot: 27_774,
        compareAgorot: 90_050,
        changeAgorot: -62_276,
      })
      expect(rows.checks).toEqual([{ name: 'resultIsSum', ok: true }])
    }
    const years = await report(shop, 'profitYears', 'year=2026')
    expect(years.rows.find((row) => row.kind === 'netProfit')).toMatchObject({
      year0Agorot: 199_224,
      year1Agorot: 27_774,
      year2Agorot: 90_050,
      year3Agorot: 0,
    })
  })

  test('the trial balance adds up at every level, income and expense start from zero', async () => {
    const period = 'from=2026-01-01&to=2026-12-31'
    const byAccount = await report(shop, 'trialBalance', period)
    for (const level of ['account', 'code', 'top']) {
      const one = await report(shop, 'trialBalance', `${period}&level=${level}&compare=previousYear`)
      expect(
        one.checks.every(({ ok }) => ok),
        level,
      ).toBe(true)
      // Opening balances are netted within a group, movements are not.
      for (const name of ['debitAgorot', 'creditAgorot', 'balanceAgorot', 'openingAgorot'])
        expect([level, name, one.totals[name]]).toEqual([level, name, byAccount.totals[name]])
      expect(one.totals.compareAgorot).toBe(0)
    }
    expect(byAccount.rows.find((row) => row.number === '4000')).toBeUndefined()
    expect(byAccount.rows.find((row) => row.number === '4010')).toMatchObject({
      openingAgorot: 0,
      balanceAgorot: -200_001,
    })
    expect(byAccount.rows.at(-1)).toMatchObject({ openingAgorot: -117_824, number: '' })
    const top = await report(shop, 'trialBalance', `${period}&level=top`)
    expect(top.rows.length).toBeLessThan(byAccount.rows.length)
    expect(top.rows[0]!.sortCode).toBe('10')
  })

  test('the general ledger and the card tell the same balance, page by page and from the end', async () => {
    const accounts = await accountsOf(shop)
    const bank = accounts.get('1010')!.id
    for (let i = 0; i < 23; i++) await enter(shop, addDays('2026-03-01', i), '1010', '1000', 100 + i)
    const [from, to] = ['2024-03-01', '2026-04-30']
    const ledger = await report(shop, 'generalLedger', `from=${from}&to=${to}&account=${bank}`)
    const all = ledger.rows.filter((row) => !row.sum)
    const seen: number[] = []
    let after: string | undefined
    do {
      const page = await shop.call(cardLines, { id: bank, from, to, size: 10, ...(after ? { after } : {}) })
      expect(page.openingAgorot).toBe(500_000)
      expect(page.rows[0]!.balanceAgorot - page.rows[0]!.debitAgorot + page.rows[0]!.creditAgorot).toBe(
        page.carriedAgorot,
      )
      seen.push(...page.rows.map((row) => row.balanceAgorot))
      after = page.next ?? undefined
    } while (after)
    expect(seen).toEqual(all.map((row) => row.balanceAgorot))
    const backwards: number[] = []
    let page = await shop.call(cardLines, { id: bank, from, to, size: 10, last: 'true' })
    expect(page.next).toBeNull()
    expect(page.closingAgorot).toBe(page.rows.at(-1)!.balanceAgorot)
    for (;;) {
      backwards.unshift(...page.rows.map((row) => row.balanceAgorot))
      if (!page.previous) break
      page = await shop.call(cardLines, { id: bank, from, to, size: 10, before: page.previous })
      expect(page.next).not.toBeNull()
    }
    expect(backwards).toEqual(seen)
    await expect(shop.call(cardLines, { id: bank, from, to, after: 'nonsense' })).rejects.toMatchObject({
      status: 422,
    })
  })
})

test('balances of customers and suppliers are those of their control account', async () => {
  const shop = await newBusiness(world)
  const [cohen, levi] = [await shop.customer('כהן'), await shop.customer('לוי')]
  await shop.invoice(cohen.id, '100')
  await shop.invoice(levi.id, '250.50')
  const now = new Date().getFullYear()
  const period = `from=${now}-01-01&to=${now}-12-31`
  const parties = await report(shop, 'totalBalance', `${period}&role=customer`)
  const control = (await report(shop, 'trialBalance', period)).rows.find((row) => row.number === '1100')
  expect(parties.totals.balanceAgorot).toBe(control!.balanceAgorot)
  expect(parties.rows.map((row) => row.party)).toEqual(['כהן', 'לוי'])
})

describe('the accounts of customers and suppliers', () => {
  // Control accounts are totals of cards: a line on no card would leave a balance that nobody owes.
  test.each(['1100', '2000'])('a hand entry on %s is refused, on either side', async (number) => {
    const shop = await newBusiness(world)
    const id = (await accountsOf(shop)).get(number)!.id
    for (const control of [{ accountNumber: number }, { accountId: id }])
      for (const [onControl, onBank] of [
        ['debitAgorot', 'creditAgorot'],
        ['creditAgorot', 'debitAgorot'],
      ] as const)
        await expect(
          shop.call(addEntry, {
            date: '2026-05-05',
            lines: [
              { ...control, [onControl]: 5000 },
              { accountNumber: '1010', [onBank]: 5000 },
            ],
          }),
        ).rejects.toMatchObject({ status: 422, code: 'ledger.controlAccount' })
    // Named before what could be corrected: no balance would make it right.
    await expect(
      shop.call(addEntry, {
        date: '2026-05-05',
        lines: [
          { accountId: id, debitAgorot: 5000 },
          { accountNumber: '1010', creditAgorot: 4999 },
        ],
      }),
    ).rejects.toMatchObject({ code: 'ledger.controlAccount' })
    await expect(
      shop.call(addEntry, {
        date: '2026-05-05',
        lines: [
          { accountNumber: '1000', debitAgorot: 5000 },
          { accountNumber: '1010', creditAgorot: 4999 },
        ],
      }),
    ).rejects.toMatchObject({ code: 'ledger.notBalanced' })
    expect((await report(shop, 'trialBalance', 'from=2026-01-01&to=2026-12-31')).rows).toEqual([])
  })

  test.each([
    ['1100', 'nobody'],
    ['2000', 'nobody'],
    ['1100', 'supplier'],
    ['2000', 'customer'],
  ] as const)('the database refuses a line on %s of %s, whatever writes it', async (number, whose) => {
    const shop = await newBusiness(world)
    const { companyId } = await shop.get('/api/user/session')
    const accounts = await accountsOf(shop)
    const parties = {
      customer: (await shop.customer('כהן')).id,
      supplier: (await shop.send('POST', '/api4/invoice/suppliers', { name: 'ספק' })).id,
      nobody: null,
    }
    const write = (party: string | null) =>
      asSystem(world.app.db, (tx) =>
        sql`select post_entry(${companyId}, ${JSON.stringify({
          id: randomUUID(),
          day: '2026-05-05',
          kind: 'manual',
          lines: [
            { account: accounts.get(number)!.id, party, amount: 5000 },
            { account: accounts.get('1010')!.id, party: null, amount: -5000 },
          ],
        })}::jsonb)`.execute(tx),
      )
    await expect(write(parties[whose])).rejects.toMatchObject({ code: 'PK006', message: number })
    await write(parties[number === '1100' ? 'customer' : 'supplier'])
    const lines = (await report(shop, 'trialBalance', 'from=2026-01-01&to=2026-12-31')).rows
    expect(lines.find((row) => row.number === number)).toMatchObject({ balanceAgorot: 5000 })
  })
})

describe('what an account stands at', () => {
  const today = dayInJerusalem(new Date())
  const year = yearOf(today)

  test('in the chart is what its card closes with today: nothing dated ahead, income and expense of this year', async () => {
    const shop = await newBusiness(world)
    await enter(shop, `${year - 1}-05-05`, '6010', '1010', 70_000)
    await enter(shop, `${year}-01-01`, '6010', '1010', 3000)
    await enter(shop, today, '6010', '1010', 500)
    await enter(shop, addDays(today, 1), '6010', '1010', 11)
    await enter(shop, addDays(today, 40), '6010', '1010', 13)
    await enter(shop, `${year - 1}-06-06`, '1200', '1010', 90)
    await enter(shop, addDays(today, 1), '1200', '1010', 5)
    const accounts = await accountsOf(shop)
    const sees = async (number: string) => {
      const { id } = accounts.get(number)!
      const card = await shop.call(cardLines, { id, from: `${year}-01-01`, to: today })
      expect((await shop.call(accountBalance, { id, day: today })).balanceAgorot).toBe(card.closingAgorot)
      expect((await shop.get(`/api5/invoicecpa/accounts/${id}`)).balanceAgorot).toBe(card.closingAgorot)
      return card.closingAgorot
    }
    expect([await sees('6010'), await sees('1010'), await sees('1200'), await sees('1000')]).toEqual([
      3500, -73_590, 90, 0,
    ])
    // Both sides of this year, of an account of either kind.
    const { rows: chart } = await shop.get('/api5/invoicecpa/accounts?size=200')
    const sides = (number: string) => {
      const { debitAgorot, creditAgorot } = chart.find((row: { number: string }) => row.number === number)
      return [debitAgorot, creditAgorot]
    }
    expect([sides('6010'), sides('1010'), sides('1200')]).toEqual([
      [3500, 0],
      [0, 3500],
      [0, 0],
    ])
    const vat = (await shop.get('/api5/invoicecpa/vatAccounts')).rows.filter(
      (row: { accountId: string }) => row.accountId === accounts.get('1200')!.id,
    )
    expect(vat.length).toBeGreaterThan(0)
    expect(vat.every((row: { balanceAgorot: number }) => row.balanceAgorot === 90)).toBe(true)
    // On another day, and of another business.
    const rent = accounts.get('6010')!.id
    expect(await shop.call(accountBalance, { id: rent, day: `${year - 1}-12-31` })).toEqual({
      balanceAgorot: 70_000,
      since: `${year - 1}-01-01`,
    })
    expect(
      await shop.call(accountBalance, { id: accounts.get('1010')!.id, day: `${year - 1}-05-04` }),
    ).toEqual({
      balanceAgorot: 0,
      since: null,
    })
    const stranger = await newBusiness(world)
    await expect(stranger.call(accountBalance, { id: rent, day: today })).rejects.toMatchObject({
      code: 'kit.notFound',
    })
  })

  test('an expense of former years alone may be archived, one of this year or dated ahead may not', async () => {
    const shop = await newBusiness(world)
    await enter(shop, `${year - 1}-05-05`, '6010', '1010', 70_000)
    await enter(shop, `${year}-01-01`, '6020', '1010', 3000)
    await enter(shop, addDays(today, 40), '6030', '1010', 13)
    const accounts = await accountsOf(shop)
    const archive = (number: string) =>
      shop.send('DELETE', `/api5/invoicecpa/accounts/${accounts.get(number)!.id}`)
    for (const number of ['6020', '6030', '1010'])
      await expect(archive(number)).rejects.toMatchObject({ status: 422 })
    await expect(archive('6010')).resolves.toMatchObject({ number: '6010' })
    const before = await report(shop, 'profitLoss', `from=${year - 1}-01-01&to=${year - 1}-12-31`)
    expect(before.rows.find((row) => row.kind === 'netProfit')).toMatchObject({ amountAgorot: -70_000 })
  })
})

test('on the other side of a line a customer stands by his own name, in the card and in its reports', async () => {
  const shop = await newBusiness(world)
  const cohen = await shop.customer('כהן')
  await shop.invoice(cohen.id, '100')
  const accounts = await accountsOf(shop)
  const today = dayInJerusalem(new Date())
  const [from, to] = [`${yearOf(today)}-01-01`, today]
  const sales = [...accounts.values()].filter(({ kind }) => kind === 'income')
  const cards = await Promise.all(sales.map(({ id }) => shop.call(cardLines, { id, from, to })))
  expect(cards.flatMap(({ rows }) => rows.map((row) => row.counter))).toEqual(['כהן'])
  const ledger = await report(shop, 'generalLedger', `from=${from}&to=${to}`)
  const said = ledger.rows.filter((row) => !row.sum).map((row) => row.counter)
  expect(said.filter((one) => one === 'כהן')).toHaveLength(2)
  expect(said.find((one) => one !== 'כהן')).not.toContain('כהן')
})

describe('the chart and its codes', () => {
  let shop: Business
  let accounts: Map<string, Account>
  beforeAll(async () => {
    shop = await newBusiness(world)
    accounts = await accountsOf(shop)
  })
  const change = (number: string, values: object) =>
    shop.send('PATCH', `/api5/invoicecpa/accounts/${accounts.get(number)!.id}`, values)

  test('a business begins with the customary codes, in its words, once', async () => {
    const [first, again] = [
      await shop.get('/api5/invoicecpa/sortCodes?size=200'),
      await shop.get('/api5/invoicecpa/sortCodes?size=200'),
    ]
    expect(first.rows.length).toBeGreaterThan(20)
    expect(again.rows.length).toBe(first.rows.length)
    expect(
      first.rows.every((row: { name: string }) => row.name !== '' && !row.name.includes('ledger.')),
    ).toBe(true)
    expect(
      (await shop.get('/api5/invoicecpa/vatCodes')).rows.find((row: { code: string }) => row.code === '1')
        .nowBp,
    ).toBe(1800)
    const free = await newBusiness(world, { kind: 'exemptDealer' })
    expect(
      (await free.get('/api5/invoicecpa/vatCodes')).rows.map((row: { kind: string }) => row.kind),
    ).toEqual(['exempt'])
  })

  test('accounts that postings look for keep number and nature; what was posted keeps its statement', async () => {
    await expect(change('1100', { number: '1199' })).rejects.toMatchObject({
      errors: [{ path: 'number', code: 'ledger.systemAccount' }],
    })
    await expect(change('1100', { name: 'לקוחות שלי' })).resolves.toMatchObject({ name: 'לקוחות שלי' })
    await enter(shop, '2026-01-05', '6010', '1000', 100)
    await expect(change('6010', { kind: 'asset' })).rejects.toMatchObject({
      errors: [{ code: 'ledger.kindPosted' }],
    })
    await expect(
      shop.send('DELETE', `/api5/invoicecpa/accounts/${accounts.get('6010')!.id}`),
    ).rejects.toMatchObject({
      code: 'ledger.hasBalance',
    })
    await expect(
      shop.send('DELETE', `/api5/invoicecpa/accounts/${accounts.get('8900')!.id}`),
    ).rejects.toMatchObject({
      code: 'ledger.systemAccount',
    })
    await expect(
      shop.send('DELETE', `/api5/invoicecpa/accounts/${accounts.get('6100')!.id}`),
    ).resolves.toMatchObject({ number: '6100' })
  })

  test('a number belongs to the range of its kind of card, and finds its kind by itself', async () => {
    await shop.get('/api5/invoicecpa/cardKinds')
    const made = await shop.send('POST', '/api5/invoicecpa/accounts', {
      number: '6333',
      name: 'ניקיון',
      kind: 'expense',
    })
    expect(made.cardKindIdName).toBeTruthy()
    const all = (await shop.get('/api5/invoicecpa/accounts?size=200')).rows as {
      number: string
      cardKindIdName: string | null
    }[]
    expect(all.filter((one) => !one.cardKindIdName).map((one) => one.number)).toEqual([])
    await expect(
      shop.send('PATCH', `/api5/invoicecpa/accounts/${made.id}`, {
        number: '1234',
        cardKindId: made.cardKindId,
      }),
    ).rejects.toMatchObject({
      errors: [{ path: 'number', code: 'ledger.outOfRange' }],
    })
  })

  test('codes do not stand below themselves, keep their accounts when renamed, and stay while in use', async () => {
    const { rows } = await shop.get('/api5/invoicecpa/sortCodes?size=200')
    const code = (of: string) =>
      rows.find((row: { code: string }) => row.code === of) as { id: string; parentId: string }
    await expect(
      shop.send('PATCH', `/api5/invoicecpa/sortCodes/${code('10').id}`, { parentId: code('110').id }),
    ).rejects.toMatchObject({
      errors: [{ path: 'parentId', code: 'ledger.belowItself' }],
    })
    await expect(shop.send('DELETE', `/api5/invoicecpa/sortCodes/${code('850').id}`)).rejects.toMatchObject({
      code: 'ledger.codeInUse',
    })
    await shop.send('PATCH', `/api5/invoicecpa/sortCodes/${code('850').id}`, { code: '855' })
    expect((await accountsOf(shop)).get('6010')).toMatchObject({ sortCode: '855' })
  })

  test('form 6111: a tie holds for its year only, unknown codes are refused, a list is brought in', async () => {
    const rent = accounts.get('6010')!.id
    await shop.call(tie6111, { year: 2026, ties: [{ accountId: rent, code: '3595' }] })
    const of = async (year: number) =>
      (await shop.call(codes6111Of, { year })).rows.find((row) => row.accountId === rent)
    expect(await of(2026)).toMatchObject({ code: '3595', own: true })
    expect(await of(2025)).toMatchObject({ code: '3570', own: false })
    await expect(
      shop.call(tie6111, { year: 2026, ties: [{ accountId: rent, code: '3599' }] }),
    ).rejects.toMatchObject({
      errors: [{ path: 'ties.0.code', code: 'ledger.unknownCode' }],
    })
    await shop.call(import6111, { year: 2026, bytes: Buffer.from('3599,קוד חדש') })
    await shop.call(tie6111, { year: 2026, ties: [{ accountId: rent, code: '3599' }] })
    expect(await of(2026)).toMatchObject({ code: '3599' })
    await expect(
      shop.call(import6111, { year: 2026, bytes: Buffer.from('3600,a\nxx,b') }),
    ).rejects.toMatchObject({ code: 'ledger.csvRow' })
    await shop.call(tie6111, { year: 2026, ties: [{ accountId: rent, code: null }] })
    expect(await of(2026)).toMatchObject({ code: '3570', own: false })
    const stranger = await newBusiness(world)
    await expect(
      stranger.call(tie6111, { year: 2026, ties: [{ accountId: rent, code: '3570' }] }),
    ).rejects.toMatchObject({ status: 422 })
  })

  test('whoever sees a part of the business gets no card and no entries', async () => {
    const other = await newBusiness(world)
    const { companyId } = await other.get('/api/user/session')
    const cash = (await accountsOf(other)).get('1000')!.id
    await sql`update memberships set own_customers_only = true where company_id = ${companyId}`.execute(
      world.app.db.kysely,
    )
    await expect(
      other.call(cardLines, { id: cash, from: '2026-01-01', to: '2026-12-31' }),
    ).rejects.toMatchObject({ status: 403 })
    await expect(other.get('/api5/invoicecpa/entries?from=2026-01-01&to=2026-12-31')).rejects.toMatchObject({
      status: 403,
    })
    await expect(
      other.get('/api4/invoice/reports/balanceSheet?from=2026-01-01&to=2026-12-31'),
    ).rejects.toMatchObject({ status: 403 })
  })
})

test('a balance sheet of books without an entry has no line, not four sums of nothing', async () => {
  const empty = await newBusiness(world)
  for (const level of ['code', 'account'])
    expect(
      (await empty.get(`/api4/invoice/reports/balanceSheet?from=2026-01-01&to=2026-12-31&level=${level}`))
        .rows,
    ).toEqual([])
})

describe('what is refused', () => {
  test('an entry whose sides differ, by a command and by whatever statement', async () => {
    const shop = await newBusiness(world)
    const entry = (creditAgorot: number) =>
      shop.call(addEntry, {
        date: '2026-03-01',
        lines: [
          { accountNumber: '6000', debitAgorot: 100 },
          { accountNumber: '1010', creditAgorot },
        ],
      })
    await expect(entry(99)).rejects.toMatchObject({ status: 422, code: 'ledger.notBalanced' })
    await entry(100)
  })

  test('a range of numbers that ends before it begins', async () => {
    const shop = await newBusiness(world)
    const kind = (fromNumber: string, toNumber: string) =>
      shop.send('POST', '/api5/invoicecpa/cardKinds', {
        name: `טווח ${toNumber}`,
        kind: 'expense',
        fromNumber,
        toNumber,
      })
    await expect(kind('99100', '99099')).rejects.toMatchObject({
      status: 422,
      errors: [{ path: 'toNumber', code: 'ledger.rangeTurned' }],
    })
    await kind('99100', '99100')
  })

  test('a paper whose account is missing in the books', async () => {
    const shop = await newBusiness(world)
    const { id: customerId } = await shop.customer('כהן')
    const { companyId } = await shop.get('/api/user/session')
    await world.app.db.pool.query(
      `update accounts set number = '2100-old' where company_id = $1 and number = '2100'`,
      [companyId],
    )
    await expect(shop.invoice(customerId, '100')).rejects.toMatchObject({
      status: 422,
      code: 'ledger.noAccount',
    })
  })
})
