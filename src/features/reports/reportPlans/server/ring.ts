import { sql } from 'kysely'
import { addDays, dayInJerusalem, momentAt, type Day } from '#domain/day.ts'
import { formatPeriod } from '#domain/format.ts'
import type { ReportAnswer } from '#kit/describe/report.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import { isAsked, registerOrders, sendingSight } from '#kit/server/rights/authority.ts'
import { asCaller, newId, type Caller, type Ctx } from '#kit/server/context.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { deliverQueued, type Mail } from '#kit/server/outside/mail.ts'
import { freeRow, type Schedule } from '#kit/server/work/schedules.ts'
import { reportAsFile, reportFor, reportNamed, runReport } from '#kit/server/described/serveReports.ts'
import { say } from '#kit/server/words.ts'
import { companyOf, reportingDaysOf, vatPeriodsOf } from '#features/base/companies/server/index.ts'
import type { Condition } from '../endpoints.ts'
import { daysOf, nextRing, ringing, type PeriodOn, type Rhythm } from '../when.ts'
import {
  makerOf,
  memberOf,
  opensAs,
  planKind,
  storedPlan,
  type StoredPerson,
  type StoredPlan,
} from './plans.ts'

/** More than this no mail server takes; the letter then says where the report is. */
const mostBytes = 12_000_000

/**
 * Whose rights a recipient's copy uses: the recipient's own; an accountant who has not joined yet sees what the
 * author sees, in the accountant's language.
 */
async function sightOf(ctx: Ctx, person: StoredPerson, maker: Caller): Promise<Caller | undefined> {
  if (!person.isHere) return undefined
  if (person.userId) return memberOf(ctx, person.userId)
  return { ...maker, language: person.language }
}

/**
 * The query on the day it is sent: its filters and view, with the days of its period. A single day, such as the day
 * of a debt, is the day of sending; reports treat that as none.
 */
async function askedOn(
  ctx: Ctx,
  { report, query, span }: StoredPlan,
  day: Day,
  periodOn: PeriodOn,
): Promise<Record<string, string>> {
  const filters = (await reportNamed(ctx, report))?.filters ?? {}
  const days = daysOf(span, day, periodOn)
  if (!days) return query
  const asked = Object.fromEntries(Object.entries(query).filter(([name]) => filters[name]?.kind !== 'day'))
  for (const [name, field] of Object.entries(filters))
    if (field.kind === 'day' && field.need) asked[name] = day
  return filters.from?.kind === 'day' && filters.to?.kind === 'day' ? { ...asked, ...days } : asked
}

/**
 * Whether there is something to report. What is hidden is reported to nobody, so people who see no amounts never
 * learn that one was exceeded.
 */
export function tells(
  condition: Condition | null,
  { rows, totals }: Pick<ReportAnswer, 'rows' | 'totals'>,
): boolean {
  if (!condition) return true
  if ('rows' in condition) return rows.some((row) => !row.sum)
  const total = totals[condition.total]
  return total !== undefined && (condition.is === 'over' ? total > condition.value : total < condition.value)
}

/**
 * Writes what came of one time; answers false where that is written already, of another run of the same
 * ringing.
 */
async function write(
  ctx: Ctx,
  plan: StoredPlan,
  of: { person?: StoredPerson; dueDay: Day | null; outcome: string; messageId?: string },
): Promise<boolean> {
  const { numAffectedRows } =
    await sql`insert into report_plan_log (company_id, id, plan_id, person_id, recipient, due_day, outcome,
        message_id)
    values (${ctx.companyId}, ${newId()}, ${plan.id}, ${of.person?.personId ?? null},
      ${of.person?.email ?? ''}, ${of.dueDay}, ${of.outcome}, ${of.messageId ?? null})
    on conflict (company_id, plan_id, person_id, due_day) do nothing`.execute(ctx.tx)
  return numAffectedRows === 1n
}

/**
 * Puts a letter for each person into the queue who may have it and has something to be told; answers how
 * many.
 */
