import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import type { TaskBoard } from '../endpoints.ts'

interface Given {
  name: string
  lanes: TaskBoard['lanes']
  columns: { id?: string | undefined; name: string; limit: number | null; isDone: boolean }[]
}

async function boardsWhere(ctx: Ctx, id?: string): Promise<TaskBoard[]> {
  const { rows } = await sql<TaskBoard>`select b.id, b.name, b.lanes, b.is_main as "isMain",
        (select coalesce(jsonb_agg(jsonb_build_object('id', c.id,
      'name', c.name, 'limit', c.card_limit, 'isDone', c.is_done) order by c.position, c.id), '[]')
      from board_columns c
      where c.company_id = b.company_id and c.board_id = b.id) as columns
    from boards b where b.company_id = ${ctx.companyId} and b.archived_at is null
      and (${id ?? null}::uuid is null or b.id = ${id ?? null}::uuid)
    order by not b.is_main, b.created_at, b.id`.execute(ctx.tx)
  return rows
}

export async function oneBoard(ctx: Ctx, id: string): Promise<TaskBoard> {
  const [found] = await boardsWhere(ctx, id)
  if (!found) throw fail('kit.notFound')
  return found
}

/** Every board; the main one is made when it is first looked for, in the language of the business. */
export async function allBoards(ctx: Ctx): Promise<TaskBoard[]> {
  const found = await boardsWhere(ctx)
  if (found.some(({ isMain }) => isMain)) return found
  await mainBoard(ctx)
  return boardsWhere(ctx)
}

export async function mainBoard(ctx: Ctx): Promise<TaskBoard> {
  const { rows } = await sql<{
    id: string
  }>`select id from boards where company_id = ${ctx.companyId} and is_main`.execute(ctx.tx)
  if (rows[0]) return oneBoard(ctx, rows[0].id)
  const { language } = await companyOf(ctx)
  const id = newId()
  // Two who come first at once: the key lets one in, and the other begins again and finds it.
  await sql`insert into boards (company_id, id, name, is_main)
    values (${ctx.companyId}, ${id}, ${say(language, 'tasks.main.board')}, true)`.execute(ctx.tx)
  const names = ['todo', 'doing', 'waiting', 'done'] as const
  for (const [position, name] of names.entries())
    await sql`insert into board_columns (company_id, board_id, id, name, position, is_done)
      values (${ctx.companyId}, ${id}, ${newId()}, ${say(language, `tasks.main.${name}`)}, ${position},
        ${name === 'done'})`.execute(ctx.tx)
  return oneBoard(ctx, id)
}

/** Where what is open lies, and where what is done. */
const checkColumns = (columns: Given['columns']): void => {
  if (!columns.some(({ isDone }) => isDone) || columns.every(({ isDone }) => isDone))
    throw fail('tasks.needsDone')
}

export async function createBoard(ctx: Ctx, given: Given): Promise<TaskBoard> {
  checkColumns(given.columns)
  await mainBoard(ctx)
  const id = newId()
  await sql`insert into boards (company_id, id, name, lanes)
    values (${ctx.companyId}, ${id}, ${given.name}, ${given.lanes})`.execute(ctx.tx)
  for (const [position, { name, limit, isDone }] of given.columns.entries())
    await sql`insert into board_columns (company_id, board_id, id, name, position, card_limit, is_done)
      values (${ctx.companyId}, ${id}, ${newId()}, ${name}, ${position}, ${limit}, ${isDone})`.execute(ctx.tx)
  await ctx.audit('boards.create', 'boards', id, undefined, { name: given.name })
  return oneBoard(ctx, id)
}

export async function changeBoard(ctx: Ctx, { id, ...given }: Given & { id: string }): Promise<TaskBoard> {
  checkColumns(given.columns)
  await sql`select 1 from boards where company_id = ${ctx.companyId} and id = ${id} for update`.execute(
    ctx.tx,
  )
  const before = await oneBoard(ctx, id)
  const kept = new Set(given.columns.map((one) => one.id))
  if (given.columns.some((one) => one.id && !before.columns.some((column) => column.id === one.id)))
    throw fail('kit.notFound')
  for (const gone of before.columns.filter((one) => !kept.has(one.id))) {
    const { rows } = await sql`select 1 from tasks where company_id = ${ctx.companyId} and board_id = ${id}
          and column_id = ${gone.id} limit 1`.execute(ctx.tx)
    if (rows.length) throw fail('tasks.columnNotEmpty', { name: gone.name })
    await sql`delete from board_columns where company_id = ${ctx.companyId} and id = ${gone.id}`.execute(
      ctx.tx,
    )
  }
  for (const [position, one] of given.columns.entries()) {
    const old = before.columns.find((column) => column.id === one.id)
    // What lies in it would be done or open all at once without anybody having done it.
    if (old && old.isDone !== one.isDone) {
      const { rows } = await sql`select 1 from tasks where company_id = ${ctx.companyId} and board_id = ${id}
            and column_id = ${old.id} limit 1`.execute(ctx.tx)
      if (rows.length) throw fail('tasks.columnNotEmpty', { name: old.name })
    }
    await (
      one.id
        ? sql`update board_columns set name = ${one.name}, position = ${position}, card_limit = ${one.limit},
            is_done = ${one.isDone}
          where company_id = ${ctx.companyId} and board_id = ${id} and id = ${one.id}`
        : sql`insert into board_columns (company_id, board_id, id, name, position, card_limit, is_done)
          values (${ctx.companyId}, ${id}, ${newId()}, ${one.name}, ${position}, ${one.limit}, ${one.isDone})`
    ).execute(ctx.tx)
  }
  await sql`update boards set name = ${given.name}, lanes = ${given.lanes}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('boards.change', 'boards', id, { name: before.name }, { name: given.name })
  return oneBoard(ctx, id)
}

/**
 * A board goes, its work does not: what was open lies in the first column of the main board, what was done in
 * its last.
 */
export async function dropBoard(ctx: Ctx, id: string): Promise<void> {
  const board = await oneBoard(ctx, id)
  if (board.isMain) throw fail('tasks.mainBoard')
  const main = await mainBoard(ctx)
  const to = (isDone: boolean) => main.columns.find((one) => one.isDone === isDone)!.id
  await sql`update tasks set board_id = ${main.id}, column_id = case
      when done_at is null then ${to(false)}::uuid else ${to(true)}::uuid end, updated_at = now()
    where company_id = ${ctx.companyId} and board_id = ${id}`.execute(ctx.tx)
  await sql`update boards set archived_at = now(), updated_at = now() where company_id = ${ctx.companyId}
      and id = ${id}`.execute(ctx.tx)
  await ctx.audit('boards.drop', 'boards', id, { name: board.name })
}
