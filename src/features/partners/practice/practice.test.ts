import { unzipSync } from 'fflate'
import { sql } from 'kysely'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mailText } from '../../../../tests/letters.ts'
import { addDays, addMonths, dayInJerusalem, endOfMonth, startOfMonth } from '#domain/day.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { acceptInvitation, setFactorRule } from '#features/base/team/endpoints.ts'
import { changeCompany, setAdvanceRate, switchCompany } from '#features/base/companies/endpoints.ts'
import { confirmFactor, startFactor, useAutoLogin } from '#features/base/session/endpoints.ts'
import { checkPeriod, closePeriod, listPeriods } from '#features/books/periods/endpoints.ts'
import { addEntry } from '#features/base/ledger/endpoints.ts'
import { expenseFacts } from '#features/purchases/expenses/endpoints.ts'
import { createSupplierPayment } from '#features/purchases/supplierPayments/endpoints.ts'
import { pageAnswer, pageOfRequests } from '#features/partners/requests/endpoints.ts'
import { vatAnswer } from '#features/tax/vat/endpoints.ts'
import { takeStatement, uploadStatement } from '#features/money/bank/endpoints.ts'
import {
  changeDocument,
  createDocument,
  deleteDocument,
  getDocument,
  issueDocument,
} from '#features/sales/documents/endpoints.ts'
import { implementations } from '../../../features.ts'
import {
  callAs,
  newBusiness,
  newTaxId,
  raw,
  startWorld,
  verifyAddress,
  type Business,
  type World,
} from '../../../../tests/world.ts'
import * as calls from './endpoints.ts'
import { keepFacts, readFacts } from './server/facts.ts'
import { sweep } from './server/sweep.ts'

let world: World
const today = dayInJerusalem(new Date())
const month = addMonths(startOfMonth(today), -1)
const name = month.slice(0, 7)
let count = 0

interface Office {
  token: string
  call: Business['call']
  id: string
}

async function newOffice(): Promise<Office> {
  const email = `cpa${Date.now()}${count++}@example.com`
  const {
    UserKey: token,
    TypeID,
    CompanyKey,
  } = await callAs(world, calls.signUpCpa, {
    email,
    password: 'a long enough password',
    fullName: 'דנה אלון',
    office: { name: 'אלון ושות׳', kind: 'partnership', taxId: newTaxId(), licence: '123' },
    termsAccepted: true,
  })
  await verifyAddress(world, email)
  expect(TypeID).toBe(6)
  return {
    token,
    id: CompanyKey,
    call: (endpoint, input, options) => callAs(world, endpoint, input, { token, ...options }),
  }
}

const idOf = async (business: Business): Promise<string> =>
  (await business.get('/api/user/session')).companyId

/** The key of the last letter of an office, as its receiver would have it. */
async function lastKey(): Promise<string> {
  const { readdirSync, readFileSync, statSync } = await import('node:fs')
  const { dataDir } = await import('../../../../tests/world.ts')
  await world.worker.drain()
  const folder = `${dataDir}/mail`
  const file = readdirSync(folder)
    .map((each) => `${folder}/${each}`)
    .toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs || (a < b ? 1 : -1))
    .find((each) => /officeinvitation|invitation\?lang/.test(mailText(readFileSync(each, 'utf8'))))!
  return /#([\w-]{20,})/.exec(mailText(readFileSync(file, 'utf8')))![1]!
}

const all = [...calls.engagementRights]

async function newClient(
  office: Office,
  rights: calls.EngagementRight[] = all,
): Promise<Business & { id: string }> {
  const business = await newBusiness(world, { name: `לקוח ${++count}` })
  await office.call(calls.inviteClient, { email: `client${count}@example.com`, name: 'בעל העסק', rights })
  await business.call(calls.acceptInvite, { token: await lastKey(), rights })
  return { ...business, id: await idOf(business) }
}

beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

