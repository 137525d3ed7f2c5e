import { sql, type RawBuilder } from 'kysely'
import { asCaller, systemCaller, type App, type Ctx } from '../context.ts'
import { asSystem } from '../data/db.ts'
import { attempt, everyRound, isResting } from './dueRows.ts'

/**
 * Rows that say when their turn comes. A job may wake them at their minute; but a job is tried eight times
 * within four minutes and is in no backup, so what counts is the row, and the person who sweeps serves what nobody
 * woke.
 */
export interface Schedule {
  table:
    | 'committee_buildings'
    | 'reminder_plans'
    | 'report_plans'
    | 'accountants'
    | 'affiliate_pay_days'
    | 'ticket_messages'
  /**
   * What names a row of a business; a table with one row of each business has no more than its company_id.
   */
  key: 'id' | 'company_id'
  /** Which rows `t` wait for a turn at all, and the moment of the next one. */
  alive: RawBuilder<unknown>
  at: RawBuilder<unknown>
  /** One turn of a row, under its lock; false where none has come. */
  serve: (ctx: Ctx, id: string) => Promise<boolean>
}

/**
 * How long the person who takes a row has for it. What is refused or breaks is tried again after it, for as long as
 * it takes.
 */
const leaseMs = 15 * 60_000
const atOnce = 24
/** Turns of one row in one go. */
const mostTurns = 60

/** Under which name its rows fail. */
const nameOf = ({ table }: Pick<Schedule, 'table'>): string => `schedule.${table}`

const claim = (app: App, schedule: Schedule): Promise<{ company_id: string; id: string }[]> =>
  asSystem(app.db, async (tx) => {
    const { table, key, alive, at } = schedule
    const now = app.now()
    const { rows } = await sql<{
      company_id: string
      id: string
    }>`update ${sql.table(table)} r set leased_until = ${new Date(now.getTime() + leaseMs)}
      from (select t.company_id, t.${sql.ref(key)} as id from ${sql.table(table)} t
        where ${alive} and ${at} <= ${now} and (t.leased_until is null or t.leased_until <= ${now})
          and not ${isResting(app, nameOf(schedule), sql`t.company_id`, sql`t.${sql.ref(key)}::text`)}
        order by ${at} limit ${atOnce} for update of t skip locked) due
      where r.company_id = due.company_id and r.${sql.ref(key)} = due.id
      returning r.company_id, r.${sql.ref(key)} as id`.execute(tx)
    return rows
  })

/**
 * Serves every row whose turn has come, each turn in a separate transaction; one that is refused stops no
 * other, and rests for a growing time. Answers how many turns that were.
 */
export async function serveSchedule(
  app: App,
  schedule: Schedule,
  isOver: () => boolean = () => false,
): Promise<number> {
  let done = 0
  while (!isOver()) {
    const rows = await claim(app, schedule)
    if (rows.length === 0) break
    for (const { company_id: companyId, id } of rows)
      await attempt(app, nameOf(schedule), { companyId, key: id }, async () => {
        for (let turn = 0; turn < mostTurns && !isOver(); turn++) {
          if (!(await asCaller(app, systemCaller(companyId), '', (ctx) => schedule.serve(ctx, id)))) break
          done++
        }
      })
  }
  return done
}

/** Lets a row be taken at once, where its lease was for a turn that did not happen. */
export const freeRow = async (
  ctx: Ctx,
  { table, key }: Pick<Schedule, 'table' | 'key'>,
  id: string,
): Promise<void> =>
  void (await sql`update ${sql.table(table)} set leased_until = null where company_id = ${ctx.companyId}
    and ${sql.ref(key)} = ${id}`.execute(ctx.tx))

/** Looks once a minute, in every process; for the `start` of a feature. */
export const keepServing = (app: App, schedule: Schedule): Promise<() => Promise<void>> =>
  Promise.resolve(
    everyRound(app, `turns of ${schedule.table}`, 60_000, (isOver) => serveSchedule(app, schedule, isOver)),
  )
