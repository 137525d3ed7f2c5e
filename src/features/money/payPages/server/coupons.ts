import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { foldCode, whoOf, type CouponTerms } from '#domain/payPages/price.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { endApproval, ordered, registerOrders } from '#kit/server/rights/authority.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { checkRef } from '#kit/server/data/refs.ts'
import type { ServedResource } from '#kit/server/described/resources.ts'
import { todayThere } from '#kit/server/data/todayThere.ts'
import type { CouponAnswer, CouponGiven } from '../endpoints.ts'
import { coupons } from '../payPages.ts'

/** What coupons are called where it is kept who gives their discount. */
export const couponKind = 'coupons'

export interface StoredCoupon {
  id: string
  code: string
  kind: 'percent' | 'sum'
  value_bp: number | null
  value_agorot: number | null
  page_id: string | null
  item_ids: string[]
  first_only: boolean
  from_day: string | null
  to_day: string | null
  uses_max: number | null
  per_customer: number | null
  least_agorot: number | null
  stopped_at: string | null
}

export const termsOf = (coupon: StoredCoupon): CouponTerms => ({
  kind: coupon.kind,
  value: coupon.value_bp ?? coupon.value_agorot!,
  itemIds: coupon.item_ids,
  leastAgorot: coupon.least_agorot,
})

/** The coupon of a code on a page, as of today; refuses by name. With `lock` a concurrent buyer waits. */
export async function couponFor(ctx: Ctx, code: string, pageId: string, lock = false): Promise<StoredCoupon> {
  const { rows } =
    await sql<StoredCoupon>`select id, code, kind, value_bp, value_agorot, page_id, item_ids, first_only,
        from_day::text, to_day::text, uses_max,
      per_customer, least_agorot, stopped_at from coupons
    where company_id = ${ctx.companyId} and code_folded = ${foldCode(code)}
      ${lock ? sql`for update` : sql``}`.execute(ctx.tx)
  const [coupon] = rows
  if (!coupon || (coupon.page_id !== null && coupon.page_id !== pageId))
    throw failField('coupon', 'payPages.couponUnknown')
  if (coupon.stopped_at || (coupon.to_day && coupon.to_day < ctx.today))
    throw failField('coupon', 'payPages.couponOver')
  if (coupon.from_day && coupon.from_day > ctx.today) throw failField('coupon', 'payPages.couponUnknown')
  if (coupon.uses_max !== null && (await countOf(ctx, coupon.id)) >= coupon.uses_max)
    throw failField('coupon', 'payPages.couponUsedUp')
  return coupon
}

const countOf = async (ctx: Ctx, id: string): Promise<number> =>
  (
    await sql<{
      n: number
    }>`select count(*)::int as n from coupon_uses where company_id = ${ctx.companyId} and coupon_id = ${id}
        and state <> 'freed'`.execute(ctx.tx)
  ).rows[0]!.n

interface Use {
  purchaseId: string
  payer: { email?: string | undefined; phone?: string | undefined }
  discountAgorot: number
}

/**
 * Takes one use of a coupon: the first seat that is free, of the coupon and of the customer. The unique keys
 * say who had the last one; the lock of the coupon's row only spares the others the collision.
 */
