import { addDays, dayInJerusalem } from '#domain/day.ts'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { documentTypes } from '#domain/documents/kinds.ts'
import type { Endpoint } from '#kit/describe/endpoint.ts'
import { serveSchedule, type Schedule } from '#kit/server/work/schedules.ts'
import { testPay } from '#features/money/acquirers/endpoints.ts'
import * as bookings from '#features/calendar/bookingPage/endpoints.ts'
import { remind as remindOfClasses } from '#features/calendar/bookings/server/index.ts'
import { createClass } from '#features/calendar/timetable/endpoints.ts'
import * as shops from '#features/connected/shops/endpoints.ts'
import * as committee from '#features/money/committee/endpoints.ts'
import { dueReminders } from '#features/money/committee/server/remind.ts'
import { beginLink, checkLink, createLink } from '#features/money/paymentLinks/endpoints.ts'
import * as pages from '#features/money/payPages/endpoints.ts'
import { createOrder, orderInput } from '#features/money/standingOrders/endpoints.ts'
import { inviteAccountant } from '#features/partners/accountant/endpoints.ts'
import { duePackages } from '#features/partners/accountant/server/package.ts'
import { changeReminders } from '#features/people/reminders/endpoints.ts'
import { duePlans as dueReminderPlans } from '#features/people/reminders/server/plan.ts'
import { createPlan } from '#features/reports/reportPlans/endpoints.ts'
import { duePlans as dueReportPlans } from '#features/reports/reportPlans/server/ring.ts'
import { createDocument } from '#features/sales/documents/endpoints.ts'
import { signDocument } from '#features/sales/signing/endpoints.ts'
import { sweepSigning } from '#features/sales/signing/server/sweep.ts'
import { asked, liveOn, type Scene } from './limits.ts'
import { keyToSign, signByKey, strokes } from './signing.ts'
import { callAs, Refused, type World } from './world.ts'

/** One way of ordering what happens later, as a test goes it. */
export interface Way {
  /** The kind of the order, as the inbox names it. */
  kind: string
  /** The right without which the order stops. */
  rule: string
  /** Further rights that a worker needs to give it. */
  rules: string[]
  /** What one effect comes to; 0 where it only sends. */
  agorot: number
  /** The type of the document that the order brings about, where it does. */
  documentType?: number
  charges?: boolean
  /** Keys may not order it. */
  people?: boolean
  /** Gives the order in somebody's name. */
  order: (token: string) => Promise<void>
  /** What happens later, by machines and payers; a refusal of a payer is no error. */
  act: () => Promise<void>
  /** How often it has happened. */
  count: () => Promise<number>
}

interface Stage {
  world: World
  scene: Scene
  at: { time: Date }
}

type MakeWay = (stage: Stage) => Promise<Way>

const day = (at: { time: Date }, days = 0): string => addDays(dayInJerusalem(at.time), days)

/** A call of a person or a key, as they make it. */
const by = <E extends Endpoint>({ world }: Stage, token: string | undefined, endpoint: E, input: object) =>
  callAs(world, endpoint, input as never, token === undefined ? {} : { token }) as Promise<any>

const payers = async (work: () => Promise<unknown>): Promise<void> => {
  await work().catch((e: unknown) => {
    if (!(e instanceof Refused) || e.status >= 500) throw e
  })
}

const counted = async ({ world }: Stage, text: ReturnType<typeof sql<{ n: number }>>): Promise<number> =>
  (await asked(world, text))[0]!.n

const letters = (stage: Stage, kinds: string[]) => () =>
  counted(
    stage,
    sql`select count(*)::int as n from messages where company_id = ${stage.scene.companyId}
      and kind = any (${kinds}::text[])`,
  )

const issued = (stage: Stage, type: number) => () =>
  counted(
    stage,
    sql`select count(*)::int as n from documents where company_id = ${stage.scene.companyId}
      and type = ${type} and status <> 'draft'`,
  )

const minute = 60_000

/**
 * A schedule is looked at, twice: what was done once is not done again. The first time its day comes, later a lease
 * has run out.
 */
function turns({ world, at }: Stage, schedule: Schedule, hours: number): () => Promise<void> {
  let ahead = hours * 60
  return async () => {
    at.time = new Date(at.time.getTime() + ahead * minute)
    ahead = 16
    await serveSchedule(world.app, schedule)
    await serveSchedule(world.app, schedule)
    await world.worker.drain()
  }
}

