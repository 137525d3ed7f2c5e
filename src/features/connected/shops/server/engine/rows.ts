import { sql } from 'kysely'
import type { FieldMapping } from '#domain/shops/fields.ts'
import type { ShopOrder } from '#domain/shops/order.ts'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { ShopKind, ShopSettings } from '../../shops.ts'

/** What shops are called where it is kept who connected them. */
export const shopKind = 'shops'

export interface ShopRow {
  company_id: string
  id: string
  kind: ShopKind
  name: string
  outside_id: string
  state: 'on' | 'off' | 'gone'
  notice_key: string
  secret_sealed: Buffer | null
  token_sealed: Buffer | null
  settings: ShopSettings
  mapping: FieldMapping
  heard_at: string | null
  swept_at: string | null
  last_error: string
  told_day: string | null
  created_by: string
  created_at: string
}

export interface OrderRow {
  id: string
  shop_id: string
  external_id: string
  number: string
  version: string
  state: 'new' | 'mapped' | 'issued' | 'ignored' | 'trouble'
  trouble: string | null
  trouble_params: Record<string, string | number>
  difference_agorot: number | null
  ignored_why: 'test' | 'before' | 'cancelled' | 'person' | null
  note: string
  is_paid: boolean
  paid_day: string | null
  customer: string
  currency: string
  total_agorot: number
  content: ShopOrder
  issued_agorot: number | null
  document_id: string | null
  receipt_id: string | null
  created_at: string
  updated_at: string
}

export interface RefundRow {
  id: string
  order_id: string
  external_id: string
  state: 'new' | 'issued' | 'ignored' | 'trouble'
  trouble: string | null
  trouble_params: Record<string, string | number>
  amount_agorot: number
  refund_day: string | null
  reason: string
  credit_id: string | null
  receipt_id: string | null
}

export async function shopOf(ctx: Ctx, id: string): Promise<ShopRow> {
  const { rows } = await sql<ShopRow>`select * from shops where company_id = ${ctx.companyId} and id = ${id}
        and archived_at is null`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

const orderColumns = sql.raw(
  `id, shop_id, external_id, number, version, state, trouble, trouble_params, difference_agorot, ignored_why, note, is_paid, paid_day, customer, currency,
  total_agorot, content, issued_agorot, document_id, receipt_id, created_at, updated_at`,
)

/** An order; `lock` holds its row, so that whatever is done about it is done by one at a time. */
export async function orderOf(ctx: Ctx, id: string, lock = false): Promise<OrderRow> {
  const { rows } =
    await sql<OrderRow>`select ${orderColumns} from shop_orders where company_id = ${ctx.companyId}
        and id = ${id} ${lock ? sql`for update` : sql``}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

export async function orderKnown(
  ctx: Ctx,
  shopId: string,
  externalId: string,
  lock = false,
): Promise<OrderRow | undefined> {
  const { rows } = await sql<OrderRow>`select ${orderColumns} from shop_orders
    where company_id = ${ctx.companyId} and shop_id = ${shopId} and external_id = ${externalId}
      ${lock ? sql`for update` : sql``}`.execute(ctx.tx)
  return rows[0]
}

type Changes = Partial<Record<keyof OrderRow | 'tried_at' | 'raw', unknown>>
export const setOrder = (ctx: Ctx, id: string, values: Changes) =>
  sql`update shop_orders
    set ${sql.join(Object.entries(values).map(([name, value]) => sql`${sql.ref(name)} = ${value}`))},
      updated_at = ${ctx.now}
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)

export const setRefund = (ctx: Ctx, id: string, values: Partial<Record<keyof RefundRow, unknown>>) =>
  sql`update shop_refunds
    set ${sql.join(Object.entries(values).map(([name, value]) => sql`${sql.ref(name)} = ${value}`))},
      updated_at = ${ctx.now}
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)

export async function refundsOf(ctx: Ctx, orderId: string): Promise<RefundRow[]> {
  const { rows } =
    await sql<RefundRow>`select id, order_id, external_id, state, trouble, trouble_params, amount_agorot,
        refund_day, reason, credit_id, receipt_id
    from shop_refunds where company_id = ${ctx.companyId} and order_id = ${orderId}
    order by created_at, id`.execute(ctx.tx)
  return rows
}
