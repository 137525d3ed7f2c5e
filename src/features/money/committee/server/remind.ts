import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { nextReminder, type ReminderRhythm } from '#domain/committee/reminding.ts'
import { addDays, momentAt, weekday, type Day } from '#domain/day.ts'
import { formatDay, formatMoney, withCurrency } from '#domain/format.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import {
  asOrdered,
  endApproval,
  isAsked,
  isWithin,
  ordered,
  registerOrders,
} from '#kit/server/rights/authority.ts'
import { byOf, newId, type Ctx, type Language } from '#kit/server/context.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { deliverQueued } from '#kit/server/outside/mail.ts'
import { freeRow, type Schedule } from '#kit/server/work/schedules.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { ring } from '#features/people/bell/server/index.ts'
import { keptCard } from '#features/sales/documents/server/index.ts'
import type * as calls from '../endpoints.ts'
import { collectors, describeHouses, houseOf, reminderKind, type House } from './house.ts'
import { tenantAddress } from './tenant.ts'

interface LevyFacts {
  id: string
  name: string
  buildingId: string
  decidedOn: Day
}

async function levyOf(ctx: Ctx, id: string): Promise<LevyFacts | undefined> {
  const { rows } =
    await sql<LevyFacts>`select id, name, building_id as "buildingId", decided_on as "decidedOn"
      from committee_levies
    where company_id = ${ctx.companyId} and id = ${id} and cancelled_at is null`.execute(ctx.tx)
  return rows[0]
}

interface Debtor {
  customerId: string
  name: string
  email: string | null
  language: Language | null
  agorot: number
  flats: string
  /** The months of the debt, and the first of them. */
  count: number
  first: Day
}

/** Who owes a house something of what is meant (dues `d`), and how much together. */
async function debtorsOf(ctx: Ctx, buildingId: string, meant: RawBuilder<unknown>): Promise<Debtor[]> {
  const { rows } = await sql<Debtor>`select d.payer_id as "customerId", p.name, p.email, p.language,
        sum(d.agorot - d.paid_agorot)::bigint as agorot, count(distinct d.month)::int as count,
      min(d.month) as first, string_agg(distinct concat_ws('/', nullif(f.entrance, ''), f.number), ', ') as
      flats
    from committee_dues d join committee_flats f on f.company_id = d.company_id and f.id = d.flat_id
    join parties p on p.company_id = d.company_id and p.id = d.payer_id
    where d.company_id = ${ctx.companyId} and f.building_id = ${buildingId} and d.paid_agorot < d.agorot
      and ${meant}
    group by d.payer_id, p.name, p.email, p.language order by p.name`.execute(ctx.tx)
  return rows
}

interface Letter {
  kind: 'letter' | 'reminder'
  subject: 'subject' | 'askSubject' | 'ownerSubject'
  text: 'text' | 'levy' | 'ask' | 'owner'
  /** What its words have gaps for beside payer, house, flats, sum and who signs. */
  more: Record<string, string | number>
}

/** Queues an email to a payer, in the payer's language. */
async function write(
  ctx: Ctx,
  to: Debtor,
  {
    messageId,
    kind,
    house,
    subject,
    text,
    more,
  }: Letter & { messageId: string; house: { name: string; treasurer: string } },
): Promise<void> {
  const company = await companyOf(ctx)
  const language = to.language ?? company.language
  const said = {
    name: to.name,
    house: house.name,
    flats: to.flats,
    sum: formatMoney(to.agorot),
    treasurer: house.treasurer || company.name,
    ...more,
  }
  await sql`insert into messages (company_id, id, kind, channel, recipient, subject, body, party_id,
      created_by, card)
    values (${ctx.companyId}, ${messageId}, ${kind}, 'mail', ${to.email},
      ${say(language, `committee.mail.${subject}`, said)}, ${say(language, `committee.mail.${text}`, said)},
      ${to.customerId}, ${byOf(ctx)},
      ${text === 'owner' ? null : keptCard(language, { amount: withCurrency(to.agorot, 'ILS', language), url: more.link === undefined ? undefined : String(more.link) })}::jsonb)`.execute(
    ctx.tx,
  )
  await ctx.later('committee.mail', { messageId })
}

/**
 * Asks each payer of a levy for a part, once: what the meeting decided, how much by when, and where to pay it.
 */
