import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  chargeCard,
  payersCaller,
  callAs,
  newBusiness,
  startWorld,
  type Business,
  type World,
} from '../../../../tests/world.ts'
import { addDays, dayInJerusalem } from '#domain/day.ts'
import { asCaller, type Ctx } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import * as links from '#features/money/paymentLinks/endpoints.ts'
import { issueFor } from '#features/money/paymentLinks/server/paper.ts'
import { addTerminal, changeTerminal, getTerminal, offeredAcquirers, proveTerminal } from './endpoints.ts'
import { gatewayNames, holdingGateways, type GatewayName, type Wallet } from './acquirers.ts'
import { openPage, planPage } from './server/charges/begin.ts'
import { settleCharge } from './server/charges/ask.ts'
import { type CardWish } from './server/charges/card.ts'
import { registerTestPurpose } from '../../../../tests/purposes.ts'
import { cardById, cardsOf, openCard } from './server/cards/card.ts'
import { removeCard } from './server/cards/forget.ts'
import { AcquirerAway } from './server/door.ts'
import { gatewayNamed } from './server/gateways/index.ts'
import { needKeeping, terminalById, walletsOf } from './server/terminals/terminals.ts'
import { standOf, startStands, type StandServer } from './server/gateways/simulator/server.ts'
import { sweep } from './server/sweep.ts'

/** What a person types in for each. */
type Real = Exclude<GatewayName, 'test'>
const real = gatewayNames.filter((one): one is Real => one !== 'test')
const settings = Object.fromEntries(real.map((one) => [one, standOf(one)!.settings])) as Record<
  Real,
  Record<string, string>
>
const secretOf = Object.fromEntries(real.map((one) => [one, standOf(one)!.secret])) as Record<Real, string>
const names = Object.keys(settings) as (keyof typeof settings)[]

let world: World
let stands: StandServer
let shop: Business
let companyId: string
let customerId: string
let time = new Date()
const good = '4242424242424242'

registerTestPurpose('gym', {
  lock: async () => {},
  isDue: async () => true,
  issue: (ctx, charge) => issueFor(ctx, charge, undefined),
  paid: async () => {},
})

beforeAll(async () => {
  world = await startWorld(() => time)
  stands = await startStands({
    now: () => time,
    // Its notices come through our own front door.
    deliver: async ({ to, body, headers }) => {
      await world.http.inject({ method: 'POST', url: new URL(to).pathname, headers, payload: body })
    },
  })
  world.app.settings.acquirersAt = stands.url
})
afterAll(async () => {
  await stands.close()
  await world.close()
})
beforeEach(async () => {
  time = new Date()
  stands.bank.faults = {}
  shop = await newBusiness(world)
  companyId = (await shop.call(mySession, {})).companyId
  customerId = (await shop.customer('כהן')).id
})

const inside = <T>(work: (ctx: Ctx) => Promise<T>) =>
  asCaller(world.app, payersCaller(companyId), '1.2.3.4', work)
const query = async <T>(text: ReturnType<typeof sql<T>>): Promise<T[]> =>
  (await asSystem(world.app.db, (tx) => text.execute(tx))).rows
const later = (minutes: number) => void (time = new Date(time.getTime() + minutes * 60_000))

async function connect(gateway: keyof typeof settings) {
  const { id } = await shop.call(addTerminal, { gateway, settings: settings[gateway] })
  const { proofs, terminal } = await shop.call(proveTerminal, { id })
  expect(proofs.filter(({ isGood }) => !isGood)).toEqual([])
  expect(terminal.state).toBe('proved')
  return id
}

interface Row {
  id: string
  state: string
  uid: string
  paper_id: string | null
  card_last4: string
  approval: string
}
const charges = () =>
  query(sql<Row>`select * from charges where company_id = ${companyId} order by created_at, id`)
const papers = async () =>
  (
    await query(
      sql<{
        n: number
      }>`select count(*)::int as n from documents where company_id = ${companyId} and status <> 'draft'`,
    )
  )[0]!.n

async function open(
  gateway: keyof typeof settings,
  more: { deed?: 'charge' | 'hold' | 'card'; consent?: string; agorot?: number } = {},
) {
  const { deed = 'charge', consent, agorot = deed === 'card' ? 0 : 35_005 } = more
  const id = await inside((ctx) =>
    planPage(ctx, {
      purpose: 'gym',
      deed,
      subjectId: crypto.randomUUID(),
      linkId: null,
      documentId: null,
      customerId,
      agorot,
      ...(consent ? { consent } : {}),
      description: 'מנוי',
      mostInstalments: 1,
      payer: { name: 'דנה כהן', email: 'dana@example.com' },
      language: 'he',
      page: 'http://pinkas.test/x',
    }),
  )
  const { url } = await openPage(world.app, companyId, id)
  return { id, form: await formOf(gateway, url, id) }
}

