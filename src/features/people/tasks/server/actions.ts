import { sql } from 'kysely'
import { fold } from '#domain/fold.ts'
import { readQuickTask } from '#domain/tasks/quickEntry.ts'
import { nextDay } from '#domain/tasks/repeat.ts'
import { fail } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { oneRow } from '#kit/server/data/lists.ts'
import { create } from '#kit/server/described/resources.ts'
import { ring } from '#features/people/bell/server/index.ts'
import type { TaskCard } from '../endpoints.ts'
import { oneBoard } from './boards.ts'
import { oneCard } from './cards.ts'
import { rankFor } from './order.ts'
import { served, settle, taskOrder } from './served.ts'
import { checkMember } from './sight.ts'

interface Stored {
  id: string
  title: string
  version: number
  board_id: string
  column_id: string
  owner_id: string | null
  created_by: string
  watchers: string[]
  done_at: string | null
  due_day: string | null
  repeat: string | null
  repeat_when: 'done' | 'day'
  repeat_from: 'rule' | 'done'
  series_id: string | null
  series_day: string | null
}

/** The task, locked, as far as this caller sees it. */
async function locked(ctx: Ctx, id: string): Promise<Stored> {
  await oneRow(ctx, served, id)
  const { rows } = await sql<Stored>`select * from tasks where company_id = ${ctx.companyId} and id = ${id}
        and archived_at is null for update`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

async function columnOf(ctx: Ctx, id: string) {
  // Filling the last place of a column locks the column until the transaction ends.
  const { rows } = await sql<{
    id: string
    board_id: string
    name: string
    card_limit: number | null
    is_done: boolean
  }>`select c.* from board_columns c
    join boards b on b.company_id = c.company_id and b.id = c.board_id and b.archived_at is null
    where c.company_id = ${ctx.companyId} and c.id = ${id}
    for update of c`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

async function checkRoom(
  ctx: Ctx,
  column: { id: string; name: string; card_limit: number | null },
): Promise<void> {
  if (column.card_limit === null) return
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from tasks where company_id = ${ctx.companyId} and column_id = ${column.id}
      and archived_at is null`.execute(ctx.tx)
  if (rows[0]!.n >= column.card_limit)
    throw fail('tasks.columnFull', { name: column.name, limit: column.card_limit })
}

export async function move(
  ctx: Ctx,
  {
    id,
    version,
    columnId,
    afterId,
    beforeId,
  }: { id: string; version: number; columnId: string; afterId: string | null; beforeId: string | null },
): Promise<TaskCard> {
  const task = await locked(ctx, id)
  if (task.version !== version) throw fail('tasks.moved', { card: JSON.stringify(await oneCard(ctx, id)) })
  const column = await columnOf(ctx, columnId)
  if (task.column_id !== columnId) await checkRoom(ctx, column)
  const rank = await rankFor(ctx, taskOrder, id, { columnId, afterId, beforeId })
  await sql`update tasks set board_id = ${column.board_id}, column_id = ${columnId}, rank = ${rank},
      updated_at = now() where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('tasks.move', 'tasks', id, { columnId: task.column_id }, { columnId })
  if (column.is_done !== (task.done_at !== null)) await setDone(ctx, task, column.is_done)
  return oneCard(ctx, id)
}

/** Done, or open again, by a tick: the card goes to the column that says so. */
export async function finish(ctx: Ctx, { id, done }: { id: string; done: boolean }): Promise<TaskCard> {
  const task = await locked(ctx, id)
  if ((task.done_at !== null) === done) return oneCard(ctx, id)
  const column = (await oneBoard(ctx, task.board_id)).columns.find(({ isDone }) => isDone === done)!
  const rank = await rankFor(ctx, taskOrder, id, { columnId: column.id })
  await sql`update tasks set column_id = ${column.id}, rank = ${rank}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await setDone(ctx, task, done)
  return oneCard(ctx, id)
}

async function setDone(ctx: Ctx, task: Stored, isDone: boolean): Promise<void> {
  await sql`update tasks set done_at = ${isDone ? ctx.now.toISOString() : null},
      done_by = ${isDone ? ctx.caller.userId : null}
    where company_id = ${ctx.companyId} and id = ${task.id}`.execute(ctx.tx)
  await ctx.audit(isDone ? 'tasks.done' : 'tasks.reopen', 'tasks', task.id, undefined, { title: task.title })
  if (!isDone) return
  const thing = { entity: 'tasks', id: task.id }
  await ring(ctx, 'task.done', thing, { title: task.title }, [task.created_by, ...task.watchers])
  const { rows: waiting } = await sql<{
    id: string
    title: string
    owner_id: string | null
  }>`select id, title, owner_id from tasks
    where company_id = ${ctx.companyId} and waits_for_id = ${task.id} and done_at is null
      and archived_at is null`.execute(ctx.tx)
  for (const one of waiting)
    await ring(ctx, 'task.ready', { entity: 'tasks', id: one.id }, { title: one.title }, [one.owner_id])
  if (task.repeat && task.repeat_when === 'done') await makeNext(ctx, task)
}

/** The next of a series, once for each of its days: the same work with an unticked list. */
export async function makeNext(ctx: Ctx, task: Stored): Promise<string | undefined> {
  if (!task.repeat || !task.due_day) return undefined
  const anchor = task.series_day ?? task.due_day
  // What was done late does not come back for each day that was missed.
  const day =
    task.repeat_from === 'done'
      ? nextDay(task.repeat, ctx.today, ctx.today)
      : nextDay(task.repeat, await firstDay(ctx, task), anchor < ctx.today ? ctx.today : anchor)
  const column = (await oneBoard(ctx, task.board_id)).columns.find(({ isDone }) => !isDone)!
  const rank = await rankFor(ctx, taskOrder, null, { columnId: column.id })
  const id = newId()
  const { rows } = await sql<{
    id: string
  }>`insert into tasks (company_id, id, title, notes, owner_id, created_by, watchers, due_day, due_time,
      priority, board_id, column_id, rank,
      repeat, repeat_when, repeat_from, series_id, series_day, remind_minutes, customer_id, lead_id,
      document_id, expense_id, project_id, folded)
    select company_id, ${id}, title, notes, owner_id, created_by, watchers, ${day}::date, due_time, priority,
      board_id, ${column.id}, ${rank}, repeat, repeat_when,
      repeat_from, coalesce(series_id, id), ${day}::date, remind_minutes, customer_id, lead_id, document_id,
      expense_id, project_id, folded
    from tasks where company_id = ${ctx.companyId} and id = ${task.id}
    on conflict (company_id, series_id, series_day) where series_id is not null do nothing
    returning id`.execute(ctx.tx)
  if (!rows[0]) return undefined
  await sql`insert into task_items (company_id, task_id, id, text, position)
    select company_id, ${id}, new_event_id(), text, position from task_items
    where company_id = ${ctx.companyId} and task_id = ${task.id}`.execute(ctx.tx)
  await ctx.audit('tasks.create', 'tasks', id, undefined, { title: task.title })
  return id
}

/** From where the days of a rule are counted. */
async function firstDay(ctx: Ctx, task: Stored): Promise<string> {
  const { rows } = await sql<{
    day: string | null
  }>`select min(series_day) as day from tasks where company_id = ${ctx.companyId}
      and series_id = ${task.series_id}`.execute(ctx.tx)
  return rows[0]?.day ?? task.due_day!
}

interface Quick {
  text: string
  columnId?: string | undefined
  boardId?: string | undefined
  customerId?: string | undefined
  leadId?: string | undefined
  documentId?: string | undefined
}

export async function quick(ctx: Ctx, { text, columnId, boardId, ...about }: Quick): Promise<TaskCard> {
  const said = readQuickTask(text, ctx.today)
  const ownerId = said.owner ? await personNamed(ctx, said.owner) : undefined
  const values: Record<string, unknown> = {
    // A name nobody has is a part of the title.
    title: said.owner && !ownerId ? `${said.title} @${said.owner}`.slice(0, 300) : said.title,
    dueDay: said.day ?? null,
    dueTime: said.time ?? null,
    priority: said.isUrgent ? 'high' : 'normal',
    repeat: said.repeat ?? null,
    ...(said.time ? { remindMinutes: 15 } : {}),
    ...(ownerId ? { ownerId } : {}),
    ...about,
  }
  if (columnId) {
    const column = await columnOf(ctx, columnId)
    await checkRoom(ctx, column)
    Object.assign(values, { boardId: column.board_id, columnId })
  } else if (boardId) {
    const board = await oneBoard(ctx, boardId)
    Object.assign(values, { boardId, columnId: board.columns.find(({ isDone }) => !isDone)!.id })
  }
  const row = await makeTask(ctx, values)
  return finishIfDone(ctx, row)
}

async function finishIfDone(ctx: Ctx, row: Record<string, unknown>): Promise<TaskCard> {
  const id = String(row.id)
  const { rows } = await sql<{
    is_done: boolean
  }>`select is_done from board_columns where company_id = ${ctx.companyId}
      and id = ${String(row.columnId)}`.execute(ctx.tx)
  if (rows[0]?.is_done) await setDone(ctx, await locked(ctx, id), true)
  return oneCard(ctx, id)
}

/** Makes a task with everything that hangs on it; `values` as the described fields have them. */
export async function makeTask(ctx: Ctx, values: Record<string, unknown>): Promise<Record<string, unknown>> {
  const row = (await create(ctx, served, values)) as Record<string, unknown>
  await settle(ctx, row)
  await refold(ctx, String(row.id))
  return row
}

export async function refold(ctx: Ctx, id: string): Promise<void> {
  const row = await oneRow<Record<string, unknown>>(ctx, served, id)
  const said = fold(
    [row.title, row.customerIdName, row.projectIdName, row.leadIdName, row.notes]
      .map((one) => String(one ?? ''))
      .join(' '),
  ).slice(0, 4000)
  await sql`update tasks set folded = ${said}, version = version - 1 where company_id = ${ctx.companyId}
      and id = ${id} and folded <> ${said}`.execute(ctx.tx)
}

/** Members by name: the whole one, or a first name that one of them alone has. */
async function people(ctx: Ctx): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{
    id: string
    name: string
  }>`select id, name from agents where company_id = ${ctx.companyId}`.execute(ctx.tx)
  return rows
}
const bare = (name: string) => fold(name).replaceAll(/[\s._-]+/g, '')

async function personNamed(ctx: Ctx, typed: string): Promise<string | undefined> {
  const wanted = bare(typed)
  const all = await people(ctx)
  const whole = all.filter(({ name }) => bare(name) === wanted)
  const first = all.filter(({ name }) => bare(name.split(/\s+/)[0]!) === wanted)
  return whole.length === 1 ? whole[0]!.id : first.length === 1 ? first[0]!.id : undefined
}

export async function comment(
  ctx: Ctx,
  { id, text }: { id: string; text: string },
): Promise<{ id: string; mentioned: string[] }> {
  const row = await oneRow<Record<string, unknown>>(ctx, served, id)
  const mentioned: string[] = []
  const folded = fold(text)
  const all = await people(ctx)
  for (const one of all) {
    const [first = ''] = one.name.split(/\s+/)
    const isOnly = all.filter(({ name }) => fold(name.split(/\s+/)[0]!) === fold(first)).length === 1
    if (
      folded.includes(`@${fold(one.name)}`) ||
      (isOnly &&
        new RegExp(`@${fold(first).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}\\p{N}])`, 'u').test(
          folded,
        ))
    )
      mentioned.push(one.id)
  }
  const commentId = newId()
  await sql`insert into task_comments (company_id, task_id, id, text, mentions, by_user)
    values (${ctx.companyId}, ${id}, ${commentId}, ${text}, ${mentioned}::uuid[],
      ${ctx.caller.userId})`.execute(ctx.tx)
  // The person who was called upon sees it from now on.
  if (mentioned.length)
    await sql`update tasks
      set watchers = (select array_agg(distinct one) from unnest(watchers || ${mentioned}::uuid[]) one),
        version = version - 1
      where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('tasks.comment', 'tasks', id)
  const thing = { entity: 'tasks', id }
  const said = { title: String(row.title), text: text.slice(0, 200) }
  await ring(ctx, 'task.mentioned', thing, said, mentioned)
  const others = [row.ownerId, row.createdBy, ...(row.watchers as string[])]
    .map((one) => one as string | null)
    .filter((one) => !mentioned.includes(String(one)))
  await ring(ctx, 'task.commented', thing, said, others)
  return { id: commentId, mentioned }
}

