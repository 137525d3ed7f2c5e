import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { InputOf } from '#kit/describe/endpoint.ts'
import { asSystem, inCompany } from '#kit/server/data/db.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { addEntry, cardLines, getEntry, listEntries } from '#features/base/ledger/endpoints.ts'
import { previewRevaluation } from '#features/books/revaluation/endpoints.ts'
import { runImport, uploadImport } from '#features/registers/imports/endpoints.ts'
import * as calls from './endpoints.ts'

let world: World
let shop: Business
let facts: calls.JournalFacts
let companyId: string
const id = (number: string) => facts.accounts.find((a) => a.number === number)!.id
const code = (kind: string) => facts.vatCodes.find((c) => c.code === kind)!.id

beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  shop = await newBusiness(world)
  facts = await shop.call(calls.journalFacts, {})
  companyId = (await shop.get('/api/user/session')).companyId
})

const line = (more: Partial<calls.LineInput> = {}): calls.LineInput => ({
  day: '2026-03-01',
  debitAccountId: id('6010'),
  creditAccountId: id('1010'),
  amountAgorot: 11_800,
  ...more,
})
const batchWith = (...lines: calls.LineInput[]) =>
  shop.call(calls.createBatch, { name: 'מרץ', lines: lines.map((one, position) => ({ ...one, position })) })
const balanceOf = async (number: string) =>
  (
    (await shop.get('/api5/invoicecpa/accounts?size=200')).rows as { number: string; balanceAgorot: number }[]
  ).find((a) => a.number === number)!.balanceAgorot
const posted = async (...lines: calls.LineInput[]) => {
  const { id: batch } = await batchWith(...lines)
  await shop.call(calls.checkBatch, { id: batch })
  return shop.call(calls.postBatch, { id: batch })
}

