import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { callAs, newBusiness, raw, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { allRules } from '#kit/describe/session.ts'
import { authorize, orderKinds } from '#kit/server/rights/authority.ts'
import { asCaller, systemCaller } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { switchCompany } from '#features/base/companies/endpoints.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import { addTerminal, testPay } from '#features/money/acquirers/endpoints.ts'
import { beginLink, checkLink, createLink } from '#features/money/paymentLinks/endpoints.ts'
import { bringCard } from '#features/money/savedCards/endpoints.ts'
import {
  chargeNow,
  createOrder,
  getOrder,
  orderInput,
  raiseMany,
} from '#features/money/standingOrders/endpoints.ts'
import { sweep as askAcquirers } from '#features/money/acquirers/server/sweep.ts'
import { sweep } from '#features/money/standingOrders/server/sweep.ts'
import { makeKey, revokeKey } from '#features/open/apiKeys/endpoints.ts'
import {
  createDocument,
  deleteDocument,
  getDocument,
  issueDocument,
} from '#features/sales/documents/endpoints.ts'
import { approve, approveAll, countApprovals, listApprovals, reject } from './endpoints.ts'

/*
 * What is ordered now and happens later, by everybody whose limits it may exceed: the sweeps run, nothing happens
 * beyond the limit, and the question waits.
 */

let world: World
let shop: Business
let companyId: string
let customerId: string
let cardId: string
let time = new Date('2026-03-01T08:00:00Z')

const query = async <T>(text: ReturnType<typeof sql<T>>): Promise<T[]> =>
  (await asSystem(world.app.db, (tx) => text.execute(tx))).rows

beforeAll(async () => {
  world = await startWorld(() => time)
  world.app.settings.testAcquirer = true
})
afterAll(() => world.close())
beforeEach(async () => {
  time = new Date('2026-03-01T08:00:00Z')
  shop = await newBusiness(world)
  companyId = (await shop.call(mySession, {})).companyId
  customerId = (await shop.customer('נעמה ברק', { email: 'naama@example.com' })).id
  await shop.call(addTerminal, { gateway: 'test' })
  const token = crypto.randomUUID()
  await query(sql`insert into test_tokens (company_id, token, deed, brand, last4, expiry)
    values (${companyId}, ${token}, 'approve', 'visa', '4242', '2040-12') returning 1`)
  const card = { customerId, token, expiry: '2040-12', last4: '4242', brand: 'visa', consent: 'טופס' }
  cardId = (await shop.call(bringCard, card)).id
})

const given = (shekels = '500') => ({
  title: 'מנוי',
  customerId,
  startDay: '2026-03-01',
  means: 'card' as const,
  cardId,
  documentType: 9,
  chargeToday: true,
  partyKind: 'business' as const,
  lines: [{ description: 'מנוי', unitPrice: shekels, vatKind: 2 as const }],
})
/** Everything that happens later, until nothing more does. */
async function liveOn(): Promise<void> {
  for (let i = 0; i < 3; i++) {
    await sweep(world.app)
    await world.worker.drain()
    await askAcquirers(world.app)
    time = new Date(time.getTime() + 120_000)
  }
}
const charges = () =>
  query(sql<{ state: string; agorot: number }>`select state, amount_agorot as agorot from charges
    where company_id = ${companyId} order by created_at`)
const papers = () =>
  query(sql<{ type: number }>`select type from documents where company_id = ${companyId}
      and status <> 'draft'`)
const waiting = async (by: { token?: string } = {}) =>
  (await shop.call(listApprovals, { state: 'waiting' }, by)).rows

const newKey = (more: Partial<Parameters<typeof shop.call<typeof makeKey>>[1]>) =>
  shop.call(makeKey, {
    name: 'חנות',
    readOnly: false,
    draftsOnly: false,
    rules: [],
    docsAllow: [],
    sumLimitAgorot: null,
    expiresOn: null,
    ...more,
  })

/** A worker of the shop: another account that works in it. */
async function worker(more: {
  rules?: string[]
  docsAllow?: number[]
  chargeLimitAgorot?: number
}): Promise<{ token: string; userId: string }> {
  const mate = await newBusiness(world)
  const rules = (
    more.rules ?? [
      'standingOrders.see',
      'standingOrders.change',
      'standingOrders.run',
      'savedCards.charge',
      'customers.see',
      'approvals.decide',
    ]
  ).map((name) => allRules().get(name)!)
  const [{ id: userId }] = (await query(sql<{ id: string }>`insert into memberships (company_id, user_id,
      type_id, rules, docs_allow, charge_limit_agorot)
    select ${companyId}, id, 9, ${rules}::int[], ${more.docsAllow ?? []}::int[],
      ${more.chargeLimitAgorot ?? null}
    from users where email = ${mate.email} returning user_id as id`)) as [{ id: string }]
  await mate.call(switchCompany, { id: companyId })
  return { token: mate.token, userId }
}

const order = (token: string, shekels?: string) =>
  callAs(world, createOrder, orderInput.parse(given(shekels)) as never, { token })

describe('a standing order is charged within the limits of who ordered it', () => {
  test.each([
    ['a key with a limit', async () => (await newKey({ sumLimitAgorot: 100 })).secret, 'sumLimit'],
    [
      'a worker with a limit for charges',
      async () => (await worker({ chargeLimitAgorot: 100 })).token,
      'chargeLimit',
    ],
    [
      'a worker with other document types',
      async () => (await worker({ docsAllow: [8] })).token,
      'documentType',
    ],
  ])('%s', async (_who, token, why) => {
    const by = await token()
    const { id } = await order(by)
    await liveOn()
    expect(await papers()).toEqual([])
    const [question] = await waiting()
    expect(question).toMatchObject({ kind: 'standingOrders', why })
    expect(await charges()).toEqual([])
    expect(await shop.call(getOrder, { id })).toMatchObject({ state: 'held', heldWhy: 'approvals.needed' })
    expect(question).toMatchObject({ amountAgorot: 50_000, limitAgorot: why === 'documentType' ? null : 100 })
    expect(question!.title).toContain('נעמה ברק')
    // It is asked once, and rings.
    await liveOn()
    expect(await waiting()).toHaveLength(1)
    expect((await shop.get('/api4/invoice/notifications')).rows).toContainEqual(
      expect.objectContaining({ kind: 'approvals.asked' }),
    )
    await shop.call(approve, { id: question!.id })
    await liveOn()
    // The acquirer is asked behind the commit.
    await vi.waitFor(async () => expect(await charges()).toEqual([{ state: 'paid', agorot: 50_000 }]))
    expect(await papers()).toEqual([{ type: 9 }])
    // Approved is approved: the next month runs under who approved.
    time = new Date('2026-04-01T09:00:00Z')
    await liveOn()
    expect(await charges()).toHaveLength(2)
    expect(await waiting()).toEqual([])
    await expect(shop.call(approve, { id: question!.id })).rejects.toThrow('409 approvals.over')
  })

  test('within the limit it runs', async () => {
    await order((await newKey({ sumLimitAgorot: 50_000 })).secret)
    await order((await worker({ chargeLimitAgorot: 50_000 })).token)
    await liveOn()
    expect((await charges()).map(({ state }) => state)).toEqual(['paid', 'paid'])
    expect(await waiting()).toEqual([])
  })

  test.each([
    [
      'the worker was removed',
      (userId: string) => sql`update memberships set removed_at = now()
      where company_id = ${companyId} and user_id = ${userId} returning 1`,
      'gone',
    ],
    [
      'the worker was blocked',
      (userId: string) => sql`update memberships set blocked_at = now()
      where company_id = ${companyId} and user_id = ${userId} returning 1`,
      'gone',
    ],
    [
      'the worker lost the right',
      (userId: string) => sql`update memberships set rules = '{46}'
      where company_id = ${companyId} and user_id = ${userId} returning 1`,
      'noRight',
    ],
    [
      'the limit of the worker was lowered',
      (userId: string) => sql`update memberships
      set charge_limit_agorot = 1 where company_id = ${companyId} and user_id = ${userId}
      returning 1`,
      'chargeLimit',
    ],
  ])('%s before it was due', async (_what, change, why) => {
    const { token, userId } = await worker({})
    await order(token)
    await query(change(userId))
    await liveOn()
    expect(await charges()).toEqual([])
    expect((await waiting()).map((one) => one.why)).toEqual([why])
  })

  test('a limit that is raised later allows what is ordered later', async () => {
    const { token, userId } = await worker({ chargeLimitAgorot: 100 })
    await order(token)
    await query(sql`update memberships set charge_limit_agorot = 1000000
      where company_id = ${companyId} and user_id = ${userId} returning 1`)
    await liveOn()
    expect(await charges()).toEqual([])
    expect(await waiting()).toMatchObject([{ why: 'chargeLimit', limitAgorot: 100 }])
    await order(token)
    await liveOn()
    expect(await charges()).toHaveLength(1)
  })

  test('a key that was revoked', async () => {
    const key = await newKey({})
    await order(key.secret, '1')
    await liveOn()
    expect(await charges()).toHaveLength(1)
    await shop.call(revokeKey, { id: key.key.id })
    time = new Date('2026-04-01T09:00:00Z')
    await liveOn()
    expect(await charges()).toHaveLength(1)
    expect((await waiting()).map(({ why }) => why)).toEqual(['gone'])
  })

  test('prices that somebody with a limit raised', async () => {
    const { id } = await shop.call(createOrder, orderInput.parse(given('100')))
    await liveOn()
    const { secret } = await newKey({ sumLimitAgorot: 15_000 })
    const { changed } = await callAs(
      world,
      raiseMany,
      { ids: [id], by: { basisPoints: 10_000 }, fromDay: '2026-04-01', notify: false },
      { token: secret },
    )
    expect(changed).toBe(1)
    time = new Date('2026-04-01T09:00:00Z')
    await liveOn()
    expect(await charges()).toHaveLength(1)
    expect(await waiting()).toMatchObject([{ why: 'sumLimit', amountAgorot: 20_000, limitAgorot: 15_000 }])
  })

  test('by hand a person charges within their own limit only', async () => {
    const { id } = await shop.call(
      createOrder,
      orderInput.parse({ ...given(), chargeToday: false, startDay: '2026-03-20' }),
    )
    const { token } = await worker({ chargeLimitAgorot: 100 })
    const answer = await raw(world, chargeNow, { id, start: '2026-03-20' }, { token })
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'approvals.beyondYours'])
    expect(await charges()).toEqual([])
  })

  test('rejected it stays held and is not asked again', async () => {
    const { id } = await order((await newKey({ sumLimitAgorot: 100 })).secret)
    await liveOn()
    const [question] = await waiting()
    await shop.call(reject, { id: question!.id, reason: 'לא הוזמן' })
    await liveOn()
    expect(await waiting()).toEqual([])
    expect(await charges()).toEqual([])
    expect((await shop.call(getOrder, { id })).state).toBe('held')
    expect((await shop.call(listApprovals, { state: 'rejected' })).rows).toMatchObject([
      { id: question!.id, reason: 'לא הוזמן', decidedBy: expect.any(String) },
    ])
  })

  test('nobody approves what they may not do, and keys approve nothing', async () => {
    await order((await newKey({ sumLimitAgorot: 100 })).secret)
    await order((await newKey({ sumLimitAgorot: 200 })).secret)
    await liveOn()
    const [question] = await waiting()
    const { token } = await worker({ chargeLimitAgorot: 100 })
    const refused = async (by: string) => {
      const answer = await raw(world, approve, { id: question!.id }, { token: by })
      return [answer.statusCode, answer.json().code]
    }
    expect(await refused(token)).toEqual([403, 'approvals.beyondYours'])
    expect(await refused((await worker({ rules: ['approvals.decide'] })).token)).toEqual([
      404,
      'kit.notFound',
    ])
    expect(await refused((await worker({ rules: ['customers.see'] })).token)).toEqual([
      403,
      'session.forbidden',
    ])
    expect(await callAs(world, approveAll, { kind: 'standingOrders' }, { token })).toEqual({
      approved: 0,
      left: 2,
    })
    expect(await shop.call(approveAll, { kind: 'standingOrders' })).toEqual({ approved: 2, left: 0 })
    expect(await charges()).toHaveLength(2)
  })
})

