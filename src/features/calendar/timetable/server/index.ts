import { sql } from 'kysely'
import { fail, failField } from '#kit/describe/errors.ts'
import { databaseFailures } from '#kit/server/contract/failures.ts'
import { checkWithin } from '#kit/server/contract/bounds.ts'
import { newId, type App, type Ctx } from '#kit/server/context.ts'
import { everyRound } from '#kit/server/work/dueRows.ts'
import {
  implement,
  implementOpen,
  implementOutside,
  type Implementation,
} from '#kit/server/contract/implement.ts'
import { checkRef } from '#kit/server/data/refs.ts'
import { serveResource } from '#kit/server/described/resources.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import { checkMember } from '#features/people/tasks/server/index.ts'
import * as calls from '../endpoints.ts'
import { classGroups, classKinds, classPlaces, classTrainers } from '../timetable.ts'
import '../rules.ts'
import './leaves.ts'
import './events.ts'
import { conflictsOf, freePlaces, momentOf } from './conflicts.ts'
import { cancelClass, changeClass, createClass, makeAhead, moveClass } from './actions.ts'
import { endFeed, feedFile, makeFeed } from './feed.ts'
import {
  addOutside,
  addOutsideFile,
  dropOutside,
  listOutside,
  readOutside,
  refreshOutside,
} from './outside.ts'
import { blocksOf, list, oneClass } from './read.ts'

export { conflictsOf, momentOf } from './conflicts.ts'
export { makeFeed } from './feed.ts'
export { createClass, lockPlaced, lockedClass, makeAhead } from './actions.ts'
export { registerClassListener, tellClass, type ClassTurn } from './listeners.ts'
export { showOutside } from './demo.ts'
export { readOutside } from './outside.ts'
export { blocksOf, classesWhere, oneClass, trainerOf } from './read.ts'

databaseFailures.PK300 = () => fail('classes.seatsTaken')

const clock = /^([01]\d|2[0-3]):[0-5]\d$/
const checkClock = (field: string, value: unknown): void => {
  if (value && !clock.test(String(value))) throw failField(field, 'classes.notTime')
}

/** A kind, a place or a trainer of classes that are still to be is not put away. */
const stillNeeded =
  (column: string) => async (ctx: Ctx, row: Record<string, unknown>, to: 'archive' | 'restore') => {
    if (to !== 'archive') return
    const { rows } = await sql<{
      n: number
    }>`select count(*)::int as n from classes where company_id = ${ctx.companyId}
        and ${sql.ref(column)} = ${String(row.id)}
    and state = 'planned' and starts_at > ${ctx.now.toISOString()}`.execute(ctx.tx)
    if (rows[0]!.n) throw failField('name', 'classes.inUse', { count: rows[0]!.n })
  }

const named = (table: string, column: string) =>
  sql<string>`(select x.name from ${sql.table(table)} x where x.company_id = t.company_id
      and x.id = t.${sql.ref(column)})`

export async function addBlock(
  ctx: Ctx,
  given: {
    trainerId: string | null
    placeId: string | null
    fromDay: string
    from: string
    toDay: string
    to: string
    why: string
  },
) {
  if ((given.trainerId === null) === (given.placeId === null)) throw failField('trainerId', 'fields.need')
  await checkRef(ctx, 'trainerId', 'class_trainers', given.trainerId)
  await checkRef(ctx, 'placeId', 'class_places', given.placeId)
  if (`${given.toDay} ${given.to}` <= `${given.fromDay} ${given.from}`)
    throw failField('to', 'classes.backwards')
  if (given.toDay > `${Number(given.fromDay.slice(0, 4)) + 1}${given.fromDay.slice(4)}`)
    throw failField('toDay', 'fields.range')
  const id = newId()
  await sql`insert into class_blocks (company_id, id, trainer_id, place_id, starts_at, ends_at, why,
      created_by)
    values (${ctx.companyId}, ${id}, ${given.trainerId}, ${given.placeId},
      ${momentOf(given.fromDay, given.from)}, ${momentOf(given.toDay, given.to)}, ${given.why},
      ${ctx.caller.userId})`.execute(ctx.tx)
  await ctx.audit('classBlocks.create', 'classBlocks', id, undefined, {
    trainerId: given.trainerId,
    placeId: given.placeId,
    from: given.fromDay,
    to: given.toDay,
  })
  return (await blocksOf(ctx, given.fromDay, given.toDay, { id }))[0]!
}

export async function dropBlock(ctx: Ctx, id: string, ofTrainer?: string): Promise<{ done: true }> {
  const { rows } = await sql`delete from class_blocks where company_id = ${ctx.companyId} and id = ${id}
        and outside_id is null ${ofTrainer ? sql`and trainer_id = ${ofTrainer}` : sql``}
        returning id`.execute(ctx.tx)
  if (!rows.length) throw fail('kit.notFound')
  await ctx.audit('classBlocks.delete', 'classBlocks', id)
  return { done: true }
}