/** The payer's page: the address itself, or what it leads to. */
async function formOf(gateway: keyof typeof settings, url: string, id: string): Promise<string> {
  if (gateway === 'nedarim') {
    const [row] = await query(sql<{
      reference: string
      amount: number
      deed: string
      consent: string
    }>`select reference, amount_agorot as amount, deed, consent
      from charges where id = ${id}`)
    const { frame } = gatewayNamed('nedarim').connect({
      settings: settings.nedarim,
      wire: {} as never,
      app: world.app,
      companyId,
    })
    const told = frame!(row!.reference, {
      deed: row!.deed,
      agorot: row!.amount,
      keepsCard: row!.consent !== '',
      description: 'תרומה',
      payer: {},
      noticeTo: await noticeTo(),
    } as never)
    url = `${told.src}open?${new URLSearchParams(told.post)}`
  }
  const answer = await fetch(url, { redirect: 'manual' })
  return answer.headers.get('location') ?? url
}
const noticeTo = async () => {
  const [row] = await query(
    sql<{ key: string }>`select notice_key as key from terminals where company_id = ${companyId}`,
  )
  return `http://pinkas.test/api2/invoice/acquirer/${row!.key}/notice`
}

/** Types a test card into a form; answers what the browser brings back to us. */
async function type(form: string, number = good): Promise<string | undefined> {
  const answer = await fetch(form, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ number, month: '12', year: '40', cvv: '123' }),
    redirect: 'manual',
  }).catch(() => undefined)
  const to = answer?.headers.get('location')
  return to ? new URL(to).search.slice(1) : undefined
}
const settle = (id: string, told?: string) => settleCharge(world.app, companyId, id, 'return', told)
const wish = (cardId: string, ourKey: string): CardWish => ({
  cardId,
  agorot: 20_010,
  description: 'מנוי נובמבר',
  purpose: 'gym',
  ourKey,
  subjectId: crypto.randomUUID(),
})
const hasCards = (gateway: keyof typeof settings) => gateway !== 'grow'

test('nothing is proved where no acquirer could come back; who sets money aside is named as its client can', async () => {
  const { id } = await shop.call(addTerminal, { gateway: 'payplus', settings: settings.payplus })
  world.app.settings.acquirersAt = undefined
  const { proofs, terminal } = await shop
    .call(proveTerminal, { id })
    .finally(() => (world.app.settings.acquirersAt = stands.url))
  expect(proofs).toMatchObject([{ ability: 'page', isGood: false, why: 'notReached' }])
  expect(terminal).toMatchObject({ state: 'draft', isReached: false, lastError: '', calls: [] })
  expect(await shop.call(getTerminal, { id })).toMatchObject({ isReached: true })
  for (const { name, abilities } of (await shop.call(offeredAcquirers, {})).rows)
    expect([name, holdingGateways.includes(name)]).toEqual([name, abilities.includes('hold')])
})

