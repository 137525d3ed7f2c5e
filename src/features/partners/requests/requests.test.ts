import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
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
import { asSystem } from '#kit/server/data/db.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import { expenseFacts } from '#features/purchases/expenses/endpoints.ts'
import * as calls from './endpoints.ts'

let world: World
let shop: Business
const now = new Date('2031-05-20T09:00:00Z')
beforeAll(async () => {
  world = await startWorld(() => now)
})
afterAll(() => world.close())
beforeEach(async () => {
  shop = await newBusiness(world)
})

const pdf = Buffer.from('%PDF-1.4\n% a bill\n%%EOF\n')

/** A statement of the bank, line by line: day, sum in agorot, text. */
async function bankLines(lines: [day: string, agorot: number, text: string][]): Promise<string[]> {
  const account = await shop.send('POST', '/api4/invoice/bankaccounts', {
    name: 'עו״ש',
    bankCode: 12,
    branch: '600',
    number: '12345',
  })
  const { CompanyKey } = await shop.call(mySession, {})
  return asSystem(world.app.db, async (tx) => {
    const { rows: made } = await sql<{
      id: string
    }>`insert into bank_statements
      select (jsonb_populate_record(null::bank_statements,
        jsonb_build_object('company_id', ${CompanyKey}::text))).* where false returning id`.execute(tx)
    expect(made).toEqual([])
    await sql`set local session_replication_role = replica`.execute(tx)
    const ids: string[] = []
    for (const [n, [day, agorot, text]] of lines.entries()) {
      const { rows } = await sql<{
        id: string
      }>`insert into bank_lines (company_id, id, bank_account_id, statement_id, position, day, amount_agorot,
          text, fingerprint)
        values (${CompanyKey}, gen_random_uuid(), ${account.id}, gen_random_uuid(), ${n}, ${day}, ${agorot},
          ${text}, ${String(n).padStart(64, '0')}) returning id`.execute(tx)
      ids.push(rows[0]!.id)
    }
    return ids
  })
}

const newSupplier = async (name = 'ספק'): Promise<string> =>
  (await shop.send('POST', '/api4/invoice/suppliers', { name })).id
async function expense(sum: number, day = '2031-05-10', of?: string) {
  const supplierId = of ?? (await newSupplier())
  const { types } = await shop.call(expenseFacts, {})
  const typeId = types.find((one) => one.vatShare === 'full' && !one.isFixedAsset)!.id
  return shop.send('POST', '/api4/invoice/expenses', {
    supplierId,
    supplierNumber: `${sum}-${day}`,
    date: day,
    lines: [{ typeId, netAgorot: sum, vatAgorot: 0 }],
  })
}
const open = async () => (await shop.call(calls.listRequests, {})).rows
const ended = async () => (await shop.call(calls.listRequests, { view: 'ended' })).rows
const keyOf = async () => (await shop.call(calls.requestLink, {})).url.split('/').at(-1)!