const fill = (stage: Stage, url: string) =>
  by(stage, undefined, testPay, {
    key: url.split('/').at(-1)!,
    number: '4242424242424242',
    month: 12,
    year: 2040,
    cvv: '123',
    instalments: 1,
  })

/** What a standing order charges and issues: 500 shekels each, an invoice receipt. */
const standingOrders: MakeWay = (stage) =>
  Promise.resolve({
    kind: 'standingOrders',
    rule: 'standingOrders.change',
    rules: ['standingOrders.see', 'standingOrders.run', 'savedCards.charge', 'customers.see'],
    agorot: 50_000,
    documentType: 9,
    charges: true,
    order: (token) =>
      by(
        stage,
        token,
        createOrder,
        orderInput.parse({
          title: 'מנוי',
          customerId: stage.scene.customerId,
          startDay: day(stage.at),
          means: 'card',
          cardId: stage.scene.cardId,
          documentType: 9,
          // The machine charges, not the call.
          chargeToday: true,
          partyKind: 'business',
          lines: [{ description: 'מנוי', unitPrice: '500', vatKind: 2 }],
        }),
      ),
    act: () => liveOn(stage.world, stage.at, 2),
    count: issued(stage, 9),
  })

const paymentLinks: MakeWay = (stage) => {
  let key = ''
  return Promise.resolve({
    kind: 'paymentLinks',
    rule: 'paymentLinks.change',
    rules: ['paymentLinks.see', 'customers.see'],
    agorot: 50_000,
    documentType: documentTypes.taxInvoiceReceipt.id,
    order: async (token) => {
      const made = await by(stage, token, createLink, {
        description: 'x',
        amountAgorot: 50_000,
        customerId: stage.scene.customerId,
      })
      key = made.url.split('/').at(-1)!
    },
    act: () =>
      payers(async () => {
        const { url } = await by(stage, undefined, beginLink, { key })
        await fill(stage, url)
        const [charge] = await asked(
          stage.world,
          sql<{ id: string }>`select id from charges where company_id = ${stage.scene.companyId}
            order by created_at desc limit 1`,
        )
        await by(stage, undefined, checkLink, { key, charge: charge!.id })
      }),
    count: () =>
      counted(
        stage,
        sql`select count(*)::int as n from charges where company_id = ${stage.scene.companyId} and state = 'paid'`,
      ),
  })
}

/** A reminder of a payment link, which the link sends on the third day. */
const linkReminders: MakeWay = (stage) =>
  Promise.resolve({
    kind: 'paymentLinks',
    rule: 'paymentLinks.change',
    rules: ['paymentLinks.see', 'customers.see'],
    agorot: 0,
    order: (token) =>
      by(stage, token, createLink, {
        description: 'x',
        amountAgorot: 50_000,
        customerId: stage.scene.customerId,
        email: 'naama@example.com',
        remindDays: '3',
        expiresOn: day(stage.at, 60),
      }),
    act: async () => {
      stage.at.time = new Date(stage.at.time.getTime() + 4 * 86_400_000)
      // The worker goes by the clock of the database.
      await asked(
        stage.world,
        sql`update outbox set run_after = now() where company_id = ${stage.scene.companyId}
          and name = 'paymentLinks.remind' and done_at is null returning 1`,
      )
      await stage.world.worker.drain()
    },
    count: letters(stage, ['paymentLink']),
  })

const pageInput = (at: { time: Date }) => ({
  kind: 'charge',
  texts: { he: { title: `סדנה ${day(at)}`, thanks: '', terms: '' } },
  items: [{ id: crypto.randomUUID(), names: { he: 'מקום' }, priceAgorot: 50_000, mostQuantity: 1, stock: 1 }],
})

async function openPage(stage: Stage, token: string): Promise<{ key: string; itemId: string }> {
  const made = await by(stage, token, pages.createPage, pageInput(stage.at))
  const { url, content } = await by(stage, token, pages.openPayPage, { id: made.id })
  return { key: url.split('/').at(-1)!, itemId: content.items[0].id }
}

