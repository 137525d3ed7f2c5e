import { sql } from 'kysely'
import { guessMapping, type FieldMapping } from '#domain/shops/fields.ts'
import { NotUnderstood } from '#domain/shops/understand.ts'
import type { Trouble } from '#domain/shops/paper.ts'
import { fail, forbidden, failField, Failure } from '#kit/describe/errors.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { answerOfDocument } from '#features/sales/documents/server/index.ts'
import type { Order, OrderWhole } from '../endpoints.ts'
import { orderOf, setOrder, shopOf, type OrderRow, type ShopRow } from './engine/rows.ts'
import { readOrder, saidIn, takeOrder } from './engine/take.ts'
import { tryPaper, workOrder } from './engine/work.ts'

const pageSize = 50

const paper = (of: string) =>
  sql`case when sees_type(${sql.raw(of)}.type) and ${sql.raw(of)}.id is not null then
      jsonb_build_object('id', ${sql.raw(of)}.id, 'type',
      ${sql.raw(of)}.type, 'number', ${sql.raw(of)}.number) end`

const columns = sql`o.id, o.shop_id as "shopId", o.external_id as "externalId", o.number, o.state, o.trouble,
    o.trouble_params as "troubleParams",
  o.difference_agorot as "differenceAgorot", o.ignored_why as "ignoredWhy", o.note, o.paid_day as "paidDay",
  o.customer, o.currency, o.total_agorot as "totalAgorot",
  coalesce((select sum(r.amount_agorot) from shop_refunds r where r.company_id = o.company_id
  and r.order_id = o.id), 0)::bigint as "refundedAgorot",
  exists (select 1 from shop_refunds r where r.company_id = o.company_id and r.order_id = o.id
  and r.state = 'trouble') as "hasRefundTrouble",
  ${paper('d')} as document, o.created_at as "createdAt", o.updated_at as "updatedAt"`

const from = sql`shop_orders o left join documents d on d.company_id = o.company_id and d.id = o.document_id`

/** People who see no amounts see none here. */
const hidden = <T extends { totalAgorot: number; refundedAgorot: number; differenceAgorot: number | null }>(
  ctx: Ctx,
  row: T,
): T =>
  ctx.caller.hideTotalPrices ? { ...row, totalAgorot: 0, refundedAgorot: 0, differenceAgorot: null } : row

export async function orders(
  ctx: Ctx,
  {
    id,
    state,
    search,
    before,
  }: { id: string; state?: string | undefined; search?: string | undefined; before?: string | undefined },
): Promise<{ rows: Order[]; before: string | null }> {
  await shopOf(ctx, id)
  const like = search?.trim() ? `%${search.trim().replace(/[\\%_]/g, '\\$&')}%` : null
  // Trouble with a refund is trouble with its order.
  const inState = !state
    ? sql`true`
    : state === 'trouble'
      ? sql`(o.state = 'trouble'
          or exists (select 1 from shop_refunds r where r.company_id = o.company_id and r.order_id = o.id
          and r.state = 'trouble'))`
      : sql`o.state = ${state}`
  const { rows } = await sql<Order>`select ${columns} from ${from} where o.company_id = ${ctx.companyId}
        and o.shop_id = ${id} and ${inState}
    and (${like}::text is null or o.number ilike ${like} or o.customer ilike ${like}
    or o.external_id ilike ${like}) and (${before ?? null}::uuid is null or o.id < ${before ?? null})
    order by o.id desc limit ${pageSize}`.execute(ctx.tx)
  return {
    rows: rows.map((row) => hidden(ctx, row)),
    before: rows.length === pageSize ? rows.at(-1)!.id : null,
  }
}

