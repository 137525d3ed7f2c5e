import { sql } from 'kysely'
import type { Ctx } from '#kit/server/context.ts'
import { oneRow } from '#kit/server/data/lists.ts'
import { served } from './served.ts'

/*
 * Documents may be sent by electronic means to a customer who agreed to it (bookkeeping rules, section 18b): when,
 * how and by whom consent was recorded is kept, and it may be withdrawn at any time. Earlier consents stay in the
 * log.
 */

type Known = { consentAt: string | null; consentHow: string | null; consentBy: string | null }

export async function giveConsent(ctx: Ctx, { id, how, by }: { id: string; how: string; by: string }) {
  const before = await oneRow<Known>(ctx, served, id)
  await sql`update parties set consent_at = ${ctx.now.toISOString()}, consent_how = ${how},
      consent_by = ${by || null}, consent_address = null, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('customers.consent', 'customers', id, knownOf(before), {
    consentHow: how,
    consentBy: by || null,
  })
  return { done: true as const }
}

export async function takeConsentBack(ctx: Ctx, { id }: { id: string }) {
  const before = await oneRow<Known>(ctx, served, id)
  if (!before.consentAt) return { done: true as const }
  await sql`update parties set consent_at = null, consent_how = null, consent_by = null,
      consent_address = null, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('customers.revokeConsent', 'customers', id, knownOf(before), { consentAt: null })
  return { done: true as const }
}

const knownOf = ({ consentAt, consentHow, consentBy }: Known) =>
  consentAt ? { consentAt, consentHow, consentBy } : undefined