describe.each(names)('%s', (gateway) => {
  test('keys that are wrong are told, and its form is not offered', async () => {
    const { id } = await shop.call(addTerminal, {
      gateway,
      settings: { ...settings[gateway], [secretOf[gateway]]: 'wrong-key' },
    })
    const { proofs, terminal } = await shop.call(proveTerminal, { id })
    expect(proofs).toMatchObject([{ ability: 'page', isGood: false, why: 'refused' }])
    expect(terminal.state).toBe('draft')
    expect(JSON.stringify(await shop.call(getTerminal, { id }))).not.toContain(
      gateway === 'grow' ? 'api-key-of' : 'wrong-key',
    )
  })

  test('a form is paid, by return, notice or sweep, and has one paper; money goes back', async () => {
    await connect(gateway)
    const { id, form } = await open(gateway)
    const told = await type(form)
    // Everybody at once.
    await Promise.all([settle(id, told), settle(id, told), sweep(world.app)])
    await settle(id, told)
    const [charge] = await charges()
    expect(charge).toMatchObject({ state: 'paid', card_last4: gateway === 'paypal' ? '' : '4242' })
    expect(charge!.paper_id).not.toBeNull()
    expect(await papers()).toBe(1)
    const back = await shop.call(links.refundCharge, { id, amountAgorot: 35_005, reason: 'ביטול' })
    expect(back.refunds).toHaveLength(1)
    await world.worker.drain()
    const [refund] = (await shop.call(links.getCharge, { id })).refunds
    // What cannot be refunded by a call is reported.
    expect(refund!.state).toBe(gateway === 'nedarim' ? 'refused' : 'done')
  })

  test('a card that is declined is said why, in our words', async () => {
    await connect(gateway)
    const { id, form } = await open(gateway)
    await type(form, '4000000000009995')
    await settle(id)
    const [charge] = await charges()
    if (gateway === 'paypal') return
    expect(charge).toMatchObject({
      state: gateway === 'hyp' || gateway === 'pelecard' ? charge!.state : 'declined',
    })
    expect(await papers()).toBe(0)
  })

  test.each([['sum'], ['currency'], ['terminal'], ['reference']] as const)(
    'that lies about the %s is not believed',
    async (lies) => {
      await connect(gateway)
      const { id, form } = await open(gateway)
      stands.bank.faults = { lies }
      const told = await type(form)
      await settle(id, told)
      const [charge] = await charges()
      const cannotLie =
        // What these do not say they cannot say wrongly.
        (lies === 'currency' && gateway === 'grow') ||
        (lies === 'terminal' && (gateway === 'grow' || gateway === 'paypal' || gateway === 'payplus'))
      expect(charge!.state === 'paid', charge!.state).toBe(cannotLie)
      expect(await papers()).toBe(cannotLie ? 1 : 0)
    },
  )

  test('notices that come twice and before everything else change nothing', async () => {
    await connect(gateway)
    stands.bank.faults = { isDoubled: true, isEarly: true }
    const { id, form } = await open(gateway)
    const told = await type(form)
    await settle(id, told)
    stands.bank.faults = {}
    later(3)
    await sweep(world.app)
    expect((await charges())[0]).toMatchObject({ state: 'paid' })
    expect(await papers()).toBe(1)
  })

  test('a kept card is charged once, whether it answers, is silent or is down', async () => {
    await connect(gateway)
    const { id, form } = await open(
      gateway,
      hasCards(gateway) ? { deed: 'card', consent: 'מסכים' } : { consent: 'מסכים' },
    )
    await settle(id, await type(form))
    const [card] = await inside((ctx) => cardsOf(ctx, customerId))
    expect(card).toMatchObject({ state: 'active' })
    const before = await papers()
    expect(await chargeCard(world.app, companyId, wish(card!.id, 'a'))).toMatchObject({ state: 'paid' })
    // Charged, and the answer lost.
    stands.bank.faults = { drop: { when: 'after', at: lossAt } }
    expect(await chargeCard(world.app, companyId, wish(card!.id, 'b'))).toMatchObject({ state: 'unknown' })
    stands.bank.faults = {}
    // Not charged, and nobody knows.
    stands.bank.faults = { drop: { when: 'before', at: lossAt } }
    expect(await chargeCard(world.app, companyId, wish(card!.id, 'c'))).toMatchObject({ state: 'unknown' })
    stands.bank.faults = {}
    expect(await chargeCard(world.app, companyId, wish(card!.id, 'c'))).toMatchObject({ state: 'unknown' })
    for (const minutes of [2, 20, 40]) {
      later(minutes)
      await sweep(world.app)
    }
    const made = (await charges()).slice(1)
    const asks = gatewayNamed(gateway).connect({
      settings: settings[gateway],
      wire: {} as never,
      app: world.app,
      companyId,
    })
    const canAsk = !!asks.byReference || !!asks.day
    expect(made.map(({ state }) => state)).toEqual(
      canAsk ? ['paid', 'paid', 'declined'] : ['paid', 'unknown', 'unknown'],
    )
    // Each charge that is known has its one paper, and each at the acquirer is one of ours.
    expect((await papers()) - before).toBe(canAsk ? 2 : 1)
    const there = stands.bank.deals.filter(
      (one) => one.gateway === gateway && one.state === 'paid' && one.agorot === 20_010 && !one.isCredit,
    )
    expect(there.filter((one) => made.some(({ uid }) => uid.split('.')[0] === one.uid))).toHaveLength(
      canAsk ? 2 : 1,
    )
  })
})

test('an acquirer that keeps a card only along with a payment is not chosen for a card alone, and is named', async () => {
  await connect('grow')
  await expect(open('grow', { deed: 'card', consent: 'מסכים' })).rejects.toMatchObject({
    code: 'paymentLinks.off',
  })
  const need = () => inside((ctx) => needKeeping(ctx, 'savedCards.noTerminal'))
  await expect(need()).rejects.toMatchObject({
    code: 'acquirers.byPaymentOnly',
    params: { name: expect.stringMatching(/./) },
  })
  await connect('tranzila')
  expect((await need()).gateway.name).toBe('tranzila')
  for (const { name, abilities } of (await shop.call(offeredAcquirers, {})).rows)
    expect([name, abilities.includes('keepsAlone')]).toEqual([
      name,
      name !== 'grow' && abilities.includes('token'),
    ])
})

