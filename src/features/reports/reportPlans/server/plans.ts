import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { fail, failField } from '#kit/describe/errors.ts'
import { seesWhole } from '#kit/describe/session.ts'
import { endApproval, ordered, sightOf } from '#kit/server/rights/authority.ts'
import { asCaller, newId, type Caller, type Ctx } from '#kit/server/context.ts'
import { reportFor, runReport } from '#kit/server/described/serveReports.ts'
import { reportingDaysOf, vatPeriodsOf } from '#features/base/companies/server/index.ts'
import { callerOfPerson } from '#features/base/session/server/index.ts'
import type { Condition, Plan, PlanGiven } from '../endpoints.ts'
import { nextRing, type Rhythm } from '../when.ts'

/** What a plan is called where it is kept who ordered it. */
export const planKind = 'reportPlans'

const mostPlans = 200

interface StoredPerson {
  planId: string
  personId: string
  /** Of the member, or of the accountant. */
  id: string
  userId: string | null
  name: string
  email: string
  language: Caller['language']
  isAccountant: boolean
  hasStopped: boolean
  stopKey: string
  /** Whether the person may be emailed at all: still in the business, still its accountant. */
  isHere: boolean
}

/**
 * The recipients of plans. An accountant who joined is a member like all others; an invited one has only an email
 * address, and one whose access was blocked or whose link with the business has ended gets nothing.
 */
async function peopleOf(ctx: Ctx, planIds: readonly string[]): Promise<StoredPerson[]> {
  const { rows } = await sql<StoredPerson>`select r.plan_id as "planId", r.id as "personId",
        coalesce(r.user_id, r.accountant_id) as id,
      coalesce(r.user_id, i.used_by) as "userId", coalesce(u.full_name, a.name) as name,
      coalesce(u.email, a.email) as email,
      coalesce(u.language, a.language) as language, r.accountant_id is not null as "isAccountant",
      r.stopped_at is not null as "hasStopped",
      r.stop_key as "stopKey",
      case when r.user_id is not null then exists (select 1 from memberships m
      where m.company_id = r.company_id and m.user_id = r.user_id and m.removed_at is null)
        else a.archived_at is null and (i.used_by is not null or i.revoked_at is null) end as "isHere"
    from report_plan_people r left join users u on u.id = r.user_id
      left join accountants a on a.company_id = r.company_id and a.id = r.accountant_id
      left join invitations i on i.company_id = a.company_id and i.id = a.invitation_id
    where r.company_id = ${ctx.companyId} and r.plan_id = any(${planIds}::uuid[]) and r.is_on
    order by name, r.id`.execute(ctx.tx)
  return rows
}

export interface StoredPlan extends Omit<PlanGiven, 'people'> {
  id: string
  plan: number
  nextAt: string | null
  makerId: string
  people: StoredPerson[]
}

/** A plan of the business, without a question about who asks. */
export async function storedPlan(ctx: Ctx, id: string, lock = false): Promise<StoredPlan | undefined> {
  const { rows } = await sql<
    Omit<StoredPlan, 'people'>
  >`select ${columns}, p.plan, p.created_by as "makerId" from report_plans p
    where p.company_id = ${ctx.companyId} and p.id = ${id}
      and p.archived_at is null ${lock ? sql`for update` : sql``}`.execute(ctx.tx)
  return rows[0] && { ...rows[0], people: await peopleOf(ctx, [id]) }
}

const columns = sql`p.id, p.report, p.query, p.title, p.every, p.weekday, p.month_day as "monthDay",
    p.days_before as "daysBefore", p.hour, p.span,
  p.formats, p.condition, p.is_on as "isOn", p.next_at as "nextAt"`

/** The person who sees the whole business manages all of them, others their own. */
const isManager = ({ caller }: Ctx): boolean =>
  caller.rules.length === 0 && seesWhole(caller) && !caller.hideTotalPrices

