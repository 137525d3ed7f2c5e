import { areaOf } from '#kit/describe/area.ts'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mailText } from '../../../../tests/letters.ts'
import {
  callAs,
  dataDir,
  newBusiness,
  raw,
  startWorld,
  type Business,
  type World,
} from '../../../../tests/world.ts'
import { allRules } from '#kit/describe/session.ts'
import { asCaller, systemCaller } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { logIn, mySession } from '#features/base/session/endpoints.ts'
import * as calls from './endpoints.ts'
import { hearerOf } from './server/hearer.ts'

let world: World
let shop: Business
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  shop = await newBusiness(world)
})

let count = 0
const newEmail = () => `w${Date.now()}${count++}@example.com`
const rule = (...names: string[]) => names.map((name) => allRules().get(name)!)
const password = 'a long enough password'

/**
 * The key in the newest invitation to somebody, from the folder where letters are kept; another than
 * `before`. Another file's worker may have the letter in hand, so it is waited for.
 */
async function tokenFor(to: string, before = ''): Promise<string> {
  const dir = join(dataDir, 'mail')
  for (let tries = 0; tries < 200; tries++) {
    await world.worker.drain()
    const letters = (existsSync(dir) ? readdirSync(dir) : [])
      .sort()
      .map((f) => readFileSync(join(dir, f), 'utf8'))
      .filter((letter) => letter.includes(to))
    const token = /invitation\?lang=\w\w#([\w-]{43})/.exec(mailText(letters.at(-1) ?? ''))?.[1]
    if (token && token !== before) return token
    await new Promise((done) => setTimeout(done, 50))
  }
  throw new Error(`no letter to ${to}`)
}

const invited = (more: object = {}) => ({
  fullName: 'דנה לוי',
  email: newEmail(),
  rules: rule('customers.see', 'documents.see'),
  ...more,
})

/** Invites a person and accepts the invitation. */
async function hired(of: Business, more: object = {}): Promise<{ token: string; id: string; email: string }> {
  const who = invited(more)
  await of.call(calls.inviteWorker, who)
  const session = await callAs(world, calls.acceptInvitation, { token: await tokenFor(who.email), password })
  const { rows } = await of.get(`/api4/invoice/workers?q=${encodeURIComponent(who.email)}`)
  return { token: session.UserKey, id: rows[0].id, email: who.email }
}

describe.each([
  ['give back of a charge', 'charges.refund', 'refundLimitAgorot'],
  ['charge a saved card at once', 'savedCards.charge', 'chargeLimitAgorot'],
] as const)('how much somebody may %s', (_what, right, field) => {
  test('stands on his card, is given by whoever may give so much himself, and goes on to whom he asks in', async () => {
    const rules = rule(right, 'workers.see', 'workers.change')
    const [manager, teller] = [await hired(shop, { rules }), await hired(shop, { rules: rule(right) })]
    const limitOf = async (id: string) => (await shop.get(`/api4/invoice/workers/${id}`))[field]
    expect([await limitOf(manager.id), await limitOf(teller.id)]).toEqual([null, null])
    await shop.call(calls.changeWorker, { id: manager.id, [field]: 50_000 })
    const asManager = { token: manager.token }
    const put = (id: string, more: object) =>
      callAs(world, calls.changeWorker, { id, ...more } as never, asManager)
    // People who may refund more cannot be changed by this caller.
    await expect(put(teller.id, { job: 'קופה' })).rejects.toMatchObject({
      status: 403,
      code: 'team.beyondYours',
    })
    await expect(put(manager.id, { [field]: null })).rejects.toMatchObject({ code: 'team.yourself' })
    await shop.call(calls.changeWorker, { id: teller.id, [field]: 20_000 })
    for (const limit of [null, 50_001])
      await expect(put(teller.id, { [field]: limit })).rejects.toMatchObject({
        status: 422,
        errors: [{ path: field, code: 'team.limitBeyondYours', params: { limit: '500.00' } }],
      })
    await put(teller.id, { [field]: 50_000 })
    expect(await limitOf(teller.id)).toBe(50_000)
    // People this caller invites have the same limits, and so have those who get the right from the caller.
    const who = invited({ rules: rule(right) })
    await callAs(world, calls.inviteWorker, who as never, asManager)
    await callAs(world, calls.acceptInvitation, { token: await tokenFor(who.email), password })
    const { rows } = await shop.get(`/api4/invoice/workers?q=${encodeURIComponent(who.email)}`)
    expect(await limitOf(rows[0].id)).toBe(50_000)
    const plain = await hired(shop, { rules: rule('workers.see') })
    await put(plain.id, { rules: rule(right) })
    expect(await limitOf(plain.id)).toBe(50_000)
    // By way of a set neither.
    const set = await shop.call(calls.makeSet, { name: `קופה ${field}`, rules: rule('workers.see') })
    const [inSet, later] = [
      await hired(shop, { ruleId: set.number, rules: undefined }),
      await hired(shop, { rules: rule('workers.see') }),
    ]
    await callAs(world, calls.changeSet, { id: set.id, rules: rule('workers.see', right) }, asManager)
    await callAs(world, calls.assignSet, { id: set.id, workers: [later.id] }, asManager)
    expect([await limitOf(inSet.id), await limitOf(later.id)]).toEqual([50_000, 50_000])
    await shop.call(calls.changeWorker, { id: inSet.id, [field]: null })
    await expect(
      callAs(world, calls.changeSet, { id: set.id, rules: rule('workers.see') }, asManager),
    ).rejects.toMatchObject({
      code: 'team.beyondYours',
    })
    await expect(shop.call(calls.changeWorker, { id: teller.id, [field]: 0 })).rejects.toMatchObject({
      errors: [{ path: field, code: 'fields.least' }],
    })
  })
})