export async function takeUse(
  ctx: Ctx,
  coupon: StoredCoupon,
  { purchaseId, payer, discountAgorot }: Use,
): Promise<void> {
  await sql`select 1 from coupons where company_id = ${ctx.companyId} and id = ${coupon.id} for
    update`.execute(ctx.tx)
  const who = whoOf(payer)
  if (coupon.per_customer !== null && !who) throw failField('coupon', 'payPages.couponNeedsWho')
  const free = async (
    column: 'seat' | 'who_seat',
    most: number,
    more: ReturnType<typeof sql>,
  ): Promise<number | undefined> => {
    const { rows } = await sql<{ n: number }>`select n from (select count(*) + 1 as upto from coupon_uses u
        where u.company_id = ${ctx.companyId} and u.coupon_id = ${coupon.id} and u.${sql.ref(column)} is not
          null ${more}) c,
        generate_series(1, least(${most}::bigint, c.upto)) n
      where not exists (select 1 from coupon_uses u where u.company_id = ${ctx.companyId}
        and u.coupon_id = ${coupon.id} and u.${sql.ref(column)} = n ${more})
      order by n limit 1`.execute(ctx.tx)
    return rows[0]?.n
  }
  const seat = coupon.uses_max === null ? null : await free('seat', coupon.uses_max, sql``)
  if (seat === undefined) throw failField('coupon', 'payPages.couponUsedUp')
  const whoSeat =
    coupon.per_customer === null ? null : await free('who_seat', coupon.per_customer, sql`and u.who = ${who}`)
  if (whoSeat === undefined) throw failField('coupon', 'payPages.couponOncePerCustomer')
  await sql`insert into coupon_uses (company_id, id, coupon_id, purchase_id, seat, who, who_seat,
      discount_agorot, at)
    values (${ctx.companyId}, ${newId()}, ${coupon.id}, ${purchaseId}, ${seat}, ${who}, ${whoSeat},
      ${discountAgorot}, ${ctx.now})
    on conflict (company_id, purchase_id) do update set state = 'held', seat = excluded.seat,
      who_seat = excluded.who_seat`.execute(ctx.tx)
}

/** The use of a purchase is over: had, or free for others. */
export const endUse = (ctx: Ctx, purchaseId: string, to: 'used' | 'freed') =>
  sql`update coupon_uses set state = ${to} ${to === 'freed' ? sql`, seat = null, who_seat = null` : sql``}
    where company_id = ${ctx.companyId} and purchase_id = ${purchaseId}`.execute(ctx.tx)

const uses = (what: ReturnType<typeof sql>) =>
  sql`(select ${what} from coupon_uses u join pay_purchases p on p.company_id = u.company_id
      and p.id = u.purchase_id
    where u.company_id = t.company_id and u.coupon_id = t.id and u.state = 'used')`
const used = uses(sql`count(*)::int`)
const taken = sql`(select count(*)::int from coupon_uses u where u.company_id = t.company_id
    and u.coupon_id = t.id and u.state <> 'freed')`
const given = uses(sql`coalesce(sum(u.discount_agorot), 0)::bigint`)
const brought = uses(sql`coalesce(sum(coalesce(p.taken_agorot, p.total_agorot)), 0)::bigint`)
const state = sql`case when t.stopped_at is not null then 'stopped' when t.to_day < ${todayThere} then 'over'
  when t.uses_max is not null and ${taken} >= t.uses_max then 'usedUp' when t.from_day > ${todayThere} then
  'waiting' else 'running' end`

const pattern = (q: string) => `%${q.replace(/[\\%_]/g, '\\$&')}%`
export const couponList: ServedResource = {
  resource: coupons,
  noArchive: true,
  compute: {
    code: sql`t.code`,
    name: sql`nullif(t.name, '')`,
    kind: sql`t.kind`,
    valueBp: sql`t.value_bp`,
    valueAgorot: sql`t.value_agorot`,
    pageId: sql`t.page_id`,
    firstOnly: sql`t.first_only`,
    fromDay: sql`t.from_day`,
    toDay: sql`t.to_day`,
    usesMax: sql`t.uses_max`,
    perCustomer: sql`t.per_customer`,
    leastAgorot: sql`t.least_agorot`,
    used,
    givenAgorot: given,
    broughtAgorot: brought,
    createdAt: sql`t.created_at`,
    state,
  },
  refNames: {
    pageId: sql`(select x.title from pay_pages x where x.company_id = t.company_id and x.id = t.page_id)`,
  },
  search: (q) => sql`(t.code_folded like ${pattern(foldCode(q))} or t.name ilike ${pattern(q)})`,
}

