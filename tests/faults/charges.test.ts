import type { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { GatewayName } from '#features/money/acquirers/acquirers.ts'
import { startStands, type StandServer } from '#features/money/acquirers/server/gateways/stand/server.ts'
import { buildServer, business, call, endAll, freePort, killGroup, newFolder, poolOf, start } from './machine.ts'

/*
 * A server that is killed at each step of a charge, at each acquirer: as it asks, when the acquirer has done what it was asked and before it answers, and in
 * the moment after the answer. Stand-ins of the acquirers live on beside it. What must hold in the end: a deal at an acquirer is one charge with one paper,
 * a paper of money is one deal, and nobody who asked once was charged twice.
 */
const settings: Record<Exclude<GatewayName, 'test'>, Record<string, string>> = {
  cardcom: { terminalNumber: '1000', apiName: 'name', apiPassword: 'password' },
  tranzila: { terminalName: 'shop', tokenTerminal: 'shoptok', password: 'password', appKey: 'app', secret: 'secret' },
  payplus: { apiKey: 'key', secretKey: 'secret', pageUid: 'a1b2c3d4-e5f6' },
  grow: { userId: 'user-1', pageCode: 'page-1', apiKey: 'key' },
  hyp: { masof: '0010020610', passP: 'pass', key: 'key' },
  pelecard: { terminal: '0962210', user: 'user', password: 'password' },
  icredit: { groupToken: 'group' },
  nedarim: { mosad: '7000297', apiValid: 'valid', apiPassword: 'password' },
  paypal: { clientId: 'client-12345', clientSecret: 'secret', webhookId: 'hook-1' },
}
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
  const launch = () => start(folder, port, 1, { ACQUIRERS_AT: stands.url })
  let server = await launch()
  const { token } = await business(server.url)
  pool = poolOf(folder)
  const say = async <T>(text: string, values: unknown[] = []): Promise<T[]> => (await pool!.query(text, values)).rows as T[]
  await say(`update companies set trades = null, areas_switched = '{}' || areas_switched`)
  const ask = (method: string, path: string, body?: unknown) => call(server.url, method, path, token, body)

  /** Each acquirer takes the sums of a thousand of its own. */
  const base = new Map(gateways.map((name, i) => [name, (i + 1) * 100_000]))
  const customers = new Map<string, string>()
  for (const name of gateways) {
    const made = await ask('POST', '/api4/invoice/terminals', { gateway: name, settings: settings[name] })
    expect(made.status, JSON.stringify(made.body)).toBe(200)
    const from = base.get(name)!
    await ask('PATCH', `/api4/invoice/terminals/${made.body.id}`, { currencies: ['ILS'], fromAgorot: from, toAgorot: from + 100_000 })
    expect((await ask('POST', `/api4/invoice/terminals/${made.body.id}/prove`, {})).body.terminal?.state, name).toBe('proved')
    customers.set(name, (await ask('POST', '/api4/invoice/customers', { name: `לקוח ${name}` })).body.id)
  }

  const link = async (name: keyof typeof settings, step: number) => {
    const made = await ask('POST', '/api4/invoice/paymentLinks', {
      description: `${name} ${step}`,
      amountAgorot: base.get(name)! + step,
      customerId: customers.get(name),
    })
    expect(made.status, JSON.stringify(made.body)).toBe(200)
    return String(made.body.url).split('/').at(-1)!
  }
  const begin = (key: string, keepsCard = false) => ask('POST', `/api2/invoice/payment/${key}/begin`, keepsCard ? { keepsCard } : {})
  /** Where the payer stands: the address itself, or what it leads to. */
  const formOf = async (url: string): Promise<string> => {
    if (url.includes('/cardframe/')) {
      const { body } = await ask('GET', `/api2/invoice/cardframe/${url.split('/').at(-1)}`)
      url = `${body.src}open?${new URLSearchParams(body.post)}`
    }
    return (await fetch(url, { redirect: 'manual' })).headers.get('location') ?? url
  }
  const chargeOf = async (name: string, step: number): Promise<string> =>
    (
      await say<{ id: string }>('select id from charges where amount_agorot = $1 order by created_at desc, id desc limit 1', [
        base.get(name as never)! + step,
      ])
    )[0]!.id
  const check = async (name: string, step: number, key: string, told: string) =>
    ask('POST', `/api2/invoice/payment/${key}/check`, { charge: await chargeOf(name, step), told })
  const pays = async (name: keyof typeof settings, step: number, key: string, keepsCard = false) => {
    const begun = await begin(key, keepsCard)
    if (begun.status !== 200) return begun
    return check(name, step, key, await fillIn(await formOf(begun.body.url)))
  }

  // A card of each, kept with a payment.
  const cards = new Map<string, string>()
  for (const name of gateways) {
    const paid = await pays(name, 1, await link(name, 1), true)
    expect(paid.body.state, `${name} ${JSON.stringify(paid.body)}`).toBe('paid')
    const [card] = await say<{ id: string }>('select id from cards where customer_id = $1', [customers.get(name)])
    expect(card, name).toBeDefined()
    cards.set(name, card!.id)
  }

  /** Lets each acquirer come to a place in its work, holds all of them there, and kills the server. */
  const killAt = async (when: 'before' | 'after', at: RegExp, work: (name: keyof typeof settings) => Promise<unknown>) => {
    const there = new Set<string>()
    let go = () => {}
    const killed = new Promise<void>((done) => (go = done))
    stands.bank.faults = {
      pause: async (where, said) => {
        const [name] = where.split(' ')
        if (said !== when || !at.test(where) || there.has(name!)) return
        there.add(name!)
        await killed
      },
    }
    const asked = Promise.all(gateways.map((name) => work(name).catch(() => undefined)))
    for (const until = Date.now() + 20_000; there.size < gateways.length && Date.now() < until;) await new Promise((r) => setTimeout(r, 50))
    expect([...there].toSorted(), `${when} ${at}`).toEqual(gateways.toSorted())
    killGroup(server.child)
    go()
    stands.bank.faults = {}
    await asked
    server = await launch()
  }

  const any = /./
  // 2, 3: the form is opened. 4, 5: it is paid, and the acquirer is asked. The payer comes back and goes on.
  const opening = new Map<string, string>()
  for (const [step, when] of [
    [2, 'before'],
    [3, 'after'],
  ] as const) {
    for (const name of gateways) opening.set(`${name} ${step}`, await link(name, step))
    await killAt(when, any, (name) => begin(opening.get(`${name} ${step}`)!))
  }
  for (const [step, when] of [
    [4, 'before'],
    [5, 'after'],
  ] as const) {
    const told = new Map<string, string>()
    for (const name of gateways) {
      const key = await link(name, step)
      opening.set(`${name} ${step}`, key)
      // Nobody hears of the payment but by being asked: the notice finds a server that does not listen.
      stands.bank.faults = { isMute: true }
      told.set(name, await fillIn(await formOf((await begin(key)).body.url)))
      stands.bank.faults = {}
    }
    await killAt(when, any, (name) => check(name, step, opening.get(`${name} ${step}`)!, told.get(name)!))
    for (const name of gateways) await check(name, step, opening.get(`${name} ${step}`)!, told.get(name)!)
  }
  // 6, 7: a kept card is charged. 8: the answer is on its way when the server dies.
  const once = new Map<string, string>()
  const chargeCard = (name: string, step: number) => {
    const key = `${name} ${step}`
    if (!once.has(key)) once.set(key, crypto.randomUUID())
    return ask('POST', `/api4/invoice/savedCards/${cards.get(name)}/charge`, {
      once: once.get(key),
      amountAgorot: base.get(name as never)! + step,
      description: key,
    })
  }
  await killAt('before', chargesCard, (name) => chargeCard(name, 6))
  await killAt('after', chargesCard, (name) => chargeCard(name, 7))
  const answering = Promise.all(gateways.map((name) => chargeCard(name, 8).catch(() => undefined)))
  await new Promise((r) => setTimeout(r, 60))
  killGroup(server.child)
  await answering
  server = await launch()
  // Whoever pressed presses again: it is the same charge.
  for (const step of [6, 7, 8]) for (const name of gateways) await chargeCard(name, step)
  // Time goes by: forms lapse, what is not known is asked about, until nobody can learn more.
  const charges = () =>
    say<{ id: string; state: string; uid: string; agorot: string; paper: string | null; ask_at: Date | null; purpose: string }>(
      'select id, state, uid, amount_agorot as agorot, paper_id as paper, ask_at, purpose from charges order by amount_agorot',
    )
  for (let hours = 0; hours < 3; hours++) {
    await say(`update charge_tries set asked_at = asked_at - interval '1 hour'`)
    await say(
      `update charges set created_at = created_at - interval '1 hour', lapses_at = lapses_at - interval '1 hour', ask_at = now() where ask_at is not null`,
    )
    for (const until = Date.now() + 25_000; Date.now() < until;) {
      const [due] = await say<{ n: number }>('select count(*)::int as n from charges where ask_at <= now()')
      if (due!.n === 0) break
      await new Promise((r) => setTimeout(r, 250))
    }
  }
  // The payers whose form was never shown to them, or lapsed, pay now.
  for (const step of [2, 3]) for (const name of gateways) await pays(name, step, opening.get(`${name} ${step}`)!)

  const made = await charges()
  const deals = stands.bank.deals.filter(({ state, isCredit }) => state === 'paid' && !isCredit)
  const troubles: string[] = []
  for (const name of gateways)
    for (let step = 1; step <= 8; step++) {
      const agorot = base.get(name)! + step
      const there = deals.filter((deal) => deal.gateway === name && deal.agorot === agorot)
      const ours = made.filter((one) => Number(one.agorot) === agorot)
      const paid = ours.filter(({ state }) => state === 'paid')
      const papers = await say('select id from documents where total_agorot = $1', [agorot])
      const isLost = step >= 6 && cannotBeAsked.has(name) && ours.every(({ state }) => state === 'unknown' || state === 'needsPerson')
      const wanted = step <= 5 ? 1 : there.length
      if (there.length > 1 || (step <= 5 && there.length !== 1)) troubles.push(`${name} ${step}: ${there.length} deals`)
      if (!isLost && (paid.length !== wanted || papers.length !== wanted || paid.some(({ paper }) => paper === null)))
        troubles.push(`${name} ${step}: ${there.length} deals, ${ours.map(({ state }) => state).join()} charges, ${papers.length} papers`)
      if ((step === 6 || step === 7) && there.length !== 1) troubles.push(`${name} ${step}: ${there.length} deals of a call that arrived`)
    }
  expect(troubles).toEqual([])
}, 400_000)
