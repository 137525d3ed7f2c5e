import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asSystem } from '#kit/server/data/db.ts'
import {
  callAs,
  newBusiness,
  newTaxId,
  raw,
  startWorld,
  type Business,
  type World,
} from '../../../../tests/world.ts'
import { createDocument } from '#features/sales/documents/endpoints.ts'
import * as calls from './endpoints.ts'

let world: World
let shop: Business
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  shop = await newBusiness(world)
})

const list = (path: string) => shop.get<{ rows: Record<string, any>[] }>(`/api4/invoice/customers${path}`)
const names = async (path: string) => (await list(path)).rows.map((row) => row.name)
const one = (id: string) => shop.get(`/api4/invoice/customers/${id}`)
const make = (resource: string, values: object) => shop.send('POST', `/api4/invoice/${resource}`, values)
const period = 'from=2026-01-01&to=2026-12-31'
const me = () => shop.get<{ companyId: string }>('/api/user/session')

/** A second person in the business: the same log-in of another business moved in beside the first. */
async function colleague(change: string): Promise<{ token: string; id: string }> {
  const other = await newBusiness(world)
  const { companyId } = await me()
  const userId = await asSystem(world.app.db, async (tx) => {
    const { rows } = await sql<{
      id: string
      company: string
    }>`select u.id, m.company_id as company from users u join memberships m on m.user_id = u.id
      where u.email = ${other.email}`.execute(tx)
    await sql`insert into memberships (company_id, user_id, type_id)
      values (${companyId}, ${rows[0]!.id}, 9)`.execute(tx)
    await sql`update sessions set company_id = ${companyId} where user_id = ${rows[0]!.id}`.execute(tx)
    await sql`update memberships set ${sql.raw(change)} where company_id = ${companyId}
        and user_id = ${rows[0]!.id}`.execute(tx)
    return rows[0]!.id
  })
  return { token: other.token, id: userId }
}

const as = async <T = any>(token: string, path: string): Promise<{ status: number; body: T }> => {
  const answer = await world.http.inject({ method: 'GET', url: path, headers: { 'x-access-token': token } })
  return { status: answer.statusCode, body: answer.json() as T }
}