export async function plans(ctx: Ctx, id?: string): Promise<Plan[]> {
  const me = ctx.caller.userId
  const { rows } = await sql<
    Omit<Plan, 'people' | 'isMine' | 'last'> & {
      makerId: string
      lastAt: string | null
      outcome: string | null
    }
  >`select ${columns}, u.full_name as by, p.created_by as "makerId", l.at as "lastAt", l.outcome
    from report_plans p join users u on u.id = p.created_by
      left join lateral (select g.at, coalesce(m.state, g.outcome) as outcome from report_plan_log g
        left join messages m on m.company_id = g.company_id and m.id = g.message_id
        where g.company_id = p.company_id and g.plan_id = p.id order by g.at desc limit 1) l on true
    where p.company_id = ${ctx.companyId} and p.archived_at is null
      and (${id ?? null}::uuid is null or p.id = ${id ?? null})
      and (${isManager(ctx)} or p.created_by = ${me} or exists (select 1 from report_plan_people r
        where r.company_id = p.company_id and r.plan_id = p.id and r.user_id = ${me} and r.is_on))
    order by p.title, p.id limit ${mostPlans}`.execute(ctx.tx)
  const people = await peopleOf(
    ctx,
    rows.map((row) => row.id),
  )
  return rows.map(({ makerId, lastAt, outcome, ...row }) => {
    const isMine = isManager(ctx) || makerId === me
    return {
      ...row,
      isMine,
      // Others read no addresses here, and not what becomes of letters to others.
      people: people
        .filter((one) => one.planId === row.id && (isMine || one.userId === me))
        .map(({ id: of, userId, name, email, isAccountant, hasStopped }) => ({
          id: of,
          name,
          email,
          isAccountant,
          isMe: userId === me,
          hasStopped,
        })),
      last: isMine && lastAt ? { at: lastAt, outcome: outcome! } : null,
    }
  })
}

/** One that the caller may change. */
export async function mine(ctx: Ctx, id: string): Promise<Plan> {
  const [found] = await plans(ctx, id)
  if (!found?.isMine) throw fail('kit.notFound')
  return found
}

interface Possible {
  id: string
  userId: string | null
  name: string
  email: string
  isAccountant: boolean
}

/** People of the business, and accountants who are invited; one who has come is among the people. */
async function possible(ctx: Ctx): Promise<Possible[]> {
  const { rows } = await sql<Possible>`select u.id, u.id as "userId", u.full_name as name, u.email,
      exists (select 1 from accountants a join invitations i on i.company_id = a.company_id
      and i.id = a.invitation_id
        where a.company_id = m.company_id and i.used_by = m.user_id and a.archived_at is null) as
          "isAccountant"
    from memberships m join users u on u.id = m.user_id
    where m.company_id = ${ctx.companyId} and m.removed_at is null and m.blocked_at is null
    union all
    select a.id, null, a.name, a.email, true from accountants a
    join invitations i on i.company_id = a.company_id and i.id = a.invitation_id
    where a.company_id = ${ctx.companyId} and a.archived_at is null and i.used_by is null
      and i.revoked_at is null
    order by name, id limit 500`.execute(ctx.tx)
  return rows
}

export async function peopleFor(ctx: Ctx, { report }: { report: string }) {
  const { name } = await reportFor(ctx, report)
  const rows = []
  for (const { userId, ...person } of await possible(ctx))
    rows.push({
      ...person,
      isMe: userId === ctx.caller.userId,
      mayOpen: userId === null || (await opensFor(ctx, userId, name)),
    })
  return { rows }
}

/** Whether a member may open a report today. */
async function opensFor(ctx: Ctx, userId: string, report: string): Promise<boolean> {
  const caller = await memberOf(ctx, userId)
  return caller !== undefined && opensAs(ctx, caller, report)
}

/** A member of the business with today's rights; undefined after leaving. */
export const memberOf = (ctx: Ctx, userId: string): Promise<Caller | undefined> =>
  callerOfPerson(ctx.app, ctx.companyId, userId)

/** In whose sight a plan is sent: of who set it, with the key that was used, as they may see today. */
export const makerOf = (ctx: Ctx, { id }: Pick<StoredPlan, 'id'>): Promise<Caller | undefined> =>
  sightOf(ctx, planKind, id)

export const opensAs = (ctx: Ctx, caller: Caller, report: string): Promise<boolean> =>
  asCaller(ctx.app, caller, '', (inside) => reportFor(inside, report)).then(
    () => true,
    () => false,
  )

/** A condition uses a total of the report, and only people who see amounts know whether it holds. */
async function refuseCondition(ctx: Ctx, { report, query, condition }: PlanGiven): Promise<void> {
  const answer = await runReport(ctx, await reportFor(ctx, report), query, 1)
  if (!condition || 'rows' in condition) return
  if (ctx.caller.hideTotalPrices) throw fail('reportPlans.noSums')
  if (!answer.shape.totals.includes(condition.total)) throw failField('condition', 'reportPlans.noTotal')
}

