import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inCompany } from '#kit/server/data/db.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import * as calls from './endpoints.ts'

let world: World
beforeAll(async () => {
  world = await startWorld(() => new Date('2026-05-20T08:00:00Z'))
})
afterAll(() => world.close())

const line = (description: string, quantity: string, unitPrice: string, more: object = {}) => ({
  description,
  quantity,
  unitPrice,
  ...more,
})
const issued = async (b: Business, documents: object[]) =>
  (await b.call(calls.batchDocuments, { documents } as never)).rows

/**
 * Papers of several types for the same customers, with what the law and the books treat in different ways.
 */
const papersOf = ([first, second]: string[], debts: { id: string }[]) => [
  {
    type: 8,
    customerId: first,
    date: '2026-05-03',
    lines: [line('עבודה', '2', '150.00'), line('פטור', '1', '40', { vatKind: 3 })],
  },
  { type: 1, customerId: second, lines: [line('הצעה', '1', '900')] },
  {
    type: 8,
    customerId: second,
    date: '2026-05-03',
    lines: [line('כולל מע"מ', '3', '118', { vatKind: 2 })],
    discount: { basisPoints: 500 },
  },
  {
    type: 9,
    customerId: first,
    date: '2026-05-04',
    lines: [line('מזומן', '1', '100')],
    payments: [{ means: 1, amountAgorot: 11_800 }],
  },
  { type: 8, customerId: first, date: '2026-05-04', branch: 'חיפה', lines: [line('סניף', '1', '70')] },
  {
    type: 6,
    customerId: first,
    payments: [{ means: 3, amountAgorot: 30_000 }],
    closes: [{ documentId: debts[0]!.id, amountAgorot: 30_000 }],
  },
  {
    type: 8,
    customerId: first,
    date: '2026-05-05',
    lines: [line('דולר', '1', '10')],
    currency: 'USD',
    rate: '3.5',
  },
  {
    type: 6,
    customerId: first,
    payments: [{ means: 3, amountAgorot: 28_000 }],
    closes: [{ documentId: debts[0]!.id, amountAgorot: 28_000 }],
  },
  { type: 10, customerId: second, sourceId: debts[1]!.id, lines: [line('זיכוי', '1', '50')], reason: 'הנחה' },
]

/** What a business looks like from outside, without what is random. */
async function lookOf(b: Business) {
  const { rows: documents } = await b.get('/api4/invoice/documents?size=50&sort=number')
  const every = []
  for (const { id } of documents) {
    const d = await b.call(calls.getDocument, { id })
    const { rows } = await b.call(calls.entriesOfDocument, { id })
    every.push({
      of: [d.type, d.number, d.branch, d.date, d.dueDate, d.status],
      totals: d.totals,
      lines: d.lines.map(({ description, netAgorot, vatAgorot }) => [description, netAgorot, vatAgorot]),
      entries: rows.map((r) => [r.number, r.debitAgorot, r.creditAgorot]),
    })
  }
  const { rows: audit } = await b.get('/api4/invoice/audit?size=50&action=documents.issue')
  const { rows: trial } = await b.get('/api4/invoice/reports/trialBalance?from=2026-01-01&to=2026-12-31')
  return {
    documents: every.toSorted((x, y) => JSON.stringify(x.of).localeCompare(JSON.stringify(y.of))),
    audit: audit.length,
    trial: trial.map((r: Record<string, unknown>) => [
      r.number,
      r.debitAgorot,
      r.creditAgorot,
      r.balanceAgorot,
    ]),
  }
}

async function shopWithDebts(): Promise<{ shop: Business; customers: string[]; debts: { id: string }[] }> {
  const shop = await newBusiness(world)
  const customers = [(await shop.customer('ראשון')).id, (await shop.customer('שני')).id]
  const debts = [
    await shop.invoice(customers[0]!, '500', { date: '2026-05-01' }),
    await shop.invoice(customers[1]!, '200', { date: '2026-05-01' }),
  ]
  return { shop, customers, debts }
}

