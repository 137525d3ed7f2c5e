import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays, dayInJerusalem, daysBetween, endOfMonth, type Day } from '#domain/day.ts'
import { chargesVat, type BusinessKind } from '#domain/documents/kinds.ts'
import { electSmall, smallBusiness } from '#features/tax/filings/endpoints.ts'
import * as uniform from '#features/tax/uniform/endpoints.ts'
import * as vat from '#features/tax/vat/endpoints.ts'
import { newBusiness, newTaxId, startWorld, type Business, type World } from '../world.ts'
import { live, seeded, type Life } from './random.ts'
import { yearDeedsOf, yearRefusals } from './yearDeeds.ts'

/*
 * Random lives of businesses from 2024 to 2026, across the change of the VAT rate: two hundred mixed operations each. On
 * ten random days every report of the books, of sales, of purchases and of taxes says of itself that it holds; months of
 * VAT agree both ways and come to their documents; what changed since filing explains every difference; the uniform file
 * passes. `YEARS=500` lives more of them, `SEED=` says from which.
 */
const lives = Number(process.env.YEARS ?? 6)
const firstSeed = Number(process.env.SEED ?? 1)
const steps = Number(process.env.STEPS ?? 200)

let now = new Date('2024-12-01T09:00:00Z')
let world: World
beforeAll(async () => {
  world = await startWorld(() => now)
})
afterAll(() => world.close())

const kinds = [
  'licensedDealer',
  'company',
  'partnership',
  'exemptDealer',
  'nonProfit',
  'smallBusiness',
] as const
type LifeKind = (typeof kinds)[number]
const kindOf = (seed: number): LifeKind => kinds[(seed - 1) % kinds.length]!
const businessKind = (kind: LifeKind): BusinessKind => (kind === 'smallBusiness' ? 'licensedDealer' : kind)

/** The clock goes slowly through the last month of the old rate, and then through two years. */
const pause = (i: number, random: number): number =>
  Math.floor(random * 2 * (i < steps / 5 ? 30 / (steps / 5) : 690 / (steps * 0.8)) * 86_400_000)

interface Answer {
  rows: Record<string, unknown>[]
  totals: Record<string, number>
  checks: { name: string; ok: boolean; apartAgorot?: number }[]
}

/** What says something about the business or its records and not about its figures. */
const notFigures = new Set(['rateIsKnown', 'notNegative', 'onlyRounding', 'costsAreKnown'])

async function failing(business: Business, name: string, query: string): Promise<string[]> {
  const { checks } = await business.get<Answer>(`/api4/invoice/reports/${name}?${query}`)
  return checks
    .filter((one) => !one.ok && !notFigures.has(one.name))
    .map((one) => `${name}?${query}: ${one.name} (${one.apartAgorot ?? ''})`)
}

/** Every report that can be asked with days alone, on a random day and over random days. */
async function checkReports(life: Life, day: Day, from: Day): Promise<void> {
  const { rows } = await life.business.get<{
    rows: { name: string; filters: Record<string, { need?: boolean }> }[]
  }>('/api4/invoice/reports')
  const found: string[] = []
  for (const { name, filters } of rows) {
    const needs = Object.keys(filters).filter((one) => filters[one]!.need)
    if (needs.some((one) => one !== 'from' && one !== 'to' && one !== 'day')) continue
    const query = new URLSearchParams({
      ...('from' in filters ? { from, to: day } : {}),
      ...('day' in filters ? { day } : {}),
    })
    found.push(...(await failing(life.business, name, String(query))))
  }
  expect(found).toEqual([])
}

/** The VAT of a month both ways, by its documents, and what changed since it was filed. */
async function checkVat(business: Business, month: string): Promise<void> {
  const days = `from=${month}-01&to=${endOfMonth(`${month}-01`)}`
  const { figures, differences } = await business.call(vat.vatPeriodFacts, { period: month })
  expect(differences, month).toEqual([])
  const { totals } = await business.get<Answer>(`/api4/invoice/reports/vatPapers?${days}`)
  const papers = await Promise.all(
    figures.map(async ({ name }) => [name, totals[`${name}Agorot`] ?? 0] as const),
  )
  expect(papers, month).toEqual(figures.map(({ name, exactAgorot }) => [name, exactAgorot]))
  expect(await failing(business, 'vatChanges', days), month).toEqual([])
}

/** The same income in every report, over the same days, and in the accounts of sales and donations. */
async function checkIncome(business: Business, from: Day, to: Day): Promise<void> {
  const report = (name: string, more = '') =>
    business.get<Answer>(`/api4/invoice/reports/${name}?from=${from}&to=${to}${more}`)
  const of = async (name: string, column: string, more = '') => (await report(name, more)).totals[column] ?? 0
  const income = await of('income', 'netAgorot')
  const booked = (await report('trialBalance')).rows
    .filter(({ number }) => String(number).startsWith('40'))
    .reduce((sum, row) => sum + Number(row.creditAgorot ?? 0) - Number(row.debitAgorot ?? 0), 0)
  expect(
    [
      booked,
      await of('perCustomer', 'netAgorot'),
      await of('itemsSales', 'netAgorot'),
      await of('incomeByAgent', 'netAgorot'),
      await of('profitSales', 'netAgorot', '&by=customer'),
      await of('profitSales', 'netAgorot', '&by=item'),
    ],
    `${from} ${to}`,
  ).toEqual(Array.from({ length: 6 }, () => income))
}

