import { sql } from 'kysely'
import { quarterPeriod } from '#domain/day.ts'
import { fail } from '#kit/describe/errors.ts'
import { seesWhole } from '#kit/describe/session.ts'
import { implement } from '#kit/server/contract/implement.ts'
import { spooled } from '#kit/server/http/spool.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { archiveOf } from './archive.ts'

export { archiveOf } from './archive.ts'
export { restore } from './restore.ts'
export { NotRestored } from './unpack.ts'

export const implementations = [
  implement(calls.lastBackup, async (ctx) => {
    const { rows } = await sql<{
      at: string
      by: string | null
      day: string
    }>`select a.at, (a.at at time zone 'Asia/Jerusalem')::date as day,
        (select u.full_name from users u where u.id = a.user_id) as by
      from audit_log a where a.company_id = ${ctx.companyId} and a.action = 'backup.download'
      order by a.at desc limit 1`.execute(ctx.tx)
    const { from } = quarterPeriod(ctx.today)
    const last = rows[0]
    return {
      last: last ? { at: last.at, by: last.by } : null,
      dueSince: last && last.day >= from ? null : from,
    }
  }),
  implement(calls.downloadBackup, async (ctx) => {
    // It holds everything, so the person who sees a part or no prices gets none of it.
    if (!seesWhole(ctx.caller) || ctx.caller.hideTotalPrices) throw fail('backup.notWhole')
    await ctx.audit('backup.download', 'companies', ctx.companyId)
    return {
      pieces: spooled(ctx.app, ctx.companyId, () => archiveOf(ctx.app.db, ctx.companyId, ctx.now)),
      mime: 'application/zip',
      name: `pinkas-${ctx.today}.zip`,
    }
  }),
]
