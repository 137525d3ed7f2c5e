import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mailText } from '../../../../tests/letters.ts'
import { addDays, addMonths, dayInJerusalem } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { isBankDay } from '#domain/bankDays.ts'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brandFor, forgetBrands, siteOf } from '#kit/server/outside/brands.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { root } from '#kit/server/settings.ts'
import { sendMailOf } from '#kit/server/outside/mail.ts'
import {
  askReset,
  getTranslateDe,
  mySession,
  setAffiliatesViews,
  useAutoLogin,
} from '#features/base/session/endpoints.ts'
import { signUp } from '#features/base/companies/endpoints.ts'
import { chooseAreas } from '#features/base/modules/endpoints.ts'
import { addTerminal, testPay } from '#features/money/acquirers/endpoints.ts'
import { makeCredits, proposeCredits, saveMasavSettings } from '#features/money/masav/endpoints.ts'
import {
  beginPage,
  checkPage,
  createPage,
  mainPayment,
  openPayPage,
  showPayPage,
} from '#features/money/payPages/endpoints.ts'
import {
  cancelDocument,
  createDocument,
  creditDocument,
  entriesOfDocument,
  getDocument,
  sendingOfDocument,
} from '#features/sales/documents/endpoints.ts'
import {
  callAs,
  dataDir,
  newBusiness,
  newTaxId,
  startWorld,
  verifyAddress,
  type Business,
  type World,
} from '../../../../tests/world.ts'
import { createCanvas } from '@napi-rs/canvas'
import { asCaller, systemCaller } from '#kit/server/context.ts'
import { imageSize } from '#kit/server/paper/image.ts'
import { say } from '#kit/server/words.ts'
import { propose } from '#features/connected/translations/endpoints.ts'
import * as calls from './endpoints.ts'
import { names } from '#kit/server/outside/reach.ts'
import { serveSchedule } from '#kit/server/work/schedules.ts'
import { listNotifications } from '#features/people/bell/endpoints.ts'
import { askBrandsAgain } from './server/askAgain.ts'
import { duePayDays, nextPayDay } from './server/monthly.ts'
import { outside } from './server/prove.ts'
import { afterAsking, askNext, type Standing } from './server/standing.ts'
import { mailKey } from './server/fraud.ts'
import { sweep } from './server/sweep.ts'
import { isMachine } from './server/views.ts'

let world: World
let operator: Business
let operatorId: string
let time = new Date('2026-01-05T08:00:00Z')
let count = 0
const proofOf = async (domain: string): Promise<string> =>
  (await query(sql<{ proof: string }>`select proof from brands where domain = ${domain}`))[0]!.proof
const today = () => dayInJerusalem(time)
const query = async <T>(text: ReturnType<typeof sql<T>>): Promise<T[]> =>
  (await asSystem(world.app.db, (tx) => text.execute(tx))).rows

beforeAll(async () => {
  world = await startWorld(() => time)
  world.app.settings.testAcquirer = true
  operator = await newBusiness(world)
  operatorId = (await operator.call(mySession, {})).companyId
  await operator.call(addTerminal, { gateway: 'test' })
  await operator.call(chooseAreas, { areas: { affiliates: true } })
  const page = await operator.call(createPage, {
    kind: 'subscription',
    texts: { he: { title: 'מסלול עסקי' } },
    items: [
      {
        id: crypto.randomUUID(),
        names: { he: 'מסלול' },
        priceAgorot: 11_700,
        mostQuantity: 1,
        isFixed: true,
      },
    ],
  } as never)
  await operator.call(openPayPage, { id: page.id })
  world.app.settings.billingCompany = operatorId
  await operator.call(calls.savePlan, {
    fromDay: '2026-01-01',
    steps: [
      { from: 1, rateBp: 2000 },
      { from: 3, rateBp: 2750 },
    ],
    months: 10,
    holdDays: 45,
    leastAgorot: 0,
  })
})
afterAll(async () => {
  world.app.settings.billingCompany = undefined
  await world.close()
})

interface Affiliate {
  id: string
  token: string
  email: string
  taxId: string
  call: Business['call']
  code: string
}
async function newAffiliate(more: Record<string, unknown> = {}, isActive = true): Promise<Affiliate> {
  const email = `aff${Date.now()}x${count++}@example.com`
  const taxId = newTaxId()
  const session = await callAs(world, calls.signUpAff, {
    email,
    password: 'a long enough password',
    fullName: 'רון דגן',
    phone: `052-${String(1_000_000 + count)}`,
    business: { name: `דגן שיווק ${count}`, kind: 'licensedDealer', taxId },
    account: {
      bankCode: 12,
      bankBranch: '600',
      bankAccount: String(100_000 + count),
      bankAccountName: 'רון דגן',
    },
    termsAccepted: true,
    selfBilling: true,
    ...more,
  } as never)
  await verifyAddress(world, email)
  expect(session).toMatchObject({ TypeID: 2 })
  const token = session.UserKey
  const call: Business['call'] = (endpoint, input, options) =>
    callAs(world, endpoint, input, { token, ...options })
  if (isActive) await operator.call(calls.setAffiliate, { id: session.CompanyKey, state: 'active' })
  return {
    id: session.CompanyKey,
    token,
    email,
    taxId,
    call,
    code: (await call(calls.myAffiliate, {})).links[0]!.code,
  }
}

async function newClient(
  aff: string,
  more: Record<string, unknown> = {},
  business: Record<string, unknown> = {},
) {
  const session = await callAs(world, signUp, {
    email: `client${Date.now()}x${count++}@example.com`,
    password: 'a long enough password',
    fullName: 'נעמה ברק',
    business: { name: `לקוח ${count}`, kind: 'licensedDealer', taxId: newTaxId(), ...business },
    aff,
    ...more,
  } as never)
  const token = session.UserKey
  const call: Business['call'] = (endpoint, input, options) =>
    callAs(world, endpoint, input, { token, ...options })
  return { id: session.CompanyKey, call }
}

/** Takes up the operator's plan as people do: by its page, with a card. */
async function subscribe(
  client: { call: Business['call'] },
  year: number,
  payer: Record<string, string> = {},
) {
  const url = new URL((await client.call(mainPayment, {})).plans[0]!.url, 'http://x')
  const key = url.pathname.split('/').at(-1)!
  const shown = (await callAs(world, showPayPage, { key })).page as { items: { id: string }[] }
  const begun = (await callAs(world, beginPage, {
    key,
    visit: crypto.randomUUID(),
    lines: [{ id: shown.items[0]!.id, quantity: 1 }],
    payer: { name: 'נעמה ברק', email: `payer${count++}@example.com`, phone: '', taxId: '', ...payer },
    seenAgorot: 11_700,
    agrees: true,
    utm: { utm_business: url.searchParams.get('utm_business') },
  } as never)) as { url: string; chargeId: string }
  await callAs(world, testPay, {
    key: begun.url.split('/').at(-1)!,
    number: '4242424242424242',
    month: 12,
    year,
    cvv: '123',
    instalments: 1,
  })
  await callAs(world, checkPage, { key, charge: begun.chargeId })
  await world.worker.drain()
}
/** Cards that differ, by the year they end with. */
const cards = [2031, 2032, 2033, 2034, 2035]
const ordersOf = (clientId: string) =>
  query(sql<{
    orderId: string
    customerId: string
  }>`select p.order_id as "orderId", p.customer_id as "customerId" from pay_purchases p
    join affiliate_signups s on s.company_id = p.company_id and s.business_key = p.utm ->> 'utm_business'
    where s.client_id = ${clientId} and p.order_id is not null`)

