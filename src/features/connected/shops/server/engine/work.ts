import { sql } from 'kysely'
import { addDays, type Day } from '#domain/day.ts'
import { chargesVat } from '#domain/documents/kinds.ts'
import { isTaxId, normaliseTaxId } from '#domain/taxId.ts'
import { israeliMobile } from '#domain/phone.ts'
import { isTaxApart, paperOf, type OrderPaper, type Trouble } from '#domain/shops/paper.ts'
import type { ShopOrder } from '#domain/shops/order.ts'
import { registerOrders, underOrder } from '#kit/server/rights/authority.ts'
import type { Ctx, Language } from '#kit/server/context.ts'
import { isOutrun } from '#kit/server/data/db.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import {
  issuePrepared,
  prepareDocument,
  sendDocument,
  type Prepared,
} from '#features/sales/documents/server/index.ts'
import { createCustomer } from '#features/registers/parties/server/index.ts'
import { typeId } from '#features/sales/documents/types/index.ts'
import type { ShopSettings } from '../../shops.ts'
import { refusalOf } from './refusal.ts'
import { workRefunds } from './refunds.ts'
import { shopKind, orderOf, setOrder, shopOf, type OrderRow, type ShopRow } from './rows.ts'

/**
 * Days after the payment within which a document may bear its day (Income Tax books instructions: fourteen).
 */
const backDays = 14

/**
 * Does what is due for an order, as it is known now: its document once it is paid, a credit for each refund.
 * A notice that came twice, two processes, the sweep and a person all end here, under the lock of its row;
 * what was done once is not done again.
 */
export async function workOrder(ctx: Ctx, id: string): Promise<OrderRow> {
  const row = await orderOf(ctx, id, true)
  const shop = await shopOf(ctx, row.shop_id)
  if (row.document_id) await compare(ctx, row)
  else if (row.ignored_why !== 'person') await begin(ctx, shop, row)
  const now = await orderOf(ctx, id)
  await workRefunds(ctx, now)
  return orderOf(ctx, id)
}

async function begin(ctx: Ctx, shop: ShopRow, row: OrderRow): Promise<void> {
  const order = row.content
  const ignored = whyIgnored(shop, row)
  if (ignored)
    return void (await setOrder(ctx, row.id, { state: 'ignored', ignored_why: ignored, ...noTrouble }))
  if (!row.is_paid)
    return void (await setOrder(ctx, row.id, { state: 'new', ignored_why: null, ...noTrouble }))
  await sql`savepoint paper`.execute(ctx.tx)
  const begun = await underOrder(ctx, shopKind, shop.id, (bound) =>
    makePaper(bound, shop.settings, order, row.paid_day!),
  ).catch((e: unknown): { done: Trouble } => {
    // Who lost a deadlock begins again; it is no trouble of the order.
    if (isOutrun(e)) throw e
    return { done: troubleOf(e) }
  })
  // Nothing of it was written but the question.
  if (!('done' in begun))
    return beInTrouble(ctx, row, { code: 'refused', params: { code: 'approvals.needed' } })
  const made = begun.done
  if ('code' in made) {
    await sql`rollback to savepoint paper`.execute(ctx.tx)
    return beInTrouble(ctx, row, made)
  }
  await setOrder(ctx, row.id, {
    state: 'issued',
    ignored_why: null,
    ...noTrouble,
    document_id: made.id,
    receipt_id: made.receiptId,
    issued_agorot: order.total,
    tried_at: ctx.now,
  })
  await ctx.audit('shops.issue', 'shopOrders', row.id, undefined, {
    number: row.number,
    documentId: made.id,
    documentNumber: made.number,
  })
}

const noTrouble = { trouble: null, trouble_params: '{}', difference_agorot: null }

function whyIgnored(shop: ShopRow, row: OrderRow): OrderRow['ignored_why'] {
  const { fromDay } = shop.settings
  if (row.content.isTest) return 'test'
  if (!row.is_paid) return row.content.state === 'cancelled' ? 'cancelled' : null
  return fromDay && row.paid_day! < fromDay ? 'before' : null
}

async function beInTrouble(ctx: Ctx, row: OrderRow, { code, params, difference }: Trouble): Promise<void> {
  await setOrder(ctx, row.id, {
    state: 'trouble',
    ignored_why: null,
    trouble: code,
    trouble_params: JSON.stringify(params),
    difference_agorot: difference ?? null,
    tried_at: ctx.now,
  })
  // Who is in the same trouble again is not told again.
  if (row.trouble !== code)
    await ctx.audit('shops.trouble', 'shopOrders', row.id, undefined, { number: row.number, code })
}

/**
 * The order was changed at the shop after its document: a difference in payment is reported, and an issued document
 * is never changed.
 */
async function compare(ctx: Ctx, row: OrderRow): Promise<void> {
  if (!row.is_paid || row.ignored_why === 'person') return
  const difference = row.total_agorot - row.issued_agorot!
  if (difference) return beInTrouble(ctx, row, { code: 'edited', params: {}, difference })
  if (row.state !== 'issued') await setOrder(ctx, row.id, { state: 'issued', ...noTrouble })
}