describe('a payment link', () => {
  test('takes no more than who made it may issue', async () => {
    const key = await newKey({ sumLimitAgorot: 10_000 })
    const link = (agorot: number) =>
      callAs(world, createLink, { description: 'x', amountAgorot: agorot, customerId } as never, {
        token: key.secret,
      })
    const keyOf = ({ url }: { url: string }) => url.split('/').at(-1)!
    const small = keyOf((await link(5_000)) as never)
    const { url } = await callAs(world, beginLink, { key: small } as never)
    await callAs(world, testPay, {
      key: url.split('/').at(-1)!,
      number: '4242424242424242',
      month: 12,
      year: 2040,
      cvv: '123',
      instalments: 1,
    })
    const [charge] = await query(sql<{ id: string }>`select id from charges where company_id = ${companyId}`)
    await callAs(world, checkLink, { key: small, charge: charge!.id })
    expect(await papers()).toHaveLength(1)
    const large = keyOf((await link(50_000)) as never)
    await expect(callAs(world, beginLink, { key: large } as never)).rejects.toThrow('paymentLinks.off')
    expect(await charges()).toHaveLength(1)
    const [question] = await waiting()
    expect(question).toMatchObject({
      kind: 'paymentLinks',
      effect: 'collect',
      why: 'sumLimit',
      keyName: 'חנות',
    })
    await shop.call(approve, { id: question!.id })
    await callAs(world, beginLink, { key: large } as never)
    expect(await charges()).toHaveLength(2)
  })
})

