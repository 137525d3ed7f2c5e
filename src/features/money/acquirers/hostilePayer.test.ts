import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  chargeCard,
  payersCaller,
  callAs,
  newBusiness,
  raw,
  startWorld,
  type Business,
  type World,
} from '../../../../tests/world.ts'
import { byTurns } from '../../../../tests/turns.ts'
import type { Endpoint } from '#kit/describe/endpoint.ts'
import { dayInJerusalem } from '#domain/day.ts'
import { asCaller, type Ctx } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import * as links from '#features/money/paymentLinks/endpoints.ts'
import * as pages from '#features/money/payPages/endpoints.ts'
import * as cards from '#features/money/savedCards/endpoints.ts'
import * as orders from '#features/money/standingOrders/endpoints.ts'
import { addTerminal, cardFrame, changeTerminal, proveTerminal, testPay } from './endpoints.ts'
import type { GatewayName } from './acquirers.ts'
import { settleCharge } from './server/charges/ask.ts'
import { openPage, planPage } from './server/charges/begin.ts'
import { registerTestPurpose } from '../../../../tests/purposes.ts'
import type { Foreign, ForeignFields, Reads } from './server/foreign.ts'
import { returnedOf } from './server/foreign.ts'
import { gatewayNamed, gateways } from './server/gateways/index.ts'
import { standOf, startStands, type StandServer } from './server/gateways/simulator/server.ts'
import { mostCalls, type KeyedCall } from './server/gateways/simulator/bank.ts'
import { signedNotice } from './server/gateways/test/client.ts'
import { settingsOf, type TerminalRow } from './server/terminals/terminals.ts'
import { sweep } from './server/sweep.ts'

/*
 * A hostile payer at every gateway of the registry. What the payer brings back and posts to the notice address
 * is built from the calls that the gateway makes with the keys of the business, from payments of other
 * customers and from the declared fields. A new gateway is covered without a change here.
 */

let world: World
let stands: StandServer
let shop: Business
let companyId: string
let time = new Date()
/** Everything that a payer sees. */
const seen: string[] = []

registerTestPurpose('hostile', {
  lock: async () => {},
  isDue: async () => true,
  issue: async () => {
    throw new Error('no paper in this test')
  },
  paid: async () => {},
})

beforeAll(async () => {
  world = await startWorld(() => time)
  world.app.settings.testAcquirer = true
  stands = await startStands({ now: () => time, deliver: async () => {} })
  world.app.settings.acquirersAt = stands.url
})
afterAll(async () => {
  await stands.close()
  await world.close()
})
beforeEach(() => {
  time = new Date()
  seen.length = 0
  stands.bank.faults = {}
})

const query = async <T>(text: ReturnType<typeof sql<T>>): Promise<T[]> =>
  (await asSystem(world.app.db, (tx) => text.execute(tx))).rows
const inside = <T>(work: (ctx: Ctx) => Promise<T>) =>
  asCaller(world.app, payersCaller(companyId), '1.2.3.4', work)
const lastOf = (url: string) => new URL(url).pathname.split('/').at(-1)!
const theirCard = '5555555555554444'
const ownCard = '4242424242424242'

async function openShop(gateway: GatewayName): Promise<string> {
  shop = await newBusiness(world)
  companyId = (await shop.call(mySession, {})).companyId
  const settings = standOf(gateway)?.settings
  const { id } = await shop.call(addTerminal, { gateway, ...(settings ? { settings } : {}) })
  if (!settings) return id
  const { terminal } = await shop.call(proveTerminal, { id })
  expect(terminal.state).toBe('proved')
  return id
}

interface Form {
  charge: string
  url: string
}

/** Fills a form in and answers what the browser brings back. */
async function fill(gateway: GatewayName, { url }: Form, number: string): Promise<string> {
  seen.push(url)
  if (gateway === 'test') {
    const { returnTo } = await callAs(world, testPay, {
      key: lastOf(url),
      number,
      month: 12,
      year: 2040,
      cvv: '123',
      instalments: 1,
    })
    return new URL(returnTo).search.slice(1)
  }
  if (url.includes('/cardframe/')) {
    const { src, post } = await callAs(world, cardFrame, { key: lastOf(url) })
    url = `${src}open?${new URLSearchParams(post)}`
  }
  const opened = await fetch(url, { redirect: 'manual' })
  const answer = await fetch(opened.headers.get('location') ?? url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ number, month: '12', year: '40', cvv: '123' }),
    redirect: 'manual',
  })
  const to = answer.headers.get('location')
  expect(to, 'where the payer is led').toBeTruthy()
  seen.push(to!)
  return new URL(to!).search.slice(1)
}

