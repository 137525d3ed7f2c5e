import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { markOfAddress } from '#kit/server/rights/address.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { NewPurchase } from './purchase.ts'
import { itemsOf, pageOf } from './store.ts'

/*
 * Places, pieces and uses of coupons are reserved while a buyer fills in the form, which keeps them from
 * others. One address and one person have a limit at once, and an address whose reservations lapsed unpaid for
 * an hour within a day reserves one piece at a time and never the last one. Addresses are shared, so none is
 * shut out completely.
 */

/**
 * Unpaid purchases of scarce things on one page at once: by one mail or phone, and from one address, behind
 * which many may stand: there it is a tenth of what is left where that is more.
 */
const atOnceByPerson = 3
const atOnceFromAddress = (left: number): number => Math.max(8, Math.floor(left / 10))
/** Minutes that an address may reserve on a page within a day without paying. */
const freeMinutesADay = 60

interface Reserved {
  openHere: number
  openByPerson: number
  minutes: number
}

/** What this address and this person have reserved on the page and not paid, apart from what was freed for this purchase. */
async function reservedBy(ctx: Ctx, { page, payer, visit }: NewPurchase): Promise<Reserved> {
  const mark = markOfAddress(ctx)
  const since = new Date(ctx.now.getTime() - 24 * 60 * 60_000)
  const { rows } = await sql<Reserved>`select
      (count(*) filter (where state = 'begun' and begun_from = ${mark}))::int as "openHere",
      (count(*) filter
      (where state = 'begun' and ((payer->>'email' <> '' and payer->>'email' = ${payer.email})
        or (payer->>'phone' <> '' and payer->>'phone' = ${payer.phone}))))::int as "openByPerson",
      coalesce(sum(extract(epoch from freed_at - created_at) / 60)
        filter (where state = 'freed' and begun_from = ${mark} and freed_at > created_at), 0)::float8 as
        minutes
    from pay_purchases where company_id = ${ctx.companyId} and page_id = ${page.id}
      and state in ('begun', 'freed') and created_at > ${since}
      and not (visit = ${visit} and state = 'begun')`.execute(ctx.tx)
  return rows[0]!
}

/** Whether anything reserved is limited, how much is left, and whether this would be the last of it. */
async function scarcityOf(ctx: Ctx, { page, lines, coupon }: NewPurchase) {
  const [now, items] = [await pageOf(ctx, page.id), await itemsOf(ctx, page.id)]
  const left = items.flatMap(({ id, stock, taken }) => {
    const quantity = lines
      .filter((line) => line.page_item_id === id)
      .reduce((all, line) => all + line.quantity, 0)
    return stock === null || !quantity ? [] : [{ quantity, left: stock - taken }]
  })
  if (now.places !== null) left.push({ quantity: 1, left: now.places - now.places_taken })
  return {
    isScarce: left.length > 0 || (coupon?.uses_max ?? null) !== null,
    left: left.length ? Math.min(...left.map((one) => one.left)) : 0,
    isLast: left.some((one) => one.quantity > 1 || one.left <= 1) || (coupon?.uses_max ?? null) !== null,
  }
}

/**
 * Refuses what would be reserved too often without being paid. Under the lock of the page's row. Throws
 * `payPages.reservedTooOften`.
 */
export async function checkReserve(ctx: Ctx, purchase: NewPurchase): Promise<void> {
  const { isScarce, isLast, left } = await scarcityOf(ctx, purchase)
  if (!isScarce) return
  const { openHere, openByPerson, minutes } = await reservedBy(ctx, purchase)
  const isWorn = minutes >= freeMinutesADay
  if (
    openHere >= (isWorn ? 1 : atOnceFromAddress(left)) ||
    openByPerson >= atOnceByPerson ||
    (isWorn && isLast)
  )
    throw fail('payPages.reservedTooOften')
}
