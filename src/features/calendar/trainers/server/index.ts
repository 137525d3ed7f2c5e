import { sql } from 'kysely'
import { fail, failField } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import { implement, type Implementation } from '#kit/server/contract/implement.ts'
import { daysBetween } from '#domain/day.ts'
import { registerBell } from '#features/people/bell/server/index.ts'
import {
  deskDay,
  lockedBooking,
  markBooking,
  turnOfBooking,
} from '#features/calendar/bookings/server/index.ts'
import {
  addBlock,
  blocksOf,
  classesWhere,
  dropBlock,
  trainerOf,
} from '#features/calendar/timetable/server/index.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import {
  answerSwap,
  askSwap,
  listSheets,
  makeSheet,
  monthOfTrainer,
  myself,
  ownClass,
  swaps,
  tellEverybody,
} from './actions.ts'

for (const kind of [
  'class.swap',
  'class.swap.accepted',
  'class.swap.approved',
  'class.swap.refused',
  'class.swap.withdrawn',
])
  registerBell(kind, 'calendar.own')

const mostDays = 62

export const implementations: Implementation[] = [
  implement(calls.trainerDay, async (ctx, { day }) => {
    const trainer = (await trainerOf(ctx)) ?? null
    return {
      trainer,
      ...(trainer ? await deskDay(ctx, { day }, trainer.id) : { day: day ?? ctx.today, rows: [] }),
    }
  }),
  implement(calls.trainerWeek, async (ctx, { from, to, all }) => {
    if (to < from) throw failField('to', 'fields.dayOrder')
    if (daysBetween(from, to) >= mostDays) throw failField('to', 'fields.range')
    const trainer = (await trainerOf(ctx)) ?? null
    const { rows: trainers } = await sql<{
      id: string
      name: string
    }>`select id, name from class_trainers where company_id = ${ctx.companyId} and archived_at is null
      order by name, id`.execute(ctx.tx)
    if (!trainer && all !== 'true') return { rows: [], blocks: [], trainer, trainers }
    const whose = all === 'true' ? sql`true` : sql`c.trainer_id = ${trainer!.id}`
    const rows = await classesWhere(
      ctx,
      sql`c.day between ${from} and ${to} and c.state <> 'cancelled' and ${whose}`,
    )
    return {
      rows,
      blocks: await blocksOf(ctx, from, to, all === 'true' ? {} : { trainerId: trainer!.id }),
      trainer,
      trainers,
    }
  }),
  implement(
    calls.trainerMark,
    async (ctx, { id, state, override }) => {
      const { class_id: classId } = await lockedBooking(ctx, id)
      await ownClass(ctx, classId)
      return markBooking(ctx, { id, state, override })
    },
    ({ id }, of) => turnOfBooking(id, of),
  ),
  implement(calls.trainerTell, tellEverybody),
  implement(calls.trainerBlock, async (ctx, given) => {
    const me = await myself(ctx)
    await addBlock(ctx, { ...given, trainerId: me.id, placeId: null })
    return { done: true as const }
  }),
  implement(calls.trainerUnblock, async (ctx, { id }) => {
    const me = await trainerOf(ctx)
    if (!me) throw fail('kit.notFound')
    return dropBlock(ctx, id, me.id)
  }),
  implement(calls.listSwaps, (ctx) => swaps(ctx)),
  implement(calls.askSwap, askSwap),
  implement(calls.answerSwap, answerSwap),
  implement(calls.trainerHistory, async (ctx, { month, trainerId }) => {
    const me = await trainerOf(ctx)
    if (trainerId && trainerId !== me?.id && !can(ctx.caller, 'calendar.pay')) throw fail('trainers.notYours')
    if (!trainerId && !me) throw fail('trainers.none')
    return monthOfTrainer(ctx, trainerId ?? me!.id, month)
  }),
  implement(calls.listSheets, listSheets),
  implement(calls.makeSheet, makeSheet),
]
