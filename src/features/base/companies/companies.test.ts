import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allRules } from '#kit/describe/session.ts'
import { asSystem } from '#kit/server/data/db.ts'
import {
  callAs,
  newBusiness,
  newTaxId,
  startWorld,
  type Business,
  type World,
} from '../../../../tests/world.ts'
import { logIn, mySession } from '#features/base/session/endpoints.ts'
import { attach, uploadFile } from '#features/base/files/endpoints.ts'
import { certificateOf } from '../../../../tests/signing.ts'
import * as calls from './endpoints.ts'

let world: World
let owner: Business
let stranger: Business
let first: string

beforeAll(async () => {
  world = await startWorld()
  ;[owner, stranger] = [await newBusiness(world, { name: 'זרם טוב' }), await newBusiness(world)]
  first = (await owner.call(mySession, {})).CompanyKey
})
afterAll(() => world.close())

/** As a page does that was opened for one business. */
const asPageOf = (company: string, token: string, method: 'GET' | 'POST', url: string, payload?: object) =>
  world.http.inject({
    method,
    url,
    headers: { 'x-access-token': token, 'x-company': company },
    ...(payload ? { payload } : {}),
  })

describe('several businesses of one person', () => {
  let second: string
  const business = { name: 'חנות הצמחים', kind: 'exemptDealer' as const, taxId: newTaxId() }

  test('adds one with books and becomes its owner; the first stays where he works', async () => {
    second = (await owner.call(calls.addCompany, business)).id
    const { rows } = await owner.call(calls.myCompanies, {})
    expect(rows.map((r) => [r.name, r.TypeID, r.current])).toEqual([
      ['זרם טוב', 4, true],
      ['חנות הצמחים', 4, false],
    ])
    expect(rows[1]!.number).toBeGreaterThan(rows[0]!.number)
    expect(rows[0]!.number).toBeGreaterThan(0)
    await expect(owner.call(calls.addCompany, business)).rejects.toMatchObject({
      errors: [{ path: 'taxId', code: 'companies.alreadyMine' }],
    })
  })

  test('a page of the one business does not write into the other after a switch', async () => {
    const customer = (await owner.customer('של הראשון')).id
    const moved = await owner.call(calls.switchCompany, { id: second })
    expect(moved).toMatchObject({ CompanyKey: second, Name: 'חנות הצמחים', TypeID: 4, rules: [] })
    for (const [method, url, body] of [
      ['POST', '/api4/invoice/customers', { name: 'טעות' }],
      ['GET', '/api4/invoice/customers', undefined],
      ['GET', '/api/user/session', undefined],
    ] as const) {
      const refused = await asPageOf(first, owner.token, method, url, body)
      expect([refused.statusCode, refused.json().code], url).toEqual([409, 'kit.otherCompany'])
    }
    expect((await owner.get('/api4/invoice/customers')).rows).toEqual([])
    await expect(owner.get(`/api4/invoice/customers/${customer}`)).rejects.toMatchObject({ status: 404 })
    expect(
      (await asPageOf(second, owner.token, 'POST', '/api4/invoice/customers', { name: 'נכון' })).statusCode,
    ).toBe(201)
    expect((await owner.get('/api5/invoicecpa/accounts?size=10')).rows.length).toBeGreaterThan(5)
  })

  test('whoever logs in again comes where he worked last', async () => {
    const entered = (await callAs(world, logIn, { email: owner.email, password: owner.password })) as {
      CompanyKey: string
    }
    expect(entered.CompanyKey).toBe(second)
    await owner.call(calls.switchCompany, { id: first })
  })

  test('nobody switches into a business he is not, or no longer, in', async () => {
    await expect(stranger.call(calls.switchCompany, { id: first })).rejects.toMatchObject({ status: 404 })
    expect((await stranger.call(calls.myCompanies, {})).rows).toHaveLength(1)
    await asSystem(world.app.db, (tx) =>
      sql`update memberships set blocked_at = now() where company_id = ${second}`.execute(tx),
    )
    await expect(owner.call(calls.switchCompany, { id: second })).rejects.toMatchObject({ status: 404 })
    expect((await owner.call(calls.myCompanies, {})).rows.map((r) => r.id)).toEqual([first])
    expect((await owner.call(mySession, {})).CompanyKey).toBe(first)
  })
})

describe('papers of the authorities', () => {
  test('have their validity, their rate and their scan', async () => {
    const paper = await owner.call(calls.addPaper, {
      kind: 'withholding',
      validFrom: '2026-01-01',
      validTo: '2027-03-31',
      rateBp: 300,
    })
    const scan = await owner.call(uploadFile, { name: 'אישור.pdf', bytes: Buffer.from('%PDF-1.4\n%%EOF') })
    await owner.call(attach, { id: scan.id, entity: 'companyPapers', entityId: paper.id })
    expect((await owner.call(calls.listPapers, {})).rows).toEqual([{ ...paper, files: 1 }])
    await expect(
      owner.call(calls.addPaper, { kind: 'withholding', validFrom: '2026-01-01', validTo: '2027-03-31' }),
    ).rejects.toMatchObject({
      errors: [{ path: 'rateBp', code: 'fields.need' }],
    })
    await expect(
      owner.call(calls.addPaper, { kind: 'books', validFrom: '2026-02-01', validTo: '2026-01-31' }),
    ).rejects.toMatchObject({
      errors: [{ path: 'validTo', code: 'fields.dayOrder' }],
    })
    await expect(
      stranger.call(attach, { id: scan.id, entity: 'companyPapers', entityId: paper.id }),
    ).rejects.toMatchObject({ status: 404 })
    await owner.call(calls.dropPaper, { id: paper.id })
    expect((await owner.get(`/api4/invoice/files`)).rows[0]).toMatchObject({ id: scan.id, links: [] })
  })
})