export async function orderShown(ctx: Ctx, id: string): Promise<OrderWhole> {
  const { rows } = await sql<
    Order & { content: OrderRow['content']; receipt: OrderWhole['receipt'] }
  >`select ${columns}, o.content, ${paper('q')} as receipt
    from ${from} left join documents q on q.company_id = o.company_id and q.id = o.receipt_id
    where o.company_id = ${ctx.companyId} and o.id = ${id}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  const { content, receipt, ...row } = rows[0]
  const { rows: refunds } = await sql<
    OrderWhole['refunds'][number]
  >`select r.id, r.external_id as "externalId", r.state, r.trouble, r.trouble_params as "troubleParams",
      r.amount_agorot as "amountAgorot", r.refund_day as day, r.reason, ${paper('c')} as credit
    from shop_refunds r left join documents c on c.company_id = r.company_id and c.id = r.credit_id
    where r.company_id = ${ctx.companyId} and r.order_id = ${id} order by r.created_at, r.id`.execute(ctx.tx)
  const hides = ctx.caller.hideTotalPrices
  return {
    ...hidden(ctx, row),
    receipt,
    refunds: hides ? refunds.map((one) => ({ ...one, amountAgorot: 0 })) : refunds,
    lines: content.lines.map(({ name, sku, quantity, total }) => ({
      name,
      sku,
      quantity,
      totalAgorot: hides ? 0 : total,
    })),
    giftCardAgorot: hides ? 0 : content.giftCard,
    discountAgorot: hides ? 0 : content.discount,
  }
}

/** An order a program sends: written down, and what is due for it done before the answer. */
export async function sendOrder(ctx: Ctx, { id, order }: { id: string; order: Record<string, unknown> }) {
  // Of whom nothing is seen before there is a document, nothing can be written down.
  if (ctx.caller.ownCustomersOnly) throw forbidden({ sight: 'customers' })
  const shop = await shopOf(ctx, id)
  if (shop.state !== 'on') throw fail('shops.isOff')
  const { orderId } = await hear(ctx, shop, order, { topic: 'order' })
  await workOrder(ctx, orderId)
  const shown = await orderShown(ctx, orderId)
  const urls = shown.document ? (await answerOfDocument(ctx, shown.document.id)).urls : undefined
  return { ...shown, urls: urls ? { page: urls.page, pdf: new URL(urls.copy, siteOf(ctx.app)).href } : null }
}

/** Stores an order and adds a line to its log; what cannot be understood is reported with its path. */
export async function hear(
  ctx: Ctx,
  shop: ShopRow,
  raw: unknown,
  { topic, noticeId = '' }: { topic: string; noticeId?: string },
): Promise<{ orderId: string; isNews: boolean }> {
  try {
    const order = readOrder(shop.kind, raw, shop.mapping, saidIn(ctx.caller.language))
    const { id, isNews } = await takeOrder(ctx, shop, order, raw)
    await note(ctx, shop.id, {
      topic,
      noticeId,
      externalId: order.externalId,
      outcome: isNews ? 'taken' : 'known',
    })
    await sql`update shops set heard_at = ${ctx.now}, last_error = '' where company_id = ${ctx.companyId}
        and id = ${shop.id}`.execute(ctx.tx)
    return { orderId: id, isNews }
  } catch (e) {
    if (e instanceof NotUnderstood)
      throw new Failure('shops.badOrder', { path: e.path }, [
        { path: `order.${e.path}`, code: 'shops.badOrder', params: { path: e.path } },
      ])
    throw e
  }
}

export async function note(
  ctx: Ctx,
  shopId: string,
  {
    topic,
    noticeId = '',
    externalId = '',
    outcome,
  }: { topic: string; noticeId?: string; externalId?: string; outcome: string },
): Promise<boolean> {
  const { rows } =
    await sql`insert into shop_notices (company_id, shop_id, id, notice_id, at, topic, external_id, outcome)
    values (${ctx.companyId}, ${shopId}, ${newId()}, ${noticeId.slice(0, 100)}, ${ctx.now},
      ${topic.slice(0, 60)}, ${externalId.slice(0, 100)}, ${outcome})
    on conflict (company_id, shop_id, notice_id) where notice_id <> '' do nothing returning 1`.execute(ctx.tx)
  return rows.length > 0
}

export async function notices(ctx: Ctx, id: string) {
  await shopOf(ctx, id)
  const { rows } = await sql<{
    id: string
    at: string
    topic: string
    externalId: string
    outcome: string
  }>`select id, at, topic, external_id as "externalId", outcome
    from shop_notices where company_id = ${ctx.companyId} and shop_id = ${id} order by id desc
    limit 100`.execute(ctx.tx)
  return { rows }
}

/** The person who presses it has mended something: whatever was decided before by a rule is decided again. */
export async function again(ctx: Ctx, { id, orderId }: { id: string; orderId: string }): Promise<OrderWhole> {
  const order = await orderOf(ctx, orderId, true)
  if (order.shop_id !== id) throw fail('kit.notFound')
  const shop = await shopOf(ctx, id)
  // A shop of one's own may have been mapped again since the order came.
  const { rows } = await sql<{
    raw: unknown
  }>`select raw from shop_orders where company_id = ${ctx.companyId} and id = ${orderId}`.execute(ctx.tx)
  if (!order.document_id) await readAnew(ctx, shop, order, rows[0]!.raw)
  if (order.ignored_why === 'person')
    await setOrder(ctx, orderId, { ignored_why: null, note: '', state: 'mapped' })
  await workOrder(ctx, orderId)
  return orderShown(ctx, orderId)
}

async function readAnew(ctx: Ctx, shop: ShopRow, order: OrderRow, raw: unknown): Promise<void> {
  try {
    const read = readOrder(shop.kind, raw, shop.mapping, saidIn(ctx.caller.language))
    if (read.externalId === order.external_id) await takeOrder(ctx, shop, read, raw)
  } catch (e) {
    if (!(e instanceof NotUnderstood)) throw e
  }
}

export async function againAll(ctx: Ctx, id: string): Promise<{ count: number }> {
  await shopOf(ctx, id)
  const { rows } = await sql<{
    id: string
  }>`select o.id from shop_orders o where o.company_id = ${ctx.companyId} and o.shop_id = ${id}
    and (o.state in ('trouble', 'mapped')
    or exists (select 1 from shop_refunds r where r.company_id = o.company_id and r.order_id = o.id
    and r.state = 'trouble'))
    order by o.id limit 500`.execute(ctx.tx)
  for (const one of rows) await ctx.later('shops.work', { orderId: one.id })
  return { count: rows.length }
}

/** A person saw to it: the order, or what its refunds stand for, is done by hand. */
export async function ignore(
  ctx: Ctx,
  { id, orderId, note: why }: { id: string; orderId: string; note: string },
): Promise<OrderWhole> {
  const order = await orderOf(ctx, orderId, true)
  if (order.shop_id !== id) throw fail('kit.notFound')
  const { rows } = await sql`update shop_refunds set state = 'ignored', trouble = null, updated_at = now()
    where company_id = ${ctx.companyId} and order_id = ${orderId} and state = 'trouble' returning 1`.execute(
    ctx.tx,
  )
  if (order.state !== 'trouble' && !rows.length) throw fail('shops.notInTrouble')
  const isOrder = order.state === 'trouble'
  await setOrder(ctx, orderId, {
    note: why,
    ...(isOrder ? { state: 'ignored', ignored_why: 'person', trouble: null, trouble_params: '{}' } : {}),
  })
  await ctx.audit('shops.ignore', 'shopOrders', orderId, undefined, { number: order.number, note: why })
  return orderShown(ctx, orderId)
}

export async function trySample(
  ctx: Ctx,
  { id, sample, mapping }: { id: string; sample: string; mapping?: FieldMapping | undefined },
) {
  const shop = await shopOf(ctx, id)
  let raw: unknown
  try {
    raw = JSON.parse(sample)
  } catch {
    throw failField('sample', 'kit.badJson')
  }
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) throw failField('sample', 'kit.badJson')
  const used = mapping ?? (Object.keys(shop.mapping).length ? shop.mapping : guessMapping(raw))
  const nothing = { mapping: used, missing: null, trouble: null, paper: null }
  try {
    const order = readOrder(shop.kind, raw, used, saidIn(ctx.caller.language))
    // An order that is not paid yet is tried as if it were.
    const made = await tryPaper(ctx, shop.settings, order)
    return 'code' in made ? { ...nothing, trouble: shownTrouble(made) } : { ...nothing, paper: made }
  } catch (e) {
    if (!(e instanceof NotUnderstood)) throw e
    return { ...nothing, missing: e.path }
  }
}

const shownTrouble = ({ code, params, difference }: Trouble) => ({
  code,
  params,
  differenceAgorot: difference ?? null,
})
