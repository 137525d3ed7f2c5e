import { sql } from 'kysely'
import { addDays } from '#domain/day.ts'
import type { Ctx } from '#kit/server/context.ts'
import { createBoard, mainBoard } from './boards.ts'
import { addItem, comment, finish, makeTask, move } from './actions.ts'
import { oneCard } from './cards.ts'
import { lookForWork } from './makers.ts'

interface Told {
  title: string
  days?: number
  time?: string
  priority?: 'high' | 'low'
  column?: number
  customer?: number
  repeat?: string
  items?: string[]
  says?: string
}

const told: Told[] = [
  {
    title: 'להתקשר ללקוח על הצעת המחיר',
    days: 0,
    time: '10:30',
    priority: 'high',
    customer: 0,
    says: 'ביקש לחזור אליו לפני הצהריים',
  },
  {
    title: 'להזמין לוח חשמל לעבודה בכרמיאל',
    days: -2,
    priority: 'high',
    column: 1,
    customer: 1,
    items: ['לבדוק מלאי אצל הספק', 'לאשר מחיר', 'לתאם הובלה'],
  },
  { title: 'לשלוח תעודת אחריות', days: 1, customer: 2 },
  { title: 'לתאם ביקורת חשמל', days: 3, time: '09:00', column: 2, customer: 3 },
  {
    title: 'להכין חומר לרואה החשבון',
    days: 6,
    repeat: 'month:2',
    items: ['דפי בנק', 'קבלות של דלק', 'חשבוניות ספקים'],
  },
  { title: 'לחדש ביטוח אחריות מקצועית', days: 20 },
  { title: 'לעדכן מחירון כבלים', priority: 'low' },
  { title: 'גיבוי של קובצי הלקוחות', days: 2, repeat: 'week:1' },
  { title: 'לצלם את הלוח לפני הסגירה', days: -1, column: 3, customer: 1 },
  { title: 'לבדוק הארקה בגן הילדים', days: 0, column: 1, customer: 4, items: ['מד הארקה', 'אישור בודק'] },
]

/**
 * The tasks of a demo business: a board in use, a separate one for jobs, and tasks the product created
 * automatically.
 */
export async function showTasks(ctx: Ctx, customerIds: readonly string[]): Promise<void> {
  const board = await mainBoard(ctx)
  const { rows: mates } = await sql<{
    id: string
    name: string
  }>`select id, name from agents where company_id = ${ctx.companyId} order by name limit 3`.execute(ctx.tx)
  for (const [n, one] of told.entries()) {
    const mate = mates[n % Math.max(1, mates.length)]
    const row = await makeTask(ctx, {
      title: one.title,
      ownerId: n % 3 === 2 ? (mate?.id ?? ctx.caller.userId) : ctx.caller.userId,
      dueDay: one.days === undefined ? null : addDays(ctx.today, one.days),
      dueTime: one.time ?? null,
      priority: one.priority ?? 'normal',
      repeat: one.repeat ?? null,
      remindMinutes: one.time ? 30 : null,
      customerId: one.customer === undefined ? null : (customerIds[one.customer] ?? null),
    })
    const id = String(row.id)
    for (const text of one.items ?? []) await addItem(ctx, { id, text })
    if (one.says) await comment(ctx, { id, text: one.says })
    if (one.column === 3) await finish(ctx, { id, done: true })
    else if (one.column)
      await move(ctx, {
        id,
        version: (await oneCard(ctx, id)).version,
        columnId: board.columns[one.column]!.id,
        afterId: null,
        beforeId: null,
      })
  }
  await createBoard(ctx, {
    name: 'עבודות בשטח',
    lanes: 'owner',
    columns: [
      { name: 'מתוכנן', limit: null, isDone: false },
      { name: 'בביצוע', limit: 4, isDone: false },
      { name: 'נמסר', limit: null, isDone: true },
    ],
  })
  await lookForWork(ctx)
}
