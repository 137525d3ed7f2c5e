import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  callAs,
  dataDir,
  newBusiness,
  raw,
  startWorld,
  type Business,
  type World,
} from '../../../../tests/world.ts'
import { allRules, can } from '#kit/describe/session.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import { uploadFile } from '#features/base/files/endpoints.ts'
import { expenseFacts } from '#features/purchases/expenses/endpoints.ts'
import { acceptInvitation } from '#features/base/team/endpoints.ts'
import * as calls from './endpoints.ts'
import { serveSchedule } from '#kit/server/work/schedules.ts'
import { duePackages } from './server/package.ts'
import { nextSend } from './server/plan.ts'

let world: World
let shop: Business
let today = '2031-05-20'
beforeAll(async () => {
  world = await startWorld(() => new Date(`${today}T09:00:00Z`))
})
afterAll(() => world.close())
beforeEach(async () => {
  today = '2031-05-20'
  shop = await newBusiness(world)
})

let count = 0
const newEmail = () => `cpa${Date.now()}${count++}@example.com`
const password = 'a long enough password'

/**
 * The letters to somebody, oldest first, once there are so many: another file's worker may have one in hand.
 */
async function lettersTo(to: string, count: number) {
  const dir = join(dataDir, 'mail')
  for (let tries = 0; ; tries++) {
    await world.worker.drain()
    const found = (existsSync(dir) ? readdirSync(dir) : [])
      .sort()
      .map((f) => readFileSync(join(dir, f)))
      .filter((bytes) => bytes.includes(to))
    if (found.length >= count || tries > 200)
      return Promise.all(found.map((bytes) => PostalMime.parse(bytes)))
    await new Promise((done) => setTimeout(done, 50))
  }
}
const invited = (more: object = {}) => ({
  name: 'רו״ח אלון',
  office: 'אלון ושות׳',
  email: newEmail(),
  ...more,
})

/** What is planned for a business and not done, with the day it will run. */
const planned = async () => {
  const { companyId } = await shop.call(mySession, {})
  const { rows } = await sql<{
    id: string
    payload: { month: string }
    day: string
  }>`select id, payload, run_after::date as day from outbox
    where company_id = ${companyId} and name = 'accountant.package' and done_at is null
    order by created_at`.execute(world.app.db.kysely)
  return rows
}
/** Time passes: what is planned is due. */
const come = async (ids: string[]) => {
  await asSystem(world.app.db, (tx) =>
    sql`update outbox set run_after = now() - interval '1 second' where id = any(${ids}::uuid[])`.execute(tx),
  )
  await world.worker.drain()
}