async function tell(ctx: Ctx, plan: StoredPlan, day: Day, byHand: boolean): Promise<number> {
  const dueDay = byHand ? null : day
  const maker = await makerOf(ctx, plan)
  if (!maker || !(await opensAs(ctx, maker, plan.report))) {
    await write(ctx, plan, { dueDay, outcome: 'makerLostRight' })
    return 0
  }
  const periodOn = await vatPeriodsOf(ctx)
  const query = await askedOn(ctx, plan, day, periodOn)
  const company = await companyOf(ctx)
  let queued = 0
  let silent = 0
  for (const person of plan.people) {
    if (person.hasStopped) continue
    const caller = await sightOf(ctx, person, maker)
    if (!caller || !(await opensAs(ctx, caller, plan.report))) {
      await write(ctx, plan, { person, dueDay, outcome: 'lostRight' })
      continue
    }
    if (plan.condition && !byHand) {
      const answer = await asCaller(ctx.app, caller, '', async (inside) =>
        runReport(inside, await reportFor(inside, plan.report), query),
      )
      if (!tells(plan.condition, answer)) {
        silent++
        continue
      }
    }
    const messageId = newId()
    if (!(await write(ctx, plan, { person, dueDay, outcome: 'queued', messageId }))) continue
    const { language } = caller
    const days = query.from && query.to ? formatPeriod({ from: query.from, to: query.to }) : ''
    const said = { name: person.name, business: company.name, title: plan.title, days }
    await sql`insert into messages (company_id, id, kind, channel, recipient, subject, body)
      values (${ctx.companyId}, ${messageId}, 'report', 'mail', ${person.email},
        ${say(language, 'reportPlans.mail.subject', said)},
        ${say(language, days ? 'reportPlans.mail.text' : 'reportPlans.mail.textNow', said)})`.execute(ctx.tx)
    await ctx.later('reportPlans.mail', { messageId, id: plan.id, personId: person.personId, query })
    queued++
  }
  if (silent > 0 && queued === 0) await write(ctx, plan, { dueDay, outcome: 'nothing' })
  return queued
}

/** Wakes a plan at its hour. */
export const ring: Job = async (ctx, payload) => {
  const plan = await storedPlan(ctx, String(payload.id), true)
  if (!plan?.isOn || plan.plan !== payload.plan) return
  if (!(await waitsLonger(ctx, plan, String(payload.day)))) await ringWithin(ctx, plan, String(payload.day))
}

/**
 * Plans whose hour has come and that did not ring, whatever became of the job that should have woken them.
 */
export const duePlans: Schedule = {
  table: 'report_plans',
  key: 'id',
  alive: sql`t.is_on and t.archived_at is null and not ${isAsked(planKind)}`,
  at: sql`t.next_at`,
  serve: async (ctx, id) => {
    const plan = await storedPlan(ctx, id, true)
    if (!plan?.isOn || !plan.nextAt || new Date(plan.nextAt) > ctx.now) return false
    const day = dayInJerusalem(new Date(plan.nextAt))
    return (await waitsLonger(ctx, plan, day)) || ringWithin(ctx, plan, day)
  },
}

/**
 * A return that was postponed since the hour was set: the plan waits for its new day, which is answered with true.
 */
async function waitsLonger(ctx: Ctx, plan: StoredPlan, day: Day): Promise<boolean> {
  if (plan.every !== 'vat') return false
  const dueOn = (await reportingDaysOf(ctx)).vat
  const [next] = ringing(day, plan, await vatPeriodsOf(ctx), dueOn)
  if (!next || next === day) return false
  const at = momentAt(next, plan.hour)
  await sql`update report_plans set plan = plan + 1, next_at = ${at} where company_id = ${ctx.companyId}
      and id = ${plan.id}`.execute(ctx.tx)
  await ctx.later('reportPlans.ring', { id: plan.id, plan: plan.plan + 1, day: next }, at)
  return true
}

/** A ringing, where who set the plan may still send it; otherwise it waits for approval, and false is answered. */
async function ringWithin(ctx: Ctx, plan: StoredPlan, since: Day): Promise<boolean> {
  if (!(await sendingSight(ctx, planKind, plan.id, (sight) => opensAs(ctx, sight, plan.report)))) {
    await write(ctx, plan, { dueDay: since, outcome: 'makerLostRight' })
    return false
  }
  await ringOn(ctx, plan, since)
  return true
}

/**
 * A ringing: the letters of its day, and the next one. After days of being off the latest missed ringing
 * alone is made good: two reports of one week tell nobody more than one.
 */
async function ringOn(ctx: Ctx, plan: StoredPlan, since: Day): Promise<void> {
  const periodOn = await vatPeriodsOf(ctx)
  const dueOn = (await reportingDaysOf(ctx)).vat
  const rhythm: Rhythm = plan
  let day = since
  for (const next of ringing(addDays(day, 1), rhythm, periodOn, dueOn)) {
    if (momentAt(next, rhythm.hour) > ctx.now) break
    day = next
  }
  await tell(ctx, plan, day, false)
  // Never the same moment again, even by a clock that is behind the database's.
  const rung = momentAt(day, rhythm.hour)
  const next = nextRing(rung > ctx.now ? rung : ctx.now, rhythm, periodOn, dueOn)
  await sql`update report_plans set plan = plan + 1, next_at = ${next.at} where company_id = ${ctx.companyId}
      and id = ${plan.id}`.execute(ctx.tx)
  await ctx.later('reportPlans.ring', { id: plan.id, plan: plan.plan + 1, day: next.day }, next.at)
}

/** To everybody now. */
export async function sendNow(ctx: Ctx, id: string): Promise<{ queued: number }> {
  const plan = (await storedPlan(ctx, id))!
  const queued = await tell(ctx, plan, ctx.today, true)
  await ctx.audit('reportPlans.send', 'report_plans', id, undefined, { title: plan.title, queued })
  return { queued }
}

