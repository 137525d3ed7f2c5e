import { sql } from 'kysely'
import type { App } from '#kit/server/context.ts'
import { everyRound } from '#kit/server/work/dueRows.ts'
import { implement, implementOpen, type Implementation } from '#kit/server/contract/implement.ts'
import { serveResource } from '#kit/server/described/resources.ts'
import { oneRow, seesRow } from '#kit/server/data/lists.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import { registerAttachable } from '#features/base/files/server/index.ts'
import { registerFollower } from '#features/registers/parties/server/index.ts'
import { registerBell } from '#features/people/bell/server/index.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import './leaves.ts'
import './events.ts'
import { allBoards, changeBoard, createBoard, dropBoard } from './boards.ts'
import { boardCards, openTasks } from './cards.ts'
import {
  addItem,
  changeItem,
  comment,
  dropItem,
  finish,
  move,
  quick,
  refold,
  watch,
  whole,
} from './actions.ts'
import { endFeed, feedFile, feedState, makeFeed } from './feed.ts'
import { lookEverywhere, makersFor, setMaker } from './makers.ts'
import { bringBack, remind } from './reminders.ts'
import { served, settle } from './served.ts'
import { dropTeam, saveTeam, teams } from './teams.ts'

export { makeTask } from './actions.ts'
export { rankFor, type Ordered } from './order.ts'
export { checkMember, leadsSeen, widthOf } from './sight.ts'
export { showTasks } from './demo.ts'
export { myDay } from './sight.ts'

for (const kind of [
  'task.given',
  'task.mentioned',
  'task.commented',
  'task.done',
  'task.ready',
  'task.reminder',
])
  registerBell(kind, 'tasks.see')

registerAttachable('tasks', {
  see: 'tasks.see',
  change: 'tasks.change',
  table: 'tasks',
  may: seesRow(served),
})

// What there is to do for a merged customer is to do for the one who stays.
registerFollower('customer', async (ctx, keepId, gone) => {
  await sql`update tasks set customer_id = ${keepId}, updated_at = now() where company_id = ${ctx.companyId}
      and customer_id = any(${[...gone]}::uuid[])`.execute(ctx.tx)
})

const done = { done: true as const }
const described = serveResource(served).map((one): Implementation => {
  const { name } = one.endpoint
  if (name !== 'tasks.create' && name !== 'tasks.change') return one
  return {
    ...one,
    inside: async (ctx, input: { id?: string }) => {
      const before = input.id ? await oneRow<Record<string, unknown>>(ctx, served, input.id) : undefined
      const row = (await one.inside!(ctx, input as never)) as Record<string, unknown>
      await settle(ctx, row, before)
      await refold(ctx, String(row.id))
      return oneRow(ctx, served, String(row.id))
    },
  }
})

export const implementations: Implementation[] = [
  implement(calls.listBoards, async (ctx) => ({ rows: await allBoards(ctx) })),
  implement(calls.createBoard, createBoard),
  implement(calls.changeBoard, changeBoard),
  implement(calls.dropBoard, async (ctx, { id }) => {
    await dropBoard(ctx, id)
    return done
  }),
  implement(calls.boardCards, boardCards),
  // Fixed words of the path stand before `{id}`.
  implement(calls.openTasks, openTasks),
  implement(calls.listMakers, async (ctx) => ({ rows: await makersFor(ctx) })),
  implement(calls.setMaker, setMaker),
  implement(calls.feedState, feedState),
  implement(calls.makeFeed, makeFeed),
  implement(calls.endFeed, endFeed),
  implementOpen(calls.feedFile, feedFile),
  implement(calls.quickTask, quick),
  ...described,
  implement(calls.moveTask, move),
  implement(calls.wholeTask, whole),
  implement(calls.finishTask, finish),
  implement(calls.commentTask, comment),
  implement(calls.watchTask, async (ctx, given) => {
    await watch(ctx, given)
    return done
  }),
  implement(calls.addItem, addItem),
  implement(calls.changeItem, async (ctx, given) => {
    await changeItem(ctx, given)
    return done
  }),
  implement(calls.dropItem, async (ctx, given) => {
    await dropItem(ctx, given)
    return done
  }),
  implement(calls.listTeams, async (ctx) => ({ rows: await teams(ctx) })),
  implement(calls.saveTeam, saveTeam),
  implement(calls.dropTeam, async (ctx, { id }) => {
    await dropTeam(ctx, id)
    return done
  }),
]

const minute = 60_000

/** Every process looks each minute for whom to remind, and every ten for what is made automatically. */
export function start(app: App): Promise<() => Promise<void>> {
  const stops = [
    everyRound(app, 'reminders of tasks', minute, (isOver) => remind(app, isOver)),
    everyRound(app, 'tasks that come back', 10 * minute, (isOver) => bringBack(app, { isOver })),
    everyRound(app, 'tasks that follow from what happened', 10 * minute, (isOver) =>
      lookEverywhere(app, isOver),
    ),
  ]
  return Promise.resolve(async () => void (await Promise.all(stops.map((stop) => stop()))))
}

export const machines: Machines = {
  'timer index.ts': [
    { inside: 'reminds people of their tasks' },
    { inside: 'tasks that come back' },
    { inside: 'tasks that follow from what happened' },
  ],
}