describe('the register', () => {
  test('sorts, finds and exports by type, status, portfolio and tags', async () => {
    const type = await make('customerTypes', { name: 'סיטונאי', discountBp: 500, dueTerms: 'eom:30' })
    const status = await make('customerStatuses', { name: 'פעיל', color: '#0b5d52' })
    const portfolio = await make('portfolios', { name: 'צפון' })
    await shop.customer('אבן', { typeId: type.id, statusId: status.id, tags: ['VIP', 'חיפה', 'VIP'] })
    await shop.customer('ברק', { portfolioId: portfolio.id, tags: ['חיפה'] })
    await shop.customer('גל')
    const { rows } = await list('?sort=name')
    expect(rows[0]).toMatchObject({
      typeIdName: 'סיטונאי',
      statusIdName: 'פעיל',
      statusColor: '#0b5d52',
      tags: ['VIP', 'חיפה'],
    })
    expect(await names(`?statusId=${status.id}`)).toEqual(['אבן'])
    expect(await names(`?portfolioId=${portfolio.id}`)).toEqual(['ברק'])
    expect(await names(`?tags.in=${encodeURIComponent('VIP,אין כזה')}`)).toEqual(['אבן'])
    expect(await names(`?tags=${encodeURIComponent('חיפה')}&sort=name`)).toEqual(['אבן', 'ברק'])
    expect(await names('?tags.empty=true')).toEqual(['גל'])
    expect((await shop.call(calls.listTags, {})).rows[0]).toEqual({ tag: 'חיפה', customers: 2 })
    expect((await shop.get('/api4/invoice/customerTypes')).rows[0]).toMatchObject({
      customers: 1,
      discountBp: 500,
    })
    const csv = String(await shop.get('/api4/invoiceexport/customers?format=csv&columns=name,typeId,tags'))
    expect(csv).toContain('אבן,סיטונאי,"VIP, חיפה"')
  })

  test('the last document and what is above the limit come from the books', async () => {
    const { id } = await shop.customer('לוי', { creditLimitAgorot: 100_000 })
    expect(await one(id)).toMatchObject({ lastDocumentDay: null, aboveLimitAgorot: 0 })
    const { date } = await shop.invoice(id, '1000')
    expect(await one(id)).toMatchObject({
      lastDocumentDay: date,
      balanceAgorot: 118_000,
      aboveLimitAgorot: 18_000,
    })
    expect(await names('?aboveLimitAgorot.gte=1')).toEqual(['לוי'])
  })

  test('a type brings its terms to documents of customers who have none of their own', async () => {
    const { id: typeId } = await make('customerTypes', { name: 'מוסדי', dueTerms: 'eom:60', discountBp: 500 })
    const plain = await shop.customer('א', { typeId })
    const own = await shop.customer('ב', { typeId, dueTerms: 'net:7' })
    expect(await one(plain.id)).toMatchObject({ dueTerms: null, typeDueTerms: 'eom:60', typeDiscountBp: 500 })
    expect((await shop.invoice(plain.id, '100')).dueTerms).toBe('eom:60')
    expect((await shop.invoice(own.id, '100')).dueTerms).toBe('net:7')
  })

  test('a type of another business is refused, and so are rates and numbers that cannot be', async () => {
    const stranger = await newBusiness(world)
    const { id: typeId } = await stranger.send('POST', '/api4/invoice/customerTypes', { name: 'זר' })
    await expect(shop.customer('א', { typeId })).rejects.toMatchObject({ status: 422 })
    await expect(shop.customer('א', { withholdsBp: 10_001 })).rejects.toMatchObject({
      errors: [{ path: 'withholdsBp' }],
    })
    await expect(shop.customer('א', { withholdsFile: '123456789' })).rejects.toMatchObject({
      errors: [{ path: 'withholdsFile' }],
    })
    await expect(shop.customer('א', { tags: ['x'.repeat(41)] })).rejects.toMatchObject({ status: 422 })
  })

  test('many are changed at once, and each change stands in the log of its customer', async () => {
    const status = await make('customerStatuses', { name: 'רדום' })
    const a = await shop.customer('א', { tags: ['ישן'] })
    const b = await shop.customer('ב')
    const change = { ids: [a.id, b.id], set: { statusId: status.id }, addTags: ['חדש'], dropTags: ['ישן'] }
    expect(await shop.call(calls.changeMany, change)).toEqual({ changed: 2 })
    expect(await shop.call(calls.changeMany, change)).toEqual({ changed: 0 })
    expect(await one(a.id)).toMatchObject({ statusId: status.id, tags: ['חדש'] })
    const { rows } = await shop.call(calls.activityOf, { id: a.id })
    expect(rows.map((row) => row.action)).toEqual(['customers.change', 'customers.create'])
    expect(rows[0]!.after).toEqual({ statusId: status.id, tags: ['חדש'] })
  })

  test('statuses stand in the order they were put in', async () => {
    const ids = []
    for (const name of ['א', 'ב', 'ג']) ids.push((await make('customerStatuses', { name })).id)
    await shop.call(calls.setOrder, { of: 'customerStatuses', ids: [ids[2], ids[0], ids[1]] })
    expect((await shop.get('/api4/invoice/customerStatuses')).rows.map((row: any) => row.name)).toEqual([
      'ג',
      'א',
      'ב',
    ])
  })

  test('people and places belong to their customer and stay with him', async () => {
    const { id } = await shop.customer('לוי')
    const other = await shop.customer('כהן')
    const contact = await make('customerContacts', {
      partyId: id,
      name: 'רות',
      email: 'Ruth@Example.com',
      getsInvoices: true,
    })
    expect(contact).toMatchObject({ email: 'ruth@example.com', partyIdName: 'לוי', getsReminders: false })
    await make('customerAddresses', { partyId: id, kind: 'site', city: 'עכו' })
    await expect(
      shop.send('PATCH', `/api4/invoice/customerContacts/${contact.id}`, { partyId: other.id }),
    ).rejects.toMatchObject({
      status: 422,
    })
    const stranger = await newBusiness(world)
    await expect(
      stranger.send('POST', '/api4/invoice/customerContacts', { partyId: id, name: 'x' }),
    ).rejects.toMatchObject({ status: 422 })
    expect((await shop.get(`/api4/invoice/customerContacts?partyId=${id}`)).rows).toHaveLength(1)
    expect((await shop.call(calls.activityOf, { id })).rows.map((row) => row.action)).toContain(
      'customerAddresses.create',
    )
  })

  test('a key of another program is one customer’s, and a supplier may have the same', async () => {
    const first = await shop.customer('לוי', { customKey: 'K-1' })
    await expect(shop.customer('כהן', { customKey: 'K-1' })).rejects.toMatchObject({
      errors: [{ path: 'customKey', code: 'fields.taken' }],
    })
    await shop.send('POST', '/api4/invoice/suppliers', { name: 'ספק', customKey: 'K-1' })
    expect(
      (await shop.get('/api4/invoice/customers?customKey=K-1')).rows.map((row: any) => row.name),
    ).toEqual(['לוי'])
    expect((await shop.get('/api4/invoice/customers?q=K-1')).rows).toHaveLength(1)
    const csv = String(await shop.get('/api4/invoiceexport/customers?format=csv'))
    expect(csv).toContain('K-1')
    // Archived, the key is free; the customer cannot be restored while another has it.
    await shop.send('DELETE', `/api4/invoice/customers/${first.id}`)
    await shop.customer('כהן', { customKey: 'K-1' })
    await expect(shop.send('POST', `/api4/invoice/customers/${first.id}/restore`)).rejects.toMatchObject({
      status: 422,
    })
  })

  test('nothing new is issued to whoever is shut, put away or merged; what he owes he may pay', async () => {
    const { id } = await shop.customer('לוי')
    const owed = await shop.invoice(id, '100')
    await expect(
      shop.send('PATCH', `/api4/invoice/customers/${id}`, { blocked: true }),
    ).rejects.toMatchObject({
      errors: [{ path: 'blockedReason', code: 'fields.need' }],
    })
    await shop.send('PATCH', `/api4/invoice/customers/${id}`, { blocked: true, blockedReason: 'לא משלם' })
    await expect(shop.invoice(id, '100')).rejects.toMatchObject({
      errors: [{ path: 'customerId', code: 'documents.customerBlocked' }],
    })
    await expect(shop.invoice(id, '100', { type: 1 })).rejects.toMatchObject({ status: 422 })
    const draft = await shop.invoice(id, '100', { draft: true })
    await expect(shop.send('POST', `/api4/invoice/documents/${draft.id}/issue`)).rejects.toMatchObject({
      status: 422,
    })
    await shop.send('POST', `/api4/invoice/documents/${owed.id}/cancel`, { reason: 'טעות' })
    expect(await shop.send('PATCH', `/api4/invoice/customers/${id}`, { blocked: false })).toMatchObject({
      blockedReason: null,
    })
    await shop.send('POST', `/api4/invoice/documents/${draft.id}/issue`)
    await shop.send('DELETE', `/api4/invoice/customers/${id}`)
    await expect(shop.invoice(id, '100')).rejects.toMatchObject({
      errors: [{ path: 'customerId', code: 'documents.customerArchived' }],
    })
    const [keep, gone] = [await shop.customer('נשאר'), await shop.customer('מתמזג')]
    await shop.send('POST', '/api4/invoice/customers/merge', { keepId: keep.id, ids: [gone.id] })
    await expect(shop.invoice(gone.id, '1')).rejects.toMatchObject({
      errors: [{ path: 'customerId', code: 'documents.customerMerged' }],
    })
  })

  test('consent is kept with how and by whom, and can be taken back', async () => {
    const { id } = await shop.customer('לוי')
    await shop.call(calls.giveConsent, { id, how: 'paper', by: 'רות לוי' })
    const given = await one(id)
    expect(given).toMatchObject({ consentHow: 'paper', consentBy: 'רות לוי' })
    expect(Date.parse(given.consentAt)).toBeGreaterThan(0)
    await shop.call(calls.takeConsentBack, { id })
    expect(await one(id)).toMatchObject({ consentAt: null, consentHow: null, consentBy: null })
    const { rows } = await shop.call(calls.activityOf, { id })
    expect(rows[0]).toMatchObject({ action: 'customers.revokeConsent', before: { consentHow: 'paper' } })
  })
})

