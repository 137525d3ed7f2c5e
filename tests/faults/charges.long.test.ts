import type { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { gatewayNames, type GatewayName } from '#features/money/acquirers/acquirers.ts'
import {
  standOf,
  startStands,
  type StandServer,
} from '#features/money/acquirers/server/gateways/simulator/server.ts'
import {
  buildServer,
  business,
  call,
  endAll,
  freePort,
  killGroup,
  newFolder,
  poolOf,
  start,
} from './machine.ts'

/*
 * A server that is killed at each step of a charge, at each acquirer: as it asks, when the acquirer has carried out
 * the request and before it answers, and in the moment after the answer. The acquirers' simulators run on beside it.
 * What must hold in the end: a deal at an acquirer is one charge with one document, a document of money is one deal,
 * and nobody who asked once was charged twice. A kill is one for all acquirers at once: half of them are before the
 * action and half after it, in the order of their names; KILLS=all has each of them in both places, and dies once
 * more while answers are on their way.
 */
const isWhole = process.env.KILLS === 'all'
type When = 'before' | 'after'
type Real = Exclude<GatewayName, 'test'>
const settings = Object.fromEntries(
  gatewayNames.filter((one) => one !== 'test').map((one) => [one, standOf(one)!.settings]),
) as Record<Real, Record<string, string>>
const gateways = Object.keys(settings) as (keyof typeof settings)[]
/** Those that can tell of a charge whose answer was lost; at the others a person is asked. */
const cannotBeAsked = new Set<string>(['hyp', 'icredit', 'paypal'])
/** Where a kept card is charged, in the words of all of them. */
const chargesCard =
  /Transactions\/Transaction|Transactions\/Charge\b|credit_card\/create|createTransactionWithToken|action=soft|DebitRegularType|SaleChargeToken|DebitKeva|vault_id/

let stands: StandServer
let pool: Pool | undefined
beforeAll(async () => {
  buildServer('charges')
  stands = await startStands()
}, 180_000)
afterEach(async () => {
  await pool?.end().catch(() => undefined)
  await endAll()
})
afterAll(() => stands.close())

/** A card is typed into a form; answers what the browser brings back. */
async function fillIn(form: string): Promise<string> {
  const answer = await fetch(form, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ number: '4242424242424242', month: '12', year: '40', cvv: '123' }),
    redirect: 'manual',
  })
  return new URL(answer.headers.get('location') ?? form).search.slice(1)
}