describe('a batch', () => {
  test('is typed, checked and posted, and its entries stand in the books', async () => {
    const batch = await batchWith(
      line({ vatCodeId: code('4'), reference: '77', details: 'שכירות' }),
      line({ creditAccountId: null, amountAgorot: 700 }),
      line({ debitAccountId: null, creditAccountId: id('1000'), amountAgorot: 700 }),
    )
    expect(batch).toMatchObject({ number: 1, state: 'open', lines: 3, entries: 0, faults: [] })
    expect(await balanceOf('6010')).toBe(0)
    await expect(shop.call(calls.postBatch, { id: batch.id })).rejects.toMatchObject({
      code: 'journal.notChecked',
    })
    expect(await shop.call(calls.checkBatch, { id: batch.id })).toMatchObject({ state: 'checked' })
    expect(await shop.call(calls.postBatch, { id: batch.id })).toMatchObject({
      state: 'posted',
      entries: 2,
      debitAgorot: 12_500,
    })
    expect([
      await balanceOf('6010'),
      await balanceOf('1200'),
      await balanceOf('1010'),
      await balanceOf('1000'),
    ]).toEqual([10_700, 1800, -11_800, -700])
    const { rows } = await shop.call(listEntries, { from: '2026-03-01', to: '2026-03-31', batch: batch.id })
    expect(rows.map((row) => [row.kind, row.batch, row.totalAgorot])).toEqual([
      ['manual', 1, 700],
      ['manual', 1, 11_800],
    ])
    expect((await shop.call(getEntry, { id: rows[1]!.id })).lines).toHaveLength(3)
  })

  test('that was checked is open again when it is changed, and lines come, change and go', async () => {
    const batch = await batchWith(line(), line({ amountAgorot: 5 }))
    await shop.call(calls.checkBatch, { id: batch.id })
    const [first, second] = batch.rows
    const kept = await shop.call(calls.keepLines, {
      id: batch.id,
      put: [line({ id: first!.id, amountAgorot: 42 }), line({ position: 9, details: 'שלישית' })],
      drop: [second!.id],
    })
    expect(kept.ids[0]).toBe(first!.id)
    expect(kept.faults).toEqual([])
    const now = await shop.call(calls.getBatch, { id: batch.id })
    expect(now.state).toBe('open')
    expect(now.rows.map((row) => [row.amountAgorot, row.details])).toEqual([
      [42, ''],
      [11_800, 'שלישית'],
    ])
    await expect(shop.call(calls.postBatch, { id: batch.id })).rejects.toMatchObject({
      code: 'journal.notChecked',
    })
  })

  test('is told with each kept line what is wrong in it now, with the lines that stood there before', async () => {
    const batch = await batchWith(line({ creditAccountId: null, amountAgorot: 700 }))
    const [first] = batch.rows
    expect(batch.faults).toMatchObject([{ lineId: first!.id, code: 'journal.open' }])
    const second = line({ id: crypto.randomUUID(), position: 1, debitAccountId: null, amountAgorot: 600 })
    const kept = await shop.call(calls.keepLines, { id: batch.id, put: [second] })
    expect(kept.faults).toMatchObject([{ lineId: second.id, code: 'journal.open' }])
    expect(kept.faults).toEqual((await shop.call(calls.getBatch, { id: batch.id })).faults)
    expect(
      (await shop.call(calls.keepLines, { id: batch.id, put: [{ ...second, amountAgorot: 700 }] })).faults,
    ).toEqual([])
  })

  test('is found by its number, its name and its kind; what was put away is asked for by name', async () => {
    const first = await batchWith(line())
    const second = await shop.call(calls.createBatch, { name: 'שכר אפריל', lines: [] })
    await shop.call(calls.keepLines, { id: first.id, name: 'בנק 50% מרץ', put: [], drop: [] })
    const found = async (asked: object) =>
      (await shop.call(calls.listBatches, asked)).rows.map(({ number }) => number)
    expect(await found({ q: 'אפריל' })).toEqual([second.number])
    expect(await found({ q: '50%' })).toEqual([first.number])
    expect(await found({ q: '%' })).toEqual([first.number])
    expect(await found({ q: String(first.number) })).toEqual([first.number])
    expect(await found({ kind: 'imported' })).toEqual([])
    await shop.call(calls.dropBatch, { id: second.id })
    expect(await found({})).toEqual([first.number])
    expect(await found({ state: 'dropped' })).toEqual([second.number])
  })

  test('is listed in pages, with a cursor only when there are more', async () => {
    const numbers: number[] = []
    const make = async () => void numbers.unshift((await batchWith(line())).number)
    for (let n = 0; n < 10; n++) await make()
    const seen = async (more: object = {}) => {
      const { rows, nextCursor } = await shop.call(calls.listBatches, { size: 10, ...more })
      return { numbers: rows.map(({ number }) => number), nextCursor }
    }
    expect(await seen()).toEqual({ numbers, nextCursor: null })
    await make()
    expect(await seen()).toEqual({ numbers: numbers.slice(0, 10), nextCursor: numbers[9] })
    expect(await seen({ cursor: numbers[9] })).toEqual({ numbers: numbers.slice(10), nextCursor: null })
  })

  test('is refused with every fault at its cell', async () => {
    const batch = await batchWith(
      line({ debitAccountId: id('1100') }),
      line({ creditAccountId: id('2000') }),
      line({ amountAgorot: 0 }),
      line({ creditAccountId: null, amountAgorot: 700 }),
    )
    const faults = batch.faults.map(({ lineId, field, code: why }) => [
      batch.rows.findIndex((row) => row.id === lineId),
      field,
      why,
    ])
    expect(faults).toEqual([
      [0, 'debitAccountId', 'journal.controlCustomers'],
      [1, 'creditAccountId', 'journal.controlSuppliers'],
      [2, 'amountAgorot', 'journal.noAmount'],
      [3, 'amountAgorot', 'journal.open'],
    ])
    await expect(shop.call(calls.checkBatch, { id: batch.id })).rejects.toMatchObject({
      code: 'journal.faulty',
      errors: [
        { path: 'lines.0.debitAccountId' },
        { path: 'lines.1.creditAccountId' },
        { path: 'lines.2.amountAgorot' },
        { path: 'lines.3.amountAgorot' },
      ],
    })
    await expect(shop.call(calls.checkBatch, { id: (await batchWith()).id })).rejects.toMatchObject({
      code: 'journal.empty',
    })
  })

  test('does not go into a closed period, nor with VAT into a reported one, even when closed after the check', async () => {
    const plain = await batchWith(line())
    const taxed = await batchWith(line({ vatCodeId: code('4') }))
    await shop.call(calls.checkBatch, { id: plain.id })
    await shop.call(calls.checkBatch, { id: taxed.id })
    const lock = (kind: string) =>
      sql`insert into locked_periods (company_id, id, kind, from_day, to_day)
        values (${companyId}, gen_random_uuid(), ${kind}, '2026-03-01', '2026-03-31')`.execute(
        world.app.db.kysely,
      )
    await lock('vat')
    await expect(shop.call(calls.postBatch, { id: taxed.id })).rejects.toMatchObject({
      errors: [{ path: 'lines.0.day', code: 'journal.vatPeriodClosed' }],
    })
    await lock('month')
    await expect(shop.call(calls.postBatch, { id: plain.id })).rejects.toMatchObject({
      errors: [{ path: 'lines.0.day', code: 'journal.periodClosed' }],
    })
    expect(await balanceOf('1010')).toBe(0)
  })

  test('once posted cannot be changed, by the server nor behind its back', async () => {
    const batch = await posted(line())
    await expect(shop.call(calls.keepLines, { id: batch.id, put: [line()] })).rejects.toMatchObject({
      code: 'journal.closed',
    })
    await expect(shop.call(calls.dropBatch, { id: batch.id })).rejects.toMatchObject({
      code: 'journal.closed',
    })
    await expect(shop.call(calls.postBatch, { id: batch.id })).rejects.toMatchObject({
      code: 'journal.closed',
    })
    const asApp = (work: ReturnType<typeof sql>) =>
      inCompany(world.app.db, { companyId, userId: '00000000-0000-0000-0000-000000000000' } as never, (tx) =>
        work.execute(tx),
      )
    for (const deed of [
      sql`update journal_lines set amount_agorot = 1 where batch_id = ${batch.id}`,
      sql`delete from journal_lines where batch_id = ${batch.id}`,
      sql`update journal_batches set state = 'open', posted_at = null where id = ${batch.id}`,
      sql`insert into journal_lines (company_id, id, batch_id, day, amount_agorot)
        values (${companyId}, gen_random_uuid(), ${batch.id}, '2026-01-01', 1)`,
    ])
      await expect(asApp(deed)).rejects.toThrow(/closed|never deleted/)
    await expect(
      asSystem(world.app.db, (tx) => sql`delete from journal_batches where id = ${batch.id}`.execute(tx)),
    ).rejects.toThrow(/never deleted/)
    await expect(
      asApp(sql`update batch_entries set batch_id = batch_id where batch_id = ${batch.id}`),
    ).rejects.toThrow()
  })

  test('numbers have no holes however many are opened at once', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => batchWith(line())))
    expect(made.map((one) => one.number).toSorted()).toEqual([1, 2, 3, 4, 5])
  })

  test('put away is no batch any more', async () => {
    const batch = await batchWith(line())
    await shop.call(calls.dropBatch, { id: batch.id })
    expect((await shop.call(calls.listBatches, {})).rows).toEqual([])
    await expect(shop.call(calls.checkBatch, { id: batch.id })).rejects.toMatchObject({
      code: 'journal.closed',
    })
  })
})

