import { sql } from 'kysely'
import { fold } from '#domain/fold.ts'
import { isRepeat } from '#domain/tasks/repeat.ts'
import { failAt, failField } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { checkRef } from '#kit/server/data/refs.ts'
import type { ServedResource } from '#kit/server/described/resources.ts'
import { ring } from '#features/people/bell/server/index.ts'
import { tasks } from '../tasks.ts'
import { mainBoard } from './boards.ts'
import { rankFor } from './order.ts'
import { checkMember, leadsSeen, seen } from './sight.ts'

export const taskOrder = { table: 'tasks', column: 'column_id', action: 'tasks.move' } as const

const mostWaits = 50

/** A task that waits for one that waits for it would wait for ever. */
async function checkCircle(ctx: Ctx, id: string, waitsFor: string): Promise<void> {
  let at: string | null = waitsFor
  for (let n = 0; at && n < mostWaits; n++) {
    if (at === id) throw failAt('waitsForId', 'tasks.circle')
    const { rows }: { rows: { next: string | null }[] } = await sql<{
      next: string | null
    }>`select waits_for_id as next from tasks
      where company_id = ${ctx.companyId} and id = ${at}`.execute(ctx.tx)
    at = rows[0]?.next ?? null
  }
}

const nameFrom = (table: string, column: string, name = 'name') =>
  sql<string>`(select x.${sql.ref(name)}::text from ${sql.table(table)} x where x.company_id = t.company_id
      and x.id = t.${sql.ref(column)})`

export const served: ServedResource = {
  resource: tasks,
  forDrafts: { create: true, change: true },
  compute: { isDone: sql`(t.done_at is not null)` },
  refNames: {
    ownerId: sql`(select u.full_name from users u where u.id = t.owner_id)`,
    customerId: nameFrom('parties', 'customer_id'),
    projectId: nameFrom('projects', 'project_id'),
    leadId: nameFrom('leads', 'lead_id'),
    documentId: nameFrom('documents', 'document_id', 'number'),
    expenseId: nameFrom('expenses', 'expense_id', 'supplier_number'),
    waitsForId: nameFrom('tasks', 'waits_for_id', 'title'),
    boardId: nameFrom('boards', 'board_id'),
    columnId: nameFrom('board_columns', 'column_id'),
  },
  extra: { watchers: sql`t.watchers`, createdBy: sql`t.created_by`, madeFor: sql`t.made_for` },
  only: seen,
  search: (q) => {
    const part = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`
    return sql`(t.folded like ${part(fold(q))} or t.title ilike ${part(q)})`
  },
  beforeSave: async (ctx, given, before) => {
    const values = { ...given }
    const now = { ...before, ...values }
    if (!before) values.ownerId ??= ctx.caller.sessionId || ctx.caller.apiKey ? ctx.caller.userId : null
    await checkMember(ctx, 'ownerId', [values.ownerId as string | null])
    await checkRef(ctx, 'customerId', 'parties', values.customerId, sql`role = 'customer'`)
    for (const [field, table] of [
      ['projectId', 'projects'],
      ['documentId', 'documents'],
      ['expenseId', 'expenses'],
      ['waitsForId', 'tasks'],
    ] as const)
      await checkRef(ctx, field, table, values[field])
    if (values.leadId !== before?.leadId)
      await checkRef(ctx, 'leadId', 'leads', values.leadId, leadsSeen(ctx))
    if (values.dueTime && !/^([01]\d|2[0-3]):[0-5]\d$/.test(String(values.dueTime)))
      throw failField('dueTime', 'fields.moment')
    if (values.repeat && !isRepeat(String(values.repeat))) throw failAt('repeat', 'tasks.badRepeat')
    if (now.repeat && !now.dueDay) throw failField('dueDay', 'fields.need')
    if (
      values.remindMinutes != null &&
      (Number(values.remindMinutes) < 0 || Number(values.remindMinutes) > 43_200)
    )
      throw failField('remindMinutes', 'fields.range')
    if (before && values.waitsForId) await checkCircle(ctx, String(before.id), String(values.waitsForId))
    if (!before && !values.columnId) {
      const board = await mainBoard(ctx)
      values.boardId = board.id
      values.columnId = board.columns.find(({ isDone }) => !isDone)!.id
    }
    if (!before) values.rank = await rankFor(ctx, taskOrder, null, { columnId: String(values.columnId) })
    return values
  },
}

/**
 * What hangs on a task that was made or changed beside its fields: its series, its search, and whom it rings
 * for.
 */
export async function settle(
  ctx: Ctx,
  row: Record<string, unknown>,
  before?: Record<string, unknown>,
): Promise<void> {
  const id = String(row.id)
  if (row.repeat && !before?.repeat)
    await sql`update tasks set series_id = coalesce(series_id, ${newId()}),
        series_day = coalesce(series_day, due_day) where company_id = ${ctx.companyId}
        and id = ${id}`.execute(ctx.tx)
  if (row.ownerId && row.ownerId !== before?.ownerId)
    await ring(ctx, 'task.given', { entity: 'tasks', id }, { title: String(row.title) }, [
      String(row.ownerId),
    ])
}
