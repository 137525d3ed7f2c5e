import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { z } from 'zod'
import { fail } from '#kit/describe/errors.ts'
import { brandAt } from '#kit/server/outside/brands.ts'
import { brandHere } from '#kit/server/work/threads/currentBusiness.ts'
import { asCaller, systemCaller, type App, type Ctx, type OpenCtx } from '#kit/server/context.ts'
import { asks, isClosed, isLive, isPaidInvoice, isType } from '#kit/server/data/documentFacts.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { changeByWish, standingOrderOf } from '#features/money/standingOrders/server/index.ts'
import type { mainPayment, PageContent, pricing } from '../endpoints.ts'
import type { Language } from '../shown.ts'
import { limits } from './limits.ts'
import { boughtBy, linesOf, purchaseOf, setPurchase } from './purchase.ts'
import { orderLines, titleOf, soldAs } from './purpose.ts'
import { contentOf, itemsOf, pageOf, type StoredPage } from './store.ts'

type Answer = z.output<typeof mainPayment.output>
type Pricing = z.output<typeof pricing.output>

/** What a business is known by on the operator's pages: nobody guesses another's, and it opens nothing. */
export const billingKeyOf = (app: App, companyId: string): string =>
  createHmac('sha256', app.secrets.mac).update(`billing:${companyId}`).digest('base64url').slice(0, 32)

/**
 * The product is paid for as anything that the operator sells: by the operator's subscription pages, in the
 * operator's business in the same installation. The standing order charges, the documents are the invoices. Nothing
 * else depends on the payment: books are read and exported whatever becomes of a charge.
 */
export async function showMainPayment(ctx: Ctx): Promise<Answer> {
  const operatorId = ctx.app.settings.billingCompany
  const off: Answer = { isOn: false, operator: '', plan: null, papers: [], plans: [] }
  if (!operatorId || operatorId === ctx.companyId) return off
  const key = billingKeyOf(ctx.app, ctx.companyId)
  const { language } = ctx.caller
  const pageIds = brandHere()?.pageIds ?? []
  return asCaller(ctx.app, systemCaller(operatorId), '', async (theirs) => {
    const plans = await plansOf(theirs, language, pageIds)
    const mine = await boughtBy(theirs, key)
    const [current] = mine
    return {
      isOn: true,
      operator: (await companyOf(theirs)).name,
      plan: current
        ? {
            ...(await standingOrderOf(theirs, current.orderId)),
            modules: await chosenOf(theirs, current.id, language),
          }
        : null,
      papers: await papersOf(
        theirs,
        mine.map(({ orderId }) => orderId),
      ),
      plans: plans.map((plan) => ({
        ...plan,
        url: `/paymentpage/${plan.key}?lang=${language}&utm_business=${key}`,
      })),
    }
  })
}

/** What the product costs, for visitors: the plans that `showMainPayment` offers. */
export async function showPricing(
  { app, language }: OpenCtx,
  { domain }: { domain?: string | undefined },
): Promise<Pricing> {
  const operatorId = app.settings.billingCompany
  if (!operatorId) return { isOn: false, plans: [], limits }
  const brand = domain ? await brandAt(app, domain.toLowerCase()) : undefined
  return asCaller(app, systemCaller(operatorId), '', async (theirs) => ({
    isOn: true,
    plans: await plansOf(theirs, language, brand?.pageIds ?? []),
    limits,
  }))
}

/**
 * The plans of the operator: the open subscription pages. Under a white label its separate prices, and none of them
 * elsewhere.
 */
async function plansOf(
  theirs: Ctx,
  language: Language,
  pageIds: readonly string[],
): Promise<Pricing['plans']> {
  const only = pageIds.length
    ? sql`id = any(${[...pageIds]}::uuid[])`
    : sql`not exists (select 1 from brands b where pay_pages.id = any(b.page_ids))`
  const { rows: pages } = await sql<StoredPage>`select * from pay_pages where company_id = ${theirs.companyId}
        and kind = 'subscription' and state = 'open'
    and (closes_at is null or closes_at > ${theirs.now}) and ${only} order by created_at`.execute(theirs.tx)
  const plans: Pricing['plans'] = []
  for (const page of pages) {
    const content = contentOf(page, await itemsOf(theirs, page.id))
    const words = content.texts[language] ?? content.texts[content.language]
    plans.push({
      key: page.page_key,
      title: words?.title ?? '',
      text: words?.text ?? '',
      priceAgorot: content.items.reduce((sum, item) => sum + (item.isFixed ? item.priceAgorot : 0), 0),
      everyN: content.everyN,
      trialDays: content.trialDays,
      includes: content.items.filter(({ isFixed }) => isFixed).map((item) => nameOf(item, content, language)),
      modules: modulesOf(content, language),
    })
  }
  return plans
}

/** The plan that each of some businesses has now, by its title; of those that have one. */
export async function plansHad(
  { app }: Pick<Ctx, 'app'>,
  companyIds: readonly string[],
): Promise<Map<string, string>> {
  const operatorId = app.settings.billingCompany
  if (!operatorId || !companyIds.length) return new Map()
  const whose = new Map(companyIds.map((id) => [billingKeyOf(app, id), id]))
  return asCaller(app, systemCaller(operatorId), '', async (theirs) => {
    const { rows } = await sql<{ key: string; title: string }>`select p.utm->>'utm_business' as key, o.title
      from pay_purchases p join standing_orders o on o.company_id = p.company_id and o.id = p.order_id
      where p.company_id = ${theirs.companyId} and p.utm->>'utm_business' = any(${[...whose.keys()]})
        and p.state = 'subscribed'
        and o.state not in ('ended', 'cancelled') order by p.created_at`.execute(theirs.tx)
    return new Map(rows.map(({ key, title }) => [whose.get(key)!, title]))
  })
}

