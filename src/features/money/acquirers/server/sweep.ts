import { sql } from 'kysely'
import type { App } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { attempt, everyRound, isResting } from '#kit/server/work/dueRows.ts'
import { writeKept } from './answers.ts'
import { startStands } from './gateways/simulator/server.ts'
import { forgetCard } from './cards/forget.ts'
import { proveKept } from './cards/prove.ts'
import { settleCharge } from './charges/ask.ts'
import { giveBack } from './refunds/refund.ts'

/** How long the person who takes a row has for it; then another process may. */
const leaseMs = 5 * 60_000
const atOnce = 8
/** The same at every start where it is free, so that forms that were opened before still stand somewhere. */
const standsPort = 3090

type Asked = 'charges' | 'charge_refunds' | 'cards'

interface Row {
  company_id: string
  id: string
}

/** Rows hold the time at which they are due; the process that takes one records its lease. */
const claim = (app: App, table: Asked): Promise<Row[]> =>
  asSystem(app.db, async (tx) => {
    const now = app.now()
    const { rows } =
      await sql<Row>`update ${sql.table(table)} t set ask_at = ${new Date(now.getTime() + leaseMs)}
      from (select company_id, id from ${sql.table(table)} r where ask_at <= ${now}
          and not ${isResting(app, `acquirers.${table}`, sql`r.company_id`, sql`r.id::text`)} order by ask_at
      limit ${atOnce} for update skip locked) due
      where t.company_id = due.company_id and t.id = due.id returning t.company_id, t.id`.execute(tx)
    return rows
  })

/**
 * Asks acquirers about everything that is due: charges nobody told of, money on its way back. Answers how
 * much that was.
 */
export async function sweep(app: App, isOver: () => boolean = () => false): Promise<number> {
  // What was heard already is not asked for.
  await writeKept(app)
  let done = 0
  const all = async (table: Asked, work: (row: Row) => Promise<unknown>) => {
    while (!isOver()) {
      const rows = await claim(app, table)
      if (rows.length === 0) return
      done += rows.length
      await Promise.all(
        rows.map((row) =>
          attempt(app, `acquirers.${table}`, { companyId: row.company_id, key: row.id }, () => work(row)),
        ),
      )
    }
  }
  await all('charges', ({ company_id: companyId, id }) => settleCharge(app, companyId, id, 'sweep'))
  await all('charge_refunds', ({ company_id: companyId, id }) => giveBack(app, companyId, id))
  await all('cards', async ({ company_id: companyId, id }) => {
    await proveKept(app, companyId, id)
    await forgetCard(app, companyId, id)
  })
  return done
}

/** Sweeps every ten seconds. While the product is tried out, acquirers are stand-ins on this machine. */
export async function start(app: App): Promise<() => Promise<void>> {
  const stands =
    app.settings.acquirersAt === 'simulator'
      ? await startStands({ port: standsPort }).catch(() => startStands())
      : undefined
  if (stands) app.settings.acquirersAt = stands.url
  const stops = [
    everyRound(app, 'answers of acquirers', 2000, () => writeKept(app)),
    everyRound(app, 'asking acquirers', 10_000, (isOver) => sweep(app, isOver)),
  ]
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
    await stands?.close()
  }
}
