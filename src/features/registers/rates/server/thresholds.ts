import { sql } from 'kysely'
import type { Day } from '#domain/day.ts'
import type { Agorot } from '#domain/money.ts'
import { allocationThresholdOn, type ToldThreshold } from '#domain/vat/allocation.ts'
import type { App, Ctx } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'

/** A change in another process is known here after this time. */
const knownForMs = 60_000
/** A silent authority is asked again after so long. */
const again = '1 hour'

const known = new WeakMap<App, { until: number; told: ToldThreshold[] }>()

/** The last published value of each threshold; every issue reads it, and it changes about once a year. */
async function toldThresholds(ctx: Pick<Ctx, 'app' | 'tx'>): Promise<ToldThreshold[]> {
  const there = known.get(ctx.app)
  if (there && there.until > Date.now()) return there.told
  const { rows } =
    await sql<ToldThreshold>`select day::text as day, threshold_agorot as agorot from told_thresholds
    where threshold_agorot is not null order by day`.execute(ctx.tx)
  known.set(ctx.app, { until: Date.now() + knownForMs, told: rows })
  return rows
}

/**
 * From which sum before VAT an invoice of a day needs an allocation number: as the authority told, and by the
 * law's own table where it told nothing.
 */
export async function thresholdsFor(ctx: Pick<Ctx, 'app' | 'tx'>): Promise<(day: Day) => Agorot | undefined> {
  const told = await toldThresholds(ctx)
  return (day) => allocationThresholdOn(day, told)
}

/**
 * Takes the asking of a day: true for one process alone, and again for one an hour later while nobody
 * answered.
 */
export const claimThreshold = (app: App, day: Day): Promise<boolean> =>
  asSystem(app.db, async (tx) => {
    const { rows } = await sql`insert into told_thresholds as t (day, asked_at) values (${day}, ${app.now()})
      on conflict (day) do update set asked_at = excluded.asked_at
        where t.threshold_agorot is null and t.asked_at <= excluded.asked_at - ${again}::interval
        returning 1`.execute(tx)
    return rows.length > 0
  })

export async function keepThreshold(app: App, day: Day, agorot: Agorot): Promise<void> {
  await asSystem(app.db, (tx) =>
    sql`update told_thresholds set threshold_agorot = ${agorot} where day = ${day}`.execute(tx),
  )
  known.delete(app)
}
