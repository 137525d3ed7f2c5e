import { sql, type RawBuilder } from 'kysely'
import { formatDay } from '#domain/format.ts'
import { addDays } from '#domain/day.ts'
import { areasOff, type AreaChoice } from '#kit/describe/area.ts'
import { isOff } from '#kit/describe/session.ts'
import type { App, Ctx } from '#kit/server/context.ts'
import { isLive, isType, isUntouched } from '#kit/server/data/documentFacts.ts'
import { dueRows, serveDue } from '#kit/server/work/dueRows.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import type { TaskMaker } from '../endpoints.ts'
import { makerKinds, type MakerKind } from '../tasks.ts'
import { mainBoard } from './boards.ts'
import { makeTask, refold } from './actions.ts'
import { checkMember } from './sight.ts'

/** What a task is made for: `id` is that of the fact, and there is one task for it whatever happens. */
interface Fact {
  id: string
  said: Record<string, string | number>
  customerId?: string | null
  documentId?: string | null
  ownerId?: string | null
}

/** Tasks of a kind that are made in one look; the rest comes with the next. */
const mostAtOnce = 500

const usualDays: Record<MakerKind, number> = {
  quoteUnanswered: 7,
  chequeToDeposit: 0,
  certificateEnding: 30,
  allocationMissing: 1,
  orderFailing: 1,
  treatmentDue: 7,
}

/** Which facts are asked for, by the row's id, and how many at most; null: all of them. */
interface Asked {
  among: (id: RawBuilder<unknown>) => RawBuilder<unknown>
  most: number | null
}

