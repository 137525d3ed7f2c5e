import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { asked, liveOn, newScene, type Scene } from '../../../../tests/limits.ts'
import { callAs, raw, startWorld, type World } from '../../../../tests/world.ts'
import { createOrder, getOrder, orderInput } from '#features/money/standingOrders/endpoints.ts'
import { refundCharge } from '#features/money/paymentLinks/endpoints.ts'
import { keepRate } from '#features/registers/rates/endpoints.ts'
import { createDocument } from '#features/sales/documents/endpoints.ts'
import { approve } from './endpoints.ts'

/*
 * Limits are in shekels. What is charged, refunded or issued in another currency is compared at the rate of the day;
 * with no rate, everybody with a limit is refused.
 */

let world: World
let scene: Scene
const at = { time: new Date('2026-03-01T08:00:00Z') }

beforeAll(async () => {
  world = await startWorld(() => at.time)
  world.app.settings.testAcquirer = true
  await asked(world, sql`delete from exchange_rates returning 1`)
})
afterAll(() => world.close())
beforeEach(async () => {
  at.time = new Date('2026-03-01T08:00:00Z')
  scene = await newScene(world)
  await asked(
    world,
    sql`update terminals set currencies = '{ILS,USD,EUR,JPY}' where company_id = ${scene.companyId}
      returning 1`,
  )
})

const rate = (currency: string, one: string) =>
  scene.shop.call(keepRate, { currency, day: '2026-02-27', rate: one })

const order = (token: string, currency: string, price: string) =>
  callAs(
    world,
    createOrder,
    orderInput.parse({
      title: 'מנוי',
      customerId: scene.customerId,
      startDay: '2026-03-01',
      means: 'card',
      cardId: scene.cardId,
      currency,
      documentType: 9,
      chargeToday: true,
      partyKind: 'business',
      lines: [{ description: 'מנוי', unitPrice: price, vatKind: 2 }],
    }) as never,
    { token },
  )

// A limit of 1,000 shekels, a price that is within it as a bare number, and what it is in shekels.
const tooMuch = [
  ['USD', '3.7', '300', 111_000],
  ['EUR', '4.1', '250', 102_500],
] as const
// The same limit and a price that is above it as a bare number, and well within it in shekels.
const little = [
  ['JPY', '0.024', '20000', 48_000],
  ['USD', '0.9', '1100', 99_000],
] as const

test.each(tooMuch)('a standing order in %s at %s waits', async (currency, one, price, ils) => {
  await rate(currency, one)
  const { secret } = await scene.newKey({ sumLimitAgorot: 100_000 })
  const { token } = await scene.worker({ chargeLimitAgorot: 100_000 })
  const { id } = await order(secret, currency, price)
  await order(token, currency, price)
  await liveOn(world, at)
  expect(await scene.charges()).toEqual([])
  const found = (await scene.waiting()).toSorted((a, b) => a.why.localeCompare(b.why))
  expect(found).toMatchObject([
    { why: 'chargeLimit', amountAgorot: ils, limitAgorot: 100_000 },
    { why: 'sumLimit', amountAgorot: ils, limitAgorot: 100_000 },
  ])
  expect(await scene.shop.call(getOrder, { id })).toMatchObject({ state: 'held' })
})

test.each(little)('a standing order in %s at %s is charged', async (currency, one, price) => {
  await rate(currency, one)
  await order((await scene.newKey({ sumLimitAgorot: 100_000 })).secret, currency, price)
  await order((await scene.worker({ chargeLimitAgorot: 100_000 })).token, currency, price)
  await liveOn(world, at)
  // The test acquirer knows shekels only, so what it answers is for a person to look at: both were asked.
  expect(await scene.charges()).toMatchObject([{ currency }, { currency }])
  expect(await scene.waiting()).toEqual([])
})

test('without a rate a limited order waits, and only a person without a limit approves it', async () => {
  await rate('USD', '3.7')
  await order((await scene.newKey({ sumLimitAgorot: 100_000 })).secret, 'USD', '10')
  await asked(world, sql`delete from company_rates where company_id = ${scene.companyId} returning 1`)
  await liveOn(world, at)
  expect(await scene.charges()).toEqual([])
  const [question] = await scene.waiting()
  expect(question).toMatchObject({ why: 'noRate', amountAgorot: null, limitAgorot: 100_000 })
  const bound = await scene.worker({ chargeLimitAgorot: 100_000 })
  const answer = await raw(world, approve, { id: question!.id }, { token: bound.token })
  expect([answer.statusCode, answer.json().code]).toEqual([403, 'approvals.noRate'])
})

test('a key issues no document in dollars above its limit, whatever rate it types', async () => {
  const { secret } = await scene.newKey({ sumLimitAgorot: 100_000 })
  const issue = async (unitPrice: string, typed?: string) => {
    const answer = await raw(
      world,
      createDocument,
      {
        type: 8,
        customerId: scene.customerId,
        currency: 'USD',
        ...(typed ? { rate: typed } : {}),
        lines: [{ description: 'x', unitPrice, vatKind: 4 }],
      } as never,
      { token: secret },
    )
    return answer.statusCode === 201 ? 201 : answer.json().code
  }
  expect(await issue('10', '0.01')).toBe('approvals.noRate')
  await rate('USD', '3.7')
  expect(await issue('300', '0.01')).toBe('kit.keySumLimit')
  expect(await issue('300')).toBe('kit.keySumLimit')
  expect(await issue('200')).toBe(201)
})

test('a refund in dollars counts in shekels, in parts as whole', async () => {
  await rate('USD', '3.7')
  await order(scene.shop.token, 'ILS', '400')
  await liveOn(world, at)
  await vi.waitFor(async () => expect((await scene.charges())[0]?.state).toBe('paid'))
  const [charge] = await asked(
    world,
    sql<{ id: string }>`update charges set currency = 'USD' where company_id = ${scene.companyId}
      returning id`,
  )
  const back = async (token: string, amountAgorot: number) => {
    const answer = await raw(world, refundCharge, { id: charge!.id, amountAgorot, reason: 'טעות' }, { token })
    const body = answer.json()
    return answer.statusCode === 200 ? 200 : (body.errors?.[0]?.code ?? body.code)
  }
  const { secret } = await scene.newKey({ sumLimitAgorot: 100_000 })
  const { token } = await scene.worker({ refundLimitAgorot: 100_000 })
  expect(await back(secret, 30_000)).toBe('kit.keySumLimit')
  expect(await back(token, 30_000)).toBe('paymentLinks.refundBeyondLimit')
  expect(await back(token, 20_000)).toBe(200)
  expect(await back(token, 10_000)).toBe('paymentLinks.refundBeyondLimit')
  await asked(world, sql`delete from company_rates where company_id = ${scene.companyId} returning 1`)
  expect(await back(token, 100)).toBe('approvals.noRate')
  expect(await back(secret, 100)).toBe('approvals.noRate')
})
