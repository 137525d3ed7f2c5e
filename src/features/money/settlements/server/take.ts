import { sql } from 'kysely'
import { addDays, daysBetween, type Day } from '#domain/day.ts'
import { reconcileDay, type Compared, type OwnDeal, type ToldDeal } from '#domain/settlement/reconcile.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { asCaller, newId, systemCaller, type App, type Ctx } from '#kit/server/context.ts'
import { readIn } from '#kit/server/work/threads/read.ts'
import type { OutsideCtx } from '#kit/server/contract/implement.ts'
import { AcquirerAway, KeysRefused, terminalById } from '#features/money/acquirers/server/index.ts'
import type { readers } from './readers.ts'

/** Days that are asked for at once. */
const mostDays = 62

export interface Taken {
  days: number
  deals: number
  differences: number
  deposits: number
}

/**
 * Our charges and what went back, of a day and of the days beside it: acquirers' days end at hours of their
 * own.
 */
async function ownDeals(
  ctx: Ctx,
  terminalId: string,
  day: Day,
): Promise<(OwnDeal & { chargeId: string; refundId: string | null })[]> {
  const { rows } = await sql<OwnDeal & { chargeId: string; refundId: string | null }>`
    select c.id, c.id as "chargeId", null as "refundId", c.uid,
      array(select x.k from charge_tries t, lateral (values (t.gateway_key), (t.gateway_number::text)) x(k)
        where t.company_id = c.company_id and t.charge_id = c.id and t.refund_id is null) as keys,
      c.amount_agorot as agorot, c.currency, c.card_last4 as last4, c.approval,
      (c.paid_at at time zone 'Asia/Jerusalem')::date = ${day}::date as "isOfDay"
    from charges c where c.company_id = ${ctx.companyId} and c.terminal_id = ${terminalId}
      and c.state = 'paid'
      and (c.paid_at at time zone 'Asia/Jerusalem')::date between ${addDays(day, -1)} and ${addDays(day, 1)}
    union all
    select r.id, r.charge_id, r.id, r.reference,
      array(select x.k from charge_tries t, lateral (values (t.gateway_key), (t.gateway_number::text)) x(k)
        where t.company_id = r.company_id and t.refund_id = r.id),
      -r.amount_agorot, c.currency, c.card_last4, c.approval,
      (r.updated_at at time zone 'Asia/Jerusalem')::date = ${day}::date
    from charge_refunds r join charges c on c.company_id = r.company_id and c.id = r.charge_id
    where r.company_id = ${ctx.companyId} and c.terminal_id = ${terminalId} and r.state = 'done'
      and (r.updated_at at time zone 'Asia/Jerusalem')::date between ${addDays(day, -1)}
      and ${addDays(day, 1)}`.execute(ctx.tx)
  return rows
}

/**
 * Writes down what a day came to. What is there already is made as it is now; what a person explained stays
 * so, unless it fits by now.
 */
