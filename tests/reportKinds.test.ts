import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BusinessKind } from '#domain/documents/kinds.ts'
import { chooseAreas } from '#features/base/modules/endpoints.ts'
import { createDocument } from '#features/sales/documents/endpoints.ts'
import { giveBackPayment, undoReturn } from '#features/sales/payments/endpoints.ts'
import { newBusiness, startWorld, type World } from './world.ts'

/** The days of these tests are around it. */
const at = new Date('2026-11-20T10:00:00Z')

let world: World
beforeAll(async () => {
  world = await startWorld(() => at)
})
afterAll(() => world.close())

interface Listing {
  name: string
  filters: Record<string, { need?: boolean }>
}
interface Answer {
  rows: Record<string, unknown>[]
  totals: Record<string, number>
  checks: { name: string; ok: boolean }[]
}

const kinds = [
  'licensedDealer',
  'company',
  'partnership',
  'exemptDealer',
  'nonProfit',
] as const satisfies readonly BusinessKind[]

test.each(kinds)(
  'every report that is listed for a business (%s) answers',
  { timeout: 120_000 },
  async (kind) => {
    const business = await newBusiness(world, { kind })
    await business.call(chooseAreas, { areas: { pest: true, time: true, affiliates: true } })
    const { rows } = await business.get<{ rows: Listing[] }>('/api4/invoice/reports')
    const names = rows.map(({ name }) => name)
    expect(names.includes('vat')).toBe(kind !== 'exemptDealer')
    expect(names).toContain('income')
    const refused: string[] = []
    for (const { name, filters } of rows) {
      const needs = Object.keys(filters).filter((one) => filters[one]!.need)
      if (needs.some((one) => one !== 'from' && one !== 'to' && one !== 'day')) continue
      const query = new URLSearchParams({
        ...('from' in filters ? { from: '2026-01-01', to: '2026-06-30' } : {}),
        ...('day' in filters ? { day: '2026-06-30' } : {}),
      })
      await business
        .get(`/api4/invoice/reports/${name}?${query}`)
        .catch((e: unknown) => refused.push(`${name}: ${(e as Error).message}`))
    }
    expect(refused).toEqual([])
  },
)

test('a donation that came back leaves every report of income on its day, and returns with it', async () => {
  const charity = await newBusiness(world, { kind: 'nonProfit' })
  const { id: customerId } = await charity.customer('תורמת')
  const give = (date: string, amountAgorot: number) =>
    charity.call(createDocument, {
      type: 11,
      customerId,
      date,
      payments: [
        { means: 2, amountAgorot, date, bank: '12', branch: '600', account: '123456', number: '100' },
        { means: 3, amountAgorot: 700, date },
      ],
    })
  await give('2026-05-10', 40_000)
  const gift = await give('2026-05-11', 90_000)

  /** The net income of each report over some days, and the entries of the income accounts. */
  const incomes = async (from: string, to: string) => {
    const get = (name: string, more = '') =>
      charity.get<Answer>(`/api4/invoice/reports/${name}?from=${from}&to=${to}${more}`)
    const reports = await Promise.all([
      get('income'),
      get('perCustomer'),
      get('itemsSales'),
      get('incomeByAgent'),
      get('profitSales', '&by=customer'),
      get('profitSales', '&by=item'),
    ])
    expect(
      reports.flatMap(({ checks }) => checks.filter(({ ok, name }) => !ok && name !== 'costsAreKnown')),
    ).toEqual([])
    const { rows } = await get('trialBalance')
    const books = rows
      .filter(({ number }) => String(number).startsWith('4'))
      .reduce((sum, row) => sum + Number(row.creditAgorot ?? 0) - Number(row.debitAgorot ?? 0), 0)
    return [...reports.map(({ totals }) => totals.netAgorot), books]
  }
  const all = (agorot: number) => Array.from({ length: 7 }, () => agorot)
  const today = '2026-12-31'

  await charity.call(giveBackPayment, { id: gift.payments[0]!.id, date: '2026-07-05' })
  expect(await incomes('2026-05-01', '2026-05-31')).toEqual(all(131_400))
  expect(await incomes('2026-07-01', '2026-07-31')).toEqual(all(-90_000))
  expect(await incomes('2026-01-01', today)).toEqual(all(41_400))
  const { rows } = await charity.get<Answer>(
    '/api4/invoice/reports/filingDifferences?from=2026-01-01&to=2026-12-31',
  )
  expect(rows).toEqual([])

  await charity.call(undoReturn, { id: gift.payments[0]!.id })
  expect(await incomes('2026-07-01', '2026-07-31')).toEqual(all(-90_000))
  expect(await incomes('2026-01-01', today)).toEqual(all(131_400))
})