test('kill -9 at each step of a charge, at each acquirer: one deal, one charge, one paper', async () => {
  const [folder, port] = [newFolder(), await freePort()]
  // The payers come through a proxy, each from a separate address: no payer is limited by the requests of others.
  const launch = () =>
    start(folder, port, 1, { ACQUIRERS_AT: stands.url, PUBLIC_URL: `http://127.0.0.1:${port}` })
  let server = await launch()
  const { token } = await business(server.url)
  pool = poolOf(folder)
  const say = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
    (await pool!.query(text, values)).rows as T[]
  await say(`update companies set trades = null, areas_switched = '{}' || areas_switched`)
  let payers = 0
  const ask = (method: string, path: string, body?: unknown) => {
    const from = `10.1.${++payers >> 8}.${payers & 255}`
    return call(server.url, method, path, token, body, undefined, { 'x-forwarded-for': from })
  }

  /** Each acquirer has a separate range of a thousand amounts. */
  const base = new Map(gateways.map((name, i) => [name, (i + 1) * 100_000]))
  const customers = new Map<string, string>()
  for (const name of gateways) {
    const made = await ask('POST', '/api4/invoice/terminals', { gateway: name, settings: settings[name] })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const from = base.get(name)!
    await ask('PATCH', `/api4/invoice/terminals/${made.body.id}`, {
      currencies: ['ILS'],
      fromAgorot: from,
      toAgorot: from + 100_000,
    })
    expect(
      (await ask('POST', `/api4/invoice/terminals/${made.body.id}/prove`, {})).body.terminal?.state,
      name,
    ).toBe('proved')
    customers.set(name, (await ask('POST', '/api4/invoice/customers', { name: `לקוח ${name}` })).body.id)
  }

  /** What was begun, each by its acquirer and the step it dies at. */
  const meant = new Set<string>()
  const link = async (name: keyof typeof settings, step: number) => {
    meant.add(`${name} ${step}`)
    const made = await ask('POST', '/api4/invoice/paymentLinks', {
      description: `${name} ${step}`,
      amountAgorot: base.get(name)! + step,
      customerId: customers.get(name),
    })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    return String(made.body.url).split('/').at(-1)!
  }
  const begin = (key: string, keepsCard = false) =>
    ask('POST', `/api2/invoice/payment/${key}/begin`, keepsCard ? { keepsCard } : {})
  /** The payer's page: the address itself, or what it leads to. */
  const formOf = async (url: string): Promise<string> => {
    if (url.includes('/cardframe/')) {
      const { body } = await ask('GET', `/api2/invoice/cardframe/${url.split('/').at(-1)}`)
      url = `${body.src}open?${new URLSearchParams(body.post)}`
    }
    return (await fetch(url, { redirect: 'manual' })).headers.get('location') ?? url
  }
  const chargeOf = async (name: string, step: number): Promise<string> =>
    (
      await say<{ id: string }>(
        'select id from charges where amount_agorot = $1 order by created_at desc, id desc limit 1',
        [base.get(name as never)! + step],
      )
    )[0]!.id
  const check = async (name: string, step: number, key: string, told: string) =>
    ask('POST', `/api2/invoice/payment/${key}/check`, { charge: await chargeOf(name, step), told })
  const pays = async (name: keyof typeof settings, step: number, key: string, keepsCard = false) => {
    const begun = await begin(key, keepsCard)
    if (begun.status >= 300) return begun
    return check(name, step, key, await fillIn(await formOf(begun.body.url)))
  }

  // A card of each, kept with a payment.
  const cards = new Map<string, string>()
  const keep = async (name: keyof typeof settings) => {
    const paid = await pays(name, 1, await link(name, 1), true)
    expect(paid.body.state, `${name} ${JSON.stringify(paid.body)}`).toBe('paid')
    const [card] = await say<{ id: string }>('select id from cards where customer_id = $1', [
      customers.get(name),
    ])
    expect(card, name).toBeDefined()
    cards.set(name, card!.id)
  }
  await Promise.all(gateways.map(keep))

  /** The place of each acquirer at a kill, round by round. */
  const rounds: Map<string, When>[] = isWhole
    ? (['before', 'after'] as const).map((when) => new Map(gateways.map((name) => [name, when])))
    : [new Map(gateways.map((name, i) => [name, i % 2 ? 'after' : 'before']))]

  type Deed = (name: keyof typeof settings) => Promise<unknown>
  /**
   * Lets each acquirer reach its place in each of these actions, holds all of them there, and kills the server.
   */
  const killAt = async (round: Map<string, When>, at: RegExp, deeds: Deed[]) => {
    const held = new Map<string, number>()
    let go = () => {}
    const killed = new Promise<void>((done) => (go = done))
    stands.bank.faults = {
      pause: async (where, said) => {
        const [name = ''] = where.split(' ')
        const before = held.get(name) ?? 0
        if (said !== round.get(name) || !at.test(where) || before === deeds.length) return
        held.set(name, before + 1)
        await killed
      },
    }
    const asked = Promise.all(
      deeds.flatMap((deed) => gateways.map((name) => deed(name).catch(() => undefined))),
    )
    const isReady = () => gateways.every((name) => held.get(name) === deeds.length)
    for (const until = Date.now() + 20_000; !isReady() && Date.now() < until;)
      await new Promise((r) => setTimeout(r, 50))
    expect(Object.fromEntries(held), String(at)).toEqual(
      Object.fromEntries(gateways.map((name) => [name, deeds.length])),
    )
    killGroup(server.child)
    go()
    stands.bank.faults = {}
    await asked
    server = await launch()
  }

  /** Every call but the one by which a client only says who it is. */
  const any = /^(?!.*oauth2)/
  /** The steps of an action: its first number before it is done, the next after it. */
  const stepOf = (round: Map<string, When>, name: string, first: number) =>
    first + (round.get(name) === 'after' ? 1 : 0)
  const opening = new Map<string, { key: string; step: number }>()
  // 2, 3: the form is opened.
  const opens = async (round: Map<string, When>): Promise<Deed> => {
    const keys = new Map<string, string>()
    for (const name of gateways) {
      const step = stepOf(round, name, 2)
      keys.set(name, await link(name, step))
      opening.set(`${name} ${step}`, { key: keys.get(name)!, step })
    }
    return (name) => begin(keys.get(name)!)
  }
  // 4, 5: it is paid, and the acquirer is asked. The payer comes back and goes on.
  const paying: [name: string, step: number, key: string, told: string][] = []
  const asks = async (round: Map<string, When>): Promise<Deed> => {
    // Nobody hears of the payment but by being asked: the notice finds a server that does not listen.
    stands.bank.faults = { isMute: true }
    const filled = await Promise.all(
      gateways.map(async (name) => {
        const step = stepOf(round, name, 4)
        const key = await link(name, step)
        return [name, step, key, await fillIn(await formOf((await begin(key)).body.url))] as const
      }),
    )
    stands.bank.faults = {}
    for (const one of filled) paying.push([...one])
    return (name) => check(...filled.find(([of]) => of === name)!)
  }
  // 6, 7: a kept card is charged. 8: the answer is on its way when the server dies.
  const once = new Map<string, string>()
  const chargeCard = (name: string, step: number) => {
    const key = `${name} ${step}`
    meant.add(key)
    if (!once.has(key)) once.set(key, crypto.randomUUID())
    return ask('POST', `/api4/invoice/savedCards/${cards.get(name)}/charge`, {
      once: once.get(key),
      amountAgorot: base.get(name as never)! + step,
      description: key,
    })
  }
  for (const round of rounds) {
    const [open, learn] = [await opens(round), await asks(round)]
    const charge: Deed = (name) => chargeCard(name, stepOf(round, name, 6))
    if (isWhole) {
      await killAt(round, any, [open])
      await killAt(round, any, [learn])
      await killAt(round, chargesCard, [charge])
    } else await killAt(round, any, [open, learn, charge])
  }
  if (isWhole) {
    const answering = Promise.all(gateways.map((name) => chargeCard(name, 8).catch(() => undefined)))
    await new Promise((r) => setTimeout(r, 60))
    killGroup(server.child)
    await answering
    server = await launch()
  }
  // Who came back from a form asks again.
  await Promise.all(paying.map((one) => check(...one)))
  // The person who pressed presses again: it is the same charge.
  await Promise.all([...once.keys()].map((key) => chargeCard(key.split(' ')[0]!, Number(key.split(' ')[1]))))
  // Time goes by: forms lapse, what is not known is asked about, until nobody can learn more.
  const charges = () =>
    say<{
      id: string
      state: string
      uid: string
      agorot: string
      paper: string | null
      ask_at: Date | null
      purpose: string
    }>(
      'select id, state, uid, amount_agorot as agorot, paper_id as paper, ask_at, purpose from charges order by amount_agorot',
    )
  for (let hours = 0; hours < (isWhole ? 3 : 1); hours++) {
    await say(`update charge_tries set asked_at = asked_at - interval '2 hours'`)
    await say(
      `update charges set created_at = created_at - interval '2 hours', lapses_at = lapses_at - interval '2 hours', ask_at = now() where ask_at is not null`,
    )
    for (const until = Date.now() + 25_000; Date.now() < until;) {
      const [due] = await say<{ n: number }>('select count(*)::int as n from charges where ask_at <= now()')
      if (due!.n === 0) break
      await new Promise((r) => setTimeout(r, 250))
    }
  }
  // The payers whose form was never shown to them, or lapsed, pay now.
  await Promise.all([...opening].map(([of, { key, step }]) => pays(of.split(' ')[0] as never, step, key)))

  const made = await charges()
  const deals = stands.bank.deals.filter(({ state, isCredit }) => state === 'paid' && !isCredit)
  const troubles: string[] = []
  for (const name of gateways)
    for (let step = 1; step <= 8; step++) {
      const agorot = base.get(name)! + step
      if (!meant.has(`${name} ${step}`)) continue
      const there = deals.filter((deal) => deal.gateway === name && deal.agorot === agorot)
      const ours = made.filter((one) => Number(one.agorot) === agorot)
      const paid = ours.filter(({ state }) => state === 'paid')
      const papers = await say('select id from documents where total_agorot = $1', [agorot])
      const isLost =
        step >= 6 &&
        cannotBeAsked.has(name) &&
        ours.every(({ state }) => state === 'unknown' || state === 'needsPerson')
      const wanted = step <= 5 ? 1 : there.length
      if (there.length > 1 || (step <= 5 && there.length !== 1))
        troubles.push(`${name} ${step}: ${there.length} deals`)
      if (
        !isLost &&
        (paid.length !== wanted || papers.length !== wanted || paid.some(({ paper }) => paper === null))
      )
        troubles.push(
          `${name} ${step}: ${there.length} deals, ${ours.map(({ state }) => state).join()} charges, ${papers.length} papers`,
        )
      if ((step === 6 || step === 7) && there.length !== 1)
        troubles.push(`${name} ${step}: ${there.length} deals of a call that arrived`)
    }
  expect(troubles).toEqual([])
}, 400_000)