describe('an office and its clients', () => {
  test('one client whose books cannot be summed up leaves the others as they are', async () => {
    const office = await newOffice()
    const [sound, broken] = [await newClient(office), await newClient(office)]
    // Amounts beyond what is exact: no record of a client may be able to do this, and one day something will.
    await asSystem(world.app.db, (tx) =>
      sql`insert into account_months (company_id, account_id, month, debit_agorot, credit_agorot)
        select company_id, id, ${month}, 0, 9000000000000000000 from accounts
        where company_id = ${broken.id} and number = '4000'`.execute(tx),
    )
    const { rows, failed } = await office.call(calls.refreshClients, {
      month: name,
      clientIds: [sound.id, broken.id],
    })
    expect(failed).toEqual([broken.id])
    expect(rows.find(({ id }) => id === sound.id)!.facts).not.toBeNull()
    expect(rows.map(({ id }) => id).toSorted()).toEqual([sound.id, broken.id].toSorted())
    for (const clientId of [sound.id, broken.id])
      expect((await office.call(calls.clientMonth, { clientId, month: name })).id).toBe(clientId)
  })

  test('works inside a client that requires a second factor only as a person who has one', async () => {
    const office = await newOffice()
    const client = await newClient(office)
    const { secret } = await client.call(startFactor, { password: client.password })
    await client.call(confirmFactor, { code: generateSync({ secret }) })
    const month = () => office.call(calls.clientMonth, { clientId: client.id, month: name })
    expect(await month()).toBeTruthy()
    await client.call(setFactorRule, { required: true, password: client.password })
    await expect(month()).rejects.toMatchObject({ status: 403, code: 'session.factorNeeded' })
    // What the office already knows of the client is not shown either, and the list says why.
    const listed = () => office.call(calls.cockpit, { month: name })
    expect((await listed()).rows).toMatchObject([{ needsFactor: true, facts: null, madeAt: null }])
    const refreshed = await office.call(calls.refreshClients, { month: name, clientIds: [client.id] })
    expect(refreshed.rows).toMatchObject([{ facts: null }])
    const ahead = await office.call(calls.reviewBulk, { deed: 'close', month: name, clientIds: [client.id] })
    expect(ahead.rows).toMatchObject([{ code: 'session.factorNeeded' }])
    const password = 'a long enough password'
    const { secret: own } = await office.call(startFactor, { password })
    await office.call(confirmFactor, { code: generateSync({ secret: own }) })
    expect(await month()).toBeTruthy()
    expect((await listed()).rows).toMatchObject([{ needsFactor: false, facts: { isClosed: false } }])
  })

  test('sees a client once its owner agreed, and not a moment longer', async () => {
    const office = await newOffice()
    const business = await newBusiness(world)
    await office.call(calls.inviteClient, { email: 'a@example.com', name: 'בעלים', rights: all })
    expect((await office.call(calls.cockpit, { month: name })).rows).toEqual([])
    const token = await lastKey()
    expect(await callAs(world, calls.seeInvite, { token })).toMatchObject({
      office: 'אלון ושות׳',
      rights: all,
    })
    await business.call(calls.acceptInvite, { token, rights: ['close'] })
    // The link opens once.
    await expect(business.call(calls.acceptInvite, { token, rights: all })).rejects.toThrow(
      'practice.linkEnded',
    )
    const { rows } = await office.call(calls.cockpit, { month: name })
    expect(rows).toMatchObject([{ id: await idOf(business), rights: ['close'], state: 'active' }])
    const clientId = rows[0]!.id
    // Inside the client the person has the rights the client agreed to.
    const session = await office.call(switchCompany, { id: clientId })
    expect(session).toMatchObject({ TypeID: 5, CompanyKey: clientId })
    await expect(
      office.call(closePeriod, { kind: 'month', from: month, despite: true }),
    ).resolves.toBeTruthy()
    await expect(
      office.call(
        { ...calls.consentOffice, path: '/api4/invoice/customers' } as never,
        { name: 'x' } as never,
      ),
    ).rejects.toThrow('403')
    // From inside the client the page of the office is the same, and the way leads back.
    expect((await office.call(calls.cockpit, { month: name })).rows).toHaveLength(1)
    const mine = await business.call(calls.myOffices, {})
    expect(mine.rows).toMatchObject([{ state: 'active', people: [{ name: 'דנה אלון' }] }])
    await business.call(calls.endOffice, { officeId: mine.rows[0]!.officeId, reason: 'עברנו' })
    expect((await office.call(calls.cockpit, { month: name })).rows).toEqual([])
    await expect(office.call(calls.clientMonth, { clientId, month: name })).rejects.toThrow('404')
    // A session that was in the client is in the office again.
    expect(await callAs(world, listPeriods, {}, { token: office.token })).toMatchObject({
      year: Number(today.slice(0, 4)),
    })
    expect((await office.call(calls.myOffice, {})).office).toMatchObject({ isHere: true })
    const { rows: left } = await asSystem(world.app.db, (tx) =>
      sql`select 1 from duty_summaries where client_id = ${clientId}`.execute(tx),
    )
    expect(left).toEqual([])
  })

  test('a repeat of what the office does gets the first answer: one letter, one list, nothing refused for being done', async () => {
    const office = await newOffice()
    const key = (what: string) => ({ key: `${what} ${office.id}` })
    const given = { email: `again${count++}@example.com`, name: 'בעלים', rights: all }
    // Two at once, and one that comes later.
    const [one, other] = await Promise.all([
      office.call(calls.inviteClient, given, key('invite')),
      office.call(calls.inviteClient, given, key('invite')),
    ])
    expect([other, await office.call(calls.inviteClient, given, key('invite'))]).toEqual([one, one])
    const { rows } = await asSystem(world.app.db, (tx) =>
      sql<{
        revoked_at: unknown
      }>`select revoked_at from office_invites where company_id = ${office.id}`.execute(tx),
    )
    expect(rows).toEqual([{ revoked_at: null }])
    await expect(office.call(calls.inviteClient, { ...given, name: 'אחר' }, key('invite'))).rejects.toThrow(
      'kit.keyReused',
    )

    const list = { id: null, name: 'רשימה', kinds: [], skips: [], own: ['חתימה'] }
    const kept = await office.call(calls.keepTemplate, list, key('keep'))
    expect(await office.call(calls.keepTemplate, list, key('keep'))).toEqual(kept)
    expect((await office.call(calls.myOffice, {})).office!.templates).toHaveLength(1)
    // What was refused gives the key back.
    await asSystem(world.app.db, (tx) =>
      sql`update closing_templates set archived_at = now() where id = ${kept.id}`.execute(tx),
    )
    await expect(office.call(calls.dropTemplate, kept, key('drop'))).rejects.toThrow('404')
    await asSystem(world.app.db, (tx) =>
      sql`update closing_templates set archived_at = null where id = ${kept.id}`.execute(tx),
    )
    for (let i = 0; i < 2; i++)
      expect(await office.call(calls.dropTemplate, kept, key('drop'))).toEqual({ done: true })

    // Its process died: nobody answers for it any more, and the repeat is run.
    const dead = { ...list, name: 'שנייה' }
    const second = await office.call(calls.keepTemplate, dead, key('dead'))
    await asSystem(world.app.db, async (tx) => {
      await sql`update idempotency_keys set answer = null, created_at = now() - interval '6 minutes'
        where key = ${key('dead').key}`.execute(tx)
      await sql`delete from closing_templates where id = ${second.id}`.execute(tx)
    })
    expect(await office.call(calls.keepTemplate, dead, key('dead'))).not.toEqual(second)
  })

  test('only the owner lets an office in', async () => {
    const office = await newOffice()
    const client = await newClient(office)
    const set = await client.send('POST', '/api4/invoice/permissions', { name: 'מנהל', rules: [85, 86] })
    expect(set.id).toBeTruthy()
    await asSystem(world.app.db, (tx) =>
      sql`update memberships set rules = '{85,86}' where company_id = ${client.id} and type_id = 4`.execute(
        tx,
      ),
    )
    const officeId = office.id
    await expect(client.call(calls.consentOffice, { officeId, rights: all })).rejects.toThrow(
      'practice.notOwner',
    )
    await expect(client.call(calls.endOffice, { officeId })).rejects.toThrow('practice.notOwner')
  })

  test('a business that came by the link asks, and its owner decides', async () => {
    const office = await newOffice()
    const { joinUrl } = (await office.call(calls.myOffice, {})).office!
    const { signUp } = await import('#features/base/companies/endpoints.ts')
    const { UserKey: token } = await callAs(world, signUp, {
      email: `join${Date.now()}@example.com`,
      password: 'a long enough password',
      fullName: 'רון',
      business: { name: 'חדש', kind: 'licensedDealer', taxId: newTaxId() },
      cpaid: new URL(joinUrl).searchParams.get('cpaid')!,
    })
    const asked = await callAs(world, calls.myOffices, {}, { token })
    expect(asked.rows).toMatchObject([{ state: 'asked', people: [] }])
    const before = await office.call(calls.cockpit, { month: name })
    expect(before.rows).toMatchObject([{ state: 'asked', facts: null }])
    await expect(
      office.call(calls.clientMonth, { clientId: before.rows[0]!.id, month: name }),
    ).rejects.toThrow('404')
    await callAs(world, calls.consentOffice, { officeId: office.id, rights: [] }, { token })
    expect((await office.call(calls.clientMonth, { clientId: before.rows[0]!.id, month: name })).state).toBe(
      'active',
    )
  })

  test('an assistant enters only what was given to him', async () => {
    const office = await newOffice()
    const [mine, other] = [await newClient(office), await newClient(office)]
    await office.call(calls.inviteColleague, { email: `helper${Date.now()}@example.com`, fullName: 'מירי' })
    const { UserKey: token, TypeID } = await callAs(world, acceptInvitation, {
      token: await lastKey(),
      password: 'a long enough password',
    })
    expect(TypeID).toBe(5)
    const helper = { call: office.call, token }
    const ask = <E extends Parameters<typeof callAs>[1]>(endpoint: E, input: never) =>
      callAs(world, endpoint, input, { token: helper.token })
    expect(((await ask(calls.cockpit, { month: name } as never)) as { rows: unknown[] }).rows).toEqual([])
    const { people } = await office.call(calls.officeLoad, {})
    const helperId = people.find((person) => person.name === 'מירי')!.id
    await office.call(calls.assignClients, { clientIds: [mine.id], responsibleId: helperId })
    expect(
      ((await ask(calls.cockpit, { month: name } as never)) as { rows: { id: string }[] }).rows.map(
        ({ id }) => id,
      ),
    ).toEqual([mine.id])
    await expect(ask(calls.clientMonth, { clientId: other.id, month: name } as never)).rejects.toThrow('404')
    await expect(ask(switchCompany, { id: other.id } as never)).rejects.toThrow('404')
    await expect(ask(calls.officeLoad, {} as never)).rejects.toThrow('practice.managerOnly')
    const done = (await ask(calls.runBulk, {
      deed: 'close',
      month: name,
      clientIds: [mine.id, other.id],
      despite: true,
    } as never)) as {
      rows: calls.Outcome[]
    }
    expect(done.rows.map(({ code }) => code)).toEqual([null, 'kit.notFound'])
    await office.call(calls.seeAllClients, { id: helperId, all: true })
    expect(((await ask(calls.cockpit, { month: name } as never)) as { rows: unknown[] }).rows).toHaveLength(2)
  })

  test('a second office, a stranger and the client himself find nothing: every call of the office', async () => {
    const office = await newOffice()
    const client = await newClient(office)
    const second = await newOffice()
    const stranger = await newBusiness(world)
    const input = {
      clientId: client.id,
      clientIds: [client.id],
      month: name,
      line: 'unmatched',
      reason: 'סיבה',
      said: null,
      deed: 'close',
      as: 'ended',
      year: 2026,
      id: client.id,
      all: true,
    }
    for (const { endpoint } of implementations.filter(
      (one) => one.endpoint.name.startsWith('practice.') && /\{clientId\}/.test(one.endpoint.path),
    )) {
      const given = (asked: typeof input) => {
        const parsed = endpoint.input.safeParse(asked)
        return parsed.success
          ? asked
          : Object.fromEntries(
              Object.entries(asked).filter(
                ([key]) => key in (endpoint.input as unknown as { shape: object }).shape,
              ),
            )
      }
      for (const token of [second.token, stranger.token, client.token])
        expect([endpoint.name, (await raw(world, endpoint, given(input), { token })).statusCode]).toEqual([
          endpoint.name,
          404,
        ])
    }
    // Of many at once the lines say so, and nothing of the client is revealed.
    const { rows } = await second.call(calls.runBulk, {
      deed: 'close',
      month: name,
      clientIds: [client.id],
      despite: true,
    })
    expect(rows).toMatchObject([{ code: 'kit.notFound', name: '' }])
    expect(
      (await second.call(calls.reviewBulk, { deed: 'ask', month: name, clientIds: [client.id] })).rows,
    ).toMatchObject([{ code: 'kit.notFound', name: '' }])
    expect((await second.call(calls.refreshClients, { month: name, clientIds: [client.id] })).rows).toEqual(
      [],
    )
    await expect(second.call(calls.filesOfClients, { month: name, clientIds: client.id })).rejects.toThrow(
      '404',
    )
    await expect(second.call(calls.yearFolder, { clientId: client.id, year: 2026 })).rejects.toThrow('404')
    await expect(second.call(calls.assignClients, { clientIds: [client.id] })).rejects.toThrow('404')
    expect((await client.call(listPeriods, { year: Number(month.slice(0, 4)) })).history).toEqual([])
  })
})