/** A later charge of a plan: its paper, and the turn it belongs to. */
async function charge(clientId: string, no: number, net: string) {
  const [order] = await ordersOf(clientId)
  const paper = await operator.call(createDocument, {
    type: 9,
    customerId: order!.customerId,
    lines: [{ description: 'מסלול עסקי', quantity: '1', unitPrice: net }],
    payments: [
      {
        means: 4,
        amountAgorot: Math.round(Number(net) * 100) + Math.round(Math.round(Number(net) * 100) * 0.18),
      },
    ],
  } as never)
  await query(sql`insert into standing_periods (company_id, order_id, period_start, id, no, period_end,
      due_day, state, document_id)
    values (${operatorId}, ${order!.orderId}, ${today()}, gen_random_uuid(), ${1000 + no}, ${today()},
      ${today()}, 'done', ${paper.id})`)
  return paper
}

/**
 * The last letter that was kept, as it would go out, or the last to somebody: others of one moment stand in
 * any order.
 */
const lastLetter = (to = ''): string => {
  const folder = `${dataDir}/mail`
  const letters = readdirSync(folder)
    .toSorted()
    .map((file) => readFileSync(`${folder}/${file}`, 'utf8'))
  return letters.findLast((letter) => letter.includes(to))!
}

describe('views and links', () => {
  test('a link is counted by day for people alone; machines and links nobody has count nothing', async () => {
    const affiliate = await newAffiliate()
    const see = (data: string, agent: string) =>
      world.http.inject({
        method: 'POST',
        url: setAffiliatesViews.path,
        payload: { data },
        headers: { 'user-agent': agent },
      })
    const people =
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0 Safari/537.36'
    for (const agent of [
      people,
      people,
      'Mozilla/5.0 (compatible; Googlebot/2.1)',
      'WhatsApp/2.23',
      '',
      'curl/8.5',
    ])
      expect((await see(affiliate.code, agent)).statusCode).toBe(200)
    await see('nobodyhasit', people)
    expect((await affiliate.call(calls.myAffiliate, {})).links).toMatchObject([{ views: 2, signUps: 0 }])
    const { id, url } = await affiliate.call(calls.makeLink, { name: 'ניוזלטר' })
    expect(url).toContain('/signupinvoice?aff=')
    await affiliate.call(calls.dropLink, { id })
    await newClient(new URL(url).searchParams.get('aff')!)
    expect((await affiliate.call(calls.myAffiliate, {})).signUps).toEqual([])
  })

  test.each([
    ['Mozilla/5.0 (Macintosh) AppleWebKit/605 Version/17 Safari/605', false],
    ['Mozilla/5.0 (Linux; Android 14) Chrome/120 Mobile', false],
    ['facebookexternalhit/1.1', true],
    ['Mozilla/5.0 HeadlessChrome/120', true],
    ['bingbot/2.0', true],
  ])('%s is a machine: %s', (agent, is) => expect(isMachine(agent)).toBe(is))

  test('mails that are one mailbox', () => {
    expect(mailKey('Ron.Dagan+pinkas@googlemail.com')).toBe(mailKey('rondagan@gmail.com'))
    expect(mailKey('ron.dagan@example.com')).not.toBe(mailKey('rondagan@example.com'))
  })

  test('an affiliate sees his own page and nothing of anybody’s business; others see none of his', async () => {
    const [one, other] = [await newAffiliate(), await newAffiliate()]
    await expect(one.call(calls.listAffiliates, {})).rejects.toMatchObject({ code: 'session.forbidden' })
    const { links } = await other.call(calls.myAffiliate, {})
    await expect(one.call(calls.dropLink, { id: links[0]!.id })).rejects.toMatchObject({ status: 404 })
    const stranger = await newBusiness(world)
    await expect(stranger.call(calls.myAffiliate, {})).rejects.toMatchObject({ code: 'kit.areaOff' })
    await stranger.call(chooseAreas, { areas: { affiliates: true } })
    await expect(stranger.call(calls.myAffiliate, {})).rejects.toMatchObject({ status: 404 })
    expect(await stranger.call(calls.listAffiliates, {})).toMatchObject({ isOperator: false, rows: [] })
    for (const deed of [
      () => stranger.call(calls.payAffiliates, { ids: [one.id] }),
      () => stranger.call(calls.setAffiliate, { id: one.id, state: 'stopped' }),
      () => stranger.call(calls.decideSignup, { clientId: one.id, counts: true, reason: 'abc' }),
    ])
      await expect(deed()).rejects.toMatchObject({ status: 404 })
  })
})