test.each(['name', '-name', 'email', '-email', 'balanceAgorot'])(
  'pages by their number hold what one meets going on from page to page, by %s',
  async (sort) => {
    const own = await newBusiness(world)
    for (let i = 0; i < 43; i++)
      await own.customer(`לקוח ${i % 7}`, i % 3 ? {} : { email: `a${i % 4}@example.com` })
    const ids = (page: { rows: { id: string }[] }) => page.rows.map(({ id }) => id)
    const path = `/api4/invoice/customers?size=10&sort=${sort}`
    const met: string[][] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: { rows: { id: string }[]; nextCursor: string | null } = await own.get(
        `${path}${cursor && `&cursor=${cursor}`}`,
      )
      met.push(ids(page))
      cursor = page.nextCursor
    }
    const pages = []
    for (const page of [1, 2, 3, 4, 5]) pages.push(await own.get(`${path}&page=${page}`))
    expect(pages.map(ids)).toEqual(met)
    expect(pages.map(({ nextCursor }) => nextCursor === null)).toEqual([false, false, false, false, true])
    expect(pages.map(({ page, pages: of, size, total }) => [page, of, size, total])).toEqual(
      [1, 2, 3, 4, 5].map((page) => [page, 5, 10, 43]),
    )
    // One beyond the last is answered with the first, and says so.
    const beyond = await own.get(`${path}&page=9`)
    expect(beyond).toMatchObject({ page: 1, pages: 5, size: 10 })
    expect(ids(beyond)).toEqual(met[0])
    expect(await own.get(path)).not.toHaveProperty('page')
  },
)