export async function showCoupon(ctx: Ctx, id: string): Promise<CouponAnswer> {
  const { rows } = await sql<CouponAnswer>`select t.id, t.code, t.name, t.kind, t.value_bp as "valueBp",
        t.value_agorot as "valueAgorot", t.page_id as "pageId",
      t.item_ids as "itemIds", t.first_only as "firstOnly", t.from_day::text as "fromDay",
      t.to_day::text as "toDay", t.uses_max as "usesMax",
      t.per_customer as "perCustomer", t.least_agorot as "leastAgorot", ${state} as state, ${used} as used,
      ${given} as "givenAgorot", ${brought} as "broughtAgorot"
    from coupons t where t.company_id = ${ctx.companyId} and t.id = ${id}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

async function checked(ctx: Ctx, terms: Omit<CouponGiven, 'code'>) {
  const isPercent = terms.kind === 'percent'
  if (isPercent && !terms.valueBp) throw failField('valueBp', 'fields.need')
  if (!isPercent && !terms.valueAgorot) throw failField('valueAgorot', 'fields.need')
  if (terms.fromDay && terms.toDay && terms.toDay < terms.fromDay) throw failField('toDay', 'fields.dayOrder')
  await checkRef(ctx, 'pageId', 'pay_pages', terms.pageId)
  if (terms.itemIds.length) {
    if (!terms.pageId) throw failField('pageId', 'fields.need')
    const { rows } =
      await sql`select 1 from pay_page_items where company_id = ${ctx.companyId} and page_id = ${terms.pageId}
          and id = any(${terms.itemIds}::uuid[])`.execute(ctx.tx)
    if (rows.length < new Set(terms.itemIds).size) throw failField('itemIds', 'fields.ref')
  }
  return {
    name: terms.name,
    kind: terms.kind,
    value_bp: isPercent ? terms.valueBp! : null,
    value_agorot: isPercent ? null : terms.valueAgorot!,
    page_id: terms.pageId ?? null,
    item_ids: [...new Set(terms.itemIds)],
    first_only: terms.firstOnly,
    from_day: terms.fromDay ?? null,
    to_day: terms.toDay ?? null,
    uses_max: terms.usesMax ?? null,
    per_customer: terms.perCustomer ?? null,
    least_agorot: terms.leastAgorot ?? null,
  }
}

async function orderAnew(ctx: Ctx, id: string): Promise<void> {
  await ordered(ctx, couponKind, id)
  await endApproval(ctx, couponKind, id)
}

/** A code that can be typed: letters, digits and a dash, at least three of them. */
function checkCode(code: string): string {
  const tidy = code.replace(/\s+/g, '')
  if (!/^[\p{L}\p{N}_-]{3,40}$/u.test(tidy) || foldCode(tidy).length < 3)
    throw failField('code', 'coupons.badCode')
  return tidy
}

async function insert(ctx: Ctx, code: string, columns: Record<string, unknown>): Promise<string | undefined> {
  const id = newId()
  const all = Object.entries({
    company_id: ctx.companyId,
    id,
    code,
    code_folded: foldCode(code),
    created_by: ctx.caller.userId || null,
    created_at: ctx.now,
    ...columns,
  })
  const { rows } = await sql<{
    id: string
  }>`insert into coupons (${sql.join(all.map(([name]) => sql.ref(name)))})
    values (${sql.join(all.map(([, value]) => sql`${value}`))})
    on conflict (company_id, code_folded) do nothing returning id`.execute(ctx.tx)
  return rows[0]?.id
}

export async function createCoupon(ctx: Ctx, { code, ...terms }: CouponGiven): Promise<CouponAnswer> {
  const id = await insert(ctx, checkCode(code), await checked(ctx, terms))
  if (!id) throw failField('code', 'coupons.codeUsed')
  await ordered(ctx, couponKind, id)
  await ctx.audit('coupons.create', 'coupons', id, undefined, { code })
  return showCoupon(ctx, id)
}

export async function changeCoupon(
  ctx: Ctx,
  { id, code, ...terms }: CouponGiven & { id: string },
): Promise<CouponAnswer> {
  await sql`select 1 from coupons where company_id = ${ctx.companyId} and id = ${id} for update`.execute(
    ctx.tx,
  )
  const before = await showCoupon(ctx, id)
  const tidy = checkCode(code)
  const { rows: other } =
    await sql`select 1 from coupons where company_id = ${ctx.companyId} and code_folded = ${foldCode(tidy)}
        and id <> ${id}`.execute(ctx.tx)
  if (other.length) throw failField('code', 'coupons.codeUsed')
  const columns = await checked(ctx, terms)
  if (columns.uses_max !== null) {
    const { rows } = await sql<{
      seat: number | null
      n: number
    }>`select max(seat) as seat, count(*)::int as n from coupon_uses
      where company_id = ${ctx.companyId} and coupon_id = ${id} and state <> 'freed'`.execute(ctx.tx)
    if (rows[0]!.n > columns.uses_max) throw failField('usesMax', 'coupons.belowUsed', { used: rows[0]!.n })
    // Uses from before there was a bound get their seats now.
    await sql`update coupon_uses u set seat = x.n
      from (select id, row_number() over (order by at, id) as n from coupon_uses
        where company_id = ${ctx.companyId} and coupon_id = ${id} and state <> 'freed') x
      where u.company_id = ${ctx.companyId} and u.id = x.id and ${before.usesMax === null}`.execute(ctx.tx)
  }
  const all = Object.entries({ ...columns, code: tidy, code_folded: foldCode(tidy), updated_at: ctx.now })
  await sql`update coupons set ${sql.join(all.map(([name, value]) => sql`${sql.ref(name)} = ${value}`))}
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await orderAnew(ctx, id)
  await ctx.audit('coupons.change', 'coupons', id, { code: before.code }, { code: tidy })
  return showCoupon(ctx, id)
}