let visitors = 0
const buy = (stage: Stage, { key, itemId }: { key: string; itemId: string }, more: object = {}) =>
  payers(async () => {
    const { url, chargeId } = await callAs(
      stage.world,
      pages.beginPage,
      {
        key,
        visit: crypto.randomUUID(),
        lines: [{ id: itemId, quantity: 1 }],
        payer: { name: 'נעמה ברק', email: `buyer${++visitors}@example.com`, phone: '', taxId: '' },
        seenAgorot: 50_000,
        ...more,
      } as never,
      { address: `203.0.113.${visitors % 250}` },
    )
    await fill(stage, url)
    await by(stage, undefined, pages.checkPage, { key, charge: chargeId })
  })

const bought =
  (stage: Stage, and = sql`true`) =>
  () =>
    counted(
      stage,
      sql`select count(*)::int as n from pay_purchases where company_id = ${stage.scene.companyId}
      and state = 'paid' and ${and}`,
    )

const payPages: MakeWay = (stage) => {
  let page = { key: '', itemId: '' }
  return Promise.resolve({
    kind: 'payPages',
    rule: 'payPages.change',
    rules: ['payPages.see'],
    agorot: 50_000,
    documentType: documentTypes.taxInvoiceReceipt.id,
    order: async (token) => void (page = await openPage(stage, token)),
    act: () => buy(stage, page),
    count: bought(stage),
  })
}

/** A coupon of 300 shekels on a page of the owner. */
const coupons: MakeWay = async (stage) => {
  const page = await openPage(stage, stage.scene.shop.token)
  return {
    kind: 'coupons',
    rule: 'coupons.change',
    rules: ['coupons.see'],
    agorot: 30_000,
    order: (token) =>
      by(stage, token, pages.createCoupon, { code: 'HAVERA', kind: 'sum', valueAgorot: 30_000 }),
    act: () => buy(stage, page, { coupon: 'HAVERA', seenAgorot: 20_000 }),
    count: bought(stage, sql`coupon_id is not null`),
  }
}

/** The code that was last sent to a number by a short message. */
function codeSent(world: World, phone: string): string {
  const folder = join(world.app.settings.dataDir, 'sms')
  const text = readdirSync(folder)
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .findLast((one) => one.includes(phone.replace(/^0/, '')))!
  return /\b\d{6}\b/.exec(text.replaceAll(phone, ''))![0]
}

let phones = 521_000_000
/** A studio with a class; customers book and pay on its page. */
async function studio(stage: Stage) {
  const { scene, world, at } = stage
  const kind = await scene.shop.send('POST', '/api4/invoice/classKinds', {
    name: 'יוגה',
    minutes: 60,
    seats: 20,
    priceAgorot: 50_000,
    cancelHours: 1,
  })
  const { row } = await by(stage, scene.shop.token, createClass, {
    kindId: kind.id,
    day: day(at, 3),
    at: '18:00',
    trainerId: null,
    placeId: null,
  })
  let key = ''
  return {
    order: async (token: string) => {
      const { url } = await by(stage, token, bookings.setBookingSettings, { isOn: true, remindHours: 24 })
      key = url.split('/').at(-1)!
    },
    book: async () => {
      const phone = `0${++phones}`
      const { codeId } = await by(stage, undefined, bookings.sendCode, { key, phone, name: 'דנה' })
      const code = codeSent(world, phone)
      const { token } = await by(stage, undefined, bookings.verifyCode, { key, codeId, code })
      const { id } = await by(stage, undefined, bookings.bookOnPage, { key, token, classId: row.id })
      return () => payers(() => by(stage, undefined, bookings.payOnPage, { key, token, bookingId: id }))
    },
  }
}

const paymentRequest = documentTypes.paymentRequest.id
const bookingPages: MakeWay = async (stage) => {
  const { order, book } = await studio(stage)
  let pay: (() => Promise<void>) | undefined
  return {
    kind: 'bookingPages',
    rule: 'calendar.setUp',
    rules: ['calendar.see'],
    agorot: 50_000,
    documentType: paymentRequest,
    order,
    act: async () => {
      pay ??= await book()
      await pay()
    },
    count: issued(stage, paymentRequest),
  }
}

