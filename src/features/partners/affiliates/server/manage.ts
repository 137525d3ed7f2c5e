import { sql } from 'kysely'
import type { z } from 'zod'
import { addDays } from '#domain/day.ts'
import { stepsFault } from '#domain/commission/commission.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { changeBank, createSupplier } from '#features/registers/suppliers/server/index.ts'
import type { dealerKinds } from '#features/registers/suppliers/suppliers.ts'
import type { BusinessKind } from '#domain/documents/kinds.ts'
import type { decideSignup, listAffiliates, savePlan as planCall, setAffiliate } from '../endpoints.ts'
import { countCommissions } from './count.ts'
import { leftOutOf, monthlyOf, warnedDays } from './monthly.ts'
import { beOperator, operatorOf, plansOf } from './operator.ts'
import { recordOf } from './prove.ts'
import { saidOf, standingColumns, type StoredStandings } from './standing.ts'
import { figuresOf, payoutState } from './sums.ts'

type List = z.output<typeof listAffiliates.output>
const done = { done: true as const }

export async function showAll(ctx: Ctx): Promise<List> {
  const signUpUrl = `${ctx.app.publicUrl()}/signupaff`
  if (ctx.companyId !== operatorOf(ctx.app))
    return {
      isOperator: false,
      signUpUrl,
      plans: [],
      rows: [],
      held: [],
      brands: [],
      pages: [],
      payouts: [],
      monthly: null,
      leftOut: [],
    }
  const figures = await figuresOf(ctx)
  // Names and numbers of businesses lie outside of the operator's own.
  const names = await asSystem(ctx.app.db, async (tx) => {
    const { rows } = await sql<{
      id: string
      name: string
      taxId: string
      email: string
      phone: string
    }>`select id, name, tax_id as "taxId", email, phone from companies
      where id in (select affiliate_id from affiliates where company_id = ${ctx.companyId} union
      select client_id from affiliate_signups where company_id = ${ctx.companyId}
        and state = 'held')`.execute(tx)
    return new Map(rows.map((row) => [row.id, row]))
  })
  const { rows } = await sql<
    Pick<
      List['rows'][number],
      'id' | 'state' | 'since' | 'supplierId' | 'hasAccount' | 'accountChanged' | 'accountDiffers'
    >
  >`
    select a.affiliate_id as id, a.state, a.created_at::date::text as since, a.supplier_id as "supplierId",
      coalesce(a.bank_account, '') <> '' as "hasAccount",
      coalesce(p.bank_changed_at > ${addDays(ctx.today, -warnedDays)}::date, false) as "accountChanged",
      a.supplier_id is not null and coalesce(a.bank_account, '') <> ''
      and (a.bank_code, a.bank_branch, a.bank_account) is distinct
      from (p.bank_code, p.bank_branch, p.bank_account) as "accountDiffers"
    from affiliates a left join parties p on p.company_id = a.company_id and p.id = a.supplier_id
    where a.company_id = ${ctx.companyId} order by a.state = 'asked' desc, a.created_at desc
    limit 1000`.execute(ctx.tx)
  const { rows: held } = await sql<
    Omit<List['held'][number], 'client' | 'affiliate'> & { affiliateId: string }
  >`
    select s.client_id as "clientId", s.affiliate_id as "affiliateId", s.signed_up_day as day,
      array(select r from unnest(s.reasons) r where not r = any(s.cleared)) as reasons,
      coalesce((select sum(k.amount_agorot) from affiliate_commissions k where k.company_id = s.company_id
      and k.client_id = s.client_id and k.payout_id is null), 0)::bigint as "waitingAgorot"
    from affiliate_signups s where s.company_id = ${ctx.companyId} and s.state = 'held'
    order by s.signed_up_day desc, s.client_id limit 500`.execute(ctx.tx)
  const { rows: payouts } = await sql<Omit<List['payouts'][number], 'affiliate'> & { affiliateId: string }>`
    select p.id, p.affiliate_id as "affiliateId", d.day, p.amount_agorot as "amountAgorot",
      p.document_id as "documentId", d.number, ${payoutState} as state
    from affiliate_payouts p join documents d on d.company_id = p.company_id and d.id = p.document_id
      left join expenses e on e.company_id = p.company_id and e.document_id = p.document_id
    where p.company_id = ${ctx.companyId} order by p.made_at desc limit 100`.execute(ctx.tx)
  const { rows: brands } = await sql<
    Omit<List['brands'][number], 'dealer' | 'businesses' | 'mailRecord' | keyof ReturnType<typeof saidOf>> &
      StoredStandings & { proof: string }
  >`select domain, name, accent, logo, proof, ${standingColumns}, asked_at as "askedAt",
      mail_name as "mailName", mail_from as "mailFrom",
      support_email as "supportEmail", dealer_company as "dealerId", page_ids as "pageIds" from brands
      where is_dealer order by name, domain`.execute(ctx.tx)
  const worn = await asSystem(ctx.app.db, async (tx) => {
    const { rows: counts } = await sql<{
      brand: string
      count: number
    }>`select brand, count(*)::int as count from companies where brand is not null group by brand`.execute(tx)
    return new Map(counts.map(({ brand, count }) => [brand, count]))
  })
  const { rows: pages } = await sql<
    List['pages'][number]
  >`select id, title from pay_pages where company_id = ${ctx.companyId} and kind = 'subscription'
      and state = 'open' order by title, id`.execute(ctx.tx)
  const nameOf = (id: string): string => names.get(id)?.name ?? ''
  return {
    isOperator: true,
    signUpUrl,
    plans: await plansOf(ctx),
    rows: rows.map((row) => {
      const { name = '', taxId = '', email = '', phone = '' } = names.get(row.id) ?? {}
      const { waitingAgorot: _, ...sums } = figures.get(row.id)!
      return { ...row, name, taxId, email, phone, ...sums }
    }),
    held: held.map(({ affiliateId, ...row }) => ({
      ...row,
      client: nameOf(row.clientId),
      affiliate: nameOf(affiliateId),
    })),
    brands: brands.map(
      ({
        proof,
        siteProvedAt,
        siteLostAt,
        siteEndedAt,
        mailProvedAt,
        mailLostAt,
        mailEndedAt,
        ...brand
      }) => ({
        ...brand,
        ...saidOf({ siteProvedAt, siteLostAt, siteEndedAt, mailProvedAt, mailLostAt, mailEndedAt }),
        mailRecord: recordOf(proof),
        dealer: brand.dealerId ? nameOf(brand.dealerId) : '',
        businesses: worn.get(brand.domain) ?? 0,
      }),
    ),
    pages,
    payouts: payouts.map(({ affiliateId, ...row }) => ({ ...row, affiliate: nameOf(affiliateId) })),
    monthly: await monthlyOf(ctx),
    leftOut: (await leftOutOf(ctx)).map((row) => ({ ...row, affiliate: nameOf(row.affiliateId) })),
  }
}