describe('fields of the business’s own', () => {
  test('are checked by their kind, needed where they are needed, and exported under their names', async () => {
    const site = await make('customerFields', {
      name: 'אתר',
      kind: 'choice',
      choices: ['חיפה', 'עכו'],
      needed: true,
    })
    const since = await make('customerFields', { name: 'מאז', kind: 'day' })
    await expect(shop.customer('א')).rejects.toMatchObject({
      errors: [{ path: 'own', code: 'fields.ownNeeded' }],
    })
    await expect(shop.customer('א', { own: { [site.id]: 'יפו' } })).rejects.toMatchObject({
      errors: [{ code: 'fields.ownWrong' }],
    })
    await expect(
      shop.customer('א', { own: { [site.id]: 'עכו', [since.id]: '31/12/2020' } }),
    ).rejects.toMatchObject({ status: 422 })
    const { id } = await shop.customer('א', { own: { [site.id]: 'עכו', [since.id]: '2020-12-31' } })
    await shop.send('PATCH', `/api4/invoice/customers/${id}`, { own: { [since.id]: null } })
    expect((await one(id)).own).toEqual({ [site.id]: 'עכו' })
    await expect(
      shop.send('PATCH', `/api4/invoice/customers/${id}`, { own: { [site.id]: null } }),
    ).rejects.toMatchObject({ status: 422 })
    const csv = String(await shop.get('/api4/invoiceexport/customers?format=csv&columns=name'))
    expect(csv).toMatch(/שם,אתר,מאז\r\nא,עכו,/)
  })

  test('are filtered by values of their kind alone', async () => {
    for (const query of [
      'creditLimitAgorot.gte=abc',
      'creditLimitAgorot=1.5',
      'typeId=x',
      'language=klingon',
    ])
      await expect(shop.get(`/api4/invoice/customers?${query}`)).rejects.toMatchObject({
        status: 422,
        errors: [{ path: expect.stringContaining(query.split(/[.=]/)[0]!) }],
      })
    expect((await shop.get('/api4/invoice/customers?creditLimitAgorot.gte=0')).rows).toBeInstanceOf(Array)
  })

  test('do not stand in the way of a document to somebody new', async () => {
    await make('customerFields', { name: 'אתר', kind: 'text', needed: true })
    const document = await shop.call(createDocument, {
      type: 8,
      customer: { name: 'עובר אורח' },
      lines: [{ description: 'x', unitPrice: '1' }],
    })
    expect(document.customer?.name).toBe('עובר אורח')
  })

  test('keep their kind', async () => {
    const { id } = await make('customerFields', { name: 'ספר', kind: 'text' })
    await expect(
      shop.send('PATCH', `/api4/invoice/customerFields/${id}`, { kind: 'number' }),
    ).rejects.toMatchObject({ status: 422 })
    await expect(make('customerFields', { name: 'ריק', kind: 'choice' })).rejects.toMatchObject({
      errors: [{ path: 'choices' }],
    })
  })
})

