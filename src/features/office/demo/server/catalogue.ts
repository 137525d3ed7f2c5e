import { addDays, addMonths, startOfMonth } from '#domain/day.ts'
import type { Ctx } from '#kit/server/context.ts'
import { createCategory, createItem } from '#features/registers/items/server/index.ts'
import type { Item } from '#features/registers/items/items.ts'
import type { Customer } from '#features/registers/parties/server/index.ts'
import { createPriceList, givePriceList } from '#features/registers/prices/server/index.ts'
import { createProject } from '#features/registers/projects/server/index.ts'
import type { Project } from '#features/registers/projects/projects.ts'
import type { DemoBusiness } from './world.ts'

/** What is counted in units or metres is goods; the rest is work. */
const isGoods = (unit: string) => ['יח׳', 'מ׳', 'ק״ג'].includes(unit)

/** The items in their categories. */
export async function addItems(ctx: Ctx, business: DemoBusiness): Promise<Item[]> {
  const work = await createCategory(ctx, { name: 'עבודה ושירות' })
  const goods = await createCategory(ctx, { name: 'מוצרים וחומרים' })
  const byLength = await createCategory(ctx, { name: 'לפי מטר', parentId: goods.id })
  const items: Item[] = []
  for (const item of business.items) {
    const categoryId = !isGoods(item.unit) ? work.id : item.unit === 'מ׳' ? byLength.id : goods.id
    items.push(
      await createItem(ctx, {
        currency: 'ILS',
        vatKind: 'beforeVat',
        categoryId,
        isStocked: isGoods(item.unit),
        ...item,
      }),
    )
  }
  return items
}

/** A list for regular customers, with a lower price from ten on; the best customer buys by it. */
export async function addPriceList(
  ctx: Ctx,
  customers: readonly Customer[],
  items: readonly Item[],
): Promise<void> {
  const shekels = items.filter(({ currency }) => currency === 'ILS')
  const lines = shekels.slice(0, 2).map(({ id, price }) => ({
    itemId: id,
    price: String(Math.round(Number(price) * 0.9)),
    fromQuantity: '10',
  }))
  const { id } = await createPriceList(ctx, { name: 'לקוחות קבועים', base: 'item', changeBp: -500 }, lines)
  if (customers[0]) await givePriceList(ctx, customers[0].id, id)
}

/** A job of the last months, whose invoices name it. */
export const addProject = (ctx: Ctx, customer: Customer): Promise<Project> =>
  createProject(ctx, {
    name: 'שדרוג תשתיות',
    number: 'P-01',
    customerId: customer.id,
    fromDay: startOfMonth(addMonths(ctx.today, -4)),
    toDay: addDays(ctx.today, 60),
    budgetIncomeAgorot: 4_000_000,
    budgetExpenseAgorot: 1_800_000,
  })
