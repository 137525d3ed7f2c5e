import { afterAll, beforeAll, expect, test } from 'vitest'
import { isAmount, type Field } from '#kit/fields/field.ts'
import { createDocument } from '#features/sales/documents/endpoints.ts'
import { form6111, form856, withheldByCustomers } from '#features/tax/filings/endpoints.ts'
import { opensCard, opensPayee, opensReceipts } from '#features/tax/filings/papers.ts'
import { callAs, startDemo, type World } from './world.ts'

/**
 * From any figure of a tax report two clicks lead to its entries and documents: the figure opens a document, or a list
 * whose rows are documents. Walked over every tax report of a business that lived a year.
 */
let world: World
let token: string
beforeAll(async () => {
  ;({ world, token } = await startDemo())
}, 300_000)
afterAll(() => world.close())

interface Row extends Record<string, unknown> {
  open?: string | null
  sum?: boolean
}
interface Answer {
  shape: { columns: Record<string, Field & { opens?: string }> }
  rows: Row[]
  totals: Record<string, number>
}
interface Listing {
  name: string
  group: string
  path: string
  filters: Record<string, { need?: boolean }>
}

const days = { from: '2026-01-01', to: '2026-10-31' }

async function get<T>(url: string): Promise<T> {
  const answer = await world.http.inject({ method: 'GET', url, headers: { 'x-access-token': token } })
  expect(answer.statusCode, `${url}: ${answer.body.slice(0, 200)}`).toBe(200)
  return answer.json()
}

/** A page of one record, which shows its entries. */
const isRecord = (path: string): boolean =>
  /^\/invoice\/(preview|entries|Expenses\/all|supplierpayment|fixedassets|deposits)\/[\da-f-]{36}$/.test(path)

/** The lists of records that a figure may open, and the call of each. */
const lists: Record<string, string> = {
  '/invoice/documents': '/api4/invoice/documents',
  '/invoice/Expenses': '/api4/invoice/expenses',
}

/** What a path of a list or a report shows: where its rows lead. */
async function rowsAt(path: string, reports: readonly Listing[]): Promise<(string | null | undefined)[]> {
  const [place, query = ''] = path.split('?') as [string, string?]
  if (lists[place]) {
    const { rows } = await get<{ rows: { id: string }[] }>(`${lists[place]}?${query}`)
    return rows.map(({ id }) => `/invoice/preview/${id}`)
  }
  const card = /^\/invoice\/cardskarteset\/(.+)$/.exec(place)
  const name = card ? 'accountCard' : reports.find((one) => one.path === place)?.name
  expect(name, `${path} is no report`).toBeDefined()
  const asked = new URLSearchParams(query)
  if (card) asked.set('account', card[1]!)
  for (const [key, value] of Object.entries(days)) if (!asked.has(key)) asked.set(key, value)
  const { rows } = await get<Answer>(`/api4/invoice/reports/${name}?${asked}`)
  // A card on which nothing moved says with what it began.
  return card && rows.length > 0 && rows.every((row) => row.sum)
    ? [`/invoice/entries/${'0'.repeat(36)}`]
    : rows.filter((row) => !row.sum).map(({ open }) => open)
}

test('every figure of a tax report leads to its documents in two clicks', { timeout: 300_000 }, async () => {
  const { rows: reports } = await get<{ rows: Listing[] }>('/api4/invoice/reports')
  const ofTax = reports.filter(({ group }) => group === 'tax')
  expect(ofTax.length).toBeGreaterThan(10)
  const seen = new Map<string, (string | null | undefined)[]>()
  const lost: string[] = []
  for (const { name, filters } of ofTax) {
    const query = new URLSearchParams('from' in filters ? days : {})
    const { shape, rows } = await get<Answer>(`/api4/invoice/reports/${name}?${query}`)
    for (const row of rows.filter((one) => !one.sum))
      for (const [column, field] of Object.entries(shape.columns)) {
        if (field.kind !== 'money' || !isAmount(field) || !row[column]) continue
        const path = (field.opens ? row[field.opens] : undefined) ?? row.open
        if (typeof path !== 'string') lost.push(`${name}.${column}: opens nothing (${JSON.stringify(row)})`)
        else if (!isRecord(path)) {
          if (!seen.has(path)) seen.set(path, await rowsAt(path, reports))
          const leads = seen.get(path)!
          if (!leads.length) lost.push(`${name}.${column}: ${path} is empty`)
          for (const one of leads)
            if (typeof one !== 'string' || !isRecord(one)) lost.push(`${name}: ${path} leads to ${one}`)
        }
      }
  }
  expect([...new Set(lost)]).toEqual([])
  // Reports that show nothing would lead everywhere.
  expect(seen.size).toBeGreaterThan(10)
})

