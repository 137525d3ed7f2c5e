import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { firstQuestion, type Question } from '#domain/questions/model.ts'
import { createDocument } from '#features/sales/documents/endpoints.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import * as calls from './endpoints.ts'

let world: World
let a: Business
let b: Business
let cohen: { id: string; name: string }
let levi: { id: string; name: string }
beforeAll(async () => {
  world = await startWorld(() => new Date('2026-11-20T10:00:00Z'))
  ;[a, b] = [await newBusiness(world), await newBusiness(world)]
  cohen = await a.customer('כהן ובניו בע"מ', { city: 'חיפה' })
  levi = await a.customer('לוי', { city: 'עכו' })
  await a.invoice(cohen.id, '1000')
  await a.invoice(cohen.id, '500')
  await a.invoice(levi.id, '200')
  const stranger = await b.customer('כהן ובניו בע"מ')
  await b.invoice(stranger.id, '77777')
})
afterAll(() => world.close())

/** Somebody who works in a business with these rules; no rules are all of them. */
async function newWorker(
  of: Business,
  rules: number[],
  { ownCustomersOnly = false, hideTotalPrices = false, docsAllow = [] as number[] } = {},
): Promise<Business> {
  const worker = await newBusiness(world)
  await asSystem(world.app.db, async (tx) => {
    await sql`insert into memberships (company_id, user_id, type_id, rules, docs_allow, own_customers_only,
        hide_total_prices)
      select m.company_id, w.id, 9, ${rules}, ${docsAllow}, ${ownCustomersOnly}, ${hideTotalPrices}
      from users w, memberships m join users o on o.id = m.user_id where w.email = ${worker.email}
        and o.email = ${of.email}`.execute(tx)
    await sql`update sessions
      set company_id = (select m.company_id from memberships m join users o on o.id = m.user_id
      where o.email = ${of.email})
      where user_id = (select id from users where email = ${worker.email})`.execute(tx)
  })
  return worker
}

const byCustomer: Question = { ...firstQuestion('income'), rows: ['customer'], sort: 'most', filters: [] }
const ask = (business: Business, question: Question) => business.call(calls.runQuestion, { question })