export async function askLevy(
  ctx: Ctx,
  { id }: z.output<typeof calls.askLevy.input>,
): Promise<{ sent: number; withoutMail: number }> {
  const levy = await levyOf(ctx, id)
  if (!levy) throw fail('kit.notFound')
  const house = await houseOf(ctx, levy.buildingId, true)
  const debtors = await debtorsOf(
    ctx,
    house.id,
    sql`d.levy_id = ${id} and not exists (select 1 from committee_levy_asks a
      where a.company_id = d.company_id and a.levy_id = d.levy_id and a.customer_id = d.payer_id)`,
  )
  if (!debtors.length) throw fail('committee.allAsked')
  let [sent, withoutMail] = [0, 0]
  for (const one of debtors) {
    if (!one.email) {
      withoutMail++
      continue
    }
    const messageId = newId()
    const more = {
      levy: levy.name,
      day: formatDay(levy.decidedOn),
      count: one.count,
      month: `${one.first.slice(5, 7)}/${one.first.slice(0, 4)}`,
      link: await tenantAddress(ctx, house.id, one.customerId),
    }
    await write(ctx, one, { messageId, kind: 'letter', house, subject: 'askSubject', text: 'ask', more })
    await sql`insert into committee_levy_asks (company_id, levy_id, customer_id, message_id)
      values (${ctx.companyId}, ${id}, ${one.customerId}, ${messageId})`.execute(ctx.tx)
    sent++
  }
  await ctx.audit('committee.askLevy', 'committeelevies', id, undefined, {
    name: levy.name,
    sent,
    withoutMail,
  })
  return { sent, withoutMail }
}

interface Written {
  sent: number
  recently: number
  withoutMail: number
  copies: number
}

/**
 * Neighbours write politely, and nobody twice in a week; what is of this month alone is no debt yet, but an
 * instalment that a meeting set is.
 */
export async function remind(
  ctx: Ctx,
  { id, customers, levyId }: z.output<typeof calls.remindTenants.input>,
): Promise<Written> {
  const house = await houseOf(ctx, id)
  const levy = levyId ? await levyOf(ctx, levyId) : undefined
  if (levyId && levy?.buildingId !== id) throw failField('levyId', 'fields.ref')
  const written = await writeToDebtors(ctx, house, { levy, customers })
  if (!written) throw fail('committee.nobodyOwes')
  return written
}

/** The letters of one time; undefined where nobody owes. */
async function writeToDebtors(
  ctx: Ctx,
  house: House,
  { levy, customers }: { levy?: LevyFacts | undefined; customers?: readonly string[] | undefined } = {},
): Promise<Written | undefined> {
  const owed = levy
    ? sql`d.levy_id = ${levy.id} and d.month <= ${ctx.today}`
    : sql`d.month < ${`${ctx.today.slice(0, 7)}-01`}`
  const meant = sql`${owed} ${customers ? sql`and d.payer_id = any(${customers}::uuid[])` : sql``}`
  const debtors = await debtorsOf(ctx, house.id, meant)
  if (!debtors.length) return undefined
  const week = addDays(ctx.today, -weekday(ctx.today))
  let [sent, recently, withoutMail] = [0, 0, 0]
  for (const one of debtors) {
    if (!one.email) {
      withoutMail++
      continue
    }
    const messageId = newId()
    if (!(await isFirst(ctx, house.id, one, week, messageId))) {
      recently++
      continue
    }
    const more: Record<string, string> = levy
      ? { levy: levy.name, link: await tenantAddress(ctx, house.id, one.customerId) }
      : {}
    await write(ctx, one, {
      messageId,
      kind: 'reminder',
      house,
      subject: 'subject',
      text: levy ? 'levy' : 'text',
      more,
    })
    sent++
  }
  const copies =
    house.ownerCopyDays === null
      ? 0
      : await tellOwners(
          ctx,
          house,
          sql`${meant} and d.month <= ${addDays(ctx.today, -house.ownerCopyDays)}`,
          week,
        )
  await ctx.audit('committee.remind', 'committeebuildings', house.id, undefined, {
    ...(levy ? { levy: levy.name } : {}),
    sent,
    recently,
    withoutMail,
    copies,
  })
  return { sent, recently, withoutMail, copies }
}

/** Letters go at nine in the morning. */
const hour = 9

/**
 * Sets how often a house reminds automatically and from which day on; the first emails are sent on the next day of
 * that rhythm.
 */
