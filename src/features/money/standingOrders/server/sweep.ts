import { sql } from 'kysely'
import { dayInJerusalem } from '#domain/day.ts'
import { Failure } from '#kit/describe/errors.ts'
import { failureOf } from '#kit/server/contract/failures.ts'
import { asCaller, systemCaller, type App } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { attempt, everyRound, failed, isResting } from '#kit/server/work/dueRows.ts'
import { askPending } from './card.ts'
import { runCampaign } from './dunning.ts'
import { hold, step } from './make.ts'
import { sendDueNotices } from './notices.ts'
import { orderOf, setOrder } from './order.ts'

/** How long the person who takes an order has for it; then another process may. */
const leaseMs = 5 * 60_000
const atOnce = 24
/** At once in one process: papers of a business wait for each other's numbers anyway. */
const hands = 3

interface Row {
  company_id: string
  id: string
  means?: string
}

/**
 * Orders that are due, the oldest first; the process that takes one records its lease. A business that pressed the
 * stop button has none.
 */
const claimOrders = (app: App): Promise<Row[]> =>
  asSystem(app.db, async (tx) => {
    const now = app.now()
    const { rows } =
      await sql<Row>`update standing_orders t set leased_until = ${new Date(now.getTime() + leaseMs)}
      from (select o.company_id, o.id from standing_orders o
      where o.next_at <= ${now} and (o.leased_until is null or o.leased_until <= ${now})
          and not exists (select 1 from standing_settings s where s.company_id = o.company_id
          and s.stopped_at is not null)
          and not ${isResting(app, 'standingOrders.charges', sql`o.company_id`, sql`o.id::text`)}
        order by o.next_at, o.id limit ${atOnce} for update of o skip locked) due
      where t.company_id = due.company_id and t.id = due.id returning t.company_id, t.id, t.means`.execute(tx)
    return rows
  })

interface StepRow {
  company_id: string
  order_id: string
  period_start: string
}

const claimSteps = (app: App): Promise<StepRow[]> =>
  asSystem(app.db, async (tx) => {
    const now = app.now()
    const { rows } =
      await sql<StepRow>`update standing_periods t set step_at = ${new Date(now.getTime() + leaseMs)}
      from (select p.company_id, p.order_id, p.period_start from standing_periods p where p.step_at <= ${now}
          and not exists (select 1 from standing_settings s where s.company_id = p.company_id
          and s.stopped_at is not null)
          and not ${isResting(
            app,
            'standingOrders.steps',
            sql`p.company_id`,
            sql`p.order_id || ' ' ||
              p.period_start`,
          )}
        order by p.step_at limit ${atOnce} for update of p skip locked) due
      where t.company_id = due.company_id and t.order_id = due.order_id and t.period_start = due.period_start
      returning t.company_id, t.order_id, t.period_start`.execute(tx)
    return rows
  })

const claimNotices = (app: App): Promise<Row[]> =>
  asSystem(app.db, async (tx) => {
    const today = dayInJerusalem(app.now())
    const { rows } = await sql<Row>`update standing_notices t set tried_on = ${today}
      from (select n.company_id, n.order_id, n.kind, n.for_day from standing_notices n
        where n.sent_at is null and n.from_day <= ${today} and n.to_day >= ${today} and n.tried_on is distinct
        from ${today}
        order by n.to_day limit ${atOnce} for update of n skip locked) due
      where t.company_id = due.company_id and t.order_id = due.order_id and t.kind = due.kind
        and t.for_day = due.for_day
      returning t.company_id, t.order_id as id`.execute(tx)
    return rows
  })

const inside = <T>(app: App, companyId: string, work: Parameters<typeof asCaller<T>>[3]) =>
  asCaller(app, systemCaller(companyId), '', work)

/**
 * One order, charge after charge, each in a separate transaction. A refusal holds this order and no other; an
 * unexpected failure is retried.
 */