describe('what is held', () => {
  const reasonsOf = async (clientId: string) =>
    (await operator.call(calls.listAffiliates, {})).held.find((one) => one.clientId === clientId)?.reasons
  test('the affiliate’s own mailbox, phone and number, at the sign-up', async () => {
    const affiliate = await newAffiliate()
    const own = await newClient(
      affiliate.code,
      { email: affiliate.email.replace('@', '+2@') },
      { taxId: affiliate.taxId },
    )
    expect(await reasonsOf(own.id)).toEqual(['ownMail', 'ownTaxId'])
    const [{ phone }] = (await query(
      sql<{ phone: string }>`select phone from companies where id = ${affiliate.id}`,
    )) as [{ phone: string }]
    const byPhone = await newClient(affiliate.code, { phone: phone.replace('0', '+972-') })
    expect(await reasonsOf(byPhone.id)).toEqual(['ownPhone'])
    expect((await affiliate.call(calls.myAffiliate, {})).signUps.map((one) => one.state)).toEqual([
      'held',
      'held',
    ])
  })

  test('a plan that was paid before addresses were verified counts as proof of its owner’s address', async () => {
    const affiliate = await newAffiliate()
    const [paid, free] = [await newClient(affiliate.code), await newClient(affiliate.code)]
    await subscribe(paid, cards[0]!)
    const statement = readFileSync(join(root, 'db/migrations/0453-devices-and-evidence.sql'), 'utf8').match(
      /^update users u set[^;]*;/m,
    )![0]
    await query(sql`update migrations set timestamp = ${new Date().toISOString()}
      where name = '0438-identity'`)
    await query(sql.raw(statement))
    const verified = async ({ call }: { call: Business['call'] }) => (await call(mySession, {})).emailVerified
    expect([await verified(paid), await verified(free)]).toEqual([true, false])
  })

  test('the same card and the same bank account, when it pays; looked at, it counts, and refused, it never does', async () => {
    const affiliate = await newAffiliate()
    // The affiliate also uses the product, with this card.
    await query(sql`update memberships set type_id = 4, rules = '{}' where company_id = ${affiliate.id}`)
    await subscribe(affiliate, cards[0]!)
    await query(
      sql`update memberships set type_id = 2, rules = '{320,322}' where company_id = ${affiliate.id}`,
    )
    const client = await newClient(affiliate.code)
    await subscribe(client, cards[0]!)
    const clean = await newClient(affiliate.code)
    await subscribe(clean, cards[1]!)
    const banked = await newClient(affiliate.code)
    await query(sql`insert into bank_accounts (company_id, id, name, bank_code, branch, number, account_id)
      select ${banked.id}, gen_random_uuid(), 'עו״ש', 12, '600', a.bank_account,
      (select id from accounts where company_id = ${banked.id} limit 1) from affiliates a
      where a.affiliate_id = ${affiliate.id}`)
    await subscribe(banked, cards[2]!)
    await sweep(world.app)
    expect(await reasonsOf(client.id)).toEqual(['sameCard'])
    expect(await reasonsOf(clean.id)).toBeUndefined()
    expect(await reasonsOf(banked.id)).toEqual(['sameBank'])
    const net = Math.round(11_700 / 1.18)
    const before = (await affiliate.call(calls.myAffiliate, {})).figures
    expect(before).toMatchObject({ signUps: 3, paying: 3, waitingAgorot: expect.any(Number) })
    expect(before.heldAgorot).toBeGreaterThan(0)
    await operator.call(calls.decideSignup, {
      clientId: client.id,
      counts: true,
      reason: 'שותפים לעסק, נבדק',
    })
    await operator.call(calls.decideSignup, { clientId: banked.id, counts: false, reason: 'חשבון שלו' })
    await sweep(world.app)
    // Not held for the same reason again.
    expect(await reasonsOf(client.id)).toBeUndefined()
    const after = (await affiliate.call(calls.myAffiliate, {})).figures
    expect(after.heldAgorot).toBe(0)
    expect(after.paying).toBe(2)
    // Two at the first step.
    expect(after.earnedAgorot).toBe(2 * Math.round(net * 0.2))
  })
})

