import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chooseAreas } from '#features/base/modules/endpoints.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import { signUpCpa } from '#features/partners/practice/endpoints.ts'
import { createDocument } from '#features/sales/documents/endpoints.ts'
import type { Endpoint } from '#kit/describe/endpoint.ts'
import { can } from '#kit/describe/session.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { implementations } from '../src/features.ts'
import { exampleWith, smallWorld, type Ids } from './examples.ts'
import { byTurns } from './turns.ts'
import { callAs, newBusiness, newTaxId, raw, startWorld, type Business, type World } from './world.ts'

/**
 * Every call there is, as each kind of user with the least rights of that kind: what the rights do not open is refused,
 * what any member may call is on a list, and nothing fails.
 */
let world: World
let shop: Business
let companyId: string
let officeId: string
let ids: Ids

interface Kind {
  name: string
  /** Works in the office of an accountant, not in the business. */
  isOffice?: true
  typeId: number
  subTypeId: number
  rules: number[]
}

/** The nine kinds; an accountant and the manager of an office work in a business and in the office. */
const kinds: readonly Kind[] = [
  { name: 'affiliate', typeId: 2, subTypeId: 0, rules: [320] },
  { name: 'dealer', typeId: 2, subTypeId: 0, rules: [320, 322] },
  { name: 'business', typeId: 4, subTypeId: 0, rules: [10] },
  { name: 'accountant', typeId: 5, subTypeId: 0, rules: [260] },
  { name: 'office manager', typeId: 6, subTypeId: 0, rules: [260] },
  { name: 'accountant in the office', isOffice: true, typeId: 5, subTypeId: 0, rules: [260] },
  { name: 'office manager in the office', isOffice: true, typeId: 6, subTypeId: 0, rules: [260] },
  { name: 'time', typeId: 8, subTypeId: 0, rules: [261] },
  { name: 'worker', typeId: 9, subTypeId: 0, rules: [10] },
  { name: 'lobby', typeId: 9, subTypeId: 1, rules: [304] },
  { name: 'trainer', typeId: 9, subTypeId: 2, rules: [303] },
]

/** What every person may do and see, whatever their rights. To add a call is a decision. */
const everybody = [
  // Of the person.
  'companies.mine',
  'companies.saveView',
  'companies.views',
  'help.news',
  'help.seen',
  'help.told',
  'home.page',
  'home.tiles',
  'jobs.list',
  'notifications.count',
  'notifications.list',
  'notifications.read',
  'notifications.settings',
  'practice.office',
  'questions.list',
  'reportPlans.list',
  'session.changeMe',
  'session.devices',
  'session.list',
  'session.makeAutoLogin',
  'session.mine',
  'session.recoveryCodes',
  'session.sendVerification',
  'support.list',
  'team.myWork',
  // Of the business: what every screen needs.
  'companies.get',
  'companies.vatFrequencies',
  'modules.areas',
  'modules.list',
  'questions.understand',
  'sandbox.get',
  // Of the product.
  'help.articles',
  'help.captions',
  'help.releases',
  'help.videos',
  'law.table',
  'rates.allocationFrom',
  'rates.history',
  'rates.ofDay',
  'references.numbers',
  'support.facts',
  // While developing everybody translates.
  'translations.export',
  'translations.list',
  'translations.me',
]

/** What a kind may do beyond that, where no rule says so. */
const more: Record<string, readonly string[]> = {
  'accountant in the office': ['practice.bulk', 'practice.cockpit', 'practice.refresh', 'practice.review'],
  'office manager in the office': [
    'practice.bulk',
    'practice.cockpit',
    'practice.invite',
    'practice.invites',
    'practice.keepTemplate',
    'practice.load',
    'practice.refresh',
    'practice.review',
  ],
  trainer: ['outsideCalendars.add', 'outsideCalendars.list'],
}