/** Whether a business has a plan of which at least one charge was paid. */
export async function hasPaidPlan(app: App, companyId: string): Promise<boolean> {
  const operatorId = app.settings.billingCompany
  if (!operatorId) return false
  return asCaller(app, systemCaller(operatorId), '', async (theirs) => {
    const { rows } = await sql`select 1
      from pay_purchases p join standing_orders o on o.company_id = p.company_id and o.id = p.order_id
        join standing_periods t on t.company_id = p.company_id and t.order_id = p.order_id
        join documents d on d.company_id = t.company_id and d.id = t.document_id
      where p.company_id = ${theirs.companyId} and p.utm->>'utm_business' = ${billingKeyOf(app, companyId)}
        and p.state = 'subscribed' and o.state not in ('ended', 'cancelled') and d.total_agorot > 0
        -- A receipt in itself, or an invoice or a request that is paid in full.
        and ((${isPaidInvoice('d')} and ${isLive('d')})
          or (${isType('d', 'taxInvoice')} and d.open_agorot = 0 and ${isClosed('d')})
          or (${asks('d')} and d.asked_agorot = 0 and ${isClosed('d')}))
      limit 1`.execute(theirs.tx)
    return rows.length > 0
  })
}

const nameOf = (
  { names }: Pick<PageContent['items'][number], 'names'>,
  content: PageContent,
  language: Language,
): string => names[language] ?? names[content.language] ?? Object.values(names)[0]!

/** What a plan leaves to choose, with its price. */
const modulesOf = (content: PageContent, language: Language) =>
  content.items
    .filter(({ isFixed }) => !isFixed)
    .map(({ id, names, priceAgorot }) => ({
      id,
      name: nameOf({ names }, content, language),
      priceAgorot,
    }))

/**
 * The modules of the plan that was bought, and which of them are had from the next charge on, at the price
 * that was agreed.
 */
async function chosenOf(theirs: Ctx, purchaseId: string, language: Language) {
  const purchase = await purchaseOf(theirs, purchaseId)
  const page = await pageOf(theirs, purchase.page_id)
  const lines = purchase.lines_now ?? (await linesOf(theirs, purchaseId))
  return modulesOf(contentOf(page, await itemsOf(theirs, page.id)), language).map((one) => {
    const had = lines.find(({ page_item_id: id }) => id === one.id)
    return { ...one, priceAgorot: had?.price_agorot ?? one.priceAgorot, isOn: had !== undefined }
  })
}

/**
 * Adds modules to the plan of the business and takes others off, in the operator's own standing order; what
 * was charged stays as it was.
 */
export async function chooseModules(ctx: Ctx, { modules }: { modules: string[] }): Promise<Answer> {
  const operatorId = ctx.app.settings.billingCompany
  if (!operatorId || operatorId === ctx.companyId) throw fail('billing.noPlan')
  const key = billingKeyOf(ctx.app, ctx.companyId)
  await asCaller(ctx.app, systemCaller(operatorId), '', async (theirs) => {
    const [current] = await boughtBy(theirs, key)
    if (!current || current.isOver) throw fail('billing.noPlan')
    const purchase = await purchaseOf(theirs, current.id, true)
    const page = await pageOf(theirs, purchase.page_id)
    const items = await itemsOf(theirs, page.id)
    const free = new Map(items.filter((one) => !one.is_fixed).map((one) => [one.id, one]))
    if (modules.some((id) => !free.has(id))) throw fail('payPages.itemGone')
    const before = purchase.lines_now ?? (await linesOf(theirs, purchase.id))
    const kept = before.filter(({ page_item_id: id }) => id === null || !free.has(id) || modules.includes(id))
    const added = modules
      .filter((id) => !before.some((line) => line.page_item_id === id))
      .map((id) => {
        const item = free.get(id)!
        const name =
          item.names[purchase.language] ?? item.names[page.language] ?? Object.values(item.names)[0]!
        return {
          page_item_id: id,
          item_id: item.item_id,
          name,
          quantity: 1,
          price_agorot: item.price_agorot,
          discount_agorot: 0,
        }
      })
    const lines = [...kept, ...added].map((line, i) => ({ ...line, no: i + 1 }))
    if (lines.length === before.length && !added.length) return
    await setPurchase(theirs, purchase.id, { lines_now: JSON.stringify(lines) })
    const sold = orderLines(
      titleOf(page, purchase),
      lines,
      purchase.plan!.everyDiscountAgorot,
      await soldAs(theirs, lines),
    )
    await changeByWish(theirs, current.orderId, sold, '')
  })
  await ctx.audit('billing.modules', 'companies', ctx.companyId, undefined, { modules: modules.length })
  return showMainPayment(ctx)
}

const papersOf = async (ctx: Ctx, orderIds: readonly string[]): Promise<Answer['papers']> =>
  (
    await sql<
      Answer['papers'][number]
    >`select d.page_key as key, d.type, d.number, d.day::text as day, d.total_agorot as "totalAgorot"
      from standing_periods p
      join documents d on d.company_id = p.company_id and d.id = p.document_id
      where p.company_id = ${ctx.companyId} and p.order_id = any(${[...orderIds]}::uuid[])
        and ${isLive('d')}
      order by d.day desc, d.number desc limit 60`.execute(ctx.tx)
  ).rows