export async function keepDay(
  ctx: Ctx,
  terminalId: string,
  day: Day,
  told: readonly ToldDeal[],
  source: 'api' | 'file',
): Promise<number> {
  await sql`select 1 from terminals where company_id = ${ctx.companyId} and id = ${terminalId} for
    update`.execute(ctx.tx)
  const own = await ownDeals(ctx, terminalId, day)
  const { rows: had } = await sql<{
    id: string
  }>`select coalesce(refund_id, charge_id) as id from acquirer_deals
    where company_id = ${ctx.companyId} and terminal_id = ${terminalId}
      and state in ('matched', 'sum', 'currency') and day <> ${day}
      and day between ${addDays(day, -2)} and ${addDays(day, 2)} and coalesce(refund_id, charge_id) is not
      null`.execute(ctx.tx)
  const elsewhere = new Set(had.map(({ id }) => id))
  const compared = reconcileDay(
    told,
    own.filter(({ id }) => !elsewhere.has(id)),
  )
  const byId = new Map(own.map((one) => [one.id, one]))
  const times = new Map<string, number>()
  let differences = 0
  for (const found of compared) {
    const back =
      found.is === 'unknown' && found.told!.agorot < 0
        ? await takenBack(ctx, terminalId, found.told!)
        : undefined
    if (back) {
      const one: Compared = { is: back.isDenied ? 'matched' : 'takenBack', told: found.told!, own: back.own }
      await keepDeal(ctx, terminalId, day, one, { chargeId: back.own.id, refundId: null }, times)
      if (!back.isDenied) differences++
      continue
    }
    const one = found
    const ours = one.own && byId.get(one.own.id)
    // Found after all: it is missed no more.
    if (ours && one.told)
      await sql`delete from acquirer_deals where company_id = ${ctx.companyId} and terminal_id = ${terminalId}
          and ref = ${`own:${ours.id}`}`.execute(ctx.tx)
    await keepDeal(ctx, terminalId, day, one, ours, times)
    if (one.is !== 'matched') differences++
  }
  await sql`insert into acquirer_days (company_id, terminal_id, day, source, taken_at, deals)
    values (${ctx.companyId}, ${terminalId}, ${day}, ${source}, ${ctx.now}, ${told.length})
    on conflict (company_id, terminal_id, day) do update
    set source = excluded.source, taken_at = excluded.taken_at, deals = excluded.deals`.execute(ctx.tx)
  return differences
}

/**
 * The charge that an acquirer took money of without our asking, weeks later as a rule: known by the deal's
 * number, by our reference, or by card and approval. It fits once a denial of just that sum was written down.
 */
async function takenBack(
  ctx: Ctx,
  terminalId: string,
  told: ToldDeal,
): Promise<{ own: OwnDeal; isDenied: boolean } | undefined> {
  const { rows } = await sql<{
    id: string
    uid: string
    last4: string
    approval: string
    isDenied: boolean
  }>`select c.id, c.uid, c.card_last4 as last4, c.approval,
      exists (select 1 from charge_disputes x where x.company_id = c.company_id and x.charge_id = c.id
        and x.state <> 'won' and x.amount_agorot = ${-told.agorot}) as "isDenied"
    from charges c where c.company_id = ${ctx.companyId} and c.terminal_id = ${terminalId}
      and c.state = 'paid' and not c.surplus
      and c.currency = ${told.currency} and c.amount_agorot >= ${-told.agorot}
      and ((c.uid <> '' and c.uid = ${told.uid})
      or exists (select 1 from charge_tries t where t.company_id = c.company_id and t.charge_id = c.id
          and t.refund_id is null
          and (t.gateway_key = ${told.key ?? null} or t.gateway_number::text = ${told.key ?? null}))
        or (c.card_last4 <> '' and c.card_last4 = ${told.last4} and c.approval <> ''
        and c.approval = ${told.approval}))
    limit 2`.execute(ctx.tx)
  // Of two that could be it, a person says which.
  if (rows.length !== 1) return undefined
  const { id, uid, last4, approval, isDenied } = rows[0]!
  const own = {
    id,
    uid,
    keys: [],
    agorot: isDenied ? told.agorot : 0,
    currency: told.currency,
    last4,
    approval,
    isOfDay: false,
  }
  return { own, isDenied }
}

async function keepDeal(
  ctx: Ctx,
  terminalId: string,
  day: Day,
  { is, told, own }: Compared,
  ours: { chargeId: string; refundId: string | null } | undefined,
  times: Map<string, number>,
): Promise<void> {
  const name = told
    ? `${told.agorot < 0 ? 'back' : 'deal'}:${told.uid || `${day} ${told.agorot} ${told.last4} ${told.approval}`}`
    : `own:${own!.id}`
  const time = (times.get(name) ?? 0) + 1
  times.set(name, time)
  const ref = (time === 1 ? name : `${name}#${time}`).slice(0, 140)
  await sql`insert into acquirer_deals (company_id, id, terminal_id, ref, day, uid, told_agorot, own_agorot,
      currency, last4, charge_id, refund_id, state)
    values (${ctx.companyId}, ${newId()}, ${terminalId}, ${ref}, ${day},
      ${(told?.uid || own?.uid || '').slice(0, 100)}, ${told?.agorot ?? null},
      ${is === 'takenBack' ? null : (own?.agorot ?? null)},
      ${told?.currency ?? own!.currency}, ${(told?.last4 || own?.last4 || '').slice(0, 8)},
      ${ours?.chargeId ?? null}, ${ours?.refundId ?? null}, ${is})
    on conflict (company_id, terminal_id, ref) do update
    set day = excluded.day, told_agorot = excluded.told_agorot, own_agorot = excluded.own_agorot,
      charge_id = excluded.charge_id, refund_id = excluded.refund_id, updated_at = now(),
      state = case when acquirer_deals.state = 'explained' and excluded.state <> 'matched' then 'explained'
      else excluded.state end`.execute(ctx.tx)
}