/** A page of ours for a payment or for a card to keep. */
interface Place {
  name: string
  form: Form
  /** The public call behind the page. */
  check: (told?: string) => Promise<{ status: number; body: string }>
  agorot: number
  deed: 'charge' | 'card'
}

let asked = 0
const ask = async (endpoint: Endpoint<any, any>, input: Record<string, unknown>) => {
  asked += 1
  // Many addresses: how often one may ask is not what is tried here.
  const answer = await raw(world, endpoint, input, { address: `10.0.${asked >> 8}.${asked & 255}` })
  seen.push(answer.body, JSON.stringify(answer.headers))
  return { status: answer.statusCode, body: answer.body }
}
const lastCharge = async (): Promise<string> =>
  (
    await query(
      sql<{
        id: string
      }>`select id from charges where company_id = ${companyId} order by created_at desc, id desc limit 1`,
    )
  )[0]!.id

const customer = async (name: string) => (await shop.customer(name)).id

async function linkPlace(agorot = 500_000): Promise<Place> {
  const { url } = (await shop.call(links.createLink, {
    description: 'מקדמה',
    amountAgorot: agorot,
    customerId: await customer('כהן'),
  } as never)) as { url: string }
  const key = lastOf(url)
  const { url: form } = await callAs(world, links.beginLink, { key } as never)
  const charge = await lastCharge()
  return {
    name: 'a payment link',
    form: { charge, url: form },
    check: (told) => ask(links.checkLink, { key, charge, ...(told === undefined ? {} : { told }) }),
    agorot,
    deed: 'charge',
  }
}

const hostileName = 'x&Amount=1.00&sum=1.00&action=CancelTrans&TransId=1","Amount":1,"Total":"1'

async function pagePlace(): Promise<Place> {
  const item = { id: crypto.randomUUID(), names: { he: 'מקום' }, priceAgorot: 500_000, mostQuantity: 5 }
  const { id } = await shop.call(pages.createPage, {
    kind: 'charge',
    texts: { he: { title: 'סדנה', thanks: 'נתראה', terms: 'בלי ביטולים' } },
    items: [item],
  } as never)
  const { url } = await shop.call(pages.openPayPage, { id })
  const key = lastOf(url)
  const begun = (await callAs(world, pages.beginPage, {
    key,
    visit: crypto.randomUUID(),
    lines: [{ id: item.id, quantity: 1 }],
    // A name that would be parameters, were it not written as a value.
    payer: { name: hostileName, email: 'naama@example.com', phone: '', taxId: '' },
    seenAgorot: 500_000,
  } as never)) as { url: string; chargeId: string }
  const charge = begun.chargeId
  return {
    name: 'a payment page',
    form: { charge, url: begun.url },
    check: (told) => ask(pages.checkPage, { key, charge, ...(told === undefined ? {} : { told }) }),
    agorot: 500_000,
    deed: 'charge',
  }
}

async function cardPlace(): Promise<Place> {
  const { url } = await shop.call(cards.askCard, { customerId: await customer('לוי') })
  const key = lastOf(url)
  const { url: form } = await callAs(world, cards.beginCard, { key, agrees: true })
  const charge = await lastCharge()
  return {
    name: 'a card to keep',
    form: { charge, url: form },
    check: (told) => ask(cards.checkCard, { key, charge, ...(told === undefined ? {} : { told }) }),
    agorot: 0,
    deed: 'card',
  }
}