describe('a card that came along with a payment', () => {
  const kept = async () => {
    await connect('pelecard')
    const { id, form } = await open('pelecard', { consent: 'מסכים' })
    await settle(id, await type(form))
    return (await inside((ctx) => cardsOf(ctx, customerId)))[0]!
  }
  const stateOf = async (id: string) =>
    (
      await query(
        sql<{
          state: string
          tries: number
          asked: boolean
        }>`select state, tries, ask_at is not null as asked from cards where id = ${id}`,
      )
    )[0]

  test('is proved behind the commit by its token, without a deal', async () => {
    const { id } = await kept()
    expect(await stateOf(id)).toEqual({ state: 'active', tries: 0, asked: true })
    const before = stands.bank.deals.length
    await world.worker.drain()
    expect(await stateOf(id)).toEqual({ state: 'active', tries: 0, asked: false })
    expect(stands.bank.deals).toHaveLength(before)
  })

  test('is asked for again where its token cannot be charged', async () => {
    const { id } = await kept()
    stands.bank.cards.clear()
    await world.worker.drain()
    expect(await stateOf(id)).toEqual({ state: 'askAgain', tries: 0, asked: false })
    await expect(chargeCard(world.app, companyId, wish(id, 'a'))).rejects.toMatchObject({
      code: 'savedCards.askAgain',
    })
  })

  test('is proved later where nobody answers, and one that was removed meanwhile is not', async () => {
    const { id } = await kept()
    stands.bank.faults = { isDown: true }
    await world.worker.drain()
    expect(await stateOf(id)).toEqual({ state: 'active', tries: 1, asked: true })
    stands.bank.faults = {}
    later(2)
    await sweep(world.app)
    expect(await stateOf(id)).toEqual({ state: 'active', tries: 0, asked: false })
    await query(sql`update cards set ask_at = now() where id = ${id}`)
    await inside((ctx) => removeCard(ctx, id))
    await sweep(world.app)
    expect(await stateOf(id)).toMatchObject({ state: 'removed' })
  })
})

describe('what Hyp puts off', () => {
  test('by a form waits for a person: no paper, no decline, and no second form', async () => {
    await connect('hyp')
    const { id, form } = await open('hyp')
    stands.bank.faults = { isPostponed: true }
    await settle(id, await type(form))
    expect((await charges())[0]).toMatchObject({ state: 'needsPerson', decline_code: '' })
    expect(await papers()).toBe(0)
  })

  test('by a kept card is neither paid nor declined, and nothing is charged in its place', async () => {
    await connect('hyp')
    const { id, form } = await open('hyp', { deed: 'card', consent: 'מסכים' })
    await settle(id, await type(form))
    const [card] = await inside((ctx) => cardsOf(ctx, customerId))
    stands.bank.faults = { isPostponed: true }
    expect(await chargeCard(world.app, companyId, wish(card!.id, 'a'))).toMatchObject({
      state: 'needsPerson',
      declineCode: '',
    })
    stands.bank.faults = {}
    later(60)
    await sweep(world.app)
    expect(await chargeCard(world.app, companyId, wish(card!.id, 'a'))).toMatchObject({
      state: 'needsPerson',
    })
    expect(await papers()).toBe(0)
  })
})

test("the acquirer's own test system proves and takes nothing of a business that is in earnest", async () => {
  const { id } = await shop.call(addTerminal, {
    gateway: 'payplus',
    settings: { ...settings.payplus, isTest: '1' },
  })
  const { testAcquirer } = world.app.settings
  world.app.settings.testAcquirer = false
  try {
    const tried = await shop.call(proveTerminal, { id })
    expect(tried.proofs.map(({ isGood }) => isGood)).toEqual([true])
    expect(tried.terminal).toMatchObject({ state: 'draft', isSandbox: true })
    await expect(open('payplus')).rejects.toMatchObject({ code: 'paymentLinks.off' })
    // Off and on again is no way round.
    await shop.call(changeTerminal, { id, isOff: true })
    expect(await shop.call(changeTerminal, { id, isOff: false })).toMatchObject({ state: 'draft' })
    await shop.call(changeTerminal, { id, settings: { ...settings.payplus, isTest: '' } })
    expect((await shop.call(proveTerminal, { id })).terminal).toMatchObject({
      state: 'proved',
      isSandbox: false,
    })
    await open('payplus')
  } finally {
    world.app.settings.testAcquirer = testAcquirer
  }
})

test('Hyp is charged in euros, by its own number of them, and believed', async () => {
  const id = await connect('hyp')
  await shop.call(changeTerminal, { id, currencies: ['ILS', 'EUR'] })
  const { id: form, form: at } = await open('hyp', { deed: 'card', consent: 'מסכים' })
  await settle(form, await type(at))
  const [card] = await inside((ctx) => cardsOf(ctx, customerId))
  expect(await chargeCard(world.app, companyId, { ...wish(card!.id, 'a'), currency: 'EUR' })).toMatchObject({
    state: 'paid',
  })
  expect(stands.bank.deals.at(-1)).toMatchObject({ gateway: 'hyp', currency: 'EUR', agorot: 20_010 })
})

