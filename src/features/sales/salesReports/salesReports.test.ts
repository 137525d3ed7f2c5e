import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newBusiness, Refused, startDemo, type Business, type World } from '../../../../tests/world.ts'
import { mergeCustomers } from '#features/registers/parties/endpoints.ts'
import { cancelDocument, createDocument } from '#features/sales/documents/endpoints.ts'
import { sql } from 'kysely'
import { asSystem } from '#kit/server/data/db.ts'
import { dayInJerusalem } from '#domain/day.ts'
import { allRules } from '#kit/describe/session.ts'
import { mySession } from '#features/base/session/endpoints.ts'

let world: World
let token: string
beforeAll(async () => {
  ;({ world, token } = await startDemo())
}, 180_000)
afterAll(() => world.close())

type Row = Record<string, any>
const year = 'from=2025-12-01&to=2026-11-20'

describe('over the demo', () => {
  const get = async (url: string): Promise<Row> =>
    (await world.http.inject({ method: 'GET', url, headers: { 'x-access-token': token } })).json()

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
    'expensesBackup',
  ])('%s is full and all it must keep to holds', async (name) => {
    const report = await get(`/api4/invoice/reports/${name}?${year}`)
    expect(report.rows.length).toBeGreaterThan(1)
    // What a shop and standing orders sold has no cost in the demo, and the report says so; everything else
    // holds.
    expect(report.checks.filter(({ ok, name: check }: Row) => !ok && check !== 'costsAreKnown')).toEqual([])
  })

  test.each(['perCustomer', 'owe', 'oweSummary', 'itemsSales'])(
    'of %s the first rows come with what all of them come to, and no group is cut in two',
    async (name) => {
      const whole = await get(`/api4/invoice/reports/${name}?${year}`)
      const first = await get(`/api4/invoice/reports/${name}?${year}&first=5`)
      expect(first.rows).toEqual(whole.rows.slice(0, first.cut))
      expect({ ...first, rows: [], cut: undefined, checks: [] }).toMatchObject({
        totals: whole.totals,
        of: whole.rows.length,
      })
      const by = whole.shape.group as string | undefined
      if (by) expect(whole.rows[first.cut][by]).not.toBe(first.rows.at(-1)[by])
      else expect(first.rows).toHaveLength(5)
      const sorted = await get(`/api4/invoice/reports/${name}?${year}&first=3&order=customer&find=a`)
      expect(sorted.rows.length).toBeLessThanOrEqual(3)
      for (const wrong of ['0', '20001', 'x', '-1'])
        expect((await get(`/api4/invoice/reports/${name}?${year}&first=${wrong}`)).errors).toMatchObject([
          { path: 'first' },
        ])
    },
  )

  test('a call that was written down is the last contact, a note is not', async () => {
    const { rows } = await get('/api4/invoice/reports/oweSummary')
    const before = rows[0].contactDay
    const customerId = rows[0].open.slice('/invoice/reportowe?customer='.length)
    const contactDay = async () =>
      (await get('/api4/invoice/reports/oweSummary')).rows.find((row: Row) => row.open.includes(customerId))
        .contactDay
    const wrote = async (channel: string) => {
      const { statusCode } = await world.http.inject({
        method: 'POST',
        url: '/api4/invoice/interactions',
        headers: { 'x-access-token': token },
        payload: { customerId, channel, text: 'על החוב' },
      })
      expect(statusCode).toBe(201)
    }
    await wrote('note')
    expect(await contactDay()).toBe(before)
    await wrote('call')
    expect(await contactDay()).toBe(dayInJerusalem(new Date()))
  })

  test('the card of an item begins with what it stood at and runs on', async () => {
    const { rows: items } = await get('/api4/invoice/items?q=PEX')
    const report = await get(`/api4/invoice/reports/skuCard?${year}&item=${items[0].id}`)
    expect(report.rows[0]).toMatchObject({ sum: true, kind: 'opening', balance: '0' })
    expect(report.rows.length).toBeGreaterThan(5)
    expect(report.checks).toEqual([{ name: 'balanceRuns', ok: true }])
  })
})

