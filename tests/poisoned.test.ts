import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BusinessKind } from '#domain/documents/kinds.ts'
import { checkPeriod } from '#features/books/periods/endpoints.ts'
import { homePage } from '#features/office/home/endpoints.ts'
import * as documents from '#features/sales/documents/endpoints.ts'
import { makeExport } from '#features/tax/uniform/endpoints.ts'
import * as vat from '#features/tax/vat/endpoints.ts'
import type { Fields } from '#kit/fields/field.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { reports } from '../src/features.ts'
import { newBusiness, startWorld, type Business, type World } from './world.ts'

/*
 * Records that no report was made for: bills whose VAT and sum have different signs, documents that come to zero, tax
 * numbers that are none. Whatever a record holds, every report, period and page answers, and names the record where it
 * cannot report it.
 */

let world: World
beforeAll(async () => {
  world = await startWorld(() => new Date('2026-11-15T09:00:00Z'))
})
afterAll(() => world.close())

interface Poisoned extends Business {
  kind: BusinessKind
  ids: Record<string, string>
}

async function poisoned(kind: BusinessKind, isCash: boolean): Promise<Poisoned> {
  const made = await newBusiness(world, { kind })
  await made.send('PATCH', '/api4/invoice/company', { vatPeriodMonths: 1, backDating: true })
  if (isCash) await made.call(vat.changeVatBasis, { basis: 'cash', from: '2026-10-01' })
  const customers = (await made.customer('כהן')).id
  const { rows: types } = await made.get<{ rows: { id: string; vatShare: string; isFixedAsset: boolean }[] }>(
    '/api4/invoice/expensetypes?size=100',
  )
  const typeOf = (vatShare: string) => types.find((one) => one.vatShare === vatShare && !one.isFixedAsset)!.id
  let number = 0
  const bill = async (lines: object[], more: object = {}) =>
    (
      await made.send<{ id: string }>('POST', '/api4/invoice/expenses', {
        supplier: { name: `ספק ${++number}` },
        supplierNumber: String(number),
        date: '2026-10-05',
        means: 'bank',
        lines,
        ...more,
      })
    ).id
  const line = (share: string, netAgorot: number, vatAgorot = 0) => ({
    typeId: typeOf(share),
    netAgorot,
    vatAgorot,
  })
  const mixed = await bill([line('full', -10_000, -1_800), line('none', 50_000)])
  await bill([line('full', 20_000, 3_600), line('none', -50_000)])
  await bill([line('full', 10_000, 1_800), line('quarter', -20_000, -3_600)])
  await bill([line('full', 10_000, 1_800), line('none', -11_800)])
  await bill([line('full', -10_000, -1_800), line('none', 50_000)], { paper: 'pettyCash' })
  const turned = await bill([line('full', 10_000, 1_800)], { draft: true })
  const { companyId } = await made.get<{ companyId: string }>('/api/user/session')
  // As no bill can be entered: VAT against the sign of its line.
  await asSystem(world.app.db, async (tx) => {
    const own = sql`company_id = ${companyId} and ${sql.ref('expense_id')} = ${turned}`
    await sql`update expense_lines set recognised_vat_agorot = -recognised_vat_agorot where ${own}`.execute(
      tx,
    )
    await sql`update expenses set recognised_vat_agorot = -recognised_vat_agorot
      where company_id = ${companyId} and id = ${turned}`.execute(tx)
  })
  await made.send('POST', `/api4/invoice/expenses/${turned}/approve`)
  const isInvoiced = kind === 'licensedDealer' || kind === 'company'
  const issue = (type: number, more: object) =>
    made.call(documents.createDocument, { type, customerId: customers, date: '2026-10-06', ...more } as never)
  const sold = { description: 'עבודה', quantity: '1', unitPrice: '1000' }
  await issue(14, { payments: [{ means: 3, amountAgorot: 100_000 }] })
  if (isInvoiced) {
    await issue(8, {
      lines: [
        { ...sold, vatKind: 1 },
        { ...sold, quantity: '-1.18', vatKind: 3 },
      ],
    })
    await issue(8, {
      lines: [
        { ...sold, vatKind: 4, unitPrice: '118' },
        { ...sold, quantity: '-0.1', vatKind: 1 },
      ],
    })
    await issue(8, {
      lines: [
        { ...sold, vatKind: 4 },
        { ...sold, quantity: '-0.1', vatKind: 1 },
      ],
    })
    await issue(8, { lines: [{ ...sold, unitPrice: '0.40', vatKind: 1 }], rounding: 'whole' })
  } else
    await issue(6, {
      lines: [
        { ...sold, vatKind: 4 },
        { ...sold, quantity: '-1', vatKind: 3 },
      ],
    })
  const withheld = await issue(6, { payments: [{ means: 7, amountAgorot: 18_000 }] })
  await made.call(documents.cancelDocument, { id: withheld.id, reason: 'טעות' })
  const { rows: accounts } = await made.get<{ rows: { id: string }[] }>('/api5/invoicecpa/accounts?size=10')
  const { rows: suppliers } = await made.get<{ rows: { id: string }[] }>('/api4/invoice/suppliers?size=10')
  const items = (
    await made.send<{ id: string }>('POST', '/api4/invoice/items', { name: 'שעה', price: '100' })
  ).id
  return {
    ...made,
    kind,
    ids: { customers, items, mixed, accounts: accounts[0]!.id, suppliers: suppliers[0]!.id },
  }
}