describe('a month', () => {
  test('fills its list from the books, is signed line by line and taken back with a reason', async () => {
    const office = await newOffice()
    const client = await newClient(office)
    const customer = await client.customer('כהן')
    await client.invoice(customer.id, '1000', { date: month })
    await client.invoice(customer.id, '5', { date: month, draft: true })
    let seen = await office.call(calls.clientMonth, { clientId: client.id, month: name })
    expect(seen.facts!.lines.find(({ line }) => line === 'drafts')).toMatchObject({
      state: 'look',
      count: 1,
      isSigned: false,
    })
    expect(seen.closing).toBe('work')
    await office.call(calls.signLine, { clientId: client.id, month: name, line: 'drafts' })
    await office.call(calls.signLine, { clientId: client.id, month: name, line: 'drafts' })
    seen = await office.call(calls.clientMonth, { clientId: client.id, month: name })
    expect(seen.facts!.lines.find(({ line }) => line === 'drafts')).toMatchObject({
      isSigned: true,
      signedBy: 'דנה אלון',
    })
    expect(seen.marks).toHaveLength(1)
    expect(seen.closing).toBe('review')
    await expect(
      office.call(calls.unsignLine, { clientId: client.id, month: name, line: 'drafts', reason: 'x' }),
    ).rejects.toThrow('fields.need')
    await office.call(calls.unsignLine, {
      clientId: client.id,
      month: name,
      line: 'drafts',
      reason: 'הגיע עוד מסמך',
    })
    await expect(
      office.call(calls.unsignLine, { clientId: client.id, month: name, line: 'drafts', reason: 'שוב' }),
    ).rejects.toThrow('practice.notSigned')
    await office.call(calls.sayState, {
      clientId: client.id,
      month: name,
      said: 'waiting',
      note: 'מחכים לדף בנק',
    })
    seen = await office.call(calls.clientMonth, { clientId: client.id, month: name })
    expect(seen).toMatchObject({ closing: 'waiting', facts: { note: 'מחכים לדף בנק' } })
    expect(seen.marks.map(({ deed }) => deed)).toEqual(['reopened', 'signed'])
    // The client sees who signed and what was noted.
    expect((await client.call(calls.myOffices, {})).months).toMatchObject([
      { month: name, signed: 0, note: 'מחכים לדף בנק' },
    ])
    await expect(
      office.call(calls.signLine, { clientId: client.id, month: '2999-01', line: 'drafts' }),
    ).rejects.toThrow('practice.monthAhead')
    await expect(
      office.call(calls.signLine, { clientId: client.id, month: name, line: 'nothing' }),
    ).rejects.toThrow('404')
  })

  test('says of a bank that it does not agree with the books, not of what is only on its way', async () => {
    const office = await newOffice()
    const old = addMonths(month, -2)
    /**
     * What the list says of a client whose bank knows a fee, and whose books know transfers of these days.
     */
    const line = async (...booked: string[]) => {
      const client = await newClient(office)
      const customer = await client.customer('כהן')
      const { id } = await client.send('POST', '/api4/invoice/bankaccounts', { name: 'עו״ש' })
      if (booked.length) {
        const csv = `date,description,reference,amount,balance\n${old},opening,1,100,100\n${month},fee,2,-5,95`
        const seen = await client.call(uploadStatement, {
          id,
          name: 'x.csv',
          bytes: Buffer.from(csv),
        } as never)
        await client.call(takeStatement, { id: seen.id })
      }
      for (const date of booked)
        await client.call(createDocument, {
          type: 6,
          customerId: customer.id,
          date,
          payments: [{ means: 3, amountAgorot: 70_000 }],
        } as never)
      const seen = await office.call(calls.clientMonth, { clientId: client.id, month: name })
      return { id, said: seen.facts!.lines.find((one) => one.line === 'reconciled') }
    }
    const late = addDays(endOfMonth(month), -2)
    // Without a line of the bank there is nothing to agree with.
    expect((await line()).said).toBeUndefined()
    expect((await line(late)).said).toMatchObject({ count: 0, state: 'ok' })
    // Booked two months ago, and the bank never knew of it.
    const { id, said } = await line(addDays(old, 1), late)
    expect(said).toMatchObject({
      count: 1,
      state: 'look',
      open: `/invoice/bankreconciliation?bankAccount=${id}&day=${endOfMonth(month)}`,
    })
  })

  test('names what was withheld from suppliers until the books say it was paid, and it holds nothing up', async () => {
    const office = await newOffice()
    const client = await newClient(office)
    await client.call(changeCompany, { withholdingFile: '912345678' } as never)
    const { types } = await client.call(expenseFacts, {})
    const typeId = types.find((one) => one.vatShare === 'full' && !one.isFixedAsset)!.id
    const { id: supplierId } = await client.send('POST', '/api4/invoice/suppliers', {
      name: 'עו״ד נחום',
      withholdingKind: '06',
    })
    const bill = await client.send('POST', '/api4/invoice/expenses', {
      supplierId,
      supplierNumber: '1',
      date: month,
      means: 'onCredit',
      lines: [{ typeId, netAgorot: 100_000, vatAgorot: 18_000 }],
    })
    const paid = await client.call(createSupplierPayment, {
      supplierId,
      bills: [{ id: bill.id, amountAgorot: bill.totalAgorot }],
      date: addDays(month, 9),
      means: 'bank',
    })
    const of = async () => {
      const { facts, closing } = await office.call(calls.clientMonth, { clientId: client.id, month: name })
      return { line: facts!.lines.find(({ line }) => line === 'form102'), withheld: facts!.withheld, closing }
    }
    const open = `/invoice/report102?from=${month}&to=${endOfMonth(month)}`
    expect(await of()).toMatchObject({
      line: { state: 'look', count: 1, open },
      withheld: { toPayAgorot: paid.withheldAgorot },
      closing: 'review',
    })
    await client.call(addEntry, {
      date: addDays(endOfMonth(month), 1),
      details: 'תשלום 102',
      lines: [
        { accountNumber: '2200', debitAgorot: paid.withheldAgorot!, creditAgorot: 0 },
        { accountNumber: '1010', debitAgorot: 0, creditAgorot: paid.withheldAgorot! },
      ],
    })
    expect((await of()).line).toMatchObject({ state: 'ok', count: 0 })
    // The person who withheld nothing is not asked.
    const other = await newClient(office)
    const { facts } = await office.call(calls.clientMonth, { clientId: other.id, month: name })
    expect([facts!.withheld, facts!.lines.some(({ line }) => line.startsWith('form'))]).toEqual([null, false])
  })

  test('names what is handed in once a year in the month before its day, with the day, for books that had such a year', async () => {
    const office = await newOffice()
    const client = await newClient(office)
    const year = Number(month.slice(0, 4)) - 1
    const of = async (on: string) =>
      (await office.call(calls.clientMonth, { clientId: client.id, month: on })).facts!.lines.filter(
        ({ line }) => ['form6111', 'annualReturn', 'exemptStatement'].includes(line),
      )
    const april = `${year + 1}-04`
    expect(await of(april)).toEqual([])
    await client.call(addEntry, {
      date: `${year}-06-01`,
      details: 'שנה שעברה',
      lines: [
        { accountNumber: '1010', debitAgorot: 100, creditAgorot: 0 },
        { accountNumber: '1000', debitAgorot: 0, creditAgorot: 100 },
      ],
    })
    await office.call(calls.refreshClients, { month: april, clientIds: [client.id] })
    const dueDay = expect.stringMatching(/-05-31$|-06-01$/)
    expect(await of(april)).toMatchObject([
      { line: 'form6111', state: 'look', dueDay, open: `/invoice/report6111?year=${year}` },
      { line: 'annualReturn', state: 'look', dueDay },
    ])
    expect(await of(`${year + 1}-03`)).toEqual([])
  })

  test('names a bill that usually comes, and asks for it with the rest', async () => {
    const office = await newOffice()
    const client = await newClient(office)
    const { types } = await client.call(expenseFacts, {})
    const typeId = types.find((one) => one.vatShare === 'full' && !one.isFixedAsset)!.id
    const { id: supplierId } = await client.send('POST', '/api4/invoice/suppliers', { name: 'בזק' })
    for (const back of [1, 2, 3])
      await client.send('POST', '/api4/invoice/expenses', {
        supplierId,
        supplierNumber: String(back),
        date: addMonths(month, -back),
        lines: [{ typeId, netAgorot: 11_700, vatAgorot: 0 }],
      })
    const line = async () =>
      (await office.call(calls.clientMonth, { clientId: client.id, month: name })).facts!.lines.find(
        (one) => one.line === 'usualBills',
      )
    expect(await line()).toMatchObject({ state: 'look', count: 1, open: '/invoice/cpaonline' })
    const ask = { deed: 'ask' as const, month: name, clientIds: [client.id] }
    expect((await office.call(calls.reviewBulk, ask)).rows).toMatchObject([{ code: null, count: 1 }])
    expect((await office.call(calls.runBulk, ask)).rows).toMatchObject([{ code: null, count: 1 }])
    expect(await line()).toMatchObject({ state: 'ok' })
  })

  test('a list of the office’s own asks more, and holds the closing up until it is signed', async () => {
    const office = await newOffice()
    const client = await newClient(office)
    await office.call(calls.keepTemplate, {
      name: 'עוסקים',
      kinds: ['licensedDealer'],
      skips: ['certificates'],
      own: ['התאמת כרטיס בעלים'],
    })
    const seen = await office.call(calls.clientMonth, { clientId: client.id, month: name })
    const own = seen.facts!.lines.find(({ title }) => title === 'התאמת כרטיס בעלים')!
    expect(own.state).toBe('look')
    expect(seen.facts!.lines.some(({ line }) => line === 'certificates')).toBe(false)
    const waits = await office.call(calls.runBulk, { deed: 'close', month: name, clientIds: [client.id] })
    expect(waits.rows[0]).toMatchObject({ code: 'periods.waits' })
    await office.call(calls.signLine, { clientId: client.id, month: name, line: own.line })
    const closed = await office.call(calls.runBulk, { deed: 'close', month: name, clientIds: [client.id] })
    expect(closed.rows[0]).toMatchObject({ code: null })
  })

  const mostPairs = Number(process.env.PAIRS ?? 6)
  test('many at once end as each alone would', { timeout: 30_000 + 3000 * mostPairs }, async () => {
    const office = await newOffice()
    const pairs: [Business & { id: string }, Business & { id: string }][] = []
    for (let i = 0; i < mostPairs; i++) {
      const pair = [await newClient(office), await newClient(office)] as const
      for (const one of pair) {
        const customer = await one.customer('כהן')
        if (i % 3 !== 0) await one.invoice(customer.id, String(100 + i), { date: month })
        if (i % 2) await one.invoice(customer.id, '7', { date: month, draft: true })
        if (i === 2) await one.call(closePeriod, { kind: 'month', from: month, despite: true })
      }
      pairs.push([...pair])
    }
    const together = await office.call(calls.runBulk, {
      deed: 'close',
      month: name,
      clientIds: pairs.map(([a]) => a.id),
      despite: false,
    })
    const alone: (string | null)[] = []
    for (const [, b] of pairs)
      alone.push(
        await b.call(closePeriod, { kind: 'month', from: month }).then(
          () => null,
          (e: { code: string }) => e.code,
        ),
      )
    expect(together.rows.map(({ code }) => code)).toEqual(alone)
    expect(new Set(alone).size).toBeGreaterThan(1)
    for (const [a, b] of pairs) {
      const [x, y] = [
        await a.call(listPeriods, { year: Number(month.slice(0, 4)) }),
        await b.call(listPeriods, { year: Number(month.slice(0, 4)) }),
      ]
      expect(x.months.map(({ state, entries }) => [state, entries])).toEqual(
        y.months.map(({ state, entries }) => [state, entries]),
      )
      expect(x.history.map(({ checks }) => checks)).toEqual(y.history.map(({ checks }) => checks))
    }
    // Whatever the page says beforehand, closing asks the books.
    const again = await office.call(calls.reviewBulk, {
      deed: 'close',
      month: name,
      clientIds: pairs.map(([a]) => a.id),
    })
    expect(again.rows.filter(({ code }) => code === 'periods.alreadyClosed').length).toBe(
      together.rows.filter(({ code }) => code === null).length + 1,
    )
  })

  test('a client that leaves while many are closed is not found from then on', async () => {
    const office = await newOffice()
    const [first, second] = [await newClient(office), await newClient(office)]
    const ids = [first.id, second.id]
    // The second leaves as soon as the first was closed.
    const watch = setInterval(() => {
      void asSystem(world.app.db, (tx) =>
        sql`select 1 from locked_periods where company_id = ${first.id}`.execute(tx),
      ).then(({ rows }) => {
        if (rows.length)
          void asSystem(world.app.db, (tx) =>
            sql`update engagements set state = 'ended' where client_id = ${second.id}`.execute(tx),
          )
      })
    }, 1)
    const { rows } = await office.call(calls.runBulk, {
      deed: 'close',
      month: name,
      clientIds: ids,
      despite: true,
    })
    clearInterval(watch)
    expect(rows.map(({ code }) => code)).toEqual([null, 'kit.notFound'])
    expect((await second.call(listPeriods, { year: Number(month.slice(0, 4)) })).history).toEqual([])
  })

  test('VAT and advances of many are reported by one list, together or not at all, and once', async () => {
    const office = await newOffice()
    const [both, none] = [await newClient(office), await newClient(office, ['enter'])]
    await both.call(changeCompany, { vatPeriodMonths: 1 } as never)
    await both.call(setAdvanceRate, { from: `${month.slice(0, 4)}-01-01`, rateBp: 500 } as never)
    const customer = await both.customer('כהן')
    await both.invoice(customer.id, '10000', { date: month })
    const ids = [both.id, none.id]
    await office.call(calls.refreshClients, { month: name, clientIds: ids })
    const { rows: before } = await office.call(calls.reviewBulk, {
      deed: 'fileAll',
      month: name,
      clientIds: ids,
    })
    // 18 percent of VAT and five of advance.
    expect(before).toMatchObject([{ code: null, sumAgorot: 180_000 + 50_000 }, { code: 'session.forbidden' }])
    const { rows } = await office.call(calls.runBulk, {
      deed: 'fileAll',
      month: name,
      clientIds: ids,
      despite: true,
    })
    expect(rows).toMatchObject([{ code: null, sumAgorot: 230_000 }, { code: 'session.forbidden' }])
    // What comes later changes no report that was made.
    await both.call(closePeriod, { kind: 'month', from: month, despite: true })
    const [row] = (await office.call(calls.refreshClients, { month: name, clientIds: [both.id] })).rows
    expect(row!.facts).toMatchObject({
      vat: { isFiled: true },
      advance: { isFiled: true, toPayAgorot: 50_000 },
    })
    const again = await office.call(calls.runBulk, {
      deed: 'fileAll',
      month: name,
      clientIds: [both.id],
      despite: true,
    })
    expect(again.rows).toMatchObject([{ code: 'practice.nothingToFile' }])
  })

  test('the VAT of a client is the figure of its VAT screen, in detail and by the plain return', async () => {
    const office = await newOffice()
    const [detailed, plain] = [await newClient(office), await newClient(office)]
    await asSystem(world.app.db, (tx) =>
      sql`update companies set kind = 'company' where id = ${detailed.id}`.execute(tx),
    )
    for (const client of [detailed, plain]) {
      await client.call(changeCompany, { vatPeriodMonths: 1 } as never)
      const customer = await client.customer('כהן', { taxId: newTaxId(), isDealer: true })
      // Each record of the detailed report is rounded: three times 1.80 is 6 there and 5 in the return.
      for (const _ of [1, 2, 3]) await client.invoice(customer.id, '10', { date: month })
    }
    await office.call(calls.refreshClients, { month: name, clientIds: [detailed.id, plain.id] })
    const { rows } = await office.call(calls.cockpit, { month: name })
    const listed = (of: { id: string }) => rows.find(({ id }) => id === of.id)!.facts!.vat!.toPayAgorot
    for (const client of [detailed, plain])
      expect(listed(client)).toBe((await client.call(vatAnswer, { period: name })).toPayAgorot)
    expect([listed(detailed), listed(plain)]).toEqual([600, 500])
  })

  test('a reading of the books that ends late does not replace a later one', async () => {
    const office = await newOffice()
    const client = await newClient(office)
    await client.call(changeCompany, { vatPeriodMonths: 1 } as never)
    const customer = await client.customer('כהן')
    const early = await readFacts(world.app, client.id, [month])
    await client.invoice(customer.id, '10000', { date: month })
    await office.call(calls.refreshClients, { month: name, clientIds: [client.id] })
    await keepFacts(world.app, client.id, early)
    const { rows } = await office.call(calls.cockpit, { month: name })
    expect(rows).toMatchObject([{ facts: { vat: { toPayAgorot: 180_000 } } }])
  })

  test('rights that were not agreed to are refused by name', async () => {
    const office = await newOffice()
    const client = await newClient(office, [])
    const deeds = await Promise.all(
      (['close', 'fileVat'] as const).map((deed) =>
        office.call(calls.runBulk, { deed, month: name, clientIds: [client.id], despite: true }),
      ),
    )
    expect(deeds.flatMap(({ rows }) => rows.map(({ code }) => code))).toEqual([
      'session.forbidden',
      'session.forbidden',
    ])
    await expect(
      office.call(calls.runBulk, { deed: 'paid', month: name, clientIds: [client.id] }),
    ).resolves.toMatchObject({
      rows: [{ code: 'practice.notClosed' }],
    })
  })

  test('asks for the paper of each payment by one link, which the client answers without a log-in', async () => {
    const office = await newOffice()
    const client = await newClient(office)
    await expect(
      office.call(calls.runBulk, { deed: 'ask', month: name, clientIds: [client.id] }),
    ).resolves.toMatchObject({
      rows: [{ code: 'practice.nothingMissing' }],
    })
    await payInBank(client.id, [12_000, 45_000])
    const asked = await office.call(calls.runBulk, { deed: 'ask', month: name, clientIds: [client.id] })
    expect(asked.rows).toMatchObject([{ code: null, count: 2 }])
    const seen = await office.call(calls.clientMonth, { clientId: client.id, month: name })
    expect(seen).toMatchObject({ closing: 'waiting', facts: { requestsOpen: 2 } })
    const { rows } = await asSystem(world.app.db, (tx) =>
      sql<{ key: string }>`select key from client_request_links where company_id = ${client.id}`.execute(tx),
    )
    const page = await callAs(world, pageOfRequests, { key: rows[0]!.key })
    expect(page.rows.map(({ sumAgorot }) => sumAgorot).toSorted()).toEqual([12_000, 45_000])
    await callAs(world, pageAnswer, { key: rows[0]!.key, id: page.rows[0]!.id, text: 'זה שכר דירה' })
    const after = await office.call(calls.clientMonth, { clientId: client.id, month: name })
    expect(after.facts).toMatchObject({ requestsOpen: 1, requestsAnswered: 1 })
    // Asked again, nothing is asked twice.
    expect(
      (await office.call(calls.runBulk, { deed: 'ask', month: name, clientIds: [client.id] })).rows[0],
    ).toMatchObject({ count: 0 })
  })
})

