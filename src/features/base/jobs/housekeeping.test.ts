import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { JOB_DAYS, sweep } from '#kit/server/work/housekeeping.ts'
import { mySession } from '#features/base/session/endpoints.ts'

let world: World
let shop: Business
let companyId: string
beforeAll(async () => {
  world = await startWorld()
  shop = await newBusiness(world)
  companyId = (await shop.call(mySession, {})).CompanyKey
})
afterAll(() => world.close())

test('what ended long ago goes, and what is younger or not over stays', async () => {
  const db = world.app.db.kysely
  const job = (kind: string, days: number | null) =>
    sql`insert into jobs (company_id, id, kind, state, caller, created_by, created_at, ended_at)
      values (${companyId}, gen_random_uuid(), ${kind},
      ${days === null ? 'running' : 'done'}, '{}', gen_random_uuid(), now() - interval '1 year',
      ${days === null ? null : sql`now() - ${days} * interval '1 day'`})`.execute(db)
  await job('old', JOB_DAYS + 1)
  await job('young', JOB_DAYS - 1)
  await job('running', null)
  const invitation = (email: string, days: number) =>
    sql`insert into invitations (company_id, id, full_name, email, language, type_id, token_hash, expires_at,
        invited_by)
      values (${companyId}, gen_random_uuid(), 'x', ${email}, 'he', 9, sha256(convert_to(${email}, 'UTF8')),
        now() - ${days} * interval '1 day', gen_random_uuid())`.execute(db)
  await invitation('old@example.com', 91)
  await invitation('young@example.com', 89)
  const file = (name: string, days: number, state: string) =>
    sql`insert into imports (company_id, id, resource, name, size, kind, state, reading, mapping, head,
        created_by, updated_at)
      values (${companyId}, gen_random_uuid(), 'items', ${name}, 1, 'text', ${state}, '{}', '[]', '{}',
        gen_random_uuid(), now() - ${days} * interval '1 day')`.execute(db)
  await file('forgotten.csv', 31, 'checked')
  await file('lately.csv', 29, 'checked')
  await file('done.csv', 400, 'done')
  await sql`insert into import_parts (company_id, import_id, part, bytes) select company_id, id, 0, 'x'
    from imports where company_id = ${companyId}`.execute(db)
  await sweep(world.app)
  const of = async (table: string, column: string) =>
    (
      await sql<{
        value: string
      }>`select ${sql.ref(column)} as value from ${sql.table(table)} where company_id = ${companyId}
        order by 1`.execute(db)
    ).rows.map(({ value }) => value)
  expect(await of('jobs', 'kind')).toEqual(['running', 'young'])
  expect(await of('invitations', 'email')).toEqual(['young@example.com'])
  expect(await of('imports', 'name')).toEqual(['done.csv', 'lately.csv'])
  expect(await of('import_parts', 'part')).toEqual([])
})