describe('an accountant', () => {
  test('comes in by the link as type 5 and works with what was chosen for him, and no more', async () => {
    const who = invited({ access: 'books', mayPost: true })
    const one = await shop.call(calls.inviteAccountant, who)
    expect(one).toMatchObject({ state: 'invited', access: 'books', sendDay: null })
    const [letter] = await lettersTo(who.email, 1)
    const session = await callAs(world, acceptInvitation, {
      token: /#([\w-]{43})/.exec(letter!.text!)![1]!,
      password,
    })
    expect(session.TypeID).toBe(5)
    const rights = { rules: session.rules, docsAllow: [] }
    for (const rule of ['reports.tax', 'ledger.see', 'ledger.change', 'documents.see', 'customers.see'])
      expect(can(rights, rule), rule).toBe(true)
    for (const rule of [
      'documents.draft',
      'documents.issue',
      'customers.change',
      'companies.change',
      'workers.see',
      'accountant.change',
      'expenses.enter',
    ])
      expect(can(rights, rule), rule).toBe(false)
    expect(
      (
        await world.http.inject({
          method: 'GET',
          url: '/api4/invoice/documents',
          headers: { 'x-access-token': session.UserKey },
        })
      ).statusCode,
    ).toBe(200)
    expect(await shop.get(`/api4/invoice/accountants/${one.id}`)).toMatchObject({ state: 'active' })
    // Listed among accountants, not among workers.
    expect((await shop.get('/api4/invoice/workers')).rows).toHaveLength(1)

    await shop.call(calls.changeAccountant, { id: one.id, access: 'reports', mayPost: false })
    const now = await callAs(world, mySession, {}, { token: session.UserKey })
    expect(can({ rules: now.rules, docsAllow: [] }, 'documents.see')).toBe(false)
    await shop.call(calls.blockAccountant, { id: one.id })
    await expect(callAs(world, mySession, {}, { token: session.UserKey })).rejects.toMatchObject({
      status: 401,
    })
    await shop.call(calls.unblockAccountant, { id: one.id })
    await shop.call(calls.removeAccountant, { id: one.id })
    expect((await shop.get('/api4/invoice/accountants')).rows).toEqual([])
    await expect(shop.call(calls.changeAccountant, { id: one.id, office: 'x' })).rejects.toMatchObject({
      code: 'accountant.gone',
    })
    // The same one may be asked again.
    expect(await shop.call(calls.inviteAccountant, who)).toMatchObject({ state: 'invited' })
  })

  test('gets nothing from somebody who may not see it himself', async () => {
    const email = newEmail()
    const mate = await newBusiness(world)
    const { companyId } = await shop.call(mySession, {})
    const rules = ['accountant.see', 'accountant.change', 'reports.sales', 'reports.debts'].map((name) =>
      allRules().get(name)!,
    )
    await asSystem(world.app.db, async (tx) => {
      await sql`insert into memberships (company_id, user_id, type_id, rules)
        select ${companyId}, id, 9, ${rules}::int[] from users where email = ${mate.email}`.execute(tx)
      await sql`update sessions set company_id = ${companyId}
        where user_id = (select id from users where email = ${mate.email})`.execute(tx)
    })
    await expect(
      callAs(world, calls.inviteAccountant, invited({ email, access: 'reports' }), { token: mate.token }),
    ).rejects.toMatchObject({ code: 'team.beyondYours' })
    const one = await shop.call(calls.inviteAccountant, invited({ contents: ['vat'] }))
    for (const change of [
      { contents: ['trialBalance' as const] },
      { access: 'all' as const },
      { mayPost: true },
    ])
      await expect(
        callAs(world, calls.changeAccountant, { id: one.id, ...change }, { token: mate.token }),
      ).rejects.toMatchObject({
        code: 'team.beyondYours',
      })
    expect(
      (await raw(world, calls.sendPackage, { id: one.id, month: '2031-04' }, { token: mate.token }))
        .statusCode,
    ).toBe(403)
  })
})

