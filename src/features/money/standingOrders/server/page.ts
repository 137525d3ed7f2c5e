import { sql } from 'kysely'
import type { Day } from '#domain/day.ts'
import { addMonths } from '#domain/day.ts'
import { cancelDays } from '#domain/standingOrders/notices.ts'
import { endOf } from '#domain/standingOrders/schedule.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { asOwn } from '#kit/server/rights/authority.ts'
import type { Ctx, OpenCtx } from '#kit/server/context.ts'
import { isLive } from '#kit/server/data/documentFacts.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'
import { insideOf, openPage, rowOfKey } from '#kit/server/http/pageKeys.ts'
import { companyOf, faceOf, getLogo, registerBusinessPage } from '#features/base/companies/server/index.ts'
import {
  lastDay,
  openPage as openForm,
  planPage,
  settleCharge,
  terminalFor,
} from '#features/money/acquirers/server/index.ts'
import { leftOnAccount, owedNow, owedOf } from '#features/sales/documents/server/index.ts'
import type { OrderPage } from '../endpoints.ts'
import { askPending, cardOf, cardPurpose, turnPurpose } from './card.ts'
import { cancelOrder, pauseOrder, resumeOrder } from './actions.ts'
import { periodOf, setPeriod } from './period.ts'
import { toldState } from './list.ts'
import {
  isOver,
  livingOrder,
  orderOf,
  planOf,
  setOrder,
  tellStep,
  versionsOf,
  type StoredOrder,
} from './order.ts'
import { consentOf } from './purpose.ts'
import { languageOf, pageOf, personOf } from './tell.ts'
import { comingOf } from './turns.ts'

/** A customer may pause this far ahead. */
const longestPauseMonths = 6

const ofKey = (key: string) =>
  sql<{ company_id: string; id: string }>`select company_id, id from standing_orders where page_key = ${key}`

registerBusinessPage('/retainer', {
  owner: (key) => ofKey(key),
  words: 'standingOrders.pageFace',
  logo: (key) => `/api2/invoice/retainer/${key}/logo`,
})

const byKey = <T>(ctx: OpenCtx, key: string, work: (inside: Ctx, id: string) => Promise<T>): Promise<T> =>
  openPage(ctx, ofKey(key), (inside, row) => work(inside, row.id))

/**
 * Whether the customer may end it: as the business says, and a consumer whose order has no end always (Consumer
 * Protection Law, 13D).
 */
const mayEndIt = (order: StoredOrder): boolean =>
  order.may_cancel || (order.party_kind === 'consumer' && endOf(planOf(order)) === null)

