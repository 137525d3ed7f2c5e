import { sql } from 'kysely'
import { addDays, addMonths, startOfMonth } from '#domain/day.ts'
import { documentTypes, type DocumentTypeName } from '#domain/documents/kinds.ts'
import type { Ctx } from '#kit/server/context.ts'
import {
  cancelDocument,
  issuePrepared,
  keepPrepared,
  prepareDocument,
  type Content,
} from '#features/sales/documents/server/index.ts'
import type { Item } from '#features/registers/items/items.ts'
import type { Customer } from '#features/registers/parties/server/index.ts'

/**
 * What is ordered: how many days ago, promised in how many days from today, which items and how many, and how
 * many of the first were supplied since.
 */
interface Ordered {
  customer: number
  ago: number
  promised: number
  lines: readonly (readonly [item: number, quantity: number])[]
  supplied?: number
  whole?: boolean
  cancelled?: boolean
}

const orders: readonly Ordered[] = [
  { customer: 0, ago: 52, promised: -30, lines: [[5, 1]], whole: true },
  {
    customer: 10,
    ago: 38,
    promised: -12,
    lines: [
      [3, 4],
      [4, 60],
    ],
    supplied: 3,
  },
  { customer: 7, ago: 33, promised: -20, lines: [[2, 1]], cancelled: true },
  {
    customer: 4,
    ago: 24,
    promised: -3,
    lines: [
      [3, 2],
      [4, 40],
    ],
  },
  {
    customer: 0,
    ago: 16,
    promised: 6,
    lines: [
      [4, 120],
      [5, 2],
    ],
    supplied: 50,
  },
  {
    customer: 6,
    ago: 11,
    promised: 20,
    lines: [
      [2, 2],
      [3, 1],
    ],
  },
  {
    customer: 3,
    ago: 5,
    promised: 12,
    lines: [
      [5, 1],
      [4, 25],
    ],
  },
]

/**
 * What was offered: the customer, days ago and valid for, which items; whether it was sent and opened, withdrawn, or
 * only begun.
 */
const quotes: readonly {
  customer: number
  ago: number
  lines: Ordered['lines']
  subject: string
  is?: 'sent' | 'seen' | 'cancelled' | 'draft'
}[] = [
  { customer: 2, ago: 24, subject: 'החלפת דוד שמש', lines: [[2, 1]], is: 'cancelled' },
  {
    customer: 5,
    ago: 17,
    subject: 'שיפוץ חדר רחצה',
    lines: [
      [3, 6],
      [4, 30],
    ],
    is: 'seen',
  },
  { customer: 9, ago: 9, subject: 'הסכם שירות לשנה', lines: [[5, 3]], is: 'sent' },
  {
    customer: 1,
    ago: 6,
    subject: 'קו גז למטבח',
    lines: [
      [2, 1],
      [4, 12],
    ],
    is: 'sent',
  },
  { customer: 8, ago: 3, subject: 'איתור נזילה ותיקון', lines: [[3, 2]] },
  { customer: 11, ago: 1, subject: 'החלפת צנרת בקומה שלישית', lines: [[4, 80]] },
  { customer: 3, ago: 0, subject: 'מערכת סינון למים', lines: [[5, 1]], is: 'draft' },
]

/**
 * Quotes, and orders in every state: supplied, in part, late, still to come and cancelled; goods ordered from
 * a supplier, some of which came.
 */