describe('undoing', () => {
  test('one entry, then the rest of its batch, and nothing twice', async () => {
    const batch = await posted(line(), line({ amountAgorot: 500, debitAccountId: id('6030') }))
    const first = batch.rows[0]!.entryId!
    const one = await shop.call(calls.reverseEntry, { id: first })
    expect(one).toMatchObject({ number: 2, entries: 1 })
    expect([await balanceOf('6010'), await balanceOf('6030')]).toEqual([0, 500])
    await expect(shop.call(calls.reverseEntry, { id: first })).rejects.toMatchObject({
      code: 'journal.alreadyReversed',
    })
    const rest = await shop.call(calls.reverseBatch, { id: batch.id, date: '2026-04-01' })
    expect(rest).toMatchObject({ number: 3, entries: 1 })
    expect(await balanceOf('1010')).toBe(0)
    await expect(shop.call(calls.reverseBatch, { id: batch.id })).rejects.toMatchObject({
      code: 'journal.alreadyReversed',
    })
    await expect(shop.call(calls.reverseBatch, { id: rest.batchId })).rejects.toMatchObject({
      code: 'journal.notReversible',
    })
    expect(await shop.call(calls.getBatch, { id: batch.id })).toMatchObject({ reversedByNumber: 3 })
    const undone = await shop.call(getEntry, { id: first })
    expect(undone.reversible).toBe(false)
    expect((await shop.call(getEntry, { id: undone.reversedById! })).reversesId).toBe(first)
  })

  test('what a document posted is undone where the document is', async () => {
    await shop.invoice((await shop.customer('כהן')).id, '100')
    const { rows } = await shop.call(listEntries, { from: '2020-01-01', to: '2099-12-31' })
    await expect(shop.call(calls.reverseEntry, { id: rows[0]!.id })).rejects.toMatchObject({
      code: 'journal.notReversible',
    })
    const year = Number(rows[0]!.day.slice(0, 4))
    expect((await shop.call(calls.automaticBatches, { year })).rows).toEqual([
      { kind: 'taxInvoice', month: `${rows[0]!.day.slice(0, 7)}-01`, entries: 1, debitAgorot: 11_800 },
    ])
  })
})

