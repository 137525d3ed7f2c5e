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
import { asCaller, type Ctx } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import { issueFor } from '#features/money/paymentLinks/server/paper.ts'
import { addTerminal, testPay } from './endpoints.ts'
import { chargeNow, planCardCharge, type CardWish } from './server/charges/card.ts'
import { openPage, planPage } from './server/charges/begin.ts'
import { captureHold, releaseHold } from './server/charges/hold.ts'
import { settleCharge } from './server/charges/ask.ts'
import { registerTestPurpose } from '../../../../tests/purposes.ts'
import { stepOf } from './server/charges/states.ts'
import { cardById, cardsOf, type Card } from './server/cards/card.ts'
import { take } from './server/charges/take.ts'
import { removeCard } from './server/cards/forget.ts'
import { registerCardUser } from './server/cards/users.ts'
import { simulated } from './server/gateways/test/client.ts'
import { sweep } from './server/sweep.ts'

let world: World
let shop: Business
let companyId: string
let customerId: string
let time = new Date()
const told: string[] = []
let isPapered = false

registerTestPurpose('gym', {
  lock: async () => {},
  isDue: async () => true,
  issue: async (ctx, charge) => {
    if (isPapered) return issueFor(ctx, charge, undefined)
    throw new Error('no paper in this test')
  },
  paid: async (_ctx, { our_key: key }) => void told.push(`paid ${key}`),
  failed: async (_ctx, { our_key: key, decline_code: code, decline_class: kind }) =>
    void told.push(`failed ${key} ${code} ${kind}`),
  inDoubt: async (_ctx, { our_key: key, state }) => void told.push(`${state} ${key}`),
  held: async (_ctx, { our_key: key }) => void told.push(`held ${key}`),
  released: async (_ctx, { our_key: key }) => void told.push(`released ${key}`),
})
const removed: string[] = []
registerCardUser({ uses: async () => [], removed: async (_ctx, id) => void removed.push(id) })

beforeAll(async () => {
  world = await startWorld(() => time)
  world.app.settings.testAcquirer = true
})
afterAll(() => world.close())
beforeEach(async () => {
  time = new Date()
  told.length = 0
  Object.assign(simulated, { outage: false, mute: false })
  shop = await newBusiness(world)
  companyId = (await shop.call(mySession, {})).companyId
  await shop.call(addTerminal, { gateway: 'test' })
  customerId = (await shop.customer('כהן')).id
})

const inside = <T>(work: (ctx: Ctx) => Promise<T>) =>
  asCaller(world.app, payersCaller(companyId), '1.2.3.4', work)
const query = async <T>(text: ReturnType<typeof sql<T>>): Promise<T[]> =>
  (await asSystem(world.app.db, (tx) => text.execute(tx))).rows
const later = (minutes: number) => void (time = new Date(time.getTime() + minutes * 60_000))
const subjectId = '00000000-0000-4000-8000-000000000001'

async function keep(number = '4242424242424242'): Promise<Card> {
  const id = await inside((ctx) =>
    planPage(ctx, {
      purpose: 'gym',
      deed: 'card',
      subjectId,
      linkId: null,
      documentId: null,
      customerId,
      agorot: 0,
      consent: 'אני מסכים',
      description: 'מנוי',
      mostInstalments: 1,
      payer: {},
      language: 'he',
      page: 'http://pinkas.test/x',
    }),
  )
  const { url } = await openPage(world.app, companyId, id)
  await callAs(world, testPay, {
    key: url.split('/').at(-1)!,
    number,
    month: 12,
    year: 2040,
    cvv: '123',
  } as never)
  await settleCharge(world.app, companyId, id, 'return')
  return (await inside((ctx) => cardsOf(ctx, customerId)))[0]!
}
const wish = (card: Card, more: Partial<CardWish> = {}): CardWish => ({
  cardId: card.id,
  agorot: 35_000,
  description: 'מנוי נובמבר',
  purpose: 'gym',
  ourKey: 'order:2026-11:1',
  subjectId,
  ...more,
})
const deals = () =>
  query(sql<{ state: string; agorot: number }>`select state, amount_agorot as agorot from test_charges
  where company_id = ${companyId} and deed <> 'card' order by created_at`)

