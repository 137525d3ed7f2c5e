import { afterAll, beforeAll, expect, test } from 'vitest'
import { changes, committed, schema, statementKinds, statements } from '../tools/shards.ts'
import { startWorld, type World } from './world.ts'

/*
 * What would not run on a database sharded by business is listed in docs/shards.txt. A table, a key, a trigger or a
 * statement that is not listed fails here: the list may shrink, and grow only on purpose.
 */

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

test('tables, keys, foreign keys, triggers and functions are as listed', async () => {
  const client = await world.app.db.pool.connect()
  try {
    expect(changes(await schema(client), committed(statementKinds, true))).toEqual([])
    // A table of many businesses, with a key that a stranger presents, is found.
    await client.query('begin')
    await client.query(`create table hold_trial (company_id uuid not null, id uuid primary key,
      page_key text, unique (company_id, page_key))`)
    expect(changes(await schema(client), committed(statementKinds, true))).toMatchObject([
      expect.stringContaining('key without the business | hold_trial (id)'),
    ])
  } finally {
    await client.query('rollback')
    client.release()
  }
})

test('statements over many businesses are as listed', () => {
  expect(changes(statements(), committed(statementKinds))).toEqual([])
  expect(statements().some((line) => line.includes('kit/server/work/jobs.ts'))).toBe(true)
})

test('what is new and what is gone are both named', () => {
  expect(changes(['a | x', 'a | x'], ['a | x', 'b | y'])).toMatchObject([
    expect.stringContaining('would not run on a database sharded by business: a | x'),
    expect.stringContaining('is listed in docs/shards.txt and gone: b | y'),
  ])
})