/** Payments that left the bank in the month, by a statement of two lines. */
async function payInBank(companyId: string, sums: number[]): Promise<void> {
  await asSystem(world.app.db, async (tx) => {
    const { rows } = await sql<{
      id: string
    }>`select id from accounts where company_id = ${companyId} and number = '1010'`.execute(tx)
    const [account, statement] = [crypto.randomUUID(), crypto.randomUUID()]
    await sql`insert into bank_accounts (company_id, id, name, account_id)
      values (${companyId}, ${account}, 'עו״ש', ${rows[0]!.id})`.execute(tx)
    const { rows: columns } = await sql<{
      name: string
    }>`select column_name as name from information_schema.columns where table_name = 'bank_statements'
        and is_nullable = 'NO' and column_default is null`.execute(tx)
    const values: Record<string, unknown> = {
      company_id: companyId,
      id: statement,
      bank_account_id: account,
      from_day: month,
      to_day: month,
      format: 'csv',
      name: 'a.csv',
      file_name: 'a.csv',
      line_count: sums.length,
      sha256: Buffer.alloc(32),
      source: 'file',
      kind: 'table',
    }
    await sql`insert into bank_statements (${sql.join(columns.map((c) => sql.ref(c.name)))})
      values (${sql.join(columns.map((c) => sql`${values[c.name] ?? 0}`))})`.execute(tx)
    for (const [position, sum] of sums.entries())
      await sql`insert into bank_lines (company_id, id, bank_account_id, statement_id, position, day,
          amount_agorot, text, fingerprint)
        values (${companyId}, ${crypto.randomUUID()}, ${account}, ${statement}, ${position}, ${month},
          ${-sum}, 'תשלום', ${String(position).padStart(64, '0')})`.execute(tx)
  })
}

