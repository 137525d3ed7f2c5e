import { sql } from 'kysely'
import { addDays } from '#domain/day.ts'
import type { Ctx } from '#kit/server/context.ts'
import { createShop } from './keep.ts'
import { hear } from './orders.ts'
import { shopOf } from './engine/rows.ts'
import { workOrder } from './engine/work.ts'

const goods = [
  ['ברז מטבח נשלף', 'TAP-210', 48_900],
  ['סט אטמים למטבח', 'SEAL-12', 3_990],
  ['מסנן מים לברז', 'FLT-7', 12_900],
  ['צינור גמיש 60 ס״מ', 'PIPE-60', 4_500],
  ['ראש מקלחת חוסך', 'SHW-3', 15_900],
] as const

const people = [
  ['רותם אלון', 'rotem.alon@example.com', 'חיפה'],
  ['מאיה שגיא', 'maya.sagi@example.com', 'תל אביב'],
  ['אחמד חדאד', 'ahmad.haddad@example.com', 'נצרת'],
  ['אולגה פרידמן', 'olga.f@example.com', 'אשדוד'],
  ['דניאל בן־דוד', 'daniel.bd@example.com', 'אילת'],
] as const

const money = (agorot: number): string => (agorot / 100).toFixed(2)

/**
 * A month of a shop with WooCommerce: orders with their documents, a partial refund, one that was not paid, and two
 * that a person must look at.
 */
export async function showShop(ctx: Ctx): Promise<void> {
  const { id } = await createShop(ctx, {
    kind: 'woocommerce',
    name: 'החנות באתר',
    settings: { branch: 'web', fromDay: addDays(ctx.today, -40), send: 'none' },
  })
  const shop = await shopOf(ctx, id)
  for (let i = 0; i < 26; i++) {
    const day = addDays(ctx.today, -Math.round((29 * (25 - i)) / 25))
    const order = orderOf(i, i < 13 ? addDays(ctx.today, -14) : day)
    const { orderId } = await hear(ctx, shop, order, { topic: 'order' })
    await workOrder(ctx, orderId)
  }
  // Customers of the shop are tagged as the others are.
  await sql`update parties p set type_id = o.type_id, status_id = o.status_id
    from (select type_id, status_id from parties where company_id = ${ctx.companyId} and role = 'customer'
      and type_id is not null and status_id is not null and not is_dealer order by created_at, id limit 1) o
    where p.company_id = ${ctx.companyId} and p.role = 'customer' and p.type_id is null`.execute(ctx.tx)
  const { id: own } = await createShop(ctx, {
    kind: 'generic',
    name: 'מכירות בכנס',
    settings: { branch: 'web' },
  })
  await sql`update shops set state = 'off' where company_id = ${ctx.companyId} and id = ${own}`.execute(
    ctx.tx,
  )
}

function orderOf(i: number, day: string): Record<string, unknown> {
  const [name, email, city] = people[i % people.length]!
  const lines = [goods[i % goods.length]!, ...(i % 3 === 0 ? [goods[(i + 2) % goods.length]!] : [])].map(
    ([title, sku, price], at) => {
      const quantity = at === 1 ? 2 : 1
      const total = price * quantity
      const tax = Math.round((total * 18) / 118)
      return {
        name: title,
        sku,
        quantity,
        subtotal: money(total - tax),
        subtotal_tax: money(tax),
        total: money(total - tax),
        total_tax: money(tax),
        gross: total,
        tax,
      }
    },
  )
  const [goodsSum, tax] = [
    lines.reduce((all, line) => all + line.gross, 0),
    lines.reduce((all, line) => all + line.tax, 0),
  ]
  const shippingTax = Math.round((2_900 * 18) / 118)
  const isUntaxed = i === 24
  const total = goodsSum + 2_900
  return {
    id: 4_100 + i,
    number: String(4_100 + i),
    status: i === 25 ? 'pending' : 'processing',
    date_paid: i === 25 ? null : `${day}T10:${String(10 + i)}:00`,
    date_created: `${day}T10:05:00`,
    currency: 'ILS',
    total: money(i === 17 ? total + 1_500 : total),
    total_tax: isUntaxed ? '0.00' : money(tax + shippingTax),
    payment_method: 'card',
    billing: { first_name: name, last_name: '', email, city, country: 'IL' },
    line_items: lines.map(({ gross, tax: own, ...line }) =>
      isUntaxed
        ? { ...line, total: money(gross), total_tax: '0', subtotal: money(gross), subtotal_tax: '0', own }
        : line,
    ),
    shipping_lines: [
      {
        method_title: 'משלוח עד הבית',
        total: money(isUntaxed ? 2_900 : 2_900 - shippingTax),
        total_tax: isUntaxed ? '0' : money(shippingTax),
      },
    ],
    refunds:
      i === 15 ? [{ id: 9_001, amount: '39.90', reason: 'פריט חסר', date_created: `${day}T18:00:00` }] : [],
  }
}