/** Why the house refused, as a trouble of the order. */
export function troubleOf(e: unknown): Trouble {
  const refusal = refusalOf(e)
  const code = refusal.errors[0]?.code ?? refusal.code
  if (code === 'documents.noRate') return { code: 'noRate', params: {} }
  if (code === 'fields.currency') return { code: 'currency', params: {} }
  return { code: 'refused', params: { code } }
}

interface Made {
  id: string
  number: number
  receiptId: string | null
}

/** Issues the document of an order, and the receipt of a tax invoice that is paid already. */
async function makePaper(
  ctx: Ctx,
  settings: ShopSettings,
  order: ShopOrder,
  paidDay: Day,
): Promise<Made | Trouble> {
  const planned = await planPaper(ctx, settings, order)
  if ('code' in planned) return planned
  const { paper, customerId } = planned
  const given = { ...contentOf(settings, order, paper), customerId }
  const issueOn = async (day: Day): Promise<Made | Trouble> => {
    const prepared = await preparedFor(ctx, given, paper, order, day)
    if ('code' in prepared) return prepared
    const issued = await issuePrepared(ctx, prepared)
    return {
      ...issued,
      receiptId: paper.needsReceipt
        ? await receiptFor(ctx, prepared, paper, issued.id, settings, order)
        : null,
    }
  }
  const made = await onItsDay(ctx, dayFor(ctx, paidDay), issueOn)
  if (!('code' in made)) await sendIt(ctx, settings, order, made.id)
  return made
}

/** On the day it was paid; where that day is over for papers of its kind, today. */
async function onItsDay<T>(ctx: Ctx, day: Day, work: (day: Day) => Promise<T>): Promise<T> {
  if (day === ctx.today) return work(day)
  await sql`savepoint day`.execute(ctx.tx)
  try {
    return await work(day)
  } catch (e) {
    const { code, errors } = refusalOf(e)
    if (!/date|period|locked/i.test([code, ...errors.map((one) => one.code)].join())) throw e
    await sql`rollback to savepoint day`.execute(ctx.tx)
    return work(ctx.today)
  }
}

const dayFor = (ctx: Ctx, paidDay: Day): Day =>
  paidDay <= ctx.today && paidDay >= addDays(ctx.today, -backDays) ? paidDay : ctx.today

/** What the document of an order would be: its kind and lines, and whose it is. */
export async function planPaper(
  ctx: Ctx,
  settings: ShopSettings,
  order: ShopOrder,
): Promise<{ paper: OrderPaper; customerId: string } | Trouble> {
  const { kind } = await companyOf(ctx)
  if (!/^[A-Z]{3}$/.test(order.currency)) return { code: 'currency', params: { currency: order.currency } }
  const paper = paperOf(order, settings, kind)
  if ('code' in paper) return paper
  return { paper, customerId: await customerFor(ctx, order) }
}

type Given = Parameters<typeof prepareDocument>[1]

const contentOf = (settings: ShopSettings, order: ShopOrder, paper: OrderPaper): Given =>
  ({
    type: paper.type,
    currency: order.currency,
    ...languageOf(settings, order),
    orderNumber: order.number.slice(0, 40),
    ...(settings.branch ? { branch: settings.branch } : {}),
    rounding: 'none',
    lines: paper.lines.map((line) => ({ ...line })),
    payments: paper.needsReceipt ? [] : [...paper.payments],
  }) as Given

function languageOf(settings: ShopSettings, order: ShopOrder): { language?: Language } {
  const wanted = settings.language === 'order' ? order.language : settings.language
  return ['he', 'ar', 'en', 'ru', 'fr'].includes(wanted) ? { language: wanted as Language } : {}
}

/** Worked out and held against what was paid: total to the agora, VAT but for an agora a line. */
export async function preparedFor(
  ctx: Ctx,
  given: Given,
  paper: OrderPaper,
  order: ShopOrder,
  date: Day,
): Promise<Prepared | Trouble> {
  const prepared = await prepareDocument(
    ctx,
    { ...given, date },
    { zeroRate: paper.zeroRate, exactly: paper.total },
  )
  const difference = paper.total - prepared.totals.total
  if (difference || Math.abs(prepared.totals.rounding) > paper.most)
    return { code: 'sum', params: {}, difference: difference || prepared.totals.rounding }
  if (chargesVat(prepared.company.kind) && isTaxApart(order, prepared.totals.vat))
    return {
      code: 'tax',
      params: { shop: order.vat ?? 0, ours: prepared.totals.vat },
      difference: (order.vat ?? 0) - prepared.totals.vat,
    }
  return prepared
}

async function receiptFor(
  ctx: Ctx,
  invoice: Prepared,
  paper: OrderPaper,
  invoiceId: string,
  settings: ShopSettings,
  order: ShopOrder,
): Promise<string> {
  const receipt = await prepareDocument(ctx, {
    type: typeId('receipt'),
    customerId: invoice.customerId,
    date: invoice.day,
    currency: order.currency,
    ...(order.currency === 'ILS' ? {} : { rate: invoice.rate }),
    language: invoice.language,
    orderNumber: order.number.slice(0, 40),
    ...(settings.branch ? { branch: settings.branch } : {}),
    lines: [],
    payments: [...paper.payments],
    closes: [{ documentId: invoiceId, amountAgorot: paper.total }],
  } as Given)
  return (await issuePrepared(ctx, receipt)).id
}