const periods = [
  ['2026-10-01', '2026-10-31'],
  ['2026-11-01', '2026-11-30'],
  ['2026-01-01', '2026-12-31'],
] as const

/** The filters a report cannot do without; undefined when it asks for a thing this business has none of. */
function queryOf(
  filters: Fields,
  { ids }: Poisoned,
  [from, to]: readonly [string, string],
): string | undefined {
  const asked = new URLSearchParams()
  for (const [name, field] of Object.entries(filters)) {
    if (!field.need) continue
    const value = name === 'from' ? from : name === 'to' ? to : ids[(field as { to?: string }).to ?? '']
    if (value === undefined) return undefined
    asked.set(name, value)
  }
  return String(asked)
}

describe.each([
  ['licensedDealer', false],
  ['licensedDealer', true],
  ['company', false],
  ['exemptDealer', false],
  ['nonProfit', false],
] as const)('%s with records that cannot be reported (cash basis: %s)', (kind, isCash) => {
  let business: Poisoned
  beforeAll(async () => {
    business = await poisoned(kind, isCash)
  })
  const statusOf = async (method: 'GET' | 'POST', path: string, payload?: object) => {
    const answer = await world.http.inject({
      method,
      url: path,
      headers: { 'x-access-token': business.token },
      ...(payload ? { payload } : {}),
    })
    return `${answer.statusCode} ${path}`
  }
  const is500 = (said: string) => said.startsWith('5')

  test('every report answers', async () => {
    const said: string[] = []
    for (const report of reports)
      for (const period of periods) {
        const query = queryOf(report.filters as Fields, business, period)
        if (query !== undefined)
          said.push(await statusOf('GET', `/api4/invoice/reports/${report.name}?${query}`))
      }
    expect(said.filter(is500)).toEqual([])
    expect(said.filter((one) => one.startsWith('200')).length).toBeGreaterThan(100)
  })

  test('home and periods answer', async () => {
    expect((await business.call(homePage, {})).unavailable).toEqual([])
    for (const [from] of periods)
      expect((await business.call(checkPeriod, { kind: 'month', from })).checks.length).toBeGreaterThan(3)
    if (kind === 'exemptDealer') return
    for (const period of ['2026-10', '2026-11'])
      expect((await business.call(vat.vatPeriodFacts, { period })).differences).toEqual([])
  })

  test('the uniform file is made', async () => {
    const { fileId } = await business.call(makeExport, {
      kind: 'uniform',
      from: '2026-01-01',
      to: '2026-12-31',
    })
    await world.worker.drain()
    expect(await statusOf('GET', `/api4/invoiceexport/made/${fileId}/bytes`)).toMatch(/^200/)
  })

  test('what cannot be reported is named with its link', async () => {
    if (kind === 'exemptDealer' || kind === 'nonProfit') return
    const { faults } = await business.call(vat.vatPeriodFacts, { period: '2026-10' })
    const unfit = faults.find(({ code }) => code === '806')!
    expect(unfit.papers.map(({ name }) => name)).toEqual(['ספק 6'])
    expect(unfit.papers[0]!.open).toMatch(/^\/invoice\/Expenses\/all\//)
  })
})

test('a bill of both signs is two entries of the detailed report', async () => {
  const business = await poisoned('company', false)
  const { rows } = await business.get<{
    rows: { open: string | null; sumAgorot: number; vatAgorot: number }[]
  }>('/api4/invoice/reports/pcn?from=2026-10-01&to=2026-10-31')
  const { rows: expenses } = await business.get<{ rows: { id: string; supplierNumber: string }[] }>(
    '/api4/invoice/expenses?size=100',
  )
  const ofBill = (number: string) => {
    const { id } = expenses.find((one) => one.supplierNumber === number)!
    return rows
      .filter((row) => row.open?.endsWith(id))
      .map(({ sumAgorot, vatAgorot }): [number, number] => [sumAgorot, vatAgorot])
      .toSorted(([one], [other]) => one - other)
  }
  // What bears no VAT is named by no entry of inputs, and each entry has one sign.
  expect(ofBill('1')).toEqual([[-10_000, -1_800]])
  expect(ofBill('2')).toEqual([[20_000, 3_600]])
  expect(ofBill('3')).toEqual([
    [-20_000, -900],
    [10_000, 1_800],
  ])
})