describe('paying out', () => {
  test.each([
    [10, '2026-03-05', '2026-03-10'],
    [10, '2026-03-10', '2026-04-10'],
    [28, '2026-02-28', '2026-03-28'],
    [1, '2026-12-31', '2027-01-01'],
  ])('the %d. of a month after %s is %s', (day, after, next) => expect(nextPayDay(day, after)).toBe(next))

  test('writes the invoice in his stead; a Masav run pays it, what a credit took back goes off the next', async () => {
    const affiliate = await newAffiliate()
    const client = await newClient(affiliate.code)
    await subscribe(client, cards[3]!)
    await sweep(world.app)
    await expect(operator.call(calls.payAffiliates, { ids: [affiliate.id] })).rejects.toMatchObject({
      code: 'affiliates.nothingDue',
    })
    time = new Date(time.getTime() + 46 * 86_400_000)
    const [paper] = (await operator.call(calls.payAffiliates, { ids: [affiliate.id] })).rows
    const amount = Math.round(Math.round(11_700 / 1.18) * 0.2)
    expect(paper).toMatchObject({ amountAgorot: amount })
    const document = await operator.call(getDocument, { id: paper!.documentId })
    expect(document).toMatchObject({
      type: 12,
      status: 'issued',
      totals: { totalAgorot: amount + Math.round(amount * 0.18), vatAgorot: Math.round(amount * 0.18) },
    })
    // The expense and its VAT, the affiliate owed without the VAT that is ours to pay.
    const sides = (await operator.call(entriesOfDocument, { id: paper!.documentId })).rows
    expect(sides.reduce((sum, row) => sum + row.debitAgorot - row.creditAgorot, 0)).toBe(0)
    expect(sides.find((row) => row.number === '2000')).toMatchObject({ creditAgorot: amount })
    // Paid once, however often it is asked.
    await expect(operator.call(calls.payAffiliates, { ids: [affiliate.id] })).rejects.toMatchObject({
      code: 'affiliates.nothingDue',
    })
    expect((await affiliate.call(calls.myAffiliate, {})).payouts).toMatchObject([
      { amountAgorot: amount, state: 'waiting' },
    ])

    await operator.call(saveMasavSettings, { institution: '12345678', sender: '12345', code: 'A' })
    const until = addMonths(today(), 3)
    const proposal = (await operator.call(proposeCredits, { until })).rows.find((row) =>
      row.bills.some((bill) => bill.openAgorot === amount),
    )!
    expect(proposal).toMatchObject({ bank: '12', branch: '600', hindrance: null })
    await operator.call(makeCredits, {
      payDay: Array.from({ length: 12 }, (_, n) => addDays(today(), n)).find(isBankDay)!,
      suppliers: [{ supplierId: proposal.supplierId, bills: proposal.bills.map(({ id }) => ({ id })) }],
    } as never)
    expect((await affiliate.call(calls.myAffiliate, {})).payouts).toMatchObject([{ state: 'paid' }])

    // The operator gives the payment back: what was paid for it goes off what is next.
    const [earned] = await query(
      sql<{ id: string }>`select document_id as id from affiliate_commissions where client_id = ${client.id}`,
    )
    await operator.call(creditDocument, { id: earned!.id, reason: 'ביטול עסקה' } as never)
    await sweep(world.app)
    expect((await affiliate.call(calls.myAffiliate, {})).figures).toMatchObject({
      dueAgorot: -amount,
      earnedAgorot: 0,
      paidAgorot: amount,
    })
    await charge(client.id, 1, '500')
    await sweep(world.app)
    time = new Date(time.getTime() + 46 * 86_400_000)
    const next = (await operator.call(calls.payAffiliates, { ids: [affiliate.id] })).rows
    expect(next).toMatchObject([{ amountAgorot: 10_000 - amount }])
    // A cancelled invoice pays nobody: all of it waits again.
    await operator.call(cancelDocument, { id: next[0]!.documentId, reason: 'סכום שגוי' })
    await sweep(world.app)
    expect((await affiliate.call(calls.myAffiliate, {})).figures).toMatchObject({
      dueAgorot: 10_000 - amount,
      paidAgorot: amount,
    })
  })

  test('on its day of each month what is due is invoiced by itself, once; who is left out, and why, is said', async () => {
    const [paid, bare, moved] = [await newAffiliate(), await newAffiliate(), await newAffiliate()]
    for (const [i, one] of [paid, bare, moved].entries()) await subscribe(await newClient(one.code), 2036 + i)
    await sweep(world.app)
    time = new Date(time.getTime() + 46 * 86_400_000)
    while (Number(today().slice(8)) > 27) time = new Date(time.getTime() + 86_400_000)
    const cardOf = (one: Affiliate) =>
      sql`(select supplier_id from affiliates where affiliate_id = ${one.id})`
    await query(
      sql`update parties set bank_account = null, bank_branch = null, bank_code = null
        where id = ${cardOf(bare)}`,
    )
    await query(
      sql`update parties set bank_changed_at = ${new Date(time.getTime() - 5 * 86_400_000)}
        where id = ${cardOf(moved)}`,
    )
    await expect(operator.call(calls.setPayDay, { day: 29 })).rejects.toMatchObject({
      errors: [{ path: 'day', code: 'fields.most' }],
    })
    const on = addDays(today(), 1)
    expect(await operator.call(calls.setPayDay, { day: Number(on.slice(8)) })).toEqual({ nextOn: on })
    const night = async () => {
      await query(sql`update affiliate_pay_days set leased_until = null`)
      return serveSchedule(world.app, duePayDays)
    }
    const mine = async () => {
      const { payouts, leftOut, monthly } = await operator.call(calls.listAffiliates, {})
      const names = new Map(
        (
          await query(
            sql<{
              id: string
              name: string
            }>`select id, name from companies where id in (${paid.id}, ${bare.id}, ${moved.id})`,
          )
        ).map(({ id, name }) => [name, id]),
      )
      return {
        paid: payouts.flatMap((row) => names.get(row.affiliate) ?? []),
        left: leftOut
          .filter((row) => [paid.id, bare.id, moved.id].includes(row.affiliateId))
          .map((row) => [row.affiliateId, row.outcome]),
        monthly,
      }
    }
    // The day before nothing goes.
    expect(await night()).toBe(0)
    time = new Date(`${on}T08:00:00Z`)
    expect(await night()).toBeGreaterThan(3)
    const next = addMonths(on, 1)
    const first = await mine()
    expect(first.paid).toEqual([paid.id])
    expect(first.left).toEqual(
      [
        [bare.id, 'noAccount'],
        [moved.id, 'accountChanged'],
      ].toSorted(([a], [b]) => (a! < b! ? -1 : 1)),
    )
    expect(first.monthly).toEqual({ day: Number(on.slice(8)), nextOn: next })
    expect((await paid.call(calls.myAffiliate, {})).payouts).toMatchObject([{ state: 'waiting' }])
    const bell = (await operator.call(listNotifications, {})).rows.find(
      ({ kind }) => kind === 'affiliates.paidOut',
    )
    expect(bell?.params).toMatchObject({ left: 2 })
    // Once, however often it is looked at.
    expect(await night()).toBe(0)
    // Somebody looked at the account, and paid by press.
    await operator.call(calls.payAffiliates, { ids: [moved.id] })
    expect((await mine()).left).toEqual([[bare.id, 'noAccount']])
    // The month after only those who are owed have a turn.
    time = new Date(`${next}T08:00:00Z`)
    await night()
    expect((await mine()).left).toEqual([[bare.id, 'noAccount']])
    expect(await operator.call(calls.setPayDay, { day: null })).toEqual({ nextOn: null })
    expect((await mine()).monthly).toBeNull()
    const stranger = await newBusiness(world)
    await expect(stranger.call(calls.setPayDay, { day: 1 })).rejects.toMatchObject({
      code: expect.stringMatching(/kit\.(notFound|areaOff)/),
    })
  })

  test('who is not agreed to, is stopped or has no number is not paid; a known supplier’s account is not taken over by a stranger', async () => {
    const asked = await newAffiliate({}, false)
    await expect(operator.call(calls.payAffiliates, { ids: [asked.id] })).rejects.toMatchObject({
      code: 'affiliates.notActive',
    })
    const unnamed = await newAffiliate()
    await query(sql`update parties set tax_id = null where company_id = ${operatorId}
      and tax_id = ${unnamed.taxId}`)
    await expect(operator.call(calls.payAffiliates, { ids: [unnamed.id] })).rejects.toMatchObject({
      status: 422,
      code: 'affiliates.noTaxId',
    })
    const taxId = newTaxId()
    const { id: supplierId } = await operator.send<{ id: string }>('POST', '/api4/invoice/suppliers', {
      name: 'ספק ותיק',
      taxId,
      bankCode: 10,
      bankBranch: '800',
      bankAccount: '55555',
    })
    const other = await newAffiliate({ business: { name: 'מתחזה', kind: 'company', taxId } })
    const row = (await operator.call(calls.listAffiliates, {})).rows.find(({ id }) => id === other.id)
    expect(row).toMatchObject({ supplierId, accountDiffers: true })
    expect((await operator.get(`/api4/invoice/suppliers/${supplierId}`)).bankAccount).toBe('55555')
    await other.call(calls.saveAccount, {
      bankCode: 11,
      bankBranch: '1',
      bankAccount: '777',
      password: 'a long enough password',
    } as never)
    expect((await operator.get(`/api4/invoice/suppliers/${supplierId}`)).bankAccount).toBe('55555')
    // The affiliate's supplier card follows, with the warning.
    const mine = await newAffiliate()
    await mine.call(calls.saveAccount, {
      bankCode: 11,
      bankBranch: '1',
      bankAccount: '777',
      password: 'a long enough password',
    } as never)
    expect(
      (await operator.call(calls.listAffiliates, {})).rows.find(({ id }) => id === mine.id),
    ).toMatchObject({
      accountChanged: true,
      accountDiffers: false,
    })
    await expect(
      mine.call(calls.saveAccount, {
        bankCode: 11,
        bankBranch: '1',
        bankAccount: '778',
        password: 'wrong',
      } as never),
    ).rejects.toMatchObject({ code: 'session.wrongPassword' })
  })
})