describe('doubles', () => {
  test('are told by number, phone however written, and mail', async () => {
    const taxId = newTaxId()
    const { id } = await shop.customer('לוי', { taxId, mobile: '054-1234567', email: 'levi@example.com' })
    const twins = async (marks: object) =>
      (await shop.call(calls.findTwins, marks)).rows.map((row) => [row.name, row.by])
    expect(await twins({ phone: '+972 54 123 4567' })).toEqual([['לוי', ['phone']]])
    expect(await twins({ taxId, email: 'LEVI@example.com' })).toEqual([['לוי', ['taxId', 'email']]])
    expect(await twins({ phone: '100' })).toEqual([])
    expect(await twins({ mobile: '0541234567', except: id })).toEqual([])
    expect(await twins({})).toEqual([])
    await expect(shop.customer('אחר', { taxId })).rejects.toMatchObject({
      errors: [{ path: 'taxId', code: 'fields.taken' }],
    })
    // A shared phone is no reason to refuse.
    await expect(shop.customer('אחיו', { mobile: '0541234567' })).resolves.toMatchObject({ name: 'אחיו' })
    const stranger = await newBusiness(world)
    expect((await stranger.call(calls.findTwins, { taxId })).rows).toEqual([])
  })

  test('are found by phone, mail and the name without its dress', async () => {
    await shop.customer('אור־גל בע״מ')
    await shop.customer('אור גל בעמ')
    await shop.customer('דניאלי', { phone: '04-8123456', email: 'd@example.com' })
    await shop.customer('דניאלי ובניו', { mobile: '048123456', email: 'd@example.com' })
    await shop.customer('לבד', { phone: '03-9999999' })
    const { groups } = await shop.call(calls.findDoubles, {})
    expect(groups.map(({ by, names: of }) => [by, of.toSorted()])).toEqual([
      ['phone', ['דניאלי', 'דניאלי ובניו']],
      ['name', ['אור גל בעמ', 'אור־גל בע״מ']],
    ])
  })
})

