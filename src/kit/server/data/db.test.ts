import { createServer, type AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusedByDatabase } from '../../../../tests/nets.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { newId } from '../context.ts'
import { asSystem, inCompany, openDatabase, travelsPlain, type Tx } from './db.ts'

let world: World
let shop: Business
beforeAll(async () => {
  world = await startWorld()
  shop = await newBusiness(world)
})
afterAll(() => world.close())

const tagOf = async (tx: Tx, companyId: string, name: string): Promise<string | undefined> =>
  (
    await sql<{
      id: string
    }>`select id from race_marks where company_id = ${companyId} and name = ${name}`.execute(tx)
  ).rows[0]?.id

test('who loses a unique key to somebody else looks again and finds what the other made', async () => {
  await asSystem(world.app.db, async (tx) => {
    await sql`create table if not exists race_marks
        (company_id uuid, id uuid, name text, primary key (company_id, name))`.execute(tx)
    await sql`grant select, insert on race_marks to pinkas_app`.execute(tx)
  })
  const { rows: whose } = await sql<{
    companyId: string
    userId: string
  }>`select m.company_id as "companyId", m.user_id as "userId"
    from memberships m join users u on u.id = m.user_id where u.email = ${shop.email}`.execute(
    world.app.db.kysely,
  )
  const { companyId, userId } = whose[0]!
  const caller = { companyId, userId, ownCustomersOnly: false }
  const make = (tx: Tx, name: string) =>
    sql`insert into race_marks values (${companyId}, ${newId()}, ${name})`.execute(tx)
  let tries = 0
  const found = await inCompany(
    world.app.db,
    caller,
    async (tx) => {
      tries++
      const known = await tagOf(tx, companyId, 'first')
      if (known) return known
      // Somebody else is quicker, and this transaction cannot see it.
      await inCompany(world.app.db, caller, (other) => make(other, 'first'))
      await make(tx, 'first')
      return 'made'
    },
    { ofOneMoment: true },
  )
  expect(tries).toBe(2)
  expect(found).not.toBe('made')

  let lost = 0
  await expect(
    inCompany(world.app.db, caller, async (tx) => {
      lost++
      await make(tx, 'first')
    }),
  ).rejects.toMatchObject({ code: '23505' })
  // What is taken for good is said after three looks.
  expect(lost).toBe(3)
})

test.each([
  ['int8', '12345678901'],
  ['int8', '-1'],
  ['numeric', '18.2500'],
  ['date', '2026-11-20'],
  ['timestamptz', '2026-11-20 08:30:00.5+02'],
  ['int4', '7'],
  ['bool', 'true'],
  ['text', 'a "quoted", text'],
  ['uuid', '01900000-0000-7000-8000-000000000000'],
  ['jsonb', '{"a": [1, 2]}'],
])('a list of %s has its elements as %s arrives alone', async (type, value) => {
  const asked = sql<{ one: unknown; many: unknown[] }>`select ${value}::${sql.raw(type)} as one,
    array[${value}::${sql.raw(type)}, null] as many`
  const [row] = (await asked.execute(world.app.db.kysely)).rows
  expect(row!.many).toEqual([row!.one, null])
})

test('int8 is a number, alone and in lists, and refused where a number cannot hold it', async () => {
  const asked = async (text: ReturnType<typeof sql>) => (await text.execute(world.app.db.kysely)).rows[0]
  expect(
    await asked(sql`select 9007199254740991::int8 as one, '{1,null,-2}'::int8[] as many,
        '{}'::int8[] as none`),
  ).toEqual({ one: Number.MAX_SAFE_INTEGER, many: [1, null, -2], none: [] })
  for (const beyond of [sql`select 9007199254740992::int8`, sql`select '{9007199254740992}'::int8[]`])
    await expect(asked(beyond)).rejects.toThrow(RangeError)
})

test('a record that is there already is a conflict, whatever let it through', async () => {
  expect(await refusedByDatabase(world, sql`insert into companies select * from companies limit 1`)).toBe(
    'kit.conflict',
  )
})

test('a closed database has no connection left, whether Kysely or the pool itself opened it', async () => {
  const url = world.app.db.pool.options.connectionString!
  const plain = openDatabase(url, 2)
  await plain.pool.query('select 1')
  await plain.close()
  expect([plain.pool.ended, plain.pool.totalCount, plain.pool.idleCount]).toEqual([true, 0, 0])
  const built = openDatabase(url, 2)
  await asSystem(built, (tx) => sql`select 1`.execute(tx))
  await built.close()
  expect([built.pool.ended, built.pool.totalCount, built.pool.idleCount]).toEqual([true, 0, 0])
})

test.each([
  ['postgres://u:p@db.example.com/pinkas', true],
  ['postgres://u:p@db.example.com/pinkas?sslmode=disable', true],
  ['postgres://u:p@db.example.com/pinkas?sslmode=verify-full&sslrootcert=/ca.pem', false],
  ['postgres://u:p@db.example.com/pinkas?sslmode=require', false],
  ['postgres://u:p@127.0.0.1/pinkas', false],
  ['postgres://u:p@localhost/pinkas?host=/run/postgresql', false],
])('%s travels unencrypted: %s', (url, isPlain) => {
  expect(travelsPlain(url)).toBe(isPlain)
})

test('sslmode is respected: a database that cannot encrypt, or proves to be another one, hears no password', async () => {
  const heard: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      heard.push(bytes.toString('latin1'))
      // The code of a request for TLS (PostgreSQL, section “Message Formats”); the answer is that there is none.
      if (bytes.length === 8 && bytes.readInt32BE(4) === 80_877_103) socket.write('N')
    })
  })
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  const db = openDatabase(`postgres://someone:secret@127.0.0.1:${port}/x?sslmode=verify-full`, 1)
  await expect(db.pool.query('select 1')).rejects.toThrow(/SSL/)
  await db.close()
  server.close()
  expect(heard).toHaveLength(1)
  expect(heard.join('')).not.toMatch(/someone|secret/)
})