const classReminders: MakeWay = async (stage) => {
  const { order, book } = await studio(stage)
  let isBooked = false
  return {
    kind: 'bookingPages',
    rule: 'calendar.setUp',
    rules: ['calendar.see'],
    agorot: 0,
    order,
    act: async () => {
      if (!isBooked) {
        await book()
        stage.at.time = new Date(`${day(stage.at, 3)}T08:00:00Z`)
      }
      isBooked = true
      await remindOfClasses(stage.world.app)
    },
    count: () =>
      counted(
        stage,
        sql`select count(*)::int as n from class_bookings where company_id = ${stage.scene.companyId}
          and reminded_at is not null`,
      ),
  }
}

/** A house with a flat and its tenant. */
async function house({ scene }: Stage) {
  const send = (path: string, body: object) => scene.shop.send('POST', `/api4/invoice/${path}`, body)
  const { id } = await send('committeebuildings', {
    name: 'האלה 14',
    openedOn: '2026-01-01',
    openingAgorot: 0,
    reserveAgorot: 0,
  })
  const { id: flatId } = await send('committeeflats', { buildingId: id, number: '1' })
  await send('committeepeople', {
    flatId,
    customerId: scene.customerId,
    role: 'owner',
    pays: true,
    fromDay: '2026-01-01',
  })
  return { id, flatId }
}

const committeePages: MakeWay = async (stage) => {
  const { id, flatId } = await house(stage)
  const page = await by(stage, stage.scene.shop.token, committee.setTenantPage, {
    id,
    customerId: stage.scene.customerId,
  })
  const key = page.url.split('/').at(-1)!
  return {
    kind: 'committeePages',
    rule: 'committee.change',
    rules: ['committee.see', 'committee.decide'],
    agorot: 50_000,
    documentType: paymentRequest,
    order: (token) =>
      by(stage, token, committee.openingDebt, {
        id,
        flatId,
        month: day(stage.at, -45).slice(0, 7),
        agorot: 50_000,
      }),
    act: () => payers(() => by(stage, undefined, committee.payByTenant, { key })),
    count: issued(stage, paymentRequest),
  }
}

const committeeReminders: MakeWay = async (stage) => {
  const { id, flatId } = await house(stage)
  await by(stage, stage.scene.shop.token, committee.openingDebt, {
    id,
    flatId,
    month: day(stage.at, -45).slice(0, 7),
    agorot: 50_000,
  })
  return {
    kind: 'committeeReminders',
    rule: 'committee.change',
    rules: ['committee.see'],
    agorot: 0,
    order: (token) =>
      by(stage, token, committee.setReminders, { id, every: 'month', firstDay: day(stage.at, 1) }),
    act: turns(stage, dueReminders, 36),
    count: letters(stage, ['reminder', 'committee']),
  }
}

const reminderPlans: MakeWay = async (stage) => {
  const { scene, at } = stage
  await by(stage, scene.shop.token, createDocument, {
    type: 8,
    customerId: scene.customerId,
    date: day(at),
    dueDate: day(at),
    lines: [{ description: 'x', unitPrice: '100' }],
  })
  return {
    kind: 'reminderPlans',
    rule: 'reminders.change',
    rules: [],
    agorot: 0,
    order: (token) =>
      by(stage, token, changeReminders, {
        isOn: true,
        hour: 9,
        weekends: true,
        leastAgorot: 0,
        typeIds: [],
        steps: [{ days: 1, texts: {} }],
      }),
    act: turns(stage, dueReminderPlans, 36),
    count: letters(stage, ['reminder']),
  }
}

let accountants = 0
/** Within five days, and one that every month has. */
const sendDay = ({ at }: Stage): number =>
  [2, 3, 4, 5].map((days) => Number(day(at, days).slice(8))).find((one) => one <= 28)!
const accountantPackages: MakeWay = (stage) =>
  Promise.resolve({
    kind: 'accountantPackages',
    rule: 'accountant.change',
    // Who invites an accountant gives rights, and gives none they have not.
    rules: ['*'],
    agorot: 0,
    people: true,
    order: (token) =>
      by(stage, token, inviteAccountant, {
        name: 'רו״ח אלון',
        email: `cpa${++accountants}${Date.now()}@example.com`,
        sendDay: sendDay(stage),
        contents: ['debts'],
      }),
    act: turns(stage, duePackages, 24 * 6),
    count: letters(stage, ['accountant']),
  })

