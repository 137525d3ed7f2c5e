import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseFailures, failureOf } from '#kit/server/contract/failures.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { newBusiness, startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

test('a code of the database has one meaning', () => {
  expect(() => (databaseFailures.PK002 = () => failureOf(new Error('x')))).toThrow(/PK002/)
  expect(failureOf(Object.assign(new Error('x'), { code: 'PK002' })).code).toBe('ledger.notBalanced')
})

test('each code that functions of the database raise is told as a refusal', async () => {
  const { rows } = await sql<{ code: string; names: string[] }>`select m.found[1] as code,
      array_agg(distinct p.proname order by p.proname) as names
    from pg_proc p, lateral regexp_matches(p.prosrc, 'errcode = ''(PK[A-Z0-9]+)''', 'g') as m (found)
    where p.pronamespace = 'public'::regnamespace group by 1 order by 1`.execute(world.app.db.kysely)
  expect(rows.map(({ code }) => code)).toContain('PK002')
  expect(rows.filter(({ code }) => !databaseFailures[code]).map(({ code, names }) => [code, names])).toEqual(
    [],
  )
})

test('what stays as it was is refused in the words of its own feature', async () => {
  const shop = await newBusiness(world)
  const { companyId } = await shop.get('/api/user/session')
  const refused = (statement: ReturnType<typeof sql>) =>
    asSystem(world.app.db, async (tx) => {
      await sql`insert into locked_periods (company_id, id, kind, from_day, to_day)
        values (${companyId}, gen_random_uuid(), 'month', '2026-01-01', '2026-01-31')`.execute(tx)
      await statement.execute(tx)
    }).then(
      () => 'nothing',
      (e: unknown) => failureOf(e).code,
    )
  expect(await refused(sql`delete from locked_periods where company_id = ${companyId}`)).toBe(
    'periods.frozen',
  )
})
