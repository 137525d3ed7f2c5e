import { sql } from 'kysely'
import type { z } from 'zod'
import { documentTypes, paymentMeans } from '#domain/documents/kinds.ts'
import { forbidden, failField } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import type { App, Ctx } from '#kit/server/context.ts'
import { isNotCancelled, isReceipt } from '#kit/server/data/documentFacts.ts'
import { dueRows, serveDue } from '#kit/server/work/dueRows.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { neededByCard } from '#features/sales/documents/server/index.ts'
import { orderInput } from '#features/money/standingOrders/endpoints.ts'
import { createStandingOrder, standingOrderOf } from '#features/money/standingOrders/server/index.ts'
import type * as calls from '../endpoints.ts'
import { houseOf } from './house.ts'
import { spread } from './tenant.ts'

interface Payer {
  customerId: string
  name: string
  flats: string
  agorot: number
}

/** Who pays in a house today, for which flats, and the amount of the newest month for each. */
async function payersOf(ctx: Ctx, buildingId: string): Promise<Payer[]> {
  const { rows } = await sql<Payer>`select p.customer_id as "customerId", c.name,
        string_agg(distinct concat_ws('/', nullif(f.entrance, ''), f.number), ', ') as flats,
      coalesce((select sum(d.agorot) from committee_dues d
      join committee_flats g on g.company_id = d.company_id and g.id = d.flat_id
        where d.company_id = p.company_id and g.building_id = ${buildingId} and d.payer_id = p.customer_id
          and d.kind = 'month' and d.month = (select max(x.month) from committee_dues x
          join committee_flats y on y.company_id = x.company_id and y.id = x.flat_id
          where x.company_id = p.company_id and y.building_id = ${buildingId} and x.payer_id = p.customer_id
            and x.kind = 'month')), 0)::bigint as agorot
    from committee_people p join committee_flats f on f.company_id = p.company_id and f.id = p.flat_id
    join parties c on c.company_id = p.company_id and c.id = p.customer_id
    where p.company_id = ${ctx.companyId} and f.building_id = ${buildingId} and f.archived_at is null
      and p.archived_at is null and p.pays
      and p.from_day <= ${ctx.today} and (p.to_day is null or p.to_day >= ${ctx.today})
      group by p.company_id, p.customer_id, c.name
      order by min(f.entrance), min(lpad(f.number, 10, '0'))`.execute(ctx.tx)
  return rows
}

/** The standing orders by which tenants pay this house, and who could have one. */
export async function ordersOf(
  ctx: Ctx,
  { id }: { id: string },
): Promise<z.output<typeof calls.tenantOrders.output>> {
  await houseOf(ctx, id)
  if (!can(ctx.caller, 'standingOrders.see')) throw forbidden({ rule: 'standingOrders.see' })
  const { rows } = await sql<{
    id: string
    customer: string
  }>`select o.order_id as id, p.name as customer from committee_orders o
    join parties p on p.company_id = o.company_id and p.id = o.customer_id
    where o.company_id = ${ctx.companyId} and o.building_id = ${id} order by p.name, o.created_at
    limit 500`.execute(ctx.tx)
  const told = await Promise.all(rows.map((one) => standingOrderOf(ctx, one.id)))
  return {
    rows: rows.map((one, n) => {
      const { title, state, nextDay, nextAgorot } = told[n]!
      return {
        ...one,
        title,
        state: state as z.output<typeof calls.tenantOrders.output>['rows'][number]['state'],
        nextDay,
        nextAgorot,
      }
    }),
    payers: await payersOf(ctx, id),
  }
}

/**
 * Sets up the automatic monthly payment of a tenant. By card the document comes with the money; otherwise a request
 * is sent, and the document comes when it is paid.
 */
