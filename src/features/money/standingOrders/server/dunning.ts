import { sql } from 'kysely'
import { addDays, daysBetween, type Day } from '#domain/day.ts'
import { formatDay, withCurrency } from '#domain/format.ts'
import { isEnd, kindOf, type CampaignStep } from '#domain/standingOrders/campaign.ts'
import { fail } from '#kit/describe/errors.ts'
import { underOrder } from '#kit/server/rights/authority.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { chargesVat } from '#domain/documents/kinds.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import {
  cancelDocument,
  issuePrepared,
  leftOnAccount,
  owedOf,
  prepareDocument,
} from '#features/sales/documents/server/index.ts'
import { isOverRate, planCard, rateWaitMs } from './card.ts'
import { isOver, orderKind, orderOf, setOrder, tellStep, type StoredOrder } from './order.ts'
import { paperOf, sendPaper } from './paper.ts'
import { periodOf, setPeriod, type StoredPeriod } from './period.ts'
import { campaignOf, morningOf, settingsOf } from './settings.ts'
import { languageOf, personOf, tellCustomer } from './tell.ts'

/**
 * A charge failed: the customer is notified at once, after the first failure and not after the last, and a campaign
 * with an end follows. Under the locks of the order and of the charge; a charge that is paid meanwhile has not
 * failed.
 */
export async function failTurn(
  ctx: Ctx,
  order: StoredOrder,
  start: Day,
  failure: { class: string; code: string },
): Promise<void> {
  const period = await periodOf(ctx, order.id, start)
  if (period.state !== 'asked' && period.state !== 'billed') return
  const failedOn = period.failed_on ?? ctx.today
  // Of another kind than before: what its own steps would have done on days that are past is past.
  const isOther = period.failed_on !== null && kindOf(period.failure_class) !== kindOf(failure.class)
  const steps = isOther ? inOrder((await campaignOf(ctx, order.campaign_id)).steps) : []
  const upcoming = steps.findIndex(({ days }) => days > daysBetween(failedOn, ctx.today))
  await setPeriod(ctx, period, {
    state: 'failed',
    failed_on: failedOn,
    failure_class: failure.class.slice(0, 20),
    failure_code: failure.code.slice(0, 60),
    tries: period.tries + 1,
    ...(isOther ? { step_no: upcoming < 0 ? steps.length : upcoming } : {}),
    step_at: ctx.now,
  })
  if (order.state === 'active')
    await setOrder(ctx, order.id, { state: 'failing', failing_since: order.failing_since ?? failedOn })
  await tellStep(
    ctx,
    order.id,
    'failed',
    { class: failure.class, code: failure.code, sumAgorot: period.total_agorot, try: period.tries + 1 },
    start,
  )
  await ctx.audit('standingOrders.fail', 'standingOrders', order.id, undefined, {
    code: failure.code,
    class: failure.class,
    from: start,
    try: period.tries + 1,
  })
  await runCampaign(ctx, order.id, start)
}

/** Whether money on account covers a charge: what is open of its document, or where it has none, all of its amount. */
export async function isCovered(
  ctx: Ctx,
  order: Pick<StoredOrder, 'customer_id' | 'currency'>,
  period: Pick<StoredPeriod, 'document_id' | 'total_agorot'>,
): Promise<boolean> {
  if (!period.document_id)
    return (await leftOnAccount(ctx, order.customer_id, order.currency)) >= period.total_agorot
  const { isOpen, inCurrency } = await owedOf(ctx, period.document_id)
  return isOpen && inCurrency <= 0
}

/** The steps of a campaign in their order; the place of one is what `step_no` counts. */
const inOrder = (steps: readonly CampaignStep[]): CampaignStep[] =>
  steps
    .map((one, i) => ({ one, i }))
    .toSorted((a, b) => a.one.days - b.one.days || a.i - b.i)
    .map(({ one }) => one)

/**
 * Does whatever a failed charge's campaign has come to, and sets when it goes on. Runs as often as it likes:
 * a step that was done is behind it.
 */