describe('a dealer’s brand', () => {
  test('is worn by who signs up on its domain: his business, letters from its sender, its prices, its name on papers', async () => {
    const dealer = await newAffiliate()
    const domain = `books${count}.buzz.example`
    const save = (more: Record<string, unknown> = {}) =>
      operator.call(calls.saveBrand, {
        domain,
        name: 'באזז כספים',
        accent: '#7a1fa2',
        mailFrom: 'office@buzz.example',
        supportEmail: 'help@buzz.example',
        dealerId: dealer.id,
        ...more,
      } as never)
    await save()
    expect((await callAs(world, mySession, {}, { token: dealer.token })).dealerID).toBeGreaterThan(0)
    const seen = await callAs(world, getTranslateDe, { lang: 'he', domain, groups: '' })
    expect(seen).toMatchObject({ isDealer: true, name: 'באזז כספים', support: 'help@buzz.example' })
    const style = await world.http.inject({ method: 'GET', url: seen.styleurl })
    expect(style.body).toContain('--accent:#7a1fa2')
    // Credited to this dealer, no matter who else sent the person here.
    const other = await newAffiliate()
    const client = await newClient(other.code, { domain })
    expect((await other.call(calls.myAffiliate, {})).signUps).toEqual([])
    const { brand } = await dealer.call(calls.myAffiliate, {})
    expect(brand).toMatchObject({
      domain,
      businesses: [{ id: client.id, people: 1, isPaying: false, earnedAgorot: 0 }],
    })
    // Saved again the dealer keeps the number and the link.
    const before = (await dealer.call(calls.myAffiliate, {})).links.length
    await save({ name: 'באזז פיננסים' })
    expect((await dealer.call(calls.myAffiliate, {})).links).toHaveLength(before)
    const business = await brandFor(world.app, client.id)
    expect(business).toMatchObject({ name: 'באזז פיננסים', mailFrom: 'office@buzz.example' })
    await sendMailOf(
      { app: world.app, companyId: client.id },
      { to: 'x@example.com', subject: 'שלום', text: 'מכתב' },
    )
    // Its sender's address only once its owner said so; its name and its support at once.
    expect(lastLetter()).not.toMatch(/office@buzz\.example/)
    names.texts = async (host) => [`pinkas-sender=${host === 'buzz.example' ? await proofOf(domain) : ''}`]
    expect(await operator.call(calls.proveBrand, { domain })).toEqual({ site: false, mail: true })
    await sendMailOf(
      { app: world.app, companyId: client.id },
      { to: 'x@example.com', subject: 'שלום', text: 'מכתב' },
    )
    expect(lastLetter()).toMatch(/From: .*<office@buzz\.example>/)
    expect(lastLetter()).toMatch(/Reply-To: .*help@buzz\.example/)
    // A page that a brand offers is offered nowhere else, and under it no other is.
    const plain = await newBusiness(world)
    const titles = async (who: { call: Business['call'] }) =>
      (await who.call(mainPayment, {})).plans.map(({ title }) => title)
    expect(await titles(client)).toEqual(['מסלול עסקי'])
    const page = await operator.call(createPage, {
      kind: 'subscription',
      texts: { he: { title: 'מסלול באזז' } },
      items: [
        {
          id: crypto.randomUUID(),
          names: { he: 'מסלול' },
          priceAgorot: 9_900,
          mostQuantity: 1,
          isFixed: true,
        },
      ],
    } as never)
    await operator.call(openPayPage, { id: page.id })
    await save({ pageIds: [page.id] })
    expect(await titles(client)).toEqual(['מסלול באזז'])
    expect(await titles(plain)).toEqual(['מסלול עסקי'])
    await expect(save({ domain: 'no domain' })).rejects.toMatchObject({
      errors: [{ path: 'domain', code: 'fields.domain' }],
    })
    await expect(save({ pageIds: ['01900000-0000-7000-8000-000000000000'] })).rejects.toMatchObject({
      status: 404,
    })
  })
})