describe('a draft of a program that may not issue it', () => {
  const draft = { type: 8, lines: [{ description: 'x', unitPrice: '100' }], draft: true }
  const make = async (): Promise<{ id: string }> => {
    const { secret } = await newKey({ draftsOnly: true })
    return callAs(world, createDocument, { ...draft, customerId } as never, { token: secret })
  }

  test('waits, is labelled with its key, and is issued under who approves', async () => {
    const { id } = await make()
    const [question] = await waiting()
    expect(question).toMatchObject({
      kind: 'drafts',
      effect: 'issue',
      why: 'draftsOnly',
      amountAgorot: 11_800,
      documentType: 8,
      keyName: 'חנות',
      href: `/invoice/preview/${id}`,
    })
    expect((await shop.call(listApprovals, { subject: id })).rows).toHaveLength(1)
    expect((await shop.get('/api4/invoice/notifications')).rows).toMatchObject([{ kind: 'approvals.asked' }])
    await shop.call(approve, { id: question!.id })
    expect(await shop.call(getDocument, { id })).toMatchObject({ status: 'issued', number: 1 })
    // The history of the document keeps it for good.
    const { rows } = await shop.get(`/api4/invoice/audit?entity=documents&entityId=${id}`)
    expect(rows.map((row: { action: string }) => row.action)).toContain('approvals.approve')
  })

  test('is asked about no more once a person issued or deleted it', async () => {
    const [one, two] = [await make(), await make()]
    expect(await waiting()).toHaveLength(2)
    await shop.call(issueDocument, { id: one.id })
    await shop.call(deleteDocument, { id: two.id })
    expect(await waiting()).toEqual([])
  })
})