/** The facts there are now; those that are no more take their tasks with them. */
const facts: Record<MakerKind, (ctx: Ctx, days: number, asked: Asked) => Promise<Fact[]>> = {
  quoteUnanswered: async (ctx, days, { among, most }) => {
    const { rows } = await sql<{
      id: string
      number: number
      name: string | null
      day: string
      customer: string | null
      by: string | null
    }>`select d.id, d.number, p.name, d.day,
        d.customer_id as customer, d.created_by as by from documents d left
        join parties p on p.company_id = d.company_id and p.id = d.customer_id
      where d.company_id = ${ctx.companyId} and ${isType('d', 'priceQuote')} and ${isUntouched('d')}
        and d.day <= ${addDays(ctx.today, -days)}::date
        and d.day > ${addDays(ctx.today, -180)}::date and ${among(sql`d.id`)} order by d.day desc
        limit ${most}`.execute(ctx.tx)
    return rows.map((one) => ({
      id: one.id,
      said: { number: one.number, customer: one.name ?? '', day: formatDay(one.day) },
      customerId: one.customer,
      documentId: one.id,
      ownerId: one.by,
    }))
  },
  chequeToDeposit: async (ctx, days, { among, most }) => {
    const { rows } = await sql<{
      id: string
      number: string
      name: string | null
      day: string
      customer: string | null
      document: string
    }>`select y.id, y.number, p.name, y.due_day as day,
        d.customer_id as customer, d.id as document from document_payments y
        join documents d on d.company_id = y.company_id and d.id = y.document_id
        left join parties p on p.company_id = d.company_id and p.id = d.customer_id
      where y.company_id = ${ctx.companyId} and y.means = 2 and y.state = 'received' and y.amount_agorot > 0
        and ${isLive('d')}
        and y.due_day <= ${addDays(ctx.today, days)}::date and y.due_day > ${addDays(ctx.today, -180)}::date
        and ${among(sql`y.id`)} order by y.due_day limit ${most}`.execute(ctx.tx)
    return rows.map((one) => ({
      id: one.id,
      said: { number: one.number, customer: one.name ?? '', day: formatDay(one.day) },
      customerId: one.customer,
      documentId: one.document,
    }))
  },
  certificateEnding: async (ctx, days, { among, most }) => {
    const { rows } = await sql<{
      id: string
      name: string
      day: string
    }>`select w.id, p.name, w.to_day as day from withholding_certificates w
        join parties p on p.company_id = w.company_id and p.id = w.party_id
      where w.company_id = ${ctx.companyId} and w.archived_at is null and p.archived_at is null
        and w.to_day between ${ctx.today}::date and ${addDays(ctx.today, days)}::date
        and not exists (select 1 from withholding_certificates n where n.company_id = w.company_id
        and n.party_id = w.party_id and n.archived_at is null
          and n.to_day > w.to_day) and ${among(sql`w.id`)} order by w.to_day limit ${most}`.execute(ctx.tx)
    return rows.map((one) => ({ id: one.id, said: { supplier: one.name, day: formatDay(one.day) } }))
  },
  allocationMissing: async (ctx, days, { among, most }) => {
    const { rows } = await sql<{
      id: string
      number: number
      name: string | null
      customer: string | null
    }>`select d.id, d.number, p.name, d.customer_id as customer
      from documents d left join allocation_requests r on r.company_id = d.company_id and r.document_id = d.id
        left join parties p on p.company_id = d.company_id and p.id = d.customer_id
      where d.company_id = ${ctx.companyId} and d.allocation_state in ('waiting', 'away', 'refused')
        and coalesce(r.decision, '') in ('', 'objection')
        and ${isLive('d')} and d.day <= ${addDays(ctx.today, -days)}::date
        and ${among(sql`d.id`)} order by d.day desc limit ${most}`.execute(ctx.tx)
    return rows.map((one) => ({
      id: one.id,
      said: { number: one.number, customer: one.name ?? '' },
      customerId: one.customer,
      documentId: one.id,
    }))
  },
  orderFailing: async (ctx, days, { among, most }) => {
    const { rows } = await sql<{
      id: string
      title: string
      name: string
      day: string
      customer: string
    }>`select x.id, o.title, p.name, x.due_day as day, o.customer_id as customer
      from standing_periods x join standing_orders o on o.company_id = x.company_id and o.id = x.order_id
        join parties p on p.company_id = o.company_id and p.id = o.customer_id
      where x.company_id = ${ctx.companyId} and x.state = 'failed'
        and x.due_day <= ${addDays(ctx.today, -days)}::date and ${among(sql`x.id`)} order by x.due_day
        limit ${most}`.execute(ctx.tx)
    return rows.map((one) => ({
      id: one.id,
      said: { order: one.title, customer: one.name, day: formatDay(one.day) },
      customerId: one.customer,
    }))
  },
  treatmentDue: async (ctx, days, { among, most }) => {
    const { rows: companies } = await sql<AreaChoice>`select trades, areas_switched as switched from companies
        where id = ${ctx.companyId}`.execute(ctx.tx)
    if (areasOff(companies[0]!).includes('pest')) return []
    // The treatment that set the next date is the fact: the next one has a separate task.
    const { rows } = await sql<{
      id: string
      site: string
      name: string
      day: string
      customer: string
    }>`select x.id, s.name as site, p.name, s.next_day as day,
        s.customer_id as customer from pest_sites s join parties p on p.company_id = s.company_id
        and p.id = s.customer_id
        join lateral (select t.id from pest_treatments t where t.company_id = s.company_id
          and t.site_id = s.id and t.archived_at is null
          order by t.day desc, t.number desc limit 1) x on true
      where s.company_id = ${ctx.companyId} and s.archived_at is null and p.archived_at is null
        and s.next_day between ${addDays(ctx.today, -180)}::date and ${addDays(ctx.today, days)}::date
        and ${among(sql`x.id`)}
      order by s.next_day limit ${most}`.execute(ctx.tx)
    return rows.map((one) => ({
      id: one.id,
      said: { site: one.site, customer: one.name, day: formatDay(one.day) },
      customerId: one.customer,
    }))
  },
}

/** Kinds of an area that is off are nobody's to set. */
export const makersFor = async (ctx: Ctx): Promise<TaskMaker[]> =>
  (await makers(ctx)).filter(({ kind }) => kind !== 'treatmentDue' || !isOff(ctx.caller, 'pest'))

export async function makers(ctx: Ctx): Promise<TaskMaker[]> {
  const { rows } =
    await sql<TaskMaker>`select kind, is_on as "isOn", days, owner_id as "ownerId" from task_makers
      where company_id = ${ctx.companyId}`.execute(ctx.tx)
  return makerKinds.map(
    (kind) =>
      rows.find((one) => one.kind === kind) ?? { kind, isOn: true, days: usualDays[kind], ownerId: null },
  )
}

export async function setMaker(ctx: Ctx, { kind, isOn, days, ownerId }: TaskMaker): Promise<TaskMaker> {
  await checkMember(ctx, 'ownerId', [ownerId])
  await sql`insert into task_makers (company_id, kind, is_on, days, owner_id)
    values (${ctx.companyId}, ${kind}, ${isOn}, ${days}, ${ownerId})
    on conflict (company_id, kind) do update set is_on = excluded.is_on, days = excluded.days,
      owner_id = excluded.owner_id`.execute(ctx.tx)
  await ctx.audit('tasks.makers', 'boards', null, undefined, { kind, isOn, days })
  return { kind, isOn, days, ownerId }
}