describe('opening balances', () => {
  const opening = (difference = 0) => [
    { accountId: id('1010'), debitAgorot: 50_000 },
    { accountId: id('1500'), debitAgorot: 30_000 + difference },
    { accountId: id('2500'), creditAgorot: 20_000 },
    { accountId: id('3000'), creditAgorot: 60_000 },
  ]
  test('are kept while they are entered, posted once as one entry, and can be undone and entered anew', async () => {
    await shop.call(calls.keepOpening, { date: '2026-01-01', lines: opening() })
    expect(await shop.call(calls.openingBalances, {})).toMatchObject({
      date: '2026-01-01',
      posted: null,
      lines: [{ debitAgorot: 50_000 }, {}, {}, {}],
    })
    const { batchId } = await shop.call(calls.postOpening, {})
    expect([await balanceOf('1010'), await balanceOf('3000'), await balanceOf('9000')]).toEqual([
      50_000, -60_000, 0,
    ])
    await expect(shop.call(calls.postOpening, {})).rejects.toMatchObject({ code: 'journal.openingPosted' })
    await expect(shop.call(calls.keepOpening, { date: '2026-01-01', lines: [] })).rejects.toMatchObject({
      code: 'journal.openingPosted',
    })
    expect((await shop.call(listEntries, { from: '2026-01-01', to: '2026-01-01' })).rows).toHaveLength(1)
    await shop.call(calls.reverseBatch, { id: batchId })
    expect(await balanceOf('1010')).toBe(0)
    await shop.call(calls.keepOpening, { date: '2026-02-01', lines: opening() })
    await shop.call(calls.postOpening, {})
    expect(await balanceOf('1010')).toBe(50_000)
  })
  test('leave a difference only when that was said', async () => {
    await shop.call(calls.keepOpening, { date: '2026-01-01', lines: opening(7) })
    await expect(shop.call(calls.postOpening, {})).rejects.toMatchObject({
      code: 'journal.openingDifference',
    })
    await shop.call(calls.postOpening, { leaveDifference: true })
    expect(await balanceOf('9000')).toBe(-7)
  })
  test('know no customers and suppliers: these owe what their papers say', async () => {
    for (const [number, why] of [
      ['1100', 'journal.controlCustomers'],
      ['2000', 'journal.controlSuppliers'],
      ['9000', 'fields.ref'],
    ] as const)
      await expect(
        shop.call(calls.keepOpening, {
          date: '2026-01-01',
          lines: [{ accountId: id(number), debitAgorot: 1 }],
        }),
      ).rejects.toMatchObject({
        errors: [{ path: 'lines.0.accountId', code: why }],
      })
    await expect(shop.call(calls.postOpening, {})).rejects.toMatchObject({ code: 'journal.empty' })
  })
})

describe('lines from a file', () => {
  const csv = (rows: string[]) =>
    Buffer.from(`תאריך,אסמכתא,פרטים,חשבון חובה,חשבון זכות,סכום\n${rows.join('\n')}\n`)

  test('come into a temporary batch, equal rows as two, faulty ones named', async () => {
    const rows = [
      '01/03/2026,11,שכירות,6010,1010,118.00',
      '01/03/2026,11,שכירות,6010,1010,118.00',
      '02/03/2026,12,טעות,7777777,1010,5',
      'לא יום,13,טעות,6010,1010,5',
    ]
    const file = await shop.call(uploadImport, {
      resource: 'journalLines',
      name: 'a.csv',
      check: 'true',
      bytes: csv(rows),
    })
    for (let i = 0; i < 20; i++) await world.worker.drain()
    const judged = await shop.get(`/api4/invoice/imports/${file.id}`)
    expect(judged.counts).toMatchObject({ create: 2, faulty: 2 })
    expect((await shop.call(calls.listBatches, {})).rows).toEqual([])
    await shop.call(runImport, { id: file.id, take: 'good' })
    for (let i = 0; i < 20; i++) await world.worker.drain()
    const { rows: batches } = await shop.call(calls.listBatches, {})
    expect(batches).toMatchObject([{ kind: 'imported', state: 'open', lines: 2, debitAgorot: 23_600 }])
    await shop.call(calls.checkBatch, { id: batches[0]!.id })
    await shop.call(calls.postBatch, { id: batches[0]!.id })
    expect(await balanceOf('6010')).toBe(23_600)
  })
})

