import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { z } from 'zod'
import { brandOf } from '#kit/server/brands.ts'
import { asCaller, systemCaller, type App, type Ctx } from '#kit/server/context.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { standingOrderOf } from '#features/money/standingOrders/server/index.ts'
import type { mainPayment } from '../endpoints.ts'
import { contentOf, itemsOf, type StoredPage } from './store.ts'

type Answer = z.output<typeof mainPayment.output>

/** What a business is known by on the operator's pages: nobody guesses another's, and it opens nothing. */
export const billingKeyOf = (app: App, companyId: string): string =>
  createHmac('sha256', app.secrets.vault).update(`billing:${companyId}`).digest('base64url').slice(0, 32)

/**
 * The product is paid for as anything is that the operator sells: by his own subscription pages, in his own business in the same installation. His standing
 * order charges, his documents are the invoices. Nothing else asks whether it is paid: books are read and taken away whatever becomes of a charge.
 */
export async function showMainPayment(ctx: Ctx): Promise<Answer> {
  const operatorId = ctx.app.settings.billingCompany
  const off: Answer = { isOn: false, operator: '', plan: null, papers: [], plans: [] }
  if (!operatorId || operatorId === ctx.companyId) return off
  const key = billingKeyOf(ctx.app, ctx.companyId)
  const { language } = ctx.caller
  // Under a white label its own prices, and none of them elsewhere.
  const chosen = (await brandOf(ctx))?.pageIds ?? []
  const only = chosen.length
    ? sql`id = any(${chosen}::uuid[])`
    : sql`not exists (select 1 from brands b where pay_pages.id = any(b.page_ids))`
  return asCaller(ctx.app, systemCaller(operatorId), '', async (theirs) => {
    const { rows: pages } =
      await sql<StoredPage>`select * from pay_pages where company_id = ${operatorId} and kind = 'subscription' and state = 'open'
      and (closes_at is null or closes_at > ${theirs.now}) and ${only} order by created_at`.execute(theirs.tx)
    const plans: Answer['plans'] = []
    for (const page of pages) {
      const content = contentOf(page, await itemsOf(theirs, page.id))
      const words = content.texts[language] ?? content.texts[content.language]
      plans.push({
        title: words?.title ?? '',
        text: words?.text ?? '',
        priceAgorot: content.items.reduce((sum, item) => sum + (item.isFixed ? item.priceAgorot : 0), 0),
        everyN: content.everyN,
        trialDays: content.trialDays,
        url: `/paymentpage/${page.page_key}?lang=${language}&utm_business=${key}`,
      })
    }
    const { rows: mine } = await sql<{ orderId: string }>`select p.order_id as "orderId" from pay_purchases p
      join standing_orders o on o.company_id = p.company_id and o.id = p.order_id
      where p.company_id = ${operatorId} and p.utm->>'utm_business' = ${key} and p.state = 'subscribed'
      order by o.state in ('ended', 'cancelled'), p.created_at desc`.execute(theirs.tx)
    const [current] = mine
    return {
      isOn: true,
      operator: (await companyOf(theirs)).name,
      plan: current ? await standingOrderOf(theirs, current.orderId) : null,
      papers: await papersOf(
        theirs,
        mine.map(({ orderId }) => orderId),
      ),
      plans,
    }
  })
}

const papersOf = async (ctx: Ctx, orderIds: readonly string[]): Promise<Answer['papers']> =>
  (
    await sql<
      Answer['papers'][number]
    >`select d.page_key as key, d.type, d.number, d.day::text as day, d.total_agorot as "totalAgorot" from standing_periods p
      join documents d on d.company_id = p.company_id and d.id = p.document_id
      where p.company_id = ${ctx.companyId} and p.order_id = any(${[...orderIds]}::uuid[]) and d.status not in ('draft', 'cancelled')
      order by d.day desc, d.number desc limit 60`.execute(ctx.tx)
  ).rows
