import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { documents } from '#features/sales/documents/documents.ts'
import { expenses } from '#features/purchases/expenses/expenses.ts'
import { standingOrders } from '#features/money/standingOrders/standingOrders.ts'
import type { Resource } from '#kit/describe/resource.ts'
import { rowSums } from '#kit/web/screens/sums.ts'

const row = (of: object) => ({ id: 'x', ...of }) as Record<string, unknown>
const sumsOf = (resource: Resource<any>, rows: object[]) =>
  rowSums(resource, rows.map(row)).map(({ name, isOfSome, byCurrency }) => [
    name,
    isOfSome,
    Object.fromEntries(byCurrency),
  ])

const invoice = { type: 8, currency: 'ILS', totalAgorot: 11_800, openAgorot: 11_800, adds: 'always' }
const euro = { ...invoice, currency: 'EUR', totalAgorot: 2_622, openAgorot: 10_357 }
const quote = { ...invoice, type: 1, openAgorot: 0, adds: 'kind' }
const receipt = { ...invoice, type: 6, openAgorot: -5_000, adds: 'kind' }
const cancelled = { ...invoice, openAgorot: 0, adds: 'never' }

describe('the totals of a list of documents', () => {
  test('add what is owed in shekels, whatever the document is in', () => {
    expect(sumsOf(documents, [invoice, euro])).toEqual([
      ['totalAgorot', false, { ILS: 11_800, EUR: 2_622 }],
      ['openAgorot', false, { ILS: 22_157 }],
    ])
  })
  test('of several types add income alone, and say so', () => {
    expect(sumsOf(documents, [quote, invoice, receipt])).toEqual([
      ['totalAgorot', true, { ILS: 11_800 }],
      ['openAgorot', false, { ILS: 6_800 }],
    ])
    expect(sumsOf(documents, [quote, receipt])).toEqual([['openAgorot', false, { ILS: -5_000 }]])
  })
  test('of one type add all that were not cancelled', () => {
    expect(sumsOf(documents, [quote, quote])[0]).toEqual(['totalAgorot', false, { ILS: 23_600 }])
    expect(sumsOf(documents, [invoice, cancelled])[0]).toEqual(['totalAgorot', false, { ILS: 11_800 }])
  })
  test('add nothing for a person who may not see amounts', () => {
    expect(sumsOf(documents, [{ ...invoice, totalAgorot: null, openAgorot: null }])).toEqual([])
  })
})

test('expenses are added in the currency of the books, orders each in its own', () => {
  expect(
    sumsOf(expenses, [{ currency: 'USD', totalAgorot: 3_700, vatAgorot: 0, openAgorot: 3_700 }])[0],
  ).toEqual(['totalAgorot', false, { ILS: 3_700 }])
  expect(
    sumsOf(standingOrders, [
      { currency: 'USD', sumAgorot: 100, broughtAgorot: 0, failedAgorot: 0 },
      { currency: 'ILS', sumAgorot: 200, broughtAgorot: 0, failedAgorot: 0 },
    ])[0],
  ).toEqual(['sumAgorot', false, { USD: 100, ILS: 200 }])
})

/*
 * Every list with records in currencies of their own says of each total in which it is: the record's own, or that of the
 * books.
 */
const ownCurrency = new Set([
  'documents.totalAgorot',
  'standingOrders.sumAgorot',
  'standingOrders.broughtAgorot',
  'standingOrders.failedAgorot',
  'banklines.amountAgorot',
])

async function everyResource(): Promise<Resource<any>[]> {
  const found = execFileSync('grep', ['-rl', 'defineResource(', 'src/features', '--include=*.ts'], {
    encoding: 'utf8',
  })
  const modules = await Promise.all(
    found
      .trim()
      .split('\n')
      .map((path) => import(join(process.cwd(), path)) as Promise<Record<string, unknown>>),
  )
  return modules
    .flatMap((module) => Object.values(module))
    .filter(
      (one): one is Resource<any> =>
        typeof one === 'object' && one !== null && 'list' in one && 'fields' in one,
    )
}

test('every total of a list with currencies is in one that was said', async () => {
  const resources = await everyResource()
  expect(resources.length).toBeGreaterThan(30)
  const unsaid = resources.flatMap((resource) => {
    const fields = resource.fields as Record<string, { kind: string; inShekels?: boolean }>
    if (!fields.currency) return []
    return ((resource.list.totals ?? []) as string[])
      .filter((name) => fields[name]!.kind === 'money' && !fields[name]!.inShekels)
      .map((name) => `${resource.name}.${name}`)
  })
  expect(unsaid.filter((name) => !ownCurrency.has(name))).toEqual([])
  expect([...ownCurrency].filter((name) => !unsaid.includes(name))).toEqual([])
})