/**
 * Asks for the deals of days and the deposits, outside of every transaction, and holds each day in one of its
 * own.
 */
export async function takeFrom(
  app: App,
  companyId: string,
  terminalId: string,
  from: Day,
  to: Day,
): Promise<Taken> {
  const inside = <T>(work: (ctx: Ctx) => Promise<T>) => asCaller(app, systemCaller(companyId), '', work)
  const { acquirer } = await inside((ctx) => terminalById(ctx, terminalId))
  const taken: Taken = { days: 0, deals: 0, differences: 0, deposits: 0 }
  if (acquirer.day)
    for (let day = from; day <= to; day = addDays(day, 1)) {
      const told = await acquirer.day(day)
      taken.differences += await inside((ctx) => keepDay(ctx, terminalId, day, told, 'api'))
      taken.deals += told.length
      taken.days++
    }
  if (acquirer.deposits) {
    const deposits = await acquirer.deposits(from, to)
    taken.deposits = await inside(async (ctx) => {
      let added = 0
      for (const { id, day, agorot } of deposits) {
        if (!id || agorot <= 0 || !/^\d{4}-\d\d-\d\d$/.test(day)) continue
        const { rows } =
          await sql`insert into acquirer_deposits (company_id, id, terminal_id, external_id, day, net_agorot)
          values (${companyId}, ${newId()}, ${terminalId}, ${id.slice(0, 100)}, ${day}, ${agorot})
          on conflict do nothing returning 1`.execute(ctx.tx)
        added += rows.length
      }
      return added
    })
  }
  return taken
}

/** Asked by a person: up to two months at once. */
export async function take(
  { app, companyId, within }: OutsideCtx,
  { terminalId, from, to }: { terminalId: string; from: Day; to: Day },
): Promise<Taken> {
  await within(async (ctx) => {
    const { acquirer } = await terminalById(ctx, terminalId)
    if (!acquirer.day && !acquirer.deposits) throw fail('settlements.noList')
    if (to < from) throw failField('to', 'fields.dayOrder')
    if (to > ctx.today) throw failField('to', 'settlements.future')
    if (daysBetween(from, to) >= mostDays) throw failField('from', 'fields.range')
    await ctx.audit('settlements.take', 'terminals', terminalId, undefined, { from, to })
  })
  try {
    return await takeFrom(app, companyId, terminalId, from, to)
  } catch (e) {
    if (e instanceof AcquirerAway || e instanceof KeysRefused) throw fail('paymentLinks.acquirerAway')
    throw e
  }
}

/** A list from a file; each of its days is held separately. */
export async function takeFile(
  ctx: Ctx,
  { terminalId, bytes }: { terminalId: string; bytes: Uint8Array },
): Promise<Taken> {
  await terminalById(ctx, terminalId)
  const deals = await readIn<typeof readers>()('settlements.deals', { bytes })
  const days = new Map<Day, ToldDeal[]>()
  for (const { day, ...deal } of deals) days.set(day, [...(days.get(day) ?? []), deal])
  let differences = 0
  for (const day of [...days.keys()].toSorted())
    differences += await keepDay(ctx, terminalId, day, days.get(day)!, 'file')
  await ctx.audit('settlements.file', 'terminals', terminalId, undefined, {
    days: days.size,
    deals: deals.length,
  })
  return { days: days.size, deals: deals.length, differences, deposits: 0 }
}
