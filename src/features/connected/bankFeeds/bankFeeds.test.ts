import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asSystem } from '#kit/server/data/db.ts'
import { newBusiness, raw, startWorld, type Business, type World } from '../../../../tests/world.ts'
import * as calls from './endpoints.ts'
import { takeFolders } from './server/folder.ts'
import type { Feed } from './endpoints.ts'

let world: World
let owner: Business
let feed: Feed
let accountId: string
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  owner = await newBusiness(world)
  accountId = (
    await owner.send('POST', '/api4/invoice/bankaccounts', {
      name: 'עו״ש',
      bankCode: 12,
      branch: '600',
      number: '12345',
    })
  ).id
  feed = await owner.call(calls.createFeed, { name: 'משיכה יומית', bankAccountId: accountId })
})

const statement = (...lines: string[]) =>
  Buffer.from(['תאריך,תיאור,אסמכתא,חובה,זכות,יתרה', ...lines].join('\n'))
const first = statement('01/11/2026,העברה,1001,,500.00,1500.00', '03/11/2026,עמלה,1002,20.00,,1480.00')
const send = async (bytes: Buffer, key = feed.address.split('/').at(-1)!, name = 'day.csv') => {
  const answer = await raw(world, calls.putFile, { key, name, bytes })
  return {
    status: answer.statusCode,
    ...(JSON.parse(answer.body) as { outcome?: string; lines?: number; code?: string }),
  }
}
const lines = async () => (await owner.get(`/api4/invoice/banklines?bankAccountId=${accountId}`)).rows.length

describe('a file of the bank', () => {
  test('comes in by its address, once, and only what is new of the next', async () => {
    expect(await send(first)).toMatchObject({ status: 200, outcome: 'taken', lines: 2 })
    expect(await lines()).toBe(2)
    expect(await Promise.all([send(first), send(first)])).toMatchObject([
      { outcome: 'taken' },
      { outcome: 'taken' },
    ])
    expect(await lines()).toBe(2)
    const next = statement('03/11/2026,עמלה,1002,20.00,,1480.00', '05/11/2026,הפקדה,1003,,100.00,1580.00')
    expect(await send(next)).toMatchObject({ outcome: 'taken', lines: 1 })
    expect(await lines()).toBe(3)
    const { rows } = await owner.call(calls.listFeedFiles, { id: feed.id })
    expect(rows.map(({ outcome, name }) => [outcome, name])).toEqual([
      ['taken', 'day.csv'],
      ['taken', 'day.csv'],
    ])
  })

  test('that is not plain waits in the bank, and one that is none is refused', async () => {
    await send(first)
    // Lines between the two files are missing.
    expect(await send(statement('20/11/2026,העברה,1009,,10.00,9000.00'))).toMatchObject({
      status: 200,
      outcome: 'waits',
    })
    expect((await owner.call(calls.listFeeds, {})).rows).toMatchObject([{ waits: 1 }])
    expect(await send(Buffer.from('hello'))).toMatchObject({ status: 200, outcome: 'refused' })
    expect(await lines()).toBe(2)
  })

  test('without the key, or by a door that is off, comes to nothing', async () => {
    expect((await send(first, 'nothing')).status).toBe(404)
    await owner.call(calls.changeFeed, { id: feed.id, on: false })
    expect((await send(first)).status).toBe(409)
    await owner.call(calls.dropFeed, { id: feed.id })
    expect((await send(first)).status).toBe(404)
    expect(await lines()).toBe(0)
    const other = await newBusiness(world)
    await expect(other.call(calls.createFeed, { name: 'x', bankAccountId: accountId })).rejects.toMatchObject(
      {
        errors: [{ path: 'bankAccountId' }],
      },
    )
    await expect(other.call(calls.listFeedFiles, { id: feed.id })).rejects.toMatchObject({ status: 404 })
  })

  test('laid in the folder of its door is taken when it has come to rest, and moves aside', async () => {
    const folder = join(world.app.settings.dataDir, feed.folder)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'leumi.csv'), first)
    writeFileSync(join(folder, 'growing.part'), first)
    expect(await takeFolders(world.app)).toBe(0)
    const before = new Date(Date.now() - 60_000)
    utimesSync(join(folder, 'leumi.csv'), before, before)
    expect(await takeFolders(world.app)).toBe(1)
    expect(await lines()).toBe(2)
    expect(existsSync(join(folder, 'leumi.csv'))).toBe(false)
    expect(readdirSync(join(folder, 'taken'))).toHaveLength(1)
    mkdirSync(join(world.app.settings.dataDir, 'bankfeeds', 'of-nobody'), { recursive: true })
    expect(await takeFolders(world.app)).toBe(0)
  })
})

test('a server error is not recorded as a refused file: the same file is read again', async () => {
  const change = (text: string) => asSystem(world.app.db, (tx) => sql.raw(text).execute(tx))
  await change('alter table bank_lines rename column day to renamed')
  try {
    expect((await send(first)).status).toBe(500)
  } finally {
    await change('alter table bank_lines rename column renamed to day')
  }
  expect((await owner.call(calls.listFeedFiles, { id: feed.id })).rows).toEqual([])
  expect(await send(first)).toMatchObject({ status: 200, outcome: 'taken', lines: 2 })
})

test('the twenty-first feed is refused', async () => {
  const another = (n: number) =>
    owner.call(calls.createFeed, { name: `משיכה ${n}`, bankAccountId: accountId })
  for (let n = 2; n <= 20; n++) await another(n)
  await expect(another(21)).rejects.toMatchObject({ status: 422, code: 'bankFeeds.tooMany' })
})
