import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asCaller, systemCaller } from '#kit/server/context.ts'
import { batchDocuments } from '#features/sales/documents/endpoints.ts'
import { newBusiness, startWorld, type Business, type World } from './world.ts'

/*
 * A copy that is kept in step by `nextSince` misses nothing, whatever overlaps: sixteen programs write while others read,
 * batches of 120 are under way, readers die between two pages and begin again where they had stored.
 */

let world: World
let business: Business
let companyId: string
let customers: string[]

const writers = 16
const slowBatches = 4
const batchSize = 120
const everythingFrom = '1970-01-01T00:00:00Z'

beforeAll(async () => {
  world = await startWorld()
  business = await newBusiness(world)
  const { rows } = await sql<{
    id: string
  }>`select id from companies order by created_at desc limit 1`.execute(world.app.db.kysely)
  companyId = rows[0]!.id
  customers = []
  for (let n = 0; n < batchSize; n++) customers.push((await business.customer(`${n}`)).id)
}, 600_000)
afterAll(() => world.close())

interface Page {
  rows: { id: string; updatedAt: string }[]
  nextCursor: string | null
  nextSince: string
}

/** A reader of a list: each change it received, as id and moment; `dies` decides after which page. */
function reader(list: string, dies: () => boolean) {
  const seen = new Set<string>()
  let since = everythingFrom
  const look = async (): Promise<void> => {
    let after: string | null = null
    let page: Page
    do {
      page = await business.get<Page>(
        `/api4/invoice/${list}?limit=50&updatedSince=${encodeURIComponent(since)}${after ? `&after=${after}` : ''}`,
      )
      for (const { id, updatedAt } of page.rows) seen.add(`${id} ${updatedAt}`)
      after = page.nextCursor
      // It is gone, with the page in hand; its successor begins with what was stored.
      if (dies()) return
    } while (after)
    since = page.nextSince
  }
  return { seen, look }
}

const stateOf = async (table: 'parties' | 'documents'): Promise<string[]> =>
  (
    await sql<{ id: string; at: string }>`select id, updated_at as at from ${sql.table(table)}
      where company_id = ${companyId} ${table === 'parties' ? sql`and role = 'customer'` : sql``}`.execute(
      world.app.db.kysely,
    )
  ).rows.map(({ id, at }) => `${id} ${at}`)

test(
  'sixteen writers, batches of 120 and readers that die: every change is seen',
  { timeout: 900_000 },
  async () => {
    let isOver = false
    let n = 0
    const readers = [
      { table: 'parties' as const, ...reader('customers', () => false) },
      // Dies after every third page.
      { table: 'parties' as const, ...reader('customers', () => n++ % 3 === 2) },
      { table: 'documents' as const, ...reader('documents', () => false) },
    ]
    const polling = readers.map(async ({ look }) => {
      while (!isOver) await look()
    })
    const one = async (w: number) => {
      for (let i = 0; i < 12; i++) {
        const id = customers[(w * 31 + i * 7) % customers.length]!
        if (i % 3 === 0) await business.customer(`${w} ${i}`)
        // One change that is written at once and committed late, as a long call does.
        else if (i % 3 === 1)
          await asCaller(world.app, systemCaller(companyId), '', async ({ tx }) => {
            await sql`update parties set notes = ${`${w} ${i}`}, updated_at = now() where company_id = ${companyId}
            and id = ${id}`.execute(tx)
            await sql`select pg_sleep(${Math.random() * 0.4})`.execute(tx)
          })
        else await business.send('PATCH', `/api4/invoice/customers/${id}`, { notes: `${w} ${i}` })
      }
    }
    const batch = (b: number) =>
      business.call(batchDocuments, {
        documents: Array.from({ length: batchSize }, (_, i) => ({
          type: 1 as const,
          customerId: customers[(b + i) % customers.length]!,
          lines: [{ description: `${b} ${i}`, unitPrice: '1' }],
        })),
      } as never)
    // Many rows at once that were waiting: of all customers, while others change the same ones.
    const slow = async (b: number) => {
      await new Promise((r) => setTimeout(r, b * 300))
      await asCaller(world.app, systemCaller(companyId), '', async ({ tx }) => {
        await sql`select pg_sleep(0.2)`.execute(tx)
        await sql`insert into parties (company_id, id, role, name) select ${companyId}, gen_random_uuid(), 'customer',
        ${`${b} `} || n from generate_series(1, ${batchSize}::int) n`.execute(tx)
        await sql`select pg_sleep(1.5)`.execute(tx)
      })
    }
    await Promise.all([
      ...Array.from({ length: writers }, (_, w) => one(w)),
      ...Array.from({ length: slowBatches }, (_, b) => slow(b)),
      batch(0),
      batch(1),
    ])
    isOver = true
    await Promise.all(polling)
    // The one that dies needs a few lives for the last pages.
    for (const { look } of readers) for (let i = 0; i < 3; i++) await look()
    for (const { table, seen } of readers.filter((_, i) => i !== 1)) {
      const missed = (await stateOf(table)).filter((one) => !seen.has(one))
      expect(missed, `${table} that were never told`).toEqual([])
    }
  },
)

test('the mark of a reading stays before what was being written when it began', async () => {
  let commit = () => {}
  const held = new Promise<void>((resolve) => (commit = resolve))
  let isWritten = () => {}
  const written = new Promise<void>((resolve) => (isWritten = resolve))
  const [id] = customers
  const late = asCaller(world.app, systemCaller(companyId), '', async ({ tx }) => {
    await sql`update parties set notes = 'late', updated_at = now() where company_id = ${companyId}
      and id = ${id!}`.execute(tx)
    isWritten()
    await held
  })
  await written
  // Somebody else is quicker, and later than the row that is not committed yet.
  await new Promise((r) => setTimeout(r, 50))
  await business.send('PATCH', `/api4/invoice/customers/${customers[1]!}`, { notes: 'quick' })
  const first = await business.get<Page>(`/api4/invoice/customers?limit=1&updatedSince=${everythingFrom}`)
  let page = first
  while (page.nextCursor) {
    page = await business.get<Page>(
      `/api4/invoice/customers?limit=200&updatedSince=${everythingFrom}&after=${page.nextCursor}`,
    )
    // All pages of a reading name the same beginning of the next one.
    expect(page.nextSince).toBe(first.nextSince)
  }
  const ofQuick = page.rows.at(-1)!.updatedAt
  commit()
  await late
  // All of it: the mark is a few seconds early, and much was written in them.
  const next: string[] = []
  for (let after = ''; ;) {
    const { rows, nextCursor } = await business.get<Page>(
      `/api4/invoice/customers?limit=200&updatedSince=${first.nextSince}${after}`,
    )
    next.push(...rows.map((row) => row.id))
    if (!nextCursor) break
    after = `&after=${nextCursor}`
  }
  expect(next).toContain(id)
  // What the guide said before: the moment of the last row is too late for it.
  const byMoment = await business.get<Page>(
    `/api4/invoice/customers?updatedSince=${encodeURIComponent(ofQuick)}`,
  )
  expect(byMoment.rows.map((row) => row.id)).not.toContain(id)
})

test('a mark that is none is refused at its field', async () => {
  for (const given of ['since_', 'since_AAAAAAAAAAAAAAAAAAAAAAAA', 'yesterday'])
    await expect(business.get(`/api4/invoice/customers?updatedSince=${given}`)).rejects.toMatchObject({
      status: 422,
      errors: [{ path: 'updatedSince' }],
    })
})
