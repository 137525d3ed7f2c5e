import { sql } from 'kysely'
import { addDays, dayInJerusalem, momentAt, momentInJerusalem, weekday, type Day } from '#domain/day.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { endApproval, isAsked, isWithin, ordered, registerOrders } from '#kit/server/rights/authority.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { freeRow, type Schedule } from '#kit/server/work/schedules.ts'
import { say } from '#kit/server/words.ts'
import type { Plan } from '../endpoints.ts'
import { lettersOf } from './due.ts'

/** What the plan is called where it is kept who ordered it; its subject is the business. */
const planKind = 'reminderPlans'

interface Stored extends Plan {
  plan: number
  nextAt: string | null
}

/** What a business that never set it finds: off, with steps that suit most. */
const fresh: Stored = {
  isOn: false,
  hour: 9,
  weekends: false,
  leastAgorot: 0,
  typeIds: [],
  steps: [-3, 1, 14].map((days) => ({ days, texts: {} })),
  plan: 0,
  nextAt: null,
}

export async function planOf(ctx: Ctx, lock = false): Promise<Stored> {
  const { rows } = await sql<Stored>`select is_on as "isOn", hour, weekends, least_agorot as "leastAgorot",
        type_ids as "typeIds", steps, plan,
    next_at as "nextAt" from reminder_plans
    where company_id = ${ctx.companyId} ${lock ? sql`for update` : sql``}`.execute(ctx.tx)
  return rows[0] ?? fresh
}

const rests = (day: Day, weekends: boolean): boolean => !weekends && weekday(day) >= 5

/** The next day of sending after `now`. */
export function nextDay(
  now: Date,
  { hour, weekends }: Pick<Plan, 'hour' | 'weekends'>,
): { day: Day; at: Date } {
  let { day } = momentInJerusalem(now)
  while (momentAt(day, hour) <= now || rests(day, weekends)) day = addDays(day, 1)
  return { day, at: momentAt(day, hour) }
}

const shown = ({ plan: _, ...rest }: Stored) => ({ ...rest, nextAt: rest.isOn ? rest.nextAt : null })

export const getPlan = async (ctx: Ctx) => shown(await planOf(ctx))

export async function changePlan(ctx: Ctx, given: Plan) {
  if (given.isOn && !given.steps.length) throw fail('reminders.noSteps')
  const days = given.steps.map((step) => step.days)
  const twice = days.findIndex((one, i) => days.indexOf(one) !== i)
  if (twice >= 0) throw failField(`steps.${twice}.days`, 'reminders.sameDays')
  if (given.typeIds.length) {
    const { rows } = await sql`select 1 from customer_types where company_id = ${ctx.companyId}
          and id = any(${given.typeIds}::uuid[])`.execute(ctx.tx)
    if (rows.length !== new Set(given.typeIds).size) throw failField('typeIds', 'fields.ref')
  }
  const before = await planOf(ctx)
  const steps = given.steps.toSorted((a, b) => a.days - b.days)
  const next = given.isOn ? nextDay(ctx.now, given) : undefined
  const { rows } = await sql<{
    plan: number
  }>`insert into reminder_plans (company_id, is_on, hour, weekends, least_agorot, type_ids, steps, plan,
      next_at)
    values (${ctx.companyId}, ${given.isOn}, ${given.hour}, ${given.weekends}, ${given.leastAgorot},
      ${given.typeIds}::uuid[],
      ${JSON.stringify(steps)}, 1, ${next?.at ?? null})
    on conflict (company_id) do update set is_on = excluded.is_on, hour = excluded.hour,
      weekends = excluded.weekends,
      least_agorot = excluded.least_agorot, type_ids = excluded.type_ids, steps = excluded.steps,
      plan = reminder_plans.plan + 1,
      next_at = excluded.next_at, updated_at = now() returning plan`.execute(ctx.tx)
  await ordered(ctx, planKind, ctx.companyId)
  await endApproval(ctx, planKind, ctx.companyId)
  if (next) await ctx.later('reminders.day', { plan: rows[0]!.plan, day: next.day }, next.at)
  await ctx.audit('reminders.change', 'reminders', null, shown(before), { ...given, steps })
  return getPlan(ctx)
}

