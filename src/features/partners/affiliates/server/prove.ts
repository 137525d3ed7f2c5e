import { resolveTxt } from 'node:dns/promises'
import { sql } from 'kysely'
import type { Ctx, OpenCtx } from '#kit/server/context.ts'
import { forgetBrands } from '#kit/server/brands.ts'
import { asSystem } from '#kit/server/db.ts'
import { fail } from '#kit/describe/errors.ts'
import { openLine } from '#features/open/webhooks/server/index.ts'
import { beOperator } from './operator.ts'

/** How the world outside is asked; a test puts its own in. */
export const outside = {
  /** What the domain itself answers for its proof. */
  site: async ({ app }: Ctx, domain: string): Promise<string> => {
    const line = openLine(app.settings.webhooks)
    try {
      return (await line.send(`https://${domain}/api/user/brandproof`, {}, JSON.stringify({ domain }))).answer
    } finally {
      line.close()
    }
  },
  records: async (host: string): Promise<string[]> => (await resolveTxt(host)).map((parts) => parts.join('')),
}

/** The record by which the owner of a sender's domain lets letters leave in its name. */
export const recordOf = (proof: string): string => `pinkas-sender=${proof}`
export const hostOf = (mailFrom: string): string => mailFrom.slice(mailFrom.lastIndexOf('@') + 1).toLowerCase()

/**
 * Asks whether a brand's domain leads here, and whether its sender's domain holds our record. What holds is kept; what holds no more is taken back, for a link
 * that leads nowhere and a letter that is refused are worse than the installation's own.
 */
export async function proveBrand(ctx: Ctx, { domain }: { domain: string }) {
  beOperator(ctx)
  const { rows } = await sql<{
    proof: string
    mailFrom: string
  }>`select proof, mail_from as "mailFrom" from brands where domain = ${domain} and is_dealer`.execute(ctx.tx)
  const [brand] = rows
  if (!brand) throw fail('kit.notFound')
  const [site, records] = await Promise.all([
    outside.site(ctx, domain).catch(() => ''),
    brand.mailFrom ? outside.records(hostOf(brand.mailFrom)).catch(() => [] as string[]) : ([] as string[]),
  ])
  const found = { site: site.includes(brand.proof), mail: records.includes(recordOf(brand.proof)) }
  await asSystem(ctx.app.db, (tx) =>
    sql`update brands set site_proved_at = case when ${found.site} then coalesce(site_proved_at, ${ctx.now}) end,
      mail_proved_at = case when ${found.mail} and mail_from = ${brand.mailFrom} then coalesce(mail_proved_at, ${ctx.now}) end where domain = ${domain}`.execute(
      tx,
    ),
  )
  forgetBrands(ctx.app)
  await ctx.audit('affiliates.proveBrand', 'affiliates', null, undefined, { domain, ...found })
  return found
}

/** What only this installation can answer for a domain. */
export async function brandProof(ctx: OpenCtx, { domain }: { domain: string }) {
  const { rows } = await sql<{ proof: string }>`select proof from brands where domain = ${domain.toLowerCase()} and is_dealer`.execute(
    ctx.tx,
  )
  if (!rows[0]) throw fail('kit.notFound')
  return { proof: rows[0].proof }
}
