import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays, addMonths, dayInJerusalem } from '#domain/day.ts'
import type { ReportAnswer } from '#kit/describe/report.ts'
import { asSystem } from '#kit/server/data/db.ts'
import * as calls from './endpoints.ts'
import { callAs, newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'

let world: World
let shop: Business
let companyId: string
let customerId: string
beforeAll(async () => {
  world = await startWorld()
  shop = await newBusiness(world)
  companyId = (await shop.get<{ companyId: string }>('/api/user/session')).companyId
  customerId = (await shop.customer('מאפייה')).id
  await sell('1000')
})
afterAll(() => world.close())

const today = () => dayInJerusalem(world.app.now())
const sell = (unitPrice: string) =>
  shop.send('POST', '/api4/invoice/documents', {
    type: 8,
    customerId,
    lines: [{ description: 'עבודה', quantity: '1', unitPrice }],
  })
const query = {
  from: '2020-01-01',
  to: '2099-12-31',
  cols: 'month,netAgorot,totalAgorot',
  order: '-netAgorot',
}
const password = 'ארבע מילים ארוכות'
const share = (more: object = {}) =>
  shop.call(calls.createShare, {
    report: 'income',
    query,
    title: 'הכנסות לרואה החשבון',
    password,
    expiresOn: addDays(today(), 10),
    ...more,
  })
const keyOf = ({ url }: { url: string }) => url.split('/').at(-1)!
const open = (key: string, more: object = {}) =>
  callAs(world, calls.openShare, { key, password, name: 'דנה רואת חשבון', ...more }, {})
const from = (address: string, key: string, more: object = {}) =>
  callAs(world, calls.openShare, { key, password, name: 'דנה רואת חשבון', ...more }, { address })
const netOf = ({ answer }: { answer: ReportAnswer }) => answer.totals.netAgorot
const member = (change: string) =>
  asSystem(world.app.db, (tx) =>
    sql`update memberships set ${sql.raw(change)} where company_id = ${companyId}`.execute(tx),
  )

describe('what is shared', () => {
  test('exactly what was chosen, without a way into the application, and who opened it is written down', async () => {
    const made = await share()
    const key = keyOf(made)
    expect(key).toMatch(/^[\w-]{32}$/)
    const face = await callAs(world, calls.shareFace, { key }, {})
    expect(face).toMatchObject({ state: 'open', language: 'he' })
    expect(JSON.stringify(face)).not.toContain('הכנסות')
    const opened = await open(key)
    expect(Object.keys(opened.answer.shape.columns)).toEqual(['month', 'netAgorot', 'totalAgorot'])
    expect(JSON.stringify(opened.answer)).not.toContain('/invoice/')
    expect(opened.answer.filters).toEqual({})
    expect(opened.period).toEqual([query.from, query.to])
    expect((await open(keyOf(await share({ frozen: true })))).period).toEqual([query.from, query.to])
    expect(netOf(opened)).toBe(100_000)
    expect((await shop.call(calls.viewsOfShare, { id: made.id })).rows).toMatchObject([
      { name: 'דנה רואת חשבון' },
    ])
    expect((await shop.call(calls.listShares, {})).rows.find(({ id }) => id === made.id)).toMatchObject({
      views: 1,
      state: 'open',
    })
  })

  test('a frozen one never changes though the books do; a live one follows them', async () => {
    const [frozen, live] = [keyOf(await share({ frozen: true })), keyOf(await share())]
    const before = netOf(await open(frozen))
    await sell('500')
    expect(netOf(await open(frozen))).toBe(before)
    expect(netOf(await open(live))).toBe(before! + 50_000)
    expect((await open(frozen)).isFrozen).toBe(true)
  })

  test('sums hidden from its giver stay hidden, also when he may see them later', async () => {
    await member('hide_total_prices = true')
    const key = keyOf(await share())
    await member('hide_total_prices = false')
    const { answer } = await open(key)
    expect(answer.totals).toEqual({})
    expect(answer.rows.every((row) => row.netAgorot === null)).toBe(true)
  })
})

describe('how it ends', () => {
  test('taken back, at once', async () => {
    const made = await share()
    await shop.call(calls.dropShare, { id: made.id })
    await expect(open(keyOf(made))).rejects.toMatchObject({ status: 410, code: 'reportShares.ended' })
    expect((await callAs(world, calls.shareFace, { key: keyOf(made) }, {})).state).toBe('ended')
  })

  test('past its day, and never for longer than a year or into the past', async () => {
    const made = await share({ expiresOn: today() })
    await asSystem(world.app.db, (tx) =>
      sql`update report_shares set expires_on = ${addDays(today(), -1)} where id = ${made.id}`.execute(tx),
    )
    await expect(open(keyOf(made))).rejects.toMatchObject({ code: 'reportShares.ended' })
    for (const expiresOn of [addDays(today(), -1), addDays(addMonths(today(), 12), 1)])
      await expect(share({ expiresOn })).rejects.toMatchObject({
        errors: [{ path: 'expiresOn', code: 'reportShares.expiry' }],
      })
  })

  test('when its giver loses the right to the report, or leaves the business: at once, frozen or not', async () => {
    const keys = [keyOf(await share()), keyOf(await share({ frozen: true }))]
    // Everything but the reports of sales.
    await member("rules = '{9999}'")
    for (const key of keys) {
      await expect(open(key)).rejects.toMatchObject({ code: 'reportShares.ended' })
      expect((await callAs(world, calls.shareFace, { key }, {})).state).toBe('ended')
    }
    await member("rules = '{}', removed_at = now()")
    for (const key of keys) await expect(open(key)).rejects.toMatchObject({ code: 'reportShares.ended' })
    await member('removed_at = null')
    for (const key of keys) expect(netOf(await open(key))).toBeGreaterThan(0)
  })
})

describe('its door', () => {
  test('five wrong passwords from one source wait there, and the right one waits with them', async () => {
    const key = keyOf(await share())
    for (let n = 0; n < 5; n++)
      await expect(from('10.7.0.1', key, { password: 'נחש' })).rejects.toMatchObject({
        errors: [{ path: 'password', code: 'reportShares.wrongPassword' }],
      })
    await expect(from('10.7.0.1', key)).rejects.toMatchObject({ status: 429, code: 'reportShares.wait' })
    expect(netOf(await from('10.7.0.2', key))).toBeGreaterThan(0)
    await asSystem(world.app.db, (tx) =>
      sql`update throttles set window_start = window_start - interval '15 minutes'
        where key like 'share:%'`.execute(tx),
    )
    expect(netOf(await from('10.7.0.1', key))).toBeGreaterThan(0)
  })

  test('a right password resets the count of wrong ones', async () => {
    const key = keyOf(await share())
    for (let round = 0; round < 2; round++) {
      for (let n = 0; n < 4; n++)
        await expect(from('10.7.0.3', key, { password: 'נחש' })).rejects.toMatchObject({
          errors: [{ path: 'password', code: 'reportShares.wrongPassword' }],
        })
      expect(netOf(await from('10.7.0.3', key))).toBeGreaterThan(0)
    }
  })

  test('a name is asked for, a short password is not taken, and an unknown key opens nothing', async () => {
    const key = keyOf(await share())
    await expect(open(key, { name: ' ' })).rejects.toMatchObject({ errors: [{ path: 'name' }] })
    await expect(share({ password: '1234567' })).rejects.toMatchObject({
      errors: [{ path: 'password', code: 'reportShares.shortPassword' }],
    })
    await expect(open('x'.repeat(32))).rejects.toMatchObject({ status: 404 })
  })

  test('nobody shares what he may not open, nor sees or takes back what another business shared', async () => {
    await expect(share({ report: 'nothing' })).rejects.toMatchObject({ status: 404 })
    const stranger = await newBusiness(world)
    const made = await share()
    expect((await stranger.call(calls.listShares, {})).rows).toEqual([])
    await expect(stranger.call(calls.dropShare, { id: made.id })).rejects.toMatchObject({ status: 404 })
    await expect(stranger.call(calls.viewsOfShare, { id: made.id })).rejects.toMatchObject({ status: 404 })
    await member("rules = '{9999}'")
    await expect(share()).rejects.toMatchObject({ status: 403 })
    await member("rules = '{}'")
  })
})