describe('what a brand says and where it leads', () => {
  const proved = outside.site
  afterAll(() => {
    outside.site = proved
  })

  test('its own words are in screens, letters and papers of its businesses, and in nobody else’s', async () => {
    const dealer = await newAffiliate()
    const domain = `words${count}.buzz.example`
    await operator.call(calls.saveBrand, { domain, name: 'באזז', dealerId: dealer.id } as never)
    const client = await newClient('', { domain })
    const plain = await newBusiness(world)
    world.app.settings.translators = [operator.email.toLowerCase()]
    const own = (key: string, text: string) => operator.call(propose, { domain, key, language: 'he', text })
    await own('team.mail.subject', 'באזז מזמין אתכם אל {business}')
    await own('documents.types.taxInvoice', 'חשבונית של באזז')
    world.app.settings.translators = []
    const said = (companyId: string) =>
      asCaller(world.app, systemCaller(companyId), '', async () => [
        say('he', 'team.mail.subject', { business: 'x' }).replace(/[\u2068\u2069]/g, ''),
        say('he', 'session.resetSms', { code: '1' }).replace(/[\u2068\u2069]/g, ''),
      ])
    expect(await said(client.id)).toEqual([
      'באזז מזמין אתכם אל x',
      'קוד האימות ל־באזז: 1. תקף ל־10 דקות. אין למסור אותו לאיש.',
    ])
    const [subject, sms] = await said((await plain.call(mySession, {})).companyId)
    expect(subject).not.toContain('באזז')
    expect(sms).toContain('פנקס')
    expect((await callAs(world, getTranslateDe, { lang: 'he', domain, groups: '' })).words).toMatchObject({
      'documents.types.taxInvoice': 'חשבונית של באזז',
    })
    // A text whose gaps are no longer those of the product would be said with holes.
    await query(
      sql`update translation_proposals set text = 'באזז {gone}'
        where domain = ${domain} and key = 'team.mail.subject'`,
    )
    forgetBrands(world.app)
    expect((await said(client.id))[0]).toBe(subject)
  })

  test('every link of its businesses leads to its domain once that was seen to lead here, of letters as of papers', async () => {
    const dealer = await newAffiliate()
    const domain = `links${count}.buzz.example`
    await operator.call(calls.saveBrand, { domain, name: 'באזז', dealerId: dealer.id } as never)
    const client = await newClient('', { domain })
    const linkOf = () => asCaller(world.app, systemCaller(client.id), '', async (ctx) => siteOf(ctx.app))
    const ours = world.app.publicUrl()
    expect(await linkOf()).toBe(ours)
    // Somebody else answers there, or nobody.
    outside.site = async () => '<html>parked</html>'
    expect(await operator.call(calls.proveBrand, { domain })).toEqual({ site: false, mail: false })
    expect(await linkOf()).toBe(ours)
    outside.site = async (_ctx, host) =>
      (await world.http.inject({ method: 'POST', url: '/api/user/brandproof', payload: { domain: host } }))
        .body
    expect(await operator.call(calls.proveBrand, { domain })).toEqual({ site: true, mail: false })
    expect(await linkOf()).toBe(`https://${domain}`)
    expect(
      (await dealer.call(calls.myAffiliate, {})).links.map(({ url }) => new URL(url).hostname),
    ).toContain(domain)
    const quote = await client.call(createDocument, {
      type: 1,
      customer: { name: 'לקוח', email: 'buyer@example.com' },
      lines: [{ description: 'שירות', quantity: '1', unitPrice: '100' }],
    } as never)
    const ready = await client.call(sendingOfDocument, { id: quote.id })
    for (const text of [ready.texts.mail, ready.texts.sms, ready.texts.whatsApp])
      expect(text).toContain(`https://${domain}/paymentdoc/`)
    // A new password for a person of its businesses, who is nowhere logged in.
    const { email } = (
      await query(
        sql<{
          email: string
        }>`select u.email from users u join memberships m on m.user_id = u.id
          where m.company_id = ${client.id}`,
      )
    )[0]!
    await callAs(world, askReset, { email })
    await world.worker.drain()
    expect(mailText(lastLetter())).toContain(`https://${domain}/reset-password`)
    // What no longer leads here is led to no more.
    outside.site = async () => ''
    await operator.call(calls.proveBrand, { domain })
    expect(await linkOf()).toBe(ours)
  })

  test('a dealer is let into his own page on its domain, once, within a minute, and nobody else asks for it', async () => {
    const dealer = await newAffiliate()
    const domain = `way${count}.buzz.example`
    await operator.call(calls.saveBrand, { domain, name: 'באזז', dealerId: dealer.id } as never)
    outside.site = async (_ctx, host) =>
      (await world.http.inject({ method: 'POST', url: '/api/user/brandproof', payload: { domain: host } }))
        .body
    await operator.call(calls.proveBrand, { domain })
    const { url, seconds } = await dealer.call(calls.dealerWayIn, {})
    expect([new URL(url).origin, new URL(url).pathname, seconds]).toEqual([
      `https://${domain}`,
      '/autologin',
      60,
    ])
    const token = url.split('#')[1]!
    // Who is logged in as somebody else does not become the dealer.
    await expect(callAs(world, useAutoLogin, { token }, { token: operator.token })).rejects.toMatchObject({
      code: 'session.autoOther',
    })
    const entered = await callAs(world, useAutoLogin, { token })
    expect(entered).toMatchObject({ CompanyKey: dealer.id, TypeID: 2, path: '/invoice/main' })
    await expect(callAs(world, useAutoLogin, { token })).rejects.toMatchObject({ code: 'session.autoUsed' })
    const late = (await dealer.call(calls.dealerWayIn, {})).url.split('#')[1]!
    await query(sql`update auto_logins set expires_at = now() - interval '1 second' where used_at is null`)
    await expect(callAs(world, useAutoLogin, { token: late })).rejects.toMatchObject({
      code: 'session.autoEnded',
    })
    // The session is limited: of the businesses under the brand the dealer has numbers, no books.
    const client = await newClient('', { domain })
    for (const path of ['documents', 'customers', 'journal/facts'])
      expect(
        (
          await world.http.inject({
            method: 'GET',
            url: `/api4/invoice/${path}`,
            headers: { 'x-access-token': entered.UserKey },
          })
        ).statusCode,
      ).toBeGreaterThanOrEqual(400)
    expect(JSON.stringify(await dealer.call(calls.myAffiliate, {}))).toContain(client.id)
    const log = await query(
      sql<{
        made: string
        action: string
      }>`select action, after->>'madeIn' as made from audit_log where company_id = ${dealer.id}
          and action like 'session.autoLogin%' order by at`,
    )
    expect(log.map(({ action, made }) => [action, made])).toContainEqual(['session.autoLoginMade', 'dealer'])
    expect(log.map(({ action }) => action)).toContain('session.autoLogin')
    await expect((await newAffiliate()).call(calls.dealerWayIn, {})).rejects.toMatchObject({ status: 404 })
  })

  test('its logo is drawn anew, shown before log-in and stands in its letters; what is no picture is refused', async () => {
    const dealer = await newAffiliate()
    const domain = `logo${count}.buzz.example`
    await operator.call(calls.saveBrand, { domain, name: 'באזז', dealerId: dealer.id } as never)
    const client = await newClient('', { domain })
    const canvas = createCanvas(2000, 500)
    canvas.getContext('2d').fillRect(0, 0, 2000, 500)
    const given = Buffer.concat([canvas.toBuffer('image/png'), Buffer.from('<script>hidden</script>')])
    await operator.call(calls.setBrandLogo, { domain, bytes: given } as never)
    const { logo } = await callAs(world, getTranslateDe, { lang: 'he', domain, groups: '' })
    const shown = await world.http.inject({ method: 'GET', url: logo })
    expect(shown.headers['content-type']).toBe('image/png')
    expect(shown.rawPayload.includes(Buffer.from('hidden'))).toBe(false)
    expect(imageSize(shown.rawPayload)).toEqual({ width: 640, height: 160 })
    await sendMailOf(
      { app: world.app, companyId: client.id },
      { to: 'x@example.com', subject: 'שלום', text: 'ראו https://x.example/a <b>' },
    )
    expect(lastLetter()).toMatch(/Content-Id: <logo>/i)
    const png = Buffer.from([
      0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 255, 255, 0, 0, 255, 255, 8,
      6, 0, 0, 0,
    ])
    for (const bad of [Buffer.from('<svg onload="alert(1)"/>'), png, Buffer.alloc(0)])
      await expect(operator.call(calls.setBrandLogo, { domain, bytes: bad } as never)).rejects.toMatchObject({
        status: expect.any(Number),
      })
    await expect(dealer.call(calls.setBrandLogo, { domain, bytes: given } as never)).rejects.toMatchObject({
      status: 403,
    })
    await operator.call(calls.dropBrandLogo, { domain })
    expect((await callAs(world, getTranslateDe, { lang: 'he', domain, groups: '' })).logo).toBe(
      '/icons/logo.svg',
    )
  })
})