test("Tranzila's day has what was paid by its form and what its terminal of tokens charged", async () => {
  const id = await connect('tranzila')
  const { id: form, form: at } = await open('tranzila', { consent: 'מסכים' })
  await settle(form, await type(at))
  const [card] = await inside((ctx) => cardsOf(ctx, customerId))
  await chargeCard(world.app, companyId, wish(card!.id, 'a'))
  const [byForm, byToken] = stands.bank.deals.slice(-2)
  expect([byForm!.terminal, byToken!.terminal]).toEqual(['shop', 'shoptok'])
  const { acquirer } = await inside((ctx) => terminalById(ctx, id))
  const day = (await acquirer.day!(dayInJerusalem(time))).map(({ uid }) => uid)
  expect(day).toEqual(expect.arrayContaining([byForm!.uid, byToken!.uid]))
  expect(new Set(day).size).toBe(day.length)
})

test('Nedarim is asked beyond its first two thousand deals, and once for those that are old', async () => {
  await connect('nedarim')
  const first = await open('nedarim')
  await settle(first.id, await type(first.form))
  const [deal] = stands.bank.deals.filter(({ gateway }) => gateway === 'nedarim').slice(-1)
  const old = Array.from({ length: 4100 }, (_, i) => ({
    ...deal!,
    key: `old${i}`,
    uid: String(Number(deal!.uid) - 5000 + i),
  }))
  stands.bank.deals.unshift(...old)
  const second = await open('nedarim')
  const asked = () =>
    query(
      sql<{
        n: number
      }>`select count(*)::int as n from terminal_calls where company_id = ${companyId} and call = 'history'`,
    )
  await type(second.form)
  await settle(second.id)
  expect((await charges()).map(({ state }) => state)).toEqual(['paid', 'paid'])
  const [{ n: before }] = (await asked()) as [{ n: number }]
  // Notices ask, too.
  stands.bank.faults = { isMute: true }
  const third = await open('nedarim')
  await type(third.form)
  await settle(third.id)
  expect((await charges()).at(-1)).toMatchObject({ state: 'paid' })
  // Opening and asking, two pages each.
  expect((await asked())[0]!.n - before).toBe(4)
  stands.bank.deals.splice(0, old.length)
})

test('an order that Nedarim drops without a word is not taken as paid', async () => {
  const wire = { ask: async () => ({ Status: 'OK', KevaId: '' }) }
  const { cards } = gatewayNamed('nedarim').connect({
    settings: settings.nedarim,
    wire: wire as never,
    app: world.app,
    companyId,
  })
  await expect(
    cards!.charge(
      { token: 't', expiry: '2040-12' } as never,
      { key: { text: 'k', number: 1 }, agorot: 100, description: '', payer: {} } as never,
    ),
  ).rejects.toThrow(AcquirerAway)
})

describe('what a standing order tells an acquirer', () => {
  const order = {
    key: { text: 'k', number: 1 },
    deed: 'charge' as const,
    agorot: 100,
    currency: 'ILS',
    description: '',
    instalments: 1,
    payer: {},
    noticeTo: '',
  }
  const card = { token: 't', brand: 'visa', last4: '4242', expiry: '2040-12' }
  /** What is sent for a charge of a kept card, without anybody behind the wire. */
  const sentBy = async (
    gateway: keyof typeof settings,
    more: Record<string, string>,
    of: object,
    recurs: boolean,
  ) => {
    const sent: unknown[] = []
    const wire = {
      home: 'http://x',
      ask: async (_call: string, _path: string, { json }: { json?: unknown }) => (
        sent.push(json),
        { StatusCode: '004', ResponseCode: 4 }
      ),
    }
    const { cards } = gatewayNamed(gateway).connect({
      settings: { ...settings[gateway], ...more },
      wire: wire as never,
      app: world.app,
      companyId,
    })
    await cards!.charge({ ...card, ...of }, { ...order, recurs })
    return sent[0]
  }

  test('Cardcom: that it recurs, where the terminal was opened for that', async () => {
    const mark = { Advanced: { IsAutoRecurringPayment: true } }
    expect(await sentBy('cardcom', { takesRecurring: '1' }, {}, true)).toMatchObject(mark)
    for (const [setting, recurs] of [
      ['1', false],
      ['', true],
    ] as const)
      expect(await sentBy('cardcom', { takesRecurring: setting }, {}, recurs)).not.toHaveProperty('Advanced')
  })

  test('PeleCard: what 3-D Secure said of the payment the card came with, kept sealed beside its moment', async () => {
    const threeDs = { eci: '05', xid: 'proof by xid', cavv: 'proof by cavv' }
    await connect('pelecard')
    stands.bank.faults = { threeDs }
    const { id, form } = await open('pelecard', { consent: 'מסכים' })
    await settle(id, await type(form))
    stands.bank.faults = {}
    const [kept] = await inside((ctx) => cardsOf(ctx, customerId))
    const secret = await inside((ctx) => openCard(ctx, kept!))
    expect(secret).toMatchObject({
      threeDs,
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      uid: expect.stringMatching(/./),
    })
    const [row] = await query(
      sql<{ all: string }>`select row_to_json(c)::text as all from cards c where id = ${kept!.id}`,
    )
    expect(row!.all).not.toContain('proof by cavv')
    expect(await sentBy('pelecard', {}, { threeDs }, true)).toMatchObject({
      Eci: '05',
      XID: 'proof by xid',
      Cavv: 'proof by cavv',
    })
    expect(await sentBy('pelecard', {}, {}, true)).not.toHaveProperty('Eci')
  })
})