async function serve(
  app: App,
  { company_id: companyId, id, means }: Row,
  isOver: () => boolean,
): Promise<number> {
  let done = 0
  try {
    for (let i = 0; i < 60 && !isOver(); i++) {
      if ((await inside(app, companyId, (ctx) => step(ctx, id))) === 'nothing') break
      done++
      if (means === 'card') await askPending(app, companyId, id)
    }
  } catch (e) {
    const failure = e instanceof Failure ? e : failureOf(e)
    app.log.warn({ order: id, err: (e as Error).message }, 'a standing order could not be charged')
    if (failure.code === 'kit.failed') {
      await failed(app, 'standingOrders.charges', { companyId, key: id }, e as Error)
      return done
    }
    // The clock was set back behind the last paper of its series: it is no fault of the order, which waits
    // until that day is there again.
    if (failure.errors[0]?.code === 'documents.dateBeforeLastOfSeries') {
      await inside(app, companyId, (ctx) =>
        setOrder(ctx, id, { next_at: new Date(ctx.now.getTime() + 3_600_000), leased_until: null }),
      )
      return done
    }
    await inside(app, companyId, async (ctx) =>
      hold(ctx, await orderOf(ctx, id, true), failure.errors[0]?.code ?? failure.code),
    )
  }
  return done
}

/**
 * One order at once, where its moment has come and nobody else has it. Answers how many charges that made.
 */
export async function serveOrder(app: App, companyId: string, id: string): Promise<number> {
  const taken = await asSystem(app.db, async (tx) => {
    const now = app.now()
    const { rows } =
      await sql<Row>`update standing_orders set leased_until = ${new Date(now.getTime() + leaseMs)}
      where company_id = ${companyId} and id = ${id} and next_at <= ${now}
        and (leased_until is null or leased_until <= ${now})
        and not exists (select 1 from standing_settings s where s.company_id = ${companyId}
        and s.stopped_at is not null)
      returning company_id, id, means`.execute(tx)
    return rows[0]
  })
  return taken ? serve(app, taken, () => false) : 0
}

/** What a failed charge's campaign has come to; a card that is tried again is asked behind the commit. */
async function dunned(app: App, companyId: string, id: string, start: string): Promise<number> {
  await inside(app, companyId, (ctx) => runCampaign(ctx, id, start))
  await askPending(app, companyId, id)
  return 1
}

/** Serves whatever is taken by several hands until nothing is left. */
async function each<R>(
  claim: () => Promise<R[]>,
  isOver: () => boolean,
  work: (row: R) => Promise<number>,
): Promise<number> {
  let done = 0
  while (!isOver()) {
    const rows = await claim()
    if (rows.length === 0) break
    const hand = async () => {
      for (let row = rows.shift(); row && !isOver(); row = rows.shift()) done += await work(row)
    }
    await Promise.all(Array.from({ length: hands }, hand))
  }
  return done
}

/**
 * Does everything of all businesses whose moment has come: charges, steps of campaigns, notices. Answers how
 * much that was.
 */
export async function sweep(app: App, isOver: () => boolean = () => false): Promise<number> {
  const calmly = (name: string, companyId: string, key: string, work: () => Promise<number>) =>
    attempt(app, `standingOrders.${name}`, { companyId, key }, work).then((made) => made ?? 0)
  const notices = await each(
    () => claimNotices(app),
    isOver,
    ({ company_id: companyId, id }) =>
      calmly('notices', companyId, id, () => inside(app, companyId, (ctx) => sendDueNotices(ctx, id))),
  )
  const charges = await each(
    () => claimOrders(app),
    isOver,
    (row) => serve(app, row, isOver),
  )
  const steps = await each(
    () => claimSteps(app),
    isOver,
    ({ company_id: companyId, order_id: id, period_start: start }) =>
      calmly('steps', companyId, `${id} ${start}`, () => dunned(app, companyId, id, start)),
  )
  return notices + charges + steps
}

/** Sweeps every fifteen seconds. */
export const start = (app: App): Promise<() => Promise<void>> =>
  Promise.resolve(everyRound(app, 'standing orders', 15_000, (isOver) => sweep(app, isOver)))