test('a client’s fee of a month is charged once, whoever asks how often, and a draft that goes gives it back', async () => {
  const office = await newOffice()
  const [a, b, c] = [await newClient(office), await newClient(office), await newClient(office)]
  await office.call(calls.assignClients, { clientIds: [a.id, b.id], feeAgorot: 45_050 })
  const all = await Promise.all([1, 2, 3].map(() => office.call(calls.chargeFees, { month: name })))
  expect(all.reduce((sum, { count: n }) => sum + n, 0)).toBe(2)
  expect(await office.call(calls.chargeFees, { month: name })).toEqual({ count: 0, sumAgorot: 0 })
  const { rows } = await asSystem(world.app.db, (tx) =>
    sql<{
      document_id: string
      client_id: string
    }>`select document_id, client_id from office_fees where company_id = ${office.id}`.execute(tx),
  )
  expect(rows.map((row) => row.client_id).toSorted()).toEqual([a.id, b.id].toSorted())
  expect(rows.some((row) => row.client_id === c.id)).toBe(false)
  // One that is written again and issued keeps the month charged.
  const kept = rows[1]!.document_id
  const { customerId, lines } = await office.call(getDocument, { id: kept })
  const again = lines.map(({ description, quantity, unitPrice }) => ({ description, quantity, unitPrice }))
  await office.call(changeDocument, { id: kept, type: 8, customerId, lines: again } as never)
  expect(await office.call(calls.chargeFees, { month: name })).toEqual({ count: 0, sumAgorot: 0 })
  await office.call(issueDocument, { id: kept } as never)
  expect(await office.call(calls.chargeFees, { month: name })).toEqual({ count: 0, sumAgorot: 0 })
  await office.call(deleteDocument, { id: rows[0]!.document_id })
  expect(await office.call(calls.chargeFees, { month: name })).toEqual({ count: 1, sumAgorot: 45_050 })
  await expect(a.call(calls.chargeFees, { month: name })).rejects.toThrow('404')
})