test('a payer of PeleCard who never comes back, and whose notice is lost, has paid all the same', async () => {
  await connect('pelecard')
  stands.bank.faults = { isMute: true }
  const { id, form } = await open('pelecard', { consent: 'שמירת הכרטיס' })
  // Nobody paid yet; a card that was declined leaves the form to another one.
  await settle(id)
  expect((await charges())[0]).toMatchObject({ state: 'begun' })
  await type(form, '4000000000009995')
  await settle(id)
  expect((await charges())[0]).toMatchObject({ state: 'begun' })
  await type(form)
  later(30)
  await Promise.all([sweep(world.app), settle(id)])
  expect((await charges())[0]).toMatchObject({ state: 'paid', card_last4: '4242' })
  expect(await papers()).toBe(1)
  expect(await inside((ctx) => cardsOf(ctx, customerId))).toMatchObject([{ last4: '4242', state: 'active' }])
})

test('a charge asked for a moment before midnight, whose answer is lost, is found in the list of the next day', async () => {
  shop = await newBusiness(world)
  companyId = (await shop.call(mySession, {})).companyId
  customerId = (await shop.customer('כהן')).id
  await connect('pelecard')
  const { id, form } = await open('pelecard', { consent: 'מסכים' })
  await settle(id, await type(form))
  const [card] = await inside((ctx) => cardsOf(ctx, customerId))
  stands.bank.faults = { drop: { when: 'after', at: lossAt } }
  expect(await chargeCard(world.app, companyId, wish(card!.id, 'midnight'))).toMatchObject({
    state: 'unknown',
  })
  stands.bank.faults = {}
  const deal = stands.bank.deals.at(-1)!
  deal.day = addDays(deal.day, 1)
  later(24 * 60)
  await sweep(world.app)
  expect((await charges())[1]).toMatchObject({ state: 'paid' })
})

test('a card that is kept again by the token it had is charged on; it is forgotten there with the last that is charged by it', async () => {
  for (const gateway of names.filter(hasCards)) {
    shop = await newBusiness(world)
    companyId = (await shop.call(mySession, {})).companyId
    customerId = (await shop.customer('כהן')).id
    await connect(gateway)
    stands.bank.faults = { keepsToken: true }
    // Cards of other tests are not those of this one.
    stands.bank.cards.clear()
    const keep = async () => {
      const { id, form } = await open(gateway, { deed: 'card', consent: 'מסכים' })
      await settle(id, await type(form))
      return (await inside((ctx) => cardsOf(ctx, customerId)))[0]!
    }
    const first = await keep()
    const second = await keep()
    expect(await inside((ctx) => cardsOf(ctx, customerId)), gateway).toHaveLength(1)
    expect(stands.bank.cards.size, gateway).toBe(1)
    expect(await inside((ctx) => cardById(ctx, first.id)), gateway).toMatchObject({
      id: second.id,
      is_default: true,
    })
    // Another customer pays by the same card.
    customerId = (await shop.customer('לוי')).id
    const his = await keep()
    const forgets = async () => {
      later(1)
      await sweep(world.app)
      return stands.bank.cards.size
    }
    expect(await forgets(), gateway).toBe(1)
    expect(await chargeCard(world.app, companyId, wish(first.id, 'a')), gateway).toMatchObject({
      state: 'paid',
    })
    await inside((ctx) => removeCard(ctx, second.id))
    expect(await forgets(), gateway).toBe(1)
    expect(await chargeCard(world.app, companyId, wish(his.id, 'b')), gateway).toMatchObject({
      state: 'paid',
    })
    await inside((ctx) => removeCard(ctx, his.id))
    const canForget = !!gatewayNamed(gateway).connect({
      settings: settings[gateway],
      wire: {} as never,
      app: world.app,
      companyId,
    }).cards?.forget
    expect(await forgets(), gateway).toBe(canForget ? 0 : 1)
    expect(
      await query(
        sql`select 1 from cards where company_id = ${companyId}
            and (secret_sealed is not null or token_mark is not null)`,
      ),
    ).toEqual([])
  }
})

