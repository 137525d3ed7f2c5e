import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays, dayInJerusalem } from '#domain/day.ts'
import { chooseAreas } from '#features/base/modules/endpoints.ts'
import { uploadFile } from '#features/base/files/endpoints.ts'
import { createFileShare, fileShareFace } from '#features/base/fileShares/endpoints.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import {
  blockWorker,
  endLeaving,
  leavesKinds,
  listLeaves,
  removeWorker,
  unblockWorker,
} from '#features/base/team/endpoints.ts'
import { makeFeed as makeClassFeed } from '#features/calendar/timetable/endpoints.ts'
import { createShop } from '#features/connected/shops/endpoints.ts'
import { makeKey } from '#features/open/apiKeys/endpoints.ts'
import { createWebhook } from '#features/open/webhooks/endpoints.ts'
import { makeFeed as makeTaskFeed } from '#features/people/tasks/endpoints.ts'
import { createPlan } from '#features/reports/reportPlans/endpoints.ts'
import { createShare, shareFace } from '#features/reports/reportShares/endpoints.ts'
import { leavesSources } from '#kit/server/rights/leaves.ts'
import { root } from '#kit/server/settings.ts'
import { callAs, newBusiness, newMate, startWorld, type Business, type World } from './world.ts'

/** What leaves the business works with the rights of a person, is listed in one place, and ends with that person. */
let world: World
let owner: Business
let companyId: string

beforeAll(async () => {
  world = await startWorld()
  world.app.settings.webhooks = { http: false, local: true }
})
afterAll(() => world.close())
beforeEach(async () => {
  owner = await newBusiness(world)
  await owner.call(chooseAreas, { areas: { calendar: true } })
  companyId = (await owner.call(mySession, {})).CompanyKey!
})

const inAMonth = () => addDays(dayInJerusalem(new Date()), 20)
const status = async (url: string) =>
  (await world.http.inject({ method: 'GET', url: new URL(url).pathname })).statusCode
const keyIn = (url: string) => url.split('/').at(-1)!

/** One of everything that a person can set up; answers the addresses that open without a log-in. */
async function setUp(who: Business & { userId: string }) {
  const { id } = (await who.call(uploadFile, { name: 'a.txt', bytes: Buffer.from('x') } as never)) as {
    id: string
  }
  await who.call(makeKey, {
    name: 'Program',
    readOnly: true,
    draftsOnly: false,
    rules: [],
    docsAllow: [],
    sumLimitAgorot: null,
    expiresOn: null,
  })
  await who.call(createWebhook, { url: 'https://example.com/hook', events: ['document.issued'] })
  const report = { report: 'ageing', query: {}, title: 'Debts' }
  await who.call(createPlan, {
    ...report,
    every: 'week',
    weekday: 1,
    monthDay: 1,
    daysBefore: 0,
    hour: 8,
    span: 'lastMonth',
    formats: ['csv'],
    condition: null,
    isOn: true,
    people: [who.userId],
  })
  await who.call(createShop, { kind: 'generic', name: 'Shop' })
  // No keys of a real store are at hand; the copies themselves are tested beside the feature.
  await world.app.db.pool.query(
    `insert into drive_targets (company_id, id, kind, name, secret_sealed, what, created_by)
      values ($1, gen_random_uuid(), 'webdav', 'Store', '', '{documents}', $2)`,
    [companyId, who.userId],
  )
  return {
    file: (await who.call(createFileShare, { id, expiresOn: inAMonth() })).url,
    report: (await who.call(createShare, { ...report, password: 'long enough', expiresOn: inAMonth() })).url,
    tasks: (await who.call(makeTaskFeed, { withNames: false })).url,
    classes: (await who.call(makeClassFeed, {})).url,
  }
}
/** Which of the addresses still show something. */
async function opened(urls: Awaited<ReturnType<typeof setUp>>): Promise<string[]> {
  const open = {
    file: (await callAs(world, fileShareFace, { key: keyIn(urls.file) })).state === 'open',
    report: (await callAs(world, shareFace, { key: keyIn(urls.report) })).state === 'open',
    tasks: (await status(urls.tasks)) === 200,
    classes: (await status(urls.classes)) === 200,
  }
  return Object.entries(open).flatMap(([name, is]) => (is ? [name] : []))
}
const all = ['file', 'report', 'tasks', 'classes']
const set = (userId: string, values: string) =>
  world.app.db.pool.query(`update memberships set ${values} where user_id = $1 and company_id = $2`, [
    userId,
    companyId,
  ])
const ofPersons = leavesKinds.filter((kind) => kind !== 'accountants' && kind !== 'offices')

