import { sql } from 'kysely'
import type { z } from 'zod'
import { fail } from '#kit/describe/errors.ts'
import { forgetBrands } from '#kit/server/outside/brands.ts'
import type { Ctx, OpenCtx } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import type { myAffiliate, saveBrand as call } from '../endpoints.ts'
import { beOperator } from './operator.ts'
import { recordOf } from './prove.ts'
import { keepLink } from './signUp.ts'
import { saidOf, standingColumns, type StoredStandings } from './standing.ts'

/** What was proved of a sender is proved of its domain. */
const sameHost = sql`split_part(lower(brands.mail_from), '@', 2) =
    split_part(lower(excluded.mail_from), '@', 2)`

/**
 * The operator registers the brand of a domain. Its dealer gets a number and a link; people who sign up by it are
 * credited to the dealer.
 */
export async function saveBrand(ctx: Ctx, given: z.output<typeof call.input>) {
  beOperator(ctx)
  const { domain, name, accent, mailName, mailFrom, supportEmail, dealerId, pageIds } = given
  if (pageIds.length) {
    const { rows } = await sql<{
      n: number
    }>`select count(*)::int as n from pay_pages where company_id = ${ctx.companyId} and kind = 'subscription'
        and id = any(${pageIds}::uuid[])`.execute(ctx.tx)
    if (rows[0]!.n !== new Set(pageIds).size) throw fail('kit.notFound')
  }
  if (dealerId) {
    const { rows } =
      await sql`select 1 from affiliates where company_id = ${ctx.companyId} and affiliate_id = ${dealerId}
          for key share`.execute(ctx.tx)
    if (!rows.length) throw fail('kit.notFound')
  }
  // Brands belong to the installation and lie outside of every business.
  await asSystem(ctx.app.db, async (tx) => {
    const { rows: known } = await sql<{
      dealer: string | null
      code: string | null
      number: number
    }>`select dealer_company as dealer, link_code as code, dealer_id as number
      from brands where domain = ${domain} for update`.execute(tx)
    const before = known[0]
    const code = !dealerId
      ? null
      : before?.dealer === dealerId && before.code
        ? before.code
        : (await keepLink(tx, ctx.companyId, dealerId, name)).code
    const { rows: numbers } = await sql<{
      number: number
    }>`select coalesce(nullif(${before?.number ?? 0}::int, 0), 1 + coalesce(max(dealer_id), 0)) as number
      from brands`.execute(tx)
    const number = numbers[0]!.number
    await sql`insert into brands (domain, name, is_dealer, dealer_id, accent, mail_name, mail_from,
        support_email, page_ids, dealer_company, link_code)
      values (${domain}, ${name}, true, ${number}, ${accent}, ${mailName}, ${mailFrom}, ${supportEmail},
        ${pageIds}::uuid[], ${dealerId}, ${code})
      on conflict (domain) do update set name = excluded.name, is_dealer = true,
        dealer_id = excluded.dealer_id,
        accent = excluded.accent, mail_name = excluded.mail_name, mail_from = excluded.mail_from,
        mail_proved_at = case when ${sameHost} then brands.mail_proved_at end, mail_lost_at = case
        when ${sameHost} then brands.mail_lost_at end,
        mail_ended_at = case when ${sameHost} then brands.mail_ended_at end,
        support_email = excluded.support_email, page_ids = excluded.page_ids,
        dealer_company = excluded.dealer_company, link_code = excluded.link_code`.execute(tx)
    // A dealer is identified by number; the former owner of the brand stops being a dealer where no other brand is
    // left.
    await sql`update memberships m
      set dealer_id = coalesce((select max(b.dealer_id) from brands b where b.dealer_company = m.company_id),
        0)
      where m.type_id = 2
        and m.company_id =
        any(${[dealerId, before?.dealer].filter((one): one is string => !!one)}::uuid[])`.execute(tx)
  })
  forgetBrands(ctx.app)
  await ctx.audit('affiliates.brand', 'affiliates', dealerId, undefined, { domain, name })
  return { done: true as const }
}

/** Lays the brand of the page on which a business signed up onto it; answers the link of its dealer. */
export async function wearBrand(
  { tx, app }: OpenCtx,
  companyId: string,
  domain: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ code: string | null }>`with worn as (
      update companies c set brand = b.domain from brands b
      where c.id = ${companyId} and b.domain = ${domain.toLowerCase()} and b.is_dealer returning b.link_code)
    select link_code as code from worn`.execute(tx)
  forgetBrands(app)
  return rows[0]?.code ?? undefined
}

/** A dealer's brand with who uses the product under it: days and counts, never books. */
export async function brandOfDealer(
  ctx: Ctx,
  dealerId: string,
): Promise<z.output<typeof myAffiliate.output>['brand']> {
  return asSystem(ctx.app.db, async (tx) => {
    const { rows: brands } = await sql<
      StoredStandings & { domain: string; name: string; mailFrom: string; proof: string }
    >`select domain, name, proof, mail_from as "mailFrom", ${standingColumns} from brands
      where dealer_company = ${dealerId} and is_dealer order by domain limit 1`.execute(tx)
    if (!brands[0]) return null
    const { domain, name, mailFrom, proof, ...stored } = brands[0]
    const { rows: businesses } = await sql<
      NonNullable<z.output<typeof myAffiliate.output>['brand']>['businesses'][number]
    >`
      select c.id, c.name, (c.created_at at time zone 'Asia/Jerusalem')::date::text as day,
        (select count(*) from memberships m where m.company_id = c.id and m.removed_at is null)::int as
        people,
        (select (max(m.seen_at) at time zone 'Asia/Jerusalem')::date::text from memberships m
        where m.company_id = c.id) as "seenDay",
        s.rank is not null and s.state <> 'refused' as "isPaying",
        coalesce((select sum(k.amount_agorot) from affiliate_commissions k where k.company_id = s.company_id
        and k.client_id = c.id), 0)::bigint as "earnedAgorot"
      from companies c join affiliate_signups s on s.client_id = c.id and s.affiliate_id = ${dealerId}
      where c.brand in (select domain from brands where dealer_company = ${dealerId})
      order by c.created_at desc, c.id limit 500`.execute(tx)
    return { domain, name, mailFrom, mailRecord: recordOf(proof), ...saidOf(stored), businesses }
  })
}
