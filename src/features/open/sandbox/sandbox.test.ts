import { spawnSync } from 'node:child_process'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem } from '#kit/server/data/db.ts'
import { getConnection } from '#features/tax/allocation/endpoints.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import { myCompanies, switchCompany } from '#features/base/companies/endpoints.ts'
import { discardDemo } from '#features/office/demo/endpoints.ts'
import { makeKey } from '../apiKeys/endpoints.ts'
import { newBusiness, raw, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { discardSandbox, emptySandbox, getSandbox, openSandbox } from './endpoints.ts'

let world: World
let owner: Business
let secret: string
let testId: string

beforeAll(async () => {
  world = await startWorld()
  owner = await newBusiness(world)
  const opened = await owner.call(openSandbox, {})
  secret = opened.secret
  testId = opened.business!.id
})
afterAll(() => world.close())

const ask = async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object, token = secret) => {
  const answer = await world.http.inject({
    method,
    url,
    headers: { 'x-access-token': token },
    ...(payload ? { payload } : {}),
  })
  return {
    status: answer.statusCode,
    body: answer.headers['content-type']?.toString().includes('json') ? answer.json() : answer.rawPayload,
  }
}
const invoice = async (more: object = {}) => {
  const { body } = await ask('GET', '/api4/invoice/customers')
  const made = await ask('POST', '/api4/invoice/documents', {
    type: 8,
    customerId: body.rows[0].id,
    lines: [{ description: 'עבודה', unitPrice: '100' }],
    ...more,
  })
  expect(made.status).toBe(201)
  return made.body
}

describe('a test business', () => {
  test('stands beside the real one with numbers of its own, and the key says which it is', async () => {
    expect(secret).toMatch(/^pk_test_/)
    const real = await owner.customer('לקוח אמיתי')
    await owner.invoice(real.id, '100')
    await owner.invoice(real.id, '100')
    const first = await invoice()
    const second = await invoice()
    expect(second.number).toBe(first.number + 1)
    expect((await owner.get('/api4/invoice/documents')).rows).toHaveLength(2)
    expect((await ask('GET', '/api4/invoice/documents')).body.rows).toHaveLength(2)
    expect(
      (
        await owner.call(makeKey, {
          name: 'x',
          readOnly: true,
          draftsOnly: false,
          rules: [],
          docsAllow: [],
          sumLimitAgorot: null,
          expiresOn: null,
        })
      ).secret,
    ).toMatch(/^pk_live_/)
    expect((await owner.call(myCompanies, {})).rows.map(({ test: isTest }) => isTest).toSorted()).toEqual([
      false,
      true,
    ])
  })

  test('is one, however often it is opened; a key that works goes on, and ends a month after its last use', async () => {
    const again = await Promise.all([owner.call(openSandbox, {}), owner.call(openSandbox, {})])
    expect(new Set(again.map(({ business }) => business!.id))).toEqual(new Set([testId]))
    for (const one of [secret, ...again.map((opened) => opened.secret)])
      expect((await ask('GET', '/api4/invoice/items', undefined, one)).status).toBe(200)
    await sql`update api_keys set created_at = now() - interval '40 days',
        used_at = now() - interval '31 days'
      where company_id = ${testId}`.execute(world.app.db.kysely)
    const alive = await owner.call(openSandbox, {})
    expect((await ask('GET', '/api4/invoice/items')).status).toBe(401)
    secret = alive.secret
    expect((await ask('GET', '/api4/invoice/items')).status).toBe(200)
  })

  test('prints on every paper that it is a test', async () => {
    const { id } = await invoice()
    for (const variant of ['original', 'copy', 'thermal']) {
      const { body } = await ask('GET', `/api4/invoice/documents/${id}/pdf?variant=${variant}`)
      const text = spawnSync('pdftotext', ['-', '-'], { input: body as Uint8Array, encoding: 'utf8' }).stdout
      expect([variant, /בדיקה|הקידב/.test(text)]).toEqual([variant, true])
    }
  })

  test('keeps its letters here whatever mail server there is', async () => {
    const { id } = await invoice()
    expect(
      (await ask('POST', `/api4/invoice/documents/${id}/send`, { to: 'somebody@example.com' })).status,
    ).toBe(200)
    // A server that would refuse every connection: what goes out would fail.
    const settings = { ...world.app.settings }
    world.app.settings.smtpUrl = 'smtp://127.0.0.1:9'
    await world.worker.drain()
    world.app.settings.smtpUrl = settings.smtpUrl
    const { rows } = await asSystem(world.app.db, (tx) =>
      sql<{
        state: string
      }>`select state from messages where company_id = ${testId} and document_id = ${id}`.execute(tx),
    )
    expect(rows).toEqual([{ state: 'kept' }])
  })

  test('asks the simulator of the authority, whatever the server is set to', async () => {
    const mode = world.app.settings.taxAuthority.mode
    world.app.settings.taxAuthority.mode = 'production'
    const mine = await raw(world, getConnection, {}, { token: owner.token })
    const tried = await raw(world, getConnection, {}, { token: secret })
    world.app.settings.taxAuthority.mode = mode
    expect([mine.json().authority, tried.json().authority]).toEqual(['real', 'simulator'])
  })

  test('is emptied by its key, which goes on working, and begins its numbers anew', async () => {
    const before = await invoice()
    const { status, body } = await ask('POST', '/api4/invoice/sandbox/empty', {})
    expect([status, body.business]).toMatchObject([200, { id: testId, documents: 0, customers: 2 }])
    const after = await invoice()
    expect(after.number).toBeLessThan(before.number)
  })

  test('leaves the real one alone: its own keys empty and discard nothing', async () => {
    const live = await owner.call(makeKey, {
      name: 'x',
      readOnly: false,
      draftsOnly: false,
      rules: [],
      docsAllow: [],
      sumLimitAgorot: null,
      expiresOn: null,
    })
    expect((await ask('POST', '/api4/invoice/sandbox/empty', {}, live.secret)).status).toBe(403)
    expect((await ask('DELETE', '/api4/invoice/sandbox', undefined, live.secret)).status).toBe(403)
    expect((await owner.get('/api4/invoice/documents')).rows.length).toBeGreaterThan(0)
    // Inside the test business nobody opens another one, and nothing of the real one can be thrown away as a
    // demo.
    expect((await ask('POST', '/api4/invoice/sandbox', {})).status).toBe(403)
    await expect(owner.call(discardDemo, {})).rejects.toMatchObject({ code: 'demo.notDemo' })
  })

  test('is entered by whoever opened it, and thrown away from the real one', async () => {
    await owner.call(switchCompany, { id: testId })
    expect(await owner.call(getSandbox, {})).toMatchObject({ isHere: true, business: { id: testId } })
    await expect(owner.call(discardSandbox, {})).rejects.toMatchObject({ code: 'sandbox.isTest' })
    const { rows } = await owner.call(myCompanies, {})
    await owner.call(switchCompany, { id: rows.find((one) => !one.test)!.id })
    expect((await owner.call(discardSandbox, {})).business).toBeNull()
    expect((await ask('GET', '/api4/invoice/items')).status).toBe(401)
    await expect(owner.call(emptySandbox, {})).rejects.toMatchObject({ code: 'sandbox.none' })
    expect((await owner.call(mySession, {})).CompanyKey).not.toBe(testId)
  })
})