/** A version of the plan from a day on. One that is in force stays as it is: people were promised it. */
export async function savePlan(ctx: Ctx, given: z.output<typeof planCall.input>) {
  beOperator(ctx)
  const fault = stepsFault(given.steps)
  if (fault) throw failField('steps', 'fields.range')
  // The first may begin in the past; no other is laid over what counted.
  const { rows } = await sql<{
    last: string | null
  }>`select max(from_day)::text as last from affiliate_plans where company_id = ${ctx.companyId}`.execute(
    ctx.tx,
  )
  if (rows[0]!.last !== null && given.fromDay <= ctx.today) throw fail('affiliates.planStarted')
  await sql`insert into affiliate_plans (company_id, from_day, steps, months, hold_days, least_agorot,
      made_by)
    values (${ctx.companyId}, ${given.fromDay}, ${JSON.stringify(given.steps)}, ${given.months},
      ${given.holdDays}, ${given.leastAgorot}, ${ctx.caller.userId})
    on conflict (company_id, from_day) do update set steps = excluded.steps, months = excluded.months,
      hold_days = excluded.hold_days,
      least_agorot = excluded.least_agorot, made_by = excluded.made_by, made_at = now()`.execute(ctx.tx)
  await ctx.audit('affiliates.plan', 'affiliates', null, undefined, given)
  return done
}

const dealerKindOf: Record<BusinessKind, (typeof dealerKinds)[number]> = {
  licensedDealer: 'licensed',
  exemptDealer: 'exempt',
  company: 'company',
  partnership: 'partnership',
  nonProfit: 'nonProfit',
}