describe('the register', () => {
  test('has a source for each kind that is named, and no other', () => {
    expect(
      leavesSources()
        .map(({ kind }) => kind)
        .toSorted(),
    ).toEqual([...leavesKinds].toSorted())
  })

  test('lists one of each kind under its person, whole to those who see everything', async () => {
    const mate = await newMate(world, companyId)
    await setUp(mate)
    const { rows } = await owner.call(listLeaves, { userId: mate.userId })
    expect(rows.map(({ kind }) => kind).toSorted()).toEqual([...ofPersons].toSorted())
    expect(rows.every(({ by, isOn, mayEnd }) => by === 'נועה ורדי' && isOn && mayEnd)).toBe(true)
    expect(rows.filter(({ continues }) => continues).map(({ kind }) => kind)).toEqual(['shops'])
    const clerk = await newMate(world, companyId, { docsAllow: [8] })
    const seen = (await clerk.call(listLeaves, {})).rows
    expect(seen).toHaveLength(rows.length)
    expect(seen.every(({ name, to, mayEnd }) => name === '' && to === '' && !mayEnd)).toBe(true)
    await expect(
      clerk.call(endLeaving, { kind: 'webhooks', id: rows.find(({ kind }) => kind === 'webhooks')!.id }),
    ).rejects.toMatchObject({ status: 403 })
    const other = await newBusiness(world)
    expect((await other.call(listLeaves, {})).rows).toEqual([])
    await expect(
      other.call(endLeaving, { kind: 'drive', id: rows.find(({ kind }) => kind === 'drive')!.id }),
    ).rejects.toMatchObject({ status: 404 })
  })

  test('ends each of them, once and for good', async () => {
    const mate = await newMate(world, companyId)
    const urls = await setUp(mate)
    expect(await opened(urls)).toEqual(all)
    for (const { kind, id } of (await owner.call(listLeaves, {})).rows)
      await owner.call(endLeaving, { kind: kind as never, id })
    expect((await owner.call(listLeaves, {})).rows).toEqual([])
    expect(await opened(urls)).toEqual([])
  })
})

describe('a person', () => {
  test('who is removed ends everything that worked with their rights; a shop goes on under an owner', async () => {
    const mate = await newMate(world, companyId)
    const urls = await setUp(mate)
    expect(await opened(urls)).toEqual(all)
    await owner.call(removeWorker, { id: mate.userId })
    const { rows } = await owner.call(listLeaves, {})
    expect(rows.map(({ kind, by, isOn }) => [kind, by, isOn])).toEqual([['shops', 'נועה ורדי', true]])
    expect((await owner.call(listLeaves, { userId: mate.userId })).rows).toEqual([])
    expect(await opened(urls)).toEqual([])
  })

  test('who is blocked stops everything, and nothing is lost', async () => {
    const mate = await newMate(world, companyId)
    const urls = await setUp(mate)
    expect(await opened(urls)).toEqual(all)
    await owner.call(blockWorker, { id: mate.userId })
    expect(await opened(urls)).toEqual([])
    const { rows } = await owner.call(listLeaves, { userId: mate.userId })
    expect(rows.filter(({ isOn }) => isOn)).toEqual([])
    expect(rows).toHaveLength(ofPersons.length)
    await owner.call(unblockWorker, { id: mate.userId })
    expect(await opened(urls)).toEqual(all)
  })

  test('who loses the rights behind them stops every address', async () => {
    const mate = await newMate(world, companyId)
    const urls = await setUp(mate)
    expect(await opened(urls)).toEqual(all)
    await set(mate.userId, "rules = '{10}'")
    expect(await opened(urls)).toEqual([])
  })
})

test('an upgrade gives each calendar address the person who made it', async () => {
  const mate = await newMate(world, companyId)
  await mate.call(makeClassFeed, {})
  const trainer = await owner.send('POST', '/api4/invoice/classTrainers', {
    name: 'נעמה',
    payBy: 'class',
    userId: mate.userId,
  })
  await owner.call(makeClassFeed, { trainerId: trainer.id })
  const place = await owner.send('POST', '/api4/invoice/classPlaces', { name: 'סטודיו', seats: 10 })
  await mate.call(makeClassFeed, { placeId: place.id })
  await world.app.db.pool.query('update class_feeds set created_by = null where company_id = $1', [companyId])
  const [statement] = readFileSync(join(root, 'db/migrations/0447-feeds-under-a-person.sql'), 'utf8').match(
    /^update class_feeds f[^;]*;/gm,
  )!
  await world.app.db.pool.query(statement!)
  const { rows } = await owner.call(listLeaves, { userId: mate.userId })
  expect(rows.map(({ kind }) => kind)).toEqual(['classFeeds', 'classFeeds', 'classFeeds'])
})