async function sendIt(ctx: Ctx, { send }: ShopSettings, order: ShopOrder, id: string): Promise<void> {
  const { email, phone } = order.customer
  if ((send === 'mail' || send === 'both') && isMail(email))
    await sendDocument(ctx, { id, to: email, attach: true })
  if ((send === 'sms' || send === 'both') && israeliMobile(phone))
    await ctx.later('shops.sms', { id, to: phone })
}

const isMail = (text: string): boolean => /^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$/.test(text) && text.length <= 254

/**
 * The buyer: a customer with the same dealer number, email or phone, else a new one. A new one needs no right of the
 * caller to add customers: the owner who connected the shop decided that its orders become documents, and the key of
 * the shop holds the right to issue alone.
 */
async function customerFor(ctx: Ctx, order: ShopOrder): Promise<string> {
  const { name, email, phone, street, city } = order.customer
  const number = normaliseTaxId(order.customer.taxId)
  const taxId = number !== undefined && isTaxId(number) ? number : ''
  const mail = isMail(email) ? email.toLowerCase() : ''
  const mobile = israeliMobile(phone) ?? ''
  const { rows } = await sql<{
    id: string
  }>`select id from parties where company_id = ${ctx.companyId} and role = 'customer' and archived_at is null
    and merged_into is null and not blocked and case when ${taxId} <> '' then tax_id = ${taxId}
      else tax_id is null and (${mail} <> '' and lower(email) = ${mail} or ${mail} = '' and ${mobile} <> ''
      and ${mobile} in (mobile_key, phone_key)) end
    order by created_at, id limit 1`.execute(ctx.tx)
  if (rows[0]) return rows[0].id
  const made = await createCustomer(ctx, {
    name: name || mail || order.number,
    ...(taxId ? { taxId, isDealer: true } : {}),
    ...(mail ? { email: mail } : {}),
    ...(mobile ? { phone } : {}),
    ...(street ? { street } : {}),
    ...(city ? { city } : {}),
  })
  return made.id
}

/** What would come of an order, without a trace. */
export async function tryPaper(
  ctx: Ctx,
  settings: ShopSettings,
  order: ShopOrder,
  refused: (e: unknown) => Trouble = troubleOf,
): Promise<
  | {
      type: number
      totalAgorot: number
      vatAgorot: number
      currency: string
      lines: { description: string; quantity: string; unitPrice: string; totalAgorot: number }[]
    }
  | Trouble
> {
  await sql`savepoint trying`.execute(ctx.tx)
  try {
    const planned = await planPaper(ctx, settings, order)
    if ('code' in planned) return planned
    const { paper, customerId } = planned
    const prepared = await preparedFor(
      ctx,
      { ...contentOf(settings, order, paper), customerId },
      paper,
      order,
      ctx.today,
    )
    if ('code' in prepared) return prepared
    return {
      type: paper.type,
      totalAgorot: prepared.totals.total,
      vatAgorot: prepared.totals.vat,
      currency: prepared.currency,
      lines: prepared.content.lines.map(({ description, quantity, unitPrice }, i) => ({
        description,
        quantity,
        unitPrice,
        totalAgorot: prepared.totals.lines[i]?.gross ?? 0,
      })),
    }
  } catch (e) {
    return refused(e)
  } finally {
    await sql`rollback to savepoint trying`.execute(ctx.tx)
  }
}

registerOrders(shopKind, {
  rule: 'shops.connect',
  entity: 'shops',
  describe: async (ctx, ids) => {
    const { rows } = await sql<{ id: string; title: string }>`select id, name as title from shops
      where company_id = ${ctx.companyId} and id = any (${ids}::uuid[])`.execute(ctx.tx)
    return rows.map(({ id, title }) => ({ id, title, href: `/invoice/shops/${id}` }))
  },
  next: async (ctx, ids) => {
    const { rows } = await sql<{ id: string }>`select id from shops where company_id = ${ctx.companyId}
      and id = any (${ids}::uuid[]) and archived_at is null and state = 'on'`.execute(ctx.tx)
    return rows.map(({ id }) => ({ id, does: [{ effect: 'issue', agorot: 0 }] }))
  },
  // Orders in trouble are worked again.
  goOn: async (ctx, id) => {
    const { rows } = await sql<{ id: string }>`select id from shop_orders where company_id = ${ctx.companyId}
      and shop_id = ${id} and (state = 'trouble' or exists (select 1 from shop_refunds r
        where r.company_id = shop_orders.company_id and r.order_id = shop_orders.id and r.state = 'trouble'))
      order by id limit 2000`.execute(ctx.tx)
    for (const row of rows) await ctx.later('shops.work', { orderId: row.id })
  },
})