interface Asking {
  state: 'asked' | 'active' | 'stopped'
  supplierId: string | null
  ownCard: boolean
  bankCode: number | null
  bankBranch: string | null
  bankAccount: string | null
  bankAccountName: string | null
}

async function lockedAffiliate(ctx: Ctx, id: string): Promise<Asking> {
  const { rows } = await sql<Asking>`select state, supplier_id as "supplierId", own_card as "ownCard",
        bank_code as "bankCode", bank_branch as "bankBranch", bank_account as "bankAccount",
    bank_account_name as "bankAccountName" from affiliates where company_id = ${ctx.companyId}
    and affiliate_id = ${id} for no key update`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

/**
 * Accepts or stops an affiliate. An accepted affiliate is a supplier: with a new card, or the one with the same
 * number, whose account then stays as it is until a person replaces it: a stranger who knows a supplier's number
 * must not be paid in the supplier's place.
 */
export async function setState(ctx: Ctx, { id, state, reason }: z.output<typeof setAffiliate.input>) {
  beOperator(ctx)
  const asking = await lockedAffiliate(ctx, id)
  let { supplierId, ownCard } = asking
  if (state === 'active' && !supplierId) {
    const who = await asSystem(ctx.app.db, async (tx) => {
      const { rows } = await sql<{
        name: string
        kind: BusinessKind
        taxId: string
        email: string
        phone: string
        language: string
      }>`select name, kind, tax_id as "taxId", email, phone, language
        from companies where id = ${id}`.execute(tx)
      return rows[0]!
    })
    const { rows: known } = await sql<{
      id: string
    }>`select id from parties where company_id = ${ctx.companyId} and role = 'supplier'
        and tax_id = ${who.taxId} and archived_at is null
      and merged_into is null order by created_at limit 1`.execute(ctx.tx)
    supplierId = known[0]?.id ?? null
    if (!supplierId) {
      const { name, kind, taxId, email, phone, language } = who
      const { bankCode, bankBranch, bankAccount, bankAccountName } = asking
      const bank = bankAccount ? { bankCode, bankBranch, bankAccount, bankAccountName } : {}
      supplierId = (
        await createSupplier(ctx, {
          name,
          taxId,
          dealerKind: dealerKindOf[kind],
          email,
          ...(phone ? { phone } : {}),
          language,
          ...bank,
        })
      ).id
      ownCard = true
    }
  }
  await sql`update affiliates set state = ${state}, state_reason = ${reason}, supplier_id = ${supplierId},
      own_card = ${ownCard}
    where company_id = ${ctx.companyId} and affiliate_id = ${id}`.execute(ctx.tx)
  await ctx.audit('affiliates.set', 'affiliates', id, { state: asking.state }, { state, reason })
  return done
}

/** Copies the account the affiliate asks to be paid to onto the supplier card, with its warning of thirty days. */
export async function takeAccount(ctx: Ctx, { id }: { id: string }) {
  beOperator(ctx)
  const { supplierId, bankCode, bankBranch, bankAccount, bankAccountName } = await lockedAffiliate(ctx, id)
  if (!supplierId || !bankAccount) throw fail('kit.notFound')
  await changeBank(ctx, {
    id: supplierId,
    bankCode,
    bankBranch,
    bankAccount,
    bankAccountName,
    iban: null,
    again: bankAccount,
  })
  return done
}

/**
 * Somebody looked at a business that was held: it counts, and is not held for these reasons again, or never
 * does.
 */
export async function decide(ctx: Ctx, { clientId, counts, reason }: z.output<typeof decideSignup.input>) {
  beOperator(ctx)
  const { rows } =
    await sql`update affiliate_signups set state = ${counts ? 'counted' : 'refused'}, cleared = case
        when ${counts} then reasons else cleared end,
      decided_by = ${ctx.caller.userId}, decided_at = now(), decision = ${reason}
    where company_id = ${ctx.companyId} and client_id = ${clientId} and state in ('held', 'refused')
    returning 1`.execute(ctx.tx)
  if (!rows.length) throw fail('kit.notFound')
  await ctx.audit('affiliates.decide', 'affiliates', clientId, undefined, { counts, reason })
  // What was counted of a refused one goes, of one that counts again comes back.
  await countCommissions(ctx)
  return done
}