describe('an invitation', () => {
  test('comes by mail, is kept as a hash, works once, and opens a session with what was given', async () => {
    const who = invited({ job: 'מוכרת', docsAllow: [8], hideTotalPrices: true, ownCustomersOnly: true })
    const row = await shop.call(calls.inviteWorker, who)
    expect(row).toMatchObject({
      state: 'invited',
      name: 'דנה לוי',
      job: 'מוכרת',
      rulesCount: '2',
      documentTypes: '1',
    })
    const token = await tokenFor(who.email)
    const { rows } = await sql<{
      n: number
    }>`select count(*)::int as n from invitations i where i::text like ${`%${token}%`}`.execute(
      world.app.db.kysely,
    )
    const { rows: queued } = await sql<{
      n: number
    }>`select count(*)::int as n from outbox where payload::text like ${`%${token}%`}`.execute(
      world.app.db.kysely,
    )
    expect([rows[0]!.n, queued[0]!.n]).toEqual([0, 0])
    expect(await callAs(world, calls.seeInvitation, { token })).toMatchObject({
      company: 'זרם טוב',
      invitedBy: 'נועה ורדי',
      email: who.email,
      known: false,
    })
    await expect(callAs(world, calls.acceptInvitation, { token, password: 'short' })).rejects.toMatchObject({
      errors: [{ path: 'password', code: 'fields.password' }],
    })
    const session = await callAs(world, calls.acceptInvitation, { token, fullName: 'דנה לוי־כהן', password })
    expect(session).toMatchObject({
      TypeID: 9,
      FullName: 'דנה לוי־כהן',
      rules: rule('customers.see', 'documents.see'),
      docsAllow: [8],
      HideTotalPrices: true,
    })
    await expect(callAs(world, calls.acceptInvitation, { token, password })).rejects.toMatchObject({
      code: 'team.linkEnded',
    })
    expect((await shop.get('/api4/invoice/workers')).rows.map((r: { state: string }) => r.state)).toEqual([
      'active',
      'active',
    ])
  })

  test('is not accepted when it is old, taken back, or its sender may no longer give so much', async () => {
    const [old, gone, lost] = [invited(), invited(), invited()]
    const tokens: string[] = []
    for (const who of [old, gone]) {
      await shop.call(calls.inviteWorker, who)
      tokens.push(await tokenFor(who.email))
    }
    await asSystem(world.app.db, (tx) =>
      sql`update invitations set expires_at = now() - interval '1 second' where email = ${old.email}`.execute(
        tx,
      ),
    )
    const { rows } = await shop.get(`/api4/invoice/workers?q=${gone.email}`)
    await shop.call(calls.removeWorker, { id: rows[0].id })
    const partner = await hired(shop, { typeId: 4, rules: [], everything: true })
    await callAs(world, calls.inviteWorker, lost, { token: partner.token })
    tokens.push(await tokenFor(lost.email))
    await shop.call(calls.blockWorker, { id: partner.id })
    for (const token of [...tokens, 'x'.repeat(43)])
      await expect(callAs(world, calls.acceptInvitation, { token, password })).rejects.toMatchObject({
        status: 422,
        code: 'team.linkEnded',
      })
  })

  test('sent again has a new link, and the old one is dead', async () => {
    const who = invited()
    const { id } = await shop.call(calls.inviteWorker, who)
    const first = await tokenFor(who.email)
    await shop.call(calls.resendInvitation, { id })
    const second = await tokenFor(who.email, first)
    expect(second).not.toBe(first)
    await expect(callAs(world, calls.seeInvitation, { token: first })).rejects.toMatchObject({
      code: 'team.linkEnded',
    })
    await callAs(world, calls.seeInvitation, { token: second })
  })

  test('tells the sender nothing about accounts elsewhere; the known one joins with his own password', async () => {
    const other = await newBusiness(world)
    const known = { ...invited(), email: other.email }
    const unknown = await shop.call(calls.inviteWorker, invited())
    const answer = await shop.call(calls.inviteWorker, known)
    expect(Object.keys(answer).sort()).toEqual(Object.keys(unknown).sort())
    expect(answer).toMatchObject({ name: 'דנה לוי', state: 'invited', phone: '' })
    const token = await tokenFor(known.email)
    await expect(
      callAs(world, calls.acceptInvitation, { token, password: 'not his password' }),
    ).rejects.toMatchObject({
      code: 'session.wrongPassword',
    })
    const session = await callAs(world, calls.acceptInvitation, {
      token,
      password: other.password,
      fullName: 'שם אחר',
    })
    // A person's name is personal: no invitation renames anybody.
    expect(session).toMatchObject({ TypeID: 9, Name: 'זרם טוב', FullName: 'נועה ורדי' })
    await expect(shop.call(calls.inviteWorker, known)).rejects.toMatchObject({
      errors: [{ path: 'email', code: 'team.alreadyHere' }],
    })
  })

  test('is joined by the person who is logged in, and by no other', async () => {
    const [other, third] = [await newBusiness(world), await newBusiness(world)]
    await shop.call(calls.inviteWorker, { ...invited(), email: other.email })
    const token = await tokenFor(other.email)
    await expect(third.call(calls.joinInvitation, { token })).rejects.toMatchObject({
      code: 'team.otherPerson',
    })
    expect(await other.call(calls.joinInvitation, { token })).toMatchObject({ TypeID: 9 })
  })

  test('a repeat of the request gets the same session, and the answer lies sealed', async () => {
    const who = invited()
    await shop.call(calls.inviteWorker, who)
    const given = { token: await tokenFor(who.email), password }
    const key = `accept-${who.email}`
    const one = await callAs(world, calls.acceptInvitation, given, { key })
    expect(await callAs(world, calls.acceptInvitation, given, { key })).toEqual(one)
    const { rows } = await sql<{
      answer: unknown
    }>`select answer from idempotency_keys where key = ${key}`.execute(world.app.db.kysely)
    expect(JSON.stringify(rows)).not.toContain(one.UserKey)
  })
})