export const implementations: Implementation[] = [
  // Fixed words of the path stand before `{id}`.
  implement(calls.listClasses, list),
  implement(calls.checkClass, async (ctx, given) => ({
    rows: await conflictsOf(ctx, given),
    otherPlaces: await freePlaces(ctx, given),
  })),
  implement(calls.makeFeed, makeFeed),
  implement(calls.endFeed, endFeed),
  implement(calls.createClass, createClass),
  implement(calls.getClass, (ctx, { id }) => oneClass(ctx, id)),
  implement(calls.moveClass, moveClass),
  implement(calls.changeClass, changeClass),
  implement(calls.cancelClass, cancelClass),
  implement(calls.addBlock, addBlock),
  implement(calls.dropBlock, (ctx, { id }) => dropBlock(ctx, id)),
  implement(calls.trainerHours, async (ctx, { id }) => {
    const { rows } = await sql<{
      hours: [string, string][][]
    }>`select hours from class_trainers where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
    if (!rows[0]) throw fail('kit.notFound')
    return rows[0]
  }),
  implement(calls.setTrainerHours, async (ctx, { id, hours }) => {
    for (const [n, day] of hours.entries())
      for (const [i, [from, to]] of day.entries())
        if (to <= from || (i > 0 && from < day[i - 1]![1])) throw failField(`hours.${n}`, 'classes.backwards')
    const { rows } =
      await sql`update class_trainers set hours = ${JSON.stringify(hours)}::jsonb, updated_at = now()
        where company_id = ${ctx.companyId} and id = ${id} returning id`.execute(ctx.tx)
    if (!rows.length) throw fail('kit.notFound')
    await ctx.audit('classTrainers.setHours', 'classTrainers', id, undefined, { hours })
    return { done: true as const }
  }),
  implementOpen(calls.classFeed, feedFile),
  implement(calls.listOutside, listOutside),
  implementOutside(calls.addOutside, addOutside),
  implement(calls.addOutsideFile, addOutsideFile),
  implementOutside(calls.refreshOutside, refreshOutside),
  implement(calls.dropOutside, dropOutside),
  ...serveResource({
    resource: classPlaces,
    beforeMove: stillNeeded('place_id'),
    beforeSave: (_ctx, values, before) => {
      const now = { ...before, ...values } as Record<string, unknown>
      checkWithin('seats', values.seats, { min: 1, max: 500 })
      checkClock('opens', values.opens)
      checkClock('closes', values.closes)
      if (now.opens && now.closes && String(now.closes) <= String(now.opens))
        throw failField('closes', 'classes.backwards')
      return Promise.resolve(values)
    },
  }),
  ...serveResource({
    resource: classKinds,
    beforeMove: stillNeeded('kind_id'),
    refNames: { itemId: named('items', 'item_id') },
    beforeSave: async (ctx, values) => {
      await checkRef(ctx, 'itemId', 'items', values.itemId)
      checkWithin('minutes', values.minutes, { min: 5, max: 1440 })
      checkWithin('seats', values.seats, { min: 1, max: 500 })
      checkWithin('priceAgorot', values.priceAgorot, { min: 0, max: 10_000_000 })
      for (const field of ['bufferBefore', 'bufferAfter'])
        checkWithin(field, values[field], { min: 0, max: 240 })
      checkWithin('leadMinutes', values.leadMinutes, { min: 0, max: 20_160 })
      checkWithin('aheadDays', values.aheadDays, { min: 1, max: 365 })
      checkWithin('cancelHours', values.cancelHours, { min: 0, max: 336 })
      checkWithin('strikes', values.strikes, { min: 1, max: 20 })
      for (const field of ['lateFeeAgorot', 'noShowFeeAgorot'])
        checkWithin(field, values[field], { min: 0, max: 10_000_000 })
      checkWithin('debtLimitAgorot', values.debtLimitAgorot, { min: 0, max: 100_000_000 })
      return values.isAppointment === true ? { ...values, seats: 1 } : values
    },
  }),
  ...serveResource({
    resource: classTrainers,
    beforeMove: stillNeeded('trainer_id'),
    refNames: {
      userId: sql`(select u.full_name from users u where u.id = t.user_id)`,
      supplierId: named('parties', 'supplier_id'),
    },
    beforeSave: async (ctx, values, before) => {
      await checkMember(ctx, 'userId', [values.userId as string | null])
      await checkRef(ctx, 'supplierId', 'parties', values.supplierId, sql`role = 'supplier'`)
      checkWithin('payAgorot', values.payAgorot, { min: 0, max: 10_000_000 })
      if (values.userId) {
        const { rows } = await sql`select 1 from class_trainers where company_id = ${ctx.companyId}
              and user_id = ${values.userId} and archived_at is null
          and id is distinct from ${(before?.id as string | undefined) ?? null}::uuid`.execute(ctx.tx)
        if (rows.length) throw failField('userId', 'fields.taken', { name: '' })
      }
      return values
    },
  }),
  ...serveResource({
    resource: classGroups,
    refNames: { kindId: named('class_kinds', 'kind_id') },
    compute: {
      people: sql`(select count(*) from class_group_people p where p.company_id = t.company_id
          and p.group_id = t.id)::int`,
      classes: sql`(select count(*) from classes c where c.company_id = t.company_id and c.group_id = t.id
          and c.state <> 'cancelled')::int`,
    },
    beforeMove: stillNeeded('group_id'),
    beforeSave: async (ctx, values, before) => {
      await checkRef(ctx, 'kindId', 'class_kinds', values.kindId)
      checkWithin('priceAgorot', values.priceAgorot, { min: 0, max: 100_000_000 })
      const now = { ...before, ...values } as { fromDay?: string; toDay?: string | null }
      if (now.toDay && now.fromDay && now.toDay < now.fromDay) throw failField('toDay', 'fields.dayOrder')
      return values
    },
  }),
]

const minute = 60_000

export function start(app: App): Promise<() => Promise<void>> {
  const stops = [
    everyRound(app, 'classes ahead', 60 * minute, (isOver) => makeAhead(app, isOver)),
    everyRound(app, 'calendars elsewhere', minute, (isOver) => readOutside(app, isOver)),
  ]
  return Promise.resolve(async () => void (await Promise.all(stops.map((stop) => stop()))))
}

export const machines: Machines = {
  'timer index.ts': [{ inside: 'classes of a series, ahead' }, { inside: 'reads calendars elsewhere' }],
}