/** Adds a person, who has a business, to another one as a kind of user. */
async function enter(kind: Kind): Promise<string> {
  const company = kind.isOffice ? officeId : companyId
  const person = await newBusiness(world)
  await asSystem(world.app.db, async (tx) => {
    const { rows } = await sql<{
      id: string
    }>`select id from users where email = ${person.email}`.execute(tx)
    const user = rows[0]!.id
    await sql`insert into memberships (company_id, user_id, type_id, sub_type_id, rules, docs_allow)
      values (${company}, ${user}, ${kind.typeId}, ${kind.subTypeId}, ${kind.rules}::int[], '{}')`.execute(tx)
    await sql`update sessions set company_id = ${company} where user_id = ${user}`.execute(tx)
    if (kind.isOffice)
      await sql`insert into office_people (company_id, user_id) values (${company}, ${user})`.execute(tx)
    if (kind.name === 'dealer')
      await sql`insert into brands (domain, name, is_dealer, dealer_company)
        values ('dealer.example.com', 'x', true, ${company})`.execute(tx)
    if (kind.name === 'trainer')
      await sql`update class_trainers set user_id = ${user} where company_id = ${company} and id = ${ids.trainerId!}`.execute(
        tx,
      )
  })
  return person.token
}

beforeAll(async () => {
  world = await startWorld()
  shop = await newBusiness(world)
  companyId = (await shop.call(mySession, {})).CompanyKey!
  await shop.call(chooseAreas, { areas: { pest: true, time: true, affiliates: true, calendar: true } })
  const { UserKey: manager } = await callAs(world, signUpCpa, {
    email: `kinds${Date.now()}@example.com`,
    password: 'a long enough password',
    fullName: 'דנה אלון',
    office: { name: 'אלון ושות׳', kind: 'partnership', taxId: newTaxId() },
    termsAccepted: true,
  } as never)
  officeId = (await callAs(world, mySession, {}, { token: manager })).CompanyKey!
  ids = await smallWorld(shop)
  ids.expenses = (
    await shop.send('POST', '/api4/invoice/expenses', {
      supplierId: ids.suppliers,
      supplierNumber: '1',
      lines: [{ typeId: ids.typeId, netAgorot: 100 }],
    })
  ).id
  ids.tasks = (await shop.send('POST', '/api4/invoice/tasks', { title: 'משימה' })).id
  ids.leads = (await shop.send('POST', '/api4/invoice/leads', { name: 'פונה', phone: '052-1234567' })).id
  await shop.call(createDocument, {
    type: 8,
    customerId: ids.customers!,
    lines: [{ description: 'x', unitPrice: '1' }],
    draft: true,
  })
}, 60_000)
afterAll(() => world.close())

/** They end the session or move it to another business: made by nobody here. */
const endsSession = new Set(['session.end', 'companies.switch', 'companies.add', 'practice.open'])

/** Reads first, then what changes something. */
const calls = implementations
  .filter(({ inside, endpoint }) => inside && !endsSession.has(endpoint.name))
  .map(({ endpoint }) => endpoint)
  .toSorted((a, b) => Number(a.method !== 'GET') - Number(b.method !== 'GET'))

/** Makes every call; what the rights do not open and what fails is reported, what any member may call is counted. */
async function walk(
  token: string,
  rules: readonly number[],
): Promise<{ wrong: string[]; answered: string[] }> {
  const wrong: string[] = []
  const answered: string[] = []
  const held = { rules: [...rules], docsAllow: [] }
  for (const endpoint of calls) {
    const { name, access } = endpoint
    const { statusCode, body } = await raw(
      world,
      endpoint as Endpoint<any, any>,
      exampleWith(endpoint, ids),
      {
        token,
      },
    )
    const said = `${name} ${statusCode} ${body.slice(0, 150)}`
    if (statusCode >= 500 || statusCode === 401) wrong.push(said)
    else if (typeof access === 'object' && !can(held, access.rule)) {
      if (statusCode !== 403) wrong.push(said)
    } else if (statusCode < 300 && typeof access === 'string') answered.push(name)
  }
  return { wrong, answered }
}

test.each(byTurns(kinds, 4))(
  '$name',
  async (kind) => {
    const { wrong, answered } = await walk(await enter(kind), kind.rules)
    expect(wrong).toEqual([])
    expect(answered.toSorted()).toEqual([...everybody, ...(more[kind.name] ?? [])].toSorted())
  },
  120_000,
)