test('a card is kept by its form with the consent of its owner; its token is sealed', async () => {
  const card = await keep()
  expect(card).toMatchObject({
    brand: 'visa',
    last4: '4242',
    expiry: '2040-12',
    state: 'active',
    is_default: true,
    consent: 'אני מסכים',
  })
  const [{ row }] = (await query(
    sql<{ row: string }>`select to_jsonb(c)::text as row from cards c where company_id = ${companyId}`,
  )) as [{ row: string }]
  expect(row).not.toContain('TOK')
  // The same card again takes the place of the first.
  const again = await keep()
  expect(again.id).not.toBe(card.id)
  expect(await inside((ctx) => cardById(ctx, card.id))).toMatchObject({ id: again.id, is_default: true })
  expect(await inside((ctx) => cardsOf(ctx, customerId))).toHaveLength(1)
})

describe('charging a kept card', () => {
  test('moves money once under one key, whoever asks and how often', async () => {
    const card = await keep()
    const all = await Promise.all([1, 2, 3, 4].map(() => chargeCard(world.app, companyId, wish(card))))
    expect(new Set(all.map(({ chargeId }) => chargeId)).size).toBe(1)
    expect(await chargeCard(world.app, companyId, wish(card))).toMatchObject({ state: 'paid' })
    expect(await deals()).toEqual([{ state: 'paid', agorot: 35_000 }])
    expect(told).toEqual(['paid order:2026-11:1'])
  })

  test('that is declined says why; another try takes another key', async () => {
    const card = await keep('4000000000009995')
    expect(await chargeCard(world.app, companyId, wish(card))).toMatchObject({
      state: 'declined',
      declineCode: 'noFunds',
      declineClass: 'soft',
    })
    expect(await chargeCard(world.app, companyId, wish(card, { ourKey: 'order:2026-11:2' }))).toMatchObject({
      state: 'declined',
    })
    expect(told).toEqual(['failed order:2026-11:1 noFunds soft', 'failed order:2026-11:2 noFunds soft'])
    expect(await deals()).toEqual([])
  })

  test('whose answer is lost is unknown, is asked about and never repeated', async () => {
    const card = await keep('4000000000000259')
    const { chargeId, state } = await chargeCard(world.app, companyId, wish(card))
    expect(state).toBe('unknown')
    expect(await chargeCard(world.app, companyId, wish(card))).toMatchObject({ chargeId, state: 'unknown' })
    later(2)
    await sweep(world.app)
    expect(await chargeNow(world.app, companyId, chargeId)).toMatchObject({ state: 'paid' })
    expect(await deals()).toHaveLength(1)
    expect(told).toEqual(['unknown order:2026-11:1', 'paid order:2026-11:1'])
  })

  test('that never left us did not happen, and whose asker died is made by the sweep', async () => {
    const card = await keep()
    simulated.outage = true
    expect(await chargeCard(world.app, companyId, wish(card))).toMatchObject({
      state: 'declined',
      declineCode: 'away',
      declineClass: 'technical',
    })
    simulated.outage = false
    const id = await inside((ctx) => planCardCharge(ctx, wish(card, { ourKey: 'order:2026-12:1' })))
    expect(await deals()).toEqual([])
    later(3)
    await sweep(world.app)
    expect(await chargeNow(world.app, companyId, id)).toMatchObject({ state: 'paid' })
    expect(await deals()).toHaveLength(1)
  })

  test('asked long after it was written down is not given up while its call is on its way', async () => {
    const card = await keep()
    const id = await inside((ctx) => planCardCharge(ctx, wish(card)))
    // The person who wrote it down died, and three weeks later another one asks: it is charged there, and the answer
    // is lost.
    later(20 * 24 * 60)
    simulated.mute = true
    expect(await chargeNow(world.app, companyId, id)).toMatchObject({ state: 'unknown' })
    simulated.mute = false
    // A third one asked a moment before, when nothing was known of it yet.
    await inside((ctx) => take(ctx, id, { is: 'none' }))
    expect(told.at(-1)).toBe('unknown order:2026-11:1')
    later(6)
    await sweep(world.app)
    expect(await chargeNow(world.app, companyId, id)).toMatchObject({ state: 'paid' })
    expect(await deals()).toHaveLength(1)
  })

  test('whose paper failed has it tried again by itself, and is told of it once', async () => {
    const card = await keep()
    const { chargeId } = await chargeCard(world.app, companyId, wish(card))
    for (const minutes of [2, 6, 31, 121, 24 * 60 + 1]) {
      later(minutes)
      await sweep(world.app)
    }
    const [row] = await query(
      sql<{
        asks: number
        due: boolean
      }>`select asks, ask_at > ${time} as due from charges where id = ${chargeId}`,
    )
    expect(row).toEqual({ asks: 6, due: true })
    const failed = await query(
      sql`select 1 from charge_events where charge_id = ${chargeId} and kind = 'paperFailed'`,
    )
    expect(failed).toHaveLength(1)
    isPapered = true
    later(24 * 60 + 1)
    await sweep(world.app)
    isPapered = false
    const [made] = await query(
      sql<{
        paper: boolean
        failure: string
        due: boolean
      }>`select paper_id is not null as paper, paper_failure as failure, ask_at is not null as due
        from charges where id = ${chargeId}`,
    )
    expect(made).toEqual({ paper: true, failure: '', due: false })
  })

  test('that the acquirer knows nothing of long after did not happen', () => {
    const now = {
      state: 'unknown',
      isByCard: true,
      declineCode: '',
      isLapsed: true,
      isSettled: false,
      isHopeless: false,
      hold: 'stands',
    } as const
    expect(stepOf(now, { is: 'none' })).toBeUndefined()
    expect(stepOf({ ...now, isSettled: true }, { is: 'none' })?.to).toBe('declined')
    expect(stepOf(now, { is: 'silence', wasSent: false })).toBeUndefined()
    expect(stepOf({ ...now, isHopeless: true }, { is: 'silence', wasSent: true })?.to).toBe('needsPerson')
    expect(stepOf({ ...now, state: 'declined' }, { is: 'paid' } as never)?.to).toBe('paid')
  })

  test.each([
    ['nothing', { agorot: 0 }, 'kit.badInput'],
    ['another currency', { currency: 'USD' }, 'savedCards.notTaken'],
    ['no card of this business', { cardId: subjectId }, 'kit.notFound'],
  ])('of %s is refused', async (_name, more, code) => {
    const card = await keep()
    await expect(inside((ctx) => planCardCharge(ctx, wish(card, more)))).rejects.toMatchObject({ code })
  })

  test('that is past its month, or removed, is refused by name; what was planned before comes to nothing', async () => {
    const card = await keep()
    const planned = await inside((ctx) => planCardCharge(ctx, wish(card)))
    await inside((ctx) => removeCard(ctx, card.id))
    expect(removed).toContain(card.id)
    expect(await chargeNow(world.app, companyId, planned)).toMatchObject({
      state: 'declined',
      declineCode: 'cardGone',
    })
    await expect(inside((ctx) => planCardCharge(ctx, wish(card, { ourKey: 'x' })))).rejects.toMatchObject({
      code: 'savedCards.gone',
    })
    await world.worker.drain()
    expect(await query(sql`select state, secret_sealed from cards where company_id = ${companyId}`)).toEqual([
      { state: 'removed', secret_sealed: null },
    ])
    expect(await query(sql`select 1 from test_tokens where company_id = ${companyId}`)).toEqual([])
    const next = await keep()
    time = new Date('2041-01-02T10:00:00Z')
    await expect(inside((ctx) => planCardCharge(ctx, wish(next, { ourKey: 'y' })))).rejects.toMatchObject({
      code: 'paymentLinks.cardExpired',
    })
  })
})

test('money that is set aside is taken in part, or let go', async () => {
  const card = await keep()
  const hold = (ourKey: string) => chargeCard(world.app, companyId, wish(card, { ourKey, deed: 'hold' }))
  const first = await hold('h1')
  expect(first.state).toBe('held')
  await expect(captureHold(world.app, companyId, first.chargeId, 35_001)).rejects.toMatchObject({
    code: 'kit.badInput',
  })
  expect(await captureHold(world.app, companyId, first.chargeId, 20_000)).toBe('paid')
  await expect(captureHold(world.app, companyId, first.chargeId, 1)).rejects.toMatchObject({
    code: 'paymentLinks.notHeld',
  })
  const second = await hold('h2')
  expect(await releaseHold(world.app, companyId, second.chargeId)).toBe('released')
  expect(await deals()).toEqual([
    { state: 'paid', agorot: 20_000 },
    { state: 'released', agorot: 35_000 },
  ])
  expect(told).toEqual(['held h1', 'paid h1', 'held h2', 'released h2'])
})