describe('nobody widens', () => {
  test('himself, not through his set either', async () => {
    const set = await shop.call(calls.makeSet, {
      name: 'מנהלת',
      rules: rule('workers.see', 'workers.change', 'customers.see'),
    })
    const manager = await hired(shop, { ruleId: set.number, rules: undefined })
    const asManager = { token: manager.token }
    for (const change of [
      { rules: rule('workers.change') },
      { ruleId: 0 },
      { docsAllow: [] },
      { hideTotalPrices: false },
    ])
      await expect(
        callAs(world, calls.changeWorker, { id: manager.id, ...change }, asManager),
      ).rejects.toMatchObject({
        code: 'team.yourself',
      })
    await expect(
      callAs(world, calls.changeSet, { id: set.id, rules: [], everything: true }, asManager),
    ).rejects.toMatchObject({
      status: 403,
    })
    await expect(
      callAs(world, calls.changeSet, { id: set.id, rules: rule('workers.see', 'workers.change') }, asManager),
    ).rejects.toMatchObject({
      code: 'team.yourself',
    })
  })

  test('others beyond what he has: rules, documents, sums, customers', async () => {
    const manager = await hired(shop, {
      rules: rule('workers.see', 'workers.change', 'customers.see', 'documents.see'),
      docsAllow: [8],
      hideTotalPrices: true,
      ownCustomersOnly: true,
    })
    const as = { token: manager.token }
    const fits = {
      rules: rule('customers.see'),
      docsAllow: [8],
      hideTotalPrices: true,
      ownCustomersOnly: true,
    }
    const { id } = await callAs(world, calls.inviteWorker, { ...invited(), ...fits }, as)
    for (const more of [
      { rules: rule('customers.change') },
      { rules: [], everything: true },
      { rules: [-1, 10], everything: true },
      { docsAllow: [] },
      { docsAllow: [8, 10] },
      { hideTotalPrices: false },
      { ownCustomersOnly: false },
      { starter: 'bookkeeper' as const },
    ]) {
      await expect(
        callAs(world, calls.inviteWorker, { ...invited(), ...fits, ...more }, as),
        JSON.stringify(more),
      ).rejects.toMatchObject({
        code: 'team.beyondYours',
      })
      await expect(
        callAs(world, calls.changeWorker, { id, ...more }, as),
        JSON.stringify(more),
      ).rejects.toMatchObject({
        code: 'team.beyondYours',
      })
    }
    // Nor may a person change people with more rights.
    const owner = (await shop.get('/api4/invoice/workers')).rows.find(
      (r: { typeId: number }) => r.typeId === 4,
    )
    for (const deed of [calls.blockWorker, calls.removeWorker])
      await expect(callAs(world, deed, { id: owner.id }, as)).rejects.toMatchObject({
        code: 'team.beyondYours',
      })
  })

  test('the database refuses it even where a command would forget to', async () => {
    const manager = await hired(shop, { rules: rule('workers.see', 'workers.change') })
    const worker = await hired(shop)
    const { companyId } = await shop.call(mySession, {})
    const caller = { ...systemCaller(companyId, manager.id), rules: rule('workers.see', 'workers.change') }
    const attempt = (set: ReturnType<typeof sql>, id: string) =>
      asCaller(world.app, caller, '', (ctx) =>
        sql`update memberships set ${set} where company_id = ${companyId} and user_id = ${id}`.execute(
          ctx.tx,
        ),
      )
    await expect(attempt(sql`rules = '{}'`, manager.id)).rejects.toMatchObject({ code: 'PK011' })
    await expect(attempt(sql`rules = '{-1}'`, manager.id)).rejects.toMatchObject({ code: 'PK011' })
    await expect(attempt(sql`rules = array_append(rules, 81)`, worker.id)).rejects.toMatchObject({
      code: 'PK011',
    })
    await expect(
      asCaller(world.app, caller, '', (ctx) =>
        sql`update memberships set type_id = 4 where company_id = ${companyId}
            and user_id = ${worker.id}`.execute(ctx.tx),
      ),
    ).rejects.toMatchObject({ code: '42501' })
    const owner = (await shop.call(mySession, {})).email
    await expect(
      asCaller(
        world.app,
        systemCaller(companyId, (await shop.get(`/api4/invoice/workers?q=${owner}`)).rows[0].id),
        '',
        (ctx) =>
          sql`update memberships set blocked_at = now() where company_id = ${companyId}
              and type_id = 4`.execute(ctx.tx),
      ),
    ).rejects.toMatchObject({ code: 'PK012' })
  })

  test('an empty list is everything, and is said aloud first', async () => {
    await expect(shop.call(calls.inviteWorker, { ...invited(), rules: [] })).rejects.toMatchObject({
      errors: [{ path: 'rules', code: 'team.clearPermissions' }],
    })
    const { id } = await hired(shop)
    for (const rules of [[], [-1], [-1, 10]])
      await expect(shop.call(calls.changeWorker, { id, rules })).rejects.toMatchObject({
        errors: [{ code: 'team.clearPermissions' }],
      })
    expect(await shop.call(calls.changeWorker, { id, rules: [-1, 10], everything: true })).toMatchObject({
      rules: [],
      rulesCount: null,
    })
    const limited = await hired(shop, { docsAllow: [8] })
    const all = { id: limited.id, docsAllow: [] }
    await expect(shop.call(calls.changeWorker, all)).rejects.toMatchObject({
      errors: [{ path: 'docsAllow', code: 'team.clearPermissions' }],
    })
    expect(await shop.call(calls.changeWorker, { ...all, everything: true })).toMatchObject({ docsAllow: [] })
    await expect(shop.call(calls.changeWorker, { id, rules: [987_654] })).rejects.toMatchObject({
      errors: [{ path: 'rules', code: 'fields.choice' }],
    })
  })
})

