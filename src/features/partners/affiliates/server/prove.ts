import { sql } from 'kysely'
import type { App, Ctx, OpenCtx } from '#kit/server/context.ts'
import { forgetBrands } from '#kit/server/outside/brands.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { names } from '#kit/server/outside/reach.ts'
import { fail } from '#kit/describe/errors.ts'
import { openLine } from '#features/open/webhooks/server/index.ts'
import { beOperator } from './operator.ts'

/** A brand as it is asked about. */
export interface Proving {
  domain: string
  proof: string
  mailFrom: string
}

/** How the world outside is asked; a test puts its own in. */
export const outside = {
  /** What the domain itself answers for its proof. */
  site: async (app: App, domain: string): Promise<string> => {
    const line = openLine(app.settings.webhooks)
    try {
      return (await line.send(`https://${domain}/api/user/brandproof`, {}, JSON.stringify({ domain }))).answer
    } finally {
      line.close()
    }
  },
}

/** The record by which the owner of a sender's domain lets letters leave in its name. */
export const recordOf = (proof: string): string => `pinkas-sender=${proof}`
export const hostOf = (mailFrom: string): string =>
  mailFrom.slice(mailFrom.lastIndexOf('@') + 1).toLowerCase()

/**
 * Asks the world outside whether a brand's domain leads here, and whether its sender's domain holds our
 * record.
 */
export async function look(
  app: App,
  { domain, proof, mailFrom }: Proving,
): Promise<{ site: boolean; mail: boolean }> {
  const [site, records] = await Promise.all([
    outside.site(app, domain).catch(() => ''),
    mailFrom ? names.texts(hostOf(mailFrom)).catch(() => [] as string[]) : ([] as string[]),
  ])
  return { site: site.includes(proof), mail: records.includes(recordOf(proof)) }
}

/**
 * Checked by hand. What is confirmed is kept; what is not is put out of use at once, for a link that leads nowhere
 * and an email that is refused are worse than the installation's own. From then on the brand is checked
 * automatically (`askAgain.ts`).
 */
export async function proveBrand(ctx: Ctx, { domain }: { domain: string }) {
  beOperator(ctx)
  const { rows } = await sql<Proving>`select domain, proof, mail_from as "mailFrom" from brands
      where domain = ${domain} and is_dealer`.execute(ctx.tx)
  const [brand] = rows
  if (!brand) throw fail('kit.notFound')
  const found = await look(ctx.app, brand)
  await asSystem(ctx.app.db, (tx) =>
    sql`update brands set asked_at = ${ctx.now}, ask_next = ${new Date(ctx.now.getTime() + 86_400_000)},
      site_proved_at = case when ${found.site} then coalesce(site_proved_at, ${ctx.now}) end,
      site_lost_at = null,
      site_ended_at = case when ${found.site} then null when site_proved_at is not null then ${ctx.now}
      else site_ended_at end,
      mail_proved_at = case when ${found.mail} and mail_from = ${brand.mailFrom} then
      coalesce(mail_proved_at, ${ctx.now}) end, mail_lost_at = null,
      mail_ended_at = case when ${found.mail} then null when mail_proved_at is not null then ${ctx.now}
      else mail_ended_at end
      where domain = ${domain}`.execute(tx),
  )
  forgetBrands(ctx.app)
  await ctx.audit('affiliates.proveBrand', 'affiliates', null, undefined, { domain, ...found })
  return found
}

/** What only this installation can answer for a domain. */
export async function brandProof(ctx: OpenCtx, { domain }: { domain: string }) {
  const { rows } = await sql<{
    proof: string
  }>`select proof from brands where domain = ${domain.toLowerCase()} and is_dealer`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return { proof: rows[0].proof }
}
