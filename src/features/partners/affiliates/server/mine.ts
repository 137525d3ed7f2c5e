import { sql } from 'kysely'
import type { z } from 'zod'
import { planOn } from '#domain/commission/commission.ts'
import { fail } from '#kit/describe/errors.ts'
import { brandAt } from '#kit/server/outside/brands.ts'
import type { Ctx } from '#kit/server/context.ts'
import { underBrand } from '#kit/server/work/threads/currentBusiness.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { makeAutoLogin, provePassword } from '#features/base/session/server/index.ts'
import { settleBank } from '#features/registers/parties/server/index.ts'
import { changeBank } from '#features/registers/suppliers/server/index.ts'
import type { myAffiliate, saveAccount as saveCall } from '../endpoints.ts'
import { brandOfDealer } from './brands.ts'
import { atOperator, plansOf } from './operator.ts'
import { keepLink } from './signUp.ts'
import { figuresOf, payoutState } from './sums.ts'

type Mine = z.output<typeof myAffiliate.output>

interface StoredAffiliate {
  state: Mine['state']
  supplierId: string | null
  ownCard: boolean
  account: Mine['account']
}

async function affiliateOf(ctx: Ctx, affiliateId: string): Promise<StoredAffiliate> {
  const { rows } =
    await sql<StoredAffiliate>`select state, supplier_id as "supplierId", own_card as "ownCard",
      jsonb_build_object('bankCode', bank_code, 'bankBranch', bank_branch, 'bankAccount', bank_account,
      'bankAccountName', bank_account_name) as account
    from affiliates where company_id = ${ctx.companyId} and affiliate_id = ${affiliateId}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

/** The target of a link: a dealer's link leads to the domain of the brand. */
const linkUrl = (ctx: Ctx, code: string, domain?: string | null): string =>
  `${domain ? `https://${domain}` : ctx.app.publicUrl()}/signupinvoice?aff=${code}`

/** The page of one affiliate, read at the operator's by that affiliate's id only. */
export async function showMine(mine: Ctx): Promise<Mine> {
  const { app, companyId: me } = mine
  const { taxId } = await companyOf(mine)
  return atOperator(app, async (ctx) => {
    const { state, account } = await affiliateOf(ctx, me)
    const figures = (await figuresOf(ctx, me)).get(me)!
    const { rows: links } = await sql<
      Omit<Mine['links'][number], 'url'> & { domain: string | null }
    >`select l.id, l.name, l.code, l.archived_at is not null as "isOld",
        (select b.domain from brands b where b.link_code = l.code and b.site_proved_at is not null limit 1) as
        domain,
        coalesce((select sum(v.count) from affiliate_views v where v.company_id = l.company_id
        and v.link_id = l.id), 0)::int as views,
        count(s.client_id)::int as "signUps", count(s.rank)::int as paying,
        coalesce(sum((select sum(k.amount_agorot) from affiliate_commissions k
        where k.company_id = s.company_id and k.client_id = s.client_id)), 0)::bigint as "earnedAgorot"
      from affiliate_links l left join affiliate_signups s on s.company_id = l.company_id and s.link_id = l.id
      where l.company_id = ${ctx.companyId} and l.affiliate_id = ${me} group by l.company_id, l.id
      order by l.archived_at is not null, l.created_at`.execute(ctx.tx)
    const { rows: signUps } = await sql<
      Mine['signUps'][number]
    >`select s.signed_up_day as day, l.name as link, s.state, s.reasons, s.rank,
        coalesce((select sum(k.amount_agorot) from affiliate_commissions k where k.company_id = s.company_id
        and k.client_id = s.client_id), 0)::bigint as "earnedAgorot"
      from affiliate_signups s join affiliate_links l on l.company_id = s.company_id and l.id = s.link_id
      where s.company_id = ${ctx.companyId} and s.affiliate_id = ${me} order by s.signed_up_day desc,
        s.client_id desc limit 200`.execute(ctx.tx)
    const { rows: payouts } = await sql<
      Mine['payouts'][number]
    >`select p.id, d.day, p.amount_agorot as "amountAgorot", d.number, d.page_key as key,
        ${payoutState} as state
      from affiliate_payouts p join documents d on d.company_id = p.company_id and d.id = p.document_id
        left join expenses e on e.company_id = p.company_id and e.document_id = p.document_id
      where p.company_id = ${ctx.companyId} and p.affiliate_id = ${me} order by p.made_at desc
      limit 100`.execute(ctx.tx)
    return {
      state,
      operator: (await companyOf(ctx)).name,
      plan: planOn(await plansOf(ctx), ctx.today) ?? null,
      figures,
      links: links.map(({ domain, ...link }) => ({ ...link, url: linkUrl(ctx, link.code, domain) })),
      signUps,
      payouts,
      account,
      taxId,
      brand: await brandOfDealer(ctx, me),
    }
  })
}

/** A dealer's access to the dealer page on the domain of the brand, and to nothing of the businesses under it. */
export async function wayIn({ app, tx, caller, companyId }: Ctx): Promise<{ url: string; seconds: number }> {
  const { rows } = await sql<{
    domain: string
  }>`select domain from brands where dealer_company = ${companyId} and is_dealer order by domain
    limit 1`.execute(tx)
  if (!rows[0]) throw fail('kit.notFound')
  const { userId } = caller
  return underBrand(await brandAt(app, rows[0].domain), () =>
    makeAutoLogin(app, { userId, companyId, path: '/invoice/main', madeBy: userId, madeIn: 'dealer' }),
  )
}

const mostLinks = 50

export async function makeLink(
  { app, companyId: me, caller }: Ctx,
  { name }: { name: string },
): Promise<{ id: string; url: string }> {
  return atOperator(app, async (ctx) => {
    if ((await affiliateOf(ctx, me)).state === 'stopped') throw fail('affiliates.stopped')
    const { rows } = await sql<{
      count: number
    }>`select count(*)::int as count from affiliate_links where company_id = ${ctx.companyId}
        and affiliate_id = ${me}`.execute(ctx.tx)
    if (rows[0]!.count >= mostLinks) throw fail('affiliates.tooManyLinks', { count: mostLinks })
    const { id, code } = await keepLink(ctx.tx, ctx.companyId, me, name)
    await ctx.audit('affiliates.makeLink', 'affiliates', me, undefined, { name, by: caller.fullName })
    return { id, url: linkUrl(ctx, code) }
  })
}

export async function dropLink({ app, companyId: me }: Ctx, { id }: { id: string }) {
  return atOperator(app, async (ctx) => {
    const { rows } = await sql`update affiliate_links set archived_at = coalesce(archived_at, now())
        where company_id = ${ctx.companyId} and affiliate_id = ${me} and id = ${id} returning 1`.execute(
      ctx.tx,
    )
    if (!rows.length) throw fail('kit.notFound')
    return { done: true as const }
  })
}

/**
 * The account an affiliate is paid to. The supplier card that was created for the affiliate follows, with its
 * warning; an existing card never does automatically.
 */
export async function saveAccount(mine: Ctx, { password, ...given }: z.output<typeof saveCall.input>) {
  await provePassword(mine, password)
  const bank = settleBank({ ...given, iban: null })
  return atOperator(mine.app, async (ctx) => {
    const { supplierId, ownCard } = await affiliateOf(ctx, mine.companyId)
    await sql`update affiliates set bank_code = ${bank.bankCode}, bank_branch = ${bank.bankBranch},
        bank_account = ${bank.bankAccount},
        bank_account_name = ${bank.bankAccountName}, bank_said_at = ${ctx.now}
      where company_id = ${ctx.companyId} and affiliate_id = ${mine.companyId}`.execute(ctx.tx)
    if (supplierId && ownCard) await changeBank(ctx, { id: supplierId, ...bank, again: bank.bankAccount })
    await ctx.audit('affiliates.account', 'affiliates', mine.companyId, undefined, {
      by: mine.caller.fullName,
    })
    return { done: true as const }
  })
}