describe('a brand is asked again by itself', () => {
  const [site, texts] = [outside.site, names.texts]
  let before = time
  beforeAll(() => void (before = time))
  afterAll(() => {
    outside.site = site
    names.texts = texts
    // The hour of day too is as it was.
    time = before
  })
  const hour = 3_600_000
  const later = (hours: number) => (time = new Date(time.getTime() + hours * hour))

  test.each<
    [why: string, was: Partial<Standing>, holds: boolean, is: Partial<Standing>, told: string | undefined]
  >([
    ['it holds', { provedAt: 'a' }, true, { provedAt: 'a' }, undefined],
    [
      'it is lost, and stays in use',
      { provedAt: 'a' },
      false,
      { provedAt: 'a', lostAt: '2026-03-10T08:00:00.000Z' },
      'lost',
    ],
    [
      'told once',
      { provedAt: 'a', lostAt: '2026-03-08T08:00:00.001Z' },
      false,
      { provedAt: 'a', lostAt: '2026-03-08T08:00:00.001Z' },
      undefined,
    ],
    [
      'found again in time',
      { provedAt: 'a', lostAt: '2026-03-09T08:00:00.000Z' },
      true,
      { provedAt: 'a' },
      'back',
    ],
    [
      'three days are over',
      { provedAt: 'a', lostAt: '2026-03-07T08:00:00.000Z' },
      false,
      { endedAt: '2026-03-10T08:00:00.000Z' },
      'ended',
    ],
    [
      'ended, and still not there',
      { endedAt: '2026-02-01T08:00:00.000Z' },
      false,
      { endedAt: '2026-02-01T08:00:00.000Z' },
      undefined,
    ],
    [
      'ended, and there again',
      { endedAt: '2026-03-09T08:00:00.000Z' },
      true,
      { provedAt: '2026-03-10T08:00:00.000Z' },
      'back',
    ],
    ['never proved: only a press proves', {}, true, {}, undefined],
  ])('%s', (_why, was, holds, is, told) => {
    const none = { provedAt: null, lostAt: null, endedAt: null }
    const after = afterAsking({ ...none, ...was }, holds, new Date('2026-03-10T08:00:00Z'))
    expect([after.is, after.told]).toEqual([{ ...none, ...is }, told])
  })

  test('when next: daily, four times a day while lost, no more a month after the end', () => {
    const now = new Date('2026-03-10T08:00:00Z')
    const at = (one: Partial<Standing>) =>
      askNext([{ provedAt: null, lostAt: null, endedAt: null, ...one }], now)
        ?.toISOString()
        .slice(0, 13) ?? null
    expect([
      at({ provedAt: 'a' }),
      at({ provedAt: 'a', lostAt: 'b' }),
      at({}),
      at({ endedAt: '2026-02-09T08:00:00Z' }),
      at({ endedAt: '2026-02-08T08:00:00Z' }),
    ]).toEqual(['2026-03-11T08', '2026-03-10T14', null, '2026-03-11T08', null])
  })

  test('its dealer is told by bell and letter, it goes out of use after three days, and back by itself', async () => {
    const dealer = await newAffiliate()
    const domain = `again${count}.buzz.example`
    const save = (more: object) =>
      operator.call(calls.saveBrand, {
        domain,
        name: 'באזז',
        dealerId: dealer.id,
        mailFrom: 'office@letters.example',
        ...more,
      } as never)
    await save({})
    const client = await newClient('', { domain })
    const linkOf = () => asCaller(world.app, systemCaller(client.id), '', async (ctx) => siteOf(ctx.app))
    const fromOf = async () => {
      await sendMailOf(
        { app: world.app, companyId: client.id },
        { to: 'x@example.com', subject: 'שלום', text: 'מכתב' },
      )
      return /^From: .*<(.*)>/m.exec(lastLetter())![1]
    }
    const leads = async (_app: unknown, host: string) => JSON.stringify({ proof: await proofOf(host) })
    const records = async () => [`pinkas-sender=${await proofOf(domain)}`]
    const asked: string[] = []
    outside.site = async (app, host) => (asked.push(host), leads(app, host))
    names.texts = records
    // What was never proved is not asked about.
    later(48)
    await askBrandsAgain(world.app)
    expect(asked).not.toContain(domain)
    await operator.call(calls.proveBrand, { domain })
    const ask = async (hours: number) => {
      later(hours)
      asked.length = 0
      await askBrandsAgain(world.app)
      await world.worker.drain()
      return asked.filter((one) => one === domain).length
    }
    expect(await ask(23)).toBe(0)
    expect(await ask(2)).toBe(1)
    expect(await ask(1)).toBe(0)
    const standing = async () => {
      const { siteState, mailState } = (await operator.call(calls.listAffiliates, {})).brands.find(
        (one) => one.domain === domain,
      )!
      return [siteState, mailState]
    }
    expect(await standing()).toEqual(['proved', 'proved'])

    // Nobody answers at the domain any more.
    outside.site = async (_app, host) => {
      asked.push(host)
      throw new Error('no answer')
    }
    expect(await ask(24)).toBe(1)
    expect(await standing()).toEqual(['lost', 'proved'])
    expect(await linkOf()).toBe(`https://${domain}`)
    const day = addDays(today(), 3)
    expect((await dealer.call(calls.myAffiliate, {})).brand).toMatchObject({
      siteState: 'lost',
      siteDay: day,
      mailState: 'proved',
      mailDay: null,
    })
    const told = async (call: Business['call']) =>
      (await call(listNotifications, {})).rows
        .filter(({ params }) => params.domain === domain)
        .map(({ kind }) => kind)
    expect(await told(dealer.call)).toEqual(['brand.lost'])
    expect(await told(operator.call)).toEqual(['brand.lost'])
    const letter = mailText(lastLetter(dealer.email))
    expect(letter).toContain(formatDay(day))
    // The dealer's page does not depend on the domain that fails.
    expect(letter).toContain(`${world.app.settings.publicUrl ?? world.app.publicUrl()}/invoice/main`)
    // Four times a day, told once.
    expect([await ask(6), await ask(65)]).toEqual([1, 1])
    expect(await told(dealer.call)).toEqual(['brand.lost'])
    expect(await linkOf()).toBe(`https://${domain}`)
    expect(await ask(6)).toBe(1)
    expect(await standing()).toEqual(['ended', 'proved'])
    expect(await linkOf()).toBe(world.app.publicUrl())
    expect(await fromOf()).toBe('office@letters.example')
    expect(await told(dealer.call)).toEqual(['brand.ended', 'brand.lost'])

    // Its sender is checked automatically in the same way; a changed name of it changes nothing, another domain begins
    // again.
    names.texts = async () => {
      throw new Error('no name server')
    }
    expect(await ask(24)).toBe(1)
    expect(await standing()).toEqual(['ended', 'lost'])
    await save({ mailFrom: 'hello@letters.example' })
    expect(await standing()).toEqual(['ended', 'lost'])
    outside.site = leads
    await ask(6)
    expect(await standing()).toEqual(['proved', 'lost'])
    expect(await linkOf()).toBe(`https://${domain}`)
    await ask(72)
    expect(await standing()).toEqual(['proved', 'ended'])
    expect(await fromOf()).not.toBe('hello@letters.example')
    names.texts = records
    await ask(24)
    expect(await standing()).toEqual(['proved', 'proved'])
    expect(await fromOf()).toBe('hello@letters.example')
    await save({ mailFrom: 'hello@other.example' })
    expect(await standing()).toEqual(['proved', 'none'])
    const log = await query(
      sql<{
        action: string
      }>`select action from audit_log where company_id = ${operatorId} and after->>'domain' = ${domain}
        order by at, id`,
    )
    expect(log.map(({ action }) => action).filter((one) => /(Lost|Ended|Back)$/.test(one))).toEqual([
      'affiliates.brandLost',
      'affiliates.brandEnded',
      'affiliates.brandBack',
    ])
  })

  test('two processes ask once, and what a dead one held is asked again after an hour', async () => {
    const domain = `twice${count++}.buzz.example`
    await operator.call(calls.saveBrand, { domain, name: 'באזז' } as never)
    let n = 0
    outside.site = async (_app, host) => (
      host === domain && n++,
      JSON.stringify({ proof: await proofOf(host) })
    )
    await operator.call(calls.proveBrand, { domain })
    n = 0
    later(25)
    await Promise.all([askBrandsAgain(world.app), askBrandsAgain(world.app)])
    expect(n).toBe(1)
    later(24)
    await query(sql`update brands set ask_next = ${new Date(time.getTime() + hour)} where domain = ${domain}`)
    await askBrandsAgain(world.app)
    expect(n).toBe(1)
    later(1)
    await askBrandsAgain(world.app)
    expect(n).toBe(2)
  })
})

