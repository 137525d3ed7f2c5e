import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { markOfAddress } from '#kit/server/rights/address.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { isOutrun } from '#kit/server/data/db.ts'
import { lapse, type Charge } from '#features/money/acquirers/server/index.ts'
import type { Wallet } from '#features/money/acquirers/acquirers.ts'
import type { Payer } from '../endpoints.ts'
import type { PageKind, PurchaseState } from '../payPages.ts'
import type { Language } from '../shown.ts'
import { endUse, takeUse, type StoredCoupon } from './coupons.ts'
import { pageOf, type StoredPage } from './store.ts'

/** How long a selection is kept for a buyer whose form is open. */
export const heldMinutes = 15

export interface StoredPurchase {
  id: string
  page_id: string
  visit: string
  state: PurchaseState
  held_until: string | null
  kind: PageKind
  language: Language
  payer: Payer
  answers: Record<string, string | boolean | number>
  terms: string
  gross_agorot: number
  discount_agorot: number
  total_agorot: number
  taken_agorot: number | null
  plan: Plan | null
  coupon_id: string | null
  instalments: number
  charge_id: string | null
  customer_id: string | null
  order_id: string | null
  site: string
  takes: boolean
  created_at: string
  /** The source of the payer; at the operator, the business that is paid for. */
  utm: Record<string, string>
  /** Of a subscription that was changed: what it is made of from its next charge on. */
  lines_now: StoredLine[] | null
}

/** Of a subscription, the text that was agreed to. */
export interface Plan {
  everyN: number
  billingDay: number
  chargeToday: boolean
  firstPriceAgorot: number | null
  trialDays: number
  times: number | null
  /** A coupon lowers every charge, or the first alone. */
  everyDiscountAgorot: number
}

export interface StoredLine {
  no: number
  page_item_id: string | null
  item_id: string | null
  name: string
  quantity: number
  price_agorot: number
  discount_agorot: number
}

export async function purchaseOf(ctx: Ctx, id: string, lock = false): Promise<StoredPurchase> {
  const { rows } = await sql<StoredPurchase>`select * from pay_purchases where company_id = ${ctx.companyId}
        and id = ${id} ${lock ? sql`for update` : sql``}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

export const linesOf = async (ctx: Ctx, id: string): Promise<StoredLine[]> =>
  (
    await sql<StoredLine>`select no, page_item_id, item_id, name, quantity, price_agorot, discount_agorot
      from pay_purchase_lines
      where company_id = ${ctx.companyId} and purchase_id = ${id} order by no`.execute(ctx.tx)
  ).rows

/** What a business that is known by this key subscribed to at the operator, the one that runs first. */
export const boughtBy = async (
  theirs: Ctx,
  key: string,
): Promise<{ id: string; orderId: string; isOver: boolean }[]> =>
  (
    await sql<{
      id: string
      orderId: string
      isOver: boolean
    }>`select p.id, p.order_id as "orderId", o.state in ('ended', 'cancelled') as "isOver"
      from pay_purchases p join standing_orders o on o.company_id = p.company_id and o.id = p.order_id
      where p.company_id = ${theirs.companyId} and p.utm->>'utm_business' = ${key} and p.state = 'subscribed'
      order by "isOver", p.created_at desc`.execute(theirs.tx)
  ).rows

export const setPurchase = (
  ctx: Ctx,
  id: string,
  values: Partial<Record<keyof StoredPurchase | 'paid_at' | 'freed_at', unknown>>,
) =>
  sql`update pay_purchases
    set ${sql.join(Object.entries(values).map(([name, value]) => sql`${sql.ref(name)} = ${value}`))},
      updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)

/**
 * Takes a place and what the lines say of the stock; answers what there is not enough of. The page's row is
 * locked: the person who comes at the same moment counts after this one, and the table refuses more than there is.
 */
async function takeAll(
  ctx: Ctx,
  page: StoredPage,
  lines: readonly StoredLine[],
): Promise<'payPages.full' | 'payPages.soldOut' | undefined> {
  const { rows: place } =
    await sql`update pay_pages set places_taken = places_taken + 1 where company_id = ${ctx.companyId}
        and id = ${page.id}
    and (places is null or places_taken < places) returning 1`.execute(ctx.tx)
  if (!place.length) return 'payPages.full'
  for (const line of lines) {
    if (!line.page_item_id) continue
    const { rows } =
      await sql`update pay_page_items set taken = taken + ${line.quantity} where company_id = ${ctx.companyId}
          and page_id = ${page.id}
      and id = ${line.page_item_id} and (stock is null or taken + ${line.quantity} <= stock)
      returning 1`.execute(ctx.tx)
    if (!rows.length) return 'payPages.soldOut'
  }
  return undefined
}

async function giveAll(ctx: Ctx, purchase: StoredPurchase): Promise<void> {
  if (!purchase.takes) return
  await sql`update pay_pages set places_taken = greatest(places_taken - 1, 0)
    where company_id = ${ctx.companyId} and id = ${purchase.page_id}`.execute(ctx.tx)
  await sql`update pay_page_items i set taken = greatest(i.taken - x.n, 0)
    from (select page_item_id, sum(quantity)::int as n from pay_purchase_lines
      where company_id = ${ctx.companyId} and purchase_id = ${purchase.id} and page_item_id is not null
      group by page_item_id) x
    where i.company_id = ${ctx.companyId} and i.page_id = ${purchase.page_id}
      and i.id = x.page_item_id`.execute(ctx.tx)
  await setPurchase(ctx, purchase.id, { takes: false })
}