async function retainerPlace(): Promise<Place> {
  const { pageUrl } = await shop.call(orders.createOrder, {
    customerId: await customer('מזרחי'),
    startDay: dayInJerusalem(time),
    title: 'מנוי',
    means: 'card',
    documentType: 9,
    lines: [{ description: 'מנוי', unitPrice: '350', vatKind: 2 }],
  } as never)
  const key = lastOf(pageUrl)
  const { url } = await callAs(world, orders.renewByKey, { key })
  const charge = await lastCharge()
  return {
    name: 'the card of a standing order',
    form: { charge, url },
    check: (told) => ask(orders.checkByKey, { key, charge, ...(told === undefined ? {} : { told }) }),
    agorot: 0,
    deed: 'card',
  }
}

const keyOf = async (charge: string): Promise<string> =>
  (
    await query(
      sql<{ key: string }>`select gateway_key as key from charge_tries
        where charge_id = ${charge} and no = 1`,
    )
  )[0]!.key
const rowOf = async (charge: string) =>
  (
    await query(
      sql<{
        state: string
        uid: string
        told: string
        reference: string
        company_id: string
        card_last4: string
      }>`select * from charges where id = ${charge}`,
    )
  )[0]!
const terminalRow = async (): Promise<TerminalRow> =>
  (
    await query(
      sql<TerminalRow>`select * from terminals where company_id = ${companyId} order by created_at limit 1`,
    )
  )[0]!

/** A payment of another customer, with what its browser and its notice brought. */
interface Other {
  key: string
  uid: string
  back: string
  notice: { body: string; headers: Record<string, string> }
}

async function paidByOther(gateway: GatewayName, { form }: { form: Form }): Promise<Other> {
  const key = await keyOf(form.charge)
  // Asked once before the payment, too.
  await settleCharge(world.app, companyId, form.charge, 'return')
  const back = await fill(gateway, form, theirCard)
  const notice = await noticeOfDeal(gateway, form, key)
  await post(await noticePath(), notice.body, notice.headers)
  await settleCharge(world.app, companyId, form.charge, 'return', back)
  const { uid, state } = await rowOf(form.charge)
  expect(state, 'an honest payment').toMatch(/paid|saved/)
  return { key, uid, back, notice }
}

const noticePath = async () => `/api2/invoice/acquirer/${(await terminalRow()).notice_key}/notice`

/** What the acquirer posts of a deal, also where a business gives it the address by hand. */
async function noticeOfDeal(gateway: GatewayName, form: Form, key: string): Promise<Other['notice']> {
  const stand = standOf(gateway)
  const there = [...stands.bank.forms.values()].find((one) => one.gateway === gateway && one.key === key)
  if (stand?.notice && there?.deal) return stand.notice(stands.bank, there, there.deal)
  const [{ secret = '' }, { reference }] = [
    settingsOf(world.app, await terminalRow()),
    await rowOf(form.charge),
  ]
  return {
    body: JSON.stringify(signedNotice(secret, reference, time)),
    headers: { 'content-type': 'application/json' },
  }
}

async function post(url: string, payload: string, headers: Record<string, string> = {}) {
  const answer = await world.http.inject({ method: 'POST', url, headers, payload })
  seen.push(answer.body)
  return answer.statusCode
}

/** Another form of the same terminal, opened past all features. */
async function plainForm(more: { agorot: number; currency?: string; consent?: string }): Promise<Form> {
  const payer = await customer('אחר')
  const charge = await inside((ctx) =>
    planPage(ctx, {
      purpose: 'hostile',
      subjectId: crypto.randomUUID(),
      linkId: null,
      documentId: null,
      customerId: payer,
      description: 'תשלום',
      mostInstalments: 1,
      payer: { name: 'דנה כהן' },
      language: 'he',
      page: 'http://pinkas.test/x',
      ...more,
    }),
  )
  return { charge, url: (await openPage(world.app, companyId, charge)).url }
}

/** Names and values of a call, of nested JSON too. */
function pairsOf(value: unknown, path = ''): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[path, String(value)]]
  return Object.entries(value).flatMap(([name, inner]) => pairsOf(inner, path ? `${path}.${name}` : name))
}
const paramsOf = ({ query: inAddress, fields }: KeyedCall) => [...pairsOf(inAddress), ...pairsOf(fields)]
/** The kind of a call: its path without ids, and its action. */
const kindOf = ({ method, path, query: { action = '', What = '' } }: KeyedCall): string =>
  [method, path.replace(/[0-9A-Fa-f-]{6,}|[0-9A-Z-]{8,}/g, '#'), action, What].join(' ')