describe('papers issued together', () => {
  test('come to what they come to one by one: numbers, sums, entries, open items and trail', async () => {
    const [together, apart] = [await shopWithDebts(), await shopWithDebts()]
    const rows = await issued(together.shop, papersOf(together.customers, together.debts))
    for (const paper of papersOf(apart.customers, apart.debts))
      await apart.shop.call(calls.createDocument, paper as never)
    const look = await lookOf(together.shop)
    expect(look).toEqual(await lookOf(apart.shop))
    expect(look.documents).toHaveLength(11)
    expect(look.audit).toBe(11)
    expect(rows.map(({ number }) => number)).toEqual([3, 1, 4, 1, 1, 1, 5, 2, 1])
    // The entry names the number of its own paper.
    for (const { id, number } of rows) {
      const { rows: entries } = await world.app.db.pool.query(
        'select distinct reference from entries where document_id = $1',
        [id],
      )
      for (const { reference } of entries) expect(reference).toBe(String(number))
    }
  })

  test('what one takes the next does not find: of two receipts for one debt the second is refused, and both go', async () => {
    const { shop, customers, debts } = await shopWithDebts()
    const receipt = (amountAgorot: number) => ({
      type: 6,
      customerId: customers[0],
      payments: [{ means: 3, amountAgorot }],
      closes: [{ documentId: debts[0]!.id, amountAgorot }],
    })
    await expect(issued(shop, [receipt(30_000), receipt(30_000)])).rejects.toMatchObject({
      errors: [{ path: 'documents.1.closes', code: 'documents.closesTooMuch' }],
    })
    expect((await shop.call(calls.getDocument, { id: debts[0]!.id })).totals.openAgorot).toBe(59_000)
    expect((await issued(shop, [receipt(30_000), receipt(29_000)])).map(({ number }) => number)).toEqual([
      1, 2,
    ])
    expect(await shop.call(calls.getDocument, { id: debts[0]!.id })).toMatchObject({ status: 'closed' })
  })

  test('a refusal of the database names the paper it concerns, and no number is lost', async () => {
    const { shop, customers } = await shopWithDebts()
    const paper = (date: string) => ({
      type: 8,
      customerId: customers[0],
      date,
      lines: [line('עבודה', '1', '100')],
    })
    await expect(
      issued(shop, [paper('2026-05-10'), paper('2026-05-12'), paper('2026-05-11')]),
    ).rejects.toMatchObject({
      errors: [{ path: 'documents.2.date', code: 'documents.dateBeforeLastOfSeries' }],
    })
    await expect(
      issued(shop, [
        paper('2026-05-10'),
        { ...paper('2026-05-10'), handNumber: 7 },
        { ...paper('2026-05-10'), handNumber: 7 },
      ]),
    ).rejects.toMatchObject({
      errors: [{ path: 'documents.2.handNumber', code: 'documents.handNumberTaken' }],
    })
    expect(
      (await issued(shop, [paper('2026-05-10'), paper('2026-05-12')])).map(({ number }) => number),
    ).toEqual([3, 4])
  })

  test('a customer who is shut is refused at his place', async () => {
    const { shop, customers } = await shopWithDebts()
    await shop.send('PATCH', `/api4/invoice/customers/${customers[1]}`, {
      blocked: true,
      blockedReason: 'לא שילם',
    })
    const paper = (customerId: string | undefined) => ({
      type: 8,
      customerId,
      lines: [line('עבודה', '1', '100')],
    })
    await expect(issued(shop, [paper(customers[0]), paper(customers[1])])).rejects.toMatchObject({
      errors: [{ path: 'documents.1.customerId', code: 'documents.customerBlocked' }],
    })
  })

  test('many at once leave no gap, and a paper is made for whoever opens it', async () => {
    const { shop, customers } = await shopWithDebts()
    const many = (n: number) =>
      Array.from({ length: n }, (_, i) => ({
        type: 8,
        customerId: customers[i % 2],
        lines: [line('עבודה', '1', String(i + 1))],
      }))
    const all = (await Promise.all([20, 1, 35, 7].map((n) => issued(shop, many(n))))).flat()
    expect(all.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 63 }, (_, i) => i + 3),
    )
    const { rows } = await world.app.db.pool.query(
      `select (select sum(amount_agorot) from postings p where p.company_id = d.company_id) as books,
        (select count(*) from outbox o where o.company_id = d.company_id and o.name = 'documents.paper' and o.payload->>'documentId' = any ($2)) as ahead
        from documents d where d.id = $1`,
      [all[0]!.id, all.map(({ id }) => id)],
    )
    expect(rows[0]).toEqual({ books: '0', ahead: 1 })
    const pdf = await shop.get<Buffer>(`/api4/invoice/documents/${all.at(-1)!.id}/pdf`)
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  })

  test('an issued paper gets no more lines and no more money, and none of its own change', async () => {
    const { shop, customers } = await shopWithDebts()
    const { companyId } = await shop.get('/api/user/session')
    const [paper] = await issued(shop, [
      { type: 8, customerId: customers[0], lines: [line('עבודה', '1', '100')] },
    ])
    const asApplication = (statement: string) =>
      inCompany(world.app.db, { companyId, userId: companyId, ownCustomersOnly: false }, (tx) =>
        sql.raw(statement).execute(tx),
      )
    const own = `company_id = '${companyId}' and document_id = '${paper!.id}'`
    const another = (table: string, rest: string) =>
      `insert into ${table} select r.* from ${table} l, lateral jsonb_populate_record(null::${table}, to_jsonb(l) || '${rest}') r where l.${own.replace('and ', 'and l.')}`
    for (const statement of [
      another('document_lines', '{"line": 2}'),
      `insert into document_payments (company_id, id, document_id, line, means, amount_agorot, ils_agorot, day, due_day)
        values ('${companyId}', gen_random_uuid(), '${paper!.id}', 1, 1, 100, 100, '2026-05-10', '2026-05-10')`,
      `update document_lines set net_agorot = 1 where ${own}`,
      `delete from document_lines where ${own}`,
    ])
      await expect(asApplication(statement), statement).rejects.toMatchObject({ code: 'PK001' })
  })
})
