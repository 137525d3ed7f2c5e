import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '#kit/describe/endpoint.ts'
import { addDays, dayInJerusalem } from '#domain/day.ts'
import { outputSchema, type JsonSchema } from '#kit/server/openapi/schemas.ts'
import { createPayment } from '#features/sales/payments/endpoints.ts'
import { implementations } from '../src/features.ts'
import { smallWorld } from './examples.ts'
import { newBusiness, startWorld, type Business, type World } from './world.ts'

/*
 * One thing has one shape: a row of a list and the record that is read by its id say the same under the same names, and
 * what a record calls a value the list calls it too.
 */

let world: World
let me: Business
beforeAll(async () => {
  world = await startWorld()
  me = await newBusiness(world)
  const ids = await smallWorld(me)
  const day = dayInJerusalem(new Date())
  const invoice = await me.invoice(ids.customers!, '1000')
  await me.call(createPayment, {
    customerId: ids.customers!,
    payments: [{ means: 1, amountAgorot: 10_000 }],
    apply: [{ documentId: invoice.id, amountAgorot: 10_000 }],
  } as never)
  await me.send('POST', '/api4/invoice/expenses', {
    supplierId: ids.suppliers,
    paper: 'taxInvoice',
    supplierNumber: '77',
    date: day,
    dueDate: addDays(day, 30),
    means: 'onCredit',
    lines: [{ typeId: ids.expensetypes, netAgorot: 10_000, vatAgorot: 1800 }],
  })
}, 120_000)
afterAll(() => world.close())

/** The same name has another meaning in the list; it is kept as long as programs read it. */
const other: Readonly<Record<string, readonly string[]>> = {
  // The address in one line.
  'documents.list': ['deliverTo'],
  // How many there are; `expand` gives them.
  'entries.list': ['lines', 'open'],
  'deposits.list': ['cheques'],
  // The numbers of the bills in one text; `expand=bills` gives them.
  'supplierpayments.list': ['bills'],
  // What is open and can be matched; the record is a match.
  'matches.list': ['kind'],
}

const rowOf = (endpoint: Endpoint): JsonSchema | undefined => {
  const row = outputSchema(endpoint).properties?.rows?.items
  return row?.properties ? row : undefined
}
const calls = implementations
  .map(({ endpoint }) => endpoint)
  .filter(({ method, file }) => method === 'GET' && !file)
/** Each list, and the call that reads one record of it. */
const pairs = calls.flatMap((list) => {
  const row = rowOf(list)
  const record = calls.find((one) => one.path.replace(/\/\{\w+\}$/, '') === list.path && one !== list)
  return row && record
    ? [{ list, record, row: row.properties!, one: outputSchema(record).properties ?? {} }]
    : []
})

/** What a value may be, without null; a whole number is a number. */
const kindsOf = ({ type, anyOf = [], oneOf = [] }: JsonSchema): string[] => [
  ...new Set(
    [...(type === undefined ? [] : [type].flat()), ...[...anyOf, ...oneOf].flatMap(kindsOf)]
      .filter((kind) => kind !== 'null')
      .map((kind) => (kind === 'integer' ? 'number' : kind)),
  ),
]

test('a row and its record give values of the same kind under the same name', () => {
  expect(pairs.length).toBeGreaterThan(60)
  const wrong = pairs.flatMap(({ list, row, one }) =>
    Object.keys(row).flatMap((name) => {
      if (!one[name] || other[list.name]?.includes(name)) return []
      const [mine, its] = [kindsOf(row[name]!), kindsOf(one[name])]
      return !mine.length || !its.length || mine.some((kind) => its.includes(kind))
        ? []
        : [`${list.name} ${name}: ${mine.join()} and ${its.join()}`]
    }),
  )
  expect(wrong).toEqual([])
})

test('what the record calls a value the row calls it too', () => {
  const wrong = pairs.flatMap(({ list, row, one }) =>
    Object.keys(one).flatMap((name) => {
      if (row[name]) return []
      const inList = name.endsWith('Name')
        ? name.replace(/Name$/, 'IdName')
        : name.replace(/(d|D)ate$/, '$1ay')
      return inList !== name && row[inList] ? [`${list.name}: ${inList} is ${name} of its record`] : []
    }),
  )
  expect(wrong).toEqual([])
})

test('where a list answers more along with its rows, the record does too', () => {
  const takes = ({ input }: Endpoint) => 'expand' in ((input as { shape?: object }).shape ?? {})
  expect(
    pairs.filter(({ list, record }) => takes(list) && !takes(record)).map(({ list }) => list.name),
  ).toEqual([])
})

test('a row says what its record says', { timeout: 120_000 }, async () => {
  const wrong: string[] = []
  const seen = new Set<string>()
  for (const { list, record, row, one } of pairs) {
    if (/\{/.test(list.path) || list.name === 'matches.list') continue
    const { rows = [] } = await me
      .get<{ rows?: Record<string, unknown>[] }>(list.path)
      .catch(() => ({ rows: [] as Record<string, unknown>[] }))
    for (const each of rows.slice(0, 3)) {
      if (typeof each.id !== 'string') continue
      const whole = await me
        .get<Record<string, unknown>>(record.path.replace(/\{\w+\}/, each.id))
        .catch(() => undefined)
      if (!whole) continue
      seen.add(list.name)
      for (const name of Object.keys(row)) {
        if (!one[name] || other[list.name]?.includes(name)) continue
        // Days and moments, texts and lists: the same in both. The record may hold more of a part.
        const [mine, its] = [each[name] ?? null, whole[name] ?? null]
        if (mine === null && (its === '' || its === null)) continue
        if (mine !== null && typeof mine === 'object') expect(its, `${list.name} ${name}`).toMatchObject(mine)
        else if (mine !== its) wrong.push(`${list.name} ${name}: ${String(mine)} and ${String(its)}`)
      }
    }
  }
  expect([...seen]).toEqual(
    expect.arrayContaining(['documents.list', 'expenses.list', 'payments.list', 'customers.list']),
  )
  expect([...new Set(wrong)]).toEqual([])
})

test('a record answers more along with it, as its list does', async () => {
  const { rows } = await me.get('/api4/invoice/documents?expand=customerId')
  const one = await me.get(`/api4/invoice/documents/${rows[0].id}?expand=customerId,lines`)
  expect(one.expanded.customerId).toEqual(rows[0].expanded.customerId)
  expect(one.expanded.lines).toEqual(one.lines)
  await expect(me.get(`/api4/invoice/documents/${rows[0].id}?expand=nothing`)).rejects.toMatchObject({
    status: 422,
    errors: [{ path: 'expand', code: 'fields.choice' }],
  })
  const { rows: bills } = await me.get('/api4/invoice/expenses?expand=supplierId,lines&date.gte=2020-01-01')
  expect(bills[0]).toMatchObject({ supplierName: bills[0].supplierIdName, date: bills[0].day })
  const bill = await me.get(`/api4/invoice/expenses/${bills[0].id}?expand=supplierId`)
  expect(bill.expanded.supplierId.name).toBe(bills[0].supplierName)
  expect(bills[0].expanded.lines).toEqual(bill.lines)
})
