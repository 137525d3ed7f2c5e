import { execFileSync } from 'node:child_process'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { owedNow as owedOfDomain } from '#domain/documents/owed.ts'
import { asCaller, systemCaller } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import * as masav from '#features/money/masav/endpoints.ts'
import { addTerminal } from '#features/money/acquirers/endpoints.ts'
import * as links from '#features/money/paymentLinks/endpoints.ts'
import * as orders from '#features/money/standingOrders/endpoints.ts'
import { statementOf } from '#features/people/correspondence/server/statement.ts'
import { previewReminders } from '#features/people/reminders/endpoints.ts'
import * as documents from '#features/sales/documents/endpoints.ts'
import { owedNow } from '#features/sales/documents/server/index.ts'
import { createPayment } from '#features/sales/payments/endpoints.ts'
import { callAs, newBusiness, startWorld, type Business, type World } from './world.ts'

/*
 * A customer who paid on account is not asked for that money anywhere. `surfaces` are the places that ask a customer for
 * money; each is read for the amount it asks for.
 */

// A Wednesday.
const today = '2026-05-06'
let world: World
beforeAll(async () => {
  world = await startWorld(() => new Date(`${today}T08:00:00Z`))
  world.app.settings.testAcquirer = true
})
afterAll(() => world.close())

const last = (url: string): string => new URL(url, 'http://x').pathname.split('/').at(-1)!

interface Debt {
  me: Business
  companyId: string
  customerId: string
  invoiceId: string
  pageKey: string
}

/** An invoice of 118.00 that was due yesterday. */
async function owing(): Promise<Debt> {
  const me = await newBusiness(world)
  const { companyId } = await me.get<{ companyId: string }>('/api/user/session')
  await me.call(addTerminal, { gateway: 'test' })
  const { id: customerId } = await me.customer('נעמה', { email: 'naama@example.com', mobile: '0521234567' })
  const invoice = await me.invoice(customerId, '100', { date: '2026-05-01', dueDate: '2026-05-05' })
  return { me, companyId, customerId, invoiceId: invoice.id, pageKey: last(invoice.urls.page) }
}

const payOnAccount = ({ me, customerId }: Debt, amountAgorot: number) =>
  me.call(createPayment, { customerId, payments: [{ means: 3, amountAgorot }] } as never)

const sumOf = <T>(rows: readonly T[], amount: (row: T) => number): number =>
  rows.reduce((total, row) => total + amount(row), 0)

const surfaces: Record<string, (debt: Debt) => Promise<number>> = {
  reminders: async ({ me }) => {
    const steps = [1, 2, 3].map((days) => ({ days, texts: {} }))
    const { rows } = await me.call(previewReminders, { steps } as never)
    for (const { text, openAgorot } of rows) expect(text).toContain((openAgorot / 100).toFixed(2))
    return sumOf(rows, ({ openAgorot }) => openAgorot)
  },
  'the page of the document': async ({ pageKey }) =>
    ((await callAs(world, documents.pageOfDocument, { key: pageKey })) as { openAgorot: number }).openAgorot,
  'the payment on the page of the document': async ({ pageKey }) => {
    const pay = await callAs(world, links.documentPay, { key: pageKey })
    expect(pay.online).toBe(pay.openAgorot > 0)
    return pay.openAgorot
  },
  'the payment link of the document': async ({ me, invoiceId }) => {
    const link = await me.call(links.linkOfDocument, { id: invoiceId }).catch((e: { code: string }) => e.code)
    if (typeof link === 'string') return 0
    const shown = await callAs(world, links.linkPage, { key: last(String(link.url)) })
    return (shown as { agorot?: number; amountAgorot?: number }).amountAgorot ?? 0
  },
  'the page of the customer': async ({ me, customerId }) => {
    const made = (await me.call(links.makeCustomerPage, { id: customerId })) as { url: string }
    const { rows } = await callAs(world, links.customerHistory, { key: last(made.url) })
    return sumOf(rows, ({ dueAgorot }) => dueAgorot)
  },
  'the statement, as overdue': ({ companyId, customerId }) =>
    asCaller(world.app, systemCaller(companyId), '', async (ctx) => {
      const { source } = await statementOf(ctx, customerId, { kind: 'open' })
      expect(sumOf(source.ageing, (one) => one)).toBe(source.balance)
      return sumOf(source.ageing.slice(1), (one) => one)
    }),
  'the home page, as overdue': async ({ me }) => (await me.call(documents.homeFigures, {})).lateAgorot,
  'debits by the bank': async ({ me }) =>
    sumOf((await me.call(masav.proposeDebits, { until: today })).rows, ({ openAgorot }) => openAgorot),
}