export async function watch(
  ctx: Ctx,
  { id, people: given }: { id: string; people: string[] },
): Promise<void> {
  const task = await locked(ctx, id)
  const wanted = [...new Set(given)]
  await checkMember(ctx, 'people', wanted)
  await sql`update tasks set watchers = ${wanted}::uuid[], updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('tasks.watch', 'tasks', id, { watchers: task.watchers }, { watchers: wanted })
}

const mostItems = 200

export async function addItem(
  ctx: Ctx,
  { id, text }: { id: string; text: string },
): Promise<{ itemId: string }> {
  await locked(ctx, id)
  const { rows } = await sql<{
    n: number
    last: number
  }>`select count(*)::int as n, coalesce(max(position), -1)::int as last from task_items
    where company_id = ${ctx.companyId} and task_id = ${id}`.execute(ctx.tx)
  if (rows[0]!.n >= mostItems) throw fail('kit.tooMuch')
  const itemId = newId()
  await sql`insert into task_items (company_id, task_id, id, text, position)
    values (${ctx.companyId}, ${id}, ${itemId}, ${text}, ${rows[0]!.last + 1})`.execute(ctx.tx)
  await ctx.audit('tasks.items', 'tasks', id, undefined, { text })
  return { itemId }
}

export async function changeItem(
  ctx: Ctx,
  {
    id,
    itemId,
    text,
    done,
  }: { id: string; itemId: string; text?: string | undefined; done?: boolean | undefined },
): Promise<void> {
  await oneRow(ctx, served, id)
  const { rows } = await sql`update task_items set text = coalesce(${text ?? null}, text),
      done_at = case when ${done ?? null}::boolean is null then done_at when ${done ?? null}::boolean then
      coalesce(done_at, now()) end
    where company_id = ${ctx.companyId} and task_id = ${id} and id = ${itemId} returning id`.execute(ctx.tx)
  if (!rows.length) throw fail('kit.notFound')
  await ctx.audit('tasks.items', 'tasks', id, undefined, { itemId, text, done })
}

export async function dropItem(ctx: Ctx, { id, itemId }: { id: string; itemId: string }): Promise<void> {
  await oneRow(ctx, served, id)
  const { rows } = await sql`delete from task_items where company_id = ${ctx.companyId} and task_id = ${id}
        and id = ${itemId} returning id`.execute(ctx.tx)
  if (!rows.length) throw fail('kit.notFound')
  await ctx.audit('tasks.items', 'tasks', id, { itemId })
}

export async function whole(ctx: Ctx, { id }: { id: string }) {
  const task = await oneRow<Record<string, unknown>>(ctx, served, id)
  const [items, comments, watchers, giver] = await Promise.all([
    sql<{
      id: string
      text: string
      done: boolean
    }>`select id, text, done_at is not null as done from task_items where company_id = ${ctx.companyId}
        and task_id = ${id} order by position, id`.execute(ctx.tx),
    sql<{
      id: string
      by: string | null
      byId: string
      text: string
      at: string
    }>`select c.id, u.full_name as by, c.by_user as "byId", c.text, c.created_at as at from task_comments c
      left join users u on u.id = c.by_user where c.company_id = ${ctx.companyId} and c.task_id = ${id}
      order by c.created_at, c.id limit 500`.execute(ctx.tx),
    sql<{
      id: string
      name: string
    }>`select a.id, a.name from agents a where a.company_id = ${ctx.companyId}
        and a.id = any (${task.watchers as string[]}::uuid[]) order by a.name`.execute(ctx.tx),
    sql<{ name: string }>`select full_name as name from users where id = ${String(task.createdBy)}`.execute(
      ctx.tx,
    ),
  ])
  return {
    task,
    items: items.rows,
    comments: comments.rows,
    watchers: watchers.rows,
    givenBy: giver.rows[0]?.name ?? null,
  }
}