describe('a question', () => {
  test('is answered by rows with the names of their records, columns and totals', async () => {
    const answer = await ask(a, { ...byCustomer, column: 'month' })
    expect(answer.columns).toEqual([{ key: '2026-11', name: null }])
    expect(answer.rows.map((row) => [row.names, row.total])).toEqual([
      [[cohen.name], [150_000, 2]],
      [[levi.name], [20_000, 1]],
    ])
    expect(answer.totals.total).toEqual([170_000, 3])
    expect(answer.many).toEqual({ rows: 2, columns: 1 })
  })

  test('never tells anything of another business, whatever ids it names', async () => {
    const ofA: Question = {
      ...byCustomer,
      filters: [{ kind: 'is', dimension: 'customer', values: [cohen.id] }],
    }
    const answer = await ask(b, ofA)
    expect(answer.rows).toEqual([])
    expect(answer.names).toEqual({})
    expect((await ask(b, byCustomer)).totals.total).toEqual([7_777_700, 1])
    const lines = await b.call(calls.linesOfCell, {
      question: { ...byCustomer },
      rows: [cohen.id],
      column: null,
    })
    expect(lines.rows).toEqual([])
  })

  test('opens each figure into the records it is made of', async () => {
    const { rows } = await a.call(calls.linesOfCell, { question: byCustomer, rows: [cohen.id], column: null })
    expect(rows.map(({ who, figure, type }) => [who, figure, type])).toEqual([
      [cohen.name, 50_000, 'taxInvoice'],
      [cohen.name, 100_000, 'taxInvoice'],
    ])
    expect(rows[0]!.open).toMatch(/^\/invoice\/preview\//)
    const first: Question = { ...byCustomer, top: { most: 1, others: true } }
    const others = await a.call(calls.linesOfCell, { question: first, rows: [], column: null, others: true })
    expect(others.rows.map(({ who }) => who)).toEqual([levi.name])
    // Of the first alone, where the others are left out.
    const alone = await a.call(calls.linesOfCell, {
      question: { ...byCustomer, top: { most: 1, others: false } },
      rows: [],
      column: null,
    })
    expect(alone.rows).toHaveLength(2)
  })

  test('refuses the records of a cell that is not in its answer', async () => {
    const byMonth: Question = { ...byCustomer, column: 'month' }
    const top: Question = { ...byCustomer, top: { most: 1, others: true } }
    const whole = { rows: [], column: null }
    for (const wrong of [
      { question: byCustomer, rows: [cohen.id, levi.id], column: null },
      { question: byCustomer, rows: [cohen.id], column: '2026-11' },
      { question: { ...byCustomer, column: 'customer', rows: ['month'] }, rows: [], column: 'cohen' },
      { question: byCustomer, rows: ['cohen'], column: null },
      { question: byCustomer, ...whole, others: true },
      { question: top, rows: [cohen.id], column: null, others: true },
    ])
      await expect(a.call(calls.linesOfCell, wrong as never)).rejects.toMatchObject({ status: 404 })
    const { rows } = await a.call(calls.linesOfCell, {
      question: byMonth,
      rows: [cohen.id],
      column: '2026-11',
    })
    expect(rows).toHaveLength(2)
    const linesOf = async (more: object) =>
      (await a.call(calls.linesOfCell, { question: byMonth, ...whole, ...more })).rows.length
    expect(await linesOf({ rows: [cohen.id] })).toBe(2)
    expect(await linesOf({ column: '2026-11' })).toBe(3)
    expect(await linesOf({})).toBe(3)
  })

  test('that does not fit together is refused at its place', async () => {
    for (const [question, path, code] of [
      [{ ...byCustomer, rows: ['supplier'] }, 'question.rows.0', 'questions.unknown'],
      [{ ...byCustomer, rows: ['city', 'city'] }, 'question.rows.1', 'questions.twice'],
      [{ ...byCustomer, measures: [] }, 'question.measures', 'questions.need'],
      [
        { ...byCustomer, measures: [{ name: 'toString', as: 'value' }] },
        'question.measures.0',
        'questions.unknown',
      ],
      [
        { ...byCustomer, measures: [{ name: 'average', as: 'share' }] },
        'question.measures.0',
        'questions.notAdditive',
      ],
      [
        { ...byCustomer, filters: [{ kind: 'amount', amount: 'net', from: 5, to: 1 }] },
        'question.filters.0',
        'questions.turned',
      ],
      [
        {
          ...byCustomer,
          filters: [{ kind: 'is', dimension: 'customer', values: ["'; drop table documents"] }],
        },
        'question.filters.0',
        'questions.unknown',
      ],
      [
        { ...byCustomer, filters: [{ kind: 'is', dimension: 'type', values: ['x'] }] },
        'question.filters.0',
        'questions.unknown',
      ],
    ] as const)
      await expect(ask(a, question as unknown as Question)).rejects.toMatchObject({
        status: 422,
        errors: [{ path, code }],
      })
  })

  test('holds values of any text without harm: they are compared and never run', async () => {
    const before = (await ask(a, byCustomer)).totals.total
    for (const text of [
      "' or 1=1 --",
      "x'; delete from documents; --",
      '%',
      '\\',
      '$1',
      "') union select id from users --",
      ':company',
    ])
      for (const question of [
        { ...byCustomer, filters: [{ kind: 'is' as const, dimension: 'city' as const, values: [text] }] },
        { ...byCustomer, filters: [{ kind: 'text' as const, has: text }] },
      ]) {
        const answer = await ask(a, question)
        expect(answer.rows, text).toEqual([])
      }
    const { rows } = await a.call(calls.linesOfCell, {
      question: { ...byCustomer, rows: ['city'] },
      rows: ["' or true --"],
      column: null,
    })
    expect(rows).toEqual([])
    expect((await ask(a, byCustomer)).totals.total).toEqual(before)
  })

  test('that takes too long is ended and says so', async () => {
    await world.app.db.kysely.connection().execute(async (connection) => {
      // Somebody holds what it wants to read for longer than it may take.
      await sql.raw(`begin; lock table documents in access exclusive mode`).execute(connection)
      await expect(ask(a, byCustomer)).rejects.toMatchObject({ status: 422, code: 'questions.tooSlow' })
      await sql.raw('rollback').execute(connection)
    })
    expect((await ask(a, byCustomer)).rows).toHaveLength(2)
  }, 30_000)
})

describe('rights', () => {
  test('each fact needs its rule, and the books of everybody need eyes for everybody', async () => {
    const seller = await newWorker(a, [60])
    expect((await seller.call(calls.listQuestions, {})).facts).toEqual(['income', 'lines'])
    await expect(ask(seller, firstQuestion('expenses'))).rejects.toMatchObject({ status: 403 })
    await expect(
      seller.call(calls.linesOfCell, { question: firstQuestion('payments'), rows: [], column: null }),
    ).rejects.toMatchObject({
      status: 403,
    })
    expect((await seller.call(calls.understand, { said: 'הוצאות לפי ספק' })).unread).toMatchObject([
      { why: 'notYours' },
    ])
    const part = await newWorker(a, [60, 72], { ownCustomersOnly: true })
    await expect(ask(part, firstQuestion('entries'))).rejects.toMatchObject({ status: 403 })
    expect((await ask(part, byCustomer)).rows).toEqual([])
  })

  test('somebody with some types of documents is told of those alone', async () => {
    const receipts = await newWorker(a, [60, 30], { docsAllow: [6] })
    expect((await ask(receipts, byCustomer)).rows).toEqual([])
    expect((await ask(receipts, { ...firstQuestion('documents'), filters: [] })).rows).toEqual([])
  })

  test('who sees no sums is told none, nor may he find them by asking', async () => {
    const blind = await newWorker(a, [], { hideTotalPrices: true })
    const counted: Question = { ...byCustomer, measures: [{ name: 'count', as: 'value' }] }
    expect((await ask(blind, counted)).rows[0]!.total).toEqual([2])
    await expect(ask(blind, byCustomer)).rejects.toMatchObject({ status: 403, code: 'questions.hidden' })
    await expect(
      ask(blind, { ...counted, filters: [{ kind: 'amount', amount: 'total', from: 100 }] }),
    ).rejects.toMatchObject({
      code: 'questions.hidden',
    })
    const { rows } = await blind.call(calls.linesOfCell, {
      question: counted,
      rows: [cohen.id],
      column: null,
    })
    expect(rows.map(({ figure }) => figure)).toEqual([null, null])
  })
})

describe('a kept question', () => {
  test('is a report among the others: listed, run, and had as a file', async () => {
    const kept = await a.call(calls.keepQuestion, {
      name: 'הלקוחות שלי',
      question: { ...byCustomer, column: 'quarter' },
    })
    const listed = (await a.get('/api4/invoice/reports')).rows.find(
      (one: { title?: string }) => one.title === 'הלקוחות שלי',
    )
    expect(listed).toMatchObject({ group: 'own', path: `/invoice/reportbuilder?kept=${kept.id}` })
    const report = await a.get(`/api4/invoice/reports/${listed.name}`)
    expect(report.shape).toMatchObject({ title: 'הלקוחות שלי', totals: ['c0_0', 'c0_1', 'call_0', 'call_1'] })
    expect(report.rows[0]).toMatchObject({ r0: cohen.name, c0_0: 150_000, call_0: 150_000, call_1: 2 })
    expect(report.totals.call_0).toBe(170_000)
    const csv = Buffer.from(await a.get(`/api4/invoiceexport/reports/${listed.name}.csv`)).toString()
    expect(csv).toContain('1500.00')
    expect(csv).not.toMatch(/[\u2066-\u2069]/)
    for (const format of ['csv', 'xlsx', 'pdf']) {
      const bytes = Buffer.from(
        await a.call(calls.exportQuestion, { file: `question.${format}`, question: byCustomer }),
      )
      expect(bytes.length).toBeGreaterThan(100)
    }
    await expect(
      a.call(calls.exportQuestion, {
        file: 'question.csv',
        question: { ...byCustomer, fact: 'users' as never },
      }),
    ).rejects.toMatchObject({ status: 422 })
  })

  test('is its maker’s alone until he gives it to everybody, and goes with his rights', async () => {
    const other = await newWorker(a, [60])
    const mine = await other.call(calls.keepQuestion, { name: 'שלי', question: byCustomer })
    expect((await a.call(calls.listQuestions, {})).rows.map(({ name }) => name)).not.toContain('שלי')
    await expect(a.call(calls.changeQuestion, { id: mine.id, name: 'גנוב' })).rejects.toMatchObject({
      status: 404,
    })
    await other.call(calls.changeQuestion, { id: mine.id, forEverybody: true, name: 'של כולם' })
    const seen = (await a.call(calls.listQuestions, {})).rows.find(({ id }) => id === mine.id)
    expect(seen).toMatchObject({ name: 'של כולם', isMine: false, mayChange: true })
    // People who see no amounts are offered no question that shows some.
    const sumless = await newWorker(a, [60], { hideTotalPrices: true })
    expect((await sumless.call(calls.listQuestions, {})).rows).toEqual([])
    expect((await ask(sumless, firstQuestion('income', true))).totals.total).toEqual([3])
    // People who may not ask about its fact neither see it nor may open it as a report.
    const blind = await newWorker(a, [40])
    expect((await blind.call(calls.listQuestions, {})).rows).toEqual([])
    await expect(blind.get(`/api4/invoice/reports/q${mine.id.replaceAll('-', '')}`)).rejects.toMatchObject({
      status: 404,
    })
    await expect(b.get(`/api4/invoice/reports/q${mine.id.replaceAll('-', '')}`)).rejects.toMatchObject({
      status: 404,
    })
    const third = await newWorker(a, [60])
    await expect(third.call(calls.dropQuestion, { id: mine.id })).rejects.toMatchObject({
      code: 'questions.notYours',
    })
    await other.call(calls.dropQuestion, { id: mine.id })
    await expect(other.get(`/api4/invoice/reports/q${mine.id.replaceAll('-', '')}`)).rejects.toMatchObject({
      status: 404,
    })
  })

  test('that the model no longer knows is left out and harms nothing', async () => {
    const kept = await b.call(calls.keepQuestion, { name: 'ישן', question: byCustomer })
    await sql`update questions set asked = jsonb_set(asked, '{rows}', '["moon"]')
      where id = ${kept.id}`.execute(world.app.db.kysely)
    expect((await b.call(calls.listQuestions, {})).rows).toEqual([])
    expect(
      (await b.get('/api4/invoice/reports')).rows.filter((one: { group: string }) => one.group === 'own'),
    ).toEqual([])
  })
})

describe('a question in words', () => {
  test('finds the records of the business by their names, and tells what it cannot', async () => {
    const said = async (text: string) => a.call(calls.understand, { said: text })
    const one = await said('הכנסות מלקוח כהן לפי חודש')
    expect(one.question.filters).toEqual([{ kind: 'is', dimension: 'customer', values: [cohen.id] }])
    expect(one.names).toEqual({ [cohen.id]: cohen.name })
    expect(one.unread).toEqual([])
    expect((await said('income from "לוי" by month')).question.filters).toEqual([
      { kind: 'is', dimension: 'customer', values: [levi.id] },
    ])
    // A city alone, and with a Hebrew prefix.
    expect((await said('הכנסות בחיפה')).question.filters).toEqual([
      { kind: 'is', dimension: 'city', values: ['חיפה'] },
    ])
    expect((await said('הכנסות מלקוח פלאי')).unread).toMatchObject([{ text: 'פלאי', why: 'noRecord' }])
    await a.customer('לוי אחים')
    await a.customer('אחים לוי')
    expect((await said('הכנסות מלקוח אחים')).unread).toMatchObject([{ text: 'אחים', why: 'severalRecords' }])
    // A customer of another business is nobody here.
    const theirs = await b.customer('נסתר')
    expect((await said('הכנסות מ"נסתר"')).unread).toMatchObject([{ why: 'noRecord' }])
    expect(JSON.stringify(await said('הכנסות מ"נסתר"'))).not.toContain(theirs.id)
  })

  test('reaches the database as filters and nothing else, whatever it says', async () => {
    const counted = async () =>
      (await sql<{ n: number }>`select count(*)::int as n from documents`.execute(world.app.db.kysely))
        .rows[0]!.n
    const before = await counted()
    for (const said of [
      "income'; drop table documents; --",
      "הכנסות מלקוח \"x' or '1'='1\"",
      'income by customer union select password_hash from users',
      'income of customer "%"',
      'income of customer "_____"',
      'sales by item \\ or true',
      'income by (select pg_sleep(10))',
      'הכנסות מ"כהן" or company_id is not null',
      'income ${7*7} {{constructor}}',
    ]) {
      const { question, unread } = await a.call(calls.understand, { said })
      expect(unread.length, said).toBeGreaterThan(0)
      expect(JSON.stringify(question), said).not.toMatch(/select|drop|union|sleep|%|_/i)
      await ask(a, question)
    }
    expect(await counted()).toBe(before)
    await a.call(createDocument, {
      type: 8,
      customerId: levi.id,
      lines: [{ description: 'עוד', unitPrice: '1' }],
    })
  })
})

test('more of one kind than a question may have is refused at its place', async () => {
  const rows = ['customer', 'month', 'type', 'agent'] as Question['rows']
  await expect(ask(a, { ...byCustomer, rows })).rejects.toMatchObject({
    status: 422,
    errors: [{ path: 'question.rows', code: 'questions.tooMany' }],
  })
})