test('a VAT code’s rate and share hold from their day on, each until the next; what was posted before stays', async () => {
  const term = (fromDay: string, more: object) =>
    shop.send('POST', '/api5/invoicecpa/vatCodeTerms', { vatCodeId: code('4'), fromDay, ...more })
  const before = await posted(line({ vatCodeId: code('4'), day: '2026-03-31' }))
  await term('2026-04-01', { rateBp: null, vatShare: 'twoThirds' })
  await term('2026-07-01', { rateBp: 1000, vatShare: 'full' })
  await expect(term('2026-07-01', { rateBp: 900 })).rejects.toMatchObject({
    errors: [{ path: 'fromDay', code: 'ledger.termTwice' }],
  })
  await expect(term('2026-08-01', { rateBp: 10_001 })).rejects.toMatchObject({ errors: [{ path: 'rateBp' }] })
  const stranger = await newBusiness(world)
  await expect(
    stranger.send('POST', '/api5/invoicecpa/vatCodeTerms', { vatCodeId: code('4'), fromDay: '2026-01-01' }),
  ).rejects.toMatchObject({
    errors: [{ path: 'vatCodeId' }],
  })
  await posted(
    line({ vatCodeId: code('4'), day: '2026-03-31' }),
    line({ vatCodeId: code('4'), day: '2026-04-01' }),
    line({ vatCodeId: code('4'), day: '2026-06-30' }),
    line({ vatCodeId: code('4'), day: '2026-07-01', amountAgorot: 11_000 }),
  )
  const card = await shop.call(cardLines, { id: id('1200'), from: '2026-01-01', to: '2026-12-31' })
  expect(card.rows.map((row) => [row.day, row.debitAgorot])).toEqual([
    ['2026-03-31', 1800],
    ['2026-03-31', 1800],
    ['2026-04-01', 1200],
    ['2026-06-30', 1200],
    ['2026-07-01', 1000],
  ])
  expect((await shop.call(calls.getBatch, { id: before.id })).rows).toHaveLength(1)
  // The grid works VAT out by the same terms, and the list says what holds today.
  const told = (await shop.call(calls.journalFacts, {})).vatCodes.find((one) => one.id === code('4'))!
  expect(told.terms).toEqual([
    { from: '2026-04-01', rateBp: null, share: 'twoThirds' },
    { from: '2026-07-01', rateBp: 1000, share: 'full' },
  ])
  // One that was put in by mistake goes, and the one before it holds on.
  const { rows } = await shop.get('/api5/invoicecpa/vatCodeTerms?size=10')
  await shop.send('DELETE', `/api5/invoicecpa/vatCodeTerms/${rows[0].id}`)
  expect(
    (await shop.call(calls.journalFacts, {})).vatCodes.find((one) => one.id === code('4'))!.terms,
  ).toHaveLength(1)
})