describe('missing papers', () => {
  test('are payments of the bank without a match; each is asked for once, with what the bank says', async () => {
    const [rent, , phone] = await bankLines([
      ['2031-05-03', -590_000, 'שכירות מאי'],
      ['2031-05-04', 100_000, 'זיכוי'],
      ['2031-05-05', -11_700, 'בזק'],
      ['2031-04-05', -11_700, 'בזק אפריל'],
    ])
    const range = { from: '2031-05-01', to: '2031-05-31' }
    const { rows } = await shop.call(calls.missingPapers, range)
    expect(rows.map(({ text, sumAgorot }) => [text, sumAgorot])).toEqual([
      ['שכירות מאי', 590_000],
      ['בזק', 11_700],
    ])
    expect(await shop.call(calls.askMissing, { lineIds: [rent!, phone!] })).toEqual({ count: 2 })
    await expect(shop.call(calls.askMissing, {})).rejects.toThrow('fields.need')
    expect(await shop.call(calls.askMissing, { lineIds: [rent!, phone!] })).toEqual({ count: 0 })
    expect((await shop.call(calls.missingPapers, range)).rows).toEqual([])
    expect((await open()).map(({ text, day, sumAgorot, state }) => [text, day, sumAgorot, state])).toEqual([
      ['שכירות מאי', '2031-05-03', 590_000, 'asked'],
      ['בזק', '2031-05-05', 11_700, 'asked'],
    ])
  })

  test('close by an expense of that sum and a near day, and by no other', async () => {
    await shop.call(calls.makeRequest, { kind: 'paper', text: 'דלק', day: '2031-05-12', sumAgorot: 30_000 })
    await shop.call(calls.makeRequest, { kind: 'question', text: 'כמה', sumAgorot: 30_000 })
    await expense(30_001)
    await expense(30_000, '2030-12-01')
    expect(await open()).toHaveLength(2)
    const { id } = await expense(30_000, '2031-05-10')
    expect((await open()).map(({ kind }) => kind)).toEqual(['question'])
    const [over] = await ended()
    expect(over).toMatchObject({ state: 'accepted', byItself: true, expenseId: id })
    // Closed by mistake: it is asked again.
    await shop.call(calls.endRequest, { id: over!.id, as: 'asked' })
    expect(await open()).toHaveLength(2)
  })

  test('are bills that usually come: asked for once a month, and closed by the bill whatever its sum', async () => {
    const [phone, rent, once] = [
      await newSupplier('בזק'),
      await newSupplier('משכיר'),
      await newSupplier('חד פעמי'),
    ]
    for (const month of ['01', '02', '03']) await expense(11_700, `2031-${month}-12`, phone)
    for (const month of ['02', '03', '04']) await expense(590_000, `2031-${month}-25`, rent)
    await expense(5_000, '2031-04-01', once)
    const ofApril = { from: '2031-04-01', to: '2031-04-30' }
    const { bills } = await shop.call(calls.missingPapers, ofApril)
    expect(bills).toEqual([
      { supplierId: phone, supplier: 'בזק', month: '2031-04', day: '2031-04-12', sumAgorot: 11_700 },
    ])
    // The rent of May is awaited on the 25th, and it is the 20th.
    expect((await shop.call(calls.missingPapers, { from: '2031-05-01', to: '2031-05-31' })).bills).toEqual([])
    const ask = {
      bills: [...bills, { supplierId: rent, month: '2031-04' }].map(({ supplierId, month }) => ({
        supplierId,
        month,
      })),
    }
    // Whose bill is there is not asked for it, whatever is sent.
    expect(await shop.call(calls.askMissing, ask)).toEqual({ count: 1 })
    expect(await shop.call(calls.askMissing, ask)).toEqual({ count: 0 })
    expect((await shop.call(calls.missingPapers, ofApril)).bills).toEqual([])
    expect(
      (await open()).map(({ text, kind, day }) => [text.replace(/[\u2066-\u2069]/g, ''), kind, day]),
    ).toEqual([['חשבונית של בזק על 04/2031', 'paper', '2031-04-12']])
    await expense(11_700, '2031-05-12', phone)
    await expense(11_700, '2031-04-12', once)
    expect(await open()).toHaveLength(1)
    const { id } = await expense(12_900, '2031-04-13', phone)
    expect(await open()).toEqual([])
    expect(await ended()).toMatchObject([{ state: 'accepted', byItself: true, expenseId: id }])
  })

  test('a bill that was written down as returning is awaited on its days, and its supplier’s rhythm says nothing beside it', async () => {
    const { types } = await shop.call(expenseFacts, {})
    const typeId = types.find((one) => one.vatShare === 'full' && !one.isFixedAsset)!.id
    const supplierId = await newSupplier('ביטוח')
    for (const month of ['01', '02', '03']) await expense(9_000, `2031-${month}-03`, supplierId)
    await shop.send('POST', '/api4/invoice/recurringexpenses', {
      name: 'ביטוח',
      supplierId,
      typeId,
      totalAgorot: 45_000,
      means: 'bank',
      cycle: 'quarterly',
      firstDay: '2031-01-15',
    })
    const { bills } = await shop.call(calls.missingPapers, { from: '2030-12-01', to: '2031-12-31' })
    expect(bills.map(({ day, sumAgorot }) => [day, sumAgorot])).toEqual([
      ['2031-01-15', 45_000],
      ['2031-04-15', 45_000],
    ])
  })

  test('of two requests of one sum the nearer one closes', async () => {
    for (const day of ['2031-05-30', '2031-05-09'])
      await shop.call(calls.makeRequest, { kind: 'paper', text: day, day, sumAgorot: 30_000 })
    await expense(30_000, '2031-05-08')
    expect((await open()).map(({ text }) => text)).toEqual(['2031-05-30'])
  })
})

