import { sql } from 'kysely'
import { dayInJerusalem } from '#domain/day.ts'
import type { App } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { everyRound } from '#kit/server/work/dueRows.ts'
import { claimThreshold, keepThreshold } from '#features/registers/rates/server/index.ts'
import { AuthorityAway } from './authority.ts'
import { authorityOf } from './door.ts'
import { withToken } from './link.ts'

/** So many businesses lend their permission before it is left for an hour. */
const mostAsked = 3

/**
 * Asks the authority once a day from which amount a number is needed, with the permission of any connected business:
 * it answers everybody alike. A failed request is repeated in an hour, and meanwhile the last answer holds. Answers
 * the amount where it arrived now. Any process may call it at any time.
 */
export async function askThreshold(app: App): Promise<number | undefined> {
  const door = authorityOf(app, false)
  if (!door) return undefined
  // The test businesses of real ones talk to the stand-in, whose word is none.
  const { rows } = await asSystem(app.db, (tx) =>
    sql<{
      id: string
    }>`select l.company_id as id from authority_links l join companies c on c.id = l.company_id
      where l.service = 'invoices' and l.refresh_sealed is not null and l.ends_at > ${app.now()}
        and c.test_of is null
        and (l.away_until is null or l.away_until <= ${app.now()}) order by l.connected_at desc
        limit ${mostAsked}`.execute(tx),
  )
  const today = dayInJerusalem(app.now())
  if (!rows.length || !(await claimThreshold(app, today))) return undefined
  for (const { id } of rows) {
    try {
      const answer = await withToken(app, id, (access) => door.minimumAmount(access))
      if ('missing' in answer) continue
      if (answer.done === undefined) {
        app.log.warn({ company: id }, 'the sum from which an allocation number is needed could not be read')
        return undefined
      }
      await keepThreshold(app, today, answer.done)
      return answer.done
    } catch (e) {
      if (!(e instanceof AuthorityAway)) throw e
    }
  }
  return undefined
}

const hour = 3_600_000

/** Looks once an hour, and for the first time soon after the start. */
export function start(app: App): Promise<() => Promise<void>> {
  let next = 0
  return Promise.resolve(
    everyRound(app, 'asking the tax authority for its threshold', 30_000, async () => {
      if (Date.now() < next) return
      next = Date.now() + hour
      await askThreshold(app)
    }),
  )
}