describe('files', () => {
  test('of several clients come as folders, and a year as one archive', async () => {
    const office = await newOffice()
    const [a, b] = [await newClient(office), await newClient(office)]
    const customer = await a.customer('כהן')
    await a.invoice(customer.id, '1000', { date: `${month.slice(0, 7)}-02` })
    const months = unzipSync(
      new Uint8Array(
        (await office.call(calls.filesOfClients, {
          month: name,
          clientIds: `${a.id},${b.id}`,
        })) as unknown as ArrayBuffer,
      ),
    )
    const folders = new Set(Object.keys(months).map((path) => path.split('/')[0]))
    expect(folders.size).toBe(2)
    expect(Object.keys(months).some((path) => path.endsWith(`trialBalance-${name}.xlsx`))).toBe(true)
    const year = Number(month.slice(0, 4))
    const folder = unzipSync(
      new Uint8Array(
        (await office.call(calls.yearFolder, { clientId: a.id, year })) as unknown as ArrayBuffer,
      ),
    )
    expect(Object.keys(folder)).toEqual(
      expect.arrayContaining([
        `1-trial-balance-${year}.xlsx`,
        `3-form-6111-${year}.csv`,
        `0-left-open-${year}.csv`,
      ]),
    )
    const income = Buffer.from(folder[`2-lead-schedules/income-${year}.csv`]!).toString()
    expect(income).toContain('-1000.00')
    expect(Object.keys(folder).filter((path) => path.endsWith('.txt'))).toEqual([])
  })
})

