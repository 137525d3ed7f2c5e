import { sql } from 'kysely'
import { typeFacts } from '#domain/documents/facts.ts'
import { documentTypes } from '#domain/documents/kinds.ts'
import { fail } from '#kit/describe/errors.ts'
import { underOrder } from '#kit/server/rights/authority.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isNotCancelled } from '#kit/server/data/documentFacts.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { hearerOf } from '#features/base/team/server/index.ts'
import { ring, registerBell } from '#features/people/bell/server/index.ts'
import { registerCardUser, registerPurpose, type Charge } from '#features/money/acquirers/server/index.ts'
import { issuePrepared, prepareDocument } from '#features/sales/documents/server/index.ts'
import { cardPurpose, orderOfPeriod, planCard, turnPurpose, waitsForCard } from './card.ts'
import { failTurn, wellAgain } from './dunning.ts'
import { isOver, orderKind, orderOf, setOrder, tellStep, type StoredOrder } from './order.ts'
import { paperOf, sendPaper } from './paper.ts'
import { periodOf, setPeriod, type StoredPeriod } from './period.ts'
import { planYearly } from './yearly.ts'
import { typeByCard } from '../standingOrders.ts'

async function turnOf(ctx: Ctx, charge: Charge): Promise<{ order: StoredOrder; period: StoredPeriod }> {
  const order = await orderOfPeriod(ctx, charge.subject_id!, true)
  const { rows } = await sql<{
    start: string
  }>`select period_start as start from standing_periods where company_id = ${ctx.companyId}
      and id = ${charge.subject_id}`.execute(ctx.tx)
  return { order, period: await periodOf(ctx, order.id, rows[0]!.start) }
}

/** Another card stands for an order from now on, and what failed is asked of it at once. */
export async function takeCard(
  ctx: Ctx,
  order: StoredOrder,
  cardId: string,
  card: { brand: string; last4: string },
): Promise<void> {
  // What came due while the order waited for its first card is charged at once.
  const goesOn =
    waitsForCard(order) && order.next_at === null && (order.state === 'active' || order.state === 'failing')
  await setOrder(ctx, order.id, {
    card_id: cardId,
    means: 'card',
    ...(goesOn ? { next_at: ctx.now } : {}),
  })
  if (goesOn) await ctx.later('standingOrders.begin', { id: order.id })
  await tellStep(ctx, order.id, 'cardChanged', { brand: card.brand, last4: card.last4 })
  await ctx.audit('standingOrders.card', 'standingOrders', order.id, undefined, { last4: card.last4 })
  const { rows } = await sql<{ start: string }>`select period_start as start from standing_periods
    where company_id = ${ctx.companyId} and order_id = ${order.id} and state = 'failed'
    order by period_start`.execute(ctx.tx)
  const now = await orderOf(ctx, order.id)
  for (const { start } of rows) {
    const period = await periodOf(ctx, order.id, start)
    const asked = await underOrder(ctx, orderKind, order.id, (bound) => planCard(bound, now, period))
    if ('waits' in asked || asked.done) continue
    await setPeriod(ctx, period, { state: 'asked', step_at: null })
    await tellStep(ctx, order.id, 'retried', {}, start)
  }
  if (rows.length) await ctx.later('standingOrders.ask', { id: order.id })
}

/** Issues the invoice of a charge that was paid before it had one. */
async function bill(ctx: Ctx, order: StoredOrder, period: StoredPeriod, agorot: number): Promise<string> {
  const prepared = await prepareDocument(ctx, paperOf(order, period.content!, 8, ctx.today) as never, {
    exactly: agorot,
  })
  const { id, number } = await issuePrepared(ctx, prepared)
  await setPeriod(ctx, period, { document_id: id, net_agorot: prepared.ils.net || prepared.ils.total })
  await tellStep(
    ctx,
    order.id,
    'billed',
    { documentId: id, type: 8, number, sumAgorot: prepared.totals.total },
    period.period_start,
  )
  if (!order.yearly_receipt) await sendPaper(ctx, order, id, period.period_start)
  return id
}