export async function runCampaign(ctx: Ctx, orderId: string, start: Day): Promise<void> {
  const order = await orderOf(ctx, orderId, true)
  let period = await periodOf(ctx, orderId, start)
  if (period.state !== 'failed') return
  const steps = inOrder((await campaignOf(ctx, order.campaign_id)).steps)
  const settings = await settingsOf(ctx)
  // The customer paid on account: nobody asks for that money again, and a person decides what it pays.
  if (await isCovered(ctx, order, period))
    return setPeriod(ctx, period, { step_at: morningOf(addDays(ctx.today, 1), settings) })
  const days = daysBetween(period.failed_on!, ctx.today)
  for (let at = period.step_no; at < steps.length; at++) {
    const one = steps[at]!
    if (one.on !== 'any' && one.on !== kindOf(period.failure_class)) continue
    if (one.days > days)
      return setPeriod(ctx, period, {
        step_no: at,
        step_at: morningOf(addDays(period.failed_on!, one.days), settings),
      })
    if (
      one.deed === 'retry' &&
      order.means === 'card' &&
      (await isOverRate(ctx, order, settings.ratePerMinute))
    )
      return setPeriod(ctx, period, { step_no: at, step_at: new Date(ctx.now.getTime() + rateWaitMs) })
    await setPeriod(ctx, period, { step_no: at + 1 })
    const current = period
    const made = await underOrder(ctx, orderKind, orderId, (bound) => doStep(bound, order, current, one))
    // The charge stays failed; its campaign goes on with the next step once somebody approved.
    if ('waits' in made) return setPeriod(ctx, period, { step_no: at, step_at: null })
    period = await periodOf(ctx, orderId, start)
    // Asked again, paid or given up: whatever comes of it sets what follows.
    if (period.state !== 'failed') return
  }
  await giveUp(ctx, order, period, 'campaignOver')
}

async function doStep(
  ctx: Ctx,
  order: StoredOrder,
  period: StoredPeriod,
  { deed }: CampaignStep,
): Promise<void> {
  if (isEnd(deed)) return endCampaign(ctx, order, period, deed)
  if (deed === 'retry') return retry(ctx, order, period)
  if (deed === 'task') return tellBusiness(ctx, order, period)
  const hard = kindOf(period.failure_class) === 'hard'
  const sent = await tellCustomer(
    ctx,
    order,
    hard ? 'failedHard' : 'failed',
    await valuesOf(ctx, order, period),
    deed === 'sms' ? 'sms' : 'mail',
  )
  await tellStep(
    ctx,
    order.id,
    sent ? 'told' : 'noAddress',
    sent ? { to: sent.to, channel: sent.channel } : {},
    period.period_start,
  )
}

async function valuesOf(ctx: Ctx, order: StoredOrder, period: StoredPeriod): Promise<Record<string, string>> {
  const language = languageOf(order, await personOf(ctx, order))
  return {
    sum: withCurrency(period.total_agorot, order.currency, language),
    day: formatDay(period.due_day),
    from: formatDay(period.period_start),
    to: formatDay(period.period_end),
  }
}

/**
 * Retries: the card is charged under a new key, a bank debit goes into the next file. Where it cannot be charged,
 * the campaign goes on.
 */
async function retry(ctx: Ctx, order: StoredOrder, period: StoredPeriod): Promise<void> {
  if (order.means === 'card') {
    const refused = await planCard(ctx, order, period)
    if (refused) return tellStep(ctx, order.id, 'noCard', { code: refused.code }, period.period_start)
    await setPeriod(ctx, period, { state: 'asked', step_at: null })
    return tellStep(ctx, order.id, 'retried', {}, period.period_start)
  }
  await setPeriod(ctx, period, { state: 'billed', step_at: null })
  await tellStep(ctx, order.id, 'nextFile', {}, period.period_start)
}

/** A person tries again, whatever the campaign says. */
export async function retryNow(ctx: Ctx, id: string, start: Day): Promise<void> {
  const order = await orderOf(ctx, id, true)
  const period = await periodOf(ctx, id, start)
  if (period.state !== 'failed' && period.state !== 'givenUp') throw fail('standingOrders.notFailed')
  await retry(ctx, order, period)
  if ((await periodOf(ctx, id, start)).state === period.state) throw fail('standingOrders.noCard')
  await ctx.audit('standingOrders.retry', 'standingOrders', id, undefined, { from: start })
}

async function tellBusiness(ctx: Ctx, order: StoredOrder, period: StoredPeriod): Promise<void> {
  const company = await companyOf(ctx)
  await tellStep(ctx, order.id, 'task', {}, period.period_start)
  if (!company.email) return
  const person = await personOf(ctx, order)
  const said = {
    ...(await valuesOf(ctx, order, period)),
    customer: person.name,
    title: order.title,
    link: `${siteOf(ctx.app)}/invoice/retainers/${order.id}`,
  }
  const id = newId()
  await sql`insert into messages (company_id, id, kind, channel, recipient, subject, body)
    values (${ctx.companyId}, ${id}, 'standingOrder', 'mail', ${company.email},
      ${say(company.language, 'standingOrders.mail.task.subject', said)},
      ${say(company.language, 'standingOrders.mail.task.text', said)})`.execute(ctx.tx)
  await ctx.later('letters.mail', { messageId: id })
}