export async function stopCoupon(
  ctx: Ctx,
  { id, stopped }: { id: string; stopped: boolean },
): Promise<CouponAnswer> {
  await showCoupon(ctx, id)
  await sql`update coupons set stopped_at = ${stopped ? ctx.now : null}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  if (!stopped) await orderAnew(ctx, id)
  await ctx.audit('coupons.stop', 'coupons', id, undefined, { stopped })
  return showCoupon(ctx, id)
}

const signs = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
/** Many codes at once: nobody guesses one from another. */
export async function makeCoupons(
  ctx: Ctx,
  { count, prefix, ...terms }: Omit<CouponGiven, 'code'> & { count: number; prefix: string },
): Promise<{ codes: string[] }> {
  const columns = await checked(ctx, terms)
  const codes: string[] = []
  // Ten signs of thirty-two: two alike are a matter of chance that is not met, and the key would say.
  for (let tries = 0; codes.length < count && tries < count * 2; tries++) {
    const code = `${prefix.toUpperCase()}${prefix ? '-' : ''}${Array.from({ length: 10 }, () => signs[randomInt(signs.length)]).join('')}`
    const id = await insert(ctx, code, columns)
    if (!id) continue
    await ordered(ctx, couponKind, id)
    codes.push(code)
  }
  await ctx.audit('coupons.makeMany', 'coupons', null, undefined, { name: terms.name, count: codes.length })
  return { codes }
}

registerOrders(couponKind, {
  rule: 'coupons.change',
  entity: 'coupons',
  describe: async (ctx, ids) => {
    const { rows } = await sql<{ id: string; title: string }>`select id,
        concat_ws(' · ', code, nullif(name, ''))
        as title from coupons
      where company_id = ${ctx.companyId} and id = any (${ids}::uuid[])`.execute(ctx.tx)
    return rows.map(({ id, title }) => ({ id, title, href: '/invoice/coupons' }))
  },
  next: async (ctx, ids) => {
    const { rows } = await sql<{ id: string; agorot: number }>`select id, coalesce(value_agorot, 0) as agorot
      from coupons where company_id = ${ctx.companyId} and id = any (${ids}::uuid[]) and stopped_at is null
        and (to_day is null or to_day >= ${ctx.today})`.execute(ctx.tx)
    return rows.map(({ id, agorot }) => ({ id, does: [{ effect: 'discount', agorot }] }))
  },
  // The person who uses the code from now on gets the discount.
  goOn: async () => {},
  stop: async (ctx, id) => void (await stopCoupon(ctx, { id, stopped: true })),
})