export interface NewPurchase {
  page: StoredPage
  visit: string
  language: Language
  payer: Payer
  answers: StoredPurchase['answers']
  terms: string
  lines: Omit<StoredLine, 'no'>[]
  grossAgorot: number
  discountAgorot: number
  plan: Plan | null
  coupon: StoredCoupon | undefined
  site: string
  /** The payment method its form is open for; not stored, for it may be tried by another. */
  wallet?: Wallet | undefined
  utm: Record<string, string>
}

/**
 * Records what a buyer is about to pay, and holds it. Throws `payPages.full`, `payPages.soldOut` and the refusals of
 * a coupon.
 */
export async function beginPurchase(ctx: Ctx, given: NewPurchase): Promise<string> {
  const id = newId()
  const { page } = given
  await sql`insert into pay_purchases (company_id, id, page_id, visit, held_until, kind, language, payer,
      answers, terms, address, gross_agorot, discount_agorot,
      total_agorot, plan, coupon_id, site, utm, begun_from, created_at)
    values (${ctx.companyId}, ${id}, ${page.id}, ${given.visit},
      ${new Date(ctx.now.getTime() + heldMinutes * 60_000)}, ${page.kind}, ${given.language},
      ${JSON.stringify(given.payer)}, ${JSON.stringify(given.answers)}, ${given.terms},
      ${given.terms ? ctx.address.slice(0, 60) : ''}, ${given.grossAgorot},
      ${given.discountAgorot}, ${given.grossAgorot - given.discountAgorot},
      ${given.plan ? JSON.stringify(given.plan) : null}, ${given.coupon?.id ?? null},
      ${given.site}, ${JSON.stringify(given.utm)}, ${markOfAddress(ctx)}, ${ctx.now})`.execute(ctx.tx)
  for (const [i, line] of given.lines.entries())
    await sql`insert into pay_purchase_lines (company_id, purchase_id, no, page_item_id, item_id, name,
        quantity, price_agorot, discount_agorot)
      values (${ctx.companyId}, ${id}, ${i + 1}, ${line.page_item_id}, ${line.item_id}, ${line.name},
        ${line.quantity}, ${line.price_agorot}, ${line.discount_agorot})`.execute(ctx.tx)
  const missing = await takeAll(ctx, page, await linesOf(ctx, id))
  if (missing) throw fail(missing)
  if (given.coupon)
    await takeUse(ctx, given.coupon, {
      purchaseId: id,
      payer: given.payer,
      discountAgorot: given.discountAgorot,
    })
  return id
}

/** Releases what was held for a buyer, and closes the form. */
export async function freePurchase(
  ctx: Ctx,
  purchase: StoredPurchase,
  to: 'freed' | 'released' = 'freed',
): Promise<void> {
  await giveAll(ctx, purchase)
  await endUse(ctx, purchase.id, 'freed')
  // It was reserved until its time was over, not until that was noticed.
  const until = Math.min(ctx.now.getTime(), new Date(purchase.held_until ?? ctx.now).getTime())
  await setPurchase(ctx, purchase.id, { state: to, held_until: null, freed_at: new Date(until) })
  if (to !== 'freed' || !purchase.charge_id) return
  const { rows } =
    await sql<Charge>`select * from charges where company_id = ${ctx.companyId} and id = ${purchase.charge_id}
    and state in ('begun', 'declined') for update`.execute(ctx.tx)
  if (rows[0]) await lapse(ctx, rows[0])
}

/** Frees what is past on a page, under its lock, so that the person who comes now finds it free. */
export async function freePast(ctx: Ctx, pageId: string): Promise<void> {
  const { rows } = await sql<StoredPurchase>`select * from pay_purchases where company_id = ${ctx.companyId}
        and page_id = ${pageId} and state = 'begun'
    and held_until <= ${ctx.now} order by held_until for update`.execute(ctx.tx)
  for (const purchase of rows) await freePurchase(ctx, purchase)
}

/**
 * Money that came when what it was for had been freed: it is taken again where there is still enough. false:
 * it is not, and the money goes back.
 */
export async function regain(ctx: Ctx, purchase: StoredPurchase): Promise<boolean> {
  if (purchase.state !== 'freed') return true
  await sql`savepoint regain`.execute(ctx.tx)
  try {
    const missing = await takeAll(ctx, await pageOf(ctx, purchase.page_id), await linesOf(ctx, purchase.id))
    if (missing) throw fail(missing)
    if (purchase.coupon_id) {
      const { rows } = await sql<StoredCoupon>`select * from coupons where company_id = ${ctx.companyId}
            and id = ${purchase.coupon_id}`.execute(ctx.tx)
      await takeUse(ctx, rows[0]!, {
        purchaseId: purchase.id,
        payer: purchase.payer,
        discountAgorot: purchase.discount_agorot,
      })
    }
    await setPurchase(ctx, purchase.id, { state: 'begun', takes: true })
    return true
  } catch (e) {
    // Ended for somebody else's sake: there may well be enough, and it is looked at again.
    if (isOutrun(e)) throw e
    await sql`rollback to savepoint regain`.execute(ctx.tx)
    return false
  }
}