/** Wakes a day's run at its hour. */
export const remindersOfDay: Job = async (ctx, payload) => {
  const plan = await planOf(ctx, true)
  if (!plan.isOn || plan.plan !== payload.plan) return
  if (await maySend(ctx)) await runDay(ctx, plan, String(payload.day))
}

/** Whether who set the plan may still send; the day waits for approval where not. */
const maySend = (ctx: Ctx): Promise<boolean> => isWithin(ctx, planKind, ctx.companyId, 'send', { agorot: 0 })

/** Plans whose day has come and was not run, whatever became of the job that should have. */
export const duePlans: Schedule = {
  table: 'reminder_plans',
  key: 'company_id',
  alive: sql`t.is_on and not ${isAsked(planKind, 'company_id')}`,
  at: sql`t.next_at`,
  serve: async (ctx) => {
    const plan = await planOf(ctx, true)
    if (!plan.isOn || !plan.nextAt || new Date(plan.nextAt) > ctx.now) return false
    if (!(await maySend(ctx))) return false
    await runDay(ctx, plan, dayInJerusalem(new Date(plan.nextAt)))
    return true
  },
}

/**
 * The letters of a day, then the next day's run. A second run of the same day finds the plan moved on; a
 * document is reminded of one step once, which the database sees to.
 */
async function runDay(ctx: Ctx, plan: Stored, day: Day): Promise<void> {
  for (const letter of await lettersOf(ctx, plan, ctx.today)) {
    if (letter.state !== 'send') continue
    let first: string | undefined
    for (const to of letter.to) {
      const id = newId()
      first ??= id
      await sql`insert into messages (company_id, id, kind, channel, recipient, subject, body, party_id,
          document_id, card)
        values (${ctx.companyId}, ${id}, 'reminder', 'mail', ${to}, ${letter.subject}, ${letter.text},
          ${letter.customerId},
          ${letter.documents.length === 1 ? letter.documents[0]!.id : null},
          ${letter.card}::jsonb)`.execute(ctx.tx)
      await ctx.later('letters.mail', { messageId: id })
    }
    for (const one of letter.opens)
      await sql`insert into reminders (company_id, document_id, days, customer_id, message_id, day,
          open_agorot)
        values (${ctx.companyId}, ${one.id}, ${one.days}, ${letter.customerId}, ${first!}, ${ctx.today},
          ${one.openAgorot})`.execute(ctx.tx)
    await ctx.audit('reminders.send', 'customers', letter.customerId, undefined, {
      to: letter.to.join(', '),
      days: letter.days,
    })
  }
  // Never the same moment again, even by a clock that is behind the database's.
  const planned = momentAt(day, plan.hour)
  const next = nextDay(planned > ctx.now ? planned : ctx.now, plan)
  const { rows } = await sql<{ plan: number }>`update reminder_plans set plan = plan + 1, next_at = ${next.at}
    where company_id = ${ctx.companyId} returning plan`.execute(ctx.tx)
  await ctx.later('reminders.day', { plan: rows[0]!.plan, day: next.day }, next.at)
}

registerOrders(planKind, {
  rule: 'reminders.change',
  describe: (ctx, ids) =>
    Promise.resolve(
      ids.map((id) => ({
        id,
        title: say(ctx.caller.language, 'screens.reminders'),
        href: '/invoice/reminders',
      })),
    ),
  next: async (ctx, ids) =>
    (await planOf(ctx)).isOn ? ids.map((id) => ({ id, does: [{ effect: 'send', agorot: 0 }] })) : [],
  goOn: (ctx, id) => freeRow(ctx, duePlans, id),
  stop: async (ctx) =>
    void (await sql`update reminder_plans set is_on = false, plan = plan + 1, next_at = null,
      updated_at = now() where company_id = ${ctx.companyId}`.execute(ctx.tx)),
})