describe.each(Object.keys(surfaces))('%s', (name) => {
  const asked = surfaces[name]!

  test('asks for what is open where nothing was paid', async () => {
    expect(await asked(await owing())).toBe(11_800)
  })
  test('asks for nothing that was paid on account', async () => {
    const debt = await owing()
    await payOnAccount(debt, 11_800)
    expect(await asked(debt)).toBe(0)
  })
  test('asks for the rest of what was paid in part', async () => {
    const debt = await owing()
    await payOnAccount(debt, 5_000)
    expect(await asked(debt)).toBe(6_800)
  })
  test('asks for nothing where more was paid', async () => {
    const debt = await owing()
    await payOnAccount(debt, 20_000)
    expect(await asked(debt)).toBe(0)
  })
})

test('money that comes for the rest closes it, whatever lies on account', async () => {
  const debt = await owing()
  await payOnAccount(debt, 5_000)
  const link = await debt.me.call(links.linkOfDocument, { id: debt.invoiceId })
  await expect(
    debt.me.call(createPayment, {
      customerId: debt.customerId,
      payments: [{ means: 3, amountAgorot: 11_800 }],
      apply: [{ documentId: debt.invoiceId, amountAgorot: 11_800 }],
    } as never),
  ).resolves.toMatchObject({ status: 'closed' })
  await expect(
    callAs(world, links.beginLink, { key: last(String(link.url)) } as never),
  ).rejects.toMatchObject({
    code: 'paymentLinks.nothingDue',
  })
})

test('a failed charge of a standing order is not asked for again where the customer paid on account', async () => {
  const debt = await owing()
  await debt.me.call(createPayment, {
    customerId: debt.customerId,
    payments: [{ means: 3, amountAgorot: 11_800 }],
    apply: [{ documentId: debt.invoiceId, amountAgorot: 11_800 }],
  } as never)
  const { id } = await debt.me.call(orders.createOrder, {
    title: 'מנוי',
    customerId: debt.customerId,
    startDay: today,
    means: 'card',
    cardId: null,
    documentType: 9,
    partyKind: 'business',
    lines: [{ description: 'מנוי', unitPrice: '118', vatKind: 2 }],
  } as never)
  await asSystem(world.app.db, (tx) =>
    sql`insert into standing_periods (company_id, order_id, period_start, id, no, period_end, due_day, state,
        failed_on, failure_class, failure_code, total_agorot, made_at, content)
      select company_id, id, ${today}, gen_random_uuid(), 1, ${today}, ${today}, 'failed', ${today}, 'hard', 'x',
        11800, now(), '{}' from standing_orders where id = ${id}`.execute(tx),
  )
  const { pageUrl } = await debt.me.call(orders.getOrder, { id })
  const failed = async () =>
    (await callAs(world, orders.showOrderPage, { key: last(pageUrl) })).failed.map((one) => one.totalAgorot)
  expect(await failed()).toEqual([11_800])
  await payOnAccount(debt, 11_799)
  expect(await failed()).toEqual([11_800])
  await payOnAccount(debt, 1)
  expect(await failed()).toEqual([])
})

