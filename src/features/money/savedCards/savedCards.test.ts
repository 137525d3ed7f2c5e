import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { callAs, newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import { addTerminal, changeTerminal, listTerminals, testPay } from '#features/money/acquirers/endpoints.ts'
import { askReplaced } from '#features/money/acquirers/server/index.ts'
import { startStands, type StandServer } from '#features/money/acquirers/server/gateways/simulator/server.ts'
import { simulated } from '#features/money/acquirers/server/gateways/test/client.ts'
import * as links from '#features/money/paymentLinks/endpoints.ts'
import { archiveOf } from '#features/office/backup/server/archive.ts'
import { keepOrderWords, listOrderWords } from '#features/money/standingOrders/endpoints.ts'
import * as calls from './endpoints.ts'
import { askAnew, warnOfEnds } from './server/keepUp.ts'

let world: World
let shop: Business
let companyId: string
let customer: { id: string }
let time = new Date()

beforeAll(async () => {
  world = await startWorld(() => time)
  world.app.settings.testAcquirer = true
})
afterAll(() => world.close())
beforeEach(async () => {
  time = new Date()
  Object.assign(simulated, { outage: false, mute: false })
  shop = await newBusiness(world)
  companyId = (await shop.call(mySession, {})).companyId
  await shop.call(addTerminal, { gateway: 'test' })
  customer = await shop.customer('כהן')
  await asSystem(world.app.db, (tx) =>
    sql`update parties set email = 'cohen@example.com' where id = ${customer.id}`.execute(tx),
  )
})

const query = async <T>(text: ReturnType<typeof sql<T>>): Promise<T[]> =>
  (await asSystem(world.app.db, (tx) => text.execute(tx))).rows
const keyOf = (url: string) => url.split('/').at(-1)!
const ask = (renewsCardId?: string) =>
  shop.call(calls.askCard, { customerId: customer.id, ...(renewsCardId ? { renewsCardId } : {}) })

/** The customer's part: opens the link, agrees, enters the card, and returns. */
async function give(url: string, number = '4242424242424242', year = 2040, month = 12) {
  const key = keyOf(url)
  const { url: form } = await callAs(world, calls.beginCard, { key, agrees: true })
  await callAs(world, testPay, { key: keyOf(form), number, month, year, cvv: '123' } as never)
  const [row] = await query(
    sql<{
      id: string
    }>`select id from charges where company_id = ${companyId} and deed = 'card'
      order by created_at desc, id desc limit 1`,
  )
  return callAs(world, calls.checkCard, { key, charge: row!.id })
}
const cards = async () =>
  await query(sql<{
    id: string
    state: string
    is_default: boolean
    expiry: string
  }>`select id, state, is_default, expiry from cards
    where company_id = ${companyId} order by created_at, id`)
const kept = async (number?: string, year?: number, month?: number) => {
  const { url } = await ask()
  await give(url, number, year, month)
  return (await cards()).at(-1)!
}
const charge = (id: string, more: object = {}) =>
  shop.call(calls.chargeCard, {
    id,
    once: crypto.randomUUID(),
    amountAgorot: 35_000,
    description: 'מנוי נובמבר',
    ...more,
  })

describe('a card is given by its owner', () => {
  test('who reads what he agrees to, and sees nothing else of the business', async () => {
    const { url, state } = await ask()
    expect(state).toBe('open')
    // The same link as long as it is open.
    expect((await ask()).url).toBe(url)
    const page = await callAs(world, calls.cardPage, { key: keyOf(url) })
    expect(page).toMatchObject({
      state: 'open',
      customer: 'כהן',
      online: true,
      test: true,
      renews: null,
      saved: null,
    })
    expect(page.consent).toContain(page.business.name)
    expect(Object.keys(page).toSorted()).toEqual(
      [
        'accent',
        'business',
        'consent',
        'customer',
        'hasLogo',
        'language',
        'online',
        'renews',
        'saved',
        'state',
        'test',
      ].toSorted(),
    )
    expect(await give(url)).toEqual({ state: 'done', code: '' })
    expect(await callAs(world, calls.cardPage, { key: keyOf(url) })).toMatchObject({
      state: 'done',
      saved: { brand: 'visa', last4: '4242', expiry: '2040-12' },
    })
    await expect(callAs(world, calls.beginCard, { key: keyOf(url), agrees: true })).rejects.toMatchObject({
      code: 'savedCards.notOpen',
    })
    const [card] = await cards()
    const shown = await shop.call(calls.getCard, { id: card!.id })
    expect(shown).toMatchObject({
      state: 'active',
      isDefault: true,
      consent: page.consent,
      uses: [],
      charges: [],
    })
  })

  test('not without his word, nor by a link that was taken back or is past', async () => {
    const { id, url } = await ask()
    await expect(callAs(world, calls.beginCard, { key: keyOf(url) } as never)).rejects.toMatchObject({
      status: 422,
    })
    await shop.call(calls.cancelRequest, { id })
    await expect(give(url)).rejects.toMatchObject({ code: 'savedCards.notOpen' })
    const next = await ask()
    time = new Date(time.getTime() + 40 * 86_400_000)
    expect(await callAs(world, calls.cardPage, { key: keyOf(next.url) })).toMatchObject({ state: 'expired' })
    await expect(give(next.url)).rejects.toMatchObject({ code: 'savedCards.notOpen' })
    await expect(callAs(world, calls.cardPage, { key: 'x'.repeat(43) })).rejects.toMatchObject({
      status: 404,
    })
  })

  test('another one of it takes its place, and is the default', async () => {
    const first = await kept()
    const { url } = await ask(first.id)
    expect(await callAs(world, calls.cardPage, { key: keyOf(url) })).toMatchObject({
      renews: { last4: '4242' },
    })
    await give(url, '5555555555554444')
    expect(await cards()).toMatchObject([
      { id: first.id, state: 'replaced', is_default: false },
      { state: 'active', is_default: true },
    ])
    // Asked for by its old id, it is the new one that is charged.
    expect(await charge(first.id)).toMatchObject({ state: 'paid' })
  })

  test('where nobody can keep it, it is said before the customer is asked', async () => {
    const { id } = (
      await query(sql<{ id: string }>`select id from terminals where company_id = ${companyId}`)
    )[0]!
    await shop.call(changeTerminal, { id, isOff: true })
    await expect(ask()).rejects.toMatchObject({ code: 'savedCards.noTerminal' })
  })
})

test('a customer who pays by a link may have his card kept beside; whoever does not tick it is not', async () => {
  const link = async () =>
    (await shop.call(links.createLink, {
      description: 'שיעור',
      amountAgorot: 10_000,
      customerId: customer.id,
    } as never)) as unknown as {
      url: string
    }
  const pay = async (url: string, keepsCard: boolean) => {
    const { url: form } = await callAs(world, links.beginLink, { key: keyOf(url), keepsCard })
    await callAs(world, testPay, {
      key: keyOf(form),
      number: '4242424242424242',
      month: 12,
      year: 2040,
      cvv: '123',
    } as never)
    await world.worker.drain()
  }
  const first = await link()
  const page = await callAs(world, links.linkPage, { key: keyOf(first.url) })
  expect(page.keeping).toContain(page.business.name)
  await pay(first.url, false)
  expect(await cards()).toEqual([])
  await pay((await link()).url, true)
  expect(await cards()).toMatchObject([{ state: 'active', is_default: true }])
  expect(await shop.call(calls.getCard, { id: (await cards())[0]!.id })).toMatchObject({
    consent: page.keeping,
  })
})

describe('charging it now', () => {
  test('issues a document, once for each press', async () => {
    const card = await kept()
    const once = crypto.randomUUID()
    const all = await Promise.all([1, 2, 3].map(() => charge(card.id, { once })))
    const done = await charge(card.id, { once })
    expect(done).toMatchObject({ state: 'paid', paper: { type: 9 } })
    expect(new Set(all.map(({ chargeId }) => chargeId))).toEqual(new Set([done.chargeId]))
    const papers = await query(sql<{
      total: number
      subject: string
    }>`select total_agorot as total, subject from documents
      where company_id = ${companyId} and status <> 'draft'`)
    expect(papers).toEqual([{ total: 35_000, subject: 'מנוי נובמבר' }])
    expect((await shop.call(calls.getCard, { id: card.id })).charges).toMatchObject([
      { sumAgorot: 35_000, state: 'paid' },
    ])
  })

  test('pays a document of his, and no other’s, up to what it has open', async () => {
    const card = await kept()
    const { id } = await shop.invoice(customer.id, '100')
    const stranger = await shop.invoice((await shop.customer('לוי')).id, '100')
    await expect(charge(card.id, { amountAgorot: 11_800, documentId: stranger.id })).rejects.toMatchObject({
      errors: [{ path: 'documentId' }],
    })
    await expect(charge(card.id, { amountAgorot: 11_801, documentId: id })).rejects.toMatchObject({
      errors: [{ path: 'amountAgorot' }],
    })
    expect(await charge(card.id, { amountAgorot: 11_800, documentId: id })).toMatchObject({
      state: 'paid',
      paper: { type: 6 },
    })
    await expect(charge(card.id, { amountAgorot: 1, documentId: id })).rejects.toMatchObject({
      code: 'paymentLinks.nothingDue',
    })
  })

  test('that is declined issues nothing and says why', async () => {
    const card = await kept('4000000000009995')
    expect(await charge(card.id)).toMatchObject({ state: 'declined', declineClass: 'soft', paper: null })
    expect(await query(sql`select 1 from documents where company_id = ${companyId}`)).toEqual([])
  })

  test.each([
    [{ amountAgorot: 0 }, 'amountAgorot'],
    [{ amountAgorot: -5 }, 'amountAgorot'],
    [{ amountAgorot: 1.5 }, 'amountAgorot'],
    [{ description: ' ' }, 'description'],
    [{ description: 'x'.repeat(300) }, 'description'],
    [{ once: 'again' }, 'once'],
  ])('refuses %j at its field', async (more, path) => {
    const card = await kept()
    await expect(charge(card.id, more)).rejects.toMatchObject({ status: 422, errors: [{ path }] })
  })

  test('is not for whoever may only see, sees no sums, or is of another business', async () => {
    const card = await kept()
    const other = await newBusiness(world)
    await expect(
      other.call(calls.chargeCard, {
        id: card.id,
        once: crypto.randomUUID(),
        amountAgorot: 1,
        description: 'xx',
      }),
    ).rejects.toMatchObject({ status: 404 })
    await expect(other.call(calls.getCard, { id: card.id })).rejects.toMatchObject({ status: 404 })
    await expect(other.call(calls.removeCard, { id: card.id })).rejects.toMatchObject({ status: 404 })
    const limit = (text: string) =>
      query(sql`update memberships set ${sql.raw(text)} where company_id = ${companyId} returning 1`)
    await limit(`rules = array[172, 174, 10]`)
    await expect(charge(card.id)).rejects.toMatchObject({ status: 403 })
    await limit(`rules = array[172, 173, 10], hide_total_prices = true`)
    await expect(charge(card.id)).rejects.toMatchObject({ status: 403 })
    // The person who is bound to a sum charges no more at once.
    await limit(`rules = array[172, 173, 10], hide_total_prices = false, charge_limit_agorot = 34999`)
    await expect(charge(card.id)).rejects.toMatchObject({
      status: 422,
      errors: [{ path: 'amountAgorot', code: 'savedCards.beyondLimit', params: { limit: '349.99' } }],
    })
    await limit('charge_limit_agorot = 35000')
    expect(await charge(card.id)).toMatchObject({ state: 'paid' })
    await limit('charge_limit_agorot = null')
    // A person who sees only their own customers sees no card of the others.
    await limit(`rules = array[172, 173, 10], hide_total_prices = false, own_customers_only = true`)
    await expect(shop.call(calls.getCard, { id: card.id })).rejects.toMatchObject({ status: 404 })
  })
})

test('its owner is told 60, 30 and 7 days before it ends, each once, with a link for a new one', async () => {
  const ends = new Date(time.getTime() + 200 * 86_400_000)
  const card = await kept(undefined, ends.getUTCFullYear(), ends.getUTCMonth() + 1)
  const { lastDay } = await shop.call(calls.getCard, { id: card.id })
  const told = async (daysBefore: number) => {
    time = new Date(new Date(`${lastDay}T09:00:00Z`).getTime() - daysBefore * 86_400_000)
    await Promise.all([warnOfEnds(world.app), warnOfEnds(world.app)])
    return (
      await query(
        sql<{
          n: number
        }>`select count(*)::int as n from messages where company_id = ${companyId} and kind = 'paymentLink'`,
      )
    )[0]!.n
  }
  expect([
    await told(61),
    await told(60),
    await told(45),
    await told(30),
    await told(29),
    await told(7),
    await told(3),
    await told(-1),
  ]).toEqual([0, 1, 1, 2, 2, 3, 3, 3])
  const letters = await query(
    sql<{ body: string }>`select body from messages where company_id = ${companyId} and kind = 'paymentLink'`,
  )
  expect(letters.every(({ body }) => body.includes('/savecard/'))).toBe(true)
  expect(
    await query(sql`select 1 from events where company_id = ${companyId} and name = 'savedCard.expiring'`),
  ).toHaveLength(3)
  // What was missed is not made up for: one letter, of the nearest step.
  time = new Date(new Date(`${lastDay}T09:00:00Z`).getTime() - 20 * 86_400_000)
  const other = await kept('5555555555554444', ends.getUTCFullYear(), ends.getUTCMonth() + 1)
  expect(other.state).toBe('active')
  expect(await told(5)).toBe(4)
})

test('the owner of a card that can no longer be charged is asked for another, once', async () => {
  const card = await kept()
  const letters = () =>
    query(
      sql<{
        subject: string
        body: string
      }>`select subject, body from messages where company_id = ${companyId} and kind = 'paymentLink'`,
    )
  await askAnew(world.app)
  expect(await letters()).toEqual([])
  await query(
    sql`update cards set state = 'askAgain', updated_at = ${time} where company_id = ${companyId}
        and id = ${card.id} returning 1`,
  )
  await Promise.all([askAnew(world.app), askAnew(world.app)])
  await askAnew(world.app)
  const [letter, ...more] = await letters()
  expect(more).toEqual([])
  expect(letter!.body).toContain('4242')
  expect(letter!.body).toContain('/savecard/')
  // One that ended long ago is nobody's news.
  const old = await kept('5555555555554444')
  await query(
    sql`update cards set state = 'askAgain', updated_at = ${new Date(time.getTime() - 8 * 86_400_000)}
      where company_id = ${companyId} and id = ${old.id} returning 1`,
  )
  await askAnew(world.app)
  expect(await letters()).toHaveLength(1)
})

test('its owner is told in the words of the business, which hold the link and nothing that is not known', async () => {
  const keep = (words: object) =>
    shop.call(keepOrderWords, {
      letter: 'cardExpiring',
      language: 'he',
      words: { subject: 'כרטיס {card}', text: 'כאן: {link}', sms: '', ...words },
    })
  for (const [words, path, code] of [
    [{ text: 'בלי קישור' }, 'words.text', 'standingOrders.gapMissing'],
    [{ subject: '{sum}' }, 'words.subject', 'standingOrders.gapUnknown'],
    [{ sms: 'מסרון {link}' }, 'words.sms', 'standingOrders.onlyMail'],
  ] as const)
    await expect(keep(words)).rejects.toMatchObject({ errors: [{ path, code }] })
  await keep({ subject: 'הכרטיס {card} עד {day}', text: 'שלום מ{business}: {link}' })
  const ends = new Date(time.getTime() + 200 * 86_400_000)
  const card = await kept(undefined, ends.getUTCFullYear(), ends.getUTCMonth() + 1)
  const { lastDay } = await shop.call(calls.getCard, { id: card.id })
  time = new Date(new Date(`${lastDay}T09:00:00Z`).getTime() - 30 * 86_400_000)
  await warnOfEnds(world.app)
  const [letter] = await query(
    sql<{
      subject: string
      body: string
    }>`select subject, body from messages where company_id = ${companyId} and kind = 'paymentLink'`,
  )
  expect(letter!.subject).toMatch(/^הכרטיס .*4242.* עד \d/)
  expect(letter!.body).toMatch(/^שלום מ.+: http.*\/savecard\/\S+$/)
  const mine = (await shop.call(listOrderWords, { language: 'he' })).rows.filter(({ isOwn }) => isOwn)
  expect(mine.map(({ letter: name }) => name)).toEqual(['cardExpiring'])
})

test('what banks replaced takes the place of the old card without anybody being asked', async () => {
  const stands: StandServer = await startStands({ now: () => time })
  world.app.settings.acquirersAt = stands.url
  try {
    await shop.call(addTerminal, {
      gateway: 'cardcom',
      settings: { terminalNumber: '1000', apiName: 'name', apiPassword: 'password' },
    })
    await query(
      sql`update terminals set state = 'proved', proved_at = now() where company_id = ${companyId}
          and gateway = 'cardcom' returning 1`,
    )
    await query(
      sql`update terminals set state = 'off' where company_id = ${companyId} and gateway = 'test'
        returning 1`,
    )
    const { url } = await ask()
    const { url: form } = await callAs(world, calls.beginCard, { key: keyOf(url), agrees: true })
    await fetch(form, {
      method: 'POST',
      body: new URLSearchParams({ number: '4242424242424242', month: '12', year: '40' }),
      redirect: 'manual',
    })
    const [row] = await query(
      sql<{
        id: string
      }>`select id from charges where company_id = ${companyId} order by created_at desc limit 1`,
    )
    await callAs(world, calls.checkCard, { key: keyOf(url), charge: row!.id })
    const [old] = await cards()
    const token = [...stands.bank.cards.keys()].at(-1)!
    stands.bank.replace(token, 'NEW1234567891111', '2043-05')
    expect(await askReplaced(world.app)).toBe(1)
    expect(await askReplaced(world.app)).toBe(0)
    expect(await cards()).toMatchObject([
      { id: old!.id, state: 'replaced' },
      { state: 'active', expiry: '2043-05', is_default: true },
    ])
    expect(await charge(old!.id)).toMatchObject({ state: 'paid' })
  } finally {
    world.app.settings.acquirersAt = undefined
    await stands.close()
  }
})

test('no token, and no number of a card, is in any table, log, event, letter or backup', async () => {
  const card = await kept()
  await charge(card.id)
  const tokens = await query(
    sql<{ token: string }>`select token from test_tokens where company_id = ${companyId}`,
  )
  // The test acquirer's own memory stands for the acquirer: it is the one place.
  const places = await query(sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'
      and table_name not in ('test_tokens', 'test_charges')`)
  const marked = ['4242424242424242', '4242 4242 4242 4242', tokens[0]!.token]
  for (const { name } of places) {
    const rows = await query(sql<{ n: number }>`select count(*)::int as n from ${sql.table(name)} t
      where ${sql.join(
        marked.map((mark) => sql`to_jsonb(t)::text like ${`%${mark}%`}`),
        sql` or `,
      )}`)
    expect(rows[0]!.n, name).toBe(0)
  }
  const chunks: Uint8Array[] = []
  for await (const chunk of archiveOf(world.app.db, companyId, time)) chunks.push(chunk)
  const { unzipSync } = await import('fflate')
  const files = unzipSync(Buffer.concat(chunks))
  for (const [name, bytes] of Object.entries(files)) {
    if (/test_(tokens|charges)/.test(name)) continue
    for (const mark of marked) expect(Buffer.from(bytes).includes(mark), `${name}: ${mark}`).toBe(false)
  }
  const shown = JSON.stringify([await shop.call(calls.getCard, { id: card.id })])
  for (const mark of marked) expect(shown).not.toContain(mark)
})

test('a card that is brought by its number, one the acquirer does not know, and a charge by a terminal that is off', async () => {
  const card = {
    customerId: customer.id,
    token: 'tok-unknown',
    expiry: '2040-12',
    last4: '4242',
    consent: 'הסכמה בכתב',
  }
  await expect(shop.call(calls.bringCard, { ...card, token: '4242 4242 4242 4242' })).rejects.toMatchObject({
    status: 422,
    errors: [{ path: 'token', code: 'savedCards.isNumber' }],
  })
  await expect(shop.call(calls.bringCard, card)).rejects.toMatchObject({
    status: 422,
    errors: [{ path: 'token', code: 'savedCards.notKnown' }],
  })
  const { id } = await kept()
  const [terminal] = (await shop.call(listTerminals, {})).rows
  await shop.call(changeTerminal, { id: terminal!.id, isOff: true })
  await expect(charge(id)).rejects.toMatchObject({ code: 'savedCards.terminalOff' })
  await shop.call(changeTerminal, { id: terminal!.id, isOff: false })
  await charge(id)
})
