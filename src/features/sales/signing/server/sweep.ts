import { sql } from 'kysely'
import { isWithin } from '#kit/server/rights/authority.ts'
import type { App } from '#kit/server/context.ts'
import { dueRows, everyRound, serveDue } from '#kit/server/work/dueRows.ts'
import { act } from './acts.ts'
import { invite } from './invite.ts'
import { loadRequest, requestKind, signersOf } from './load.ts'
import { nextAt } from './send.ts'
import { end } from './sign.ts'

const everyMs = 30_000

const isDue = (now: Date) => sql`state in ('sent', 'inProgress') and next_at <= ${now}`

const requests = dueRows({
  name: 'signing.sweep',
  due: (app) => sql`select company_id, id::text as key, next_at as at from sign_requests
    where ${isDue(app.now())}`,
  serve: async (ctx, id) => {
    const r = await loadRequest(ctx, id, true)
    const { rows: again } = await sql`select 1 from sign_requests where company_id = ${ctx.companyId}
      and id = ${id} and ${isDue(ctx.now)}`.execute(ctx.tx)
    if (!again.length) return 0
    const expiresAt = new Date(r.expiresAt)
    if (expiresAt <= ctx.now) {
      await act(ctx, r, { kind: 'expired' })
      await end(ctx, r, 'expired', '')
      await ctx.audit('signRequests.expired', 'signRequests', id, undefined, { name: r.name })
      return 1
    }
    // The signer is reminded once somebody approved; until then only the end of the request comes.
    if (!(await isWithin(ctx, requestKind, id, 'send', { agorot: 0 }))) {
      await sql`update sign_requests set next_at = expires_at where company_id = ${ctx.companyId}
        and id = ${id}`.execute(ctx.tx)
      return 1
    }
    for (const s of await signersOf(ctx, id))
      if (s.state === 'open' && (await invite(ctx, id, s.id, 'remind')))
        await act(ctx, r, { kind: 'reminded', signerId: s.id })
    const reminded = r.reminded + 1
    const next = nextAt(ctx.now, new Date(r.sentAt), r.remindDays, reminded, expiresAt)
    await sql`update sign_requests set reminded = ${reminded}, next_at = ${next.toISOString()}
      where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
    return 1
  },
})

/** Reminds and ends what is due, each request under its lock, so that two processes do nothing twice. */
export const sweepSigning = (app: App, isOver?: () => boolean): Promise<number> =>
  serveDue(app, requests, { isOver })

export const start = (app: App): Promise<() => Promise<void>> =>
  Promise.resolve(everyRound(app, 'requests for signatures', everyMs, (isOver) => sweepSigning(app, isOver)))