export async function addOrders(
  ctx: Ctx,
  customers: readonly Customer[],
  items: readonly Item[],
): Promise<void> {
  const shekels = items.filter(({ currency }) => currency === 'ILS')
  const buyers = customers.filter(({ zeroRate }) => !zeroRate)
  const lineOf = (item: number, quantity: number) => {
    const of = shekels[item % shekels.length]!
    return {
      itemId: of.id,
      sku: of.sku ?? '',
      description: of.name,
      unit: of.unit ?? '',
      quantity: String(quantity),
      unitPrice: of.price ?? '0',
    }
  }
  const issue = async (type: DocumentTypeName, content: Omit<Content, 'type'>) =>
    issuePrepared(ctx, await prepareDocument(ctx, { type: documentTypes[type].id, ...content }))
  for (const { customer, ago, promised, lines, supplied, whole, cancelled } of orders) {
    const customerId = buyers[customer % buyers.length]!.id
    const written = lines.map(([item, quantity]) => lineOf(item, quantity))
    const { id } = await issue('order', {
      customerId,
      date: addDays(ctx.today, -ago),
      validUntil: addDays(ctx.today, promised),
      orderNumber: `PO-${4100 + ago}`,
      lines: written,
    })
    if (cancelled) await cancelDocument(ctx, { id, reason: 'הלקוח חזר בו' }, addDays(ctx.today, -ago + 2))
    const gone = whole ? written : supplied ? [{ ...written[0]!, quantity: String(supplied) }] : []
    if (gone.length)
      await issue('deliveryNote', {
        customerId,
        date: addDays(ctx.today, -ago + 4),
        sourceId: id,
        lines: gone.map((line, i) => ({
          ...line,
          source: { documentId: id, line: i + 1, quantity: line.quantity },
        })),
      })
  }
  for (const { customer, ago, subject, lines, is } of quotes) {
    const quote = await prepareDocument(ctx, {
      type: documentTypes.priceQuote.id,
      customerId: buyers[customer % buyers.length]!.id,
      date: addDays(ctx.today, -ago),
      validUntil: addDays(ctx.today, 30 - ago),
      subject,
      lines: lines.map(([item, quantity]) => lineOf(item, quantity)),
    })
    if (is === 'draft') {
      await keepPrepared(ctx, quote)
      continue
    }
    const { id } = await issuePrepared(ctx, quote)
    if (is === 'cancelled')
      await cancelDocument(ctx, { id, reason: 'נבחר ספק אחר' }, addDays(ctx.today, -ago + 5))
    // No letter leaves a demo.
    if (is === 'sent' || is === 'seen')
      await sql`update documents
        set sent_at = created_at, viewed_at = ${is === 'seen' ? sql`created_at` : null}
        where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  }
  const { rows: suppliers } = await sql<{
    id: string
  }>`select id from parties where company_id = ${ctx.companyId} and role = 'supplier'
      and withholding_kind is not null
    order by created_at, name limit 1`.execute(ctx.tx)
  if (!suppliers[0]) return
  const bought = [lineOf(4, 400), lineOf(3, 20)].map((line) => ({
    ...line,
    unitPrice: String(Math.round(Number(line.unitPrice) * 55) / 100),
  }))
  const { id } = await issue('purchaseOrder', {
    customerId: suppliers[0].id,
    date: addDays(ctx.today, -20),
    validUntil: addDays(ctx.today, 4),
    lines: bought,
  })
  await issue('goodsReceived', {
    customerId: suppliers[0].id,
    date: addDays(ctx.today, -9),
    sourceId: id,
    lines: [{ ...bought[0]!, quantity: '250', source: { documentId: id, line: 1, quantity: '250' } }],
  })
}

/** What the year sells lies on the shelf before it begins, at about two thirds of its price. */
export async function openStock(ctx: Ctx, items: readonly Item[]): Promise<void> {
  const { rows: suppliers } = await sql<{
    id: string
  }>`select id from parties where company_id = ${ctx.companyId} and role = 'supplier'
      and withholding_kind is not null
    order by created_at, name limit 1`.execute(ctx.tx)
  const goods = items.filter(({ currency, isStocked }) => currency === 'ILS' && isStocked)
  if (!suppliers[0] || !goods.length) return
  await issuePrepared(
    ctx,
    await prepareDocument(ctx, {
      type: documentTypes.goodsReceived.id,
      customerId: suppliers[0].id,
      date: addDays(startOfMonth(addMonths(ctx.today, -11)), 1),
      lines: goods.map((of) => ({
        itemId: of.id,
        sku: of.sku ?? '',
        description: of.name,
        unit: of.unit ?? '',
        quantity: of.unit === 'מ׳' ? '600' : '60',
        unitPrice: of.cost ?? String(Math.round(Number(of.price ?? 0) * 65) / 100),
      })),
    }),
  )
}
