import { sql } from 'kysely'
import { formatDay, withCurrency } from '#domain/format.ts'
import { momentAt } from '#domain/day.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isDonation, isNotCancelled } from '#kit/server/data/documentFacts.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { orderOf, tellStep, type StoredOrder } from './order.ts'
import { languageOf, personOf, tellCustomer } from './tell.ts'

/** The letter with the receipts of a year leaves on the tenth of January after it. */
export const planYearly = (ctx: Ctx, { id }: StoredOrder, year: string): Promise<void> =>
  ctx.later('standingOrders.yearly', { id, year }, momentAt(`${Number(year) + 1}-01-10`, 9))

/**
 * One letter with every receipt for a donation of a year, for donors who do not want one each month. The
 * receipts themselves are made with the money, as they are reported; a second run finds the letter on the
 * timeline.
 */
export const yearlyReceipts: Job = async (ctx, { id, year }) => {
  const order = await orderOf(ctx, String(id), true)
  const { rows: before } =
    await sql`select 1 from standing_steps where company_id = ${ctx.companyId} and order_id = ${order.id}
        and kind = 'yearly'
    and details->>'year' = ${String(year)}`.execute(ctx.tx)
  if (before.length) return
  const { rows } = await sql<{
    number: number
    day: string
    agorot: number
    key: string
  }>`select d.number, d.day, d.total_agorot as agorot, d.page_key as key
    from standing_periods p join documents d on d.company_id = p.company_id and d.id = p.document_id
    where p.company_id = ${ctx.companyId} and p.order_id = ${order.id} and ${isDonation('d')}
      and ${isNotCancelled('d')}
      and d.day between ${`${String(year)}-01-01`} and ${`${String(year)}-12-31`}
      order by d.day, d.number`.execute(ctx.tx)
  if (!rows.length) return
  const language = languageOf(order, await personOf(ctx, order))
  const sent = await tellCustomer(ctx, order, 'yearly', {
    year: String(year),
    sum: withCurrency(
      rows.reduce((all, { agorot }) => all + agorot, 0),
      order.currency,
      language,
    ),
    list: rows
      .map(
        ({ number, day, agorot, key }) =>
          `${number} · ${formatDay(day)} · ${withCurrency(agorot, order.currency, language)}\n${siteOf(ctx.app)}/paymentdoc/${key}`,
      )
      .join('\n'),
  })
  await tellStep(ctx, order.id, 'yearly', { year: String(year), receipts: rows.length, to: sent?.to ?? '' })
}