const reportPlans: MakeWay = async (stage) => {
  const [owner] = await asked(
    stage.world,
    sql<{ id: string }>`select id from users where email = ${stage.scene.shop.email}`,
  )
  return {
    kind: 'reportPlans',
    rule: 'reportPlans.change',
    rules: ['reports.sales'],
    agorot: 0,
    order: (token) =>
      by(stage, token, createPlan, {
        report: 'income',
        query: { from: '2026-01-01', to: '2026-02-01', cols: 'month,netAgorot,totalAgorot' },
        title: 'הכנסות החודש',
        every: 'day',
        weekday: 0,
        monthDay: 1,
        daysBefore: 3,
        hour: 9,
        span: 'thisMonth',
        formats: ['xlsx'],
        condition: null,
        isOn: true,
        people: [owner!.id],
      }),
    act: turns(stage, dueReportPlans, 24),
    count: letters(stage, ['report']),
  }
}

/** A quote of 500 shekels that its customer signs becomes an order. */
const signRequests: MakeWay = async (stage) => {
  const { scene, world } = stage
  const quote = await by(stage, scene.shop.token, createDocument, {
    type: 1,
    customerId: scene.customerId,
    lines: [{ description: 'דוד שמש', unitPrice: '500', vatKind: 4 }],
  })
  let key = ''
  return {
    kind: 'signRequests',
    rule: 'signing.send',
    rules: ['documents.see', 'signing.see'],
    agorot: 50_000,
    documentType: 2,
    order: async (token) => {
      const { id } = await by(stage, token, signDocument, {
        documentId: quote.id,
        becomesOrder: true,
        signer: { name: 'רות כהן', email: 'ruth@example.com' },
      })
      key = await keyToSign(scene.shop, id)
    },
    act: async () => {
      await payers(() => signByKey(world, key, { name: 'רות כהן', date: day(stage.at), sign: strokes }))
      await world.worker.drain()
      await world.worker.drain()
    },
    count: issued(stage, 2),
  }
}

const signReminders: MakeWay = async (stage) => {
  const { documentType: _, ...way } = await signRequests(stage)
  let ahead = 4 * 24 * 60
  return {
    ...way,
    agorot: 0,
    act: async () => {
      stage.at.time = new Date(stage.at.time.getTime() + ahead * minute)
      ahead = 1
      await sweepSigning(stage.world.app)
    },
    count: () =>
      counted(
        stage,
        sql`select coalesce(sum(reminded), 0)::int as n from sign_requests
          where company_id = ${stage.scene.companyId}`,
      ),
  }
}

const shopOrder = (at: { time: Date }) => ({
  id: 'A-1',
  number: '1001',
  version: 1,
  status: 'paid',
  day: day(at),
  currency: 'ILS',
  total: '500.00',
  buyer: { name: 'רות כהן', email: 'ruth@example.com' },
  items: [{ name: 'ספר', quantity: 2, total: '500.00' }],
})

const shopsWay: MakeWay = (stage) => {
  let path = ''
  return Promise.resolve({
    kind: 'shops',
    rule: 'shops.connect',
    rules: ['shops.see'],
    agorot: 50_000,
    documentType: 9,
    order: async (token) => {
      const made = await by(stage, token, shops.createShop, {
        kind: 'generic',
        name: 'אתר',
        settings: { send: 'none' },
      })
      const changed = await by(stage, token, shops.changeShop, {
        id: made.id,
        mapping: {
          id: 'id',
          number: 'number',
          version: 'version',
          paid: 'status',
          day: 'day',
          currency: 'currency',
          total: 'total',
          name: 'buyer.name',
          email: 'buyer.email',
          lines: 'items',
          lineName: 'name',
          lineQuantity: 'quantity',
          lineTotal: 'total',
        },
      })
      path = new URL(changed.address).pathname
    },
    act: async () => {
      await stage.world.http.inject({
        method: 'POST',
        url: path,
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify(shopOrder(stage.at)),
      })
      await stage.world.worker.drain()
    },
    count: issued(stage, 9),
  })
}

/** Every way of ordering what happens later, by what it is called in a test. */
export const ways: Readonly<Record<string, MakeWay>> = {
  standingOrders,
  paymentLinks,
  linkReminders,
  payPages,
  coupons,
  bookingPages,
  classReminders,
  committeePages,
  committeeReminders,
  reminderPlans,
  accountantPackages,
  reportPlans,
  signRequests,
  signReminders,
  shops: shopsWay,
}