export async function keepPlan(
  ctx: Ctx,
  { id: known, ...given }: PlanGiven & { id?: string },
): Promise<Plan> {
  if (known) await mine(ctx, known)
  // Runs it once as it is asked, so that a filter that makes no sense is refused now and not at night.
  await refuseCondition(ctx, given)
  const allowed = new Map((await possible(ctx)).map((one) => [one.id, one]))
  for (const one of given.people) {
    const person = allowed.get(one)
    if (!person) {
      // An earlier recipient who left is listed with the reason, and does not fail this change.
      const before = known ? (await peopleOf(ctx, [known])).some(({ id }) => id === one) : false
      if (!before) throw failField('people', 'fields.ref')
    } else if (person.userId && !(await opensFor(ctx, person.userId, given.report)))
      throw failField('people', 'reportPlans.mayNotOpen', { name: person.name })
  }
  const id = known ?? newId()
  const next = given.isOn
    ? nextRing(ctx.now, given as Rhythm, await vatPeriodsOf(ctx), (await reportingDaysOf(ctx)).vat)
    : undefined
  const { rows } = await sql<{
    plan: number
  }>`insert into report_plans (company_id, id, report, query, title, every, weekday, month_day, days_before,
      hour, span,
      formats, condition, is_on, next_at, created_by)
    values (${ctx.companyId}, ${id}, ${given.report}, ${JSON.stringify(given.query)}::jsonb, ${given.title},
      ${given.every}, ${given.weekday}, ${given.monthDay},
      ${given.daysBefore}, ${given.hour}, ${given.span}, ${given.formats}::text[],
      ${given.condition && JSON.stringify(given.condition)}::jsonb, ${given.isOn},
      ${next?.at ?? null}, ${ctx.caller.userId})
    on conflict (company_id, id) do update set report = excluded.report, query = excluded.query,
      title = excluded.title, every = excluded.every,
      weekday = excluded.weekday, month_day = excluded.month_day, days_before = excluded.days_before,
      hour = excluded.hour, span = excluded.span,
      formats = excluded.formats, condition = excluded.condition, is_on = excluded.is_on,
      next_at = excluded.next_at, created_by = excluded.created_by,
      plan = report_plans.plan + 1, updated_at = now() returning plan`.execute(ctx.tx)
  await sql`update report_plan_people set is_on = false where company_id = ${ctx.companyId}
      and plan_id = ${id}
    and not coalesce(user_id, accountant_id) = any(${given.people}::uuid[])`.execute(ctx.tx)
  for (const one of new Set(given.people)) {
    const person = allowed.get(one)
    if (!person) continue
    await sql`insert into report_plan_people (company_id, id, plan_id, user_id, accountant_id, stop_key)
      values (${ctx.companyId}, ${newId()}, ${id}, ${person.userId}, ${person.userId ? null : one},
        ${randomBytes(24).toString('base64url')})
      on conflict (company_id, plan_id, ${sql.ref(person.userId ? 'user_id' : 'accountant_id')}) do update
      set is_on = true`.execute(ctx.tx)
  }
  await ordered(ctx, planKind, id)
  await endApproval(ctx, planKind, id)
  if (next) await ctx.later('reportPlans.ring', { id, plan: rows[0]!.plan, day: next.day }, next.at)
  await ctx.audit(known ? 'reportPlans.change' : 'reportPlans.create', 'report_plans', id, undefined, {
    title: given.title,
    report: given.report,
    every: given.every,
    isOn: given.isOn,
  })
  return mine(ctx, id)
}

export async function dropPlan(ctx: Ctx, id: string) {
  const { title } = await mine(ctx, id)
  await sql`update report_plans set archived_at = now(), is_on = false, plan = plan + 1, next_at = null
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await endApproval(ctx, planKind, id)
  await ctx.audit('reportPlans.drop', 'report_plans', id, undefined, { title })
  return { done: true as const }
}

export async function logOf(ctx: Ctx, id: string) {
  await mine(ctx, id)
  const { rows } = await sql<{
    id: string
    at: string
    dueDay: string | null
    recipient: string
    outcome: string
  }>`select g.id, g.at, g.due_day as "dueDay",
      g.recipient, case when g.outcome = 'queued' then coalesce(m.state, 'queued')
      else g.outcome end as outcome
    from report_plan_log g left join messages m on m.company_id = g.company_id and m.id = g.message_id
    where g.company_id = ${ctx.companyId} and g.plan_id = ${id} order by g.at desc, g.id desc
    limit 200`.execute(ctx.tx)
  return { rows }
}

/** The recipient unsubscribes, or subscribes again. */
export async function stopMine(ctx: Ctx, id: string, stopped: boolean) {
  const { rows } = await sql<{
    id: string
  }>`update report_plan_people set stopped_at = case when ${stopped} then coalesce(stopped_at, now()) end
    where company_id = ${ctx.companyId} and plan_id = ${id} and user_id = ${ctx.caller.userId} and is_on
    returning id`.execute(ctx.tx)
  if (!rows.length) throw fail('kit.notFound')
  await ctx.audit(stopped ? 'reportPlans.stop' : 'reportPlans.goOn', 'report_plans', id)
  return { done: true as const }
}

export type { Condition, StoredPerson }