/** What a customer sees of an order: only the public details of the business, and nothing of anybody else. */
async function pageAnswer(ctx: Ctx, id: string): Promise<OrderPage> {
  const order = await orderOf(ctx, id)
  const company = await companyOf(ctx)
  const person = await personOf(ctx, order)
  const { rows: states } = await sql<{
    state: OrderPage['state']
  }>`select ${toldState} as state from standing_orders t where t.company_id = ${ctx.companyId}
      and t.id = ${id}`.execute(ctx.tx)
  const state = states[0]!.state
  const alive = !isOver(order)
  const coming =
    alive && state !== 'paused'
      ? await comingOf(ctx, order, await versionsOf(ctx, id), order.next_from, 3).catch(() => [])
      : []
  const { rows: unpaid } = await sql<{
    start: Day
    day: Day
    totalAgorot: number
    documentId: string | null
    payKey: string | null
  }>`select p.period_start as start, p.due_day as day, p.total_agorot as "totalAgorot",
      p.document_id as "documentId",
      (select d.page_key from documents d where d.company_id = p.company_id and d.id = p.document_id) as
      "payKey"
    from standing_periods p where p.company_id = ${ctx.companyId} and p.order_id = ${id}
      and p.state in ('failed', 'givenUp') and p.reason <> 'forgiven'
    order by p.period_start limit 24`.execute(ctx.tx)
  let onAccount = await leftOnAccount(ctx, order.customer_id, order.currency)
  const failed: OrderPage['failed'] = []
  for (const { documentId, ...one } of unpaid) {
    const owed = documentId && (await owedOf(ctx, documentId))
    const covered = owed ? owed.isOpen && owed.inCurrency <= 0 : onAccount >= one.totalAgorot
    if (!covered) failed.push(one)
    else if (!owed) onAccount -= one.totalAgorot
  }
  const ofCustomer = sql`select coalesce(k.merged_into, k.id) from parties k
    where k.company_id = ${ctx.companyId} and k.id = ${order.customer_id}`
  const { rows: papers } = await sql<
    OrderPage['papers'][number]
  >`select d.page_key as key, d.type, d.number, d.day, d.total_agorot as "totalAgorot",
      coalesce(w.owed_in_currency, 0) > 0 as "isOpen"
    from standing_periods p join documents d on d.company_id = p.company_id and d.id = p.document_id
      left join ${owedNow(ctx, ofCustomer)} w on w.id = d.id
    where p.company_id = ${ctx.companyId} and p.order_id = ${id} and ${isLive('d')}
    order by d.day desc, d.number desc limit 36`.execute(ctx.tx)
  const card = await cardOf(ctx, order)
  const takesCards =
    (await terminalFor(ctx, undefined, order.currency, { deed: 'card', keepsCard: true })) !== undefined
  const mayEnd = alive && mayEndIt(order) && state !== 'ending'
  return {
    ...faceOf(company),
    language: languageOf(order, person),
    customer: person.name,
    title: order.title,
    state,
    pausedUntil: order.paused_until,
    endDay: order.ended_on ?? endOf(planOf(order)),
    everyN: order.every_n,
    unit: order.unit,
    means: order.means,
    currency: order.currency,
    nextDay: coming[0]?.day ?? null,
    nextAgorot: coming[0]?.totalAgorot ?? null,
    coming: coming.map(({ day, totalAgorot }) => ({ day, totalAgorot })),
    card:
      card && order.means === 'card'
        ? { brand: card.brand, last4: card.last4, expires: lastDay(card) }
        : null,
    failed,
    papers,
    mayPause:
      order.may_pause &&
      (state === 'active' || state === 'failing' || state === 'needsCard' || state === 'trial'),
    mayCancel: mayEnd,
    mayRenew: alive && order.means === 'card' && takesCards,
    cancelDays: mayEnd && order.party_kind === 'consumer' ? cancelDays : null,
  }
}

export const showPage = (ctx: OpenCtx, { key }: { key: string }) =>
  byKey(ctx, key, async (inside, id) => {
    const { page_seen_at: seen } = await orderOf(inside, id)
    if (!seen) {
      await setOrder(inside, id, { page_seen_at: inside.now })
      await tellStep(inside, id, 'pageSeen')
    }
    return pageAnswer(inside, id)
  })

export const pageLogo = (ctx: OpenCtx, { key }: { key: string }): Promise<FileAnswer> =>
  byKey(ctx, key, getLogo)

export const pauseByKey = (ctx: OpenCtx, { key, until }: { key: string; until: Day }) =>
  byKey(ctx, key, async (inside, id) => {
    const order = await livingOrder(inside, id)
    if (!order.may_pause || (order.state !== 'active' && order.state !== 'failing'))
      throw fail('standingOrders.notAllowed')
    if (until > addMonths(inside.today, longestPauseMonths)) throw failField('until', 'fields.range')
    await pauseOrder(inside, order, until, { reason: 'customer' })
    return pageAnswer(inside, id)
  })

export const resumeByKey = (ctx: OpenCtx, { key }: { key: string }) =>
  byKey(ctx, key, async (inside, id) => {
    const order = await livingOrder(inside, id)
    if (!order.may_pause) throw fail('standingOrders.notAllowed')
    await resumeOrder(inside, id)
    return pageAnswer(inside, id)
  })