describe('saved views', () => {
  test('one’s own are one’s own; everybody’s are everybody’s, and only whoever may share them makes or drops one', async () => {
    const shop = await newBusiness(world)
    const mate = await newBusiness(world)
    const { companyId } = await shop.call(mySession, {})
    await asSystem(world.app.db, async (tx) => {
      await sql`insert into memberships (company_id, user_id, type_id, rules)
        select ${companyId}, id, 9, ${[allRules().get('customers.see')!]}::int[] from users
        where email = ${mate.email}`.execute(tx)
      await sql`update sessions set company_id = ${companyId}
        where user_id = (select id from users where email = ${mate.email})`.execute(tx)
    })
    const as = { token: mate.token }
    const save = (name: string, isShared: boolean) => ({
      list: 'customers',
      name,
      query: { q: name },
      isShared,
    })
    const own = await shop.call(calls.saveView, save('שלי', false))
    const common = await shop.call(calls.saveView, save('של כולנו', true))
    await expect(callAs(world, calls.saveView, save('x', true), as)).rejects.toMatchObject({ status: 403 })
    const his = await callAs(world, calls.saveView, save('שלו', false), as)
    const seen = async () =>
      (await callAs(world, calls.listViews, { list: 'customers' }, as)).rows.map(
        ({ name, isShared, mayDrop }) => [name, isShared, mayDrop],
      )
    expect(await seen()).toEqual([
      ['של כולנו', true, false],
      ['שלו', false, true],
    ])
    for (const { id } of [own, common])
      await expect(callAs(world, calls.dropView, { list: 'customers', id }, as)).rejects.toMatchObject({
        code: 'kit.notFound',
      })
    await expect(shop.call(calls.dropView, { list: 'customers', id: his.id })).rejects.toMatchObject({
      code: 'kit.notFound',
    })
    await shop.call(calls.dropView, { list: 'customers', id: common.id })
    expect(await seen()).toEqual([['שלו', false, true]])
  })
})

test('the hundred-and-first business of a person is refused', async () => {
  const person = await newBusiness(world)
  await world.app.db.pool.query(
    `insert into memberships (company_id, user_id, type_id, rules)
      select c.id, u.id, 9, '{1}' from users u, (select id from companies order by id limit 400) c
      where u.email = $1 and not exists
        (select 1 from memberships m where m.user_id = u.id and m.company_id = c.id) limit 99`,
    [person.email],
  )
  let { rows } = await person.call(calls.myCompanies, {})
  const add = () =>
    person.call(calls.addCompany, { name: 'עוד אחד', kind: 'company', taxId: newTaxId() } as never)
  for (let n = rows.length; n < 100; n++) await add()
  ;({ rows } = await person.call(calls.myCompanies, {}))
  expect(rows).toHaveLength(100)
  await expect(add()).rejects.toMatchObject({ status: 422, code: 'companies.tooMany' })
})

test('an uploaded certificate stays in use when one that was being made meanwhile is finished after it', async () => {
  await world.worker.drain()
  const makeKeys = world.app.newKeyPair
  let finish = () => {}
  const finished = new Promise<void>((done) => (finish = done))
  const begun = new Promise<void>((done) => {
    world.app.newKeyPair = async () => {
      done()
      await finished
      return makeKeys()
    }
  })
  try {
    const shop = await newBusiness(world)
    // The job that follows a sign-up makes the first certificate.
    const making = world.worker.drain()
    await begun
    let isDone = false
    const uploading = shop
      .call(calls.addCertificate, {
        pkcs12: certificateOf('רות כהן', 'Test Authority').pkcs12,
        password: 'right',
      })
      .finally(() => (isDone = true))
    // The upload waits for the lock of the one that is made, or, without that lock, ends before it.
    const isWaiting = async () =>
      (
        await world.app.db.pool.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
      ).rowCount! > 0
    await expect.poll(async () => isDone || (await isWaiting())).toBe(true)
    finish()
    await Promise.all([making, uploading])
    const { rows } = await shop.call(calls.listCertificates, {})
    expect(rows.map(({ active, selfMade }) => [active, selfMade])).toEqual([
      [true, false],
      [false, true],
    ])
  } finally {
    finish()
    world.app.newKeyPair = makeKeys
  }
})

test('a certificate with a wrong password, and one whose time is over', async () => {
  const add = (pkcs12: string, password: string) => owner.call(calls.addCertificate, { pkcs12, password })
  const good = certificateOf('רות כהן', 'Test Authority').pkcs12
  await expect(add(good, 'wrong')).rejects.toMatchObject({
    status: 422,
    errors: [{ path: 'password', code: 'companies.certificatePassword' }],
  })
  await expect(add(certificateOf('רות כהן', 'Test Authority', -1).pkcs12, 'right')).rejects.toMatchObject({
    status: 422,
    errors: [{ path: 'pkcs12', code: 'companies.certificateExpired' }],
  })
  await add(good, 'right')
})
