import { sql } from 'kysely'
import { addMonths, dayInJerusalem, startOfMonth } from '#domain/day.ts'
import { allRules } from '#kit/describe/session.ts'
import type { App } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { attempt, everyRound, isToRetry } from '#kit/server/work/dueRows.ts'
import { summarise } from './facts.ts'
import { settlePeople } from './office.ts'

const everyMs = 30_000
const atOnce = 20

/**
 * Clients in whose business something happened since they were summed up, and those not looked at today.
 * Events are committed in any order, so each look reaches a little back. The mark is moved first: of several
 * processes one takes a client.
 */
async function claim(app: App): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`update engagements e set summed_at = now() from (
      select distinct e.client_id from engagements e
      where e.state = 'active' and (e.summed_at is null or e.summed_at < now() - interval '20 hours'
        or ${isToRetry(app, 'practice.months', sql`e.client_id`, sql`e.client_id::text`)}
        or (e.summed_at < now() - interval '20 seconds'
        and exists (select 1 from events v where v.company_id = e.client_id and v.at > e.summed_at - interval
        '15 seconds')))
      limit ${atOnce}) d
    where e.client_id = d.client_id and e.state = 'active'
      and (e.summed_at is null or e.summed_at < now() - interval '20 seconds')
      returning e.client_id as id`.execute(app.db.kysely)
  return [...new Set(rows.map(({ id }) => id))]
}

export async function sweep(app: App, isOver: () => boolean = () => false): Promise<number> {
  await asSystem(app.db, (tx) => settlePeople(tx, allRules()))
  let count = 0
  for (let found = await claim(app); found.length && !isOver(); found = await claim(app))
    for (const id of found) {
      if (isOver()) return count
      const month = startOfMonth(dayInJerusalem(app.now()))
      await attempt(app, 'practice.months', { companyId: id, key: id }, () =>
        summarise(app, id, [startOfMonth(addMonths(month, -1)), month]),
      )
      count++
    }
  return count
}

/** Sweeps every half minute. */
export const start = (app: App): Promise<() => Promise<void>> =>
  Promise.resolve(everyRound(app, 'summing up clients of offices', everyMs, (isOver) => sweep(app, isOver)))