/**
 * Creates missing tasks and closes those that are no longer needed. A task that a person completed stays completed.
 */
export async function lookForWork(ctx: Ctx): Promise<{ made: number; closed: number }> {
  const { language } = await companyOf(ctx)
  const board = await mainBoard(ctx)
  const doneColumn = board.columns.find(({ isDone }) => isDone)!.id
  const owner = await sql<{
    id: string
  }>`select user_id as id from memberships where company_id = ${ctx.companyId} and type_id = 4
      and removed_at is null order by created_at limit 1`.execute(ctx.tx)
  let made = 0
  let closed = 0
  for (const { kind, isOn, days, ownerId } of await makers(ctx)) {
    const fresh = isOn
      ? await facts[kind](ctx, days, {
          among: (id) =>
            sql`not exists (select 1 from tasks k where k.company_id = ${ctx.companyId}
                and k.made_kind = ${kind} and k.made_for = ${id})`,
          most: mostAtOnce,
        })
      : []
    for (const fact of fresh) {
      const { rows: members } = await sql<{
        id: string
      }>`select user_id as id from memberships where company_id = ${ctx.companyId}
        and user_id = any (${[ownerId, fact.ownerId].filter(Boolean)}::uuid[])
        and removed_at is null`.execute(ctx.tx)
      const whose =
        [ownerId, fact.ownerId].find((one) => members.some(({ id }) => id === one)) ??
        owner.rows[0]?.id ??
        null
      const row = await makeTask(ctx, {
        title: say(language, `tasks.made.${kind}`, fact.said).slice(0, 300),
        dueDay: ctx.today,
        ownerId: whose,
        customerId: fact.customerId ?? null,
        documentId: fact.documentId ?? null,
      })
      await sql`update tasks set made_kind = ${kind}, made_for = ${fact.id}
        where company_id = ${ctx.companyId} and id = ${String(row.id)}`.execute(ctx.tx)
      made++
    }
    // Each open task is looked up separately: what is beyond the first page exists all the same.
    const { rows: open } = await sql<{ id: string; made_for: string }>`select id, made_for from tasks
      where company_id = ${ctx.companyId} and made_kind = ${kind} and done_at is null`.execute(ctx.tx)
    const asked = open.map((one) => one.made_for)
    const there =
      isOn && asked.length
        ? await facts[kind](ctx, days, { among: (id) => sql`${id} = any(${asked}::uuid[])`, most: null })
        : []
    const still = new Set(there.map(({ id }) => id))
    for (const gone of open.filter((one) => !still.has(one.made_for))) {
      await sql`update tasks set done_at = ${ctx.now.toISOString()}, board_id = ${board.id},
          column_id = ${doneColumn}, updated_at = now()
        where company_id = ${ctx.companyId} and id = ${gone.id}`.execute(ctx.tx)
      await ctx.audit('tasks.done', 'tasks', gone.id, undefined, { byItself: true })
      await refold(ctx, gone.id)
      closed++
    }
  }
  return { made, closed }
}

const isToLookAt = (now: Date) => sql`b.is_main and b.archived_at is null
    and (b.looked_at is null or b.looked_at < ${now}::timestamptz - interval '1 hour')`

const boardsToLookAt = dueRows({
  name: 'tasks.make',
  due: (app) => sql`select b.company_id, b.id::text as key, coalesce(b.looked_at, '-infinity') as at
    from boards b
    where ${isToLookAt(app.now())}`,
  serve: async (ctx, id) => {
    // The process that takes its turn has it.
    const { rows } = await sql`select 1 from boards b where b.company_id = ${ctx.companyId} and b.id = ${id}
      and ${isToLookAt(ctx.now)} for no key update skip locked`.execute(ctx.tx)
    if (!rows.length) return 0
    await sql`update boards set looked_at = ${ctx.now} where company_id = ${ctx.companyId}
      and id = ${id}`.execute(ctx.tx)
    await lookForWork(ctx)
    return 1
  },
})

/** Looks once an hour for each business that has a board. */
export const lookEverywhere = (app: App, isOver?: () => boolean): Promise<number> =>
  serveDue(app, boardsToLookAt, { isOver })