describe('goods and orders', () => {
  let shop: Business
  let customer: string
  let supplier: string
  let tap: string
  let pipe: string
  const paper = (type: number, day: string, lines: Row[], more: Row = {}) =>
    shop.call(createDocument, { type, customerId: customer, date: day, lines, ...more } as never) as Promise<{
      id: string
    }>
  const line = (
    itemId: string,
    quantity: string,
    from?: { id: string; line?: number },
    unitPrice = '100',
  ) => ({
    itemId,
    description: itemId === tap ? 'ברז' : 'צינור',
    quantity,
    unitPrice,
    ...(from ? { source: { documentId: from.id, line: from.line ?? 1, quantity } } : {}),
  })
  const run = (name: string, query: string): Promise<Row> =>
    shop.get(`/api4/invoice/reports/${name}?${query}`)
  beforeAll(async () => {
    shop = await newBusiness(world)
    customer = (await shop.customer('דליה')).id
    supplier = (await shop.send('POST', '/api4/invoice/suppliers', { name: 'גליל' })).id
    tap = (
      await shop.send('POST', '/api4/invoice/items', {
        name: 'ברז',
        sku: 'TAP',
        price: '100',
        cost: '60',
        isStocked: true,
      })
    ).id
    pipe = (
      await shop.send('POST', '/api4/invoice/items', {
        name: 'צינור',
        sku: 'PIPE',
        price: '100',
        isStocked: true,
      })
    ).id
  })

  test('go once, whatever papers say it', async () => {
    const bought = await paper(7, '2026-03-01', [line(tap, '50')], { customerId: supplier })
    await paper(13, '2026-03-02', [line(tap, '30', bought, '55')], {
      customerId: supplier,
      sourceId: bought.id,
    })
    // Ordered 10: 4 go with a note and are charged after it, 3 are charged at once and their note comes
    // behind.
    const order = await paper(2, '2026-03-05', [line(tap, '10'), line(pipe, '2')], {
      validUntil: '2026-03-20',
    })
    const note = await paper(3, '2026-03-06', [line(tap, '4', order)], { sourceId: order.id })
    await paper(8, '2026-03-07', [line(tap, '4', note)], { sourceId: note.id })
    const first = await paper(8, '2026-03-08', [line(tap, '3', order)], { sourceId: order.id })
    await paper(3, '2026-03-09', [line(tap, '3', first)], { sourceId: first.id })
    // One of the four comes back by a note; a note that was cancelled moved nothing.
    await paper(4, '2026-03-10', [line(tap, '1', note)], { sourceId: note.id })
    const wrong = await paper(3, '2026-03-11', [line(tap, '9')])
    await shop.call(cancelDocument, { id: wrong.id, reason: 'טעות' })
    // What was charged at once and is cancelled comes back with its credit.
    const second = await paper(8, '2026-03-12', [line(tap, '5')])
    await shop.call(cancelDocument, { id: second.id, reason: 'טעות' })
    const { rows } = await run('productMovements', `${year}&item=${tap}`)
    expect(rows).toMatchObject([
      { opening: '0', received: '30', returned: '6', supplied: '12', closing: '24' },
    ])
    const card = await run('skuCard', `item=${tap}&from=2026-03-06&to=2026-11-20`)
    expect(card.rows.map((row: Row) => [row.day, row.in, row.out, row.balance])).toEqual([
      [null, null, null, '30'],
      ['2026-03-06', null, '4', '26'],
      ['2026-03-08', null, '3', '23'],
      ['2026-03-10', '1', null, '24'],
      ['2026-03-12', null, '5', '19'],
      ['2026-11-20', '5', null, '24'],
    ])
  })

  test('what is left of an order, and since when it is late', async () => {
    const { rows } = await run('openOrdersByCustomer', '')
    expect(rows).toMatchObject([
      {
        customer: 'דליה',
        product: 'ברז',
        promisedDay: '2026-03-20',
        daysLate: 245,
        ordered: '10',
        supplied: '7',
        left: '3',
        leftAgorot: 30_000,
      },
      { product: 'צינור', ordered: '2', supplied: '0', left: '2', leftAgorot: 20_000 },
    ])
    expect((await run('openOrdersByProduct', 'side=purchaseOrder')).rows).toMatchObject([
      { product: 'ברז', ordered: '50', supplied: '30', left: '20' },
    ])
    expect((await run('openOrdersByCustomer', 'late=false')).rows).toEqual([])
    expect((await run('openOrdersByProduct', 'promisedBy=2026-03-19')).rows).toEqual([])
    expect((await run('ordersByState', year)).rows).toMatchObject([
      { state: 'partly', netAgorot: 120_000, suppliedAgorot: 70_000, leftAgorot: 50_000, suppliedBp: 5833 },
    ])
  })

  test('a line without a cost is told, and its sum is no profit', async () => {
    await paper(8, '2026-05-01', [
      line(pipe, '1'),
      line(tap, '2'),
      { description: 'ייעוץ', quantity: '1', unitPrice: '70' } as never,
    ])
    const report = await run('profitSales', 'from=2026-05-01&to=2026-05-31')
    // The tap's card says 60, and stock knows that it was bought for 55.
    expect(report.totals).toEqual({
      netAgorot: 37_000,
      unknownLines: 2,
      unknownAgorot: 17_000,
      costAgorot: 11_000,
      profitAgorot: 9000,
    })
    expect(report.rows.find((row: Row) => row.sku === 'TAP')).toMatchObject({
      profitAgorot: 9000,
      marginBp: 4500,
    })
    expect(report.rows.find((row: Row) => row.sku === 'PIPE')).toMatchObject({
      profitAgorot: 0,
      unknownAgorot: 10_000,
      marginBp: null,
    })
    expect(report.checks).toContainEqual({ name: 'costsAreKnown', ok: false })
    expect(report.shape.entered.costsAreKnown.path).toBe('/invoice/reportitems?cost=without')
    expect((await run('itemsCatalogue', 'cost=without')).rows).toMatchObject([{ item: 'צינור' }])
  })

  test('what was worked out is worked out again when a paper comes, a note is cancelled or a cost is said', async () => {
    const all = async () => {
      const [profit, sold, bought, moved] = await Promise.all(
        ['profitSales', 'itemsSales', 'perCustomer', 'productMovements'].map((name) => run(name, year)),
      )
      const goods = moved!.rows.find((row: Row) => row.sku === 'PIPE')
      return [
        profit!.totals.costAgorot,
        sold!.totals.netAgorot,
        bought!.totals.netAgorot,
        Number(goods?.closing ?? 0),
      ] as [number, number, number, number]
    }
    const before = await all()
    await paper(8, '2026-05-02', [line(pipe, '3')])
    expect(await all()).toEqual([before[0], before[1] + 30_000, before[2] + 30_000, before[3] - 3])
    const note = await paper(3, '2026-05-03', [line(pipe, '7')])
    expect((await all())[3]).toBe(before[3] - 10)
    await shop.call(cancelDocument, { id: note.id, reason: 'טעות' })
    expect((await all())[3]).toBe(before[3] - 3)
    await shop.send('PATCH', `/api4/invoice/items/${pipe}`, { cost: '25' })
    // One pipe of the test before and the three of this one.
    expect((await all())[0]).toBe(before[0] + 4 * 2500)
    await shop.send('PATCH', `/api4/invoice/items/${pipe}`, { cost: null })
    expect((await all())[0]).toBe(before[0])
  })

  test('a sale in another currency stands in shekels, and a cost in it is exchanged as the sale was', async () => {
    const cabinet = (
      await shop.send('POST', '/api4/invoice/items', {
        name: 'ארון',
        sku: 'CAB',
        price: '300',
        currency: 'EUR',
        cost: '200',
      })
    ).id as string
    await paper(8, '2026-06-10', [line(cabinet, '2', undefined, '300')], { currency: 'EUR', rate: '4' })
    const asked = 'from=2026-06-01&to=2026-06-30'
    expect((await run('profitSales', asked)).totals).toMatchObject({
      netAgorot: 240_000,
      costAgorot: 160_000,
      profitAgorot: 80_000,
    })
    expect((await run('itemsSales', asked)).totals.netAgorot).toBe(240_000)
    expect(
      (await run('owe', `customer=${customer}`)).rows.find((row: Row) => row.currency === 'EUR'),
    ).toMatchObject({
      openAgorot: 283_200,
      inCurrency: '708',
    })
    // Documents of one currency only, their amounts in shekels still.
    const euros = (name: string, more = asked) => run(name, `${more}&currency=EUR`)
    expect((await euros('owe', '')).rows).toMatchObject([
      { customer: 'דליה', currency: 'EUR', openAgorot: 283_200 },
    ])
    expect((await euros('oweSummary', '')).rows).toMatchObject([
      { openAgorot: 283_200, open: expect.stringMatching(/&currency=EUR$/) },
    ])
    expect((await euros('perCustomer', year)).rows).toMatchObject([
      { customer: 'דליה', netAgorot: 240_000, shareBp: 10_000 },
    ])
    expect((await euros('income', year)).rows).toMatchObject([
      { month: '06/2026', type: 'taxInvoice', netAgorot: 240_000 },
    ])
    await paper(6, '2026-06-11', [], {
      currency: 'EUR',
      rate: '4',
      payments: [{ means: 3, amountAgorot: 5_000 }],
    })
    await paper(6, '2026-06-11', [], { payments: [{ means: 3, amountAgorot: 700 }] })
    expect((await euros('payments')).rows).toMatchObject([{ means: 'transfer', sumAgorot: 20_000 }])
    expect((await run('payments', asked)).totals.sumAgorot).toBe(20_700)
    expect((await run('income', `${year}&type=creditInvoice`)).rows.map(({ type }: Row) => type)).toEqual([
      'creditInvoice',
    ])
    for (const name of ['income', 'owe', 'oweSummary', 'perCustomer', 'payments'])
      await expect(run(name, `${year}&currency=euro`)).rejects.toMatchObject({
        errors: [{ path: 'currency', code: 'fields.currency' }],
      })
    await expect(run('income', `${year}&type=order`)).rejects.toMatchObject({ errors: [{ path: 'type' }] })
  })

  /** A worker with these rights, in the shop. */
  const worker = async (more: {
    hides?: boolean
    own?: boolean
    docsAllow?: number[]
    rules?: number[]
  }): Promise<(path: string) => Promise<Row>> => {
    const { CompanyKey } = await shop.call(mySession, {})
    const { email, token } = await newBusiness(world)
    await asSystem(world.app.db, async (tx) => {
      await sql`insert into memberships (company_id, user_id, type_id, rules, docs_allow, hide_total_prices,
          own_customers_only)
        select ${CompanyKey}, id, 9, ${more.rules ?? []}::int[], ${more.docsAllow ?? []}::smallint[],
          ${more.hides ?? false}, ${more.own ?? false} from users where email = ${email}`.execute(tx)
      await sql`update sessions set company_id = ${CompanyKey}
        where user_id = (select id from users where email = ${email})`.execute(tx)
    })
    return async (path) =>
      (await world.http.inject({ method: 'GET', url: path, headers: { 'x-access-token': token } })).json()
  }
  const profit = `/api4/invoice/reports/profitSales?${year}`

  test('tell of one project what its documents earned', async () => {
    const project = await shop.send<{ id: string }>('POST', '/api4/invoice/projects', { name: 'גג' })
    await shop.invoice(customer, '500', { projectId: project.id })
    const { totals } = await shop.get(`${profit}&project=${project.id}`)
    expect(totals.netAgorot).toBe(50_000)
  })

  test('hide their sums, and the parts that tell of them', async () => {
    const get = await worker({ hides: true })
    const { rows, totals } = await get(profit)
    expect(rows.length).toBeGreaterThan(0)
    expect(totals).toEqual({})
    for (const row of rows)
      expect([row.netAgorot, row.costAgorot, row.profitAgorot, row.unknownAgorot, row.marginBp]).toEqual([
        null,
        null,
        null,
        null,
        null,
      ])
    for (const name of [
      'perCustomer',
      'itemsSales',
      'itemsCatalogue',
      'ordersByState',
      'owe',
      'oweSummary',
      'openOrdersByProduct',
    ]) {
      const report = await get(`/api4/invoice/reports/${name}?${year}`)
      const told = report.rows.flatMap((row: Row) =>
        Object.entries(row).filter(
          ([column, value]) =>
            value !== null && /Agorot$|^price$|^cost$|^shareBp$|^marginBp$|^inCurrency$/.test(column),
        ),
      )
      expect([name, told]).toEqual([name, []])
    }
  })

  test('lead whoever sees debts alone to what that right opens', async () => {
    const sales = await worker({ rules: [allRules().get('reports.debts')!] })
    const { rows } = await sales('/api4/invoice/reports/ageing?day=2026-11-19')
    expect(rows[0].open).toMatch(/^\/invoice\/reportowe\?customer=.{36}&day=2026-11-19$/)
    expect((await shop.get('/api4/invoice/reports/ageing')).rows[0].open).toMatch(
      /^\/invoice\/reportcustomercard\?party=.{36}$/,
    )
  })

  test('show a person with customers of his own nothing of others, and one with some papers nothing of the rest', async () => {
    const own = await worker({ own: true })
    for (const name of [
      'perCustomer',
      'profitSales',
      'owe',
      'oweSummary',
      'openOrdersByCustomer',
      'openOrdersByProduct',
      'ordersByState',
      'itemsSales',
    ])
      expect([name, (await own(`/api4/invoice/reports/${name}?${year}`)).rows]).toEqual([name, []])
    // What a part of the papers leaves on a shelf would be false.
    expect((await own(`/api4/invoice/reports/productMovements?${year}`)).code).toBe('session.forbidden')
    const credits = await worker({ docsAllow: [10] })
    expect((await credits(profit)).totals.netAgorot).toBe(-50_000)
    expect((await credits(`/api4/invoice/reports/openOrdersByProduct`)).rows).toEqual([])
  })

  test('are refused without their right', async () => {
    const get = await worker({ rules: [30] })
    for (const name of ['profitSales', 'owe', 'itemsCatalogue'])
      expect((await get(`/api4/invoice/reports/${name}?${year}`)).code).toBe('session.forbidden')
    await expect(run('skuCard', year)).rejects.toThrow(Refused)
    await expect(run('skuCard', `${year}&item=00000000-0000-7000-8000-000000000000`)).rejects.toThrow(
      'kit.notFound',
    )
    await expect(run('profitSales', `${year}&by=nothing`)).rejects.toThrow(Refused)
  })

  test('merged customers are one row, with the unknown costs of both', async () => {
    const [keep, gone] = [await shop.customer('מאיה'), await shop.customer('מאיה ב')]
    for (const customerId of [keep.id, gone.id])
      await paper(8, '2026-11-20', [{ description: 'ייעוץ', quantity: '1', unitPrice: '70' }], { customerId })
    await shop.call(mergeCustomers, { keepId: keep.id, ids: [gone.id] })
    const { rows } = await run('profitSales', 'from=2026-11-20&to=2026-11-20&by=customer')
    expect(rows.filter((row: Row) => String(row.name).startsWith('מאיה'))).toMatchObject([
      { name: 'מאיה', netAgorot: 14_000, unknownLines: 2, unknownAgorot: 14_000, profitAgorot: 0 },
    ])
    // Sold in May and today: the last day is today.
    const sold = (await run('itemsSales', year)).rows.find((row: Row) => row.soldQuantity === null)
    expect(sold.lastDay).toBe('2026-11-20')
  })
})