/** A customer who ends an order ends it now: nothing more is charged, and the customer gets it in writing. */
export const cancelByKey = (ctx: OpenCtx, { key, reason }: { key: string; reason: string }) =>
  byKey(ctx, key, async (inside, id) => {
    const order = await livingOrder(inside, id)
    if (!mayEndIt(order)) throw fail('standingOrders.notAllowed')
    await cancelOrder(inside, order, { when: 'periodEnd', reason, by: 'customer', notify: true })
    return pageAnswer(inside, id)
  })

/** The acquirer's form for a card of this order alone. */
export async function renewByKey(ctx: OpenCtx, { key }: { key: string }): Promise<{ url: string }> {
  const row = await rowOfKey(ctx, ofKey(key))
  const chargeId = await insideOf(ctx, row.company_id, async (inside) => {
    const order = await livingOrder(inside, row.id)
    if (order.means !== 'card') throw fail('standingOrders.notAllowed')
    return formFor(inside, order, { purpose: cardPurpose, deed: 'card', subjectId: order.id, agorot: 0 })
  })
  return openForm(ctx.app, row.company_id, chargeId)
}

/** The acquirer's form for a charge that failed; the card it is paid by stays with the order. */
export async function payByKey(
  ctx: OpenCtx,
  { key, start }: { key: string; start: Day },
): Promise<{ url: string }> {
  const row = await rowOfKey(ctx, ofKey(key))
  const chargeId = await insideOf(ctx, row.company_id, async (inside) => {
    const order = await orderOf(inside, row.id, true)
    const period = await periodOf(inside, order.id, start)
    if (
      (period.state !== 'failed' && period.state !== 'givenUp') ||
      period.document_id ||
      order.means !== 'card'
    )
      throw fail('standingOrders.notAllowed')
    const id = await formFor(inside, order, {
      purpose: turnPurpose,
      deed: 'charge',
      subjectId: period.id,
      agorot: period.total_agorot,
    })
    await setPeriod(inside, period, { charge_id: id })
    return id
  })
  return openForm(ctx.app, row.company_id, chargeId)
}

async function formFor(
  ctx: Ctx,
  order: StoredOrder,
  of: { purpose: string; deed: 'card' | 'charge'; subjectId: string; agorot: number },
): Promise<string> {
  const person = await personOf(ctx, order)
  const language = languageOf(order, person)
  const card = await cardOf(ctx, order)
  const { name } = await companyOf(ctx)
  return planPage(asOwn(ctx, 'payerPays'), {
    ...of,
    linkId: null,
    documentId: null,
    customerId: order.customer_id,
    currency: order.currency,
    consent: isOver(order) ? undefined : consentOf(language, name, order.title),
    renewsCardId: card?.id ?? null,
    description: order.title,
    mostInstalments: 1,
    payer: {},
    language,
    page: pageOf(ctx, order),
  })
}

/**
 * Back from the form: the acquirer is asked what became of it, and what failed before is asked of the new
 * card.
 */
export async function checkByKey(
  ctx: OpenCtx,
  { key, charge, told }: { key: string; charge: string; told?: string | undefined },
): Promise<OrderPage> {
  const row = await rowOfKey(ctx, ofKey(key))
  const isOurs = await insideOf(ctx, row.company_id, async (inside) => {
    const { rows } =
      await sql`select 1 from charges c where c.company_id = ${inside.companyId} and c.id = ${charge}
          and (c.subject_id = ${row.id}
      or c.subject_id in (select p.id from standing_periods p where p.company_id = c.company_id
      and p.order_id = ${row.id}))`.execute(inside.tx)
    return rows.length > 0
  })
  if (!isOurs) throw fail('kit.notFound')
  await settleCharge(ctx.app, row.company_id, charge, 'return', told)
  await askPending(ctx.app, row.company_id, row.id)
  return insideOf(ctx, row.company_id, (inside) => pageAnswer(inside, row.id))
}
