import { sql } from 'kysely'
import type { z } from 'zod'
import { fail } from '#kit/describe/errors.ts'
import { allRules } from '#kit/describe/session.ts'
import { newId, type OpenCtx } from '#kit/server/context.ts'
import type { Tx } from '#kit/server/data/db.ts'
import { newToken } from '#kit/server/rights/vault.ts'
import { newPerson, openCompany } from '#features/base/companies/server/index.ts'
import { openSession, sessionOf } from '#features/base/session/server/index.ts'
import { billingKeyOf } from '#features/money/payPages/server/index.ts'
import { settleBank } from '#features/registers/parties/server/index.ts'
import type { programme, signUpAff as call } from '../endpoints.ts'
import { reasonsAtSignUp } from './fraud.ts'
import { atOperator, operatorOf, plansOf } from './operator.ts'
import { planOn } from '#domain/commission/commission.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { say } from '#kit/server/words.ts'

/** What an affiliate may open: the affiliate page and report. */
const rights = (): number[] =>
  ['affiliates.own', 'affiliates.see'].flatMap((name) => allRules().get(name) ?? [])

export const newCode = (): string =>
  newToken()
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 10)
    .padEnd(10, '0')

export async function showProgramme({ app }: OpenCtx): Promise<z.output<typeof programme.output>> {
  if (!operatorOf(app)) return { isOn: false, operator: '', plan: null }
  return atOperator(app, async (ctx) => ({
    isOn: true,
    operator: (await companyOf(ctx)).name,
    plan: planOn(await plansOf(ctx), ctx.today) ?? null,
  }))
}

/** Creates an affiliate: a person, a separate business in which the person sees only this, and the first link. */
export async function signUpAff(ctx: OpenCtx, given: z.output<typeof call.input>) {
  const operatorId = operatorOf(ctx.app)
  if (!operatorId) throw fail('affiliates.off')
  const bank = settleBank({
    bankCode: null,
    bankBranch: null,
    bankAccount: null,
    bankAccountName: null,
    ...given.account,
    iban: null,
  })
  const userId = await newPerson(ctx, { ...given, businessName: given.business.name })
  const phone = given.phone ?? ''
  const id = await openCompany(
    ctx,
    { ...given.business, email: given.email, phone, language: given.language },
    userId,
  )
  await sql`update memberships set type_id = 2, rules = ${rights()}::int[]
    where company_id = ${id} and user_id = ${userId}`.execute(ctx.tx)
  await sql`update companies set areas_switched = '{"affiliates": true}' where id = ${id}`.execute(ctx.tx)
  await sql`insert into affiliates (company_id, affiliate_id, user_id, bank_code, bank_branch, bank_account,
      bank_account_name)
    values (${operatorId}, ${id}, ${userId}, ${bank.bankCode}, ${bank.bankBranch}, ${bank.bankAccount},
      ${bank.bankAccountName})`.execute(ctx.tx)
  await keepLink(ctx.tx, operatorId, id, say(given.language, 'affiliates.firstLink'))
  await sql`insert into audit_log (company_id, id, user_id, address, action, entity, entity_id, after)
    values (${operatorId}, ${newId()}, ${userId}, ${ctx.address}, 'affiliates.signUp', 'affiliates', ${id},
      ${JSON.stringify({ name: given.business.name })})`.execute(ctx.tx)
  return sessionOf(ctx.tx, await openSession(ctx, userId, id))
}

export async function keepLink(
  tx: Tx,
  operatorId: string,
  affiliateId: string,
  name: string,
): Promise<{ id: string; code: string }> {
  const id = newId()
  const code = newCode()
  await sql`insert into affiliate_links (company_id, id, affiliate_id, name, code)
    values (${operatorId}, ${id}, ${affiliateId}, ${name}, ${code})`.execute(tx)
  return { id, code }
}

/**
 * A business signed up by somebody's link: it is credited to that affiliate for good. What looks like the
 * affiliate's own business is held.
 */
export async function follow(
  ctx: OpenCtx,
  {
    companyId,
    code,
    mail,
    phone,
    taxId,
  }: { companyId: string; code: string; mail: string; phone: string; taxId: string },
): Promise<void> {
  const operatorId = operatorOf(ctx.app)
  if (!operatorId) return
  const { rows } = await sql<{
    id: string
    affiliateId: string
  }>`select l.id, l.affiliate_id as "affiliateId" from affiliate_links l
    join affiliates a on a.company_id = l.company_id and a.affiliate_id = l.affiliate_id
    where l.company_id = ${operatorId} and l.code = ${code.toLowerCase()} and l.archived_at is null
      and a.state <> 'stopped'`.execute(ctx.tx)
  const link = rows[0]
  if (!link) return
  const reasons = await reasonsAtSignUp(ctx.tx, link.affiliateId, { mail, phone, taxId })
  await sql`insert into affiliate_signups (company_id, client_id, affiliate_id, link_id, business_key,
      signed_up_day, state, reasons)
    values (${operatorId}, ${companyId}, ${link.affiliateId}, ${link.id}, ${billingKeyOf(ctx.app, companyId)},
      ${ctx.today},
      ${reasons.length ? 'held' : 'counted'}, ${reasons}::text[])`.execute(ctx.tx)
}