/**
 * Moves out and in: a new business that is made of the uniform file has the balance of every account and the debts of
 * the original, or its import names what differs.
 */
async function checkMove(business: Business, kind: BusinessKind, last: Day): Promise<void> {
  const bytes = (await business.call(uniform.uniformNow, { from: '2024-12-01', to: last })) as Uint8Array
  const other = await newBusiness(world, { kind })
  const { id } = await other.call(uniform.uploadUniform, { name: 'OPENFRMT.zip', bytes } as never)
  await world.worker.drain()
  const { state, report } = await other.call(uniform.getUniformImport, { id })
  expect(state).toBe('checked')
  expect(report!.identities.rows).toEqual([])
  await other.call(uniform.runUniformImport, { id, otherDealer: true })
  await world.worker.drain()
  expect((await other.call(uniform.getUniformImport, { id })).state).toBe('done')
  const balances = async (of: Business) =>
    new Map(
      (await of.get<Answer>(`/api4/invoice/reports/trialBalance?from=2024-12-01&to=${last}`)).rows.flatMap(
        ({ number, balanceAgorot }) => (number && balanceAgorot ? [[String(number), balanceAgorot]] : []),
      ),
    )
  expect(await balances(other)).toEqual(await balances(business))
  const open = async (of: Business) =>
    (await of.get<Answer>(`/api4/invoice/reports/ageing?day=${last}`)).totals.openAgorot
  expect(await open(other)).toBe(await open(business))
}

const done = new Map(kinds.map((kind) => [kind, new Set<string>()]))

describe('lives of years', () => {
  test.each(Array.from({ length: lives }, (_, i) => [firstSeed + i, kindOf(firstSeed + i)] as const))(
    'of seed %i (%s) hold in every report on ten days, and their files pass',
    { timeout: 600_000 },
    async (seed, lifeKind) => {
      const random = seeded(seed)
      const kind = businessKind(lifeKind)
      now = new Date('2024-12-01T09:00:00Z')
      const business = await newBusiness(world, { kind })
      await business.send('PATCH', '/api4/invoice/company', {
        ...(chargesVat(kind) ? { vatPeriodMonths: 1 } : {}),
        backDating: true,
        withholdingFile: '912345678',
      })
      // Half of them report VAT as it is paid.
      if (chargesVat(kind) && Math.ceil(seed / kinds.length) % 2 === 1)
        await business.call(vat.changeVatBasis, { basis: 'cash', from: '2024-12-01' })
      const life: Life = {
        business,
        kind,
        random,
        customers: [],
        suppliers: [],
        documents: new Map(),
        badDebts: new Set(),
        reported: '2024-11',
        today: () => dayInJerusalem(now),
      }
      for (const name of ['א', 'ב', 'ג', 'ד']) life.customers.push((await business.customer(name)).id)
      for (const name of ['ה', 'ו', 'ז'])
        life.suppliers.push(
          (
            await business.send<{ id: string }>('POST', '/api4/invoice/suppliers', {
              name,
              taxId: newTaxId(),
            })
          ).id,
        )
      const deeds = yearDeedsOf(kind)
      for (let i = 0; i < steps; i++) {
        now = new Date(now.getTime() + pause(i, random()))
        done.get(lifeKind)!.add(await live(life, undefined, deeds, yearRefusals))
      }
      if (lifeKind === 'smallBusiness') {
        await business.call(electSmall, { year: 2026, takes: true, meetsConditions: true })
        const { rows } = await business.get<Answer>(
          '/api4/invoice/reports/filingDifferences?from=2026-01-01&to=2026-12-31',
        )
        expect(rows).toEqual([])
        expect((await business.call(smallBusiness, { year: 2026 })).differences).toBe(0)
      }
      const last = life.today()
      const anyDay = () => addDays('2024-12-01', Math.floor(random() * daysBetween('2024-12-01', last)))
      for (let i = 0; i < 10; i++) {
        const [first, day] = [anyDay(), anyDay()].toSorted() as [Day, Day]
        // Some reports tell of a year at most.
        const from = first < addDays(day, -300) ? addDays(day, -300) : first
        await checkReports(life, day, from)
        await checkIncome(business, from, day)
        if (chargesVat(kind)) await checkVat(business, day.slice(0, 7))
      }
      for (const year of [2024, 2025, 2026])
        await business.call(uniform.uniformNow, { from: `${year}-01-01`, to: `${year}-12-31` })
      // Every seventh: in time each kind, and both bases of VAT.
      if (seed % 7 === 1 || process.env.MOVES) await checkMove(business, kind, last)
    },
  )

  // Lives in which nothing happened would hold, too.
  test.each([...new Set(Array.from({ length: lives }, (_, i) => kindOf(firstSeed + i)))])(
    'of %s did most of what they may do',
    (kind) => {
      const missing = yearDeedsOf(businessKind(kind)).filter(({ name }) => !done.get(kind)!.has(name))
      expect(missing.length).toBeLessThan(yearDeedsOf(businessKind(kind)).length / 3)
    },
  )
})
