import { sql } from 'kysely'
import { unzipSync, zipSync } from 'fflate'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { openDatabase, type Database } from '#kit/server/data/db.ts'
import { joinAll, verifyBooks } from '#features/books/proof/server/index.ts'
import { createWebhook } from '#features/open/webhooks/endpoints.ts'
import { downloadBackup, lastBackup } from './endpoints.ts'
import { backedUp } from './server/archive.ts'
import { NotRestored, restore } from './server/index.ts'

let world: World
let business: Business
let elsewhere: Database
let archive: Uint8Array
let companyId: string
beforeAll(async () => {
  world = await startWorld()
  business = await newBusiness(world)
  // A second database of the same version, as another machine would have.
  const server = new URL(inject('databaseUrl'))
  const template = server.pathname.slice(1)
  const name = `elsewhere_${Date.now()}`
  server.pathname = '/postgres'
  const client = new pg.Client({ connectionString: server.href })
  await client.connect()
  await client.query(`create database ${name} template ${pg.escapeIdentifier(template)}`)
  await client.end()
  server.pathname = `/${name}`
  elsewhere = openDatabase(server.href, 5)

  const { id } = await business.customer('כהן ובניו', { email: 'cohen@example.com' })
  const { id: invoice } = await business.invoice(id, '1234.56')
  await business.get(`/api4/invoice/documents/${invoice}/pdf?variant=original`)
  const { rows } = await sql<{ id: string }>`select company_id as id from parties where id = ${id}`.execute(
    world.app.db.kysely,
  )
  companyId = rows[0]!.id
  await joinAll(world.app, companyId)
  await business.call(createWebhook, { url: 'https://example.com/hook', events: ['*'] })
  archive = (await business.call(downloadBackup, {})) as Uint8Array
})
afterAll(async () => {
  await elsewhere.close()
  await world.close()
})

const rowsOf = async (db: Database, table: string): Promise<string[]> => {
  const { rows } = await db.pool.query<{ row: string }>(
    table === 'companies'
      ? `select (to_jsonb(t) - 'client_number')::text as row from companies t where id = '${companyId}'`
      : `select to_jsonb(t)::text as row from ${table} t where company_id = '${companyId}'`,
  )
  return rows.map(({ row }) => row).sort()
}
const changed = (name: string, by: (text: string) => string): Uint8Array => {
  const files = unzipSync(archive)
  return zipSync({ ...files, [name]: Buffer.from(by(Buffer.from(files[name]!).toString())) })
}