const canary = 'canary77'

interface Attack {
  ourKey: string
  agorot: number
  others: readonly Other[]
  calls: readonly KeyedCall[]
  secrets: readonly string[]
  reads: Reads
}

const form = (pairs: Iterable<readonly [string, string]>): string =>
  new URLSearchParams([...pairs].map(([n, v]): [string, string] => [n, v])).toString()

/** Everything the hostile payer sends, in order. */
function tellingsOf({ ourKey, agorot, others, calls, secrets, reads }: Attack): string[] {
  const sum = (agorot / 100).toFixed(2)
  const declared = Object.keys({
    ...(reads.returned === 'nothing' ? {} : reads.returned.fields),
    ...reads.notice,
  })
  const asOurs = (text: string, other: Other) => text.replaceAll(other.key, ourKey)
  const good = new Map<string, string>()
  for (const { back, key } of others)
    for (const [name, value] of new URLSearchParams(back))
      good.set(name, value === key ? ourKey : /amount|sum|total/i.test(name) ? sum : value)
  good.delete('charge')
  const ownNames = [...good].filter(([, value]) => value === ourKey).map(([name]) => name)
  const base: [string, string][] = [...good, ['Sign', 'x'], ['CCode', '0'], ['Amount', sum], ['Coin', '1']]
  const isSecret = (value: string) => secrets.some((one) => value.includes(one))
  const byOther = others.flatMap((other) => [
    other.back,
    asOurs(other.back, other),
    // Without what would tell whose it is.
    form([...new URLSearchParams(other.back)].filter(([, value]) => value !== other.key)),
    // Both names, in either order.
    `${other.back}&${form(ownNames.map((name) => [name, ourKey]))}`,
    `${form(ownNames.map((name) => [name, ourKey]))}&${other.back}`,
    // Another customer's deal under every declared name.
    form([
      ...ownNames.map((name): [string, string] => [name, ourKey]),
      ...declared.map((name): [string, string] => [name, ownNames.includes(name) ? ourKey : other.uid]),
    ]),
    other.notice.body,
    asOurs(other.notice.body, other),
  ])
  // Each call that is made with the keys of the business, as if the payer had ordered it.
  const kinds = new Map(calls.map((call) => [kindOf(call), call]))
  const byCall = [...kinds.values()].flatMap((call) =>
    others.slice(0, 1).flatMap((other) => {
      const params = paramsOf(call).filter(([, value]) => !isSecret(value))
      const aimed = params.map(([name, value]): [string, string] => [
        name.split('.').at(-1)!,
        /^\d{6,}$/.test(value) ? other.uid : value,
      ])
      const once = [...new Map([...base, ...aimed])]
      return [form(once), form([...aimed, ...base]), JSON.stringify(Object.fromEntries(once))]
    }),
  )
  const names = [...new Set([...calls.flatMap((call) => paramsOf(call).map(([name]) => name)), ...declared])]
  const injected = [
    form([...base, ...names.map((name): [string, string] => [name, canary])]),
    form([
      ...names.filter((name) => !good.has(name)).map((name): [string, string] => [name, canary]),
      ...base,
    ]),
    form([...base, ...names.map((name): [string, string] => [`${name}[]`, canary])]),
    JSON.stringify(Object.fromEntries(names.map((name) => [name, { [name]: canary }]))),
    JSON.stringify(Object.fromEntries(names.map((name) => [name, [canary, null, 1e21]]))),
    JSON.stringify(Object.fromEntries([...base, ...names.map((name) => [name, canary.repeat(300)])])).slice(
      0,
      4000,
    ),
    `__proto__=${canary}&constructor=${canary}&toString=${canary}&${form(base)}`,
    form([...base, ['What', 'SIGN'], ['Id', '90000017']]),
  ]
  const odd = ['', '&&&=', '%', '{', '[]', '"x"', 'null', '\0', '=&'.repeat(1000)]
  return [...new Set([...byOther, ...byCall, ...injected, ...odd])].filter((one) => one.length <= 4000)
}