test('the query says what the rule says', async () => {
  const { me, companyId, customerId } = await owing()
  const other = (await me.customer('אחר')).id
  const issue = (type: number, shekels: string, more: object) =>
    me.call(documents.createDocument, {
      type,
      customerId,
      date: '2026-05-01',
      lines: [{ description: 'x', unitPrice: shekels, vatKind: 2 }],
      ...more,
    } as never)
  await issue(8, '33.33', { dueDate: '2026-05-20' })
  await issue(8, '50', { dueDate: '2026-05-02' })
  await issue(8, '7', { currency: 'USD', rate: '3.6543', dueDate: '2026-05-02' })
  await issue(5, '20', {})
  await issue(8, '80', { customerId: other })
  await me.call(createPayment, {
    customerId,
    currency: 'USD',
    rate: '3.7',
    payments: [{ means: 3, amountAgorot: 250 }],
  } as never)
  for (const agorot of [4_000, 9_000, 5_000, 4_000]) {
    await me.call(createPayment, { customerId, payments: [{ means: 3, amountAgorot: agorot }] } as never)
    const { found, items } = await asCaller(world.app, systemCaller(companyId), '', async (ctx) => ({
      found: (
        await sql<{
          id: string
          owed: number
        }>`select id, owed_in_currency as owed from ${owedNow(ctx)} w`.execute(ctx.tx)
      ).rows,
      items: (
        await sql<{
          id: string
          customer: string
          currency: string
          open: number
          asks: boolean
          day: string
          number: number
        }>`select id, customer_id as customer, currency, coalesce(due_day, day) as day, number, type = 5 as asks,
            case when type = 5 then asked_agorot else open_in_currency_agorot end as open
          from documents where company_id = ${companyId} and status in ('issued', 'partlyClosed')`.execute(
          ctx.tx,
        )
      ).rows,
    }))
    const groups = new Map<string, typeof items>()
    for (const one of items) {
      const key = `${one.customer} ${one.currency}`
      groups.set(key, [...(groups.get(key) ?? []), one])
    }
    const expected = [...groups.values()].flatMap((group) => [...owedOfDomain(group)])
    expect(Object.fromEntries(found.map(({ id, owed }) => [id, Number(owed)]))).toEqual(
      Object.fromEntries(expected),
    )
  }
})

/*
 * Who reads open amounts of documents directly may ask for money that was paid. Each such file of the wings that speak to
 * customers says why it does not.
 */
const reasons: Record<string, string> = {
  'src/features/money/bank/server/demo.ts': 'makes up the statements of the demo',
  'src/features/calendar/bookings/server/actions.ts': 'whether a request of a booking still waits',
  'src/features/calendar/bookings/server/paid.ts': 'whether a booking is paid',
  'src/features/calendar/bookings/server/read.ts': 'whether a booking is paid',
  'src/features/calendar/passes/server/read.ts': 'whether a pass is paid',
  'src/features/calendar/passes/server/subscribed.ts': 'whether a pass is paid',
  'src/features/money/masav/server/collect.ts': 'what money that came closes',
  'src/features/money/paymentLinks/server/lists.ts': 'shows the business what is open of a link',
  'src/features/money/standingOrders/server/answer.ts': 'shows the business what is open of a charge',
  'src/features/people/letters/server/fields.ts': 'a credit that is named in a letter',
  'src/features/money/masav/server/proposals.ts': 'narrows the rows of what is owed now',
  'src/features/money/matching/server/book.ts': 'bills of suppliers',
  'src/features/money/matching/server/card.ts': 'shows the business what closes what',
  'src/features/money/matching/server/facts.ts': 'finds what money that came may close',
  'src/features/money/matching/server/index.ts': 'finds what money that came may close',
  'src/features/money/matching/server/open.ts': 'bills of suppliers',
  'src/features/money/payPages/server/mainPayment.ts': 'asks whether a plan was paid',
  'src/features/money/paymentLinks/server/customerPage.ts': 'the balance, with money on account in it',
  'src/features/money/paymentLinks/server/paper.ts': 'whether a request is paid whole',
  'src/features/money/paymentLinks/server/payable.ts': 'what money that came closes',
  'src/features/money/standingOrders/server/purpose.ts': 'whether money that came closes its invoice',
  'src/features/money/committee/server/tenant.ts': 'whether a request of a house still waits',
  'src/features/calendar/bookings/server/entry.ts': 'the balance, with money on account in it',
  'src/features/calendar/bookingPage/server/page.ts': 'whether a request of a booking still waits',
  'src/features/people/correspondence/server/statement.ts': 'the balance, with money on account in it',
  'src/features/people/reminders/server/due.ts': 'narrows the rows of what is owed now',
  'src/features/people/reminders/server/index.ts': 'what reminders that were sent named',
  'src/features/people/reminders/server/plan.ts': 'writes down what a reminder named',
}

test('nothing that speaks to customers reads what is open of documents by itself, but for a reason', () => {
  const found = execFileSync(
    'grep',
    [
      '-rlE',
      'open_agorot|asked_agorot|open_in_currency_agorot',
      ...['money', 'calendar', 'people'].map((wing) => `src/features/${wing}`),
      '--include=*.ts',
    ],
    { encoding: 'utf8' },
  )
    .trim()
    .split('\n')
    .filter((path) => !path.endsWith('.test.ts'))
  expect(found.filter((path) => !reasons[path])).toEqual([])
  expect(Object.keys(reasons).filter((path) => !found.includes(path))).toEqual([])
})