test('downloads that nobody reads hold no connection, and one business writes one at a time', async () => {
  const other = await newBusiness(world)
  // As many as would take every connection, each asked for its first piece and then left.
  const answers = await Promise.all(
    Array.from({ length: 24 }, async (_, n) => {
      const address = await world.http.inject({
        method: 'GET',
        url: '/api4/invoiceexport/backup',
        headers: { 'x-access-token': n % 2 ? other.token : business.token },
        payloadAsStream: true,
      })
      const body = address.stream()
      await new Promise((resolve) => body.once('readable', resolve))
      return body
    }),
  )
  const { rows } = await world.app.db.pool.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and state like 'idle in%'`,
  )
  expect(rows).toEqual([{ n: 0 }])
  // They are still whole when somebody reads on.
  const pieces: Uint8Array[] = []
  for await (const piece of answers[0]!) pieces.push(piece as Uint8Array)
  expect(Object.keys(unzipSync(Buffer.concat(pieces)))).toContain('manifest.json')
  for (const answer of answers) answer.destroy()
})

test('nothing is written for those who went away, and more than a few of one business are refused', async () => {
  const other = await newBusiness(world)
  const address = await world.http.listen({ port: 0, host: '127.0.0.1' })
  const get = (signal?: AbortSignal) =>
    fetch(`${address}/api4/invoiceexport/backup`, {
      headers: { 'x-access-token': other.token },
      ...(signal ? { signal } : {}),
    })
  const gone = new AbortController()
  const first = Array.from({ length: 8 }, () => get(gone.signal).catch(() => undefined))
  await new Promise((resolve) => setTimeout(resolve, 300))
  gone.abort()
  await Promise.all(first)
  const from = performance.now()
  expect(unzipSync(new Uint8Array(await (await get()).arrayBuffer()))).toHaveProperty('manifest.json')
  const alone = performance.now() - from
  // Not behind those eight: none of them is written any more.
  expect(alone).toBeLessThan(8000)
  const many = await Promise.all(Array.from({ length: 20 }, () => get()))
  const statuses = many.map(({ status }) => status)
  expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(0)
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(9)
  await Promise.all(many.map((one) => one.arrayBuffer()))
}, 60_000)

describe('a backup', () => {
  test('holds no password and no session, and says when it was taken', async () => {
    const text = Object.entries(unzipSync(archive)).map(
      ([name, bytes]) => name + Buffer.from(bytes).toString(),
    )
    expect(text.join()).not.toMatch(/password_hash|token_hash|scrypt|argon/)
    expect(await business.call(lastBackup, {})).toMatchObject({ last: { by: 'נועה ורדי' }, dueSince: null })
  })

  test.each([
    ['a changed row', 'tables/documents.ndjson', (t: string) => t.replace('123456', '923456')],
    ['a row taken out', 'tables/postings.ndjson', (t: string) => t.split('\n').slice(1).join('\n')],
    ['another program', 'manifest.json', (t: string) => t.replace('"pinkas"', '"other"')],
    [
      'a later version',
      'manifest.json',
      (t: string) => t.replace(/"migration": "[^"]+"/, '"migration": "9999-later.sql"'),
    ],
  ])('with %s is refused whole', async (_name, file, by) => {
    await expect(restore(elsewhere, changed(file, by))).rejects.toThrow(NotRestored)
    expect(await rowsOf(elsewhere, 'companies')).toEqual([])
  })

  test.each([0.001, 0.3, 0.6, 0.98, 0.9999])(
    'cut off at %d of its length it says that it is damaged, and how much of it is whole',
    async (share) => {
      const cut = archive.subarray(0, Math.floor(archive.length * share))
      const said = await restore(elsewhere, cut).catch((e: unknown) => e)
      expect(said).toBeInstanceOf(NotRestored)
      const all = backedUp.length + 3
      const [, whole] =
        new RegExp(`damaged or was cut off: (\\d+) of its ${all} parts are whole`).exec(
          (said as Error).message,
        ) ?? []
      // The parts stand in the file one after the other.
      const names = Object.keys(unzipSync(archive))
      expect(names).toHaveLength(all)
      expect(Number(whole)).toBeGreaterThanOrEqual(share > 0.9 ? all - 3 : 0)
      expect(Number(whole)).toBeLessThanOrEqual(share < 0.01 ? 1 : all)
      expect(await rowsOf(elsewhere, 'companies')).toEqual([])
    },
  )

  test('with a byte turned it says which parts are not what was written, and what is no archive is no backup', async () => {
    const turned = new Uint8Array(archive)
    // Among the rows of a part: what lies between the parts says nothing that is kept.
    const part = 'tables/documents.ndjson'
    turned[Buffer.from(archive).indexOf(part) + part.length + 20]! ^= 0xff
    await expect(restore(elsewhere, turned)).rejects.toThrow(/damaged/)
    await expect(restore(elsewhere, Buffer.from('hello'))).rejects.toThrow('this is no backup of Pinkas')
    await expect(restore(elsewhere, new Uint8Array())).rejects.toThrow('this is no backup of Pinkas')
  })

  test('sets the business up elsewhere, equal to the row; the chain is whole and the books say the same', async () => {
    expect(await restore(elsewhere, archive)).toMatchObject({ companyId, name: 'זרם טוב' })
    for (const table of ['companies', ...backedUp]) {
      if (table === 'webhook_endpoints') continue
      const here = await rowsOf(world.app.db, table)
      // Written by the download itself.
      const before = table === 'audit_log' ? here.filter((row) => !row.includes('backup.download')) : here
      const there = await rowsOf(elsewhere, table)
      expect(
        table === 'audit_log' ? there.filter((row) => !row.includes('backup.download')) : there,
        table,
      ).toEqual(before)
    }
    expect((await rowsOf(elsewhere, 'document_papers')).length).toBe(1)
    for await (const found of verifyBooks({ ...world.app, db: elsewhere }, companyId))
      expect(found).toMatchObject({ records: 2, broken: undefined })
    // Two businesses that are one would both tell a shop what happens: the one that was put back waits for a
    // person.
    const { rows: told } = await sql`select url, state, off_why from webhook_endpoints`.execute(
      elsewhere.kysely,
    )
    expect(told).toEqual([{ url: 'https://example.com/hook', state: 'off', off_why: 'restored' }])
    await expect(restore(elsewhere, archive)).rejects.toThrow(/here already/)
  })
})

test('whoever sees a part, or no sums, gets none of it', async () => {
  const mate = await newBusiness(world)
  const member = sql`select id from users where email = ${mate.email}`
  for (const rights of [
    { hide: true, types: [], own: false },
    { hide: false, types: [8], own: false },
    { hide: false, types: [], own: true },
  ]) {
    await sql`insert into memberships (company_id, user_id, type_id, rules, docs_allow, hide_total_prices,
        own_customers_only)
      select ${companyId}, id, 9, '{}', ${rights.types}::smallint[], ${rights.hide}, ${rights.own} from users
      where email = ${mate.email}
      on conflict (company_id, user_id) do update
        set docs_allow = excluded.docs_allow, hide_total_prices = excluded.hide_total_prices,
          own_customers_only = excluded.own_customers_only`.execute(world.app.db.kysely)
    await sql`update sessions set company_id = ${companyId} where user_id = (${member})`.execute(
      world.app.db.kysely,
    )
    await expect(mate.call(downloadBackup, {})).rejects.toMatchObject({ code: 'backup.notWhole' })
  }
})
