import { sql } from 'kysely'
import { addDays, addMonths } from '#domain/day.ts'
import { commissionOf } from '#domain/commission/commission.ts'
import { newId, type App } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { isNotCancelled, isPaidInvoice } from '#kit/server/data/documentFacts.ts'
import { newToken } from '#kit/server/rights/vault.ts'
import { openCompany } from '#features/base/companies/server/index.ts'
import { hashOfNone } from '#features/base/session/server/index.ts'
import { billingKeyOf } from '#features/money/payPages/server/index.ts'
import { nextPayDay } from './monthly.ts'
import { operatorOf, rememberOperator } from './operator.ts'
import { keepLink } from './signUp.ts'

const brand = { domain: 'books.dagan.example', name: 'דגן – ניהול עסקים', accent: '#7a2fb5' }

/**
 * On a developer's machine, where nobody sells the product, the first demo business does: two affiliates, one of
 * them with a brand, businesses they brought, most of which work under the brand, and one that is held.
 */
export async function showAffiliates(
  app: App,
  { companyId, today }: { companyId: string; today: string },
): Promise<void> {
  if (!app.settings.development || operatorOf(app)) return
  const demo = { phone: '', language: 'he' as const, demo: true }
  const passwordHash = await hashOfNone()
  await asSystem(app.db, async (tx) => {
    await sql`update companies set areas_switched = areas_switched || '{"affiliates": true}'
      where id = ${companyId}`.execute(tx)
    await sql`insert into affiliate_plans (company_id, from_day, steps, months, hold_days, least_agorot)
      values (${companyId}, ${addMonths(today, -12)},
        '[{"from": 1, "rateBp": 2000}, {"from": 4, "rateBp": 2500}]', 24, 45, 10000)`.execute(tx)
    await sql`insert into affiliate_pay_days (company_id, day, next_on)
      values (${companyId}, 10, ${nextPayDay(10, today)})`.execute(tx)
    const { rows: papers } = await sql<{
      id: string
      day: string
      net: number
    }>`select id, day, ils_net_agorot as net from documents
      where company_id = ${companyId} and ${isPaidInvoice()} and ${isNotCancelled()}
        and ils_net_agorot > 0
      order by day desc limit 12`.execute(tx)
    const { rows: suppliers } = await sql<{
      id: string
    }>`select id from parties where company_id = ${companyId} and role = 'supplier' and tax_id is not null
      and archived_at is null order by created_at limit 1`.execute(tx)
    const affiliate = async (
      name: string,
      email: string,
      state: 'active' | 'asked',
      supplierId: string | null,
    ) => {
      const userId = newId()
      await sql`insert into users (id, email, full_name, language, password_hash, email_verified_at)
        values (${userId}, ${email}, ${name}, 'he', ${passwordHash}, now())`.execute(tx)
      const id = await openCompany(
        { tx },
        { ...demo, name, kind: 'licensedDealer', taxId: '033445566', email },
        userId,
      )
      await sql`update memberships set type_id = 2, rules = '{320,322}' where company_id = ${id}`.execute(tx)
      await sql`update companies set areas_switched = '{"affiliates": true}' where id = ${id}`.execute(tx)
      await sql`insert into affiliates (company_id, affiliate_id, user_id, supplier_id, bank_code,
          bank_branch, bank_account, state)
        values (${companyId}, ${id}, ${userId}, ${supplierId}, 12, '600', '445566', ${state})`.execute(tx)
      return { id, userId, link: await keepLink(tx, companyId, id, 'ניוזלטר חודשי') }
    }
    const mark = newToken()
      .slice(0, 8)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, 'x')
    const one = await affiliate(
      'רון דגן שיווק',
      `ron-${mark}@pinkas.example`,
      'active',
      suppliers[0]?.id ?? null,
    )
    await affiliate('הילה כץ ייעוץ לעסקים', `hila-${mark}@pinkas.example`, 'asked', null)
    for (let back = 0; back < 60; back += 3)
      await sql`insert into affiliate_views (company_id, link_id, day, count)
        values (${companyId}, ${one.link.id}, ${addDays(today, -back)}, ${1 + ((back * 7) % 5)})`.execute(tx)
    // A brand outlives the demo that was thrown away.
    const { code } = await keepLink(tx, companyId, one.id, brand.name)
    await sql`insert into brands (domain, name, is_dealer, dealer_id, accent, mail_name, mail_from,
        support_email, dealer_company, link_code)
      select ${brand.domain}, ${brand.name}, true, 1 + coalesce(max(dealer_id), 0), ${brand.accent},
        ${brand.name}, ${`office@${brand.domain}`}, ${`help@${brand.domain}`}, ${one.id}, ${code}
        from brands on conflict (domain) do update set dealer_company = excluded.dealer_company,
          link_code = excluded.link_code`.execute(tx)
    await sql`update memberships set dealer_id = (select dealer_id from brands where domain = ${brand.domain})
      where company_id = ${one.id}`.execute(tx)
    const clients = ['סטודיו קו ואור', 'גינון שורשים', 'מכון כושר רימון', 'ספרי שביל', 'אופטיקה מבט']
    const owners = clients.map(() => newId())
    await sql`insert into users (id, email, full_name, language, password_hash, email_verified_at)
      select o.id, 'c' || o.at || ${`-${mark}@pinkas.example`}, 'בעל העסק', 'he', ${passwordHash}, now()
      from unnest(${owners}::uuid[]) with ordinality o (id, at)`.execute(tx)
    for (const [at, name] of clients.entries()) {
      const clientId = await openCompany(
        { tx },
        {
          ...demo,
          name,
          kind: 'licensedDealer',
          taxId: String(511_000_000 + at * 11),
          email: `c${at}-${mark}@pinkas.example`,
        },
        owners[at]!,
      )
      // Nobody logs in there: it is a business that somebody brought, known only by its amounts.
      await sql`update memberships set seen_at = now() - make_interval(days => ${at * at})
        where company_id = ${clientId}`.execute(tx)
      if (at > 0)
        await sql`update companies
          set brand = ${brand.domain}, created_at = now() - make_interval(days => ${30 * (at + 1)})
          where id = ${clientId}`.execute(tx)
      const isHeld = at === 3
      const rank = at < 3 ? at + 1 : null
      await sql`insert into affiliate_signups (company_id, client_id, affiliate_id, link_id, business_key,
          signed_up_day, state, reasons, rank)
        values (${companyId}, ${clientId}, ${one.id}, ${one.link.id}, ${billingKeyOf(app, clientId)},
          ${addDays(today, -30 * (at + 1))}, ${isHeld ? 'held' : 'counted'},
          ${isHeld ? ['sameCard'] : []}::text[], ${rank})`.execute(tx)
      if (rank !== null)
        for (const paper of papers.slice(at * 4, at * 4 + 4))
          await sql`insert into affiliate_commissions (company_id, document_id, no, client_id, affiliate_id,
              day, base_agorot, rate_bp, amount_agorot, due_day)
            values (${companyId}, ${paper.id}, 0, ${clientId}, ${one.id}, ${paper.day}, ${paper.net}, 2000,
              ${commissionOf(paper.net, 2000)}, ${addDays(paper.day, 45)})`.execute(tx)
    }
  })
  rememberOperator(app, companyId)
}

/** Who the demo's dealer is; undefined where no demo sells the product. */
export async function demoDealer(app: App): Promise<{ companyId: string; userId: string } | undefined> {
  const operatorId = operatorOf(app)
  if (!operatorId) return undefined
  return asSystem(app.db, async (tx) => {
    const { rows } = await sql<{
      companyId: string
      userId: string
    }>`select a.affiliate_id as "companyId", a.user_id as "userId"
      from affiliates a join brands b on b.dealer_company = a.affiliate_id where a.company_id = ${operatorId}
        and b.domain = ${brand.domain}`.execute(tx)
    return rows[0]
  })
}