describe('owners', () => {
  test('the last one is neither blocked nor removed nor limited; with a second one it goes', async () => {
    const me = await shop.call(mySession, {})
    const mine = (await shop.get(`/api4/invoice/workers?q=${me.email}`)).rows[0].id
    const partner = await hired(shop, { typeId: 4, rules: [], everything: true })
    const as = { token: partner.token }
    await callAs(world, calls.blockWorker, { id: mine }, as)
    await expect(callAs(world, calls.removeWorker, { id: partner.id }, as)).rejects.toMatchObject({
      code: 'team.yourself',
    })
    await expect(shop.call(mySession, {})).rejects.toMatchObject({ status: 401 })
    await callAs(world, calls.unblockWorker, { id: mine }, as)
    const again = await callAs(world, logIn, { email: shop.email, password: shop.password })
    if (!('UserKey' in again)) throw new Error('no session')
    await callAs(world, calls.removeWorker, { id: partner.id }, { token: again.UserKey })
    await expect(callAs(world, mySession, {}, as)).rejects.toMatchObject({ status: 401 })
  })
})

describe('a worker', () => {
  test('whose rights change has the new ones with the next call, and his browser is told', async () => {
    const { id, token } = await hired(shop)
    const see = () =>
      world.http.inject({
        method: 'GET',
        url: '/api4/invoice/customers',
        headers: { 'x-access-token': token },
      })
    const before = await see()
    expect(before.statusCode).toBe(200)
    await shop.call(calls.changeWorker, { id, rules: rule('documents.see') })
    expect((await see()).statusCode).toBe(403)
    const session = await raw(world, mySession, {}, { token })
    expect(session.json()).toMatchObject({ rules: rule('documents.see') })
    expect(session.headers['x-rights']).not.toBe(before.headers['x-rights'])
    await shop.call(calls.changeWorker, { id, hideNavHeader: true })
    expect((await raw(world, mySession, {}, { token })).headers['x-rights']).not.toBe(
      session.headers['x-rights'],
    )
  })

  test('who is blocked is out at once and does not come in until he is let in', async () => {
    const { id, token, email } = await hired(shop)
    await shop.call(calls.blockWorker, { id })
    await expect(callAs(world, mySession, {}, { token })).rejects.toMatchObject({ status: 401 })
    await expect(callAs(world, logIn, { email, password })).rejects.toMatchObject({
      code: 'session.wrongPassword',
    })
    await shop.call(calls.unblockWorker, { id })
    // The old session stays ended.
    await expect(callAs(world, mySession, {}, { token })).rejects.toMatchObject({ status: 401 })
    expect(await callAs(world, logIn, { email, password })).toMatchObject({ TypeID: 9 })
  })

  test('what somebody set up tells him while he is here, and an owner once he left or is blocked', async () => {
    const { id, email } = await hired(shop)
    const { rows } = await asSystem(world.app.db, (tx) =>
      sql<{ id: string }>`select id from users where email = ${email}`.execute(tx),
    )
    const { companyId } = await shop.call(mySession, {})
    const heard = (userId: string | null) =>
      asCaller(world.app, systemCaller(companyId), '', async (ctx) => (await hearerOf(ctx, userId))?.email)
    const owner = await heard(null)
    expect(owner).not.toBe(email)
    expect(await heard(rows[0]!.id)).toBe(email)
    await shop.call(calls.blockWorker, { id })
    expect(await heard(rows[0]!.id)).toBe(owner)
    await shop.call(calls.unblockWorker, { id })
    expect(await heard(rows[0]!.id)).toBe(email)
    await shop.call(calls.removeWorker, { id })
    expect(await heard(rows[0]!.id)).toBe(owner)
  })

  test('who is removed stays by name beside what he did, and may be asked again', async () => {
    const { id, token, email } = await hired(shop, { rules: rule('customers.see', 'customers.change') })
    const made = await callAs(
      world,
      { ...mySession, name: 'x', method: 'POST', path: '/api4/invoice/customers' } as never,
      { name: 'לקוח שלו' } as never,
      { token },
    )
    await shop.call(calls.removeWorker, { id })
    expect((await shop.get(`/api4/invoice/audit?entityId=${(made as { id: string }).id}`)).rows[0].who).toBe(
      'דנה לוי',
    )
    await expect(shop.get(`/api4/invoice/workers/${id}`)).rejects.toMatchObject({ status: 404 })
    const first = await tokenFor(email)
    await shop.call(calls.inviteWorker, invited({ email, rules: rule('items.see') }))
    expect(
      await callAs(world, calls.acceptInvitation, { token: await tokenFor(email, first), password }),
    ).toMatchObject({
      rules: rule('items.see'),
    })
  })

  test('what he did is told in words, by area and day, and is exported', async () => {
    const { id, token } = await hired(shop, {
      rules: rule('customers.see', 'customers.change', 'documents.see', 'documents.draft', 'documents.issue'),
    })
    const his = (path: string, body: object) =>
      world.http
        .inject({ method: 'POST', url: path, headers: { 'x-access-token': token }, payload: body })
        .then((r) => r.json())
    const customer = await his('/api4/invoice/customers', { name: 'כהן' })
    await his('/api4/invoice/documents', {
      type: 8,
      customerId: customer.id,
      lines: [{ description: 'x', quantity: '1', unitPrice: '5' }],
    })
    const { rows, areas } = await shop.call(calls.workerActivity, { id })
    expect(rows.map(({ action, about }) => [action, about])).toEqual(
      expect.arrayContaining([
        ['documents.issue', 'חשבונית מס 1'],
        ['customers.create', 'כהן'],
      ]),
    )
    expect(areas).toEqual(expect.arrayContaining(['customers', 'documents', 'workers']))
    expect((await shop.call(calls.workerActivity, { id, area: 'customers' })).rows).toHaveLength(1)
    expect((await shop.call(calls.workerActivity, { id, to: '2020-01-01' })).rows).toEqual([])
    const csv = (await shop.get(`/api4/invoiceexport/workers/${id}/activity?format=csv`)).toString() as string
    expect(csv).toContain('חשבונית מס 1')
  })
})