describe('merging', () => {
  const card = (id: string) => shop.get(`/api4/invoice/reports/customerCard?party=${id}&${period}`)

  test('leaves every sum right: balance, card, ages, trial balance; and the papers where they were', async () => {
    const keep = await shop.customer('כהן', { city: 'חיפה', tags: ['א'] })
    const gone = await shop.customer('כהן משה', { phone: '04-8111111', city: 'עכו', tags: ['ב'] })
    await shop.invoice(keep.id, '100')
    const paper = await shop.invoice(gone.id, '200')
    const draft = await shop.invoice(gone.id, '5', { draft: true })
    await make('customerContacts', { partyId: gone.id, name: 'משה' })
    const before = await shop.get(`/api4/invoice/reports/trialBalance?${period}`)
    expect(await shop.call(calls.mergeCustomers, { keepId: keep.id, ids: [gone.id] })).toEqual({
      id: keep.id,
      merged: 1,
    })

    expect(await one(keep.id)).toMatchObject({
      balanceAgorot: 35_400,
      city: 'חיפה',
      phone: '04-8111111',
      tags: ['א', 'ב'],
      mergedIds: [gone.id],
    })
    expect(await one(gone.id)).toMatchObject({
      balanceAgorot: 0,
      mergedIntoId: keep.id,
      mergedIntoIdName: 'כהן',
    })
    const { rows, checks } = await card(keep.id)
    expect(rows.map((row: any) => [row.kind, row.debitAgorot, row.balanceAgorot])).toEqual([
      ['opening', null, 0],
      ['taxInvoice', 11_800, 11_800],
      ['taxInvoice', 23_600, 35_400],
    ])
    expect(checks).toEqual([{ name: 'runningBalance', ok: true }])
    const old = await card(gone.id)
    expect(old.rows.at(-1)).toMatchObject({ kind: 'merge', creditAgorot: 23_600, balanceAgorot: 0 })
    expect(
      (await shop.get('/api4/invoice/reports/ageing')).rows.map((row: any) => [row.customer, row.openAgorot]),
    ).toEqual([['כהן', 35_400]])
    const balances = ({ rows: all }: any) =>
      all.map((row: any) => [row.account ?? row.number, row.balanceAgorot])
    expect(balances(await shop.get(`/api4/invoice/reports/trialBalance?${period}`))).toEqual(balances(before))
    // Of one customer, with the records merged into it; and as it was before.
    const other = await shop.customer('לוי')
    await shop.invoice(other.id, '50')
    for (const query of [`customer=${keep.id}`, `customer=${keep.id}&by=paper`])
      expect((await shop.get(`/api4/invoice/reports/ageing?${query}`)).totals.openAgorot).toBe(35_400)
    expect((await shop.get(`/api4/invoice/reports/ageing?customer=${other.id}&day=2000-01-01`)).rows).toEqual(
      [],
    )

    expect((await shop.get(`/api4/invoice/documents/${paper.id}`)).customerId).toBe(gone.id)
    expect((await shop.get(`/api4/invoice/documents/${draft.id}`)).customerId).toBe(keep.id)
    expect((await shop.get(`/api4/invoice/documents?customerId.in=${keep.id},${gone.id}`)).rows).toHaveLength(
      3,
    )
    expect((await shop.get(`/api4/invoice/customerContacts?partyId=${keep.id}`)).rows).toHaveLength(1)

    // A credit of an old paper is posted to the record it was issued to, and still counts for the one
    // customer.
    await shop.send('POST', `/api4/invoice/documents/${paper.id}/cancel`, { reason: 'טעות' })
    expect((await one(keep.id)).balanceAgorot).toBe(11_800)
    expect((await card(keep.id)).rows.at(-1)).toMatchObject({ kind: 'creditInvoice', balanceAgorot: 11_800 })
  })

  test('takes each field from whom it was chosen, numbers too', async () => {
    const [a, b] = [newTaxId(), newTaxId()]
    const keep = await shop.customer('א', { taxId: a, email: 'a@example.com' })
    const gone = await shop.customer('ב', { taxId: b, email: 'b@example.com' })
    await shop.call(calls.mergeCustomers, {
      keepId: keep.id,
      ids: [gone.id],
      from: { taxId: gone.id, email: keep.id },
    })
    expect(await one(keep.id)).toMatchObject({ name: 'א', taxId: b, email: 'a@example.com' })
  })

  test('keeps an account whole: all of it from one of them', async () => {
    const keep = await shop.customer('א', { bankCode: 12, bankBranch: '600', bankAccount: '00123-456' })
    const gone = await shop.customer('ב', { iban: 'DE89370400440532013000', bankAccountName: 'B GmbH' })
    expect(await one(keep.id)).toMatchObject({ bankAccount: '123456' })
    await shop.call(calls.mergeCustomers, { keepId: keep.id, ids: [gone.id], from: { bank: gone.id } })
    expect(await one(keep.id)).toMatchObject({
      bankCode: null,
      bankBranch: null,
      bankAccount: null,
      bankAccountName: 'B GmbH',
      iban: 'DE89370400440532013000',
    })
    await expect(shop.customer('ג', { bankCode: 12, bankAccount: '123' })).rejects.toMatchObject({
      errors: [{ path: 'bankBranch' }],
    })
  })

  test('one after another all come to stand under the last', async () => {
    const [a, b, c] = [await shop.customer('א'), await shop.customer('ב'), await shop.customer('ג')]
    for (const { id } of [a, b, c]) await shop.invoice(id, '100')
    await shop.call(calls.mergeCustomers, { keepId: b.id, ids: [a.id] })
    await shop.call(calls.mergeCustomers, { keepId: c.id, ids: [b.id] })
    const last = await one(c.id)
    expect(last.balanceAgorot).toBe(35_400)
    expect(last.mergedIds.toSorted()).toEqual([a.id, b.id].toSorted())
    expect((await card(c.id)).rows.at(-1).balanceAgorot).toBe(35_400)
    expect((await shop.get('/api4/invoice/customers')).rows).toHaveLength(1)
  })

  test('is refused with itself, twice, with a stranger; a merged record is not brought back', async () => {
    const [a, b] = [await shop.customer('א'), await shop.customer('ב')]
    const refused = (input: { keepId: string; ids: string[] }) =>
      expect(shop.call(calls.mergeCustomers, input)).rejects
    await refused({ keepId: a.id, ids: [a.id] }).toMatchObject({ code: 'customers.mergeItself' })
    await shop.call(calls.mergeCustomers, { keepId: a.id, ids: [b.id] })
    await refused({ keepId: a.id, ids: [b.id] }).toMatchObject({ code: 'customers.merged' })
    const c = await shop.customer('ג')
    await refused({ keepId: b.id, ids: [c.id] }).toMatchObject({ code: 'customers.merged' })
    await expect(shop.send('POST', `/api4/invoice/customers/${b.id}/restore`)).rejects.toMatchObject({
      code: 'customers.merged',
    })
    const stranger = await newBusiness(world)
    const theirs = await stranger.customer('זר')
    await refused({ keepId: a.id, ids: [theirs.id] }).toMatchObject({ status: 404 })
    expect((await stranger.get(`/api4/invoice/customers/${theirs.id}`)).archivedAt).toBeNull()
  })
})