describe('a random year', () => {
  test('of charges, credits and cancellations earns what an independent count says', async () => {
    await operator.call(calls.savePlan, {
      fromDay: addMonths(today(), 4),
      steps: [
        { from: 1, rateBp: 1555 },
        { from: 2, rateBp: 3100 },
      ],
      months: 6,
      holdDays: 10,
      leastAgorot: 0,
    })
    const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
    const random = fc.sample(fc.integer({ min: 0, max: 9999 }), { numRuns: 4000, seed })
    let at = 0
    const pick = (below: number) => random[at++ % random.length]! % below
    const affiliates = [await newAffiliate(), await newAffiliate()]
    const clients: { id: string; affiliate: number; began: string }[] = []
    const papers: { client: number; id: string; net: number; day: string; left: number; no: number }[] = []
    // A business is ranked by the first payment that was counted; one that was refunded before it was counted gave no
    // rank.
    const places: string[][] = [[], []]
    const count = async () => {
      await sweep(world.app)
      for (const { client, left } of papers) {
        const { affiliate, id } = clients[client]!
        if (left > 0 && !places[affiliate]!.includes(id)) places[affiliate]!.push(id)
      }
    }
    const since = await query(sql<{ n: number }>`select count(*)::int as n from documents`)
    expect(since[0]!.n).toBeGreaterThan(0)
    for (let month = 0; month < 12; month++) {
      if (clients.length < 7 && (month < 2 || pick(2) === 0)) {
        const affiliate = pick(2)
        const client = await newClient(affiliates[affiliate]!.code)
        clients.push({ id: client.id, affiliate, began: today() })
        await subscribe(client, cards[4]!, {})
        const [first] = await query(sql<{
          id: string
          net: number
          day: string
        }>`select d.id, d.ils_net_agorot as net, d.day from documents d
          join standing_periods t on t.company_id = d.company_id and t.document_id = d.id
          join pay_purchases p on p.order_id = t.order_id
          join affiliate_signups s on s.business_key = p.utm ->> 'utm_business'
          where s.client_id = ${client.id} and d.type = 9`)
        papers.push({
          client: clients.length - 1,
          id: first!.id,
          net: first!.net,
          day: first!.day,
          left: first!.net,
          no: papers.length,
        })
      }
      for (const [index, client] of clients.entries()) {
        if (pick(3) === 0) continue
        time = new Date(time.getTime() + 86_400_000)
        const net = 1000 + pick(9000) * 7
        const paper = await charge(client.id, papers.length, (net / 100).toFixed(2))
        papers.push({ client: index, id: paper.id, net, day: today(), left: net, no: papers.length })
      }
      if (pick(2)) await count()
      for (const paper of papers)
        if (paper.left > 0 && pick(9) === 0) {
          await operator.call(creditDocument, { id: paper.id, reason: 'זיכוי' } as never)
          paper.left = 0
        }
      await count()
      time = new Date(time.getTime() + (10 + pick(12)) * 86_400_000)
    }
    await count()
    // The independent count: all by the list of what was done.
    const plans = [
      {
        from: '2026-01-01',
        steps: [
          [3, 0.275],
          [1, 0.2],
        ],
        months: 10,
      },
      {
        from: (await operator.call(calls.listAffiliates, {})).plans[0]!.fromDay,
        steps: [
          [2, 0.31],
          [1, 0.1555],
        ],
        months: 6,
      },
    ] as const
    const wanted = [0, 0]
    for (const { client, net, day, left } of papers) {
      if (left === 0) continue
      const { affiliate, began, id } = clients[client]!
      const plan = plans.findLast(({ from }) => from <= day)!
      const end = new Date(`${began}T00:00:00Z`)
      end.setUTCMonth(end.getUTCMonth() + plan.months)
      if (new Date(`${day}T00:00:00Z`) >= end) continue
      const rate = plan.steps.find(([from]) => from <= places[affiliate]!.indexOf(id) + 1)![1]
      expect(net).toBeGreaterThan(0)
      wanted[affiliate]! += Math.floor(left * rate + 0.5 + 1e-9)
    }
    const figures = await Promise.all(
      affiliates.map(async (one) => (await one.call(calls.myAffiliate, {})).figures),
    )
    expect(
      figures.map(({ earnedAgorot }) => earnedAgorot),
      `seed ${seed}`,
    ).toEqual(wanted)
    // The report says the same, month by month, to the operator and to each.
    for (const [index, one] of affiliates.entries()) {
      const answer = await world.http.inject({
        method: 'GET',
        url: '/api4/invoice/reports/affiliate',
        headers: { 'x-access-token': one.token },
      })
      const report = answer.json<{ totals: Record<string, number> }>()
      expect(report.totals.commissionAgorot).toBe(wanted[index])
      expect(JSON.stringify(report)).not.toContain('לקוח')
    }
  }, 120_000)
})

describe('what is refused', () => {
  test('a plan that begins today or before, while there is one', async () => {
    const { plans } = await operator.call(calls.listAffiliates, {})
    const { steps, months, holdDays, leastAgorot } = plans[0]!
    const plan = (fromDay: string) =>
      operator.call(calls.savePlan, { fromDay, steps, months, holdDays, leastAgorot })
    await expect(plan(today())).rejects.toMatchObject({ status: 409, code: 'affiliates.planStarted' })
  })

  test('the fifty-first link, a link of somebody stopped, and a programme that is not there', async () => {
    const aff = await newAffiliate()
    await query(sql`insert into affiliate_links (company_id, affiliate_id, id, code, name)
      select ${operatorId}, ${aff.id}, gen_random_uuid(), 'manylinks' || n, 'קישור ' || n
      from generate_series(1, 48) n`)
    await aff.call(calls.makeLink, { name: 'החמישים' })
    await expect(aff.call(calls.makeLink, { name: 'עוד אחד' })).rejects.toMatchObject({
      status: 409,
      code: 'affiliates.tooManyLinks',
    })
    await operator.call(calls.setAffiliate, { id: aff.id, state: 'stopped', reason: 'די' })
    await expect(aff.call(calls.makeLink, { name: 'אחרי' })).rejects.toMatchObject({
      status: 409,
      code: 'affiliates.stopped',
    })
    world.app.settings.billingCompany = undefined
    try {
      await expect(newAffiliate()).rejects.toMatchObject({ status: 409, code: 'affiliates.off' })
    } finally {
      world.app.settings.billingCompany = operatorId
    }
  })
})