export async function orderForTenant(
  ctx: Ctx,
  { id, customerId, agorot, means, cardId, startDay }: z.output<typeof calls.orderForTenant.input>,
): Promise<{ orderId: string }> {
  const house = await houseOf(ctx, id, true)
  if (!can(ctx.caller, 'standingOrders.change')) throw forbidden({ rule: 'standingOrders.change' })
  const payer = (await payersOf(ctx, id)).find((one) => one.customerId === customerId)
  if (!payer) throw failField('customerId', 'fields.ref')
  const { language } = await companyOf(ctx)
  const title = say(language, 'committee.receiptFor', { house: house.name, flats: payer.flats }).slice(0, 200)
  const orderId = await createStandingOrder(
    ctx,
    orderInput.parse({
      title,
      customerId,
      means,
      cardId: means === 'card' ? cardId : null,
      documentType:
        documentTypes[
          means === 'card' ? await neededByCard(ctx, { for: 'sale', pays: 'nothing' }) : 'paymentRequest'
        ].id,
      startDay,
      // Dues of a house bear no VAT; the words of an order know its month.
      lines: [
        {
          description: `${title} {month} {year}`,
          quantity: '1',
          unitPrice: `${Math.trunc(agorot / 100)}.${String(agorot % 100).padStart(2, '0')}`,
          vatKind: 4,
        },
      ],
    }),
  )
  await sql`insert into committee_orders (company_id, order_id, building_id, customer_id)
    values (${ctx.companyId}, ${orderId}, ${id}, ${customerId})`.execute(ctx.tx)
  await ctx.audit('committee.order', 'committeebuildings', id, undefined, { customerId, agorot, means })
  return { orderId }
}

const receiptOfTurn = sql`(case when ${isReceipt('r')} then r.id
      else (select a.document_id from asked_payments a join documents d on d.company_id = a.company_id
      and d.id = a.document_id
    where a.company_id = p.company_id and a.request_id = p.document_id and a.agorot > 0
      and ${isNotCancelled('d')} order by d.day desc, d.id desc limit 1) end)`

const paidTurns = sql`from committee_orders o join standing_periods p on p.company_id = o.company_id
      and p.order_id = o.order_id
    join documents r on r.company_id = p.company_id and r.id = p.document_id cross
    join lateral (select ${receiptOfTurn} as id) x
    where p.state = 'done' and p.total_agorot > 0 and x.id is not null
      and not exists (select 1 from committee_order_turns t
      where t.company_id = p.company_id and t.order_id = p.order_id and t.period_start = p.period_start
        and t.document_id = x.id)`

const turns = dueRows({
  name: 'committee.turns',
  due: () => sql`select o.company_id, o.order_id::text || ' ' || p.period_start as key,
    p.period_start::timestamptz as at ${paidTurns}`,
  serve: async (ctx, key) => {
    const [id, start] = key.split(' ') as [string, string]
    const { rows: mine } = await sql<{
      buildingId: string
      customerId: string
      agorot: number
      documentId: string
    }>`select o.building_id as "buildingId", o.customer_id as "customerId", p.total_agorot as agorot,
        x.id as "documentId" ${paidTurns}
      and o.company_id = ${ctx.companyId} and o.order_id = ${id}
      and p.period_start = ${start}`.execute(ctx.tx)
    const [of] = mine
    if (!of) return 0
    await sql`select 1 from committee_buildings where company_id = ${ctx.companyId}
        and id = ${of.buildingId} for update`.execute(ctx.tx)
    const { rows: first } =
      await sql`insert into committee_order_turns (company_id, order_id, period_start, document_id)
      values (${ctx.companyId}, ${id}, ${start}, ${of.documentId}) on conflict do nothing
      returning 1`.execute(ctx.tx)
    if (!first.length) return 0
    const { rows: money } = await sql<{
      day: string
      means: number | null
    }>`select d.day,
        (select y.means from document_payments y where y.company_id = d.company_id and y.document_id = d.id
        order by y.amount_agorot desc limit 1) as means
      from documents d where d.company_id = ${ctx.companyId} and d.id = ${of.documentId}`.execute(ctx.tx)
    await spread(ctx, { ...of, day: money[0]!.day, means: money[0]!.means ?? paymentMeans.transfer })
    await ctx.audit('committee.pay', 'committeebuildings', of.buildingId, undefined, {
      payments: 1,
      agorot: of.agorot,
    })
    return 1
  },
})

/** Turns of those orders that were paid become payments of their tenants with the receipt that paid them; once. */
export const takeTurns = (app: App, isOver?: () => boolean): Promise<number> =>
  serveDue(app, turns, { isOver })
