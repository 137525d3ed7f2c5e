import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { implementations } from '../../../features.ts'
import { dayInJerusalem } from '#domain/day.ts'
import type { Endpoint, InputOf } from '#kit/describe/endpoint.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { keyCalls, keyCallsOf } from '#kit/server/http/keys.ts'
import { newBusiness, raw, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { switchCompany } from '#features/base/companies/endpoints.ts'
import { createDocument, issueDocument } from '#features/sales/documents/endpoints.ts'
import {
  approveExpense,
  cancelExpense,
  createExpense,
  payExpense,
} from '#features/purchases/expenses/endpoints.ts'
import { addEntry } from '#features/base/ledger/endpoints.ts'
import { buyModule } from '#features/base/modules/endpoints.ts'
import { refundCharge } from '#features/money/paymentLinks/endpoints.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import {
  cancelPaymentOfSupplier,
  createSupplierPayment,
} from '#features/purchases/supplierPayments/endpoints.ts'
import { listKeys, makeKey, revokeKey } from './endpoints.ts'

let world: World
let owner: Business
let company: string
let customerId: string

beforeAll(async () => {
  world = await startWorld()
  owner = await newBusiness(world)
  company = (await owner.call(mySession, {})).CompanyKey
  customerId = (await owner.customer('כהן')).id
})
afterAll(() => world.close())

const today = dayInJerusalem(new Date())
type Scope = Partial<InputOf<typeof makeKey>>
const newKey = async (scope: Scope = {}, by = owner) =>
  by.call(makeKey, {
    name: 'חנות',
    readOnly: false,
    draftsOnly: false,
    rules: [],
    docsAllow: [],
    sumLimitAgorot: null,
    expiresOn: null,
    ...scope,
  })

/** What a key gets: the status, and the code when it is refused. */
async function tryCall<E extends Endpoint<any, any>>(token: string, endpoint: E, input: InputOf<E>) {
  const answer = await raw(world, endpoint, input as Record<string, unknown>, { token })
  return {
    status: answer.statusCode,
    code: (answer.json() as { code?: string }).code,
    body: answer.json(),
    headers: answer.headers,
  }
}
const get = (token: string, url: string) =>
  world.http.inject({ method: 'GET', url, headers: { 'x-access-token': token } })
const draft = (shekels = '100', type = 8) => ({
  type,
  customerId,
  lines: [{ description: 'x', unitPrice: shekels }],
})