const proofNames = ({ returned, headers, whole }: Reads): Set<string> => {
  const all: ForeignFields = { ...(returned === 'nothing' ? {} : returned.fields), ...headers }
  const named = Object.entries(all).flatMap(([name, { proof, as }]) => (proof ? [as ?? name] : []))
  return new Set([...named, ...(whole ? [whole] : [])])
}

/** What a call carries that came from outside, under a name that is not a declared proof. */
const strayIn = (call: KeyedCall, reads: Reads, foreign: readonly string[]): string[] => {
  const proofs = proofNames(reads)
  const values = paramsOf(call).filter(([name]) => !proofs.has(name.split('.')[0]!))
  return [...values, ['path', call.path] as const]
    .filter(([, value]) => foreign.some((one) => one !== '' && value.includes(one)))
    .map(([name, value]) => `${kindOf(call)} ${name}=${value}`)
}

/** The calls with keys since the last time this was asked. */
function madeSince(): KeyedCall[] {
  // More than it keeps would be calls that nobody looked at.
  expect(stands.bank.calls.length).toBeLessThan(mostCalls)
  return stands.bank.calls.splice(0)
}

const bankNow = () => ({
  deals: stands.bank.deals.map(({ uid, state, agorot, back }) => ({ uid, state, agorot, back: [...back] })),
  cards: [...stands.bank.cards.keys()],
})
const booksNow = async () => ({
  papers: await query(
    sql`select id from documents where company_id = ${companyId} and status <> 'draft' order by id`,
  ),
  cards: await query(sql`select id from cards where company_id = ${companyId} order by id`),
  refunds: await query(sql`select id from charge_refunds where company_id = ${companyId} order by id`),
  test: await query(
    sql`select reference, state, given_back from test_charges where company_id = ${companyId}
      and state in ('paid', 'held', 'saved') order by reference`,
  ),
})