describe('the monthly package', () => {
  test('the next day of sending: later this month, or the next', () => {
    expect(nextSend('2031-05-20', 25)).toBe('2031-05-25')
    expect(nextSend('2031-05-20', 20)).toBe('2031-06-20')
    expect(nextSend('2026-12-31', 1)).toBe('2027-01-01')
    expect(nextSend('2026-01-31', 28)).toBe('2026-02-28')
  })

  test('is planned for its day, goes out once with the reports and papers of the month before, and plans the next', async () => {
    const customer = await shop.customer('כהן')
    today = '2031-04-10'
    await shop.invoice(customer.id, '1000')
    today = '2031-05-20'
    await shop.invoice(customer.id, '5')
    const who = invited({ sendDay: 25, contents: ['income', 'expenses', 'vat', 'trialBalance', 'documents'] })
    const one = await shop.call(calls.inviteAccountant, who)
    const first = await planned()
    expect(first.map(({ payload, day }) => [payload.month, day])).toEqual([['2031-04-01', '2031-05-25']])

    today = '2031-05-25'
    await come(first.map(({ id }) => id))
    const letters = await lettersTo(who.email, 2)
    expect(letters.map(({ subject }) => subject!.replace(/[\u2066-\u2069]/g, ''))).toEqual([
      expect.stringContaining('הזמנה'),
      'זרם טוב: חבילה לרואה החשבון, 04/2031',
    ])
    const attached = letters[1]!.attachments
    expect(attached.map(({ filename }) => filename)).toEqual([
      'income-2031-04.pdf',
      'income-2031-04.xlsx',
      'expenseList-2031-04.pdf',
      'expenseList-2031-04.xlsx',
      'vat-2031-04.pdf',
      'vat-2031-04.xlsx',
      'trialBalance-2031-04.pdf',
      'trialBalance-2031-04.xlsx',
      'documents-2031-04.zip',
    ])
    const papers = unzipSync(new Uint8Array(attached.at(-1)!.content as ArrayBuffer))
    expect(Object.keys(papers)).toEqual(['חשבונית מס 1 – זרם טוב.pdf'])
    expect(Buffer.from(Object.values(papers)[0]!).subarray(0, 5).toString()).toBe('%PDF-')
    const { rows: messages } = await shop.get(`/api4/invoice/messages?q=${who.email}`)
    expect(messages.map((m: { state: string }) => m.state)).toEqual(['kept'])

    // The same job once more: nothing goes out, nothing more is planned for the month that went.
    await asSystem(world.app.db, (tx) =>
      sql`update outbox set done_at = null, run_after = now() where id = ${first[0]!.id}`.execute(tx),
    )
    await world.worker.drain()
    expect(await lettersTo(who.email, 2)).toHaveLength(2)
    expect(new Set((await planned()).map(({ payload, day }) => `${payload.month} ${day}`))).toEqual(
      new Set(['2031-05-01 2031-06-25']),
    )
    expect((await shop.get(`/api4/invoice/accountants/${one.id}`)).sentAt).toBeTruthy()
  })

  test('everything the books are handed over with goes along: the cards, the debts, the bills themselves and the uniform file', async () => {
    const customer = await shop.customer('לוי')
    today = '2031-04-10'
    await shop.invoice(customer.id, '1000')
    const paper = new Uint8Array(Buffer.from('%PDF-1.4\n% a bill\n%%EOF\n'))
    const { id: fileId } = await shop.call(uploadFile, {
      name: 'חשמל.pdf',
      bytes: Buffer.from(paper),
    } as never)
    const { id: supplierId } = await shop.send('POST', '/api4/invoice/suppliers', { name: 'חברת החשמל' })
    const { types } = await shop.call(expenseFacts, {})
    await shop.send('POST', '/api4/invoice/expenses', {
      supplierId,
      supplierNumber: '77',
      date: today,
      lines: [
        {
          typeId: types.find((one) => one.vatShare === 'full' && !one.isFixedAsset)!.id,
          netAgorot: 10_000,
          vatAgorot: 1800,
        },
      ],
      fileIds: [fileId],
    })
    today = '2031-05-20'
    const who = invited({
      sendDay: 25,
      contents: ['generalLedger', 'profitLoss', 'debts', 'suppliers', 'bills', 'uniform'],
    })
    await shop.call(calls.inviteAccountant, who)
    today = '2031-05-25'
    await come((await planned()).map(({ id }) => id))
    const [, letter] = await lettersTo(who.email, 2)
    const attached = new Map(
      letter!.attachments.map(({ filename, content }) => [filename!, new Uint8Array(content as ArrayBuffer)]),
    )
    expect([...attached.keys()].filter((name) => name.endsWith('.xlsx'))).toEqual([
      'generalLedger-2031-04.xlsx',
      'profitLoss-2031-04.xlsx',
      'ageing-2031-04.xlsx',
      'supplierBalances-2031-04.xlsx',
    ])
    const bills = unzipSync(attached.get('bills-2031-04.zip')!)
    expect(Object.keys(bills)).toEqual([expect.stringContaining('77')])
    expect(Object.values(bills)).toEqual([paper])
    const uniform = unzipSync(attached.get('OPENFRMT-2031-04-01-2031-04-30.zip')!)
    expect(Object.keys(uniform).some((name) => name.endsWith('INI.TXT'))).toBe(true)
    expect(letter!.text).not.toContain('/invoice/documents')
  })

  test('another day makes the old plan void; without a day, and after removal, nothing goes out', async () => {
    const who = invited({ sendDay: 25, contents: ['income'] })
    const one = await shop.call(calls.inviteAccountant, who)
    await shop.call(calls.changeAccountant, { id: one.id, sendDay: 26 })
    const [old, next] = await planned()
    await come([old!.id])
    expect(await lettersTo(who.email, 1)).toHaveLength(1)
    await shop.call(calls.changeAccountant, { id: one.id, sendDay: null })
    await come([next!.id])
    expect(await lettersTo(who.email, 1)).toHaveLength(1)
    await shop.call(calls.changeAccountant, { id: one.id, sendDay: 25 })
    const [last] = await planned()
    await shop.call(calls.removeAccountant, { id: one.id })
    await come([last!.id])
    expect(await lettersTo(who.email, 1)).toHaveLength(1)
  })

  test('goes out without the job that was planned for it, once, and each month after it', async () => {
    const who = invited({ sendDay: 25, contents: ['income'] })
    await shop.call(calls.inviteAccountant, who)
    await lettersTo(who.email, 1)
    await asSystem(world.app.db, (tx) =>
      sql`delete from outbox where name = 'accountant.package'`.execute(tx),
    )
    await serveSchedule(world.app, duePackages)
    expect(await planned()).toEqual([])
    today = '2031-06-26'
    await serveSchedule(world.app, duePackages)
    await serveSchedule(world.app, duePackages)
    const letters = await lettersTo(who.email, 3)
    expect(letters.map(({ subject }) => subject!.replace(/[\u2066-\u2069]/g, '').slice(-7))).toEqual([
      expect.any(String),
      '04/2031',
      '05/2031',
    ])
    expect(new Set((await planned()).map(({ payload, day }) => `${payload.month} ${day}`))).toContain(
      '2031-06-01 2031-07-25',
    )
  })

  test('whoever is shut out gets no package, and is planned for when he is let in again', async () => {
    const who = invited({ sendDay: 25, contents: ['income'] })
    const one = await shop.call(calls.inviteAccountant, who)
    const [letter] = await lettersTo(who.email, 1)
    await callAs(world, acceptInvitation, { token: /#([\w-]{43})/.exec(letter!.text!)![1]!, password })
    await shop.call(calls.blockAccountant, { id: one.id })
    today = '2031-05-25'
    await come((await planned()).map(({ id }) => id))
    expect(await lettersTo(who.email, 1)).toHaveLength(1)
    await expect(shop.call(calls.sendPackage, { id: one.id, month: '2031-04' })).rejects.toMatchObject({
      code: 'accountant.blocked',
    })
    await shop.call(calls.unblockAccountant, { id: one.id })
    const next = await planned()
    expect(next.map(({ payload }) => payload.month)).toEqual(['2031-05-01'])
    today = '2031-06-25'
    await come(next.map(({ id }) => id))
    expect(await lettersTo(who.email, 2)).toHaveLength(2)
  })

  test('of any month can be sent now, and is a letter of its own each time', async () => {
    const who = invited({ contents: ['income'] })
    const one = await shop.call(calls.inviteAccountant, who)
    await shop.call(calls.sendPackage, { id: one.id, month: '2031-03' })
    await shop.call(calls.sendPackage, { id: one.id, month: '2031-03' })
    expect(await lettersTo(who.email, 3)).toHaveLength(3)
    await expect(shop.call(calls.sendPackage, { id: one.id, month: '2031-06' })).rejects.toMatchObject({
      code: 'accountant.noMonth',
    })
    await shop.call(calls.changeAccountant, { id: one.id, contents: [] })
    await expect(shop.call(calls.sendPackage, { id: one.id, month: '2031-03' })).rejects.toMatchObject({
      code: 'accountant.noMonth',
    })
  })
})
