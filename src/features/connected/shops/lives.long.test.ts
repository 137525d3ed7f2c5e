import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, dayInJerusalem } from '#domain/day.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import * as calls from './endpoints.ts'
import { sweepShop } from './server/sweep.ts'
import type { ShopRow } from './server/engine/rows.ts'

/*
 * Orders in random lives: placed, edited, paid, refunded in parts, cancelled, and every notice sent twice, late, out
 * of order and to two processes at once. `ORDERS=5000` runs more of them; `SEED=` chooses them.
 */
const lives = Number(process.env.ORDERS ?? 60)
const seed = Number(process.env.SEED ?? 7)

let [first, second]: World[] = []
let owner: Business
let companyId: string
beforeAll(async () => {
  first = await startWorld()
  second = await startWorld()
  owner = await newBusiness(first)
  companyId = (await owner.call(mySession, {})).CompanyKey
})
afterAll(async () => {
  await second!.close()
  await first!.close()
})

function dice(state: number): (sides: number) => number {
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

interface Life {
  notices: Record<string, unknown>[]
  /** What the shop ends up with. */
  paid: number
  refunded: number
  day: string
  /** Raised by the shop after it was paid; only when the document was made before is that a difference. */
  raised: number
}

/** One order's life as notices, each saying how things stood then. */
function live(roll: (sides: number) => number, id: number, day: string): Life {
  const notices: Record<string, unknown>[] = []
  let version = 0
  let items = Array.from({ length: 1 + roll(4) }, (_, i) => ({
    name: `פריט ${i}`,
    quantity: 1 + roll(5),
    total: 100 + roll(50_000),
  }))
  let discount = 0
  let status = 'pending'
  const refunds: { id: number; amount: number }[] = []
  const whole = () => items.reduce((all, one) => all + one.total, 0) - discount
  const tell = () =>
    notices.push(
      structuredClone({
        id,
        version: ++version,
        status,
        day,
        currency: 'ILS',
        total: (whole() / 100).toFixed(2),
        discount: (discount / 100).toFixed(2),
        buyer: {
          name: `קונה ${id % 9}`,
          email: `buyer${id % 9}@example.com`,
          ...(id % 11 === 0 ? { taxId: '514000005' } : {}),
        },
        items: items.map((one) => ({ ...one, total: (one.total / 100).toFixed(2) })),
        refunds: refunds.map((one) => ({ ...one, amount: (one.amount / 100).toFixed(2) })),
      }),
    )
  tell()
  for (let edits = roll(3); edits > 0; edits--) {
    items = items.map((one) => ({ ...one, total: 100 + roll(50_000) }))
    discount = roll(3) === 0 ? roll(whole()) : 0
    tell()
  }
  if (roll(6) === 0) {
    status = 'cancelled'
    tell()
    return { notices, paid: 0, refunded: 0, day, raised: 0 }
  }
  status = 'paid'
  if (whole() <= 0) discount = 0
  const paid = whole()
  tell()
  let raised = 0
  if (roll(12) === 0) {
    raised = 500
    items = [...items, { name: 'תוספת', quantity: 1, total: raised }]
    tell()
  }
  let left = paid
  for (let parts = roll(4); parts > 0 && left > 0; parts--) {
    const amount = roll(3) === 0 ? left : 1 + roll(left)
    refunds.push({ id: refunds.length + 1, amount })
    left -= amount
    tell()
  }
  return { notices, paid, refunded: paid - left, day, raised }
}

/** Doubled, and out of order within reach of each other. */
function shaken<T>(roll: (sides: number) => number, all: T[]): T[] {
  const told = all.flatMap((one) => Array.from({ length: 1 + (roll(3) === 0 ? 1 + roll(2) : 0) }, () => one))
  return told
    .map((one, i) => ({ one, at: i + roll(5) }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one)
}

test(
  `${lives} orders: a document for each that is paid, and shop and books the same each day`,
  { timeout: 120_000 + lives * 400 },
  async () => {
    const roll = dice(seed)
    const today = dayInJerusalem(new Date())
    const shop = await owner.call(calls.createShop, {
      kind: 'generic',
      name: 'אתר',
      settings: { send: 'none', fromDay: addDays(today, -30) },
    })
    await owner.call(calls.changeShop, {
      id: shop.id,
      mapping: {
        id: 'id',
        version: 'version',
        paid: 'status',
        day: 'day',
        currency: 'currency',
        total: 'total',
        discount: 'discount',
        name: 'buyer.name',
        email: 'buyer.email',
        taxId: 'buyer.taxId',
        lines: 'items',
        lineName: 'name',
        lineQuantity: 'quantity',
        lineTotal: 'total',
        refunds: 'refunds',
        refundId: 'id',
        refundAmount: 'amount',
      },
    })
    const all = Array.from({ length: lives }, (_, i) => live(roll, i + 1, addDays(today, -roll(5))))
    const told = shaken(
      roll,
      all.flatMap(({ notices }) => notices),
    )
    const path = new URL(shop.address).pathname
    let at = 0
    const worker = async (world: World) => {
      while (at < told.length) {
        const answer = await world.http.inject({
          method: 'POST',
          url: path,
          headers: { 'content-type': 'application/json' },
          payload: JSON.stringify(told[at++]),
          remoteAddress: `10.0.${roll(250)}.${roll(250)}`,
        })
        expect([200, 429], answer.body).toContain(answer.statusCode)
      }
    }
    await Promise.all([worker(first!), worker(second!), worker(first!)])
    const {
      rows: [row],
    } = await sql<ShopRow>`select * from shops where id = ${shop.id}`.execute(first!.app.db.kysely)
    await sweepShop(first!.app, row!)

    const query = async <T>(text: ReturnType<typeof sql<T>>) =>
      (await text.execute(first!.app.db.kysely)).rows
    expect(
      await query(
        sql`select trouble, trouble_params, external_id from shop_orders where company_id = ${companyId}
            and state = 'trouble' and trouble <> 'edited'`,
      ),
    ).toEqual([])
    const invoices = await query(
      sql<{
        n: number
      }>`select count(*)::int as n from documents where company_id = ${companyId} and type in (8, 9)
          and status <> 'draft'`,
    )
    expect(invoices[0]!.n).toBe(all.filter(({ paid }) => paid > 0).length)
    const credits = await query(sql<{
      n: number
      sum: number
    }>`select count(*)::int as n, coalesce(sum(total_agorot), 0)::bigint as sum from documents
    where company_id = ${companyId} and type = 10 and status <> 'draft'`)
    expect(Number(credits[0]!.sum)).toBe(all.reduce((sum, { refunded }) => sum + refunded, 0))
    // What was raised after its document is the only difference, and is reported by name.
    const named = await query(sql<{
      paid_day: string
      difference: number
    }>`select paid_day, sum(difference_agorot)::bigint as difference from shop_orders
    where company_id = ${companyId} and trouble = 'edited' group by paid_day`)
    expect(
      await query(sql`select 1 from shop_refunds where company_id = ${companyId} and state <> 'issued'`),
    ).toEqual([])
    const { rows: days } = await owner.call(calls.listDays, { id: shop.id })
    for (const day of days) {
      const own = all.filter((one) => one.day === day.day && one.paid > 0)
      const difference = Number(named.find((one) => one.paid_day === day.day)?.difference ?? 0)
      expect(day.shopAgorot).toBe(
        own.reduce((sum, { paid, refunded, raised }) => sum + paid + raised - refunded, 0),
      )
      expect(day.differenceAgorot).toBe(difference)
    }
    expect(days.reduce((sum, { orders }) => sum + orders, 0)).toBe(all.filter(({ paid }) => paid > 0).length)
  },
)