describe('a link that logs in', () => {
  test('opens once, for its person, at its page', async () => {
    const office = await newOffice()
    const client = await newClient(office)
    const { url } = await office.call(calls.wayIn, { clientId: client.id })
    const token = url.split('#')[1]!
    expect(url).toContain('/autologincpa#')
    // Anybody else who is logged in here is refused with the reason; the link stays valid for its person.
    await expect(client.call(useAutoLogin, { token })).rejects.toThrow('session.autoOther')
    const opened = await callAs(world, useAutoLogin, { token })
    expect(opened).toMatchObject({ TypeID: 5, CompanyKey: client.id, path: '/cpa/main' })
    await expect(callAs(world, useAutoLogin, { token })).rejects.toThrow('session.autoUsed')
    await expect(callAs(world, useAutoLogin, { token: 'x'.repeat(43) })).rejects.toThrow(
      'session.autoUnknown',
    )
    const log = await client.get('/api4/invoice/audit')
    expect(JSON.stringify(log)).toContain('session.autoLogin')
  })

  test('two at the same moment: one comes in', async () => {
    const office = await newOffice()
    const client = await newClient(office)
    const { url } = await office.call(calls.wayIn, { clientId: client.id })
    const token = url.split('#')[1]!
    const tries = await Promise.allSettled(
      Array.from({ length: 6 }, () => callAs(world, useAutoLogin, { token })),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('is over after a minute, and when its person is shut out', async () => {
    const office = await newOffice()
    const client = await newClient(office)
    const late = (await office.call(calls.wayIn, { clientId: client.id })).url.split('#')[1]!
    await asSystem(world.app.db, (tx) =>
      sql`update auto_logins set expires_at = expires_at - interval '61 seconds'
        where used_at is null`.execute(tx),
    )
    await expect(callAs(world, useAutoLogin, { token: late })).rejects.toThrow('session.autoEnded')
    const shut = (await office.call(calls.wayIn, { clientId: client.id })).url.split('#')[1]!
    await client.call(calls.endOffice, { officeId: office.id })
    await expect(callAs(world, useAutoLogin, { token: shut })).rejects.toThrow('session.autoShut')
  })
})

test('the sweep sums up what changed since, and only that', async () => {
  const office = await newOffice()
  const client = await newClient(office)
  await sweep(world.app)
  const before = (await office.call(calls.cockpit, { month: name })).rows[0]!
  expect(before.facts).not.toBeNull()
  const customer = await client.customer('כהן')
  await client.invoice(customer.id, '100', { date: month })
  // Half a minute goes by for this client, and nobody else is due however long this takes.
  await asSystem(world.app.db, (tx) =>
    sql`update engagements set summed_at = now() + case when client_id = ${client.id} then interval
        '-25 seconds' else interval '1 hour' end`.execute(tx),
  )
  // The sweep moves the mark itself: at once there is nothing more to do.
  expect(await sweep(world.app)).toBe(1)
  expect(await sweep(world.app)).toBe(0)
  expect((await office.call(calls.cockpit, { month: name })).rows[0]!.facts!.isTouched).toBe(true)
})

test('what is checked before closing is what the client’s own page checks', async () => {
  const office = await newOffice()
  const client = await newClient(office)
  const own = await client.call(checkPeriod, { kind: 'month', from: month })
  const seen = await office.call(calls.clientMonth, { clientId: client.id, month: name })
  for (const { name: line, count: found } of own.checks.filter((check) => check.name !== 'earlier'))
    expect([line, seen.facts!.lines.find((each) => each.line === line)?.count]).toEqual([line, found])
})

describe('what is refused', () => {
  test('a second office of one person, and an office as its own client', async () => {
    const office = await newOffice()
    await expect(
      office.call(calls.openOffice, {
        name: 'שני',
        kind: 'partnership',
        taxId: newTaxId(),
        licence: '1',
      } as never),
    ).rejects.toMatchObject({ status: 409, code: 'practice.haveOne' })
    await office.call(calls.inviteClient, { email: 'own@example.com', name: 'אני', rights: all })
    await asSystem(world.app.db, (tx) =>
      sql`update memberships set type_id = 4 where company_id = ${office.id}`.execute(tx),
    )
    await expect(
      office.call(calls.acceptInvite, { token: await lastKey(), rights: all }),
    ).rejects.toMatchObject({ status: 422, code: 'practice.ownOffice' })
  })

  test('VAT of somebody who reports none, a letter to a client without an address', async () => {
    const office = await newOffice()
    const client = await newClient(office)
    await asSystem(world.app.db, (tx) =>
      sql`update companies set kind = 'exemptDealer' where id = ${client.id}`.execute(tx),
    )
    const bulk = async (deed: 'fileVat' | 'ask') =>
      (await office.call(calls.runBulk, { deed, month: name, clientIds: [client.id] } as never)).rows
    expect(await bulk('fileVat')).toMatchObject([{ code: 'practice.noVat' }])
    await payInBank(client.id, [12_000])
    await client.call(changeCompany, { email: '' })
    expect(await bulk('ask')).toMatchObject([{ code: 'practice.noMail' }])
    await client.call(changeCompany, { email: 'client@example.com' })
    expect(await bulk('ask')).toMatchObject([{ code: null }])
  })

  test('a line that stops the month is not signed away', async () => {
    const office = await newOffice()
    const client = await newClient(office)
    // VAT in the books that no paper has.
    await client.call(addEntry, {
      date: addDays(month, 3),
      lines: [
        { accountNumber: '2100', debitAgorot: 1_800 },
        { accountNumber: '1010', creditAgorot: 1_800 },
      ],
    })
    await office.call(calls.refreshClients, { month: name, clientIds: [client.id] })
    const { lines } = (await office.call(calls.clientMonth, { clientId: client.id, month: name })).facts!
    const stops = lines.find(({ state }) => state === 'stop')!
    await expect(
      office.call(calls.signLine, { clientId: client.id, month: name, line: stops.line }),
    ).rejects.toMatchObject({ status: 409, code: 'practice.lineStops' })
  })
})
