import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BusinessKind } from '#domain/documents/kinds.ts'
import { checkPeriod } from '#features/books/periods/endpoints.ts'
import { listMissing, postMissing } from '#features/books/proof/endpoints.ts'
import * as vat from '#features/tax/vat/endpoints.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import * as calls from './endpoints.ts'

/*
 * A total of zero says that nothing is left to pay, not that nothing happened: such a document posts like any other, and
 * both ways to the VAT agree.
 */

let world: World
beforeAll(async () => {
  world = await startWorld(() => new Date('2026-11-15T09:00:00Z'))
})
afterAll(() => world.close())

async function business(kind: BusinessKind = 'licensedDealer') {
  const made = await newBusiness(world, { kind })
  await made.send('PATCH', '/api4/invoice/company', { vatPeriodMonths: 1, backDating: true })
  return { ...made, customerId: (await made.customer('כהן')).id }
}

const line = (unitPrice: string, vatKind: 1 | 2 | 3 | 4, quantity = '1') => ({
  description: 'עבודה',
  quantity,
  unitPrice,
  vatKind,
})

const entriesOf = async (made: Business, id: string) =>
  (await made.call(calls.entriesOfDocument, { id })).rows
    .map((r): [string, number] => [r.number, r.debitAgorot - r.creditAgorot])
    .toSorted(([one], [other]) => (one < other ? -1 : 1))

/** As documents stand that an earlier version issued. */
const withoutEntry = (id: string) =>
  world.app.db.kysely.connection().execute(async (connection) => {
    await sql.raw('set session_replication_role = replica').execute(connection)
    await sql`delete from postings
      where entry_id in (select id from entries where document_id = ${id})`.execute(connection)
    const { rows } = await sql<{ company: string }>`delete from entries where document_id = ${id}
      returning company_id as company`.execute(connection)
    await sql`delete from account_months where company_id = ${rows[0]!.company}`.execute(connection)
    await sql.raw('set session_replication_role = origin').execute(connection)
  })

const balances = async (made: Business) => {
  const { rows } = await made.get<{ rows: { number: string; balanceAgorot: number }[] }>(
    '/api4/invoice/reports/trialBalance?from=2026-01-01&to=2026-12-31',
  )
  return Object.fromEntries(
    rows.flatMap((r) => (r.number && r.balanceAgorot ? [[r.number, r.balanceAgorot]] : [])),
  )
}

/** What its lines charge, and what then covers it to zero. */
const covered = [line('1000', 1), line('1180', 3, '-1')]
const posted = [
  ['2100', -18_000],
  ['2310', 118_000],
  ['4000', -100_000],
]