test('a card given again while its token is on the way out is asked for once more, and never charged by what is gone', async () => {
  await connect('paypal')
  stands.bank.faults = { keepsToken: true }
  const keep = async () => {
    const { id, form } = await open('paypal', { deed: 'card', consent: 'מסכים' })
    await settle(id, await type(form))
    return (await inside((ctx) => cardsOf(ctx, customerId)))[0]!
  }
  const card = await keep()
  await inside((ctx) => removeCard(ctx, card.id))
  // As before tokens were distinguished.
  await query(sql`update cards set token_mark = null where company_id = ${companyId} returning 1`)
  const forms = await open('paypal', { deed: 'card', consent: 'מסכים' })
  let given: Promise<unknown> | undefined
  stands.bank.faults.pause = async (where, when) => {
    if (given || when !== 'before' || !/payment-tokens\/\w/.test(where)) return
    given = type(forms.form).then((told) => settle(forms.id, told))
    await given
  }
  later(1)
  await sweep(world.app)
  expect(given).toBeDefined()
  const [again] = await inside((ctx) => cardsOf(ctx, customerId))
  expect(again).toMatchObject({ state: 'askAgain' })
  await expect(chargeCard(world.app, companyId, wish(again!.id, 'a'))).rejects.toMatchObject({
    code: 'savedCards.askAgain',
  })
})

test('what cards of before are charged by is told apart too', async () => {
  await connect('paypal')
  stands.bank.faults = { keepsToken: true }
  const ids: string[] = []
  for (const name of ['כהן', 'לוי']) {
    customerId = (await shop.customer(name)).id
    const { id, form } = await open('paypal', { deed: 'card', consent: 'מסכים' })
    await settle(id, await type(form))
    ids.push((await inside((ctx) => cardsOf(ctx, customerId)))[0]!.id)
  }
  await query(sql`update cards set token_mark = null where company_id = ${companyId} returning 1`)
  await inside((ctx) => removeCard(ctx, ids[0]!))
  later(1)
  await sweep(world.app)
  expect(await chargeCard(world.app, companyId, wish(ids[1]!, 'a'))).toMatchObject({ state: 'paid' })
})

