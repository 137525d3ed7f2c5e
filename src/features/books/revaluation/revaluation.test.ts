import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { addEntry } from '#features/base/ledger/endpoints.ts'
import { createDocument } from '#features/sales/documents/endpoints.ts'
import { keepRate } from '#features/registers/rates/endpoints.ts'
import * as calls from './endpoints.ts'

let world: World
let shop: Business
let companyId: string
beforeAll(async () => {
  world = await startWorld(() => new Date('2026-11-22T09:00:00Z'))
  shop = await newBusiness(world)
  companyId = (await shop.get('/api/user/session')).companyId
})
afterAll(() => world.close())

const balances = async (until: string): Promise<Record<string, number>> => {
  const { rows } = await sql<{
    key: string
    amount: number
  }>`select coalesce(a.key, a.number) as key, sum(p.amount_agorot)::bigint as amount from postings p
    join accounts a on a.company_id = p.company_id and a.id = p.account_id where p.company_id = ${companyId}
      and p.day <= ${until} group by 1`.execute(world.app.db.kysely)
  return Object.fromEntries(rows.map((row) => [row.key, row.amount]))
}

test('open balances in currency are told at the day’s rate, beside the control accounts, and come back the next day', async () => {
  const buyer = await shop.customer('ACME')
  const line = (unitPrice: string) => [{ description: 'work', unitPrice, vatKind: 4 as const }]
  const invoice = await shop.call(createDocument, {
    type: 8,
    customerId: buyer.id,
    date: '2026-09-01',
    currency: 'USD',
    rate: '3.5',
    lines: line('1000'),
  })
  // Paid after the day: at the day it was open.
  await shop.call(createDocument, {
    type: 6,
    customerId: buyer.id,
    date: '2026-10-15',
    currency: 'USD',
    rate: '3.8',
    payments: [{ means: 3, amountAgorot: 40_000 }],
    closes: [{ documentId: invoice.id, amountAgorot: 40_000 }],
  })
  const kinds = (await shop.get('/api4/invoice/expensetypes?size=100')).rows as {
    id: string
    accountNumber: string
  }[]
  await shop.send('POST', '/api4/invoice/expenses', {
    supplier: { name: 'Cloud Inc' },
    supplierNumber: '77',
    date: '2026-09-05',
    means: 'onCredit',
    currency: 'USD',
    rate: '3.5',
    lines: [{ typeId: kinds.find((kind) => kind.accountNumber === '6000')!.id, netAgorot: 20_000 }],
  })
  const day = '2026-09-30'
  expect((await shop.call(calls.previewRevaluation, { day })).missingRates).toEqual(['USD'])
  await expect(shop.call(calls.postRevaluation, { day })).rejects.toMatchObject({
    code: 'revaluation.noRate',
  })
  await shop.call(keepRate, { currency: 'USD', day: '2026-09-29', rate: '3.7' })
  const bank = (await shop.call(calls.previewRevaluation, { day })).bankAccounts[0]!
  const banks = [{ accountId: bank.id, currency: 'USD', foreignAgorot: 5_000 }]
  const preview = await shop.call(calls.previewRevaluation, { day, banks })
  expect(
    preview.rows.map((row) => [row.what, row.foreignAgorot, row.booksAgorot, row.differenceAgorot]),
  ).toEqual([
    ['bank', 5_000, 0, 18_500],
    ['customers', 100_000, 350_000, 20_000],
    ['suppliers', -20_000, -70_000, -4_000],
  ])
  expect(preview.totalAgorot).toBe(34_500)
  expect(preview.parties).toEqual(['customers', 'suppliers'])
  // Customers, or all of them, may be left out; that there are any is still told.
  const withoutCustomers = await shop.call(calls.previewRevaluation, { day, banks, without: ['customers'] })
  expect([
    withoutCustomers.rows.map((row) => row.what),
    withoutCustomers.totalAgorot,
    withoutCustomers.parties,
  ]).toEqual([['bank', 'suppliers'], 14_500, ['customers', 'suppliers']])
  expect(
    (await shop.call(calls.previewRevaluation, { day, banks, without: ['customers', 'suppliers'] }))
      .totalAgorot,
  ).toBe(18_500)
  await expect(
    shop.call(calls.postRevaluation, { day, without: ['customers', 'suppliers'] }),
  ).rejects.toMatchObject({
    code: 'revaluation.nothingToPost',
  })
  // Later the open part alone counts, at its own rate.
  const later = await shop.call(calls.previewRevaluation, { day: '2026-10-31' })
  expect(later.rows.find((row) => row.what === 'customers')).toMatchObject({
    foreignAgorot: 60_000,
    booksAgorot: 210_000,
    differenceAgorot: 12_000,
  })

  const before = await balances('2026-12-31')
  const { id } = await shop.call(calls.postRevaluation, { day, banks })
  await expect(shop.call(calls.postRevaluation, { day, banks })).rejects.toMatchObject({
    code: 'revaluation.alreadyPosted',
  })
  const then = await balances(day)
  expect(then).toMatchObject({
    customersRevaluation: 20_000,
    suppliersRevaluation: -4_000,
    bankRevaluation: 18_500,
    exchangeDifferences: -34_500,
  })
  expect(then.customers).toBe(350_000)
  expect(await balances('2026-12-31')).toMatchObject({
    ...before,
    customersRevaluation: 0,
    suppliersRevaluation: 0,
    bankRevaluation: 0,
  })

  await shop.call(calls.undoRevaluation, { id })
  await expect(shop.call(calls.undoRevaluation, { id })).rejects.toMatchObject({ code: 'revaluation.undone' })
  expect(await balances(day)).toMatchObject({ customersRevaluation: 0, exchangeDifferences: 0 })
  expect((await shop.call(calls.listRevaluations, {})).rows).toMatchObject([
    { day, totalAgorot: 34_500, undone: true },
  ])
  const again = await shop.call(calls.postRevaluation, { day })
  expect(await balances(day)).toMatchObject({ customersRevaluation: 20_000, exchangeDifferences: -16_000 })
  await shop.call(calls.undoRevaluation, { id: again.id })
  await shop.call(calls.postRevaluation, { day, without: ['customers'] })
  expect(await balances(day)).toMatchObject({
    customersRevaluation: 0,
    suppliersRevaluation: -4_000,
    exchangeDifferences: 4_000,
  })
})