registerPurpose(turnPurpose, {
  recurs: true,
  lock: async (ctx, charge) => void (await turnOf(ctx, charge)),
  isDue: async (ctx, charge) => {
    const { period } = await turnOf(ctx, charge)
    if (period.state === 'done' || period.state === 'skipped') return false
    if (!period.document_id) return true
    const { rows } = await sql<{
      open: number
    }>`select greatest(open_agorot, asked_agorot) as open from documents
      where company_id = ${ctx.companyId} and id = ${period.document_id} and ${isNotCancelled()}`.execute(
      ctx.tx,
    )
    return (rows[0]?.open ?? 0) >= charge.amount_agorot
  },
  issue: async (ctx, charge) => {
    const { order, period } = await turnOf(ctx, charge)
    const payments = [
      {
        means: 4,
        amountAgorot: charge.amount_agorot,
        cardBrand: charge.card_brand,
        cardLast4: charge.card_last4,
        number: charge.approval.slice(0, 30),
        reference: charge.uid.slice(0, 100),
      },
    ]
    const shared = { language: charge.language, payments }
    const type = typeByCard(order.document_type, (await companyOf(ctx)).kind)
    // An invoice takes no money: it precedes the receipt that closes it.
    const billId =
      period.document_id ??
      (type === documentTypes.taxInvoice.id ? await bill(ctx, order, period, charge.amount_agorot) : null)
    const content = billId
      ? {
          type: 6,
          customerId: order.customer_id,
          subject: order.title,
          lines: [],
          closes: [{ documentId: billId, amountAgorot: charge.amount_agorot }],
          ...shared,
        }
      : typeFacts(type).isDonation
        ? { type: 11, customerId: order.customer_id, subject: order.title, lines: [], ...shared }
        : { ...paperOf(order, period.content!, type, ctx.today), ...shared }
    const prepared = await prepareDocument(ctx, content as never, { exactly: charge.amount_agorot })
    const issued = await issuePrepared(ctx, prepared)
    if (!billId)
      await setPeriod(ctx, period, {
        document_id: issued.id,
        net_agorot: prepared.ils.net || prepared.ils.total,
      })
    await tellStep(
      ctx,
      order.id,
      'charged',
      {
        documentId: issued.id,
        type: content.type,
        number: issued.number,
        sumAgorot: charge.amount_agorot,
        last4: charge.card_last4,
      },
      period.period_start,
    )
    if (order.yearly_receipt) await planYearly(ctx, order, ctx.today.slice(0, 4))
    else await sendPaper(ctx, order, issued.id, period.period_start)
    return { ...issued, customerId: order.customer_id }
  },
  paid: async (ctx, charge) => {
    const { order, period } = await turnOf(ctx, charge)
    await setPeriod(ctx, period, {
      state: 'done',
      done_at: ctx.now,
      step_at: null,
      reason: '',
      charge_id: charge.id,
    })
    await ctx.audit('standingOrders.charge', 'standingOrders', order.id, undefined, {
      from: period.period_start,
      last4: charge.card_last4,
    })
    await wellAgain(ctx, order.id)
  },
  failed: async (ctx, charge) => {
    const { order, period } = await turnOf(ctx, charge)
    await failTurn(ctx, order, period.period_start, {
      class: charge.decline_class,
      code: charge.decline_code,
    })
  },
  inDoubt: async (ctx, charge) => {
    const { order, period } = await turnOf(ctx, charge)
    await tellStep(ctx, order.id, 'inDoubt', { state: charge.state }, period.period_start)
  },
  kept: async (ctx, charge, card) => {
    const { order } = await turnOf(ctx, charge)
    if (!isOver(order)) await setOrder(ctx, order.id, { card_id: card.id, means: 'card' })
    await tellStep(ctx, order.id, 'cardChanged', { brand: card.brand, last4: card.last4 })
  },
})

// A card alone, kept for an order by its customer's own hand.
registerPurpose(cardPurpose, {
  lock: async (ctx, charge) => void (await orderOf(ctx, charge.subject_id!, true)),
  isDue: async () => true,
  issue: async () => {
    throw fail('kit.notFound')
  },
  paid: async () => {},
  kept: async (ctx, charge, card) => {
    const order = await orderOf(ctx, charge.subject_id!, true)
    if (!isOver(order)) await takeCard(ctx, order, card.id, card)
  },
})

interface ChargedBy {
  id: string
  title: string
  customer: string
  createdBy: string | null
}

async function chargedBy(ctx: Ctx, cardId: string): Promise<ChargedBy[]> {
  const { rows } = await sql<ChargedBy>`select t.id, t.title, t.created_by as "createdBy",
      (select p.name from parties p where p.company_id = t.company_id and p.id = t.customer_id) as customer
    from standing_orders t where t.company_id = ${ctx.companyId} and t.card_id = ${cardId}
      and t.means = 'card' and t.state not in ('ended', 'cancelled')
    order by t.number`.execute(ctx.tx)
  return rows
}

registerBell('standingOrders.needsCard', 'standingOrders.see')

/**
 * Its card can be charged no longer: the order shows it, and its author, and subscribers, are notified before the
 * next charge fails.
 */
async function withoutCard(
  ctx: Ctx,
  { id, title, customer, createdBy }: ChargedBy,
  step: 'cardRemoved' | 'cardLost',
): Promise<void> {
  await tellStep(ctx, id, step, {})
  await ctx.audit('standingOrders.needsCard', 'standingOrders', id, undefined, { why: step })
  const hearer = await hearerOf(ctx, createdBy)
  await ring(ctx, 'standingOrders.needsCard', { entity: 'standingOrders', id }, { title, customer }, [
    hearer?.id,
  ])
}

registerCardUser({
  uses: async (ctx, cardIds) => {
    const { rows } = await sql<{
      cardId: string
      name: string
      href: string
    }>`select card_id as "cardId", title as name, '/invoice/retainers/' || id as href
      from standing_orders where company_id = ${ctx.companyId} and card_id = any(${[...cardIds]}::uuid[])
        and state not in ('ended', 'cancelled')
      order by number`.execute(ctx.tx)
    return rows
  },
  removed: async (ctx, cardId) => {
    for (const one of await chargedBy(ctx, cardId)) await withoutCard(ctx, one, 'cardRemoved')
  },
  lost: async (ctx, cardId) => {
    for (const one of await chargedBy(ctx, cardId)) await withoutCard(ctx, one, 'cardLost')
  },
  replaced: async (ctx, oldId, newId) => {
    const { rows } = await sql<{
      id: string
    }>`update standing_orders set card_id = ${newId}, updated_at = now()
      where company_id = ${ctx.companyId} and card_id = ${oldId} returning id`.execute(ctx.tx)
    for (const { id } of rows) await tellStep(ctx, id, 'cardReplaced', {}, null)
  },
})

/** The text a payer agrees to when a card is saved for an order. */
export const consentOf = (
  language: StoredOrder['language'] & string,
  business: string,
  title: string,
): string => say(language, 'standingOrders.page.consent', { business, title })
