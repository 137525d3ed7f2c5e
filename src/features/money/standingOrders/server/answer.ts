import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { onlyAllowed } from '#features/sales/documents/server/index.ts'
import { lastDay } from '#features/money/acquirers/server/index.ts'
import type { OrderAnswer } from '../endpoints.ts'
import { cardOf, isUsable } from './card.ts'
import { missedTurns } from './make.ts'
import { noticesOfOrder } from './notices.ts'
import { orderOf, versionOn, versionsOf } from './order.ts'
import { campaignOf } from './settings.ts'
import { comingOf } from './turns.ts'
import { brought, monthsLeft, toldState } from './list.ts'
import { pageOf } from './tell.ts'

interface Extra {
  state: OrderAnswer['state']
  customer: string
  mandate: string | null
  broughtAgorot: number
  monthsLeft: number | null
  turns: number
  openAgorot: number
}

/** In a file that waits for its day, or for its money. */
const inFile = sql`exists (select 1 from masav_lines l where l.company_id = p.company_id
    and l.document_id = p.document_id and l.receipt_id is null
  and l.returned_on is null and l.undone_at is null)`

export async function periodsOf(ctx: Ctx, orderId: string, most = 120): Promise<OrderAnswer['periods']> {
  const { rows } = await sql<
    OrderAnswer['periods'][number]
  >`select p.period_start as start, p.period_end as end, p.no, p.due_day as "dueDay",
      case when p.state = 'billed' and ${inFile} then 'inFile' else p.state end as state, p.reason,
      p.total_agorot as "totalAgorot", p.part_days as "partDays",
      p.part_of as "partOf", p.reduced, p.failure_class as "failureClass", p.failure_code as "failureCode",
      p.tries, p.step_at as "stepAt",
      (select jsonb_build_object('id', d.id, 'type', d.type, 'number', d.number, 'openAgorot',
      greatest(d.open_in_currency_agorot, d.asked_agorot))
        from documents d where d.company_id = p.company_id
          and d.id = p.document_id${onlyAllowed(ctx, 'd.type')}) as document
    from standing_periods p where p.company_id = ${ctx.companyId} and p.order_id = ${orderId}
    order by p.period_start desc limit ${most}`.execute(ctx.tx)
  return rows
}

/** An order with everything that is known of it. */
export async function answerOf(ctx: Ctx, id: string): Promise<OrderAnswer> {
  const order = await orderOf(ctx, id)
  const { rows } = await sql<Extra>`select ${toldState} as state,
        (select p.name from parties p where p.company_id = t.company_id and p.id = t.customer_id) as customer,
      (select m.reference from debit_mandates m where m.company_id = t.company_id
      and m.party_id = t.customer_id and m.ended_at is null) as mandate,
      ${brought} as "broughtAgorot", ${monthsLeft} as "monthsLeft",
      (select count(*)::int from standing_periods p where p.company_id = t.company_id and p.order_id = t.id
      and p.state = 'done') as turns,
      (select coalesce(sum(p.total_agorot), 0)::bigint from standing_periods p
      where p.company_id = t.company_id and p.order_id = t.id
        and p.state in ('billed', 'failed', 'asked')) as "openAgorot"
    from standing_orders t where t.company_id = ${ctx.companyId} and t.id = ${id}`.execute(ctx.tx)
  const [extra] = rows
  if (!extra) throw fail('kit.notFound')
  const { rows: steps } = await sql<
    OrderAnswer['steps'][number]
  >`select s.id, s.at, s.kind, s.period_start as "periodStart", s.details,
      (select u.full_name from users u where u.id = s.by_user) as by
    from standing_steps s where s.company_id = ${ctx.companyId} and s.order_id = ${id}
    order by s.at desc, s.id desc limit 300`.execute(ctx.tx)
  const versions = await versionsOf(ctx, id)
  const campaign = await campaignOf(ctx, order.campaign_id)
  const card = await cardOf(ctx, order)
  const alive = extra.state !== 'ended' && extra.state !== 'cancelled'
  return {
    ...extra,
    id,
    number: order.number,
    title: order.title,
    customerId: order.customer_id,
    means: order.means,
    card: card
      ? {
          id: card.id,
          brand: card.brand,
          last4: card.last4,
          expires: lastDay(card),
          isGone: !isUsable(ctx, card),
        }
      : null,
    cardId: card?.id ?? null,
    documentType: order.document_type,
    language: order.language,
    currency: order.currency,
    agentId: order.agent_id,
    projectId: order.project_id,
    send: order.send,
    sendTo: order.send_to,
    notes: order.notes,
    notesInternal: order.notes_internal,
    startDay: order.start_day,
    everyN: order.every_n,
    unit: order.unit,
    billingDay: order.billing_day,
    shift: order.shift,
    chargeToday: order.charge_today,
    prorate: order.prorate,
    arrears: order.arrears,
    trialDays: order.trial_days,
    untilDay: order.until_day,
    times: order.times,
    firstPriceAgorot: order.first_price_agorot,
    discountBp: order.discount_bp,
    discountTurns: order.discount_turns,
    linked: order.linked,
    linkFalls: order.link_falls,
    partyKind: order.party_kind,
    mayPause: order.may_pause,
    mayCancel: order.may_cancel,
    yearlyReceipt: order.yearly_receipt,
    campaignId: order.campaign_id,
    campaign: campaign.name,
    campaignSteps: [...campaign.steps],
    heldWhy: order.held_why,
    pausedUntil: order.paused_until,
    failingSince: order.failing_since,
    endReason: order.end_reason,
    endBy: order.end_by,
    endedOn: order.ended_on,
    nextDay: alive ? order.next_day : null,
    nextFrom: order.next_from,
    sumAgorot: order.next_total_agorot,
    missed: alive && order.state === 'held' ? missedTurns(order, ctx.today).length : 0,
    lines: versionOn(versions, order.next_from ?? ctx.today).lines,
    versions,
    // Where the index is not known nothing can be told of what comes; the order says so by being held.
    coming: alive ? await comingOf(ctx, order, versions, order.next_from, 12).catch(() => []) : [],
    periods: await periodsOf(ctx, id),
    steps,
    notices: await noticesOfOrder(ctx, id),
    // The page is nothing but figures.
    pageUrl: ctx.caller.hideTotalPrices ? '' : pageOf(ctx, order),
    pageSeenAt: order.page_seen_at,
  }
}
