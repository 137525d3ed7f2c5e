import { sql } from 'kysely'
import { formatMoment } from '#domain/format.ts'
import { siteOf } from '#kit/server/brands.ts'
import type { Language } from '#kit/server/context.ts'
import type { Job } from '#kit/server/jobs.ts'
import { sendMailOf } from '#kit/server/mail.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { offAfterHours } from '../schedule.ts'

/** Tells whoever set an address up that it fails, or that it was turned off and why. */
export const mail: Job = async (ctx, payload) => {
  const { rows } = await sql<{
    name: string
    url: string
    state: string
    since: string | null
    email: string
    language: Language
    full_name: string
  }>`
    select e.name, e.url, e.state, e.failing_since as since, u.email, u.language, u.full_name from webhook_endpoints e join users u on u.id = e.created_by
    where e.company_id = ${ctx.companyId} and e.id = ${String(payload.id)} and e.archived_at is null`.execute(ctx.tx)
  const [of] = rows
  const why = String(payload.why)
  // By now somebody may have mended it.
  if (!of || (why === 'warning' ? of.since === null || of.state === 'off' : of.state !== 'off')) return
  const said = {
    name: of.full_name,
    business: (await companyOf(ctx)).name,
    url: of.url,
    since: of.since ? formatMoment(new Date(of.since)) : '',
    until: of.since ? formatMoment(new Date(Date.parse(of.since) + offAfterHours * 3_600_000)) : '',
    link: `${siteOf(ctx.app)}/invoice/webhooks`,
  }
  await sendMailOf(ctx, {
    to: of.email,
    subject: say(of.language, why === 'warning' ? 'webhooks.mail.warningSubject' : 'webhooks.mail.offSubject', said),
    text: say(of.language, `webhooks.mail.${why}`, said),
  })
}
