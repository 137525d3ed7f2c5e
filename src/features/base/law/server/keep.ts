import { sql } from 'kysely'
import { useEnteredLaw, type EnteredLaw } from '#domain/law/dated.ts'
import type { App } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { everyRound } from '#kit/server/work/dueRows.ts'

/** What another process entered holds here after so long. */
const lookEveryMs = 1000

/** Reads what operators entered and puts it before the tables of the code, for the whole process. */
export async function refreshLaw(app: Pick<App, 'db'>): Promise<void> {
  const { rows } = await asSystem(app.db, (tx) =>
    sql<EnteredLaw>`select key, from_day::text as "from", to_day::text as "to", value, source,
        (at at time zone 'Asia/Jerusalem')::date::text as checked
      from law_entries where revoked_at is null order by from_day, at, id`.execute(tx),
  )
  useEnteredLaw(rows)
}

/** Every process of the installation looks each second; the first look is over before it serves anybody. */
export async function keepLaw(app: App): Promise<() => Promise<void>> {
  await refreshLaw(app)
  // While the database is away, what was known holds.
  return everyRound(app, 'reading the law', lookEveryMs, () => refreshLaw(app))
}
