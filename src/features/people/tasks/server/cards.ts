import { sql, type RawBuilder } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { fold } from '#domain/fold.ts'
import { can } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import { onlyAllowed } from '#features/sales/documents/server/index.ts'
import type { TaskCard } from '../endpoints.ts'
import { oneBoard } from './boards.ts'
import { seen } from './sight.ts'

const mostOpen = 500
const mostCards = 5000
/** What is done stays on its board so long. */
const doneDays = 14

const columns = sql`t.id, t.title, t.board_id as "boardId", t.column_id as "columnId", t.rank, t.version,
    t.owner_id as "ownerId", u.full_name as "ownerName",
  t.created_by as "createdBy", t.due_day as "dueDay", t.due_time as "dueTime", t.priority, t.repeat,
  t.customer_id as "customerId", p.name as "customerName",
  j.name as "projectName", l.name as "leadName", d.total_agorot as "sumAgorot", d.currency,
  coalesce(i.ticked, 0)::int as ticked, coalesce(i.items, 0)::int as items, coalesce(c.comments, 0)::int as
  comments,
  coalesce(w.done_at is null and w.id is not null, false) as waits, t.done_at as "doneAt",
  t.made_kind as "madeKind"`

/** Names and counts by one look at each table for the whole page, not by one for each card. */
export async function cardsWhere(
  ctx: Ctx,
  condition: RawBuilder<boolean>,
  order: RawBuilder<unknown>,
  limit: number,
): Promise<TaskCard[]> {
  const where = sql.join(
    [sql<boolean>`t.company_id = ${ctx.companyId} and t.archived_at is null`, ...seen(ctx), condition],
    sql` and `,
  )
  const { rows } =
    await sql<TaskCard>`with page as materialized (select t.* from tasks t where ${where} order by ${order}
      limit ${limit}),
    i as (select task_id, count(done_at) as ticked, count(*) as items from task_items
    where company_id = ${ctx.companyId}
      and task_id in (select id from page) group by 1),
    c as (select task_id, count(*) as comments from task_comments where company_id = ${ctx.companyId}
    and task_id in (select id from page) group by 1)
    select ${columns} from page t left join users u on u.id = t.owner_id
      left join parties p on p.company_id = t.company_id and p.id = t.customer_id
      left join projects j on j.company_id = t.company_id and j.id = t.project_id
      left join documents d on d.company_id = t.company_id and d.id = t.document_id
        and ${can(ctx.caller, 'documents.see')}${onlyAllowed(ctx, 'd.type')}
      left join leads l on l.company_id = t.company_id and l.id = t.lead_id
      left join tasks w on w.company_id = t.company_id and w.id = t.waits_for_id
      left join i on i.task_id = t.id left join c on c.task_id = t.id
    order by ${order}`.execute(ctx.tx)
  return rows
}

export async function oneCard(ctx: Ctx, id: string): Promise<TaskCard> {
  const [card] = await cardsWhere(ctx, sql`t.id = ${id}::uuid`, sql`t.id`, 1)
  if (!card) throw fail('kit.notFound')
  return card
}

export async function boardCards(
  ctx: Ctx,
  { id, ids }: { id: string; ids?: string | undefined },
): Promise<{ rows: TaskCard[] }> {
  await oneBoard(ctx, id)
  const wanted = ids?.split(',').filter((one) => /^[0-9a-f-]{36}$/.test(one))
  const chosen = wanted
    ? sql<boolean>`t.id = any (${wanted}::uuid[])`
    : sql<boolean>`(t.done_at is null or t.done_at > now() - ${doneDays} * interval '1 day')`
  return {
    rows: await cardsWhere(ctx, sql`t.board_id = ${id}::uuid and ${chosen}`, sql`t.rank, t.id`, mostCards),
  }
}

interface Asked {
  of: 'mine' | 'waiting' | 'all'
  customerId?: string | undefined
  leadId?: string | undefined
  documentId?: string | undefined
  q?: string | undefined
  done?: 'true' | 'false' | undefined
}

export async function openTasks(ctx: Ctx, asked: Asked): Promise<{ rows: TaskCard[]; today: string }> {
  const me = ctx.caller.userId
  const about = (column: string, id: string | undefined) =>
    id ? [sql<boolean>`t.${sql.ref(column)} = ${id}::uuid`] : []
  const isDone = asked.done === 'true'
  const part = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`
  const conditions = [
    isDone ? sql<boolean>`t.done_at is not null` : sql<boolean>`t.done_at is null`,
    ...(asked.of === 'mine'
      ? [sql<boolean>`t.owner_id = ${me}`]
      : asked.of === 'waiting'
        ? [sql<boolean>`t.created_by = ${me} and t.owner_id is distinct from ${me}`]
        : []),
    ...about('customer_id', asked.customerId),
    ...about('lead_id', asked.leadId),
    ...about('document_id', asked.documentId),
    ...(asked.q?.trim()
      ? [sql<boolean>`(t.folded like ${part(fold(asked.q.trim()))} or t.title ilike ${part(asked.q.trim())})`]
      : []),
  ]
  const order = isDone
    ? sql`t.done_at desc, t.id`
    : sql`t.due_day nulls last, t.due_time nulls last, case t.priority when 'high' then 0 when 'normal' then 1
        else 2 end, t.created_at, t.id`
  return {
    rows: await cardsWhere(ctx, sql.join(conditions, sql` and `) as RawBuilder<boolean>, order, mostOpen),
    today: ctx.today,
  }
}