describe('the page', () => {
  test('takes a paper and words without a log-in; the paper goes into the inbox, and the request ends with its expense', async () => {
    const { id } = await shop.call(calls.makeRequest, {
      kind: 'paper',
      text: 'בזק',
      day: '2031-05-05',
      sumAgorot: 11_700,
    })
    const { id: question } = await shop.call(calls.makeRequest, { kind: 'question', text: 'מה זה?' })
    await shop.call(calls.makeRequest, { kind: 'file', text: 'הדוח' })
    const key = await keyOf()
    const seen = await callAs(world, calls.pageOfRequests, { key })
    expect(seen.rows.map(({ text, isAnswered }) => [text, isAnswered])).toEqual([
      ['מה זה?', false],
      ['בזק', false],
    ])
    expect((await open()).map(({ state }) => state)).toEqual(['seen', 'seen', 'seen'])
    await callAs(world, calls.pagePaper, { key, id, name: 'IMG_1.pdf', bytes: pdf } as never)
    await callAs(world, calls.pageAnswer, { key, id: question, text: '<i>מתנה</i>' })
    const { rows } = await shop.call(calls.listRequests, { view: 'answered' })
    expect(rows.map(({ text, words }) => [text, words.map((word) => [word.by, word.text])])).toEqual([
      ['מה זה?', [[null, '<i>מתנה</i>']]],
      ['בזק', []],
    ])
    const { paperId } = rows[1]!
    expect(paperId).toBeTruthy()
    const { rows: papers } = await shop.get('/api4/invoice/papers?state=open')
    expect(papers.map((paper: { id: string }) => paper.id)).toEqual([paperId])
    // An expense of that sum from elsewhere leaves it alone: its own paper is here.
    await expense(11_700, '2031-05-05')
    expect((await shop.call(calls.listRequests, { view: 'answered' })).rows).toHaveLength(2)
    const { id: expenseId } = await expense(11_800)
    await asSystem(world.app.db, (tx) =>
      sql`update captured_papers set expense_id = ${expenseId}, state = 'filed', filed_at = now()
        where id = ${paperId}`.execute(tx),
    )
    expect((await ended())[0]).toMatchObject({ id, state: 'accepted', byItself: true, expenseId })
    await expect(callAs(world, calls.pageAnswer, { key, id, text: 'x' })).rejects.toMatchObject({
      status: 409,
      code: 'requests.ended',
    })
  })

  test('refuses what is no paper, strange keys and strange requests, and opens no more when it is taken back', async () => {
    const { id } = await shop.call(calls.makeRequest, { kind: 'paper', text: 'x' })
    const key = await keyOf()
    await expect(
      callAs(world, calls.pagePaper, { key, id, name: 'x.exe', bytes: Buffer.from('MZ\u0090') } as never),
    ).rejects.toMatchObject({ code: 'capture.badType' })
    const other = await newBusiness(world)
    const { id: strange } = await other.call(calls.makeRequest, { kind: 'question', text: 'x' })
    await expect(callAs(world, calls.pageAnswer, { key, id: strange, text: 'x' })).rejects.toMatchObject({
      status: 404,
    })
    for (const wrong of ['x'.repeat(43), '', key.slice(1)])
      expect(
        (await raw(world, calls.pageAnswer, { key: wrong || '-', id, text: 'x' })).statusCode,
        wrong,
      ).toBe(404)
    expect(await keyOf()).toBe(key)
    await shop.call(calls.dropRequestLink, {})
    expect((await raw(world, calls.pageOfRequests, { key })).statusCode).toBe(404)
    expect(await keyOf()).not.toBe(key)
  })

  test('is mailed, and not made where nothing is open', async () => {
    await expect(shop.call(calls.requestLink, { to: 'owner@example.com' })).rejects.toMatchObject({
      code: 'requests.nothingOpen',
    })
    await shop.call(calls.makeRequest, { kind: 'question', text: 'x' })
    const { url } = await shop.call(calls.requestLink, { to: 'owner@example.com' })
    await world.worker.drain()
    const dir = join(dataDir, 'mail')
    const letters = await Promise.all(
      (existsSync(dir) ? readdirSync(dir) : []).map((file) =>
        PostalMime.parse(readFileSync(join(dir, file))),
      ),
    )
    expect(letters.find((letter) => letter.to?.[0]?.address === 'owner@example.com')!.text).toContain(url)
  })
})

test('rights: whoever may only see answers, and asks nothing', async () => {
  const { id } = await shop.call(calls.makeRequest, { kind: 'question', text: 'x' })
  const { CompanyKey } = await shop.call(mySession, {})
  await asSystem(world.app.db, (tx) =>
    sql`update memberships set rules = '{230}' where company_id = ${CompanyKey}`.execute(tx),
  )
  expect(
    (await raw(world, calls.makeRequest, { kind: 'question', text: 'y' }, { token: shop.token })).statusCode,
  ).toBe(403)
  expect(
    (await raw(world, calls.missingPapers, { from: '2031-01-01', to: '2031-02-01' }, { token: shop.token }))
      .statusCode,
  ).toBe(403)
  await shop.call(calls.sayRequest, { id, text: 'כן' })
  const [row] = (await shop.call(calls.listRequests, { view: 'answered' })).rows
  expect(row!.words).toHaveLength(1)
  await asSystem(world.app.db, (tx) =>
    sql`update memberships set hide_total_prices = true where company_id = ${CompanyKey}`.execute(tx),
  )
  expect((await shop.call(calls.listRequests, { view: 'answered' })).rows[0]).not.toHaveProperty('sumAgorot')
})