describe.each(
  byTurns(
    gateways.map(({ name }) => name),
    4,
  ),
)('%s', (name) => {
  const gateway = gatewayNamed(name)
  const { reads } = gateway

  test('declares what it reads from outside, by name and shape', () => {
    expect(reads).toBeDefined()
    expect(Object.keys(reads.notice).length, 'fields of a notice').toBeGreaterThan(0)
    const returned = reads.returned === 'nothing' ? {} : reads.returned.fields
    if (reads.returned !== 'nothing') expect(Object.keys(returned)).toContain(reads.returned.key)
    for (const [field, { like }] of Object.entries({ ...reads.notice, ...returned, ...reads.headers })) {
      expect([field, like.test('1'.repeat(2000)), like.test('x'.repeat(2000))]).toEqual([field, false, false])
      expect([field, like.test('a\nb'), like.test('1\n')]).toEqual([field, false, false])
      if (reads.anyCase) expect(field).toBe(field.toLowerCase())
    }
    // What it makes of a notice is made of declared fields: reading another one would find nothing.
    if (name !== 'test') expect(standOf(name), 'a stand-in to be tried against').toBeDefined()
  })

  test(
    'a hostile payer gains nothing, and the honest payment still succeeds',
    { timeout: 240_000 },
    async () => {
      // Another business pays by the same acquirer, and by the same keys.
      await openShop(name)
      const elsewhere = await plainForm({ agorot: 500_000 })
      const others = [await paidByOther(name, { form: elsewhere })]
      const terminal = await openShop(name)
      const secrets = [...secretsOf(gateway, await terminalRow())]
      madeSince()
      // Other customers of this one: of the same sum and of another, with a card kept, refunded, in dollars.
      const same = await linkPlace()
      others.push(await paidByOther(name, same))
      const small = await plainForm({ agorot: 100, consent: 'מסכים' })
      others.push(await paidByOther(name, { form: small }))
      if (gateway.currencies.includes('USD')) {
        await shop.call(changeTerminal, { id: terminal, currencies: ['ILS', 'USD'] })
        const dollars = await plainForm({ agorot: 500_000, currency: 'USD' })
        others.push(await paidByOther(name, { form: dollars }))
      }
      const refunded = await linkPlace(200_000)
      others.push(await paidByOther(name, refunded))
      const calls = madeSince()
      const allowed = new Set(calls.map(kindOf))
      await shop.call(links.refundCharge, {
        id: refunded.form.charge,
        amountAgorot: 200_000,
        reason: 'ביטול',
      })
      await world.worker.drain()
      const [kept] = await query(
        sql<{ id: string }>`select id from cards where company_id = ${companyId} and state = 'active'`,
      )
      if (kept)
        await chargeCard(world.app, companyId, {
          cardId: kept.id,
          agorot: 20_010,
          description: 'מנוי',
          purpose: 'hostile',
          ourKey: crypto.randomUUID(),
          subjectId: crypto.randomUUID(),
        })
      // Calls that the business orders: their parameters are injected, and the calls are not allowed here.
      calls.push(...madeSince())
      const isAlone = !gateway.connect({ settings: {}, wire: {} as never, app: world.app, companyId }).cards
        ?.byPaymentOnly
      const places = [linkPlace, pagePlace, ...(isAlone ? [cardPlace, retainerPlace] : [])]
      for (const [n, make] of places.entries()) {
        madeSince()
        const place = await make()
        await place.check()
        for (const call of madeSince()) allowed.add(kindOf(call))
        const { charge } = place.form
        const ourKey = await keyOf(charge)
        const attack = {
          ourKey,
          agorot: place.agorot,
          others,
          calls,
          secrets,
          reads,
        }
        const [bank, books] = [bankNow(), await booksNow()]
        // At the first place all of it, at each of the others a third: what is behind them is the same.
        const tellings = tellingsOf(attack).filter((_, i) => n === 0 || i % 3 === n - 1)
        for (const told of tellings) {
          const { status } = await place.check(told)
          expect([told, status < 500 || status === 503], place.name).toEqual([told, true])
        }
        const noticesTo = await noticePath()
        const headers = others.map(({ notice }) => notice.headers)
        for (const [i, body] of [...tellings, ...others.map(({ notice }) => notice.body)].entries()) {
          const type = body.startsWith('{') ? 'application/json' : 'application/x-www-form-urlencoded'
          const status = await post(noticesTo, body, {
            ...headers[i % headers.length],
            'content-type': type,
          })
          expect([body, status < 500]).toEqual([body, true])
        }
        // As rows of before hold it: read again by the same declaration.
        for (const told of tellings.slice(-12)) {
          await query(
            sql`update charges set told = ${told.replaceAll('\0', '')}, ask_at = ${time} where id = ${charge}
              returning 1`,
          )
          await sweep(world.app)
        }
        const made = madeSince()
        if (name !== 'test') expect(made.length).toBeGreaterThan(0)
        expect(made.filter((call) => !allowed.has(kindOf(call))).map(kindOf), place.name).toEqual([])
        const foreign = [canary, ...others.flatMap(({ uid, key: theirs }) => [uid.split('.')[0]!, theirs])]
        expect(
          made.flatMap((call) => strayIn(call, reads, foreign)),
          place.name,
        ).toEqual([])
        expect(bankNow(), place.name).toEqual(bank)
        expect(await booksNow(), place.name).toEqual(books)
        expect([place.name, (await rowOf(charge)).state]).toEqual([
          place.name,
          expect.stringMatching(/begun|declined/),
        ])
        // And the payment itself.
        const back = await fill(name, place.form, ownCard)
        expect((await place.check(back)).status, place.name).toBe(200)
        const row = await rowOf(charge)
        expect([place.name, row.state]).toEqual([place.name, place.deed === 'card' ? 'saved' : 'paid'])
        if (place.deed === 'card')
          expect(
            await query(sql`select k.last4 from cards k
              join charges c on c.company_id = k.company_id and c.customer_id = k.customer_id
              where c.id = ${charge} and k.state = 'active'`),
          ).toEqual([{ last4: name === 'paypal' ? '' : '4242' }])
      }
      for (const secret of secrets)
        expect(
          seen.filter((text) => text.includes(secret)),
          'secrets that a payer sees',
        ).toEqual([])
    },
  )
})

/** The secrets of a terminal, but for one that its documentation has the payer's browser send. */
const secretsOf = (gateway: (typeof gateways)[number], row: TerminalRow): string[] => {
  const settings = settingsOf(world.app, row)
  const named = gateway.settings.filter(({ kind, inBrowser }) => kind === 'secret' && !inBrowser)
  return [...named.map(({ name: one }) => settings[one] ?? ''), settings.secret ?? ''].filter(Boolean)
}