/** Tables with an address, a key or a secret that lead outside: which source lists them, or why none does. */
const others: Record<string, string> = {
  accounts: 'a name in the settings of the business',
  affiliate_signups: 'a business that signed up, without its name',
  balance_codes: 'a name in the settings of the business',
  card_kinds: 'a name in the settings of the business',
  expense_types: 'a name in the settings of the business',
  sort_codes: 'a name in the settings of the business',
  uniform_cards: 'a name in a file that was brought in',
  vat_codes: 'a name in the settings of the business',
  account_changes: 'links to a person’s own address that undo a change of the account',
  allocation_requests: 'a number asked of the tax authority under the law',
  authority_links: 'the connection to the tax authority, with its own screen and consent',
  auto_logins: 'sign-in links of a person, for a minute',
  bank_feeds: 'files of the bank come in',
  booking_codes: 'codes for a customer who books',
  booking_pages: 'the public page on which customers book',
  brands: 'a dealer’s own domain',
  card_requests: 'a customer’s own page to keep a card',
  cards: 'a token of the acquirer, sealed',
  charges: 'a key of the charge at the acquirer',
  charge_tries: 'a key of the charge at the acquirer',
  charge_refunds: 'a key of the refund at the acquirer',
  client_request_links: 'a client’s own page for an office’s questions; it takes papers in',
  client_keys: 'a key of the caller against doubles',
  committee_buildings: 'the page of a building’s tenants',
  committee_handovers: 'the hand-over page of a building, once',
  committee_payments: 'a key of the caller against doubles',
  committee_tenant_pages: 'a tenant’s own page',
  contact_settings: 'letters come in',
  customer_pages: 'a customer’s own page',
  documents: 'a document’s own page for its customer',
  drive_copies: 'a copy of a place that is listed',
  drive_ties: 'a connection being made, for an hour',
  expenses: 'a number made comparable',
  idempotency_keys: 'answers remembered for a day',
  known_devices: 'browsers of a person',
  law_entries: 'names a figure of the law',
  lead_sources: 'leads come in',
  leads: 'a phone number made comparable',
  letters: 'a letter’s own page for its receiver',
  mail_addresses: 'papers come in',
  outside_calendars: 'events come in',
  outside_documents: 'a paper’s own page for its receiver',
  parties: 'names and numbers made comparable',
  payment_links: 'a payer’s own page',
  pay_pages: 'a public page of payment',
  pest_certificates: 'a certificate’s own page for its customer',
  recovery_codes: 'codes of a person’s second factor',
  registration_links: 'customers come in',
  resets: 'links to a person’s own address',
  sessions: 'log-ins of a person',
  shop_ties: 'a connection being made, for an hour',
  sign_acts: 'the chain of what signers did',
  sign_codes: 'codes of signers',
  sign_signers: 'a signer’s own page',
  sign_templates: 'a public page of a form to be signed',
  signing_certificates: 'the business’s own certificate, sealed',
  sweep_faults: 'names a row that failed',
  sms_accounts: 'the account at a sender of text messages, sealed',
  standing_orders: 'a customer’s own page',
  terminals: 'the business’s own account at an acquirer, sealed',
  test_charges: 'the acquirer of tests',
  test_tokens: 'the acquirer of tests',
  tickets: 'answers of support to a person',
  throttles: 'counts of tries',
  translation_proposals: 'a word of the product',
  translation_texts: 'a word of the product',
  users: 'passwords and second factors',
  verifications: 'codes to a person’s own address',
}

test('each table with an address, key or secret belongs to a source, or says why not', () => {
  const listed = new Set(leavesSources().flatMap(({ tables }) => tables))
  const secret = /(^|_)(key|token|secret|hash|sealed|short_code|link_code)$/
  const found = new Set<string>()
  const text = readFileSync(join(root, 'db/tables.ts'), 'utf8')
  for (const [, name, body] of text.matchAll(/export interface (\w+) \{\n(.*?)\n\}/gs))
    if (name !== 'DB' && [...body!.matchAll(/^ {2}(\w+):/gm)].some((column) => secret.test(column[1]!)))
      found.add(name!.replace(/(?!^)[A-Z]/g, '_$&').toLowerCase())
  expect([...found].filter((table) => !listed.has(table) && !(table in others))).toEqual([])
  // A reason for a table that is gone, or listed by now, is one no more.
  expect(Object.keys(others).filter((table) => !found.has(table) || listed.has(table))).toEqual([])
})