test('whoever may decide is told how much waits of what they see, and nobody else', async () => {
  await order((await newKey({ sumLimitAgorot: 100 })).secret)
  await liveOn()
  const count = (token: string) => callAs(world, countApprovals, {}, { token })
  expect(await shop.call(countApprovals, {})).toEqual({ waiting: 1 })
  expect(await count((await worker({})).token)).toEqual({ waiting: 1 })
  expect(await count((await worker({ docsAllow: [8] })).token)).toEqual({ waiting: 0 })
  expect(await count((await worker({ rules: ['approvals.decide'] })).token)).toEqual({ waiting: 0 })
  await expect(count((await worker({ rules: ['customers.see'] })).token)).rejects.toThrow('403')
  await expect(count((await newKey({})).secret)).rejects.toThrow('403')
  const [question] = await waiting()
  await shop.call(reject, { id: question!.id, reason: '' })
  expect(await shop.call(countApprovals, {})).toEqual({ waiting: 0 })
})

test('every kind of order is known here: what it is called, and who may approve it', async () => {
  // A new kind is a decision: what it may cause later, and who answers for it.
  expect([...orderKinds().keys()].toSorted()).toEqual([
    'accountantPackages',
    'affiliatePayDays',
    'apiKeys',
    'bookingPages',
    'charges',
    'committeePages',
    'committeeReminders',
    'coupons',
    'drafts',
    'payPages',
    'paymentLinks',
    'reminderPlans',
    'reportPlans',
    'shops',
    'signRequests',
    'standingOrders',
  ])
  for (const [kind, { rule }] of orderKinds()) {
    expect(allRules().has(rule), `${kind}: ${rule}`).toBe(true)
    for (const language of ['he', 'en', 'ar', 'ru', 'fr'] as const)
      expect(say(language, `approvals.kinds.${kind}`), language).not.toContain('approvals.')
  }
})

test.each(['issue', 'charge', 'collect', 'refund', 'pay'] as const)(
  'the system does not %s without an order',
  async (effect) => {
    await expect(
      asCaller(world.app, systemCaller(companyId), '', (ctx) => authorize(ctx, effect, { agorot: 1 })),
    ).rejects.toThrow('without an order')
  },
)