describe('a form whose address the payer changes', () => {
  /** Follows the address with other parameters, pays there and comes back. */
  const payChanged = async (place: Place, path: string, changes: Record<string, string>) => {
    const url = new URL(path)
    for (const [name, value] of Object.entries(changes)) url.searchParams.set(name, value)
    const opened = await fetch(url, { redirect: 'manual' })
    const at = opened.headers.get('location')
    if (!at) return undefined
    await fetch(at, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ number: ownCard, month: '12', year: '40', cvv: '123' }),
      redirect: 'manual',
    })
    await place.check()
    return (await rowOf(place.form.charge)).state
  }
  const frameOf = async ({ form }: Place) => {
    const { src, post: told } = await callAs(world, cardFrame, { key: lastOf(form.url) })
    return `${src}open?${new URLSearchParams(told)}`
  }

  test.each([
    ['money set aside in place of taken', { tranmode: 'VK' }, 'needsPerson'],
    ['a card kept in place of charged', { tranmode: 'NK' }, 'needsPerson'],
    ['another currency', { currency: '2' }, 'needsPerson'],
    // The handshake holds it.
    ['another sum', { sum: '1.00' }, undefined],
  ])('Tranzila: %s is no payment', async (_name, changes, state) => {
    await openShop('tranzila')
    const place = await linkPlace()
    expect(await payChanged(place, place.form.url, changes)).toBe(state)
    expect((await booksNow()).papers).toEqual([])
  })

  test.each([
    ['a card kept in place of charged', { PaymentType: 'CreateToken' }],
    ['another sum', { Amount: '1.00' }],
    ['another currency', { Currency: '2' }],
  ])('Nedarim: %s is no payment', async (_name, changes) => {
    await openShop('nedarim')
    const place = await linkPlace()
    expect(await payChanged(place, await frameOf(place), changes)).toBe('needsPerson')
    expect((await booksNow()).papers).toEqual([])
  })
})

describe('Hyp, whose pages are asked about by what the payer brings', () => {
  const payerOf = async (place: Place) => {
    const back = await fill('hyp', place.form, theirCard)
    await place.check(back)
    return stands.bank.deals.at(-1)!
  }
  const stateOf = async ({ form: { charge } }: Place) => (await rowOf(charge)).state
  beforeEach(async () => void (await openShop('hyp')))

  test('signing repeats the code it was given, which confirms nothing', async () => {
    const place = await linkPlace()
    const order = await keyOf(place.form.charge)
    for (const more of ['', `&Order=${order}`]) {
      await place.check(`Sign=x&What=SIGN&CCode=0&Id=90000017&Amount=5000.00&Coin=1${more}`)
      expect(await stateOf(place)).toBe('begun')
    }
  })

  test('money of another payment does not go back', async () => {
    const deal = await payerOf(await linkPlace())
    const place = await linkPlace(100)
    const order = await keyOf(place.form.charge)
    for (const more of ['', `&Order=${order}&CCode=0&Id=${deal.uid}`]) {
      await place.check(`Sign=x&action=zikoyAPI&TransId=${deal.uid}&Amount=5000.00&Coin=1${more}`)
      expect([await stateOf(place), deal.state, deal.back.size]).toEqual(['begun', 'paid', 0])
    }
  })

  test('the cancelling of a payment of one shekel does not pay another', async () => {
    const deal = await payerOf(await linkPlace(100))
    const place = await linkPlace()
    const order = await keyOf(place.form.charge)
    for (const more of ['', `&Order=${order}`]) {
      await place.check(
        `Sign=x&action=CancelTrans&TransId=${deal.uid}&CCode=0&Id=91000001&Amount=5000.00&Coin=1${more}`,
      )
      expect([await stateOf(place), deal.state]).toEqual(['begun', 'paid'])
    }
  })

  test('the card of another customer is not kept', async () => {
    const deal = await payerOf(await cardPlace())
    const place = await cardPlace()
    const order = await keyOf(place.form.charge)
    const kept = () => query(sql`select 1 from cards where company_id = ${companyId}`)
    const before = (await kept()).length
    for (const more of ['', `&Order=${order}`]) {
      await place.check(`Sign=x&What=SIGN&CCode=0&Id=${deal.uid}&Coin=1${more}`)
      expect([await stateOf(place), (await kept()).length]).toEqual(['begun', before])
    }
  })

  test('a refusal that arrives late does not hide the payment', async () => {
    const place = await linkPlace()
    const key = await keyOf(place.form.charge)
    const opened = (await fetch(place.form.url, { redirect: 'manual' })).headers.get('location')!
    await fetch(opened, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ number: '4000000000000002', month: '12', year: '40', cvv: '123' }),
    })
    const refused = await noticeOfDeal('hyp', place.form, key)
    const paid = await fill('hyp', place.form, ownCard)
    stands.bank.faults = { isDown: true }
    await place.check(paid)
    stands.bank.faults = {}
    await post(await noticePath(), refused.body, refused.headers)
    expect(await stateOf(place)).toBe('paid')
  })

  test('a proof whose answer was lost is kept, and asked by again', async () => {
    const place = await linkPlace()
    stands.bank.faults = { drop: { when: 'before', at: /What=VERIFY/ } }
    await place.check(`${await fill('hyp', place.form, ownCard)}&KEY=x&note=y`)
    stands.bank.faults = {}
    const { told, state } = await rowOf(place.form.charge)
    expect([state, new URLSearchParams(told).get('CCode'), /KEY|note|charge/.test(told)]).toEqual([
      'begun',
      '0',
      false,
    ])
    // What is brought later does not push it out.
    await place.check(`CCode=998&Order=${await keyOf(place.form.charge)}`)
    expect(await stateOf(place)).toBe('paid')
    expect((await rowOf(place.form.charge)).told).toBe('')
  })
})