describe('a form for one means alone', () => {
  const flags = { hasBit: '1', hasGooglePay: '1', hasApplePay: '1', hasPayPal: '1' }
  const owned: Partial<Record<keyof typeof settings, Record<string, string>>> = {
    cardcom: { hasBit: '1', hasPayPal: '1' },
    payplus: flags,
    grow: { bitPage: 'page-bit', googlePayPage: 'page-google', applePayPage: 'page-apple' },
  }
  /** What is sent where a page is opened, in the acquirer's own words. */
  const sent = async (wallet: Wallet): Promise<{ body: string; url: string; id: string }> => {
    const bodies: string[] = []
    stands.bank.faults.pause = async (where, when) => void (when === 'before' && bodies.push(where))
    const id = await inside((ctx) =>
      planPage(ctx, {
        purpose: 'gym',
        subjectId: crypto.randomUUID(),
        linkId: null,
        documentId: null,
        customerId,
        agorot: 35_005,
        description: 'מנוי',
        mostInstalments: 1,
        wallet,
        payer: { name: 'דנה כהן' },
        language: 'he',
        page: 'http://pinkas.test/x',
      }),
    )
    const { url } = await openPage(world.app, companyId, id)
    stands.bank.faults = {}
    return { body: bodies.join('\n'), url, id }
  }
  const own = async (gateway: keyof typeof settings) => {
    const { id } = await shop.call(addTerminal, {
      gateway,
      settings: { ...settings[gateway], ...owned[gateway] },
    })
    await shop.call(proveTerminal, { id })
  }

  test.each([
    ['cardcom', ['bit', 'payPal']],
    ['payplus', ['bit', 'googlePay', 'applePay', 'payPal']],
    ['grow', ['bit', 'googlePay', 'applePay']],
    ['tranzila', []],
    ['hyp', []],
    ['pelecard', []],
    ['icredit', []],
    ['nedarim', []],
    // All its forms are those of one means: it needs no button.
    ['paypal', []],
  ] as const)(
    '%s offers what its documentation has a way for and the business says that it has: %j',
    async (gateway, wallets) => {
      await own(gateway)
      expect(await inside(walletsOf)).toEqual(wallets)
    },
  )

  test('nothing is offered that the business did not say', async () => {
    for (const gateway of ['cardcom', 'payplus', 'grow'] as const) await connect(gateway)
    expect(await inside(walletsOf)).toEqual([])
    // PayPal beside a terminal of cards has a button.
    await connect('paypal')
    expect(await inside(walletsOf)).toEqual(['payPal'])
  })

  test('is asked for in the words of each, and paid', async () => {
    await own('payplus')
    const { body, url, id } = await sent('googlePay')
    expect(body).toContain('"charge_default":"google-pay","hide_other_charge_methods":true')
    await type(url)
    await settle(id)
    expect(await charges()).toMatchObject([{ state: 'paid', wallet: 'googlePay' }])
  })

  test('has an address of its own at Cardcom', async () => {
    await own('cardcom')
    expect((await sent('bit')).url).toContain('means=bit')
    expect((await sent('payPal')).url).toContain('means=paypal')
  })

  test('is a page of its own at Grow, which is named whenever its payment is asked about or goes back', async () => {
    await own('grow')
    const { body, url, id } = await sent('bit')
    expect(body).toContain('page-bit')
    const asked: string[] = []
    stands.bank.faults.pause = async (where, when) => void (when === 'before' && asked.push(where))
    await type(url)
    await settle(id)
    expect(asked.length).toBeGreaterThan(1)
    expect(
      asked
        .filter((one) => /ProcessInfo|approveTransaction/.test(one))
        .every((one) => one.includes('page-bit')),
    ).toBe(true)
    expect(await charges()).toMatchObject([{ state: 'paid' }])
    await shop.call(links.refundCharge, { id, amountAgorot: 35_005, reason: 'ביטול' })
    await world.worker.drain()
    expect(asked.find((one) => one.includes('refundTransaction'))).toContain('page-bit')
    expect((await shop.call(links.getCharge, { id })).refunds).toMatchObject([{ state: 'done' }])
  })

  test('is opened anew where the payer chooses another means, and the first is given up', async () => {
    await own('payplus')
    const subjectId = crypto.randomUUID()
    const plan = (wallet?: Wallet) =>
      inside((ctx) =>
        planPage(ctx, {
          purpose: 'gym',
          subjectId,
          linkId: null,
          documentId: null,
          customerId,
          agorot: 35_005,
          description: 'מנוי',
          mostInstalments: 1,
          wallet,
          payer: {},
          language: 'he',
          page: 'http://pinkas.test/x',
        }),
      )
    const first = await plan('bit')
    expect(await plan('bit')).toBe(first)
    expect(await plan()).not.toBe(first)
    expect((await charges()).map(({ state }) => state)).toEqual(['lapsed', 'begun'])
  })
})

/** Every place in which cards are charged. */
const lossAt =
  /Transactions\/Transaction|Transactions\/Charge\b|credit_card\/create|createTransactionWithToken|action=soft|DebitRegularType|SaleChargeToken|DebitKeva|vault_id/

test('money that is set aside is taken in part at those that can', async () => {
  for (const gateway of ['payplus', 'icredit', 'paypal'] as const) {
    shop = await newBusiness(world)
    companyId = (await shop.call(mySession, {})).companyId
    customerId = (await shop.customer('לוי')).id
    await connect(gateway)
    const { id, form } = await open(gateway, { deed: 'hold' })
    await settle(id, await type(form))
    expect((await charges())[0], gateway).toMatchObject({ state: 'held' })
    const { captureHold } = await import('./server/charges/hold.ts')
    expect(await captureHold(world.app, companyId, id, 30_000), gateway).toBe('paid')
    expect(await papers()).toBe(1)
  }
})

test('a notice whose signature is wrong is logged and asked nothing', async () => {
  await connect('payplus')
  const { id } = await open('payplus')
  const [row] = await query(sql<{
    reference: string
    key: string
    terminal: string
  }>`select c.reference, t.notice_key as key, t.id as terminal
    from charges c join terminals t on t.company_id = c.company_id and t.id = c.terminal_id
    where c.id = ${id}`)
  const payload = JSON.stringify({
    transaction: { payment_page_request_uid: row!.reference, status_code: '000' },
  })
  const url = new URL(await noticeTo()).pathname
  const calls = () =>
    query(
      sql<{
        call: string
        code: string
      }>`select call, code from terminal_calls where company_id = ${companyId} order by at, id`,
    )
  const before = (await calls()).length
  await world.http.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', hash: 'd3Jvbmc=' },
    payload,
  })
  expect((await calls()).slice(before)).toEqual([{ call: 'notice', code: 'unsigned' }])
  expect(await callAs(world, links.linkPage, { key: 'x' }).catch((e: { code: string }) => e.code)).toBe(
    'kit.notFound',
  )
})