describe('sets of rights', () => {
  test('a change of the set changes its people and those still invited, and nobody else', async () => {
    const set = await shop.call(calls.makeSet, { name: 'דלפק', rules: rule('customers.see') })
    const inside = await hired(shop, { ruleId: set.number, rules: undefined })
    const outside = await hired(shop, { rules: rule('customers.see') })
    const coming = await shop.call(calls.inviteWorker, invited({ ruleId: set.number, rules: undefined }))
    await shop.call(calls.changeSet, { id: set.id, rules: rule('items.see'), hideTotalPrices: true })
    const rulesOf = async (id: string) => (await shop.get(`/api4/invoice/workers/${id}`)).rules
    expect(await rulesOf(inside.id)).toEqual(rule('items.see'))
    expect(await rulesOf(coming.id)).toEqual(rule('items.see'))
    expect(await rulesOf(outside.id)).toEqual(rule('customers.see'))
    expect(await callAs(world, mySession, {}, { token: inside.token })).toMatchObject({
      HideTotalPrices: true,
      ruleid: set.number,
    })
    await expect(
      shop.call(calls.changeWorker, { id: inside.id, rules: rule('customers.see') }),
    ).rejects.toMatchObject({
      code: 'team.bySet',
    })
    await expect(shop.call(calls.removeSet, { id: set.id })).rejects.toMatchObject({ code: 'team.setInUse' })
    await shop.call(calls.changeWorker, { id: inside.id, ruleId: 0, rules: rule('customers.see') })
    await shop.call(calls.removeWorker, { id: coming.id })
    await shop.call(calls.removeSet, { id: set.id })
  })

  test('a limit beside a set is refused where the set has it not: it would not hold', async () => {
    const shop = await newBusiness(world)
    const asks = (more: object) =>
      shop.call(calls.inviteWorker, invited({ starter: 'sales', rules: undefined, ...more }))
    for (const limit of [
      { hideTotalPrices: true },
      { ownCustomersOnly: true },
      { docsAllow: [1] },
      { rules: [10] },
    ])
      await expect(asks(limit)).rejects.toMatchObject({ code: 'team.bySet' })
    const { rules } = await asks({ ownCustomersOnly: false })
    expect((await asks({ rules })).rules).toEqual(rules)
  })
  test('a ready-made one becomes the business’s own, once', async () => {
    const before = await shop.call(calls.listSets, {})
    expect(before.starters.map(({ name }) => name)).toEqual([
      'bookkeeper',
      'sales',
      'expensesOnly',
      'readOnly',
      'reception',
    ])
    const worker = await shop.call(calls.inviteWorker, invited({ starter: 'reception', rules: undefined }))
    expect(worker).toMatchObject({ setName: 'קבלה', hideTotalPrices: true, subTypeId: 1 })
    await shop.call(calls.inviteWorker, invited({ starter: 'reception', rules: undefined }))
    const { rows, starters } = await shop.call(calls.listSets, {})
    expect(rows.map(({ name, people, number }) => [name, people, number])).toEqual([['קבלה', 2, 1]])
    expect(starters.map(({ name }) => name)).not.toContain('reception')
    await expect(shop.call(calls.makeSet, { name: 'קבלה', rules: rule('items.see') })).rejects.toMatchObject({
      errors: [{ path: 'name', code: 'team.setKnown' }],
    })
    const copy = await shop.call(calls.makeSet, { name: 'קבלה ב', rules: rows[0]!.rules })
    expect((await shop.call(calls.assignSet, { id: copy.id, workers: [worker.id] })).rows[0]).toMatchObject({
      setName: 'קבלה ב',
    })
  })

  test('the table of rules tells what each opens, from the calls and reports themselves', async () => {
    const { areas } = await shop.call(calls.listRules, {})
    const all = areas.flatMap(({ rules }) => rules)
    // Rules of an area that is off until it is asked for stand in it when it is on.
    const there = [...allRules()].flatMap(([name, number]) =>
      ['pest', 'time', 'affiliates'].includes(areaOf(name) ?? '') ? [] : [number],
    )
    expect(all.map(({ number }) => number).sort((a, b) => a - b)).toEqual(there.sort((a, b) => a - b))
    const of = (name: string) => all.find((one) => one.name === name)!
    expect(of('workers.change').calls.map(({ name }) => name)).toContain('workers.invite')
    expect(of('reports.accounting').reports.map(({ words }) => words)).toContain(
      'ledger.reports.trialBalance',
    )
  })
})

test('the only owner stays, whatever somebody else may', async () => {
  const { token } = await hired(shop, { rules: [], everything: true })
  const { rows } = await shop.get('/api4/invoice/workers?size=50')
  const owner = (rows as { id: string; typeId: number }[]).find(({ typeId }) => typeId === 4)!
  for (const call of [calls.blockWorker, calls.removeWorker])
    await expect(callAs(world, call, { id: owner.id }, { token })).rejects.toMatchObject({
      status: 409,
      code: 'team.lastOwner',
    })
})