describe('what comes from outside', () => {
  const reads: Reads = {
    returned: {
      key: 'Order',
      fields: {
        Order: { like: /^[\w-]{1,40}$/, proof: true },
        Id: { like: /^\d{1,9}$/, proof: true, as: 'Deal' },
        Why: { like: /^\d{3}$/ },
      },
    },
    notice: { Order: { like: /^\w+$/ } },
  }
  const read = (text: string): Foreign | undefined => returnedOf({ reads }, text, ['k-1'])

  test('is dropped whole where it names no reference of ours, or two', () => {
    for (const text of [
      'Id=7',
      'Order=k-2&Id=7',
      'Order=k-1&Order=k-1&Id=7',
      'order=k-1',
      '',
      '{"Order":["k-1"]}',
    ])
      expect(read(text), text).toBeUndefined()
    expect(read('Order=k-1&Id=7')?.under({})).toEqual({ Order: 'k-1', Deal: '7' })
    expect(read('{"Order":"k-1","Id":7}')?.under({})).toEqual({ Order: 'k-1', Deal: '7' })
  })

  test('never replaces a parameter of ours, and brings none that is not declared', () => {
    const told = read('Order=k-1&Id=7&action=refund&KEY=x&Why=004')!
    expect(told.under({ action: 'VERIFY', KEY: 'ours', Deal: '1' })).toEqual({
      Order: 'k-1',
      action: 'VERIFY',
      KEY: 'ours',
      Deal: '1',
    })
    expect({ ...told }).toEqual({})
    expect(() => JSON.stringify({ told })).toThrow('no parameter')
    expect(() => `${told as unknown as string}`).toThrow('no parameter')
  })

  test('says nothing as a proof before the acquirer confirmed it; twice and out of shape is absent', () => {
    const told = read('Order=k-1&Id=7&Why=004')!
    expect(() => told.says('Id')).toThrow('proof')
    expect(told.says('Why')).toBe('004')
    expect(told.confirmed(false)).toBeUndefined()
    expect(told.confirmed(true)).toEqual({ Order: 'k-1', Id: '7' })
    expect(read('Order=k-1&Id=7&Id=8&Why=1004')!.kept()).toBe('Order=k-1')
    expect(read('Order=k-1&Id=7;8')!.kept()).toBe('Order=k-1')
  })
})