async function endCampaign(
  ctx: Ctx,
  order: StoredOrder,
  period: StoredPeriod,
  deed: CampaignStep['deed'],
): Promise<void> {
  if (deed === 'leaveOpen') return leaveDebt(ctx, order, period)
  await giveUp(ctx, order, period, deed === 'pause' ? 'paused' : 'cancelled')
  if (isOver(order)) return
  const word = deed === 'pause' ? 'pausedByCampaign' : 'cancelledByCampaign'
  if (deed === 'pause') {
    await setOrder(ctx, order.id, { state: 'paused', held_why: '', paused_until: null, next_at: null })
    await tellStep(ctx, order.id, 'paused', { reason: 'campaign' })
    await ctx.audit('standingOrders.pause', 'standingOrders', order.id, undefined, { by: 'campaign' })
  } else {
    const reason = say(ctx.caller.language, 'standingOrders.reason.campaign')
    await setOrder(ctx, order.id, {
      state: 'cancelled',
      held_why: '',
      ended_on: ctx.today,
      end_by: 'campaign',
      end_reason: reason,
      next_at: null,
      next_day: null,
      next_from: null,
      next_no: null,
    })
    await tellStep(ctx, order.id, 'cancelled', { reason: 'campaign' })
    await ctx.audit('standingOrders.cancel', 'standingOrders', order.id, undefined, { by: 'campaign' })
  }
  await tellCustomer(ctx, order, word, await valuesOf(ctx, order, period))
}

/** Nothing more is tried. An order whose other charges are well is well. */
export async function giveUp(
  ctx: Ctx,
  order: StoredOrder,
  period: StoredPeriod,
  reason: string,
): Promise<void> {
  await setPeriod(ctx, period, { state: 'givenUp', reason, step_at: null })
  await tellStep(ctx, order.id, 'givenUp', { reason }, period.period_start)
  await wellAgain(ctx, order.id)
}

export async function hasFailed(ctx: Ctx, orderId: string): Promise<boolean> {
  const { rows } =
    await sql`select 1 from standing_periods where company_id = ${ctx.companyId} and order_id = ${orderId}
        and state = 'failed' limit 1`.execute(ctx.tx)
  return rows.length > 0
}

/** An order that failed and has nothing left that failed. */
export async function wellAgain(ctx: Ctx, orderId: string): Promise<void> {
  const order = await orderOf(ctx, orderId, true)
  if (order.state !== 'failing' || (await hasFailed(ctx, orderId))) return
  await setOrder(ctx, orderId, { state: 'active', failing_since: null })
}

/**
 * The charge becomes an open debt: its document is issued where there was none, and reminders continue from here.
 */
async function leaveDebt(ctx: Ctx, order: StoredOrder, period: StoredPeriod): Promise<void> {
  if (!period.document_id) {
    const company = await companyOf(ctx)
    const type = chargesVat(company.kind) ? 8 : 5
    const issued = await issuePrepared(
      ctx,
      await prepareDocument(ctx, paperOf(order, period.content!, type, ctx.today)),
    )
    await setPeriod(ctx, period, { document_id: issued.id })
    await tellStep(
      ctx,
      order.id,
      'billed',
      { documentId: issued.id, type, number: issued.number, sumAgorot: period.total_agorot },
      period.period_start,
    )
    await sendPaper(ctx, order, issued.id, period.period_start)
  }
  await giveUp(ctx, order, period, 'debt')
}

/**
 * A person ends the retries: the charge is waived, with the credit of its document where there is one, or remains as
 * a debt.
 */
export async function giveUpNow(ctx: Ctx, id: string, start: Day, how: 'forgive' | 'debt'): Promise<void> {
  const order = await orderOf(ctx, id, true)
  const period = await periodOf(ctx, id, start)
  if (period.state !== 'failed') throw fail('standingOrders.notFailed')
  if (how === 'debt') await leaveDebt(ctx, order, period)
  else {
    if (period.document_id)
      await cancelDocument(ctx, {
        id: period.document_id,
        reason: say(ctx.caller.language, 'standingOrders.reason.forgiven'),
      })
    await setPeriod(ctx, period, { state: 'skipped', reason: 'forgiven', step_at: null })
    await tellStep(ctx, id, 'forgiven', {}, start)
    await wellAgain(ctx, id)
  }
  await ctx.audit('standingOrders.giveUp', 'standingOrders', id, undefined, { from: start, how })
}

/** A charge that went out by the bank came back. */
export async function debitReturned(ctx: Ctx, documentId: string, reason: string): Promise<void> {
  const { rows } = await sql<{
    id: string
    start: Day
  }>`select order_id as id, period_start as start from standing_periods
    where company_id = ${ctx.companyId} and document_id = ${documentId}`.execute(ctx.tx)
  if (!rows[0]) return
  const order = await orderOf(ctx, rows[0].id, true)
  if (order.means === 'masav')
    await failTurn(ctx, order, rows[0].start, { class: classOfReturn(reason), code: 'returned' })
}

/**
 * A bank says in words why a debit came back: where the mandate or the account is gone nothing more is tried
 * by it.
 */
const classOfReturn = (reason: string): string =>
  /הרשאה|בוטל|סגור|מוגבל|mandate|closed|cancel/i.test(reason) ? 'hard' : 'soft'