test('a loan in currency is revalued on its own card, one the books know only in shekels when it is told, and any may be left out', async () => {
  const own = await newBusiness(world)
  const accounts = (await own.get('/api5/invoicecpa/accounts?size=200')).rows as {
    id: string
    number: string
  }[]
  const id = (number: string) => accounts.find((one) => one.number === number)!.id
  const card = async (number: string, until: string) => {
    const { rows } = await own.get(`/api4/invoice/reports/trialBalance?from=2026-01-01&to=${until}`)
    return (
      (rows as { number: string; balanceAgorot: number }[]).find((one) => one.number === number)
        ?.balanceAgorot ?? 0
    )
  }
  await own.call(keepRate, { currency: 'USD', day: '2026-09-30', rate: '3.7' })
  await own.call(addEntry, {
    date: '2026-09-01',
    lines: [
      { accountNumber: '1010', debitAgorot: 350_000 },
      { accountNumber: '2500', creditAgorot: 350_000, currency: 'USD', foreignAgorot: 100_000 },
      { accountNumber: '1010', debitAgorot: 72_000 },
      { accountNumber: '2300', creditAgorot: 72_000 },
      // What was bought in dollars is an expense, and no balance.
      { accountNumber: '6010', debitAgorot: 3600, currency: 'USD', foreignAgorot: 1000 },
      { accountNumber: '1010', creditAgorot: 3600 },
    ],
  })
  const day = '2026-09-30'
  const asked = await own.call(calls.previewRevaluation, { day })
  expect(asked.bankAccounts.filter((one) => one.what === 'card')).toMatchObject([
    { id: id('2500'), currency: 'USD', foreignAgorot: -100_000, booksAgorot: -350_000 },
  ])
  const offered = asked.otherCards.map((one) => one.id)
  expect([
    offered.includes(id('2300')),
    offered.includes(id('1100')),
    offered.includes(id('6010')),
    offered.includes(id('2500')),
  ]).toEqual([true, false, false, false])
  const told = await own.call(calls.previewRevaluation, { day, cards: [id('2300')] })
  expect(told.bankAccounts.find((one) => one.id === id('2300'))).toMatchObject({
    currency: null,
    booksAgorot: -72_000,
  })
  await expect(
    own.call(calls.previewRevaluation, {
      day,
      banks: [{ accountId: id('6010'), currency: 'USD', foreignAgorot: 1 }],
    }),
  ).rejects.toMatchObject({ errors: [{ path: 'banks.0.accountId' }] })

  const banks = [
    { accountId: id('2500'), currency: 'USD', foreignAgorot: -100_000 },
    { accountId: id('2300'), currency: 'USD', foreignAgorot: -20_000 },
  ]
  const { rows, totalAgorot } = await own.call(calls.previewRevaluation, { day, banks })
  expect(rows.map((row) => [row.what, row.accountId, row.differenceAgorot])).toEqual([
    ['card', id('2300'), -2000],
    ['card', id('2500'), -20_000],
  ])
  expect(totalAgorot).toBe(-22_000)
  expect((await own.call(calls.previewRevaluation, { day, banks: banks.slice(1) })).totalAgorot).toBe(-2000)
  const posted = await own.call(calls.postRevaluation, { day, banks })
  expect([await card('2500', day), await card('2300', day), await card('8910', day)]).toEqual([
    -370_000, -74_000, 22_000,
  ])
  expect([await card('2500', '2026-10-01'), await card('8910', '2026-10-01')]).toEqual([-350_000, 0])
  // A later month starts from what was owed, not from the value of the last one.
  expect(
    (await own.call(calls.previewRevaluation, { day: '2026-10-31' })).bankAccounts.find(
      (one) => one.id === id('2500'),
    ),
  ).toMatchObject({
    foreignAgorot: -100_000,
    booksAgorot: -350_000,
  })
  await own.call(calls.undoRevaluation, { id: posted.id })
  expect([await card('2500', day), await card('8910', day)]).toEqual([-350_000, 0])
  // A loan that was repaid is not listed any more.
  await own.call(addEntry, {
    date: '2026-10-15',
    lines: [
      { accountNumber: '2500', debitAgorot: 350_000, currency: 'USD', foreignAgorot: 100_000 },
      { accountNumber: '1010', creditAgorot: 350_000 },
    ],
  })
  expect(
    (await own.call(calls.previewRevaluation, { day: '2026-10-31' })).bankAccounts.filter(
      (one) => one.what === 'card',
    ),
  ).toEqual([])
})