export async function setReminders(
  ctx: Ctx,
  { id, every, firstDay }: z.output<typeof calls.setReminders.input>,
): Promise<{ nextOn: Day | null }> {
  await houseOf(ctx, id, true)
  // Of today only while its hour has not come.
  const after = momentAt(ctx.today, hour) > ctx.now ? addDays(ctx.today, -1) : ctx.today
  const nextOn = every === 'never' ? null : nextReminder(every, firstDay, after)
  await sql`update committee_buildings set remind_every = ${every === 'never' ? null : every},
      remind_from = ${nextOn && firstDay}, remind_on = ${nextOn}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ordered(ctx, reminderKind, id)
  await endApproval(ctx, reminderKind, id)
  await ctx.audit('committee.setReminders', 'committeebuildings', id, undefined, {
    every,
    ...(nextOn ? { firstDay } : {}),
  })
  return { nextOn }
}

/**
 * Houses whose day of reminders has come. A house that was away for long writes once, not once for each day
 * it missed.
 */
export const dueReminders: Schedule = {
  table: 'committee_buildings',
  key: 'id',
  alive: sql`t.archived_at is null and t.remind_on is not null and not ${isAsked(reminderKind)}`,
  at: sql`(t.remind_on + make_interval(hours => ${hour})) at time zone 'Asia/Jerusalem'`,
  serve: async (ctx, id) => {
    const { rows } = await sql<{
      every: ReminderRhythm
      from: Day
      on: Day
    }>`select remind_every as every, remind_from as from, remind_on as on from committee_buildings
      where company_id = ${ctx.companyId} and id = ${id} and archived_at is null and remind_on is not null for
      update`.execute(ctx.tx)
    const [set] = rows
    if (!set || momentAt(set.on, hour) > ctx.now) return false
    if (!(await isWithin(ctx, reminderKind, id, 'send', { agorot: 0 }))) return false
    const house = await houseOf(ctx, id)
    const written = await writeToDebtors(await asOrdered(ctx, reminderKind, id), house)
    // The person who collects hears what went, and of whom there is no way to write.
    if (written && (written.sent || written.withoutMail))
      await ring(
        ctx,
        'committee.reminded',
        { entity: 'committeebuildings', id },
        { house: house.name, sent: written.sent, withoutMail: written.withoutMail },
        await collectors(ctx),
      )
    await sql`update committee_buildings set remind_on = ${nextReminder(set.every, set.from, ctx.today)}
      where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
    return true
  },
}

/** Whether the payer had no email of the house in this week yet. */
async function isFirst(
  ctx: Ctx,
  buildingId: string,
  { customerId, agorot }: Debtor,
  week: Day,
  messageId: string,
): Promise<boolean> {
  const { rows } =
    await sql`insert into committee_reminders (company_id, id, building_id, customer_id, week, agorot,
        message_id)
    values (${ctx.companyId}, ${newId()}, ${buildingId}, ${customerId}, ${week}, ${agorot}, ${messageId})
    on conflict (company_id, building_id, customer_id, week) do nothing returning 1`.execute(ctx.tx)
  return rows.length > 0
}

/**
 * Owners are informed of old debts of the payers of their flats, also where a payer has no email address; of flats
 * they do not own, nothing.
 */
async function tellOwners(ctx: Ctx, house: House, meant: RawBuilder<unknown>, week: Day): Promise<number> {
  const { rows } = await sql<
    Debtor & { payer: string }
  >`select o.customer_id as "customerId", p.name, p.email, p.language, sum(d.agorot - d.paid_agorot)::bigint
      as agorot, count(distinct d.month)::int as count,
      min(d.month) as first, string_agg(distinct concat_ws('/', nullif(f.entrance, ''), f.number), ', ') as
      flats, string_agg(distinct y.name, ', ') as payer
    from committee_dues d join committee_flats f on f.company_id = d.company_id and f.id = d.flat_id
    join parties y on y.company_id = d.company_id and y.id = d.payer_id
      join committee_people o on o.company_id = d.company_id and o.flat_id = d.flat_id and o.role = 'owner'
        and o.customer_id <> d.payer_id and o.archived_at is null
        and o.from_day <= ${ctx.today} and (o.to_day is null or o.to_day >= ${ctx.today})
        -- What was owed before he owned it is not his to know.
        and d.month >= date_trunc('month', o.from_day)
      join parties p on p.company_id = o.company_id and p.id = o.customer_id
    where d.company_id = ${ctx.companyId} and f.building_id = ${house.id} and d.paid_agorot < d.agorot
      and p.email is not null and ${meant}
    group by o.customer_id, p.name, p.email, p.language order by p.name`.execute(ctx.tx)
  let copies = 0
  for (const one of rows) {
    const messageId = newId()
    if (!(await isFirst(ctx, house.id, one, week, messageId))) continue
    const more = { payer: one.payer, month: `${one.first.slice(5, 7)}/${one.first.slice(0, 4)}` }
    await write(ctx, one, {
      messageId,
      kind: 'reminder',
      house,
      subject: 'ownerSubject',
      text: 'owner',
      more,
    })
    copies++
  }
  return copies
}

export const mailJob: Job = (ctx, { messageId }, isLast) =>
  deliverQueued(ctx, String(messageId), isLast, async () => ({ from: await companyOf(ctx) }))

registerOrders(reminderKind, {
  rule: 'committee.change',
  entity: 'committeebuildings',
  describe: describeHouses,
  next: async (ctx, ids) => {
    const { rows } = await sql<{ id: string }>`select id from committee_buildings
      where company_id = ${ctx.companyId} and id = any (${ids}::uuid[]) and archived_at is null
        and remind_on is not null`.execute(ctx.tx)
    return rows.map(({ id }) => ({ id, does: [{ effect: 'send', agorot: 0 }] }))
  },
  goOn: (ctx, id) => freeRow(ctx, dueReminders, id),
  stop: async (ctx, id) =>
    void (await sql`update committee_buildings set remind_every = null, remind_from = null, remind_on = null,
      updated_at = now() where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)),
})
