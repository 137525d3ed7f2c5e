import { sql } from 'kysely'
import { asCaller, systemCaller, type App } from '#kit/server/context.ts'
import { act } from './acts.ts'
import { invite } from './invite.ts'
import { loadRequest, signersOf } from './load.ts'
import { nextAt } from './send.ts'
import { end } from './sign.ts'

const everyMs = 30_000
const atOnce = 50

interface Due {
  company_id: string
  id: string
}

/** Reminds and ends what is due; each paper in a transaction of its own, under its lock, so that two processes do nothing twice. */
export async function sweepSigning(app: App): Promise<number> {
  const { rows } =
    await sql<Due>`select company_id, id from sign_requests where state in ('sent', 'inProgress')
        and next_at <= ${app.now().toISOString()}
    order by next_at limit ${atOnce}`.execute(app.db.kysely)
  for (const { company_id, id } of rows)
    await asCaller(app, systemCaller(company_id), '', async (ctx) => {
      const r = await loadRequest(ctx, id, true)
      const { rows: again } =
        await sql`select 1 from sign_requests where company_id = ${company_id} and id = ${id}
            and state in ('sent', 'inProgress')
        and next_at <= ${ctx.now.toISOString()}`.execute(ctx.tx)
      if (!again.length) return
      const expiresAt = new Date(r.expiresAt)
      if (expiresAt <= ctx.now) {
        await act(ctx, r, { kind: 'expired' })
        await end(ctx, r, 'expired', '')
        await ctx.audit('signRequests.expired', 'signRequests', id, undefined, { name: r.name })
        return
      }
      for (const s of await signersOf(ctx, id))
        if (s.state === 'open' && (await invite(ctx, id, s.id, 'remind')))
          await act(ctx, r, { kind: 'reminded', signerId: s.id })
      const reminded = r.reminded + 1
      const next = nextAt(ctx.now, new Date(r.sentAt), r.remindDays, reminded, expiresAt)
      await sql`update sign_requests set reminded = ${reminded}, next_at = ${next.toISOString()}
        where company_id = ${company_id} and id = ${id}`.execute(ctx.tx)
    }).catch((e: Error) =>
      app.log.warn({ err: e.message, request: id }, 'a paper to be signed was not swept'),
    )
  return rows.length
}

export async function start(app: App): Promise<() => Promise<void>> {
  let running = Promise.resolve()
  const timer = setInterval(() => {
    running = running
      .then(() => sweepSigning(app).then(() => undefined))
      .catch((e: Error) => app.log.warn({ err: e.message }, 'signing sweep'))
  }, everyMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