describe('a key', () => {
  test('works as the business, is told once and kept as a hash', async () => {
    const { secret, key } = await newKey()
    expect(secret).toMatch(/^pk_live_[\w-]{43}$/)
    expect(secret.startsWith(key.prefix)).toBe(true)
    expect((await tryCall(secret, createDocument, draft())).status).toBe(201)
    const { rows } = await sql<{
      all: string
    }>`select row_to_json(k)::text as all from api_keys k where id = ${key.id}`.execute(world.app.db.kysely)
    expect(rows[0]!.all).not.toContain(secret.slice(13))
    const listed = (await owner.call(listKeys, {})).rows.find((row) => row.id === key.id)!
    expect(listed.usedAt).not.toBeNull()
    expect(listed.usedFrom).toMatch(/^10\./)
    expect(JSON.stringify(listed)).not.toContain(secret.slice(13))
    const { rows: deeds } = await owner.get('/api4/invoice/audit')
    expect(deeds[0].address).toContain(key.prefix)
  })

  test('reads and never writes when it only reads', async () => {
    const { secret } = await newKey({ readOnly: true })
    expect((await get(secret, '/api4/invoice/customers')).statusCode).toBe(200)
    expect(await tryCall(secret, createDocument, draft())).toMatchObject({
      status: 403,
      code: 'kit.keyReadOnly',
    })
    for (const { endpoint } of implementations.filter(
      (i) => i.inside && i.endpoint.method !== 'GET' && !i.endpoint.reads,
    )) {
      const path = Object.fromEntries(
        [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((m) => [m[1]!, customerId]),
      )
      const answer = await raw(world, endpoint, path, { token: secret })
      // A minute's room is smaller than the walk.
      await sql`delete from throttles where key like 'key:%'`.execute(world.app.db.kysely)
      expect({ name: endpoint.name, status: answer.statusCode }).toEqual({ name: endpoint.name, status: 403 })
    }
  })

  test('of drafts writes them and issues nothing', async () => {
    const { secret } = await newKey({ draftsOnly: true })
    const made = await tryCall(secret, createDocument, { ...draft(), draft: true })
    expect(made.status).toBe(201)
    expect(await tryCall(secret, createDocument, draft())).toMatchObject({
      status: 403,
      code: 'kit.keyDraftsOnly',
    })
    expect(await tryCall(secret, issueDocument, { id: (made.body as { id: string }).id })).toMatchObject({
      code: 'kit.keyDraftsOnly',
    })
    const issued = await owner.invoice(customerId, '10')
    const cancelled = await world.http.inject({
      method: 'POST',
      url: `/api4/invoice/documents/${issued.id}/cancel`,
      headers: { 'x-access-token': secret },
      payload: { reason: 'x' },
    })
    expect(cancelled.json().code).toBe('kit.keyDraftsOnly')
  })

  test('stops at its sum, to the agora', async () => {
    const { secret } = await newKey({ sumLimitAgorot: 11_800 })
    expect((await tryCall(secret, createDocument, draft('100'))).status).toBe(201)
    expect(await tryCall(secret, createDocument, draft('100.01'))).toMatchObject({
      status: 403,
      code: 'kit.keySumLimit',
    })
  })

  test('books expenses and pays suppliers no further than it issues', async () => {
    const { id: supplierId } = await owner.send('POST', '/api4/invoice/suppliers', { name: 'ספק' })
    const kind = (await owner.get('/api4/invoice/expensetypes?size=10')).rows[0].id
    let number = 100
    const bill = (netAgorot: number): InputOf<typeof createExpense> =>
      ({
        supplierId,
        supplierNumber: String(number++),
        means: 'onCredit',
        date: today,
        lines: [{ typeId: kind, netAgorot, vatAgorot: 0 }],
      }) as never
    const enter = async (secret: string, netAgorot: number) =>
      (await tryCall(secret, createExpense, bill(netAgorot))).body
    const payIt = (id: string, amountAgorot: number) => ({
      supplierId,
      means: 'bank' as const,
      bills: [{ id, amountAgorot }],
    })

    const drafts = await newKey({ draftsOnly: true })
    const waiting = await enter(drafts.secret, 5_000)
    expect(waiting).toMatchObject({ state: 'waiting' })
    expect(await tryCall(drafts.secret, approveExpense, { id: waiting.id })).toMatchObject({
      status: 403,
      code: 'kit.keyDraftsOnly',
    })
    const booked = await owner.call(createExpense, bill(20_000))
    for (const [endpoint, input] of [
      [cancelExpense, { id: booked.id, reason: 'x' }],
      [payExpense, { id: booked.id, means: 'bank' }],
      [createSupplierPayment, payIt(booked.id, 20_000)],
    ] as const)
      expect(await tryCall(drafts.secret, endpoint as Endpoint, input)).toMatchObject({
        status: 403,
        code: 'kit.keyDraftsOnly',
      })

    const upTo = await newKey({ sumLimitAgorot: 10_000 })
    expect(await enter(upTo.secret, 10_000)).toMatchObject({ state: 'approved' })
    const above = await enter(upTo.secret, 10_001)
    expect(above).toMatchObject({ state: 'waiting' })
    expect(await tryCall(upTo.secret, approveExpense, { id: above.id })).toMatchObject({
      status: 403,
      code: 'kit.keySumLimit',
    })
    expect(await tryCall(upTo.secret, createSupplierPayment, payIt(booked.id, 10_001))).toMatchObject({
      code: 'kit.keySumLimit',
    })
    const paid = await tryCall(upTo.secret, createSupplierPayment, payIt(booked.id, 10_000))
    expect(paid.status).toBe(201)
    expect((await tryCall(upTo.secret, cancelPaymentOfSupplier, { id: paid.body.id })).status).toBe(200)
    const byHand = await owner.call(createSupplierPayment, payIt(booked.id, 20_000))
    expect(await tryCall(upTo.secret, cancelPaymentOfSupplier, { id: byHand.id })).toMatchObject({
      code: 'kit.keySumLimit',
    })
  })

  test('changes the books and gives money back no further than it issues, whatever the command', async () => {
    const byHand = (agorot: number): InputOf<typeof addEntry> => ({
      date: today,
      lines: [
        { accountNumber: '6900', debitAgorot: agorot, creditAgorot: 0 },
        { accountNumber: '6010', debitAgorot: 0, creditAgorot: agorot },
      ],
    })
    const drafts = (await newKey({ draftsOnly: true })).secret
    const limited = (await newKey({ sumLimitAgorot: 10_000 })).secret
    expect(await tryCall(drafts, addEntry, byHand(100))).toMatchObject({
      status: 403,
      code: 'kit.keyDraftsOnly',
    })
    expect(await tryCall(limited, addEntry, byHand(10_001))).toMatchObject({
      status: 403,
      code: 'kit.keySumLimit',
    })
    expect((await tryCall(limited, addEntry, byHand(10_000))).status).toBe(201)
    const [keep, gone] = [await owner.customer('נשאר'), await owner.customer('מתמזג')]
    const merge = await world.http.inject({
      method: 'POST',
      url: '/api4/invoice/customers/merge',
      headers: { 'x-access-token': drafts },
      payload: { keepId: keep.id, ids: [gone.id] },
    })
    expect(merge.json()).toMatchObject({ code: 'kit.keyDraftsOnly' })
    // Money back is asked of the acquirer behind the commit: refused before anything is looked up.
    for (const [secret, code] of [
      [drafts, 'kit.keyDraftsOnly'],
      [limited, 'kit.keySumLimit'],
    ] as const)
      expect(
        await tryCall(secret, refundCharge, { id: customerId, amountAgorot: 10_001, reason: 'טעות' }),
      ).toMatchObject({
        status: 403,
        code,
      })
  })

  test('knows its types of documents only', async () => {
    const { secret } = await newKey({ docsAllow: [1] })
    expect((await tryCall(secret, createDocument, draft('100', 1))).status).toBe(201)
    expect((await tryCall(secret, createDocument, draft('100', 8))).status).toBe(403)
  })

  test('knows its areas only, and nothing of rights, keys, modules and accounts whatever it was given', async () => {
    const items = await newKey({ rules: [20] })
    expect((await get(items.secret, '/api4/invoice/items')).statusCode).toBe(200)
    expect((await get(items.secret, '/api4/invoice/customers')).statusCode).toBe(403)
    const { secret } = await newKey()
    expect((await tryCall(secret, listKeys, {})).status).toBe(403)
    expect((await tryCall(secret, buyModule, { plugin: 2 })).status).toBe(403)
    for (const [endpoint, input] of [
      [mySession, {}],
      [switchCompany, { id: company }],
    ] as const)
      expect(await tryCall(secret, endpoint as Endpoint, input as never)).toMatchObject({
        status: 403,
        code: 'kit.notForKeys',
      })
    await expect(newKey({ rules: [87] })).rejects.toMatchObject({
      errors: [{ path: 'rules', code: 'fields.choice' }],
    })
  })

  test('never reaches further than the person who made it, then and later', async () => {
    const limited = await newBusiness(world)
    const { CompanyKey } = await limited.call(mySession, {})
    const { secret } = await newKey({}, limited)
    const setRules = (rules: string) =>
      asSystem(world.app.db, (tx) =>
        sql`update memberships set rules = ${rules}::int[], docs_allow = '{1}'
          where company_id = ${CompanyKey}`.execute(tx),
      )
    expect((await get(secret, '/api4/invoice/customers')).statusCode).toBe(200)
    await setRules('{20,87}')
    expect((await get(secret, '/api4/invoice/customers')).statusCode).toBe(403)
    expect((await get(secret, '/api4/invoice/items')).statusCode).toBe(200)
    await expect(newKey({ rules: [10] }, limited)).rejects.toMatchObject({ status: 422 })
    await expect(newKey({ docsAllow: [8] }, limited)).rejects.toMatchObject({ status: 422 })
    await setRules('{87}')
    expect((await get(secret, '/api4/invoice/items')).statusCode).toBe(403)
    await asSystem(world.app.db, (tx) =>
      sql`update memberships set blocked_at = now() where company_id = ${CompanyKey}`.execute(tx),
    )
    expect((await get(secret, '/api4/invoice/items')).statusCode).toBe(401)
  })

  test('ends when it is revoked and when its day is over', async () => {
    const one = await newKey()
    await owner.call(revokeKey, { id: one.key.id })
    expect((await get(one.secret, '/api4/invoice/items')).statusCode).toBe(401)
    await expect(newKey({ expiresOn: '2020-01-01' })).rejects.toMatchObject({
      errors: [{ path: 'expiresOn' }],
    })
    const two = await newKey({ expiresOn: '2090-01-01' })
    expect((await get(two.secret, '/api4/invoice/items')).statusCode).toBe(200)
    await sql`update api_keys set expires_at = now() where id = ${two.key.id}`.execute(world.app.db.kysely)
    expect((await get(two.secret, '/api4/invoice/items')).statusCode).toBe(401)
  })

  test('has so many calls a minute and is told how many are left', async () => {
    const { secret, key } = await newKey()
    const answer = await get(secret, '/api4/invoice/items')
    expect(answer.headers).toMatchObject({
      'ratelimit-limit': String(keyCalls.start),
      'ratelimit-remaining': String(keyCalls.start - 1),
    })
    expect(Number(answer.headers['ratelimit-reset'])).toBeLessThanOrEqual(60)
    // The next minute may begin between the two: both are filled.
    await sql`insert into throttles (key, window_start, count)
      select ${`key:${key.id}`}, date_trunc('minute', now()) + n * interval '1 minute', ${keyCalls.start}
      from generate_series(0, 1) n on conflict (key, window_start) do update
      set count = excluded.count`.execute(world.app.db.kysely)
    const refused = await get(secret, '/api4/invoice/items')
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'kit.tooMany'])
    expect(refused.headers).toMatchObject({
      'ratelimit-remaining': '0',
      'retry-after': expect.stringMatching(/^\d+$/),
    })
    expect((await get((await newKey()).secret, '/api4/invoice/items')).statusCode).toBe(200)
  })

  test('grows with the age of the business and with its plan, and so do the headers', async () => {
    const of = (isPaying: boolean, days: number[]) => days.map((ageDays) => keyCallsOf({ ageDays, isPaying }))
    expect(of(false, [0, 6.9, 7, 29, 30, 900])).toEqual([120, 120, 300, 300, 600, 600])
    expect(of(true, [0, 900])).toEqual([1200, 1200])
    const old = await newBusiness(world)
    await sql`update companies set created_at = now() - interval '40 days'
      where id in (select m.company_id from memberships m join users u on u.id = m.user_id
        where u.email = ${old.email})`.execute(world.app.db.kysely)
    const { secret, key } = await newKey({}, old)
    await sql`insert into throttles (key, window_start, count)
      select ${`key:${key.id}`}, date_trunc('minute', now()) + n * interval '1 minute', 597
      from generate_series(0, 1) n`.execute(world.app.db.kysely)
    const answers = []
    for (let n = 0; n < 4; n++) answers.push(await get(secret, '/api4/invoice/items'))
    expect(answers.map((one) => [one.statusCode, one.headers['ratelimit-remaining']])).toEqual([
      [200, '2'],
      [200, '1'],
      [200, '0'],
      [429, '0'],
    ])
    expect(answers[3]!.headers).toMatchObject({
      'ratelimit-policy': '"key";q=600;w=60',
      'ratelimit-limit': '600',
      'ratelimit-reset': answers[3]!.headers['retry-after'],
    })
  })
})

test('the fifty-first key is refused', async () => {
  const other = await newBusiness(world)
  for (let n = 0; n < 50; n++) await newKey({}, other)
  await expect(newKey({}, other)).rejects.toMatchObject({ status: 422, code: 'apiKeys.tooMany' })
})
