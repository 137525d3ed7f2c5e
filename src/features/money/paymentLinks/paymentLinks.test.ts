import { spawnSync } from 'node:child_process'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays, dayInJerusalem } from '#domain/day.ts'
import {
  callAs,
  newBusiness,
  newTaxId,
  raw,
  startWorld,
  type Business,
  type World,
} from '../../../../tests/world.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { changeCompany } from '#features/base/companies/endpoints.ts'
import {
  cancelDocument,
  createDocument,
  getDocument,
  pagePdf,
  pdfOfDocument,
} from '#features/sales/documents/endpoints.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import * as calls from './endpoints.ts'
import {
  addTerminal,
  changeTerminal,
  getTerminal,
  listTerminals,
  proveTerminal,
} from '#features/money/acquirers/endpoints.ts'
import { acquirerNotice, testForm, testPay } from '#features/money/acquirers/endpoints.ts'
import { settleCharge } from '#features/money/acquirers/server/charges/ask.ts'
import { startStands } from '#features/money/acquirers/server/gateways/simulator/server.ts'
import { signedNotice, simulated } from '#features/money/acquirers/server/gateways/test/client.ts'
import { sweep } from '#features/money/acquirers/server/sweep.ts'
import { settingsOf, type TerminalRow } from '#features/money/acquirers/server/terminals/terminals.ts'
import { askConsent, getRequest, recallRequest, signDocument } from '#features/sales/signing/endpoints.ts'
import { bouncePayment } from '#features/sales/payments/endpoints.ts'
import { makeKey, revokeKey } from '#features/open/apiKeys/endpoints.ts'
import type { PaymentLink } from './paymentLinks.ts'

let world: World
let shop: Business
let companyId: string
let cohen: { id: string }
let time = new Date()

beforeAll(async () => {
  world = await startWorld(() => time)
  world.app.settings.testAcquirer = true
})
afterAll(() => world.close())
beforeEach(async () => {
  time = new Date()
  simulated.outage = false
  await open('licensedDealer')
})

async function open(kind: 'licensedDealer' | 'exemptDealer' | 'nonProfit') {
  shop = await newBusiness(world, { kind })
  companyId = (await shop.call(mySession, {})).companyId
  await shop.call(addTerminal, { gateway: 'test' })
  cohen = await shop.customer('כהן', { email: 'cohen@example.com' })
}

const good = '4242424242424242'
const query = async <T>(text: ReturnType<typeof sql<T>>): Promise<T[]> =>
  (await asSystem(world.app.db, (tx) => text.execute(tx))).rows
type Link = PaymentLink & { id: string }
const link = (more: Record<string, unknown> = {}) =>
  shop.call(calls.createLink, {
    description: 'מקדמה',
    amountAgorot: 50_000,
    customerId: cohen.id,
    ...more,
  } as never) as Promise<Link>
const keyOf = ({ url }: { url?: unknown }) => String(url).split('/').at(-1)!
const begin = async (key: string, payer?: Record<string, string>): Promise<string> =>
  keyOf(await callAs(world, calls.beginLink, { key, ...(payer ? { payer } : {}) } as never))
const pay = (form: string, number = good, instalments = 1) =>
  callAs(world, testPay, { key: form, number, month: 12, year: 2032, cvv: '123', instalments })
const charges = () =>
  query(sql<{
    id: string
    reference: string
    state: string
    surplus: boolean
    paper_id: string | null
    paper_failure: string
    given_back_agorot: number
  }>`select * from charges
    where company_id = ${companyId} order by created_at, id`)
const papers = (type: number) =>
  query(
    sql<{
      id: string
      total_agorot: number
      customer_id: string
    }>`select id, total_agorot, customer_id from documents where company_id = ${companyId} and type = ${type}
      order by number`,
  )
const balance = async () =>
  (
    await query(sql<{
      card: number
      open: number
    }>`select (select balance_agorot
      from (select coalesce(sum(m.debit_agorot - m.credit_agorot), 0)::bigint as balance_agorot
      from party_months m where m.company_id = ${companyId} and m.party_id = ${cohen.id}) x) as card,
    (select coalesce(sum(open_agorot), 0)::bigint from documents where company_id = ${companyId}
    and customer_id = ${cohen.id} and status <> 'draft') as open`)
  )[0]!
const terminal = async () => {
  const [row] = await query(sql<TerminalRow>`select * from terminals where company_id = ${companyId}`)
  return { key: row!.notice_key, secret: settingsOf(world.app, row!).secret! }
}
const notify = async (reference: string) => {
  const { key, secret } = await terminal()
  return callAs(world, acquirerNotice, { key, ...signedNotice(secret, reference, time) } as never)
}
const work = () => world.worker.drain()

