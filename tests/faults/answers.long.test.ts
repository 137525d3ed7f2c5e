import type { ChildProcess } from 'node:child_process'
import type { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
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
  forgetFolder,
  freePort,
  killDatabase,
  killGroup,
  newFolder,
  poolOf,
  prepareFolder,
  start,
} from './machine.ts'

/*
 * An acquirer that cannot be asked again answers after the server began to stop, or while the database is away:
 * its answer is in the books in the end, and nobody has to decide.
 */

const gateway = 'hyp'
const count = 4
let stands: StandServer
let pool: Pool | undefined
beforeAll(async () => {
  buildServer('answers')
  await prepareFolder()
  stands = await startStands()
}, 300_000)
afterEach(async () => {
  stands.bank.faults = {}
  await pool?.end().catch(() => undefined)
  await endAll()
})
afterAll(async () => {
  await stands.close()
  forgetFolder()
})

/** A server with charges that were paid by the form of the acquirer. */
async function paidCharges(folder: string, port: number) {
  const launch = () =>
    start(folder, port, 2, { ACQUIRERS_AT: stands.url, PUBLIC_URL: `http://127.0.0.1:${port}` })
  const server = await launch()
  const { token, customerId } = await business(server.url)
  pool = poolOf(folder)
  const say = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
    (await pool!.query(text, values)).rows as T[]
  await say(`update companies set trades = null, areas_switched = '{}' || areas_switched`)
  const ask = (method: string, path: string, body?: unknown) => call(server.url, method, path, token, body)
  const made = await ask('POST', '/api4/invoice/terminals', { gateway, settings: standOf(gateway)!.settings })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  await ask('POST', `/api4/invoice/terminals/${made.body.id}/prove`, {})
  for (let n = 0; n < count; n++) {
    const link = await ask('POST', '/api4/invoice/paymentLinks', {
      description: `${n}`,
      amountAgorot: 10_000 + n,
      customerId,
    })
    const key = String(link.body.url).split('/').at(-1)!
    const begun = await ask('POST', `/api2/invoice/payment/${key}/begin`, {})
    const url = String(begun.body.url)
    const form = (await fetch(url, { redirect: 'manual' })).headers.get('location') ?? url
    const filled = await fetch(form, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ number: '4242424242424242', month: '12', year: '40', cvv: '123' }),
      redirect: 'manual',
    })
    const told = new URL(filled.headers.get('location') ?? form).search.slice(1)
    const [charge] = await say<{ id: string }>(
      'select id from charges order by created_at desc, id desc limit 1',
    )
    const paid = await ask('POST', `/api2/invoice/payment/${key}/check`, { charge: charge!.id, told })
    expect(paid.body.state, JSON.stringify(paid.body)).toBe('paid')
  }
  const charges = await say<{ id: string; agorot: number }>('select id, amount_agorot as agorot from charges')
  return { server, launch, say, ask, charges }
}

const states = (say: <T>(text: string) => Promise<T[]>) =>
  say<{ state: string; n: number }>(
    'select state, count(*)::int as n from charge_refunds group by state order by state',
  )

/** Holds every refund after the action until it is released; answers when so many are held. */
function holdAnswers(): { there: (n: number) => Promise<void>; go: () => void } {
  let held = 0
  let go = () => {}
  const going = new Promise<void>((done) => (go = done))
  stands.bank.faults = {
    pause: async (where, when) => {
      if (when !== 'after' || !/zikoyAPI|CancelTrans/.test(where)) return
      held++
      await going
    },
  }
  return {
    go,
    there: async (n) => {
      await expect.poll(() => held, { timeout: 60_000 }).toBeGreaterThanOrEqual(n)
    },
  }
}

const ended = (child: ChildProcess) => new Promise<void>((done) => child.once('exit', () => done()))

test(
  'a stop waits for the answers that are on their way, in every process',
  { timeout: 300_000 },
  async () => {
    const [folder, port] = [newFolder(), await freePort()]
    const { server, launch, say, ask, charges } = await paidCharges(folder, port)
    const hold = holdAnswers()
    for (const { id, agorot } of charges)
      await ask('POST', `/api4/invoice/cardCharges/${id}/refund`, {
        amountAgorot: Number(agorot),
        reason: 'returned',
      })
    await hold.there(2)
    const gone = ended(server.child)
    server.child.kill('SIGTERM')
    // It is slow: the answer arrives long after the stop.
    await new Promise((r) => setTimeout(r, 4000))
    hold.go()
    await gone
    // As a supervisor does with what is left of a service.
    try {
      killGroup(server.child)
    } catch {
      // Nothing is left.
    }
    stands.bank.faults = {}
    await launch()
    await pool!.end()
    pool = poolOf(folder)
    await expect
      .poll(() => states(say), { timeout: 120_000, interval: 500 })
      .toEqual([{ state: 'done', n: count }])
  },
)

test(
  'an answer that comes while the database is away is written when it is back',
  { timeout: 300_000 },
  async () => {
    const [folder, port] = [newFolder(), await freePort()]
    const { say, ask, charges } = await paidCharges(folder, port)
    const hold = holdAnswers()
    for (const { id, agorot } of charges)
      await ask('POST', `/api4/invoice/cardCharges/${id}/refund`, {
        amountAgorot: Number(agorot),
        reason: 'returned',
      })
    await hold.there(2)
    killDatabase(folder)
    hold.go()
    await new Promise((r) => setTimeout(r, 500))
    stands.bank.faults = {}
    const again = async () => {
      await pool!.end().catch(() => undefined)
      pool = poolOf(folder)
      return states(say)
    }
    await expect
      .poll(() => again().catch(() => []), { timeout: 120_000, interval: 1000 })
      .toEqual([{ state: 'done', n: count }])
  },
)