describe('customers who register themselves', () => {
  const key = async () => (await shop.call(calls.makeLink, {})).url!.split('/').at(-1)!
  const send = (input: Record<string, unknown>) => callAs(world, calls.registerMyself, input as never)

  test('somebody new becomes a customer with his consent, time and address', async () => {
    const k = await key()
    expect(await callAs(world, calls.registrationPage, { key: k })).toMatchObject({
      business: { name: 'זרם טוב' },
      hasLogo: false,
    })
    const taxId = newTaxId()
    await callAs(
      world,
      calls.registerMyself,
      { key: k, name: 'רות דגן', taxId, email: 'Ruth@Example.com', mobile: '', consents: true },
      { address: '10.9.8.7' },
    )
    const { rows } = await list('')
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({
      name: 'רות דגן',
      taxId,
      email: 'ruth@example.com',
      source: 'registered',
      consentHow: 'registered',
      consentBy: 'רות דגן',
    })
    const kept = await asSystem(world.app.db, (tx) =>
      sql<{
        address: string
      }>`select consent_address as address from parties where id = ${rows[0]!.id}`.execute(tx),
    )
    expect(kept.rows[0]!.address).toBe('10.9.8.7')
  })

  test('of somebody known nothing is overwritten or told: the business decides', async () => {
    const k = await key()
    const known = await shop.customer('דגן', { mobile: '052-7654321', city: 'חיפה' })
    const given = {
      key: k,
      name: 'רות דגן',
      mobile: '0527654321',
      city: 'עכו',
      email: 'r@example.com',
      consents: true,
    }
    expect(await send(given)).toEqual({ done: true })
    expect(await send(given)).toEqual({ done: true })
    expect(await one(known.id)).toMatchObject({ name: 'דגן', city: 'חיפה', email: null, consentAt: null })
    const { rows } = await shop.call(calls.listProposals, {})
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({ partyId: known.id, by: ['phone'], consents: true })
    expect(rows[0]!.changes).toContainEqual({ field: 'city', now: 'חיפה', given: 'עכו' })
    await shop.call(calls.decideProposal, { id: rows[0]!.id, take: ['city', 'consent'] })
    expect(await one(known.id)).toMatchObject({
      name: 'דגן',
      city: 'עכו',
      email: null,
      consentHow: 'registered',
    })
    await expect(shop.call(calls.decideProposal, { id: rows[0]!.id })).rejects.toMatchObject({
      code: 'customers.proposalDecided',
    })
    const stranger = await newBusiness(world)
    await expect(stranger.call(calls.decideProposal, { id: rows[0]!.id })).rejects.toMatchObject({
      status: 404,
    })
  })

  test('a link that was replaced or turned off opens nothing, and tries are counted', async () => {
    const first = await key()
    const second = await key()
    await expect(callAs(world, calls.registrationPage, { key: first })).rejects.toMatchObject({ status: 404 })
    await shop.call(calls.switchLink, { isOn: false })
    await expect(send({ key: second, name: 'x' })).rejects.toMatchObject({ status: 404 })
    await shop.call(calls.switchLink, { isOn: true })
    const tries = []
    for (let i = 0; i < 12; i++)
      tries.push(
        (await raw(world, calls.registerMyself, { key: second, name: `ל${i}` }, { address: '10.77.7.7' }))
          .statusCode,
      )
    expect(tries.slice(0, 10)).toEqual(Array(10).fill(200))
    expect(tries.slice(10)).toEqual([429, 429])
    await expect(send({ key: second, name: 'x', taxId: '123456789' })).rejects.toMatchObject({
      errors: [{ path: 'taxId', code: 'fields.taxId' }],
    })
    await expect(send({ key: second, name: ' ' })).rejects.toMatchObject({
      errors: [{ path: 'name', code: 'fields.need' }],
    })
  })
})

