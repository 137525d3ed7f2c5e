import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { allRules } from '#kit/describe/session.ts'
import { keyCaller } from '#features/open/apiKeys/server/index.ts'
import { asCaller, newId, type Caller } from '#kit/server/context.ts'
import { defineLongJob, startJob } from '#kit/server/work/progress.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import { memberCaller } from '#features/base/session/server/index.ts'
import { asSystem } from '#kit/server/data/db.ts'

/* Long work is done with the rights that its person has when it is done. */

let world: World
let shop: Business
let companyId: string
const seen: (Pick<Caller, 'rules' | 'docsAllow' | 'hideTotalPrices' | 'ownCustomersOnly'> & {
  apiKey: Caller['apiKey']
})[] = []
/** What happens between the two steps of the work. */
let between: (() => Promise<unknown>) | undefined
const see = () => allRules().get('customers.see')!
const send = () => allRules().get('documents.send')!

defineLongJob('rightsTest', {
  rule: 'customers.see',
  work: async (run) => {
    for (let at = 1; at <= 2; at++) {
      await run.step(
        ({ caller: { rules, docsAllow, hideTotalPrices, ownCustomersOnly, apiKey } }) =>
          Promise.resolve(void seen.push({ rules, docsAllow, hideTotalPrices, ownCustomersOnly, apiKey })),
        () => ({ done: at, total: 2 }),
      )
      await between?.()
    }
    return {}
  },
})

beforeAll(async () => {
  world = await startWorld()
  shop = await newBusiness(world)
  companyId = (await shop.call(mySession, {})).companyId
})
afterAll(() => world.close())

/** Starts work as a worker with all rights, whose membership then becomes something else, and lets it run. */
async function workAfter(change: string, how: { key?: string; midway?: boolean } = {}): Promise<string> {
  seen.length = 0
  const mate = await newBusiness(world)
  const { rows } = await asSystem(world.app.db, (tx) =>
    sql<{ id: string }>`insert into memberships (company_id, user_id, type_id, rules, docs_allow)
      select ${companyId}, id, 9, '{}', '{}' from users where email = ${mate.email}
      returning user_id as id`.execute(tx),
  )
  const userId = rows[0]!.id
  const key = newId()
  if (how.key !== undefined)
    await world.app.db.pool.query(
      `insert into api_keys (company_id, id, name, prefix, token_hash, created_by, read_only, drafts_only, rules)
        values ($1, $2, 'x', 'pk_live_x', $3, $4, false, false, $5)`,
      [companyId, key, Buffer.from(key), userId, [see(), send()]],
    )
  const caller =
    how.key === undefined
      ? await asSystem(world.app.db, (tx) => memberCaller(tx, companyId, userId))
      : await keyCaller(world.app, companyId, key)
  const id = await asCaller(world.app, caller!, '', (ctx) => startJob(ctx, 'rightsTest', {}))
  const narrow = async () => {
    await world.app.db.pool.query(`update memberships set ${change} where company_id = $1 and user_id = $2`, [
      companyId,
      userId,
    ])
    if (how.key)
      await world.app.db.pool.query(`update api_keys set ${how.key} where company_id = $1 and id = $2`, [
        companyId,
        key,
      ])
  }
  between = how.midway ? narrow : undefined
  if (!how.midway) await narrow()
  await world.worker.drain()
  const { rows: jobs } = await world.app.db.pool.query<{ state: string; error: { code: string } | null }>(
    'select state, error from jobs where id = $1',
    [id],
  )
  return jobs[0]!.error?.code ?? jobs[0]!.state
}

const nothingMore = { hideTotalPrices: false, ownCustomersOnly: false, apiKey: undefined }

test('it is done as long as its person may, with what they may see then', async () => {
  const narrower = `rules = '{${see()}}', docs_allow = '{8}', hide_total_prices = true, own_customers_only = true`
  expect(await workAfter(narrower)).toBe('done')
  expect(seen[0]).toEqual({
    rules: [see()],
    docsAllow: [8],
    hideTotalPrices: true,
    ownCustomersOnly: true,
    apiKey: undefined,
  })
})

test('what is taken away between two steps is not there in the second', async () => {
  expect(await workAfter(`rules = '{${see()}}'`, { midway: true })).toBe('done')
  expect(seen).toEqual([
    { rules: [], docsAllow: [], ...nothingMore },
    { rules: [see()], docsAllow: [], ...nothingMore },
  ])
  expect(await workAfter(`rules = '{${send()}}'`, { midway: true })).toBe('session.forbidden')
  expect(seen).toHaveLength(1)
})

test('a key that lost everything, or whose person did, may not do everything', async () => {
  expect(await workAfter(`rules = '{7}'`, { key: '' })).toBe('session.forbidden')
  expect(await workAfter(`rules = '{}'`, { key: `rules = '{7}'` })).toBe('session.forbidden')
  expect(seen).toEqual([])
})

test('the limits of a key are those of now', async () => {
  const key = `drafts_only = true, sum_limit_agorot = 100, docs_allow = '{8}', rules = '{${see()}}'`
  expect(await workAfter(`rules = '{}'`, { key })).toBe('done')
  expect(seen[0]).toMatchObject({
    rules: [see()],
    docsAllow: [8],
    apiKey: { draftsOnly: true, sumLimitAgorot: 100 },
  })
})

test.each(['removed_at = now()', 'blocked_at = now()'])('not after %s', async (change) => {
  expect(await workAfter(change)).toBe('session.forbidden')
  expect(seen).toEqual([])
})

test.each(['revoked_at = now()', "expires_at = now() - interval '1 day'"])(
  'not after %s of its key',
  async (key) => {
    expect(await workAfter(`rules = '{}'`, { key })).toBe('session.forbidden')
    expect(seen).toEqual([])
  },
)