describe('a project and another currency', () => {
  const project = (name: string) => shop.send('POST', '/api4/invoice/projects', { name })
  const counted = async (projectId: string) => {
    const row = await shop.get(`/api4/invoice/projects/${projectId}`)
    return [row.incomeAgorot, row.expenseAgorot, row.profitAgorot]
  }

  test('what is typed counts for its project without VAT, from when it is posted until it is reversed', async () => {
    const [villa, shed] = [await project('וילה'), await project('מחסן')]
    const batch = await batchWith(
      line({ vatCodeId: code('4'), projectId: villa.id }),
      line({
        debitAccountId: id('1010'),
        creditAccountId: id('4000'),
        amountAgorot: 23_600,
        vatCodeId: code('1'),
        projectId: villa.id,
      }),
      // A discount that was given: income turned round.
      line({
        debitAccountId: id('4000'),
        creditAccountId: id('1010'),
        amountAgorot: 1000,
        projectId: shed.id,
      }),
      line({ debitAccountId: id('1500'), amountAgorot: 500, projectId: shed.id }),
    )
    expect(await counted(villa.id)).toEqual([0, 0, 0])
    await shop.call(calls.checkBatch, { id: batch.id })
    await shop.call(calls.postBatch, { id: batch.id })
    expect([await counted(villa.id), await counted(shed.id)]).toEqual([
      [20_000, 10_000, 10_000],
      [-1000, 0, -1000],
    ])
    const report = await shop.get('/api4/invoice/reports/projects')
    expect(
      (report.rows as { name: string; profitAgorot: number }[]).map((row) => [row.name, row.profitAgorot]),
    ).toEqual([
      ['וילה', 10_000],
      ['מחסן', -1000],
    ])
    await shop.call(calls.reverseBatch, { id: batch.id })
    expect(await counted(villa.id)).toEqual([0, 0, 0])
  })

  test('an entry of one call says them too: the currency of its card, and the project of its income and expense', async () => {
    const villa = await project('וילה')
    const enter = (lines: InputOf<typeof addEntry>['lines']) =>
      shop.call(addEntry, { date: '2026-06-01', lines })
    const loan = { accountNumber: '2500', creditAgorot: 360_000, currency: 'USD', foreignAgorot: 100_000 }
    const { id: entryId } = await enter([
      { accountNumber: '1015', debitAgorot: 360_000, currency: 'USD', foreignAgorot: 100_000 },
      loan,
      { accountNumber: '6010', debitAgorot: 5000, projectId: villa.id },
      { accountNumber: '6010', debitAgorot: 2000 },
      { accountNumber: '4000', creditAgorot: 7000, projectId: villa.id },
    ])
    const { rows } = await shop.call(cardLines, { id: id('2500'), from: '2026-01-01', to: '2026-12-31' })
    expect(rows).toMatchObject([{ creditAgorot: 360_000, currency: 'USD', foreignAgorot: -100_000 }])
    expect(await counted(villa.id)).toEqual([7000, 5000, 2000])
    await shop.call(calls.reverseEntry, { id: entryId })
    expect(await counted(villa.id)).toEqual([0, 0, 0])

    await shop.send('POST', '/api4/invoice/bankaccounts', {
      name: 'דולרים',
      currency: 'USD',
      accountId: id('1015'),
    })
    const stranger = await newBusiness(world)
    const theirs = await stranger.send('POST', '/api4/invoice/projects', { name: 'שלהם' })
    await shop.send('PATCH', `/api4/invoice/projects/${villa.id}`, { state: 'closed' })
    const cash = { accountNumber: '1000', debitAgorot: 360_000 }
    for (const [line, path, code] of [
      [{ ...loan, foreignAgorot: 0 }, 'foreignAgorot', 'fields.need'],
      [{ ...loan, currency: undefined }, 'currency', 'fields.need'],
      [{ ...loan, accountNumber: '1015', currency: 'EUR' }, 'currency', 'ledger.otherCurrency'],
      // What the product itself posts to holds shekels.
      [{ ...loan, accountNumber: '1010' }, 'currency', 'ledger.otherCurrency'],
      [{ accountNumber: '4000', creditAgorot: 360_000, projectId: villa.id }, 'projectId', 'projects.closed'],
      [{ accountNumber: '4000', creditAgorot: 360_000, projectId: theirs.id }, 'projectId', 'fields.ref'],
    ] as const)
      await expect(enter([cash, line])).rejects.toMatchObject({ errors: [{ path: `lines.1.${path}`, code }] })
  })

  test('a closed project takes nothing, and none of another business is found', async () => {
    const done = await project('גמור')
    await shop.send('PATCH', `/api4/invoice/projects/${done.id}`, { state: 'closed' })
    expect((await batchWith(line({ projectId: done.id }))).faults).toMatchObject([
      { field: 'projectId', code: 'projects.closed', params: { name: 'גמור' } },
    ])
    const stranger = await newBusiness(world)
    const theirs = await stranger.send('POST', '/api4/invoice/projects', { name: 'שלהם' })
    await expect(batchWith(line({ projectId: theirs.id }))).rejects.toMatchObject({
      errors: [{ code: 'fields.ref' }],
    })
    expect((await shop.call(calls.journalFacts, {})).projects).toEqual([])
  })

  test('a card that is held in a currency moves in it, is shown in it and turned back in it', async () => {
    const usd = { currency: 'USD', foreignAgorot: 100_000 }
    const batch = await posted(
      line({
        debitAccountId: id('1015'),
        creditAccountId: id('4000'),
        amountAgorot: 354_000,
        vatCodeId: code('1'),
        ...usd,
      }),
      // Changed back into shekels: one card moves dollars, the other shekels only.
      line({
        debitAccountId: id('1010'),
        creditAccountId: id('1015'),
        amountAgorot: 36_000,
        currency: 'USD',
        foreignAgorot: 10_000,
      }),
      // A card no bank account is linked to, with VAT in the amount: the same share of both.
      line({
        debitAccountId: id('6010'),
        creditAccountId: id('1015'),
        vatCodeId: code('4'),
        currency: 'USD',
        foreignAgorot: 3000,
      }),
    )
    const cardOf = async (number: string) =>
      (await shop.call(cardLines, { id: id(number), from: '2026-01-01', to: '2026-12-31' })).rows.map(
        (row) => [row.debitAgorot - row.creditAgorot, row.currency, row.foreignAgorot],
      )
    expect(await cardOf('1015')).toEqual([
      [354_000, 'USD', 100_000],
      [-36_000, 'USD', -10_000],
      [-11_800, 'USD', -3000],
    ])
    expect((await cardOf('1010')).map((row) => row[1])).toEqual([null])
    expect(await cardOf('6010')).toEqual([[10_000, 'USD', 2542]])
    expect(await cardOf('1200')).toEqual([[1800, null, null]])
    // Its balance in dollars is beside the shekels, of any period and on any of its pages.
    const foreignOf = async (number: string, from: string) =>
      (await shop.call(cardLines, { id: id(number), from, to: '2026-12-31' })).foreign
    const dollars = {
      currency: 'USD',
      openingAgorot: 0,
      debitAgorot: 100_000,
      creditAgorot: 13_000,
      closingAgorot: 87_000,
    }
    expect(await foreignOf('1015', '2026-01-01')).toEqual([dollars])
    expect(await foreignOf('1015', '2026-12-01')).toEqual([
      { ...dollars, openingAgorot: 87_000, debitAgorot: 0, creditAgorot: 0 },
    ])
    expect(await foreignOf('1200', '2026-01-01')).toEqual([])
    const report = await shop.get(
      `/api4/invoice/reports/accountCard?account=${id('1015')}&from=2026-01-01&to=2026-12-31`,
    )
    expect(
      (report.rows as { currency: string | null; foreignAgorot: number | null }[]).map(
        (row) => row.foreignAgorot,
      ),
    ).toEqual([null, 100_000, -10_000, -3000])
    // Its balance in dollars is what the revaluation starts from.
    const { bankAccounts } = await shop.call(previewRevaluation, { day: '2026-12-31' })
    expect(bankAccounts.find((one) => one.id === id('1015'))).toMatchObject({
      currency: 'USD',
      foreignAgorot: 87_000,
      booksAgorot: 306_200,
    })
    await shop.call(calls.reverseBatch, { id: batch.id })
    const after = await shop.call(previewRevaluation, { day: '2026-12-31' })
    expect(after.bankAccounts.find((one) => one.id === id('1015'))).toMatchObject({
      currency: 'USD',
      foreignAgorot: 0,
      booksAgorot: 0,
    })
  })

  test('a sum without its currency, of the other sign, or in a currency the bank account is not held in, is refused at its cell', async () => {
    await shop.send('POST', '/api4/invoice/bankaccounts', {
      name: 'דולרים',
      currency: 'USD',
      accountId: id('1015'),
    })
    const batch = await batchWith(
      line({ foreignAgorot: 5 }),
      line({ currency: 'USD' }),
      line({ currency: 'USD', foreignAgorot: -5 }),
      line({ creditAccountId: id('1015'), currency: 'EUR', foreignAgorot: 5 }),
      line({ creditAccountId: id('1015'), currency: 'ILS', foreignAgorot: 5 }),
    )
    expect(
      batch.faults.map(({ lineId, field, code: why }) => [
        batch.rows.findIndex((row) => row.id === lineId),
        field,
        why,
      ]),
    ).toEqual([
      [0, 'foreignAgorot', 'journal.noForeign'],
      [1, 'foreignAgorot', 'journal.noForeign'],
      [2, 'foreignAgorot', 'journal.noForeign'],
      [3, 'currency', 'journal.otherCurrency'],
    ])
  })

  test('an opening balance says how much of its currency it is, and only where a bank account is held in one', async () => {
    await shop.send('POST', '/api4/invoice/bankaccounts', {
      name: 'דולרים',
      currency: 'USD',
      accountId: id('1015'),
    })
    expect(
      (await shop.call(calls.journalFacts, {})).accounts.find((one) => one.number === '1015'),
    ).toMatchObject({ held: 'USD' })
    const keep = (number: string, sides: object) =>
      shop.call(calls.keepOpening, {
        date: '2026-01-01',
        lines: [{ accountId: id(number), foreignAgorot: 50_000, ...sides }],
      })
    await expect(keep('1010', { debitAgorot: 180_000 })).rejects.toMatchObject({
      errors: [{ path: 'lines.0.foreignAgorot' }],
    })
    await keep('1015', { debitAgorot: 180_000 })
    expect((await shop.call(calls.openingBalances, {})).lines).toMatchObject([
      { debitAgorot: 180_000, foreignAgorot: 50_000 },
    ])
    const { batchId } = await shop.call(calls.postOpening, { leaveDifference: true })
    const told = async () =>
      (await shop.call(previewRevaluation, { day: '2026-12-31' })).bankAccounts.find(
        (one) => one.id === id('1015'),
      )
    expect(await told()).toMatchObject({ currency: 'USD', foreignAgorot: 50_000, booksAgorot: 180_000 })
    await shop.call(calls.reverseBatch, { id: batchId })
    expect(await told()).toMatchObject({ foreignAgorot: 0, booksAgorot: 0 })
    // An overdraft is on the other side, in both.
    await keep('1015', { creditAgorot: 180_000 })
    await shop.call(calls.postOpening, { leaveDifference: true })
    expect(await told()).toMatchObject({ foreignAgorot: -50_000, booksAgorot: -180_000 })
  })

  test('both come from a file', async () => {
    await project('וילה')
    const head = 'תאריך,אסמכתא,פרטים,חשבון חובה,חשבון זכות,סכום,פרויקט,מטבע,סכום במטבע'
    const bytes = Buffer.from(
      `${head}\n01/03/2026,11,ציוד,6010,1015,360.00,וילה,USD,100.00\n01/03/2026,12,ציוד,6010,1010,5,אין כזה,,\n`,
    )
    const file = await shop.call(uploadImport, {
      resource: 'journalLines',
      name: 'a.csv',
      check: 'true',
      bytes,
    })
    for (let i = 0; i < 20; i++) await world.worker.drain()
    expect((await shop.get(`/api4/invoice/imports/${file.id}`)).counts).toMatchObject({
      create: 1,
      faulty: 1,
    })
    await shop.call(runImport, { id: file.id, take: 'good' })
    for (let i = 0; i < 20; i++) await world.worker.drain()
    const { rows } = await shop.call(calls.listBatches, {})
    const batch = await shop.call(calls.getBatch, { id: rows[0]!.id })
    expect(batch.rows).toMatchObject([
      { currency: 'USD', foreignAgorot: 10_000, projectId: expect.any(String), amountAgorot: 36_000 },
    ])
    expect(batch.faults).toEqual([])
  })
})