describe('a link', () => {
  test.each([
    [0, 'fields.least'],
    [37, 'fields.most'],
  ])('of %d instalments at most is refused', async (mostInstalments, code) => {
    await expect(link({ mostInstalments })).rejects.toMatchObject({
      errors: [{ path: 'mostInstalments', code }],
    })
  })

  test('is paid: one tax invoice/receipt with the card on it, mailed, and the link is paid', async () => {
    const made = await link({ mostInstalments: 3 })
    const form = await begin(keyOf(made))
    expect(await callAs(world, testForm, { key: form })).toMatchObject({
      amountAgorot: 50_000,
      mostInstalments: 3,
      description: 'מקדמה',
    })
    const paid = await pay(form, good, 3)
    const charge = new URL(paid.returnTo).searchParams.get('charge')!
    const seen = await callAs(world, calls.checkLink, { key: keyOf(made), charge })
    expect(seen).toMatchObject({ state: 'paid', paper: { type: 9 } })
    await work()
    const receipts = await papers(9)
    expect(receipts).toHaveLength(1)
    const receipt = await shop.call(getDocument, { id: receipts[0]!.id })
    expect(receipt.payments).toMatchObject([
      { means: 4, amountAgorot: 50_000, cardBrand: 'visa', cardLast4: '4242', instalments: 3 },
    ])
    expect(receipt.sentAt).not.toBeNull()
    expect((await shop.call(calls.getLink, { id: made.id })).state).toBe('paid')
    expect(
      ((await callAs(world, pagePdf, { key: seen.paper!.key })) as unknown as Buffer)
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
    expect(await balance()).toEqual({ card: 0, open: 0 })
    await expect(begin(keyOf(made))).rejects.toMatchObject({ code: 'paymentLinks.notOpen' })
  })

  test('is not made where nobody can pay it, by any door, and the sealed paper promises nothing then', async () => {
    const text = async () => {
      const { id } = await shop.invoice(cohen.id, '100')
      const pdf = await shop.call(pdfOfDocument, { id, variant: 'original' })
      return spawnSync('pdftotext', ['-', '-'], { input: pdf as unknown as Uint8Array, encoding: 'utf8' })
        .stdout
    }
    expect(await text()).toContain('paymentdoc')
    const { rows } = await shop.call(listTerminals, {})
    await shop.call(changeTerminal, { id: rows[0]!.id, isOff: true })
    const paper = await text()
    expect(paper).toContain('118.00')
    expect(paper).not.toContain('paymentdoc')
    await expect(link()).rejects.toMatchObject({ code: 'paymentLinks.off' })
    const { id } = await shop.invoice(cohen.id, '100')
    await expect(shop.call(calls.linkOfDocument, { id })).rejects.toMatchObject({ code: 'paymentLinks.off' })
  })

  test('of nobody in particular makes its payer a customer', async () => {
    const made = await link({ customerId: null })
    await expect(begin(keyOf(made))).rejects.toMatchObject({
      errors: [{ path: 'payer.name', code: 'fields.need' }],
    })
    await pay(await begin(keyOf(made), { name: 'דנה לוי', email: 'dana@example.com', phone: '' }))
    await work()
    const [receipt] = await papers(9)
    expect((await shop.get(`/api4/invoice/customers/${receipt!.customer_id}`)).name).toBe('דנה לוי')
  })

  test('gives a tax invoice/receipt, with the VAT inside the amount', async () => {
    await pay(await begin(keyOf(await link({ amountAgorot: 11_800 }))))
    await work()
    const [paper] = await papers(9)
    expect((await shop.call(getDocument, { id: paper!.id })).totals).toMatchObject({
      totalAgorot: 11_800,
      vatAgorot: 1_800,
    })
    expect(await papers(6)).toHaveLength(0)
    expect(await balance()).toEqual({ card: 0, open: 0 })
  })

  test('needs a sum or a document, and one of a document asks for what that has open', async () => {
    const both = { description: 'x', amountAgorot: null, documentId: null }
    await expect(shop.call(calls.createLink, both as never)).rejects.toMatchObject({
      errors: [{ code: 'paymentLinks.sumOrDocument' }],
    })
    const invoice = await shop.invoice(cohen.id, '100')
    const made = await shop.call(calls.linkOfDocument, { id: invoice.id })
    expect(made).toMatchObject({
      sumAgorot: 11_800,
      customerId: cohen.id,
      state: 'open',
      email: 'cohen@example.com',
    })
    expect((await shop.call(calls.linkOfDocument, { id: invoice.id })).id).toBe(made.id)
    await pay(await begin(keyOf(made)))
    await work()
    expect((await shop.call(getDocument, { id: invoice.id })).status).toBe('closed')
    expect(await balance()).toEqual({ card: 0, open: 0 })
    await expect(shop.call(calls.linkOfDocument, { id: invoice.id })).rejects.toMatchObject({
      code: 'paymentLinks.nothingDue',
    })
  })

  test('cannot be paid when it is cancelled or past, and a stranger’s key opens nothing', async () => {
    const made = await link()
    const form = await begin(keyOf(made))
    await shop.call(calls.cancelLink, { id: made.id })
    await work()
    await expect(pay(form)).rejects.toMatchObject({ code: 'paymentLinks.formClosed' })
    await expect(begin(keyOf(made))).rejects.toMatchObject({ code: 'paymentLinks.notOpen' })
    const past = await link({ expiresOn: addDays(dayInJerusalem(time), 1) })
    const begun = await begin(keyOf(past))
    time = new Date(time.getTime() + 5 * 86_400_000)
    await expect(pay(begun)).rejects.toMatchObject({ code: 'paymentLinks.formClosed' })
    await expect(begin(keyOf(past))).rejects.toMatchObject({ code: 'paymentLinks.notOpen' })
    expect((await raw(world, calls.linkPage, { key: 'x'.repeat(64) })).statusCode).toBe(404)
  })

  test('is reminded of on its days while it is unpaid, once', async () => {
    const made = await link({ email: 'cohen@example.com', remindDays: '3, 1' })
    expect(made.remindDays).toBe('1,3')
    const letters = () =>
      query(sql`select 1 from messages where company_id = ${companyId} and body like ${`%${keyOf(made)}%`}`)
    const due = async (days: number) => {
      await query(sql`update outbox set run_after = now() where company_id = ${companyId}
          and name = 'paymentLinks.remind' and done_at is null
        and (payload->>'days')::int = ${days}`)
      await work()
    }
    await due(1)
    expect(await letters()).toHaveLength(1)
    await query(sql`insert into outbox (id, company_id, name, payload) select gen_random_uuid(), company_id,
        name, payload from outbox
      where company_id = ${companyId} and name = 'paymentLinks.remind' and done_at is not null`)
    await work()
    expect(await letters()).toHaveLength(1)
    await pay(await begin(keyOf(made)))
    await work()
    const before = (await letters()).length
    await due(3)
    expect(await letters()).toHaveLength(before)
  })
})

describe('what an acquirer may do', () => {
  test('a notice that comes twice, and again later, gives one receipt', async () => {
    await pay(await begin(keyOf(await link())), '4000000000003220')
    await work()
    const [charge] = await charges()
    await Promise.all([notify(charge!.reference), notify(charge!.reference)])
    expect(await papers(9)).toHaveLength(1)
  })

  test('a notice without a payment does nothing, and one that is not signed is not even asked about', async () => {
    await begin(keyOf(await link()))
    const [charge] = await charges()
    await notify(charge!.reference)
    expect((await charges())[0]).toMatchObject({ state: 'begun', paper_id: null })
    const { key } = await terminal()
    await callAs(world, acquirerNotice, {
      key,
      ...signedNotice('another secret', charge!.reference, time),
    } as never)
    const events = await query(
      sql<{
        kind: string
      }>`select kind from charge_events where company_id = ${companyId} and kind = 'notice'`,
    )
    expect(events).toHaveLength(1)
    expect(await papers(9)).toHaveLength(0)
  })

  test('a payment nobody told of is found by asking', async () => {
    const made = await link()
    await expect(pay(await begin(keyOf(made)), '4000000000000259')).rejects.toMatchObject({
      code: 'paymentLinks.acquirerAway',
    })
    await work()
    expect(await papers(9)).toHaveLength(0)
    time = new Date(time.getTime() + 63 * 60_000)
    await sweep(world.app)
    expect(await papers(9)).toHaveLength(1)
    expect((await shop.call(calls.getLink, { id: made.id })).state).toBe('paid')
  })

  test('a notice long after the link’s time is over still brings the receipt', async () => {
    const made = await link({ expiresOn: addDays(dayInJerusalem(time), 1) })
    await expect(pay(await begin(keyOf(made)), '4000000000000259')).rejects.toThrow()
    time = new Date(time.getTime() + 4 * 86_400_000)
    await notify((await charges())[0]!.reference)
    expect(await papers(9)).toHaveLength(1)
  })

  test('what was declined stands in a report by its code and its share, and beside the terminal; a line opens its charges', async () => {
    await pay(await begin(keyOf(await link())))
    await pay(await begin(keyOf(await link())))
    await pay(await begin(keyOf(await link({ amountAgorot: 20_000 }))), '4000000000009995')
    for (const { id } of await charges()) await settleCharge(world.app, companyId, id, 'return')
    const { rows, totals, checks } = await shop.get('/api4/invoice/reports/cardDeclines')
    expect(
      rows.map((row: Record<string, unknown>) => [row.code, row.count, row.shareBp, row.sumAgorot]),
    ).toEqual([
      ['', 2, 6667, 100_000],
      ['noFunds', 1, 3333, 20_000],
    ])
    expect([totals, checks.every(({ ok }: { ok: boolean }) => ok)]).toEqual([
      { count: 3, sumAgorot: 120_000 },
      true,
    ])
    expect(
      (await shop.get(`/api4/invoice/cardCharges?${String(rows[1].open).split('?')[1]}`)).rows,
    ).toMatchObject([{ sumAgorot: 20_000 }])
    expect((await shop.get('/api4/invoice/reports/cardDeclines?to=2020-01-01')).rows).toEqual([])
    const [terminal] = (await shop.call(listTerminals, {})).rows
    expect((await shop.call(getTerminal, { id: terminal!.id })).week).toMatchObject([
      { kind: 'paid', code: '', count: 2, shareBp: 6667 },
      { code: 'noFunds', count: 1, shareBp: 3333 },
    ])
  })

  test('a declined card leaves the form open for another one', async () => {
    const made = await link()
    const form = await begin(keyOf(made))
    expect(await pay(form, '4000000000009995')).toMatchObject({ state: 'declined', code: 'noFunds' })
    const [charge] = await charges()
    expect(await callAs(world, calls.checkLink, { key: keyOf(made), charge: charge!.id })).toMatchObject({
      state: 'declined',
      code: 'noFunds',
    })
    expect(await begin(keyOf(made))).toBe(form)
    await pay(form)
    await work()
    expect(await papers(9)).toHaveLength(1)
  })

  test('real card numbers, past cards and silence are refused', async () => {
    const form = await begin(keyOf(await link()))
    await expect(pay(form, '4580458045804580')).rejects.toMatchObject({ code: 'paymentLinks.notTestCard' })
    await expect(pay(form, '4000000000000119')).rejects.toMatchObject({ code: 'paymentLinks.acquirerAway' })
    await expect(
      callAs(world, testPay, { key: form, number: good, month: 1, year: 2024, cvv: '123' }),
    ).rejects.toMatchObject({
      code: 'paymentLinks.cardExpired',
    })
    simulated.outage = true
    await expect(callAs(world, calls.beginLink, { key: keyOf(await link()) })).rejects.toMatchObject({
      status: 503,
    })
  })
})

describe('two tabs', () => {
  test('come to the same form, which is paid once', async () => {
    const key = keyOf(await link())
    const [one, two] = await Promise.all([begin(key), begin(key)])
    expect(one).toBe(two)
    await Promise.all([pay(one!), pay(two!)])
    await work()
    expect(await papers(9)).toHaveLength(1)
  })

  test('settling at once from notice, return and job gives one receipt', async () => {
    const key = keyOf(await link())
    await expect(pay(await begin(key), '4000000000000259')).rejects.toThrow()
    const [charge] = await charges()
    await Promise.all([
      notify(charge!.reference),
      callAs(world, calls.checkLink, { key, charge: charge!.id }),
      settleCharge(world.app, companyId, charge!.id, 'sweep'),
      settleCharge(world.app, companyId, charge!.id, 'person'),
    ])
    expect(await papers(9)).toHaveLength(1)
  })

  test('paying one document by its link and by its page: the second payment goes back by itself', async () => {
    const invoice = await shop.invoice(cohen.id, '100')
    const byLink = await begin(keyOf(await shop.call(calls.linkOfDocument, { id: invoice.id })))
    const page = (await shop.call(getDocument, { id: invoice.id })).urls.page.split('/').at(-1)!
    expect(await callAs(world, calls.documentPay, { key: page })).toMatchObject({
      online: true,
      test: true,
      openAgorot: 11_800,
    })
    const byPage = keyOf(await callAs(world, calls.beginDocument, { key: page }))
    expect(byPage).not.toBe(byLink)
    await Promise.all([pay(byLink), pay(byPage)])
    await work()
    expect(await papers(6)).toHaveLength(1)
    const both = await charges()
    expect(both.map((c) => c.surplus).toSorted()).toEqual([false, true])
    expect(both.find((c) => c.surplus)).toMatchObject({ given_back_agorot: 11_800, paper_id: null })
    expect(await callAs(world, calls.documentPay, { key: page })).toMatchObject({
      online: false,
      openAgorot: 0,
    })
    expect(await balance()).toEqual({ card: 0, open: 0 })
  })
})

test('a wallet is offered on a link and on a document’s page as on a payment page; another means is another form, and it is paid once', async () => {
  const stands = await startStands({ now: () => time })
  world.app.settings.acquirersAt = stands.url
  try {
    const [made, dear] = [await link({ mostInstalments: 3 }), await link({ amountAgorot: 500_001 })]
    const key = keyOf(made)
    expect(await callAs(world, calls.linkPage, { key })).toMatchObject({ wallets: [] })
    await expect(callAs(world, calls.beginLink, { key, wallet: 'bit' })).rejects.toMatchObject({
      code: 'paymentLinks.noWallet',
    })
    const { id } = await shop.call(addTerminal, {
      gateway: 'payplus',
      settings: {
        apiKey: 'key',
        secretKey: 'secret-of-payplus',
        pageUid: 'a1b2c3d4-e5f6',
        hasBit: '1',
        hasGooglePay: '1',
      },
    })
    await shop.call(proveTerminal, { id })
    expect(await callAs(world, calls.linkPage, { key })).toMatchObject({ wallets: ['bit', 'googlePay'] })
    expect(await callAs(world, calls.linkPage, { key: keyOf(dear) })).toMatchObject({
      wallets: ['googlePay'],
    })
    await expect(callAs(world, calls.beginLink, { key: keyOf(dear), wallet: 'bit' })).rejects.toMatchObject({
      code: 'paymentLinks.noWallet',
    })
    const byBit = await callAs(world, calls.beginLink, { key, wallet: 'bit', keepsCard: true })
    expect(await callAs(world, calls.beginLink, { key, wallet: 'bit' })).toEqual(byBit)
    expect((await callAs(world, calls.beginLink, { key })).url).not.toBe(byBit.url)
    const [first] = await query(sql<{
      id: string
      wallet: string
      consent: string
      most_instalments: number
    }>`select * from charges
      where company_id = ${companyId} order by created_at, id`)
    expect(first).toMatchObject({ wallet: 'bit', consent: '', most_instalments: 1 })
    // Paid in the window that was opened first.
    const typed = new URLSearchParams({ number: good, month: '12', year: '40' })
    await fetch(byBit.url, { method: 'POST', body: typed, redirect: 'manual' })
    expect(await callAs(world, calls.checkLink, { key, charge: first!.id })).toMatchObject({ state: 'paid' })
    expect(await callAs(world, calls.linkPage, { key })).toMatchObject({ state: 'paid', wallets: [] })

    const { urls } = await shop.invoice(cohen.id, '100')
    const page = keyOf({ url: urls.page })
    expect(await callAs(world, calls.documentPay, { key: page })).toMatchObject({
      online: true,
      wallets: ['bit', 'googlePay'],
    })
    const { url } = await callAs(world, calls.beginDocument, { key: page, wallet: 'googlePay' })
    await fetch(url, { method: 'POST', body: typed, redirect: 'manual' })
    const last = (await charges()).at(-1)!
    expect(await callAs(world, calls.checkDocument, { key: page, charge: last.id })).toMatchObject({
      state: 'paid',
    })
    expect(await callAs(world, calls.documentPay, { key: page })).toMatchObject({
      openAgorot: 0,
      wallets: [],
    })
  } finally {
    world.app.settings.acquirersAt = undefined
    await stands.close()
  }
})

describe('money that goes back', () => {
  const paidInvoice = async (number = good) => {
    const invoice = await shop.invoice(cohen.id, '100')
    await pay(await begin(keyOf(await shop.call(calls.linkOfDocument, { id: invoice.id }))), number)
    await work()
    return { invoice, charge: (await charges())[0]! }
  }

  test('nothing goes back of what never came', async () => {
    const invoice = await shop.invoice(cohen.id, '100')
    await pay(
      await begin(keyOf(await shop.call(calls.linkOfDocument, { id: invoice.id }))),
      '4000000000009995',
    )
    const [declined] = await charges()
    await expect(
      shop.call(calls.refundCharge, { id: declined!.id, amountAgorot: 100, reason: 'טעות' }),
    ).rejects.toMatchObject({
      code: 'paymentLinks.notPaid',
    })
  })

  test('whoever is bound to a sum gives back no more of one charge, in parts neither', async () => {
    const { charge } = await paidInvoice()
    await query(sql`update memberships set refund_limit_agorot = 5000 where company_id = ${companyId}`)
    const back = (amountAgorot: number) =>
      shop.call(calls.refundCharge, { id: charge.id, amountAgorot, reason: 'הנחה' })
    const beyond = {
      status: 422,
      errors: [{ path: 'amountAgorot', code: 'paymentLinks.refundBeyondLimit', params: { limit: '50.00' } }],
    }
    await expect(back(5_001)).rejects.toMatchObject(beyond)
    await back(3_000)
    await work()
    await expect(back(2_001)).rejects.toMatchObject(beyond)
    await back(2_000)
    await work()
    expect(await shop.call(calls.getCharge, { id: charge.id })).toMatchObject({
      givenBackAgorot: 5_000,
      leftAgorot: 6_800,
    })
    await query(sql`update memberships set refund_limit_agorot = null where company_id = ${companyId}`)
    await back(6_800)
  })

  test('a part, then the rest: the debt is open again by so much, and no more than was paid goes back', async () => {
    const { invoice, charge } = await paidInvoice()
    await shop.call(calls.refundCharge, { id: charge.id, amountAgorot: 1_800, reason: 'הנחה' })
    await work()
    expect((await shop.call(getDocument, { id: invoice.id })).totals.openAgorot).toBe(1_800)
    expect(await balance()).toEqual({ card: 1_800, open: 1_800 })
    await expect(
      shop.call(calls.refundCharge, { id: charge.id, amountAgorot: 10_001, reason: 'יותר' }),
    ).rejects.toMatchObject({
      errors: [{ code: 'paymentLinks.refundsTooMuch' }],
    })
    await shop.call(calls.refundCharge, { id: charge.id, amountAgorot: 10_000, reason: 'העסקה בוטלה' })
    await work()
    const shown = await shop.call(calls.getCharge, { id: charge.id })
    expect(shown).toMatchObject({ state: 'givenBack', leftAgorot: 0, givenBackAgorot: 11_800 })
    expect(shown.refunds.map((r) => [r.state, r.paper?.type, r.paperFailure])).toEqual([
      ['done', 6, ''],
      ['done', 6, ''],
    ])
    expect(await balance()).toEqual({ card: 11_800, open: 11_800 })
    expect((await papers(6)).map((p) => p.total_agorot)).toEqual([11_800, -1_800, -10_000])
  })

  test('of an invoice-receipt, all and a part, are credits with the money given back', async () => {
    await pay(await begin(keyOf(await link({ amountAgorot: 11_800 }))))
    await pay(await begin(keyOf(await link({ amountAgorot: 23_600 }))))
    await work()
    const [whole, part] = await charges()
    await shop.call(calls.refundCharge, { id: whole!.id, amountAgorot: 11_800, reason: 'בוטל' })
    await shop.call(calls.refundCharge, { id: part!.id, amountAgorot: 5_900, reason: 'הנחה' })
    await work()
    expect((await papers(10)).map((p) => p.total_agorot).toSorted((a, b) => a - b)).toEqual([5_900, 11_800])
    expect((await charges()).map((c) => c.given_back_agorot)).toEqual([11_800, 5_900])
    expect(await balance()).toEqual({ card: 0, open: 0 })
  })

  test('of a business without VAT is a receipt with the sum turned', async () => {
    await open('exemptDealer')
    await pay(await begin(keyOf(await link())))
    await work()
    const [charge] = await charges()
    await shop.call(calls.refundCharge, { id: charge!.id, amountAgorot: 20_000, reason: 'הנחה' })
    await work()
    expect((await papers(6)).map((p) => p.total_agorot)).toEqual([50_000, -20_000])
    expect(await balance()).toEqual({ card: 0, open: 0 })
  })

  test('is refused by the acquirer, or waits for it, without touching the books', async () => {
    const { charge } = await paidInvoice('4000000000005126')
    await shop.call(calls.refundCharge, { id: charge.id, amountAgorot: 500, reason: 'הנחה' })
    await work()
    expect((await shop.call(calls.getCharge, { id: charge.id })).refunds).toMatchObject([
      { state: 'refused', code: 'refused' },
    ])
    expect(await papers(6)).toHaveLength(1)
    simulated.outage = true
    await shop.call(calls.refundCharge, { id: charge.id, amountAgorot: 600, reason: 'הנחה' })
    await work()
    expect((await shop.call(calls.getCharge, { id: charge.id })).refunds[1]).toMatchObject({ state: 'asked' })
    await expect(shop.call(calls.disputeCharge, { id: charge.id, reason: 'הכחשה' })).rejects.toMatchObject({
      status: 409,
      code: 'paymentLinks.cannotDispute',
    })
    simulated.outage = false
  })
})

test('money that came is kept when no paper can be issued, and a person issues it later', async () => {
  await pay(await begin(keyOf(await link())), '4000000000000259').catch(() => undefined)
  await query(sql`update payment_links set customer_id = null where company_id = ${companyId}`)
  await query(sql`update charges set customer_id = null where company_id = ${companyId}`)
  const [charge] = await charges()
  await settleCharge(world.app, companyId, charge!.id, 'sweep')
  expect((await charges())[0]).toMatchObject({ state: 'paid', paper_id: null })
  expect((await charges())[0]!.paper_failure).not.toBe('')
  await query(sql`update charges set customer_id = ${cohen.id} where company_id = ${companyId}`)
  const shown = await shop.call(calls.paperAgain, { id: charge!.id })
  expect(shown).toMatchObject({ paperFailure: '', paper: { type: 9 } })
  await expect(shop.call(calls.paperAgain, { id: charge!.id })).rejects.toMatchObject({
    code: 'paymentLinks.hasPaper',
  })
})

test('a payment request is answered by what it was paid with', async () => {
  const request = await shop.call(createDocument, {
    type: 5,
    customerId: cohen.id,
    lines: [
      { description: 'ייעוץ', quantity: '3', unitPrice: '33.33' },
      { description: 'נסיעה', unitPrice: '12.5' },
    ],
  })
  await pay(await begin(keyOf(await shop.call(calls.linkOfDocument, { id: request.id }))))
  await work()
  const after = await shop.call(getDocument, { id: request.id })
  expect(after).toMatchObject({ status: 'closed', totals: { askedAgorot: 0 } })
  const [paper] = await papers(9)
  const invoice = await shop.call(getDocument, { id: paper!.id })
  expect(invoice.totals.totalAgorot).toBe(request.totals.totalAgorot)
  expect(invoice.lines.map((l) => l.description)).toEqual(['ייעוץ', 'נסיעה'])
})

test('a donation by link is a receipt for donations, and goes back whole only', async () => {
  await open('nonProfit')
  await pay(
    await begin(keyOf(await link({ paper: 'donation', customerId: null })), {
      name: 'רות',
      taxId: newTaxId(),
    }),
  )
  await work()
  expect(await papers(11)).toHaveLength(1)
  const [charge] = await charges()
  await expect(
    shop.call(calls.refundCharge, { id: charge!.id, amountAgorot: 100, reason: 'xx' }),
  ).rejects.toMatchObject({
    errors: [{ code: 'paymentLinks.donationWhole' }],
  })
  await shop.call(calls.refundCharge, { id: charge!.id, amountAgorot: 50_000, reason: 'טעות' })
  await work()
  expect((await papers(11)).map((p) => p.total_agorot)).toEqual([50_000, -50_000])
})

describe('a customer’s page', () => {
  test('shows his papers and what he owes by a key that can be made anew and taken back', async () => {
    const invoice = await shop.invoice(cohen.id, '100')
    await shop.invoice((await shop.customer('לוי')).id, '999')
    const quote = await shop.call(createDocument, {
      type: 1,
      customerId: cohen.id,
      lines: [{ description: 'x', unitPrice: '5' }],
    })
    await shop.call(cancelDocument, { id: quote.id, reason: 'טעות' })
    expect((await shop.call(calls.getCustomerPage, { id: cohen.id })).url).toBeNull()
    const { url } = await shop.call(calls.makeCustomerPage, { id: cohen.id })
    const seen = await callAs(world, calls.customerHistory, { key: keyOf({ url: url! }) })
    expect(seen).toMatchObject({ customer: 'כהן', openAgorot: 11_800, next: null })
    expect(seen.rows.map((r) => [r.type, r.dueAgorot, r.status])).toEqual(
      expect.arrayContaining([
        [8, 11_800, 'issued'],
        [1, 0, 'cancelled'],
      ]),
    )
    expect(seen.rows).toHaveLength(2)
    expect(seen.rows.find((r) => r.type === 8)!.key).toBe(
      (await shop.call(getDocument, { id: invoice.id })).urls.page.split('/').at(-1),
    )
    await shop.call(calls.sendCustomerPage, { id: cohen.id, to: 'cohen@example.com' })
    await work()
    const { url: fresh } = await shop.call(calls.makeCustomerPage, { id: cohen.id })
    await expect(callAs(world, calls.customerHistory, { key: keyOf({ url: url! }) })).rejects.toMatchObject({
      status: 404,
    })
    await shop.call(calls.dropCustomerPage, { id: cohen.id })
    await expect(callAs(world, calls.customerHistory, { key: keyOf({ url: fresh! }) })).rejects.toMatchObject(
      { status: 404 },
    )
  })
})

describe('what waits for a customer’s signature', () => {
  test('stands on his page and on the document’s, as long as it waits; a link of somebody else’s is told nowhere', async () => {
    const quote = await shop.call(createDocument, {
      type: 1,
      customerId: cohen.id,
      lines: [{ description: 'x', unitPrice: '5' }],
    })
    const ask = (signer: { name: string; email?: string; phone?: string; channel?: 'person' }) =>
      shop.call(signDocument, { documentId: quote.id, signer })
    const his = await ask({ name: 'כהן', email: 'Cohen@Example.com' })
    await ask({ name: 'המנהלת', email: 'boss@example.com' })
    const consent = await shop.call(askConsent, {
      customerId: cohen.id,
      signer: { name: 'כהן', email: 'cohen@example.com' },
    })
    const { url } = await shop.call(calls.makeCustomerPage, { id: cohen.id })
    const key = keyOf(await shop.call(getDocument, { id: quote.id }).then(({ urls }) => ({ url: urls.page })))
    const toSign = async () => (await callAs(world, calls.customerHistory, { key: keyOf({ url }) })).toSign
    const ofDocument = async () => (await callAs(world, calls.documentSign, { key })).rows
    const signUrl = async (id: string) => (await shop.call(getRequest, { id })).signers[0]!.url
    expect((await toSign()).map((one) => [one.url, one.documentKey])).toEqual([
      [await signUrl(consent.id), null],
      [await signUrl(his.id), key],
    ])
    expect(await ofDocument()).toEqual([
      {
        name: expect.stringContaining(String(quote.number)),
        url: await signUrl(his.id),
        until: addDays(dayInJerusalem(time), 30),
      },
    ])
    // The phone identifies the person, too.
    await shop.send('PATCH', `/api4/invoice/customers/${cohen.id}`, { mobile: '050-123 4567' })
    const atPhone = await ask({ name: 'כהן', phone: '+972501234567', channel: 'person' })
    expect((await ofDocument()).map((one) => one.url)).toContain(await signUrl(atPhone.id))
    for (const { id } of [his, atPhone, consent]) await shop.call(recallRequest, { id })
    expect(await toSign()).toEqual([])
    expect(await ofDocument()).toEqual([])
    await expect(callAs(world, calls.documentSign, { key: 'nobody' })).rejects.toMatchObject({ status: 404 })
  })
})

describe('receipts’ settings', () => {
  test('transfers land on the account of the settings; what is no means of payment is refused', async () => {
    await expect(shop.call(changeCompany, { receiptMeans: 'card,gold' })).rejects.toMatchObject({
      errors: [{ path: 'receiptMeans' }],
    })
    const { id } = await shop.send('POST', '/api5/invoicecpa/accounts', {
      number: '1123',
      name: 'בנק שני',
      kind: 'asset',
      sortCode: '110',
    })
    expect((await shop.call(calls.bankAccounts, {})).rows.map((r) => r.id)).toContain(id)
    await shop.call(changeCompany, { transferAccountId: id, receiptMeans: 'card,transfer' })
    await shop.call(createDocument, {
      type: 6,
      customerId: cohen.id,
      payments: [{ means: 3, amountAgorot: 700 }],
    })
    const [row] = await query(
      sql<{ account_id: string }>`select account_id from document_payments where company_id = ${companyId}`,
    )
    expect(row!.account_id).toBe(id)
    await shop.call(changeCompany, { transferAccountId: null } as never)
  })

  test('the test acquirer is not for a business on a server that serves people', async () => {
    const key = keyOf(await link())
    world.app.settings.testAcquirer = false
    try {
      await expect(begin(key)).rejects.toMatchObject({ code: 'paymentLinks.off' })
      await expect(shop.call(addTerminal, { gateway: 'test' })).rejects.toMatchObject({
        code: 'paymentLinks.off',
      })
    } finally {
      world.app.settings.testAcquirer = true
    }
  })
})

test('a payment that was denied is owed again by its payer and not by the acquirer, until it is decided', async () => {
  const { url } = await link()
  await pay(await begin(keyOf({ url })))
  await world.worker.drain()
  const { id } = (await charges())[0]!
  const clearing = async () =>
    (
      await query(sql<{
        sum: number
      }>`select coalesce(sum(p.amount_agorot), 0)::bigint as sum from postings p
        join accounts a on a.company_id = p.company_id and a.id = p.account_id
        where p.company_id = ${companyId} and a.number = '1030'`)
    )[0]!.sum
  expect(await clearing()).toBe(50_000)
  const before = (await balance()).card
  const tomorrow = addDays((await shop.call(calls.getCharge, { id })).createdAt.slice(0, 10), 400)
  for (const [more, path] of [
    [{ toldOn: tomorrow }, 'toldOn'],
    [{ answerBy: '2020-01-01' }, 'answerBy'],
    [{ reason: ' ' }, 'reason'],
  ] as const)
    await expect(shop.call(calls.disputeCharge, { id, reason: 'לא ביצע', ...more })).rejects.toMatchObject({
      errors: [{ path }],
    })
  const denied = await shop.call(calls.disputeCharge, { id, reason: 'לא ביצע', answerBy: tomorrow })
  expect(denied).toMatchObject({
    state: 'disputed',
    leftAgorot: 0,
    dispute: { state: 'open', reason: 'לא ביצע', answerBy: tomorrow },
  })
  expect(await clearing()).toBe(0)
  expect((await balance()).card - before).toBe(50_000)
  expect(
    await query(sql`select title from tasks where company_id = ${companyId} and due_day = ${tomorrow}`),
  ).toHaveLength(1)
  await expect(shop.call(calls.disputeCharge, { id, reason: 'שוב' })).rejects.toMatchObject({
    code: 'paymentLinks.disputed',
  })
  await expect(
    shop.call(calls.refundCharge, { id, amountAgorot: 100, reason: 'החזר' }),
  ).rejects.toMatchObject({ code: 'kit.badInput' })
  await expect((await newBusiness(world)).call(calls.endDispute, { id, isWon: true })).rejects.toMatchObject({
    status: 404,
  })
  const won = await shop.call(calls.endDispute, { id, isWon: true })
  expect(won).toMatchObject({ state: 'paid', leftAgorot: 50_000, dispute: { state: 'won' } })
  expect(await clearing()).toBe(50_000)
  expect((await balance()).card).toBe(before)
  await expect(shop.call(calls.endDispute, { id, isWon: false })).rejects.toMatchObject({
    code: 'paymentLinks.notDisputed',
  })
  // It may be denied again; what is lost stays owed by the payer.
  await shop.call(calls.disputeCharge, { id, reason: 'ערעור' })
  expect(await shop.call(calls.endDispute, { id, isWon: false })).toMatchObject({
    state: 'disputed',
    dispute: { state: 'lost' },
  })
  expect(await clearing()).toBe(0)
})

test('a part of a payment is denied, also what is left of one that was given back in part; won, it is as it was', async () => {
  const { url } = await link()
  await pay(await begin(keyOf({ url })))
  await world.worker.drain()
  const { id } = (await charges())[0]!
  const clearing = async () =>
    (
      await query(sql<{
        sum: number
      }>`select coalesce(sum(p.amount_agorot), 0)::bigint as sum from postings p
        join accounts a on a.company_id = p.company_id and a.id = p.account_id
        where p.company_id = ${companyId} and a.number = '1030'`)
    )[0]!.sum
  const owed = (await balance()).card
  for (const amountAgorot of [0, 50_001])
    await expect(shop.call(calls.disputeCharge, { id, reason: 'חלק', amountAgorot })).rejects.toMatchObject({
      errors: [{ path: 'amountAgorot' }],
    })
  const denied = await shop.call(calls.disputeCharge, { id, reason: 'חלק', amountAgorot: 12_000 })
  expect(denied).toMatchObject({ state: 'disputed', dispute: { state: 'open', amountAgorot: 12_000 } })
  expect([await clearing(), (await balance()).card - owed]).toEqual([38_000, 12_000])
  // The same money is not refunded twice through the list of payments.
  const [payment] = await query(
    sql<{
      id: string
    }>`select payment_id as id from charge_disputes where company_id = ${companyId} and charge_id = ${id}`,
  )
  await expect(shop.call(bouncePayment, { id: payment!.id, reason: 'שוב' } as never)).rejects.toMatchObject({
    code: 'payments.cannotBounce',
  })
  await shop.call(calls.endDispute, { id, isWon: true })
  expect([await clearing(), (await balance()).card - owed]).toEqual([50_000, 0])
  // Refunded in part, the rest is disputed.
  await shop.call(calls.refundCharge, { id, amountAgorot: 20_000, reason: 'החזר חלקי' })
  await world.worker.drain()
  expect(await clearing()).toBe(30_000)
  await expect(
    shop.call(calls.disputeCharge, { id, reason: 'הכול', amountAgorot: 50_000 }),
  ).rejects.toMatchObject({
    errors: [{ path: 'amountAgorot' }],
  })
  expect(await shop.call(calls.disputeCharge, { id, reason: 'השאר' })).toMatchObject({
    dispute: { amountAgorot: 30_000 },
  })
  expect([await clearing(), (await shop.call(calls.getCharge, { id })).leftAgorot]).toEqual([0, 0])
})

test('a paper that the database gave up for another one’s sake is made all the same, and nobody is told that it was not', async () => {
  await query(sql`create sequence outrun_once`)
  await query(sql`create function outrun() returns trigger language plpgsql as $$ begin
    if nextval('outrun_once') = 1 then raise exception 'deadlock detected' using errcode = '40P01'; end if;
    return new; end $$`)
  await query(
    sql`create trigger outrun before update on charges for each row
        when (old.paper_id is null and new.paper_id is not null) execute function outrun()`,
  )
  await query(sql`grant usage on sequence outrun_once to public`)
  try {
    const { url } = await link()
    await pay(await begin(keyOf({ url })))
    await world.worker.drain()
    const [charge] = await charges()
    const { events, paper } = await shop.call(calls.getCharge, { id: charge!.id })
    expect(paper).not.toBeNull()
    expect(events.filter(({ kind }) => kind === 'paperFailed')).toEqual([])
  } finally {
    await query(sql`drop trigger outrun on charges`)
  }
})

describe('a link of a program', () => {
  /** A key of the business, and its calls. */
  const program = async () => {
    const { key, secret } = await shop.call(makeKey, {
      name: 'חנות',
      readOnly: false,
      draftsOnly: false,
      rules: [],
      docsAllow: [],
      sumLimitAgorot: null,
      expiresOn: null,
    })
    return {
      id: key.id,
      call: ((endpoint: never, input: never) =>
        callAs(world, endpoint, input, { token: secret })) as unknown as Business['call'],
    }
  }
  const order = (more: object = {}) =>
    ({ description: 'הזמנה', amountAgorot: 20_000, customerId: cohen.id, reference: 'A-1', ...more }) as never

  test('is found by its own reference with what became of it, and what was paid is given back by it once', async () => {
    const [one, other] = [await program(), await program()]
    const made = await one.call(calls.createLink, order({ metadata: { cart: 7 } }))
    expect(made).toMatchObject({ reference: 'A-1', metadata: { cart: 7 } })
    await expect(one.call(calls.createLink, order())).rejects.toMatchObject({
      errors: [{ path: 'reference', code: 'fields.taken' }],
    })
    // Another program of the business counts separately, and neither sees the other's.
    await expect(other.call(calls.linkByReference, { reference: 'A-1' })).rejects.toMatchObject({
      code: 'kit.notFound',
    })
    const theirs = await other.call(calls.createLink, order({ amountAgorot: 9_000 }))
    const asked = () => one.call(calls.linkByReference, { reference: 'A-1' })
    expect(await asked()).toMatchObject({ id: made.id, state: 'open', charge: null })
    await expect(one.call(calls.refundLink, { id: String(made.id), reason: 'ביטול' })).rejects.toMatchObject({
      code: 'paymentLinks.notPaid',
    })
    await pay(await begin(keyOf(made)), '4000000000000002').catch(() => undefined)
    await settleCharge(world.app, companyId, (await charges())[0]!.id, 'return')
    expect(await asked()).toMatchObject({ state: 'open', charge: { state: 'declined' } })
    await pay(await begin(keyOf(made)))
    await work()
    expect(await asked()).toMatchObject({
      state: 'paid',
      charge: { state: 'paid', sumAgorot: 20_000, leftAgorot: 20_000, paper: { type: 9 } },
    })
    const back = (more: object) =>
      one.call(calls.refundLink, { id: String(made.id), reason: 'הוחזר', ...more } as never)
    await back({ amountAgorot: 5_000, clientKey: 'r-1' })
    await back({ amountAgorot: 5_000, clientKey: 'r-1' })
    await expect(back({ amountAgorot: 6_000, clientKey: 'r-1' })).rejects.toMatchObject({
      errors: [{ path: 'clientKey', code: 'fields.taken' }],
    })
    await work()
    expect((await asked()).charge).toMatchObject({
      givenBackAgorot: 5_000,
      leftAgorot: 15_000,
      refunds: [{ state: 'done' }],
    })
    await back({})
    await work()
    await expect(back({})).rejects.toMatchObject({ errors: [{ code: 'paymentLinks.refundsTooMuch' }] })
    expect((await asked()).charge).toMatchObject({ state: 'givenBack', givenBackAgorot: 20_000 })
    // What a key made that has ended is for the person who comes in its place.
    await shop.call(revokeKey, { id: one.id })
    const heir = await program()
    expect((await heir.call(calls.linkByReference, { reference: 'A-1' })).id).toBe(made.id)
    expect((await other.call(calls.linkByReference, { reference: 'A-1' })).id).toBe(theirs.id)
    // A cancelled one gives its reference back.
    await other.call(calls.cancelLink, { id: String(theirs.id) })
    expect((await other.call(calls.createLink, order())).id).not.toBe(theirs.id)
  })

  test('leads its payer on, gives the paper it names, and mails it only where it may', async () => {
    const made = await link({
      paper: 'invoiceReceipt',
      mailsPaper: false,
      successUrl: 'https://shop.example/thanks?order=7',
      errorUrl: 'https://shop.example/cart',
    })
    await pay(await begin(keyOf(made)))
    await work()
    const [paper] = await papers(9)
    expect((await shop.call(getDocument, { id: paper!.id })).sentAt).toBeNull()
    expect(await callAs(world, calls.linkPage, { key: keyOf(made) })).toMatchObject({
      successUrl: 'https://shop.example/thanks?order=7',
      errorUrl: 'https://shop.example/cart',
    })
    const refused = async (more: object, path: string, code: string) =>
      expect(link(more as never)).rejects.toMatchObject({ errors: [{ path, code }] })
    await refused({ successUrl: 'javascript:alert(1)' }, 'successUrl', 'paymentLinks.badUrl')
    await refused({ errorUrl: 'http://shop.example/' }, 'errorUrl', 'paymentLinks.badUrl')
    const invoice = await shop.invoice(cohen.id, '100')
    await refused(
      { amountAgorot: null, documentId: invoice.id, paper: 'invoiceReceipt' },
      'paper',
      'paymentLinks.paperNot',
    )
    await refused({ paper: 'receipt' }, 'paper', 'paymentLinks.paperNot')
    expect(await link({ amountAgorot: null, documentId: invoice.id, paper: 'receipt' })).toMatchObject({
      paper: 'receipt',
    })
    await open('exemptDealer')
    await refused({ paper: 'invoiceReceipt' }, 'paper', 'paymentLinks.paperNot')
    expect(await link({ paper: 'receipt' })).toMatchObject({ paper: 'receipt' })
  })
})
