import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newBusiness, newTaxId, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { expenseFacts } from '#features/purchases/expenses/endpoints.ts'
import { homePage } from '#features/office/home/endpoints.ts'
import * as calls from './endpoints.ts'

let world: World
let today = '2026-05-10'
let me: Business
let fuel: string
let dealer: { id: string }

beforeAll(async () => {
  world = await startWorld(() => new Date(`${today}T09:00:00Z`))
})
afterAll(() => world.close())
beforeEach(async () => {
  today = '2026-05-10'
  me = await newBusiness(world)
  await me.call(expenseFacts, {})
  const types = (await me.get('/api4/invoice/expensetypes?size=100')).rows as {
    id: string
    accountNumber: string
  }[]
  fuel = types.find(({ accountNumber }) => accountNumber === '6040')!.id
  dealer = await me.customer('כהן בע״מ', { taxId: newTaxId(), isDealer: true })
})

const answer = (period?: string) => me.call(calls.vatAnswer, period ? { period } : {})
const bill = (netAgorot: number, vatAgorot: number, date: string, more: object = {}) =>
  me.send('POST', '/api4/invoice/expenses', {
    supplier: { name: 'ספק', taxId: newTaxId() },
    supplierNumber: String(netAgorot),
    date,
    means: 'bank',
    lines: [{ typeId: fuel, netAgorot, vatAgorot }],
    ...more,
  })
/** The figure of the home page, and what it takes off the money in the bank. */
const home = async () => {
  const page = await me.call(homePage, {})
  return {
    card: page.vatAheadAgorot,
    period: page.vat && `${page.vat.from} ${page.vat.to} ${page.vat.dueDay}`,
    held: page.yours!.parts.find(({ part }) => part === 'vat')?.sumAgorot ?? 0,
  }
}

test('a bill of an old period changes neither the card nor the money that is yours: both are the return', async () => {
  await me.invoice(dealer.id, '11700')
  // Its period is long over and was not reported here; its VAT is in no return that is made now.
  await bill(1_157_000, 208_257, '2024-04-16')
  expect(await home()).toEqual({
    card: 210_600,
    period: '2026-05-01 2026-06-30 2026-07-15',
    held: 210_600,
  })
  expect(await answer()).toMatchObject({
    period: { from: '2026-05-01', to: '2026-06-30' },
    state: 'running',
    outputVatAgorot: 210_600,
    inputVatAgorot: 0,
    toPayAgorot: 210_600,
    dueDay: '2026-07-15',
    isByRule: false,
    isLate: false,
  })
})

test('the period that waits is answered until it is reported and paid, then the running one', async () => {
  await me.invoice(dealer.id, '1000.20')
  await bill(30_000, 5_400, '2026-05-05')
  today = '2026-07-10'
  await me.invoice(dealer.id, '2000')
  // Whole shekels, as the return is filed: 180.04 less 54.00.
  expect(await answer()).toMatchObject({
    period: { from: '2026-05-01', to: '2026-06-30' },
    state: 'toReport',
    toPayAgorot: 12_600,
    leftAgorot: 12_600,
    dueDay: '2026-07-15',
  })
  expect(await home()).toMatchObject({ card: 12_600, held: 12_600 + 36_000 })
  expect((await answer('2026-07')).state).toBe('running')
  const figures = (await me.call(calls.vatPeriodFacts, { period: '2026-06' })).figures
  expect(figures.find(({ name }) => name === 'toPay')!.returnAgorot).toBe(12_600)

  const filing = await me.call(calls.fileReturn, { period: '2026-06', kind: 'return', settle: true })
  expect(await answer()).toMatchObject({ state: 'toPay', toPayAgorot: 12_600, leftAgorot: 12_600 })
  await me.call(calls.payVat, { day: today, amountAgorot: 2_600 })
  expect(await answer()).toMatchObject({ state: 'toPay', toPayAgorot: 12_600, leftAgorot: 10_000 })
  expect(await home()).toMatchObject({ card: 10_000, held: 10_000 + 36_000 })
  await me.call(calls.payVat, { day: today, amountAgorot: 10_000 })
  expect(await answer()).toMatchObject({
    period: { from: '2026-07-01', to: '2026-08-31' },
    state: 'running',
    toPayAgorot: 36_000,
  })
  expect(await answer('2026-06')).toMatchObject({ state: 'done', leftAgorot: 0, toPayAgorot: 12_600 })
  expect(await home()).toMatchObject({ card: 36_000, held: 36_000 })

  // Reopened it waits again; a business that reports here does not lose sight of it after its day.
  await me.call(calls.reopenFiling, { id: filing.id, reason: 'חשבונית חסרה' })
  expect(await answer()).toMatchObject({ period: { to: '2026-06-30' }, state: 'toReport' })
  await me.call(calls.fileReturn, { period: '2026-06', kind: 'return' })
  expect(await answer('2026-06')).toMatchObject({ state: 'done' })
  today = '2026-09-20'
  expect(await answer()).toMatchObject({
    period: { from: '2026-07-01', to: '2026-08-31' },
    state: 'toReport',
    isLate: false,
  })
  today = '2026-10-20'
  expect(await answer()).toMatchObject({ period: { to: '2026-08-31' }, state: 'toReport', isLate: true })
})

test('a refund is a positive amount that comes back, and what nobody approved is named with its VAT', async () => {
  await bill(100_000, 18_000, '2026-05-05')
  const { id } = await bill(50_000, 9_000, '2026-05-06', { draft: true })
  expect(id).toBeTruthy()
  today = '2026-07-02'
  expect(await answer()).toMatchObject({
    state: 'toReport',
    toPayAgorot: -18_000,
    leftAgorot: -18_000,
    waiting: { count: 1, vatAgorot: 9_000 },
  })
  await me.call(calls.fileReturn, { period: '2026-06', kind: 'return', settle: true })
  expect(await answer()).toMatchObject({ state: 'refund', leftAgorot: -18_000 })
  await me.call(calls.payVat, { day: today, amountAgorot: -18_000 })
  expect(await answer('2026-06')).toMatchObject({ state: 'done', leftAgorot: 0 })
})

test('a business that reports elsewhere goes on after the day of its report', async () => {
  await me.invoice(dealer.id, '1000')
  today = '2026-07-15'
  expect((await answer()).period.to).toBe('2026-06-30')
  today = '2026-07-16'
  expect(await answer()).toMatchObject({ period: { to: '2026-08-31' }, toPayAgorot: 0 })
  expect(await home()).toMatchObject({ card: 0, held: 0 })
})

test('on cash basis what is not paid is not asked for', async () => {
  await me.call(calls.changeVatBasis, { basis: 'cash', from: '2026-05-01' })
  const invoice = await me.invoice(dealer.id, '1000')
  expect(await home()).toMatchObject({ card: 0, held: 0 })
  await me.send('POST', '/api4/invoice/documents', {
    type: 6,
    customerId: dealer.id,
    lines: [],
    payments: [{ means: 3, amountAgorot: 59_000 }],
    closes: [{ documentId: invoice.id, amountAgorot: 59_000 }],
  })
  expect(await home()).toMatchObject({ card: 9_000, held: 9_000 })
})