/**
 * Creates the files and sends the email. Rights are checked again: they may have changed since it became due.
 */
export const mail: Job = (ctx, payload, isLast) =>
  deliverQueued(ctx, String(payload.messageId), isLast, async ({ body }) => {
    const plan = await storedPlan(ctx, String(payload.id))
    const person = plan?.people.find(({ personId }) => personId === payload.personId)
    const maker = plan && (await makerOf(ctx, plan))
    const caller = person && maker && !person.hasStopped && (await sightOf(ctx, person, maker))
    if (!caller || !(await opensAs(ctx, caller, plan.report))) {
      await sql`update messages set state = 'failed', error = ${say('en', 'reportPlans.outcome.lostRight')},
          updated_at = now()
        where company_id = ${ctx.companyId} and id = ${String(payload.messageId)}`.execute(ctx.tx)
      await sql`update report_plan_log set outcome = 'lostRight' where company_id = ${ctx.companyId}
          and message_id = ${String(payload.messageId)}`.execute(ctx.tx)
      return undefined
    }
    const query = payload.query as Record<string, string>
    const attachments: NonNullable<Mail['attachments']> = []
    const path = await asCaller(ctx.app, caller, '', async (inside) => {
      const report = await reportFor(inside, plan.report)
      for (const format of plan.formats) {
        const { bytes, mime } = await reportAsFile(inside, report, format, query)
        attachments.push({
          filename: `${fileNameOf(plan.title)}.${format}`,
          content: Buffer.from(bytes),
          contentType: mime,
        })
      }
      return report.path
    })
    const url = `${siteOf(ctx.app)}${path}?${new URLSearchParams(query)}`
    const isTooLarge = attachments.reduce((sum, { content }) => sum + content.length, 0) > mostBytes
    const text = `${body}\n\n${say(caller.language, isTooLarge ? 'reportPlans.mail.tooLarge' : 'reportPlans.mail.open')}\n${url}\n\n${say(
      caller.language,
      'reportPlans.mail.stop',
    )}\n${siteOf(ctx.app)}/reportstop/${person.stopKey}`
    await sql`update messages set body = ${text} where company_id = ${ctx.companyId}
        and id = ${String(payload.messageId)}`.execute(ctx.tx)
    return {
      from: await companyOf(ctx),
      text,
      stopUrl: `${siteOf(ctx.app)}/reportstop/${person.stopKey}`,
      ...(isTooLarge ? {} : { attachments }),
    }
  })

/**
 * The files of a plan as it is sent on a day, with the rights of its author; none where the author may not see the
 * report any more.
 */
export async function filesOfReport(
  ctx: Ctx,
  planId: string,
  day: Day,
): Promise<{ name: string; bytes: Uint8Array; mime: string }[]> {
  const plan = await storedPlan(ctx, planId)
  const maker = plan && (await makerOf(ctx, plan))
  if (!plan || !maker || !(await opensAs(ctx, maker, plan.report))) return []
  const query = await askedOn(ctx, plan, day, await vatPeriodsOf(ctx))
  return asCaller(ctx.app, maker, '', async (inside) => {
    const report = await reportFor(inside, plan.report)
    const files = []
    for (const format of plan.formats) {
      const { bytes, mime } = await reportAsFile(inside, report, format, query)
      files.push({ name: `${fileNameOf(plan.title)}.${format}`, bytes, mime })
    }
    return files
  })
}

/** A name that every system can keep a file by. */
const fileNameOf = (title: string): string =>
  title
    .replace(/[^\p{L}\p{N} _-]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 80) || 'report'

registerOrders(planKind, {
  rule: 'reportPlans.change',
  entity: 'report_plans',
  describe: async (ctx, ids) => {
    const { rows } = await sql<{ id: string; title: string }>`select id, title from report_plans
      where company_id = ${ctx.companyId} and id = any (${ids}::uuid[])`.execute(ctx.tx)
    return rows.map(({ id, title }) => ({ id, title, href: '/invoice/reportplans' }))
  },
  next: async (ctx, ids) => {
    const { rows } = await sql<{ id: string }>`select id from report_plans where company_id = ${ctx.companyId}
      and id = any (${ids}::uuid[]) and archived_at is null and is_on`.execute(ctx.tx)
    return rows.map(({ id }) => ({ id, does: [{ effect: 'send', agorot: 0 }] }))
  },
  goOn: async (ctx, id) => {
    await sql`update report_plans set created_by = ${ctx.caller.userId}, updated_at = now()
      where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
    await freeRow(ctx, duePlans, id)
  },
  stop: async (ctx, id) =>
    void (await sql`update report_plans set is_on = false, plan = plan + 1, next_at = null, updated_at = now()
      where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)),
})