test('the documents behind a figure come to it', { timeout: 300_000 }, async () => {
  const { from, to } = { from: '2026-01-01', to: '2026-08-31' }
  const report = (name: string, more = '') =>
    get<Answer>(`/api4/invoice/reports/${name}?from=${from}&to=${to}${more}`)
  const { rows } = await report('vat')
  for (const { line, fromDocumentsAgorot } of rows) {
    const { totals } = await report('vatPapers', line === 'toPay' ? '' : `&line=${String(line)}`)
    expect([line, totals[`${String(line)}Agorot`]]).toEqual([line, fromDocumentsAgorot])
  }
  const { totals } = await report('advances')
  expect((await report('filingPapers', '&form=turnover')).totals.turnoverAgorot).toBe(totals.turnoverAgorot)
  expect((await report('filingPapers', '&form=withheldFromUs')).totals.withheldAgorot).toBe(
    totals.withheldAgorot,
  )
  const paid = (await report('form102')).totals
  const payments = (await report('filingPapers', '&form=paid')).totals
  expect([payments.paidAgorot, payments.withheldAgorot]).toEqual([paid.grossAgorot, paid.withheldAgorot])
})

test('the year shows what changed since filing', async () => {
  const { rows } = await get<Answer>(`/api4/invoice/reports/vatChanges?from=${days.from}&to=${days.to}`)
  expect(rows.map(({ kind }) => kind)).toEqual(['late', 'late'])
})

test(
  'the yearly returns of withholding and form 6111 lead to the entries of each figure',
  { timeout: 120_000 },
  async () => {
    const year = 2026
    const { rows: reports } = await get<{ rows: Listing[] }>('/api4/invoice/reports')
    const lost: string[] = []
    const follow = async (what: string, path: string) => {
      const leads = await rowsAt(path, reports)
      if (!leads.length || leads.some((one) => typeof one !== 'string' || !isRecord(one)))
        lost.push(`${what}: ${path} leads to ${leads.join()}`)
    }
    const totalsAt = async (path: string, name: string) =>
      (await get<Answer>(`/api4/invoice/reports/${name}${path.slice(path.indexOf('?'))}`)).totals

    const of856 = await callAs(world, form856, { year }, { token })
    expect(of856.rows.length).toBeGreaterThan(0)
    for (const row of of856.rows) {
      const path = opensPayee(row.supplierId, year)
      await follow(`856 ${row.name}`, path)
      const { paidAgorot, withheldAgorot } = await totalsAt(path, 'filingPapers')
      expect([row.name, paidAgorot, withheldAgorot]).toEqual([row.name, row.grossAgorot, row.withheldAgorot])
    }

    // Customers of the demo withhold nothing: one does.
    const { rows: customers } = await get<{ rows: { id: string }[] }>('/api4/invoice/customers?size=10')
    await callAs(
      world,
      createDocument,
      { type: 6, customerId: customers[0]!.id, payments: [{ means: 7, amountAgorot: 50_000 }] },
      { token },
    )
    const withheld = await callAs(world, withheldByCustomers, { year }, { token })
    expect(withheld.rows.length).toBeGreaterThan(0)
    for (const row of withheld.rows) {
      const path = opensReceipts(year, row.customerId)
      await follow(`withheld by ${row.name}`, path)
      const totals = await totalsAt(path, 'withheldReceipts')
      expect([row.name, totals.withheldAgorot]).toEqual([row.name, row.withheldAgorot])
    }

    const form = await callAs(world, form6111, { year }, { token })
    const lines = [...form.profitAndLoss, ...form.balanceSheet].flatMap(({ accounts }) => accounts)
    expect(lines.length).toBeGreaterThan(10)
    // Figures that no account has, such as the profit of the year, are lines of the form themselves.
    for (const { accountId, account } of lines)
      if (accountId) await follow(`6111 ${account}`, opensCard(accountId, year))
    expect(lost).toEqual([])
  },
)