describe('rights', () => {
  test('who sees only his own customers finds no other anywhere, and makes his own', async () => {
    const agent = await colleague('own_customers_only = true')
    const mine = await shop.customer('שלי', { agentId: agent.id, phone: '04-8555555' })
    const other = await shop.customer('לא שלי', { phone: '04-8666666', tags: ['סוד'] })
    await make('customerContacts', { partyId: other.id, name: 'נסתר' })
    const rows = async (path: string) => (await as(agent.token, path)).body.rows
    expect((await rows('/api4/invoice/customers')).map((row: any) => row.name)).toEqual(['שלי'])
    for (const path of ['', '/activity'])
      expect((await as(agent.token, `/api4/invoice/customers/${other.id}${path}`)).status).toBe(404)
    expect(await rows('/api4/invoice/customers/twins?phone=048666666')).toEqual([])
    expect(await rows('/api4/invoice/customers/tags')).toEqual([])
    expect(await rows('/api4/invoice/customerContacts')).toEqual([])
    const answer = async (endpoint: any, input: object) =>
      (await raw(world, endpoint, input as never, { token: agent.token })).statusCode
    expect(await answer(calls.mergeCustomers, { keepId: mine.id, ids: [other.id] })).toBe(404)
    expect(await answer(calls.changeMany, { ids: [other.id], addTags: ['x'] })).toBe(404)
    const made = await world.http.inject({
      method: 'POST',
      url: '/api4/invoice/customers',
      headers: { 'x-access-token': agent.token },
      payload: { name: 'חדש' },
    })
    expect(made.json()).toMatchObject({ name: 'חדש', agentId: agent.id })
    const given = await world.http.inject({
      method: 'PATCH',
      url: `/api4/invoice/customers/${mine.id}`,
      headers: { 'x-access-token': agent.token },
      payload: { agentId: null },
    })
    expect(given.statusCode).toBe(422)
  })

  test('what befalls a customer’s agent befalls those who were merged into him', async () => {
    const agent = await colleague('own_customers_only = true')
    const [a, b] = [await shop.customer('א'), await shop.customer('ב')]
    await shop.invoice(b.id, '100')
    await shop.call(calls.mergeCustomers, { keepId: a.id, ids: [b.id] })
    await shop.send('PATCH', `/api4/invoice/customers/${a.id}`, { agentId: agent.id })
    expect((await as(agent.token, `/api4/invoice/customers/${a.id}`)).body.balanceAgorot).toBe(11_800)
  })

  test('HideTotalPrices leaves no balance, limit or excess', async () => {
    const worker = await colleague('hide_total_prices = true')
    const { id } = await shop.customer('לוי', { creditLimitAgorot: 77_700 })
    await shop.invoice(id, '1234')
    for (const path of [
      `/api4/invoice/customers/${id}`,
      '/api4/invoice/customers',
      `/api4/invoice/customers/${id}/activity`,
    ]) {
      const { status, body } = await as(worker.token, path)
      expect({ path, status }).toEqual({ path, status: 200 })
      expect(JSON.stringify(body), path).not.toMatch(/77700|145612|67912/)
    }
  })
})