test('a stranger finds nothing, and cannot use what is ours', async () => {
  const batch = await batchWith(line())
  const stranger = await newBusiness(world)
  await expect(stranger.call(calls.getBatch, { id: batch.id })).rejects.toMatchObject({ status: 404 })
  await expect(stranger.call(calls.createBatch, { lines: [line()] })).rejects.toMatchObject({
    errors: [{ code: 'fields.ref' }],
  })
})

describe('what is wrong with a line', () => {
  const faulty = (code: string, path: string) => ({
    status: 422,
    code: 'journal.faulty',
    errors: [expect.objectContaining({ path, code })],
  })
  const check = async (...lines: calls.LineInput[]) =>
    shop.call(calls.checkBatch, { id: (await batchWith(...lines)).id })

  test.each<[code: string, path: string, lines: () => calls.LineInput[]]>([
    [
      'journal.noAccount',
      'lines.0.debitAccountId',
      () => [line({ debitAccountId: null, creditAccountId: null })],
    ],
    ['journal.sameAccount', 'lines.0.creditAccountId', () => [line({ creditAccountId: id('6010') })]],
    ['journal.vatTooMuch', 'lines.0.vatAgorot', () => [line({ vatCodeId: code('4'), vatAgorot: 11_800 })]],
    [
      'journal.otherDay',
      'lines.1.day',
      () => [
        line({ creditAccountId: null }),
        line({ debitAccountId: null, creditAccountId: id('1010'), day: '2026-03-02' }),
      ],
    ],
  ])('%s', async (of, path, lines) => {
    await expect(check(...lines())).rejects.toMatchObject(faulty(of, path))
  })

  test('VAT one agora below the whole sum, and both sides of an entry on one day, are taken', async () => {
    await check(
      line({ vatCodeId: code('4'), vatAgorot: 11_799 }),
      line({ creditAccountId: null }),
      line({ debitAccountId: null, creditAccountId: id('1010') }),
    )
  })

  test('an account that was put away, a VAT code that lost its account, and a difference nobody may see', async () => {
    const { id: away } = await shop.send('POST', '/api5/invoicecpa/accounts', {
      number: '6399',
      name: 'ישן',
      kind: 'expense',
    })
    const gone = await batchWith(line({ debitAccountId: away }))
    await shop.send('DELETE', `/api5/invoicecpa/accounts/${away}`)
    await expect(shop.call(calls.checkBatch, { id: gone.id })).rejects.toMatchObject(
      faulty('journal.accountGone', 'lines.0.debitAccountId'),
    )
    const taxed = await batchWith(line({ vatCodeId: code('4') }))
    await asSystem(world.app.db, (tx) =>
      sql`update vat_codes set account_id = null where company_id = ${companyId}
          and id = ${code('4')}`.execute(tx),
    )
    await expect(shop.call(calls.checkBatch, { id: taxed.id })).rejects.toMatchObject(
      faulty('journal.noVatAccount', 'lines.0.vatCodeId'),
    )
    const open = await batchWith(line({ creditAccountId: null }))
    await asSystem(world.app.db, (tx) =>
      sql`update memberships set hide_total_prices = true where company_id = ${companyId}`.execute(tx),
    )
    await expect(shop.call(calls.checkBatch, { id: open.id })).rejects.toMatchObject(
      faulty('journal.unbalanced', 'lines.0.amountAgorot'),
    )
  })
})
