import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newBusiness, startWorld, type Business, type World } from '../../../tests/world.ts'
import { newId } from './context.ts'
import { asSystem, inCompany, type Tx } from './db.ts'

let world: World
let shop: Business
beforeAll(async () => {
  world = await startWorld()
  shop = await newBusiness(world)
})
afterAll(() => world.close())

const tagOf = async (tx: Tx, companyId: string, name: string): Promise<string | undefined> =>
  (
    await sql<{ id: string }>`select id from race_marks where company_id = ${companyId}
      and name = ${name}`.execute(tx)
  ).rows[0]?.id

test('who loses a unique key to somebody else looks again and finds what the other made', async () => {
  await asSystem(world.app.db, async (tx) => {
    await sql`create table if not exists race_marks
        (company_id uuid, id uuid, name text, primary key (company_id, name))`.execute(tx)
    await sql`grant select, insert on race_marks to pinkas_app`.execute(tx)
  })
  const { rows: whose } = await sql<{ companyId: string; userId: string }>`select m.company_id as "companyId",
      m.user_id as "userId"
    from memberships m join users u on u.id = m.user_id
    where u.email = ${shop.email}`.execute(world.app.db.kysely)
  const { companyId, userId } = whose[0]!
  const caller = { companyId, userId, ownCustomersOnly: false }
  const make = (tx: Tx, name: string) =>
    sql`insert into race_marks
    values (${companyId}, ${newId()}, ${name})`.execute(tx)
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
