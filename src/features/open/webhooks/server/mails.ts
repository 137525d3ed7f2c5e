import { sql } from 'kysely'
import { formatMoment } from '#domain/format.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { mailAfterCommit } from '#kit/server/outside/mail.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { hearerOf } from '#features/base/team/server/index.ts'
import { offAfterHours } from '../schedule.ts'

/**
 * Notifies the person who set an address up, or an owner when that person left, that it fails, or that it was turned off and
 * why.
 */
export const mail: Job = async (ctx, payload) => {
  const { rows } = await sql<{
    name: string
    url: string
    state: string
    since: string | null
    by: string | null
  }>`
    select e.name, e.url, e.state, e.failing_since as since, e.created_by as by from webhook_endpoints e
    where e.company_id = ${ctx.companyId} and e.id = ${String(payload.id)} and e.archived_at is null`.execute(
    ctx.tx,
  )
  const [of] = rows
  const why = String(payload.why)
  // By now somebody may have mended it.
  if (!of || (why === 'warning' ? of.since === null || of.state === 'off' : of.state !== 'off')) return
  const to = await hearerOf(ctx, of.by)
  if (!to) return
  const said = {
    name: to.fullName,
    business: (await companyOf(ctx)).name,
    url: of.url,
    since: of.since ? formatMoment(new Date(of.since)) : '',
    until: of.since ? formatMoment(new Date(Date.parse(of.since) + offAfterHours * 3_600_000)) : '',
    link: `${siteOf(ctx.app)}/invoice/webhooks`,
  }
  mailAfterCommit(ctx, {
    to: to.email,
    subject: say(
      to.language,
      why === 'warning' ? 'webhooks.mail.warningSubject' : 'webhooks.mail.offSubject',
      said,
    ),
    text: say(to.language, `webhooks.mail.${why}`, said),
  })
}