describe('a total of zero', () => {
  test('a final invoice covered by a deposit posts income and VAT, and its month is filed', async () => {
    const made = await business()
    await made.call(calls.createDocument, {
      type: 14,
      customerId: made.customerId,
      date: '2026-10-01',
      payments: [{ means: 3, amountAgorot: 118_000 }],
    })
    const { id, status, totals } = await made.call(calls.createDocument, {
      type: 8,
      customerId: made.customerId,
      date: '2026-10-20',
      lines: covered,
    })
    expect(totals.totalAgorot).toBe(0)
    expect(status).toBe('closed')
    expect(await entriesOf(made, id)).toEqual(posted)
    expect(await balances(made)).toEqual({ '1010': 118_000, '2100': -18_000, '4000': -100_000 })
    const { figures, differences } = await made.call(vat.vatPeriodFacts, { period: '2026-10' })
    expect(differences).toEqual([])
    expect(figures.find((f) => f.name === 'outputVat')!.exactAgorot).toBe(18_000)
    await made.call(vat.fileReturn, { period: '2026-10', kind: 'return' })
  })

  test.each([
    ['exempt against returned taxed', [line('118', 4), line('100', 1, '-1')], [['2100', 1_800]]],
    ['a discount of everything', [line('0', 1)], []],
  ] as const)('%s', async (_name, lines, expected) => {
    const made = await business()
    const { id, totals } = await made.call(calls.createDocument, {
      type: 8,
      customerId: made.customerId,
      date: '2026-10-20',
      lines: [...lines],
    })
    expect(totals.totalAgorot).toBe(0)
    const entries = await entriesOf(made, id)
    expect(entries.filter(([number]) => number === '2100')).toEqual(expected)
    expect(entries.reduce((sum, [, amount]) => sum + amount, 0)).toBe(0)
    const { differences } = await made.call(vat.vatPeriodFacts, { period: '2026-10' })
    expect(differences).toEqual([])
  })

  test('a total that is rounded to zero posts what was rounded away', async () => {
    const made = await business()
    const { id, totals } = await made.call(calls.createDocument, {
      type: 8,
      customerId: made.customerId,
      date: '2026-10-20',
      rounding: 'whole',
      lines: [line('0.40', 1)],
    })
    expect(totals.totalAgorot).toBe(0)
    expect(await entriesOf(made, id)).toEqual([
      ['2100', -7],
      ['4000', -40],
      ['8900', 47],
    ])
    expect((await made.call(vat.vatPeriodFacts, { period: '2026-10' })).differences).toEqual([])
  })

  test('its credit takes all of it back, once', async () => {
    const made = await business()
    const { id } = await made.call(calls.createDocument, {
      type: 8,
      customerId: made.customerId,
      date: '2026-10-20',
      lines: covered,
    })
    const credit = await made.call(calls.creditDocument, { id, reason: 'טעות', date: '2026-11-02' })
    expect(await entriesOf(made, credit.id)).toEqual(posted.map(([number, amount]) => [number, -amount!]))
    expect(await balances(made)).toEqual({})
    await expect(
      made.call(calls.creditDocument, { id, reason: 'טעות', date: '2026-11-02' }),
    ).rejects.toMatchObject({ code: 'documents.nothingLeft' })
    const again = await made.call(calls.createDocument, {
      type: 8,
      customerId: made.customerId,
      date: '2026-11-03',
      lines: covered,
    })
    await made.call(calls.cancelDocument, { id: again.id, reason: 'טעות' })
    expect(await balances(made)).toEqual({})
    for (const period of ['2026-10', '2026-11'])
      expect((await made.call(vat.vatPeriodFacts, { period })).differences).toEqual([])
  })

  test('on cash basis it counts on its own day, because no payment will come', async () => {
    const made = await business()
    await made.call(vat.changeVatBasis, { basis: 'cash', from: '2026-10-01' })
    await made.call(calls.createDocument, {
      type: 8,
      customerId: made.customerId,
      date: '2026-10-20',
      lines: covered,
    })
    const { figures, differences } = await made.call(vat.vatPeriodFacts, { period: '2026-10' })
    expect(differences).toEqual([])
    expect(figures.find((f) => f.name === 'outputVat')!.exactAgorot).toBe(18_000)
    await made.call(vat.fileReturn, { period: '2026-10', kind: 'return' })
  })

  test('an invoice with its receipt needs no payment', async () => {
    const made = await business()
    const input = { type: 9, customerId: made.customerId, date: '2026-10-20' }
    const { id } = await made.call(calls.createDocument, { ...input, lines: covered })
    expect(await entriesOf(made, id)).toEqual(posted)
    await made.call(calls.cancelDocument, { id, reason: 'טעות' })
    expect(await balances(made)).toEqual({})
    await expect(made.call(calls.createDocument, { ...input, lines: [line('0', 1)] })).rejects.toMatchObject({
      errors: [{ path: 'payments', code: 'documents.noPayments' }],
    })
  })

  test('of an exempt dealer too, whose receipt is the income', async () => {
    const made = await business('exemptDealer')
    const { id } = await made.call(calls.createDocument, {
      type: 6,
      customerId: made.customerId,
      date: '2026-10-20',
      lines: [line('1000', 4), line('1000', 3, '-1')],
    })
    expect(await entriesOf(made, id)).toEqual([
      ['2310', 100_000],
      ['4000', -100_000],
    ])
    const { totals } = await made.get<{ totals: { netAgorot: number } }>(
      '/api4/invoice/reports/income?from=2026-10-01&to=2026-10-31',
    )
    expect(totals.netAgorot).toBe(100_000)
    await made.call(calls.cancelDocument, { id, reason: 'טעות' })
    expect(await balances(made)).toEqual({})
    await expect(
      made.call(calls.createDocument, { type: 6, customerId: made.customerId, date: '2026-10-20' }),
    ).rejects.toMatchObject({ errors: [{ path: 'payments', code: 'documents.noPayments' }] })
  })

  test('what an earlier version left without its entry is found, reviewed and posted by a person', async () => {
    const made = await business()
    const { id } = await made.call(calls.createDocument, {
      type: 8,
      customerId: made.customerId,
      date: '2026-10-20',
      lines: covered,
    })
    expect((await made.call(listMissing, {})).rows).toEqual([])
    expect((await made.call(vat.vatPeriodFacts, { period: '2026-10' })).missingEntries).toBe(0)
    await withoutEntry(id)
    expect(await balances(made)).toEqual({})
    const { rows } = await made.call(listMissing, {})
    expect(rows).toMatchObject([
      { id, type: 8, period: { from: '2026-10-01', to: '2026-10-31' }, isLocked: false },
    ])
    expect(
      rows[0]!.lines
        .map(({ number, amountAgorot }) => [number, amountAgorot])
        .toSorted(([one], [other]) => (one! < other! ? -1 : 1)),
    ).toEqual(posted)
    // The VAT of its period and the list before closing lead there.
    const facts = await made.call(vat.vatPeriodFacts, { period: '2026-10' })
    expect([facts.missingEntries, facts.differences.length > 0]).toEqual([1, true])
    const closing = await made.call(checkPeriod, { kind: 'month', from: '2026-10-01' })
    expect(closing.checks.find(({ name }) => name === 'missingEntries')).toEqual({
      name: 'missingEntries',
      state: 'stop',
      count: 1,
      open: '/invoice/booksproof',
    })
    await expect(made.call(postMissing, { documentIds: [id], reason: '' })).rejects.toMatchObject({
      status: 422,
    })
    const reason = 'נבדק מול החשבונית'
    expect(await made.call(postMissing, { documentIds: [id], reason })).toEqual({ posted: 1 })
    expect(await made.call(postMissing, { documentIds: [id], reason })).toEqual({ posted: 0 })
    expect(await entriesOf(made, id)).toEqual(posted)
    expect((await made.call(listMissing, {})).rows).toEqual([])
    await made.call(vat.fileReturn, { period: '2026-10', kind: 'return' })
    const { rows: log } = await sql<{ after: { reason: string } }>`select after from audit_log
      where action = 'documents.postMissing' and entity_id = ${id}`.execute(world.app.db.kysely)
    expect(log.map(({ after }) => after.reason)).toEqual([reason])
  })

  test('of a receipt that is income, and of its cancellation, too', async () => {
    const made = await business('exemptDealer')
    const { id } = await made.call(calls.createDocument, {
      type: 6,
      customerId: made.customerId,
      date: '2026-10-20',
      lines: [line('1000', 4), line('1000', 3, '-1')],
    })
    await made.call(calls.cancelDocument, { id, reason: 'טעות' })
    const { rows: both } = await sql<{ id: string }>`select d.id from documents d
      where d.company_id = (select company_id from documents where id = ${id}) and d.type = 6
      order by d.number`.execute(world.app.db.kysely)
    expect(both).toHaveLength(2)
    for (const one of both) await withoutEntry(one.id)
    const found = (await made.call(listMissing, {})).rows
    expect(found.map((row) => row.id)).toEqual(both.map((one) => one.id))
    expect(found.map(({ lines }) => lines.find(({ number }) => number === '4000')!.amountAgorot)).toEqual([
      -100_000, 100_000,
    ])
    await made.call(postMissing, { documentIds: both.map((one) => one.id), reason: 'נבדק' })
    expect((await made.call(listMissing, {})).rows).toEqual([])
    expect(await balances(made)).toEqual({})
  })

  test('a bill whose lines cancel each other is entered', async () => {
    const made = await business()
    const { rows } = await made.get<{ rows: { id: string; vatShare: string; isFixedAsset: boolean }[] }>(
      '/api4/invoice/expensetypes?size=100',
    )
    const typeId = rows.find((one) => one.vatShare === 'full' && !one.isFixedAsset)!.id
    const bill = (lines: object[], supplierNumber = '77') =>
      made.send('POST', '/api4/invoice/expenses', {
        supplier: { name: 'ספק' },
        supplierNumber,
        date: '2026-10-05',
        means: 'bank',
        lines,
      })
    await bill([
      { typeId, netAgorot: 10_000, vatAgorot: 1_800 },
      { typeId, netAgorot: -11_800, vatAgorot: 0 },
    ])
    expect((await balances(made))['1200']).toBe(1_800)
    expect((await made.call(vat.vatPeriodFacts, { period: '2026-10' })).differences).toEqual([])
    await expect(bill([{ typeId, netAgorot: 0, vatAgorot: 0 }], '78')).rejects.toMatchObject({
      errors: [{ code: 'expenses.zeroTotal' }],
    })
  })
})
